"""Long runs over numbered random scenes on all processors: complaints as they come, how far they are, and a summary at
the end.
"""

import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial

TOLD_EVERY = 10.0
"""Seconds between two lines on how far a run is."""


@dataclass(frozen=True)
class Held:
    """What became of one scene: its outcome, what is wrong with the answer, and what else is counted, by its words."""

    outcome: str
    complaints: Sequence[str]
    counted: Mapping[str, int] = field(default_factory=dict)


def run(arguments: Sequence[str], hold: Callable[[int], Held], *, count: int) -> int:
    """Hold scenes FIRST to FIRST + COUNT - 1 of the arguments `[COUNT [FIRST]]`; give 1 if there were any complaints,
    else 0.
    """
    count = int(arguments[0]) if arguments else count
    first = int(arguments[1]) if len(arguments) > 1 else 0
    outcomes: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    started = told = time.perf_counter()
    bad = 0
    with ProcessPoolExecutor() as pool:
        for number, held in enumerate(
            pool.map(partial(_survived, hold), range(first, first + count)), first
        ):
            outcomes[held.outcome] += 1
            counted.update(held.counted)
            bad += bool(held.complaints)
            for complaint in held.complaints:
                print(f"scene {number} ({held.outcome}): {complaint}", flush=True)
            if time.perf_counter() - told > TOLD_EVERY:
                told = time.perf_counter()
                print(
                    f"{number + 1 - first} of {count} scenes in {told - started:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
    more = "".join(f", {times} {words}" for words, times in counted.items())
    print(
        f"{count} scenes in {time.perf_counter() - started:.0f} s, {bad} with complaints{more}; "
        f"{dict(outcomes.most_common())}"
    )
    return 1 if bad else 0


def _survived(hold: Callable[[int], Held], number: int) -> Held:
    """Hold a scene; what is raised or warned of is a complaint, so that one scene does not end the run."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            return hold(number)
    except Exception:  # noqa: BLE001 - whatever it is
        return Held("raised", (traceback.format_exc(),))

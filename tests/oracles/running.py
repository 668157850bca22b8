"""Long runs over numbered random scenes: complaints as they come, and a summary at the end."""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Held:
    """What became of one scene: its outcome, what is wrong with the answer, and what else is counted, by its words."""

    outcome: str
    complaints: Sequence[str]
    counted: Mapping[str, int] = field(default_factory=dict)


def run(arguments: Sequence[str], hold: Callable[[int], Held], *, count: int) -> int:
    """Hold scenes FIRST to FIRST + COUNT - 1 of the arguments `[COUNT [FIRST]]`; give 1 if there were any complaints, else 0."""
    count, first = int(arguments[0]) if arguments else count, int(arguments[1]) if len(arguments) > 1 else 0
    outcomes: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    started, bad = time.perf_counter(), 0
    for number in range(first, first + count):
        held = hold(number)
        outcomes[held.outcome] += 1
        counted.update(held.counted)
        bad += bool(held.complaints)
        for complaint in held.complaints:
            print(f"scene {number} ({held.outcome}): {complaint}", flush=True)
    more = "".join(f", {times} {words}" for words, times in counted.items())
    print(f"{count} scenes in {time.perf_counter() - started:.0f} s, {bad} with complaints{more}; {dict(outcomes.most_common())}")
    return 1 if bad else 0

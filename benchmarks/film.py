"""Moving pictures: a frame of a film / its page painted anew, with 100 bases on it."""

import sys
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.protocol import Promise, interleaved, report
from plots.export.film import Cue, Film, Pixels, film, frames, page_of, still
from tests.scenes import case, charger, resolve, table, target

MODELS, FILES, DPI = 50, 10, 110.0
"""Of each of the two units, and pixels per inch of a GIF."""


def measure() -> tuple[Promise, ...]:
    """Time both, and hold the last frame of the shot beside its page."""
    question = case(
        table(
            target(FILES, models=MODELS), charger((100.0, 150.0), 262.0, files=FILES, models=MODELS)
        )
    )
    made = film(question, resolve(question))
    number = next(number for number, shot in enumerate(made.shots) if shot.moves)
    page = page_of(made, number)
    running = _running(made, number)
    ours, anew = interleaved(partial(next, running), partial(still, page, dpi=DPI))
    *_, last = frames(made, [Cue(number, 0.5, 0.1), Cue(number, None, 0.1)], dpi=DPI)
    is_same = np.array_equal(last, still(page, dpi=DPI))
    return (
        Promise(
            name=f"frame of a film of {2 * MODELS} bases / its page",
            value=ours / anew,
            sense="at most",
            limit=0.3,
            unit=" x",
            gate=f"the last frame is {'' if is_same else 'not '}the page",
            is_gate_passed=is_same,
            detail=f"{ours * 1e3:.0f} ms / {anew * 1e3:.0f} ms",
        ),
    )


def _running(made: Film, number: int) -> Iterator[Pixels]:
    """Paint frames of one shot for as long as somebody asks."""
    return frames(made, [Cue(number, share / 10_000, 0.1) for share in range(10_000)], dpi=DPI)


if __name__ == "__main__":
    sys.exit(report([measure]))

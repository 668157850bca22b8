"""Contrasts: what the alternatives of all bundled scenarios of a game cost on top of resolving them.

A ruling keeps what it was made from, so that its alternatives need not be worked out from the beginning.
"""

import sys
import time

from benchmarks.protocol import Promise, report
from tabletop.api import resolve
from tabletop.registry import BUILT_IN, scenarios
from tabletop.ruling.system import Case
from tabletop.scenario import read_case

ROUNDS = 3
"""How often each scenario is resolved with and without contrasts, in turn; the best of each counts."""


def measure() -> tuple[Promise, ...]:
    """Time the scenarios of each game."""
    return tuple(_on_top(game) for game in BUILT_IN)


def _on_top(game: str) -> Promise:
    """Return the share of processor time that contrasts add to the rulings of a game."""
    plain = 0.0
    whole = 0.0
    found = 0
    cases = [read_case(name) for name, _ in scenarios(game)]
    for case in cases:
        rulings = resolve(case).rulings
        found += sum(len(ruling.contrast or ()) for ruling in rulings)
        rounds = [(_seconds(case, contrast=False), _seconds(case)) for _ in range(ROUNDS)]
        plain += min(without for without, _ in rounds)
        whole += min(within for _, within in rounds)
    return Promise(
        name=f"{game}, contrasts / resolving",
        value=100.0 * (whole / plain - 1.0),
        sense="at most",
        limit=15.0,
        unit=" %",
        gate=f"{found} contrasts in {len(cases)} scenarios",
        is_gate_passed=found >= len(cases) // 2,
        detail=f"{plain:.2f} s without, {whole:.2f} s with, of processor time",
    )


def _seconds(case: Case, *, contrast: bool = True) -> float:
    """Return the seconds of processor time to resolve a case."""
    started = time.process_time()
    resolve(case, contrast=contrast)
    return time.process_time() - started


if __name__ == "__main__":
    sys.exit(report([measure]))

"""Measuring and reporting of all benchmarks: interleaved runs, best of several, on a quiet machine, with a correctness
gate.
"""

import argparse
import gc
import platform
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

ROUNDS = 5
BUSY = 0.1
PACKAGES = ("numpy", "scipy", "shapely", "matplotlib", "python-fcl", "ortools")


@dataclass(frozen=True)
class Promise:
    """Promise and its measured value, which must be `at least` or `at most` the limit; void unless the gate holds."""

    name: str
    value: float
    sense: Literal["at least", "at most"]
    limit: float
    unit: str
    gate: str
    is_gate_passed: bool
    detail: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the promise holds: its gate passed, and its value is on the right side of the limit."""
        return self.is_gate_passed and (
            self.value >= self.limit if self.sense == "at least" else self.value <= self.limit
        )

    def __str__(self) -> str:
        value = f"{self.value:.3g}{self.unit}" if self.is_gate_passed else "void"
        verdict = "kept" if self.is_kept else "BROKEN"
        gate = f"{'passed' if self.is_gate_passed else 'FAILED'}: {self.gate}"
        return (
            f"{verdict:7}{self.name:44}{value:>10}   {self.sense} {self.limit:g}{self.unit}\n       gate "
            f"{gate}\n       {self.detail}"
        )


def among_others(
    name: str,
    peer: str,
    times: tuple[float, float, float],
    *,
    gate: str,
    beaten: int,
    scenes: int,
    raced: int,
) -> tuple[Promise, Promise]:
    """Return the promises that one charge on a crowded table takes at most 50 ms, and that another solver takes a
    hundred times as long.

    `times` are in seconds: of the median table, of the other solver, and of ours on the first `raced` of all `scenes`.
    """
    alone, theirs, ours = times
    return (
        Promise(
            name=f"{name}, median",
            value=alone * 1e3,
            sense="at most",
            limit=50.0,
            unit=" ms",
            gate=gate,
            is_gate_passed=beaten == 0,
            detail=f"median of {scenes} scenes, each the best of several rounds",
        ),
        Promise(
            name=f"the same: {peer} / ours",
            value=theirs / ours,
            sense="at least",
            limit=100.0,
            unit=" x",
            gate=gate,
            is_gate_passed=beaten == 0,
            detail=f"{theirs:.2f} s / {ours * 1e3:.0f} ms for the first {raced} scenes",
        ),
    )


def interleaved(*runs: Callable[[], object], rounds: int = ROUNDS) -> tuple[float, ...]:
    """Run functions alternately for several rounds; return the best time of each in seconds."""
    best = [float("inf")] * len(runs)
    for _ in range(rounds):
        for number, run in enumerate(runs):
            best[number] = min(best[number], _timed(run))
    return tuple(best)


def _timed(run: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        run()
        return time.perf_counter() - start
    finally:
        gc.enable()


def report(measures: Sequence[Callable[[], Sequence[Promise]]]) -> int:
    """Run measures and print a line per promise; return 0 if all hold, 1 if one is broken, 2 on a busy machine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--force",
        action="store_true",
        help="measure although other processes keep the machine busy",
    )
    forced = parser.parse_args().force
    busy = busy_processes()
    if busy and not forced:
        print(
            f"not measured: {', '.join(busy)} use more than {BUSY:.0%} of a core (--force measures all the same)",
            file=sys.stderr,
        )
        return 2
    print(
        f"Python {platform.python_version()} on {platform.machine()}, {', '.join(map(_versioned, PACKAGES))}"
    )
    broken = 0
    for measure in measures:
        for promise in measure():
            print(promise, flush=True)
            broken += not promise.is_kept
    return 1 if broken else 0


def busy_processes(seconds: float = 0.5) -> tuple[str, ...]:
    """Return the names of other processes that use more than a tenth of a core; empty where the system does not
    tell.
    """
    ticks = 100.0 * seconds * BUSY
    before = _used_ticks()
    time.sleep(seconds)
    after = _used_ticks()
    return tuple(
        f"{name} ({number})"
        for (number, name), used in after.items()
        if used - before.get((number, name), used) > ticks
    )


def _used_ticks() -> dict[tuple[str, str], int]:
    used = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = entry.read_text().rpartition(")")
        except OSError:  # the process has ended
            continue
        number, _, name = head.partition(" (")
        fields = tail.split()
        if entry.parent.name != str(Path("/proc/self").resolve().name):
            used[(number, name)] = int(fields[11]) + int(fields[12])
    return used


def _versioned(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return f"no {package}"

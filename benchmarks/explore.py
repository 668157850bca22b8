"""Many cases on two workers, the local cores and a Dask cluster of two processes, against one process; and a case
against reading it.
"""

import logging
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.protocol import Promise, interleaved, report
from tabletop.errors import ScenarioError
from tabletop.exploring.explore import Sweep, run_sweep, sweep_of
from tabletop.exploring.running import Execution, solved

VARY = ("units.A.x=22:38:0.5", "units.A.y=30:37:0.5")
"""Places of the charger: some seconds of work."""

BOARDS = (
    ("t9a/wheel-and-align", 2.0, 2.0),
    ("conquest/past-a-corner", 2.0, 1.5),
    ("wh40k/past-a-bystander", 2.0, 3.0),
    ("wh40k/ten-against-ten", 12.0, 8.0),
)
"""Scenarios whose charger A stands everywhere, the inches between its places, and the most that a case may take of the
time to read it."""

ROUNDS = 3
WORKERS = 2


def measure() -> tuple[Promise, ...]:
    """Time the same grid resolved in all ways, and compare the tables."""
    if find_spec("distributed") is None:
        sys.exit("dask.distributed is missing: pip install 'tabletop-charges[explore]'")
    from distributed import LocalCluster

    with tempfile.TemporaryDirectory() as folder:
        local = _compared(Path(folder), "two local processes", Execution(WORKERS), limit=0.92)
        cluster: Any = LocalCluster
        quiet = {"dashboard_address": None, "silence_logs": logging.ERROR}
        with cluster(n_workers=WORKERS, threads_per_worker=1, **quiet) as dask:
            name = "a Dask cluster of two processes"
            address = dask.scheduler_address
            return local, _compared(Path(folder), name, Execution(scheduler=address), limit=0.80)


def of_reading() -> tuple[Promise, ...]:
    """Time the cases of a moving charger in one process, and reading them."""
    return tuple(_of_reading(*board) for board in BOARDS)


def _of_reading(scenario: str, step: float, limit: float) -> Promise:
    what = sweep_of(scenario, ("units.A=board",), step=step)
    numbers = tuple(range(len(what.grid)))

    def read() -> None:
        for number in numbers:
            with suppress(ScenarioError):
                what.base.case(what.grid[number])

    is_same = (
        solved(what.base, what.grid, numbers).cases == solved(what.base, what.grid, numbers).cases
    )
    resolving, reading = interleaved(
        lambda: solved(what.base, what.grid, numbers), read, rounds=ROUNDS
    )
    return Promise(
        name=f"{scenario}: a case of a moving charger / reading it",
        value=resolving / reading,
        sense="at most",
        limit=limit,
        unit="",
        gate=f"the rows of {len(numbers)} cases are {'' if is_same else 'not '}the same twice",
        is_gate_passed=is_same,
        detail=f"{resolving / len(numbers) * 1e3:.2f} ms, {reading / len(numbers) * 1e3:.2f} ms",
    )


def _compared(folder: Path, name: str, how: Execution, *, limit: float) -> Promise:
    """Resolve in turn in one process and in another way."""
    serial, ours = interleaved(
        _way(folder / "serial.csv", Execution(1)), _way(folder / "ours.csv", how), rounds=ROUNDS
    )
    is_same = (folder / "serial.csv").read_bytes() == (folder / "ours.csv").read_bytes()
    return Promise(
        name=f"many cases on {name}: serial / (2 x ours)",
        value=serial / (WORKERS * ours),
        sense="at least",
        limit=limit,
        unit="",
        gate=f"the table of {len(_grid().grid)} cases is {'' if is_same else 'not '}the same byte for byte",
        is_gate_passed=is_same,
        detail=f"{serial:.2f} s in one process, {ours:.2f} s on two",
    )


def _way(table: Path, how: Execution) -> Callable[[], None]:
    """Make what resolves the whole grid into a table."""
    what = _grid()

    def run() -> None:
        table.unlink(missing_ok=True)
        run_sweep(what, table, how)

    return run


def _grid() -> Sweep:
    return sweep_of("t9a/wheel-and-align", VARY)


if __name__ == "__main__":
    sys.exit(report([measure, of_reading]))

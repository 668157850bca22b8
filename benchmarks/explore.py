"""Many cases on two workers: the local cores and a Dask cluster of two processes, against one process."""

import logging
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.protocol import Promise, interleaved, report
from tabletop.exploring.explore import Expedition, expedition, undertake

VARY = ("units.A.x=22:38:0.5", "units.A.y=30:37:0.5")
"""Places of the charger: some seconds of work."""

ROUNDS = 3
WORKERS = 2


def measure() -> tuple[Promise, ...]:
    """Time the same grid resolved in all ways, and compare the tables."""
    if find_spec("distributed") is None:
        sys.exit("dask.distributed is missing: pip install 'tabletop-charges[explore]'")
    from distributed import LocalCluster

    with tempfile.TemporaryDirectory() as folder:
        local = _compared(Path(folder), "two local processes", limit=0.92, workers=WORKERS)
        cluster: Any = LocalCluster
        quiet = {"dashboard_address": None, "silence_logs": logging.ERROR}
        with cluster(n_workers=WORKERS, threads_per_worker=1, **quiet) as dask:
            name, address = "a Dask cluster of two processes", dask.scheduler_address
            return local, _compared(Path(folder), name, limit=0.80, scheduler=address)


def _compared(folder: Path, name: str, *, limit: float, **how: Any) -> Promise:
    """Resolve in turn in one process and in another way."""
    serial, ours = interleaved(_way(folder / "serial.csv"), _way(folder / "ours.csv", **how), rounds=ROUNDS)
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


def _way(table: Path, *, workers: int = 1, scheduler: str | None = None) -> Callable[[], None]:
    """Make what resolves the whole grid into a table."""
    what = _grid()

    def run() -> None:
        table.unlink(missing_ok=True)
        undertake(what, table, workers=workers, scheduler=scheduler)

    return run


def _grid() -> Expedition:
    return expedition("t9a/wheel-and-align", VARY)


if __name__ == "__main__":
    sys.exit(report([measure]))

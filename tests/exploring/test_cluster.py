"""The same table from a cluster of two workers, one of which is killed in the middle."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.exploring.explore import run_sweep, sweep_of
from tabletop.exploring.running import Execution

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two worker processes of one thread each."""
    settings = {"dashboard_address": None, "silence_logs": 50}
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, **settings
    ) as local:
        yield local


def test_a_lost_worker_costs_its_unfinished_cases(tmp_path: Path, cluster: Any) -> None:
    """Whatever a killed worker had is resolved by the other; the table is that of a serial run, byte for byte."""
    what = sweep_of("t9a/wheel-and-align", ["units.A.facing_deg=250:290:0.5"])
    run_sweep(what, tmp_path / "serial.csv", Execution(1))
    killed: list[int] = []

    def kill_one(count: int) -> None:
        if count and not killed:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    run_sweep(
        what,
        tmp_path / "cluster.csv",
        Execution(scheduler=cluster.scheduler_address, progress=kill_one),
    )
    assert killed
    assert (tmp_path / "cluster.csv").read_bytes() == (tmp_path / "serial.csv").read_bytes()


def test_a_cluster_has_no_more_time_than_others(tmp_path: Path, cluster: Any) -> None:
    """When the seconds are over what has come in is kept, and another run makes the table of a serial one."""
    what = sweep_of("t9a/wheel-and-align", ["units.A.facing_deg=250:290:1"])
    table = tmp_path / "cluster.csv"
    with pytest.raises(NoVerdictError, match=r"\b0\.05 s\b.*\b41\b"):
        run_sweep(
            what, table, Execution(scheduler=cluster.scheduler_address, limit=Budget(seconds=0.05))
        )
    assert not table.exists()
    run_sweep(what, table, Execution(scheduler=cluster.scheduler_address))
    run_sweep(what, tmp_path / "serial.csv", Execution(1))
    assert table.read_bytes() == (tmp_path / "serial.csv").read_bytes()

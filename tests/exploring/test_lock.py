"""One writer of a table at a time, and files beside it that are nobody else's."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tabletop.errors import UsageError
from tabletop.exploring import lock
from tabletop.exploring.explore import run_sweep
from tabletop.exploring.export import read_rows
from tabletop.exploring.lock import one_writer
from tabletop.exploring.store import ResultStore
from tests.exploring.test_running import march_sweep, serial

HOLDING = """
import sys, time
from pathlib import Path
from tabletop.exploring.lock import one_writer
with one_writer(Path(sys.argv[1])):
    print("locked", flush=True)
    time.sleep(600)
"""
ORPHANING = """
import sys, time
from pathlib import Path
from tabletop.exploring.lock import one_writer
from tabletop.exploring.running import pool_of
with one_writer(Path(sys.argv[1])), pool_of(1) as pool:
    print(pool.submit(__import__("os").getpid).result(), flush=True)
    time.sleep(600)
"""


@contextmanager
def started(program: str, table: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start a program that writes a table; it is ended afterwards, also where an assertion has failed."""
    with subprocess.Popen([sys.executable, "-c", program, str(table)], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_second_writer_is_told_who_writes(tmp_path: Path) -> None:
    """While one process writes a table another is refused with its number, and touches nothing; once it has been killed nobody is."""
    what, table = march_sweep(), tmp_path / "t.csv"
    with started(HOLDING, table) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        with pytest.raises(UsageError, match=rf"t\.csv is being written by process {process.pid} on .*, since \d.*; wait until"):
            run_sweep(what, table, workers=1)
        assert [file.name for file in tmp_path.iterdir()] == [".t.csv.lock"]
        process.kill()
    run_sweep(what, table, workers=1)
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


def test_workers_that_are_left_over_keep_nobody_out(tmp_path: Path) -> None:
    """When the writer is killed its workers end too, and until then they hold no lock."""
    table = tmp_path / "t.csv"
    with started(ORPHANING, table) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.kill()
        process.wait()
    with one_writer(table):
        pass
    for _ in range(100):
        if not _is_running(worker):
            break
        time.sleep(0.1)
    assert not _is_running(worker)


def _is_running(process: int) -> bool:
    status = Path(f"/proc/{process}/status")
    return status.exists() and "State:\tZ" not in status.read_text(encoding="utf-8")


def test_a_finished_table_needs_no_lock(tmp_path: Path) -> None:
    """It is only read, also where nothing can be written."""
    what = march_sweep()
    before = serial(what, tmp_path)
    with one_writer(tmp_path / "serial.csv"):
        assert serial(what, tmp_path) == before


def test_a_table_that_is_finished_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for the lock finds the table that the other has made."""
    what, table = march_sweep(), tmp_path / "serial.csv"
    whole = serial(what, tmp_path)
    table.unlink()
    taken = lock._taken

    def late(path: Path, out: Path) -> int:
        table.write_bytes(whole)
        return taken(path, out)

    monkeypatch.setattr(lock, "_taken", late)
    with ResultStore(table, what.base, what.grid) as journal:
        assert journal.is_finished
        assert not len(journal.missing)
    assert [file.name for file in tmp_path.iterdir()] == ["serial.csv"]


def test_a_lock_that_is_removed_while_it_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of an owner that has just gone is no lock: a new one is made."""
    is_there, asked = lock._is_there, list[Path]()

    def gone_once(handle: int, path: Path) -> bool:
        asked.append(path)
        if len(asked) == 1:
            path.unlink()
        return is_there(handle, path)

    monkeypatch.setattr(lock, "_is_there", gone_once)
    with one_writer(tmp_path / "t.csv"):
        assert len(asked) == 2
        assert f"process {os.getpid()} on " in (tmp_path / ".t.csv.lock").read_text(encoding="utf-8")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", [".t.csv.lock", "t.csv.part"])
def test_links_are_not_followed(name: str, tmp_path: Path) -> None:
    """A link where a file beside the table would stand is refused, and what it leads to is not touched."""
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    (tmp_path / name).symlink_to(victim)
    with pytest.raises(UsageError, match=r"is a link to another file|cannot be written"):
        run_sweep(march_sweep(), tmp_path / "t.csv", workers=1)
    assert victim.read_text(encoding="utf-8") == "precious"
    assert (tmp_path / name).is_symlink()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_files_of_others_beside_the_table_stay(suffix: str, tmp_path: Path) -> None:
    """What stands beside the table under any name that may be somebody's is left alone, and no file of ours stays."""
    table, others = tmp_path / f"t{suffix}", [tmp_path / f"t{suffix}.new", tmp_path / f".t{suffix}.new", tmp_path / f"t{suffix}.tmp"]
    for other in others:
        other.write_text("mine", encoding="utf-8")
    run_sweep(march_sweep(), table, workers=1)
    assert [other.read_text(encoding="utf-8") for other in others] == ["mine"] * 3
    assert set(tmp_path.iterdir()) == {table, *others}
    assert table.stat().st_mode & 0o777 == others[0].stat().st_mode & 0o777


def test_a_table_that_cannot_be_finished_leaves_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk is full at the end the rows are kept, and half a table is not."""
    what, table = march_sweep("units.A.profile.mood=0,4"), tmp_path / "t.csv"

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tabletop.exploring.export._write_csv", full)
        with pytest.raises(UsageError, match=r"t\.csv: cannot be written: No space left on device"):
            run_sweep(what, table, workers=1)
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv.part"]
    run_sweep(what, table, workers=1)
    assert len(list(read_rows(table))) == 2


KILLED = """
import os, signal, sys
from pathlib import Path
from tabletop import registry
from tabletop.exploring import running
from tabletop.exploring.varied import rows_of
from tabletop.exploring.explore import run_sweep
from tests.exploring.test_running import march_sweep

def killing(base, values):
    if values[0] == 5.0:
        os.kill(os.getppid(), signal.SIGKILL)
    return rows_of(base, values)

registry.BUILT_IN["drill"] = "tests.drill:SYSTEM"
running.rows_of, running.WORTH_WORKERS, running.CHUNK_SECONDS = killing, 0.0, 0.005
run_sweep(march_sweep(), Path(sys.argv[1]), workers=2)
"""


def test_a_killed_run_is_gone_on_with(tmp_path: Path) -> None:
    """A process that is killed while its workers work leaves what is done; the next one makes the table of a run without a stop."""
    what, table = march_sweep(), tmp_path / "t.csv"
    with started(KILLED, table) as process:
        assert process.wait(timeout=120) == -signal.SIGKILL
    assert not table.exists()
    counts: list[int] = []
    run_sweep(what, table, workers=1, done=counts.append)
    assert counts[0] > 0
    assert table.read_bytes() == serial(what, tmp_path)


def test_a_file_of_the_users_own_is_left_alone(tmp_path: Path) -> None:
    """What happens to be named as our note, and is none, is neither emptied nor removed; a link is not followed."""
    table, note = tmp_path / "t.csv", tmp_path / ".t.csv.lock"
    note.write_text("my own notes", "utf-8")
    with pytest.raises(UsageError, match=r"\.t\.csv\.lock is a file of yours"), one_writer(table):
        pass
    assert note.read_text("utf-8") == "my own notes"
    note.rename(tmp_path / "kept")
    note.symlink_to(tmp_path / "kept")
    with pytest.raises(UsageError, match=r"\.t\.csv\.lock is a link"), one_writer(table):
        pass
    assert (tmp_path / "kept").read_text("utf-8") == "my own notes"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_or_device_is_no_table(tmp_path: Path) -> None:
    """What has no end is not read to its end."""
    os.mkfifo(tmp_path / "t.csv")
    with pytest.raises(UsageError, match=r"t\.csv: expected the name of a file, this is a device or a pipe"):
        run_sweep(march_sweep(), tmp_path / "t.csv", workers=1)

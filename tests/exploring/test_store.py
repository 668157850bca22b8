"""What is left of a run: one writer at a time, nothing lost, nothing of others touched, damage told."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tabletop.cli import main
from tabletop.errors import TableError, UsageError
from tabletop.exploring import running
from tabletop.exploring.explore import run_sweep
from tabletop.exploring.running import Execution
from tabletop.exploring.store import ResultStore
from tabletop.exploring.varied import rows_of
from tests.exploring.tables import read_rows
from tests.exploring.test_running import march_sweep, serial

HOLDING = """
import sys, time
from pathlib import Path
from tabletop import registry
from tabletop.exploring.store import ResultStore
from tests.exploring.test_running import march_sweep

registry.BUILT_IN["drill"] = "tests.drill:SYSTEM"
what = march_sweep()
with ResultStore(Path(sys.argv[1]), what.base, what.grid):
    print("locked", flush=True)
    time.sleep(600)
"""
ORPHANING = """
import os, sys, time
from pathlib import Path
from tabletop.budget import Budget
from tabletop.exploring.running import pool_of
from tabletop.exploring.store import ResultStore
from tests.exploring.test_running import march_sweep

what = march_sweep()
with ResultStore(Path(sys.argv[1]), what.base, what.grid), pool_of(1, Budget()) as pool:
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""
EXPLORING = [
    "explore",
    "t9a/wheel-and-align",
    "--vary",
    "units.A.x=24:36:1",
    "--vary",
    "units.A.y=30:37:1",
]


@contextmanager
def started(program: str, table: Path) -> Iterator["subprocess.Popen[str]"]:
    """Start a program that writes a table; it is ended afterwards, also where an assertion has failed."""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(table)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def begun(table: Path) -> Path:
    """Begin the march and stop after four cases; give what is left of it."""
    what = march_sweep()
    with ResultStore(table, what.base, what.grid) as kept:
        kept.add(range(4), [rows_of(what.base, what.grid[number]) for number in range(4)])
    return table.with_name(table.name + ".part")


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    """While one process writes a table another is refused and touches nothing; once it has been killed nobody is."""
    what = march_sweep()
    table = tmp_path / "t.csv"
    with started(HOLDING, table) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "locked\n"
        before = sorted(tmp_path.iterdir())
        with pytest.raises(UsageError, match=r"t\.csv .*\bprocess\b"):
            run_sweep(what, table, Execution(1))
        assert sorted(tmp_path.iterdir()) == before
        process.kill()
    run_sweep(what, table, Execution(1))
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


def test_workers_that_are_left_over_keep_nobody_out(tmp_path: Path) -> None:
    """When the writer is killed its workers end too, and until then they hold no lock."""
    what = march_sweep()
    table = tmp_path / "t.csv"
    with started(ORPHANING, table) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.kill()
        process.wait()
    with ResultStore(table, what.base, what.grid) as kept:
        assert len(kept.missing) == 126
    for _ in range(100):
        if not _is_running(worker):
            break
        time.sleep(0.1)
    assert not _is_running(worker)


def _is_running(process: int) -> bool:
    status = Path(f"/proc/{process}/status")
    return status.exists() and "State:\tZ" not in status.read_text(encoding="utf-8")


def test_a_finished_table_needs_no_lock(tmp_path: Path) -> None:
    """It is only read, also while somebody has what would be left of a run of it."""
    what = march_sweep()
    before = serial(what, tmp_path)
    (tmp_path / "serial.csv.part").write_text("mine", encoding="utf-8")
    assert serial(what, tmp_path) == before
    assert (tmp_path / "serial.csv.part").read_text(encoding="utf-8") == "mine"


def test_a_table_that_is_finished_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who takes the lock when the other has just let it go finds the table that the other has made."""
    what = march_sweep()
    table = tmp_path / "serial.csv"
    whole = serial(what, tmp_path)
    table.unlink()
    recover = ResultStore._recover

    def late(kept: ResultStore) -> None:
        table.write_bytes(whole)
        recover(kept)

    monkeypatch.setattr(ResultStore, "_recover", late)
    with ResultStore(table, what.base, what.grid) as kept:
        assert not len(kept.missing)
    assert [file.name for file in tmp_path.iterdir()] == ["serial.csv"]


def test_a_database_that_is_removed_while_it_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of an owner that has just gone is none to write into: a new one is made."""
    what = march_sweep()
    part = tmp_path / "t.csv.part"
    asked = list[str]()
    has_changed = ResultStore._has_changed_hands

    def gone_once(kept: ResultStore) -> bool:
        asked.append("")
        if len(asked) == 1:
            part.unlink()
        return has_changed(kept)

    monkeypatch.setattr(ResultStore, "_has_changed_hands", gone_once)
    with ResultStore(tmp_path / "t.csv", what.base, what.grid):
        assert len(asked) == 2
        assert part.exists()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["t.csv.part", "t.csv.part-journal"])
def test_links_are_not_followed(name: str, tmp_path: Path) -> None:
    """A link where a file beside the table would stand is refused, and what it leads to is not touched."""
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    (tmp_path / name).symlink_to(victim)
    with pytest.raises(UsageError, match=rf"{re.escape(name)} .*\blink\b"):
        run_sweep(march_sweep(), tmp_path / "t.csv", Execution(1))
    assert victim.read_text(encoding="utf-8") == "precious"
    assert (tmp_path / name).is_symlink()


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_files_of_others_beside_the_table_stay(suffix: str, tmp_path: Path) -> None:
    """What stands beside the table under any name that may be somebody's is left alone, and no file of ours stays."""
    table = tmp_path / f"t{suffix}"
    others = [
        tmp_path / f"t{suffix}.new",
        tmp_path / f".t{suffix}.new",
        tmp_path / f"t{suffix}.tmp",
    ]
    for other in others:
        other.write_text("mine", encoding="utf-8")
    run_sweep(march_sweep(), table, Execution(1))
    assert [other.read_text(encoding="utf-8") for other in others] == ["mine"] * 3
    assert set(tmp_path.iterdir()) == {table, *others}
    assert table.stat().st_mode & 0o777 == others[0].stat().st_mode & 0o777


def test_a_table_that_cannot_be_finished_leaves_no_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the disk is full at the end the rows are kept, and half a table is not."""
    what = march_sweep("units.A.profile.mood=0,4")
    table = tmp_path / "t.csv"

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("tabletop.exploring.export._write_csv", full)
        with pytest.raises(UsageError, match=r"t\.csv: .*No space left on device"):
            run_sweep(what, table, Execution(1))
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv.part"]
    run_sweep(what, table, Execution(1))
    assert len(list(read_rows(table))) == 2


def test_a_disk_that_fills_up_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that find no room are told of, those before them are kept, and the same command goes on once there is
    room.
    """
    what = march_sweep()
    table = tmp_path / "t.csv"
    opened = ResultStore.__enter__

    def small(kept: ResultStore) -> ResultStore:
        opened(kept)
        kept._db.execute("PRAGMA max_page_count=5")
        return kept

    with monkeypatch.context() as patched:
        patched.setattr(ResultStore, "__enter__", small)
        patched.setattr(running, "CHUNK_SECONDS", 0.0)
        with pytest.raises(UsageError, match=r"t\.csv: .*database or disk is full"):
            run_sweep(what, table, Execution(1))
    counts: list[int] = []
    run_sweep(what, table, Execution(1, progress=counts.append))
    assert counts[0] > 0
    assert table.read_bytes() == serial(what, tmp_path)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("SQLITE_IOERR_LOCK", "disk I/O error"),
        ("SQLITE_PROTOCOL", "locking protocol"),
        ("SQLITE_CANTOPEN", "unable to open database file"),
    ],
)
def test_what_sqlite_says_is_told(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As of a folder elsewhere that is gone for a moment: what is kept stays as it is, and nothing new is left."""
    part = begun(tmp_path / "t.csv")
    before = part.read_bytes()

    def failing(_: ResultStore) -> None:
        error = sqlite3.OperationalError(reason)
        error.sqlite_errorname = name
        raise error

    monkeypatch.setattr(ResultStore, "_recover", failing)
    with pytest.raises(UsageError, match=rf"t\.csv: .*{reason}$"):
        run_sweep(march_sweep(), tmp_path / "t.csv", Execution(1))
    assert part.read_bytes() == before
    assert list(tmp_path.iterdir()) == [part]


def test_a_rest_that_may_only_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told before any work, and stays as it is."""
    part = begun(tmp_path / "t.csv")
    connect = sqlite3.connect
    before = part.read_bytes()
    monkeypatch.setattr(
        sqlite3, "connect", lambda path, **how: connect(f"file:{path}?mode=ro", uri=True, **how)
    )
    monkeypatch.setattr(running, "rows_of", None)
    with pytest.raises(UsageError, match=r"t\.csv: .*attempt to write a readonly database$"):
        run_sweep(march_sweep(), tmp_path / "t.csv", Execution(1))
    assert part.read_bytes() == before


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
running.rows_of, running.SECONDS_WORTH_WORKERS, running.CHUNK_SECONDS = killing, 0.0, 0.005
run_sweep(march_sweep(), Path(sys.argv[1]), running.Execution(2))
"""


def test_a_killed_run_is_gone_on_with(tmp_path: Path) -> None:
    """A process that is killed while its workers work leaves what is done; the next one makes the table of a run
    without a stop.
    """
    what = march_sweep()
    table = tmp_path / "t.csv"
    with started(KILLED, table) as process:
        assert process.wait(timeout=120) == -signal.SIGKILL
    assert not table.exists()
    counts: list[int] = []
    run_sweep(what, table, Execution(1, progress=counts.append))
    assert counts[0] > 0
    assert table.read_bytes() == serial(what, tmp_path)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_command_killed_at_any_moment_goes_on(workers: str, tmp_path: Path) -> None:
    """However often it is killed, each run finds what the one before had done, and in the end the table is that of a
    run without a stop.
    """
    table = tmp_path / "t.csv"
    whole = tmp_path / "whole.csv"
    command = [sys.executable, "-m", "tabletop", *EXPLORING, "--workers", workers, "-o"]
    kept = [0]
    for seconds in (1.1, 1.6, 1.3):
        with (
            subprocess.Popen([*command, str(table)], stdout=subprocess.DEVNULL) as process,
            suppress(subprocess.TimeoutExpired),
        ):
            process.wait(timeout=seconds)
        process.kill()
        kept.append(_count(table))
    assert kept == sorted(kept)
    for path in (table, whole):
        subprocess.run([*command, str(path)], check=True, stdout=subprocess.DEVNULL)
    assert table.read_bytes() == whole.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["t.csv", "whole.csv"]


def _count(table: Path) -> int:
    """Count the cases that are kept, those of a transaction that was not finished not among them."""
    part = table.with_name(table.name + ".part")
    if table.exists():
        return len(list(read_rows(table)))
    if not part.exists():
        return 0
    with sqlite3.connect(part) as database:
        is_begun = database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()[0]
        count = (
            database.execute('SELECT COUNT(DISTINCT "case") FROM answers').fetchone()[0]
            if is_begun
            else 0
        )
    database.close()
    return int(count)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("name", ["t.csv", "t.csv.part"])
def test_a_pipe_or_device_is_no_table(name: str, tmp_path: Path) -> None:
    """What has no end is not read to its end, and nothing is written into it."""
    os.mkfifo(tmp_path / name)
    with pytest.raises(UsageError, match=rf"{re.escape(name)}: .*\bpipe\b"):
        run_sweep(march_sweep(), tmp_path / "t.csv", Execution(1))


def _spoilt(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda part: part.write_bytes(change(part.read_bytes()))


def _executed(statement: str) -> Callable[[Path], None]:
    def change(part: Path) -> None:
        with sqlite3.connect(part) as database:
            database.execute(statement)
        database.close()

    return change


SPOILT: dict[str, Callable[[Path], object]] = {
    "cut off": _spoilt(lambda whole: whole[:5000]),
    "cut off in its head": _spoilt(lambda whole: whole[:60]),
    "a page of zeros": _spoilt(lambda whole: whole[:8192] + bytes(4096) + whole[12288:]),
    "a head of zeros": _spoilt(lambda whole: whole[:16] + bytes(84) + whole[100:]),
    "metrics that are none": _executed("UPDATE answers SET metrics = '{'"),
}


@pytest.mark.parametrize("change", SPOILT.values(), ids=SPOILT)
def test_what_is_left_of_a_run_and_damaged(
    change: Callable[[Path], object], tmp_path: Path
) -> None:
    """The file is named with what to do, and stays as it is."""
    part = begun(tmp_path / "t.csv")
    change(part)
    before = part.read_bytes()
    with pytest.raises(TableError, match=r"t\.csv\.part .*\bdamaged\b"):
        run_sweep(march_sweep(), tmp_path / "t.csv", Execution(1))
    assert len(part.read_bytes()) >= len(before)
    assert not (tmp_path / "t.csv").exists()


def _another(part: Path) -> None:
    part.unlink()
    _executed("CREATE TABLE mine (text)")(part)


OTHERS: dict[str, Callable[[Path], object]] = {
    "lines of an earlier version": _spoilt(
        lambda _: b'[{"key":"00","charge":0,"outcome":"success"}]\n'
    ),
    "another database": _another,
    "a database that lacks a table": _executed("DROP TABLE run"),
    "another run": _executed("UPDATE run SET identity = 'z'"),
    "another table of runs": _executed("ALTER TABLE run ADD COLUMN mine"),
    "another table beside": _executed("CREATE TABLE mine (text)"),
}


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_what_is_left_of_something_else(
    change: Callable[[Path], object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused and stays as it is, byte for byte; the command says so and ends with 2."""
    part = begun(tmp_path / "t.csv")
    change(part)
    before = part.read_bytes()
    with pytest.raises(UsageError, match=r"t\.csv\.part .*scenario") as told:
        run_sweep(march_sweep(), tmp_path / "t.csv", Execution(1))
    assert not isinstance(told.value, TableError)
    assert part.read_bytes() == before
    assert (
        main(
            [
                "explore",
                "drill/march",
                "--vary",
                "rules.halt=late",
                "--dice",
                "3",
                "-o",
                str(tmp_path / "t.csv"),
            ]
        )
        == 2
    )
    assert re.search(r"t\.csv\.part .*scenario", capsys.readouterr().err)
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv.part"]


@pytest.mark.parametrize(
    "name",
    [
        "a.part.csv",
        "with space %41?#&.csv",
        "file:x?mode=ro.csv",
        "ünï\u2028\n'\".csv",
        ":memory:.csv",
    ],
)
def test_names_of_tables(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a table or its folder is called, also as a path from here, its rest stands beside it and is found
    again.
    """
    folder = tmp_path / name
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert begun(Path(name)).exists()
    counts: list[int] = []
    run_sweep(march_sweep(), folder / name, Execution(1, progress=counts.append))
    assert counts[0] == 4
    assert [file.name for file in folder.iterdir()] == [name]
    assert (folder / name).read_bytes() == serial(march_sweep(), tmp_path)


def test_values_of_all_kinds_come_back_as_they_were(tmp_path: Path) -> None:
    """Floats to the last bit, huge numbers, hostile names: a table made of what was left of a run is that of one that
    was not stopped.
    """
    what = march_sweep("units.A.profile.pace=0,1,2")
    names = [
        "quote'\"",
        "comma,\nline",
        "nul\0",
        "ünïcode \U0001f3b2",
        "metrics.x",
        "$.a[0]",
        "",
        "case",
    ]
    numbers = [
        0.1 + 0.2,
        -0.0,
        5e-324,
        1.7976931348623157e308,
        float("inf"),
        -float("inf"),
        2**70,
        True,
        None,
        "x",
        "007",
    ]
    rows = [
        [
            {
                "charge": 0,
                "charger": f"A{name}",
                "outcome": "success",
                "rule": name or None,
                "shortest_roll": 2**53 + 1,
                "chance": 1 / 3,
                "margin": numbers[count],
                "metrics": {f"{name}{place}": number for place, number in enumerate(numbers)}
                | {"list": [1], "table": {"a": 1}},
                "places": {f"units.{name}.x": 1e-7 / 3},
            }
        ]
        for count, name in enumerate(names[:3])
    ]
    for file, stops in (("one.csv", [3]), ("two.csv", [1, 2, 3])):
        begin = 0
        for stop in stops:
            with ResultStore(tmp_path / file, what.base, what.grid) as kept:
                kept.add(range(begin, stop), rows[begin:stop])
                begin = stop
                if stop == 3:
                    kept.finish()
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()
    told = list(read_rows(tmp_path / "one.csv"))
    assert [row["margin"] for row in told] == ["0.30000000000000004", "-0.0", "5e-324"]
    assert [row["metrics.quote'\"6"] for row in told] == [str(2**70), None, None]
    assert [row["charger"] for row in told] == [f"A{name}" for name in names[:3]]
    survey = run_sweep(what, tmp_path / "one.csv", Execution(1))
    assert survey.column("margin").tolist() == numbers[:3]
    assert survey.column("rule").tolist() == names[:3]

"""Results on disk: the same table however the work was done, and whatever happened on the way."""

import csv
import os
import re
import signal
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tabletop
from tabletop.errors import NoVerdictError, TableError, UsageError
from tabletop.exploring import running
from tabletop.exploring.explore import Sweep, explore, run_sweep
from tabletop.exploring.grid import Axis, Grid, grid_of
from tabletop.exploring.running import Execution
from tabletop.exploring.store import ResultStore
from tabletop.exploring.varied import VariedScenario, rows_of
from tests.drill.files import march, march_json
from tests.exploring.tables import read_rows

VARY = ("units.A.profile.pace=0:10:0.5", "charges.0.dice.0=1,2,3,4,5,6")


def march_sweep(*vary: str, **changes: Any) -> Sweep:
    """Vary the drill's march."""
    tables = march({"charges/0/dice": [3], **changes})
    grid = grid_of(vary or VARY, tables, step=1.0)
    return Sweep(VariedScenario(tables, grid.keys), grid, tables)


def serial(what: Sweep, folder: Path) -> bytes:
    """Return the table that one process makes."""
    table = folder / "serial.csv"
    run_sweep(what, table, Execution(1))
    return table.read_bytes()


def missing(what: Sweep, table: Path) -> int:
    """Count the cases that are not done."""
    with ResultStore(table, what.base, what.grid) as store:
        return len(store.missing)


def test_a_table_holds_every_case(tmp_path: Path) -> None:
    """One row for each case in the order of the grid, with the values varied, the answer and the metrics."""
    what = march_sweep()
    serial(what, tmp_path)
    with (tmp_path / "serial.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(what.grid) == 126
    assert [
        (float(row["units.A.profile.pace"]), int(row["charges.0.dice.0"])) for row in rows
    ] == list(what.grid)
    assert {row["outcome"] for row in rows} == {"success", "failed"}
    assert all(
        float(row["metrics.reach"])
        == float(row["units.A.profile.pace"]) + int(row["charges.0.dice.0"]) + 1
        for row in rows
    )
    assert len({row["key"] for row in rows}) == 126


def test_cases_that_cannot_be_are_rows_too(tmp_path: Path) -> None:
    """A value out of range is `invalid` with the reason, a case not modelled `no_verdict`; neither stops the others."""
    what = march_sweep("units.A.profile.mood=0,4,10")
    serial(what, tmp_path)
    rows = list(read_rows(tmp_path / "serial.csv"))
    assert [row["outcome"] for row in rows] == ["success", "no_verdict", "invalid"]
    assert re.search(r"mood: .*\b9\b.*\b10\b", str(rows[2]["rule"]))


def test_a_charge_that_may_not_be_declared_leaves_its_dice() -> None:
    """Faces given for all cases fit one that is refused, and not one that rolls and leaves some."""
    turned = ["units.A.facing_deg=325,145"]
    case = tabletop.case("t9a/wheel-and-align")
    assert sorted(tabletop.explore(case, turned, dice=[4], workers=1).column("outcome")) == [
        "not_allowed",
        "success",
    ]
    assert sorted(tabletop.explore(case, turned, dice=[4, 4], workers=1).column("outcome")) == [
        "invalid",
        "not_allowed",
    ]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_workers_make_the_same_table(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes, with results in any order, leave the same bytes as one."""
    monkeypatch.setattr(running, "SECONDS_WORTH_WORKERS", 0.0)
    monkeypatch.setattr(running, "CHUNK_SECONDS", 0.005)
    one = tmp_path / f"one{suffix}"
    two = tmp_path / f"two{suffix}"
    run_sweep(march_sweep(), one, Execution(1))
    run_sweep(march_sweep(), two, Execution(2))
    assert one.read_bytes() == two.read_bytes()
    assert not list(tmp_path.glob("*.part"))


def test_parquet_keeps_kinds(tmp_path: Path) -> None:
    """Numbers come back as numbers, what is missing as nothing."""
    run_sweep(march_sweep("units.A.profile.mood=0,4"), tmp_path / "t.parquet", Execution(1))
    first, second = read_rows(tmp_path / "t.parquet")
    assert (first["units.A.profile.mood"], first["chance"], first["shortest_roll"]) == (0, 0.5, 3)
    assert (second["outcome"], second["chance"], second["metrics.reach"]) == (
        "no_verdict",
        None,
        None,
    )


def test_stopped_and_started_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done is not done again; then the table is that of a run without a stop."""
    what = march_sweep()
    table = tmp_path / "t.csv"
    asked: list[int] = []

    def stopping(base: VariedScenario, values: tuple[Any, ...]) -> Any:
        if len(asked) == 40:
            raise KeyboardInterrupt
        asked.append(1)
        return rows_of(base, values)

    monkeypatch.setattr(running, "CHUNK_SECONDS", 0.0)
    monkeypatch.setattr(running, "rows_of", stopping)
    with pytest.raises(KeyboardInterrupt):
        run_sweep(what, table, Execution(1))
    assert missing(what, table) == 126 - 40
    monkeypatch.setattr(running, "rows_of", rows_of)
    counts: list[int] = []
    run_sweep(what, table, Execution(1, progress=counts.append))
    assert (counts[0], sum(counts)) == (40, 126)
    assert table.read_bytes() == serial(what, tmp_path)


def test_a_finished_table_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking again does no work at all."""
    what = march_sweep()
    before = serial(what, tmp_path)
    stamp = (tmp_path / "serial.csv").stat().st_mtime_ns

    def nothing(*_: Any) -> Any:
        raise AssertionError("work is done twice")

    monkeypatch.setattr(running, "rows_of", nothing)
    assert serial(what, tmp_path) == before
    assert (tmp_path / "serial.csv").stat().st_mtime_ns == stamp


@pytest.mark.parametrize(
    ("left", "message"),
    [
        ("table", r"serial\.csv .*scenario.*\bline 2\b"),
        ("part", r"serial\.csv\.part .*scenario"),
        ("words", r"serial\.csv .*'key'"),
    ],
)
def test_results_of_something_else_are_not_touched(tmp_path: Path, left: str, message: str) -> None:
    """A table or the rest of a run of another scenario, and a file that is no table, are refused and stay as they
    are.
    """
    file = tmp_path / ("serial.csv.part" if left == "part" else "serial.csv")
    if left == "words":
        file.write_text("hello\nworld\n", encoding="utf-8")
    else:
        serial(march_sweep(**{"units/A/at": [30.0, 12.0]}), tmp_path)
        if left == "part":
            (tmp_path / "serial.csv").unlink()
            other = march_sweep(**{"units/A/at": [1.0, 2.0]})
            with ResultStore(tmp_path / "serial.csv", other.base, other.grid) as store:
                store.add([0], [rows_of(other.base, other.grid[0])])
    before = file.read_bytes()
    with pytest.raises(UsageError, match=message):
        run_sweep(march_sweep(), tmp_path / "serial.csv", Execution(1))
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda whole: whole[:-30], r"serial\.csv .*\bcut\b"),
        (lambda whole: whole[:0], r"serial\.csv .*\bempty\b"),
        (lambda whole: whole.replace(b",A,", b","), r"serial\.csv .*\bline 2\b.*\bcolumns\b"),
        (
            lambda whole: whole.replace(b"charger", b"wizard").replace(b"charge,", b"charm,"),
            r"serial\.csv .*'charge'",
        ),
        (lambda whole: whole.replace(b"\n", b"\nz", 1), r"serial\.csv .*scenario.*\bline 2\b"),
        (lambda whole: whole + b"\xff\n", r"serial\.csv .*utf-8.*\b0xff\b"),
    ],
)
def test_a_damaged_table_is_not_read(
    tmp_path: Path, damage: Callable[[bytes], bytes], message: str
) -> None:
    """A table that is not whole, or that something else has written to, is refused and stays as it is."""
    what = march_sweep("units.A.profile.mood=0,4")
    table = tmp_path / "serial.csv"
    whole = damage(serial(what, tmp_path))
    table.write_bytes(whole)
    with pytest.raises(UsageError, match=message):
        run_sweep(what, table, Execution(1))
    assert table.read_bytes() == whole


@pytest.mark.parametrize("size", [0, 3, 400])
def test_a_cut_off_parquet_table_is_not_read(tmp_path: Path, size: int) -> None:
    """The same of Parquet, whose end tells what it holds."""
    what = march_sweep("units.A.profile.mood=0,4")
    table = tmp_path / "t.parquet"
    run_sweep(what, table, Execution(1))
    table.write_bytes(whole := table.read_bytes()[:size])
    with pytest.raises(TableError, match=r"t\.parquet "):
        run_sweep(what, table, Execution(1))
    assert table.read_bytes() == whole


@pytest.mark.parametrize(
    "line",
    ["junk\n", "[]\n", '[{"key": 5}]\n', '[{"key": "zz", "charge": 0}]\n', '{"a": 1}\n', "cut off"],
)
def test_the_rest_of_something_else_is_not_touched(tmp_path: Path, line: str) -> None:
    """A file where the rest of a run would stand that is none is refused and stays as it is, whether its last line is
    whole or not.
    """
    part = tmp_path / "t.csv.part"
    part.write_text(line, encoding="utf-8")
    with pytest.raises(UsageError, match=r"t\.csv\.part .*scenario"):
        run_sweep(march_sweep(), tmp_path / "t.csv", Execution(1))
    assert part.read_text(encoding="utf-8") == line


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A folder that is not there, or one in the table's place, is told before any work."""
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "t.csv.part").mkdir()
    for name, message in (
        ("no/t.csv", r"no/t\.csv: .*No such"),
        ("t.csv", r"t\.csv: .*Is a directory"),
        ("folder.csv", r"folder\.csv .*Is a directory"),
    ):
        with pytest.raises(UsageError, match=message):
            run_sweep(march_sweep(), tmp_path / name, Execution(1))


def test_more_cases_than_memory_holds(tmp_path: Path) -> None:
    """A grid that is wanted although it is too large is refused with its count."""
    grid = grid_of(["units.A.profile.pace=1:1000000000:1", "b=1:100000:1"], march(), step=1.0)
    store = ResultStore(tmp_path / "t.csv", VariedScenario(march(), grid.keys), grid)
    with pytest.raises(UsageError, match=r"\b100,000,000,000,000\b"), store:
        pass


def test_nothing_to_resolve(tmp_path: Path) -> None:
    """A file without charges has no cases."""
    file = tmp_path / "march.json"
    file.write_text(march_json({"charges": []}), encoding="utf-8")
    with pytest.raises(UsageError, match=r"\[\[charges\]\]"):
        explore(file, ["units.A.profile.pace=1,2"])


def test_a_table_must_be_one_that_can_be_written(tmp_path: Path) -> None:
    """Another ending is refused before any work."""
    with pytest.raises(UsageError, match=r"t\.xlsx: .*\.csv .*\.parquet"):
        run_sweep(march_sweep(), tmp_path / "t.xlsx", Execution(1))


def _dying(base: VariedScenario, values: tuple[Any, ...]) -> Any:
    """Kill the process once; the mark is a file."""
    mark = Path(base.tables["note"])
    if values[0] == 5.0 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return rows_of(base, values)


def test_a_worker_that_dies_costs_its_chunk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cases are resolved by others, and the table is the same."""
    what = march_sweep(note=str(tmp_path / "died"))
    monkeypatch.setattr(running, "rows_of", _dying)
    monkeypatch.setattr(running, "SECONDS_WORTH_WORKERS", 0.0)
    monkeypatch.setattr(running, "CHUNK_SECONDS", 0.005)
    run_sweep(what, tmp_path / "t.csv", Execution(2))
    monkeypatch.setattr(running, "rows_of", rows_of)
    assert (tmp_path / "died").exists()
    assert (tmp_path / "t.csv").read_bytes() == serial(what, tmp_path)


class _Refusing(ProcessPoolExecutor):
    """A pool that is found broken when work is handed to it, once."""

    refused = False

    def submit(self, *args: Any, **kwargs: Any) -> Any:
        if not _Refusing.refused:
            _Refusing.refused = True
            raise BrokenProcessPool
        return super().submit(*args, **kwargs)


def test_no_case_is_lost_when_a_worker_dies_between_chunks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a broken pool does not take is given to the next."""
    what = march_sweep()
    monkeypatch.setattr(running, "ProcessPoolExecutor", _Refusing)
    monkeypatch.setattr(running, "SECONDS_WORTH_WORKERS", 0.0)
    run_sweep(what, tmp_path / "t.csv", Execution(2))
    assert _Refusing.refused
    assert (tmp_path / "t.csv").read_bytes() == serial(what, tmp_path)


def _always_dying(base: VariedScenario, values: tuple[Any, ...]) -> Any:
    if values == (5.0, 3):
        os.kill(os.getpid(), signal.SIGKILL)
    return rows_of(base, values)


def test_a_case_that_ends_every_worker_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is given up after a few workers; what is done stays."""
    what = march_sweep()
    monkeypatch.setattr(running, "rows_of", _always_dying)
    monkeypatch.setattr(running, "SECONDS_WORTH_WORKERS", 0.0)
    with pytest.raises(NoVerdictError, match=r"\bcase 62\b.*\b3\b"):
        run_sweep(what, tmp_path / "t.csv", Execution(2))
    assert missing(what, tmp_path / "t.csv") < 126


def test_explore_gives_labelled_arrays() -> None:
    """From Python: arrays with a dimension for each key, nothing left on disk."""
    survey = explore(
        "drill/march", ["units.A.profile.pace=0:10:5", "rules.halt=early,late"], workers=1, dice=[1]
    )
    assert survey.shape == (3, 2)
    assert survey.axes["rules.halt"].tolist() == ["early", "late"]
    assert survey.column("metrics.reach").tolist() == [[2, 2], [7, 7], [12, 12]]
    assert np.isnan(survey.column("margin")).sum() == 0
    with pytest.raises(UsageError, match=r"'chanse'.*did you mean 'chance'"):
        survey.column("chanse")


def test_unknown_keys_are_refused_at_once() -> None:
    """A key that no scenario has is named with the nearest valid one, before any case is resolved."""
    with pytest.raises(UsageError, match=r"--vary units\.A\.profile\.pase: .*did you mean 'pace'"):
        explore("drill/march", ["units.A.profile.pase=1,2"])


def test_an_unreachable_scheduler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address where nobody answers is told as such, and nothing is left behind."""
    import distributed

    def refusing(*_: Any, **__: Any) -> Any:
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", refusing)
    what = march_sweep()
    with pytest.raises(UsageError, match=r"--scheduler tcp://nowhere:1: .*timed out"):
        run_sweep(what, tmp_path / "t.csv", Execution(scheduler="tcp://nowhere:1"))
    assert not list(tmp_path.iterdir())


def test_results_are_streamed(tmp_path: Path) -> None:
    """Of each case on disk hardly more than three numbers stay in memory: ten million cases take less than a
    gigabyte.
    """
    count = 15_000
    row = {
        "charge": 0,
        "charger": "A",
        "outcome": "success",
        "chance": 0.5,
        "metrics": {"reach": 3.0},
    }
    grid = Grid((Axis("a", range(count // 100)), Axis("b", range(100))))
    base = VariedScenario({}, grid.keys)
    tracemalloc.start()
    with ResultStore(tmp_path / "many.csv", base, grid) as store:
        for first in range(0, count, 3000):
            store.add(range(first, first + 3000), ([row] for _ in range(3000)))
        store.finish()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 1_000_000 + 60 * count

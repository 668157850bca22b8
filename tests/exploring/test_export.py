"""Tables that others have touched: rows are known by their keys, and what is damaged is named with its line."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.cli import main
from tabletop.errors import TableError, UsageError
from tabletop.exploring.explore import Sweep, explore, run_sweep
from tabletop.exploring.grid import grid_of
from tabletop.exploring.running import Execution
from tabletop.exploring.varied import VariedScenario
from tests.drill.files import march, march_json
from tests.exploring.tables import read_rows

Rows = list[dict[str, Any]]
VARY = ("units.A.profile.pace=0:10:0.5", "charges.0.dice.0=1,2,3")
VARY_KEY = "units.A.profile.pace"
CHARGES = [
    {"charger": "A", "targets": ["B"], "dice": [3]},
    {"charger": "A", "targets": ["B"], "dice": [4]},
]


def varied(*vary: str, **changes: Any) -> Sweep:
    """Vary the drill's march, of two charges."""
    tables = march({"charges": CHARGES, **changes})
    grid = grid_of(vary or VARY, tables, step=1.0)
    return Sweep(VariedScenario(tables, grid.keys), grid, tables)


def rewritten(table: Path, change: Callable[[Rows], Rows]) -> None:
    """Read a table, change its rows, and write it as a spreadsheet does: with a mark at its beginning, and other ends
    of lines.
    """
    with table.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    with table.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(change(rows))


SOUND: dict[str, Callable[[Rows], Rows]] = {
    "untouched": lambda rows: rows,
    "upside down": lambda rows: rows[::-1],
    "sorted": lambda rows: sorted(
        rows, key=lambda row: (row["outcome"], float(row["metrics.reach"] or 0))
    ),
    "all doubled": lambda rows: rows + rows,
    "one doubled": lambda rows: [*rows[:7], rows[3], *rows[7:]],
}


@pytest.mark.parametrize("change", SOUND.values(), ids=SOUND)
@pytest.mark.parametrize("charge", [0, 1])
def test_rows_are_known_by_their_keys(
    change: Callable[[Rows], Rows], charge: int, tmp_path: Path
) -> None:
    """Whatever order the rows of a finished table are in, and however often they stand there, every case has its own
    answer.
    """
    what = varied()
    table = tmp_path / "t.csv"
    first = run_sweep(what, table, Execution(1), charge=charge)
    rewritten(table, change)
    again = run_sweep(what, table, Execution(1), charge=charge)
    assert set(again.values) == set(first.values)
    for name in first.values:
        np.testing.assert_array_equal(again.column(name), first.column(name))


def test_a_sorted_table_makes_the_same_map(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The summary of the command, and the arrays of Python, are those of the table as it was written."""
    table = tmp_path / "t.csv"
    file = tmp_path / "march.json"
    file.write_text(march_json({"charges/0/dice": [3]}), encoding="utf-8")
    arguments = [
        "explore",
        str(file),
        "--vary",
        VARY[0],
        "-o",
        str(table),
        "--workers",
        "1",
        "--json",
    ]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    survey = explore(file, VARY[:1], out=table, workers=1)
    rewritten(table, SOUND["sorted"])
    assert main(arguments) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(said)
    np.testing.assert_array_equal(
        explore(file, VARY[:1], out=table).column("metrics.reach"), survey.column("metrics.reach")
    )


def test_values_given_twice(tmp_path: Path) -> None:
    """Two cases of the same values have the same key, and both their answer, also of a table in another order."""
    what = varied("units.A.profile.pace=0,2,2,0,1")
    table = tmp_path / "t.csv"
    assert run_sweep(what, table, Execution(1)).column("metrics.reach").tolist() == [
        4.0,
        6.0,
        6.0,
        4.0,
        5.0,
    ]
    rewritten(table, SOUND["upside down"])
    assert run_sweep(what, table, Execution(1)).column("metrics.reach").tolist() == [
        4.0,
        6.0,
        6.0,
        4.0,
        5.0,
    ]


def _with(place: int, **values: str) -> Callable[[Rows], Rows]:
    return lambda rows: [*rows[:place], {**rows[place], **values}, *rows[place + 1 :]]


LACKING = r"t\.csv .*\b1 .*\b63\b"
DAMAGED: dict[str, tuple[Callable[[Rows], Rows], str]] = {
    "a key of nothing": (_with(4, key="0" * 32), r"t\.csv .*scenario.*\bline 6\b"),
    "a key turned into a number": (_with(4, key="1.2E+31"), r"t\.csv .*scenario.*\bline 6\b"),
    "a charge that is none": (_with(2, charge="two"), r"t\.csv .*\bline 4: 'two' .*\bcharge\b"),
    "a charge far off": (_with(2, charge="99999"), r"\bline 4: '99999' .*\bcharge\b"),
    "an outcome that is none": (_with(0, outcome="succes"), r"\bline 2: 'succes' .*\boutcome\b"),
    "a chance that is none": (_with(1, chance="0,5"), r"\bline 3: '0,5' .*\bchance\b"),
    "a chance beyond certainty": (_with(1, chance="50"), r"\bline 3: '50' .*\bchance\b"),
    "a roll that is none": (_with(1, shortest_roll="nan"), r"\bline 3: 'nan' .*\broll\b"),
    "a case that is gone": (lambda rows: rows[2:], LACKING),
    "a charge that is gone": (
        lambda rows: [*rows[:5], *rows[6:]],
        r"t\.csv.*\bline 6\b.*\bcharges\b",
    ),
    "another charge that is gone": (lambda rows: rows[1:], r"t\.csv.*\bline 2\b.*\bcharges\b"),
    "half a roll": (_with(1, shortest_roll="1.5"), r"\bline 3: '1\.5' .*\broll\b"),
    "a roll beyond all numbers": (_with(1, shortest_roll="1e300"), r"\bline 3: '1e300' .*\broll\b"),
    "a chance of words": (_with(1, chance="abc"), r"\bline 3: 'abc' .*\bchance\b"),
    "a chance written for Python": (_with(1, chance="0_0"), r"\bline 3: '0_0' .*\bchance\b"),
    "a proof that is none": (_with(1, proof="exakt"), r"\bline 3: 'exakt' .*\bproof\b"),
    "a margin that is none": (_with(1, margin="wide"), r"\bline 3: 'wide' .*\bmargin\b"),
    "an outcome that is gone": (_with(0, outcome=""), r"\bline 2: '' .*\boutcome\b"),
    "two answers": (
        lambda rows: [*rows, {**rows[3], "outcome": "failed", "chance": "0.0"}],
        r"t\.csv.*\bline 128\b.*\bline 5\b",
    ),
}


@pytest.mark.parametrize(("change", "message"), DAMAGED.values(), ids=DAMAGED)
def test_what_is_damaged_is_named(
    change: Callable[[Rows], Rows], message: str, tmp_path: Path
) -> None:
    """The line where it shows is told, and the table stays as it is."""
    what = varied()
    table = tmp_path / "t.csv"
    run_sweep(what, table, Execution(1))
    rewritten(table, change)
    before = table.read_bytes()
    with pytest.raises(UsageError, match=message) as told:
        run_sweep(what, table, Execution(1))
    assert isinstance(told.value, TableError) != (message == LACKING)
    assert table.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["t.csv"]


def test_what_spreadsheets_make_of_numbers(tmp_path: Path) -> None:
    """Fractions that became dates, numbers without their zeros, and words in capitals are sound."""
    what = varied()
    table = tmp_path / "t.csv"
    run_sweep(what, table, Execution(1))
    dates = ("01. Feb", "2-Jan", "Jan 02", "01/02/2026", "02.01.2026")
    pace = ("0", "0.00", "0")

    def change(rows: Rows) -> Rows:
        changed = [{**row, "chance_fraction": date} for row, date in zip(rows, dates, strict=False)]
        return (
            [{**row, VARY_KEY: zero} for row, zero in zip(changed, pace, strict=False)]
            + changed[3:]
            + rows[5:]
        )

    rewritten(table, change)
    run_sweep(what, table, Execution(1))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("chance", [True]),
        ("chance", ["abc"]),
        ("chance", [[0.5]]),
        ("margin", [b"1"]),
        ("shortest_roll", [1.5]),
        ("charge", [None]),
    ],
)
def test_cells_of_another_kind_in_parquet(
    name: str, values: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever a column holds, it is a damaged table, told with its row, and no bug."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = tmp_path / "t.parquet"
    vary = ["--vary", "rules.halt=early", "--dice", "3", "-o", str(tmp_path / "t.parquet")]
    assert main(["explore", "drill/march", *vary, "--workers", "1"]) == 0
    whole = pq.read_table(table)
    pq.write_table(whole.set_column(whole.column_names.index(name), name, pa.array(values)), table)
    assert main(["explore", "drill/march", *vary]) == 3
    assert re.search(
        rf"{re.escape(str(table))}\b.*\brow 1: .*\b{name.removeprefix('shortest_')}\b",
        capsys.readouterr().err,
    )


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (
            lambda text: text.replace(",success,", ",succes,", 1),
            3,
            r"t\.csv .*\bline 2: 'succes' .*\boutcome\b",
        ),
        (lambda text: text[:-20], 3, r"t\.csv .*\bcut\b"),
        (
            lambda text: text.replace(",0.5,", ",0\0.5,", 1),
            3,
            r"t\.csv .*\bline 2: '0\\x00\.5' .*\bchance\b",
        ),
        (lambda text: text[text.index("\n") :], 3, r"t\.csv .*'key'"),
    ],
)
def test_damage_ends_with_3(
    change: Callable[[str], str],
    code: int,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A damaged table is as bad as a damaged scenario; the file is named, and the line."""
    table = tmp_path / "t.csv"
    arguments = [
        "explore",
        "drill/march",
        "--vary",
        "rules.halt=early,late",
        "--dice",
        "3",
        "-o",
        str(table),
        "--workers",
        "1",
    ]
    assert main(arguments) == 0
    table.write_text(change(table.read_text("utf-8")), encoding="utf-8")
    assert main(arguments) == code
    assert re.search(message, capsys.readouterr().err)


def test_two_columns_of_a_name(tmp_path: Path) -> None:
    """It cannot be told which of them counts."""
    what = varied()
    table = tmp_path / "t.csv"
    run_sweep(what, table, Execution(1))
    table.write_bytes(table.read_bytes().replace(b"charge,charger,", b"charge,charge,", 1))
    with pytest.raises(UsageError, match=r"t\.csv .*\btwo\b.*'charge'"):
        run_sweep(what, table, Execution(1))


def test_a_damaged_row_of_parquet_is_named(tmp_path: Path) -> None:
    """Parquet has no lines: its rows are counted."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    what = varied()
    table = tmp_path / "t.parquet"
    run_sweep(what, table, Execution(1))
    rows = pq.read_table(table).to_pylist()
    pq.write_table(pa.Table.from_pylist(rows[::-1]), table)
    reach = run_sweep(what, table, Execution(1)).column("metrics.reach")
    assert reach.ravel().tolist() == [row["metrics.reach"] for row in rows[::2]]
    rows[6]["chance"] = 7.0
    pq.write_table(pa.Table.from_pylist(rows), table)
    with pytest.raises(UsageError, match=r"t\.parquet .*\brow 7: 7\.0 .*\bchance\b"):
        run_sweep(what, table, Execution(1))


def test_cases_without_answer_need_one_row_only(tmp_path: Path) -> None:
    """An invalid case stands in one row for all of its charges, beside others that have one for each."""
    what = varied("units.A.profile.mood=0,4,10")
    table = tmp_path / "t.csv"
    run_sweep(what, table, Execution(1))
    assert [row["outcome"] for row in read_rows(table)] == [
        "success",
        "success",
        "no_verdict",
        "invalid",
    ]
    run_sweep(what, table, Execution(1))

"""Maps of threat: chances told at many places at once are those that `resolve` gives place by place."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from systems.t9a.threat import chance_map
from tabletop.errors import UsageError
from tabletop.exploring import threats, varied
from tabletop.exploring.explore import explore
from tabletop.exploring.questions import Name, Question, asked
from tabletop.exploring.running import Execution
from tabletop.exploring.varied import ANSWER, VariedScenario, rows_of
from tabletop.ruling.odds import ChanceMap
from tabletop.scenario.reading import read_tables
from tests.exploring.tables import random_table, read_rows

STEP = 4.0
COLUMNS = ("chance", "shortest_roll")


def table_file(folder: Path, number: int, **changes: Any) -> Path:
    """Write a crowded random table with some of A's keys changed."""
    table = random_table(number, bodies=8, board=(40.0, 32.0))
    table["units"]["A"] |= changes
    file = folder / f"{number}.json"
    file.write_text(json.dumps(table), encoding="utf-8")
    return file


def assert_same(first: Any, second: Any) -> None:
    """Compare two maps number by number, what is missing included."""
    assert list(first.axes) == list(second.axes)
    for column in COLUMNS:
        np.testing.assert_array_equal(first.column(column), second.column(column), err_msg=column)


@pytest.mark.parametrize("number", range(4))
def test_a_map_is_what_resolving_gives(tmp_path: Path, number: int) -> None:
    """On random tables of all readings, dice, flyers and skirmishers, every place has the same chance and shortest
    roll.
    """
    file = table_file(tmp_path, number)
    question = Question("threat", step=STEP)
    assert_same(
        explore(file, question=question, workers=1),
        explore(file, question=question, workers=1, full=True),
    )


@pytest.mark.oracle
@pytest.mark.parametrize("number", range(100, 130))
def test_fine_maps_are_what_resolving_gives(tmp_path: Path, number: int) -> None:
    """The same of many more tables with places close together."""
    file = table_file(tmp_path, number)
    question = Question("threat", step=1.0)
    assert_same(
        explore(file, question=question, workers=2),
        explore(file, question=question, workers=2, full=True),
    )


def test_a_facing_that_is_met_by_one_wheel_alone(tmp_path: Path) -> None:
    """Where corners do not count, a narrow facing is met by the very wheel that brings the front flush, and by none
    beside it.
    """
    base, grid = asked(
        Question("threat", step=1.0), VariedScenario(read_tables(table_file(tmp_path, 101)), ())
    )
    case = base.case(grid[273])
    (row,) = rows_of(base, grid[273])
    pose = case.state.units["T"].pose
    found = chance_map(case, np.array([[pose.x, pose.y, pose.heading]]))
    assert row["outcome"] == "success"
    assert found.chance.tolist() == [row["chance"]]


@pytest.mark.parametrize("status", ["engaged", "shaken", "charging"])
def test_who_may_not_charge_threatens_nobody(tmp_path: Path, status: str) -> None:
    """A charger that is engaged or shaken or has declared a charge has no chance anywhere."""
    survey = explore(
        table_file(tmp_path, 0, status=[status]), question=Question("threat", step=STEP), workers=1
    )
    known = survey.column("chance")[~np.isnan(survey.column("chance"))]
    assert len(known)
    assert not known.any()


def test_best_facings_of_a_map(tmp_path: Path) -> None:
    """With several facings each place keeps the one with the greatest chance."""
    file = table_file(tmp_path, 1)
    question = Question("threat", step=8.0, facings=3)
    fast, full = (explore(file, question=question, workers=1, full=full) for full in (False, True))
    assert_same(fast, full)
    np.testing.assert_array_equal(
        fast.column("units.T.facing_deg"), full.column("units.T.facing_deg")
    )


def test_who_is_safe_where(tmp_path: Path) -> None:
    """The greatest chance of all enemies, and whose it is, are those of resolving everything."""
    file = table_file(tmp_path, 2)
    question = Question("safe", step=8.0)
    fast, full = (explore(file, question=question, workers=1, full=full) for full in (False, True))
    assert_same(fast, full)
    np.testing.assert_array_equal(
        fast.column("charges.0.charger"), full.column("charges.0.charger")
    )


def test_workers_tell_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of places told by several processes, or one after another, make the same map."""
    file = table_file(tmp_path, 2)
    question = Question("threat", step=2.0)
    whole = explore(file, question=question, workers=1)
    monkeypatch.setattr(threats, "PLACES_WORTH_WORKERS", 1)
    assert_same(explore(file, question=question, workers=2), whole)
    monkeypatch.setattr(threats, "MOST_IN_BLOCK", 100)
    assert_same(explore(file, question=question, workers=1), whole)


def test_what_a_system_leaves_open_is_resolved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is decided every place is resolved, and the map is the same."""
    file = table_file(tmp_path, 3)
    question = Question("threat", step=6.0)
    fast = explore(file, question=question, workers=1)
    monkeypatch.setattr(threats, "_chances", lambda _, poses: ChanceMap.unknown(len(poses)))
    assert_same(explore(file, question=question, workers=1), fast)


@pytest.mark.parametrize("name", ["threat", "safe"])
def test_a_table_of_a_map_tells_what_resolving_tells(tmp_path: Path, name: Name) -> None:
    """Its columns are those of every answer without metrics; of a place with a charge each is what it is in full, and
    none stays empty.
    """
    file = table_file(tmp_path, 0)
    question = Question(name, step=6.0)
    out = tmp_path / "map.csv"
    whole = tmp_path / "full.csv"
    first = explore(file, question=question, workers=1, out=out)
    assert_same(first, explore(file, question=question, workers=1))
    explore(file, question=question, workers=1, out=whole, full=True)
    rows = list(read_rows(out))
    full = list(read_rows(whole))
    axes = ["units.T.x", "units.T.y", *(["charges.0.charger"] if name == "safe" else [])]
    assert list(rows[0]) == ["key", *axes, *ANSWER]
    assert [{**row, "key": ""} for row in rows] == [
        {**{column: row[column] for column in rows[0]}, "key": ""} for row in full
    ]
    charges = [row for row in rows if row["outcome"] != "invalid"]
    assert all(
        row[column] is not None
        for row in charges
        for column in ("charger", "chance", "chance_fraction", "proof", "tightest", "margin")
    )
    assert all((row["rule"] is None) == (row["outcome"] == "success") for row in rows)
    assert all(row["shortest_roll"] is not None for row in charges if float(row["chance"]) > 0.0)


def test_a_table_of_a_map_is_kept_and_told_from_one_in_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finished table is read again without asking anything; the same question in full wants another table."""
    file = table_file(tmp_path, 0)
    question = Question("threat", step=6.0)
    out = tmp_path / "map.csv"
    first = explore(file, question=question, workers=1, out=out)
    with pytest.raises(UsageError, match=r"map\.csv .*scenario.*\bline 2\b"):
        explore(file, question=question, workers=1, out=out, full=True)
    monkeypatch.setattr(varied, "decide", None)
    assert_same(explore(file, question=question, workers=1, out=out), first)


@pytest.mark.parametrize(
    ("source", "unit", "dice"),
    [
        ("conquest/a-friend-that-is-held", None, None),
        ("t9a/wheel-and-align", "A", None),
        ("t9a/wheel-and-align", None, (3,)),
    ],
)
def test_other_questions_are_resolved(
    source: str, unit: str | None, dice: tuple[int, ...] | None
) -> None:
    """A system that tells no chances at once, another unit that moves, faces dealt from a list: none of them is
    mapped.
    """
    base, grid = asked(
        Question("threat", unit=unit, step=8.0), VariedScenario(read_tables(source), (), dice=dice)
    )
    assert threats.threat_map(base, grid, Execution()) is None

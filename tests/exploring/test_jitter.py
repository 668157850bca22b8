"""How far everything stands off: by an accuracy, by what each says of itself, and what stays where it is."""

import csv
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.cli import main
from tabletop.exploring.explore import explore
from tabletop.exploring.jitter import Jitter, accuracy_of, displaced, with_sides
from tabletop.exploring.questions import Question, case_as_it_stands
from tabletop.scenario.reading import read_tables
from tests.drill.files import march

NUMBERS = range(1, 150)


@pytest.mark.parametrize(
    ("value", "how"),
    [
        (0.1, (0.1, None, True)),
        (0, (0.0, None, True)),
        ("1/16", (0.0625, None, True)),
        ({"at": "1/8", "facing_deg": 2}, (0.125, 2.0, True)),
        ({"at": 0.1}, (0.1, None, True)),
    ],
)
def test_accuracies(value: Any, how: tuple[Any, ...]) -> None:
    """Inches, a fraction of one, or a table of both."""
    assert accuracy_of(value).told == how


@pytest.mark.parametrize(
    "value",
    [
        "1/0",
        "a",
        "0.1",
        "-1/2",
        -0.1,
        math.nan,
        math.inf,
        True,
        None,
        [],
        {},
        {"at": 1, "facing_deg": "x"},
    ],
)
def test_accuracies_that_are_none(value: Any) -> None:
    """Anything else is refused."""
    with pytest.raises(ValueError, match=r"\b0\.1 .*\b1/16\b"):
        accuracy_of(value)


def at_accuracy(tables: dict[str, Any], value: Any) -> Jitter:
    """Return the jitter of a file that was measured so well."""
    return with_sides(accuracy_of(value), case_as_it_stands(tables, ()).state)


def test_units_turn_as_far_as_their_longer_side_ends_off() -> None:
    """At an accuracy, a unit turns by the angle whose tangent is the inches over its longer side, and a given angle
    replaces that.
    """
    tables = march()
    unit = case_as_it_stands(tables, ()).state.units["A"]
    side = max(unit.width, unit.depth)
    for value, most in (
        (0.25, math.degrees(math.atan2(0.25, side))),
        ({"at": 0.25, "facing_deg": 4}, 4.0),
    ):
        how = at_accuracy(tables, value)
        turns = [
            abs(displaced(tables, how, number)[0]["units"]["A"]["facing_deg"] - 90)
            for number in NUMBERS
        ]
        assert 0.95 * most < max(turns) <= most


def test_terrain_moves_as_a_whole() -> None:
    """Polygons keep their form, circles their radius, rectangles turn; all stay within the inches."""
    tables = march()
    box: dict[str, Any] = {
        "name": "Box",
        "kind": "wall",
        "rectangle": {"centre": [30, 30], "width": 4, "depth": 1},
    }
    tables["terrain"].append(box)
    how = at_accuracy(tables, 0.25)
    assert displaced(tables, how, 0)[0] == {
        **tables,
        "terrain": [
            *tables["terrain"][:2],
            {**box, "rectangle": {**box["rectangle"], "angle_deg": 0}},
        ],
    }
    for number in NUMBERS:
        wall, hedge, other = displaced(tables, how, number)[0]["terrain"]
        before = shapely.Polygon(tables["terrain"][0]["polygon"])
        after = shapely.Polygon(wall["polygon"])
        assert shapely.distance(before.centroid, after.centroid) <= 0.25 + 1e-9
        assert sorted(_sides(after)) == pytest.approx(sorted(_sides(before)))
        assert np.hypot(*np.subtract(hedge["circle"]["centre"], [40, 40])) <= 0.25 + 1e-9
        assert hedge["circle"]["radius"] == 2.5
        assert abs(other["rectangle"]["angle_deg"]) <= math.degrees(math.atan2(0.25, 4.0)) + 1e-9
    assert displaced(tables, Jitter(0.25, 1.0), 3)[0]["terrain"] == tables["terrain"]


def _sides(ring: shapely.Polygon) -> list[float]:
    corners = shapely.get_coordinates(ring)
    return list(map(float, np.hypot(*np.diff(corners, axis=0).T)))


def test_what_is_exact_stays() -> None:
    """A unit or a piece of terrain whose own accuracy is 0 stays; one with an accuracy of its own stands off by
    that.
    """
    tables = march()
    tables["units"]["A"]["accuracy"] = 0.0
    tables["units"]["B"]["accuracy"] = {"at": "1/100", "facing_deg": 0}
    tables["terrain"][0]["accuracy"] = 0
    how = with_sides(accuracy_of(0.5), case_as_it_stands(march(), ()).state)
    for number in NUMBERS:
        changed = displaced(tables, how, number)[0]
        assert changed["units"]["A"] == tables["units"]["A"]
        assert (
            0.0
            < np.hypot(*np.subtract(changed["units"]["B"]["at"], tables["units"]["B"]["at"]))
            <= 0.01
        )
        assert changed["units"]["B"]["facing_deg"] == 270
        assert changed["terrain"][0] == tables["terrain"][0]
        assert changed["terrain"][1] != tables["terrain"][1]


def test_hexes_are_exact() -> None:
    """In a hex, facing one of its sides, nothing is a little off."""
    tables = read_tables("battletech/a-wall-comes-down")
    changed, where = displaced(tables, at_accuracy(tables, 0.5), 7)
    assert changed == tables
    assert where == {}
    survey = explore(
        "battletech/a-wall-comes-down",
        question=Question("jitter", jitter=Jitter(0.5), samples=3),
        workers=1,
    )
    assert len(set(survey.column("outcome").tolist())) == 1


def test_discs_do_not_turn() -> None:
    """They have no heading; ovals and rectangles among loose models have."""
    tables = read_tables("wh40k/one-contact-of-two")
    how = at_accuracy(tables, 0.1)
    assert set(how.sides["A"]) == {0.0}
    assert {how.turning("A", number) for number in range(3)} == {0.0}


def test_columns_are_keys_of_the_file() -> None:
    """What a column says of a unit, its key can be set to; so a table is made again."""
    tables: dict[str, Any] = {
        "units": {
            "A": {"at": [[1.0, 1.0], [3.0, 1.0, 2.0]], "facing_deg": [0.0, 90.0]},
            "The B": {"models": [{"at": [0.0, 5.0], "facing_deg": 10.0}], "base": ""},
            "C": {"at": [7.0, 7.0], "facing_deg": 45.0},
        }
    }
    changed, where = displaced(tables, Jitter(0.5, 2.0), 3)
    assert list(where) == [
        *(
            "units.A.at.0.0",
            "units.A.at.0.1",
            "units.A.at.1.0",
            "units.A.at.1.1",
            "units.A.facing_deg.0",
            "units.A.facing_deg.1",
        ),
        *(
            'units."The B".models.0.at.0',
            'units."The B".models.0.at.1',
            'units."The B".models.0.facing_deg',
        ),
        *("units.C.x", "units.C.y", "units.C.facing_deg"),
    ]
    from tabletop.exploring.key_paths import with_values

    made = with_values(tables, tuple(where), tuple(where.values()))
    assert json.loads(
        json.dumps(made), parse_float=lambda text: round(float(text), 9)
    ) == json.loads(json.dumps(changed), parse_float=lambda text: round(float(text), 9))


def test_the_table_tells_where(tmp_path: Path) -> None:
    """Every row says where everything stands; row 0 as the file does.

    CSV and Parquet, and a stopped run, tell the same.
    """
    arguments = [
        "explore",
        "drill/march",
        "--question",
        "jitter",
        "--accuracy",
        "1/8",
        "--samples",
        "6",
        "--dice",
        "3",
        "--workers",
        "1",
    ]
    assert main([*arguments, "-o", str(tmp_path / "t.csv")]) == 0
    first, *rest = csv.DictReader((tmp_path / "t.csv").read_text("utf-8").splitlines())
    assert [float(first[f"units.A.{key}"]) for key in ("x", "y", "facing_deg")] == [20, 10, 90]
    assert all(
        0 < math.hypot(float(row["units.A.x"]) - 20, float(row["units.A.y"]) - 10) <= 0.125
        for row in rest
    )
    assert {"terrain.0.x", "terrain.0.turned_deg", "terrain.1.circle.centre.0"} <= set(first)
    assert main([*arguments, "-o", str(tmp_path / "t.parquet")]) == 0
    import pyarrow.parquet as pq

    assert pq.read_table(tmp_path / "t.parquet").column("units.A.x").to_pylist() == [
        float(row["units.A.x"]) for row in (first, *rest)
    ]
    survey = explore(
        "drill/march",
        question=Question("jitter", jitter=accuracy_of("1/8"), samples=6),
        dice=[3],
        workers=1,
    )
    assert survey.column("units.A.x").tolist() == [
        float(row["units.A.x"]) for row in (first, *rest)
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--question", "jitter", "--accuracy", "much"], r"--accuracy much: .*\b0\.1 .*\b1/16\b"),
        (["--question", "jitter", "--accuracy", "-1"], r"--accuracy -1: .*\b0\.1 .*\b1/16\b"),
        (["--question", "jitter", "--accuracy", "1/0"], r"--accuracy 1/0: .*\b0\.1 .*\b1/16\b"),
        (
            ["--question", "jitter", "--accuracy", "0.1", "--within", "1,1"],
            "--accuracy 0.1: .*--within",
        ),
        (["--question", "threat", "--accuracy", "0.1"], "--accuracy 0.1: .*--question jitter"),
        (["--vary", "rules.halt=late", "--accuracy", "0.1"], "--accuracy 0.1: .*--question jitter"),
        (["--question", "jitter", "--within", "-1,0"], "--within -1,0: "),
    ],
)
def test_accuracy_on_the_command_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Slips are told."""
    assert main(["explore", "drill/march", *arguments]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_exact_tables_do_not_break() -> None:
    """At an accuracy of 0 all tables are the file's."""
    survey = explore(
        "drill/march",
        question=Question("jitter", jitter=Jitter(0.0), samples=5),
        dice=[3],
        workers=1,
    )
    assert len(set(survey.column("units.A.x").tolist())) == 1
    assert set(survey.column("outcome").tolist()) == {"success"}

"""What is varied: values, grids and key paths; and arguments of Python callers that are of another kind, or beyond what
can be.
"""

import math
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tabletop
from tabletop.cli import main
from tabletop.errors import ScenarioError, UsageError
from tabletop.exploring.grid import Axis, Grid, grid_of
from tabletop.exploring.jitter import Jitter
from tabletop.exploring.key_paths import path_of, with_values
from tabletop.exploring.questions import QUESTIONS, Name, Question
from tabletop.exploring.sampling import sampled_axis
from tabletop.exploring.varied import VariedScenario
from tests.drill.files import march, march_json

HEXES: dict[str, Any] = {
    "board": {"columns": 2, "rows": 3},
    "units": {"A": {"hex": "0101", "facing": "N"}},
}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a=0:1:0.25", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("a=0:1:0.3", (0.0, 0.3, 0.6, 0.9)),
        ("a=0.1:0.7:0.2", (0.1, 0.3, 0.5, 0.7)),
        ("a=3:1:-1", (3, 2, 1)),
        ("a=5:5:1", (5,)),
        ("a=1,2.5,word,true,'a b'", (1, 2.5, "word", True, "a b")),
    ],
)
def test_values(text: str, values: tuple[Any, ...]) -> None:
    """Ranges hold their ends, free of rounding dust; lists hold what TOML or a bare word says."""
    (axis,) = grid_of([text], {}, step=1.0).axes
    assert tuple(axis.values) == values
    assert [type(value) for value in axis.values] == [type(value) for value in values]


@pytest.mark.parametrize(
    ("vary", "message"),
    [
        (["a"], "--vary a: .*KEY=START:STOP:STEP"),
        (["a="], "--vary a=: .*KEY=START:STOP:STEP"),
        (["=1"], "--vary =1: .*KEY=START:STOP:STEP"),
        (["a=1,,2"], "--vary a=1,,2: .*KEY=START:STOP:STEP"),
        (["a=1:2:0"], "--vary a=1:2:0: .*STEP .*START .*STOP"),
        (["a=1:2:-1"], "--vary a=1:2:-1: .*STEP .*START .*STOP"),
        (["a=1:x:1"], "--vary a=1:x:1: .*(?<!KEY=)START:STOP:STEP"),
        (["a=1:inf:1"], "--vary a=1:inf:1: .*STEP .*START .*STOP"),
        (["a=0:1e9:1e-9"], "--vary a=0:1e9:1e-9: .*1,000,000,000,000,000,001 .*1,000,000,000$"),
        (["a=1", "a=2"], "--vary a: .*twice"),
        ([], "--vary KEY=START:STOP:STEP .*--question"),
        (["units.Q=board"], "--vary units.Q: .*'Q' .*'A', 'B'"),
        (["a=board"], "--vary a=board: .*units.B=board"),
        (["units..A=board"], "--vary units..A: .*units.B.facing_deg"),
    ],
)
def test_what_cannot_be_varied(vary: list[str], message: str) -> None:
    """Each slip is told with what was expected."""
    with pytest.raises(UsageError, match=message):
        grid_of(vary, march(), step=1.0)


LOOSE: dict[str, Any] = {
    "units": {
        "A": {"at": [[1.0, 2.0], [3.0, 2.5]]},
        "B": {"models": [{"touching": "x"}, {"at": [0.0, 0.0]}, {"at": [1.0, 1.0]}]},
    }
}


@pytest.mark.parametrize(
    ("tables", "first", "second"),
    [
        (march(), "units.A.x", "units.A.at.0"),
        (march(), "units.A.at.1", "units.A.y"),
        (march(), "units.A.at.0", 'units."A".at.00'),
        (LOOSE, "units.A.x", "units.A.at.0.0"),
        (LOOSE, "units.A.x", "units.A.at.1.0"),
        (LOOSE, "units.B.y", "units.B.models.1.at.1"),
    ],
)
def test_a_coordinate_of_two_names_is_varied_once(
    tables: dict[str, Any], first: str, second: str
) -> None:
    """The table would tell of two places, and the unit stand at one of them; the other coordinate is another."""
    with pytest.raises(UsageError, match=f"--vary {second}: .*{first}"):
        grid_of([f"{first}=1", f"{second}=2"], tables, step=1.0)
    grid_of(
        [
            "units.A.x=1",
            "units.A.y=1",
            f"units.B.{'models.2.at.1' if tables is LOOSE else 'at.1'}=2",
        ],
        tables,
        step=1.0,
    )


def test_what_is_drawn_is_varied_once() -> None:
    """A place at random is a place."""
    sampled = sampled_axis(["units.A=random:2"], march(), seed=0)
    with pytest.raises(UsageError, match=r"--vary units\.A\.at\.0: .*units\.A\.x"):
        grid_of(["units.A.at.0=30"], march(), step=1.0, sampled=sampled)


def test_grid_counts_and_finds() -> None:
    """A grid is walked with its last axis fastest, and any of its cases is found by number."""
    grid = Grid((Axis("a", (1, 2)), Axis("b", "xyz")))
    assert len(grid) == 6
    assert list(islice(grid, 2)) == [(1, "x"), (1, "y")]
    assert [grid[number] for number in range(6)] == list(grid)


def test_long_axes_take_no_memory() -> None:
    """Values are worked out one by one; more cases than can be counted are refused."""
    grid = grid_of(["a=0:40:1e-7", "b=0,1"], {}, step=1.0)
    values = grid.axes[0].values
    assert len(grid) == 800_000_002
    assert (values[3], values[-1], values[1:3]) == (3e-7, 40.0, (1e-7, 2e-7))
    assert list(islice(grid, 3)) == [(0.0, 0), (0.0, 1), (1e-7, 0)]
    with pytest.raises(IndexError):
        values[400_000_001]
    with pytest.raises(UsageError, match=r"160,000,000,800,000,001 .*1,000,000,000,000,000"):
        grid_of(["a=0:40:1e-7", "b=0:40:1e-7"], {}, step=1.0)


def test_every_place_of_the_board() -> None:
    """Places are the middles of squares that cover the board; of a hex board all hexes."""
    tables = {**march(), "board": {"width": 3.0, "depth": 1.1}}
    grid = grid_of(["units.A=board"], tables, step=0.5)
    assert [(axis.key, tuple(axis.values)) for axis in grid.axes] == [
        ("units.A.x", (0.25, 0.75, 1.25, 1.75, 2.25, 2.75)),
        ("units.A.y", (0.25, 0.75, 1.1)),
    ]
    (hexes,) = grid_of(["units.A=board"], HEXES, step=0.5).axes
    assert (hexes.key, hexes.values) == (
        "units.A.hex",
        ("0101", "0102", "0103", "0201", "0202", "0203"),
    )
    with pytest.raises(UsageError, match=r"--step 0\.0: .*\b0\b"):
        grid_of(["units.A=board"], tables, step=0.0)


def test_key_paths() -> None:
    """Paths are read as TOML reads dotted keys."""
    assert path_of("units.'The Guard'.at.0") == ("units", "The Guard", "at", "0")


def test_setting_keys() -> None:
    """Entries of lists, new keys and whole places are set; the tables given stay as they are."""
    tables = march()
    changed = with_values(
        tables,
        ("units.A.at.1", "units.B.x", "rules.halt", "charges.0.dice", "system.bonus"),
        (3.5, 9.0, "late", [6], 2),
    )
    assert changed["units"]["A"]["at"] == [tables["units"]["A"]["at"][0], 3.5]
    assert changed["units"]["B"]["at"] == [9.0, tables["units"]["B"]["at"][1]]
    assert (changed["rules"]["halt"], changed["charges"][0]["dice"]) == ("late", [6])
    assert "system" not in changed or changed["system"] == "drill"
    assert tables == march()


def test_loose_models_move_as_one() -> None:
    """Where a unit's first model goes, the others follow."""
    tables: dict[str, Any] = {
        "units": {
            "A": {"at": [[1.0, 2.0], [3.0, 2.5, 1.0]]},
            "B": {"models": [{"at": [0.0, 0.0]}, {"at": [1.0, 1.0]}]},
        }
    }
    changed = with_values(tables, ("units.A.x", "units.B.y"), (11.0, 5.0))
    assert changed["units"]["A"]["at"] == [[11.0, 2.0], [13.0, 2.5, 1.0]]
    assert [model["at"] for model in changed["units"]["B"]["models"]] == [[0.0, 5.0], [1.0, 6.0]]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("units.A.at.2", 1, r"--vary units.A.at.2: '2' .*\b0 .*\b1\b"),
        ("units.Q.at.0", 1, "--vary units.Q.at.0: .*'Q' .*'A', 'B'"),
        ("board.width.metres", 1, r"--vary board.width.metres: .*\bwidth\b"),
        ("units.A.x", "far", "--vary units.A.x: .*START:STOP:STEP.*'far'"),
    ],
)
def test_keys_that_lead_nowhere(key: str, value: Any, message: str) -> None:
    """A key that cannot be set is told with what is there."""
    with pytest.raises(UsageError, match=message):
        with_values(march(), (key,), (value,))
    with pytest.raises(UsageError, match=r"--vary units\.A\.x: .*\bhex\b"):
        with_values(HEXES, ("units.A.x",), (1.0,))


def test_base_makes_cases() -> None:
    """Values go into the file, the choices and the book; what cannot be is refused as a file is."""
    base = VariedScenario(march(), ("units.A.profile.pace", "rules.halt", "system.bonus"))
    case = base.case((3.5, "late", 2.5))
    assert (case.state.units["A"].profile.pace, case.choices.halt, case.book.bonus) == (
        3.5,
        "late",
        2.5,
    )
    with pytest.raises(ScenarioError, match=r"^units\.A\.profile\.pace: .*\b10\b.*\b99\b"):
        base.case((99, "late", 2.5))


def test_identity_is_what_matters() -> None:
    """Another title is the same case; another place, other dice or another value are other cases."""
    keys = ("units.A.profile.pace",)
    same = VariedScenario(march({"title": "Another"}), keys).key((1,))
    assert same == VariedScenario(march(), keys).key((1,))
    others = {
        VariedScenario(march(), keys).key((2,)),
        VariedScenario(march({"units/A/at": [1.0, 1.0]}), keys).key((1,)),
        VariedScenario(march(), keys, seed=1).key((1,)),
        VariedScenario(march(), keys, dice=(3,)).key((1,)),
        VariedScenario(march(), keys, overrides=("rules.halt=late",)).key((1,)),
    }
    assert len(others) == 5
    assert same not in others


HALT = ["rules.halt=late"]
ODD_KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing to vary": ({"vary": None}, "^vary: .*null"),
    "numbers to vary": ({"vary": [1]}, r"^vary: .*\[1\]"),
    "a number for a question": (
        {"question": 7},
        r"^question: .*threat, safe, start, jitter.*\b7\b",
    ),
    "a truth for a question": (
        {"vary": (), "question": True},
        "^question: .*threat, safe, start, jitter.*true",
    ),
    "a number for a table": ({"out": 7}, r"^out: .*\b7\b"),
    "words for a step": ({"step": "far"}, "^step: .*'far'"),
    "words for a seed": ({"seed": "x"}, "^seed: .*'x'"),
    "half a seed": ({"seed": 0.5}, r"^seed: .*\b0\.5\b"),
    "one text to set": ({"overrides": "rules.halt=late"}, r"\['rules\.halt=late'\]"),
    "a number for dice": ({"dice": 3}, r"^dice: .*\b3\b"),
    "a text for dice": ({"dice": "34"}, "^dice: .*'34'"),
    "half a face": ({"dice": [2.5]}, r"^dice: .*\b2\.5\b"),
    "half a worker": ({"workers": 1.5}, r"^workers: .*\b1\.5\b"),
    "a number for a scheduler": ({"scheduler": 8786}, r"^scheduler: .*\b8786\b"),
    "a number to tell": ({"done": 3}, r"^done: .*\b3\b"),
    "words for seconds": ({"max_seconds": "1"}, "^max_seconds: .*'1'"),
    "words for a charge": ({"charge": "first"}, "^charge: .*'first'"),
    "a text for a region": (
        {"vary": ["units.A=random:2"], "region": "0,0,1,1"},
        "^region: .*X0, Y0, X1, Y1.*'0,0,1,1'",
    ),
    "three sides": (
        {"vary": ["units.A=random:2"], "region": (0, 0, 1)},
        r"^region: .*X0, Y0, X1, Y1.*\(0, 0, 1\)",
    ),
    "words for sides": (
        {"vary": ["units.A=random:2"], "region": (0, 0, 1, "a")},
        "^region: .*X0, Y0, X1, Y1.*'a'",
    ),
}
BEYOND: dict[str, tuple[dict[str, Any], str]] = {
    "no axes": ({"vary": []}, "--vary KEY=START:STOP:STEP .*--question"),
    "an empty axis": ({"vary": [""]}, "--vary : .*KEY=START:STOP:STEP"),
    "an unknown question": (
        {"vary": (), "question": "safety"},
        "--question safety: .*did you mean 'safe'",
    ),
    "no question": (
        {"vary": (), "question": ""},
        "--question : .*'threat', 'safe', 'start', 'jitter'",
    ),
    "a charge too many": ({"charge": 3}, r"^charge: .*\b1 .*\b3\b"),
    "a charge before the first": ({"charge": -1}, r"^charge: .*\b0 .*\b19\b.* -1\b"),
    "no workers": ({"workers": 0}, r"^workers: .*\b1 .*\b1,000\b.* 0\b"),
    "no face": ({"dice": [0]}, r"^dice: .*\b1 .*\b6\b.* 0\b"),
    "no time": ({"max_seconds": 0}, r"^max_seconds: .* 0\b.* 0\b"),
    "time without a number": ({"max_seconds": math.nan}, r"^max_seconds: .* 0\b.*\bnan\b"),
    "a step backwards": ({"vary": ["units.A=board"], "step": -1}, r"--step -1: .* 0\b"),
}


@pytest.mark.parametrize(("arguments", "message"), ODD_KINDS.values(), ids=ODD_KINDS)
def test_another_kind(arguments: dict[str, Any], message: str) -> None:
    """What is of another kind is told with what was expected."""
    with pytest.raises(TypeError, match=message):
        tabletop.explore("drill/march", **{"vary": HALT, "workers": 1, **arguments})


@pytest.mark.parametrize(("arguments", "message"), BEYOND.values(), ids=BEYOND)
def test_beyond(arguments: dict[str, Any], message: str) -> None:
    """What is of its kind and cannot be is told with the ends."""
    with pytest.raises(UsageError, match=message):
        tabletop.explore("drill/march", **{"vary": HALT, "workers": 1, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"unit": 7}, TypeError, r"^unit: .*\b7\b"),
        ({"step": "far"}, TypeError, "^step: .*'far'"),
        ({"jitter": 0.1}, TypeError, r"^jitter: .*Jitter.*\b0\.1\b"),
        ({"facings": 2.5}, TypeError, r"^facings: .*\b2\.5\b"),
        ({"facings": 0}, UsageError, r"^facings: .*\b1 .*\b360\b.* 0\b"),
        ({"samples": True}, TypeError, "^samples: .*true"),
        ({"samples": 0}, UsageError, r"^samples: .*\b1 .*\b1,000,000,000\b.* 0\b"),
    ],
)
def test_questions(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    """A question says so itself."""
    with pytest.raises(error, match=message):
        Question("threat", **arguments)


def test_numbers_of_numpy() -> None:
    """Its whole numbers are as good as Python's."""
    numbers: dict[str, Any] = {
        "seed": np.int64(3),
        "dice": np.array([3]),
        "charge": np.int64(0),
    }
    survey = tabletop.explore("drill/march", HALT, workers=1, **numbers)
    assert survey.shape == (1,)
    assert Question("jitter", jitter=Jitter(0.1, 1.0), samples=np.int64(3)).samples == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "charges",
    [7, [7], [{}], [{"charger": "A"}], [{"charger": "A", "targets": []}], {"charger": "A"}],
)
@pytest.mark.parametrize("question", QUESTIONS)
def test_files_that_questions_cannot_read(charges: Any, question: Name, tmp_path: Path) -> None:
    """It is the file that is told."""
    file = tmp_path / "t.json"
    file.write_text(march_json({"charges": charges}), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"t\.json: charges"):
        tabletop.explore(file, question=question, workers=1)
    with pytest.raises(ScenarioError, match="charges"):
        tabletop.explore(file, ["units.A=random:2"], workers=1)


@pytest.mark.parametrize(
    "units",
    [7, [], {"A": 7}, {"A": {}}, {"A": {"at": 3}}, {"A": {"at": [[1]]}}, {"A": {"at": ["x", "y"]}}],
)
@pytest.mark.parametrize(
    "arguments",
    [["--question", "jitter"], ["--question", "threat"], ["--vary", "units.A=random:3"]],
)
def test_files_without_units(
    units: Any, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No error of the file is a bug of the program."""
    file = tmp_path / "t.json"
    file.write_text(march_json({"units": units}), encoding="utf-8")
    assert main(["explore", str(file), *arguments, "--workers", "1"]) in (2, 3)
    assert "units" in capsys.readouterr().err

"""Units that stand otherwise than in ranks and files of models: loose models, stands, models in hexes."""

import math
from dataclasses import replace
from typing import Any, ClassVar

import pytest

from tabletop.errors import ScenarioError
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.scenario.cases import case_of, place_entry, scenario_of
from tabletop.scenario.checks import known_charges, problems_of
from tabletop.scenario.document import scenario_model
from tabletop.scenario.validation import validated
from tabletop.scenario.vocabulary import Entry, Vocabulary
from tabletop.scenario.writing import content
from tabletop.table.hexes import HexBoard
from tabletop.table.models import Formation, Hull, OvalBase, RoundBase, Squad
from tabletop.table.state import Base, HexUnit, Regiment
from tests.drill import Drill
from tests.messages import untold


class Keys(Entry):
    """What the system adds to terrain."""

    level: int = 0


WORDS = replace(
    Drill.vocabulary,
    complete=lambda unit: unit,
    problems=lambda *_: [],
    terrain_keys=Keys,
    heights=(("wall", 2.0),),
    tall=("hedge",),
    chargeable=("wall",),
)


def _system(words: Vocabulary) -> Drill:
    class Other(Drill):
        vocabulary: ClassVar[Vocabulary] = words

    return Other()


LOOSE, STANDS, HEXED = (
    _system(replace(WORDS, placement=way)) for way in ("loose", "stands", "hex")
)
TABLE = {"system": "drill", "board": {"width": 40, "depth": 30}}
HEXES = {"system": "drill", "board": {"columns": 15, "rows": 17}}


def _case(system: Drill, raw: dict[str, Any]) -> Case:
    scenario, problems = validated(scenario_model(system), raw)
    assert scenario is not None, problems
    return case_of(scenario, system)


def _complaints(system: Drill, raw: dict[str, Any]) -> list[str]:
    scenario, problems = validated(scenario_model(system), raw)
    return [
        str(problem)
        for problem in [*problems, *(problems_of(scenario, system) if scenario else ())]
    ]


def _squad(**keys: Any) -> dict[str, Any]:
    return {**TABLE, "units": {"A": {"side": "blue", **keys}}}


def _read(**keys: Any) -> Squad:
    squad = _case(LOOSE, _squad(**keys)).state.units["A"]
    assert isinstance(squad, Squad)
    return squad


def test_loose_models_on_one_kind_of_base() -> None:
    """Places with and without a height, one facing for all or one for each."""
    squad = _read(
        base="25.4mm round", at=[[20, 20], [21.5, 20, 3.0], [23, 20, 0]], facing_deg=[0, 90, 180]
    )
    assert [model.pose.at for model in squad.models] == [(20, 20), (21.5, 20), (23, 20)]
    assert [model.z for model in squad.models] == [0.0, 3.0, 0.0]
    assert [model.pose.heading for model in squad.models] == pytest.approx(
        [0, math.pi / 2, math.pi]
    )
    assert {model.base for model in squad.models} == {RoundBase(1.0)}
    assert [model.number for model in squad.models] == [0, 1, 2]


def test_models_that_differ() -> None:
    """Each model may have its own base, hull and name; what the unit says holds for those that say nothing."""
    models = [
        {"at": [20, 20], "base": "50.8x25.4mm oval", "name": "Sergeant", "facing_deg": 90},
        {"at": [25, 20]},
        {"at": [30, 20], "base": "25.4x50.8mm rectangle"},
    ]
    squad = _read(base="25.4mm round", models=models)
    assert [model.base for model in squad.models] == [
        OvalBase(2.0, 1.0),
        RoundBase(1.0),
        Base(1.0, 2.0),
    ]
    assert squad.models[0].name == "Sergeant"


def test_footprints() -> None:
    """An oval lies along the facing, a rectangle is centred, a hull has its own frame."""
    north = math.pi / 2
    oval = _read(base="50.8x25.4mm oval", at=[[20, 20]], facing_deg=90)
    block = _read(base="50.8x25.4mm rectangle", at=[[20, 20]], facing_deg=90)
    assert oval.models[0].footprint.bounds == pytest.approx((19.5, 19.0, 20.5, 21.0))
    assert block.models[0].footprint.bounds == pytest.approx((19.0, 19.5, 21.0, 20.5))
    hull = _read(hull=[[2, 0], [-1, 1], [-1, -1]], at=[[20, 20]], facing_deg=90)
    assert hull.models[0].base == Hull(((2, 0), (-1, 1), (-1, -1)))
    assert hull.models[0].footprint.bounds == pytest.approx((19.0, 19.0, 21.0, 22.0))
    assert hull.models[0].pose.heading == pytest.approx(north)


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"base": "32mm round"}, "units.A: .. at .. models"),
        (
            {"base": "32mm round", "at": [[1, 1]], "models": [{"at": [1, 1]}]},
            "units.A: .. at .. models",
        ),
        ({"at": [[1, 1]]}, "units.A: .. base .. hull .. neither"),
        (
            {"at": [[1, 1]], "base": "32mm round", "hull": [[1, 0], [0, 1], [0, 0]]},
            "units.A: .. base .. hull .. both",
        ),
        ({"models": [{"at": [1, 1]}]}, "units.A: .. base .. hull .. models[0] .. neither"),
        (
            {"at": [[1, 1]], "base": "32mm round", "facing_deg": [0, 1]},
            "units.A: .. facing_deg .. 1 .. 2",
        ),
        (
            {"models": [{"at": [1, 1]}], "base": "32mm round", "facing_deg": 3},
            "units.A: .. facing_deg .. models",
        ),
        (
            {"at": [[1, 1]], "base": "32x25mm round"},
            "units.A.base: .. \"32mm round\" .. '32x25mm round'",
        ),
        ({"at": [[1, 1]], "base": "Hull"}, "units.A.base: .. hull = [[x, y], ...] .. 'Hull'"),
        (
            {"at": [[1, 1]], "base": "25x75mm"},
            "units.A.base: .. 75x42mm oval .. \"25x50mm rectangle\" .. '25x75mm'",
        ),
        (
            {"at": [[1, 1]], "base": "25x75mm oval"},
            "units.A.base: .. 75x42mm oval .. '25x75mm oval'",
        ),
        ({"at": [[1, 1, -1]], "base": "32mm round"}, "units.A.at[0][2]: .. 0 .. -1"),
        ({"at": [], "base": "32mm round"}, "units.A.at: .. 1 .. 0"),
        (
            {"at": [10, 10], "base": "32mm round"},
            "units.A.at: .. [[20, 10.5], [21.5, 10.5]] .. [10, 10]",
        ),
        (
            {"at": "here", "base": "32mm round"},
            "units.A.at: .. [[20, 10.5], [21.5, 10.5]] .. 'here'",
        ),
        (
            {"at": [[10, 10], 3], "base": "32mm round"},
            "units.A.at[1]: .. [20, 10.5] .. [20, 10.5, 3] .. 3",
        ),
        ({"at": [[10, "x"]], "base": "32mm round"}, "units.A.at[0][1]: .. number .. 'x'"),
        ({"at": [[10]], "base": "32mm round"}, "units.A.at[0][1]: .. missing"),
        (
            {"at": [[10, 5, 3, 25]], "base": "32mm round"},
            "units.A.at[0]: .. [10, 5, 3, 25] .. 10.5",
        ),
        (
            {"at": [[1, 1]], "base": "32mm round", "facing_deg": "N"},
            "units.A.facing_deg: .. degrees .. 'N' .. 90",
        ),
        (
            {"at": [[1, 1]], "base": "32mm round", "facing_deg": ["N"]},
            "units.A.facing_deg: .. degrees .. ['N'] .. \"N\"",
        ),
        (
            {"at": [[1, 1]], "base": "32mm round", "facing_deg": 4000},
            "units.A.facing_deg: .. degrees .. 4000",
        ),
        (
            {"models": [{"at": 3, "base": "32mm round"}]},
            "units.A.models[0].at: .. [20, 10.5] .. [20, 10.5, 3] .. 3",
        ),
        ({"hull": [[1, 0], [0, 1]], "at": [[1, 1]]}, "units.A.hull: .. 3 .. 2"),
        (
            {"hull": [1, 0, 2, 3], "at": [[1, 1]]},
            "units.A.hull: .. [[10, 10], [14, 10], [14, 13]] .. [1, 0, 2, 3]",
        ),
    ],
)
def test_loose_models_that_cannot_be_read(keys: dict[str, Any], complaint: str) -> None:
    """Each mistake is told once, with what was expected."""
    (line,) = _complaints(LOOSE, _squad(**keys))
    assert untold(line, complaint) == [], line


@pytest.mark.parametrize(
    "keys",
    [
        {"base": "25.4mm round", "at": [[20.0, 20.0], [21.5, 20.0, 3.0]], "facing_deg": 0.0},
        {"base": "75x42mm oval", "at": [[20.0, 20.0], [24.5, 20.0]], "facing_deg": [0.0, 45.0]},
        {"hull": [[2.0, 0.0], [-1.0, 1.0], [-1.0, -1.0]], "at": [[20.0, 20.0]], "facing_deg": 30.0},
        {
            "models": [
                {"at": [20.0, 20.0], "base": "25x50mm rectangle", "facing_deg": 0.0},
                {
                    "at": [24.0, 20.0],
                    "hull": [[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]],
                    "facing_deg": 0.0,
                },
            ]
        },
    ],
    ids=["round", "oval", "hull", "mixed"],
)
def test_loose_models_are_written_as_they_are_read(keys: dict[str, Any]) -> None:
    """Reading, writing and reading again gives the same models."""
    case = _case(LOOSE, _squad(**keys))
    written = content(scenario_of(case))
    assert {key: written["units"]["A"][key] for key in keys} == keys
    assert _case(LOOSE, written).state == case.state


def test_a_proposal_places_models() -> None:
    """A claimed end gives a place for each model that is left; facings not told are those the models have."""
    raw = _squad(base="25.4mm round", at=[[20, 20], [22, 20]], facing_deg=90)
    raw["proposal"] = {"units": {"A": {"at": [[25, 20, 2]], "order": [1]}}}
    case = _case(LOOSE, raw)
    assert case.proposal == {"A": Formation((Pose(25, 20, math.pi / 2),), (2.0,), (1,))}
    assert place_entry(Pose(1, 2, 0.0), case) == {"at": [1, 2], "facing_deg": 0}
    assert place_entry(case.proposal["A"], case) == {
        "at": [[25, 20, 2]],
        "facing_deg": 90,
        "order": [1],
    }


def test_a_proposal_that_leaves_open_where_models_look() -> None:
    """Where models look different ways and not all of them are placed, the facings must be told."""
    raw = _squad(base="25.4mm round", at=[[20, 20], [22, 20]], facing_deg=[90, 0])
    raw["proposal"] = {"units": {"A": {"at": [[25, 20], [27, 20]]}}}
    assert [pose.heading for pose in (_case(LOOSE, raw).proposal or {})["A"].poses] == [
        math.pi / 2,
        0.0,
    ]
    raw["proposal"] = {"units": {"A": {"at": [[25, 20]]}}}
    with pytest.raises(ScenarioError, match=r"proposal\.units\.A\.facing_deg: .*missing"):
        _case(LOOSE, raw)


def test_stands() -> None:
    """A regiment of stands counts stands, and centres its rear rank."""
    unit = {
        "side": "blue",
        "at": [20, 20],
        "facing_deg": 90,
        "files": 3,
        "stands": 4,
        "base": "50.8x50.8mm",
    }
    case = _case(STANDS, {**TABLE, "units": {"A": unit}})
    regiment = case.state.units["A"]
    assert isinstance(regiment, Regiment)
    assert (regiment.models, regiment.rear_rank, regiment.places()[-1]) == (4, "centre", (1, 1))
    assert content(scenario_of(case))["units"]["A"] == unit
    (line,) = _complaints(STANDS, {**TABLE, "units": {"A": {**unit, "stands": 2}}})
    assert untold(line, "units.A.stands: .. 3 .. 2") == [], line


def test_terrain_of_a_kind() -> None:
    """A height that is left out is that of the kind, unless it must be told; pieces may carry more keys."""
    wall = {"name": "W", "kind": "wall", "polygon": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]}
    low = {
        "name": "L",
        "kind": "wall",
        "height": 0.0,
        "level": 3,
        "circle": {"centre": [5.0, 5.0], "radius": 1.0},
    }
    case = _case(LOOSE, {**TABLE, "terrain": [wall, low]})
    assert [(piece.height, piece.data) for piece in case.state.terrain] == [
        (2.0, Keys()),
        (0.0, Keys(level=3)),
    ]
    assert content(scenario_of(case))["terrain"] == [wall, low]
    (line,) = _complaints(LOOSE, {**TABLE, "terrain": [{**wall, "kind": "hedge"}]})
    assert untold(line, "terrain[0].height: .. missing .. hedge") == [], line


def test_terrain_that_may_be_charged() -> None:
    """A piece of a chargeable kind may be a target; other pieces may not."""
    wall = {"name": "W", "kind": "wall", "circle": {"centre": [5, 5], "radius": 1}}
    raw = {
        **_squad(base="25.4mm round", at=[[20, 20]]),
        "terrain": [wall, {**wall, "name": "H", "kind": "hedge", "height": 1}],
    }
    charged, stray = (
        {**raw, "charges": [{"charger": "A", "targets": [name]}]} for name in ("W", "H")
    )
    assert _complaints(LOOSE, charged) == []
    (line,) = _complaints(LOOSE, stray)
    assert untold(line, "charges[0].targets[0]: .. wall .. 'H' .. 'A' .. 'W'") == [], line
    assert [
        known_charges(scenario_model(LOOSE).model_validate(one), LOOSE) for one in (charged, stray)
    ] == [(0,), ()]


def _hexed(**keys: Any) -> dict[str, Any]:
    return {**HEXES, "units": {"A": {"side": "blue", "hex": "0507", "facing": "NE", **keys}}}


def test_a_model_in_a_hex() -> None:
    """It stands in the middle of its hex and looks at a side of it; files and proposals name both."""
    raw = {
        **_hexed(),
        "terrain": [{"name": "T", "kind": "wall", "hexes": ["0101", "1517"], "level": 2}],
    }
    raw["proposal"] = {"units": {"A": {"hex": "0606", "facing": "S"}}}
    case = _case(HEXED, raw)
    board = case.state.board
    unit = case.state.units["A"]
    assert isinstance(board, HexBoard)
    assert isinstance(unit, HexUnit)
    assert (unit.pose, case.proposal) == (board.pose((5, 7), 1), {"A": board.pose((6, 6), 3)})
    assert place_entry(unit.place, case) == {"hex": "0507", "facing": "NE"}
    assert case.state.hex_terrain[0].hexes == ((1, 1), (15, 17))
    written = content(scenario_of(case))
    assert {key: written["terrain"][0][key] for key in raw["terrain"][0]} == raw["terrain"][0]
    assert _case(HEXED, written).state == case.state


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ({"hex": "1607"}, "units.A.hex: .. 1607 .. 01 .. 15 .. 01 .. 17"),
        ({"hex": "0018"}, "units.A.hex: .. \"0507\" .. '0018'"),
        ({"hex": "507"}, "units.A.hex: .. \"0507\" .. '507'"),
        (
            {"facing": "E"},
            "units.A.facing: .. 'N' .. 'NE' .. 'SE' .. 'S' .. 'SW' .. 'NW' .. 'E' .. 'SE'",
        ),
    ],
)
def test_hexes_that_cannot_be_read(keys: dict[str, Any], complaint: str) -> None:
    """Hexes off the board or not of four digits, and facings that are none, are told with what was expected."""
    (line,) = _complaints(HEXED, _hexed(**keys))
    assert untold(line, complaint) == [], line

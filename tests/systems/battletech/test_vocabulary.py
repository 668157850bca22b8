"""BattleTech's part of the scenario file: what it refuses, and how."""

import copy
import json
import re
from typing import Any

import pytest

from systems.battletech.words import SILHOUETTE_BY_TYPE, Profile
from tabletop.api import resolve
from tabletop.errors import ScenarioError
from tabletop.scenario import case_from_text
from tests.systems.battletech.tables import Entry, charge, charger, table, terrain, unit

TABLES: Entry = {
    "system": "battletech",
    "board": {"columns": 15, "rows": 17},
    "units": {"A": charger("0507", walk=4), "B": unit("0505", "S"), "C": unit("0909", "S")},
    "terrain": [
        terrain("level", "0101", level=1),
        terrain("building", "1010", "1011", cf=40),
        terrain("light_woods", "0202"),
        terrain("water", "0303", depth=1),
    ],
    "rules": {},
    "charges": [charge()],
}


def changed(changes: dict[str, Any]) -> str:
    """Write a file with values replaced at paths such as `units/A/hex`; None takes a key away, `+` appends."""
    tables = copy.deepcopy(TABLES)
    for path, value in changes.items():
        *rooms, last = [int(part) if part.isdecimal() else part for part in path.split("/")]
        room: Any = tables
        for part in rooms:
            room = room[part] if isinstance(part, int) else room.setdefault(part, {})
        if last == "+":
            room.append(value)
        elif value is None:
            del room[last]
        else:
            room[last] = value
    return json.dumps(tables)


REFUSED: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    ({"units/B/hex": "1605"}, ("units.B.hex", "1605")),
    ({"units/B/hex": "0518"}, ("units.B.hex", "0518")),
    ({"units/B/hex": "0005"}, ("units.B.hex",)),
    ({"units/B/hex": "505"}, ("units.B.hex",)),
    ({"units/B/hex": "05 5"}, ("units.B.hex",)),
    (
        {"units/B": unit("0505", type="vehicle", status=["prone"])},
        ("units.B.status[0]", "'prone'", "a 'Mech", "'vehicle'"),
    ),
    (
        {"units/C": unit("0909", status=["prone"], tons=None, type="infantry")},
        ("units.C.status[0]", "'infantry'"),
    ),
    (
        {"units/B/status": ["fired", "landed"]},
        ("units.B.status[1]", "'landed'", "'vtol'", "'mech'"),
    ),
    ({"units/B/facing": "E"}, ("units.B.facing",)),
    ({"units/B/facing": "NN"}, ("units.B.facing",)),
    ({"terrain/0/hexes": ["1701"]}, ("terrain[0].hexes", "1701")),
    ({"terrain/+": terrain("level", "0101", level=2)}, ("0101", "level")),
    ({"terrain/+": terrain("heavy_woods", "0202")}, ("0202", "light_woods", "heavy_woods")),
    ({"terrain/+": terrain("rough", "0303")}, ("0303", "water", "rough")),
    (
        {"terrain/+": terrain("heavy_smoke", "0404"), "terrain/0": terrain("light_smoke", "0404")},
        ("0404", "light_smoke", "heavy_smoke"),
    ),
    ({"terrain/2/kind": "ligth_woods"}, ("terrain[2].kind", "light_woods")),
    ({"units/B/status": ["pron"]}, ("units.B.status[0]", "prone")),
    ({"units/B/profile/type": "mehc"}, ("units.B.profile.type", "mech")),
    ({"rules/backward": "counting"}, ("rules.backward", "counted")),
    ({"rules/backwards": "counted"}, ("rules.backwards", "backward")),
    ({"rules/stacking": "none"}, ("rules.stacking", "single")),
    ({"units/B/profile/tons": 55.5}, ("units.B.profile.tons", "55.5")),
    ({"units/B/profile/tons": "60"}, ("units.B.profile.tons",)),
    ({"units/B/profile/tons": None}, ("units.B.profile.tons",)),
    ({"units/B/profile/piloting": 4.5}, ("units.B.profile.piloting", "4.5")),
    ({"units/A/profile/walk": 3.5}, ("units.A.profile.walk", "3.5")),
    ({"units/A/profile/walk": None}, ("units.A.profile.walk",)),
    ({"units/B/profile/motion": "legs"}, ("units.B.profile.motion", "tracked")),
    ({"units/B/profile/legs": 3}, ("units.B.profile.legs",)),
    ({"units/B/profile/equipment": ["buldozer"]}, ("units.B.profile.equipment", "bulldozer")),
    ({"units/B/profile/weight": 5}, ("units.B.profile.weight",)),
    ({"terrain/0/level": 0.5}, ("terrain[0].level", "0.5")),
    ({"terrain/0/level": None}, ("terrain[0].level",)),
    ({"terrain/1/cf": None}, ("terrain[1].cf",)),
    ({"terrain/2/cf": 5}, ("terrain[2].cf",)),
    (
        {"terrain/+": terrain("prohibited", "0404", **{"for": ["mecha"]})},
        ("terrain[4].for", "mech"),
    ),
    ({"units/C/hex": "0505"}, ("0505", "B", "C")),
    (
        {"units/C": unit("0507", type="vehicle"), "units/D": unit("0507", type="vehicle")},
        ("0507", "A", "C", "D"),
    ),
    ({"rules/stacking": "single", "units/C": unit("0505", type="vehicle")}, ("0505", "B", "C")),
    ({"charges/0/targets": ["B", "C"]}, ("charges[0].targets",)),
    ({"charges/0/targets": []}, ("charges[0].targets",)),
    ({"charges/0/targets": ["light_woods 0202"]}, ("charges[0].targets",)),
    ({"charges/0/targets": ["nobody"]}, ("charges[0].targets[0]", "nobody")),
    ({"charges/0/targets": ["building 1010"]}, ("charges[0].target_hex",)),
    (
        {"charges/0/targets": ["building 1010"], "charges/0/target_hex": "1012"},
        ("charges[0].target_hex", "1012"),
    ),
    ({"charges/0/target_hex": "0504"}, ("charges[0].target_hex", "0505")),
    ({"charges/0/targets": ["A"]}, ("charges[0].targets[0]", "A")),
    ({"charges/0/charger": "Z"}, ("charges[0].charger",)),
    (
        {"charges/0/hexes_moved": 2, "charges/0/movement": "run", "charges/0/path": []},
        ("charges[0]", "path", "hexes_moved"),
    ),
    ({"charges/0/hexes_moved": 2}, ("charges[0].movement",)),
    ({"charges/0/hexes_moved": 2, "charges/0/movement": "auto"}, ("charges[0].movement",)),
    (
        {"units/B/profile/type": "vehicle", "charges/0/weapon_phase": {"target_psr": "failed"}},
        ("charges[0].weapon_phase.target_psr",),
    ),
    (
        {"units/A/profile/type": "vehicle", "charges/0/weapon_phase": {"charger_psr": "roll"}},
        ("charges[0].weapon_phase.charger_psr",),
    ),
    ({"charges/0/weapon_phase": {"target_psr": "maybe"}}, ("charges[0].weapon_phase.target_psr",)),
    ({"charges/0/path": ["506"]}, ("charges[0].path[0]",)),
    ({"charges/0/path": ["backwards:0506"]}, ("charges[0].path[0]",)),
    ({"charges/0/path": ["0506 "]}, ("charges[0].path[0]",)),
    ({"charges/0/path": ["0506", "1606"]}, ("charges[0].path[1]", "1606")),
    ({"charges/0/path": [506]}, ("charges[0].path[0]",)),
    ({"charges/0/domino": {"Z": "forward"}}, ("charges[0].domino", "Z")),
    ({"charges/0/domino": {"C": "sideways"}}, ("charges[0].domino.C",)),
    ({"charges/0/miss": "ahead"}, ("charges[0].miss",)),
    ({"charges/0/declared_in": "end"}, ("charges[0].declared_in",)),
    ({"charges/0/end_facing": "E"}, ("charges[0].end_facing",)),
    ({"edition": "core"}, ("edition", "core")),
    ({"edition": "classic"}, ("edition",)),
    ({"board/columns": 0}, ("board.columns",)),
    ({"board/rows": 0}, ("board.rows",)),
    ({"board/hex_inches": -1}, ("board.hex_inches",)),
]


@pytest.mark.parametrize(
    ("changes", "expected"),
    REFUSED,
    ids=lambda item: json.dumps(item)[:50] if isinstance(item, dict) else "",
)
def test_files_are_refused_with_key_and_reason(
    changes: dict[str, Any], expected: tuple[str, ...]
) -> None:
    """Each mistake is told with its key path, and with what could be meant or what stands against it."""
    with pytest.raises(ScenarioError) as told:
        resolve(case_from_text(changed(changes)))
    for words in expected:
        assert words in str(told.value)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"units/C": {**unit("0505", tons=None, type="infantry")}},
        {"units/C": unit("0507", type="vehicle")},
        {"units/C": unit("0507", type="vtol", status=["landed"])},
        {"units/C/status": ["prone"]},
        {"units/C": unit("0909", tons=None, type="protomech")},
        {"terrain/+": terrain("light_smoke", "0202")},
        {"terrain/+": terrain("heavy_smoke", "1010")},
        {"terrain/+": terrain("prohibited", "0202")},
        {"terrain/+": terrain("level", "0303", level=-20)},
        {"charges/0/targets": ["building 1010"], "charges/0/target_hex": "1011"},
        {"charges/0/hexes_moved": 2, "charges/0/movement": "walk"},
        {"edition": "total_warfare"},
        {"units/A/profile/walk": None, "charges/0/hexes_moved": 0, "charges/0/movement": "run"},
    ],
)
def test_files_that_are_fine(changes: dict[str, Any]) -> None:
    """What lies within the limits is read."""
    assert resolve(case_from_text(changed(changes))).rulings


MOVED: dict[str, Any] = {"charges/0/hexes_moved": 2, "charges/0/movement": "run"}
BOUNDS: list[tuple[str, int, int, dict[str, Any]]] = [
    ("units/B/profile/tons", 1, 20_000, {}),
    ("units/B/profile/piloting", 0, 8, {}),
    ("units/B/profile/psr_modifier", -4, 10, {}),
    ("units/A/profile/walk", 0, 40, {}),
    ("units/A/profile/run", 4, 40, {}),
    ("units/B/profile/walk", 0, 40, {}),
    ("units/B/profile/unspent_mp", 0, 40, {}),
    ("units/B/profile/hexes_moved", 0, 60, {}),
    ("terrain/0/level", -20, 20, {}),
    ("terrain/1/cf", 1, 150, {}),
    ("terrain/3/depth", 0, 20, {}),
    ("charges/0/hexes_moved", 0, 60, MOVED),
    ("charges/0/mp_left", 0, 40, MOVED),
    ("charges/0/weapon_phase/charger_mp_lost", 0, 40, {}),
    ("charges/0/dice/0", 1, 6, {"charges/0/dice": [1, 1]}),
    ("board/columns", 10, 99, {}),
    ("board/rows", 11, 99, {}),
]
"""Numbers, the least and the greatest that a file may give; a board must hold the hexes that are named."""


@pytest.mark.parametrize(
    ("path", "least", "most", "changes"), BOUNDS, ids=[path for path, *_ in BOUNDS]
)
def test_files_may_go_to_the_limits(
    path: str, least: int, most: int, changes: dict[str, Any]
) -> None:
    """The least and the greatest value are read, one less and one more are refused by their key."""
    for value in (least, most):
        case_from_text(changed({**changes, path: value}))
    for value in (least - 1, most + 1):
        with pytest.raises(ScenarioError) as told:
            case_from_text(changed({**changes, path: value}))
        key = re.sub(r"/(\d+)", r"[\1]", path).replace("/", ".")
        assert key in str(told.value) or (path.startswith("board") and "hex" in str(told.value))


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ([], ("2", "to-hit")),
        ([6], ("1", "to-hit")),
        ([1, 1, 1], ("1", "[1]")),
        ([1, 1, 1, 2, 3], ("3", "[1, 2, 3]")),
        ([6, 6, 3, 4], ("2", "location", "A")),
    ],
)
def test_dice_must_be_just_enough(dice: list[int], expected: tuple[str, ...]) -> None:
    """Too few faces name the roll that misses them, and left-over ones are counted."""
    asked = charge(2, dice=dice)
    case = case_from_text(
        json.dumps(
            {**TABLES, "units": {**TABLES["units"], "A": charger("0506")}, "charges": [asked]}
        )
    )
    with pytest.raises(ScenarioError) as told:
        resolve(case)
    key, said = str(told.value).split(": ", 1)
    assert key == "charges[0].dice"
    for word in expected:
        assert word in said


def test_pieces_of_terrain_are_limited() -> None:
    """Beyond 200 they are refused; buildings of one hex do not count, as charges part such hexes from larger ones."""
    places = [f"{column:02}{row:02}" for column in range(1, 16) for row in range(1, 18)]
    houses = [terrain("building", place, cf=10) for place in places]
    woods = [terrain("light_woods", place) for place in places[:201]]
    assert len(table({}, ground=houses).state.hex_terrain) == len(houses)
    with pytest.raises(ScenarioError, match=r"^terrain: .*\b200\b"):
        table({}, ground=woods)


@pytest.mark.parametrize(
    ("keys", "seen"),
    [
        ({}, "walker"),
        ({"legs": 4}, "four_legs"),
        ({"type": "vehicle", "motion": "hover"}, "hover"),
        ({"type": "vehicle"}, "tracked"),
        *(({"type": kind}, seen) for kind, seen in SILHOUETTE_BY_TYPE.items()),
    ],
)
def test_every_type_says_what_it_looks_like(keys: dict[str, Any], seen: str) -> None:
    """Figures show a 'Mech by its legs, a vehicle by how it moves, others by their type."""
    assert Profile(**{"type": "mech", "tons": 50, **keys}).silhouette == seen

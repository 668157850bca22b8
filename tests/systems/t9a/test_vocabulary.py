"""The Ninth Age's part of the scenario file: what it refuses, and how."""

import copy
import json
import tomllib
from typing import Any

import pytest

from tabletop.errors import ScenarioError
from tabletop.ruling.system import Case
from tabletop.scenario import case_from_text

BASE: dict[str, Any] = tomllib.loads("""
system = "t9a"
board = { width = 72, depth = 48 }
[units.A]
side = "blue"
profile = { charge_speed = 5 }
at = [30, 10]
facing_deg = 90
files = 5
models = 15
base = "25x25mm"
[units.B]
side = "red"
at = [30, 20]
facing_deg = 270
files = 5
models = 12
base = "20x40mm"
[[charges]]
charger = "A"
targets = ["B"]
dice = [4]
""")
WALL = {"name": "Wall", "kind": "impassable", "polygon": [[31, 8], [40, 8], [40, 12], [31, 12]]}
CHARGE = {"charger": "A", "targets": ["B"]}


def _case(changes: dict[str, Any]) -> Case:
    tables = copy.deepcopy(BASE)
    for path, value in changes.items():
        *rooms, last = path.split("/")
        room = tables
        for part in rooms:
            room = room.setdefault(part, {})
        room[last] = value
    return case_from_text(json.dumps(tables), file="t.toml")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"units/A/base": "32mm round"}, ("units.A.base:", "mm", "'32mm round'")),
        ({"units/A/models": 4}, ("units.A.models:", "(5)", " 4")),
        (
            {"units/A/profile": {"charge_sped": 5}},
            ("units.A.profile.charge_sped:", "'charge_speed'"),
        ),
        (
            {"units/A/profile": {"charge_speed": 31}},
            ("units.A.profile.charge_speed:", " 30", " 31"),
        ),
        ({"units/A/profile": {"charge_speed": -1}}, ("units.A.profile.charge_speed:", " 0", " -1")),
        ({"units/A/profile": {"height": 6}}, ("units.A.profile.height:", " 5", " 6")),
        ({"units/A/profile": {"maximised": 5}}, ("units.A.profile.maximised:", " 4", " 5")),
        ({"units/A/profile": {"fly": 1}}, ("units.A.profile.fly:", "true", "false", " 1")),
        (
            {"units/A/profile": {"rear_rank": "center"}},
            ("units.A.profile.rear_rank:", "'center'", "'centre'"),
        ),
        (
            {"units/A/profile": {"maximised": 4, "swiftstride": True}},
            ("units.A.profile:", " 5 ", "maximised", "minimised"),
        ),
        (
            {"units/A/status": ["shakn"]},
            (
                "units.A.status[0]:",
                "'engaged'",
                "'shaken'",
                "'charging'",
                "'failed_charge'",
                "'shakn'",
            ),
        ),
        (
            {"terrain": [{**WALL, "kind": "impasable"}]},
            ("terrain[0].kind:", "'impassable'", "'opaque'", "'open'", "'impasable'"),
        ),
        ({"rules/clearance": 0}, ("rules.clearance:", " 0")),
        ({"rules/clearance": 0.11}, ("rules.clearance:", " 0.1,", " 0.11")),
        ({"rules/contact_slack": 0.2}, ("rules.contact_slack:", " 0.1", " 0.2")),
        ({"rules/corner": "both"}, ("rules.corner:", "'corners'")),
        (
            {"rules/tie": "center"},
            ("rules.tie:", "'longest-contact'", "'centre'", "'least-slide'", "'center'"),
        ),
        ({"units/A/at": [2.4606299, 10]}, None),
        (
            {"units/A/at": [2.46, 10]},
            ("units.A.at:", "72", "48", " 0.000629921 in"),
        ),
        ({"units/A/at": [71, 10]}, ("units.A.at:", "72", "48", " 1.46063 in")),
        ({"units/A/at": [30, 48.1]}, ("units.A.at:", "72", "48", " 0.1 in")),
        ({"units/A/at": [30, 19.95]}, None),
        ({"units/A/at": [30, 20]}, None),
        ({"units/A/at": [30, 20.1]}, ("units.A.at:", "'A'", "'B'", "overlap", " 0.1 in")),
        ({"terrain": [WALL]}, ("units.A.at:", "'A'", "'Wall'", "overlap", " 1.46063 in")),
        ({"terrain": [{**WALL, "kind": "opaque"}]}, None),
        (
            {
                "terrain": [
                    {
                        "name": "P",
                        "kind": "impassable",
                        "circle": {"centre": [30, 12], "radius": 2.5},
                    }
                ]
            },
            ("units.A.at:", "'A'", "'P'", "overlap", " 0.5 in"),
        ),
        ({"units/B/side": "blue"}, ("charges[0].targets[0]:", "'B'", "'A'", "'blue'")),
        ({"charges": [{**CHARGE, "targets": ["A"]}]}, ("charges[0].targets[0]:", "'A'")),
        (
            {"charges": [{**CHARGE, "targets": ["B", "B"]}]},
            ("charges[0].targets:", " 1 ", "t9a", " 2"),
        ),
        ({"charges": [{**CHARGE, "dice": [7]}]}, ("charges[0].dice[0]:", " 1 ", " 6", " 7")),
        (
            {"charges": [{**CHARGE, "reaction": "flee"}]},
            ("charges[0].reaction:", "'hold'", "'flee'"),
        ),
        ({"charges": [{**CHARGE, "reaction": "hold"}]}, None),
    ],
)
def test_set_ups_are_refused_with_key_and_reason(
    changes: dict[str, Any], expected: tuple[str, ...] | None
) -> None:
    """Each mistake is told once with its key path; touching, and terrain that is not impassable, are fine."""
    if expected is None:
        assert _case(changes)
        return
    with pytest.raises(ScenarioError) as raised:
        _case(changes)
    (line,) = str(raised.value).splitlines()
    for words in expected:
        assert words in line


def test_the_limits_themselves_are_accepted() -> None:
    """Every limit includes its value."""
    case = _case(
        {
            "units/A/profile": {"charge_speed": 30, "height": 5, "maximised": 4},
            "rules": {"clearance": 0.1, "contact_slack": 0.1},
        }
    )
    assert (case.state.units["A"].profile.extra_dice, case.choices.clearance) == (4, 0.1)


def test_defaults_are_those_of_the_rules_page() -> None:
    """What a file leaves out has its documented default."""
    case = _case({})
    assert case.state.units["B"].profile.model_dump() == {
        "charge_speed": 0.0,
        "height": 1,
        "swiftstride": False,
        "maximised": 0,
        "minimised": 0,
        "fly": False,
        "skirmish": False,
        "rear_rank": "left",
    }
    assert case.choices.model_dump() == {
        "clearance": 0.001,
        "corners": "both",
        "arc_tie": "best",
        "friend_touch": True,
        "impassable_touch": False,
        "combined_goal": "target-first",
        "engaged_target_turns": False,
        "gap_graze": True,
        "contact_slack": 0.0,
        "distance_from": "boundary",
        "blocked_facing": "best",
        "combined_lookahead": "together",
        "tie": "longest-contact",
        "declare_room": "earlier-gone",
        "blocked_by_friends": True,
        "combined_blocked_path": True,
    }
    assert case.charges[0].declarations.reaction == "hold"


def test_skirmishers_stand_apart_and_rear_ranks_where_they_are_told() -> None:
    """The profile decides the space between models, 12.5 mm, and the place of an incomplete rear rank."""
    unit = _case({"units/A/profile": {"skirmish": True, "rear_rank": "centre"}}).state.units["A"]
    assert (unit.spacing * 25.4, unit.rear_rank) == (12.5, "centre")
    assert round(unit.width * 25.4, 9) == 5 * 25 + 4 * 12.5


def test_extra_dice_count_every_source() -> None:
    """Swiftstride is one more maximised; minimised sources take away."""
    profile = {"swiftstride": True, "maximised": 1, "minimised": 3}
    assert _case({"units/A/profile": profile}).state.units["A"].profile.extra_dice == -1

"""Conquest's part of the scenario file: what it refuses, and how."""

import copy
from typing import Any

import pytest

from systems.conquest.words import Profile
from tabletop.errors import ScenarioError
from tests.tables import Entry, box, read, scenario, unit

HUT = box((30, 33), (30, 33), kind="garrison", name="hut")
ROUND = {"name": "tower", "kind": "garrison", "circle": {"centre": [20, 20], "radius": 2}}
BASE: dict[str, Entry] = {"B": unit((20, 18), 270), "C": unit((40, 18), 270)}


def changed(changes: dict[str, Any], *terrain: Entry) -> Entry:
    """Write a file with values replaced at paths such as `units/A/files`."""
    tables = copy.deepcopy(scenario(BASE, terrain))
    for path, value in changes.items():
        *rooms, last = [int(part) if part.isdecimal() else part for part in path.split("/")]
        room: Any = tables
        for part in rooms:
            room = room[part] if isinstance(part, int) else room.setdefault(part, {})
        room[last] = value
    return tables


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"charges/0/targets": ["D"]}, ("charges[0].targets[0]",)),
        ({"charges/0/targets": ["hill"]}, ("charges[0].targets[0]",)),
        ({"charges/0/targets": ["A"]}, ("charges[0].targets[0]", "'A'")),
        ({"charges/0/targets": ["tower"]}, ("charges[0].targets[0]",)),
        ({"charges/0/charger": "D"}, ("charges[0].charger",)),
        ({"units/hut": unit((50, 40), 90)}, ("'hut'",)),
        ({"units/A/base": "32mm round"}, ("units.A.base", "mm")),
        ({"units/A/files": 4}, ("units.A.stands",)),
        ({"units/A/files": 0}, ("units.A.files",)),
        ({"units/A/profile": {}}, ("units.A.profile.march",)),
        ({"units/A/profile": {"march": 0}}, ("units.A.profile.march", " 0")),
        ({"units/A/profile": {"march": 30.1}}, ("units.A.profile.march", " 30,", "30.1")),
        ({"units/A/profile": {"march": 5, "size": 10}}, ("units.A.profile.size",)),
        ({"units/A/profile": {"march": 5, "size": 1.5}}, ("units.A.profile.size",)),
        ({"units/A/profile": {"march": 5, "reroll": 1}}, ("units.A.profile.reroll",)),
        ({"units/A/profile": {"march": 5, "imapct": True}}, ("units.A.profile.imapct", "'impact'")),
        ({"units/A/models": 3}, ("units.A.models",)),
        ({"units/A/status": ["dne"]}, ("units.A.status[0]",)),
        ({"charges/0/dice": [7]}, ("charges[0].dice[0]",)),
        ({"charges/0/dice": [0]}, ("charges[0].dice[0]",)),
        ({"charges/0/marched": -1}, ("charges[0].marched",)),
        ({"charges/0/marched": 9}, ("charges[0].marched",)),
        ({"charges/0/actions_left": -1}, ("charges[0].actions_left",)),
        ({"charges/0/actions_left": 0.5}, ("charges[0].actions_left",)),
        (
            {"charges/0/wheel": {"pivot": "left", "angle_deg": 90.1}},
            ("charges[0].wheel.angle_deg",),
        ),
        (
            {"charges/0/wheel": {"pivot": "left", "angle_deg": -0.1}},
            ("charges[0].wheel.angle_deg",),
        ),
        ({"charges/0/wheel": {"pivot": "middle", "angle_deg": 1}}, ("charges[0].wheel.pivot",)),
        ({"charges/0/wheel": {"pivot": "left"}}, ("charges[0].wheel.angle_deg",)),
        ({"rules/clearance": 0.2}, ("rules.clearance",)),
        ({"rules/clearance": 9e-6}, ("rules.clearance",)),
        ({"rules/overlap": 0.6}, ("rules.overlap",)),
        ({"rules/wheel_policy": "most-stands"}, ("rules.wheel_policy",)),
        ({"rules/push": "never"}, ("rules.push",)),
        ({"rules/pushes": "last-resort"}, ("rules.pushes",)),
        ({"terrain/0/kind": "garison"}, ("terrain[0].kind",)),
        ({"terrain/0/height": 1.5}, ("terrain[0].height",)),
        ({"terrain/0/height": 10}, ("terrain[0].height",)),
        ({"units/A/at": [2.9, 10]}, ("units.A.at",)),
        ({"units/A/at": [20, 16.1]}, None),
        ({"units/A/at": [20, 18.1]}, ("units.A.at", "'A'", "'B'", "overlap", " 0.1 in")),
        ({"units/A/at": [20, 18.0009]}, None),
        ({"units/A/at": [31.5, 31]}, ("'hut'",)),
        ({"units/A/at": [30, 46]}, None),
        ({"terrain/0/kind": "forest", "units/A/at": [31.5, 31]}, None),
    ],
)
def test_files_are_refused_with_key_and_reason(
    changes: dict[str, Any], expected: tuple[str, ...] | None
) -> None:
    """Each mistake is told with its key path; what is fine is read."""
    hill = box((50, 60), (30, 40), kind="hill", name="hill")
    tables = changed(changes, HUT, hill, {**ROUND, "circle": {"centre": [60, 10], "radius": 2}})
    if expected is None:
        assert read(tables)
        return
    with pytest.raises(ScenarioError) as raised:
        read(tables)
    for words in expected:
        assert words in str(raised.value)


@pytest.mark.parametrize(
    ("kind", "height"),
    [("impassable", 0), ("garrison", 2), ("forest", 3), ("hill", 2), ("open", 0)],
)
def test_terrain_has_the_height_of_its_kind(kind: str, height: int) -> None:
    """What a file leaves out is the kind's height; what it says stands."""
    plain = box((30, 33), (30, 33), kind=kind)
    told = box((40, 43), (30, 33), kind=kind, name="told", height=1)
    assert [piece.height for piece in read(scenario(BASE, [plain, told])).state.terrain] == [
        height,
        1,
    ]


def test_who_marched_may_overlap_friends_only() -> None:
    """After a March the charger may still overlap a friend that it crosses, but no enemy."""
    crossing = {"F": unit((20, 9), 90, side="blue")}
    assert read(scenario({**BASE, **crossing}, charge={"marched": 3}))
    with pytest.raises(ScenarioError, match="overlap"):
        read(scenario({**BASE, **crossing}))
    with pytest.raises(ScenarioError, match="overlap"):
        read(scenario({**BASE, "F": unit((20, 9), 90)}, charge={"marched": 3}))


@pytest.mark.parametrize("status", ["marched", "done", "broken", "charged", "reinforcement"])
@pytest.mark.parametrize("side", ["blue", "red"])
def test_whom_a_charge_may_have_left_in_a_friend_is_known_by_its_status(
    status: str, side: str
) -> None:
    """Who marched, or has lost its actions or its nerve, may overlap friends, whichever of the two has the word;
    enemies never.
    """
    for marked in ("F", "G"):
        pair = {"F": unit((50, 9), 90, side="blue"), "G": unit((50, 8), 90, side=side)}
        pair[marked]["status"] = [status]
        tables = scenario({**BASE, **pair})
        if side == "blue" and status in ("marched", "done", "broken"):
            assert read(tables)
            continue
        with pytest.raises(ScenarioError, match=r"'F'.*'G'.*overlap"):
            read(tables)


def test_defaults_are_those_of_the_rules_page() -> None:
    """What a file leaves out has its documented default."""
    case = read(scenario(BASE))
    assert case.edition == "1.5"
    assert case.choices.model_dump() == {
        "clearance": 0.001,
        "overlap": 0.001,
        "wheel_policy": "most-contact",
        "reach": "limit",
        "facing_tie": "front-first",
        "facing_out_of_reach": "next",
        "push": "last-resort",
        "align_sweep": "whole",
        "deadlock": "fail",
        "failed_direction": "nearest",
        "failed_impassable": "inch",
        "mired_broken": "both",
        "broken": "allowed",
        "corner_contact": "counts",
        "front_arc": "any",
        "sight_size": "both",
    }
    assert case.charges[0].declarations.marched == 0
    assert case.charges[0].declarations.wheel is None


def test_bases_keep_their_decimals() -> None:
    """50.8 mm are two inches exactly, and an incomplete rear rank counts whole in depth."""
    one = read(scenario({"A": unit((20, 10), 90, 3, side="blue", stands=4), **BASE})).state.units[
        "A"
    ]
    assert (one.width, one.depth, one.ranks) == (6.0, 4.0, 2)


@pytest.mark.parametrize(("size", "seen"), [(1, "foot"), (2, None), (3, "monster"), (4, None)])
def test_a_size_says_what_it_looks_like(size: int, seen: str | None) -> None:
    """Infantry and monsters are told by their size; of size 2 there are several kinds."""
    assert Profile(march=5, size=size).silhouette == seen

"""Numbers that profiles leave out: said by the findings that used them, and by no others."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest

from tabletop.api import resolve
from tabletop.ruling.finding import Assumed, Finding, sentence
from tabletop.scenario import case_from_text, result

Tables = dict[str, Any]


def regiments(system: str, keys: Mapping[str, Any], *names: str, **more: Any) -> Tables:
    """Write a file of regiments that look at each other, one behind the other; A charges B."""
    places = {"A": ([20, 10], 90), "B": ([20, 18], 270), "C": ([21, 13], 90), "D": ([40, 40], 270)}
    units = {
        name: {
            "side": "blue" if name == "A" else "red",
            "at": places[name][0],
            "facing_deg": places[name][1],
            "files": 3,
            **keys,
        }
        for name in ("A", "B", *names)
    }
    return {
        "system": system,
        "board": {"width": 72, "depth": 48},
        "units": units,
        "charges": [{"charger": "A", "targets": ["B"], **more}],
    }


def t9a(*names: str) -> Tables:
    """Write a charge of The Ninth Age."""
    return regiments("t9a", {"models": 6, "base": "25x25mm"}, *names, dice=[6])


def conquest(*names: str) -> Tables:
    """Write a charge of Conquest."""
    return regiments(
        "conquest", {"stands": 3, "base": "50.8x50.8mm", "profile": {"march": 5}}, *names, dice=[6]
    )


def squads(*names: str) -> Tables:
    """Write a charge of Warhammer 40,000."""
    places = {"A": [20, 20], "B": [24, 20], "C": [30, 20]}
    units = {
        name: {
            "side": "blue" if name == "A" else "red",
            "base": "25.4mm round",
            "at": [places[name]],
        }
        for name in ("A", "B", *names)
    }
    charges = [{"charger": "A", "targets": ["B"], "dice": [4, 4]}]
    return {
        "system": "wh40k",
        "board": {"width": 60, "depth": 44},
        "units": units,
        "charges": charges,
        "rules": {"vertical": "body"},
    }


def hexes(**charge: Any) -> Tables:
    """Write a charge of BattleTech."""
    places = {"A": ("0507", "N", "blue"), "B": ("0506", "S", "red")}
    units = {
        name: {
            "side": side,
            "hex": place,
            "facing": facing,
            "profile": {"type": "mech", "tons": 10},
        }
        for name, (place, facing, side) in places.items()
    }
    asked = {"charger": "A", "targets": ["B"], "hexes_moved": 1, "movement": "run", **charge}
    return {
        "system": "battletech",
        "board": {"columns": 15, "rows": 17},
        "units": units,
        "charges": [asked],
    }


def assumed_of(tables: Tables) -> dict[str, set[str]]:
    """Resolve a file; give what each rule says that no profile gives. The sentences name just that."""
    case = case_from_text(json.dumps(tables))
    found: dict[str, set[str]] = {}
    for ruling in resolve(case).rulings:
        for finding in ruling.findings:
            told = {f"{one.unit}.{one.key}={one.value:g}" for one in finding.assumed}
            assert all(
                re.search(rf"\b{one.key}\b.* {one.value:g}\b", finding.text)
                for one in finding.assumed
            )
            assert ("given" in finding.text) is bool(told)
            if told:
                found.setdefault(finding.rule, set()).update(told)
    return found


SPEED = {"A.charge_speed=0"}
SIZES = {"A.size=1", "B.size=1"}
HEIGHTS = {"A.height=0", "B.height=0"}
PILOTING = {"A.piloting=5", "B.piloting=5"}
HIT = [6, 6, 3, 4, 3, 4]
ROWS: list[tuple[Tables, dict[str, set[str]]]] = [
    (t9a(), {"t9a.declare.max-range": SPEED, "t9a.range.roll": SPEED}),
    (
        t9a("C"),
        {
            "t9a.declare.line-of-sight": {"A.height=1", "B.height=1", "C.height=1"},
            "t9a.declare.max-range": SPEED,
        },
    ),
    (t9a("D"), {"t9a.declare.max-range": SPEED, "t9a.range.roll": SPEED}),
    (conquest(), {"conquest.declare.line-of-sight": SIZES}),
    (conquest("C"), {"conquest.declare.line-of-sight": {*SIZES, "C.size=1"}}),
    (conquest("D"), {"conquest.declare.line-of-sight": SIZES}),
    (
        {**conquest(), "rules": {"sight_size": "charger"}},
        {"conquest.declare.line-of-sight": {"A.size=1"}},
    ),
    ({**squads(), "rules": {}}, {}),
    (squads(), {"wh40k.targets.range": HEIGHTS, "wh40k.possible.engage-all": HEIGHTS}),
    (
        squads("C"),
        {
            "wh40k.targets.range": HEIGHTS,
            "wh40k.possible.engage-all": HEIGHTS,
            "wh40k.possible.avoid-others": {"A.height=0", "C.height=0"},
        },
    ),
    (hexes(dice=[1, 1]), {"battletech.tohit.number": {*PILOTING, "B.hexes_moved=0"}}),
    (
        hexes(dice=[*HIT, 6, 6, 1, 1, 1, 3, 4, 6, 6]),
        {
            "battletech.tohit.number": {*PILOTING, "B.hexes_moved=0"},
            "battletech.psr.charge": PILOTING,
            "battletech.fall": {"B.piloting=5"},
        },
    ),
    (
        hexes(weapon_phase={"charger_psr": "roll"}, dice=[1, 1, 1, 3, 4, 6, 6]),
        {"battletech.weapon.charger-fell": {"A.piloting=5"}, "battletech.fall": {"A.piloting=5"}},
    ),
    (hexes(hexes_moved=None, movement="jump", path=[]), {}),
]


@pytest.mark.parametrize(("tables", "expected"), ROWS)
def test_findings_name_numbers_that_no_profile_gives(
    tables: Tables, expected: dict[str, set[str]]
) -> None:
    """What entered the ruling is named where it was used: not the speed of who stands, nor heights that nobody
    compares.
    """
    if tables["system"] == "battletech":
        tables = json.loads(json.dumps(tables).replace('"hexes_moved": null, ', ""))
        tables["units"]["A"]["profile"]["walk"] = 4
    assert assumed_of(tables) == expected


def test_a_domino_that_steps_out_names_its_mp() -> None:
    """Who passes and would step out of a push asks for MP that no profile gives; and a building for the driver's
    skill.
    """
    tables = hexes(dice=[*HIT, 6, 6, 6, 6, 6, 6], domino={"C": "forward"})
    tables["units"]["C"] = {
        "side": "red",
        "hex": "0505",
        "facing": "NE",
        "profile": {"type": "mech", "tons": 10},
    }
    assert assumed_of(tables)["battletech.displace.domino"] == {"C.piloting=5", "C.unspent_mp=0"}
    tables["charges"][0] |= {"domino": {}}
    assert assumed_of(tables)["battletech.displace.domino"] == {"C.piloting=5"}
    house = {"name": "House", "kind": "building", "hexes": ["0506"], "cf": 10}
    tables = {**hexes(targets=["House"], dice=[3, 4, 6, 6, 6, 6]), "terrain": [house]}
    del tables["units"]["B"]
    assert assumed_of(tables) == {
        rule: {"A.piloting=5"}
        for rule in ("battletech.building.entry-roll", "battletech.psr.charge")
    }


GIVEN = {"t9a": "charge_speed", "conquest": "size", "battletech": "piloting"}


@pytest.mark.parametrize("tables", [t9a(), conquest(), hexes(dice=[1, 1])], ids=list(GIVEN))
def test_numbers_that_are_given_are_not_named(tables: Tables) -> None:
    """The same number, written down, is nobody's guess; and what was left out is still left out of the table
    afterwards.
    """
    key = GIVEN[tables["system"]]
    case = case_from_text(json.dumps(tables))
    after = result(case, resolve(case))["after"]
    assert all(key not in unit.get("profile", {}) for unit in after["units"].values())
    told = {name for named in assumed_of(tables).values() for name in named}
    value = next(int(name.partition("=")[2]) for name in told if f".{key}=" in name)
    for unit in tables["units"].values():
        unit["profile"] = {**unit.get("profile", {}), key: value}
    assert {name for named in assumed_of(tables).values() for name in named} == {
        name for name in told if f".{key}=" not in name
    }


def test_a_finding_without_guesses_is_as_it_was() -> None:
    """Nothing left out, nothing added."""
    finding = Finding("t9a.range", ok=True, text="It reaches.")
    assert finding.using() is finding
    assert re.match(
        r"It reaches\. .*\bA\b.*\bcharge_speed\b.* 0\b",
        finding.using(Assumed("A", "charge_speed", 0.0)).text,
    )
    assert sentence(()) == ""

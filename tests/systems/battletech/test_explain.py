"""What decided a charge is shown where it is seen: words and places by hand.

A goes north from 0508 to B in 0505 if not said otherwise. Hexes are 1.25 in from flat to flat: that of 0505 has its
middle at (5.052, 16.25), each to the south is 1.25 in farther down, and its corners are 0.722 in from its middle.
"""

from typing import Any

import pytest

from plots.marks.mark import Label
from plots.marks.panels import charge_panels
from tabletop.geometry.pose import Point
from tabletop.messages import names_in
from tabletop.ruling.evidence import Mark
from tabletop.ruling.system import Case
from tabletop.scenario import read_case
from tabletop.testing.answers import resolved
from tests.bundled import NAMES
from tests.systems.battletech.tables import (
    Entry,
    charge,
    charger,
    finding,
    resolve,
    ruling,
    table,
    terrain,
    unit,
)
from tests.systems.said import numbers

B = unit("0505", "S")
STRAIGHT = ["0507", "0506"]
SURE: Entry = {"modifiers": {"sure": -9}}
"""Makes a charge hit with any dice."""
RIGHT, X, LEFT = 5.774, 5.052, 4.330
"""Corners and middle of the hexes between A and B, in inches across the table."""


def way(
    *ground: Entry,
    who: Entry | None = None,
    whom: Entry = B,
    others: dict[str, Entry] | None = None,
    **keys: Any,
) -> Case:
    """Let A, which has 20 MP, charge B by the straight path."""
    rules = keys.pop("rules", None)
    units = {"A": charger("0508", **{"walk": 20, **(who or {})}), "B": whom, **(others or {})}
    return table(
        units, charge(**{"path": STRAIGHT, "movement": "walk", **keys}), ground=ground, rules=rules
    )


def close(*ground: Entry, rules: Entry | None = None, **keys: Any) -> Case:
    """Let A charge from 0506, where it stands after four hexes."""
    return table(
        {"A": charger("0506", walk=4), "B": B}, charge(4, **keys), ground=ground, rules=rules
    )


def shown(case: Case, rule: str) -> Mark:
    """Return what shows a rule in the last ruling of a case."""
    return ruling(case).decided[f"battletech.{rule}"]


def flat(*lines: tuple[Point, Point]) -> list[float]:
    """Return the coordinates of lines in a row."""
    return [value for line in lines for point in line for value in point]


def span(told: Mark) -> tuple[float, float, float, float]:
    """Return the least and greatest x and y of all lines."""
    xs, ys = zip(*(point for line in told.lines for point in line), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def near(value: Any) -> Any:
    """Return numbers written by hand, to a thousandth of an inch."""
    return pytest.approx(value, abs=1e-3)


def ring(y: float) -> Any:
    """Return the extent of a hex between A and B whose middle is at a height."""
    return near((LEFT, y - 0.625, RIGHT, y + 0.625))


@pytest.mark.parametrize(
    ("rule", "word", "case"),
    [
        ("declare.movement-phase", "weapon", way(declared_in="weapon")),
        ("declare.movement-phase", "moved", way(who={"status": ["moved"]})),
        ("declare.charger-type", "VTOL", way(who={"type": "vtol"})),
        (
            "declare.charger-able",
            "stunned",
            way(who={"status": ["stunned"]}, path=None, movement="jump"),
        ),
        ("declare.no-weapon-attacks", "weapons", way(who={"status": ["fired"]})),
        ("declare.target-finished", "moved", way(whom=unit("0505", status=["unmoved"]))),
        ("declare.target-charging", "itself", way(whom=unit("0505", status=["charging"]))),
        ("declare.one-per-target", "charged", way(whom=unit("0505", status=["targeted"]))),
        (
            "declare.target-enemy",
            "side",
            way(whom=unit("0505", side="blue"), rules={"friendly_target": "forbidden"}),
        ),
        ("declare.target-infantry", "infantry", way(whom=unit("0505", type="infantry", tons=None))),
        ("declare.target-protomech", "ProtoMech", way(whom=unit("0505", type="protomech", tons=5))),
        ("declare.target-airborne", "air", way(whom=unit("0505", type="vtol", tons=20))),
        ("declare.mech-vs-vehicle", "vehicle", way(whom=unit("0505", type="vehicle"))),
        ("declare.target-prone", "prone", way(whom=unit("0505", status=["prone"]))),
    ],
)
def test_a_status_is_a_word_at_its_unit(rule: str, word: str, case: Case) -> None:
    """It stands right of the hex, at the corner, and nothing is drawn over the unit."""
    told = shown(case, rule)
    is_charger = "charger" in rule or rule in (
        "declare.movement-phase",
        "declare.no-weapon-attacks",
    )
    assert word in told.words
    assert (told.lines, told.stage) == ((), "before")
    assert told.at == near((RIGHT, 12.5 if is_charger else 16.25))


def test_every_rule_that_decides_is_shown() -> None:
    """All that is broken of a bundled charge that may not be declared has its mark, and so has what a declared one
    fails by.
    """
    for name in (name for name in NAMES if name.startswith("battletech/")):
        for one in resolved(name)[1].rulings:
            broken = (
                {found.rule for found in one.findings if not found.ok}
                if one.outcome == "not_allowed"
                else {one.rule} - {None}
            )
            assert broken <= set(one.decided), (name, one.charge.label)


def test_one_per_target() -> None:
    """Who charges already is named."""
    units = {"A": charger("0506", walk=4), "B": B, "C": charger("0405", "NE", walk=4)}
    case = table(units, charge(4, dice=[1, 1]), charge(4, who="C"))
    assert names_in(shown(case, "declare.one-per-target").words) == {"A"}


def test_declare_building_and_prohibited_terrain() -> None:
    """The hex of the target is outlined."""
    housed = way(terrain("building", "0505", cf=40), rules={"charge_into_building": "forbidden"})
    for rule, name, case in (
        ("declare.building", "B", housed),
        ("declare.prohibited-terrain", "A", way(terrain("prohibited", "0505"))),
    ):
        told = shown(case, rule)
        assert (set(names_in(told.words)), len(told.lines), span(told)) == ({name}, 6, ring(16.25))


def test_declare_level_difference() -> None:
    """The side between the last hex and the target's is drawn, with the levels and what can be crossed."""
    told = shown(way(terrain("level", "0505", level=3)), "declare.level-difference")
    assert numbers(told.words) == ["3", "2"]
    assert flat(*told.lines) == near([X - 0.361, 15.625, X + 0.361, 15.625])
    assert numbers(
        shown(way(terrain("level", "0506", level=3)), "declare.level-difference").words
    ) == ["3", "2"]


def test_path_forward_only() -> None:
    """The steps in a wrong sense are drawn, from where the unit ends that stands there."""
    told = shown(way(path=["side:0507", "0506"]), "path.forward-only")
    assert told.words == "sideways"
    assert flat(*told.lines) == near([X, 12.9, X, 13.75])


def test_path_connected() -> None:
    """The gap is drawn; a step that leads nowhere is none, and is told."""
    told = shown(way(path=["0506"]), "path.connected")
    assert (numbers(told.words), flat(*told.lines)) == (["0508", "0506"], near([X, 12.9, X, 15.0]))
    told = shown(way(path=["0508", "0507", "0506"]), "path.connected")
    assert (numbers(told.words), told.lines) == (["0508"], ())


def test_path_enterable() -> None:
    """The hexes are outlined that cannot be entered."""
    told = shown(way(others={"C": unit("0507")}), "path.enterable")
    assert ("enemy" in told.words, span(told)) == (True, ring(13.75))
    wet = shown(way(terrain("water", "0506", depth=1), movement="run"), "path.enterable")
    assert ("water" in wet.words, numbers(wet.words), span(wet)) == (True, ["1"], ring(15.0))
    high = shown(way(terrain("level", "0507", level=3)), "path.enterable")
    assert (numbers(high.words), span(high)) == (["3", "2"], near((LEFT, 13.125, RIGHT, 15.625)))


def test_path_end_hex() -> None:
    """The last hex is outlined, and who is in it named."""
    told = shown(way(others={"C": charger("0506")}), "path.end-hex")
    assert (set(names_in(told.words)), span(told)) == ({"C"}, ring(15.0))


def test_declare_front_hex() -> None:
    """The hex before the charger is dashed, and how the target lies from there drawn."""
    told = shown(way(end_facing="NE"), "declare.front-hex")
    assert (set(names_in(told.words)), "NE" in told.words) == ({"B"}, True)
    assert flat(*told.lines) == near([X, 15.0, X, 15.85])
    assert flat(*told.limits)[:2] == near([X + 1.0825 + 0.722, 15.625])
    assert numbers(shown(way(path=["0507"]), "declare.front-hex").words) == ["2"]
    assert not numbers(shown(way(path=[*STRAIGHT, "0505"]), "declare.front-hex").words)


def test_declare_enough_mp() -> None:
    """Of a way that is given, or the straight one if none costs less, the part is drawn that is not paid for; else the
    hex outlined.
    """
    told = shown(way(terrain("heavy_woods", "0506"), who={"walk": 2}), "declare.enough-mp")
    assert numbers(told.words) == ["5", "2"]
    assert flat(*told.lines) == near([X, 13.75, X, 15.0, X, 15.0, X, 15.85])
    sought = shown(way(who={"walk": 2}, path=None), "declare.enough-mp")
    assert (numbers(sought.words), flat(*sought.lines)) == (["3", "2"], near([X, 15.0, X, 15.85]))
    barred = shown(
        way(terrain("prohibited", "0506"), who={"walk": 2}, path=None), "declare.enough-mp"
    )
    assert (numbers(barred.words), span(barred)) == (["7", "2"], ring(16.25))
    walled = way(terrain("prohibited", "0404", "0405", "0504", "0506", "0604", "0605"), path=None)
    assert "path" in shown(walled, "declare.enough-mp").words


def test_tohit_roll() -> None:
    """The roll and what was needed stand at the target, whose hex is outlined, after the charge."""
    told = shown(close(dice=[1, 1]), "tohit.roll")
    assert (numbers(told.words), told.stage, span(told)) == (["2", "7"], "after", ring(16.25))


def test_resolve_front_hex() -> None:
    """The hex where the target was is outlined."""
    units = {
        "A": charger("0508", walk=4),
        "B": unit("0507"),
        "C": unit("0506"),
        "D": charger("0406", "NE", walk=4),
    }
    pushed = charge(2, **SURE)
    case = table(units, pushed, charge(2, who="D", whom="C"), rules={"stacking": "single"})
    told = shown(case, "resolve.front-hex")
    found = finding(ruling(case), "battletech.resolve.front-hex")
    assert (set(names_in(told.words)), told.stage, span(told)) == ({"C"}, "after", ring(15.0))
    assert (found.measured, found.limit, found.margin) == (1, 0, -1), "C was pushed on by one hex"


def test_weapon_charger_fell_target_fell_and_mp_loss() -> None:
    """The roll stands at the unit that fell, or that it fell where none was made; so do the MP lost."""
    fell = close(dice=[1, 1, *[1] * 7], weapon_phase={"charger_psr": "roll"})
    told = shown(fell, "weapon.charger-fell")
    assert (numbers(told.words), span(told)) == (["2", "6"], ring(15.0))
    down = shown(close(weapon_phase={"target_psr": "failed"}), "weapon.target-fell")
    assert ("weapon" in down.words, span(down)) == (True, ring(16.25))
    lost = shown(
        close(weapon_phase={"charger_mp_lost": 5}, rules={"immobile_charger": "cancelled"}),
        "weapon.mp-loss",
    )
    assert (numbers(lost.words), lost.at, lost.lines) == (["4", "5"], near((RIGHT, 15.0)), ())


def test_weapon_skid() -> None:
    """A skid that missed its target shows that roll, one that ended at a hill the side of it, for the hill is never
    entered.
    """
    road = terrain("pavement", "0506", "0505", "0504")
    keys: Entry = {"weapon_phase": {"charger_psr": "failed"}}
    missed = shown(close(road, dice=[1, 1, *[3] * 4], **keys), "weapon.charger-fell")
    assert (numbers(missed.words), span(missed)) == (["2", "10"], ring(16.25))
    hill = shown(
        close(terrain("pavement", "0506"), terrain("level", "0505", level=1), **keys),
        "weapon.charger-fell",
    )
    assert ("skid" in hill.words, flat(*hill.lines)) == (
        True,
        near([X - 0.361, 15.625, X + 0.361, 15.625]),
    )


def test_damage_target() -> None:
    """A hit shows the points right of where the target was pushed, and where it is not pushed the side that holds
    it.
    """
    told = shown(close(**SURE), "damage.target")
    assert (set(names_in(told.words)), told.stage, told.at) == (
        {"24", "B"},
        "after",
        near((RIGHT, 17.5)),
    )
    held = shown(close(terrain("level", "0504", level=4), **SURE), "displace.blocked")
    assert ("pushed" in held.words, flat(*held.lines)) == (
        True,
        near([X - 0.361, 16.875, X + 0.361, 16.875]),
    )


def test_damage_target_in_a_building() -> None:
    """Of what a building takes the target has nothing: 24 points in five groups, 4 of each taken by CF 40, are 4 in
    all.
    """
    case = close(terrain("building", "0505", cf=40), dice=[6, 6, *[3, 4] * 10])
    assert names_in(shown(case, "damage.target").words) == {"4", "B"}
    found = ruling(case)
    assert [
        names_in(one.text) for one in found.findings if one.rule == "battletech.damage.target"
    ] == [{"B", "24"}]
    # 20 points are taken off the building by the hit, and a tenth of 60 tons by A as it goes in
    assert "4" in numbers(found.summary)
    assert "40 \N{MINUS SIGN} 20 \N{MINUS SIGN} 6 = 14" in found.summary
    assert found.metrics["building_cf"] == 14


def test_a_sum_of_a_building_that_comes_down_ends_at_nothing() -> None:
    """No more is taken off than there is left."""
    case = table(
        {"A": charger("0506", walk=4)},
        charge(4, whom="building 0505"),
        ground=[terrain("building", "0505", cf=20)],
    )
    assert "20 \N{MINUS SIGN} 20 = 0" in ruling(case).summary


def test_unusual_building() -> None:
    """So does a charge on a building, by its name."""
    case = table(
        {"A": charger("0506", walk=4)},
        charge(4, whom="house"),
        ground=[{**terrain("building", "0505", cf=90), "name": "house"}],
    )
    told = shown(case, "unusual.building")
    assert (set(names_in(told.words)), told.at) == ({"24", "house"}, near((RIGHT, 16.25)))


def test_what_decides_is_drawn_where_nothing_moved() -> None:
    """A charge that leaves all as it was has one picture, which shows what came of it."""
    case = close(weapon_phase={"charger_mp_lost": 5}, rules={"immobile_charger": "cancelled"})
    (panel,) = charge_panels(resolve(case))
    assert ["4", "5"] in [numbers(mark.text) for mark in panel.marks if isinstance(mark, Label)]


def test_the_dice_of_the_roll_to_hit_are_shown() -> None:
    """The two faces that hit or miss are kept with what they make, not those of later rolls; a hit without a roll has
    none.
    """
    thrown = {
        name: resolve(read_case(f"battletech/{name}")).rulings[0].evidence.dice
        for name in ("a-run-up-backwards", "straight-run")
    }
    assert {name: dice and (dice.faces, numbers(dice.words)) for name, dice in thrown.items()} == {
        "a-run-up-backwards": ((2, 3), ["5", "6"]),
        "straight-run": ((3, 4), ["7", "6"]),
    }
    assert resolve(read_case("battletech/one-mp-short")).rulings[0].evidence.dice is None


def test_mp_in_hexes_are_those_of_a_path_that_is_shown() -> None:
    """Standing up counts; a path that was only searched is not shown where another rule refuses, nor one round a
    bend.
    """

    def spent(case: Case) -> list[list[str]]:
        """Return the numbers of all notes."""
        return [numbers(note.text) for note in ruling(case).evidence.notes]

    assert spent(way(who={"status": ["prone"]})) == [["3"], ["4"], ["5"]]
    assert spent(way(who={"status": ["fired"]})) == [["1"], ["2"], ["3"]]
    assert not spent(way(who={"status": ["fired"]}, path=None))
    assert spent(way(who={"walk": 2}, path=None)) == [["1"], ["2"], ["3"]]
    assert not spent(way(terrain("prohibited", "0506"), who={"walk": 2}, path=None))


def test_marks_of_a_point_say_the_sum() -> None:
    """MP, hexes that count, MP lost and what a building absorbs of each group; shown only where a file names the
    rule.
    """

    def told(case: Case, rule: str) -> Mark:
        """Return the mark of a rule that holds."""
        found = finding(ruling(case), f"battletech.{rule}")
        assert (found.ok, found.mark is not None and found.mark.is_for_point) == (True, True)
        assert f"battletech.{rule}" not in ruling(case).decided
        assert found.mark is not None
        return found.mark

    assert numbers(told(way(who={"status": ["prone"]}), "declare.enough-mp").words) == [
        "2",
        "2",
        "1",
        "5",
        "20",
    ]
    assert numbers(told(way(), "declare.enough-mp").words) == ["3", "20"]
    backwards = way(path=["back:0509", "0508", *STRAIGHT], rules={"backward": "since_reversal"})
    assert numbers(told(backwards, "path.forward-only").words) == ["4", "1", "3"]
    assert numbers(
        told(close(weapon_phase={"charger_mp_lost": 1}, **SURE), "weapon.mp-loss").words
    )[:1] == ["4"]
    assert numbers(
        told(close(terrain("building", "0505", cf=25), **SURE), "building.absorbs").words
    )[-2:] == ["3", "5"]


def test_a_side_that_is_hit_is_the_hexside_towards_the_charger() -> None:
    """Damage is located there; a vehicle's motive roll is told with what the side adds."""
    found = [
        one.mark
        for one in ruling(close(**SURE)).findings
        if one.rule == "battletech.damage.location" and one.mark is not None
    ]
    assert [sorted(flat(*one.lines)) for one in found] == [
        near([LEFT + 0.361, RIGHT - 0.361, 15.625, 15.625])
    ]
    (rammed,) = resolved("battletech/rammed-from-behind")[1].rulings
    (told,) = (
        one.mark
        for one in rammed.findings
        if one.rule == "battletech.motive.immediate" and one.mark is not None
    )
    assert numbers(told.words) == ["5", "2", "9", "1"]

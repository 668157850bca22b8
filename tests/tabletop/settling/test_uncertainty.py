"""How sure rulings on measured tables are: what is certain, what is open, and what to measure."""

import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from plots.marks.captions import Badge, badges
from tabletop import judge, odds, resolve
from tabletop.cli.report import resolution_text
from tabletop.errors import NoVerdictError
from tabletop.language.language import language, speaking
from tabletop.language.spoken import in_language
from tabletop.messages import names_in
from tabletop.ruling.system import Case
from tabletop.scenario import result
from tabletop.scenario.reading import case_from_tables, read_scenario
from tabletop.scenario.writing import to_json
from tabletop.settling import uncertainty
from tests.systems.wh40k.tables import table as loose_table
from tests.systems.wh40k.tables import unit as loose_unit


def fronts(distance: float, *, accuracy: Any = 0.1, face: int = 1, **more: Any) -> Case:
    """Return two regiments front to front, so many inches apart; a face of 1 makes a range of 10 in."""
    five = {"files": 5, "models": 10, "base": "25x25mm"}
    tables = {
        "system": "t9a",
        "board": {"width": 72, "depth": 48},
        "units": {
            "A": {
                "side": "blue",
                "at": [30, 30],
                "facing_deg": 270,
                **five,
                "profile": {"charge_speed": 5},
            },
            "B": {"side": "red", "at": [30, 30 - distance], "facing_deg": 90, **five},
        },
        "charges": [{"charger": "A", "targets": ["B"], "dice": [face]}],
        **({} if accuracy is None else {"accuracy": accuracy}),
        **more,
    }
    return case_from_tables(tables)


def test_nothing_is_said_of_a_table_that_was_not_measured() -> None:
    """Without an accuracy there is no finding, no uncertainty, and no key of the result."""
    case = fronts(9.0, accuracy=None)
    entry = result(case, resolve(case))["rulings"][0]
    assert not {"open", "shortest_roll_range"} & set(entry)
    assert all(
        "uncertainty" not in one and one["rule"] != "t9a.table.settled" for one in entry["findings"]
    )


@pytest.mark.parametrize(
    ("distance", "is_open"), [(9.5, False), (9.95, True), (10.05, True), (10.7, False)]
)
def test_a_range_is_open_where_the_measurement_can_turn_it(distance: float, is_open: bool) -> None:
    """Two that were measured to a tenth may be two tenths nearer, and a little more where they are turned."""
    case = fronts(distance)
    (ruling,) = resolve(case).rulings
    found = next(one for one in ruling.findings if one.rule == "t9a.range")
    assert found.uncertainty is not None
    assert 0.2 <= found.uncertainty <= 0.5
    assert found.is_open is is_open
    assert ruling.open == (("t9a.range",) if is_open else ())
    if not is_open:
        assert abs(found.slack) > found.uncertainty
    assert ruling.shortest_roll_range == (
        (1, 1) if distance == 9.5 else (2, 2) if distance == 10.7 else (1, 2)
    )
    assert (ruling.decides is not None) is is_open
    if ruling.decides is not None:
        assert ruling.decides.between == ("A", "B")
        assert ruling.decides.text in ruling.summary


def test_what_is_open_is_printed_with_what_to_measure() -> None:
    """People read what is open, by how much, and what to measure; programs read the same."""
    case = fronts(9.95)
    resolution = resolve(case)
    text = resolution_text(case, resolution)
    assert "± " in text
    assert re.search(r"\bopen\b.*accuracy.* t9a\.range$", text, re.MULTILINE)
    assert re.search(r"accuracy.* 1 .*\b2$", text, re.MULTILINE)
    entry = result(case, resolution)["rulings"][0]
    assert entry["open"] == ["t9a.range"]
    assert entry["shortest_roll_range"] == [1, 2]
    assert next(one for one in entry["findings"] if one["rule"] == "t9a.range")["open"] is True


def test_odds_are_those_of_the_settled_table_with_the_range_of_rolls() -> None:
    """Chances are told of the settled table; the shortest roll also of the others."""
    case = fronts(9.95)
    exact = fronts(9.95, accuracy=None)
    one = odds(case).charges[0]
    other = odds(exact).charges[0]
    assert (one.outcomes, one.by_total, one.shortest_roll) == (
        other.outcomes,
        other.by_total,
        other.shortest_roll,
    )
    assert (one.shortest_roll_range, other.shortest_roll_range) == ((1, 2), None)


def test_the_first_finding_says_what_was_moved() -> None:
    """t9a.table.settled: what was moved so that the table can be, and how far."""
    friend = {
        "side": "blue",
        "at": [34.9, 30],
        "facing_deg": 270,
        "files": 5,
        "models": 10,
        "base": "25x25mm",
    }
    case = fronts(9.0, units={**_units(fronts(9.0)), "C": friend})
    (ruling,) = resolve(case).rulings
    first = ruling.findings[0]
    assert first.rule == "t9a.table.settled"
    assert names_in(first.text) >= {"A", "C"}
    assert first.text.count(" 0.011 in") == 2
    assert first.measured == pytest.approx(0.0106, abs=1e-3)


def _units(case: Case) -> dict[str, Any]:
    from tabletop.scenario.cases import unit_entry

    return {name: unit_entry(unit, case) for name, unit in case.state.units.items()}


def test_the_table_afterwards_is_exact() -> None:
    """What is left is settled: it reads again, and says no accuracy."""
    case = fronts(9.0)
    after = result(case, resolve(case))["after"]
    assert "accuracy" not in str(after)
    assert case_from_tables(after).measured is None


def hexes(accuracy: float) -> dict[str, Any]:
    """Make the tables of a charge on hexes that were measured."""
    return {
        "system": "battletech",
        "accuracy": accuracy,
        "board": {"columns": 8, "rows": 10},
        "units": {
            "A": {
                "side": "blue",
                "hex": "0405",
                "facing": "S",
                "profile": {"type": "mech", "tons": 50, "walk": 5},
            },
            "B": {
                "side": "red",
                "hex": "0408",
                "facing": "N",
                "profile": {"type": "mech", "tons": 50},
            },
        },
        "charges": [{"charger": "A", "targets": ["B"]}],
    }


def test_hexes_are_exact() -> None:
    """battletech.table.settled: an accuracy is taken and changes nothing; the finding says so."""
    tables = hexes(0.5)
    measured = case_from_tables(tables)
    exact = case_from_tables({key: value for key, value in tables.items() if key != "accuracy"})
    one = resolve(measured).rulings[0]
    other = resolve(exact).rulings[0]
    assert one.findings[0].rule == "battletech.table.settled"
    assert one.findings[1:] == other.findings
    assert (one.outcome, one.steps, one.open, one.shortest_roll_range) == (
        other.outcome,
        other.steps,
        (),
        (other.shortest_roll,) * 2,
    )


@pytest.mark.parametrize(
    ("apart", "is_open"), [(11.6, False), (11.9, True), (12.1, True), (12.3, False)]
)
def test_declaring_is_open_near_twelve_inches(apart: float, is_open: bool) -> None:
    """wh40k.table.settled, and targets.range: models of an inch that were measured to a tenth."""
    case = case_from_tables(
        {
            **loose_table(loose_unit([(0, 0)]), {"T": loose_unit([(apart + 1, 0)])}, total=12),
            "accuracy": 0.1,
        }
    )
    (ruling,) = resolve(case).rulings
    assert ruling.findings[0].rule == "wh40k.table.settled"
    found = next(one for one in ruling.findings if one.rule == "wh40k.targets.range")
    assert found.uncertainty == pytest.approx(0.2)
    assert (
        "wh40k.targets.range" in (ruling.open or ()) or "wh40k.eligible.near" in (ruling.open or ())
    ) is is_open


def test_a_limit_of_time_leaves_tables_out_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the time is up, fewer tables were searched, and the finding says that some were left out."""
    case = fronts(
        9.95, proposal={"accuracy": 0.1, "units": {"A": {"at": [30, 20.05], "facing_deg": 270}}}
    )
    limited = resolve(case, max_seconds=1e-6)
    assert "not all" in limited.rulings[0].findings[0].text
    assert limited.rulings[0].shortest_roll_range is None
    with pytest.raises(NoVerdictError, match="1e-06 s"):
        judge(case, limited)
    assert odds(case).charges[0].shortest_roll_range == (1, 2)
    monkeypatch.setattr(uncertainty, "deadline_passed", lambda: True)
    assert odds(case).charges[0].shortest_roll_range is None


def test_stands_that_overlap_are_parted_but_for_the_clearance() -> None:
    """conquest.table.settled: regiments of stands are parted as far as the game's clearance asks, and no farther."""
    three = {"files": 3, "stands": 3, "base": "50.8x50.8mm", "profile": {"march": 5.0, "size": 1}}
    units = {
        "A": {"side": "blue", "at": [18, 10], "facing_deg": 90, **three},
        "B": {"side": "blue", "at": [23.9, 10], "facing_deg": 90, **three},
        "C": {"side": "red", "at": [18, 18], "facing_deg": 270, **three},
    }
    charges = [{"charger": "A", "targets": ["C"], "dice": [5]}]
    case = case_from_tables(
        {
            "system": "conquest",
            "accuracy": 0.1,
            "board": {"width": 48, "depth": 36},
            "units": units,
            "charges": charges,
        }
    )
    (ruling,) = resolve(case).rulings
    assert ruling.findings[0].rule == "conquest.table.settled"
    assert ruling.findings[0].measured == pytest.approx(
        (0.1 - case.choices.clearance) / 2, abs=1e-4
    )


def badge(case: Case) -> Badge:
    """Return what a page and a figure say of the first charge."""
    return badges(resolve(case), None)[0]


def squeezed(apart: float, **more: Any) -> Case:
    """Let a front of 50 mm charge between a friend that stands at its target and a tower, which are so many inches
    apart.
    """
    front = 50 / 25.4
    west = 36 - apart / 2
    east = 36 + apart / 2
    one = {"side": "blue", "facing_deg": 270, "files": 1, "models": 1}
    tables = {
        "system": "t9a",
        "accuracy": 0.05,
        "board": {"width": 72, "depth": 48},
        "units": {
            "A": {**one, "at": [36, 31], "base": "50x100mm", "profile": {"charge_speed": 7}},
            "C": {**one, "at": [west - front / 2, 24], "base": "50x50mm", "status": ["engaged"]},
            "B": {
                "side": "red",
                "at": [36, 24],
                "facing_deg": 90,
                "files": 6,
                "models": 12,
                "base": "25x25mm",
                "accuracy": 0,
            },
        },
        "terrain": [
            {
                "name": "Tower",
                "kind": "impassable",
                "rectangle": {"centre": [east + 1, 25.2], "width": 2, "depth": 2},
            }
        ],
        "charges": [{"charger": "A", "targets": ["B"], "dice": [6]}],
        **more,
    }
    return case_from_tables(tables)


def test_the_headline_of_an_open_charge_is_the_one_thing_to_measure() -> None:
    """Never a finding that another table turns; and the chance is a range, as the roll is."""
    case = fronts(9.95)
    told = badge(case)
    resolution = resolve(case)
    decides = resolution.rulings[0].decides
    assert decides is not None
    assert decides.between == ("A", "B")
    assert (decides.measured, decides.border) == pytest.approx((9.95, 10.0))
    assert (told.words, told.why) == ("Undecided", decides.text.rstrip("."))
    entry = result(case, resolution)["rulings"][0]
    assert entry["chance_success_range"] == [pytest.approx(5 / 6), 1.0]
    assert entry["chance_success_range_fraction"] == ["5/6", "1"]
    assert resolve(fronts(9.5)).rulings[0].chance_success_range == (Fraction(1), Fraction(1))
    assert resolve(fronts(9.5, accuracy=None)).rulings[0].chance_success_range is None


@pytest.mark.slow
@pytest.mark.parametrize("apart", [1.93, 50 / 25.4, 2.0, 2.05])
def test_room_is_open_by_the_gap_that_has_to_be_wide_enough(apart: float) -> None:
    """A charger of 50 mm needs 1.97 in between its friend and the tower: these are named, and the border is where it
    is.
    """
    decides = resolve(squeezed(apart)).rulings[0].decides
    assert decides is not None
    assert (decides.rule, decides.between) == ("t9a.declare.room", ("C", "Tower"))
    assert decides.measured == pytest.approx(apart, abs=0.01)
    _, *sides = (float(number) for number in re.findall(r"\d\.\d\d", decides.text))
    # what is turned a little, as the accuracy allows, leaves less room
    assert min(sides) - 0.02 <= 50 / 25.4 <= max(sides) + 0.02


def beside_the_line(system: str, order: str, off: float, **more: Any) -> Case:
    """Put the middle that decides which facing is charged so many inches off the line between T's front and right, on
    its front side.

    Of T9A it is that of A's front, of Conquest that of A; the line leaves T's corner at 45 degrees.
    """
    aside = off * math.sqrt(2)
    if system == "t9a":
        alike: dict[str, Any] = {"base": "20x20mm", "models": 8, "profile": {"charge_speed": 5}}
        corner = 36 + 50 / 25.4
        charger = {"at": [corner + 3.54 - aside, 27.54], "facing_deg": 225, "files": 4, **alike}
        target = {"at": [36, 24], "facing_deg": 90, "files": 5, **alike}
    else:
        alike = {"base": "50.8x50.8mm", "profile": {"march": 5, "size": 1}}
        charger = {"at": [24 - aside, 25], "facing_deg": 180, "files": 1, "stands": 4, **alike}
        target = {"at": [20, 20], "facing_deg": 90, "files": 3, "stands": 6, **alike}
    units = {"A": {"side": "blue", **charger}, "T": {"side": "red", **target}}
    charges = [{"charger": "A", "targets": ["T"], "dice": [6]}]
    board = {"width": 72, "depth": 48}
    tables = {
        "system": system,
        "accuracy": 0.1,
        "board": board,
        "units": {name: units[name] for name in order},
        "charges": charges,
    }
    return case_from_tables({**tables, **more})


RULE_OF_FACING = {"t9a": "t9a.arc.target-facing", "conquest": "conquest.facing.charged"}


@pytest.mark.parametrize("order", ["AT", "TA"])
@pytest.mark.parametrize("off", [0.01, -0.09])
@pytest.mark.parametrize("system", ["t9a", "conquest"])
def test_a_facing_is_open_within_the_accuracy_of_the_line_that_divides_two(
    system: str, off: float, order: str
) -> None:
    """Which facing is charged turns on a table within the accuracy: it is listed as open, with how far off the line is
    and between what.
    """
    case = beside_the_line(system, order, off)
    (ruling,) = resolve(case).rulings
    rule = RULE_OF_FACING[system]
    taken = "front" if off > 0 else "right"
    assert (
        ruling.outcome,
        ruling.metrics["target_facing" if system == "t9a" else "charged_facing"],
    ) == ("success", taken)
    assert rule in (ruling.open or ())
    found = next(one for one in ruling.findings if one.rule == rule)
    assert (found.measured, found.limit) == (found.margin, 0.0)
    assert found.measured == pytest.approx(abs(off), abs=1e-6)
    assert found.uncertainty is not None
    assert 0.14 <= found.uncertainty <= 0.3
    assert ruling.decides is not None
    assert ruling.decides.measured == pytest.approx(abs(off), abs=1e-6)
    assert ruling.decides.border == pytest.approx(0.0, abs=0.005)
    assert "T" in names_in(ruling.decides.text)
    assert "arc" in ruling.decides.text
    assert ("right" if off > 0 else "front") in ruling.summary


def beside_a_corner(turn: float, off: float) -> Case:
    """Let A charge a house of 4 by 4 in, so many inches off the line that leaves a corner of it, all turned by some
    degrees.
    """
    way = math.radians(turn)
    head = math.radians(turn + 45)
    places = [(5.0 + off * math.sqrt(2), 5.0), (-2.0, -2.0), (2.0, -2.0), (2.0, 2.0), (-2.0, 2.0)]
    at, *corners = [
        [36 + x * math.cos(way) - y * math.sin(way), 24 + x * math.sin(way) + y * math.cos(way)]
        for x, y in places
    ]
    house = {"kind": "garrison", "name": "H", "polygon": corners}
    unit = {
        "side": "blue",
        "at": at,
        "facing_deg": math.degrees(head) + 180,
        "files": 2,
        "stands": 2,
        "base": "50.8x50.8mm",
    }
    units = {"A": {**unit, "profile": {"march": 6}}}
    charges = [{"charger": "A", "targets": ["H"], "dice": [6]}]
    table = {
        "system": "conquest",
        "accuracy": 0.1,
        "board": {"width": 72, "depth": 48},
        "units": units,
        "terrain": [house],
    }
    return case_from_tables({**table, "charges": charges})


@pytest.mark.parametrize("turn", [0.0, 17.0])
def test_the_side_of_a_garrison_is_open_within_the_accuracy_of_the_line(turn: float) -> None:
    """A house has sides as a regiment has facings; the same one looks elsewhere where the house is turned a little, and
    is no other.
    """
    near, far = (resolve(beside_a_corner(turn, off)).rulings[0] for off in (0.02, 0.5))
    assert near.open == ("conquest.facing.charged",)
    assert near.decides is not None
    assert near.decides.measured == pytest.approx(0.02, abs=1e-6)
    sides = re.findall(r"side at (\d+) degrees of H", near.summary)
    # as that table has it
    assert any(float(side) == pytest.approx(90 + turn, abs=2) for side in sides)
    assert far.open == ()


@pytest.mark.parametrize("system", ["t9a", "conquest"])
def test_a_facing_beyond_the_accuracy_of_the_line_is_not_open(system: str) -> None:
    """Two that may each be a tenth nearer do not turn a facing at four tenths; its finding is as on a table that was
    not measured.
    """
    case = beside_the_line(system, "AT", 0.4)
    measured, exact = (
        resolve(replace(case, measured=some)).rulings[0] for some in (case.measured, None)
    )
    one, other = (
        next(one for one in ruling.findings if one.rule == RULE_OF_FACING[system])
        for ruling in (measured, exact)
    )
    assert measured.open == ()
    assert one == other


@pytest.mark.parametrize("order", ["AT", "TA"])
@pytest.mark.parametrize("system", ["t9a", pytest.param("conquest", marks=pytest.mark.slow)])
def test_a_claim_on_a_facing_that_is_open_is_undecided_by_it(system: str, order: str) -> None:
    """A claim on the flank, a hundredth of an inch on the front's side of the line: how far off that is is named, and
    what to measure.
    """
    exact = beside_the_line(system, order, -0.01, accuracy=0)
    end = resolve(exact).after.units["A"].pose
    claim = {"units": {"A": {"at": [end.x, end.y], "facing_deg": math.degrees(end.heading)}}}
    judgement = judge(beside_the_line(system, order, 0.01, proposal=claim))
    assert (judgement.outcome, judgement.rule) == ("undecided", RULE_OF_FACING[system])
    assert judgement.decides is not None
    assert judgement.decides.measured == pytest.approx(0.01, abs=1e-6)
    assert judgement.decides.border == pytest.approx(0.0, abs=0.005)


def test_a_friend_that_touches_or_not_is_looked_at() -> None:
    """No tape measures whether two touch: where that decides it is said so, and in the reader's language."""
    tables = {**json.loads(to_json(read_scenario("t9a/wheel-and-align"))), "accuracy": 0.1}
    case = case_from_tables({key: value for key, value in tables.items() if key != "expect"})
    decides = resolve(case).rulings[0].decides
    assert decides is not None
    assert (decides.between, decides.measured) == (("B", "C"), 0.0)
    assert badge(case).why == decides.text.rstrip(".")
    german = language("german")
    told, _ = in_language(german, case, resolve(case), None, "reader")
    with speaking(german):
        assert badges(told, None)[0].why not in ("", badge(case).why)

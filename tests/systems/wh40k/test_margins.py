"""What a charge that is refused or fails is short of: the rule that decides has a margin wherever something can be
measured.
"""

import math
import re

import pytest

from tabletop.messages import names_in
from tabletop.registry import scenarios
from tabletop.ruling.finding import Finding
from tabletop.testing.answers import resolved
from tests.systems.wh40k.tables import Spots, piece, ruling, unit

UNMEASURED = {
    "wh40k/out-of-reach-in-the-air": "a keyword",
    "wh40k/three-reasons-against": "a status word",
    "wh40k/three-that-never-charge": "keywords",
    "wh40k/three-with-something-else-to-do": "status words",
}
"""Bundled scenarios whose deciding rule measures nothing, and why."""


@pytest.mark.parametrize("name", [name for name, _ in scenarios("wh40k") if name not in UNMEASURED])
def test_what_decides_has_its_margin(name: str) -> None:
    """Of each bundled charge that is refused or fails the deciding finding tells by how much, negative."""
    for one in resolved(name)[1].rulings:
        if one.outcome != "success":
            (found,) = [
                finding for finding in one.findings if finding.rule == one.rule and not finding.ok
            ]
            assert found.margin is not None
            assert found.margin < 0.0


MM_40 = 40 / 25.4


@pytest.mark.parametrize(
    ("at", "base", "apart", "span", "rule"),
    [
        ([(0, 0)], "25.4mm round", 3.2, 3.0, "possible.engage-all"),
        ([(0, 0)], "40mm round", 3.8, 2.0 + MM_40, "possible.engage-all"),
        ([(0, 0), (0, 1.8)], "25.4mm round", 6.5, 2.0 + 2.0 + 2.0, "possible.coherency"),
        ([(0, 0), (0, 1.8)], "40mm round", 7.5, 2.0 + 2.0 * MM_40 + 2.0, "possible.coherency"),
    ],
)
def test_targets_too_far_apart_for_the_unit(
    at: Spots, base: str, apart: float, span: float, rule: str
) -> None:
    """Engagement range at both ends, the bases and a link between each two are what a unit spans; the targets are
    named.

    Of several models what lies between the ranges is told, and what they bridge.
    """
    others = {name: unit([(5, side * (apart + 1.0) / 2.0)]) for name, side in (("T", 1), ("U", -1))}
    one = ruling(unit(at, base=base), others, targets=("T", "U"), total=12)
    (found,) = [finding for finding in one.findings if not finding.ok]
    assert (one.outcome, one.rule, found.between) == ("failed", f"wh40k.{rule}", ("T", "U"))
    ranges = 0.0 if len(at) == 1 else 2.0
    assert (found.measured, found.limit, found.margin) == pytest.approx(
        (apart - ranges, span - ranges, span - apart)
    )
    assert names_in(found.text) >= {"T", "U"}


def test_targets_that_can_just_be_spanned() -> None:
    """A hair less and the charge is possible, so that the span is the limit."""
    others = {name: unit([(5, side * 1.9999)]) for name, side in (("T", 1), ("U", -1))}
    assert ruling(unit([(0, 0)]), others, targets=("T", "U"), total=12).outcome == "success"


def test_lost_models_leave_their_margin_to_the_retest() -> None:
    """What the survivors are short of is what overwatch.retest is short of."""
    one = ruling(unit([(0, 0), (-3, 0)]), {"T": unit([(6, 0)])}, total=5, overwatch={"before": [0]})
    (found,) = [finding for finding in one.findings if finding.rule == "wh40k.overwatch.retest"]
    assert (found.measured, found.limit, found.margin) == pytest.approx((5.0, 7.0, -2.0))


def behind(*walls: tuple[float, ...], y: float = 0.0) -> Finding:
    """Let A charge T through walls from 3 to 4 in ahead, each from one y to another; give what it fails by."""
    terrain = tuple(
        piece("impassable", 3, low, 4, high, name=f"W{number}")
        for number, (low, high) in enumerate(walls)
    )
    one = ruling(
        unit([(0, y)], base="32mm round"), {"T": unit([(7, y)])}, terrain=terrain, total=12
    )
    (found,) = [finding for finding in one.findings if not finding.ok]
    assert (one.outcome, one.rule) == ("failed", "wh40k.possible.engage-all")
    return found


@pytest.mark.parametrize(
    ("walls", "y", "named", "apart"),
    [
        ([(-20, -0.5), (0.5, 6), (6.8, 40)], 0, ["W0", "W1"], 1.0),
        ([(-20, -0.3), (0.3, 6), (6.8, 40)], 0, ["W1", "W2"], 0.8),
        ([(-19.1, 40)], -15, ["W0", "board"], 0.9),
        ([(-19.8, 40)], -15, ["W0", "board"], 0.2),
    ],
)
def test_the_widest_gap_that_is_too_narrow(
    walls: Spots, y: float, named: list[str], apart: float
) -> None:
    """A base of 32 mm gets through none; the gap that would have to be wider is the widest there is, whichever is
    straight ahead.
    """
    found = behind(*walls, y=y)
    assert (found.measured, found.limit, found.margin) == pytest.approx(
        (apart, 32 / 25.4, apart - 32 / 25.4)
    )
    assert sorted(re.findall(r"W\d|board", found.text)) == named


@pytest.mark.parametrize(
    "walls", [[(-20, 40)], [(-20, -0.4), (0.4, 6), (6.8, 40)]], ids=["no gap", "two as wide"]
)
def test_no_gap_is_named_that_is_not_proved_to_be_the_one(walls: Spots) -> None:
    """Where no gap leads through, or two are equally wide, none is told."""
    found = behind(*walls)
    assert (found.measured, found.margin) == (None, None)


def test_a_gap_as_wide_as_the_base() -> None:
    """A hair wider and the charge is possible, so that the width is the limit."""
    terrain = (
        piece("impassable", 3, -20, 4, -0.63, name="low"),
        piece("impassable", 3, 0.63, 4, 40, name="high"),
    )
    assert (
        ruling(
            unit([(0, 0)], base="32mm round"), {"T": unit([(7, 0)])}, terrain=terrain, total=12
        ).outcome
        == "success"
    )


COLUMN: Spots = [(0, 0), (0, 1.6), (0, 3.2)]
"""Three models abreast; to (9, 4) on a base an inch wide like theirs the last is nearest: sqrt(9^2 + 0.8^2) - 2 =
7.0355 in."""


@pytest.mark.parametrize(
    ("total", "named"),
    [(7, {"U"}), (2, {"T", "U"})],
)
def test_the_target_that_cannot_be_reached_is_named(total: int, named: set[str]) -> None:
    """Of two targets that one, or both, with which the roll is too short to end engaged.

    The figure points at the farther.
    """
    others = {"T": unit([(5, 0)]), "U": unit([(9, 4)])}
    one = ruling(unit(COLUMN), others, targets=("T", "U"), total=total)
    (found,) = [finding for finding in one.findings if not finding.ok]
    assert found.rule == "wh40k.possible.engage-all"
    assert " 7.0355 in" in found.text
    assert names_in(found.text) & {"T", "U"} == named
    (shown,) = one.decided.values()
    assert shown.at is not None
    assert math.dist(shown.at, (29, 24)) == pytest.approx(0.5, abs=1e-3)


def test_no_target_is_named_that_could_be_reached_alone() -> None:
    """Each of two targets takes 4 in, both together are too far apart for a single model."""
    one = ruling(
        unit([(0, 0)]), {"T": unit([(4, 4.5)]), "U": unit([(4, -4.5)])}, targets=("T", "U"), total=8
    )
    assert (one.outcome, one.rule) == ("failed", "wh40k.possible.engage-all")
    assert "reach" not in one.summary


def test_a_target_that_no_roll_reaches_is_named() -> None:
    """U stands in a pen of walls that no base passes."""
    pen = tuple(
        piece("impassable", *box, name=f"wall {number}")
        for number, box in enumerate(
            [(4, 3, 8, 3.5), (4, 6.5, 8, 7), (4, 3.5, 4.5, 6.5), (7.5, 3.5, 8, 6.5)]
        )
    )
    others = {"T": unit([(5, 0)]), "U": unit([(6, 5)])}
    one = ruling(unit([(0, 0), (0, 1.6)]), others, targets=("T", "U"), total=12, terrain=pen)
    assert (one.outcome, one.rule) == ("failed", "wh40k.possible.engage-all")
    (found,) = [finding for finding in one.findings if not finding.ok]
    assert names_in(found.text) & {"T", "U"} == {"U"}
    assert found.text in one.summary
    assert "reach" in found.text


def test_a_charge_between_two_units_ends_where_it_is_clear_of_both() -> None:
    """Both stand 1.9 beside its way: where it is 2.0001 from each of them it is clear, sqrt(2.0001^2 - 1.9^2) beyond
    them.
    """
    others = {"N": unit([(6.0, 1.9)]), "M": unit([(6.0, -1.9)]), "T": unit([(8.5, 0.0)])}
    found = ruling(unit([(0.0, 0.0)]), others, total=7, rules={"engagement_path": "end"})
    assert found.outcome == "success"
    assert found.metrics["needed_distance"] == pytest.approx(
        6.0 + math.sqrt(2.0001**2 - 1.9**2), abs=1e-6
    )


def test_a_charge_round_a_corner_leaves_the_range_of_a_bystander_however_many_walls_there_are() -> (
    None
):
    """The way round the wall ends square to the range of N that it leaves: walls far away, too many to compare all, do
    not matter.
    """
    wall = piece("wall", 3.0, -10.0, 3.2, 0.5, height=5)
    comb = [
        piece("wall", -18.0 + step, -18.0, -17.8 + step, -17.0, height=5, name=f"Wall {step}")
        for step in range(30)
    ]
    others = {"N": unit([(5.5, -1.0)]), "T": unit([(5.3, 0.2)])}
    tables = ((wall,), (wall, *comb))
    few, many = (
        ruling(unit([(0.0, -2.0)]), others, terrain=one, rules={"engagement_path": "end"}).metrics
        for one in tables
    )
    assert few["needed_distance"] < 12.0
    assert many["needed_distance"] == pytest.approx(few["needed_distance"], abs=1e-9)

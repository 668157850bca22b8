"""Holding a claimed place against the one that is demanded."""

import math

import pytest

from tabletop.geometry.pose import Pose
from tabletop.messages import names_in
from tabletop.ruling.charge import Charge, Outcome
from tabletop.ruling.judge import distance_off, must_stand, must_stand_as_left, standing_rule
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.state import Base, Board, Regiment, State
from tabletop.units import HAND

BLOCK = Regiment("A", "blue", Pose(0.0, 0.0, math.pi / 2), files=3, models=6, base=Base(2.0, 2.0))


def test_distance_off_by_a_shift() -> None:
    """Every corner is as far off as the unit is moved."""
    assert distance_off(BLOCK, Pose(3.0, 4.0, math.pi / 2), BLOCK.pose) == pytest.approx(5.0)


def test_distance_off_by_a_turn() -> None:
    """The corner farthest from the point that stays counts: here the rear ones, 5 in from the middle of the front."""
    angle = 0.1
    assert distance_off(BLOCK, Pose(0.0, 0.0, math.pi / 2 + angle), BLOCK.pose) == pytest.approx(
        2 * 5.0 * math.sin(angle / 2)
    )


@pytest.mark.parametrize(("off", "ok"), [(0.0, True), (HAND, True), (HAND + 1e-6, False)])
def test_must_stand(off: float, ok: bool) -> None:
    """A hand may miss the place by a thousandth of an inch; the finding says by how much it does."""
    finding = must_stand(
        BLOCK, Pose(off, 0.0, math.pi / 2), BLOCK.pose, rule="x.rule", where="where it stood"
    )
    assert (finding.rule, finding.ok) == ("x.rule", ok)
    assert finding.measured == pytest.approx(off, abs=1e-12)
    assert (finding.limit, finding.margin) == pytest.approx((0.0, -off), abs=1e-12)
    assert finding.slack == pytest.approx(HAND - off, abs=1e-12)
    assert "where it stood" in finding.text


Told = tuple[str, str, str | None]
"""Who charges, whom, and the rule that decided against success, if one did."""
HIT: Told = ("A", "T", None)
SHORT: Told = ("B", "U", "x.range")
REFUSED: Told = ("B", "V", "x.declare")


def resolution(*charges: Told) -> Resolution:
    """Resolve charges that leave everybody where they stood; those that are declared and fail do so by range."""
    table = State(Board(10.0, 10.0), {})
    outcome: dict[str | None, Outcome] = {None: "success", "x.range": "failed"}
    rulings = [
        Ruling(Charge(one, (other,)), outcome.get(rule, "not_allowed"), "", rule=rule)
        for one, other, rule in charges
    ]
    return Resolution(table, tuple(rulings), table)


@pytest.mark.parametrize(
    ("charges", "name", "rule"),
    [
        ((), "N", "x.stand"),
        ((HIT,), "N", "x.stand"),
        ((HIT,), "T", "x.stand"),
        ((SHORT,), "N", "x.range"),
        ((SHORT,), "U", "x.range"),
        ((SHORT,), "B", "x.range"),
        ((SHORT, REFUSED), "N", "x.range"),
        ((SHORT, REFUSED), "B", "x.declare"),
        ((SHORT, REFUSED), "U", "x.range"),
        ((HIT, SHORT), "N", "x.stand"),
        ((HIT, SHORT), "T", "x.stand"),
        ((HIT, SHORT), "U", "x.range"),
    ],
)
def test_standing_rule(charges: tuple[Told, ...], name: str, rule: str) -> None:
    """The last charge that failed a unit decides of it, of the others the first one if none succeeded; else they
    stand.
    """
    assert standing_rule(resolution(*charges), name, system="x") == rule


@pytest.mark.parametrize(
    ("charges", "rule"),
    [((HIT,), "x.push"), ((HIT, ("B", "T", "x.range")), "x.range"), ((SHORT,), "x.range")],
)
def test_standing_rule_of_who_is_moved(charges: tuple[Told, ...], rule: str) -> None:
    """The rule that moved a unit takes the place of the one that leaves it standing, not of a charge that failed."""
    assert standing_rule(resolution(*charges), "T", system="x", moved_by="x.push") == rule


@pytest.mark.parametrize(
    ("charges", "word"),
    [
        ((HIT,), "leave"),
        ((("A", "T", "x.declare"),), "stood"),
        ((("A", "T", "x.range"), ("A", "U", "x.declare")), "failed"),
    ],
)
def test_must_stand_as_left(charges: tuple[Told, ...], word: str) -> None:
    """The text says why a regiment is to stand there, a charger that failed where its charge ends."""
    name = "T" if charges == (HIT,) else "A"
    unit = Regiment(name, "blue", BLOCK.pose, files=3, models=6, base=Base(2.0, 2.0))
    finding = must_stand_as_left(BLOCK.pose.advanced(0.01), unit, resolution(*charges), system="x")
    assert not finding.ok
    assert name in names_in(finding.text)
    assert word in finding.text
    assert " 0.0100 in " in finding.text

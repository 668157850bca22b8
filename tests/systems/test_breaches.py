"""Judgements say where a rule is broken: the gap that is measured, what overlaps, which models lack what they owe."""

import math
from dataclasses import replace
from typing import Any

import pytest

import tabletop
from tabletop.geometry.pose import Pose
from tabletop.messages import names_in
from tabletop.ruling.evidence import Mark
from tabletop.ruling.verdict import Judgement
from tabletop.scenario.reading import read_case
from tabletop.table.models import Formation
from tests.systems.said import numbers


def judged(name: str, **places: Any) -> Judgement:
    """Judge other places in a bundled scenario."""
    return tabletop.judge(replace(read_case(name), proposal=places))


def mark_of(judgement: Judgement) -> Mark:
    """Return where the rule that decides is broken."""
    assert judgement.broken is not None
    assert judgement.broken.mark is not None
    return judgement.broken.mark


def formation(*places: tuple[float, float]) -> Formation:
    """Put models on the ground, looking along x."""
    return Formation(tuple(Pose(x, y, 0.0) for x, y in places), (0.0,) * len(places))


@pytest.mark.parametrize("off", [0.25, -0.4])
def test_a_front_that_is_not_flush_is_measured_from_the_facing(off: float) -> None:
    """The length is how far its end is off the line, on either side of it, and nobody is in contact."""
    judgement = judged("t9a/judged-one-short", A=Pose(36.0, 24.0 + off, math.radians(270)))
    (line,) = mark_of(judgement).dimensions
    assert judgement.rule == "t9a.align.flush"
    assert math.dist(line.start, line.end) == pytest.approx(abs(off))
    assert judgement.evidence["A"].models_in_contact == {}


def test_a_front_that_looks_away_has_its_angle() -> None:
    """Half a turn."""
    (angle,) = mark_of(judged("t9a/judged-one-short", A=Pose(36.0, 24.0, math.radians(90)))).angles
    assert abs(angle.sweep) == pytest.approx(math.pi)


def test_a_front_in_a_wall_overlaps_it() -> None:
    """The pair of bodies that lie over each other."""
    judgement = judged("t9a/judged-angle-too-wide", A=Pose(39.0, 24.5, math.radians(270)))
    assert judgement.rule == "t9a.space.impassable"
    assert len(mark_of(judgement).overlaps) == 1


@pytest.mark.parametrize(
    ("places", "rule", "length"),
    [
        (((25.5, 20.0), (23.0, 20.0)), "wh40k.possible.engage-all", 1.5),
        (((27.0, 20.0), (23.5, 20.0)), "wh40k.possible.coherency", 2.5),
    ],
)
def test_gaps_of_models_are_measured(
    places: tuple[tuple[float, float], ...], rule: str, length: float
) -> None:
    """Between the model and the target, or between the two that are too far apart."""
    judgement = judged("wh40k/held-back-by-coherency", A=formation(*places))
    (line,) = mark_of(judgement).dimensions
    assert judgement.rule == rule
    assert math.dist(line.start, line.end) == pytest.approx(length)


@pytest.mark.parametrize(
    ("places", "rule", "overlaps", "models"),
    [
        (((27.0, 20.0), (26.4, 20.0)), "wh40k.roll.limit", 0, {"A": (1,)}),
        (((25.0, 20.0), (24.5, 20.0)), "wh40k.move.end-clear", 1, {}),
        (((27.0, 20.0), (20.0, 0.3)), "wh40k.path.board", 0, {"A": (1,)}),
    ],
)
def test_models_at_fault_are_named(
    places: tuple[tuple[float, float], ...],
    rule: str,
    overlaps: int,
    models: dict[str, tuple[int, ...]],
) -> None:
    """Who goes too far or leaves the board, and what lies over each other."""
    judgement = judged("wh40k/held-back-by-coherency", A=formation(*places))
    mark = mark_of(judgement)
    assert (judgement.rule, len(mark.overlaps), mark.models) == (rule, overlaps, models)
    assert len(mark.beyond) == (rule == "wh40k.path.board")


def test_stands_that_could_reach_are_named() -> None:
    """One stand of each side lacks contact; the claimed wheel is told as it was made."""
    judgement = judged(
        "conquest/judged-one-stand-short",
        A=(read_case("conquest/judged-one-stand-short").proposal or {})["A"],
    )
    assert mark_of(judgement).models == {"A": (0,), "B": (0,)}
    assert [step.kind for step in judgement.steps["A"]] == ["wheel", "advance", "align"]


def test_a_unit_without_a_measure_is_named_as_a_whole() -> None:
    """A model in a wrong hex."""
    case = read_case("battletech/judged-the-wrong-way")
    assert mark_of(tabletop.judge(case)).models == {"B": ()}


def test_what_lies_in_the_way_is_shown() -> None:
    """After a wheel of a degree too little the way runs into X: a ring where it does, in the words of a charge that
    fails so.
    """
    case = read_case("conquest/past-a-corner")
    start = case.state.units["A"]
    end = tabletop.resolve(case).after.units["A"].pose
    wheeled = start.pose.turned_about(start.front_left, math.radians(3.0))
    way = ((end.x - wheeled.x) * end.forward[0] + (end.y - wheeled.y) * end.forward[1]) / math.cos(
        math.radians(3.0)
    )
    judgement = judged(
        "conquest/past-a-corner", A=replace(wheeled.advanced(way), heading=end.heading)
    )
    assert judgement.rule == "conquest.path.enemy"
    shown = mark_of(judgement)
    assert ("X" in names_in(shown.words), numbers(shown.words)) == (True, ["0.03"])
    assert shown.areas


def test_a_front_beyond_the_line_of_a_facing_shows_the_line() -> None:
    """The border that an unaligned charger must not pass, besides how far its corner is off the place of contact."""
    case = read_case("t9a/judged-angle-too-wide")
    end = tabletop.resolve(case).after.units
    places = [
        replace(end["A"].pose, x=end["A"].pose.x + aside, y=end["A"].pose.y + off)
        for aside, off in ((-0.2, -0.05), (0.0, 0.05))
    ]
    verdicts = [
        judged("t9a/judged-angle-too-wide", **{**(case.proposal or {}), "A": place})
        for place in places
    ]
    assert [judgement.rule for judgement in verdicts] == ["t9a.unaligned.contact"] * 2
    beyond, short = map(mark_of, verdicts)
    assert names_in(beyond.words) >= {"A", "B"}
    assert short.at is None

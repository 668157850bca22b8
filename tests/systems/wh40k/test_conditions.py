"""At which heights a model may end, how a broken rule of standing is told, and what findings of the conditions
measure.
"""

import math
import random
from dataclasses import replace

import pytest

from systems.wh40k.book import Book
from systems.wh40k.conditions import (
    Ends,
    _broken,
    apart_findings,
    clear_findings,
    coherency_finding,
    engaged_findings,
    surfaces,
)
from systems.wh40k.scene import Scene, scene_of
from tabletop.geometry.distance import gap
from tabletop.table.models import Model
from tabletop.units import CONTACT
from tests.systems.wh40k.tables import case, unit, verdict


def test_on_the_table_one_stands_at_its_height() -> None:
    """With no terrain there is one height, that of the table."""
    question = case(unit([(0, 0)]), {"T": unit([(0, 9)])})
    scene = scene_of(question.state, "A", ["T"], choices=question.choices, book=Book())
    assert surfaces(scene, question.state.units["A"].models[0]) == (0.0,)


@pytest.mark.parametrize(("measured", "margin"), [(math.inf, None), (0.25, -0.25)])
def test_a_broken_rule_is_told_with_what_can_be_measured(
    measured: float, margin: float | None
) -> None:
    """It is broken also where there is nothing to measure."""
    found = _broken("wh40k.terrain.support", "Nothing holds it", measured, CONTACT)
    assert (found.ok, found.margin) == (False, margin)


def test_far_from_a_base_that_is_not_round_the_gap_is_measured() -> None:
    """wh40k.possible.engage-all, .avoid-others: far from an oval its gap is told, not a bound of it against the limit
    up and down.
    """
    own = unit([(-4, 0)], base="40mm round")
    oval = unit([(8, 0)], base="75x42mm oval", facing_deg=30)
    judged = verdict([(1, 0)], own, {"T": oval}, total=10)
    (found,) = (one for one in judged.findings if one.rule == "wh40k.possible.engage-all")
    assert (found.measured, found.limit) == pytest.approx((4.887306, 1.0), abs=1e-6)
    (found,) = (one for one in judged.findings if one.rule == "wh40k.move.end-clear")
    assert (found.measured, found.limit) == pytest.approx((4.887306, 0.0), abs=1e-6)
    others = {"T": unit([(-8, 0)]), "N": oval}
    judged = verdict([(1, 0)], own, others, total=10)
    (found,) = (one for one in judged.findings if one.rule == "wh40k.possible.avoid-others")
    assert (found.measured, found.limit) == pytest.approx((4.887306, 1.0), abs=1e-6)


BASES = ("25.4mm round", "75x42mm oval", "25x50mm rectangle", "60x35mm oval")


def spread(number: int) -> Scene:
    """Put A beside T and N, on bases of all kinds, at several heights."""
    dice = random.Random(number)  # noqa: S311 - scenes, not secrets

    def squad(west: float, side: str) -> dict[str, object]:
        wide = dice.choice((3.2, 4.0, 7.0))
        spots = [
            (west + dice.uniform(0, 1), wide * row + dice.uniform(-0.1, 0.1)) for row in range(3)
        ]
        return unit(
            [*spots], side=side, base=dice.choice(BASES), facing_deg=dice.choice((0, 30, 90))
        )

    question = case(
        squad(0, "blue"),
        {"T": squad(dice.uniform(5, 12), "red"), "N": squad(-dice.uniform(5, 12), "red")},
    )
    scene = scene_of(question.state, "A", ["T"], choices=question.choices, book=Book())
    lifted = [
        model.at(model.pose, dice.choice((0.0, 0.0, 0.0, 4.0, 5.5, 8.0)))
        for model in scene.charger.models
    ]
    return scene.with_charger(replace(scene.charger, models=tuple(lifted)))


def measures(one: Model, other: Model, across: float) -> tuple[float, tuple[float, float]]:
    """Return the margin of a pair, and what is measured with its limit: across, or up and down where that binds."""
    apart = gap(one.footprint, other.footprint)
    rise = abs(one.z - other.z)
    return min((across - apart, (apart, across)), (5.0 - rise, (rise, 5.0)))


@pytest.mark.parametrize("number", range(60))
def test_conditions_tell_what_binds(number: int) -> None:
    """wh40k.possible.*: measure and limit are those of the pair that decides, across or up and down, whatever the
    bases.
    """
    scene = spread(number)
    models = scene.charger.models
    ends = Ends(scene, scene.charger.models)
    for name, finding in zip("TN", (*engaged_findings(ends), *apart_findings(ends)), strict=True):
        enemies = scene.state.units[name].models
        _, (measured, limit) = max(measures(one, other, 1.0) for one in models for other in enemies)
        assert (finding.measured, finding.limit) == pytest.approx((measured, limit), abs=3e-6)
    finding = coherency_finding(ends)
    pairs = {
        (row, column): measures(models[row], models[column], 2.0)
        for row in range(3)
        for column in range(row)
    }
    # of three models the second best link of three joins them all
    _, (measured, limit) = sorted(pairs.values())[1]
    assert (finding.measured, finding.limit) == pytest.approx((measured, limit), abs=3e-6)
    level = [
        gap(one.footprint, two.footprint)
        for row, one in enumerate(models)
        for two in models[:row]
        if one.z == two.z
    ]
    level += [
        gap(one.footprint, two.footprint)
        for one in models
        for two in scene.bodies.models
        if one.z == two.z
    ]
    assert [clear.measured for clear in clear_findings(ends)] == pytest.approx(
        [min(level)] if level else [], abs=3e-6
    )

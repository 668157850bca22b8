"""What figures show of a charge: the lee of a barricade, the range to the targets, and what decided, where it is
seen.
"""

import math

import numpy as np
import pytest
import shapely

from systems.wh40k.declare import declare
from systems.wh40k.evidence import barricade_zone, evidence_before
from tabletop.budget import Budget
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon
from tabletop.ruling.evidence import Dice, Mark
from tabletop.testing.answers import resolved
from tests.systems.said import numbers
from tests.systems.wh40k.tables import SHIFT, case, piece, ruling, unit

BARRICADE = polygon([(1.0, -2.0), (1.5, -2.0), (1.5, 1.0), (1.0, 1.0)])
FOOTPRINTS = {
    "disc": disc((0.0, 0.0), 0.5),
    "oval": oval(Pose(0.0, 0.0, 0.4), 1.5, 0.8),
    "rectangle": polygon([(-0.6, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.6, 0.4)]),
}


@pytest.mark.parametrize("kind", FOOTPRINTS)
def test_lee_against_shortest_lines(kind: str) -> None:
    """A place is in the lee if the shortest line from it to the footprint meets the barricade and is no longer than the
    range.
    """
    footprint = FOOTPRINTS[kind]
    parts = shapely.union_all([part.core for part in barricade_zone(footprint, BARRICADE, 2.0)])
    outline = shapely.Polygon(footprint.outline(720))
    for x, y in np.random.default_rng(3).uniform(-3.0, 4.0, (400, 2)).tolist():
        line = shapely.shortest_line(shapely.Point(x, y), outline)
        doubt = min(abs(line.length - 2.0), abs(shapely.Point(x, y).distance(parts.boundary)))
        if doubt > 0.02:
            assert parts.contains(shapely.Point(x, y)) == (
                0.0 < line.length < 2.0 and line.intersects(BARRICADE.core)
            ), (x, y)


def test_lee_behind_a_long_barricade() -> None:
    """Behind a barricade an inch away it begins at the barricade's near side and ends 2 in from the base."""
    (part,) = barricade_zone(disc((0.0, 0.0), 0.5), BARRICADE, 2.0)
    assert part.bounds[::2] == pytest.approx((1.0, 2.5), abs=1e-3)


def test_no_lee_beyond_the_range() -> None:
    """A barricade out of range casts none."""
    far = polygon([(2.6, -2.0), (3.0, -2.0), (3.0, 2.0), (2.6, 2.0)])
    assert barricade_zone(disc((0.0, 0.0), 0.5), far, 2.0) == ()


def test_zones_of_a_ruling_show_the_lee() -> None:
    """The evidence has a target's engagement range and, where a barricade stands beside it, what that adds."""
    from tabletop.api import resolve

    def zones(height: float) -> list[Shape]:
        barricade = (piece("barricade", 4, -2, 4.6, 2, height=height),)
        one = case(
            unit([(0, 0)]), {"T": unit([(5.6, 0)])}, total=6, terrain=barricade if height else ()
        )
        return [
            zone.shape for zone in resolve(one).rulings[0].evidence.zones if zone.role == "target"
        ]

    (plain,) = zones(0.0)
    with_lee = zones(1.0)
    assert plain.radius == pytest.approx(1.5)
    assert len(with_lee) == 2
    assert with_lee[1].bounds[0] == pytest.approx(20.0 + 5.6 - 2.5, abs=1e-3)
    assert math.isclose(with_lee[1].bounds[2], 20.0 + 4.6, abs_tol=1e-2)


def test_out_of_time_a_figure_goes_without_the_lee() -> None:
    """It is shading, and decides nothing: the engagement ranges alone are shown."""
    one = case(
        unit([(0, 0)]),
        {"T": unit([(5.6, 0)])},
        terrain=(piece("barricade", 4, -2, 4.6, 2, height=1),),
    )
    declaration = declare(one, one.charges[0], one.state)
    with Budget(seconds=0.0, started=-1.0).running():
        (late,) = evidence_before(declaration).zones
    whole = evidence_before(declaration).zones
    assert whole[0].shape.bounds == late.shape.bounds
    assert len(whole) == 2


def decided(name: str) -> tuple[str, Mark]:
    """Return the rule that decided the first charge of a bundled scenario, and its mark."""
    return next(iter(resolved(f"wh40k/{name}")[1].rulings[0].decided.items()))


def shown(name: str) -> Mark:
    """Return the mark of what decided the first charge of a bundled scenario."""
    return decided(name)[1]


def test_two_ranges_that_never_meet() -> None:
    """wh40k.possible.engage-all: the piece between the engagement ranges, from edge to edge."""
    rule, found = decided("two-zones-that-never-meet")
    ((start, end),) = found.lines
    assert rule == "wh40k.possible.engage-all"
    assert math.dist(start, end) == pytest.approx(1.2, abs=0.01)
    assert numbers(found.words) == ["1.2"]


def test_a_chain_that_is_too_short() -> None:
    """wh40k.possible.coherency: what the models would have to span."""
    rule, found = decided("chain-too-short")
    assert (rule, numbers(found.words)) == ("wh40k.possible.coherency", ["9", "3", "7"])


def test_a_bystander_and_a_height() -> None:
    """wh40k.possible.avoid-others, wh40k.terrain.mid-climb: what was needed, but for a hair, and what was rolled."""
    assert numbers(shown("bystander-in-the-way").words) == ["4", "4"]
    assert "more" in shown("bystander-in-the-way").words
    assert len(shown("bystander-in-the-way").areas) == 1
    assert numbers(shown("hanging-on-the-wall").words) == ["10.61", "6"]


def test_who_was_lost() -> None:
    """wh40k.overwatch.retest: the model that is lost, and what the others need."""
    found = shown("overwatch-takes-the-nearest")
    assert ("lost" in found.words, numbers(found.words)) == (True, ["7", "5"])
    assert len(found.areas) == 1


def test_refusals_stand_at_the_unit() -> None:
    """wh40k.eligible.not-advanced, wh40k.eligible.not-engaged: each in a word."""
    ruling = resolved("wh40k/three-reasons-against")[1].rulings[0]
    advanced, engaged, short = (one.words for one in ruling.decided.values())
    assert ("advanced" in advanced, "engaged" in engaged, numbers(short)) == (True, True, ["1"])


def test_a_success_counts() -> None:
    """wh40k.move.contact: in base contact, and engaged; dice that were rolled again do not count."""
    assert numbers(shown("ten-against-ten").words) == ["6", "10", "8"]
    assert resolved("wh40k/second-chance")[1].rulings[0].evidence.dice == Dice(
        (1, 3), "= 4 in", (1, 1)
    )


def test_a_success_says_no_more_than_there_is() -> None:
    """wh40k.move.contact: no count of a single model; of models without base contact first those that are engaged."""
    words = [
        shown(name).words
        for name in ("contact-is-a-duty", "second-chance", "chain-just-long-enough")
    ]
    assert ["contact" in one for one in words] == [True] * 3
    assert ["engaged" in one for one in words] == [False, True, True]
    assert [numbers(one) for one in words] == [[], [], ["2", "4"]]


@pytest.mark.parametrize(
    ("after", "at"),
    [([], None), ([1], 0), ([0, 1], None)],
)
def test_a_success_is_told_at_a_model_that_counts(after: list[int], at: int | None) -> None:
    """wh40k.move.contact, wh40k.overwatch.after: at a base in contact that is left, away from its target; else where
    one stood.
    """
    charge = ruling(
        unit([(0, 0), (0, 2)]),
        {"T": unit([(5, 1)])},
        total=6,
        overwatch={"after": after} if after else {},
    )
    ends = {
        step.model: step.end.at
        for step in charge.steps
        if step.model is not None and step.length and step.end is not None
    }
    told = next(iter(charge.decided.values()))
    assert (numbers(told.words), "losses" in told.words) == (["2", "2", "2"], bool(after))
    assert told.at is not None
    target = (SHIFT + 5.0, SHIFT + 1.0)
    near = min(ends if at is None else [at], key=lambda number: math.dist(told.at, ends[number]))
    assert math.dist(told.at, ends[near]) == pytest.approx(0.5, abs=0.01)
    assert math.dist(told.at, target) == pytest.approx(1.5, abs=0.01)
    assert len(told.areas) == (2 if len(after) == 2 else 0)


def test_a_model_that_is_lost_is_marked_where_it_stood() -> None:
    """wh40k.overwatch.after: of the bundled scenario the one model in contact is gone; its place is marked, and the
    words say that.
    """
    rule, found = decided("killed-on-arrival")
    assert (rule, numbers(found.words)) == ("wh40k.overwatch.after", ["1", "2", "1"])
    assert "losses" in found.words
    assert found.at == pytest.approx((26.5, 20.0), abs=0.01)
    assert [area.bounds for area in found.areas] == [pytest.approx((26.5, 19.5, 27.5, 20.5))]


def test_the_range_is_drawn_between_the_nearest_bases() -> None:
    """From base to base along the line between the middles of the nearest two models, here 3 to 4 to 5."""
    charge = ruling(unit([(0, 0), (-2, 0)]), {"T": unit([(6, 8), (9, 8)])}, total=12)
    line = charge.evidence.dimensions[0]
    assert [value - SHIFT for value in (*line.start, *line.end)] == pytest.approx(
        [0.3, 0.4, 5.7, 7.6]
    )


def test_the_range_is_drawn_from_the_wider_base_where_that_is_nearer() -> None:
    """Of a base of 4 in with its middle farther off and one of 1 in the wider is 4.5 in from its target, the other 5
    in.
    """
    models = [
        {"at": [SHIFT, SHIFT], "base": "25.4mm round"},
        {"at": [SHIFT + 6.0, SHIFT + 7.0], "base": "101.6mm round"},
    ]
    charge = ruling({"models": models}, {"T": unit([(6, 0)])}, total=12)
    line = charge.evidence.dimensions[0]
    assert [value - SHIFT for value in (*line.start, *line.end)] == pytest.approx(
        [6.0, 5.0, 6.0, 0.5]
    )

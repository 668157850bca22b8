"""The lee of a barricade, by hand and against shortest lines to many places."""

import math

import numpy as np
import pytest
import shapely

from systems.wh40k.barricades import is_across_barricade
from systems.wh40k.declare import declare
from systems.wh40k.evidence import evidence_before, lee
from tabletop.budget import Budget
from tabletop.geometry.distance import joins
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon
from tabletop.units import CONTACT
from tests.systems.wh40k.tables import case, piece, unit
from tests.systems.wh40k.test_regions import scene_of_case

BARRICADE = polygon([(1.0, -2.0), (1.5, -2.0), (1.5, 1.0), (1.0, 1.0)])
FOOTPRINTS = {
    "disc": disc((0.0, 0.0), 0.5),
    "oval": oval(Pose(0.0, 0.0, 0.4), 1.5, 0.8),
    "rectangle": polygon([(-0.6, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.6, 0.4)]),
}


@pytest.mark.parametrize("kind", FOOTPRINTS)
def test_lee_against_shortest_lines(kind: str) -> None:
    """A place is in the lee if the shortest line from it to the footprint meets the barricade and is no longer than the range."""
    footprint = FOOTPRINTS[kind]
    parts = shapely.union_all([part.core for part in lee(footprint, BARRICADE, 2.0)])
    outline = shapely.Polygon(footprint.outline(720))
    for x, y in np.random.default_rng(3).uniform(-3.0, 4.0, (400, 2)).tolist():
        line = shapely.shortest_line(shapely.Point(x, y), outline)
        doubt = min(abs(line.length - 2.0), abs(shapely.Point(x, y).distance(parts.boundary)))
        if doubt > 0.02:
            assert parts.contains(shapely.Point(x, y)) == (0.0 < line.length < 2.0 and line.intersects(BARRICADE.core)), (x, y)


def test_lee_behind_a_long_barricade() -> None:
    """Behind a barricade an inch away it begins at the barricade's near side and ends 2 in from the base."""
    (part,) = lee(disc((0.0, 0.0), 0.5), BARRICADE, 2.0)
    assert part.bounds[::2] == pytest.approx((1.0, 2.5), abs=1e-3)


def test_no_lee_beyond_the_range() -> None:
    """A barricade out of range casts none."""
    far = polygon([(2.6, -2.0), (3.0, -2.0), (3.0, 2.0), (2.6, 2.0)])
    assert lee(disc((0.0, 0.0), 0.5), far, 2.0) == ()


def test_zones_of_a_ruling_show_the_lee() -> None:
    """The evidence has a target's engagement range and, where a barricade stands beside it, what that adds."""
    from tabletop.api import resolve

    def zones(height: float) -> list[Shape]:
        barricade = (piece("barricade", 4, -2, 4.6, 2, height=height),)
        one = case(unit([(0, 0)]), {"T": unit([(5.6, 0)])}, total=6, terrain=barricade if height else ())
        return [zone.shape for zone in resolve(one).rulings[0].evidence.zones if zone.role == "target"]

    (plain,) = zones(0.0)
    with_lee = zones(1.0)
    assert plain.radius == pytest.approx(1.5)
    assert len(with_lee) == 2
    assert with_lee[1].bounds[0] == pytest.approx(20.0 + 5.6 - 2.5, abs=1e-3)
    assert math.isclose(with_lee[1].bounds[2], 20.0 + 4.6, abs_tol=1e-2)


def test_out_of_time_a_figure_goes_without_the_lee() -> None:
    """It is shading, and decides nothing: the engagement ranges alone are shown."""
    one = case(unit([(0, 0)]), {"T": unit([(5.6, 0)])}, terrain=(piece("barricade", 4, -2, 4.6, 2, height=1),))
    declaration = declare(one, one.charges[0], one.state)
    with Budget(seconds=0.0, started=-1.0).running():
        (late,) = evidence_before(declaration).zones
    whole = evidence_before(declaration).zones
    assert whole[0].shape.bounds == late.shape.bounds
    assert len(whole) == 2


@pytest.mark.parametrize("number", range(40))
def test_barricades_that_cannot_lie_between_are_not_missed(number: int) -> None:
    """Looking first at the boxes around two bodies changes nothing: the same as the shortest segments themselves tell."""
    dice = np.random.default_rng(number)
    body, foe = (oval(Pose(x, y, turn), 1.5, 0.8) for x, y, turn in dice.uniform((20.0, 20.0, 0.0), (25.0, 25.0, 3.0), (2, 3)).tolist())
    west, south = dice.uniform(0.0, 4.5, 2)
    barricade = piece("barricade", west, south, west + 0.5, south + 0.5, height=1)
    scene = scene_of_case(case(unit([(30, 30)]), {"T": unit([(36, 30)])}, terrain=(barricade,)))
    crossed = bool(joins(body, foe).distance(scene.barricades[0].shape.core) <= CONTACT)
    assert is_across_barricade(scene, body, foe) == crossed

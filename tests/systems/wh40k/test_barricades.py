"""Where a barricade lengthens the engagement range: between which bodies, and at which places behind it."""

import math

import numpy as np
import pytest
import shapely

from systems.wh40k.barricades import BarricadeShadow, is_across_barricade
from tabletop.geometry.curve import ArcCurve
from tabletop.geometry.distance import shortest_segments_region
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import oval, polygon
from tabletop.units import CONTACT
from tests.systems.wh40k.tables import case, piece, unit
from tests.systems.wh40k.test_regions import scene_of_case


@pytest.mark.parametrize("number", range(40))
def test_barricades_that_cannot_lie_between_are_not_missed(number: int) -> None:
    """Looking first at the boxes around two bodies changes nothing: the same as the shortest segments themselves
    tell.
    """
    dice = np.random.default_rng(number)
    body, foe = (
        oval(Pose(x, y, turn), 1.5, 0.8)
        for x, y, turn in dice.uniform((20.0, 20.0, 0.0), (25.0, 25.0, 3.0), (2, 3)).tolist()
    )
    west, south = dice.uniform(0.0, 4.5, 2)
    barricade = piece("barricade", west, south, west + 0.5, south + 0.5, height=1)
    scene = scene_of_case(case(unit([(30, 30)]), {"T": unit([(36, 30)])}, terrain=(barricade,)))
    crossed = bool(
        shortest_segments_region(body, foe).distance(scene.barricades[0].shape.core) <= CONTACT
    )
    assert is_across_barricade(scene, body, foe) == crossed


@pytest.mark.parametrize(
    "middle",
    [(0.0, 0.0), (0.3, 0.8), (1.2, -0.4)],
    ids=["about the enemy", "over its edge", "beside it"],
)
def test_a_barricade_that_an_enemy_stands_over_lengthens_its_range_all_round(
    middle: tuple[float, float],
) -> None:
    """Where a barricade lies under an enemy's base, the places within range across it are shut, whichever way one
    looks.
    """
    box = shapely.box(middle[0] - 0.9, middle[1] - 0.9, middle[0] + 0.9, middle[1] + 0.9)
    curves = BarricadeShadow((20.0, 20.0), 0.5, 0.5, 2.0).shadows(
        polygon(shapely.get_coordinates(shapely.affinity.translate(box, 20, 20))[:-1])
    )
    shut = shapely.union_all([outline(curve) for curve in curves])
    for angle in np.linspace(0.0, math.tau, 90, endpoint=False):
        ahead = np.array([math.cos(angle), math.sin(angle)])
        is_across = shapely.LineString([0.5 * ahead, 2.4 * ahead]).intersects(box.buffer(-0.01))
        assert not is_across or shut.contains(shapely.Point(20.0 + 2.9 * ahead))


def outline(curve: ArcCurve) -> shapely.Polygon:
    """Draw a curve with many points on its arcs, a hundred-thousandth of an inch too large."""
    angles = curve.starts[:, None] + curve.spans[:, None] * np.linspace(0.0, 1.0, 200)
    points = curve.centres[:, None, :] + curve.radii[:, None, None] * np.stack(
        [np.cos(angles), np.sin(angles)], axis=-1
    )
    return shapely.Polygon(points.reshape(-1, 2)).convex_hull.buffer(1e-5)


@pytest.mark.parametrize("seed", range(6))
def test_shadows_hold_every_place_across_a_barricade(seed: int) -> None:
    """A place whose segment to the enemy meets the barricade within range is shut, one a little off is open."""
    chance = np.random.default_rng(seed)
    enemy, own = 0.4 + 0.6 * chance.random(2)
    away = 1.6 + chance.random()
    turn = math.tau * chance.random()
    wide = 0.2 + chance.random()
    deep = 0.5 + 2.0 * chance.random()
    box = shapely.affinity.rotate(
        shapely.box(away, -deep, away + wide, deep), math.degrees(turn), origin=(0, 0)
    )
    curves = BarricadeShadow((20.0, 20.0), enemy, own, 2.0).shadows(
        polygon(shapely.get_coordinates(shapely.affinity.translate(box, 20, 20))[:-1])
    )
    shut = shapely.union_all([outline(curve) for curve in curves])
    places = 10.0 * chance.random((400, 2)) - 5.0
    inside = shapely.contains_xy(shut, places + 20.0)
    for place, is_shut in zip(places, inside, strict=True):
        apart = math.hypot(*place)
        unit_vector = place / apart
        between = shapely.LineString([enemy * unit_vector, (apart - own) * unit_vector])
        gap = apart - own - enemy
        if gap > 0.0 and gap < 2.0 - 1e-6 and between.length > 0.0 and between.intersects(box):
            assert is_shut
        elif gap > 2.01 or between.distance(box) > 0.3:
            assert not is_shut

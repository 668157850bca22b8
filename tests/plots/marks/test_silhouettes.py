"""Silhouettes: one for every word, told apart by their outlines alone."""

from itertools import combinations

import pytest
import shapely

from plots.marks.silhouettes import DRAWN, UNKNOWN_SILHOUETTE, drawn_as, fitted
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, oval, polygon
from tabletop.table.state import SILHOUETTES, Silhouette

REGIONS = {
    name: shapely.union_all([shapely.Polygon(ring) for ring in (*drawn.bodies, *drawn.parts)])
    for name, drawn in DRAWN.items()
}


def test_every_word_is_drawn() -> None:
    """Each word of the engine has its drawing; without a word there is a house."""
    assert set(DRAWN) == set(SILHOUETTES)
    assert drawn_as(None) is UNKNOWN_SILHOUETTE


@pytest.mark.parametrize("name", SILHOUETTES)
def test_rings_are_whole_and_in_a_unit_square(name: Silhouette) -> None:
    """No ring crosses itself, and none lies beyond half a unit from the middle; at least two thirds of the square are
    filled one way.
    """
    for ring in (*DRAWN[name].bodies, *DRAWN[name].parts):
        assert shapely.Polygon(ring).is_valid
        assert not shapely.is_ccw(shapely.LinearRing(ring)), (
            "one way round, so that what is drawn at once has no holes"
        )
    west, south, east, north = REGIONS[name].bounds
    assert min(west, south) >= -0.5
    assert max(east, north) <= 0.5
    assert max(east - west, north - south) >= 2 / 3


@pytest.mark.parametrize("name", SILHOUETTES)
def test_they_are_as_wide_to_the_left_as_to_the_right(name: Silhouette) -> None:
    """Each is its own mirror image, so that it shows where it looks and nothing else."""
    mirror = shapely.transform(REGIONS[name], lambda points: points * (-1, 1))
    assert REGIONS[name].symmetric_difference(mirror).area < 1e-3


@pytest.mark.parametrize("name", SILHOUETTES)
def test_front_and_rear_differ(name: Silhouette) -> None:
    """Turned about it is another: where a unit looks is seen."""
    turned = shapely.transform(REGIONS[name], lambda points: -points)
    assert REGIONS[name].symmetric_difference(turned).area > 0.03 * REGIONS[name].area


@pytest.mark.parametrize("name", SILHOUETTES)
def test_no_part_reads_as_the_cross_of_what_is_lost(name: Silhouette) -> None:
    """No two bars of a drawing cross each other through: an X stands for a model that is gone."""
    for one, other in combinations(DRAWN[name].parts, 2):
        assert len(
            shapely.get_parts(shapely.Polygon(one).difference(shapely.Polygon(other)))
        ) < 2 or (
            len(shapely.get_parts(shapely.Polygon(other).difference(shapely.Polygon(one)))) < 2
        )


def test_outlines_are_told_apart() -> None:
    """Of any two silhouettes a tenth of what both cover belongs to one alone, in black on white."""
    alike = {
        pair: REGIONS[pair[0]].symmetric_difference(REGIONS[pair[1]]).area
        / REGIONS[pair[0]].union(REGIONS[pair[1]]).area
        for pair in combinations(SILHOUETTES, 2)
    }
    assert min(alike.values()) > 0.1, min(alike, key=lambda pair: alike[pair])


@pytest.mark.parametrize(
    "base",
    [
        disc((1.0, 2.0), 0.6),
        oval(Pose(0.0, 0.0, 1.0), 4.0, 2.5),
        polygon([(2, 1.5), (2, -1.5), (-2, -1), (-2, 1)]),
    ],
)
@pytest.mark.parametrize("name", SILHOUETTES)
def test_they_fit_a_base_of_any_outline(name: Silhouette, base: Shape) -> None:
    """No corner of a silhouette lies beyond the base, and it fills a good part of it, either way."""
    ring = tuple((x, y) for x, y in base.outline().tolist())
    room = shapely.Polygon(ring)
    drawn = shapely.union_all([shapely.Polygon(one) for one in fitted(name, ring)])
    assert room.buffer(1e-9).covers(drawn)
    assert drawn.area > 0.08 * room.area

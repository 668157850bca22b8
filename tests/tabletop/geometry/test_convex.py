"""Convex rings: gaps of many at once, and the convex parts of polygons with very many corners."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.fronts.obstacle import Obstacle
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import (
    MOST_CORNERS,
    are_nearer,
    convex_parts,
    edge_normals,
    reflected,
    ring_gap,
    rotated,
    separation,
    split_ring,
    stack_padded,
)
from tabletop.geometry.distance import _penetration, gap
from tabletop.geometry.shape import Shape, polygon
from tests.oracles.extreme import forms
from tests.tabletop.geometry.test_motion import bodies, box, places, rings, spot

FORMS = {
    "star": forms.gear(2000, 3.0, 0.1),
    "shallow star": forms.gear(2000, 3.0, 1e-3),
    "comb": forms.comb(2000, 5.0),
    "disc": forms.rounded(2000, 4.0),
    "33 corners": forms.rounded(33, 4.0),
    "34 corners": forms.rounded(34, 4.0),
    "tiny disc": forms.rounded(2000, 0.01),
}


@given(first=rings, second=rings, shift=places)
def test_apart_the_gap_is_the_distance(
    first: np.ndarray, second: np.ndarray, shift: tuple[float, float]
) -> None:
    """It agrees with Shapely where bodies are apart, and is at most 0 where they meet."""
    moved = first + np.array(shift)
    distance = float(shapely.distance(bodies(moved[None])[0], bodies(second[None])[0]))
    assert (
        float(ring_gap(moved, second)) == pytest.approx(distance, abs=1e-9)
        if distance > 0.0
        else ring_gap(moved, second) <= 1e-9
    )


@pytest.mark.parametrize(
    ("second", "gap"),
    [
        pytest.param(box(2.0, 0.0), 1.0, id="beside"),
        pytest.param(box(1.0, 1.0), 0.0, id="corner to corner"),
        pytest.param(box(0.75, 0.5), -0.25, id="overlap by a quarter"),
        pytest.param(box(0.0, 0.0), -1.0, id="the same place"),
        pytest.param(spot(0.5, 0.8), -0.2, id="a point inside"),
        pytest.param(spot(4.0, 5.0), 5.0, id="a point outside"),
        pytest.param(np.array([[-1.0, 0.9], [2.0, 0.9]]), -0.1, id="a line across"),
    ],
)
def test_signed_gaps_of_a_box(second: np.ndarray, gap: float) -> None:
    """Positive apart, negative the least shift that parts them, and the same both ways."""
    assert float(ring_gap(box(0.0, 0.0), second)) == pytest.approx(gap, abs=1e-12)
    assert float(ring_gap(second, box(0.0, 0.0))) == pytest.approx(gap, abs=1e-12)


@pytest.mark.parametrize(("start", "gap"), [(3.0, 1.0), (2.0, 0.0), (1.0, 0.0)])
def test_segments_on_one_line_may_lie_apart(start: float, gap: float) -> None:
    """Two segments along one line are apart by the space between their ends."""
    first = np.array([[0.0, 0.0], [2.0, 0.0]])
    second = np.array([[start, 0.0], [start + 2.0, 0.0]])
    around = np.array([0.7])
    assert float(ring_gap(first, second)) == pytest.approx(gap, abs=1e-12)
    assert float(ring_gap(rotated(first, around)[0], rotated(second, around)[0])) == pytest.approx(
        gap, abs=1e-12
    )


@given(angle=st.floats(-3, 3))
def test_a_shared_edge_stays_a_contact_after_any_turn(angle: float) -> None:
    """Rounding leaves a gap of less than 1e-12 in, of either sign."""
    here = rotated(box(0.0, 0.0), np.array([angle]))[0]
    there = rotated(box(1.0, 0.0), np.array([angle]))[0]
    assert abs(float(ring_gap(here, there))) < 1e-12


def test_mirrored_rings_stay_counter_clockwise() -> None:
    """The mirror image turns the same way round and lies at the opposite y."""
    image = reflected(box(1.0, 2.0))
    assert shapely.is_ccw(shapely.linearrings(image))
    assert image[:, 1].tolist() == [-3.0, -3.0, -2.0, -2.0]


@pytest.mark.parametrize("than", [-0.5, -1e-6, 0.0, 0.001, 1.0])
def test_separation_and_nearness_as_the_gap_tells(than: float) -> None:
    """Where a line along an edge parts two rings they are at least that far apart, and where none does that is their
    gap.
    """
    dice = np.random.default_rng(7)
    first, second = ([box(*dice.uniform(-2.0, 2.0, 2)) for _ in range(200)] for _ in range(2))
    one = rotated(np.array(first), dice.uniform(-3.0, 3.0, 200))
    gap = ring_gap(one, np.array(second))
    apart = separation(one, np.array(second))
    assert (apart <= gap + 1e-12).all()
    assert apart[apart < 0.0] == pytest.approx(gap[apart < 0.0], abs=1e-12)
    assert (
        are_nearer(one, np.array(second), than=np.full(200, than)).tolist() == (gap < than).tolist()
    )


def test_padded_rings_are_the_same_bodies() -> None:
    """Repeating a corner changes no gap."""
    one, other = stack_padded([spot(4.0, 5.0), box(2.0, 0.0)])
    assert float(ring_gap(box(0.0, 0.0), one)) == pytest.approx(5.0)
    assert float(ring_gap(box(0.0, 0.0), other)) == pytest.approx(1.0)


def test_normals_of_a_ring_point_outward() -> None:
    """A square's four unit normals; a point has none."""
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    assert edge_normals(square).tolist() == [[0, -1], [1, 0], [0, 1], [-1, 0]]
    assert edge_normals(square[:1]).shape == (0, 2)


def is_convex(ring: FloatArray) -> bool:
    """Return whether a ring turns left, or straight on, at every corner."""
    before = ring - np.roll(ring, 1, axis=0)
    after = np.roll(ring, -1, axis=0) - ring
    return bool((before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] >= -1e-12).all())


@pytest.mark.parametrize("name", FORMS)
def test_parts_are_convex_and_small_and_make_up_the_whole(name: str) -> None:
    """Together they cover what the polygon covers, without overlaps; each has few corners, and there are about as few
    as can be.
    """
    shape = polygon(np.array(FORMS[name]))
    assert all(is_convex(part) and 3 <= len(part) <= MOST_CORNERS for part in shape.parts)
    assert sum(shapely.Polygon(part).area for part in shape.parts) == pytest.approx(
        shape.core.area, rel=1e-9
    )
    assert (
        shapely.union_all([shapely.Polygon(part) for part in shape.parts])
        .symmetric_difference(shape.core)
        .area
        < 1e-9
    )
    assert len(shape.parts) <= len(FORMS[name]) * 0.55


def test_polygons_of_few_corners_stay_in_the_parts_they_had() -> None:
    """What an ordinary table holds is parted as before: convex rings whole, others into triangles."""
    whole = polygon(np.array(forms.rounded(MOST_CORNERS, 2.0)))
    notched = polygon([(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)])
    assert whole.parts is whole.pieces
    assert len(whole.parts) == 1
    assert [len(part) for part in notched.parts] == [3, 3, 3]


def test_triangles_are_not_joined_round_a_reflex_corner() -> None:
    """An arrow head stays in two."""
    arrow = np.array([[[0.0, 0.0], [2.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 1.0], [1.0, 2.0]]])
    assert sorted(map(len, convex_parts(list(arrow)))) == [3, 3]


@pytest.mark.parametrize("depth", [2e-6, 1e-4])
@pytest.mark.parametrize("turn", [0.0, 0.0031, 0.05, 1.0])
def test_a_shallow_overlap_is_as_deep_with_a_part(depth: float, turn: float) -> None:
    """A box that reaches a little into a ring of 2,000 corners reaches as deep into one of its parts, also where two of
    them meet.
    """
    disc = polygon(np.array(forms.turned(forms.gear(2000, 3.0, 0.0), turn, (0.0, 0.0))))
    edge = float(np.array(disc.core.exterior.coords)[:, 0].max()) - depth
    box = polygon([(edge, -1.0), (edge + 1.0, -1.0), (edge + 1.0, 1.0), (edge, 1.0)])
    parts = [gap(box, Shape(shapely.Polygon(part))) for part in disc.parts]
    assert -min(parts) == pytest.approx(depth, abs=1e-9)
    assert gap(box, disc) == pytest.approx(-depth, abs=1e-9)


def test_depth_between_pieces_of_very_many_corners_needs_few_of_their_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Parts far from each other are not asked."""
    asked: list[float] = []

    def counted(first: FloatArray, second: FloatArray) -> float:
        asked.append(_penetration(first, second))
        return asked[-1]

    monkeypatch.setattr("tabletop.geometry.distance._penetration", counted)
    one = polygon(np.array(forms.comb(2000, 5.0)))
    other = polygon(np.array(forms.turned(forms.comb(2000, 5.0), 0.0, (9.9, 0.0))))
    assert gap(one, other) < 0.0
    assert 0 < len(asked) < 2000


def test_obstacles_are_held_in_parts_of_few_corners() -> None:
    """What a move keeps away from has few corners in each hazard."""
    hazards = Obstacle("disc", "rule", polygon(np.array(FORMS["disc"])), 0.5).hazards
    assert max(len(hazard.ring) for hazard in hazards) <= MOST_CORNERS
    assert {hazard.needed for hazard in hazards} == {0.5}


def test_slices_of_a_ring_leave_no_corner_out() -> None:
    """Every corner belongs to some part, whatever their number is."""
    for corners in (33, 62, 63, 64, 94, 95, 500):
        angles = np.arange(corners) * math.tau / corners
        ring = np.column_stack([np.cos(angles), np.sin(angles)])
        held = {tuple(corner) for part in split_ring(ring) for corner in part.tolist()}
        assert held == {tuple(corner) for corner in ring.tolist()}

"""Gaps of convex rings, many at once."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.convex import are_nearer, mirrored, padded, ring_gap, separation, turned
from tests.tabletop.geometry.test_motion import bodies, box, places, rings, spot


@given(first=rings, second=rings, shift=places)
def test_apart_the_gap_is_the_distance(first: np.ndarray, second: np.ndarray, shift: tuple[float, float]) -> None:
    """It agrees with Shapely where bodies are apart, and is at most 0 where they meet."""
    moved = first + np.array(shift)
    distance = float(shapely.distance(bodies(moved[None])[0], bodies(second[None])[0]))
    assert float(ring_gap(moved, second)) == pytest.approx(distance, abs=1e-9) if distance > 0.0 else ring_gap(moved, second) <= 1e-9


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
    first, second = np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([[start, 0.0], [start + 2.0, 0.0]])
    around = np.array([0.7])
    assert float(ring_gap(first, second)) == pytest.approx(gap, abs=1e-12)
    assert float(ring_gap(turned(first, around)[0], turned(second, around)[0])) == pytest.approx(gap, abs=1e-12)


@given(angle=st.floats(-3, 3))
def test_a_shared_edge_stays_a_contact_after_any_turn(angle: float) -> None:
    """Rounding leaves a gap of less than 1e-12 in, of either sign."""
    here, there = turned(box(0.0, 0.0), np.array([angle]))[0], turned(box(1.0, 0.0), np.array([angle]))[0]
    assert abs(float(ring_gap(here, there))) < 1e-12


def test_mirrored_rings_stay_counter_clockwise() -> None:
    """The mirror image turns the same way round and lies at the opposite y."""
    image = mirrored(box(1.0, 2.0))
    assert shapely.is_ccw(shapely.linearrings(image))
    assert image[:, 1].tolist() == [-3.0, -3.0, -2.0, -2.0]


@pytest.mark.parametrize("than", [-0.5, -1e-6, 0.0, 0.001, 1.0])
def test_separation_and_nearness_as_the_gap_tells(than: float) -> None:
    """Where a line along an edge parts two rings they are at least that far apart, and where none does that is their gap."""
    dice = np.random.default_rng(7)
    first, second = ([box(*dice.uniform(-2.0, 2.0, 2)) for _ in range(200)] for _ in range(2))
    one = turned(np.array(first), dice.uniform(-3.0, 3.0, 200))
    gap, apart = ring_gap(one, np.array(second)), separation(one, np.array(second))
    assert (apart <= gap + 1e-12).all()
    assert apart[apart < 0.0] == pytest.approx(gap[apart < 0.0], abs=1e-12)
    assert are_nearer(one, np.array(second), than=np.full(200, than)).tolist() == (gap < than).tolist()


def test_padded_rings_are_the_same_bodies() -> None:
    """Repeating a corner changes no gap."""
    one, other = padded([spot(4.0, 5.0), box(2.0, 0.0)])
    assert float(ring_gap(box(0.0, 0.0), one)) == pytest.approx(5.0)
    assert float(ring_gap(box(0.0, 0.0), other)) == pytest.approx(1.0)

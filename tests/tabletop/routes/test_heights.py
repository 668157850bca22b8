"""Heights on straight pieces, what they cost, and places given a little inside what they should only touch."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.geometry.shape import Shape, disc, polygon
from tabletop.routes import heights
from tabletop.routes.configuration_space import ConfigurationSpace
from tabletop.routes.heights import project_to_boundary, relax_climbs
from tabletop.routes.hindrances import Barrier, Platform, Solid
from tabletop.routes.lines import Segments, bodies_containing

NOBODY = np.array([-1])
GROUND = ConfigurationSpace(
    disc((0, 0), 0.5),
    40,
    20,
    solids=[Solid(polygon([(14, 8), (18, 8), (18, 12), (14, 12)]), 3.0)],
    barriers=[
        Barrier(disc((10, 10), 0.5), 0.0, 0.0, 0.0),
        Barrier(disc((11.2, 10), 0.5), 0.0, 0.0, 0.0),
    ],
)


def box(west: float, east: float) -> Shape:
    """Make an upright rectangle from south to north of the board."""
    return polygon([(west, 5), (east, 5), (east, 15), (west, 15)])


def ground(*pieces: Solid | Platform | Barrier) -> ConfigurationSpace:
    """Make a board of 40 by 20 in for a round base of 1 in."""
    solids = [piece for piece in pieces if isinstance(piece, Solid)]
    platforms = [piece for piece in pieces if isinstance(piece, Platform)]
    barriers = [piece for piece in pieces if isinstance(piece, Barrier)]
    return ConfigurationSpace(disc((0, 0), 0.5), 40, 20, solids, platforms, barriers)


def cost(
    one: ConfigurationSpace,
    tail: float,
    head: float,
    *,
    levels: tuple[float, float] = (0.0, 0.0),
    y: float = 10.0,
) -> float:
    """Measure the straight piece at height y between two x, from one level to another; inf where it is closed."""
    legs = one.land.legs(Segments(np.array([[tail, y]]), np.array([[head, y]])), NOBODY, NOBODY)
    tops = one.land.heights
    fits = np.isclose(tops[legs.tail], levels[0]) & np.isclose(tops[legs.head], levels[1])
    return float(legs.cost[fits].min(initial=math.inf))


@pytest.mark.parametrize(
    ("pieces", "climbed"),
    [
        pytest.param([], 0.0, id="nothing"),
        pytest.param([Solid(box(5, 6), 3.0)], 6.0, id="up and down"),
        pytest.param([Solid(box(5, 6), 3.0), Solid(box(10, 11), 2.0)], 10.0, id="twice"),
        pytest.param(
            [Solid(box(5, 8), 3.0), Solid(box(7, 10), 2.0)],
            6.0,
            id="over two that overlap: never up again",
        ),
        pytest.param(
            [Solid(box(5, 8), 3.0), Solid(box(8.5, 10), 2.0)],
            6.0,
            id="over two nearer than the base is wide",
        ),
        pytest.param(
            [Solid(box(5, 8), 3.0), Solid(box(9, 10), 2.0)],
            6.0,
            id="over two as far apart as the base is wide",
        ),
        pytest.param(
            [Solid(box(5, 8), 3.0), Solid(box(9.1, 10), 2.0)],
            10.0,
            id="over two a little farther apart",
        ),
        pytest.param([Platform(box(5, 8), 3.0)], 0.0, id="under a platform"),
        pytest.param(
            [Platform(box(5, 8), 3.0), Barrier(box(6, 7), 0.0, 0.0, 0.0)],
            6.0,
            id="on a platform over a barrier",
        ),
        pytest.param(
            [Platform(box(5, 8), 3.0), Barrier(box(6, 7), 0.0, 0.0, 3.0)],
            math.inf,
            id="not through what reaches up to it",
        ),
        pytest.param(
            [Solid(box(5, 8), 3.0), Barrier(box(6, 7), 0.0, 0.0, 2.0)],
            6.0,
            id="over a barrier inside a solid",
        ),
        pytest.param([Barrier(box(6, 7), 0.0, 1.0, 2.0)], 0.0, id="under a barrier"),
        pytest.param(
            [Solid(box(5, 8), 3.0), Barrier(box(4, 5), 0.0, 1.0, 2.0)],
            math.inf,
            id="not up through a barrier",
        ),
    ],
)
def test_a_straight_piece_costs_its_climbs(
    pieces: list[Solid | Platform | Barrier], climbed: float
) -> None:
    """Across the board, and the same on the way back."""
    one = ground(*pieces)
    assert cost(one, 2.0, 14.0) == pytest.approx(12.0 + climbed)
    assert cost(one, 14.0, 2.0) == pytest.approx(12.0 + climbed)


def test_pieces_start_and_end_on_levels() -> None:
    """From the top of a block down, and from top to top; from the table inside a block one would have to climb
    first.
    """
    one = ground(Solid(box(5, 8), 3.0), Solid(box(12, 15), 2.0))
    assert cost(one, 6.0, 2.0, levels=(3.0, 0.0)) == pytest.approx(7.0)
    assert cost(one, 6.0, 14.0, levels=(3.0, 2.0)) == pytest.approx(13.0)
    assert cost(one, 6.0, 2.0, levels=(0.0, 0.0)) == pytest.approx(10.0)


def test_along_the_side_of_a_solid_both_its_foot_and_its_top_are_open() -> None:
    """A piece that touches the whole side costs nothing below nor above, and the climb in between."""
    one = ground(Solid(box(5, 8), 3.0))
    for levels, climbed in (((0.0, 0.0), 0.0), ((3.0, 3.0), 0.0), ((0.0, 3.0), 3.0)):
        assert cost(one, 5.0, 8.0, levels=levels, y=15.5) == pytest.approx(3.0 + climbed)


@pytest.mark.parametrize("cells", [1, 2_000])
def test_lines_past_many_bodies_are_cut_a_few_at_a_time(
    cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that the time is asked in between: the fewer at once, the more bodies they meet; what they cost is the
    same.
    """
    one = ground(*(Solid(box(x, x + 0.4), 1.0 + x % 3) for x in range(5, 30)))
    y = np.linspace(6.0, 14.0, 12)
    lines = Segments(np.column_stack([0.0 * y + 2.0, y]), np.column_stack([0.0 * y + 34.0, y]))
    nobody = np.full(12, -1)
    whole = one.land.legs(lines, nobody, nobody)
    sizes = list[int]()
    levels = type(one.land)._levels

    def seen(land: Any, inside: NDArray[np.bool_], *rest: NDArray[Any]) -> NDArray[np.bool_]:
        sizes.append(inside.size * len(land.heights))
        return levels(land, inside, *rest)

    monkeypatch.setattr(heights, "CELLS", cells)
    monkeypatch.setattr(type(one.land), "_levels", seen)
    some = one.land.legs(lines, nobody, nobody)
    assert len(sizes) == 12  # of 25 bodies one line alone takes more
    assert all(np.array_equal(*columns) for columns in zip(whole, some, strict=True))


def test_costs_are_relaxed_up_and_down_but_not_through_what_is_stuck() -> None:
    """Heights 0, 2 and 5; the second step is stuck in the second row."""
    costs = np.array([[1.0, np.inf, np.inf], [1.0, np.inf, 9.0]])
    found = relax_climbs(
        costs, np.array([0.0, 2.0, 5.0]), np.array([[False, False], [False, True]])
    )
    assert found.tolist() == [[1.0, 3.0, 6.0], [1.0, 3.0, 9.0]]


def test_what_refuses_a_place_depends_on_its_height() -> None:
    """A barrier between its heights, a solid below its top, but not on a platform inside it."""
    one = ground(
        Solid(box(5, 8), 3.0), Platform(box(6, 9), 1.0), Barrier(box(20, 22), 0.0, 1.0, 2.0)
    )
    places = np.array(
        [[7, 10, 0.0], [7, 10, 3.0], [7, 10, 1.0], [21, 10, 0.0], [21, 10, 1.5], [30, 10, 0.0]]
    )
    assert one.land.refusing(places, bodies_containing(one.land.bodies, places[:, :2])).any(
        axis=1
    ).tolist() == [
        True,
        False,
        False,
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        pytest.param((9.0004, 10.0, 0.0), (9.0, 10.0, 0.0), id="out of a disc"),
        pytest.param((13.5003, 9.0, 0.0), (13.5, 9.0, 0.0), id="out of a block's side"),
        pytest.param((13.5 + 3e-4, 9.0, 3.0), (13.5 + 3e-4, 9.0, 3.0), id="not from its top"),
        pytest.param((9.02, 10.0, 0.0), (9.02, 10.0, 0.0), id="too deep"),
        pytest.param((9.0004, 10.0, 3.0), (9.0004, 10.0, 3.0), id="at another height"),
        pytest.param((5.0, 5.0, 0.0), (5.0, 5.0, 0.0), id="in the open"),
    ],
)
def test_places_are_eased_out_straight(
    place: tuple[float, float, float], expected: tuple[float, float, float]
) -> None:
    """To the nearest point of the boundary, if that is near."""
    assert project_to_boundary(GROUND.land, np.array([place]), give=1e-3)[0] == pytest.approx(
        expected, abs=1e-9
    )


def test_a_place_between_two_bodies_is_eased_out_of_both() -> None:
    """Where their boundaries cross, a little inside each."""
    height = math.sqrt(1.0 - 0.36)
    found = project_to_boundary(
        GROUND.land, np.array([[10.6, 10.0 + height - 2e-4, 0.0]]), give=1e-3
    )[0]
    assert found[:2] == pytest.approx([10.6, 10.0 + height], abs=1e-4)

"""The least turn that frees a rectangle standing on a line, against closed forms, other ways of looking, and a plain
grid.
"""

import math

import numpy as np
import pytest
import shapely

from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts.minimal_rotation import (
    MinimalRotation,
    RotationProblem,
    Tilt,
    _Search,
    minimal_rotation,
    optimal_places,
    rotation_bounds,
)
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.geometry.convex import ring_gap
from tabletop.geometry.pose import Side
from tabletop.geometry.shape import rectangle
from tabletop.optimise.interval import Intervals
from tabletop.table.facing import Facing
from tabletop.table.state import Board

BOARD = Board(60.0, 60.0)
LENGTH = 4.0


def facing(angle: float = 0.0) -> Facing:
    """Lay a facing from the middle of the board on, its normal turned counter-clockwise from +y."""
    along = (math.cos(angle), math.sin(angle))
    normal = (-math.sin(angle), math.cos(angle))
    return Facing("front", (30.0, 30.0), along, normal, LENGTH)


def hazard(line: Facing, corners: list[tuple[float, float]], needed: float = 0.0) -> ConvexObstacle:
    """Return a convex body at coordinates (u, v) of a facing."""
    return ConvexObstacle(np.array([line.point(*corner) for corner in corners]), needed)


def block(
    line: Facing, u: tuple[float, float], v: tuple[float, float], needed: float = 0.0
) -> ConvexObstacle:
    """Return a box with sides parallel to a facing."""
    return hazard(line, [(u[0], v[0]), (u[1], v[0]), (u[1], v[1]), (u[0], v[1])], needed)


def tilting(
    *hazards: ConvexObstacle,
    line: Facing | None = None,
    corner: Side = "right",
    depth: float = 2.0,
    board: Board = BOARD,
) -> RotationProblem:
    """Stand a rectangle 6 in wide on a facing."""
    return RotationProblem(line or facing(), 6.0, depth, corner, hazards, board)


def solved(problem: RotationProblem, places: Intervals = ((0.0, LENGTH),)) -> Tilt:
    """Find the least tilt, which must exist and be proven."""
    found = minimal_rotation(problem, places, budget=Budget())
    assert found.is_complete
    assert found.proven is not None
    return found.proven


def is_free(problem: RotationProblem, u: float, angle: float) -> bool:
    """Measure a tilted place with the shapes' own gap."""
    ring = rectangle(problem.pose(u, angle), problem.width, problem.depth).pieces[0]
    return all(float(ring_gap(ring, one.ring)) >= one.needed - 1e-6 for one in problem.hazards)


@pytest.mark.parametrize("needed", [0.0, 0.001, 0.5])
def test_least_tilt_over_a_step(needed: float) -> None:
    """A step beside the line is passed at the angle of its corner, and of the gap that it needs."""
    line = facing()
    found = solved(tilting(block(line, (5.0, 12.0), (-3.0, 1.0), needed), line=line), ((2.0, 2.0),))
    assert found.angle == pytest.approx(
        math.atan2(1.0, 3.0) + math.asin(needed / math.hypot(1.0, 3.0)), abs=1e-12
    )
    assert (found.place, found.ties) == (2.0, ((2.0, 2.0),))


def test_least_tilt_is_farthest_from_the_step() -> None:
    """Of all places the one farthest from the step needs the least angle."""
    line = facing()
    found = solved(tilting(block(line, (5.0, 12.0), (-3.0, 1.0)), line=line))
    assert [found.place, found.angle] == pytest.approx([0.0, math.atan2(1.0, 5.0)], abs=1e-12)


@pytest.mark.parametrize(
    ("corner", "step", "place"), [("right", (5.0, 12.0), 1.0), ("left", (-8.0, -1.0), 3.0)]
)
def test_least_tilt_stays_at_the_places_asked(
    corner: Side, step: tuple[float, float], place: float
) -> None:
    """Farther from the step less would do, but only the middle half of the facing is asked about."""
    line = facing()
    found = solved(tilting(block(line, step, (-3.0, 1.0)), line=line, corner=corner), ((1.0, 3.0),))
    assert [found.place, found.angle] == pytest.approx([place, math.atan2(1.0, 4.0)], abs=1e-12)


def test_least_tilt_between_two_bodies() -> None:
    """Where a wall behind pushes one way and a step the other, the least angle touches both."""
    line = facing()
    step = block(line, (5.0, 12.0), (-3.0, 1.0))
    wall = block(line, (-9.0, -0.2), (1.0, 9.0))
    problem = tilting(step, wall, line=line)
    found = solved(problem)
    margins = problem.margins(found.place, found.angle)
    assert np.abs(margins).max() == pytest.approx(0.0, abs=1e-9)
    assert 0.0 < found.place < LENGTH


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5, -1.2])
def test_least_tilt_is_the_same_on_a_turned_table(angle: float) -> None:
    """Turning everything changes nothing."""
    one, other = (
        solved(
            tilting(
                block(line, (5.0, 12.0), (-3.0, 1.0)),
                block(line, (-9.0, -0.2), (1.0, 9.0)),
                line=line,
            )
        )
        for line in (facing(), facing(angle))
    )
    assert [other.angle, other.place] == pytest.approx([one.angle, one.place], abs=1e-9)


def test_least_tilt_of_the_left_corner_is_the_mirror_image() -> None:
    """The left corner among mirrored bodies does as the right one."""
    line = facing()
    right = solved(
        tilting(
            block(line, (5.0, 12.0), (-3.0, 1.0), 0.001),
            block(line, (-9.0, -0.2), (1.0, 9.0)),
            line=line,
        )
    )
    bodies = block(line, (-8.0, -1.0), (-3.0, 1.0), 0.001), block(line, (4.2, 13.0), (1.0, 9.0))
    left = solved(tilting(*bodies, line=line, corner="left"))
    assert [left.angle, left.place] == pytest.approx([right.angle, LENGTH - right.place], abs=1e-9)


def test_least_tilt_ties_are_a_whole_stretch_below_a_parallel_wall() -> None:
    """A wall along the facing asks the same angle of every place."""
    line = facing()
    depth = 8.0
    found = solved(tilting(block(line, (-30.0, 30.0), (7.0, 8.0)), line=line, depth=depth))
    assert len(found.ties) == 1
    assert list(found.ties[0]) == pytest.approx([0.0, LENGTH], abs=1e-9)
    assert 6.0 * math.sin(found.angle) + depth * math.cos(found.angle) == pytest.approx(
        7.0, abs=1e-9
    )


def test_least_tilt_at_an_exact_fit() -> None:
    """Between two walls exactly as far apart as the rectangle is wide there is one place, however the gap is
    rounded.
    """
    line = facing()
    turn = 0.3
    stood = tilting(line=line).pose(1.7, turn)
    right = np.array(stood.right)
    walls = [
        ConvexObstacle(rectangle(stood, 6.0, 2.0).pieces[0] + shift * right, 0.0)
        for shift in (6.0, -6.0)
    ]
    found = solved(tilting(*walls, line=line), ((0.5, 3.0),))
    assert found.angle == pytest.approx(turn, abs=2e-6)
    assert found.place == pytest.approx(1.7, abs=2e-6)


def test_least_tilt_keeps_to_the_board() -> None:
    """The board's edge blocks like a wall that needs no gap."""
    board = Board(35.0, 60.0)
    found = solved(tilting(board=board), ((0.0, 2.0),))
    assert 6.0 * math.cos(found.angle) == pytest.approx(5.0, abs=1e-9)
    assert found.place == pytest.approx(0.0, abs=1e-9)


def test_least_tilt_finds_nothing_where_nothing_is_free() -> None:
    """A body on the line itself leaves no angle."""
    line = facing()
    assert (
        minimal_rotation(
            tilting(block(line, (-9.0, 12.0), (0.5, 3.0)), line=line),
            ((0.0, LENGTH),),
            budget=Budget(),
        )
        == MinimalRotation()
    )


def test_least_tilt_looks_only_below() -> None:
    """Nothing that is not better than what is known is given."""
    line = facing()
    problem = tilting(block(line, (5.0, 12.0), (-3.0, 1.0)), line=line)
    known = solved(problem)
    assert (
        minimal_rotation(problem, ((0.0, LENGTH),), budget=Budget(), below=known.angle)
        == MinimalRotation()
    )


def test_least_tilt_says_when_the_budget_ends_it() -> None:
    """With hardly any work allowed the best known is given, and that it is not proven."""
    line = facing()
    bodies = block(line, (5.0, 12.0), (-3.0, 1.0)), block(line, (-9.0, -0.2), (1.0, 9.0))
    found = minimal_rotation(tilting(*bodies, line=line), ((0.0, LENGTH),), budget=Budget(work=1))
    assert found.proven is not None
    assert not found.is_complete


def test_least_tilt_that_a_budget_ended_before_anything_was_found_is_not_none_at_all() -> None:
    """What was not found may be there: nothing is proven, and who needs to know is told so."""
    line = facing()
    # it fits between, nearly on its side
    walls = block(line, (1.446, 30.0), (0.01, 12.0)), block(line, (-30.0, -0.864), (0.01, 12.0))
    found = minimal_rotation(tilting(*walls, line=line), ((0.0, LENGTH),), budget=Budget(work=1))
    assert found.proven is None
    assert "work" in found.limit
    with pytest.raises(NoVerdictError, match="open"):
        found.whole("open")
    assert solved(tilting(*walls, line=line)).angle == pytest.approx(math.radians(87.0), abs=0.02)


@pytest.mark.parametrize("count", [1, 3])
def test_work_is_counted_by_places_and_obstacles(count: int) -> None:
    """Four places among as many obstacles as there are: the board's edges too."""
    line = facing()
    problem = tilting(*[block(line, (5.0, 12.0), (-3.0, 1.0))] * count, line=line)
    search = _Search(problem, math.pi / 2)
    search.look([0.0, 1.0, 2.0, 4.0])
    assert search.work == 4 * len(problem.obstacles)
    assert len(problem.obstacles) >= count


def test_outlook_bounds_what_is_found() -> None:
    """No least angle lies below the bound of its cell."""
    line = facing()
    problem = tilting(
        block(line, (5.0, 12.0), (-3.0, 1.0)), block(line, (-9.0, -0.2), (1.0, 9.0)), line=line
    )
    view = rotation_bounds(problem, (0.0, LENGTH), parts=16)
    found = solved(problem)
    assert min(view.bounds) <= found.angle <= min(view.angles)
    assert any(low <= found.place <= high for low, high in view.at_most(found.angle))


def test_tied_places_are_free_and_their_neighbours_are_not() -> None:
    """At a larger angle the places that allow it form stretches."""
    line = facing()
    problem = tilting(
        block(line, (5.0, 12.0), (-3.0, 1.0)), block(line, (-9.0, -0.2), (1.0, 9.0)), line=line
    )
    angle = solved(problem).angle + 0.02
    for low, high in optimal_places(problem, ((0.0, LENGTH),), angle):
        assert all(is_free(problem, u, angle) for u in (low, (low + high) / 2, high))
        assert not any(
            is_free(problem, u, angle) for u in (low - 0.01, high + 0.01) if 0.0 < u < LENGTH
        )


@pytest.mark.parametrize("number", range(30))
def test_least_tilt_against_a_grid(number: int) -> None:
    """No place and angle of a grid is free below the least tilt, and the least tilt is free."""
    dice = np.random.default_rng(number)
    line = facing(float(dice.uniform(0.0, math.tau)))
    bodies = [block(line, (-20.0, 20.0), (1.0, 1.5))] if number % 5 == 0 else []
    for _ in range(int(dice.integers(1, 8))):
        centre = dice.uniform([-7.0, 0.0], [11.0, 7.0])
        angles = np.sort(dice.uniform(0.0, math.tau, 4))
        shape = centre + dice.uniform(0.2, 1.5) * np.column_stack([np.cos(angles), np.sin(angles)])
        bodies.append(
            hazard(
                line,
                [(float(u), float(v)) for u, v in shape],
                float(dice.choice([0.0, 0.001, 0.3])),
            )
        )
    problem = tilting(*bodies, line=line, corner="right" if number % 2 else "left")
    found = minimal_rotation(problem, ((0.0, LENGTH),), budget=Budget()).proven
    assert found is None or is_free(problem, found.place, found.angle)
    assert _least_on_grid(problem) >= (found.angle if found is not None else math.inf) - 1e-5


def _least_on_grid(problem: RotationProblem) -> float:
    """Try 40 places with 200 angles each by plain Shapely, and give the least that is free."""
    u, angle = (
        grid.ravel()
        for grid in np.meshgrid(np.linspace(0.0, LENGTH, 40), np.linspace(0.001, 1.57, 200))
    )
    along = np.array(problem.facing.along)
    normal = np.array(problem.facing.normal)
    sign = 1.0 if problem.corner == "right" else -1.0
    front = np.cos(angle)[:, None] * sign * along + np.sin(angle)[:, None] * normal
    back = -np.sin(angle)[:, None] * sign * along + np.cos(angle)[:, None] * normal
    pivot = np.array(problem.facing.origin) + u[:, None] * along
    wide = problem.width * front
    deep = problem.depth * back
    bodies = shapely.polygons(
        np.stack([pivot, pivot + wide, pivot + wide + deep, pivot + deep], axis=1)
    )
    free = np.ones(len(u), dtype=bool)
    for one in problem.hazards:
        core = shapely.Polygon(one.ring)
        free &= shapely.distance(bodies, core) >= one.needed - 1e-6
        free &= shapely.area(shapely.intersection(bodies, core)) <= 1e-6
    return float(angle[free].min(initial=math.inf))

"""The smallest free rotation of a rectangle with a front corner on a line, over all places of the corner (branch and
bound).

At one place of the corner the blocked turns of each convex obstacle are known in closed form. At one turn, an obstacle
blocks one interval of places: so a turn that it blocks at both ends of a cell of places it blocks everywhere between.
That gives a lower bound for the whole cell from exact values at its ends.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise

import numpy as np

from tabletop.budget import Budget, Searched
from tabletop.fronts.obstacle import ConvexObstacle, outside_board
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import reflected, ring_gap, rotated, stack_padded
from tabletop.geometry.motion import blocked_slide, blocked_turns
from tabletop.geometry.pose import Pose, Side
from tabletop.optimise.interval import Intervals, intersection, union, without
from tabletop.table.facing import Facing
from tabletop.table.state import Board
from tabletop.units import CONTACT, RIGHT_ANGLE

ANGLE_DONE = 1e-11
"""Radians by which a cell must promise an improvement to be divided further."""

SAME_ANGLE = 1e-11
"""Angles closer than this, in radians, are equal."""

SAME_PLACE = 1e-9
"""Places closer than this, in inches, are one place, within the tolerance of contact."""

EXACT_FIT_GAIN = 1e-4
"""Radians by which an exact fit, which relies on the tolerance of contact, must be better than what is free anyway."""

FIRST, SPLIT = 8, 4
"""Number of parts of the initial interval, and of a cell that is divided."""

Stretch = tuple[float, float]


@dataclass(frozen=True)
class Tilt:
    """A rotation that is free: its angle in radians, the corner's place u where it was found, and all places u that
    allow it, in inches.
    """

    angle: float
    place: float
    ties: Intervals


@dataclass(frozen=True)
class MinimalRotation(Searched):
    """Result of a search for the smallest free rotation: `proven` is the smallest found, None if none was.

    If the search is complete, no place of the corner allows a smaller one.
    """

    proven: Tilt | None = None


@dataclass(frozen=True, eq=False)
class RotationProblem:
    """A rectangle with one front corner on a facing's line, outside the target, that is to turn about this corner.

    Turned by 0 it lies flush on the facing; turned further, the other end of its front leaves the line.

    Attributes
    ----------
    facing
        Side of the target on whose line the corner is placed.
    width, depth
        Of the rectangle, in inches.
    corner
        Front corner that is placed and about which it turns.
    hazards
        Convex bodies to which it must keep their gaps.
    board
        Board that it must not leave.
    """

    facing: Facing
    width: float
    depth: float
    corner: Side
    hazards: tuple[ConvexObstacle, ...]
    board: Board

    @property
    def sign(self) -> float:
        """Direction along the facing in which the front extends from its corner: 1 for a right corner, -1 for a left
        one.

        In the frame of the corner, a left corner is mirrored into a right one.
        """
        return 1.0 if self.corner == "right" else -1.0

    @cached_property
    def body(self) -> FloatArray:
        """Corners (4, 2) of the unrotated rectangle in inches, counter-clockwise from its placed corner at the
        origin.
        """
        return np.array(
            [[0.0, 0.0], [self.width, 0.0], [self.width, self.depth], [0.0, self.depth]]
        )

    @cached_property
    def obstacles(self) -> tuple[ConvexObstacle, ...]:
        """The hazards that some placement can come near, and the outside of the board, in the frame of the corner."""
        bodies = [*self.hazards, *outside_board(self.board, margin=self.width + self.depth)]
        seen = [ConvexObstacle(self._seen(hazard.ring), hazard.needed) for hazard in bodies]
        return tuple(hazard for hazard in seen if self._is_near(hazard))

    def _seen(self, ring: FloatArray) -> FloatArray:
        """Return a ring (n, 2) of the table in the frame of the corner: x along the facing, y outwards, mirrored for a
        left corner.
        """
        facing = self.facing
        axes = np.array([facing.along, facing.normal]).T
        local: FloatArray = (ring - facing.origin) @ axes
        return local if self.corner == "right" else reflected(local) * -1.0

    def _is_near(self, hazard: ConvexObstacle) -> bool:
        """Return whether some placement of the rectangle may come too near to a hazard, by its bounding box in the
        frame of the corner.
        """
        west, south = hazard.ring.min(axis=0) - hazard.needed
        east, north = hazard.ring.max(axis=0) + hazard.needed
        ends = sorted((0.0, self.sign * self.facing.length))
        reach = math.hypot(self.width, self.depth)
        is_beside = west > ends[1] + self.width or east < ends[0] - self.depth
        return not (is_beside or north < 0.0 or south > reach)

    @cached_property
    def rings(self) -> FloatArray:
        """Vertices (n, m, 2) of the n obstacles in the frame of the corner, padded by repeating the last one."""
        return stack_padded([hazard.ring for hazard in self.obstacles])

    @cached_property
    def needed(self) -> FloatArray:
        """Gaps (n,) in inches that the obstacles need."""
        return np.array([hazard.needed for hazard in self.obstacles])

    def margins(self, place: float, angle: float) -> FloatArray:
        """Return the excess (n,), in inches, of the gap to each obstacle over the gap that it needs.

        The rectangle is turned by `angle` radians with its corner at `place`, in inches in the frame of the corner.
        """
        shifted = rotated(self.body, np.array([angle])) + np.array([place, 0.0])
        return ring_gap(shifted, self.rings) - self.needed

    def pose(self, u: float, angle: float) -> Pose:
        """Return the pose of the rectangle's front with its corner at u inches along the facing, turned by `angle`
        radians.
        """
        flush = self.facing.flush_pose(u if self.corner == "right" else u - self.width, self.width)
        return flush.turned_about(self.facing.point(u), self.sign * angle)


@dataclass(frozen=True)
class _Node:
    """A place of the corner, evaluated: the blocked angle intervals of each obstacle and the smallest free angle, in
    radians.

    `place` is in inches in the frame of the corner; `angle` is inf if no angle below 90 degrees is free.
    """

    place: float
    blocked: Mapping[int, Sequence[Stretch]]
    angle: float


@dataclass(frozen=True)
class _Cell:
    """All places between two neighbouring nodes; `bound` is a lower bound of the free angles there, in radians."""

    low: _Node
    high: _Node
    bound: float

    @property
    def size(self) -> float:
        """Length of the cell in inches."""
        return self.high.place - self.low.place


@dataclass
class _Search:
    """State of a branch and bound search: the best node found, the angle in radians to be improved upon, and the work
    done.
    """

    tilting: RotationProblem
    least: float
    best: _Node | None = None
    work: int = 0

    def look(self, places: Sequence[float]) -> list[_Node]:
        """Return the evaluated nodes of some places, in inches in the frame of the corner, and add to the count of
        work.
        """
        self.work += len(places) * len(self.tilting.obstacles)
        return _nodes(self.tilting, places)

    def offer(self, nodes: Sequence[_Node]) -> None:
        """Make the node with the smallest free angle the best one found if it improves on it; of equal ones the
        first.
        """
        best = min(nodes, key=lambda node: node.angle, default=None)
        if best is not None and best.angle < self.least:
            self.best = best
            self.least = best.angle

    def offer_fit(self, node: _Node) -> None:
        """Make a node the best one found if it allows a smaller angle once bodies may overlap by the tolerance of
        contact: an exact fit.
        """
        ends = {
            end
            for stretches in node.blocked.values()
            for stretch in stretches
            for end in stretch
            if 0.0 < end < self.least - EXACT_FIT_GAIN
        }
        fits = (
            angle
            for angle in sorted(ends)
            if self.tilting.margins(node.place, angle).min() >= -CONTACT
        )
        if (angle := next(fits, None)) is not None:
            self.best = replace(node, angle=angle)
            self.least = angle

    def cells(self, nodes: Sequence[_Node]) -> list[_Cell]:
        """Return the cells between neighbouring nodes, with lower bounds.

        Cells shorter than SAME_PLACE are not returned: they can contain only exact fits, which are tried at their ends
        at once.
        """
        cells = [_Cell(low, high, _bound(low, high)) for low, high in pairwise(nodes)]
        for cell in cells:
            if cell.size <= SAME_PLACE:
                self.offer_fit(cell.low)
                self.offer_fit(cell.high)
        return [cell for cell in cells if cell.size > SAME_PLACE]

    def hopeful(self, cells: Sequence[_Cell]) -> list[_Cell]:
        """Return the cells whose lower bound promises to improve on the best angle found by more than ANGLE_DONE."""
        return [cell for cell in cells if cell.bound < self.least - ANGLE_DONE]


def minimal_rotation(
    tilting: RotationProblem, places: Intervals, *, budget: Budget, below: float = RIGHT_ANGLE
) -> MinimalRotation:
    """Find the smallest angle above 0 and below 90 degrees at which the rectangle is free, by branch and bound over
    places.

    Parameters
    ----------
    tilting
        The rectangle and its surroundings.
    places
        Closed intervals of u, in inches, that the corner may take; the unrotated rectangle must be free at none of
        them.
    budget
        Limit of the search.
    below
        Angle in radians; only smaller ones are looked for.
    """
    if not tilting.obstacles:
        return MinimalRotation()
    search = _Search(tilting, below)
    cells = _first_cells(search, _seen_places(tilting, places))
    limit = ""
    while cells := search.hopeful(cells):
        if budget.is_spent(search.work):
            limit = budget.limit
            break
        cells = _split(search, cells)
    if search.best is None:
        return MinimalRotation(limit=limit)
    u = tilting.sign * search.best.place
    return MinimalRotation(
        Tilt(search.best.angle, u, optimal_places(tilting, places, search.best.angle) or ((u, u),)),
        limit=limit,
    )


def _seen_places(tilting: RotationProblem, places: Intervals) -> list[Stretch]:
    """Return intervals of u, in inches, as intervals of places in the frame of the corner, or the reverse."""
    return [
        (float(low), float(high)) if tilting.corner == "right" else (-float(high), -float(low))
        for low, high in places
    ]


def _first_cells(search: _Search, intervals: Sequence[Stretch]) -> list[_Cell]:
    """Return the initial cells of some intervals of places, all nodes evaluated at once; exact fits are tried at the
    ends.
    """
    edges = list[list[float]]()
    for low, high in intervals:
        count = FIRST if high - low > SAME_PLACE else 1
        edges.append([low, *(low + (high - low) * part / count for part in range(1, count)), high])
    seen = iter(search.look([place for places in edges for place in places]))
    cells = list[_Cell]()
    for places in edges:
        nodes = list(islice(seen, len(places)))
        search.offer(nodes)
        search.offer_fit(nodes[0])
        search.offer_fit(nodes[-1])
        cells += search.cells(nodes)
    return cells


def _split(search: _Search, cells: Sequence[_Cell]) -> list[_Cell]:
    """Return the cells that result from dividing each cell into SPLIT equal parts and evaluating the new nodes."""
    shares = [part / SPLIT for part in range(1, SPLIT)]
    nodes = search.look([cell.low.place + cell.size * share for cell in cells for share in shares])
    search.offer(nodes)
    inner = iter(nodes)
    return [
        part
        for cell in cells
        for part in search.cells([cell.low, *islice(inner, len(shares)), cell.high])
    ]


def _nodes(tilting: RotationProblem, places: Sequence[float]) -> list[_Node]:
    """Return the evaluated nodes of some places, in inches in the frame of the corner: blocked angles and the smallest
    free one.
    """
    count = len(tilting.obstacles)
    if not count or not places:
        return [_Node(place, {}, 0.0) for place in places]
    shifts = np.array([(place, 0.0) for place in places])
    rings = (tilting.rings[None] - shifts[:, None, None, :]).reshape(len(places) * count, -1, 2)
    found = blocked_turns(
        tilting.body, rings, needed=np.tile(tilting.needed, len(places)), until=RIGHT_ANGLE
    )
    blocked: list[dict[int, list[Stretch]]] = [{} for _ in places]
    for pair, low, high in zip(*(part.tolist() for part in found), strict=True):
        blocked[pair // count].setdefault(pair % count, []).append((low, high))
    return [
        _Node(
            place,
            stretches,
            _least_free([one for several in stretches.values() for one in several]),
        )
        for place, stretches in zip(places, blocked, strict=True)
    ]


def _bound(low: _Node, high: _Node) -> float:
    """Return a lower bound, in radians, for all places between two nodes: the smallest angle that no obstacle blocks at
    both.
    """
    common = [
        (max(one[0], other[0]), min(one[1], other[1]))
        for obstacle, stretches in low.blocked.items()
        for one in stretches
        for other in high.blocked.get(obstacle, ())
    ]
    return _least_free([(first, last) for first, last in common if first < last])


def _least_free(stretches: Sequence[Stretch]) -> float:
    """Return the smallest angle in radians, from 0 on, outside all open intervals; inf if it is not below 90
    degrees.
    """
    angle = 0.0
    for low, high in sorted(stretches):
        if low > (angle - SAME_ANGLE if angle > 0.0 else 0.0):
            break
        angle = max(angle, high)
    return angle if angle < RIGHT_ANGLE - SAME_ANGLE else math.inf


@dataclass(frozen=True)
class RotationBounds:
    """Bounds on the smallest free rotation over an interval of places of the corner.

    Attributes
    ----------
    places
        Places u in order, in inches, (n + 1).
    angles
        Smallest free angle at each place, in radians; inf if there is none.
    bounds
        Lower bound of the free angles between each two neighbouring places, in radians, (n).
    """

    places: tuple[float, ...]
    angles: tuple[float, ...]
    bounds: tuple[float, ...]

    def at_most(self, angle: float) -> Intervals:
        """Return the intervals of u where, by the bounds, the smallest free angle may be at most `angle` radians."""
        cells = zip(pairwise(self.places), self.bounds, strict=True)
        return union(cell for cell, bound in cells if bound <= angle)


def bounds_on(tilting: RotationProblem, parts: Sequence[Stretch]) -> list[float]:
    """Return a lower bound in radians of the free angles for each of some intervals of places u, in inches."""
    nodes = iter(_nodes(tilting, [tilting.sign * end for part in parts for end in part]))
    return [_bound(low, high) for low, high in zip(nodes, nodes, strict=True)]


def rotation_bounds(tilting: RotationProblem, within: Stretch, *, parts: int) -> RotationBounds:
    """Return the free angles and their lower bounds over an interval of places u, in inches, divided into `parts` equal
    parts.
    """
    nodes = _nodes(tilting, (np.linspace(*within, parts + 1) * tilting.sign).tolist())
    bounds = tuple(_bound(*cell) for cell in pairwise(nodes))
    return RotationBounds(
        tuple(tilting.sign * node.place for node in nodes),
        tuple(node.angle for node in nodes),
        bounds,
    )


def optimal_places(tilting: RotationProblem, places: Intervals, angle: float) -> Intervals:
    """Return those of the places u, as intervals in inches, at which the rectangle turned by `angle` radians is free.

    Computed in closed form: at one angle every convex obstacle blocks one interval of places.
    """
    body = rotated(tilting.body, np.array([angle]))[0]
    slides = [
        blocked_slide(body, one.ring, direction=(1.0, 0.0), needed=one.needed)
        for one in tilting.obstacles
    ]
    free = without(_seen_places(tilting, places), [slide for slide in slides if slide is not None])
    return intersection(union(sorted(_seen_places(tilting, free))), places)

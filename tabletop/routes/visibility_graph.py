"""The visibility graph of a height field: nodes where taut paths may bend, straight segments, and boundary pieces
between them.

Taut paths bend round arcs of bodies, in tangent points, and where boundaries cross: those are the inner corners of what
lies on a level, and places where one gets down from over a barrier. Every node exists once for every level; climbs on
the spot join them. Between crossings a boundary is open at the same levels all along, and the path along it is as long
as the positions on it are apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray, concatenate, lengths_of, take
from tabletop.routes.bodies import BOARD, CROSSING_ROUNDING, Box, Crossings, crossings
from tabletop.routes.heights import HeightField, LevelCosts
from tabletop.routes.lines import Segments, bitangents, bodies_containing, tangents_from
from tabletop.units import CONTACT

SIDE_STEP = 1e-7
"""Inches to either side of a boundary point at which the boundary is examined."""

TOUCHING_COSINE = 1.0 - 1e-12
"""Cosine of the angle between two outward normals above which one body only touches the other from inside."""

SAME_DECIMALS = 8
"""Decimals of an inch to which corners are equal."""


@dataclass(frozen=True, eq=False)
class Boundaries:
    """The boundaries of the bodies inside a box, cut where they cross each other or the box."""

    land: HeightField
    box: Box

    @cached_property
    def cuts(self) -> Crossings:
        """Crossings of the boundaries with each other and with the box."""
        return crossings(self.land.bodies, self.box)

    @cached_property
    def _stretches(self) -> tuple[FloatArray, IntArray, IntArray, BoolArray]:
        """Pieces of the boundaries between cuts: sorted keys of their starts, first and last piece of each body, and
        open levels.
        """
        bodies = self.land.bodies
        cuts = self.cuts
        number = self.land.bodies.number
        on_body = cuts.second != BOARD
        owner = np.concatenate([cuts.first, cuts.second[on_body]])
        position = np.concatenate([cuts.first_positions, cuts.second_positions[on_body]])
        uncut = np.setdiff1d(np.arange(number), owner)
        owner = np.concatenate([owner, uncut])
        position = np.concatenate([position, np.zeros(len(uncut))])
        order = np.lexsort((position, owner))
        owner = owner[order]
        position = position[order]
        first = np.searchsorted(owner, np.arange(number))
        last = np.searchsorted(owner, np.arange(number), side="right") - 1
        following = np.arange(len(owner)) + 1
        following[last] = first
        span = position[following] - position
        span[last] += bodies.perimeters
        points = bodies.points(owner, position + span / 2.0)
        is_open = self.land.open_levels(points, owner) & self.is_within(points)[:, None]
        return bodies.keys(owner, position), first, last, is_open

    def open_levels(self, body: IntArray, position: FloatArray) -> BoolArray:
        """Return at which levels boundaries of bodies `body` (n,) are open at positions (n,) in inches, not at their
        cuts: (n, levels).
        """
        keys, first, last, is_open = self._stretches
        wrapped = position % self.land.bodies.perimeters[body]
        place = np.searchsorted(keys, self.land.bodies.keys(body, wrapped), side="right") - 1
        opened: BoolArray = is_open[np.where(place < first[body], last[body], place)]
        return opened

    def is_useful(self, body: IntArray, position: FloatArray) -> BoolArray:
        """Return (n,) whether a taut path may follow a boundary at a position: at a level below its body's top, or one
        that it closes.
        """
        levels = np.arange(len(self.land.heights))
        binds = np.asarray((levels < self.land.tops[:, None]) | self.land.closed)
        beside = self.open_levels(body, position - SIDE_STEP) | self.open_levels(
            body, position + SIDE_STEP
        )
        return np.asarray(np.any(beside & binds[body], axis=1))

    def is_within(self, points: FloatArray) -> BoolArray:
        """Return (n,) which points (n, 2) lie in the box, within `CONTACT` inches."""
        west, south, east, north = self.box
        x = points[:, 0]
        y = points[:, 1]
        within: BoolArray = (
            (x >= west - CONTACT)
            & (x <= east + CONTACT)
            & (y >= south - CONTACT)
            & (y <= north + CONTACT)
        )
        return within


class BoundaryNodes(NamedTuple):
    """Nodes of the graph on boundaries, each (k,): body, position along its boundary in inches, and the node's
    number.
    """

    body: IntArray
    position: FloatArray
    node: IntArray


@dataclass(frozen=True, eq=False)
class BoundaryGraph:
    """Nodes sorted round each boundary; piece k leads from entry k of `sorted` to entry `following[k]`, `lengths[k]`
    inches on.
    """

    rims: Boundaries
    members: BoundaryNodes

    @cached_property
    def sorted(self) -> BoundaryNodes:
        """The nodes on boundaries sorted by body, then by position counter-clockwise."""
        order = np.lexsort((self.members.position, self.members.body))
        return BoundaryNodes(*take(self.members, order))

    @cached_property
    def _ends(self) -> tuple[IntArray, IntArray]:
        """First and last entry in `sorted` of each body, (bodies,) each; the last is before the first where there is
        none.
        """
        every = np.arange(self.rims.land.bodies.number)
        body = self.sorted.body
        return np.searchsorted(body, every), np.searchsorted(body, every, side="right") - 1

    @cached_property
    def following(self) -> IntArray:
        """Entry (k,) in `sorted` of the next node counter-clockwise round the same boundary."""
        first, last = self._ends
        following = np.arange(len(self.sorted.body)) + 1
        has_any = last >= first
        following[last[has_any]] = first[has_any]
        return following

    @cached_property
    def lengths(self) -> FloatArray:
        """Inches (k,) along the boundary from each entry of `sorted` to the next."""
        position = self.sorted.position
        way = position[self.following] - position
        round_again = np.where(
            self.following <= np.arange(len(way)),
            self.rims.land.bodies.perimeters[self.sorted.body],
            0.0,
        )
        return np.maximum(way + round_again, 0.0)

    @cached_property
    def open_levels(self) -> BoolArray:
        """Levels at which each boundary piece is open: (k, levels)."""
        middles = self.sorted.position + self.lengths / 2.0
        return (
            self.rims.open_levels(self.sorted.body, middles)
            | (self.lengths <= CROSSING_ROUNDING)[:, None]
        )

    def costs(self, body: IntArray, position: FloatArray, costs: FloatArray) -> FloatArray:
        """Return the least costs (n, levels), in inches, at positions (n,) on boundaries, from the `costs` (nodes,
        levels) of the nodes.
        """
        if not len(self.sorted.body):
            return np.full((len(body), costs.shape[1]), np.inf)
        first, last = self._ends
        bodies = self.rims.land.bodies
        keys = bodies.keys(self.sorted.body, self.sorted.position)
        before = np.searchsorted(keys, bodies.keys(body, position), side="right") - 1
        before = np.where(before < first[body], last[body], before)
        has_any = last[body] >= first[body]
        before = np.where(has_any, before, 0)
        after = self.following[before]
        beyond = (position - self.sorted.position[before]) % bodies.perimeters[body]
        # rounding put it just before the member
        beyond = np.where(beyond > self.lengths[before] + CROSSING_ROUNDING, 0.0, beyond)
        ahead = self.lengths[before] - beyond
        is_open = self.open_levels[before] & has_any[:, None]
        back = np.where(
            is_open | (has_any & (beyond <= CROSSING_ROUNDING))[:, None],
            costs[self.sorted.node[before]] + beyond[:, None],
            np.inf,
        )
        onward = np.where(
            is_open | (has_any & (ahead <= CROSSING_ROUNDING))[:, None],
            costs[self.sorted.node[after]] + ahead[:, None],
            np.inf,
        )
        return np.minimum(back, onward)


class Edges(NamedTuple):
    """Edges of the graph between nodes at levels, each (k,): first node, its level, second node, its level, cost in
    inches.
    """

    first: IntArray
    first_level: IntArray
    second: IntArray
    second_level: IntArray
    cost: FloatArray


class GraphPart(NamedTuple):
    """A part of the graph: positions (n, 2) of nodes, which of them lie on boundaries, and straight edges."""

    nodes: FloatArray
    members: BoundaryNodes
    edges: Edges


@dataclass(frozen=True, eq=False)
class Graph:
    """The visibility graph of boundaries (`rims`), with straight segments no longer than `reach` inches."""

    rims: Boundaries
    reach: float

    @property
    def land(self) -> HeightField:
        """Height field of the obstacles whose boundaries these are."""
        return self.rims.land

    @cached_property
    def corners(self) -> IntArray:
        """Indices (c,) of crossings where paths may bend, each place once, without those closed at every level.

        They are crossings of a solid or a platform with anything, and of any two barriers that a platform leads over.
        """
        cuts = self.rims.cuts
        land = self.land
        inside = bodies_containing(land.bodies, cuts.points)
        is_raised = np.append(land.is_raised, np.array([False]))  # the last one is the board
        is_on = (
            is_raised[cuts.first]
            | is_raised[cuts.second]
            | np.any(inside & (land.platforms >= 0), axis=1)
        )
        may_bend = np.flatnonzero(
            is_on
            & (cuts.cosines < TOUCHING_COSINE)
            & (cuts.second != BOARD)
            & self.rims.is_within(cuts.points)
        )
        _, single = np.unique(
            np.round(cuts.points[may_bend], SAME_DECIMALS), axis=0, return_index=True
        )
        may_bend = may_bend[np.sort(single)]
        inside = inside[may_bend]
        first = cuts.first[may_bend]
        second = cuts.second[may_bend]
        check_deadline()
        is_closed = np.any(inside[..., None] & land.closed, axis=1).all(axis=1)
        # Inside a solid that is at least as tall as both bodies no way bends, but on a platform.
        around = np.where(inside & (land.tops >= 0), land.tops, -1).max(axis=1, initial=-1)
        is_platform = np.maximum(land.platforms[first], land.platforms[second]) >= 0
        is_covered = (
            (around >= np.maximum(land.tops[first], land.tops[second]))
            & (around >= 0)
            & ~is_platform
        )
        chosen: IntArray = may_bend[~is_closed & ~is_covered]
        return chosen

    @cached_property
    def corner_points(self) -> FloatArray:
        """Positions (c, 2) in inches of the corners."""
        return self.rims.cuts.points[self.corners]

    @cached_property
    def whole(self) -> GraphPart:
        """The part of the graph that is independent of starts and ends; the nodes of all crossings come first."""
        crossings = self._crossings()
        first = len(crossings.nodes)
        bodies = self.land.bodies
        found = bitangents(self.land.bodies, reach=self.reach)
        tails = bodies.arc_owner[found.tail_arc]
        heads = bodies.arc_owner[found.head_arc]
        leaving = bodies.position_at(found.tail_arc, found.tail_normals)
        arriving = bodies.position_at(found.head_arc, found.head_normals)
        kept = np.flatnonzero(
            self._is_bend(tails, leaving, found.lines.tails)
            & self._is_bend(heads, arriving, found.lines.heads)
        )
        lines = found.lines.of(kept)
        tails = tails[kept]
        heads = heads[kept]
        legs = self.land.legs(lines, tails, heads, reach=self.reach)
        used, line = np.unique(legs.line, return_inverse=True)
        nodes = np.concatenate([lines.tails[used], lines.heads[used]])
        half = len(used)
        members = BoundaryNodes(
            np.concatenate([tails[used], heads[used]]),
            np.concatenate([leaving[kept][used], arriving[kept][used]]),
            first + np.arange(2 * half),
        )
        arcs = GraphPart(nodes, members, _edges(legs, first + line, first + half + line))
        corners = self.attached(
            self.corner_points, self.corners, first=len(crossings.nodes) + len(arcs.nodes)
        )
        return merged([crossings, arcs, corners, self._between_corners()])

    def _crossings(self) -> GraphPart:
        cuts = self.rims.cuts
        numbers = np.arange(len(cuts.points))
        on_body = cuts.second != BOARD
        body = np.concatenate([cuts.first, cuts.second[on_body]])
        position = np.concatenate([cuts.first_positions, cuts.second_positions[on_body]])
        none = np.empty(0, dtype=np.intp)
        members = BoundaryNodes(body, position, np.concatenate([numbers, numbers[on_body]]))
        return GraphPart(cuts.points, members, Edges(none, none, none, none, np.empty(0)))

    def attached(self, points: FloatArray, numbers: IntArray, *, first: int) -> GraphPart:
        """Return the part of the graph that joins nodes `numbers` (n,) at points (n, 2) to arcs by tangents.

        `first` is the number of the first node, a tangent point, that it adds.
        """
        bodies = self.land.bodies
        found = tangents_from(points, bodies, reach=np.full(len(points), self.reach))
        heads = bodies.arc_owner[found.arc]
        position = bodies.position_at(found.arc, found.normals)
        kept = np.flatnonzero(self._is_bend(heads, position, found.lines.heads))
        lines = found.lines.of(kept)
        heads = heads[kept]
        position = position[kept]
        legs = self.land.legs(lines, np.full(len(kept), BOARD), heads, reach=self.reach)
        used, line = np.unique(legs.line, return_inverse=True)
        members = BoundaryNodes(heads[used], position[used], first + np.arange(len(used)))
        return GraphPart(
            lines.heads[used],
            members,
            _edges(legs, numbers[found.origin[kept][legs.line]], first + line),
        )

    def straight(
        self, tails: FloatArray, heads: FloatArray, *, reach: float = np.inf
    ) -> LevelCosts:
        """Return the costs by level, in inches, of straight segments (n,) that end on no body, where at most `reach`
        inches.
        """
        nobody = np.full(len(tails), BOARD)
        return self.land.legs(Segments(tails, heads), nobody, nobody, reach=min(reach, self.reach))

    def _between_corners(self) -> GraphPart:
        first, second = np.triu_indices(len(self.corners), 1)
        way = self.corner_points[second] - self.corner_points[first]
        near = lengths_of(way) <= self.reach + CONTACT
        first = first[near]
        second = second[near]
        legs = self.straight(self.corner_points[first], self.corner_points[second])
        edges = _edges(legs, self.corners[first[legs.line]], self.corners[second[legs.line]])
        return GraphPart(np.empty((0, 2)), no_members(), edges)

    def _is_bend(self, body: IntArray, position: FloatArray, points: FloatArray) -> np.ndarray:
        """Return (n,) whether a taut path may bend at positions on boundaries, given also as points (n, 2)."""
        return self.rims.is_useful(body, position) & self.rims.is_within(points)


def _edges(legs: LevelCosts, first: IntArray, second: IntArray) -> Edges:
    return Edges(first, legs.tail, second, legs.head, legs.cost)


def no_members() -> BoundaryNodes:
    """Return boundary nodes without any entry: three empty arrays."""
    return BoundaryNodes(np.empty(0, dtype=np.intp), np.empty(0), np.empty(0, dtype=np.intp))


def merged(parts: Sequence[GraphPart]) -> GraphPart:
    """Return parts of a graph as one, concatenating their arrays; the parts number their nodes consecutively."""
    members = BoundaryNodes(*concatenate([part.members for part in parts]))
    edges = Edges(*concatenate([part.edges for part in parts]))
    return GraphPart(np.concatenate([part.nodes for part in parts]), members, edges)

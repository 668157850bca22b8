"""Shortest paths on the visibility graph from one start to many ends: lengths of all (Dijkstra), and the points of one.

The lengths of all paths are found together; the points of one are found by following it back: straight segments,
climbs, and bends as short chords.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray, concatenate, lengths_of
from tabletop.routes.bends import CHORD
from tabletop.routes.bodies import BOARD, CROSSING_ROUNDING
from tabletop.routes.heights import HeightField, Place, relax_climbs
from tabletop.routes.lines import Segments, bodies_containing, tangents_from
from tabletop.routes.visibility_graph import (
    BoundaryGraph,
    Edges,
    Graph,
    GraphPart,
    merged,
    no_members,
)
from tabletop.units import CONTACT

ENDINGS_AT_FIRST = 4
"""Number of most promising last segments per end examined first; then doubled."""

WORTHWHILE = 32
"""Number of last segments examined together in any case, since one costs as much as a few."""

PAIRS_AT_ONCE = 1_000_000
"""Number of pairs of ends and arcs processed at once."""

State = tuple[int, int]


class LastSegments(NamedTuple):
    """Candidates for the last straight segments of paths, each (n, ...): from an end back to a departure from an
    obstacle.

    `end` is the number of the end. The departure is a `position` in inches on the boundary of a `body`, or else the
    node of a `corner`; the one that does not apply is `BOARD`. `costs` (n, levels) are inches from the start to the
    departure at each level, `least` (n,) is a lower bound of the whole length. Sorted by `end`, then by `least`.
    """

    end: IntArray
    lines: Segments
    body: IntArray
    position: FloatArray
    corner: IntArray
    costs: FloatArray
    least: FloatArray


@dataclass(frozen=True, eq=False)
class ShortestPaths:
    """The shortest paths on a visibility graph from one place `start` (x, y, z), in inches, to any other."""

    graph: Graph
    start: Place

    @cached_property
    def _grown(self) -> GraphPart:
        """The graph with the start added as a node, and with the segments from it to corners and to tangent points on
        arcs.
        """
        whole = self.graph.whole
        corners = self.graph.corners
        point = np.array([self.start[:2]])
        legs = self.graph.straight(np.repeat(point, len(corners), axis=0), self.graph.corner_points)
        to_corners = Edges(
            np.full(len(legs.line), self._origin),
            legs.tail,
            corners[legs.line],
            legs.head,
            legs.cost,
        )
        to_arcs = self.graph.attached(point, np.array([self._origin]), first=self._origin + 1)
        return merged([whole, GraphPart(point, no_members(), to_corners), to_arcs])

    @property
    def nodes(self) -> FloatArray:
        """Positions (n, 2) in inches of all nodes, those of the crossings first."""
        return self._grown.nodes

    @property
    def _origin(self) -> int:
        """Index of the node of the start, which follows those of `graph.whole`."""
        return len(self.graph.whole.nodes)

    @cached_property
    def chains(self) -> BoundaryGraph:
        """The boundaries of the bodies, divided into pieces by all graph nodes on them."""
        return BoundaryGraph(self.graph.rims, self._grown.members)

    @cached_property
    def costs(self) -> FloatArray:
        """Least lengths (nodes, levels) in inches of paths from the start to every node at every level; inf where there
        is none.
        """
        return self.search[0]

    @cached_property
    def search(self) -> tuple[FloatArray, IntArray]:
        """Result of Dijkstra's algorithm: lengths (nodes, levels) in inches, and the predecessor of each state, flat.

        State node * levels + level is a node at a level; the last state is the start.
        """
        levels = len(self.graph.land.heights)
        edges = self._edges()
        source = len(self.nodes) * levels
        lifts = self.start_lifts
        up = np.flatnonzero(np.isfinite(lifts))
        tails = np.concatenate([edges.first * levels + edges.first_level, np.full(len(up), source)])
        heads = np.concatenate(
            [edges.second * levels + edges.second_level, self._origin * levels + up]
        )
        matrix = _matrix(tails, heads, np.concatenate([edges.cost, lifts[up]]), source + 1)
        costs, before = scipy.sparse.csgraph.dijkstra(
            matrix, directed=False, indices=source, return_predecessors=True
        )
        return costs[:-1].reshape(-1, levels), before

    def _edges(self) -> Edges:
        """Return all edges of the graph: straight segments, boundary pieces, and climbs on the spot."""
        chains = self.chains
        land = self.graph.land
        piece, level = np.nonzero(chains.open_levels)
        tails = chains.sorted.node[piece]
        heads = chains.sorted.node[chains.following[piece]]
        along = Edges(tails, level, heads, level, chains.lengths[piece])
        inside = bodies_containing(land.bodies, self.nodes)
        check_deadline()
        node, step = np.nonzero(~np.any(inside[..., None] & land.stuck, axis=1))
        climbs = Edges(node, step, node, step + 1, np.diff(land.heights)[step])
        return Edges(*concatenate([self._grown.edges, along, climbs]))

    @cached_property
    def start_lifts(self) -> FloatArray:
        """Inches of climb (levels,) from the start to each level; inf where a barrier stops it."""
        start = np.array([self.start])
        return np.asarray(
            self.lifts(start, bodies_containing(self.graph.land.bodies, start[:, :2]))[0]
        )

    def lifts(self, places: FloatArray, inside: BoolArray) -> FloatArray:
        """Return the inches of climb (n, levels) between each level and places (n, 3); inf where a barrier stops it.

        `inside` (n, bodies) tells which bodies contain the places.
        """
        land = self.graph.land
        heights = land.heights
        here = places[:, 2, None]
        low = np.minimum(heights, here)
        high = np.maximum(heights, here)
        meets = (land.lows <= high[..., None] + CONTACT) & (land.highs >= low[..., None] - CONTACT)
        is_stuck = (inside[:, None] & meets).any(axis=-1) & (high - low > CONTACT)
        return np.where(is_stuck, np.inf, high - low)

    def lengths(self, ends: FloatArray, inside: BoolArray, *, limit: float = np.inf) -> FloatArray:
        """Return the lengths (n,) in inches of the shortest paths to places (n, 3); inf where none is up to `limit`
        inches long.

        `inside` (n, bodies) tells which bodies contain the places.
        """
        lengths = np.full(len(ends), np.inf)
        admitted = np.flatnonzero(~self.graph.land.refusing(ends, inside).any(axis=1))
        found = self._admitted_lengths(
            ends[admitted], self.lifts(ends[admitted], inside[admitted]), limit
        )
        lengths[admitted] = np.where(found <= limit + CONTACT, found, np.inf)
        return lengths

    def _admitted_lengths(self, ends: FloatArray, lifts: FloatArray, limit: float) -> FloatArray:
        """Return the lengths (n,) in inches of paths to places (n, 3) that no body forbids, including final climbs
        `lifts` (n, levels).
        """
        legs = self.graph.straight(
            np.repeat([self.start[:2]], len(ends), axis=0), ends[:, :2], reach=limit
        )
        lengths = np.full(len(ends), np.inf)
        np.minimum.at(
            lengths,
            legs.line,
            self.start_lifts[legs.tail] + legs.cost + lifts[legs.line, legs.head],
        )
        best = lengths
        away = ends - self.start
        least = lengths_of(away) + np.abs(away[:, 2])
        unsure = np.flatnonzero((best > least + CROSSING_ROUNDING) & (least <= limit + CONTACT))
        size = max(1, PAIRS_AT_ONCE // max(1, len(self.graph.land.bodies.arc_owner)))
        for start in range(0, len(unsure), size):
            part = unsure[start : start + size]
            best[part] = self._least(
                self.approaches(ends[part], lifts[part], limit=limit),
                lifts[part],
                best[part],
                limit,
            )
        return best

    def approaches(self, ends: FloatArray, lifts: FloatArray, *, limit: float) -> LastSegments:
        """Return the possible last straight segments, after a bend, of paths to places (n, 3) at most `limit` inches
        long.
        """
        bodies = self.graph.land.bodies
        points = ends[:, :2]
        found = tangents_from(
            points, bodies, reach=np.full(len(ends), min(limit, self.graph.reach))
        )
        body = bodies.arc_owner[found.arc]
        position = bodies.position_at(found.arc, found.normals)
        end, number = (
            column.reshape(-1) for column in np.indices((len(ends), len(self.graph.corners)))
        )
        corner = self.graph.corners[number]
        origin = np.concatenate([found.origin, end])
        costs = np.concatenate([self.chains.costs(body, position, self.costs), self.costs[corner]])
        lines = Segments(
            points[origin], np.concatenate([found.lines.heads, self.graph.corner_points[number]])
        )
        least = (costs + lifts[origin]).min(axis=1) + lines.lengths
        order = np.lexsort((least, origin))
        order = order[least[order] <= limit + CONTACT]
        body = np.append(body, np.full(len(end), BOARD))
        position = np.append(position, np.zeros(len(end)))
        corner = np.append(np.full(len(found.arc), BOARD), corner)
        return LastSegments(
            origin[order],
            lines.of(order),
            body[order],
            position[order],
            corner[order],
            costs[order],
            least[order],
        )

    def _least(
        self, found: LastSegments, lifts: FloatArray, best: FloatArray, limit: float
    ) -> FloatArray:
        """Return the least lengths (n,) in inches of paths by the last segments `found`, or `best` (n,) where that is
        less.

        The most promising segments of each end are examined first.
        """
        rank = np.arange(len(found.end)) - np.searchsorted(found.end, found.end)
        first = 0
        number = max(ENDINGS_AT_FIRST, WORTHWHILE // max(1, len(best)))
        while len(
            tried := np.flatnonzero(
                (rank >= first)
                & (rank < first + number)
                & (found.least < best[found.end] - CROSSING_ROUNDING)
            )
        ):
            first = first + number
            number = 2 * number
            budget = best[found.end[tried]] - found.costs[tried].min(axis=1)
            approach, _, _, length = self.arrivals(
                found, tried, lifts, reach=np.minimum(budget, limit)
            )
            best = best.copy()
            np.minimum.at(best, found.end[approach], length)
        return best

    def arrivals(
        self,
        found: LastSegments,
        tried: IntArray,
        lifts: FloatArray,
        *,
        reach: FloatArray | float = np.inf,
    ) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
        """Return the paths by last segments `tried`, for all levels at end and departure.

        Returns, each (k,), the index of the segment, the level at the end, the level at the departure, and the whole
        length in inches.
        """
        legs = self.graph.land.legs(
            found.lines.of(tried), np.full(len(tried), BOARD), found.body[tried], reach=reach
        )
        approach = tried[legs.line]
        lengths: FloatArray = (
            found.costs[approach, legs.head] + legs.cost + lifts[found.end[approach], legs.tail]
        )
        return approach, legs.tail, legs.head, lengths


def _matrix(
    tails: IntArray, heads: IntArray, costs: FloatArray, number: int
) -> scipy.sparse.csr_matrix:
    """Return edges between `number` states as a sparse matrix of costs; of parallel edges the cheapest is kept."""
    key = np.minimum(tails, heads) * number + np.maximum(tails, heads)
    order = np.lexsort((costs, key))
    kept = order[np.diff(key[order], prepend=-1) != 0]
    kept = kept[tails[kept] != heads[kept]]
    return scipy.sparse.csr_matrix(
        (costs[kept], (tails[kept], heads[kept])), shape=(number, number)
    )


@dataclass(frozen=True)
class ShortestPath:
    """A path as points (x, y, z) in inches; `length` is exact, the chords of its bends are slightly shorter."""

    points: tuple[Place, ...]
    length: float


@dataclass(frozen=True, eq=False)
class Tracer:
    """Traces shortest paths from their ends back to the start, to find their points."""

    ways: ShortestPaths

    @property
    def land(self) -> HeightField:
        """Height field of the obstacles, on which the visibility graph is built."""
        return self.ways.graph.land

    def way(self, end: Place, *, limit: float = math.inf) -> ShortestPath | None:
        """Return the shortest path to a place (x, y, z), with its points; None if none is up to `limit` inches long."""
        place = np.array([end])
        inside = bodies_containing(self.land.bodies, place[:, :2])
        length = float(self.ways.lengths(place, inside, limit=limit)[0])
        if not np.isfinite(length):
            return None
        lifts = self.ways.lifts(place, inside)
        straight = self._straight_way(place, lifts, length)
        points = straight if straight is not None else self._bent_way(place, lifts, length)
        kept = _needed(points)
        return ShortestPath((*kept[:-1], end) if len(kept) > 1 else (end,), length)

    def _straight_way(
        self, place: FloatArray, lifts: FloatArray, length: float
    ) -> list[Place] | None:
        start = np.array([self.ways.start])
        legs = self.ways.graph.straight(start[:, :2], place[:, :2])
        costs = self.ways.start_lifts[legs.tail] + legs.cost + lifts[0][legs.head]
        if not len(costs) or costs.min() > length + CROSSING_ROUNDING:
            return None
        best = int(costs.argmin())
        way = self._straight(
            start[0, :2], place[0, :2], (BOARD, BOARD), (int(legs.tail[best]), int(legs.head[best]))
        )
        return [self.ways.start, *way, _as_place(place)]

    def _bent_way(self, place: FloatArray, lifts: FloatArray, length: float) -> list[Place]:
        found = self.ways.approaches(place, lifts, limit=length)
        approach, last, level, lengths = self.ways.arrivals(found, np.arange(len(found.end)), lifts)
        best = int(lengths.argmin())
        number = int(approach[best])
        departure = int(level[best])
        points = [self.ways.start, *self._to_departure(found, number, departure)]
        tail = found.lines.heads[number]
        head = found.lines.tails[number]
        points += self._straight(
            tail, head, (int(found.body[number]), BOARD), (departure, int(last[best]))
        )
        return [*points, _as_place(place)]

    def _to_departure(self, found: LastSegments, number: int, level: int) -> list[Place]:
        """Return the points of the path from the start to the departure of last segment `number`, at a level."""
        if found.body[number] == BOARD:
            return self._to_node((int(found.corner[number]), level))
        chains = self.ways.chains
        sought = found.costs[number, level]
        body = int(found.body[number])
        position = float(found.position[number])
        on_body = np.flatnonzero(chains.sorted.body == body)
        nodes = chains.sorted.node[on_body]
        perimeter = self.land.bodies.perimeters[body]
        beyond = (position - chains.sorted.position[on_body]) % perimeter
        ways = np.stack([beyond, beyond - perimeter])
        fits = np.abs(self.ways.costs[nodes, level] + np.abs(ways) - sought) <= CROSSING_ROUNDING
        sense, member = divmod(int(np.where(fits, np.abs(ways), np.inf).argmin()), len(on_body))
        points = self._to_node((int(nodes[member]), level))
        return points + self._along(body, position - float(ways[sense, member]), position, level)

    def _to_node(self, state: State) -> list[Place]:
        """Return the points of the path from the start to a state, a node at a level."""
        levels = len(self.land.heights)
        before = self.ways.search[1]
        states = [state]
        while (previous := int(before[states[-1][0] * levels + states[-1][1]])) < len(
            self.ways.nodes
        ) * levels:
            states.append((previous // levels, previous % levels))
        points = [self._place(self.ways.nodes[states[-1][0]], states[-1][1])]
        for tail, head in pairwise(reversed(states)):
            points += self._piece(tail, head)
        return points

    def _piece(self, tail: State, head: State) -> list[Place]:
        """Return the points of one edge of the graph between two states: a climb, a boundary piece or a straight
        segment.
        """
        nodes = self.ways.nodes
        costs = self.ways.costs
        if tail[0] == head[0]:
            return [self._place(nodes[head[0]], head[1])]
        cost = costs[head] - costs[tail]
        for member, after, sense in self._pieces(tail[0], head[0]):
            chains = self.ways.chains
            length = float(chains.lengths[member])
            if (
                tail[1] == head[1]
                and chains.open_levels[member, tail[1]]
                and abs(length - cost) <= CROSSING_ROUNDING
            ):
                start = float(chains.sorted.position[member if sense > 0 else after])
                return self._along(
                    int(chains.sorted.body[member]), start, start + sense * length, tail[1]
                )
        ends = int(self._body_of[tail[0]]), int(self._body_of[head[0]])
        return self._straight(nodes[tail[0]], nodes[head[0]], ends, (tail[1], head[1]))

    def _pieces(self, tail: int, head: int) -> Iterator[tuple[int, int, int]]:
        """Yield the boundary pieces between two nodes: entries before and after in `chains`, and 1 if
        counter-clockwise, else -1.
        """
        chains = self.ways.chains
        first = chains.sorted.node
        second = chains.sorted.node[chains.following]
        for sense, one, other in ((1, tail, head), (-1, head, tail)):
            for member in np.flatnonzero((first == one) & (second == other)):
                yield int(member), int(chains.following[member]), sense

    @cached_property
    def _body_of(self) -> IntArray:
        """Body (nodes,) on whose boundary each node lies; `BOARD` for crossings and the start."""
        members = self.ways.chains.members
        bodies = np.full(len(self.ways.nodes), BOARD)
        bodies[members.node] = members.body
        bodies[: len(self.ways.graph.rims.cuts.points)] = BOARD
        return bodies

    def _along(self, body: int, start: float, end: float, level: int) -> list[Place]:
        """Return points of a boundary at a level from one position to another: the ends of its edges, and points that
        divide its arcs.

        Positions are inches along the boundary.
        """
        bodies = self.land.bodies
        arcs = np.arange(bodies.first[body], bodies.first[body] + bodies.counts[body])
        shares = np.linspace(0.0, 1.0, 1 + int(np.ceil(bodies.spans[arcs].max() / CHORD)))
        joints = (
            bodies.positions[arcs, None]
            + (bodies.radii[arcs] * bodies.spans[arcs])[:, None] * shares
        ).reshape(-1)
        low = min(start, end)
        high = max(start, end)
        turns = bodies.perimeters[body] * np.arange(
            np.floor(low / bodies.perimeters[body]), np.ceil(high / bodies.perimeters[body])
        )
        inner = np.sort((joints + turns[:, None]).reshape(-1)) if len(turns) else joints[:0]
        inner = inner[(inner > low) & (inner < high)]
        positions = np.concatenate([[start], inner if end > start else inner[::-1], [end]])
        return [
            self._place(point, level)
            for point in bodies.points(np.full(len(positions), body), positions)
        ]

    def _straight(
        self, tail: FloatArray, head: FloatArray, bodies: State, levels: State
    ) -> list[Place]:
        """Return the points of a straight segment between two levels: where it starts, climbs and ends."""
        lines = Segments(tail[None], head[None])
        sections = self.land.sections(lines, *(np.array([body]) for body in bodies))
        costs = [cost[0, levels[0]] for cost in sections.costs()]
        level = levels[1]
        points = [self._place(head, levels[1])]
        for section in range(len(costs) - 1, 0, -1):
            here = np.full(len(costs[0]), np.inf)
            here[level] = 0.0
            climbed = relax_climbs(here, self.land.heights, sections.stuck[0, section - 1])
            point = tail + sections.cuts[0, section] * lines.directions[0]
            points.append(self._place(point, level))
            level = int((costs[section - 1] + climbed).argmin())
            points.append(self._place(point, level))
        return [*reversed(points)]

    def _place(self, point: FloatArray, level: int) -> Place:
        return (*_pair(point), float(self.land.heights[level]))


def _needed(points: list[Place]) -> list[Place]:
    """Return points without repeated ones and those on the straight line between their neighbours."""
    kept: list[Place] = []
    for point in points:
        if kept and math.dist(kept[-1], point) <= CROSSING_ROUNDING:
            continue
        if len(kept) > 1 and _is_between(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def _is_between(start: Place, place: Place, end: Place) -> bool:
    """Return whether a place lies on the straight line between two others."""
    along = np.subtract(end, start)
    ahead = np.subtract(place, start)
    length = math.hypot(*along)
    gone = float(along @ ahead) / length if length > CROSSING_ROUNDING else 0.0
    return 0.0 < gone < length and math.hypot(*(ahead - gone / length * along)) <= CROSSING_ROUNDING


def _as_place(places: FloatArray) -> Place:
    return (*_pair(places[0]), float(places[0, 2]))


def _pair(point: FloatArray) -> tuple[float, float]:
    return float(point[0]), float(point[1])

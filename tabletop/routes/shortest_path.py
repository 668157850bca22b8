"""Shortest ways from one start to many ends."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse
import scipy.sparse.csgraph

from tabletop.geometry.pose import FloatArray
from tabletop.routes.bodies import CROSSING_ROUNDING, Indices
from tabletop.routes.boundary import Chains
from tabletop.routes.chord import Segments, holding
from tabletop.routes.columns import joined
from tabletop.routes.crossing import EDGE
from tabletop.routes.heights import Booleans
from tabletop.routes.tangent import tangents_from
from tabletop.routes.visibility_graph import Edges, Graph, Growth, merged, no_members
from tabletop.units import CONTACT

Place = tuple[float, float, float]

ENDINGS_AT_FIRST = 4
"""Most promising last pieces of the ways to an end that are looked at first; then twice as many, and so on."""

WORTHWHILE = 32
"""Last pieces that are looked at together anyway: one costs as much as a few."""

PAIRS_AT_ONCE = 1_000_000
"""Pairs of ends and arcs that are looked at at once."""


class Approaches(NamedTuple):
    """Possible last straight pieces of ways: the number of the end, the line from it back to a departure, and that.

    A departure is a `position` on a `body`, or else the node of a corner; body or corner is `EDGE` then. `costs` (n, levels)
    are inches from the start to the departure, `least` is a lower bound of the whole length. Sorted by end, then `least`.
    """

    end: Indices
    lines: Segments
    body: Indices
    position: FloatArray
    corner: Indices
    costs: FloatArray
    least: FloatArray


@dataclass(frozen=True, eq=False)
class ShortestPaths:
    """All shortest ways on a graph from a place (x, y, z) in inches."""

    graph: Graph
    start: Place

    @cached_property
    def _grown(self) -> Growth:
        """The graph with the start as a node more, and after it the tangent points of the pieces from it."""
        whole, corners, point = self.graph.whole, self.graph.corners, np.array([self.start[:2]])
        legs = self.graph.straight(np.repeat(point, len(corners), axis=0), self.graph.corner_points)
        to_corners = Edges(np.full(len(legs.line), self._origin), legs.tail, corners[legs.line], legs.head, legs.cost)
        to_arcs = self.graph.attached(point, np.array([self._origin]), first=self._origin + 1)
        return merged([whole, Growth(point, no_members(), to_corners), to_arcs])

    @property
    def nodes(self) -> FloatArray:
        """All nodes (n, 2), those of the crossings first."""
        return self._grown.nodes

    @property
    def _origin(self) -> int:
        """The number of the start's node."""
        return len(self.graph.whole.nodes)

    @cached_property
    def chains(self) -> Chains:
        """The boundaries with all nodes on them."""
        return Chains(self.graph.rims, self._grown.members)

    @cached_property
    def costs(self) -> FloatArray:
        """Inches from the start to every node at every level: (nodes, levels)."""
        return self.search[0]

    @cached_property
    def search(self) -> tuple[FloatArray, Indices]:
        """Inches to every node at every level (nodes, levels), and the node before it times levels plus its level, flat."""
        levels = len(self.graph.land.heights)
        edges, source = self._edges(), len(self.nodes) * levels
        lifts = self.start_lifts
        up = np.flatnonzero(np.isfinite(lifts))
        tails = np.concatenate([edges.first * levels + edges.first_level, np.full(len(up), source)])
        heads = np.concatenate([edges.second * levels + edges.second_level, self._origin * levels + up])
        matrix = _matrix(tails, heads, np.concatenate([edges.cost, lifts[up]]), source + 1)
        costs, before = scipy.sparse.csgraph.dijkstra(matrix, directed=False, indices=source, return_predecessors=True)
        return costs[:-1].reshape(-1, levels), before

    def _edges(self) -> Edges:
        """All edges: straight pieces, pieces of boundaries, climbs on the spot."""
        chains, land = self.chains, self.graph.land
        piece, level = np.nonzero(chains.open_levels)
        tails, heads = chains.sorted.node[piece], chains.sorted.node[chains.following[piece]]
        along = Edges(tails, level, heads, level, chains.lengths[piece])
        node, step = np.nonzero(~land.stuck_at(self.nodes))
        climbs = Edges(node, step, node, step + 1, np.diff(land.heights)[step])
        return Edges(*joined([self._grown.edges, along, climbs]))

    @cached_property
    def start_lifts(self) -> FloatArray:
        """What it costs to climb from the start to each level: (levels,)."""
        start = np.array([self.start])
        return np.asarray(self.lifts(start, holding(self.graph.land.bodies, start[:, :2]))[0])

    def lifts(self, places: FloatArray, inside: Booleans) -> FloatArray:
        """Give what it costs at places (n, 3) that bodies hold to climb from each level: (n, levels); inf where a barrier is in between."""
        land = self.graph.land
        heights, here = land.heights, places[:, 2, None]
        low, high = np.minimum(heights, here), np.maximum(heights, here)
        meets = (land.lows <= high[..., None] + CONTACT) & (land.highs >= low[..., None] - CONTACT)
        is_stuck = (inside[:, None] & meets).any(axis=-1) & (high - low > CONTACT)
        return np.where(is_stuck, np.inf, high - low)

    def lengths(self, ends: FloatArray, inside: Booleans, *, limit: float = np.inf) -> FloatArray:
        """Give the lengths (n,) in inches of the shortest ways to places (n, 3) that bodies hold; inf where there is none up to `limit`."""
        lengths = np.full(len(ends), np.inf)
        admitted = np.flatnonzero(~self.graph.land.refusing(ends, inside).any(axis=1))
        found = self._admitted_lengths(ends[admitted], self.lifts(ends[admitted], inside[admitted]), limit)
        lengths[admitted] = np.where(found <= limit + CONTACT, found, np.inf)
        return lengths

    def _admitted_lengths(self, ends: FloatArray, lifts: FloatArray, limit: float) -> FloatArray:
        """Give the lengths (n,) of ways to places (n, 3) where nothing is, up to which one climbs by `lifts` (n, levels)."""
        best = self._direct(ends, lifts, limit)
        away = ends - np.array(self.start)
        least = np.hypot(away[:, 0], away[:, 1]) + np.abs(away[:, 2])
        unsure = np.flatnonzero((best > least + CROSSING_ROUNDING) & (least <= limit + CONTACT))
        size = max(1, PAIRS_AT_ONCE // max(1, len(self.graph.land.bodies.owner)))
        for start in range(0, len(unsure), size):
            part = unsure[start : start + size]
            best[part] = self._least(self.approaches(ends[part], lifts[part], limit=limit), lifts[part], best[part], limit)
        return best

    def _direct(self, ends: FloatArray, lifts: FloatArray, limit: float) -> FloatArray:
        """Give the lengths (n,) of straight ways."""
        legs = self.graph.straight(np.repeat([self.start[:2]], len(ends), axis=0), ends[:, :2], reach=limit)
        lengths = np.full(len(ends), np.inf)
        np.minimum.at(lengths, legs.line, self.start_lifts[legs.tail] + legs.cost + lifts[legs.line, legs.head])
        return lengths

    def approaches(self, ends: FloatArray, lifts: FloatArray, *, limit: float) -> Approaches:
        """List the last straight pieces, after a bend, of ways to places (n, 3) that may be no longer than `limit`."""
        bodies, points = self.graph.land.bodies, ends[:, :2]
        found = tangents_from(points, bodies, reach=np.full(len(ends), min(limit, self.graph.reach)))
        body, position = bodies.owner[found.arc], bodies.position_at(found.arc, found.normals)
        end, number = (column.reshape(-1) for column in np.indices((len(ends), len(self.graph.corners))))
        corner = self.graph.corners[number]
        origin = np.concatenate([found.origin, end])
        costs = np.concatenate([self.chains.costs(body, position, self.costs), self.costs[corner]])
        lines = Segments(points[origin], np.concatenate([found.lines.heads, self.graph.corner_points[number]]))
        least = (costs + lifts[origin]).min(axis=1) + lines.lengths
        order = np.lexsort((least, origin))
        order = order[least[order] <= limit + CONTACT]
        body, position = np.append(body, np.full(len(end), EDGE)), np.append(position, np.zeros(len(end)))
        corner = np.append(np.full(len(found.arc), EDGE), corner)
        return Approaches(origin[order], lines.of(order), body[order], position[order], corner[order], costs[order], least[order])

    def _least(self, found: Approaches, lifts: FloatArray, best: FloatArray, limit: float) -> FloatArray:
        """Give the least lengths (n,) of ways over approaches, where less than `best`; each end's most promising ones come first."""
        rank = np.arange(len(found.end)) - np.searchsorted(found.end, found.end)
        first, number = 0, max(ENDINGS_AT_FIRST, WORTHWHILE // max(1, len(best)))
        while len(tried := np.flatnonzero((rank >= first) & (rank < first + number) & (found.least < best[found.end] - CROSSING_ROUNDING))):
            first, number = first + number, 2 * number
            budget = best[found.end[tried]] - found.costs[tried].min(axis=1)
            approach, _, _, length = self.arrivals(found, tried, lifts, reach=np.minimum(budget, limit))
            best = best.copy()
            np.minimum.at(best, found.end[approach], length)
        return best

    def arrivals(
        self, found: Approaches, tried: Indices, lifts: FloatArray, *, reach: FloatArray | float = np.inf
    ) -> tuple[Indices, Indices, Indices, FloatArray]:
        """Give for approaches, by level at the end and at the departure, its number, the two levels, the whole length."""
        legs = self.graph.land.legs(found.lines.of(tried), np.full(len(tried), EDGE), found.body[tried], reach=reach)
        approach = tried[legs.line]
        lengths: FloatArray = found.costs[approach, legs.head] + legs.cost + lifts[found.end[approach], legs.tail]
        return approach, legs.tail, legs.head, lengths


def _matrix(tails: Indices, heads: Indices, costs: FloatArray, number: int) -> scipy.sparse.csr_matrix:
    """Lay edges out for the search, of those between the same two nodes the cheapest: a sparse matrix would add them up."""
    key = np.minimum(tails, heads) * number + np.maximum(tails, heads)
    order = np.lexsort((costs, key))
    kept = order[np.diff(key[order], prepend=-1) != 0]
    kept = kept[tails[kept] != heads[kept]]
    return scipy.sparse.csr_matrix((costs[kept], (tails[kept], heads[kept])), shape=(number, number))

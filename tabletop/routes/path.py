"""The points of a shortest way, one after the other: straight pieces, climbs, and bends as short chords."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.routes.bodies import CROSSING_ROUNDING, Indices
from tabletop.routes.chord import Segments, holding
from tabletop.routes.crossing import EDGE
from tabletop.routes.detour import CHORD
from tabletop.routes.heights import Land, relaxed
from tabletop.routes.shortest_path import Approaches, Place, ShortestPaths

State = tuple[int, int]


@dataclass(frozen=True)
class Way:
    """A way as points (x, y, z) in inches; `length` is exact, the chords of its bends are a little shorter."""

    points: tuple[Place, ...]
    length: float


@dataclass(frozen=True, eq=False)
class Tracer:
    """Follows shortest ways back to their start."""

    ways: ShortestPaths

    @property
    def land(self) -> Land:
        """The land."""
        return self.ways.graph.land

    def way(self, end: Place) -> Way | None:
        """Give the shortest way to a place, None if there is none."""
        place = np.array([end])
        inside = holding(self.land.bodies, place[:, :2])
        length = float(self.ways.lengths(place, inside)[0])
        if not np.isfinite(length):
            return None
        lifts = self.ways.lifts(place, inside)
        straight = self._straight_way(place, lifts, length)
        points = straight if straight is not None else self._bent_way(place, lifts, length)
        kept = _needed(points)
        return Way((*kept[:-1], end) if len(kept) > 1 else (end,), length)

    def _straight_way(self, place: FloatArray, lifts: FloatArray, length: float) -> list[Place] | None:
        start = np.array([self.ways.start])
        legs = self.ways.graph.straight(start[:, :2], place[:, :2])
        costs = self.ways.start_lifts[legs.tail] + legs.cost + lifts[0][legs.head]
        if not len(costs) or costs.min() > length + CROSSING_ROUNDING:
            return None
        best = int(costs.argmin())
        way = self._straight(start[0, :2], place[0, :2], (EDGE, EDGE), (int(legs.tail[best]), int(legs.head[best])))
        return [self.ways.start, *way, _as_place(place)]

    def _bent_way(self, place: FloatArray, lifts: FloatArray, length: float) -> list[Place]:
        found = self.ways.approaches(place, lifts, limit=length)
        approach, last, level, lengths = self.ways.arrivals(found, np.arange(len(found.end)), lifts)
        best = int(lengths.argmin())
        number, departure = int(approach[best]), int(level[best])
        points = [self.ways.start, *self._to_departure(found, number, departure)]
        tail, head = found.lines.heads[number], found.lines.tails[number]
        points += self._straight(tail, head, (int(found.body[number]), EDGE), (departure, int(last[best])))
        return [*points, _as_place(place)]

    def _to_departure(self, found: Approaches, number: int, level: int) -> list[Place]:
        """Follow the way to the point from which an approach departs, at a level."""
        if found.body[number] == EDGE:
            return self._to_node((int(found.corner[number]), level))
        chains, sought = self.ways.chains, found.costs[number, level]
        body, position = int(found.body[number]), float(found.position[number])
        on_body = np.flatnonzero(chains.sorted.body == body)
        nodes, perimeter = chains.sorted.node[on_body], self.land.bodies.perimeters[body]
        beyond = (position - chains.sorted.position[on_body]) % perimeter
        ways = np.stack([beyond, beyond - perimeter])
        fits = np.abs(self.ways.costs[nodes, level] + np.abs(ways) - sought) <= CROSSING_ROUNDING
        sense, member = divmod(int(np.where(fits, np.abs(ways), np.inf).argmin()), len(on_body))
        points = self._to_node((int(nodes[member]), level))
        return points + self._along(body, position - float(ways[sense, member]), position, level)

    def _to_node(self, state: State) -> list[Place]:
        """Follow the way to a node at a level."""
        levels, before = len(self.land.heights), self.ways.search[1]
        states = [state]
        while (previous := int(before[states[-1][0] * levels + states[-1][1]])) < len(self.ways.nodes) * levels:
            states.append((previous // levels, previous % levels))
        points = [self._place(self.ways.nodes[states[-1][0]], states[-1][1])]
        for tail, head in pairwise(reversed(states)):
            points += self._piece(tail, head)
        return points

    def _piece(self, tail: State, head: State) -> list[Place]:
        """Give the points of one edge of the graph: a climb, a piece of a boundary or a straight one."""
        nodes, costs = self.ways.nodes, self.ways.costs
        if tail[0] == head[0]:
            return [self._place(nodes[head[0]], head[1])]
        cost = costs[head] - costs[tail]
        for member, after, sense in self._pieces(tail[0], head[0]):
            chains = self.ways.chains
            length = float(chains.lengths[member])
            if tail[1] == head[1] and chains.open_levels[member, tail[1]] and abs(length - cost) <= CROSSING_ROUNDING:
                start = float(chains.sorted.position[member if sense > 0 else after])
                return self._along(int(chains.sorted.body[member]), start, start + sense * length, tail[1])
        ends = int(self._body_of[tail[0]]), int(self._body_of[head[0]])
        return self._straight(nodes[tail[0]], nodes[head[0]], ends, (tail[1], head[1]))

    def _pieces(self, tail: int, head: int) -> Iterator[tuple[int, int, int]]:
        """Give the pieces of boundaries between two nodes: their members, and 1 if they lead on counter-clockwise, else -1."""
        chains = self.ways.chains
        first, second = chains.sorted.node, chains.sorted.node[chains.following]
        for sense, one, other in ((1, tail, head), (-1, head, tail)):
            for member in np.flatnonzero((first == one) & (second == other)):
                yield int(member), int(chains.following[member]), sense

    @cached_property
    def _body_of(self) -> Indices:
        """The body that each node lies on, `EDGE` for crossings and the start."""
        members = self.ways.chains.members
        bodies = np.full(len(self.ways.nodes), EDGE)
        bodies[members.node] = members.body
        bodies[: len(self.ways.graph.rims.cuts.points)] = EDGE
        return bodies

    def _along(self, body: int, start: float, end: float, level: int) -> list[Place]:
        """Give points of a boundary from one position to another: the ends of its edges, and points that divide its arcs."""
        bodies = self.land.bodies
        arcs = np.arange(bodies.first[body], bodies.first[body] + bodies.counts[body])
        shares = np.linspace(0.0, 1.0, 1 + int(np.ceil(bodies.spans[arcs].max() / CHORD)))
        joints = (bodies.positions[arcs, None] + (bodies.radii[arcs] * bodies.spans[arcs])[:, None] * shares).reshape(-1)
        low, high = min(start, end), max(start, end)
        turns = bodies.perimeters[body] * np.arange(np.floor(low / bodies.perimeters[body]), np.ceil(high / bodies.perimeters[body]))
        inner = np.sort((joints + turns[:, None]).reshape(-1)) if len(turns) else joints[:0]
        inner = inner[(inner > low) & (inner < high)]
        positions = np.concatenate([[start], inner if end > start else inner[::-1], [end]])
        return [self._place(point, level) for point in bodies.points(np.full(len(positions), body), positions)]

    def _straight(self, tail: FloatArray, head: FloatArray, bodies: State, levels: State) -> list[Place]:
        """Give the points of a straight piece: where it starts, climbs and ends."""
        lines = Segments(tail[None], head[None])
        sections = self.land.sections(lines, *(np.array([body]) for body in bodies))
        costs = [cost[0, levels[0]] for cost in sections.costs()]
        level, points = levels[1], [self._place(head, levels[1])]
        for section in range(len(costs) - 1, 0, -1):
            here = np.full(len(costs[0]), np.inf)
            here[level] = 0.0
            climbed = relaxed(here, self.land.heights, sections.stuck[0, section - 1])
            point = tail + sections.cuts[0, section] * lines.directions[0]
            points.append(self._place(point, level))
            level = int((costs[section - 1] + climbed).argmin())
            points.append(self._place(point, level))
        return [*reversed(points)]

    def _place(self, point: FloatArray, level: int) -> Place:
        return (*_pair(point), float(self.land.heights[level]))


def _needed(points: list[Place]) -> list[Place]:
    """Leave out points that repeat the one before, or lie on the straight line from there to the next."""
    kept: list[Place] = []
    for point in points:
        if kept and math.dist(kept[-1], point) <= CROSSING_ROUNDING:
            continue
        if len(kept) > 1 and _is_between(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def _is_between(start: Place, place: Place, end: Place) -> bool:
    """Tell whether a place lies on the straight line from one to another; a detour this small would say so of places far aside."""
    along, ahead = np.subtract(end, start), np.subtract(place, start)
    length = math.hypot(*along)
    gone = float(along @ ahead) / length if length > CROSSING_ROUNDING else 0.0
    return 0.0 < gone < length and math.hypot(*(ahead - gone / length * along)) <= CROSSING_ROUNDING


def _as_place(places: FloatArray) -> Place:
    return (*_pair(places[0]), float(places[0, 2]))


def _pair(point: FloatArray) -> tuple[float, float]:
    return float(point[0]), float(point[1])

"""What the bodies on a table must keep among themselves: apart, on the board, and held up."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape, are_boxes_apart, edge_normals, gap
from tabletop.settling.bodies import Body
from tabletop.table.state import Board, Terrain

STEP = 1e-6
"""Inches and radians by which a body is moved to see how a gap of ovals changes."""


@dataclass(frozen=True)
class Room:
    """A game's demands on a table as it is set up.

    `overlap` inches are allowed. `binds` tells whether two bodies must keep apart, `on_board` whether one must lie on the board, and
    `holders` names the pieces of terrain of which one must lie under the middle of a body; none where the table holds it.
    """

    binds: Callable[[Body, Body], bool]
    on_board: Callable[[Body], bool]
    holders: Callable[[Body], tuple[str, ...]] = lambda _: ()
    overlap: float = 0.0


def apart(solid: Sequence[str], *, overlap: float = 0.0, allowed: frozenset[frozenset[str]] = frozenset()) -> Room:
    """Give the room of regiments: apart from each other, unless in `allowed` pairs, and from terrain of `solid` kinds."""

    def binds(one: Body, other: Body) -> bool:
        if isinstance(one.thing, Terrain):
            return False
        is_solid = not isinstance(other.thing, Terrain) or other.thing.kind in solid
        return is_solid and frozenset((one.name, other.name)) not in allowed

    return Room(binds, lambda body: not isinstance(body.thing, Terrain), overlap=overlap)


Change = dict[int, FloatArray]
"""How a gap changes (3,) as each body, by its number, goes along x, along y, and turns."""


@dataclass(frozen=True)
class Demand:
    """One thing to be kept: `measure` gives the slack in inches of bodies shifted and turned by (n, 3), and how it changes.

    With `is_equal` there may be no slack either: two bodies must touch.
    """

    bodies: tuple[int, ...]
    other: str
    measure: Callable[[FloatArray], tuple[float, Change]]
    is_equal: bool = False

    def is_kept(self, asides: FloatArray, *, slack: float) -> bool:
        """Tell whether it is kept, but for so many inches."""
        found = self.measure(asides)[0]
        return found >= -slack and not (self.is_equal and found > slack)


@dataclass(frozen=True)
class Demands:
    """All that bodies must keep on one board, asked only of those that are near enough to break it."""

    board: Board
    bodies: Sequence[Body]
    room: Room

    def near(self, times: float = 1.0) -> Iterator[Demand]:
        """Give what could be broken by moving bodies within so many times their play."""
        for one, body in enumerate(self.bodies):
            for two in range(one + 1, len(self.bodies)):
                other = self.bodies[two]
                play = times * (body.play + other.play)
                if play > 0.0 and not are_boxes_apart(body.shape, other.shape, by=play) and self.room.binds(body, other):
                    yield self._apart(one, two)
            if body.is_free and self.room.on_board(body) and self._beyond(body.shape) > -times * body.play:
                yield from self._inside(one)
            if body.is_free and (names := self.room.holders(body)):
                yield self._held(one, names)

    def touching(self, one: int, two: int) -> Demand:
        """Ask two bodies to touch."""
        return replace(self._apart(one, two), is_equal=True)

    def _beyond(self, shape: Shape) -> float:
        west, south, east, north = shape.bounds
        return max(-west, -south, east - self.board.width, north - self.board.depth)

    def _apart(self, one: int, two: int) -> Demand:
        first, second = self.bodies[one], self.bodies[two]

        def measure(asides: FloatArray) -> tuple[float, Change]:
            shapes = [body.shape_of(body.moved(asides[number])) for number, body in ((one, first), (two, second))]
            if shapes[0].ellipse or shapes[1].ellipse:
                return self._tried((one, two), asides)
            apart, normal, point, other = closest(*shapes)
            change = {one: -_rate(normal, point, first, asides[one]), two: _rate(normal, other, second, asides[two])}
            return apart + self.room.overlap, change

        return Demand((one, two), second.called, measure)

    def _tried(self, pair: tuple[int, int], asides: FloatArray) -> tuple[float, Change]:
        """Measure a gap, and how it changes by trying."""

        def apart(tried: FloatArray) -> float:
            one, two = (self.bodies[number].shape_of(self.bodies[number].moved(tried[number])) for number in pair)
            return gap(one, two)

        change = {}
        for number in pair:
            rates = []
            for axis in range(3):
                up, down = asides.copy(), asides.copy()
                up[number, axis] += STEP
                down[number, axis] -= STEP
                rates.append((apart(up) - apart(down)) / (2 * STEP))
            change[number] = np.array(rates)
        return apart(asides) + self.room.overlap, change

    def _inside(self, number: int) -> Iterator[Demand]:
        """Ask a body to lie within each edge of the board."""
        body = self.bodies[number]
        for axis, sign, edge in ((0, 1.0, 0.0), (1, 1.0, 0.0), (0, -1.0, self.board.width), (1, -1.0, self.board.depth)):
            normal = np.zeros(2)
            normal[axis] = sign

            def measure(asides: FloatArray, normal: FloatArray = normal, edge: float = edge) -> tuple[float, Change]:
                shape = body.shape_of(body.moved(asides[number]))
                low, high = np.array(shape.bounds[:2]), np.array(shape.bounds[2:])
                inside = float(normal.sum() * ((low if normal.sum() > 0 else high) @ abs(normal) - edge)) + self.room.overlap
                corners = shape.outline()
                point = corners[int(np.argmin(corners @ normal))]
                return inside, {number: _rate(normal, point, body, asides[number])}

            yield Demand((number,), "the edge of the board", measure)

    def _held(self, number: int, names: tuple[str, ...]) -> Demand:
        """Ask a body's middle to lie over one of some pieces of terrain: the nearest."""
        body = self.bodies[number]
        holders = [(place, one) for place, one in enumerate(self.bodies) if one.name in names and isinstance(one.thing, Terrain)]

        def measure(asides: FloatArray) -> tuple[float, Change]:
            middle = np.array(body.middle) + asides[number, :2]
            found = [(*_depth(middle, holder.shape_of(holder.moved(asides[place]))), place, holder) for place, holder in holders]
            depth, inward, place, holder = max(found, key=lambda one: one[0])
            return depth, {number: np.array([*inward, 0.0]), place: -_rate(inward, middle, holder, asides[place])}

        return Demand((number,), " or ".join(names), measure)


def _rate(normal: FloatArray, point: FloatArray, body: Body, aside: FloatArray) -> FloatArray:
    """Give how far a point of a body goes along a normal as the body goes along x, along y, and turns."""
    x, y = point - np.array(body.middle) - aside[:2]
    return np.array([normal[0], normal[1], normal[1] * x - normal[0] * y])


def _depth(point: FloatArray, shape: Shape) -> tuple[float, FloatArray]:
    """Give how far inside a shape that is no oval a point lies, in inches, and the direction in which it lies deeper."""
    spot = shapely.Point(point)
    if isinstance(shape.core, shapely.Point):
        outward = point - shapely.get_coordinates(shape.core)[0]
        apart = float(np.hypot(*outward))
        return shape.radius - apart, -outward / apart if apart else np.array([1.0, 0.0])
    on_edge = shapely.get_coordinates(shapely.shortest_line(spot, shape.core.exterior))[1]
    apart = float(np.hypot(*(on_edge - point)))
    is_inside = bool(shape.core.covers(spot))
    inward = (point - on_edge if is_inside else on_edge - point) / apart if apart else np.array([1.0, 0.0])
    return (apart if is_inside else -apart), inward


def closest(first: Shape, second: Shape) -> tuple[float, FloatArray, FloatArray, FloatArray]:
    """Give the signed gap of two shapes that are no ovals, the normal from the first to the second, and where each is met."""
    apart = float(first.core.distance(second.core))
    if apart > 0.0:
        (x, y), (to_x, to_y) = shapely.get_coordinates(shapely.shortest_line(first.core, second.core))
        point, other = np.array([x, y]), np.array([to_x, to_y])
        return apart - first.radius - second.radius, (other - point) / apart, point, other
    depth, normal, point = max((_deepest(one, two) for one in first.parts for two in second.parts), key=lambda found: found[0])
    return -depth - first.radius - second.radius, normal, point, point


def _deepest(first: FloatArray, second: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Give how deep two convex rings overlap, the normal along which they part soonest, and the corner that is deepest."""
    own, others = edge_normals(first), edge_normals(second)
    if not len(own) and not len(others):
        return 0.0, np.array([1.0, 0.0]), first[0]
    axes = np.vstack([own, -others])
    apart = (axes @ second.T).min(axis=1) - (axes @ first.T).max(axis=1)
    best = int(np.argmax(apart))
    corners, sign = (second, 1.0) if best < len(own) else (first, -1.0)
    return -float(apart[best]), axes[best], corners[int(np.argmin(sign * corners @ axes[best]))]

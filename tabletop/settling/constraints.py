"""Constraints between the bodies of a table: apart, on the board, and supported.

They are the constraints of the least-squares problem by which a measured table is settled: moved to the nearest
possible one.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.geometry.arrays import FloatArray, lengths_of
from tabletop.geometry.convex import edge_normals
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.geometry.shape import Shape
from tabletop.settling.bodies import Body, most_between
from tabletop.table.state import Board, Terrain

KEPT_FEATURES = 3
"""Number of corners, or convex parts, beside the nearest that are kept as constraints."""

CORNERED = 1e-9
"""Inches by which two corners must be farther apart than edges for the gap to be measured between corners."""

OVAL_DERIVATIVE_STEP = 1e-6
"""Step in inches and radians for the numerical derivative of a gap between ovals."""


@dataclass(frozen=True)
class SetUpRules:
    """A game's rules for how bodies may be placed when a table is set up.

    Attributes
    ----------
    binds
        Function that returns whether two bodies must not overlap.
    on_board
        Function that returns whether a body must lie on the board.
    holders
        Function that returns the names of the pieces of terrain of which one must lie under the middle of a body; empty
        if none must.
    overlap
        Inches by which bodies may overlap, or reach beyond the board.
    """

    binds: Callable[[Body, Body], bool]
    on_board: Callable[[Body], bool]
    holders: Callable[[Body], tuple[str, ...]] = lambda _: ()
    overlap: float = 0.0


def regiment_rules(
    solid: Sequence[str], *, overlap: float = 0.0, allowed: frozenset[frozenset[str]] = frozenset()
) -> SetUpRules:
    """Return the set-up rules of regiments: they must not overlap each other or terrain of a solid kind, and must be on
    the board.

    Parameters
    ----------
    solid
        Kinds of terrain that they must not overlap.
    overlap
        Inches of overlap that are allowed.
    allowed
        Pairs of names that may overlap.
    """

    def binds(one: Body, other: Body) -> bool:
        """Return whether two bodies must not overlap; False if the first is terrain."""
        if isinstance(one.thing, Terrain):
            return False
        is_solid = not isinstance(other.thing, Terrain) or other.thing.kind in solid
        return is_solid and frozenset((one.name, other.name)) not in allowed

    return SetUpRules(binds, lambda body: not isinstance(body.thing, Terrain), overlap=overlap)


Change = dict[int, FloatArray]
"""Derivatives (3,) of a slack by x, y and heading of each body, by number."""

Cut = tuple[float, Change]
"""A slack in inches, and its derivatives (a linear cut)."""


@dataclass(frozen=True)
class SetUpConstraint:
    """One constraint on the bodies of a table.

    Attributes
    ----------
    bodies
        Indices of the bodies that it is about.
    other
        Name of the body or terrain that the first body must keep clear of or be placed on; empty for the board.
    cuts
        Function that returns, for displacements (n, 3) of all bodies (inches along x and y, radians), linear cuts: each
        a signed slack in inches with its derivatives (3,) for each body by index. The first has the smallest slack.
    is_equal
        Whether the slack must be 0: two bodies must touch.
    what
        What the first body must do about the other, for messages.
    """

    bodies: tuple[int, ...]
    other: str
    cuts: Callable[[FloatArray], list[Cut]]
    is_equal: bool = False
    what: str = "keeps clear of"

    def is_kept(self, asides: FloatArray, *, slack: float) -> bool:
        """Return whether the constraint holds to `slack` inches for displacements (n, 3) of all bodies."""
        found = self.cuts(asides)[0][0]
        return found >= -slack and not (self.is_equal and found > slack)


@dataclass(frozen=True)
class SetUpConstraints:
    """All constraints of the bodies on one board by the set-up rules `room`."""

    board: Board
    bodies: Sequence[Body]
    room: SetUpRules

    def near(self, times: float = 1.0) -> Iterator[SetUpConstraint]:
        """Yield the constraints that displacements within `times` the accuracy could break."""
        for one, body in enumerate(self.bodies):
            for two in range(one + 1, len(self.bodies)):
                other = self.bodies[two]
                play = times * most_between(body, other)
                is_fixed = not (body.is_free or other.is_free)
                if (
                    not is_fixed
                    and not are_boxes_apart(body.shape, other.shape, by=play)
                    and self.room.binds(body, other)
                ):
                    yield self._apart(one, two)
            if (
                body.is_free
                and self.room.on_board(body)
                and self._beyond(body.shape) > -times * body.play
            ):
                yield from self._inside(one)
            if body.is_free and (names := self.room.holders(body)):
                yield self._held(one, names)

    def touching(self, one: int, two: int) -> SetUpConstraint:
        """Return the constraint that two bodies, by index, touch."""
        return replace(self._apart(one, two), is_equal=True)

    def _beyond(self, shape: Shape) -> float:
        return -self.board.room(shape)

    def _apart(self, one: int, two: int) -> SetUpConstraint:
        first = self.bodies[one]
        second = self.bodies[two]

        def cuts(asides: FloatArray) -> list[Cut]:
            """Return linear cuts of the gap between the two bodies for displacements (n, 3) of all bodies, the smallest
            gap first.
            """
            shapes = [first.shape_at(asides[one]), second.shape_at(asides[two])]
            if shapes[0].ellipse or shapes[1].ellipse:
                return [self._tried((one, two), asides)]
            return [
                (
                    apart + self.room.overlap,
                    {
                        one: -rate_of_point(normal, point, first, asides[one]),
                        two: rate_of_point(normal, other, second, asides[two]),
                    },
                )
                for apart, normal, point, other in closest_features(*shapes)
            ]

        return SetUpConstraint((one, two), second.called, cuts)

    def _tried(self, pair: tuple[int, int], asides: FloatArray) -> Cut:
        """Return the gap in inches between an oval and another body, and its derivatives by central finite differences.

        `pair` are the indices of the two bodies, `asides` (n, 3) the displacements of all.
        """

        def apart(tried: FloatArray) -> float:
            """Return the gap in inches between the two bodies for displacements (n, 3) of all bodies."""
            one, two = (self.bodies[number].shape_at(tried[number]) for number in pair)
            return gap(one, two)

        change = {}
        for number in pair:
            rates = []
            for axis in range(3):
                up = asides.copy()
                down = asides.copy()
                up[number, axis] += OVAL_DERIVATIVE_STEP
                down[number, axis] -= OVAL_DERIVATIVE_STEP
                rates.append((apart(up) - apart(down)) / (2 * OVAL_DERIVATIVE_STEP))
            change[number] = np.array(rates)
        return apart(asides) + self.room.overlap, change

    def _inside(self, number: int) -> Iterator[SetUpConstraint]:
        """Yield four constraints: a body lies within the line of each edge of the board."""
        body = self.bodies[number]
        for axis, sign, edge in (
            (0, 1.0, 0.0),
            (1, 1.0, 0.0),
            (0, -1.0, self.board.width),
            (1, -1.0, self.board.depth),
        ):
            normal = np.zeros(2)
            normal[axis] = sign

            def cuts(
                asides: FloatArray, normal: FloatArray = normal, edge: float = edge
            ) -> list[Cut]:
                """Return linear cuts of the distances of the body's lowest corners from the edge, the smallest
                first.
                """
                shape = body.shape_at(asides[number])
                low = np.array(shape.bounds[:2])
                high = np.array(shape.bounds[2:])
                inside = (
                    float(normal.sum() * ((low if normal.sum() > 0 else high) @ abs(normal) - edge))
                    + self.room.overlap
                )
                corners = shape.outline()
                heights = corners @ normal
                lowest = np.argsort(heights, kind="stable")[:KEPT_FEATURES]
                return [
                    (
                        inside + float(heights[one] - heights[lowest[0]]),
                        {number: rate_of_point(normal, corners[one], body, asides[number])},
                    )
                    for one in lowest
                ]

            yield SetUpConstraint((number,), "", cuts, what="stays on the board")

    def _held(self, number: int, names: tuple[str, ...]) -> SetUpConstraint:
        """Return the constraint that a body's reference point lies on the nearest of the named pieces of terrain."""
        body = self.bodies[number]
        holders = [
            (place, one)
            for place, one in enumerate(self.bodies)
            if one.name in names and isinstance(one.thing, Terrain)
        ]

        def cuts(asides: FloatArray) -> list[Cut]:
            """Return a linear cut of the depth in inches of the reference point inside the terrain in which it is
            deepest.
            """
            middle = asides[number, :2] + body.middle
            found = [
                (*_depth(middle, holder.shape_at(asides[place])), place, holder)
                for place, holder in holders
            ]
            depth, inward, place, holder = max(found, key=lambda one: one[0])
            return [
                (
                    depth,
                    {
                        number: np.array([*inward, 0.0]),
                        place: -rate_of_point(inward, middle, holder, asides[place]),
                    },
                )
            ]

        return SetUpConstraint((number,), " or ".join(names), cuts, what="stands on")


def rate_of_point(
    normal: FloatArray, point: FloatArray, body: Body, aside: FloatArray
) -> FloatArray:
    """Return the derivatives (3,) of a body point's position along a normal, by the body's x, y and heading.

    `aside` (3,) is the displacement at which they are taken.
    """
    x, y = point - body.middle - aside[:2]
    return np.array([normal[0], normal[1], normal[1] * x - normal[0] * y])


def _depth(point: FloatArray, shape: Shape) -> tuple[float, FloatArray]:
    """Return the depth of a point (2,) inside a shape that is no oval, in inches, and the unit direction (2,) of
    increasing depth.

    The depth is negative outside the shape.
    """
    ring = (
        shape.outline()
        if isinstance(shape.core, shapely.Polygon)
        else shapely.get_coordinates(shape.core)
    )
    if len(ring) == 1:
        outward = point - ring[0]
        apart = float(np.hypot(*outward))
        return shape.radius - apart, -outward / apart if apart else np.array([1.0, 0.0])
    along = np.roll(ring, -1, axis=0) - ring
    shares = np.clip(((point - ring) * along).sum(axis=1) / (along * along).sum(axis=1), 0.0, 1.0)
    aside = point - ring - shares[:, None] * along
    lengths = lengths_of(aside)
    edge = int(np.argmin(lengths))
    side = 1.0 if shape.holds((float(point[0]), float(point[1]))) else -1.0
    inward = np.array([-along[edge, 1], along[edge, 0]]) / np.hypot(*along[edge])
    if lengths[edge] > CORNERED:
        inward = side * aside[edge] / lengths[edge]
    return side * float(lengths[edge]), inward


Meeting = tuple[float, FloatArray, FloatArray, FloatArray]
"""A signed gap in inches, the normal from one shape to the other along which it is measured, and the points of both."""


def closest_features(first: Shape, second: Shape) -> list[Meeting]:
    """Return where two shapes that are not ovals are nearest, or overlap most, followed by the next nearest corners.

    Each entry is (signed gap in inches, unit normal (2,) from the first to the second shape, point of the first (2,),
    point of the second (2,)). Two edges that are almost parallel meet at two corners: with a constraint for only one of
    them a step would turn the body onto the other.
    """
    found = [_convex_features(one, two) for one in first.parts for two in second.parts]
    nearest = sorted(found, key=lambda corners: corners[0][0])[:KEPT_FEATURES]
    radii = first.radius + second.radius
    return [
        (apart - radii, normal, point, other)
        for corners in nearest
        for apart, normal, point, other in corners
    ]


def _convex_features(first: FloatArray, second: FloatArray) -> list[Meeting]:
    """Return where two convex rings are nearest, or overlap most, by the separating axis theorem, with the next nearest
    corners.

    The rings are (n, 2) and (m, 2), in inches; entries are as those of `closest_features`.
    """
    own = edge_normals(first)
    others = edge_normals(second)
    if not len(own) and not len(others):
        aside = second[0] - first[0]
        apart = float(np.hypot(*aside))
        return [(apart, aside / apart if apart else np.array([1.0, 0.0]), first[0], second[0])]
    axes = np.vstack([own, -others])
    along = axes @ first.T
    other_along = axes @ second.T
    apart = other_along.min(axis=1) - along.max(axis=1)
    best = int(np.argmax(apart))
    if (
        apart[best] > 0.0
        and (line := _between_corners(first, second, float(apart[best]))) is not None
    ):
        return [line]
    is_own = best < len(own)
    gaps = (
        other_along[best] - along[best].max() if is_own else other_along[best].min() - along[best]
    )
    corners = second if is_own else first
    return [
        (float(gaps[one]), axes[best], corners[one], corners[one])
        for one in np.argsort(gaps, kind="stable")[:KEPT_FEATURES]
    ]


def _between_corners(first: FloatArray, second: FloatArray, apart: float) -> Meeting | None:
    """Return the gap between the nearest corners of two rings if it exceeds `apart`, the largest gap along an edge
    normal; else None.

    The result is (gap in inches, unit normal (2,), corner of the first (2,), corner of the second (2,)).
    """
    shapes = [
        shapely.points(ring[0]) if len(ring) == 1 else shapely.polygons(ring)
        for ring in (first, second)
    ]
    point, other = shapely.get_coordinates(shapely.shortest_line(*shapes))
    length = float(np.hypot(*(other - point)))
    return (length, (other - point) / length, point, other) if length > apart + CORNERED else None

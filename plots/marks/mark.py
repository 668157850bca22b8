"""Marks: the content of a figure as frozen data.

Points are in inches on the table, angles in radians. Each mark has a `role`, by which the theme styles it, and an `id`,
which becomes the id of its SVG group. Ids are local: the enclosing parts, and finally the panel, prepend theirs. Marks
do not depend on Matplotlib or the page's size.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

import numpy as np
import shapely

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point

Points = tuple[Point, ...]

PointMap = Callable[[Point], Point]

HEIGHT_SIGN = "\N{UPWARDS ARROW}"

MIN_LENGTH = 1e-6
"""Length in inches below which a leg is not drawn."""

ARC_PARTS, DISC_SIDES = 24, 40
"""Segments of an arc, and sides of the polygon that stands for a disc."""


@dataclass(frozen=True)
class DrawnMark:
    """Base class of everything drawn on a panel; `role` selects the style, `owner` is the id of the thing the mark is
    part of.
    """

    id: str
    role: str
    owner: str = field(default="", kw_only=True)

    def polylines(self) -> tuple[Points, ...]:
        """Return the polylines of the mark, rings closed; empty for symbols and texts."""
        return ()

    def mapped(self, move: PointMap) -> Self:
        """Return the mark with its points mapped by the function `move`; unchanged if it has none."""
        del move
        return self

    def under(self, name: str, *, is_owner: bool = False) -> Self:
        """Return the mark with the prefix `name` on its id and its owner's id; if `is_owner`, the prefix itself is its
        owner.
        """
        owner = name if is_owner else self.owner and f"{name}.{self.owner}"
        return replace(self, id=f"{name}.{self.id}" if self.id else name, owner=owner)


@dataclass(frozen=True)
class Rings(DrawnMark):
    """Closed, filled rings of one style, with holes: boundaries, terrain, regions, or bases with the numbers of their
    models.
    """

    rings: tuple[Points, ...]
    numbers: tuple[int, ...] = ()
    holes: tuple[Points, ...] = ()

    def polylines(self) -> tuple[Points, ...]:
        """Return all rings and holes, each with its first vertex repeated at the end."""
        return tuple(closed(ring) for ring in (*self.rings, *self.holes))

    def mapped(self, move: PointMap) -> Self:
        """Return the rings with mapped vertices."""
        return replace(self, rings=_moved(self.rings, move), holes=_moved(self.holes, move))


@dataclass(frozen=True)
class Discs(DrawnMark):
    """Discs of one style, each as (x, y, radius): round bases with the numbers of their models."""

    discs: tuple[tuple[float, float, float], ...]
    numbers: tuple[int, ...] = ()
    holes: ClassVar[tuple[Points, ...]] = ()

    @property
    def rings(self) -> tuple[Points, ...]:
        """Discs as polygons with `DISC_SIDES` vertices."""
        turns = np.linspace(0.0, math.tau, DISC_SIDES, endpoint=False)
        way = np.column_stack([np.cos(turns), np.sin(turns)])
        return tuple(points(np.array([[x, y]]) + radius * way) for x, y, radius in self.discs)

    def polylines(self) -> tuple[Points, ...]:
        """Return the discs as polygons, each with its first vertex repeated at the end."""
        return tuple(map(closed, self.rings))


@dataclass(frozen=True)
class Lines(DrawnMark):
    """Open lines of one style: facings, links, rays, symbols of terrain, crosses."""

    lines: tuple[Points, ...]

    def polylines(self) -> tuple[Points, ...]:
        """Return the lines as polylines, as they are."""
        return self.lines

    def mapped(self, move: PointMap) -> Self:
        """Return the lines with mapped points."""
        return replace(self, lines=_moved(self.lines, move))


@dataclass(frozen=True)
class Arrows(Lines):
    """Open lines of one style, each ending in an arrowhead: legs, wheels, paths of loose models and through hexes."""


@dataclass(frozen=True)
class FacingMark(DrawnMark):
    """Triangle that shows a facing: its tip at `at`, the middle of a front edge, pointing along `heading`, within
    `width` and `depth`.
    """

    at: Point
    heading: float
    width: float
    depth: float


@dataclass(frozen=True)
class PointMark(DrawnMark):
    """Points, each marked by a symbol: initial contact, pivot, models in contact."""

    points: Points

    def mapped(self, move: PointMap) -> Self:
        """Return the symbols at mapped points."""
        return replace(self, points=tuple(map(move, self.points)))


@dataclass(frozen=True)
class DimensionLine(DrawnMark):
    """Dimension line with a head at both ends, drawn `aside` inches to the left of the points it measures."""

    start: Point
    end: Point
    aside: float = 0.0

    @property
    def drawn(self) -> tuple[Point, Point]:
        """Ends of the line as drawn, `aside` inches to the left of `start` and `end`."""
        length = math.dist(self.start, self.end) or 1.0
        x = self.aside * (self.start[1] - self.end[1]) / length
        y = self.aside * (self.end[0] - self.start[0]) / length
        return ((self.start[0] + x, self.start[1] + y), (self.end[0] + x, self.end[1] + y))

    def polylines(self) -> tuple[Points, ...]:
        """Return the line as drawn, as one polyline."""
        return (self.drawn,)

    def mapped(self, move: PointMap) -> Self:
        """Return the dimension line between mapped points."""
        return replace(self, start=move(self.start), end=move(self.end))


@dataclass(frozen=True)
class Label(DrawnMark):
    """Text near one of `spots`, of which the first is preferred.

    With a `home` ring the text may be placed on the spot itself, best where it fits inside the ring. Labels of lower
    `rank` are placed first. A `key` is a number in a disc before the text. The text must lie inside the ring `within`
    and outside the rings `off`; else it is left out.
    """

    text: str
    spots: Points
    rank: int = 5
    home: Points = ()
    key: int = 0
    within: Points = ()
    off: tuple[Points, ...] = ()


@dataclass(frozen=True)
class Magnifier(DrawnMark):
    """Magnifier: a square of half side `radius` about `centre`, shown enlarged `factor` times where there is room, with
    a text in it.
    """

    centre: Point
    radius: float
    factor: float
    text: str


@dataclass(frozen=True)
class Printed(DrawnMark):
    """Texts at fixed points, as (centre, text, width available in inches); a text wider than that is left out.

    `instead` is the label placed if not all texts are printed. `plate` is the role whose fill is used for discs behind
    the texts, which cover lines that would cross them.
    """

    words: tuple[tuple[Point, str, float], ...]
    instead: Label | None = None
    plate: str = ""

    def under(self, name: str, *, is_owner: bool = False) -> Self:
        """Return the mark with the prefix `name` on its id and owner and on those of its fallback label."""
        named = super().under(name, is_owner=is_owner)
        return replace(named, instead=self.instead and self.instead.under(name, is_owner=is_owner))


def outlines(marks: Iterable[DrawnMark], kind: str) -> Iterator[Rings]:
    """Yield the marks of a kind, the first part of their role, that are a single ring: units, terrain, starting
    positions.
    """
    return (
        mark
        for mark in marks
        if isinstance(mark, Rings) and len(mark.rings) == 1 and mark.role.startswith(f"{kind}.")
    )


def part_of(thing: str, marks: Iterable[DrawnMark]) -> tuple[DrawnMark, ...]:
    """Return marks as parts of the thing with id `thing`; a mark without id takes the thing's id."""
    return tuple(mark.under(thing, is_owner=True) for mark in marks)


def under(name: str, marks: Iterable[DrawnMark]) -> tuple[DrawnMark, ...]:
    """Return marks with the prefix `name` on their ids and owners; unchanged if it is empty."""
    return tuple(mark.under(name) for mark in marks) if name else tuple(marks)


def with_distinct_ids(marks: Iterable[DrawnMark], panel: str = "") -> tuple[DrawnMark, ...]:
    """Return the marks of a panel with its name as prefix of their ids; duplicate ids are numbered, and the order is
    kept.

    Raises
    ------
    TypeError
        If something is not a mark.
    """
    seen: dict[str, int] = {}
    distinct = []
    for mark in under(panel, marks):
        count = seen[mark.id] = seen.get(mark.id, 0) + 1
        distinct.append(mark if count == 1 else replace(mark, id=f"{mark.id}-{count}"))
    return tuple(distinct)


def identifier(*words: str) -> str:
    """Return words joined into an id valid in SVG: letters, digits, dots, hyphens and underscores of any script.

    Examples
    --------
    >>> identifier("before", "unit", "Spear Men")
    'before.unit.Spear_Men'
    """
    return ".".join(re.sub(r"[^\w.-]", "_", word) for word in words)


def filled(name: str, role: str, region: shapely.Geometry) -> tuple[Rings, ...]:
    """Return a region, possibly with several parts and holes, as one mark in a tuple; () if it has no area."""
    parts = polygons(region)
    rings = tuple(points(shapely.get_coordinates(part.exterior)[:-1]) for part in parts)
    holes = tuple(
        points(shapely.get_coordinates(hole)[:-1]) for part in parts for hole in part.interiors
    )
    return (Rings(name, role, rings, holes=holes),) if parts else ()


def polygons(region: shapely.Geometry) -> list[shapely.Polygon]:
    """Return the polygons of a region that have an area."""
    return [
        part
        for part in shapely.get_parts(region).tolist()
        if isinstance(part, shapely.Polygon) and part.area > 0.0
    ]


def closed(ring: Points) -> Points:
    """Return a ring with its first vertex repeated at the end."""
    return (*ring, ring[0])


def arc_points(pivot: Point, start: Point, sweep: float) -> Points:
    """Return points on the arc about a pivot from `start` through the signed angle `sweep` in radians, both ends
    included.
    """
    radius = math.dist(pivot, start)
    bearings = math.atan2(start[1] - pivot[1], start[0] - pivot[0]) + sweep * np.linspace(
        0.0, 1.0, ARC_PARTS + 1
    )
    return points(pivot + radius * np.column_stack([np.cos(bearings), np.sin(bearings)]))


def cross(at: Point, half: float = 0.3) -> tuple[Points, Points]:
    """Return the two diagonal lines of a cross centred at a point, within a square of half side `half`."""
    x, y = at
    return (
        ((x - half, y - half), (x + half, y + half)),
        ((x - half, y + half), (x + half, y - half)),
    )


def shifted(ring: Points, length: float) -> Points:
    """Return a ring shifted by `length` inches to the right and down, as its shadow."""
    return tuple((x + length, y - length) for x, y in ring)


def points_along(start: Point, end: Point) -> Points:
    """Return label positions along a segment, the midpoint first."""
    return tuple(
        (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
        for share in (0.5, 0.4, 0.6, 0.3, 0.7)
    )


def _moved(lines: tuple[Points, ...], move: PointMap) -> tuple[Points, ...]:
    return tuple(tuple(map(move, line)) for line in lines)


def points(array: FloatArray) -> Points:
    """Return the rows of an array, shape (n, 2), as a tuple of (x, y)."""
    return tuple((x, y) for x, y in array.tolist())

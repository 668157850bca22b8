"""Marks: what a figure shows, as frozen data, and the open lines that marks draw.

Points are in table inches, angles in radians. Every mark has a `role`, under which the theme keeps its style, and an `id`,
which becomes the id of its group in an SVG. Ids are local to what the marks are part of until that, and in the end the panel, puts its
own before them. Marks know neither Matplotlib nor the size of the page.
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

UNBREAKING = "\N{NO-BREAK SPACE}"

HEIGHT_SIGN = "\N{UPWARDS ARROW}"

MIN_LENGTH = 1e-6
"""Inches. A leg shorter than this leaves nothing to draw."""

ARC_PARTS, DISC_SIDES = 24, 40
"""Straight pieces of an arc, and sides of the polygon that a disc is drawn as."""


@dataclass(frozen=True)
class DrawnMark:
    """Anything drawn on a panel: `role` is the word under which the theme keeps its look, `owner` the id of the thing it is part of."""

    id: str
    role: str
    owner: str = field(default="", kw_only=True)

    def polylines(self) -> tuple[Points, ...]:
        """Return the lines that the mark draws, rings closed; symbols and words draw none."""
        return ()

    def mapped(self, move: PointMap) -> Self:
        """Return the mark with its points moved."""
        del move
        return self

    def under(self, name: str, *, is_owner: bool = False) -> Self:
        """Return the mark with a name before its id and its owner's; if `is_owner` the name is its owner."""
        owner = name if is_owner else self.owner and f"{name}.{self.owner}"
        return replace(self, id=f"{name}.{self.id}" if self.id else name, owner=owner)


@dataclass(frozen=True)
class Rings(DrawnMark):
    """Closed rings of one look that are filled, with holes: boundaries, terrain, regions, bases with the numbers of their models."""

    rings: tuple[Points, ...]
    numbers: tuple[int, ...] = ()
    holes: tuple[Points, ...] = ()

    def polylines(self) -> tuple[Points, ...]:
        """Return all rings, closed."""
        return tuple(closed(ring) for ring in (*self.rings, *self.holes))

    def mapped(self, move: PointMap) -> Self:
        """Return the rings with their corners moved."""
        return replace(self, rings=_moved(self.rings, move), holes=_moved(self.holes, move))


@dataclass(frozen=True)
class Discs(DrawnMark):
    """Discs of one look, each as x, y and radius: round bases with the numbers of their models."""

    discs: tuple[tuple[float, float, float], ...]
    numbers: tuple[int, ...] = ()
    holes: ClassVar[tuple[Points, ...]] = ()

    @property
    def rings(self) -> tuple[Points, ...]:
        """The discs as polygons."""
        turns = np.linspace(0.0, math.tau, DISC_SIDES, endpoint=False)
        way = np.column_stack([np.cos(turns), np.sin(turns)])
        return tuple(points(np.array([[x, y]]) + radius * way) for x, y, radius in self.discs)

    def polylines(self) -> tuple[Points, ...]:
        """Return the polygons, closed."""
        return tuple(map(closed, self.rings))


@dataclass(frozen=True)
class Lines(DrawnMark):
    """Open lines of one look: facings, links, rays, symbols of terrain, crosses."""

    lines: tuple[Points, ...]

    def polylines(self) -> tuple[Points, ...]:
        """Return the lines."""
        return self.lines

    def mapped(self, move: PointMap) -> Self:
        """Return the lines with their points moved."""
        return replace(self, lines=_moved(self.lines, move))


@dataclass(frozen=True)
class Arrows(Lines):
    """Open lines of one look with an arrow's head at the end of each: legs, wheels, ways of loose models, a path through hexes."""


@dataclass(frozen=True)
class FacingMark(DrawnMark):
    """A triangle whose tip is the middle of a front edge, `at`, and looks along `heading`; inside `width` and `depth`."""

    at: Point
    heading: float
    width: float
    depth: float


@dataclass(frozen=True)
class PointMark(DrawnMark):
    """Points picked out by one symbol each: initial contact, pivot, models in contact."""

    points: Points

    def mapped(self, move: PointMap) -> Self:
        """Return the symbols at the moved points."""
        return replace(self, points=tuple(map(move, self.points)))


@dataclass(frozen=True)
class DimensionLine(DrawnMark):
    """A measured length with a head at both ends, drawn `aside` inches to the left of the points it measures between."""

    start: Point
    end: Point
    aside: float = 0.0

    @property
    def drawn(self) -> tuple[Point, Point]:
        """The ends of the line itself."""
        length = math.dist(self.start, self.end) or 1.0
        x, y = (self.aside * (self.start[1] - self.end[1]) / length, self.aside * (self.end[0] - self.start[0]) / length)
        return ((self.start[0] + x, self.start[1] + y), (self.end[0] + x, self.end[1] + y))

    def polylines(self) -> tuple[Points, ...]:
        """Return the line itself."""
        return (self.drawn,)

    def mapped(self, move: PointMap) -> Self:
        """Return the line between the moved points."""
        return replace(self, start=move(self.start), end=move(self.end))


@dataclass(frozen=True)
class Label(DrawnMark):
    """A text near one of `spots`, the first preferred.

    With a `home` ring the text may stand on the spot itself, best where it fits inside the ring. `rank` is the order of
    placing: what is placed first gets the better room. With a `key` that number stands in a disc before the text. All of it stands
    inside the ring `within`, and `off` the rings of others, or it is left out.
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
    """A square about `centre`, `radius` inches to each side, shown `factor` times larger where there is room, with a text in it."""

    centre: Point
    radius: float
    factor: float
    text: str


@dataclass(frozen=True)
class Printed(DrawnMark):
    """Words that stand where they are or not at all: each centred at a point, left out where it is wider than its room in inches.

    `instead` is the label that is placed where not all of the words are printed. A `plate` is the role of which discs below the words
    have the fill: they keep off what would else run through them.
    """

    words: tuple[tuple[Point, str, float], ...]
    instead: Label | None = None
    plate: str = ""

    def under(self, name: str, *, is_owner: bool = False) -> Self:
        """Return the words, and the label in their stead, with a name before their ids."""
        named = super().under(name, is_owner=is_owner)
        return replace(named, instead=self.instead and self.instead.under(name, is_owner=is_owner))


def outlines(marks: Iterable[DrawnMark], kind: str) -> Iterator[Rings]:
    """Yield what is of a kind, that before the point of its role, and a single ring: units, terrain, where somebody stood."""
    return (mark for mark in marks if isinstance(mark, Rings) and len(mark.rings) == 1 and mark.role.startswith(f"{kind}."))


def part_of(thing: str, marks: Iterable[DrawnMark]) -> tuple[DrawnMark, ...]:
    """Return marks as parts of a thing, which is their owner: what has no id is the thing itself."""
    return tuple(mark.under(thing, is_owner=True) for mark in marks)


def under(name: str, marks: Iterable[DrawnMark]) -> tuple[DrawnMark, ...]:
    """Return marks with a name before their ids and their owners'; as they are if there is none."""
    return tuple(mark.under(name) for mark in marks) if name else tuple(marks)


def with_distinct_ids(marks: Iterable[DrawnMark], panel: str = "") -> tuple[DrawnMark, ...]:
    """Return the marks of a panel, whose name begins their ids, numbered where two have one id; the order stays.

    Raises
    ------
    TypeError
        If something that is no mark is among them.
    """
    seen: dict[str, int] = {}
    distinct = []
    for mark in under(panel, marks):
        count = seen[mark.id] = seen.get(mark.id, 0) + 1
        distinct.append(mark if count == 1 else replace(mark, id=f"{mark.id}-{count}"))
    return tuple(distinct)


def identifier(*words: str) -> str:
    """Join words into an id fit for SVG: letters, digits, dots, hyphens and underscores of any script.

    Examples
    --------
    >>> identifier("before", "unit", "Spear Men")
    'before.unit.Spear_Men'
    """
    return ".".join(re.sub(r"[^\w.-]", "_", word) for word in words)


def filled(name: str, role: str, region: shapely.Geometry) -> tuple[Rings, ...]:
    """Return a region, of however many parts with however many holes, as one mark; none if it has no area."""
    parts = polygons(region)
    rings = tuple(points(shapely.get_coordinates(part.exterior)[:-1]) for part in parts)
    holes = tuple(points(shapely.get_coordinates(hole)[:-1]) for part in parts for hole in part.interiors)
    return (Rings(name, role, rings, holes=holes),) if parts else ()


def polygons(region: shapely.Geometry) -> list[shapely.Polygon]:
    """Return the parts of a region that have an area."""
    return [part for part in shapely.get_parts(region).tolist() if isinstance(part, shapely.Polygon) and part.area > 0.0]


def closed(ring: Points) -> Points:
    """Repeat the first corner of a ring at its end."""
    return (*ring, ring[0])


def arc_points(pivot: Point, start: Point, sweep: float) -> Points:
    """Return points along the arc that a point runs about a pivot from `start` by the signed angle `sweep`, both ends included."""
    radius = math.dist(pivot, start)
    bearings = math.atan2(start[1] - pivot[1], start[0] - pivot[0]) + sweep * np.linspace(0.0, 1.0, ARC_PARTS + 1)
    return points(np.array(pivot) + radius * np.column_stack([np.cos(bearings), np.sin(bearings)]))


def cross(at: Point, half: float = 0.3) -> tuple[Points, Points]:
    """Return the two lines of a cross at a point, `half` of its side long to each side."""
    x, y = at
    return (((x - half, y - half), (x + half, y + half)), ((x - half, y + half), (x + half, y - half)))


def shifted(ring: Points, length: float) -> Points:
    """Return a ring moved as shadows fall: to the lower right."""
    return tuple((x + length, y - length) for x, y in ring)


def points_along(start: Point, end: Point) -> Points:
    """Return places along a line, the middle first."""
    return tuple((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in (0.5, 0.4, 0.6, 0.3, 0.7))


def _moved(lines: tuple[Points, ...], move: PointMap) -> tuple[Points, ...]:
    return tuple(tuple(map(move, line)) for line in lines)


def points(array: FloatArray) -> Points:
    """Return an array (n, 2) as plain pairs."""
    return tuple((x, y) for x, y in array.tolist())

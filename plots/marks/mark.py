"""Marks: what a figure shows, as frozen data, and the open lines that marks draw.

Points are in table inches, angles in radians. Every mark has a `role`, under which the theme keeps its style, and an `id`,
which becomes the id of its group in an SVG. Marks know neither Matplotlib nor the size of the page.
"""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import singledispatch

import numpy as np

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point

Points = tuple[Point, ...]

Strokes = tuple[Points, ...]

UNBREAKING = "\N{NO-BREAK SPACE}"

HEIGHT_SIGN = "\N{UPWARDS ARROW}"

SHORTEST = 1e-6
"""Inches. A leg shorter than this leaves nothing to draw."""

GRID_CORNERS = 4
"""Corners up to which rings of a grid share their edges with their neighbours: half of the edges is enough."""


@dataclass(frozen=True)
class Mark:
    """Anything drawn on a panel; `role` is the word under which the theme keeps its look."""

    id: str
    role: str


@dataclass(frozen=True)
class Outline(Mark):
    """A closed ring: a unit's boundary, a piece of terrain, the board, a ghost."""

    ring: Points


@dataclass(frozen=True)
class GridMark(Mark):
    """Closed rings of one look: the bases of a unit, with the numbers of their models."""

    rings: tuple[Points, ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Area(Mark):
    """A region of closed rings, with holes: engagement ranges."""

    rings: tuple[Points, ...]
    holes: tuple[Points, ...] = ()


@dataclass(frozen=True)
class LinesMark(Mark):
    """Open lines of one look: links, symbols of terrain, crosses."""

    lines: tuple[Points, ...]


@dataclass(frozen=True)
class WaysMark(Mark):
    """Open lines of one look with an arrow's head at the end of each: the ways of loose models, a path through hexes."""

    lines: tuple[Points, ...]


@dataclass(frozen=True)
class LineMark(Mark):
    """An open line through two points or more."""

    points: Points


@dataclass(frozen=True)
class Ray(Mark):
    """A line from `origin` along the unit vector `direction`, `reach` inches long."""

    origin: Point
    direction: Point
    reach: float

    @property
    def end(self) -> Point:
        """The far end."""
        return (self.origin[0] + self.reach * self.direction[0], self.origin[1] + self.reach * self.direction[1])


@dataclass(frozen=True)
class Arrow(Mark):
    """A straight leg of a path with its head at `end`."""

    start: Point
    end: Point


@dataclass(frozen=True)
class WheelArc(Mark):
    """The arc that a corner `radius` inches from `pivot` runs from the bearing `start` by the signed angle `sweep`."""

    pivot: Point
    radius: float
    start: float
    sweep: float


@dataclass(frozen=True)
class FacingMark(Mark):
    """A triangle whose tip is the middle of a front edge, `at`, and looks along `heading`; inside `width` and `depth`."""

    at: Point
    heading: float
    width: float
    depth: float


@dataclass(frozen=True)
class PointMark(Mark):
    """Points picked out by one symbol each: initial contact, pivot, models in contact."""

    points: Points


@dataclass(frozen=True)
class DimensionLine(Mark):
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


@dataclass(frozen=True)
class Label(Mark):
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
class Magnifier(Mark):
    """A disc of the picture, `radius` inches about `centre`, shown `factor` times larger where there is room, with a text in it."""

    centre: Point
    radius: float
    factor: float
    text: str


@dataclass(frozen=True)
class Printed(Mark):
    """Words that stand where they are or not at all: each centred at a point, left out where it is wider than its room in inches.

    `instead` is the label that is placed where not all of the words are printed. A `plate` is the role of which discs below the words
    have the fill: they keep off what would else run through them.
    """

    words: tuple[tuple[Point, str, float], ...]
    instead: Label | None = None
    plate: str = ""


def outlines(marks: Iterable[Mark], kind: str) -> Iterator[Outline]:
    """Give the outlines of a kind, that before the point of their roles: of units, of terrain, of where somebody stood."""
    return (mark for mark in marks if isinstance(mark, Outline) and mark.role.startswith(f"{kind}."))


def with_distinct_ids(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    """Give the marks, numbered where two have one id; the order stays.

    Raises
    ------
    TypeError
        If something that is no mark is among them.
    """
    seen: dict[str, int] = {}
    distinct = []
    for mark in marks:
        count = seen[mark.id] = seen.get(mark.id, 0) + 1
        distinct.append(mark if count == 1 else type(mark)(**{**vars(mark), "id": f"{mark.id}-{count}"}))
    return tuple(distinct)


def identifier(*words: str) -> str:
    """Join words into an id fit for SVG: letters, digits, dots, hyphens and underscores of any script.

    Examples
    --------
    >>> identifier("before", "unit", "Spear Men")
    'before.unit.Spear_Men'
    """
    return ".".join(re.sub(r"[^\w.-]", "_", word) for word in words)


@singledispatch
def strokes(mark: Mark) -> Strokes:
    """Give the lines that a mark draws; symbols and words draw none."""
    del mark
    return ()


@strokes.register
def _(mark: Outline) -> Strokes:
    return (closed(mark.ring),)


@strokes.register
def _(mark: GridMark) -> Strokes:
    return tuple(ring[:3] if len(ring) <= GRID_CORNERS else closed(ring) for ring in mark.rings)


@strokes.register
def _(mark: Area) -> Strokes:
    return tuple(closed(ring) for ring in (*mark.rings, *mark.holes))


@strokes.register(LinesMark)
@strokes.register(WaysMark)
def _(mark: LinesMark | WaysMark) -> Strokes:
    return mark.lines


@strokes.register
def _(mark: LineMark) -> Strokes:
    return (mark.points,)


@strokes.register
def _(mark: Arrow) -> Strokes:
    return ((mark.start, mark.end),)


@strokes.register
def _(mark: Ray) -> Strokes:
    return ((mark.origin, mark.end),)


@strokes.register
def _(mark: DimensionLine) -> Strokes:
    return (mark.drawn,)


@strokes.register
def _(mark: WheelArc) -> Strokes:
    return (arc_points(mark, 24),)


def closed(ring: Points) -> Points:
    """Repeat the first corner of a ring at its end."""
    return (*ring, ring[0])


def arc_points(arc: WheelArc, count: int) -> Points:
    """Give `count` + 1 points along an arc, both ends included."""
    bearings = arc.start + arc.sweep * np.linspace(0.0, 1.0, count + 1)
    xs, ys = arc.pivot[0] + arc.radius * np.cos(bearings), arc.pivot[1] + arc.radius * np.sin(bearings)
    return tuple(zip(xs.tolist(), ys.tolist(), strict=True))


def cross(at: Point, half: float = 0.3) -> tuple[Points, Points]:
    """Give the two lines of a cross at a point, `half` of its side long to each side."""
    x, y = at
    return (((x - half, y - half), (x + half, y + half)), ((x - half, y + half), (x + half, y - half)))


def shifted(ring: Points, length: float) -> Points:
    """Give a ring moved as shadows fall: to the lower right."""
    return tuple((x + length, y - length) for x, y in ring)


def along(start: Point, end: Point) -> Points:
    """Give places along a line, the middle first."""
    return tuple((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])) for share in (0.5, 0.4, 0.6, 0.3, 0.7))


def points(array: FloatArray) -> Points:
    """Give an array (n, 2) as plain pairs."""
    return tuple((x, y) for x, y in array.tolist())

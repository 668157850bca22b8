"""What a figure can show of a ruling beside the units, in table coordinates."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tabletop.geometry.distance import Closest, gap, shortest_segment
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.messages import say
from tabletop.table.dice import SIDES

Stage = Literal["before", "after"]
"""The picture on which something is shown."""

Segment = tuple[Point, Point]

TWO_DECIMALS_FROM = 0.01
"""Lengths from this on, in inches, are written with two decimals."""


@dataclass(frozen=True)
class Dimension:
    """A dimension line between two table points, with a label; `stage` is the picture, before or after the charges,
    that shows it.

    `rise` is by how many inches one end lies above the other: the length in the label then exceeds the length of the
    line.
    """

    start: Point
    end: Point
    label: str
    stage: Stage = "before"
    rise: float = 0.0


@dataclass(frozen=True)
class Zone:
    """A region of the table that a ruling names, with its picture; `role` decides how it is drawn."""

    shape: Shape
    role: Literal["target", "forbidden"]
    stage: Stage = "before"


@dataclass(frozen=True)
class Note:
    """A few words at a table point, with the picture, before or after the charges, that shows them."""

    at: Point
    text: str
    stage: Stage = "before"


@dataclass(frozen=True)
class Dice:
    """The faces rolled for a charge: those that count, with their sum in words, and those that are ignored.

    `sides` is the number of sides of each die, `told` the whole roll as a sentence.
    """

    faces: tuple[int, ...]
    words: str
    ignored: tuple[int, ...] = ()
    sides: int = SIDES
    told: str = ""


@dataclass(frozen=True)
class Angle:
    """An angle at a table point, with a label: from the direction `start` by the signed `sweep`, both in radians."""

    at: Point
    start: float
    sweep: float
    label: str


@dataclass(frozen=True)
class Mark:
    """What figures show of a finding on the table: all in table coordinates, in inches.

    On the figure of a ruling only marks with words are shown, those of the findings that decided: a broken rule, or a
    goal of a success. On the figure of a claim the mark of the deciding rule is drawn with all its parts.

    Attributes
    ----------
    words, at
        A few words with the number, and the point at which they are written; without `at` only the figure of a claim
        shows them.
    lines
        Segments that are missing, in the way or too wide.
    limits
        Segments that show how far something may go.
    fronts
        Segments where a front would be placed.
    areas
        Shapes that had to stay empty, or lie where they must not.
    stage
        On which picture words, lines, limits, fronts and areas are shown.
    is_for_point
        Whether it is shown only where the figure is about its rule.
    is_sure
        Whether it is so on every table that a measured one may be.
    is_met
        Whether a finding that holds shows by it a demand that is met, or what was reached; if not, a limit, an obstacle
        or a waste.
    models
        Numbers of the models that lack what the rule demands, or that serve a goal, by unit, as in
        `Evidence.models_in_contact`; none: the unit as a whole.
    dimensions
        Lengths that are too short or too long.
    angles
        Angles that are too wide, or should not be there.
    overlaps
        Pairs of bodies that overlap.
    beyond
        Bodies that reach beyond the board's edge.
    places
        Footprints of places where a model could be and is not.
    """

    words: str = ""
    at: Point | None = None
    lines: tuple[Segment, ...] = ()
    limits: tuple[Segment, ...] = ()
    fronts: tuple[Segment, ...] = ()
    areas: tuple[Shape, ...] = ()
    stage: Stage = "before"
    is_for_point: bool = False
    is_sure: bool = True
    is_met: bool = True
    models: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    dimensions: tuple[Dimension, ...] = ()
    angles: tuple[Angle, ...] = ()
    overlaps: tuple[tuple[Shape, Shape], ...] = ()
    beyond: tuple[Shape, ...] = ()
    places: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What figures show of a ruling beside the units: all in table coordinates, in inches.

    Attributes
    ----------
    facing, facing_after
        End points of the target's facing that is charged, before and after the charge.
    arc_rays
        Rays (origin, unit direction) that divide the target's arcs before the charge.
    arc_centre, arc_names
        The target's centre, and the arcs' names with the direction (radians) in which each lies from it.
    contacts
        Points of initial contact, where the target is before the charge.
    models_in_contact
        Numbers of the models in contact after the charge, by unit: indices into `Regiment.places`, or the numbers of
        loose models.
    sight, sight_stop
        A clear line of sight, if one was asked for and found; if sight is blocked, the shortest line and the point
        where it first meets what blocks it.
    dimensions
        Lengths that the findings name.
    zones
        Regions that decide something, such as engagement ranges.
    links
        Pairs of points of models that hold a unit together after the charge.
    notes
        Words at points, such as the cost of a step.
    dice
        The faces rolled for the charge itself.
    """

    facing: tuple[Point, Point] | None = None
    facing_after: tuple[Point, Point] | None = None
    arc_rays: tuple[tuple[Point, Point], ...] = ()
    arc_centre: Point | None = None
    arc_names: tuple[tuple[str, float], ...] = ()
    contacts: tuple[Point, ...] = ()
    models_in_contact: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    sight: tuple[Point, Point] | None = None
    sight_stop: Point | None = None
    dimensions: tuple[Dimension, ...] = ()
    zones: tuple[Zone, ...] = ()
    links: tuple[tuple[Point, Point], ...] = ()
    notes: tuple[Note, ...] = ()
    dice: Dice | None = None


def closest_line(way: Closest, stage: Stage = "before") -> Dimension:
    """Return the dimension line between the closest points of two bodies, labelled with its length in inches."""
    return Dimension(way.near, way.far, say("{length:.2f} in", length=way.distance), stage)


def length_between(start: Point, end: Point) -> Dimension:
    """Return a dimension line between two table points, labelled with its length in inches, for the picture after the
    charges.
    """
    length = math.dist(start, end)
    label = (
        say("{length:.2f} in", length=length)
        if length >= TWO_DECIMALS_FROM
        else say("{length:.4f} in", length=length)
    )
    return Dimension(start, end, label, "after")


def too_near(first: Shape, second: Shape) -> Mark:
    """Return what figures show of two bodies that are too near: that they overlap or touch, or else the shortest line
    between them.
    """
    ends = shortest_segment(first, second)
    if ends is None or gap(first, second) < 0.0:
        return Mark(overlaps=((first, second),))
    return Mark(dimensions=(length_between(*ends),))

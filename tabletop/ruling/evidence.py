"""What a figure can show of a ruling beside the units, in table coordinates."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tabletop.geometry.distance import gap, shortest_segment
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
    """A dimension line between two table points; `stage` is the picture that shows it.

    `rise` is by how many inches one end lies above the other: the label's length is then longer than the plan shows it.
    """

    start: Point
    end: Point
    label: str
    stage: Stage = "before"
    rise: float = 0.0


@dataclass(frozen=True)
class Zone:
    """A region named by the ruling: all points within the shape's radius of its core; `role` determines its style."""

    shape: Shape
    role: Literal["target", "forbidden"]
    stage: Stage = "before"


@dataclass(frozen=True)
class Note:
    """A few words at a table point."""

    at: Point
    text: str
    stage: Stage = "before"


@dataclass(frozen=True)
class Dice:
    """The faces rolled for a charge: those that count, with their sum in words, and those that do not.

    The dice have so many `sides`.
    """

    faces: tuple[int, ...]
    words: str
    ignored: tuple[int, ...] = ()
    sides: int = SIDES


@dataclass(frozen=True)
class Angle:
    """An angle at a table point: from the direction `start` by the signed `sweep`, both in radians."""

    at: Point
    start: float
    sweep: float
    label: str


@dataclass(frozen=True)
class Mark:
    """Where on the table a finding is visible: all in table coordinates, inches.

    A mark with words shows on the figure of a ruling what decided: a rule that is broken, or a goal that was served. A measured length
    that falls short needs none; its dimension line shows it. On the figure of a claim the mark of the rule that decides is drawn whole.

    Attributes
    ----------
    words, at
        A few words with the number, and where they stand; a mark without `at` says nothing.
    lines
        What is missing, in the way or too wide.
    limits
        How far it may go.
    fronts
        Where a front would stand.
    areas
        What had to stay empty, or lies where it must not.
    stage
        On which picture words, lines, limits, fronts and areas are shown.
    is_sure
        Whether it is so on every table that a measured one may be.
    models
        Numbers of the models that lack what the rule demands, by unit, as in `Evidence.models_in_contact`; none: the unit as a whole.
    dimensions
        Lengths that are too short or too long.
    angles
        Angles that are too wide, or should not be there.
    overlaps
        Pairs of bodies that lie over each other.
    beyond
        Bodies that reach beyond the board's edge.
    places
        Where a model could be that is not there.
    """

    words: str = ""
    at: Point | None = None
    lines: tuple[Segment, ...] = ()
    limits: tuple[Segment, ...] = ()
    fronts: tuple[Segment, ...] = ()
    areas: tuple[Shape, ...] = ()
    stage: Stage = "before"
    is_sure: bool = True
    models: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    dimensions: tuple[Dimension, ...] = ()
    angles: tuple[Angle, ...] = ()
    overlaps: tuple[tuple[Shape, Shape], ...] = ()
    beyond: tuple[Shape, ...] = ()
    places: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What a figure can show of a ruling beside the units: all in table coordinates, inches.

    Attributes
    ----------
    facing
        End points of the target's facing that is charged, before and after the charge.
    arc_rays
        Rays (origin, unit direction) that divide the target's arcs at the start.
    arc_names
        The arcs' names with the direction (radians) in which each lies from `arc_centre`.
    contacts
        Points of initial contact, where the target stands before the charge.
    models_in_contact
        Numbers of the models in contact at the end, by unit: those of `Regiment.places`, or of loose models their own.
    sight
        A clear line of sight, if one was asked for and found; with `sight_stop` the shortest there would be.
    sight_stop
        Where the line of sight first meets what stops it.
    dimensions
        Lengths that the findings name.
    zones
        Regions that decide something, such as engagement ranges.
    links
        Pairs of points of models at the end that hold a unit together.
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


def length_between(start: Point, end: Point) -> Dimension:
    """Return a dimension line at the end of the charges."""
    length = math.dist(start, end)
    label = say("{length:.2f} in", length=length) if length >= TWO_DECIMALS_FROM else say("{length:.4f} in", length=length)
    return Dimension(start, end, label, "after")


def too_near(first: Shape, second: Shape) -> Mark:
    """Return a mark of two bodies that overlap, or of the gap between them."""
    if gap(first, second) < 0.0:
        return Mark(overlaps=((first, second),))
    ends = shortest_segment(first, second)
    return Mark(dimensions=() if ends is None else (length_between(*ends),))

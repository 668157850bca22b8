"""Frames and boxes: a window on the table, which is a section of it at a scale and at a place of the page, and rectangles in it.

Frames turn table inches into page inches from the lower-left corner of the panel, and back.
"""

from dataclasses import dataclass

import numpy as np

from plots.marks.mark import Points
from plots.marks.section import Section
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point


@dataclass(frozen=True)
class Frame:
    """A section of the table drawn at `scale` page inches per table inch, its lower-left corner at (`x`, `y`) on the page."""

    section: Section
    scale: float
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """Width on the page, in inches."""
        return self.section.width * self.scale

    @property
    def height(self) -> float:
        """Height on the page, in inches."""
        return self.section.height * self.scale

    def to_panel(self, point: Point) -> Point:
        """Turn a table point into page inches from the panel's lower-left corner."""
        return ((point[0] - self.section.west) * self.scale, (point[1] - self.section.south) * self.scale)

    def to_table(self, point: Point) -> Point:
        """Turn page inches from the panel's lower-left corner into a table point."""
        return (self.section.west + point[0] / self.scale, self.section.south + point[1] / self.scale)

    def all_to_panel(self, points: FloatArray) -> FloatArray:
        """Turn table points, shape (n, 2), into page inches from the panel's lower-left corner."""
        shifted: FloatArray = (points - np.array([self.section.west, self.section.south])) * self.scale
        return shifted


@dataclass(frozen=True)
class Box:
    """A rectangle on the panel, in page inches."""

    west: float
    south: float
    east: float
    north: float

    @property
    def middle(self) -> Point:
        """The centre."""
        return ((self.west + self.east) / 2, (self.south + self.north) / 2)

    @property
    def corners(self) -> Points:
        """The corners, from the lower left, counter-clockwise."""
        return ((self.west, self.south), (self.east, self.south), (self.east, self.north), (self.west, self.north))

    def shifted(self, right: float, up: float) -> "Box":
        """Give the box so far to the right and up."""
        return Box(self.west + right, self.south + up, self.east + right, self.north + up)

    def nearest(self, point: Point) -> Point:
        """Give the point of the box nearest to a point."""
        return (min(max(point[0], self.west), self.east), min(max(point[1], self.south), self.north))

    def overlaps(self, other: "Box") -> bool:
        """Tell whether the two share an area."""
        return self.west < other.east and other.west < self.east and self.south < other.north and other.south < self.north

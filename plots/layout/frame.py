"""Frames: sections of the table at a scale and position on the page.

Frames convert between inches on the table and inches on the page, measured from the panel's lower-left corner.
"""

from dataclasses import dataclass

import numpy as np

from plots.marks.section import Rect
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point


@dataclass(frozen=True)
class Frame:
    """Section of the table at `scale` inches on the page per inch on the table; (`x`, `y`) is its upper-left corner on
    the page, y down.
    """

    section: Rect
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

    @property
    def right(self) -> float:
        """Right edge on the page, in inches."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """Lower edge on the page, in inches."""
        return self.y + self.height

    def to_panel(self, point: Point) -> Point:
        """Return a point of the table in inches on the page, from the panel's lower-left corner."""
        return (
            (point[0] - self.section.west) * self.scale,
            (point[1] - self.section.south) * self.scale,
        )

    def to_table(self, point: Point) -> Point:
        """Return the point of the table at inches on the page from the panel's lower-left corner."""
        return (
            self.section.west + point[0] / self.scale,
            self.section.south + point[1] / self.scale,
        )

    def all_to_panel(self, points: FloatArray) -> FloatArray:
        """Return points of the table, shape (n, 2), in inches on the page from the panel's lower-left corner, shape (n,
        2).
        """
        shifted: FloatArray = (
            points - np.array([self.section.west, self.section.south])
        ) * self.scale
        return shifted

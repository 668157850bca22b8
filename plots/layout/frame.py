"""Frames: sections of the table at a scale and position on the page.

Frames convert between table inches and page inches from the panel's lower-left corner.
"""

from dataclasses import dataclass

import numpy as np

from plots.marks.section import Rect
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point


@dataclass(frozen=True)
class Frame:
    """Section of the table at `scale` page inches per table inch, with its lower-left corner at (`x`, `y`) on the page."""

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

    def to_panel(self, point: Point) -> Point:
        """Return a table point in page inches from the panel's lower-left corner."""
        return ((point[0] - self.section.west) * self.scale, (point[1] - self.section.south) * self.scale)

    def to_table(self, point: Point) -> Point:
        """Return the table point for page inches from the panel's lower-left corner."""
        return (self.section.west + point[0] / self.scale, self.section.south + point[1] / self.scale)

    def all_to_panel(self, points: FloatArray) -> FloatArray:
        """Return table points, shape (n, 2), in page inches from the panel's lower-left corner."""
        shifted: FloatArray = (points - np.array([self.section.west, self.section.south])) * self.scale
        return shifted

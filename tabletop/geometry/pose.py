"""Where a body stands and looks, and the three ways in which a block moves: forward, wheel, turn.

The body frame has its origin at the pose, x to the body's right and y ahead of it.
"""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tabletop.geometry.arrays import FloatArray
from tabletop.units import FLUSH, wrapped

Point = tuple[float, float]

Side = Literal["left", "right"]


@dataclass(frozen=True)
class Pose:
    """A position on the table in inches, and a heading in radians, counter-clockwise from +x."""

    x: float
    y: float
    heading: float

    @property
    def at(self) -> Point:
        """Position (x, y) on the table, in inches."""
        return (self.x, self.y)

    @property
    def forward(self) -> Point:
        """Unit vector along the heading, in table coordinates."""
        return (math.cos(self.heading), math.sin(self.heading))

    @property
    def right(self) -> Point:
        """Unit vector to the right of the heading, in table coordinates."""
        ahead_x, ahead_y = self.forward
        return (ahead_y, -ahead_x)

    def faces_like(self, other: "Pose") -> bool:
        """Return whether two poses have the same heading up to whole turns, within `FLUSH` radians.

        Examples
        --------
        >>> Pose(0, 0, math.radians(-90)).faces_like(Pose(5, 5, math.radians(270)))
        True
        """
        return abs(wrapped(self.heading - other.heading)) <= FLUSH

    def point(self, right: float, ahead: float) -> Point:
        """Return the table point that lies `right` inches to the right of this pose and `ahead` inches ahead of it."""
        fx, fy = self.forward
        rx, ry = self.right
        return (self.x + right * rx + ahead * fx, self.y + right * ry + ahead * fy)

    def local(self, point: Point) -> Point:
        """Return a table point in the body frame of this pose, as inches to the right and inches ahead."""
        fx, fy = self.forward
        rx, ry = self.right
        dx = point[0] - self.x
        dy = point[1] - self.y
        return (dx * rx + dy * ry, dx * fx + dy * fy)

    def to_table(self, points: FloatArray) -> FloatArray:
        """Turn body-frame points, shape (..., 2), into table points of the same shape."""
        result: FloatArray = points @ np.array([self.right, self.forward]) + self.at
        return result

    def to_body(self, points: FloatArray) -> FloatArray:
        """Turn table points, shape (..., 2), into body-frame points of the same shape."""
        result: FloatArray = (points - self.at) @ np.array([self.right, self.forward]).T
        return result

    def advanced(self, distance: float) -> "Pose":
        """Return the pose `distance` inches straight ahead, with the same heading; a negative distance leads back."""
        x, y = self.point(0.0, distance)
        return Pose(x, y, self.heading)

    def turned_about(self, pivot: Point, angle: float) -> "Pose":
        """Return the pose turned about the table point `pivot` by `angle` radians, counter-clockwise when positive."""
        cos = math.cos(angle)
        sin = math.sin(angle)
        dx = self.x - pivot[0]
        dy = self.y - pivot[1]
        return Pose(
            pivot[0] + dx * cos - dy * sin, pivot[1] + dx * sin + dy * cos, self.heading + angle
        )

    def front_corner(self, side: Side, *, width: float) -> Point:
        """Return a front corner of a body of a width whose front edge has its middle here."""
        return self.point(width / 2 if side == "right" else -width / 2, 0.0)

    def wheeled(self, side: Side, angle: float, *, width: float) -> "Pose":
        """Return the pose after a wheel by `angle` radians forward about the `side` corner of a front.

        The front is `width` inches wide and has its middle at this pose.
        """
        corner = self.front_corner(side, width=width)
        return self.turned_about(corner, -angle if side == "right" else angle)

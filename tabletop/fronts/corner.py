"""The table as it is seen from a front corner about which a unit wheels: one picture for both corners, mirrored for the left.

Frame: the corner is the origin, the rest of the front lies on x from -width to 0, y is ahead. The wheel turns it clockwise.
"""

from dataclasses import dataclass

import numpy as np

from tabletop.geometry.pose import FloatArray, Pose, Side


@dataclass(frozen=True, eq=False)
class CornerView:
    """Coordinates of one corner: rows of `axes` are x (away from the rest of the front) and y (ahead)."""

    origin: FloatArray
    axes: FloatArray
    is_mirrored: bool

    @classmethod
    def of(cls, pose: Pose, side: Side, *, width: float) -> "CornerView":
        """See the table from one corner of a front of `width` inches whose middle is at `pose`."""
        right = np.array(pose.right)
        outward = right if side == "right" else -right
        corner = pose.point(width / 2 if side == "right" else -width / 2, 0.0)
        return cls(np.array(corner), np.array([outward, pose.forward]), side == "left")

    @property
    def sense(self) -> int:
        """+1 if a turn counter-clockwise here is one on the table too, -1 if it is clockwise there."""
        return -1 if self.is_mirrored else 1

    def points(self, points: FloatArray) -> FloatArray:
        """See table points (..., 2)."""
        result: FloatArray = (points - self.origin) @ self.axes.T
        return result

    def ring(self, ring: FloatArray) -> FloatArray:
        """See a ring; it stays counter-clockwise also where the picture is mirrored."""
        seen = self.points(ring)
        return seen[::-1] if self.is_mirrored else seen

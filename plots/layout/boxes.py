"""Rectangles on a panel, in page inches."""

from dataclasses import dataclass

from plots.marks.mark import Points
from tabletop.geometry.pose import Point


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

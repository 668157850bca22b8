"""Numbers that are as good as equal."""

from tabletop.geometry.pose import Point

NEAR = 1e-9
"""Inches and radians."""


def near(one: float, other: float, *, by: float = NEAR) -> bool:
    """Tell whether two numbers differ by no more than `by`."""
    return one == other or abs(one - other) <= by


def near_points(one: Point, other: Point) -> bool:
    """Tell whether two points are the same to a billionth of an inch in x and in y."""
    return near(one[0], other[0]) and near(one[1], other[1])

"""Axes of a map of the table: ticks along its left and lower edges with the inches at which they stand."""

from collections.abc import Iterator

from plots.marks.mark import LinesMark, Mark, Printed
from plots.marks.section import Section
from tabletop.geometry.pose import Point

MOST_TICKS = 8
STEPS = (1, 2, 3, 6, 12, 24, 48, 96)
"""Inches between ticks."""
TICK, AWAY = 0.012, 0.034
"""How long a tick is, and how far its number stands from the edge, as shares of the shorter side."""


def axis_marks(prefix: str, section: Section) -> tuple[Mark, ...]:
    """Draw the ticks of both axes with their numbers, inches of the table, inside the edges of a section."""
    side, longer = min(section.width, section.height), max(section.width, section.height)
    step = next((step for step in STEPS if longer / step <= MOST_TICKS), STEPS[-1])
    across = [(value, (value, section.south), (0.0, side)) for value in _between(section.west, section.east, step)]
    up = [(value, (section.west, value), (side, 0.0)) for value in _between(section.south, section.north, step)]
    ticks = tuple((at, _moved(at, inwards, TICK)) for _, at, inwards in (*across, *up))
    numbers = tuple((_moved(at, inwards, AWAY), str(value), float(step)) for value, at, inwards in (*across, *up))
    return (LinesMark(f"{prefix}.axes", "tick", ticks), Printed(f"{prefix}.axes.numbers", "axis", numbers))


def _moved(at: Point, inwards: Point, share: float) -> Point:
    return (at[0] + share * inwards[0], at[1] + share * inwards[1])


def _between(low: float, high: float, step: int) -> Iterator[int]:
    """Give the whole multiples of a step that stand clear of both ends, where the other axis is."""
    first, last, clear = int(low // step), int(high // step) + 1, 2 * AWAY * (high - low)
    return (step * number for number in range(first, last + 1) if low + clear <= step * number <= high - clear / 2)

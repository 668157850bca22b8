"""Closed intervals of a line, as sorted tuples of (low, high); a single point is an interval of length 0."""

from collections.abc import Iterable, Sequence

from tabletop.units import CONTACT

Interval = tuple[float, float]

Intervals = tuple[Interval, ...]


def union(intervals: Iterable[Interval], *, slack: float = CONTACT) -> Intervals:
    """Return the union of closed intervals as sorted, disjoint ones; those at most `slack` inches apart are joined."""
    joined: list[Interval] = []
    for low, high in sorted(intervals):
        if joined and low <= joined[-1][1] + slack:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return tuple(joined)


def intersection(first: Sequence[Interval], second: Sequence[Interval]) -> Intervals:
    """Return the intersection of two sets of closed intervals, as sorted, disjoint ones.

    Intervals that miss each other by at most CONTACT have the point midway between them in common.
    """
    common = []
    for low, high in first:
        for other_low, other_high in second:
            start = max(low, other_low)
            end = min(high, other_high)
            if start <= end + CONTACT:
                common.append(
                    (start, end) if start <= end else ((start + end) / 2, (start + end) / 2)
                )
    return union(common, slack=0.0)


def without(
    places: Sequence[Interval], blocked: Iterable[Interval], *, slack: float = CONTACT
) -> Intervals:
    """Return what closed intervals keep when open ones, `blocked`, are removed; between two of these that meet, a point
    is left.

    Blocked intervals meet within `slack` inches, and one no longer than that removes nothing. Exact fits are decided
    here: a gap just as wide as what must go through it leaves one place.

    Examples
    --------
    >>> without([(0.0, 10.0)], [(-1.0, 5.0), (5.0, 12.0)])
    ((5.0, 5.0),)
    """
    left = list(places)
    for low, high in blocked:
        left = [part for place in left for part in _split(place, low, high, slack)]
    return tuple(left)


def _split(place: Interval, low: float, high: float, slack: float) -> list[Interval]:
    start, end = place
    if high - low <= slack or end < low or start > high:
        return [place]
    parts = []
    if start <= low + slack:
        parts.append((start, max(start, min(end, low))))
    if end >= high - slack:
        parts.append((min(end, max(start, high)), end))
    return parts


def is_within(inner: Interval, outer: Sequence[Interval], *, slack: float = 0.0) -> bool:
    """Return whether the interval `inner` lies inside one of the intervals `outer`, these widened by `slack` inches at
    both ends.
    """
    return any(low - slack <= inner[0] and inner[1] <= high + slack for low, high in outer)


def length(intervals: Iterable[Interval]) -> float:
    """Return the sum of the lengths of intervals, in inches."""
    return sum(high - low for low, high in intervals)

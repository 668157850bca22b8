"""What marks draw, as open lines on the table: for the extent of the action and for the ink that texts keep off."""

from functools import singledispatch

import numpy as np

from plots.marks.mark import Area, Arrow, DimensionLine, GridMark, LineMark, LinesMark, Mark, Outline, Points, Ray, WaysMark, WheelArc

Strokes = tuple[Points, ...]
GRID_CORNERS = 4
"""Corners up to which rings of a grid share their edges with their neighbours: half of the edges is enough."""


@singledispatch
def strokes(mark: Mark) -> Strokes:
    """Give the lines that a mark draws; symbols and words draw none."""
    del mark
    return ()


@strokes.register
def _(mark: Outline) -> Strokes:
    return (closed(mark.ring),)


@strokes.register
def _(mark: GridMark) -> Strokes:
    return tuple(ring[:3] if len(ring) <= GRID_CORNERS else closed(ring) for ring in mark.rings)


@strokes.register
def _(mark: Area) -> Strokes:
    return tuple(closed(ring) for ring in (*mark.rings, *mark.holes))


@strokes.register(LinesMark)
@strokes.register(WaysMark)
def _(mark: LinesMark | WaysMark) -> Strokes:
    return mark.lines


@strokes.register
def _(mark: LineMark) -> Strokes:
    return (mark.points,)


@strokes.register
def _(mark: Arrow) -> Strokes:
    return ((mark.start, mark.end),)


@strokes.register
def _(mark: Ray) -> Strokes:
    return ((mark.origin, mark.end),)


@strokes.register
def _(mark: DimensionLine) -> Strokes:
    return (mark.drawn,)


@strokes.register
def _(mark: WheelArc) -> Strokes:
    return (arc_points(mark, 24),)


def closed(ring: Points) -> Points:
    """Repeat the first corner of a ring at its end."""
    return (*ring, ring[0])


def arc_points(arc: WheelArc, count: int) -> Points:
    """Give `count` + 1 points along an arc, both ends included."""
    bearings = arc.start + arc.sweep * np.linspace(0.0, 1.0, count + 1)
    xs, ys = arc.pivot[0] + arc.radius * np.cos(bearings), arc.pivot[1] + arc.radius * np.sin(bearings)
    return tuple(zip(xs.tolist(), ys.tolist(), strict=True))

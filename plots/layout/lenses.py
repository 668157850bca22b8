"""Where magnified pieces of a panel stand: where they cover least, near what they magnify."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plots.layout.boxes import Box
from plots.layout.frame import Frame
from plots.layout.ink import Ink
from plots.marks.mark import Magnifier, Mark
from tabletop.geometry.pose import Point

STEP, LEAST_RADIUS, MOST_SHARE, AWAY, APART = 0.08, 0.42, 0.22, 1.0, 0.06
"""Inches between the places tried; the least radius on the page, the most of a panel's shorter side, the cost of an inch away from what
is magnified, and inches that a lens keeps from it and from the edge."""


@dataclass(frozen=True)
class Lens:
    """A magnified piece on a panel: its middle and radius in page inches."""

    mark: Magnifier
    at: Point
    radius: float

    @property
    def box(self) -> Box:
        """The square about it."""
        (x, y), radius = self.at, self.radius
        return Box(x - radius, y - radius, x + radius, y + radius)


def lenses(marks: Sequence[Mark], frame: Frame, ink: Ink) -> tuple[Lens, ...]:
    """Place the magnifiers of a panel; one for which there is no room beside what it magnifies is left out."""
    made: list[Lens] = []
    for mark in marks:
        if isinstance(mark, Magnifier):
            lens = _placed(mark, frame, ink, made)
            made += [lens] if lens is not None else []
    return tuple(made)


def _placed(mark: Magnifier, frame: Frame, ink: Ink, others: Sequence[Lens]) -> Lens | None:
    radius = min(max(mark.radius * mark.factor * frame.scale, LEAST_RADIUS), MOST_SHARE * min(frame.width, frame.height))
    edge, spot = radius + APART, frame.to_panel(mark.centre)
    xs, ys = np.arange(edge, frame.width - edge, STEP), np.arange(edge, frame.height - edge, STEP)
    centres = np.array(np.meshgrid(xs, ys)).reshape(2, -1).T
    far = np.hypot(*(centres - np.array(spot)).T)
    free = far >= radius + 2 * APART
    for other in others:
        free &= np.hypot(*(centres - np.array(other.at)).T) >= radius + other.radius + APART
    if not free.any():
        return None
    centres, far = centres[free], far[free]
    costs = ink.under(centres, np.array([radius, radius])) + AWAY * far
    x, y = centres[int(np.argmin(costs))].tolist()
    return Lens(mark, (x, y), radius)


def rim(centre: Point, towards: Point, radius: float) -> Point:
    """Give the point of a circle that is nearest to a place outside of it."""
    far = math.dist(centre, towards) or 1.0
    return (centre[0] + radius * (towards[0] - centre[0]) / far, centre[1] + radius * (towards[1] - centre[1]) / far)

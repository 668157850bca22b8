"""Places at which a loose model touches others, or stands at a given gap from one: exact where no oval takes part, else
found as roots.

The boundaries of configuration obstacles are the places at which a base that keeps its facing touches another. Those of
ovals are close enough to begin from, and the root of the exact gap gives the place.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.optimize import brentq, root

from tabletop.geometry.arrangement import crossings, segments, tracks
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.curve import ArcCurve, configuration_obstacle
from tabletop.geometry.distance import gaps_at_shifts
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape
from tabletop.table.models import BaseShape, Model, footprint
from tabletop.units import CONTACT

ROOT_TOLERANCE = 1e-9
"""Inches by which a place may miss the gap that is asked for: what rounding leaves of coordinates of hundreds of
inches."""

LAST_STEP = 0.1
BRACKETS = tuple(1e-6 * 4.0**number for number in range(9))
"""Inches to either side of a place on the curve of an oval at which its exact place is looked for: from what the curve
may be off, up to where the ray passes so aslant that it rather misses."""

ROUGH = 1e-3
"""Inches by which a place on the curves of ovals may miss contact: more than they are off, for then it lies inside
another part."""

SETTLED = 1e-14
"""Inches, or share of them, at which a search for a root ends."""

MAX_PART_PAIRS = 400
"""Pairs of convex parts of two hulls whose curves are added; more take seconds, and no vehicle has them."""

MAX_CACHED_PAIRS = 512
"""Pairs of bases whose curves are kept."""


def are_simple(model: Model, other: Model) -> bool:
    """Return whether the outlines of two models have few enough convex parts for a place in contact to be computed."""
    return len(model.footprint.pieces) * len(other.footprint.pieces) <= MAX_PART_PAIRS


def place_on_ray(
    model: Model, other: Model, bearing: float, *, needed: float = 0.0
) -> Point | None:
    """Return the place (x, y) in inches of a model whose base is `needed` inches from another's, on a ray from the
    other's position.

    `bearing` is the direction of the ray in radians, counter-clockwise from +x. Of several such places it is the
    outermost: the one at which the model stops that comes along the ray from afar. None if the ray passes by.
    """
    ahead = np.array([math.cos(bearing), math.sin(bearing)])
    curves = _curves(model.base, model.pose.heading, other.base, other.pose.heading, needed)
    far = max(float((np.hypot(*curve.centres.T) + curve.radii).max()) for curve in curves) + 1.0
    found, _, _ = crossings(tracks(curves), segments(np.zeros((1, 2)), far * ahead[None, :]))
    error = max(curve.error for curve in curves)
    shape = _at_origin(model)
    obstacle = _at_origin(other)
    for reach in sorted({max(float(point @ ahead), 0.0) for point in found}, reverse=True):
        exact = _root_on_ray(shape, obstacle, ahead, reach, needed) if error else reach
        if exact is not None and _is_at(shape, obstacle, exact * ahead, needed):
            x, y = exact * ahead
            return (other.pose.x + float(x), other.pose.y + float(y))
    return None


def place_against_both(
    model: Model, first: Model, second: Model, side: Literal["left", "right"]
) -> Point | None:
    """Return the place (x, y) in inches of a model at which it touches two others, on one side of the line from the
    first to the second.

    Of several such places it is the one farthest from the line, on which the others' positions lie. None if there is
    none.
    """
    apart = np.array([second.pose.x - first.pose.x, second.pose.y - first.pose.y])
    about_first = _curves(model.base, model.pose.heading, first.base, first.pose.heading, 0.0)
    about_second = _curves(model.base, model.pose.heading, second.base, second.pose.heading, 0.0)
    found, _, _ = crossings(
        tracks(about_first), tracks(about_second, np.tile(apart, (len(about_second), 1)))
    )
    is_rough = any(curve.error for curve in (*about_first, *about_second))
    shape = _at_origin(model)
    one = _at_origin(first)
    two = _at_origin(second)
    out = np.array([-apart[1], apart[0]]) / np.hypot(*apart) * (1.0 if side == "left" else -1.0)
    off = np.maximum(
        np.abs(gaps_at_shifts(shape, found, one)), np.abs(gaps_at_shifts(shape, found - apart, two))
    )
    beside = found[
        (found @ out >= -ROOT_TOLERANCE) & (off <= (ROUGH if is_rough else ROOT_TOLERANCE))
    ]
    for place in beside[np.argsort(-(beside @ out), kind="stable")]:
        exact = _root_of_both(shape, one, two, apart, place) if is_rough else place
        if (
            exact @ out >= -ROOT_TOLERANCE
            and _is_at(shape, one, exact, 0.0)
            and _is_at(shape, two, exact - apart, 0.0)
        ):
            x, y = exact
            return (first.pose.x + float(x), first.pose.y + float(y))
    return None


@lru_cache(maxsize=MAX_CACHED_PAIRS)
def _curves(
    base: BaseShape, heading: float, other: BaseShape, its: float, needed: float
) -> tuple[ArcCurve, ...]:
    """Return the curves about a base at the origin on which the place of another base is `needed` inches from it.

    `heading` and `its` are the headings of the moving base and of that at the origin, in radians.
    """
    return configuration_obstacle(
        footprint(other, Pose(0.0, 0.0, its)),
        footprint(base, Pose(0.0, 0.0, heading)),
        needed=needed,
    )


def _at_origin(model: Model) -> Shape:
    return footprint(model.base, Pose(0.0, 0.0, model.pose.heading))


def _is_at(shape: Shape, obstacle: Shape, shift: FloatArray, needed: float) -> bool:
    """Return whether the gap between a body, moved by `shift` (2,), and an obstacle is `needed` inches, within
    `ROOT_TOLERANCE`.
    """
    return abs(_gap(shape, obstacle, shift) - needed) <= ROOT_TOLERANCE


def _gap(shape: Shape, obstacle: Shape, shift: FloatArray) -> float:
    return float(gaps_at_shifts(shape, shift, obstacle))


def _root_on_ray(
    shape: Shape, obstacle: Shape, ahead: FloatArray, near: float, needed: float
) -> float | None:
    """Return the distance in inches along a ray from the origin at which a body is exactly `needed` inches from
    another; None for none.

    `ahead` is the direction (2,) of the ray; a root close to `near` inches is sought by bracketing.
    """

    def beyond(reach: float) -> float:
        """Return the gap at a distance along the ray, less `needed`, in inches."""
        return _gap(shape, obstacle, reach * ahead) - needed

    brackets = [(max(near - step, 0.0), near + step) for step in BRACKETS]
    # the gap is convex along the ray: from within it has one root
    if len(shape.pieces) == len(obstacle.pieces) == 1:
        brackets.insert(0, (0.0, near + LAST_STEP))
    for low, high in brackets:
        if beyond(low) <= 0.0 <= beyond(high):
            return float(brentq(beyond, low, high, xtol=SETTLED, rtol=4.0 * np.finfo(float).eps))
    return None


def _root_of_both(
    shape: Shape, one: Shape, two: Shape, apart: FloatArray, near: FloatArray
) -> FloatArray:
    """Return the place (2,) at which a body exactly touches two others, close to `near`; where there is none, a place
    at which it does not.

    The second obstacle is shifted by `apart` (2,).
    """

    def both(place: FloatArray) -> FloatArray:
        """Return the signed gaps (2,) in inches between the body at a place and both obstacles."""
        return np.array([_gap(shape, one, place), _gap(shape, two, place - apart)])

    return np.asarray(root(both, near, tol=SETTLED).x)


def root_between(value: Callable[[float], float], low: float, high: float) -> float:
    """Return where a continuous value is 0 between two arguments at which it has different signs, to a hundredth of
    `CONTACT`.
    """
    return float(brentq(value, low, high, xtol=CONTACT / 100))

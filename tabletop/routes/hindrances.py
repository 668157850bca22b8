"""Obstacles of a footprint as values: solids to be climbed, platforms, and bodies or parts of the table to be
avoided.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import shapely

from tabletop.geometry.curve import ArcCurve
from tabletop.geometry.shape import Shape
from tabletop.units import CONTACT

if TYPE_CHECKING:
    from tabletop.routes.bodies import Box


@dataclass(frozen=True)
class Solid:
    """A solid obstacle that is never entered, but may be climbed to its top at `height` inches."""

    shape: Shape
    height: float


@dataclass(frozen=True)
class Platform:
    """A surface at `height` inches, without thickness, on which a footprint may stand and which obstructs nothing."""

    shape: Shape
    height: float


@dataclass(frozen=True)
class Barrier:
    """An obstacle from which a footprint must keep `needed` inches away while its height is between `low` and `high`
    inches.
    """

    shape: Shape
    needed: float = 0.0
    low: float = -math.inf
    high: float = math.inf


@dataclass(frozen=True)
class ForbiddenRegion:
    """A part of the table that a footprint's place must not enter while its height is between `low` and `high`
    inches.
    """

    curve: ArcCurve
    low: float = -math.inf
    high: float = math.inf


def closed_gaps(
    barriers: Sequence[Barrier], radius: float, lost: float
) -> Iterator[ForbiddenRegion]:
    """Yield forbidden regions in gaps between barriers that a disc passes only because its radius was reduced by `lost`
    inches.

    `radius` is the reduced one. Where a segment from one barrier to another is shorter than the sum of the distances
    that the whole disc must keep from its two ends, the whole disc's place must stay some inches away from the segment.
    The reduced disc stands for whole ones up to `lost` inches aside, so its place must stay away by `lost` inches less.
    """
    for one, other in combinations(barriers, 2):
        low = max(one.low, other.low)
        high = min(one.high, other.high)
        if low > high or one.shape.ellipse or other.shape.ellipse:
            continue
        near, far = (radius + lost + wall.needed + wall.shape.radius for wall in (one, other))
        lines = [
            shapely.get_coordinates(shapely.shortest_line(corner, body))[
                :: 1 if first is one else -1
            ]
            for first, body in ((one, other.shape.core), (other, one.shape.core))
            for corner in shapely.points(shapely.get_coordinates(first.shape.core)).tolist()
        ]
        for line in np.unique(np.round(lines, 9), axis=0):
            length = math.dist(*line)
            along = (length**2 + near**2 - far**2) / (2.0 * max(length, CONTACT))
            room = math.sqrt(max(0.0, near**2 - along**2)) - lost - 2.0 * CONTACT
            if (
                near + far - 2.0 * lost < length < near + far
                and 0.0 < along < length
                and room > 0.0
            ):
                right = math.atan2(line[0, 0] - line[1, 0], line[1, 1] - line[0, 1])
                yield ForbiddenRegion(
                    ArcCurve(
                        line[::-1], np.full(2, room), np.array([right, right + math.pi])
                    ).from_least(),
                    low,
                    high,
                )


@dataclass(frozen=True, eq=False)
class Hindrances:
    """All obstacles of a footprint, given with its place at the origin, on a board from (0, 0) to (`width`, `depth`)
    inches.

    Paths longer than `reach` inches need not be found. What lies outside `region` (least x, least y, greatest x,
    greatest y) is left out, so that lengths are exact only for paths that stay inside it.
    """

    footprint: Shape
    width: float
    depth: float
    solids: Sequence[Solid] = ()
    platforms: Sequence[Platform] = ()
    barriers: Sequence[Barrier] = ()
    shut: Sequence[ForbiddenRegion] = ()
    reach: float = math.inf
    region: "Box" = (-math.inf, -math.inf, math.inf, math.inf)

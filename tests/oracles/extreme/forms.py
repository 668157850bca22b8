"""Awkward pieces of terrain: as many corners as a file allows, teeth, slits, slivers, and boxes by the dozen."""

import math
import random
from collections.abc import Iterable
from typing import Any

import shapely

Point = tuple[float, float]
Ring = list[list[float]]
Piece = dict[str, Any]
MM = 25.4
"""Millimetres of an inch."""
MOST_CORNERS = 2000
"""Corners of one polygon that a file may have."""
SEVERAL = 6
"""Polygons of so many corners in one scene: a file may not be greater than 1 MiB."""
LEAST_AREA, HAIR = 2e-9, 5e-7
"""Square inches of a polygon, and inches by which bodies may seem to overlap where they touch."""
TINY = (0.0, 1e-9, 1e-7, 1e-6, 1e-5)
"""Inches between bodies that all but touch."""


def turned(ring: Ring, angle: float, at: Point) -> Ring:
    """Turn a ring about its own origin by `angle` radians and put it on the table."""
    cos = math.cos(angle)
    sin = math.sin(angle)
    return [[at[0] + cos * x - sin * y, at[1] + sin * x + cos * y] for x, y in ring]


def rounded(corners: int, size: float) -> Ring:
    """Return a convex ring with all of its corners on an ellipse."""
    angles = [math.tau * number / corners for number in range(corners)]
    return [[size * math.cos(angle), 0.7 * size * math.sin(angle)] for angle in angles]


def gear(corners: int, size: float, depth: float) -> Ring:
    """Return a star: every other corner is `depth` of the size nearer to the middle."""
    ring = []
    for number in range(corners):
        far = size * (1.0 - depth * (number % 2))
        angle = math.tau * number / corners
        ring.append([far * math.cos(angle), far * math.sin(angle)])
    return ring


def comb(corners: int, size: float) -> Ring:
    """Return a bar with thin teeth that look down."""
    teeth = corners // 4 - 1
    step = 2.0 * size / teeth
    ring = [[size, size / 4], [-size, size / 4]]
    for number in range(teeth):
        left = -size + number * step
        ring += [
            [left, -size / 2],
            [left + step / 2, -size / 2],
            [left + step / 2, size / 8],
            [left + step, size / 8],
        ]
    return [*ring[:-1], [size, size / 8]]


def sliver(size: float, width: float) -> Ring:
    """Return a triangle that is hardly wider than a line."""
    return [[-size, 0.0], [size, 0.0], [0.3 * size, max(width, 4e-9 / size)]]


def box(width: float, depth: float) -> Ring:
    """Return a rectangle about its middle."""
    return [
        [-width / 2, -depth / 2],
        [width / 2, -depth / 2],
        [width / 2, depth / 2],
        [-width / 2, depth / 2],
    ]


def pieces(source: random.Random, theme: str, size: float) -> list[list[Ring]]:
    """Return groups of rings about the origin; rings of one group keep their places among each other."""
    if theme in ("gears", "combs", "rounds"):
        return [[_many_corners(source, theme, size)] for _ in range(source.randint(1, SEVERAL))]
    if theme == "slits":
        return [_slit(source, size) for _ in range(source.randint(1, 8))]
    if theme == "slivers":
        return [
            [sliver(size * source.uniform(0.3, 3.0), source.choice(TINY))]
            for _ in range(source.randint(1, 30))
        ]
    if theme == "dozens":
        return [
            [box(size * source.uniform(0.01, 0.5), size * source.uniform(0.01, 0.5))]
            for _ in range(source.randint(60, 180))
        ]
    return [
        [box(size * source.uniform(0.1, 1.0), size * source.uniform(0.1, 1.0))]
        for _ in range(source.randint(0, 4))
    ]


def _many_corners(source: random.Random, theme: str, size: float) -> Ring:
    corners = source.choice((60, 400, MOST_CORNERS))
    size *= source.choice((0.2, 0.5, 1.0, 1.5))
    if theme == "gears":
        return gear(corners, size, source.choice((1e-6, 1e-3, 0.1, 0.5)))
    return comb(corners, size) if theme == "combs" else rounded(corners, size)


def _slit(source: random.Random, size: float) -> list[Ring]:
    """Two boxes with hardly anything between them."""
    width = size * source.uniform(0.1, 0.6)
    depth = size * source.uniform(0.05, 0.3)
    between = source.choice((*TINY, 1e-3, 0.1))
    return [
        [[x + side * (width + between) / 2, y] for x, y in box(width, depth)] for side in (-1, 1)
    ]


def is_clear(ring: Ring, bodies: Iterable[shapely.Polygon]) -> bool:
    """Return whether a ring is a polygon as a file wants it, and overlaps none of some bodies by more than a hair."""
    piece = shapely.Polygon(ring)
    return bool(
        piece.is_valid
        and piece.area > LEAST_AREA
        and not any(body.buffer(-HAIR).intersects(piece) for body in bodies)
    )

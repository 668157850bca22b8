"""How far inside one shape another lies."""

import math

import numpy as np
import shapely

from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape, edge_normals

STICKING_OUT = 1e-9
"""Inches, and square inches, by which rounding may make a body stick out."""

ELLIPSE_POINTS = 4096
"""Points of an ellipse that are held against a disc around it."""


def depth_inside(body: Shape, around: Shape) -> float:
    """Measure how far inside `around` a body lies, in inches: its least distance from the boundary, negative where it sticks out.

    Of a body that sticks out of a concave shape, or lies across one of its recesses, the answer is minus infinity.

    Examples
    --------
    >>> from tabletop.geometry.shape import disc, polygon
    >>> square = polygon([(0, 0), (4, 0), (4, 4), (0, 4)])
    >>> depth_inside(disc((1, 2), 0.75), square), depth_inside(disc((0.5, 2), 0.75), square)
    (0.25, -0.25)
    >>> depth_inside(square, disc((2, 2), 3.0)).__round__(4)
    0.1716
    """
    if isinstance(around.core, shapely.Point):
        return around.radius - _farthest(body, np.array([around.core.x, around.core.y]))
    if len(around.pieces) == 1:
        ring = around.pieces[0]
        normals = edge_normals(ring)
        limits = (normals @ ring.T).max(axis=1)
        return float((limits - _support(body, normals)).min()) + around.radius
    if around.core.distance(body.core) > STICKING_OUT or body.core.difference(around.core).area > STICKING_OUT:
        return -math.inf
    return float(around.core.exterior.distance(body.core)) - body.radius + around.radius


def _support(body: Shape, normals: FloatArray) -> FloatArray:
    """Give how far (n,) a body reaches along unit vectors (n, 2)."""
    if body.ellipse is not None:
        reach: FloatArray = normals @ np.array(body.ellipse.centre) + body.ellipse.reach(np.arctan2(normals[:, 1], normals[:, 0]))
        return reach + body.radius
    corners = shapely.get_coordinates(body.core)
    farthest: FloatArray = (normals @ corners.T).max(axis=1)
    return farthest + body.radius


def _farthest(body: Shape, centre: FloatArray) -> float:
    """Give the greatest distance of a point of a body from a table point."""
    points = body.ellipse.outline(ELLIPSE_POINTS) if body.ellipse is not None else shapely.get_coordinates(body.core)
    return float(np.hypot(*(points - centre).T).max()) + body.radius

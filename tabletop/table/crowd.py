"""Many loose models at once: the gaps between all of some and all of others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import keep_time
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import gap
from tabletop.table.squad import Model, RoundBase

BoolArray = NDArray[np.bool_]

LEAST_SQUARE = 1e-18
"""Square inches, so that a line without length divides nothing by 0."""

TOUCHING_LINE = 1e-8
"""Inches by which rounding may bring a line into a disc that it touches."""


@dataclass(frozen=True, eq=False)
class Crowd:
    """Loose models in a fixed order, with their measures as arrays."""

    models: tuple[Model, ...]

    @cached_property
    def centres(self) -> FloatArray:
        """Their positions (n, 2), in inches."""
        return np.array([model.pose.at for model in self.models], dtype=float).reshape(-1, 2)

    @cached_property
    def heights(self) -> FloatArray:
        """How high they stand (n,), in inches."""
        return np.array([model.z for model in self.models], dtype=float)

    @cached_property
    def radii(self) -> FloatArray:
        """Radii of their discs (n,), in inches; of one that is not round a radius that holds all of it about its position."""
        return np.array([_reach(model) for model in self.models], dtype=float)

    @cached_property
    def is_round(self) -> bool:
        """Whether all their bases are discs."""
        return all(isinstance(model.base, RoundBase) for model in self.models)


def crowd(models: Sequence[Model]) -> Crowd:
    """Gather models."""
    return Crowd(tuple(models))


def gaps(first: Crowd, second: Crowd, *, beyond: float = np.inf) -> FloatArray:
    """Measure the signed gaps (n, m) in inches between the footprints of all of the `first` and all of the `second`, seen from above.

    Of models that are not discs a gap that is surely greater than `beyond` may be given as any number greater than that; that of
    a model to itself means nothing.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> pair = crowd([Model(number, Pose(3.0 * number, 0.0, 0.0), RoundBase(1.0)) for number in (0, 1)])
    >>> gaps(pair, pair).round(9).tolist()
    [[-1.0, 2.0], [2.0, -1.0]]
    """
    aside = first.centres[:, None, :] - second.centres[None, :, :]
    apart: FloatArray = np.hypot(aside[..., 0], aside[..., 1]) - first.radii[:, None] - second.radii[None, :]
    if first.is_round and second.is_round:
        return apart
    is_same = first is second
    for row, column in np.argwhere(np.triu(apart <= beyond, k=1) if is_same else apart <= beyond).tolist():
        keep_time()
        apart[row, column] = gap(first.models[row].footprint, second.models[column].footprint)
        if is_same:
            apart[column, row] = apart[row, column]
    return apart


def _reach(model: Model) -> float:
    if isinstance(model.base, RoundBase):
        return model.base.diameter / 2
    x, y = model.pose.at
    return float(np.hypot(*(model.footprint.outline() - (x, y)).T).max())


def line_gaps(starts: FloatArray, ends: FloatArray, points: FloatArray) -> FloatArray:
    """Measure the distances (n, m) in inches of `points` (m, 2) from straight lines from `starts`, (n, 2) or (2,), to `ends` (n, 2).

    Examples
    --------
    >>> line_gaps(np.zeros(2), np.array([[4.0, 0.0], [0.0, 3.0]]), np.array([[2.0, 1.0]])).tolist()
    [[1.0], [2.0]]
    """
    along = ends - starts
    to_points = points[None, :, :] - np.broadcast_to(starts, ends.shape)[:, None, :]
    lengths = np.maximum((along * along).sum(axis=1), LEAST_SQUARE)
    shares = np.clip((along[:, None, :] * to_points).sum(axis=2) / lengths[:, None], 0.0, 1.0)
    aside = shares[..., None] * along[:, None, :] - to_points
    distances: FloatArray = np.hypot(aside[..., 0], aside[..., 1])
    return distances

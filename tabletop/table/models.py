"""Loose models, each with its own base, place and perhaps height: one by one, in units, and many at once as arrays."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, disc, hull, oval, rectangle
from tabletop.table.state import Base, with_words


@dataclass(frozen=True)
class RoundBase:
    """A round base of `diameter` inches."""

    diameter: float


@dataclass(frozen=True)
class OvalBase:
    """An oval base: `length` along the facing and `width` across it, in inches."""

    length: float
    width: float


@dataclass(frozen=True)
class Hull:
    """A model without a base: its outline in its own frame, +x ahead and +y to the left, in inches."""

    points: tuple[Point, ...]


BaseShape = RoundBase | OvalBase | Base | Hull


@dataclass(frozen=True)
class Model:
    """One loose model: the middle of its base (or a hull's origin), where it looks, and how high it stands in inches.

    `number` is its number in the file, which it keeps when others are removed.
    """

    number: int
    pose: Pose
    base: BaseShape
    z: float = 0.0
    name: str = ""

    @cached_property
    def footprint(self) -> Shape:
        """What it covers of the table, seen from above."""
        return footprint(self.base, self.pose)

    def stands_like(self, other: "Model") -> bool:
        """Return whether it stands where another does, at its height, and looks the same way."""
        return self.pose.at == other.pose.at and self.z == other.z and self.pose.faces_like(other.pose)

    def at(self, pose: Pose, z: float = 0.0) -> "Model":
        """Return the same model at another place and height."""
        return replace(self, pose=pose, z=z)


def footprint(base: BaseShape, pose: Pose) -> Shape:
    """Return what a base or hull covers of the table at a pose."""
    if isinstance(base, RoundBase):
        return disc(pose.at, base.diameter / 2)
    if isinstance(base, OvalBase):
        return oval(pose, base.length, base.width)
    if isinstance(base, Hull):
        return hull(pose, base.points)
    return rectangle(pose.advanced(base.depth / 2), base.width, base.depth)


@dataclass(frozen=True)
class Formation:
    """Where the models of a unit stand: a pose and a height in inches of each; `order` is the order in which they moved, by number."""

    poses: tuple[Pose, ...]
    heights: tuple[float, ...]
    order: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Squad:
    """A unit of loose models, in the order of the file."""

    name: str
    side: str
    models: tuple[Model, ...]
    profile: Any = None
    status: tuple[str, ...] = ()

    @property
    def place(self) -> Formation:
        """Where its models stand."""
        return Formation(tuple(model.pose for model in self.models), tuple(model.z for model in self.models))

    @property
    def centres(self) -> FloatArray:
        """The models' positions (n, 2), in inches."""
        return np.array([model.pose.at for model in self.models]).reshape(-1, 2)

    def at(self, place: Formation) -> "Squad":
        """Return the same unit with its models elsewhere."""
        moved = zip(self.models, place.poses, place.heights, strict=True)
        return replace(self, models=tuple(model.at(pose, z) for model, pose, z in moved))

    def without(self, numbers: Collection[int]) -> "Squad":
        """Return the unit without some of its models."""
        return replace(self, models=tuple(model for model in self.models if model.number not in numbers))

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "Squad":
        """Return the same unit with status words added, each once, and others taken away."""
        return replace(self, status=with_words(self.status, *words, without=without))


@dataclass(frozen=True, eq=False)
class ModelArray:
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
        return np.array([outer_radius(model.base) for model in self.models], dtype=float)

    @cached_property
    def is_round(self) -> bool:
        """Whether all their bases are discs."""
        return all(isinstance(model.base, RoundBase) for model in self.models)


def crowd(models: Sequence[Model]) -> ModelArray:
    """Gather models."""
    return ModelArray(tuple(models))


def gap_matrix(first: ModelArray, second: ModelArray, *, beyond: float = np.inf) -> FloatArray:
    """Measure the signed gaps (n, m) in inches between the footprints of all of the `first` and all of the `second`, seen from above.

    Of models that are not discs a gap that is surely greater than `beyond` may be given as any number greater than that; that of
    a model to itself means nothing.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> pair = crowd([Model(number, Pose(3.0 * number, 0.0, 0.0), RoundBase(1.0)) for number in (0, 1)])
    >>> gap_matrix(pair, pair).round(9).tolist()
    [[-1.0, 2.0], [2.0, -1.0]]
    """
    aside = first.centres[:, None, :] - second.centres[None, :, :]
    apart: FloatArray = np.hypot(aside[..., 0], aside[..., 1]) - first.radii[:, None] - second.radii[None, :]
    if first.is_round and second.is_round:
        return apart
    is_same = first is second
    for row, column in np.argwhere(np.triu(apart <= beyond, k=1) if is_same else apart <= beyond).tolist():
        check_deadline()
        apart[row, column] = gap(first.models[row].footprint, second.models[column].footprint)
        if is_same:
            apart[column, row] = apart[row, column]
    return apart


@lru_cache(maxsize=256)
def outer_radius(base: BaseShape) -> float:
    """Return the radius in inches of the least disc about a base's place that holds it: an oval's outline has both its ends."""
    if isinstance(base, RoundBase):
        return base.diameter / 2
    return float(np.hypot(*footprint(base, Pose(0.0, 0.0, 0.0)).outline().T).max())

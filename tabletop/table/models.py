"""Loose models, each with its own base, place and perhaps height: one by one, in units, and many at once as arrays."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from tabletop.budget import check_deadline
from tabletop.geometry.arrays import FloatArray, lengths_of
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
    """A model without a base: the corners of its outline in its own frame, +x ahead and +y to the left, in inches."""

    points: tuple[Point, ...]


BaseShape = RoundBase | OvalBase | Base | Hull


@dataclass(frozen=True)
class Model:
    """One loose model: its number in the file, its pose, its base or hull, and its height `z` above the table in
    inches.

    The pose is that of the middle of its base, or of a hull's origin. The number stays when other models are removed;
    `name` is empty if the file gives none.
    """

    number: int
    pose: Pose
    base: BaseShape
    z: float = 0.0
    name: str = ""

    @cached_property
    def footprint(self) -> Shape:
        """Shape that the model's base or hull covers, seen from above."""
        return footprint(self.base, self.pose)

    def stands_like(self, other: "Model") -> bool:
        """Return whether the model has the position, height and heading (to `FLUSH` radians) of another."""
        return (
            self.pose.at == other.pose.at and self.z == other.z and self.pose.faces_like(other.pose)
        )

    def at(self, pose: Pose, z: float = 0.0) -> "Model":
        """Return the same model at another pose, `z` inches above the table."""
        return replace(self, pose=pose, z=z)


def from_one(number: int) -> int:
    """Return the number of a model as texts and figures tell it, counted from 1; files and results count from 0."""
    return number + 1


def footprint(base: BaseShape, pose: Pose) -> Shape:
    """Return the shape of the table that a base or hull covers at a pose: that of the middle of the base, or of the
    hull's origin.
    """
    if isinstance(base, RoundBase):
        return disc(pose.at, base.diameter / 2)
    if isinstance(base, OvalBase):
        return oval(pose, base.length, base.width)
    if isinstance(base, Hull):
        return hull(pose, base.points)
    return rectangle(pose.advanced(base.depth / 2), base.width, base.depth)


@dataclass(frozen=True)
class Formation:
    """The place of a unit of loose models: a pose for each, and its height above the table in inches, in file order.

    `order` holds the numbers of the models in the order in which they moved; None: unknown or the order of the file.
    """

    poses: tuple[Pose, ...]
    heights: tuple[float, ...]
    order: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Squad:
    """A unit of loose models, in file order."""

    name: str
    side: str
    models: tuple[Model, ...]
    profile: Any = None
    status: tuple[str, ...] = ()

    @property
    def place(self) -> Formation:
        """The poses and heights of its models."""
        return Formation(
            tuple(model.pose for model in self.models), tuple(model.z for model in self.models)
        )

    @property
    def centres(self) -> FloatArray:
        """Positions (n, 2) of its models on the table, in inches."""
        return np.array([model.pose.at for model in self.models]).reshape(-1, 2)

    def at(self, place: Formation) -> "Squad":
        """Return the same unit with its models at the poses and heights of a formation."""
        moved = zip(self.models, place.poses, place.heights, strict=True)
        return replace(self, models=tuple(model.at(pose, z) for model, pose, z in moved))

    def without(self, numbers: Collection[int]) -> "Squad":
        """Return the unit without the models with the given numbers."""
        return replace(
            self, models=tuple(model for model in self.models if model.number not in numbers)
        )

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "Squad":
        """Return the same unit with status words added, each once, and others removed."""
        return replace(self, status=with_words(self.status, *words, without=without))


@dataclass(frozen=True, eq=False)
class ModelArray:
    """Loose models in a fixed order, with their positions and sizes as arrays."""

    models: tuple[Model, ...]

    @cached_property
    def centres(self) -> FloatArray:
        """Positions (n, 2) of the models on the table, in inches."""
        return np.array([model.pose.at for model in self.models], dtype=float).reshape(-1, 2)

    @cached_property
    def heights(self) -> FloatArray:
        """Heights (n,) of the models above the table, in inches."""
        return np.array([model.z for model in self.models], dtype=float)

    @cached_property
    def radii(self) -> FloatArray:
        """Radius (n,) of the disc about each model's position that just contains its base or hull, in inches."""
        return np.array([outer_radius(model.base) for model in self.models], dtype=float)

    @cached_property
    def is_round(self) -> bool:
        """Whether the bases of all models are discs."""
        return all(isinstance(model.base, RoundBase) for model in self.models)


def crowd(models: Sequence[Model]) -> ModelArray:
    """Return some models as an array with their positions and sizes."""
    return ModelArray(tuple(models))


def gap_matrix(first: ModelArray, second: ModelArray, *, beyond: float = np.inf) -> FloatArray:
    """Return the signed gaps (n, m) in inches between the footprints of all `first` and all `second` models, seen from
    above.

    For models that are not discs, a gap surely greater than `beyond` may be replaced by any number greater than
    `beyond`. If both arguments are the same object, the diagonal is meaningless.

    Examples
    --------
    >>> from tabletop.geometry.pose import Pose
    >>> pair = crowd([Model(number, Pose(3.0 * number, 0.0, 0.0), RoundBase(1.0)) for number in (0, 1)])
    >>> gap_matrix(pair, pair).round(9).tolist()
    [[-1.0, 2.0], [2.0, -1.0]]
    """
    aside = first.centres[:, None, :] - second.centres[None, :, :]
    apart: FloatArray = lengths_of(aside) - first.radii[:, None] - second.radii[None, :]
    if first.is_round and second.is_round:
        return apart
    is_same = first is second
    for row, column in np.argwhere(
        np.triu(apart <= beyond, k=1) if is_same else apart <= beyond
    ).tolist():
        check_deadline()
        apart[row, column] = gap(first.models[row].footprint, second.models[column].footprint)
        if is_same:
            apart[column, row] = apart[row, column]
    return apart


@lru_cache(maxsize=256)
def outer_radius(base: BaseShape) -> float:
    """Return the radius in inches of the least disc about the middle of a base, or a hull's origin, that contains
    it.
    """
    if isinstance(base, RoundBase):
        return base.diameter / 2
    return float(np.hypot(*footprint(base, Pose(0.0, 0.0, 0.0)).outline().T).max())

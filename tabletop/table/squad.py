"""Units of loose models: each its own base, its own place and perhaps its own height."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tabletop.geometry.pose import FloatArray, Point, Pose
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


Footing = RoundBase | OvalBase | Base | Hull


@dataclass(frozen=True)
class Model:
    """One loose model: the middle of its base (or a hull's origin), where it looks, and how high it stands in inches.

    `number` is its number in the file, which it keeps when others are removed.
    """

    number: int
    pose: Pose
    base: Footing
    z: float = 0.0
    name: str = ""

    @cached_property
    def footprint(self) -> Shape:
        """What it covers of the table, seen from above."""
        return footprint(self.base, self.pose)

    def stands_like(self, other: "Model") -> bool:
        """Tell whether it stands where another does, at its height, and looks the same way."""
        return self.pose.at == other.pose.at and self.z == other.z and self.pose.faces_like(other.pose)

    def at(self, pose: Pose, z: float = 0.0) -> "Model":
        """Give the same model at another place and height."""
        return replace(self, pose=pose, z=z)


def footprint(base: Footing, pose: Pose) -> Shape:
    """Give what a base or hull covers of the table at a pose."""
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
        import numpy as np

        return np.array([model.pose.at for model in self.models]).reshape(-1, 2)

    def at(self, place: Formation) -> "Squad":
        """Give the same unit with its models elsewhere."""
        moved = zip(self.models, place.poses, place.heights, strict=True)
        return replace(self, models=tuple(model.at(pose, z) for model, pose, z in moved))

    def without(self, numbers: Collection[int]) -> "Squad":
        """Give the unit without some of its models."""
        return replace(self, models=tuple(model for model in self.models if model.number not in numbers))

    def with_status(self, *words: str, without: tuple[str, ...] = ()) -> "Squad":
        """Give the same unit with status words added, each once, and others taken away."""
        return replace(self, status=with_words(self.status, *words, without=without))

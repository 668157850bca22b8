"""Places at which models may end, many in arrays, and what stands there: a base with a facing, on a surface."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tabletop.geometry.pose import FloatArray, Pose
from tabletop.geometry.shape import Shape, disc, gaps
from tabletop.table.crowd import Crowd
from tabletop.table.squad import Footing, Hull, Model, OvalBase, RoundBase, footprint
from tabletop.table.state import Terrain
from tabletop.units import CONTACT

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.intp]


@dataclass(frozen=True)
class Kind:
    """A base with a facing in radians; that of a round base is always 0."""

    base: Footing
    heading: float

    @cached_property
    def shape(self) -> Shape:
        """The footprint with its place at the origin."""
        return footprint(self.base, Pose(0.0, 0.0, self.heading))

    @cached_property
    def outer(self) -> float:
        """Radius in inches of the least disc about the place that holds the footprint: an oval's outline has both its ends."""
        return self.shape.radius if self.is_round else float(np.hypot(*self.shape.outline().T).max())

    @cached_property
    def inner(self) -> float:
        """Radius in inches of a disc about the place that the footprint holds; 0 if its place is not inside."""
        if self.is_round:
            return self.shape.radius
        point = np.zeros((1, 2))
        return max(0.0, -float(gaps(disc((0.0, 0.0), 0.0), point, self.shape)[0]))

    @property
    def is_round(self) -> bool:
        """Whether the footprint is a disc."""
        return isinstance(self.base, RoundBase)


@dataclass(frozen=True, eq=False)
class Surface:
    """A height in inches at which models may stand: the table itself (no piece), a block's top or an upper floor."""

    z: float
    piece: Terrain | None = None


@dataclass(frozen=True, eq=False)
class RaisedModels:
    """Models with the height (m,) in inches that each counts for in vertical gaps."""

    models: Crowd
    tall: FloatArray


@dataclass(frozen=True, eq=False)
class Candidates:
    """Places that models may end at: centres (k, 2), heights (k,), kinds (k,); contact (k,) and engagement (k, targets)."""

    at: FloatArray
    z: FloatArray
    kind: IntArray
    touching: BoolArray
    engaged: BoolArray

    def __len__(self) -> int:
        return len(self.at)

    @property
    def is_engaged(self) -> BoolArray:
        """Tell which are engaged with some target: (k,)."""
        return np.asarray(self.engaged.any(axis=1))

    def of(self, chosen: BoolArray | IntArray) -> "Candidates":
        """Keep some of them."""
        return Candidates(self.at[chosen], self.z[chosen], self.kind[chosen], self.touching[chosen], self.engaged[chosen])

    def replaced(self, row: int, other: "Candidates", choice: int) -> "Candidates":
        """Put one of some other places into a row."""
        copy = self.of(np.arange(len(self)))
        copy.at[row], copy.z[row], copy.kind[row] = other.at[choice], other.z[choice], other.kind[choice]
        copy.touching[row], copy.engaged[row] = other.touching[choice], other.engaged[choice]
        return copy


def joined_candidates(parts: Sequence[Candidates]) -> Candidates:
    """Put several sets of places together."""
    return Candidates(
        np.concatenate([part.at for part in parts]),
        np.concatenate([part.z for part in parts]),
        np.concatenate([part.kind for part in parts]),
        np.concatenate([part.touching for part in parts]),
        np.concatenate([part.engaged for part in parts]),
    )


def kind_of(model: Model) -> Kind:
    """Give the kind in which a model stands."""
    return Kind(model.base, 0.0 if isinstance(model.base, RoundBase) else model.pose.heading)


def corner_turns(base: Footing) -> list[float]:
    """Give the angles in radians by which a base turns from where it looks to have a corner there that is farthest from its place."""
    if isinstance(base, OvalBase):
        return []
    kind = Kind(base, 0.0)
    turns = [-math.atan2(y, x) for x, y in kind.shape.outline().tolist() if math.hypot(x, y) >= kind.outer - CONTACT]
    return turns if isinstance(base, Hull) else [turn for turn in turns if abs(turn) < math.pi / 2.0]  # it looks the same turned about

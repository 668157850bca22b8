"""Places at which models may end, many in arrays: on a surface, in contact or not, engaged with whom."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.geometry.arrangement import BoolArray, IntArray
from tabletop.geometry.pose import FloatArray
from tabletop.geometry.shape import Shape
from tabletop.table.crowd import Crowd


@dataclass(frozen=True, eq=False)
class Surface:
    """A height in inches at which models may stand: the table itself (no shape), or the top of something.

    That holds a model if its base lies inside its shape, or its centre, where this is enough.
    """

    z: float
    shape: Shape | None = None
    by_centre: bool = False


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

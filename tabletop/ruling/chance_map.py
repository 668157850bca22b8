"""What a system answers that is asked for its chances at very many places at once."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tabletop.geometry.pose import FloatArray


@dataclass(frozen=True, eq=False)
class ChanceMap:
    """The first charge of a case with its target at n poses: all arrays (n,).

    Attributes
    ----------
    chance
        What `resolve` gives as the chance of the charge; nan where the set-up cannot be.
    shortest_roll
        The least roll with which it can succeed; nan where there is none.
    is_decided
        Whether the two are known; where they are not, `resolve` must be asked.
    """

    chance: FloatArray
    shortest_roll: FloatArray
    is_decided: NDArray[np.bool_]

    @classmethod
    def unknown(cls, count: int) -> "ChanceMap":
        """Give a map of so many places of which nothing is known."""
        return cls(np.full(count, np.nan), np.full(count, np.nan), np.zeros(count, dtype=bool))

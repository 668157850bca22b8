"""The accuracy of measured places, a disc and an angle around each, and the nearest table to one that was measured."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.table.state import State

MOST = 2.0
"""Largest accuracy in inches; a worse measurement is not worth ruling on."""

MOST_TURN = 45.0
"""Largest accuracy of headings in degrees; with a larger one a unit has no facing."""


@dataclass(frozen=True)
class Accuracy:
    """Inches by which a place, and radians by which a heading, may be wrong; a heading of None follows from the inches."""

    at: float = 0.0
    turn: float | None = None

    @property
    def is_exact(self) -> bool:
        """Whether there is no inaccuracy at all."""
        return self.at <= 0.0 and not self.turn

    def turning(self, longer_side: float) -> float:
        """Return the heading's accuracy in radians for a body of that longer side in inches; 0 for a disc, whose side is 0.

        Examples
        --------
        >>> round(Accuracy(0.1).turning(4.0), 6)
        0.024995
        """
        if not longer_side:
            return 0.0
        return math.atan2(self.at, longer_side) if self.turn is None else self.turn


@dataclass(frozen=True)
class Measured:
    """Accuracies of the things in a file: for all, for those with their own, by name, and for claimed places.

    `carried` names what was not measured itself, because the file says how it stands to something else, and what that is: both by the
    name of the unit, or `unit.number` for a loose model. They move together.
    """

    table: Accuracy = Accuracy()
    own: Mapping[str, Accuracy] = field(default_factory=dict)
    proposal: Accuracy = Accuracy()
    carried: Mapping[str, str] = field(default_factory=dict)

    def carrier(self, name: str) -> str:
        """Return the body relative to which something is finally placed: itself, if it was measured."""
        seen = {name}
        while (other := self.carried.get(name)) is not None and other not in seen:
            seen.add(other)
            name = other
        return name

    def of(self, name: str) -> Accuracy:
        """Return the accuracy of a unit or a piece of terrain."""
        return self.own.get(name, self.table)


@dataclass(frozen=True)
class Shift:
    """How far one body was moved off what was measured: inches, and radians."""

    name: str
    number: int | None
    x: float
    y: float
    turn: float


@dataclass(frozen=True)
class Settled:
    """The nearest table to the one `measured`, and by how much its bodies differ from that; only those that do.

    Where no table was found, `broken` names what cannot be kept, `what` says of the first of it what the body must do about the other,
    and `needed` is the accuracy in inches that would do for that; None if none would.
    """

    measured: State[Any]
    state: State[Any]
    shifts: tuple[Shift, ...] = ()
    broken: tuple[tuple[str, ...], ...] = ()
    needed: float | None = None
    what: str = ""

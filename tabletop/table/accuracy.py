"""The accuracy of measured places, a disc and an angle around each, and the nearest table to one that was measured."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabletop.geometry.pose import Point
from tabletop.table.state import State

MOST = 2.0
"""Largest accuracy in inches; a worse measurement is not worth ruling on."""

MOST_TURN = 45.0
"""Largest accuracy of headings in degrees; with a larger one a unit has no facing."""


@dataclass(frozen=True)
class Accuracy:
    """Accuracy of a measured place: `at` inches by which a position, and `turn` radians by which a heading, may be
    wrong.

    With a `turn` of None the accuracy of the heading follows from `at` and the size of the body.
    """

    at: float = 0.0
    turn: float | None = None

    @property
    def is_exact(self) -> bool:
        """Whether neither position nor heading may be wrong."""
        return self.at <= 0.0 and not self.turn

    def turning(self, longer_side: float) -> float:
        """Return the accuracy of the heading in radians for a body whose longer side is given in inches.

        It is `turn` if that is given, else the angle by which the longer side ends `at` inches off; 0 for a disc, whose
        side is 0.

        Examples
        --------
        >>> round(Accuracy(0.1).turning(4.0), 6)
        0.024995
        """
        if not longer_side:
            return 0.0
        return math.atan2(self.at, longer_side) if self.turn is None else self.turn


class Relation(Protocol):
    """Protocol of the relation that places a body, as a function of two numbers that were measured and of the body's
    heading.
    """

    def scale(self, accuracy: Accuracy, longer_side: float) -> tuple[float, float, float]:
        """Return by how much each may be off, the first two in inches or radians, the heading in radians; 0 if it is
        exact.
        """
        ...

    def __call__(self, first: float, second: float, turn: float) -> Point:
        """Return the place in inches of the body's reference point if these differ by so much from what is written."""
        ...


@dataclass(frozen=True)
class Measured:
    """Accuracies of the places in a file.

    Attributes
    ----------
    table
        Accuracy of units and terrain without their own.
    own
        Their own accuracies, by name of the unit or piece of terrain.
    proposal
        Accuracy of claimed places.
    carried
        For each body placed relative to another, the one that it follows; both are the name of a unit, or UNIT.NUMBER
        for a loose model. They move and turn together, but for what the relation leaves open.
    relations
        The relation of each such body, by name; one without moves rigidly with the other.
    parallel
        Names of the claimed fronts that are placed relative to others: their headings are exact.
    """

    table: Accuracy = Accuracy()
    own: Mapping[str, Accuracy] = field(default_factory=dict)
    proposal: Accuracy = Accuracy()
    carried: Mapping[str, str] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    parallel: frozenset[str] = frozenset()

    def of(self, name: str) -> Accuracy:
        """Return the accuracy of the unit or piece of terrain with this name."""
        return self.own.get(name, self.table)


@dataclass(frozen=True)
class Shift:
    """How far one body was moved from its measured place: inches along x and y, and radians of turn.

    `name` and `number` are those of the unit or piece of terrain and of the loose model.
    """

    name: str
    number: int | None
    x: float
    y: float
    turn: float


@dataclass(frozen=True)
class Settled:
    """The possible table nearest to a measured one.

    Attributes
    ----------
    measured, state
        The table as measured, and the nearest possible one; the same if none was found.
    shifts
        Displacements of the bodies that were moved.
    broken
        If none was found: for each constraint that cannot be kept, the names of what it is about.
    needed
        Accuracy in inches that would suffice for the first of these; None if none would.
    what
        What the first body must do about the other, in words, such as "keeps clear of".
    """

    measured: State[Any]
    state: State[Any]
    shifts: tuple[Shift, ...] = ()
    broken: tuple[tuple[str, ...], ...] = ()
    needed: float | None = None
    what: str = ""

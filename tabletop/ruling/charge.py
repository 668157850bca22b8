"""Charges as declared, their outcomes, the steps of their moves, and what a file expects of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from tabletop.geometry.pose import Point, Pose
from tabletop.table.accuracy import Settled
from tabletop.table.state import State

Outcome = Literal["success", "failed", "not_allowed"]

Judged = Literal["success", "legal", "failed", "not_allowed", "undecided"]

OUTCOMES: tuple[Outcome, ...] = ("success", "failed", "not_allowed")

OddsOutcome = Literal["success", "failed", "not_allowed", "undecided"]
"""The result of a roll: an outcome, or undecided where a search ended before it was known."""

Metric = Any
"""A number, a string, a boolean, or a list or table of those."""


@dataclass(frozen=True)
class Charge:
    """A declared charge; `dice` are natural faces (None: thrown from the seed), `declarations` the system's own keys."""

    charger: str
    targets: tuple[str, ...]
    dice: tuple[int, ...] | None = None
    declarations: Any = None

    @property
    def label(self) -> str:
        """Who charges whom, for programmers."""
        return f"{self.charger} at {', '.join(self.targets)}"


Spot = tuple[float, float, float]
"""A point of the table and a height above it, in inches."""


@dataclass(frozen=True)
class Step:
    """One part of a move. Angles in radians, counter-clockwise when positive; lengths in inches as the rules count them.

    Of loose models `model` is the number of the one that moves, and `path` the way it takes.
    """

    kind: str
    unit: str | None = None
    start: Pose | None = None
    end: Pose | None = None
    length: float | None = None
    angle: float | None = None
    pivot: Point | None = None
    rules: tuple[str, ...] = ()
    text: str = ""
    model: int | None = None
    path: tuple[Spot, ...] = ()


class AskedCase(Protocol):
    """The case that was asked, as kept in an answer: a `tabletop.ruling.system.Case`."""

    @property
    def state(self) -> State[Any]:
        """The table before the first charge."""
        ...

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The declared charges."""
        ...

    @property
    def choices(self) -> Any:
        """The choices between readings of open rules."""
        ...

    @property
    def book(self) -> Any:
        """The numbers of the book."""
        ...

    @property
    def settled(self) -> Settled | None:
        """How far bodies of a measured table were moved; None for an exact table."""
        ...


@dataclass(frozen=True)
class Expectation:
    """What a file expects of one charge; None or empty values are not compared. `tolerance` in inches, degrees, numbers.

    `units` holds parts of units' places and status as the file writes them, `judged` the outcome and rule of the judgement.
    """

    outcome: Outcome | None = None
    rule: str | None = None
    metrics: Mapping[str, Any] = field(default_factory=dict)
    choices: int | None = None
    judged: tuple[Judged, str | None] | None = None
    units: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tolerance: float = 0.001

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
    """A declared charge: which unit charges which targets.

    Attributes
    ----------
    charger, targets
        Name of the unit that charges, and names of the units (or pieces of terrain) that it charges.
    dice
        Natural faces of its dice in the order in which they are used; None: thrown from the seed.
    declarations
        The keys of the charge that the game system defines, as a model of that system.
    """

    charger: str
    targets: tuple[str, ...]
    dice: tuple[int, ...] | None = None
    declarations: Any = None

    @property
    def label(self) -> str:
        """Text that says who charges whom, such as "A at B, C", for error messages and `repr`."""
        return f"{self.charger} at {', '.join(self.targets)}"


Spot = tuple[float, float, float]
"""A point of the table and a height above it, in inches."""


@dataclass(frozen=True)
class Step:
    """One part of a move, from one pose to another.

    Lengths are in inches, angles in radians, counter-clockwise when positive.

    Attributes
    ----------
    kind
        Word of the game system for the kind of step, such as "wheel".
    unit, model
        Name of the unit that moves and, of loose models, the number of the one that moves.
    start, end
        Poses before and after the step.
    length, angle
        How far it goes as the rules count it, and by how much it turns.
    pivot
        Point of the table about which it turns.
    rules
        Names of the rules that demand or allow it.
    text
        A sentence about it.
    path
        Points of the way of a loose model, each with a height above the table.
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


def is_moving(step: Step) -> bool:
    """Return whether a unit or model changes its position or heading in a step."""
    return (
        step.start is not None
        and step.end is not None
        and (step.start != step.end or len(step.path) > 1)
    )


class AskedCase(Protocol):
    """Protocol of the case that an answer is about: a `tabletop.ruling.system.Case`."""

    @property
    def state(self) -> State[Any]:
        """The table before the first charge."""
        ...

    @property
    def charges(self) -> tuple[Charge, ...]:
        """The declared charges, in file order."""
        ...

    @property
    def choices(self) -> Any:
        """How the case reads rules whose text leaves something open: a model of the game system."""
        ...

    @property
    def book(self) -> Any:
        """The numbers of the rule book: a dataclass of the game system."""
        ...

    @property
    def settled(self) -> Settled | None:
        """How far bodies of a measured table were moved so that it is possible; None for an exact table."""
        ...


@dataclass(frozen=True)
class Expectation:
    """The result that a file expects of one charge; None or empty values are not compared.

    Attributes
    ----------
    outcome, rule, metrics, choices
        Those of the ruling.
    judged
        Outcome and rule of the judgement on the claimed places.
    units
        For each unit, by name, parts of its place and its status after the charges, as keys and values of a file.
    tolerance
        Largest difference of numbers that counts as equal, in inches, degrees, or the number's own unit.
    """

    outcome: Outcome | None = None
    rule: str | None = None
    metrics: Mapping[str, Any] = field(default_factory=dict)
    choices: int | None = None
    judged: tuple[Judged, str | None] | None = None
    units: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tolerance: float = 0.001

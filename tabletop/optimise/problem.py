"""A placement as a constrained optimisation: what may be chosen, what must hold, and what is to be served, the most important first.

Whoever states one says nothing of how it is solved: an exact solver may use all that it knows besides, `scipy_solver` takes it as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.units import CONTACT

P = TypeVar("P")

P_contra = TypeVar("P_contra", contravariant=True)


@dataclass(frozen=True)
class Variable:
    """A number that may be chosen between `low` and `high`, in a unit: inches or radians; at `marks` the worth of a place may jump."""

    name: str
    low: float
    high: float
    unit: str
    marks: tuple[float, ...] = ()


class Constraint(Protocol[P_contra]):
    """A rule that must hold of a place: where its signed slack, in inches or radians, is not below 0."""

    @property
    def rule(self) -> str:
        """The name of the rule."""
        ...

    def slack(self, place: P_contra) -> float:
        """Return how much room a place leaves; less than 0 by as much as it breaks the rule."""
        ...


class Objective(Protocol[P_contra]):
    """A rule to be served as far as possible: the greater the value of a place, the better."""

    @property
    def rule(self) -> str:
        """The name of the rule."""
        ...

    @property
    def is_counted(self) -> bool:
        """Whether values are whole numbers, of which none is gained by moving a little."""
        ...

    def amount(self, value: float) -> float:
        """Return how much there is of what is counted or measured: the negative of the value, where that is to be least."""
        ...

    @property
    def value(self) -> Callable[[P_contra], FloatArray]:
        """The values (n,) of many places."""
        ...


@dataclass(frozen=True, eq=False)
class Selection:
    """Which of some places each of several items takes, one each.

    Attributes
    ----------
    usable
        Who may take which place (n, p).
    values
        For each goal, the first the most important, what it is worth that an item takes a place (n, p).
    excludes
        Which places cannot both be taken (p, p).
    supports
        Which places stand by each other (p, p): whoever takes one needs `asked` others that are taken by its side.
    covers
        Of which places one at least must be taken (t, p).
    asked
        How many others are needed.
    is_one_group
        Whether all that are taken must hang together.
    """

    usable: BoolArray
    values: tuple[FloatArray, ...]
    excludes: BoolArray
    supports: BoolArray
    covers: BoolArray
    asked: int
    is_one_group: bool


@dataclass(frozen=True)
class Problem(Generic[P]):
    """A placement that is to be found.

    Attributes
    ----------
    variables
        What may be chosen: k numbers.
    place
        Gives the place that a point (k,) stands for.
    limits
        What must hold of a place, to the tolerance of contact.
    goals
        What is to be served, lexicographically: no amount of a later one makes up for any of an earlier one.
    choice
        What is chosen among countable places before anything is moved: the selection, and what remains to be chosen of one (n,), with
        the point (k,) to begin at.
    """

    variables: tuple[Variable, ...]
    place: Callable[[FloatArray], P]
    limits: tuple[Constraint[P], ...]
    goals: tuple[Objective[Sequence[P]], ...]
    choice: "tuple[Selection, Callable[[IntArray], tuple[Problem[P], FloatArray]]] | None" = None

    def values(self, place: P) -> tuple[float, ...]:
        """Return what a place is worth, goal by goal."""
        return tuple(float(goal.value([place])[0]) for goal in self.goals)

    def missing(self, place: P) -> float:
        """Add up by how much a place breaks limits; 0 where it keeps them all."""
        slacks = [limit.slack(place) for limit in self.limits]
        return -sum(slack for slack in slacks if slack < -CONTACT)


@dataclass(frozen=True)
class SolvedProblem(Generic[P]):
    """A placement that was solved, and what the answer is worth, goal by goal.

    Attributes
    ----------
    problem
        What was to be solved.
    answer
        What the answer is worth, goal by goal.
    proved
        How many of the goals, from the first on, are proved to be served best.
    units
        Gives where the units stand that a place moves, by name.
    excluded
        Problems that must have no place at all, by the rule that asks for it.
    together
        The chargers that are placed at once: what is found is said of each.
    resolved
        Gives what is resolved as it would be with a place, where others may complete, or in another order, than in the answer.
    """

    problem: Problem[P]
    answer: tuple[float, ...]
    proved: int
    units: Callable[[P], Mapping[str, Any]]
    excluded: Mapping[str, Problem[Any]] = field(default_factory=dict)
    together: tuple[str, ...] = ()
    resolved: Callable[[P], Any] | None = None

"""A placement as a constrained optimisation problem: variables, limits, and goals in order of priority (lexicographic).

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
    """A variable between `low` and `high`, in inches or radians; at `marks` the goals may jump."""

    name: str
    low: float
    high: float
    unit: str
    marks: tuple[float, ...] = ()


class Constraint(Protocol[P_contra]):
    """A constraint: a rule that holds where its signed slack, in inches or radians, is not negative."""

    @property
    def rule(self) -> str:
        """Name of the rule."""
        ...

    def slack(self, place: P_contra) -> float:
        """Return the slack at a place; negative by as much as the rule is broken."""
        ...


class Objective(Protocol[P_contra]):
    """A goal to be maximised."""

    @property
    def rule(self) -> str:
        """Name of the rule."""
        ...

    @property
    def is_counted(self) -> bool:
        """Whether values are integers, which small moves do not improve."""
        ...

    def amount(self, value: float) -> float:
        """Return the amount counted or measured: the negative of the value if the amount is minimised."""
        ...

    @property
    def value(self) -> Callable[[P_contra], FloatArray]:
        """Values (n,) of many places."""
        ...


@dataclass(frozen=True, eq=False)
class Selection:
    """A selection problem: one of several places for each item.

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
    """A placement problem.

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
        """Return the goals' values at a place."""
        return tuple(float(goal.value([place])[0]) for goal in self.goals)

    def missing(self, place: P) -> float:
        """Return the sum of violations of the limits; 0 where all hold."""
        slacks = [limit.slack(place) for limit in self.limits]
        return -sum(slack for slack in slacks if slack < -CONTACT)


@dataclass(frozen=True)
class SolvedProblem(Generic[P]):
    """A solved placement problem, with the answer's value for each goal.

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

"""A placement as a constrained optimisation problem: variables, limits, and goals in order of priority (lexicographic).

The statement does not say how it is solved: an exact solver may use all that it knows besides, `scipy_solver` takes it
as it is.
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
    """A variable between `low` and `high`, in inches or radians; `marks` are values at which the goals may jump."""

    name: str
    low: float
    high: float
    unit: str
    marks: tuple[float, ...] = ()


class Constraint(Protocol[P_contra]):
    """A constraint: a rule that holds where its signed slack, in inches or radians, is not negative."""

    @property
    def rule(self) -> str:
        """Name of the rule that the constraint states."""
        ...

    def slack(self, place: P_contra) -> float:
        """Return the slack at a place, in inches or radians; it is negative by as much as the rule is broken."""
        ...


class Objective(Protocol[P_contra]):
    """An objective to be maximised."""

    @property
    def rule(self) -> str:
        """Name of the rule that the objective states."""
        ...

    @property
    def is_counted(self) -> bool:
        """Whether values are integers, counts, which small moves do not improve."""
        ...

    def amount(self, value: float) -> float:
        """Return the amount that a value of the objective stands for: the value, or its negative if the amount is to be
        minimised.
        """
        ...

    @property
    def value(self) -> Callable[[P_contra], FloatArray]:
        """Function that returns the values (n,) of the objective at n places; the greater, the better."""
        ...


@dataclass(frozen=True, eq=False)
class Selection:
    """A selection problem: choose one of p places for each of n items.

    Attributes
    ----------
    usable
        Which item may take which place (n, p).
    values
        For each goal, the most important first, what it is worth that an item takes a place (n, p).
    excludes
        Which places cannot both be taken (p, p).
    supports
        Which places support each other (p, p): a place may be taken only if `asked` others that support it are taken
        too.
    covers
        Sets of places, as masks (t, p): at least one place of each must be taken.
    asked
        The number of other places that must support each place taken.
    is_one_group
        Whether the places taken must be connected by their support, directly or by way of others.
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
    """A placement problem: variables, limits, and objectives in order of priority (lexicographic).

    Attributes
    ----------
    variables
        The k variables.
    place
        Function that returns the place that a point (k,), the values of the variables, stands for.
    limits
        Constraints that must hold at the place, each to the tolerance CONTACT.
    goals
        Objectives, the most important first: no amount of a later one makes up for any of an earlier one.
    choice
        A selection among countable places that is solved first, and a function from the places taken (n,) to the
        remaining problem and the point (k,) at which to begin with it; None if there is no selection.
    """

    variables: tuple[Variable, ...]
    place: Callable[[FloatArray], P]
    limits: tuple[Constraint[P], ...]
    goals: tuple[Objective[Sequence[P]], ...]
    choice: "tuple[Selection, Callable[[IntArray], tuple[Problem[P], FloatArray]]] | None" = None

    def values(self, place: P) -> tuple[float, ...]:
        """Return the value of each objective at a place, the most important first."""
        return tuple(float(goal.value([place])[0]) for goal in self.goals)

    def missing(self, place: P) -> float:
        """Return the sum of the violations of the limits at a place, in inches or radians; 0 where all hold to
        CONTACT.
        """
        slacks = [limit.slack(place) for limit in self.limits]
        return -sum(slack for slack in slacks if slack < -CONTACT)


@dataclass(frozen=True)
class SolvedProblem(Generic[P]):
    """A solved placement problem, with the answer's value for each goal.

    Attributes
    ----------
    problem
        The problem that was solved.
    answer
        The value of each goal at the answer.
    proved
        How many of the goals, from the first on, are proved to have their best value.
    units
        Function that returns, for a place, the poses or formations of the units that it moves, by name.
    excluded
        Problems that must have no feasible place, by the name of the rule that requires it.
    together
        Names of the chargers that this problem places together; the result is reported for each of them.
    resolved
        Function that returns the resolution of all charges that a place leads to, where other chargers than in the
        answer may complete their moves, or in another order; None where it is that of the answer.
    """

    problem: Problem[P]
    answer: tuple[float, ...]
    proved: int
    units: Callable[[P], Mapping[str, Any]]
    excluded: Mapping[str, Problem[Any]] = field(default_factory=dict)
    together: tuple[str, ...] = ()
    resolved: Callable[[P], Any] | None = None

"""A placement of tables: what is chosen, what must hold of the table afterwards and what it serves; and what became of a charge."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.geometry.pose import FloatArray
from tabletop.optimise.problem import Problem, Variable
from tabletop.ruling.charge import Outcome
from tabletop.ruling.finding import Finding, Goal, Limit
from tabletop.table.state import State

Table = State[Any]


@dataclass(frozen=True)
class Placement:
    """Where a charge may end.

    Attributes
    ----------
    variables
        The numbers that are chosen.
    place
        Gives the table afterwards for numbers (k,).
    limits
        What must hold of the table afterwards.
    goals
        What is to be served, the most important first.
    """

    variables: tuple[Variable, ...]
    place: Callable[[FloatArray], Table]
    limits: tuple[Limit[Table], ...]
    goals: tuple[Goal[Sequence[Table]], ...]

    @property
    def problem(self) -> Problem[Table]:
        """The same as any solver takes it."""
        return Problem(self.variables, self.place, self.limits, self.goals)

    def values(self, table: Table) -> tuple[float, ...]:
        """Return what a table is worth, goal by goal."""
        return self.problem.values(table)


@dataclass(frozen=True)
class Ended:
    """What became of a charge on one table with one total: what was found, the table afterwards, and the placement that was solved."""

    outcome: Outcome
    findings: tuple[Finding, ...]
    table: Table
    placement: Placement | None = None

    @property
    def rule(self) -> str | None:
        """The rule that decided against success."""
        return next((finding.rule for finding in self.findings if not finding.ok), None)


def served_findings(placement: Placement, table: Table) -> tuple[Finding, ...]:
    """Return how far a table serves each goal."""
    found = []
    for goal, value in zip(placement.goals, placement.values(table), strict=True):
        amount = told(goal, value)
        words = f"{amount:g} {goal.unit}"
        found.append(Finding(goal.rule, ok=True, text=f"Served: {words}.", measured=amount))
    return tuple(found)


def told(goal: Goal[Any], value: float) -> float:
    """Return how much of a goal a value is: a whole number where it is counted."""
    amount = goal.amount(value)
    return round(amount) if goal.is_counted else amount

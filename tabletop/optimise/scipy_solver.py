"""A general solver for any stated problem by SciPy, without knowledge of its structure: the second opinion.

Differential evolution looks for the basin, goal after goal with the earlier ones held; a value that changes smoothly is
then polished by sequential quadratic programming on the limits' slacks, one that jumps by trying the marks of each
variable. Where no place was found that keeps all limits, as where contact is one of them, the same leads from the one
that breaks them least. Where places are chosen first, mixed- integer programming chooses them. What is found is the
best found, never proved. A best place that is a single point, such as an exact fit of several variables, has no basin:
that is the known weakness of such a search.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import numpy as np
from scipy.optimize import differential_evolution

from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.optimise.problem import Constraint, Problem
from tabletop.optimise.selection import solve_selection
from tabletop.optimise.slsqp import local_minimum
from tabletop.units import CONTACT

P = TypeVar("P")

SOLVER_SEED = 0

MEMBERS, MOST_MEMBERS, GENERATIONS = 15, 90, 40
"""Points per variable, points in all, and generations per goal of the differential evolution."""

STALE, NEARER = 12, 0.99
"""Generations without improvement after which it ends, and the relative improvement that counts while limits are
violated."""

BROKEN = 1e6
"""Penalty factor for violations in inches or radians: larger than the range of any goal."""

POLISH_STEPS = 60


@dataclass(frozen=True)
class FeasiblePoint(Generic[P]):
    """A feasible point: the variables (k,), the place that they stand for, and its value for each goal."""

    point: FloatArray
    place: P
    values: tuple[float, ...]


def solved(
    problem: Problem[P], *, budget: Budget, is_any_enough: bool = False
) -> FeasiblePoint[P] | None:
    """Return the best feasible point found, or None if none was found; with `is_any_enough`, the first one found."""
    if problem.choice is None:
        search = _Search(problem, budget, is_any_enough=is_any_enough)
        search.look_everywhere()
        return search.best
    selection, remaining = problem.choice
    picks = solve_selection(selection, budget=budget)
    if picks is None:
        return None
    rest, start = remaining(picks)
    search = _Search(rest, budget)
    search.look_around(start)
    return search.best


def nearest_miss(problem: Problem[P], *, budget: Budget) -> P | None:
    """Return the place with the smallest sum of violations found; None if none was found in time."""
    search = _Search(problem, budget, is_any_enough=True)
    search.look_everywhere()
    return None if math.isinf(search.least_missing) else problem.place(search.nearest)


class _OverError(Exception):
    """Raised when the time limit is reached."""


class _Search(Generic[P]):
    """State of a search: the problem, the best feasible point so far (incumbent), and the point that violates the
    limits least.
    """

    def __init__(self, problem: Problem[P], budget: Budget, *, is_any_enough: bool = False) -> None:
        self.problem = problem
        self.budget = budget
        self.is_any_enough = is_any_enough
        self.bounds = np.array(
            [(variable.low, variable.high) for variable in problem.variables], dtype=float
        ).reshape(-1, 2)
        self.best: FeasiblePoint[P] | None = None
        self._last: tuple[bytes, P] | None = None
        self._rounds_without_gain = 0
        self._has_gained = False
        self.least_missing, self.nearest = math.inf, self.bounds.mean(axis=1)

    def look_everywhere(self) -> None:
        """Optimise goal after goal globally, holding the earlier ones; stop if no feasible place is found."""
        for number in range(max(1, len(self.problem.goals))):
            self._evolve(number)
            self._land()
            if self.best is None or self.is_any_enough:
                return
            if self.problem.goals:
                self._polish(number)

    def look_around(self, start: FloatArray) -> None:
        """Optimise goal after goal locally, from the point `start` (k,)."""
        self._cost(start, 0)
        for number in range(len(self.problem.goals)):
            self._polish(number)

    def _evolve(self, number: int) -> None:
        """Improve goal `number` by differential evolution, holding the earlier ones."""
        self._rounds_without_gain = 0
        differential_evolution(
            self._cost,
            self.bounds,
            args=(number,),
            seed=SOLVER_SEED + number,
            popsize=MEMBERS,
            maxiter=GENERATIONS,
            polish=False,
            init=self._first(number),
            callback=self._is_done,
            tol=0.0,
            atol=0.0,
        )

    def _land(self) -> None:
        """Move from the least violating point into the feasible region by SLSQP, if no feasible place was found."""
        if self.best is None and not self._is_over():
            start = self.nearest
            self._follow(
                lambda point: float(np.sum((point - start) ** 2)), start, self._slacks(), 0
            )

    def _polish(self, number: int) -> None:
        """Improve goal `number` locally: by trying the marks of each variable if it jumps, by SLSQP if it is smooth."""
        if self.best is None or self._is_over():
            return
        best = self.best
        goals = self.problem.goals
        if goals[number].is_counted:
            # each variable where values may jump, all others left as they are
            for column, variable in enumerate(self.problem.variables):
                for mark in variable.marks:
                    if variable.low <= mark <= variable.high and not self._is_over():
                        self._cost(
                            np.where(
                                np.arange(len(self.best.point)) == column, mark, self.best.point
                            ),
                            number,
                        )
        else:
            held = [
                self._held(earlier, best.values[earlier])
                for earlier in range(number)
                if not goals[earlier].is_counted
            ]
            self._follow(
                lambda point: -float(goals[number].value([self._place(point)])[0]),
                best.point,
                [*self._slacks(), *held],
                number,
            )

    def _slacks(self) -> list[Callable[[FloatArray], float]]:
        return [partial(self._slack, limit) for limit in self.problem.limits]

    def _slack(self, limit: Constraint[P], point: FloatArray) -> float:
        return limit.slack(self._place(point))

    def _follow(
        self,
        cost: Callable[[FloatArray], float],
        start: FloatArray,
        slacks: Sequence[Callable[[FloatArray], float]],
        number: int,
    ) -> None:
        """Minimise a smooth cost by SLSQP from the point `start` (k,), where all slacks are not negative, and record
        what it finds.
        """
        try:
            found = local_minimum(
                cost,
                start,
                bounds=self.bounds,
                constraints=[{"type": "ineq", "fun": slack} for slack in slacks],
                options={"maxiter": POLISH_STEPS},
            )
        except _OverError:
            return
        # On the last step a slack may be broken by rounding: then a little less of it is kept.
        for share in (1.0, 1.0 - 1e-7, 1.0 - 1e-5, 1.0 - 1e-3):
            self._cost(np.clip(start + share * (found - start), *self.bounds.T), number)

    def _held(self, goal: int, value: float) -> Callable[[FloatArray], float]:
        return lambda point: float(self.problem.goals[goal].value([self._place(point)])[0]) - value

    def _place(self, point: FloatArray) -> P:
        """Return the place that a point (k,) stands for; the last one is cached, since every limit uses it."""
        key = point.tobytes()
        if self._last is None or self._last[0] != key:
            if self._is_over():
                raise _OverError
            self._last = key, self.problem.place(point)
        return self._last[1]

    def _cost(self, point: FloatArray, number: int) -> float:
        """Return the penalised cost of a point (k,) for goal `number`, recording the best feasible point.

        It is minus the goal's value, plus a penalty for limits violated and earlier goals made worse.
        """
        place = self.problem.place(point)
        missing = self.problem.missing(place)
        if missing > 0.0:
            if self.best is None and missing < NEARER * self.least_missing:
                self.least_missing, self.nearest, self._has_gained = missing, np.array(point), True
            return 2.0 * BROKEN + missing
        values = self.problem.values(place)
        if self.best is None or is_better(values, self.best.values, self.problem):
            self.best = FeasiblePoint(np.array(point), place, values)
            self._has_gained = True
        if not values:
            return 0.0
        short = sum(
            max(0.0, held - value)
            for held, value in zip(self.best.values[:number], values, strict=False)
        )
        return BROKEN + short if short > CONTACT else -values[number]

    def _first(self, number: int) -> FloatArray:
        """Return the initial population (m, k) for goal `number`: evenly spread points (Latin hypercube), and the
        incumbent.
        """
        low, high = self.bounds.T
        count = min(MEMBERS * len(self.bounds), MOST_MEMBERS)
        random = np.random.default_rng(SOLVER_SEED + number)
        cells = np.stack([random.permutation(count) for _ in self.bounds], axis=1)
        spread: FloatArray = low + (cells + random.random(cells.shape)) / count * (high - low)
        if self.best is not None:
            spread[0] = self.best.point
        return spread

    def _is_done(self, _: FloatArray, convergence: float) -> bool:  # noqa: ARG002 - the name is SciPy's
        self._rounds_without_gain = 0 if self._has_gained else self._rounds_without_gain + 1
        self._has_gained = False
        is_enough = self.best is not None and self.is_any_enough
        return self._is_over() or is_enough or self._rounds_without_gain >= STALE

    def _is_over(self) -> bool:
        return self.budget.is_spent(0)


def is_better(values: tuple[float, ...], than: tuple[float, ...], problem: Problem[P]) -> bool:
    """Return whether `values` are lexicographically greater than `than`; measured values are equal within the tolerance
    of contact.
    """
    for goal, value, other in zip(problem.goals, values, than, strict=True):
        if abs(value - other) > (0.0 if goal.is_counted else CONTACT):
            return value > other
    return False

"""The possible table nearest to a measured one: least squares under constraints, by sequential quadratic programming.

`settled_case` returns a case with its table settled, `settled` the table alone. Each step of the programming is a
least-distance problem.
"""

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import nnls

from tabletop.budget import check_deadline
from tabletop.errors import Fault
from tabletop.geometry.arrays import FloatArray
from tabletop.messages import key_path, listed, say, shown
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.settling.bodies import Body, bodies_of, table_with, turned
from tabletop.settling.constraints import (
    SetUpConstraint,
    SetUpConstraints,
    SetUpRules,
    rate_of_point,
)
from tabletop.table.accuracy import MOST, Measured, Settled, Shift
from tabletop.table.state import State
from tabletop.units import CONTACT

CONSTRAINT_TOLERANCE = CONTACT / 2
"""Inches by which rounding may violate a constraint."""

MAX_REPAIRS = 12
"""Number of times that constraints broken by a step are added, before the table counts as not settled."""

MAX_LINEARISATIONS = 40
"""Number of linearisations of the constraints, after which the last step counts as the end."""

SAME = 1e-10
"""Step, in units of accuracy, below which the iteration has converged."""

NEAR_RIM = 0.9
"""Share of its accuracy from which a body's limiting circle is kept as a constraint."""

HOPELESS = 1e-12
"""Residual of a least-distance problem from which it counts as infeasible."""

TURN = 2
"""Index of the variable that is a body's heading."""

MAX_SURE_TURN = math.radians(2.0)
"""Turn up to which the iteration surely converges; where a larger accuracy does not, the nearest table within this is
taken."""

HUNDREDTH = 0.01
"""Relative precision of the accuracy that would suffice."""


@dataclass(frozen=True)
class SettleProblem:
    """The least-squares problem of settling a table: what was measured, the bodies, and the constraints.

    Attributes
    ----------
    state
        The table as measured.
    bodies
        Its n bodies.
    room
        The game's rules of set-up.
    demands
        The constraints that could be broken within the accuracy.
    play
        Multiple of its accuracy by which each body may be off.
    """

    state: State[Any]
    bodies: tuple[Body, ...]
    room: SetUpRules
    demands: tuple[SetUpConstraint, ...]
    play: float = 1.0

    @classmethod
    def of(
        cls,
        state: State[Any],
        measured: Measured,
        room: SetUpRules,
        *,
        play: float = 1.0,
        most_turn: float = math.inf,
    ) -> "SettleProblem":
        """Return the problem of settling a table.

        Parameters
        ----------
        state, measured
            The table as measured, and its accuracy.
        room
            The game's rules of set-up.
        play
            Multiple of its accuracy by which each body may be off.
        most_turn
            Largest turn of a body in radians.
        """
        bodies = bodies_of(state, measured, most_turn=most_turn)
        return cls(
            state, bodies, room, tuple(SetUpConstraints(state.board, bodies, room).near(play)), play
        )

    @cached_property
    def chains(self) -> list[list[int]]:
        """Indices of each body and of those on which its place depends, its carrier first."""
        numbers = {body.called: number for number, body in enumerate(self.bodies)}
        return [[numbers[one.called] for one in body.chain] for body in self.bodies]

    @cached_property
    def scale(self) -> FloatArray:
        """Scale (n, 3) of the variables: by how much each may be off, in inches or radians."""
        return np.array([body.scale for body in self.bodies]).reshape(-1, 3)

    def asides(self, units: FloatArray) -> FloatArray:
        """Return the displacements (n, 3) of the bodies, inches along x and y and radians, by variables (n, 3) in units
        of accuracy.
        """
        own = units * self.scale
        asides = own.copy()
        for number, *carriers in sorted(self.chains, key=len):
            if carriers:
                asides[number] = self.bodies[number].carried(own[number], asides[carriers[0]])
        return asides

    def _by_variables(
        self, number: int, rate: FloatArray, asides: FloatArray, own: FloatArray
    ) -> Iterator[tuple[int, FloatArray]]:
        """Yield derivatives (3,) by the variables of a body and of those on which it depends, each with the index of
        the body.

        Parameters
        ----------
        number, rate
            The body, and the derivatives (3,) by its displacement.
        asides, own
            The displacements (n, 3) of all bodies, and their variables (n, 3) in inches and radians.
        """
        for one, carrier in pairwise(self.chains[number]):
            turn = np.array([0.0, 0.0, rate[TURN]])
            middle = asides[one, :2] + self.bodies[one].middle
            yield (
                one,
                turned(rate[:2], -asides[carrier, TURN]) @ self.bodies[one].rates(own[one]) + turn,
            )
            rate = rate_of_point(rate[:2], middle, self.bodies[carrier], asides[carrier]) + turn
        yield self.chains[number][-1], rate

    def nearest(self, wanted: FloatArray | None = None) -> FloatArray | None:
        """Return the variables (n, 3) of the possible table nearest to `wanted` (n, 3), in least squares; None if none
        was found.

        Variables are displacements in units of the bodies' accuracy; without `wanted` it is the table nearest to the
        measured one. Constraints are added as they are found broken.

        Raises
        ------
        NoVerdictError
            If the time is used up.
        """
        aim = np.zeros((len(self.bodies), 3)) if wanted is None else wanted
        units = aim.copy()
        taken = set[int]()
        for _ in range(MAX_REPAIRS):
            check_deadline()
            asides = self.asides(units)
            broken = {
                number
                for number, demand in enumerate(self.demands)
                if not demand.is_kept(asides, slack=CONSTRAINT_TOLERANCE)
            }
            if not broken:
                return units
            if broken <= taken:
                return None
            taken |= broken
            pushed = self._pushed(aim, sorted(taken))
            if pushed is None:
                return None
            units = pushed
        return None

    def _pushed(self, aim: FloatArray, taken: Sequence[int]) -> FloatArray | None:
        """Return the variables (n, 3) nearest to `aim` (n, 3) that keep the constraints `taken`, by index; None if none
        were found.

        The constraints are linearised anew at each step.
        """
        demands = [self.demands[number] for number in taken]
        leads = {
            lead for one in demands for body in self._touched(one) for lead in self.chains[body]
        }
        free = [
            (body, axis) for body in sorted(leads) for axis in range(3) if self.scale[body, axis]
        ]
        rows = tuple(np.array(free, dtype=int).reshape(-1, 2).T)
        units = aim.copy()
        rims = _AccuracyDiscs(free, {number for number, *more in self.chains if more}, self.play)
        for _ in range(MAX_LINEARISATIONS):
            check_deadline()
            asides = self.asides(units)
            own = units * self.scale
            cuts = [(cut, one.is_equal) for one in demands for cut in one.cuts(asides)]
            now = units[rows]
            rates = np.zeros((len(cuts), len(free)))
            for row, ((_, change), _) in enumerate(cuts):
                by_units = np.zeros_like(units)
                for number, moved in change.items():
                    for body, rate in self._by_variables(number, moved, asides, own):
                        by_units[body] += rate * self.scale[body]
                rates[row] = by_units[rows]
            least = rates @ now - np.array([slack for (slack, _), _ in cuts])
            equal = np.array([is_equal for _, is_equal in cuts], dtype=bool)
            more, most = rims.limits(now)
            found = least_distance(
                np.vstack([rates, -rates[equal], more]),
                np.concatenate([least, -least[equal], most]),
                aim[rows],
            )
            if found is None:
                return None
            units[rows] = found
            if np.abs(found - now).max(initial=0.0) < SAME:
                return units
        return units

    def _touched(self, demand: SetUpConstraint) -> tuple[int, ...]:
        """Return the indices of the bodies that can be moved to keep a constraint."""
        named = {place for place, body in enumerate(self.bodies) if body.name == demand.other}
        return tuple(number for number in {*demand.bodies, *named} if self.bodies[number].is_free)

    def table(self, units: FloatArray) -> State[Any]:
        """Return the table with its bodies displaced by variables (n, 3), in units of their accuracy."""
        return table_with(self.state, self.bodies, self.asides(units))

    def shifts(self, units: FloatArray) -> tuple[Shift, ...]:
        """Return the displacement, in inches and radians, of each body that variables (n, 3) move."""
        rows = zip(self.bodies, self.asides(units).tolist(), strict=True)
        return tuple(Shift(body.name, body.number, *aside) for body, aside in rows if any(aside))


class _AccuracyDiscs:
    """Linear bounds of variables: an interval for each turn and each number of a relation, and for each shift a disc.

    Discs are approximated by tangents as needed.
    """

    def __init__(
        self, free: Sequence[tuple[int, int]], carried: Container[int], play: float
    ) -> None:
        self.play = play
        self.tangents = list[FloatArray]()
        self.intervals = [
            column for column, (body, axis) in enumerate(free) if axis == TURN or body in carried
        ]
        self.circles = [
            (free.index((body, 0)), free.index((body, 1)))
            for body, axis in free
            if axis == 0 and body not in carried
        ]
        self.count = len(free)

    def limits(self, now: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return inequalities rows (m, k) @ x >= bounds (m,) that hold for allowed displacements x (k,), near the
        present one, `now` (k,).

        A displacement near the rim of its disc adds a tangent there, which is kept from then on.
        """
        for x, y in self.circles:
            length = float(np.hypot(now[x], now[y]))
            if length > self.play * NEAR_RIM:
                tangent = np.zeros(self.count)
                tangent[x], tangent[y] = -now[x] / length, -now[y] / length
                self.tangents.append(tangent)
        bounds = [
            sign * np.eye(self.count)[column] for column in self.intervals for sign in (1.0, -1.0)
        ]
        rows = np.array([*bounds, *self.tangents]).reshape(-1, self.count)
        return rows, np.full(len(rows), -self.play)


def least_distance(rates: FloatArray, least: FloatArray, aim: FloatArray) -> FloatArray | None:
    """Return the point (n,) nearest to `aim` (n,) with rates (m, n) @ point >= least (m,); None if there is none.

    Least-distance programming by non-negative least squares: Lawson and Hanson, Solving Least Squares Problems,
    chapter 23.
    """
    sizes = np.linalg.norm(rates, axis=1)
    is_moved = sizes > 0.0
    if (least[~is_moved] > CONSTRAINT_TOLERANCE).any():
        return None
    rows = rates[is_moved] / sizes[is_moved, None]
    least = (least[is_moved] - rates[is_moved] @ aim) / sizes[is_moved]
    table = np.vstack([rows.T, least])
    target = np.append(np.zeros(len(aim)), 1.0)
    try:
        weights, _ = nnls(table, target)
    except RuntimeError:  # it has not ended: nothing is known
        return None
    rest = table @ weights - target
    if -rest[-1] < HOPELESS:
        return None
    change: FloatArray = aim - rest[:-1] / rest[-1]
    return change


def settled_case(case: Case, charges: Sequence[tuple[int, Charge]]) -> tuple[Case, list[Fault]]:
    """Return a measured case with its table moved to the nearest possible one; if none is found, the case unchanged and
    its fault.

    `charges` are the charges with their numbers in the file.
    """
    room = case.system.vocabulary.set_up_rules(case.state, charges, case.choices)
    if case.measured is None or room is None:
        raise AssertionError("only what was measured, and not on hexes, is settled")
    found = settled(case.state, case.measured, room)
    if not found.broken:
        return replace(case, state=found.state, settled=found), []
    return case, [_unsettled(case, found)]


def _kept(name: str, what: str, others: Sequence[str]) -> str:
    """Return words for a constraint that a body can keep on no table within the accuracy, such as "'A' keeps clear of
    'B'".
    """
    unit = shown(name)
    other = listed(others, " and ")
    if not others:
        return say("{name} stays on the board", name=unit)
    stands = what == "stands on"
    return (
        say("{name} stands on {other}", name=unit, other=other)
        if stands
        else say("{name} keeps clear of {other}", name=unit, other=other)
    )


def _unsettled(case: Case, found: Settled) -> Fault:
    """Return the fault of bodies that leave each other no room within their accuracy, with the accuracy in inches that
    would suffice.
    """
    name, *others = found.broken[0]
    more = (
        say(", and {count} more such places", count=len(found.broken) - 1)
        if len(found.broken) > 1
        else ""
    )
    least = math.inf if found.needed is None else math.ceil(found.needed * 1000) / 1000
    would = (
        say("; an accuracy of {least:g} in would do", least=least)
        if least <= MOST
        else say(", nor an accuracy up to {most:g} in that would do", most=MOST)
    )
    known = {*case.state.units, *(piece.name for piece in case.state.terrain)}
    kept = _kept(name, found.what, [shown(one) for one in others if one])
    homes = dict.fromkeys(
        one if one in known else one.rpartition(".")[0] for one in found.broken[0]
    )
    message = say(
        "no table within the accuracy was found on which {kept}{more}{would}",
        kept=kept,
        more=more,
        would=would,
    )
    unit, _, number = (name, "", "") if name in known else name.rpartition(".")
    key = key_path(["units", unit, "at", *([int(number)] if number else [])])
    return Fault(key, message, between=tuple(one for one in homes if one in known))


def settled(state: State[Any], measured: Measured, room: SetUpRules) -> Settled:
    """Return the possible table nearest to a measured one, or the constraints that cannot be kept within the accuracy.

    The result names the displaced bodies and, if no table was found, the accuracy that would suffice.
    """
    for most_turn in (math.inf, MAX_SURE_TURN):
        settling = SettleProblem.of(state, measured, room, most_turn=most_turn)
        units = settling.nearest()
        if units is not None:
            return Settled(state, settling.table(units), settling.shifts(units))
    start = np.zeros((len(settling.bodies), 3))
    broken = [
        demand
        for demand in settling.demands
        if not demand.is_kept(start, slack=CONSTRAINT_TOLERANCE)
    ]
    names = tuple(
        tuple(
            dict.fromkeys(
                (*(settling.bodies[number].called for number in demand.bodies), demand.other)
            )
        )
        for demand in broken
    )
    at = max(
        (
            one.at
            for number in broken[0].bodies
            for one in settling.bodies[number].chain
            if any(one.scale)
        ),
        default=0.0,
    )
    times = _needed(state, measured, room, most=MOST / at) if at > 0.0 else None
    return Settled(state, state, (), names, None if times is None else times * at, broken[0].what)


def _needed(
    state: State[Any], measured: Measured, room: SetUpRules, *, most: float
) -> float | None:
    """Return the factor by which the accuracy would have to be larger, to a hundredth, by bisection; None if `most`
    does not suffice.
    """

    def does(play: float) -> bool:
        """Return whether a possible table is found within `play` times the accuracy."""
        return SettleProblem.of(state, measured, room, play=play).nearest() is not None

    low = 1.0
    high = min(2.0, most)
    while not does(high):
        if high >= most:
            return None
        low = high
        high = min(high * 2.0, most)
    while high - low > HUNDREDTH * low:
        middle = (low + high) / 2.0
        low, high = (low, middle) if does(middle) else (middle, high)
    return high

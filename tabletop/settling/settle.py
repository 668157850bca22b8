"""The table that can be and is nearest to what was measured: a least sum of squares under what bodies must keep."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy.optimize import minimize

from tabletop.budget import keep_time
from tabletop.geometry.pose import FloatArray
from tabletop.settling.bodies import Body, bodies_of, table_with
from tabletop.settling.room import Demand, Demands, Room
from tabletop.table.accuracy import Measured
from tabletop.table.state import State
from tabletop.units import CONTACT

KEPT = CONTACT / 2
"""Inches by which rounding may leave a demand unkept."""

ROUNDS = 12
"""How often demands that a step has broken are taken up, before it counts as not settled."""

MOST_NEEDED = 100.0
"""Times the accuracy: what would need more is not asked for."""


HUNDREDTH = 0.01
"""Share to which the accuracy that would do is told."""


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

    Where no table was found, `broken` names what cannot be kept, and `needed` the accuracy in inches that would do for the first of it;
    None if none would.
    """

    measured: State[Any]
    state: State[Any]
    shifts: tuple[Shift, ...] = ()
    broken: tuple[tuple[str, ...], ...] = ()
    needed: float | None = None


@dataclass(frozen=True)
class Settling:
    """A table under settlement: what was measured, and what must be kept."""

    state: State[Any]
    bodies: tuple[Body, ...]
    room: Room
    demands: tuple[Demand, ...]
    play: float = 1.0

    @classmethod
    def of(cls, state: State[Any], measured: Measured, room: Room, *, play: float = 1.0) -> "Settling":
        """Set out what was measured of a table, on which bodies may be so many times their accuracy off."""
        bodies = bodies_of(state, measured)
        return cls(state, bodies, room, tuple(Demands(state.board, bodies, room).near(play)), play)

    @property
    def scale(self) -> FloatArray:
        """What one unit of each variable (n, 3) stands for: the accuracy of each body in inches and radians."""
        return np.array([(body.at, body.at, body.turn) for body in self.bodies]).reshape(-1, 3)

    def nearest(self, wanted: FloatArray | None = None) -> FloatArray | None:
        """Give the units (n, 3) of the admissible table nearest to those wanted (0: as measured); None if none was found."""
        aim = np.zeros((len(self.bodies), 3)) if wanted is None else wanted
        units, taken = aim.copy(), set[int]()
        for _ in range(ROUNDS):
            keep_time()
            broken = {number for number, demand in enumerate(self.demands) if not demand.is_kept(units * self.scale, slack=KEPT)}
            if not broken:
                return units
            if broken <= taken:
                return None
            taken |= broken
            units = self._pushed(aim, sorted(taken))
        return None

    def _pushed(self, aim: FloatArray, taken: list[int]) -> FloatArray:
        """Give the units nearest to those aimed at that keep some demands, as far as a descent finds them."""
        demands = tuple(self.demands[number] for number in taken)
        moving = sorted({number for demand in demands for number in self._touched(demand)})
        free = [(number, axis) for number in moving for axis in range(3) if self.scale[number, axis] > 0.0]
        return _Descent(aim, self.scale, demands, tuple(free)).found(self.play)

    def _touched(self, demand: Demand) -> tuple[int, ...]:
        """Give the numbers of the bodies that can be moved to keep a demand."""
        named = {place for place, body in enumerate(self.bodies) if body.name == demand.other}
        return tuple(number for number in {*demand.bodies, *named} if self.bodies[number].is_free)

    def table(self, units: FloatArray) -> State[Any]:
        """Give the table whose bodies lie so many times their accuracy off."""
        return table_with(self.state, self.bodies, units * self.scale)

    def shifts(self, units: FloatArray) -> tuple[Shift, ...]:
        """Give how far the bodies that moved went."""
        rows = zip(self.bodies, (units * self.scale).tolist(), strict=True)
        return tuple(Shift(body.name, body.number, *aside) for body, aside in rows if any(aside))


@dataclass(frozen=True, eq=False)
class _Descent:
    """The nearest units to those aimed at that keep demands: `free` is what may vary, by body and axis; `scale` makes inches of units."""

    aim: FloatArray
    scale: FloatArray
    demands: tuple[Demand, ...]
    free: tuple[tuple[int, int], ...]

    def found(self, play: float) -> FloatArray:
        """Give the units (n, 3) that SciPy's SLSQP ends with."""
        wanted = self.aim[*np.array(self.free, dtype=int).reshape(-1, 2).T]
        limits: list[dict[str, Any]] = []
        for kind, is_equal in (("ineq", False), ("eq", True)):
            asked = [demand for demand in self.demands if demand.is_equal is is_equal]
            if asked:
                limits.append({"type": kind, "fun": self._slacks, "jac": self._rates, "args": (asked,)})
        if circles := self._circles():
            limits.append({"type": "ineq", "fun": partial(_inside, circles=circles, play=play), "jac": partial(_inward, circles=circles)})
        end = minimize(
            lambda values: float(((values - wanted) ** 2).sum()), wanted, jac=lambda values: 2 * (values - wanted), method="SLSQP",
            bounds=[(-play, play)] * len(self.free), constraints=limits, options={"maxiter": 60, "ftol": 1e-12},
        )  # fmt: skip
        return self._spread(end.x)

    def _spread(self, values: FloatArray) -> FloatArray:
        units = self.aim.copy()
        units[*np.array(self.free, dtype=int).reshape(-1, 2).T] = values
        return units

    def _slacks(self, values: FloatArray, asked: Sequence[Demand]) -> FloatArray:
        asides = self._spread(values) * self.scale
        return np.array([demand.measure(asides)[0] for demand in asked])

    def _rates(self, values: FloatArray, asked: Sequence[Demand]) -> FloatArray:
        asides = self._spread(values) * self.scale
        changes = [demand.measure(asides)[1] for demand in asked]
        nothing = np.zeros(3)
        return np.array(
            [[change.get(body, nothing)[axis] * self.scale[body, axis] for body, axis in self.free] for change in changes]
        ).reshape(len(asked), len(self.free))

    def _circles(self) -> list[tuple[int, int]]:
        """Give the places of x and y among what may vary, of each body that may be shifted."""
        return [(self.free.index((body, 0)), self.free.index((body, 1))) for body, axis in self.free if axis == 0]


def _inside(values: FloatArray, circles: Sequence[tuple[int, int]], play: float) -> FloatArray:
    """Give how far each body is from the rim of its circle, squared."""
    return np.array([play**2 - values[x] ** 2 - values[y] ** 2 for x, y in circles])


def _inward(values: FloatArray, circles: Sequence[tuple[int, int]]) -> FloatArray:
    """Give how that changes."""
    table = np.zeros((len(circles), len(values)))
    for row, (x, y) in enumerate(circles):
        table[row, x], table[row, y] = -2 * values[x], -2 * values[y]
    return table


def settled(state: State[Any], measured: Measured, room: Room) -> Settled:
    """Give the admissible table that is nearest to a measured one."""
    settling = Settling.of(state, measured, room)
    units = settling.nearest()
    if units is not None:
        return Settled(state, settling.table(units), settling.shifts(units))
    start = np.zeros((len(settling.bodies), 3))
    broken = [demand for demand in settling.demands if not demand.is_kept(start, slack=KEPT)]
    names = tuple((*(settling.bodies[number].called for number in demand.bodies), demand.other) for demand in broken)
    times, at = _needed(state, measured, room), max((settling.bodies[number].at for number in broken[0].bodies), default=0.0)
    return Settled(state, state, (), tuple(tuple(dict.fromkeys(one)) for one in names), None if times is None else times * at)


def _needed(state: State[Any], measured: Measured, room: Room) -> float | None:
    """Find how many times the accuracy would do, to a hundredth; None if even very much would not."""

    def does(play: float) -> bool:
        return Settling.of(state, measured, room, play=play).nearest() is not None

    low, high = 1.0, 2.0
    while not does(high):
        low, high = high, high * 2.0
        if high > MOST_NEEDED:
            return None
    while high - low > HUNDREDTH * low:
        middle = (low + high) / 2.0
        low, high = (low, middle) if does(middle) else (middle, high)
    return high

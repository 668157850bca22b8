"""Rolls: the rules ask a roller, which either takes faces or goes through every way that the dice may fall.

What is asked for is a `Draw`: what each total of two dice gives, or each face of one. The course of a charge is so written
once, for faces and for exact chances.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from tabletop.table.dice import SIDES, DiceStream

T = TypeVar("T")

TOTALS = range(2, 2 * SIDES + 1)
"""What two dice may show together."""

_DICE = {1: 0, SIDES: 1, len(TOTALS): 2}


@dataclass(frozen=True, eq=False)
class Draw(Generic[T]):
    """What a roll gives: a result for each total of two dice, for each face of one die, or a single one without dice.

    `ways` are the results that differ in what comes of them, each with its chance.
    """

    results: tuple[T, ...]
    ways: tuple[tuple[T, Fraction], ...]

    @classmethod
    def of(cls, results: Sequence[T], matters: Callable[[T], Hashable] = lambda result: result) -> "Draw[T]":
        """Make a draw; results of which the same matters are one way."""
        weights = _weights(len(results))
        first: dict[Hashable, T] = {}
        chances: dict[Hashable, int] = {}
        for result, weight in zip(results, weights, strict=True):
            key = matters(result)
            first.setdefault(key, result)
            chances[key] = chances.get(key, 0) + weight
        return cls(tuple(results), tuple((first[key], Fraction(chance, sum(weights))) for key, chance in chances.items()))

    @property
    def dice(self) -> int:
        """Number of dice rolled."""
        return _DICE[len(self.results)]

    def shown(self, faces: Sequence[int]) -> T:
        """Give the result of these faces."""
        return self.results[sum(faces) - self.dice]

    def share(self, is_counted: Callable[[T], bool]) -> Fraction:
        """Give the chance of the results that are counted."""
        weights = _weights(len(self.results))
        return Fraction(sum(weight for result, weight in zip(self.results, weights, strict=True) if is_counted(result)), sum(weights))


def _weights(count: int) -> tuple[int, ...]:
    """Give in how many ways the dice show each of so many totals."""
    return tuple(SIDES - abs(total - SIDES - 1) for total in TOTALS) if count == len(TOTALS) else (1,) * count


@dataclass(frozen=True)
class Check:
    """A roll of two dice against a number; `total` is None where it is passed or failed without dice."""

    number: int
    is_passed: bool
    total: int | None = field(default=None, compare=False)


@lru_cache
def check(number: int) -> Draw[Check]:
    """Draw for a roll that must reach a number; without dice where every total reaches it, or none.

    Examples
    --------
    >>> [str(check(number).share(lambda one: one.is_passed)) for number in (2, 6, 8, 13)]
    ['1', '13/18', '5/12', '0']
    """
    if number <= TOTALS[0] or number > TOTALS[-1]:
        return Draw.of((Check(number, number <= TOTALS[0]),))
    return Draw.of(tuple(Check(number, total >= number, total) for total in TOTALS))


def chance_to_pass(number: int) -> Fraction:
    """Give the chance that two dice reach a number."""
    return check(number).share(lambda one: one.is_passed)


FACE = Draw.of(tuple(range(1, SIDES + 1)))
"""One die, all faces of which differ."""


class Roller(Protocol):
    """Who rolls."""

    def pick(self, draw: Draw[T], what: str, *, is_told: bool = False) -> T:
        """Roll for what is drawn; `is_told` says that nothing more comes of the result than to be told."""
        ...

    def repeat(self, step: "Step[T]", state: T, *, times: int, is_told: bool = False) -> T:
        """Take a step so many times, each from the state that the last one left; equal states are those of which the same comes."""
        ...


Step = Callable[[T, Roller], T]
"""What one of several equal rolls makes of a state."""


@dataclass(frozen=True)
class Faces:
    """Takes natural faces, in the order in which the rules roll them; `taken` are the last ones of what was rolled for, by its name."""

    hand: DiceStream
    taken: dict[str, tuple[int, ...]] = field(default_factory=dict, compare=False)

    def pick(self, draw: Draw[T], what: str, *, is_told: bool = False) -> T:  # noqa: ARG002 - faces are taken for all rolls
        """Take the faces of a roll."""
        self.taken[what] = self.hand.take(draw.dice, what) if draw.dice else ()
        return draw.shown(self.taken[what])

    def repeat(self, step: Step[T], state: T, *, times: int, is_told: bool = False) -> T:  # noqa: ARG002 - as above
        """Take a step so many times."""
        for _ in range(times):
            state = step(state, self)
        return state

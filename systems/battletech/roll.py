"""Rolls: the rules ask a roller, which either takes given faces or enumerates all results for exact chances.

Each question is a `RollTable`: the result for each total of two dice, or for each face of one. The course of a charge
is thus written once, for given faces and for exact chances; it is reported for given faces only.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from systems.battletech.rules import PREFIX
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Assumed, Finding
from tabletop.table.dice import SIDES, DiceStream

T = TypeVar("T")

TWO_DICE_TOTALS = range(2, 2 * SIDES + 1)
"""Possible totals of two dice."""

_DICE = {1: 0, SIDES: 1, len(TWO_DICE_TOTALS): 2}


@dataclass(frozen=True, eq=False)
class RollTable(Generic[T]):
    """A roll table: a result for each total of two dice, for each face of one die, or a single one without dice.

    `ways` are the results that differ in their consequences, each with its probability.
    """

    results: tuple[T, ...]
    ways: tuple[tuple[T, Fraction], ...]

    @classmethod
    def of(
        cls, results: Sequence[T], matters: Callable[[T], Hashable] = lambda result: result
    ) -> "RollTable[T]":
        """Return a roll table of results by ascending total; those for which `matters` gives equal keys are merged in
        `ways`.
        """
        weights = _weights(len(results))
        first: dict[Hashable, T] = {}
        chances: dict[Hashable, int] = {}
        for result, weight in zip(results, weights, strict=True):
            key = matters(result)
            first.setdefault(key, result)
            chances[key] = chances.get(key, 0) + weight
        return cls(
            tuple(results),
            tuple((first[key], Fraction(chance, sum(weights))) for key, chance in chances.items()),
        )

    @property
    def dice(self) -> int:
        """Number of dice rolled: 0, 1 or 2."""
        return _DICE[len(self.results)]

    def shown(self, faces: Sequence[int]) -> T:
        """Return the result for these faces."""
        return self.results[sum(faces) - self.dice]

    def share(self, is_counted: Callable[[T], bool]) -> Fraction:
        """Return the probability of the results that satisfy a condition."""
        weights = _weights(len(self.results))
        return Fraction(
            sum(
                weight
                for result, weight in zip(self.results, weights, strict=True)
                if is_counted(result)
            ),
            sum(weights),
        )


def _weights(count: int) -> tuple[int, ...]:
    """Return the number of throws that give each of `count` results: of two dice for 11 results, else one each."""
    return (
        tuple(SIDES - abs(total - SIDES - 1) for total in TWO_DICE_TOTALS)
        if count == len(TWO_DICE_TOTALS)
        else (1,) * count
    )


@dataclass(frozen=True)
class Check:
    """A roll of two dice against a number; `total` is None if it is passed or failed without dice."""

    number: int
    is_passed: bool
    total: int | None = field(default=None, compare=False)


@lru_cache
def check(number: int) -> RollTable[Check]:
    """Return the roll table of a check of two dice against a number; without dice if every total passes, or none.

    Examples
    --------
    >>> [str(check(number).share(lambda one: one.is_passed)) for number in (2, 6, 8, 13)]
    ['1', '13/18', '5/12', '0']
    """
    if number <= TWO_DICE_TOTALS[0] or number > TWO_DICE_TOTALS[-1]:
        return RollTable.of((Check(number, number <= TWO_DICE_TOTALS[0]),))
    return RollTable.of(tuple(Check(number, total >= number, total) for total in TWO_DICE_TOTALS))


def chance_to_pass(number: int) -> Fraction:
    """Return the probability that the total of two dice reaches a number."""
    return check(number).share(lambda one: one.is_passed)


FACE = RollTable.of(tuple(range(1, SIDES + 1)))
"""One die with six different faces."""


@dataclass
class ChargeReport:
    """The report of a charge: findings, steps and metrics, collected while it is resolved.

    `faces` are the last faces taken for each name of a roll; `motive` are words for figures, one for each motive roll
    of the charge itself.
    """

    findings: list[Finding] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    metrics: dict[str, Metric] = field(default_factory=dict)
    faces: dict[str, tuple[int, ...]] = field(default_factory=dict)
    motive: list[str] = field(default_factory=list)

    def finding(
        self,
        rule: str,
        text: str,
        *,
        ok: bool = True,
        measured: float | None = None,
        limit: float | None = None,
        has_margin: bool = False,
        using: tuple[Assumed, ...] = (),
        mark: Mark | None = None,
    ) -> None:
        """Add a finding of a rule by its short name.

        With `has_margin` the difference of the two numbers is its margin, negative if it is broken; `using` are
        defaults of missing profile values.
        """
        margin = (
            abs(measured - limit) * (1 if ok else -1)
            if has_margin and measured is not None and limit is not None
            else None
        )
        self.findings.append(
            Finding(PREFIX + rule, ok, text, measured, limit, margin, mark=mark).using(*using)
        )

    def step(
        self,
        kind: str,
        unit: str,
        *rules: str,
        poses: tuple[Pose | None, Pose | None] = (None, None),
        text: str = "",
    ) -> None:
        """Add a step of a unit with the short names of its rules, from one pose to another if it moves."""
        self.steps.append(
            Step(kind, unit, *poses, rules=tuple(PREFIX + rule for rule in rules), text=text)
        )

    def extend(self, metric: str, *values: Metric) -> None:
        """Append values to a metric that is a list."""
        self.metrics.setdefault(metric, []).extend(values)

    def add(self, metric: str, amount: int) -> None:
        """Add an amount to a metric that is a sum."""
        self.metrics[metric] = self.metrics.get(metric, 0) + amount

    def drop_aim(self, *, at_another: bool) -> None:
        """Remove the metrics of an earlier to-hit roll, since metrics describe the last collision.

        If the next roll is `at_another` unit, the metrics of the former target's rolls and fall are removed too.
        """
        past = (
            "tn",
            "roll",
            *(("psr_target", "fall_damage_target", "pilot_hits_target") if at_another else ()),
        )
        self.metrics = {
            name: value
            for name, value in self.metrics.items()
            if name not in past and not name.startswith("to_hit_")
        }


class Roller(Protocol):
    """Interface of rollers, which answer the rolls that the rules ask for."""

    @property
    def report(self) -> ChargeReport | None:
        """The report to which tasks add; None while chances are enumerated."""
        ...

    def pick(self, draw: RollTable[T], what: str, *, is_reported: bool = False) -> T:
        """Return a result of a roll table for the roll named `what`; `is_reported` if nothing later depends on the
        result.
        """
        ...

    def repeat(
        self, step: "Transition[T]", state: T, *, times: int, is_reported: bool = False
    ) -> T:
        """Return the state after a step repeated `times` times; `is_reported` if nothing later depends on it."""
        ...


Transition = Callable[[T, Roller], T]
"""What one of several equal rolls does to a state."""


@dataclass(frozen=True)
class Faces:
    """Roller that takes given faces in the order of the rules, and reports them."""

    hand: DiceStream
    report: ChargeReport = field(default_factory=ChargeReport, compare=False)

    def pick(self, draw: RollTable[T], what: str, *, is_reported: bool = False) -> T:  # noqa: ARG002 - faces are taken for all rolls
        """Return the result of a roll table for the next given faces."""
        self.report.faces[what] = self.hand.take(draw.dice, what) if draw.dice else ()
        return draw.shown(self.report.faces[what])

    def repeat(self, step: Transition[T], state: T, *, times: int, is_reported: bool = False) -> T:  # noqa: ARG002 - as above
        """Return the state after a step repeated `times` times, each with the next given faces."""
        for _ in range(times):
            state = step(state, self)
        return state

"""Exact chances of charges: by outcome, total and rule, of joint outcomes, and as maps over many poses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tabletop.geometry.arrays import FloatArray
from tabletop.ruling.charge import OUTCOMES, AskedCase, Charge, Metric, OddsOutcome
from tabletop.ruling.verdict import ImageRepr, TableRepr, in_line


@dataclass(frozen=True)
class TotalOdds:
    """One total of a charge's roll: its chance, and how it divides among the outcomes."""

    total: int
    chance: Fraction
    outcomes: Mapping[OddsOutcome, Fraction]

    @property
    def outcome(self) -> OddsOutcome:
        """The most likely outcome of this total; of equally likely ones the better."""
        order: tuple[OddsOutcome, ...] = (*OUTCOMES, "undecided")
        return max(order, key=lambda outcome: self.outcomes.get(outcome, Fraction(0)))


@dataclass(frozen=True)
class ChargeOdds:
    """Exact chances of one charge over all dice of all charges.

    `outcomes` holds every outcome, chances of 0 included, and "undecided" where a search left something open; `rules` the chance of each
    rule that decides against success, likeliest first. `by_total` lists the totals of the charge's own roll upwards; it is empty if nothing
    is rolled on any table that the earlier charges may leave, and where it is rolled on some only, the totals count on the others as the
    dice fall. `metrics` holds whatever else the system tells of the chances. `shortest_roll_range` gives the least and the greatest
    shortest roll (None: no roll succeeds) that may be, and `chance_success_range` those chances of success, where they are not proved,
    and of a measured table on those that were searched within the accuracy.
    """

    charge: Charge
    outcomes: Mapping[OddsOutcome, Fraction]
    rules: Mapping[str, Fraction] = field(default_factory=dict)
    by_total: tuple[TotalOdds, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    shortest_roll_range: tuple[int | None, int | None] | None = None
    chance_success_range: tuple[Fraction, Fraction] | None = None

    @property
    def is_proved(self) -> bool:
        """Whether the result of every roll is known."""
        return not self.outcomes.get("undecided")

    @property
    def shortest_roll(self) -> int | None:
        """The smallest total with which the charge can succeed; None if there is none, or it is not proved."""
        least, greatest = self.shortest_rolls
        return least if least == greatest else None

    @property
    def shortest_rolls(self) -> tuple[int | None, int | None]:
        """The smallest total with which it may succeed, and with which it is known to; None: no total."""
        sure = next((one.total for one in self.by_total if one.outcomes.get("success")), None)
        may = (one.total for one in self.by_total if one.outcomes.get("success") or one.outcomes.get("undecided"))
        return next(may, None), sure

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """Lower and upper bound of the chance of success; equal where it is proved."""
        sure = self.outcomes["success"]
        return sure, sure + self.outcomes.get("undecided", Fraction(0))

    @property
    def line(self) -> str:
        """Who charges whom, and the chances of the outcomes."""
        return f"{self.charge.label}, " + ", ".join(f"{outcome} {chance}" for outcome, chance in self.outcomes.items() if chance)

    def __repr__(self) -> str:
        return in_line(self, [self.line])


@dataclass(frozen=True)
class Odds(ImageRepr, TableRepr):
    """Exact chances of all charges of a file, in file order; `joint` are those of joint outcomes, likeliest first.

    `case` is what was asked, known where `tabletop.odds` has answered.
    """

    charges: tuple[ChargeOdds, ...]
    joint: Mapping[tuple[OddsOutcome, ...], Fraction]
    case: AskedCase | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return in_line(self, (charge.line for charge in self.charges))


Key = TypeVar("Key")


@dataclass(frozen=True)
class Ending:
    """One ending of a charge: the outcome, the rule that decides against success, its chance, and the total if one is rolled."""

    outcome: OddsOutcome
    rule: str | None
    chance: Fraction
    total: int | None = None

    def times(self, chance: Fraction) -> "Ending":
        """Return the same with its chance multiplied by that of the table."""
        return replace(self, chance=self.chance * chance)


def charge_odds(charge: Charge, verdicts: Sequence[Ending], by_total: Iterable[TotalOdds]) -> ChargeOdds:
    """Return the sums of chances by outcome, and by rule that decides against success."""
    refusals = ((verdict.rule, verdict.chance) for verdict in verdicts if verdict.rule is not None)
    outcomes = outcome_chances((verdict.outcome, verdict.chance) for verdict in verdicts)
    found = ChargeOdds(charge, outcomes, likeliest_first(refusals), tuple(by_total))
    if found.is_proved:
        return found
    return replace(found, shortest_roll_range=found.shortest_rolls, chance_success_range=found.chances)


def told_of_roll(rolls: tuple[int | None, int | None], chances: tuple[Fraction, Fraction]) -> dict[str, Any]:
    """Return the fields of a ruling that describe its roll: ranges where the chance is not proved.

    Parameters
    ----------
    rolls
        The least total that may succeed, and the least that is known to; None: no total does.
    chances
        The least and the greatest that the chance of success may be.
    """
    told: dict[str, Any] = {"shortest_roll": rolls[0] if rolls[0] == rolls[1] else None}
    if chances[0] == chances[1]:
        return {**told, "chance_success": chances[0]}
    return {**told, "chance_success": None, "shortest_roll_range": rolls, "chance_success_range": chances}


def by_total(verdicts: Sequence[Ending], plain: Mapping[int, Fraction]) -> tuple[TotalOdds, ...]:
    """Return the chances by total and outcome; empty if nothing is ever rolled.

    On tables where the charge may not be declared its dice decide nothing: they are shared out as they fall, by the chances
    `plain` of one throw, so that the totals add up to the whole.
    """
    rolled = [(verdict.total, verdict) for verdict in verdicts if verdict.total is not None]
    if not rolled:
        return ()
    idle = [(total, verdict.times(chance)) for verdict in verdicts if verdict.total is None for total, chance in plain.items()]
    found: dict[int, list[Ending]] = {}
    for total, verdict in (*rolled, *idle):
        found.setdefault(total, []).append(verdict)
    return tuple(_total_odds(total, found[total]) for total in sorted(found))


def _total_odds(total: int, verdicts: Sequence[Ending]) -> TotalOdds:
    chance = sum((verdict.chance for verdict in verdicts), Fraction(0))
    return TotalOdds(total, chance, outcome_chances((verdict.outcome, verdict.chance) for verdict in verdicts))


def outcome_chances(found: Iterable[tuple[OddsOutcome, Fraction]]) -> Mapping[OddsOutcome, Fraction]:
    """Return the chances by outcome; every outcome occurs, with 0 if it never happens, "undecided" only if there is any."""
    return {**dict.fromkeys(OUTCOMES, Fraction(0)), **added(found)}


def likeliest_first(found: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Return sums of chances, the likeliest first.

    Examples
    --------
    >>> likeliest_first([("a", Fraction(1, 6)), ("b", Fraction(1, 2)), ("a", Fraction(1, 6))])
    {'b': Fraction(1, 2), 'a': Fraction(1, 3)}
    """
    return dict(sorted(added(found).items(), key=lambda entry: -entry[1]))


def added(found: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Return sums of chances by key, in order of first occurrence."""
    sums: dict[Key, Fraction] = {}
    for key, chance in found:
        sums[key] = sums.get(key, Fraction(0)) + chance
    return sums


@dataclass(frozen=True, eq=False)
class ChanceMap:
    """The first charge of a case with its target at n poses: all arrays (n,).

    Attributes
    ----------
    chance
        What `resolve` gives as the chance of the charge; nan where the set-up cannot be.
    shortest_roll
        The least roll with which it can succeed; nan where there is none.
    is_decided
        Whether the two are known; where they are not, `resolve` must be asked.
    """

    chance: FloatArray
    shortest_roll: FloatArray
    is_decided: NDArray[np.bool_]

    @classmethod
    def unknown(cls, count: int) -> "ChanceMap":
        """Return a map of `count` places of which nothing is known."""
        return cls(np.full(count, np.nan), np.full(count, np.nan), np.zeros(count, dtype=bool))

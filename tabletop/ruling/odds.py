"""Exact chances of charges: by outcome, total and rule, of joint outcomes, and as maps over many poses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tabletop.geometry.arrays import FloatArray
from tabletop.ruling.charge import OUTCOMES, AskedCase, Charge, Metric, OddsOutcome
from tabletop.ruling.presented import ImageRepr, TableRepr
from tabletop.ruling.verdict import in_line


@dataclass(frozen=True)
class TotalOdds:
    """The odds of one total of a charge's dice.

    `chance` is that of the total; `outcomes` are the chances that it is rolled and the charge ends so, which add up to
    `chance`.
    """

    total: int
    chance: Fraction
    outcomes: Mapping[OddsOutcome, Fraction]

    @property
    def outcome(self) -> OddsOutcome:
        """The most likely outcome of this total; of equally likely ones the first of success, failed, not_allowed,
        undecided.
        """
        order: tuple[OddsOutcome, ...] = (*OUTCOMES, "undecided")
        return max(order, key=lambda outcome: self.outcomes.get(outcome, Fraction(0)))


@dataclass(frozen=True)
class ChargeOdds(TableRepr):
    """Exact chances of one charge over all dice of all charges.

    Attributes
    ----------
    charge
        The charge.
    outcomes
        Chance of every outcome, 0 included; "undecided" only where a search ended before the outcome was known.
    rules
        Chance of each rule that decides against success, the likeliest first.
    by_total
        The odds of each total of the charge's own dice, in increasing order; empty if nothing is rolled on any table
        that the earlier charges may leave. On tables where it rolls nothing its dice count as if rolled, so that all
        chances add up to 1.
    metrics
        Further results of the game system, by name.
    shortest_roll_range
        Where the chances are not proved or the table was measured: bounds of the smallest total that succeeds (None: no
        total does).
    chance_success_range
        Likewise the bounds of the chance of success; on a measured table over the tables searched within its accuracy.
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
        """Whether the outcome of every roll is known, so that no chance is "undecided"."""
        return not self.outcomes.get("undecided")

    @property
    def shortest_roll(self) -> int | None:
        """The smallest total with which the charge can succeed; None if there is none or it is not proved."""
        least, greatest = self.shortest_rolls
        return least if least == greatest else None

    @property
    def shortest_rolls(self) -> tuple[int | None, int | None]:
        """The smallest total with which the charge may succeed, and the smallest with which it is known to; None: no
        total.
        """
        sure = next((one.total for one in self.by_total if one.outcomes.get("success")), None)
        may = (
            one.total
            for one in self.by_total
            if one.outcomes.get("success") or one.outcomes.get("undecided")
        )
        return next(may, None), sure

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """Lower and upper bound of the chance of success, from 0 to 1; equal if it is proved."""
        sure = self.outcomes["success"]
        return sure, sure + self.outcomes.get("undecided", Fraction(0))

    @property
    def line(self) -> str:
        """Text for `repr`: who charges whom, and the chance of each outcome that is possible."""
        return f"{self.charge.label}, " + ", ".join(
            f"{outcome} {chance}" for outcome, chance in self.outcomes.items() if chance
        )

    def __repr__(self) -> str:
        return in_line(self, [self.line])


@dataclass(frozen=True)
class Odds(ImageRepr, TableRepr):
    """Exact chances of all charges of a file, in file order.

    `joint` are the chances of joint outcomes, one outcome for each charge in file order, the likeliest first. `case` is
    the case that was asked, if `tabletop.odds` answered.
    """

    charges: tuple[ChargeOdds, ...]
    joint: Mapping[tuple[OddsOutcome, ...], Fraction]
    case: AskedCase | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return in_line(self, (charge.line for charge in self.charges))


Key = TypeVar("Key")


@dataclass(frozen=True)
class Ending:
    """One possible ending of a charge: the outcome, the rule that decides against success, its chance, and the total if
    one is rolled.
    """

    outcome: OddsOutcome
    rule: str | None
    chance: Fraction
    total: int | None = None

    def times(self, chance: Fraction) -> "Ending":
        """Return the ending with its chance multiplied by another one, such as that of the table on which it
        happens.
        """
        return replace(self, chance=self.chance * chance)


def charge_odds(
    charge: Charge, verdicts: Sequence[Ending], by_total: Iterable[TotalOdds]
) -> ChargeOdds:
    """Return the odds of a charge from all its possible endings: their chances added up by outcome and by deciding
    rule.

    Parameters
    ----------
    charge
        The charge.
    verdicts
        Its possible endings, with chances that add up to 1.
    by_total
        The odds of each total of its dice.
    """
    refusals = ((verdict.rule, verdict.chance) for verdict in verdicts if verdict.rule is not None)
    outcomes = outcome_chances((verdict.outcome, verdict.chance) for verdict in verdicts)
    found = ChargeOdds(charge, outcomes, likeliest_first(refusals), tuple(by_total))
    if found.is_proved:
        return found
    return replace(
        found, shortest_roll_range=found.shortest_rolls, chance_success_range=found.chances
    )


def told_of_roll(
    rolls: tuple[int | None, int | None], chances: tuple[Fraction, Fraction]
) -> dict[str, Any]:
    """Return the fields of a `Ruling` that describe the roll and the chance: single values if they are proved, else
    ranges.

    Parameters
    ----------
    rolls
        The smallest total that may succeed, and the smallest that is known to; None: no total does.
    chances
        Lower and upper bound of the chance of success.
    """
    told: dict[str, Any] = {"shortest_roll": rolls[0] if rolls[0] == rolls[1] else None}
    if chances[0] == chances[1]:
        return {**told, "chance_success": chances[0]}
    return {
        **told,
        "chance_success": None,
        "shortest_roll_range": rolls,
        "chance_success_range": chances,
    }


def by_total(verdicts: Sequence[Ending], plain: Mapping[int, Fraction]) -> tuple[TotalOdds, ...]:
    """Return the odds of each total, in increasing order, from all possible endings of a charge; empty if nothing is
    ever rolled.

    `plain` are the chances of each total of one throw. An ending without a total, on a table where the charge may not
    be declared, is divided among the totals by these chances, so that all add up to 1.
    """
    rolled = [(verdict.total, verdict) for verdict in verdicts if verdict.total is not None]
    if not rolled:
        return ()
    idle = [
        (total, verdict.times(chance))
        for verdict in verdicts
        if verdict.total is None
        for total, chance in plain.items()
    ]
    found: dict[int, list[Ending]] = {}
    for total, verdict in (*rolled, *idle):
        found.setdefault(total, []).append(verdict)
    return tuple(_total_odds(total, found[total]) for total in sorted(found))


def _total_odds(total: int, verdicts: Sequence[Ending]) -> TotalOdds:
    chance = sum((verdict.chance for verdict in verdicts), Fraction(0))
    return TotalOdds(
        total, chance, outcome_chances((verdict.outcome, verdict.chance) for verdict in verdicts)
    )


def outcome_chances(
    found: Iterable[tuple[OddsOutcome, Fraction]],
) -> Mapping[OddsOutcome, Fraction]:
    """Return the chance of each outcome, added up over pairs of outcome and chance.

    Every outcome occurs, with 0 if it never happens; "undecided" occurs only if there is any.
    """
    return {**dict.fromkeys(OUTCOMES, Fraction(0)), **added(found)}


def likeliest_first(found: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Return chances added up by key, the likeliest key first.

    Examples
    --------
    >>> likeliest_first([("a", Fraction(1, 6)), ("b", Fraction(1, 2)), ("a", Fraction(1, 6))])
    {'b': Fraction(1, 2), 'a': Fraction(1, 3)}
    """
    return dict(sorted(added(found).items(), key=lambda entry: -entry[1]))


def added(found: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Return chances added up by key, keys in order of first occurrence."""
    sums: dict[Key, Fraction] = {}
    for key, chance in found:
        sums[key] = sums.get(key, Fraction(0)) + chance
    return sums


@dataclass(frozen=True, eq=False)
class ChanceMap:
    """Chances of the first charge of a case with its target placed at each of n poses; all arrays (n,).

    Attributes
    ----------
    chance
        The chance of success as `resolve` gives it; nan where the set-up is impossible or the chance is not known.
    shortest_roll
        The smallest total with which the charge can succeed; nan where there is none or it is not known.
    is_decided
        Whether the two are known; elsewhere `resolve` must be called.
    """

    chance: FloatArray
    shortest_roll: FloatArray
    is_decided: NDArray[np.bool_]

    @classmethod
    def unknown(cls, count: int) -> "ChanceMap":
        """Return a map of `count` poses of which nothing is known yet."""
        return cls(np.full(count, np.nan), np.full(count, np.nan), np.zeros(count, dtype=bool))

"""Folding what may happen into exact chances."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar

from tabletop.ruling.charge import OUTCOMES, Charge, Outcome
from tabletop.ruling.odds import ChargeOdds, TotalOdds

Key = TypeVar("Key")


@dataclass(frozen=True)
class Ending:
    """How one charge may end: the outcome, the rule that decides against success, the chance of it, and the total if one is rolled."""

    outcome: Outcome
    rule: str | None
    chance: Fraction
    total: int | None = None

    def times(self, chance: Fraction) -> "Ending":
        """Return the same on a table that is there only with a chance."""
        return replace(self, chance=self.chance * chance)


def charge_odds(charge: Charge, verdicts: Sequence[Ending], by_total: Iterable[TotalOdds]) -> ChargeOdds:
    """Add up the chances of one charge's outcomes, and of the rules that decide against success."""
    refusals = ((verdict.rule, verdict.chance) for verdict in verdicts if verdict.rule is not None)
    outcomes = outcome_chances((verdict.outcome, verdict.chance) for verdict in verdicts)
    return ChargeOdds(charge, outcomes, likeliest_first(refusals), tuple(by_total))


def by_total(verdicts: Sequence[Ending], plain: Mapping[int, Fraction]) -> tuple[TotalOdds, ...]:
    """Share the chance of each total among the outcomes; there are no totals where none is ever rolled.

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


def outcome_chances(found: Iterable[tuple[Outcome, Fraction]]) -> Mapping[Outcome, Fraction]:
    """Add up the chances of outcomes; every outcome is there, with 0 if it never happens."""
    return {**dict.fromkeys(OUTCOMES, Fraction(0)), **added(found)}


def likeliest_first(found: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Add up the chances of whatever may happen, the likeliest first.

    Examples
    --------
    >>> likeliest_first([("a", Fraction(1, 6)), ("b", Fraction(1, 2)), ("a", Fraction(1, 6))])
    {'b': Fraction(1, 2), 'a': Fraction(1, 3)}
    """
    return dict(sorted(added(found).items(), key=lambda entry: -entry[1]))


def added(found: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Add up chances by what they are of, in the order in which it is first found."""
    sums: dict[Key, Fraction] = {}
    for key, chance in found:
        sums[key] = sums.get(key, Fraction(0)) + chance
    return sums

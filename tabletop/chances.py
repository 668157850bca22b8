"""Folding what may happen into exact chances."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from tabletop.ruling import OUTCOMES, Charge, ChargeOdds, Outcome, TotalOdds

Key = TypeVar("Key")


@dataclass(frozen=True)
class Verdict:
    """How one charge may end: the outcome, the rule that decides against success, and the chance of it."""

    outcome: Outcome
    rule: str | None
    chance: Fraction


def charge_odds(charge: Charge, verdicts: Sequence[Verdict], by_total: Iterable[TotalOdds]) -> ChargeOdds:
    """Add up the chances of one charge's outcomes, and of the rules that decide against success."""
    refusals = ((verdict.rule, verdict.chance) for verdict in verdicts if verdict.rule is not None)
    outcomes = outcome_chances((verdict.outcome, verdict.chance) for verdict in verdicts)
    return ChargeOdds(charge, outcomes, likeliest_first(refusals), tuple(by_total))


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

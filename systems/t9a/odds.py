"""Exact chances. A roll only decides whether its charge is in range, so each combination of in range and short is resolved once.

Every such pattern is resolved with dice that give it, and its rulings are weighted with its chance. This covers combined charges
and charges that take each other's room.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod

from systems.t9a.combined.group import SearchEffort
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError, message_of
from tabletop.messages import say
from tabletop.ruling.charge import Charge, OddsOutcome
from tabletop.ruling.odds import ChargeOdds, Ending, Odds, TotalOdds, charge_odds, likeliest_first, outcome_chances
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import SIDES, chance_at_least, chance_of

MOST_UNDECIDED = 10
"""Limit of undecided charges in a file: each doubles the number of patterns."""

MOST_LOOKS = 4000
"""Limit of search effort over all patterns, in reach queries times chargers."""

ALWAYS_SETTLED = 3
"""Number of undecided charges up to which all patterns are resolved without an effort limit."""


@dataclass(frozen=True)
class RangeRoll:
    """Range roll of one charge: the natural face needed and the extra dice; `is_made` unless the charge may not be declared."""

    needed: int
    extra_dice: int
    is_made: bool

    @property
    def chance(self) -> Fraction:
        """Chance that the roll is enough."""
        return chance_at_least(self.needed, self.extra_dice)

    @property
    def ways(self) -> tuple[bool, ...]:
        """Possible results: True (in range), False (short); only True if nothing is rolled."""
        return tuple(reaches for reaches in (True, False) if self.weight(reaches=reaches))

    def weight(self, *, reaches: bool) -> Fraction:
        """Return the chance of one result; a roll that is not made counts as in range for certain."""
        if not self.is_made:
            return Fraction(int(reaches))
        return self.chance if reaches else 1 - self.chance


@dataclass(frozen=True)
class SettledPattern:
    """One pattern of range results, its chance, and its resolution."""

    reaches: tuple[bool, ...]
    chance: Fraction
    rulings: tuple[Ruling, ...]

    @cached_property
    def ends(self) -> tuple[tuple[OddsOutcome, str | None], ...]:
        """Outcomes and deciding rules, in file order.

        If a charger in range has no proved result, the outcomes of all charges in range are "undecided".
        """
        is_open = self.left_out is not None
        return tuple(
            ("undecided", None) if is_open and reaches and ruling.outcome != "not_allowed" else (ruling.outcome, ruling.rule)
            for ruling, reaches in zip(self.rulings, self.reaches, strict=True)
        )

    @property
    def left_out(self) -> str | None:
        """A charger for which no room was found, without proof that there is none."""
        return next((one.charge.charger for one in self.rulings if one.outcome == "failed" and one.proof == "best_found"), None)


@dataclass(frozen=True)
class Patterns:
    """All patterns of range results of a case: `settle` resolves one, `looks` counts its search effort."""

    charges: Sequence[Charge]
    rolls: tuple[RangeRoll, ...]
    budget: Budget
    looks: SearchEffort
    settle: Callable[[Sequence[bool]], Sequence[Ruling]]

    def odds(self) -> Odds:
        """Return the exact chances of all charges; raises as `worlds` does."""
        worlds = self.worlds()
        charges = tuple(_charge_odds(charge, number, self.rolls[number], worlds) for number, charge in enumerate(self.charges))
        return Odds(charges, likeliest_first((tuple(outcome for outcome, _ in world.ends), world.chance) for world in worlds))

    def worlds(self) -> tuple[SettledPattern, ...]:
        """Return all patterns resolved, beginning with the one in which every charge is in range.

        Raises
        ------
        NoVerdictError
            If there are too many, a limit is reached, or one of them is not proved.
        """
        if len(self._undecided) > MOST_UNDECIDED:
            raise NoVerdictError("{told}; at most {most} are tried", told=self._told(MOST_UNDECIDED), most=2**MOST_UNDECIDED)
        return tuple(self._settled(pattern) for pattern in product(*(roll.ways for roll in self.rolls)))

    @property
    def _undecided(self) -> list[int]:
        """Numbers of the charges that may be in range or fall short."""
        return [number for number, roll in enumerate(self.rolls) if len(roll.ways) > 1]

    def _told(self, place: int) -> str:
        """Return words that name one of the undecided charges and the number of tables."""
        undecided = self._undecided or [0]
        number = undecided[place]
        charge = self.charges[number]
        parts = {"number": number, "charger": charge.charger, "targets": ", ".join(charge.targets)}
        told = say("charges[{number}] ({charger} charges {targets})", **parts)
        if len(undecided) == 1:
            return told
        many, tables = len(undecided), 2 ** len(undecided)
        among = "{told} is one of {count} charges that may reach or fall short; together they can lead to {tables} different tables"
        return say(among, told=told, count=many, tables=tables)

    def _settled(self, pattern: tuple[bool, ...]) -> SettledPattern:
        """Return a pattern resolved; raise NoVerdictError at a limit."""
        if self.budget.is_spent(0):
            raise NoVerdictError("the time was used up before every throw of the dice was settled: {told}", told=self._told(-1))
        if self.looks.taken > MOST_LOOKS and len(self._undecided) > ALWAYS_SETTLED:
            message = "{told}; the search for room ended at its limit of work before all of them were settled"
            raise NoVerdictError(message, told=self._told(-1))
        try:
            rulings = tuple(self.settle(pattern))
        except NoVerdictError as error:
            raise NoVerdictError("{told}: {error}", told=self._told(-1), error=message_of(error)) from None
        chance = prod((roll.weight(reaches=reaches) for roll, reaches in zip(self.rolls, pattern, strict=True)), start=Fraction(1))
        found = SettledPattern(pattern, chance, rulings)
        if found.left_out is not None and not self._undecided:
            message = "{told}: whether {charger} has room beside the others could not be determined"
            raise NoVerdictError(message, told=self._told(-1), charger=found.left_out)
        return found


def _charge_odds(charge: Charge, number: int, roll: RangeRoll, worlds: Sequence[SettledPattern]) -> ChargeOdds:
    verdicts = [Ending(*world.ends[number], world.chance) for world in worlds]
    totals = (_total_odds(face, number, roll, worlds) for face in range(1, SIDES + 1))
    return charge_odds(charge, verdicts, totals if roll.is_made else ())


def _total_odds(face: int, number: int, roll: RangeRoll, worlds: Sequence[SettledPattern]) -> TotalOdds:
    """Return the odds summed over all patterns."""
    reaches, chance = face >= roll.needed, chance_of(face, roll.extra_dice)
    share = chance / roll.weight(reaches=reaches)
    found = ((world.ends[number][0], world.chance * share) for world in worlds if world.reaches[number] == reaches)
    return TotalOdds(face, chance, outcome_chances(found))

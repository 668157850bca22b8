"""Exact chances: what a roll decides is only whether it reaches, so each pattern of reaching is resolved once.

The charges are resolved for every pattern that the dice can give, with faces that realise it, and the rulings are
weighted with the pattern's chance. Charges that take each other's room, and combined charges, need nothing beyond that.
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
"""Charges of one file that may both reach and fall short: their patterns are resolved one by one."""

MOST_LOOKS = 4000
"""What the searches for several chargers of one target may take in all patterns together, in looks times chargers."""

ALWAYS_SETTLED = 3
"""Charges that may both reach and fall short whose patterns are all resolved, whatever that takes."""


@dataclass(frozen=True)
class RangeRoll:
    """The range roll of one charge: the natural face needed, and the dice beyond one; `is_made` unless it may not be declared."""

    needed: int
    extra_dice: int
    is_made: bool

    @property
    def chance(self) -> Fraction:
        """Chance that it reaches."""
        return chance_at_least(self.needed, self.extra_dice)

    @property
    def ways(self) -> tuple[bool, ...]:
        """Whether it can reach, and whether it can fall short; one way that stands for none if nothing is rolled."""
        return tuple(reaches for reaches in (True, False) if self.weight(reaches=reaches))

    def weight(self, *, reaches: bool) -> Fraction:
        """Return the chance of one way; a roll that is not made goes one way for certain."""
        if not self.is_made:
            return Fraction(int(reaches))
        return self.chance if reaches else 1 - self.chance


@dataclass(frozen=True)
class SettledPattern:
    """One pattern of reaching, its chance, and what follows from it."""

    reaches: tuple[bool, ...]
    chance: Fraction
    rulings: tuple[Ruling, ...]

    @cached_property
    def ends(self) -> tuple[tuple[OddsOutcome, str | None], ...]:
        """Outcomes and rules in file order.

        Where no room was found for somebody, and it is not proved that there is none, it is open which of those who reach complete.
        """
        is_open = self.left_out is not None
        return tuple(
            ("undecided", None) if is_open and reaches and ruling.outcome != "not_allowed" else (ruling.outcome, ruling.rule)
            for ruling, reaches in zip(self.rulings, self.reaches, strict=True)
        )

    @property
    def left_out(self) -> str | None:
        """Somebody for whom no room was found, though it is not proved that there is none."""
        return next((one.charge.charger for one in self.rulings if one.outcome == "failed" and one.proof == "best_found"), None)


@dataclass(frozen=True)
class Patterns:
    """Every pattern of reaching that the dice of a case can give: `settle` resolves one, and `looks` counts what that takes."""

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
        """Settle all patterns, the one in which all reach first.

        Raises
        ------
        NoVerdictError
            If they are too many, a limit strikes, or one of them is not proved.
        """
        if len(self._undecided) > MOST_UNDECIDED:
            raise NoVerdictError("{told}; at most {most} are gone through", told=self._told(MOST_UNDECIDED), most=2**MOST_UNDECIDED)
        return tuple(self._settled(pattern) for pattern in product(*(roll.ways for roll in self.rolls)))

    @property
    def _undecided(self) -> list[int]:
        """The charges that may both reach and fall short, by number."""
        return [number for number, roll in enumerate(self.rolls) if len(roll.ways) > 1]

    def _told(self, place: int) -> str:
        """Name one of the undecided charges and the number of tables."""
        undecided = self._undecided or [0]
        number = undecided[place]
        charge = self.charges[number]
        parts = {"number": number, "charger": charge.charger, "targets": ", ".join(charge.targets)}
        told = say("charges[{number}] ({charger} charges {targets})", **parts)
        if len(undecided) == 1:
            return told
        many, tables = len(undecided), 2 ** len(undecided)
        among = "{told} is one of {count} that may reach or fall short, which may come to {tables} different tables"
        return say(among, told=told, count=many, tables=tables)

    def _settled(self, pattern: tuple[bool, ...]) -> SettledPattern:
        """Resolve a pattern, unless a limit strikes before."""
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
            message = "{told}: whether {charger} has room beside the others was not found out"
            raise NoVerdictError(message, told=self._told(-1), charger=found.left_out)
        return found


def _charge_odds(charge: Charge, number: int, roll: RangeRoll, worlds: Sequence[SettledPattern]) -> ChargeOdds:
    verdicts = [Ending(*world.ends[number], world.chance) for world in worlds]
    totals = (_total_odds(face, number, roll, worlds) for face in range(1, SIDES + 1))
    return charge_odds(charge, verdicts, totals if roll.is_made else ())


def _total_odds(face: int, number: int, roll: RangeRoll, worlds: Sequence[SettledPattern]) -> TotalOdds:
    """Share the chance of a face among the outcomes of the worlds that it belongs to."""
    reaches, chance = face >= roll.needed, chance_of(face, roll.extra_dice)
    share = chance / roll.weight(reaches=reaches)
    found = ((world.ends[number][0], world.chance * share) for world in worlds if world.reaches[number] == reaches)
    return TotalOdds(face, chance, outcome_chances(found))

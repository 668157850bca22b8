"""Exact chances of charges, found by resolving each pattern of charges that are in range or short.

A roll decides only whether its charge is in range, so each pattern is resolved once, with dice that give it, and its
rulings are weighted with its chance. This covers combined charges and charges that take each other's room.
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
from tabletop.ruling.odds import (
    ChargeOdds,
    Ending,
    Odds,
    TotalOdds,
    charge_odds,
    likeliest_first,
    outcome_chances,
)
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
    """Range roll of one charge.

    Attributes
    ----------
    needed
        Least natural face that is enough.
    extra_dice
        Dice beyond one: the highest counts if positive, the lowest if negative.
    is_made
        Whether the charge may be declared, so that the roll is made.
    """

    needed: int
    extra_dice: int
    is_made: bool

    @property
    def chance(self) -> Fraction:
        """Exact chance that the roll is enough for the distance."""
        return chance_at_least(self.needed, self.extra_dice)

    @property
    def ways(self) -> tuple[bool, ...]:
        """Results that have a chance: True (in range), False (short); only True if nothing is rolled."""
        return tuple(reaches for reaches in (True, False) if self.weight(reaches=reaches))

    def weight(self, *, reaches: bool) -> Fraction:
        """Return the exact chance of one result; a roll that is not made counts as in range for certain."""
        if not self.is_made:
            return Fraction(int(reaches))
        return self.chance if reaches else 1 - self.chance


@dataclass(frozen=True)
class SettledPattern:
    """One pattern of range results with its exact chance and its rulings.

    Attributes
    ----------
    reaches
        For each charge in file order, whether its roll is enough.
    chance
        Chance of the pattern.
    rulings
        Rulings of all charges in file order.
    """

    reaches: tuple[bool, ...]
    chance: Fraction
    rulings: tuple[Ruling, ...]

    @cached_property
    def ends(self) -> tuple[tuple[OddsOutcome, str | None], ...]:
        """Outcomes with their deciding rules, in file order.

        If a charger in range has no proved result, the outcomes of all charges in range are "undecided".
        """
        is_open = self.left_out is not None
        return tuple(
            ("undecided", None)
            if is_open and reaches and ruling.outcome != "not_allowed"
            else (ruling.outcome, ruling.rule)
            for ruling, reaches in zip(self.rulings, self.reaches, strict=True)
        )

    @property
    def left_out(self) -> str | None:
        """Name of a charger for which no room was found, without proof that there is none; None if there is no such
        charger.
        """
        return next(
            (
                one.charge.charger
                for one in self.rulings
                if one.outcome == "failed" and one.proof == "best_found"
            ),
            None,
        )


@dataclass(frozen=True)
class Patterns:
    """All patterns of range results of a case.

    Attributes
    ----------
    charges
        Charges in file order.
    rolls
        Their range rolls.
    budget
        Limit of time.
    looks
        Count of the search effort.
    settle
        Function that resolves one pattern, given for each charge whether it is in range.
    """

    charges: Sequence[Charge]
    rolls: tuple[RangeRoll, ...]
    budget: Budget
    looks: SearchEffort
    settle: Callable[[Sequence[bool]], Sequence[Ruling]]

    def odds(self) -> Odds:
        """Return the exact chances of all charges, and of every combination of outcomes; raises as `worlds` does."""
        worlds = self.worlds()
        charges = tuple(
            _charge_odds(charge, number, self.rolls[number], worlds)
            for number, charge in enumerate(self.charges)
        )
        return Odds(
            charges,
            likeliest_first(
                (tuple(outcome for outcome, _ in world.ends), world.chance) for world in worlds
            ),
        )

    def worlds(self) -> tuple[SettledPattern, ...]:
        """Return all patterns resolved, beginning with the one in which every charge is in range.

        Raises
        ------
        NoVerdictError
            If there are too many, a limit is reached, or one of them is not proved.
        """
        if len(self._undecided) > MOST_UNDECIDED:
            raise NoVerdictError(
                "{told}; at most {most} are tried",
                told=self._told(MOST_UNDECIDED),
                most=2**MOST_UNDECIDED,
            )
        return tuple(
            self._settled(pattern) for pattern in product(*(roll.ways for roll in self.rolls))
        )

    @property
    def _undecided(self) -> list[int]:
        """Indices of the charges that may be in range or fall short."""
        return [number for number, roll in enumerate(self.rolls) if len(roll.ways) > 1]

    def _told(self, place: int) -> str:
        """Return words that name one of the undecided charges and the number of tables that they can lead to.

        `place` is its index among the undecided charges.
        """
        undecided = self._undecided or [0]
        number = undecided[place]
        charge = self.charges[number]
        parts = {"number": number, "charger": charge.charger, "targets": ", ".join(charge.targets)}
        told = say("charges[{number}] ({charger} charges {targets})", **parts)
        if len(undecided) == 1:
            return told
        many = len(undecided)
        tables = 2 ** len(undecided)
        among = (
            "{told} is one of {count} charges that may reach or fall short; together they can lead to {tables} "
            "different tables"
        )
        return say(among, told=told, count=many, tables=tables)

    def _settled(self, pattern: tuple[bool, ...]) -> SettledPattern:
        """Return one pattern resolved, with its chance; raise NoVerdictError at a limit."""
        if self.budget.is_spent(0):
            raise NoVerdictError(
                "the time was used up before every throw of the dice was settled: {told}",
                told=self._told(-1),
            )
        if self.looks.taken > MOST_LOOKS and len(self._undecided) > ALWAYS_SETTLED:
            message = "{told}; the search for room ended at its limit of work before all of them were settled"
            raise NoVerdictError(message, told=self._told(-1))
        try:
            rulings = tuple(self.settle(pattern))
        except NoVerdictError as error:
            raise NoVerdictError(
                "{told}: {error}", told=self._told(-1), error=message_of(error)
            ) from None
        chance = prod(
            (
                roll.weight(reaches=reaches)
                for roll, reaches in zip(self.rolls, pattern, strict=True)
            ),
            start=Fraction(1),
        )
        found = SettledPattern(pattern, chance, rulings)
        if found.left_out is not None and not self._undecided:
            message = "{told}: whether {charger} has room beside the others could not be determined"
            raise NoVerdictError(message, told=self._told(-1), charger=found.left_out)
        return found


def _charge_odds(
    charge: Charge, number: int, roll: RangeRoll, worlds: Sequence[SettledPattern]
) -> ChargeOdds:
    """Return the chances of the outcomes of one charge, in all and by the face rolled."""
    verdicts = [Ending(*world.ends[number], world.chance) for world in worlds]
    totals = (_total_odds(face, number, roll, worlds) for face in range(1, SIDES + 1))
    return charge_odds(charge, verdicts, totals if roll.is_made else ())


def _total_odds(
    face: int, number: int, roll: RangeRoll, worlds: Sequence[SettledPattern]
) -> TotalOdds:
    """Return the chances of the outcomes of one charge if its roll shows `face`, summed over all patterns."""
    reaches = face >= roll.needed
    chance = chance_of(face, roll.extra_dice)
    share = chance / roll.weight(reaches=reaches)
    found = (
        (world.ends[number][0], world.chance * share)
        for world in worlds
        if world.reaches[number] == reaches
    )
    return TotalOdds(face, chance, outcome_chances(found))

"""Exact chances: what a roll decides is only whether it reaches, so each pattern of reaching is resolved once.

The charges are resolved for every pattern that the dice can give, with faces that realise it, and the rulings are
weighted with the pattern's chance. Charges that take each other's room, and combined charges, need nothing beyond that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

from systems.t9a.scene import profile_of
from tabletop.chances import Verdict, charge_odds, likeliest_first, outcome_chances
from tabletop.dice import SIDES, Throws, chance_at_least, chance_of
from tabletop.errors import NoVerdictError
from tabletop.ruling import Case, ChargeOdds, Odds, Outcome, Ruling, TotalOdds
from tabletop.solve.budget import Budget

MOST_UNDECIDED = 10
"""Charges of one file that may both reach and fall short: their patterns are resolved one by one."""


@dataclass(frozen=True)
class Roll:
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
        """Give the chance of one way; a roll that is not made goes one way for certain."""
        if not self.is_made:
            return Fraction(int(reaches))
        return self.chance if reaches else 1 - self.chance


@dataclass(frozen=True)
class World:
    """One pattern of reaching, its chance, and what follows from it."""

    reaches: tuple[bool, ...]
    chance: Fraction
    rulings: tuple[Ruling, ...]

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The outcomes in file order."""
        return tuple(ruling.outcome for ruling in self.rulings)


def case_odds(case: Case, *, budget: Budget) -> Odds:
    """Give the exact chances of all charges of a case.

    Raises
    ------
    NoVerdictError
        If a pattern of reaching leads to what is not modelled, too many charges are undecided, or the time is used up.
    """
    first = _settled(case, (True,) * len(case.charges), Fraction(1), budget)
    rolls = tuple(_roll(case, ruling) for ruling in first.rulings)
    _refuse_too_many(case, rolls)
    worlds = tuple(_worlds(case, first, rolls, budget))
    charges = tuple(_charge_odds(case, number, roll, worlds) for number, roll in enumerate(rolls))
    return Odds(charges, likeliest_first((world.outcomes, world.chance) for world in worlds))


def _refuse_too_many(case: Case, rolls: Sequence[Roll]) -> None:
    undecided = [number for number, roll in enumerate(rolls) if len(roll.ways) > 1]
    if len(undecided) > MOST_UNDECIDED:
        number = undecided[MOST_UNDECIDED]
        charge = case.charges[number]
        raise NoVerdictError(
            f"charges[{number}] ({charge.charger} charges {', '.join(charge.targets)}) is one of {len(undecided)} that may reach or fall "
            f"short, which may come to {2 ** len(undecided)} different tables; at most {2**MOST_UNDECIDED} are gone through"
        )


def _roll(case: Case, ruling: Ruling) -> Roll:
    extra = profile_of(case.state.units[ruling.charge.charger]).extra_dice
    return Roll(ruling.metrics["needed_roll"], extra, ruling.outcome != "not_allowed")


def _worlds(case: Case, first: World, rolls: Sequence[Roll], budget: Budget) -> Iterator[World]:
    """Settle every pattern that the dice can give; the first, in which all reach, is known."""
    for pattern in product(*(roll.ways for roll in rolls)):
        chance = prod((roll.weight(reaches=reaches) for roll, reaches in zip(rolls, pattern, strict=True)), start=Fraction(1))
        yield replace(first, chance=chance) if pattern == first.reaches else _settled(case, pattern, chance, budget)


def _settled(case: Case, pattern: tuple[bool, ...], chance: Fraction, budget: Budget) -> World:
    """Resolve a pattern, with sixes for those who reach and ones for those who do not."""
    charges = []
    for charge, reaches in zip(case.charges, pattern, strict=True):
        count = 1 + abs(profile_of(case.state.units[charge.charger]).extra_dice)
        charges.append(replace(charge, dice=(SIDES if reaches else 1,) * count))
    if budget.is_spent(0):
        raise NoVerdictError("the time was used up before every throw of the dice was settled")
    resolution = case.system.resolve(replace(case, charges=tuple(charges)), throws=Throws(), budget=budget)
    return World(pattern, chance, resolution.rulings)


def _charge_odds(case: Case, number: int, roll: Roll, worlds: Sequence[World]) -> ChargeOdds:
    rulings = [(world.rulings[number], world.chance) for world in worlds]
    verdicts = [Verdict(ruling.outcome, ruling.rule, chance) for ruling, chance in rulings]
    totals = (_total_odds(face, number, roll, worlds) for face in range(1, SIDES + 1))
    return charge_odds(case.charges[number], verdicts, totals if roll.is_made else ())


def _total_odds(face: int, number: int, roll: Roll, worlds: Sequence[World]) -> TotalOdds:
    """Share the chance of a face among the outcomes of the worlds that it belongs to."""
    reaches, chance = face >= roll.needed, chance_of(face, roll.extra_dice)
    share = chance / roll.weight(reaches=reaches)
    found = ((world.rulings[number].outcome, world.chance * share) for world in worlds if world.reaches[number] == reaches)
    return TotalOdds(face, chance, outcome_chances(found))

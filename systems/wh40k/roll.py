"""The charge roll: two dice and a bonus, perhaps rolled again, and its exact probabilities."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from systems.wh40k.words import Declarations
from tabletop.errors import Fault, ScenarioError
from tabletop.messages import listed, say, shown
from tabletop.ruling.charge import Charge, Step
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import added
from tabletop.table.dice import SIDES, DiceStream

DICE = 2

LEAST = DICE
MOST = DICE * SIDES

THROWS = tuple(map(sum, product(range(1, SIDES + 1), repeat=DICE)))
"""The totals of all throws, each as likely as any other."""

MOST_NEEDED = 24
"""Largest total examined for the smallest sufficient one, in inches."""


@dataclass(frozen=True)
class Roll:
    """Two natural faces and the unit's bonus, and whether this roll is a reroll."""

    faces: tuple[int, ...]
    bonus: int
    is_reroll: bool = False

    @property
    def distance(self) -> int:
        """The charge distance in inches: the sum of the faces and the bonus, at least 0."""
        return distance_of(sum(self.faces), self.bonus)

    @property
    def step(self) -> Step:
        """The step of this roll or reroll for reports, with the sum in words."""
        rules = ("wh40k.roll.2d6", "wh40k.roll.reroll") if self.is_reroll else ("wh40k.roll.2d6",)
        text = say(
            "Both dice rolled again: {sum}." if self.is_reroll else "Charge roll: {sum}.",
            sum=self.sum_text,
        )
        return Step("reroll" if self.is_reroll else "roll", rules=rules, text=text)

    @property
    def sum_text(self) -> str:
        """The roll as a sum in words, such as "4 + 3 = 7 in"."""
        one, other = self.faces
        return say("{one} + {other} {result}", one=one, other=other, result=self.result)

    @property
    def result(self) -> str:
        """The right-hand side of that sum in words, with the bonus if there is one, such as "+ 1 = 8 in"."""
        if not self.bonus:
            return say("= {distance} in", distance=self.distance)
        text = "+ {bonus} = {distance} in" if self.bonus > 0 else "- {bonus} = {distance} in"
        return say(text, bonus=abs(self.bonus), distance=self.distance)

    @property
    def finding(self) -> Finding:
        """The finding of the rule on the charge roll, or for a reroll of that on rerolls, with the charge distance."""
        text = say(
            "Both dice are rolled again, once; the charge distance is now {sum}."
            if self.is_reroll
            else "The charge distance is the sum of two dice: {sum}.",
            sum=self.sum_text,
        )
        return Finding(
            "wh40k.roll.reroll" if self.is_reroll else "wh40k.roll.2d6",
            ok=True,
            text=text,
            measured=self.distance,
        )


def distance_of(total: int, bonus: int) -> int:
    """Return the charge distance in inches for a total of the dice and a bonus; at least 0."""
    return max(0, total + bonus)


def roll_that_gives(distance: int, bonus: int) -> Roll:
    """Return a roll whose charge distance is `distance` inches with a bonus; there must be faces that give it."""
    total = next(total for total in range(LEAST, MOST + 1) if distance_of(total, bonus) == distance)
    first = min(SIDES, total - 1)
    return Roll((first, total - first), bonus)


def declarations_of(charge: Charge) -> Declarations:
    """Return what a charge declares besides its charger, targets and dice: the reroll, and models lost to Overwatch."""
    declared: Declarations = charge.declarations
    return declared


def refuse_wrong_count(number: int, charge: Charge) -> None:
    """Raise if the number of a charge's given faces does not fit its reroll; `number` is the charge's number in the
    file.

    Raises
    ------
    ScenarioError
        If there are too many or too few.
    """
    reroll = declarations_of(charge).reroll
    allowed = {"none": (DICE,), "always": (2 * DICE,), "if_failed": (DICE, 2 * DICE)}[reroll]
    if charge.dice is not None and len(charge.dice) not in allowed:
        with_reroll = "" if reroll == "none" else say(' with reroll = "{reroll}"', reroll=reroll)
        message = "{rolled} faces are rolled{with_reroll}, {count} given: {dice}"
        rolled = listed(map(str, allowed), " or ")
        count = len(charge.dice)
        dice = shown(list(charge.dice))
        fault = Fault.of(
            f"charges[{number}].dice",
            message,
            rolled=rolled,
            with_reroll=with_reroll,
            count=count,
            dice=dice,
        )
        raise ScenarioError(fault)


def first_roll(hand: DiceStream, charge: Charge, bonus: int) -> tuple[Roll, ...]:
    """Return the first roll as a tuple; if both dice are always rerolled, the first and the second roll."""
    first = Roll(hand.take(DICE, say("the charge roll")), bonus)
    return (
        (first, second_roll(hand, bonus))
        if declarations_of(charge).reroll == "always"
        else (first,)
    )


def second_roll(hand: DiceStream, bonus: int) -> Roll:
    """Return a reroll of both dice, with the next two faces of the stream."""
    return Roll(hand.take(DICE, say("the re-roll")), bonus, is_reroll=True)


def plain_chances(bonus: int) -> Mapping[int, Fraction]:
    """Return the probability of every charge distance in inches for one roll with a bonus."""
    return added((distance_of(throw, bonus), Fraction(1, len(THROWS))) for throw in THROWS)


def chance_at_least(total: float) -> Fraction:
    """Return the probability that two dice total at least `total`.

    Examples
    --------
    >>> chance_at_least(4), chance_at_least(1), chance_at_least(float("inf"))
    (Fraction(11, 12), Fraction(1, 1), Fraction(0, 1))
    """
    return Fraction(sum(throw >= total for throw in THROWS), len(THROWS))


def chance_completed(charge: Charge, needed: float, needed_after: float) -> Fraction:
    """Return the probability that a charge is completed, given the least dice totals that the unit and its survivors
    need.

    `needed` is that of the whole unit, which decides whether dice are rerolled, `needed_after` that of the survivors of
    Overwatch; inf if no total suffices.
    """
    both = chance_at_least(max(needed, needed_after))
    if declarations_of(charge).reroll != "if_failed":
        return both
    return both + (1 - chance_at_least(needed)) * both

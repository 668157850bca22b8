"""The range roll of a charge: the distance, the face needed, its chances, and the range rolled."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from systems.t9a.scene import Scene, profile_of
from tabletop.geometry.distance import Closest, closest, closest_to_line
from tabletop.messages import listed, say
from tabletop.ruling.evidence import Dice, Dimension, closest_line
from tabletop.ruling.finding import Finding, assumed
from tabletop.table.dice import SIDES, chance_at_least
from tabletop.units import CONTACT, SAME_HUNDREDTH


@dataclass(frozen=True)
class Ranging:
    """What a charge needs from its range roll.

    Attributes
    ----------
    closest
        Closest points of charger and target, and their distance.
    fixed
        Inches added to the natural roll.
    needed_roll
        Least natural face that is enough; more than 6 if none is.
    extra_dice
        Dice beyond one: the highest counts if positive, the lowest if negative.
    """

    closest: Closest
    fixed: float
    needed_roll: int
    extra_dice: int

    @property
    def distance(self) -> float:
        """Distance between the closest points of charger and target, in inches."""
        return self.closest.distance

    @cached_property
    def line(self) -> Dimension:
        """The line between the closest points, as figures show it."""
        return closest_line(self.closest)

    @property
    def chance(self) -> Fraction:
        """Exact chance that the roll is enough for the distance."""
        return chance_at_least(self.needed_roll, self.extra_dice)

    @property
    def dice(self) -> int:
        """Number of dice thrown for the range roll."""
        return 1 + abs(self.extra_dice)

    def natural(self, faces: tuple[int, ...]) -> int:
        """Return the face that counts among those thrown: the highest, or the lowest of a minimised roll."""
        return max(faces) if self.extra_dice >= 0 else min(faces)

    def reached(self, faces: tuple[int, ...]) -> float:
        """Return the charge range, in inches, that the faces thrown give."""
        return self.natural(faces) + self.fixed

    def reaches(self, faces: tuple[int, ...]) -> bool:
        """Return whether the charge range that the faces thrown give is at least the distance."""
        return self.reached(faces) >= self.distance - CONTACT


def ranging(scene: Scene) -> Ranging:
    """Return the distance from charger to target, by the choice `distance_from`, and the roll that it needs."""
    charger = scene.charger
    target = scene.target
    profile = profile_of(charger)
    way = closest(charger.boundary, target.boundary)
    if scene.choices.distance_from == "front":
        way = closest_to_line((charger.front_left, charger.front_right), target.boundary)
    fixed = scene.book.range_bonus + profile.charge_speed
    needed = max(1, math.ceil(way.distance - fixed - CONTACT))
    return Ranging(way, fixed, needed, profile.extra_dice)


def max_range(scene: Scene, measured: Ranging) -> Finding:
    """Return the finding whether the target is within the greatest charge range that a roll can give, in inches."""
    limit = SIDES + measured.fixed
    margin = limit - measured.distance
    told = {"distance": measured.distance, "target": scene.target.name, "limit": limit}
    text = say(
        "{target} is {distance:.2f} in away; the highest roll gives a charge range of {limit:g} in.",
        **told,
    )
    if CONTACT < -margin < SAME_HUNDREDTH:
        text = say(
            "{target} is {distance:.4f} in away; the highest roll gives a charge range of {limit:g} in.",
            **told,
        )
    between = (scene.charger.name, scene.target.name)
    found = Finding(
        "t9a.declare.max-range",
        margin >= -CONTACT,
        text,
        measured.distance,
        limit,
        margin,
        between=between,
        line=measured.line,
    )
    return found.using(*assumed(scene.charger, "charge_speed"))


def range_findings(scene: Scene, measured: Ranging) -> list[Finding]:
    """Return the findings on the distance and the chance of the roll, known before any die is rolled."""
    chance = measured.chance
    ends = {
        "charger": scene.charger.name,
        "target": scene.target.name,
        "distance": measured.distance,
    }
    distance = say(
        "The boundaries of {charger} and {target} are {distance:.4f} in apart at their closest points.",
        **ends,
    )
    if scene.choices.distance_from == "front":
        distance = say(
            "The front of {charger} and the boundary of {target} are {distance:.4f} in apart at their closest points.",
            **ends,
        )
    odds = say(
        "A natural roll of {roll} or more is needed; the chance of that is {chance} = {share:.1%}.",
        roll=measured.needed_roll,
        chance=chance,
        share=float(chance),
    )
    if chance == 1:
        odds = say("Every roll is enough.")
    elif chance == 0:
        odds = say(
            "A natural roll of {roll} would be needed, which no die can show.",
            roll=measured.needed_roll,
        )
    return [
        Finding(
            "t9a.range.distance",
            ok=True,
            text=distance,
            measured=measured.distance,
            line=measured.line,
        ),
        Finding("t9a.odds", ok=True, text=odds, measured=float(chance)),
    ]


def dice_of(scene: Scene, measured: Ranging, faces: tuple[int, ...]) -> Dice:
    """Return the faces thrown and the sum they make, for figures."""
    natural = measured.natural(faces)
    place = faces.index(natural)
    told = say(
        "{natural} on the die + the fixed {bonus:g} + charge speed {speed:g} = {rolled:g} in.",
        **_terms(scene, measured, faces),
    )
    words = say(
        "+ {fixed:g} = {reached:g} in", fixed=measured.fixed, reached=measured.reached(faces)
    )
    return Dice((natural,), words, (*faces[:place], *faces[place + 1 :]), told=told)


def _terms(scene: Scene, measured: Ranging, faces: tuple[int, ...]) -> dict[str, float]:
    """Return the terms of the charge range, and their sum, in inches."""
    return {
        "natural": measured.natural(faces),
        "bonus": scene.book.range_bonus,
        "speed": profile_of(scene.charger).charge_speed,
        "rolled": measured.reached(faces),
    }


def roll_findings(scene: Scene, measured: Ranging, faces: tuple[int, ...]) -> list[Finding]:
    """Return the findings on the dice that count, the charge range in inches, and whether it reaches the target."""
    rolled = measured.reached(faces)
    natural = measured.natural(faces)
    sum_words = (
        "Charge range: natural roll {natural} + {bonus:g} + charge speed {speed:g} = {rolled:g} in."
    )
    text = say(sum_words, **_terms(scene, measured, faces))
    found = [
        Finding("t9a.range.roll", ok=True, text=text, measured=rolled).using(
            *assumed(scene.charger, "charge_speed")
        )
    ]
    if measured.extra_dice:
        count = len(faces)
        thrown = listed(map(str, faces), ", ")
        text = say(
            "Of the {count} dice rolled ({faces}) the lowest counts: {natural}.",
            count=count,
            faces=thrown,
            natural=natural,
        )
        if measured.extra_dice > 0:
            text = say(
                "Of the {count} dice rolled ({faces}) the highest counts: {natural}.",
                count=count,
                faces=thrown,
                natural=natural,
            )
        found.append(Finding("t9a.range.maximised", ok=True, text=text, measured=float(natural)))
    margin = rolled - measured.distance
    ends = {"rolled": rolled, "target": scene.target.name, "distance": measured.distance}
    text = say(
        "The charge range of {rolled:g} in does not reach {target}, which is {distance:.4f} in away.",
        **ends,
    )
    if margin >= -CONTACT:
        text = say(
            "The charge range of {rolled:g} in reaches {target}, which is {distance:.4f} in away.",
            **ends,
        )
    between = (scene.charger.name, scene.target.name)
    return [
        *found,
        Finding(
            "t9a.range",
            margin >= -CONTACT,
            text,
            rolled,
            measured.distance,
            margin,
            between=between,
            line=measured.line,
        ),
    ]

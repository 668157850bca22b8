"""The Charge Roll: the face that it needs, the chances, and the face that is kept."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from systems.conquest.scene import Scene
from systems.conquest.shown import few_digits, ring
from tabletop.geometry.distance import Closest, closest
from tabletop.messages import say
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.evidence import Dice, Dimension, Mark, closest_line
from tabletop.ruling.finding import Finding
from tabletop.table.dice import SIDES, DiceStream, chance_at_least
from tabletop.units import CONTACT


@dataclass(frozen=True)
class Ranging:
    """What a charge needs from the Charge Roll.

    Attributes
    ----------
    closest
        Closest points of charger and target, and their distance.
    march
        March of the charger, in inches.
    rerolls
        Whether a roll that is not enough may be rolled again.
    """

    closest: Closest
    march: float
    rerolls: bool

    @property
    def distance(self) -> float:
        """Distance between the closest points of charger and target, in inches."""
        return self.closest.distance

    @cached_property
    def line(self) -> Dimension:
        """The line between the closest points, as figures show it."""
        return closest_line(self.closest)

    @property
    def needed(self) -> int:
        """Least face of the die with which March plus face is at least the distance; at least 1, more than 6 if no face
        is enough.
        """
        return max(1, math.ceil(self.distance - self.march - CONTACT))

    def reaches(self, face: int) -> bool:
        """Return whether March plus a face of the die is at least the distance."""
        return face >= self.needed

    def chance_of(self, faces: Collection[int]) -> Fraction:
        """Return the exact chance that the face finally kept is one of `faces`, a re-roll of faces too low included."""
        short = Fraction(min(self.needed - 1, SIDES), SIDES) if self.rerolls else Fraction(0)
        first = sum(1 for face in faces if self.reaches(face) or not self.rerolls)
        return Fraction(first, SIDES) + short * Fraction(len(faces), SIDES)

    @property
    def chance(self) -> Fraction:
        """Exact chance that the face kept is enough for the distance."""
        return chance_at_least(self.needed, 1 if self.rerolls else 0)


@dataclass(frozen=True)
class Roll:
    """A Charge Roll: the faces thrown in order, the last of which is kept."""

    ranging: Ranging
    faces: tuple[int, ...]

    @property
    def kept(self) -> int:
        """Face of the die that counts: the last one thrown."""
        return self.faces[-1]

    @property
    def charge_distance(self) -> float:
        """Charge Distance in inches: March plus the face kept."""
        return self.ranging.march + self.kept

    @property
    def dice(self) -> Dice:
        """The faces thrown and the sum they make, for figures."""
        words = say(
            "+ March {march:g} = {distance:g} in",
            march=self.ranging.march,
            distance=self.charge_distance,
        )
        return Dice((self.kept,), words, self.faces[:-1])

    @property
    def reaches(self) -> bool:
        """Whether the Charge Distance is at least the distance to the target."""
        return self.ranging.reaches(self.kept)


def ranging(scene: Scene) -> Ranging:
    """Return the closest distance from charger to target, the charger's March, and whether it may roll again."""
    return Ranging(
        closest(scene.charger.boundary, scene.target.shape),
        scene.profile.march,
        scene.profile.reroll,
    )


def rolled(measured: Ranging, hand: DiceStream) -> tuple[int, ...]:
    """Take the faces of a Charge Roll from the dice of a charge: a second one only if the first is too low and may be
    rolled again.

    The dice may hold a second face that is not needed.

    Raises
    ------
    ScenarioError
        If a face is missing or left over.
    """
    faces = hand.take(1, say("the Charge Roll"))
    if measured.rerolls and not measured.reaches(faces[0]):
        faces += hand.take(
            1, say("the Charge Roll was not enough, and the re-roll needs a second face")
        )
    hand.close(spare=int(measured.rerolls) + 1 - len(faces))
    return faces


def range_metrics(measured: Ranging) -> dict[str, Metric]:
    """Return the metrics before the roll by name: distance in inches, roll needed, and its chance as a number and as a
    fraction.
    """
    needed = {"roll_needed": measured.needed} if measured.needed <= SIDES else {}
    chance = {"chance_roll": float(measured.chance), "chance_roll_fraction": str(measured.chance)}
    return {"distance": measured.distance, **needed, **chance}


def roll_metrics(roll: Roll) -> dict[str, Metric]:
    """Return the metrics of the roll by name: the face kept, and the Charge Distance in inches."""
    return {"roll": roll.kept, "charge_distance": roll.charge_distance}


def roll_steps(roll: Roll) -> Iterator[Step]:
    """Yield the steps of a roll: one for a first face that is rolled again, and one for the face kept with the Charge
    Distance.
    """
    first = roll.faces[0]
    again = len(roll.faces) > 1
    if again:
        told = {"face": first, "distance": roll.ranging.march + first}
        text = say(
            "The Charge Roll is {face}: {distance:g} in are not enough, so it is rolled again.",
            **told,
        )
        yield Step("roll", rules=("conquest.roll",), text=text)
    yield Step(
        "reroll" if again else "roll",
        rules=("conquest.roll", "conquest.charge-distance"),
        text=_added(roll),
    )


def _added(roll: Roll) -> str:
    """Return the sentence with the sum that is the Charge Distance."""
    told = {"march": roll.ranging.march, "face": roll.kept, "total": roll.charge_distance}
    return say("Charge Distance: March {march:g} + Charge Roll {face} = {total:g} in.", **told)


def roll_findings(roll: Roll, target: str) -> tuple[Finding, ...]:
    """Return the findings on the face kept, the Charge Distance, and whether that reaches the target named `target`."""
    measured = roll.ranging
    total = roll.charge_distance
    added = _added(roll)
    again = (
        say("; the first roll, {face}, was not enough and was rolled again", face=roll.faces[0])
        if len(roll.faces) > 1
        else ""
    )
    margin = total - measured.distance
    ends = {"total": total, "target": target, "distance": measured.distance}
    text = say(
        "The Charge Distance of {total:g} in does not reach {target}, which is {distance:.4f} in away.",
        **ends,
    )
    if roll.reaches:
        text = say(
            "The Charge Distance of {total:g} in reaches {target}, which is {distance:.4f} in away.",
            **ends,
        )
    mark = None if roll.reaches else _missing(measured.closest, total, target)
    return (
        Finding(
            "conquest.roll",
            ok=True,
            text=say("The Charge Roll is {face}{again}.", face=roll.kept, again=again),
            measured=roll.kept,
        ),
        Finding("conquest.charge-distance", ok=True, text=added, measured=total),
        Finding(
            "conquest.range",
            roll.reaches,
            text,
            total,
            measured.distance,
            margin,
            line=measured.line,
            mark=mark,
        ),
    )


def _missing(way: Closest, reach: float, target: str) -> Mark:
    """Return a mark of the length, in inches, by which the Charge Distance is too short, at the far end of the closest
    line.
    """
    share = reach / way.distance
    stop = (
        way.near[0] + share * (way.far[0] - way.near[0]),
        way.near[1] + share * (way.far[1] - way.near[1]),
    )
    words = say(
        "{length} in short of {target}", length=few_digits(way.distance - reach), target=target
    )
    return Mark(words, way.far, lines=((stop, way.far),), areas=ring(stop, way.far))

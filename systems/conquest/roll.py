"""The Charge Roll: what it has to reach, its chances, and the face that is kept."""

import math
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from systems.conquest.scene import Scene
from systems.conquest.shown import few_digits, ring
from tabletop.geometry.distance import Closest, closest
from tabletop.messages import say
from tabletop.ruling.charge import Metric
from tabletop.ruling.evidence import Dice, Mark
from tabletop.ruling.finding import Finding
from tabletop.table.dice import SIDES, DiceStream, chance_at_least
from tabletop.units import CONTACT


@dataclass(frozen=True)
class Ranging:
    """What the Charge Roll needs: the distance to the target and the March, in inches, and whether a short roll is re-rolled."""

    closest: Closest
    march: float
    rerolls: bool

    @property
    def distance(self) -> float:
        """Distance between the closest points, in inches."""
        return self.closest.distance

    @property
    def needed(self) -> int:
        """Least sufficient face; more than 6 if none is."""
        return max(1, math.ceil(self.distance - self.march - CONTACT))

    def reaches(self, face: int) -> bool:
        """Return whether the Charge Distance is at least the distance."""
        return face >= self.needed

    def chance_of(self, faces: Collection[int]) -> Fraction:
        """Return the chance that one of `faces` is kept."""
        short = Fraction(min(self.needed - 1, SIDES), SIDES) if self.rerolls else Fraction(0)
        first = sum(1 for face in faces if self.reaches(face) or not self.rerolls)
        return Fraction(first, SIDES) + short * Fraction(len(faces), SIDES)

    @property
    def chance(self) -> Fraction:
        """Chance that the kept face is enough."""
        return chance_at_least(self.needed, 1 if self.rerolls else 0)


@dataclass(frozen=True)
class Roll:
    """The faces thrown, the last of which is kept."""

    ranging: Ranging
    faces: tuple[int, ...]

    @property
    def kept(self) -> int:
        """The face that counts."""
        return self.faces[-1]

    @property
    def charge_distance(self) -> float:
        """March and kept face, in inches."""
        return self.ranging.march + self.kept

    @property
    def dice(self) -> Dice:
        """The faces thrown, and what they make."""
        words = say("+ March {march:g} = {distance:g} in", march=self.ranging.march, distance=self.charge_distance)
        return Dice((self.kept,), words, self.faces[:-1])

    @property
    def reaches(self) -> bool:
        """Whether the Charge Distance is enough."""
        return self.ranging.reaches(self.kept)


def ranging(scene: Scene) -> Ranging:
    """Return the distance from charger to target, and what has to be rolled."""
    return Ranging(closest(scene.charger.boundary, scene.target.shape), scene.profile.march, scene.profile.reroll)


def rolled(measured: Ranging, hand: DiceStream) -> Roll:
    """Return the Charge Roll: a second face only if the first is too low and may be rolled again.

    An entry may hold a second face in case.

    Raises
    ------
    ScenarioError
        If a face is missing or left over.
    """
    faces = hand.take(1, say("the Charge Roll"))
    if measured.rerolls and not measured.reaches(faces[0]):
        faces += hand.take(1, say("the Charge Roll was not enough, and the re-roll needs a second face"))
    hand.close(spare=int(measured.rerolls) + 1 - len(faces))
    return Roll(measured, faces)


def range_metrics(measured: Ranging) -> dict[str, Metric]:
    """Return the metrics of the range before the roll."""
    needed = {"roll_needed": measured.needed} if measured.needed <= SIDES else {}
    chance = {"chance_roll": float(measured.chance), "chance_roll_fraction": str(measured.chance)}
    return {"distance": measured.distance, **needed, **chance}


def roll_metrics(roll: Roll) -> dict[str, Metric]:
    """Return the metrics of the roll."""
    return {"roll": roll.kept, "charge_distance": roll.charge_distance}


def roll_findings(roll: Roll, target: str) -> tuple[Finding, ...]:
    """Return the findings on the face that counts, the Charge Distance, and whether that is enough."""
    measured, total = roll.ranging, roll.charge_distance
    added = say("Charge Distance: March {march:g} + Charge Roll {face} = {total:g} in.", march=measured.march, face=roll.kept, total=total)
    again = say("; the first roll, {face}, was not enough and was rolled again", face=roll.faces[0]) if len(roll.faces) > 1 else ""
    margin = total - measured.distance
    ends = {"total": total, "target": target, "distance": measured.distance}
    text = say("The Charge Distance of {total:g} in does not reach {target}, which is {distance:.4f} in away.", **ends)
    if roll.reaches:
        text = say("The Charge Distance of {total:g} in reaches {target}, which is {distance:.4f} in away.", **ends)
    mark = None if roll.reaches else _missing(measured.closest, total, target)
    return (
        Finding("conquest.roll", ok=True, text=say("The Charge Roll is {face}{again}.", face=roll.kept, again=again), measured=roll.kept),
        Finding("conquest.charge-distance", ok=True, text=added, measured=total),
        Finding("conquest.range", roll.reaches, text, total, measured.distance, margin, mark=mark),
    )


def _missing(way: Closest, reach: float, target: str) -> Mark:
    """Return a mark of the length that the Charge Distance lacks, however small."""
    share = reach / way.distance
    stop = (way.near[0] + share * (way.far[0] - way.near[0]), way.near[1] + share * (way.far[1] - way.near[1]))
    words = say("{length} in short of {target}", length=few_digits(way.distance - reach), target=target)
    return Mark(words, way.far, lines=((stop, way.far),), areas=ring(stop, way.far))

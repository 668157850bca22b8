"""Answers spoilt on purpose, one regiment moved: what is a hundredth of an inch or a tenth of a degree off must be
refused.

How far a place is off is measured from every place that brute force finds right: where each wheel as good as the best
ends, or the one place where a regiment is left.
"""

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tabletop.api import judge
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tests.oracles.conquest.answer import Answer, answer
from tests.oracles.conquest.bodies import Floats, Frames, frames_of
from tests.oracles.conquest.choosing import STEP, is_as, samples
from tests.oracles.conquest.reach import Wheels
from tests.oracles.conquest.referee import differences, is_narrow
from tests.oracles.conquest.table import Table, table_of
from tests.oracles.conquest.trial import Trier
from tests.tables import resolve

BROKEN, TURNED = 0.01, math.radians(0.1)
"""Inches and radians by which a place must be off for the judge to have to see it."""
SIZES = (1.02 * BROKEN, 0.03, 0.1, 0.4, 1.5)
ANGLES = (1.02 * TURNED, math.radians(0.5), math.radians(5.0))
TRIES = 3
FINE = 129
"""Wheels between two samples, among which the nearest is looked for."""


@dataclass(frozen=True)
class Report:
    """How many spoilt places were judged, and which of them were not refused."""

    spoilt: int
    complaints: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Right:
    """A resolved charge with which brute force agrees, and what it says."""

    table: Table
    found: Answer
    resolution: Resolution

    def off(self, name: str, pose: Pose) -> float:
        """Return how far a unit's pose is off the nearest right place: 1 is a hundredth of an inch or a tenth of a
        degree.
        """
        unit = self.resolution.before.units[name]
        claimed = frames_of(unit.at(pose))
        if name == self.table.charger.name and self.found.outcome == "success":
            return self._off_wheels(claimed)
        return float(_off(claimed, dict(self.found.ends).get(name) or frames_of(unit))[0])

    def _off_wheels(self, claimed: Frames) -> float:
        """Return how far a frame is off where the nearest wheel as good as the best ends, narrowed down between the
        samples.
        """
        wheels, ends = self._samples
        off = _off(claimed, ends)
        for step in (STEP, STEP / FINE):
            side = wheels.side[off.argmin()]
            angle = wheels.angle[off.argmin()]
            wheels, ends = self._good(
                Wheels(
                    np.full(2 * FINE + 1, side),
                    np.abs(np.linspace(angle - step, angle + step, 2 * FINE + 1)),
                )
            )
            off = _off(claimed, ends)
        return float(off.min())

    @cached_property
    def _samples(self) -> tuple[Wheels, Frames]:
        return self._good(samples())

    def _good(self, wheels: Wheels) -> tuple[Wheels, Frames]:
        """Keep the wheels as good as the best, with where they end."""
        goal = self.found.goal
        choice = self.found.choice
        assert goal is not None
        assert choice is not None
        trials = Trier(self.table, goal).tried(wheels)
        good = trials.take(is_as(trials, (choice.kind, choice.stands)))
        return good.reached.wheels, good.reached.arrived if choice.kind in (
            "turned",
            "touch",
        ) else good.ends


def _off(claimed: Frames, right: Frames) -> Floats:
    """Return how far a frame is off others, by its worst corner or by its heading."""
    inches = np.hypot(*np.moveaxis(claimed.corners - right.corners, -1, 0)).max(axis=1)
    radians = np.abs(np.remainder(claimed.heading - right.heading + math.pi, math.tau) - math.pi)
    off: Floats = np.maximum(inches / BROKEN, radians / TURNED)
    return off


def misjudged(case: Case, number: int) -> Report:
    """Move each regiment away from where it belongs, and say what of that is not refused."""
    right = _right(case)
    if right is None:
        return Report(0, ())
    dice = random.Random(number)  # noqa: S311 - places, not secrets
    spoilt = [
        (name, pose)
        for name in right.resolution.after.units
        for pose in _spoilt(right, name, dice)
        if right.off(name, pose) >= 1.0
    ]
    return Report(
        len(spoilt),
        tuple(
            complaint
            for name, pose in spoilt
            if (complaint := _accepted(case, right.resolution, name, pose))
        ),
    )


def _accepted(case: Case, resolution: Resolution, name: str, pose: Pose) -> str | None:
    judged = judge(replace(case, proposal={name: pose}), resolution)
    if judged.outcome != "success" and judged.rule is not None and judged.better:
        return None
    return f"{name} at {pose} is judged {judged.outcome} by {judged.rule}"


def _right(case: Case) -> Right | None:
    """Return what brute force says of a charge, if the two agree on it."""
    resolution = resolve(case)
    table = table_of(case)
    found = answer(table)
    disagrees = any(differences(table, found, resolution)) or is_narrow(
        table, found, resolution.rulings[0]
    )
    return None if disagrees else Right(table, found, resolution)


def _spoilt(right: Right, name: str, dice: random.Random) -> Iterator[Pose]:
    """Shift a unit, turn it about the middle or an end of its front, and leave it where it stood."""
    unit = right.resolution.after.units[name]
    pose = unit.pose
    half = unit.width / 2
    moves: list[Callable[[Pose], Pose]] = [
        lambda pose: _shifted(pose, 0.0, dice.choice((-1, 1)) * dice.choice(SIZES)),
        lambda pose: _shifted(pose, dice.choice((-1, 1)) * dice.choice(SIZES), 0.0),
        lambda pose: _shifted(pose, dice.gauss(0.0, 0.05), dice.gauss(0.0, 0.05)),
        lambda pose: pose.turned_about(
            pose.point(dice.choice((-half, 0.0, half)), 0.0),
            dice.choice((-1, 1)) * dice.choice(ANGLES),
        ),
    ]
    picked = TRIES * moves if name == right.table.charger.name else [dice.choice(moves)]
    yield from (move(pose) for move in picked)
    yield right.resolution.before.units[name].pose


def _shifted(pose: Pose, across: float, ahead: float) -> Pose:
    return Pose(*pose.point(across, ahead), pose.heading)

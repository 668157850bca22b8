"""Proposals made of right answers by moving them: which the judge must refuse, and which are as good.

What is right or wrong with a place is measured by the brute force's own geometry. A place between the two, wrong by
less than a hand may miss or than sampling can tell, is not proposed.
"""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tests.oracles.plane import Facing, Floats, Line, Scene, body, counts, line
from tests.oracles.referee import scene_of
from tests.oracles.t9a import coincidences, keeps, search, stands
from tests.scenes import judge, resolve

CLEAR = 0.01
"""Inches by which a limit must be broken before the judge has to see it, and by which a good place keeps it."""
LEAST_TURN = math.radians(0.1)
SLIDES = 8
HAND = 2e-3
"""Inches: twice what the rules page grants to a hand."""


@dataclass(frozen=True)
class Right:
    """A completed aligned charge: the facing it stands on, and where on it."""

    scene: Scene
    facing: Facing
    edge: Line
    slide: float
    pose: Pose
    contacts: Floats

    @property
    def width(self) -> float:
        """Inches of the front."""
        return self.scene.charger.width


def misjudged(case: Case, number: int) -> Iterator[str]:
    """Yield the spoiled positions of a case's charger that are judged right, and those as good as the best that are
    refused.
    """
    right = _right(case)
    if right is None:
        return
    dice = random.Random(number)  # noqa: S311 - places, not secrets
    for pose, is_wrong in (*_lifted(right, dice), *_turned(right, dice), *_slid(right, dice)):
        judged = judge(replace(case, proposal={right.scene.charger.name: pose}))
        if (judged.outcome == "success") is is_wrong:
            yield (
                f"{pose} is judged {judged.outcome} by {judged.rule}, though it is "
                f"{'wrong' if is_wrong else 'as good'}"
            )


def _right(case: Case) -> Right | None:
    try:
        resolution = resolve(case)
    except NoVerdictError:
        return None
    scene = scene_of(case)
    ruling = resolution.rulings[0]
    if not _is_aligned(ruling, scene):
        return None
    facing: Facing = ruling.metrics["target_facing"]
    edge = line(scene.target, facing)
    pose = resolution.after.units[scene.charger.name].pose
    slide = float(edge.coordinates(body(scene.charger, pose)[0])[0])
    contacts = next(found.contacts for found in search(scene) if found.facing == facing)
    return Right(scene, facing, edge, slide, pose, contacts)


def _is_aligned(ruling: Ruling, scene: Scene) -> bool:
    """Return whether a charge ends aligned on the one facing whose arc it began in."""
    return (
        ruling.outcome == "success"
        and "unaligned_angle_deg" not in ruling.metrics
        and [ruling.metrics["target_facing"]] == list(scene.facings)
    )


def _lifted(right: Right, dice: random.Random) -> Iterator[tuple[Pose, bool]]:
    """Part the front from the facing, or push it in."""
    for away in (CLEAR, -CLEAR, dice.uniform(CLEAR, 1.0)):
        yield right.pose.advanced(-away), True


def _turned(right: Right, dice: random.Random) -> Iterator[tuple[Pose, bool]]:
    """Turn the front about its middle or a corner of it, so far that one end leaves the facing's line by more than a
    hand may miss.
    """
    for angle in (LEAST_TURN, -LEAST_TURN, dice.uniform(-0.5, 0.5)):
        share = dice.choice((0.0, 0.5, 1.0))
        pivot = right.pose.point((share - 0.5) * right.width, 0.0)
        if max(share, 1.0 - share) * right.width * math.sin(abs(angle)) > HAND:
            yield right.pose.turned_about(pivot, angle), True


def _slid(right: Right, dice: random.Random) -> Iterator[tuple[Pose, bool]]:
    """Yield positions of the front along the facing where it is clearly wrong or clearly as good."""
    best = _counted(right, right.slide)
    events = coincidences(right.scene, right.facing)
    for _ in range(SLIDES):
        slide = dice.choice(
            (right.slide + dice.gauss(0.0, 0.1), dice.uniform(-right.width, right.edge.length))
        )
        near = np.append(
            [slide - CLEAR, slide, slide + CLEAR], events[np.abs(events - slide) <= CLEAR]
        )
        models = [_counted(right, float(one)) for one in near]
        free = stands(right.scene, right.edge, near)
        kept = keeps(near, right.width, right.contacts)
        pose = right.edge.landing(slide, right.width)
        if not free.any() or all(count < best for count in models):
            yield pose, True
        elif free.all() and kept.all() and all(count == best for count in models):
            yield pose, False


def _counted(right: Right, slide: float) -> tuple[int, int]:
    theirs, ours = counts(right.scene, right.facing, np.array([slide]))[0]
    return int(theirs), int(ours)

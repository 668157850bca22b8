"""Proposals made by brute force: places that some wheel as good as the best reaches, and places that only worse wheels
reach.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tests.oracles.conquest.answer import answer
from tests.oracles.conquest.bodies import Flags, Frames, Which
from tests.oracles.conquest.choosing import Choice, samples
from tests.oracles.conquest.referee import NEAR
from tests.oracles.conquest.table import table_of
from tests.oracles.conquest.trial import Trials, Trier
from tests.tables import judge

CLEAR = 0.02
"""Inches by which a wrong place is off every right one, far more than a hand may miss."""


def misjudged(case: Case) -> Iterator[str]:
    """Yield the proposals for a case's charger that are judged wrongly."""
    table = table_of(case)
    found = answer(table)
    if (
        found.outcome != "success"
        or found.goal is None
        or found.choice is None
        or found.choice.kind != "own"
    ):
        return
    trials = Trier(table, found.goal).tried(samples())
    own = np.flatnonzero(trials.kinds == "own")
    some = trials.take(own)
    right = some.reached.stands == found.choice.stands
    for number in _spread(right):
        pose = _pose(some.ends, number)
        if judge(replace(case, proposal={"A": pose})).outcome != "success":
            yield f"{pose} is refused, though a wheel as good ends there"
    for number in _spread(~right & _is_apart(some, right)):
        pose = _pose(some.ends, number)
        judged = judge(replace(case, proposal={"A": pose}))
        if (judged.outcome, judged.rule) != (
            "not_allowed",
            "conquest.wheel.most-stands",
        ) or not _is_better(judged.better["A"], found.choice):
            yield (
                f"{pose} is judged {judged.outcome} by {judged.rule}, though its wheel brings "
                f"{some.reached.stands[number]} stands"
            )


def _spread(flags: Flags) -> Which:
    """Pick up to four of those flagged, from one end to the other."""
    numbers = np.flatnonzero(flags)
    return (
        numbers[np.unique(np.linspace(0, len(numbers) - 1, 4).astype(int))]
        if len(numbers)
        else numbers
    )


def _pose(frames: Frames, number: int) -> Pose:
    x, y = frames.front[number]
    return Pose(float(x), float(y), float(frames.heading[number]))


def _is_apart(trials: Trials, right: Flags) -> Flags:
    """Return a mask of the positions that are clearly away from all right ones."""
    front = trials.ends.front
    good = trials.ends.front[right]
    if not len(good):
        return np.ones(len(front), dtype=bool)
    apart = np.array([np.hypot(*(good - point).T).min() for point in front])
    return np.asarray(apart > CLEAR)


def _is_better(pose: Pose, choice: Choice) -> bool:
    """Return whether the place given as better is the one chosen by brute force."""
    return math.dist(pose.at, choice.trials.ends.front[0]) <= NEAR

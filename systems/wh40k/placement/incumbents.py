"""Plans that were found while it was asked how far a unit must be able to move: whoever may move farther can take them too."""

from dataclasses import replace

import numpy as np

from systems.wh40k.measures import first_least
from systems.wh40k.placement.assignment import Assignment
from systems.wh40k.placement.reachable import ReachablePlaces
from systems.wh40k.placement.task import LEVELS
from tabletop.units import CONTACT


def remember(assignment: Assignment) -> None:
    """Keep a complete plan with its scene, for charges of at least its longest move."""
    _known(assignment).append(assignment)


def recalled(reachable: ReachablePlaces) -> list[Assignment]:
    """Give the shortest of the plans kept that is one of a task without models placed, as a list; none if there is none."""
    task = reachable.problem.task
    if task.placed:
        return []
    asked = LEVELS.index(task.level)
    known = [assignment for assignment in _known(reachable.start) if LEVELS.index(assignment.problem.task.level) >= asked]
    lengths = np.array([float(assignment.lengths.max()) for assignment in known])
    if not known or lengths.min() > task.limit + CONTACT:
        return []
    return [replace(known[first_least(lengths)[0]], problem=reachable.problem)]


def _known(assignment: Assignment) -> list[Assignment]:
    known: list[Assignment] = assignment.problem.task.scene.kept.setdefault("plans", [])
    return known

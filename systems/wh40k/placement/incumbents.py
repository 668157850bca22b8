"""Plans that were found while it was asked how far a unit must be able to move: whoever may move farther can take them too."""

from dataclasses import replace

import numpy as np

from systems.wh40k.measures import first_least
from systems.wh40k.placement.assignment import Layout
from systems.wh40k.placement.reachable import Yard
from systems.wh40k.placement.task import LEVELS
from tabletop.units import CONTACT


def remember(layout: Layout) -> None:
    """Keep a complete plan with its scene, for charges of at least its longest move."""
    _known(layout).append(layout)


def recalled(yard: Yard) -> list[Layout]:
    """Give the shortest of the plans kept that is one of a task without models placed, as a list; none if there is none."""
    task = yard.arena.task
    if task.placed:
        return []
    asked = LEVELS.index(task.level)
    known = [layout for layout in _known(yard.start) if LEVELS.index(layout.arena.task.level) >= asked]
    lengths = np.array([float(layout.lengths.max()) for layout in known])
    if not known or lengths.min() > task.limit + CONTACT:
        return []
    return [replace(known[first_least(lengths)[0]], arena=yard.arena)]


def _known(layout: Layout) -> list[Layout]:
    known: list[Layout] = layout.arena.task.scene.kept.setdefault("plans", [])
    return known

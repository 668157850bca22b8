"""Plans that were found while it was asked how far a unit must be able to move: whoever may move farther can take them too."""

import math
from dataclasses import replace

from systems.wh40k.layout import Layout
from systems.wh40k.questions import LEVELS
from systems.wh40k.yard import Yard
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
    lengths = [float(layout.lengths.max()) for layout in known]
    least = min(lengths, default=math.inf)
    shortest = [layout for layout, length in zip(known, lengths, strict=True) if length <= least + CONTACT]
    return [replace(layout, arena=yard.arena) for layout in shortest[:1] if least <= task.limit + CONTACT]


def _known(layout: Layout) -> list[Layout]:
    known: list[Layout] = layout.arena.task.scene.kept.setdefault("plans", [])
    return known

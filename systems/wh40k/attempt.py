"""A charge that was declared and rolled for, with all that its chances are told by."""

import math
from dataclasses import dataclass
from fractions import Fraction

from systems.wh40k.declare import Declaration
from systems.wh40k.prospects import Prospects
from systems.wh40k.roll import LEAST, MOST, Roll, chance_completed, distance_of
from tabletop.table.squad import Formation


@dataclass(frozen=True, eq=False)
class Attempt:
    """A charge that may be declared, with its rolls; `survivors` are the prospects of those left after Overwatch, where it was fired.

    `known` is where its models may end as somebody says.
    """

    declaration: Declaration
    rolls: tuple[Roll, ...]
    prospects: Prospects
    survivors: Prospects | None = None
    known: Formation | None = None

    @property
    def distance(self) -> int:
        """The charge distance in inches."""
        return self.rolls[-1].distance

    @property
    def name(self) -> str:
        """The charger's name."""
        return self.declaration.charge.charger

    @property
    def is_possible(self) -> bool:
        """Whether a move completes the charge, casualties left aside; raises as `Prospects.is_possible` does."""
        has_plan = self.survivors is None and self.prospects.best(self.distance).plan is not None
        return has_plan or self.prospects.is_possible(self.distance)

    @property
    def needed(self) -> int | None:
        """The smallest whole distance that completes the charge."""
        own = self.prospects.needed
        if self.survivors is None or own is None:
            return own
        after = self.survivors.needed
        return None if after is None else max(own, after)

    @property
    def chance(self) -> Fraction:
        """Chance that the charge is completed, over all dice."""
        bonus = self.prospects.scene.distance_bonus
        first = math.inf if self.prospects.needed is None else self.prospects.needed - bonus
        both = math.inf if self.needed is None else self.needed - bonus
        return chance_completed(self.declaration.charge, first, both)

    @property
    def shortest_roll(self) -> int | None:
        """The least charge distance that dice can give and that completes the charge."""
        bonus = self.prospects.scene.distance_bonus
        totals = [distance_of(total, bonus) for total in range(LEAST, MOST + 1)]
        return next((total for total in totals if self.needed is not None and total >= self.needed), None)

"""Choosing the free wheel: the first group that any wheel has, in it most stands, then the charger's own turn, then the policy."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.bodies import Numbers
from systems.conquest.scene import Scene
from systems.conquest.settling import Kind, Settling
from systems.conquest.wheels import Merit, Tried, Wheel
from systems.conquest.windows import Window, hopeful
from tabletop.budget import Proof
from tabletop.optimise.window import Run, runs
from tabletop.units import CONTACT, FLUSH


@dataclass(frozen=True)
class Choice:
    """The wheel the rules choose: its merit, how many are equally good, and how sure it is."""

    merit: Merit
    wheel: Wheel
    choices: int
    proof: Proof


@dataclass(frozen=True, eq=False)
class WheelSearch:
    """The search for the wheel that the rules choose; `most` is how far the straight move may go, in inches."""

    tried: Tried
    most: float

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.tried.scene

    @property
    def can_complete(self) -> bool:
        """Whether some wheel completes the charge."""
        return self.best is not None and self.best.kind != "mired"

    @cached_property
    def least_way(self) -> float:
        """The shortest advance of the wheels tried that have the best merit, in inches."""
        if self.best is None:
            return math.inf
        ways = (settling.fan.ways[settling.of_kind(self.best.kind)] for settling, _ in self._usable(self.best.stands))
        return min(float(some.min(initial=math.inf)) for some in ways)

    @cached_property
    def groups(self) -> tuple[tuple[Kind, ...], ...]:
        """The kinds of wheels that complete or touch, or are mired, in the order in which they count."""
        completed: tuple[tuple[Kind, ...], ...] = (("own", "turned"), ("push",))
        if self.scene.choices.push == "most-stands":
            completed = (("own", "turned", "push"),)
        touch: tuple[tuple[Kind, ...], ...] = (("touch",),) if self.scene.choices.deadlock == "touch" else ()
        return (*completed, *touch, ("mired",))

    def rank(self, merit: Merit) -> tuple[int, int, int]:
        """Rank a merit: the less the better, by group, number of stands, and kind within the group."""
        place = next(place for place, group in enumerate(self.groups) if merit.kind in group)
        return place, -merit.stands, self.groups[place].index(merit.kind)

    @cached_property
    def best(self) -> Merit | None:
        """The best merit that any wheel has."""
        return next((merit for group in self.groups for stands in self.tried.levels for merit in self._merits(group, stands)), None)

    def _merits(self, group: tuple[Kind, ...], stands: int) -> Iterator[Merit]:
        """Give the merits of a group that some wheel with so many stands has."""
        for kind in group:
            if any(len(numbers) and settling.of_kind(kind).any() for settling, numbers in self._usable(stands)):
                yield Merit(kind, stands)

    def _usable(self, stands: int) -> list[tuple[Settling, Numbers]]:
        """Give the wheels about each corner that bring so many stands, are free and near enough, and their numbers."""
        if stands not in self._known:
            near = [some.where(some.fan.is_near_enough(self.most)) for some in self.tried.free(stands)]
            self._known[stands] = [(Settling(some.fan), some.numbers) for some in near]
        return self._known[stands]

    @cached_property
    def _known(self) -> dict[int, list[tuple[Settling, Numbers]]]:
        return {}

    @cached_property
    def choice(self) -> Choice | None:
        """The wheel that the rules choose, or None where no wheel has any of the groups."""
        if self.best is None:
            return None
        windows = [self.window(number, run) for number, run in self.best_runs]
        return _chosen(self, self.best, list(hopeful(windows, self.scene.choices.wheel_policy)))

    @cached_property
    def best_runs(self) -> tuple[tuple[int, Run], ...]:
        """The runs of wheels tried that have the best merit, with the numbers of their corners."""
        if self.best is None:
            return ()
        some = [(corner, *usable) for corner, usable in enumerate(self._usable(self.best.stands)) if len(usable[1])]
        return tuple((corner, run) for corner, settling, numbers in some for run in runs(numbers[settling.of_kind(self.best.kind)]))

    def window(self, number: int, run: Run) -> Window:
        """Give the wheels of the best merit in a run."""
        if self.best is None:
            raise AssertionError("without a best merit nothing has it")
        settling, numbers = self._usable(self.best.stands)[number]
        first = int(np.searchsorted(numbers, run.first))
        fan = settling.fan.of(np.arange(first, first + run.last - run.first + 1))
        return Window(fan, self.best, self.most, self.tried.fans[number].angles, run)


LONGEST, LEAST, WIDEST = ("length", -1.0, CONTACT), ("angle", 1.0, FLUSH), ("angle", -1.0, FLUSH)
POLICIES = {"most-contact": (LONGEST, LEAST), "least-turn": (LEAST, LONGEST), "widest-turn": (WIDEST, LONGEST)}
"""What is compared in which order: the wheel's field, whether more (-1) or less (1) of it is better, and what is equal."""


def _chosen(search: WheelSearch, merit: Merit, wheels: Sequence[Wheel]) -> Choice:
    """Choose among the best wheels of all windows: by the policy, then longer contact, shorter advance, and the left corner."""
    left = list(wheels)
    for key, sign, within in (*POLICIES[search.scene.choices.wheel_policy], ("way", 1.0, CONTACT)):
        least = min(sign * getattr(wheel, key) for wheel in left)
        left = [wheel for wheel in left if sign * getattr(wheel, key) <= least + within]
    sides = {wheel.side for wheel in left if wheel.angle > FLUSH}
    return Choice(merit, min(left, key=lambda wheel: wheel.side), max(len(sides), 1), _proof(search, merit, left[0]))


def _proof(search: WheelSearch, merit: Merit, wheel: Wheel) -> Proof:
    """Say "exact" where no wheel at all could be better: it has all that the bounds allow, and needs no turn."""
    scene, policy = search.scene, search.scene.choices.wheel_policy
    width, base, facing = scene.charger.width, scene.charger.base.width, search.tried.charged.facing.length
    most = min(scene.charger.files, int((facing - 2 * scene.choices.overlap) / base) + 2)
    is_longest = wheel.length >= min(width, facing) - CONTACT
    is_bound = merit == Merit("own", most) and wheel.angle == 0.0
    return "exact" if is_bound and policy != "widest-turn" and (policy == "least-turn" or is_longest) else "tolerance"

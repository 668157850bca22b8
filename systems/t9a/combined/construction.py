"""A plan made move by move, for where no search proves the best: who can take its place takes it, who cannot stays out."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from systems.t9a.aligned import AlignedPlace, totals_of
from systems.t9a.combined.group import Combination, Group
from systems.t9a.combined.order import Turns
from tabletop.fronts.contender import Packing
from tabletop.optimise.interval import Intervals, intersection
from tabletop.table.state import State

EFFORT_EACH = 8
"""What plans may take to find out for each charger."""

MOST_PLANS = 5


@dataclass
class Dive:
    """A plan in the making: where everybody stands, who has moved, and what those that have not may still take."""

    turns: Turns
    state: State
    left: dict[str, Intervals]
    order: list[str] = field(default_factory=list)
    placed: dict[str, AlignedPlace] = field(default_factory=dict)
    packing: Packing | None = None
    most: int = 0

    @property
    def group(self) -> Group:
        """The chargers."""
        return self.turns.group

    def run(self) -> Combination:
        """Let all go to their best places together as long as they can; then those left over to any that are free."""
        outside = [name for name in self.group.in_range if name not in self.left]
        while self.left and not self._pack():
            outside.append(self.left.popitem()[0])
        while self.left and not self._is_spent:
            if not (self._advance() or self._yield() or self._fall_short()):
                outside += self.left
                self.left.clear()
        self._squeeze_in(outside)
        while self._fall_short():
            pass
        totals = totals_of([(place.front, place.slide) for place in self.placed.values()])
        return Combination((*self.order, *self.group.last(tuple(self.placed))), self.placed, totals, "best_found")

    @property
    def _is_spent(self) -> bool:
        return self.turns.effort > self.most or self.group.budget.is_spent(0)

    def _pack(self) -> bool:
        """Choose places for all that are left beside those that stand; what does not fit is left as it was."""
        fixed = {name: ((place.slide, place.slide),) for name, place in self.placed.items()}
        packing = self.turns.packed({**fixed, **self.left})
        if packing is None or not packing.slides:
            return False
        self.packing = packing
        return True

    def _advance(self) -> bool:
        """Let the first that can take its place take it."""
        if self.packing is None:
            return False
        for name in self.left:
            front, slide = self.group.front(name, self.state), self.packing.slides[name]
            if self.turns.takes(front, slide):
                self._place(name, slide)
                return True
        return False

    def _place(self, name: str, slide: float) -> None:
        front = self.group.front(name, self.state)
        self.placed[name] = self.turns.place(front, slide)
        self.order.append(name)
        self.left.pop(name, None)
        self.state = self.state.with_unit(front.scene.charger.at(front.pose(slide)))

    def _yield(self) -> bool:
        """Let one that cannot take its place look for others that it can reach now, if all then still fit."""
        for name in self.left:
            known = self.left[name]
            places = intersection(known, self.turns.places(self.group.front(name, self.state)))
            if places and places != known:
                self.left[name] = places
                if self._pack() and self._advance():
                    return True
                self.left[name] = known
        return False

    def _fall_short(self) -> bool:
        """Let the next one that falls short make its failed charge move."""
        short = [name for name in self.group.names if name not in self.group.in_range and name not in self.order]
        if not short:
            return False
        self.order.append(short[0])
        self.state = self.group.failed_state(short[0], self.state)
        return True

    def _squeeze_in(self, names: Sequence[str]) -> None:
        """Let each that was left over go to the best place that it can reach, as long as any of them can."""
        waiting = [name for name in self.group.names if name in names]
        while not self._is_spent:
            for name in waiting:
                places = self.turns.places(self.group.front(name, self.state))
                self.left = {name: places}
                if places and self._pack() and self._advance():
                    waiting.remove(name)
                    break
            else:
                break
        self.left = {}


def dived(turns: Turns, names: Sequence[str]) -> Combination:
    """Make a plan that brings as many of `names`, then others, to the target as it can; who stays out goes first in the next."""
    group = turns.group
    able = [name for name in names if group.alone[name].free]
    most = turns.effort + EFFORT_EACH * len(group.names)
    best = Combination(next(group.orders(())), {}, (0, 0), "best_found")
    for _ in range(MOST_PLANS):
        plan = Dive(turns, group.state, {name: group.alone[name].free for name in able}, most=most).run()
        if group.worth(plan) > group.worth(best):
            best = plan
        if len(plan.places) == len(able) or turns.effort > most or group.budget.is_spent(0):
            break
        able.sort(key=plan.places.__contains__)
    return best

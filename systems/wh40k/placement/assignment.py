"""A plan in the making: where each model stands, which of them are placed, and what a further place would do to the unit."""

from dataclasses import dataclass, replace

import numpy as np

from systems.wh40k.conditions import neighbours_asked
from systems.wh40k.placement.candidates import BoolArray, IntArray, Spots
from systems.wh40k.placement.problem import Arena
from tabletop.geometry.pose import FloatArray
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class Layout:
    """A place for each model (row), with the length of its move in inches; rows that are not `placed` do not count yet."""

    arena: Arena
    spots: Spots
    lengths: FloatArray
    placed: BoolArray

    def put(self, mover: int, spots: Spots, choice: int, length: float) -> "Layout":
        """Place a model at one of some spots."""
        lengths, placed = self.lengths.copy(), self.placed.copy()
        lengths[mover], placed[mover] = length, True
        return replace(self, spots=self.spots.replaced(mover, spots, choice), lengths=lengths, placed=placed)

    def without(self, mover: int) -> "Layout":
        """Take a model up again."""
        placed = self.placed.copy()
        placed[mover] = False
        return replace(self, placed=placed)

    @property
    def who(self) -> IntArray:
        """The rows that are placed."""
        return np.flatnonzero(self.placed)

    def gaps_from(self, spots: Spots) -> FloatArray:
        """Measure the gaps (k, placed) in inches from spots to the models that are placed."""
        who = self.who
        return self.arena.gauge.pair_gaps(spots.kind, spots.at, self.spots.kind[who], self.spots.at[who])

    def meets(self, spots: Spots) -> tuple[BoolArray, BoolArray]:
        """Tell which spots are clear (k,) of the models placed, and to which (k, placed) of them they would be neighbours."""
        gaps, rise = self.gaps_from(spots), np.abs(spots.z[:, None] - self.spots.z[self.who][None, :])
        clear = np.asarray(~((gaps < -CONTACT) & (rise <= CONTACT)).any(axis=1))
        book = self.arena.task.scene.book
        vertical = np.maximum(rise - self.arena.own_height, 0.0)
        return clear, (gaps <= book.coherency_horizontal + CONTACT) & (vertical <= book.coherency_vertical + CONTACT)

    @property
    def counts(self) -> tuple[int, int, float]:
        """What the goals count, greater is better: models in contact, models engaged (if asked), inches not moved."""
        touching = int((self.spots.touching & self.placed).sum())
        engaged = int((self.spots.is_engaged & self.placed).sum()) if self.arena.wants_engaged else 0
        return touching, engaged, -float(self.lengths[self.placed].sum())

    def is_complete(self) -> bool:
        """Tell whether all models are placed, every target is engaged, and the unit is coherent where that is asked."""
        if not self.placed.all() or not self.spots.engaged.any(axis=0).all():
            return False
        _, near = self.meets(self.spots)
        return not self.arena.task.asks("coherent") or is_coherent(self.arena, near)


def empty(arena: Arena) -> Layout:
    """Give the layout in which no model is placed."""
    movers = arena.movers
    count = len(movers.models)
    engaged = np.zeros((count, len(arena.task.scene.targets)), dtype=bool)
    spots = Spots(movers.centres, movers.heights, arena.kind_numbers, np.zeros(count, dtype=bool), engaged)
    return Layout(arena, spots, np.zeros(count), np.zeros(count, dtype=bool))


def is_coherent(arena: Arena, near: BoolArray) -> bool:
    """Tell whether models are coherent, given which (n, n) are near each other."""
    linked = near & ~np.eye(len(near), dtype=bool)
    asked = neighbours_asked(arena.task.scene, len(near))
    if (linked.sum(axis=1) < asked).any():
        return False
    return not arena.task.scene.choices.single_group or groups(linked).max(initial=0) == 0


def groups(linked: BoolArray) -> IntArray:
    """Give the number (n,), from 0, of the group to which links (n, n) join each model."""
    number = np.full(len(linked), -1)
    for first in range(len(linked)):
        if number[first] < 0:
            group = reached(linked, first)
            number[group] = number.max(initial=-1) + 1
    return number


def reached(linked: BoolArray, first: int) -> BoolArray:
    """Tell which models (n,) links lead to from one of them."""
    seen = np.zeros(len(linked), dtype=bool)
    edge = seen.copy()
    edge[first] = True
    while edge.any():
        seen |= edge
        edge = linked[edge].any(axis=0) & ~seen
    return seen


def keeping(layout: Layout, mover: int, spots: Spots) -> BoolArray:
    """Tell which spots (k,) of one model make a plan complete in which all others are placed."""
    others = layout.without(mover)
    clear, near = others.meets(spots)
    missing = ~others.spots.engaged[others.placed].any(axis=0)
    kept = clear & spots.engaged[:, missing].all(axis=1)
    if not layout.arena.task.asks("coherent") or not len(others.who):
        return np.asarray(kept)
    asked = neighbours_asked(layout.arena.task.scene, len(layout.placed))
    _, among = others.meets(others.spots.of(others.who))
    linked = among & ~np.eye(len(among), dtype=bool)
    poor = linked.sum(axis=1)
    kept &= (near.sum(axis=1) >= asked) & near[:, poor == asked - 1].all(axis=1) & bool((poor >= asked - 1).all())
    if layout.arena.task.scene.choices.single_group:
        number = groups(linked)
        for group in range(number.max(initial=-1) + 1):
            kept &= near[:, number == group].any(axis=1)
    return np.asarray(kept)

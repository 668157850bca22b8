"""Which charger can take which place at its turn, and in what order all can take theirs.

Whether a charger can move depends on where the others are, not on how they got there. So the search over orders is
dynamic programming over the set of chargers that have moved (and where failed moves ended). If one charger alone blocks
another, before or after its move, that fixes which of the two moves first.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

import numpy as np

from systems.t9a.aligned import AlignedPlace, reached_at
from systems.t9a.combined.group import ChargerGroup, Placed
from systems.t9a.combined.packing import packed
from systems.t9a.scene import Front
from tabletop.fronts.packing import Packing
from tabletop.fronts.reach import TOLERANCE, Reach, reach, unreached
from tabletop.geometry.pose import Point
from tabletop.optimise.interval import Intervals, intersection, is_within, without
from tabletop.table.state import State
from tabletop.units import CONTACT

ORDERED_BLINDLY = 3
"""Number of chargers up to which orders are tried without precedence tests."""

SEVERAL_TRIES = 4
"""Number of reach queries that one query for all places of a charger counts as."""

MAX_TESTED_OTHERS = 3
"""Number of other chargers, nearest to the path first, that are tested for blocking it alone."""


@dataclass(frozen=True)
class Playout:
    """Result of moving chargers in an order.

    Attributes
    ----------
    places
        Places taken, by name.
    state
        The table after these moves.
    failing
        Name of the first charger that cannot take its slide, None if all can.
    front
        That charger on the table at its turn, None if all can.
    """

    places: Placed
    state: State
    failing: str | None = None
    front: Front | None = None


@dataclass
class ReachCache:
    """Cache of what a group's chargers reach among the others, and of the places that they can take there.

    `effort` counts queries up to `most`: a reach query for one place counts as one, a query for all places of a
    charger, or a packing of many, as `SEVERAL_TRIES`.
    """

    group: ChargerGroup
    most: int
    effort: int = 0
    reached: dict[tuple[object, ...], Reach] = field(default_factory=dict)
    known: dict[tuple[object, ...], Intervals] = field(default_factory=dict)
    cut_short: list[tuple[object, ...]] = field(default_factory=list)

    @property
    def is_spent(self) -> bool:
        """Whether the effort or the time allowed is used up."""
        return self.effort > self.most or self.group.budget.is_spent(0)

    def packed(self, places: Mapping[str, Intervals]) -> Packing | None:
        """Return jointly best slides for some chargers within the intervals `places`; None if they do not fit, empty if
        none was found.
        """
        self.effort += max(SEVERAL_TRIES, len(places) // 2) if len(places) > ORDERED_BLINDLY else 0
        return packed(self.group.alone, places, self.group.weights)

    def play(self, order: Sequence[str], packing: Packing) -> Playout:
        """Return what happens if some chargers move in an order: those with a slide take it, the others make failed
        charge moves.

        It ends with the first charger that cannot take its slide.
        """
        state = self.group.state
        places = dict[str, AlignedPlace]()
        for name in order:
            if name not in packing.slides:
                state = self.group.failed_state(name, state)
                continue
            front = self.group.front(name, state)
            slide = packing.slides[name]
            if not self.takes(front, slide):
                return Playout(places, state, name, front)
            places[name] = self.place(front, slide)
            state = state.with_unit(front.scene.charger.at(places[name].pose))
        return Playout(places, state)

    def place(self, front: Front, slide: float) -> AlignedPlace:
        """Return a slide of a charger as an aligned place, with the models in contact there and the first contacts that
        allow it.
        """
        counts = front.lineup.shown_in_contact, front.lineup.front_in_contact
        values = tuple(float(count(np.array([slide]))[0]) for count in counts)
        return AlignedPlace(
            front, self._touched(front, slide), values, ((slide, slide),), slide, "exact"
        )

    def takes(self, front: Front, slide: float) -> bool:
        """Return whether a charger can take a slide: the place is free, and some legal move leads there."""
        return is_within((slide, slide), front.free, slack=CONTACT) and self.reaches(front, slide)

    def left(self, front: Front, slide: float) -> Intervals:
        """Return the slides that a charger can take, as intervals, without `slide`, one that it cannot take, and its
        tolerance.
        """
        return without(self.places(front), [(slide - TOLERANCE, slide + TOLERANCE)])

    def reaches(self, front: Front, slide: float) -> bool:
        """Return whether some legal move first meets the facing where a front at this slide covers it."""
        return bool(
            intersection(
                front.usable(self._touched(front, slide).proven), [(slide, slide + front.width)]
            )
        )

    def _touched(self, front: Front, slide: float) -> Reach:
        """Return points of first contact covered by a front at a slide, from the cache if asked before."""
        key = (*surroundings(front), round(slide, 9))
        if key not in self.reached:
            self.effort += 1
            self.reached[key] = self._noted(key, reached_at(front, slide, budget=self.group.budget))
        return self.reached[key]

    def places(self, front: Front) -> Intervals:
        """Return all slides that a charger can take here, as intervals in inches, from the cache if asked before."""
        key = surroundings(front)
        if key not in self.known:
            self.effort += SEVERAL_TRIES
            found = reach(
                front.approach,
                interest=lambda reached: unreached(reached, length=front.facing.length),
                budget=self.group.budget,
            )
            self.known[key] = front.places(self._noted(key, found).proven)
        return self.known[key]

    def _noted(self, key: tuple[object, ...], found: Reach) -> Reach:
        """Return the result of a query; if the budget cut it short, record its key, because then an empty result proves
        nothing.
        """
        if not found.is_complete:
            self.cut_short.append(key)
        return found


def surroundings(front: Front) -> tuple[object, ...]:
    """Return a cache key for what a charger can reach: its name, absent units, and the poses and widths of all other
    units.
    """
    return (
        front.scene.charger.name,
        front.scene.absent,
        *((unit.pose, unit.width) for unit in front.scene.bystanders),
    )


@dataclass(frozen=True)
class PackingOrderSearch:
    """Search for an order of moves in which all chargers of a packing can take their slides.

    Attributes
    ----------
    turns
        Cache of what chargers reach.
    packing
        The slides to take, by name.
    before
        Names of the chargers that must move earlier, for each charger.
    asked
        Pairs of chargers already tested for blocking.
    dead
        Sets of chargers moved from which no order leads on.
    """

    turns: ReachCache
    packing: Packing
    before: dict[str, set[str]] = field(default_factory=dict)
    asked: set[tuple[str, str, bool]] = field(default_factory=set)
    dead: set[tuple[object, ...]] = field(default_factory=set)

    @property
    def group(self) -> ChargerGroup:
        """The chargers of the target."""
        return self.turns.group

    @cached_property
    def last(self) -> tuple[str, ...]:
        """Names of the chargers in range that do not complete, and so move last."""
        return self.group.last(tuple(self.packing.slides))

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """Names of the chargers that may move at any turn, in file order."""
        return tuple(name for name in self.group.names if name not in self.last)

    def first(self) -> tuple[str, ...] | None:
        """Return the lexicographically first order, by file positions, in which all can take their slides; None if none
        was found.
        """
        order = self._from((), self.group.state)
        return None if order is None else (*order, *self.last)

    def _from(self, order: tuple[str, ...], state: State) -> tuple[str, ...] | None:
        """Return a complete order of the movers that begins with `order`, None if none was found (depth-first search
        with memory).

        `state` is the table after the moves of `order`. Sets of movers that lead nowhere are remembered.
        """
        if len(order) == len(self.movers):
            return order
        key = (
            frozenset(order),
            *(state.units[name].pose for name in order if name not in self.packing.slides),
        )
        if key in self.dead:
            return None
        for name in self.movers:
            if self.turns.is_spent or self._is_barred(order):
                return None
            if name in order or not self.before.get(name, set()) <= set(order):
                continue
            after = self._moved(name, order, state)
            found = None if after is None else self._from((*order, name), after)
            if found is not None:
                return found
        self.dead.add(key)
        return None

    def _moved(self, name: str, order: tuple[str, ...], state: State) -> State | None:
        """Return the table after the next move, of the charger called `name`; None if it cannot take its slide."""
        if name not in self.packing.slides:
            return self.group.failed_state(name, state)
        front = self.group.front(name, state)
        slide = self.packing.slides[name]
        if self.turns.takes(front, slide):
            return state.with_unit(front.scene.charger.at(front.pose(slide)))
        if len(self.movers) > ORDERED_BLINDLY:
            self._learn(name, order)
        return None

    def _is_barred(self, order: tuple[str, ...]) -> bool:
        """Return whether an order violates a precedence, or the precedences form a cycle."""
        moved = set(order)
        if any(not self.before.get(name, set()) <= moved for name in order):
            return True
        try:
            TopologicalSorter(self.before).prepare()
        except CycleError:
            return True
        return False

    def _learn(self, name: str, order: tuple[str, ...]) -> None:
        """Record which chargers near a charger's path block it alone: they must move before it, or after it if they
        have moved.
        """
        waiting = [other for other in self.movers if other not in order and other != name]
        standing = [other for other in order if other in self.packing.slides]
        for others, has_moved in ((waiting, False), (standing, True)):
            others.sort(key=lambda other: self._distance(name, other, has_moved=has_moved))
            for other in others[:MAX_TESTED_OTHERS]:
                if (name, other, has_moved) not in self.asked and not self.turns.is_spent:
                    self.asked.add((name, other, has_moved))
                    if self._is_stopped_by(name, other, has_moved=has_moved):
                        first, second = (name, other) if has_moved else (other, name)
                        self.before.setdefault(second, set()).add(first)

    def _is_stopped_by(self, name: str, other: str, *, has_moved: bool) -> bool:
        """Return whether the charger `other` alone, before or after its own move, keeps the charger `name` from its
        slide.
        """
        state = self.group.state
        if has_moved:
            state = state.with_unit(
                state.units[other].at(self.group.alone[other].pose(self.packing.slides[other]))
            )
        front = self.group.front(name, state, others=frozenset((other,)))
        return not self.turns.takes(front, self.packing.slides[name])

    def _distance(self, name: str, other: str, *, has_moved: bool) -> float:
        """Return the distance, in inches, of the charger `other` from the straight line between the charger `name` and
        its place.
        """
        units = self.group.state.units
        alone = self.group.alone
        pose = alone[other].pose(self.packing.slides[other]) if has_moved else units[other].pose
        return _from_segment(
            pose.at, units[name].pose.at, alone[name].pose(self.packing.slides[name]).at
        )


def _from_segment(point: Point, start: Point, end: Point) -> float:
    """Return the distance, in inches, of a point from the segment between two other points."""
    length = math.dist(start, end)
    if length <= CONTACT:
        return math.dist(point, start)
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    share = min(
        max((point[0] - start[0]) * along[0] + (point[1] - start[1]) * along[1], 0.0), length
    )
    return math.dist(point, (start[0] + share * along[0], start[1] + share * along[1]))

"""Combined charges: several chargers of one target, their places chosen together and their order so that most complete.

The best places of a set of chargers, each looked at as if the others were out of its way, bound what any order can give. An order
is then looked for in which all can take them, each among the others as they stand at its turn. Only if there is none are the
places chosen anew, from what its chargers can reach past the others.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations

import numpy as np

from systems.t9a.aligned import AlignedPlace, aligned_place, criteria, totals_of
from systems.t9a.combined.branch_and_bound import CombinedSearch
from systems.t9a.combined.construction import dived
from systems.t9a.combined.group import Combination, Found, Group, Placed
from systems.t9a.combined.order import Ordering, Turns, surroundings
from systems.t9a.combined.packing import fitting
from systems.t9a.conditions import Placement
from tabletop.budget import Proof
from tabletop.errors import NoVerdictError
from tabletop.fronts.contender import Packing
from tabletop.optimise.interval import Intervals, intersection

MOST_NODES = 200
"""Sets of places and orders looked at for one set of chargers, where the best places of all cannot be taken as they are."""

FEW_NODES = 100
"""Sets of places that are looked at beside, in the order of the best that was found, if those did not settle it."""

ONE_BY_ONE = 3
"""Chargers of which every set and every order is looked at one after another."""

CHARGERS_PRESSED = 5
"""Chargers that are tried at the ends of what they can reach before places are searched."""

LOOKS_OF_FEW = 1500
"""Looks at what a charger can reach among others, of a few chargers."""

LOOKS_EACH, LOOKS_SHARED = 4, 4500
"""Such looks of many: for each charger, and to be shared by the square of their number, as each takes longer among more."""

MOST_IN_TURN = 120
"""Orders tried where each charger in turn takes its own best place."""

NODES_LIMIT = f"among {MOST_NODES} sets of places and orders, where the search ends"


@dataclass(frozen=True)
class _Open:
    """Chargers whose best places no order was found to allow, with the places that each could take alone."""

    names: tuple[str, ...]
    places: Mapping[str, Intervals]


@dataclass(frozen=True)
class Search:
    """The search for one group, with what it could not settle."""

    group: Group
    unfinished: list[str] = field(default_factory=list)

    def best(self) -> Combination:
        """Choose most completed charges, then most models of the target, then of the chargers, then by the tie, then the order.

        Raises
        ------
        NoVerdictError
            If a limit ends the search before any charge is found to complete.
        """
        group, count = self.group, len(self.group.names)
        turns = Turns(group, LOOKS_OF_FEW if count <= ONE_BY_ONE else LOOKS_EACH * count + LOOKS_SHARED // count**2)
        try:
            return self._one_by_one(turns) if group.attempts[0].scene.choices.combined_lookahead == "one-by-one" else self._best(turns)
        finally:
            group.looks.taken += count * (count + turns.effort)

    def _best(self, turns: Turns) -> Combination:
        """Choose places and orders for all together."""
        group = self.group
        found = self._best_of_sets(turns)
        best = Combination(next(group.orders(())), {}, (0, 0), "tolerance") if found is None else found[1]
        if turns.cut_short or turns.is_spent:
            self.unfinished.append(self._limit)
        if not self.unfinished:
            return best
        best = max(best, self._as_known() or best, key=group.worth)
        if not best.places:
            raise NoVerdictError(f"no place for {' or '.join(group.in_range)} was found {self.unfinished[-1]}")
        return replace(best, proof="best_found", limit=self.unfinished[-1])

    def _as_known(self) -> Combination | None:
        """Give the places that somebody says all can take, if some order allows them."""
        group, turns = self.group, Turns(self.group, LOOKS_OF_FEW)
        known = {name: group.known[name] for name in group.in_range if name in group.known}
        slides = {name: Placement(group.alone[name], pose, ()).slide for name, pose in known.items()}
        packing = Packing(slides, totals_of([(group.alone[name], slide) for name, slide in slides.items()]), (), is_proven=False)
        order = Ordering(turns, packing).first() if slides else None
        if order is None:
            return None
        places = turns.play(order[: len(order) - len(group.last(tuple(slides)))], packing).places
        return Combination(order, places, packing.totals, "best_found", is_settled=False)

    @property
    def _limit(self) -> str:
        """Say at which limit the search ended."""
        seconds = self.group.budget.seconds
        is_late = seconds is not None and self.group.budget.is_spent(0)
        return f"before the search ended at its limit of {seconds:g} s" if is_late else "before the search ended at its limit of work"

    def _best_of_sets(self, turns: Turns) -> Found | None:
        """Choose among sets of chargers, the larger first, then those worth more on paper.

        Where the first of many is not had at once, a plan made move by move says which sets need not be looked at.
        """
        found: Found | None = None
        weights, is_planned = self.group.weights, len(self.group.in_range) <= ONE_BY_ONE
        for names, worth in self._sets():
            if found is not None and (len(names), worth) < (len(found[1].places), weights.value(*found[0].totals)):
                break
            order = self._at_best(turns, names, _same_size(found, names))
            if not is_planned and not isinstance(order, tuple):
                is_planned, found = True, self._planned(turns, names)
            if isinstance(order, _Open):
                order = None if turns.is_spent else self._searched(turns, order, _same_size(found, names))
            found = order or found
            if turns.is_spent:
                break
        return self._planned(turns, self.group.in_range) if found is None and turns.is_spent else found

    def _sets(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Give sets of chargers with what their places are worth at most: all sets of a few; of many those that fit side by side."""
        group = self.group
        if len(group.in_range) <= ONE_BY_ONE:
            for size in range(len(group.in_range), 0, -1):
                yield from ((names, math.inf) for names in combinations(group.in_range, size))
            return
        sets = fitting(group.alone, group.weights)
        yield from sets.ordered(group.in_range)
        if not sets.is_complete:
            self.unfinished.append(self._limit)

    def _at_best(self, turns: Turns, names: tuple[str, ...], known: Packing | None) -> "Found | _Open | None":
        """Give the best places of these chargers if some order allows them; None if they are no better than those known."""
        group = self.group
        places = {name: group.alone[name].free for name in names}
        proof: Proof = "exact"
        while True:
            packing = turns.packed(places)
            if packing is not None and not packing.is_proven:
                self.unfinished.append(self._limit)
            if packing is None or not packing.slides or not packing.is_better(known, group.weights):
                return None
            stuck = [name for name in names if not turns.reaches(group.alone[name], packing.slides[name])]
            if not stuck:
                break
            if turns.is_spent:
                return _Open(names, places)
            proof = "tolerance"
            for name in stuck:
                places[name] = intersection(places[name], turns.left(group.alone[name], packing.slides[name]))
        order = Ordering(turns, packing).first()
        if order is None:
            return _Open(names, places)
        turn = turns.play(order[: len(order) - len(group.last(names))], packing)
        return packing, Combination(order, turn.places, packing.totals, proof, is_settled=packing.is_settled)

    def _searched(self, turns: Turns, left: "_Open", known: Packing | None) -> Found | None:
        """Search orders and places together, each charger among the others as they stand at its turn."""
        narrowing = CombinedSearch(turns, left.names)
        best, around = narrowing.pressed(known) if len(left.names) <= CHARGERS_PRESSED else (None, [])
        known = best[0] if best else known
        found, is_settled = narrowing.among([((), left.places)], known, nodes=MOST_NODES)
        if not is_settled:
            self.unfinished.append(self._limit if turns.is_spent else NODES_LIMIT)
            found = found or narrowing.among(around, known, nodes=FEW_NODES)[0]
        return found or best

    def _planned(self, turns: Turns, names: Sequence[str]) -> Found | None:
        """Give a plan made move by move, if it brings any charger to the target."""
        plan = dived(turns, names)
        if not plan.places:
            return None
        slides = {name: plan.places[name].slide for name in self.group.in_range if name in plan.places}
        packing = Packing(slides, plan.totals, _preferences(plan.places), is_proven=False, is_settled=False)
        return packing, replace(plan, proof="tolerance", is_settled=False)

    def _one_by_one(self, turns: Turns) -> Combination:
        """Let each charger in turn take its own best place given those before it; choose among the orders."""
        group, known = self.group, dict[tuple[object, ...], AlignedPlace | None]()
        results: list[Combination] = []
        for order in permutations(group.names):
            if results and (len(results) >= MOST_IN_TURN or len(known) > turns.most or group.budget.is_spent(0)):
                self.unfinished.append(self._limit)
                break
            results.append(self._each_in_turn(order, known))
        turns.effort += len(known)
        best = max(results, key=lambda result: (len(result.places), group.weights.value(*result.totals), _preferences(result.places)))
        return replace(best, proof="best_found", limit=self.unfinished[-1]) if self.unfinished else best

    def _each_in_turn(self, order: Sequence[str], known: dict[tuple[object, ...], AlignedPlace | None]) -> Combination:
        group, state = self.group, self.group.state
        places: dict[str, AlignedPlace] = {}
        for name in order:
            if name not in group.in_range:
                state = group.failed_state(name, state)
                continue
            front = group.front(name, state)
            if (key := surroundings(front)) not in known:
                known[key] = aligned_place(front, budget=group.budget)
            if (place := known[key]) is not None:
                places[name] = place
                state = state.with_unit(place.front.scene.charger.at(place.pose))
        last = group.last(tuple(places))
        return Combination(
            (*(name for name in order if name not in last), *last),
            places,
            totals_of([(place.front, place.slide) for place in places.values()]),
            "exact",
        )


def _same_size(found: Found | None, names: Sequence[str]) -> Packing | None:
    """Give the packing found, if it is of as many chargers."""
    return found[0] if found is not None and len(found[1].places) == len(names) else None


def _preferences(places: Placed) -> tuple[float, ...]:
    """Add the criteria of the tie up over the completed units, to 1e-6."""
    rows = [[float(criterion(np.array([place.slide]))[0]) for criterion in criteria(place.front, power=2)] for place in places.values()]
    return tuple(round(sum(values), 6) for values in zip(*rows, strict=True))

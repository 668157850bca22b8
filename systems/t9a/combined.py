"""Combined charges: several chargers of one target, their places chosen together and their order so that most complete.

The best places of a set of chargers, each looked at as if the others were out of its way, bound what any order can give. They
are then tried in every order, that of the file first, each move among the others as they stand at its turn. Only if no order
allows them are the places of each order chosen anew, from what its chargers can reach past the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, permutations

import numpy as np

from systems.t9a.aligned import AlignedPlace, Front, aligned_place, reached_at, totals_of
from systems.t9a.failed import failed_move
from systems.t9a.packed import packed
from systems.t9a.rulings import Attempt
from systems.t9a.scene import Scene
from tabletop.ruling import Proof
from tabletop.solve.budget import Budget
from tabletop.solve.intervals import Intervals, intersection
from tabletop.solve.packing import Packing, Weights
from tabletop.solve.reach import Reach, beyond, reach
from tabletop.state import State
from tabletop.units import CONTACT

MOST_REVISIONS = 6
Placed = Mapping[str, AlignedPlace]


@dataclass(frozen=True)
class Group:
    """The chargers of one target, in file order, on the table before any of them moves."""

    state: State
    attempts: tuple[Attempt, ...]
    budget: Budget

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The chargers in file order."""
        return tuple(attempt.charge.charger for attempt in self.attempts)

    @cached_property
    def in_range(self) -> tuple[str, ...]:
        """The chargers whose range is enough, in file order."""
        return tuple(attempt.charge.charger for attempt in self.attempts if attempt.declaration.measured.reaches(attempt.faces))

    @property
    def weights(self) -> Weights:
        """How the totals compare."""
        return Weights(is_sum=self.attempts[0].scene.choices.combined_goal == "sum")

    def attempt(self, name: str) -> Attempt:
        """Give the attempt of one charger."""
        return self.attempts[self.names.index(name)]

    def scene(self, name: str, state: State, *, is_alone: bool = False) -> Scene:
        """Put a charger on a table as it is, or as if the other chargers were gone."""
        attempt = self.attempt(name)
        absent = frozenset(other for other in self.names if other != name) if is_alone else frozenset()
        target = state.units[attempt.charge.targets[0]]
        return replace(attempt.scene, state=state, charger=state.units[name], target=target, absent=absent)

    def front(self, name: str, state: State) -> Front:
        """Put a charger against its Target Facing among the others as they stand."""
        return Front(self.scene(name, state), self.attempt(name).facing)

    @cached_property
    def alone(self) -> Mapping[str, Front]:
        """Each charger against its Target Facing with the other chargers out of the way."""
        return {name: Front(self.scene(name, self.state, is_alone=True), self.attempt(name).facing) for name in self.in_range}

    def orders(self, completing: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Give the orders of all moves: chargers in range that do not complete come last, the others at any turn."""
        last = tuple(name for name in self.in_range if name not in completing)
        for order in permutations(name for name in self.names if name not in last):
            yield (*order, *last)

    def failed_state(self, name: str, state: State) -> State:
        """Give the table after a charger's failed charge move."""
        move = failed_move(self.scene(name, state), self.attempt(name).facing)
        return state.with_unit(move.start.at(move.end))


@dataclass(frozen=True)
class Combination:
    """What a combined charge comes to: the order of all moves, the places of those that complete, the totals of both sides."""

    order: tuple[str, ...]
    places: Placed
    totals: tuple[int, int]
    proof: Proof


@dataclass(frozen=True)
class _Turn:
    """An order played until a charger cannot take its slide: who failed and against what, or the places of all."""

    places: Placed
    failing: str | None = None
    front: Front | None = None


@dataclass(frozen=True)
class Search:
    """The search for one group; it remembers what chargers reach past which others, and their places."""

    group: Group
    reached: dict[tuple[object, ...], Reach] = field(default_factory=dict)
    places: dict[tuple[object, ...], Intervals] = field(default_factory=dict)

    def best(self) -> Combination:
        """Choose most completed charges, then most models of the target, then of the chargers, then by the tie, then the order."""
        group = self.group
        if group.attempts[0].scene.choices.combined_lookahead == "one-by-one":
            return self._one_by_one()
        for size in range(len(group.in_range), 0, -1):
            found: tuple[Packing, Combination] | None = None
            for names in combinations(group.in_range, size):
                found = self._realised(names, found[0] if found else None) or found
            if found is not None:
                return found[1]
        return Combination(next(group.orders(())), {}, (0, 0), "tolerance")

    def _realised(self, names: tuple[str, ...], known: Packing | None) -> tuple[Packing, Combination] | None:
        """Give the best places of these chargers that some order allows, if better than those known."""
        places = {name: self.group.alone[name].free for name in names}
        proof: Proof = "exact"
        while True:
            packing = packed(self.group.alone, places, self.group.weights)
            if packing is None or not packing.is_better(known, self.group.weights):
                return None
            stuck = [name for name in names if not self._reaches(self.group.alone[name], packing.slides[name])]
            if not stuck:
                break
            proof = "tolerance"
            for name in stuck:
                places[name] = self._places(self.group.alone[name])
        for order in self.group.orders(names):
            turn = self._play(order, packing)
            if turn.failing is None:
                return packing, Combination(order, turn.places, packing.totals, proof)
        return self._revised(names, places, known)

    def _revised(
        self, names: tuple[str, ...], places: Mapping[str, Intervals], known: Packing | None
    ) -> tuple[Packing, Combination] | None:
        """Choose places anew for every order, each charger from what it can reach when its turn comes."""
        best: tuple[Packing, Combination] | None = None
        for order in self.group.orders(names):
            left = dict(places)
            for _ in range(MOST_REVISIONS):
                packing = packed(self.group.alone, left, self.group.weights)
                if packing is None or not packing.is_better(best[0] if best else known, self.group.weights):
                    break
                turn = self._play(order, packing)
                if turn.failing is None or turn.front is None:
                    best = packing, Combination(order, turn.places, packing.totals, "best_found")
                    break
                left[turn.failing] = intersection(left[turn.failing], self._places(turn.front))
        return best

    def _play(self, order: Sequence[str], packing: Packing) -> _Turn:
        """Let all move in this order; chargers with a slide take it, the others make failed charge moves."""
        state, places = self.group.state, dict[str, AlignedPlace]()
        for name in order:
            if name not in packing.slides:
                state = self.group.failed_state(name, state)
                continue
            front, slide = self.group.front(name, state), packing.slides[name]
            is_free = any(low - CONTACT <= slide <= high + CONTACT for low, high in front.free)
            if not is_free or not self._reaches(front, slide):
                return _Turn(places, name, front)
            places[name] = self._place(front, slide)
            state = state.with_unit(front.scene.charger.at(places[name].pose))
        return _Turn(places)

    def _place(self, front: Front, slide: float) -> AlignedPlace:
        counts = front.lineup.shown_in_contact, front.lineup.front_in_contact
        values = tuple(float(count(np.array([slide]))[0]) for count in counts)
        return AlignedPlace(front, self._touched(front, slide), values, ((slide, slide),), slide, "exact")

    def _reaches(self, front: Front, slide: float) -> bool:
        """Tell whether some legal move first meets the facing where a front at this slide covers it."""
        return bool(intersection(front.usable(self._touched(front, slide).intervals), [(slide, slide + front.width)]))

    def _touched(self, front: Front, slide: float) -> Reach:
        key = (*_key(front), round(slide, 9))
        if key not in self.reached:
            self.reached[key] = reached_at(front, slide, budget=self.group.budget)
        return self.reached[key]

    def _places(self, front: Front) -> Intervals:
        """Give the slides that a charger can take here at all."""
        if _key(front) not in self.places:
            found = reach(front.approach, interest=lambda reached: beyond(reached, length=front.facing.length), budget=self.group.budget)
            self.places[_key(front)] = front.places(found.intervals)
        return self.places[_key(front)]

    def _one_by_one(self) -> Combination:
        """Let each charger in turn take its own best place given those before it; choose among the orders."""
        results = [self._each_in_turn(order) for order in permutations(self.group.names)]
        return max(results, key=lambda result: (len(result.places), self.group.weights.value(*result.totals)))

    def _each_in_turn(self, order: Sequence[str]) -> Combination:
        group, state = self.group, self.group.state
        places: dict[str, AlignedPlace] = {}
        for name in order:
            if name not in group.in_range:
                state = group.failed_state(name, state)
            elif (place := aligned_place(group.front(name, state), budget=group.budget)) is not None:
                places[name] = place
                state = state.with_unit(place.front.scene.charger.at(place.pose))
        last = tuple(name for name in group.in_range if name not in places)
        return Combination(
            (*(name for name in order if name not in last), *last),
            places,
            totals_of([(place.front, place.slide) for place in places.values()]),
            "exact",
        )


def _key(front: Front) -> tuple[object, ...]:
    """Name what a charger's moves depend on: who it is, and who stands where."""
    return (front.scene.charger.name, front.scene.absent, *(unit.pose for unit in front.scene.bystanders))

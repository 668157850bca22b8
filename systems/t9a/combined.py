"""Combined charges: several chargers of one target, their places chosen together and their order so that most complete.

The best places of a set of chargers, each looked at as if the others were out of its way, bound what any order can give. They
are then tried in every order, that of the file first, each move among the others as they stand at its turn. Only if no order
allows them are the places of each order chosen anew, from what its chargers can reach past the others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations, count, islice, permutations, product

import numpy as np

from systems.t9a.aligned import AlignedPlace, Front, aligned_place, criteria, reached_at, totals_of
from systems.t9a.failed import failed_move
from systems.t9a.packed import packed
from systems.t9a.rulings import Attempt
from systems.t9a.scene import Scene
from tabletop.pose import Pose
from tabletop.ruling import Proof
from tabletop.solve.budget import Budget
from tabletop.solve.intervals import Interval, Intervals, intersection, is_within, without
from tabletop.solve.packing import Packing, Weights
from tabletop.solve.reach import TOLERANCE, Reach, beyond, reach
from tabletop.state import Base, Regiment, State
from tabletop.units import CONTACT

MOST_NODES = 200
"""Sets of places and orders looked at for one set of chargers, where the best places of all cannot be taken as they are."""

FEW_NODES = 100
"""Sets of places that are looked at beside, in the order of the best that was found, if those did not settle it."""

MOST_PRESSED = 100
"""Orders and ends to which chargers go that are tried before places are searched."""

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

    @property
    def is_open(self) -> bool:
        """Whether a better one may have been missed."""
        return self.proof == "best_found"


_Found = tuple[Packing, Combination]
_Part = tuple[tuple[str, ...], Mapping[str, Intervals]]
"""An order, and the places that its chargers may take."""


@dataclass(frozen=True)
class _Turn:
    """An order played until a charger cannot take its slide: who failed and against what, or the places of all."""

    places: Placed
    failing: str | None = None
    front: Front | None = None


@dataclass(frozen=True)
class _Node:
    """An order with what is left of every charger's places, and the best that these could give."""

    order: tuple[str, ...]
    places: Mapping[str, Intervals]
    packing: Packing


@dataclass(frozen=True)
class Search:
    """The search for one group, with what is known of reach and places among others, and the sets that it could not settle."""

    group: Group
    reached: dict[tuple[object, ...], Reach] = field(default_factory=dict)
    places: dict[tuple[object, ...], Intervals] = field(default_factory=dict)
    unfinished: list[tuple[str, ...]] = field(default_factory=list)

    def best(self) -> Combination:
        """Choose most completed charges, then most models of the target, then of the chargers, then by the tie, then the order."""
        group = self.group
        if group.attempts[0].scene.choices.combined_lookahead == "one-by-one":
            return self._one_by_one()
        for size in range(len(group.in_range), 0, -1):
            found: _Found | None = None
            for names in combinations(group.in_range, size):
                found = self._realised(names, found[0] if found else None) or found
            if found is not None:
                return replace(found[1], proof="best_found") if self.unfinished else found[1]
        return Combination(next(group.orders(())), {}, (0, 0), "best_found" if self.unfinished else "tolerance")

    def _realised(self, names: tuple[str, ...], known: Packing | None) -> _Found | None:
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
                places[name] = intersection(places[name], self._left(self.group.alone[name], packing.slides[name]))
        for order in self.group.orders(names):
            turn = self._play(order, packing)
            if turn.failing is None:
                return packing, Combination(order, turn.places, packing.totals, proof)
        return self._searched(names, places, known)

    def _searched(self, names: tuple[str, ...], places: Mapping[str, Intervals], known: Packing | None) -> _Found | None:
        """Search orders and places together, each charger among the others as they stand at its turn."""
        best, around = self._pressed(names, known)
        known = best[0] if best else known
        found, is_settled = self._among([(order, places) for order in self.group.orders(names)], known, nodes=MOST_NODES)
        if not is_settled:
            self.unfinished.append(names)
            found = self._among(around, known, nodes=FEW_NODES)[0]
        return found or best

    def _among(self, parts: list[_Part], known: Packing | None, *, nodes: int) -> tuple[_Found | None, bool]:
        """Search orders with places for the best that is better than those known, what promises most first; tell whether that is all."""
        queue: list[tuple[tuple[float, ...], tuple[int, ...], int, _Node]] = []
        numbers = count()
        for _ in range(nodes):
            for order, left in parts:
                packing = packed(self.group.alone, left, self.group.weights)
                if packing is not None and packing.is_better(known, self.group.weights):
                    positions = tuple(self.group.names.index(name) for name in order)
                    heappush(queue, (packing.rank(self.group.weights), positions, next(numbers), _Node(order, left, packing)))
            if not queue:
                return None, True
            node = heappop(queue)[-1]
            turn = self._play(node.order, node.packing)
            if turn.front is None:
                return (node.packing, Combination(node.order, turn.places, node.packing.totals, "tolerance")), True
            if self.group.budget.is_spent(0):
                break
            parts = [(node.order, left) for left in self._parts(node, turn.front)]
        return None, False

    def _pressed(self, names: tuple[str, ...], known: Packing | None) -> tuple[_Found | None, list[_Part]]:
        """Give the best, if better than those known, of arrangements in which each goes to an end of what it can reach at its turn.

        With it, what each of them could reach. Where there is room for all these charges, some such arrangement mostly has it.
        """
        best: _Found | None = None
        around: list[_Part] = []
        tried = ((order, ends) for order in self.group.orders(names) for ends in product((0, -1), repeat=len(names)))
        for order, ends in islice(tried, MOST_PRESSED):
            reached = self._pressed_places(order, dict(zip(names, ends, strict=True)))
            if len(reached) == len(names):
                at_ends = {name: ((reached[name][end][end],) * 2,) for name, end in zip(names, ends, strict=True)}
                packing = packed(self.group.alone, at_ends, self.group.weights)
                if packing is not None and packing.is_better(best[0] if best else known, self.group.weights):
                    turn = self._play(order, packing)
                    if turn.failing is None:
                        best = packing, Combination(order, turn.places, packing.totals, "tolerance")
                        around = [(order, {name: reached[name] for name in names})]
            if self.group.budget.is_spent(0):
                break
        return best, around

    def _pressed_places(self, order: Sequence[str], ends: Mapping[str, int]) -> dict[str, Intervals]:
        """Give what each can reach at its turn if those before it went to the ends chosen; nothing from the first that has no place."""
        state, found = self.group.state, dict[str, Intervals]()
        for name in order:
            if name not in ends:
                state = self.group.failed_state(name, state)
                continue
            front = self.group.front(name, state)
            places = self._places(front)
            if not places:
                break
            found[name] = places
            state = state.with_unit(front.scene.charger.at(front.pose(places[ends[name]][ends[name]])))
        return found

    def _parts(self, node: _Node, front: Front) -> list[dict[str, Intervals]]:
        """Narrow the places of a node in which a charger cannot take its slide, those before it standing as chosen.

        What it cannot reach past the parts of the others that stand in its way wherever they stand is left out for good. If that
        does not tell, the places of the other that is least settled are halved, beside a part in which all stand as chosen.
        """
        name = front.scene.charger.name
        before = [other for other in node.order[: node.order.index(name)] if other in node.packing.slides]
        spans = {other: (node.places[other][0][0], node.places[other][-1][1]) for other in before}
        at_best, slide = self._among_cores(node, front, spans), node.packing.slides[name]
        if not self._takes(at_best, slide):
            return [{**node.places, name: intersection(node.places[name], self._left(at_best, slide))}]
        as_chosen = {other: ((node.packing.slides[other],) * 2,) for other in before}
        chosen = {**node.places, **as_chosen, name: intersection(node.places[name], self._left(front, slide))}
        widest = max(before, key=lambda other: spans[other][1] - spans[other][0], default=name)
        low, high = spans.get(widest, (0.0, 0.0))
        if high - low <= TOLERANCE:
            return [chosen]
        middle = (low + high) / 2
        halves = (intersection(node.places[widest], [half]) for half in ((low, middle), (middle, high)))
        return [chosen, *({**node.places, widest: half} for half in halves)]

    def _among_cores(self, node: _Node, front: Front, spans: Mapping[str, Interval]) -> Front:
        """Put a charger among the parts of those before it that stand in its way wherever in their spans they are."""
        state, absent = front.scene.state, set(front.scene.absent)
        for other, (low, high) in spans.items():
            own = self.group.alone[other]
            if (width := own.width - (high - low)) > CONTACT:
                state = state.with_unit(_core(state.units[other], own.facing.flush_pose(high, width), width))
            else:
                absent.add(other)
        if any(high - low > CONTACT for low, high in spans.values()):
            moved = node.order[: node.order.index(front.scene.charger.name)]
            absent |= {other for other in moved if other not in node.packing.slides}
        return replace(front, scene=replace(front.scene, state=state, absent=frozenset(absent)))

    def _play(self, order: Sequence[str], packing: Packing) -> _Turn:
        """Let all move in this order; chargers with a slide take it, the others make failed charge moves."""
        state, places = self.group.state, dict[str, AlignedPlace]()
        for name in order:
            if name not in packing.slides:
                state = self.group.failed_state(name, state)
                continue
            front, slide = self.group.front(name, state), packing.slides[name]
            if not self._takes(front, slide):
                return _Turn(places, name, front)
            places[name] = self._place(front, slide)
            state = state.with_unit(front.scene.charger.at(places[name].pose))
        return _Turn(places)

    def _place(self, front: Front, slide: float) -> AlignedPlace:
        counts = front.lineup.shown_in_contact, front.lineup.front_in_contact
        values = tuple(float(count(np.array([slide]))[0]) for count in counts)
        return AlignedPlace(front, self._touched(front, slide), values, ((slide, slide),), slide, "exact")

    def _takes(self, front: Front, slide: float) -> bool:
        """Tell whether a charger can move to a slide and stand there."""
        return is_within((slide, slide), front.free, slack=CONTACT) and self._reaches(front, slide)

    def _left(self, front: Front, slide: float) -> Intervals:
        """Give the slides that a charger can take here, one that it cannot take left out also within the tolerance."""
        return without(self._places(front), [(slide - TOLERANCE, slide + TOLERANCE)])

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
        return max(results, key=lambda result: (len(result.places), self.group.weights.value(*result.totals), _preferences(result.places)))

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
    return (front.scene.charger.name, front.scene.absent, *((unit.pose, unit.width) for unit in front.scene.bystanders))


def _preferences(places: Placed) -> tuple[float, ...]:
    """Add the criteria of the tie up over the completed units, to 1e-6."""
    rows = [[float(criterion(np.array([place.slide]))[0]) for criterion in criteria(place.front, power=2)] for place in places.values()]
    return tuple(round(sum(values), 6) for values in zip(*rows, strict=True))


def _core(unit: Regiment, pose: Pose, width: float) -> Regiment:
    """Give a unit as deep as another and of some width."""
    return replace(unit, pose=pose, files=1, models=1, base=Base(width, unit.depth), spacing=0.0)

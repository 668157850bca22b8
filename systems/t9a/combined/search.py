"""Combined charges: several chargers of one target, their places chosen together and their order so that most complete,
and their rulings.

Upper bound: the best places of a set of chargers when each ignores the others. The search first looks for an order in
which all can take these places, with every charger tested among the others as they stand at its turn. If there is none,
branch and bound over orders and places follows. Where that does not prove an optimum, a greedy plan is the lower bound:
chargers move one by one to their places, and those that cannot stay out.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import combinations, count, islice, permutations, product

import numpy as np
import shapely

from systems.t9a.aligned import AlignedPlace, aligned_place, criteria
from systems.t9a.attempt import Attempt
from systems.t9a.barring import bar_of, without_room
from systems.t9a.combined.group import (
    ChargerGroup,
    Combination,
    CombinedAttempt,
    Found,
    Placed,
    SearchEffort,
)
from systems.t9a.combined.order import PackingOrderSearch, Playout, ReachCache, surroundings
from systems.t9a.combined.packing import feasible_sets
from systems.t9a.conditions import FlushPlacement
from systems.t9a.explain import complete_aligned, completed, failed, short_of_range
from systems.t9a.move import failed_move
from systems.t9a.scene import Front, totals_of
from tabletop.budget import Proof
from tabletop.errors import NoVerdictError
from tabletop.fronts.packing import Packing
from tabletop.fronts.reach import TOLERANCE
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, convex_hull_of
from tabletop.messages import counted, listed, say
from tabletop.optimise.interval import Interval, Intervals, intersection
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import SIDES
from tabletop.table.state import Base, Regiment, State
from tabletop.units import CONTACT

ONE_BY_ONE = 3
"""Number of chargers up to which every set and every order is enumerated."""

LOOKS_OF_FEW = 1500
"""Limit of reach queries in a search for at most `ONE_BY_ONE` chargers."""

LOOKS_EACH, LOOKS_SHARED = 4, 4500
"""Limit of reach queries for more chargers: per charger, plus a part divided by the square of their number."""

MOST_IN_TURN = 120
"""Limit of orders tried by the greedy placement."""

MOST_NODES = 200
"""Limit of branch-and-bound nodes for one set of chargers."""

FEW_NODES = 100
"""Limit of nodes in the second search, which keeps the order of the incumbent."""

NODES_LIMIT = say(
    "among {sets} sets of places and orders, the limit of the search", sets=MOST_NODES
)

CHARGERS_PRESSED = 5
"""Largest group for which arrangements at the ends of the reachable places are tried before branch and bound."""

ORDERS_PRESSED = 100
"""Limit of such arrangements."""

EFFORT_EACH = 8
"""Limit of effort of the greedy plans, per charger."""

MOST_PLANS = 5


@dataclass(frozen=True)
class _Open:
    """Chargers that are jointly placed best where no order of moves is known, with the intervals of slides that each
    could take alone.
    """

    names: tuple[str, ...]
    places: Mapping[str, Intervals]


@dataclass(frozen=True)
class Search:
    """Search for the best combined charge of one group.

    `unfinished` collects the limits that ended parts of the search, in words.
    """

    group: ChargerGroup
    unfinished: list[str] = field(default_factory=list)

    def best(self) -> Combination:
        """Return the best combined charge: most completed charges, most models of the target, most of the chargers,
        `tie`, then order.

        Raises
        ------
        NoVerdictError
            If a limit ends the search before any charge is found to complete.
        """
        group = self.group
        count = len(self.group.names)
        turns = ReachCache(
            group,
            LOOKS_OF_FEW if count <= ONE_BY_ONE else LOOKS_EACH * count + LOOKS_SHARED // count**2,
        )
        try:
            return (
                self._one_by_one(turns)
                if group.choices.combined_lookahead == "one-by-one"
                else self._best(turns)
            )
        finally:
            group.looks.taken += count * (count + turns.effort)

    def _best(self, turns: ReachCache) -> Combination:
        """Return the best places and order of moves with all chargers placed jointly."""
        group = self.group
        found = self._best_of_sets(turns)
        best = (
            Combination(next(group.orders(())), {}, (0, 0), "tolerance")
            if found is None
            else found[1]
        )
        if turns.cut_short or turns.is_spent:
            self.unfinished.append(self._limit)
        if not self.unfinished:
            return best
        best = max(best, self._as_known() or best, key=group.worth)
        if not best.places:
            message = "no place for {chargers} was found {unfinished}"
            raise NoVerdictError(
                message, chargers=listed(group.in_range, " or "), unfinished=self.unfinished[-1]
            )
        return replace(best, proof="best_found", limit=self.unfinished[-1])

    def _as_known(self) -> Combination | None:
        """Return the combined charge to the poses in `ChargerGroup.known`, None if there are none or no order allows
        all of them.
        """
        group = self.group
        turns = ReachCache(self.group, LOOKS_OF_FEW)
        known = {name: group.known[name] for name in group.in_range if name in group.known}
        slides = {
            name: FlushPlacement(group.alone[name], pose).slide for name, pose in known.items()
        }
        packing = Packing(
            slides,
            totals_of([(group.alone[name], slide) for name, slide in slides.items()]),
            (),
            is_proven=False,
        )
        order = PackingOrderSearch(turns, packing).first() if slides else None
        if order is None:
            return None
        places = turns.play(order[: len(order) - len(group.last(tuple(slides)))], packing).places
        return Combination(order, places, packing.totals, "best_found", is_settled=False)

    @property
    def _limit(self) -> str:
        """Words for the limit that ended the search: the seconds if they are used up, else the work."""
        seconds = self.group.budget.seconds
        is_late = seconds is not None and self.group.budget.is_spent(0)
        return (
            say("before the search ended at its limit of {seconds:g} s", seconds=seconds)
            if is_late
            else say("before the search ended at its limit of work")
        )

    def _best_of_sets(self, turns: ReachCache) -> Found | None:
        """Return the best packing with its combined charge over sets of chargers, None if no charger can complete.

        Larger sets come first, then those of greater upper bound. For many chargers a greedy plan gives a lower bound,
        which prunes the other sets.
        """
        found: Found | None = None
        weights = self.group.weights
        is_planned = len(self.group.in_range) <= ONE_BY_ONE
        for names, worth in self._sets():
            if found is not None and (len(names), worth) < (
                len(found[1].places),
                weights.value(*found[0].totals),
            ):
                break
            order = self._at_best(turns, names, _same_size(found, names))
            if not is_planned and not isinstance(order, tuple):
                is_planned = True
                found = self._planned(turns, names)
            if isinstance(order, _Open):
                order = (
                    None
                    if turns.is_spent
                    else self._searched(turns, order, _same_size(found, names))
                )
            found = order or found
            if turns.is_spent:
                break
        return (
            self._planned(turns, self.group.in_range) if found is None and turns.is_spent else found
        )

    def _sets(self) -> Iterator[tuple[tuple[str, ...], float]]:
        """Yield sets of chargers with an upper bound of their worth: of few chargers all sets, of many those that fit
        side by side.
        """
        group = self.group
        if len(group.in_range) <= ONE_BY_ONE:
            for size in range(len(group.in_range), 0, -1):
                yield from ((names, math.inf) for names in combinations(group.in_range, size))
            return
        sets = feasible_sets(group.alone, group.weights)
        yield from sets.ordered(group.in_range)
        if not sets.is_complete:
            self.unfinished.append(self._limit)

    def _at_best(
        self, turns: ReachCache, names: tuple[str, ...], known: Packing | None
    ) -> "Found | _Open | None":
        """Return the best places of some chargers if an order of moves allows them.

        They are returned as open if no order is known for these places; None if they do not beat the packing `known`.
        """
        group = self.group
        places = {name: group.alone[name].free for name in names}
        proof: Proof = "exact"
        while True:
            packing = turns.packed(places)
            if packing is not None and not packing.is_proven:
                self.unfinished.append(self._limit)
            if packing is None or not packing.slides or not packing.is_better(known, group.weights):
                return None
            stuck = [
                name for name in names if not turns.reaches(group.alone[name], packing.slides[name])
            ]
            if not stuck:
                break
            if turns.is_spent:
                return _Open(names, places)
            proof = "tolerance"
            for name in stuck:
                places[name] = intersection(
                    places[name], turns.left(group.alone[name], packing.slides[name])
                )
        order = PackingOrderSearch(turns, packing).first()
        if order is None:
            return _Open(names, places)
        turn = turns.play(order[: len(order) - len(group.last(names))], packing)
        return packing, Combination(
            order, turn.places, packing.totals, proof, is_settled=packing.is_settled
        )

    def _searched(self, turns: ReachCache, left: "_Open", known: Packing | None) -> Found | None:
        """Return the best result that beats the packing `known`, None if none does, by branch and bound over orders and
        places.

        `left` are chargers without a known order of moves. Every charger is tested among the others as they are at its
        turn.
        """
        narrowing = CombinedSearch(turns, left.names)
        best, around = (
            narrowing.pressed(known) if len(left.names) <= CHARGERS_PRESSED else (None, [])
        )
        known = best[0] if best else known
        found, is_settled = narrowing.among([((), left.places)], known, nodes=MOST_NODES)
        if not is_settled:
            self.unfinished.append(self._limit if turns.is_spent else NODES_LIMIT)
            found = found or narrowing.among(around, known, nodes=FEW_NODES)[0]
        return found or best

    def _planned(self, turns: ReachCache, names: Sequence[str]) -> Found | None:
        """Return the greedy plan that moves `names` first, None if no charger completes in it."""
        plan = dived(turns, names)
        if not plan.places:
            return None
        slides = {
            name: plan.places[name].slide for name in self.group.in_range if name in plan.places
        }
        packing = Packing(
            slides, plan.totals, _preferences(plan.places), is_proven=False, is_settled=False
        )
        return packing, replace(plan, proof="tolerance", is_settled=False)

    def _one_by_one(self, turns: ReachCache) -> Combination:
        """Return the best greedy placement over all orders: each charger in turn takes its own best place, given those
        before it.
        """
        group = self.group
        known = dict[tuple[object, ...], AlignedPlace | None]()
        results: list[Combination] = []
        for order in permutations(group.names):
            if results and (
                len(results) >= MOST_IN_TURN or len(known) > turns.most or group.budget.is_spent(0)
            ):
                self.unfinished.append(self._limit)
                break
            results.append(self._each_in_turn(order, known))
        turns.effort += len(known)
        best = max(
            results,
            key=lambda result: (
                len(result.places),
                group.weights.value(*result.totals),
                _preferences(result.places),
            ),
        )
        return (
            replace(best, proof="best_found", limit=self.unfinished[-1])
            if self.unfinished
            else best
        )

    def _each_in_turn(
        self, order: Sequence[str], known: dict[tuple[object, ...], AlignedPlace | None]
    ) -> Combination:
        """Return the combined charge in which each charger, in an order, takes its own best place; `known` caches
        places.
        """
        group = self.group
        state = self.group.state
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
    """Return the packing of a result if it places as many chargers as there are `names`, else None."""
    return found[0] if found is not None and len(found[1].places) == len(names) else None


def _preferences(places: Placed) -> tuple[float, ...]:
    """Return the values of the `tie` criteria summed over the completed chargers, rounded to 1e-6."""
    rows = [
        [
            float(criterion(np.array([place.slide]))[0])
            for criterion in criteria(place.front, power=2)
        ]
        for place in places.values()
    ]
    return tuple(round(sum(values), 6) for values in zip(*rows, strict=True))


# Branch and bound over orders and places.

Part = tuple[tuple[str, ...], Mapping[str, Intervals]]
"""First movers of an order, and the places allowed to every charger."""


@dataclass(frozen=True)
class Node:
    """Node of the branch and bound.

    Attributes
    ----------
    order
        Names of the first movers.
    places
        Intervals of slides left to each charger.
    packing
        Jointly best slides within these places: its worth is an upper bound.
    """

    order: tuple[str, ...]
    places: Mapping[str, Intervals]
    packing: Packing


@dataclass
class Queue:
    """Priority queue of open nodes, greatest upper bound first.

    Attributes
    ----------
    narrowing
        The search.
    known
        Packing to be improved upon.
    heap, numbers
        The nodes, and a counter that keeps their order.
    is_proven
        Whether no node was dropped that might be better.
    """

    narrowing: "CombinedSearch"
    known: Packing | None
    heap: list[tuple[tuple[float, ...], tuple[int, ...], int, Node]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    is_proven: bool = True

    def add(self, parts: Iterable[Part]) -> None:
        """Add the nodes (first movers and places left) whose upper bound beats the incumbent."""
        for order, left in parts:
            packing = self.narrowing.turns.packed(left)
            if packing is not None:
                self.is_proven = self.is_proven and packing.is_proven
                if packing.slides and packing.is_better(self.known, self.narrowing.group.weights):
                    self._push(Node(order, left, packing))

    def extend(self, node: Node) -> None:
        """Add a child of a node for every charger that may move next."""
        for name in self.narrowing.movers:
            if name not in node.order:
                self._push(replace(node, order=(*node.order, name)))

    def _push(self, node: Node) -> None:
        """Insert a node, ordered by its bound, then by the file positions of its first movers."""
        group = self.narrowing.group
        positions = tuple(group.names.index(name) for name in node.order)
        heappush(self.heap, (node.packing.rank(group.weights), positions, next(self.numbers), node))

    def first(self) -> Node:
        """Remove and return the node with the greatest upper bound."""
        return heappop(self.heap)[-1]


@dataclass(frozen=True)
class CombinedSearch:
    """Branch and bound for the best places of some chargers and an order in which they can take them."""

    turns: ReachCache
    names: tuple[str, ...]

    @property
    def group(self) -> ChargerGroup:
        """All chargers of the target."""
        return self.turns.group

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """Names of the chargers that move at any turn, in file order."""
        last = self.group.last(self.names)
        return tuple(name for name in self.group.names if name not in last)

    def among(
        self, parts: Iterable[Part], known: Packing | None, *, nodes: int
    ) -> tuple[Found | None, bool]:
        """Return the best result that beats the packing `known`, and whether the search was complete (best-first branch
        and bound).

        `parts` are the nodes to begin with, `nodes` is the greatest number of nodes that are divided.
        """
        queue = Queue(self, known)
        queue.add(parts)
        seen = set[tuple[object, ...]]()
        while queue.heap:
            if nodes <= 0 or self.turns.is_spent:
                return None, False
            node = queue.first()
            turn = self.turns.play(node.order, node.packing)
            if turn.front is not None:
                nodes -= 1
                queue.add((node.order, left) for left in self._parts(node, turn.front))
            elif len(node.order) >= len(self.movers):
                order = (
                    *(name for name in node.order if name in self.movers),
                    *self.group.last(self.names),
                )
                proof: Proof = "tolerance" if queue.is_proven else "best_found"
                return (
                    node.packing,
                    Combination(order, turn.places, node.packing.totals, proof),
                ), queue.is_proven
            elif (key := self._standing(node, turn)) not in seen:
                seen.add(key)
                queue.extend(node)
        return None, queue.is_proven

    def _standing(self, node: Node, turn: Playout) -> tuple[object, ...]:
        """Return a key of all on which the rest of an order depends: places left, who has moved, where failed moves
        ended.
        """
        failed = (
            turn.state.units[name].pose for name in node.order if name not in node.packing.slides
        )
        return (id(node.places), frozenset(node.order), *failed)

    def pressed(self, known: Packing | None) -> tuple[Found | None, list[Part]]:
        """Return the best arrangement with every charger at an end of the places that it can reach at its turn, and
        those places.

        If there is room for all chargers, one of these arrangements usually shows it. None if none beats the packing
        `known`.
        """
        best: Found | None = None
        around: list[Part] = []
        weights = self.group.weights
        most = (self.turns.effort + self.turns.most) / 2
        tried = (
            (order, ends)
            for order in self.group.orders(self.names)
            for ends in product((0, -1), repeat=len(self.names))
        )
        for order, ends in islice(tried, ORDERS_PRESSED):
            reached = self._pressed_places(order, dict(zip(self.names, ends, strict=True)))
            if len(reached) == len(self.names):
                at_ends = {
                    name: ((reached[name][end][end],) * 2,)
                    for name, end in zip(self.names, ends, strict=True)
                }
                packing = self.turns.packed(at_ends)
                if (
                    packing is not None
                    and packing.slides
                    and packing.is_better(best[0] if best else known, weights)
                ):
                    turn = self.turns.play(order, packing)
                    if turn.failing is None:
                        best = packing, Combination(order, turn.places, packing.totals, "tolerance")
                        around = [(order, {name: reached[name] for name in self.names})]
            if self.turns.is_spent or self.turns.effort > most:
                break
        return best, around

    def _pressed_places(
        self, order: Sequence[str], ends: Mapping[str, int]
    ) -> dict[str, Intervals]:
        """Return the slides that each charger can reach in an order, as intervals by name, given the earlier ones at
        chosen ends.

        `ends` is 0 or -1 for the first or last reachable slide. From the first charger without a place on, chargers are
        left out.
        """
        state = self.group.state
        found = dict[str, Intervals]()
        for name in order:
            if name not in ends:
                state = self.group.failed_state(name, state)
                continue
            front = self.group.front(name, state)
            places = self.turns.places(front)
            if not places:
                break
            found[name] = places
            state = state.with_unit(
                front.scene.charger.at(front.pose(places[ends[name]][ends[name]]))
            )
        return found

    def _parts(self, node: Node, front: Front) -> Iterator[dict[str, Intervals]]:
        """Yield the places left in the child nodes of a node in which a charger cannot take its slide.

        Places that are unreachable wherever the earlier chargers are get cut off. If that removes nothing, the longest
        range of places of an earlier charger is halved, beside a node in which all earlier ones are where they were
        chosen to be.
        """
        name = front.scene.charger.name
        before = [
            other for other in node.order[: node.order.index(name)] if other in node.packing.slides
        ]
        spans = {other: (node.places[other][0][0], node.places[other][-1][1]) for other in before}
        at_best = self._among_cores(node, front, spans)
        slide = node.packing.slides[name]
        if not self.turns.takes(at_best, slide):
            yield {
                **node.places,
                name: intersection(node.places[name], self.turns.left(at_best, slide)),
            }
            return
        as_chosen = {other: ((node.packing.slides[other],) * 2,) for other in before}
        yield {
            **node.places,
            **as_chosen,
            name: intersection(node.places[name], self.turns.left(front, slide)),
        }
        widest = max(before, key=lambda other: spans[other][1] - spans[other][0], default=name)
        low, high = spans.get(widest, (0.0, 0.0))
        if high - low > TOLERANCE:
            middle = (low + high) / 2
            for half in ((low, middle), (middle, high)):
                yield {**node.places, widest: intersection(node.places[widest], [half])}

    def _among_cores(self, node: Node, front: Front, spans: Mapping[str, Interval]) -> Front:
        """Return a charger with each earlier one reduced to the part that it covers wherever it is in its range (a
        relaxation).

        `spans` are the ranges of slides of the earlier chargers, in inches. Chargers without such a part are removed.
        """
        state = front.scene.state
        absent = set(front.scene.absent)
        for other, (low, high) in spans.items():
            own = self.group.alone[other]
            if (width := own.width - (high - low)) > CONTACT:
                state = state.with_unit(
                    _core(state.units[other], own.facing.flush_pose(high, width), width)
                )
            else:
                absent.add(other)
        if any(high - low > CONTACT for low, high in spans.values()):
            moved = node.order[: node.order.index(front.scene.charger.name)]
            absent |= {other for other in moved if other not in node.packing.slides}
        return replace(front, scene=replace(front.scene, state=state, absent=frozenset(absent)))


def _core(unit: Regiment, pose: Pose, width: float) -> Regiment:
    """Return a copy of a unit in a pose with another width, in inches, and the same depth."""
    return replace(unit, pose=pose, files=1, models=1, base=Base(width, unit.depth), spacing=0.0)


# A plan made move by move.


@dataclass
class Dive:
    """Greedy plan under construction.

    Attributes
    ----------
    turns
        Cache of what chargers reach.
    state
        The table after the moves so far.
    left
        Intervals of slides still open to the chargers that have not moved.
    order
        Names of those that have moved.
    placed
        Places taken.
    packing
        Joint places at which the others aim.
    most
        Limit of effort.
    """

    turns: ReachCache
    state: State
    left: dict[str, Intervals]
    order: list[str] = field(default_factory=list)
    placed: dict[str, AlignedPlace] = field(default_factory=dict)
    packing: Packing | None = None
    most: int = 0

    @property
    def group(self) -> ChargerGroup:
        """The chargers of the target."""
        return self.turns.group

    def run(self) -> Combination:
        """Return the plan: chargers take their jointly best places while possible, then those left over any free
        place.
        """
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
        return Combination(
            (*self.order, *self.group.last(tuple(self.placed))), self.placed, totals, "best_found"
        )

    @property
    def _is_spent(self) -> bool:
        """Whether the effort or the time allowed is used up."""
        return self.turns.effort > self.most or self.group.budget.is_spent(0)

    def _pack(self) -> bool:
        """Choose joint places for the chargers still to move, beside those placed; return whether that succeeds."""
        fixed = {name: ((place.slide, place.slide),) for name, place in self.placed.items()}
        packing = self.turns.packed({**fixed, **self.left})
        if packing is None or not packing.slides:
            return False
        self.packing = packing
        return True

    def _advance(self) -> bool:
        """Move the first charger that can take its joint place; return whether one can."""
        if self.packing is None:
            return False
        for name in self.left:
            front = self.group.front(name, self.state)
            slide = self.packing.slides[name]
            if self.turns.takes(front, slide):
                self._place(name, slide)
                return True
        return False

    def _place(self, name: str, slide: float) -> None:
        """Move a charger to a slide, in inches, and record its place."""
        front = self.group.front(name, self.state)
        self.placed[name] = self.turns.place(front, slide)
        self.order.append(name)
        self.left.pop(name, None)
        self.state = self.state.with_unit(front.scene.charger.at(front.pose(slide)))

    def _yield(self) -> bool:
        """Choose joint places anew so that a charger that cannot take its own can reach one, and move; return whether
        it succeeds.
        """
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
        """Make the failed charge move of the next charger whose roll is not enough; return whether there is one."""
        short = [
            name
            for name in self.group.names
            if name not in self.group.in_range and name not in self.order
        ]
        if not short:
            return False
        self.order.append(short[0])
        self.state = self.group.failed_state(short[0], self.state)
        return True

    def _squeeze_in(self, names: Sequence[str]) -> None:
        """Move each of some chargers to its best reachable place, until none can move."""
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


def dived(turns: ReachCache, names: Sequence[str]) -> Combination:
    """Return the best of a few greedy plans, `names` being moved first; chargers that fail in one plan go first in the
    next.
    """
    group = turns.group
    able = [name for name in names if group.alone[name].free]
    most = turns.effort + EFFORT_EACH * len(group.names)
    best = Combination(next(group.orders(())), {}, (0, 0), "best_found")
    for _ in range(MOST_PLANS):
        plan = Dive(
            turns, group.state, {name: group.alone[name].free for name in able}, most=most
        ).run()
        if group.worth(plan) > group.worth(best):
            best = plan
        if len(plan.places) == len(able) or turns.effort > most or group.budget.is_spent(0):
            break
        able.sort(key=plan.places.__contains__)
    return best


# Findings of a combined charge.


def move_together(group: ChargerGroup, *, is_told: bool) -> tuple[dict[str, Ruling], State]:
    """Return the rulings of all chargers by name in the order of their moves, and the table after them.

    If `is_told`, findings name what blocks chargers that have no room, and chargers out of range are tried as if in
    range.
    """
    found = Search(group).best()
    state = group.state
    rulings = dict[str, Ruling]()
    for name in found.order:
        own = group.attempt(name)
        attempt = CombinedAttempt(
            own.charge,
            own.declaration,
            own.faces,
            own.scene.on(state),
            group=group,
            combination=found,
        )
        if name in found.places:
            done = complete_aligned(
                found.places[name], budget=group.budget, is_alone=len(found.places) == 1
            )
            ruling, state = completed(attempt, done)
            ruling = _of_completed(ruling, found)
        elif name in group.in_range:
            reason = say("There is no room for {name} beside the others.", name=name)
            if found.is_open:
                reason = say("No room for {name} beside the others was found.", name=name)
            ruling, state = failed(
                attempt, "t9a.combined.room", reason, has_room=None if found.is_open else False
            )
            ruling = replace(ruling, proof=found.proof)
        else:
            has_room = _room_if_reached(group, attempt) if is_told else None
            ruling, state = failed(attempt, "t9a.range", short_of_range(attempt), has_room=has_room)
        lane = _in_a_lane(group, name, rulings) if is_told and ruling.outcome == "failed" else None
        combined = _combined_findings(group, found, attempt, lane, is_told=is_told)
        rulings[name] = replace(ruling, findings=(*ruling.findings, *combined))
    last = max(found.places, key=group.names.index, default=None)
    if last is not None and len(found.places) > 1:
        ruling = rulings[last]
        in_all = _in_all(group, found)
        summary, result = (
            say("{summary} {in_all}.", summary=one, in_all=in_all)
            for one in (ruling.summary, ruling.result)
        )
        rulings[last] = replace(ruling, summary=summary, result=result)
    return rulings, state


def _room_if_reached(group: ChargerGroup, attempt: Attempt) -> bool | None:
    """Return whether a charger whose range is too short would complete with a sufficient roll; None if undecided."""
    name = attempt.charge.charger
    measured = attempt.declaration.measured
    if measured.needed_roll > SIDES:
        return False
    enough = tuple(
        replace(one, faces=(SIDES,) * measured.dice) if one.charge.charger == name else one
        for one in group.attempts
    )
    found = Search(replace(group, attempts=enough, looks=SearchEffort())).best()
    return name in found.places or (None if found.is_open else False)


def _in_a_lane(group: ChargerGroup, name: str, earlier: Mapping[str, Ruling]) -> Mark | None:
    """Return a mark of a failed charge move that, made first, would end in the lane of a charge that is made before;
    None if in none.
    """
    scene = group.scene(name, group.state)
    end = scene.charger.at(failed_move(scene, group.attempt(name).facing).end)
    body = end.boundary
    front = (end.front_left, end.front_right)
    for other, ruling in earlier.items():
        unit = group.state.units[other]
        for step in ruling.steps if ruling.outcome == "success" else ():
            if step.kind != "forward" or step.start is None or step.end is None:
                continue
            lane = convex_hull_of(unit.at(step.start).boundary, unit.at(step.end).boundary)
            if (depth := -gap(body, lane)) > CONTACT:
                area = shapely.intersection(body.core, lane.core)
                words = say(
                    "made first, {depth:.2f} in into {other}'s lane", depth=depth, other=other
                )
                return Mark(
                    words,
                    (area.centroid.x, area.centroid.y),
                    fronts=(front,),
                    areas=(Shape(area),),
                    is_met=False,
                )
    return None


def _in_all(group: ChargerGroup, found: Combination) -> str:
    """Return the words for the totals of models in contact."""
    theirs = counted(found.totals[0], "models")
    own = found.totals[1]
    target = group.attempts[0].charge.targets[0]
    return say(
        "In all {theirs} of {target} and {own} of its chargers are in contact",
        theirs=theirs,
        target=target,
        own=own,
    )


def _of_completed(ruling: Ruling, found: Combination) -> Ruling:
    """Return the ruling with the totals among its metrics, without the leeway, which only a charger alone has."""
    totals: Mapping[str, int] = dict(
        zip(
            ("total_target_models_in_contact", "total_charger_models_in_contact"),
            found.totals,
            strict=True,
        )
    )
    metrics = {key: value for key, value in ruling.metrics.items() if key != "leeway"}
    return replace(ruling, metrics={**metrics, **totals}, choices=None, proof=found.proof)


def _combined_findings(
    group: ChargerGroup, found: Combination, attempt: Attempt, lane: Mark | None, *, is_told: bool
) -> list[Finding]:
    """Return the findings of a combined charge on one charger: rolls, order of moves, totals, and room."""
    name = attempt.charge.charger
    target = attempt.charge.targets[0]
    order = listed(found.order, ", ")
    done = len(found.places)
    rolled = say(
        "{names} all charge {target}: all ranges were rolled first.",
        names=listed(group.names, ", "),
        target=target,
    )
    moved = say(
        "They move in the order {order}; charges completed: {done}, {proven}.",
        order=order,
        done=done,
        proven=_proven(found),
    )
    findings = [
        Finding("t9a.combined.roll-first", ok=True, text=rolled),
        Finding("t9a.combined.order", ok=True, text=moved, measured=float(done), mark=lane),
    ]
    if name in found.places:
        more = (
            say("other positions may give more")
            if found.is_open
            else say("no other positions give more")
        )
        more += (
            ""
            if found.is_settled
            else say("; the tie-break did not compare all equally good positions")
        )
        totals = say("{in_all}; {more}.", in_all=_in_all(group, found), more=more)
        findings += [
            Finding(
                "t9a.combined.aligned-only",
                ok=True,
                text=say(
                    "{name} stands aligned, as every unit of a combined charge must.", name=name
                ),
            ),
            Finding("t9a.combined.totals", ok=True, text=totals, measured=float(found.totals[0])),
        ]
    if name in group.in_range:
        has_room = name in found.places
        none = say(
            "No order of moves and no positions of the others leave {name} room to complete its charge",
            name=name,
        )
        none = (
            say("None of the orders and positions examined leaves {name} room", name=name)
            if found.is_open
            else none
        )
        bar = (
            bar_of(attempt.scene, [attempt.facing], budget=group.budget)
            if is_told and not has_room
            else None
        )
        room = Finding(
            "t9a.combined.room",
            ok=True,
            text=say("There is room for {name} beside the other chargers.", name=name),
        )
        short = say("no room beside the others")
        findings.append(
            room
            if has_room
            else without_room("t9a.combined.room", none, bar, attempt.declared_front, short)
        )
    return findings


def _proven(found: Combination) -> str:
    """Return the words for how certain it is that no order lets more charges complete."""
    if found.is_open:
        return say("the best found {limit}", limit=found.limit)
    return say("and no order lets more")

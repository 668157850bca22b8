"""Orders and places searched together: what each charger can reach past the others as they stand at its turn.

The best places on paper are played from the first mover on, orders one move at a time; where a charger cannot take its own, its
places, or those of one before it, are narrowed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import heappop, heappush
from itertools import count, islice, product

from systems.t9a.aligned import Front
from systems.t9a.combined.group import Combination, Found, Group
from systems.t9a.combined.order import PlayedOrder, Turns
from tabletop.budget import Proof
from tabletop.fronts.contender import Packing
from tabletop.fronts.reach import TOLERANCE
from tabletop.geometry.pose import Pose
from tabletop.optimise.interval import Interval, Intervals, intersection
from tabletop.table.state import Base, Regiment
from tabletop.units import CONTACT

ORDERS_PRESSED = 100
"""Orders and ends to which chargers go that are tried before places are searched."""

Part = tuple[tuple[str, ...], Mapping[str, Intervals]]
"""The beginning of an order, and the places that its chargers may take."""


@dataclass(frozen=True)
class Node:
    """The beginning of an order with what is left of every charger's places, and the best that these could give."""

    order: tuple[str, ...]
    places: Mapping[str, Intervals]
    packing: Packing


@dataclass
class Queue:
    """The nodes still to be looked at, what promises most first; `is_proven` while none was left out that might be better."""

    narrowing: "CombinedSearch"
    known: Packing | None
    heap: list[tuple[tuple[float, ...], tuple[int, ...], int, Node]] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    is_proven: bool = True

    def add(self, parts: Iterable[Part]) -> None:
        """Add the parts that could be better than what is known."""
        for order, left in parts:
            packing = self.narrowing.turns.packed(left)
            if packing is not None:
                self.is_proven = self.is_proven and packing.is_proven
                if packing.slides and packing.is_better(self.known, self.narrowing.group.weights):
                    self._push(Node(order, left, packing))

    def extend(self, node: Node) -> None:
        """Add a node once for each charger that may move next."""
        for name in self.narrowing.movers:
            if name not in node.order:
                self._push(replace(node, order=(*node.order, name)))

    def _push(self, node: Node) -> None:
        group = self.narrowing.group
        positions = tuple(group.names.index(name) for name in node.order)
        heappush(self.heap, (node.packing.rank(group.weights), positions, next(self.numbers), node))

    def first(self) -> Node:
        """Take what promises most."""
        return heappop(self.heap)[-1]


@dataclass(frozen=True)
class CombinedSearch:
    """The search for the best places of some chargers, and an order in which they can take them."""

    turns: Turns
    names: tuple[str, ...]

    @property
    def group(self) -> Group:
        """All chargers."""
        return self.turns.group

    @cached_property
    def movers(self) -> tuple[str, ...]:
        """The chargers that move at any turn."""
        last = self.group.last(self.names)
        return tuple(name for name in self.group.names if name not in last)

    def among(self, parts: Iterable[Part], known: Packing | None, *, nodes: int) -> tuple[Found | None, bool]:
        """Search orders with places for the best that is better than those known, what promises most first; tell whether that is all.

        `nodes` is how often places may be narrowed.
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
                order = (*self.movers_of(node.order), *self.group.last(self.names))
                proof: Proof = "tolerance" if queue.is_proven else "best_found"
                return (node.packing, Combination(order, turn.places, node.packing.totals, proof)), queue.is_proven
            elif (key := self._standing(node, turn)) not in seen:
                seen.add(key)
                queue.extend(node)
        return None, queue.is_proven

    def movers_of(self, order: Sequence[str]) -> tuple[str, ...]:
        """Leave out of an order those that move last."""
        return tuple(name for name in order if name in self.movers)

    def _standing(self, node: Node, turn: PlayedOrder) -> tuple[object, ...]:
        """Name all that the rest of an order depends on: the places left, who has moved, where failed moves ended."""
        failed = (turn.state.units[name].pose for name in node.order if name not in node.packing.slides)
        return (id(node.places), frozenset(node.order), *failed)

    def pressed(self, known: Packing | None) -> tuple[Found | None, list[Part]]:
        """Give the best, if better than those known, of arrangements in which each goes to an end of what it can reach at its turn.

        With it, what each of them could reach. Where there is room for all these charges, some such arrangement mostly has it.
        """
        best: Found | None = None
        around: list[Part] = []
        weights, most = self.group.weights, (self.turns.effort + self.turns.most) / 2
        tried = ((order, ends) for order in self.group.orders(self.names) for ends in product((0, -1), repeat=len(self.names)))
        for order, ends in islice(tried, ORDERS_PRESSED):
            reached = self._pressed_places(order, dict(zip(self.names, ends, strict=True)))
            if len(reached) == len(self.names):
                at_ends = {name: ((reached[name][end][end],) * 2,) for name, end in zip(self.names, ends, strict=True)}
                packing = self.turns.packed(at_ends)
                if packing is not None and packing.slides and packing.is_better(best[0] if best else known, weights):
                    turn = self.turns.play(order, packing)
                    if turn.failing is None:
                        best = packing, Combination(order, turn.places, packing.totals, "tolerance")
                        around = [(order, {name: reached[name] for name in self.names})]
            if self.turns.is_spent or self.turns.effort > most:
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
            places = self.turns.places(front)
            if not places:
                break
            found[name] = places
            state = state.with_unit(front.scene.charger.at(front.pose(places[ends[name]][ends[name]])))
        return found

    def _parts(self, node: Node, front: Front) -> Iterator[dict[str, Intervals]]:
        """Narrow the places of a node in which a charger cannot take its slide, those before it standing as chosen.

        What it cannot reach past the parts of the others that stand in its way wherever they stand is left out for good. If that
        does not tell, the places of the other that is least settled are halved, beside a part in which all stand as chosen.
        """
        name = front.scene.charger.name
        before = [other for other in node.order[: node.order.index(name)] if other in node.packing.slides]
        spans = {other: (node.places[other][0][0], node.places[other][-1][1]) for other in before}
        at_best, slide = self._among_cores(node, front, spans), node.packing.slides[name]
        if not self.turns.takes(at_best, slide):
            yield {**node.places, name: intersection(node.places[name], self.turns.left(at_best, slide))}
            return
        as_chosen = {other: ((node.packing.slides[other],) * 2,) for other in before}
        yield {**node.places, **as_chosen, name: intersection(node.places[name], self.turns.left(front, slide))}
        widest = max(before, key=lambda other: spans[other][1] - spans[other][0], default=name)
        low, high = spans.get(widest, (0.0, 0.0))
        if high - low > TOLERANCE:
            middle = (low + high) / 2
            for half in ((low, middle), (middle, high)):
                yield {**node.places, widest: intersection(node.places[widest], [half])}

    def _among_cores(self, node: Node, front: Front, spans: Mapping[str, Interval]) -> Front:
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


def _core(unit: Regiment, pose: Pose, width: float) -> Regiment:
    """Give a unit as deep as another and of some width."""
    return replace(unit, pose=pose, files=1, models=1, base=Base(width, unit.depth), spacing=0.0)

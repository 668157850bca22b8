"""Several fronts side by side along the sides of one body: who stands where so that the most models are in contact.

On one side the fronts stand in some order along it without overlapping (`tabletop.fronts.row`). The sides are coupled where they
show the same models, and at corners, beyond which only one of two sides may have fronts. Slides are the critical ones of each
front, and those at which it touches a chain of others that stand at theirs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from heapq import heappop, heappush
from itertools import count, permutations

import numpy as np

from tabletop.fronts.contender import NEIGHBOUR_OVERLAP, Contender, Packing, Weights
from tabletop.fronts.row import LONGEST_CHAIN, best_row
from tabletop.geometry.pose import FloatArray
from tabletop.units import CONTACT

MOST_TERMS = 500
"""Ways to settle what couples the sides that are looked at."""


def chained(own: Mapping[str, Sequence[float]], widths: Mapping[str, float]) -> dict[str, FloatArray]:
    """Close slides under touching: add to each front those at which it touches a chain of others that stands at one of theirs.

    Chains are at most LONGEST_CHAIN fronts long.
    """
    closed: dict[str, FloatArray] = {}
    for name in own:
        slides = list(own[name])
        others = [other for other in own if other != name]
        for between in (chain for size in range(min(len(others), LONGEST_CHAIN - 1)) for chain in permutations(others, size + 1)):
            *middle, anchor = between
            gap = sum(widths[other] for other in middle)
            slides += [slide + widths[anchor] + gap for slide in own[anchor]]
            slides += [slide - gap - widths[name] for slide in own[anchor]]
        ordered = np.unique(slides)
        closed[name] = ordered[np.diff(ordered, prepend=-np.inf) > CONTACT / 1000]
    return closed


def pack(contenders: Sequence[Contender], lengths: Sequence[float], *, weights: Weights, apart: float = 0.0) -> Packing | None:
    """Find the best places of all contenders together; None if they do not fit, no slides if none were found.

    `lengths` are those of the body's sides in inches, in the order in which they follow each other around it; `apart` is the gap
    that fronts keep, which their widths include. The sides are first looked at as if they had nothing to do with each other; what
    then clashes is settled one way and the other, what promises most first.
    """
    body = _Body(contenders, lengths, weights, apart)
    heap: list[tuple[tuple[float, ...], int, _Terms, Packing]] = []
    is_open, numbers, terms = False, count(), [_Terms()]
    while terms or heap:
        for some in terms:
            packing = body.packed(some)
            if packing is not None and packing.slides:
                heappush(heap, (packing.rank(weights), next(numbers), some, packing))
            is_open = is_open or (packing is not None and not packing.is_proven)
        if not heap:
            break
        *_, some, best = heappop(heap)
        terms = body.clash(some, best)
        if not terms:
            return replace(best, is_proven=not is_open)
        if next(numbers) > MOST_TERMS:
            is_open = True
            break
    return Packing({}, (0, 0), (), is_proven=False, is_settled=False) if is_open else None


@dataclass(frozen=True)
class _Terms:
    """What couples the sides, as far as settled: (side, model) that do not count, and sides beyond whose ends nobody may stand."""

    hidden: frozenset[tuple[int, int]] = frozenset()
    begins: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()

    def of(self, side: int) -> tuple[tuple[int, ...], bool, bool]:
        """Give what concerns one side."""
        return tuple(sorted(model for other, model in self.hidden if other == side)), side in self.begins, side in self.ends


@dataclass(frozen=True, eq=False)
class _Body:
    """The contenders around one body, with the rows known for some terms."""

    contenders: Sequence[Contender]
    lengths: Sequence[float]
    weights: Weights
    apart: float
    known: dict[tuple[object, ...], Packing | None] = field(default_factory=dict)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """The sides at which somebody contends."""
        return tuple(sorted({one.side for one in self.contenders}))

    def packed(self, terms: _Terms) -> Packing | None:
        """Find the best rows of all sides under some terms."""
        rows = []
        for side in self.sides:
            key = (side, *terms.of(side))
            if key not in self.known:
                limit = partial(self._limited, *key)
                self.known[key] = best_row([one.limited(limit) for one in self.contenders if one.side == side], self.weights)
            row = self.known[key]
            if row is None or not row.slides:
                return row
            rows.append(row)
        return _joined(rows, [one.name for one in self.contenders])

    def _limited(self, side: int, hidden: tuple[int, ...], begins: bool, ends: bool, contender: Contender) -> Contender:  # noqa: FBT001
        """Count some models on other sides, and keep the front from standing beyond a corner."""
        meets = contender.meets
        if hidden:
            meets = meets.copy()
            meets[:, list(hidden)] = False
        low, high = self.apart - NEIGHBOUR_OVERLAP if begins else -np.inf, self.lengths[side] + NEIGHBOUR_OVERLAP if ends else np.inf
        keep = (contender.slides >= low) & (contender.slides + contender.width <= high)
        return replace(contender, meets=meets).take(keep)

    def clash(self, terms: _Terms, packing: Packing) -> list[_Terms]:
        """Give the ways to settle what clashes: both sides of a corner beyond it, or a model counted on two sides."""
        for side in self.sides:
            following = (side + 1) % len(self.lengths)
            is_beyond = any(
                packing.slides[one.name] + one.width > self.lengths[side] + NEIGHBOUR_OVERLAP for one in self.contenders if one.side == side
            )
            is_before = any(packing.slides[one.name] < self.apart - NEIGHBOUR_OVERLAP for one in self.contenders if one.side == following)
            if is_beyond and is_before:
                return [replace(terms, ends=terms.ends | {side}), replace(terms, begins=terms.begins | {following})]
        met = {side: np.zeros(self.contenders[0].meets.shape[1], dtype=bool) for side in self.sides}
        for one in self.contenders:
            met[one.side] |= one.elsewhere(np.array([packing.slides[one.name]])).meets[0]
        counted = {side: met[side] & ~np.isin(np.arange(len(met[side])), terms.of(side)[0]) for side in self.sides}
        twice = np.flatnonzero(np.sum(list(counted.values()), axis=0) > 1)
        if not len(twice):
            return []
        model = int(twice[0])
        holders = [side for side in self.sides if counted[side][model]]
        return [replace(terms, hidden=terms.hidden | {(other, model) for other in holders if other != keeper}) for keeper in holders]


def _joined(rows: Sequence[Packing], names: Sequence[str]) -> Packing:
    slides = {name: slide for row in rows for name, slide in row.slides.items()}
    totals = tuple(int(sum(values)) for values in zip(*(row.totals for row in rows), strict=True))
    preferences = tuple(sum(values) for values in zip(*(row.preferences for row in rows), strict=True))
    is_settled = all(row.is_settled for row in rows)
    return Packing({name: slides[name] for name in names}, (totals[0], totals[1]), preferences, is_settled=is_settled)

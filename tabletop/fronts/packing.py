"""Packing of several fronts along the sides of one body, such that as many models as possible are in contact.

On one side the fronts are placed in some order along it without overlapping. Of few fronts every order is tried; of
many, rows grow front by front from the beginning of the side on (dynamic programming over subsets). The sides are
coupled where they show the same models, and at corners, beyond which only one of two sides may have fronts; branch and
bound resolves that. A slide is the coordinate along a side, in inches, at which a front begins. Slides tried are the
critical ones of each front, and those at which it touches a chain of others that are at theirs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from heapq import heappop, heappush
from itertools import combinations, count, pairwise, permutations, product
from operator import neg
from typing import TypeVar

import numpy as np

from tabletop.fronts.flush import MOST_COUNTED, SAME_SLIDE
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.units import CONTACT

NEIGHBOUR_OVERLAP = CONTACT / 2
"""Overlap of neighbours, in inches, allowed against rounding; smaller than the tolerance to which places are
checked."""

MOST_TERMS = 500
"""Number of branches on coupled sides that are examined."""

FULLY_ORDERED = 3
"""Number of fronts up to which all orders are tried, with all slides at which fronts touch each other in chains."""

MOST_ORDERED = 4
"""Number of fronts up to which all orders are tried."""

LONGEST_CHAIN = 3
"""Length of a chain of touching fronts that is moved as one."""

MOST_SLIDES = 240
"""Number of slides per front that are compared for many fronts: those nearest to its last aim."""

MANY = 8
FEW_SLIDES = 100

MOST_ROWS = 4_000
"""Number of partial rows kept per number of fronts; fewer with more fronts or slides, so that the work stays
bounded."""

FEWEST_ROWS = 24

WORTH_MOST = 2.0**27
"""Larger than the worth of any row."""


@dataclass(frozen=True, eq=False)
class PackingItem:
    """One front to be packed along one side of a body, with the slides that it may take and their values.

    Attributes
    ----------
    name
        Name of the front; the order of names given to `pack` decides last ties.
    side
        Index of the side of the body it is placed against; side n + 1 begins where side n ends.
    width
        Width of the front and the gap that it keeps to the next one, in inches.
    slides
        Critical slides, sorted, (c,), in inches.
    meets
        Models of the body that are in contact at each slide, as a mask (c, models).
    own
        Number of the front's own models in contact at each slide, (c,).
    preferences
        Values of the criteria among equally good slides, greater is better, (c, criteria).
    at
        Function that returns the front at any slides, those that it may not take left out; None if only `slides` are
        possible.
    aims
        Slides at which each of the criteria that are squared distances has its best value.
    """

    name: str
    side: int
    width: float
    slides: FloatArray
    meets: np.ndarray
    own: FloatArray
    preferences: FloatArray
    at: "Callable[[FloatArray], PackingItem] | None" = None
    aims: tuple[float, ...] = ()

    def take(self, which: np.ndarray) -> "PackingItem":
        """Return the front with only some of its slides, selected by indices or a mask."""
        return replace(
            self,
            slides=self.slides[which],
            meets=self.meets[which],
            own=self.own[which],
            preferences=self.preferences[which],
        )

    def elsewhere(self, slides: FloatArray) -> "PackingItem":
        """Return the front at other slides (n,), in inches, without those that it may not take."""
        return (
            self.at(slides)
            if self.at is not None
            else self.take(np.flatnonzero(np.isin(self.slides, slides)))
        )

    def limited(self, limit: "Callable[[PackingItem], PackingItem]") -> "PackingItem":
        """Return the front with a restriction, a function of fronts, applied to its slides and to all other slides that
        it is asked for.
        """
        at = self.at
        limited = limit(self)
        return limited if at is None else replace(limited, at=lambda slides: limit(at(slides)))


@dataclass(frozen=True)
class Packing:
    """Slides of several fronts, with the models in contact there.

    Attributes
    ----------
    slides
        Slides in inches, by the names of the fronts.
    totals
        Number of models of the body in contact, each counted once, and of the fronts' own models.
    preferences
        Sums of the criteria over the fronts.
    is_proven
        Whether no other slides have better totals.
    is_settled
        Whether, besides, no slides with equal totals are preferred.
    """

    slides: Mapping[str, float]
    totals: tuple[int, int]
    preferences: tuple[float, ...]
    is_proven: bool = True
    is_settled: bool = True

    def is_better(self, other: "Packing | None", weights: "Weights") -> bool:
        """Return whether the packing is better than another one, or the other is None.

        Compared are the totals, then the preferences to 1e-6, then the slides in the order of names, smaller ones being
        better.
        """
        if other is None:
            return True
        if weights.value(*self.totals) != weights.value(*other.totals):
            return weights.value(*self.totals) > weights.value(*other.totals)
        for own, theirs in zip(self.preferences, other.preferences, strict=True):
            if abs(own - theirs) > CONTACT:
                return own > theirs
        return tuple(self.slides.values()) < tuple(other.slides.values())

    def rank(self, weights: "Weights") -> tuple[float, ...]:
        """Return a sort key, smaller for better packings: totals, preferences, then slides, the last two rounded to
        1e-6.
        """
        return (
            -weights.value(*self.totals),
            *(round(value, 6) for value in (*map(neg, self.preferences), *self.slides.values())),
        )


NOT_FOUND = Packing({}, (0, 0), (), is_proven=False, is_settled=False)
"""Packing of a search that ended before it found one."""

Amount = TypeVar("Amount", float, FloatArray)


@dataclass(frozen=True)
class Weights:
    """Relative weight of the two objectives: models of the body before own models, or their sum first if `is_sum`."""

    is_sum: bool = False

    def value(self, body: Amount, own: Amount) -> Amount:
        """Return one number that orders pairs of counts (models of the body, own models): greater is better; of arrays
        one for each pair.
        """
        return (body + own) * MOST_COUNTED + body if self.is_sum else body * MOST_COUNTED + own

    def totals(self, value: float) -> tuple[int, int]:
        """Return the pair of counts (models of the body, own models) whose `value` is given."""
        high, low = divmod(int(value), int(MOST_COUNTED))
        return (low, high - low) if self.is_sum else (high, low)


def close_under_contact(
    own: Mapping[str, Sequence[float]], widths: Mapping[str, float]
) -> dict[str, FloatArray]:
    """Return the slides of each front, sorted, in inches, with those at which it touches a chain of others added.

    One end of the chain is a front at one of its own slides; chains are at most LONGEST_CHAIN fronts long. `own` are
    slides and `widths` widths in inches, both by name.
    """
    closed: dict[str, FloatArray] = {}
    for name in own:
        slides = list(own[name])
        others = [other for other in own if other != name]
        for between in (
            chain
            for size in range(min(len(others), LONGEST_CHAIN - 1))
            for chain in permutations(others, size + 1)
        ):
            *middle, anchor = between
            gap = sum(widths[other] for other in middle)
            slides += [slide + widths[anchor] + gap for slide in own[anchor]]
            slides += [slide - gap - widths[name] for slide in own[anchor]]
        closed[name] = _distinct(slides)
    return closed


def pack(
    contenders: Sequence[PackingItem],
    lengths: Sequence[float],
    *,
    weights: Weights,
    apart: float = 0.0,
) -> Packing | None:
    """Return the best joint packing of all fronts; None if they do not fit, a packing without slides if none was found.

    The sides are first packed independently of each other. Conflicts between them are then resolved by branch and
    bound, best bound first.

    Parameters
    ----------
    contenders
        The fronts.
    lengths
        Lengths of the body's sides in inches, in the order in which they follow each other around it.
    weights
        Order of the two objectives.
    apart
        Gap that fronts keep from each other, in inches; their widths include it.
    """
    body = _Body(contenders, lengths, weights, apart)
    heap: list[tuple[tuple[float, ...], int, _BranchDecisions, Packing]] = []
    is_open = False
    numbers = count()
    terms = [_BranchDecisions()]
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
    return NOT_FOUND if is_open else None


@dataclass(frozen=True)
class _BranchDecisions:
    """Branching decisions for coupled sides.

    Attributes
    ----------
    hidden
        Pairs (side, model) that do not count as contact.
    begins, ends
        Sides before whose beginning, or beyond whose end, no front may extend.
    """

    hidden: frozenset[tuple[int, int]] = frozenset()
    begins: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()

    def of(self, side: int) -> tuple[tuple[int, ...], bool, bool]:
        """Return the decisions for one side: hidden models, and whether fronts must not extend before its beginning,
        beyond its end.
        """
        return (
            tuple(sorted(model for other, model in self.hidden if other == side)),
            side in self.begins,
            side in self.ends,
        )


@dataclass(frozen=True, eq=False)
class _Body:
    """The fronts around one body, with a cache of the best row of each side under branching decisions."""

    contenders: Sequence[PackingItem]
    lengths: Sequence[float]
    weights: Weights
    apart: float
    known: dict[tuple[object, ...], Packing | None] = field(default_factory=dict)

    @cached_property
    def sides(self) -> tuple[int, ...]:
        """Indices of the sides that have fronts, sorted."""
        return tuple(sorted({one.side for one in self.contenders}))

    def packed(self, terms: _BranchDecisions) -> Packing | None:
        """Return the best packing under branching decisions, each side by itself; None if a side's fronts do not fit.

        A packing without slides is returned if none was found for a side.
        """
        rows = []
        for side in self.sides:
            key = (side, *terms.of(side))
            if key not in self.known:
                limit = partial(self._limited, *key)
                self.known[key] = best_row(
                    [one.limited(limit) for one in self.contenders if one.side == side],
                    self.weights,
                )
            row = self.known[key]
            if row is None or not row.slides:
                return row
            rows.append(row)
        return _joined(rows, [one.name for one in self.contenders])

    def _limited(
        self,
        side: int,
        hidden: tuple[int, ...],
        begins: bool,  # noqa: FBT001
        ends: bool,  # noqa: FBT001
        contender: PackingItem,
    ) -> PackingItem:
        """Return a front as branching decisions restrict it: it ignores some models and does not extend beyond a corner
        of the body.
        """
        meets = contender.meets
        if hidden:
            meets = meets.copy()
            meets[:, list(hidden)] = False
        low = self.apart - NEIGHBOUR_OVERLAP if begins else -np.inf
        high = self.lengths[side] + NEIGHBOUR_OVERLAP if ends else np.inf
        keep = (contender.slides >= low) & (contender.slides + contender.width <= high)
        return replace(contender, meets=meets).take(keep)

    def clash(self, terms: _BranchDecisions, packing: Packing) -> list[_BranchDecisions]:
        """Return the branches that resolve one conflict of a packing, empty if it has none.

        A conflict is a corner used from both sides, or a model counted on two sides.
        """
        for side in self.sides:
            following = (side + 1) % len(self.lengths)
            is_beyond = any(
                packing.slides[one.name] + one.width > self.lengths[side] + NEIGHBOUR_OVERLAP
                for one in self.contenders
                if one.side == side
            )
            is_before = any(
                packing.slides[one.name] < self.apart - NEIGHBOUR_OVERLAP
                for one in self.contenders
                if one.side == following
            )
            if is_beyond and is_before:
                return [
                    replace(terms, ends=terms.ends | {side}),
                    replace(terms, begins=terms.begins | {following}),
                ]
        met = {side: np.zeros(self.contenders[0].meets.shape[1], dtype=bool) for side in self.sides}
        for one in self.contenders:
            met[one.side] |= one.elsewhere(np.array([packing.slides[one.name]])).meets[0]
        counted = {
            side: met[side] & ~np.isin(np.arange(len(met[side])), terms.of(side)[0])
            for side in self.sides
        }
        twice = np.flatnonzero(np.sum(list(counted.values()), axis=0) > 1)
        if not len(twice):
            return []
        model = int(twice[0])
        holders = [side for side in self.sides if counted[side][model]]
        return [
            replace(
                terms,
                hidden=terms.hidden | {(other, model) for other in holders if other != keeper},
            )
            for keeper in holders
        ]


def _joined(rows: Sequence[Packing], names: Sequence[str]) -> Packing:
    """Return one packing for the rows of all sides, with sums of their totals and preferences, its slides in the order
    of `names`.
    """
    slides = {name: slide for row in rows for name, slide in row.slides.items()}
    totals = tuple(int(sum(values)) for values in zip(*(row.totals for row in rows), strict=True))
    preferences = tuple(
        sum(values) for values in zip(*(row.preferences for row in rows), strict=True)
    )
    is_settled = all(row.is_settled for row in rows)
    return Packing(
        {name: slides[name] for name in names},
        (totals[0], totals[1]),
        preferences,
        is_settled=is_settled,
    )


def best_row(row: Sequence[PackingItem], weights: Weights) -> Packing | None:
    """Return the best packing of fronts along one side; None if they do not fit, a packing without slides if none was
    found.
    """
    if len(row) <= FULLY_ORDERED:
        return _best_of(permutations(row), None, weights)
    crowd = SubsetProgramme.of(row, weights)
    found = next(crowd.sets(len(row)), None)
    if found is None:
        return None if crowd.is_complete else NOT_FOUND
    _, value, which = found
    numbers, slides = crowd.trace(len(row), which)
    order = [row[number] for number in numbers]
    pushed = _measured(order, slides, weights.totals(value))
    is_settled = len(row) <= MOST_ORDERED
    orders = permutations(row) if is_settled else (order, sorted(row, key=_aim))
    best = _best_of((_closed(one) for one in orders), pushed, weights) or pushed
    # A row is worth at most all models met that any front can meet, and each front's most.
    met = np.any([one.meets.any(axis=0) for one in row], axis=0).sum()
    own = sum(one.own.max() for one in row)
    is_proven = crowd.is_complete or weights.value(*best.totals) >= weights.value(
        float(met), float(own)
    )
    return Packing(
        best.slides, best.totals, best.preferences, is_proven=is_proven, is_settled=is_settled
    )


def _measured(
    order: Sequence[PackingItem], slides: Sequence[float], totals: tuple[int, int]
) -> Packing:
    """Return the packing of fronts in an order at known slides, with known totals, their preferences summed."""
    placed = [one.elsewhere(np.array([slide])) for one, slide in zip(order, slides, strict=True)]
    preferences = np.sum([one.preferences[0] for one in placed], axis=0)
    return Packing(
        {one.name: slide for one, slide in zip(order, slides, strict=True)},
        totals,
        tuple(preferences.tolist()),
    )


def _aim(one: PackingItem) -> float:
    """Return the slide, in inches, at which a front best meets its last squared criterion, else the mean of its
    slides.
    """
    return one.aims[-1] if one.aims else float(one.slides.mean())


def _best_of(
    orders: Iterable[Sequence[PackingItem]], known: Packing | None, weights: Weights
) -> Packing | None:
    """Return the best packing over several orders of fronts, or the known one if that is not worse; None if there is
    neither.
    """
    best = known
    for order in orders:
        packing = _best_in_order(order, weights)
        if packing is not None and packing.is_better(best, weights):
            best = packing
    return best


def _best_in_order(order: Sequence[PackingItem], weights: Weights) -> Packing | None:
    """Return the best packing of fronts in one order, None if they do not fit.

    Dynamic programming: for each slide of the next front, the best places of all fronts before it.
    """
    if any(not len(one.slides) for one in order):
        return None
    first = order[0]
    value = weights.value(first.meets.sum(axis=1).astype(float), first.own)
    preferences = first.preferences
    came_from: list[np.ndarray] = []
    for before, after in pairwise(order):
        shared = before.meets.astype(float) @ after.meets.T.astype(float)
        gain = weights.value(after.meets.sum(axis=1)[None, :] - shared, after.own[None, :])
        fits = after.slides[None, :] >= before.slides[:, None] + before.width - NEIGHBOUR_OVERLAP
        chosen = _chosen(np.where(fits, value[:, None] + gain, -np.inf), preferences)
        came_from.append(chosen)
        column = np.arange(len(after.slides))
        value = np.where(fits[chosen, column], value[chosen] + gain[chosen, column], -np.inf)
        preferences = preferences[chosen] + after.preferences
    if not np.isfinite(value).any():
        return None
    last = int(_chosen(value[:, None], preferences)[0])
    return _traced(order, came_from, last, tuple(preferences[last].tolist()))


def _chosen(values: FloatArray, preferences: FloatArray) -> np.ndarray:
    """Return for each column of `values` (rows, columns) the index of the row with the largest value.

    Ties are broken by `preferences` (rows, criteria), compared to 1e-6, then by the lowest index.
    """
    usable = values >= values.max(axis=0)
    for criterion in preferences.T:
        masked = np.where(usable, criterion[:, None], -np.inf)
        usable &= masked >= masked.max(axis=0) - CONTACT
    result: np.ndarray = usable.argmax(axis=0)
    return result


def _traced(
    order: Sequence[PackingItem],
    came_from: Sequence[np.ndarray],
    last: int,
    preferences: tuple[float, ...],
) -> Packing:
    """Return the packing that ends with slide number `last`, traced back through the choices of the dynamic
    programming.
    """
    picks = [last]
    for chosen in reversed(came_from):
        picks.append(int(chosen[picks[-1]]))
    picks.reverse()
    met = np.any([one.meets[pick] for one, pick in zip(order, picks, strict=True)], axis=0)
    own = sum(int(one.own[pick]) for one, pick in zip(order, picks, strict=True))
    return Packing(
        {one.name: float(one.slides[pick]) for one, pick in zip(order, picks, strict=True)},
        (int(met.sum()), own),
        preferences,
    )


def _closed(order: Sequence[PackingItem]) -> list[PackingItem]:
    """Return the fronts of an order with more slides: those at which one touches a chain of neighbours that contains
    one at its own.

    Also those at which touching fronts have the least sum of squared distances from their aims; of too many slides only
    the nearest to each front's aim are kept.
    """
    widths = [one.width for one in order]
    starts = _starts(widths)
    slides = [[one.slides] for one in order]
    for (number, near), (other, far) in product(enumerate(order), enumerate(order)):
        if near is not far and abs(number - other) < LONGEST_CHAIN:
            slides[number].append(far.slides + (starts[number] - starts[other]))
    for first, last in combinations(range(len(order)), 2):
        for aims in zip(*(one.aims for one in order[first : last + 1]), strict=True):
            for number, slide in enumerate(balanced(widths[first : last + 1], aims), first):
                slides[number].append(np.array([slide]))
    return [
        one.elsewhere(_nearest(np.concatenate(some), _aim(one)))
        for one, some in zip(order, slides, strict=True)
    ]


def _starts(widths: Sequence[float]) -> FloatArray:
    """Return where each of some fronts in contact begins, from where the first does."""
    return np.concatenate([[0.0], np.cumsum(widths)[:-1]])


def _distinct(slides: FloatArray | Sequence[float]) -> FloatArray:
    """Return slides in order, each of those that are the same once."""
    ordered = np.unique(slides)
    return ordered[np.diff(ordered, prepend=-np.inf) > SAME_SLIDE]


def _nearest(slides: FloatArray, aim: float) -> FloatArray:
    """Return the at most MOST_SLIDES slides nearest to an aim, in inches, sorted and without duplicates."""
    ordered = _distinct(slides)
    first = np.argsort(np.abs(ordered - aim), kind="stable")[:MOST_SLIDES]
    return np.sort(ordered[first])


def balanced(widths: Sequence[float], aims: Sequence[float]) -> list[float]:
    """Return the slides, in inches, of a chain of touching fronts with the least sum of squared distances from each
    front's aim.

    `widths` and `aims` are in inches, in the order of the chain.
    """
    starts = _starts(widths)
    balanced_slides: list[float] = (starts + np.mean(np.array(aims) - starts)).tolist()
    return balanced_slides


@dataclass(frozen=True, eq=False)
class PartialRows:
    """Rows of fronts along one side, n of them with equally many fronts each, from the beginning of the side on.

    Attributes
    ----------
    members
        Mask (n, fronts) of the fronts in each row.
    ends
        Coordinate at which the last front ends, in inches, (n,).
    values
        Worth of the models in contact, (n,).
    meets
        Mask (n, models) of the models of the body that the last front meets.
    last
        Index of the last front, (n,).
    slides
        Slide of the last front, in inches, (n,).
    before
        Index, among the rows of one front less, of the row that it was added to, (n,).
    """

    members: BoolArray
    ends: FloatArray
    values: FloatArray
    meets: BoolArray
    last: np.ndarray
    slides: FloatArray
    before: np.ndarray

    def __len__(self) -> int:
        return len(self.ends)

    def take(self, which: np.ndarray) -> "PartialRows":
        """Return some of the rows, selected by indices or a mask."""
        return PartialRows(*(getattr(self, part.name)[which] for part in fields(self)))

    @classmethod
    def join(cls, parts: Sequence["PartialRows"]) -> "PartialRows":
        """Return the rows of several sets of partial rows, one after the other."""
        return cls(
            *(
                np.concatenate([getattr(part, field.name) for part in parts])
                for field in fields(cls)
            )
        )

    @cached_property
    def groups(self) -> np.ndarray:
        """Number of the set of fronts in each row (n,): equal for rows of the same fronts, from 0."""
        packed = np.packbits(self.members, axis=1).T
        order = np.lexsort(packed)
        is_new = np.zeros(len(order), dtype=int)
        is_new[1:] = (packed[:, order[1:]] != packed[:, order[:-1]]).any(axis=0)
        groups = np.empty(len(order), dtype=int)
        groups[order] = np.cumsum(is_new)
        return groups


@dataclass(frozen=True, eq=False)
class SubsetProgramme:
    """Dynamic programming over subsets of fronts along one side.

    Attributes
    ----------
    contenders
        The fronts.
    weights
        Order of the two objectives.
    levels
        Useful rows of n fronts at index n.
    is_complete
        Whether no rows were dropped because there were too many.
    """

    contenders: Sequence[PackingItem]
    weights: Weights
    levels: tuple[PartialRows, ...]
    is_complete: bool

    @classmethod
    def of(cls, contenders: Sequence[PackingItem], weights: Weights) -> "SubsetProgramme":
        """Return the partial rows of all sizes, extended front by front, without dominated ones."""
        count = len(contenders)
        models = contenders[0].meets.shape[1]
        slides = max(FEW_SLIDES, *(len(one.slides) for one in contenders))
        most = (
            MOST_ROWS
            if count <= MANY
            else max(FEWEST_ROWS, int(MOST_ROWS * (MANY / count) ** 3 * FEW_SLIDES / slides))
        )
        nothing = np.zeros((1, models), dtype=bool)
        levels = [
            PartialRows(
                np.zeros((1, count), dtype=bool),
                np.array([-np.inf]),
                np.zeros(1),
                nothing,
                *(np.zeros(1, dtype=int) for _ in "123"),
            )
        ]
        is_complete = True
        while len(levels) <= count and len(levels[-1]):
            grown = _undominated(PartialRows.join(list(_grown(levels[-1], contenders, weights))))
            is_complete = is_complete and len(grown) <= most
            levels.append(_fewer(grown, most))
        return cls(contenders, weights, tuple(levels), is_complete)

    def sets(self, size: int) -> Iterator[tuple[tuple[str, ...], float, int]]:
        """Yield the sets of `size` fronts that fit: their names, an upper bound of their worth, and the index of their
        best row.
        """
        if size < len(self.levels):
            rows = self.levels[size]
            order = np.lexsort((rows.ends, -rows.values))
            for row in np.sort(np.unique(rows.groups[order], return_index=True)[1]).tolist():
                which = int(order[row])
                names = tuple(
                    one.name
                    for one, is_in in zip(self.contenders, rows.members[which], strict=True)
                    if is_in
                )
                yield names, float(rows.values[which]), which

    def trace(self, size: int, which: int) -> tuple[list[int], list[float]]:
        """Return the indices of the fronts of a row in order along the side, and their slides in inches.

        The row is number `which` among those of `size` fronts.
        """
        order = []
        slides = []
        for level in range(size, 0, -1):
            rows = self.levels[level]
            order.append(int(rows.last[which]))
            slides.append(float(rows.slides[which]))
            which = int(rows.before[which])
        return order[::-1], slides[::-1]


def _grown(
    rows: PartialRows, contenders: Sequence[PackingItem], weights: Weights
) -> Iterator[PartialRows]:
    """Yield rows extended by each front that is not in them: at its own slides, and touching the last front of the
    row.
    """
    yield rows.take(np.empty(0, dtype=int))
    for number, one in enumerate(contenders):
        before = np.flatnonzero(~rows.members[:, number])
        if not len(before):
            continue
        some = rows.take(before)
        shared = some.meets.astype(np.float32) @ one.meets.T.astype(np.float32)
        gain = weights.value(
            one.meets.sum(axis=1)[None, :] - shared.astype(float), one.own[None, :]
        )
        fits = one.slides[None, :] >= some.ends[:, None] - NEIGHBOUR_OVERLAP
        value = np.where(fits, some.values[:, None] + gain, -np.inf)
        known = np.maximum.accumulate(
            np.pad(value, ((0, 0), (1, 0)), constant_values=-np.inf), axis=1
        )[:, :-1]
        row, pick = np.nonzero(value > known)
        yield from _added(some, before, number, one, row, pick, value[row, pick])
        if one.at is not None and np.isfinite(some.ends).all():
            yield from _added(some, before, number, *_against_the_last(some, one, weights))


def _added(
    rows: PartialRows,
    numbers: np.ndarray,
    added: int,
    one: PackingItem,
    row: np.ndarray,
    pick: np.ndarray,
    value: FloatArray,
) -> Iterator[PartialRows]:
    """Yield the rows with indices `row` extended by front number `added` at its slides with indices `pick`.

    `numbers` are the indices of `rows` among all rows of their size, `value` the worth of the extended rows.
    """
    if len(row):
        members = rows.members[row]
        members[:, added] = True
        slides = one.slides[pick]
        yield PartialRows(
            members,
            slides + one.width,
            value,
            one.meets[pick],
            np.full(len(row), added),
            slides,
            numbers[row],
        )


def _against_the_last(
    rows: PartialRows, one: PackingItem, weights: Weights
) -> tuple[PackingItem, np.ndarray, np.ndarray, FloatArray]:
    """Return a front placed against the end of partial rows, where it may be placed.

    Returns
    -------
    tuple
        The front at these slides, indices of the rows extended, index of the slide for each, and worth of each extended
        row.
    """
    there = one.elsewhere(np.unique(rows.ends))
    if not len(there.slides):
        return there, np.empty(0, dtype=int), np.empty(0, dtype=int), np.empty(0)
    pick = np.minimum(np.searchsorted(there.slides, rows.ends), len(there.slides) - 1)
    row = np.flatnonzero(there.slides[pick] == rows.ends)
    pick = pick[row]
    shared = (rows.meets[row] & there.meets[pick]).sum(axis=1)
    value = rows.values[row] + weights.value(
        there.meets[pick].sum(axis=1) - shared.astype(float), there.own[pick]
    )
    return there, row, pick, value


def _undominated(rows: PartialRows) -> PartialRows:
    """Return the rows that no other row dominates: one of the same fronts that ends no later and is worth at least as
    much.
    """
    if not len(rows):
        return rows
    groups = rows.groups
    order = np.lexsort((-rows.values, rows.ends, groups))
    key = groups[order] * WORTH_MOST + rows.values[order]
    known = np.maximum.accumulate(np.concatenate([[-np.inf], key[:-1]]))
    return rows.take(order[key > known])


def _fewer(rows: PartialRows, most: int) -> PartialRows:
    """Return at most `most` of the rows: half of them by greatest worth, half by least end."""
    if len(rows) <= most:
        return rows
    ranks = [np.empty(len(rows), dtype=int) for _ in "12"]
    for rank, order in zip(
        ranks,
        (np.lexsort((rows.ends, -rows.values)), np.lexsort((-rows.values, rows.ends))),
        strict=True,
    ):
        rank[order] = np.arange(len(rows))
    return rows.take(np.sort(np.argsort(np.minimum(*ranks), kind="stable")[:most]))

"""Many fronts side by side along one side of a body: which of them fit, in what order, and how many models are in contact.

Pushed towards the beginning of the side as far as no model loses contact, each front stands at a critical slide of its own or
against its neighbour. So rows grow front by front, and of those of the same fronts only rows matter that end earlier or are worth
more: a dynamic programme over sets, not orders.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from tabletop.fronts.contender import NEIGHBOUR_OVERLAP, Contender, Weights
from tabletop.geometry.pose import FloatArray

MANY, FEW_SLIDES = 8, 100
MOST_ROWS = 4_000
"""Rows of as many fronts that are kept, of up to MANY fronts; fewer of more fronts or of more slides, so that the work stays the same."""

FEWEST_ROWS = 24

WORTH_MOST = 2.0**27
"""More than any row is worth."""

Flags = np.ndarray


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows (n,) of as many fronts each, from the beginning of the side on.

    Attributes
    ----------
    members
        Which fronts stand in them, (n, fronts).
    ends
        Where the last front ends, in inches.
    values
        What the models in contact are worth.
    meets
        Which models of the body the last front meets, (n, models).
    last
        Which front that is.
    slides
        Where it stands.
    before
        The row of one front less that it was added to.
    """

    members: Flags
    ends: FloatArray
    values: FloatArray
    meets: Flags
    last: np.ndarray
    slides: FloatArray
    before: np.ndarray

    def __len__(self) -> int:
        return len(self.ends)

    def take(self, which: np.ndarray) -> "Rows":
        """Give some of the rows."""
        return Rows(*(getattr(self, part.name)[which] for part in fields(self)))

    @classmethod
    def join(cls, parts: Sequence["Rows"]) -> "Rows":
        """Put rows together."""
        return cls(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)))

    @cached_property
    def groups(self) -> np.ndarray:
        """Number the sets of fronts that stand in the rows, (n,)."""
        packed = np.packbits(self.members, axis=1).T
        order = np.lexsort(packed)
        is_new = np.zeros(len(order), dtype=int)
        is_new[1:] = (packed[:, order[1:]] != packed[:, order[:-1]]).any(axis=0)
        groups = np.empty(len(order), dtype=int)
        groups[order] = np.cumsum(is_new)
        return groups


@dataclass(frozen=True, eq=False)
class RowLevels:
    """All rows of some fronts worth looking at, `levels[n]` those of n fronts; if not `is_complete`, there were too many of them."""

    contenders: Sequence[Contender]
    weights: Weights
    levels: tuple[Rows, ...]
    is_complete: bool

    @classmethod
    def of(cls, contenders: Sequence[Contender], weights: Weights) -> "RowLevels":
        """Let rows grow front by front."""
        count, models = len(contenders), contenders[0].meets.shape[1]
        slides = max(FEW_SLIDES, *(len(one.slides) for one in contenders))
        most = MOST_ROWS if count <= MANY else max(FEWEST_ROWS, int(MOST_ROWS * (MANY / count) ** 3 * FEW_SLIDES / slides))
        nothing = np.zeros((1, models), dtype=bool)
        levels = [
            Rows(np.zeros((1, count), dtype=bool), np.array([-np.inf]), np.zeros(1), nothing, *(np.zeros(1, dtype=int) for _ in "123"))
        ]
        is_complete = True
        while len(levels) <= count and len(levels[-1]):
            grown = _undominated(Rows.join(list(_grown(levels[-1], contenders, weights))))
            is_complete = is_complete and len(grown) <= most
            levels.append(_fewer(grown, most))
        return cls(contenders, weights, tuple(levels), is_complete)

    def sets(self, size: int) -> Iterator[tuple[tuple[str, ...], float, int]]:
        """Give the sets of so many fronts that fit, what each is worth at most, and the best row of it."""
        if size < len(self.levels):
            rows = self.levels[size]
            for row in _first_of_each(rows.groups[order := np.lexsort((rows.ends, -rows.values))]):
                which = int(order[row])
                names = tuple(one.name for one, is_in in zip(self.contenders, rows.members[which], strict=True) if is_in)
                yield names, float(rows.values[which]), which

    def trace(self, size: int, which: int) -> tuple[list[int], list[float]]:
        """Give the fronts of a row in their order, by number, and their slides."""
        order, slides = [], []
        for level in range(size, 0, -1):
            rows = self.levels[level]
            order.append(int(rows.last[which]))
            slides.append(float(rows.slides[which]))
            which = int(rows.before[which])
        return order[::-1], slides[::-1]


def _grown(rows: Rows, contenders: Sequence[Contender], weights: Weights) -> Iterator[Rows]:
    """Add each front to the rows in which it does not stand: at its own slides, and against the last one there."""
    yield rows.take(np.empty(0, dtype=int))
    for number, one in enumerate(contenders):
        before = np.flatnonzero(~rows.members[:, number])
        if not len(before):
            continue
        some = rows.take(before)
        yield from _added(some, before, number, *_at_own_slides(some, one, weights))
        if one.at is not None and np.isfinite(some.ends).all():
            yield from _added(some, before, number, *_against_the_last(some, one, weights))


def _added(
    rows: Rows, numbers: np.ndarray, added: int, one: Contender, row: np.ndarray, pick: np.ndarray, value: FloatArray
) -> Iterator[Rows]:
    """Put the front with its `pick`-ed slides at the end of the rows given by `row`."""
    if len(row):
        members = rows.members[row]
        members[:, added] = True
        slides = one.slides[pick]
        yield Rows(members, slides + one.width, value, one.meets[pick], np.full(len(row), added), slides, numbers[row])


def _at_own_slides(rows: Rows, one: Contender, weights: Weights) -> tuple[Contender, np.ndarray, np.ndarray, FloatArray]:
    """Put a front at its own slides behind each row; of those only the first that is worth as much."""
    shared = rows.meets.astype(np.float32) @ one.meets.T.astype(np.float32)
    gain = weights.gain(one.meets.sum(axis=1)[None, :] - shared.astype(float), one.own[None, :])
    fits = one.slides[None, :] >= rows.ends[:, None] - NEIGHBOUR_OVERLAP
    value = np.where(fits, rows.values[:, None] + gain, -np.inf)
    known = np.maximum.accumulate(np.pad(value, ((0, 0), (1, 0)), constant_values=-np.inf), axis=1)[:, :-1]
    row, pick = np.nonzero(value > known)
    return one, row, pick, value[row, pick]


def _against_the_last(rows: Rows, one: Contender, weights: Weights) -> tuple[Contender, np.ndarray, np.ndarray, FloatArray]:
    """Put a front against the end of each row."""
    there = one.elsewhere(np.unique(rows.ends))
    if not len(there.slides):
        return there, np.empty(0, dtype=int), np.empty(0, dtype=int), np.empty(0)
    pick = np.minimum(np.searchsorted(there.slides, rows.ends), len(there.slides) - 1)
    row = np.flatnonzero(there.slides[pick] == rows.ends)
    pick = pick[row]
    shared = (rows.meets[row] & there.meets[pick]).sum(axis=1)
    value = rows.values[row] + weights.gain(there.meets[pick].sum(axis=1) - shared.astype(float), there.own[pick])
    return there, row, pick, value


def _undominated(rows: Rows) -> Rows:
    """Leave out rows of the same fronts that end no earlier than another and are worth no more."""
    if not len(rows):
        return rows
    groups = rows.groups
    order = np.lexsort((-rows.values, rows.ends, groups))
    key = groups[order] * WORTH_MOST + rows.values[order]
    known = np.maximum.accumulate(np.concatenate([[-np.inf], key[:-1]]))
    return rows.take(order[key > known])


def _fewer(rows: Rows, most: int) -> Rows:
    """Keep so many rows: half of them for what they are worth, half for how early they end."""
    if len(rows) <= most:
        return rows
    ranks = [np.empty(len(rows), dtype=int) for _ in "12"]
    for rank, order in zip(ranks, (np.lexsort((rows.ends, -rows.values)), np.lexsort((-rows.values, rows.ends))), strict=True):
        rank[order] = np.arange(len(rows))
    return rows.take(np.sort(np.argsort(np.minimum(*ranks), kind="stable")[:most]))


def _first_of_each(groups: np.ndarray) -> list[int]:
    """Give where each group first stands, in that order."""
    return sorted({group: where for where, group in reversed(list(enumerate(groups.tolist())))}.values())

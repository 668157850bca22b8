"""The most discs that can stand along lines, each in a place of its own choice: exact for neighbours in line.

A line is a row of places in the order in which a curve meets them. A disc at a place excludes others near it; only
overlaps of discs that follow each other in line are considered. So the number found is an upper bound, and who is
placed where has to be checked again. The method is dynamic programming over states: how many models of each group are
placed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.units import CONTACT

MOST_STATES = 1 << 17
"""Number of states that are distinguished; with more, models with similar places are merged into one group."""

MOST_WORK = 1 << 19
"""Number of states times places to begin a ring with, above which a ring is treated as a line: it may then hold one
disc more."""

Taken = tuple[int, int, int]
"""Indices of the model, of the line, and of the place in the line."""


@dataclass(frozen=True, eq=False)
class LineSlots:
    """Places in a row for discs: which of n models may use which (n, c), centres (c, 2) and radii (c,) in inches of the
    discs there.

    In a ring the first place follows the last one.
    """

    usable: BoolArray
    at: FloatArray
    radii: FloatArray
    is_ring: bool = False

    @property
    def count(self) -> int:
        """Number c of places in the line."""
        return len(self.radii)

    def meets(self, one: int, others: slice) -> BoolArray:
        """Return (k,) which discs at the places `others` overlap the disc at place `one`."""
        aside = self.at[others] - self.at[one]
        needed = np.maximum(self.radii[others] + self.radii[one], 0.0)
        return np.asarray((aside * aside).sum(axis=1) < needed * needed)

    @cached_property
    def following(self) -> IntArray:
        """Index (c,) of the first later place whose disc is clear of the disc at each place; the number of places if
        there is none.

        A disc overlapped by so many inches is clear no sooner than so far along the line, so that the search skips
        places.
        """
        found = np.full(self.count, self.count)
        asked = np.arange(self.count)
        narrowest = float(self.radii.min(initial=0.0))
        run = np.append(0.0, np.cumsum(np.hypot(*np.diff(self.at, axis=0).T)))
        ahead = asked + 1
        while len(asked):
            inside = ahead < self.count
            asked = asked[inside]
            ahead = ahead[inside]
            x = self.at[ahead, 0] - self.at[asked, 0]
            y = self.at[ahead, 1] - self.at[asked, 1]
            needed = np.maximum(self.radii[ahead] + self.radii[asked], 0.0)
            is_open = x * x + y * y >= needed * needed
            found[asked[is_open]] = ahead[is_open]
            missing = np.maximum(narrowest + self.radii[asked], 0.0) - np.hypot(x, y) - CONTACT
            skipped = np.maximum(ahead + 1, np.searchsorted(run, run[ahead] + missing))
            asked = asked[~is_open]
            ahead = skipped[~is_open]
        return found

    @cached_property
    def window(self) -> int:
        """Number of places at the beginning of the line of which every two overlap."""
        size = 1
        while size < self.count and self.meets(size, slice(0, size)).all():
            size += 1
        return size


@dataclass(frozen=True, eq=False)
class _Groups:
    """Groups of models that may use the same places, by their indices, and the states of how many of each group are
    placed.

    A state is numbered in mixed radix: the number placed of group g counts `strides[g]`.
    """

    members: list[list[int]]

    @cached_property
    def sizes(self) -> IntArray:
        return np.array([len(group) for group in self.members])

    @cached_property
    def strides(self) -> IntArray:
        """Amount (g,) by which one more model of each group increases a state's number."""
        return np.cumprod(np.append(1, self.sizes[:-1] + 1))

    @cached_property
    def digits(self) -> IntArray:
        """Number of models of each group that each state has placed: (g, states)."""
        states = np.arange(int(np.prod(self.sizes + 1)))
        return np.asarray(states[None, :] // self.strides[:, None] % (self.sizes[:, None] + 1))

    @cached_property
    def steps(self) -> list[list[IntArray]]:
        """States by the number of models placed, for each number and group those in which one more of the group can be
        placed.
        """
        placed = self.digits.sum(axis=0)
        layers = np.split(np.argsort(placed, kind="stable"), np.cumsum(np.bincount(placed))[:-1])
        return [
            [layer[self.digits[group, layer] < size] for group, size in enumerate(self.sizes)]
            for layer in layers
        ]


@dataclass(frozen=True, eq=False)
class _Stage:
    """A line filled from its beginning, for every state: the first place still open before (`begun`) and after
    (`first`), both (states,).

    A value above the number of places means that the state cannot be reached. `usable` (g, c) tells which groups may
    use which places here. `opener` is the place of a ring that was taken first.
    """

    line: LineSlots
    usable: BoolArray
    begun: IntArray
    first: IntArray
    opener: int | None = None

    @property
    def reached(self) -> BoolArray:
        """Which states (states,), numbers of models placed by group, can be reached by filling the line."""
        return np.asarray(self.first <= self.line.count)

    def traced(self, groups: _Groups, done: BoolArray, state: int) -> Iterator[tuple[int, int]]:
        """Yield group and place of the models with which a state not in `done` was reached, from the last one to the
        first.
        """
        while self.first[state] != self.begun[state]:
            group, place = next(self._last(groups, state))
            state -= int(groups.strides[group])
            yield group, place
        if self.opener is not None:
            able = [
                group
                for group in _openers(self.line, groups, self.opener)
                if groups.digits[group, state] > 0
            ]
            yield (
                next(group for group in able if done[state - int(groups.strides[group])]),
                self.opener,
            )

    def _last(self, groups: _Groups, state: int) -> Iterator[tuple[int, int]]:
        """Yield pairs of a group and a place, each possible as the last one taken to reach a state."""
        for group in np.flatnonzero(groups.digits[:, state] > 0).tolist():
            opened = int(self.first[state - int(groups.strides[group])])
            usable = np.flatnonzero(self.usable[group, opened:]) + opened
            ends = self.line.following[usable]
            if len(ends) and int(ends.min()) == self.first[state]:
                yield group, int(usable[ends.argmin()])


def max_packing(lines: Sequence[LineSlots]) -> tuple[int, list[Taken]]:
    """Return an upper bound on the number of n models that can be placed in lines at once, and who would be placed
    where.

    Models placed are clear of the one before and the one behind them, in places they may use; where models were merged
    into a group, some may be in a place that only another of the group may use.
    """
    kept = [line for line in lines if line.usable.any()]
    if not kept:
        return 0, []
    groups, rows = _grouped(np.concatenate([line.usable for line in kept], axis=1))
    parts = np.split(rows, np.cumsum([line.count for line in kept])[:-1], axis=1)
    done = np.zeros(groups.digits.shape[1], dtype=bool)
    done[0] = True
    filled: list[_Filling] = []
    for line, usable in zip(kept, parts, strict=True):
        filled.append((done, _filled(replace(line, usable=usable), groups, done)))
        done = np.any([stage.reached for stage in filled[-1][1]], axis=0)
    state = int(np.argmax(np.where(done, groups.digits.sum(axis=0), -1)))
    numbers = [number for number, line in enumerate(lines) if line.usable.any()]
    return int(groups.digits[:, state].sum()), list(_traceback(groups, filled, state, numbers))


_Filling = tuple[BoolArray, list[_Stage]]
"""The states from which a line was filled, and the ways in which it was."""


def _traceback(
    groups: _Groups, filled: Sequence[_Filling], state: int, numbers: list[int]
) -> Iterator[Taken]:
    """Yield who is placed where in a state, traced back from the last line to the first.

    `numbers` are the indices of the lines that were filled.
    """
    waiting = [list(group) for group in groups.members]
    for number, (done, stages) in reversed(list(zip(numbers, filled, strict=True))):
        stage = next(one for one in stages if one.reached[state])
        for group, place in stage.traced(groups, done, state):
            yield waiting[group].pop(), number, place
            state -= int(groups.strides[group])


def _openers(line: LineSlots, groups: _Groups, place: int) -> list[int]:
    """Return the indices of the groups of models that may use the place of index `place` in a line."""
    return [group for group in range(len(groups.sizes)) if line.usable[group, place]]


def _grouped(usable: BoolArray) -> tuple[_Groups, BoolArray]:
    """Return groups of models with the same places, the most similar ones merged until there are few enough states.

    Also returns which groups may use which places (g, c).
    """
    alike: dict[bytes, list[int]] = {}
    for one in np.flatnonzero(usable.any(axis=1)).tolist():
        alike.setdefault(usable[one].tobytes(), []).append(one)
    members = list(alike.values())
    rows = [usable[group[0]] for group in alike.values()]
    while np.prod([len(group) + 1.0 for group in members]) > MOST_STATES:
        one, other = min(
            combinations(range(len(members)), 2), key=lambda pair: _difference(members, rows, *pair)
        )
        members[one], rows[one] = members[one] + members[other], rows[one] | rows[other]
        del members[other], rows[other]
    return _Groups(members), np.stack(rows)


def _difference(members: list[list[int]], rows: list[BoolArray], one: int, other: int) -> int:
    """Return how many pairs of a model and a place become usable by merging two groups."""
    missing = rows[one] != rows[other]
    return len(members[one]) * int((missing & ~rows[one]).sum()) + len(members[other]) * int(
        (missing & ~rows[other]).sum()
    )


def _filled(line: LineSlots, groups: _Groups, done: BoolArray) -> list[_Stage]:
    """Return the ways (stages) to fill a line from the states that the mask `done` (states,) selects.

    A ring is filled once without its first places, and once beginning with each of them; where the last place is clear
    of the first, the first way is enough.
    """
    begun = np.where(done, 0, line.count + 1)
    window = line.window if line.is_ring and line.meets(0, slice(-1, None)).any() else 0
    if window * len(done) > MOST_WORK:
        window = 0
    rest = line.usable.copy()
    rest[:, :window] = False
    return [
        _swept(line, rest, groups, begun),
        *(_from_place(line, groups, done, place) for place in range(window)),
    ]


def _from_place(line: LineSlots, groups: _Groups, done: BoolArray, place: int) -> _Stage:
    """Return the stage of a ring that is filled from the states `done` (states,) with the place of index `place` taken
    first.
    """
    begun = np.full(len(done), line.count + 1)
    for group in _openers(line, groups, place):
        able = np.flatnonzero(done & (groups.digits[group] < groups.sizes[group]))
        begun[able + groups.strides[group]] = line.following[place]
    rest = line.usable & ~line.meets(place, slice(None))
    rest[:, : place + 1] = False
    return replace(_swept(line, rest, groups, begun), opener=place)


def _swept(line: LineSlots, usable: BoolArray, groups: _Groups, begun: IntArray) -> _Stage:
    """Return the stage of a line filled by dynamic programming: each model so that the next place is open as early as
    possible.
    """
    first = begun.copy()
    never = line.count + 1
    ends = np.where(usable, line.following, never)
    tables = np.hstack(
        [np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1], np.full((len(ends), 2), never)]
    )
    for step in groups.steps:
        for table, able, stride in zip(tables, step, groups.strides, strict=True):
            into = able + stride
            first[into] = np.minimum(first[into], table[first[able]])
    return _Stage(line, usable, begun, first)

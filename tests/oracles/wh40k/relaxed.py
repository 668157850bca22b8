"""A search by relaxation that shares nothing with the solver: up to four discs, put down at random and shifted until
all is kept.

Random ends of all models, each legal alone, are drawn in great number. What is to hold between them (contacts,
engagements, links, gaps, the length of a way round a few corners) is a least and a greatest distance between two
points; the models are shifted by one such distance after the other until none is broken. Whatever comes out is measured
anew by the oracle's own limits: it may miss a plan, but what it finds can be done.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import shapely
from numpy.typing import NDArray

from tests.oracles.wh40k.bodies import Bodies, Floats, joined
from tests.oracles.wh40k.limits import (
    COHERENT,
    COHERENT_UP,
    ENGAGED,
    ENGAGED_UP,
    contacts,
    engaged,
    engagement,
    margins,
    room,
)
from tests.oracles.wh40k.search import (
    SURE,
    Flags,
    about,
    closer,
    grid,
    heights_of,
    kept,
    leg_lengths,
    moved,
    stands,
)
from tests.oracles.wh40k.table import LEVEL, Table, walked, within

Rows = NDArray[np.intp]
MOST = 4
"""Models of a unit that is searched."""
MOST_ENDS = 300
"""Ends of a model of one class: in contact or not, engaged with the same targets."""
DRAWN = 20_000
"""Random ends of all models that are drawn for one question."""
ROUNDS = ((600, 10), (300, 20), (120, 60), (40, 160))
"""How many are shifted at a time, the least broken, and in how many rounds."""
BEYOND = 0.7
"""Inches farther than asked that ends which are drawn may be away, and short of contact or range."""
EAGER = 1.4
"""How much farther models are shifted than distances ask, but in the last rounds."""
SPARE = 2e-3
"""Inches by which distances are to be kept better than asked."""
BROKEN = SPARE - SURE
"""Inches by which these distances may be broken in a plan that is measured."""
TURNS, AROUND = 10, 3
"""Places round a disc, and round a corner of terrain, by which a way may lead."""
NODES_TRIED = 8
"""Such places by which a way to an end is tried, the nearest first."""
HAIR = 1e-9
MEASURED = 12
"""Plans that are measured."""


@dataclass(frozen=True)
class Goal:
    """What a plan must serve: at least so many models in contact, and so many engaged."""

    contacts: int = 0
    engaged: int = 0


@dataclass(frozen=True, eq=False)
class Plan:
    """A complete plan: the models' ends, the lengths (n,) of their ways, how many are in contact and how many
    engaged.
    """

    ends: Bodies
    lengths: Floats
    contacts: int
    engaged: int

    @property
    def longest(self) -> float:
        """The longest way in inches."""
        return float(self.lengths.max())

    def __str__(self) -> str:
        spots = np.column_stack([self.ends.centres, self.ends.heights]).round(4).tolist()
        return f"{self.contacts} in contact, {self.engaged} engaged, longest {self.longest:.4f} at {spots}"


def is_searched(table: Table) -> bool:
    """Return whether a table is one of those that are searched: a few discs that charge discs."""
    return 0 < len(table.charger) <= MOST and all(
        form.is_disc for form in (*table.charger.forms, *table.enemies.forms, *table.friends.forms)
    )


@dataclass(frozen=True, eq=False)
class Nodes:
    """Places (k, 2) by which the ways of one model may lead, where it starts first, with the length (k,) of a way there
    in inches.
    """

    at: Floats
    lengths: Floats

    @staticmethod
    def of(table: Table, row: int) -> "Nodes":
        """Find the shortest ways from node to node."""
        start = table.charger.of([row])
        if start.heights[0] > LEVEL:
            return Nodes(start.centres, np.zeros(1))
        at = np.concatenate([start.centres, *_round(table, float(start.radii[0]))])
        at = at[np.hypot(*(at - start.centres[0]).T) <= table.distance]
        free = room(table, moved(start, at, 0.0)) >= SURE
        free[0] = True
        at = at[free]
        count = len(at)
        first, second = np.triu_indices(count, 1)
        legs = np.full((count, count), np.inf)
        legs[first, second] = leg_lengths(table, start, at[first], at[second], np.zeros(len(first)))
        legs = np.minimum(legs, legs.T)
        lengths = np.full(count, np.inf)
        lengths[0] = 0.0
        for _ in range(count):
            shorter = np.minimum(lengths, (lengths[:, None] + legs).min(axis=0))
            if np.array_equal(shorter, lengths):
                break
            lengths = shorter
        reached = lengths <= table.distance
        return Nodes(at[reached], lengths[reached])


def _round(table: Table, radius: float) -> Iterator[Floats]:
    """Yield places (k, 2) round all that a disc may have to go round; ways from one to the next are clear of it."""
    turns = np.linspace(-np.pi, np.pi, TURNS, endpoint=False)
    circle = np.column_stack([np.cos(turns), np.sin(turns)]) / np.cos(np.pi / TURNS)
    kept_out = [
        (table.bodies, 0.0),
        *([(table.others, ENGAGED)] if table.readings.keeps_out else []),
    ]
    for bodies, more in kept_out:
        for centre, wide in zip(bodies.centres, bodies.radii, strict=True):
            yield centre + (radius + wide + more + 2.0 * SURE) * circle
    areas = shapely.union_all([piece.area for piece in table.blocking])
    for area in shapely.get_parts(areas):
        corners = shapely.get_coordinates(shapely.orient_polygons(area).exterior)[:-1]
        before, after = (
            corners - np.roll(corners, 1, axis=0),
            np.roll(corners, -1, axis=0) - corners,
        )
        first, second = (np.arctan2(-edges[:, 0], edges[:, 1]) for edges in (before, after))
        wide = np.mod(second - first, 2.0 * np.pi)
        for corner, begin, angle in zip(corners, first, wide, strict=True):
            if 1e-6 < angle < np.pi:
                ways = begin + angle * np.arange(AROUND) / (AROUND - 1)
                far = (radius + 2.0 * SURE) / np.cos(angle / (2.0 * (AROUND - 1)))
                yield corner + far * np.column_stack([np.cos(ways), np.sin(ways)])


@dataclass(frozen=True, eq=False)
class Ends:
    """Ends of one model that are legal alone: bodies (k), their class (k,), lengths (k,) of ways, and the node (k,) by
    which each leads.

    `touching` (k,) and `engaged` (k, t) tell what each serves.
    """

    ends: Bodies
    touching: Flags
    engaged: Flags
    lengths: Floats
    nodes: Rows

    @cached_property
    def classes(self) -> Rows:
        """The number (k,) of what each serves."""
        return np.asarray(
            self.touching + 2 * (self.engaged @ (1 << np.arange(self.engaged.shape[1]))),
            dtype=np.intp,
        )


@dataclass(frozen=True, eq=False)
class Search:
    """Ends of all models of a table for all questions about distances up to `distance` inches; `table` reaches a little
    farther.
    """

    table: Table
    distance: float
    nodes: tuple[Nodes, ...]
    own: tuple[Ends, ...]

    @staticmethod
    def of(table: Table) -> "Search":
        """Gather ends of all models."""
        distance = table.distance
        table = within(table, table.distance + BEYOND)
        dice = np.random.default_rng(7)
        nodes = tuple(Nodes.of(table, row) for row in range(len(table.charger)))
        return Search(
            table,
            distance,
            nodes,
            tuple(_ends(table, row, nodes[row], dice) for row in range(len(table.charger))),
        )

    def plan(self, distance: float, goal: Goal) -> Plan | None:
        """Look for a complete plan that serves a goal with no way longer than `distance` inches."""
        if not all(len(one.lengths) for one in self.own):
            return None
        crowd = Crowd.drawn(self, distance, goal)
        return None if crowd is None else crowd.best()


def _ends(table: Table, row: int, nodes: Nodes, dice: np.random.Generator) -> Ends:
    """Gather ends of one model, of each class a few."""
    start = table.charger.of([row])
    at = np.concatenate([about(table, row), grid(table, row)])
    at = at[np.hypot(*(at - start.centres[0]).T) <= table.distance - SURE]
    parts = []
    for height in heights_of(table):
        ends = moved(start, at, height)
        ends = kept(ends, stands(table, ends))
        parts.append(kept(ends, closer(table, ends, start)))
    if not table.readings.all_closer and stands(table, start)[0]:
        parts.insert(0, start)
    ends = joined(parts)
    serving = [(engagement(table, ends, target) >= -BEYOND).any(axis=1) for target in table.targets]
    touching = [
        ((ends.gaps(target) <= BEYOND) & (ends.rises(target) <= LEVEL)).any(axis=1)
        for target in table.targets
    ]
    found = Ends(
        ends,
        np.any(touching, axis=0),
        np.column_stack(serving),
        np.zeros(len(ends)),
        np.zeros(len(ends), dtype=np.intp),
    )
    rows = [
        dice.permutation(np.flatnonzero(found.classes == one))[: 2 * MOST_ENDS]
        for one in np.unique(found.classes)
    ]
    found = _of(found, np.sort(np.concatenate([np.empty(0, dtype=np.intp), *rows])))
    lengths, by = lengths_of(table, row, nodes, found.ends)
    found = replace(found, lengths=lengths, nodes=by)
    able = np.flatnonzero(lengths <= table.distance - SURE)
    rows = [able[found.classes[able] == one][:MOST_ENDS] for one in np.unique(found.classes[able])]
    return _of(found, np.sort(np.concatenate([np.empty(0, dtype=np.intp), *rows])))


def _of(one: Ends, rows: Rows) -> Ends:
    return Ends(
        one.ends.of(rows.tolist()),
        one.touching[rows],
        one.engaged[rows],
        one.lengths[rows],
        one.nodes[rows],
    )


def lengths_of(table: Table, row: int, nodes: Nodes, ends: Bodies) -> tuple[Floats, Rows]:
    """Measure ways (k,) of a model to its ends, straight or round corners, and tell by which node (k,) each leads."""
    start = table.charger.of([row])
    count = len(ends)
    lengths = np.full(count, np.inf)
    by = np.zeros(count, dtype=np.intp)
    if not count:
        return lengths, by
    straight = nodes.lengths[None] + np.hypot(
        *(ends.centres[:, None] - nodes.at[None]).transpose(2, 0, 1)
    )
    order = np.argsort(straight[:, 1:], axis=1, kind="stable")[:, :NODES_TRIED] + 1
    order = np.column_stack([np.zeros(count, dtype=np.intp), order])
    for column in order.T:
        rest = np.flatnonzero(
            straight[np.arange(count), column] < np.minimum(lengths, table.distance + 1.0) - SURE
        )
        if len(rest):
            node = column[rest]
            found = nodes.lengths[node] + leg_lengths(
                table, start, nodes.at[node], ends.centres[rest], ends.heights[rest]
            )
            shorter = found < lengths[rest]
            lengths[rest[shorter]], by[rest[shorter]] = found[shorter], node[shorter]
    here = (ends.centres == start.centres).all(axis=1) & (ends.heights == start.heights)
    lengths[here] = 0.0
    by[here] = 0
    lengths += np.abs(walked(ends.heights) - walked(start.heights)[0])
    free = ends.heights - walked(ends.heights) - (start.heights - walked(start.heights))[0]
    return np.hypot(lengths, np.where(table.readings.flies_only, free, 0.0)), by


@dataclass(frozen=True, eq=False)
class Crowd:
    """Random ends of all models, so many (s) at once, and what is to hold of them.

    `at` (s, n, 2) is where they are, `heights` (s, n), `still` (s, n) who stays where it starts, `low` and `high` (s,
    n, f) the least and greatest distances to all others on the table, `joined` (s, n, n) who is linked, `via` (s, n, 2)
    the last corners of their ways, and `reach` (s, n) how far from these they may end.
    """

    search: Search
    distance: float
    goal: Goal
    at: Floats
    heights: Floats
    still: Flags
    low: Floats
    high: Floats
    joined: Flags
    via: Floats
    reach: Floats

    @staticmethod
    def drawn(search: Search, distance: float, goal: Goal) -> "Crowd | None":
        """Draw ends at random and keep the least broken of those that engage all targets and serve the goal."""
        table = search.table
        count = len(search.own)
        dice = np.random.default_rng(11)
        roles = dice.permuted(np.tile(np.arange(count), (DRAWN, 1)), axis=1)
        chosen = np.empty((DRAWN, count), dtype=np.intp)
        for row, one in enumerate(search.own):
            near = one.lengths <= distance + BEYOND
            parts = (
                roles[:, row] < goal.contacts,
                (roles[:, row] >= goal.contacts) & (roles[:, row] < goal.engaged),
                roles[:, row] >= goal.engaged,
            )
            usable = (near & one.touching, near & one.engaged.any(axis=1), near)
            for who, ends in zip(parts, usable, strict=True):
                if who.any() and not ends.any():
                    chosen[who, row] = -1
                elif who.any():
                    chosen[who, row] = dice.choice(
                        np.flatnonzero(ends), size=int(who.sum()), p=_weights(one.classes[ends])
                    )
        able = np.flatnonzero((chosen >= 0).all(axis=1))
        chosen = chosen[able]
        roles = roles[able]
        engages = np.stack(
            [one.engaged[chosen[:, row]] for row, one in enumerate(search.own)], axis=1
        )
        every = np.flatnonzero(engages.any(axis=1).all(axis=-1))
        chosen = chosen[every]
        roles = roles[every]
        if not len(chosen):
            return None
        at = np.stack(
            [one.ends.centres[chosen[:, row]] for row, one in enumerate(search.own)], axis=1
        )
        heights = np.stack(
            [one.ends.heights[chosen[:, row]] for row, one in enumerate(search.own)], axis=1
        )
        broken, links = _links(table, at, heights)
        for row, one in enumerate(search.own):
            broken += np.maximum(one.lengths[chosen[:, row]] - distance, 0.0)
        best = np.argsort(broken, kind="stable")[: ROUNDS[0][0]]
        return _crowd(
            search,
            distance,
            goal,
            (chosen[best], roles[best]),
            (at[best], heights[best], links[best]),
        )

    def best(self) -> Plan | None:
        """Shift all models and measure the plans that come out, those with the shortest longest way first; give the
        first that is one.
        """
        crowd = self
        for most, rounds in ROUNDS:
            crowd = crowd.of(np.argsort(crowd.broken, kind="stable")[:most])
            for number in range(rounds):
                crowd = crowd.shifted(
                    EAGER if number < rounds - 3 else 1.0,
                    is_walled=number % 3 == 0 or number > rounds - 3,
                )
        crowd = crowd.of(np.flatnonzero(crowd.broken <= BROKEN))
        plans = (
            plan
            for plan in crowd.measured()
            if plan.contacts >= self.goal.contacts and plan.engaged >= self.goal.engaged
        )
        return next(plans, None)

    def of(self, rows: Rows) -> "Crowd":
        """Keep some of them."""
        names = ("at", "heights", "still", "low", "high", "joined", "via", "reach")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    @cached_property
    def fixed(self) -> Floats:
        """Where all others on the table stand (f, 2)."""
        return joined([self.search.table.enemies, self.search.table.friends]).centres

    @cached_property
    def pairs(self) -> list[tuple[int, int, Floats, Floats]]:
        """The models two by two, with the least and the greatest distance (s,) between them."""
        radii = self.search.table.charger.radii
        found = []
        for one, other in combinations(range(self.at.shape[1]), 2):
            level = np.abs(self.heights[:, one] - self.heights[:, other]) <= LEVEL
            flush = radii[one] + radii[other]
            low = np.where(level, flush + SPARE, 0.0)
            found.append(
                (
                    one,
                    other,
                    low,
                    np.where(self.joined[:, one, other], flush + COHERENT - SPARE, np.inf),
                )
            )
        return found

    def shifted(self, eager: float, *, is_walled: bool) -> "Crowd":
        """Shift the models by each distance that is broken, one after the other."""
        at = self.at.copy()
        free = np.where(self.still, 0.0, eager)
        for one, other, low, high in self.pairs:
            off, length = _between(at[:, one], at[:, other])
            weight = np.maximum(free[:, one] + free[:, other], eager) / eager
            step = off * ((np.clip(length, low, high) - length) / weight)[:, None]
            at[:, one] += step * free[:, one, None]
            at[:, other] -= step * free[:, other, None]
        for piece in self.search.table.solids if is_walled else ():
            at += (
                _out_of(np.array(piece.form.corners), self.search.table.charger.radii + SPARE, at)
                * (free * (self.heights < piece.height - LEVEL))[..., None]
            )
        off, length = _between(at, self.via)
        at += off * (np.minimum(length, self.reach) - length)[..., None] * free[..., None]
        for number, place in enumerate(self.fixed):
            off, length = _between(at, place)
            at += (
                off
                * (
                    (np.clip(length, self.low[..., number], self.high[..., number]) - length) * free
                )[..., None]
            )
        return replace(self, at=at)

    @property
    def broken(self) -> Floats:
        """How far (s,) in inches the worst distance is broken."""
        worst = np.zeros(len(self.at))
        for one, other, low, high in self.pairs:
            length = _between(self.at[:, one], self.at[:, other])[1]
            worst = np.maximum(worst, np.maximum(low - length, length - high))
        for number, place in enumerate(self.fixed):
            length = _between(self.at, place)[1]
            worst = np.maximum(
                worst,
                np.maximum(self.low[..., number] - length, length - self.high[..., number]).max(
                    axis=1
                ),
            )
        length = _between(self.at, self.via)[1]
        return np.asarray(np.maximum(worst, (length - self.reach).max(axis=1)))

    def measured(self) -> Iterator[Plan]:
        """Measure the plans by the limits of the table, those with the shortest ways first."""
        table = self.search.table
        rows = np.arange(len(self.at))
        lengths = []
        for row, nodes in enumerate(self.search.nodes):
            start = table.charger.of([row])
            count = len(self.at)
            ends = Bodies(
                self.at[:, row],
                self.heights[:, row],
                np.repeat(start.headings, count),
                start.forms * count,
                start.tall,
            )
            legal = (
                stands(table, ends) & (self.still[:, row] | closer(table, ends, start))
                if count
                else np.zeros(0, dtype=bool)
            )
            far = lengths_of(table, row, nodes, ends)[0]
            lengths.append(np.where(legal, far, np.inf))
        far = np.column_stack(lengths)
        longest = far.max(axis=1)
        rows = rows[longest <= self.distance]
        for one in rows[np.argsort(longest[rows], kind="stable")][:MEASURED]:
            ends = table.charger.at(self.at[one], self.heights[one])
            found = margins(within(table, self.distance), ends)
            if min(found.values()) >= -HAIR:
                yield Plan(ends, far[one], len(contacts(table, ends)), engaged(table, ends))


def _weights(classes: Rows) -> Floats:
    """Weigh ends (k,) so that all classes are drawn equally often."""
    _, number, count = np.unique(classes, return_inverse=True, return_counts=True)
    weights = 1.0 / count[number]
    return np.asarray(weights / weights.sum())


def _between(at: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Return directions (..., 2) from places to these, and distances (...,)."""
    off = at - other
    length = np.sqrt((off * off).sum(axis=-1))
    return off / np.maximum(length, 1e-9)[..., None], length


def _links(table: Table, at: Floats, heights: Floats) -> tuple[Floats, Flags]:
    """Choose who is linked (s, n, n): what is broken least by it; tell how far (s,) in inches links and gaps are broken
    in all.
    """
    radii = table.charger.radii
    count = at.shape[1]
    pairs = list(combinations(range(count), 2))
    over = []
    under = []
    for one, other in pairs:
        rise = np.maximum(np.abs(heights[:, one] - heights[:, other]) - table.charger.tall, 0.0)
        gap = _between(at[:, one], at[:, other])[1] - radii[one] - radii[other]
        over.append(np.where(rise <= COHERENT_UP, np.maximum(gap - COHERENT, 0.0), np.inf))
        under.append(np.where(rise <= LEVEL, np.maximum(-gap, 0.0), 0.0))
    apart = np.array(under).sum(axis=0) if pairs else np.zeros(len(at))
    linked = np.zeros((len(at), count, count), dtype=bool)
    forests = list(_forests(count, pairs, is_grouped=table.readings.is_grouped))
    if not forests:
        return apart, linked
    costs = np.array(
        [np.array([over[pairs.index(pair)] for pair in some]).sum(axis=0) for some in forests]
    )
    for number, some in enumerate(forests):
        rows = np.flatnonzero(costs.argmin(axis=0) == number)
        for one, other in some:
            linked[rows, one, other] = linked[rows, other, one] = True
    return apart + costs.min(axis=0), linked


def _forests(
    count: int, pairs: list[tuple[int, int]], *, is_grouped: bool
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield all ways to link models so that they are one group, or, if that is not asked, so that each has a
    neighbour.
    """
    if count == 1:
        return
    for some in combinations(pairs, count - 1):
        group = {some[0][0]}
        for _ in range(count):
            group |= {one for pair in some if group & set(pair) for one in pair}
        if len(group) == count:
            yield some
    if not is_grouped and count == MOST:
        yield from (
            some
            for some in combinations(pairs, 2)
            if len({one for pair in some for one in pair}) == count
        )


def _crowd(
    search: Search,
    distance: float,
    goal: Goal,
    picked: tuple[Rows, Rows],
    drawn: tuple[Floats, Floats, Flags],
) -> Crowd:
    """State what is to hold of ends that are drawn: rows (s, n) of each model's, and its turn (s, n), those in contact
    first.
    """
    table = search.table
    chosen, turns = picked
    at, heights, links = drawn
    low, high = _distances(table, heights)
    engages = np.stack([one.engaged[chosen[:, row]] for row, one in enumerate(search.own)], axis=1)
    _hold(table, at, (low, high), np.digitize(turns, (goal.contacts, goal.engaged)), engages)
    starts = table.charger
    still = (
        (at == starts.centres[None]).all(axis=2)
        & (heights == starts.heights[None])
        & (not table.readings.all_closer)
    )
    via = np.empty_like(at)
    reach = np.empty_like(heights)
    for row, (one, nodes) in enumerate(zip(search.own, search.nodes, strict=True)):
        via[:, row] = nodes.at[one.nodes[chosen[:, row]]]
        reach[:, row] = (
            _between(at[:, row], via[:, row])[1] + distance - SPARE - one.lengths[chosen[:, row]]
        )
    return Crowd(search, distance, goal, at, heights, still, low, high, links, via, reach)


def _hold(
    table: Table, at: Floats, bounds: tuple[Floats, Floats], roles: Rows, engages: Flags
) -> None:
    """Hold contacts (role 0) and engagements (role 1) as ends (s, n, 2) have them, and one engagement with every
    target.
    """
    low, high = bounds
    foes = joined(table.targets)
    target_of = np.repeat(np.arange(len(table.targets)), [len(target) for target in table.targets])
    flush = table.charger.radii[:, None] + foes.radii[None]
    gaps = _between(at[:, :, None], foes.centres[None, None])[1] - flush[None]
    nearest = gaps.argmin(axis=2)
    held = np.zeros(engages.shape, dtype=bool)
    for case, row in np.argwhere(roles < 2):
        foe = nearest[case, row]
        held[case, row, target_of[foe]] = True
        if roles[case, row] == 0:
            low[case, row, foe] = high[case, row, foe] = flush[row, foe]
        else:
            high[case, row, foe] = flush[row, foe] + ENGAGED - SPARE
    dice = np.random.default_rng(13)
    for target in range(len(table.targets)):
        rows = np.flatnonzero(~held[..., target].any(axis=1))
        models = (engages[rows, :, target] * dice.random((len(rows), at.shape[1]))).argmax(axis=1)
        inside = np.where(target_of == target, gaps[rows, models], np.inf)
        for case, row, foe in zip(rows, models, inside.argmin(axis=1), strict=True):
            most = flush[row, foe] + ENGAGED - SPARE
            high[case, row, foe] = min(high[case, row, foe], most)


def _distances(table: Table, heights: Floats) -> tuple[Floats, Floats]:
    """Return the least and greatest distances (s, n, f) to all others on the table."""
    others = joined([table.enemies, table.friends])
    flush = table.charger.radii[None, :, None] + others.radii[None, None, :]
    level = np.abs(heights[:, :, None] - others.heights[None, None, :])
    low = np.where(level <= LEVEL, flush + SPARE, 0.0)
    first = sum(len(target) for target in table.targets)
    for number in range(first, first + len(table.others)):
        near = np.maximum(level[..., number] - others.tall, 0.0) <= ENGAGED_UP
        low[..., number] = np.where(near, flush[..., number] + ENGAGED + SPARE, low[..., number])
    return low, np.full_like(low, np.inf)


def _out_of(corners: Floats, clear: Floats, at: Floats) -> Floats:
    """Return the shifts (s, n, 2) that bring places (s, n, 2) so far (n,) out of a convex polygon of corners (k, 2),
    counter-clockwise.
    """
    along = np.roll(corners, -1, axis=0) - corners
    along = along / np.hypot(*along.T)[:, None]
    out = np.column_stack([along[:, 1], -along[:, 0]])
    depth = ((at[:, :, None] - corners) * out).sum(axis=-1)
    edge = depth.argmax(axis=-1)
    outside = depth.max(axis=-1)
    shift = out[edge] * np.maximum(clear[None] - outside, 0.0)[..., None]
    length = np.roll(corners, -1, axis=0)[edge] - corners[edge]
    share = ((at - corners[edge]) * along[edge]).sum(axis=-1) / np.hypot(
        length[..., 0], length[..., 1]
    )
    # beside the edge, not before it: the corner is what is near
    for beside, corner in (
        (share < 0.0, corners[edge]),
        (share > 1.0, np.roll(corners, -1, axis=0)[edge]),
    ):
        off, far = _between(at, corner)
        shift = np.where(
            (beside & (outside > 0.0))[..., None],
            off * np.maximum(clear[None] - far, 0.0)[..., None],
            shift,
        )
    return np.asarray(np.where((outside < clear[None])[..., None], shift, 0.0))

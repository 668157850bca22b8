"""Bounds that no plan beats: on how far some model must move, and on how many models can be in contact or engaged.

- `LeastMoves`: each model looked at alone;
- `CoherencyBound`: whoever engages a target must have company there, and the rest of the unit must be able to follow;
- `SpanningTrees`: of a few discs, all ways in which links can join them into one group.

A link is a pair of models within coherency range of each other. Distances are in inches; infinite where no plan is
possible at all.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, permutations, product

import numpy as np

from tabletop.budget import Proof
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import gap, point_distances
from tabletop.geometry.shape import Shape, disc
from tabletop.placement.candidates import Solver
from tabletop.placement.objective import GAIN, Values
from tabletop.placement.partial_plan import min_cost_assignment
from tabletop.placement.polish import (
    DistanceConstraints,
    least_displacement,
    longest_move_bound,
    total_move_bound,
)
from tabletop.placement.problem import Candidates
from tabletop.units import CONTACT, FAR_OFF, MARGINAL

MOST_TARGETS = 4
"""Number of targets up to which all ways to assign them to models are enumerated; above, each is treated alone."""

LENS_DIRECTIONS = 720
"""Number of directions (even) in which support functions of lenses are compared."""

SPAN_TOLD_TO = 1e-4
"""Tolerance of the least distance, in inches."""

MOST_IN_TREES = 4
"""Number of models up to which all spanning trees are enumerated."""

MOST_FOES = 12
"""Number of foes per target above which trees are not enumerated."""

MOST_CHOICES = 64
"""Number of combinations of foes per assignment that are enumerated."""

Tree = tuple[tuple[int, int], ...]

Sharing = tuple[float, list[tuple[int, list[int]]]]
"""The longest move of an assignment of targets, and the targets that each model engages in it."""


@dataclass(frozen=True, eq=False)
class LeastMoves:
    """Lower bounds, in inches, on the move of a single model to a place where it engages targets or touches one.

    The other models of the unit are ignored. The bound is the least of the shortest path to a candidate place, the
    straight line through the air to one, and, for bases that are not round, the gap at their best facing plus the cost
    of turning. It is infinite where no such place exists. With `flies_straight`, flights of discs are not searched for,
    and straight lines alone bound them.
    """

    solver: Solver
    flies_straight: bool = False

    @property
    def _are_many(self) -> bool:
        return len(self.solver.problem.target_numbers) > MOST_TARGETS

    @cached_property
    def sets(self) -> list[list[int]]:
        """Sets of targets considered, as lists of target numbers, that of all targets last.

        They are all subsets, subset number b being the one with bit mask b; with many targets, each target alone and
        all together.
        """
        targets = self.solver.problem.target_numbers
        if self._are_many:
            return [*([target] for target in targets), list(targets)]
        return [
            [target for target in targets if number >> target & 1]
            for number in range(1 << len(targets))
        ]

    @cached_property
    def on_paths(self) -> FloatArray:
        """Lengths (n, sets) in inches of each model's shortest path to where it engages at least the targets of a set;
        inf if nowhere.
        """
        return self._of_sets(self.on_path)

    def _of_sets(self, least: Callable[[int, Sequence[int]], float]) -> FloatArray:
        return np.array(
            [
                [least(mover, targets) for targets in self.sets]
                for mover in range(len(self.solver.options))
            ]
        )

    def on_path(self, mover: int, targets: Sequence[int], *, is_touching: bool = False) -> float:
        """Return the length in inches of a model's shortest path to where it engages all `targets`, and with
        `is_touching` touches one.

        It is infinite if there is no such place. For a model placed already it is 0 if its place is one, else infinite.
        """
        start = self.solver.start
        if start.placed[mover]:
            return (
                0.0
                if _serving(start.candidates, targets, is_touching=is_touching)[mover]
                else math.inf
            )
        return self.solver.shortest(
            mover, _serving(self.solver.options[mover].candidates, targets, is_touching=is_touching)
        )

    def in_air(self, mover: int, targets: Sequence[int], *, is_touching: bool = False) -> float:
        """Return a lower bound in inches on a model's move through the air to where it engages all `targets`.

        With `is_touching` it must also touch a target there; the bound is infinite if moves may not lead through the
        air. The shortest such move over an obstacle may end at none of the candidate places, but the shortest straight
        line ends at one. That of a disc in a small unit is searched for.
        """
        from tabletop.placement.branch_and_bound import FlightSearch

        solver = self.solver
        if solver.start.placed[mover] or not solver.problem.flies:
            return math.inf
        ends = _serving(solver.options[mover].candidates, targets, is_touching=is_touching)
        straight = solver.straight_flight(mover, ends)
        is_alone = len(solver.options) == 1
        flights = FlightSearch(solver, mover, tuple(targets), is_touching and is_alone)
        is_open = math.isfinite(straight) and len(targets) > 0 and not self.flies_straight
        return max(straight, flights.least if is_open and flights.applies else 0.0)

    @property
    def proof(self) -> Proof:
        """How certain the bound `to_engage_all` is: what only squares of flights show is told to a tolerance."""
        if not self.solver.problem.flies:
            return "exact"
        straight = replace(self, flies_straight=True)
        return "exact" if straight.to_engage_all >= self.to_engage_all else "tolerance"

    @cached_property
    def turned(self) -> FloatArray:
        """Least moves (n, targets) in inches with which models engage targets at their best facing, the cost of turning
        included.

        Infinite for discs, which gain nothing by turning, and for models placed already.
        """
        return self._turned(self.solver.problem.engagement.least_way)

    def _turned(self, way: Callable[[Shape, Shape], float]) -> FloatArray:
        problem = self.solver.problem
        legality = self.solver.legality
        found = np.full((len(problem.models.models), len(problem.target_numbers)), np.inf)
        for mover, model in enumerate(problem.models.models):
            kind = legality.own_kind(mover)
            if not (kind.is_round or self.solver.start.placed[mover]):
                around = disc(model.pose.at, kind.outer)
                ways = np.array(
                    [
                        max(way(around, foe.footprint), 0.0)
                        for foe in problem.target_models.models.models
                    ]
                )
                nearest = [
                    ways[problem.target_index == target].min() for target in problem.target_numbers
                ]
                found[mover] = np.array(nearest) + problem.pivots[mover]
        return found

    @property
    def in_straight_lines(self) -> float:
        """Distance in inches below which no plan exists even if nothing is in the way; infinite if there is no plan at
        all.
        """
        # not `Options.lengths`: a search overwrites these with measured paths, which bound no flight
        starts = self.solver.problem.models.centres[:, None]
        places = (options.candidates for options in self.solver.options)
        nearest = [
            np.where(ends.engaged.T, point_distances(start, ends.at)[0], math.inf).min(
                axis=1, initial=math.inf
            )
            for start, ends in zip(starts, places, strict=True)
        ]
        return float(np.minimum(nearest, self.turned).min(axis=0).max())

    @cached_property
    def least(self) -> FloatArray:
        """Lower bounds (n, sets) in inches on the moves with which each model engages at least the targets of a set."""
        turned = [self.turned[:, targets].max(axis=1, initial=0.0) for targets in self.sets]
        return np.asarray(
            np.minimum(
                np.minimum(self.on_paths, self._of_sets(self.in_air)), np.stack(turned, axis=1)
            )
        )

    @cached_property
    def to_engage_all(self) -> float:
        """Distance in inches below which the unit cannot engage all targets; infinite if it never can."""
        if self._are_many:
            return float(self.least[:, :-1].min(axis=0).max())
        return min((longest for longest, _ in self._sharings(self.least)), default=math.inf)

    @cached_property
    def engaged(self) -> FloatArray:
        """Lower bounds (n,) in inches on the moves with which models engage a target; a single model must engage all
        targets.
        """
        if len(self.solver.options) == 1:
            return np.asarray(self.least[:, -1])
        return np.asarray(self.least[:, [len(targets) == 1 for targets in self.sets]].min(axis=1))

    @cached_property
    def contact(self) -> FloatArray:
        """Lower bounds (n,) in inches on the moves with which models touch a target; a single model must engage all
        targets as well.
        """
        movers = range(len(self.solver.options))
        targets = self.sets[-1] if len(self.solver.options) == 1 else []
        ways = [
            min(way(mover, targets, is_touching=True) for way in (self.on_path, self.in_air))
            for mover in movers
        ]
        return np.asarray(np.minimum(ways, self._turned(gap).min(axis=1)))

    @property
    def most_contacts(self) -> int:
        """Upper bound on the number of models in contact after moves within the limit."""
        return int((self.contact <= self.solver.limit + CONTACT).sum())

    @property
    def most_engaged(self) -> int:
        """Upper bound on the number of engaged models after moves within the limit."""
        return int((self.engaged <= self.solver.limit + CONTACT).sum())

    @property
    def assignments(self) -> list[Sharing]:
        """Ways to divide the targets among models that engage them by paths, the one with the shortest longest move
        first.

        Each is the longest move in inches and a list of pairs of a model and its targets. With many targets there is
        one way only.
        """
        if not self._are_many:
            return self._sharings(self.on_paths)
        costs = self.on_paths[:, :-1]
        nearest = costs.argmin(axis=0).tolist()
        shared = {
            mover: [target for target, other in enumerate(nearest) if other == mover]
            for mover in nearest
        }
        return [(float(costs.min(axis=0).max()), list(shared.items()))]

    def _sharings(self, costs: FloatArray) -> list[Sharing]:
        """Return all ways to divide the targets among models, the one with the shortest longest move first.

        `costs` (n, sets) are the lengths in inches at which each model engages at least the targets of a set.
        """
        shared = [
            way
            for parts in partitions(self.solver.problem.target_numbers)
            if (way := _shared(costs, parts)) is not None
        ]
        return sorted(
            (
                (longest, [(mover, self.sets[part]) for mover, part in way])
                for longest, way in shared
            ),
            key=lambda way: way[0],
        )


def _serving(candidates: Candidates, targets: Sequence[int], *, is_touching: bool) -> BoolArray:
    """Return (k,) at which candidate places a model engages all `targets` and, with `is_touching`, touches one."""
    return np.asarray(
        candidates.engaged[:, list(targets)].all(axis=1) & (candidates.touching | (not is_touching))
    )


def partitions(items: Sequence[int]) -> Iterator[list[int]]:
    """Yield all partitions of items into non-empty parts, each part as a bit mask."""
    if not items:
        yield []
        return
    first = items[0]
    rest = items[1:]
    for parts in partitions(rest):
        yield [1 << first, *parts]
        for place in range(len(parts)):
            yield [*parts[:place], parts[place] | 1 << first, *parts[place + 1 :]]


def _shared(costs: FloatArray, parts: Sequence[int]) -> tuple[float, list[tuple[int, int]]] | None:
    """Return the smallest possible longest move if different models engage the parts of the targets, with the model of
    each part.

    `costs` (n, sets) are the moves in inches, parts are bit masks. None if it is impossible.
    """
    best: tuple[float, list[tuple[int, int]]] | None = None
    for order in permutations(parts) if len(parts) <= len(costs) else ():
        taken: list[tuple[int, int]] = []
        for part in order:
            free = np.setdiff1d(np.arange(len(costs)), [mover for mover, _ in taken])
            taken.append((int(free[np.argmin(costs[free, part])]), part))
        longest = max(float(costs[mover, part]) for mover, part in taken)
        if math.isfinite(longest) and (best is None or longest < best[0]):
            best = (longest, taken)
    return best


def least_total(solver: Solver, values: Values, *, flies_straight: bool = False) -> float:
    """Return a lower bound, in inches, on the total move of plans that count as many models as one with these values.

    `flies_straight` is that of `LeastMoves`. A bound above the total move of that plan is not needed.
    """
    trees = SpanningTrees(solver)
    moves = LeastMoves(solver, flies_straight)
    least = _least_alone(moves, values.contacts, values.engaged)
    return (
        max(least, trees.least_total(values.contacts, values.move))
        if least < values.move - CONTACT and trees.applies
        else least
    )


def _least_alone(moves: LeastMoves, contacts: int, engaged: int) -> float:
    """Return a lower bound on the total move, in inches, from each model's least move alone; inf if it is impossible.

    It is the cost of a minimum cost assignment of contacts and engagements to models.
    """
    count = len(moves.solver.options)
    rest = max(engaged - contacts, count == 1 and not contacts)
    costs = np.zeros((count, count))
    costs[:, :contacts] = moves.contact[:, None]
    costs[:, contacts : contacts + rest] = moves.engaged[:, None]
    taken = min_cost_assignment(costs)
    return math.inf if taken is None else float(costs[np.arange(count), taken].sum())


def is_unbeaten(solver: Solver, values: Values, most: int) -> bool:
    """Return whether bounds prove that no plan is better than one with these values, given that none has more than
    `most` contacts.
    """
    moves = LeastMoves(solver)
    is_full = values.contacts >= most and not (
        solver.problem.objective.wants_engaged and values.engaged < moves.most_engaged
    )
    return is_full and values.move <= _least_alone(moves, values.contacts, values.engaged) + GAIN


@dataclass(frozen=True, eq=False)
class Lenses:
    """Lenses, intersections of a disc about a start and one about a foe, for n starts (n, 1, 2) and m foes (1, m, 2).

    A model whose centre is within `reach` (n, 1) inches of its start and within `radii` (n, m) inches of a foe is in
    their lens.
    """

    starts: FloatArray
    reach: FloatArray
    foes: FloatArray
    radii: FloatArray

    @cached_property
    def apart(self) -> FloatArray:
        """Distances (n, m) in inches between the centres of the two discs of each lens."""
        return np.asarray(np.linalg.norm(self.foes - self.starts, axis=-1))

    @cached_property
    def is_any(self) -> BoolArray:
        """Whether (n, m) the two discs intersect, so that the lens is not empty."""
        return np.asarray(self.apart <= self.reach + self.radii + CONTACT)

    @cached_property
    def corners(self) -> FloatArray:
        """Intersection points (2, n, m, 2) in inches of the two circles of each lens, where they exist."""
        apart = np.maximum(self.apart, CONTACT)
        along = (self.apart**2 + self.reach**2 - self.radii**2) / (2.0 * apart)
        aside = np.sqrt(np.maximum(self.reach**2 - along**2, 0.0))
        towards = (self.foes - self.starts) / apart[..., None]
        left = np.stack([-towards[..., 1], towards[..., 0]], axis=-1)
        return np.array(
            [
                self.starts + along[..., None] * towards + side * aside[..., None] * left
                for side in (1.0, -1.0)
            ]
        )

    def gaps_from(self, points: FloatArray) -> FloatArray:
        """Return the distances (k, n) in inches of points (k, 2) from the nearest lens of each start; infinite where it
        has none.
        """
        points = points[:, None, None, :]
        is_crossed = (self.apart >= np.abs(self.reach - self.radii) - CONTACT) & (
            self.apart > CONTACT
        )
        found = np.where(
            is_crossed,
            np.min([np.linalg.norm(points - corner, axis=-1) for corner in self.corners], axis=0),
            np.inf,
        )
        discs = (self.starts, self.reach), (self.foes, self.radii)
        for (centres, radii), (others, limits) in (discs, discs[::-1]):
            lengths = np.linalg.norm(points - centres, axis=-1)
            nearest = (
                centres
                + (points - centres)
                * (radii / np.maximum(lengths, np.maximum(radii, CONTACT)))[..., None]
            )
            is_within = np.linalg.norm(nearest - others, axis=-1) <= limits + CONTACT
            found = np.where(is_within, np.minimum(found, np.maximum(lengths - radii, 0.0)), found)
        return np.asarray(np.where(self.is_any, found, np.inf).min(axis=-1))

    def farthest(self, ahead: FloatArray) -> FloatArray:
        """Return the support function (n, k), in inches, of the lenses of each start in unit directions (k, 2); -inf
        where it has none.
        """
        farthest = np.max(self.corners @ ahead.T, axis=0)
        lengths = []
        discs = (self.starts, self.reach), (self.foes, self.radii)
        for (centres, radii), (others, limits) in (discs[::-1], discs):
            tops = centres[..., None, :] + radii[..., None, None] * ahead
            lengths.append((tops * ahead).sum(axis=-1))
            is_within = (
                np.linalg.norm(tops - others[..., None, :], axis=-1) <= limits[..., None] + CONTACT
            )
            farthest = np.where(is_within, lengths[-1], farthest)
        is_inside = self.apart <= np.abs(self.reach - self.radii)  # one disc lies in the other
        farthest = np.where(is_inside[..., None], np.minimum(*lengths), farthest)
        return np.asarray(np.where(self.is_any[..., None], farthest, -np.inf).max(axis=1))


@dataclass(frozen=True, eq=False)
class CoherencyBound:
    """Lower bound on the distance from coherency: discs that contain each model's end, and lenses from which it can
    engage each target.
    """

    solver: Solver

    @property
    def applies(self) -> bool:
        """Whether the bound applies: the unit must be coherent and has several models."""
        return self.solver.asks("coherent") and len(self.solver.options) > 1

    @property
    def spans_targets(self) -> bool:
        """Whether a chain of coherency links can be long enough to span any two targets, wherever the models that
        engage them end.
        """
        problem = self.solver.problem
        foes = self.solver.problem.target_models.models
        targets = self.solver.problem.target_index
        longest = (
            problem.coherency.span(2.0 * problem.models.radii)
            if self.solver.asks("coherent")
            else math.inf
        )
        reach = foes.radii + problem.longest_ranges
        apart = point_distances(foes.centres, foes.centres) - reach[:, None] - reach
        pairs = combinations(problem.target_numbers, 2)
        return all(
            bool(apart[np.ix_(targets == one, targets == other)].min() <= longest + CONTACT)
            for one, other in pairs
        )

    def allows(self, limit: float) -> bool:
        """Return whether the bound allows a plan with moves up to `limit` inches.

        It does if each target can be engaged by a model with neighbours, and links can join those models.
        """
        reach = np.minimum(self.solver.confinement_radii, limit)
        lenses = [self._lenses(target, reach) for target in self.solver.problem.target_numbers]
        return all(self._is_engaged(some) for some in lenses) and self._are_joined(lenses)

    def least_distance(self, low: float, high: float) -> float:
        """Return a distance in inches, from `low` to `high`, below which no plan is possible, by bisection to
        `SPAN_TOLD_TO`.
        """
        if self.allows(low):
            return low
        if not self.allows(high):
            return high
        while high - low > SPAN_TOLD_TO:
            middle = (low + high) / 2.0
            low, high = (low, middle) if self.allows(middle) else (middle, high)
        return low

    def _lenses(self, target: int, reach: FloatArray) -> Lenses:
        problem = self.solver.problem
        own = self.solver.problem.target_index == target
        foes = problem.target_models.models
        radii = foes.radii[own] + problem.models.radii[:, None] + problem.longest_ranges[own]
        return Lenses(
            problem.models.centres[:, None, :], reach[:, None], foes.centres[own][None, :, :], radii
        )

    def _is_engaged(self, lenses: Lenses) -> bool:
        """Return whether some model can end in one of the lenses with enough other models near it."""
        gaps = lenses.gaps_from(lenses.starts[:, 0, :])
        able = np.flatnonzero(np.isfinite(gaps.diagonal()))
        return any(
            self._has_company(np.delete(gaps[:, mover] - lenses.reach[:, 0], mover))
            for mover in able
        )

    def _has_company(self, apart: FloatArray) -> bool:
        """Return whether enough others can be neighbours of a model at its end, and the rest can follow.

        The others are at least `apart` (n - 1,) inches away.
        """
        coherency = self.solver.problem.coherency
        count = len(apart)
        link = 2.0 * max(kind.outer for kind in self.solver.legality.kinds) + coherency.horizontal
        hops = np.maximum(np.ceil((np.sort(apart) - CONTACT) / link), 0.0)
        asked = coherency.neighbours
        is_company = bool(hops[asked - 1] <= 1.0)
        if not coherency.is_one_group:
            return is_company
        most = np.minimum(np.maximum(np.arange(1, count + 1) - asked + 1, 1), coherency.most_links)
        return is_company and bool((hops <= most).all())

    def _are_joined(self, lenses: list[Lenses]) -> bool:
        """Return whether, for each pair of targets, links can join a model that engages the one with a model that
        engages the other.

        `lenses` are those of each target. One model may engage both.
        """
        spans = self.solver.problem.spans
        if len(lenses) == 1 or np.isinf(spans).any():
            return True
        turns = math.tau / LENS_DIRECTIONS * np.arange(LENS_DIRECTIONS)
        ends = [some.farthest(np.column_stack([np.cos(turns), np.sin(turns)])) for some in lenses]
        return all(
            bool((_support_gap(ends[one], ends[other]) <= spans + CONTACT).any())
            for one, other in combinations(range(len(ends)), 2)
        )


def _support_gap(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return lower bounds (n, n) in inches on the gaps between n convex sets and n others, given their support
    functions (n, k).
    """
    back = np.roll(second, LENS_DIRECTIONS // 2, axis=1)
    return np.asarray(np.max(-first[:, None, :] - back[None, :, :], axis=2))


@dataclass(frozen=True)
class Role:
    """What one model does in a plan: which target it touches, if any, and which targets it engages."""

    touched: int | None
    targets: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SpanningTrees:
    """Bounds for a few models by enumeration of all spanning trees of coherency links, with balls that contain each
    model's end.

    A link is a pair of models within coherency range of each other.
    """

    solver: Solver
    _most_contacts: dict[int, int] = field(default_factory=dict, init=False, repr=False)

    @property
    def applies(self) -> bool:
        """Whether the bound applies: a small unit of discs that must form a single group, with few foes."""
        problem = self.solver.problem
        legality = self.solver.legality
        is_plain = bool((problem.longest_ranges <= problem.engagement.horizontal).all())
        is_linked = legality.asks("coherent") and problem.coherency.is_one_group and is_plain
        is_flat = legality.is_round and problem.target_models.models.is_round
        return (
            is_linked
            and is_flat
            and 1 < self.count <= MOST_IN_TREES
            and len(problem.target_models.models.models) <= MOST_FOES
        )

    @property
    def count(self) -> int:
        """Number of models of the unit that moves."""
        return len(self.solver.problem.models.models)

    @cached_property
    def link(self) -> float:
        """Largest distance between the centres of linked models, in inches."""
        problem = self.solver.problem
        legality = self.solver.legality
        return float(2.0 * legality.radii.max() + problem.coherency.horizontal)

    @cached_property
    def all(self) -> list[tuple[Tree, FloatArray]]:
        """All spanning trees on the models, each with the number of links (n, n) between each two models."""
        return [(tree, _hops(tree, self.count)) for tree in spanning_trees(self.count)]

    def roles(self, contacts: int) -> Iterator[tuple[Role, ...]]:
        """Yield all ways to give each model a role, with `contacts` models in contact, such that each could play its
        role alone.

        Each target is engaged by one model.
        """
        targets = self.solver.problem.target_numbers
        for touching, touched in product(
            combinations(range(self.count), contacts), product(targets, repeat=contacts)
        ):
            touches = dict(zip(touching, touched, strict=True))
            for owners in product(range(self.count), repeat=len(targets)):
                if any(
                    owners[target] != min(one for one in touches if touches[one] == target)
                    for target in set(touched)
                ):
                    continue
                roles = [
                    Role(
                        touches.get(one),
                        tuple(target for target in targets if owners[target] == one),
                    )
                    for one in range(self.count)
                ]
                if all(self._can(one, role) for one, role in enumerate(roles)):
                    yield tuple(roles)

    def _can(self, mover: int, role: Role) -> bool:
        """Return whether a model can play its role at some place, ignoring the other models; without a role it may end
        anywhere.
        """
        asked = role.targets if role.touched is None else (*role.targets, role.touched)
        moves = LeastMoves(self.solver)
        # a flight may be possible where none is to a candidate place
        return not asked or any(
            math.isfinite(way(mover, asked, is_touching=role.touched is not None))
            for way in (moves.on_path, moves.in_air)
        )

    def fitting(self, roles: Iterable[tuple[Role, ...]]) -> Iterator[tuple[tuple[Role, ...], Tree]]:
        """Yield pairs of an assignment of roles to the models and a spanning tree whose links are long enough for
        it.
        """
        for share in roles:
            needs = self._least_separations(share)
            yield from (
                (share, tree)
                for tree, hops in self.all
                if (needs <= hops * self.link + CONTACT).all()
            )

    def _reach_balls(self, mover: int, role: Role) -> list[tuple[FloatArray, FloatArray]]:
        """Return sets of balls, with centres (k, 2) and radii (k,) in inches; a model that plays its role ends in one
        ball of each set.
        """
        problem = self.solver.problem
        legality = self.solver.legality
        radius = float(legality.radii[legality.kind_numbers[mover]])
        foes = problem.target_models.models
        sets = [
            (
                problem.models.centres[[mover]],
                np.minimum(self.solver.confinement_radii[[mover]], self.solver.limit),
            )
        ]
        if self.solver.start.placed[mover]:
            sets = [(self.solver.start.candidates.at[[mover]], np.zeros(1))]
        ranges = [(target, problem.engagement.horizontal) for target in role.targets]
        for target, across in ranges if role.touched is None else [*ranges, (role.touched, 0.0)]:
            own = problem.target_index == target
            sets.append((foes.centres[own], foes.radii[own] + radius + across))
        return sets

    def _least_separations(self, share: Sequence[Role]) -> FloatArray:
        """Return the least distances (n, n) in inches that the links of a tree between each two models must span, given
        their roles.

        On the diagonal it is what separates the sets of balls of one model: above 0 it cannot play its role.
        """
        sets = [self._reach_balls(mover, role) for mover, role in enumerate(share)]
        needs = np.zeros((self.count, self.count))
        for one, other in combinations(range(self.count), 2):
            needs[one, other] = max(
                _gap_between_balls(first, second) for first in sets[one] for second in sets[other]
            )
        for one in range(self.count):
            needs[one, one] = max(
                (_gap_between_balls(first, second) for first, second in combinations(sets[one], 2)),
                default=0.0,
            )
        return needs

    def most_contacts(self, most: int) -> int:
        """Return an upper bound, at most `most`, on the number of models in contact."""
        if most not in self._most_contacts:
            self._most_contacts[most] = next(
                (contacts for contacts in range(most, 0, -1) if self._allows(contacts)), 0
            )
        return self._most_contacts[most]

    def _allows(self, contacts: int) -> bool:
        """Return whether the bound allows a plan with so many models in contact within the limit."""
        enough = self.solver.limit + MARGINAL
        return self._least(self.roles(contacts), enough + MARGINAL, enough=enough) <= enough

    def least_distance(self, longest: float, *, low: float = 0.0) -> float:
        """Return a distance in inches, at most `longest`, below which no plan is possible; it is not refined once it is
        `low` or less.
        """
        return self._least(self.roles(0), longest, enough=low)

    def least_total(self, contacts: int, known: float) -> float:
        """Return a lower bound, in inches, on the total move of plans with so many models in contact.

        `known` is the total move of such a plan, above which the bound is not raised.
        """
        is_open = (
            share
            for share in self.roles(contacts)
            if sum(self._alone(mover, role) for mover, role in enumerate(share)) < known
        )
        return self._least(is_open, known, enough=known - 2.0 * MARGINAL, together=True)

    def _least(
        self,
        shares: Iterable[tuple[Role, ...]],
        longest: float,
        *,
        enough: float,
        together: bool = False,
    ) -> float:
        """Return the least move with which some tree allows some assignment of roles, up to `longest` inches; see
        `_tightest`.
        """
        least = longest
        for share, tree in self.fitting(shares):
            least = min(
                least, self._tightest(tree, share, longest, enough=enough, together=together)
            )
            if least <= enough:
                break
        return least

    def _alone(self, mover: int, role: Role) -> float:
        """Return a lower bound in inches on a model's move to where it plays its role, ignoring obstacles."""
        start, *sets = self._reach_balls(mover, role)
        return max((_gap_between_balls((start[0], np.zeros(1)), one) for one in sets), default=0.0)

    def _tightest(
        self,
        tree: Tree,
        share: Sequence[Role],
        longest: float,
        *,
        enough: float,
        together: bool = False,
    ) -> float:
        """Return the least longest move, in inches up to `longest`, with which a tree allows its roles; 0 for too many
        choices of foes.

        With `together`, return the least total move instead. The search stops at a move of `enough` or less.
        """
        longest = min(longest, FAR_OFF)
        engagement = self.solver.problem.engagement.horizontal
        wanted = [
            (mover, target, engagement)
            for mover, role in enumerate(share)
            for target in role.targets
            if target != role.touched
        ]
        wanted += [
            (mover, role.touched, 0.0)
            for mover, role in enumerate(share)
            if role.touched is not None
        ]
        near = [
            [(mover, foe, gap) for foe in self._within(mover, target, gap + longest)]
            for mover, target, gap in wanted
        ]
        if math.prod(len(foes) for foes in near) > MOST_CHOICES:
            return 0.0
        least = math.inf
        for chosen in product(*near):
            least = min(least, self._tight(tree, chosen, longest, together=together))
            if least <= enough:
                break
        return least

    def _within(self, mover: int, target: int, gap: float) -> list[int]:
        """Return the indices of those foes of a target that are at most `gap` inches from a model's start."""
        problem = self.solver.problem
        legality = self.solver.legality
        apart = point_distances(
            problem.models.centres[[mover]], problem.target_models.models.centres
        )[0]
        gaps = (
            apart
            - problem.target_models.models.radii
            - legality.radii[legality.kind_numbers[mover]]
        )
        return [
            int(foe)
            for foe in np.flatnonzero((gaps <= gap + CONTACT) & (problem.target_index == target))
        ]

    def _tight(
        self, tree: Tree, near: Sequence[tuple[int, int, float]], longest: float, *, together: bool
    ) -> float:
        """Return a lower bound in inches on the longest move, or with `together` the total move, with which a tree
        reaches its foes.

        `near` gives a model, a foe, and the greatest gap between them; the bound is computed for moves up to `longest`.
        """
        problem = self.solver.problem
        legality = self.solver.legality
        foes = problem.target_models.models
        starts = problem.models.centres
        radii = legality.radii[legality.kind_numbers]
        rows = [(one, other, self.link) for one, other in tree]
        rows += [
            (mover, len(starts) + foe, float(radii[mover] + foes.radii[foe] + gap))
            for mover, foe, gap in near
        ]
        fixed = np.concatenate([foes.centres, starts])
        rooms = self.solver.confinement_radii
        rows += [
            (mover, len(fixed) + mover, float(rooms[mover]))
            for mover in np.flatnonzero(np.isfinite(rooms)).tolist()
        ]
        first, second, high = (np.array(column) for column in zip(*rows, strict=True))
        links = DistanceConstraints(first, second, np.zeros(len(rows)), high)
        points = least_displacement(starts, starts, fixed, links, furthest=not together)
        return (total_move_bound if together else longest_move_bound)(
            starts, points, fixed, links, reach=longest
        )


def spanning_trees(count: int) -> Iterator[Tree]:
    """Return an iterator over all spanning trees on `count` models, each a tuple of links, pairs of models."""
    links = combinations(combinations(range(count), 2), count - 1)
    return (tree for tree in links if np.isfinite(_hops(tree, count)).all())


def _hops(tree: Tree, count: int) -> FloatArray:
    """Return the number of links (n, n) between each two models of a tree, infinite where none connect them."""
    # csgraph.shortest_path takes 40 times as long for up to six models: 1.9 ms.
    hops = np.full((count, count), np.inf)
    np.fill_diagonal(hops, 0.0)
    for one, other in tree:
        hops[one, other] = hops[other, one] = 1.0
    for middle in range(count):
        hops = np.minimum(hops, hops[:, middle, None] + hops[None, middle, :])
    return hops


def _gap_between_balls(
    first: tuple[FloatArray, FloatArray], second: tuple[FloatArray, FloatArray]
) -> float:
    """Return the least distance in inches between a ball of one set and a ball of another, 0 where two overlap."""
    return max(
        0.0,
        float(
            (point_distances(first[0], second[0]) - first[1][:, None] - second[1]).min(
                initial=np.inf
            )
        ),
    )

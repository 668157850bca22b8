"""Bounds that no plan beats: on how far some model must move, and on how many models can be in contact or engaged.

- `straight_bound`, `chain_bound`, `reach_bound`, `most_contacts`, `most_engaged`: each model looked at alone;
- `CoherencyBound`: whoever engages a target must have company there, and the rest of the unit must be able to follow;
- `TwoTargetBound`: the places from which two models engage different targets must be as near as links can span;
- `SpanningTrees`, `tree_bound`: of a few discs, all ways in which links can join them into one group.

Distances are in inches; infinite where no plan is possible at all.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, permutations, product

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import gap
from tabletop.geometry.shape import disc
from tabletop.optimise.selection import min_cost_assignment
from tabletop.placement.candidates import Solver
from tabletop.placement.least_displacement import DistanceConstraints, least_displacement, longest_move_bound, total_move_bound
from tabletop.units import CONTACT, FAR_OFF, MARGINAL

MOST_TARGETS = 4
"""Targets that are shared among models in all ways; of more, each is looked at alone."""

LENS_DIRECTIONS = 720
"""Directions that are looked in, an even number."""

SPAN_TOLD_TO = 1e-4
"""Inches to which the least distance is told."""

MOST_IN_TREES = 4
"""Models of which all trees are looked at."""

MOST_FOES = 12
"""Foes of a target beyond which trees are not looked at."""

MOST_CHOICES = 64
"""Choices of foes for one share of which each is looked at."""

Tree = tuple[tuple[int, int], ...]


def straight_bound(solver: Solver) -> float:
    """Give a distance below which no plan is possible even if nothing stands in any way; infinite if there is none at all."""
    targets, turned = solver.problem.target_numbers, _turned(solver)
    nearest = [
        [float(options.lengths[options.candidates.engaged[:, target]].min(initial=math.inf)) for options in solver.options]
        for target in targets
    ]
    return float(np.minimum(np.array(nearest).T, turned).min(axis=0).max())


def _turned(solver: Solver, *, is_contact: bool = False) -> FloatArray:
    """Bound the lengths (n, targets) in inches at which models engage targets, or touch them, if they turn as suits them best.

    Infinite for discs, which have nothing to gain by it.
    """
    problem, legality = solver.problem, solver.legality
    engagement = problem.engagement
    found = np.full((len(problem.models.models), len(problem.target_numbers)), np.inf)
    for mover, model in enumerate(problem.models.models):
        kind = legality.kinds[legality.kind_numbers[mover]]
        if kind.is_round or solver.start.placed[mover]:
            continue
        around = disc(model.pose.at, kind.outer)
        foes = [foe.footprint for foe in problem.target_models.models.models]
        ways = np.array([gap(around, foe) if is_contact else engagement.least_way(around, foe) for foe in foes])
        ways = np.maximum(ways, 0.0) + problem.pivots[mover]
        found[mover] = [ways[problem.target_index == target].min() for target in problem.target_numbers]
    return found


def chain_bound(solver: Solver) -> float:
    """Give 0, or infinity if two targets are too far apart for the unit to join them: each link bridges so much and no more."""
    problem, foes = solver.problem, solver.problem.target_models.models
    chain = problem.coherency.span(2.0 * problem.models.radii) if solver.asks("coherent") else math.inf
    for target in problem.target_numbers:
        for other in range(target):
            own, its = problem.target_index == target, problem.target_index == other
            aside = foes.centres[own][:, None, :] - foes.centres[its][None, :, :]
            reaches = foes.radii + problem.longest_ranges
            apart = np.hypot(aside[..., 0], aside[..., 1]) - reaches[own][:, None] - reaches[its][None, :]
            if float(apart.min()) > chain + CONTACT:
                return math.inf
    return 0.0


def reach_bound(solver: Solver) -> float:
    """Give a distance below which no models can engage all targets, each model looked at alone; infinite if they never can."""
    costs = np.minimum(engaging(solver), _flown_to_engage(solver))
    if len(solver.problem.target_numbers) > MOST_TARGETS:
        alone = np.minimum(costs, _turned(solver))
        return float(alone.min(axis=0).max())
    nearest, turned = costs.copy(), _turned(solver)
    for number, targets in enumerate(_sets(solver)):
        nearest[:, number] = np.minimum(costs[:, number], turned[:, targets].max(axis=1, initial=0.0))
    return min((longest for longest, _ in _sharings(solver, nearest)), default=math.inf)


def engaging(solver: Solver) -> FloatArray:
    """Give the lengths (n, sets) in inches at which each model engages at least the targets of a set."""
    placed, sets = solver.start, _sets(solver)
    costs = np.full((len(solver.options), len(sets)), np.inf)
    for mover, options in enumerate(solver.options):
        for number, targets in enumerate(sets):
            if placed.placed[mover]:
                costs[mover, number] = 0.0 if placed.candidates.engaged[mover, targets].all() else np.inf
            else:
                costs[mover, number] = solver.shortest(mover, np.asarray(options.candidates.engaged[:, targets].all(axis=1)))
    return costs


def _flown_to_engage(solver: Solver) -> FloatArray:
    """Bound the lengths (n, sets) in inches at which each model engages at least the targets of a set by flying."""
    sets = _sets(solver)
    engaged = [options.candidates.engaged for options in solver.options]
    return np.array([[flown(solver, mover, np.asarray(one[:, own].all(axis=1))) for own in sets] for mover, one in enumerate(engaged)])


def flown(solver: Solver, mover: int, usable: BoolArray) -> float:
    """Bound the length in inches of a model's moves through the air to where its options are usable; infinite if it flies to none.

    Over what stands in between the least way may end beside all special places; the least straight line ends at one.
    """
    problem, candidates = solver.problem, solver.options[mover].candidates
    begun = float(problem.models.heights[mover])
    if solver.start.placed[mover] or not problem.flies:
        return math.inf
    is_air = problem.air == "anywhere" or begun > CONTACT
    flies = usable & (is_air | (candidates.z > CONTACT))
    aside = candidates.at[flies] - problem.models.centres[mover]
    return float(np.sqrt((aside**2).sum(axis=1) + (candidates.z[flies] - begun) ** 2).min(initial=np.inf))


def _sets(solver: Solver) -> list[list[int]]:
    """Give the sets of targets that are looked at: all of them, by their bits, or of many targets each alone."""
    targets = solver.problem.target_numbers
    if len(targets) > MOST_TARGETS:
        return [[target] for target in targets]
    return [[target for target in targets if number >> target & 1] for number in range(1 << len(targets))]


def _sharings(solver: Solver, costs: FloatArray) -> list[tuple[float, list[tuple[int, list[int]]]]]:
    """Share the targets among models in all ways, with the lengths (n, sets) at which each engages at least those of a set."""
    shared = [way for parts in partitions(solver.problem.target_numbers) if (way := _shared(costs, parts)) is not None]
    sets = _sets(solver)
    return sorted(((longest, [(mover, sets[part]) for mover, part in way]) for longest, way in shared), key=lambda way: way[0])


def partitions(items: Sequence[int]) -> Iterator[list[int]]:
    """Give all ways to share items among parts that are not empty, each part as bits."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for parts in partitions(rest):
        yield [1 << first, *parts]
        for place in range(len(parts)):
            yield [*parts[:place], parts[place] | 1 << first, *parts[place + 1 :]]


def _shared(costs: FloatArray, parts: Sequence[int]) -> tuple[float, list[tuple[int, int]]] | None:
    """Give the least longest move if different models serve the parts, and which model serves which part."""
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


def target_assignments(solver: Solver) -> list[tuple[float, list[tuple[int, list[int]]]]]:
    """Give ways to share the targets among models, shortest first: the longest move, and each model with its targets."""
    costs = engaging(solver)
    if len(solver.problem.target_numbers) <= MOST_TARGETS:
        return _sharings(solver, costs)
    nearest = costs.argmin(axis=0).tolist()
    shared = {mover: [target for target, other in enumerate(nearest) if other == mover] for mover in nearest}
    return [(float(costs.min(axis=0).max()), list(shared.items()))]


def most_contacts(solver: Solver) -> int:
    """Bound the models in contact by those that reach it, each looked at alone."""
    return int((least_moves(solver, is_contact=True) <= solver.limit + CONTACT).sum())


def most_engaged(solver: Solver) -> int:
    """Bound the models engaged with a target by those that can be, each looked at alone."""
    return int((least_moves(solver) <= solver.limit + CONTACT).sum())


def least_moves(solver: Solver, *, is_contact: bool = False) -> FloatArray:
    """Bound the lengths (n,) in inches at which models are engaged with a target, or touch one, each looked at alone; else infinite.

    A single disc engages all targets.
    """
    placed, alone = solver.start, len(solver.options) == 1 and solver.legality.is_round
    turned = _turned(solver, is_contact=is_contact).min(axis=1)
    least = np.empty(len(solver.options))
    for mover, options in enumerate(solver.options):
        candidates = placed.candidates.of(np.array([mover])) if placed.placed[mover] else options.candidates
        serves = candidates.touching if is_contact else candidates.is_engaged
        if placed.placed[mover]:
            least[mover] = 0.0 if serves[0] else np.inf
            continue
        serves = serves & candidates.engaged.all(axis=1) if alone else serves
        least[mover] = min(solver.shortest(mover, serves), turned[mover], flown(solver, mover, serves))
    return least


def least_total(solver: Solver, contacts: int, engaged: int, known: float) -> float:
    """Bound the inches that all moves add up to in plans with so many contacts, and so many engaged; `known` are those of one."""
    count, rest = len(solver.options), max(engaged - contacts, len(solver.options) == 1 and not contacts)
    costs = np.zeros((count, count))
    costs[:, :contacts] = least_moves(solver, is_contact=True)[:, None]
    costs[:, contacts : contacts + rest] = least_moves(solver)[:, None]
    taken, trees = min_cost_assignment(costs), SpanningTrees(solver)
    least = math.inf if taken is None else float(costs[np.arange(count), taken].sum())
    return max(least, trees.least_total(contacts, known)) if least < known - CONTACT and trees.applies else least


def tree_bound(solver: Solver, most: int, known: int) -> int:
    """Bound the models in contact of a small unit, at most `most` and `known` in some plan, by the links that must join it."""
    trees = SpanningTrees(solver)
    return max(known, trees.most_contacts(most)) if trees.applies else most


@dataclass(frozen=True, eq=False)
class TwoTargetBound:
    """A unit that must be coherent, with the places from which its models can engage targets."""

    solver: Solver

    @cached_property
    def _ahead(self) -> FloatArray:
        """The directions (k, 2)."""
        turns = math.tau / LENS_DIRECTIONS * np.arange(LENS_DIRECTIONS)
        return np.column_stack([np.cos(turns), np.sin(turns)])

    @cached_property
    def _outer(self) -> FloatArray:
        """The radii (n,) in inches of discs about the models' places that hold them."""
        return np.array([self.solver.legality.kinds[number].outer for number in self.solver.legality.kind_numbers])

    @cached_property
    def _spans(self) -> FloatArray:
        """How far apart (n, n) in inches each two models may end from middle to middle, a model and itself not at all."""
        spans = self.solver.problem.coherency.span(2.0 * self._outer) - self._outer[:, None] - self._outer[None, :]
        np.fill_diagonal(spans, 0.0)
        return np.asarray(spans)

    def allow(self, limit: float) -> bool:
        """Tell whether of each two targets some models, or one alone, might engage both near enough to each other."""
        targets = self.solver.problem.target_numbers
        if len(targets) == 1 or np.isinf(self._spans).any():
            return True
        ends = [self._ends(target, limit) for target in targets]
        return all(bool((_support_gap(ends[one], ends[other]) <= self._spans + CONTACT).any()) for one, other in combinations(targets, 2))

    def _ends(self, target: int, limit: float) -> FloatArray:
        """Measure how far (n, k) each direction leads to the farthest place where a model can engage a target; -inf if it cannot."""
        problem = self.solver.problem
        own, foes = problem.target_index == target, problem.target_models.models
        radii = foes.radii[own][None, :] + self._outer[:, None] + problem.longest_ranges[own][None, :]
        starts, reach = problem.models.centres[:, None, :], np.minimum(self.solver.confinement_radii, limit)[:, None]
        return np.asarray(_farthest(starts, reach, foes.centres[own][None, :, :], radii, self._ahead).max(axis=1))


def _support_gap(first: FloatArray, second: FloatArray) -> FloatArray:
    """Bound from below how far apart (n, n) convex sets are, given how far (n, k) each direction leads in them."""
    back = np.roll(second, LENS_DIRECTIONS // 2, axis=1)
    return np.asarray(np.max(-first[:, None, :] - back[None, :, :], axis=2))


def _farthest(centres: FloatArray, radius: FloatArray, others: FloatArray, radii: FloatArray, ahead: FloatArray) -> FloatArray:
    """Measure how far (n, m, k) directions (k, 2) lead in what discs (n, 1) and others (n, m) share; -inf where that is nothing."""
    between = others - centres
    apart = np.hypot(between[..., 0], between[..., 1])
    along = (apart**2 + radius**2 - radii**2) / (2.0 * np.maximum(apart, CONTACT))
    aside = np.sqrt(np.maximum(radius**2 - along**2, 0.0))
    towards = between / np.maximum(apart, CONTACT)[..., None]
    left = np.stack([-towards[..., 1], towards[..., 0]], axis=-1)
    corners = [centres + along[..., None] * towards + side * aside[..., None] * left for side in (1.0, -1.0)]
    tops = [centres[..., None, :] + radius[..., None, None] * ahead, others[..., None, :] + radii[..., None, None] * ahead]
    lengths = [(top * ahead).sum(axis=-1) for top in tops]
    is_inside = [
        np.hypot(*np.moveaxis(top - centre[..., None, :], -1, 0)) <= reach + CONTACT
        for top, centre, reach in zip(tops, (others, centres), (radii[..., None], radius[..., None]), strict=True)
    ]
    farthest = np.max([corner @ ahead.T for corner in corners], axis=0)
    farthest = np.where(is_inside[1], lengths[1], farthest)
    farthest = np.where(is_inside[0], lengths[0], farthest)
    holds = apart <= np.abs(radius - radii)  # one disc lies in the other
    farthest = np.where(holds[..., None], np.minimum(*lengths), farthest)
    return np.asarray(np.where((apart <= radius + radii + CONTACT)[..., None], farthest, -np.inf))


@dataclass(frozen=True, eq=False)
class CoherencyBound:
    """A unit and the foes that it must engage, as discs that hold them."""

    solver: Solver

    @property
    def is_asked(self) -> bool:
        """Whether the unit must be coherent at all."""
        return self.solver.asks("coherent") and len(self.solver.options) > 1

    def allows(self, limit: float) -> bool:
        """Tell whether every target can be engaged at a distance by a model that has company there, and links can join such models."""
        targets = self.solver.problem.target_numbers
        return all(self._is_engaged(target, limit) for target in targets) and self._lenses.allow(limit)

    @cached_property
    def _lenses(self) -> TwoTargetBound:
        return TwoTargetBound(self.solver)

    def least_distance(self, low: float, high: float) -> float:
        """Give a distance from `low` to `high` below which no plan is possible."""
        if self.allows(low):
            return low
        if not self.allows(high):
            return high
        while high - low > SPAN_TOLD_TO:
            middle = (low + high) / 2.0
            low, high = (low, middle) if self.allows(middle) else (middle, high)
        return low

    def _is_engaged(self, target: int, limit: float) -> bool:
        """Tell whether some model can engage a target so that the others can be near enough."""
        return any(self._has_company(apart) for apart in self._from_ends(target, limit))

    def _has_company(self, apart: FloatArray) -> bool:
        """Tell whether others that come no nearer (n-1,) to where a model may end can be its neighbours, and the rest follow."""
        problem, count = self.solver.problem, len(apart)
        hops = np.maximum(np.ceil((np.sort(apart) - CONTACT) / self._link), 0.0)
        coherency = problem.coherency
        asked = coherency.neighbours
        is_company = bool(hops[asked - 1] <= 1.0)
        if not coherency.is_one_group:
            return is_company
        most = np.minimum(np.maximum(np.arange(1, count + 1) - asked + 1, 1), coherency.most_links)
        return is_company and bool((hops <= most).all())

    @property
    def _link(self) -> float:
        """How far apart from middle to middle neighbours may be, in inches."""
        outer = max(kind.outer for kind in self.solver.legality.kinds)
        return float(2.0 * outer + self.solver.problem.coherency.horizontal)

    def _from_ends(self, target: int, limit: float) -> list[FloatArray]:
        """Give for each model that may engage a target how near (n-1,) the others come to the nearest place where it can end so."""
        problem, legality, found, reach = (
            self.solver.problem,
            self.solver.legality,
            list[FloatArray](),
            np.minimum(self.solver.confinement_radii, limit),
        )
        own = problem.target_index == target
        foes, starts = problem.target_models.models, problem.models.centres
        for mover, start in enumerate(starts):
            radii = foes.radii[own] + legality.kinds[legality.kind_numbers[mover]].outer + problem.longest_ranges[own]
            its = float(reach[mover])
            apart = np.min(
                [_to_lens(starts, foe, radius, start, its) for foe, radius in zip(foes.centres[own], radii, strict=True)], axis=0
            )
            if np.isfinite(apart[mover]):
                found.append(np.delete(apart - reach, mover))
        return found


def _to_lens(points: FloatArray, first: FloatArray, radius: float, second: FloatArray, other: float) -> FloatArray:
    """Measure how far (n,) points (n, 2) are from where two discs overlap; infinite if they do not."""
    between = math.dist(first, second)
    if between > radius + other + CONTACT:
        return np.full(len(points), np.inf)
    apart, aside = (np.hypot(*(points - centre).T) for centre in (first, second))
    inside: BoolArray = (apart <= radius) & (aside <= other)
    found = np.where(inside, 0.0, np.inf)
    for centre, reach, length, its, limit in ((first, radius, apart, second, other), (second, other, aside, first, radius)):
        nearest = centre + (points - centre) * (reach / np.maximum(length, max(reach, CONTACT)))[:, None]
        is_within = np.hypot(*(nearest - its).T) <= limit + CONTACT
        found = np.where(is_within, np.minimum(found, length - reach), found)
    found = np.maximum(found, 0.0)
    for corner in _corners(first, radius, second, other, between):
        found = np.minimum(found, np.hypot(*(points - corner).T))
    return found


def _corners(first: FloatArray, radius: float, second: FloatArray, other: float, between: float) -> list[FloatArray]:
    """Give the points where two circles meet, if they do."""
    if between < abs(radius - other) - CONTACT or between <= CONTACT:
        return []
    along = min(radius, (between**2 + radius**2 - other**2) / (2.0 * between))
    aside = math.sqrt(max(0.0, radius**2 - along**2))
    ahead = (second - first) / between
    left = np.array([-ahead[1], ahead[0]])
    return [first + along * ahead + side * aside * left for side in (1.0, -1.0)]


@dataclass(frozen=True)
class Role:
    """What one model does in a plan: it touches a target, or none, and it engages some of the targets."""

    touched: int | None
    targets: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class SpanningTrees:
    """A few models, all trees of links that join them, and the balls in which they end."""

    solver: Solver

    @property
    def applies(self) -> bool:
        """Whether the unit is small enough, and of discs that must end in one group."""
        problem, legality = self.solver.problem, self.solver.legality
        is_plain = bool((problem.longest_ranges <= problem.engagement.horizontal).all())
        is_linked = legality.asks("coherent") and problem.coherency.is_one_group and is_plain
        is_flat = legality.is_round and problem.target_models.models.is_round
        return is_linked and is_flat and 1 < self.count <= MOST_IN_TREES and len(problem.target_models.models.models) <= MOST_FOES

    @property
    def count(self) -> int:
        """How many models there are."""
        return len(self.solver.problem.models.models)

    @cached_property
    def link(self) -> float:
        """How far apart linked models may be, from middle to middle, in inches."""
        problem, legality = self.solver.problem, self.solver.legality
        return float(2.0 * legality.radii.max() + problem.coherency.horizontal)

    @cached_property
    def all(self) -> list[tuple[Tree, FloatArray]]:
        """All trees on the models, with the number of links (n, n) between each two."""
        return [(tree, _hops(tree, self.count)) for tree in spanning_trees(self.count)]

    def roles(self, contacts: int) -> Iterator[tuple[Role, ...]]:
        """Give all ways to share so many contacts and the targets that each model could do its part, looked at alone."""
        targets = self.solver.problem.target_numbers
        for touching, touched in product(combinations(range(self.count), contacts), product(targets, repeat=contacts)):
            touches = dict(zip(touching, touched, strict=True))
            for owners in product(range(self.count), repeat=len(targets)):
                if any(owners[target] != min(one for one in touches if touches[one] == target) for target in set(touched)):
                    continue
                share = [Role(touches.get(one), tuple(target for target in targets if owners[target] == one)) for one in range(self.count)]
                if all(self._can(one, part) for one, part in enumerate(share)):
                    yield tuple(share)

    def _can(self, mover: int, share: Role) -> bool:
        """Tell whether a model does its share at some place, looked at alone; who has none may end anywhere."""
        if share.touched is None and not share.targets:
            return True
        placed = self.solver.start.placed[mover]
        candidates = self.solver.start.candidates.of(np.array([mover])) if placed else self.solver.options[mover].candidates
        does = np.asarray(candidates.engaged[:, list(share.targets)].all(axis=1))
        if share.touched is not None:
            does &= candidates.touching & candidates.engaged[:, share.touched]
        return bool(does.any() and (placed or math.isfinite(self.solver.shortest(mover, does))))

    def reach_balls(self, mover: int, share: Role) -> list[tuple[FloatArray, FloatArray]]:
        """Give sets of balls, centres (k, 2) and radii (k,) in inches: a model that does its share ends in one ball of each set."""
        problem, legality = self.solver.problem, self.solver.legality
        radius, foes = float(legality.radii[legality.kind_numbers[mover]]), problem.target_models.models
        sets = [(problem.models.centres[[mover]], np.minimum(self.solver.confinement_radii[[mover]], self.solver.limit))]
        if self.solver.start.placed[mover]:
            sets = [(self.solver.start.candidates.at[[mover]], np.zeros(1))]
        for target in share.targets:
            own = problem.target_index == target
            sets.append((foes.centres[own], foes.radii[own] + radius + problem.engagement.horizontal))
        if share.touched is not None:
            own = problem.target_index == share.touched
            sets.append((foes.centres[own], foes.radii[own] + radius))
        return sets

    def least_separations(self, share: Sequence[Role]) -> FloatArray:
        """Give the least length (n, n) in inches that links between each two models must bridge."""
        sets = [self.reach_balls(mover, part) for mover, part in enumerate(share)]
        needs = np.zeros((self.count, self.count))
        for one, other in combinations(range(self.count), 2):
            needs[one, other] = max(_gap_between_balls(first, second) for first in sets[one] for second in sets[other])
        for one in range(self.count):
            needs[one, one] = max((_gap_between_balls(first, second) for first, second in combinations(sets[one], 2)), default=0.0)
        return needs

    def allows(self, contacts: int) -> bool:
        """Tell whether so many contacts may be possible; if not, no plan has as many."""
        limit = self.solver.limit
        for share in self.roles(contacts):
            needs = self.least_separations(share)
            for tree, hops in self.all:
                if (needs <= hops * self.link + CONTACT).all() and self._tightest(tree, share, limit) <= limit + MARGINAL:
                    return True
        return False

    def most_contacts(self, most: int) -> int:
        """Give the greatest number of contacts, up to `most`, that may be possible."""
        return next((contacts for contacts in range(most, 0, -1) if self.allows(contacts)), 0)

    def least_distance(self, longest: float) -> float:
        """Give a distance below which no plan is possible, or `longest` if that is not less."""
        least = longest
        for share in self.roles(0):
            needs = self.least_separations(share)
            for tree, hops in self.all:
                if (needs <= hops * self.link + CONTACT).all():
                    least = min(least, self._tightest(tree, share, longest))
        return least

    def least_total(self, contacts: int, known: float) -> float:
        """Give inches that moves add up to at least with so many contacts; that it is `known` in some plan is asked no further."""
        least = known
        for share in self.roles(contacts):
            needs = self.least_separations(share)
            if sum(self._alone(mover, part) for mover, part in enumerate(share)) >= known:
                continue
            for tree, hops in self.all:
                if (needs <= hops * self.link + CONTACT).all():
                    least = min(least, self._tightest(tree, share, known, together=True))
                    if least < known - MARGINAL:
                        return least
        return least

    def _alone(self, mover: int, share: Role) -> float:
        """Give the least length in inches of a model's move to where it does its share, nothing in the way."""
        start, *sets = self.reach_balls(mover, share)
        return max((_gap_between_balls((start[0], np.zeros(1)), one) for one in sets), default=0.0)

    def _tightest(self, tree: Tree, share: Sequence[Role], longest: float, *, together: bool = False) -> float:
        """Give the least longest move with which a tree does its share, up to `longest`; 0 if that takes too much to find out.

        Or, all moves `together`, what they add up to.
        """
        longest = min(longest, FAR_OFF)
        engagement = self.solver.problem.engagement.horizontal
        wanted = [(mover, target, engagement) for mover, part in enumerate(share) for target in part.targets if target != part.touched]
        wanted += [(mover, part.touched, 0.0) for mover, part in enumerate(share) if part.touched is not None]
        near = [[(mover, foe, gap) for foe in self._within(mover, target, gap + longest)] for mover, target, gap in wanted]
        if math.prod(len(foes) for foes in near) > MOST_CHOICES:
            return 0.0
        return min((self._tight(tree, chosen, longest, together=together) for chosen in product(*near)), default=math.inf)

    def _within(self, mover: int, target: int, gap: float) -> list[int]:
        """Give the foes of a target within a gap of where a model begins."""
        problem, legality = self.solver.problem, self.solver.legality
        aside = problem.target_models.models.centres - problem.models.centres[mover]
        gaps = np.hypot(aside[:, 0], aside[:, 1]) - problem.target_models.models.radii - legality.radii[legality.kind_numbers[mover]]
        return [int(foe) for foe in np.flatnonzero((gaps <= gap + CONTACT) & (problem.target_index == target))]

    def _tight(self, tree: Tree, near: Sequence[tuple[int, int, float]], longest: float, *, together: bool) -> float:
        """Bound the longest move, or all together, with which a tree of links comes near its foes, nothing in the way, up to `longest`."""
        problem, legality = self.solver.problem, self.solver.legality
        foes, starts, radii = problem.target_models.models, problem.models.centres, legality.radii[legality.kind_numbers]
        rows = [(one, other, self.link) for one, other in tree]
        rows += [(mover, len(starts) + foe, float(radii[mover] + foes.radii[foe] + gap)) for mover, foe, gap in near]
        fixed = np.concatenate([foes.centres, starts])
        rooms = self.solver.confinement_radii
        rows += [(mover, len(fixed) + mover, float(rooms[mover])) for mover in np.flatnonzero(np.isfinite(rooms)).tolist()]
        first, second, high = (np.array(column) for column in zip(*rows, strict=True))
        links = DistanceConstraints(first, second, np.zeros(len(rows)), high)
        points = least_displacement(starts, starts, fixed, links, furthest=not together)
        return (total_move_bound if together else longest_move_bound)(starts, points, fixed, links, reach=longest)


def spanning_trees(count: int) -> Iterator[Tree]:
    """Give all trees on so many models."""
    links = combinations(combinations(range(count), 2), count - 1)
    return (tree for tree in links if np.isfinite(_hops(tree, count)).all())


def _hops(tree: Tree, count: int) -> FloatArray:
    """Count the links (n, n) between each two models of a tree, infinite where none lead."""
    # csgraph.shortest_path takes 40 times as long for up to six models: 1.9 ms.
    hops = np.full((count, count), np.inf)
    np.fill_diagonal(hops, 0.0)
    for one, other in tree:
        hops[one, other] = hops[other, one] = 1.0
    for middle in range(count):
        hops = np.minimum(hops, hops[:, middle, None] + hops[None, middle, :])
    return hops


def _gap_between_balls(first: tuple[FloatArray, FloatArray], second: tuple[FloatArray, FloatArray]) -> float:
    """Give the least distance in inches between a ball of one set and a ball of another."""
    aside = first[0][:, None, :] - second[0][None, :, :]
    return max(0.0, float((np.hypot(aside[..., 0], aside[..., 1]) - first[1][:, None] - second[1][None, :]).min(initial=np.inf)))

"""Plans around models that engage different targets, their places chosen together so that links can join them."""

import math
from collections.abc import Iterator
from itertools import permutations

import numpy as np

from tabletop.geometry.arrangement import BoolArray, IntArray
from tabletop.geometry.pose import FloatArray
from tabletop.placement.assignment import Assignment
from tabletop.placement.bounds import engagers
from tabletop.placement.branch_and_bound import MOST_MODELS, lattice
from tabletop.placement.candidates import joined_candidates
from tabletop.placement.construction import completed, manners
from tabletop.placement.locus_cells import cut
from tabletop.placement.reachable import Options, ReachablePlaces

PAIR_SHARINGS = 4
"""Ways to share the targets among models of which places are chosen together."""

PAIRS_TRIED = 6
"""Pairs of places tried of one way: so many with the shortest moves, and so many with most contacts."""

CURVE_STEP = 0.3
"""Inches between places looked at along the curves on which a target is just engaged, or touched, and between those all over."""


def paired(reachable: ReachablePlaces) -> Iterator[Assignment | None]:
    """Make plans around two models that engage what they share of the targets, near enough to each other to be linked."""
    if not reachable.problem.task.asks("coherent") or len(reachable.options) == 1:
        return
    for one, other in _pairs(reachable)[:PAIR_SHARINGS]:
        for assignment in _joined(reachable, one, other):
            yield completed(reachable, assignment, manners(1)[0])


Part = tuple[int, list[int]]
"""A model and the targets that it is to engage."""


def _pairs(reachable: ReachablePlaces) -> list[tuple[Part, Part]]:
    """Give the first two models, with their targets, of ways to share the targets; of few models other two instead of them as well."""
    shared = [(sharing[0], sharing[1]) for _, sharing in engagers(reachable) if len(sharing) > 1]
    others = [pair for one, other in shared for pair in _others(reachable, one, other)] if len(reachable.options) <= MOST_MODELS else []
    return [*shared, *others]


def _others(reachable: ReachablePlaces, one: Part, other: Part) -> Iterator[tuple[Part, Part]]:
    """Give other two models for what two do, those with the shortest moves first."""
    lengths = [[_nearest(reachable, mover, targets) for _, targets in (one, other)] for mover in range(len(reachable.options))]
    pairs = [pair for pair in permutations(range(len(reachable.options)), 2) if pair != (one[0], other[0])]
    for longest, mover, mate in sorted((max(lengths[mover][0], lengths[mate][1]), mover, mate) for mover, mate in pairs):
        if math.isfinite(longest):
            yield (mover, one[1]), (mate, other[1])


def _nearest(reachable: ReachablePlaces, mover: int, targets: list[int]) -> float:
    """Give the least length in inches of a model's moves to its special places at which it engages targets."""
    return reachable.shortest(mover, np.asarray(reachable.options[mover].candidates.engaged[:, targets].all(axis=1)))


def _joined(reachable: ReachablePlaces, one: Part, other: Part) -> Iterator[Assignment]:
    """Place two models so that they engage their targets and chains of the rest can join them, shortest moves first."""
    if reachable.start.placed[[one[0], other[0]]].any():
        return
    (mover, its), (mate, others) = (one[0], _places(reachable, *one)), (other[0], _places(reachable, *other))
    problem, link = reachable.problem, reachable.problem.situation.coherency.horizontal
    gaps = problem.separations.pair_gaps(its.candidates.kind, its.candidates.at, others.candidates.kind, others.candidates.at)
    most = link + (len(reachable.options) - 2) * (link + 2.0 * float(problem.movers.radii.min()))
    is_joined = (gaps >= 0.0) & (gaps <= most)
    lengths = _measured(reachable, mover, its, np.asarray(is_joined.any(axis=1)))
    its_lengths = _measured(reachable, mate, others, np.asarray(is_joined.any(axis=0)))
    costs = np.where(is_joined, lengths[:, None] + its_lengths[None, :], np.inf)
    contacts = its.candidates.touching[:, None].astype(int) + others.candidates.touching[None, :]
    for pair in _first(costs, contacts):
        row, column = divmod(pair, costs.shape[1])
        if np.isfinite(costs[row, column]):
            yield reachable.start.put(mover, its.candidates, row, float(lengths[row])).put(
                mate, others.candidates, column, float(its_lengths[column])
            )


def _first(costs: FloatArray, contacts: IntArray) -> list[int]:
    """Choose pairs (n, m), by their place in all rows: those with the shortest moves, and of those with most contacts as many."""
    shortest = np.argsort(costs, axis=None, kind="stable")[:PAIRS_TRIED]
    fullest = np.lexsort((costs.ravel(), -np.where(np.isfinite(costs), contacts, -1).ravel()))[:PAIRS_TRIED]
    return list(dict.fromkeys([*shortest.tolist(), *fullest.tolist()]))


def _measured(reachable: ReachablePlaces, mover: int, found: Options, asked: BoolArray) -> FloatArray:
    """Measure the ways (k,) to the places that are asked about, infinite for others and those out of reach."""
    lengths = np.full(len(found.lengths), np.inf)
    lengths[asked] = reachable.costs(mover, found.candidates.of(asked))
    return lengths


def _places(reachable: ReachablePlaces, mover: int, targets: list[int]) -> Options:
    """Give places at which a model engages targets: its special ones, others along the curves, and of few models some all over."""
    problem, parts = reachable.problem, [reachable.options[mover].candidates]
    inside = lattice(reachable, mover, targets[0], CURVE_STEP) if len(reachable.options) <= MOST_MODELS else np.empty((0, 2))
    for number in problem.kinds_of[mover]:
        for field in reachable.fields[number]:
            curves = [cut(track, CURVE_STEP).middles for track in (field.contact, field.engagement, field.bounds)]
            at: FloatArray = np.concatenate([*curves, inside])
            parts.append(problem.candidates(number, at, np.full(len(at), field.surface.z)))
    candidates = joined_candidates(parts)
    return reachable.unmeasured(mover, candidates.of(np.asarray(candidates.engaged[:, targets].all(axis=1))), problem.task.limit)

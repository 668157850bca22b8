"""Plans of a few models whose places are chosen together: of a sample of places of each model, the combinations that serve the goals best.

Places stand for all that are about as near as the sample is fine: where two are so much too near to each other, or too far apart, the
models are shifted until all is kept. Where that fails, or models cannot be shifted, combinations count that keep all as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.placement.bounds import MOST_IN_TREES, spanning_trees
from tabletop.placement.branch_and_bound import lattice
from tabletop.placement.candidates import Solver
from tabletop.placement.construct import CURVE_STEP
from tabletop.placement.improve import active_constraints, is_apart, polished
from tabletop.placement.loci import cut
from tabletop.placement.partial_plan import PartialPlan
from tabletop.placement.problem import Candidates, joined_candidates
from tabletop.units import CONTACT

MOST_PLACES = {2: 700, 3: 110, 4: 40}
"""Places of each model, by how many models there are."""

FINEST, COARSER, COARSEST = 0.15, 1.3, 3.0
"""Inches between places of the finest sample, how much coarser the next is if there are too many, and where that ends."""

ALL_OVER = 17
"""Places along each side of a square all over a model's reach."""

COMBINATIONS_TRIED = 6
"""Combinations with the same counts of which all models are shifted, no two alike."""

MOST_COMPARED = 20_000
"""Combinations, the best, among which those are chosen."""

ALIKE = 0.75
"""Inches by which no model is farther away in a combination that is like another."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Places of one model with the lengths (k,) of its moves there; `step` inches apart."""

    candidates: Candidates
    lengths: FloatArray
    step: float


def together(solver: Solver, above: tuple[int, int]) -> Iterator[PartialPlan]:
    """Make plans of a few models that serve the counted goals better than `above`, the best first."""
    legality, count = solver.legality, len(solver.options)
    if not 1 < count <= MOST_IN_TREES or solver.start.placed.any() or not legality.is_round:
        return
    samples = [_sample(solver, mover, MOST_PLACES[count]) for mover in range(count)]
    if not all(len(sample.lengths) for sample in samples):
        return
    for slack in (1.0, 0.0):
        for chosen in _chosen(solver, samples, above, slack):
            found = [plan for rows in chosen if (plan := _plan(solver, samples, rows)) is not None and plan.values[:2] > above]
            if found:
                yield from found
                above = max(plan.values[:2] for plan in found)
                break


def _sample(solver: Solver, mover: int, most: int) -> Sample:
    """Give places of a model along the curves of contact and range, and all over, with the shortest move of those that lie together."""
    problem, legality, options = solver.problem, solver.legality, solver.options[mover]
    kind = int(legality.kind_numbers[mover])
    parts = [options.candidates]
    for locus in solver.loci[kind]:
        curves = [cut(track, CURVE_STEP / 2.0).middles for track in (locus.contact, locus.engagement)]
        inside = [lattice(solver, mover, target, CURVE_STEP) for target in problem.target_numbers]
        at = np.concatenate([*curves, *inside, _around(solver, mover)])
        at = at[np.hypot(*(at - problem.models.centres[mover]).T) <= solver.limit]
        parts.append(legality.candidates(kind, at, np.full(len(at), locus.surface.z)))
    candidates = joined_candidates(parts)
    lengths = solver.move_costs(mover, candidates)
    stays = solver.stay(mover)
    if stays is not None:
        candidates, lengths = joined_candidates([stays, candidates]), np.append(0.0, lengths)
    able = np.flatnonzero(np.isfinite(lengths))
    candidates, lengths = candidates.of(able), lengths[able]
    step, kept = FINEST, _thinned(candidates, lengths, FINEST)
    while len(kept) > most and step < COARSEST:
        step *= COARSER
        kept = _thinned(candidates, lengths, step)
    kept = kept[np.argsort(lengths[kept], kind="stable")[:most]]
    return Sample(candidates.of(kept), lengths[kept], step)


def _around(solver: Solver, mover: int) -> FloatArray:
    """Give places (k, 2) all over a model's reach."""
    reach = np.linspace(-solver.limit, solver.limit, ALL_OVER)
    at: FloatArray = solver.problem.models.centres[mover] + np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2)
    return at


def _thinned(candidates: Candidates, lengths: FloatArray, step: float) -> IntArray:
    """Keep of the places in one square of so many inches that serve the same goals that with the shortest move."""
    serves = candidates.touching + 2 * (candidates.engaged @ (1 << np.arange(candidates.engaged.shape[1])))
    wide = np.where(candidates.is_engaged, step, 2.0 * step)
    cells = np.column_stack([np.round(candidates.at / wide[:, None]), candidates.z, serves])
    order = np.argsort(lengths, kind="stable")
    return order[np.sort(np.unique(cells[order], axis=0, return_index=True)[1])]


def _chosen(solver: Solver, samples: list[Sample], above: tuple[int, int], slack: float) -> Iterator[list[list[int]]]:
    """Give combinations of places, as rows of the samples, that serve the goals better than `above`: for each count a few."""
    problem, legality, count = solver.problem, solver.legality, len(samples)
    coherency, wants = problem.coherency, problem.wants_engaged
    shape = tuple(len(sample.lengths) for sample in samples)

    def spread(values: np.ndarray, *axes: int) -> np.ndarray:
        return values.reshape([shape[axis] if axis in axes else 1 for axis in range(count)])

    usable, links = np.ones(shape, dtype=bool), dict[tuple[int, int], BoolArray]()
    for one, other in combinations(range(count), 2):
        first, second = samples[one].candidates, samples[other].candidates
        gaps = legality.gaps.pair_gaps(first.kind, first.at, second.kind, second.at)
        rise = np.abs(first.z[:, None] - second.z[None, :])
        spare = slack * max(samples[one].step, samples[other].step) + CONTACT
        usable &= spread((gaps >= -spare) | (rise > CONTACT), one, other)
        up = np.maximum(rise - problem.own_height, 0.0)
        links[one, other] = spread(coherency.margins(gaps - spare, up) >= 0.0, one, other)
    if legality.asks("coherent"):
        usable &= reduce(np.logical_or, (reduce(np.logical_and, (links[link] for link in tree)) for tree in spanning_trees(count)))
    for target in problem.target_numbers:
        usable &= reduce(np.logical_or, (spread(one.candidates.engaged[:, target], row) for row, one in enumerate(samples)))
    serving = [(one.candidates.touching, one.candidates.is_engaged & wants) for one in samples]
    contacts, engaged = (
        reduce(np.add, (spread(serves[goal].astype(np.int8), row) for row, serves in enumerate(serving))) for goal in (0, 1)
    )
    rows = np.argwhere(usable & ((contacts > above[0]) | ((contacts == above[0]) & (engaged > above[1]))))
    lengths, touching, near = (
        np.sum([values[row][rows[:, row]] for row in range(count)], axis=0)
        for values in ([one.lengths for one in samples], *zip(*serving, strict=True))
    )
    for counts in sorted(set(zip(touching.tolist(), near.tolist(), strict=True)), reverse=True):
        same = np.flatnonzero((touching == counts[0]) & (near == counts[1]))
        some = rows[same[np.argsort(lengths[same], kind="stable")[:MOST_COMPARED]]]
        at = np.stack([one.candidates.at[some[:, row]] for row, one in enumerate(samples)], axis=1)
        chosen = list[list[int]]()
        while len(some) and len(chosen) < COMBINATIONS_TRIED:
            chosen.append(some[0].tolist())
            unlike = np.abs(at - at[0]).max(axis=(1, 2)) > ALIKE
            some, at = some[unlike], at[unlike]
        yield chosen


def _plan(solver: Solver, samples: list[Sample], rows: list[int]) -> PartialPlan | None:
    """Put all models down and shift them until all is kept; None if that makes no complete plan."""
    assignment = solver.start
    for mover, (sample, row) in enumerate(zip(samples, rows, strict=True)):
        assignment = assignment.with_model_at(mover, sample.candidates, row, float(sample.lengths[row]))
    ties = active_constraints(solver, assignment)
    found = polished(solver, assignment, ties) or polished(solver, assignment, ties, furthest=True)
    return found or (assignment if assignment.is_complete() and is_apart(assignment) else None)

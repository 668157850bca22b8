"""Plans pulled tight: all models are shifted together as little as possible while what holds the plan together is kept.

`ActiveConstraints` are contacts, engagements and links of coherency; gaps to all that is near are kept as well. It is for discs;
where a few of them end in terrain, or by paths round it that are too long, they are shifted once more with `Cuts` that keep them out of it,
and count the paths as long as they are. Whatever comes out is measured again before it counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tabletop.geometry.arrangement import crossings, perpendicular_feet
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.placement.candidates import Solver
from tabletop.placement.least_displacement import NO_CUTS, Cuts, DistanceConstraints, least_displacement
from tabletop.placement.partial_plan import PartialPlan
from tabletop.units import CONTACT, FAR_OFF

MOST_SHIFTED = 12
"""Models that are shifted together: more take too long."""

STEPS = 40
"""Steps of the minimiser: of the sum of all moves more gain nothing, since a model that stays has no direction."""

WORK_OF_POLISH = 1000
"""Units of work of shifting all models together, for each of them: that the longest move is least, and the sum three times as long."""

MOST_CUT = 4
"""Models of a unit that is shifted once more where terrain was in its way, or a path too long."""

SHIFTED_WITHIN = 4.0
"""Inches along both axes within which they are then shifted."""

SLOPE_STEP = 1e-4
"""Inches to either side over which the slope of a length is taken."""

BENT = 1e-4
"""Inches by which a path is longer than straight that leads round something."""

LONGER = 3.0
"""Inches beyond the limit up to which lengths are then measured."""

WATCHED_WITHIN = 0.75
"""Inches between models within which their gap is watched."""

Row = tuple[int, int, float, float]
"""Two points by number, and the least and greatest distance between them in inches."""


@dataclass(frozen=True, eq=False)
class ActiveConstraints:
    """What a plan must keep: which models touch which foes (n, m), which stay engaged with which (n, m), which are linked (n, n)."""

    touched: BoolArray
    engaged: BoolArray
    linked: BoolArray


def active_constraints(solver: Solver, assignment: PartialPlan, *, held: Sequence[int] = ()) -> ActiveConstraints:
    """Give what holds a complete plan together: its contacts, an engagement with every target, its shortest links.

    Besides the models that are placed, rows `held` are about where they are to stay.
    """
    problem = solver.problem
    between = _foe_gaps(solver, assignment)
    level = np.abs(assignment.candidates.z[:, None] - problem.target_models.models.heights[None, :]) <= CONTACT
    touched = (np.abs(between) <= CONTACT) & level
    engaged = np.zeros_like(touched)
    spare = np.flatnonzero(assignment.candidates.is_engaged & ~assignment.candidates.touching & problem.wants_engaged)
    engaged[spare, np.argmin(between[spare], axis=1)] = True
    for target in problem.target_numbers:
        own = problem.target_index == target
        if not (touched | engaged)[:, own].any():
            inside = np.where(own, between, np.inf)
            engaged[np.unravel_index(int(np.argmin(inside)), inside.shape)] = True
    return ActiveConstraints(touched, engaged, coherency_tree(solver, assignment, held))


def _foe_gaps(solver: Solver, assignment: PartialPlan) -> FloatArray:
    problem, legality = solver.problem, solver.legality
    rows = [
        legality.gaps.gaps_to(legality.kinds[kind], at[None], problem.target_models.models)
        for kind, at in zip(assignment.candidates.kind, assignment.candidates.at, strict=True)
    ]
    return np.concatenate(rows)


def coherency_tree(solver: Solver, assignment: PartialPlan, held: Sequence[int]) -> BoolArray:
    """Choose links (n, n): the tree of shortest gaps, then for each model its nearest others until it has enough.

    Models that are placed, or `held` about where they are, and stand too far apart are linked by way of others.
    """
    count = len(assignment.placed)
    chosen = np.zeros((count, count), dtype=bool)
    if not solver.asks("coherent"):
        return chosen
    between = solver.legality.gaps.pair_gaps(
        assignment.candidates.kind, assignment.candidates.at, assignment.candidates.kind, assignment.candidates.at
    )
    np.fill_diagonal(between, np.inf)
    still = np.union1d(np.flatnonzero(solver.start.placed), held).astype(np.intp)
    parted = np.zeros_like(chosen)
    parted[np.ix_(still, still)] = between[np.ix_(still, still)] > solver.problem.coherency.horizontal + CONTACT
    between = np.where(parted, FAR_OFF + between, between)
    inside = np.zeros(count, dtype=bool)
    inside[0] = True
    for _ in range(count - 1):
        open_gaps = np.where(inside[:, None] & ~inside[None, :], between, np.inf)
        one, other = np.unravel_index(int(np.argmin(open_gaps)), open_gaps.shape)
        chosen[one, other] = chosen[other, one] = inside[other] = True
    for mover in range(count):
        for other in np.argsort(between[mover], kind="stable")[: solver.problem.coherency.neighbours]:
            chosen[mover, other] = chosen[other, mover] = True
    return chosen


def polished(
    solver: Solver, assignment: PartialPlan, ties: ActiveConstraints, *, furthest: bool = False, stays: bool = False, again: int = 1
) -> PartialPlan | None:
    """Shift all models that move so that the moves add up to least, or the longest is least; None if that makes no complete plan.

    Or so that each `stays` as near to where it is as can be. Few models are shifted `again` so many times beside terrain in their way,
    and with their paths as long as they are: once that makes a plan, or, if it is asked more than once, so that the longest is least.
    """
    problem, legality = solver.problem, solver.legality
    if not legality.is_round or not problem.target_models.models.is_round:
        return None
    moving = np.flatnonzero(~solver.start.placed & ((assignment.lengths > 0.0) | furthest))
    if not 0 < len(moving) <= MOST_SHIFTED:
        return None
    still = np.setdiff1d(np.arange(len(assignment.placed)), moving)
    starts = problem.models.centres[moving]
    fixed = np.concatenate(
        [assignment.candidates.at[still], problem.target_models.models.centres, legality.keep_out.models.centres, starts]
    )
    links = _distances(solver, assignment, ties, moving, still, capped=not furthest)
    here = assignment.candidates.at[moving]
    solver.spend(WORK_OF_POLISH * len(moving) * (1 if furthest else 3))
    points = least_displacement(here if stays else starts, here, fixed, links, furthest=furthest, steps=STEPS)
    best, cuts = _snapped(solver, assignment, moving, points), NO_CUTS
    for _ in range(again if len(assignment.placed) <= MOST_CUT and not stays else 0):
        more = _cuts(solver, assignment, moving, points, furthest=furthest) if best is None or again > 1 else NO_CUTS
        if not len(more.points):
            break
        cuts = cuts.joined(more)
        solver.spend(WORK_OF_POLISH * len(moving) * (1 if furthest else 3))
        points = least_displacement(starts, here, fixed, links, furthest=furthest, cuts=cuts, within=SHIFTED_WITHIN, steps=STEPS)
        found = _snapped(solver, assignment, moving, points)
        if found is not None and (best is None or found.lengths.max() < best.lengths.max()):
            best = found
    return best


def _cuts(solver: Solver, assignment: PartialPlan, moving: IntArray, points: FloatArray, *, furthest: bool) -> Cuts:
    """Cut off points (n, 2) at which models may not stand, or to which their paths are too long, by half planes."""
    rows: list[tuple[int, FloatArray, float, bool]] = []
    for one, (mover, point) in enumerate(zip(moving.tolist(), points, strict=True)):
        kind, z = int(assignment.candidates.kind[mover]), float(assignment.candidates.z[mover])
        if not solver.legality.are_legal(solver.legality.kinds[kind], point[None], np.array([z]))[0]:
            border = _nearest_legal(solver, kind, point, z)
            if border is not None:
                ahead = (border - point) / max(float(np.hypot(*(border - point))), 1e-9)
                rows.append((one, ahead, -float(ahead @ border), False))
            continue
        around = point + np.array([[0.0, 0.0], [SLOPE_STEP, 0.0], [-SLOPE_STEP, 0.0], [0.0, SLOPE_STEP], [0.0, -SLOPE_STEP]])
        lengths = solver.shrunk_lengths(mover, around, np.full(5, z), by=0.0, limit=solver.limit + LONGER)
        straight = float(np.hypot(*(point - solver.problem.models.centres[mover])))
        if np.isfinite(lengths).all() and lengths[0] > (straight + BENT if furthest else solver.limit):
            slope = np.array([lengths[1] - lengths[2], lengths[3] - lengths[4]]) / (2.0 * SLOPE_STEP)
            rows.append((one, -slope, float(slope @ point - lengths[0]) + (0.0 if furthest else solver.limit), furthest))
    if not rows:
        return NO_CUTS
    number, normals, offsets, timed = zip(*rows, strict=True)
    return Cuts(np.array(number), np.array(normals), np.array(offsets), np.array(timed))


def _nearest_legal(solver: Solver, kind: int, point: FloatArray, z: float) -> FloatArray | None:
    """Give the place nearest to a point at which a kind may stand, on the borders of where it may; None if there is none near."""
    for locus in solver.loci[kind]:
        if abs(locus.surface.z - z) <= CONTACT:
            bounds = locus.bounds.near(point, SHIFTED_WITHIN)
            found = np.concatenate([perpendicular_feet(bounds, point[None])[0], crossings(bounds, bounds)[0]])
            legal = found[solver.legality.are_legal(solver.legality.kinds[kind], found, np.full(len(found), z))]
            if len(legal):
                nearest: FloatArray = legal[np.argmin(np.hypot(*(legal - point).T))]
                return nearest
    return None


def _distances(
    solver: Solver, assignment: PartialPlan, ties: ActiveConstraints, moving: IntArray, still: IntArray, *, capped: bool
) -> DistanceConstraints:
    """List the distances to keep; points are numbered: models that move, that do not, targets, models to keep out of range of, starts."""
    problem, legality, order = solver.problem, solver.legality, np.concatenate([moving, still])
    others = len(order) + len(problem.target_models.models.models)
    rows = [(0, len(order), 0.0, np.inf)]
    for one in range(len(moving)):
        rows += [
            *_to_models(assignment, ties, order, one),
            *_to_foes(assignment, ties, order, one),
            *_to_shunned(assignment, order, one, others),
        ]
        if capped and assignment.lengths[order[one]] > solver.limit - WATCHED_WITHIN:
            rows.append((one, others + len(legality.keep_out.models.models) + one, 0.0, solver.limit))
    first, second, lows, highs = (np.array(column) for column in zip(*rows, strict=True))
    return DistanceConstraints(first.astype(np.intp), second.astype(np.intp), lows.astype(float), highs.astype(float))


def _to_models(assignment: PartialPlan, ties: ActiveConstraints, order: IntArray, one: int) -> Iterator[Row]:
    """Give the distances of a model to the models after it in the order: apart, and where they are linked not too far."""
    problem, legality, at = assignment.legality.problem, assignment.legality, assignment.candidates.at[order]
    radii = legality.radii[assignment.candidates.kind[order]]
    for other in range(one + 1, len(order)):
        flush, is_linked = radii[one] + radii[other], ties.linked[order[one], order[other]]
        if is_linked or np.hypot(*(at[one] - at[other])) < flush + WATCHED_WITHIN:
            yield one, other, flush, flush + problem.coherency.horizontal if is_linked else np.inf


def _to_foes(assignment: PartialPlan, ties: ActiveConstraints, order: IntArray, one: int) -> Iterator[Row]:
    """Give the distances of a model to foes: flush with those that it touches, in range of those that it engages."""
    problem, legality, mover = assignment.legality.problem, assignment.legality, order[one]
    foes = problem.target_models.models
    for number, (centre, radius) in enumerate(zip(foes.centres, foes.radii, strict=True)):
        flush, high = legality.radii[assignment.candidates.kind[mover]] + radius, np.inf
        if ties.touched[mover, number]:
            high = flush
        elif ties.engaged[mover, number]:
            high = flush + problem.engagement.horizontal
        if np.isfinite(high) or np.hypot(*(assignment.candidates.at[mover] - centre)) < flush + WATCHED_WITHIN:
            yield one, len(order) + number, flush, high


def _to_shunned(assignment: PartialPlan, order: IntArray, one: int, others: int) -> Iterator[Row]:
    """Give the distances of a model to models out of whose range it stays, numbered from `others` on."""
    problem, legality, mover, keep_out = assignment.legality.problem, assignment.legality, order[one], assignment.legality.keep_out.models
    needed = problem.engagement.horizontal + problem.clearance
    for number, (centre, radius) in enumerate(zip(keep_out.centres, keep_out.radii, strict=True)):
        low = legality.radii[assignment.candidates.kind[mover]] + radius + needed
        if np.hypot(*(assignment.candidates.at[mover] - centre)) < low + WATCHED_WITHIN:
            yield one, others + number, low, np.inf


def _snapped(solver: Solver, assignment: PartialPlan, moving: IntArray, points: FloatArray) -> PartialPlan | None:
    """Put the models where they were shifted to; None if one may not end there or the plan is not complete."""
    for mover, point in zip(moving.tolist(), points, strict=True):
        candidates = solver.legality.candidates(int(assignment.candidates.kind[mover]), point[None], assignment.candidates.z[[mover]])
        if not len(candidates):
            return None
        length = float(solver.move_costs(mover, candidates)[0])
        if not np.isfinite(length):
            return None
        assignment = assignment.with_model_at(mover, candidates, 0, length)
    return assignment if assignment.is_complete() and is_apart(assignment) else None


def is_apart(assignment: PartialPlan) -> bool:
    """Tell whether no two models overlap."""
    gaps = assignment.gaps_from(assignment.candidates)
    level = np.abs(assignment.candidates.z[:, None] - assignment.candidates.z[None, :]) <= CONTACT
    np.fill_diagonal(gaps, np.inf)
    return not bool(((gaps < -CONTACT) & level).any())

"""Plans pulled tight: all models are shifted together as little as possible while what holds the plan together is kept.

`least_displacement` moves points under constraints on their distances; the minimiser is local and may end anywhere, so
its results are measured again before they count. `longest_move_bound` and `total_move_bound` are lower bounds on such
moves. `polished` shifts a plan: `ActiveConstraints` are its contacts, engagements and links of coherency; gaps to all
that is near are kept as well. Discs only.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from tabletop.geometry.arrangement import crossings, perpendicular_feet
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.optimise.slsqp import local_minimum
from tabletop.placement.candidates import Solver
from tabletop.placement.objective import GAIN
from tabletop.placement.partial_plan import PartialPlan, shortest_tree
from tabletop.units import CONTACT, FAR_OFF

SMALL = 1e-9
"""Inches below which a distance has no direction."""

ACTIVE = 1e-3
"""Inches from a limit, or from the longest move, at which one is taken to decide."""

MOST_STEPS = 80
"""Steps of the minimiser."""

POLISH_DECIMALS = 12
"""Decimals of inches to which its points are rounded: the last digits of its sums hang on the processor."""

MOST_SHIFTED = 12
"""Models that are shifted together: more take too long."""

MAX_MINIMISER_STEPS = 40
"""Steps of the minimiser: of the sum of all moves more gain nothing, since a model that stays has no direction."""

WORK_OF_POLISH = 1000
"""Units of work of shifting all models together, for each of them: that the longest move is least, and the sum three
times as long."""

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
class DistanceConstraints:
    """Distances that must stay within limits: between points `first` and `second` (k,), from `low` to `high` (k,)
    inches.

    Points are numbered, the moved ones first; those after them are fixed.
    """

    first: IntArray
    second: IntArray
    low: FloatArray
    high: FloatArray

    def slacks(self, points: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the slacks (k,) in inches of the lower and of the upper limits at points (n, 2); negative where a
        limit is broken.
        """
        aside = points[self.first] - points[self.second]
        apart = np.hypot(aside[:, 0], aside[:, 1])
        return apart - self.low, self.high - apart


@dataclass(frozen=True, eq=False)
class Cuts:
    """Half-planes in which points must stay: `normals` (k, 2) . places of `points` (k,) + `offsets` (k,) must not be
    negative.

    Where `timed` (k,), the longest move is added to that sum, if it is to be minimised.
    """

    points: IntArray
    normals: FloatArray
    offsets: FloatArray
    timed: BoolArray

    def slacks(self, points: FloatArray, longest: float) -> FloatArray:
        """Return the slacks (k,) in inches at places (n, 2), given the longest move in inches."""
        return np.asarray(
            (self.normals * points[self.points]).sum(axis=1) + self.offsets + longest * self.timed
        )

    def slopes(self, count: int) -> FloatArray:
        """Return the derivatives (k, 2n) of the slacks by the coordinates of the places."""
        rows = np.zeros((len(self.points), 2 * count))
        for axis in (0, 1):
            rows[np.arange(len(rows)), 2 * self.points + axis] = self.normals[:, axis]
        return rows

    def of(self, rows: BoolArray) -> "Cuts":
        """Return the half-planes selected by a mask (k,)."""
        return Cuts(self.points[rows], self.normals[rows], self.offsets[rows], self.timed[rows])

    def joined(self, other: "Cuts") -> "Cuts":
        """Return these half-planes followed by others."""
        own, others = ((one.points, one.normals, one.offsets, one.timed) for one in (self, other))
        return Cuts(*(np.concatenate(pair) for pair in zip(own, others, strict=True)))


NO_CUTS = Cuts(np.empty(0, dtype=np.intp), np.empty((0, 2)), np.empty(0), np.empty(0, dtype=bool))


def least_displacement(
    starts: FloatArray,
    guess: FloatArray,
    fixed: FloatArray,
    links: DistanceConstraints,
    *,
    furthest: bool = False,
    cuts: Cuts = NO_CUTS,
    within: float | None = None,
    steps: int = MOST_STEPS,
) -> FloatArray:
    """Return ends (n, 2) of points moved from `starts` (n, 2) with the least total move, or the least longest one,
    within limits.

    `furthest` selects the longest move. `guess` is where the search begins, `fixed` (m, 2) are points that do not move.
    Limits that are infinite or not above 0 are not imposed; where both are equal the distance must have that value.
    Points stay inside the half-planes `cuts`, and `within` so many inches of the guess along both axes. The result of
    the local minimiser (SLSQP) may violate limits.
    """
    count = len(starts)
    exact = np.flatnonzero(links.low == links.high)
    lows = np.flatnonzero((links.low > 0.0) & (links.low < links.high))
    highs = np.flatnonzero(np.isfinite(links.high) & (links.low < links.high))
    extra = np.array([_moves(guess, starts).max(initial=0.0)]) if furthest else np.empty(0)

    def limits(values: FloatArray) -> FloatArray:
        """Return the slacks (c,) in inches of all inequality constraints, given the variables."""
        points = np.concatenate([values[: 2 * count].reshape(-1, 2), fixed])
        above, below = links.slacks(points)
        own = values[-1] - _moves(points[:count], starts) if furthest else np.empty(0)
        return np.concatenate([above[lows], below[highs], own, cuts.slacks(points, values[-1])])

    def slopes(values: FloatArray) -> FloatArray:
        """Return the derivatives of `limits` by the variables: (c, variables)."""
        points = np.concatenate([values[: 2 * count].reshape(-1, 2), fixed])
        rows = [_slopes(points, links, lows, count), -_slopes(points, links, highs, count)]
        if furthest:
            own = np.zeros((count, 2 * count))
            own[np.repeat(np.arange(count), 2), np.arange(2 * count)] = -_ahead(
                points[:count], starts
            ).ravel()
            rows = [np.hstack([row, np.zeros((len(row), 1))]) for row in rows] + [
                np.hstack([own, np.ones((count, 1))])
            ]
        sides = cuts.slopes(count)
        return np.concatenate([*rows, np.column_stack([sides, cuts.timed]) if furthest else sides])

    def misses(values: FloatArray) -> FloatArray:
        """Return by how many inches (e,) distances that must have an exact value exceed it."""
        return links.slacks(np.concatenate([values[: 2 * count].reshape(-1, 2), fixed]))[0][exact]

    def miss_slopes(values: FloatArray) -> FloatArray:
        """Return the derivatives of `misses` by the variables: (e, variables)."""
        rows = _slopes(
            np.concatenate([values[: 2 * count].reshape(-1, 2), fixed]), links, exact, count
        )
        return np.hstack([rows, np.zeros((len(rows), 1))]) if furthest else rows

    def cost(values: FloatArray) -> tuple[float, FloatArray]:
        """Return the objective, the total or the longest move in inches, and its gradient (variables,)."""
        if furthest:
            return float(values[-1]), np.append(np.zeros(2 * count), 1.0)
        points = values.reshape(-1, 2)
        return float(_moves(points, starts).sum()), _ahead(points, starts).ravel()

    constraints = [{"type": "ineq", "fun": limits, "jac": slopes}]
    constraints += [{"type": "eq", "fun": misses, "jac": miss_slopes}] if len(exact) else []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = local_minimum(
            cost,
            np.concatenate([guess.ravel(), extra]),
            jac=True,
            bounds=None
            if within is None
            else [(one - within, one + within) for one in guess.ravel()]
            + [(0.0, None)] * len(extra),
            constraints=constraints,
            options={"maxiter": steps, "ftol": 1e-12},
        )
    return np.asarray(found[: 2 * count].reshape(-1, 2)).round(POLISH_DECIMALS)


def _moves(points: FloatArray, starts: FloatArray) -> FloatArray:
    aside = points - starts
    return np.asarray(np.hypot(aside[:, 0], aside[:, 1]))


def directions(points: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the unit vectors (..., 2) to points from others, 0 where they coincide, and the distances (...) in
    inches.
    """
    aside = points - others
    apart = np.hypot(aside[..., 0], aside[..., 1])
    return aside / np.maximum(apart, SMALL)[..., None], apart


def _ahead(points: FloatArray, starts: FloatArray) -> FloatArray:
    return directions(points, starts)[0]


def _slopes(
    points: FloatArray, links: DistanceConstraints, which: IntArray, count: int
) -> FloatArray:
    """Return the derivatives (k, 2n) of distances `which` (k,) by the coordinates of the `count` points that move."""
    first = links.first[which]
    second = links.second[which]
    ahead = _ahead(points[first], points[second])
    rows = np.zeros((len(which), 2 * len(points)))
    place = np.arange(len(which))
    for axis in (0, 1):
        rows[place, 2 * first + axis] += ahead[:, axis]
        rows[place, 2 * second + axis] -= ahead[:, axis]
    return rows[:, : 2 * count]


def longest_move_bound(
    starts: FloatArray,
    points: FloatArray,
    fixed: FloatArray,
    links: DistanceConstraints,
    *,
    reach: float,
) -> float:
    """Return a lower bound, in inches, on the longest of moves from `starts` (n, 2) to ends that keep the upper limits.

    `points` (n, 2) are ends thought to be best. The multipliers fitted to them give a sum of convex functions, and the
    tangent of that sum is a lower bound on it, whether the ends are best or not: the worse they are, the lower the
    bound (weak duality). It is at most `reach`.
    """
    everything = np.concatenate([points, fixed])
    moves = _moves(points, starts)
    slack = links.slacks(everything)[1]
    tight = np.flatnonzero(slack < ACTIVE)
    far = np.flatnonzero((moves > moves.max() - ACTIVE) & (moves > SMALL))
    if not len(far):
        return 0.0
    ahead = np.zeros((len(far), len(points), 2))
    ahead[np.arange(len(far)), far] = _ahead(points, starts)[far]
    slopes = np.concatenate(
        [ahead.reshape(len(far), -1), _slopes(everything, links, tight, len(points))]
    )
    sums = np.append(np.ones(len(far)), np.zeros(len(tight)))
    weights, _ = nnls(np.vstack([slopes.T, sums]), np.append(np.zeros(2 * len(points)), 1.0))
    total = float(weights[: len(far)].sum())
    if total <= SMALL:
        return 0.0
    weights /= total
    left = np.hypot(*(weights @ slopes).reshape(-1, 2).T)
    value = float(weights @ np.append(moves[far], -slack[tight]) - left @ (reach + moves))
    return min(max(value, 0.0), reach)


def total_move_bound(
    starts: FloatArray,
    points: FloatArray,
    fixed: FloatArray,
    links: DistanceConstraints,
    *,
    reach: float,
) -> float:
    """Return a lower bound, in inches, on the sum of moves from `starts` (n, 2) to ends that keep the upper limits.

    As in `longest_move_bound`, `points` (n, 2) are ends thought to be best. A model that stays has no direction of
    move: any is allowed.
    """
    everything = np.concatenate([points, fixed])
    moves = _moves(points, starts)
    slack = links.slacks(everything)[1]
    tight = np.flatnonzero(slack < ACTIVE)
    goes = moves > SMALL
    slopes = _slopes(everything, links, tight, len(points))
    ahead = _ahead(points, starts)
    own = np.repeat(goes, 2)
    weights = (
        nnls(slopes[:, own].T, -ahead.ravel()[own])[0]
        if len(tight) and goes.any()
        else np.zeros(len(tight))
    )
    left = np.hypot(*(weights @ slopes + ahead.ravel()).reshape(-1, 2).T)
    left = np.where(goes, left, np.maximum(left - 1.0, 0.0))
    return max(float(moves.sum() - weights @ slack[tight] - left @ (reach + moves)), 0.0)


@dataclass(frozen=True, eq=False)
class ActiveConstraints:
    """What a plan must keep: which models touch which foes (n, m), which stay engaged with which (n, m), and which are
    linked (n, n).
    """

    touched: BoolArray
    engaged: BoolArray
    linked: BoolArray


def active_constraints(
    solver: Solver, assignment: PartialPlan, *, held: Sequence[int] = ()
) -> ActiveConstraints:
    """Return what holds a complete plan together: its contacts, an engagement with every target, its shortest links of
    coherency.

    Besides the models that are placed at the start, rows `held` stay about where they are.
    """
    problem = solver.problem
    between = _foe_gaps(solver, assignment)
    level = (
        np.abs(assignment.candidates.z[:, None] - problem.target_models.models.heights[None, :])
        <= CONTACT
    )
    touched = (np.abs(between) <= CONTACT) & level
    engaged = np.zeros_like(touched)
    spare = np.flatnonzero(
        assignment.candidates.is_engaged
        & ~assignment.candidates.touching
        & problem.objective.wants_engaged
    )
    engaged[spare, np.argmin(between[spare], axis=1)] = True
    for target in problem.target_numbers:
        own = problem.target_index == target
        if not (touched | engaged)[:, own].any():
            inside = np.where(own, between, np.inf)
            engaged[np.unravel_index(int(np.argmin(inside)), inside.shape)] = True
    return ActiveConstraints(touched, engaged, coherency_tree(solver, assignment, held))


def _foe_gaps(solver: Solver, assignment: PartialPlan) -> FloatArray:
    problem = solver.problem
    legality = solver.legality
    rows = [
        legality.gaps_to(legality.kinds[kind], at[None], problem.target_models.models)
        for kind, at in zip(assignment.candidates.kind, assignment.candidates.at, strict=True)
    ]
    return np.concatenate(rows)


def coherency_tree(solver: Solver, assignment: PartialPlan, held: Sequence[int]) -> BoolArray:
    """Return links (n, n): the minimum spanning tree of the gaps, then for each model those to its nearest others until
    it has enough.

    Models that are placed at the start, or `held` about where they are, and too far apart are linked by way of others.
    """
    count = len(assignment.placed)
    chosen = np.zeros((count, count), dtype=bool)
    if not solver.asks("coherent"):
        return chosen
    between = solver.legality.pair_gaps(assignment.candidates, assignment.candidates)
    np.fill_diagonal(between, np.inf)
    still = np.union1d(np.flatnonzero(solver.start.placed), held).astype(np.intp)
    parted = np.zeros_like(chosen)
    parted[np.ix_(still, still)] = (
        between[np.ix_(still, still)] > solver.problem.coherency.horizontal + CONTACT
    )
    between = np.where(parted, FAR_OFF + between, between)
    for one, other in shortest_tree(between):
        chosen[one, other] = chosen[other, one] = True
    for mover in range(count):
        for other in np.argsort(between[mover], kind="stable")[
            : solver.problem.coherency.neighbours
        ]:
            chosen[mover, other] = chosen[other, mover] = True
    return chosen


def polished(
    solver: Solver,
    assignment: PartialPlan,
    ties: ActiveConstraints,
    *,
    furthest: bool = False,
    stays: bool = False,
    again: int = 1,
) -> PartialPlan | None:
    """Return the plan with all models that move shifted to the least total move; None if that makes no complete plan.

    With `furthest` the longest move is minimised; with `stays` each model remains as near as possible to where it is. A
    plan of few models is then shifted up to `again` more times, with terrain and the lengths of paths as further
    constraints; if `again` is 1, only where the first shift makes no plan. Discs only.
    """
    problem = solver.problem
    legality = solver.legality
    if not legality.is_round or not problem.target_models.models.is_round:
        return None
    moving = np.flatnonzero(~solver.start.placed & ((assignment.lengths > 0.0) | furthest))
    if not 0 < len(moving) <= MOST_SHIFTED:
        return None
    still = np.setdiff1d(np.arange(len(assignment.placed)), moving)
    starts = problem.models.centres[moving]
    fixed = np.concatenate(
        [
            assignment.candidates.at[still],
            problem.target_models.models.centres,
            legality.keep_out.models.centres,
            starts,
        ]
    )

    cost = np.max if furthest else np.sum

    def shifted(plan: PartialPlan, cuts: Cuts = NO_CUTS, within: float | None = None) -> FloatArray:
        """Return ends (n, 2) of the models that move after shifting a plan."""
        solver.spend(WORK_OF_POLISH * len(moving) * (1 if furthest else 3))
        links = _distances(solver, plan, ties, moving, still, capped=not furthest)
        here = plan.candidates.at[moving]
        return least_displacement(
            here if stays else starts,
            here,
            fixed,
            links,
            furthest=furthest,
            cuts=cuts,
            within=within,
            steps=MAX_MINIMISER_STEPS,
        )

    points = shifted(assignment)
    best = _snapped(solver, assignment, moving, points)
    cuts = NO_CUTS
    within = SHIFTED_WITHIN
    if (best is not None and again <= 1) or stays or len(assignment.placed) > MOST_CUT:
        return best
    if best is None:
        best = _snapped(solver, assignment, moving, assignment.candidates.at[moving])
        points = points if best is None else best.candidates.at[moving]
    for _ in range(again):
        more = _cuts(solver, assignment, moving, points, furthest=furthest)
        if not len(more.points):
            break
        cuts = (cuts if best is None else cuts.of(cuts.timed)).joined(more)
        points = shifted(best or assignment, cuts, within)
        found = _snapped(solver, assignment, moving, points)
        if found is not None and (best is None or cost(found.lengths) < cost(best.lengths) - GAIN):
            best = found
        elif best is not None:
            within = within / 4.0
            points = best.candidates.at[moving]
    return best


def _cuts(
    solver: Solver, assignment: PartialPlan, moving: IntArray, points: FloatArray, *, furthest: bool
) -> Cuts:
    """Return half-planes that keep points (n, 2) off terrain, and that cut off illegal places and places with too long
    paths.
    """
    rows: list[tuple[int, FloatArray, float, bool]] = []
    for one, (mover, point) in enumerate(zip(moving.tolist(), points, strict=True)):
        kind = int(assignment.candidates.kind[mover])
        z = float(assignment.candidates.z[mover])
        if not solver.legality.are_legal(solver.legality.kinds[kind], point[None], np.array([z]))[
            0
        ]:
            border = _nearest_legal(solver, kind, point, z)
            if border is not None:
                ahead = (border - point) / max(float(np.hypot(*(border - point))), 1e-9)
                rows.append((one, ahead, -float(ahead @ border), False))
            continue
        rows += [
            (one, ahead, -float(ahead @ foot), False)
            for foot, ahead in _walls(solver, kind, point, z)
        ]
        around = point + np.array(
            [
                [0.0, 0.0],
                [SLOPE_STEP, 0.0],
                [-SLOPE_STEP, 0.0],
                [0.0, SLOPE_STEP],
                [0.0, -SLOPE_STEP],
            ]
        )
        lengths = solver.shrunk_lengths(
            mover, around, np.full(5, z), by=0.0, limit=solver.limit + LONGER
        )
        straight = float(np.hypot(*(point - solver.problem.models.centres[mover])))
        if np.isfinite(lengths).all() and lengths[0] > (
            straight + BENT if furthest else solver.limit
        ):
            slope = np.array([lengths[1] - lengths[2], lengths[3] - lengths[4]]) / (
                2.0 * SLOPE_STEP
            )
            rows.append(
                (
                    one,
                    -slope,
                    float(slope @ point - lengths[0]) + (0.0 if furthest else solver.limit),
                    furthest,
                )
            )
    if not rows:
        return NO_CUTS
    number, normals, offsets, timed = zip(*rows, strict=True)
    return Cuts(np.array(number), np.array(normals), np.array(offsets), np.array(timed))


def _walls(
    solver: Solver, kind: int, point: FloatArray, z: float
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the nearest point (2,) of each border of terrain near a point, and the unit vector (2,) from there towards
    the point.
    """
    for locus in solver.loci[kind]:
        if abs(locus.surface.z - z) <= CONTACT:
            feet, _, owners = perpendicular_feet(
                locus.walls.near(point, SHIFTED_WITHIN), point[None]
            )
            aside = point - feet
            apart = np.hypot(aside[:, 0], aside[:, 1])
            order = np.argsort(apart, kind="stable")
            for row in order[np.unique(owners[order], return_index=True)[1]]:
                if CONTACT < apart[row] <= SHIFTED_WITHIN:
                    yield feet[row], aside[row] / apart[row]


def _nearest_legal(solver: Solver, kind: int, point: FloatArray, z: float) -> FloatArray | None:
    """Return the legal place of a kind nearest to a point among those on borders near it; None if there is none."""
    for locus in solver.loci[kind]:
        if abs(locus.surface.z - z) <= CONTACT:
            bounds = locus.bounds.near(point, SHIFTED_WITHIN)
            found = np.concatenate(
                [perpendicular_feet(bounds, point[None])[0], crossings(bounds, bounds)[0]]
            )
            legal = found[
                solver.legality.are_legal(
                    solver.legality.kinds[kind], found, np.full(len(found), z)
                )
            ]
            if len(legal):
                nearest: FloatArray = legal[np.argmin(np.hypot(*(legal - point).T))]
                return nearest
    return None


def _distances(
    solver: Solver,
    assignment: PartialPlan,
    ties: ActiveConstraints,
    moving: IntArray,
    still: IntArray,
    *,
    capped: bool,
) -> DistanceConstraints:
    """Return the distances to keep; points are numbered: models that move, that do not, foes, models to keep out of
    range of, starts.

    With `capped`, moves of nearly the limit may not exceed it.
    """
    problem = solver.problem
    legality = solver.legality
    order = np.concatenate([moving, still])
    others = len(order) + len(problem.target_models.models.models)
    rows = [(0, len(order), 0.0, np.inf)]
    for one in range(len(moving)):
        rows += [
            *_to_models(assignment, ties, order, one),
            *_to_foes(assignment, ties, order, one),
            *_to_shunned(assignment, order, one, others),
        ]
        if capped and assignment.lengths[order[one]] > solver.limit - WATCHED_WITHIN:
            rows.append(
                (one, others + len(legality.keep_out.models.models) + one, 0.0, solver.limit)
            )
    first, second, lows, highs = (np.array(column) for column in zip(*rows, strict=True))
    return DistanceConstraints(
        first.astype(np.intp), second.astype(np.intp), lows.astype(float), highs.astype(float)
    )


def _to_models(
    assignment: PartialPlan, ties: ActiveConstraints, order: IntArray, one: int
) -> Iterator[Row]:
    """Yield the limits of a model's distances to the models after it in the order: no overlap, and within coherency
    where linked.
    """
    problem = assignment.legality.problem
    legality = assignment.legality
    at = assignment.candidates.at[order]
    radii = legality.radii[assignment.candidates.kind[order]]
    for other in range(one + 1, len(order)):
        flush = radii[one] + radii[other]
        is_linked = ties.linked[order[one], order[other]]
        if is_linked or np.hypot(*(at[one] - at[other])) < flush + WATCHED_WITHIN:
            yield one, other, flush, flush + problem.coherency.horizontal if is_linked else np.inf


def _to_foes(
    assignment: PartialPlan, ties: ActiveConstraints, order: IntArray, one: int
) -> Iterator[Row]:
    """Yield the limits of a model's distances to foes: touching those that it touches, in range of those that it
    engages.
    """
    problem = assignment.legality.problem
    legality = assignment.legality
    mover = order[one]
    foes = problem.target_models.models
    for number, (centre, radius) in enumerate(zip(foes.centres, foes.radii, strict=True)):
        flush = legality.radii[assignment.candidates.kind[mover]] + radius
        high = np.inf
        if ties.touched[mover, number]:
            high = flush
        elif ties.engaged[mover, number]:
            high = flush + problem.engagement.horizontal
        if (
            np.isfinite(high)
            or np.hypot(*(assignment.candidates.at[mover] - centre)) < flush + WATCHED_WITHIN
        ):
            yield one, len(order) + number, flush, high


def _to_shunned(assignment: PartialPlan, order: IntArray, one: int, others: int) -> Iterator[Row]:
    """Yield the limits of a model's distances to models whose range it must keep out of, numbered from `others` on."""
    problem = assignment.legality.problem
    legality = assignment.legality
    mover = order[one]
    keep_out = assignment.legality.keep_out.models
    needed = problem.engagement.horizontal + problem.clearance
    for number, (centre, radius) in enumerate(zip(keep_out.centres, keep_out.radii, strict=True)):
        low = legality.radii[assignment.candidates.kind[mover]] + radius + needed
        if np.hypot(*(assignment.candidates.at[mover] - centre)) < low + WATCHED_WITHIN:
            yield one, others + number, low, np.inf


def _snapped(
    solver: Solver, assignment: PartialPlan, moving: IntArray, points: FloatArray
) -> PartialPlan | None:
    """Return the plan with models placed at the points they were shifted to; None if one may not end there or it is not
    complete.
    """
    for mover, point in zip(moving.tolist(), points, strict=True):
        candidates = solver.legality.candidates(
            int(assignment.candidates.kind[mover]), point[None], assignment.candidates.z[[mover]]
        )
        if not len(candidates):
            return None
        length = float(solver.move_costs(mover, candidates)[0])
        if not np.isfinite(length):
            return None
        assignment = assignment.with_model_at(mover, candidates, 0, length)
    return assignment if assignment.is_complete() and is_apart(assignment) else None


def is_apart(assignment: PartialPlan) -> bool:
    """Return whether no two models of the plan, at the same height, overlap."""
    gaps = assignment.gaps_from(assignment.candidates)
    level = np.abs(assignment.candidates.z[:, None] - assignment.candidates.z[None, :]) <= CONTACT
    np.fill_diagonal(gaps, np.inf)
    return not bool(((gaps < -CONTACT) & level).any())

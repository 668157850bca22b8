"""Complete plans made model by model, each model at its cheapest place that is clear of those placed before.

- `grown`: models in contact first, each near the ones before it, then the rest behind them, in one of several manners (`Ordering`);
- `around_engagers`: around the models that engage given targets;
- `paired`: around two models that engage different targets, their places chosen together so that links can join them;
- `confined_first`: around models that have hardly any room.

All end with `completed`, which places the rest and joins groups by models between them (`bridged`).
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.placement.bounds import MOST_IN_TREES, target_assignments
from tabletop.placement.branch_and_bound import MOST_MODELS, lattice
from tabletop.placement.candidates import Options, Solver, confinement_radius, pocket
from tabletop.placement.loci import cut
from tabletop.placement.partial_plan import PartialPlan, groups
from tabletop.placement.problem import joined_candidates

BY_CHANCE = 0.3
"""How much of an order or a choice chance decides, beside inches."""

TOUCHING_GAP = 1e-6
"""Inches between models that touch."""

HELPERS_TRIED = 4
"""Models, the nearest, that are tried beside one that has too few neighbours."""

BRIDGES_TRIED = 4
"""Models, those nearest to the gap, that are tried for the next place of a bridge."""

GAP_WORTH = 20.0
"""Inches moved that an inch less of a gap is worth."""

PAIR_SHARINGS = 4
"""Ways to share the targets among models of which places are chosen together."""

PAIRS_TRIED = 6
"""Pairs of places tried of one way: so many with the shortest moves, and so many with most contacts."""

CURVE_STEP = 0.3
"""Inches between places looked at along the curves on which a target is just engaged, or touched, and between those all over."""

CAGED_ENDS = 4
"""Ends tried of a caged model: the shortest move, that nearest to a foe, and those farthest from these."""

CAGED_STARTS = 12
"""Ways tried to place all caged models first."""

Part = tuple[int, list[int]]
"""A model and the targets that it is to engage."""


@dataclass(frozen=True, eq=False)
class Ordering:
    """How one plan is made: what comes first among models and places, with a share of chance.

    `hardest_first` orders models in contact by how little reach they have to spare, `tight` is the worth in inches of touching
    a model placed before, `joined` whether each model must be near one placed before.
    """

    chance: np.random.Generator
    hardest_first: bool
    tight: float
    joined: bool
    noise: float


def orderings(count: int) -> list[Ordering]:
    """Give a fixed list of manners: the plain ones first, then some by chance."""
    chance = np.random.default_rng(20)
    plain = [Ordering(chance, hardest, tight, joined=True, noise=0.0) for hardest in (False, True) for tight in (0.0, 1.0)]
    drawn = [
        Ordering(chance, hardest_first=number % 2 == 0, tight=float(chance.random() * 2.0), joined=number % 5 > 0, noise=BY_CHANCE)
        for number in range(max(0, count - len(plain)))
    ]
    return [*plain, *drawn][:count]


def greedy_plan(solver: Solver, start: PartialPlan, ordering: Ordering) -> PartialPlan | None:
    """Make a plan in some ordering; None if a model finds no place or the plan is not complete."""
    return completed(solver, _with_contacts(solver, start, ordering), ordering)


def around_engagers(solver: Solver, sharing: Sequence[tuple[int, Sequence[int]]], ordering: Ordering) -> PartialPlan | None:
    """Make a plan around the models that engage the targets given for them; None if one finds no place or the plan is not complete."""
    assignment = solver.start
    for mover, targets in sharing:
        if assignment.placed[mover]:
            continue
        found = solver.options[mover]
        clear, _ = assignment.meets(found.candidates)
        picked = solver.cheapest_legal(mover, found, np.asarray(clear & found.candidates.engaged[:, list(targets)].all(axis=1)))
        if picked is None:
            return None
        assignment = assignment.with_model_at(mover, found.candidates, *picked)
    return completed(solver, _with_contacts(solver, assignment, ordering), ordering) or completed(solver, assignment, ordering)


def _with_contacts(solver: Solver, assignment: PartialPlan, ordering: Ordering) -> PartialPlan:
    """Place models in base contact, one after the other; those that find no place near the others are asked again later."""
    able = [mover for mover in range(len(assignment.placed)) if not assignment.placed[mover] and np.isfinite(solver.nearest_contact[mover])]
    waiting = _in_order(solver, able, ordering)
    while waiting:
        later = []
        for mover in waiting:
            following = _with_contact(solver, assignment, mover, ordering)
            if following is None:
                later.append(mover)
            else:
                assignment = following
        if len(later) == len(waiting):
            return assignment
        waiting = later
    return assignment


def _in_order(solver: Solver, able: Sequence[int], ordering: Ordering) -> list[int]:
    spare = [solver.nearest_contact[mover] * (1.0 + ordering.noise * ordering.chance.standard_normal()) for mover in able]
    order = np.argsort(spare, kind="stable")
    return [able[place] for place in (order[::-1] if ordering.hardest_first else order)]


def _with_contact(solver: Solver, assignment: PartialPlan, mover: int, ordering: Ordering) -> PartialPlan | None:
    found = solver.contacts(mover)
    if assignment.placed.any():
        found = found.plus(solver.dependent_candidates(assignment, mover, what="contact"))
    clear, near = assignment.meets(found.candidates)
    usable = clear & found.candidates.touching
    if ordering.joined and assignment.placed.any():
        usable &= near.any(axis=1)
    flush = (assignment.gaps_from(found.candidates) <= TOUCHING_GAP).sum(axis=1)
    bias = ordering.noise * ordering.chance.standard_normal(len(usable)) - ordering.tight * flush
    picked = solver.cheapest_legal(mover, found, usable, extra=bias)
    return None if picked is None else assignment.with_model_at(mover, found.candidates, *picked)


def completed(solver: Solver, assignment: PartialPlan, ordering: Ordering) -> PartialPlan | None:
    """Place the models that are not placed yet, behind those that are; None if one finds no place or the plan is not complete."""
    assignment = joined_groups(solver, _accompanied(solver, joined_groups(solver, _with_targets(solver, assignment, ordering))))
    for mover in _from_the_front(assignment):
        special = solver.options[mover].plus(solver.dependent_candidates(assignment, mover))
        following = _beside(solver, assignment, mover, special) or _beside(solver, assignment, mover, pocket(solver, mover))
        if following is None:
            return None
        assignment = following
    return assignment if assignment.is_complete() else None


def _with_targets(solver: Solver, assignment: PartialPlan, ordering: Ordering) -> PartialPlan:
    """Place the model that gets there most easily within engagement range of each target that is not engaged yet."""
    for target in solver.problem.target_numbers:
        if assignment.candidates.engaged[assignment.placed][:, target].any():
            continue
        best: tuple[float, int, Options, int] | None = None
        for mover in np.flatnonzero(~assignment.placed).tolist():
            found = solver.options[mover]
            clear, near = assignment.meets(found.candidates)
            usable = clear & found.candidates.engaged[:, target]
            if ordering.joined and (usable & near.any(axis=1)).any():
                usable &= near.any(axis=1)
            picked = solver.cheapest_legal(mover, found, usable)
            if picked is not None and (best is None or picked[1] < best[0]):
                best = (picked[1], mover, found, picked[0])
        if best is not None:
            assignment = assignment.with_model_at(best[1], best[2].candidates, best[3], best[0])
    return assignment


def _accompanied(solver: Solver, assignment: PartialPlan) -> PartialPlan:
    """Place models beside those placed that have fewer neighbours than they must have; take up again those that none gets to."""
    if not solver.asks("coherent"):
        return assignment
    asked, tried = solver.problem.coherency.neighbours, set[int]()
    while not assignment.placed.all():
        _, near = assignment.meets(assignment.candidates.of(assignment.placed_rows))
        lonely = [one for one in assignment.placed_rows[near.sum(axis=1) - 1 < asked].tolist() if one not in tried]
        if not lonely:
            break
        following = _with_neighbour(solver, assignment, lonely[0], asked)
        if following is None:
            tried.add(lonely[0])
            assignment = assignment if solver.start.placed[lonely[0]] else assignment.without(lonely[0])
        else:
            assignment = following
    return assignment


def _with_neighbour(solver: Solver, assignment: PartialPlan, lonely: int, asked: int) -> PartialPlan | None:
    """Place the model that gets beside a placed one with the least movement, if it can where it has neighbours enough itself."""
    rest, row = np.flatnonzero(~assignment.placed), int(np.flatnonzero(assignment.placed_rows == lonely)[0])
    aside = solver.problem.models.centres[rest] - assignment.candidates.at[lonely]
    best: tuple[float, PartialPlan] | None = None
    for mover in rest[np.argsort(np.hypot(aside[:, 0], aside[:, 1]), kind="stable")[:HELPERS_TRIED]].tolist():
        found = solver.options[mover].plus(solver.dependent_candidates(assignment, mover))
        clear, near = assignment.meets(found.candidates)
        usable, enough = clear & near[:, row], near.sum(axis=1) >= asked
        picked = solver.cheapest_legal(mover, found, usable & enough) or solver.cheapest_legal(mover, found, usable)
        if picked is not None and (best is None or picked[1] < best[0]):
            best = (picked[1], assignment.with_model_at(mover, found.candidates, *picked))
    return None if best is None else best[1]


def _from_the_front(assignment: PartialPlan) -> list[int]:
    """Give the models not placed, those nearest to placed ones first."""
    rest = np.flatnonzero(~assignment.placed)
    if not assignment.placed.any():
        return list(rest.tolist())
    apart = assignment.legality.problem.models.centres[rest][:, None, :] - assignment.candidates.at[assignment.placed_rows][None, :, :]
    order = np.argsort(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1), kind="stable")
    return list(rest[order].tolist())


def _beside(solver: Solver, assignment: PartialPlan, mover: int, found: Options) -> PartialPlan | None:
    """Place a model at one of some places, as far as it is near enough to the others."""
    clear, near = assignment.meets(found.candidates)
    usable = clear.copy()
    if solver.asks("coherent") and assignment.placed.any():
        coherency = solver.problem.coherency
        asked = min(coherency.neighbours, len(assignment.placed_rows))
        enough, some = usable & (near.sum(axis=1) >= asked), usable & near.any(axis=1)
        is_alone = not some.any() and not coherency.is_one_group
        usable = usable if is_alone else enough if enough.any() else some
    picked = None
    if solver.problem.wants_engaged:
        picked = solver.cheapest_legal(mover, found, usable & found.candidates.is_engaged)
    picked = picked or solver.cheapest_legal(mover, found, usable)
    return None if picked is None else assignment.with_model_at(mover, found.candidates, *picked)


def joined_groups(solver: Solver, assignment: PartialPlan) -> PartialPlan:
    """Join the groups that placed models form, by models not placed yet, or else by some that are; as far as that goes."""
    if not solver.asks("coherent") or not solver.problem.coherency.is_one_group:
        return assignment
    for _ in range(len(assignment.placed)):
        if len(assignment.placed_rows) < 2 or _group_numbers(assignment).max() == 0:  # noqa: PLR2004
            return assignment
        following = _with_bridge(solver, assignment)
        if following is None:
            return assignment
        assignment = following
    return assignment


def _with_bridge(solver: Solver, assignment: PartialPlan) -> PartialPlan | None:
    """Place one more model between the two groups that are nearest to each other; None if no model can come nearer."""
    own, other, apart = _nearest_groups(assignment)
    middle = assignment.candidates.at[np.concatenate([own, other])].mean(axis=0)
    best: tuple[float, PartialPlan] | None = None
    for mover in _bridging_models(solver, assignment, middle):
        found = _nearer(solver, assignment, mover, own, other)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
    return None if best is None or best[0] >= apart else best[1]


def _nearest_groups(assignment: PartialPlan) -> tuple[np.ndarray, np.ndarray, float]:
    """Give the rows of the two groups with the least gap between them, the smaller group first, and the gap in inches."""
    who, number = assignment.placed_rows, _group_numbers(assignment)
    gaps = assignment.gaps_from(assignment.candidates.of(who))
    gaps[number[:, None] == number[None, :]] = np.inf
    one, two = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
    pair = sorted([number[one], number[two]], key=lambda group: int((number == group).sum()))
    return who[number == pair[0]], who[number == pair[1]], float(gaps[one, two])


def _group_numbers(assignment: PartialPlan) -> np.ndarray:
    """Give the number of the group of each placed model, in the order of `who`."""
    _, near = assignment.meets(assignment.candidates.of(assignment.placed_rows))
    return groups(near & ~np.eye(len(near), dtype=bool))


def _bridging_models(solver: Solver, assignment: PartialPlan, middle: FloatArray) -> list[int]:
    """Give the models to try: those not placed, else those in larger groups, that begin nearest to the gap."""
    apart = np.hypot(*(solver.problem.models.centres - middle).T)
    free = np.flatnonzero(~assignment.placed)
    if not len(free):
        free = np.flatnonzero(~solver.start.placed)
    return list(free[np.argsort(apart[free], kind="stable")][:BRIDGES_TRIED].tolist())


def _nearer(solver: Solver, assignment: PartialPlan, mover: int, own: np.ndarray, other: np.ndarray) -> tuple[float, PartialPlan] | None:
    """Place a model near one of two groups so that the gap to the other is least; give the gap in inches that is left."""
    without = assignment.without(mover)
    found = solver.options[mover].plus(solver.dependent_candidates(without, mover))
    clear, near = without.meets(found.candidates)
    gaps = without.gaps_from(found.candidates)
    sides = [np.isin(without.placed_rows, rows) for rows in (own, other)]
    if not all(side.any() for side in sides):
        return None
    both = sides[0] | sides[1]
    left = [np.where(near[:, side].any(axis=1) & clear, gaps[:, ~side & both].min(axis=1), np.inf) for side in sides]
    remains = np.minimum(*left)
    joined = near[:, sides[0]].any(axis=1) & near[:, sides[1]].any(axis=1) & clear
    picked = solver.cheapest_legal(mover, found, joined)
    if picked is not None:
        return 0.0, without.with_model_at(mover, found.candidates, *picked)
    picked = solver.cheapest_legal(mover, found, np.isfinite(remains), extra=GAP_WORTH * np.where(np.isfinite(remains), remains, 0.0))
    return None if picked is None else (float(remains[picked[0]]), without.with_model_at(mover, found.candidates, *picked))


def paired(solver: Solver) -> Iterator[PartialPlan | None]:
    """Make plans around two models that engage what they share of the targets, near enough to each other to be linked."""
    if not solver.asks("coherent") or len(solver.options) == 1:
        return
    for one, other in _engaging_pairs(solver)[:PAIR_SHARINGS]:
        for assignment in _with_pair(solver, one, other):
            yield completed(solver, assignment, orderings(1)[0])


def _engaging_pairs(solver: Solver) -> list[tuple[Part, Part]]:
    """Give the first two models, with their targets, of ways to share the targets; of few models other two instead of them as well."""
    shared = [(sharing[0], sharing[1]) for _, sharing in target_assignments(solver) if len(sharing) > 1]
    others = [pair for one, other in shared for pair in _other_pairs(solver, one, other)] if len(solver.options) <= MOST_MODELS else []
    return [*shared, *others]


def _other_pairs(solver: Solver, one: Part, other: Part) -> Iterator[tuple[Part, Part]]:
    """Give other two models for what two do, those with the shortest moves first."""
    lengths = [[_least_move(solver, mover, targets) for _, targets in (one, other)] for mover in range(len(solver.options))]
    pairs = [pair for pair in permutations(range(len(solver.options)), 2) if pair != (one[0], other[0])]
    for longest, mover, mate in sorted((max(lengths[mover][0], lengths[mate][1]), mover, mate) for mover, mate in pairs):
        if math.isfinite(longest):
            yield (mover, one[1]), (mate, other[1])


def _least_move(solver: Solver, mover: int, targets: list[int]) -> float:
    """Give the least length in inches of a model's moves to its special places at which it engages targets."""
    return solver.shortest(mover, np.asarray(solver.options[mover].candidates.engaged[:, targets].all(axis=1)))


def _with_pair(solver: Solver, one: Part, other: Part) -> Iterator[PartialPlan]:
    """Place two models so that they engage their targets and chains of the rest can join them, shortest moves first."""
    if solver.start.placed[[one[0], other[0]]].any():
        return
    (mover, its), (mate, others) = (one[0], _pair_places(solver, *one)), (other[0], _pair_places(solver, *other))
    problem, legality, link = solver.problem, solver.legality, solver.problem.coherency.horizontal
    gaps = legality.gaps.pair_gaps(its.candidates.kind, its.candidates.at, others.candidates.kind, others.candidates.at)
    most = link + (len(solver.options) - 2) * (link + 2.0 * float(problem.models.radii.min()))
    is_joined = (gaps >= 0.0) & (gaps <= most)
    lengths = _pair_lengths(solver, mover, its, np.asarray(is_joined.any(axis=1)))
    its_lengths = _pair_lengths(solver, mate, others, np.asarray(is_joined.any(axis=0)))
    costs = np.where(is_joined, lengths[:, None] + its_lengths[None, :], np.inf)
    contacts = its.candidates.touching[:, None].astype(int) + others.candidates.touching[None, :]
    shortest = np.argsort(costs, axis=None, kind="stable")[:PAIRS_TRIED]
    fullest = np.lexsort((costs.ravel(), -np.where(np.isfinite(costs), contacts, -1).ravel()))[:PAIRS_TRIED]
    for pair in dict.fromkeys([*shortest.tolist(), *fullest.tolist()]):
        row, column = divmod(pair, costs.shape[1])
        if np.isfinite(costs[row, column]):
            yield solver.start.with_model_at(mover, its.candidates, row, float(lengths[row])).with_model_at(
                mate, others.candidates, column, float(its_lengths[column])
            )


def _pair_lengths(solver: Solver, mover: int, found: Options, asked: BoolArray) -> FloatArray:
    """Measure the ways (k,) to the places that are asked about, infinite for others and those out of reach."""
    lengths = np.full(len(found.lengths), np.inf)
    lengths[asked] = solver.move_costs(mover, found.candidates.of(asked))
    return lengths


def _pair_places(solver: Solver, mover: int, targets: list[int]) -> Options:
    """Give places at which a model engages targets: its special ones, others along the curves, and of few models some all over."""
    legality, parts = solver.legality, [solver.options[mover].candidates]
    inside = lattice(solver, mover, targets[0], CURVE_STEP) if len(solver.options) <= MOST_MODELS else np.empty((0, 2))
    for number in legality.kinds_of[mover]:
        for locus in solver.loci[number]:
            curves = [cut(track, CURVE_STEP).middles for track in (locus.contact, locus.engagement, locus.bounds)]
            at: FloatArray = np.concatenate([*curves, inside])
            parts.append(legality.candidates(number, at, np.full(len(at), locus.surface.z)))
    candidates = joined_candidates(parts)
    return solver.unmeasured(mover, candidates.of(np.asarray(candidates.engaged[:, targets].all(axis=1))), solver.limit)


def confined_first(solver: Solver) -> Iterator[PartialPlan | None]:
    """Make plans that begin with the models that reach no place from which to engage a target, the others placed around them."""
    caged = [mover for mover in range(len(solver.options)) if not solver.start.placed[mover] and _is_caged(solver, mover)]
    if not caged or len(caged) == len(solver.options):
        return
    ordering = orderings(1)[0]
    for assignment in _caged_starts(solver, caged):
        yield greedy_plan(solver, assignment, ordering)
        yield completed(solver, _with_linked_engagers(solver, assignment), ordering)


def _is_caged(solver: Solver, mover: int) -> bool:
    """Tell whether a model gets hardly anywhere, or, of few, that it can engage nobody: it may be in a dead end."""
    if len(solver.options) > MOST_IN_TREES:
        return math.isfinite(confinement_radius(solver, mover, solver.limit))
    return math.isinf(solver.shortest(mover, solver.options[mover].candidates.is_engaged))


def _caged_starts(solver: Solver, caged: Sequence[int]) -> Iterator[PartialPlan]:
    """Place the models that are caged each at one of a few of its ends, in all ways in which they are clear of each other."""
    assignments = [solver.start]
    for mover in caged:
        found = _caged_ends(solver, mover)
        assignments = [assignment for before in assignments[:CAGED_STARTS] for assignment in _at_each_end(before, mover, found)]
    yield from assignments[:CAGED_STARTS]


def _at_each_end(assignment: PartialPlan, mover: int, found: Options) -> Iterator[PartialPlan]:
    """Place a model at each of some ends that are clear of the models placed."""
    clear, _ = assignment.meets(found.candidates)
    for end in np.flatnonzero(clear).tolist():
        yield assignment.with_model_at(mover, found.candidates, end, float(found.lengths[end]))


def _caged_ends(solver: Solver, mover: int) -> Options:
    """Choose a few ends of a model near it: the shortest move, the one nearest to a foe, then always the farthest from those."""
    found = pocket(solver, mover)
    lengths = found.lengths.copy()
    lengths[~found.known] = solver.move_costs(mover, found.candidates.of(~found.known))
    able = np.flatnonzero(np.isfinite(lengths))
    found = Options(found.candidates.of(able), lengths[able], np.ones(len(able), dtype=bool), found.rows[able])
    if not len(able):
        return found
    foes = solver.problem.target_models.models.centres
    to_foes = np.hypot(*(found.candidates.at[:, None, :] - foes[None, :, :]).transpose(2, 0, 1)).min(axis=1)
    chosen = list(dict.fromkeys([int(np.argmin(found.lengths)), int(np.argmin(to_foes))]))
    while len(chosen) < min(CAGED_ENDS, len(able)):
        aside = found.candidates.at[:, None, :] - found.candidates.at[chosen][None, :, :]
        chosen.append(int(np.argmax(np.hypot(aside[..., 0], aside[..., 1]).min(axis=1))))
    kept = np.array(list(dict.fromkeys(chosen)))
    return Options(found.candidates.of(kept), found.lengths[kept], found.known[kept], found.rows[kept])


def _with_linked_engagers(solver: Solver, assignment: PartialPlan) -> PartialPlan:
    """Place models that engage the targets nobody engages yet, each within coherency of those placed, moving least."""
    for target in solver.problem.target_numbers:
        if not assignment.candidates.engaged[assignment.placed][:, target].any():
            assignment = _with_linked_engager(solver, assignment, target) or assignment
    return assignment


def _with_linked_engager(solver: Solver, assignment: PartialPlan, target: int) -> PartialPlan | None:
    best: tuple[float, PartialPlan] | None = None
    for mover in np.flatnonzero(~assignment.placed).tolist():
        found = solver.options[mover].plus(solver.dependent_candidates(assignment, mover, what="engagement"))
        clear, near = assignment.meets(found.candidates)
        picked = solver.cheapest_legal(mover, found, np.asarray(clear & near.any(axis=1) & found.candidates.engaged[:, target]))
        if picked is not None and (best is None or picked[1] < best[0]):
            best = (picked[1], assignment.with_model_at(mover, found.candidates, *picked))
    return None if best is None else best[1]

"""Heuristics that construct complete plans: greedily model by model, along chains between targets, or for a few models
together.

- `greedy_plan`: models in contact first, each near the ones before it, then the rest behind them, in one of several
  orderings;
- `around_engagers`: around the models that engage given targets;
- `confined_first`: around models that have hardly any room;
- `chained`: the unit strung out between its targets along a tree of slots, each model sent to one, then all pulled into
  shape;
- `together`: of samples of places of a few models, the combinations that serve the goals best, shifted until all is
  kept.

The first three end with `completed`, which places the rest and joins groups by models between them (`joined_groups`).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, pairwise, product

import numpy as np
from scipy.optimize import linear_sum_assignment

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.distance import point_distances
from tabletop.placement.bounds import MOST_IN_TREES, MOST_TARGETS, spanning_trees
from tabletop.placement.candidates import (
    Options,
    Solver,
    confinement_radius,
    lattice,
    nearby_candidates,
)
from tabletop.placement.loci import cut
from tabletop.placement.objective import exceeding
from tabletop.placement.partial_plan import PartialPlan, groups, shortest_tree
from tabletop.placement.polish import (
    MOST_SHIFTED,
    ActiveConstraints,
    active_constraints,
    directions,
    is_apart,
    polished,
)
from tabletop.placement.problem import Candidates, joined_candidates
from tabletop.units import CONTACT

NEAREST_TRIED = 4
"""Number of models tried as neighbours or between groups, of moves that join groups, of foes that a tree joins, and of
ends of a confined model: the nearest ones.
"""

GAP_WORTH = 20.0
"""Inches of movement that an inch less of gap is worth."""

CAGED_STARTS = 12
"""Number of ways tried to place all confined models first."""


TREES_TRIED = 3
"""Number of trees tried, shortest first."""

CHAINS_TRIED = 30
"""Number of chained plans that are polished."""

POWERS = (1, 4)
"""Exponents applied to the length of a move when models are assigned to slots: 1 minimises the total, larger ones the
longest."""

Tree = list[tuple[int, int]]
"""Links between targets, by number."""

MOST_COMBINED = 1_500_000
"""Number of combinations of sample places of all models; at half and at double one total of 20 small tables is shorter,
by 0.04 and 0.2 in, and none longer.
"""

FINEST, COARSER = 0.15, 1.3
"""Spacing of the finest sample in inches, twice as wide off the curves and among combinations, and factor to the next
coarser one."""

ALL_OVER = 17
"""Number of grid places along each side of a square over a model's reach."""

COMBINATIONS_TRIED, PULLED_AGAIN = 6, 4
"""Number of distinct combinations with the same counts for which all models are shifted, and of repeated shifts past
terrain."""

MOST_COMPARED = 20_000
"""Number of best combinations among which distinct ones are chosen."""

MOST_RELAXED, RELAXATIONS = 300, 10
"""Number of combinations that are relaxed, and of relaxation rounds."""

SIMILAR_PLAN_DISTANCE = 0.75
"""Largest displacement of any model, in inches, between combinations that count as similar."""


@dataclass(frozen=True)
class ConstructionOrder:
    """How a greedy plan is constructed: the order of models and places.

    `hardest_first` places the models with the longest moves into contact first. With `tight`, to touch a model placed
    before is worth an inch; `joined` whether each model must be within coherency of one placed before, as far as
    one can be.
    """

    hardest_first: bool = False
    tight: bool = False
    joined: bool = True


PLAIN = ConstructionOrder()
"""The order in which what is left of a plan is placed."""

ORDERS = tuple(
    ConstructionOrder(hardest, tight, joined)
    for joined, hardest, tight in product((True, False), (False, True), (False, True))
)
"""All orders in which plans are constructed, `PLAIN` first.

Models that need not be joined fill the room at two targets before others go between: so seven of eight get into contact
on a table of the tests, where else six do.
"""


def greedy_plan(
    solver: Solver, start: PartialPlan, ordering: ConstructionOrder = PLAIN
) -> PartialPlan | None:
    """Construct a complete plan greedily, models in contact first; None if a model finds no place or the plan is not
    complete.
    """
    return completed(solver, _with_contacts(solver, start, ordering), ordering)


def around_engagers(
    solver: Solver, sharing: Sequence[tuple[int, Sequence[int]]]
) -> PartialPlan | None:
    """Construct a complete plan around models that engage given targets; None if one finds no place or the plan is not
    complete.
    """
    assignment = solver.start
    for mover, targets in sharing:
        if not assignment.placed[mover]:
            found = solver.options[mover]
            clear, _ = assignment.meets(found.candidates)
            following = solver.place(
                assignment,
                mover,
                found,
                clear & found.candidates.engaged[:, list(targets)].all(axis=1),
            )
            if following is None:
                return None
            assignment = following
    return greedy_plan(solver, assignment) or completed(solver, assignment)


def _with_contacts(
    solver: Solver, assignment: PartialPlan, ordering: ConstructionOrder
) -> PartialPlan:
    """Return the plan with models placed in base contact one by one; those without a place near the others are tried
    again later.
    """
    able = [
        mover
        for mover in range(len(assignment.placed))
        if not assignment.placed[mover] and np.isfinite(solver.nearest_contact[mover])
    ]
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


def _in_order(solver: Solver, able: Sequence[int], ordering: ConstructionOrder) -> list[int]:
    order = np.argsort(solver.nearest_contact[able], kind="stable")
    return [able[place] for place in (order[::-1] if ordering.hardest_first else order)]


def _with_contact(
    solver: Solver, assignment: PartialPlan, mover: int, ordering: ConstructionOrder
) -> PartialPlan | None:
    found = solver.contacts(mover)
    if assignment.placed.any():
        found = found.plus(solver.dependent_candidates(assignment, mover, what="contact"))
    clear, near = assignment.meets(found.candidates)
    usable = clear & found.candidates.touching
    if ordering.joined and assignment.placed.any():
        usable &= near.any(axis=1)
    flush = (assignment.gaps_from(found.candidates) <= CONTACT).sum(axis=1)
    return solver.place(assignment, mover, found, usable, extra=-flush * ordering.tight)


def completed(
    solver: Solver, assignment: PartialPlan, ordering: ConstructionOrder = PLAIN
) -> PartialPlan | None:
    """Return the complete plan with the remaining models placed near those placed; None if one finds no place or it is
    not complete.

    If nobody can be placed to engage a target, or groups cannot be joined, the rest hardly ever helps and is not
    placed.
    """
    assignment = _with_targets(solver, assignment, ordering)
    if not assignment.engages_all:
        return None
    assignment = joined_groups(solver, _add_neighbours(solver, joined_groups(solver, assignment)))
    if _is_parted(solver, assignment):
        return None
    for mover in _from_the_front(assignment):
        special = solver.places_beside(assignment, mover)
        following = _beside(solver, assignment, mover, special) or _beside(
            solver, assignment, mover, nearby_candidates(solver, mover)
        )
        if following is None:
            return None
        assignment = following
    return assignment if assignment.is_complete() else None


def _with_targets(
    solver: Solver,
    assignment: PartialPlan,
    ordering: ConstructionOrder = PLAIN,
    *,
    are_linked: bool = False,
) -> PartialPlan:
    """Return the plan with, for each target not engaged yet, the model placed that engages it with the least move.

    They end within coherency of those placed: always if `are_linked`, else where the ordering requires it and they can.
    """
    for target in solver.problem.target_numbers:
        if not assignment.placed_candidates.engaged[:, target].any():
            rest = np.flatnonzero(~assignment.placed).tolist()
            engaging = (
                (
                    mover,
                    _engaging(solver, assignment, mover, target, ordering, is_linked=are_linked),
                )
                for mover in rest
            )
            assignment = _least_moved(engaging) or assignment
    return assignment


def _engaging(
    solver: Solver,
    assignment: PartialPlan,
    mover: int,
    target: int,
    ordering: ConstructionOrder,
    *,
    is_linked: bool,
) -> PartialPlan | None:
    """Return the plan with a model placed where it engages a target with the least move; None if there is no such
    place.
    """
    found = (
        solver.places_beside(assignment, mover, what="engagement")
        if is_linked
        else solver.options[mover]
    )
    clear, near = assignment.meets(found.candidates)
    usable = clear & found.candidates.engaged[:, target]
    is_near = near.any(axis=1)
    if is_linked or (ordering.joined and (usable & is_near).any()):
        usable &= is_near
    return solver.place(assignment, mover, found, usable)


def _least_moved(plans: Iterable[tuple[int, PartialPlan | None]]) -> PartialPlan | None:
    """Return the plan whose model moves least, from pairs of a model's row and a plan; None if there is none."""
    found = [(float(plan.lengths[mover]), plan) for mover, plan in plans if plan is not None]
    return min(found, key=lambda one: one[0])[1] if found else None


def _add_neighbours(solver: Solver, assignment: PartialPlan) -> PartialPlan:
    """Return the plan with neighbours placed beside models that have too few; models that none can join are removed."""
    if not solver.asks("coherent"):
        return assignment
    asked = solver.problem.coherency.neighbours
    tried = set[int]()
    while not assignment.placed.all():
        lonely = [
            one
            for one in assignment.placed_rows[assignment.linked.sum(axis=1) < asked].tolist()
            if one not in tried
        ]
        if not lonely:
            break
        following = _with_neighbour(solver, assignment, lonely[0], asked)
        if following is None:
            tried.add(lonely[0])
            assignment = (
                assignment if solver.start.placed[lonely[0]] else assignment.without(lonely[0])
            )
        else:
            assignment = following
    return assignment


def _with_neighbour(
    solver: Solver, assignment: PartialPlan, lonely: int, asked: int
) -> PartialPlan | None:
    """Return the plan with a neighbour placed beside model `lonely`, by the least move; None if none can be.

    Places at which the neighbour has `asked` neighbours itself are preferred.
    """
    rest = np.flatnonzero(~assignment.placed)
    row = int(np.flatnonzero(assignment.placed_rows == lonely)[0])

    def beside(mover: int) -> PartialPlan | None:
        """Return the plan with a model placed within coherency of the lonely one; None if it finds no place."""
        found = solver.places_beside(assignment, mover)
        clear, near = assignment.meets(found.candidates)
        usable = clear & near[:, row]
        enough = near.sum(axis=1) >= asked
        return solver.place(assignment, mover, found, usable & enough) or solver.place(
            assignment, mover, found, usable
        )

    apart = point_distances(
        solver.problem.models.centres[rest], assignment.candidates.at[[lonely]]
    )[:, 0]
    return _least_moved(
        (mover, beside(mover))
        for mover in rest[np.argsort(apart, kind="stable")[:NEAREST_TRIED]].tolist()
    )


def _from_the_front(assignment: PartialPlan) -> list[int]:
    """Return the rows of the models not yet placed, those that begin nearest to placed ones first."""
    rest = np.flatnonzero(~assignment.placed)
    apart = point_distances(
        assignment.legality.problem.models.centres[rest], assignment.placed_candidates.at
    )
    return list(rest[np.argsort(apart.min(axis=1, initial=np.inf), kind="stable")].tolist())


def _beside(
    solver: Solver, assignment: PartialPlan, mover: int, found: Options
) -> PartialPlan | None:
    """Return the plan with a model placed at one of some options near enough to the others; None if there is none."""
    clear, near = assignment.meets(found.candidates)
    usable = clear.copy()
    if solver.asks("coherent") and assignment.placed.any():
        coherency = solver.problem.coherency
        asked = min(coherency.neighbours, len(assignment.placed_rows))
        enough = usable & (near.sum(axis=1) >= asked)
        some = usable & near.any(axis=1)
        is_alone = not some.any() and not coherency.is_one_group
        usable = usable if is_alone else enough if enough.any() else some
    engaged = usable & found.candidates.is_engaged & solver.problem.objective.wants_engaged
    return solver.place(assignment, mover, found, engaged) or solver.place(
        assignment, mover, found, usable
    )


def joined_groups(solver: Solver, assignment: PartialPlan) -> PartialPlan:
    """Return the plan with its groups joined by models not yet placed between them, or else by placed ones that are
    moved.
    """
    for _ in range(int((~assignment.placed).sum()) + NEAREST_TRIED):
        if not _is_parted(solver, assignment):
            return assignment
        following = _with_bridge(solver, assignment)
        if following is None:
            return assignment
        assignment = following
    return assignment


def _is_parted(solver: Solver, assignment: PartialPlan) -> bool:
    """Return whether placed models form several groups where a single group is required."""
    return (
        solver.asks("coherent")
        and solver.problem.coherency.is_one_group
        and bool(groups(assignment.linked).any())
    )


def _with_bridge(solver: Solver, assignment: PartialPlan) -> PartialPlan | None:
    """Return the plan with one more model between the two nearest groups; None if no model reduces the gap between
    them.
    """
    own, other, gap = _nearest_groups(assignment)
    middle = assignment.candidates.at[np.concatenate([own, other])].mean(axis=0)
    apart = point_distances(solver.problem.models.centres, middle[None])[:, 0]
    # else some of larger groups
    free = np.flatnonzero(~(solver.start if assignment.placed.all() else assignment).placed)
    tried = free[np.argsort(apart[free], kind="stable")[:NEAREST_TRIED]].tolist()
    nearer = [_nearer(solver, assignment, mover, own, other) for mover in tried]
    left, following = min(
        (one for one in nearer if one is not None), key=lambda one: one[0], default=(gap, None)
    )
    return following if left < gap else None


def _nearest_groups(assignment: PartialPlan) -> tuple[IntArray, IntArray, float]:
    """Return the rows of the models of the two groups with the smallest gap, the smaller group first, and the gap in
    inches.
    """
    who = assignment.placed_rows
    number = groups(assignment.linked)
    gaps = assignment.gaps_from(assignment.placed_candidates)
    gaps[number[:, None] == number[None, :]] = np.inf
    one, two = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
    pair = sorted([number[one], number[two]], key=lambda group: int((number == group).sum()))
    return who[number == pair[0]], who[number == pair[1]], float(gaps[one, two])


def _nearer(
    solver: Solver, assignment: PartialPlan, mover: int, own: IntArray, other: IntArray
) -> tuple[float, PartialPlan] | None:
    """Return the gap in inches that is left, and the plan, with a model placed near one of two groups; None if it finds
    no place.
    """
    without = assignment.without(mover)
    found = solver.places_beside(without, mover)
    clear, near = without.meets(found.candidates)
    gaps = without.gaps_from(found.candidates)
    sides = [np.isin(without.placed_rows, rows) for rows in (own, other)]
    if not all(side.any() for side in sides):
        return None
    both = sides[0] | sides[1]
    left = [
        np.where(near[:, side].any(axis=1) & clear, gaps[:, ~side & both].min(axis=1), np.inf)
        for side in sides
    ]
    remains = np.minimum(*left)
    joined = near[:, sides[0]].any(axis=1) & near[:, sides[1]].any(axis=1) & clear
    following = solver.place(without, mover, found, joined)
    if following is not None:
        return 0.0, following
    picked = solver.cheapest_legal(
        mover,
        found,
        np.isfinite(remains),
        extra=GAP_WORTH * np.where(np.isfinite(remains), remains, 0.0),
    )
    return (
        None
        if picked is None
        else (float(remains[picked[0]]), without.with_model_at(mover, found.candidates, *picked))
    )


def confined_first(solver: Solver) -> Iterator[PartialPlan | None]:
    """Yield plans that begin with confined models that cannot engage, the others placed around them; None where one
    fails.
    """
    caged = [
        mover
        for mover in range(len(solver.options))
        if not solver.start.placed[mover] and _is_caged(solver, mover)
    ]
    if not caged or len(caged) == len(solver.options):
        return
    for assignment in _caged_starts(solver, caged):
        yield greedy_plan(solver, assignment)
        yield completed(solver, _with_targets(solver, assignment, are_linked=True))


def _is_caged(solver: Solver, mover: int) -> bool:
    """Return whether a model can hardly move, or in a small unit cannot engage anything from where it can go."""
    if len(solver.options) > MOST_IN_TREES:
        return math.isfinite(confinement_radius(solver, mover, solver.limit))
    return math.isinf(solver.shortest(mover, solver.options[mover].candidates.is_engaged))


def _caged_starts(solver: Solver, caged: Sequence[int]) -> list[PartialPlan]:
    """Return partial plans with each confined model at one of a few ends, in up to `CAGED_STARTS` combinations without
    overlaps.
    """
    starts = [solver.start]
    foes = solver.problem.target_models.models.centres
    for mover in caged:
        found = nearby_candidates(solver, mover)
        before = starts[:CAGED_STARTS]
        clear = (start.meets(found.candidates)[0] for start in before)
        starts = [
            end
            for start, usable in zip(before, clear, strict=True)
            for end in solver.place_at_few(start, mover, found, usable, NEAREST_TRIED, towards=foes)
        ]
    return starts[:CAGED_STARTS]


@dataclass(frozen=True, eq=False)
class Slots:
    """Slots for all models: places (n, 2) in inches, links between them (n, n), and pairs of a slot and the foe that it
    engages.
    """

    at: FloatArray
    linked: BoolArray
    engaging: list[tuple[int, int]]


def chained(solver: Solver) -> Iterator[PartialPlan | None]:
    """Yield plans with the unit strung out between its targets along a tree of slots, shortest moves first; None where
    one fails.
    """
    problem = solver.problem
    count = len(solver.options)
    is_asked = (
        solver.asks("coherent") and problem.coherency.is_one_group and solver.legality.is_round
    )
    if (
        not is_asked
        or not 1 < len(problem.targets) <= min(count, MOST_TARGETS)
        or count > MOST_SHIFTED
        or solver.start.placed.any()
    ):
        return
    sent = dict[tuple[str, bytes, bytes], tuple[float, Slots, IntArray]]()
    for slots, power in product(_all_slots(solver), POWERS):
        lengths = point_distances(problem.models.centres, slots.at)
        slot_of: IntArray = linear_sum_assignment(lengths**power)[1]
        longest = round(float(lengths[np.arange(count), slot_of].max()), 6)
        sent[str(slots.engaging), slots.at.tobytes(), slot_of.tobytes()] = (longest, slots, slot_of)
    for _, slots, slot_of in sorted(sent.values(), key=lambda one: one[0])[:CHAINS_TRIED]:
        yield _filled(solver, slots, slot_of)


def _all_slots(solver: Solver) -> Iterator[Slots]:
    """Yield slots along a few trees: chains as long or as short as possible, doubled at the ends or not."""
    for foes, tree in _trees(solver):
        for is_long, engaging in product(
            (True, False), product((0, -1, None), repeat=len(_ends(tree)))
        ):
            doubled = {
                end: place
                for end, place in zip(_ends(tree), engaging, strict=True)
                if place is not None
            }
            slots = _slots(solver, foes, tree, doubled, is_long=is_long)
            if slots is not None:
                yield slots


def _trees(solver: Solver) -> list[tuple[list[int], Tree]]:
    """Return trees that join one foe of each target, as the foes' rows and links between targets, shortest first."""
    problem = solver.problem
    centres = problem.target_models.models.centres
    target_index = problem.target_index
    apart = point_distances(centres, centres)
    aside = np.where(target_index[:, None] == target_index[None, :], np.inf, apart).min(axis=1)
    anchors = []
    for target in problem.target_numbers:
        own = np.flatnonzero(target_index == target)
        anchors.append(own[np.argsort(aside[own], kind="stable")][:NEAREST_TRIED].tolist())
    trees = [(list(foes), shortest_tree(apart[np.ix_(foes, foes)])) for foes in product(*anchors)]
    return sorted(
        trees, key=lambda one: sum(apart[one[0][first], one[0][second]] for first, second in one[1])
    )[:TREES_TRIED]


def _ends(tree: Tree) -> list[int]:
    """Return the leaves of a tree, the targets that only one link joins, in ascending order."""
    nodes = [node for link in tree for node in link]
    return [node for node in sorted(set(nodes)) if nodes.count(node) == 1]


def _slots(
    solver: Solver, foes: list[int], tree: Tree, doubled: dict[int, int], *, is_long: bool
) -> Slots | None:
    """Return slots for all models along a tree; None if there are too few models.

    At ends that are `doubled` two slots are abreast, and the given one of them, 0 or -1, engages. If the chains are to
    be long, as many slots are one behind the other as find room, else as few as reach; the others are abreast.
    """
    problem = solver.problem
    width = 2.0 * float(problem.models.radii.max())
    count = len(solver.options)
    nodes = _nodes(solver, foes, tree)
    aheads = {end: nodes[other] - nodes[end] for link in tree for end, other in (link, link[::-1])}
    lengths = np.array([math.dist(nodes[first], nodes[second]) for first, second in tree])
    step = width if is_long else width + problem.coherency.horizontal
    room = np.maximum((np.floor if is_long else np.ceil)(lengths / step).astype(int) - 1, 0)
    between = np.zeros(len(tree), dtype=int)
    left = count - len(foes) - len(doubled)
    if left < 0:
        return None
    while left and (between < room).any():
        between[np.argmax(np.where(between < room, lengths / (between + 1), -1.0))] += 1
        left -= 1
    layers = [[nodes[end]] for end in range(len(foes))]
    for end in doubled:
        layers[end] = _abreast(nodes[end], aheads[end], width, 2)
    links = []
    for (first, second), some in zip(tree, between.tolist(), strict=True):
        steps = [
            nodes[first] + (nodes[second] - nodes[first]) * (step + 1) / (some + 1)
            for step in range(some)
        ]
        chain = [first, *range(len(layers), len(layers) + some), second]
        links += list(pairwise(chain))
        layers += [[step] for step in steps]
    _widen(layers, left, nodes[tree[0][1]] - nodes[tree[0][0]], width)
    return _joined(layers, links, foes, doubled)


def _nodes(solver: Solver, foes: list[int], tree: Tree) -> list[FloatArray]:
    """Return a place (2,) beside each foe, within half the engagement range, towards the foes that it is joined to."""
    problem = solver.problem
    centres = problem.target_models.models.centres[foes]
    radii = problem.target_models.models.radii[foes]
    off = radii + float(problem.models.radii.max()) + problem.engagement.horizontal / 2.0
    ahead = np.zeros_like(centres)
    for first, second in tree:
        towards = (centres[second] - centres[first]) / max(
            math.dist(centres[first], centres[second]), 1e-9
        )
        ahead[first] += towards
        ahead[second] -= towards
    lengths = np.hypot(ahead[:, 0], ahead[:, 1])
    sideways = np.array([[-towards[1], towards[0]]])
    ahead = np.where(lengths[:, None] > 0.1, ahead / np.maximum(lengths, 0.1)[:, None], sideways)  # noqa: PLR2004 - else straight through
    return list(centres + ahead * off[:, None])


def _abreast(at: FloatArray, ahead: FloatArray, width: float, count: int) -> list[FloatArray]:
    """Return `count` places side by side about `at`, `width` inches apart, across the direction `ahead`."""
    left = np.array([-ahead[1], ahead[0]]) / max(math.hypot(*ahead), 1e-9)
    return [at + left * width * (number - (count - 1) / 2.0) for number in range(count)]


def _widen(layers: list[list[FloatArray]], left: int, ahead: FloatArray, width: float) -> None:
    """Add `left` slots to the layers, in place, each abreast of the layer that has fewest."""
    for _ in range(left):
        layer = min(reversed(layers), key=len)
        middle = np.mean(layer, axis=0)
        layer[:] = _abreast(middle, ahead, width, len(layer) + 1)


def _joined(
    layers: list[list[FloatArray]],
    links: list[tuple[int, int]],
    foes: list[int],
    doubled: dict[int, int],
) -> Slots:
    """Return the slots layer by layer, linking slots of layers that follow each other and slots side by side."""
    layer_of = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])
    aside = np.concatenate([np.arange(len(layer)) - (len(layer) - 1) / 2.0 for layer in layers])
    follow = np.zeros((len(layers), len(layers)), dtype=bool)
    for first, second in links:
        follow[first, second] = follow[second, first] = True
    apart = np.abs(aside[:, None] - aside[None, :])
    is_beside = (layer_of[:, None] == layer_of[None, :]) & (apart == 1.0)
    linked = is_beside | (follow[np.ix_(layer_of, layer_of)] & (apart <= 0.5))  # noqa: PLR2004 - one behind the other, or between two
    engaging = [
        (int(np.flatnonzero(layer_of == node)[doubled.get(node, 0)]), foe)
        for node, foe in enumerate(foes)
    ]
    return Slots(np.concatenate(layers), linked, engaging)


def _filled(solver: Solver, slots: Slots, slot_of: IntArray) -> PartialPlan | None:
    """Return the polished plan with model i sent to slot `slot_of[i]`; None if it is not complete."""
    problem = solver.problem
    legality = solver.legality
    assignment = solver.start
    for mover, slot in enumerate(slot_of.tolist()):
        places = legality.measured(
            int(legality.kind_numbers[mover]), slots.at[[slot]], problem.models.heights[[mover]]
        )
        assignment = assignment.with_model_at(
            mover, places, 0, math.dist(problem.models.centres[mover], slots.at[slot])
        )
    model_of = np.argsort(slot_of)
    engaged = np.zeros((len(slot_of), len(problem.target_models.models.models)), dtype=bool)
    for slot, foe in slots.engaging:
        engaged[model_of[slot], foe] = True
    ties = ActiveConstraints(
        np.zeros_like(engaged), engaged, slots.linked[np.ix_(slot_of, slot_of)]
    )
    return polished(solver, assignment, ties, furthest=True, again=0)


@dataclass(frozen=True, eq=False)
class Sample:
    """Sample places of one model, `step` inches apart, with the lengths (k,) of its moves there in inches."""

    candidates: Candidates
    lengths: FloatArray
    step: float


def together(solver: Solver, *, furthest: bool = False) -> Iterator[PartialPlan]:
    """Yield plans of a few models, those that count most first.

    With `furthest` yield plans whose longest move is short, whatever their counts.
    """
    legality = solver.legality
    count = len(solver.options)
    if not 1 < count <= MOST_IN_TREES or solver.start.placed.any() or not legality.is_round:
        return
    most = int(MOST_COMBINED ** (1.0 / count))
    samples = [_sample(solver, mover, most) for mover in range(count)]
    if not all(len(sample.lengths) for sample in samples):
        return
    above = (-1,) * len(solver.problem.objective.counted)
    for slack in (1.0, 0.0):
        for rows in _chosen(solver, samples, above, slack, furthest=furthest):
            chosen = _relaxed(solver, samples, rows)
            plans = [_plan(solver, samples, *one, furthest=furthest) for one in chosen]
            found = [plan for plan in plans if plan is not None and plan.counts > above]
            if found:
                yield from found
                above = max(plan.counts for plan in found)
                break


def _sample(solver: Solver, mover: int, most: int) -> Sample:
    """Return at most `most` sample places of a model along loci and on a grid, those with the shortest move in each
    cell.
    """
    problem = solver.problem
    legality = solver.legality
    options = solver.options[mover]
    kind = int(legality.kind_numbers[mover])
    parts = [options.candidates]
    for locus in solver.loci[kind]:
        curves = [cut(track, FINEST).middles for track in (locus.contact, locus.engagement)]
        inside = [lattice(solver, mover, target, 2.0 * FINEST) for target in problem.target_numbers]
        at = np.concatenate([*curves, *inside, _around(solver, mover)])
        at = at[np.hypot(*(at - problem.models.centres[mover]).T) <= solver.limit]
        parts.append(legality.candidates(kind, at, np.full(len(at), locus.surface.z)))
    candidates = joined_candidates(parts)
    lengths = solver.move_costs(mover, candidates)
    stays = solver.stay(mover)
    if stays is not None:
        candidates = joined_candidates([stays, candidates])
        lengths = np.append(0.0, lengths)
    able = np.flatnonzero(np.isfinite(lengths))
    candidates = candidates.of(able)
    lengths = lengths[able]
    at = (candidates.at - problem.middle) @ problem.axes.T
    step = FINEST
    kept = _thinned(candidates, at, lengths, FINEST)
    while len(kept) > most and step < solver.limit:
        step *= COARSER
        kept = _thinned(candidates, at, lengths, step)
    kept = kept[np.argsort(lengths[kept], kind="stable")[:most]]
    return Sample(candidates.of(kept), lengths[kept], step)


def _around(solver: Solver, mover: int) -> FloatArray:
    """Return a grid of places (k, 2) over the square that a model can reach within the limit."""
    reach = np.linspace(-solver.limit, solver.limit, ALL_OVER)
    at: FloatArray = (
        solver.problem.models.centres[mover]
        + np.stack(np.meshgrid(reach, reach), axis=-1).reshape(-1, 2) @ solver.problem.axes
    )
    return at


def _thinned(candidates: Candidates, at: FloatArray, lengths: FloatArray, step: float) -> IntArray:
    """Return the rows of one place per grid cell and set of goals served, that with the shortest move.

    They lie `at` (k, 2) in the problem's axes.
    """
    serves = candidates.touching + 2 * (
        candidates.engaged @ (1 << np.arange(candidates.engaged.shape[1]))
    )
    wide = np.where(candidates.is_engaged, step, 2.0 * step)
    cells = np.column_stack([np.round(at / wide[:, None]), candidates.z, serves])
    order = np.argsort(lengths, kind="stable")
    return order[np.sort(np.unique(cells[order], axis=0, return_index=True)[1])]


def _chosen(
    solver: Solver, samples: list[Sample], above: tuple[int, ...], slack: float, *, furthest: bool
) -> Iterator[IntArray]:
    """Yield combinations of places (k, n), as rows of the samples, with better counts than `above`, grouped by counts,
    best first.
    """
    problem = solver.problem
    legality = solver.legality
    count = len(samples)
    coherency = problem.coherency
    shape = tuple(len(sample.lengths) for sample in samples)

    def spread(values: np.ndarray, *axes: int) -> np.ndarray:
        """Return values along the axes of some samples reshaped to broadcast over all samples."""
        return values.reshape([shape[axis] if axis in axes else 1 for axis in range(count)])

    usable = np.ones(shape, dtype=bool)
    links = dict[tuple[int, int], BoolArray]()
    for one, other in combinations(range(count), 2):
        first = samples[one].candidates
        second = samples[other].candidates
        gaps = legality.pair_gaps(first, second)
        rise = np.abs(first.z[:, None] - second.z[None, :])
        spare = slack * max(samples[one].step, samples[other].step) + CONTACT
        usable &= spread((gaps >= -spare) | (rise > CONTACT), one, other)
        up = np.maximum(rise - problem.own_height, 0.0)
        links[one, other] = spread(coherency.margins(gaps - spare, up) >= 0.0, one, other)
    if legality.asks("coherent"):
        usable &= reduce(
            np.logical_or,
            (
                reduce(np.logical_and, (links[link] for link in tree))
                for tree in spanning_trees(count)
            ),
        )
    for target in problem.target_numbers:
        usable &= reduce(
            np.logical_or,
            (spread(one.candidates.engaged[:, target], row) for row, one in enumerate(samples)),
        )
    numbers = [
        reduce(
            np.add,
            (
                spread((one.candidates.serving(goal) & (not furthest)).astype(np.int8), row)
                for row, one in enumerate(samples)
            ),
        )
        for goal in problem.objective.counted
    ]
    usable &= exceeding(numbers, above)
    rows = np.argwhere(usable)
    served = [number[usable] for number in numbers]
    moves = np.array([one.lengths[rows[:, row]] for row, one in enumerate(samples)])
    lengths = moves.max(axis=0) if furthest else moves.sum(axis=0)
    for counts in sorted(set(zip(*map(np.ndarray.tolist, served), strict=True)), reverse=True):
        same = np.flatnonzero(
            np.all([one == number for one, number in zip(served, counts, strict=True)], axis=0)
        )
        yield rows[same[np.argsort(lengths[same], kind="stable")[:MOST_COMPARED]]]


def _unlike(at: FloatArray, count: int, by: float) -> IntArray:
    """Return rows of up to `count` combinations (s, n, 2) that differ from all earlier ones by more than `by` inches in
    some model.
    """
    chosen = list[int]()
    left = np.arange(len(at))
    while len(left) and len(chosen) < count:
        chosen.append(int(left[0]))
        left = left[np.abs(at[left] - at[left[0]]).max(axis=(1, 2)) > by]
    return np.array(chosen, dtype=np.intp)


def _relaxed(
    solver: Solver, samples: list[Sample], rows: IntArray
) -> list[tuple[list[int], FloatArray]]:
    """Return combinations with places (n, 2): the best as they are, and those with the smallest violations after
    relaxation.

    Each step moves a model by its most violated distance constraint, as in the relaxation methods of Kaczmarz and of
    Agmon.
    """
    at = np.stack([one.candidates.at[rows[:, row]] for row, one in enumerate(samples)], axis=1)
    first = _unlike(at, MOST_RELAXED, 2.0 * FINEST)
    rows = rows[first]
    at = at[first]
    shortest = [
        (rows[one].tolist(), at[one].copy())
        for one in _unlike(at, COMBINATIONS_TRIED, SIMILAR_PLAN_DISTANCE)
    ]
    if not solver.problem.target_models.models.is_round:
        return shortest
    chosen = [one.candidates.of(rows[:, row]) for row, one in enumerate(samples)]
    lengths = np.stack([one.lengths[rows[:, row]] for row, one in enumerate(samples)], axis=1)
    fixed, low, high = _limits_to_fixed(solver, at, chosen, lengths)
    pairs = list(_limits_of_pairs(solver, at, chosen))
    goes = lengths > 0.0
    for _ in range(RELAXATIONS):
        broken = np.zeros(len(rows))
        for one, other, least, most in pairs:
            ahead, apart = directions(at[:, one], at[:, other])
            step = np.clip(apart, least, most) - apart
            at[:, one] += ahead * (step * goes[:, one])[:, None] / 2.0
            at[:, other] -= ahead * (step * goes[:, other])[:, None] / 2.0
            broken = np.maximum(broken, np.abs(step))
        ahead, apart = directions(at[:, :, None], fixed)
        steps = np.clip(apart, low, high) - apart
        worst = np.argmax(np.abs(steps), axis=2)[..., None]
        at += (
            (np.take_along_axis(ahead * steps[..., None], worst[..., None], axis=2)[:, :, 0])
            * goes[..., None]
        )
        broken = np.maximum(broken, np.abs(steps).max(axis=(1, 2)))
    order = np.argsort(broken, kind="stable")
    relaxed = [
        (rows[one].tolist(), at[one])
        for one in order[_unlike(at[order], COMBINATIONS_TRIED, SIMILAR_PLAN_DISTANCE)]
    ]
    return [one for pair in zip(relaxed, shortest, strict=False) for one in pair][
        :COMBINATIONS_TRIED
    ]


def _limits_to_fixed(
    solver: Solver, at: FloatArray, chosen: list[Candidates], lengths: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return fixed points (f, 2), and the least and greatest distances (s, n, f) in inches of models from them.

    The points are the foes, the models to keep out of range of, all bodies, and where the models begin.
    """
    problem = solver.problem
    legality = solver.legality
    z = np.stack([one.z for one in chosen], axis=1)
    foes = problem.target_models.models
    keep_out = legality.keep_out.models
    bodies = problem.bodies
    fixed = np.concatenate([foes.centres, keep_out.centres, bodies.centres, problem.models.centres])
    flush = legality.radii[legality.kind_numbers][:, None] + np.concatenate(
        [foes.radii, keep_out.radii, bodies.radii]
    )
    low = np.zeros((*at.shape[:2], len(fixed)))
    high = np.full((*at.shape[:2], len(fixed)), np.inf)
    count = len(foes.models)
    end = len(foes.models) + len(keep_out.models)
    last = flush.shape[1]
    low[..., count:end] = flush[:, count:end] + problem.engagement.horizontal + problem.clearance
    low[..., end:last] = np.where(
        np.abs(z[..., None] - bodies.heights) <= CONTACT, flush[:, end:], 0.0
    )
    for row, one in enumerate(chosen):
        gaps = point_distances(at[:, row], foes.centres) - flush[row, :count]
        for target in problem.target_numbers:
            foe = np.argmin(np.where(problem.target_index == target, gaps, np.inf), axis=1)
            most = np.where(
                one.touching & (gaps[np.arange(len(gaps)), foe] <= CONTACT),
                0.0,
                problem.engagement.horizontal,
            )
            who = np.flatnonzero(one.engaged[:, target])
            high[who, row, foe[who]] = (flush[row, foe] + most)[who]
        straight = np.hypot(*(at[:, row] - problem.models.centres[row]).T)
        high[:, row, last + row] = np.maximum(solver.limit - (lengths[:, row] - straight), 0.0)
    return fixed, low, high


def _limits_of_pairs(
    solver: Solver, at: FloatArray, chosen: list[Candidates]
) -> Iterator[tuple[int, int, FloatArray, FloatArray]]:
    """Yield pairs of models with the least and greatest distances (s,) in inches between them, linked by minimum
    spanning trees.
    """
    legality = solver.legality
    reach = solver.problem.coherency.horizontal
    radii = legality.radii[legality.kind_numbers]
    pairs = list(combinations(range(len(chosen)), 2))
    gaps = np.stack(
        [
            np.hypot(*(at[:, one] - at[:, other]).T) - radii[one] - radii[other]
            for one, other in pairs
        ]
    )
    trees = np.array(
        [
            [pair in tree or pair[::-1] in tree for pair in pairs]
            for tree in spanning_trees(len(chosen))
        ]
    )
    linked = trees[np.argmin(trees @ np.maximum(gaps, reach), axis=0)] & legality.asks("coherent")
    for number, (one, other) in enumerate(pairs):
        flush = radii[one] + radii[other]
        level = np.abs(chosen[one].z - chosen[other].z) <= CONTACT
        yield (
            one,
            other,
            np.where(level, flush, 0.0),
            np.where(linked[:, number], flush + reach, np.inf),
        )


def _plan(
    solver: Solver, samples: list[Sample], rows: list[int], at: FloatArray, *, furthest: bool
) -> PartialPlan | None:
    """Return the plan with all models placed, then shifted until all constraints hold; None if it is not complete."""
    assignment = solver.start
    for mover, (sample, row) in enumerate(zip(samples, rows, strict=True)):
        places = solver.legality.measured(
            int(sample.candidates.kind[row]), at[[mover]], sample.candidates.z[[row]]
        )
        assignment = assignment.with_model_at(mover, places, 0, float(sample.lengths[row]))
    ties = active_constraints(solver, assignment)
    near = polished(solver, assignment, ties, furthest=True, again=PULLED_AGAIN if furthest else 1)
    if (
        near is None
        and not solver.problem.target_models.models.is_round
        and assignment.is_complete()
        and is_apart(assignment)
    ):
        return assignment
    return near if near is None or furthest else polished(solver, assignment, ties) or near

"""Plans in which the unit is strung out between its targets: a tree of slots, each model sent to one, then all pulled into shape.

A foe of each target is joined to others by the shortest tree. Its nodes are slots beside the foes, one or, at its ends, two abreast;
as many as it takes stand along its branches. The models take the slots so that their moves are short.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
from scipy.optimize import linear_sum_assignment

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.placement.bounds import MOST_TARGETS
from tabletop.placement.candidates import Solver
from tabletop.placement.improve import MOST_SHIFTED, ActiveConstraints, polished
from tabletop.placement.partial_plan import PartialPlan

TREES_TRIED = 3
"""Trees tried, the shortest first."""

ANCHORS_TRIED = 4
"""Foes of a target, those nearest to the other targets, that a tree may join."""

CHAINS_TRIED = 30
"""Ways to string out the unit that are pulled into shape."""

POWERS = (1, 4)
"""Powers of its length by which a move counts where models are sent to slots: all moves together are to be short, or the longest."""

Tree = list[tuple[int, int]]
"""DistanceConstraints between targets, by number."""


@dataclass(frozen=True, eq=False)
class Slots:
    """Places (n, 2) for all models, which of them are linked (n, n), and the slot that engages each foe that a tree joins."""

    at: FloatArray
    linked: BoolArray
    engaging: list[tuple[int, int]]


def chained(solver: Solver) -> Iterator[PartialPlan | None]:
    """Make plans in which the unit is strung out between its targets, those whose models have the shortest way to their slots first."""
    problem, count = solver.problem, len(solver.options)
    is_asked = solver.asks("coherent") and problem.coherency.is_one_group and solver.legality.is_round
    if not is_asked or not 1 < len(problem.targets) <= min(count, MOST_TARGETS) or count > MOST_SHIFTED or solver.start.placed.any():
        return
    sent = [(slots, _slot_of(solver, slots, power)) for slots in _all_slots(solver) for power in POWERS]
    sent = list({(str(slots.engaging), slots.at.tobytes(), slot_of.tobytes()): (slots, slot_of) for slots, slot_of in sent}.values())
    for slots, slot_of in sorted(sent, key=lambda one: round(_longest(solver, *one), 6))[:CHAINS_TRIED]:
        yield _filled(solver, slots, slot_of)


def _all_slots(solver: Solver) -> Iterator[Slots]:
    """Lay slots along a few trees: as many behind each other as find room, or as few as reach; two abreast at the ends or not."""
    for foes, tree in _trees(solver):
        for is_long, engaging in product((True, False), product((0, -1, None), repeat=len(_ends(tree)))):
            doubled = {end: place for end, place in zip(_ends(tree), engaging, strict=True) if place is not None}
            slots = _slots(solver, foes, tree, doubled, is_long=is_long)
            if slots is not None:
                yield slots


def _slot_of(solver: Solver, slots: Slots, power: int) -> IntArray:
    """Return the slot (n,) to which each model is sent, so that powers of the lengths of their moves add up to least."""
    return np.asarray(linear_sum_assignment(_lengths(solver, slots) ** power)[1])


def _lengths(solver: Solver, slots: Slots) -> FloatArray:
    """Return the straight lengths (n, n) in inches of models' moves to slots."""
    aside = solver.problem.models.centres[:, None, :] - slots.at[None, :, :]
    return np.asarray(np.hypot(aside[..., 0], aside[..., 1]))


def _longest(solver: Solver, slots: Slots, slot_of: IntArray) -> float:
    """Return the longest of the straight moves of models to their slots, in inches."""
    return float(_lengths(solver, slots)[np.arange(len(slot_of)), slot_of].max())


def _trees(solver: Solver) -> list[tuple[list[int], Tree]]:
    """Give a foe of each target and the shortest tree that joins them, the shortest trees first."""
    problem = solver.problem
    centres, target_index = problem.target_models.models.centres, problem.target_index
    apart = np.hypot(*(centres[:, None, :] - centres[None, :, :]).transpose(2, 0, 1))
    aside = np.where(target_index[:, None] == target_index[None, :], np.inf, apart).min(axis=1)
    anchors = []
    for target in problem.target_numbers:
        own = np.flatnonzero(target_index == target)
        anchors.append(own[np.argsort(aside[own], kind="stable")][:ANCHORS_TRIED].tolist())
    trees = [(list(foes), _shortest_tree(apart[np.ix_(foes, foes)])) for foes in product(*anchors)]
    return sorted(trees, key=lambda one: sum(apart[one[0][first], one[0][second]] for first, second in one[1]))[:TREES_TRIED]


def _shortest_tree(apart: FloatArray) -> Tree:
    """Join points that are so far apart (n, n) by the shortest tree."""
    inside, tree = [0], Tree()
    while len(inside) < len(apart):
        outside = [one for one in range(len(apart)) if one not in inside]
        first, second = min(product(inside, outside), key=lambda link: float(apart[link]))
        inside.append(second)
        tree.append((first, second))
    return tree


def _ends(tree: Tree) -> list[int]:
    """Give the nodes of a tree from which one branch leads."""
    nodes = [node for link in tree for node in link]
    return [node for node in sorted(set(nodes)) if nodes.count(node) == 1]


def _slots(solver: Solver, foes: list[int], tree: Tree, doubled: dict[int, int], *, is_long: bool) -> Slots | None:
    """Lay slots for all models along a tree; None if there are too few models.

    At ends that are doubled two stand abreast, and the one of the place given, the first or the last, engages.

    As many stand behind each other as find room, if the chains are to be long, else as few as reach; the others stand abreast.
    """
    problem = solver.problem
    width, count = 2.0 * float(problem.models.radii.max()), len(solver.options)
    nodes = _nodes(solver, foes, tree)
    aheads = {end: nodes[other] - nodes[end] for link in tree for end, other in (link, link[::-1])}
    lengths = np.array([math.dist(nodes[first], nodes[second]) for first, second in tree])
    step = width if is_long else width + problem.coherency.horizontal
    room = np.maximum((np.floor if is_long else np.ceil)(lengths / step).astype(int) - 1, 0)
    between, left = np.zeros(len(tree), dtype=int), count - len(foes) - len(doubled)
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
        steps = [nodes[first] + (nodes[second] - nodes[first]) * (step + 1) / (some + 1) for step in range(some)]
        chain = [first, *range(len(layers), len(layers) + some), second]
        links += list(pairwise(chain))
        layers += [[step] for step in steps]
    _widen(layers, left, nodes[tree[0][1]] - nodes[tree[0][0]], width)
    return _joined(layers, links, foes, doubled)


def _nodes(solver: Solver, foes: list[int], tree: Tree) -> list[FloatArray]:
    """Give a place beside each foe, within half the range to engage it, on the side of those that it is joined to."""
    problem = solver.problem
    centres, radii = problem.target_models.models.centres[foes], problem.target_models.models.radii[foes]
    off = radii + float(problem.models.radii.max()) + problem.engagement.horizontal / 2.0
    ahead = np.zeros_like(centres)
    for first, second in tree:
        towards = (centres[second] - centres[first]) / max(math.dist(centres[first], centres[second]), 1e-9)
        ahead[first] += towards
        ahead[second] -= towards
    lengths = np.hypot(ahead[:, 0], ahead[:, 1])
    sideways = np.array([[-towards[1], towards[0]]])
    ahead = np.where(lengths[:, None] > 0.1, ahead / np.maximum(lengths, 0.1)[:, None], sideways)  # noqa: PLR2004 - else straight through
    return list(centres + ahead * off[:, None])


def _abreast(at: FloatArray, ahead: FloatArray, width: float, count: int) -> list[FloatArray]:
    """Lay so many slots beside each other."""
    left = np.array([-ahead[1], ahead[0]]) / max(math.hypot(*ahead), 1e-9)
    return [at + left * width * (number - (count - 1) / 2.0) for number in range(count)]


def _widen(layers: list[list[FloatArray]], left: int, ahead: FloatArray, width: float) -> None:
    """Lay the slots that are left beside others, where fewest are abreast, along the branches first."""
    for _ in range(left):
        layer = min(reversed(layers), key=len)
        middle = np.mean(layer, axis=0)
        layer[:] = _abreast(middle, ahead, width, len(layer) + 1)


def _joined(layers: list[list[FloatArray]], links: list[tuple[int, int]], foes: list[int], doubled: dict[int, int]) -> Slots:
    """Give the slots, layer by layer, and link those of layers that follow each other, and those side by side."""
    layer_of = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])
    aside = np.concatenate([np.arange(len(layer)) - (len(layer) - 1) / 2.0 for layer in layers])
    follow = np.zeros((len(layers), len(layers)), dtype=bool)
    for first, second in links:
        follow[first, second] = follow[second, first] = True
    apart = np.abs(aside[:, None] - aside[None, :])
    is_beside = (layer_of[:, None] == layer_of[None, :]) & (apart == 1.0)
    linked = is_beside | (follow[np.ix_(layer_of, layer_of)] & (apart <= 0.5))  # noqa: PLR2004 - one behind the other, or between two
    engaging = [(int(np.flatnonzero(layer_of == node)[doubled.get(node, 0)]), foe) for node, foe in enumerate(foes)]
    return Slots(np.concatenate(layers), linked, engaging)


def _filled(solver: Solver, slots: Slots, slot_of: IntArray) -> PartialPlan | None:
    """Send each model to its slot and pull all into shape; None if that makes no complete plan."""
    problem, legality, assignment = solver.problem, solver.legality, solver.start
    lengths = _lengths(solver, slots)
    for mover, slot in enumerate(slot_of.tolist()):
        places = legality.measured(int(legality.kind_numbers[mover]), slots.at[[slot]], problem.models.heights[[mover]])
        assignment = assignment.with_model_at(mover, places, 0, float(lengths[mover, slot]))
    model_of = np.argsort(slot_of)
    engaged = np.zeros((len(slot_of), len(problem.target_models.models.models)), dtype=bool)
    for slot, foe in slots.engaging:
        engaged[model_of[slot], foe] = True
    ties = ActiveConstraints(np.zeros_like(engaged), engaged, slots.linked[np.ix_(slot_of, slot_of)])
    return polished(solver, assignment, ties, furthest=True)

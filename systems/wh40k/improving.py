"""Plans made better step by step: models change places, and each in turn moves to its best place while the others stand."""

import numpy as np

from systems.wh40k.arena import Spots
from systems.wh40k.growing import both
from systems.wh40k.layout import Layout, keeping
from systems.wh40k.yard import Options, Yard
from tabletop.pose import FloatArray
from tabletop.solve.assignment import cheapest
from tabletop.units import CONTACT

ROUNDS = 8
"""Most rounds of moving each model once; a few are enough."""

GAIN = 1e-7
"""Inches by which a plan must be shorter to count as better."""


def improved(yard: Yard, layout: Layout, movable: list[int]) -> Layout:
    """Improve a complete plan until no single model and no exchange of places makes it better."""
    for _ in range(ROUNDS):
        before = layout.counts
        layout = exchanged(yard, layout, movable)
        for mover in movable:
            layout = _moved(yard, layout, mover)
        if not is_better(layout.counts, before):
            return layout
    return layout


def is_better(counts: tuple[int, int, float], others: tuple[int, int, float]) -> bool:
    """Tell whether a plan serves the goals better than another."""
    if counts[:2] != others[:2]:
        return counts[:2] > others[:2]
    return counts[2] > others[2] + GAIN


def exchanged(yard: Yard, layout: Layout, movable: list[int]) -> Layout:
    """Let models of one kind exchange places so that they move least in total."""
    for kind in np.unique(yard.arena.kind_numbers[movable]):
        who = np.array([mover for mover in movable if yard.arena.kind_numbers[mover] == kind])
        places = layout.spots.of(who)
        costs = np.stack([_costs(yard, int(mover), places) for mover in who])
        taken = cheapest(costs)
        if taken is None or costs[np.arange(len(who)), taken].sum() >= layout.lengths[who].sum() - GAIN:
            continue
        for mover, place in zip(who.tolist(), taken.tolist(), strict=True):
            row = int(np.flatnonzero(who == mover)[0])
            layout = layout.put(mover, places, place, float(costs[row, place]))
    return layout


def _costs(yard: Yard, mover: int, places: Spots) -> FloatArray:
    """Give the lengths (k,) in inches of a model's moves to places, infinite where it may not end there."""
    arena, stay = yard.arena, yard.stay(mover)
    lengths = arena.lengths(mover, places)
    lengths[lengths > arena.task.limit + CONTACT] = np.inf
    if not arena.task.asks("closer"):
        return lengths
    kind = arena.kinds[int(arena.kind_numbers[mover])]
    stays = np.full(len(lengths), stay is not None) & (lengths <= 0.0)
    lengths[~stays & ~arena.gained(mover, kind, places.at, places.z)] = np.inf
    return lengths


def _moved(yard: Yard, layout: Layout, mover: int) -> Layout:
    """Move one model to its best place while the others stand."""
    found = both(yard.options[mover], yard.around(layout.without(mover), mover))
    found = found.of(_hopeful(yard, layout, mover, found))
    if not len(found.spots):
        return layout
    kept = np.flatnonzero(keeping(layout, mover, found.spots))
    if not len(kept):
        return layout
    choice = int(kept[np.lexsort(_ranks(yard, found, kept))[0]])
    moved = layout.put(mover, found.spots, choice, float(found.lengths[choice]))
    return moved if is_better(moved.counts, layout.counts) else layout


def _ranks(yard: Yard, found: Options, kept: np.ndarray) -> tuple[np.ndarray, ...]:
    """Give sort keys of places, the last the first to be compared: contact, engagement, length."""
    engaged = found.spots.is_engaged & yard.arena.wants_engaged
    return found.lengths[kept], ~engaged[kept], ~found.spots.touching[kept]


def _hopeful(yard: Yard, layout: Layout, mover: int, found: Options) -> np.ndarray:
    """Tell which places could serve the goals better than where the model stands now."""
    touching, engaged = bool(layout.spots.touching[mover]), bool(layout.spots.engaged[mover].any())
    worth = found.spots.touching * 2 + (found.spots.is_engaged & yard.arena.wants_engaged)
    mine = touching * 2 + (engaged and yard.arena.wants_engaged)
    return np.asarray((worth > mine) | ((worth == mine) & (found.lengths < layout.lengths[mover] - GAIN)))

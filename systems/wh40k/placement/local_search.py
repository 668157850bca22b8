"""Plans made better step by step: models change places, and each in turn moves to its best place while the others stand."""

import numpy as np

from systems.wh40k.placement.assignment import Layout, keeping
from systems.wh40k.placement.candidates import Spots
from systems.wh40k.placement.reachable import Options, Yard
from tabletop.budget import Budget
from tabletop.geometry.pose import FloatArray
from tabletop.optimise.assignment import cheapest

ROUNDS, ROUNDS_OF_OTHERS = 8, 2
"""Most rounds of moving each model once, discs or others: those that are not take long, and a few rounds are enough."""

GAIN = 1e-7
"""Inches by which a plan must be shorter to count as better."""


def improved(yard: Yard, layout: Layout, movable: list[int], *, budget: Budget) -> Layout:
    """Improve a complete plan until no single model and no exchange of places makes it better, or the budget is spent."""
    stale = set(movable)
    for work in range(ROUNDS if yard.arena.is_round else ROUNDS_OF_OTHERS):
        if budget.is_spent(work):
            return layout
        before, exchanged_places = layout, exchanged(yard, layout, movable)
        stale |= _near(exchanged_places, layout, movable)
        layout = exchanged_places
        for mover in [mover for mover in movable if mover in stale]:
            if budget.is_spent(work):
                return layout
            moved = _moved(yard, layout, mover)
            stale.discard(mover)
            stale |= _near(moved, layout, movable) - {mover}
            layout = moved
        if layout is before:
            break
    return layout


def _near(layout: Layout, before: Layout, movable: list[int]) -> set[int]:
    """Give the models near to where others have left or gone."""
    changed = np.flatnonzero((layout.spots.at != before.spots.at).any(axis=1))
    if not len(changed):
        return set()
    places = np.concatenate([layout.spots.at[changed], before.spots.at[changed]])
    apart = layout.spots.at[movable][:, None, :] - places[None, :, :]
    reach = 2.0 * layout.arena.movers.radii.max() + layout.arena.task.scene.book.coherency_horizontal
    near = np.hypot(apart[..., 0], apart[..., 1]).min(axis=1) <= 2.0 * reach
    return {mover for mover, is_near in zip(movable, near, strict=True) if is_near}


def is_better(counts: tuple[int, int, float], others: tuple[int, int, float]) -> bool:
    """Tell whether a plan serves the goals better than another."""
    if counts[:2] != others[:2]:
        return counts[:2] > others[:2]
    return counts[2] > others[2] + GAIN


def exchanged(yard: Yard, layout: Layout, movable: list[int]) -> Layout:
    """Let models of one kind exchange places so that they move least in total."""
    models = yard.arena.movers.models
    for base in dict.fromkeys(models[mover].base for mover in movable):
        who = np.array([mover for mover in movable if models[mover].base == base])
        places = layout.spots.of(who)
        if _is_straight_best(yard, layout, who, places):
            continue
        costs = np.stack([move_lengths(yard, int(mover), places) for mover in who])
        taken = cheapest(costs)
        if taken is None or costs[np.arange(len(who)), taken].sum() >= layout.lengths[who].sum() - GAIN:
            continue
        for mover, place in zip(who.tolist(), taken.tolist(), strict=True):
            row = int(np.flatnonzero(who == mover)[0])
            layout = layout.put(mover, places, place, float(costs[row, place]))
    return layout


def _is_straight_best(yard: Yard, layout: Layout, who: np.ndarray, places: Spots) -> bool:
    """Tell whether no exchange helps even if all ways were straight."""
    aside = yard.arena.movers.centres[who][:, None, :] - places.at[None, :, :]
    straight = np.hypot(aside[..., 0], aside[..., 1])
    taken = cheapest(straight)
    return taken is not None and float(straight[np.arange(len(who)), taken].sum()) >= float(layout.lengths[who].sum()) - GAIN


def move_lengths(yard: Yard, mover: int, places: Spots) -> FloatArray:
    """Give the lengths (k,) in inches of a model's moves to places, infinite where it may not end there."""
    lengths = yard.costs(mover, places)
    if yard.stay(mover) is not None:
        here = (places.at == yard.arena.movers.centres[mover]).all(axis=1) & (places.z == yard.arena.movers.heights[mover])
        lengths[here] = 0.0
    return lengths


def _moved(yard: Yard, layout: Layout, mover: int) -> Layout:
    """Move one model to its best place while the others stand."""
    found = _better_places(yard, layout, mover)
    worth = _worth(yard, found.spots)
    kept = keeping(layout, mover, found.spots) if len(found.spots) else np.empty(0, dtype=bool)
    for rank in np.unique(worth[kept])[::-1]:
        picked = yard.pick(mover, found, kept & (worth == rank))
        if picked is not None:
            moved = layout.put(mover, found.spots, *picked)
            return moved if is_better(moved.counts, layout.counts) else layout
    return layout


def _better_places(yard: Yard, layout: Layout, mover: int) -> Options:
    """Give the places that could serve the goals better than where a model stands now, its way there not yet measured."""
    others, now, length = layout.without(mover), int(_worth(yard, layout.spots)[mover]), float(layout.lengths[mover])
    found = yard.options[mover].plus(yard.around(others, mover, near=length))
    if now < CONTACT_WORTH:
        found = found.plus(yard.around(others, mover, what="contact"))
    if now < ENGAGED_WORTH and yard.arena.wants_engaged:
        found = found.plus(yard.around(others, mover, what="engagement"))
    worth = _worth(yard, found.spots)
    return found.of((worth > now) | ((worth == now) & (found.lengths < length - GAIN)))


CONTACT_WORTH, ENGAGED_WORTH = 2, 1


def _worth(yard: Yard, spots: Spots) -> np.ndarray:
    """Rank spots (k,) by what they are to the goals."""
    engaged = spots.is_engaged & yard.arena.wants_engaged
    return np.asarray(np.where(spots.touching, CONTACT_WORTH, np.where(engaged, ENGAGED_WORTH, 0)))

"""Groups of models joined by others between them, each placed as near to the other group as it goes."""

import numpy as np

from systems.wh40k.conditions import is_one_group
from systems.wh40k.placement.assignment import Layout, groups
from systems.wh40k.placement.candidates import BoolArray
from systems.wh40k.placement.reachable import Yard
from tabletop.geometry.pose import FloatArray

ASKED = 4
"""Models, those nearest to the gap, that are tried for the next place of a bridge."""


def bridged(yard: Yard, layout: Layout) -> Layout:
    """Join the groups that placed models form, by models not placed yet, or else by some that are; as far as that goes."""
    task = yard.arena.task
    if not task.asks("coherent") or not is_one_group(task.scene, len(layout.placed)):
        return layout
    for _ in range(len(layout.placed)):
        if len(layout.who) < 2 or _number(layout).max() == 0:  # noqa: PLR2004
            return layout
        following = _one_more(yard, layout)
        if following is None:
            return layout
        layout = following
    return layout


def _number(layout: Layout) -> np.ndarray:
    """Give the number of the group of each placed model, in the order of `who`."""
    _, near = layout.meets(layout.spots.of(layout.who))
    return groups(near & ~np.eye(len(near), dtype=bool))


def _one_more(yard: Yard, layout: Layout) -> Layout | None:
    """Place one more model between the two groups that are nearest to each other; None if no model can come nearer."""
    own, other, apart = _nearest_groups(layout)
    middle = layout.spots.at[np.concatenate([own, other])].mean(axis=0)
    best: tuple[float, Layout] | None = None
    for mover in _asked(yard, layout, middle):
        found = _nearer(yard, layout, mover, own, other)
        if found is not None and (best is None or found[0] < best[0]):
            best = found
    return None if best is None or best[0] >= apart else best[1]


def _nearest_groups(layout: Layout) -> tuple[np.ndarray, np.ndarray, float]:
    """Give the rows of the two groups with the least gap between them, the smaller group first, and the gap in inches."""
    who, number = layout.who, _number(layout)
    gaps = layout.gaps_from(layout.spots.of(who))
    gaps[number[:, None] == number[None, :]] = np.inf
    one, two = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
    pair = sorted([number[one], number[two]], key=lambda group: int((number == group).sum()))
    return who[number == pair[0]], who[number == pair[1]], float(gaps[one, two])


def _asked(yard: Yard, layout: Layout, middle: FloatArray) -> list[int]:
    """Give the models to try: those not placed, else those in larger groups, that begin nearest to the gap."""
    apart = np.hypot(*(yard.arena.movers.centres - middle).T)
    free = np.flatnonzero(~layout.placed)
    if not len(free):
        free = np.flatnonzero(~yard.start.placed)
    return list(free[np.argsort(apart[free], kind="stable")][:ASKED].tolist())


def _nearer(yard: Yard, layout: Layout, mover: int, own: np.ndarray, other: np.ndarray) -> tuple[float, Layout] | None:
    """Place a model near one of two groups so that the gap to the other is least; give the gap in inches that is left."""
    without = layout.without(mover)
    found = yard.options[mover].plus(yard.around(without, mover))
    clear, near = without.meets(found.spots)
    gaps = without.gaps_from(found.spots)
    sides = [np.isin(without.who, rows) for rows in (own, other)]
    if not all(side.any() for side in sides):
        return None
    left = [np.where(near[:, side].any(axis=1) & clear, gaps[:, ~side & _among(sides)].min(axis=1), np.inf) for side in sides]
    remains = np.minimum(*left)
    joined = near[:, sides[0]].any(axis=1) & near[:, sides[1]].any(axis=1) & clear
    picked = yard.pick(mover, found, joined)
    if picked is not None:
        return 0.0, without.put(mover, found.spots, *picked)
    picked = yard.pick(mover, found, np.isfinite(remains), extra=WORTH * np.where(np.isfinite(remains), remains, 0.0))
    return None if picked is None else (float(remains[picked[0]]), without.put(mover, found.spots, *picked))


WORTH = 20.0
"""Inches moved that an inch less of a gap is worth."""


def _among(sides: list[BoolArray]) -> BoolArray:
    return np.asarray(sides[0] | sides[1])

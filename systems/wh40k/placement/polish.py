"""Plans pulled tight: all models shifted together, as little as possible, while what holds a plan together is kept.

What holds it together are distances: contacts, engagements, links of coherency, and gaps to keep. For discs in the open only;
whatever comes out is measured again before it counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from systems.wh40k.conditions import neighbours_asked
from systems.wh40k.placement.assignment import Layout
from systems.wh40k.placement.candidates import BoolArray, IntArray
from systems.wh40k.placement.reachable import Yard
from tabletop.geometry.pose import FloatArray
from tabletop.placement.polish import Links, least_moved
from tabletop.units import CONTACT

MOST_ENTRIES = 8
"""Ways tried to bring one more model into contact."""

MOST_SHIFTED = 12
"""Models that are shifted together: more take too long."""

NEAR = 0.75
"""Inches between models within which their gap is watched."""


@dataclass(frozen=True, eq=False)
class Ties:
    """What a plan must keep: which models touch which foes (n, m), which stay engaged with which (n, m), which are linked (n, n)."""

    touched: BoolArray
    engaged: BoolArray
    linked: BoolArray


def ties_of(yard: Yard, layout: Layout) -> Ties:
    """Give what holds a complete plan together: its contacts, an engagement with every target, its shortest links."""
    arena = yard.arena
    between = _foe_gaps(yard, layout)
    level = np.abs(layout.spots.z[:, None] - arena.foes.models.heights[None, :]) <= CONTACT
    touched = (np.abs(between) <= CONTACT) & level
    engaged = np.zeros_like(touched)
    spare = np.flatnonzero(layout.spots.is_engaged & ~layout.spots.touching & arena.wants_engaged)
    engaged[spare, np.argmin(between[spare], axis=1)] = True
    for target in range(len(arena.task.scene.targets)):
        own = arena.target_of == target
        if not (touched | engaged)[:, own].any():
            inside = np.where(own, between, np.inf)
            engaged[np.unravel_index(int(np.argmin(inside)), inside.shape)] = True
    return Ties(touched, engaged, links_of(yard, layout))


def first_ties(yard: Yard, engagers: Sequence[tuple[int, Sequence[int]]]) -> tuple[Layout, Ties]:
    """Give the unit as it begins, all in place, and what should hold it together if models engage the targets given for them."""
    arena, layout = yard.arena, yard.start
    for mover in np.flatnonzero(~layout.placed).tolist():
        centre, z = arena.movers.centres[[mover]], arena.movers.heights[[mover]]
        layout = layout.put(mover, arena.measured(int(arena.kind_numbers[mover]), centre, z), 0, 0.0)
    between = _foe_gaps(yard, layout)
    engaged = np.zeros(between.shape, dtype=bool)
    for mover, targets in engagers:
        for target in targets:
            engaged[mover, int(np.argmin(np.where(arena.target_of == target, between[mover], np.inf)))] = True
    return layout, Ties(np.zeros_like(engaged), engaged, links_of(yard, layout))


def _foe_gaps(yard: Yard, layout: Layout) -> FloatArray:
    arena = yard.arena
    rows = [
        arena.gauge.gaps_to(arena.kinds[kind], at[None], arena.foes.models)
        for kind, at in zip(layout.spots.kind, layout.spots.at, strict=True)
    ]
    return np.concatenate(rows)


def links_of(yard: Yard, layout: Layout) -> BoolArray:
    """Choose links (n, n): the tree of shortest gaps, then for each model its nearest others until it has enough."""
    count = len(layout.placed)
    chosen = np.zeros((count, count), dtype=bool)
    if not yard.arena.task.asks("coherent"):
        return chosen
    between = yard.arena.gauge.pair_gaps(layout.spots.kind, layout.spots.at, layout.spots.kind, layout.spots.at)
    np.fill_diagonal(between, np.inf)
    inside = np.zeros(count, dtype=bool)
    inside[0] = True
    for _ in range(count - 1):
        open_gaps = np.where(inside[:, None] & ~inside[None, :], between, np.inf)
        one, other = np.unravel_index(int(np.argmin(open_gaps)), open_gaps.shape)
        chosen[one, other] = chosen[other, one] = inside[other] = True
    for mover in range(count):
        for other in np.argsort(between[mover], kind="stable")[: neighbours_asked(yard.arena.task.scene, count)]:
            chosen[mover, other] = chosen[other, mover] = True
    return chosen


def stretched(yard: Yard, layout: Layout, ties: Ties, *, furthest: bool = False) -> Layout | None:
    """Shift all models that move so that the moves add up to least, or the longest is least; None if that makes no complete plan."""
    arena = yard.arena
    if not arena.is_round or not arena.foes.models.is_round:
        return None
    moving = np.flatnonzero(~yard.start.placed & ((layout.lengths > 0.0) | furthest))
    if not 0 < len(moving) <= MOST_SHIFTED:
        return None
    still = np.setdiff1d(np.arange(len(layout.placed)), moving)
    starts = arena.movers.centres[moving]
    fixed = np.concatenate([layout.spots.at[still], arena.foes.models.centres, arena.shunned.models.centres, starts])
    links = _distances(yard, layout, ties, moving, still, capped=not furthest)
    points = least_moved(starts, layout.spots.at[moving], fixed, links, furthest=furthest)
    return _settled(yard, layout, moving, points)


Row = tuple[int, int, float, float]
"""Two points by number, and the least and greatest distance between them in inches."""


def _distances(yard: Yard, layout: Layout, ties: Ties, moving: IntArray, still: IntArray, *, capped: bool) -> Links:
    """List the distances to keep; points are numbered: models that move, models that do not, foes, shunned models, starts."""
    arena, order = yard.arena, np.concatenate([moving, still])
    others = len(order) + len(arena.foes.models.models)
    rows = [(0, len(order), 0.0, np.inf)]
    for one in range(len(moving)):
        rows += [*_to_models(layout, ties, order, one), *_to_foes(layout, ties, order, one), *_to_shunned(layout, order, one, others)]
        if capped and layout.lengths[order[one]] > arena.task.limit - NEAR:
            rows.append((one, others + len(arena.shunned.models.models) + one, 0.0, arena.task.limit))
    first, second, lows, highs = (np.array(column) for column in zip(*rows, strict=True))
    return Links(first.astype(np.intp), second.astype(np.intp), lows.astype(float), highs.astype(float))


def _to_models(layout: Layout, ties: Ties, order: IntArray, one: int) -> Iterator[Row]:
    """Give the distances of a model to the models after it in the order: apart, and where they are linked not too far."""
    arena, at = layout.arena, layout.spots.at[order]
    radii = arena.radii[layout.spots.kind[order]]
    for other in range(one + 1, len(order)):
        flush, is_linked = radii[one] + radii[other], ties.linked[order[one], order[other]]
        if is_linked or np.hypot(*(at[one] - at[other])) < flush + NEAR:
            yield one, other, flush, flush + arena.task.scene.book.coherency_horizontal if is_linked else np.inf


def _to_foes(layout: Layout, ties: Ties, order: IntArray, one: int) -> Iterator[Row]:
    """Give the distances of a model to foes: flush with those that it touches, in range of those that it engages."""
    arena, mover = layout.arena, order[one]
    foes = arena.foes.models
    for number, (centre, radius) in enumerate(zip(foes.centres, foes.radii, strict=True)):
        flush, high = arena.radii[layout.spots.kind[mover]] + radius, np.inf
        if ties.touched[mover, number]:
            high = flush
        elif ties.engaged[mover, number]:
            high = flush + arena.task.scene.book.engagement_horizontal
        if np.isfinite(high) or np.hypot(*(layout.spots.at[mover] - centre)) < flush + NEAR:
            yield one, len(order) + number, flush, high


def _to_shunned(layout: Layout, order: IntArray, one: int, others: int) -> Iterator[Row]:
    """Give the distances of a model to models out of whose range it stays, numbered from `others` on."""
    arena, mover, shunned = layout.arena, order[one], layout.arena.shunned.models
    needed = arena.task.scene.book.engagement_horizontal + arena.task.scene.choices.clearance
    for number, (centre, radius) in enumerate(zip(shunned.centres, shunned.radii, strict=True)):
        low = arena.radii[layout.spots.kind[mover]] + radius + needed
        if np.hypot(*(layout.spots.at[mover] - centre)) < low + NEAR:
            yield one, others + number, low, np.inf


def _settled(yard: Yard, layout: Layout, moving: IntArray, points: FloatArray) -> Layout | None:
    """Put the models where they were shifted to; None if one may not end there or the plan is not complete."""
    for mover, point in zip(moving.tolist(), points, strict=True):
        spots = yard.arena.spots(int(layout.spots.kind[mover]), point[None], layout.spots.z[[mover]])
        if not len(spots):
            return None
        length = float(yard.costs(mover, spots)[0])
        if not np.isfinite(length):
            return None
        layout = layout.put(mover, spots, 0, length)
    return layout if layout.is_complete() and is_apart(layout) else None


def with_one_more_contact(yard: Yard, layout: Layout) -> Layout | None:
    """Bring one more model of a complete plan into contact and shift the others so that the plan stays complete; None if that fails."""
    ties = ties_of(yard, layout)
    best: Layout | None = None
    tries = 0
    for mover in np.argsort(yard.nearest_contact, kind="stable").tolist():
        if yard.start.placed[mover] or layout.spots.touching[mover]:
            continue
        for row in _entries(yard, mover):
            tries += 1
            if tries > MOST_ENTRIES:
                return best
            spots = yard.contacts(mover).spots
            moved = layout.put(mover, spots, row, float(yard.contacts(mover).lengths[row]))
            foe = int(
                np.argmin(np.abs(yard.arena.gauge.gaps_to(yard.arena.kinds[spots.kind[row]], spots.at[[row]], yard.arena.foes.models)))
            )
            touched, engaged = ties.touched.copy(), ties.engaged.copy()
            touched[mover, foe] = True
            engaged[mover, foe] = False
            found = stretched(yard, moved, Ties(touched, engaged, ties.linked))
            if found is not None and found.counts > (best or layout).counts:
                best = found
    return best


def _entries(yard: Yard, mover: int) -> list[int]:
    """Give the rows of a model's nearest places in contact, of each foe one."""
    found = yard.contacts(mover)
    order = np.argsort(found.lengths, kind="stable")
    if not len(order):
        return []
    between = yard.arena.gauge.gaps_to(yard.arena.kinds[int(yard.arena.kind_numbers[mover])], found.spots.at[order], yard.arena.foes.models)
    _, first = np.unique(np.argmin(np.abs(between), axis=1), return_index=True)
    return list(order[np.sort(first)].tolist())


def is_apart(layout: Layout) -> bool:
    """Tell whether no two models overlap."""
    gaps = layout.gaps_from(layout.spots)
    level = np.abs(layout.spots.z[:, None] - layout.spots.z[None, :]) <= CONTACT
    np.fill_diagonal(gaps, np.inf)
    return not bool(((gaps < -CONTACT) & level).any())

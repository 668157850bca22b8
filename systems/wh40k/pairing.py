"""Plans around models that engage different targets, their places chosen together so that links can join them."""

from collections.abc import Iterator

import numpy as np

from systems.wh40k.bounds import engagers
from systems.wh40k.growing import completed, manners
from systems.wh40k.layout import Layout
from systems.wh40k.rims import cut
from systems.wh40k.spots import joined_spots
from systems.wh40k.yard import Options, Yard
from tabletop.pose import FloatArray

SHARINGS = 4
"""Ways to share the targets among models of which places are chosen together."""

PAIRS = 12
"""Pairs of places tried of one way: those with the shortest moves in a straight line."""

STEP = 0.3
"""Inches between places looked at along the curves on which a target is just engaged, or touched."""


def paired(yard: Yard) -> Iterator[Layout | None]:
    """Make plans around two models that engage what they share of the targets, near enough to each other to be linked."""
    if not yard.arena.task.asks("coherent") or len(yard.options) == 1:
        return
    for _, sharing in engagers(yard)[:SHARINGS]:
        if len(sharing) > 1:
            (one, first), (other, second) = sharing[:2]
            for layout in _joined(yard, (one, first), (other, second)):
                yield completed(yard, layout, manners(1)[0])


def _joined(yard: Yard, one: tuple[int, list[int]], other: tuple[int, list[int]]) -> Iterator[Layout]:
    """Place two models so that they engage their targets and chains of the rest can join them, shortest moves first."""
    if yard.start.placed[[one[0], other[0]]].any():
        return
    (mover, its), (mate, others) = (one[0], _places(yard, *one)), (other[0], _places(yard, *other))
    book, arena = yard.arena.task.scene.book, yard.arena
    gaps = arena.gauge.pair_gaps(its.spots.kind, its.spots.at, others.spots.kind, others.spots.at)
    most = book.coherency_horizontal + (len(yard.options) - 2) * (book.coherency_horizontal + 2.0 * float(arena.movers.radii.min()))
    costs = np.where((gaps >= 0.0) & (gaps <= most), its.lengths[:, None] + others.lengths[None, :], np.inf)
    for pair in np.argsort(costs, axis=None, kind="stable")[:PAIRS].tolist():
        row, column = divmod(pair, costs.shape[1])
        lengths = _lengths(yard, mover, its, row), _lengths(yard, mate, others, column)
        if np.isfinite(costs[row, column]) and np.isfinite(lengths).all():
            yield yard.start.put(mover, its.spots, row, lengths[0]).put(mate, others.spots, column, lengths[1])


def _lengths(yard: Yard, mover: int, found: Options, row: int) -> float:
    return float(yard.costs(mover, found.spots.of(np.array([row])))[0])


def _places(yard: Yard, mover: int, targets: list[int]) -> Options:
    """Give places at which a model engages targets: its special ones, and others along the curves."""
    arena, parts = yard.arena, [yard.options[mover].spots]
    for number in arena.kinds_of[mover]:
        for field in yard.fields[number]:
            at: FloatArray = np.concatenate([cut(track, STEP).middles for track in (field.contact, field.engagement)])
            parts.append(arena.spots(number, at, np.full(len(at), field.surface.z)))
    spots = joined_spots(parts)
    return yard.unmeasured(mover, spots.of(np.asarray(spots.engaged[:, targets].all(axis=1))), arena.task.limit)

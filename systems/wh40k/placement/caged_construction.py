"""Plans that begin with models that have hardly any room, the others placed around them.

A model in a cage or a dead end gets to none of the places at which others engage a target. Whoever is placed first may then be too
far from it; so it is placed first, where it stands or elsewhere in what room it has.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from systems.wh40k.placement.assignment import Layout
from systems.wh40k.placement.confinement import room_about
from systems.wh40k.placement.construction import completed, grown, manners
from systems.wh40k.placement.pockets import pocket
from systems.wh40k.placement.reachable import Options, Yard
from systems.wh40k.placement.spanning_tree_bound import FEW

ENDS = 4
"""Ends tried of a model that is placed first: the shortest move, that nearest to a foe, and those farthest from these."""

STARTS = 12
"""Ways tried to place all such models first."""


def from_caged(yard: Yard) -> Iterator[Layout | None]:
    """Make plans that begin with the models that reach no place from which to engage a target, the others placed around them."""
    caged = [mover for mover in range(len(yard.options)) if not yard.start.placed[mover] and _is_caged(yard, mover)]
    if not caged or len(caged) == len(yard.options):
        return
    manner = manners(1)[0]
    for layout in _starts(yard, caged):
        yield grown(yard, layout, manner)
        yield completed(yard, _engaging(yard, layout), manner)


def _is_caged(yard: Yard, mover: int) -> bool:
    """Tell whether a model gets hardly anywhere, or, of few, that it can engage nobody: it may be in a dead end."""
    if len(yard.options) > FEW:
        return math.isfinite(room_about(yard.arena, mover, yard.arena.task.limit))
    return math.isinf(yard.shortest(mover, yard.options[mover].spots.is_engaged))


def _starts(yard: Yard, caged: Sequence[int]) -> Iterator[Layout]:
    """Place the models that are caged each at one of a few of its ends, in all ways in which they are clear of each other."""
    layouts = [yard.start]
    for mover in caged:
        found = _ends(yard, mover)
        layouts = [layout for before in layouts[:STARTS] for layout in _with_one(before, mover, found)]
    yield from layouts[:STARTS]


def _with_one(layout: Layout, mover: int, found: Options) -> Iterator[Layout]:
    """Place a model at each of some ends that are clear of the models placed."""
    clear, _ = layout.meets(found.spots)
    for end in np.flatnonzero(clear).tolist():
        yield layout.put(mover, found.spots, end, float(found.lengths[end]))


def _ends(yard: Yard, mover: int) -> Options:
    """Choose a few ends of a model near it: the shortest move, the one nearest to a foe, then always the farthest from those."""
    found = pocket(yard, mover)
    lengths = found.lengths.copy()
    lengths[~found.known] = yard.costs(mover, found.spots.of(~found.known))
    able = np.flatnonzero(np.isfinite(lengths))
    found = Options(found.spots.of(able), lengths[able], np.ones(len(able), dtype=bool), found.rows[able])
    if not len(able):
        return found
    foes = yard.arena.foes.models.centres
    to_foes = np.hypot(*(found.spots.at[:, None, :] - foes[None, :, :]).transpose(2, 0, 1)).min(axis=1)
    chosen = list(dict.fromkeys([int(np.argmin(found.lengths)), int(np.argmin(to_foes))]))
    while len(chosen) < min(ENDS, len(able)):
        aside = found.spots.at[:, None, :] - found.spots.at[chosen][None, :, :]
        chosen.append(int(np.argmax(np.hypot(aside[..., 0], aside[..., 1]).min(axis=1))))
    kept = np.array(list(dict.fromkeys(chosen)))
    return Options(found.spots.of(kept), found.lengths[kept], found.known[kept], found.rows[kept])


def _engaging(yard: Yard, layout: Layout) -> Layout:
    """Place models that engage the targets nobody engages yet, each within coherency of those placed, moving least."""
    for target in range(len(yard.arena.task.scene.targets)):
        if not layout.spots.engaged[layout.placed][:, target].any():
            layout = _engaging_one(yard, layout, target) or layout
    return layout


def _engaging_one(yard: Yard, layout: Layout, target: int) -> Layout | None:
    best: tuple[float, Layout] | None = None
    for mover in np.flatnonzero(~layout.placed).tolist():
        found = yard.options[mover].plus(yard.around(layout, mover, what="engagement"))
        clear, near = layout.meets(found.spots)
        picked = yard.pick(mover, found, np.asarray(clear & near.any(axis=1) & found.spots.engaged[:, target]))
        if picked is not None and (best is None or picked[1] < best[0]):
            best = (picked[1], layout.put(mover, found.spots, *picked))
    return None if best is None else best[1]

"""Plans made model by model: first those that can be in contact, each near the ones before it, then the rest behind them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from systems.wh40k.conditions import is_one_group, neighbours_asked
from systems.wh40k.placement.assignment import Layout
from systems.wh40k.placement.bridge_construction import bridged
from systems.wh40k.placement.pockets import pocket
from systems.wh40k.placement.reachable import Options, Yard

BY_CHANCE = 0.3
"""How much of an order or a choice chance decides, beside inches."""


@dataclass(frozen=True, eq=False)
class Manner:
    """How one plan is made: what comes first among models and places, with a share of chance.

    `hardest_first` orders models in contact by how little reach they have to spare, `tight` is the worth in inches of touching
    a model placed before, `joined` whether each model must be near one placed before.
    """

    chance: np.random.Generator
    hardest_first: bool
    tight: float
    joined: bool
    noise: float


def manners(count: int) -> list[Manner]:
    """Give a fixed list of manners: the plain ones first, then some by chance."""
    chance = np.random.default_rng(20)
    plain = [Manner(chance, hardest, tight, joined=True, noise=0.0) for hardest in (False, True) for tight in (0.0, 1.0)]
    drawn = [
        Manner(chance, hardest_first=number % 2 == 0, tight=float(chance.random() * 2.0), joined=number % 5 > 0, noise=BY_CHANCE)
        for number in range(max(0, count - len(plain)))
    ]
    return [*plain, *drawn][:count]


def grown(yard: Yard, start: Layout, manner: Manner) -> Layout | None:
    """Make a plan in some manner; None if a model finds no place or the plan is not complete."""
    return completed(yard, _with_contacts(yard, start, manner), manner)


def from_sharing(yard: Yard, sharing: Sequence[tuple[int, Sequence[int]]], manner: Manner) -> Layout | None:
    """Make a plan around the models that engage the targets given for them; None if one finds no place or the plan is not complete."""
    layout = yard.start
    for mover, targets in sharing:
        if layout.placed[mover]:
            continue
        found = yard.options[mover]
        clear, _ = layout.meets(found.spots)
        picked = yard.pick(mover, found, np.asarray(clear & found.spots.engaged[:, list(targets)].all(axis=1)))
        if picked is None:
            return None
        layout = layout.put(mover, found.spots, *picked)
    return completed(yard, _with_contacts(yard, layout, manner), manner) or completed(yard, layout, manner)


def completed(yard: Yard, layout: Layout, manner: Manner) -> Layout | None:
    """Place the models that are not placed yet, behind those that are; None if one finds no place or the plan is not complete."""
    layout = bridged(yard, _accompanied(yard, bridged(yard, _with_targets(yard, layout, manner))))
    for mover in _from_the_front(layout):
        following = _with_spare(yard, layout, mover)
        if following is None:
            return None
        layout = following
    return layout if layout.is_complete() else None


def _with_contacts(yard: Yard, layout: Layout, manner: Manner) -> Layout:
    """Place models in base contact, one after the other; those that find no place near the others are asked again later."""
    able = [mover for mover in range(len(layout.placed)) if not layout.placed[mover] and np.isfinite(yard.nearest_contact[mover])]
    waiting = _in_order(yard, able, manner)
    while waiting:
        later = []
        for mover in waiting:
            following = _with_contact(yard, layout, mover, manner)
            if following is None:
                later.append(mover)
            else:
                layout = following
        if len(later) == len(waiting):
            return layout
        waiting = later
    return layout


def _in_order(yard: Yard, able: Sequence[int], manner: Manner) -> list[int]:
    spare = [yard.nearest_contact[mover] * (1.0 + manner.noise * manner.chance.standard_normal()) for mover in able]
    order = np.argsort(spare, kind="stable")
    return [able[place] for place in (order[::-1] if manner.hardest_first else order)]


def _with_contact(yard: Yard, layout: Layout, mover: int, manner: Manner) -> Layout | None:
    found = yard.contacts(mover)
    if layout.placed.any():
        found = found.plus(yard.around(layout, mover, what="contact"))
    clear, near = layout.meets(found.spots)
    usable = clear & found.spots.touching
    if manner.joined and layout.placed.any():
        usable &= near.any(axis=1)
    flush = (layout.gaps_from(found.spots) <= FLUSH).sum(axis=1)
    bias = manner.noise * manner.chance.standard_normal(len(usable)) - manner.tight * flush
    picked = yard.pick(mover, found, usable, extra=bias)
    return None if picked is None else layout.put(mover, found.spots, *picked)


FLUSH = 1e-6
"""Inches between models that touch."""


def _with_targets(yard: Yard, layout: Layout, manner: Manner) -> Layout:
    """Place the model that gets there most easily within engagement range of each target that is not engaged yet."""
    for target in range(len(yard.arena.task.scene.targets)):
        if layout.spots.engaged[layout.placed][:, target].any():
            continue
        best: tuple[float, int, Options, int] | None = None
        for mover in np.flatnonzero(~layout.placed).tolist():
            found = yard.options[mover]
            clear, near = layout.meets(found.spots)
            usable = clear & found.spots.engaged[:, target]
            if manner.joined and (usable & near.any(axis=1)).any():
                usable &= near.any(axis=1)
            picked = yard.pick(mover, found, usable)
            if picked is not None and (best is None or picked[1] < best[0]):
                best = (picked[1], mover, found, picked[0])
        if best is not None:
            layout = layout.put(best[1], best[2].spots, best[3], best[0])
    return layout


def _accompanied(yard: Yard, layout: Layout) -> Layout:
    """Place models beside those placed that have fewer neighbours than they must have; take up again those that none gets to."""
    if not yard.arena.task.asks("coherent"):
        return layout
    asked, tried = neighbours_asked(yard.arena.task.scene, len(layout.placed)), set[int]()
    while not layout.placed.all():
        _, near = layout.meets(layout.spots.of(layout.who))
        lonely = [one for one in layout.who[near.sum(axis=1) - 1 < asked].tolist() if one not in tried]
        if not lonely:
            break
        following = _with_neighbour(yard, layout, lonely[0], asked)
        if following is None:
            tried.add(lonely[0])
            layout = layout if yard.start.placed[lonely[0]] else layout.without(lonely[0])
        else:
            layout = following
    return layout


def _with_neighbour(yard: Yard, layout: Layout, lonely: int, asked: int) -> Layout | None:
    """Place the model that gets beside a placed one with the least movement, if it can where it has neighbours enough itself."""
    rest, row = np.flatnonzero(~layout.placed), int(np.flatnonzero(layout.who == lonely)[0])
    aside = yard.arena.movers.centres[rest] - layout.spots.at[lonely]
    best: tuple[float, Layout] | None = None
    for mover in rest[np.argsort(np.hypot(aside[:, 0], aside[:, 1]), kind="stable")[:ASKED]].tolist():
        found = yard.options[mover].plus(yard.around(layout, mover))
        clear, near = layout.meets(found.spots)
        usable, enough = clear & near[:, row], near.sum(axis=1) >= asked
        picked = yard.pick(mover, found, usable & enough) or yard.pick(mover, found, usable)
        if picked is not None and (best is None or picked[1] < best[0]):
            best = (picked[1], layout.put(mover, found.spots, *picked))
    return None if best is None else best[1]


ASKED = 4
"""Models, the nearest, that are tried beside one that has too few neighbours."""


def _from_the_front(layout: Layout) -> list[int]:
    """Give the models not placed, those nearest to placed ones first."""
    rest = np.flatnonzero(~layout.placed)
    if not layout.placed.any():
        return list(rest.tolist())
    apart = layout.arena.movers.centres[rest][:, None, :] - layout.spots.at[layout.who][None, :, :]
    order = np.argsort(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1), kind="stable")
    return list(rest[order].tolist())


def _with_spare(yard: Yard, layout: Layout, mover: int) -> Layout | None:
    """Place a model that is not in contact: engaged if it can be, near enough to the others, moving least; else near where it begins."""
    special = yard.options[mover].plus(yard.around(layout, mover))
    return _beside(yard, layout, mover, special) or _beside(yard, layout, mover, pocket(yard, mover))


def _beside(yard: Yard, layout: Layout, mover: int, found: Options) -> Layout | None:
    """Place a model at one of some places, as far as it is near enough to the others."""
    clear, near = layout.meets(found.spots)
    usable = clear.copy()
    if yard.arena.task.asks("coherent") and layout.placed.any():
        asked = min(neighbours_asked(yard.arena.task.scene, len(layout.placed)), len(layout.who))
        enough, some = usable & (near.sum(axis=1) >= asked), usable & near.any(axis=1)
        is_alone = not some.any() and not is_one_group(yard.arena.task.scene, len(layout.placed))
        usable = usable if is_alone else enough if enough.any() else some
    picked = None
    if yard.arena.wants_engaged:
        picked = yard.pick(mover, found, usable & found.spots.is_engaged)
    picked = picked or yard.pick(mover, found, usable)
    return None if picked is None else layout.put(mover, found.spots, *picked)

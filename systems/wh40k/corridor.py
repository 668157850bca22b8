"""What leaves a round base no way to its target: the gap that would have to be wider, and between whom it is."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from systems.wh40k.feasibility import ChargeFeasibility
from systems.wh40k.scene import Scene
from tabletop.budget import is_explained
from tabletop.errors import NoVerdictError
from tabletop.fronts.obstacle import BOARD_EDGE
from tabletop.geometry.distance import gap
from tabletop.table.models import RoundBase
from tabletop.units import MARGINAL

MOST_BODIES = 50
"""Models and pieces of terrain up to which all gaps between two are looked at."""


@dataclass(frozen=True, order=True)
class Narrow:
    """Two bodies, or one and the board's edge, by name, and the gap between them in inches."""

    gap: float
    first: str
    second: str


def too_narrow(feasibility: ChargeFeasibility) -> Narrow | None:
    """Find the gap by which a single round base without any way gets to its one target as soon as it is narrow enough for it.

    A narrower base gets wherever a wider one does and, nearer to its near side, is engaged there too. So one gap divides the widths that
    do from those that do not. None where that is not proved of one gap alone.
    """
    scene = feasibility.scene
    if len(scene.charger.models) > 1 or len(scene.targets) > 1 or not is_explained():
        return None
    base = scene.charger.models[0].base
    if not isinstance(base, RoundBase):
        return None
    widest_first = sorted((one for one in _gaps(scene) if 2.0 * MARGINAL < one.gap < base.diameter), reverse=True)
    with suppress(NoVerdictError):
        number = bisect_left(widest_first, x=True, key=lambda one: _passes(feasibility, one.gap - MARGINAL))
        near = widest_first[max(number - 1, 0) : number + 2]
        is_alone = all(one.gap - other.gap > 2.0 * MARGINAL for one, other in pairwise(near))
        if number < len(widest_first) and is_alone and not _passes(feasibility, widest_first[number].gap + MARGINAL):
            return widest_first[number]
    return None


def _passes(feasibility: ChargeFeasibility, width: float) -> bool:
    """Return whether a base of another width gets into engagement range."""
    charger, budget = feasibility.scene.charger, feasibility.budget
    narrow = tuple(replace(model, base=RoundBase(width)) for model in charger.models)
    least = ChargeFeasibility(feasibility.scene.with_charger(replace(charger, models=narrow)), budget).least("engaged")
    if budget.is_spent(0) or least.bound < least.distance == float("inf"):
        raise NoVerdictError("it is not known whether a base of {width:.4g} in passes", width=width)
    return least.distance < float("inf")


def _gaps(scene: Scene) -> Iterator[Narrow]:
    bodies = [(unit.name, model.footprint) for unit in scene.others for model in unit.models]
    bodies += [(piece.name, piece.shape) for piece in scene.solids]
    if len(bodies) > MOST_BODIES:
        return
    for name, shape in bodies:
        west, south, east, north = shape.bounds
        for room in (west, south, scene.state.board.width - east, scene.state.board.depth - north):
            yield Narrow(room, name, BOARD_EDGE)
    for (first, one), (second, other) in combinations(bodies, 2):
        yield Narrow(gap(one, other), first, second)

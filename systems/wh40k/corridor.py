"""Explanation of why a round base cannot reach its target: the gap that is too narrow, and the two bodies that form
it.
"""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, pairwise

from systems.wh40k.feasibility import ChargeFeasibility
from systems.wh40k.scene import Scene
from tabletop.budget import explains
from tabletop.errors import NoVerdictError
from tabletop.fronts.obstacle import BOARD_EDGE
from tabletop.geometry.distance import gap
from tabletop.messages import say
from tabletop.ruling.finding import Finding
from tabletop.table.models import RoundBase
from tabletop.units import MARGINAL

MOST_BODIES = 50
"""Number of models and pieces of terrain up to which all gaps between pairs are examined."""


def by_gap(feasibility: ChargeFeasibility, never: Finding) -> Finding:
    """Return the finding `never` (no move reaches the target), with the gap that is too narrow for a single round base,
    if known.

    A narrower base gets wherever a wider one does, so one gap divides the widths of bases that pass from those that do
    not; it is found by bisection. `never` is returned unchanged for other chargers, and if it is not proved that a
    single gap decides.
    """
    scene = feasibility.scene
    base = scene.charger.models[0].base
    if len(scene.charger.models) > 1 or not isinstance(base, RoundBase) or not explains():
        return never
    widest_first = sorted(
        (one for one in _gaps(scene) if 2.0 * MARGINAL < one[0] < base.diameter), reverse=True
    )
    with suppress(NoVerdictError):
        number = bisect_left(
            widest_first, x=True, key=lambda one: _passes(feasibility, one[0] - MARGINAL)
        )
        near = widest_first[max(number - 1, 0) : number + 2]
        is_alone = all(one[0] - other[0] > 2.0 * MARGINAL for one, other in pairwise(near))
        if (
            number < len(widest_first)
            and is_alone
            and not _passes(feasibility, widest_first[number][0] + MARGINAL)
        ):
            apart, first, second = widest_first[number]
            parts = {
                "text": never.text,
                "first": first,
                "second": second,
                "gap": apart,
                "width": base.diameter,
            }
            text = say(
                "{text} {first} and {second} are {gap:.4g} in apart; the base that has to pass between them is "
                "{width:.4g} in wide.",
                **parts,
            )
            return replace(
                never, text=text, measured=apart, limit=base.diameter, margin=apart - base.diameter
            )
    return never


def _passes(feasibility: ChargeFeasibility, width: float) -> bool:
    """Return whether the charger could get into engagement range on a round base of this width, in inches.

    Raises NoVerdictError if the search ends before that is known.
    """
    charger = feasibility.scene.charger
    budget = feasibility.budget
    narrow = tuple(replace(model, base=RoundBase(width)) for model in charger.models)
    least = ChargeFeasibility(
        feasibility.scene.with_charger(replace(charger, models=narrow)), budget
    ).least("engaged")
    if budget.is_spent(0) or least.bound < least.distance == float("inf"):
        raise NoVerdictError("it is not known whether a base of {width:.4g} in passes", width=width)
    return least.distance < float("inf")


def _gaps(scene: Scene) -> Iterator[tuple[float, str, str]]:
    """Yield each gap in inches, with the names of the two bodies that form it, or of one body and the board's edge."""
    bodies = [(unit.name, model.footprint) for unit in scene.others for model in unit.models]
    bodies += [(piece.name, piece.shape) for piece in scene.solids]
    if len(bodies) > MOST_BODIES:
        return
    for name, shape in bodies:
        west, south, east, north = shape.bounds
        for room in (west, south, scene.state.board.width - east, scene.state.board.depth - north):
            yield room, name, BOARD_EDGE
    for (first, one), (second, other) in combinations(bodies, 2):
        yield gap(one, other), first, second

"""One charge solved: which facing, which place, and why there is none if there is none."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from systems.t9a.aligned import AlignedPlace, Front, aligned_place
from systems.t9a.scene import Scene
from tabletop.contact import FACINGS, FacingName, arcs_of
from tabletop.errors import NoVerdictError
from tabletop.motion import blocked_slide
from tabletop.ruling import Finding
from tabletop.solve.budget import Budget
from tabletop.solve.intervals import Intervals
from tabletop.solve.reach import reach
from tabletop.units import CONTACT


@dataclass(frozen=True)
class Solution:
    """How a charge would go: the facings that may be taken, and the place; without one, the findings that say why not."""

    fronts: tuple[Front, ...]
    place: AlignedPlace | None
    obstacles: tuple[Finding, ...] = ()


def solve(scene: Scene, *, budget: Budget, facings: Sequence[FacingName] | None = None) -> Solution:
    """Find the aligned place that the rules demand, on the facings given or else on those the charger may take from here.

    Raises
    ------
    NoVerdictError
        If no aligned place exists but the rules go on with moves that are not modelled: unaligned charges and Blocked Path.
    """
    fronts = tuple(Front(scene, name) for name in facings or facings_allowed(scene))
    places = [place for front in fronts if (place := aligned_place(front, budget=budget)) is not None]
    if places:
        return Solution(fronts, min(places, key=_preference))
    charger, target = scene.charger.name, scene.target.name
    if any(_is_reached(front, budget=budget) for front in fronts):
        message = f"{charger} can reach {target} but nowhere stand aligned: unaligned charges are not modelled yet"
        raise NoVerdictError(message)
    if is_first_ahead(scene):
        message = f"{charger} has {target} straight ahead and cannot reach the facing it must charge: Blocked Path is not modelled yet"
        raise NoVerdictError(message)
    return Solution(fronts, None, tuple(_unreached(front) for front in fronts))


def facings_allowed(scene: Scene) -> tuple[FacingName, ...]:
    """Give the facings that may be charged: one, or on a dividing line two unless the flank must be taken."""
    arcs = arcs_of(scene.target, scene.charger.pose.at)
    if len(arcs) > 1 and scene.choices.arc_tie == "flank":
        return tuple(name for name in arcs if name in ("left", "right"))
    return arcs


def _preference(place: AlignedPlace) -> tuple[float, ...]:
    return (*(-value for value in place.values), FACINGS.index(place.front.name))


def _is_reached(front: Front, *, budget: Budget) -> bool:
    """Tell whether any legal move meets the facing at all."""

    def interest(reached: Intervals) -> Intervals:
        return () if front.usable(reached) else ((0.0, front.facing.length),)

    return bool(front.usable(reach(front.approach, interest=interest, budget=budget).intervals))


def _unreached(front: Front) -> Finding:
    text = f"No forward, wheel, forward move meets {front.scene.target.name} first on its {front.name}."
    return Finding("t9a.move.first-contact", ok=False, text=text)


def is_first_ahead(scene: Scene) -> bool:
    """Tell whether the front, moved straight forward, would hit the target before any other unit or impassable terrain."""
    charger = scene.charger
    front = np.array([charger.front_left, charger.front_right])

    def distance(pieces: tuple[np.ndarray, ...], radius: float) -> float:
        stretches = [blocked_slide(front, piece, direction=charger.pose.forward, needed=radius) for piece in pieces]
        return min((stretch[0] for stretch in stretches if stretch is not None and stretch[1] > CONTACT), default=math.inf)

    to_target = distance(scene.target.boundary.pieces, 0.0)
    others = [distance(obstacle.shape.pieces, obstacle.shape.radius) for obstacle in scene.obstacles]
    return math.isfinite(to_target) and all(to_target <= other + CONTACT for other in others)

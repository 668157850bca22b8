"""Solution of one charge: the facing and the place, or the reasons why there is none.

Blocked Path opens other facings where the target is straight ahead and its proper facing cannot be reached.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Union

import numpy as np
import shapely

from systems.t9a.aligned import AlignedPlace, aligned_place
from systems.t9a.scene import Front, Scene
from tabletop.budget import Budget, explains
from tabletop.fronts.reach import reach
from tabletop.geometry.motion import blocked_slide
from tabletop.geometry.shape import Shape
from tabletop.messages import listed, say
from tabletop.optimise.interval import Intervals
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.table.facing import FACING_WORDS, FACINGS, FacingName, arcs_of, facing_of, touches
from tabletop.units import CONTACT

if TYPE_CHECKING:
    from systems.t9a.barring import Bar
    from systems.t9a.unaligned import UnalignedPlace

Place = Union[AlignedPlace, "UnalignedPlace"]

ENOUGH_TO_EXPLAIN = 20_000
"""Budget for explaining why there is no place; that there is none is already known."""

ADJACENT_FACINGS: dict[FacingName, tuple[FacingName, ...]] = {
    "front": ("left", "right"),
    "rear": ("left", "right"),
    "left": ("front", "rear"),
    "right": ("front", "rear"),
}


@dataclass(frozen=True)
class Solution:
    """Solution of a charge.

    Attributes
    ----------
    fronts
        The charger against each facing whose arc it is in.
    place
        The place taken, None if there is none.
    findings
        Why these facings have no place, and how Blocked Path applies.
    bar
        An obstacle that blocks the place at these facings.
    """

    fronts: tuple[Front, ...]
    place: Place | None
    findings: tuple[Finding, ...] = ()
    bar: "Bar | None" = None

    @property
    def is_proved(self) -> bool:
        """Whether no limit ended the search for the place."""
        return self.place is None or self.place.proof != "best_found"

    @property
    def is_by_blocked_path(self) -> bool:
        """Whether the place is at a facing that only Blocked Path opens."""
        return self.place is not None and self.place.front not in self.fronts

    @property
    def facings(self) -> tuple[FacingName, ...]:
        """Names of the facings for later solutions of the same charge: those of the arcs, or the one chosen by Blocked
        Path.
        """
        names = tuple(front.name for front in self.fronts)
        return (
            names
            if self.place is None or self.place.front.name in names
            else (self.place.front.name,)
        )


def solve(
    scene: Scene,
    *,
    budget: Budget,
    facings: Sequence[FacingName] | None = None,
    may_take_blocked_path: bool = True,
) -> Solution:
    """Return the facing and the place that the rules demand: aligned, else unaligned, else by Blocked Path.

    `facings` limits the facings that may be charged; by default they are all whose arcs contain the charger. Raises
    NoVerdictError if the budget ends the search before a place is found or excluded.
    """
    fronts = tuple(Front(scene, name) for name in facings or facings_allowed(scene))
    place = _best_place(fronts, budget)
    if place is not None:
        return Solution(fronts, place)
    from systems.t9a.barring import bar_of

    names = [front.name for front in fronts]
    reasons = (
        tuple(reason for front in fronts for reason in _reasons(front, budget))
        if explains()
        else ()
    )
    barred = Solution(fronts, None, reasons, bar_of(scene, names, budget=budget))
    if not may_take_blocked_path or not is_first_ahead(scene):
        return barred
    if not is_unreachable(
        scene, lambda other: _best_place([Front(other, name) for name in names], budget) is not None
    ):
        return barred
    place = _best_place([Front(scene, name) for name in other_facings(scene, names)], budget)
    findings = _blocked_path(scene, names, place, barred.bar)
    if place is None:
        findings = (*reasons, *findings)
    return replace(barred, place=place, findings=findings)


def _best_place(fronts: Sequence[Front], budget: Budget) -> Place | None:
    """Return the best place over facings: aligned before unaligned, then by goals, then front, left, right, rear; None
    if none.
    """
    aligned = [
        place for front in fronts if (place := aligned_place(front, budget=budget)) is not None
    ]
    if aligned:
        return min(aligned, key=_preference)
    from systems.t9a.unaligned import number_of_best, unaligned_place

    tilted = [
        tilt for front in fronts if (tilt := unaligned_place(front, budget=budget)) is not None
    ]
    tilted.sort(key=lambda place: FACINGS.index(place.front.name))
    return tilted[number_of_best(tilted)] if tilted else None


def _preference(place: AlignedPlace) -> tuple[float, ...]:
    """Return the sort key of an aligned place, smaller is better: goals, then the order of facings."""
    return (*(-value for value in place.values), FACINGS.index(place.front.name))


def _reasons(front: Front, budget: Budget) -> tuple[Finding, ...]:
    """Return the findings on why a facing has no place: no move touches it first, or every place is obstructed."""
    target = front.scene.target.name
    facing = front.label

    def interest(reached: Intervals) -> Intervals:
        """Return the part of the facing still wanted: none once a point that counts is reached."""
        return () if front.usable(reached) else (front.counting,)

    few = replace(budget, work=min(budget.work, ENOUGH_TO_EXPLAIN))
    found = reach(front.way, interest=interest, budget=few)
    if not front.usable(found.proven):
        text = say(
            "No move (forward, wheel, forward) was found that first touches the {facing} of {target}.",
            target=target,
            facing=facing,
        )
        if found.is_complete:
            text = say(
                "No move (forward, wheel, forward) first touches the {facing} of {target}, as a charge must.",
                target=target,
                facing=facing,
            )
        return (Finding("t9a.move.first-contact", ok=False, text=text),)
    flush = say(
        "There is no room to stand flush anywhere on the {facing} of {target}.",
        facing=facing,
        target=target,
    )
    tilted = say(
        "There is no room to stand at an angle either without crossing the line of {target}'s {facing}.",
        facing=facing,
        target=target,
    )
    return Finding("t9a.align.flush", ok=False, text=flush), Finding(
        "t9a.unaligned.line", ok=False, text=tilted
    )


def _blocked_path(
    scene: Scene, denied: Sequence[FacingName], place: Place | None, bar: "Bar | None"
) -> tuple[Finding, ...]:
    """Return the findings on the three conditions of Blocked Path: target straight ahead, facings unreachable, facing
    chosen.
    """
    charger = scene.charger.name
    target = scene.target.name
    facings = listed((FACING_WORDS[name] for name in denied), " or the ")
    ahead = say(
        "Moving straight ahead, {charger} would hit {target} before anything else.",
        charger=charger,
        target=target,
    )
    unreachable = say(
        "No charge move against the {facings} of {target} exists.", facings=facings, target=target
    )
    chosen = say(
        "By the Blocked Path rule {charger} may charge any other facing, but no other facing can be charged either.",
        charger=charger,
    )
    if place is not None:
        chosen = say(
            "By the Blocked Path rule {charger} may charge any other facing; it charges the {facing}.",
            charger=charger,
            facing=place.front.label,
        )
    return (
        Finding("t9a.blocked.first-obstacle", ok=True, text=ahead),
        Finding(
            "t9a.blocked.unreachable", ok=True, text=unreachable, mark=_shut(scene, denied[0], bar)
        ),
        Finding("t9a.blocked.any-facing", place is not None, chosen),
    )


def _shut(scene: Scene, denied: FacingName, bar: "Bar | None") -> Mark:
    """Return a mark of a facing that cannot be charged, and of the front where it would meet the target straight
    ahead.
    """
    facing = facing_of(scene.target, denied)
    words = say("no front fits the {facing}", facing=FACING_WORDS[denied])
    if bar is not None and not bar.together and bar.gap < -CONTACT:
        words = say(
            "{words} ({depth:.2f} in into {obstacle})",
            words=words,
            depth=-bar.gap,
            obstacle=bar.obstacle.name,
        )
    there = scene.charger.at(scene.charger.pose.advanced(way_ahead(scene, scene.target.boundary)))
    fronts = ((there.front_left, there.front_right),)
    return Mark(
        words, facing.point(facing.length / 2), lines=(facing.ends,), fronts=fronts, is_met=False
    )


def facings_allowed(scene: Scene) -> tuple[FacingName, ...]:
    """Return the names of the facings that may be charged: one, or on a line between arcs two, unless the flank must be
    taken.
    """
    arcs = arcs_of(scene.target, scene.charger.pose.at)
    if len(arcs) > 1 and scene.choices.arc_tie == "flank":
        return tuple(name for name in arcs if name in ("left", "right"))
    return arcs


def is_first_ahead(scene: Scene) -> bool:
    """Return whether the front, moved straight forward, would hit the target before any other unit or impassable
    terrain.
    """
    to_target = way_ahead(scene, scene.target.boundary)
    return math.isfinite(to_target) and all(
        to_target <= way_ahead(scene, obstacle.shape) + CONTACT for obstacle in scene.obstacles
    )


def way_ahead(scene: Scene, body: Shape) -> float:
    """Return the length, in inches, that the front can go straight forward until it meets a body; inf if it never
    does.
    """
    charger = scene.charger
    front = np.array([charger.front_left, charger.front_right])
    stretches = [
        blocked_slide(front, piece, direction=charger.pose.forward, needed=body.radius)
        for piece in body.parts
    ]
    return min(
        (stretch[0] for stretch in stretches if stretch is not None and stretch[1] > CONTACT),
        default=math.inf,
    )


def other_facings(scene: Scene, denied: Sequence[FacingName]) -> tuple[FacingName, ...]:
    """Return the facings that Blocked Path opens where those denied cannot be charged, by the choice `blocked_facing`.

    "adjacent" allows only the nearer of the two neighbours of a blocked facing, or both if equally near.
    """
    others = tuple(name for name in FACINGS if name not in denied)
    if scene.choices.blocked_facing == "best":
        return others
    nearer = {name for facing in denied for name in _nearest(scene, ADJACENT_FACINGS[facing])}
    return tuple(name for name in others if name in nearer)


def _nearest(scene: Scene, names: Sequence[FacingName]) -> tuple[FacingName, ...]:
    """Return those of some facings that are nearest to the charger's boundary, equally near ones included."""
    charger = scene.charger.boundary.core
    distances = {
        name: float(charger.distance(shapely.LineString(facing_of(scene.target, name).ends)))
        for name in names
    }
    least = min(distances.values())
    return tuple(name for name in names if distances[name] <= least + CONTACT)


def is_unreachable(scene: Scene, is_reached: Callable[[Scene], bool]) -> bool:
    """Return whether a facing that cannot be reached on this table counts as unreachable for Blocked Path.

    With `blocked_by_friends` off it must also be unreachable without the friends that touch the target. `is_reached`
    tests whether a legal charge move against the facing exists on a table.
    """
    if scene.choices.blocked_by_friends:
        return True
    friends = {
        unit.name
        for unit in scene.bystanders
        if unit.side == scene.charger.side and touches(unit, scene.target)
    }
    return not friends or not is_reached(replace(scene, absent=scene.absent | friends))

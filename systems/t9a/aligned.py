"""The align move: the best place of a charger along the Target Facing, and the initial contacts that allow it.

Limits: the place is free, on the board, flush, and keeps in contact a point that some legal move reaches. Goals, in order: most
models of the target in contact, then most of the charger. The judge measures proposals against the same limits and goals.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from systems.t9a.scene import Front
from tabletop.budget import Budget, Proof
from tabletop.fronts.flush import preferred
from tabletop.fronts.reach import Reach, reach, reach_each, refine_ends
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.pose import Pose
from tabletop.messages import say
from tabletop.optimise.interval import Interval, Intervals, intersection, union
from tabletop.units import CONTACT

SMALLEST_LEEWAY = 1e-5


@dataclass(frozen=True)
class AlignedPlace:
    """The aligned place chosen, with the alternatives.

    `slide` is the place in inches along the facing, `values` the goals there, `stretches` all equally good slides.
    """

    front: Front
    reach: Reach
    values: tuple[float, ...]
    stretches: Intervals
    slide: float
    proof: Proof

    @property
    def reached(self) -> Intervals:
        """Initial contacts known to be reachable, as intervals of u in inches."""
        return self.reach.proven

    @property
    def pose(self) -> Pose:
        """Pose of the charger at the end."""
        return self.front.pose(self.slide)

    @property
    def stretch(self) -> Interval:
        """The stretch of equally good slides around the chosen one."""
        return min(self.stretches, key=lambda part: max(part[0] - self.slide, self.slide - part[1]))

    @property
    def leeway(self) -> float:
        """Length of that stretch, in inches; 0 if shorter than 1e-5."""
        low, high = self.stretch
        return high - low if high - low >= SMALLEST_LEEWAY else 0.0

    @property
    def covered(self) -> Interval:
        """Interval of u that the front covers, in inches."""
        return self.slide, self.slide + self.front.width

    @property
    def offset(self) -> float:
        """Distance along the facing between the middles of charger and facing, in inches."""
        return self.slide + self.front.width / 2 - self.front.facing.length / 2


def reached_on(front: Front, *, budget: Budget) -> Reach:
    """Return the reachable initial contacts that can change the answer, with deciding ends refined."""
    found = reach(front.way, interest=front.interest, budget=budget)
    if found.is_complete and front.best(found.proven) is not None and (open_ends := front.interest(found.proven, slack=2 * CONTACT)):
        return refine_ends(front.way, found, where=open_ends)
    return found


def aligned_place(front: Front, *, budget: Budget) -> AlignedPlace | None:
    """Return the aligned place that the rules demand, or None if there is none."""
    if not front.free:
        return None
    found = reached_on(front, budget=budget)
    best = front.best(found.proven)
    if best is None:
        found.whole(unfound(front))
        return None
    slide = preferred(best.stretches, special_slides(front), criteria(front))
    decided_by_tolerance = bool(front.interest(found.proven, slack=2 * CONTACT))
    proof: Proof = "best_found" if not found.is_complete else "tolerance" if decided_by_tolerance else "exact"
    return AlignedPlace(front, found, best.values, best.stretches, slide, proof)


def unfound(front: Front) -> str:
    """Return the message for a search that a limit ended before it found anything."""
    facing, target = front.name, front.scene.target.name
    return say("the search for a way to the {facing} of {target} ended at its limit before it found one", facing=facing, target=target)


def _start(front: Front) -> float:
    """Return the slide at which the charger's middle would be nearest to where it started."""
    return front.facing.coordinates(front.scene.charger.pose.at)[0] - front.width / 2


def special_slides(front: Front) -> tuple[float, ...]:
    """Return the slides at which a `tie` criterion can be greatest: front covers facing, is centred, or is nearest."""
    room = front.facing.length - front.width
    return (0.0, room, room / 2, _start(front))


def criteria(front: Front, *, power: int = 1) -> tuple[Callable[[FloatArray], FloatArray], ...]:
    """Return the criteria of the choice `tie` among equally good places; nearness to the start is a squared distance."""
    width, length, start = front.width, front.facing.length, _start(front)
    start_height = front.facing.coordinates(front.scene.charger.pose.at)[1]

    def contact_length(slides: FloatArray) -> FloatArray:
        common: FloatArray = np.minimum(slides + width, length) - np.maximum(slides, 0.0)
        return common

    def centring(slides: FloatArray) -> FloatArray:
        return -((slides + width / 2 - length / 2) ** 2)

    def nearness(slides: FloatArray) -> FloatArray:
        result: FloatArray = -(np.hypot(slides - start, start_height) ** power)
        return result

    return {
        "longest-contact": (contact_length, centring, nearness),
        "centre": (centring, contact_length, nearness),
        "least-slide": (nearness, contact_length, centring),
    }[front.scene.choices.tie]


def reached_at(front: Front, slide: float, *, slack: float = 0.0, budget: Budget) -> Reach:
    """Return initial contacts that a front within `slack` inches of a slide keeps in contact; stops at the first."""
    return reached_within(front, (slide - slack, slide + front.width + slack), budget=budget)


def reached_within(front: Front, part: Interval, *, budget: Budget) -> Reach:
    """Return reachable initial contacts in an interval of the facing (u, inches); stops at the first."""
    first, last = front.counting
    span = max(part[0], first), min(part[1], last)

    def interest(reached: Intervals) -> Intervals:
        return () if intersection(reached, [span]) else (span,)

    return reach(front.way, interest=interest, budget=budget) if span[0] <= span[1] + CONTACT else Reach()


def flush_room(front: Front, shifts: FloatArray, *, budget: Budget) -> tuple[BoolArray, BoolArray]:
    """Return masks (n,): target shifts (n, 2) with a free reachable place, and shifts with any countable initial contact.

    Where a limit ends the search, contact counts as possible.
    """
    counting = (front.counting,)
    kept = [intersection(union((low, high + front.width) for low, high in free), counting) for free in front.free_at(shifts)]

    def interest(keeping: Intervals, reached: Intervals) -> Intervals:
        if not front.usable(reached):
            return counting
        return () if intersection(reached, keeping) else keeping

    way = replace(front.approach, shifts=shifts).to_nearby()
    found = reach_each(way, [partial(interest, keeping) for keeping in kept], budget=budget)
    has_place = [bool(intersection(one.proven, keeping)) for one, keeping in zip(found, kept, strict=True)]
    return np.array(has_place, dtype=bool), np.array([bool(front.usable(one.proven)) or not one.is_complete for one in found], dtype=bool)


def contact_length(place: AlignedPlace) -> float:
    """Return the length of the charger's front that lies on the facing, in inches."""
    low, high = place.covered
    return max(0.0, min(high, place.front.facing.length) - max(low, 0.0))

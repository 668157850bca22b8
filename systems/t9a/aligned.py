"""The align move: the best place of a charger along the facing that it charges, and the points of first contact that
allow it.

Limits: the place is free, on the board, flush, and keeps in contact a point that some legal move reaches first. Goals,
in order: most models of the target in contact, then most of the charger. The judge measures proposals against the same
limits and goals.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from systems.t9a.scene import Front, numbers_in_contact
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
    """The aligned place chosen for a charger, with the equally good alternatives.

    A slide is the coordinate u, in inches along the facing, at which the charger's front begins.

    Attributes
    ----------
    front
        Charger and facing.
    reach
        Points of the facing known to be reachable first.
    values
        Values of the goals: models of the target and of the charger in contact.
    stretches
        All equally good slides, as intervals.
    slide
        The slide chosen.
    proof
        Strength of the proof that no slide is better.
    """

    front: Front
    reach: Reach
    values: tuple[float, ...]
    stretches: Intervals
    slide: float
    proof: Proof

    @property
    def reached(self) -> Intervals:
        """Points of first contact known to be reachable, as intervals of u in inches along the facing."""
        return self.reach.proven

    @property
    def pose(self) -> Pose:
        """Pose of the charger at the chosen place, flush with the facing."""
        return self.front.pose(self.slide)

    @property
    def target_pose(self) -> Pose:
        """Pose of the target, which does not move."""
        return self.front.scene.target.pose

    @cached_property
    def in_contact(self) -> Mapping[str, tuple[int, ...]]:
        """Numbers of the models in contact, by unit."""
        return numbers_in_contact(self.front, self.slide)

    @property
    def choices(self) -> int:
        """Number of equally good ranges of slides."""
        return len(self.stretches)

    @property
    def stretch(self) -> Interval:
        """Interval of equally good slides, in inches, that contains the chosen one."""
        return min(self.stretches, key=lambda part: max(part[0] - self.slide, self.slide - part[1]))

    @property
    def leeway(self) -> float:
        """Length of the interval of equally good slides around the chosen one, in inches; 0 if shorter than 1e-5."""
        low, high = self.stretch
        return high - low if high - low >= SMALLEST_LEEWAY else 0.0

    @property
    def covered(self) -> Interval:
        """Interval of u, in inches along the facing, that the charger's front covers; it may extend beyond the
        facing.
        """
        return self.slide, self.slide + self.front.width

    @property
    def offset(self) -> float:
        """Signed distance along the facing from its middle to the middle of the charger's front, in inches."""
        return self.slide + self.front.width / 2 - self.front.facing.length / 2


def reached_on(front: Front, *, budget: Budget) -> Reach:
    """Return the points of the facing that the charger can touch first, as far as they can change the best place.

    Ends of intervals that decide the answer are refined to about 1e-9 in.
    """
    found = reach(front.way, interest=front.interest, budget=budget)
    if (
        found.is_complete
        and front.best(found.proven) is not None
        and (open_ends := front.interest(found.proven, slack=2 * CONTACT))
    ):
        return refine_ends(front.way, found, where=open_ends)
    return found


def aligned_place(front: Front, *, budget: Budget) -> AlignedPlace | None:
    """Return the best aligned place of a charger on a facing, None if there is none.

    Raises
    ------
    NoVerdictError
        If the budget ends the search before any place is found.
    """
    if not front.free:
        return None
    found = reached_on(front, budget=budget)
    best = front.best(found.proven)
    if best is None:
        found.whole(unfound(front))
        return None
    slide = preferred(best.stretches, special_slides(front), criteria(front))
    decided_by_tolerance = bool(front.interest(found.proven, slack=2 * CONTACT))
    proof: Proof = (
        "best_found" if not found.is_complete else "tolerance" if decided_by_tolerance else "exact"
    )
    return AlignedPlace(front, found, best.values, best.stretches, slide, proof)


def unfound(front: Front) -> str:
    """Return the message for a search of a way to a facing that a limit ended before it found one."""
    facing = front.name
    target = front.scene.target.name
    return say(
        "the search for a way to the {facing} of {target} ended at its limit before it found one",
        facing=facing,
        target=target,
    )


def _start(front: Front) -> float:
    """Return the slide, in inches, at which the middle of the charger's front is beside where it started."""
    return front.facing.coordinates(front.scene.charger.pose.at)[0] - front.width / 2


def special_slides(front: Front) -> tuple[float, ...]:
    """Return the slides, in inches, at which a criterion of the choice `tie` can be greatest.

    There the front begins or ends with the facing, is centred on it, or is nearest to where the charger started.
    """
    room = front.facing.length - front.width
    return (0.0, room, room / 2, _start(front))


def criteria(front: Front, *, power: int = 1) -> tuple[Callable[[FloatArray], FloatArray], ...]:
    """Return the criteria of the choice `tie` among equally good slides, most important first: functions from slides
    (n,) to values (n,).

    Greater is better. Nearness to the start is the negative distance raised to `power`, centring a negative squared
    distance.
    """
    width = front.width
    length = front.facing.length
    start = _start(front)
    start_height = front.facing.coordinates(front.scene.charger.pose.at)[1]

    def contact_length(slides: FloatArray) -> FloatArray:
        """Return the common length (n,) of front and facing at slides, in inches; negative if apart."""
        common: FloatArray = np.minimum(slides + width, length) - np.maximum(slides, 0.0)
        return common

    def centring(slides: FloatArray) -> FloatArray:
        """Return the negative squared distance (n,) between the middles of front and facing at slides."""
        return -((slides + width / 2 - length / 2) ** 2)

    def nearness(slides: FloatArray) -> FloatArray:
        """Return the negative distance (n,), to a power, between the middle of the front at slides and where it
        started.
        """
        result: FloatArray = -(np.hypot(slides - start, start_height) ** power)
        return result

    return {
        "longest-contact": (contact_length, centring, nearness),
        "centre": (centring, contact_length, nearness),
        "least-slide": (nearness, contact_length, centring),
    }[front.scene.choices.tie]


def reached_at(front: Front, slide: float, *, slack: float = 0.0, budget: Budget) -> Reach:
    """Return points of first contact that lie on a front at a slide, widened by `slack` inches; the search stops at the
    first found.
    """
    return reached_within(front, (slide - slack, slide + front.width + slack), budget=budget)


def reached_within(front: Front, part: Interval, *, budget: Budget) -> Reach:
    """Return points of first contact within an interval of u, in inches along the facing; the search stops at the first
    found.
    """
    first, last = front.counting
    span = max(part[0], first), min(part[1], last)

    def interest(reached: Intervals) -> Intervals:
        """Return the interval that is still wanted: none once a point of it is reached."""
        return () if intersection(reached, [span]) else (span,)

    return (
        reach(front.way, interest=interest, budget=budget)
        if span[0] <= span[1] + CONTACT
        else Reach()
    )


def flush_room(front: Front, shifts: FloatArray, *, budget: Budget) -> tuple[BoolArray, BoolArray]:
    """Return for many displacements of the target whether the charger has an aligned place, and whether it can touch
    the facing.

    Parameters
    ----------
    front
        Charger and facing, with the target at its original place.
    shifts
        Displacements of the target (n, 2), in inches.
    budget
        Limit of the search, for each displacement.

    Returns
    -------
    tuple
        Masks (n,): displacements with a free place that is reached, and those with some first contact that counts.
        Where a limit ends the search, first contact is taken as possible.
    """
    counting = (front.counting,)
    kept = [
        intersection(union((low, high + front.width) for low, high in free), counting)
        for free in front.free_at(shifts)
    ]

    def interest(keeping: Intervals, reached: Intervals) -> Intervals:
        """Return the parts of the facing that would still change the answer for one displacement."""
        if not front.usable(reached):
            return counting
        return () if intersection(reached, keeping) else keeping

    way = replace(front.approach, shifts=shifts).to_nearby()
    found = reach_each(way, [partial(interest, keeping) for keeping in kept], budget=budget)
    has_place = [
        bool(intersection(one.proven, keeping)) for one, keeping in zip(found, kept, strict=True)
    ]
    return np.array(has_place, dtype=bool), np.array(
        [bool(front.usable(one.proven)) or not one.is_complete for one in found], dtype=bool
    )


def contact_length(place: AlignedPlace) -> float:
    """Return the length of the charger's front that lies on the facing, in inches; at least 0."""
    low, high = place.covered
    return max(0.0, min(high, place.front.facing.length) - max(low, 0.0))

"""The align move: where along the Target Facing the charger is put, and which initial contacts allow it.

Limits: the place is free, on the board, flush, and keeps a point in contact that some legal move reaches. Goals, in order: most
models of the target in contact, then most of the charger. The judge measures proposals against the same limits and goals.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.t9a.scene import Scene, profile_of
from tabletop.budget import Budget, Proof
from tabletop.errors import NoVerdictError
from tabletop.fronts.approach import Approach
from tabletop.fronts.flush import BestSlides, CriticalSlides, FacingLines, best_slides, preferred
from tabletop.fronts.obstacle import hazards_of
from tabletop.fronts.reach import TOLERANCE, Reach, reach, sharpened
from tabletop.geometry.motion import blocked_slide
from tabletop.geometry.pose import FloatArray, Pose
from tabletop.geometry.shape import rectangle
from tabletop.optimise.interval import Interval, Intervals, intersection, union, without
from tabletop.ruling.finding import Goal
from tabletop.table.facing import Facing, FacingName, ShownModel, facing_of, shown_models
from tabletop.units import CONTACT

SMALLEST_LEEWAY = 1e-5


@dataclass(frozen=True)
class Front:
    """A charger against one facing of its target: everything that the align move asks, in coordinates u of that facing."""

    scene: Scene
    name: FacingName

    @cached_property
    def facing(self) -> Facing:
        """The Target Facing."""
        return facing_of(self.scene.target, self.name)

    @property
    def width(self) -> float:
        """Width of the charger's front in inches."""
        return self.scene.charger.width

    @cached_property
    def shown(self) -> tuple[ShownModel, ...]:
        """The models that the facing shows."""
        return shown_models(self.scene.target, self.name)

    @cached_property
    def lineup(self) -> FacingLines:
        """The models that could be in contact: those the facing shows, and the charger's front rank from its right corner on."""
        choices, charger = self.scene.choices, self.scene.charger
        slack = -choices.contact_slack
        overlap = [choices.clearance if model.is_set_back and not choices.gap_graze else slack for model in self.shown]
        starts = np.arange(charger.files) * (charger.base.width + charger.spacing)
        front = np.column_stack([starts, starts + charger.base.width])
        return FacingLines(np.array([(model.low, model.high) for model in self.shown]), front, np.array(overlap))

    @cached_property
    def breakpoints(self) -> FloatArray:
        """Slides at which a count may change."""
        return self.lineup.breakpoints()

    @cached_property
    def goals(self) -> tuple[Goal[FloatArray], ...]:
        """What a place serves, the higher priority first; values are arrays over slides."""
        return (
            Goal("t9a.align.target-models", "models of the target", self.lineup.shown_in_contact),
            Goal("t9a.align.charger-models", "models of the charger", self.lineup.front_in_contact),
        )

    def values(self, slides: FloatArray) -> list[FloatArray]:
        """Give the goals' values at slides, in their order."""
        return [goal.value(slides) for goal in self.goals]

    @cached_property
    def free(self) -> Intervals:
        """Slides that touch the facing, whose boundary is on the board and keeps every needed gap."""
        everything: Intervals = ((-self.width, self.facing.length),)
        blocked = [*self._off_board()]
        body = rectangle(self.pose(0.0), self.width, self.scene.charger.depth).pieces[0]
        for obstacle in self.scene.obstacles:
            for piece in obstacle.shape.parts:
                needed = obstacle.needed + obstacle.shape.radius
                if (stretch := blocked_slide(body, piece, direction=self.facing.along, needed=needed)) is not None:
                    blocked.append(stretch)
        return without(everything, blocked)

    @cached_property
    def candidates(self) -> CriticalSlides:
        """All critical slides of the free places, whether a legal move allows them or not."""
        return CriticalSlides.of(self.free, self.breakpoints, self.values)

    def _off_board(self) -> list[Interval]:
        """Slides at which a corner of the charger would be beyond an edge of the board."""
        board, blocked = self.scene.state.board, []
        corners = rectangle(self.pose(0.0), self.width, self.scene.charger.depth).pieces[0]
        for axis, limit in ((0, board.width), (1, board.depth)):
            rate = self.facing.along[axis]
            low, high = float(corners[:, axis].min()), float(corners[:, axis].max())
            if abs(rate) <= CONTACT:
                if low < -CONTACT or high > limit + CONTACT:
                    blocked.append((-np.inf, np.inf))
                continue
            bounds = sorted((-low / rate, (limit - high) / rate))
            blocked += [(-np.inf, bounds[0]), (bounds[1], np.inf)]
        return blocked

    def pose(self, slide: float) -> Pose:
        """Give the pose of the charger at a slide."""
        return self.facing.flush_pose(slide, self.width)

    @cached_property
    def approach(self) -> Approach:
        """The charge move towards this facing."""
        scene = self.scene
        return Approach(
            scene.charger.pose, self.width, scene.target.boundary.pieces[0], self.facing, hazards_of(scene.obstacles), scene.state.board,
            wheel_limit=np.radians(scene.book.wheel_limit_deg), ignores_way=profile_of(scene.charger).fly,
        )  # fmt: skip

    @cached_property
    def way(self) -> Approach:
        """The same, without what no such move comes near."""
        return self.approach.to_nearby()

    @cached_property
    def counting(self) -> Interval:
        """The part of the facing on which an initial contact counts."""
        inset = self.scene.choices.clearance if self.scene.choices.corners == "neither" else 0.0
        return inset, self.facing.length - inset

    def usable(self, reached: Intervals) -> Intervals:
        """Keep of the points reached those that count as initial contacts."""
        return intersection(reached, [self.counting])

    def places(self, reached: Intervals) -> Intervals:
        """Give the free slides that keep one of the points reached in contact."""
        return intersection(self.free, union((low - self.width, high) for low, high in self.usable(reached)))

    def best(self, reached: Intervals) -> BestSlides | None:
        """Give the slides that serve the goals best, of those that the points reached allow."""
        places = self.places(reached)
        return best_slides(places, self.breakpoints, self.values) if places else None

    def interest(self, reached: Intervals, *, slack: float = TOLERANCE) -> Intervals:
        """Give the parts of the facing where reaching more could better the answer or add equally good places."""
        best = self.best(reached)
        rivals = self.candidates.at_least(best.values if best else None)
        known = [(low - slack, high + slack) for low, high in self.places(reached)]
        wanted = union((low, high + self.width) for low, high in without(rivals, known))
        first, last = self.counting
        return tuple((max(low, first), min(high, last)) for low, high in wanted if low <= last and high >= first)


@dataclass(frozen=True)
class AlignedPlace:
    """The place taken, and what is known about all the others.

    `slide` is u0; `values` the goals there; `stretches` all equally good slides, of which `stretch` is the one around it.
    """

    front: Front
    reach: Reach
    values: tuple[float, ...]
    stretches: Intervals
    slide: float
    proof: Proof

    @property
    def reached(self) -> Intervals:
        """The initial contacts known to be reached."""
        return self.reach.intervals

    @property
    def pose(self) -> Pose:
        """Where the charger ends."""
        return self.front.pose(self.slide)

    @property
    def stretch(self) -> Interval:
        """The stretch of equally good slides around the chosen one."""
        return min(self.stretches, key=lambda part: max(part[0] - self.slide, self.slide - part[1]))

    @property
    def leeway(self) -> float:
        """Length of that stretch in inches, 0 below 1e-5."""
        low, high = self.stretch
        return high - low if high - low >= SMALLEST_LEEWAY else 0.0

    @property
    def covered(self) -> Interval:
        """The part of u that the front covers."""
        return self.slide, self.slide + self.front.width

    @property
    def offset(self) -> float:
        """How far the charger's middle lies from the facing's, along u, in inches."""
        return self.slide + self.front.width / 2 - self.front.facing.length / 2


def reached_on(front: Front, *, budget: Budget) -> Reach:
    """Find the initial contacts that matter, their ends sharpened where an end decides."""
    found = reach(front.way, interest=front.interest, budget=budget)
    if found.is_complete and front.best(found.intervals) is not None and (open_ends := front.interest(found.intervals, slack=2 * CONTACT)):
        return sharpened(front.way, found, where=open_ends)
    return found


def aligned_place(front: Front, *, budget: Budget) -> AlignedPlace | None:
    """Choose the aligned place that the rules demand, or None if there is none."""
    if not front.free:
        return None
    found = reached_on(front, budget=budget)
    best = front.best(found.intervals)
    if best is None and not found.is_complete:
        message = f"the search for a way to the {front.name} of {front.scene.target.name} ended at its limit before it found one"
        raise NoVerdictError(message)
    if best is None:
        return None
    slide = preferred(best.stretches, special_slides(front), criteria(front))
    decided_by_tolerance = bool(front.interest(found.intervals, slack=2 * CONTACT))
    proof: Proof = "best_found" if not found.is_complete else "tolerance" if decided_by_tolerance else "exact"
    return AlignedPlace(front, found, best.values, best.stretches, slide, proof)


def _start(front: Front) -> float:
    """Give the slide at which the charger's middle would be nearest to where it started."""
    return front.facing.coordinates(front.scene.charger.pose.at)[0] - front.width / 2


def special_slides(front: Front) -> tuple[float, ...]:
    """Give the slides at which a criterion may have its greatest value: the front covers the facing, or is centred, or nearest."""
    room = front.facing.length - front.width
    return (0.0, room, room / 2, _start(front))


def criteria(front: Front, *, power: int = 1) -> tuple[Callable[[FloatArray], FloatArray], ...]:
    """Give the owner's preference among equal places, by the choice `tie`; nearness to the start counts as distance to a power."""
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
    """Find initial contacts that a front at this slide, give or take `slack` inches, keeps in contact; stop at the first."""
    return reached_within(front, (slide - slack, slide + front.width + slack), budget=budget)


def reached_within(front: Front, part: Interval, *, budget: Budget) -> Reach:
    """Find initial contacts in a part of the facing (u, inches); stop at the first."""
    first, last = front.counting
    span = max(part[0], first), min(part[1], last)

    def interest(reached: Intervals) -> Intervals:
        return () if intersection(reached, [span]) else (span,)

    return reach(front.way, interest=interest, budget=budget) if span[0] <= span[1] + CONTACT else Reach((), (), is_complete=True)


def numbers_in_contact(front: Front, slide: float, *, slack: float = 0.0) -> Mapping[str, tuple[int, ...]]:
    """Give the numbers of the models in contact at a slide, by unit; models up to `slack` inches apart count."""
    scene = front.scene
    pairs = replace(front.lineup, overlap=front.lineup.overlap - slack).pairs(slide)
    from_right = range(scene.charger.files - 1, -1, -1)
    return {
        scene.charger.name: tuple(sorted(file for file, met in zip(from_right, np.any(pairs, axis=0), strict=True) if met)),
        scene.target.name: tuple(sorted(model.number for model, met in zip(front.shown, np.any(pairs, axis=1), strict=True) if met)),
    }


def totals_of(placed: Sequence[tuple[Front, float]], *, slack: float = 0.0) -> tuple[int, int]:
    """Count the models in contact on both sides of several chargers at their slides, those of the target once each."""
    numbers = [(front, numbers_in_contact(front, slide, slack=slack)) for front, slide in placed]
    target = {number for front, met in numbers for number in met[front.scene.target.name]}
    return len(target), sum(len(met[front.scene.charger.name]) for front, met in numbers)


def contact_length(place: AlignedPlace) -> float:
    """Give the length of the charger's front that lies on the facing, in inches."""
    low, high = place.covered
    return max(0.0, min(high, place.front.facing.length) - max(low, 0.0))

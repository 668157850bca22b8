"""Unaligned charges: where no aligned place exists, a front corner stays in contact and the front turns away by the
least angle.

Limits: the point stays in contact, the front stays on the outer side of the facing's line. Goals, in order: the least
angle, most models of the target in contact, then most of the charger. Of equally good places, the target's special
align (its turn about the point of contact towards the charger) decides, then the charger's place. Points of a facing
are given by u, in inches along it; angles are in radians.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter

import numpy as np

from systems.t9a.aligned import reached_within, unfound
from systems.t9a.scene import Front, Scene, numbers_in_contact
from tabletop.budget import Budget, Proof
from tabletop.fronts.approach import PIVOTS
from tabletop.fronts.minimal_rotation import (
    MinimalRotation,
    RotationProblem,
    Tilt,
    bounds_on,
    minimal_rotation,
    rotation_bounds,
)
from tabletop.fronts.obstacle import ConvexObstacle, outside_board
from tabletop.fronts.reach import TOLERANCE, Reach, reach, refine_ends, unreached
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import reflected, rotated, stack_padded
from tabletop.geometry.distance import gap
from tabletop.geometry.motion import blocked_slide, blocked_turns
from tabletop.geometry.pose import Point, Pose, Side
from tabletop.geometry.shape import Shape
from tabletop.optimise.interval import Interval, Intervals, intersection, union, without
from tabletop.ruling.finding import Goal, of_each
from tabletop.table.facing import Facing, touches
from tabletop.units import CONTACT, FLUSH

FACING_PARTS = 24
"""Number of parts of a facing for which a lower bound of the angle is computed before the search for contacts."""

STRETCH_SAMPLES = 33
"""Samples on a stretch of equal places where the target can nowhere turn the whole angle."""

BLOCKED_TURN_MARGIN = 1e-3
"""Margin, in radians, past the wanted turn within which blocked stretches are computed, so that their ends are
found."""


@dataclass(frozen=True)
class UnalignedPlace:
    """A charger with one front corner on the facing and its front turned away.

    Attributes
    ----------
    front
        Charger and facing.
    reach
        Points of the facing that legal moves reach first.
    corner
        Front corner in contact.
    u
        Its place along the facing, in inches.
    angle
        Angle between front and facing, in radians.
    proof
        Strength of the proof that no place is better.
    tilts
        All places of the least angle, by the corner in contact.
    """

    front: Front
    reach: Reach
    corner: Side
    u: float
    angle: float
    proof: Proof
    tilts: Mapping[Side, Tilt] = field(default_factory=dict, compare=False, repr=False)

    @property
    def contact(self) -> Point:
        """Table point, in inches, of the target that stays in contact, before and after the target's turn."""
        return self.front.facing.point(self.u)

    @property
    def pose(self) -> Pose:
        """Pose of the charger at the end."""
        return tilting(self.front, self.corner).pose(self.u, self.angle)

    @property
    def sense(self) -> int:
        """Sense in which charger and target are turned from flush: +1 counter-clockwise, -1 clockwise."""
        return 1 if self.corner == "right" else -1

    @cached_property
    def turn(self) -> float:
        """Angle of the target's special align move, in radians; at least 0."""
        return special_turn(self.front.scene, self.contact, sense=self.sense, angle=self.angle)

    @property
    def target_pose(self) -> Pose:
        """Pose of the target at the end, after its special align move."""
        return turned_target(self.front.scene, self.contact, sense=self.sense, angle=self.turn)

    @property
    def remaining(self) -> float:
        """Angle left between front and facing after the target's turn, in radians; 0 if they are then parallel."""
        left = self.angle - self.turn
        return left if left > FLUSH else 0.0

    @property
    def covered(self) -> Interval:
        """Interval of u, in inches, that the front covers once aligned; only the point of contact while an angle
        remains.
        """
        if self.remaining > 0.0:
            return self.u, self.u
        return (
            (self.u, self.u + self.front.width)
            if self.corner == "right"
            else (self.u - self.front.width, self.u)
        )

    @property
    def contact_length(self) -> float:
        """Length of the charger's front on the facing at the end, in inches."""
        low, high = self.covered
        return max(0.0, min(high, self.front.facing.length) - max(low, 0.0))

    @property
    def values(self) -> tuple[int, int]:
        """Numbers of models of target and charger at the point of contact, before the target turns."""
        met = self.numbers_at_contact()
        return len(met[self.front.scene.target.name]), len(met[self.front.scene.charger.name])

    def numbers_at_contact(self, *, slack: float = 0.0) -> Mapping[str, tuple[int, ...]]:
        """Return the numbers of the models that touch the point of contact, by unit: of the target none, one or two.

        Models up to `slack` inches away from it count.
        """
        scene = self.front.scene
        near = scene.choices.contact_slack + CONTACT + slack
        shown = (model for model in self.front.shown if not model.is_set_back)
        met = tuple(
            sorted(
                model.number for model in shown if model.low - near <= self.u <= model.high + near
            )
        )
        own = scene.charger.files - 1 if self.corner == "right" else 0
        return {scene.charger.name: (own,) if met else (), scene.target.name: met}

    @property
    def in_contact(self) -> Mapping[str, tuple[int, ...]]:
        """Numbers of the models in contact at the end, by unit."""
        return (
            self.numbers_at_contact()
            if self.remaining > 0.0
            else numbers_in_contact(self.front, self.covered[0])
        )

    @property
    def choices(self) -> int:
        """Number of equally good places: others of the same angle count as the same."""
        return 1


GOALS: tuple[Goal[Sequence[UnalignedPlace]], ...] = (
    Goal(
        "t9a.unaligned.angle",
        "radians between the facings",
        of_each(lambda place: -place.angle),
        is_counted=False,
        is_least=True,
    ),
    Goal(
        "t9a.unaligned.target-models",
        "models of the target",
        of_each(lambda place: place.values[0]),
    ),
    Goal(
        "t9a.unaligned.charger-models",
        "models of the charger",
        of_each(lambda place: place.values[1]),
    ),
)
"""Goals of an unaligned place, highest priority first; values are arrays over places, greater is better."""


def unaligned_place(front: Front, *, budget: Budget) -> UnalignedPlace | None:
    """Return the best unaligned place of a charger on a facing that has no aligned one, None if there is none.

    Raises
    ------
    NoVerdictError
        If the budget ends the search for contacts before any place is found.
    """
    found = contacts_on(front, budget=budget)
    searched = _least_tilts(front, front.usable(found.proven), budget)
    if found.is_complete and (end := _deciding_end(front, found, _least(searched))):
        found = refine_ends(front.way, found, where=end)
        searched = _least_tilts(front, front.usable(found.proven), budget)
    searches = (found, *searched.values())
    tilts = _least(searched)
    if not tilts:
        for search in searches:
            search.whole(unfound(front))
        return None
    return _chosen(
        front,
        found,
        tilts,
        "tolerance" if all(search.is_complete for search in searches) else "best_found",
    )


def has_place(front: Front, *, budget: Budget) -> bool:
    """Return whether an unaligned place exists on a facing that has no aligned one; the search stops at the first.

    Raises
    ------
    NoVerdictError
        If the budget ends the search first.
    """
    views = [
        rotation_bounds(tilting(front, corner), front.counting, parts=FACING_PARTS)
        for corner in PIVOTS
    ]
    hopeful = union(part for view in views for part in view.at_most(math.pi / 2))
    free = [
        u
        for view in views
        for u, angle in zip(view.places, view.angles, strict=True)
        if 0.0 < angle < math.inf
    ]

    def interest(reached: Intervals) -> Intervals:
        """Return the parts of the facing still wanted: none once a free place is reached."""
        usable = front.usable(reached)
        if any(_holds(usable, u) for u in free):
            return ()
        return intersection(
            intersection(unreached(reached, length=front.facing.length), [front.counting]), hopeful
        )

    found = reach(front.way, interest=interest, budget=budget)
    usable = front.usable(found.proven)
    if any(_holds(usable, u) for u in free):
        return True
    searched = _least_tilts(front, usable, budget)
    if _least(searched):
        return True
    for search in (found, *searched.values()):
        search.whole(unfound(front))
    return False


def contacts_on(front: Front, *, budget: Budget) -> Reach:
    """Return the points of the facing that legal moves reach first, as far as the front may be turned away least
    there.
    """
    prospects = [
        rotation_bounds(tilting(front, corner), front.counting, parts=FACING_PARTS)
        for corner in PIVOTS
    ]

    def interest(reached: Intervals) -> Intervals:
        """Return the parts of the facing still wanted: those whose lower bound promises at most the least angle
        known.
        """
        usable = front.usable(reached)
        known = [
            angle
            for view in prospects
            for u, angle in zip(view.places, view.angles, strict=True)
            if _holds(usable, u)
        ]
        hopeful = union(
            part
            for view in prospects
            for part in view.at_most(min(known, default=math.pi / 2) + FLUSH)
        )
        return intersection(
            intersection(unreached(reached, length=front.facing.length), [front.counting]), hopeful
        )

    return reach(front.way, interest=interest, budget=budget)


def _holds(intervals: Intervals, u: float) -> bool:
    """Return whether intervals contain u, within the tolerance of contact."""
    return any(low - CONTACT <= u <= high + CONTACT for low, high in intervals)


def _least_tilts(front: Front, places: Intervals, budget: Budget) -> dict[Side, MinimalRotation]:
    """Return the searches for the least angle about each front corner, within intervals of u; the right one's result
    prunes the left.
    """
    right = minimal_rotation(tilting(front, "right"), places, budget=budget)
    below = right.proven.angle + FLUSH if right.proven is not None else math.pi / 2
    return {
        "right": right,
        "left": minimal_rotation(tilting(front, "left"), places, budget=budget, below=below),
    }


def _least(searched: Mapping[Side, MinimalRotation]) -> dict[Side, Tilt]:
    """Return the least angles found, by corner: of both corners if they are equally good, else of the better one."""
    tilts = {
        corner: search.proven for corner, search in searched.items() if search.proven is not None
    }
    least = min((tilt.angle for tilt in tilts.values()), default=math.inf)
    return {corner: tilt for corner, tilt in tilts.items() if tilt.angle <= least + FLUSH}


def _deciding_end(front: Front, found: Reach, tilts: Mapping[Side, Tilt]) -> Intervals:
    """Return the undecided interval of the facing with the best lower bound, if it could improve the answer; else
    empty.
    """
    fringe = without(
        front.usable(union((low - TOLERANCE, high + TOLERANCE) for low, high in found.proven)),
        found.proven,
    )
    least = min((tilt.angle for tilt in tilts.values()), default=math.pi / 2) - FLUSH
    bounds = map(min, *(bounds_on(tilting(front, corner), fringe) for corner in PIVOTS))
    bound, most = min(zip(bounds, fringe, strict=True), key=itemgetter(0), default=(math.inf, None))
    return (most,) if most is not None and bound <= least else ()


def _chosen(front: Front, found: Reach, tilts: Mapping[Side, Tilt], proof: Proof) -> UnalignedPlace:
    """Return the best place of the least angle: most models, then least remaining angle, then by the choice `tie`."""
    places = [
        UnalignedPlace(front, found, corner, u, tilt.angle, proof, tilts)
        for corner, tilt in tilts.items()
        for stretch in tilt.ties
        for u in special_points(front, corner, tilt.angle, stretch)
    ]
    most = max(place.values for place in places)
    return _preferred([place for place in places if place.values == most])


def _preferred(places: Sequence[UnalignedPlace]) -> UnalignedPlace:
    """Return the preferred place: least remaining angle, nearest to the facing's middle, to the start, right corner,
    least u.

    Values within 1e-6 count as equal.
    """
    start = places[0].front.scene.charger.pose.at
    middle = places[0].front.facing.length / 2
    criteria: tuple[Callable[[UnalignedPlace], float], ...] = (
        lambda place: place.remaining,
        lambda place: abs(place.u - middle),
        lambda place: math.dist(place.pose.at, start),
        lambda place: float(place.corner != "right"),
        lambda place: place.u,
    )
    left = list(places)
    for criterion in criteria:
        values = [criterion(place) for place in left]
        left = [
            place
            for place, value in zip(left, values, strict=True)
            if value <= min(values) + CONTACT
        ]
    return left[0]


def special_points(front: Front, corner: Side, angle: float, stretch: Interval) -> list[float]:
    """Return the points u of an interval of equal angles at which counts change or a criterion of the tie-break may be
    best.
    """
    low, high = stretch
    if high - low <= CONTACT:
        return [(low + high) / 2]
    near = front.scene.choices.contact_slack
    scene = front.scene
    sense = 1 if corner == "right" else -1
    full = full_turn_places(scene, front.facing, stretch, sense=sense, angle=angle)
    edges = [
        edge
        for model in front.shown
        for edge in (model.low - near, model.low, model.high, model.high + near)
    ]
    sideways = front.width / 2 * math.cos(angle) * sense
    points = [
        front.facing.length / 2,
        front.facing.coordinates(scene.charger.pose.at)[0] - sideways,
    ]
    clipped = [min(max(point, first), last) for first, last in (stretch, *full) for point in points]
    ends = [end for part in (stretch, *full) for end in part]
    samples = (
        []
        if full
        else [low + (high - low) * part / (STRETCH_SAMPLES - 1) for part in range(STRETCH_SAMPLES)]
    )
    return sorted({u for u in (*ends, *edges, *clipped, *samples) if low <= u <= high})


def number_of_best(places: Sequence[UnalignedPlace]) -> int:
    """Return the index of the best place over several facings: by the goals in order (angles equal within 1e-6), then
    the first.
    """
    left = list(range(len(places)))
    for goal in GOALS:
        values = goal.value([places[number] for number in left])
        left = [
            number
            for number, value in zip(left, values.tolist(), strict=True)
            if value >= values.max() - CONTACT
        ]
    return left[0]


def tilting(front: Front, corner: Side) -> RotationProblem:
    """Return the problem of turning the charger about a front corner that is placed on its facing."""
    scene = front.scene
    return RotationProblem(
        front.facing,
        front.width,
        scene.charger.depth,
        corner,
        front.approach.hazards,
        scene.state.board,
    )


def reached_point(front: Front, u: float, *, slack: float = 0.0, budget: Budget) -> Reach:
    """Return points of first contact within `slack` inches of a point u of the facing; the search stops at the first
    found.
    """
    return reached_within(front, (u - slack, u + slack), budget=budget)


# The special align move of the target.


def special_turn(scene: Scene, pivot: Point, *, sense: int, angle: float) -> float:
    """Return the greatest turn of the target about a point, in radians, up to `angle`, that ends in a free place.

    `sense` +1 turns counter-clockwise. Only the end has to be free; the way there is not tested.
    """
    if is_held(scene):
        return 0.0
    bodies = _bodies(scene)
    centre = np.array(pivot)
    ring = scene.target.boundary.pieces[0] - centre
    others = stack_padded([body.ring for body in bodies]) - centre
    if sense < 0:
        ring = reflected(ring)
        others = reflected(others)
    found = blocked_turns(
        ring,
        others,
        needed=np.array([body.needed for body in bodies]),
        until=angle + BLOCKED_TURN_MARGIN,
    )
    slack = CONTACT / float(np.hypot(ring[:, 0], ring[:, 1]).max())
    free = angle
    for low, high in sorted(
        zip(found.low.tolist(), found.high.tolist(), strict=True), key=lambda stretch: -stretch[1]
    ):
        if low + slack < free < high - slack:
            free = low
    return free


def full_turn_places(
    scene: Scene, facing: Facing, within: Interval, *, sense: int, angle: float
) -> Intervals:
    """Return the points u within an interval of the facing about which the target can turn by the whole angle, as
    intervals.

    The end of such a turn moves along a straight line as the pivot moves along the facing, so obstacles block intervals
    of u.
    """
    if is_held(scene):
        return ()
    start = scene.target.boundary.pieces[0] - facing.origin
    ring = rotated(start, np.array([sense * angle]))[0] + facing.origin
    along = np.array(facing.along)
    shift: FloatArray = along - rotated(along[None], np.array([sense * angle]))[0, 0]
    rate = math.hypot(*shift)
    direction = (float(shift[0]) / rate, float(shift[1]) / rate)
    slides = [
        blocked_slide(ring, body.ring, direction=direction, needed=body.needed)
        for body in _bodies(scene)
    ]
    return without(
        [within],
        [
            (low / rate, high / rate)
            for low, high in (slide for slide in slides if slide is not None)
        ],
    )


def turned_target(scene: Scene, pivot: Point, *, sense: int, angle: float) -> Pose:
    """Return the target's pose after a turn about a table point by `angle` radians; `sense` +1 turns
    counter-clockwise.
    """
    return (
        scene.target.pose.turned_about(pivot, sense * angle) if angle > 0.0 else scene.target.pose
    )


def is_held(scene: Scene) -> bool:
    """Return whether the target does not turn because it is engaged with another unit, and the choice does not let
    it.
    """
    target = scene.target
    if scene.choices.engaged_target_turns:
        return False
    return "engaged" in target.status or any(
        unit.side != target.side and touches(unit, target) for unit in scene.bystanders
    )


def _bodies(scene: Scene) -> list[ConvexObstacle]:
    """Return the obstacles of the turning target as convex bodies: all but the charger, with the outside of the
    board.
    """
    target = scene.target
    clearance = scene.choices.clearance
    shapes: list[Shape] = [unit.boundary for unit in scene.bystanders]
    shapes += [piece.shape for piece in scene.state.terrain if piece.kind == "impassable"]
    bodies = [*outside_board(scene.state.board, margin=target.width + target.depth)]
    for shape in shapes:
        needed = max(0.0, min(clearance, gap(target.boundary, shape)))
        bodies += [ConvexObstacle(piece, needed + shape.radius) for piece in shape.parts]
    return bodies

"""A charge in the frame of one front corner: the bodies around, limits of the wheel, and critical angles.

Nothing here depends on the angle of a wheel. Bodies are convex, many at once as arrays (m, n, 2) of corners in inches;
angles are in radians. The frame of a corner has its origin there, x away from the rest of the front and y ahead.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.scene import ChargedFacing, Scene, overlap_hazards
from tabletop.fronts.approach import CornerView
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.convex import reflected, ring_gap, stack_padded
from tabletop.geometry.motion import Stretches, blocked_turns
from tabletop.geometry.pose import Pose, Side
from tabletop.units import CONTACT

MOST_PAIRS, CORNERS = 200_000, 4
"""Number of (wheel, body) pairs per batch, for bodies of `CORNERS` corners."""

CORNER_SIDES: tuple[Side, ...] = ("left", "right")

MOST_PASSED = 100
"""Limit of hazards ahead whose passing angles are computed in closed form."""


@dataclass(frozen=True, eq=False)
class BodyArray:
    """Convex bodies as arrays, in the frame of a front corner or of a flush front.

    Attributes
    ----------
    rings
        Corners of the bodies (m, n, 2) in inches, shorter rings with one repeated.
    needed
        Gaps to be kept from the bodies (m,), in inches.
    numbers
        Indices of the bodies in the original list (m,).
    """

    rings: FloatArray
    needed: FloatArray
    numbers: IntArray

    @classmethod
    def of(cls, hazards: Sequence[ConvexObstacle], view: CornerView) -> "BodyArray":
        """Return hazards of the table as bodies in the frame of a corner."""
        rings = view.points(
            stack_padded([hazard.ring for hazard in hazards]) if hazards else np.empty((0, 1, 2))
        )
        needed = np.array([hazard.needed for hazard in hazards])
        numbers = np.arange(len(hazards))
        return cls(rings[:, ::-1] if view.is_mirrored else rings, needed, numbers)

    def near(self, ring: FloatArray, *, reach: float) -> "BodyArray":
        """Return the bodies whose gap to a ring (n, 2) is at most `reach` inches plus the gap they need."""
        if not len(self.rings):
            return self
        return self.part(
            np.flatnonzero(ring_gap(self.rings, ring) <= reach + self.needed + CONTACT)
        )

    def part(self, which: IntArray | slice) -> "BodyArray":
        """Return the bodies selected by indices or a slice."""
        return BodyArray(self.rings[which], self.needed[which], self.numbers[which])

    def batches(self, wheels: int) -> Iterator["BodyArray"]:
        """Return an iterator over the bodies in batches that fit into memory when each is tested against so many
        wheels.
        """
        size = self.at_once(wheels)
        return (
            self.part(slice(start, start + size)) for start in range(0, len(self.numbers), size)
        )

    def at_once(self, wheels: int) -> int:
        """Return how many bodies are tested per batch against a number of wheels; at least one."""
        corners: int = self.rings.shape[1]
        return max(MOST_PAIRS * CORNERS // (max(wheels, 1) * max(corners, CORNERS)), 1)

    @cached_property
    def circles(self) -> tuple[FloatArray, FloatArray]:
        """Bounding circles of the bodies: centres (m, 2) and radii (m,), in inches."""
        low, high = self.boxes
        return (low + high) / 2.0, np.hypot(*(high - low).T) / 2.0

    @cached_property
    def boxes(self) -> tuple[FloatArray, FloatArray]:
        """Bounding boxes of the bodies: corners (m, 2) of least and of greatest coordinates, in inches."""
        return self.rings.min(axis=1), self.rings.max(axis=1)

    def seen(self, view: CornerView) -> "BodyArray":
        """Return the bodies in the coordinates of another frame, which must not be mirrored."""
        return BodyArray(view.points(self.rings), self.needed, self.numbers)

    def joined(self, other: "BodyArray") -> "BodyArray":
        """Return these bodies followed by the other ones; rings are padded to the same number of corners."""
        size = max(self.rings.shape[1], other.rings.shape[1])
        rings = [
            np.concatenate(
                [some.rings, np.repeat(some.rings[:, -1:], size - some.rings.shape[1], axis=1)],
                axis=1,
            )
            for some in (self, other)
        ]
        needed = np.concatenate([self.needed, other.needed])
        numbers = np.concatenate([self.numbers, other.numbers])
        return BodyArray(np.concatenate(rings), needed, numbers)


@dataclass(frozen=True, eq=False)
class WheelLimit:
    """Greatest wheel about one corner that keeps every needed gap.

    Attributes
    ----------
    exact
        Greatest wheel in radians with all gaps kept exactly; negative if the charger is too near to something before it
        wheels.
    farthest
        The same with gaps reduced by the tolerance of lengths.
    hazard
        Hazard that limits the wheel, None if the rules' greatest angle does.
    """

    exact: float
    farthest: float
    hazard: ConvexObstacle | None = None


@dataclass(frozen=True, eq=False)
class WheelLimits:
    """Greatest wheels of a charger about both front corners, as limited by target, hazards and board."""

    scene: Scene

    @cached_property
    def views(self) -> Mapping[Side, CornerView]:
        """Coordinate frames of the two front corners, by side."""
        charger = self.scene.charger
        return {
            side: CornerView.of(charger.pose, side, width=charger.width) for side in CORNER_SIDES
        }

    @cached_property
    def hazards(self) -> tuple[ConvexObstacle, ...]:
        """Convex bodies to which a wheel must keep gaps: the target's parts, then all hazards of the scene."""
        scene = self.scene
        target = [
            ConvexObstacle(part, scene.choices.clearance, scene.target.name)
            for part in scene.target.shape.parts
        ]
        return (*target, *scene.hazards)

    @cached_property
    def limits(self) -> Mapping[Side, WheelLimit]:
        """Greatest wheel of the charger's whole frame about each front corner, by side."""
        if (breached := self._breached) is not None:
            return dict.fromkeys(CORNER_SIDES, WheelLimit(-1.0, -1.0, breached))
        return {side: self._limit_about(side) for side in CORNER_SIDES}

    def _limit_about(self, side: Side) -> WheelLimit:
        """Return the greatest wheel about one front corner, at most that of the rules."""
        charger = self.scene.charger
        view = self.views[side]
        near = BodyArray.of(self.hazards, view).near(
            np.zeros((1, 2)), reach=math.hypot(charger.width, charger.depth)
        )
        needed = np.concatenate([near.needed, near.needed - CONTACT])
        frame = np.repeat(view.ring(charger.boundary.pieces[0])[None], len(needed), axis=0)
        rings = np.concatenate([near.rings, near.rings])
        found = blocked_turns(
            reflected(frame), reflected(rings), needed=needed, until=self.scene.book.wheel_limit
        )
        return self._limit(found, near.numbers)

    @property
    def _breached(self) -> ConvexObstacle | None:
        """First hazard that the charger is too near to before it moves, None if there is none."""
        if not self.scene.hazards:
            return None
        gaps = ring_gap(
            self.scene.charger.boundary.pieces[0],
            stack_padded([hazard.ring for hazard in self.scene.hazards]),
        )
        short = np.flatnonzero(
            gaps < np.array([hazard.needed for hazard in self.scene.hazards]) - CONTACT
        )
        return self.scene.hazards[short[0]] if len(short) else None

    def _limit(self, found: Stretches, numbers: IntArray) -> WheelLimit:
        """Return the limit of a wheel from its blocked intervals of angles.

        `found` has pairs 0 to m - 1 for the m bodies with the full gap and m to 2 m - 1 with the gap reduced by the
        tolerance; `numbers` (m,) are their indices among the hazards.
        """
        book = self.scene.book.wheel_limit
        count = len(numbers)
        exact = np.flatnonzero(found.pair < count)
        if not len(exact):
            return WheelLimit(book, book)
        stop = exact[found.low[exact].argmin()]
        low = float(found.low[stop])
        number = int(numbers[found.pair[stop]])
        looser = found.low[found.pair == found.pair[stop] + count]
        return WheelLimit(low, max(low, float(looser.min(initial=book))), self.hazards[number])


@dataclass(frozen=True, eq=False)
class Corner:
    """A front corner about which the charger may wheel, with the bodies that some wheel can bring it near.

    Attributes
    ----------
    wheel_limits
        Greatest wheels about both corners.
    charged
        Side of the target that is charged.
    side
        Which front corner it is.
    """

    wheel_limits: WheelLimits
    charged: ChargedFacing
    side: Side

    @property
    def scene(self) -> Scene:
        """The charge with all regiments and terrain around it."""
        return self.wheel_limits.scene

    @property
    def view(self) -> CornerView:
        """Coordinate frame of the corner."""
        return self.wheel_limits.views[self.side]

    @cached_property
    def target(self) -> FloatArray:
        """Corners of the target (n, 2), in inches in the frame of the corner."""
        return self.view.ring(self.scene.target.ring)

    @cached_property
    def facing(self) -> FloatArray:
        """Ends u = 0 and u = length of the charged facing as rows (2, 2), in inches in the frame of the corner."""
        ends = self.view.points(np.array(self.charged.facing.ends))
        return ends[::-1] if self.view.is_mirrored else ends

    @cached_property
    def lean(self) -> float:
        """Angle from the front to the charged facing before any wheel, in radians, counter-clockwise in the frame of
        the corner.
        """
        x, y = self.view.axes @ -np.array(self.charged.facing.normal)
        return math.atan2(-x, y)

    @cached_property
    def reach(self) -> float:
        """Greatest distance between two points of the charger's frame, in inches: no turn about a point of its front
        sweeps farther.
        """
        return math.hypot(self.scene.charger.width, self.scene.charger.depth)

    @cached_property
    def hazards(self) -> BodyArray:
        """All hazards of the scene in the frame of the corner; the enemies come first."""
        return BodyArray.of(self.scene.hazards, self.view)

    @cached_property
    def ahead(self) -> BodyArray:
        """Hazards that an advance, from near the pivot to near the facing, may meet, in the frame of the corner."""
        way = np.vstack([np.zeros((1, 2)), self.facing])
        x, y = way[1] - way[0]
        to_x, to_y = way[2] - way[0]
        return self.hazards.near(
            way if x * to_y >= y * to_x else way[::-1], reach=self.scene.charger.width
        )

    @cached_property
    def front(self) -> CornerView:
        """Coordinate frame of a front flush on the facing: origin at the facing's end u = 0, x to the right along the
        front, y ahead.
        """
        x, y = (self.facing[1] - self.facing[0]) / self.charged.facing.length
        return CornerView(self.facing[0], np.array([(-x, -y), (y, -x)]), is_mirrored=False)

    def _around(self, bodies: BodyArray, reach: float) -> BodyArray:
        """Return the bodies that a turn with radius `reach` inches about points of the facing may meet, in the frame of
        a flush front.
        """
        return bodies.near(self.facing, reach=reach).seen(self.front)

    @cached_property
    def around(self) -> BodyArray:
        """Hazards that a turn of the charger may meet, in the frame of a flush front."""
        return self._around(self.hazards, self.reach)

    @cached_property
    def friends(self) -> BodyArray:
        """Friends that may be crossed and that a turn of charger or target may meet, in the frame of a flush front."""
        return self._around(
            BodyArray.of(overlap_hazards(self.scene.crossable), self.view),
            max(self.reach, self._target_reach),
        )

    @cached_property
    def enemies_around(self) -> BodyArray:
        """Enemies that a turn of the charger may meet, in the frame of a flush front."""
        return self.around.part(np.flatnonzero(self.are_enemies(self.around)))

    @cached_property
    def solid_around(self) -> BodyArray:
        """Hazards other than enemies that a turn of the charger may meet, in the frame of a flush front."""
        return self.around.part(np.flatnonzero(~self.are_enemies(self.around)))

    @cached_property
    def units_around(self) -> BodyArray:
        """Enemies that a turn of the charger may meet, then friends that may be crossed, in the frame of a flush
        front.
        """
        return self.enemies_around.joined(self.friends)

    @cached_property
    def walls(self) -> BodyArray:
        """Bodies that a turn of the target must not overlap, in the frame of a flush front.

        They are other enemies, friends of the charger that may not be crossed, solid terrain, and the outside of the
        board.
        """
        units = overlap_hazards((*self.scene.enemies, *self.scene.uncrossable))
        return self._around(
            BodyArray.of((*units, *self.scene.solid), self.view), self._target_reach
        )

    @property
    def _target_reach(self) -> float:
        """Greatest distance between two points of the target regiment's frame, in inches; 0 for a garrison."""
        unit = self.scene.target.unit
        return math.hypot(unit.width, unit.depth) if unit is not None else 0.0

    @cached_property
    def enemies(self) -> BodyArray:
        """All enemies other than the target, at any distance, in the frame of the corner."""
        return BodyArray.of(self.scene.hazards[: len(self.scene.enemies)], self.view)

    @cached_property
    def fixed(self) -> BodyArray:
        """Bodies that pushed enemies must not overlap, as far as a push can reach them, in the frame of the corner."""
        farthest = max(
            (math.hypot(unit.width, unit.depth) for unit in self.scene.enemies), default=0.0
        )
        reach = 2.0 * self.reach + self.scene.book.push_gap + farthest
        return BodyArray.of(self.fixed_hazards, self.view).near(self.facing, reach=reach)

    @property
    def fixed_hazards(self) -> tuple[ConvexObstacle, ...]:
        """Bodies that pushed enemies must not overlap, at any distance, on the table: friends, the target, solid
        terrain, the outside.
        """
        target = (
            ()
            if self.scene.target.unit is None
            else (ConvexObstacle(self.scene.target.ring, 0.0, self.scene.target.name),)
        )
        return (*overlap_hazards(self.scene.friends), *target, *self.scene.solid)

    def are_enemies(self, bodies: BodyArray) -> BoolArray:
        """Return a mask (m,) of the bodies, taken from the scene's hazards, that are enemy regiments."""
        result: BoolArray = bodies.numbers < len(self.scene.enemies)
        return result

    @property
    def limit(self) -> WheelLimit:
        """Greatest wheel about this corner."""
        return self.wheel_limits.limits[self.side]

    @cached_property
    def count_changes(self) -> tuple[float, ...]:
        """Angles of wheel, in radians, at which the number of stands that reach the facing may change."""
        charger = self.scene.charger
        overlap = self.scene.choices.overlap
        starts = np.arange(charger.files) * charger.base.width - charger.width
        return _passing(
            self.facing, np.concatenate([starts + overlap, starts + charger.base.width - overlap])
        )

    @cached_property
    def passages(self) -> tuple[float, ...]:
        """Angles of wheel, in radians, after which an end of the front passes a hazard's corner at exactly the needed
        gap.

        Empty if there are no hazards ahead or more than MOST_PASSED: then sampling alone must find where they stop
        being in the way.
        """
        ahead = self.ahead
        width = self.scene.charger.width
        if not 0 < len(ahead.numbers) <= MOST_PASSED:
            return ()
        return _passing(
            ahead.rings, np.stack([ahead.needed, -width - ahead.needed], axis=-1)[:, None]
        )

    @cached_property
    def length_changes(self) -> tuple[float, ...]:
        """Angles of wheel, in radians, between which the length of contact is a monotonic function of the angle.

        At them the charger turns about one end of its front and one of the facing, or the contact just covers all of
        one of the two.
        """
        width = self.scene.charger.width
        length = self.charged.facing.length
        along = (self.facing[1] - self.facing[0]) / length
        kinks = [
            self.facing[0] + place * along
            for place in (length - width, width)
            if 0.0 < place < length
        ]
        angles = _passing(np.array([*self.facing, *kinks]), np.array([0.0, -width]))
        return angles + (
            _passing(self.facing, np.array([length - width, -length])) if length < width else ()
        )

    def way_changes(self, most: float) -> tuple[float, ...]:
        """Return angles of wheel, in radians, at which the length of the advance to the facing may pass `most`
        inches.
        """
        normal_x, normal_y = self.view.axes @ np.array(self.charged.facing.normal)
        width = self.scene.charger.width
        height = float(self.facing[0] @ (normal_x, normal_y))
        at_corners = solutions(self.facing[:, 1], self.facing[:, 0], np.array(most))
        at_pivot = solutions(np.array(most * normal_y), np.array(most * normal_x), np.array(height))
        far_x = most * normal_x + width * normal_y
        far_y = most * normal_y - width * normal_x
        return (
            *at_corners,
            *at_pivot,
            *solutions(np.array(far_y), np.array(far_x), np.array(height)),
        )

    def pose(self, angle: float, ahead: float = 0.0) -> Pose:
        """Return the charger's pose after a wheel about this corner by `angle` radians and an advance of `ahead`
        inches.
        """
        charger = self.scene.charger
        wheeled = (
            charger.pose.wheeled(self.side, angle, width=charger.width)
            if angle > 0.0
            else charger.pose
        )
        return wheeled.advanced(ahead)


def solutions(cosine: FloatArray, sine: FloatArray, values: FloatArray) -> tuple[float, ...]:
    """Return the angles t in (0, pi) with cosine * cos(t) + sine * sin(t) = values; the three arrays broadcast.

    All solutions are returned in one tuple, in radians.

    Examples
    --------
    >>> [round(angle, 6) for angle in solutions(np.array(0.0), np.array(2.0), np.array([1.0, 5.0]))]
    [2.617994, 0.523599]
    """
    size = np.hypot(cosine, sine)
    middle = np.arctan2(sine, cosine)
    size, middle, values = np.broadcast_arrays(size, middle, values)
    reached = np.abs(values) <= size
    half = np.arccos(values[reached] / np.where(size[reached] == 0.0, 1.0, size[reached]))
    angles = np.concatenate([middle[reached] + half, middle[reached] - half]) % math.tau
    return tuple(angles[(angles > 0.0) & (angles < math.pi)].tolist())


def _passing(points: FloatArray, aside: FloatArray) -> tuple[float, ...]:
    """Return the angles of wheel, in radians, after which points (..., n, 2) lie `aside` inches (..., v) to the right
    of the pivot.
    """
    return solutions(points[..., 0, None], -points[..., 1, None], aside)

"""A charge in the frame of one front corner: bodies, limits of the wheel, and critical angles.

Nothing here depends on the angle of a wheel. Bodies are convex, many at once as arrays (m, n, 2) of corners in inches; angles are in
radians.
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
    """Convex bodies in the frame of a corner.

    Attributes
    ----------
    rings
        Their corners (m, n, 2), shorter ones with one repeated.
    needed
        The gaps to be kept from them (m,), in inches.
    numbers
        Their indices in the original list (m,).
    """

    rings: FloatArray
    needed: FloatArray
    numbers: IntArray

    @classmethod
    def of(cls, hazards: Sequence[ConvexObstacle], view: CornerView) -> "BodyArray":
        """Return hazards in the frame of a corner."""
        rings = view.points(stack_padded([hazard.ring for hazard in hazards]) if hazards else np.empty((0, 1, 2)))
        needed, numbers = np.array([hazard.needed for hazard in hazards]), np.arange(len(hazards))
        return cls(rings[:, ::-1] if view.is_mirrored else rings, needed, numbers)

    def near(self, ring: FloatArray, *, reach: float) -> "BodyArray":
        """Return the bodies within `reach` inches plus their needed gap of a ring."""
        if not len(self.rings):
            return self
        return self.part(np.flatnonzero(ring_gap(self.rings, ring) <= reach + self.needed + CONTACT))

    def part(self, which: IntArray | slice) -> "BodyArray":
        """Return a subset of the bodies."""
        return BodyArray(self.rings[which], self.needed[which], self.numbers[which])

    def batches(self, wheels: int) -> Iterator["BodyArray"]:
        """Return the bodies in batches that fit into memory for a number of wheels."""
        size = self.at_once(wheels)
        return (self.part(slice(start, start + size)) for start in range(0, len(self.numbers), size))

    def at_once(self, wheels: int) -> int:
        """Return the number of bodies per batch for a number of wheels, at least one."""
        corners: int = self.rings.shape[1]
        return max(MOST_PAIRS * CORNERS // (max(wheels, 1) * max(corners, CORNERS)), 1)

    @cached_property
    def circles(self) -> tuple[FloatArray, FloatArray]:
        """Bounding circles: centres (m, 2) and radii (m,), in inches."""
        low, high = self.boxes
        return (low + high) / 2.0, np.hypot(*(high - low).T) / 2.0

    @cached_property
    def boxes(self) -> tuple[FloatArray, FloatArray]:
        """Bounding boxes: corners (m, 2) of least and of greatest coordinates, in inches."""
        return self.rings.min(axis=1), self.rings.max(axis=1)

    def seen(self, view: CornerView) -> "BodyArray":
        """Return the bodies in other coordinates, not mirrored."""
        return BodyArray(view.points(self.rings), self.needed, self.numbers)

    def joined(self, other: "BodyArray") -> "BodyArray":
        """Return these bodies followed by others."""
        size = max(self.rings.shape[1], other.rings.shape[1])
        rings = [
            np.concatenate([some.rings, np.repeat(some.rings[:, -1:], size - some.rings.shape[1], axis=1)], axis=1)
            for some in (self, other)
        ]
        needed, numbers = np.concatenate([self.needed, other.needed]), np.concatenate([self.numbers, other.numbers])
        return BodyArray(np.concatenate(rings), needed, numbers)


@dataclass(frozen=True, eq=False)
class WheelLimit:
    """Greatest wheels, in radians, that keep every needed gap: exactly, and within the tolerance of lengths.

    Both are negative if the charger is too near to something before it wheels.

    Attributes
    ----------
    hazard
        Hazard that limits the wheel, None if the rules' greatest angle does.
    """

    exact: float
    farthest: float
    hazard: ConvexObstacle | None = None


@dataclass(frozen=True, eq=False)
class WheelLimits:
    """Limits of a charger's wheel about both corners, by target, hazards and board."""

    scene: Scene

    @cached_property
    def views(self) -> Mapping[Side, CornerView]:
        """The coordinates of the corners."""
        charger = self.scene.charger
        return {side: CornerView.of(charger.pose, side, width=charger.width) for side in CORNER_SIDES}

    @cached_property
    def hazards(self) -> tuple[ConvexObstacle, ...]:
        """Hazards of the wheel."""
        scene = self.scene
        target = [ConvexObstacle(part, scene.choices.clearance, scene.target.name) for part in scene.target.shape.parts]
        return (*target, *scene.hazards)

    @cached_property
    def limits(self) -> Mapping[Side, WheelLimit]:
        """Greatest wheel of the whole frame about each corner."""
        if (breached := self._breached) is not None:
            return dict.fromkeys(CORNER_SIDES, WheelLimit(-1.0, -1.0, breached))
        return {side: self._limit_about(side) for side in CORNER_SIDES}

    def _limit_about(self, side: Side) -> WheelLimit:
        """Return the greatest wheel about one corner."""
        charger, view = self.scene.charger, self.views[side]
        near = BodyArray.of(self.hazards, view).near(np.zeros((1, 2)), reach=math.hypot(charger.width, charger.depth))
        needed = np.concatenate([near.needed, near.needed - CONTACT])
        frame = np.repeat(view.ring(charger.boundary.pieces[0])[None], len(needed), axis=0)
        rings = np.concatenate([near.rings, near.rings])
        found = blocked_turns(reflected(frame), reflected(rings), needed=needed, until=self.scene.book.wheel_limit)
        return self._limit(found, near.numbers)

    @property
    def _breached(self) -> ConvexObstacle | None:
        """First hazard that the charger is too near to before it moves."""
        if not self.scene.hazards:
            return None
        gaps = ring_gap(self.scene.charger.boundary.pieces[0], stack_padded([hazard.ring for hazard in self.scene.hazards]))
        short = np.flatnonzero(gaps < np.array([hazard.needed for hazard in self.scene.hazards]) - CONTACT)
        return self.scene.hazards[short[0]] if len(short) else None

    def _limit(self, found: Stretches, numbers: IntArray) -> WheelLimit:
        """Return the limit from the angles at which numbered hazards block the turn, with full and with reduced gap."""
        book, count = self.scene.book.wheel_limit, len(numbers)
        exact = np.flatnonzero(found.pair < count)
        if not len(exact):
            return WheelLimit(book, book)
        stop = exact[found.low[exact].argmin()]
        low, number = float(found.low[stop]), int(numbers[found.pair[stop]])
        looser = found.low[found.pair == found.pair[stop] + count]
        return WheelLimit(low, max(low, float(looser.min(initial=book))), self.hazards[number])


@dataclass(frozen=True, eq=False)
class Corner:
    """A front corner about which the charger may wheel, with the bodies that some wheel can bring it near."""

    wheel_limits: WheelLimits
    charged: ChargedFacing
    side: Side

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.wheel_limits.scene

    @property
    def view(self) -> CornerView:
        """The coordinates of the corner."""
        return self.wheel_limits.views[self.side]

    @cached_property
    def target(self) -> FloatArray:
        """The target's corners."""
        return self.view.ring(self.scene.target.ring)

    @cached_property
    def facing(self) -> FloatArray:
        """The ends u = 0 and u = length of the charged facing (2, 2)."""
        ends = self.view.points(np.array(self.charged.facing.ends))
        return ends[::-1] if self.view.is_mirrored else ends

    @cached_property
    def lean(self) -> float:
        """Angle from front to facing before any wheel, in radians, counter-clockwise."""
        x, y = self.view.axes @ -np.array(self.charged.facing.normal)
        return math.atan2(-x, y)

    @cached_property
    def reach(self) -> float:
        """Greatest distance of the charger's frame from any point of its front, in inches."""
        return math.hypot(self.scene.charger.width, self.scene.charger.depth)

    @cached_property
    def hazards(self) -> BodyArray:
        """All hazards; the enemies come first."""
        return BodyArray.of(self.scene.hazards, self.view)

    @cached_property
    def ahead(self) -> BodyArray:
        """Hazards that an advance, from near the pivot to near the facing, may meet."""
        way = np.vstack([np.zeros((1, 2)), self.facing])
        (x, y), (to_x, to_y) = way[1] - way[0], way[2] - way[0]
        return self.hazards.near(way if x * to_y >= y * to_x else way[::-1], reach=self.scene.charger.width)

    @cached_property
    def front(self) -> CornerView:
        """Frame of a front flush on the facing: origin at the facing's end u = 0, x to the right along the front, y ahead."""
        x, y = (self.facing[1] - self.facing[0]) / self.charged.facing.length
        return CornerView(self.facing[0], np.array([(-x, -y), (y, -x)]), is_mirrored=False)

    def _around(self, bodies: BodyArray, reach: float) -> BodyArray:
        """Return the hazards, in the frame of a flush front, that a turn about points of the facing with radius `reach` may meet."""
        return bodies.near(self.facing, reach=reach).seen(self.front)

    @cached_property
    def around(self) -> BodyArray:
        """Hazards that a turn of the charger may meet, in the frame of a flush front."""
        return self._around(self.hazards, self.reach)

    @cached_property
    def friends(self) -> BodyArray:
        """Friends that may be crossed and that a turn of charger or target may meet, in the frame of a flush front."""
        return self._around(BodyArray.of(overlap_hazards(self.scene.crossable), self.view), max(self.reach, self._target_reach))

    @cached_property
    def enemies_around(self) -> BodyArray:
        """Enemies among the hazards around."""
        return self.around.part(np.flatnonzero(self.are_enemies(self.around)))

    @cached_property
    def solid_around(self) -> BodyArray:
        """Hazards around other than enemies."""
        return self.around.part(np.flatnonzero(~self.are_enemies(self.around)))

    @cached_property
    def units_around(self) -> BodyArray:
        """Enemies around, then friends that may be crossed."""
        return self.enemies_around.joined(self.friends)

    @cached_property
    def walls(self) -> BodyArray:
        """Units and solid terrain that a turn of the target may overlap, in the frame of a flush front."""
        units = overlap_hazards((*self.scene.enemies, *self.scene.uncrossable))
        return self._around(BodyArray.of((*units, *self.scene.solid), self.view), self._target_reach)

    @property
    def _target_reach(self) -> float:
        unit = self.scene.target.unit
        return math.hypot(unit.width, unit.depth) if unit is not None else 0.0

    @cached_property
    def enemies(self) -> BodyArray:
        """The other enemies."""
        return BodyArray.of(self.scene.hazards[: len(self.scene.enemies)], self.view)

    @cached_property
    def fixed(self) -> BodyArray:
        """Fixed bodies that a pushed enemy may overlap, within the reach of a push."""
        farthest = max((math.hypot(unit.width, unit.depth) for unit in self.scene.enemies), default=0.0)
        reach = 2.0 * self.reach + self.scene.book.push_gap + farthest
        return BodyArray.of(self.fixed_hazards, self.view).near(self.facing, reach=reach)

    @property
    def fixed_hazards(self) -> tuple[ConvexObstacle, ...]:
        """The same at any distance."""
        target = () if self.scene.target.unit is None else (ConvexObstacle(self.scene.target.ring, 0.0, self.scene.target.name),)
        return (*overlap_hazards(self.scene.friends), *target, *self.scene.solid)

    def are_enemies(self, bodies: BodyArray) -> BoolArray:
        """Return a mask of the hazards (m,) that are enemy regiments."""
        result: BoolArray = bodies.numbers < len(self.scene.enemies)
        return result

    @property
    def limit(self) -> WheelLimit:
        """Greatest wheel about this corner."""
        return self.wheel_limits.limits[self.side]

    @cached_property
    def count_changes(self) -> tuple[float, ...]:
        """Angles of wheel, in radians, at which the number of stands that reach the facing may change."""
        charger, overlap = self.scene.charger, self.scene.choices.overlap
        starts = np.arange(charger.files) * charger.base.width - charger.width
        return _passing(self.facing, np.concatenate([starts + overlap, starts + charger.base.width - overlap]))

    @cached_property
    def passages(self) -> tuple[float, ...]:
        """Angles of wheel, in radians, after which an end of the front passes a hazard's corner at exactly the needed gap.

        Hazards of very many edges are left to the sampling search.
        """
        ahead, width = self.ahead, self.scene.charger.width
        if not 0 < len(ahead.numbers) <= MOST_PASSED:
            return ()
        return _passing(ahead.rings, np.stack([ahead.needed, -width - ahead.needed], axis=-1)[:, None])

    @cached_property
    def length_changes(self) -> tuple[float, ...]:
        """Angles of wheel, in radians, between which the length of contact is monotonic.

        The charger then turns about one end of its front and one of the facing, or the contact has just all of one of the two.
        """
        width, length = self.scene.charger.width, self.charged.facing.length
        along = (self.facing[1] - self.facing[0]) / length
        kinks = [self.facing[0] + place * along for place in (length - width, width) if 0.0 < place < length]
        angles = _passing(np.array([*self.facing, *kinks]), np.array([0.0, -width]))
        return angles + (_passing(self.facing, np.array([length - width, -length])) if length < width else ())

    def way_changes(self, most: float) -> tuple[float, ...]:
        """Return angles of wheel, in radians, at which the advance to the facing may exceed `most` inches."""
        (normal_x, normal_y), width = self.view.axes @ np.array(self.charged.facing.normal), self.scene.charger.width
        height = float(self.facing[0] @ (normal_x, normal_y))
        at_corners = solutions(self.facing[:, 1], self.facing[:, 0], np.array(most))
        at_pivot = solutions(np.array(most * normal_y), np.array(most * normal_x), np.array(height))
        far_x, far_y = most * normal_x + width * normal_y, most * normal_y - width * normal_x
        return (*at_corners, *at_pivot, *solutions(np.array(far_y), np.array(far_x), np.array(height)))

    def pose(self, angle: float, ahead: float = 0.0) -> Pose:
        """Return the charger's pose after a wheel, in radians, and an advance, in inches."""
        charger = self.scene.charger
        wheeled = charger.pose.wheeled(self.side, angle, width=charger.width) if angle > 0.0 else charger.pose
        return wheeled.advanced(ahead)


def solutions(cosine: FloatArray, sine: FloatArray, values: FloatArray) -> tuple[float, ...]:
    """Return the angles in (0, pi) at which cosine * cos + sine * sin is one of `values`; all three broadcast.

    Examples
    --------
    >>> [round(angle, 6) for angle in solutions(np.array(0.0), np.array(2.0), np.array([1.0, 5.0]))]
    [2.617994, 0.523599]
    """
    size, middle = np.hypot(cosine, sine), np.arctan2(sine, cosine)
    size, middle, values = np.broadcast_arrays(size, middle, values)
    reached = np.abs(values) <= size
    half = np.arccos(values[reached] / np.where(size[reached] == 0.0, 1.0, size[reached]))
    angles = np.concatenate([middle[reached] + half, middle[reached] - half]) % math.tau
    return tuple(angles[(angles > 0.0) & (angles < math.pi)].tolist())


def _passing(points: FloatArray, aside: FloatArray) -> tuple[float, ...]:
    """Return the angles of wheel, in radians, after which points (..., n, 2) lie at given distances right of the pivot (..., v)."""
    return solutions(points[..., 0, None], -points[..., 1, None], aside)

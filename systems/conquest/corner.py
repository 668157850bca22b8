"""The charge as it is seen from one front corner: bodies, limits of the wheel, and the angles at which something changes.

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
"""Pairs of a wheel and a body of so many corners that are worked on at once."""

CORNER_SIDES: tuple[Side, ...] = ("left", "right")

MOST_PASSED = 100
"""Hazards ahead whose passages are worked out in closed form."""


@dataclass(frozen=True, eq=False)
class BodyArray:
    """Convex bodies as seen from a corner.

    Attributes
    ----------
    rings
        Their corners (m, n, 2), shorter ones with one repeated.
    needed
        The gaps to be kept from them (m,), in inches.
    numbers
        Their places in the list that they come from (m,).
    """

    rings: FloatArray
    needed: FloatArray
    numbers: IntArray

    @classmethod
    def of(cls, hazards: Sequence[ConvexObstacle], view: CornerView) -> "BodyArray":
        """See hazards from a corner."""
        rings = view.points(stack_padded([hazard.ring for hazard in hazards]) if hazards else np.empty((0, 1, 2)))
        needed, numbers = np.array([hazard.needed for hazard in hazards]), np.arange(len(hazards))
        return cls(rings[:, ::-1] if view.is_mirrored else rings, needed, numbers)

    def near(self, ring: FloatArray, *, reach: float) -> "BodyArray":
        """Keep those that are no farther than `reach` inches and their needed gap from a ring."""
        if not len(self.rings):
            return self
        return self.part(np.flatnonzero(ring_gap(self.rings, ring) <= reach + self.needed + CONTACT))

    def part(self, which: IntArray | slice) -> "BodyArray":
        """Keep some of them."""
        return BodyArray(self.rings[which], self.needed[which], self.numbers[which])

    def batches(self, wheels: int) -> Iterator["BodyArray"]:
        """Return them in parts, each of as many as fit into memory with so many wheels."""
        size = self.at_once(wheels)
        return (self.part(slice(start, start + size)) for start in range(0, len(self.numbers), size))

    def at_once(self, wheels: int) -> int:
        """Return how many of them fit into memory with so many wheels, at least one."""
        corners: int = self.rings.shape[1]
        return max(MOST_PAIRS * CORNERS // (max(wheels, 1) * max(corners, CORNERS)), 1)

    @cached_property
    def circles(self) -> tuple[FloatArray, FloatArray]:
        """Circles around them: centres (m, 2) and radii (m,), in inches."""
        low, high = self.boxes
        return (low + high) / 2.0, np.hypot(*(high - low).T) / 2.0

    @cached_property
    def boxes(self) -> tuple[FloatArray, FloatArray]:
        """Boxes around them: the corners (m, 2) with least and with greatest coordinates."""
        return self.rings.min(axis=1), self.rings.max(axis=1)

    def seen(self, view: CornerView) -> "BodyArray":
        """See them in other coordinates, not mirrored."""
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
    """The greatest wheel (radians) that keeps every needed gap, and one that does as far as lengths can be told apart.

    Both are negative where not even the place before any wheel keeps them.

    Attributes
    ----------
    hazard
        What ends it, None if the book does.
    """

    exact: float
    farthest: float
    hazard: ConvexObstacle | None = None


@dataclass(frozen=True, eq=False)
class WheelLimits:
    """The room that a charger has to wheel, target, hazards and board as they are."""

    scene: Scene

    @cached_property
    def views(self) -> Mapping[Side, CornerView]:
        """The coordinates of the corners."""
        charger = self.scene.charger
        return {side: CornerView.of(charger.pose, side, width=charger.width) for side in CORNER_SIDES}

    @cached_property
    def hazards(self) -> tuple[ConvexObstacle, ...]:
        """Whatever a wheel may come too near to."""
        scene = self.scene
        target = [ConvexObstacle(part, scene.choices.clearance, scene.target.name) for part in scene.target.shape.parts]
        return (*target, *scene.hazards)

    @cached_property
    def limits(self) -> Mapping[Side, WheelLimit]:
        """How far the whole frame can wheel about each corner before it comes too near to something."""
        if (breached := self._breached) is not None:
            return dict.fromkeys(CORNER_SIDES, WheelLimit(-1.0, -1.0, breached))
        return {side: self._limit_about(side) for side in CORNER_SIDES}

    def _limit_about(self, side: Side) -> WheelLimit:
        """How far it can wheel about one corner."""
        charger, view = self.scene.charger, self.views[side]
        near = BodyArray.of(self.hazards, view).near(np.zeros((1, 2)), reach=math.hypot(charger.width, charger.depth))
        needed = np.concatenate([near.needed, near.needed - CONTACT])
        frame = np.repeat(view.ring(charger.boundary.pieces[0])[None], len(needed), axis=0)
        rings = np.concatenate([near.rings, near.rings])
        found = blocked_turns(reflected(frame), reflected(rings), needed=needed, until=self.scene.book.wheel_limit)
        return self._limit(found, near.numbers)

    @property
    def _breached(self) -> ConvexObstacle | None:
        """What the charger is too near to before it moves, though it may stand beside it; the first of them."""
        if not self.scene.hazards:
            return None
        gaps = ring_gap(self.scene.charger.boundary.pieces[0], stack_padded([hazard.ring for hazard in self.scene.hazards]))
        short = np.flatnonzero(gaps < np.array([hazard.needed for hazard in self.scene.hazards]) - CONTACT)
        return self.scene.hazards[short[0]] if len(short) else None

    def _limit(self, found: Stretches, numbers: IntArray) -> WheelLimit:
        """Read the limit from where turns are blocked by hazards, given by their numbers: with all of the gap, then with less."""
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
    """A front corner about which the charger may wheel; bodies are left out where no wheel can bring it near them."""

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
        """How far the facing leans from the front before any wheel, in radians, counter-clockwise."""
        x, y = self.view.axes @ -np.array(self.charged.facing.normal)
        return math.atan2(-x, y)

    @cached_property
    def reach(self) -> float:
        """How far the charger's frame extends from any point of its front, at most, in inches."""
        return math.hypot(self.scene.charger.width, self.scene.charger.depth)

    @cached_property
    def hazards(self) -> BodyArray:
        """All hazards; the enemies come first."""
        return BodyArray.of(self.scene.hazards, self.view)

    @cached_property
    def ahead(self) -> BodyArray:
        """Hazards that an advance may meet: it leads from about the pivot to about the facing."""
        way = np.vstack([np.zeros((1, 2)), self.facing])
        (x, y), (to_x, to_y) = way[1] - way[0], way[2] - way[0]
        return self.hazards.near(way if x * to_y >= y * to_x else way[::-1], reach=self.scene.charger.width)

    @cached_property
    def front(self) -> CornerView:
        """Coordinates of a front that lies flush on the facing: its end u = 0 is the origin, x to the right along it, y ahead."""
        x, y = (self.facing[1] - self.facing[0]) / self.charged.facing.length
        return CornerView(self.facing[0], np.array([(-x, -y), (y, -x)]), is_mirrored=False)

    def _around(self, bodies: BodyArray, reach: float) -> BodyArray:
        """See those from a flush front that turns about points of the facing may meet, if nothing extends farther than `reach`."""
        return bodies.near(self.facing, reach=reach).seen(self.front)

    @cached_property
    def around(self) -> BodyArray:
        """Hazards that a turn of the charger may meet, as seen from a flush front."""
        return self._around(self.hazards, self.reach)

    @cached_property
    def friends(self) -> BodyArray:
        """Friends that may be crossed, as far as a turn of charger or target may meet them, as seen from a flush front."""
        return self._around(BodyArray.of(overlap_hazards(self.scene.crossable), self.view), max(self.reach, self._target_reach))

    @cached_property
    def enemies_around(self) -> BodyArray:
        """The enemies among them."""
        return self.around.part(np.flatnonzero(self.are_enemies(self.around)))

    @cached_property
    def solid_around(self) -> BodyArray:
        """The others among them."""
        return self.around.part(np.flatnonzero(~self.are_enemies(self.around)))

    @cached_property
    def units_around(self) -> BodyArray:
        """Enemies around, and behind them friends that may be crossed."""
        return self.enemies_around.joined(self.friends)

    @cached_property
    def walls(self) -> BodyArray:
        """What a turn of the target may overlap beside such friends, as seen from a flush front: units and solid terrain."""
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
        """What an enemy that is pushed may overlap beside other enemies and the charger, as far away as it may get."""
        farthest = max((math.hypot(unit.width, unit.depth) for unit in self.scene.enemies), default=0.0)
        reach = 2.0 * self.reach + self.scene.book.push_gap + farthest
        return BodyArray.of(self.fixed_hazards, self.view).near(self.facing, reach=reach)

    @property
    def fixed_hazards(self) -> tuple[ConvexObstacle, ...]:
        """The same, however far away."""
        target = () if self.scene.target.unit is None else (ConvexObstacle(self.scene.target.ring, 0.0, self.scene.target.name),)
        return (*overlap_hazards(self.scene.friends), *target, *self.scene.solid)

    def are_enemies(self, bodies: BodyArray) -> BoolArray:
        """Return which of some hazards (m,) are enemy regiments."""
        result: BoolArray = bodies.numbers < len(self.scene.enemies)
        return result

    @property
    def limit(self) -> WheelLimit:
        """How far the charger can wheel about it."""
        return self.wheel_limits.limits[self.side]

    @cached_property
    def count_changes(self) -> tuple[float, ...]:
        """Wheels (radians) at which an end of the facing begins or ceases to cover enough of a stand."""
        charger, overlap = self.scene.charger, self.scene.choices.overlap
        starts = np.arange(charger.files) * charger.base.width - charger.width
        return _passing(self.facing, np.concatenate([starts + overlap, starts + charger.base.width - overlap]))

    @cached_property
    def passages(self) -> tuple[float, ...]:
        """Wheels (radians) after which an end of the front passes a corner of a hazard at just the needed gap.

        Curves of very many small pieces are left to the search.
        """
        ahead, width = self.ahead, self.scene.charger.width
        if not 0 < len(ahead.numbers) <= MOST_PASSED:
            return ()
        return _passing(ahead.rings, np.stack([ahead.needed, -width - ahead.needed], axis=-1)[:, None])

    @cached_property
    def length_changes(self) -> tuple[float, ...]:
        """Wheels (radians) between which the contact only gets longer, or only shorter, as the angle grows.

        The charger then turns about one end of its front and one of the facing, or the contact has just all of one of the two.
        """
        width, length = self.scene.charger.width, self.charged.facing.length
        along = (self.facing[1] - self.facing[0]) / length
        kinks = [self.facing[0] + place * along for place in (length - width, width) if 0.0 < place < length]
        angles = _passing(np.array([*self.facing, *kinks]), np.array([0.0, -width]))
        return angles + (_passing(self.facing, np.array([length - width, -length])) if length < width else ())

    def way_changes(self, most: float) -> tuple[float, ...]:
        """Wheels (radians) at which the advance to the facing may get longer than `most` inches."""
        (normal_x, normal_y), width = self.view.axes @ np.array(self.charged.facing.normal), self.scene.charger.width
        height = float(self.facing[0] @ (normal_x, normal_y))
        at_corners = solutions(self.facing[:, 1], self.facing[:, 0], np.array(most))
        at_pivot = solutions(np.array(most * normal_y), np.array(most * normal_x), np.array(height))
        far_x, far_y = most * normal_x + width * normal_y, most * normal_y - width * normal_x
        return (*at_corners, *at_pivot, *solutions(np.array(far_y), np.array(far_x), np.array(height)))

    def pose(self, angle: float, ahead: float = 0.0) -> Pose:
        """Return where the charger stands after a wheel in radians and so many inches ahead."""
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
    """Return the wheels (radians) after which points (..., n, 2) lie so many inches to the right of the pivot; (..., v) for each."""
    return solutions(points[..., 0, None], -points[..., 1, None], aside)

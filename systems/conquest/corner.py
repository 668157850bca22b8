"""The charge as it is seen from one front corner: what does not depend on the angle of the wheel."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.bodies import Flags, SeenBodies
from systems.conquest.charged_facing import Charged
from systems.conquest.freedom import CORNER_SIDES, Freedom, WheelLimit
from systems.conquest.scene import Scene
from tabletop.fronts.corner import CornerView
from tabletop.fronts.obstacle import Hazard
from tabletop.geometry.pose import FloatArray, Pose, Side
from tabletop.table.state import Regiment

MOST_PASSED = 100
"""Hazards ahead whose passages are worked out in closed form."""


@dataclass(frozen=True, eq=False)
class Corner:
    """A front corner about which the charger may wheel; bodies are left out where no wheel can bring it near them."""

    freedom: Freedom
    charged: Charged
    side: Side

    @property
    def scene(self) -> Scene:
        """The charge in its surroundings."""
        return self.freedom.scene

    @property
    def view(self) -> CornerView:
        """The coordinates of the corner."""
        return self.freedom.views[self.side]

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
    def hazards(self) -> SeenBodies:
        """All hazards; the enemies come first."""
        return SeenBodies.of(self.scene.hazards, self.view)

    @cached_property
    def ahead(self) -> SeenBodies:
        """Hazards that an advance may meet: it leads from about the pivot to about the facing."""
        way = np.vstack([np.zeros((1, 2)), self.facing])
        return self.hazards.near(_counter_clockwise(way), reach=self.scene.charger.width)

    @cached_property
    def front(self) -> CornerView:
        """Coordinates of a front that lies flush on the facing: its end u = 0 is the origin, x to the right along it, y ahead."""
        x, y = (self.facing[1] - self.facing[0]) / self.charged.facing.length
        return CornerView(self.facing[0], np.array([(-x, -y), (y, -x)]), is_mirrored=False)

    def _around(self, bodies: SeenBodies, reach: float) -> SeenBodies:
        """See those from a flush front that turns about points of the facing may meet, if nothing extends farther than `reach`."""
        return bodies.near(self.facing, reach=reach).seen(self.front)

    @cached_property
    def around(self) -> SeenBodies:
        """Hazards that a turn of the charger may meet, as seen from a flush front."""
        return self._around(self.hazards, self.reach)

    @cached_property
    def friends(self) -> SeenBodies:
        """Friends that may be crossed, as far as a turn of charger or target may meet them, as seen from a flush front."""
        return self._around(SeenBodies.of(_overlapped(self.scene.crossable), self.view), max(self.reach, self._target_reach))

    @cached_property
    def enemies_around(self) -> SeenBodies:
        """The enemies among them."""
        return self.around.part(np.flatnonzero(self.are_enemies(self.around)))

    @cached_property
    def solid_around(self) -> SeenBodies:
        """The others among them."""
        return self.around.part(np.flatnonzero(~self.are_enemies(self.around)))

    @cached_property
    def units_around(self) -> SeenBodies:
        """Enemies around, and behind them friends that may be crossed."""
        return self.enemies_around.joined(self.friends)

    @cached_property
    def walls(self) -> SeenBodies:
        """What a turn of the target may overlap beside such friends, as seen from a flush front: units and solid terrain."""
        units = _overlapped((*self.scene.enemies, *self.scene.uncrossable))
        return self._around(SeenBodies.of((*units, *self.scene.solid), self.view), self._target_reach)

    @property
    def _target_reach(self) -> float:
        unit = self.scene.target.unit
        return math.hypot(unit.width, unit.depth) if unit is not None else 0.0

    @cached_property
    def enemies(self) -> SeenBodies:
        """The other enemies."""
        return SeenBodies.of(self.scene.hazards[: len(self.scene.enemies)], self.view)

    @cached_property
    def fixed(self) -> SeenBodies:
        """What an enemy that is pushed may overlap beside other enemies and the charger, as far away as it may get."""
        farthest = max((math.hypot(unit.width, unit.depth) for unit in self.scene.enemies), default=0.0)
        reach = 2.0 * self.reach + self.scene.book.push_gap + farthest
        target = () if self.scene.target.unit is None else (Hazard(self.scene.target.ring, 0.0, self.scene.target.name),)
        bodies = SeenBodies.of((*_overlapped(self.scene.friends), *target, *self.scene.solid), self.view)
        return bodies.near(self.facing, reach=reach)

    def are_enemies(self, bodies: SeenBodies) -> Flags:
        """Tell which of some hazards are enemy regiments (m,)."""
        result: Flags = bodies.numbers < len(self.scene.enemies)
        return result

    @property
    def limit(self) -> WheelLimit:
        """How far the charger can wheel about it."""
        return self.freedom.limits[self.side]

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
        """Give where the charger stands after a wheel in radians and so many inches ahead."""
        charger = self.scene.charger
        wheeled = charger.pose.wheeled(self.side, angle, width=charger.width) if angle > 0.0 else charger.pose
        return wheeled.advanced(ahead)


def solutions(cosine: FloatArray, sine: FloatArray, values: FloatArray) -> tuple[float, ...]:
    """Give the angles in (0, pi) at which cosine * cos + sine * sin is one of `values`; all three broadcast.

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
    """Give the wheels (radians) after which points (..., n, 2) lie so many inches to the right of the pivot; (..., v) for each."""
    return solutions(points[..., 0, None], -points[..., 1, None], aside)


def _overlapped(units: Sequence[Regiment]) -> list[Hazard]:
    """Ask units only not to be overlapped."""
    return [Hazard(unit.boundary.pieces[0], 0.0, unit.name) for unit in units]


def _counter_clockwise(triangle: FloatArray) -> FloatArray:
    (x, y), (to_x, to_y) = triangle[1] - triangle[0], triangle[2] - triangle[0]
    return triangle if x * to_y >= y * to_x else triangle[::-1]


def corners(scene: Scene, charged: Charged) -> tuple[Corner, ...]:
    """Give both front corners, the left one first."""
    freedom = scene.kept(Freedom)
    return tuple(Corner(freedom, charged, side) for side in CORNER_SIDES)

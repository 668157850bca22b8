"""Many wheels about one front corner at once, each with the straight advance after it: how many stands reach, where it stops.

Frame: the wheeled front lies on x from 0 to its width, its pivot at the right end (pictures of left pivots are mirrored), y ahead.
All arrays have one row for each angle.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from systems.conquest.facing import Charged
from systems.conquest.scene import Scene
from tabletop.corners import CornerView
from tabletop.obstacles import Hazard, Stop, free_turn
from tabletop.pose import FloatArray, Pose, Side
from tabletop.rings import turned
from tabletop.solve.advances import Advances, Touch, advances, first_touch
from tabletop.solve.turns import padded
from tabletop.units import CONTACT, FLUSH

Flags = NDArray[np.bool_]
TOGETHER = 10
"""Times the clearance: an enemy met when the target is no farther than this is met together with it."""


@dataclass(frozen=True, eq=False)
class Corner:
    """The charge as it is seen from one front corner: what does not depend on the angle."""

    scene: Scene
    charged: Charged
    side: Side

    @cached_property
    def view(self) -> CornerView:
        """The coordinates of the corner."""
        return CornerView.of(self.scene.charger.pose, self.side, width=self.scene.charger.width)

    @cached_property
    def target(self) -> FloatArray:
        """The target's corners."""
        return self.view.ring(self.scene.target.ring)

    @cached_property
    def rings(self) -> FloatArray:
        """The hazards' corners (m, n, 2)."""
        return padded([self.view.ring(hazard.ring) for hazard in self.scene.hazards]) if self.scene.hazards else np.empty((0, 1, 2))

    @cached_property
    def needed(self) -> FloatArray:
        """The gaps that they need (m,)."""
        return np.array([hazard.needed for hazard in self.scene.hazards])

    @cached_property
    def is_enemy(self) -> Flags:
        """Which of them are enemy regiments (m,)."""
        return np.arange(len(self.scene.hazards)) < len(self.scene.enemies)

    @cached_property
    def friends(self) -> FloatArray:
        """The corners of friends that may be crossed (f, 4, 2)."""
        rings = [self.view.ring(unit.boundary.pieces[0]) for unit in self.scene.crossable]
        return np.array(rings).reshape(-1, 4, 2)

    @cached_property
    def walls(self) -> tuple[Hazard, ...]:
        """What neither the target nor a pushed enemy may overlap beside enemies and friends that may be crossed."""
        units = (Hazard(unit.boundary.pieces[0], 0.0, unit.name) for unit in self.scene.uncrossable)
        return tuple(Hazard(self.view.ring(hazard.ring), hazard.needed, hazard.name) for hazard in (*units, *self.scene.solid))

    @cached_property
    def limit(self) -> tuple[float, Hazard | None]:
        """The greatest wheel (radians) that keeps every needed gap, and the hazard that ends it, None if the book does."""
        scene = self.scene
        stop = self._stop((Hazard(scene.target.ring, scene.choices.clearance, scene.target.name), *scene.hazards))
        return min(stop.free, self.scene.book.wheel_limit), stop.hazard

    @cached_property
    def farthest(self) -> float:
        """The greatest wheel (radians) that keeps the needed gaps as far as lengths can be told apart."""
        exact, hazard = self.limit
        if hazard is None:
            return exact
        nearer = Hazard(hazard.ring, hazard.needed - CONTACT, hazard.name)
        return max(exact, min(self._stop([nearer]).free, self.scene.book.wheel_limit))

    def _stop(self, hazards: Sequence[Hazard]) -> Stop:
        """Give how far the whole frame can wheel before it comes too near to one of some hazards."""
        charger = self.scene.charger
        pivot, sense = (charger.front_right, -1) if self.side == "right" else (charger.front_left, 1)
        return free_turn(charger.boundary.pieces[0], hazards, pivot=pivot, sense=sense, until=self.scene.book.wheel_limit)

    def fan(self, angles: FloatArray, *, slack: float = CONTACT) -> "Fan":
        """Try wheels by angles (k,) in radians; `slack` inches are allowed to every limit."""
        return Fan(self, angles, slack)

    def pose(self, angle: float, ahead: float = 0.0) -> Pose:
        """Give where the charger stands after a wheel in radians and so many inches ahead."""
        charger = self.scene.charger
        wheeled = charger.pose.wheeled(self.side, angle, width=charger.width) if angle > 0.0 else charger.pose
        return wheeled.advanced(ahead)


@dataclass(frozen=True, eq=False)
class Fan:
    """Wheels about a corner by `angles` (k,) in radians; `slack` inches are allowed to every limit."""

    corner: Corner
    angles: FloatArray
    slack: float

    def of(self, which: NDArray[np.intp] | Flags) -> "Fan":
        """Give some of the wheels."""
        return Fan(self.corner, self.angles[which], self.slack)

    def seen(self, ring: FloatArray) -> FloatArray:
        """See a ring (n, 2), or several (m, n, 2), from the wheeled front: (k, n, 2), or (k, m, n, 2)."""
        angles = self.angles if ring.ndim == 2 else self.angles[:, None]  # noqa: PLR2004 - axes
        shift = np.array([self.width, 0.0])
        result: FloatArray = turned(ring, angles) + shift
        return result

    @property
    def width(self) -> float:
        """Width of the front in inches."""
        return self.corner.scene.charger.width

    @cached_property
    def target(self) -> FloatArray:
        """The target's corners (k, n, 2)."""
        return self.seen(self.corner.target)

    @cached_property
    def hazards(self) -> FloatArray:
        """The hazards' corners (k, m, n, 2)."""
        return self.seen(self.corner.rings)

    @cached_property
    def facing_ends(self) -> tuple[FloatArray, FloatArray]:
        """The ends u = 0 and u = length of the charged facing, (k, 2) each."""
        ends = self.corner.view.points(np.array(self.corner.charged.facing.ends))
        seen = self.seen(ends[::-1] if self.corner.view.is_mirrored else ends)
        return seen[:, 0], seen[:, 1]

    @cached_property
    def turns(self) -> FloatArray:
        """The turn (k,) that brings the front flush on the facing, in radians, counter-clockwise in the frame."""
        normal = self.corner.view.axes @ np.array(self.corner.charged.facing.normal)
        inward = turned(-normal[None], self.angles)[:, 0]
        angles: FloatArray = np.arctan2(-inward[:, 0], inward[:, 1])
        return np.where(np.abs(angles) <= FLUSH, 0.0, angles)

    @cached_property
    def reaching(self) -> NDArray[np.intp]:
        """How many front stands reach the charged facing (k,)."""
        scene = self.corner.scene
        low, high = self._covered
        starts = np.arange(scene.charger.files) * scene.charger.base.width
        common = np.minimum(high[:, None], starts + scene.charger.base.width) - np.maximum(low[:, None], starts)
        faces = np.cos(self.turns) > 0.0
        counts: NDArray[np.intp] = (common >= scene.choices.overlap - self.slack).sum(axis=1)
        return np.where(faces, counts, 0)

    @cached_property
    def _covered(self) -> tuple[FloatArray, FloatArray]:
        """From where to where the part of the facing ahead of the front line covers it, inches from its left end."""
        (start, end) = self.facing_ends
        rise = end[:, 1] - start[:, 1]
        crossing = np.clip(-start[:, 1] / np.where(rise == 0.0, 1.0, rise), 0.0, 1.0)
        cut = start[:, 0] + crossing * (end[:, 0] - start[:, 0])
        first = np.where(start[:, 1] >= 0.0, start[:, 0], cut)
        last = np.where(end[:, 1] >= 0.0, end[:, 0], cut)
        is_behind = (start[:, 1] < 0.0) & (end[:, 1] < 0.0)
        low, high = np.minimum(first, last), np.maximum(first, last)
        return np.where(is_behind, np.inf, low), np.where(is_behind, -np.inf, high)

    @cached_property
    def touch(self) -> Touch:
        """The advance (inches) to first contact with the target, and where on the front that is."""
        return first_touch(self.target, self.width)

    @property
    def ways(self) -> FloatArray:
        """The advances in inches, inf where the target is never met."""
        return self.touch.way

    @cached_property
    def places(self) -> FloatArray:
        """Where along the front (k,) the charger turns about: the contact, or any of its points where it is already flush."""
        start, end = self.facing_ends
        flush = np.clip(self.touch.place, np.minimum(start[:, 0], end[:, 0]), np.maximum(start[:, 0], end[:, 0]))
        return np.where(self.turns == 0.0, flush, self.touch.place)

    @cached_property
    def along(self) -> FloatArray:
        """Where on the charged facing (k,) that contact lies, inches from its end u = 0."""
        return self._on_facing[0]

    @cached_property
    def _on_facing(self) -> tuple[FloatArray, FloatArray]:
        """The contact in coordinates (u, v) of the charged facing."""
        start, end = self.facing_ends
        length = self.corner.charged.facing.length
        along_x, along_y = (end - start).T / length
        x, y = self.places - start[:, 0], np.where(np.isfinite(self.ways), self.ways, 0.0) - start[:, 1]
        return x * along_x + y * along_y, x * along_y - y * along_x

    @cached_property
    def reaches(self) -> Flags:
        """Which wheels bring a stand to the charged facing, and the first contact onto it."""
        u, v = self._on_facing
        is_on = (np.abs(v) <= CONTACT) & (u >= -CONTACT) & (u <= self.corner.charged.facing.length + CONTACT)
        met = np.isfinite(self.ways) & (self.ways >= -CONTACT)
        result: Flags = (self.reaching > 0) & is_on & met
        return result

    @cached_property
    def lengths(self) -> FloatArray:
        """Common stretch of front and facing (k,) once they are flush, in inches."""
        start = self.along - (self.width - self.places)
        common = np.minimum(start + self.width, self.corner.charged.facing.length) - np.maximum(start, 0.0)
        lengths: FloatArray = np.maximum(common, 0.0)
        return lengths

    @cached_property
    def stretches(self) -> Advances:
        """Where on the advance each hazard is too near (k, m)."""
        return advances(self.hazards, self.width, level=self.corner.needed - self.slack)

    @cached_property
    def breaches(self) -> Flags:
        """Which hazards (k, m) come too near on the advance."""
        return self.stretches.blocks(self.ways[:, None])

    @cached_property
    def offends(self) -> Flags:
        """Which hazards (k, m) are enemies met together with the target."""
        together = advances(self.target, self.width, level=np.asarray(TOGETHER * self.corner.scene.choices.clearance + self.slack))
        is_together: Flags = self.stretches.low >= together.low[:, None]
        return self.breaches & is_together & self.corner.is_enemy

    @cached_property
    def is_free(self) -> Flags:
        """Which wheels and advances keep every needed gap, enemies met together with the target left out."""
        within: Flags = self.angles <= (self.corner.farthest if self.slack >= CONTACT else self.corner.limit[0])
        return within & ~some(self.breaches & ~self.offends)

    def walls(self, *, with_target: bool) -> tuple[FloatArray, FloatArray]:
        """Give the corners (k, w, n, 2) of what no unit may overlap, the target perhaps among it, and the gaps needed (w,)."""
        walls = self.corner.walls
        rings = [wall.ring for wall in walls] + ([self.corner.target] if with_target else [])
        needed = np.array([wall.needed for wall in walls] + [0.0] * with_target)
        return (self.seen(padded(rings)) if rings else np.empty((len(self.angles), 0, 1, 2))), needed - self.slack

    def is_near_enough(self, most: float) -> Flags:
        """Tell which advances are at most so many inches."""
        result: Flags = self.ways <= most + self.slack
        return result


def some(flags: Flags) -> Flags:
    """Tell of each row (k, m) whether anything in it holds."""
    result: Flags = np.logical_or.reduce(flags, axis=1)
    return result


def corners(scene: Scene, charged: Charged) -> Sequence[Corner]:
    """Give both front corners, the left one first."""
    return Corner(scene, charged, "left"), Corner(scene, charged, "right")

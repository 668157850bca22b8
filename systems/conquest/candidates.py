"""Many wheels about one front corner at once, each with its straight advance: which stands reach the target, and where
it stops.

Frame: the wheeled front lies on the x axis from 0 to its width, with the pivot at the right end (left pivots are
mirrored), and y points ahead. All arrays have one row per wheel (k); lengths are in inches.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from systems.conquest.corner import BodyArray, Corner
from tabletop.fronts.sweep import Advances, FirstContact, advances, first_contact
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.convex import rotated
from tabletop.units import CONTACT, FLUSH

CARRIED = (
    "facing_ends",
    "leans",
    "turns",
    "reaching",
    "touch",
    "places",
    "on_facing",
    "_obstructed",
)
"""Cached attributes that a subset of the wheels takes over."""

TOGETHER = 10
"""Multiple of the clearance within which an enemy is met together with the target."""


@dataclass(frozen=True, eq=False)
class WheelCandidates:
    """Wheels about one front corner by several angles, each with its straight advance to the target.

    Attributes
    ----------
    corner
        Front corner about which the charger wheels, with the bodies around.
    angles
        Wheels (k,) in radians, at least 0.
    slack
        Tolerance on every limit, in inches.
    """

    corner: Corner
    angles: FloatArray
    slack: float = CONTACT

    def of(self, which: IntArray | BoolArray) -> "WheelCandidates":
        """Return the wheels selected by a mask or by indices, with the attributes already computed for them."""
        part = WheelCandidates(self.corner, self.angles[which], self.slack)
        known = {
            name: _rows(self.__dict__[name], which) for name in CARRIED if name in self.__dict__
        }
        part.__dict__.update(known)
        return part

    def seen(self, ring: FloatArray) -> FloatArray:
        """Return a ring of the corner's frame, (n, 2) or one per wheel (k, n, 2), in the frame of each wheeled front:
        (k, n, 2).
        """
        result: FloatArray = rotated(ring, self.angles) + np.array([self.width, 0.0])
        return result

    @property
    def width(self) -> float:
        """Width of the charger's front in inches."""
        return self.corner.scene.charger.width

    @cached_property
    def target(self) -> FloatArray:
        """Corners of the target (k, n, 2) in the frame of each wheeled front."""
        return self.seen(self.corner.target)

    @cached_property
    def facing_ends(self) -> tuple[FloatArray, FloatArray]:
        """Ends u = 0 and u = length of the charged facing, (k, 2) each, in the frame of each wheeled front."""
        seen = self.seen(self.corner.facing)
        return seen[:, 0], seen[:, 1]

    @cached_property
    def leans(self) -> FloatArray:
        """Angles (k,) from the wheeled front to the charged facing, in radians in [-pi, pi), counter-clockwise in the
        frame.
        """
        leans: FloatArray = (
            np.remainder(self.corner.lean + self.angles + np.pi, 2.0 * np.pi) - np.pi
        )
        return leans

    @cached_property
    def turns(self) -> FloatArray:
        """Turns (k,) that bring the wheeled front flush on the facing, in radians, counter-clockwise in the frame; 0 if
        it is parallel.
        """
        return np.where(np.abs(self.leans) <= FLUSH, 0.0, self.leans)

    @cached_property
    def reaching(self) -> IntArray:
        """Number (k,) of front stands (bases of the first rank) that have enough of the charged facing straight ahead
        of them.
        """
        scene = self.corner.scene
        low, high = self._covered
        starts = np.arange(scene.charger.files) * scene.charger.base.width
        common = np.minimum(high[:, None], starts + scene.charger.base.width) - np.maximum(
            low[:, None], starts
        )
        faces = np.cos(self.turns) > 0.0
        counts: IntArray = (common >= scene.choices.overlap - self.slack).sum(axis=1)
        return np.where(faces, counts, 0)

    @cached_property
    def _covered(self) -> tuple[FloatArray, FloatArray]:
        """Interval of the front with part of the facing straight ahead: bounds (k,) in inches from the left end; (inf,
        -inf) if none.
        """
        (start, end) = self.facing_ends
        rise = end[:, 1] - start[:, 1]
        crossing = np.clip(-start[:, 1] / np.where(rise == 0.0, 1.0, rise), 0.0, 1.0)
        cut = start[:, 0] + crossing * (end[:, 0] - start[:, 0])
        first = np.where(start[:, 1] >= 0.0, start[:, 0], cut)
        last = np.where(end[:, 1] >= 0.0, end[:, 0], cut)
        is_behind = (start[:, 1] < 0.0) & (end[:, 1] < 0.0)
        low = np.minimum(first, last)
        high = np.maximum(first, last)
        return np.where(is_behind, np.inf, low), np.where(is_behind, -np.inf, high)

    @cached_property
    def touch(self) -> FirstContact:
        """First contact of each advance with the target: inches to advance (k,), inf if never, and place in inches
        along the front (k,).
        """
        return first_contact(self.target, self.width)

    @property
    def ways(self) -> FloatArray:
        """Lengths (k,) of the advances to first contact, in inches; inf where the target is never met."""
        return self.touch.way

    @cached_property
    def places(self) -> FloatArray:
        """Place (k,) along the front, in inches from its left end, about which the charger turns flush.

        It is the point of first contact, or the middle of the contact if the front is already flush.
        """
        start, end = self.facing_ends
        low = np.minimum(start[:, 0], end[:, 0])
        high = np.maximum(start[:, 0], end[:, 0])
        middle = (np.maximum(low, 0.0) + np.minimum(high, self.width)) / 2.0
        return np.where(self.turns == 0.0, middle, self.touch.place)

    @property
    def along(self) -> FloatArray:
        """Coordinate u (k,) of the point of contact along the charged facing, in inches."""
        return self.on_facing[0]

    @cached_property
    def on_facing(self) -> tuple[FloatArray, FloatArray]:
        """Point of contact in coordinates of the charged facing: u along it and v behind it, (k,) each, in inches."""
        start, end = self.facing_ends
        length = self.corner.charged.facing.length
        along_x, along_y = (end - start).T / length
        x = self.places - start[:, 0]
        y = np.where(np.isfinite(self.ways), self.ways, 0.0) - start[:, 1]
        return x * along_x + y * along_y, x * along_y - y * along_x

    @cached_property
    def reaches(self) -> BoolArray:
        """Mask (k,) of the wheels with some stand that reaches the charged facing and with first contact on that
        facing.
        """
        reaches = self.reaching > 0
        reaches[reaches] = self.of(reaches).meets
        return reaches

    @cached_property
    def meets(self) -> BoolArray:
        """Mask (k,) of the wheels whose advance first meets the target on the charged facing."""
        u, v = self.on_facing
        is_on = (
            (np.abs(v) <= CONTACT)
            & (u >= -CONTACT)
            & (u <= self.corner.charged.facing.length + CONTACT)
        )
        met = np.isfinite(self.ways) & (self.ways >= -CONTACT)
        result: BoolArray = is_on & met
        return result

    @cached_property
    def lengths(self) -> FloatArray:
        """Common length (k,) of front and charged facing once they are flush, in inches; at least 0."""
        start = self.along - (self.width - self.places)
        common = np.minimum(start + self.width, self.corner.charged.facing.length) - np.maximum(
            start, 0.0
        )
        lengths: FloatArray = np.maximum(common, 0.0)
        return lengths

    def stretches(self, bodies: BodyArray) -> Advances:
        """Return the interval of advance i, in inches, on which the front is too near to body i; there must be k
        bodies.
        """
        return advances(self.seen(bodies.rings), self.width, level=bodies.needed - self.slack)

    def met_together(self, bodies: BodyArray, stretches: Advances) -> BoolArray:
        """Return a mask (k,) that says whether body i is an enemy that advance i meets together with the target.

        Such an enemy does not block the advance: it is met only just before the target is. `stretches` are those of the
        same bodies.
        """
        met_together = stretches.blocks(self.ways) & self.corner.are_enemies(bodies)
        if met_together.any():
            met_together[met_together] = (
                stretches.low[met_together] >= self.of(met_together).together
            )
        return met_together

    @property
    def together(self) -> FloatArray:
        """Length (k,) of the advance, in inches, from which on an enemy counts as met together with the target."""
        return advances(
            self.target,
            self.width,
            level=np.asarray(TOGETHER * self.corner.scene.choices.clearance + self.slack),
        ).low

    @cached_property
    def _obstructed(self) -> tuple[BoolArray, BoolArray]:
        """Masks (k,) of the advances that are blocked, and of those on which an enemy is met together with the
        target.
        """
        blocked, offends = np.zeros((2, len(self.angles)), dtype=bool)
        for bodies in self.corner.ahead.batches(len(blocked)):
            self.corner.scene.check_deadline()
            wheels, numbers = np.nonzero(self._may_meet(bodies) & ~blocked[:, None])
            if len(wheels):
                advancing = self.of(wheels)
                met = bodies.part(numbers)
                stretches = advancing.stretches(met)
                met_together = advancing.met_together(met, stretches)
                blocked[wheels[stretches.blocks(advancing.ways) & ~met_together]] = True
                offends[wheels[met_together]] = True
        return blocked, offends

    def _may_meet(self, bodies: BodyArray) -> BoolArray:
        """Return a mask (k, m) of the bodies that each advance may come too near to, by bounding circles."""
        centres, radii = bodies.circles
        reach = radii + bodies.needed + CONTACT
        seen = self.seen(centres)
        x = seen[..., 0]
        y = seen[..., 1]
        beside: BoolArray = (x >= -reach) & (x <= self.width + reach)
        return beside & (y >= -reach) & (y <= self.ways[:, None] + reach)

    @property
    def offends(self) -> BoolArray:
        """Mask (k,) of advances, not blocked, on which an enemy is met together with the target."""
        return self._obstructed[1]

    @property
    def is_free(self) -> BoolArray:
        """Mask (k,) of the wheels that keep every needed gap while they wheel and advance.

        Enemies met together with the target are not counted.
        """
        within: BoolArray = self.angles <= (
            self.corner.limit.farthest if self.slack >= CONTACT else self.corner.limit.exact
        )
        return within & ~self._obstructed[0]

    def is_near_enough(self, most: float) -> BoolArray:
        """Return a mask (k,) of the advances that are at most `most` inches long, within the tolerance."""
        result: BoolArray = self.ways <= most + self.slack
        return result


def _rows(known: Any, which: IntArray | BoolArray) -> Any:
    """Return selected rows of an array, of each array of a tuple, or of a first contact."""
    if isinstance(known, FirstContact):
        return FirstContact(known.way[which], known.place[which])
    return tuple(one[which] for one in known) if isinstance(known, tuple) else known[which]


def some(flags: BoolArray) -> BoolArray:
    """Return for each row of a mask (k, m) whether any entry is true, as a mask (k,)."""
    result: BoolArray = np.logical_or.reduce(flags, axis=1)
    return result

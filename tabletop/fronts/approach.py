"""Data and coordinate frames of the charge move of a front edge: forward, one wheel, forward again until it meets a
target.

Coordinates: one frame per pivot, mirrored for the left corner, with the pivot at the origin, y ahead and the rest of
the front at x from -width to 0. After wheeling by t, s runs along the front from the pivot and r ahead of it. A facing
is one side of the target, with a coordinate u along it; all lengths are in inches.
"""

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tabletop.budget import check_deadline
from tabletop.fronts.obstacle import ConvexObstacle, free_slides
from tabletop.fronts.sweep import ConvexRings, linear_bound, wheel_blocks
from tabletop.geometry.arrays import FloatArray, IntArray, lengths_of
from tabletop.geometry.convex import stack_padded
from tabletop.geometry.pose import Pose, Side
from tabletop.optimise.interval import Intervals
from tabletop.table.facing import Facing
from tabletop.table.state import Board
from tabletop.units import CONTACT, FLUSH

PIVOTS: tuple[Side, ...] = ("right", "left")

MOST_NORMALS = 1_000_000
"""Size limit of an array of bodies times normals times corners."""

OUTWARD = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


@dataclass(frozen=True, eq=False)
class Approach:
    """A charge move of a straight front edge against one side of a convex target: forward, one wheel, forward.

    Attributes
    ----------
    pose
        Middle of the front before the move, heading ahead.
    width
        Length of the front in inches.
    target
        Corners of the target on the table (k, 2), counter-clockwise.
    facing
        Side of the target that the front is to meet first.
    hazards
        Convex bodies to which the front must keep the gap that each needs.
    board
        Board that the front must not leave.
    wheel_limit
        Greatest angle of the wheel in radians.
    ignores_way
        Whether the hazards count only at the end of the move, where the front meets the target.
    shifts
        Displacements (n, 2) in inches: the move is examined for n poses of the target, displaced by one row each; all
        else is equal.
    """

    pose: Pose
    width: float
    target: FloatArray
    facing: Facing
    hazards: tuple[ConvexObstacle, ...]
    board: Board
    wheel_limit: float
    ignores_way: bool = False
    shifts: FloatArray = field(default_factory=lambda: np.zeros((1, 2)))

    @cached_property
    def frames(self) -> "PivotFrames":
        """The target, the hazards and the board in the coordinate frames of both front corners."""
        return PivotFrames.of(self)

    def to_nearby(self) -> "Approach":
        """Return the same charge move without the hazards that no move of the front to the facing can come near.

        A hazard is dropped if its bounding box lies, with its needed gap, wholly behind the front, or more than twice
        the front's width beyond the box around front and facing.
        """
        if not self.hazards:
            return self
        facing = self.pose.to_body(np.array(self.facing.ends) + self.shifts[:, None])
        margin = 2.0 * self.width
        west = min(-self.width, float(facing[..., 0].min())) - margin
        north = float(facing[..., 1].max()) + margin
        east = max(self.width, float(facing[..., 0].max())) + margin
        rings = self.pose.to_body(stack_padded([hazard.ring for hazard in self.hazards]))
        x = rings[..., 0]
        y = rings[..., 1]
        needed = np.array([hazard.needed for hazard in self.hazards]) + CONTACT
        beside = (x.max(axis=1) + needed < west) | (x.min(axis=1) - needed > east)
        behind = (y.max(axis=1) + needed < 0.0) | (y.min(axis=1) - needed > north)
        is_far = (beside | behind).tolist()
        return replace(
            self,
            hazards=tuple(
                hazard for hazard, far in zip(self.hazards, is_far, strict=True) if not far
            ),
        )

    @cached_property
    def straight_limits(self) -> FloatArray:
        """Greatest straight moves before the wheel, in inches, (2, n): by pivot (right, left) and pose of the target.

        A straight move ends at the first of hazards (unless `ignores_way`), target and edge of the board; never
        negative.
        """
        frames = self.frames
        count = 2 * len(self.hazards)
        low, high = wheel_blocks(
            frames.bodies(slice(None)), np.zeros(len(frames.needed)), width=self.width
        )
        in_the_way = np.where((low < high) & (high > CONTACT), low, np.inf)
        hazards = in_the_way[: 0 if self.ignores_way else count].reshape(2, -1)
        room = frames.board_limits - np.maximum(0.0, -self.width * frames.board_normals[..., 0])
        _, edges = linear_bound(np.maximum(frames.board_normals[..., 1], 0.0), room)
        stopped = np.concatenate([hazards, edges], axis=1).min(axis=1)
        limits: FloatArray = np.maximum(
            np.minimum(in_the_way[count:].reshape(2, -1), stopped[:, None]), 0.0
        )
        return limits

    @cached_property
    def special_angles(self) -> list[list[float]]:
        """Critical wheel angles in radians, sorted, one list per pivot (right, left): no cell of a search may contain
        one inside.

        They are 0, the angles at which the front is parallel or square to the facing, and `wheel_limit`.
        """
        found = list[list[float]]()
        for normal in self.frames.normal.tolist():
            flush = math.atan2(-normal[0], -normal[1]) % (math.pi / 2)
            inside = [
                angle
                for angle in (flush, flush + math.pi / 2)
                if FLUSH < angle < self.wheel_limit - FLUSH
            ]
            found.append([0.0, *inside, self.wheel_limit])
        return found

    @cached_property
    def open_facing(self) -> list[Intervals]:
        """Parts of the facing where a point keeps the gap of every hazard: intervals of u in inches, one set per pose
        of the target.

        Elsewhere a front that touches the facing is too near to a hazard. Gaps may be short by twice the tolerance of
        contact.
        """
        hazards = [ConvexObstacle(one.ring, one.needed - 2.0 * CONTACT) for one in self.hazards]
        start = np.array([self.facing.origin])
        span = (0.0, self.facing.length)
        return free_slides(
            start, hazards, direction=self.facing.along, within=span, shifts=self.shifts, slack=0.0
        )

    def corner(self, side: Side) -> tuple[float, float]:
        """Return the table point (x, y), in inches, of the left or right corner of the front before the move."""
        return self.pose.front_corner(side, width=self.width)


@dataclass(frozen=True, eq=False)
class PivotFrames(ConvexRings):
    """Bodies of a charge move in the frame of each front corner (0 right, 1 left), in inches, at n poses of the target.

    Bodies are rows of one table: the h hazards seen from the right corner, then from the left one, then the target at
    all poses from the right and from the left.

    Attributes
    ----------
    vertices, after, before, normals
        Vertices of each body, those that follow and precede them, and outward normals of the edges after, (2h + 2n, k,
        2); short rings repeat their last row.
    supports
        Support of each body along its normals: the greatest normal . vertex, (2h + 2n, k).
    needed
        Gap that each body needs, (2h + 2n,); 0 for the target.
    ends, normal
        Points u = 0 and u = length of the facing (2, n, 2, 2), and its outward normal (2, 2).
    board_normals, board_limits
        The board as normal . p <= limit: (2, 4, 2) and (2, 4).
    reach
        Upper bound (2, n) of the distance from the pivot before the move to any point swept before the front meets the
        facing.
    """

    ends: FloatArray
    normal: FloatArray
    board_normals: FloatArray
    board_limits: FloatArray
    reach: FloatArray

    @cached_property
    def discs(self) -> tuple[FloatArray, FloatArray]:
        """Discs that contain the bodies: centres (2h + 2n, 2) and radii (2h + 2n,), in inches."""
        centres = (self.vertices.min(axis=1) + self.vertices.max(axis=1)) / 2
        return centres, np.linalg.norm(self.vertices - centres[:, None], axis=2).max(axis=1)

    def rows(self, side: IntArray, pose: IntArray) -> IntArray:
        """Return the table rows (m, 1 + h) of the target (column 0) and the h hazards for pivots `side` (m,) and poses
        `pose` (m,).
        """
        poses = self.ends.shape[1]
        hazards = len(self.needed) // 2 - poses
        return np.concatenate(
            [
                (2 * hazards + side * poses + pose)[:, None],
                (side * hazards)[:, None] + np.arange(hazards),
            ],
            axis=1,
        )

    def bodies(self, rows: IntArray | slice, extra: FloatArray | float = 0.0) -> ConvexRings:
        """Return the bodies of some table rows, with `extra` inches added to the gap that each needs."""
        parts = (
            part[rows]
            for part in (self.vertices, self.after, self.before, self.normals, self.supports)
        )
        vertices, after, before, normals, supports = parts
        return ConvexRings(vertices, after, before, normals, supports, self.needed[rows] + extra)

    @classmethod
    def of(cls, approach: Approach) -> "PivotFrames":
        """Return the bodies, facing and board of a charge move, transformed into the coordinates of both front
        corners.
        """
        views = [CornerView.of(approach.pose, side, width=approach.width) for side in PIVOTS]
        rings = [approach.target, *(hazard.ring for hazard in approach.hazards)]
        vertices, after, before = (
            np.stack(part) for part in zip(*(_corners(view, rings) for view in views), strict=True)
        )
        normals = _normals(vertices, after)
        shifts = np.stack([approach.shifts @ view.axes.T for view in views])
        supports = _supports(normals, vertices)
        along = np.einsum("skj,snj->snk", normals[:, 0], shifts)
        ends = (
            np.array([view.points(np.array(approach.facing.ends)) for view in views])[:, None]
            + shifts[:, :, None]
        )
        needed = np.array([hazard.needed for hazard in approach.hazards])
        board = approach.board
        return cls(
            vertices=_one_table(vertices, shifts[:, :, None]),
            after=_one_table(after, shifts[:, :, None]),
            before=_one_table(before, shifts[:, :, None]),
            normals=_one_table(normals, np.zeros((*shifts.shape[:2], 1, 1))),
            supports=_one_table(supports, along),
            needed=np.concatenate([needed, needed, np.zeros(2 * len(approach.shifts))]),
            ends=ends,
            normal=np.array([view.axes @ np.array(approach.facing.normal) for view in views]),
            board_normals=np.array([OUTWARD @ view.axes.T for view in views]),
            board_limits=np.array([board.width, 0.0, board.depth, 0.0])
            - [OUTWARD @ view.origin for view in views],
            reach=np.hypot(approach.width, np.linalg.norm(ends, axis=3).max(axis=2)),
        )


def _one_table(part: FloatArray, shift: FloatArray) -> FloatArray:
    """Return table rows (2h + 2n, ...) from values (2, 1 + h, ...) of target and hazards by pivot: hazards first, then
    targets.

    The target's value comes first in `part`; each of its n poses gets it plus `shift` (2, n, ...).
    """
    hazards = part[:, 1:]
    targets = part[:, :1] + shift
    return np.concatenate([some.reshape(-1, *part.shape[2:]) for some in (hazards, targets)])


@dataclass(frozen=True, eq=False)
class CornerView:
    """Coordinate frame of one front corner: x away from the rest of the front, y ahead, mirrored for the left corner.

    Attributes
    ----------
    origin
        The corner on the table (2,), in inches.
    axes
        Unit vectors x and y of the frame as rows, in table coordinates (2, 2).
    is_mirrored
        Whether the frame is that of the left corner.
    """

    origin: FloatArray
    axes: FloatArray
    is_mirrored: bool

    @classmethod
    def of(cls, pose: Pose, side: Side, *, width: float) -> "CornerView":
        """Return the frame of the `side` corner of a front of `width` inches whose middle is at `pose`."""
        right = np.array(pose.right)
        outward = right if side == "right" else -right
        corner = pose.front_corner(side, width=width)
        return cls(np.array(corner), np.array([outward, pose.forward]), side == "left")

    @property
    def sense(self) -> int:
        """Sign of a turn that is counter-clockwise in this frame, as seen on the table: +1, or -1 in a mirrored
        frame.
        """
        return -1 if self.is_mirrored else 1

    def points(self, points: FloatArray) -> FloatArray:
        """Return table points (..., 2) in the coordinates of this frame, in inches, of the same shape."""
        result: FloatArray = (points - self.origin) @ self.axes.T
        return result

    def ring(self, ring: FloatArray) -> FloatArray:
        """Return a counter-clockwise ring (n, 2) of the table in this frame; mirrored frames reverse its order to keep
        it so.
        """
        seen = self.points(ring)
        return seen[::-1] if self.is_mirrored else seen


def _corners(
    frame: CornerView, rings: list[FloatArray]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the corners of rings in a frame (n, k, 2), padded by repeating the last one, and the corners after and
    before each.
    """
    counts = np.array([len(ring) for ring in rings])
    first = np.cumsum(counts) - counts
    size = counts[:, None]
    place = np.minimum(np.arange(counts.max()), size - 1)
    points = frame.points(np.concatenate(rings))

    def at(order: IntArray) -> FloatArray:
        """Return the corners (n, k, 2) at positions `order` (n, k) within their counter-clockwise rings."""
        seen: FloatArray = points[
            (size - 1 - order if frame.is_mirrored else order) + first[:, None]
        ]
        return seen

    return at(place), at((place + 1) % size), at((place - 1) % size)


def _normals(vertices: FloatArray, after: FloatArray) -> FloatArray:
    """Return the outward unit normals of the edges that begin at vertices (2, n, k, 2) and end at `after`.

    An edge of length 0 gets the normal of another edge of its body, and a body that is a point gets (0, 1): any
    direction separates a point from other bodies.
    """
    along = after - vertices
    lengths = lengths_of(along)
    normals = (
        np.stack([along[..., 1], -along[..., 0]], axis=-1)
        / np.where(lengths > 0.0, lengths, 1.0)[..., None]
    )
    for side, body in np.argwhere((lengths == 0.0).any(axis=-1)).tolist():
        has_length = lengths[side, body] > 0.0
        normals[side, body, ~has_length] = (
            normals[side, body, has_length][:1] if has_length.any() else (0.0, 1.0)
        )
    return normals


def _supports(normals: FloatArray, vertices: FloatArray) -> FloatArray:
    """Return the supports (2, n, k), in inches, of rings: the greatest normal . vertex for each of their normals (2, n,
    k, 2).
    """
    supports = np.empty(normals.shape[:-1])
    count = max(MOST_NORMALS // normals.shape[2] ** 2, 1)
    for some in (slice(start, start + count) for start in range(0, normals.shape[1], count)):
        check_deadline()
        supports[:, some] = (normals[:, some] @ vertices[:, some].swapaxes(-1, -2)).max(axis=-1)
    return supports

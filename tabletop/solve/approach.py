"""A front edge that goes forward, wheels once and goes forward again until it meets a target: what such a move is about.

Coordinates: one picture per pivot, mirrored for the left corner, with the pivot at the origin, y ahead and the rest of the front
at x from -width to 0. After wheeling by t, s runs along the front from the pivot and r ahead of it.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.contact import Facing
from tabletop.corners import CornerView
from tabletop.obstacles import Hazard
from tabletop.pose import FloatArray, Pose, Side
from tabletop.shapes import edge_normals
from tabletop.solve.sweeps import Bodies, half_line, wheel_blocks
from tabletop.state import Board
from tabletop.units import CONTACT

SIDES: tuple[Side, ...] = ("right", "left")


@dataclass(frozen=True, eq=False)
class Approach:
    """What a charge move is about: a front of `width` inches at `pose`, a facing of a convex target, and what is in the way.

    `wheel_limit` is in radians; with `ignores_way` the hazards count only where the front meets the target.
    """

    pose: Pose
    width: float
    target: FloatArray
    facing: Facing
    hazards: tuple[Hazard, ...]
    board: Board
    wheel_limit: float
    ignores_way: bool = False

    @cached_property
    def halves(self) -> "Halves":
        """The picture seen from both front corners."""
        return Halves.of(self)

    @cached_property
    def straight_limits(self) -> FloatArray:
        """How far the front may go straight ahead before a hazard, the target or the board's edge stops it, per pivot, in inches."""
        halves, which = self.halves, slice(0, 1 if self.ignores_way else None)
        pivots = np.arange(len(halves.reach))
        needed = np.broadcast_to(halves.needed[which], (len(pivots), len(halves.needed[which])))
        low, high = wheel_blocks(halves.bodies(pivots, which, needed), np.zeros_like(needed), width=self.width)
        in_the_way = np.where((low < high) & (high > CONTACT), low, np.inf).min(axis=1)
        room = halves.board_limits - np.maximum(0.0, -self.width * halves.board_normals[..., 0])
        _, edges = half_line(np.maximum(halves.board_normals[..., 1], 0.0), room)
        limits: FloatArray = np.maximum(np.minimum(in_the_way, edges.min(axis=1)), 0.0)
        return limits

    def corner(self, side: Side) -> tuple[float, float]:
        """Give a front corner on the table."""
        return self.pose.point(self.width / 2 if side == "right" else -self.width / 2, 0.0)


@dataclass(frozen=True, eq=False)
class Halves:
    """The approach in pivot coordinates, index 0 for the right corner and 1 for the left, in inches.

    Attributes
    ----------
    vertices, normals
        Of the target (index 0) and the hazards (the rest), (2, 1 + hazards, k, 2); short rings repeat their last row.
    after, before
        The vertices that follow and precede them in the ring.
    supports
        How far each body reaches along its normals, (2, 1 + hazards, k).
    needed
        Gap that each of them needs, (1 + hazards,).
    ends, normal
        Of the facing: its points u = 0 and u = length (2, 2, 2), its outward normal (2, 2).
    board_normals, board_limits
        The board as normal . p <= limit: (2, 4, 2) and (2, 4).
    reach
        No point swept before the front meets the facing is farther from where the pivot starts to turn: (2,).
    """

    vertices: FloatArray
    after: FloatArray
    before: FloatArray
    normals: FloatArray
    supports: FloatArray
    needed: FloatArray
    ends: FloatArray
    normal: FloatArray
    board_normals: FloatArray
    board_limits: FloatArray
    reach: FloatArray

    @cached_property
    def discs(self) -> tuple[FloatArray, FloatArray]:
        """Discs that hold target (0) and hazards (from 1): centres (2, 1 + hazards, 2) and radii (2, 1 + hazards), in inches."""
        centres = (self.vertices.min(axis=2) + self.vertices.max(axis=2)) / 2
        return centres, np.linalg.norm(self.vertices - centres[:, :, None], axis=3).max(axis=2)

    def bodies(self, side: np.ndarray, which: slice | np.ndarray, needed: FloatArray) -> Bodies:
        """Give target (0) and hazards (from 1) as seen from the pivots `side` (n,).

        A slice of them gives arrays (n, bodies, ...), one for each pivot (n,) arrays (n, ...).
        """
        parts = (self.vertices, self.after, self.before, self.normals, self.supports)
        vertices, after, before, normals, supports = (part[side, which] for part in parts)
        return Bodies(vertices, after, before, normals, supports, needed)

    @classmethod
    def of(cls, approach: Approach) -> "Halves":
        """Put the approach into the coordinates of both front corners."""
        frames = [CornerView.of(approach.pose, side, width=approach.width) for side in SIDES]
        rings = [approach.target, *(hazard.ring for hazard in approach.hazards)]
        turned = [
            np.array([_stacked([np.roll(frame.ring(ring), shift, axis=0) for ring in rings]) for frame in frames]) for shift in (0, -1, 1)
        ]
        vertices, after, before = turned
        normals = np.array([_stacked([_normals(frame.ring(ring)) for ring in rings]) for frame in frames])
        ends = np.array([frame.points(np.array(approach.facing.ends)) for frame in frames])
        return cls(
            vertices=vertices,
            after=after,
            before=before,
            normals=normals,
            supports=np.array(
                [[(n @ v.T).max(axis=1) for n, v in zip(*both, strict=True)] for both in zip(normals, vertices, strict=True)]
            ),
            needed=np.array([0.0, *(hazard.needed for hazard in approach.hazards)]),
            ends=ends,
            normal=np.array([frame.axes @ np.array(approach.facing.normal) for frame in frames]),
            board_normals=np.array([OUTWARD @ frame.axes.T for frame in frames]),
            board_limits=np.array([_board_limits(frame, approach.board) for frame in frames]),
            reach=np.hypot(approach.width, np.linalg.norm(ends, axis=2).max(axis=1)),
        )


OUTWARD = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])


def _board_limits(view: CornerView, board: Board) -> FloatArray:
    """Distance of the pivot from each edge of the board."""
    return np.array([board.width, 0.0, board.depth, 0.0]) - OUTWARD @ view.origin


def _stacked(rings: list[FloatArray]) -> FloatArray:
    size = max(len(ring) for ring in rings)
    return np.array([np.vstack([ring, np.repeat(ring[-1:], size - len(ring), axis=0)]) for ring in rings])


def _normals(ring: FloatArray) -> FloatArray:
    """Outward normals; to part a point from a body any direction will do, so one is enough."""
    return edge_normals(ring) if len(ring) > 1 else np.array([[0.0, 1.0]])

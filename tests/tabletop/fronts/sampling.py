"""Forward, wheel, forward moves of a front by plain Shapely: one followed in small steps, or very many judged at
once.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.fronts.approach import Approach
from tabletop.fronts.obstacle import ConvexObstacle
from tabletop.fronts.reach import Advance
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.pose import Pose, Side
from tabletop.table.facing import FACINGS, Facing, facing_of
from tabletop.table.state import Base, Board, Regiment
from tabletop.units import CONTACT

STEP = 0.02
TURN = math.radians(0.25)
LOOSE = 2.0 * CONTACT
FAR = 200.0
FAN = 8
"""Tangents that enclose the sector of a wheel: the region drawn is a little too large, so what keeps clear of it is
legal."""

SPREAD_OUT = Board(1000.0, 1000.0)


def body(ring: FloatArray) -> shapely.Geometry:
    """Make a Shapely geometry of a ring: a polygon, or a point."""
    return shapely.Polygon(ring) if len(ring) > 1 else shapely.Point(ring[0])


def shrunk(geometry: shapely.Geometry, by: float) -> shapely.Geometry:
    """Return what of a polygon lies deeper than `by` inches; of a point nothing."""
    return geometry.buffer(-by, join_style="mitre")


def keeps_away(swept: FloatArray, hazard: ConvexObstacle, *, slack: float) -> BoolArray:
    """Return a mask of the geometries that keep the gap that a hazard needs, give or take `slack` inches."""
    obstacle = body(hazard.ring)
    if hazard.needed > slack:
        return np.asarray(shapely.distance(swept, obstacle) >= hazard.needed - slack)
    return ~np.asarray(shapely.intersects(swept, shrunk(obstacle, slack)), dtype=bool)


def on_board(points: FloatArray, board: Board, *, slack: float) -> BoolArray:
    """Return a mask (n,) of the sets of points (n, k, 2) that lie on the board as a whole."""
    is_inside = (points >= -slack) & (points <= np.array([board.width, board.depth]) + slack)
    return np.asarray(is_inside.all(axis=(1, 2)))


def rotated(vectors: FloatArray, angles: FloatArray) -> FloatArray:
    """Turn vectors (n, 2) counter-clockwise by angles (n,)."""
    cos = np.cos(angles)
    sin = np.sin(angles)
    return np.stack(
        [
            cos * vectors[..., 0] - sin * vectors[..., 1],
            sin * vectors[..., 0] + cos * vectors[..., 1],
        ],
        axis=-1,
    )


@dataclass(frozen=True)
class Moves:
    """Very many moves of one front about one of its corners: first parts and wheels (n,), in inches and radians."""

    approach: Approach
    side: Side
    first: FloatArray
    wheel: FloatArray

    def take(self, which: BoolArray) -> "Moves":
        """Keep some of the moves."""
        return replace(self, first=self.first[which], wheel=self.wheel[which])

    @property
    def pivot(self) -> FloatArray:
        """Where the corner stands while the front wheels, (n, 2)."""
        pose = self.approach.pose
        half = self.approach.width / 2
        corner = pose.point(half if self.side == "right" else -half, 0.0)
        return np.asarray(np.array(corner) + self.first[:, None] * np.array(pose.forward))

    def outer(self, share: float) -> FloatArray:
        """Return where the outer corner is after a share of each wheel, (n, 2)."""
        sense = -1.0 if self.side == "right" else 1.0
        across = sense * np.array(self.approach.pose.right) * self.approach.width
        return np.asarray(
            self.pivot
            + rotated(np.broadcast_to(across, (len(self.first), 2)), sense * share * self.wheel)
        )

    @property
    def ahead(self) -> FloatArray:
        """Unit vectors ahead after the wheel, (n, 2)."""
        sense = -1.0 if self.side == "right" else 1.0
        return rotated(
            np.broadcast_to(np.array(self.approach.pose.forward), (len(self.first), 2)),
            sense * self.wheel,
        )

    def first_strips(self) -> FloatArray:
        """Return corners (n, 4, 2) of what the first part sweeps."""
        pose = self.approach.pose
        half = self.approach.width / 2
        start = np.array([pose.point(-half, 0.0), pose.point(half, 0.0)])
        end = start + self.first[:, None, None] * np.array(pose.forward)
        return np.concatenate([np.broadcast_to(start, end.shape), end[:, ::-1]], axis=1)

    def fans(self) -> FloatArray:
        """Return corners (n, FAN + 3, 2) of a region that holds the sector of the wheel."""
        radius = 1.0 / np.cos(self.wheel / (2 * FAN))
        tips = [
            self.pivot + (self.outer((number + 0.5) / FAN) - self.pivot) * radius[:, None]
            for number in range(FAN)
        ]
        return np.stack([self.pivot, self.outer(0.0), *tips, self.outer(1.0)], axis=1)

    def last_strips(self, second: float | FloatArray) -> FloatArray:
        """Return corners (n, 4, 2) of what second parts sweep."""
        ends = np.stack([self.pivot, self.outer(1.0)], axis=1)
        on = (
            ends + np.broadcast_to(second, self.first.shape)[:, None, None] * self.ahead[:, None, :]
        )
        return np.concatenate([ends, on[:, ::-1]], axis=1)


@dataclass(frozen=True)
class Landed:
    """Legal moves that meet the facing, (n,) each: first part, wheel, second part, and the least and greatest u met."""

    first: FloatArray
    wheel: FloatArray
    second: FloatArray
    low: FloatArray
    high: FloatArray


def landed(moves: Moves, *, slack: float = 1e-9, is_strict: bool = True) -> Landed:
    """Find the moves that meet the facing first and are legal, give or take `slack`; strictly, a touch before the end
    is none.
    """
    moves = moves.take(_may_wheel(moves, slack=slack, is_strict=is_strict))
    second, low, high = _met(moves)
    meets = np.isfinite(second) & (low <= high)
    moves = moves.take(meets)
    second = second[meets]
    low = low[meets]
    high = high[meets]
    approach = moves.approach
    swept = moves.last_strips(second)
    legal = on_board(swept, approach.board, slack=slack)
    shapes = shapely.linestrings(swept[:, 2:]) if approach.ignores_way else shapely.polygons(swept)
    for hazard in approach.hazards:
        legal &= keeps_away(shapes, hazard, slack=slack)
    return Landed(moves.first[legal], moves.wheel[legal], second[legal], low[legal], high[legal])


def _may_wheel(moves: Moves, *, slack: float, is_strict: bool) -> BoolArray:
    """Return a mask of the moves whose advances and wheel are both legal."""
    approach = moves.approach
    target = body(moves.approach.target)
    legal = np.ones(len(moves.first), dtype=bool)
    for corners in (moves.first_strips(), moves.fans()):
        shapes = shapely.polygons(corners)
        legal &= on_board(corners, approach.board, slack=slack)
        legal &= (
            shapely.distance(shapes, target) > slack
            if is_strict
            else ~shapely.intersects(shapes, shrunk(target, slack))
        )
        for hazard in () if approach.ignores_way else approach.hazards:
            legal &= keeps_away(shapes, hazard, slack=slack)
    return legal


def _met(moves: Moves) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return how far each front goes on until it meets the target, and the least and greatest u of the facing that it
    meets there.
    """
    second, low, high = (np.full(len(moves.first), value) for value in (np.inf, np.inf, -np.inf))
    target = body(moves.approach.target)
    facing = moves.approach.facing
    common = shapely.intersection(shapely.polygons(moves.last_strips(FAR)), target)
    points, owner = shapely.get_coordinates(common, return_index=True)
    ahead = np.einsum("nj,nj->n", points - moves.pivot[owner], moves.ahead[owner])
    np.minimum.at(second, owner, ahead)
    u, v = np.array([facing.coordinates((float(x), float(y))) for x, y in points]).reshape(-1, 2).T
    is_met = (
        (ahead <= second[owner] + 1e-9)
        & (np.abs(v) <= 1e-9)
        & (u >= -1e-9)
        & (u <= facing.length + 1e-9)
    )
    np.minimum.at(low, owner[is_met], u[is_met])
    np.maximum.at(high, owner[is_met], u[is_met])
    return np.where(second >= -1e-9, second, np.inf), low, high


def grid(
    approach: Approach,
    side: Side,
    *,
    step: float = 0.25,
    turn: float = math.radians(2.0),
    longest: float = 16.0,
) -> Moves:
    """Lay a grid over first parts and wheels."""
    wheels = np.append(np.arange(0.0, approach.wheel_limit, turn), approach.wheel_limit)
    firsts = np.arange(0.0, longest, step)
    return Moves(approach, side, np.repeat(firsts, len(wheels)), np.tile(wheels, len(firsts)))


def faults(approach: Approach, move: Advance, u: float, *, loose: float = LOOSE) -> list[str]:
    """Follow one move in small steps; say what is wrong if it is not legal or does not meet the facing first at u."""
    fronts = _followed(approach, move)
    edges = shapely.linestrings(fronts)
    target = body(approach.target)
    spot = shapely.Point(approach.facing.point(u))
    wrong = (
        ["a length or the wheel is out of bounds"]
        if min(move.first, move.second, move.wheel) < 0.0
        else []
    )
    wrong += ["the wheel is too great"] if move.wheel > approach.wheel_limit + 1e-12 else []
    wrong += [] if on_board(fronts, approach.board, slack=loose).all() else ["leaves the board"]
    for hazard in approach.hazards:
        looked_at = edges[-1:] if approach.ignores_way else edges
        wrong += (
            []
            if keeps_away(looked_at, hazard, slack=loose).all()
            else [f"too near to {hazard.ring.tolist()}"]
        )
    wrong += (
        ["passes through the target"]
        if shapely.intersects(edges, shrunk(target, loose)).any()
        else []
    )
    distance = float(edges[-1].distance(spot))
    return wrong + ([f"ends {distance} in from u = {u}"] if distance > loose else [])


def _followed(approach: Approach, move: Advance) -> FloatArray:
    """Return the front edge (n, 2, 2) along a move."""
    wheeled_from = approach.pose.advanced(move.first)
    before_last = wheeled_from.wheeled(move.side, move.wheel, width=approach.width)
    poses = [approach.pose.advanced(length) for length in _steps(move.first, STEP)]
    poses += [
        wheeled_from.wheeled(move.side, angle, width=approach.width)
        for angle in _steps(move.wheel, TURN)
    ]
    poses += [before_last.advanced(length) for length in _steps(move.second, STEP)]
    half = approach.width / 2
    return np.array([(pose.point(half, 0.0), pose.point(-half, 0.0)) for pose in poses])


def _steps(whole: float, step: float) -> list[float]:
    ends: list[float] = np.linspace(0.0, whole, max(math.ceil(whole / step), 1) + 1).tolist()
    return ends


def target_at(pose: Pose, width: float, depth: float) -> Regiment:
    """Make a target of one model."""
    return Regiment("T", "red", pose, files=1, models=1, base=Base(width, depth))


def approach_to(
    target: Regiment,
    facing: Facing,
    pose: Pose,
    *,
    width: float,
    hazards: tuple[ConvexObstacle, ...] = (),
    board: Board = SPREAD_OUT,
) -> Approach:
    """Return the approach of a front towards a facing of a target, wheels up to 90 degrees."""
    return Approach(
        pose, width, target.boundary.pieces[0], facing, hazards, board, wheel_limit=math.pi / 2
    )


def random_scene(seed: int) -> Approach:
    """Make a scene: a front, a target ahead of it and up to five bodies about, on a board whose edges matter now and
    then.

    In every third scene all coordinates are half inches and all angles multiples of 45 degrees, so that much fits
    exactly.
    """
    rng = np.random.default_rng(seed)
    is_exact = seed % 3 == 2
    board = Board(30.0, 30.0)
    target = target_at(
        _pose(rng, (9.0, 21.0), is_exact=is_exact), *_numbers(rng, (1.0, 6.0), 2, is_exact=is_exact)
    )
    facing = facing_of(target, FACINGS[int(rng.integers(4))])
    width = float(_numbers(rng, (1.0, 5.0), 1, is_exact=is_exact)[0])
    while True:
        u, v = (
            float(_numbers(rng, span, 1, is_exact=is_exact)[0])
            for span in ((-4.0, 8.0), (2.0, 8.0))
        )
        back = math.atan2(-facing.normal[1], -facing.normal[0])
        turn = math.radians(45.0 * rng.integers(-1, 2)) if is_exact else rng.uniform(-0.9, 0.9)
        scene = approach_to(
            target, facing, Pose(*facing.point(u, v), back + float(turn)), width=width, board=board
        )
        front = shapely.LineString([scene.corner("right"), scene.corner("left")])
        if (
            on_board(shapely.get_coordinates(front)[None], board, slack=0.0)[0]
            and front.distance(body(scene.target)) > 0.5
        ):
            return replace(
                scene,
                hazards=tuple(_hazards(rng, scene, front, is_exact=is_exact)),
                ignores_way=seed % 7 == 6,
            )


def _pose(rng: np.random.Generator, span: tuple[float, float], *, is_exact: bool) -> Pose:
    heading = math.radians(45.0 * rng.integers(8)) if is_exact else rng.uniform(-math.pi, math.pi)
    x, y = _numbers(rng, span, 2, is_exact=is_exact).tolist()
    return Pose(x, y, float(heading))


def _numbers(
    rng: np.random.Generator, span: tuple[float, float], count: int, *, is_exact: bool
) -> FloatArray:
    drawn = rng.uniform(*span, count)
    return np.asarray(np.round(drawn * 2) / 2 if is_exact else drawn)


def _hazards(
    rng: np.random.Generator, scene: Approach, front: shapely.LineString, *, is_exact: bool
) -> list[ConvexObstacle]:
    """Draw bodies between the front and the target and beside both; none needs more room than the front leaves it at
    the start.
    """
    middle = (np.array(scene.pose.at) + np.array(scene.facing.point(scene.facing.length / 2))) / 2
    found = []
    for _ in range(int(rng.integers(0, 6))):
        places = middle + _numbers(rng, (-5.0, 5.0), 2, is_exact=is_exact)
        points = places + _numbers(
            rng, (-1.5, 1.5), 2 * int(rng.choice([1, 4, 6])), is_exact=is_exact
        ).reshape(-1, 2)
        hull = shapely.orient_polygons(shapely.convex_hull(shapely.MultiPoint(points)))
        ring = (
            shapely.get_coordinates(hull)[:-1] if isinstance(hull, shapely.Polygon) else points[:1]
        )
        radius = (
            float(rng.choice([0.5, 1.0, 1.5]))
            if len(ring) == 1
            else float(rng.choice([0.0, 0.01, 0.5, 1.0]))
        )
        room = front.distance(body(ring))
        if room > 0.0:
            found.append(ConvexObstacle(ring, min(radius, room)))
    return found


def mirrored(scene: Approach) -> Approach:
    """Mirror a scene left to right about the middle of its board."""
    width = scene.board.width

    def flipped(ring: FloatArray) -> FloatArray:
        return np.asarray((ring * np.array([-1.0, 1.0]) + np.array([width, 0.0]))[::-1])

    origin = scene.facing.ends[1]
    facing = replace(
        scene.facing,
        origin=(width - origin[0], origin[1]),
        along=(scene.facing.along[0], -scene.facing.along[1]),
        normal=(-scene.facing.normal[0], scene.facing.normal[1]),
    )
    pose = Pose(width - scene.pose.x, scene.pose.y, math.pi - scene.pose.heading)
    hazards = tuple(ConvexObstacle(flipped(hazard.ring), hazard.needed) for hazard in scene.hazards)
    return replace(scene, pose=pose, target=flipped(scene.target), facing=facing, hazards=hazards)


def turned_scene(scene: Approach, angle: float) -> Approach:
    """Turn a scene about the table's origin and shift it, onto a board without edges in the way."""
    frame = Pose(500.0, 500.0, angle + math.pi / 2)

    def moved(ring: FloatArray) -> FloatArray:
        return frame.to_table(ring)

    def directed(vector: tuple[float, float]) -> tuple[float, float]:
        x, y = frame.to_table(np.array(vector)) - np.array(frame.at)
        return (float(x), float(y))

    facing = replace(
        scene.facing,
        origin=frame.point(*scene.facing.origin),
        along=directed(scene.facing.along),
        normal=directed(scene.facing.normal),
    )
    pose = Pose(*frame.point(*scene.pose.at), scene.pose.heading + angle)
    hazards = tuple(ConvexObstacle(moved(hazard.ring), hazard.needed) for hazard in scene.hazards)
    return replace(
        scene,
        pose=pose,
        target=moved(scene.target),
        facing=facing,
        hazards=hazards,
        board=SPREAD_OUT,
    )


def landed_straight(scene: Approach, firsts: FloatArray) -> BoolArray:
    """Return a mask of the straight moves that keep their gaps, stay on the board and do not enter the target."""
    return _may_wheel(
        Moves(scene, "right", firsts, np.zeros(len(firsts))), slack=1e-7, is_strict=False
    )

"""Brute force for unaligned charges: every contact found by sampled moves, every corner, angles by half degrees and
bisection.
"""

import math
import random
import sys
from dataclasses import dataclass

import numpy as np
import shapely

from systems.t9a.aligned import aligned_place
from systems.t9a.explain import complete_unaligned
from systems.t9a.scene import Front
from systems.t9a.scene import Scene as TableScene
from systems.t9a.solution import facings_allowed
from systems.t9a.unaligned import UnalignedPlace, is_held, unaligned_place
from tabletop.budget import Budget
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.ruling.system import Case
from tabletop.table.state import Terrain
from tests.oracles.confirm import contact_stretch, sample
from tests.oracles.moves import reachable
from tests.oracles.plane import (
    TOUCH,
    Facing,
    Flags,
    Floats,
    Line,
    Scene,
    body,
    is_free,
    is_on,
    line,
    outlines,
)
from tests.oracles.running import Held, run
from tests.scenes import box, case, charger, piece, pillar, table, target

ANGLE_STEP = math.radians(0.5)
MOST_CONTACTS = 300
NEAR = 1e-6
APART = 0.02
ALLOWED = 2e-5
"""Radians that the brute force may win by what it allows gaps to fall short of."""


@dataclass(frozen=True)
class Least:
    """The least angle found by trying: radians, the corner's u in inches, and +1 for the right corner, -1 for the
    left.
    """

    angle: float
    u: float
    sign: int


def random_case(number: int) -> Case:
    """Make a scene in which a wide front meets a narrow target between walls, and perhaps some more bodies."""
    dice = random.Random(number)  # noqa: S311 - scenes, not secrets
    files = dice.randint(1, 4)
    side = dice.choice((20.0, 25.0, 40.0))
    width = files * side
    held = ("engaged",) if dice.random() < 0.2 else ()
    goal = target(files=files, models=dice.randint(files, 9), base=(side, side), status=held)
    tilt = math.radians(dice.uniform(-40, 40))
    back = dice.uniform(100, 260)
    at = (
        width / 2 - back * math.sin(tilt) + dice.gauss(0, 25),
        back * math.cos(tilt) + dice.uniform(5, 90),
    )
    attacker = charger(
        at,
        math.degrees(tilt) + 270,
        files=dice.randint(4, 10),
        base=(25.0, dice.choice((25.0, 50.0))),
        charge_speed=20,
    )
    right = width + dice.uniform(2, 70)
    left = -dice.uniform(2, 70)
    bodies = [
        box((right, right + 200), (-60, dice.uniform(1, 40)), name="east"),
        box((left - 200, left), (-60, dice.uniform(1, 40)), name="west"),
        *(_extra(dice, width, f"P{index}") for index in range(dice.randint(0, 4))),
    ]
    units = [unit.boundary.core for unit in (goal, attacker)]
    clear = [
        item
        for item in bodies
        if min(item.shape.core.distance(core) - item.shape.radius for core in units) > APART
    ]
    return case(table(goal, attacker, *clear))


def _extra(dice: random.Random, width: float, name: str) -> Terrain:
    """Make a pillar or a triangle somewhere around the way to the target, or behind it."""
    x = dice.uniform(-150, width + 150)
    y = dice.choice((dice.uniform(60, 200), dice.uniform(-120, 0)))
    if dice.random() < 0.5:
        return pillar((x, y), dice.uniform(5, 15), name=name)
    return piece([(x, y), (x + 30, y + 5), (x + 12, y + 28)], name=name)


def tilted(scene: Scene, edge: Line, u: Floats, sign: int, angle: Floats) -> Floats:
    """Return the corners (n, 4, 2) of the charger's boundary with a front corner at u, its front turned away by an
    angle.
    """
    cos = np.cos(angle)[:, None]
    sin = np.sin(angle)[:, None]
    along = cos * (sign * edge.along) + sin * edge.outward
    back = -sin * (sign * edge.along) + cos * edge.outward
    pivot = edge.start + u[:, None] * edge.along
    width = scene.charger.width
    depth = scene.charger.depth
    return np.stack(
        [pivot, pivot + width * along, pivot + width * along + depth * back, pivot + depth * back],
        axis=1,
    )


def stands(scene: Scene, edge: Line, u: Floats, sign: int, angle: Floats) -> Flags:
    """Return a mask of the tilted positions on the board that keep their gaps."""
    corners = tilted(scene, edge, u, sign, angle)
    legal = is_on(scene.state.board, corners)
    legal[legal] = is_free(scene.obstacles, outlines(corners[legal]))
    return legal


def least_angle(scene: Scene, facing: Facing) -> Least | None:
    """Try all contacts found on a facing with both corners."""
    edge = line(scene.target, facing)
    contacts = reachable(scene, edge)
    spans = [
        np.linspace(low, high, 9)
        for low, high in contacts[contacts[:, 1] - contacts[:, 0] > TOUCH, :2]
    ]
    points = np.unique(np.round(np.concatenate([contacts[:, :2].ravel(), *spans]), 9))
    points = np.clip(points[:: max(1, len(points) // MOST_CONTACTS)], 0.0, edge.length)
    found = [least for sign in (1, -1) if (least := _least(scene, edge, points, sign)) is not None]
    return min(found, key=lambda least: least.angle, default=None)


def _least(scene: Scene, edge: Line, points: Floats, sign: int) -> Least | None:
    angles = np.arange(ANGLE_STEP / 10, math.pi / 2, ANGLE_STEP)
    u, angle = (grid.ravel() for grid in np.meshgrid(points, angles, indexing="ij"))
    free = stands(scene, edge, u, sign, angle).reshape(len(points), len(angles))
    first = np.where(free.any(axis=1), free.argmax(axis=1), -1)
    kept = np.flatnonzero(first >= 0)
    if not len(kept):
        return None
    high = angles[first[kept]]
    low = np.maximum(high - ANGLE_STEP, 0.0)
    for _ in range(40):
        middle = (low + high) / 2
        legal = stands(scene, edge, points[kept], sign, middle)
        low = np.where(legal, low, middle)
        high = np.where(legal, middle, high)
    best = int(high.argmin())
    return Least(float(high[best]), float(points[kept][best]), sign)


def confirm_place(scene: Scene, place: UnalignedPlace, steps: tuple[Step, ...]) -> list[str]:
    """Check that a place stands, that the shown move makes contact at its point, and that the target's turn is the
    largest.
    """
    edge = line(scene.target, place.front.name)
    sign = 1 if place.corner == "right" else -1
    u = np.array([place.u])
    angle = np.array([place.angle])
    wrong = [] if stands(scene, edge, u, sign, angle)[0] else ["the place is not free"]
    expected = tilted(scene, edge, u, sign, angle)[0]
    corners = body(scene.charger, place.pose)
    meant = corners if sign > 0 else corners[[1, 0, 3, 2]]
    wrong += (
        [f"pose {place.pose} is not that place"] if np.abs(meant - expected).max() > NEAR else []
    )
    fronts = sample(
        scene.charger, [step for step in steps if step.kind in ("forward", "wheel")]
    ).fronts
    wrong += (
        []
        if is_free(scene.obstacles, shapely.linestrings(fronts)).all()
        else ["the shown move does not keep its gaps"]
    )
    met = contact_stretch(scene, edge, fronts[-1])
    wrong += (
        []
        if met is not None and met[0] - NEAR * 3 <= place.u <= met[1] + NEAR * 3
        else [f"the shown move touches {met}"]
    )
    return [*wrong, *_turn(scene, place)]


def _turn(scene: Scene, place: UnalignedPlace) -> list[str]:
    """Sample the target's turns; none beyond the one taken may be free, and that one must be."""
    if is_held(place.front.scene):
        return [] if place.turn == 0.0 else ["an engaged target turns"]
    tried = np.append(np.linspace(0.0, place.angle, 400), place.turn)
    poses = [
        scene.target.pose.turned_about(place.contact, place.sense * float(turn)) for turn in tried
    ]
    free = _target_stands(scene, poses)
    beyond = tried[:-1][free[:-1] & (tried[:-1] > place.turn + 1e-6)]
    wrong = [f"the target could turn by {beyond.max()}, not {place.turn}"] if len(beyond) else []
    return wrong + ([] if free[-1] else ["the turned target does not stand free"])


def _target_stands(scene: Scene, poses: list[Pose]) -> Flags:
    corners = np.array([body(scene.target, pose) for pose in poses])
    legal = is_on(scene.state.board, corners)
    shapes = outlines(corners)
    needed = scene.readings.clearance
    start = scene.target.boundary.core
    for other in scene.everything:
        if other.name == scene.target.name:
            continue
        gap = max(0.0, min(needed, float(start.distance(other.core)) - other.radius))
        core = (
            other.core
            if gap + other.radius > 0
            else other.core.buffer(-2 * TOUCH, join_style="mitre")
        )
        near = (
            shapely.distance(shapes, core) < gap + other.radius - TOUCH
            if gap + other.radius > 0
            else shapely.intersects(shapes, core)
        )
        legal &= ~near
    return legal


def referee(question: Case) -> tuple[str, list[str]]:
    """Choose the unaligned place of a case's first charge, if there is no aligned one, and say what speaks against
    it.
    """
    units = question.state.units
    charge = question.charges[0]
    table_scene = TableScene(
        question.state,
        units[charge.charger],
        units[charge.targets[0]],
        question.choices,
        question.book,
    )
    front = Front(table_scene, facings_allowed(table_scene)[0])
    if aligned_place(front, budget=Budget()) is not None:
        return "aligned", []
    place = unaligned_place(front, budget=Budget())
    scene = Scene(question.state, table_scene.charger, table_scene.target)
    tried = least_angle(scene, front.name)
    if place is None:
        return "none", [f"none, brute force {tried}"] if tried is not None else []
    steps = complete_unaligned(place, budget=Budget()).steps
    beaten = tried is not None and tried.angle < place.angle - ALLOWED
    return "unaligned", [
        *confirm_place(scene, place, steps),
        *([f"{place.angle} at {place.u}, brute force {tried}"] if beaten else []),
    ]


def held(number: int) -> Held:
    """Hold one unaligned charge against the brute force."""
    return Held(*referee(random_case(number)))


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], held, count=300))

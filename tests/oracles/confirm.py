"""An independent checker of rulings: follows the steps by small samples and measures the end with plain Shapely.

Each function returns complaints, none if the claim holds.
"""

import math
from dataclasses import dataclass

import numpy as np
import shapely

from tabletop.geometry.pose import Pose, Side
from tabletop.ruling.charge import Step
from tabletop.ruling.verdict import Ruling
from tabletop.table.state import Regiment, State
from tests.oracles.plane import (
    TOUCH,
    Facing,
    Floats,
    Line,
    Scene,
    body,
    counts,
    is_free,
    is_on,
    line,
)
from tests.oracles.t9a import Found, stands

LENGTH_STEP = 0.01
ANGLE_STEP = math.radians(0.1)
LOOSE = 2 * TOUCH
SHORT = 1e-4
"""Inches: a way that touches early is the limit of legal ones if none that starts so much farther back does (limits
count as reached)."""
OBLIQUE = 1e-5
"""Inches: what a tolerance of 1e-6 in may come to along a facing that an obstacle stands aslant to."""


@dataclass(frozen=True)
class Path:
    """The front edge along a path: samples (n, 2, 2) of right and left corner, and how far each is from the end in
    inches.
    """

    fronts: Floats
    left_over: Floats


def confirm(scene: Scene, ruling: Ruling, after: State) -> list[str]:
    """Check a completed charge: the way, the contact, the place, the counts."""
    facing: Facing = ruling.metrics["target_facing"]
    edge = line(scene.target, facing)
    moved = after.units[scene.charger.name]
    path = sample(
        scene.charger, [step for step in ruling.steps if step.kind in ("forward", "wheel")]
    )
    return [
        *_shape(scene, ruling, moved),
        *_way(scene, path),
        *_end(scene, edge, path.fronts[-1], moved),
        *_numbers(scene, ruling, edge, moved),
    ]


def sample(unit: Regiment, steps: list[Step]) -> Path:
    """Follow steps from where a unit stands; at least 0.01 in and 0.1 degrees fine."""
    poses = [unit.pose]
    for step in steps:
        poses += _between(unit, step)
    fronts = np.array([body(unit, pose)[:2] for pose in poses])
    travelled = np.append(0.0, np.cumsum(np.abs(np.diff(fronts, axis=0)).max(axis=(1, 2))))
    return Path(fronts, travelled[-1] - travelled)


def _between(unit: Regiment, step: Step) -> list[Pose]:
    assert step.start is not None
    assert step.end is not None
    turn = step.end.heading - step.start.heading
    length = math.dist(step.start.at, step.end.at)
    pieces = max(math.ceil(length / LENGTH_STEP), math.ceil(abs(turn) / ANGLE_STEP), 1)
    shares = [(number + 1) / pieces for number in range(pieces)]
    if step.kind == "forward":
        return [step.start.advanced(share * length) for share in shares]
    side: Side = "right" if turn < 0 else "left"
    return [step.start.wheeled(side, share * abs(turn), width=unit.width) for share in shares]


def _shape(scene: Scene, ruling: Ruling, moved: Regiment) -> list[str]:
    """Check that the steps are one snaking move and an align, each from where the last ended."""
    said = [step for step in ruling.steps if step.kind != "declare"]
    kinds = [step.kind for step in said]
    wrong = [] if kinds in _SNAKING else [f"steps {kinds}"]
    poses = [
        scene.charger.pose,
        *(pose for step in said for pose in (step.start, step.end)),
        moved.pose,
    ]
    pairs = list(zip(poses[::2], poses[1::2], strict=True))
    wrong += [
        f"steps do not chain: {a} then {b}"
        for a, b in pairs
        if a is None or b is None or _apart(a, b) > TOUCH
    ]
    for step in said[:-1]:
        wrong += _part(scene.charger, step)
    return wrong


_SNAKING = [
    [*first, *wheel, *last, "align"]
    for first in ([], ["forward"])
    for wheel in ([], ["wheel"])
    for last in ([], ["forward"])
    if first or wheel or last
]


def _apart(first: Pose, second: Pose) -> float:
    return max(
        math.dist(first.at, second.at),
        abs(math.remainder(first.heading - second.heading, math.tau)),
    )


def _part(unit: Regiment, step: Step) -> list[str]:
    """Check that one part moves as its kind says, and that its length is the one the rules count."""
    reached = _between(unit, step)[-1]
    assert step.start is not None
    assert step.end is not None
    turn = abs(step.end.heading - step.start.heading)
    length = (
        math.dist(step.start.at, step.end.at)
        if step.kind == "forward"
        else unit.width * math.sin(turn)
    )
    wrong = (
        [f"{step.kind} ends at {step.end}, not {reached}"]
        if _apart(reached, step.end) > TOUCH
        else []
    )
    wrong += [f"wheel of {math.degrees(turn)} degrees"] if turn > math.pi / 2 + TOUCH else []
    return wrong + (
        [f"{step.kind} counted as {step.length}, not {length}"]
        if step.length is None or abs(step.length - length) > TOUCH
        else []
    )


def _way(scene: Scene, path: Path) -> list[str]:
    """Check that the front edge keeps its gaps, stays on the board and meets the target at the end of the path only."""
    edges = shapely.linestrings(path.fronts)
    wrong = [] if is_on(scene.state.board, path.fronts).all() else ["front edge leaves the board"]
    if scene.charger.profile.fly:
        edges = edges[-1:]
        path = Path(path.fronts[-1:], path.left_over[-1:])
    wrong += [
        f"front edge meets {obstacle.name}"
        for obstacle in scene.obstacles
        if obstacle.is_hit(edges).any()
    ]
    target = shapely.Polygon(body(scene.target, scene.target.pose))
    is_on_the_way = path.left_over > LENGTH_STEP
    gaps = shapely.distance(edges, target)
    if _least(gaps[is_on_the_way]) <= TOUCH:
        heading = scene.charger.pose.heading
        behind = shapely.linestrings(
            path.fronts[is_on_the_way] - SHORT * np.array([math.cos(heading), math.sin(heading)])
        )
        early = _least(shapely.distance(behind, target))
        wrong += [f"meets the target early: {early}"] if early <= TOUCH else []
    return wrong + ([f"stops {gaps[-1]} in short of the target"] if gaps[-1] > LOOSE else [])


def _least(gaps: Floats) -> float:
    return float(gaps.min(initial=math.inf))


def _end(scene: Scene, edge: Line, front: Floats, moved: Regiment) -> list[str]:
    """Check that a contact on the facing is kept, and that the final place is flush, free and on the board."""
    corners = edge.coordinates(body(moved, moved.pose)[:2])
    u0, u1 = corners[:, 0]
    heading = math.atan2(-edge.outward[1], -edge.outward[0])
    wrong = (
        [f"front {corners[:, 1]} in from the facing"] if np.abs(corners[:, 1]).max() > TOUCH else []
    )
    wrong += (
        ["not flush"] if abs(math.remainder(moved.pose.heading - heading, math.tau)) > 1e-7 else []
    )
    wrong += ["final place not free"] if not stands(scene, edge, np.array([u0]))[0] else []
    met = contact_stretch(scene, edge, front)
    if met is None:
        return [*wrong, "no initial contact on the Target Facing"]
    return wrong + (
        [f"initial contact {met} not kept by [{u0}, {u1}]"]
        if met[0] > u1 + LOOSE or met[1] < u0 - LOOSE
        else []
    )


def contact_stretch(scene: Scene, edge: Line, front: Floats) -> tuple[float, float] | None:
    """Return the stretch of the facing that a front edge touches, as the corners of one that lie on the other."""
    segment = shapely.LineString(front)
    ring = body(scene.target, scene.target.pose)
    corners = [point for point in ring if segment.distance(shapely.Point(point)) <= LOOSE]
    ends = [
        point for point in front if shapely.Polygon(ring).distance(shapely.Point(point)) <= LOOSE
    ]
    met = [edge.coordinates(np.array(point)) for point in corners + ends]
    on_facing = [float(u) for u, v in met if abs(v) <= LOOSE and -LOOSE <= u <= edge.length + LOOSE]
    return (min(on_facing), max(on_facing)) if on_facing else None


def _numbers(scene: Scene, ruling: Ruling, edge: Line, moved: Regiment) -> list[str]:
    """Recount the models in contact and the lengths."""
    u0 = float(edge.coordinates(body(moved, moved.pose)[0])[0])
    width = moved.width
    theirs, ours = counts(scene, ruling.metrics["target_facing"], np.array([u0]))[0]
    expected = {
        "target_models_in_contact": int(theirs),
        "charger_models_in_contact": int(ours),
        "contact_length": max(min(u0 + width, edge.length) - max(u0, 0.0), 0.0),
        "offset": u0 + width / 2 - edge.length / 2,
        "remaining_angle_deg": 0.0,
        "distance": float(scene.charger.boundary.core.distance(scene.target.boundary.core)),
    }
    return [
        f"{key} {ruling.metrics.get(key)}, counted {value}"
        for key, value in expected.items()
        if not _equal(ruling.metrics.get(key), value)
    ]


def _equal(said: object, value: float) -> bool:
    return isinstance(said, int | float) and abs(said - value) <= LOOSE


def beaten(scene: Scene, ruling: Ruling, found: tuple[Found, ...]) -> list[str]:
    """Compare a completed charge with everything that the brute force found: counts, free choice, smallest wheel."""
    said = (ruling.metrics["target_models_in_contact"], ruling.metrics["charger_models_in_contact"])
    better = [place for item in found for place in item.places if place.counts > said]
    if better:
        return [f"solver {said}, brute force {max(better, key=lambda place: place.counts)}"]
    mine = next(item for item in found if item.facing == ruling.metrics["target_facing"])
    length = float(ruling.metrics["contact_length"])
    longer = [
        place for place in mine.places if place.counts == said and place.length > length + OBLIQUE
    ]
    return (
        [f"contact length {length}, brute force {max(longer, key=lambda place: place.length)}"]
        if longer
        else []
    ) + _wheel(scene, ruling, mine)


def _wheel(scene: Scene, ruling: Ruling, found: Found) -> list[str]:
    wheel = max(
        (
            abs(step.end.heading - step.start.heading)
            for step in ruling.steps
            if step.kind == "wheel" and step.start and step.end
        ),
        default=0.0,
    )
    edge = line(scene.target, found.facing)
    end = next(step.end for step in ruling.steps if step.kind == "align")
    assert end is not None
    u0 = float(edge.coordinates(body(scene.charger, end)[0])[0])
    least = found.least_wheel(u0, scene.charger.width)
    return (
        [f"wheel of {math.degrees(wheel)} degrees, brute force {math.degrees(least)}"]
        if wheel > least + math.radians(0.01)
        else []
    )


def is_clear(scene: Scene, front: Floats) -> bool:
    """Return whether a front edge keeps the gaps of a failed charge move and stays on the board."""
    return bool(
        is_free(scene.everything, np.array([shapely.LineString(front)]))[0]
        and is_on(scene.state.board, front[None])[0]
    )

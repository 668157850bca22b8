"""Line of sight: from the middle of a front stand's edge to the middle of an edge of a stand of the target, past whoever is as large."""

from collections.abc import Iterator

import numpy as np

from systems.conquest.charged_facing import AREA, SIDES_BY_CORNER
from systems.conquest.scene import Scene, profile_of
from tabletop.geometry.pose import FloatArray, Point
from tabletop.geometry.shape import Shape, are_boxes_apart, between, gap, rectangle
from tabletop.ruling.assumption import Assumed, assumed
from tabletop.table.arc import arc, area, clipped
from tabletop.table.sight import Blocker, Segment, shortest_clear, stop_of
from tabletop.table.state import Regiment
from tabletop.units import CONTACT

FRONT = SIDES_BY_CORNER.index("front")


def is_in_front_arc(scene: Scene) -> bool:
    """Tell whether the target's frame meets the charger's front arc, by the choice `front_arc` with more than half of itself."""
    if scene.choices.front_arc == "most":
        return area(in_front_arc(scene)) > area(scene.target.ring) / 2 + AREA
    return len(in_front_arc(scene, slack=CONTACT)) > 0


def in_front_arc(scene: Scene, *, slack: float = 0.0) -> FloatArray:
    """Give the corners (n, 2) of what of the target lies in the charger's front arc, widened by `slack` inches."""
    return clipped(scene.target.ring, arc(scene.charger.boundary.pieces[0], FRONT, slack=slack))


def clear_line(scene: Scene) -> Segment | None:
    """Find the shortest clear line to the target, if there is one."""
    return shortest_clear(_lines(scene), list(_blockers(scene)))


def stopped_line(scene: Scene) -> tuple[Segment | None, Point | None]:
    """Give the shortest line to the target, clear or not, and where something stops it."""
    line = shortest_clear(_lines(scene), ())
    return line, stop_of(line, list(_blockers(scene))) if line is not None else None


def _lines(scene: Scene) -> FloatArray:
    """Give the lines (n, 2, 2) from the front stands to the stands of the target."""
    starts = np.array([pose.at for pose in (scene.charger.model_pose(0, file) for file in range(scene.charger.files))])
    ends = _middles(scene)
    return np.stack([np.repeat(starts, len(ends), axis=0), np.tile(ends, (len(starts), 1))], axis=1)


def _middles(scene: Scene) -> FloatArray:
    """Give the middles (n, 2) of the edges of the target's stands, or of a garrison's sides."""
    unit = scene.target.unit
    rings = [scene.target.ring]
    if unit is not None:
        rings = [rectangle(unit.model_pose(*place), unit.base.width, unit.base.depth).pieces[0] for place in unit.places()]
    return np.vstack([(ring + np.roll(ring, -1, axis=0)) / 2.0 for ring in rings])


def _blockers(scene: Scene) -> Iterator[Blocker]:
    """Give everything large enough to hide the target."""
    least = _size(scene, scene.charger)
    if scene.choices.sight_size == "both":
        least = max(least, _target_size(scene))
    for unit in (*scene.enemies, *scene.friends):
        if _size(scene, unit) >= least:
            yield Blocker(unit.boundary, is_ignored_inside=False)
    for piece in scene.state.terrain:
        is_theirs = piece.name == scene.target.name or _overlap(scene.charger.boundary, piece.shape)
        if piece.kind != "open" and piece.height >= least and not is_theirs and not _overlap(scene.target.shape, piece.shape):
            yield Blocker(piece.shape, is_ignored_inside=False)


def sizes_assumed(scene: Scene) -> tuple[Assumed, ...]:
    """Give the Sizes that profiles leave out: those by which sight is asked, and those of regiments in between."""
    way = between(scene.charger.boundary, scene.target.shape)
    target = scene.target.unit if scene.choices.sight_size == "both" else None
    third = [unit for unit in (*scene.enemies, *scene.friends) if gap(way, unit.boundary) <= CONTACT]
    return tuple(one for unit in (scene.charger, target, *third) if unit is not None for one in assumed(unit, "size"))


def _target_size(scene: Scene) -> float:
    if scene.target.unit is not None:
        return _size(scene, scene.target.unit)
    return next(piece.height for piece in scene.state.terrain if piece.name == scene.target.name)


def _size(scene: Scene, unit: Regiment) -> float:
    """Give a regiment's Size, raised by the hills that it overlaps."""
    hills = (piece.height for piece in scene.state.terrain if piece.kind == "hill" and _overlap(unit.boundary, piece.shape))
    return profile_of(unit).size + sum(hills)


def _overlap(body: Shape, other: Shape) -> bool:
    return not are_boxes_apart(body, other) and gap(body, other) < -CONTACT

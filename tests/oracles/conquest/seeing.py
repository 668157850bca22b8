"""Line of sight: the front arc, and lines between middles of edges past everything as high as both."""

import itertools
from typing import Any

import numpy as np
import shapely

from tabletop.table.state import Regiment
from tests.oracles.conquest.bodies import TOUCH, Floats, Frames, frames_of
from tests.oracles.conquest.table import FAR, Table


def sees(table: Table) -> bool:
    """Return whether the target is in line of sight."""
    return in_front_arc(table) and any(
        is_clear(table, start, end)
        for start, end in itertools.product(_starts(table), _ends(table))
    )


def in_front_arc(table: Table) -> bool:
    """Return whether the target meets the charger's front arc, or lies in it by more than half."""
    frame = table.frame
    left = frame.left[0]
    right = frame.left[0] + frame.width * frame.right[0]
    ahead = frame.ahead[0]
    across = frame.right[0]
    arc = shapely.Polygon(
        [left, right, right + FAR * (ahead + across), left + FAR * (ahead - across)]
    )
    target = shapely.Polygon(table.ring)
    if table.choices.front_arc == "most":
        return bool(arc.intersection(target).area > target.area / 2 + TOUCH)
    return bool(arc.distance(target) <= TOUCH)


def _starts(table: Table) -> list[Floats]:
    frame = table.frame
    unit = table.charger
    return [
        frame.left[0] + (number + 0.5) * unit.base.width * frame.right[0]
        for number in range(unit.files)
    ]


def _ends(table: Table) -> list[Floats]:
    target = table.target
    if not isinstance(target, Regiment):
        return [side.ends.mean(axis=0) for side in table.sides]
    return [
        middle for stand in stands(target) for middle in (stand + np.roll(stand, -1, axis=0)) / 2
    ]


def stands(unit: Regiment) -> list[Floats]:
    """Return the corners (4, 2) of every stand; an incomplete rear rank is centred."""
    frame = frames_of(unit)
    base = unit.base
    last = unit.models - (unit.ranks - 1) * unit.files
    result = []
    for rank in range(unit.ranks):
        count = unit.files if rank < unit.ranks - 1 else last
        shift = (unit.files - count) * base.width / 2
        for file in range(count):
            left = (
                frame.left
                + (shift + file * base.width) * frame.right
                - rank * base.depth * frame.ahead
            )
            result.append(Frames(left, frame.heading, base.width, base.depth).corners[0])
    return result


def is_clear(table: Table, start: Floats, end: Floats) -> bool:
    """Return whether a line runs through nothing that hides the target."""
    line = shapely.LineString([start, end])
    return not any(line.intersection(body).length > TOUCH for body in blockers(table))


def blockers(table: Table) -> list[Any]:
    """Return the shapes through which no line may run."""
    mine = size(table, table.charger)
    theirs = _target_size(table)
    least = mine if table.choices.sight_size == "charger" else max(mine, theirs)
    units = [
        _inner(shapely.Polygon(frames_of(unit).corners[0]))
        for unit in table.others
        if size(table, unit) >= least
    ]
    own = [shapely.Polygon(table.frame.corners[0]), shapely.Polygon(table.ring)]
    pieces = []
    for piece in table.state.terrain:
        shape = (
            piece.shape.core.buffer(piece.shape.radius, quad_segs=256)
            if piece.shape.radius
            else piece.shape.core
        )
        if piece.kind == "open" or piece.name in table.charge.targets or piece.height < least:
            continue
        if not any(_inner(shape).intersects(_inner(body)) for body in own):
            pieces.append(_inner(shape))
    return [*units, *pieces]


def _inner(shape: Any) -> Any:
    return shape.buffer(-TOUCH / 2, join_style="mitre")


def size(table: Table, unit: Regiment) -> float:
    """Return a regiment's Size, raised by the hills it overlaps."""
    corners = frames_of(unit).corners[0]
    body = _inner(shapely.Polygon(corners))
    hills = [piece for piece in table.state.terrain if piece.kind == "hill"]
    raised = [piece.height for piece in hills if _reaches(piece, body)]
    return float(unit.profile.size) + sum(raised)


def _reaches(piece: Any, body: Any) -> bool:
    return bool(
        _inner(body).distance(piece.shape.core) < piece.shape.radius
        if piece.shape.radius
        else _inner(piece.shape.core).intersects(body)
    )


def _target_size(table: Table) -> float:
    target = table.target
    return size(table, target) if isinstance(target, Regiment) else float(target.height)

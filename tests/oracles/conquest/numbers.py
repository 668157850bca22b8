"""The metrics of a charge, measured where the brute force leaves the units."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely

from tabletop.table.state import Regiment
from tests.oracles.conquest.answer import Answer
from tests.oracles.conquest.bodies import Body, Floats, Frames, frames_of, turned
from tests.oracles.conquest.failing import distance
from tests.oracles.conquest.table import Table

Metrics = dict[str, Any]
Pair = tuple[str, Any]


def declared(table: Table) -> Metrics:
    """Return the metrics of every ruling: distance, and the roll that is needed with its chance."""
    apart = distance(table)
    needed = max(1, math.ceil(apart - float(table.charger.profile.march) - table.touch))
    once = max(0, 7 - needed) / 6
    chance = 1 - (1 - once) ** 2 if table.charger.profile.reroll else once
    return {
        "distance": apart,
        "chance_roll": chance,
        **({"roll_needed": needed} if needed <= 6 else {}),
    }


def rolled(table: Table) -> Metrics:
    """Return the metrics of a charge that was rolled for."""
    areas = (
        {f"area_{side.name}": table.area(side) for side in table.sides} if table.is_regiment else {}
    )
    return {"roll": table.roll, "charge_distance": table.distance_limit, **areas}


def measured(table: Table, found: Answer) -> Metrics:
    """Return all metrics of an answer."""
    result = declared(table)
    if found.outcome == "not_allowed":
        return result
    result |= rolled(table)
    if found.goal is not None:
        result["charged_normal_deg"] = math.degrees(found.goal.normal) % 360.0
        result |= {"charged_facing": found.goal.name} if found.goal.name else {}
    if found.outcome == "failed":
        return result | dict(_failed(table, found))
    return result | dict(_completed(table, found)) | {"inspired": 1, "broken": 0}


def _failed(table: Table, found: Answer) -> Iterator[Pair]:
    assert found.stop is not None
    yield (
        "broken",
        0 if found.stop.friend is None else 2 if table.choices.mired_broken == "both" else 1,
    )
    if found.stop.length is not None:
        yield "failed_move", found.stop.length
    if found.choice is not None:
        yield from _chosen(found)


def _chosen(found: Answer) -> Iterator[Pair]:
    assert found.choice is not None
    yield "stands_reaching", found.choice.stands
    yield "wheel_deg", math.degrees(found.choice.side * found.choice.angle)
    yield "advance", float(found.choice.trials.reached.advance[0])


def _completed(table: Table, found: Answer) -> Iterator[Pair]:
    choice = found.choice
    assert choice is not None
    yield from _chosen(found)
    ends = dict(found.ends)
    front = ends[table.charger.name]
    goal = _target(table, ends)
    turn = math.degrees(choice.trials.reached.turn[0])
    if choice.kind == "turned":
        yield "target_wheel_deg", -turn
    elif choice.kind != "touch":
        yield "align_deg", turn
    if choice.kind != "touch":
        yield "contact_length", choice.contact
    yield "charger_stands_in_contact", _stands(front, table.charger.files, goal, table)
    if table.is_regiment:
        yield "target_stands_in_contact", _parts(table, found, ends)
    pushed = [vector for name, vector in _pushed(table, ends)]
    yield "pushed", len(pushed)
    if pushed:
        yield "push_distance", sum(math.hypot(*vector) for vector in pushed)
    around = [body.gaps(front.corners)[0] for body in _others(table, ends)]
    if around:
        yield "nearest_other", float(min(around))


def _target(table: Table, ends: dict[str, Frames]) -> Floats:
    name = table.charge.targets[0]
    return ends[name].corners[0] if name in ends else table.ring


def _pushed(table: Table, ends: dict[str, Frames]) -> list[tuple[str, Floats]]:
    moved = [
        name for name in ends if name != table.charger.name and name not in table.charge.targets
    ]
    return [
        (name, (ends[name].left - frames_of(table.state.units[name]).left)[0]) for name in moved
    ]


def _others(table: Table, ends: dict[str, Frames]) -> list[Body]:
    """Return other enemies as they stand at the end, garrisons and impassable terrain."""
    enemies = [
        Body(
            unit.name,
            "enemy",
            shapely.Polygon((ends.get(unit.name) or frames_of(unit)).corners[0]),
            0.0,
            0.0,
        )
        for unit in table.enemies
    ]
    return [*enemies, *table.terrain]


def _stands(front: Frames, files: int, goal: Floats, table: Table) -> int:
    """Count front-rank stands whose front edge is in contact with the target."""
    across = front.right[0] * front.width / files
    edges = [
        shapely.LineString([front.left[0] + number * across, front.left[0] + (number + 1) * across])
        for number in range(files)
    ]
    return sum(
        edge.distance(shapely.Polygon(goal)) < table.choices.clearance - table.touch
        for edge in edges
    )


def _parts(table: Table, found: Answer, ends: dict[str, Frames]) -> int:
    """Count the equal parts of the charged side in contact with the charger."""
    target = table.target
    assert isinstance(target, Regiment)
    assert found.goal is not None
    assert found.choice is not None
    reached = found.choice.trials.reached
    turn = -reached.turn if found.choice.kind == "turned" else np.zeros(1)
    start, end = turned(found.goal.ends[None], reached.point, turn)[0]
    count = target.files if found.goal.name in ("front", "rear") else target.ranks
    points = [start + share * (end - start) for share in np.linspace(0.0, 1.0, count + 1)]
    body = shapely.Polygon(ends[table.charger.name].corners[0])
    parts = [shapely.LineString(points[number : number + 2]) for number in range(count)]
    return sum(part.distance(body) < table.choices.clearance - table.touch for part in parts)

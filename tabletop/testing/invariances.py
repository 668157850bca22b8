"""Invariances of any game on a free table: position, direction, mirror image, names, order, distant objects.

Public functions whose only parameter is the name of a bundled scenario are contracts; they raise AssertionError if an
answer changes.
"""

import math
import zlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from tabletop.api import resolve
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import polygon
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario import read_case
from tabletop.table.models import Formation
from tabletop.table.state import Board, State, Terrain
from tabletop.testing.motions import (
    carried_place,
    mirrored_case,
    near,
    near_points,
    shifted,
    turned,
    turned_point,
)
from tabletop.testing.motions import renamed as with_other_names

WIDE_BOARD = 1200.0
"""Size in inches of a board whose edge plays no part."""

WIDE_BOARD_CENTRE = (WIDE_BOARD / 2, WIDE_BOARD / 2)

HANDED = (
    "wheel_deg",
    "align_deg",
    "target_wheel_deg",
    "offset",
    "leeway",
    "target_facing",
    "charged_facing",
    "area_left",
    "area_right",
    "pivot",
)
"""Metrics that may change their sign or hand in the mirror."""

FREE_OF_GOALS = ("total_move", "longest_move")
"""Metrics of values that are searched for, not proved."""


@cache
def roomy(name: str) -> tuple[Case, Resolution]:
    """Return a bundled scenario moved to the middle of a very large board, without its claims, and its resolution
    there.
    """
    case = read_case(name)
    board = case.state.board
    state = shifted(case.state, (WIDE_BOARD - board.width) / 2, (WIDE_BOARD - board.depth) / 2)
    wide = replace(
        case,
        state=replace(state, board=Board(WIDE_BOARD, WIDE_BOARD)),
        proposal=None,
        measured=None,
    )
    return wide, resolve(wide)


def turned_and_moved(name: str) -> None:
    """Check that turning and shifting the whole table turns and shifts the answer."""
    case, here = roomy(name)
    angle = 1.0 + zlib.crc32(name.encode()) % 1000 / 200
    by = (31.7, -12.9)
    there = resolve(replace(case, state=shifted(turned(case.state, angle, WIDE_BOARD_CENTRE), *by)))
    assert_same(here, there)
    if not is_settled(here):
        return

    def point(spot: Point) -> Point:
        """Return a table point turned and shifted like the table."""
        x, y = turned_point(spot, angle, WIDE_BOARD_CENTRE)
        return (x + by[0], y + by[1])

    assert_same_places(
        there.after,
        {
            key: carried_place(unit.place, point, lambda turn: turn + angle)
            for key, unit in ends(here)
        },
    )


def mirrored(name: str) -> None:
    """Check that mirroring the table left to right mirrors the answer, unless equally good places leave a choice."""
    case, here = roomy(name)
    there = resolve(mirrored_case(case))
    assert_same(here, there, but=HANDED)
    if not is_settled(here):
        return
    places = {
        key: carried_place(
            unit.place, lambda spot: (WIDE_BOARD - spot[0], spot[1]), lambda turn: math.pi - turn
        )
        for key, unit in ends(here)
    }
    assert_same_places(there.after, places)


def renamed(name: str) -> None:
    """Check that renaming units and terrain changes nothing but the names in the answer."""
    case, here = roomy(name)
    there = resolve(with_other_names(case))
    assert [told(ruling) for ruling in here.rulings] == [told(ruling) for ruling in there.rulings]
    assert {f"the {key}": unit.place for key, unit in ends(here)} == {
        key: unit.place for key, unit in there.after.units.items()
    }


def reordered_with_a_stranger_far_away(name: str) -> None:
    """Check that the answer does not depend on the order of terrain, nor on a rock and a unit in the far corner of the
    board.
    """
    case, here = roomy(name)
    charger = case.state.units[case.charges[0].charger]
    far = replace(charger.at(_corner(charger.place)), name="stranger")
    box = polygon([(0.0, 0.0), (40.0, 0.0), (40.0, 40.0), (0.0, 40.0)])
    data = (
        case.state.terrain[0].data if case.state.terrain else case.system.vocabulary.terrain_keys()
    )
    rock = Terrain("rock", case.system.vocabulary.terrain_kinds[0], box, 3.0, data)
    there = resolve(
        replace(
            case,
            state=replace(case.state.with_unit(far), terrain=(rock, *reversed(case.state.terrain))),
        )
    )
    assert [(ruling.outcome, ruling.rule, ruling.shortest_roll) for ruling in here.rulings] == [
        (ruling.outcome, ruling.rule, ruling.shortest_roll) for ruling in there.rulings
    ]
    if is_settled(here):
        assert_same_places(there.after, {key: unit.place for key, unit in ends(here)})


def _corner(place: Any) -> Any:
    """Return a unit's place shifted near the far corner of the board."""
    first = place.poses[0] if isinstance(place, Formation) else place
    return carried_place(
        place,
        lambda spot: (spot[0] - first.x + 1150.0, spot[1] - first.y + 1150.0),
        lambda turn: turn,
    )


def ends(resolution: Resolution) -> list[tuple[str, Any]]:
    """Return the units after all charges, as (name, unit)."""
    return list(resolution.after.units.items())


def is_settled(resolution: Resolution) -> bool:
    """Return whether it is known that no charge had several equally good places, among which a convention or rounding
    decides.
    """
    return all(
        ruling.choices in (0, 1) or ruling.outcome != "success" for ruling in resolution.rulings
    )


def told(ruling: Ruling) -> list[Any]:
    """Return what a ruling says without sentences and places: outcome, rule, choices, smallest roll, and which findings
    hold.
    """
    return [
        ruling.outcome,
        ruling.rule,
        ruling.choices,
        ruling.shortest_roll,
        [(one.rule, one.ok) for one in ruling.findings],
    ]


def assert_same(first: Resolution, second: Resolution, *, but: tuple[str, ...] = ()) -> None:
    """Assert that two resolutions agree in verdicts, findings, and metrics.

    Metrics named in `but`, and those that are places or directions on the table, are not compared.
    """
    for one, other in zip(first.rulings, second.rulings, strict=True):
        assert told(one) == told(other)
        assert one.metrics.keys() == other.metrics.keys()
        left_out = (*but, *(() if is_settled(first) else FREE_OF_GOALS))
        kept = [
            key
            for key in one.metrics
            if key not in left_out and not key.endswith(("_x", "_y", "normal_deg"))
        ]
        assert all(_are_close(one.metrics[key], other.metrics[key]) for key in kept)


def _are_close(value: Any, other: Any) -> bool:
    """Return whether two values are equal, numbers to 2e-6, also inside lists and mappings."""
    if isinstance(value, (list, tuple)):
        return len(value) == len(other) and all(map(_are_close, value, other))
    if isinstance(value, Mapping):
        return value.keys() == other.keys() and all(
            _are_close(value[key], other[key]) for key in value
        )
    return near(value, other, by=2e-6) if isinstance(value, float) else bool(value == other)


def assert_same_places(state: State[Any], expected: Mapping[str, Any]) -> None:
    """Assert that units of a table are at the expected places, by name, to 1e-9 in and 1e-9 radians."""
    for name, place in expected.items():
        pairs = zip(_poses(state.units[name].place), _poses(place), strict=True)
        for pose, wanted in pairs:
            assert near_points(pose.at, wanted.at)
            assert near(math.remainder(pose.heading - wanted.heading, math.tau), 0.0)


def _poses(place: Any) -> tuple[Pose, ...]:
    return place.poses if isinstance(place, Formation) else (place,)

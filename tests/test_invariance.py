"""What must not matter to any game: where a table stands, which way it looks, its mirror, names, order, things far away.

Asked of the bundled scenarios of every system that plays on a free table, so that a new system is asked by being registered.
"""

import math
import zlib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from tabletop.asking import resolve
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, polygon
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario import read_case
from tabletop.table.hexes import HexBoard
from tabletop.table.squad import Formation
from tabletop.table.state import Board, State, Terrain
from tests.bundled import NAMES, each_of
from tests.motions import carried_place, mirrored_case, renamed, shifted, turned, turned_point

FREE = tuple(name for name in NAMES if not isinstance(read_case(name).state.board, HexBoard))
WIDE = 1200.0
"""Inches of a board whose edge plays no part."""
MIDDLE = (WIDE / 2, WIDE / 2)
NEAR = 1e-9
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
"""Metrics of what is searched, not proved."""

pytestmark = each_of(FREE)


@cache
def roomy(name: str) -> tuple[Case, Resolution]:
    """Put a bundled scenario in the middle of a very large board, and resolve it there."""
    case = read_case(name)
    board = case.state.board
    state = shifted(case.state, (WIDE - board.width) / 2, (WIDE - board.depth) / 2)
    wide = replace(case, state=replace(state, board=Board(WIDE, WIDE)), proposal=None, measured=None)
    return wide, resolve(wide)


def test_turned_and_moved(name: str) -> None:
    """Turning and moving everything turns and moves the answer with it."""
    case, here = roomy(name)
    angle, by = 1.0 + zlib.crc32(name.encode()) % 1000 / 200, (31.7, -12.9)
    there = resolve(replace(case, state=shifted(turned(case.state, angle, MIDDLE), *by)))
    assert_same(here, there)
    if not is_settled(here):
        return

    def point(spot: Point) -> Point:
        x, y = turned_point(spot, angle, MIDDLE)
        return (x + by[0], y + by[1])

    assert_same_places(there.after, {key: carried_place(unit.place, point, lambda turn: turn + angle) for key, unit in ends(here)})


def test_mirrored(name: str) -> None:
    """Swapping left and right swaps them in the answer, unless a tie of the two was decided by hand."""
    case, here = roomy(name)
    there = resolve(mirrored_case(case))
    assert_same(here, there, but=HANDED)
    if not is_settled(here):
        return
    places = {
        key: carried_place(unit.place, lambda spot: (WIDE - spot[0], spot[1]), lambda turn: math.pi - turn) for key, unit in ends(here)
    }
    assert_same_places(there.after, places)


def test_renamed(name: str) -> None:
    """Names decide nothing."""
    case, here = roomy(name)
    there = resolve(renamed(case))
    assert [told(ruling) for ruling in here.rulings] == [told(ruling) for ruling in there.rulings]
    assert {f"the {key}": unit.place for key, unit in ends(here)} == {key: unit.place for key, unit in there.after.units.items()}


def test_reordered_with_a_stranger_far_away(name: str) -> None:
    """The order of terrain, a rock and a unit in the far corner decide nothing."""
    case, here = roomy(name)
    charger = case.state.units[case.charges[0].charger]
    far = replace(charger.at(_corner(charger.place)), name="stranger")
    rock = Terrain("rock", case.system.vocabulary.terrain_kinds[0], _box(40.0), 3.0, _data(case))
    there = resolve(replace(case, state=replace(case.state.with_unit(far), terrain=(rock, *reversed(case.state.terrain)))))
    assert [(ruling.outcome, ruling.rule, ruling.shortest_roll) for ruling in here.rulings] == [
        (ruling.outcome, ruling.rule, ruling.shortest_roll) for ruling in there.rulings
    ]
    if is_settled(here):
        assert_same_places(there.after, {key: unit.place for key, unit in ends(here)})


def _corner(place: Any) -> Any:
    """Put a unit near the far corner of the board, as it is."""
    first = place.poses[0] if isinstance(place, Formation) else place
    return carried_place(place, lambda spot: (spot[0] - first.x + 1150.0, spot[1] - first.y + 1150.0), lambda turn: turn)


def _box(size: float) -> Shape:
    return polygon([(0.0, 0.0), (size, 0.0), (size, size), (0.0, size)])


def _data(case: Case) -> Any:
    return case.state.terrain[0].data if case.state.terrain else case.system.vocabulary.terrain_keys()


def ends(resolution: Resolution) -> list[tuple[str, Any]]:
    """Give the units as they end."""
    return list(resolution.after.units.items())


def is_settled(resolution: Resolution) -> bool:
    """Tell whether it is known that no equally good places are left among which hand, file order or rounding decide."""
    return all(ruling.choices in (0, 1) or ruling.outcome != "success" for ruling in resolution.rulings)


def told(ruling: Ruling) -> list[Any]:
    """Give what a ruling says, but for its sentences and where it happened."""
    return [ruling.outcome, ruling.rule, ruling.choices, ruling.shortest_roll, [(one.rule, one.ok) for one in ruling.findings]]


def assert_same(first: Resolution, second: Resolution, *, but: tuple[str, ...] = ()) -> None:
    """Compare rulings: verdicts, findings, and metrics save those named and those that are places or directions on the table."""
    for one, other in zip(first.rulings, second.rulings, strict=True):
        assert told(one) == told(other)
        assert one.metrics.keys() == other.metrics.keys()
        left_out = (*but, *(() if is_settled(first) else FREE_OF_GOALS))
        kept = [key for key in one.metrics if key not in left_out and not key.endswith(("_x", "_y", "normal_deg"))]
        assert {key: _close(one.metrics[key]) for key in kept} == {key: other.metrics[key] for key in kept}


def _close(value: Any) -> Any:
    """Let numbers differ by two millionths, also inside lists and tables."""
    if isinstance(value, (list, tuple)):
        return [_close(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _close(item) for key, item in value.items()}
    return pytest.approx(value, abs=2e-6) if isinstance(value, float) else value


def assert_same_places(state: State[Any], expected: Mapping[str, Any]) -> None:
    """Compare where units stand, to a billionth of an inch and a radian."""
    for name, place in expected.items():
        pairs = zip(_poses(state.units[name].place), _poses(place), strict=True)
        for pose, wanted in pairs:
            assert pose.at == pytest.approx(wanted.at, abs=NEAR)
            assert math.remainder(pose.heading - wanted.heading, math.tau) == pytest.approx(0.0, abs=NEAR)


def _poses(place: Any) -> tuple[Pose, ...]:
    return place.poses if isinstance(place, Formation) else (place,)

"""What decided a charge is shown where it lies, with its number: each kind of mark against lengths worked out by
hand.
"""

import math
from typing import Any

import pytest

from systems.conquest.explain import COMPLETED_BY
from tabletop.geometry.pose import Point
from tabletop.messages import names_in
from tabletop.ruling.evidence import Mark
from tabletop.ruling.verdict import Ruling
from tabletop.testing.answers import resolved
from tests.bundled import NAMES
from tests.systems.conquest.test_align import BEFORE_BOTH, SLANTED, WALLS
from tests.systems.conquest.test_facing import PASSED
from tests.systems.conquest.test_push import HEMMED, WEDGED
from tests.systems.conquest.test_push import WALLS as BESIDE
from tests.systems.conquest.test_wheel import own
from tests.systems.said import numbers
from tests.tables import Entry, box, charger, finding, rule_on, unit

AHEAD: dict[str, Entry] = {"B": unit((20, 18), 270)}
LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}


def shown(ruling: Ruling, rule: str) -> Mark:
    """Return what shows a rule."""
    return ruling.decided[f"conquest.{rule}"]


def close(*points: Point) -> object:
    """Expect points within a millionth of an inch."""
    return pytest.approx([value for point in points for value in point], abs=1e-6)


def flat(lines: tuple[tuple[Point, Point], ...]) -> list[float]:
    """Return the coordinates of lines, one after the other."""
    return [value for line in lines for point in line for value in point]


def box_of(one: Mark) -> list[float]:
    """Return the bounds of the one area that is shown."""
    (area,) = one.areas
    return list(area.bounds)


def test_declare_actions_and_reinforcement() -> None:
    """A status is its word at the charger, a further one another."""
    ruling = rule_on({"A": charger(status=["done", "reinforcement"]), **AHEAD})
    actions, arrived = (one.words for one in ruling.decided.values())
    assert ("actions" in actions, "Reinforcements" in arrived) == (True, True)
    assert all(one.at == (20.0, 9.0) for one in ruling.decided.values())


def test_declare_not_in_contact() -> None:
    """A ring lies about the middle of the common side, from y = 8 to 10 at x = 23."""
    one = shown(rule_on({**AHEAD, "X": unit((24, 10), 90, 1)}), "declare.not-in-contact")
    assert names_in(one.words) == {"X"}
    assert one.at == pytest.approx((23, 9), abs=1e-3)
    assert box_of(one) == pytest.approx([22.6, 8.6, 23.4, 9.4], abs=1e-3)


def test_declare_one_target() -> None:
    """Lines lead to all who are named."""
    one = shown(
        rule_on({**AHEAD, "C": unit((28, 18), 270)}, target=["B", "C"]), "declare.one-target"
    )
    assert numbers(one.words) == ["2", "1"]
    assert flat(one.lines) == close((23, 10), (23, 18), (23, 10), (25, 18))


def test_declare_enemy() -> None:
    """A friend is told at the target."""
    one = shown(rule_on({"B": unit((20, 18), 270, side="blue")}), "declare.enemy")
    assert ("friend" in one.words, one.at) == (True, (20.0, 19.0))


def test_declare_line_of_sight_outside_of_the_arc() -> None:
    """B's corner (33, 16) lies 10 in aside of A's front corner and 6 in ahead: atan(10 / 6) less half a right angle."""
    ruling = rule_on({"A": charger(march=20), "B": unit((34, 14), 270, 1)})
    one = shown(ruling, "declare.line-of-sight")
    off = math.degrees(math.atan2(10, 6)) - 45
    found = finding(ruling, "conquest.declare.line-of-sight")
    assert (found.measured, found.limit, found.margin) == pytest.approx((off, 0.0, -off))
    assert f"{off:.2f}\N{DEGREE SIGN}" in one.words
    reach = math.hypot(10, 6) / math.sqrt(2)
    assert flat(one.lines) == close((23, 10), (33, 16))
    assert flat(one.limits) == close((23, 10), (23 + reach, 10 + reach))


def test_declare_line_of_sight_by_too_small_a_part() -> None:
    """The ray from (23, 10) cuts a triangle with legs of an inch off B, an eighth of it: the rest is shown."""
    ruling = rule_on({"A": charger(march=20), "B": unit((29, 14), 270, 1)}, front_arc="most")
    one = shown(ruling, "declare.line-of-sight")
    found = finding(ruling, "conquest.declare.line-of-sight")
    assert (found.measured, found.limit, found.margin) == pytest.approx((12.5, 50.0, -37.5))
    assert numbers(one.words) == ["12.5"]
    assert one.areas[0].core.area == pytest.approx(3.5)


def test_through_march() -> None:
    """The March led over an inch of F, whose left side is at x = 22."""
    units = {**AHEAD, "F": unit((24, 6), 90, 2, side="blue"), "X": unit((28, 6), 90, 2)}
    one = shown(rule_on(units, charge={"marched": 6}), "through.march")
    assert names_in(one.words) == {"1", "F"}
    assert box_of(one) == close((22, 4), (23, 6))


@pytest.mark.parametrize(("y", "short", "rings"), [(19.5, "1.5", 0), (18.004, "0.004", 1)])
def test_range(y: float, short: str, rings: int) -> None:
    """The last piece of the distance is what is missing; one that is too short to be seen has a ring."""
    one = shown(rule_on({"B": unit((20, y), 270)}), "range")
    assert (numbers(one.words), "B" in names_in(one.words), len(one.areas)) == (
        [short],
        True,
        rings,
    )
    assert flat(one.lines) == close((23, 18), (23, y))


@pytest.mark.parametrize(
    ("name", "ends"),
    [("halted-by-a-corner", (23, 13.134, 23.5, 14)), ("no-way-past", (23, 13, 23, 14))],
)
def test_the_inch_before_which_a_failed_move_halts_is_measured(
    name: str, ends: tuple[float, ...]
) -> None:
    """conquest.failed.halt: where the charger ends and from it to the enemy, half an inch aside and the root of 3/4
    ahead, or straight.
    """
    after = [
        one
        for one in resolved(f"conquest/{name}")[1].rulings[0].evidence.dimensions
        if one.stage == "after"
    ]
    assert [one.label for one in after] == ["1.00 in"]
    assert [*after[0].start, *after[0].end] == pytest.approx(ends, abs=1e-3)


@pytest.mark.parametrize(
    "name", ["a-friend-that-is-held", "longer-than-the-roll", "push-without-room"]
)
def test_no_gap_is_measured_where_a_failed_move_halts_at_nothing_or_touching(name: str) -> None:
    """conquest.failed.halt: what is touched is seen to be touched."""
    assert [
        one.stage for one in resolved(f"conquest/{name}")[1].rulings[0].evidence.dimensions
    ] == ["before"]


def test_facing_reach() -> None:
    """The side that no wheel reaches is marked: B's front."""
    one = shown(rule_on(PASSED, facing_out_of_reach="fail"), "facing.reach")
    assert flat(one.lines) == close((39, 24), (33, 24))


def test_facing_reach_of_an_own_wheel() -> None:
    """Without a wheel the front goes between x = 17 and 23, past B's front from 25 to 31."""
    one = shown(own("right", 0.0), "facing.reach")
    assert flat(one.lines) == close((31, 18), (25, 18))
    assert [line[0] for line in one.limits] == [(17.0, 10.0), (23.0, 10.0)]


@pytest.mark.parametrize(
    ("kind", "rule"),
    [("impassable", "path.impassable"), ("garrison", "path.garrison")],
)
def test_path(kind: str, rule: str) -> None:
    """What lies across the lane from x = 17 to 23 is marked, and the front at y = 13 (less the clearance) as far as it
    may go.
    """
    one = shown(
        rule_on({"A": charger(size=9), **AHEAD}, [*BESIDE, box((16, 24), (13, 13.5), kind=kind)]),
        rule,
    )
    assert ("rock" in one.words, numbers(one.words)) == (True, ["3", "8"])
    assert box_of(one) == close((17, 13), (23, 13.5))
    assert flat(one.fronts) == pytest.approx([17, 13, 23, 13], abs=2e-3)


def test_path_too_near_by_a_hair() -> None:
    """Half of the clearance is missing: the number has the digits that it takes, and a ring shows where."""
    hut = box((23.0005, 26), (16.5, 19), kind="garrison", name="Hut")
    one = shown(rule_on(AHEAD, [*BESIDE, hut]), "path.garrison")
    assert ("Hut" in one.words, numbers(one.words)) == (True, ["0.0005"])
    assert box_of(one)[2] - box_of(one)[0] == pytest.approx(0.8)
    assert one.at is not None
    assert one.at[0] == pytest.approx(23, abs=1e-3)


def test_path_impassable_that_is_round() -> None:
    """A post of half an inch about (20, 14) is met after 3.5 in."""
    post = {"name": "post", "kind": "impassable", "circle": {"centre": [20, 14], "radius": 0.5}}
    one = shown(rule_on(AHEAD, [*BESIDE, post]), "path.impassable")
    assert ("post" in one.words, numbers(one.words)) == (True, ["3.5", "8"])
    assert box_of(one) == close((19.5, 13.5), (20.5, 14.5))


def test_path_target() -> None:
    """The far corner of the front, 6 in from the pivot, has 2 in less the clearance to the target."""
    one = shown(
        rule_on({"B": unit((20, 12), 270)}, charge={"wheel": {"pivot": "left", "angle_deg": 40}}),
        "path.target",
    )
    assert ("B" in names_in(one.words), numbers(one.words)) == (
        True,
        [f"{math.degrees(math.asin(1.999 / 6)):.2f}", "40"],
    )
    assert one.areas[0].bounds[1] == pytest.approx(12, abs=1e-6)


def test_path_board() -> None:
    """A wheel about the right corner takes the flank on the edge beyond it at once."""
    one = shown(
        rule_on({"A": charger((3, 10)), "B": unit((11, 18), 270)}, dice=(4,), **LEAST), "path.board"
    )
    assert ("board" in one.words, numbers(one.words)[0]) == (True, "0")
    assert one.areas[0].bounds[0] == pytest.approx(6 - math.hypot(6, 2), abs=1e-2)


def test_move_charge_distance() -> None:
    """The right front corner has 8 in to the slanted front, two of which are beyond the Charge Distance."""
    one = shown(resolved("conquest/longer-than-the-roll")[1].rulings[0], "move.charge-distance")
    assert numbers(one.words) == ["2", "8", "6"]
    assert flat(one.lines) == close((23, 16), (23, 18))
    assert flat((*one.fronts, *one.limits)) == close((17, 16), (23, 16), (23, 10), (23, 16))


def test_align_flush() -> None:
    """What bars both turns is marked, with the front at contact and the front that would be flush."""
    one = shown(rule_on(SLANTED, [*WALLS, BEFORE_BOTH], **LEAST), "align.flush")
    assert (names_in(one.words) >= {"A", "B"}, numbers(one.words)) == (True, ["30"])
    xs, ys = zip(*BEFORE_BOTH["polygon"], strict=True)
    assert list(one.areas[0].bounds) == close((min(xs), min(ys)), (max(xs), max(ys)))
    assert flat(one.fronts[:1]) == close((17, 18), (23, 18))
    assert math.dist(*one.fronts[1]) == pytest.approx(6)


def test_push_room() -> None:
    """A's front ends at y = 18 from x = 17 to 23: L, 14 to 20 and 18 to 20, is in the inch about it from 16 to 20 and
    up to 19.
    """
    one = shown(rule_on(WEDGED, [*BESIDE, *HEMMED], board=(72, 20), **LEAST), "push.room")
    assert ("L" in names_in(one.words), numbers(one.words)) == (True, ["1"])
    assert box_of(one) == close((16, 18), (20, 19))
    (front,) = one.fronts
    edges = one.limits
    assert flat((front,)) == close((17, 18), (23, 18))
    assert sorted(sorted(edge) for edge in edges) == [
        [close((16, 18)), close((16, 19))],
        [close((16, 19)), close((20, 19))],
    ]


def test_through_clear() -> None:
    """A would stand from y = 14.5 to 16.5, and F's front is at 15."""
    units = {
        "A": charger(march=8, size=2),
        "F": unit((20, 15), 90, side="blue"),
        "B": unit((20, 16.5), 270),
    }
    one = shown(rule_on(units, dice=(4,), **LEAST), "through.clear")
    assert (names_in(one.words) >= {"A", "F"}, numbers(one.words)) == (True, ["0.5"])
    assert box_of(one) == close((17, 14.5), (23, 15))


def test_through_clear_of_a_failed_move() -> None:
    """Besides the range that falls short the friend in which the failed move ends is shown."""
    units = {
        "A": charger(march=1, size=5),
        "F": unit((20, 13), 90, side="blue"),
        "B": unit((20, 30), 270),
    }
    ruling = rule_on(units, dice=(4,))
    assert list(ruling.decided) == ["conquest.range", "conquest.through.clear"]
    assert box_of(shown(ruling, "through.clear")) == close((17, 12), (23, 13))


def test_wheel_most_stands_of_an_own_wheel() -> None:
    """Both counts are told; the front of the player's own wheel touches B's corner."""
    one = shown(own("right", 30.0), "wheel.most-stands")
    assert numbers(one.words) == ["2", "3"]
    assert one.at == close((25, 18))
    assert math.dist(*one.lines[0]) == pytest.approx(6)


def test_wheel_most_stands_served() -> None:
    """A success shows along the contact how many stands reach, and its words behind the target."""
    ruling = rule_on({"B": unit((22, 18), 270)}, BESIDE)
    one = shown(ruling, "wheel.most-stands")
    assert (names_in(one.words) >= {"A", "B"}, numbers(one.words), one.stage) == (
        True,
        ["2", "4"],
        "after",
    )
    assert sorted(flat(one.lines)) == close((18, 18), (19, 23))
    assert one.at == close((21, 20))


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("conquest/")])
def test_a_wheel_and_a_turn_are_told_where_there_is_one(name: str) -> None:
    """conquest.wheel.most-stands: "without a wheel" alone where nothing wheels, else by what it completes where
    anything turns or moves.
    """
    for ruling in resolved(name)[1].rulings:
        kinds = {step.kind for step in ruling.steps}
        for found in ruling.findings if ruling.outcome == "success" else ():
            if found.rule == "conquest.wheel.most-stands":
                assert ("Without" in found.text) is ("wheel" not in kinds), found.text
                turns = kinds & {"align", "push", "target_wheel"} and "wheel" in kinds
                assert any(fate in found.text for fate in COMPLETED_BY.values()) is (
                    bool(turns) or COMPLETED_BY["touch"] in found.text
                )


def test_push_served() -> None:
    """Who was pushed has a line as long as the push."""
    one = shown(rule_on(WEDGED, **LEAST), "push")
    assert (names_in(one.words) >= {"L", "R"}, numbers(one.words)) == (True, ["1", "1"])
    assert flat(one.lines) == close((17, 18), (17, 19), (25, 18), (25, 19))


def pointed(name: str, number: int = 0) -> Mark:
    """Return the mark of the rule that a bundled Conquest scenario is about, in one of its rulings."""
    found = resolved(f"conquest/{name}")[1].rulings[number].pointed
    assert found is not None
    assert found.mark is not None
    return found.mark


def test_the_inch_at_which_a_failed_move_halts() -> None:
    """From the right end of the front to the corner of X; the rest of the six inches is dashed."""
    one = pointed("halted-by-a-corner")
    assert numbers(one.words) == ["1"]
    assert flat(one.lines) == close((23, 13.133975), (23.5, 14))
    assert flat(one.limits) == close((20, 13.133975), (20, 16))
    assert flat(one.fronts) == close((17, 16), (23, 16))


def test_the_gap_to_a_corner_that_is_passed() -> None:
    """A thousandth of an inch to the corner of X."""
    one = pointed("past-a-corner")
    assert numbers(one.words) == ["0.001"]
    assert math.dist(*one.lines[0]) == pytest.approx(0.001, abs=1e-6)
    assert one.at == close((23.5, 18))


@pytest.mark.parametrize(
    ("name", "length"),
    [
        ("the-least-turn", 4.001),
        ("the-players-own-wheel", 4.84278),
        ("the-longest-contact", 5.4253),
    ],
)
def test_the_contact_of_the_wheel_that_is_preferred(name: str, length: float) -> None:
    """Its line is as long as the words say."""
    one = pointed(name)
    assert [float(number) for number in numbers(one.words)] == [pytest.approx(length, abs=0.005)]
    assert math.dist(*one.lines[0]) == pytest.approx(length, abs=1e-4)


def test_the_turn_about_the_point_of_contact() -> None:
    """Thirty degrees from east, about the left end of the front."""
    one = pointed("turning-about-a-corner")
    (turn,) = one.angles
    assert numbers(one.words) == ["30"]
    assert turn.at == close((17, 18))
    assert (turn.start, turn.sweep) == pytest.approx((0.0, math.radians(30)), abs=1e-9)


def test_the_areas_on_both_sides_of_the_dividing_line() -> None:
    """Nine and three of twelve square inches; the part in the charged arc is marked."""
    one = pointed("the-side-at-a-corner")
    assert numbers(one.words) == ["9", "3"]
    assert one.areas[0].core.area == pytest.approx(9.0)
    assert one.limits


def test_the_march_before_a_charge_without_actions_left() -> None:
    """Two inches up to the charger's rear."""
    one = pointed("inspire-wasted")
    assert numbers(one.words) == ["2", "0"]
    assert flat(one.lines) == close((20, 6), (20, 8))
    unmarched = finding(rule_on(AHEAD, charge={"actions_left": 0}), "conquest.inspire.wasted").mark
    assert unmarched is not None
    assert (numbers(unmarched.words), unmarched.at) == (["0"], (20.0, 9.0))


def test_sizes_in_a_line_of_sight() -> None:
    """One and two of the hill are three, over a wood of two; beside the hill it is one against two."""
    over = pointed("over-the-wood-from-a-hill")
    stopped = pointed("over-the-wood-from-a-hill", 1)
    assert numbers(over.words) == ["1", "2", "3", "2"]
    assert math.dist(*over.lines[0]) == pytest.approx(1.0)
    assert numbers(stopped.words) == ["1", "2"]

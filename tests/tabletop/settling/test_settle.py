"""The nearest table that can be: against closed forms, against trying, and on every kind of body."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc, oval, polygon, rectangle
from tabletop.scenario.reading import case_from_tables, read_case
from tabletop.settling.bodies import Body, bodies_of
from tabletop.settling.constraints import (
    SetUpConstraints,
    SetUpRules,
    closest_features,
    regiment_rules,
)
from tabletop.settling.settle import SettleProblem, settled
from tabletop.table.accuracy import Accuracy, Measured
from tabletop.table.models import Hull, Model, OvalBase, RoundBase, Squad
from tabletop.table.state import Base, Board, Regiment, State, Terrain
from tabletop.testing.motions import mirrored, turned

INCH = Accuracy(0.1)
EVERYWHERE = Board(60.0, 60.0)


def regiment(
    name: str, at: tuple[float, float], degrees: float = 90.0, *, files: int = 5
) -> Regiment:
    """Make a regiment of inch-wide bases in two ranks."""
    return Regiment(
        name, "blue", Pose(*at, math.radians(degrees)), files, 2 * files, Base(1.0, 1.0)
    )


def squad(name: str, *spots: tuple[float, ...], base: Any = None) -> Squad:
    """Make a unit of loose models; a third number is the height."""
    models = [
        Model(n, Pose(spot[0], spot[1], 0.0), base or RoundBase(1.0), (*spot, 0.0)[2])
        for n, spot in enumerate(spots)
    ]
    return Squad(name, "blue", tuple(models))


def table(*units: Any, terrain: tuple[Terrain, ...] = (), board: Board = EVERYWHERE) -> State[Any]:
    """Return a table with these units."""
    return State(board, {unit.name: unit for unit in units}, terrain)


def is_unit(body: Body, *_: Body) -> bool:
    """Return whether a body is a unit, not terrain."""
    return not isinstance(body.thing, Terrain)


ALL_APART = SetUpRules(is_unit, is_unit)
"""Everything on a table stands apart, and all units on the board."""


def shapes(state: State[Any]) -> list[Any]:
    """Return what stands and lies on a table."""
    return [body.shape for body in bodies_of(state, Measured())]


def least_gap(state: State[Any]) -> float:
    """Return the least gap between any two."""
    found = shapes(state)
    return min(gap(one, other) for number, one in enumerate(found) for other in found[:number])


def cost(before: State[Any], after: State[Any], measured: Measured) -> float:
    """Add up the squares of displacements in units of their accuracy."""
    total = 0.0
    for one, other in zip(bodies_of(before, measured), bodies_of(after, measured), strict=True):
        if one.at:
            total += (math.dist(one.middle, other.middle) / one.at) ** 2
        if one.turn and not isinstance(one.thing, Terrain) and not isinstance(other.thing, Terrain):
            total += (
                math.remainder(one.thing.pose.heading - other.thing.pose.heading, math.tau)
                / one.turn
            ) ** 2
    return total


def test_what_can_be_is_left_alone() -> None:
    """A table on which nothing overlaps is its own nearest one, to the bit."""
    state = table(regiment("A", (10, 10)), regiment("B", (16, 10)))
    found = settled(state, Measured(INCH), ALL_APART)
    assert found.state is state
    assert found.shifts == ()


@pytest.mark.parametrize("overlap", [1e-5, 0.02, 0.1, 0.199])
def test_two_that_overlap_part_halfway(overlap: float) -> None:
    """Two alike go half of it each, straight apart, and then touch."""
    state = table(regiment("A", (10, 10)), regiment("B", (15 - overlap, 10)))
    found = settled(state, Measured(INCH), ALL_APART)
    assert [(shift.x, shift.y) for shift in found.shifts] == [
        pytest.approx((-overlap / 2, 0.0), abs=1e-6),
        pytest.approx((overlap / 2, 0.0), abs=1e-6),
    ]
    assert least_gap(found.state) == pytest.approx(0.0, abs=1e-6)


def test_what_is_measured_worse_goes_farther() -> None:
    """Of two discs each takes its share by the squares of the accuracies; one that is exact stands."""
    state = table(squad("A", (10.0, 10.0)), squad("B", (10.94, 10.0)))
    found = settled(state, Measured(INCH, {"B": Accuracy(0.05)}), ALL_APART)
    assert [shift.x for shift in found.shifts] == [
        pytest.approx(-0.06 * 4 / 5, abs=1e-6),
        pytest.approx(0.06 / 5, abs=1e-6),
    ]
    found = settled(state, Measured(INCH, {"B": Accuracy()}), ALL_APART)
    assert {shift.name: shift.x for shift in found.shifts} == pytest.approx({"A": -0.06}, abs=1e-6)
    assert found.state.units["B"] == state.units["B"]


def test_off_the_board_goes_back_onto_it() -> None:
    """Who reaches beyond an edge, or two of them, is brought back; terrain may lie there."""
    state = table(squad("A", (0.45, 0.47)), terrain=(Terrain("W", "wall", disc((30, 0.1), 1.0)),))
    found = settled(state, Measured(INCH), ALL_APART)
    assert [(shift.x, shift.y) for shift in found.shifts] == [pytest.approx((0.05, 0.03))]


def test_too_much_is_not_settled_and_what_would_do_is_said() -> None:
    """Where the accuracies do not reach, the bodies are named, and the accuracy that would do."""
    state = table(squad("A", (10.0, 10.0)), squad("B", (10.7, 10.0)))
    found = settled(state, Measured(INCH), ALL_APART)
    assert found.broken == (("A.0", "B.0"),)
    assert found.needed == pytest.approx(0.15, abs=0.002)
    assert found.state is state


def test_nothing_would_do_for_two_in_one_place_that_are_exact_elsewhere() -> None:
    """An accuracy that is exact is not stretched."""
    state = table(squad("A", (10.0, 10.0)), squad("B", (10.2, 10.0)), squad("C", (30.0, 10.0)))
    found = settled(state, Measured(Accuracy(), {"C": INCH}), ALL_APART)
    # two that are exact are not for settling: the reader refuses their table
    assert found.broken == ()
    assert found.shifts == ()


def test_a_model_goes_back_over_what_holds_it() -> None:
    """A model up on a block whose middle was measured beyond the edge goes back over it, by as much as the block does
    not come.
    """
    block = Terrain("K", "block", polygon([(10, 10), (14, 10), (14, 14), (10, 14)]), 3.0)
    state = table(squad("A", (14.06, 12.0, 3.0)), terrain=(block,))
    room = SetUpRules(
        lambda *_: False, lambda _: True, lambda body: ("K",) if body.name == "A" else ()
    )
    found = settled(state, Measured(INCH, {"K": Accuracy()}), room)
    assert {shift.name: shift.x for shift in found.shifts} == pytest.approx({"A": -0.06}, abs=1e-6)
    both = settled(state, Measured(INCH), room)
    assert {shift.name: round(shift.x, 3) for shift in both.shifts} == {"A": -0.03, "K": 0.03}


@pytest.mark.parametrize(
    "base",
    [
        OvalBase(3.0, 1.5),
        Base(1.5, 2.5),
        Hull(((2.0, -1.0), (2.0, 1.0), (0.0, 0.4), (-2.0, 1.0), (-2.0, -1.0))),
    ],
    ids=type,
)
def test_every_kind_of_base_parts(base: Any) -> None:
    """Ovals, rectangles and concave hulls, among themselves and from a round one, end apart and near."""
    state = table(
        squad("A", (10.0, 10.0), base=base),
        squad("B", (12.1, 11.0), base=base),
        squad("C", (10.4, 11.9)),
    )
    measured = Measured(Accuracy(1.0))
    found = settled(state, measured, ALL_APART)
    assert found.broken == ()
    assert -1e-6 <= least_gap(found.state) < 0.3


def spot(random: np.random.Generator, low: float, high: float) -> tuple[float, float]:
    """Throw a place."""
    x, y = random.uniform(low, high, 2)
    return float(x), float(y)


def crowded(number: int) -> State[Any]:
    """Throw regiments, models and walls close together."""
    random = np.random.default_rng(number)
    units: list[Any] = [
        regiment(f"R{n}", spot(random, 8, 24), float(random.uniform(0, 360)), files=2)
        for n in range(3)
    ]
    units.append(squad("S", *(spot(random, 8, 24) for _ in range(5))))
    walls = [
        Terrain(
            f"W{n}",
            "wall",
            rectangle(Pose(*spot(random, 8, 24), float(random.uniform(0, 6))), 4.0, 0.5),
        )
        for n in range(2)
    ]
    return table(*units, terrain=tuple(walls))


@pytest.mark.parametrize("number", range(16))
def test_random_tables_settle_near(number: int) -> None:
    """What is settled can be, lies within the accuracy, and no table of many that were tried and can be is nearer."""
    state = crowded(number)
    measured = Measured(Accuracy(0.5, math.radians(10.0)))
    found = settled(state, measured, ALL_APART)
    if found.broken:
        assert found.needed is None or found.needed > 0.5
        return
    moved = {(shift.name, shift.number): shift for shift in found.shifts}
    assert all(
        math.hypot(shift.x, shift.y) <= 0.5 + 1e-9 and abs(shift.turn) <= math.radians(10.0) + 1e-9
        for shift in moved.values()
    )
    apart_ones = bodies_of(found.state, measured)
    pairs = [(one, other) for number, one in enumerate(apart_ones) for other in apart_ones[:number]]
    assert all(
        gap(one.shape, other.shape) >= -1e-6
        for one, other in pairs
        if not isinstance(other.thing, Terrain)
    )
    settling = SettleProblem.of(state, measured, ALL_APART)
    random = np.random.default_rng(number)
    best = settling.nearest()
    assert best is not None
    for spread in (0.3, 0.1, 0.03):
        for _ in range(20):
            tried = best + random.normal(0.0, spread, best.shape) * (np.abs(best) > 0)
            if all(
                demand.is_kept(tried * settling.scale, slack=0.0) for demand in settling.demands
            ):
                assert float((tried**2).sum()) >= float((best**2).sum()) - 1e-6


@pytest.mark.parametrize(
    "change", [lambda state: turned(state, 1.1, (30.0, 30.0)), mirrored], ids=["turned", "mirrored"]
)
def test_settling_does_not_depend_on_how_the_table_lies(
    change: Callable[[State[Any]], State[Any]],
) -> None:
    """A table that is turned or mirrored costs the same."""
    measured = Measured(Accuracy(0.5, math.radians(10.0)))
    for number in range(3):
        state = crowded(number)
        other = change(state)
        one = settled(state, measured, ALL_APART)
        two = settled(other, measured, ALL_APART)
        assert bool(one.broken) == bool(two.broken)
        assert cost(state, one.state, measured) == pytest.approx(
            cost(other, two.state, measured), abs=1e-5
        )


@pytest.mark.parametrize("number", range(15))
def test_how_a_gap_changes_is_how_it_changes(number: int) -> None:
    """The rates of a gap are those that moving the bodies a little shows."""
    random = np.random.default_rng(number)
    things = [regiment("A", spot(random, 10, 13), float(random.uniform(0, 360)), files=2)]
    other = squad(
        "B",
        spot(random, 10, 13),
        base=[RoundBase(1.0), OvalBase(2.0, 1.0), Base(1.0, 2.0)][number % 3],
    )
    state = table(*things, other)
    bodies = bodies_of(state, Measured(Accuracy(2.0, 0.5)))
    demand = next(
        one
        for one in SetUpConstraints(state.board, bodies, ALL_APART).near()
        if len(one.bodies) == 2
    )
    start = random.uniform(-0.1, 0.1, (2, 3))
    slack, change = demand.cuts(start)[0]
    assert slack == pytest.approx(
        gap(*(Body.shape_of(body.moved(aside)) for body, aside in zip(bodies, start, strict=True))),
        abs=1e-9,
    )
    for body in range(2):
        for axis in range(3):
            up = start.copy()
            down = start.copy()
            up[body, axis] += 1e-6
            down[body, axis] -= 1e-6
            tried = (demand.cuts(up)[0][0] - demand.cuts(down)[0][0]) / 2e-6
            assert change[body][axis] == pytest.approx(tried, abs=1e-4)


def test_regiments_may_overlap_as_far_as_their_game_says() -> None:
    """A clearance is left as it is; pairs that may cross are not parted."""
    state = table(regiment("A", (10, 10)), regiment("B", (14.96, 10)))
    assert settled(state, Measured(INCH), regiment_rules((), overlap=0.05)).shifts == ()
    assert (
        settled(
            state, Measured(INCH), regiment_rules((), allowed=frozenset({frozenset({"A", "B"})}))
        ).shifts
        == ()
    )
    found = settled(replace(state), Measured(INCH), regiment_rules((), overlap=0.01))
    assert least_gap(found.state) == pytest.approx(-0.01, abs=1e-6)


def test_discs_in_each_other_part_some_way() -> None:
    """Two discs with one middle have no direction to part in; one is chosen."""
    apart_by, normal, *_ = closest_features(disc((1.0, 1.0), 0.5), disc((1.0, 1.0), 0.5))[0]
    assert (apart_by, *normal) == (-1.0, 1.0, 0.0)
    assert gap(oval(Pose(0, 0, 0.0), 2, 1), disc((3, 0), 1)) > 0


def test_what_stands_by_another_goes_with_it() -> None:
    """A unit that is said to stand beside another keeps to it, to the last hair, wherever that is moved and turned."""
    state = table(
        regiment("A", (10, 10)), regiment("B", (15, 10)), regiment("C", (19.9, 10.3), 91.0)
    )
    measured = Measured(Accuracy(0.2), carried={"B": "A"})
    found = settled(state, measured, ALL_APART)
    assert found.broken == ()
    assert least_gap(found.state) >= -1e-6
    assert {shift.name for shift in found.shifts} == {"A", "B", "C"}
    a = found.state.units["A"].pose
    b = found.state.units["B"].pose
    assert b.heading == a.heading
    assert b.at == pytest.approx(a.point(5.0, 0.0), abs=1e-9)
    free = settled(state, Measured(Accuracy(0.2)), ALL_APART)
    assert cost(state, free.state, measured) != pytest.approx(cost(state, found.state, measured))
    twice = Measured(Accuracy(0.2), carried={"B": "A", "C": "B"})
    assert settled(state, twice, ALL_APART).broken  # all go together, so nothing parts them


@pytest.mark.parametrize("degrees", [2.0, 10.0, 45.0])
def test_a_wide_angle_settles_what_a_narrow_one_does(degrees: float) -> None:
    """More play never makes a table impossible."""
    measured = read_case("t9a/measured-with-a-tape")
    assert measured.tables is not None
    case = case_from_tables({**measured.tables, "accuracy": {"at": 0.1, "facing_deg": degrees}})
    assert case.settled is not None
    assert case.settled.shifts

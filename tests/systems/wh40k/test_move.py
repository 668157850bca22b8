"""Where the models go: what must hold at the end, on the way, over terrain and through the air."""

import math
from itertools import pairwise
from typing import Any

import pytest

from systems.wh40k.move import Moved
from systems.wh40k.paths import MeasuredPath
from tabletop.api import judge, resolve
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import disc
from tabletop.ruling.verdict import Ruling
from tabletop.scenario.reading import case_from_tables
from tabletop.table.models import Model, OvalBase
from tests.systems.wh40k.tables import (
    INCH,
    chances,
    ends,
    piece,
    resolution,
    ruling,
    table,
    unit,
    verdict,
)

ONE = unit([(0, 0)])
T6 = {"T": unit([(6, 0)])}
T8 = {"T": unit([(8, 0)])}


def told(one: Ruling) -> set[str]:
    """Name the rules that a ruling speaks of, without the game's name."""
    return {finding.rule.removeprefix("wh40k.") for finding in one.findings}


# --- ends -------------------------------------------------------------------------------------------------------------


def test_possible_stay() -> None:
    """A failed charge moves nobody and leaves no Fights First."""
    after = resolution(ONE, T6, total=3)
    assert after.after.units["A"].place == after.before.units["A"].place
    assert after.after.units["A"].status == ("selected",)
    assert "possible.stay" in told(after.rulings[0])


@pytest.mark.parametrize(
    ("rules", "outcome"), [({}, "failed"), ({"engagement_path": "end"}, "success")]
)
def test_possible_avoid_others_on_the_way(rules: dict[str, Any], outcome: str) -> None:
    """Between two bystanders whose ranges nearly close the way it must not pass, unless only ends are looked at."""
    gate = {"N": unit([(3, 1.9)]), "M": unit([(3, -1.9)])}
    found = ruling(ONE, {**T6, **gate}, total=5, rules=rules)
    assert found.outcome == outcome
    assert found.rule == (None if outcome == "success" else "wh40k.possible.avoid-others")


@pytest.mark.parametrize(("size", "outcome"), [(6, "success"), (7, "failed")])
def test_possible_coherency_of_large_units(size: int, outcome: str) -> None:
    """From seven models on each needs two neighbours: a row with one at its end no longer holds."""
    a = unit([(0, 2.9 * number) for number in range(size)])
    assert ruling(a, T6, dice=[1, 3]).outcome == outcome


def test_possible_coherency_in_one_group() -> None:
    """Two pairs far apart are each in coherency, but no unit, unless the choice lets them."""
    a = unit([(0, 0), (0, 1.5), (0, 30), (0, 31.5)])
    assert ruling(a, T6, dice=[2, 3]).rule == "wh40k.possible.coherency"
    assert ruling(a, T6, dice=[2, 3], rules={"single_group": False}).outcome == "success"


def test_move_order_and_override() -> None:
    """Who ends in contact moves first, the nearest before the others; the three conditions come before contact."""
    found = ruling(unit([(0, 0), (2, 0)]), T8, total=6)
    assert [step.model for step in found.steps if step.kind == "move"] == [1, 0]
    held = ruling(
        unit([(0, 0), (0, 2.9), (0, 5.8)]), {**T6, "U": unit([(6, 8.8)])}, targets=("T", "U")
    )
    assert {"move.order", "move.override"} <= told(held)


@pytest.mark.parametrize(("spare", "engaged"), [("stay", 1), ("engage", 2)])
def test_move_most_engaged(spare: str, engaged: int) -> None:
    """Models that owe no contact stay as near as they may, or come to fight where the choice asks it."""
    a = unit([(2, 0), (0, 0)])
    found = ruling(a, T8, total=6, rules={"spare_models": spare})
    assert found.metrics["models_engaged"] == engaged
    assert ("move.most-engaged" in told(found)) is (spare == "engage")


def test_move_shortest() -> None:
    """Of equal plans the one with least movement is shown."""
    found = ruling(ONE, T6, total=12)
    assert found.metrics["total_move"] == pytest.approx(5.0)
    assert "move.shortest" in told(found)


CAUGHT = unit([(-6, 0), (-3.5, 0)])
CAGE = (
    *(
        piece("impassable", -8, -2, -6.51, 2, name="N"),
        piece("impassable", -5.5, -2, -4, 2, name="S"),
    ),
    *(
        piece("impassable", -7, 0.5, -5, 2, name="E"),
        piece("impassable", -7, -2, -5, -0.5, name="W"),
    ),
)
"""Two models, the first of which stands in a cage with hardly any room."""


@pytest.mark.parametrize(
    ("rules", "outcome"),
    [({}, "failed"), ({"closer_scope": "all"}, "failed"), ({"closer_scope": "moved"}, "success")],
)
def test_move_closer(rules: dict[str, Any], outcome: str) -> None:
    """A model that cannot end closer fails the charge, as all must; it may stay where it is if only those that move
    must.
    """
    found = ruling(CAUGHT, {"T": unit([(-1.2, 0)])}, total=5, terrain=CAGE, rules=rules)
    assert found.outcome == outcome
    assert found.rule == (None if outcome == "success" else "wh40k.move.closer")


@pytest.mark.parametrize(("back", "rule"), [(0.0, None), (0.005, "wh40k.move.closer")])
def test_move_closer_judged(back: float, rule: str | None) -> None:
    """A model that could stay, and is claimed a little further away, has moved and not ended closer."""
    judged = verdict(
        [(-6 - back, 0), (-3.1, 0)],
        CAUGHT,
        {"T": unit([(-1.2, 0)])},
        total=5,
        terrain=CAGE,
        rules={"closer_scope": "moved"},
    )
    assert judged.rule == rule


def test_move_end_clear() -> None:
    """No model ends on another: a claimed end on a friend is refused by that name."""
    judged = verdict([(4.5, 0)], ONE, {**T6, "F": unit([(4.2, 0.3)], side="blue")}, total=6)
    assert (judged.outcome, judged.rule) == ("not_allowed", "wh40k.move.end-clear")


@pytest.mark.parametrize(
    ("keywords", "pivot", "length"),
    [(["cavalry"], None, 0.0), (["monster"], None, 2.0), (["cavalry"], 1.0, 1.0)],
)
def test_move_pivot(keywords: list[str], pivot: float | None, length: float) -> None:
    """The first turn of a base that is not round costs its pivot value, 2 for a monster."""
    more: dict[str, Any] = {} if pivot is None else {"pivot": pivot}
    a = unit([(0, 0)], base="75x42mm oval", keywords=keywords, facing_deg=90, **more)
    claimed = {"at": [[24.0, 20.0]], "facing_deg": 0}
    tables = table(a, {"T": unit([(6.9, 0)])}, total=5, proposal=claimed)
    case = case_from_tables(tables)
    judged = judge(case, resolve(case))
    assert (judged.rule == "wh40k.roll.limit") is (4.0 + length > 5.0)


# --- Overwatch --------------------------------------------------------------------------------------------------------


def test_overwatch_before_and_retest() -> None:
    """Losses before the move are taken off, and the rest must still be able to charge."""
    a = unit([(0, 0), (-3, 0)])
    lost = ruling(a, T6, total=5, overwatch={"before": [0]})
    assert {"overwatch.before", "overwatch.retest"} <= told(lost)
    assert "overwatch_before" in [step.kind for step in lost.steps]


def test_overwatch_after() -> None:
    """Losses after the move change nothing but the table."""
    a = unit([(0, 0), (-2, 0)])
    found = resolution(a, T6, total=6, overwatch={"after": [0]})
    assert found.rulings[0].outcome == "success"
    assert [model.number for model in found.after.units["A"].models] == [1]
    assert "overwatch.after" in told(found.rulings[0])
    nobody = resolution(ONE, T6, total=6, overwatch={"after": [0]})
    assert "A" not in nobody.after.units


# --- ways -------------------------------------------------------------------------------------------------------------


def test_path_enemies_and_friends() -> None:
    """A way leads round enemy models, and through friends."""
    direct = ruling(ONE, T8, total=7).metrics["total_move"]
    friend = ruling(ONE, {**T8, "F": unit([(4, 0)], side="blue")}, total=8)
    assert friend.metrics["total_move"] == pytest.approx(direct)
    assert "path.friends" in told(friend)
    second = unit([(8, 0), (4, 0)])
    enemy = ruling(ONE, {"T": second}, total=12, rules={"spare_models": "stay"})
    assert "path.enemies" in told(enemy)


def test_path_vehicles() -> None:
    """A monster does not pass a friendly vehicle of another unit; on foot one does."""
    vehicle = unit([(4, 0)], side="blue", base="50.8mm round", keywords=["vehicle"])
    monster = unit([(0, 0)], keywords=["monster"])
    foot = ONE
    straight = ruling(foot, {**T8, "V": vehicle}, total=8)
    round_it = ruling(monster, {**T8, "V": vehicle}, total=9)
    assert straight.metrics["total_move"] == pytest.approx(7.0)
    assert round_it.metrics["total_move"] > 7.0 + 0.1
    assert "path.vehicles" in told(round_it)


def test_path_board() -> None:
    """The whole base stays on the board."""
    judged = verdict([(-19.8, 0)], unit([(-15, 0)]), {"T": unit([(-18, 0)])}, total=7)
    assert (judged.outcome, judged.rule) == ("not_allowed", "wh40k.path.board")


# --- terrain ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("height", "length"), [(2.0, 5.0), (2.0 + 1e-7, 5.0), (2.0 + 1e-5, None)])
def test_terrain_low_and_climb(height: float, length: float | None) -> None:
    """Two inches high is no hindrance; anything taller is climbed, up and down."""
    hurdle = (piece("block", 2.9, -20, 3.1, 20, height=height),)
    found = ruling(ONE, T6, total=12, terrain=hurdle)
    assert found.metrics["total_move"] == pytest.approx(
        5.0 + (2 * height if length is None else 0.0), abs=1e-4
    )
    assert (
        {"terrain.climb", "terrain.through", "terrain.mid-climb"} <= told(found)
        if length is None
        else "terrain.low" in told(found)
    )


def test_terrain_mid_climb() -> None:
    """Where only an end part-way up would be near enough the charge fails by that name."""
    block = (piece("block", 0.5, -20, 8, 20, height=9),)
    on_top = {"T": unit([(1.6, 0, 9)])}
    found = ruling(ONE, on_top, total=5, terrain=block)
    assert (found.outcome, found.rule) == ("failed", "wh40k.terrain.mid-climb")


def test_terrain_support() -> None:
    """On a block's top the base stands wholly on it, or with its centre where the choice says so."""
    block = (piece("block", 4, -2, 8, 2, height=3),)
    judged = verdict([(4.1, 0, 3)], ONE, {"T": unit([(5.3, 0, 3)])}, total=12, terrain=block)
    assert judged.rule == "wh40k.terrain.support"
    assert "terrain.support" in told(ruling(ONE, {"T": unit([(5, 0, 3)])}, total=8, terrain=block))


CRATE = (piece("block", 4, -2, 8, 2, height=1.5),)
ON_CRATE = {"T": unit([(6, 0, 1.5)])}


@pytest.mark.parametrize(
    ("start", "total", "length"), [((0.0, 0.0), 5, 5.0), ((0.0, 3.0), 6, math.hypot(6, 3) - 1.0)]
)
def test_terrain_support_on_a_low_block(
    start: tuple[float, float], total: int, length: float
) -> None:
    """On a block up to 2 in high one may stand, with the whole base; going up costs nothing, and contact is made up
    there.
    """
    found = resolution(unit([start]), ON_CRATE, total=total, terrain=CRATE)
    (one,) = found.rulings
    (model,) = found.after.units["A"].models
    assert (one.metrics["models_in_base_contact"], model.z) == (1, 1.5)
    assert one.metrics["total_move"] == pytest.approx(length, abs=1e-6)
    assert {"terrain.support", "terrain.low"} <= told(one)
    assert "terrain.climb" not in told(one)
    (step,) = (step for step in one.steps if step.kind == "move")
    assert [spot[2] for spot in step.path] == [0.0, 0.0, 1.5]


def test_terrain_support_judged_on_a_low_block() -> None:
    """Up there and on the ground beneath both are places to end; a base over the edge is held by nothing."""
    for spot, rule in (
        ((5, 0, 1.5), None),
        ((5, 0, 0), "wh40k.move.contact"),
        ((4.3, 0, 1.5), "wh40k.terrain.support"),
    ):
        assert verdict([spot], ONE, ON_CRATE, total=8, terrain=CRATE).rule == rule
    assert (
        verdict(
            [(4.3, 0, 1.5)], ONE, ON_CRATE, total=8, terrain=CRATE, rules={"support": "centre"}
        ).rule
        == "wh40k.move.contact"
    )


def test_terrain_support_on_the_way_down_from_a_low_block() -> None:
    """Stepping down costs nothing, an enemy who stands on a low block is no less in the way, and flyers go straight
    through the air.
    """
    a = unit([(5, 0, 1.5)])
    down = resolution(a, {"T": unit([(10, 0)])}, total=4, terrain=CRATE).rulings[0]
    assert (down.outcome, down.metrics["total_move"]) == ("success", pytest.approx(4.0, abs=1e-6))
    assert "terrain.climb" not in told(down)
    beyond = {"T": unit([(9.7, 0)]), "N": unit([(6.5, 0, 1.5)])}
    passed = ruling(
        unit([(3, 0)]), beyond, total=12, terrain=CRATE, rules={"engagement_path": "end"}
    )
    assert passed.metrics["total_move"] > 5.8
    flyer = ruling(
        unit([(5, 0, 1.5)], keywords=["fly"]), {"T": unit([(10, 0)])}, total=5, terrain=CRATE
    )
    assert "fly.air" in told(flyer)


def test_terrain_floors_say_who_may_end_there() -> None:
    """Cavalry on an upper floor that would hold it breaks the rule on floors, not that on what holds a model."""
    floor = (piece("floor", 3, -2, 9, 2, height=3),)
    foe = {"T": unit([(6, 0, 3)])}
    for keywords, rule in ((["cavalry"], "wh40k.terrain.floors"), (["infantry"], None)):
        assert (
            verdict(
                [(5, 0, 3)], unit([(0, 0)], keywords=keywords), foe, total=12, terrain=floor
            ).rule
            == rule
        )
    assert verdict([(1, 0, 3)], ONE, foe, total=12, terrain=floor).rule == "wh40k.terrain.support"


@pytest.mark.parametrize(
    ("keywords", "length"), [(["infantry"], 5.0), (["beasts"], 5.0), (["mounted"], 15.0)]
)
def test_terrain_walls(keywords: list[str], length: float) -> None:
    """Infantry and beasts go through a ruin's wall, others over it."""
    wall = (piece("wall", 2.9, -20, 3.1, 20, height=5),)
    found = ruling(unit([(0, 0)], keywords=keywords, charge_bonus=6), T6, total=10, terrain=wall)
    assert found.metrics["total_move"] == pytest.approx(length, abs=1e-4)
    assert ("terrain.walls" in told(found)) is (length == 5.0)


@pytest.mark.parametrize(
    ("keywords", "outcome"),
    [
        (["infantry"], "success"),
        (["beasts"], "success"),
        (["mounted"], "failed"),
        (["mounted", "fly"], "success"),
    ],
)
def test_terrain_floors(keywords: list[str], outcome: str) -> None:
    """On an upper floor only infantry, beasts and flyers end, wholly on it."""
    floor = (piece("floor", 2, -3, 8, 3, height=6),)
    found = ruling(
        unit([(0, 0)], keywords=keywords), {"T": unit([(5, 0, 6)])}, total=12, terrain=floor
    )
    assert found.outcome == outcome
    assert ("terrain.floors" in told(found)) is (outcome == "success")


def test_terrain_barricade() -> None:
    """Across a barricade two inches are enough; nobody ends on it."""
    rail = (piece("barricade", 3, -2, 3.6, 2, height=1),)
    others = {"T": unit([(4.6, 0)])}
    found = ruling(ONE, others, dice=[1, 1], terrain=rail)
    assert (found.outcome, found.metrics["needed_distance"]) == (
        "success",
        pytest.approx(1.6, abs=1e-3),
    )
    assert "terrain.barricade" in told(found)
    judged = verdict([(3.3, 0.9)], ONE, others, total=6, terrain=rail)
    assert judged.rule == "wh40k.terrain.barricade"


# --- flying -----------------------------------------------------------------------------------------------------------


def test_fly_over_models() -> None:
    """A flyer passes over enemies; on foot the way leads round them."""
    row = {"T": unit([(8, 0), (4, 0), (4, 1), (4, -1)])}
    flyer = unit([(0, 0)], keywords=["fly"])
    found = ruling(flyer, {**T8, "N": unit([(4, 0)])}, total=8)
    assert (found.outcome, found.metrics["total_move"]) == ("success", pytest.approx(7.0))
    assert "fly.over" in told(found)
    assert ruling(ONE, {**T8, "N": unit([(4, 0)])}, total=8).outcome == "success"
    assert ruling(ONE, row, total=4).outcome == "success"


def test_fly_through_the_air() -> None:
    """From or to terrain a flyer goes straight: 5 along and 3 up are the hypotenuse."""
    block = (piece("block", 3, -2, 9, 2, height=3),)
    flyer = unit([(0, 0)], keywords=["fly"])
    found = ruling(flyer, {"T": unit([(6, 0, 3)])}, total=8, terrain=block)
    assert found.metrics["models_in_base_contact"] == 1
    assert found.metrics["total_move"] == pytest.approx(_taut(), abs=1e-4)
    assert "fly.air" in told(found)


def _taut() -> float:
    """Return the length of the taut line to (5, 0, 3) over the block, which the base meets from x = 2.5 on."""
    return math.hypot(2.5, 3.0) + 2.5


def test_fly_path_of_choice() -> None:
    """Up over the edge of a block a line through the air bends, by choice it goes straight."""
    block = (piece("block", 3, -2, 9, 2, height=4),)
    for path, total in (("taut", math.hypot(2.5, 4) + 2.5), ("straight", math.hypot(5, 4))):
        found = ruling(
            unit([(0, 0)], keywords=["fly"]),
            {"T": unit([(6, 0, 4)])},
            total=8,
            terrain=block,
            rules={"fly_path": path},
        )
        assert found.metrics["total_move"] == pytest.approx(total, abs=1e-4)
        (text,) = (finding.text for finding in found.findings if finding.rule == "wh40k.fly.air")
        assert ("straight" in text) == (path == "straight")


LOW_BLOCK = piece("block", -2, -2, 2, 2, height=2)


@pytest.mark.parametrize("path", ["taut", "straight"])
@pytest.mark.parametrize(
    ("air", "needed", "least"), [("instead", 7, math.hypot(6, 2)), ("shorter", 6, 6.0)]
)
def test_fly_air_of_choice(path: str, air: str, needed: int, least: float) -> None:
    """From a block two inches high a flyer is measured through the air, though stepping down would cost nothing."""
    a = unit([(0, 0, 2)], keywords=["infantry", "fly"])
    rules = {"fly_path": path, "fly_air": air}
    found = ruling(a, T8, total=needed, terrain=(LOW_BLOCK,), rules=rules)
    assert (found.outcome, found.metrics["needed"]) == ("success", needed)
    assert (
        found.metrics["needed_distance"]
        == found.metrics["total_move"]
        == pytest.approx(least, abs=1e-6)
    )
    text = next(str(finding.text) for finding in found.findings if finding.rule == "wh40k.fly.air")
    assert ("shorter" in text) == ("terrain.low" in told(found)) == (air == "shorter")
    assert ruling(a, T8, total=needed - 1, terrain=(LOW_BLOCK,), rules=rules).outcome == "failed"


@pytest.mark.parametrize("kind", ["block", "impassable"])
def test_fly_air_round_what_stands_in_between(kind: str) -> None:
    """Round a tower a flyer goes down at a slope: the way on foot and the height are the sides of a right angle."""
    tower = piece(kind, 3, -9, 3.5, 0.6, height=9, name="Tower")
    on_foot = ruling(unit([(0, 0)], keywords=["cavalry"]), T8, total=12, terrain=(tower,)).metrics[
        "total_move"
    ]
    flown = ruling(unit([(0, 0, 2)], keywords=["fly"]), T8, total=12, terrain=(LOW_BLOCK, tower))
    assert flown.metrics["total_move"] == pytest.approx(math.hypot(on_foot, 2), abs=1e-6)
    (step,) = (step for step in flown.steps if step.kind == "move")
    assert sum(math.dist(*leg) for leg in pairwise(step.path)) == pytest.approx(
        math.hypot(on_foot, 2), abs=1e-3
    )


def test_fly_air_up_to_a_low_block() -> None:
    """Contact on a block an inch and a half high is as far as the straight line up to it; judged, an end beyond is
    refused.
    """
    a = unit([(0, 0)], keywords=["fly"])
    reached = math.hypot(5, 1.5)
    assert ruling(a, ON_CRATE, total=6, terrain=CRATE).metrics["total_move"] == pytest.approx(
        reached, abs=1e-6
    )
    for air, rule in (("instead", "wh40k.roll.limit"), ("shorter", None)):
        assert (
            verdict([(5, 0, 1.5)], a, ON_CRATE, total=5, terrain=CRATE, rules={"fly_air": air}).rule
            == rule
        )


def test_fly_path_straight_stops_before_impassable_terrain() -> None:
    """Whatever lies below, nobody flies through what is impassable: the way leads over the block and round the
    tower.
    """
    block = piece("block", 3, -2, 9, 2, height=4)
    tower = piece("impassable", 1.5, -0.2, 1.7, 0.2)
    found = ruling(
        unit([(0, 0)], keywords=["fly"]),
        {"T": unit([(6, 0, 4)])},
        total=12,
        terrain=(block, tower),
        rules={"fly_path": "straight"},
    )
    assert found.metrics["total_move"] > math.hypot(5, 4) + 1.0


def test_fly_not_on_models() -> None:
    """Flying over models is not ending on them."""
    flyer = unit([(0, 0)], keywords=["fly"])
    judged = verdict([(5.5, 0)], flyer, T6, total=8)
    assert (judged.outcome, judged.rule) == ("not_allowed", "wh40k.fly.not-on-models")
    assert "fly.not-on-models" in told(ruling(flyer, T6, total=8))


# --- vertical ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("z", "vertical", "outcome"),
    [(5.0, "base", "success"), (5.5, "base", "failed"), (5.5, "body", "success")],
)
def test_engagement_up_and_down(z: float, vertical: str, outcome: str) -> None:
    """Five inches up are within engagement range, between bases or between bodies as the choice says."""
    tower = (piece("block", 2, -2, 8, 2, height=z),)
    a = unit([(0, 0)], height=2)
    found = ruling(
        a, {"T": unit([(2.6, 0, z)])}, total=3, terrain=tower, rules={"vertical": vertical}
    )
    assert found.outcome == outcome


def test_bonus_fights_first() -> None:
    """A unit that made a charge move fights first."""
    assert resolution(ONE, T6, total=5).after.units["A"].status == ("selected", "fights_first")


def test_more_roll_never_hurts() -> None:
    """What a total can do a greater one can, and contacts never get fewer."""
    a = unit([(0, 0), (0, 1.5), (-1.5, 0.5)])
    rulings = [ruling(a, {"T": unit([(6, 0), (6, 1.2)])}, total=total) for total in range(3, 13)]
    contacts = [one.metrics.get("models_in_base_contact", -1) for one in rulings]
    assert contacts == sorted(contacts)


def test_odds_of_a_charge() -> None:
    """Exact chances by total, with and without a re-roll."""
    once = chances(ONE, T6)
    twice = chances(ONE, T6, reroll="if_failed", dice=[1, 1, 1, 1])
    p = once.outcomes["success"]
    assert (p.numerator, p.denominator, once.shortest_roll) == (11, 12, 4)
    assert twice.outcomes["success"] == p + (1 - p) * p
    assert [total.total for total in once.by_total] == list(range(2, 13))


def test_ends_are_judged_right_in_any_order() -> None:
    """Moving the second model first is legal too, if it owes nothing."""
    judged = verdict([(7, 0), (4, 0)], unit([(2, 0), (0, 0)]), T8, total=6, order=[1, 0])
    assert (judged.outcome, judged.rule) == ("success", None)
    assert ends(unit([(2, 0), (0, 0)]), T8, total=6)[0] == pytest.approx((7, 0, 0), abs=1e-6)
    assert INCH.endswith("round")


@pytest.mark.parametrize("heading", [0.0, math.pi / 2])
@pytest.mark.parametrize(("x", "is_passed"), [(20.9, True), (21.1, False)])
def test_of_a_base_that_is_not_round_the_smaller_radius_counts(
    heading: float, x: float, *, is_passed: bool
) -> None:
    """A base of 4 in by 1 in that goes north passes what its narrow half comes over, whichever way it looks."""
    start, end = (Model(0, Pose(20.0, y, heading), OvalBase(4.0, 1.0)) for y in (20.0, 26.0))
    moved = Moved(start, end, MeasuredPath(((20.0, 20.0, 0.0), (20.0, 26.0, 0.0)), 6.0))
    assert moved.passes(disc((x, 23.0), 0.5)) is is_passed


def test_a_floor_as_high_as_a_block_holds_who_ends_on_it() -> None:
    """From a block onto a floor of its height a flyer ends on the floor, which alone must hold it."""
    terrain = (
        piece("block", -1, -1, 1, 1, height=3, name="Start"),
        piece("floor", 4, -3, 9, 3, height=3),
    )
    flyer = unit([(0, 0, 3)], keywords=["fly", "infantry"])
    found = ruling(flyer, {"T": unit([(6.5, 0, 3)])}, total=8, terrain=terrain)
    assert found.outcome == "success"
    assert "terrain.floors" in told(found)
    assert "terrain.support" not in told(found)

"""Combined charges: several units charge one target, roll together, and stand so that most complete and most models
fight.
"""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tabletop.fronts.packing import Packing, PackingItem, Weights, pack
from tabletop.geometry.pose import Pose
from tabletop.registry import scenarios
from tabletop.ruling.charge import Charge
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario import read_case
from tabletop.table.facing import facing_of
from tabletop.table.state import Regiment, State
from tabletop.testing.motions import mirrored, turned
from tests.oracles.combined_referee import referee_combined
from tests.oracles.groups import random_group
from tests.scenes import (
    box,
    case,
    charge,
    finding,
    has_finding,
    judge,
    metric,
    parts,
    regiment,
    resolve,
    table,
    target,
)
from tests.systems.said import numbers

EXACT = 1e-6


def blue(name: str, x: float, y: float, heading: float = 270.0, **rest: Any) -> Regiment:
    """Make a charger in millimetres."""
    return regiment(name, (x, y), **{"side": "blue", "heading": heading, **rest})


def three_by_25(name: str, x: float, y: float, heading: float) -> Regiment:
    """Make a charger of three files of 25 mm."""
    return blue(name, x, y, heading, files=3, base=(25, 25))


PAIR = table(target(), blue("A", 0, 150), blue("B", 110, 150))
"""Two of five files straight before five files: neither may have the middle."""

TRIO = table(
    target(), three_by_25("A", -120, 200, 300), blue("B", 50, 150), three_by_25("D", 220, 200, 240)
)
"""Three chargers of one front: the outer two hold on by a corner each."""

CROWD = table(
    target(1),
    three_by_25("A", -120, 200, 300),
    blue("B", 20, 150, files=2, base=(25, 25)),
    three_by_25("D", 160, 200, 240),
)
"""Three chargers of a front of 20 mm: whoever is between the others needs more than that."""

CORNER = table(target(5, models=20), blue("A", 50, 150), blue("B", 250, -40, 180))
"""Front and right flank: the model at the corner is met by both."""

OVERHANG = table(
    target(3, models=9), blue("A", 30, 200, files=6), blue("B", 250, -30, 180, files=6)
)
"""Front and right flank, both too long for their facing: only one may stand beyond the corner."""

FIVE = table(
    target(),
    three_by_25("A", -120, 200, 300),
    three_by_25("B", 50, 150, 270),
    three_by_25("C", 220, 200, 240),
    three_by_25("D", 300, -20, 180),
    three_by_25("E", -200, -20, 0),
)
"""Five chargers, three of them of the front."""

CORRIDOR = table(
    target(15, at=(100, 0)),
    blue("A", 101, 200, height=0),
    blue("B", 101, 300),
    box((-400, 40), (100, 400), name="left"),
    box((162, 600), (100, 400), name="right"),
)
"""B stands behind A between walls: it comes out only after A."""

LANE = table(
    target(),
    blue("A", 150, 250, 225, files=2, charge_speed=0),
    blue("B", 50, 260),
    box((-400, -5), (60, 200), name="left"),
    box((105, 600), (60, 120), name="right"),
)
"""A falls short, and its failed move would end in B's lane."""

BESIDE = table(
    target(10),
    blue("A", 20, 150),
    blue("C", 100, 170, files=3, charge_speed=0),
    blue("B", 200, 150),
)
"""C falls short between the two others."""

SHORT = (1,)


def charges(state: State, **dice: tuple[int, ...]) -> tuple[Charge, ...]:
    """Make every blue unit charge T with a six, or with the faces given for it."""
    return tuple(
        charge(name, dice=dice.get(name, (6,)))
        for name, unit in state.units.items()
        if unit.side == "blue"
    )


def combined(
    state: State, *, dice: dict[str, tuple[int, ...]] | None = None, **choices: Any
) -> Resolution:
    """Resolve the charge of all blue units."""
    return resolve(case(state, *charges(state, **(dice or {})), **choices))


def outcomes(resolution: Resolution) -> dict[str, str]:
    """Return, in the order of the moves, the result of each charger: its outcome or the rule that decided."""
    return {ruling.charge.charger: ruling.rule or ruling.outcome for ruling in resolution.turns}


def totals(resolution: Resolution) -> tuple[int, int]:
    """Return the totals, which every completed ruling repeats."""
    keys = ("total_target_models_in_contact", "total_charger_models_in_contact")
    found = {
        tuple(metric(ruling, key) for key in keys)
        for ruling in resolution.rulings
        if ruling.outcome == "success"
    }
    assert len(found) == 1
    return found.pop()


def slides(resolution: Resolution) -> dict[str, float]:
    """Return u0 in millimetres of every charger that completed."""
    units = resolution.after.units
    done = [ruling for ruling in resolution.rulings if ruling.outcome == "success"]
    return {name: _slide(units, ruling) for ruling in done for name in [ruling.charge.charger]}


def _slide(units: Any, ruling: Ruling) -> float:
    edge = facing_of(units["T"], metric(ruling, "target_facing"))
    return float(edge.coordinates(units[ruling.charge.charger].front_right)[0] * 25.4)


def test_combined_roll_first() -> None:
    """All ranges are rolled before anybody moves, in file order, by those too short as well."""
    state = table(*PAIR.units.values())
    resolution = resolve(case(state, charge("B", dice=None), charge("A", dice=None)), dice=(2, 5))
    assert [metric(ruling, "charge_range") for ruling in resolution.rulings] == [11, 14]
    assert all(finding(ruling, "t9a.combined.roll-first").ok for ruling in resolution.rulings)


def test_combined_needs_two_of_one_target() -> None:
    """A charger that has its target to itself makes no combined charge."""
    ruling = resolve(case(PAIR, charge("A"))).rulings[0]
    assert not any(
        has_finding(ruling, f"t9a.combined.{name}")
        for name in ("roll-first", "order", "aligned-only", "totals", "room")
    )
    assert "total_target_models_in_contact" not in ruling.metrics


def test_combined_order() -> None:
    """The one in front moves first, so that the one behind it comes out; all moves are told in the order in which they
    are made.
    """
    resolution = combined(CORRIDOR)
    assert list(outcomes(resolution).items()) == [("A", "success"), ("B", "success")]
    assert all(
        "A, B" in finding(ruling, "t9a.combined.order").text for ruling in resolution.rulings
    )
    assert finding(resolution.rulings[0], "t9a.combined.order").measured == 2


def test_combined_order_against_the_file() -> None:
    """A charger that comes first in the file moves last where its failed move would bar the way."""
    resolution = combined(LANE, dice={"A": SHORT})
    assert list(outcomes(resolution).items()) == [("B", "success"), ("A", "t9a.range")]
    assert resolution.order == (1, 0)
    assert [ruling.charge.charger for ruling in resolution.rulings] == ["A", "B"]


def test_combined_aligned_only() -> None:
    """Who could end only unaligned stays out, though it might have charged alone; the others stand flush."""
    state = table(
        target(1, at=(20, 0), models=1, base=(40, 40)),
        blue("A", -7.697448, 223.600355, 297, files=8, base=(25, 25)),
        blue("B", 20, -200, 90),
        box((70, 270), (-60, 35), name="right"),
        box((-300, -100), (-60, 100), name="left"),
    )
    resolution = combined(state)
    assert outcomes(resolution) == {"B": "success", "A": "t9a.combined.room"}
    assert metric(resolution.rulings[1], "remaining_angle_deg") == 0
    assert finding(resolution.rulings[1], "t9a.combined.aligned-only").ok


def test_combined_totals() -> None:
    """Models of both sides are counted over all charges, those of the target once each; all that complete repeat the
    totals.
    """
    resolution = combined(TRIO)
    assert totals(resolution) == (5, 7)
    assert slides(resolution) == pytest.approx({"A": -75, "B": 0, "D": 100}, abs=EXACT)
    assert [metric(ruling, "charger_models_in_contact") for ruling in resolution.rulings] == [
        1,
        5,
        1,
    ]
    assert all(
        finding(ruling, "t9a.combined.totals").measured == 5 for ruling in resolution.rulings
    )


def test_combined_leaves_out_what_is_asked_of_one() -> None:
    """Leeway and choices belong to a charger alone."""
    assert all(
        "leeway" not in ruling.metrics and ruling.choices is None
        for ruling in combined(TRIO).rulings
    )


def test_combined_room() -> None:
    """Who has range and no room beside the others fails and makes its failed move last."""
    resolution = combined(CROWD)
    assert sorted(outcomes(resolution).values()) == ["success", "success", "t9a.combined.room"]
    last = resolution.turns[-1]
    assert last.rule == "t9a.combined.room"
    assert not finding(last, "t9a.combined.room").ok
    assert 0 < metric(last, "moved") <= 4
    assert resolution.after.units[last.charge.charger].status == ("failed_charge",)


def test_combined_seam() -> None:
    """Both give way, so that a seam between them serves the totals; together they leave no target model free."""
    resolution = combined(PAIR)
    assert totals(resolution) == (5, 7)
    right = slides(resolution)["A"]
    left = slides(resolution)["B"]
    assert left == pytest.approx(right + 100, abs=EXACT)


def test_combined_no_charger_claims_to_serve_as_much_as_it_could_alone() -> None:
    """At the seam A has four models of T; with nobody beside it five: no place of it has more would not be true of the
    four.
    """
    both = read_case("t9a/seam-between-two")
    together = resolve(both).rulings[0]
    alone = resolve(replace(both, charges=both.charges[:1])).rulings[0]
    told = [finding(ruling, "t9a.align.target-models") for ruling in (together, alone)]
    assert [one.measured for one in told] == [4, 5]
    assert ["legal" in one.text for one in told] == [False, True]


def test_combined_corner_model_counts_once() -> None:
    """The model at the corner between front and flank is met by both chargers and counted once."""
    resolution = combined(CORNER)
    own = [metric(ruling, "target_models_in_contact") for ruling in resolution.rulings]
    assert own == [5, 4]
    assert totals(resolution)[0] == sum(own) - 1


def test_combined_one_stands_beyond_the_corner() -> None:
    """At a corner between two charged facings one charger may stand beyond it, not both."""
    resolution = combined(OVERHANG)
    units = resolution.after.units
    assert outcomes(resolution) == {"A": "success", "B": "success"}
    front = facing_of(units["T"], "front")
    right = facing_of(units["T"], "right")
    is_a_beyond = front.coordinates(units["A"].front_left)[0] > front.length + EXACT
    is_b_beyond = right.coordinates(units["B"].front_right)[0] < -EXACT
    assert is_a_beyond is not is_b_beyond
    assert units["A"].boundary.core.intersection(units["B"].boundary.core).area == pytest.approx(
        0.0, abs=EXACT
    )


def test_combined_five() -> None:
    """Five chargers find places on three facings."""
    resolution = combined(FIVE)
    assert list(outcomes(resolution).values()) == ["success"] * 5
    assert totals(resolution) == (7, 10)
    assert {metric(ruling, "target_facing") for ruling in resolution.rulings} == {
        "front",
        "right",
        "left",
    }


def test_combined_short_in_between() -> None:
    """Whoever falls short makes its failed move at its turn, here between the two that complete."""
    resolution = combined(BESIDE, dice={"C": SHORT})
    assert outcomes(resolution) == {"A": "success", "C": "t9a.range", "B": "success"}
    assert totals(resolution) == (10, 10)
    assert [step.kind for step in parts(resolution.rulings[1])] == ["forward"]


def test_combined_failed_move_clears_the_way() -> None:
    """Its failed move takes a small unit out of the lane before the other comes."""
    state = table(
        target(30, at=(-200, 0)),
        blue("A", 50, 185, 215, files=1, models=1, height=0, charge_speed=0),
        blue("B", 50, 260),
        box((-400, -1), (200, 420), name="left"),
        box((101, 600), (200, 420), name="right"),
    )
    assert list(outcomes(combined(state, dice={"A": SHORT})).items()) == [
        ("A", "t9a.range"),
        ("B", "success"),
    ]


@pytest.mark.parametrize("face", [6, 1])
def test_combined_who_would_have_no_room_has_no_chance_whatever_is_rolled(face: int) -> None:
    """D needs a six; beside A and B, who surely reach, it would have no room, so that its chance is 0 if it falls
    short, too.
    """
    slow = blue("D", 160, 200, 240, files=3, base=(25, 25), charge_speed=0)
    ruling = combined(CROWD.with_unit(slow), dice={"D": (face,)}).rulings[2]
    assert ruling.rule == ("t9a.range" if face < 6 else "t9a.combined.room")
    assert ruling.shortest_roll is None
    assert ruling.chance_success == 0
    assert metric(ruling, "success_chance_fraction") == "0"
    assert metric(ruling, "range_chance_fraction") == "1/6"


def test_combined_all_fall_short() -> None:
    """If no range is enough nobody completes, and all make failed moves in file order."""
    state = table(target(), blue("A", 0, 200, charge_speed=0), blue("B", 110, 200, charge_speed=0))
    resolution = combined(state, dice={"A": SHORT, "B": SHORT})
    assert outcomes(resolution) == {"A": "t9a.range", "B": "t9a.range"}
    assert resolution.order == (0, 1)


def test_combined_keeps_out_of_a_friend_at_the_corner() -> None:
    """Nobody passes through a friend to touch the very corner of the target beside it."""
    resolution = resolve(random_group(31))
    assert referee_combined(random_group(31)).complaints == ()
    assert [ruling.outcome for ruling in resolution.rulings] == ["success", "success"]


def test_combined_all_complete_where_some_must_go_to_an_end() -> None:
    """More is promised on paper than orders allow, but there is room for all three, with fewer models in contact."""
    resolution = resolve(random_group(1188))
    assert list(outcomes(resolution).values()) == ["success"] * 3
    assert totals(resolution) == (6, 9)


def test_combined_friends_need_room() -> None:
    """Where friends may not touch, they stand a clearance apart."""
    touching = combined(PAIR)
    apart = combined(PAIR, friend_touch=False)
    assert slides(touching)["B"] - slides(touching)["A"] == pytest.approx(100, abs=EXACT)
    assert slides(apart)["B"] - slides(apart)["A"] >= 100 + 25.4 * 0.001 - EXACT
    assert totals(apart)[0] == 5


def test_combined_lookahead() -> None:
    """One by one each takes its own best place and may leave the next none; together both complete."""
    assert list(outcomes(combined(PAIR)).values()) == ["success", "success"]
    one_by_one = combined(PAIR, combined_lookahead="one-by-one")
    assert outcomes(one_by_one) == {"A": "success", "B": "t9a.combined.room"}
    assert slides(one_by_one) == pytest.approx({"A": 0}, abs=EXACT)


def test_combined_goal() -> None:
    """One target model more outweighs any number of chargers' models, or counts as much as each of them."""
    meets = np.array([[True, True, False], [True, False, False]])
    rival = PackingItem(
        "A", 0, 1.0, np.array([0.0, 1.0]), meets, np.array([1.0, 4.0]), np.zeros((2, 3))
    )
    found = {
        is_sum: pack([rival], [5.0], weights=Weights(is_sum=is_sum)) for is_sum in (False, True)
    }
    assert {key: packing.totals for key, packing in found.items() if packing} == {
        False: (2, 1),
        True: (1, 4),
    }


def test_combined_goal_by_the_choice() -> None:
    """The named choice reaches the totals: by their sum they are never less than by target models first, and the other
    way round.
    """
    state = random_group(30).state
    first, added = (totals(combined(state, combined_goal=goal)) for goal in ("target-first", "sum"))
    assert first[0] >= added[0]
    assert sum(added) >= sum(first)


def criteria(resolution: Resolution) -> dict[str, float]:
    """Return for every kind of tie how well the places serve it: sums over the completed units, greater is better."""
    before = resolution.before.units
    after = resolution.after.units
    return {
        "longest-contact": sum(metric(ruling, "contact_length") for ruling in resolution.rulings),
        "centre": -sum(metric(ruling, "offset") ** 2 for ruling in resolution.rulings),
        "least-slide": -sum(
            math.dist(before[name].pose.at, after[name].pose.at) ** 2 for name in "AB"
        ),
    }


def test_combined_tie() -> None:
    """Among equal totals the tie is the sum over all units of the criterion chosen."""
    state = table(target(10), blue("A", -70, 150, files=2), blue("B", 150, 170, files=2))
    found = {tie: combined(state, tie=tie) for tie in ("longest-contact", "centre", "least-slide")}
    assert len({totals(resolution) for resolution in found.values()}) == 1
    for tie, resolution in found.items():
        assert all(
            criteria(resolution)[tie] >= criteria(other)[tie] - EXACT for other in found.values()
        )
    assert slides(found["centre"]) != pytest.approx(slides(found["least-slide"]), abs=EXACT)


@pytest.mark.parametrize(
    ("choice", "rule"), [("earlier-gone", "success"), ("as-they-stand", "t9a.declare.room")]
)
def test_combined_declare_room(choice: str, rule: str) -> None:
    """Friends that declared earlier are out of the way when room is judged, or stand where they are."""
    assert outcomes(combined(CORRIDOR, declare_room=choice))["B"] == rule


def test_combined_with_other_targets() -> None:
    """Targets take their turns in the order in which the file first names them; rulings stay in file order."""
    state = table(*PAIR.units.values(), regiment("S", (450, 0)), blue("C", 450, 150))
    resolution = resolve(case(state, charge("A"), charge("C", "S"), charge("B")))
    assert [ruling.charge.charger for ruling in resolution.rulings] == ["A", "C", "B"]
    assert resolution.order == (0, 2, 1)
    assert "total_target_models_in_contact" not in resolution.rulings[1].metrics


def test_combined_flat_dice() -> None:
    """A flat list is dealt in file order, whatever the order of the moves."""
    asked = (charge("A", dice=None), charge("B", dice=None))
    resolution = resolve(case(LANE, *asked), dice=(1, 6))
    assert [ruling.rule or ruling.outcome for ruling in resolution.rulings] == [
        "t9a.range",
        "success",
    ]


@pytest.mark.parametrize(
    ("state", "dice"),
    [
        (PAIR, {}),
        (TRIO, {}),
        (CROWD, {}),
        (CORRIDOR, {}),
        (LANE, {"A": SHORT}),
        (BESIDE, {"C": SHORT}),
    ],
)
def test_combined_steps_chain(state: State, dice: dict[str, tuple[int, ...]]) -> None:
    """Each unit's steps lead from where it stood to where it ends, and only chargers move."""
    resolution = combined(state, dice=dice)
    assert resolution.before == state
    for ruling in resolution.rulings:
        name = ruling.charge.charger
        poses = [
            state.units[name].pose,
            *(pose for step in parts(ruling) for pose in (step.start, step.end)),
        ]
        assert all(step.unit == name for step in ruling.steps)
        pairs = zip([*poses[1::2], resolution.after.units[name].pose], poses[::2], strict=True)
        assert all(
            math.dist(after.at, before.at) <= EXACT and abs(after.heading - before.heading) <= EXACT
            for after, before in pairs
        )
    assert resolution.after.units["T"].pose == state.units["T"].pose


@pytest.mark.parametrize(
    ("state", "dice"),
    [
        (PAIR, {}),
        (TRIO, {}),
        (CROWD, {}),
        (CORNER, {}),
        (OVERHANG, {}),
        (CORRIDOR, {}),
        (LANE, {"A": SHORT}),
        (BESIDE, {"C": SHORT}),
    ],
)
def test_combined_holds_against_brute_force(state: State, dice: dict[str, tuple[int, ...]]) -> None:
    """The named scenes hold against every order and slides tried one by one."""
    assert referee_combined(case(state, *charges(state, **dice))).complaints == ()


@pytest.mark.parametrize("name", [name for name, _ in scenarios("t9a")])
def test_combined_scenarios_hold_against_brute_force(name: str) -> None:
    """Bundled scenarios of several chargers of one target hold as well."""
    asked = read_case(name)
    if len(asked.charges) > 1 and len({one.targets for one in asked.charges}) == 1:
        assert referee_combined(asked).complaints == ()


def proposed(
    state: State, dice: dict[str, tuple[int, ...]] | None = None, **moved: float | None
) -> tuple[str, str | None]:
    """Judge where everybody ends, some moved along T's front by millimetres, or left where they stood (None)."""
    right = combined(state, dice=dice)
    along = facing_of(state.units["T"], "front").along
    poses = {
        name: right.after.units[name].pose
        for name, unit in state.units.items()
        if unit.side == "blue"
    }
    for name, shift in moved.items():
        start = poses[name]
        by = (shift or 0.0) / 25.4
        poses[name] = (
            state.units[name].pose
            if shift is None
            else Pose(start.x + by * along[0], start.y + by * along[1], start.heading)
        )
    judgement = judge(case(state, *charges(state, **(dice or {})), proposal=poses))
    return judgement.outcome, judgement.rule


def test_combined_judged_right() -> None:
    """Where the rules put everybody is right, and so is a place that is as good."""
    assert proposed(PAIR) == ("success", None)
    assert proposed(BESIDE, {"C": SHORT}) == ("success", None)
    assert proposed(CROWD) == ("success", None)


def test_combined_judged_one_short() -> None:
    """A seam that leaves a charger's model out misses the totals, though every unit stands legally."""
    assert proposed(PAIR, A=-8.0) == ("not_allowed", "t9a.combined.totals")
    judgement = judge(read_case("t9a/judged-seam"))
    missed = [item for item in judgement.findings if not item.ok]
    assert {(item.rule, item.measured, item.limit, item.margin) for item in missed} == {
        ("t9a.combined.totals", 6, 7, -1)
    }


def test_combined_judged_with_fewer_of_the_target() -> None:
    """A charger further out misses models of the target: what counts first is told."""
    assert proposed(PAIR, A=-60.0) == ("not_allowed", "t9a.combined.totals")
    assert proposed(BESIDE, {"C": SHORT}, B=60.0) == ("not_allowed", "t9a.combined.totals")


def test_combined_judged_overlapping() -> None:
    """Chargers may not be pushed into each other."""
    assert proposed(PAIR, A=5.0)[1] == "t9a.space.friend"


@pytest.mark.parametrize(
    ("left", "right", "is_right"),
    [
        (0.95e-3, 0.0, True),
        (0.95e-3, -0.95e-3, True),
        (0.95e-3, -1.95e-3, False),
        (-0.95e-3, 0.95e-3, True),
    ],
)
def test_combined_places_are_forgiven_a_hand_once(
    left: float, right: float, *, is_right: bool
) -> None:
    """Two that must stand edge to edge may lie over each other by a hand each: then there is a legal place for each
    within a hand.
    """
    assert (proposed(PAIR, A=25.4 * left, B=25.4 * right)[0] == "success") is is_right


@pytest.mark.parametrize(
    ("shift", "away", "is_right"),
    [(0.95e-3, 0.0, True), (0.0, 0.95e-3, True), (0.95e-3, 0.6e-3, False)],
)
def test_combined_places_have_one_hand_for_all_limits(
    shift: float, away: float, *, is_right: bool
) -> None:
    """One that stands off the facing by most of a hand may not stand over its neighbour by most of one as well."""
    ends = {one: combined(PAIR).after.units[one].pose for one in "AB"}
    along = facing_of(PAIR.units["T"], "front").along
    x = ends["A"].x
    y = ends["A"].y
    claimed = Pose(x + shift * along[0], y + shift * along[1] + away, ends["A"].heading)
    judged = judge(case(PAIR, *charges(PAIR), proposal={**ends, "A": claimed}))
    assert judged.is_right is is_right, judged.findings
    if not is_right:
        assert "0.001" in numbers(next(one.text for one in judged.findings if not one.ok))


def test_combined_judged_unmoved() -> None:
    """A unit that has not moved does not stand flush."""
    assert proposed(PAIR, B=None) == ("not_allowed", "t9a.align.flush")


@pytest.mark.parametrize("name", ["A", "B"])
def test_combined_judged_by_who_is_at_fault(name: str) -> None:
    """One that does not lie flush lowers the totals of both: it is told of its own limit, first or second, and the
    other of nothing.
    """
    ends = {one: combined(PAIR).after.units[one].pose for one in "AB"}
    judged = judge(case(PAIR, *charges(PAIR), proposal={**ends, name: ends[name].advanced(-0.05)}))
    assert judged.rule == "t9a.align.flush"
    assert [found.rule for found in judged.findings if not found.ok][:1] == ["t9a.align.flush"]
    assert "t9a.combined.totals" not in [found.rule for found in judged.findings]


@pytest.mark.parametrize("shift", [None, 3.0])
def test_combined_judged_failing_unit(shift: float | None) -> None:
    """A unit that fell short must stand where its failed move ends."""
    assert proposed(BESIDE, {"C": SHORT}, C=shift) == ("not_allowed", "t9a.range")


def renamed(state: State) -> State:
    """Return every blue unit another name; their order stays."""
    units = {_new(unit): replace(unit, name=_new(unit)) for unit in state.units.values()}
    return replace(state, units=units)


def _new(unit: Regiment) -> str:
    return f"unit {unit.name}" if unit.side == "blue" else unit.name


SCENES = {"pair": PAIR, "trio": TRIO, "crowd": CROWD, "corner": CORNER, "corridor": CORRIDOR}


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("angle", [math.pi / 2, 0.3])
def test_combined_turned(name: str, angle: float) -> None:
    """Turning the table turns the answer."""
    here = combined(SCENES[name])
    there = combined(turned(SCENES[name], angle))
    assert outcomes(here) == outcomes(there)
    assert totals(here) == totals(there)
    assert slides(here) == pytest.approx(slides(there), abs=1e-7)


@pytest.mark.parametrize("name", SCENES)
def test_combined_mirrored(name: str) -> None:
    """Swapping left and right keeps outcomes and totals; which of equal orders and places is taken may be a matter of
    hand.
    """
    here = combined(SCENES[name])
    there = combined(mirrored(SCENES[name]))
    assert sorted(outcomes(here).values()) == sorted(outcomes(there).values())
    assert totals(here) == totals(there)


@pytest.mark.parametrize("name", SCENES)
def test_combined_renamed(name: str) -> None:
    """Names mean nothing."""
    here = combined(SCENES[name])
    there = combined(renamed(SCENES[name]))
    assert list(slides(here).values()) == list(slides(there).values())
    assert list(outcomes(here).values()) == list(outcomes(there).values())


def test_combined_packing_that_does_not_fit() -> None:
    """Two fronts whose only slides overlap have no places together."""
    meets = np.array([[True]])
    own = np.array([1.0])
    even = np.zeros((1, 3))
    both = [
        PackingItem(name, 0, 2.0, np.array([start]), meets, own, even)
        for name, start in (("A", 0.0), ("B", 1.0))
    ]
    found: Packing | None = pack(both, [4.0], weights=Weights())
    assert found is None

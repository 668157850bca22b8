"""What each model owes when its turn comes, whatever the order in which models are moved, and whether it can come to
its end.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from systems.wh40k.feasibility import problem_of
from systems.wh40k.scene import scene_of
from tabletop.api import judge, resolve
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.geometry.pose import Pose
from tabletop.messages import names_in
from tabletop.placement.candidates import Solver
from tabletop.placement.mandatory_contact import MandatoryContact
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.reading import case_from_tables, read_case
from tabletop.table.models import Formation
from tabletop.units import CONTACT, HAND
from tests.oracles.wh40k.plans import planned
from tests.systems.said import numbers
from tests.systems.wh40k.tables import SHIFT, Spots, case, piece, table, unit, verdict

THREE = unit([(0, 0), (0, 2.9), (0, 5.8)])
TWO_TARGETS = {"T": unit([(6, 0)]), "U": unit([(6, 8.8)])}
BOTH = ("T", "U")
IDLE = [(4.6, 1.42), (4.6, 4.4), (4.6, 7.38)]


def contact_text(*args: object, **more: object) -> str:
    """Return what a verdict says of base contact."""
    judged = verdict(*args, **more)  # type: ignore[arg-type]
    return next(finding.text for finding in judged.findings if finding.rule == "wh40k.move.contact")


@cache
def chain() -> tuple[Case, Resolution]:
    """Resolve the charge of three models whose links just bridge what is between two targets."""
    one = case(THREE, TWO_TARGETS, total=10, targets=BOTH)
    return one, resolve(one)


@cache
def column() -> tuple[Case, Resolution]:
    """Resolve the charge of five models that join two targets 14.2 apart."""
    five = unit([(0, 2.9 * number) for number in range(5)])
    targets = {"T": unit([(7, -1.1)]), "U": unit([(7, 13.1)])}
    one = case(five, targets, total=10, targets=BOTH)
    return one, resolve(one)


def judged_end(
    own: str,
    start: tuple[float, float],
    other: str,
    enemy: tuple[float, float],
    roll: int,
    end: tuple[float, float],
) -> Judgement:
    """Judge an end that is claimed for one model that charges another; places on the board."""
    units = {
        "A": {"side": "blue", "base": own, "at": [start]},
        "T": {"side": "red", "base": other, "at": [enemy]},
    }
    asked = {"charger": "A", "targets": ["T"], "dice": [max(1, roll - 6), min(6, roll - 1)]}
    tables = {
        "system": "wh40k",
        "board": {"width": 60, "depth": 44},
        "units": units,
        "charges": [asked],
        "proposal": {"units": {"A": {"at": [end]}}},
    }
    return judge(case_from_tables(tables))


@pytest.mark.parametrize("depth", [0.0, 2e-8, 9.14e-7, 1.2e-6, 5e-4])
def test_an_end_that_overlaps_the_enemy_by_less_than_a_hand_is_reached(depth: float) -> None:
    """wh40k.path.enemies: a place typed with a few decimals overlaps the enemy by a little; the way there is straight
    all the same.
    """
    radius = (40 + 50) / 2 / 25.4 - depth
    out = math.atan2(19.812 - 19.893, 21.0642 - 22.834)
    end = (22.834 + radius * math.cos(out), 19.893 + radius * math.sin(out))
    assert (
        judged_end("40mm round", (20.0, 19.0), "50mm round", (22.834, 19.893), 2, end).outcome
        == "success"
    )


def test_places_in_contact_are_right_to_any_number_of_decimals() -> None:
    """wh40k.path.enemies: the places that were refused, and contact places all round to 4 to 7 decimals."""
    assert (
        judged_end(
            "40mm round", (20, 19), "50mm round", (22.834, 19.893), 2, (21.0642, 19.812)
        ).outcome
        == "success"
    )
    assert (
        judged_end(
            "28.5mm round", (20.4, 24.5), "28.5mm round", (30, 24), 9, (29.326772, 24.897638)
        ).outcome
        == "success"
    )
    for digits, angle in product((4, 5, 6, 7), range(100, 260, 8)):
        end = (
            30 + 28.5 / 25.4 * math.cos(math.radians(angle)),
            24 + 28.5 / 25.4 * math.sin(math.radians(angle)),
        )
        if math.dist(end, (20.4, 24.5)) < 8.99:
            told = judged_end(
                "28.5mm round",
                (20.4, 24.5),
                "28.5mm round",
                (30, 24),
                9,
                (round(end[0], digits), round(end[1], digits)),
            )
            assert told.outcome == "success"


def test_what_is_said_of_a_model_that_need_not_touch_is_no_more_than_is_known() -> None:
    """wh40k.move.closer: of who moves last it is known that he would leave the unit; with another still to come there
    is no verdict.
    """
    story = read_case("wh40k/judged-in-six-moves")
    resolution = resolve(story)
    claimed = (story.claimed(resolution) or {})["A"]
    judged = judge(
        replace(story, proposal={"A": replace(claimed, order=(0, 1, 2, 3, 4, 5))}), resolution
    )
    assert judged.proof == "exact"
    told = next(step.text for step in judged.steps["A"] if step.model == 5)
    assert "coherency" in told
    with pytest.raises(NoVerdictError, match=r"wh40k\.move\.contact .*\bA: 6\b(?!,)"):
        judge(
            replace(story, proposal={"A": replace(claimed, order=(0, 1, 2, 3, 5, 4))}), resolution
        )


def formation(candidates: Sequence[tuple[float, float]], order: Sequence[int]) -> Formation:
    """Claim places relative to (20, 20)."""
    return Formation(
        tuple(Pose(SHIFT + x, SHIFT + y, 0.0) for x, y in candidates),
        (0.0,) * len(candidates),
        tuple(order),
    )


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_whoever_moves_first_owes_the_contact(order: tuple[int, ...]) -> None:
    """Links bridge just enough for one contact: the first to move must take it, wherever it stands in the chain."""
    one, resolved = chain()
    judged = judge(replace(one, proposal={"A": formation(IDLE, order)}), resolved)
    assert (judged.outcome, judged.rule) == ("not_allowed", "wh40k.move.contact")
    assert numbers(judged.findings[-1].text)[0] == str(order[0] + 1)


def test_who_moves_later_owes_no_second_contact() -> None:
    """Once one model of the chain is in contact no other can be, and that is known for sure."""
    one, resolved = chain()
    place = planned(one, resolved).place
    judged = judge(replace(one, proposal={"A": place}), resolved)
    assert judged.outcome == "success"
    (found,) = (finding for finding in judged.findings if finding.rule == "wh40k.move.contact")
    assert (found.ok, judged.proof != "best_found", numbers(found.text)) == (True, True, ["1", "3"])


def test_contact_that_others_make_way_for() -> None:
    """Three models reach the same bit of a foe with room for one: who moves before that one owes the contact, who moves
    after does not.
    """
    a = unit([(0, 1.05), (0, 0), (0, -1.05)])
    foe = {"T": unit([(5.9, 0)])}
    claimed: Spots = [(2.9, 1.2), (3.9, 0.3), (4.9155, -0.1753)]
    assert "model 2 " in contact_text(claimed, a, foe, total=5, order=[1, 2, 0])
    assert numbers(contact_text(claimed, a, foe, total=5, order=[2, 0, 1])) == ["1", "3"]


def test_contact_for_which_a_chain_changes_hands() -> None:
    """Of five models that join two targets whoever moves first is to be the one in contact, and the others change
    places.

    Where it is, no other could be as well: four links are too short by a tenth of an inch.
    """
    one, resolved = column()
    claimed = [(7, -0.1), (7, 2.8), (7, 5.7), (7, 8.6), (7, 11.3)]
    for order in ([1, 0, 2, 3, 4], [2, 0, 1, 3, 4]):
        judged = judge(replace(one, proposal={"A": formation(claimed, order)}), resolved)
        assert judged.rule == "wh40k.move.contact", [finding.text for finding in judged.findings]
    judged = judge(replace(one, proposal={"A": formation(claimed, [0, 1, 2, 3, 4])}), resolved)
    assert judged.is_right, judged.summary


def test_the_contact_that_is_owed_is_told_next_to_where_the_model_is_claimed() -> None:
    """Model 0 ends within an inch of T and touches nobody: it could be against T, and nobody would look for it seven
    inches off at U.
    """
    one = read_case("wh40k/one-contact-of-two")
    judged = judge(one, resolve(one))
    assert judged.broken is not None
    mark = judged.broken.mark
    assert mark is not None
    assert mark.models == {"A": (0,)}
    (place,) = (math.dist(shape.core.coords[0], (26.0, 20.0)) for shape in mark.places)
    assert place == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("sixteenth", range(16))
def test_contact_that_the_plan_resolved_shows_to_be_owed(sixteenth: int) -> None:
    """Six models of whom two can touch, all a hundredth of an inch off where they were resolved to end: a contact given
    up was owed.
    """
    one = read_case("systems/wh40k/scenarios/judged-in-six-moves.toml")
    resolved = resolve(one)
    right = resolved.rulings[0].attempt.move.formation
    way = math.tau * sixteenth / 16
    poses = tuple(
        replace(pose, x=pose.x + 0.01 * math.cos(way), y=pose.y + 0.01 * math.sin(way))
        for pose in right.poses
    )
    judged = judge(replace(one, proposal={"A": replace(right, poses=poses)}), resolved)
    assert judged.outcome == "not_allowed", judged.findings


@pytest.mark.parametrize(("apart", "proof"), [(7.2, "exact"), (6.6, "tolerance")])
def test_contact_of_bases_that_may_turn(apart: float, proof: str) -> None:
    """An oval that finds no way to touch is known to have none if it could not even by turning in any direction, or by
    boxes of places and facings.
    """
    one = case(
        unit([(0, 0)], base="75x42mm oval", keywords=["vehicle"], facing_deg=90),
        {"T": unit([(apart, 0)])},
        total=5,
    )
    scene = scene_of(one.state, "A", ["T"], choices=one.choices, book=one.book)
    (begun,) = scene.charger.models
    end = begun.at(replace(begun.pose, x=SHIFT + apart - 2.0))
    debt = MandatoryContact(Solver(problem_of(scene), 5.0), (end,)).contact(0, budget=Budget())
    assert (debt.end, debt.proof) == (None, proof)


def two_charges() -> tuple[Case, Resolution]:
    """Let A and then C, each of one model, charge T from both sides."""
    tables = table(unit([(0, 0)]), {"T": unit([(4, 0)]), "C": unit([(8, 0)], side="blue")}, total=9)
    tables["charges"].append({"charger": "C", "targets": ["T"], "dice": [3, 4]})
    both = case_from_tables(tables)
    return both, resolve(both)


@pytest.mark.parametrize(("off", "rule"), [(0.0, None), (0.01, "wh40k.overwatch.retest")])
def test_a_unit_that_does_not_move_is_to_stand_as_it_is_left(off: float, rule: str | None) -> None:
    """Where overwatch ended the charge, the survivors stand where they stood: of a claim with them elsewhere that is
    what is wrong.
    """
    judged = verdict(
        [(-3 + off, 0)],
        unit([(0, 0), (-3, 0)]),
        {"T": unit([(6, 0)])},
        total=5,
        overwatch={"before": [0]},
    )
    assert judged.rule == rule, judged.findings


def test_a_unit_whose_roll_is_too_short_is_to_stay() -> None:
    """Of a charge that fails only a claim that nobody moved is right."""
    claims = [verdict([(x, 0)], unit([(0, 0)]), {"T": unit([(9, 0)])}, total=3) for x in (0, 1)]
    assert [judged.outcome for judged in claims] == ["success", "not_allowed"]


@pytest.mark.parametrize(
    ("total", "name", "rule"),
    [
        (9, "T", "wh40k.stand"),
        (9, "N", "wh40k.stand"),
        (3, "T", "wh40k.possible.engage-all"),
        (3, "N", "wh40k.possible.engage-all"),
    ],
)
def test_stand(total: int, name: str, rule: str) -> None:
    """Whom no charge moves is to stand where it stood: wh40k.stand after a success, else by the rule of the charge that
    failed.
    """
    one = case(unit([(0, 0)]), {"T": unit([(8, 0)]), "N": unit([(0, 8)])}, total=total)
    resolved = resolve(one)
    place = one.state.units[name].place
    assert judge(replace(one, proposal={name: place}), resolved).outcome == "success"
    moved = replace(place, poses=(place.poses[0].advanced(0.01),))
    judged = judge(replace(one, proposal={name: moved}), resolved)
    assert (judged.rule, judged.better) == (rule, {name: place})


def test_stand_where_another_charge_fails() -> None:
    """A target that one charge reaches and another does not is to stand by the rule of the latter."""
    tables = table(
        unit([(0, 0)]),
        {"T": unit([(4, 0)]), "C": unit([(14, 0)], side="blue"), "N": unit([(0, 8)])},
        total=9,
    )
    tables["charges"].append({"charger": "C", "targets": ["T"], "dice": [1, 1]})
    both = case_from_tables(tables)
    resolved = resolve(both)
    assert [ruling.outcome for ruling in resolved.rulings] == ["success", "failed"]
    places = {name: unit_.place for name, unit_ in resolved.after.units.items()}
    moved = {
        name: replace(place, poses=(place.poses[0].advanced(0.01),))
        for name, place in places.items()
    }
    rules = {
        name: judge(replace(both, proposal={name: moved[name]}), resolved).rule for name in "TCN"
    }
    assert rules == {
        "T": "wh40k.possible.engage-all",
        "C": "wh40k.possible.engage-all",
        "N": "wh40k.stand",
    }


def test_a_claim_for_a_later_charge_alone() -> None:
    """A unit of which nothing is claimed moves as the rules demand; the claim for the next is judged on the table it
    leaves.
    """
    both, resolved = two_charges()
    judged = judge(
        replace(both, proposal={"C": resolved.rulings[1].attempt.move.formation}), resolved
    )
    assert judged.rule is None, judged.findings


def test_charges_claimed_one_after_the_other() -> None:
    """Two units that end where they were moved to are right, the second on the table that the first claim leaves."""
    both, resolved = two_charges()
    places = {ruling.charge.charger: ruling.attempt.move.formation for ruling in resolved.rulings}
    assert list(places) == ["A", "C"]
    assert judge(replace(both, proposal=places), resolved).outcome == "success"


VEHICLE: dict[str, Any] = {"base": "120x92mm oval", "keywords": ["vehicle"]}


@pytest.mark.parametrize("facing", [-90, 270, 3510, 33.33333333333, 1e-10, 359.9999999999])
@pytest.mark.parametrize("shift", [0.0, 360.0, -720.0, 1e-9])
def test_a_facing_is_the_same_after_whole_turns_and_as_it_is_printed(
    facing: float, shift: float
) -> None:
    """A vehicle that moves as far as its roll without turning pays no pivot, however its facing is written."""
    a = unit([(0, 0), (0, 5)], facing_deg=facing, **VEHICLE)
    foe = {"T": unit([(9, 0), (9, 5)])}
    one = case(a, foe, total=8)
    resolved = resolve(one)
    place = resolved.rulings[0].attempt.move.formation
    turned = tuple(
        replace(pose, heading=pose.heading + math.radians(shift)) for pose in place.poses
    )
    assert (
        judge(replace(one, proposal={"A": replace(place, poses=turned)}), resolved).outcome
        == "success"
    )


@pytest.mark.parametrize(
    ("degrees", "rule"), [(0.0006, None), (0.02, None), (0.03, "wh40k.roll.limit")]
)
def test_a_facing_is_kept_that_moves_no_corner_by_more_than_a_hand(
    degrees: float, rule: str | None
) -> None:
    """A turn by which no point of the base moves a thousandth of an inch is none, one by which some does costs the
    pivot.
    """
    # 5.999 in to the range of the foe
    a = unit([(0, 0)], **VEHICLE)
    foe = {"T": unit([(9.8612, 0)])}
    judged = verdict([(6, 0)], a, foe, total=6, facing=degrees)
    assert judged.rule == rule, judged.findings


def test_a_facing_counts_where_nobody_moves() -> None:
    """A vehicle whose charge fails is to look where it looked; whole turns and what a hand may miss apart."""
    a = unit([(0, 0)], **VEHICLE)
    foe = {"T": unit([(11, 0)])}
    rules = [
        verdict([(0, 0)], a, foe, total=3, facing=degrees).rule
        for degrees in (0, 360, 0.02, 0.1, 180)
    ]
    assert rules == [None, None, None, "wh40k.possible.engage-all", "wh40k.possible.engage-all"]
    # a round base has no corner to move
    assert verdict([(0, 0)], unit([(0, 0)]), foe, total=3, facing=90).outcome == "success"


def test_an_overlap_names_the_unit_of_the_other_model() -> None:
    """Of two claimed places that is the unit itself, else whoever stands there."""
    two = unit([(0, 0), (0, 2)], side="blue")
    friend = unit([(4.5, 1.5)], side="blue")
    target = {"T": unit([(6, 0)], side="red")}
    within = verdict([(4.5, 0), (4.5, 0.6)], two, target, total=12)
    (text,) = (one.text for one in within.findings if not one.ok)
    assert (numbers(text), set(names_in(text))) == (["1", "2"], {"A", "1", "2"})
    beside = verdict([(4.5, 0), (4.5, 1.2)], two, {**target, "F": friend}, total=12)
    assert [
        (numbers(one.text), set(names_in(one.text) - {"1", "2"}))
        for one in beside.findings
        if not one.ok
    ] == [(["2", "1"], {"A", "F"})]


@pytest.mark.parametrize(("bearing", "rule"), [(152.0, "wh40k.move.end-clear"), (200.0, None)])
def test_what_a_claim_leaves_to_a_charger_that_none_names(bearing: float, rule: str | None) -> None:
    """A second charger stands as resolved: a claim of the first one that takes its room is no more legal than if both
    were named.
    """
    base = {"side": "blue", "base": "32mm round"}
    apart = 32 / 25.4
    way = math.radians(bearing)
    tables = {
        "system": "wh40k",
        "board": {"width": 40, "depth": 40},
        "units": {
            "A": {**base, "at": [[14, 20]]},
            "C": {**base, "at": [[14, 23]]},
            "T": {**base, "side": "red", "at": [[20, 20]]},
        },
        "charges": [{"charger": name, "targets": ["T"], "dice": [6, 6]} for name in "AC"],
        "proposal": {
            "units": {"A": {"at": [[20.0 + apart * math.cos(way), 20.0 + apart * math.sin(way)]]}}
        },
    }
    one = case_from_tables(tables)
    resolved = resolve(one)
    judged = judge(one, resolved)
    both = judge(
        replace(
            one, proposal={**(one.proposal or {}), "C": resolved.rulings[1].attempt.move.formation}
        ),
        resolved,
    )
    assert judged.rule == both.rule == rule
    assert set(judged.better) == ({"A"} if rule else set())
    assert [
        (numbers(one.text), set(names_in(one.text))) for one in judged.findings if not one.ok
    ] == ([(["1", "1"], {"C", "A", "1"})] if rule else [])


@pytest.mark.parametrize(("y", "rule"), [(21.7, "wh40k.path.vehicles"), (24.7, None)])
def test_a_claim_that_bars_the_way_of_a_charger_that_none_names(y: float, rule: str | None) -> None:
    """A vehicle claimed across the only way of the next one is wrong, whether that is named or stands as resolved; all
    places are told.
    """
    vehicle = {"side": "blue", "base": "50.8mm round", "profile": {"keywords": ["vehicle"]}}
    tables = {
        "system": "wh40k",
        "board": {"width": 60, "depth": 44},
        "units": {
            "A": {**vehicle, "at": [[24, 29]]},
            "B": {**vehicle, "at": [[20, 20]]},
            "T": {"side": "red", "at": [[24, 23.2]], "base": "25.4mm round"},
            "U": {"side": "red", "at": [[31.5, 20]], "base": "25.4mm round"},
        },
        "charges": [
            {"charger": "A", "targets": ["T"], "dice": [6, 6]},
            {"charger": "B", "targets": ["U"], "dice": [5, 4]},
        ],
        "proposal": {"units": {"A": {"at": [[24, y]]}}},
    }
    one = case_from_tables(tables)
    resolved = resolve(one)
    alone = judge(one, resolved)
    both = judge(
        replace(
            one, proposal={**(one.proposal or {}), "B": resolved.rulings[1].attempt.move.formation}
        ),
        resolved,
    )
    assert alone.rule == both.rule == rule
    assert ["B" in names_in(finding.text) for finding in alone.findings if not finding.ok] == [
        True
    ] * (rule is not None)
    assert [set(judged.better) for judged in (alone, both)] == (
        [{"A"}, {"A", "B"}] if rule else [set(), set()]
    )


def test_a_hull_that_is_turned_is_off_by_what_its_corners_move() -> None:
    """Turned by half about its middle a hull of 2 by 1 in has no corner farther off than its diagonal."""
    hull = {"side": "red", "at": [[40, 30]], "hull": [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]]}
    tables = {
        "system": "wh40k",
        "board": {"width": 60, "depth": 44},
        "units": {
            "A": {"side": "blue", "at": [[20, 20]], "base": "25.4mm round"},
            "T": {"side": "red", "at": [[26, 20]], "base": "25.4mm round"},
            "X": hull,
        },
        "charges": [{"charger": "A", "targets": ["T"], "dice": [6, 6]}],
        "proposal": {"units": {"X": {"at": [[40, 30]], "facing_deg": 180}}},
    }
    (found,) = judge(case_from_tables(tables)).findings
    assert found.rule == "wh40k.stand"
    assert found.measured == pytest.approx(math.sqrt(5.0))


def test_a_unit_without_models_is_left_out_of_a_proposal() -> None:
    """Whom overwatch has left no model cannot be claimed anywhere, and is told so."""
    with pytest.raises(ScenarioError, match=r"proposal\.units\.A: .*'A'"):
        verdict([(0, 0)], unit([(0, 0)]), {"T": unit([(6, 0)])}, total=5, overwatch={"before": [0]})


def test_an_end_too_far_round_is_told_with_the_length_of_the_way() -> None:
    """Right behind its target, 5.6 in off: a tangent and an arc about it, with bases of 1 in."""
    judged = verdict([(0, 6.6)], unit([(0, 0)]), {"T": unit([(0, 5.6)])}, total=5)
    (found,) = (finding for finding in judged.findings if finding.rule == "wh40k.roll.limit")
    length = math.sqrt(5.6**2 - 1.0) + math.pi - math.acos(1.0 / 5.6)
    assert judged.rule == found.rule
    assert (found.measured, found.limit, found.margin) == pytest.approx(
        (length, 5.0, 5.0 - length), abs=1e-9
    )


def test_an_end_that_several_hindrances_close_in_has_no_way() -> None:
    """In the middle of six models behind four walls: without the walls or without the models alone there would be no
    way either.
    """
    ring: Spots = [
        (math.cos(turn), 10.0 + math.sin(turn))
        for turn in np.radians(np.arange(-90.0, 270.0, 60.0)).tolist()
    ]
    sides = [
        (-1.7, 8.3, 1.7, 8.4),
        (-1.7, 11.6, 1.7, 11.7),
        (-1.7, 8.3, -1.6, 11.7),
        (1.6, 8.3, 1.7, 11.7),
    ]
    walls = tuple(
        piece("impassable", *side, name=f"Wall {number}") for number, side in enumerate(sides)
    )
    table = unit([(0, 0)]), {"T": unit(ring)}
    assert verdict([(0, 7.8)], *table, total=9, terrain=walls).outcome == "success"
    judged = verdict([(0, 10)], *table, total=9, terrain=walls)
    (found,) = (finding for finding in judged.findings if finding.rule == "wh40k.roll.limit")
    assert (judged.rule, found.ok, found.measured) == ("wh40k.roll.limit", False, None)


@pytest.mark.parametrize(("beyond", "is_clear"), [(0.0, False), (0.5e-6, False), (1.5e-6, True)])
def test_an_end_is_clear_of_a_unit_just_past_the_tolerance(
    beyond: float, *, is_clear: bool
) -> None:
    """An inch from a unit that is no target is within its engagement range; one and a half millionths farther are
    enough.
    """
    judged = verdict(
        [(0, 4.6)], unit([(0, 0)]), {"T": unit([(0, 5.6)]), "U": unit([(2.0 + beyond, 4.6)])}
    )
    assert judged.rule == (None if is_clear else "wh40k.possible.avoid-others")


@pytest.mark.parametrize(("turn", "is_right"), [(0.0, True), (0.0009, True), (0.039, False)])
def test_a_hand_is_forgiven_once(turn: float, *, is_right: bool) -> None:
    """Six inches reach one point of contact: a place aside that touches is near to no other, be its way longer by less
    than a hand.
    """
    end: Spots = [(math.sin(turn), 7.0 - math.cos(turn))]
    assert math.hypot(*end[0]) < 6.0 + HAND
    if is_right:
        assert verdict(end, unit([(0, 0)]), {"T": unit([(0, 7)])}, total=6).is_right
    else:
        with pytest.raises(NoVerdictError, match=r"\b0\.001 in .*\bA\b"):
            verdict(end, unit([(0, 0)]), {"T": unit([(0, 7)])}, total=6)


@pytest.mark.parametrize(("lap", "is_right"), [(1.6e-3, True), (1.9e-3, False)])
def test_each_model_is_forgiven_a_hand(lap: float, *, is_right: bool) -> None:
    """Two models at one enemy slide apart along it, at 30 degrees to the line between them: a hand each is 1.73
    thousandths in all.
    """
    half = math.asin((1.0 - lap) / 2.0)
    ends: Spots = [(math.sin(sign * half), 6.0 - math.cos(half)) for sign in (-1, 1)]
    judged = verdict(ends, unit([(-0.6, 0), (0.6, 0)]), {"T": unit([(0, 6)])})
    assert judged.rule == (None if is_right else "wh40k.move.end-clear")
    if is_right:
        meant = judged.meant["A"].poses
        assert math.dist(meant[0].at, meant[1].at) >= 1.0 - CONTACT
        assert all(abs(math.dist(pose.at, (20.0, 26.0)) - 1.0) <= CONTACT for pose in meant)

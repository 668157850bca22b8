"""Unaligned charges: the point kept, the facing's line, the least angle, the models, and the target's special align
move.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from systems.t9a.aligned import aligned_place
from systems.t9a.attempt import CompletedCharge
from systems.t9a.book import Book
from systems.t9a.conditions import FlushPlacement
from systems.t9a.explain import complete_unaligned
from systems.t9a.judge import judged_target, judged_tilted, snapped
from systems.t9a.scene import Front, Scene
from systems.t9a.solution import facings_allowed
from systems.t9a.unaligned import UnalignedPlace, number_of_best, reached_point, unaligned_place
from systems.t9a.words import Choices
from tabletop.budget import Budget
from tabletop.fronts import reach
from tabletop.geometry.pose import Pose
from tabletop.messages import names_in
from tabletop.ruling.finding import Finding
from tabletop.scenario.reading import case_from_tables, read_case
from tabletop.table.state import Regiment, State, Terrain
from tabletop.testing.motions import mirrored, shifted, turned
from tabletop.units import inches
from tests.oracles.unaligned import random_case, referee
from tests.scenes import box, case, charger, judge, place, regiment, resolve, table, target
from tests.systems.said import numbers

EXACT = 5e-7
IN_EVERY_RUN = 30
LEAST = math.atan2(35.0, 70.0) + math.asin(0.0254 / math.hypot(35.0, 70.0))
WALLS = (box((70, 270), (-60, 35), name="right"), box((-300, -100), (-60, 100), name="left"))


def goal(**rest: Any) -> Regiment:
    """Make the target of the worked example: one model of 40 mm."""
    return target(**{"files": 1, "models": 1, "base": (40, 40), **rest})


def wide(**rest: Any) -> Regiment:
    """Make its charger: a front of 200 mm that comes at 27 degrees."""
    return charger((-7.697448, 223.600355), heading=297, files=8, base=(25, 25), **rest)


def front_on(state: State, **choices: Any) -> Front:
    """Return A's charge of T on a table."""
    scene = Scene(state, state.units["A"], state.units["T"], Choices(**choices), Book())
    return Front(scene, facings_allowed(scene)[0])


def unaligned(*bodies: Regiment | Terrain, **choices: Any) -> UnalignedPlace:
    """Find the unaligned place of A, for which there must be no aligned one."""
    return unaligned_on(table(*bodies), **choices)


def unaligned_on(state: State, **choices: Any) -> UnalignedPlace:
    """Find the unaligned place of A on a table."""
    front = front_on(state, **choices)
    assert aligned_place(front, budget=Budget()) is None
    found = unaligned_place(front, budget=Budget())
    assert found is not None
    return found


def completed(found: UnalignedPlace) -> CompletedCharge:
    """Return the completed charge."""
    return complete_unaligned(found, budget=Budget())


def finding(findings: list[Finding] | tuple[Finding, ...], rule: str) -> Finding:
    """Return the one finding of a rule."""
    (found,) = [item for item in findings if item.rule == rule]
    return found


def counts(done: CompletedCharge) -> tuple[Any, Any]:
    """Return the models in contact at the end, of the target and of the charger."""
    return done.metrics["target_models_in_contact"], done.metrics["charger_models_in_contact"]


def test_example_9_least_angle_and_special_align() -> None:
    """170 mm for a front of 200: the right corner stays, 26.583646 degrees, and the target turns by as much."""
    found = unaligned(goal(), wide(), *WALLS)
    done = completed(found)
    assert (found.corner, found.proof) == ("right", "tolerance")
    assert found.u == pytest.approx(0.0, abs=1e-9)
    assert math.degrees(found.angle) == pytest.approx(26.583646, abs=EXACT)
    assert done.metrics["remaining_angle_deg"] == 0
    assert counts(done) == (1, 2)
    assert done.metrics["contact_length"] == pytest.approx(inches(40), abs=1e-9)
    assert "offset" not in done.metrics
    assert done.place.choices == 1


def test_example_9_engaged_target() -> None:
    """An engaged target does not turn: the angle remains, and only the models at the point are in contact."""
    done = completed(unaligned(goal(status=("engaged",)), wide(), *WALLS))
    assert done.metrics["remaining_angle_deg"] == pytest.approx(26.583646, abs=EXACT)
    assert counts(done) == (1, 1)
    assert done.metrics["contact_length"] == 0


@pytest.mark.parametrize(
    "motion",
    [
        lambda state: shifted(state, 3.0, -2.0),
        lambda state: turned(state, 1.1),
        lambda state: turned(state, -2.9),
    ],
)
def test_unaligned_angle_on_a_moved_table(motion: Callable[[State], State]) -> None:
    """Moving and turning the whole table moves the answer along."""
    state = table(goal(), wide(), *WALLS)
    found = unaligned_on(state)
    other = unaligned_on(motion(state))
    moved = motion(
        state.with_unit(state.units["A"].at(found.pose)).with_unit(
            state.units["T"].at(found.target_pose)
        )
    )
    assert other.angle == pytest.approx(found.angle, abs=1e-9)
    assert other.pose.at == pytest.approx(moved.units["A"].pose.at, abs=1e-9)
    assert other.target_pose.at == pytest.approx(moved.units["T"].pose.at, abs=1e-9)


def test_unaligned_angle_mirrored() -> None:
    """In the mirror the left corner stays."""
    state = table(goal(), wide(), *WALLS)
    found = unaligned_on(state)
    other = unaligned_on(mirrored(state))
    assert other.corner == "left"
    assert other.angle == pytest.approx(found.angle, abs=1e-9)
    assert other.pose.at == pytest.approx((72.0 - found.pose.x, found.pose.y), abs=1e-9)
    assert counts(completed(other)) == (1, 2)


@pytest.mark.parametrize("height", [10.0, 20.0, 30.0, 35.0])
def test_unaligned_angle_grows_with_the_obstacle(height: float) -> None:
    """The least angle is that of the wall's corner seen from the point kept, and of the clearance."""
    found = unaligned(goal(), wide(), box((70, 270), (-60, height), name="right"), WALLS[1])
    assert found.angle == pytest.approx(
        math.atan2(height, 70.0) + math.asin(0.0254 / math.hypot(height, 70.0)), abs=1e-9
    )


@pytest.mark.parametrize(
    ("height", "is_aligned"), [(-0.0254, True), (-0.0253, False), (0.001, False)]
)
def test_unaligned_when_no_aligned_place_exists(height: float, is_aligned: bool) -> None:
    """A wall as much as the clearance behind the facing's line leaves aligned places; nearer it leaves none."""
    front = front_on(table(goal(), wide(), box((70, 270), (-60, height), name="right"), WALLS[1]))
    assert (aligned_place(front, budget=Budget()) is not None) is is_aligned
    if not is_aligned:
        found = unaligned_place(front, budget=Budget())
        assert found is not None
        assert 0.0 < found.angle < 0.001


@pytest.mark.parametrize(("height", "lacks"), [(-0.02, 0.0054), (10.0, 10.0254), (35.0, 30.0508)])
def test_unaligned_when_names_what_bars_alignment(height: float, lacks: float) -> None:
    """A front of 200 mm between walls 170 mm apart: the right one lacks 30 mm and two clearances, or its height and
    one, if less.
    """
    state = table(goal(), wide(), box((70, 270), (-60, height), name="right"), WALLS[1])
    found = finding(resolve(case(state)).rulings[0].findings, "t9a.unaligned.when")
    assert found.ok
    assert (found.measured, found.limit, found.margin) == pytest.approx(
        (inches(lacks), 0.0, inches(lacks)), abs=1e-6
    )
    assert names_in(found.text) >= {"right", "T"}


def test_unaligned_when_there_is_nothing_free() -> None:
    """A wall all along before the facing lets the front touch and nothing stand: there is no unaligned place either."""
    walls = [
        box((42, 300), (-60, 20), name="right"),
        box((-300, -2), (-60, 20), name="left"),
        box((-300, 300), (90, 95), name="roof"),
    ]
    front = front_on(table(goal(), charger((20, 60), files=1, models=3, base=(30, 80)), *walls))
    assert unaligned_place(front, budget=Budget()) is None


def test_unaligned_contact_is_a_point_that_is_reached() -> None:
    """The shown move first touches the target at the point that stays."""
    found = unaligned(goal(), wide(), *WALLS)
    done = completed(found)
    assert done.move.contact == pytest.approx(found.contact, abs=1e-6)
    assert done.steps[-2].kind == "align"
    assert found.contact == pytest.approx(place(0, 0), abs=1e-9)
    assert finding(done.findings, "t9a.unaligned.contact").ok


def test_unaligned_contact_missed() -> None:
    """A placement whose corner stands off the facing keeps no point of the target."""
    found = unaligned(goal(), wide(), *WALLS)
    off = replace(tilted_of(found), pose=found.pose.advanced(-0.05))
    broken = next(item for item in judged_tilted(off, found) if not item.ok)
    assert broken.rule == "t9a.unaligned.contact"
    assert broken.margin == pytest.approx(-0.05 * math.cos(found.angle), abs=1e-6)


def tilted_of(found: UnalignedPlace) -> FlushPlacement:
    """Claim the place found."""
    return FlushPlacement(found.front, found.pose, found.reach)


def test_unaligned_line_is_not_crossed() -> None:
    """Both ends of the front lie on the outer side of the facing's line."""
    found = unaligned(goal(), wide(), *WALLS)
    line = finding(completed(found).findings, "t9a.unaligned.line")
    assert line.ok
    crossing = replace(
        tilted_of(found), pose=found.pose.turned_about(found.contact, -2 * found.angle)
    )
    broken = [item.rule for item in judged_tilted(crossing, found) if not item.ok]
    assert "t9a.unaligned.line" in broken


def test_unaligned_angle_judged() -> None:
    """A larger angle than needed is not what the rules demand; the margin says by how much."""
    found = unaligned(goal(), wide(), *WALLS)
    more = replace(tilted_of(found), pose=found.pose.turned_about(found.contact, math.radians(1.0)))
    broken = next(item for item in judged_tilted(more, found) if not item.ok)
    assert broken.rule == "t9a.unaligned.angle"
    assert broken.margin == pytest.approx(-1.0, abs=1e-6)
    assert all(item.ok for item in judged_tilted(tilted_of(found), found))


def test_unaligned_angle_judged_as_a_hand_places() -> None:
    """A placement half a thousandth of an inch off is the same placement."""
    found = unaligned(goal(), wide(), *WALLS)
    off = replace(
        tilted_of(found),
        pose=Pose(found.pose.x + 3e-4, found.pose.y - 2e-4, found.pose.heading + 2e-5),
    )
    assert all(item.ok for item in judged_tilted(snapped(off, found), found))


@pytest.mark.parametrize(
    ("along", "away", "over", "is_right"),
    [
        (0.95e-3, 0.0, 0.0, True),
        (0.0, 0.95e-3, 0.0, True),
        (0.0, 0.0, 0.95e-3, True),
        (0.6e-3, 0.6e-3, 0.0, True),
        (0.95e-3, 0.6e-3, 0.0, False),
        (0.0, 0.6e-3, 0.6e-3, False),
    ],
)
def test_unaligned_places_are_forgiven_a_hand_once(
    along: float, away: float, over: float, *, is_right: bool
) -> None:
    """Along the facing, off it and at the other end of the front a hand may miss by a thousandth of an inch in all."""
    question = case(table(goal(), wide(), *WALLS))
    right = resolve(question).after.units["A"]
    pose = right.pose.turned_about(right.front_right, over / right.width)
    judged = judge(
        replace(question, proposal={"A": Pose(pose.x + along, pose.y + away, pose.heading)})
    )
    assert judged.is_right is is_right, judged.findings
    if not is_right:
        assert "0.001" in numbers(next(one.text for one in judged.findings if not one.ok))


@pytest.mark.parametrize(("off", "is_right"), [(0.95e-3, True), (1.05e-3, False)])
def test_unaligned_targets_are_forgiven_one_hand(off: float, *, is_right: bool) -> None:
    """A target beside a charger that stands where it is due may be missed by a hand as any unit, and by no more."""
    question = case(table(goal(), wide(), *WALLS))
    after = resolve(question).after.units
    claimed = {"A": after["A"].pose, "T": replace(after["T"].pose, x=after["T"].pose.x + off)}
    assert judge(replace(question, proposal=claimed)).is_right is is_right


def test_unaligned_target_models_at_a_seam() -> None:
    """Of points with the same angle one where two models of the target meet is taken."""
    state = table(target(files=2, models=2, base=(40, 40), at=(40, 0)), wide())
    front = front_on(state)
    found = UnalignedPlace(
        front, reached_point(front, inches(40), budget=Budget()), "right", inches(40), 0.3, "exact"
    )
    assert found.values == (2, 1)
    assert replace(found, u=inches(41)).values == (1, 1)
    assert replace(found, u=inches(80), corner="left").values == (1, 1)


def test_unaligned_target_models_behind_empty_places_do_not_count() -> None:
    """At a point of the rear with nobody on the boundary no model is in contact, of the charger neither."""
    attacker = regiment("A", (50, -140), side="blue", heading=90, files=2, base=(25, 25))
    front = front_on(table(target(models=6), attacker))
    assert front.name == "rear"
    found = UnalignedPlace(
        front, reached_point(front, 0.0, budget=Budget()), "right", 0.0, 0.3, "exact"
    )
    assert found.values == (0, 0)
    assert replace(found, u=inches(90), corner="left").values == (1, 1)


def test_unaligned_charger_models_is_one_at_the_corner() -> None:
    """The one model of the charger at the point is its corner model: right of the front, or left."""
    found = unaligned(goal(status=("engaged",)), wide(), *WALLS)
    assert found.in_contact == {"A": (7,), "T": (0,)}
    assert unaligned_on(mirrored(table(goal(status=("engaged",)), wide(), *WALLS))).in_contact == {
        "A": (0,),
        "T": (0,),
    }


def test_unaligned_special_align_step() -> None:
    """The target turns about the point of contact, counter-clockwise for a right corner."""
    found = unaligned(goal(), wide(), *WALLS)
    step = completed(found).steps[-1]
    assert (step.kind, step.unit, step.pivot) == ("special_align", "T", found.contact)
    assert step.angle == pytest.approx(LEAST, abs=1e-9)
    assert step.end == found.target_pose
    assert found.target_pose.heading == pytest.approx(math.radians(90) + LEAST, abs=1e-9)


def test_unaligned_special_align_stops_at_an_obstacle() -> None:
    """What stands beside the target ends its turn with the clearance between them, and the rest of the angle
    remains.
    """
    post = box((48, 52), (-30, -20), name="post")
    found = unaligned(goal(), wide(), *WALLS, post)
    state = table(goal(), wide(), *WALLS, post)
    assert 0.0 < found.turn < found.angle
    turned_body = state.units["T"].at(found.target_pose).boundary.core
    assert turned_body.distance(post.shape.core) == pytest.approx(0.001, abs=1e-6)
    done = completed(found)
    assert counts(done) == (1, 1)
    assert done.metrics["remaining_angle_deg"] == pytest.approx(
        math.degrees(found.angle - found.turn), abs=1e-9
    )


def test_unaligned_special_align_keeps_away_from_friends_too() -> None:
    """A friend of the target stops it as terrain does."""
    friend = regiment("F", (55, -15), side="red", files=1, models=1)
    found = unaligned(goal(), wide(), *WALLS, friend)
    assert found.turn < found.angle
    gap = goal().at(found.target_pose).boundary.core.distance(friend.boundary.core)
    assert gap == pytest.approx(0.001, abs=1e-6)


@pytest.mark.parametrize(("is_turning", "remaining"), [(True, 0.0), (False, LEAST)])
def test_unaligned_special_align_of_an_engaged_target(is_turning: bool, remaining: float) -> None:
    """An engaged target turns only if the choice says so."""
    found = unaligned(goal(status=("engaged",)), wide(), *WALLS, engaged_target_turns=is_turning)
    assert found.remaining == pytest.approx(remaining, abs=1e-9)


def test_unaligned_special_align_of_a_target_that_touches_another_enemy() -> None:
    """Who touches another enemy is engaged and stays."""
    other = regiment("B", (20, -60), side="blue", heading=90, files=1, models=1)
    found = unaligned(
        goal(), wide(), *WALLS, replace(other, pose=Pose(*place(20, -40), math.radians(90)))
    )
    assert found.turn == 0.0


@pytest.mark.parametrize(("turn", "rule"), [(0.0, None), (0.01, "t9a.unaligned.angle")])
def test_unaligned_claims_of_both_units_judged(turn: float, rule: str | None) -> None:
    """Both units are right where the rules leave them; with the charger turned further about its corner it is not, nor
    is the target.
    """
    question = case(table(goal(), wide(), *WALLS))
    after = resolve(question).after.units
    claimed = after["A"].pose.turned_about(after["A"].front_right, turn)
    judged = judge(replace(question, proposal={"A": claimed, "T": after["T"].pose}))
    assert judged.rule == rule, judged.findings


@pytest.mark.parametrize(
    ("is_turned", "rule"), [(True, None), (False, "t9a.unaligned.special-align")]
)
def test_unaligned_special_align_of_a_target_claimed_alone(
    is_turned: bool, rule: str | None
) -> None:
    """A target that turns is to stand turned beside the charger as it is resolved, if nothing is claimed of that."""
    question = case(table(goal(), wide(), *WALLS))
    state = resolve(question).after if is_turned else question.state
    assert judge(replace(question, proposal={"T": state.units["T"].pose})).rule == rule


def test_unaligned_line_of_a_front_that_looks_away() -> None:
    """Of a front turned round on its corner the heading is what is wrong."""
    question = case(table(goal(), wide(), *WALLS))
    unit = resolve(question).after.units["A"]
    judged = judge(
        replace(question, proposal={"A": unit.pose.turned_about(unit.front_right, math.pi)})
    )
    (line,) = [item for item in judged.findings if item.rule == "t9a.unaligned.line"]
    assert not line.ok
    assert line.measured is not None
    assert numbers(line.text) == [f"{line.measured:.4f}"]
    assert "T" in names_in(line.text)


def test_unaligned_special_align_judged() -> None:
    """The target proposed where it must end is right; where it stood it is not."""
    found = unaligned(goal(), wide(), *WALLS)
    assert judged_target(found, found.target_pose).ok
    assert not judged_target(found, found.front.scene.target.pose).ok


@pytest.mark.parametrize(("status", "is_due"), [((), False), (("engaged",), True)])
def test_unaligned_reform_is_due_while_an_angle_remains(
    status: tuple[str, ...], is_due: bool
) -> None:
    """Only where an angle remains the finding names the combat reforms."""
    done = completed(unaligned(goal(status=status), wide(), *WALLS))
    assert any(item.rule == "t9a.unaligned.reform" for item in done.findings) is is_due


def test_unaligned_preference_between_facings() -> None:
    """The smaller angle is better, then more models; equal places leave the first."""
    found = unaligned(goal(), wide(), *WALLS)
    larger = replace(found, angle=found.angle + 0.01)
    assert [
        number_of_best(pair) for pair in ([found, larger], [larger, found], [found, found])
    ] == [0, 1, 0]


@pytest.mark.parametrize("number", range(IN_EVERY_RUN))
def test_unaligned_against_brute_force(number: int) -> None:
    """No contact, corner and angle that trying finds is better, and the place, the way and the turn hold; `make oracle`
    has more tables.
    """
    assert referee(random_case(number))[1] == []


@pytest.mark.parametrize("gaps", [(0.0, 0.0), (0.0, 0.0005), (0.001, 0.001)])
@pytest.mark.parametrize(
    ("files", "start", "heading"),
    [(5, (0.0, 250.0), 270.0), (6, (0.0, 250.0), 270.0), (5, (230.0, 250.0), 245.0)],
)
def test_a_target_between_two_enemies_takes_little_work_however_near_they_stand(
    gaps: tuple[float, float], files: int, start: tuple[float, float], heading: float
) -> None:
    """The corner stands 0.001 in from one enemy and the front's other end clears the next by as much: the angle is
    known.
    """
    width = 125.0
    beside = [
        regiment(name, (side * width, 0.0), base=(25, 25)) for name, side in (("L", -1), ("R", 1))
    ]
    moved = [
        replace(unit, pose=replace(unit.pose, x=unit.pose.x + sign * gap))
        for unit, sign, gap in zip(beside, (-1, 1), gaps, strict=True)
    ]
    state = table(
        regiment("T", (0.0, 0.0), base=(25, 25)),
        charger(start, heading, files=files, base=(25, 25)),
        *moved,
    )
    front = front_on(state)
    budget = Budget(work=3_000)
    if files == 5 and min(gaps) >= 0.001:
        found = aligned_place(front, budget=budget)
        assert found is not None
        assert found.proof == "exact"
        return
    place_found = unaligned_place(front, budget=budget)
    assert place_found is not None
    least = [
        math.asin(0.001 / (inches(width) + far - near))
        for near, far in (_pivots(*gaps), _pivots(*gaps[::-1]))
    ]
    assert place_found.proof == "tolerance"
    assert place_found.angle == pytest.approx(min(least), abs=3e-8)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-6, 1e-4])
@pytest.mark.parametrize("turn", [0.0, 90.0, 123.4])
def test_the_move_to_a_corner_between_two_enemies_takes_little_work(
    gap: float, turn: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A charger straight ahead of the enemy beside its target: all wheels but miss the point of contact, and one that
    meets it is known.
    """
    cells = list[int]()
    least_in = reach._least_in_cells

    def counted(approach: Any, ranges: Any, span: Any) -> Any:
        cells.append(len(ranges))
        return least_in(approach, ranges, span)

    monkeypatch.setattr(reach, "_least_in_cells", counted)
    about = math.radians(turn)
    width = 60 / 25.4

    def unit(side: str, across: float, ahead: float, facing: float, **more: Any) -> dict[str, Any]:
        at = [
            36 + across * math.cos(about) - ahead * math.sin(about),
            24 + across * math.sin(about) + ahead * math.cos(about),
        ]
        return {
            "side": side,
            "files": 3,
            "models": 12,
            "base": "20x20mm",
            "at": at,
            "facing_deg": facing + turn,
            **more,
        }

    units = {
        name: unit("red", place * (width + gap), 0.0, 270.0)
        for name, place in (("T", 0), ("E", 1), ("F", -1))
    }
    units["A"] = unit("blue", 0.3609, -5.5636, 90.0, profile={"charge_speed": 4})
    tables = {
        "system": "t9a",
        "board": {"width": 72, "depth": 48},
        "units": units,
        "charges": [{"charger": "A", "targets": ["T"], "dice": [2]}],
    }
    (ruling,) = resolve(case_from_tables(tables)).rulings
    assert (ruling.outcome, ruling.metrics["contact_length"]) == ("success", 0.0)
    assert sum(cells) < 8_000


def _pivots(near: float, far: float) -> tuple[float, float]:
    """Return how far along its facing from an enemy's side a corner stands at least, and how far the other enemy is
    from the facing.
    """
    return max(0.0, 0.001 - near), far


@pytest.mark.parametrize(
    ("status", "angles", "told"),
    [((), ["26.58"], ["26.58"]), (("engaged",), ["0.00", "26.58"], ["26.58", "0.00", "26.58"])],
)
def test_an_unaligned_charge_says_so_in_its_summary_and_where_it_is_shown(
    status: tuple[str, ...], angles: list[str], told: list[str]
) -> None:
    """The angle of the worked example is 26.58 degrees: a target that is free turns flush by all of it, one that is
    held by nothing.
    """
    (ruling,) = resolve(case(table(goal(status=status), wide(), *WALLS))).rulings
    assert [number for number in numbers(ruling.summary) if "." in number] == told
    assert [
        number for number in numbers(next(iter(ruling.decided.values())).words) if "." in number
    ] == angles


@pytest.mark.parametrize(
    ("name", "is_flush"), [("t9a/slot-too-narrow", True), ("t9a/target-held-fast", False)]
)
def test_fronts_that_end_flush_are_not_said_to_be_unaligned(name: str, is_flush: bool) -> None:
    """t9a.unaligned.special-align: the headline and the figure's words speak of the end, to which the target has
    turned.
    """
    (ruling,) = resolve(read_case(name)).rulings
    assert (ruling.metrics["remaining_angle_deg"] == 0.0) is is_flush
    words = next(
        one.mark.words
        for one in ruling.findings
        if one.rule == "t9a.unaligned.target-models" and one.mark is not None
    )
    for text in (ruling.summary, words):
        assert ("unaligned" in text) is not is_flush
        assert ("flush" in text) is is_flush

"""Contrasts: the alternative can be tried, and what is said against it is what the judge says, or what the next roll
shows.
"""

import json
import math
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shapely
import shapely.affinity

import tabletop
from plots.marks.mark import Label
from plots.marks.panels import charge_panels
from systems.battletech.scene import Table
from systems.t9a.scene import Front, Scene
from systems.wh40k.judge import MoveCheck, claimed_ends
from systems.wh40k.scene import scene_of
from tabletop import api
from tabletop.budget import Budget
from tabletop.fronts.flush import CriticalSlides
from tabletop.fronts.reach import reach
from tabletop.optimise.interval import Intervals, without
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.evidence import Mark
from tabletop.ruling.verdict import Ruling
from tabletop.table.hexes import number
from tabletop.testing.answers import resolved
from tabletop.testing.motions import mirrored_case
from tabletop.units import inches
from tests.bundled import NAMES
from tests.systems.said import numbers

ROOT = Path(__file__).resolve().parents[1]
GAMES = [name for name in NAMES if name.startswith(("t9a/", "conquest/", "wh40k/"))]
LOOSE = [name for name in NAMES if name.startswith("wh40k/")]


def contrasts_of(name: str) -> list[Contrast]:
    """Return the contrasts of a bundled scenario of one charge."""
    _, resolution = resolved(name)
    return [
        one
        for ruling in resolution.rulings
        if len(resolution.rulings) == 1
        for one in ruling.contrast or ()
    ]


def mark_of(contrast: Contrast) -> Mark:
    """Return the mark of what tells against an alternative."""
    assert contrast.finding.mark is not None
    return contrast.finding.mark


def barred(name: str) -> Contrast | None:
    """Return the contrast that breaks a limit, None if there is none."""
    return next((one for one in contrasts_of(name) if one.kind == "barred"), None)


def worse(name: str) -> Contrast | None:
    """Return the contrast that serves less than the ruling, None if there is none."""
    return next((one for one in contrasts_of(name) if one.kind == "worse"), None)


@pytest.mark.parametrize("name", [name for name in GAMES if worse(name) is not None])
def test_the_judge_refuses_what_is_worse_by_the_rule_named(name: str) -> None:
    """A claim of the alternative keeps every limit and serves the goal less, by the numbers given."""
    case, resolution = resolved(name)
    found = worse(name)
    assert found is not None
    judged = tabletop.judge(replace(case, proposal=dict(found.units)), resolution)
    assert (judged.outcome, judged.rule) == ("not_allowed", found.finding.rule)
    broken = next(one for one in judged.findings if not one.ok)
    here, there = found.goals[found.finding.rule]
    if broken.limit is not None and there < here:
        assert (broken.measured, broken.limit) == (there, here)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in NAMES
        if any(one.kind == "missing" and "roll" in one.finding.text for one in contrasts_of(name))
    ],
)
def test_a_roll_that_is_missing_is_the_smallest_that_does(name: str) -> None:
    """The sentence names the shortest roll of the ruling, and the finding that decided has its margin."""
    (found,) = (one for one in contrasts_of(name) if one.kind == "missing")
    (ruling,) = resolved(name)[1].rulings
    assert ruling.rule == found.finding.rule
    assert f" {ruling.shortest_roll} " in found.finding.text
    assert found.finding.margin is not None
    assert found.finding.margin < 0


def test_the_compulsory_contact_is_compared_with_four_straight_ahead() -> None:
    """The move straight ahead may slide to four of B; the ruling has five."""
    found = worse("t9a/compulsory-contact")
    assert found is not None
    assert found.goals["t9a.align.target-models"] == (5.0, 4.0)
    assert (found.units["A"].x, found.units["A"].y) == pytest.approx((33.742205, 24.0), abs=1e-6)
    assert [step.kind for step in found.steps] == ["forward"]


@pytest.mark.parametrize(
    "name",
    [
        "align-corner",
        "cut-off-slide",
        "flank-corner-of-the-eye",
        "free-choice",
        "front-or-flank",
        "rear-rank-gap",
    ],
)
def test_no_legal_place_lies_between_the_ruling_and_the_next_best(name: str) -> None:
    """All first contacts of the whole facing are searched: none allows counts between those of ruling and contrast."""
    case, resolution = resolved(f"t9a/{name}")
    (ruling,) = resolution.rulings
    found = worse(f"t9a/{name}")
    assert found is not None
    units = case.state.units
    scene = Scene(
        case.state,
        units[ruling.charge.charger],
        units[ruling.charge.targets[0]],
        case.choices,
        case.book,
    )
    front = Front(scene, ruling.metrics["target_facing"])

    def everywhere(reached: Intervals) -> Intervals:
        return without([front.counting], [(low - 1e-4, high + 1e-4) for low, high in reached])

    places = front.places(
        reach(front.way, interest=everywhere, budget=Budget()).whole("ended").proven
    )
    slides = CriticalSlides.of(places, front.breakpoints, front.values)
    counts = {(float(theirs), float(own)) for theirs, own in zip(*slides.values, strict=True)}
    served, lower = zip(*(found.goals[goal.rule] for goal in front.goals), strict=True)
    assert max(counts) == served
    assert max(pair for pair in counts if pair < served) == lower


def test_the_way_to_the_edge_of_the_board_is_measured() -> None:
    """Five bases of 20 mm stand askew, 0.478 in from the edge: the corner reaches it after that length over the cosine
    of the way.
    """
    tables = tomllib.loads(
        (ROOT / "systems/t9a/scenarios/edge-of-the-board.toml").read_text("utf-8")
    )
    tables["units"]["A"] |= {"at": [69.65, 29.37], "facing_deg": 288}
    tables["units"]["B"] |= {"at": [69.56, 24.0], "facing_deg": 84}
    tables["charges"][0]["dice"] = [6]
    del tables["expect"]
    (found,) = tabletop.resolve(tabletop.read_case(tables)).rulings[0].contrast or ()
    ahead = math.radians(288)
    free = (72.0 - 69.65 - inches(50.0) * math.sin(-ahead)) / math.cos(ahead)
    assert (found.kind, found.finding.rule) == ("barred", "t9a.space.board")
    assert f"{free:.2f}" in numbers(found.finding.text)
    assert found.steps[0].length == pytest.approx(free, abs=1e-6)


def test_the_straight_move_of_two_games_is_barred_at_a_measured_length() -> None:
    """A corner an inch ahead and a way on is met after that way; the rule is that of the obstacle, and the margin its
    depth.
    """
    tables = tomllib.loads(
        (ROOT / "systems/conquest/scenarios/past-a-corner.toml").read_text("utf-8")
    )
    tables["units"]["X"]["at"] = [24.9, 15.0]
    del tables["expect"]
    (found, *_) = (
        one
        for one in tabletop.resolve(tabletop.read_case(tables)).rulings[0].contrast or ()
        if one.kind == "barred"
    )
    assert (found.finding.rule, found.steps[0].kind) == ("conquest.path.enemy", "advance")
    assert found.steps[0].length == pytest.approx(15.0 - 10.0 - 0.001, abs=1e-6)
    assert found.finding.margin == pytest.approx(24.0 - 21.9 + 0.0 - 4.2 - 0.001, abs=1e-6)
    (found, *_) = (one for one in contrasts_of("t9a/wheel-and-align") if one.kind == "barred")
    assert f"{found.steps[0].length:.2f}" in numbers(found.finding.text)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in GAMES
        if any(one.finding.rule == "conquest.failed.halt" for one in contrasts_of(name))
    ],
)
def test_a_failed_move_in_full_comes_too_near(name: str) -> None:
    """At some point of the whole length the gap to another body is what the contrast measures; the judge refuses to
    stand there.
    """
    case, resolution = resolved(name)
    (found,) = (one for one in contrasts_of(name) if one.finding.rule == "conquest.failed.halt")
    (ruling,) = resolution.rulings
    (step,) = found.steps
    judged = tabletop.judge(replace(case, proposal=dict(found.units)), resolution)
    assert (judged.outcome, judged.rule) == ("not_allowed", ruling.rule)
    assert step.length == ruling.metrics["roll"] > ruling.metrics["failed_move"]
    charger = case.state.units[ruling.charge.charger]
    bodies = [*case.state.units.values()]
    others = [
        unit.boundary.core
        for unit in bodies
        if unit.name not in (charger.name, *ruling.charge.targets)
    ]
    others += [piece.shape.core for piece in case.state.terrain]
    assert step.start is not None
    assert step.end is not None
    way = (step.end.x - step.start.x, step.end.y - step.start.y)
    swept = shapely.MultiPolygon(
        [charger.boundary.core, shapely.affinity.translate(charger.boundary.core, *way)]
    ).convex_hull
    least = min(shapely.distance(swept, other) for other in others)
    assert found.finding.measured is not None
    assert max(found.finding.measured, 0.0) == pytest.approx(least, abs=1e-6)


def test_a_failed_move_passes_the_corner_of_an_enemy_at_half_an_inch() -> None:
    """X stands half an inch beside the lane, and an inch must be left."""
    (found,) = contrasts_of("conquest/halted-by-a-corner")
    assert (found.finding.measured, found.finding.limit, found.finding.margin) == pytest.approx(
        (23.5 - 23.0, 1.0, -0.5)
    )


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("flank-by-a-hair", "front"),
        ("the-side-at-a-corner", "front"),
        ("turning-about-a-corner", None),
        ("past-a-corner", None),
    ],
)
def test_the_side_that_is_not_charged_is_next_in_area(name: str, other: str | None) -> None:
    """The areas of the charger beyond the lines from the corners of the target, cut out by Shapely, differ as the
    contrast says.
    """
    case, _ = resolved(f"conquest/{name}")
    found = next((one for one in contrasts_of(f"conquest/{name}") if one.kind == "other"), None)
    unit = case.state.units["B"]
    body = shapely.Polygon(case.state.units["A"].boundary.core)
    far = 100.0
    half = unit.width / 2
    depth = unit.depth
    front = [(-half, 0.0), (half, 0.0), (half + far, far), (-half - far, far)]
    right = [(half, 0.0), (half, -depth), (half + far, -depth - far), (half + far, far)]
    left = [(-across, ahead) for across, ahead in right]
    arcs = {"front": front, "right": right, "left": left}
    areas = {
        side: body.intersection(shapely.Polygon([unit.pose.point(*at) for at in ring])).area
        for side, ring in arcs.items()
    }
    second, first = sorted(areas.values())[1:]
    assert (found is None) is (other is None)
    if found is not None and other is not None:
        assert areas[other] == second
        assert (found.finding.measured, found.finding.limit) == pytest.approx(
            (second, first), abs=1e-6
        )


def test_a_side_that_no_wheel_reaches_is_not_charged() -> None:
    """Fifteen square inches are in the arc of the front, which is barred: the column's front is half an inch past that
    front's line.
    """
    (found,) = (one for one in contrasts_of("conquest/the-front-is-past") if one.kind == "barred")
    assert found.finding.rule == "conquest.facing.reach"
    assert {"15.00", "5.00"} <= set(numbers(found.finding.text))
    assert found.finding.mark is not None
    assert found.finding.mark.lines == (((39.0, 24.0), (33.0, 24.0)), ((40.0, 24.0), (40.0, 24.5)))
    assert numbers(mark_of(found).words) == ["0.5"]


def test_a_target_out_of_sight_is_seen_where_the_contrast_says() -> None:
    """Shifted by what is missing B is seen at 45 degrees; by a hundredth of an inch less it is not."""
    (found,) = contrasts_of("t9a/out-of-sight")
    assert found.finding.margin is not None
    tables = tomllib.loads((ROOT / "systems/t9a/scenarios/out-of-sight.toml").read_text("utf-8"))
    del tables["expect"]
    seen = []
    for shift in (found.finding.margin, found.finding.margin + 0.01):
        tables["units"]["B"]["at"] = [41.05 + shift, 23.0]
        seen.append(tabletop.resolve(tabletop.read_case(tables)).rulings[0].outcome)
    assert seen == ["success", "not_allowed"]


def test_a_failed_charge_made_first_leaves_no_room() -> None:
    """With A where its failed move would have ended, B can charge no more."""
    case, resolution = resolved("t9a/failed-charge-comes-last")
    (found,) = (one for one in resolution.rulings[0].contrast or () if one.kind == "barred")
    state = case.state.with_unit(case.state.units["A"].at(found.units["A"]))
    alone = tabletop.resolve(replace(case, state=state, charges=case.charges[1:], expect=()))
    assert (alone.rulings[0].outcome, alone.rulings[0].rule) == ("not_allowed", "t9a.declare.room")
    assert found.units["B"] == case.state.units["B"].pose
    assert found.finding.mark is not None
    east = max(x for line in found.finding.mark.limits for x, _ in line)
    assert numbers(mark_of(found).words) == [
        f"{east - state.units['A'].boundary.outline()[:, 0].min():.2f}"
    ]


def test_a_point_that_is_an_alternative_has_a_panel_of_its_own() -> None:
    """Of two charges the one made last is shown as if made first, and nothing of that on the picture before."""
    _, resolution = resolved("t9a/failed-charge-comes-last")
    panels = {panel.name: panel for panel in charge_panels(resolution)}
    assert list(panels) == ["before", "contrast", "after"]
    (words,) = (
        mark_of(one).words for one in resolution.rulings[0].contrast or () if one.kind == "barred"
    )
    texts = {
        name: [mark.text for mark in panel.marks if isinstance(mark, Label)]
        for name, panel in panels.items()
    }
    assert [name for name, told in texts.items() if any(words in text for text in told)] == [
        "contrast"
    ]


BARRED = ("t9a.space.board", "t9a.space.enemy", "t9a.space.friend", "t9a.space.impassable")


def is_barred_place(contrast: Contrast) -> bool:
    """Return whether a contrast is a place at the facing charged, beside an obstacle or the board's edge."""
    return (
        contrast.finding.rule in BARRED
        and bool(contrast.units)
        and not contrast.steps
        and contrast.facing is None
    )


@pytest.mark.parametrize(
    "name", [name for name in GAMES if any(map(is_barred_place, contrasts_of(name)))]
)
def test_the_judge_refuses_a_place_that_is_barred(name: str) -> None:
    """A claim of the place breaks the rule named, by the depth given to two decimals."""
    case, resolution = resolved(name)
    for found in contrasts_of(name):
        if is_barred_place(found):
            judged = tabletop.judge(replace(case, proposal=dict(found.units)), resolution)
            broken = next(one for one in judged.findings if one.rule == found.finding.rule)
            assert not broken.ok
            assert found.finding.measured is not None
            assert found.finding.measured == pytest.approx(broken.measured, abs=1e-9)
            assert f"{-found.finding.measured:.2f}" in numbers(mark_of(found).words)


@pytest.mark.parametrize(("name", "rule", "depth"), [
    ("cut-off-slide", "t9a.space.impassable", 36.0 + inches(62.5) - 38.165354),
    ("edge-of-the-board", "t9a.space.board", 70.3 + inches(50.0) - 72.0),
])  # fmt: skip
def test_the_place_that_an_obstacle_takes_is_measured(name: str, rule: str, depth: float) -> None:
    """Centred A ends inside the wall; with five of it in contact it reaches beyond the board's edge."""
    (found,) = (one for one in contrasts_of(f"t9a/{name}") if one.finding.rule == rule)
    assert found.finding.measured == pytest.approx(-depth, abs=1e-6)


def test_a_place_of_its_own_is_compared_with_the_one_beside_it() -> None:
    """Half a base aside of the one place with seven, six of B are touched; there is no leeway."""
    found = worse("t9a/isolated-best-slide")
    assert found is not None
    assert abs(found.units["A"].x - 36.0) == pytest.approx(inches(10.0), abs=1e-6)
    assert found.goals["t9a.align.target-models"] == (7.0, 6.0)


def test_on_a_dividing_line_the_other_facing_is_compared() -> None:
    """The flank is two bases deep; only two of B can be touched there."""
    found = worse("t9a/dividing-line")
    assert found is not None
    assert found.goals["t9a.align.target-models"] == (7.0, 2.0)
    assert found.facing is not None
    assert max(found.facing) == pytest.approx((34.0 + inches(70.0), 24.0))
    assert min(found.facing) == pytest.approx((34.0 + inches(70.0), 24.0 - inches(40.0)))


def test_the_hedge_bars_the_flank_by_its_depth() -> None:
    """Beside the end of the flank a front still overlaps the hedge, which goes on beyond; without it the flank is
    charged.
    """
    (found,) = (one for one in contrasts_of("t9a/blocked-path") if one.kind == "barred")
    assert found.finding.rule == "t9a.space.impassable"
    assert found.finding.measured == pytest.approx(24.0 - 24.1575)
    tables = tomllib.loads((ROOT / "systems/t9a/scenarios/blocked-path.toml").read_text("utf-8"))
    del tables["expect"], tables["terrain"]
    assert (
        tabletop.resolve(tabletop.read_case(tables)).rulings[0].metrics["target_facing"] == "right"
    )


def test_equal_wheels_are_given_with_both_ends() -> None:
    """From 43.06 to 55.18 degrees three stands reach: the ends are those that the worked example gives."""
    (found,) = (one for one in contrasts_of("conquest/the-least-turn") if one.kind == "equal")
    assert found.range is not None
    assert found.range.unit == "deg"
    assert found.range[:2] == pytest.approx((43.06, 55.18), abs=0.01)
    assert {"4.00", "5.43"} <= set(numbers(found.finding.text))


@pytest.mark.parametrize(
    "name", ["turning-about-a-corner", "the-side-at-a-corner", "inspire-wasted", "through-a-friend"]
)
def test_equal_wheels_are_not_given_where_none_is_made(name: str) -> None:
    """A charge straight ahead has no range of wheels that are as good."""
    assert not [one for one in contrasts_of(f"conquest/{name}") if one.kind == "equal"]


def test_the_players_own_wheel_is_told_as_his() -> None:
    """Fifty degrees were chosen by the player, by no option."""
    (found,) = (
        one for one in contrasts_of("conquest/the-players-own-wheel") if one.kind == "equal"
    )
    assert "50.00" in numbers(found.finding.text)


TECH = [name for name in NAMES if name.startswith("battletech/")]


def mechanisms(ruling: Ruling) -> dict[str, list[float]]:
    """Return the terms of the sums of a ruling, by the first word of their sentence."""
    return {
        one.finding.text.split()[0]: [term.value for term in one.terms]
        for one in ruling.contrast or ()
        if one.kind == "mechanism"
    }


def assert_equations_hold(ruling: Ruling) -> None:
    """Work the equations of a ruling out from left to right by their signs, rounding up at each equals sign."""
    for found in ruling.contrast or ():
        if not any(term.operator for term in found.terms):
            continue
        worked = found.terms[0].value
        for term in found.terms[1:]:
            sign = "+"
            for part in term.operator.split():
                if part == "=":
                    assert math.ceil(worked) == term.value, found.terms
                    worked = term.value
                    sign = part
                elif part.isdecimal():
                    worked = (
                        worked / int(part) if sign == "\N{DIVISION SIGN}" else worked * int(part)
                    )
                else:
                    sign = part
            if sign != "=":
                worked = {
                    "+": worked + term.value,
                    "\N{DIVISION SIGN}": worked / term.value,
                    "\N{MULTIPLICATION SIGN}": worked * term.value,
                }[sign]


def resolved_with(
    name: str, changes: Callable[[dict[str, Any]], object], dice: Sequence[int] | None = None
) -> Ruling:
    """Return the first ruling of a bundled BattleTech scenario of which some keys were changed; faces beyond those
    given are 4.
    """
    tables = tomllib.loads((ROOT / f"systems/battletech/scenarios/{name}.toml").read_text("utf-8"))
    del tables["expect"]
    tables["charges"][0].pop("dice", None)
    changes(tables)
    return tabletop.resolve(
        tabletop.read_case(tables), dice=[*(dice or ()), *(4,) * 80], fill=True
    ).rulings[0]


@pytest.mark.parametrize(
    "name", [name for name in TECH if any(one.kind == "mechanism" for one in contrasts_of(name))]
)
def test_the_sums_of_a_hit_end_at_the_numbers_of_the_ruling(name: str) -> None:
    """Damage is a tenth of the tons for each hex, rounded up; CF, MP and hexes are added up; the last term is a
    metric.
    """
    (ruling,) = resolved(name)[1].rulings
    metrics = ruling.metrics
    assert_equations_hold(ruling)
    for word, values in mechanisms(ruling).items():
        if word == "Damage,":
            assert values[2] == math.ceil(values[0] * values[1] / 10)
            assert metrics["damage_target"] in values
            assert values[-1] == metrics.get("damage_through", metrics["damage_target"])
        elif word == "Damage":
            assert values[-1] == metrics["damage_charger"]
        else:
            ends = {"CF:": "building_cf", "MP:": "mp_spent", "Hexes": "hexes_entered"}
            assert sum(values[:-1]) == values[-1] == metrics[ends[word]]


def test_a_building_absorbs_a_part_of_the_damage_and_loses_as_much() -> None:
    """Of the 26 points the building absorbs 21, and 5 reach the target; 7 more CF go as the charger enters."""
    (ruling,) = resolved("battletech/behind-a-wall")[1].rulings
    assert mechanisms(ruling) == {"Damage,": [65, 4, 26, -21, 5], "CF:": [40, -21, -7, 12]}


def test_a_bulldozer_doubles_and_halves() -> None:
    """Eighteen points become thirty-six, of its own six it takes three, and the stones that fall count in full."""
    (ruling,) = resolved("battletech/a-wall-comes-down")[1].rulings
    assert mechanisms(ruling) == {
        "Damage,": [60, 3, 18, 36],
        "Damage": [60, 6, 3],
        "CF:": [80, -36, -6, 38],
    }
    (ruling,) = resolved("battletech/into-the-depot")[1].rulings
    assert mechanisms(ruling) == {"Damage,": [80, 2, 16], "CF:": [60, -16, -8, 36]}


def test_other_readings_change_the_sums() -> None:
    """Rounded for each ten tons, halved under water, a building that falls: the ends are the metrics again."""
    ruling = resolved_with(
        "behind-a-wall",
        lambda tables: tables.update(rules={"damage_rounding": "per_ten"}),
        dice=[4, 4],
    )
    assert_equations_hold(ruling)
    assert mechanisms(ruling)["Damage,"] == [
        65,
        7,
        4,
        28,
        -ruling.metrics["absorbed"],
        ruling.metrics["damage_through"],
    ]

    def sunk(tables: dict[str, Any]) -> None:
        tables["rules"] = {"submerged_charger": "halved"}
        tables["terrain"] = [{"name": "Lake", "kind": "water", "hexes": ["0505"], "depth": 2}]

    ruling = resolved_with("struck-from-the-side", sunk, dice=[6, 6])
    assert_equations_hold(ruling)
    assert mechanisms(ruling) == {"Damage,": [60, 3, 2, 9], "Damage": [40, 2, 2]}
    assert (ruling.metrics["damage_target"], ruling.metrics["damage_charger"]) == (9, 2)
    ruling = resolved_with("a-wall-comes-down", lambda tables: tables["terrain"][0].update(cf=30))
    assert mechanisms(ruling)["CF:"] == [30, -30, 0]
    assert ruling.metrics["building_cf"] == 0
    ruling = resolved_with("a-wall-comes-down", lambda tables: tables["terrain"][0].update(cf=40))
    assert mechanisms(ruling)["CF:"] == [40, -36, -4, 0]
    assert ruling.metrics["building_cf"] == 0


@pytest.mark.parametrize(
    "name", [name for name in TECH if any(one.kind == "other" for one in contrasts_of(name))]
)
def test_the_next_best_path_is_the_second_of_all(name: str) -> None:
    """The search lists all paths, the best first: the contrast's is the second."""
    case, resolution = resolved(name)
    (found,) = (one for one in contrasts_of(name) if one.kind == "other")
    listed = tabletop.resolve(replace(case, detail=True)).rulings[0].metrics["all_paths"]
    board = Table.of(case).board
    path = [
        number(board.hex_at(step.end.at))
        for step in found.steps
        if step.kind == "enter" and step.end is not None
    ]
    assert path == listed[1] != listed[0]
    assert listed[0] == resolution.rulings[0].metrics["path_hexes"]
    assert found.goals["battletech.path.best"] == (len(listed[0]), len(listed[1]))


@pytest.mark.parametrize(
    ("place", "walk", "run", "said"),
    [
        ("0604", 3, 5, ["0505", "1", "2"]),
        ("0603", 4, 5, ["0505", "0604", "1"]),
        ("0603", 3, 5, ["0505", "0604", "5", "4"]),
        ("0504", 4, 6, ["0505", "0404"]),
        ("0406", 3, 5, ["0", "1"]),
    ],
)
def test_the_next_best_path_comes_second_for_a_reason(
    place: str, walk: int, run: int, said: list[str]
) -> None:
    """On open ground a path comes second as it enters fewer hexes, runs, costs more or has the greater hex numbers."""

    def moved(tables: dict[str, Any]) -> None:
        tables["terrain"] = []
        tables["units"]["B"]["hex"] = place
        tables["units"]["A"] |= {
            "hex": "0506",
            "profile": {"type": "mech", "tons": 60, "walk": walk, "run": run},
        }

    (found,) = (
        one for one in resolved_with("one-mp-short", moved).contrast or () if one.kind == "other"
    )
    assert numbers(found.finding.text) == said


def test_the_straight_run_ends_where_mp_are_missing() -> None:
    """Two MP for two hexes, two for the woods, three there: the run ends before the woods, in hex 0505."""
    (found,) = contrasts_of("battletech/one-mp-short")
    assert (found.kind, found.finding.rule) == ("barred", "battletech.declare.enough-mp")
    assert (found.finding.measured, found.finding.limit, found.finding.margin) == (1 + 1 + 2, 3, -1)
    board = Table.of(resolved("battletech/one-mp-short")[0]).board
    assert [number(board.hex_at(step.end.at)) for step in found.steps if step.end is not None] == [
        "0506",
        "0505",
    ]
    assert board.hex_at(found.units["A"].at) == (5, 5)


def test_the_straight_run_ends_before_a_cliff() -> None:
    """Four levels are two too many; a cliff on the way breaks another rule than one under the target."""
    (found,) = contrasts_of("battletech/a-cliff-too-high")
    assert (found.kind, found.finding.rule) == ("barred", "battletech.declare.level-difference")
    assert (
        found.finding.measured,
        found.finding.limit,
        found.finding.margin,
        len(found.steps),
    ) == (4, 2, -2, 1)


def test_a_miss_may_not_go_up_the_cliff() -> None:
    """The hex on the declared side is three levels up; the judge does not let the charger stand there."""
    case, resolution = resolved("battletech/past-the-cliff")
    (found,) = (one for one in contrasts_of("battletech/past-the-cliff") if one.kind == "barred")
    assert (found.finding.measured, found.finding.limit, found.finding.margin) == (3, 2, -1)
    judged = tabletop.judge(replace(case, proposal=dict(found.units)), resolution)
    assert (found.finding.rule, judged.outcome) == ("battletech.miss.placement", "not_allowed")


def test_a_roll_not_to_fall_is_not_the_one_to_hit() -> None:
    """The charger fell, needing 6; that 5 or more would have hit is no alternative to that."""
    (ruling,) = resolved("battletech/shot-down-on-the-run")[1].rulings
    assert (ruling.rule, ruling.contrast) == ("battletech.weapon.charger-fell", ())
    missed = contrasts_of("battletech/past-the-cliff")
    assert [one.kind for one in missed] == ["missing", "barred"]


def test_a_skid_goes_up_no_hill() -> None:
    """The slope before the charger is a level high, and none is allowed."""
    (found,) = (one for one in contrasts_of("battletech/stopped-by-a-hill") if one.kind == "barred")
    assert (
        found.finding.rule,
        found.finding.measured,
        found.finding.limit,
        found.finding.margin,
    ) == (
        "battletech.unusual.hill",
        1,
        0,
        -1,
    )


def barred_loose(outcome: str) -> list[str]:
    """Return the scenarios of loose models with an outcome and a barred alternative."""
    return [
        name
        for name in LOOSE
        if barred(name) is not None and resolved(name)[1].rulings[0].outcome == outcome
    ]


@pytest.mark.parametrize("name", barred_loose("success"))
def test_the_judge_refuses_what_is_barred_by_the_rule_named(name: str) -> None:
    """A claim with the model where it tried to go is refused by the rule of the contrast, with the number given."""
    case, resolution = resolved(name)
    found = barred(name)
    assert found is not None
    judged = tabletop.judge(replace(case, proposal=dict(found.units)), resolution)
    assert (judged.outcome, judged.rule) == ("not_allowed", found.finding.rule)
    measured = [
        one.measured
        for one in judged.findings
        if not one.ok and one.rule == found.finding.rule and one.measured is not None
    ]
    assert any(one == pytest.approx(found.finding.measured) for one in measured)
    assert found.finding.margin is not None
    assert found.finding.margin < 0.0


@pytest.mark.parametrize("name", barred_loose("failed"))
def test_what_a_failed_charge_would_do_breaks_the_rule_by_which_it_fails(name: str) -> None:
    """The ends keep every limit that the judge asks about before the one that made the charge fail."""
    case, resolution = resolved(name)
    found = barred(name)
    (ruling,) = resolution.rulings
    assert found is not None
    assert found.finding.rule == ruling.rule
    scene = scene_of(
        resolution.before,
        ruling.charge.charger,
        ruling.charge.targets,
        choices=case.choices,
        book=case.book,
    )
    ends = claimed_ends(
        scene,
        found.units[ruling.charge.charger],
        distance=ruling.metrics["charge_distance"],
        hand=0.0,
    )
    broken = [one for one in MoveCheck(ends).findings() if not one.ok]
    assert {one.rule for one in broken} == {found.finding.rule}
    assert found.finding.measured in [one.measured for one in broken]


def test_the_last_model_would_leave_its_mates() -> None:
    """Five models are where they are claimed; between C and model 4, 5.2498 in off, two bases of 32 mm leave 2.73
    in.
    """
    found = barred("wh40k/judged-in-six-moves")
    assert found is not None
    assert (found.finding.rule, found.finding.limit) == ("wh40k.possible.coherency", 2.0)
    assert found.finding.measured == pytest.approx(
        math.hypot(3.4, 4.0) - 2.0 * inches(32.0), abs=1e-6
    )
    assert mark_of(found).words == "2.73 in apart, at most 2 in"
    assert [step.model for step in found.steps] == [5]


def test_without_a_judgement_alternatives_are_to_the_resolved_places() -> None:
    """Of the resolved places another model is held back than of those claimed, and shorter moves would do."""
    (ruling,) = tabletop.resolve("wh40k/judged-in-six-moves").rulings
    assert [(one.kind, one.heading) for one in ruling.contrast or ()] == [
        ("barred", "Straight ahead"),
        ("worse", "Shortest moves"),
    ]


def test_a_judge_without_a_verdict_leaves_alternatives_to_the_resolved_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The report that the error holds has the ruling with its contrasts."""
    resolution = tabletop.resolve("wh40k/judged-in-six-moves")

    def undecided(*_: Any, **__: Any) -> Any:
        raise tabletop.NoVerdictError("not known")

    monkeypatch.setattr(api, "_judged", undecided)
    with pytest.raises(tabletop.NoVerdictError) as stopped:
        api.answer("wh40k/judged-in-six-moves")
    assert stopped.value.report is not None
    assert stopped.value.report.judgement is None
    assert stopped.value.report.resolution.rulings[0].contrast == resolution.rulings[0].contrast


def test_three_bases_leave_gaps_of_three_inches() -> None:
    """Nine inches lie between the two ranges: three bases of an inch in a line leave two gaps of three inches."""
    found = barred("wh40k/chain-too-short")
    assert found is not None
    assert found.finding.rule == "wh40k.possible.coherency"
    assert found.finding.measured == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("name", "measured"),
    [
        ("bystander-in-the-way", math.hypot(1.2, 1.5) - 1.0),
        ("past-a-bystander", math.hypot(0.2, 1.5) - 1.0),
        ("two-zones-that-never-meet", (4.2 - 1.0) / 2.0 - 0.5),
        ("walker-turns", 7.0 - inches(70.0) / 2.0 + 2.0),
        ("through-friends-and-turned", 3.0 - inches(42.0 + 32.0) / 2.0),
        ("held-back-by-coherency", 6.0),
    ],
)
def test_the_number_of_a_barred_move_is_that_of_the_table(name: str, measured: float) -> None:
    """Worked out by hand from the places in the file."""
    found = barred(f"wh40k/{name}")
    assert found is not None
    assert found.finding.measured == pytest.approx(measured, abs=1e-6)


def test_a_hull_beside_its_position_has_contrasts_and_a_second_opinion() -> None:
    """The position of a hull need not lie inside it: straight ahead after a quarter turn is 9 in, and the turn
    costs 2.
    """
    hull = {"hull": [[6, 1.5], [6, -1.5], [3, -1], [3, 1]], "profile": {"keywords": ["vehicle"]}}
    units = {
        "A": {"side": "blue", "at": [[15, 20]], **hull},
        "T": {"side": "red", "at": [[27, 20]], "facing_deg": 90, **hull},
    }
    charges = [{"charger": "A", "targets": ["T"], "dice": [6, 4]}]
    tables = {
        "system": "wh40k",
        "board": {"width": 44, "depth": 40},
        "units": units,
        "charges": charges,
    }
    (ruling,) = tabletop.resolve(tabletop.read_case(tables), second_opinion=True).rulings
    turned = next(one for one in ruling.contrast or () if one.kind == "barred")
    assert [term.value for term in turned.terms] == pytest.approx([9.0, 2.0, 11.0])


def test_without_the_barricade_the_charge_would_fail() -> None:
    """The same roll on a table without the barricade fails, for lack of the inches that the contrast names."""
    case, _ = resolved("wh40k/across-a-barricade")
    (found,) = contrasts_of("wh40k/across-a-barricade")
    (bare,) = tabletop.resolve(replace(case, state=replace(case.state, terrain=()))).rulings
    assert (found.kind, found.finding.rule, bare.outcome) == (
        "other",
        "wh40k.terrain.barricade",
        "failed",
    )
    assert found.finding.limit == pytest.approx(bare.metrics["needed_distance"])


def test_a_table_without_the_barricade_is_drawn_without_it() -> None:
    """The alternative is another table, and the only picture of the three on which the barricade is missing."""
    panels = charge_panels(resolved("wh40k/across-a-barricade")[1])
    assert [
        panel.name
        for panel in panels
        if not any(mark.role.startswith("terrain") for mark in panel.marks)
    ] == ["contrast"]


def test_nothing_is_told_where_the_search_for_the_ruling_was_left_open() -> None:
    """With no time to prove that no move brings more models into contact there is no alternative."""
    case, resolution = resolved("wh40k/ten-against-ten")
    (ruling,) = resolution.rulings
    move = ruling.attempt.move
    more = replace(move, plan=replace(move.plan, most_contacts=10))
    open_one = replace(ruling, attempt=replace(ruling.attempt, move=more))
    kept = replace(resolution, rulings=(open_one,))
    assert list(case.system.contrasts(case, kept, open_one, budget=Budget())) == []


@pytest.mark.parametrize(
    "name",
    [
        "t9a/compulsory-contact",
        "t9a/wheel-and-align",
        "conquest/past-a-corner",
        "wh40k/between-two-zones",
        "wh40k/bystander-in-the-way",
        "wh40k/chain-too-short",
        "wh40k/past-a-bystander",
        "wh40k/walker-turns",
    ],
)
def test_contrasts_do_not_depend_on_how_the_table_lies(name: str) -> None:
    """On the mirrored table the same alternatives are worse or barred by the same rules and numbers."""
    case = tabletop.read_case(name)
    there = tabletop.resolve(mirrored_case(case)).rulings[0].contrast or ()
    here = tabletop.resolve(case).rulings[0].contrast or ()
    assert [(one.kind, one.finding.rule, one.goals) for one in there] == [
        (one.kind, one.finding.rule, one.goals) for one in here
    ]
    assert [one.finding.measured for one in there] == [
        one.finding.measured
        if one.finding.measured is None
        else pytest.approx(one.finding.measured)
        for one in here
    ]


def test_no_contrast_is_claimed_where_a_limit_ends_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The next best place may be one that was not looked at, so the key is absent; for the whole search it is a
    list.
    """
    case, resolution = resolved("t9a/judged-contact-lost")
    (ruling,) = resolution.rulings
    with pytest.raises(tabletop.NoVerdictError):
        list(case.system.contrasts(case, resolution, ruling, budget=Budget(work=0)))
    search = type(case.system).contrasts

    def hurried(*given: Any, budget: Budget) -> Any:
        return search(*given, budget=replace(budget, work=0))

    monkeypatch.setattr(type(case.system), "contrasts", hurried)
    left = tabletop.resolve(case)
    assert left.rulings[0].contrast is None
    assert "contrast" not in left.to_dict()["rulings"][0]
    assert "contrast" in resolution.to_dict()["rulings"][0]


def test_contrasts_are_left_out_on_request() -> None:
    """None where they were not asked for, and no key in the result."""
    plain = tabletop.resolve("t9a/compulsory-contact", contrast=False)
    assert plain.rulings[0].contrast is None
    assert "contrast" not in json.dumps(plain.to_dict())

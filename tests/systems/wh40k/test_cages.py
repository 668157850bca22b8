"""Models with hardly any room: they stay, or end a hair closer, and the others are placed around them; no search is
taken for a proof.
"""

from typing import Any

import pytest

from systems.wh40k.feasibility import problem_of
from tabletop.placement.branch_and_bound import may_come_closer
from tabletop.placement.candidates import Solver, confinement_radius
from tests.systems.said import numbers
from tests.systems.wh40k.tables import Spots, case, chances, ends, piece, ruling, unit, verdict
from tests.systems.wh40k.test_regions import scene_of_case

PAIR: Spots = [(-10, 0), (-10, 2.25)]
FOE = {"T": unit([(-5.5, 1)])}


def cage(
    play: float, x: float = -10.0, y: float = 2.25, names: str = "NSWE", sides: str = "NSWE"
) -> tuple[dict[str, Any], ...]:
    """Make four walls around a disc of 1 in that leave it so many inches of play to each side, or only some of them."""
    near = 0.5 + play
    far = 0.8 + play
    walls = {
        "N": (x - 0.9, y + near, x + 0.9, y + far),
        "S": (x - 0.9, y - far, x + 0.9, y - near),
        "W": (x - far, y - 0.5, x - near, y + 0.5),
        "E": (x + near, y - 0.5, x + far, y + 0.5),
    }
    return tuple(
        piece("impassable", *walls[side], name=f"Wall {name}", height=5)
        for side, name in zip("NSWE", names, strict=True)
        if side in sides
    )


@pytest.mark.parametrize("play", [0.03, 0.02])
@pytest.mark.parametrize("scope", ["all", "moved"])
def test_others_are_placed_around_a_model_in_a_cage(play: float, scope: str) -> None:
    """The nearest place to T is a hair too far from the caged model: the other goes where both are near."""
    asked: dict[str, Any] = {"total": 12, "terrain": cage(play), "rules": {"closer_scope": scope}}
    found = ruling(unit(PAIR), FOE, **asked)
    assert (found.outcome, found.metrics["needed"], found.metrics["models_in_base_contact"]) == (
        "success",
        3,
        0,
    )


@pytest.mark.parametrize("scope", ["all", "moved"])
def test_a_hair_closer_in_a_cage_is_legal(scope: str) -> None:
    """The caged model at 0.016 in from where it began: it has moved, and closer."""
    asked: dict[str, Any] = {"total": 12, "terrain": cage(0.03), "rules": {"closer_scope": scope}}
    assert verdict([(-7.4, 1.6), (-9.985, 2.245)], unit(PAIR), FOE, **asked).outcome == "success"


@pytest.mark.parametrize(("play", "total"), [(0.02, 3), (0.02, 12), (0.1, 3)])
@pytest.mark.parametrize("scope", ["all", "moved"])
def test_a_dead_end_does_not_end_a_charge(play: float, total: int, scope: str) -> None:
    """Open only away from T: the model stays, or takes the little room there is, or comes out where the roll is
    long.
    """
    found = ruling(
        unit(PAIR), FOE, total=total, terrain=cage(play, sides="NSE"), rules={"closer_scope": scope}
    )
    assert (found.outcome, found.metrics["needed"]) == ("success", 3)


def test_two_in_cages_are_served_by_one() -> None:
    """The only place from which the third engages T within 2 in of both is taken."""
    three = unit([*PAIR, (-10, -2.25)])
    walls = (*cage(0.02), *cage(0.02, y=-2.25, names="ABCD"))
    found = ruling(
        three, {"T": unit([(-6.0, 0)])}, total=12, terrain=walls, rules={"closer_scope": "all"}
    )
    assert (found.outcome, found.metrics["needed"]) == ("success", 2)


def test_who_is_out_of_reach_of_a_cage_fails_at_any_roll() -> None:
    """A caged model and T are too far apart for one link: that is proved by how far a cage lets it go."""
    found = ruling(unit(PAIR), {"T": unit([(-4, 0)])}, total=12, terrain=cage(0.02))
    assert (found.outcome, found.rule, found.proof) == (
        "failed",
        "wh40k.possible.coherency",
        "tolerance",
    )


def test_what_is_not_known_of_a_small_room_is_no_failure() -> None:
    """A whole larger unit with one model in a cage: those that reach T stand with it."""
    five: Spots = [*PAIR, (-11.2, 0), (-11.4, -1.2), (-12.4, 0)]
    found = ruling(unit(five), FOE, total=12, terrain=cage(0.02), rules={"closer_scope": "all"})
    assert found.outcome == "success"


@pytest.mark.parametrize(
    ("play", "sides", "room"),
    [(0.03, "NSWE", 0.05), (0.1, "NSWE", 0.2), (0.03, "NSE", float("inf"))],
)
def test_rings_tell_how_far_a_model_gets(play: float, sides: str, room: float) -> None:
    """A cage holds it within the least ring that it cannot get to; out of one with an open side it may come."""
    scene = scene_of_case(case(unit(PAIR), FOE, terrain=cage(play, sides=sides)))
    solver = Solver(problem_of(scene), 12.0)
    assert [confinement_radius(solver, mover, 24.0) for mover in (0, 1)] == [float("inf"), room]


@pytest.mark.parametrize(
    ("at", "is_closer"), [(-10.0, True), (-10.028, True), (-9.9705, True), (-9.97, False)]
)
def test_squares_tell_whether_a_caged_model_comes_closer(at: float, is_closer: bool) -> None:
    """In a cage of 0.03 in of play to each side: only up against the side next to T there is nothing left."""
    scene = scene_of_case(
        case(unit([(-12, 2.25), (at, 2.25)]), {"T": unit([(-5.5, 2.25)])}, terrain=cage(0.03))
    )
    assert may_come_closer(Solver(problem_of(scene), 12.0).legality, 1, 0.1) is is_closer


@pytest.mark.parametrize(
    ("play", "outcome", "chance"),
    [(0.0, "failed", "0"), (5e-6, "success", "35/36"), (5e-4, "success", "35/36")],
)
def test_the_least_room_is_told_alike_by_resolve_and_its_chances(
    play: float, outcome: str, chance: str
) -> None:
    """A hair of play is room to come closer, for the plan and for the proof that there is none."""
    found = ruling(unit(PAIR), FOE, total=12, terrain=cage(play), rules={"closer_scope": "all"})
    assert (found.outcome, str(found.chance_success)) == (outcome, chance)


@pytest.mark.parametrize("play", [0.02, 0.0008])
def test_what_resolve_does_with_hardly_any_room_is_judged_right(play: float) -> None:
    """Its ends are a legal proposal, also where there is less room than a hand's slack."""
    asked: dict[str, Any] = {"total": 3, "terrain": cage(play), "rules": {"closer_scope": "all"}}
    made: Spots = [(x, y) for x, y, _ in ends(unit(PAIR), FOE, **asked)]
    assert verdict(made, unit(PAIR), FOE, **asked).outcome == "success"


def test_a_least_distance_that_is_not_closed_is_told_as_a_range() -> None:
    """How far a cage lets a model go is known to its next ring only: what surely is too short, and what is enough."""
    found = ruling(unit(PAIR), FOE, total=12, terrain=cage(0.01))
    low, high = found.metrics["needed_distance_range"]
    assert "needed_distance" not in found.metrics
    assert 2.6 < low < high - 1e-3 < high < 2.62
    assert chances(unit(PAIR), FOE, total=12, terrain=cage(0.01)).metrics[
        "needed_distance_range"
    ] == [low, high]


def test_a_least_distance_that_is_closed_to_a_thousandth_is_told_as_one() -> None:
    """With twice the play the plan that is pulled tight comes within a thousandth of what is surely too short: 2.6098
    in.
    """
    found = ruling(unit(PAIR), FOE, total=12, terrain=cage(0.02))
    assert "needed_distance_range" not in found.metrics
    assert 2.6097 < found.metrics["needed_distance"] < 2.6108


def test_three_in_a_row_need_what_a_chain_at_full_stretch_does() -> None:
    """The ends of two links of 3 in engage targets 8 in apart: each must come to 6 - sqrt(3), and that is given to a
    thousandth.
    """
    row: Spots = [(0, 0), (0, 3), (0, 6)]
    found = ruling(
        unit(row), {"T": unit([(6, -1)]), "U": unit([(6, 7)])}, total=8, targets=("T", "U")
    )
    assert found.metrics["needed_distance"] == pytest.approx(6 - 3**0.5, abs=1e-3)
    assert "needed_distance_range" not in found.metrics


def test_a_failure_says_what_is_open_about_longer_rolls() -> None:
    """Three inches are proved too few, and four; the least that is known to do is told with what is known to be too
    little.
    """
    walls = cage(1e-4, x=-12.382, y=-1.477, sides="WE")
    failed = ruling(
        unit([(-10, 0), (-12.382, -1.477)]),
        {"T": unit([(-4.414363, 1.788798)])},
        total=3,
        terrain=walls,
        rules={"closer_scope": "all"},
    )
    assert (failed.outcome, failed.rule, failed.proof) == (
        "failed",
        "wh40k.possible.engage-all",
        "tolerance",
    )
    low, high = failed.metrics["needed_distance_range"]
    assert 4.0 <= low < high < failed.shortest_roll == 5
    (broken,) = (finding for finding in failed.findings if not finding.ok)
    assert {f"{low:.4f}", f"{high:.4f}"} <= set(numbers(broken.text))

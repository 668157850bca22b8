"""Two targets and somebody to keep away from between them: no plan is missed, and where none is possible that is
known.
"""

import pytest

from systems.wh40k.declare import declare
from systems.wh40k.feasibility import problem_of
from systems.wh40k.scene import Scene
from tabletop.api import resolve
from tabletop.budget import Budget
from tabletop.placement.branch_and_bound import PlaneSearch
from tabletop.placement.candidates import Solver
from tabletop.placement.search import best, find
from tabletop.ruling.system import Case
from tests.oracles.wh40k.scenes import QUICK_THEMES, THEMES, random_case
from tests.systems.wh40k.tables import Spots, case, piece, placed, ruling, unit

WIDE = "32mm round"


def scene_of(number: int, most: int = 5, themes: tuple[str, ...] = THEMES) -> Scene:
    """Return the scene of the only charge on a random table."""
    return scene_of_case(random_case(number, most=most, themes=themes))


def scene_of_case(one: Case) -> Scene:
    """Return the scene of the only charge of a case."""
    return declare(one, one.charges[0], one.state).scene


@pytest.mark.parametrize(("number", "distance"), [(204, 10.0), (204, 24.0), (233, 8.0), (233, 9.0)])
def test_that_links_cannot_join_two_who_keep_clear_of_others_is_proven(
    number: int, distance: float
) -> None:
    """Ranges that must be avoided, or ways around them, part the places from which two models engage a target each."""
    answer = find(Solver(problem_of(scene_of(number))).at(distance), budget=Budget())
    assert (answer.plan, answer.proof) == (None, "tolerance")


@pytest.mark.parametrize(
    ("number", "distance", "is_single"),
    [(64, 9.0, False), (326, 8.0, True)],
    ids=["any group", "centre on tops"],
)
def test_two_who_must_be_neighbours_are_one_group_whatever_the_choices(
    number: int, distance: float, *, is_single: bool
) -> None:
    """Two models are in one group if each must have a neighbour, and where no block stands it does not matter how tops
    hold them.
    """
    scene = scene_of(number, 2, QUICK_THEMES)
    answer = find(Solver(problem_of(scene), distance), budget=Budget())
    assert (scene.choices.single_group, scene.choices.support) == (is_single, "centre")
    assert (answer.plan, answer.proof) == (None, "tolerance")


def test_a_plan_found_for_the_least_distance_is_taken_where_none_is_found_anew() -> None:
    """At 10 in a plan is found only by pulling one tight whose models move farther: what is told to be needed is then
    what is done.
    """
    others = {
        "T": unit([(7.9, -1.47)]),
        "U": unit([(5.69, -4.84)], base=WIDE),
        "M": unit([(6.53, -1.65), (7.49, -2.49)]),
    }
    made = ruling(
        unit([(-0.04, 0.18), (-1.77, -0.55)], base=WIDE, keywords=["fly"]),
        others,
        total=10,
        targets=("T", "U"),
    )
    assert (made.outcome, made.metrics["needed"]) == ("success", 10)


def test_the_one_that_is_farther_away_may_have_to_take_the_nearer_target() -> None:
    """Within 10 in the nearer model must go round to the farther target's side: the other two places are out of reach
    together.
    """
    task = Solver(problem_of(scene_of(233))).at(10.0)
    plan = find(task, budget=Budget()).plan
    assert plan is not None
    assert PlaneSearch(task).least_distance(10.0) <= max(plan.lengths.values())


def test_contacts_are_found_around_any_two_of_a_few_models() -> None:
    """Of three flyers two get into contact if not those two engage the targets that have the shortest moves to them."""
    plan = best(Solver(problem_of(scene_of(311, most=3))).at(8.0), budget=Budget()).plan
    assert plan is not None
    assert len(plan.contacts) == 2


@pytest.mark.parametrize("number", [1, 33, 38, 41, 54])
def test_no_distance_is_called_too_short_for_which_there_is_a_plan(number: int) -> None:
    """Squares never promise less than a plan does: its longest move is no shorter than what they allow."""
    scene = scene_of(number)
    solver = Solver(problem_of(scene))
    regions = PlaneSearch(solver.at(12.0))
    plan = find(solver.at(12.0), budget=Budget()).plan
    assert (
        not regions.applies
        or plan is None
        or regions.least_distance(12.0) <= max(plan.lengths.values())
    )


UPPER: Spots = [(1.528, 0.764), (2.506, 0.764), (2.506, 4.609), (1.528, 4.088)]
LOWER: Spots = [(1.528, -0.466), (2.506, -0.466), (2.506, -4.937), (1.528, -3.724)]


@pytest.mark.parametrize(
    ("total", "rule"),
    [
        (5, "wh40k.possible.engage-all"),
        (6, "wh40k.possible.coherency"),
        (8, "wh40k.possible.coherency"),
        (9, None),
    ],
)
def test_who_is_held_up_at_a_gap_is_missed_by_who_is_engaged_beyond_it(
    total: int, rule: str
) -> None:
    """The wide model gets to 21.39 in at a gap of 1.23, the other, which passes it, no nearer than 24.58: 3.19 in, and
    links are 3.12.

    With five inches it does not get into range of both targets. Round the walls the wide one gets near enough with
    8.889 in: a taut string round their south ends to two inches from the nearest place, (25.58, 20.36), at which the
    other engages both.
    """
    walls = tuple(
        {"name": name, "kind": "impassable", "polygon": placed(some)}
        for name, some in (("Up", UPPER), ("Down", LOWER))
    )
    own = {
        "side": "blue",
        "models": [
            {"base": base, "at": at}
            for base, at in ((WIDE, [19.5, 18.544]), ("25mm round", [19.648, 20.0]))
        ],
    }
    others = {
        "T": unit([(6.637, 0.401)], base="28.5mm round"),
        "U": unit([(6.667, 2.354)], base="40mm round"),
    }
    found = resolve(case(own, others, total=total, targets=("T", "U"), terrain=walls)).rulings[0]
    assert (found.outcome, found.rule) == ("failed" if rule else "success", rule)


def test_who_cannot_come_out_of_a_pocket_in_time_leaves_the_unit() -> None:
    """Out of three walls and round a corner a model ends 5.7 in from the foe with its 5 in; a link and engagement
    bridge 5 in.
    """
    walls = tuple(
        {
            "name": name,
            "kind": "impassable",
            "height": 5.0,
            "rectangle": {"centre": at, "width": width, "depth": depth},
        }
        for name, at, width, depth in (
            ("North", [18.667, 22.343], 1.8, 0.3),
            ("South", [18.667, 20.843], 1.8, 0.3),
            ("East", [19.417, 21.593], 0.3, 1.0),
        )
    )
    found = ruling(
        unit([(0, 0), (-1.333, 1.593)]), {"T": unit([(5.714, 0.427)])}, total=5, terrain=walls
    )
    assert (found.outcome, found.rule) == ("failed", "wh40k.possible.coherency")


@pytest.mark.parametrize("kind", ["floor", "block"])
def test_a_gap_that_a_base_stands_across_is_no_way_down(kind: str) -> None:
    """Two models walk 4 in from one top to another 0.4 in away: a smaller disc would have to climb down and up."""
    near = piece(kind, -2, -2, 2, 4, height=3, name="Near")
    far = piece(kind, 2.4, -2, 9, 4, height=3, name="Far")
    charger = unit([(0, 0, 3), (0, 1.5, 3)], keywords=["infantry"])
    one = case(charger, {"T": unit([(6, 0, 3)])}, terrain=(near, far))
    solver = Solver(problem_of(scene_of_case(one))).at(4.0)
    plan = find(solver, budget=Budget()).plan
    assert plan is not None
    assert max(plan.lengths.values()) == pytest.approx(4.0)
    assert PlaneSearch(solver).least_distance(24.0) <= 4.0 + 1e-6

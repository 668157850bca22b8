"""Each way in which a search for loose models ends with a proof, on a table where no weaker bound tells as much.

`docs/proofs.md` lists them with what each compares.
"""

from typing import Any

import pytest

from systems.wh40k.feasibility import conditions_of, problem_of
from systems.wh40k.scene import Scene
from tabletop.budget import Budget, Proof
from tabletop.placement import branch_and_bound
from tabletop.placement.bounds import CoherencyBound, LeastMoves, SpanningTrees
from tabletop.placement.branch_and_bound import PlaneSearch, TurningSearch
from tabletop.placement.candidates import Solver
from tabletop.placement.problem import Condition
from tabletop.placement.search import best, find, least_distance
from tests.systems.wh40k.tables import Spots, case, piece, unit
from tests.systems.wh40k.test_cages import PAIR, cage
from tests.systems.wh40k.test_regions import scene_of, scene_of_case
from tests.systems.wh40k.test_turnings import beside_a_barricade

SILENCED: dict[str, tuple[Any, str, Any]] = {
    "straight lines": (LeastMoves, "in_straight_lines", 0.0),
    "a chain": (CoherencyBound, "spans_targets", True),
    "paths": (LeastMoves, "to_engage_all", 0.0),
    "company": (CoherencyBound, "allows", lambda *_: True),
    "cages": (branch_and_bound, "come_closer", lambda _: True),
    "trees": (SpanningTrees, "applies", False),
    "squares": (PlaneSearch, "applies", False),
    "turnings": (TurningSearch, "applies", False),
}
"""Bounds by which `find` answers that there is no plan, in their order, each with what makes it tell nothing."""

FOE = {"T": unit([(8, 0)])}
WALL = piece("impassable", 3, -3, 4, 3, height=5)


def scene(
    own: Spots, others: dict[str, Any], *, rules: dict[str, Any] | None = None, **more: Any
) -> Scene:
    """Return the scene in which A charges all the others."""
    return scene_of_case(case(unit(own), others, targets=tuple(others), rules=rules, **more))


def two(first: float, second: float, x: float = 6.0) -> dict[str, Any]:
    """Put two targets in a column."""
    return {"T": unit([(x, first)]), "U": unit([(x, second)])}


def caged() -> Scene:
    """Put one of two models into a cage against the side next to the target."""
    foe = {"T": unit([(-5.5, 2.25)])}
    return scene(
        [(-12, 2.25), (-9.97, 2.25)], foe, terrain=cage(0.03), rules={"closer_scope": "all"}
    )


NONE: list[tuple[str, Scene, float, Proof]] = [
    ("straight lines", scene([(0, 0)], FOE), 5.9, "exact"),
    ("a chain", scene([(0, 0), (0, 2)], two(-6, 8)), 12.0, "exact"),
    ("paths", scene([(0, 0)], FOE, terrain=(WALL,)), 6.2, "exact"),
    ("company", scene([(0, 0), (-6, 0)], {"T": unit([(6, 0)])}), 4.2, "exact"),
    ("cages", caged(), 6.0, "tolerance"),
    ("trees", scene([(0, 0), (-5, 3), (0, 6)], two(-1, 7)), 7.9, "tolerance"),
    ("squares", scene_of(233), 8.0, "tolerance"),
]
"""Tables without a plan: the bound that tells, the scene, the distance in inches, and the word."""


@pytest.mark.parametrize(("name", "scene", "distance", "word"), NONE, ids=[one for one, *_ in NONE])
def test_a_bound_tells_that_there_is_no_plan_where_those_before_it_do_not(
    name: str, scene: Scene, distance: float, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the bounds after it silenced the word is the same; without it nothing is proved."""
    assert answered(scene, distance, monkeypatch, after=name) == (None, word)
    monkeypatch.setattr(*SILENCED[name])
    assert answered(scene, distance, monkeypatch, after=name) == (None, "best_found")


def test_boxes_of_turned_places_tell_that_there_is_no_plan_where_no_other_bound_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An oval whose range is longer only across a barricade."""
    scene = beside_a_barricade()
    engaged = conditions_of("engaged")
    assert answered(scene, 3.0, monkeypatch, after="turnings", asked=engaged) == (None, "tolerance")
    monkeypatch.setattr(*SILENCED["turnings"])
    found = answered(scene, 3.0, monkeypatch, after="turnings", asked=engaged)
    assert found == (None, "best_found")


def answered(
    scene: Scene,
    distance: float,
    monkeypatch: pytest.MonkeyPatch,
    *,
    after: str,
    asked: frozenset[Condition] | None = None,
) -> tuple[object, str]:
    """Return the plan and the word of `find` with all bounds `after` one silenced."""
    names = list(SILENCED)
    for name in names[names.index(after) + 1 :]:
        monkeypatch.setattr(*SILENCED[name])
    solver = Solver(problem_of(scene))
    at_limit = solver.at(distance) if asked is None else solver.at(distance, asked)
    answer = find(at_limit, budget=Budget())
    return answer.plan, answer.proof


ROW: Spots = [(0, 0), (0, 3), (0, 6)]


@pytest.mark.parametrize(
    ("scene", "word"),
    [
        # both go straight ahead, and nobody has a shorter move into contact
        (scene([(0, 0), (0, 1.5)], two(0, 1.5, x=8.0)), "exact"),
        # a link at its limit between two who cannot both be in contact at their nearest places
        (scene([(0, 0), (0, 5)], two(0, 5, x=8.0)), "best_found"),
    ],
    ids=["moves alone", "a link at its limit"],
)
def test_the_best_plan_is_proved_where_counts_and_total_meet_their_bounds(
    scene: Scene, word: str
) -> None:
    """Both make two contacts, as many as can be; of the second the total stays above its bound."""
    answer = best(Solver(problem_of(scene), 12.0), budget=Budget())
    assert answer.plan is not None
    assert (len(answer.plan.contacts), answer.plan.most_contacts, answer.proof) == (2, 2, word)


@pytest.mark.parametrize(
    ("scene", "needed", "word"),
    [
        (scene([(0, 0)], FOE), 6.0, "exact"),
        (scene([(0, 0), (0, 2)], two(-6, 8)), float("inf"), "exact"),
        (scene(ROW, two(-1, 7)), 6.0 - 3.0**0.5, "tolerance"),
        (caged(), float("inf"), "tolerance"),
    ],
    ids=["a move", "no chain is long enough", "a chain at full stretch", "a cage"],
)
def test_a_least_distance_is_proved_where_a_plan_meets_its_bound(
    scene: Scene, needed: float, word: str
) -> None:
    """A plan at the bound is exact, one within a thousandth of it is told so, and a bound beyond all rolls needs no
    plan.
    """
    least = least_distance(Solver(problem_of(scene)), budget=Budget())
    assert least.distance == pytest.approx(needed, abs=1e-3)
    assert (least.proof, least.bound <= least.distance) == (word, True)


def test_a_least_distance_between_plan_and_bound_is_only_found() -> None:
    """Beside a cage that is open to one side the bound knows less than the plans do."""
    walls = cage(1e-4, x=-12.382, y=-1.477, sides="WE")
    own = [PAIR[0], (-12.382, -1.477)]
    foe = {"T": unit([(-4.414363, 1.788798)])}
    open_cage = scene(own, foe, terrain=walls, rules={"closer_scope": "all"})
    least = least_distance(Solver(problem_of(open_cage)), budget=Budget())
    assert least.proof == "best_found"
    assert least.bound < least.distance

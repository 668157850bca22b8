"""Two targets and somebody to keep away from between them: no plan is missed, and where none is possible that is known."""

import pytest

from systems.wh40k.arena import Arena
from systems.wh40k.declare import declare
from systems.wh40k.placing import best, find
from systems.wh40k.questions import Task
from systems.wh40k.regions import Regions
from systems.wh40k.scene import Scene
from systems.wh40k.yard import Yard
from tabletop.solve.budget import Budget
from tests.oracles.wh40k.scenes import random_case


def scene_of(number: int, most: int = 5) -> Scene:
    """Give the scene of the only charge on a random table."""
    one = random_case(number, most=most)
    return declare(one, one.charges[0], one.state).scene


@pytest.mark.parametrize(("number", "distance"), [(204, 10.0), (204, 24.0), (233, 8.0), (233, 9.0)])
def test_that_links_cannot_join_two_who_keep_clear_of_others_is_proven(number: int, distance: float) -> None:
    """Ranges that must be avoided, or ways around them, part the places from which two models engage a target each."""
    answer = find(Task(scene_of(number), distance), budget=Budget())
    assert (answer.plan, answer.proof) == (None, "tolerance")


def test_the_one_that_is_farther_away_may_have_to_take_the_nearer_target() -> None:
    """Within 10 in the nearer model must go round to the farther target's side: the other two places are out of reach together."""
    plan = find(Task(scene_of(233), 10.0), budget=Budget()).plan
    assert plan is not None
    assert Regions(Yard(Arena(Task(scene_of(233), 10.0)))).least_distance(10.0) <= max(plan.lengths.values())


def test_contacts_are_found_around_any_two_of_a_few_models() -> None:
    """Of three flyers two get into contact if not those two engage the targets that have the shortest moves to them."""
    plan = best(Task(scene_of(311, most=3), 8.0), budget=Budget()).plan
    assert plan is not None
    assert len(plan.contacts) == 2


@pytest.mark.parametrize("number", [1, 33, 38, 41, 54])
def test_no_distance_is_called_too_short_for_which_there_is_a_plan(number: int) -> None:
    """Squares never promise less than a plan does: its longest move is no shorter than what they allow."""
    scene = scene_of(number)
    regions = Regions(Yard(Arena(Task(scene, 12.0))))
    plan = find(Task(scene, 12.0), budget=Budget()).plan
    assert not regions.can_be_asked or plan is None or regions.least_distance(12.0) <= max(plan.lengths.values())

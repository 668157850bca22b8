"""A table that is turned, or seen in a mirror, is the same table: verdicts, counts and needed distances agree."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely

from systems.wh40k.declare import declare
from systems.wh40k.feasibility import problem_of
from tabletop.api import resolve
from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape
from tabletop.placement.candidates import Solver
from tabletop.placement.problem import Least
from tabletop.placement.search import least_distance
from tabletop.ruling.system import Case
from tabletop.table.models import Hull, Model, Squad
from tabletop.table.state import Board
from tests.oracles.wh40k.scenes import random_case, small_case

WIDE = 240.0
"""Width and depth in inches of a table on which another may be turned about its middle."""
COUNTS = ("models_in_base_contact", "models_engaged", "needed", "most_in_base_contact")
NEAR = 1e-3


def turned(case: Case, degrees: float, *, mirrored: bool = False) -> Case:
    """Turn a table about its middle, on a board that is wide enough, mirrored first if asked."""
    angle = math.radians(degrees)
    board = case.state.board
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    turn = turn @ np.diag([-1.0, 1.0]) if mirrored else turn

    def moved(at: FloatArray) -> FloatArray:
        return np.asarray((at - np.array([board.width, board.depth]) / 2.0) @ turn.T + WIDE / 2.0)

    def model(one: Model) -> Model:
        x, y = moved(np.array(one.pose.at)).tolist()
        base = one.base
        if mirrored and isinstance(base, Hull):
            base = Hull(tuple((ahead, -left) for ahead, left in reversed(base.points)))
        heading = math.pi - one.pose.heading if mirrored else one.pose.heading
        return replace(one, pose=Pose(x, y, heading + angle), base=base)

    def unit(one: Squad) -> Squad:
        return replace(one, models=tuple(map(model, one.models)))

    units = {name: unit(one) for name, one in case.state.units.items()}
    pieces = [(piece, shapely.transform(piece.shape.core, moved)) for piece in case.state.terrain]
    terrain = tuple(replace(piece, shape=Shape(core, piece.shape.radius)) for piece, core in pieces)
    return replace(
        case, state=replace(case.state, board=Board(WIDE, WIDE), units=units, terrain=terrain)
    )


@pytest.mark.parametrize(("degrees", "mirrored"), [(37, False), (180, True)])
@pytest.mark.parametrize("number", [5, 9, 12, 17, 20])
def test_verdicts_counts_and_needed_distances_agree(
    number: int, degrees: float, *, mirrored: bool
) -> None:
    """However the table lies."""
    one = random_case(number, most=4)
    told, again = (
        resolve(turned(one, by, mirrored=side)).rulings[0]
        for by, side in ((0.0, False), (degrees, mirrored))
    )
    assert (told.outcome, told.rule, told.proof) == (again.outcome, again.rule, again.proof)
    assert [told.metrics.get(name) for name in COUNTS] == [
        again.metrics.get(name) for name in COUNTS
    ]
    assert told.metrics.get("needed_distance") == pytest.approx(
        again.metrics.get("needed_distance"), abs=NEAR
    )


def least(case: Case) -> Least:
    """Look for the least distance at which the only charge of a table is possible."""
    return least_distance(
        Solver(problem_of(declare(case, case.charges[0], case.state).scene)), budget=Budget()
    )


@pytest.mark.slow
def test_two_models_are_pulled_tight_round_walls_however_the_table_lies() -> None:
    """Their paths lead round walls: the longest is made as short as can be along them, in every frame the same."""
    ways = ((0.0, False), (37.0, False), (0.0, True))
    found = [
        least(turned(small_case(7), degrees, mirrored=mirrored)).distance
        for degrees, mirrored in ways
    ]
    assert found == pytest.approx([12.0927] * 3, abs=1e-3)


@pytest.mark.slow
def test_the_least_distance_meets_its_bound_beside_walls() -> None:
    """Plans made anew within what is enough are pulled tight until no plan moves less far."""
    found = least(small_case(40))
    assert found.distance == pytest.approx(5.5259, abs=1e-3)
    assert found.proof == "tolerance"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "enough"), [(67, 4.3543), (81, 10.9176), (89, 8.068), (135, 7.547)]
)
def test_plans_beside_walls_are_pulled_as_tight_as_a_search_at_random_pulls_them(
    number: int, enough: float
) -> None:
    """What is enough by `tests/oracles/wh40k/relaxed.py`: models that are shifted stay on their side of the walls."""
    assert least(small_case(number)).distance <= enough + NEAR

"""Flights over what lies aslant: the shortest ends at no place that anything marks, and is found and proved."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from systems.wh40k.feasibility import ChargeFeasibility, problem_of
from tabletop.api import judge, odds, resolve
from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.placement.bounds import LeastMoves
from tabletop.placement.branch_and_bound import FlightSearch
from tabletop.placement.candidates import Solver
from tabletop.placement.contact_packing import line_bound
from tabletop.placement.search import best, find
from tabletop.ruling.system import Case
from tabletop.testing.answers import last_places
from tests.oracles.wh40k.flights import flights_held, over_blocks
from tests.systems.wh40k.laws import squares_held
from tests.systems.wh40k.tables import case, piece, placed, unit
from tests.systems.wh40k.test_regions import scene_of_case

TURN = 0.7
TOLD_TO = 1.1e-3
ALONE = [(0.0, 0.0)]
ABREAST = [(0.0, 0.6), (0.0, -0.6)]
ASIDE = [(0.0, 0.0), (0.0, 1.3)]


def over_a_block(
    x: float, turn: float, *, total: int = 12, start: list[tuple[float, float]] = ALONE
) -> Case:
    """Set up flyers before a block of 2 by 30 in, 4 in high, turned about (4, 0), and a target behind it at x."""
    corners = np.array([(-1.0, -15.0), (1.0, -15.0), (1.0, 15.0), (-1.0, 15.0)])
    turned: FloatArray = corners @ np.array(
        [[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]]
    )
    ring = placed([(4.0 + across, along) for across, along in turned.tolist()])
    return case(
        unit([*start], keywords=["fly", "infantry"]),
        {"T": unit([(x, 0.0)])},
        total=total,
        terrain=({"name": "Block", "kind": "block", "polygon": ring, "height": 4},),
        rules={"fly_ground_to_ground": "air"},
    )


@pytest.mark.parametrize(
    ("x", "turn", "needed", "distance"),
    [
        (8.0, 0.0, 12, 11.7481),
        (7.88, TURN, 12, 11.9856),
        (7.9, TURN, 12, 11.9916),
        (7.92, TURN, 12, 11.9977),
        (8.0, TURN, 13, 12.0223),
        (9.0, TURN, 13, 12.3825),
    ],
)
def test_the_least_flight_is_found_and_proved(
    x: float, turn: float, needed: int, distance: float
) -> None:
    """Of those aslant the best candidate place is 12.02 to 12.5 in away: by that one all of them need 13."""
    feasibility = ChargeFeasibility(scene_of_case(over_a_block(x, turn)), Budget())
    least = feasibility.least()
    assert least.distance == pytest.approx(distance, abs=TOLD_TO)
    assert least.bound <= least.distance <= least.bound + TOLD_TO
    assert least.proof == "tolerance"
    assert feasibility.needed_between == (needed, needed)


@pytest.mark.parametrize(
    ("x", "turn", "start", "needed"),
    [
        (8.0, 0.0, ABREAST, 12),
        (7.9, TURN, ASIDE, 12),
        (8.0, TURN, ASIDE, 13),
    ],
)
def test_two_flyers_over_a_block_know_what_they_need(
    x: float, turn: float, start: list[tuple[float, float]], needed: int
) -> None:
    """No roll was thought to be enough: a bound was asked of a limit at which no candidate place is within reach."""
    feasibility = ChargeFeasibility(scene_of_case(over_a_block(x, turn, start=start)), Budget())
    assert feasibility.needed_between == (needed, needed)
    assert feasibility.least().bound > needed - 1.0


def test_where_a_straight_flight_decides_squares_weaken_no_proof() -> None:
    """Of two flyers one has a tower before it: the other needs 6 in straight on, and that is exact."""
    tower = piece("block", 3.0, 1.2, 5.0, 3.0, height=6)
    one = case(
        unit([(0.0, 0.0), (0.0, 2.5)], keywords=["fly", "infantry"]),
        {"T": unit([(8.0, 0.0)])},
        terrain=(tower,),
        rules={"fly_ground_to_ground": "air", "single_group": False},
    )
    feasibility = ChargeFeasibility(scene_of_case(one), Budget())
    least = feasibility.least("apart")
    assert least.distance == pytest.approx(6.0)
    assert least.proof == "exact"
    solver = feasibility.solver.at(12.0)
    straight = math.hypot(8.0, 2.5) - 2.0
    assert LeastMoves(solver, flies_straight=True).in_air(1, [0]) == pytest.approx(straight)
    assert LeastMoves(solver).in_air(1, [0]) > straight + 0.1


@pytest.mark.parametrize(("x", "enough"), [(7.9, True), (8.0, False)])
def test_all_answers_know_the_least_flight(x: float, enough: bool) -> None:
    """The ruling on 12 in, the odds, and the judge of the place where the flyer ends."""
    one = over_a_block(x, TURN)
    resolved = resolve(one)
    (ruling,) = resolved.rulings
    told = odds(one).charges[0]
    assert ruling.proof == "tolerance"
    assert ruling.outcome == ("success" if enough else "failed")
    assert ruling.chances == told.chances == (Fraction(enough, 36), Fraction(enough, 36))
    outcomes = {total.total: total.outcome for total in told.by_total}
    assert outcomes == {**dict.fromkeys(range(2, 12), "failed"), 12: ruling.outcome}
    if enough:
        claimed = replace(one, proposal={"A": last_places(one, resolved)["A"]})
        assert judge(claimed, resolved).is_right
        assert judge(claimed).is_right


@pytest.mark.parametrize("start", [ALONE, ASIDE])
def test_a_limit_has_the_least_flight_too(start: list[tuple[float, float]]) -> None:
    """Asked at 12 in first there is a plan, at 11.98 in there is none, and that is proved."""
    solver = ChargeFeasibility(scene_of_case(over_a_block(7.9, TURN, start=start)), Budget()).solver
    for ask in (find, best):
        found = ask(solver.fresh(12.0), budget=Budget())
        assert found.plan is not None
        assert 11.9916 - TOLD_TO <= max(found.plan.lengths.values()) <= 12.0
        none = ask(solver.fresh(11.98), budget=Budget())
        assert none.plan is None
        assert none.proof == "tolerance"


def test_what_only_a_flight_brings_into_contact_counts() -> None:
    """Between the shortest flight into contact and that to a candidate place, contact is possible, and is found."""
    scene = scene_of_case(over_a_block(7.9, TURN))
    far = Solver(problem_of(scene)).at(24.0)
    flights = FlightSearch(far, 0, (0,), is_touching=True)
    nearest = far.shortest(0, far.options[0].candidates.touching)
    assert flights.least + 0.01 < nearest
    solver = far.fresh((flights.least + nearest) / 2.0)
    assert line_bound(solver, 0.05).most == 1
    found = best(solver, budget=Budget())
    assert found.plan is not None
    assert found.plan.contacts == (0,)
    assert found.proof == "tolerance"
    assert line_bound(far.fresh(flights.least - 0.05), 0.005).most == 0


@pytest.mark.parametrize("number", range(4))
def test_no_place_on_a_grid_is_nearer_than_what_is_proved(number: int) -> None:
    """Of single flyers over blocks at odd angles, by either kind of flight."""
    assert flights_held(number).complaints == []


@pytest.mark.parametrize("number", range(6))
def test_no_flight_of_the_whole_is_shorter_than_that_of_a_smaller_disc(number: int) -> None:
    """That is what the bound of a square compares: over blocks, through zones, to tops, floors and their edges."""
    assert squares_held(number).complaints == []


def test_blocks_of_random_tables_are_flown_over() -> None:
    """What the grid is asked of are flights that bend, and not only straight ones."""
    assert any(over_blocks(number).state.terrain for number in range(4))

"""A single oval base in any facing: what it cannot reach is proved, and nothing is called out of reach that a plan
reaches.
"""

from dataclasses import replace

import pytest

from systems.wh40k.declare import declare
from systems.wh40k.feasibility import conditions_of, problem_of
from systems.wh40k.scene import Scene
from tabletop.api import judge, resolve
from tabletop.budget import Budget
from tabletop.geometry.distance import gap
from tabletop.geometry.shape import disc
from tabletop.placement.branch_and_bound import TurningSearch
from tabletop.placement.candidates import Solver
from tabletop.placement.search import find
from tests.oracles.wh40k.plans import planned
from tests.systems.wh40k.tables import case, piece, unit

SMALL = {"base": "60x35mm oval", "facing_deg": 200}
LARGE = {"base": "75x42mm oval", "facing_deg": 200}


def beside_a_barricade() -> Scene:
    """Put a barricade beside the way of an oval to another: across it the range is 2 in, past it 1 in."""
    one = case(
        {**unit([(0.0, 0.0)]), **SMALL},
        {"T": {**unit([(6.9, -0.98)]), **LARGE}},
        total=3,
        terrain=(piece("barricade", 4.13, 0.63, 4.43, 2.18, height=1.0),),
    )
    return declare(one, one.charges[0], one.state).scene


def between_two_targets() -> Scene:
    """Put an oval between two others, too far apart for it to be engaged with both."""
    others = {
        "T": {**unit([(8.46, 4.67), (4.98, 2.47)]), **LARGE},
        "U": {**unit([(0.07, -3.94), (2.25, -5.24)]), **SMALL},
    }
    one = case(
        {**unit([(0.88, 1.77)]), **LARGE, "facing_deg": 0}, others, total=5, targets=("T", "U")
    )
    return declare(one, one.charges[0], one.state).scene


@pytest.mark.parametrize(
    "scene",
    [beside_a_barricade(), between_two_targets()],
    ids=["beside a barricade", "between two targets"],
)
def test_what_an_oval_cannot_engage_however_it_turns_is_proved(scene: Scene) -> None:
    """No place within 3 in, in any facing, is engaged, or none within 5 in with both: no search could be sure of
    that.
    """
    answer = find(
        Solver(problem_of(scene)).at(
            3.0 if len(scene.targets) == 1 else 5.0, conditions_of("engaged")
        ),
        budget=Budget(),
    )
    assert (answer.plan, answer.proof) == (None, "tolerance")


def test_an_oval_comes_nearest_with_its_tip_ahead() -> None:
    """Turned across, it must go as far as is left of 7 in once its half length, the disc's radius and the range are
    taken off.
    """
    one = case({**unit([(0.0, 0.0)]), **SMALL, "facing_deg": 90}, {"T": unit([(7.0, 0.0)])})
    turnings = TurningSearch(
        Solver(problem_of(declare(one, one.charges[0], one.state).scene)).at(6.0)
    )
    needed = 7.0 - 30.0 / 25.4 - 0.5 - 1.0
    assert needed - 0.1 < turnings.least_distance(6.0) <= needed
    assert turnings.least_distance(needed - 0.01) == needed - 0.01


def test_an_oval_turns_to_the_nearest_point_of_another() -> None:
    """Its tip meets the line from its middle to that point, not the one to the other's middle."""
    other = {**unit([(5.0, 2.0)]), **LARGE}
    one = case({**unit([(0.0, 0.0)]), **SMALL}, {"T": other})
    found = resolve(one).rulings[0]
    own, foe = (one.state.units[name].models[0] for name in "AT")
    apart = gap(disc(own.pose.at, 0.0), foe.footprint)
    assert found.metrics["needed_distance"] == pytest.approx(apart - 30.0 / 25.4 - 1.0, abs=1e-4)


@pytest.mark.parametrize(
    ("oval", "facing", "foes", "enough"),
    [
        (
            "75x42mm oval",
            201.1795280098659,
            [(1.140108, 6.265668, "32mm round", 0.0), (-2.525054, 5.846584, "32mm round", 0.0)],
            3.9978,
        ),
        (
            "60x35mm oval",
            4.284811433035252,
            [
                (6.286592, -0.203854, "32mm round", 0.0),
                (5.247473, 3.467971, "75x42mm oval", 181.06905279263898),
            ],
            3.9949,
        ),
    ],
)
def test_an_oval_turns_as_far_as_two_targets_need(
    oval: str, facing: float, foes: list[tuple[float, float, str, float]], enough: float
) -> None:
    """Less than 0.006 in of 4 are to spare, and in no facing towards a foe do they suffice: no verdict before."""
    units = {
        name: {**unit([(x, y)], base=base), **({"facing_deg": turn} if "oval" in base else {})}
        for name, (x, y, base, turn) in zip("TU", foes, strict=True)
    }
    attacker = unit([(0.0, 0.0)], base=oval, facing_deg=facing)
    one = case(attacker, units, total=4, targets=("T", "U"))
    answer = resolve(one)
    found = answer.rulings[0]
    assert (found.outcome, found.metrics["needed"]) == ("success", 4)
    assert found.metrics["needed_distance_range"][1] <= enough
    claim = replace(one, proposal={"A": planned(one, answer).place})
    assert judge(claim, answer).outcome == "success"

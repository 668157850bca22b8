"""Most in base contact, then most engaged: what is found, and what the word of proof speaks of."""

import math
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tabletop.api import judge, resolve
from tabletop.geometry.pose import Pose
from tabletop.placement.problem import End, Plan
from tabletop.scenario.reading import case_from_tables
from tests.systems.wh40k.tables import Spots, ruling, unit

FIVE: Spots = [(10, 14), (10, 15.6), (10, 17.2), (8.4, 14.8), (8.4, 16.4)]
THREE: Spots = [(18, 18), (18, 19.6), (19.4, 18.8)]
SIX_MOVES = Path(__file__).resolve().parents[3] / "systems/wh40k/scenarios/judged-in-six-moves.toml"
SIX = [[25.8, 15.9], [28.860275, 14.53687], [27.3, 17.2], [27.2, 20.45], [27.85, 23.6], [29.0349, 24.8098]]


def turned(spots: Spots, degrees: float, *, mirrored: bool) -> Spots:
    """Turn places about the middle of the two units, mirrored first if asked."""
    angle, side = math.radians(degrees), -1.0 if mirrored else 1.0
    aside = [(spot[0] - 13.0, side * (spot[1] - 17.0)) for spot in spots]
    return [(13.0 + x * math.cos(angle) - y * math.sin(angle), 17.0 + x * math.sin(angle) + y * math.cos(angle)) for x, y in aside]


@pytest.mark.parametrize(("degrees", "mirrored"), [(0, False), (37, False), (180, True), (271, True)])
def test_three_of_five_are_engaged_however_the_table_lies(degrees: float, mirrored: bool) -> None:
    """Two and three engaged are both plans with one in contact: three are found, and since no more can be, that is proved."""
    a = unit(turned(FIVE, degrees, mirrored=mirrored), base="32mm round")
    t = unit(turned(THREE, degrees, mirrored=mirrored), base="32mm round")
    found = ruling(a, {"T": t}, total=7, rules={"spare_models": "engage"})
    assert (found.metrics["models_in_base_contact"], found.metrics["models_engaged"], found.proof) == (1, 3, "exact")


def test_three_of_six_are_engaged() -> None:
    """The bundled six: a plan with two in contact and three engaged is right as claimed, and one is found."""
    tables = tomllib.loads(SIX_MOVES.read_text("utf-8"))
    tables["proposal"] = {"units": {"A": {"at": SIX, "order": [1, 5, 3, 2, 4, 0]}}}
    case = case_from_tables({key: value for key, value in tables.items() if key != "expect"})
    assert judge(case).outcome == "success"
    found = resolve(case).rulings[0]
    assert (found.metrics["models_in_base_contact"], found.metrics["models_engaged"], found.proof) == (2, 3, "exact")


def test_a_proof_speaks_of_every_counted_goal() -> None:
    """Exact only where both counts reach what none exceeds."""
    ends = {number: End(Pose(float(number), 0.0, 0.0)) for number in range(3)}
    plan = Plan(ends, dict.fromkeys(ends, 1.0), (0,), (0, 1), most_contacts=1, most_engaged=2)
    assert plan.proof == "exact"
    assert replace(plan, most_contacts=2).proof == "best_found"
    assert replace(plan, most_engaged=3).proof == "best_found"

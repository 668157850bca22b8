"""Contrasts: the alternative can be tried, and what is said against it is what the judge says, or what the next roll shows."""

import json
import math
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

import tabletop
from tabletop.ruling.contrast import Contrast
from tabletop.testing.answers import resolved
from tabletop.testing.motions import mirrored_case
from tabletop.units import inches
from tests.bundled import NAMES
from tests.systems.said import numbers

ROOT = Path(__file__).resolve().parents[1]
GAMES = [name for name in NAMES if name.startswith(("t9a/", "conquest/"))]


def contrasts_of(name: str) -> list[Contrast]:
    """Return the contrasts of a bundled scenario of one charge."""
    _, resolution = resolved(name)
    return [one for ruling in resolution.rulings if len(resolution.rulings) == 1 for one in ruling.contrast or ()]


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
    assert (judged.outcome, judged.rule) == ("not_allowed", found.rule)
    broken = next(one for one in judged.findings if not one.ok)
    here, there = found.goals[found.rule]
    if broken.limit is not None and there < here:
        assert (broken.measured, broken.limit) == (there, here)


@pytest.mark.parametrize("name", [name for name in NAMES if any(one.kind == "missing" for one in contrasts_of(name))])
def test_a_roll_that_is_missing_is_the_smallest_that_does(name: str) -> None:
    """The sentence names the shortest roll of the ruling, and the finding that decided has its margin."""
    (found,) = (one for one in contrasts_of(name) if one.kind == "missing")
    (ruling,) = resolved(name)[1].rulings
    assert ruling.rule == found.rule
    assert f" {ruling.shortest_roll} " in found.text
    assert found.margin is not None
    assert found.margin < 0


def test_the_compulsory_contact_is_compared_with_four_straight_ahead() -> None:
    """The move straight ahead may slide to four of B; the ruling has five."""
    found = worse("t9a/compulsory-contact")
    assert found is not None
    assert found.goals["t9a.align.target-models"] == (5.0, 4.0)
    assert (found.units["A"].x, found.units["A"].y) == pytest.approx((33.742205, 24.0), abs=1e-6)
    assert [step.kind for step in found.steps] == ["forward"]


def test_the_way_to_the_edge_of_the_board_is_measured() -> None:
    """Five bases of 20 mm stand askew, 0.478 in from the edge: the corner reaches it after that length over the cosine of the way."""
    tables = tomllib.loads((ROOT / "systems/t9a/scenarios/edge-of-the-board.toml").read_text("utf-8"))
    tables["units"]["A"] |= {"at": [69.65, 29.37], "facing_deg": 288}
    tables["units"]["B"] |= {"at": [69.56, 24.0], "facing_deg": 84}
    tables["charges"][0]["dice"] = [6]
    del tables["expect"]
    (found,) = tabletop.resolve(tabletop.read_case(tables)).rulings[0].contrast or ()
    ahead = math.radians(288)
    free = (72.0 - 69.65 - inches(50.0) * math.sin(-ahead)) / math.cos(ahead)
    assert (found.kind, found.rule) == ("barred", "t9a.space.board")
    assert f"{free:.2f}" in numbers(found.text)
    assert found.steps[0].length == pytest.approx(free, abs=1e-6)


def test_equal_wheels_are_given_with_both_ends() -> None:
    """From 43.06 to 55.18 degrees three stands reach: the ends are those that the worked example gives."""
    (found,) = (one for one in contrasts_of("conquest/the-least-turn") if one.kind == "equal")
    assert found.range is not None
    assert found.range.unit == "deg"
    assert found.range[:2] == pytest.approx((43.06, 55.18), abs=0.01)


@pytest.mark.parametrize("name", [name for name in NAMES if any(one.kind == "mechanism" for one in contrasts_of(name))])
def test_the_damage_of_a_hit_is_worked_out(name: str) -> None:
    """A tenth of the tons for each hex entered, rounded up, is the damage of the ruling; the last term is what reaches the target."""
    (found,) = (one for one in contrasts_of(name) if one.kind == "mechanism")
    (ruling,) = resolved(name)[1].rulings
    assert found.terms is not None
    values = [one.value for one in found.terms]
    assert values[2] == math.ceil(values[0] * values[1] / 10) == ruling.metrics["damage_target"]
    assert values[-1] == ruling.metrics.get("damage_through", values[2])


def test_a_building_absorbs_a_part_of_the_damage() -> None:
    """Of the 26 points the building absorbs 21, and 5 reach the target, as the worked example says."""
    (found,) = contrasts_of("battletech/behind-a-wall")
    assert [one.value for one in found.terms or ()][2:] == [26, 21, 5]


@pytest.mark.parametrize("name", ["t9a/compulsory-contact", "t9a/wheel-and-align", "conquest/past-a-corner"])
def test_contrasts_do_not_depend_on_how_the_table_lies(name: str) -> None:
    """On the mirrored table the same alternatives are worse or barred by the same rules and numbers."""
    case = tabletop.read_case(name)
    there = tabletop.resolve(mirrored_case(case)).rulings[0].contrast or ()
    here = tabletop.resolve(case).rulings[0].contrast or ()
    assert [(one.kind, one.rule, one.goals) for one in there] == [(one.kind, one.rule, one.goals) for one in here]


def test_contrasts_are_left_out_on_request() -> None:
    """None where they were not asked for, and no key in the result."""
    plain = tabletop.resolve("t9a/compulsory-contact", contrast=False)
    assert plain.rulings[0].contrast is None
    assert "contrast" not in json.dumps(plain.to_dict())

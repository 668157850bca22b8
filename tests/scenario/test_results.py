"""The answer as plain tables, key by key."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tabletop.api import judge, odds, resolve
from tabletop.ruling.verdict import SecondOpinion
from tabletop.scenario import case_from_text, read_case, result
from tabletop.scenario.results import odds_result
from tests.drill.files import march_json


def _result(changes: dict[str, Any] | None = None) -> dict[str, Any]:
    case = case_from_text(march_json(changes))
    resolution = resolve(case)
    return result(case, resolution, None if case.proposal is None else judge(case, resolution))


def test_a_result_has_the_keys_of_the_format_in_their_order() -> None:
    """The whole answer, a ruling, a finding and a step have exactly the keys that apply."""
    answer = _result()
    (ruling,) = answer["rulings"]
    assert list(answer) == ["format", "system", "edition", "title", "rulings", "after"]
    assert list(ruling) == [
        *(
            "charger",
            "targets",
            "outcome",
            "rule",
            "shortest_roll",
            "chance_success",
            "chance_success_fraction",
        ),
        *("findings", "metrics", "steps", "choices", "proof", "contrast"),
    ]
    assert ruling["findings"] == [
        {
            "rule": "drill.march",
            "ok": True,
            "measured": 6.0,
            "limit": 6.0,
            "margin": 0.0,
            "text": "How far it marches.",
        }
    ]
    assert ruling["steps"] == [
        {
            "kind": "forward",
            "unit": "A",
            "from": {"at": [20.0, 10.0], "facing_deg": 90.0},
            "to": {"at": [20.0, 16.0], "facing_deg": 90.0},
            "length": 6.0,
            "rules": ["drill.march"],
        }
    ]


def test_a_step_of_a_loose_model_tells_the_height_where_there_is_one() -> None:
    """Who steps up to a block starts at two numbers and ends at three; so the end can be claimed as it is written."""
    case = read_case("wh40k/onto-the-crate")
    steps = [
        step
        for step in result(case, resolve(case))["rulings"][0]["steps"]
        if step["kind"] == "move"
    ]
    assert [len(step["from"]["at"]) for step in steps] == [2, 2]
    assert [step["to"]["at"][2] for step in steps] == [1.5, 1.5]
    assert [step["to"]["at"] for step in steps] == [step["path"][-1] for step in steps]


def test_rule_and_shortest_roll_are_null_where_there_is_none() -> None:
    """`rule` and `shortest_roll` are in every ruling; other keys without a value are left out."""
    case = case_from_text(march_json())
    resolution = resolve(case)
    bare = replace(resolution.rulings[0], shortest_roll=None, choices=None)
    (ruling,) = result(case, replace(resolution, rulings=(bare,)))["rulings"]
    assert (ruling["rule"], ruling["shortest_roll"]) == (None, None)
    assert "choices" not in ruling


def test_chances_come_as_number_and_as_reduced_fraction() -> None:
    """A chance is printed twice."""
    (ruling,) = _result()["rulings"]
    assert (ruling["chance_success"], ruling["chance_success_fraction"]) == (0.5, "1/2")


def test_after_is_a_scenario_that_reads_back() -> None:
    """The table afterwards is a whole scenario without charges, expectations and proposal."""
    after = _result({"proposal": {"units": {"A": {"at": [20, 16], "facing_deg": 90}}}})["after"]
    assert not {"charges", "expect", "proposal"} & set(after)
    case = case_from_text(json.dumps(after))
    assert (case.state.units["A"].pose.at, case.state.units["A"].status) == (
        (20.0, 16.0),
        ("tired",),
    )


def test_a_judgement_is_there_only_with_a_proposal() -> None:
    """`judged` says the outcome, the rule, the findings, and what would be better where it is not right."""
    right = _result({"proposal": {"units": {"A": {"at": [20, 16], "facing_deg": 90}}}})["judged"]
    wrong = _result({"proposal": {"units": {"A": {"at": [20, 15], "facing_deg": 90}}}})["judged"]
    assert list(right) == ["outcome", "rule", "findings"]
    assert (wrong["outcome"], wrong["rule"]) == ("not_allowed", "drill.halt")
    assert wrong["better"] == {"A": {"at": [20.0, 16.0], "facing_deg": 90.0}}


def test_numbers_survive_json_exactly() -> None:
    """Floats are written with all their digits."""
    place = [20.1, 10.0 + 1 / 3]
    entry = json.loads(json.dumps(_result({"units/A/at": place})))
    assert entry["rulings"][0]["steps"][0]["from"]["at"] == place


def test_chances_have_the_keys_of_the_format() -> None:
    """Odds are told charge by charge and total by total, every chance as a fraction, and outcomes of all charges
    together.
    """
    answer = odds_result(odds(case_from_text(march_json())))
    (charge,) = answer["odds"]
    assert list(charge) == ["charger", "targets", "outcomes", "rules", "shortest_roll", "by_total"]
    assert list(charge["by_total"][0]) == [
        "total",
        "chance",
        "chance_fraction",
        "outcome",
        "outcomes",
    ]
    assert sum(total["chance"] for total in charge["by_total"]) == pytest.approx(1.0)
    assert answer["joint"] == {
        outcome: chance for outcome, chance in charge["outcomes"].items() if chance != "0"
    }


def test_a_second_opinion_has_the_keys_of_the_format() -> None:
    """The verdict, the goal in which the two differ, what both are worth, and where its units stand."""
    case = case_from_text(march_json({}))
    resolution = resolve(case)
    (ruling,) = resolution.rulings
    opinion = SecondOpinion(
        "exact_better",
        "drill.march",
        {"drill.march": (6.0, 5.5)},
        {"A": case.state.units["A"].pose},
    )
    (entry,) = result(
        case, replace(resolution, rulings=(replace(ruling, second_opinion=opinion),))
    )["rulings"]
    assert entry["second_opinion"] == {
        "verdict": "exact_better",
        "goal": "drill.march",
        "goals": {"drill.march": [6.0, 5.5]},
        "units": {"A": {"at": [20.0, 10.0], "facing_deg": 90.0}},
    }

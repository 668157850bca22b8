"""What `check` compares, and how closely."""

from typing import Any

import pytest

from tabletop.api import judge, resolve
from tabletop.errors import ScenarioError
from tabletop.scenario import case_from_text
from tabletop.scenario.expectations import differences
from tabletop.scenario.reading import case_from_tables
from tests.drill.files import REMOVED, march_json
from tests.messages import untold

PROPOSAL = {"units": {"A": {"at": [20, 15], "facing_deg": 90}}}


def _keys(changes: dict[str, Any]) -> list[str]:
    case = case_from_text(march_json(changes))
    resolution = resolve(case)
    judged = judge(case, resolution) if case.proposal else None
    return [difference.key for difference in differences(case, resolution, judged)]


@pytest.mark.parametrize(
    ("changes", "keys"),
    [
        ({}, []),
        ({"expect/0": {}}, []),
        ({"expect/0/outcome": "failed"}, ["expect[0].outcome"]),
        ({"expect/0/rule": "drill.march"}, ["expect[0].rule"]),
        ({"expect/0/metrics": {"reach": 6.0009}}, []),
        ({"expect/0/metrics": {"reach": 6.0011}}, ["expect[0].metrics.reach"]),
        ({"expect/0/metrics": {"reach": 7}, "expect/0/tolerance": 1}, []),
        ({"expect/0/metrics": {"reach": "6"}}, ["expect[0].metrics.reach"]),
        ({"expect/0/metrics": {"roll": True}}, ["expect[0].metrics.roll"]),
        ({"expect/0/metrics": {"p_fraction": "2/4"}}, ["expect[0].metrics.p_fraction"]),
        ({"expect/0/metrics": {"speed": 1}}, ["expect[0].metrics.speed"]),
        ({"expect/0/choices": 2}, ["expect[0].choices"]),
        ({"expect/0/units": {"A": {"at": [20, 16.002]}}}, ["expect[0].units.A.at[1]"]),
        ({"expect/0/units": {"A": {"facing_deg": -270.0005}}}, []),
        ({"expect/0/units": {"A": {"facing_deg": 91}}}, ["expect[0].units.A.facing_deg"]),
        ({"expect/0/units": {"A": {"status": []}}}, ["expect[0].units.A.status"]),
        (
            {
                "expect/0/units": {
                    "B": {"status": ["keen"], "files": 4, "models": 4, "base": "12.5x20mm"}
                }
            },
            [],
        ),
        ({"units/B/status": REMOVED, "expect/0/units": {"B": {"status": []}}}, []),
        (
            {
                "proposal": PROPOSAL,
                "expect/0/judged": {"outcome": "not_allowed", "rule": "drill.halt"},
            },
            [],
        ),
        (
            {"proposal": PROPOSAL, "expect/0/judged": {"outcome": "success"}},
            ["expect[0].judged.outcome"],
        ),
    ],
)
def test_differences_are_told_by_their_key(changes: dict[str, Any], keys: list[str]) -> None:
    """Numbers are compared within the tolerance, angles around the circle, everything else exactly."""
    assert _keys(changes) == keys


def test_a_difference_says_what_was_expected_and_found() -> None:
    """The message holds both values."""
    case = case_from_text(march_json({"expect/0/metrics": {"reach": 7}}))
    (difference,) = differences(case, resolve(case))
    assert untold(str(difference), "expect[0].metrics.reach: .. 7 .. 6.0") == [], difference
    assert difference.entry() == {"key": "expect[0].metrics.reach", "expected": 7, "found": 6.0}
    case = case_from_text(march_json({"expect/0/metrics": {"reach": "6.0"}}))
    (difference,) = differences(case, resolve(case))
    assert (
        untold(str(difference), "expect[0].metrics.reach: .. 6.0 .. 6.0 .. 6.0 .. quotes") == []
    ), difference


def test_where_there_is_none_it_says_nothing() -> None:
    """A rule expected of a success is not there; a program reads null."""
    case = case_from_text(
        march_json(
            {"charges/0/dice": [6], "expect": [{"outcome": "success", "rule": "drill.march"}]}
        )
    )
    (difference,) = differences(case, resolve(case))
    assert untold(str(difference), "expect[0].rule: .. drill.march .. nothing") == [], difference
    assert difference.entry() == {"key": "expect[0].rule", "expected": "drill.march", "found": None}


def test_a_misspelt_metric_is_told_the_nearest() -> None:
    """A ruling that has no metric of that name is told with one that it has; a program reads the same as of any other
    difference.
    """
    case = case_from_text(march_json({"expect/0/metrics": {"reech": 6}}))
    (difference,) = differences(case, resolve(case))
    assert untold(str(difference), "expect[0].metrics.reech: .. 6 .. nothing .. 'reach'") == [], (
        difference
    )
    assert difference.entry() == {
        "key": "expect[0].metrics.reech",
        "expected": 6,
        "found": "nothing",
    }


@pytest.mark.parametrize("expect", [[], [{}, {}]])
def test_each_charge_needs_one_expectation(expect: list[dict[str, Any]]) -> None:
    """Fewer or more expectations than charges cannot be compared."""
    case = case_from_text(march_json({"expect": expect}))
    with pytest.raises(
        ScenarioError, match=rf"^expect: .*\[\[expect\]\].*\b1\b.*\b{len(expect)}\b"
    ):
        differences(case, resolve(case))


@pytest.mark.parametrize(
    ("at", "keys"), [([[24.6, 20]], []), ([[24.5, 20]], ["expect[0].units.A.at[0][0]"])]
)
def test_places_of_models_of_different_bases_are_compared(
    at: list[list[float]], keys: list[str]
) -> None:
    """Units written model by model have places too."""
    models = [{"at": [20, 20], "base": "25.4mm round", "name": "Boss"}]
    case = case_from_tables({
        "system": "wh40k", "edition": "10e", "board": {"width": 44.0, "depth": 40.0},
        "units": {
            "A": {"side": "blue", "models": models},
            "T": {"side": "red", "at": [[25.6, 20.0]], "base": "25.4mm round"},
        },
        "charges": [{"charger": "A", "targets": ["T"], "dice": [6, 1]}],
        "expect": [{"units": {"A": {"at": at}}}],
    })  # fmt: skip
    assert [difference.key for difference in differences(case, resolve(case))] == keys

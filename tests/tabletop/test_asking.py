"""The public functions."""

from dataclasses import replace

import pytest

import tabletop
from tabletop.errors import ScenarioError
from tabletop.scenario import case_from_text
from tests.drill import SYSTEM
from tests.drill.files import march_json


@pytest.fixture(autouse=True)
def _with_drill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabletop.registry.BUILT_IN", {"drill": "tests.drill:SYSTEM"})


def test_the_package_offers_its_functions_lazily() -> None:
    """The three functions are attributes of the package; others are missing as usual."""
    case = tabletop.read_case("drill/march")
    assert case.system is SYSTEM
    assert tabletop.resolve(case).rulings[0].outcome == "success"
    with pytest.raises(AttributeError, match="has no attribute 'settle'"):
        _ = tabletop.settle


def test_dice_come_from_the_list_the_file_or_the_seed() -> None:
    """A flat list replaces the file's faces; faces left out are thrown, the same for the same seed."""
    case = case_from_text(march_json())
    thrown = replace(case, charges=(replace(case.charges[0], dice=None),))
    assert tabletop.resolve(case).rulings[0].metrics["roll"] == 3
    assert tabletop.resolve(case, dice=[6]).rulings[0].metrics["roll"] == 6
    assert tabletop.resolve(thrown, seed=7) == tabletop.resolve(thrown, seed=7)


def test_only_a_proposal_can_be_judged() -> None:
    """`judge` resolves by itself, and refuses a case that proposes nothing."""
    case = case_from_text(march_json({"proposal": {"units": {"A": {"at": [20, 16], "facing_deg": 90}}}}))
    assert tabletop.judge(case).outcome == "success"
    with pytest.raises(ScenarioError, match="proposal: is missing"):
        tabletop.judge(replace(case, proposal=None))

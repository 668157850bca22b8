"""The public functions."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tabletop
from tabletop.errors import ScenarioError, UsageError
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
    with pytest.raises(AttributeError, match="'settle'"):
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
    case = case_from_text(
        march_json({"proposal": {"units": {"A": {"at": [20, 16], "facing_deg": 90}}}})
    )
    assert tabletop.judge(case).outcome == "success"
    with pytest.raises(ScenarioError, match=r"^proposal: "):
        tabletop.judge(replace(case, proposal=None))


PROPOSAL = {"units": {"A": {"at": [20, 16], "facing_deg": 90}}}


def test_names_and_paths_are_asked_as_their_cases(tmp_path: Path) -> None:
    """A bundled name, the path of a file as text or as a path, and the case give the same answers."""
    file = tmp_path / "march.json"
    file.write_text(march_json({"charges/0/dice": [3], "proposal": PROPOSAL}), encoding="utf-8")
    case = tabletop.read_case(file)
    for asked in (file, str(file), case):
        assert tabletop.resolve(asked).rulings == tabletop.resolve(case).rulings
        assert tabletop.judge(asked, tabletop.resolve(case)) == tabletop.judge(case)
        assert tabletop.odds(asked) == tabletop.odds(case)
        assert tabletop.draw(asked, view="board").case.title == case.title
    assert (
        tabletop.resolve("drill/march").rulings
        == tabletop.resolve(tabletop.read_case("drill/march")).rulings
    )
    for function in (tabletop.resolve, tabletop.judge, tabletop.odds, tabletop.draw):
        with pytest.raises(ScenarioError, match=r"^drill/marsh: .*'drill/march'"):
            function("drill/marsh")


@pytest.mark.parametrize("asked", [None, 7, b"drill/march", ["drill/march"], {"drill"}])
@pytest.mark.parametrize("name", ["resolve", "judge", "odds", "draw", "explore", "read_case"])
def test_what_cannot_be_asked_is_told(name: str, asked: Any) -> None:
    """Anything else is an error of its kind, in words."""
    with pytest.raises(TypeError, match="null" if asked is None else re.escape(repr(asked))):
        getattr(tabletop, name)(asked)


def test_an_answer_of_another_kind() -> None:
    """What is handed in as a resolution must be one."""
    case = case_from_text(march_json({"proposal": PROPOSAL}))
    with pytest.raises(TypeError, match=r"resolution.*'success'"):
        tabletop.judge(case, "success")  # type: ignore[arg-type]


@pytest.mark.parametrize("dice", [[9], 7, [0], [-3], [1.5], 1.5, "4", [float("nan")]])
def test_faces_that_no_die_has_are_refused(dice: Any) -> None:
    """From Python as from the command line."""
    with pytest.raises(UsageError, match=r"^dice: .*\b1 .*\b6\b"):
        tabletop.resolve("drill/march", dice=dice)


def test_one_face_stands_for_all_that_are_rolled() -> None:
    """A single number, NumPy's too, is taken as a list of one is."""
    case = case_from_text(march_json())
    for face in (6, np.int64(6)):
        assert tabletop.resolve(case, dice=face) == tabletop.resolve(case, dice=[6])  # type: ignore[arg-type]

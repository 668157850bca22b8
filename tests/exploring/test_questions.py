"""Questions with a name, and what they make of their results."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.cli import main
from tabletop.errors import UsageError
from tabletop.exploring.explore import explore
from tabletop.exploring.jitter import Jitter, displaced
from tabletop.exploring.questions import Question, steadiness
from tabletop.exploring.survey import Survey
from tabletop.scenario import read_case
from tests.drill.files import march, march_json


def file_of(folder: Path, **changes: Any) -> Path:
    """Write the drill's march with some values changed."""
    file = folder / "march.json"
    file.write_text(
        march_json({path.replace("__", "/"): value for path, value in changes.items()}),
        encoding="utf-8",
    )
    return file


def test_threat_moves_the_target(tmp_path: Path) -> None:
    """For each place of the first target, the chance that the charger reaches it."""
    survey = explore(file_of(tmp_path), question=Question("threat", step=10.0), workers=1)
    assert list(survey.axes) == ["units.B.x", "units.B.y"]
    assert survey.column("chance").shape == survey.shape


def test_what_a_file_expects_of_its_own_charges_is_not_asked_of_others() -> None:
    """A judged expectation belongs to a proposal, which no question keeps."""
    survey = explore("t9a/measured-with-a-tape", question=Question("threat", step=24.0), workers=1)
    assert not np.isnan(survey.column("chance")).all()


def test_start_moves_the_charger_and_finds_its_best_facing(tmp_path: Path) -> None:
    """With several facings each place keeps the one with the greatest chance, and says which."""
    survey = explore(file_of(tmp_path), question=Question("start", step=20.0, facings=4), workers=1)
    assert list(survey.axes) == ["units.A.x", "units.A.y"]
    assert set(survey.column("units.A.facing_deg").ravel().tolist()) <= {0.0, 90.0, 180.0, 270.0}


def test_safe_asks_every_enemy() -> None:
    """For each place of my unit the enemy with the greatest chance, of all of another side."""
    survey = explore("t9a/three-on-one-front", question=Question("safe", step=24.0), workers=2)
    assert list(survey.axes) == ["units.T.x", "units.T.y"]
    case = read_case("t9a/three-on-one-front")
    enemies = {
        name for name, unit in case.state.units.items() if unit.side != case.state.units["T"].side
    }
    assert set(survey.column("charges.0.charger").ravel().tolist()) <= enemies
    each = explore("t9a/three-on-one-front", question=Question("threat", step=24.0), workers=2)
    is_known = ~np.isnan(each.column("chance"))
    assert (survey.column("chance")[is_known] >= each.column("chance")[is_known]).all()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (Question("threat", unit="Q"), "--unit Q: .*'A', 'B'"),
        (Question("threat", step=0.0), r"--step 0\.0: .* 0\b"),
    ],
)
def test_questions_that_cannot_be_asked(question: Question, message: str) -> None:
    """Slips are told before any case is resolved."""
    with pytest.raises(UsageError, match=message):
        explore("drill/march", question=question)


def test_a_question_needs_a_charge(tmp_path: Path) -> None:
    """A file without charges has nothing to ask about, and --vary does not go with a question."""
    with pytest.raises(UsageError, match=r"\[\[charges\]\]"):
        explore(file_of(tmp_path, charges=[]), question=Question("threat"))
    with pytest.raises(UsageError, match=r"--question .*--vary"):
        explore("drill/march", ["rules.halt=late"], question=Question("threat"))


def test_jitter_is_within_its_limits() -> None:
    """Number 0 leaves the table alone; every other one moves each unit a little, differently, and the same way each
    time.
    """
    tables = march()
    how = Jitter(0.5, 2.0)
    assert displaced(tables, how, 0)[0] == tables
    moved = [displaced(tables, how, number)[0] for number in range(1, 200)]
    assert moved[0] == displaced(tables, how, 1)[0]
    offsets = np.array(
        [
            [np.subtract(table["units"][name]["at"], tables["units"][name]["at"]) for name in "AB"]
            for table in moved
        ]
    )
    reach = np.hypot(offsets[..., 0], offsets[..., 1])
    assert reach.max() <= 0.5
    assert reach.max() > 0.45
    turned = np.array(
        [table["units"]["A"]["facing_deg"] - tables["units"]["A"]["facing_deg"] for table in moved]
    )
    assert 1.9 < np.abs(turned).max() <= 2.0
    assert len({float(one) for one in reach.ravel()}) == reach.size


def test_jitter_moves_loose_models_each() -> None:
    """Each loose model stands off by itself, whatever the file says of their facings."""
    tables: dict[str, Any] = {
        "units": {
            "A": {"at": [[1.0, 1.0], [3.0, 1.0]], "facing_deg": [0.0, 90.0]},
            "B": {"models": [{"at": [0.0, 0.0]}], "base": ""},
        }
    }
    moved = displaced(tables, Jitter(0.5, 2.0), 3)[0]
    first, second = (
        np.subtract(after, before)
        for after, before in zip(moved["units"]["A"]["at"], tables["units"]["A"]["at"], strict=True)
    )
    assert not np.allclose(first, second)
    assert moved["units"]["A"]["facing_deg"] != [0.0, 90.0]
    assert moved["units"]["B"]["models"][0]["at"] != [0.0, 0.0]


def test_steadiness(tmp_path: Path) -> None:
    """A march that is just long enough holds in about half of the tables, and its rule is the first to break."""
    file = file_of(tmp_path, charges__0__dice=[3], units__A__profile__pace=2)
    survey = explore(
        file, question=Question("jitter", jitter=Jitter(0.5, 0.0), samples=60), workers=1
    )
    steady = steadiness(survey)
    assert steady.tried == 60
    assert 0.0 <= steady.share <= 1.0
    assert steady.first_to_break == "drill.march"
    assert sum(steady.changes.values()) == pytest.approx(1.0 - steady.share)


def test_steadiness_of_tables_that_cannot_be() -> None:
    """Tables that cannot be are counted and left out; without any other there is no share."""
    columns = {"outcome": ["success", "invalid"], "rule": ["", "overlap"], "tightest": ["", ""]}
    survey = Survey(
        {"jitter": np.arange(2)}, {name: np.array(values) for name, values in columns.items()}
    )
    steady = steadiness(survey)
    assert (steady.tried, steady.invalid, steady.verdict, steady.first_to_break) == (
        1,
        1,
        "success",
        "",
    )
    assert np.isnan(steady.share)


def test_nothing_breaks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where every table has the same success no rule is the first to break; the tightest is told as that, if anything
    was measured.
    """
    columns: dict[str, Any] = {
        "outcome": ["success"] * 3,
        "rule": [np.nan] * 3,
        "tightest": [np.nan] * 3,
    }
    survey = Survey(
        {"jitter": np.arange(3)}, {name: np.array(values) for name, values in columns.items()}
    )
    steady = steadiness(survey)
    assert (steady.share, steady.first_to_break, steady.tightest) == (1.0, "", "")
    file = file_of(tmp_path, charges__0__dice=[6], units__A__profile__pace=9)
    assert (
        main(["explore", str(file), "--question", "jitter", "--samples", "20", "--workers", "1"])
        == 0
    )
    lines = capsys.readouterr().out.splitlines()
    assert re.search(r"\bsuccess\b.*\b100% .*\b20\b", lines[0])
    assert re.search(r"\btightest: drill\.march$", lines[-1])


def test_what_breaks_a_failure() -> None:
    """A charge that fails as the table stands, and succeeds on others, is broken by the rule by which it fails."""
    columns = {
        "outcome": ["failed", "success", "failed"],
        "rule": ["drill.march", "", "drill.march"],
        "tightest": ["drill.halt"] * 3,
    }
    survey = Survey(
        {"jitter": np.arange(3)}, {name: np.array(values) for name, values in columns.items()}
    )
    steady = steadiness(survey)
    assert (steady.share, steady.first_to_break, steady.tightest) == (
        0.5,
        "drill.march",
        "drill.march",
    )


def test_no_rule_breaks_what_has_no_verdict() -> None:
    """Why there is none stands where others have their rule, and is none."""
    columns = {
        "outcome": ["success", "no_verdict"],
        "rule": ["", "a limit of work ended the search"],
        "tightest": ["", ""],
    }
    survey = Survey(
        {"jitter": np.arange(2)}, {name: np.array(values) for name, values in columns.items()}
    )
    steady = steadiness(survey)
    assert (steady.share, steady.first_to_break) == (0.0, "")
    assert steady.changes == {"no_verdict": 1.0}


def test_questions_by_their_names() -> None:
    """From Python a name is enough; one that is none is told with the nearest, and anything else is no question."""
    survey = explore("drill/march", question="threat", step=10.0, workers=1)
    assert survey.question == "threat"
    assert (
        survey.shape
        == explore("drill/march", question=Question("threat", step=10.0), workers=1).shape
    )
    for unknown in (lambda: explore("drill/march", question="thread"), lambda: Question("thread")):  # type: ignore[arg-type]
        with pytest.raises(UsageError, match=r"--question thread: .*did you mean 'threat'"):
            unknown()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("drill/march", "rules.halt=late"), r"\['rules\.halt=late'\]"),
        ((7, ["rules.halt=late"]), r"\b7\b"),
    ],
)
def test_what_cannot_be_explored(arguments: tuple[Any, ...], message: str) -> None:
    """What is of another kind is told at once, in words."""
    with pytest.raises(TypeError, match=message):
        explore(*arguments)


def test_best_of_an_axis() -> None:
    """The greatest or least number is kept, the first of equal ones, and cases without a number only where all are
    so.
    """
    chances = np.array([[0.5, np.nan, 0.5], [np.nan, np.nan, 0.25]])
    survey = Survey({"a": np.arange(2), "f": np.array([0, 90, 180])}, {"chance": chances})
    assert survey.best("f", "chance").column("f").tolist() == [0, 180]
    assert survey.best("f", "chance", is_least=True).column("chance").tolist() == [0.5, 0.25]
    assert survey.best("a", "chance").column("a").tolist() == [0, 0, 0]


def test_a_map_knows_its_case(tmp_path: Path) -> None:
    """Also one whose places are told at once, not resolved one by one: it can be drawn as it is."""
    survey = explore(file_of(tmp_path), question=Question("threat", step=10.0), workers=1)
    assert survey.case is not None
    assert survey.question == "threat"

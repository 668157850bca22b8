"""What Python callers have: names at the door, scenarios given in many ways, answers handed over as tables."""

import inspect
import json
import math
import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import numpy as np
import pytest

import plots
import tabletop
from tabletop.distribution import HOME
from tabletop.distribution import NAME as DISTRIBUTION
from tabletop.geometry.pose import Pose
from tabletop.registry import scenarios
from tabletop.scenario.embedded import link_of
from tabletop.show import dict_of
from tabletop.table.state import Base, Board, Regiment
from tabletop.units import MM_PER_INCH
from tests.bundled import NAMES

NAME = "t9a/wheel-and-align"


def _tables() -> dict[str, Any]:
    tables: dict[str, Any] = json.loads(json.dumps(tabletop.case(NAME).tables))
    return tables


def test_names_at_the_door() -> None:
    """What is public is listed, has a version, and nothing else is there."""
    assert (
        set(tabletop.__all__)
        == set(dir(tabletop))
        >= {"case", "resolve", "ScenarioError", "__version__"}
    )
    assert tabletop.__version__ == version(DISTRIBUTION)
    assert all(getattr(tabletop, name) is not None for name in dir(tabletop))
    assert issubclass(tabletop.ScenarioError, tabletop.TabletopError)
    with pytest.raises(AttributeError, match="'solve'"):
        tabletop.solve  # noqa: B018


def test_a_scenario_is_given_in_many_ways() -> None:
    """By name, by path, as text, as a link, as tables, by keywords: the same ruling."""
    path = dict(scenarios("t9a"))[NAME]
    text = path.read_text("utf-8")
    tables = _tables()
    given = (
        NAME,
        path,
        str(path),
        text,
        tables,
        link_of(json.dumps(tables)),
        tabletop.case(**tables),
        tabletop.case(text),
    )
    rulings = [tabletop.resolve(one).to_dict()["rulings"] for one in given]
    assert all(ruling == rulings[0] for ruling in rulings)
    assert tabletop.odds(tables).to_dict() == tabletop.odds(NAME).to_dict()
    assert tabletop.draw(tables).caption == tabletop.draw(NAME).caption


def test_tables_made_in_a_program() -> None:
    """Arrays and tuples are lists, numbers of NumPy are numbers; what was handed over stays as it was."""
    tables = _tables()
    unit = tables["units"]["A"]
    unit["at"], unit["facing_deg"] = np.array(unit["at"]), np.float64(unit["facing_deg"])
    tables["charges"] = tuple(tables["charges"])
    assert tabletop.resolve(tables).rulings == tabletop.resolve(NAME).rulings
    assert isinstance(tables["charges"], tuple)


def _around(value: list[Any]) -> dict[str, Any]:
    value.append(value)
    return {"system": "t9a", "title": value}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"system": "t9a", "units": {"A": {1, 2}}}, r"\{1, 2\}"),
        (_around([]), "Circular reference"),
        ({"system": "t9a", "board": {"width": float("nan")}}, r"^board\.width: .*\bnan\b"),
        ({"system": "t9a"}, "^board: "),
        ({"title": "x" * 2_000_000}, r"\b1,048,576\b"),
        ('system = "t9a"\nboard = [', r"\btext: .*\bTOML\b"),
        ('system = "t9a"\n', r"\btext: board: "),
    ],
)
def test_what_cannot_be_a_scenario(given: dict[str, Any] | str, message: str) -> None:
    """It is said what is wrong, without a line where there are none."""
    with pytest.raises(tabletop.ScenarioError, match=message) as told:
        tabletop.resolve(given)
    assert not re.search(r"\bline \d", str(told.value))


@pytest.mark.parametrize(("source", "tables"), [(None, {}), (NAME, {"system": "t9a"})])
def test_a_case_is_made_of_one_thing(source: str | None, tables: dict[str, str]) -> None:
    """A source or tables."""
    with pytest.raises(TypeError, match=r"^case: "):
        tabletop.case(source, **tables)


def test_a_case_is_explored() -> None:
    """As its file is; one that was changed has none."""
    told = tabletop.explore(tabletop.case(NAME), ["units.A.at.0=30:31:0.5"], workers=1)
    assert told.to_dict() == tabletop.explore(NAME, ["units.A.at.0=30:31:0.5"], workers=1).to_dict()
    with pytest.raises(tabletop.UsageError, match=r"\bcase\b.*\bchanged\b"):
        tabletop.explore(_changed(), ["units.A.at.0=30:31:0.5"], workers=1)


def _changed() -> Any:
    from dataclasses import replace

    return replace(tabletop.case(NAME), title="another")


@pytest.mark.parametrize("name", NAMES[::9])
def test_answers_as_data_frames(name: str) -> None:
    """A row for each finding and each total; chances add up."""
    resolution = tabletop.resolve(name)
    odds = tabletop.odds(name)
    findings = resolution.to_pandas()
    assert len(findings) == sum(len(ruling.findings) for ruling in resolution.rulings)
    assert list(findings["rule"]) == [
        finding.rule for ruling in resolution.rulings for finding in ruling.findings
    ]
    totals = odds.to_pandas()
    for number, one in enumerate(odds.charges):
        rows = totals[totals["charge"] == number]
        assert rows["success"].sum() == pytest.approx(float(one.outcomes["success"]))
        assert rows["chance"].sum() == pytest.approx(1.0) or one.by_total == ()


@pytest.mark.parametrize("name", ["battletech/second-in-the-queue", "conquest/mired-in-a-friend"])
def test_answers_to_single_charges_as_tables(name: str) -> None:
    """A ruling and the odds of a charge are what the whole answer holds of them."""
    resolution = tabletop.resolve(name)
    odds = tabletop.odds(name)
    assert [ruling.to_dict() for ruling in resolution.rulings] == resolution.to_dict()["rulings"]
    assert [one.to_dict() for one in odds.charges] == odds.to_dict()["odds"]
    assert [len(ruling.to_pandas()) for ruling in resolution.rulings] == [
        len(ruling.findings) for ruling in resolution.rulings
    ]
    assert len(odds.charges[0].to_pandas()) == max(1, len(odds.charges[0].by_total))


def test_a_judgement_as_tables() -> None:
    """It knows its case."""
    name = next(name for name in NAMES if tabletop.case(name).proposal is not None)
    judged = tabletop.judge(name)
    assert judged.to_dict()["outcome"] == judged.outcome
    assert list(judged.to_pandas()["ok"]) == [finding.ok for finding in judged.findings]


def test_a_survey_as_tables() -> None:
    """A row for each case, None where there is no number."""
    survey = tabletop.explore(
        NAME, ["units.A.at.0=30:31:0.5", "units.A.facing_deg=0,90"], workers=1
    )
    frame = survey.to_pandas()
    assert len(frame) == 6
    assert list(frame["units.A.facing_deg"]) == [0, 90] * 3
    assert list(frame["outcome"]) == survey.column("outcome").ravel().tolist()
    assert json.dumps(survey.to_dict(), allow_nan=False)


def test_an_answer_of_nobody_knows() -> None:
    """Answers made by hand do not know what was asked."""
    from tabletop.ruling.verdict import Resolution

    case = tabletop.case(NAME)
    with pytest.raises(tabletop.UsageError, match=r"\btabletop\.resolve\b.*\btabletop\.judge\b"):
        dict_of(Resolution(case.state, (), case.state))
    with pytest.raises(tabletop.UsageError, match=r"\btabletop\.resolve\b.*\btabletop\.judge\b"):
        replace(tabletop.resolve(NAME).rulings[0], case=None).to_dict()


@pytest.mark.parametrize("module", [tabletop, plots], ids=lambda module: str(module.__name__))
def test_help_fits_a_screen(module: ModuleType) -> None:
    """No signature fills a screen, whatever stands in it as a default."""
    functions = {
        name: one
        for name in module.__all__
        if callable(one := getattr(module, name)) and not name.endswith("Error")
    }
    signatures = {name: inspect.signature(one) for name, one in functions.items()}
    assert {name for name, signature in signatures.items() if len(str(signature)) > 900} == set()
    assert "setting: plots.layout.setting.Setting = Setting()" in str(inspect.signature(plots.draw))
    assert repr(plots.setting(theme="dark", dpi=300)) == "Setting(theme=Theme('dark'), dpi=300)"


def test_frames_need_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it the remedy is told."""
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(tabletop.UsageError, match=r"pip install .tabletop-charges.explore"):
        tabletop.resolve(NAME).to_pandas()


@pytest.mark.parametrize("name", ["plots", "systems"])
def test_a_file_that_bears_the_name_of_a_package(name: str, tmp_path: Path) -> None:
    """In scripts and notebooks, and by `python -m`, a user's own file would be imported instead: it is named."""
    (tmp_path / f"{name}.py").write_text("", "utf-8")
    outside = {**os.environ, "PYTHONPATH": str(HOME)}
    for command in (["-m", "tabletop", "systems"], ["-c", "import tabletop; tabletop.resolve"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=outside,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (1, 2)
        assert f"{name}.py" in done.stderr
        assert ("Traceback" in done.stderr) == (command[0] == "-c")


def test_tables_that_are_no_dictionaries() -> None:
    """Any mapping is a table; what is wrong with one is told without a file's name, also by `explore`."""
    tables = _tables()
    tables["units"] = MappingProxyType(tables["units"])
    assert tabletop.resolve(MappingProxyType(tables)).rulings == tabletop.resolve(NAME).rulings
    with pytest.raises(tabletop.ScenarioError, match=r"^board: "):
        tabletop.explore(
            {"system": "t9a", "charges": tables["charges"]}, ["rules.arc_tie=best,flank"], workers=1
        )


def test_what_is_asked_and_answered_has_names_at_the_door() -> None:
    """Annotations of callers need no path into the package."""
    case = tabletop.case(NAME)
    assert isinstance(case, tabletop.Case)
    assert isinstance(tabletop.resolve(case), tabletop.Resolution)
    assert isinstance(tabletop.odds(case), tabletop.Odds)


@pytest.mark.parametrize("places", [np.linspace(20.0, 22.1, 4), [20.0, 20.7, 21.4, 22.1], (20, 21)])
def test_keys_are_varied_over_arrays(places: Any) -> None:
    """An axis has the numbers of the array as they are, and each case is the one that these numbers make."""
    survey = tabletop.explore(NAME, vary={"units.A.at.0": places}, workers=1)
    assert isinstance(survey, tabletop.Survey)
    assert survey.axes["units.A.at.0"].tolist() == list(places)
    texts = [f"units.A.at.0={','.join(map(str, np.asarray(places).tolist()))}"]
    assert (
        survey.column("outcome").tolist()
        == tabletop.explore(NAME, texts, workers=1).column("outcome").tolist()
    )


def test_values_stand_for_entries() -> None:
    """Units, terrain, the board and charges of a state may be handed over as they are, and a regiment made by hand with
    them.
    """
    size = Base(20 / MM_PER_INCH, 20 / MM_PER_INCH)
    first = Regiment(
        "A", "blue", Pose(20.0, 20.0, math.pi / 2), 5, 20, size, profile={"charge_speed": 5}
    )
    second = Regiment("B", "red", Pose(20.0, 26.0, -math.pi / 2), 5, 20, size)
    charge = {"charger": "A", "targets": ["B"], "dice": [4]}
    ruling = tabletop.resolve(
        {
            "system": "t9a",
            "board": {"width": 72, "depth": 48},
            "units": {"A": first, "B": second},
            "charges": [charge],
        }
    ).rulings[0]
    # 26 - 20 in from front to front
    assert (ruling.outcome, ruling.metrics["distance"]) == ("success", pytest.approx(6.0))
    with pytest.raises(tabletop.ScenarioError, match=r"\bRegiment\b"):
        tabletop.case(system="wh40k", board=Board(44.0, 60.0), units={"A": first})
    with pytest.raises(tabletop.ScenarioError, match="board"):
        tabletop.case(system="t9a", board={"width": "wide"}, units={"A": first})


@pytest.mark.parametrize(
    "name",
    [
        "t9a/wheel-and-align",
        "wh40k/chain-too-short",
        "conquest/flank-by-a-hair",
        "battletech/behind-a-wall",
    ],
)
def test_values_of_every_game_stand_for_entries(name: str) -> None:
    """A case made of the values of another one is answered alike."""
    case = tabletop.case(name)
    rules = case.choices.model_dump(exclude_unset=True, mode="json")
    terrain = (*case.state.terrain, *case.state.hex_terrain)
    again = tabletop.case(
        system=case.system.name,
        edition=case.edition,
        rules=rules,
        board=case.state.board,
        units=case.state.units,
        terrain=terrain,
        charges=case.charges,
    )
    found, expected = (
        [
            (ruling.outcome, ruling.rule, ruling.chance_success)
            for ruling in tabletop.resolve(one).rulings
        ]
        for one in (again, case)
    )
    assert found == expected


def test_answers_print_as_a_line() -> None:
    """What is public is one line in a session, however much it holds; what people called their units breaks no line."""
    case = tabletop.case(NAME)
    resolution = tabletop.resolve(case)
    many = replace(resolution, rulings=resolution.rulings * 20)
    odd = replace(case, title="two\nlines")
    survey = tabletop.explore(NAME, {"units.A.x": [28.5, 29.5]}, workers=1)
    told = [
        repr(one)
        for one in (
            case,
            resolution,
            *resolution.rulings,
            tabletop.odds(NAME),
            tabletop.judge("t9a/judged-seam"),
            survey,
            many,
            odd,
        )
    ]
    assert told[:4] == [
        "<Case: t9a 3rd, Past the tower, a wheel, and shoulder to shoulder; A at B>",
        "<Resolution: A at B, success>",
        "<Ruling: A at B, success; chance 5/6; exact>",
        "<Odds: A at B, success 5/6, failed 1/6>",
    ]
    assert told[4] == "<Judgement: not_allowed by t9a.combined.totals; exact>"
    assert told[5].startswith("<Survey: units.A.x (2); ")
    assert all(len(line) < 200 and "\n" not in line for line in told)
    assert told[6].endswith("; ...>")

"""`--max-seconds`: one option of one meaning on every command that searches."""

import re
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import tabletop
from tabletop import api
from tabletop.budget import Budget
from tabletop.cli import main
from tabletop.exploring import running, threats
from tabletop.exploring.varied import rows_of
from tabletop.registry import BUILT_IN, find
from tabletop.ruling.phase import ChargePhase
from tests.drill import Drill
from tests.drill.files import march_json
from tests.messages import untold

SEARCHING = {
    "resolve": ["resolve", "FILE"],
    "judge": ["judge", "FILE"],
    "check": ["check", "FILE"],
    "draw": ["draw", "FILE", "-o", "OUT.svg"],
    "odds": ["odds", "FILE"],
    "explore": ["explore", "FILE", "--vary", "rules.halt=late", "--workers", "1"],
    "compare": ["compare", "FILE", "--set", "system.bonus=0"],
}
OTHERS = ("scenarios", "rules", "schema")
PROPOSAL = {"units": {"A": {"at": [20, 16], "facing_deg": 90}}}
VARY = ["--vary", "units.A.profile.pace=0:10:0.5", "--vary", "charges.0.dice.0=1,2,3,4,5,6"]


@pytest.fixture
def budgets(monkeypatch: pytest.MonkeyPatch) -> list[Budget]:
    """Note every budget with which the drill is asked."""
    noted: list[Budget] = []
    for name in ("resolve", "judge", "odds"):
        asked = getattr(Drill, name)

        def noting(*given: Any, asked: Any = asked, budget: Budget, **others: Any) -> Any:
            noted.append(budget)
            return asked(*given, budget=budget, **others)

        monkeypatch.setattr(Drill, name, noting)
    return noted


def written(folder: Path) -> Path:
    """Write a march with a proposal and what is expected of it."""
    file = folder / "march.json"
    expected = [{"outcome": "success", "judged": {"outcome": "success"}}]
    file.write_text(
        march_json({"charges/0/dice": [3], "proposal": PROPOSAL, "expect": expected}),
        encoding="utf-8",
    )
    return file


def asked(command: str, folder: Path) -> list[str]:
    """Fill in the names of the files."""
    names = {"FILE": str(written(folder)), "OUT.svg": str(folder / "out.svg")}
    return [names.get(word, word) for word in SEARCHING[command]]


def _told(command: str, capsys: pytest.CaptureFixture[str]) -> str | None:
    assert main([command, "--help"]) == 0
    found = re.search(r"--max-seconds\s+(S\s.*?)(?=--|Example)", capsys.readouterr().out, re.DOTALL)
    return found and " ".join(found[1].split())


def test_the_option_is_the_same_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    """Commands that search have it under one name with one help, others have none."""
    helps = {_told(command, capsys) for command in SEARCHING}
    (words,) = helps
    assert words is not None
    assert words.startswith("S ")
    assert {_told(command, capsys) for command in OTHERS} == {None}


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "soon"])
@pytest.mark.parametrize("command", SEARCHING)
def test_a_time_that_is_none_is_refused(
    command: str, seconds: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The exit code is 2, before anything is written."""
    assert main([*asked(command, tmp_path), "--max-seconds", seconds]) == 2
    assert "--max-seconds" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["march.json"]


@pytest.mark.parametrize("command", [command for command in SEARCHING if command != "explore"])
def test_all_searches_of_a_file_share_the_time(
    command: str, tmp_path: Path, budgets: list[Budget], capsys: pytest.CaptureFixture[str]
) -> None:
    """Resolving and judging, or resolving twice, take the seconds together, from the end of reading."""
    before = time.monotonic()
    assert main([*asked(command, tmp_path), "--max-seconds", "77"]) == 0, capsys.readouterr().err
    assert {budget.seconds for budget in budgets} == {77.0}
    assert before < min(budget.started for budget in budgets)
    if command != "odds":
        assert len({budget.started for budget in budgets}) == 1


@pytest.mark.parametrize("command", [command for command in SEARCHING if command != "explore"])
def test_what_is_loaded_to_search_takes_none_of_the_time(
    command: str,
    tmp_path: Path,
    budgets: list[Budget],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first question of a process loads what solves it, which may take longer than all seconds that are allowed."""
    loaded: list[float] = []

    def load(name: str) -> None:
        assert name == "tests.drill.solver"
        time.sleep(0.2)
        loaded.append(time.monotonic())

    monkeypatch.setattr(Drill, "solver", "tests.drill.solver", raising=False)
    monkeypatch.setattr(api, "import_module", load)
    assert main([*asked(command, tmp_path), "--max-seconds", "77"]) == 0, capsys.readouterr().err
    assert len(loaded) == 1
    assert all(budget.started >= loaded[0] for budget in budgets)


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_game_names_what_solves_it(game: str) -> None:
    """It is there to be loaded, and brings what resolves a case."""
    system: Any = find(game)
    assert issubclass(import_module(system.solver).Phase, ChargePhase)


def test_every_file_has_its_own_time(tmp_path: Path, budgets: list[Budget]) -> None:
    """Of several files one that takes long leaves the others theirs."""
    file = str(written(tmp_path))
    assert main(["check", file, file, "--max-seconds", "77"]) == 0
    assert len({budget.started for budget in budgets}) == 2


def test_python_shares_the_time_too(tmp_path: Path, budgets: list[Budget]) -> None:
    """Judging what has not been resolved takes the seconds for both."""
    case = tabletop.read_case(written(tmp_path))
    tabletop.judge(case, max_seconds=77.0)
    assert len({(budget.seconds, budget.started) for budget in budgets}) == 1


def _slowly(base: Any, values: tuple[Any, ...]) -> Any:
    if values[0] > 2:
        time.sleep(600)
    return rows_of(base, values)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_explore_stops_and_goes_on(
    workers: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """All cases share the time, whatever a search does; those that are done are kept, and another run makes the same
    table.
    """
    file = str(written(tmp_path))
    table = tmp_path / "t.csv"
    whole = tmp_path / "whole.csv"
    command = ["explore", file, *VARY, "--workers", workers, "-o"]
    assert main([*command, str(whole)]) == 0
    monkeypatch.setattr(running, "rows_of", _slowly)
    begun = time.monotonic()
    assert main([*command, str(table), "--max-seconds", "1.5"]) == 4
    assert time.monotonic() - begun < 1.5 + 1.0 + SLACK
    said = capsys.readouterr().err
    assert untold(said, "error: .. 1.5 s .. 126 .. -o") == [], said
    assert any(0 < int(done) < 126 for done in re.findall(r" (\d+) ", said)), said
    assert not table.exists()
    monkeypatch.setattr(running, "rows_of", rows_of)
    assert main([*command, str(table), "--max-seconds", "300"]) == 0
    assert table.read_bytes() == whole.read_bytes()


SLACK = 2.0
"""Seconds for reading, and for a machine that has other work."""


def _mapping_slowly(*_: Any) -> Any:
    time.sleep(600)


@pytest.mark.parametrize("question", ["threat", "safe"])
def test_maps_stop(
    question: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A system that tells all chances at once is ended too."""
    monkeypatch.setattr(threats, "_chances", _mapping_slowly)
    begun = time.monotonic()
    arguments = [
        "explore",
        "t9a/wheel-and-align",
        "--question",
        question,
        "--step",
        "8",
        "--workers",
        "1",
        "--max-seconds",
        "1",
    ]
    assert main(arguments) == 4
    assert time.monotonic() - begun < 1.0 + 1.0 + SLACK
    assert untold(capsys.readouterr().err, "error: .. 1 s .. chances") == []


@pytest.mark.parametrize("question", [[], ["--full"]])
def test_a_map_with_time_is_the_same(
    question: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A limit that does not strike changes nothing."""
    arguments = [
        "explore",
        "t9a/wheel-and-align",
        "--question",
        "threat",
        "--step",
        "12",
        "--workers",
        "1",
        "--json",
        *question,
    ]
    told = []
    for more in ([], ["--max-seconds", "300"]):
        assert main([*arguments, *more]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]

"""A number stands only where it is known: of a shortest roll that was not proved all is told between what it is,
wherever it is told.
"""

import csv
import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from plots import Setting
from plots.marks.captions import badges
from plots.render.odds import odds_page
from systems.wh40k import feasibility
from tabletop import explore, odds, resolve
from tabletop.budget import Budget
from tabletop.cli import main
from tabletop.cli.report import odds_lines, odds_text, resolution_text
from tabletop.errors import NoVerdictError
from tabletop.kit.stated import Placement
from tabletop.language.language import bundled, speaking
from tabletop.placement.problem import Answer, Least
from tabletop.registry import BUILT_IN
from tabletop.ruling.odds import Ending, Odds, by_total, charge_odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario.reading import case_from_tables
from tabletop.settling.uncertainty import Alternatives
from tests.faulty import Ram
from tests.systems.t9a.test_many import charges_of, crowded, limited
from tests.systems.wh40k.tables import table, unit

GERMAN = bundled("german")

LEAST, MOST = Fraction(5, 6), Fraction(11, 12)
"""Chances of two dice to show 5 or more, and 4 or more."""

KNOWN = Least(4.136, 3.865, "best_found")
"""What is known of the inches that are needed: a plan of the greater, and none below the less."""


def tables(total: int = 3, **more: Any) -> dict[str, Any]:
    """Lay out one model before another."""
    return table(unit([(0, 0)]), {"T": unit([(5.865, 0)])}, total=total, **more)


@pytest.fixture
def _open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every search for the least distance end early, and none find a plan within 4 in."""
    monkeypatch.setattr(feasibility, "least_distance", lambda *_, **__: KNOWN)
    monkeypatch.setattr(feasibility, "find", lambda *_, **__: Answer(None, "best_found"))


@pytest.fixture
def resolution(_open: None) -> Resolution:
    """Rule on three inches, which are too few."""
    return resolve(case_from_tables(tables()))


@pytest.fixture
def ruling(resolution: Resolution) -> Ruling:
    """Return the ruling."""
    return resolution.rulings[0]


@pytest.fixture
def found(_open: None) -> Odds:
    """Count its chances."""
    return odds(case_from_tables(tables()))


@pytest.fixture
def path(tmp_path: Path, _open: None) -> str:
    """Write it into a file."""
    file = tmp_path / "open.json"
    file.write_text(json.dumps(tables()), encoding="utf-8")
    return str(file)


def test_nothing_of_a_ruling_stands_as_known_that_is_not(ruling: Ruling) -> None:
    """Roll, chance and the metrics that repeat them are null or left out; the outcome is known."""
    assert (ruling.outcome, ruling.proof) == ("failed", "best_found")
    assert (ruling.shortest_roll, ruling.chance_success) == (None, None)
    assert (ruling.shortest_roll_range, ruling.chance_success_range) == ((4, 5), (LEAST, MOST))
    assert ruling.metrics["needed_distance_range"] == [3.865, 4.136]
    assert not {"needed", "chance", "chance_fraction"} & set(ruling.metrics)


def test_json_gives_ranges_beside_nulls(resolution: Resolution, found: Odds) -> None:
    """`shortest_roll_range`, `chance_success_range` and `chance_success_range_fraction`, in rulings and in odds."""
    (entry,) = resolution.to_dict()["rulings"]
    assert (entry["shortest_roll"], entry["chance_success"], entry["chance_success_fraction"]) == (
        None,
        None,
        None,
    )
    told = {"shortest_roll_range": [4, 5], "chance_success_range_fraction": ["5/6", "11/12"]}
    assert {key: entry[key] for key in told} == told
    assert entry["chance_success_range"] == pytest.approx([5 / 6, 11 / 12])
    answer = found.to_dict()
    assert answer["joint"] == {"success": "5/6", "failed": "1/12", "undecided": "1/12"}
    (entry,) = answer["odds"]
    assert {key: entry[key] for key in told} == told
    assert entry["shortest_roll"] is None
    assert entry["outcomes"] == {
        "success": "5/6",
        "failed": "1/12",
        "not_allowed": "0",
        "undecided": "1/12",
    }
    assert [row["outcome"] for row in entry["by_total"]] == ["failed"] * 2 + ["undecided"] + [
        "success"
    ] * 8


def test_text_says_that_it_is_not_proved(resolution: Resolution, found: Odds) -> None:
    """At length and in a line."""
    asked = case_from_tables(tables())
    told = resolution_text(asked, resolution)
    assert re.search(r": 4 or 5\b.*\bproved\b.* 5/6 to 11/12 \(0\.833 to 0\.917\)\n", told)
    told = odds_text(asked, found)
    assert re.search(r"^  \D*: 4 or 5\b.*\bproved$", told, re.MULTILINE)
    assert re.search(r"^    .*\bproved  1/12   8\.33%$", told, re.MULTILINE)
    line = odds_lines(found)
    assert re.match(
        r"A\b.*\bT: success 5/6 to 11/12 \(83\.33% to 91\.67%\), \D*\b4 or 5\b.*\bproved\b", line
    )
    assert re.search(r"\bwh40k\.possible\.engage-all\b\D*\b1/12 \(8\.33%\)$", line)


def test_german_says_that_it_is_not_proved(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same in German."""
    assert main(["resolve", path, "--all", "--language", "de"]) == 0
    assert (
        "kleinster Wurf, der gelingt: 4 oder 5, nicht bewiesen; Chance 5/6 bis 11/12 (0,833 bis 0,917)\n"
        in capsys.readouterr().out
    )
    assert main(["odds", path, "--language", "de"]) == 0
    assert "    nicht bewiesen  1/12   8,33%\n" in capsys.readouterr().out


def test_figures_say_that_it_is_not_proved(resolution: Resolution, found: Odds) -> None:
    """The line under the title, and the panel of chances with its columns, also in German."""
    asked = case_from_tables(tables())
    (badge,) = badges(resolution, None)
    assert re.search(r"; \D*\b4 or 5\b\D*\bproved; \D*\b5/6 to 11/12$", badge.about)
    with speaking(GERMAN):
        (badge,) = badges(resolution, None)
    assert badge.about.endswith(
        "; niedrigster Wurf 4 oder 5, nicht bewiesen; Wahrscheinlichkeit 5/6 bis 11/12"
    )
    page = odds_page(asked, found)
    assert any(mark.id == "charge.1.chart.roll.4.undecided" for mark in page.marks)
    assert "Not proved" in {words.text for words in page.words}
    assert any(
        re.fullmatch(r"A\b.*\bT: \D*\b4 or 5\b.*\bproved", words.text) for words in page.words
    )
    page = odds_page(asked, found, setting=Setting(language=GERMAN))
    assert {"A greift T an: niedrigster Wurf 4 oder 5, nicht bewiesen", "Unbewiesen"} <= {
        words.text for words in page.words
    }


@pytest.mark.usefixtures("_open")
def test_a_table_of_many_leaves_the_columns_empty(tmp_path: Path) -> None:
    """A place whose chance is not proved has neither number; such a table is read again as a whole one."""
    asked = case_from_tables(tables())
    out = tmp_path / "map.csv"
    for _ in range(2):
        survey = explore(asked, ["units.T.at.0.1=20,45"], out=out, workers=1)
        assert [math.isnan(value) for value in survey.column("chance")] == [True, False]
    row = next(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert (row["outcome"], row["proof"]) == ("failed", "best_found")
    assert (row["shortest_roll"], row["chance"], row["chance_fraction"]) == ("", "", "")


def test_compare_tells_the_range(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where a changed number proves the chance, what it may have been stands beside what it is."""
    assert main(["compare", path, "--set", "system.declare_range=4", "--json"]) == 0
    changes = {
        one["key"]: (one["before"], one["after"]) for one in json.loads(capsys.readouterr().out)
    }
    assert changes["rulings[0].chance"] == (None, "0")
    assert changes["rulings[0].chance_range"] == (["5/6", "11/12"], None)


@pytest.mark.usefixtures("_open")
def test_an_expected_number_that_is_not_proved_is_told_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`check` says why it is not there, and what is known."""
    file = tmp_path / "expected.json"
    expected = [{"outcome": "failed", "metrics": {"needed": 5, "chance_fraction": "5/6"}}]
    file.write_text(
        json.dumps({**tables(), "title": "x", "source": "x", "expect": expected}), encoding="utf-8"
    )
    assert main(["check", str(file)]) == 1
    out = capsys.readouterr().out
    for key, expects in (("needed", "5"), ("chance_fraction", "5/6")):
        assert re.search(
            rf"expect\[0\]\.metrics\.{key}: \D*\b{expects}, .*\bproved\b.*\b5/6 to 11/12\b", out
        )


def test_tables_within_the_accuracy_widen_what_is_not_proved(ruling: Ruling) -> None:
    """A measured table has the least and the greatest of all that is known of each; without all of them it keeps its
    own.
    """
    other = replace(
        ruling,
        shortest_roll=7,
        chance_success=Fraction(7, 12),
        shortest_roll_range=None,
        chance_success_range=None,
    )
    assert Alternatives().spans([ruling, other]) == {
        "shortest_roll_range": (4, 7),
        "chance_success_range": (Fraction(7, 12), MOST),
    }
    assert Alternatives(limit="a limit").spans([ruling, other]) == {}


def test_a_measured_table_has_the_range_of_its_chances() -> None:
    """The chance of the settled table stands beside those of the others."""
    (told,) = resolve(
        case_from_tables(
            {**table(unit([(0, 0)]), {"T": unit([(7.05, 0)])}, total=9), "accuracy": 0.1}
        )
    ).rulings
    assert (told.shortest_roll, told.chance_success) == (6, Fraction(13, 18))
    assert told.shortest_roll_range == (5, 6)
    assert told.chance_success_range == (Fraction(13, 18), Fraction(5, 6))


@pytest.mark.usefixtures("_open")
def test_a_charge_after_one_that_is_undecided_is_so_too() -> None:
    """Where it is not known what the first comes to, the second meets a table that nobody knows; rows add up to one."""
    asked = {**tables(), "units": {**tables()["units"], "B": {**unit([(-3, 8)]), "side": "blue"}}}
    asked["charges"] = [{"charger": "A", "targets": ["T"]}, {"charger": "B", "targets": ["T"]}]
    found = odds(case_from_tables(asked))
    assert sum(found.joint.values()) == 1
    first, second = found.charges
    assert first.outcomes["undecided"] == found.joint["undecided", "undecided"] == Fraction(1, 12)
    assert second.outcomes["undecided"] == Fraction(1, 12) + Fraction(11, 12) * Fraction(1, 12)
    assert sum(second.outcomes.values()) == sum(one.chance for one in second.by_total) == 1


@pytest.mark.usefixtures("_open")
@pytest.mark.parametrize("known", [4, 5])
def test_a_reroll_of_what_is_not_known_stays_within(known: int) -> None:
    """Both dice again if the first throw is too short, which nobody knows of a 4: the range is that of 4 or 5
    needed.
    """
    found = odds(case_from_tables(tables(reroll="if_failed"))).charges[0]
    once = LEAST if known == 5 else MOST
    assert found.chances[known == 4] == once + (1 - once) * once
    assert sum(found.outcomes.values()) == sum(one.chance for one in found.by_total) == 1
    (told,) = resolve(case_from_tables(tables(reroll="if_failed", dice=[1, 2, 1, 2]))).rulings
    assert told.chances == found.chances


def test_totals_that_are_undecided_make_the_range() -> None:
    """The least that may succeed, and the least that does; none may be enough where no total is known to be."""
    charge = case_from_tables(tables()).charges[0]
    sixth = Fraction(1, 6)
    outcomes: list[Any] = ["failed", "undecided", "undecided", "success", "success", "success"]
    ends = [Ending(outcome, None, sixth, total) for total, outcome in enumerate(outcomes, 1)]
    found = charge_odds(charge, ends, by_total(ends, {}))
    assert (found.shortest_roll, found.shortest_roll_range, found.chance_success_range) == (
        None,
        (2, 4),
        (sixth * 3, sixth * 5),
    )
    ends = [one for one in ends if one.outcome != "success"]
    assert charge_odds(charge, ends, by_total(ends, {})).shortest_roll_range == (2, None)


class Blind(Ram):
    """A game whose search finds no place within five inches, where there is one."""

    def solve(self, placement: Placement, *, budget: Budget, is_any_enough: bool = False) -> Any:
        """Return up within five inches."""
        if placement.variables[0].high <= 5.0:
            return None
        return super().solve(placement, budget=budget, is_any_enough=is_any_enough)


SYSTEM = Blind()


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> Case:
    """Lay two regiments 3.5 in apart: 4 is enough, and the search finds no place for 4 and 5."""
    monkeypatch.setitem(BUILT_IN, "ram", "tests.test_not_proved:SYSTEM")
    base = {"files": 2, "models": 4, "base": "25x25mm"}
    units = {
        "A": {"side": "blue", "at": [10, 10], "facing_deg": 90, **base},
        "B": {"side": "red", "at": [10, 13.5], "facing_deg": 270, **base},
    }
    asked = {
        "system": "ram",
        "board": {"width": 20, "depth": 20},
        "units": units,
        "charges": [{"charger": "A", "targets": ["B"], "dice": [3, 3]}],
    }
    return case_from_tables(asked)


def test_a_game_of_the_kit_tells_ranges(blind: Case) -> None:
    """Of totals for which no place was found nothing is known, and the others stand."""
    told = resolve(blind).rulings[0]
    found = odds(blind).charges[0]
    assert told.outcome == "success"
    assert told.shortest_rolls == found.shortest_rolls == (4, 6)
    assert told.chances == found.chances == (Fraction(26, 36), Fraction(33, 36))
    assert told.proof == "best_found"


def test_a_game_of_the_kit_of_which_nothing_is_known_has_no_verdict(
    blind: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A range from nothing to certainty is no answer."""
    monkeypatch.setattr(Blind, "solve", lambda *_, **__: None)
    monkeypatch.setattr(Blind, "needed", lambda *_: 1.0)
    with pytest.raises(NoVerdictError, match=r"\bA\b.*\bram\.touch\b.* 2\.5\b"):
        odds(blind)


def test_t9a_leaves_open_who_has_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search for room ended, who was left out may have it: his chance is none to that of the range."""
    limited(monkeypatch, 12)
    rulings = resolve(charges_of(crowded(5))).rulings
    left_out = [one for one in rulings if one.rule == "t9a.combined.room"]
    assert left_out
    for one in left_out:
        assert (one.shortest_roll, one.chance_success) == (None, None)
        assert one.shortest_roll_range == (one.metrics["needed_roll"], None)
        assert one.chances == (Fraction(0), Fraction(one.metrics["range_chance_fraction"]))
        assert "success_chance" not in one.metrics

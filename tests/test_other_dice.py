"""Games with dice of other than six sides: faces, odds, errors, figure and schema follow what the vocabulary says."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import ClassVar

import pytest

import tabletop
from tabletop.cli import main
from tabletop.errors import ScenarioError, UsageError
from tabletop.registry import BUILT_IN
from tabletop.scenario.vocabulary import Vocabulary
from tests.faulty import Ram


class Tens(Ram):
    """The same game, with two dice of ten sides."""

    vocabulary: ClassVar[Vocabulary] = replace(Ram.vocabulary, sides=10)


SYSTEM = Tens()


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "ram", "tests.test_other_dice:SYSTEM")


def table(*dice: int) -> dict[str, object]:
    """Lay two regiments fifteen inches apart."""
    unit = {"files": 2, "models": 2, "base": "25x25mm", "facing_deg": 90}
    units = {
        "A": {**unit, "side": "blue", "at": [10, 2]},
        "B": {**unit, "side": "red", "at": [10, 18], "facing_deg": 270},
    }
    charge = {"charger": "A", "targets": ["B"], **({"dice": list(dice)} if dice else {})}
    return {
        "system": "ram",
        "board": {"width": 20, "depth": 24},
        "units": units,
        "charges": [charge],
    }


def test_odds_go_over_all_faces() -> None:
    """Sixteen inches want 16 of two dice from 1 to 10: 15 of 100 throws."""
    (odds,) = tabletop.odds(table()).charges
    assert odds.outcomes["success"] == Fraction(15, 100)
    assert [one.total for one in odds.by_total] == list(range(2, 21))
    thrown = {
        face
        for seed in range(60)
        for face in tabletop.resolve(table(), seed=seed).rulings[0].metrics["dice"]
    }
    assert thrown == set(range(1, 11))


def test_faces_are_taken_and_refused_by_their_sides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten is a face and eleven is none: in a file, in Python, on the command line, in a survey."""
    assert tabletop.resolve(table(6, 10)).rulings[0].outcome == "success"
    with pytest.raises(ScenarioError, match=r"dice\[1\]: .*\b1 .*\b10\b.*\b11\b"):
        tabletop.resolve(table(6, 11))
    with pytest.raises(UsageError, match=r"^dice: .*\b1 .*\b10\b.*\[6, 11\]"):
        tabletop.resolve(table(), dice=[6, 11])
    file = tmp_path / "ram.json"
    file.write_text(json.dumps(table()), "utf-8")
    assert main(["resolve", str(file), "--dice", "6,10"]) == 0
    assert main(["resolve", str(file), "--dice", "6,11"]) == 2
    assert re.search(r"--dice 6,11: .*\b1 .*\b10\b", capsys.readouterr().err)
    assert main(["explore", str(file), "--vary", "units.A.at.1=1:2:1", "--dice", "6,11"]) == 2
    assert re.search(r"dice: .*\b1 .*\b10\b.*\b11\b", capsys.readouterr().err)


def test_a_figure_shows_the_faces(tmp_path: Path) -> None:
    """As numbers, for there are no pips for ten."""
    case = tabletop.case(table(7, 10))
    tabletop.draw(case, tmp_path / "ram.svg")
    drawn = (tmp_path / "ram.svg").read_text("utf-8")
    assert all(f">{face}<" in drawn for face in (7, 10, 17))

"""Arguments of Python callers that are of another kind, or beyond what can be."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tabletop
from tabletop.cli import main
from tabletop.errors import ScenarioError, UsageError
from tabletop.exploring.jitter import Jitter
from tabletop.exploring.questions import QUESTIONS, Name, Question
from tests.drill.files import march_json

HALT = ["rules.halt=late"]
ODD_KINDS: dict[str, tuple[dict[str, Any], str]] = {
    "nothing to vary": ({"vary": None}, "vary: expected a list of what is varied, given null"),
    "numbers to vary": ({"vary": [1]}, r"vary: expected a list of what is varied, given \[1\]"),
    "a table to vary": ({"vary": {"rules.halt": "late"}}, "vary: expected a list"),
    "a number for a question": ({"question": 7}, r"question: expected a Question or the name of one \(threat, safe, start, jitter\)"),
    "a truth for a question": ({"vary": (), "question": True}, "question: expected"),
    "a number for a table": ({"out": 7}, "out: expected the path of a table, given 7"),
    "words for a step": ({"step": "far"}, "step: expected inches, given 'far'"),
    "words for a seed": ({"seed": "x"}, "seed: expected a whole number, given 'x'"),
    "half a seed": ({"seed": 0.5}, "seed: expected a whole number"),
    "one text to set": ({"overrides": "rules.halt=late"}, "expected a list of what is set, as in"),
    "a number for dice": ({"dice": 3}, "dice: expected a list of natural faces"),
    "a text for dice": ({"dice": "34"}, "dice: expected a list of natural faces"),
    "half a face": ({"dice": [2.5]}, "dice: expected a whole number, given 2.5"),
    "half a worker": ({"workers": 1.5}, "workers: expected a whole number"),
    "a number for a scheduler": ({"scheduler": 8786}, "scheduler: expected the address"),
    "a number to tell": ({"done": 3}, "done: expected a function"),
    "words for seconds": ({"max_seconds": "1"}, "max_seconds: expected seconds"),
    "words for a charge": ({"charge": "first"}, "charge: expected a whole number"),
    "a text for a region": ({"vary": ["units.A=random:2"], "region": "0,0,1,1"}, "region: expected four numbers"),
    "three sides": ({"vary": ["units.A=random:2"], "region": (0, 0, 1)}, "region: expected four numbers"),
    "words for sides": ({"vary": ["units.A=random:2"], "region": (0, 0, 1, "a")}, "region: expected four numbers"),
}
BEYOND: dict[str, tuple[dict[str, Any], str]] = {
    "no axes": ({"vary": []}, "nothing is varied"),
    "an empty axis": ({"vary": [""]}, "expected KEY=START:STOP:STEP"),
    "an unknown question": ({"vary": (), "question": "safety"}, "no question is called so; did you mean 'safe'"),
    "no question": ({"vary": (), "question": ""}, "no question is called so"),
    "a charge too many": ({"charge": 3}, "one of the file's 1 charges, counted from 0, given 3"),
    "a charge before the first": ({"charge": -1}, "charge: expected 0 to 19, given -1"),
    "no workers": ({"workers": 0}, "workers: expected 1 to 1,000, given 0"),
    "no face": ({"dice": [0]}, "dice: expected faces from 1 to 6, given 0"),
    "no time": ({"max_seconds": 0}, "max_seconds: expected seconds greater than 0, given 0"),
    "time without a number": ({"max_seconds": math.nan}, "max_seconds: expected seconds greater than 0"),
    "a step backwards": ({"vary": ["units.A=board"], "step": -1}, "expected inches greater than 0"),
}


@pytest.mark.parametrize(("arguments", "message"), ODD_KINDS.values(), ids=ODD_KINDS)
def test_another_kind(arguments: dict[str, Any], message: str) -> None:
    """What is of another kind is told with what was expected."""
    with pytest.raises(TypeError, match=message):
        tabletop.explore("drill/march", **{"vary": HALT, "workers": 1, **arguments})


@pytest.mark.parametrize(("arguments", "message"), BEYOND.values(), ids=BEYOND)
def test_beyond(arguments: dict[str, Any], message: str) -> None:
    """What is of its kind and cannot be is told with the ends."""
    with pytest.raises(UsageError, match=message):
        tabletop.explore("drill/march", **{"vary": HALT, "workers": 1, **arguments})


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"unit": 7}, TypeError, "unit: expected the name of a unit, given 7"),
        ({"step": "far"}, TypeError, "step: expected inches"),
        ({"jitter": 0.1}, TypeError, "jitter: expected .*Jitter"),
        ({"facings": 2.5}, TypeError, "facings: expected a whole number"),
        ({"facings": 0}, UsageError, "facings: expected 1 to 360, given 0"),
        ({"samples": True}, TypeError, "samples: expected a whole number"),
        ({"samples": 0}, UsageError, "samples: expected 1 to 1,000,000,000"),
    ],
)
def test_questions(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    """A question says so itself."""
    with pytest.raises(error, match=message):
        Question("threat", **arguments)


def test_numbers_of_numpy() -> None:
    """Its whole numbers are as good as Python's."""
    survey = tabletop.explore("drill/march", HALT, seed=np.int64(3), dice=np.array([3]), workers=1, charge=np.int64(0))  # type: ignore[arg-type]
    assert survey.shape == (1,)
    assert Question("jitter", jitter=Jitter(0.1, 1.0), samples=np.int64(3)).samples == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("charges", [7, [7], [{}], [{"charger": "A"}], [{"charger": "A", "targets": []}], {"charger": "A"}])
@pytest.mark.parametrize("question", QUESTIONS)
def test_files_that_questions_cannot_read(charges: Any, question: Name, tmp_path: Path) -> None:
    """It is the file that is told."""
    file = tmp_path / "t.json"
    file.write_text(march_json({"charges": charges}), encoding="utf-8")
    with pytest.raises(ScenarioError, match=r"t\.json: charges"):
        tabletop.explore(file, question=question, workers=1)
    with pytest.raises(ScenarioError, match="charges"):
        tabletop.explore(file, ["units.A=random:2"], workers=1)


@pytest.mark.parametrize("units", [7, [], {"A": 7}, {"A": {}}, {"A": {"at": 3}}, {"A": {"at": [[1]]}}, {"A": {"at": ["x", "y"]}}])
@pytest.mark.parametrize("arguments", [["--question", "jitter"], ["--question", "threat"], ["--vary", "units.A=random:3"]])
def test_files_without_units(units: Any, arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No error of the file is a bug of the program."""
    file = tmp_path / "t.json"
    file.write_text(march_json({"units": units}), encoding="utf-8")
    assert main(["explore", str(file), *arguments, "--workers", "1"]) in (2, 3)
    assert "units" in capsys.readouterr().err

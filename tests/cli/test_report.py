"""Answers as text: in a line with `--brief`, and places told so that whoever reads them can put the models there."""

import re
from dataclasses import replace
from typing import Any

import pytest

import tabletop
from tabletop.cli import main
from tabletop.cli.report import judgement_text, resolution_lines
from tabletop.geometry.pose import Pose
from tabletop.ruling.verdict import Judgement
from tabletop.scenario.reading import case_from_tables
from tabletop.table.models import Formation
from tests.messages import untold

LINES = {
    "resolve t9a/wheel-and-align": (0, "A .. B .. success .. t9a.align.target-models: .. 6 .. B"),
    "resolve conquest/longer-than-the-roll": (
        0,
        "A .. B .. failed .. conquest.move.charge-distance .. margin -2",
    ),
    "resolve t9a/judged-one-short": (
        0,
        "Proposal .. not allowed .. t9a.align.target-models .. margin -1",
    ),
    "judge t9a/judged-one-short": (
        1,
        "Proposal .. not allowed .. t9a.align.target-models .. margin -1",
    ),
    "odds conquest/longer-than-the-roll": (
        0,
        "A .. B .. success .. 2/3 .. 66.67% .. 3 .. conquest.move.charge-distance .. 1/3 .. 33.33%",
    ),
}


@pytest.mark.parametrize("asked", LINES)
def test_an_answer_in_a_line(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict, the rule that decided, and its margin; of a proposal in a file that is resolved the last line."""
    code, parts = LINES[asked]
    assert main([*asked.split(), "--brief"]) == code
    told = capsys.readouterr().out.splitlines()
    assert untold(told[-1], parts) == [], told
    assert len(told) <= 2


@pytest.mark.parametrize("asked", ["resolve", "judge", "odds"])
def test_one_answer_is_not_printed_in_two_ways(
    asked: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """--brief is for people, --json for programs."""
    assert main([asked, "t9a/judged-one-short", "--brief", "--json"]) == 2
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, "error: .. --brief .. --json") == []


@pytest.mark.parametrize(
    ("name", "is_said"), [("conquest/blocked-by-a-garrison", True), ("t9a/three-reasons", False)]
)
def test_a_refusal_by_less_than_a_hand_can_place_says_so(
    name: str, is_said: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """0.0005 in beside a hut, of 0.001 in: on a table that hangs on the hand; degrees or inches that anybody sees are
    not told so.
    """
    assert main(["resolve", name]) == 0
    assert ("accuracy = 0.1" in capsys.readouterr().out) == is_said


ROUND = {"base": "32mm round"}
OVAL = {"base": "75x42mm oval"}


@pytest.mark.parametrize(
    ("body", "order", "headings", "numbers"),
    [
        (ROUND, (), (0.0, 1.0), []),
        (ROUND, (0, 1), (0.0, 1.0), []),
        (ROUND, (1, 0), (0.0, 1.0), ["2", "1"]),
        (OVAL, (0, 1), (0.5, 0.5), ["28.64789"]),
        (OVAL, (1, 0), (0.0, 1.0), ["0", "57.29578", "2", "1"]),
    ],
)
def test_places_of_loose_models_are_told_whole(
    body: dict[str, Any], order: tuple[int, ...], headings: tuple[float, float], numbers: list[str]
) -> None:
    """The right places alone may be those that were proposed: facings of what is not round and the order of moving make
    the difference.
    """
    units = {
        "A": {"side": "blue", "at": [[5, 5], [8.5, 5]], **body},
        "T": {"side": "red", "at": [[20, 20]], **ROUND},
    }
    case = case_from_tables(
        {"system": "wh40k", "board": {"width": 60, "depth": 44}, "units": units, "charges": []}
    )
    poses = tuple(
        Pose(x, x + 1.0, heading) for x, heading in zip((10.0, 12.0), headings, strict=True)
    )
    better = {"A": Formation(poses, (0.0, 0.0), order or None)}
    told = judgement_text(
        Judgement("not_allowed", "wh40k.move.contact", (), "", better=better), case
    )
    name, _, rest = told.splitlines()[-1].partition("(10, 11), (12, 13)")
    assert name.split()[0] == "A"
    assert re.findall(r"[\d.]+", rest) == numbers


def test_a_line_of_a_measured_table_names_what_is_open() -> None:
    """What the accuracy leaves open stands behind the outcome; on the table as it stands nothing is open."""
    case = tabletop.case("t9a/measured-with-a-tape")
    resolution = tabletop.resolve(case)
    assert (
        untold(resolution_lines(resolution), "Knights .. Orcs .. success .. accuracy .. t9a.range")
        == []
    )
    assert untold(
        resolution_lines(tabletop.resolve(replace(case, measured=None))), "accuracy .. t9a.range"
    ) == ["t9a.range", "accuracy"]

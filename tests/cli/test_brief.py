"""`--brief`: an answer in a line, by the same name everywhere; the exit code is that of the whole answer."""

import pytest

from tabletop.cli import main

LINES = {
    "resolve t9a/wheel-and-align": (0, "A charges B: success (t9a.align.target-models: 6 models of B in contact)"),
    "resolve conquest/longer-than-the-roll": (0, "A charges B: failed (conquest.move.charge-distance, margin -2)"),
    "resolve t9a/judged-one-short": (0, "Proposal: not allowed (t9a.align.target-models, margin -1)"),
    "judge t9a/judged-one-short": (1, "Proposal: not allowed (t9a.align.target-models, margin -1)"),
    "odds conquest/longer-than-the-roll": (
        0,
        "A charges B: success 2/3 (66.67%), needs 3 or more, conquest.move.charge-distance against it 1/3 (33.33%)",
    ),
}


@pytest.mark.parametrize("asked", LINES)
def test_an_answer_in_a_line(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict, the rule that decided, and its margin; of a proposal in a file that is resolved the last line."""
    code, line = LINES[asked]
    assert main([*asked.split(), "--brief"]) == code
    told = capsys.readouterr().out.splitlines()
    assert told[-1] == line
    assert len(told) <= 2


@pytest.mark.parametrize("asked", ["resolve", "judge", "odds"])
def test_one_answer_is_not_printed_in_two_ways(asked: str, capsys: pytest.CaptureFixture[str]) -> None:
    """--brief is for people, --json for programs."""
    assert main([asked, "t9a/judged-one-short", "--brief", "--json"]) == 2
    assert capsys.readouterr().err == "error: --brief and --json exclude each other\n"

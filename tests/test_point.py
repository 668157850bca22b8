"""The key `point`: a figure is about the rule that its file names, and shows the mark of that rule with its number."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from plots.layout.page import lay_out
from plots.render.figure import picture
from tabletop.errors import ScenarioError
from tabletop.language.language import ENGLISH
from tabletop.language.spoken import in_language
from tabletop.scenario.reading import read_case
from tabletop.scenario.sources import bundled_text
from tabletop.testing.answers import resolved
from tests.bundled import NAMES

ZEROS = re.compile(r"\.0+(?!\d)|(?<=\.\d)0(?!\d)")
"""Zeros at the end of numbers, which readers do not see."""

POINTED = [name for name in NAMES if read_case(name).point]


def plain(words: str) -> str:
    """Return words without the zeros at the end of their numbers."""
    return ZEROS.sub("", words)


def test_a_rule_that_the_game_does_not_have_is_refused_with_the_nearest() -> None:
    """The key, the word and a suggestion."""
    tables = tomllib.loads(bundled_text("t9a/wheel-and-align"))
    with pytest.raises(
        ScenarioError, match=r"point: .*'t9a\.arc\.target-facin'.*'t9a\.arc\.target-facing'"
    ):
        read_case(tables | {"point": "t9a.arc.target-facin"})


def test_a_rule_without_a_finding_is_warned_of_and_changes_no_figure(tmp_path: Path) -> None:
    """The figure is that of the file without the key."""
    text = bundled_text("t9a/wheel-and-align")
    for name, words in (("plain", text), ("pointed", f'point = "t9a.unaligned.angle"\n{text}')):
        (tmp_path / f"{name}.toml").write_text(words, "utf-8")
    command = [sys.executable, "-m", "tabletop", "resolve", str(tmp_path / "pointed.toml")]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "t9a.unaligned.angle" in answer.stderr
    figures = [picture(*resolved(str(tmp_path / f"{name}.toml"))) for name in ("plain", "pointed")]
    assert figures[0].panels == figures[1].panels


@pytest.mark.parametrize("name", POINTED)
def test_the_point_of_a_title_is_in_the_picture(name: str) -> None:
    """The rule has a finding with a mark, and its words stand in one of the panels, with a number if a number was
    measured.
    """
    case, resolution = resolved(name)
    shown, _ = in_language(ENGLISH, case, resolution, None, "reader")
    told = [ruling.pointed for ruling in shown.rulings if ruling.pointed is not None]
    assert told, "a finding with a mark"
    page = lay_out(picture(case, resolution))
    placed = {label.label.text for shown in page.shown for label in shown.labels}
    (first, *_) = told
    assert first.mark is not None
    assert any(plain(first.mark.words) in plain(text) for text in placed)
    if first.measured is not None:
        assert re.search(r"\d", first.mark.words)

"""Scenarios in one line: taken wherever a file is, whole or not at all."""

import base64
import json
import zlib
from pathlib import Path

import pytest

import tabletop
from tabletop.cli import main
from tabletop.errors import ScenarioError
from tabletop.scenario.limits import FILE_BYTES
from tabletop.scenario.link import MARK, link_of, linked
from tabletop.scenario.results import result
from tests.bundled import NAMES, each_of, resolved


@each_of([name for name in NAMES if name.rpartition("/")[2] in ("free-choice", "the-target-turns", "up-on-the-block", "straight-run")])
def test_a_link_asks_what_its_file_asks(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Read back, the scenario is ruled on in the same words, judged and drawn as the file would be."""
    assert main(["link", name]) == 0
    link = capsys.readouterr().out.strip()
    assert link.startswith(MARK)
    assert "\n" not in link
    case, resolution = resolved(name)
    again = tabletop.read_case(link)
    assert result(again, tabletop.resolve(again)) == result(case, resolution)
    assert main(["check", f" {link}\n"]) == 0
    assert main(["draw", link, "-o", str(tmp_path / "figure.svg")]) == 0


def test_a_link_that_is_cut_short_says_so() -> None:
    """Whatever is missing, there is one sentence and no half scenario."""
    link = link_of(json.dumps({"system": "t9a", "title": "x" * 500}))
    for cut in range(len(MARK), len(link)):
        with pytest.raises(ScenarioError, match=r"the link: is (cut short|damaged): copy the whole line"):
            linked(link[:cut])


@pytest.mark.parametrize("text", ["tt1.", "tt1.!!!", "tt1.ä", "tt1.AAAA", "tt1." + "A" * 5000])
def test_what_is_no_link_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input: exit 3."""
    assert main(["resolve", text]) == 3
    assert "the link: is " in capsys.readouterr().err


def test_a_link_unpacks_no_more_than_a_file_may_hold(capsys: pytest.CaptureFixture[str]) -> None:
    """A small link of very much text is refused as a file of that size is."""
    bomb = MARK + base64.urlsafe_b64encode(zlib.compress(b" " * (200 * FILE_BYTES), 9)).decode().rstrip("=")
    assert len(linked(bomb)) == FILE_BYTES + 1
    assert main(["resolve", bomb]) == 3
    assert "the link: the file is larger" in capsys.readouterr().err

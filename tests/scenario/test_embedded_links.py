"""Scenarios in one line: taken wherever a file is, whole or not at all."""

import base64
import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import tabletop
from tabletop.cli import main
from tabletop.errors import ScenarioError
from tabletop.scenario.embedded import MARK, link_of, linked
from tabletop.scenario.limits import FILE_BYTES
from tabletop.scenario.results import result
from tabletop.scenario.sources import bundled_text
from tabletop.testing.answers import resolved
from tests.bundled import NAMES, each_of
from tests.messages import untold


@each_of(
    [
        name
        for name in NAMES
        if name.rpartition("/")[2]
        in ("free-choice", "the-target-turns", "up-on-the-block", "straight-run")
    ]
)
def test_a_link_asks_what_its_file_asks(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
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
        with pytest.raises(ScenarioError, match=r"^the link: .*(cut|damaged)"):
            linked(link[:cut])


@pytest.mark.parametrize("text", ["tt1.", "tt1.!!!", "tt1.ä", "tt1.AAAA", "tt1." + "A" * 5000])
def test_what_is_no_link_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input: exit 3."""
    assert main(["resolve", text]) == 3
    assert capsys.readouterr().err.startswith("error: the link: ")


@pytest.mark.parametrize(
    ("changed", "told"),
    [(str.upper, "TT1."), (lambda link: link.replace("tt1", "tt2"), "tt2.")],
)
def test_a_link_of_another_kind_says_what_it_begins_with(
    changed: Callable[[str], str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is no file that is not there, and is not repeated."""
    assert main(["link", "t9a/wheel-and-align"]) == 0
    assert main(["resolve", changed(capsys.readouterr().out)]) == 3
    found = capsys.readouterr().err
    assert untold(found, f"error: the link: .. {told} .. tt1.") == [], found
    assert len(found) < 200


def test_a_link_is_read_from_a_file_and_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a figure is; where it is not whole, that is the reason."""
    assert main(["link", "t9a/wheel-and-align"]) == 0
    link = capsys.readouterr().out
    file = tmp_path / "mail.txt"
    file.write_text(f"\n{link}\n", "utf-8")
    assert main(["check", str(file)]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(link.encode())))
    assert main(["check", "-"]) == 0
    file.write_text(
        "\n".join(link[place : place + 76] for place in range(0, len(link), 76)), "utf-8"
    )
    assert main(["check", str(file)]) == 0
    file.write_text(link[:-50], "utf-8")
    capsys.readouterr()
    assert main(["check", str(file)]) == 3
    assert untold(capsys.readouterr().err, f"{file}: the link: .. cut") == []
    file.write_text("tt1.x = 5\n", "utf-8")
    assert main(["check", str(file)]) == 3
    assert untold(capsys.readouterr().err, f"{file}: .. system: .. missing") == []


def test_messages_do_not_repeat_a_link_or_a_very_long_name(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Warnings, faults that resolving finds, reports of `check` and names of no file stay readable."""
    assert main(["link", "t9a/measured-with-a-tape"]) == 0
    link = capsys.readouterr().out.strip()
    assert main(["check", link]) == 0
    assert capsys.readouterr().out == "ok  the link\n"
    short = link_of(json.dumps({**json.loads(linked(link)), "expect": []}))
    assert main(["check", short]) == 3
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, "error: the link: expect: .. [[expect]] .. 1 .. 0") == [], error
    assert main(["resolve", "x" * 5000]) == 3
    assert len(capsys.readouterr().err) < 400


def test_a_link_of_a_measured_table_keeps_what_was_not_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A unit that stands by another is exactly there: written at a place, it would be measured like any other."""
    shown = bundled_text("t9a/measured-with-a-tape")
    file = tmp_path / "tape.toml"
    file.write_text(
        shown.replace(
            "at = [35.8, 20.0]\nfacing_deg = 90",
            'beside = { unit = "Orcs", side = "right", gap = 0.1 }',
        ),
        "utf-8",
    )
    assert main(["resolve", str(file), "--json"]) == 0
    wanted = capsys.readouterr().out
    assert main(["link", str(file)]) == 0
    assert main(["resolve", capsys.readouterr().out, "--json"]) == 0
    assert capsys.readouterr().out == wanted


def test_a_link_unpacks_no_more_than_a_file_may_hold(capsys: pytest.CaptureFixture[str]) -> None:
    """A small link of very much text is refused as a file of that size is."""
    bomb = MARK + base64.urlsafe_b64encode(
        zlib.compress(b" " * (200 * FILE_BYTES), 9)
    ).decode().rstrip("=")
    assert len(linked(bomb)) == FILE_BYTES + 1
    assert main(["resolve", bomb]) == 3
    assert untold(capsys.readouterr().err, "error: the link: .. 1,048,576") == []

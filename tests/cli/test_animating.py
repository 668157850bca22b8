"""`draw` with moving pictures: by the file's ending, with a bar where somebody waits."""

import json
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.cli.output import progress
from tabletop.scenario.parsing import parsed
from tabletop.scenario.sources import bundled_text
from tests.messages import untold


def test_draw_writes_a_page_that_plays(tmp_path: Path) -> None:
    """The ending decides; nothing else is left beside the file."""
    out = tmp_path / "march.html"
    assert main(["draw", "drill/march", "-o", str(out)]) == 0
    assert out.read_text().startswith("<!DOCTYPE html>")
    assert [file.name for file in tmp_path.iterdir()] == ["march.html"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.gif", "--steps"], "--steps .. --board .. .svg .. .pdf"),
        (["a.html", "--board"], "--steps .. --board .. .svg .. .pdf"),
        (["a.webm"], "a.webm: .. .gif .. .mp4 .. .html"),
        (["/nowhere/a.html"], "/nowhere/a.html: .. folder .. /nowhere"),
    ],
)
def test_draw_refuses(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What cannot be shown moving ends with 2 and says why."""
    assert main(["draw", "drill/march", "-o", *arguments]) == 2
    assert untold(capsys.readouterr().err, message) == []


@pytest.mark.parametrize("system", ["t9a/align-corner", "battletech/straight-run"])
def test_where_nobody_charges_the_table_is_drawn(
    system: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A table without charges has one picture, that of the board, and nothing that moves."""
    tables = parsed(bundled_text(system).encode())
    bare = tmp_path / "bare.json"
    bare.write_text(
        json.dumps(
            {key: value for key, value in tables.items() if key not in ("charges", "expect")}
        )
    )
    pictures = []
    for words in ([], ["--steps"], ["--board"]):
        assert main(["draw", str(bare), "-o", str(tmp_path / "table.svg"), *words]) == 0
        pictures.append((tmp_path / "table.svg").read_bytes())
    assert pictures[0] == pictures[1] == pictures[2]
    assert main(["draw", str(bare), "-o", str(tmp_path / "table.gif")]) == 2
    assert untold(capsys.readouterr().err, f"error: {tmp_path / 'table.gif'}: .. charges") == []


@pytest.mark.parametrize(("after", "is_told"), [(0.0, True), (60.0, False)])
def test_who_waits_sees_a_bar(
    after: float, is_told: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal a bar appears, but not for quick work."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress(after) as told:
        told(0.25)
        told(1.0)
    assert bool(capsys.readouterr().err) is is_told


def test_nobody_is_told_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal nothing is printed."""
    with progress(0.0) as told:
        told(0.5)
    assert not capsys.readouterr().err

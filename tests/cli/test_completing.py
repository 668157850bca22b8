"""What a shell completes, asked as a shell asks it; and what the help says of exit codes."""

from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.cli.errors import ExitCode
from tabletop.cli.options import questions


def _completed(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Complete the last word of a line, as Bash does."""
    for name, value in {"_TABLETOP_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}.items():
        monkeypatch.setenv(name, value)
    assert main([]) == 0
    return capsys.readouterr().out.split()


def test_names_are_completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Scenarios where one may be asked, systems where one is named, commands and options."""
    assert _completed("tabletop resolve t9a/wheel-and-a", monkeypatch, capsys) == ["t9a/wheel-and-align"]
    assert "conquest/longer-than-the-roll" in _completed("tabletop check conq", monkeypatch, capsys)
    assert _completed("tabletop rules batt", monkeypatch, capsys) == ["battletech"]
    assert _completed("tabletop odds --bri", monkeypatch, capsys) == ["--brief"]


def test_files_are_completed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those that may hold a scenario, and folders; nothing where there is no such folder."""
    for name in ("b.toml", "b.txt", "b.svg", ".b.toml"):
        (tmp_path / name).touch()
    (tmp_path / "bundle").mkdir()
    monkeypatch.chdir(tmp_path)
    assert questions("b")[-3:] == ["b.svg", "b.toml", "bundle/"]
    assert questions(f"{tmp_path}/b.t") == [f"{tmp_path}/b.toml"]
    assert questions(f"{tmp_path}/") == [f"{tmp_path}/{name}" for name in ("b.svg", "b.toml", "bundle/")]
    assert questions("nowhere/") == []
    assert questions("\0/") == []


@pytest.mark.parametrize("command", ["", "resolve", "import megamek", "page"])
def test_the_help_says_what_exit_codes_mean(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """All of them, in the help of the program and of each command."""
    assert main([*command.split(), "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split()).partition("Exit codes: ")[2]
    assert [int(word) for word in told.replace(",", " ").split() if word.isdecimal()] == list(ExitCode)

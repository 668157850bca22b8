"""Streams that are closed, full, or read by nobody: the trouble of others, never a bug, and one clear line where one
can be said.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.cli.errors import ExitCode, report_error
from tests.messages import untold

FULL = Path("/dev/full")
NEEDS_FULL = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full here")
PRINTING = (
    ["resolve", "drill/march", "--dice", "3"],
    ["resolve", "drill/march", "--dice", "3", "--json"],
    ["odds", "drill/march"],
    ["check", "drill/march"],
    ["compare", "drill/march", "--set", "system.bonus=0"],
    ["explore", "drill/march", "--vary", "rules.halt=late", "--workers", "1"],
    ["scenarios"],
    ["rules", "drill"],
    ["rules", "drill", "--fields"],
    ["schema"],
)


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_full_disk_is_no_bug(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command says that its answer cannot be written, and why, and ends with 2."""
    if not FULL.exists():
        pytest.skip("there is no /dev/full here")
    with FULL.open("w", encoding="utf-8", buffering=1 << 20) as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(arguments) == 2
        monkeypatch.undo()
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, "error: .. standard output .. No space left on device") == [], error


@pytest.mark.parametrize("arguments", PRINTING, ids=" ".join)
def test_a_closed_output_is_no_bug(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same where there is no standard output at all."""
    monkeypatch.setattr(sys, "stdout", None)
    assert main(arguments) == 2
    assert untold(capsys.readouterr().err, "error: .. standard output .. closed") == []


def test_a_closed_input_is_a_scenario_that_cannot_be_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names it as any other file."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["resolve", "-"]) == 3
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, "error: standard input: .. closed") == [], error


def test_an_input_that_is_a_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the machine says of it is told."""

    class Folder:
        buffer = property(lambda self: self)

        def read(self, size: int) -> bytes:
            raise IsADirectoryError(21, "Is a directory", size)

    monkeypatch.setattr(sys, "stdin", Folder())
    assert main(["resolve", "-"]) == 3
    (error,) = capsys.readouterr().err.splitlines()
    assert untold(error, "error: standard input: .. Is a directory") == [], error


def test_nowhere_to_complain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a standard error the exit code says it all, also of commands that would show that they are at work."""
    monkeypatch.setattr(sys, "stderr", None)
    assert main(["resolve", "/nowhere.toml"]) == 3
    assert main(["resolve", "drill/march", "--dice", "3"]) == 0
    assert main(["explore", "drill/march", "--vary", "rules.halt=late", "--workers", "1"]) == 0
    assert main(["resolve", "--debug", "/nowhere.toml"]) == 3


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(28, "No space left on device"), ExitCode.USAGE, "No space left on device"),
        (
            FileNotFoundError(2, "No such file or directory", "/gone"),
            ExitCode.USAGE,
            "/gone: .. No such file or directory",
        ),
        (TimeoutError("timed out"), ExitCode.USAGE, "timed out"),
        (ConnectionError(), ExitCode.USAGE, "ConnectionError"),
        (MemoryError(), ExitCode.NO_VERDICT, "memory"),
        (KeyError("x"), ExitCode.BUG, "bug .. --debug .. KeyError: 'x'"),
    ],
)
def test_what_errors_mean(
    error: Exception, code: ExitCode, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The machine's errors are the caller's to mend, too little memory is a limit, all else is a bug."""
    assert report_error(error) is code
    (told,) = capsys.readouterr().err.splitlines()
    assert untold(told, f"error: .. {message}") == [], told


def _in_a_shell(line: str) -> "subprocess.CompletedProcess[str]":
    whole = f"set -o pipefail; {line.replace('tabletop', f'{sys.executable} -m tabletop')}"
    return subprocess.run(
        ["/bin/bash", "-c", whole], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        pytest.param(
            "tabletop --help > /dev/full",
            2,
            "standard output .. No space left on device",
            marks=NEEDS_FULL,
        ),
        pytest.param(
            "tabletop --version > /dev/full",
            2,
            "standard output .. No space left on device",
            marks=NEEDS_FULL,
        ),
        pytest.param(
            "tabletop scenarios > /dev/full",
            2,
            "standard output .. No space left on device",
            marks=NEEDS_FULL,
        ),
        pytest.param("tabletop judge t9a/free-choice 2> /dev/full", 3, "", marks=NEEDS_FULL),
        pytest.param("tabletop resolve 2> /dev/full", 2, "", marks=NEEDS_FULL),
        ("tabletop --version >&-", 2, "standard output .. closed"),
        ("tabletop --version | true", 0, ""),
        ("tabletop schema >&-", 2, "standard output .. closed"),
        ("tabletop resolve nowhere <&- >&- 2>&-", 3, ""),
        ("tabletop rules t9a | true", 0, ""),
        ("tabletop judge t9a/judged-one-short | true", 1, ""),
    ],
)
def test_streams_of_a_shell(line: str, code: int, said: str) -> None:
    """The program ends with its own code, says no more than a line, and the interpreter adds nothing when it ends."""
    ended = _in_a_shell(line)
    assert ended.returncode == code
    assert not said or untold(ended.stderr, f"error: .. {said}") == [], ended.stderr
    assert len(ended.stderr.splitlines()) == (said != "")

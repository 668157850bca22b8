"""What is known to go wrong is shown, a page each, and goes wrong as the page says: what is mended must leave the
list.
"""

import re
import shlex
from pathlib import Path

import pytest

from tabletop.cli import main
from tests.consoles import blocks, commands, unprinted

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGES = sorted((DOCS / "known-failures").glob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_known_failure_still_happens(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page's table is read from `table.toml`, its commands print what is shown, and end with the exit code
    shown.
    """
    monkeypatch.chdir(tmp_path)
    parts = blocks(page.read_text("utf-8"))
    Path("table.toml").write_text(
        next(text for language, text in parts if language == "toml"), "utf-8"
    )
    sessions = [
        pair for language, text in parts if language == "console" for pair in commands(text)
    ]
    assert any(command.startswith("tabletop ") for command, _ in sessions)
    code = 0
    for command, shown in sessions:
        if command == "echo $?":
            assert shown == [str(code)]
            continue
        code = main(shlex.split(command)[1:])
        told = capsys.readouterr()
        assert unprinted(shown, told.out + told.err) == []


def test_every_known_failure_is_told_with_the_promises() -> None:
    """docs/promises.md links to each page, and to no page that is not there."""
    linked = re.findall(r"\(known-failures/([^)]+)\)", (DOCS / "promises.md").read_text("utf-8"))
    assert sorted(linked) == [page.name for page in PAGES]

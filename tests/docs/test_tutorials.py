"""What the tutorials show is what happens."""

import doctest
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tabletop.cli import main
from tabletop.registry import BUILT_IN
from tests.consoles import blocks, commands, unprinted

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = [
    *sorted((DOCS / "tutorials").glob("*.md")),
    DOCS / "measured.md",
    DOCS / "places.md",
    DOCS / "new-game.md",
]
BLOCKS = {page.stem: blocks(page.read_text("utf-8")) for page in PAGES}


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run everything in a folder of its own, with the files of the tutorials, the example game beside the project's
    own.
    """
    monkeypatch.syspath_prepend(DOCS.parent / "examples" / "skirmish")
    monkeypatch.setitem(BUILT_IN, "skirmish", "skirmish:SYSTEM")
    for file in (DOCS / "tutorials").glob("*.toml"):
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)


def _in_one_process(arguments: list[str]) -> list[str]:
    return [*arguments, "--workers", "1"] if arguments[0] == "explore" else arguments


@pytest.mark.parametrize("page", BLOCKS)
def test_commands_print_what_the_page_says(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Each `$ tabletop` line is run, one after the other; the lines below it are printed in that order, and `$ echo $?`
    tells its code.
    """
    lines = [
        pair for language, text in BLOCKS[page] if language == "console" for pair in commands(text)
    ]
    assert lines
    for (command, shown), (following, code) in zip(lines, [*lines[1:], ("", [])], strict=True):
        program, *arguments = shlex.split(command, comments=True)
        if program == "tabletop":
            expected = int(code[0]) if following == "echo $?" else 0
            assert main(_in_one_process(arguments)) == expected, command
            assert unprinted(shown, capsys.readouterr().out) == [], command


@pytest.mark.parametrize("page", BLOCKS)
def test_python_prints_what_the_page_says(page: str) -> None:
    """Each session is run as a doctest."""
    for text in (text for language, text in BLOCKS[page] if language == "python"):
        test = doctest.DocTestParser().get_doctest(text, {}, page, None, 0)
        assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed == 0


@pytest.mark.parametrize(
    "file", sorted((DOCS / "tutorials").glob("*.toml")), ids=lambda file: file.stem
)
def test_every_file_of_the_tutorials_is_shown(file: Path) -> None:
    """Each scenario is shown as a file and drawn by a page."""
    text = "".join(page.read_text("utf-8") for page in PAGES)
    assert re.search(rf"{{literalinclude}} (tutorials/)?{file.name}", text)
    assert re.search(rf"{{tabletop}} (tutorials/)?{file.name}", text)


def test_the_page_of_new_games_holds_the_whole_example() -> None:
    """Its blocks of code are the module of the example, one below the other; each of its files is one of the
    package.
    """
    package = DOCS.parent / "examples" / "skirmish"
    code = [
        text
        for language, text in BLOCKS["new-game"]
        if language == "py" and "tabletop.testing" not in text
    ]
    module = (package / "skirmish" / "__init__.py").read_text("utf-8")
    assert [line for text in code for line in text.splitlines() if line.strip()] == [
        line for line in module.splitlines() if line.strip()
    ]
    files = {file.read_text("utf-8").strip() for file in package.rglob("*.toml")}
    shown = [text.strip() for language, text in BLOCKS["new-game"] if language == "toml"]
    assert len(shown) > 2
    assert [text for text in shown if text not in files] == []

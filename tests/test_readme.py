"""What the README shows is what happens."""

import doctest
import os
import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from tabletop.cli import main
from tests.consoles import blocks, commands, unprinted

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BLOCKS = blocks(README.read_text("utf-8"))
SESSIONS = [text for language, text in BLOCKS if language in {"python", "pycon"} and ">>>" in text]
CONSOLES = [text for language, text in BLOCKS if language == "console"]
SCENARIOS = [text for language, text in BLOCKS if language == "toml"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run everything in a folder of its own; the README's scenario is there as `charge.toml`."""
    monkeypatch.chdir(tmp_path)
    (text,) = SCENARIOS
    Path("charge.toml").write_text(text, "utf-8")


@pytest.mark.parametrize("text", SESSIONS)
def test_python_in_the_readme_prints_what_it_says(text: str) -> None:
    """Each `>>>` session is run as a doctest."""
    test = doctest.DocTestParser().get_doctest(text, {}, "README", str(README), 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(
        test
    )
    assert result.failed == 0


@pytest.mark.parametrize(
    ("command", "shown"), [pair for text in CONSOLES for pair in commands(text)]
)
def test_commands_in_the_readme_print_what_it_says(
    command: str, shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each `$ tabletop` line is run; the lines shown below it are printed in that order, where `...` stands for any
    lines.
    """
    program, *arguments = shlex.split(command, comments=True)
    if program != "tabletop":
        assert program in {"make", "git", "pip", "cd"}
        return
    assert main(arguments) == 0
    assert unprinted(shown, capsys.readouterr().out) == []


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize(
    "target",
    sorted(
        {
            line.split()[1]
            for text in CONSOLES
            for line, _ in commands(text)
            if line.startswith("make ")
        }
    ),
)
def test_make_targets_in_the_readme_exist(target: str) -> None:
    """`make` knows every target the README names."""
    assert re.search(
        rf"^{re.escape(target)}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )


def test_links_in_the_readme_lead_somewhere() -> None:
    """Every relative link and picture is a file of the project."""
    links = re.findall(r"\]\(([^)#]+)\)|src=\"([^\"]+)\"", README.read_text("utf-8"))
    local = [link for pair in links for link in pair if link and "://" not in link]
    assert all((ROOT / os.path.normpath(link)).exists() for link in local)


def test_a_package_index_shows_no_link_that_leads_nowhere() -> None:
    """What the wheel says of itself is the README with the words of links and pictures that lead into the checkout."""
    told = README.read_text("utf-8")
    hook = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["metadata"][
        "hooks"
    ]["fancy-pypi-readme"]
    for one in hook["substitutions"]:
        told = re.sub(one["pattern"], one["replacement"], told)
    assert "](" not in told
    assert "![" not in told
    assert "judges, explorers" in told
    assert all(text in told for _, text in BLOCKS)

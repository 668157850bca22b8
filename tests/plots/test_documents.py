"""What the page on documents shows is what happens."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop import registry
from tabletop.cli import main
from tests.plots.test_sphinx import built

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "documents.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def blocks(language: str) -> list[str]:
    """Return the blocks of a language."""
    return [text for name, text in BLOCKS if name == language]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave files in a folder of their own."""
    monkeypatch.chdir(tmp_path)


def test_python_prints_what_it_says() -> None:
    """The session is run, and leaves the files that it writes."""
    session = next(text for text in blocks("python") if ">>>" in text)
    test = doctest.DocTestParser().get_doctest(session, {}, "documents", None, 0)
    assert doctest.DocTestRunner().run(test).failed == 0
    assert Path("wheel.svg").exists()
    assert Path("steps.png").exists()


@pytest.mark.parametrize("line", [line for text in blocks("console") for line in text.splitlines()])
def test_commands_are_understood(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are written; of films, which take long, only the options are read."""
    _, program, *arguments = shlex.split(line, comments=True)
    assert program == "tabletop"
    if arguments[-1].endswith((".gif", ".mp4")):
        monkeypatch.setattr("plots.animate", lambda *_, **__: None)
    assert main(arguments) == 0


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_the_recipe_draws_what_is_out_of_date(tmp_path: Path) -> None:
    """Make draws a scenario once, and stops where a verdict is not what the file expects."""
    scenario = dict(registry.scenarios("t9a"))["t9a/wheel-and-align"].read_text("utf-8")
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "wheel.toml").write_text(scenario)
    (tmp_path / "Makefile").write_text(blocks("make")[0])
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)}

    def make() -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["make", "figures/wheel.svg"],  # noqa: S607
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    assert make().returncode == 0
    assert "up to date" in make().stdout
    (tmp_path / "scenarios" / "wheel.toml").write_text(
        scenario.replace('outcome = "success"', 'outcome = "failed"')
    )
    os.utime(tmp_path / "figures" / "wheel.svg", (0, 0))
    assert make().returncode != 0


def test_the_example_for_sphinx_builds(tmp_path: Path) -> None:
    """The document of the example has two figures, and no warning."""
    code, said = built(tmp_path, f"Charges\n=======\n\n{blocks('rst')[0]}")
    assert code == 0, said
    assert (tmp_path / "out" / "html" / "index.html").read_text().count("<figure") == 2
    assert blocks("python")[1].strip() in (tmp_path / "conf.py").read_text()


def test_links_lead_somewhere() -> None:
    """Every relative link and picture is a file of the project, but for the one of the example."""
    text = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)
    assert all((ROOT / "docs" / link).exists() for link in re.findall(r"\]\(([^)#:]+)\)", text))

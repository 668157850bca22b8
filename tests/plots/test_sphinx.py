"""The directive of Sphinx: figures with words that are drawn anew when the scenario or the program changes."""

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from plots import sphinx
from tabletop import registry

ROOT = Path(__file__).resolve().parents[2]
SCENARIO = dict(registry.scenarios("conquest"))["conquest/the-side-at-a-corner"].read_text("utf-8")
DOCUMENT = """
Charges
=======

.. tabletop:: sub/mine.toml
   :name: mine

:ref:`Mine <mine>`

.. tabletop:: conquest/the-side-at-a-corner
   :steps:
   :theme: print
   :alt: Step by step.
   :width: 80%
   :class: wide

   *My* caption.

   And a legend.

.. tabletop:: sub/mine.toml
   :board:
   :nocaption:
   :align: left
"""


def built(folder: Path, document: str, builder: str = "html") -> "subprocess.CompletedProcess[str]":
    """Build a document of one page; warnings are errors."""
    (folder / "sub").mkdir(exist_ok=True)
    (folder / "conf.py").write_text('project = "Rules"\nextensions = ["plots.sphinx"]\n')
    (folder / "index.rst").write_text(document)
    arguments = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", builder, "-d", "trees", ".", f"out/{builder}"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(arguments, cwd=folder, env=environment, capture_output=True, text=True, check=False)


class Figures(HTMLParser):
    """Collects figures and pictures of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.figures: list[dict[str, str | None]] = []
        self.pictures: list[dict[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a figure or a picture."""
        if tag == "figure":
            self.figures.append(dict(attrs))
        if tag == "img":
            self.pictures.append(dict(attrs))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a small document as HTML."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "sub").mkdir()
    (folder / "sub" / "mine.toml").write_text(SCENARIO)
    done = built(folder, DOCUMENT)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_document_shows_figures_with_words(project: Path) -> None:
    """Each figure is an SVG with a description and a caption from the ruling, or with those that the document gives."""
    text = (project / "out" / "html" / "index.html").read_text()
    page = Figures(text)
    assert [figure["class"] for figure in page.figures] == ["tabletop align-default", "tabletop wide align-default", "tabletop align-left"]
    assert all((project / "out" / "html" / str(picture["src"])).read_text().startswith("<?xml") for picture in page.pictures)
    assert [str(picture["alt"])[:12] for picture in page.pictures] == ["A board of 4", "Step by step", "A board of 4"]
    assert "Rules, with the margin" in text
    assert "<em>My</em> caption." in text
    assert "And a legend." in text
    assert text.count("<figcaption>") == 2


def test_figures_are_drawn_again_only_where_something_changed(project: Path) -> None:
    """Built again nothing is written; a changed scenario is drawn anew, the others stay."""
    figures = project / "trees" / sphinx.FOLDER
    before = {file.name: file.stat().st_mtime_ns for file in figures.iterdir()}
    assert len(before) == 9, "three figures in three formats; more if the program was changed while they were built"
    (project / "sub" / "mine.toml").write_text(f"# Changed.\n{SCENARIO}")
    done = built(project, DOCUMENT)
    assert done.returncode == 0, done.stderr
    after = {file.name: file.stat().st_mtime_ns for file in figures.iterdir()}
    assert len(after) == 15
    assert before == {name: time for name, time in after.items() if name in before}


def test_a_changed_program_draws_again() -> None:
    """A document depends on every file of the program, and the name of a figure on what stands in them."""
    files = sphinx.program_files()
    assert ROOT / "plots" / "sphinx.py" in files
    assert ROOT / "tabletop" / "show.py" in files
    assert any(file.suffix == ".toml" and "scenarios" in file.parts for file in files)
    assert len(sphinx._program()) == 16


@pytest.mark.parametrize(
    ("directive", "message"),
    [
        (".. tabletop:: nowhere.toml", "there is no such file"),
        (".. tabletop:: conquest/the-least-turn\n   :theme: loud", "--theme 'loud'"),
        (".. tabletop:: conquest/the-least-turn\n   :steps:\n   :board:", "steps and board exclude each other"),
        (".. tabletop:: conquest/the-least-turn\n\n   * A list.", "the body must begin with a paragraph"),
    ],
)
def test_what_cannot_be_drawn_is_said_at_its_line(tmp_path: Path, directive: str, message: str) -> None:
    """The build warns with file and line, and goes on."""
    done = built(tmp_path, f"Charges\n=======\n\n{directive}\n")
    assert done.returncode == 1
    assert message in done.stderr
    assert "index.rst:4" in done.stderr


def test_other_builders_take_what_they_can_show(project: Path) -> None:
    """LaTeX is given PDF."""
    done = built(project, DOCUMENT, "latex")
    assert done.returncode == 0, done.stderr
    assert len(list((project / "out" / "latex").glob("*.pdf"))) == 3


def test_a_verdict_that_is_not_as_expected_is_a_warning(tmp_path: Path) -> None:
    """Where a file says what to expect, and the ruling is another, the build says so at the figure."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "mine.toml").write_text(SCENARIO.replace('outcome = "success"', 'outcome = "failed"'))
    done = built(tmp_path, "Charges\n=======\n\n.. tabletop:: sub/mine.toml\n")
    assert done.returncode == 1
    assert "sub/mine.toml: expect[0].outcome: expected failed, found success" in done.stderr
    assert "index.rst:4" in done.stderr

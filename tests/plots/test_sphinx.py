"""The directive of Sphinx: figures with words that are drawn anew when the scenario or the program changes."""

import re
from contextlib import chdir, redirect_stderr
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from sphinx.cmd.build import build_main

from plots import setting, sphinx
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


def built(folder: Path, document: str, builder: str = "html") -> tuple[int, str]:
    """Build a document of one page; warnings are errors. Give the exit code and what was said."""
    (folder / "sub").mkdir(exist_ok=True)
    if not (folder / "conf.py").exists():
        (folder / "conf.py").write_text('project = "Rules"\nextensions = ["plots.sphinx"]\n')
    (folder / "index.rst").write_text(document)
    words = (
        "-W",
        "--keep-going",
        "-q",
        "-b",
        builder,
        "-d",
        str(folder / "trees"),
        str(folder),
        str(folder / "out" / builder),
    )
    with redirect_stderr(StringIO()) as said, chdir(folder):
        return build_main(words), said.getvalue()


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
    code, said = built(folder, DOCUMENT)
    assert code == 0, said
    return folder


def test_a_document_shows_figures_with_words(project: Path) -> None:
    """Each figure is an SVG with a description and a caption from the ruling, or with those that the document gives."""
    text = (project / "out" / "html" / "index.html").read_text()
    page = Figures(text)
    assert [figure["class"] for figure in page.figures] == [
        "tabletop align-default",
        "tabletop wide align-default",
        "tabletop align-left",
    ]
    assert all(
        (project / "out" / "html" / str(picture["src"])).read_text().startswith("<?xml")
        for picture in page.pictures
    )
    spoken = [str(picture["alt"]) for picture in page.pictures]
    assert [" board " in words for words in spoken] == [True, False, True]
    assert spoken[1].startswith("Step by step")
    assert re.search(r"A\b[^.<]*\bleft\b[^.<]*\bB: 2 stands of A\b[^.<]*\b1 stand of B\b", text)
    assert "<em>My</em> caption." in text
    assert "And a legend." in text
    assert text.count("<figcaption>") == 2


def test_figures_are_drawn_again_only_where_something_changed(project: Path) -> None:
    """Built again nothing is written; a changed scenario is drawn anew, the others stay."""
    figures = project / "trees" / sphinx.FOLDER
    before = {file.name: file.stat().st_mtime_ns for file in figures.iterdir()}
    assert len(before) == 9, (
        "three figures in three formats; more if the program was changed while they were built"
    )
    (project / "sub" / "mine.toml").write_text(f"# Changed.\n{SCENARIO}")
    code, said = built(project, DOCUMENT)
    assert code == 0, said
    after = {file.name: file.stat().st_mtime_ns for file in figures.iterdir()}
    assert len(after) == 15
    assert before == {name: time for name, time in after.items() if name in before}


def test_a_changed_program_draws_again() -> None:
    """A document depends on every file of the program, and the name of a figure on what stands in them."""
    files = sphinx.program_files()
    assert ROOT / "plots" / "sphinx.py" in files
    assert ROOT / "tabletop" / "show.py" in files
    assert any(file.suffix == ".toml" and "scenarios" in file.parts for file in files)
    assert len(sphinx.program_digest()) == 16


MISTAKES = {
    ".. tabletop:: nowhere.toml": r"nowhere\.toml",
    ".. tabletop:: conquest/the-least-turn\n   :theme: loud": "--theme 'loud'",
    ".. tabletop:: conquest/the-least-turn\n   :steps:\n   :board:": r"\bsteps .*\bboard\b",
    ".. tabletop:: conquest/the-least-turn\n   :question: treat": r"\btreat\b",
    ".. tabletop:: conquest/the-least-turn\n\n   * A list.": r"\bparagraph\b",
    ".. tabletop:: sub/mine.toml": r"sub/mine\.toml: expect\[0\]\.outcome: .*\bfailed\b.*\bsuccess\b",
}


@pytest.fixture(scope="module")
def mistaken(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    """Build a document in which nothing is right, each directive at the tenth line after the one before."""
    folder = tmp_path_factory.mktemp("mistaken")
    (folder / "sub").mkdir()
    (folder / "sub" / "mine.toml").write_text(
        SCENARIO.replace('outcome = "success"', 'outcome = "failed"')
    )
    parts = ["Charges\n=======\n", *(f"{directive}\n" for directive in MISTAKES)]
    return built(folder, "".join(part + "\n" * (10 - part.count("\n")) for part in parts))


@pytest.mark.parametrize(("number", "message"), list(enumerate(MISTAKES.values(), start=1)))
def test_what_cannot_be_drawn_or_is_not_as_expected_is_said_at_its_line(
    mistaken: tuple[int, str], number: int, message: str
) -> None:
    """The build warns with file and line, and goes on."""
    code, said = mistaken
    assert code == 1
    (line,) = [line for line in said.splitlines() if re.search(message, line)]
    assert f"index.rst:{10 * number + 1}:" in line


ANSWERS = """
Answers
=======

.. tabletop:: t9a/odds-maximised
   :odds:

.. tabletop:: t9a/wheel-and-align
   :question: threat
   :step: 6

.. tabletop:: t9a/wheel-and-align
   :vary: units.A.x=20:24:2
   :show: chance
   :nocaption:
"""


def test_chances_and_maps_are_figures_too(tmp_path: Path) -> None:
    """Odds, a question and what varies are drawn and described, and captioned where they have a title; in the one
    format asked for.
    """
    (tmp_path / "conf.py").write_text('extensions = ["plots.sphinx"]\ntabletop_formats = ["svg"]\n')
    code, said = built(tmp_path, ANSWERS)
    assert code == 0, said
    page = Figures(text := (tmp_path / "out" / "html" / "index.html").read_text())
    spoken = [str(picture["alt"]) for picture in page.pictures]
    assert spoken[0].startswith("Bar charts")
    assert all("chance" in words for words in spoken[1:])
    assert text.count("<figcaption>") == 1
    assert {file.suffix for file in (tmp_path / "trees" / sphinx.FOLDER).iterdir()} == {".svg"}


def test_chances_are_told_in_the_language_of_the_figure() -> None:
    """The text alternative, too."""
    source = next(path for name, path in registry.scenarios("t9a") if name == "t9a/odds-maximised")
    german = sphinx.odds_shown(source, setting(language="german"))
    assert "Erfolg" in german.alt
    assert "Erfolg" not in sphinx.odds_shown(source, setting()).alt


def test_other_builders_take_what_they_can_show(project: Path) -> None:
    """LaTeX is given PDF."""
    code, said = built(project, DOCUMENT, "latex")
    assert code == 0, said
    assert len(list((project / "out" / "latex").glob("*.pdf"))) == 3


def test_a_figure_is_laid_out_for_a_width(tmp_path: Path) -> None:
    """`page-width` is the width of the page that is drawn, `width` that of the image in the document."""
    document = ".. tabletop:: conquest/the-side-at-a-corner\n   :page-width: 127mm\n   :width: 50%\n   :nocaption:\n"
    assert built(tmp_path, f"Wide\n====\n\n{document}") == (0, "")
    (drawn,) = (tmp_path / "trees" / sphinx.FOLDER).glob("*.svg")
    assert 'width="360pt"' in drawn.read_text("utf-8")
    assert "width: 50%" in (tmp_path / "out" / "html" / "index.html").read_text("utf-8")

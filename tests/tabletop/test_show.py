"""Values show themselves: as figures where there is one, as words and tables where not; `draw` gives a figure to
keep.
"""

import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import plots
import tabletop
from tabletop.errors import UsageError
from tabletop.exploring.questions import Question
from tabletop.exploring.survey import Survey
from tabletop.ruling.charge import Charge
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Judgement, Ruling
from tabletop.show import Drawing

CASE = tabletop.read_case("t9a/judged-one-short")
RESOLUTION = tabletop.resolve(CASE)
ODDS = tabletop.odds(CASE)
SURVEY = tabletop.explore(
    "conquest/the-least-turn", ["units.A.x=30:31:1", "units.A.y=20:21:1"], workers=1
)
TITLE = "{http://www.w3.org/2000/svg}title"


@pytest.mark.parametrize(
    "value",
    [CASE, RESOLUTION, ODDS, SURVEY, Drawing(CASE, RESOLUTION)],
    ids=lambda value: type(value).__name__,
)
def test_values_show_themselves_as_figures(value: object) -> None:
    """In a notebook each is a picture, as SVG and as PNG of the size that it has on a screen."""
    svg, png = value._repr_svg_(), value._repr_png_()  # type: ignore[attr-defined]
    root = ET.fromstring(svg)  # noqa: S314 - written here
    assert root.findtext(TITLE)
    data, size = png
    assert data.startswith(b"\x89PNG")
    assert size["width"] == pytest.approx(
        float(root.get("width", "0pt").removesuffix("pt")) * 96 / 72, abs=1
    )
    assert size["height"] == pytest.approx(
        float(root.get("height", "0pt").removesuffix("pt")) * 96 / 72, abs=1
    )


def test_what_has_no_figure_shows_its_text() -> None:
    """Without its case an answer is no picture, nor is a survey of words or of what no chart can show."""
    survey = Survey({"jitter": np.arange(2)}, {"outcome": np.array(["success", "failed"])}, CASE)
    for value in (
        replace(RESOLUTION, case=None),
        replace(ODDS, case=None),
        replace(SURVEY, case=None),
        survey,
    ):
        assert value._repr_svg_() is None
        assert value._repr_png_() is None


def page_of(value: Ruling | Judgement) -> ET.Element:
    """Return what a notebook shows of an answer."""
    return ET.fromstring(f"<body>{value._repr_html_()}</body>")  # noqa: S314 - written here


def test_rulings_and_judgements_are_words_and_a_table() -> None:
    """Outcome, rule and summary, then every finding; what looks like HTML is text."""
    finding = Finding(
        "t9a.range", ok=False, text="Short <by> a hair.", measured=7.5, limit=7.0, margin=-0.5
    )
    ruling = Ruling(
        Charge("A", ("B & C",)), "not_allowed", "Too far.", "t9a.range", findings=(finding,)
    )
    shown = page_of(ruling)
    assert re.search(r"A\b.*\bB & C\b.*\bt9a\.range\b", shown.findtext("p/strong", ""))
    assert [one.tail for one in shown.findall("p/strong")] == [" Too far."]
    assert [len(row) for row in shown.iter("tr")] == [6, 6]
    rule, _, *others = [cell.text for cell in shown.iter("td")]
    assert (rule, others) == ("t9a.range", ["7.5", "7", "-0.5", "Short <by> a hair."])
    shown = page_of(Judgement("success", None, (), "Legal and best."))
    assert "success" in shown.findtext("p/strong", "")
    assert [one.tail for one in shown.findall("p/strong")] == [" Legal and best."]
    assert shown.find("table") is None


def test_answers_know_their_case() -> None:
    """The case is part of an answer, but not of what makes two answers equal or of their text."""
    assert RESOLUTION.case is CASE
    assert ODDS.case is CASE
    assert replace(RESOLUTION, case=None) == RESOLUTION
    assert "Case(" not in repr(RESOLUTION)
    assert SURVEY.case is not None
    assert SURVEY.case.title
    assert SURVEY.best("units.A.x", "chance").case is SURVEY.case


def test_draw_takes_names_cases_and_answers(tmp_path: Path) -> None:
    """All of them give the same bytes; a path is written; a proposal is judged."""
    file = tmp_path / "a.svg"
    drawings = [tabletop.draw(asked, file) for asked in ("t9a/judged-one-short", CASE, RESOLUTION)]
    assert {drawing.data() for drawing in drawings} == {file.read_bytes()}
    assert drawings[0].judgement is not None
    assert re.findall(r"\d+", drawings[0].alt)[:2] == ["6", "7"]
    assert drawings[0].caption[0] in drawings[0].alt
    assert repr(drawings[0]) == f"<Drawing of {CASE.title}: charge>"


def test_draw_takes_the_words_of_the_command() -> None:
    """View, theme, size and language change the figure; the set-up alone is not resolved."""
    plain = tabletop.draw(RESOLUTION).data()
    dark = tabletop.draw(RESOLUTION, theme="dark").data()
    steps = tabletop.draw(RESOLUTION, view="steps", size="single-column").data()
    german = tabletop.draw(RESOLUTION, language="german")
    assert len({plain, dark, steps, german.data()}) == 4
    assert "Regeln" in " ".join(german.caption)
    assert tabletop.draw(CASE, view="board").resolution.rulings == ()


def test_draw_makes_moving_pictures(tmp_path: Path) -> None:
    """The ending of the path decides; other views do not move."""
    tabletop.draw(RESOLUTION, tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text().startswith("<!DOCTYPE html>")
    with pytest.raises(UsageError, match=r"charge.*'steps'"):
        tabletop.draw(RESOLUTION, tmp_path / "a.gif", view="steps")


def test_draw_refuses() -> None:
    """An answer without its case cannot be drawn, and options that mean nothing are told."""
    with pytest.raises(UsageError, match="case"):
        tabletop.draw(replace(RESOLUTION, case=None))
    with pytest.raises(UsageError, match="--theme 'loud'"):
        tabletop.draw(CASE, theme="loud")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"view": "after"}, "view 'after': .*'charge', 'steps', 'board'"),
        ({"size": 120}, "--size 120: .*'double-column'.*mm"),
        ({"width": 120}, "--width 120: .*120mm"),
        ({"scale": 2}, "--scale 2: .*1:N"),
        ({"dpi": "200"}, "--dpi '200': "),
        ({"theme": ["dark"]}, r"--theme \['dark'\]: .*'dark'"),
        ({"language": 3}, "--language '3': .*'german'"),
        ({"size": "slide", "width": "7in"}, "--size, --width"),
        ({"sheet": "a4", "width": "7in"}, "--width and --sheet"),
    ],
    ids=str,
)
def test_draw_refuses_at_the_call(wrong: dict[str, Any], message: str) -> None:
    """A value that means nothing is refused before anything is looked at or written, with what is allowed."""
    with pytest.raises(UsageError, match=message):
        tabletop.draw(CASE, **wrong)
    if "view" in wrong:
        with pytest.raises(UsageError, match=message):
            plots.draw(CASE, RESOLUTION, "never.svg", **wrong)


def test_figures_write_no_lines_about_fonts(tmp_path: Path) -> None:
    """Charts, whose axes Matplotlib letters itself, ask for no font that is not there."""
    asked = [
        "explore",
        "t9a/judged-one-short",
        "--vary",
        "units.A.at.0=30:31:1",
        "--workers",
        "1",
        "--figure",
        str(tmp_path / "a.svg"),
    ]
    told = subprocess.run(
        [sys.executable, "-m", "tabletop", *asked], check=True, capture_output=True, text=True
    )
    assert (tmp_path / "a.svg").exists()
    assert "findfont" not in told.stderr


def test_figures_are_loaded_when_one_is_looked_at() -> None:
    """Reading and resolving load no drawing."""
    program = (
        "import sys, tabletop; tabletop.resolve(tabletop.read_case('t9a/free-choice')); "
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_survey_of_a_question_knows_the_scenario_that_was_asked() -> None:
    """Whatever a question varies, its map is drawn over the scenario of the file."""
    survey = tabletop.explore(
        "conquest/the-least-turn", question=Question("safe", step=24.0), workers=1
    )
    assert survey.case is not None
    assert survey.case.charges == tabletop.read_case("conquest/the-least-turn").charges
    assert survey.question == "safe"

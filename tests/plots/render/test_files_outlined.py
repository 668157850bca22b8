"""Figures for TeX: macros without fonts, with every letter where it stands otherwise."""

import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.testing.compare import calculate_rms
from matplotlib.text import Text

from plots.layout.backend import SETTINGS
from plots.layout.page import lay_out
from plots.render import maps
from plots.render.artists import paint
from plots.render.figure import draw, picture
from plots.render.files import outline_words
from tabletop.errors import UsageError
from tabletop.exploring.survey import Survey
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.reading import read_case
from tests.plots import hexed
from tests.plots.scenes import case_of, charge_resolution
from tests.plots.test_pinned import canvas_pixels


def test_words_as_outlines_stand_where_words_do() -> None:
    """Painted, a figure of outlines hardly differs from one of words."""
    resolution = charge_resolution()
    page = lay_out(picture(case_of(resolution.before, resolution.rulings[0].charge), resolution))
    with mpl.rc_context(SETTINGS):
        words = paint(page)
        outlines = paint(page)
        for figure in (words, outlines):
            figure.set_dpi(100)
        outline_words(outlines)
        assert calculate_rms(canvas_pixels(words), canvas_pixels(outlines)) < 4.0
    assert not [
        text for text in outlines.findobj(Text) if isinstance(text, Text) and text.get_text()
    ]


@pytest.mark.parametrize("resolution", [charge_resolution(), hexed.charge_resolution()])
def test_macros_need_no_fonts_and_close_what_they_open(
    tmp_path: Path, resolution: Resolution
) -> None:
    """The file is one picture of PGF, says its title in a comment, sets no text, and is the same each time."""
    for name in ("a.pgf", "b.pgf"):
        draw(
            case_of(resolution.before, resolution.rulings[0].charge, title="50% of $x$"),
            resolution,
            tmp_path / name,
        )
    macros = (tmp_path / "a.pgf").read_text()
    assert macros.startswith("% 50% of $x$\n")
    body = re.sub(r"^%.*$", "", macros, flags=re.MULTILINE)
    assert body.count("\\begin{pgfpicture}") == body.count("\\end{pgfpicture}") == 1
    assert body.count("\\begin{pgfscope}") == body.count("\\end{pgfscope}") > 10
    assert body.count("{") == body.count("}")
    assert "pgftext" not in body
    assert (tmp_path / "b.pgf").read_text() == macros


def test_a_chart_is_not_for_tex(tmp_path: Path) -> None:
    """A chart of keys, which has axes of matplotlib's own, is refused with what it may be."""
    survey = Survey({"rules.tie": np.array([1.0, 2.0])}, {"chance": np.array([0.5, 1.0])})
    with pytest.raises(UsageError, match=r"a\.pgf: .*\.svg, \.pdf .*\.png\b"):
        maps.draw_map(read_case("t9a/wheel-and-align"), survey, tmp_path / "a.pgf")
    assert not list(tmp_path.iterdir())

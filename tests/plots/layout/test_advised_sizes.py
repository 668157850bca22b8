"""Sizes that help and documentation advise: no figure is refused there, and a refused size names one that is enough."""

import re
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from plots.layout.page import Page, lay_out
from plots.layout.setting import SIZES, setting
from plots.marks.panels import View
from plots.render.figure import picture
from tabletop.api import Report, answer
from tabletop.errors import UsageError
from tabletop.figure_options import FigureOptions
from tabletop.testing.answers import judged, resolved
from tests.bundled import FOUR_A_GAME, each_of
from tests.consoles import blocks

ROOT = Path(__file__).parents[3]
(README,) = (
    text for language, text in blocks((ROOT / "README.md").read_text("utf-8")) if language == "toml"
)
HELP = " ".join(
    get_type_hints(FigureOptions, include_extras=True)[name].__metadata__[0].help
    for name in ("size", "width")
)
GUIDE = (
    (ROOT / "docs" / "figures.md").read_text("utf-8").partition("## Sizes")[2].partition("\n## ")[0]
)
EXAMPLE = r"\b\d+x\d+(?:mm|in)\b"
WIDTH = r"(?<![x\d])\d+(?:mm|cm|in)\b"
ADVISED = sorted({*SIZES, *re.findall(EXAMPLE, HELP + GUIDE)})
WIDTHS = sorted(
    {*re.findall(WIDTH, HELP), *re.findall(WIDTH, " ".join(re.findall(r"`([^`]*)`", GUIDE)))}
)


def page_of(report: Report, view: View, **words: Any) -> Page:
    """Lay out the page of an answer."""
    return lay_out(
        picture(
            report.case,
            report.resolution,
            view=view,
            judgement=report.judgement,
            setting=setting(**words),
        )
    )


def test_help_and_guide_advise_sizes() -> None:
    """There are examples of both kinds, all of them valid."""
    assert len(ADVISED) >= len(SIZES) + 2
    assert len(WIDTHS) >= 3


@pytest.mark.parametrize("view", ["charge", "steps", "board"])
def test_the_example_of_the_readme_fits(view: View) -> None:
    """What a newcomer draws first is drawn at every size that is advised."""
    report = answer(README)
    for word in ADVISED:
        assert page_of(report, view, size=word).height > 0.0, word
    for word in WIDTHS:
        assert page_of(report, view, width=word).height > 0.0, word


@each_of(FOUR_A_GAME)
def test_bundled_charges_fit(name: str) -> None:
    """So is every bundled charge, before and after."""
    report = Report(*resolved(name), judged(name))
    for word in ADVISED:
        assert page_of(report, "charge", size=word).height > 0.0, word


@pytest.mark.parametrize("word", ["120x90mm", "6x4in"])
def test_a_refused_size_names_one_that_is_enough(word: str) -> None:
    """Panels are reduced from the height that they take, not from the room that they leave empty, until the page
    fits.
    """
    report = answer(README)
    with pytest.raises(UsageError, match="needs") as refused:
        page_of(report, "charge", size=word)
    wide, high = map(float, re.findall(r"[\d.]+", str(refused.value).partition("needs")[2]))
    for more in (0.0, 0.2, 0.4, 0.6):
        assert page_of(
            report, "charge", size=f"{wide:.2f}x{high + more:.2f}"
        ).height == pytest.approx(high + more)

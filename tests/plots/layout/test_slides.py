"""Slides: letters that a room can read, pictures that fill the page, and a sentence for every number in them."""

import pytest

from plots.layout.setting import SLIDE
from plots.marks.mark import Label
from tests.bundled import EACH
from tests.plots.pages import page_of

LEAST, STEP = 1.6, 0.2
"""How much a slide of two panels is enlarged at least, and less for each panel more and for a row for what is seen from
the side."""


@EACH
def test_letters_are_large_and_pictures_fill_the_slide(name: str) -> None:
    """All is enlarged, and panels take half of the height, or with the words beside them nearly all of the width."""
    page = page_of(name, size="slide")
    has_side = any(shown.panel.name == "side" for shown in page.shown)
    assert page.theme.zoom >= LEAST - STEP * (max(0, len(page.shown) - 2) + has_side) - 1e-9
    frames = [shown.frame for shown in page.shown]
    high = max(one.y + one.height for one in frames) - min(one.y for one in frames)
    east = max(
        [one.x + one.width for one in frames]
        + [words.at[0] for words in page.words if words.id.startswith(("caption", "callout"))]
    )
    assert high >= 0.5 * page.height or east - min(one.x for one in frames) >= 0.6 * page.width
    assert page.width * page.theme.zoom == pytest.approx(SLIDE.width)


@EACH
def test_every_number_has_its_sentence(name: str) -> None:
    """What is numbered in a picture of a slide is told on it."""
    page = page_of(name, size="slide")
    keys = {
        mark.key
        for shown in page.shown
        for mark in shown.panel.marks
        if isinstance(mark, Label) and mark.key
    }
    told = {
        words.text
        for words in page.words
        if words.id.startswith("callout") and words.id.endswith("number")
    }
    assert {str(key) for key in keys} <= told


@pytest.mark.parametrize(
    ("name", "least"), [("battletech/stopped-by-a-hill", 1.5), ("battletech/off-the-plateau", 1.25)]
)
def test_what_is_seen_from_the_side_stands_in_the_row_of_panels(name: str, least: float) -> None:
    """A slide is wide: before, after and the side stand beside each other, and hexes are larger than with the side
    below.
    """
    page = page_of(name, size="slide")
    frames = [shown.frame for shown in page.shown]
    assert len(frames) == 3
    assert {round(frame.y, 6) for frame in frames[:2]} == {round(frames[0].y, 6)}
    assert frames[2].x > frames[1].x + frames[1].width
    assert frames[2].y == pytest.approx(frames[0].y, abs=0.3)
    assert page.scale * page.theme.zoom * least > 0.8

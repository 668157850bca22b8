"""Gaps that decide and cannot be seen are magnified, others are not."""

import math
from typing import Any

import pytest

from plots.layout.page import PlacedPanel, lay_out
from plots.marks.deciding import SMALL
from plots.marks.mark import Magnifier
from plots.marks.panels import charge_panels
from plots.render.artists import PanelView, paint
from plots.render.figure import picture
from tabletop.testing.answers import resolved
from tests.bundled import EACH

GAPS = {
    "t9a/long-shot-failed": 0.0316,
    "conquest/blocked-by-a-garrison": 0.0005,
    "conquest/flank-by-a-hair": 0.001,
    "conquest/past-a-corner": 0.001,
    "t9a/out-of-sight": 0.05,
}
"""Scenarios in which a length on the table that is less than a tenth of an inch is known to decide, with that
length."""
LEGIBLE = 0.005
"""Inches from which on a length has a digit other than 0 among the two decimals that readers see."""


def shown_of(name: str) -> list[PlacedPanel]:
    """Return the panels of a scenario on its page."""
    case, resolution = resolved(name)
    return list(lay_out(picture(case, resolution)).shown)


@EACH
def test_only_what_cannot_be_seen_is_magnified(name: str) -> None:
    """A magnifier shows its gap half an inch of the panel's scale wide, and there is none of a gap that the panel shows
    itself.
    """
    found = [
        mark
        for panel in charge_panels(resolved(name)[1])
        for mark in panel.marks
        if isinstance(mark, Magnifier)
    ]
    assert len(found) == (1 if name in GAPS else 0)
    for mark in found:
        gap = 0.5 / mark.factor
        assert gap == pytest.approx(GAPS[name], rel=0.01)
        assert gap < SMALL
        assert mark.radius > 2 * gap
        if gap < LEGIBLE:  # it would round to 0
            assert mark.text == "under 0.01\N{NO-BREAK SPACE}in"
        else:
            assert float(mark.text.split("\N{NO-BREAK SPACE}")[0]) == pytest.approx(gap, rel=0.06)


@pytest.mark.parametrize("name", GAPS)
def test_lenses_stand_on_the_panel_beside_the_place_and_under_no_words(name: str) -> None:
    """The whole disc is on the panel, it does not cover what it magnifies, and no label lies on it."""
    (shown,) = (one for one in shown_of(name) if one.lenses)
    (lens,) = shown.lenses
    box = lens.box
    assert min(box.west, box.south) >= 0.0
    assert box.east <= shown.frame.width
    assert box.north <= shown.frame.height
    assert math.dist(lens.at, shown.frame.to_panel(lens.mark.centre)) > lens.radius
    assert not [placed.label.text for placed in shown.labels if placed.box.overlaps(box)]


def test_a_lens_shows_the_marks_of_the_panel_larger_and_cut_to_its_square() -> None:
    """The missing piece is drawn a second time, its middle in the middle of the lens, as long as the factor says."""
    case, resolution = resolved("t9a/long-shot-failed")
    page = lay_out(picture(case, resolution))
    windows: list[Any] = [one for one in paint(page).artists if isinstance(one, PanelView)]
    shown, window = next(
        (shown, one) for one, shown in zip(windows, page.shown, strict=True) if shown.lenses
    )
    (lens,) = shown.lenses
    inside: Any = next(one for one in window.get_children() if isinstance(one, PanelView))
    once, again = (
        {artist.get_gid(): artist for artist in within.get_children()}[name]
        for within, name in (
            (window, "before.deciding.1"),
            (inside, "before.deciding.1.magnifier.before.deciding.1"),
        )
    )
    scale = shown.frame.scale
    (x1, y1), (x2, y2) = (again.get_transform() - once.get_transform()).transform(
        again.get_path().vertices
    )
    assert math.dist((x1, y1), (x2, y2)) * scale == pytest.approx(0.5 * scale)
    assert shown.frame.to_panel(((x1 + x2) / 2, (y1 + y2) / 2)) == pytest.approx(lens.at)
    table = window.transData.inverted().transform(again.get_clip_box())
    low, high = (shown.frame.to_panel((x, y)) for x, y in table.tolist())
    assert low == pytest.approx((lens.at[0] - lens.radius, lens.at[1] - lens.radius))
    assert high == pytest.approx((lens.at[0] + lens.radius, lens.at[1] + lens.radius))

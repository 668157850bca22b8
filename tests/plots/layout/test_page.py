"""The page: one scale in all panels, round and true; every text inside, apart and large enough."""

import re
from dataclasses import replace
from itertools import combinations

import pytest

from plots.layout import text
from plots.layout.blocks import TextLine
from plots.layout.grid import GAP, RATIOS, Room, arrange
from plots.layout.key import KEY_SIGNS, key_entries, key_of, ruler_of
from plots.layout.page import Page, lay_out
from plots.layout.setting import MARGIN, Setting
from plots.marks.mark import Rings
from plots.marks.panels import Panel, View, charge_panels, seen_in
from plots.marks.section import Rect, around
from plots.marks.styles import style
from plots.render.artists import PanelView, paint
from plots.render.figure import picture
from tabletop.ruling.verdict import Resolution
from tabletop.table.state import Board
from tests.plots import hexed, loose
from tests.plots.scenes import (
    case_of,
    charge_resolution,
    failed_resolution,
    judged,
    refused_resolution,
)

LONG = (
    "A very long title that would never fit on one line of a printed page, however small it were set, "
    "would it? $E$ <&>"
)


def page_of(resolution: Resolution, view: View = "charge", **words: str) -> Page:
    """Lay out a page of a resolution."""
    return lay_out(
        picture(
            case_of(resolution.before, resolution.rulings[0].charge, **words), resolution, view=view
        )
    )


def box(words: TextLine) -> Rect:
    """Return the box of a line of the page; y counts downwards."""
    wide = text.width(words.text, words.size, typeface=words.typeface)
    left = words.at[0] - {"left": 0.0, "center": wide / 2, "right": wide}[words.align]
    high = words.at[1] - text.ASCENT * words.size * text.POINT_SIZE
    low = words.at[1] + text.DESCENT * words.size * text.POINT_SIZE
    return Rect(left, high, left + wide, low)


@pytest.mark.parametrize("view", ["charge", "steps", "board"])
@pytest.mark.parametrize(
    "resolution",
    [
        charge_resolution(),
        failed_resolution(),
        refused_resolution(),
        loose.charge_resolution(),
        hexed.charge_resolution(),
    ],
)
@pytest.mark.parametrize("title", ["", LONG])
def test_texts_of_the_page_are_apart_and_inside(
    resolution: Resolution, view: View, title: str
) -> None:
    """No line of title, outcome, heading, key, caption or footer covers another or leaves the page."""
    page = page_of(resolution, view, title=title, note=LONG * 3, source=LONG)
    boxes = [box(words) for words in page.words]
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
    assert min(one.west for one in boxes) >= 0.0
    assert max(one.east for one in boxes) <= page.width - MARGIN / 2
    assert max(one.north for one in boxes) <= page.height


@pytest.mark.parametrize("view", ["charge", "steps"])
def test_all_panels_have_one_scale(view: View) -> None:
    """Steps share the section, pictures of a charge the scale, and the windows of the figure keep it: an inch is as
    long across as up.
    """
    page = page_of(charge_resolution(), view)
    assert len({shown.frame.scale for shown in page.shown}) == 1
    assert view == "charge" or len({shown.frame.section for shown in page.shown}) == 1
    figure = paint(page)
    figure.set_dpi(1)
    windows = [one for one in figure.artists if isinstance(one, PanelView)]
    for window, shown in zip(windows, page.shown, strict=True):
        across, up = window.transData.transform((1.0, 1.0)) - window.transData.transform((0.0, 0.0))
        assert (across, up) == pytest.approx((shown.frame.scale, shown.frame.scale))


def test_a_caption_without_end_is_cut() -> None:
    """A note as long as a file may be fills some lines and ends in an ellipsis."""
    page = page_of(charge_resolution(), note="word " * 200_000)
    lines = [words for words in page.words if words.id.startswith("caption.2.")]
    assert len(lines) == 60
    assert lines[-1].text.endswith("…")
    assert page.height < 20.0


def test_footer_tells_the_scale_that_is_drawn() -> None:
    """The footer's ratio is that of the panels, round, and beside it stand game and edition."""
    page = page_of(charge_resolution())
    said = {words.id: words.text for words in page.words}
    assert said["footer.scale"].endswith(f" 1 : {1 / page.scale:g}")
    assert round(1 / page.scale, 9) in RATIOS
    assert said["footer.game"] == "The Game of Blocks, 3rd edition"


def test_ruler_measures_the_tables_inches() -> None:
    """The bars of the ruler are as long together as the number at its end says, at the panel's scale."""
    frame = page_of(charge_resolution()).shown[0].frame
    ruler, _ = ruler_of(frame.scale)
    ends = [x for mark in ruler.marks if isinstance(mark, Rings) for x, _ in mark.rings[0]]
    inches = int(ruler.words[-1].text.removesuffix(" in"))
    assert max(ends) - min(ends) == pytest.approx(inches * frame.scale)
    assert ruler.words[-1].at[0] == pytest.approx(max(ends))


def test_key_explains_what_is_drawn_and_nothing_else() -> None:
    """Each role that needs a word has one, once, and roles that do not occur have none."""
    page = page_of(charge_resolution())
    entries = key_entries([mark for shown in page.shown for mark in shown.panel.marks])
    meanings = [meaning for _, meaning in entries]
    assert {
        "rock",
        "blocks sight",
        "facing charged",
        "initial contact (P)",
        "model in contact",
    } <= set(meanings)
    assert len(meanings) == len(set(meanings))
    assert not {"open terrain", "line of sight"} & set(meanings)
    assert all(style(role) for role, _ in entries if role not in KEY_SIGNS)


@pytest.mark.parametrize("resolution", [loose.charge_resolution(), hexed.charge_resolution()])
def test_key_shows_every_look_it_names(resolution: Resolution) -> None:
    """Every entry of the key but that of words has a sample that is drawn, and no two samples are alike."""
    marks = [mark for shown in page_of(resolution).shown for mark in shown.panel.marks]
    key = key_of(marks, 7.0)
    named = {words.id.removeprefix("key.").removesuffix(".text") for words in key.words}
    drawn = {mark.id.removeprefix("key.") for mark in key.marks}
    assert {role for role, _ in key_entries(marks)} - KEY_SIGNS.keys() <= drawn
    assert drawn <= named | {
        mark.id.removeprefix("key.")
        for mark in key.marks
        if mark.id.endswith((".symbols", ".inner"))
    }
    looks: dict[str, list[object]] = {}
    for mark in key.marks:
        looks.setdefault(mark.id.removesuffix(".symbols").removesuffix(".inner"), []).append(
            (type(mark), style(mark.role))
        )
    assert not [pair for pair in combinations(looks.values(), 2) if pair[0] == pair[1]]


def test_footer_tells_the_size_of_hexes() -> None:
    """On a board of hexes the scale note says how large a hex is."""
    said = {words.id: words.text for words in page_of(hexed.charge_resolution()).words}
    assert re.search(r" 1 : .*\bhexes\b.*\b1\.25 in\b", said["footer.scale"])


def alike(count: int, section: Rect) -> list[Panel]:
    """Return empty panels of a section."""
    return [Panel(f"panel{number}", "", "", (), section) for number in range(count)]


@pytest.mark.parametrize(
    ("width", "height", "columns"),
    [(10.0, 18.0, 2), (14.0, 14.0, 2), (30.0, 10.0, 1), (70.0, 8.0, 1)],
)
def test_wide_sections_are_stacked_and_high_ones_set_side_by_side(
    width: float, height: float, columns: int
) -> None:
    """Before and after stand where they are larger."""
    section = Rect(5.0, 5.0, 5.0 + width, 5.0 + height)
    assert arrange(alike(2, section), Board(96.0, 48.0), Room(6.8, 5.6)).columns == columns


def test_of_equal_scales_the_one_with_more_columns_is_taken() -> None:
    """Two small panels stand side by side, though one below the other would have room for more than the largest
    scale.
    """
    assert (
        arrange(alike(2, Rect(0.0, 0.0, 8.0, 5.0)), Board(96.0, 48.0), Room(6.8, 5.6)).columns == 2
    )


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12, 40])
def test_panels_never_leave_the_page(count: int) -> None:
    """However many panels, their columns fit into the page's width."""
    plan = arrange(alike(count, Rect(0.0, 0.0, 30.0, 20.0)), Board(72.0, 48.0), Room(6.8, 7.6))
    assert plan.width <= 6.8 + 1e-9
    assert sum(map(len, plan.rows)) == count


@pytest.mark.parametrize(("count", "columns"), [(1, 1), (2, 1), (3, 1), (4, 2), (9, 2)])
def test_many_panels_stand_two_by_two_in_a_narrow_column(count: int, columns: int) -> None:
    """A page as narrow as a printed column stacks a few panels and pairs many."""
    assert (
        arrange(alike(count, Rect(0.0, 0.0, 20.0, 15.0)), Board(72.0, 48.0), Room(3.3, 7.6)).columns
        == columns
    )


@pytest.mark.parametrize(
    ("wide", "ratio"), [(0.5, 1.5), (2.6, 1.5), (20.0, 3.0), (37.0, 5.5), (30_000.0, 200 * 1.4**10)]
)
def test_scales_are_round(wide: float, ratio: float) -> None:
    """A scale is the next round one; beyond the list it grows until the panel fits."""
    plan = arrange(alike(1, Rect(0.0, 0.0, wide, 1.0)), Board(40_000.0, 48.0), Room(6.8, 5.6))
    assert plan.ratio == pytest.approx(ratio)


def test_judged_page_shows_claim_and_demand() -> None:
    """A proposal that falls short is drawn beside what would be right, with the rule that says so."""
    resolution, proposal, judgement = judged()
    case = case_of(resolution.before, resolution.rulings[0].charge, proposal=proposal)
    page = lay_out(
        picture(case, resolution, judgement=judgement, setting=Setting(audience="judge"))
    )
    assert [shown.panel.name for shown in page.shown] == ["before", "proposed", "demanded"]
    assert any(
        "t9a.align.target-models, margin \N{MINUS SIGN}1" in words.text for words in page.words
    )


def test_a_board_of_hexes_fills_its_column() -> None:
    """More of the board is shown at both sides where the page has room, and drawn as far as that goes; hexes stay where
    they are.
    """
    page = page_of(hexed.charge_resolution())
    first = page.shown[0]
    assert first.frame.width == pytest.approx((page.width - 2 * MARGIN - GAP) / 2, abs=0.01)
    drawn = around(
        point
        for mark in first.panel.marks
        if mark.id.endswith((".board", ".level.1"))
        for line in mark.polylines()
        for point in line
    )
    assert drawn.west <= first.frame.section.west
    assert drawn.east >= first.frame.section.east


def test_nothing_is_left_of_where_somebody_stood_but_what_says_something() -> None:
    """A cropped picture has no sliver of a dashed outline, and keeps one of which most is seen, with its facing."""
    panel = charge_panels(charge_resolution())[-1]
    low, high = _ends_of_starts(panel)
    section = panel.section
    for share, is_kept in ((0.1, False), (0.9, True)):
        cut = seen_in(panel, replace(section, north=low + share * (high - low)))
        assert len(cut.marks) == len(panel.marks) - (0 if is_kept else 2)
        assert any(mark.role.startswith("start.") for mark in cut.marks) is is_kept


def _ends_of_starts(panel: Panel) -> tuple[float, float]:
    """Return between which heights somebody stood."""
    bounds = around(
        point
        for mark in panel.marks
        if mark.role.startswith("start.")
        for line in mark.polylines()
        for point in line
    )
    return bounds.south, bounds.north

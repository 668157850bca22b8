"""How bundled scenarios fill their pages: the action is large, steps are strips of equal frames without holes."""

import math
from typing import Literal

import pytest
import shapely

from plots.layout import text
from plots.layout.grid import MOST_COLUMNS
from plots.layout.page import lay_out
from plots.layout.setting import Setting
from plots.marks.mark import DimensionLine, Label, Lines, Rings
from plots.marks.panels import View
from plots.marks.section import is_shown
from plots.render.figure import picture
from tabletop.testing.answers import resolved
from tests.bundled import EACH, NAMES, each_of
from tests.plots.pages import page_of

HAIR, SMALL = 0.01, 2.0
"""Inches beyond a panel, and square inches of a small base."""
LARGE, HOLES = 0.6, 0.25
"""The share of a panel's width or height that the action takes, and the most of a grid of panels that is empty."""


@pytest.mark.parametrize("view", ["charge", "steps"])
@EACH
def test_the_action_fills_its_panels_and_rows_are_full(name: str, view: View) -> None:
    """Charger, target, way, what decided and what the ruling names take most of the width or height of panels of one
    scale in few rows.

    Steps are equal; of pictures of the whole charge those of its end are, which may show less of the table than the
    first. Where every charge is refused there is no step, and each picture shows its own part of the table.
    """
    shown = [one for one in page_of(name, view).shown if one.panel.action is not None]
    frames = [one.frame for one in shown]
    assert (
        min(one.panel.action.share_of(one.frame.section) for one in shown if one.panel.action)
        >= LARGE
    )
    assert len({frame.scale for frame in frames}) == 1
    ends = [
        one.frame.section for one in shown if one.panel.name in ("after", "proposed", "demanded")
    ]
    assert len({(round(section.width, 6), round(section.height, 6)) for section in ends}) <= 1
    if view == "steps" and any(ruling.steps for ruling in resolved(name)[1].rulings):
        assert len({frame.section for frame in frames}) == 1
    columns = len({round(frame.x, 6) for frame in frames})
    rows = len({round(frame.y, 6) for frame in frames})
    assert columns <= MOST_COLUMNS
    assert 1.0 - len(frames) / (columns * rows) <= HOLES or view == "charge"


def test_words_stand_where_half_a_picture_would_be_empty() -> None:
    """What the charge left behind is cut off, all that stands there after it is shown, and the words end where the
    first picture does.
    """
    page = page_of("conquest/exactly-far-enough", "charge")
    before, after = (one.frame for one in page.shown)
    assert after.height < 0.6 * before.height
    words = [one for one in page.words if one.id.startswith(("callout.", "caption."))]
    assert {one.id.rpartition(".")[0] for one in words} >= {"callout.1", "callout.2", "caption.1"}
    assert all(one.at[0] >= after.x for one in words)
    assert after.y + after.height < min(one.at[1] for one in words)
    assert max(one.at[1] for one in words) <= before.y + before.height
    kept = {mark.id for mark in page.shown[1].panel.marks if is_shown(mark, after.section)}
    assert {"after.unit.A", "after.unit.B", "after.unit.A.contact"} <= kept
    assert "after.start.A" not in kept


@EACH
def test_what_decided_is_never_left_out(name: str) -> None:
    """However close a picture is, the words of what decided stand on it."""
    for one in page_of(name, "charge").shown:
        wanted = {
            mark.id
            for mark in one.panel.marks
            if isinstance(mark, Label) and mark.role.endswith("decided")
        }
        assert wanted <= {placed.label.id for placed in one.labels}


def test_each_of_several_chargers_has_its_words_nearest_to_it() -> None:
    """What a charger of several reached is written beside it, not beside another; of three the distances that sufficed
    are left out.
    """
    _, resolution = resolved("t9a/three-on-one-front")
    before, after = page_of("t9a/three-on-one-front", "charge").shown
    assert not any(isinstance(mark, DimensionLine) for mark in before.panel.marks)
    told = [
        mark
        for mark in after.panel.marks
        if isinstance(mark, Label) and mark.role == "goal_decided"
    ]
    ends = {name: resolution.after.units[name].centre for name in "ABD"}
    assert [min(ends, key=lambda name: math.dist(ends[name], one.spots[0])) for one in told] == [
        "A",
        "B",
        "D",
    ]


def test_the_line_that_must_not_be_passed_stands_where_the_charger_is_put_down() -> None:
    """Of an unaligned charge the step that puts the charger down shows the line of the facing, as the declaration does;
    a turn does not.
    """
    panels = [one.panel for one in page_of("t9a/slot-too-narrow", "steps").shown]
    shown = [
        any(isinstance(mark, Lines) and mark.role == "limit" for mark in panel.marks)
        for panel in panels
    ]
    assert shown == [True, False, True, False]


@each_of([name for name in NAMES if name.startswith("wh40k/")])
def test_no_small_base_is_cut(name: str) -> None:
    """A model on a small base is shown whole or not at all, before and after."""
    _, resolution = resolved(name)
    for shown in page_of(name, "charge").shown:
        if shown.panel.name == "side":
            continue
        see = shown.frame.section
        window = shapely.box(see.west - HAIR, see.south - HAIR, see.east + HAIR, see.north + HAIR)
        state = resolution.after if shown.panel.name == "after" else resolution.before
        bases = [
            model.footprint.core.buffer(model.footprint.radius)
            for unit in state.units.values()
            for model in unit.models
        ]
        assert [one.bounds for one in bases if one.area < SMALL and window.overlaps(one)] == []


@each_of([name for name in NAMES if name.startswith(("t9a/", "conquest/"))])
def test_a_charge_of_regiments_is_large_and_its_letters_stand_off_bases(name: str) -> None:
    """However many pictures it takes, none is smaller than 1 : 7, and no letter of an initial contact lies on a
    regiment.

    The picture before the charge has the letters of all contacts that it shows.
    """
    page = page_of(name, "charge")
    assert page.scale >= 1 / 7
    for one in page.shown:
        bodies = [
            shapely.Polygon([one.frame.to_panel(corner) for corner in mark.rings[0]])
            for mark in one.panel.marks
            if isinstance(mark, Rings) and mark.role.startswith("unit.")
        ]
        letters = [placed for placed in one.labels if ".contact.P" in placed.label.id]
        assert not any(
            shapely.intersects(body, shapely.Polygon(placed.box.corners))
            for body in bodies
            for placed in letters
        )
        wanted = {
            mark.id
            for mark in one.panel.marks
            if isinstance(mark, Label) and ".contact.P" in mark.id
        }
        assert one.panel.name != "before" or wanted == {placed.label.id for placed in letters}


@pytest.mark.parametrize("audience", ["reader", "judge"])
def test_what_is_illustrated_stands_above_the_title(audience: Literal["reader", "judge"]) -> None:
    """The passage of the rules is named there, in capitals, not where the charge is told; rules and margins are for
    judges.
    """
    case, resolution = resolved("t9a/align-corner")
    made = picture(case, resolution, setting=Setting(audience=audience))
    words = {one.id.partition(".")[0]: one for one in reversed(lay_out(made).words)}
    assert words["kicker"].text.startswith("ALIGN MOVE")
    assert words["kicker"].at[1] < words["title"].at[1]
    assert not any("Illustrates" in paragraph for paragraph in made.caption)
    assert any("t9a." in paragraph for paragraph in (*made.caption, made.small_print)) is (
        audience == "judge"
    )


def test_a_charge_that_fails_because_of_another_has_a_picture_of_its_own() -> None:
    """It shows the table as the first charge has left it; charges of one target that do not hinder each other share a
    picture.
    """
    page = page_of("conquest/one-after-the-other", "charge")
    assert [one.panel.heading for one in page.shown] == [
        "1. A charges B",
        "2. C charges B",
        "After",
    ]
    drawn = {mark.id: mark for one in page.shown for mark in one.panel.marks}
    rings = [
        body.rings[0]
        for name in ("before", "before2", "after")
        if isinstance(body := drawn[f"{name}.unit.A"], Rings)
    ]
    assert rings[0] != rings[1]
    assert rings[1] == rings[2]
    assert [one.panel.name for one in page_of("t9a/short-in-between", "charge").shown] == [
        "before",
        "after",
    ]


@pytest.mark.parametrize(
    "name", ["battletech/four-legs", "battletech/struck-from-the-side", "wh40k/killed-on-arrival"]
)
def test_a_pair_stands_side_by_side(name: str) -> None:
    """Before and after, which are compared, share a row: one below the other would leave half of the page empty."""
    before, after = (one.frame for one in page_of(name, "charge").shown)
    assert after.x > before.x + before.width
    assert after.y == pytest.approx(before.y)


def test_words_stand_beside_a_high_view_from_the_side() -> None:
    """What is numbered is told beside the view from the side, not below everything."""
    page = page_of("wh40k/hanging-on-the-wall", "charge")
    side = page.shown[-1].frame
    words = [one for one in page.words if one.id.startswith(("callout.", "caption."))]
    assert words
    assert min(one.at[1] for one in words) < side.y + side.height


@pytest.mark.parametrize("size", ["double-column", "single-column", "slide"])
@EACH
def test_what_is_written_beside_panels_lies_off_them(name: str, size: str) -> None:
    """Headings, sentences and the key stand in no panel, and end on the page."""
    page = page_of(name, size=size)
    frames = [
        shapely.box(
            one.frame.x, one.frame.y, one.frame.x + one.frame.width, one.frame.y + one.frame.height
        )
        for one in page.shown
    ]
    for words in page.words:
        wide = text.width(words.text, words.size, typeface=words.typeface)
        x, base = words.at
        left = x - wide * {"left": 0.0, "center": 0.5, "right": 1.0}[words.align]
        box = shapely.box(left, base - text.DIGIT * words.size * text.POINT_SIZE, left + wide, base)
        assert not any(box.intersection(frame).area > HAIR * wide for frame in frames), words
        assert 0.0 <= left <= left + wide <= page.width, words

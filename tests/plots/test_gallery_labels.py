"""Words of the bundled scenarios' figures: in all views, sizes and languages none over another, none cut off, nobody
unnamed.
"""

from collections.abc import Sequence
from itertools import combinations

import pytest

from plots.layout.page import Page, PlacedPanel, lay_out
from plots.layout.setting import SIZES, Setting, setting
from plots.layout.text import clean
from plots.marks.mark import Label, Printed
from plots.marks.panels import View
from plots.marks.section import Rect
from plots.render.figure import picture
from tabletop.api import judge, resolve
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.reading import read_case
from tabletop.scenario.sources import bundled_names
from tests.plots.layout.test_page import box

SOME = (
    *(
        "t9a/between-obstacles",
        "t9a/failed-charge-comes-last",
        "t9a/judged-one-short",
        "conquest/no-way-past",
        "conquest/push-of-two",
    ),
    *("wh40k/ten-against-ten", "wh40k/up-through-the-floor"),
    *("battletech/off-the-plateau", "battletech/straight-run", "battletech/one-mp-short"),
)
"""Scenarios whose figures are full of words, of all games; the long run takes all there are."""
VIEWS: tuple[View, ...] = ("charge", "steps", "board")
SETTINGS = [
    *(setting(size=size) for size in SIZES),
    setting(language="german"),
    setting(scale="1:2"),
]


def answered(name: str) -> tuple[Case, Resolution, Judgement | None]:
    """Resolve a bundled scenario, and judge it where it has a proposal."""
    case = read_case(name)
    resolution = resolve(case)
    return case, resolution, None if case.proposal is None else judge(case, resolution)


def pages(name: str, settings: Sequence[Setting] = SETTINGS) -> list[Page]:
    """Lay out all figures of a scenario."""
    case, resolution, judgement = answered(name)
    pairs = [(one, view) for one in settings for view in VIEWS]
    return [
        lay_out(picture(case, resolution, view=view, judgement=judgement, setting=one))
        for one, view in pairs
    ]


def boxes_of(shown: PlacedPanel) -> list[Rect]:
    """Return the boxes of all words on a panel."""
    return [
        *(placed.box for placed in shown.labels),
        *(one for printed in shown.printed for _, one in printed.words),
    ]


def unnamed(shown: PlacedPanel) -> set[str]:
    """Return the names of units whose outline is on a panel and whose name is not."""
    section = shown.frame.section
    wanted = [mark.instead if isinstance(mark, Printed) else mark for mark in shown.panel.marks]
    labels = [mark for mark in wanted if isinstance(mark, Label) and mark.role.startswith("name.")]
    seen = {
        label.text
        for label in labels
        if any(section.holds(spot) for spot in label.home or label.spots)
    }
    printed = {word for one in shown.printed for word, _ in one.words}
    return {clean(name) for name in seen} - {placed.label.text for placed in shown.labels} - printed


def hold(page: Page) -> None:
    """Hold a page to what words owe: apart, whole, at least seven points, and names for all."""
    lines = [box(words) for words in page.words]
    assert not [pair for pair in combinations(lines, 2) if pair[0].overlaps(pair[1])]
    assert min(one.west for one in lines) >= 0.0
    assert max(one.east for one in lines) <= page.width + 1e-9
    assert max(one.north for one in lines) <= page.height + 1e-9
    assert min(words.size for words in page.words) >= 7.0
    for shown in page.shown:
        boxes = boxes_of(shown)
        assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]
        assert all(min(one.west, one.south) >= 0.0 for one in boxes)
        assert all(
            one.east <= shown.frame.width and one.north <= shown.frame.height for one in boxes
        )
        assert unnamed(shown) == set()


@pytest.mark.parametrize("name", SOME)
def test_words_of_some_figures_keep_apart(name: str) -> None:
    """Figures full of words: every page in every size holds to what words owe."""
    for page in pages(name):
        hold(page)


@pytest.mark.oracle
@pytest.mark.parametrize("name", sorted(bundled_names()))
def test_words_of_all_figures_keep_apart(name: str) -> None:
    """The same of every bundled scenario."""
    for page in pages(name):
        hold(page)

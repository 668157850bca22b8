"""How bundled scenarios fill their pages: the action is large, steps are strips of equal frames without holes."""

from functools import lru_cache

import pytest

from plots.layout.columns import MOST_COLUMNS
from plots.layout.page import Page, lay_out
from plots.marks.mark import Label
from plots.marks.panels import View
from plots.render.figure import picture
from tabletop.asking import judge, resolve
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.reading import read_case
from tabletop.scenario.sources import bundled_names

BUNDLED = sorted(bundled_names())
LARGE, HOLES = 0.6, 0.25
"""The share of a panel's width or height that the action takes, and the most of a grid of panels that is empty."""


@lru_cache(maxsize=4)
def answered(name: str) -> tuple[Case, Resolution, Judgement | None]:
    """Resolve a bundled scenario, and judge it where it has a proposal."""
    case = read_case(name)
    resolution = resolve(case)
    return case, resolution, None if case.proposal is None else judge(case, resolution)


def page_of(name: str, view: View) -> Page:
    """Lay out a figure of a bundled scenario."""
    case, resolution, judgement = answered(name)
    return lay_out(picture(case, resolution, view=view, judgement=judgement))


@pytest.mark.parametrize("view", ["charge", "steps"])
@pytest.mark.parametrize("name", BUNDLED)
def test_the_action_fills_its_panels_and_rows_are_full(name: str, view: View) -> None:
    """Charger, target, way, what decided and what the ruling names take most of the width or height of equal panels in few rows."""
    shown = [one for one in page_of(name, view).shown if one.panel.action is not None]
    frames = [one.frame for one in shown]
    assert min(one.panel.action.share_of(one.frame.section) for one in shown if one.panel.action) >= LARGE
    assert len({(frame.section, frame.scale) for frame in frames}) == 1
    columns, rows = len({round(frame.x, 6) for frame in frames}), len({round(frame.y, 6) for frame in frames})
    assert columns <= MOST_COLUMNS
    assert 1.0 - len(frames) / (columns * rows) <= HOLES


@pytest.mark.parametrize("name", BUNDLED)
def test_what_decided_is_never_left_out(name: str) -> None:
    """However close a picture is, the words of what decided stand on it."""
    for one in page_of(name, "charge").shown:
        wanted = {mark.id for mark in one.panel.marks if isinstance(mark, Label) and mark.role.endswith("decided")}
        assert wanted <= {placed.label.id for placed in one.labels}

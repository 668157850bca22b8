"""Figures as they were looked at and found good: `pytest --mpl` compares them,
`--mpl-generate-path=tests/plots/baseline` pins them anew.

Small and without hints for letters; the tolerance lets other builds of FreeType pass, and catches a mark that is gone.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.testing.compare import calculate_rms

from plots.layout.backend import SETTINGS
from plots.layout.page import Page, lay_out
from plots.layout.setting import setting
from plots.render import charts, maps
from plots.render.artists import paint
from plots.render.figure import picture
from plots.render.odds import odds_page
from tabletop.api import judge, resolve
from tabletop.exploring.survey import Survey
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.reading import read_case
from tests.plots import hexed, loose
from tests.plots.scenes import case_of, charge_resolution, failed_resolution, refused_resolution

TOLERANCE, DOTS = 2.5, 50
"""Root of the mean square by which pixels may differ, of 255, and dots an inch."""
Drawing = Callable[[], Figure]
SCENES: dict[str, Callable[[], Resolution]] = {
    "charge": charge_resolution,
    "failed": failed_resolution,
    "refused": refused_resolution,
    "loose": loose.charge_resolution,
    "hexed": hexed.charge_resolution,
}
FIGURES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "charge": ("charge", {}, {}),
    "charge-print": ("charge", {}, {"theme": "print"}),
    "charge-dark-slide": ("charge", {}, {"theme": "dark", "size": "slide"}),
    "charge-column-german": ("charge", {}, {"size": "single-column", "language": "german"}),
    "charge-to-scale": ("charge", {}, {"scale": "1:2", "theme": "print"}),
    "charge-steps": ("charge", {"view": "steps"}, {}),
    "charge-board": ("charge", {"view": "board"}, {}),
    "failed": ("failed", {}, {}),
    "refused": ("refused", {}, {"size": "6x4in"}),
    "loose": ("loose", {}, {}),
    "loose-steps-dark": ("loose", {"view": "steps"}, {"theme": "dark"}),
    "hexed": ("hexed", {}, {}),
    "hexed-print": ("hexed", {}, {"theme": "print"}),
    "hexed-board": ("hexed", {"view": "board"}, {}),
}
BUNDLED: dict[str, tuple[str, dict[str, Any]]] = {
    "side-climb": ("wh40k/up-through-the-floor", {}),
    "side-levels-dark": ("battletech/off-the-plateau", {"theme": "dark"}),
    "limit": ("t9a/failed-wheel", {}),
    "judged": ("t9a/judged-one-short", {"theme": "print"}),
}


def figure_of(name: str) -> Figure:
    """Paint a figure by its name."""
    if name in FIGURES:
        scene, options, words = FIGURES[name]
        resolution = SCENES[scene]()
        case = case_of(
            resolution.before,
            resolution.rulings[0].charge,
            title="A charge",
            note="What is to be seen here.",
        )
        return paint(lay_out(picture(case, resolution, **options, setting=setting(**words))))
    scenario, words = BUNDLED[name]
    case = read_case(scenario)
    resolution = resolve(case)
    judgement = None if case.proposal is None else judge(case, resolution)
    return paint(lay_out(picture(case, resolution, judgement=judgement, setting=setting(**words))))


def odds_figure() -> Figure:
    """Paint odds of two charges."""
    resolution = charge_resolution()
    half = Fraction(1, 2)
    charge = resolution.rulings[0].charge
    totals = (
        TotalOdds(3, half, {"success": half}),
        TotalOdds(2, half, {"failed": half / 2, "not_allowed": half / 2}),
    )
    outcomes: Any = {"success": half, "failed": half / 2, "not_allowed": half / 2}
    one = ChargeOdds(charge, outcomes, {"game.range": half / 2}, totals)
    joint: Any = {("success", "failed"): half, ("failed", "success"): half}
    return paint(odds_page(case_of(resolution.before, charge), Odds((one, one), joint)))


def map_of_chances() -> Figure:
    """Paint a map over the board."""
    values = np.linspace(0.0, 1.0, 36).reshape(6, 6)
    survey = Survey(
        {"units.B.x": np.arange(6) + 30.5, "units.B.y": np.arange(6) + 20.5}, {"chance": values}
    )
    topic = charts.SurveyFigure(
        read_case("t9a/wheel-and-align"), survey, values, "chance", setting(), "A map"
    )
    return paint(lay_out(maps._picture(topic)))


OTHERS: dict[str, Drawing] = {"odds": odds_figure, "map": map_of_chances}


@pytest.mark.parametrize("name", [*FIGURES, *BUNDLED, *OTHERS])
@pytest.mark.mpl_image_compare(
    baseline_dir="baseline", tolerance=TOLERANCE, style=SETTINGS, savefig_kwargs={"dpi": DOTS}
)
def test_pinned(name: str) -> Figure:
    """The picture is the one that was looked at."""
    with mpl.rc_context(SETTINGS):
        return OTHERS[name]() if name in OTHERS else figure_of(name)


def test_a_mark_that_is_gone_is_more_than_the_tolerance() -> None:
    """Without the way of the charge, or without the models in contact, a picture is farther off than the tolerance
    allows.
    """
    resolution = charge_resolution()
    page = lay_out(picture(case_of(resolution.before, resolution.rulings[0].charge), resolution))
    whole = pixels(page)
    for end in (".contact", ".path.2"):
        shown = tuple(
            replace(
                one,
                panel=replace(
                    one.panel,
                    marks=tuple(mark for mark in one.panel.marks if not mark.id.endswith(end)),
                ),
            )
            for one in page.shown
        )
        assert calculate_rms(whole, pixels(replace(page, shown=shown))) > TOLERANCE


def pixels(page: Page) -> Any:
    """Paint a page as small as pinned figures are."""
    with mpl.rc_context(SETTINGS):
        figure = paint(page)
        figure.set_dpi(DOTS)
        return canvas_pixels(figure)


def canvas_pixels(figure: Figure) -> Any:
    """Return the colours of a painted figure."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.buffer_rgba())[..., :3].astype(float)  # type: ignore[no-untyped-call]

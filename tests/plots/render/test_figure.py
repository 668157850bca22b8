"""One panel alone, nothing around it, more dots, another format, and axes of one's own."""

from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.figure import Figure
from PIL import Image

from plots import animate, draw, draw_on, setting
from plots.layout.page import lay_out
from plots.marks.panels import View
from plots.render.figure import picture
from tabletop.errors import UsageError
from tests.plots import loose
from tests.plots.scenes import case_of, charge_resolution, judged

RESOLUTION = charge_resolution()
CASE = case_of(RESOLUTION.before, RESOLUTION.rulings[0].charge, title="A charge")


@pytest.mark.parametrize(
    ("view", "asked", "shown"),
    [
        ("charge", "after", "after"),
        ("charge", "2", "step2"),
        ("steps", "1", "step1"),
        ("board", "board", "board"),
    ],
)
def test_one_panel_alone(view: View, asked: str, shown: str) -> None:
    """It is called by its name, or by the number of its step, whatever the view."""
    made = picture(CASE, RESOLUTION, view=view, setting=setting(panel=asked))
    assert [panel.name for panel in made.panels] == [shown]


@pytest.mark.parametrize(
    ("view", "asked", "there"),
    [
        ("charge", "middle", "'before', 'after'"),
        ("charge", "99", "'1', '2'"),
        ("steps", "after", "'1', '2'"),
    ],
)
def test_a_panel_that_is_not_there_is_told_which_are(view: View, asked: str, there: str) -> None:
    """The error lists the names that would do."""
    with pytest.raises(UsageError, match=f"--panel '{asked}': .*{there}"):
        picture(CASE, RESOLUTION, view=view, setting=setting(panel=asked))


def test_a_bare_figure_is_its_panels() -> None:
    """One panel is the page, without a word around it; several keep their headings."""
    page = lay_out(picture(CASE, RESOLUTION, setting=setting(bare=True, panel="after")))
    (shown,) = page.shown
    assert (page.width, page.height) == pytest.approx((shown.frame.width, shown.frame.height))
    assert (shown.frame.x, shown.frame.y) == pytest.approx((0.0, 0.0))
    assert not page.words
    both = lay_out(picture(CASE, RESOLUTION, setting=setting(bare=True)))
    assert {word.id.rpartition(".")[0] for word in both.words} == {
        "before.heading",
        "after.heading",
    }
    fixed = lay_out(picture(CASE, RESOLUTION, setting=setting(bare=True, size="6x4in")))
    assert (fixed.width, fixed.height) == (6.0, 4.0)


def test_dots_an_inch(tmp_path: Path) -> None:
    """A picture has as many pixels as it is told, and says so; others are refused."""
    draw(CASE, RESOLUTION, tmp_path / "a.png", setting=setting(dpi=50))
    with Image.open(tmp_path / "a.png") as image:
        assert image.width == 350
        assert image.info["dpi"][0] == pytest.approx(50, abs=0.1)
    for dpi in (0, 19, 2401):
        with pytest.raises(UsageError, match="--dpi"):
            setting(dpi=dpi)
    with pytest.raises(UsageError, match="smaller --dpi"):
        draw(CASE, RESOLUTION, tmp_path / "b.png", setting=setting(dpi=2400))


def test_a_webp_has_the_pixels_of_the_png(tmp_path: Path) -> None:
    """Nothing is lost, and title and description are in it."""
    for kind in ("png", "webp"):
        draw(CASE, RESOLUTION, tmp_path / f"a.{kind}", setting=setting(dpi=50))
    with Image.open(tmp_path / "a.png") as first, Image.open(tmp_path / "a.webp") as second:
        assert first.convert("RGB").tobytes() == second.convert("RGB").tobytes()
        assert b">A charge<" in second.info["xmp"]
        assert b"A board of" in second.info["xmp"]


def test_a_panel_on_axes_of_ones_own() -> None:
    """It fills the axes in inches of the table, with its words inside, and leaves the user's settings as they are."""
    with mpl.rc_context({"lines.linewidth": 7.5}):
        figure = Figure(figsize=(8.0, 4.0), dpi=100)
        left, right = figure.subplots(1, 2)
        right.plot([0.0, 1.0])
        draw_on(left, CASE, RESOLUTION, panel="after")
        assert mpl.rcParams["lines.linewidth"] == 7.5
    section = picture(CASE, RESOLUTION).panels[1].section
    assert left.get_xlim() == (section.west, section.east)
    assert left.get_aspect() == 1.0
    names = {artist.get_gid() for artist in left.get_children()}
    assert {"after.unit.A", "after.unit.A.label"} <= names
    figure.canvas.draw()
    box = left.get_window_extent()
    for words in left.texts:
        extent = words.get_window_extent()
        assert box.x0 - 1 <= extent.x0 < extent.x1 <= box.x1 + 1
    assert len(right.lines) == 1


def test_a_proposal_is_a_panel_too() -> None:
    """What is proposed and what is demanded are chosen by these names."""
    resolution, proposal, judgement = judged()
    case = case_of(resolution.before, resolution.rulings[0].charge, proposal=proposal)
    for name in ("proposed", "demanded"):
        made = picture(case, resolution, judgement=judgement, setting=setting(panel=name))
        assert [panel.name for panel in made.panels] == [name]


def test_moving_pictures_show_every_step(tmp_path: Path) -> None:
    """One panel, or sheets of paper, are refused where something moves."""
    resolution = loose.charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge)
    for words in (setting(panel="after"), setting(sheet="a4")):
        with pytest.raises(UsageError, match=r"--panel\b.*--sheet\b"):
            animate(case, resolution, tmp_path / "a.gif", setting=words)
    assert not list(tmp_path.iterdir())

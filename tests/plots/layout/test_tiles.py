"""Sheets of paper: they cover the panel, overlap by as much as they say, and are true to scale."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from plots import draw, setting
from plots.layout.setting import PAPERS
from plots.layout.tiles import EDGE, FOOT, OVERLAP, sheets_of, tiling
from plots.marks.deciding import circled
from plots.marks.mark import Label
from plots.marks.section import Rect
from plots.render.figure import picture
from tabletop.errors import UsageError
from tabletop.testing.answers import judged, resolved
from tests.plots.scenes import case_of, charge_resolution


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    ("section", "ratio"),
    [((0, 0, 72, 48), 1.0), ((10, 5, 30, 14), 1.0), ((10, 5, 12, 7), 1.0), ((0, 0, 72, 48), 4.0)],
)
def test_sheets_cover_the_section(paper: str, section: tuple[float, ...], ratio: float) -> None:
    """Rows and columns reach from edge to edge, neighbours share what they say, and each fits between the edges of the
    paper.
    """
    whole = Rect(*section)
    parted = tiling(whole, ratio, PAPERS[paper])
    assert {parted.width, parted.height} == set(PAPERS[paper])
    assert (
        len(parted.tiles)
        == len({tile.name for tile in parted.tiles})
        == parted.rows * parted.columns
    )
    first = parted.tiles[0].section
    last = parted.tiles[-1].section
    assert (first.west, first.north) == pytest.approx((whole.west, whole.north))
    assert (last.east, last.south) == pytest.approx((whole.east, whole.south))
    places = {(tile.row, tile.column): tile.section for tile in parted.tiles}
    for (row, column), part in places.items():
        assert part.width / ratio <= parted.width - 2 * EDGE + 1e-9
        assert part.height / ratio <= parted.height - 2 * EDGE - FOOT + 1e-9
        if right := places.get((row, column + 1)):
            assert part.east - right.west == pytest.approx(OVERLAP * ratio)
        if below := places.get((row + 1, column)):
            assert below.north - part.south == pytest.approx(OVERLAP * ratio)


def test_too_many_sheets_are_refused() -> None:
    """A board ten times as large as paper is told how many it would be."""
    with pytest.raises(UsageError, match=r"--sheet: .*\b196 .*\b100\b.*--scale\b"):
        tiling(Rect(0.0, 0.0, 144.0, 96.0), 1.0, PAPERS["a4"])


def test_the_map_names_every_sheet_and_sheets_their_neighbours() -> None:
    """Behind the map each sheet is true to scale and says what lies beside it."""
    resolution = charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge, title="A charge")
    overview, *sheets = sheets_of(picture(case, resolution, setting=setting(sheet="a4")))
    names = [word.text for word in overview.words if word.id.startswith("sheet.")]
    assert len(names) == len(sheets) > 1
    assert all(page.shown[0].frame.scale == 1.0 for page in sheets)
    (line,) = sheets[0].words
    assert re.search(rf"\bA1\W+1\D+{len(sheets)}\b.*\b1 : 1\b", line.text)
    assert re.search(r"\bright\W+B1\b", line.text)


@pytest.mark.parametrize(("scale", "count"), [("1:1", 2), ("1:6", 1)])
def test_a_print_says_what_is_ruled_and_what_its_numbers_mean(scale: str, count: int) -> None:
    """However many sheets there are: title, outcome, the sentence of each number on them, the note, and the bar to
    check the print by.
    """
    case, resolution = resolved("wh40k/one-contact-of-two")
    made = picture(
        case,
        resolution,
        judgement=judged("wh40k/one-contact-of-two"),
        setting=setting(sheet="a4", scale=scale, panel="proposed"),
    )
    first, *sheets = sheets_of(made)
    said = " ".join(word.text for word in first.words)
    assert len(sheets) == count
    assert made.title in said
    assert "Not allowed" in said
    assert "100 mm" in said
    assert str(case.note) in said
    keys = {
        label.key: label for label in made.panels[0].marks if isinstance(label, Label) and label.key
    }
    assert keys
    assert [
        f"{circled(number - 1)} {made.panels[0].callouts[number]}" in said for number in keys
    ] == [True] * len(keys)
    assert len(list(sheets_of(replace(made, setting=replace(made.setting, is_bare=True))))) == (
        1 if count == 1 else count + 1
    )


def test_sheets_are_the_pages_of_a_pdf(tmp_path: Path) -> None:
    """Each is as large as the paper, the bytes are the same each time, and no other format has pages."""
    resolution = charge_resolution()
    case = case_of(resolution.before, resolution.rulings[0].charge, title="A charge")
    small = setting(sheet="letter", scale="1:2", panel="after")
    for name in ("a.pdf", "b.pdf"):
        draw(case, resolution, tmp_path / name, setting=small)
    data = (tmp_path / "a.pdf").read_bytes()
    assert data == (tmp_path / "b.pdf").read_bytes()
    boxes = [
        tuple(float(side) for side in box.split())
        for box in re.findall(rb"/MediaBox \[([^\]]+)\]", data)
    ]
    assert len(boxes) == len(list(sheets_of(picture(case, resolution, setting=small))))
    assert {tuple(sorted(box)) for box in boxes} == {(0.0, 0.0, 612.0, 792.0)}
    with pytest.raises(UsageError, match=r"--sheet\b.*\.pdf\b"):
        draw(case, resolution, tmp_path / "a.svg", setting=small)
    with pytest.raises(UsageError, match=r"--size\b.*--sheet\b"):
        setting(sheet="a4", size="slide")

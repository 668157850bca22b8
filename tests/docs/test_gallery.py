"""The gallery: every scenario on one page that stands alone, the same from any number of processes."""

import re
from pathlib import Path

import pytest
from made.gallery import COLUMNS, Exhibit, _chosen, _frame, build, exhibit, gallery_page, main
from PIL import Image

from plots.marks.section import Rect
from tabletop import registry
from tabletop.table.state import Board
from tests.plots.export.test_player import Page


@pytest.fixture(scope="module")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Exhibit, ...]]:
    """Build the gallery of a few scenarios of a system with everything: a proposal, a refusal, several charges."""
    folder = tmp_path_factory.mktemp("gallery")
    some = {"t9a": registry.scenarios("t9a")[:2], "conquest": registry.scenarios("conquest")[5:9]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "scenarios", lambda name: some[name])
        made = build(
            folder / "out", systems=["t9a", "conquest"], sheet=folder / "sheet.png", workers=2
        )
        again = build(folder / "again", systems=["t9a", "conquest"], workers=1)
    assert made == again
    return folder, made


def test_files_do_not_depend_on_the_processes(gallery: tuple[Path, tuple[Exhibit, ...]]) -> None:
    """One process writes what two write."""
    folder, _ = gallery
    one, two = (
        {file.relative_to(top): file.read_bytes() for file in top.rglob("*.*")}
        for top in (folder / "out", folder / "again")
    )
    assert one == two
    assert len(one) == 1 + 6 * 3


def test_the_page_leads_to_everything(gallery: tuple[Path, tuple[Exhibit, ...]]) -> None:
    """Every element is closed, ids are there once, links lead to files or ids that are there, pictures have words and
    sizes.
    """
    folder, exhibits = gallery
    page = Page((folder / "out" / "index.html").read_text())
    ids = [attributes["id"] for _, attributes in page.found if attributes.get("id")]
    assert len(ids) == len(set(ids))
    for link in [attributes["href"] or "" for attributes in page.of("a")] + [
        attributes["src"] or "" for attributes in page.of("img")
    ]:
        assert link[1:] in ids if link.startswith("#") else (folder / "out" / link).is_file()
    for picture in page.of("img"):
        assert len(picture["alt"] or "") > 20
        assert int(picture["width"] or 0) > 100
        assert int(picture["height"] or 0) > 100
    labels = [
        name
        for _, attributes in page.found
        for name in (attributes.get("aria-labelledby") or "").split()
    ]
    assert set(labels) <= set(ids)
    assert len(page.of("article")) == len(exhibits) == 6


def test_everything_known_of_a_scenario_is_there(gallery: tuple[Path, tuple[Exhibit, ...]]) -> None:
    """Caption, ruling with its proposal, description and file stand on the page; nothing is coloured for a terminal."""
    folder, exhibits = gallery
    text = (folder / "out" / "index.html").read_text()
    judged = next(one for one in exhibits if one.judged)
    assert "Proposal: " in judged.ruling
    assert "proposal: " in text
    assert all(
        one.steps is not None and "\x1b" not in one.ruling and " board " in one.words
        for one in exhibits
    )
    assert all(
        (folder / "out" / f"{one.name}.toml").read_text() == one.scenario for one in exhibits
    )
    assert not re.search(r'(?:href|src)="(?:https?:|/)', text)


def test_the_contact_sheet_is_a_picture(gallery: tuple[Path, tuple[Exhibit, ...]]) -> None:
    """It is as wide as a page, and says what it shows."""
    with Image.open(gallery[0] / "sheet.png") as picture:
        assert picture.width == 1400
        assert "charges" in picture.info["Description"]


def test_a_sheet_shows_charges_evenly(gallery: tuple[Path, tuple[Exhibit, ...]]) -> None:
    """Of many that succeed as many as there is room for are chosen, each once; of none, none."""
    one = next(one for one in gallery[1] if one.outcomes == ("success",) and one.judged is None)
    assert _chosen([one] * 3) == [one] * min(3, COLUMNS)
    assert len(_chosen([one] * 100)) == COLUMNS
    assert _chosen([]) == []


def test_a_small_window_keeps_the_board_in_sight() -> None:
    """A section is widened to the window on the table; a small board stands in the middle of the window."""
    frame = _frame(Rect(10.0, 10.0, 20.0, 20.0), Board(72.0, 48.0), (0.0, 0.0))
    assert (frame.section.west + frame.section.east) / 2 == pytest.approx(15.0)
    assert frame.section.width > 10.0
    small = _frame(Rect(-0.5, -0.5, 4.5, 9.5), Board(4.0, 9.0), (0.0, 0.0))
    assert small.section == Rect(-0.5, -0.5, 4.5, 9.5)
    assert small.x > 0.0


def test_a_charge_that_was_never_declared_still_has_its_page(tmp_path: Path) -> None:
    """A refusal without steps has a figure and a ruling, and no steps."""
    name, file = next(
        (name, file)
        for name, file in registry.scenarios("battletech")
        if name.endswith("one-mp-short")
    )
    shown = exhibit(name, file, tmp_path, plays=True)
    assert shown.steps is None
    assert shown.film == "battletech/one-mp-short.html"
    assert (tmp_path / shown.film).read_text().startswith("<!DOCTYPE html>")
    assert '<a href="battletech/one-mp-short.html">' in gallery_page(
        [shown], {"battletech": "BattleTech"}
    )
    assert shown.outcomes == ("not_allowed",)


def test_what_cannot_be_told_has_no_other_badge(tmp_path: Path) -> None:
    """A measured table that is open is no success and no failure in the gallery either."""
    name, file = next(
        (name, file)
        for name, file in registry.scenarios("conquest")
        if name.endswith("by-the-tape")
    )
    shown = exhibit(name, file, tmp_path)
    assert shown.outcomes == ("undecided",)
    assert '<span class="outcome undecided">undecided</span>' in gallery_page(
        [shown], {"conquest": "Conquest"}
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["chess"], "'chess' .*'t9a'"), (["-o", "/proc/gallery", "t9a"], "/proc/gallery: .*No such")],
)
def test_what_cannot_be_built_is_said(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Errors are one line and exit code 2."""
    assert main(arguments) == 2
    assert re.search(message, capsys.readouterr().err)

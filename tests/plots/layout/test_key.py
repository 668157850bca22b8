"""The key explains every kind of mark that is seen and that the picture does not name itself, and nothing else."""

import pytest

from plots.layout.key import key_entries
from plots.layout.page import lay_out, seen
from plots.layout.setting import setting
from plots.layout.text import width
from plots.marks.mark import DrawnMark, Label, Lines
from plots.marks.panels import charge_panels
from plots.marks.theme import SMALL
from plots.render.figure import picture
from tabletop.testing.answers import resolved
from tests.bundled import EACH

NAMED = {
    *(
        "models",
        "loose",
        "unit",
        "raised_contact",
        "touching",
        "symbol",
        "hex",
        "backdrop",
        "panel",
        "overlap",
        "letter",
        "number",
    ),
    *(
        "number_light",
        "hex_number",
        "hex_tag",
        "level",
        "hollow",
        "standing",
        "parts",
        "shadow",
        "contour",
        "detail",
        "figures",
        "key",
    ),
    *("tray", "seen", "seen_contact", "surface", "patches", "count", "entered"),
}
"""Roles that names, numbers or words in the picture tell, parts of others that are explained, and the paper."""
TOGETHER = {
    "ghost": "start",
    "hexes": "hexes",
    "deciding_area": "deciding",
    "goal_area": "goal_deciding",
}
CROSSES = {"lost"}


def shown_of(name: str) -> list[DrawnMark]:
    """Return the marks that the panels of a scenario show."""
    made = picture(*resolved(name))
    return seen(made, [shown.frame for shown in lay_out(made).shown])


@EACH
def test_every_kind_of_mark_is_explained_once(name: str) -> None:
    """What is drawn has one entry, of a side's marks one for all sides; what has an entry is drawn."""
    marks = shown_of(name)
    entries = key_entries(marks)
    explained = [
        role.partition(".")[0] if role.rpartition(".")[2].isdigit() else role for role, _ in entries
    ]
    assert len(explained) == len(set(explained))
    words = [words for _, words in entries]
    assert len(words) == len(set(words))
    drawn = {mark.role.partition(".")[0] for mark in marks if not isinstance(mark, Label)}
    told = {role.partition(".")[0] for role in explained}
    assert {
        word
        for word in drawn
        if word not in NAMED
        and TOGETHER.get(word, word) not in told | {TOGETHER.get(one, one) for one in told}
    } == set()
    assert told - drawn - {"height"} == set()


@EACH
def test_a_cross_is_a_model_lost(name: str) -> None:
    """Two lines through one another are drawn for nothing else."""
    for panel in charge_panels(resolved(name)[1]):
        crossed = {
            mark.role.partition(".")[0]
            for mark in panel.marks
            if isinstance(mark, Lines) and mark.id.endswith("cross")
        }
        assert crossed <= CROSSES


def test_what_is_not_in_the_picture_has_no_entry() -> None:
    """The board's edge is explained where it is seen."""
    words = {
        name: [role for role, _ in key_entries(shown_of(name))]
        for name in ("t9a/edge-of-the-board", "t9a/wheel-and-align")
    }
    assert "board" in words["t9a/edge-of-the-board"]
    assert "board" not in words["t9a/wheel-and-align"]


def test_the_key_stands_in_columns() -> None:
    """Samples of a column begin at one place, and none of its rows is longer than the page."""
    page = lay_out(picture(*resolved("t9a/wheel-and-align")))
    told = [
        words for words in page.words if words.id.startswith("key.") and words.id.endswith(".text")
    ]
    rows = len({words.at[1] for words in told})
    assert 1 < rows < len(told)
    assert len({round(words.at[0], 6) for words in told}) == -(-len(told) // rows)
    assert all(words.at[0] + width(words.text, SMALL) <= page.width for words in told)


@pytest.mark.parametrize("theme", ["screen", "print", "dark"])
def test_samples_are_drawn_in_every_theme(theme: str) -> None:
    """A page with all that a key may show is laid out with a sample for each entry."""
    page = lay_out(picture(*resolved("wh40k/flying-up"), setting=setting(theme=theme)))
    samples = {mark.id for mark in page.marks if mark.id.startswith("key.")}
    texts = {
        words.id.removesuffix(".text")
        for words in page.words
        if words.id.startswith("key.") and words.id.endswith(".text")
    }
    assert texts - {"key.height"} <= samples

"""The look: contrasts by the numbers of WCAG 2, and sides that differ without colour."""

from dataclasses import replace

import pytest

from plots.looks import STYLES, style
from plots.theme import (
    GREY,
    INK,
    LABEL,
    NAME,
    OUTCOMES,
    PAGE,
    SIDE_PATTERNS,
    SIDES,
    SMALL,
    TABLE,
    TEXT,
    contrast,
    face,
    tint,
    tones,
)


def test_contrast_agrees_with_the_known_ends_of_the_scale() -> None:
    """Black on white is 21, a colour on itself 1."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("#123456", "#123456") == 1.0


@pytest.mark.parametrize(
    "role", [f"{word}.{tone}" for tone in range(len(SIDES)) for word in ("unit", "ghost", "start", "path", "pivot", "hollow")]
)
def test_outlines_of_units_stand_out(role: str) -> None:
    """Every outline of a unit keeps 3:1 against the table, the page and the tint inside it."""
    edge = STYLES[role].edge
    assert edge is not None
    inside = STYLES[f"models.{role[-1]}"].fill
    assert inside is not None
    assert min(contrast(edge, ground) for ground in (TABLE, PAGE, inside)) >= 3.0


@pytest.mark.parametrize(
    "role", ["terrain.impassable", "terrain.opaque", "terrain.open", "board", "ray", "sight", "facing", "dimension", "align"]
)
def test_outlines_of_the_rest_stand_out(role: str) -> None:
    """Terrain, edges, rays and lengths keep 3:1 against the table."""
    edge = STYLES[role].edge
    assert edge is not None
    assert contrast(edge, TABLE) >= 3.0


@pytest.mark.parametrize("tone", range(len(SIDES)))
def test_bases_in_contact_stand_out_from_the_others(tone: int) -> None:
    """A base in contact keeps 3:1 against its neighbours, and its dot against the base."""
    touching, other, dot = (STYLES[f"{word}.{tone}"].fill for word in ("contact", "models", "touching"))
    assert touching is not None
    assert other is not None
    assert dot is not None
    assert min(contrast(touching, other), contrast(touching, dot)) >= 3.0


def test_text_is_readable_on_all_it_stands_on() -> None:
    """Text keeps 4.5:1 on page, table and paper, white words on the outcome's box too."""
    grounds = [PAGE, TABLE, *(style(role).fill or PAGE for role in ("text", "strong", "arc_name", "name.0"))]
    assert min(contrast(colour, ground) for colour in (INK, GREY) for ground in grounds) >= 4.5
    assert min(contrast(PAGE, box) for box in OUTCOMES.values()) >= 4.5
    assert {face(role)[2] for role in ("text", "strong", "arc_name", "name.1")} <= {INK, GREY}


def test_no_text_is_smaller_than_seven_points() -> None:
    """The least size of text is 7 points at the figure's own size."""
    assert min(NAME, TEXT, LABEL, SMALL) >= 7.0


def test_sides_differ_without_colour() -> None:
    """Each side has its own pattern."""
    assert len(set(SIDE_PATTERNS)) == len(SIDES)


def test_unknown_terrain_is_drawn_as_open() -> None:
    """A kind of terrain that the tables do not list gets an outline and its own word in the key; any other unknown role is a mistake."""
    assert replace(style("terrain.deep_lava"), key="") == replace(style("terrain.open"), key="")
    assert style("terrain.deep_lava").key == style("hexes.deep_lava").key == "deep lava"
    with pytest.raises(KeyError):
        style("nonsense")


def test_tint_runs_from_white_to_the_colour() -> None:
    """The ends of the tint are white and the colour itself."""
    assert (tint("#0072b2", 0.0), tint("#0072b2", 1.0)) == ("#ffffff", "#0072b2")


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        (("red", "blue"), {"red": 1, "blue": 0}),
        (("Elves", "Orcs"), {"Elves": 0, "Orcs": 1}),
        (("Orcs", "blue", "Elves"), {"Orcs": 1, "blue": 0, "Elves": 2}),
        ((), {}),
    ],
)
def test_a_side_named_after_a_colour_gets_it(sides: tuple[str, ...], expected: dict[str, int]) -> None:
    """Colours follow the sides' names where those are colours, and the order of the file otherwise."""
    assert tones(sides) == expected

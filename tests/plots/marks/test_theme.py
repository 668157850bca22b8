"""The look: contrasts by the numbers of WCAG 2 in every theme, and sides that differ without colour."""

from itertools import pairwise

import pytest

from plots.marks.styles import shades_of, style, styles_of
from plots.marks.theme import (
    DARK,
    GREY,
    INK,
    LABEL,
    NAME,
    OUTCOME_NAMES,
    OUTCOME_PATTERNS,
    PAGE,
    PRINT,
    SCREEN,
    SIDE_PATTERNS,
    SMALL,
    TABLE_COLOUR,
    TEXT,
    THEMES,
    Theme,
    face,
    luminance,
    tint,
    tones,
)
from tests.plots.contrast import contrast

EVERY = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
TONES = range(len(SIDE_PATTERNS))
FAINT = (
    "axis",
    *(
        "models.",
        "figures.",
        "seen_contact.",
        "raised_contact.",
        "contact.",
        "front.",
        "heat.",
        "terrain.",
        "hexes.",
        "level.",
        "rule",
    ),
    *(
        "number",
        "letter",
        "hex",
        "contact_point",
        "contour",
        "detail.",
        "cost",
        "axis",
        "text",
        "strong",
        "arc_name",
        "decided",
        "goal_decided",
        "equal",
        "name.",
    ),
)
"""Roles whose edges part alike things, lie on what they belong to, or are held by a test of their own."""


def test_contrast_agrees_with_the_known_ends_of_the_scale() -> None:
    """Black on white is 21, a colour on itself 1."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)
    assert contrast("#123456", "#123456") == 1.0


@EVERY
def test_outlines_of_units_stand_out(theme: Theme) -> None:
    """Every outline of a unit keeps 3:1 against the table, the page and the tint inside it."""
    looks = styles_of(theme)
    for tone in TONES:
        inside = looks[f"models.{tone}"].fill
        edges = [
            looks[f"{word}.{tone}"].edge
            for word in ("unit", "loose", "standing", "ghost", "start", "path", "pivot", "hollow")
        ]
        for ground in (theme.table, theme.page, inside):
            assert min(contrast(edge or "", ground or "") for edge in edges) >= 3.0


@EVERY
def test_everything_that_is_drawn_stands_out_from_the_table(theme: Theme) -> None:
    """Terrain, edges, rays, lengths and zones keep 3:1 against the table; edges between alike things may be fainter."""
    looks = {
        role: look
        for role, look in styles_of(theme).items()
        if look.edge and not role.startswith(FAINT)
    }
    assert len(looks) > 60
    weak = {role: contrast(look.edge or "", theme.table) for role, look in looks.items()}
    assert not {role: ratio for role, ratio in weak.items() if ratio < 3.0}


@EVERY
def test_terrain_stands_out_by_its_edge(theme: Theme) -> None:
    """The outline of a kind of terrain keeps 3:1 against the table and against what fills it."""
    for role, look in styles_of(theme).items():
        if role.startswith("terrain."):
            assert (
                min(
                    contrast(look.edge or "", ground)
                    for ground in (theme.table, look.fill or theme.table)
                )
                >= 3.0
            ), role


@EVERY
def test_bases_in_contact_stand_out_from_the_others(theme: Theme) -> None:
    """A base in contact keeps 3:1 against its neighbours, and its dot against the base."""
    looks = styles_of(theme)
    for tone in TONES:
        touching, other, dot = (
            looks[f"{word}.{tone}"].fill or "" for word in ("contact", "models", "touching")
        )
        assert min(contrast(touching, other), contrast(touching, dot)) >= 3.0


@EVERY
def test_text_is_readable_on_all_it_stands_on(theme: Theme) -> None:
    """Text keeps 4.5:1 on page, table and its halo, words on the outcome's box and names on their shields too."""
    grounds = [
        theme.page,
        theme.table,
        *(style(role, theme).edge or theme.page for role in ("text", "strong", "arc_name")),
    ]
    assert (
        min(contrast(theme.page, style(f"name.{tone}", theme).fill or "") for tone in TONES) >= 4.5
    )
    assert (
        min(contrast(colour, ground) for colour in (theme.ink, theme.grey) for ground in grounds)
        >= 4.5
    )
    assert (
        min(
            contrast(theme.page, styles_of(theme)[f"badge.{outcome}"].fill or "")
            for outcome in OUTCOME_NAMES
        )
        >= 4.5
    )


@EVERY
def test_numbers_and_letters_are_readable_where_they_are_printed(theme: Theme) -> None:
    """A model's number keeps 4.5:1 on its base, in contact too; a letter and a hex's words on any ground, by their
    paper.
    """
    looks = styles_of(theme)
    for tone in TONES:
        assert contrast(looks["number"].fill or "", looks[f"loose.{tone}"].fill or "") >= 4.5
        assert (
            contrast(looks["number_light"].fill or "", looks[f"contact.{tone}"].fill or "") >= 4.5
        )
    assert (
        min(
            contrast(looks[role].fill or "", looks[role].edge or "")
            for role in ("number", "letter", "hex_number", "hex_tag", "axis")
        )
        >= 4.5
    )


@EVERY
def test_shades_of_a_map_are_told_apart_in_grey(theme: Theme) -> None:
    """From the least to the greatest value the luminance goes one way, in even steps."""
    shades = shades_of(theme)
    lights = [luminance(shade) for shade in shades]
    assert lights in (sorted(lights), sorted(lights, reverse=True))
    assert min(contrast(*pair) for pair in pairwise(shades)) >= 1.15


def test_print_is_black_and_its_greys_on_white() -> None:
    """No look for print has a hue, the table is the paper, and every line of a side is pure black."""
    colours = {
        colour
        for look in styles_of(PRINT).values()
        for colour in (look.edge, look.fill, look.pattern_colour)
        if colour
    }
    assert all(colour[1:3] == colour[3:5] == colour[5:7] for colour in colours)
    assert {PRINT.page, PRINT.table} == {"#ffffff"}
    assert {styles_of(PRINT)[f"unit.{tone}"].edge for tone in TONES} == {"#000000"}


def test_dark_is_dark_and_screen_light() -> None:
    """The page of the dark theme is nearly black, its fills of terrain are darker than its words, and screen is the
    other way round.
    """
    assert luminance(DARK.page) < luminance(DARK.table) < 0.03
    fills = [
        look.fill
        for role, look in styles_of(DARK).items()
        if role.startswith(("terrain.", "level.")) and look.fill
    ]
    assert max(map(luminance, fills)) < 0.25 < luminance(DARK.ink)
    assert luminance(SCREEN.table) > 0.8


def test_no_text_is_smaller_than_seven_points() -> None:
    """The least size of text is 7 points at the figure's own size."""
    assert min(NAME, TEXT, LABEL, SMALL) >= 7.0
    assert {face(role)[2] for role in ("text", "strong", "arc_name")} <= {"ink", "grey"}


def test_sides_and_outcomes_differ_without_colour() -> None:
    """Each side and each outcome has its own pattern."""
    assert (
        len(set(SIDE_PATTERNS))
        == len(SIDE_PATTERNS)
        == len(SCREEN.sides)
        == len(PRINT.sides)
        == len(DARK.sides)
    )
    assert len(set(OUTCOME_PATTERNS)) == len(OUTCOME_NAMES)


@EVERY
def test_unknown_terrain_is_drawn_as_open(theme: Theme) -> None:
    """A kind of terrain that the tables do not list gets an outline; any other unknown role is a mistake."""
    assert style("terrain.deep_lava", theme) == style("terrain.open", theme)
    assert style("hexes.deep_lava", theme).pattern == "rows"
    with pytest.raises(KeyError):
        style("nonsense", theme)


def test_tint_runs_from_the_ground_to_the_colour() -> None:
    """The ends of the tint are the ground and the colour itself."""
    assert (tint("#0072b2", 0.0), tint("#0072b2", 1.0)) == ("#ffffff", "#0072b2")
    assert tint("#ffffff", 0.0, ground="#102030") == "#102030"


@EVERY
def test_named_colours_turn_into_those_of_the_theme(theme: Theme) -> None:
    """Page, table, ink and grey of the screen become those of the theme, whatever else is done to colours."""
    assert [theme.turned(colour) for colour in (PAGE, TABLE_COLOUR, INK, GREY)] == [
        theme.page,
        theme.table,
        theme.ink,
        theme.grey,
    ]


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        (("red", "blue"), {"red": 1, "blue": 0}),
        (("Elves", "Orcs"), {"Elves": 0, "Orcs": 1}),
        (("Orcs", "blue", "Elves"), {"Orcs": 1, "blue": 0, "Elves": 2}),
        ((), {}),
    ],
)
def test_a_side_named_after_a_colour_gets_it(
    sides: tuple[str, ...], expected: dict[str, int]
) -> None:
    """Colours follow the sides' names where those are colours, and the order of the file otherwise."""
    assert tones(sides) == expected

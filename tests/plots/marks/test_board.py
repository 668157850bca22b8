"""The board as marks: terrain with its shadows and lines of height, and hexes with numbers, levels and what fills
them.
"""

import numpy as np
import pytest
import shapely

from plots.marks.board import CONTOUR_POSITIONS, hex_ground_marks, terrain_marks
from plots.marks.mark import DrawnMark, Label, Lines, Printed, Rings
from plots.marks.panels import charge_panels
from plots.marks.section import Rect, whole_board
from plots.marks.styles import HEXES, RISING, SHADED, TERRAIN_LOOKS, style, styles_of
from plots.marks.theme import PRINT, THEMES, Theme, luminance
from tabletop.api import resolve
from tabletop.geometry.shape import Shape, disc, polygon
from tabletop.language.language import ENGLISH, speaking
from tabletop.ruling.looks import Looks
from tabletop.scenario.reading import read_case
from tabletop.table.hexes import HexBoard
from tabletop.table.state import HexTerrain, Terrain
from tests.plots.hexed import BOARD, TAG_WORDS, TAGS, TERRAIN, Ground

BENT = [(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 5.0), (0.0, 5.0)]


def marks(kind: str) -> dict[str, DrawnMark]:
    """Return the marks of a bent piece of terrain by the ends of their ids."""
    return {
        mark.id.removeprefix("terrain.Piece"): mark
        for mark in terrain_marks(Terrain("Piece", kind, polygon(BENT)))
    }


@pytest.mark.parametrize("kind", TERRAIN_LOOKS)
def test_what_stands_up_throws_a_shadow_and_its_outline_stays_true(kind: str) -> None:
    """The outline is the piece's own; the shadow of what stands up lies under it and looks out at the lower right."""
    made = marks(kind)
    outline = made[""]
    assert isinstance(outline, Rings)
    assert shapely.Polygon(outline.rings[0]).symmetric_difference(shapely.Polygon(BENT)).area < 1e-9
    assert (".shadow" in made) is (kind in SHADED)
    if kind in SHADED:
        shadow = made[".shadow"]
        assert isinstance(shadow, Rings)
        assert all(
            x > a and y < b
            for (x, y), (a, b) in zip(shadow.rings[0], outline.rings[0], strict=True)
        )
        assert styles_of()["shadow"].layer < style(outline.role).layer


@pytest.mark.parametrize("shape", [polygon(BENT), disc((3.0, 3.0), 2.0)])
def test_what_rises_has_lines_of_height_within_each_other(shape: Shape) -> None:
    """Each line lies in the region, and the next one in it; other pieces have none."""
    assert RISING == ("hill",)
    drawn = {mark.id: mark for mark in terrain_marks(Terrain("Hill", "hill", shape))}[
        "terrain.Hill.contours"
    ]
    assert isinstance(drawn, Rings)
    assert len(drawn.rings) >= len(CONTOUR_POSITIONS)
    regions = [shapely.Polygon(ring) for ring in drawn.rings]
    assert all(shapely.covers(shapely.Polygon(shape.outline()), region) for region in regions)
    assert shapely.covers(regions[0], regions[-1])
    assert ".contours" not in marks("forest")


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_shadows_are_darker_than_the_table_and_spare_the_printer(theme: Theme) -> None:
    """A shadow is darker than the table, in dark figures too; in print there is none."""
    fill = styles_of(theme)["shadow"].fill
    if theme is PRINT:
        assert fill is None
    else:
        assert luminance(fill or "") < luminance(theme.table)


def test_print_spares_ink_on_the_ground() -> None:
    """Every ground in print gives back more than half of the light."""
    fills = [
        look.fill
        for role, look in styles_of(PRINT).items()
        if role.startswith(("terrain.", "hexes.", "level.")) and look.fill
    ]
    assert min(luminance(fill) for fill in fills) > 0.55


WHOLE = whole_board(BOARD)
COUNTED = ENGLISH.of(Looks(tags=TAGS, words={"en": TAG_WORDS}))


def ground(
    section: Rect = WHOLE,
    terrain: tuple[HexTerrain, ...] = TERRAIN,
    named: frozenset[str] = frozenset(),
) -> dict[str, DrawnMark]:
    """Return the marks of a ground by their ids."""
    with speaking(COUNTED):
        return {mark.id: mark for mark in hex_ground_marks(BOARD, terrain, section, named=named)}


def rings(mark: DrawnMark) -> int:
    """Count the rings of a grid."""
    assert isinstance(mark, Rings)
    return len(mark.rings)


def printed(mark: DrawnMark) -> list[str]:
    """Return the words of a printed mark."""
    assert isinstance(mark, Printed)
    return [word for _, word, _ in mark.words]


def test_every_hex_of_the_board_is_drawn_and_numbered_once() -> None:
    """Flat and raised hexes together are the board's, and so are their numbers."""
    marks = ground()
    grids = [
        rings(mark) for name, mark in marks.items() if name == "board" or name.startswith("level.")
    ]
    assert sum(grids) == BOARD.columns * BOARD.rows
    assert len(set(printed(marks["hexes"]))) == BOARD.columns * BOARD.rows


def test_only_hexes_in_sight_are_drawn() -> None:
    """A section around one hex shows it and its neighbours."""
    x, y = BOARD.centre((5, 8))
    marks = ground(Rect(x - 0.1, y - 0.1, x + 0.1, y + 0.1), ())
    assert printed(marks["hexes"]) == ["0508"]
    assert rings(ground(Rect(x - 0.9, y - 0.9, x + 0.9, y + 0.9), ())["board"]) == 7


def test_numbers_stand_in_their_hexes() -> None:
    """The place of each number lies in the hex that it names."""
    numbers = ground()["hexes"]
    assert isinstance(numbers, Printed)
    assert all("{:02d}{:02d}".format(*BOARD.hex_at(at)) == word for at, word, _ in numbers.words)


def test_levels_are_tinted_and_written_with_their_sign() -> None:
    """Hexes of one level share a tint; levels beyond the tints are written all the same; depth and factor are written
    where they are.
    """
    marks = ground(terrain=(*TERRAIN, HexTerrain("Tower", "level", ((12, 3),), Ground(level=9))))
    assert (rings(marks["level.1"]), rings(marks["level.-1"]), marks["level.9"].role) == (
        3,
        1,
        "level.4",
    )
    tags = printed(marks["hexes.tags"])
    assert {word: tags.count(word) for word in set(tags)} == {
        "L1": 3,
        "L3": 2,
        "L9": 1,
        "L\N{MINUS SIGN}1": 1,
        "D1": 3,
        "CF 40": 1,
    }


def test_a_hex_with_two_numbers_has_both() -> None:
    """Water on a level is written with both."""
    terrain = (
        HexTerrain("Tarn", "water", ((3, 3),), Ground(depth=0)),
        HexTerrain("Hill", "level", ((3, 3),), Ground(level=2)),
    )
    assert printed(ground(terrain=terrain)["hexes.tags"]) == ["D0 L2"]


def test_only_what_a_game_counts_is_written() -> None:
    """Without a word of the game nothing but levels is written into hexes, whatever numbers their terrain has."""
    (tags,) = [mark for mark in hex_ground_marks(BOARD, TERRAIN, WHOLE) if mark.id == "hexes.tags"]
    assert set(printed(tags)) == {"L1", "L3", "L\N{MINUS SIGN}1"}


@pytest.mark.parametrize("kind", HEXES)
def test_kinds_fill_their_hexes_with_symbols(kind: str) -> None:
    """Each kind fills its hexes, with as many symbols as its table says, all inside the hex."""
    marks = ground(terrain=(HexTerrain("T", kind, ((4, 4), (6, 5)), Ground()),))
    assert rings(marks[f"terrain.{kind}"]) == 2
    symbols = marks.get(f"terrain.{kind}.symbols")
    shapes = (
        symbols.lines
        if isinstance(symbols, Lines)
        else symbols.rings
        if isinstance(symbols, Rings)
        else ()
    )
    assert len(shapes) == 2 * len(HEXES[kind].places)
    assert {BOARD.hex_at(point) for shape in shapes for point in shape} <= {(4, 4), (6, 5)}


def test_unknown_kinds_are_filled_too() -> None:
    """Terrain that the tables do not list still fills its hexes."""
    assert rings(ground()["terrain.deep_mud"]) == 1


def test_terrain_is_named_where_it_is_a_target() -> None:
    """Only what is charged has its name written on the board."""
    names = [
        mark.text for mark in ground(named=frozenset({"Depot"})).values() if isinstance(mark, Label)
    ]
    assert names == ["Depot"]


def test_lines_are_numbered_at_the_upper_and_the_left_edge() -> None:
    """Columns are written at their first hexes and rows at the first column's, for hexes too small for their own
    numbers.
    """
    words = printed(ground()["hexes.lines"])
    assert words == [f"{column:02d}" for column in range(1, 16)] + [
        f"{row:02d}" for row in range(2, 18)
    ]


def test_hexes_are_the_engines() -> None:
    """The rings of hexes have the engine's corners."""
    grid = ground(terrain=())["board"]
    assert isinstance(grid, Rings)
    assert np.array_equal(np.array(grid.rings[0]), BOARD.outline((1, 1)))


def test_houses_throw_a_shadow_and_have_a_roof() -> None:
    """Each building has its shadow, moved to the lower right, under it, and the lines of its roof within its walls."""
    marks = ground()
    walls, shadows, roof = (
        marks[f"terrain.building.{part}"] for part in ("symbols", "shadows", "details")
    )
    assert isinstance(walls, Rings)
    assert isinstance(shadows, Rings)
    assert isinstance(roof, Lines)
    moved = np.array(shadows.rings) - np.array(walls.rings)
    assert (moved[..., 0] > 0).all()
    assert np.allclose(moved[..., 0], -moved[..., 1])
    assert style(shadows.role).layer < style(walls.role).layer
    west, south = np.min(walls.rings, axis=(0, 1))
    east, north = np.max(walls.rings, axis=(0, 1))
    assert all(west <= x <= east and south <= y <= north for line in roof.lines for x, y in line)


def test_notes_stand_in_their_hexes_without_paper() -> None:
    """The cost of a step is printed into the hex entered, over the ground, off the way; the label for lack of room has
    no paper.
    """
    resolution = resolve(read_case("battletech/through-a-house"))
    (panel, _) = charge_panels(resolution)
    board = resolution.before.board
    assert isinstance(board, HexBoard)
    notes = [mark for mark in panel.marks if isinstance(mark, Printed) and ".note." in mark.id]
    asked = resolution.rulings[0].evidence.notes
    assert [mark.words[0][1] for mark in notes] == [note.text.removesuffix(" MP") for note in asked]
    assert [board.hex_at(mark.words[0][0]) for mark in notes] == [
        board.hex_at(note.at) for note in asked
    ]
    assert {style(mark.instead.role).fill for mark in notes if mark.instead is not None} == {None}

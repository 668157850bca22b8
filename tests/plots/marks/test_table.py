"""What lies on the table as marks: outlines, shadows, lines of height."""

import pytest
import shapely

from plots.marks.board import HEIGHTS, terrain_marks
from plots.marks.mark import GridMark, Mark, Outline
from plots.marks.styles import RISING, SHADED, TERRAIN_LOOKS, style, styles_of
from plots.marks.theme import PRINT, THEMES, Theme, luminance
from tabletop.geometry.shape import Shape, disc, polygon
from tabletop.table.state import Terrain

BENT = [(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 5.0), (0.0, 5.0)]


def marks(kind: str) -> dict[str, Mark]:
    """Give the marks of a bent piece of terrain by the ends of their ids."""
    return {mark.id.removeprefix("now.terrain.Piece"): mark for mark in terrain_marks(Terrain("Piece", kind, polygon(BENT)), "now")}


@pytest.mark.parametrize("kind", TERRAIN_LOOKS)
def test_what_stands_up_throws_a_shadow_and_its_outline_stays_true(kind: str) -> None:
    """The outline is the piece's own; the shadow of what stands up lies under it and looks out at the lower right."""
    made = marks(kind)
    outline = made[""]
    assert isinstance(outline, Outline)
    assert shapely.Polygon(outline.ring).symmetric_difference(shapely.Polygon(BENT)).area < 1e-9
    assert (".shadow" in made) is (kind in SHADED)
    if kind in SHADED:
        shadow = made[".shadow"]
        assert isinstance(shadow, Outline)
        assert all(x > a and y < b for (x, y), (a, b) in zip(shadow.ring, outline.ring, strict=True))
        assert styles_of()["shadow"].layer < style(outline.role).layer


@pytest.mark.parametrize("shape", [polygon(BENT), disc((3.0, 3.0), 2.0)])
def test_what_rises_has_lines_of_height_within_each_other(shape: Shape) -> None:
    """Each line lies in the region, and the next one in it; other pieces have none."""
    assert RISING == ("hill",)
    drawn = {mark.id: mark for mark in terrain_marks(Terrain("Hill", "hill", shape), "now")}["now.terrain.Hill.contours"]
    assert isinstance(drawn, GridMark)
    assert len(drawn.rings) >= len(HEIGHTS)
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
    fills = [look.fill for role, look in styles_of(PRINT).items() if role.startswith(("terrain.", "hexes.", "level.")) and look.fill]
    assert min(luminance(fill) for fill in fills) > 0.55

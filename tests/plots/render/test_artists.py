"""Artists: their vertices are the engine's numbers, and there are few of them."""

import math

import numpy as np
import pytest
from matplotlib.collections import PathCollection
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from plots.layout.frame import Frame
from plots.marks.mark import (
    Arrows,
    DimensionLine,
    DrawnMark,
    FacingMark,
    Lines,
    PointMark,
    Rings,
    arc_points,
)
from plots.marks.section import Rect
from plots.render.artists import artists

FRAME = Frame(Rect(0.0, 0.0, 20.0, 20.0), 0.2)
SQUARE = ((1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0))
MARKS = (
    Rings("outline", "unit.0", (SQUARE,)),
    Rings("grid", "models.1", (SQUARE, tuple((x + 2.0, y) for x, y in SQUARE))),
    Lines("line", "facing", (((1.0, 1.0), (4.0, 5.0)),)),
    Arrows("arrow", "path.0", (((1.0, 1.0), (1.0, 9.0)),)),
    Arrows("wheel", "path.0", (arc_points((5.0, 5.0), (9.0, 5.0), math.pi / 2),)),
    FacingMark("facing", "front.0", (2.0, 3.0), math.pi / 2, 1.0, 0.5),
    PointMark("contact", "contact_point", ((2.0, 2.0),)),
    PointMark("pivot", "pivot.0", ((2.0, 2.0),)),
    Rings(
        "area",
        "zone.forbidden",
        (SQUARE,),
        holes=(((1.5, 1.5), (1.5, 2.5), (2.5, 2.5), (2.5, 1.5)),),
    ),
    Lines("lines", "link", (((1.0, 1.0), (4.0, 5.0)), ((2.0, 1.0), (4.0, 5.0), (6.0, 5.0)))),
    Arrows("ways", "path.0", (((1.0, 1.0), (4.0, 5.0)), ((2.0, 1.0), (4.0, 5.0), (4.01, 5.0)))),
    DimensionLine("dimension", "dimension", (1.0, 1.0), (9.0, 1.0), 0.8),
)


def paths_of(mark: DrawnMark) -> list[Path]:
    """Return the paths of the artist that has a mark's name."""
    artist = next(one for one in artists((mark,), FRAME) if one.get_gid() == mark.id)
    if isinstance(artist, PathPatch):
        return [artist.get_path()]
    assert isinstance(artist, PathCollection)
    return list(artist.get_paths())


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.id)
def test_every_mark_becomes_artists_with_its_id(mark: DrawnMark) -> None:
    """A mark gives one artist, two with its pattern or with the paper about its lines, whose group in SVG is the mark's
    id.
    """
    names = [artist.get_gid() for artist in artists((mark,), FRAME)]
    assert names in ([mark.id], [mark.id, f"{mark.id}.pattern"], [f"{mark.id}.halo", mark.id])


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: mark.id)
def test_every_vertex_is_a_number(mark: DrawnMark) -> None:
    """No mark gives a vertex that is not finite."""
    assert all(np.isfinite(path.vertices).all() for path in paths_of(mark))


def test_outline_and_grid_keep_their_corners() -> None:
    """Vertices are the rings themselves, closed; those of a grid are one path."""
    assert np.array_equal(paths_of(MARKS[0])[0].vertices, np.array([*SQUARE, SQUARE[0]]))
    (grid,) = paths_of(MARKS[1])
    assert np.array_equal(np.asarray(grid.vertices)[:5], np.array([*SQUARE, SQUARE[0]]))
    assert len(np.asarray(grid.vertices)) == 10


def test_arrow_ends_at_its_end() -> None:
    """The tip of the head is the end of the leg, and the shaft begins at its start."""
    shaft, head = paths_of(MARKS[3])
    assert tuple(np.asarray(shaft.vertices)[0]) == (1.0, 1.0)
    assert tuple(np.asarray(head.vertices)[0]) == (1.0, 9.0)


@pytest.mark.parametrize("sweep", [1.2, -1.2])
def test_wheel_is_a_true_arc(sweep: float) -> None:
    """Every vertex of the shaft but the last, which lies under the head, is the radius away from the pivot; the tip
    ends the arc.
    """
    start = (5.0 + 4.0 * math.cos(0.3), 5.0 + 4.0 * math.sin(0.3))
    shaft, head = paths_of(Arrows("wheel", "path.0", (arc_points((5.0, 5.0), start, sweep),)))
    radii = np.hypot(*(np.asarray(shaft.vertices)[:-1] - 5.0).T)
    assert np.allclose(radii, 4.0)
    tip = (5.0 + 4.0 * math.cos(0.3 + sweep), 5.0 + 4.0 * math.sin(0.3 + sweep))
    assert tuple(np.asarray(head.vertices)[0]) == pytest.approx(tip)


@pytest.mark.parametrize("sweep", [1e-5, -1e-5, 1e-3])
def test_tiny_wheel_is_drawn(sweep: float) -> None:
    """A wheel of a hair's breadth has finite vertices."""
    assert all(
        np.isfinite(path.vertices).all()
        for path in paths_of(
            Arrows("wheel", "path.0", (arc_points((5.0, 5.0), (9.0, 5.0), sweep),))
        )
    )


def test_facing_mark_points_from_inside_to_the_front() -> None:
    """The tip is the middle of the front edge, the base lies behind it inside the unit."""
    (triangle,) = paths_of(MARKS[5])
    tip, left, right = np.asarray(triangle.vertices)[:3]
    assert tuple(tip) == (2.0, 3.0)
    assert max(left[1], right[1]) < 3.0


def test_symbols_keep_their_size_on_the_page() -> None:
    """A symbol is as large on the page at any scale."""
    sizes = []
    for scale in (0.05, 0.3):
        (artist,) = artists(
            (PointMark("contact", "contact_point", ((2.0, 2.0),)),), Frame(FRAME.section, scale)
        )
        assert isinstance(artist, PathPatch)
        sizes.append(np.ptp(np.asarray(artist.get_path().vertices), axis=0) * scale)
    assert sizes[0] == pytest.approx(sizes[1])


def test_dimension_measures_between_its_points() -> None:
    """The line is as long as what it measures, and its bars begin at the measured points."""
    line, first, second, *_ = paths_of(MARKS[11])
    assert math.dist(*np.asarray(line.vertices)) == pytest.approx(8.0)
    assert [tuple(np.asarray(bar.vertices)[0]) for bar in (first, second)] == [
        (1.0, 1.0),
        (9.0, 1.0),
    ]


@pytest.mark.parametrize(
    "role", ["models.1", "models.2", "models.3", "terrain.rock", "terrain.screen"]
)
def test_patterns_stay_inside_the_shape(role: str) -> None:
    """Stripes and dots are cut to the shape, exactly."""
    _, pattern = artists((Rings("o", role, (SQUARE,)),), FRAME)
    paths = [pattern.get_path()] if isinstance(pattern, PathPatch) else pattern.get_paths()  # type: ignore[attr-defined]
    vertices = np.vstack([path.vertices for path in paths])
    assert len(vertices) > 4
    assert vertices.min() >= 1.0 - 1e-9
    assert vertices.max() <= 3.0 + 1e-9


def test_a_shape_too_small_for_its_pattern_goes_without() -> None:
    """A speck between two stripes has no pattern and is no error."""
    speck = tuple((0.1 + x * 1e-6, 0.2 + y * 1e-6) for x, y in SQUARE)
    assert len(artists((Rings("o", "terrain.screen", (speck,)),), FRAME)) == 1


def test_a_hundred_bases_are_one_artist() -> None:
    """However many bases a unit has, they are one collection and one pattern."""
    rings = tuple(
        tuple((x + column, y + row) for x, y in SQUARE) for row in range(10) for column in range(10)
    )
    assert len(artists((Rings("models", "models.1", rings),), FRAME)) == 2


def test_ways_are_one_path_of_shafts_and_one_of_heads() -> None:
    """The heads end where the ways end, and look along them even where the last leg is a piece of an arc."""
    shafts, heads = paths_of(MARKS[10])
    tips = np.asarray(heads.vertices)[::4]
    assert [tuple(tip) for tip in tips] == [(4.0, 5.0), (4.01, 5.0)]
    back = np.asarray(heads.vertices)[5:7].mean(axis=0)
    assert math.atan2(5.0 - back[1], 4.01 - back[0]) == pytest.approx(
        math.atan2(4.0, 2.0), abs=0.05
    )
    assert np.isin([(1.0, 1.0), (2.0, 1.0)], np.asarray(shafts.vertices)).all()


def test_patterns_leave_holes_free() -> None:
    """The hatching of a region does not enter its hole."""
    _, pattern = artists((MARKS[8],), FRAME)
    assert isinstance(pattern, PathPatch)
    x, y = np.asarray(pattern.get_path().vertices).T
    assert not ((x > 1.5 + 1e-9) & (x < 2.5 - 1e-9) & (y > 1.5 + 1e-9) & (y < 2.5 - 1e-9)).any()


def test_a_pattern_goes_no_farther_than_is_seen() -> None:
    """A piece of ten thousand inches has no more dots than one as large as the section and a strip around it."""
    large = tuple((5000.0 * x, 5000.0 * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    (dots,) = [
        one
        for one in artists((Rings("terrain", "terrain.area", (large,)),), FRAME)
        if str(one.get_gid()).endswith(".pattern")
    ]
    assert isinstance(dots, PathPatch)
    seen = np.asarray(dots.get_path().vertices)
    assert len(seen) < 200_000
    assert seen.min() < 0.0
    assert seen.max() > 20.0

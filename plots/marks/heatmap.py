"""Marks of numbers and outcomes over the table: shaded areas, symbols at single points, and the axes of a map.

Positions are in inches on the table. Values are binned into bands, darker for greater ones. Outcomes have a colour and
a symbol each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from plots.marks.mark import (
    DrawnMark,
    Label,
    Lines,
    PointMark,
    Points,
    Printed,
    filled,
    part_of,
    points,
    polygons,
)
from plots.marks.section import Rect
from plots.marks.theme import OUTCOME_NAMES, SPOT_NAMES
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board

MOST_BANDS = 8
"""Number of shades that can be distinguished."""

LEAST_LABELLED = 2.0
"""Least area in square inches that gets a label."""

CELL_ROUNDING = 1e-9

EMPTY_PLACE = "nothing"
"""Name of points without a number, or with 0."""

MOST_TICKS = 8

TICK_SPACINGS = (1, 2, 3, 6, 12, 24, 48, 96)
"""Candidate spacings of axis ticks, in inches."""

TICK, AWAY = 0.012, 0.034
"""Tick length and distance of its number from the edge, as shares of the section's shorter side."""


@dataclass(frozen=True)
class Band:
    """A band of the scale: values v with `low` < v <= `high`, and its text in the key."""

    low: float
    high: float
    words: str


def bands_of(values: FloatArray, *, as_percent: bool) -> tuple[Band, ...]:
    """Return the bands for all values above 0: one per distinct value if there are at most `MOST_BANDS`, else of equal
    round width.
    """
    found = np.unique(np.round(values[np.isfinite(values) & (values > CELL_ROUNDING)], 9))
    if len(found) <= MOST_BANDS:
        return tuple(
            Band(value - CELL_ROUNDING, value + CELL_ROUNDING, _words(value, as_percent))
            for value in found.tolist()
        )
    step = _round_step((found[-1] - min(0.0, found[0])) / MOST_BANDS)
    edges = (
        np.arange(np.floor(found[0] / step), np.ceil(found[-1] / step - CELL_ROUNDING) + 1) * step
    )
    pairs = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    written = [
        (low, high, _words(low, as_percent), _words(high, as_percent)) for low, high in pairs
    ]
    return tuple(
        Band(
            low + CELL_ROUNDING,
            high + CELL_ROUNDING,
            current_language().say("map.to", low=least, high=most),
        )
        for low, high, least, most in written
    )


def _words(value: float, as_percent: bool) -> str:  # noqa: FBT001 - passed on
    language = current_language()
    return (
        f"{language.number(100 * value, '.3g')}%" if as_percent else language.number(value, ".4g")
    )


def _round_step(least: float) -> float:
    """Return the least number of the series 1, 2, 5, 10, 20, ... (and 0.1, 0.2, ...) that is at least `least`."""
    power = 10.0 ** np.floor(np.log10(least))
    return float(
        next(
            power * factor
            for factor in (1.0, 2.0, 5.0, 10.0)
            if power * factor >= least * (1 - CELL_ROUNDING)
        )
    )


def numbers_in(values: FloatArray, bands: Sequence[Band]) -> NDArray[np.intp]:
    """Return the index of each value's band, of the shape of `values`; -1 for values in no band."""
    found = np.full(values.shape, -1, dtype=np.intp)
    for number, band in enumerate(bands):
        found[np.isfinite(values) & (values > band.low) & (values <= band.high)] = number
    return found


def cells_of(board: Board | HexBoard, axes: Sequence[NDArray[Any]]) -> Sequence[shapely.Geometry]:
    """Return the region of each point of a grid on the board: hexes, or rectangles between neighbouring columns and
    rows.

    `axes` holds the hex numbers, or the x and the y of the grid in inches; the last axis varies fastest.
    """
    if isinstance(board, HexBoard):
        return [
            shapely.Polygon(board.outline((int(place[:2]), int(place[2:]))))
            for place in axes[0].tolist()
        ]
    edges = [
        _edges(values.astype(float), limit)
        for values, limit in zip(axes, (board.width, board.depth), strict=True)
    ]
    (west, east), (south, north) = ((edge[:-1], edge[1:]) for edge in edges)
    boxes = shapely.box(west[:, None], south[None, :], east[:, None], north[None, :])
    cells: Sequence[shapely.Geometry] = boxes.ravel().tolist()
    return cells


def _edges(values: FloatArray, limit: float) -> FloatArray:
    """Return the borders halfway between neighbouring positions, shape (n + 1,), clipped to 0 and `limit`, in
    inches.
    """
    if len(values) == 1:
        edges = np.array([values[0] - 0.5, values[0] + 0.5])
    else:
        inner = (values[1:] + values[:-1]) / 2
        edges = np.concatenate([[2 * values[0] - inner[0]], inner, [2 * values[-1] - inner[-1]]])
    within: FloatArray = np.clip(edges, 0.0, limit)
    return within


def heat_marks(
    regions: Sequence[shapely.Geometry], numbers: NDArray[Any], bands: Sequence[Band]
) -> tuple[DrawnMark, ...]:
    """Return the shaded areas of bands with labels: `regions`, shape (n,), joined by band index in `numbers`, shape
    (n,).
    """
    marks: list[DrawnMark] = []
    cells = np.array(regions, dtype=object)
    for number, band in enumerate(bands):
        joined = shapely.union_all(cells[numbers == number], grid_size=1e-6)
        name = f"heat.{number + 1}"
        if parts := polygons(joined):
            label = _label("label", max(parts, key=lambda part: part.area), band)
            marks += part_of(name, [*filled("", shade(number, len(bands)), joined), *label])
    return tuple(marks)


def shade(number: int, count: int) -> str:
    """Return the role of band number `number` of `count`, from palest for the least to darkest for the greatest."""
    return f"heat.{round((number + 1) * MOST_BANDS / count) - 1}"


def _label(name: str, part: shapely.Polygon, band: Band) -> tuple[DrawnMark, ...]:
    """Return a band's label inside an area, where that is widest; empty if the area is too small."""
    if part.area < LEAST_LABELLED:
        return ()
    middle = shapely.maximum_inscribed_circle(part, tolerance=0.1)
    x, y = shapely.get_coordinates(middle)[0].tolist()
    spots: Points = ((x, y), *points(shapely.get_coordinates(part.representative_point())))
    ring, *holes = (
        points(shapely.get_coordinates(line)[:-1]) for line in (part.exterior, *part.interiors)
    )
    return (
        Label(name, "text", band.words, spots, rank=3, home=ring, within=ring, off=tuple(holes)),
    )


def hatched_cells(
    role: str, regions: Sequence[shapely.Geometry], told: NDArray[Any], section: Rect
) -> tuple[DrawnMark, ...]:
    """Return hatching in `role` ("no_room" or "no_verdict") over the cells selected by `told`, clipped to a section.

    `regions` are the cells, shape (n,), and `told` is a boolean mask or indices.
    """
    return _seen_area(role, np.array(regions, dtype=object)[told], section)


def zero_mark(
    regions: Sequence[shapely.Geometry], values: FloatArray, section: Rect
) -> tuple[DrawnMark, ...]:
    """Return a pale cover over the cells, shape (n,), whose value is 0 or less, clipped to a section."""
    is_zero = np.isfinite(values) & (values <= CELL_ROUNDING)
    return _seen_area("zero", np.array(regions, dtype=object)[is_zero], section)


def _seen_area(role: str, cells: NDArray[Any], section: Rect) -> tuple[DrawnMark, ...]:
    seen = shapely.box(*section.sides)
    return (
        filled(role, role, shapely.intersection(shapely.union_all(cells, grid_size=1e-6), seen))
        if len(cells)
        else ()
    )


# Single points: a symbol at each.


def outcome_spots(places: FloatArray, outcomes: NDArray[Any]) -> tuple[DrawnMark, ...]:
    """Return symbols at points, shape (n, 2), for their outcomes, shape (n,); better outcomes are painted over worse
    ones.
    """
    return tuple(
        _spots(name, places[outcomes == name]) for name in SPOT_NAMES if (outcomes == name).any()
    )


def number_spots(
    places: FloatArray, numbers: NDArray[Any], bands: Sequence[Band]
) -> tuple[DrawnMark, ...]:
    """Return symbols at points, shape (n, 2), for their band indices, shape (n,), -1 for none."""
    names = [
        EMPTY_PLACE,
        *(shade(number, len(bands)).removeprefix("heat.") for number in range(len(bands))),
    ]
    shown = [(name, places[numbers == number]) for number, name in enumerate(names, start=-1)]
    return tuple(_spots(name, some) for name, some in shown if len(some))


def _spots(name: str, places: FloatArray) -> DrawnMark:
    return PointMark(f"spots.{name}", f"spot.{name}", points(places))


def spot_meanings(outcomes: NDArray[Any] | None, bands: Sequence[Band]) -> dict[str, str]:
    """Return the key's text for each role of symbols: outcomes with their counts, or bands if `outcomes` is None."""
    language = current_language()
    if outcomes is None:
        told = {
            f"spot.{shade(number, len(bands)).removeprefix('heat.')}": band.words
            for number, band in enumerate(bands)
        }
        return {**told, f"spot.{EMPTY_PLACE}": language.words["map.nothing"]}
    return {
        f"spot.{name}": f"{spot_words(name)}: {language.number(int(np.count_nonzero(outcomes == name)), ',')}"
        for name in SPOT_NAMES[::-1]
    }


def spot_words(name: str) -> str:
    """Return the word for an outcome in a language, including those of tables that could not be resolved."""
    return current_language().words[f"outcome.{name}" if name in OUTCOME_NAMES else f"map.{name}"]


# Axes: ticks along the left and lower edges, in inches.


def axis_marks(section: Rect) -> tuple[DrawnMark, ...]:
    """Return the ticks of both axes with their numbers in inches, inside the left and lower edges of a section."""
    side = min(section.width, section.height)
    longer = max(section.width, section.height)
    step = next((step for step in TICK_SPACINGS if longer / step <= MOST_TICKS), TICK_SPACINGS[-1])
    across = [
        (value, (value, section.south), (0.0, side))
        for value in _between(section.west, section.east, step)
    ]
    up = [
        (value, (section.west, value), (side, 0.0))
        for value in _between(section.south, section.north, step)
    ]
    ticks = tuple((at, _moved(at, inwards, TICK)) for _, at, inwards in (*across, *up))
    numbers = tuple(
        (_moved(at, inwards, AWAY), str(value), float(step))
        for value, at, inwards in (*across, *up)
    )
    return (Lines("axes", "tick", ticks), Printed("axes.numbers", "axis", numbers))


def _moved(at: Point, inwards: Point, share: float) -> Point:
    return (at[0] + share * inwards[0], at[1] + share * inwards[1])


def _between(low: float, high: float, step: int) -> Iterator[int]:
    """Return the multiples of a step between two ends, clear of both, where the other axis is."""
    first = int(low // step)
    last = int(high // step) + 1
    clear = 2 * AWAY * (high - low)
    return (
        step * number
        for number in range(first, last + 1)
        if low + clear <= step * number <= high - clear / 2
    )

"""Marks of numbers and outcomes over the table: areas of like values, symbols at single places, and the axes of a map.

Places are in table inches. Values are parted into bands, the darker the greater; outcomes have a colour and a symbol each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from plots.marks.language import ENGLISH, Language
from plots.marks.mark import DrawnMark, Label, Lines, PointMark, Points, Printed, filled, part_of, points, polygons
from plots.marks.section import Rect
from plots.marks.theme import OUTCOME_NAMES, SPOT_NAMES
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board

MOST_BANDS = 8
"""Steps of shade that are told apart."""

LEAST_LABELLED = 2.0
"""Square inches of the table from which an area is labelled."""

CELL_ROUNDING = 1e-9

EMPTY_PLACE = "nothing"
"""The name of places with no number, or with 0."""

MOST_TICKS = 8

TICK_SPACINGS = (1, 2, 3, 6, 12, 24, 48, 96)
"""Inches between ticks."""

TICK, AWAY = 0.012, 0.034
"""How long a tick is, and how far its number stands from the edge, as shares of the shorter side."""


@dataclass(frozen=True)
class Band:
    """A step of the scale: values above `low` and up to `high`, and the words for it."""

    low: float
    high: float
    words: str


def bands_of(values: FloatArray, *, as_percent: bool, language: Language = ENGLISH) -> tuple[Band, ...]:
    """Part the values above 0 into bands: one for each value where there are few, else even steps of round numbers."""
    found = np.unique(np.round(values[np.isfinite(values) & (values > CELL_ROUNDING)], 9))
    if len(found) <= MOST_BANDS:
        return tuple(Band(value - CELL_ROUNDING, value + CELL_ROUNDING, _words(value, as_percent, language)) for value in found.tolist())
    step = _round_step((found[-1] - min(0.0, found[0])) / MOST_BANDS)
    edges = np.arange(np.floor(found[0] / step), np.ceil(found[-1] / step - CELL_ROUNDING) + 1) * step
    pairs = zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    written = [(low, high, _words(low, as_percent, language), _words(high, as_percent, language)) for low, high in pairs]
    return tuple(
        Band(low + CELL_ROUNDING, high + CELL_ROUNDING, language.say("map.to", low=least, high=most)) for low, high, least, most in written
    )


def _words(value: float, as_percent: bool, language: Language) -> str:  # noqa: FBT001 - passed on
    return f"{language.number(100 * value, '.3g')}%" if as_percent else language.number(value, ".4g")


def _round_step(least: float) -> float:
    """Return the least of 1, 2, 5, 10, ... that is no smaller."""
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= least * (1 - CELL_ROUNDING)))


def numbers_in(values: FloatArray, bands: Sequence[Band]) -> NDArray[np.intp]:
    """Return the number of each value's band, -1 where it is in none."""
    found = np.full(values.shape, -1, dtype=np.intp)
    for number, band in enumerate(bands):
        found[np.isfinite(values) & (values > band.low) & (values <= band.high)] = number
    return found


def cells_of(board: Board | HexBoard, axes: Sequence[NDArray[Any]]) -> Sequence[shapely.Geometry]:
    """Return the region that each place of a map stands for, given its hexes, or the inches of its columns and of its rows."""
    if isinstance(board, HexBoard):
        return [shapely.Polygon(board.outline((int(place[:2]), int(place[2:])))) for place in axes[0].tolist()]
    edges = [_edges(values.astype(float), limit) for values, limit in zip(axes, (board.width, board.depth), strict=True)]
    (west, east), (south, north) = ((edge[:-1], edge[1:]) for edge in edges)
    boxes = shapely.box(west[:, None], south[None, :], east[:, None], north[None, :])
    cells: Sequence[shapely.Geometry] = boxes.ravel().tolist()
    return cells


def _edges(values: FloatArray, limit: float) -> FloatArray:
    """Return the borders half way between neighbouring places."""
    if len(values) == 1:
        edges = np.array([values[0] - 0.5, values[0] + 0.5])
    else:
        inner = (values[1:] + values[:-1]) / 2
        edges = np.concatenate([[2 * values[0] - inner[0]], inner, [2 * values[-1] - inner[-1]]])
    within: FloatArray = np.clip(edges, 0.0, limit)
    return within


def heat_marks(regions: Sequence[shapely.Geometry], numbers: NDArray[Any], bands: Sequence[Band]) -> tuple[DrawnMark, ...]:
    """Draw the areas of each band, of cells given as regions (n) with the numbers (n) of their bands."""
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
    """Return the role of a band: the palest for the least, the darkest for the greatest."""
    return f"heat.{round((number + 1) * MOST_BANDS / count) - 1}"


def _label(name: str, part: shapely.Polygon, band: Band) -> tuple[DrawnMark, ...]:
    """Write a band's value where its largest area is widest: inside of it, or not at all, for elsewhere it would name another band."""
    if part.area < LEAST_LABELLED:
        return ()
    middle = shapely.maximum_inscribed_circle(part, tolerance=0.1)
    x, y = shapely.get_coordinates(middle)[0].tolist()
    spots: Points = ((x, y), *points(shapely.get_coordinates(part.representative_point())))
    ring, *holes = (points(shapely.get_coordinates(line)[:-1]) for line in (part.exterior, *part.interiors))
    return (Label(name, "text", band.words, spots, rank=3, home=ring, within=ring, off=tuple(holes)),)


def hatched_cells(role: str, regions: Sequence[shapely.Geometry], told: NDArray[Any], section: Rect) -> tuple[DrawnMark, ...]:
    """Hatch the cells, given as regions (n), of which nothing but a role is told (n): "no_room", "no_verdict", as far as they are seen."""
    return _seen_area(role, np.array(regions, dtype=object)[told], section)


def zero_mark(regions: Sequence[shapely.Geometry], values: FloatArray, section: Rect) -> tuple[DrawnMark, ...]:
    """Pale the cells, given as regions (n), whose number (n) is 0 or less, as far as they are seen."""
    is_zero = np.isfinite(values) & (values <= CELL_ROUNDING)
    return _seen_area("zero", np.array(regions, dtype=object)[is_zero], section)


def _seen_area(role: str, cells: NDArray[Any], section: Rect) -> tuple[DrawnMark, ...]:
    seen = shapely.box(*section.sides)
    return filled(role, role, shapely.intersection(shapely.union_all(cells, grid_size=1e-6), seen)) if len(cells) else ()


# Places that were tried one by one: a symbol at each.


def outcome_spots(places: FloatArray, outcomes: NDArray[Any]) -> tuple[DrawnMark, ...]:
    """Mark places (n, 2) on the table by the words (n) of their outcomes, the better above the worse."""
    return tuple(_spots(name, places[outcomes == name]) for name in SPOT_NAMES if (outcomes == name).any())


def number_spots(places: FloatArray, numbers: NDArray[Any], bands: Sequence[Band]) -> tuple[DrawnMark, ...]:
    """Mark places (n, 2) on the table by the numbers (n) of their bands, -1 where they are in none."""
    names = [EMPTY_PLACE, *(shade(number, len(bands)).removeprefix("heat.") for number in range(len(bands)))]
    shown = [(name, places[numbers == number]) for number, name in enumerate(names, start=-1)]
    return tuple(_spots(name, some) for name, some in shown if len(some))


def _spots(name: str, places: FloatArray) -> DrawnMark:
    return PointMark(f"spots.{name}", f"spot.{name}", points(places))


def spot_meanings(outcomes: NDArray[Any] | None, bands: Sequence[Band], language: Language = ENGLISH) -> dict[str, str]:
    """Return the words of the key for each role: outcomes with how many places have them, or bands, and what is in none of them."""
    if outcomes is None:
        told = {f"spot.{shade(number, len(bands)).removeprefix('heat.')}": band.words for number, band in enumerate(bands)}
        return {**told, f"spot.{EMPTY_PLACE}": language.words["map.nothing"]}
    return {
        f"spot.{name}": f"{spot_words(name, language)}: {language.number(int(np.count_nonzero(outcomes == name)), ',')}"
        for name in SPOT_NAMES[::-1]
    }


def spot_words(name: str, language: Language = ENGLISH) -> str:
    """Name an outcome, of a table that could not be resolved too."""
    return language.words[f"outcome.{name}" if name in OUTCOME_NAMES else f"map.{name}"]


# Axes: ticks along the left and lower edges, with the inches at which they stand.


def axis_marks(section: Rect) -> tuple[DrawnMark, ...]:
    """Draw the ticks of both axes with their numbers, inches of the table, inside the edges of a section."""
    side, longer = min(section.width, section.height), max(section.width, section.height)
    step = next((step for step in TICK_SPACINGS if longer / step <= MOST_TICKS), TICK_SPACINGS[-1])
    across = [(value, (value, section.south), (0.0, side)) for value in _between(section.west, section.east, step)]
    up = [(value, (section.west, value), (side, 0.0)) for value in _between(section.south, section.north, step)]
    ticks = tuple((at, _moved(at, inwards, TICK)) for _, at, inwards in (*across, *up))
    numbers = tuple((_moved(at, inwards, AWAY), str(value), float(step)) for value, at, inwards in (*across, *up))
    return (Lines("axes", "tick", ticks), Printed("axes.numbers", "axis", numbers))


def _moved(at: Point, inwards: Point, share: float) -> Point:
    return (at[0] + share * inwards[0], at[1] + share * inwards[1])


def _between(low: float, high: float, step: int) -> Iterator[int]:
    """Return the whole multiples of a step that stand clear of both ends, where the other axis is."""
    first, last, clear = int(low // step), int(high // step) + 1, 2 * AWAY * (high - low)
    return (step * number for number in range(first, last + 1) if low + clear <= step * number <= high - clear / 2)

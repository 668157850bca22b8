"""Maps of a survey: numbers over the board, or over whatever two keys were varied."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import shapely
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from numpy.typing import NDArray

from plots.layout.page import Picture, lay_out
from plots.layout.setting import DEFAULT, Setting
from plots.marks import captions, text
from plots.marks.heat import bands_of, heat_marks, numbers_in, shade
from plots.marks.language import ENGLISH, Language
from plots.marks.looks import shades_of
from plots.marks.mark import Mark, WaysMark, with_distinct_ids
from plots.marks.panels import Panel
from plots.marks.section import Section, around, whole_board, within
from plots.marks.spots import number_spots, outcome_spots, spot_meanings, spot_words
from plots.marks.table import Scene, scene_marks
from plots.marks.theme import LABEL, SMALL, TITLE, Theme
from plots.marks.units import extremes
from plots.render.defaults import as_shipped
from plots.render.files import format_of, save
from plots.render.ids import names_of
from plots.render.paint import paint
from tabletop.errors import UsageError
from tabletop.geometry.pose import FloatArray
from tabletop.ruling.system import Case
from tabletop.table.hexes import FACINGS, HexBoard
from tabletop.table.hexes import heading as hex_heading
from tabletop.table.squad import Squad
from tabletop.table.state import Regiment, State
from tabletop.units import facing_degrees

HIGH = 0.6
"""Height of a chart as a share of its width, where the size does not say it."""

MAP_HEIGHT = 6.5
AROUND, LEAST_SIDE = 2.0, 12.0
"""Inches of the table around what a map shows, and the least side of its section."""
MOST_SPOTS = 20_000
"""Random places that are drawn; more cannot be told apart."""
MOST_ARROWS = 24
"""Arrows along the longer side of a map of facings."""
TITLED_QUESTIONS = ("threat", "safe", "start")
"""Questions of which a map's title asks."""
CHART = 4.2 / 7.0
"""Height of a chart as a share of its width."""


class SurveyLike(Protocol):
    """Results with labelled dimensions, as `tabletop.explore` gives them."""

    @property
    def axes(self) -> Mapping[str, NDArray[Any]]:
        """Values of the keys varied."""
        ...

    @property
    def values(self) -> Mapping[str, NDArray[Any]]:
        """Arrays by column name."""
        ...

    def column(self, name: str) -> NDArray[Any]:
        """Give one column."""
        ...


@as_shipped()
def draw_map(
    case: Case,
    survey: SurveyLike,
    path: str | Path,
    *,
    show: str | None = None,
    question: str | None = None,
    setting: Setting = DEFAULT,
) -> None:
    """Draw what a survey found and write it as SVG, PDF, PNG or PGF, by the ending of the file's name.

    Places on the board are drawn over the board, best facings as arrows in a second panel; random places as points, in a panel for
    each unit; anything else as a chart of one or two keys.

    Parameters
    ----------
    case
        One of the cases, for the board and what stands on it.
    survey
        The results.
    path
        File to write; it is complete or not there.
    show
        Column of numbers to show, or of random places also "outcome", which is then what is shown if nothing is named; else "chance".
    question
        Name of the question that was asked, for the title.
    setting
        Theme, size, scale and language; a chart has no scale.

    Raises
    ------
    UsageError
        If the column holds no numbers, the keys cannot be shown, the figure does not fit, or the file cannot be written.
    """
    kind = format_of(Path(path))
    show = show or usual_column(survey)
    values = survey.column(show)
    if values.dtype.kind != "f" and not (show == "outcome" and placed_units(survey)):
        raise UsageError(f"--show {show}: the column holds words, not numbers")
    language = setting.language
    topic = _Topic(case, survey, values, show, setting, text.clean(_title(case, survey, show, question, language)))
    picture = _scattered(topic) if drawn_columns(survey) and placed_units(survey) else None if unit_of(survey) is None else _picture(topic)
    page = None if picture is None else lay_out(picture)
    if page is None and kind == "pgf":
        raise UsageError(f"{path}: a chart of keys is written as .svg, .pdf or .png; a map of places as .pgf too")
    figure = _chart(topic) if page is None else paint(page)
    told = text.clean(description(survey, values, show, topic.title, language))
    names = None if page is None else names_of(page)
    save(figure, Path(path), title=topic.title, description=told, language=language.code, names=names)


@dataclass(frozen=True, eq=False)
class _Topic:
    """What a map shows, of which case, under which title, and how it is set."""

    case: Case
    survey: SurveyLike
    values: NDArray[Any]
    show: str
    setting: Setting
    title: str


def unit_of(survey: SurveyLike) -> str | None:
    """Give the unit whose places on the board were varied, and nothing else, None if it was something else."""
    parts = [key.split(".") for key in survey.axes]
    names = {".".join(part[1:-1]).strip("'\"") for part in parts if part[0] == "units"}
    lasts = sorted(part[-1] for part in parts)
    return next(iter(names)) if len(names) == 1 and lasts in (["x", "y"], ["hex"]) else None


def drawn_columns(survey: SurveyLike) -> tuple[str, ...]:
    """Give the names of the columns that were drawn at random."""
    return tuple(getattr(survey, "drawn", ()))


def placed_units(survey: SurveyLike) -> dict[str, tuple[str, ...]]:
    """Give the units whose places were drawn at random, each with the names of its columns: x and y, or its hex."""
    found: dict[str, tuple[str, ...]] = {}
    for key in drawn_columns(survey):
        parts = key.split(".")
        if parts[0] == "units" and parts[-1] in ("x", "y", "hex"):
            name = ".".join(parts[1:-1]).strip("'\"")
            found[name] = (*found.get(name, ()), key)
    return {name: keys for name, keys in found.items() if len(keys) == 2 or keys[0].endswith(".hex")}  # noqa: PLR2004 - x and y


def usual_column(survey: SurveyLike) -> str:
    """Give what is shown if nothing is named: outcomes of random places, else chances."""
    return "outcome" if placed_units(survey) else "chance"


def _title(case: Case, survey: SurveyLike, show: str, question: str | None, language: Language) -> str:
    asked, unit = _column_words(show, language), unit_of(survey)
    if question in TITLED_QUESTIONS and show == "chance":
        asked = language.say(f"map.{question}", charger=case.charges[0].charger if case.charges else "", unit=unit)
    if placed := placed_units(survey):
        count = f"{survey.column(show).size:,}"
        asked = language.say("map.random", show=asked[:1].upper() + asked[1:], count=count, unit=language.listed(tuple(placed)))
    return language.say("map.title", title=captions.title(case, language), asked=asked)


def _column_words(show: str, language: Language) -> str:
    """Say what a column holds."""
    return language.known("map", show.removeprefix("metrics."))


def _picture(topic: _Topic) -> Picture:
    case, survey, values, language = topic.case, topic.survey, topic.values, topic.setting.language
    unit = unit_of(survey) or ""
    state = case.state.without_unit(unit)
    bands = bands_of(values, as_percent=topic.show == "chance", language=language)
    cells, numbers = _cells(survey, state), numbers_in(values, bands).ravel()
    section = _section(case, cells, numbers)
    marks = (*scene_marks(Scene("map", state, language=language), section), *heat_marks("map", cells, numbers, bands))
    words = _column_words(topic.show, language)
    panels = [Panel("map", words[:1].upper() + words[1:], "", with_distinct_ids(marks), section)]
    panels += _facings(topic, state, unit, section)
    return Picture(
        board=state.board,
        title=topic.title,
        badges=(),
        panels=tuple(panels),
        caption=(f"{_stands(case, survey, unit, language)} {language.words['map.elsewhere' if bands else 'map.nowhere']}",),
        footer=captions.footer(case, language),
        most_height=MAP_HEIGHT,
        meanings={shade(number, len(bands)): band.words for number, band in enumerate(bands)},
        setting=topic.setting,
    )


def _scattered(topic: _Topic) -> Picture:
    """Mark random places with what became of them, in a panel for each unit."""
    case, survey, language = topic.case, topic.survey, topic.setting.language
    if len(survey.axes) > 1:
        raise UsageError(f"a figure of random places shows nothing else that is varied; {', '.join(survey.axes)} were")
    values, placed = topic.values[:MOST_SPOTS], placed_units(survey)
    is_told = values.dtype.kind != "f"
    bands = () if is_told else bands_of(values, as_percent=topic.show == "chance", language=language)
    state = case.state
    for unit in placed:
        state = state.without_unit(unit)
    where = {unit: _spots_of(survey, keys, state)[: len(values)] for unit, keys in placed.items()}
    seen = [part for charge in case.charges if charge.charger in state.units for part in extremes(state.units[charge.charger], state.board)]
    seen += [point for spots in where.values() for point in spots.tolist()]
    section = within(around(seen).grown(AROUND), state.board, LEAST_SIDE)
    panels = []
    for number, (unit, spots) in enumerate(where.items(), start=1):
        name = f"map.{number}"
        marks = outcome_spots(name, spots, values) if is_told else number_spots(name, spots, numbers_in(values, bands), bands)
        marks = (*scene_marks(Scene(name, state, language=language), section), *marks)
        panels.append(Panel(name, language.say("map.places", unit=unit), "", with_distinct_ids(marks), section))
    words = [_stands(case, survey, unit, language) for unit in placed]
    if len(values) < len(topic.values):
        words.append(language.say("map.first", count=f"{len(values):,}", all=f"{len(topic.values):,}"))
    return Picture(
        board=state.board,
        title=topic.title,
        badges=(),
        panels=tuple(panels),
        caption=(" ".join(filter(None, words)),),
        footer=captions.footer(case, language),
        most_height=MAP_HEIGHT,
        meanings=spot_meanings(values if is_told else None, bands, language),
        setting=topic.setting,
    )


def _spots_of(survey: SurveyLike, keys: Sequence[str], state: State[Any]) -> FloatArray:
    """Give the random places (n, 2) of a unit on the table."""
    columns = [survey.column(key) for key in keys]
    if isinstance(state.board, HexBoard):
        return np.array([state.board.centre((int(place[:2]), int(place[2:]))) for place in columns[0].tolist()])
    return np.stack([column.astype(float) for column in columns], axis=1)


def _section(case: Case, cells: Sequence[shapely.Geometry], numbers: NDArray[Any]) -> Section:
    """Show what is above 0 and who charges, with the room around them."""
    state = case.state
    seen = [part for charge in case.charges if charge.charger in state.units for part in extremes(state.units[charge.charger], state.board)]
    if (numbers >= 0).any():
        west, south, east, north = shapely.total_bounds(np.array(cells, dtype=object)[numbers >= 0]).tolist()
        seen += [(west, south), (east, north)]
    return within(around(seen).grown(AROUND), state.board, LEAST_SIDE) if seen else whole_board(state.board)


def _stands(case: Case, survey: SurveyLike, unit: str, language: Language) -> str:
    """Say what of the unit stands at a place, and where it looks."""
    moved = case.state.units[unit]
    if isinstance(moved, Regiment):
        if _facing_column(survey, unit):
            return language.say("map.front", unit=unit)
        return language.say("map.front_facing", unit=unit, facing=f"{facing_degrees(moved.pose.heading):.4g}")
    return language.say("map.model", unit=unit) if isinstance(moved, Squad) else ""


def _facing_column(survey: SurveyLike, unit: str) -> str | None:
    """Give the column of best facings, if facings were tried."""
    return next((name for name in (f"units.{unit}.facing_deg", f"units.{unit}.facing") if name in survey.values), None)


def _cells(survey: SurveyLike, state: State[Any]) -> Sequence[shapely.Geometry]:
    """Give the region that each place of the survey stands for."""
    board, axes = state.board, list(survey.axes.values())
    if isinstance(board, HexBoard):
        places = [(int(place[:2]), int(place[2:])) for place in axes[0].tolist()]
        return [shapely.Polygon(board.outline(place)) for place in places]
    edges = [_edges(values.astype(float), limit) for values, limit in zip(axes, (board.width, board.depth), strict=True)]
    (west, east), (south, north) = ((edge[:-1], edge[1:]) for edge in edges)
    boxes = shapely.box(west[:, None], south[None, :], east[:, None], north[None, :])
    cells: Sequence[shapely.Geometry] = boxes.ravel().tolist()
    return cells


def _edges(values: NDArray[Any], limit: float) -> NDArray[Any]:
    """Give the borders half way between neighbouring places."""
    if len(values) == 1:
        edges = np.array([values[0] - 0.5, values[0] + 0.5])
    else:
        inner = (values[1:] + values[:-1]) / 2
        edges = np.concatenate([[2 * values[0] - inner[0]], inner, [2 * values[-1] - inner[-1]]])
    within: NDArray[Any] = np.clip(edges, 0.0, limit)
    return within


def _facings(topic: _Topic, state: State[Any], unit: str, section: Section) -> list[Panel]:
    """Show the best facing at each place as an arrow, thinned where they would crowd."""
    survey, values, language = topic.survey, topic.values, topic.setting.language
    column = _facing_column(survey, unit)
    if column is None or isinstance(state.board, HexBoard) or not np.nanmax(np.nan_to_num(values), initial=0.0) > 0.0:
        return []
    xs, ys = survey.axes.values()
    every = max(1, -(-max(len(xs), len(ys)) // MOST_ARROWS))
    reach = 0.4 * every * float(min(np.diff(axis).min() if len(axis) > 1 else 1.0 for axis in (xs, ys)))
    arrows = []
    for i, j in np.ndindex(values.shape):
        if i % every == every // 2 and j % every == every // 2 and values[i, j] > 0.0:
            angle = _heading(survey.column(column)[i, j])
            dx, dy = reach * np.cos(angle), reach * np.sin(angle)
            arrows.append(((float(xs[i] - dx), float(ys[j] - dy)), (float(xs[i] + dx), float(ys[j] + dy))))
    marks: tuple[Mark, ...] = (
        *scene_marks(Scene("facings", state, language=language), section),
        WaysMark("facings.arrows", "best_facing", tuple(arrows)),
    )
    return [Panel("facings", language.words["map.facing"], "", with_distinct_ids(marks), section)]


def _heading(value: Any) -> float:
    return hex_heading(FACINGS.index(value)) if value in FACINGS else float(np.radians(float(value)))


def description(survey: SurveyLike, values: NDArray[Any], show: str, title: str, language: Language = ENGLISH) -> str:
    """Say what the map shows in words: its range, and how much of it is above 0."""
    keys = language.listed(drawn_columns(survey) or tuple(survey.axes))
    if values.dtype.kind != "f":
        outcomes, counts = np.unique(values.astype(str), return_counts=True)
        told = ", ".join(f"{language.within(spot_words(one, language))} {count:,}" for one, count in zip(outcomes, counts, strict=True))
        return language.say("map.counted", title=title, show=_column_words(show, language), keys=keys, counts=told)
    known = values[np.isfinite(values)]
    if not len(known):
        return language.say("map.empty", title=title, keys=keys)
    share, least, most = f"{float((known > 0).mean()):.1%}", f"{known.min():.4g}", f"{known.max():.4g}"
    words = _column_words(show, language)
    return language.say("map.described", title=title, show=words, keys=keys, least=least, most=most, share=share, count=len(known))


def _chart(topic: _Topic) -> Figure:
    """Draw a chart over one key, or shades over two, with matplotlib's own axes.

    Raises
    ------
    UsageError
        If more than two keys were varied, or a scale is asked for.
    """
    if drawn_columns(topic.survey):
        return _cloud(topic)
    survey, keys = topic.survey, list(topic.survey.axes)
    if len(keys) > 2:  # noqa: PLR2004
        raise UsageError(f"a figure shows one or two keys; {len(keys)} were varied ({', '.join(keys)})")
    if topic.setting.ratio is not None:
        raise UsageError("--scale: a chart of keys has no scale; a map of places has")
    figure, axes, look = chart_axes(topic.setting, topic.title, captions.footer(topic.case, topic.setting.language))
    words, ticks = _column_words(topic.show, topic.setting.language), [_ticks(survey.axes[key]) for key in keys]
    if len(keys) == 1:
        axes.step(ticks[0][0], topic.values, where="mid", color=look.ink, linewidth=1.2 * look.zoom)
        axes.plot(ticks[0][0], topic.values, linestyle="none", marker="o", markersize=3 * look.zoom, color=look.ink)
        axes.set_ylabel(words, fontsize=LABEL * look.zoom, color=look.ink)
    else:
        shaded(axes, (ticks[0][0], ticks[1][0]), topic.values.T, words, look)
        axes.set_ylabel(keys[1], fontsize=LABEL * look.zoom, parse_math=False, color=look.ink)
        _name_ticks(axes.yaxis, ticks[1])
    axes.set_xlabel(keys[0], fontsize=LABEL * look.zoom, parse_math=False, color=look.ink)
    _name_ticks(axes.xaxis, ticks[0])
    return figure


def _cloud(topic: _Topic) -> Figure:
    """Draw random numbers as points: one against what is shown, or two, with shades for it.

    Raises
    ------
    UsageError
        If there are more, something else is varied too, or a scale is asked for.
    """
    survey, keys = topic.survey, drawn_columns(topic.survey)
    if len(keys) > 2 or len(survey.axes) > 1:  # noqa: PLR2004
        told = ", ".join((*keys, *(key for key in survey.axes if key != "random")))
        raise UsageError(f"a figure shows one or two random numbers, and nothing else that is varied; varied were {told}")
    if topic.setting.ratio is not None:
        raise UsageError("--scale: a chart of keys has no scale; a map of places has")
    figure, axes, look = chart_axes(topic.setting, topic.title, captions.footer(topic.case, topic.setting.language))
    words, columns = _column_words(topic.show, topic.setting.language), [survey.column(key) for key in keys]
    size = 3 * look.zoom
    if len(keys) == 1:
        axes.plot(columns[0], topic.values, linestyle="none", marker="o", markersize=size, color=look.ink, rasterized=True)
        axes.set_ylabel(words, fontsize=LABEL * look.zoom, color=look.ink)
    else:
        shades = ListedColormap(shades_of(look))
        dots = axes.scatter(
            columns[0], columns[1], s=(2 * size) ** 2, c=topic.values, cmap=shades, edgecolors=look.ink, linewidths=0.3, rasterized=True
        )
        _add_bar(axes, dots, words, look)
        axes.set_ylabel(keys[1], fontsize=LABEL * look.zoom, parse_math=False, color=look.ink)
    axes.set_xlabel(keys[0], fontsize=LABEL * look.zoom, parse_math=False, color=look.ink)
    return figure


def _ticks(values: NDArray[Any]) -> tuple[NDArray[Any], list[str]]:
    """Give where values stand on an axis, and their words where they are no numbers."""
    if values.dtype.kind in "if":
        return values, []
    return np.arange(len(values)), [str(value) for value in values]


def _name_ticks(axis: Any, ticks: tuple[NDArray[Any], list[str]]) -> None:
    if ticks[1]:
        axis.set_ticks(ticks[0], labels=ticks[1])


def chart_axes(setting: Setting, title: str, footer: str) -> tuple[Figure, Axes, Theme]:
    """Make a figure of one chart with its title and footer; give also its theme, as much enlarged as the size allows."""
    size = setting.size
    look = replace(setting.theme, zoom=size.zoom)
    figure = Figure(figsize=(size.width, size.height or HIGH * size.width), facecolor=look.page, layout="constrained")
    axes = figure.add_subplot(facecolor=look.table)
    lines = text.wrapped(title, 0.85 * size.width / look.zoom, TITLE, most=2)
    axes.set_title("\n".join(lines), fontsize=TITLE * look.zoom, color=look.ink, parse_math=False)
    axes.tick_params(labelsize=LABEL * look.zoom, colors=look.ink)
    for spine in axes.spines.values():
        spine.set_color(look.grey)
    line = "\n".join(text.wrapped(footer, 0.95 * size.width / look.zoom, SMALL))
    figure.supxlabel(line, x=0.01, ha="left", fontsize=SMALL * look.zoom, color=look.grey)
    return figure, axes, look


def shaded(axes: Axes, places: tuple[Any, Any], values: Any, words: str, look: Theme) -> None:
    """Shade values over two keys, with a bar that tells what a shade means."""
    shades = ListedColormap(shades_of(look))
    mesh = axes.pcolormesh(*places, values, cmap=shades, shading="nearest", rasterized=True)
    _add_bar(axes, mesh, words, look)


def _add_bar(axes: Axes, shown: ScalarMappable, words: str, look: Theme) -> None:
    """Tell what a shade means."""
    bar = axes.figure.colorbar(shown, ax=axes)
    bar.set_label(words, fontsize=LABEL * look.zoom, color=look.ink)
    bar.ax.tick_params(labelsize=LABEL * look.zoom, colors=look.ink)

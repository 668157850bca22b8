"""Maps of a survey: numbers and outcomes over the board, or charts over other varied keys."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from plots.layout import text
from plots.layout.backend import as_shipped
from plots.layout.page import FigureContent, lay_out
from plots.layout.setting import DEFAULT, Setting, speaks
from plots.marks import captions
from plots.marks.board import scene_marks
from plots.marks.heatmap import (
    axis_marks,
    bands_of,
    cells_of,
    hatched_cells,
    heat_marks,
    number_spots,
    numbers_in,
    outcome_spots,
    shade,
    spot_meanings,
    zero_mark,
)
from plots.marks.mark import Arrows, DrawnMark, Lines, outlines, with_distinct_ids
from plots.marks.panels import Panel
from plots.marks.section import Rect, around, whole_board, within
from plots.marks.survey_words import (
    TITLED_QUESTIONS,
    charger_of,
    column_words,
    counted_words,
    found_words,
    is_steady,
    numberless,
    placed_units,
    unit_of,
)
from plots.marks.units import extremes
from plots.render.artists import paint
from plots.render.charts import RANDOM, SurveyFigure, chart, rules_told, steady_page
from plots.render.figure import chosen
from plots.render.files import format_of, save
from plots.render.svg import names_of
from tabletop.errors import UsageError
from tabletop.exploring.survey import Survey
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language
from tabletop.ruling.system import Case
from tabletop.table.hexes import HEX_FACINGS, HexBoard
from tabletop.table.hexes import heading as hex_heading
from tabletop.table.models import Squad
from tabletop.table.state import Board, Regiment, State
from tabletop.units import facing_degrees

MAP_HEIGHT = 6.5

AROUND, LEAST_SIDE = 2.0, 12.0
"""Margin in table inches around a map's content, and the least side of its section."""

MOST_SPOTS = 20_000
"""Greatest number of random points drawn; more cannot be distinguished."""

MOST_ARROWS = 24
"""Number of arrows along the longer side of a map of facings."""

NUMBERLESS = ("no_room", "no_verdict")
"""Roles of points without a number, by the map's words for them."""


@as_shipped()
@speaks
def draw_map(
    case: Case,
    survey: Survey,
    path: str | Path,
    *,
    show: str | None = None,
    question: str | None = None,
    setting: Setting = DEFAULT,
) -> None:
    """Draw the results of a survey and write them as SVG, PDF, PNG, WebP or PGF, by the file's suffix.

    Positions on the board are drawn on the board, with best facings as arrows in a second panel. Random positions are
    drawn as points, in one panel per unit. Anything else becomes a chart over one or two keys.

    Parameters
    ----------
    case
        One of the cases, for the board and everything placed on it.
    survey
        Results to draw.
    path
        File to write, completely or not at all.
    show
        Column of numbers to show, by default "chance"; for random positions also "outcome", which is then the default.
    question
        Name of the question that was asked, for the title.
    setting
        Theme, size, scale and language; a chart has no scale.

    Raises
    ------
    UsageError
        If the column holds no numbers, the keys cannot be shown, the figure does not fit, or the file cannot be
        written.
    """
    kind = format_of(Path(path))
    topic = _topic(case, survey, show, question, setting)
    picture = _pictured(topic)
    if picture is not None:
        picture = replace(picture, panels=chosen(picture.panels, setting.panel))
    elif setting.panel is not None:
        raise UsageError(
            "--panel {panel}: applies only to maps, on which a unit is moved over the board; this result is a "
            "chart: leave it out",
            panel=setting.panel,
        )
    page = (
        lay_out(picture)
        if picture is not None
        else steady_page(topic)
        if _is_steady(topic)
        else None
    )
    if page is None and kind == "pgf":
        raise UsageError(
            "{path}: this result is a chart, which can be written as .svg, .pdf or .png only",
            path=path,
        )
    figure = chart(topic) if page is None else paint(page)
    told = text.clean(description(survey, topic.values, topic.show, topic.title))
    names = None if page is None or kind != "svg" else names_of(page)
    save(figure, Path(path), title=topic.title, description=told, setting=setting, names=names)


def _is_steady(topic: SurveyFigure) -> bool:
    """Return whether shares of verdicts on displaced tables are drawn, instead of a chart of another number."""
    return topic.show == "chance" and is_steady(topic.survey) and topic.setting.ratio is None


@speaks
def picture_of(
    case: Case,
    survey: Survey,
    *,
    show: str | None = None,
    question: str | None = None,
    setting: Setting = DEFAULT,
) -> FigureContent | None:
    """Return the content of a survey's map; None if only a chart of keys is possible.

    The parameters are those of `draw_map`.
    """
    return _pictured(_topic(case, survey, show, question, setting))


@speaks
def map_words(
    case: Case,
    survey: Survey,
    *,
    show: str | None = None,
    question: str | None = None,
    setting: Setting = DEFAULT,
) -> tuple[str, str]:
    """Return title and text description of a survey's map. The parameters are those of `draw_map`."""
    topic = _topic(case, survey, show, question, setting)
    return topic.title, text.clean(description(survey, topic.values, topic.show, topic.title))


def _topic(
    case: Case, survey: Survey, show: str | None, question: str | None, setting: Setting
) -> SurveyFigure:
    show = show or ("outcome" if placed_units(survey.drawn) else "chance")
    values = survey.column(show)
    if values.dtype.kind != "f" and not (show == "outcome" and placed_units(survey.drawn)):
        raise UsageError(
            "--show {show}: this column contains words; choose one that contains numbers", show=show
        )
    setting = replace(setting, language=setting.language.of(case.system.vocabulary.looks))
    return SurveyFigure(
        case,
        survey,
        values,
        show,
        setting,
        text.clean(_title(case, survey, show, question)),
        question,
    )


def _pictured(topic: SurveyFigure) -> FigureContent | None:
    if placed_units(topic.survey.drawn):
        return _scattered(topic)
    return None if unit_of(topic.survey) is None else _picture(topic)


def _title(case: Case, survey: Survey, show: str, question: str | None) -> str:
    """Return the title of a map: the case's title followed by the result in words."""
    found = found_words(case, survey, show=show, question=question)
    return current_language().say("map.title", title=captions.title(case), answer=found)


def _asked(topic: SurveyFigure) -> str:
    """Return in words what a map shows for a unit: the question asked, else the column's description."""
    case = topic.case
    unit = unit_of(topic.survey)
    language = current_language()
    if topic.question in TITLED_QUESTIONS and topic.show == "chance":
        return language.say(f"map.{topic.question}", charger=charger_of(case), unit=unit)
    words = column_words(topic.show)
    return words[:1].upper() + words[1:]


def _picture(topic: SurveyFigure) -> FigureContent:
    case = topic.case
    survey = topic.survey
    values = topic.values
    language = current_language()
    unit = unit_of(survey) or ""
    state = case.state.without_unit(unit)
    bands = bands_of(values, as_percent=topic.show == "chance")
    cells = cells_of(state.board, list(survey.axes.values()))
    numbers = numbers_in(values, bands).ravel()
    section = _section(case, cells, numbers)
    told = numberless(survey, values)
    blocked = [
        mark
        for role in NUMBERLESS
        for mark in hatched_cells(role, cells, told[role].ravel(), section)
    ]
    empty = zero_mark(cells, values.ravel(), section)
    ground = scene_marks(state, section)
    axes, below = _axes(section, state)
    edges = tuple((*mark.rings[0], mark.rings[0][0]) for mark in outlines(ground, "terrain"))
    drawn = [Lines("outlines", "outlined", edges)] if edges else []
    marks = (*ground, *heat_marks(cells, numbers, bands), *empty, *blocked, *drawn, *axes)
    panels = [Panel("map", _asked(topic), below, with_distinct_ids(marks, "map"), section)]
    panels += _facings(topic, state, unit, section)
    return _map_of(
        topic,
        state,
        panels,
        _stands(case, survey, unit),
        {
            "zero": "0",
            **{shade(number, len(bands)): band.words for number, band in enumerate(bands)},
            **{mark.role: language.within(language.words[f"map.{mark.role}"]) for mark in blocked},
        },
    )


def _map_of(
    topic: SurveyFigure,
    state: State[Any],
    panels: Sequence[Panel],
    told: str,
    meanings: Mapping[str, str],
) -> FigureContent:
    """Return the content of a map; the rules against success are in the caption for judges, in the small print for
    readers.
    """
    rules = rules_told(topic)
    is_judge = topic.setting.audience == "judge"
    return FigureContent(
        board=state.board,
        title=topic.title,
        badges=(),
        panels=tuple(panels),
        caption=tuple(filter(None, (told, rules if is_judge else ""))),
        footer=captions.footer(topic.case),
        small_print="" if is_judge else rules,
        most_height=MAP_HEIGHT,
        meanings=meanings,
        setting=topic.setting,
    )


def _axes(section: Rect, state: State[Any]) -> tuple[tuple[DrawnMark, ...], str]:
    """Return the marks of a map's axes and what their numbers mean; on a board of hexes there are no marks."""
    language = current_language()
    if isinstance(state.board, HexBoard):
        return (), language.words["map.axes_hexes"]
    return axis_marks(section), language.words["map.axes"]


def _scattered(topic: SurveyFigure) -> FigureContent:
    """Return the content of a map of random positions, marked with their outcomes or numbers, in one panel per unit."""
    case = topic.case
    survey = topic.survey
    language = current_language()
    if len(survey.axes) > 1:
        others = [key for key in survey.axes if key not in RANDOM]
        raise UsageError(
            "a figure of random places cannot show other varied keys: leave out {others}",
            others=", ".join(others),
        )
    values = topic.values[:MOST_SPOTS]
    placed = placed_units(survey.drawn)
    is_told = values.dtype.kind != "f"
    bands = () if is_told else bands_of(values, as_percent=topic.show == "chance")
    state = case.state
    for unit in placed:
        state = state.without_unit(unit)
    where = {unit: _spots_of(survey, keys, state)[: len(values)] for unit, keys in placed.items()}
    section = _around(
        [*_chargers(case, state), *(point for spots in where.values() for point in spots.tolist())],
        state.board,
    )
    panels = []
    for number, (unit, spots) in enumerate(where.items(), start=1):
        name = "map" if number == 1 else f"map{number}"
        marks = (
            outcome_spots(spots, values)
            if is_told
            else number_spots(spots, numbers_in(values, bands), bands)
        )
        axes, told = _axes(section, state)
        marks = (*scene_marks(state, section), *marks, *axes)
        panels.append(
            Panel(
                name,
                language.say("map.places", unit=unit),
                told,
                with_distinct_ids(marks, name),
                section,
            )
        )
    words = [_stands(case, survey, unit) for unit in placed]
    if len(values) < len(topic.values):
        words.append(
            language.say(
                "map.first",
                count=language.number(len(values), ","),
                all=language.number(len(topic.values), ","),
            )
        )
    return _map_of(
        topic,
        state,
        panels,
        " ".join(filter(None, words)),
        spot_meanings(values if is_told else None, bands),
    )


def _spots_of(survey: Survey, keys: Sequence[str], state: State[Any]) -> FloatArray:
    """Return the random positions of a unit on the table, shape (n, 2), in inches."""
    columns = [survey.column(key) for key in keys]
    if isinstance(state.board, HexBoard):
        return np.array(
            [state.board.centre((int(place[:2]), int(place[2:]))) for place in columns[0].tolist()]
        )
    return np.stack([column.astype(float) for column in columns], axis=1)


def _section(case: Case, cells: Sequence[shapely.Geometry], numbers: NDArray[Any]) -> Rect:
    """Return the section that shows all positions with a value above 0 and the chargers, with a margin."""
    state = case.state
    seen = _chargers(case, state)
    if (numbers >= 0).any():
        west, south, east, north = shapely.total_bounds(
            np.array(cells, dtype=object)[numbers >= 0]
        ).tolist()
        seen += [(west, south), (east, north)]
    return _around(seen, state.board) if seen else whole_board(state.board)


def _chargers(case: Case, state: State[Any]) -> list[Point]:
    """Return the corners of the bounding boxes of the chargers on the table."""
    chargers = [
        state.units[charge.charger] for charge in case.charges if charge.charger in state.units
    ]
    return [point for unit in chargers for point in extremes(unit, state.board)]


def _around(points: Sequence[Point], board: Board) -> Rect:
    """Return the section around points with a margin, extended to the board's edge if that at most doubles the
    margin.
    """
    shown = around(points).grown(AROUND)
    whole = whole_board(board)
    near = shown.grown(AROUND)
    section = Rect(
        whole.west if near.west <= whole.west else shown.west,
        whole.south if near.south <= whole.south else shown.south,
        whole.east if near.east >= whole.east else shown.east,
        whole.north if near.north >= whole.north else shown.north,
    )
    return within(section, board, LEAST_SIDE)


def _stands(case: Case, survey: Survey, unit: str) -> str:
    """Return a sentence on which point of the unit a position on the map means, and on its facing; "" on hexes."""
    language = current_language()
    moved = case.state.units[unit]
    if isinstance(moved, Regiment):
        if _facing_column(survey, unit):
            return language.say("map.front", unit=unit)
        return language.say(
            "map.front_facing",
            unit=unit,
            facing=language.number(facing_degrees(moved.pose.heading), ".4g"),
        )
    return language.say("map.model", unit=unit) if isinstance(moved, Squad) else ""


def _facing_column(survey: Survey, unit: str) -> str | None:
    """Return the name of the column of best facings; None if facings were not tried."""
    return next(
        (
            name
            for name in (f"units.{unit}.facing_deg", f"units.{unit}.facing")
            if name in survey.values
        ),
        None,
    )


def _facings(topic: SurveyFigure, state: State[Any], unit: str, section: Rect) -> list[Panel]:
    """Return the panel with arrows of the best facing at each position, thinned out, in a list; empty without
    facings.
    """
    survey = topic.survey
    values = topic.values
    language = current_language()
    column = _facing_column(survey, unit)
    if (
        column is None
        or isinstance(state.board, HexBoard)
        or not np.nanmax(np.nan_to_num(values), initial=0.0) > 0.0
    ):
        return []
    xs, ys = survey.axes.values()
    every = max(1, -(-max(len(xs), len(ys)) // MOST_ARROWS))
    reach = (
        0.4 * every * float(min(np.diff(axis).min() if len(axis) > 1 else 1.0 for axis in (xs, ys)))
    )
    arrows = []
    for i, j in np.ndindex(values.shape):
        if i % every == every // 2 and j % every == every // 2 and values[i, j] > 0.0:
            angle = _heading(survey.column(column)[i, j])
            dx = reach * np.cos(angle)
            dy = reach * np.sin(angle)
            arrows.append(
                ((float(xs[i] - dx), float(ys[j] - dy)), (float(xs[i] + dx), float(ys[j] + dy)))
            )
    marks: tuple[DrawnMark, ...] = (
        *scene_marks(state, section),
        Arrows("arrows", "best_facing", tuple(arrows)),
    )
    return [
        Panel(
            "facings",
            language.words["map.facing"],
            "",
            with_distinct_ids(marks, "facings"),
            section,
        )
    ]


def _heading(value: Any) -> float:
    return (
        hex_heading(HEX_FACINGS.index(value))
        if value in HEX_FACINGS
        else float(np.radians(float(value)))
    )


def description(survey: Survey, values: NDArray[Any], show: str, title: str) -> str:
    """Return a text description of a map or chart: range of its numbers and share above 0, or counts of outcomes."""
    language = current_language()
    keys = language.listed(survey.drawn or tuple(survey.axes))
    if values.dtype.kind != "f":
        counts = counted_words(values)
        return language.say(
            "map.counted", title=title, show=column_words(show), keys=keys, counts=counts
        )
    known = values[np.isfinite(values)]
    if not len(known):
        return language.say("map.empty", title=title, keys=keys)
    least = language.number(known.min(), ".4g")
    most = language.number(known.max(), ".4g")
    share = language.number(float((known > 0).mean()), ".1%")
    words = column_words(show)
    return language.say(
        "map.described",
        title=title,
        show=words,
        keys=keys,
        least=least,
        most=most,
        share=share,
        count=len(known),
    )

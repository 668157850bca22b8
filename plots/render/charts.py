"""Charts of a survey: over one or two varied keys, over random numbers, and shares of verdicts on displaced tables.

Charts over keys use Matplotlib axes; shares of verdicts are bars on a page.
"""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from plots.layout import text
from plots.layout.blocks import Block, Row, footer, paragraph, rows, stack
from plots.layout.page import Page, page_of
from plots.layout.setting import MARGIN, Setting
from plots.marks import captions
from plots.marks.heatmap import spot_words
from plots.marks.styles import shades_of
from plots.marks.survey_words import Verdict, column_words, verdicts
from plots.marks.theme import LABEL, OUTCOME_NAMES, SMALL, TITLE, Theme
from tabletop.errors import UsageError
from tabletop.exploring.survey import Survey
from tabletop.language.language import current_language
from tabletop.ruling.system import Case

HIGH = 0.6
"""Default height of a chart as a share of its width."""

MINUS = "\N{MINUS SIGN}"

RANDOM = ("random",)
"""Names of axes that only count random tables."""

GAP = 0.1
LABEL_SHARE = 0.5

MOST_CROSSES = 1000
"""Number of crosses up to which each is drawn as its own line."""

LOST, LOST_AT, FOOT = "\N{MULTIPLICATION SIGN}", 0.03, 0.08
"""Mark of a case without a number; its position on a chart of one key, and the free space there, as shares of the
chart's height."""


@dataclass(frozen=True, eq=False)
class SurveyFigure:
    """A survey to be drawn as map or chart: case, survey, values of the column `show`, settings, title, and the
    question's name.
    """

    case: Case
    survey: Survey
    values: NDArray[Any]
    show: str
    setting: Setting
    title: str
    question: str | None = None


def chart(topic: SurveyFigure) -> Figure:
    """Return the Matplotlib figure of a chart over one key, or of shades over two; random numbers are drawn as points.

    Raises
    ------
    UsageError
        If more than two keys were varied, other keys besides random numbers, or a scale is given.
    """
    keys = _charted(topic.survey)
    if topic.setting.ratio is not None:
        raise UsageError(
            "--scale applies only to maps, on which a unit is moved over the board; this result is a "
            "chart: leave it out"
        )
    figure, axes, look = chart_axes(topic)
    ticks = [_ticks(topic.survey, key) for key in keys]
    if len(keys) == 1:
        _plot(axes, ticks[0][0], topic, look)
    else:
        _shade(axes, ticks[0][0], ticks[1][0], topic, look)
    for axis, key, (places, words) in zip((axes.xaxis, axes.yaxis), keys, ticks, strict=False):
        axis.set_label_text(
            key_words(key), fontsize=LABEL * look.zoom, parse_math=False, color=look.ink
        )
        if words:
            axis.set_ticks(places, labels=words)
        else:
            _write(axis, places, "")
    return figure


def _charted(survey: Survey) -> tuple[str, ...]:
    """Return the one or two keys of a chart, or the columns of random numbers; raise UsageError if there are more."""
    if survey.drawn and (len(survey.drawn) > 2 or len(survey.axes) > 1):  # noqa: PLR2004
        told = ", ".join((*survey.drawn, *(key for key in survey.axes if key not in RANDOM)))
        raise UsageError(
            "a figure can show one or two keys that were drawn at random and no other varied keys; varied were {told}",
            told=told,
        )
    keys = survey.drawn or tuple(survey.axes)
    if len(keys) > 2:  # noqa: PLR2004
        raise UsageError(
            "a figure shows one or two keys; {count} were varied ({keys})",
            count=len(keys),
            keys=", ".join(keys),
        )
    return keys


def _ticks(survey: Survey, key: str) -> tuple[NDArray[Any], list[str]]:
    """Return the positions of a key's values on an axis, shape (n,), and their labels; no labels if the values are
    numbers.
    """
    values = survey.column(key) if survey.drawn else survey.axes[key]
    if survey.drawn or values.dtype.kind in "if":
        return values, []
    return np.arange(len(values)), [str(value) for value in values]


def _shade(
    axes: Axes, xs: NDArray[Any], ys: NDArray[Any], topic: SurveyFigure, look: Theme
) -> None:
    """Draw shaded cells, or discs for random numbers, with a scale beside them."""
    shades = ListedColormap(shades_of(look))
    if topic.survey.drawn:
        size = (6 * look.zoom) ** 2
        shown: ScalarMappable = axes.scatter(
            xs,
            ys,
            s=size,
            c=topic.values,
            cmap=shades,
            edgecolors=look.ink,
            linewidths=0.3,
            rasterized=True,
        )
    else:
        shown = axes.pcolormesh(
            xs, ys, topic.values.T, cmap=shades, shading="nearest", rasterized=True
        )
        xs, ys = np.meshgrid(xs, ys, indexing="ij")
    if _are_counts(topic.values, topic.show):
        shown.set_clim(*_from_nothing(topic.values))
    bar = axes.figure.colorbar(shown, ax=axes)
    bar.set_label(column_words(topic.show), fontsize=LABEL * look.zoom, color=look.ink)
    bar.ax.tick_params(labelsize=LABEL * look.zoom, colors=look.ink)
    _write(bar.ax.yaxis, topic.values, topic.show)
    lost = _lost(topic)
    _cross(axes, xs[lost], ys[lost], look)


def _plot(axes: Axes, places: NDArray[Any], topic: SurveyFigure, look: Theme) -> None:
    """Draw each case as a point at its position on the x axis, shape (n,), or as a cross at the bottom if it has no
    number.
    """
    size = 3 * look.zoom
    lost = _lost(topic)
    axes.plot(
        places,
        topic.values,
        linestyle="none",
        marker="o",
        markersize=size,
        color=look.ink,
        rasterized=bool(topic.survey.drawn),
    )
    axes.set_ylabel(column_words(topic.show), fontsize=LABEL * look.zoom, color=look.ink)
    if _are_counts(topic.values, topic.show):
        low, high = _from_nothing(topic.values)
        axes.set_ylim(low - FOOT * (high - low), high + FOOT * (high - low))
    elif lost.any():
        axes.margins(y=FOOT)
    _write(axes.yaxis, topic.values, topic.show)
    _cross(
        axes, places[lost], np.full(lost.sum(), LOST_AT), look, transform=axes.get_xaxis_transform()
    )


def _cross(axes: Axes, xs: NDArray[Any], ys: NDArray[Any], look: Theme, **how: Any) -> None:
    """Draw crosses at the positions, shape (n,), of cases without a number."""
    axes.plot(
        xs,
        ys,
        linestyle="none",
        marker="x",
        markersize=4 * look.zoom,
        color=look.grey,
        rasterized=len(xs) > MOST_CROSSES,
        **how,
    )


def _lost(topic: SurveyFigure) -> NDArray[np.bool_]:
    """Return a boolean mask of the cases without a number, of the shape of the values."""
    lost: NDArray[np.bool_] = ~np.isfinite(topic.values)
    return lost


def lost_words(topic: SurveyFigure) -> str:
    """Return in words how many cases have no number, by outcome; "" if all have one."""
    language = current_language()
    lost = _lost(topic)
    if not lost.any():
        return ""
    outcomes = topic.survey.values.get("outcome", np.full(lost.shape, "", dtype=object))[lost]
    found = Counter(outcomes.astype(str).tolist())
    told = (
        f"{language.within(spot_words(name))} {language.number(count, ',')}"
        if name
        else language.number(count, ",")
        for name, count in found.most_common()
    )
    return language.say("map.lost", sign=LOST, cases=", ".join(told))


def key_words(key: str) -> str:
    """Return the description of a file's key in a language, with inches or degrees if the key's name implies one."""
    language = current_language()
    parts = [part.strip("'\"") for part in key.split(".")]
    last = parts[-1]
    name = ".".join(parts[1:-1]).removesuffix(".at")
    if parts[0] == "units" and name:
        last = {"0": "x", "1": "y"}.get(last, last) if key.endswith((".at.0", ".at.1")) else last
        said = language.say("map.key_of", what=_plain(last), unit=name)
    elif parts[0] in ("rules", "system") and len(parts) > 1:
        said = language.say(f"map.{parts[0]}", what=_plain(last))
    else:
        return key
    counted = "inches" if last in ("x", "y") else "degrees" if last.endswith("_deg") else ""
    return (
        language.say("map.counted_in", what=said, counted=language.words[f"map.{counted}"])
        if counted
        else said
    )


def _plain(word: str) -> str:
    return current_language().known("map.key", word.removesuffix("_deg"))


def chart_axes(topic: SurveyFigure) -> tuple[Figure, Axes, Theme]:
    """Return a figure with empty axes, title, note on missing numbers and footer; the axes; and the theme at the size's
    zoom.
    """
    setting = topic.setting
    title = topic.title
    told = [lost_words(topic), captions.footer(topic.case)]
    size = setting.size
    look = replace(setting.theme, zoom=size.zoom)
    figure = Figure(
        figsize=(size.width, size.height or HIGH * size.width),
        facecolor=look.page,
        layout="constrained",
    )
    axes = figure.add_subplot(facecolor=look.table)
    if setting.is_bare:
        title = ""
        told = []
    named = text.wrapped(title, 0.85 * size.width / look.zoom, TITLE, most=2)
    axes.set_title("\n".join(named), fontsize=TITLE * look.zoom, color=look.ink, parse_math=False)
    axes.tick_params(labelsize=LABEL * look.zoom, colors=look.ink)
    for spine in axes.spines.values():
        spine.set_color(look.grey)
    lines = [
        line
        for words in told
        if words
        for line in text.wrapped(words, 0.95 * size.width / look.zoom, SMALL)
    ]
    figure.supxlabel(
        "\n".join(lines), x=0.01, ha="left", fontsize=SMALL * look.zoom, color=look.grey
    )
    return figure, axes, look


def _write(axis: Any, values: NDArray[Any], show: str) -> None:
    """Format the numbers of an axis in a language: chances as percentages, counts as integers."""
    if not show and values.min() == values.max():
        axis.axes.set(**{f"{axis.axis_name}lim": (values.min() - 1, values.max() + 1)})
    if _are_counts(values, show):
        axis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    scale, sign = (100.0, "%") if show == "chance" else (1.0, "")
    axis.set_major_formatter(
        lambda value, _: f"{current_language().number(scale * value, '.6g')}{sign}".replace(
            "-", MINUS
        )
    )


def _from_nothing(values: NDArray[Any]) -> tuple[float, float]:
    """Return the limits of a scale of counts, which include 0 and 1, so that a single count has no fractions beside
    it.
    """
    return min(0.0, float(np.nanmin(values))), max(1.0, float(np.nanmax(values)))


def _are_counts(values: NDArray[Any], show: str) -> bool:
    known = values[np.isfinite(values)]
    return show != "chance" and known.size > 0 and np.array_equal(known, np.round(known))


# Stability of a verdict: the share of each verdict among slightly altered tables.


def steady_page(topic: SurveyFigure) -> Page:
    """Return a page with the shares of verdicts on displaced tables as bars; for judges, by deciding rule too.

    Raises
    ------
    UsageError
        If the bars do not fit the size.
    """
    return page_of(topic.setting, lambda sheet: _whole(topic, sheet.space))


def _whole(topic: SurveyFigure, space: float) -> Block:
    language = current_language()
    first, others = verdicts(topic.survey)
    is_bare = topic.setting.is_bare
    told = language.say(
        "map.as_it_stands", verdict=_named(first, topic), count=language.number(len(others), ",")
    )
    counts = Counter(
        verdict if topic.setting.audience == "judge" else (verdict[0], "") for verdict in others
    )
    entries = [
        Row(
            f"verdict.{number}",
            _named(verdict, topic),
            _role(verdict[0]),
            Fraction(count, len(others)),
        )
        for number, (verdict, count) in enumerate(counts.most_common(), start=1)
    ]
    blocks = (
        [] if is_bare else [paragraph("title", topic.title, space, size=TITLE, typeface="title")]
    )
    blocks.append(paragraph("caption.1", told, space))
    blocks += [rows(entries, width=space, most_label=LABEL_SHARE * space)] if entries else []
    if not is_bare:
        small = " ".join(
            filter(
                None,
                (rules_told(topic) if topic.setting.audience == "reader" else "", _left_out(topic)),
            )
        )
        blocks += [
            paragraph("small-print", small, space, size=SMALL, colour="grey"),
            footer(captions.footer(topic.case), space),
        ]
    return stack(blocks, GAP).at(MARGIN, MARGIN)


def _left_out(topic: SurveyFigure) -> str:
    """Return a note on how many tables are impossible; "" if none is."""
    count = int((topic.survey.column("outcome") == "invalid").sum())
    language = current_language()
    return language.say("map.left_out", count=language.number(count, ",")) if count else ""


def _named(verdict: Verdict, topic: SurveyFigure) -> str:
    words = spot_words(verdict[0])
    return f"{words}: {verdict[1]}" if verdict[1] and topic.setting.audience == "judge" else words


def _role(outcome: str) -> str:
    return f"odds.{outcome}" if outcome in OUTCOME_NAMES else "odds.together"


def rules_told(topic: SurveyFigure) -> str:
    """Return in words the rules that decide against success, with their number of cases; "" if the survey has no
    rules.
    """
    language = current_language()
    survey = topic.survey
    known = {rule.name for rule in topic.case.system.rules}
    # impossible tables and those without a verdict give their reason in place of a rule
    told = survey.column("rule").astype(str).ravel().tolist() if "rule" in survey.values else []
    found = Counter(rule for rule in told if rule in known)
    rules = ", ".join(
        f"{rule} {language.number(count, ',')}" for rule, count in found.most_common()
    )
    return language.say("map.by_rules", rules=rules) if rules else ""

"""Axes of a chart in the look of the other figures."""

from dataclasses import replace
from typing import Any

from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from plots.layout.setting import Setting
from plots.marks import text
from plots.marks.looks import shades_of
from plots.marks.theme import LABEL, SMALL, TITLE, Theme

HIGH = 0.6
"""Height of a chart as a share of its width, where the size does not say it."""


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
    bar = axes.figure.colorbar(mesh, ax=axes)
    bar.set_label(words, fontsize=LABEL * look.zoom, color=look.ink)
    bar.ax.tick_params(labelsize=LABEL * look.zoom, colors=look.ink)

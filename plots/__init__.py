"""Draw figures of rulings, maps and odds: content as plain marks, laid out on a page, drawn by Matplotlib."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plots.export.animation import animate
    from plots.layout.setting import Setting, setting
    from plots.marks.panels import View
    from plots.render.figure import draw, draw_on
    from plots.render.maps import draw_map
    from plots.render.odds import draw_odds

__all__ = ["Setting", "View", "animate", "draw", "draw_map", "draw_odds", "draw_on", "setting"]

_HOMES = {
    "animate": "plots.export.animation",
    **dict.fromkeys(("Setting", "setting"), "plots.layout.setting"),
    "View": "plots.marks.panels",
    **dict.fromkeys(("draw", "draw_on"), "plots.render.figure"),
    "draw_map": "plots.render.maps",
    "draw_odds": "plots.render.odds",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use and return it, so that marks can be made without Matplotlib."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'plots' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of the module, public ones included."""
    return sorted({*globals(), *__all__})

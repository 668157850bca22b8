"""Figures made from rulings and odds: what to show as plain marks, then artists, then a page."""

from plots.render import defaults

defaults.load()  # before anything else imports matplotlib

from plots.export.animation import animate  # noqa: E402
from plots.layout.setting import Setting, setting  # noqa: E402
from plots.render.figure import View, draw, draw_on  # noqa: E402
from plots.render.maps import draw_map  # noqa: E402
from plots.render.odds import draw_odds  # noqa: E402

__all__ = ["Setting", "View", "animate", "draw", "draw_map", "draw_odds", "draw_on", "setting"]

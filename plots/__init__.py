"""Figures made from rulings and odds: what to show as plain marks, then artists, then a page."""

from plots.animation import animate
from plots.figure import View, draw
from plots.maps import draw_map
from plots.odds import draw_odds
from plots.setting import Setting, setting

__all__ = ["Setting", "View", "animate", "draw", "draw_map", "draw_odds", "setting"]

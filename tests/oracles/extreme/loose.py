"""Extreme tables of loose models, for Warhammer 40,000."""

import math
import random
from typing import Any

import shapely

from tests.oracles.extreme import forms
from tests.oracles.extreme.forms import (
    MM,
    MOST_CORNERS,
    TINY,
    Piece,
    Ring,
    is_clear,
    pieces,
    turned,
)

Tables = dict[str, Any]
THEMES = (
    "gears",
    "combs",
    "rounds",
    "slits",
    "slivers",
    "dozens",
    "crowd",
    "hulls",
    "ovals",
    "many",
    "floors",
    "plain",
)
SIDES = (1.0, 6.0, 30.0, 60.0, 60.0, 200.0, 1000.0, 10_000.0)
"""Inches of a side of the board."""
AWAY, LARGE = (1.0 + 1e-5, 1.2, 2.0, 4.0, 9.0), 30.0
"""Inches between charger and target, beyond engagement range, on boards of so many inches and more."""
KINDS = ("block", "wall", "floor", "barricade", "impassable", "area")
SOFT = ("floor", "barricade", "area")
"""Kinds in which models may stand when a charge begins."""
MOST_MODELS = {"crowd": 100, "hulls": 63, "ovals": 40, "many": 5}
"""Models of a charger, by theme; ten elsewhere."""
KEYWORDS = (["infantry"], ["infantry"], ["vehicle"], ["infantry", "fly"], ["cavalry"])


class Field:
    """A table that is being set up: chargers at the middle of the board, targets farther up."""

    def __init__(self, number: int) -> None:
        self.source = random.Random(f"wh40k {number}")  # noqa: S311 - scenes, not secrets
        self.theme = THEMES[number % len(THEMES)]
        self.side = self.source.choice(SIDES)
        self.radius = min(self.side / 40.0, self.source.choice((0.5, 0.63, 1.0)))
        self.units: Tables = {}
        self.bodies: list[shapely.Polygon] = []
        self.terrain: list[Piece] = []

    def tables(self) -> Tables:
        """Return the file: a charge, or several, with the theme around it."""
        charges = self._lines()
        for group in pieces(self.source, self.theme, 6.0 * self.radius):
            self._lay(group)
        return {
            "system": "wh40k",
            "board": {"width": self.side, "depth": self.side},
            "units": self.units,
            "terrain": self.terrain,
            "charges": charges,
        }

    def _lines(self) -> list[Tables]:
        """Place chargers side by side, each in front of one or two targets, perhaps with a bystander."""
        count = self.source.choice((2, 5, 12)) if self.theme == "many" else 1
        most = MOST_MODELS.get(self.theme, 10)
        room = 30.0 * self.radius / count
        charges = []
        for number in range(count):
            middle = self.side / 2 + (number - (count - 1) / 2) * room
            away = (
                self.source.choice(AWAY)
                if self.side >= LARGE
                else self.radius * self.source.choice((0.1, 1.0, 4.0))
            )
            self._put(
                f"A{number}",
                self.source.choice((1, 1, most // 4 + 1, most // 2 + 1, most)),
                (middle, -away / 2),
                room,
            )
            aims = [f"T{number} {one}" for one in range(self.source.choice((1, 1, 2)))]
            for aim in aims:
                self._put(aim, self.source.choice((1, 5, 10)), (middle, away / 2), room / len(aims))
            aims = [aim for aim in aims if aim in self.units]
            charges += (
                [{"charger": f"A{number}", "targets": aims}]
                if aims and f"A{number}" in self.units
                else []
            )
        if self.source.random() < 0.4:
            self._put(
                "N",
                self.source.choice((1, 5)),
                (self.side / 2, 6.0 * self.radius + 1.0),
                8.0 * self.radius,
            )
        return charges

    def _put(self, name: str, count: int, place: tuple[float, float], room: float) -> None:
        """Place models in closely spaced rows, the first at `place`, as far as there is room."""
        footing, radius = self._footing()
        step = 2.0 * radius + self.source.choice((*TINY, 1e-3, 0.3)) + 1e-9
        columns = max(min(int(room / step), count), 1)
        middle, ahead = place
        spots = []
        for row, column in (divmod(number, columns) for number in range(count)):
            x = middle + (column - (columns - 1) / 2) * step
            y = self.side / 2 + ahead + math.copysign(radius + row * step, ahead)
            body = shapely.Point(x, y).buffer(radius)
            is_on = min(x, y) > radius and max(x, y) < self.side - radius
            if is_on and not any(body.intersection(other).area > 0.0 for other in self.bodies):
                spots.append((x, y, body))
        if spots:
            self.bodies += [body for *_, body in spots]
            facing = (
                {}
                if "round" in footing.get("base", "")
                else {"facing_deg": self.source.choice((0.0, 90.0, 1e-9, 33.0))}
            )
            profile = {"keywords": self.source.choice(KEYWORDS)}
            side = "blue" if name.startswith("A") else "red"
            self.units[name] = {
                "side": side,
                "at": [[x, y] for x, y, _ in spots],
                **footing,
                **facing,
                "profile": profile,
            }

    def _footing(self) -> tuple[Tables, float]:
        """Return a base or a hull, with the radius of the disc about it."""
        size = 2.0 * self.radius * MM
        if self.theme == "hulls":
            corners = self.source.choice((8, 8, 40, 200, 40 if self.units else MOST_CORNERS))
            return {
                "hull": forms.gear(corners, self.radius, self.source.choice((1e-4, 0.2, 0.6)))
            }, self.radius
        if self.theme == "ovals":
            return {
                "base": f"{size:.9f}x{size * self.source.choice((0.999, 0.6, 0.02)):.9f}mm oval"
            }, self.radius
        if self.theme == "plain" and self.source.random() < 0.3:
            return {"base": f"{size / 2:.9f}x{size / 2:.9f}mm rectangle"}, self.radius
        return {"base": f"{size:.9f}mm round"}, self.radius

    def _lay(self, group: list[Ring]) -> None:
        """Lay rings that belong together somewhere about the charge; solid ones where they are clear of everybody."""
        kind = self.source.choice(KINDS)
        height = self.source.choice((0.5, 1.0, 2.0, 3.0, 5.0))
        for _ in range(8):
            at = (
                self.side / 2 + self.source.gauss(0.0, 6.0) * self.radius,
                self.side / 2 + self.source.gauss(0.0, 6.0) * self.radius,
            )
            turn = self.source.choice((0.0, 1e-9, math.pi / 2, self.source.uniform(0.0, math.tau)))
            placed = [turned(ring, turn, at) for ring in group]
            if kind in SOFT or all(is_clear(ring, self.bodies) for ring in placed):
                rest = {"kind": kind, "height": height}
                self.terrain += [
                    {"name": f"piece {len(self.terrain) + n}", **rest, "polygon": ring}
                    for n, ring in enumerate(placed)
                ]
                return

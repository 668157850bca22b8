"""Extreme tables of regiments, for The Ninth Age and for Conquest."""

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
Charges = list[tuple[str, str]]
THEMES = (
    "gears",
    "combs",
    "rounds",
    "slits",
    "slivers",
    "dozens",
    "crowd",
    "many",
    "garrison",
    "plain",
)
SIDES = (1.0, 6.0, 30.0, 72.0, 72.0, 200.0, 1000.0, 10_000.0)
"""Inches of a side of the board."""
TURNS = (0.0, 0.0, 1e-9, -1e-9, 1e-5, 90.0, 45.0, 180.0 - 1e-9)
"""Degrees by which a unit is turned from where it would look."""
HEADINGS = (90.0, 0.0, 45.0, 90.0 + 1e-9, 37.0)
KINDS = {
    "t9a": ("impassable", "opaque", "open"),
    "conquest": ("impassable", "garrison", "forest", "hill", "open"),
}
SOLID = ("impassable", "garrison")
MOST_CHARGES = 20


class Table:
    """A table that is being set up, as one sees it who stands in the middle of the board and looks along `heading`."""

    def __init__(self, system: str, number: int) -> None:
        self.system = system
        self.source = random.Random(f"{system} {number}")  # noqa: S311 - scenes, not secrets
        self.theme = THEMES[number % len(THEMES)]
        self.side = self.source.choice(SIDES)
        self.stand = min(self.side / 40.0, self.source.choice((0.8, 1.0, 2.0)))
        self.heading = math.radians(
            self.source.choice((*HEADINGS, self.source.uniform(0.0, 360.0)))
        )
        self.units: Tables = {}
        self.bodies: dict[str, shapely.Polygon] = {}
        self.terrain: list[Piece] = []

    def tables(self) -> Tables:
        """Return the file: a charge, or several, with the theme around it."""
        charges = (
            self._garrison()
            if (self.system, self.theme) == ("conquest", "garrison")
            else self._lines()
        )
        self._bystanders(12 if self.theme == "crowd" else self.source.randint(0, 2))
        for group in pieces(self.source, self.theme, 6.0 * self.stand):
            self._lay(group)
        return {
            "system": self.system,
            "board": {"width": self.side, "depth": self.side},
            "units": self.units,
            "terrain": self.terrain,
            "charges": [{"charger": name, "targets": [target]} for name, target in charges],
        }

    def _point(self, right: float, ahead: float) -> tuple[float, float]:
        """Return the table point so many inches to the right and ahead."""
        cos = math.cos(self.heading)
        sin = math.sin(self.heading)
        return self.side / 2 + right * sin + ahead * cos, self.side / 2 - right * cos + ahead * sin

    def _lines(self) -> Charges:
        """Place one charger, or several side by side, each in front of its own target or all in front of one."""
        count = (
            self.source.choice((2, 3, 5, 10, 18))
            if self.theme == "many"
            else self.source.choice((1, 1, 1, 2))
        )
        files = self.source.randint(1, 5 if count < 4 else 2)
        apart = self.source.choice((*TINY, 0.001, 0.5)) + 1e-9
        width = files * self.stand
        away = self.stand * self.source.choice((0.1, 1.0, 2.0, 3.0, 5.0))
        is_common = self.source.random() < 0.5 and count <= 3
        charges = []
        for number in range(count):
            right = (number - (count - 1) / 2) * (width + apart)
            self._put(f"A{number}", "blue", (right, -away / 2), 0.0, files)
            if not is_common:
                self._put(
                    f"T{number}", "red", (right, away / 2), 180.0 + self.source.choice(TURNS), files
                )
            charges.append((f"A{number}", "T" if is_common else f"T{number}"))
        if is_common:
            aside = self.source.uniform(-1.0, 1.0) * width
            self._put(
                "T",
                "red",
                (aside, away / 2),
                180.0 + self.source.choice(TURNS),
                self.source.randint(1, 12),
            )
        return [(name, target) for name, target in charges if {name, target} <= self.units.keys()][
            :MOST_CHARGES
        ]

    def _garrison(self) -> Charges:
        """Place up to three chargers in front of one garrison, perhaps with very many vertices."""
        files = self.source.randint(1, 4)
        for number in range(self.source.choice((1, 1, 3))):
            self._put(
                f"A{number}", "blue", ((number - 1) * (files * self.stand + 0.01), 0.0), 0.0, files
            )
        corners = self.source.choice((12, 400, MOST_CORNERS))
        ring = (
            forms.rounded(corners, 4.0 * self.stand)
            if self.source.random() < 0.5
            else forms.gear(corners, 4.0 * self.stand, 0.1)
        )
        for away in (3.0, 4.5, 5.0, 6.0, 8.0):
            placed = turned(ring, self.heading, self._point(0.0, away * self.stand))
            if is_clear(placed, self.bodies.values()):
                self.terrain.append({"name": "house", "kind": "garrison", "polygon": placed})
                self.bodies["house"] = shapely.Polygon(placed)
                return [(name, "house") for name in self.units]
        return []

    def _bystanders(self, count: int) -> None:
        for number in range(count):
            place = (
                self.source.uniform(-8.0, 8.0) * self.stand,
                self.source.uniform(-8.0, 8.0) * self.stand,
            )
            self._put(
                f"U{number}",
                self.source.choice(("blue", "red")),
                place,
                self.source.choice((*TURNS, 20.0)),
                self.source.randint(1, 4),
            )

    def _put(
        self, name: str, side: str, place: tuple[float, float], turn: float, files: int
    ) -> None:
        """Place a regiment on the table if there is room; the part of it seen from the other half is at `place`."""
        facing = self.heading + math.radians(turn)
        models = files * self.source.randint(1, 3)
        block = forms.box(math.ceil(models / files) * self.stand, files * self.stand)
        right, ahead = place
        towards = turned(block, math.radians(turn), (0.0, 0.0))
        shift = -max(x for x, _ in towards) if ahead <= 0.0 else -min(x for x, _ in towards)
        x, y = self._point(right, ahead + shift)
        ring = turned(block, facing, (x, y))
        if not all(
            0.0 <= value <= self.side for corner in ring for value in corner
        ) or not is_clear(ring, self.bodies.values()):
            return
        half = math.ceil(models / files) * self.stand / 2
        self.bodies[name] = shapely.Polygon(ring)
        self.units[name] = {
            "side": side,
            "at": [x + math.cos(facing) * half, y + math.sin(facing) * half],
            "facing_deg": math.degrees(facing),
            "files": files,
            "models" if self.system == "t9a" else "stands": models,
            "base": f"{self.stand * MM:.9f}x{self.stand * MM:.9f}mm",
            "profile": {
                "charge_speed" if self.system == "t9a" else "march": self.source.choice(
                    (1, 5, 8, 30)
                )
            },
        }

    def _lay(self, group: list[Ring]) -> None:
        """Lay rings that belong together somewhere about the charge; solid ones where they are clear of everybody."""
        kinds = KINDS[self.system]
        kind = self.source.choice((kinds[0], kinds[0], *kinds))
        for _ in range(8):
            at = self._point(
                self.source.gauss(0.0, 5.0) * self.stand, self.source.gauss(0.0, 5.0) * self.stand
            )
            turn = self.heading + math.radians(
                self.source.choice((0.0, 1e-9, 90.0, self.source.uniform(0.0, 360.0)))
            )
            placed = [turned(ring, turn, at) for ring in group]
            if kind not in SOLID or all(is_clear(ring, self.bodies.values()) for ring in placed):
                self.terrain += [
                    {"name": f"piece {len(self.terrain) + n}", "kind": kind, "polygon": ring}
                    for n, ring in enumerate(placed)
                ]
                return

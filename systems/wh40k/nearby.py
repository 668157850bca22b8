"""What of a table can matter to a charge: its charger, its targets, and whoever stands near enough to be met or come close to."""

import math
from collections.abc import Hashable

import numpy as np

from systems.wh40k.roll import MOST, distance_of
from systems.wh40k.scene import profile_of, scene_of
from tabletop.geometry.pose import FloatArray
from tabletop.ruling.system import Case
from tabletop.table.squad import Model, Squad
from tabletop.table.state import State

DIGITS = 6
"""Decimals of inches and radians to which places are compared: tables that differ by less are one, as contact is known to no more."""
RANGE_SPARE = 0.1
"""Inches beyond all ranges, for clearances."""


def greatest_distance(unit: Squad) -> int:
    """Return the charge distance of the greatest throw, in inches."""
    return distance_of(MOST, profile_of(unit).charge_bonus)


def places(unit: Squad) -> tuple[tuple[float, ...], ...]:
    """Return number and place of every model, to the decimals that count; headings modulo a turn."""
    return tuple((model.number, *(round(value, DIGITS) + 0.0 for value in _place(model))) for model in unit.models)


Entry = tuple[str, tuple[tuple[float, ...], ...]]
"""A unit that can matter: its name and where its models stand."""


class Nearby:
    """What the charges of a case can feel of tables; of each unit in each place it is worked out once."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._kept: dict[tuple[int, int, int], tuple[Squad, Squad, Entry | None]] = {}

    def felt(self, number: int, table: State[Squad]) -> Hashable:
        """Return all of a table that the outcome of a charge, and where its models end, can depend on.

        No model ends or passes farther from where it stands than the greatest charge distance, so a unit that is farther off
        than that and the widest engagement range changes nothing. Targets always count, and the charger with its status.
        """
        charger = table.units.get(self._case.charges[number].charger)
        if charger is None:
            return None
        found = (self._entry(number, charger, unit) for unit in table.units.values())
        return charger.status, tuple(entry for entry in found if entry is not None)

    def _entry(self, number: int, charger: Squad, unit: Squad) -> Entry | None:
        """Return what a charge feels of a unit; units are known by identity, and kept so that none takes the place of another."""
        key = number, id(charger), id(unit)
        if key not in self._kept:
            charge = self._case.charges[number]
            is_felt = unit.name in (charge.charger, *charge.targets) or _least_distance(charger, unit) <= self._reach(charger)
            self._kept[key] = charger, unit, (unit.name, places(unit)) if is_felt else None
        return self._kept[key][2]

    def _reach(self, charger: Squad) -> float:
        """Return how far from the middles of its models a charger can feel anything, in inches."""
        book = scene_of(self._case.state, charger.name, (), choices=self._case.choices, book=self._case.book).book
        ranges = max(book.engagement_horizontal, book.barricade_engagement) + RANGE_SPARE
        return greatest_distance(charger) + ranges + _extent(charger)


def _place(model: Model) -> tuple[float, ...]:
    return (model.pose.x, model.pose.y, math.remainder(model.pose.heading, math.tau), model.z)


def _least_distance(charger: Squad, unit: Squad) -> float:
    """Return the least distance in inches between a unit's bases and the middles of the charger's, or less."""
    between: FloatArray = np.linalg.norm(charger.centres[:, None] - unit.centres[None], axis=2)
    return float(between.min(initial=math.inf)) - _extent(unit)


def _extent(unit: Squad) -> float:
    """Return how far the models of a unit reach from their positions at most, in inches."""
    return max((_reach(model) for model in unit.models), default=0.0)


def _reach(model: Model) -> float:
    west, south, east, north = model.footprint.bounds
    x, y = model.pose.at
    return math.hypot(max(x - west, east - x), max(y - south, north - y))

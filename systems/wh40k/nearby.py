"""What of a table can matter to a charge: its charger, its targets, and whoever stands near enough to be met or come close to."""

import math
from collections.abc import Hashable

import numpy as np

from systems.wh40k.rolling import MOST, distance_of
from systems.wh40k.scene import profile_of, scene_of
from tabletop.pose import FloatArray
from tabletop.ruling import Case, Charge
from tabletop.squads import Model, Squad
from tabletop.state import State

DIGITS = 6
"""Decimals of inches and radians to which places are compared: tables that differ by less are one, as contact is known to no more."""
SLACK = 0.1
"""Inches beyond all ranges, for clearances."""


def greatest_distance(unit: Squad) -> int:
    """Return the charge distance of the greatest throw, in inches."""
    return distance_of(MOST, profile_of(unit).charge_bonus)


def felt(case: Case, charge: Charge, table: State[Squad]) -> Hashable:
    """Return all of a table that the outcome of a charge, and where its models end, can depend on.

    No model ends or passes farther from where it stands than the greatest charge distance, so a unit that is farther off than
    that and the widest engagement range changes nothing. Targets always count, and the charger with its status.
    """
    charger = table.units.get(charge.charger)
    if charger is None:
        return None
    scene = scene_of(case.state, charge.charger, (), choices=case.choices, book=case.book)
    ranges = max(scene.book.engagement_horizontal, scene.book.barricade_engagement) + SLACK
    reach = greatest_distance(charger) + ranges + _extent(charger)
    named = {charge.charger, *charge.targets}
    near = (unit for unit in table.units.values() if unit.name in named or _least_distance(charger, unit) <= reach)
    return charger.status, tuple((unit.name, _places(unit)) for unit in near)


def _places(unit: Squad) -> tuple[tuple[float, ...], ...]:
    """Return number and place of every model, to the decimals that count; headings modulo a turn."""
    return tuple((model.number, *(round(value, DIGITS) + 0.0 for value in _place(model))) for model in unit.models)


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

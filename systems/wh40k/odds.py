"""Exact chances of charges: all throws of two dice, with rerolls and losses, on every table that the earlier charges
may leave.

A charge is settled for every distance that the dice may give (`RolledCharge`). Tables are distinguished only by what
can affect the later charges (`RelevantTable`): the charger, the targets, and units near enough to be met or approached.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from systems.wh40k.conditions import engagement_of
from systems.wh40k.explain import chance_metrics
from systems.wh40k.feasibility import RolledCharge
from systems.wh40k.roll import MOST, distance_of
from systems.wh40k.scene import profile_of, scene_of
from tabletop.ruling.charge import Metric
from tabletop.ruling.finding import weakest_proof
from tabletop.ruling.odds import ChargeOdds, Ending
from tabletop.ruling.phase import ChargeTurn, Ways
from tabletop.ruling.system import Case
from tabletop.table.models import Squad, crowd, gap_matrix
from tabletop.table.state import State

TABLE_DECIMALS = 6
"""Decimals of inches and radians to which places are compared, at the precision of contact."""

RANGE_SPARE = 0.1
"""Extra inches beyond all ranges, for clearances."""

Entry = tuple[str, tuple[tuple[float, ...], ...]]
"""A unit that can matter: its name and where its models stand."""


@dataclass(frozen=True, eq=False)
class Endings(Ways[State[Squad]]):
    """All endings of a charge on one table, with the charger as each ending leaves it.

    The charger is None where its ends are not needed or not known. `charge` is None if the charge may not be declared.
    """

    chargers: Sequence[Squad | None] = ()
    charge: RolledCharge | None = None


def joint_metrics(case: Case, turn: ChargeTurn[Endings], odds: ChargeOdds) -> dict[str, Metric]:
    """Return the metrics of a charge's odds over all tables on which it may be declared; empty if there are none.

    Distances needed are given only where they are the same on all tables.
    """
    allowed = [(ways.charge, ways.endings) for ways, _ in turn.on_tables if ways.charge is not None]
    if not allowed:
        return {}
    # told where they are the same on all tables: of several, where these are told apart
    needs = [charge.needs for charge, _ in allowed]
    most = (
        math.inf if turn.worlds == 1 else greatest_distance(case.state.units[turn.charge.charger])
    )
    alike = (
        (name, value)
        for name, value in needs[0].items()
        if all(other.get(name) == value for other in needs)
    )
    metrics: dict[str, Metric] = {
        **{name: value for name, value in alike if np.max(value) <= most},
        **chance_metrics(odds.chances),
        "proof": weakest_proof(*(charge.feasibility.proof for charge, _ in allowed)),
    }
    if case.detail:
        metrics["most_contacts"] = _most_contacts(allowed)
    return metrics


def _most_contacts(allowed: Sequence[tuple[RolledCharge, Sequence[Ending]]]) -> dict[str, int]:
    """Return, for every charge distance that completes the charge, the largest number of models in base contact on any
    table.
    """
    found: dict[str, int] = {}
    for charge, verdicts in allowed:
        for distance in (
            verdict.total
            for verdict in verdicts
            if verdict.outcome == "success" and verdict.total is not None
        ):
            found[str(distance)] = max(found.get(str(distance), 0), charge.most_contacts(distance))
    return dict(sorted(found.items(), key=lambda entry: int(entry[0])))


class RelevantTable:
    """The part of a table that can affect each charge of a case; cached per charger and unit."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._kept: dict[tuple[int, int, int], tuple[Squad, Squad, Entry | None]] = {}

    def key(self, number: int, table: State[Squad]) -> Hashable:
        """Return as a hashable key everything on a table that can affect the outcome and the ends of charge `number`.

        No model moves farther than the greatest charge distance, so a unit that is farther away than that plus the
        widest engagement range has no influence. Targets always count, and so does the charger's status. None if the
        charger is not on the table.
        """
        charger = table.units.get(self._case.charges[number].charger)
        if charger is None:
            return None
        found = (self._entry(number, charger, unit) for unit in table.units.values())
        return charger.status, tuple(entry for entry in found if entry is not None)

    def _entry(self, number: int, charger: Squad, unit: Squad) -> Entry | None:
        """Return a unit's name and places if the unit can affect charge `number`, else None."""
        key = number, id(charger), id(unit)
        if key not in self._kept:
            charge = self._case.charges[number]
            is_felt = unit.name in (charge.charger, *charge.targets) or self._is_near(charger, unit)
            self._kept[key] = charger, unit, (unit.name, places(unit)) if is_felt else None
        return self._kept[key][2]

    def _is_near(self, charger: Squad, unit: Squad) -> bool:
        """Return whether a unit is near enough to a charger to affect it: within its longest move, its bases and all
        ranges.
        """
        scene = scene_of(
            self._case.state, charger.name, (), choices=self._case.choices, book=self._case.book
        )
        ranges = max(engagement_of(scene).horizontal, scene.book.barricade_engagement) + RANGE_SPARE
        # between the discs about the bases
        apart = gap_matrix(crowd(charger.models), crowd(unit.models), beyond=-math.inf)
        return float(apart.min(initial=math.inf)) <= greatest_distance(charger) + ranges


def places(unit: Squad) -> tuple[tuple[float, ...], ...]:
    """Return the number, x, y, heading and height of each model, rounded, in inches and radians; headings from -pi to
    pi.
    """
    placed = (
        (model.number, (*model.pose.at, math.remainder(model.pose.heading, math.tau), model.z))
        for model in unit.models
    )
    return tuple(
        (number, *(round(value, TABLE_DECIMALS) + 0.0 for value in place))
        for number, place in placed
    )


def greatest_distance(unit: Squad) -> int:
    """Return the longest possible charge distance of a unit, in inches."""
    return distance_of(MOST, profile_of(unit).charge_bonus)

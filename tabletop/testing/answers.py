"""Answers to bundled scenarios, cached per process: read, resolved, judged, and with odds."""

from dataclasses import replace
from functools import cache
from typing import Any

from tabletop.api import Report, answer, odds
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario import read_case
from tabletop.table.models import Squad


def resolved(name: str) -> tuple[Case, Resolution]:
    """Return the case and the resolution of a bundled scenario, given its name, as the command line shows them."""
    return answered(name)[:2]


def judged(name: str) -> Judgement | None:
    """Return the judgement on the places that a bundled scenario claims; None if it claims none."""
    return answered(name).judgement


@cache
def answered(name: str) -> Report:
    """Return the report on a bundled scenario."""
    return answer(read_case(name))


@cache
def chances(name: str) -> Odds:
    """Return the odds of a bundled scenario, given its name."""
    return odds(resolved(name)[0])


def last_places(case: Case, resolution: Resolution) -> dict[str, Any]:
    """Return the resolved end places, by name, of all units that lost no models, as places that a proposal may claim.

    Formations of loose models that moved have the order in which they moved.
    """
    steps = [
        step for ruling in resolution.rulings for step in ruling.steps if step.model is not None
    ]
    orders = {
        name: tuple(step.model for step in steps if step.unit == name)
        for name in resolution.after.units
    }
    left = {
        name: unit
        for name, unit in resolution.after.units.items()
        if not _has_lost(case.state.units[name], unit)
    }
    return {
        name: replace(unit.place, order=orders[name]) if orders[name] else unit.place
        for name, unit in left.items()
    }


def _has_lost(before: Any, after: Any) -> bool:
    return isinstance(after, Squad) and len(after.models) < len(before.models)

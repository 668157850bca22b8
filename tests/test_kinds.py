"""What is measured, its limit and its margin are of one kind in every finding, on random tables and of places claimed there."""

import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.api import judge, resolve
from tabletop.errors import NoVerdictError
from tabletop.testing.answers import last_places
from tabletop.testing.motions import carried_place
from tabletop.testing.promises import assert_of_one_kind
from tests.test_after import FIRST_OF, MANY_OF, SCENES, SECONDS

ASIDE = (0.0, 0.4, 3.0)
"""Inches by which a charger is claimed to stand aside of where it ends."""


@pytest.mark.parametrize("system", SCENES)
def test_findings_on_random_tables_are_of_one_kind(system: str) -> None:
    """So it is of rulings on random tables, and of judgements on places that are right and wrong."""
    _hold(system, FIRST_OF[system])


@pytest.mark.oracle
@pytest.mark.parametrize("system", SCENES)
def test_findings_on_many_random_tables_are_of_one_kind(system: str) -> None:
    """So it is on many random tables."""
    _hold(system, MANY_OF[system])


def _hold(system: str, count: int) -> None:
    for number in range(count):
        case = SCENES[system](number)
        try:
            resolution = resolve(case, max_seconds=SECONDS)
            found = [finding for ruling in resolution.rulings for finding in ruling.findings]
            places = last_places(case, resolution) if "hex" not in case.system.vocabulary.placements else {}
            charger = case.charges[0].charger
            for off in ASIDE if charger in places else ():
                claimed = replace(case, proposal={charger: _beside(places[charger], off, float(number))}, measured=None)
                found += judge(claimed, resolution, max_seconds=SECONDS).findings
        except NoVerdictError:
            continue
        for finding in found:
            assert_of_one_kind(finding)


def _beside(place: Any, off: float, angle: float) -> Any:
    """Move a place by `off` inches in a direction."""
    x, y = off * math.cos(angle), off * math.sin(angle)
    return carried_place(place, lambda spot: (spot[0] + x, spot[1] + y), lambda heading: heading)

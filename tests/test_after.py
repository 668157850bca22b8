"""The table afterwards can always be read again, from TOML and from JSON, and is then the same; findings are of one
kind.

In every finding what is measured, its limit and its margin are of one kind, on random tables and of places claimed
there.
"""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from tabletop.api import judge, resolve
from tabletop.errors import NoVerdictError
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario import case_from_text, scenario_of, to_json, to_toml
from tabletop.scenario.limits import TERRAIN_PIECES
from tabletop.scenario.reading import case_from_tables, read_tables
from tabletop.scenario.writing import content
from tabletop.testing.answers import last_places, resolved
from tabletop.testing.motions import carried_place
from tabletop.testing.promises import assert_of_one_kind
from tabletop.units import facing_degrees
from tests.bundled import EACH
from tests.oracles.battletech.scenes import random_scene
from tests.oracles.conquest.scenes import random_case as conquest_case
from tests.oracles.scenes import random_case as t9a_case
from tests.oracles.wh40k.scenes import random_case as wh40k_case
from tests.systems.battletech import tables as hexed

FIRST_OF = {"battletech": 15, "conquest": 12, "t9a": 6, "wh40k": 1}
MANY_OF = {"battletech": 1000, "conquest": 400, "t9a": 300, "wh40k": 40}
SECONDS = 20.0
ASIDE = (0.0, 0.4, 3.0)
"""Inches by which a charger is claimed to stand aside of where it ends."""


def battletech_case(number: int) -> Case:
    """Return a random table of hexes."""
    return case_from_text(json.dumps(random_scene(number)))


SCENES: dict[str, Callable[[int], Case]] = {
    "battletech": battletech_case,
    "conquest": conquest_case,
    "t9a": t9a_case,
    "wh40k": wh40k_case,
}


def unread(case: Case, resolution: Resolution) -> Iterator[str]:
    """Say what of the table afterwards is not read again as it was written."""
    after = scenario_of(case, state=resolution.after)
    for write in (to_toml, to_json):
        again = content(scenario_of(case_from_text(write(after), file=write.__name__)))
        yield from (
            f"{key}: {value} became {again.get(key)}"
            for key, value in content(after).items()
            if again.get(key) != value
        )


@EACH
def test_the_table_after_a_bundled_scenario_reads_again(name: str) -> None:
    """Whatever became of it, the table that a resolution leaves is a scenario."""
    assert list(unread(*resolved(name))) == []


def full_of_pieces(count: int) -> Case:
    """Let A charge B, who stands in a building of two hexes, on a board with so many pieces of terrain."""
    houses = [hexed.terrain("building", "0506", "0606", cf=40)]
    woods = [
        hexed.terrain("light_woods", f"{column:02}{row:02}")
        for column in range(1, 16)
        for row in range(7, 22)
    ]
    units = {"A": hexed.charger("0505", "S", piloting=0), "B": hexed.unit("0506", "S", tons=20)}
    return hexed.table(units, hexed.charge(3), ground=[*houses, *woods][:count], rows=30)


def test_a_table_full_of_terrain_reads_again() -> None:
    """A charge parts a hex from one of 200 pieces; single hexes that may be charged do not count, so what it leaves is
    read.
    """
    case = full_of_pieces(TERRAIN_PIECES)
    resolution = resolve(case)
    assert len(resolution.after.hex_terrain) == TERRAIN_PIECES + 1
    assert list(unread(case, resolution)) == []


@pytest.mark.parametrize("system", SCENES)
def test_tables_after_random_scenes_read_again(system: str) -> None:
    """So it is of charges on random tables, and findings are of one kind there, also of places that are right and
    wrong.
    """
    _hold(system, FIRST_OF[system])


@pytest.mark.oracle
@pytest.mark.parametrize("system", SCENES)
def test_tables_after_many_random_scenes_read_again(system: str) -> None:
    """So it is of charges on many random tables."""
    _hold(system, MANY_OF[system])


def _hold(system: str, count: int) -> None:
    for number in range(count):
        case = SCENES[system](number)
        try:
            resolution = resolve(case, max_seconds=SECONDS)
        except NoVerdictError:
            continue
        assert (number, list(unread(case, resolution))) == (number, [])
        for finding in _findings(case, resolution, number):
            assert_of_one_kind(finding)


def _findings(case: Case, resolution: Resolution, number: int) -> Iterator[Finding]:
    """Go through the findings of rulings, and of judgements on places of the first charger."""
    yield from (finding for ruling in resolution.rulings for finding in ruling.findings)
    places = last_places(case, resolution) if "hex" not in case.system.vocabulary.placements else {}
    charger = case.charges[0].charger
    for off in ASIDE if charger in places else ():
        claimed = replace(
            case, proposal={charger: _beside(places[charger], off, float(number))}, measured=None
        )
        with suppress(NoVerdictError):
            yield from judge(claimed, resolution, max_seconds=SECONDS).findings


def _beside(place: Any, off: float, angle: float) -> Any:
    """Move a place by `off` inches in a direction."""
    x = off * math.cos(angle)
    y = off * math.sin(angle)
    return carried_place(place, lambda spot: (spot[0] + x, spot[1] + y), lambda heading: heading)


def test_a_damaged_hex_of_a_building_gets_a_name_that_is_free() -> None:
    """The hex that is parted from a building is not called as another piece or a unit is; the hexes may be listed
    twice.
    """
    tables = read_tables("battletech/a-wall-comes-down")
    (wall,) = tables["terrain"]
    taken = {"kind": "rough", "hexes": ["0101"], "name": "Wall 0503"}
    tables["terrain"] = [{**wall, "hexes": ["0503", "0502", "0503"]}, taken]
    tables["units"]["Wall 0503 2"] = {**tables["units"]["A"], "hex": "1010"}
    tables["charges"][0]["target_hex"] = "0503"
    case = case_from_tables({**tables, "expect": []})
    resolution = resolve(case)
    assert list(unread(case, resolution)) == []
    assert [piece.name for piece in resolution.after.hex_terrain] == [
        "Wall",
        "Wall 0503 3",
        "Wall 0503",
    ]


def test_a_facing_that_is_written_is_written_the_same_again() -> None:
    """Degrees that were rounded once do not change when they are read."""
    for number in range(1, 2000):
        heading = -number * 0.0031415
        assert facing_degrees(math.radians(facing_degrees(heading))) == facing_degrees(heading)


def test_a_charger_that_marched_in_vain_may_stand_in_a_friend() -> None:
    """It is remembered to have marched, by which the reader knows that it may overlap friends, and nobody else."""
    place = {
        "files": 3,
        "stands": 3,
        "base": "50.8x50.8mm",
        "facing_deg": 90,
        "profile": {"march": 5},
    }
    units = {
        "A": {**place, "side": "blue", "at": [20, 20]},
        "F": {**place, "side": "blue", "at": [20, 21]},
        "B": {**place, "side": "red", "at": [20, 40]},
    }
    tables = {"system": "conquest", "board": {"width": 72, "depth": 48}, "units": units}
    case = case_from_tables(
        {**tables, "charges": [{"charger": "A", "targets": ["B"], "marched": 3}]}
    )
    resolution = resolve(case)
    assert resolution.rulings[0].outcome == "not_allowed"
    assert resolution.after.units["A"].status == ("marched",)
    assert list(unread(case, resolution)) == []

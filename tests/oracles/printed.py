"""Answers as they are printed, to four decimals: of what the program itself did the judge must accept every copy by
hand.

`python -m tests.oracles.printed GAME [COUNT [FIRST]]` asks it of random tables, each as it lies and turned by odd
angles.
"""

import math
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from tabletop.api import judge, resolve
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution
from tabletop.scenario.cases import place_entry
from tabletop.scenario.placements import placement_format
from tabletop.scenario.reading import case_from_tables
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board
from tabletop.testing.answers import last_places
from tabletop.testing.motions import shifted, turned
from tests.oracles.battletech.scenes import random_scene as battletech_scene
from tests.oracles.conquest.scenes import random_case as conquest_case
from tests.oracles.groups import random_group
from tests.oracles.running import Held, run
from tests.oracles.scenes import random_case as t9a_case
from tests.oracles.wh40k.scenes import random_case as wh40k_case

DECIMALS = 4
TURNS = 3
MODELS = 3
"""Charging models of Warhammer 40,000 at most: larger units take long."""
WIDE = 300.0
"""Inches of a board whose edge plays no part."""

GAMES: Mapping[str, Callable[[int], Case]] = {
    "t9a": t9a_case,
    "t9a-combined": random_group,
    "conquest": conquest_case,
    "wh40k": lambda number: wh40k_case(number, most=MODELS),
    "battletech": lambda number: case_from_tables(battletech_scene(number)),
}
"""Random tables by their number."""


def refused(game: str, number: int) -> list[str]:
    """Return the printed answers of a random table that the judge refuses, in any rotation."""
    tables = enumerate(rotations(GAMES[game](number), number))
    return [
        f"rotation {turn}: {complaint}" for turn, case in tables for complaint in _refused(case)
    ]


def rotations(case: Case, number: int) -> Iterator[Case]:
    """Yield a table as it lies, and turned by odd angles in the middle of a wide board; hexes only as they lie."""
    yield case
    board = case.state.board
    middle = (WIDE / 2, WIDE / 2)
    if isinstance(board, HexBoard):
        return
    dice = random.Random(number)  # noqa: S311 - angles, not secrets
    moved = shifted(case.state, (WIDE - board.width) / 2, (WIDE - board.depth) / 2)
    for _ in range(TURNS):
        yield replace(
            case,
            state=replace(
                turned(moved, dice.uniform(0.0, math.tau), middle), board=Board(WIDE, WIDE)
            ),
        )


def _refused(case: Case) -> list[str]:
    try:
        resolution = resolve(case)
    except NoVerdictError:
        return []
    return list(complaints(case, resolution))


def complaints(case: Case, resolution: Resolution) -> Iterator[str]:
    """Have the places where a resolution leaves all units judged as printed: all together, and those of each charger
    alone.
    """
    places = {
        name: printed(place, case, name) for name, place in last_places(case, resolution).items()
    }
    chargers = dict.fromkeys(charge.charger for charge in case.charges)
    for claimed in (places, *({name: places[name]} for name in chargers if name in places)):
        yield from _complaints(replace(case, proposal=claimed, measured=None), resolution)


def _complaints(case: Case, resolution: Resolution) -> Iterator[str]:
    names = ", ".join(case.proposal or ())
    try:
        judged = judge(case, resolution)
    except NoVerdictError as error:
        if all(ruling.proof != "best_found" for ruling in resolution.rulings):
            yield f"{names}: {error}"
        return  # of places that are not proved to be best the judge may know no more
    if not judged.is_right:
        broken = next(finding for finding in judged.findings if not finding.ok)
        yield f"{names} refused by {judged.rule}: {broken.text}"


def printed(place: Any, case: Case, name: str) -> Any:
    """Return a unit's place as somebody has it who copies it from what is printed."""
    way = placement_format(case.system.vocabulary)
    entry = way.place.model_validate(_rounded(place_entry(place, case)))
    return way.read_place(entry, case.state.units[name], case.state.board)


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return tuple(map(_rounded, value))
    return round(value, DECIMALS) if isinstance(value, float) else value


def held(game: str, number: int) -> Held:
    """Hold the judge to accept one table's answers as printed."""
    found = refused(game, number)
    return Held("refused" if found else "accepted", found)


if __name__ == "__main__":
    game, *arguments = sys.argv[1:]
    sys.exit(run(arguments, partial(held, game), count=200))

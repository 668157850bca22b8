"""Numbers of pushes, of who stands in their way, and of where a charger goes that misses.

A in 0507 charges B in 0506.
"""

from dataclasses import replace
from functools import partial
from typing import Any

from tabletop.api import judge
from tabletop.ruling.system import Case
from tabletop.table.hexes import HexBoard, neighbour, number
from tabletop.table.state import Hex
from tests.systems.battletech.tables import Entry, charge, charger, table, terrain, unit
from tests.systems.battletech.thresholds.declaring import crowd
from tests.systems.battletech.thresholds.falling import FALL
from tests.systems.battletech.thresholds.hitting import FIRM, GROUP, TIGHT, asked, faces, hit
from tests.systems.battletech.thresholds.laying import (
    EDGED,
    by_metrics,
    count,
    shows,
    silent,
    stands,
)
from tests.thresholds import Reading, by_judgement, unmeasured

SOUTH = 3


def claimed(hexes: int, *, name: str) -> Case:
    """Claim that a unit ends so many hexes on, after a hit."""
    case = asked(5, hit(5))
    board = case.state.board
    unit_ = case.state.units[name]
    assert isinstance(board, HexBoard)
    column, row = board.hex_at(unit_.pose.at)
    return replace(
        case, proposal={name: replace(unit_.pose, y=board.centre((column, row - hexes))[1])}
    )


def pushed(levels: int, *, kind: str = "mech", depth: int = 0) -> Case:
    """Let B be pushed to a hex so much higher; it stands in water so deep."""
    dice = hit(5) if kind == "mech" else [*FIRM, *TIGHT, *GROUP, *TIGHT, *GROUP]
    pool = [terrain("water", "0506", depth=depth)] if depth else []
    return asked(
        5,
        dice,
        a={"type": kind},
        b={"type": kind},
        ground=[terrain("level", "0505", level=levels), *pool],
        movement="walk",
    )


def at_the_edge(target: Hex, facing: int) -> Case:
    """Let A push B that way, on the usual board."""
    words = ("N", "NE", "SE", "S", "SW", "NW")
    units = {
        "A": charger(number(neighbour(target, facing + SOUTH)), words[facing], tons=10),
        "B": unit(number(target), words[(facing + SOUTH) % 6], tons=10),
    }
    return table(units, charge(5, dice=hit(5)))


PUSHES = (
    count(
        "displace.push",
        "hexes that the target is pushed",
        1,
        partial(claimed, name="B"),
        "exactly",
        reads=unmeasured(by_judgement),
    ),
    count(
        "displace.advance",
        "hexes that the charger goes on",
        1,
        partial(claimed, name="A"),
        "exactly",
        reads=unmeasured(by_judgement),
    ),
    count("displace.blocked", "levels up for a 'Mech", 2, pushed, "at most", reads=silent),
    count(
        "displace.blocked",
        "levels up for a 'Mech out of water of depth 1",
        1,
        partial(pushed, depth=1),
        "at most",
        reads=silent,
    ),
    count(
        "displace.blocked",
        "levels up for a vehicle",
        1,
        partial(pushed, kind="vehicle"),
        "at most",
        reads=silent,
    ),
    count(
        "displace.blocked",
        "row from which the target can be pushed up the board",
        2,
        lambda row: at_the_edge((5, row), 0),
        "at least",
        reads=silent,
        orientations=EDGED,
    ),
    count(
        "displace.blocked",
        "row of 17 from which the target can be pushed down the board",
        16,
        lambda row: at_the_edge((6, row), SOUTH),
        "at most",
        reads=silent,
        orientations=EDGED,
    ),
    count(
        "displace.blocked",
        "column of 15 from which the target can be pushed off to the right",
        14,
        lambda column: at_the_edge((column, 8), 2),
        "at most",
        reads=silent,
        orientations=EDGED,
    ),
)


def in_the_way(
    dice: list[int], *, c: Entry, ground: list[Entry] | None = None, **keys: Any
) -> Case:
    """Let C stand where B is pushed to; faces of those in the way and of their falls."""
    return asked(5, hit(5, rest=[*dice, *FIRM, *FIRM]), others={"C": c}, ground=ground, **keys)


def domino(total: int, *, needed: int = 5, **c: Any) -> Case:
    """Let the roll of C show a total."""
    return in_the_way(
        [*faces(total), *(FALL if total < needed else [])], c=unit("0505", "NE", tons=10, **c)
    )


def stepping(mp: int, *ground: Entry) -> Case:
    """Let C have so many MP to step out of the push."""
    c = unit("0505", "NE", tons=10, unspent_mp=mp)
    return in_the_way(FIRM, c=c, ground=list(ground), domino={"C": "forward"})


def crowded(vehicles: int) -> Case:
    """Let so many vehicles stand where B is pushed to."""
    return asked(5, hit(5), others=crowd(vehicles, "0505", side="red"))


DOMINOES = (
    count("displace.domino", "roll: piloting 5", 5, domino, "at least", reads=stands("C")),
    count(
        "displace.domino",
        "roll: other modifiers count",
        7,
        partial(domino, needed=7, psr_modifier=2),
        "at least",
        reads=stands("C"),
    ),
    count("displace.domino", "MP for a step aside", 1, stepping, "at least", reads=shows(chain=[])),
    count(
        "displace.domino",
        "MP for a step aside into heavy woods",
        3,
        lambda mp: stepping(mp, terrain("heavy_woods", "0604")),
        "at least",
        reads=shows(chain=[]),
    ),
    count(
        "displace.domino",
        "MP for a step aside two levels up",
        3,
        lambda mp: stepping(mp, terrain("level", "0604", level=2)),
        "at least",
        reads=shows(chain=[]),
    ),
    count(
        "displace.domino",
        "levels up or down of a step aside",
        2,
        lambda levels: stepping(9, terrain("level", "0604", level=levels)),
        "at most",
        reads=shows(chain=[]),
    ),
    count(
        "displace.domino",
        "vehicles beside which a 'Mech is pushed",
        1,
        crowded,
        "at most",
        reads=shows(chain=[]),
    ),
)


def legal(case: Case, _: str) -> Reading:
    """Read whether the proposal is what the rules demand."""
    return Reading(judge(case).outcome == "success")


BOTH = by_metrics(lambda found: len(found["miss_options"]) == 2)
"""Reads whether the charger that missed could go to either side."""


def missed(levels: int, *, kind: str = "mech") -> Case:
    """Let the hex to the right of A's front be so much higher."""
    return asked(5, TIGHT, a={"type": kind}, ground=[terrain("level", "0606", level=levels)])


def missed_into(vehicles: int) -> Case:
    """Let so many vehicles stand to the right of A's front."""
    return asked(5, TIGHT, others=crowd(vehicles, "0606"))


def missed_aside(sides: int) -> Case:
    """Claim that A, which missed, is in the hex so many hexsides to the right of its front."""
    case = asked(5, TIGHT)
    board = case.state.board
    pose = case.state.units["A"].pose
    assert isinstance(board, HexBoard)
    x, y = board.centre(neighbour(board.hex_at(pose.at), sides))
    return replace(case, proposal={"A": replace(pose, x=x, y=y)})


MISSES = (
    count("miss.placement", "levels up for a 'Mech", 2, missed, "at most", reads=BOTH),
    count("miss.placement", "levels down for a 'Mech", -2, missed, "at least", reads=BOTH),
    count(
        "miss.placement",
        "levels up for a vehicle",
        1,
        partial(missed, kind="vehicle"),
        "at most",
        reads=BOTH,
    ),
    count(
        "miss.placement",
        "levels down for a vehicle",
        -1,
        partial(missed, kind="vehicle"),
        "at least",
        reads=BOTH,
    ),
    count(
        "miss.placement",
        "vehicles beside which a 'Mech may go",
        1,
        missed_into,
        "at most",
        reads=BOTH,
    ),
    count(
        "miss.placement",
        "hexsides to the right of its front where it goes",
        1,
        missed_aside,
        "exactly",
        reads=legal,
    ),
    count(
        "miss.placement",
        "hexsides to the left of its front where it goes",
        -1,
        missed_aside,
        "exactly",
        reads=legal,
    ),
)

ROWS = (*PUSHES, *DOMINOES, *MISSES)

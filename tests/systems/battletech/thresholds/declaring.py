"""Numbers of declaring: MP of the way to the target, levels, depths, room.

A goes north from 0508 to B in 0505 if not said otherwise.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from tabletop.ruling.system import Case
from tabletop.table.hexes import HEX_FACINGS
from tests.systems.battletech.tables import Entry, charge, charger, table, terrain, unit
from tests.systems.battletech.thresholds.laying import (
    count,
    declared,
    reaches,
    refused,
    told,
    verdict,
)
from tests.thresholds import Threshold

B = unit("0505", "S")
STRAIGHT = ["0507", "0506"]
TANK: Entry = {"type": "vehicle"}
WHEELED: Entry = {"type": "vehicle", "motion": "wheeled"}
HOVER: Entry = {"type": "vehicle", "motion": "hover"}
ONE: Entry = {"level_difference": "one"}
COUNTED: Entry = {"backward": "counted"}
AMPLE = 20


def way(
    mp: int,
    *ground: Entry,
    who: Entry | None = None,
    others: Entry | None = None,
    facing: str = "N",
    **more: Any,
) -> Case:
    """Let A, which has so many MP, go straight to B at a walk, over some terrain; other keys are the charge's own."""
    a = charger("0508", facing, walk=mp, **(who or {}))
    rules = more.pop("rules", None)
    keys = {"path": STRAIGHT, "movement": "walk", **more}
    return table({"A": a, "B": B, **(others or {})}, charge(**keys), ground=ground, rules=rules)


def cost(what: str, value: int, *ground: Entry, **more: Any) -> Threshold:
    """Make the row of the MP that the way to B needs."""
    return count(
        "declare.enough-mp",
        f"walking MP: {what}",
        value,
        lambda mp: way(mp, *ground, **more),
        "at least",
        reads=declared,
    )


MP = (
    cost("3 clear hexes, 1 each", 3),
    cost("pavement costs no more", 3, terrain("pavement", "0506")),
    cost("light smoke costs no more", 3, terrain("light_smoke", "0506")),
    cost("heavy smoke costs no more", 3, terrain("heavy_smoke", "0506")),
    cost("light woods, 1 more", 4, terrain("light_woods", "0506")),
    cost("heavy woods, 2 more", 5, terrain("heavy_woods", "0506")),
    cost("light woods on tracks, 1 more", 4, terrain("light_woods", "0506"), who=TANK),
    cost("rough, 1 more", 4, terrain("rough", "0506")),
    cost("rubble, 1 more", 4, terrain("rubble", "0506")),
    cost("rubble for hover, 1 more", 4, terrain("rubble", "0506"), who=HOVER),
    cost("water of depth 0 costs no more", 3, terrain("water", "0506", depth=0)),
    cost(
        "water of depth 0 on wheels costs no more",
        3,
        terrain("water", "0506", depth=0),
        who=WHEELED,
    ),
    cost("water of depth 1, 1 more and a level down and up", 6, terrain("water", "0506", depth=1)),
    cost(
        "water of depth 2, 3 more and two levels down and up", 10, terrain("water", "0506", depth=2)
    ),
    cost("water of depth 5 costs hover no more", 3, terrain("water", "0506", depth=5), who=HOVER),
    cost("light building, 1 more", 4, terrain("building", "0506", cf=15)),
    cost("medium building, 2 more", 5, terrain("building", "0506", cf=16)),
    cost("heavy building, 3 more", 6, terrain("building", "0506", cf=41)),
    cost("hardened building, 4 more", 7, terrain("building", "0506", cf=91)),
    cost(
        "hardened building on wheels, 4 more", 7, terrain("building", "0506", cf=150), who=WHEELED
    ),
    cost("a level up and down, 1 more each", 5, terrain("level", "0506", level=1)),
    cost("two levels down and up, 2 more each", 7, terrain("level", "0506", level=-2)),
    cost(
        "a level up and down in a vehicle, 2 more each",
        7,
        terrain("level", "0506", level=1),
        who=TANK,
    ),
    cost("two levels up into the target's hex, 2 more", 5, terrain("level", "0505", level=2)),
    cost(
        "woods on a hill, 1 more and a level up and down",
        6,
        terrain("light_woods", "0506"),
        terrain("level", "0506", level=1),
    ),
    cost("a hexside to turn, 1 more", 4, facing="NE"),
    cost("two hexsides to turn, 2 more", 5, facing="SE"),
    cost("three hexsides to turn, 3 more", 6, facing="S"),
    cost("four hexsides to turn are two the other way round", 5, facing="SW"),
    cost("a way round of 4 hexes with 3 hexsides to turn on it", 7, path=["0607", "0606", "0605"]),
    cost("rising first, 2 more", 5, who={"status": ["prone"]}),
)


def apart(mp: int, *, walk: int, movement: str = "run", **profile: Any) -> Case:
    """Let A go straight at a target so many clear hexes away."""
    rows = range(15, 15 - mp, -1)
    units = {
        "A": charger(f"05{rows[0]:02d}", walk=walk, **profile),
        "B": unit(f"05{15 - mp:02d}", "S"),
    }
    return table(units, charge(path=[f"05{row:02d}" for row in rows[1:]], movement=movement))


def in_place(**keys: Any) -> Case:
    """Let A stand before B, which is in light woods, after some hexes."""
    return table(
        {"A": charger("0506"), "B": B}, charge(3, **keys), ground=[terrain("light_woods", "0505")]
    )


def until(what: str, most: int, table_of: Callable[[int], Case]) -> Threshold:
    """Make the row of the MP that A has, for targets farther and farther away."""
    return count("declare.enough-mp", what, most, table_of, "at most", reads=declared)


def _housed(mp: int, cf: int) -> Case:
    """Let A, which has so many MP, go through a building hex."""
    return way(mp, terrain("building", "0506", cf=cf))


LIMITS_OF_MP = (
    until(
        "MP at a run with 1 at a walk, half as many again, rounded up", 2, partial(apart, walk=1)
    ),
    until("MP at a run with 2 at a walk", 3, partial(apart, walk=2)),
    until("MP in all with 3 at a walk", 5, partial(apart, walk=3, movement="auto")),
    until("MP at a run with 4 at a walk", 6, partial(apart, walk=4)),
    until("MP at a run, as given", 4, partial(apart, walk=2, run=4)),
    until("MP of who declares a walk", 2, partial(apart, walk=2, movement="walk")),
    count(
        "declare.enough-mp",
        "MP left, for woods in the target's hex",
        2,
        lambda mp: in_place(mp_left=mp),
        "at least",
        reads=declared,
    ),
    count(
        "mp.target-hex",
        "walking MP: heavy woods in the target's hex, 2 more, though A does not enter it",
        5,
        lambda mp: way(mp, terrain("heavy_woods", "0505")),
        "at least",
        reads=told,
    ),
    *(
        count(
            "declare.enough-mp",
            f"CF of a building that costs {more} more",
            most,
            partial(_housed, 3 + more),
            "at most",
            reads=verdict,
        )
        for more, most in ((1, 15), (2, 40), (3, 90))
    ),
    count(
        "path.best",
        "MP at a run from which two hexes can be entered instead of the one between",
        6,
        lambda mp: table({"A": charger("0507", walk=4, run=mp), "B": B}, charge()),
        "at least",
        reads=reaches("hexes_entered", 2),
    ),
    count(
        "declare.enough-mp",
        "walking MP: the cheapest of all ways, through the woods or round them",
        7,
        lambda mp: way(mp, terrain("heavy_woods", "0507", "0506"), path=None),
        "at least",
        reads=verdict,
    ),
    count("declare.charger-able", "walking MP", 1, way, "at least", reads=verdict),
)


def level(
    rule: str, what: str, most: int, place: str, *, sign: int = 1, kind: str = "level", **more: Any
) -> Threshold:
    """Make the row of the levels between two hexes on the way, one of them raised, lowered or under water."""
    key = "depth" if kind == "water" else "level"
    reads = declared if rule == "declare.level-difference" else verdict
    return count(
        rule,
        what,
        most,
        lambda levels: way(AMPLE, terrain(kind, place, **{key: sign * levels}), **more),
        "at most",
        reads=reads,
    )


def beside(levels: int, **more: Any) -> Case:
    """Let A stand before B, which is higher, after some hexes."""
    who = charger("0506", **more)
    return table({"A": who, "B": B}, charge(2), ground=[terrain("level", "0505", level=levels)])


LEVELS = (
    level("declare.level-difference", "levels up for a 'Mech", 2, "0505"),
    level("declare.level-difference", "levels down for a 'Mech", 2, "0505", sign=-1),
    level("declare.level-difference", "levels up for a vehicle", 1, "0505", who=TANK),
    level("declare.level-difference", "levels down for a vehicle", 1, "0505", sign=-1, who=TANK),
    level("declare.level-difference", "levels up by choice", 1, "0505", rules=ONE),
    level("declare.level-difference", "levels down by choice", 1, "0505", sign=-1, rules=ONE),
    level(
        "declare.level-difference",
        "depth of water that a 'Mech goes down into",
        2,
        "0505",
        kind="water",
    ),
    level(
        "declare.level-difference",
        "levels up for a 'Mech that looks for its way",
        2,
        "0505",
        path=None,
    ),
    level(
        "declare.level-difference",
        "levels down for a vehicle that looks for its way",
        1,
        "0505",
        sign=-1,
        path=None,
        who=TANK,
    ),
    level(
        "declare.level-difference",
        "levels up for a 'Mech that looks for its way, by choice",
        1,
        "0505",
        path=None,
        rules=ONE,
    ),
    count(
        "declare.level-difference",
        "levels up for a 'Mech in place",
        2,
        beside,
        "at most",
        reads=declared,
    ),
    count(
        "declare.level-difference",
        "levels up for a vehicle in place",
        1,
        partial(beside, **TANK),
        "at most",
        reads=declared,
    ),
    level("path.enterable", "levels up for a 'Mech", 2, "0507"),
    level("path.enterable", "levels down for a 'Mech", 2, "0507", sign=-1),
    level("path.enterable", "levels up for a vehicle", 1, "0507", who=TANK),
    level("path.enterable", "levels down for a vehicle", 1, "0507", sign=-1, who=TANK),
    level("path.enterable", "depth of water that a 'Mech walks into", 2, "0507", kind="water"),
    count(
        "path.forward-only",
        "levels up or down of a step backwards",
        0,
        lambda levels: way(
            AMPLE,
            terrain("level", "0509", level=levels),
            path=["back:0509", "0508", *STRAIGHT],
            rules=COUNTED,
        ),
        "exactly",
        reads=verdict,
    ),
)


def begins(rule: str, what: str, value: int, table_of: Callable[[int], Case]) -> Threshold:
    """Make the row of a number from which a rule refuses."""
    return count(rule, what, value, table_of, "at least", reads=refused)


def crowd(
    number: int, place: str, *, side: str = "blue", first: str = "vehicle", kind: str = "vehicle"
) -> Entry:
    """Return so many units in a hex, the first of them perhaps of another type."""
    return {
        f"C{index}": unit(place, side=side, type=kind if index else first)
        for index in range(number)
    }


def room(what: str, most: int, **more: Any) -> Threshold:
    """Make the row of the vehicles beside which A may stop."""
    return count(
        "path.end-hex",
        what,
        most,
        lambda number: way(AMPLE, others=crowd(number, "0506"), **more),
        "at most",
        reads=verdict,
    )


HOUSE = terrain("building", "0505", cf=30)


def house(number: int) -> Case:
    """Let A charge a building hex with so many units in it, which is refused by choice."""
    who = charger("0508", walk=AMPLE)
    asked = charge(whom=HOUSE["name"], path=STRAIGHT)
    return table(
        {"A": who, **crowd(number, "0505", side="red")},
        asked,
        ground=[HOUSE],
        rules={"building_with_units": "refused"},
    )


COUNTS = (
    begins(
        "path.enterable",
        "depth of water that is not run into",
        1,
        lambda depth: way(AMPLE, _pond("0507", depth), movement="run"),
    ),
    begins(
        "declare.prohibited-terrain",
        "depth of water, on tracks",
        1,
        lambda depth: way(AMPLE, _pond("0505", depth), who=TANK),
    ),
    begins(
        "declare.prohibited-terrain",
        "depth of water, on wheels",
        1,
        lambda depth: way(AMPLE, _pond("0505", depth), who=WHEELED),
    ),
    begins(
        "path.enterable",
        "enemies in a hex on the way",
        1,
        lambda number: way(AMPLE, others=crowd(number, "0507", side="red")),
    ),
    begins("declare.building", "units in the building hex that is charged", 1, house),
    begins(
        "path.end-hex",
        "'Mechs in a 'Mech's last hex",
        1,
        lambda number: way(AMPLE, others=crowd(number, "0506", first="mech")),
    ),
    room("vehicles in a 'Mech's last hex", 1),
    room("vehicles in a vehicle's last hex", 1, who=TANK),
    count(
        "path.connected",
        "hexes from one hex of the path to the next",
        1,
        lambda hexes: way(AMPLE, path=[f"05{8 - hexes:02d}"]),
        "exactly",
        reads=verdict,
    ),
    count(
        "declare.front-hex",
        "hexsides from the charger's facing to the target",
        0,
        lambda sides: table({"A": charger("0506", HEX_FACINGS[sides]), "B": B}, charge(2)),
        "exactly",
        reads=verdict,
    ),
    count(
        "declare.front-hex",
        "hexsides from the facing declared for the end to the target",
        0,
        lambda sides: way(AMPLE, end_facing=HEX_FACINGS[sides]),
        "exactly",
        reads=verdict,
    ),
    count(
        "path.forward-only",
        "MP at a walk for a path of 5 MP that begins with a step backwards",
        5,
        lambda mp: way(mp, path=["back:0509", "0508", *STRAIGHT], movement="auto", rules=COUNTED),
        "at least",
        reads=verdict,
    ),
)


def _pond(place: str, depth: int) -> Entry:
    return terrain("water", place, depth=depth)


ROWS = (*MP, *LIMITS_OF_MP, *LEVELS, *COUNTS)

"""Numbers of buildings: what they take of each group, the rolls of who enters them, what is left of them."""

from functools import partial
from typing import Any

from tabletop.ruling.system import Case
from tests.systems.battletech.tables import Entry, charge, charger, table, terrain, unit
from tests.systems.battletech.thresholds.hitting import (
    DOZER,
    FIRM,
    GROUP,
    TIGHT,
    asked,
    faces,
    groups,
)
from tests.systems.battletech.thresholds.laying import count, has, hurts, reaches, rolled, shows
from tests.thresholds import Threshold

FAST: Entry = {"building_speed_row": "on"}
EVERY: Entry = {"building_plus_three": "all"}


def house(cf: int, place: str = "0506") -> Entry:
    """Return a building hex."""
    return terrain("building", place, cf=cf)


def points_of(cf: int) -> int:
    """Return a point for every 10 CF, rounded up."""
    return -(-cf // 10)


def housed(
    cf: int, *, hexes: int = 5, rolls: list[int] | None = None, rules: Entry | None = None, **a: Any
) -> Case:
    """Let A hit B in a building after so many hexes, and enter it if it is still there; `rolls` are the faces of
    entering.
    """
    whole = [5] * (hexes // 5) + [hexes % 5] * (hexes % 5 > 0)
    left = [group - points_of(cf) for group in whole if group > points_of(cf)]
    entered = (FIRM if rolls is None else rolls) if cf > hexes - sum(left) else []
    dice = [*FIRM, *GROUP, *GROUP * len(left), *entered, *FIRM, *FIRM]
    return asked(hexes, dice, a=a, ground=[house(cf)], rules=rules)


def roll(total: int, needed: int, cf: int) -> list[int]:
    """Return the faces of an entry roll, and of the damage if it fails."""
    return [*faces(total), *(groups(points_of(cf)) if total < needed else [])]


def entering(what: str, needed: int, cf: int, **more: Any) -> Threshold:
    """Make the row of the number of an entry roll into the target's hex."""

    def question(total: int) -> Case:
        return housed(cf, rolls=roll(total, needed, cf), **more)

    return count(
        "building.entry-roll",
        f"entry roll: {what}",
        needed,
        question,
        "at least",
        reads=shows(entry_failed=False),
    )


def passing(
    what: str, needed: int, cf: int, *, before: int = 0, rules: Entry | None = None
) -> Threshold:
    """Make the row of the number of an entry roll on the way, after so many other hexes."""
    units = {"A": charger(f"05{8 + before:02d}", tons=10, walk=20), "B": unit("0506", "S", tons=10)}
    path = [f"05{row:02d}" for row in range(7 + before, 6, -1)]

    def question(total: int) -> Case:
        asked_way = charge(path=path, dice=[*roll(total, needed, cf), *TIGHT])
        return table(units, asked_way, ground=[house(cf, "0507")], rules=rules)

    return count(
        "building.path-rolls",
        f"entry roll on the way: {what}",
        needed,
        question,
        "at least",
        reads=rolled,
    )


def fast(entered: int) -> Case:
    """Let A enter the building as the last of so many hexes, where that counts."""
    return housed(15, hexes=entered - 1, rules=FAST)


def heavy(tons: int) -> Case:
    """Let A weigh so much, and enter a building that it did not hurt."""
    dice = [*FIRM, *GROUP, *FIRM, *FIRM, *FIRM]
    return asked(0, dice, a={"tons": tons}, ground=[house(15)])


def failing(cf: int) -> Case:
    """Let A fail its entry roll into a building that it did not hurt."""
    return housed(cf, hexes=0, rolls=[*TIGHT, *groups(points_of(cf))])


def charged(cf: int, *, points: int = 5, a: Entry | None = None) -> Case:
    """Let A charge the building itself after 5 hexes, and enter what is left of it."""
    entered = FIRM if cf > points else []
    dice = [*GROUP, *entered, *FIRM] if a is None else [*TIGHT, *entered]
    who = charger("0507", **{"tons": 10, **(a or {})})
    return table({"A": who}, charge(5, whom=house(cf)["name"], dice=dice), ground=[house(cf)])


ROWS = (
    count(
        "building.absorbs",
        "CF that takes 1 of 5 points",
        10,
        housed,
        "at most",
        reads=reaches("damage_through", 4),
    ),
    count(
        "building.absorbs",
        "CF that takes 2 of 5 points",
        20,
        housed,
        "at most",
        reads=reaches("damage_through", 3),
    ),
    count(
        "building.absorbs",
        "CF that takes 4 of 5 points",
        40,
        housed,
        "at most",
        reads=reaches("damage_through", 1),
    ),
    count(
        "building.absorbs",
        "CF that takes 1 of each 5",
        10,
        partial(housed, hexes=10),
        "at most",
        reads=reaches("damage_through", 8),
    ),
    entering("piloting 5, 3 for a charge, light building", 8, 15),
    entering("medium building, 1 more", 9, 16),
    entering("medium building at its strongest, 1 more", 9, 40),
    entering("heavy building, 2 more", 10, 41),
    entering("heavy building at its strongest, 2 more", 10, 90),
    entering("hardened building for piloting 3, 5 more", 11, 91, piloting=3),
    entering("other modifiers of piloting rolls count", 9, 15, psr_modifier=1),
    *(
        count(
            "building.entry-roll",
            f"hexes entered, this one included, for {more} more by choice",
            least,
            fast,
            "at least",
            reads=reaches("entry_psr", 8 + more),
        )
        for more, least in ((1, 3), (2, 5), (3, 7), (4, 10))
    ),
    count(
        "building.entry-roll",
        "CF for 1 point to who fails",
        10,
        failing,
        "at most",
        reads=hurts(-1, 1),
    ),
    count(
        "building.entry-roll",
        "CF of which 1 is taken, left to be entered",
        2,
        partial(housed, hexes=1),
        "at least",
        reads=has("entry_psr"),
    ),
    count(
        "building.entry-roll",
        "tons that cost 1 CF on entering",
        10,
        heavy,
        "at most",
        reads=shows(building_cf=14),
    ),
    passing("piloting 5, light building", 5, 15),
    passing("medium building, 1 more", 6, 16),
    passing("heavy building, 2 more", 7, 41),
    passing("hardened building, 5 more", 10, 91),
    passing("3 more by choice", 8, 15, rules=EVERY),
    passing("second hex of the way, nothing more by choice", 5, 15, before=1, rules=FAST),
    passing("third hex of the way, 1 more by choice", 6, 15, before=2, rules=FAST),
    count(
        "unusual.building",
        "CF left to be entered after 5 points",
        6,
        charged,
        "at least",
        reads=has("entry_psr"),
    ),
    count(
        "unusual.building",
        "CF left to be entered after 5 points doubled by a bulldozer",
        11,
        partial(charged, points=10, a=DOZER),
        "at least",
        reads=has("entry_psr"),
    ),
)

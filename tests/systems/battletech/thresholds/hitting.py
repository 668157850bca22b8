"""Numbers of a hit: the number to hit, points, groups, sides, buildings, motive damage.

A in 0507 charges B in 0506, both of 10 tons.
"""

from functools import partial
from typing import Any

from tabletop.ruling.system import Case
from tabletop.table.hexes import HEX_FACINGS
from tests.systems.battletech.tables import Entry, charge, charger, table, terrain, unit
from tests.systems.battletech.thresholds.laying import (
    by_metrics,
    by_roll,
    count,
    lacks,
    reaches,
    shows,
    upto,
)
from tests.thresholds import Sense, Threshold

MOST = 12
"""What two dice show at most."""
GROUP = [3, 4]
"""A group that lands where nothing comes of it."""
FIRM = [6, 6]
TIGHT = [1, 1]
"""Rolls that are passed, or that do no motive damage."""
TANK: Entry = {"type": "vehicle"}
DOZER: Entry = {**TANK, "equipment": ["bulldozer"]}


def faces(total: int) -> list[int]:
    """Return two faces that show a total."""
    return [1, total - 1] if total < 7 else [6, total - 6]


def groups(points: int) -> list[int]:
    """Return faces that locate points of damage."""
    return GROUP * -(-points // 5)


def asked(
    hexes: int, dice: list[int], *, a: Entry | None = None, b: Entry | None = None, **more: Any
) -> Case:
    """Let A charge B after so many hexes; `a` and `b` change their statistics, `others` are more units, other keys are
    the charge's own.
    """
    first = charger("0507", **{"tons": 10, **(a or {})})
    second = unit("0506", **{"facing": "S", "tons": 10, **(b or {})})
    ground, rules, others = (more.pop(key, None) for key in ("ground", "rules", "others"))
    return table(
        {"A": first, "B": second, **(others or {})},
        charge(hexes, dice=dice, **more),
        ground=ground or (),
        rules=rules,
    )


def hit(points: int, *, own: int = 1, rest: list[int] | None = None) -> list[int]:
    """Return all faces of a hit: on the charger, on the target, and what comes after, by default two 'Mechs that keep
    their feet.
    """
    return [*FIRM, *groups(own), *groups(points), *([*FIRM, *FIRM] if rest is None else rest)]


def number(
    what: str, needed: int, *, hexes: int = 5, rest: list[int] | None = None, **more: Any
) -> Threshold:
    """Make the row of a number to hit, by what the dice show; `rest` are the faces after a hit."""
    then = hit(hexes)[2:] if rest is None else rest

    def question(total: int) -> Case:
        return asked(hexes, [*faces(total), *(then if total >= needed else [])], **more)

    return count("tohit.roll", f"roll to hit: {what}", needed, question, "at least", reads=by_roll)


OVER = [*TIGHT, *GROUP, *GROUP]
"""A vehicle hits who lies: its motive roll, its group, the target's."""
NUMBERS = (
    number("piloting 5, as good as the target's, 2 for a run", 7),
    number("1 for a walk", 6, movement="walk"),
    number("piloting 4 against 4", 6, a={"piloting": 4}, b={"piloting": 4}),
    number("piloting 4 against 5, 1 less", 5, a={"piloting": 4}),
    number("piloting 5 against 4, 1 more", 8, b={"piloting": 4}),
    number("other modifiers of piloting rolls do not count", 7, a={"psr_modifier": 2}),
    number("2 hexes moved by the target, nothing more", 7, b={"hexes_moved": 2}),
    number("3 hexes moved by the target, 1 more", 8, b={"hexes_moved": 3}),
    number("10 hexes moved by the target, 4 more", 11, b={"hexes_moved": 10}),
    number("target that jumped, 1 more", 8, b={"status": ["jumped"]}),
    number("target that skidded, 2 more", 9, b={"status": ["skidded"]}),
    number("target in light woods, 1 more", 8, ground=[terrain("light_woods", "0506")]),
    number("target in heavy woods, 2 more", 9, ground=[terrain("heavy_woods", "0506")]),
    number("target in light smoke, 1 more", 8, ground=[terrain("light_smoke", "0506")]),
    number("target in heavy smoke, 2 more", 9, ground=[terrain("heavy_smoke", "0506")]),
    number(
        "smoke is added to woods",
        11,
        ground=[terrain("heavy_smoke", "0506"), terrain("heavy_woods", "0506")],
    ),
    number("woods round the charger do not count", 7, ground=[terrain("heavy_woods", "0507")]),
    number("target that lies, 2 less", 5, a=TANK, b={"status": ["prone"]}, rest=OVER),
    number("target that cannot move, 4 less", 3, b={"status": ["immobile"]}),
    number("charger that spots for others, 1 more", 8, a={"status": ["spotting"]}),
    number("modifiers as declared", 8, modifiers={"Dusk": 2, "Cheers": -1}),
)


def without_dice(needed: int) -> Case:
    """Let a modifier make the number to hit just so great."""
    dice = hit(5)[2:] if needed <= 2 else hit(5) if needed <= MOST else []
    return asked(5, dice, modifiers={"Fate": needed - 7})


def of_target(added: int, least: int) -> Threshold:
    """Make the row of the hexes that the target moved, from which on so much is added."""
    return count(
        "tohit.number",
        f"hexes moved by the target, for {added} more",
        least,
        lambda hexes: asked(5, TIGHT, a={"piloting": 4}, b={"piloting": 4, "hexes_moved": hexes}),
        "at least",
        reads=reaches("to_hit_target_movement", added),
    )


ODDITIES = (
    *(of_target(added, least) for added, least in enumerate((3, 5, 7, 10, 18, 25), 1)),
    count(
        "tohit.roll", "number that needs no roll", 2, without_dice, "at most", reads=lacks("roll")
    ),
    count(
        "tohit.roll",
        "number that no roll reaches",
        13,
        without_dice,
        "at least",
        reads=lacks("roll"),
    ),
)


def weighing(tons: int, *, hexes: int = 1, rules: Entry | None = None) -> Case:
    """Let A weigh so much; B is heavy enough to be of no matter."""
    per_ten = -(-tons // 10) * hexes
    points = per_ten if rules else -(-tons * hexes // 10)
    return asked(hexes, hit(points), a={"tons": tons}, rules=rules)


def against(tons: int, **a: Any) -> Case:
    """Let B weigh so much, and A enter no hex."""
    own = -(-tons // 10)
    if a:
        return asked(0, [*FIRM, *TIGHT, *groups(own // 2), *FIRM], a=a, b={"tons": tons})
    return asked(0, hit(0, own=own), b={"tons": tons})


def under_water(depth: int) -> Case:
    """Let all stand in water so deep; 40 tons after 4 hexes are 16 points."""
    rules = {"submerged_charger": "halved"}
    pool = terrain("water", "0507", "0506", "0505", depth=depth)
    halves = 2 if depth >= 2 else 1
    dice = hit(16 // halves, own=-(-4 // halves))
    return asked(
        4, dice, a={"tons": 40}, b={"tons": 40}, rules=rules, ground=[pool], movement="walk"
    )


def on_a_way(entered: int) -> Case:
    """Let A of 100 tons come to B along a path of so many hexes."""
    units = {
        "A": charger(f"05{7 + entered:02d}", tons=100, walk=9),
        "B": unit("0506", "S", tons=10),
    }
    dice = [
        *FIRM,
        *GROUP,
        *groups(10 * entered),
        *FIRM,
        *(FIRM * 2 if 10 * entered >= 20 else FIRM),
    ]
    return table(
        units,
        charge(
            path=[f"05{row:02d}" for row in range(6 + entered, 6, -1)], movement="run", dice=dice
        ),
    )


def dropship(tons: int) -> Case:
    """Let A weigh so much and charge a DropShip, which it cannot push."""
    own = -(-tons // 10)
    return asked(
        0, [*FIRM, *groups(own), *FIRM], a={"tons": tons}, b={"type": "dropship", "tons": 3500}
    )


def fitting(points: int) -> Case:
    """Let A do so many points: a hex each."""
    return asked(points, hit(points))


POINTS = (
    count(
        "damage.target",
        "charger's tons for 1 point and hex",
        10,
        weighing,
        "at most",
        reads=shows(damage_target=1),
    ),
    count(
        "damage.target",
        "charger's tons for 6 points in 3 hexes",
        20,
        partial(weighing, hexes=3),
        "at most",
        reads=upto("damage_target", 6),
    ),
    count(
        "damage.target",
        "charger's tons for 7 points in 3 hexes",
        23,
        partial(weighing, hexes=3),
        "at most",
        reads=upto("damage_target", 7),
    ),
    count(
        "damage.target",
        "charger's tons for 6 points in 3 hexes, by choice per ten",
        20,
        partial(weighing, hexes=3, rules={"damage_rounding": "per_ten"}),
        "at most",
        reads=upto("damage_target", 6),
    ),
    count(
        "damage.target",
        "hexes of a path for any damage, the target's not counted",
        1,
        on_a_way,
        "at least",
        reads=reaches("damage_target", 10),
    ),
    count(
        "damage.target",
        "hexes of a path for 20 points",
        2,
        on_a_way,
        "at least",
        reads=reaches("damage_target", 20),
    ),
    count(
        "damage.target",
        "depth of water that halves damage by choice",
        2,
        under_water,
        "at least",
        reads=upto("damage_target", 8),
    ),
    count(
        "damage.charger",
        "depth of water that halves damage by choice",
        2,
        under_water,
        "at least",
        reads=upto("damage_charger", 2),
    ),
    count(
        "damage.charger",
        "target's tons for 1 point",
        10,
        against,
        "at most",
        reads=upto("damage_charger", 1),
    ),
    count(
        "damage.charger",
        "target's tons for 5 points",
        50,
        against,
        "at most",
        reads=upto("damage_charger", 5),
    ),
    count(
        "damage.charger",
        "target's tons for 3 points with a bulldozer, half of 7",
        70,
        partial(against, **DOZER),
        "at most",
        reads=upto("damage_charger", 3),
    ),
    count(
        "unusual.damage",
        "charger's tons for 5 points to it by a DropShip",
        50,
        dropship,
        "at most",
        reads=upto("damage_charger", 5),
    ),
    count(
        "damage.groups",
        "points of one group",
        5,
        fitting,
        "at most",
        reads=by_metrics(lambda found: len(found["groups_target"]) == 1),
    ),
    count(
        "damage.groups",
        "points of two groups",
        10,
        fitting,
        "at most",
        reads=by_metrics(lambda found: len(found["groups_target"]) <= 2),
    ),
)


def on_side(sides: int, *, kind: str) -> Case:
    """Let A come at so many hexsides clockwise from where B looks."""
    vehicle = kind == "vehicle"
    dice = [*FIRM, *TIGHT, *GROUP, *TIGHT, *GROUP] if vehicle else hit(5)
    return asked(
        5, dice, a={"type": kind}, b={"type": kind, "facing": HEX_FACINGS[(3 - sides) % 6]}
    )


def kick(die: int, **b: Any) -> Case:
    """Let a vehicle kick B's leg by the face of one die."""
    return asked(5, [*FIRM, *TIGHT, *GROUP, die, *FIRM], a=TANK, b=b)


def side(kind: str, where: str, hexsides: int, holds: Sense) -> Threshold:
    """Make the row of the hexsides, clockwise from a target's facing, at which its side is attacked."""
    what = f"hexsides clockwise from the facing of a {kind} to its charger, {holds} so many for its {where}"
    return count(
        "damage.location",
        what,
        hexsides,
        partial(on_side, kind=kind),
        holds,
        reads=shows(side_target=where),
    )


SIDES = (
    side("mech", "front", 1, "at most"),
    side("mech", "front", 5, "at least"),
    side("mech", "rear", 3, "exactly"),
    side("vehicle", "front", 0, "exactly"),
    side("vehicle", "rear", 3, "exactly"),
    count(
        "damage.kick",
        "face that hits the right leg",
        3,
        kick,
        "at most",
        reads=shows(locations_target=["RL"]),
    ),
    count(
        "damage.kick",
        "face that hits a left foreleg of four",
        3,
        partial(kick, legs=4),
        "at most",
        reads=shows(locations_target=["FLL"]),
    ),
)


def motive(total: int, *, facing: str = "S", motion: str = "tracked") -> Case:
    """Let the immediate motive roll of B show a total."""
    dice = [*FIRM, *TIGHT, *GROUP, *faces(total), *GROUP]
    return asked(5, dice, a=TANK, b={"type": "vehicle", "facing": facing, "motion": motion})


RESULTS = ("none", "minor", "moderate", "heavy", "immobile")


def result(least: int, worst: str, **b: Any) -> Threshold:
    """Make the row of the total from which on motive damage is as bad as that."""
    how = ", ".join(f"{key} {value}" for key, value in b.items()) or "front, tracked"
    reads = by_metrics(
        lambda found: RESULTS.index(found["motive_target"][0]) >= RESULTS.index(worst)
    )
    return count(
        "motive.immediate",
        f"total of a motive roll for {worst} damage: {how}",
        least,
        partial(motive, **b),
        "at least",
        reads=reads,
    )


MOTIVES = (
    result(6, "minor"),
    result(8, "moderate"),
    result(10, "heavy"),
    result(11, "immobile", facing="N"),
    result(5, "minor", facing="N"),
    result(8, "heavy", facing="NW"),
    result(8, "heavy", facing="NE"),
    result(10, "immobile", motion="wheeled"),
    result(9, "immobile", motion="hover"),
    result(7, "immobile", facing="NW", motion="hover"),
)

ROWS = (*NUMBERS, *ODDITIES, *POINTS, *SIDES, *MOTIVES)

"""Numbers of rolls to keep one's feet, of falls, of the weapon phase and of skids."""

from functools import partial
from typing import Any

from tabletop.ruling.system import Case
from tests.systems.battletech.tables import Entry, terrain
from tests.systems.battletech.thresholds.hitting import (
    FIRM,
    GROUP,
    TIGHT,
    asked,
    faces,
    groups,
    hit,
)
from tests.systems.battletech.thresholds.laying import (
    count,
    has,
    hits,
    hurts,
    reaches,
    spared,
    stands,
    told,
    unrolled,
    upto,
)
from tests.thresholds import Threshold

FALL = [1, *GROUP, *FIRM]
"""A fall of 10 tons, to the front, after which the pilot holds on."""


def shaken(
    total: int,
    *,
    needed: int,
    points: int = 5,
    who: str = "B",
    second: bool | None = None,
    **more: Any,
) -> Case:
    """Let a roll of A or B to keep its feet show a total: the only one, or the first or `second` of two; the other is
    passed, if made.
    """
    has_fallen = total < needed
    rolls = {
        None: faces(total),
        False: [*faces(total), *([] if has_fallen else FIRM)],
        True: [*FIRM, *faces(total)],
    }[second]
    rolls = [*rolls, *(FALL if has_fallen else [])]
    return asked(
        points, hit(points, rest=[*rolls, *FIRM] if who == "A" else [*FIRM, *rolls]), **more
    )


def feet(
    what: str, needed: int, *, rule: str = "psr.charge", who: str = "B", **more: Any
) -> Threshold:
    """Make the row of the number of a roll to keep one's feet."""
    table_of = partial(shaken, needed=needed, who=who, **more)
    return count(
        rule, f"roll to keep one's feet: {what}", needed, table_of, "at least", reads=stands(who)
    )


def heavy(
    what: str, needed: int, *, choice: str = "shared", second: bool | None = False
) -> Threshold:
    """Make the row of the number of one of two rolls after 20 points."""
    return feet(
        what,
        needed,
        rule="psr.heavy-damage",
        points=20,
        second=second,
        rules={"heavy_damage_psr": choice},
    )


def hard(points: int) -> Case:
    """Let B take so many points, and both keep their feet."""
    return asked(points, hit(points, rest=FIRM * (3 if points >= 20 else 2)))


def hard_on_charger(tons: int) -> Case:
    """Let A take a point for every 10 tons of B, and both keep their feet."""
    own = -(-tons // 10)
    return asked(0, hit(0, own=own, rest=FIRM * (3 if own >= 20 else 2)), b={"tons": tons})


FEET = (
    feet("charger of piloting 5, 2 for a charge", 7, who="A"),
    feet("target of piloting 5, 2 for a charge", 7),
    feet("piloting 4", 6, a={"piloting": 4}, b={"piloting": 4}),
    feet("other modifiers count", 9, b={"psr_modifier": 2}),
    feet("19 points, nothing more", 7, points=19),
    heavy("first after 20 points, 1 more", 8),
    heavy("second after 20 points, 1 more", 8, second=True),
    heavy("first after 20 points, by choice not harder", 7, choice="separate"),
    heavy("second after 20 points, by choice 1 for these alone", 6, choice="separate", second=True),
    heavy("the only one after 20 points, by choice not harder", 7, choice="off", second=None),
    count(
        "psr.heavy-damage",
        "points to the target for a second roll",
        20,
        hard,
        "at least",
        reads=told,
    ),
    count(
        "psr.heavy-damage",
        "tons of the target for a second roll of its charger",
        191,
        hard_on_charger,
        "at least",
        reads=told,
    ),
)


def thrown(tons: int) -> Case:
    """Let A of so many tons fall after a hit that does no damage."""
    points = -(-tons // 10)
    return asked(0, hit(0, rest=[*TIGHT, 1, *groups(points), *FIRM, *FIRM]), a={"tons": tons})


def dropped(levels: int, *, tons: int = 10, pilot: list[int] = FIRM, **more: Any) -> Case:
    """Let B be pushed down so many levels."""
    points = -(-tons // 10) * (levels + 1)
    down = [1, *groups(points), *pilot, *FIRM] if levels >= 2 else [*FIRM, *FIRM]
    return asked(
        5,
        hit(5, own=-(-tons // 10), rest=down),
        b={"tons": tons},
        ground=_heights(levels, "0506", "0507"),
        **more,
    )


def _heights(levels: int, *hexes: str) -> list[Entry]:
    return [terrain("level", *hexes, level=levels)]


def piloted(total: int, *, choice: str = "levels", levels: int = 2) -> Case:
    """Let the pilot of who drops roll a total."""
    return dropped(levels, pilot=faces(total), rules={"pilot_levels": choice})


def shaken_pilot(total: int) -> Case:
    """Let the pilot of A roll a total, after a failed roll against 7."""
    return asked(5, hit(5, rest=[*TIGHT, 1, *GROUP, *faces(total), *FIRM]))


FALLS = (
    count("fall", "tons for 1 point", 10, thrown, "at most", reads=upto("fall_damage_charger", 1)),
    count("fall", "tons for 5 points", 50, thrown, "at most", reads=upto("fall_damage_charger", 5)),
    count(
        "fall",
        "levels for 4 points of 10 tons, 1 more than the levels",
        3,
        dropped,
        "at least",
        reads=reaches("fall_damage_target", 4),
    ),
    count(
        "displace.drop", "levels down that make the target fall", 2, dropped, "at least", reads=told
    ),
    count(
        "fall",
        "pilot's roll: the number that was failed",
        7,
        shaken_pilot,
        "at least",
        reads=upto("pilot_hits_charger", 0),
    ),
    count(
        "fall",
        "pilot's roll: piloting 5, 1 for each of 2 levels",
        7,
        piloted,
        "at least",
        reads=upto("pilot_hits_target", 0),
    ),
    count(
        "fall",
        "pilot's roll: 3 levels",
        8,
        partial(piloted, levels=3),
        "at least",
        reads=upto("pilot_hits_target", 0),
    ),
    count(
        "fall",
        "pilot's roll: 2 levels, by choice 1 less",
        6,
        partial(piloted, choice="levels_minus_one"),
        "at least",
        reads=upto("pilot_hits_target", 0),
    ),
)


def weapons(total: int, *, needed: int, who: str, modifier: int = 1) -> Case:
    """Let the roll of A or B that weapon damage forces show a total; A misses if it comes to it."""
    phase = {f"{who}_psr": "roll", f"{who}_psr_modifier": modifier}
    return asked(5, [*faces(total), *(FALL if total < needed else TIGHT)], weapon_phase=phase)


def struggling(modifier: int) -> Case:
    """Let the roll of A be so much harder, where it is passed or failed without dice."""
    dice = TIGHT if modifier <= -3 else [*FIRM, *TIGHT] if modifier <= 7 else FALL[:-2]
    return asked(5, dice, weapon_phase={"charger_psr": "roll", "charger_psr_modifier": modifier})


def losing(mp: int) -> Case:
    """Let A lose MP of the 4 it has at a walk, where that may stop it."""
    rules = {"immobile_charger": "cancelled"}
    return asked(
        5,
        [] if mp >= 4 else TIGHT,
        a={"walk": 4},
        weapon_phase={"charger_mp_lost": mp},
        rules=rules,
    )


WEAPONS = (
    count(
        "weapon.charger-fell",
        "roll: piloting 5 and 1",
        6,
        partial(weapons, needed=6, who="charger"),
        "at least",
        reads=spared,
    ),
    count(
        "weapon.charger-fell",
        "roll: 3 by declaration",
        8,
        partial(weapons, needed=8, who="charger", modifier=3),
        "at least",
        reads=spared,
    ),
    count(
        "weapon.charger-fell",
        "modifier at which it is passed without a roll",
        -3,
        struggling,
        "at most",
        reads=unrolled,
    ),
    count(
        "weapon.charger-fell",
        "modifier with which a roll can pass it",
        7,
        struggling,
        "at most",
        reads=spared,
    ),
    count(
        "weapon.target-fell",
        "roll: piloting 5 and 1",
        6,
        partial(weapons, needed=6, who="target"),
        "at least",
        reads=spared,
    ),
    count(
        "weapon.target-fell",
        "roll: 3 by declaration",
        8,
        partial(weapons, needed=8, who="target", modifier=3),
        "at least",
        reads=spared,
    ),
    count(
        "weapon.mp-loss",
        "MP lost of 4 with which it still charges by choice",
        3,
        losing,
        "at most",
        reads=spared,
    ),
)


def skidding(
    hexes: int,
    *,
    dice: list[int] | None = None,
    tons: int = 10,
    down: bool = False,
    ground: list[Entry] | None = None,
) -> Case:
    """Let A of piloting 4 skid after so many hexes, miss B and take what skidding does."""
    road = terrain("pavement", "0507")
    slides = hexes // 2 if down else -(-hexes // 2)
    faces_ = [*TIGHT, *groups(slides * -(-tons // 20))] if slides else FALL
    return asked(
        hexes,
        faces_ if dice is None else dice,
        a={"tons": tons, "piloting": 4},
        b={"piloting": 4},
        ground=[road, *(ground or [])],
        rules={"skid_rounding": "down" if down else "up"},
        weapon_phase={"charger_psr": "failed"},
    )


def run_into(total: int) -> Case:
    """Let A skid into B with a roll to hit."""
    return skidding(
        1, dice=[*faces(total), *([*GROUP, *GROUP, *FIRM] if total >= 9 else []), *GROUP]
    )


def crashing(tons: int) -> Case:
    """Let A of so many tons skid into a hill."""
    return skidding(1, dice=groups(-(-tons // 10)), tons=tons, ground=_heights(1, "0506"))


def uphill(levels: int) -> Case:
    """Let A skid towards a hex so much higher."""
    return skidding(
        1, dice=[*TIGHT, *GROUP] if levels == 0 else GROUP, ground=_heights(levels, "0506")
    )


def downhill(levels: int) -> Case:
    """Let A skid through the hex of B, and down so many levels."""
    return skidding(
        3,
        dice=[*TIGHT, *(FALL if levels >= 2 else []), *GROUP],
        ground=_heights(levels, "0507", "0506"),
    )


def stopped(tons: int) -> Case:
    """Let A of so many tons skid into prohibited terrain behind B."""
    dice = [*TIGHT, *groups(-(-tons // 5)), *groups(-(-tons // 20))]
    return skidding(3, dice=dice, tons=tons, ground=[terrain("prohibited", "0505")])


SKIDS = (
    count(
        "weapon.skid",
        "hexes entered for a skid of 4, half rounded up",
        8,
        skidding,
        "at most",
        reads=upto("skid_limit", 4),
    ),
    count(
        "weapon.skid",
        "hexes entered for a skid of 4, by choice rounded down",
        8,
        partial(skidding, down=True),
        "at least",
        reads=reaches("skid_limit", 4),
    ),
    count(
        "weapon.skid",
        "hexes entered for any skid",
        1,
        skidding,
        "at least",
        reads=has("skid_limit"),
    ),
    count(
        "weapon.skid",
        "hexes entered for any skid, by choice rounded down",
        2,
        partial(skidding, down=True),
        "at least",
        reads=has("skid_limit"),
    ),
    count(
        "weapon.skid",
        "tons for 1 point of each hex, half of 2",
        20,
        lambda tons: skidding(1, tons=tons),
        "at most",
        reads=upto("skid_damage", 1),
    ),
    count(
        "weapon.skid",
        "tons for 2 points of each hex, half of 4",
        40,
        lambda tons: skidding(1, tons=tons),
        "at most",
        reads=upto("skid_damage", 2),
    ),
    count(
        "weapon.skid",
        "tons for 5 points before prohibited terrain",
        25,
        stopped,
        "at most",
        reads=hurts(0, 5),
    ),
    count(
        "weapon.skid",
        "levels down that end it with a fall",
        2,
        downhill,
        "at least",
        reads=has("fall_damage_charger"),
    ),
    count(
        "weapon.unintentional-charge",
        "roll to hit: piloting 4 against 4, 2 for a run, 3 for the skid",
        9,
        run_into,
        "at least",
        reads=hits,
    ),
    count("unusual.hill", "levels up that make a hill", 1, uphill, "at least", reads=told),
    count(
        "unusual.damage",
        "own tons for 5 points by a hill",
        50,
        crashing,
        "at most",
        reads=upto("damage_charger", 5),
    ),
)

ROWS = (*FEET, *FALLS, *WEAPONS, *SKIDS)

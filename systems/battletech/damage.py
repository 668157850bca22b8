"""Damage of collisions: points for both sides, groups and hit locations, motive damage, and piloting modifiers.

Groups of damage points are located by tables for the side attacked; a building around the target absorbs part of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from systems.battletech.roll import TWO_DICE_TOTALS, RollTable
from systems.battletech.scene import CombatUnit, Table
from systems.battletech.words import FOUR, Choices, Motion
from tabletop.errors import NoVerdictError
from tabletop.messages import say, word
from tabletop.table.state import Hex

Side = Literal["front", "right", "rear", "left"]

TableName = Literal["mech", "kick", "vehicle"]

Motive = Literal["none", "minor", "moderate", "heavy", "immobile"]

MECH_SIDES: tuple[Side, ...] = ("front", "front", "right", "rear", "left", "front")
"""Side of a 'Mech by hexsides clockwise from its facing."""

OTHER_SIDES: tuple[Side, ...] = ("front", "right", "right", "rear", "left", "left")

FALL_SIDES: tuple[Side, ...] = ("front", "right", "right", "rear", "left", "left")
"""Side that a fall lands on, by the face of its die."""

MECH_COLUMNS: dict[Side, str] = {
    "front": "CTc RA RA RL RT CT LT LL LA LA HD",
    "rear": "CTc RA RA RL RT CT LT LL LA LA HD",
    "left": "LTc LL LA LA LL LT CT RT RA RL HD",
    "right": "RTc RL RA RA RL RT CT LT LA LL HD",
}
"""Locations by the total of two dice, from 2; c: a critical hit is called for."""

VEHICLE_COLUMNS: dict[Side, str] = {
    "front": "FRc FRm FRm RSm FR FR FR LSm TU TU TUc",
    "rear": "RRc RRm RRm LSm RR RR RR RSm TU TU TUc",
    "right": "RSc RSm RSm FRm RS RS RSc RRm TU TU TUc",
    "left": "LSc LSm LSm FRm LS LS LSc RRm TU TU TUc",
}
"""Locations of vehicles; m: a motive roll is called for."""

VEHICLE_SIDES: dict[Side, str] = {"front": "FR", "right": "RS", "rear": "RR", "left": "LS"}

KICK_COLUMNS: dict[Side, str] = {
    "front": "RL RL RL LL LL LL",
    "rear": "RL RL RL LL LL LL",
    "left": "LL",
    "right": "RL",
}
"""Legs by the face of one die; a single one takes no die."""

FOUR_LEGGED_KICKS: dict[Side, str] = {
    "front": "FLL FLL FLL FRL FRL FRL",
    "rear": "RLL RLL RLL RRL RRL RRL",
    "left": "RLL RLL RLL FLL FLL FLL",
    "right": "RRL RRL RRL FRL FRL FRL",
}

FOUR_LEGGED_LOCATIONS = {"LA": "FLL", "RA": "FRL", "LL": "RLL", "RL": "RRL"}
"""Locations that replace arms and legs on a four-legged 'Mech."""

MOTIVE_SIDES: dict[Side, int] = {"front": 0, "rear": 1, "left": 2, "right": 2}

MOTIVE_MOTIONS: dict[Motion, int] = {"tracked": 0, "wheeled": 2, "hover": 3}

MOTIVE_RESULTS: tuple[tuple[int, Motive], ...] = (
    (12, "immobile"),
    (10, "heavy"),
    (8, "moderate"),
    (6, "minor"),
)
"""The smallest total of each result; below it there is none."""

DRIVING: dict[Motive, int] = {"none": 0, "minor": 1, "moderate": 2, "heavy": 3, "immobile": 0}
"""Driving modifier of each kind of motive damage, applied once."""

DEEP = 2
"""Depth of water at which a charger is fully submerged."""

MOST_GROUPS = 500
"""Largest number of damage groups."""

SPEED_ROW = ((10, 4), (7, 3), (5, 2), (3, 1))
"""Hexes entered at least, and the modifier to the roll for entering a building."""

# Points and groups.


@dataclass(frozen=True)
class Damage:
    """Damage of a hit, in points: to the target, in groups after a building's share, and to the charger's front.

    `side` and `table` say where the target's damage is located; None where nothing is located. `absorbed` are the
    points taken by the building in which the target stands, and `is_shielded` says whether there is one.
    """

    target_points: int
    charger_points: int
    target_groups: tuple[int, ...] = ()
    charger_groups: tuple[int, ...] = ()
    side: Side | None = None
    table: TableName | None = None
    absorbed: int = 0
    is_shielded: bool = False

    @property
    def reaching(self) -> int:
        """Points of damage that reach the target after the building's share."""
        return self.target_points - self.absorbed


def damage_to_unit(
    table: Table,
    charger: CombatUnit,
    *,
    target: CombatUnit,
    hexes: int,
    side: Side,
    located: TableName | None,
) -> Damage:
    """Return the damage of a hit on a unit after entering `hexes` hexes; a building around it absorbs part of every
    group.
    """
    points = target_points(table, charger, hexes=hexes)
    own = charger_points(table, charger, target=target)
    groups = grouped(table, points)
    shield = shield_of(table, target)
    left = tuple(group - shield for group in groups if group > shield)
    return Damage(
        points, own, left, grouped(table, own), side, located, points - sum(left), shield > 0
    )


def shield_of(table: Table, target: CombatUnit) -> int:
    """Return the points that the building around a unit absorbs of each full group of damage; 0 without a building."""
    return min(
        divided_up(table.at(target.hex).cf, table.book.cf_per_absorbed_point),
        table.book.group_points,
    )


def damage_to_building(table: Table, charger: CombatUnit, *, hexes: int) -> Damage:
    """Return the damage of a hit on a building hex, all of which reduces its CF (construction factor); a bulldozer
    doubles it.
    """
    points = target_points(table, charger, hexes=hexes) * (2 if has_bulldozer(charger) else 1)
    own = charger_points(table, charger, target=None)
    return Damage(points, own, (), grouped(table, own))


def damage_by_hill(table: Table, charger: CombatUnit) -> Damage:
    """Return the damage of running into a hill: none to the target, and to the charger by its own weight."""
    own = charger_points(table, charger, target=None)
    return Damage(0, own, (), grouped(table, own))


def target_points(table: Table, charger: CombatUnit, *, hexes: int) -> int:
    """Return the points of damage to the target: by the charger's weight and the number of hexes that it entered."""
    parts = halves(table, charger)
    if table.choices.damage_rounding == "per_ten":
        return divided_up(tons_points(table, charger) * hexes, parts)
    return divided_up((charger.profile.tons or 0) * hexes, table.book.tons_per_point * parts)


def charger_points(table: Table, charger: CombatUnit, *, target: CombatUnit | None) -> int:
    """Return the points of damage to the charger: by the target's weight.

    By the charger's own weight against buildings (`target` None), weightless targets and DropShips; a bulldozer halves
    them.
    """
    weight = charger if target is None or is_weightless(target) else target
    points = divided_up(
        weight.profile.tons or 0, table.book.tons_per_point * halves(table, charger)
    )
    return points // 2 if has_bulldozer(charger) else points


def is_weightless(target: CombatUnit) -> bool:
    """Return whether a target, having no weight or being a DropShip, damages its charger by the charger's own
    weight.
    """
    return not target.profile.tons or target.profile.type == "dropship"


def has_bulldozer(unit: CombatUnit) -> bool:
    """Return whether a unit is a vehicle with a bulldozer."""
    return unit.is_vehicle and "bulldozer" in unit.profile.equipment


def halves(table: Table, charger: CombatUnit) -> int:
    """Return by what all damage is divided: 2 for a submerged charger if so chosen, else 1."""
    ground = table.at(charger.hex)
    return (
        2
        if table.choices.submerged_charger == "halved"
        and ground.cover == "water"
        and ground.depth >= DEEP
        else 1
    )


def tons_points(table: Table, unit: CombatUnit, *, tons: int | None = None) -> int:
    """Return one point for each 10 tons of a unit's weight (or of `tons`), rounded up; 0 for a weightless unit."""
    return divided_up(
        tons if tons is not None else unit.profile.tons or 0, table.book.tons_per_point
    )


def divided_up(amount: int, by: int) -> int:
    """Return the quotient of two integers, rounded up."""
    return -(-amount // by)


def grouped(table: Table, points: int) -> tuple[int, ...]:
    """Return points of damage divided into groups of five, the remainder last.

    Examples
    --------
    >>> from systems.battletech.book import Book
    >>> from types import SimpleNamespace
    >>> grouped(SimpleNamespace(book=Book()), 26)
    (5, 5, 5, 5, 5, 1)

    Raises
    ------
    NoVerdictError
        If there are more than `MOST_GROUPS` full groups.
    """
    full, rest = divmod(points, table.book.group_points)
    if full > MOST_GROUPS:
        raise NoVerdictError(
            "{points} points of damage are divided into more than {most} groups, the limit",
            points=points,
            most=MOST_GROUPS,
        )
    return (table.book.group_points,) * full + ((rest,) if rest else ())


# Where groups land.


@dataclass(frozen=True)
class Hit:
    """Location code at which a group of damage lands, and whether it causes a roll for a critical hit or for motive
    damage.
    """

    code: str
    is_critical: bool = False
    is_motive: bool = False

    @property
    def text(self) -> str:
        """The location code, with "(critical)" or "(motive)" if it causes such a roll."""
        place = word(self.code)
        if self.is_critical:
            place = say("{place} (critical)", place=place)
        return say("{place} (motive)", place=place) if self.is_motive else place


def side_of(unit: CombatUnit, hexside: int) -> Side:
    """Return the side of a unit that is attacked from a hexside of its hex, counted clockwise from N as 0."""
    return (MECH_SIDES if unit.is_mech else OTHER_SIDES)[(hexside - unit.facing) % 6]


def table_of(unit: CombatUnit, *, is_kick: bool = False) -> TableName | None:
    """Return the name of the table on which damage to a unit is located; None if units of its type have no
    locations.
    """
    if unit.is_mech:
        return "kick" if is_kick else "mech"
    return "vehicle" if unit.is_vehicle else None


def column_of(
    unit: CombatUnit, table: TableName, *, side: Side, choices: Choices
) -> RollTable[Hit]:
    """Return the column of hit locations of a table for one side of a unit, as a roll of two dice."""
    if table == "vehicle":
        return _vehicle_column(side, unit.profile.turret, choices.vehicle_front_5)
    return (_kick_column if table == "kick" else _mech_column)(side, unit.profile.legs)


@lru_cache
def _mech_column(side: Side, legs: int) -> RollTable[Hit]:
    hits = [_hit(word) for word in MECH_COLUMNS[side].split()]
    return _draw(
        hits
        if legs == 2  # noqa: PLR2004 - legs
        else [Hit(FOUR_LEGGED_LOCATIONS.get(hit.code, hit.code), hit.is_critical) for hit in hits]
    )


@lru_cache
def _kick_column(side: Side, legs: int) -> RollTable[Hit]:
    return _draw(
        [_hit(word) for word in (KICK_COLUMNS if legs == 2 else FOUR_LEGGED_KICKS)[side].split()]  # noqa: PLR2004 - legs
    )


@lru_cache
def _vehicle_column(side: Side, turret: bool, front_5: Literal["right", "left"]) -> RollTable[Hit]:  # noqa: FBT001 - a key of the cache
    hits = [_hit(word) for word in VEHICLE_COLUMNS[side].split()]
    if side == "front":
        hits[5 - TWO_DICE_TOTALS[0]] = Hit(VEHICLE_SIDES[front_5], is_motive=True)
    if not turret:
        hits = [
            Hit(VEHICLE_SIDES[side], hit.is_critical) if hit.code == "TU" else hit for hit in hits
        ]
    return _draw(hits)


def _hit(word: str) -> Hit:
    return Hit(word.rstrip("cm"), word.endswith("c"), word.endswith("m"))


def _draw(hits: Sequence[Hit]) -> RollTable[Hit]:
    """Return a roll table of hit locations whose enumeration distinguishes only whether motive damage follows.

    Nothing else of a location matters to later rolls.
    """
    return RollTable.of(tuple(hits), lambda hit: hit.is_motive)


@lru_cache
def motive_table(side: Side, motion: Motion) -> RollTable[Motive]:
    """Return the roll table of motive damage to a vehicle hit on one side, by its motion type.

    Examples
    --------
    >>> [str(chance) for _, chance in motive_table("front", "hover").ways]
    ['1/36', '5/36', '1/4', '11/36', '5/18']
    """
    modifier = motive_modifier(side, motion)
    return RollTable.of(
        [
            next((result for least, result in MOTIVE_RESULTS if total + modifier >= least), "none")
            for total in TWO_DICE_TOTALS
        ]
    )


def motive_modifier(side: Side, motion: Motion) -> int:
    """Return what is added to the roll for motive damage to a vehicle hit on one side, by its motion type."""
    return MOTIVE_SIDES[side] + MOTIVE_MOTIONS[motion]


# Numbers to roll.


def piloting(table: Table, unit: CombatUnit) -> int:
    """Return the base number that a unit's piloting or driving rolls must reach; a four-legged 'Mech has a bonus."""
    legs = table.book.four_legs_modifier if unit.is_mech and unit.profile.legs == FOUR else 0
    return unit.profile.piloting + unit.profile.psr_modifier + legs


def charge_numbers(table: Table, unit: CombatUnit, *, points: int) -> tuple[int, ...]:
    """Return the numbers, one for each roll, that a unit must roll to stay on its feet after a hit of `points`
    points.
    """
    book = table.book
    number = piloting(table, unit)
    reading = table.choices.heavy_damage_psr
    if points < book.heavy_damage or reading == "off":
        return (number + book.charge_modifier,)
    if reading == "separate":
        return (number + book.charge_modifier, number + book.heavy_damage_modifier)
    return (number + book.charge_modifier + book.heavy_damage_modifier,) * 2


def entry_number(
    table: Table, unit: CombatUnit, *, place: Hex, entered: int, is_target: bool
) -> int:
    """Return the number that the roll for entering a building hex must reach.

    `entered` is the number of hexes entered so far, this one included; `is_target` says whether it is the hex charged.
    """
    book = table.book
    choices = table.choices
    modifiers = {
        "light": 0,
        "medium": book.medium_building_modifier,
        "heavy": book.heavy_building_modifier,
        "hardened": book.hardened_building_modifier,
    }
    charge = book.building_modifier if is_target or choices.building_plus_three == "all" else 0
    speed = (
        next((modifier for least, modifier in SPEED_ROW if entered >= least), 0)
        if choices.building_speed_row == "on"
        else 0
    )
    return piloting(table, unit) + modifiers[table.at(place).building_class(book)] + charge + speed

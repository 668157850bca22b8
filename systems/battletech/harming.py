"""Damage of a collision: points for both sides, groups, what a building takes of them, and how bad the rolls not to fall get."""

from dataclasses import dataclass

from systems.battletech.locations import Side, TableName
from systems.battletech.scene import Combatant, Table
from tabletop.errors import NoVerdictError
from tabletop.table.state import Hex

DEEP = 2
"""Depth of water under which a charger is all under water."""
MOST_GROUPS = 500
"""Groups of damage that are reckoned with at a time."""


@dataclass(frozen=True)
class Blow:
    """What a hit does, in points: to the target, in groups after a building took its part, and to the charger on its front.

    `side` and `table` are those of the target; None where nothing is located. `absorbed` is what a building took that the
    target stands in.
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
        """Points that reach what is hit, after what the building about it takes."""
        return self.target_points - self.absorbed


def divided_up(amount: int, by: int) -> int:
    """Divide and round up."""
    return -(-amount // by)


def tons_points(table: Table, unit: Combatant, *, tons: int | None = None) -> int:
    """Give a point for every 10 tons of a unit, or of other tons than its own, rounded up; one of no weight has none."""
    return divided_up(tons if tons is not None else unit.profile.tons or 0, table.book.tons_per_point)


def grouped(table: Table, points: int) -> tuple[int, ...]:
    """Part points into groups of five, the rest last.

    Examples
    --------
    >>> from systems.battletech.book import Book
    >>> from types import SimpleNamespace
    >>> grouped(SimpleNamespace(book=Book()), 26)
    (5, 5, 5, 5, 5, 1)

    Raises
    ------
    NoVerdictError
        If they are too many.
    """
    full, rest = divmod(points, table.book.group_points)
    if full > MOST_GROUPS:
        raise NoVerdictError(f"{points} points of damage come in more than {MOST_GROUPS} groups")
    return (table.book.group_points,) * full + ((rest,) if rest else ())


def target_points(table: Table, charger: Combatant, *, hexes: int) -> int:
    """Give the damage of a charge for the target: by the charger's weight and the hexes it entered."""
    halves = _halves(table, charger)
    if table.choices.damage_rounding == "per_ten":
        return divided_up(tons_points(table, charger) * hexes, halves)
    return divided_up((charger.profile.tons or 0) * hexes, table.book.tons_per_point * halves)


def charger_points(table: Table, charger: Combatant, *, target: Combatant | None) -> int:
    """Give the damage of a charge for the charger: by the target's weight, or by its own against what has none or is a DropShip."""
    weight = charger if target is None or is_weightless(target) else target
    points = divided_up(weight.profile.tons or 0, table.book.tons_per_point * _halves(table, charger))
    return points // 2 if has_bulldozer(charger) else points


def is_weightless(target: Combatant) -> bool:
    """Tell whether a unit hurts its charger by the charger's own weight."""
    return not target.profile.tons or target.profile.type == "dropship"


def has_bulldozer(unit: Combatant) -> bool:
    """Tell whether a unit is a vehicle with a bulldozer."""
    return unit.is_vehicle and "bulldozer" in unit.profile.equipment


def _halves(table: Table, charger: Combatant) -> int:
    """Give what damage is divided by: 2 for a charger under water, by choice."""
    ground = table.at(charger.hex)
    return 2 if table.choices.submerged_charger == "halved" and ground.cover == "water" and ground.depth >= DEEP else 1


def blow_on_unit(table: Table, charger: Combatant, *, target: Combatant, hexes: int, side: Side, located: TableName | None) -> Blow:
    """Give what a hit on a unit does; a building that it stands in shields it from part of every group."""
    points, own = target_points(table, charger, hexes=hexes), charger_points(table, charger, target=target)
    groups = grouped(table, points)
    shield = divided_up(table.at(target.hex).cf, table.book.cf_per_absorbed_point)
    left = tuple(group - shield for group in groups if group > shield)
    return Blow(points, own, left, grouped(table, own), side, located, points - sum(left), shield > 0)


def blow_on_building(table: Table, charger: Combatant, *, hexes: int) -> Blow:
    """Give what a hit on a building hex does: all goes to its CF; a bulldozer doubles it."""
    points = target_points(table, charger, hexes=hexes) * (2 if has_bulldozer(charger) else 1)
    own = charger_points(table, charger, target=None)
    return Blow(points, own, (), grouped(table, own))


def blow_on_hill(table: Table, charger: Combatant) -> Blow:
    """Give what running into a hill does: it hurts the charger by its own weight."""
    own = charger_points(table, charger, target=None)
    return Blow(0, own, (), grouped(table, own))


def piloting(unit: Combatant) -> int:
    """Give the number of a piloting or driving roll that nothing makes harder."""
    return unit.profile.piloting + unit.profile.psr_modifier


def charge_numbers(table: Table, unit: Combatant, *, points: int) -> tuple[int, ...]:
    """Give the numbers that a unit must roll not to fall after a hit in which it took so many points."""
    book, number = table.book, piloting(unit)
    reading = table.choices.heavy_damage_psr
    if points < book.heavy_damage or reading == "off":
        return (number + book.charge_modifier,)
    if reading == "separate":
        return (number + book.charge_modifier, number + book.heavy_damage_modifier)
    return (number + book.charge_modifier + book.heavy_damage_modifier,) * 2


SPEED_ROW = ((10, 4), (7, 3), (5, 2), (3, 1))
"""Hexes entered at least, and what they add to the roll for entering a building."""


def entry_number(table: Table, unit: Combatant, *, place: Hex, entered: int, is_target: bool) -> int:
    """Give the number of the roll for entering a building hex, which is the last of so many hexes `entered`."""
    book, choices = table.book, table.choices
    modifiers = {
        "light": 0,
        "medium": book.medium_building_modifier,
        "heavy": book.heavy_building_modifier,
        "hardened": book.hardened_building_modifier,
    }
    charge = book.building_modifier if is_target or choices.building_plus_three == "all" else 0
    speed = next((modifier for least, modifier in SPEED_ROW if entered >= least), 0) if choices.building_speed_row == "on" else 0
    return piloting(unit) + modifiers[table.at(place).building_class(book)] + charge + speed

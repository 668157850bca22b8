"""What a way costs: MP for rising, turning and entering hexes, and for the hex of the target."""

from collections.abc import Sequence
from dataclasses import dataclass

from systems.battletech.scene import Combatant, Gait, Table
from systems.battletech.words import Sense
from tabletop.table.hexes import direction
from tabletop.table.state import Hex

HEXSIDES = 6
LEAST_MP = 1
"""No hex is entered for less, whatever numbers the book is given: every path comes to its end."""
PathEntry = tuple[Sense, Hex]


@dataclass(frozen=True)
class HexStep:
    """One hex entered: how, looking where, and the MP for turning before it and for entering."""

    sense: Sense
    hex: Hex
    facing: int
    turn_mp: int
    enter_mp: int

    @property
    def mp(self) -> int:
        """MP of the leg."""
        return self.turn_mp + self.enter_mp


@dataclass(frozen=True)
class HexPath:
    """A way from where the charger begins to the hex before its target, every leg a step between neighbours.

    Attributes
    ----------
    start, facing
        Where it begins, and looks.
    rise_mp
        MP for standing up first.
    end_facing, end_turn_mp
        Where it looks at the end, and the MP for turning there.
    target_mp
        MP for entering the target's hex; None if the way does not end next to it.
    """

    start: Hex
    facing: int
    rise_mp: int
    legs: tuple[HexStep, ...]
    end_facing: int
    end_turn_mp: int
    target_mp: int | None

    @property
    def last(self) -> Hex:
        """The hex in which the charger stops."""
        return self.legs[-1].hex if self.legs else self.start

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes entered, in order."""
        return tuple(leg.hex for leg in self.legs)

    @property
    def mp_to_last(self) -> int:
        """MP up to the last hex, turning there included."""
        return self.rise_mp + sum(leg.mp for leg in self.legs) + self.end_turn_mp

    @property
    def mp(self) -> int | None:
        """MP in all; None if the way does not end next to the target."""
        return None if self.target_mp is None else self.mp_to_last + self.target_mp


def turn_mp(table: Table, facing: int, other: int) -> int:
    """Give the MP for turning from one facing to another the shorter way round."""
    sides = (other - facing) % HEXSIDES
    return table.book.turn_mp * min(sides, HEXSIDES - sides)


def enter_mp(table: Table, start: Hex, end: Hex, unit: Combatant) -> int:
    """Give the MP for entering a hex from its neighbour: for the hex, its terrain and the change of level."""
    book = table.book
    per_level = book.mech_level_mp if unit.is_mech else book.vehicle_level_mp
    return max(book.enter_mp + _terrain_mp(table, end, unit) + per_level * abs(table.rise(start, end, unit)), LEAST_MP)


def _terrain_mp(table: Table, place: Hex, unit: Combatant) -> int:
    ground, book = table.at(place), table.book
    if ground.cover == "water":
        return 0 if unit.is_hover or ground.depth == 0 else book.shallow_water_mp if ground.depth == 1 else book.deep_water_mp
    if ground.cover == "building":
        cost: int = getattr(book, f"{ground.building_class(book)}_building_mp") if ground.is_building else 0
        return cost
    costs = {"light_woods": book.light_woods_mp, "heavy_woods": book.heavy_woods_mp, "rough": book.rough_mp, "rubble": book.rubble_mp}
    return costs.get(ground.cover, 0)


def rise_mp(table: Table, unit: Combatant) -> int:
    """Give the MP for standing up before anything else."""
    return table.book.stand_up_mp if unit.is_prone else 0


def first_gap(start: Hex, hexes: Sequence[Hex]) -> int | None:
    """Give the number of the first hex that does not border the one before; None if all do."""
    before = (start, *hexes)
    return next((number for number, place in enumerate(hexes) if direction(before[number], place) is None), None)


def walked(table: Table, unit: Combatant, entries: Sequence[PathEntry], *, target_hex: Hex, end_facing: int | None = None) -> HexPath:
    """Follow a path whose hexes border each other; without an `end_facing` the unit turns to the target at its end."""
    legs: list[HexStep] = []
    place, facing = unit.hex, unit.facing
    for sense, entered in entries:
        looks = _facing_for(sense, facing, direction(place, entered))
        legs.append(HexStep(sense, entered, looks, turn_mp(table, facing, looks), enter_mp(table, place, entered, unit)))
        place, facing = entered, looks
    ahead = direction(place, target_hex)
    end = end_facing if end_facing is not None else facing if ahead is None else ahead
    last_mp = None if ahead is None else enter_mp(table, place, target_hex, unit)
    return HexPath(unit.hex, unit.facing, rise_mp(table, unit), tuple(legs), end, turn_mp(table, facing, end), last_mp)


def _facing_for(sense: Sense, facing: int, towards: int | None) -> int:
    """Give where a unit looks while it goes to a side: there, away from there, or on as before."""
    if towards is None or sense == "side":
        return facing
    return towards if sense == "forward" else (towards + HEXSIDES // 2) % HEXSIDES


def gait_of(movement: str, mp: int, walk: int) -> Gait:
    """Give how a unit moves that spends `mp`: as declared, else at a walk if that suffices."""
    return "walk" if movement == "walk" or (movement != "run" and mp <= walk) else "run"


def hexes_counted(entries: Sequence[PathEntry], *, since_reversal: bool) -> int:
    """Count the hexes entered; since the last change of sense if so asked, the step at the target being one forward."""
    if not since_reversal:
        return len(entries)
    return next((number for number, (sense, _) in enumerate(reversed(entries)) if sense != "forward"), len(entries))

"""Where charges have to do with each other: the hexes whose units a charge may move, meet or be stopped by."""

from collections.abc import Iterator, Sequence

from systems.battletech.missing import MISS_TURNS
from systems.battletech.play import Play, begin
from systems.battletech.scene import Declared, Table
from systems.battletech.skidding import on_pavement, skid_limit
from tabletop.table.hexes import FACINGS, distance, neighbour
from tabletop.table.state import Hex


def asked_by(charges: Sequence[Declared], table: Table, *, running: Declared | None = None) -> frozenset[str]:
    """Give the units of which charges ask more than in which hex they stand; another may still be `running` before them.

    They are their chargers and targets, those that may step out of a push, and those that a skid may run into.
    """
    named = {name for declared in charges for name in (declared.charger, declared.target, *declared.keys.domino) if name is not None}
    first = () if running is None else (running,)
    return frozenset(named.union(*(_before_skid(table, one, (*first, *charges[:number])) for number, one in enumerate(charges))))


def _before_skid(table: Table, declared: Declared, before: Sequence[Declared]) -> Iterator[str]:
    """Give the units that a skid may run into after other charges; each of those may push any unit by a hex, and its charger may skid."""
    start, facing = table.units[declared.charger].hex, table.units[declared.charger].facing
    if not may_fall(declared) or not any(table.at(place).is_paved for place in _around(start, len(before))):
        return
    hexes = [start]
    for _ in range(on_pavement(declared, table)):
        hexes.append(neighbour(hexes[-1], facing))
    for unit in table.units.values():
        gone = sum(max(1, on_pavement(one, table)) if one.charger == unit.name and may_fall(one) else 1 for one in before)
        if any(distance(unit.hex, place) <= len(before) + gone for place in hexes):
            yield unit.name


def _around(place: Hex, far: int) -> frozenset[Hex]:
    """Give all hexes at most so far from one."""
    hexes = frozenset({place})
    for _ in range(far):
        hexes = hexes.union(neighbour(one, facing) for one in hexes for facing in range(len(FACINGS)))
    return hexes


def may_fall(declared: Declared) -> bool:
    """Tell whether a charger may fall before it charges."""
    return declared.keys.weapon_phase.charger_psr in ("failed", "roll")


def zones_of(table: Table, charges: Sequence[Declared]) -> frozenset[Hex] | None:
    """Give the zones of several charges together; None if one may move the charger of another, whose zone is elsewhere then.

    Where two zones meet, one charge may lengthen the line of the other: both are taken to the edge of the board.
    """
    zones = [zone_of(table, declared) for declared in charges]
    meeting = [any(one is not other and not one.isdisjoint(other) for other in zones) for one in zones]
    wide = [zone_of(table, declared, is_long=meets) for declared, meets in zip(charges, meeting, strict=True)]
    chargers = [table.units[declared.charger].hex for declared in charges]
    if any(place in zone for number, zone in enumerate(wide) for place in chargers[number + 1 :]):
        return None
    return frozenset[Hex]().union(*wide)


def zone_of(table: Table, declared: Declared, *, is_long: bool = False) -> frozenset[Hex]:
    """Give the zone of one charge as units stand now: its line as far as it may push or skid, and where units may step aside.

    If it `is_long` the line goes on to the edge of the board.
    """
    play = begin(declared, table)
    reach = max(skid_limit(play), 1) if may_fall(declared) else 1
    hexes = set(_line(play, play.forward, reach=reach, is_long=is_long))
    turn = MISS_TURNS[table.choices.miss_hexes]
    for direction in (play.forward + turn, play.forward - turn):
        pushes = table.choices.miss_into_occupied == "domino"
        hexes.update(_line(play, direction, reach=1, is_long=is_long) if pushes else (neighbour(play.charger.hex, direction),))
    return frozenset(hexes.union(*(_asides(play, place) for place in hexes)))


def _line(play: Play, direction: int, *, reach: int, is_long: bool) -> Iterator[Hex]:
    """Go from the charger in a direction, so many hexes, then on as far as units stand one behind the other, and one hex more."""
    place, gone = play.charger.hex, 0
    while play.table.board.holds(place):
        yield place
        if not is_long and gone > reach and not play.table.units_in(place):
            return
        place, gone = neighbour(place, direction), gone + 1


def _asides(play: Play, place: Hex) -> Iterator[Hex]:
    """Give the hexes into which units in a hex may step out of a push."""
    ways = play.declared.keys.domino
    for unit in play.table.units_in(place):
        if ways.get(unit.name, "stay") != "stay":
            yield neighbour(place, unit.facing + (0 if ways[unit.name] == "forward" else 3))

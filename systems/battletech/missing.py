"""Where a charger goes that misses: beside the target."""

from functools import partial

from systems.battletech.play import Play
from systems.battletech.pushing import line_of, topple
from systems.battletech.roll import Roller
from systems.battletech.tale import Tale
from tabletop.table.hexes import neighbour
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex

MISS_TURNS = {"front_sides": 1, "rear_sides": 2}
"""Hexsides from straight ahead to the hexes beside the target, by choice."""


def place_missed(play: Play, roller: Roller) -> Play:
    """Put a charger that missed beside the target: on the side declared, else on the other, else nowhere."""
    turn = MISS_TURNS[play.table.choices.miss_hexes]
    right, left = play.forward + turn, play.forward - turn
    ways = [direction for direction in (right, left) if _is_open(play, direction)]
    options = tuple(neighbour(play.charger.hex, direction) for direction in ways)
    if not ways:
        return play.but(options=options).telling(partial(_tell_miss, play.charger.name, options, None))
    wanted = right if play.declared.keys.miss == "right" else left
    direction = wanted if wanted in ways else ways[0]
    place = neighbour(play.charger.hex, direction)
    told = play.but(options=options).telling(partial(_tell_miss, play.charger.name, options, place))
    return topple(told, roller, _in_the_way(play, place, direction) or (), (), direction, place)


def _is_open(play: Play, direction: int) -> bool:
    """Tell whether the charger may go into the next hex in a direction."""
    table, unit = play.table, play.charger
    place = neighbour(unit.hex, direction)
    if not table.board.holds(place) or table.is_prohibited(place, unit) or abs(table.rise(unit.hex, place, unit)) > table.climb(unit):
        return False
    return _in_the_way(play, place, direction) is not None


def _in_the_way(play: Play, place: Hex, direction: int) -> tuple[str, ...] | None:
    """Give the units that the charger pushes on to get into a hex, nearest first; None if it may not, or they cannot go."""
    crowd = play.table.crowding(place, play.charger)
    if crowd is None:
        return ()
    if play.table.choices.miss_into_occupied == "not_allowed":
        return None
    line = line_of(play.table, crowd, direction)
    return None if line.reason else line.names


def _tell_miss(name: str, options: tuple[Hex, ...], place: Hex | None, journal: Tale) -> Tale:
    where = f"goes to {hex_number(place)}" if place else "has no hex beside its target to go to, and stays"
    told = journal.with_metrics(miss_options=[hex_number(option) for option in options])
    return told.finding("miss.placement", f"{name} {where}.")

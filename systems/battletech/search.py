"""All legal paths of a charger, counted exactly, and the best of them.

The state (hex, arrival direction, MP left) decides everything that may follow, so the paths from each state are counted once,
by the number of hexes that they still enter. Such a row of counts is kept as one integer: its digits, `DIGIT` bits each, are
the counts for 0, 1, 2 ... hexes. Adding rows and entering one hex more are then one addition and one shift.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from systems.battletech.move import HEXSIDES, enter_mp, rise_mp, turn_mp
from systems.battletech.scene import Combatant, Gait, Table
from tabletop.budget import keep_time
from tabletop.table.hexes import distance, neighbour
from tabletop.table.state import Hex

DIGIT = 128
"""Bits of one count: 6 directions at each of at most 40 steps stay below 2 ** 104."""
Row = tuple[int, ...]
"""Counts as digits of an integer, for each of the six directions."""
NO_PATHS: Row = (0,) * HEXSIDES


@dataclass(frozen=True)
class Quest:
    """What is looked for: ways of a unit to the hexes next to the target from which it may charge.

    `facings` are those in which it may end, `is_dry` forbids water of depth 1 and more on the way, as at a run.
    """

    table: Table
    unit: Combatant
    target_hex: Hex
    facings: tuple[int, ...]
    is_dry: bool

    @cached_property
    def finals(self) -> dict[Hex, tuple[int, int]]:
        """Last hexes: the facing towards the target, and the MP for its hex."""
        behind = ((facing, neighbour(self.target_hex, facing + HEXSIDES // 2)) for facing in self.facings)
        return {
            place: (facing, enter_mp(self.table, place, self.target_hex, self.unit)) for facing, place in behind if self._may_stop(place)
        }

    def _may_stop(self, place: Hex) -> bool:
        table, unit = self.table, self.unit
        is_level = abs(table.rise(place, self.target_hex, unit)) <= steepest(table, unit)
        return table.board.holds(place) and is_level and table.crowding(place, unit) is None

    def exits(self, place: Hex) -> tuple[tuple[int, Hex, int], ...]:
        """Give the steps from a hex: the direction, the hex entered and the MP for it."""
        around = ((facing, neighbour(place, facing)) for facing in range(HEXSIDES))
        return tuple(
            (facing, other, enter_mp(self.table, place, other, self.unit)) for facing, other in around if self._may_go(place, other)
        )

    def _may_go(self, start: Hex, place: Hex) -> bool:
        table, unit = self.table, self.unit
        if not table.board.holds(place) or place == self.target_hex or place in self._enemies:
            return False
        return is_passable(table, start, place, unit) and not (self.is_dry and is_wet(table, place, unit))

    @cached_property
    def _enemies(self) -> frozenset[Hex]:
        return enemy_hexes(self.table, self.unit)


def steepest(table: Table, unit: Combatant) -> int:
    """Give the greatest level change into the target's hex."""
    return 1 if table.choices.level_difference == "one" else table.climb(unit)


def is_wet(table: Table, place: Hex, unit: Combatant) -> bool:
    """Tell whether a hex has water that cannot be run through."""
    ground = table.at(place)
    return ground.cover == "water" and ground.depth > 0 and not unit.is_hover


def is_passable(table: Table, start: Hex, place: Hex, unit: Combatant) -> bool:
    """Tell whether the ground lets a unit go from a hex into its neighbour, at a walk at least."""
    return not table.is_prohibited(place, unit) and abs(table.rise(start, place, unit)) <= table.climb(unit)


def enemy_hexes(table: Table, unit: Combatant) -> frozenset[Hex]:
    """Give the hexes in which enemies stand, infantry aside."""
    return frozenset(other.hex for other in table.units.values() if other.side != unit.side and not other.is_infantry)


@dataclass(frozen=True)
class Option:
    """Paths that are equally good, hex numbers aside: how the charger moves, MP in all, hexes entered, and how many there are."""

    gait: Gait
    mp: int
    hexes: int
    count: int


@dataclass(frozen=True)
class Counts:
    """The paths of one quest by the MP that are left: `arriving[hex][mp]` and `leaving[hex][mp]` hold a row of counts each.

    `arriving` is by the facing in which the unit stands, before it turns, `leaving` by the one in which it goes on.
    """

    quest: Quest
    most: int
    arriving: dict[Hex, dict[int, Row]]

    def options(self, gait: Gait, least: int, most: int) -> Iterator[Option]:
        """Give the paths that need between `least` and `most` MP in all."""
        unit = self.quest.unit
        rise = rise_mp(self.quest.table, unit)
        for mp in range(max(least, rise), most + 1):
            row = self._row(unit.hex, mp - rise)[unit.facing]
            for hexes, count in enumerate(_digits(row)):
                if count:
                    yield Option(gait, mp, hexes, count)

    def paths(self, option: Option) -> Iterator[tuple[Hex, ...]]:
        """Give the paths of an option, smallest hex numbers first."""
        unit = self.quest.unit
        yield from self._onward(unit.hex, unit.facing, option.mp - rise_mp(self.quest.table, unit), option.hexes)

    def _onward(self, place: Hex, facing: int, mp: int, hexes: int) -> Iterator[tuple[Hex, ...]]:
        if hexes == 0:
            yield ()
            return
        for towards, other, cost in sorted(self.quest.exits(place), key=lambda way: way[1]):
            left = mp - turn_mp(self.quest.table, facing, towards) - cost
            if left >= 0 and _digit(self._row(other, left)[towards], hexes - 1):
                yield from ((other, *rest) for rest in self._onward(other, towards, left, hexes - 1))

    def _row(self, place: Hex, mp: int) -> Row:
        return self.arriving.get(place, {}).get(mp, NO_PATHS)


def _digits(row: int) -> Iterator[int]:
    while row:
        yield row & ((1 << DIGIT) - 1)
        row >>= DIGIT


def _digit(row: int, number: int) -> int:
    return (row >> (DIGIT * number)) & ((1 << DIGIT) - 1)


def counted_paths(quest: Quest, most: int) -> Counts:
    """Count all paths that need at most `most` MP after rising, from the target's end on.

    A hex is looked at only with MP left that reach the target, and that can be left on coming from the start: every hex
    entered costs one MP at least.
    """
    arriving: dict[Hex, dict[int, Row]] = {}
    leaving: dict[Hex, dict[int, Row]] = {}
    spans = _spans(quest, most)
    exits = {place: quest.exits(place) for place in spans}
    turns = [[turn_mp(quest.table, facing, towards) for towards in range(HEXSIDES)] for facing in range(HEXSIDES)]
    for mp in range(most + 1):
        for place, (least, greatest) in spans.items():
            keep_time()
            if least <= mp <= greatest:
                leaving.setdefault(place, {})[mp] = _leaving(quest, place, mp, exits[place], arriving)
                arriving.setdefault(place, {})[mp] = _turned(leaving[place], mp, turns)
    return Counts(quest, most, arriving)


def _spans(quest: Quest, most: int) -> dict[Hex, tuple[int, int]]:
    """Give the hexes that a path of so many MP may visit, each with the least and most MP that can be left in it."""
    start, target = quest.unit.hex, quest.target_hex
    board = quest.table.board
    columns = range(max(start[0] - most, 1), min(start[0] + most, board.columns) + 1)
    rows = range(max(start[1] - most, 1), min(start[1] + most, board.rows) + 1)
    spans = {
        place: (distance(place, target), most - distance(start, place)) for column in columns for row in rows for place in [(column, row)]
    }
    return {place: span for place, span in spans.items() if span[0] <= span[1] and (place != target or place == start)}


def _leaving(quest: Quest, place: Hex, mp: int, exits: tuple[tuple[int, Hex, int], ...], arriving: dict[Hex, dict[int, Row]]) -> Row:
    """Count the ways on from a hex by the direction in which it is left: into the target's hex, or another."""
    row = [0] * HEXSIDES
    final = quest.finals.get(place)
    if final is not None and final[1] == mp:
        row[final[0]] = 1
    for facing, other, cost in exits:
        row[facing] += arriving.get(other, {}).get(mp - cost, NO_PATHS)[facing] << DIGIT
    return tuple(row)


def _turned(leaving: dict[int, Row], mp: int, turns: list[list[int]]) -> Row:
    """Count the ways on from a hex by the facing in which the unit stands, turning first."""
    return tuple(sum(leaving[mp - cost][towards] for towards, cost in enumerate(costs) if mp - cost in leaving) for costs in turns)


def fewest_mp(quest: Quest) -> int | None:
    """Give the fewest MP that any way to the target needs, rising included; None if there is no way at all."""
    unit = quest.unit
    rise = rise_mp(quest.table, unit)
    queue = [(rise, unit.hex, unit.facing)]
    exits = cache(quest.exits)
    best = {(unit.hex, unit.facing): rise}
    found: int | None = None
    while queue and (found is None or queue[0][0] < found):
        keep_time()
        mp, place, facing = heapq.heappop(queue)
        if mp > best[place, facing]:
            continue
        found = _nearer(quest, place, facing, mp, found)
        for towards, other, cost in exits(place):
            spent = mp + turn_mp(quest.table, facing, towards) + cost
            if spent < best.get((other, towards), spent + 1):
                best[other, towards] = spent
                heapq.heappush(queue, (spent, other, towards))
    return found


def _nearer(quest: Quest, place: Hex, facing: int, mp: int, found: int | None) -> int | None:
    """Give the fewest MP known once those of charging from a hex are known too."""
    final = quest.finals.get(place)
    if final is None:
        return found
    total = mp + turn_mp(quest.table, facing, final[0]) + final[1]
    return total if found is None else min(found, total)

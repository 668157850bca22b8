"""Displacement: a target hit is pushed one hex on, those behind it in turn; a charger that misses goes beside its target."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

from systems.battletech.damage import piloting
from systems.battletech.effects import fall
from systems.battletech.move import enemy_hexes, enter_mp, is_passable, is_wet
from systems.battletech.play import Play, Tale, Task, rolled, rules
from systems.battletech.roll import Check, Roller, check
from systems.battletech.scene import Combatant, Table
from tabletop.geometry.pose import Pose
from tabletop.messages import say
from tabletop.ruling.charge import Step
from tabletop.ruling.finding import Assumed, assumed
from tabletop.table.hexes import neighbour
from tabletop.table.hexes import number as hex_number
from tabletop.table.state import Hex

Reason = Literal["off_board", "prohibited", "too_high", "not_displaceable"]

HELD_BY: Mapping[Reason, str] = {
    "off_board": "{name} would leave the board",
    "prohibited": "the hex behind {name} is prohibited to it",
    "too_high": "the hex behind {name} is too high for it",
    "not_displaceable": "{name} cannot be pushed",
}

MOVES = {
    "displace": "displace.push",
    "step_out": "displace.domino",
    "advance": "displace.advance",
    "skid": "displace.advance",
    "miss": "miss.placement",
}
"""Kinds of steps by which units are displaced, and their rules."""

MISS_TURNS = {"front_sides": 1, "rear_sides": 2}
"""Hexsides from straight ahead to the hexes beside the target, by choice."""


@dataclass(frozen=True)
class PushLine:
    """Units that are pushed one by one, nearest first, as far as they can be; `reason` and `by` say what holds the last one."""

    names: tuple[str, ...]
    reason: Reason | None = None
    by: str | None = None


def push(play: Play, roller: Roller, name: str) -> Play:  # noqa: ARG001 - rolls come later
    """Push a unit that was hit, if all behind it can be; the charger takes its place."""
    unit = play.table.units[name]
    line = line_of(play.table, unit, play.forward)
    if line.reason is not None:
        return play.but(push="blocked").telling(partial(_tell_blocked, name, line))
    moved = play.but(push="moved").telling(partial(_tell_push, name, neighbour(unit.hex, play.forward)))
    return moved.then((topple, (line.names[1:], (name,), play.forward, unit.hex)))


def line_of(table: Table, unit: Combatant, direction: int) -> PushLine:
    """Follow a push from unit to unit, nobody stepping out, to where it ends or is held up."""
    names: list[str] = []
    behind: Combatant | None = unit
    while behind is not None:
        names.append(behind.name)
        reason = _obstacle(table, behind, direction)
        if reason is not None:
            return PushLine(tuple(names), reason, behind.name)
        behind = table.crowding(neighbour(behind.hex, direction), behind)
    return PushLine(tuple(names))


def _obstacle(table: Table, unit: Combatant, direction: int) -> Reason | None:
    """Give why a unit cannot be pushed into the next hex, whoever is there."""
    place = neighbour(unit.hex, direction)
    if unit.profile.type == "dropship":
        return "not_displaceable"
    if not table.board.holds(place):
        return "off_board"
    if table.is_prohibited(place, unit):
        return "prohibited"
    return "too_high" if table.rise(unit.hex, place, unit) > table.climb(unit) else None


def _tell_blocked(name: str, line: PushLine, journal: Tale) -> Tale:
    reason = say(HELD_BY[line.reason], name=line.by) if line.reason else ""
    text = say("{name} cannot be pushed on: {reason}. Neither moves.", name=name, reason=reason)
    told = journal.finding("displace.blocked", text)
    return told.with_metrics(displacement="blocked", blocked_reason=line.reason, blocked_by=line.by, chain=[], domino_psr=[])


def _tell_push(name: str, place: Hex, journal: Tale) -> Tale:
    text = say("{name} is pushed one hex on, to {place}, and keeps its facing.", name=name, place=hex_number(place))
    return journal.finding("displace.push", text).with_metrics(displacement="moved", chain=[], domino_psr=[])


def topple(play: Play, roller: Roller, waiting: tuple[str, ...], pushed: tuple[str, ...], direction: int, place: Hex) -> Play:
    """Let the next of those who wait for a push roll: a standing 'Mech that passes may step out, and ends the line.

    When nobody waits any more all move together, the charger into `place`.
    """
    if not waiting:
        return play.then((_move, (pushed, None, direction, place)))
    unit = play.table.units[waiting[0]]
    onward: Task = (topple, (waiting[1:], (*pushed, unit.name), direction, place))
    if not unit.is_mech or unit.is_prone:
        return play.then(onward)
    roll = roller.pick(check(piloting(play.table, unit)), say("{unit} in the way of a push", unit=unit.name))
    way = play.declared.keys.domino.get(unit.name, "stay")
    aside = step_out(play.table, unit, way, direction=direction) if roll.is_passed else None
    asks_mp = roll.is_passed and way != "stay"
    using = assumed(unit, "piloting", "unspent_mp") if asks_mp else assumed(unit, "piloting")
    told = play.telling(partial(_tell_domino, unit.name, roll, aside, using))
    if aside is not None:
        return told.then((_move, (pushed, (unit.name, aside), direction, place)))
    return (told if roll.is_passed else told.but(toppled=(*play.toppled, (unit.name, roll.number)))).then(onward)


def _tell_domino(name: str, roll: Check, aside: Hex | None, using: tuple[Assumed, ...], journal: Tale) -> Tale:
    way = say("is pushed on") if roll.is_passed else say("is pushed on and falls")
    way = say("steps out to {place}", place=hex_number(aside)) if aside else way
    text = say("{name} stands in the way of the push and {rolled}; it {way}.", name=name, rolled=rolled(roll), way=way)
    told = journal.step(Step("psr", name, rules=rules("displace.domino"), text=text)).listed("domino_psr", roll.number)
    return told.finding("displace.domino", text, measured=roll.total, limit=roll.number, using=using)


def step_out(table: Table, unit: Combatant, way: str, *, direction: int) -> Hex | None:
    """Give the hex into which a unit steps out of a push that comes in a direction; None if it stays, or cannot."""
    if way == "stay" or (direction - unit.facing) % 3 == 0 or "jumped" in unit.status or unit.is_immobile:
        return None
    place = neighbour(unit.hex, unit.facing + (0 if way == "forward" else 3))
    if not table.board.holds(place) or not is_passable(table, unit.hex, place, unit) or place in enemy_hexes(table, unit):
        return None
    is_barred = (
        unit.profile.ran
        if way == "forward" and is_wet(table, place, unit)
        else way == "back" and (unit.profile.ran or table.rise(unit.hex, place, unit) != 0)
    )
    is_taken = any(other.is_mech for other in table.units_in(place)) or table.crowding(place, unit) is not None
    return None if is_barred or is_taken or enter_mp(table, unit.hex, place, unit) > unit.profile.unspent_mp else place


def _move(play: Play, roller: Roller, pushed: tuple[str, ...], aside: tuple[str, Hex] | None, direction: int, place: Hex) -> Play:  # noqa: ARG001
    """Move all who are pushed, who steps aside, and the charger; then fall those who failed their rolls or dropped."""
    before = play.table
    ends = [(before.units[name], neighbour(before.units[name].hex, direction)) for name in reversed(pushed)]
    moves = [("displace", unit, unit.at(end)) for unit, end in ends]
    if aside is not None:
        unit = before.units[aside[0]]
        moves.insert(0, ("step_out", unit, unit.at(aside[1])))
    followed = "advance" if play.skid is None else "skid"
    moves.append((followed if play.options is None else "miss", play.charger, play.charger.at(place)))
    after = play
    for _, _, moved in moves:
        after = after.with_unit(moved)
    drops = {unit.name: _drop(before, unit, end) for unit, end in ends}
    chain = tuple(name for name in pushed if name != play.struck)
    poses = tuple((kind, one.name, before.pose(one), before.pose(end)) for kind, one, end in moves)
    return after.telling(partial(_tell_moves, poses, chain, tuple(drops.items()))).then(*_falls(play, pushed, drops))


def _falls(play: Play, pushed: tuple[str, ...], drops: Mapping[str, int]) -> Iterator[Task]:
    """Give the falls after a push: of those in the way, nearest first, and then of the target if it drops."""
    failed = dict(play.toppled)
    for name in sorted(pushed, key=lambda name: name == play.struck):
        if name in failed or drops[name]:
            yield fall, (name, failed.get(name), drops[name])


def _drop(table: Table, unit: Combatant, end: Hex) -> int:
    """Count the levels that a unit drops, if they are enough to make it fall."""
    levels = -table.rise(unit.hex, end, unit)
    return levels if levels >= table.book.drop_levels else 0


def _tell_moves(
    moves: tuple[tuple[str, str, Pose, Pose], ...], chain: tuple[str, ...], drops: tuple[tuple[str, int], ...], journal: Tale
) -> Tale:
    told = journal.step(*(Step(kind, name, start, end, rules=rules(MOVES[kind])) for kind, name, start, end in moves))
    kind, charger, *_ = moves[-1]
    if kind != "miss":
        told = told.finding("displace.advance", say("{charger} takes the hex that its target left.", charger=charger))
    for name, levels in drops:
        if levels:
            text = say("{name} is pushed down {levels} levels, and falls.", name=name, levels=levels)
            told = told.finding("displace.drop", text, measured=levels)
    return told.with_metrics(chain=list(chain)) if kind != "miss" or chain else told


# After a miss.


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
    text = say("{name} has no hex beside its target to go to, and stays.", name=name)
    if place:
        text = say("{name} goes to {place}.", name=name, place=hex_number(place))
    return journal.with_metrics(miss_options=[hex_number(option) for option in options]).finding("miss.placement", text)

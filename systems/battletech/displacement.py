"""Displacement: a target hit is pushed one hex, and units behind it in turn; a charger that misses goes beside its
target.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from systems.battletech.damage import piloting
from systems.battletech.effects import fall
from systems.battletech.move import enemy_hexes, enter_mp, is_passable, is_wet
from systems.battletech.play import ChargeState, Task, rolled
from systems.battletech.roll import Roller, check
from systems.battletech.scene import CombatUnit, Table
from tabletop.messages import say
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import assumed
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
    """Names of the units that a push moves, one behind the other, nearest first.

    `reason` and `by` tell what stops the last of them, and its name; None if nothing does.
    """

    names: tuple[str, ...]
    reason: Reason | None = None
    by: str | None = None


def push(state: ChargeState, roller: Roller, name: str) -> ChargeState:
    """Return the state after pushing a unit that was hit one hex ahead of the charge, with the units behind it and the
    charger after it.

    If a unit in the line cannot be pushed, nobody moves.
    """
    unit = state.table.units[name]
    line = line_of(state.table, unit, state.forward)
    if line.reason is not None:
        if roller.report:
            reason = say(HELD_BY[line.reason], name=line.by)
            text = say(
                "{name} cannot be pushed away, because {reason}, so neither unit moves.",
                name=name,
                reason=reason,
            )
            side = (state.table.hexside(unit.hex, neighbour(unit.hex, state.forward)),)
            mark = replace(
                state.table.mark(say("cannot be pushed away"), unit.hex, side, stage="after"),
                is_met=False,
            )
            roller.report.finding("displace.blocked", text, mark=mark)
            held = {"displacement": "blocked", "blocked_reason": line.reason, "blocked_by": line.by}
            roller.report.metrics |= {**held, "chain": [], "domino_psr": []}
        return state.but(push="blocked")
    if roller.report:
        place = hex_number(neighbour(unit.hex, state.forward))
        text = say(
            "{name} is pushed one hex away, to hex {place}, and keeps its facing.",
            name=name,
            place=place,
        )
        roller.report.finding("displace.push", text)
        roller.report.metrics |= {"displacement": "moved", "chain": [], "domino_psr": []}
    return state.but(push="moved").then(
        (topple, (line.names[1:], (name,), state.forward, unit.hex))
    )


def line_of(table: Table, unit: CombatUnit, direction: int) -> PushLine:
    """Return the line of units that a push in a direction reaches, if nobody steps out of it, up to its end or to what
    stops it.
    """
    names: list[str] = []
    behind: CombatUnit | None = unit
    while behind is not None:
        names.append(behind.name)
        reason = _obstacle(table, behind, direction)
        if reason is not None:
            return PushLine(tuple(names), reason, behind.name)
        behind = table.crowding(neighbour(behind.hex, direction), behind)
    return PushLine(tuple(names))


def _obstacle(table: Table, unit: CombatUnit, direction: int) -> Reason | None:
    """Return why a unit cannot be pushed into the next hex in a direction, regardless of units there; None if it
    can.
    """
    place = neighbour(unit.hex, direction)
    if unit.profile.type == "dropship":
        return "not_displaceable"
    if not table.board.holds(place):
        return "off_board"
    if table.is_prohibited(place, unit):
        return "prohibited"
    return "too_high" if table.rise(unit.hex, place, unit) > table.climb(unit) else None


def topple(
    state: ChargeState,
    roller: Roller,
    waiting: tuple[str, ...],
    pushed: tuple[str, ...],
    direction: int,
    place: Hex,
) -> ChargeState:
    """Return the state after resolving the next of the `waiting` units in the line of a push.

    A standing 'Mech that passes its piloting roll may step out, which ends the line; every other unit is pushed and
    joins `pushed`. When none waits any more, all move together, and the charger moves into `place`.
    """
    if not waiting:
        return state.then((_move, (pushed, None, direction, place)))
    unit = state.table.units[waiting[0]]
    onward: Task = (topple, (waiting[1:], (*pushed, unit.name), direction, place))
    way = state.declared.keys.domino.get(unit.name, "stay")
    if not unit.is_mech or unit.is_prone:
        if roller.report and way != "stay":
            text = say(
                "{name} is in the way of the push; it is pushed away, since only a standing 'Mech may step aside.",
                name=unit.name,
            )
            roller.report.finding("displace.domino", text)
        return state.then(onward)
    roll = roller.pick(
        check(piloting(state.table, unit)), say("{unit} in the way of a push", unit=unit.name)
    )
    aside = None
    bar = None
    if way != "stay":
        bar = (
            next(step_bars(state.table, unit, way, direction=direction), None)
            if roll.is_passed
            else say("it failed its roll")
        )
        aside = stepped_to(unit, way) if bar is None else None
    if roller.report:
        what = say("is pushed away") if roll.is_passed else say("is pushed away and falls")
        if aside is not None:
            what = say("steps aside to hex {place}", place=hex_number(aside))
        parts = {"name": unit.name, "rolled": rolled(roll), "way": what}
        text = say("{name} is in the way of the push and {rolled}; it {way}.", **parts)
        if bar is not None:
            text = say(
                "{name} is in the way of the push and {rolled}; it {way}. The declared step is not taken: {bar}.",
                bar=bar,
                **parts,
            )
        roller.report.step("psr", unit.name, "displace.domino", text=text)
        roller.report.extend("domino_psr", roll.number)
        using = assumed(
            unit, "piloting", *(["unspent_mp"] if roll.is_passed and way != "stay" else [])
        )
        roller.report.finding(
            "displace.domino", text, measured=roll.total, limit=roll.number, using=using
        )
    if aside is not None:
        return state.then((_move, (pushed, (unit.name, aside), direction, place)))
    return (
        state if roll.is_passed else state.but(toppled=(*state.toppled, (unit.name, roll.number)))
    ).then(onward)


def stepped_to(unit: CombatUnit, way: str) -> Hex:
    """Return the hex into which a unit would step "forward" or "back"."""
    return neighbour(unit.hex, unit.facing + (0 if way == "forward" else 3))


def step_bars(table: Table, unit: CombatUnit, way: str, *, direction: int) -> Iterator[str]:
    """Yield the reasons why a unit that passed its roll may not step "forward" or "back" out of a push in a
    direction.
    """
    place = stepped_to(unit, way)
    here = hex_number(place)
    if (direction - unit.facing) % 3 == 0:
        yield say("hex {place} lies in the line of the push", place=here)
    if "jumped" in unit.status:
        yield say("it jumped this turn")
    if unit.is_immobile:
        yield say("it is immobile")
    if not table.board.holds(place):
        yield say("it would leave the board")
    if not is_passable(table, unit.hex, place, unit):
        yield say("it cannot enter hex {place}", place=here)
    if unit.profile.ran and (way == "back" or is_wet(table, place, unit)):
        yield say("it ran this turn, and a run leads neither back nor into water")
    if way == "back" and table.rise(unit.hex, place, unit) != 0:
        yield say("hex {place} is on another level", place=here)
    is_shared = (
        any(other.is_mech for other in table.units_in(place))
        or table.crowding(place, unit) is not None
    )
    if is_shared or place in enemy_hexes(table, unit):
        yield say("hex {place} is taken", place=here)
    needed = enter_mp(table, unit.hex, place, unit)
    left = unit.profile.unspent_mp
    if needed > left:
        yield say("it needs {needed} MP and has {left} left", needed=needed, left=left)


def _move(
    state: ChargeState,
    roller: Roller,
    pushed: tuple[str, ...],
    aside: tuple[str, Hex] | None,
    direction: int,
    place: Hex,
) -> ChargeState:
    """Return the state after all `pushed` units, the one that steps `aside`, and the charger have moved, with their
    falls as tasks.
    """
    before = state.table
    ends = [
        (before.units[name], neighbour(before.units[name].hex, direction))
        for name in reversed(pushed)
    ]
    moves = [("displace", unit, unit.at(end)) for unit, end in ends]
    if aside is not None:
        unit = before.units[aside[0]]
        moves.insert(0, ("step_out", unit, unit.at(aside[1])))
    followed = "advance" if state.skid is None else "skid"
    moves.append(
        (followed if state.options is None else "miss", state.charger, state.charger.at(place))
    )
    after = state
    for _, _, moved in moves:
        after = after.with_unit(moved)
    drops = {unit.name: _drop(before, unit, end) for unit, end in ends}
    if roller.report:
        for kind, unit, end in moves:
            roller.report.step(
                kind, unit.name, MOVES[kind], poses=(before.pose(unit), before.pose(end))
            )
        if state.options is None:
            text = say(
                "{charger} moves into the hex that its target left.", charger=state.charger.name
            )
            roller.report.finding("displace.advance", text)
        for name, levels in drops.items():
            if levels:
                text = say(
                    "{name} is pushed down {levels} levels and falls.", name=name, levels=levels
                )
                roller.report.finding("displace.drop", text, measured=levels)
        chain = [name for name in pushed if name != state.struck]
        if state.options is None or chain:
            roller.report.metrics["chain"] = chain
    return after.then(*_falls(state, pushed, drops))


def _falls(state: ChargeState, pushed: tuple[str, ...], drops: Mapping[str, int]) -> Iterator[Task]:
    """Yield the tasks of falls after a push: of units in the line, nearest first, then of the target if it drops.

    `drops` are the levels that each unit drops.
    """
    failed = dict(state.toppled)
    for name in sorted(pushed, key=lambda name: name == state.struck):
        if name in failed or drops[name]:
            yield fall, (name, failed.get(name), drops[name])


def _drop(table: Table, unit: CombatUnit, end: Hex) -> int:
    """Return the levels that a unit drops when pushed into a hex, or 0 if they are too few to make it fall."""
    levels = -table.rise(unit.hex, end, unit)
    return levels if levels >= table.book.drop_levels else 0


# After a miss.


def place_missed(state: ChargeState, roller: Roller) -> ChargeState:
    """Return the state with a charger that missed placed beside the target: on the declared side, else on the other,
    else left in place.
    """
    turn = MISS_TURNS[state.table.choices.miss_hexes]
    right = state.forward + turn
    left = state.forward - turn
    ways = [direction for direction in (right, left) if _is_open(state, direction)]
    options = tuple(neighbour(state.charger.hex, direction) for direction in ways)
    wanted = right if state.declared.keys.miss == "right" else left
    direction = wanted if wanted in ways else next(iter(ways), None)
    place = None if direction is None else neighbour(state.charger.hex, direction)
    if roller.report:
        name = state.charger.name
        text = say("{name} has no free hex beside its target to move into, so it stays.", name=name)
        if place is not None:
            text = say("{name} moves to hex {place}.", name=name, place=hex_number(place))
        if place is not None and direction != wanted:
            shut = hex_number(neighbour(state.charger.hex, wanted))
            text = say(
                "{moved} Hex {shut} on the other side is not open to it.", moved=text, shut=shut
            )
        roller.report.metrics["miss_options"] = [hex_number(option) for option in options]
        mark = None if place is None or direction is None else _beside(state, wanted, direction)
        roller.report.finding("miss.placement", text, mark=mark)
    missed = state.but(options=options)
    if direction is None or place is None:
        return missed
    return topple(missed, roller, _in_the_way(state, place, direction) or (), (), direction, place)


def _beside(state: ChargeState, wanted: int, taken: int) -> Mark:
    """Return a mark, for figures about the rule, of the hex taken beside the target, by the declared hexside and the
    one taken.
    """
    table = state.table
    start = state.charger.hex
    place = neighbour(start, taken)
    here = hex_number(place)
    words = (
        say("to {place}", place=here) if taken == wanted else say("to {place} instead", place=here)
    )
    return replace(
        table.mark(words, place, table.outline(place), stage="after"),
        is_for_point=True,
        is_met=taken == wanted,
    )


def _is_open(state: ChargeState, direction: int) -> bool:
    """Return whether a charger that missed may enter the next hex in a direction."""
    table = state.table
    unit = state.charger
    place = neighbour(unit.hex, direction)
    if (
        not table.board.holds(place)
        or table.is_prohibited(place, unit)
        or abs(table.rise(unit.hex, place, unit)) > table.climb(unit)
    ):
        return False
    return _in_the_way(state, place, direction) is not None


def _in_the_way(state: ChargeState, place: Hex, direction: int) -> tuple[str, ...] | None:
    """Return the names of the units that the charger pushes as it enters a hex, nearest first; empty if the hex has
    room for it.

    None if the charger may not enter, or if they cannot be pushed.
    """
    crowd = state.table.crowding(place, state.charger)
    if crowd is None:
        return ()
    if state.table.choices.miss_into_occupied == "not_allowed":
        return None
    line = line_of(state.table, crowd, direction)
    return None if line.reason else line.names

"""Ways to the target, one by one: what a given one breaks, and all there are."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracles.battletech.board import (
    Hex,
    Piece,
    Table,
    Tables,
    printed,
    read_hex,
    step,
    towards,
    turning,
)


@dataclass(frozen=True)
class Way:
    """Hexes entered before the target's, MP with the target's hex, walked or run, and the facing at the end."""

    hexes: tuple[Hex, ...]
    mp: int
    gait: str
    facing: int


def running(unit: Piece) -> int:
    """Return the MP of a run."""
    return int(unit.profile.get("run", -(-3 * unit.profile["walk"] // 2)))


def available(unit: Piece, charge: Tables) -> int:
    """Return the MP there are."""
    return int(unit.profile["walk"]) if charge.get("movement") == "walk" else running(unit)


def gait_of(mp: int, unit: Piece, charge: Tables) -> str:
    """Return whether a path is walked or run."""
    asked = charge.get("movement", "auto")
    return asked if asked != "auto" else ("walk" if mp <= unit.profile["walk"] else "run")


def is_deep(table: Table, unit: Piece, hexes: tuple[Hex, ...]) -> bool:
    """Return whether a path leads through water that must not be run through."""
    return not (unit.kind == "vehicle" and unit.motion == "hover") and any(
        table.at(place).depth for place in hexes
    )


def all_ways(table: Table, unit: Piece, goal: Hex, charge: Tables) -> Iterator[Way]:
    """Try every sequence of hexes that the MP allow."""
    most = available(unit, charge)
    rising = 0 if unit.is_up or unit.kind != "mech" else 2
    for hexes, mp, facing in _walks(table, unit, goal, most, [(unit.hex, unit.facing, rising)]):
        gait = gait_of(mp, unit, charge)
        if not (gait == "run" and is_deep(table, unit, hexes)):
            yield Way(hexes, mp, gait, facing)


def _walks(
    table: Table, unit: Piece, goal: Hex, most: int, walked: list[tuple[Hex, int, int]]
) -> Iterator[tuple[tuple[Hex, ...], int, int]]:
    place, facing, spent = walked[-1]
    direction = towards(place, goal)
    if direction is not None and _may_charge(table, unit, place, goal):
        total = spent + turning(facing, direction) + table.cost(place, goal, unit)
        if total <= most:
            yield tuple(place for place, _, _ in walked[1:]), total, direction
    for heading, end in _onward(table, unit, place, goal):
        total = spent + turning(facing, heading) + table.cost(place, end, unit)
        if total < most:
            yield from _walks(table, unit, goal, most, [*walked, (end, heading, total)])


def _onward(table: Table, unit: Piece, place: Hex, goal: Hex) -> Iterator[tuple[int, Hex]]:
    for heading in range(6):
        end = step(place, heading)
        if end != goal and may_enter(table, unit, place, end):
            yield heading, end


def may_enter(table: Table, unit: Piece, start: Hex, end: Hex) -> bool:
    """Return whether a step on the path is legal, apart from water."""
    enemies = [other for other in table.others(end) if other.side != unit.side]
    return (
        table.holds(end)
        and not table.barred(end, unit)
        and abs(table.rise(start, end, unit)) <= unit.climb
        and not enemies
    )


def _may_charge(table: Table, unit: Piece, place: Hex, goal: Hex) -> bool:
    return (
        may_stop(table, unit, place)
        and is_level(table, unit, place, goal)
        and not table.barred(goal, unit)
    )


def may_stop(table: Table, unit: Piece, place: Hex) -> bool:
    """Return whether there is room to wait."""
    return place == unit.hex or table.crowding(place, unit) is None


def is_level(table: Table, unit: Piece, place: Hex, goal: Hex) -> bool:
    """Return whether the charger may climb the last step."""
    most = unit.climb if table.rule("level_difference", "climb") == "climb" else 1
    return abs(table.rise(place, goal, unit)) <= most


def best_of(ways: list[Way]) -> tuple[Way, int]:
    """Return the best way by its four goals, and how many are as good but for their numbers."""

    def merit(way: Way) -> tuple[int, int, int]:
        return -len(way.hexes), 1 if way.gait == "walk" else 2, way.mp

    best = min(ways, key=lambda way: (*merit(way), way.hexes))
    return best, sum(merit(way) == merit(best) for way in ways)


def search_metrics(ways: list[Way]) -> Tables:
    """Return a search's metrics under the rulings' keys."""
    if not ways:
        return {"paths_legal": 0}
    best, equals = best_of(ways)
    hexes = sorted({len(way.hexes) for way in ways})
    return {
        "paths_legal": len(ways),
        "best_paths": equals,
        "option_hexes": hexes,
        "option_mp": [min(way.mp for way in ways if len(way.hexes) == count) for count in hexes],
        "option_paths": [sum(len(way.hexes) == count for way in ways) for count in hexes],
        "path_hexes": [printed(place) for place in best.hexes],
        "mp_spent": best.mp,
        "movement": best.gait,
    }


def given_way(table: Table, unit: Piece, goal: Hex, charge: Tables) -> tuple[Way | None, list[str]]:
    """Follow a path of the file, forward only, and give what it breaks."""
    hexes = tuple(read_hex(text) for text in charge["path"])
    places = (unit.hex, *hexes)
    headings = [towards(first, second) for first, second in zip(places, hexes, strict=False)]
    last = towards(places[-1], goal)
    if None in headings:
        return None, ["path.connected", *([] if last is not None else ["declare.front-hex"])]
    turns = [heading for heading in (*headings, last) if heading is not None]
    mp = _mp(table, unit, places if last is None else (*places, goal), turns)
    gait = gait_of(mp, unit, charge)
    is_wet = gait == "run" and is_deep(table, unit, hexes)
    is_shut = not all(
        place != goal and may_enter(table, unit, start, place)
        for start, place in zip(places, hexes, strict=False)
    )
    broken = {
        "declare.level-difference": last is not None
        and not is_level(table, unit, places[-1], goal),
        "path.enterable": is_shut or is_wet,
        "path.end-hex": not may_stop(table, unit, places[-1]),
        "declare.front-hex": last is None,
        "declare.enough-mp": last is not None and mp > available(unit, charge),
    }
    way = None if last is None else Way(hexes, mp, gait, last)
    return way, [rule for rule, is_broken in broken.items() if is_broken]


def _mp(table: Table, unit: Piece, places: tuple[Hex, ...], headings: list[int]) -> int:
    facing = unit.facing
    spent = 0 if unit.is_up or unit.kind != "mech" else 2
    for start, end, heading in zip(places, places[1:], headings, strict=False):
        spent += turning(facing, heading) + table.cost(start, end, unit)
        facing = heading
    return spent

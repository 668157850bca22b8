"""Who is pushed where: the whole line first, then the rolls, then all at once; and the hex of a miss."""

from dataclasses import dataclass

from tests.oracles.battletech.board import Hex, Piece, step
from tests.oracles.battletech.play import Play


@dataclass
class Line:
    """Units pushed one after the other, and why and by whom the line is blocked, if it is."""

    units: list[Piece]
    reason: str | None = None
    who: str | None = None


def line_of(play: Play, first: Piece, direction: int, *, gone: tuple[str, ...]) -> Line:
    """Follow a push to its end; units that have gone stand in nobody's way."""
    line = Line([])
    unit: Piece | None = first
    while unit is not None:
        line.units.append(unit)
        end = step(unit.hex, direction)
        line.reason = _obstacle(play, unit, end)
        if line.reason is not None:
            line.who = unit.name
            return line
        unit = play.table.crowding(end, unit, *gone, *(one.name for one in line.units))
    return line


def _obstacle(play: Play, unit: Piece, end: Hex) -> str | None:
    if unit.kind == "dropship":
        return "not_displaceable"
    if not play.table.holds(end):
        return "off_board"
    if play.table.barred(end, unit):
        return "prohibited"
    return "too_high" if play.table.rise(unit.hex, end, unit) > unit.climb else None


def push(play: Play, target: Piece, direction: int) -> bool:
    """Push a target that was hit, with all behind it; give whether there was room."""
    line = line_of(play, target, direction, gone=(play.charger.name,))
    if line.reason is not None:
        play.log |= {
            "displacement": "blocked",
            "blocked_reason": line.reason,
            "blocked_by": line.who,
        }
        return False
    play.log["displacement"] = "moved"
    settle(play, line.units, direction, is_target=True)
    return True


def settle(play: Play, line: list[Piece], direction: int, *, is_target: bool) -> None:
    """Roll for the dominoes, move everybody, and let fall who falls."""
    moving, failed = (line[:1], {}) if is_target else ([], {})
    goal: tuple[Piece, Hex] | None = None
    for unit in line[len(moving) :]:
        if unit.is_up:
            play.log["domino_psr"].append(unit.skill)
            holds = play.passes(unit.skill)
            end = _way_out(play, unit, direction, line) if holds else None
            if end is not None:
                goal = (unit, end)
                break
            if not holds:
                failed[unit.name] = unit.skill
        moving.append(unit)
    play.log["chain"] += [unit.name for unit in moving[is_target:]]
    drops = _move(play, moving, direction)
    if goal is not None:
        goal[0].hex = goal[1]
    _let_fall(play, [*moving[is_target:], *moving[: int(is_target)]], failed, drops)


def _move(play: Play, moving: list[Piece], direction: int) -> dict[str, int]:
    drops = {}
    for unit in moving:
        end = step(unit.hex, direction)
        down = -play.table.rise(unit.hex, end, unit)
        drops[unit.name] = down if down >= 2 else 0  # a step down of one level is no fall
        unit.hex = end
    return drops


def _let_fall(
    play: Play, moved: list[Piece], failed: dict[str, int], drops: dict[str, int]
) -> None:
    for unit in moved:
        levels = drops[unit.name]
        if unit.name in failed:
            play.fall(unit, failed[unit.name], levels)
        elif levels and unit.kind in {"mech", "vehicle"}:
            play.fall(unit, None, levels)


def _way_out(play: Play, unit: Piece, direction: int, line: list[Piece]) -> Hex | None:
    said = play.charge.get("domino", {}).get(unit.name, "stay")
    if said == "stay" or (unit.facing - direction) % 3 == 0 or unit.status & {"jumped", "immobile"}:
        return None
    if said == "back" and unit.profile.get("ran"):
        return None
    end = step(unit.hex, unit.facing + (3 if said == "back" else 0))
    if said == "back" and play.table.rise(unit.hex, end, unit):
        return None  # nobody climbs backwards
    return end if _may_step(play, unit, end, line) else None


def _may_step(play: Play, unit: Piece, end: Hex, line: list[Piece]) -> bool:
    table = play.table
    if (
        not table.holds(end)
        or table.barred(end, unit)
        or abs(table.rise(unit.hex, end, unit)) > unit.climb
    ):
        return False
    if table.cost(unit.hex, end, unit) > unit.unspent_mp:
        return False
    return table.crowding(end, unit, *(one.name for one in line)) is None


def miss(play: Play) -> None:
    """Place a charger that has missed."""
    apart = 1 if play.rule("miss_hexes", "front_sides") == "front_sides" else 2
    unit = play.charger
    options = {"right": unit.facing + apart, "left": unit.facing - apart}
    options = {side: direction for side, direction in options.items() if _may_miss(play, direction)}
    play.log["miss_options"] = [
        f"{place[0]:02d}{place[1]:02d}"
        for place in (step(unit.hex, one) for one in options.values())
    ]
    if not options:
        return
    direction = options.get(play.charge.get("miss", "right"), next(iter(options.values())))
    end = step(unit.hex, direction)
    other = play.table.crowding(end, unit)
    if other is not None:
        settle(
            play,
            line_of(play, other, direction, gone=(unit.name,)).units,
            direction,
            is_target=False,
        )
    unit.hex = end


def _may_miss(play: Play, direction: int) -> bool:
    table = play.table
    unit = play.charger
    end = step(unit.hex, direction)
    if (
        not table.holds(end)
        or table.barred(end, unit)
        or abs(table.rise(unit.hex, end, unit)) > unit.climb
    ):
        return False
    other = table.crowding(end, unit)
    if other is None:
        return True
    return (
        play.rule("miss_into_occupied", "not_allowed") == "domino"
        and line_of(play, other, direction, gone=(unit.name,)).reason is None
    )

"""A skid, hex by hex, and what it runs into."""

from typing import Protocol

from tests.oracles.battletech.board import Hex, Piece, step
from tests.oracles.battletech.play import Play


class Strike(Protocol):
    """A collision, to be rolled for and settled."""

    def __call__(self, play: Play, target: Piece | None, place: Hex, *, harder: int) -> bool:
        """Return whether it hit."""


def skid(play: Play, target: Piece | None, most: int, number: int, strike: Strike) -> bool:
    """Slide up to so many hexes; give whether the declared target was hit."""
    unit = play.charger
    unit.status.add("prone")
    play.log["fell"].append(unit.name)
    play.log |= {"skid_limit": most, "unintentional": False}
    been = [unit.hex]
    is_hit = False
    for _ in range(most):
        before = unit.hex
        is_hit, goes_on = _slide(play, target, strike)
        if unit.hex != before:
            been.append(unit.hex)
        if not goes_on:
            break
    _finish(play, been, number)
    return is_hit


def _finish(play: Play, been: list[Hex], number: int) -> None:
    unit = play.charger
    while (
        len(been) > 1
        and play.table.crowding(been[-1], unit) is not None
        and play.log.get("displacement") != "moved"
    ):
        play.log["skidded"] = play.log.get("skidded", 0) + 1
        been.pop()
    unit.hex = been[-1]
    hexes = len(been) - 1 + play.log.pop("skidded", 0)
    play.log |= {"skid_hexes": hexes, "skid_damage": hexes * -(-unit.tenths // 2)}
    play.hurt(unit, hexes * -(-unit.tenths // 2), "front")
    if play.rule("skid_damage", "per_hex") == "per_hex_and_fall":
        play.fall(unit, number, 0)


def _slide(play: Play, target: Piece | None, strike: Strike) -> tuple[bool, bool]:
    """Return whether the declared target was hit, and whether it slides on."""
    unit = play.charger
    table = play.table
    end = step(unit.hex, unit.facing)
    if not table.holds(end):
        return False, False
    if table.rise(unit.hex, end, unit) > 0:
        play.forget()
        play.meet_ground()
        play.log["damage_charger"] = unit.tenths
        play.hurt(unit, unit.tenths, "front")
        return False, False
    if table.barred(end, unit):
        play.hurt(unit, -(-unit.tons // 5), "front")
        return False, False
    return _meet(play, target, end, strike)


def _meet(play: Play, target: Piece | None, end: Hex, strike: Strike) -> tuple[bool, bool]:
    unit = play.charger
    table = play.table
    there = list(table.others(end, unit.name))
    struck = target if target in there else next(iter(there), None)
    if struck is not None:
        play.log["unintentional"] = True
        if strike(play, struck, end, harder=3):
            return struck is target, False
    if table.at(end).cf:
        strike(play, None, end, harder=3)
        return target is None, False
    drop = -table.rise(unit.hex, end, unit)
    unit.hex = end
    if drop >= 2:
        play.fall(unit, None, drop)
        return False, False
    return False, True

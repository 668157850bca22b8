"""The course of a charge once it is declared: its way, the weapons, the roll to hit, and what comes of it."""

from collections.abc import Mapping
from dataclasses import replace

from systems.battletech.collision import TO_HIT, after_weapons, charge_target, weapon_roll
from systems.battletech.effects import path_tasks
from systems.battletech.explain import decided
from systems.battletech.play import Play, Task, begin, in_hexes
from systems.battletech.roll import ChargeReport, Faces, Roller
from systems.battletech.rules import PREFIX
from systems.battletech.scene import Declared, Resolved, Table
from tabletop.messages import listed, say
from tabletop.ruling.charge import Metric
from tabletop.ruling.evidence import Dice
from tabletop.ruling.finding import Finding
from tabletop.table.dice import DiceStream
from tabletop.table.hexes import distance, neighbour
from tabletop.table.hexes import number as hex_number


def course(declared: Declared, table: Table, *, keep: frozenset[str] = frozenset()) -> Play:
    """Give a charge before anything is rolled, with all that is to do; `keep` names units that later charges ask for."""
    play = begin(declared, table, keep=keep)
    weapons: tuple[Task, ...] = ((weapon_roll, (True,)), (weapon_roll, (False,)), (after_weapons, ((resolve_in_front, ()),)))
    return play.then(*path_tasks(play), *weapons)


def resolve_declared(declared: Declared, table: Table, hand: DiceStream) -> Resolved:
    """Resolve a charge with faces taken from a hand.

    Raises
    ------
    ScenarioError
        If the hand has too few.
    """
    play, roller = course(declared, table), Faces(hand)
    while play.agenda:
        play = play.stepped(roller)
    return _resolved(play, roller.report, roller.taken.get(TO_HIT, ()))


def after(play: Play) -> Table:
    """Give the table after a charge, its buildings worn."""
    table = play.table
    for place in dict.fromkeys(place for place, _ in play.wear):
        table = table.with_cf(place, play.cf(place))
    return table


def resolve_in_front(play: Play, roller: Roller) -> Play:
    """Charge what is in the hex in front, if that is the target still."""
    target, place = play.target, play.declared.target_hex
    charger = play.charger
    in_front = neighbour(charger.hex, charger.facing)
    off = distance(in_front, place if target is None else target.hex)
    is_there = off == 0 and (target is not None or play.cf(place) > 0)
    if roller.report:
        parts = {"what": play.declared.target or say("The building"), "name": charger.name}
        text, measured = say("{what} is in {place}, straight before {name}.", place=hex_number(in_front), **parts), None
        if off:
            text, measured = say("{what} is not straight before {name} any more, but {hexes} off.", hexes=in_hexes(off), **parts), off
        elif not is_there:
            text = say("{what} is not straight before {name} any more.", **parts)
        limit = None if measured is None else 0
        roller.report.finding("resolve.front-hex", text, ok=is_there, measured=measured, limit=limit, has_margin=True)
    return charge_target(play, roller) if is_there else _gone(play.but(rule="resolve.front-hex"), roller)


def _gone(play: Play, roller: Roller) -> Play:
    """Leave the charger where it stands if its target is gone; by choice it goes into the old hex, if there is room."""
    unit, place = play.charger, play.declared.target_hex
    if play.table.choices.target_gone == "stay" or play.front != place or play.table.crowding(place, unit) is not None:
        return play
    moved = unit.at(place)
    if roller.report:
        text = say("{name} goes on to where its target was.", name=unit.name)
        roller.report.step("advance", unit.name, "resolve.front-hex", poses=(play.table.pose(unit), play.table.pose(moved)), text=text)
    return play.with_unit(moved)


def _resolved(play: Play, report: ChargeReport, faces: tuple[int, ...]) -> Resolved:
    success = play.is_success
    rule = None if success or play.rule is None else PREFIX + play.rule
    findings = tuple(
        (replace(finding, ok=False, margin=_missing(finding)) if finding.rule == rule and finding.ok else finding)
        for finding in report.findings
    )
    metrics = {"displacement": "none", "fell": list(dict.fromkeys(play.fell)), **report.metrics, **_ends(play)}
    return Resolved(
        "success" if success else "failed",
        rule,
        _summary(play, report.metrics),
        after(play),
        findings,
        tuple(report.steps),
        metrics,
        1 if play.options is None else len(play.options),
        deciding=decided(play, report.findings),
        dice=_dice(faces, report.metrics["tn"]) if faces and "roll" in report.metrics else None,
        last_met=play.strikes[-1].met if play.strikes else None,
    )


def _missing(finding: Finding) -> float | None:
    """Give the margin of a roll that failed and so decided the charge: what it was short of its number."""
    if finding.measured is None or finding.limit is None or finding.measured >= finding.limit:
        return None
    return finding.measured - finding.limit


def _dice(faces: tuple[int, ...], number: Metric) -> Dice:
    return Dice(faces, say("= {total}, needs {number}", total=sum(faces), number=number))


def _ends(play: Play) -> dict[str, Metric]:
    """Give where charger and target, or what was met last, stand at the end, and what is left of the building in the target's hex."""
    board = play.table.board
    place = play.strikes[-1].place if play.strikes else play.declared.target_hex
    target = place if play.struck is None else play.table.units[play.struck].hex
    charger_at, target_at = board.centre(play.charger.hex), board.centre(target)
    ends: dict[str, Metric] = dict(zip(("charger_x", "charger_y", "target_x", "target_y"), (*charger_at, *target_at), strict=True))
    return {**ends, "building_cf": play.cf(place)} if play.table.at(place).is_building else ends


MISSED_BY: Mapping[str, str] = {
    "weapon.charger-fell": say("it fell to weapon fire"),
    "weapon.target-fell": say("its target fell to weapon fire"),
    "weapon.mp-loss": say("it lost all its MP"),
    "resolve.front-hex": say("its target is not before it any more"),
    "tohit.roll": say("the roll to hit failed"),
}


def _summary(play: Play, metrics: Mapping[str, Metric]) -> str:
    """Say what came of the charge."""
    name = play.declared.charger
    met = play.declared.target or say("the building in {place}", place=hex_number(play.declared.target_hex))
    fell = say(" {names} fell.", names=listed(dict.fromkeys(play.fell), " and ")) if play.fell else ""
    if not play.is_success:
        return say("{name} does not hit {met}: {why}.{fell}", name=name, met=met, why=MISSED_BY[play.rule or "tohit.roll"], fell=fell)
    ends = {"moved": say(" {met} is pushed on.", met=met), "blocked": say(" {met} cannot be pushed on.", met=met)}.get(play.push, "")
    points = metrics.get("damage_through", metrics["damage_target"])
    parts = {"name": name, "met": met, "points": points, "own": metrics["damage_charger"], "ends": ends, "fell": fell}
    return say("{name} hits {met}: {points} points to it, {own} to {name}.{ends}{fell}", **parts) + _worn_words(play)


def _worn_words(play: Play) -> str:
    """Say what is left of the building in the target's hex, in full: what the hit takes off it, and what who goes in does."""
    place = play.declared.target_hex
    left, terms = play.table.at(place).cf, [str(play.table.at(place).cf)]
    for points in (points for worn, points in play.wear if worn == place and points):
        terms.append(str(min(points, left)))
        left = max(left - points, 0)
    return say(" Building: CF {sum} = {left}.", sum=" \N{MINUS SIGN} ".join(terms), left=left) if len(terms) > 1 else ""

"""Rulings: charges that may not be declared, and what came of those that were; what decided them, for figures."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from systems.battletech.conditions import KINDS, Declaration, gaps, hex_before, hindrances, last_hex, obstacles, wrong_steps
from systems.battletech.declare import DeclaredCharge, metrics_of, notes_of
from systems.battletech.move import ChargePath
from systems.battletech.play import ChargeState, Strike, in_hexes
from systems.battletech.rules import PREFIX, RULES
from systems.battletech.scene import Chances, Resolved, Table
from tabletop.geometry.pose import Point
from tabletop.messages import counted, listed, say, word
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Evidence, Mark, Stage
from tabletop.ruling.finding import Finding, in_order
from tabletop.ruling.verdict import Ruling
from tabletop.table.hexes import FACINGS, HexBoard, direction, distance, neighbour, number
from tabletop.table.state import Hex

BODY = 0.32
"""Hexes from the middle of a hex within which the unit in it is drawn, over which no line runs."""

Line = tuple[Point, Point]


def refused(claim: DeclaredCharge) -> Ruling:
    """Rule that a charge may not be declared."""
    broken = claim.refusals[0]
    aim = claim.asked.aim
    more = len(claim.refusals) - 1
    text = say("{charger} may not charge {aim}. {reason}", charger=aim.charger.name, aim=aim.name, reason=broken.text)
    if more:
        text += say(" 1 more rule is broken.") if more == 1 else say(" {more} more rules are broken.", more=more)
    return Ruling(
        claim.charge,
        "not_allowed",
        text,
        rule=broken.rule,
        findings=in_order(tuple(one if one.ok else replace(one, mark=_refused(claim.asked, one)) for one in claim.findings), RULES),
        metrics=metrics_of(claim),
        choices=1,
        evidence=Evidence(notes=notes_of(claim)),
    )


def ruled(claim: DeclaredCharge, resolved: Resolved, chances: Chances, ways: tuple[Step, ...]) -> Ruling:
    """Rule on a charge that was declared and resolved.

    `chances` are those it had when its turn came, `ways` the steps of chargers to their last hexes that go before.
    """
    return Ruling(
        claim.charge,
        resolved.outcome,
        resolved.summary,
        rule=resolved.rule,
        shortest_roll=chances.shortest_roll,
        chance_success=chances.success,
        findings=in_order((*claim.findings, *resolved.findings), RULES),
        metrics={**metrics_of(claim), **resolved.metrics, **chances.metrics},
        steps=(*ways, *resolved.steps),
        choices=resolved.choices,
        evidence=Evidence(notes=notes_of(claim), dice=resolved.dice),
    )


# What decided a charge, where it is seen.


@dataclass(frozen=True)
class Shown:
    """A few words about a hex, and lines and limits as those of `Mark`: the words stand at the first line, else right of the hex."""

    words: str
    place: Hex
    lines: tuple[Line, ...] = ()
    limits: tuple[Line, ...] = ()

    def on(self, board: HexBoard, *, is_after: bool = False) -> Mark:
        """Give the mark that it is on a board."""
        x, y = board.centre(self.place)
        (start_x, start_y), (end_x, end_y) = self.lines[0] if self.lines else ((x + board.hex_inches / math.sqrt(3.0), y),) * 2
        at = (start_x + end_x) / 2, (start_y + end_y) / 2
        stage: Stage = "after" if is_after else "before"
        return Mark(self.words, at, self.lines, self.limits, stage=stage)


Refusal = Callable[[Declaration, Finding], Shown]

Failure = Callable[[ChargeState, Sequence[Finding]], Shown]


def _refused(asked: Declaration, refusal: Finding) -> Mark:
    """Show a rule by which a charge may not be declared."""
    return REFUSED[refusal.rule.removeprefix(PREFIX)](asked, refusal).on(asked.aim.table.board)


def decided(state: ChargeState, findings: Sequence[Finding]) -> dict[str, Mark]:
    """Show by what rule a charge failed that is over, or what its hit came to; `findings` are those of the procedure, as they were told."""
    board = state.table.board
    damage = next((strike.damage for strike in state.strikes if strike.damage is not None and state.is_meant(strike)), None)
    if damage is None:
        return {} if state.rule is None else {PREFIX + state.rule: FAILED[state.rule](state, findings).on(board, is_after=True)}
    place = state.declared.target_hex if state.target is None else state.target.hex
    points, target = counted(damage.reaching, "points"), state.declared.charge.targets[0]
    words = say("{points} to {target}", points=points, target=target)
    rule = f"{PREFIX}unusual.building" if state.target is None else f"{PREFIX}damage.target"
    shown = {rule: Shown(words, place).on(board, is_after=True)}
    if state.push == "blocked":
        held = Shown(say("cannot be pushed on"), place, (_hexside(board, place, neighbour(place, state.forward)),))
        shown[f"{PREFIX}displace.blocked"] = held.on(board, is_after=True)
    return shown


def _charger(words: Callable[[Declaration], str]) -> Refusal:
    return lambda asked, _: Shown(words(asked), asked.aim.charger.hex)


def _target(words: Callable[[Declaration], str]) -> Refusal:
    return lambda asked, _: Shown(words(asked), asked.aim.target_hex)


def _target_ringed(words: Callable[[Declaration], str]) -> Refusal:
    return lambda asked, _: Shown(words(asked), asked.aim.target_hex, _ring(asked.aim.table.board, asked.aim.target_hex))


def _when(asked: Declaration) -> str:
    phase = asked.aim.keys.declared_in
    return say("has moved already") if phase == "movement" else say("declares in the {phase} phase", phase=word(phase))


def _kind(asked: Declaration) -> str:
    return KINDS[asked.aim.target.profile.type] if asked.aim.target is not None else say("a building")


def _unfinished(asked: Declaration) -> str:
    return say("charges later itself") if asked.aim.name in asked.later else say("has not moved yet")


def _taken(asked: Declaration) -> str:
    aim = asked.aim
    others = [other for other in asked.earlier if other.target == (aim.target and aim.target.name) and other.target_hex == aim.target_hex]
    return say("{charger} charges it already", charger=others[0].charger) if others else say("charged already")


def _housed(asked: Declaration) -> str:
    return say("units inside") if asked.aim.target is None else say("{unit} is in a building", unit=asked.aim.name)


def _too_steep(asked: Declaration, found: Finding) -> Shown:
    """Show the hexside that is too high to cross."""
    aim = asked.aim
    last = hex_before(aim) or aim.charger.hex
    levels, most = counted(int(found.measured or 0), "levels"), int(found.limit or 0)
    words = say("{levels} down, {most} can be crossed", levels=levels, most=most)
    if aim.table.rise(last, aim.target_hex, aim.charger) > 0:
        words = say("{levels} up, {most} can be crossed", levels=levels, most=most)
    return Shown(words, aim.target_hex, (_hexside(aim.table.board, last, aim.target_hex),))


def _wrong_steps(asked: Declaration, _: Finding) -> Shown:
    steps = list(wrong_steps(asked))
    words = listed(dict.fromkeys((why for _, _, why in steps)), " and ")
    return Shown(words, steps[0][1], _ways(asked.aim.table, (step[:2] for step in steps)))


def _gaps(asked: Declaration, _: Finding) -> Shown:
    apart = gaps(asked)
    start, end = apart[0]
    words = say("does not leave {place}", place=number(end))
    if start != end:
        words = say("{start} and {end} do not touch", start=number(start), end=number(end))
    return Shown(words, end, _ways(asked.aim.table, apart))


def _barred(asked: Declaration, _: Finding) -> Shown:
    """Outline the hexes that cannot be entered."""
    found = list(obstacles(asked))
    words = listed(dict.fromkeys((why for _, _, why in found)), " and ")
    return Shown(words, found[0][0], _ring(asked.aim.table.board, *(place for place, _, _ in found)))


def _crowded(asked: Declaration, _: Finding) -> Shown:
    aim, last = asked.aim, last_hex(asked)
    there = aim.table.crowding(last, aim.charger)
    return Shown(say("no room beside {unit}", unit=there.name if there else say("it")), last, _ring(aim.table.board, last))


def _not_ahead(asked: Declaration, _: Finding) -> Shown:
    """Dash the hex before the charger at its end, and draw how the target lies from there."""
    aim, last = asked.aim, last_hex(asked)
    board, towards = aim.table.board, direction(last, aim.target_hex)
    way = _ways(aim.table, [(last, aim.target_hex)])
    facing = asked.plan.way.end_facing if asked.plan is not None else aim.end_facing
    if last == aim.target_hex:
        words = say("ends in the hex charged")
    elif towards is None:
        words = say("{hexes} away", hexes=in_hexes(distance(last, aim.target_hex)))
    else:
        words = say("faces {facing}, {aim} lies {way}", facing=word(FACINGS[facing or 0]), aim=aim.name, way=word(FACINGS[towards]))
    return Shown(words, aim.target_hex, way, _ring(board, neighbour(last, facing)) if facing is not None else ())


def _too_far(asked: Declaration, found: Finding) -> Shown:
    """RollTable the part of the way that the MP do not pay for; of a way that was not found only the hex that is not reached."""
    aim, plan = asked.aim, asked.plan
    ring = _ring(aim.table.board, aim.target_hex)
    if found.measured is None or found.limit is None:
        return Shown(say("no way leads here"), aim.target_hex, ring)
    unpaid = () if plan is None else _ways(aim.table, _unpaid(plan, aim.target_hex, int(found.limit)))
    return Shown(say("needs {mp:g} MP, has {limit:g}", mp=found.measured, limit=found.limit), aim.target_hex, unpaid or ring)


def _unpaid(plan: ChargePath, target_hex: Hex, limit: int) -> Iterable[tuple[Hex, Hex]]:
    way = plan.way
    spent, place = way.rise_mp, way.start
    for entered, mp in [*((leg.hex, leg.mp) for leg in way.legs), (target_hex, way.end_turn_mp + (way.target_mp or 0))]:
        spent += mp
        if spent > limit:
            yield place, entered
        place = entered


REFUSED: Mapping[str, Refusal] = {
    "declare.movement-phase": _charger(_when),
    "declare.charger-type": _charger(lambda asked: say("{kind} never charges", kind=KINDS[asked.aim.charger.profile.type])),
    "declare.charger-able": _charger(lambda asked: listed(hindrances(asked.aim), " and ")),
    "declare.no-weapon-attacks": _charger(lambda _: say("fires its weapons")),
    "declare.target-finished": _target(_unfinished),
    "declare.target-charging": _target(lambda _: say("charges itself")),
    "declare.one-per-target": _target(_taken),
    "declare.target-enemy": _target(lambda asked: say("on the side of {charger}", charger=asked.aim.charger.name)),
    "declare.target-infantry": _target(lambda asked: say("{kind} is never charged", kind=_kind(asked))),
    "declare.target-protomech": _target(lambda asked: say("{kind} is never charged", kind=_kind(asked))),
    "declare.target-airborne": _target(lambda _: say("in the air")),
    "declare.mech-vs-vehicle": _target(lambda asked: say("{kind}, no target for 'Mechs", kind=_kind(asked))),
    "declare.target-prone": _target(lambda _: say("lies on the ground")),
    "declare.building": _target_ringed(_housed),
    "declare.prohibited-terrain": _target_ringed(lambda asked: say("prohibited to {charger}", charger=asked.aim.charger.name)),
    "declare.level-difference": _too_steep,
    "path.forward-only": _wrong_steps,
    "path.connected": _gaps,
    "path.enterable": _barred,
    "path.end-hex": _crowded,
    "declare.front-hex": _not_ahead,
    "declare.enough-mp": _too_far,
}
"""What shows a rule by which a charge may not be declared."""


def _missed(state: ChargeState, findings: Sequence[Finding]) -> Shown:
    return _at(state, state.strikes[-1].place, _rolls(findings, "tohit.roll")[-1])


def _rolls(findings: Sequence[Finding], rule: str) -> list[str]:
    """Say what the rolls showed of which a rule tells."""
    told = [one for one in findings if one.rule == PREFIX + rule and one.limit is not None]
    return [
        say("needs {limit:g}", limit=one.limit)
        if one.measured is None
        else say("rolled {total:g}, needs {limit:g}", total=one.measured, limit=one.limit)
        for one in told
    ]


def _at(state: ChargeState, place: Hex, words: str) -> Shown:
    """Outline the hex of which something is said."""
    return Shown(words, place, _ring(state.table.board, place))


def _gone(state: ChargeState, _: Sequence[Finding]) -> Shown:
    """Outline the hex where the target was when the charge was declared."""
    place, target = state.declared.target_hex, state.target
    name = say("the building") if target is None else target.name
    is_there = target is not None and target.hex == place
    if not is_there:
        return _at(state, place, say("{name} is gone", name=name))
    return _at(state, place, say("{charger} does not stand before {name} any more", charger=state.charger.name, name=name))


def _fell(state: ChargeState, findings: Sequence[Finding], rule: str, place: Hex) -> Shown:
    rolled = [one for one in findings if one.rule == PREFIX + rule and one.measured is not None]
    return _at(state, place, say("falls: {rolls}", rolls=_rolls(rolled, rule)[0]) if rolled else say("fell to weapon fire"))


def _charger_fell(state: ChargeState, findings: Sequence[Finding]) -> Shown:
    """Show where it lies, or what stopped or missed its skid."""
    if state.skid is None:
        return _fell(state, findings, "weapon.charger-fell", state.charger.hex)
    aimed = [strike for strike in state.strikes if strike.kind == "unit"]
    rolls = dict(zip(aimed, _rolls(findings, "tohit.roll"), strict=True))
    for strike in state.strikes:
        if state.is_meant(strike):
            return _at(state, strike.place, rolls[strike])
    if state.strikes and state.strikes[-1].is_hit:
        return _stopped(state, state.strikes[-1])
    return _at(state, state.charger.hex, say("skids {hexes}", hexes=in_hexes(state.skid.entered)))


def _stopped(state: ChargeState, strike: Strike) -> Shown:
    """Outline what a skid ran into; of a hill, which is not entered, show the hexside at which it ends."""
    if strike.kind == "hill":
        return Shown(say("the skid ends here"), strike.place, (_hexside(state.table.board, state.charger.hex, strike.place),))
    return _at(state, strike.place, say("skids into {what}", what=strike.target or say("the building")))


def _lost(state: ChargeState, findings: Sequence[Finding]) -> str:
    lost = next(one.measured for one in findings if one.rule == f"{PREFIX}weapon.mp-loss" and one.measured is not None)
    return say("had {mp} MP, lost {lost:g}", mp=state.charger.profile.walk, lost=lost)


FAILED: Mapping[str, Failure] = {
    "tohit.roll": _missed,
    "resolve.front-hex": _gone,
    "weapon.target-fell": lambda state, found: _fell(state, found, "weapon.target-fell", state.declared.target_hex),
    "weapon.charger-fell": _charger_fell,
    "weapon.mp-loss": lambda state, found: Shown(_lost(state, found), state.charger.hex),
}
"""What shows a rule by which a charge fails that was declared."""


def _ring(board: HexBoard, *places: Hex) -> tuple[Line, ...]:
    """Outline hexes."""
    rings: list[list[Point]] = [[(x, y) for x, y in board.outline(place).tolist()] for place in dict.fromkeys(places)]
    return tuple(side for ring in rings for side in pairwise((*ring, ring[0])))


def _hexside(board: HexBoard, start: Hex, end: Hex) -> Line:
    """Give the side that two neighbouring hexes share."""
    (x, y), (to_x, to_y) = board.centre(start), board.centre(end)
    right, up = (to_y - y) / math.sqrt(12.0), (x - to_x) / math.sqrt(12.0)
    middle_x, middle_y = (x + to_x) / 2, (y + to_y) / 2
    return (middle_x - right, middle_y - up), (middle_x + right, middle_y + up)


def _ways(table: Table, steps: Iterable[tuple[Hex, Hex]]) -> tuple[Line, ...]:
    """RollTable steps from middle to middle, or from where the unit ends that stands there; one that leads nowhere is not drawn."""
    return tuple((_towards(table, start, end), _towards(table, end, start)) for start, end in steps if start != end)


def _towards(table: Table, place: Hex, other: Hex) -> Point:
    (x, y), (to_x, to_y) = table.board.centre(place), table.board.centre(other)
    is_taken = any(unit.hex == place for unit in table.units.values())
    share = BODY * table.board.hex_inches / math.dist((x, y), (to_x, to_y)) if is_taken else 0.0
    return x + share * (to_x - x), y + share * (to_y - y)

"""Rulings: charges that may not be declared, and what came of those that were; what decided them, for figures."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from systems.battletech.conditions import Declaration, gaps, hex_before, hindrances, last_hex, obstacles, spoken, wrong_steps
from systems.battletech.declare import DeclaredCharge, metrics_of, notes_of
from systems.battletech.move import ChargePath
from systems.battletech.play import Play, Strike, in_hexes
from systems.battletech.rules import PREFIX, RULES
from systems.battletech.scene import Chances, Resolved, Table
from tabletop.geometry.pose import Point
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Deciding, Evidence, Stage
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.table.hexes import FACINGS, HexBoard, direction, distance, neighbour, number
from tabletop.table.state import Hex
from tabletop.words import counted

RULE_ORDER = {rule.name: place for place, rule in enumerate(RULES)}

BODY = 0.32
"""Hexes from the middle of a hex within which the unit in it is drawn, over which no line runs."""

Line = tuple[Point, Point]


def refused(claim: DeclaredCharge) -> Ruling:
    """Rule that a charge may not be declared."""
    broken = claim.refusals[0]
    aim = claim.asked.aim
    more = len(claim.refusals) - 1
    others = f" {more} more {'rule is' if more == 1 else 'rules are'} broken." if more else ""
    return Ruling(
        claim.charge,
        "not_allowed",
        f"{aim.charger.name} may not charge {aim.name}. {broken.text}{others}",
        rule=broken.rule,
        findings=in_order(claim.findings),
        metrics=metrics_of(claim),
        choices=1,
        evidence=Evidence(notes=notes_of(claim), deciding=refusing(claim.asked, claim.refusals)),
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
        findings=in_order((*claim.findings, *resolved.findings)),
        metrics={**metrics_of(claim), **resolved.metrics, **chances.metrics},
        steps=(*ways, *resolved.steps),
        choices=resolved.choices,
        evidence=Evidence(notes=notes_of(claim), deciding=resolved.deciding, dice=resolved.dice),
    )


def in_order(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Put findings into the order of the rules; those of one rule keep theirs."""
    return tuple(sorted(findings, key=lambda one: RULE_ORDER[one.rule]))


# What decided a charge, where it is seen.


@dataclass(frozen=True)
class Shown:
    """A few words about a hex, and lines and limits as those of `Deciding`: the words stand at the first line, else right of the hex."""

    words: str
    place: Hex
    lines: tuple[Line, ...] = ()
    limits: tuple[Line, ...] = ()

    def of(self, rule: str, board: HexBoard, *, is_after: bool = False) -> Deciding:
        """Show a rule by this."""
        x, y = board.centre(self.place)
        (start_x, start_y), (end_x, end_y) = self.lines[0] if self.lines else ((x + board.hex_inches / math.sqrt(3.0), y),) * 2
        at = (start_x + end_x) / 2, (start_y + end_y) / 2
        stage: Stage = "after" if is_after else "before"
        return Deciding(PREFIX + rule, self.words, at, self.lines, self.limits, stage=stage)


Refusal = Callable[[Declaration, Finding], Shown]

Failure = Callable[[Play, Sequence[Finding]], Shown]


def refusing(asked: Declaration, refusals: Sequence[Finding]) -> tuple[Deciding, ...]:
    """Show every rule by which a charge may not be declared."""
    named = ((one.rule.removeprefix(PREFIX), one) for one in refusals)
    return tuple(REFUSED[rule](asked, one).of(rule, asked.aim.table.board) for rule, one in named)


def decided(play: Play, findings: Sequence[Finding]) -> tuple[Deciding, ...]:
    """Show by what rule a charge failed that is over, or what its hit came to; `findings` are those of the procedure, as they were told."""
    board = play.table.board
    blow = next((strike.blow for strike in play.strikes if strike.blow is not None and play.is_meant(strike)), None)
    if blow is None:
        return () if play.rule is None else (FAILED[play.rule](play, findings).of(play.rule, board, is_after=True),)
    place = play.declared.target_hex if play.target is None else play.target.hex
    points = Shown(f"{counted(blow.target_points, 'points')} to {play.declared.charge.targets[0]}", place)
    served = points.of("unusual.building" if play.target is None else "damage.target", board, is_after=True)
    if play.push != "blocked":
        return (served,)
    held = Shown("cannot be pushed on", place, (_hexside(board, place, neighbour(place, play.forward)),))
    return (served, held.of("displace.blocked", board, is_after=True))


def _charger(words: Callable[[Declaration], str]) -> Refusal:
    return lambda asked, _: Shown(words(asked), asked.aim.charger.hex)


def _target(words: Callable[[Declaration], str]) -> Refusal:
    return lambda asked, _: Shown(words(asked), asked.aim.target_hex)


def _target_ringed(words: Callable[[Declaration], str]) -> Refusal:
    return lambda asked, _: Shown(words(asked), asked.aim.target_hex, _ring(asked.aim.table.board, asked.aim.target_hex))


def _when(asked: Declaration) -> str:
    phase = asked.aim.keys.declared_in
    return "has moved already" if phase == "movement" else f"declares in the {phase} phase"


def _kind(asked: Declaration) -> str:
    return spoken(asked.aim.target.profile.type) if asked.aim.target is not None else "a building"


def _unfinished(asked: Declaration) -> str:
    return "charges later itself" if asked.aim.name in asked.later else "has not moved yet"


def _taken(asked: Declaration) -> str:
    aim = asked.aim
    others = [other for other in asked.earlier if other.target == (aim.target and aim.target.name) and other.target_hex == aim.target_hex]
    return f"{others[0].charger} charges it already" if others else "charged already"


def _housed(asked: Declaration) -> str:
    return "units inside" if asked.aim.target is None else f"{asked.aim.name} is in a building"


def _too_steep(asked: Declaration, found: Finding) -> Shown:
    """Show the hexside that is too high to cross."""
    aim = asked.aim
    last = hex_before(aim) or aim.charger.hex
    way = "up" if aim.table.rise(last, aim.target_hex, aim.charger) > 0 else "down"
    words = f"{counted(int(found.measured or 0), 'levels')} {way}, {int(found.limit or 0)} can be crossed"
    return Shown(words, aim.target_hex, (_hexside(aim.table.board, last, aim.target_hex),))


def _wrong_steps(asked: Declaration, _: Finding) -> Shown:
    steps = list(wrong_steps(asked))
    words = " and ".join(dict.fromkeys(why for _, _, why in steps))
    return Shown(words, steps[0][1], _ways(asked.aim.table, (step[:2] for step in steps)))


def _gaps(asked: Declaration, _: Finding) -> Shown:
    apart = gaps(asked)
    start, end = apart[0]
    words = f"{number(start)} and {number(end)} do not touch" if start != end else f"does not leave {number(end)}"
    return Shown(words, end, _ways(asked.aim.table, apart))


def _barred(asked: Declaration, _: Finding) -> Shown:
    """Outline the hexes that cannot be entered."""
    found = list(obstacles(asked))
    words = " and ".join(dict.fromkeys(why for _, _, why in found))
    return Shown(words, found[0][0], _ring(asked.aim.table.board, *(place for place, _, _ in found)))


def _crowded(asked: Declaration, _: Finding) -> Shown:
    aim, last = asked.aim, last_hex(asked)
    there = aim.table.crowding(last, aim.charger)
    return Shown(f"no room beside {there.name if there else 'it'}", last, _ring(aim.table.board, last))


def _not_ahead(asked: Declaration, _: Finding) -> Shown:
    """Dash the hex before the charger at its end, and draw how the target lies from there."""
    aim, last = asked.aim, last_hex(asked)
    board, towards = aim.table.board, direction(last, aim.target_hex)
    way = _ways(aim.table, [(last, aim.target_hex)])
    facing = asked.plan.way.end_facing if asked.plan is not None else aim.end_facing
    if last == aim.target_hex:
        words = "ends in the hex charged"
    elif towards is None:
        words = f"{in_hexes(distance(last, aim.target_hex))} away"
    else:
        words = f"faces {FACINGS[facing or 0]}, {aim.name} lies {FACINGS[towards]}"
    return Shown(words, aim.target_hex, way, _ring(board, neighbour(last, facing)) if facing is not None else ())


def _too_far(asked: Declaration, found: Finding) -> Shown:
    """Draw the part of the way that the MP do not pay for; of a way that was not found only the hex that is not reached."""
    aim, plan = asked.aim, asked.plan
    ring = _ring(aim.table.board, aim.target_hex)
    if found.measured is None or found.limit is None:
        return Shown("no way leads here", aim.target_hex, ring)
    unpaid = () if plan is None else _ways(aim.table, _unpaid(plan, aim.target_hex, int(found.limit)))
    return Shown(f"needs {found.measured:g} MP, has {found.limit:g}", aim.target_hex, unpaid or ring)


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
    "declare.charger-type": _charger(lambda asked: f"{spoken(asked.aim.charger.profile.type)} never charges"),
    "declare.charger-able": _charger(lambda asked: " and ".join(hindrances(asked.aim))),
    "declare.no-weapon-attacks": _charger(lambda _: "fires its weapons"),
    "declare.target-finished": _target(_unfinished),
    "declare.target-charging": _target(lambda _: "charges itself"),
    "declare.one-per-target": _target(_taken),
    "declare.target-enemy": _target(lambda asked: f"on the side of {asked.aim.charger.name}"),
    "declare.target-infantry": _target(lambda asked: f"{_kind(asked)} is never charged"),
    "declare.target-protomech": _target(lambda asked: f"{_kind(asked)} is never charged"),
    "declare.target-airborne": _target(lambda _: "in the air"),
    "declare.mech-vs-vehicle": _target(lambda asked: f"{_kind(asked)}, no target for 'Mechs"),
    "declare.target-prone": _target(lambda _: "lies on the ground"),
    "declare.building": _target_ringed(_housed),
    "declare.prohibited-terrain": _target_ringed(lambda asked: f"prohibited to {asked.aim.charger.name}"),
    "declare.level-difference": _too_steep,
    "path.forward-only": _wrong_steps,
    "path.connected": _gaps,
    "path.enterable": _barred,
    "path.end-hex": _crowded,
    "declare.front-hex": _not_ahead,
    "declare.enough-mp": _too_far,
}
"""What shows a rule by which a charge may not be declared."""


def _missed(play: Play, findings: Sequence[Finding]) -> Shown:
    return _at(play, play.strikes[-1].place, _rolls(findings, "tohit.roll")[-1])


def _rolls(findings: Sequence[Finding], rule: str) -> list[str]:
    """Say what the rolls showed of which a rule tells."""
    told = [one for one in findings if one.rule == PREFIX + rule and one.limit is not None]
    return [f"needs {one.limit:g}" if one.measured is None else f"rolled {one.measured:g}, needs {one.limit:g}" for one in told]


def _at(play: Play, place: Hex, words: str) -> Shown:
    """Outline the hex of which something is said."""
    return Shown(words, place, _ring(play.table.board, place))


def _gone(play: Play, _: Sequence[Finding]) -> Shown:
    """Outline the hex where the target was when the charge was declared."""
    place, target = play.declared.target_hex, play.target
    name = "the building" if target is None else target.name
    is_there = target is not None and target.hex == place
    return _at(play, place, f"{play.charger.name} does not stand before {name} any more" if is_there else f"{name} is gone")


def _fell(play: Play, findings: Sequence[Finding], rule: str, place: Hex) -> Shown:
    rolled = [one for one in findings if one.rule == PREFIX + rule and one.measured is not None]
    return _at(play, place, f"falls: {_rolls(rolled, rule)[0]}" if rolled else "fell to weapon fire")


def _charger_fell(play: Play, findings: Sequence[Finding]) -> Shown:
    """Show where it lies, or what stopped or missed its skid."""
    if play.skid is None:
        return _fell(play, findings, "weapon.charger-fell", play.charger.hex)
    aimed = [strike for strike in play.strikes if strike.kind == "unit"]
    rolls = dict(zip(aimed, _rolls(findings, "tohit.roll"), strict=True))
    for strike in play.strikes:
        if play.is_meant(strike):
            return _at(play, strike.place, rolls[strike])
    if play.strikes and play.strikes[-1].is_hit:
        return _at(play, play.strikes[-1].place, _stopped(play.strikes[-1]))
    return _at(play, play.charger.hex, f"skids {in_hexes(play.skid.entered)}")


def _stopped(strike: Strike) -> str:
    return "the skid ends here" if strike.kind == "hill" else f"skids into {strike.target or 'the building'}"


def _lost(play: Play, findings: Sequence[Finding]) -> str:
    lost = next(one.measured for one in findings if one.rule == f"{PREFIX}weapon.mp-loss" and one.measured is not None)
    return f"had {play.charger.profile.walk} MP, lost {lost:g}"


FAILED: Mapping[str, Failure] = {
    "tohit.roll": _missed,
    "resolve.front-hex": _gone,
    "weapon.target-fell": lambda play, found: _fell(play, found, "weapon.target-fell", play.declared.target_hex),
    "weapon.charger-fell": _charger_fell,
    "weapon.mp-loss": lambda play, found: Shown(_lost(play, found), play.charger.hex),
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
    """Draw steps from middle to middle, or from where the unit ends that stands there; one that leads nowhere is not drawn."""
    return tuple((_towards(table, start, end), _towards(table, end, start)) for start, end in steps if start != end)


def _towards(table: Table, place: Hex, other: Hex) -> Point:
    (x, y), (to_x, to_y) = table.board.centre(place), table.board.centre(other)
    is_taken = any(unit.hex == place for unit in table.units.values())
    share = BODY * table.board.hex_inches / math.dist((x, y), (to_x, to_y)) if is_taken else 0.0
    return x + share * (to_x - x), y + share * (to_y - y)

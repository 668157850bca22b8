"""The limits on a charger's way: steps, hexes, its last hex, what lies ahead there, and the MP for all of it."""

from collections.abc import Iterator
from itertools import pairwise

from systems.battletech.declare import Declaration, Measure, finding
from systems.battletech.plan import MOST_LISTED, ChargePath, Encounter, faces_target
from systems.battletech.scene import Gait
from systems.battletech.search import enemy_hexes, is_passable, is_wet
from tabletop.ruling.finding import Finding
from tabletop.table.hexes import FACINGS, direction, number
from tabletop.table.state import Hex
from tabletop.words import counted, with_article


def _entries(asked: Declaration) -> tuple[tuple[str, Hex], ...] | None:
    """Give the path, given or found; None where there is none to ask about."""
    if asked.aim.keys.path is not None:
        return asked.aim.entries
    return asked.plan.entries if asked.search is not None and asked.plan is not None else None


def _pairs(aim: Encounter, entries: tuple[tuple[str, Hex], ...]) -> Iterator[tuple[str, Hex, Hex]]:
    """Give every step between neighbours: its sense, where it starts and where it ends."""
    start = aim.charger.hex
    for sense, place in entries:
        if direction(start, place) is not None:
            yield sense, start, place
        start = place


def _gait(asked: Declaration) -> Gait | None:
    """Give how the charger moves, as far as that is known."""
    if not asked.aim.is_on_foot:
        return None
    if asked.plan is not None:
        return asked.plan.gait
    return "run" if asked.aim.keys.movement == "run" else None


def _forward_only(asked: Declaration) -> Finding | None:
    entries = _entries(asked)
    if entries is None:
        return None
    reasons = [f"the step into {number(place)} is {why}" for _, place, why in wrong_steps(asked)]
    is_back = any(sense == "back" for sense, _ in entries)
    kept = f"{asked.aim.charger.name} goes {'back at a walk and on the level only' if is_back else 'forward at every step'}."
    text = f"{', '.join(reasons)}." if reasons else kept
    return finding("path.forward-only", not reasons, text[0].upper() + text[1:])


def wrong_steps(asked: Declaration) -> Iterator[tuple[Hex, Hex, str]]:
    """Give every step that is not allowed in its sense: where it starts and ends, and why."""
    aim, entries = asked.aim, _entries(asked) or ()
    slopes = {(start, place) for _, start, place in _pairs(aim, entries) if aim.table.rise(start, place, aim.charger)}
    start = aim.charger.hex
    for sense, place in entries:
        if sense == "side":
            yield start, place, "sideways"
        elif sense == "back" and aim.table.choices.backward == "forbidden":
            yield start, place, "backwards"
        elif sense == "back" and _gait(asked) == "run":
            yield start, place, "backwards at a run"
        elif sense == "back" and (start, place) in slopes:
            yield start, place, "backwards to another level"
        start = place


def gaps(asked: Declaration) -> tuple[tuple[Hex, Hex], ...]:
    """Give the hexes that follow each other on the path and do not border each other."""
    hexes = [asked.aim.charger.hex, *(place for _, place in _entries(asked) or ())]
    return tuple((start, place) for start, place in pairwise(hexes) if direction(start, place) is None)


def _connected(asked: Declaration) -> Finding | None:
    if _entries(asked) is None:
        return None
    apart = [f"{number(place)} does not border {number(start)}" for start, place in gaps(asked)]
    text = f"{'; '.join(apart)}." if apart else "Every hex of the path borders the one before."
    return finding("path.connected", not apart, text)


def _enterable(asked: Declaration) -> Finding | None:
    if _entries(asked) is None:
        return None
    reasons = list(dict.fromkeys(text for _, text, _ in obstacles(asked)))
    text = f"{'; '.join(reasons)}." if reasons else f"{asked.aim.charger.name} can enter every hex on its way."
    return finding("path.enterable", not reasons, text)


def obstacles(asked: Declaration) -> Iterator[tuple[Hex, str, str]]:
    """Give every hex of the path that cannot be entered, and why: in a sentence, and in a few words for who sees the hex."""
    aim = asked.aim
    table, unit, enemies = aim.table, aim.charger, enemy_hexes(aim.table, aim.charger)
    entries = _entries(asked) or ()
    bordering = {(start, place) for _, start, place in _pairs(aim, entries)}
    start = unit.hex
    for _, place in entries:
        if place == aim.target_hex:
            yield place, f"{number(place)} is the hex that is charged", "goes through the target"
        elif place in enemies:
            yield place, f"enemies stand in {number(place)}", "an enemy in the way"
        if table.is_prohibited(place, unit):
            yield place, f"{number(place)} is prohibited to {unit.name}", f"prohibited to {unit.name}"
        elif (start, place) in bordering and not is_passable(table, start, place, unit):
            levels = counted(abs(table.rise(start, place, unit)), "levels")
            yield place, f"{number(place)} is {levels} off {number(start)}", f"{levels} off, {table.climb(unit)} can be crossed"
        if is_wet(table, place, unit) and _gait(asked) == "run":
            depth = table.at(place).depth
            yield place, f"{number(place)} has water of depth {depth}, not to be entered at a run", f"no run through water of depth {depth}"
        start = place


def last_hex(asked: Declaration) -> Hex:
    """Give the last hex of the path; of a charger without one its own."""
    entries = _entries(asked)
    return entries[-1][1] if entries else asked.aim.charger.hex


def _end_hex(asked: Declaration) -> Finding | None:
    aim, entries = asked.aim, _entries(asked)
    if entries is None and aim.keys.hexes_moved is None:
        return None
    last = last_hex(asked)
    crowding = aim.table.crowding(last, aim.charger)
    text = f"{aim.charger.name} may {'not ' if crowding else ''}stop in {number(last)}{f' beside {crowding.name}' if crowding else ''}."
    return finding("path.end-hex", crowding is None, text)


def _front_hex(asked: Declaration) -> Finding | None:
    aim, entries = asked.aim, _entries(asked)
    if asked.plan is not None:
        last, facing = asked.plan.way.last, asked.plan.way.end_facing
        ok = faces_target(aim, asked.plan)
        text = f"In {number(last)} facing {FACINGS[facing]} {aim.charger.name} has {aim.name} {'straight' if ok else 'not'} ahead."
        return finding("declare.front-hex", ok, text)
    if not entries:
        return None
    last = entries[-1][1]
    ahead = direction(last, aim.target_hex)
    ok = ahead is not None and aim.end_facing in (None, ahead)
    return finding("declare.front-hex", ok, f"The path ends in {number(last)}, {'next to' if ok else 'not facing'} {aim.name}.")


def _enough_mp(asked: Declaration) -> Finding | None:
    aim = asked.aim
    if asked.search is not None and asked.plan is None:
        return _no_path(aim, asked.search.fewest)
    if asked.plan is None or asked.plan.way.mp is None or not aim.is_on_foot:
        return None
    needed, limit = asked.plan.way.mp, _available(aim, asked.plan)
    text = f"{aim.charger.name} needs {needed} MP, {number(aim.target_hex)} included, and has {limit}."
    return finding("declare.enough-mp", needed <= limit, text, measured=needed, limit=limit)


def _available(aim: Encounter, plan: ChargePath) -> int:
    """Give the MP that may be spent: of a charger that has moved, those left (just enough where the file does not say)."""
    known = available_mp(aim)
    return known if known is not None else plan.way.mp or 0


def _no_path(aim: Encounter, fewest: int | None) -> Finding:
    name = aim.charger.name
    if fewest is None:
        text = f"No path of {name} ends before {aim.name}, however many MP it had."
        return finding("declare.enough-mp", ok=False, text=text)
    limit = aim.limit if fewest > aim.limit else aim.walk
    where = "" if limit == aim.limit else " at a walk, through water"
    text = f"Every path needs {fewest} MP at least, {number(aim.target_hex)} included; {name} has {limit}{where}."
    return finding("declare.enough-mp", ok=False, text=text, measured=fewest, limit=limit)


def _best(asked: Declaration) -> Finding | None:
    if asked.search is None or asked.plan is None:
        return None
    best, total = asked.search.options[0], asked.search.count
    path = " ".join(map(number, asked.plan.way.hexes)) or "staying in place"
    hexes = f"{best.hexes} {'hex' if best.hexes == 1 else 'hexes'}"
    pace = with_article(best.gait)
    text = f"Of {counted(total, 'paths')} the best enter {hexes} at {pace} for {best.mp} MP; of {best.count} such {path} is taken."
    cut = f" The best {MOST_LISTED} paths are listed." if 0 < len(asked.search.listed) < total else ""
    return finding("path.best", ok=True, text=text + cut)


def _target_hex(asked: Declaration) -> Finding | None:
    if asked.plan is None or asked.plan.way.target_mp is None:
        return None
    aim, way = asked.aim, asked.plan.way
    text = f"The {way.target_mp} MP for {number(aim.target_hex)} are spent hit or miss; {aim.charger.name} waits in {number(way.last)}."
    return finding("mp.target-hex", ok=True, text=text)


def available_mp(aim: Encounter) -> int | None:
    """Give the MP that may be spent in all, as far as the file tells."""
    return aim.limit if aim.keys.hexes_moved is None else aim.keys.mp_left


LIMITS: tuple[Measure, ...] = (_forward_only, _connected, _enterable, _end_hex, _front_hex, _enough_mp)
"""Everything about declaring that depends on the way."""
PROCEDURES: tuple[Measure, ...] = (_best, _target_hex)
"""What is said of the way of a charge that may be declared."""

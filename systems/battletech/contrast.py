"""Contrasts of BattleTech: sums of damage, CF and MP as they are worked out, the straight run that is barred, and the
next best path.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from systems.battletech.attempt import Attempt
from systems.battletech.conditions import DeclaredAttack, enough_mp, level_difference
from systems.battletech.damage import (
    Damage,
    divided_up,
    halves,
    has_bulldozer,
    is_weightless,
    shield_of,
    tons_points,
)
from systems.battletech.declare import path_steps
from systems.battletech.displacement import MISS_TURNS
from systems.battletech.move import (
    Aim,
    HexPath,
    Option,
    best_two,
    is_wet,
    steepest,
    straight_line,
    walked,
)
from systems.battletech.play import ChargeState, Skid, in_hexes
from systems.battletech.rules import PREFIX
from systems.battletech.scene import CombatUnit, Declared, Table
from tabletop.messages import counted, say
from tabletop.ruling.charge import Step
from tabletop.ruling.contrast import Contrast, Term
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.table.hexes import neighbour, number
from tabletop.table.state import Hex

DIVIDED, TIMES, EQUALS = "\N{DIVISION SIGN}", "\N{MULTIPLICATION SIGN}", "="
"""Signs between the numbers of a sum."""

ENOUGH_MP = f"{PREFIX}declare.enough-mp"

BARRED = (enough_mp, level_difference)
"""Limits of which the straight run shows why they refuse a charge."""


def contrasts(ruling: Ruling) -> Iterator[Contrast]:
    """Yield the contrasts of a ruling: the straight run, the next best path, sums of MP, damage and CF, and what stops
    a skid or a miss.
    """
    attempt: Attempt = ruling.attempt
    claim = attempt.claim
    aim = claim.asked.aim
    end = attempt.end
    is_path = aim.keys.hexes_moved is None
    if end is None:
        if claim.refused_by in BARRED and aim.is_on_foot and is_path:
            yield from _straight(aim)
        return
    if is_path:
        yield from _other_path(claim.asked)
        yield from _counted(end.declared)
        yield from _rising(claim.asked)
    table = attempt.table
    charger = table.units[aim.charger.name]
    if end.dealt is not None:
        target = None if aim.target is None else table.units[aim.target.name]
        place = aim.target_hex if target is None else target.hex
        at_impact = charger.at(neighbour(place, charger.facing + 3))
        hit = Hit(table.with_unit(at_impact), at_impact, target, end.dealt)
        yield from _damage(hit, end.declared.hexes_entered)
        yield from _own_damage(hit)
        yield from _building(table, charger, end, place)
    elif end.options is not None:
        yield from _declared_side(aim, table, end.options, charger)
    if end.skid is not None and end.strikes and end.strikes[-1].kind == "hill":
        yield from _hill(table, charger, end.skid, end.strikes[-1].place)


# Paths.


def _straight(aim: Aim) -> Iterator[Contrast]:
    """Yield the straight run to the target, up to the hex for which MP are missing or whose level is too high or too
    low.
    """
    table = aim.table
    unit = aim.charger
    line = straight_line(aim)
    if line is None:
        return
    towards, inner = line
    way = walked(
        table,
        unit,
        [("forward", place) for place in inner],
        target_hex=aim.target_hex,
        end_facing=towards,
    )
    limit = aim.walk if any(is_wet(table, place, unit) for place in inner) else aim.limit
    spent = way.rise_mp
    last = unit.hex
    costs = [*(leg.mp for leg in way.legs), way.end_turn_mp + (way.target_mp or 0)]
    for entered, (place, mp) in enumerate(zip((*inner, aim.target_hex), costs, strict=True)):
        most = steepest(table, unit) if place == aim.target_hex else table.climb(unit)
        rise = table.rise(last, place, unit)
        told = {"charger": unit.name, "last": number(last), "spent": spent, "place": number(place)}
        if abs(rise) > most:
            levels = counted(abs(rise), "levels")
            side = (
                say("{levels} above", levels=levels)
                if rise > 0
                else say("{levels} below", levels=levels)
            )
            text = say(
                "In a straight line {charger} reaches hex {last} for {spent} MP; hex {place} is {way} hex "
                "{last}, at most {most}.",
                way=side,
                most=counted(most, "levels"),
                **told,
            )
            rule = (
                f"{PREFIX}declare.level-difference"
                if place == aim.target_hex
                else f"{PREFIX}path.enterable"
            )
            words = _steep(rise, most)
            yield _run(
                aim, towards, (inner[:entered], place), rule, (text, words), (abs(rise), most)
            )
            return
        if spent + mp > limit:
            told |= {"mp": mp, "left": limit - spent, "limit": limit}
            text = say(
                "In a straight line {charger} reaches hex {last} for {spent} MP; hex {place} costs {mp} more; {left} "
                "of {limit} left.",
                **told,
            )
            words = say("{mp} MP needed, {left} left", mp=mp, left=limit - spent)
            yield _run(
                aim,
                towards,
                (inner[:entered], place),
                ENOUGH_MP,
                (text, words),
                (spent + mp, limit),
            )
            return
        spent = spent + mp
        last = place


def _run(
    aim: Aim,
    towards: int,
    hexes: tuple[tuple[Hex, ...], Hex],
    rule: str,
    told: tuple[str, str],
    numbers: tuple[int, int],
) -> Contrast:
    """Return the contrast of a straight run that ends after some hexes, because the next one breaks a limit.

    `hexes` are those entered and the next one, `told` the sentence and a few words, `numbers` the measured value and
    its limit.
    """
    entered, place = hexes
    text, words = told
    measured, limit = numbers
    way = walked(
        aim.table,
        aim.charger,
        [("forward", one) for one in entered],
        target_hex=aim.target_hex,
        end_facing=towards,
    )
    mark = aim.table.mark(words, place, (aim.table.hexside(way.last, place),))
    found = Finding(
        rule,
        ok=False,
        text=text,
        measured=measured,
        limit=limit,
        margin=limit - measured,
        mark=mark,
    )
    steps = tuple(path_steps(aim, way))
    return Contrast("barred", found, say("Straight ahead"), _end(aim, way), steps=steps)


def _end(aim: Aim, way: HexPath) -> dict[str, object]:
    """Return the charger's pose at the end of a path, by its name."""
    return {aim.charger.name: aim.table.pose(aim.charger.at(way.last, way.end_facing))}


def _other_path(asked: DeclaredAttack) -> Iterator[Contrast]:
    """Yield the next best path of a search, and why it comes after the one taken."""
    aim = asked.aim
    if asked.search is None or asked.search.count < 2:  # noqa: PLR2004 - there is no other path
        return
    (_, best), (plan, option) = best_two(aim)
    path = " ".join(map(number, plan.way.hexes)) or say("of staying in place")
    goals = {f"{PREFIX}path.best": (float(best.hexes), float(option.hexes))}
    text = _after(aim, path, option, best)
    yield Contrast(
        "other",
        Finding(f"{PREFIX}path.best", ok=False, text=text),
        units=_end(aim, plan.way),
        goals=goals,
        steps=tuple(path_steps(aim, plan.way)),
    )


def _after(aim: Aim, path: str, option: Option, best: Option) -> str:
    """Return the sentence why a path of one kind comes after one of the best kind."""
    if option.hexes < best.hexes:
        return say("The next best path, {path}, enters {hexes}; the one taken enters {most}.",
                   path=path, hexes=in_hexes(option.hexes), most=in_hexes(best.hexes))  # fmt: skip
    if option.gait != best.gait:
        more = aim.table.book.run_to_hit - aim.table.book.walk_to_hit
        return say(
            "The next best path, {path}, enters as many hexes, but at a run: the number to hit would be {more} higher.",
            path=path,
            more=more,
        )
    if option.mp > best.mp:
        return say(
            "The next best path, {path}, enters as many hexes, but costs {mp} MP; the one taken costs {least}.",
            path=path,
            mp=option.mp,
            least=best.mp,
        )
    return say(
        "The path {path} is as good; of equal paths the one with the smaller hex numbers is taken.",
        path=path,
    )


def _counted(declared: Declared) -> Iterator[Contrast]:
    """Yield the sum of the hexes that count, where a part of the path does not."""
    entered = len(declared.path)
    counts = declared.hexes_entered
    if entered > counts:
        told = {"entered": entered, "lost": entered - counts, "counts": counts}
        text = say(
            "Hexes that count: {entered} (entered) - {lost} (up to the last step that is not forward) = {counts}.",
            **told,
        )
        terms = (
            Term(say("hexes entered"), entered, "hexes"),
            Term(say("up to the last step that is not forward"), counts - entered, "hexes"),
        )
        yield Contrast(
            "mechanism",
            Finding(f"{PREFIX}path.forward-only", ok=True, text=text),
            terms=(*terms, Term(say("hexes that count"), counts, "hexes")),
        )


def _rising(asked: DeclaredAttack) -> Iterator[Contrast]:
    """Yield the sum of the MP of a charger that stands up first."""
    aim = asked.aim
    way = None if asked.plan is None else asked.plan.way
    if way is None:
        return
    if way.rise_mp and way.target_mp is not None and way.mp is not None:
        inner = way.mp_to_last - way.rise_mp
        told = {
            "rise": way.rise_mp,
            "inner": inner,
            "last": number(way.last),
            "mp": way.target_mp,
            "place": number(aim.target_hex),
        }
        text = say(
            "MP: {rise} (standing up) + {inner} (to hex {last}) + {mp} (hex {place}) = {spent} of {limit}.",
            spent=way.mp,
            limit=aim.limit,
            **told,
        )
        terms = (
            Term(say("standing up"), way.rise_mp, "MP"),
            Term(say("to the last hex"), inner, "MP"),
            Term(say("the target's hex"), way.target_mp, "MP"),
        )
        yield Contrast(
            "mechanism",
            Finding(ENOUGH_MP, ok=True, text=text, measured=way.mp, limit=aim.limit),
            terms=(*terms, Term(say("in all"), way.mp, "MP")),
        )


def _steep(rise: int, most: int) -> str:
    """Return a few words for a level difference, negative downwards, that is greater than the largest allowed."""
    levels = counted(abs(rise), "levels")
    return (
        say("{levels} up, at most {most}", levels=levels, most=most)
        if rise > 0
        else say("{levels} down, at most {most}", levels=levels, most=most)
    )


# Damage.


class Hit(NamedTuple):
    """A hit on a target, a unit or (None) a building: the table at impact, the charger, the target and the damage."""

    table: Table
    charger: CombatUnit
    target: CombatUnit | None
    damage: Damage


def _damage(hit: Hit, hexes: int) -> Iterator[Contrast]:
    """Yield the sum of a hit's damage to its target, after entering some hexes."""
    table, charger, target, damage = hit
    tons = charger.profile.tons or 0
    per_point = table.book.tons_per_point
    terms = [
        Term(say("tons"), tons, "t"),
        Term(say("hexes entered"), hexes, "hexes", f"{DIVIDED} {per_point} {TIMES}"),
    ]
    told = {
        "tons": tons,
        "per_point": per_point,
        "hexes": hexes,
        "tens": tons_points(table, charger),
    }
    text = say("{tons} tons / {per_point} x {hexes} (hexes entered)", **told)
    heading = say("Damage, rounded up")
    if table.choices.damage_rounding == "per_ten":
        text = say(
            "{tens} ({tons} tons / {per_point}, rounded up) x {hexes} (hexes entered)", **told
        )
        each = Term(
            say("points for each hex"), told["tens"], "points", f"{DIVIDED} {per_point} {EQUALS}"
        )
        terms = [terms[0], each, terms[1]._replace(operator=TIMES)]
    if halves(table, charger) > 1:
        text = say("{sum} / 2 (submerged)", sum=text)
        terms.append(Term(say("divided by, submerged"), 2, operator=DIVIDED))
    if target is None:
        whole = damage.target_points
        points = whole // 2 if has_bulldozer(charger) else whole
        terms.append(Term(say("damage"), points, "points", EQUALS))
        sentence = say("Damage, rounded up: {sum} = {points} points.", sum=text, points=points)
        if whole != points:
            terms.append(
                Term(say("doubled by the bulldozer"), whole, "points", f"{TIMES} 2 {EQUALS}")
            )
            sentence = say(
                "Damage, rounded up: {sum} = {points} points; the bulldozer doubles it to {whole}.",
                sum=text,
                points=points,
                whole=whole,
            )
        rule = f"{PREFIX}unusual.building"
        yield _sum(rule, sentence, heading, whole, terms)
        return
    points = damage.target_points
    through = damage.reaching
    terms.append(Term(say("damage"), points, "points", EQUALS))
    sentence = say("Damage, rounded up: {sum} = {points} points.", sum=text, points=points)
    if damage.is_shielded:
        told = {"part": shield_of(table, target), "size": table.book.group_points}
        terms += [
            Term(say("absorbed, {part} of each {size}", **told), -damage.absorbed, "points"),
            Term(say("reaching the target"), through, "points", EQUALS),
        ]
        sentence = say(
            "Damage, rounded up: {sum} = {points} points; the building absorbs {part} of each group of {size}, "
            "{absorbed} in all, so {target} takes {through}.",
            absorbed=damage.absorbed,
            target=target.name,
            through=through,
            sum=text,
            points=points,
            **told,
        )
    yield _sum(f"{PREFIX}damage.target", sentence, heading, points, terms)


def _own_damage(hit: Hit) -> Iterator[Contrast]:
    """Yield the sum of the damage to the charger itself, where a bulldozer or water lessens it."""
    table, charger, target, damage = hit
    parts = halves(table, charger)
    per_point = table.book.tons_per_point
    if not has_bulldozer(charger) and parts == 1:
        return
    is_own_weight = target is None or is_weightless(target)
    weight = charger if target is None or is_own_weight else target
    tons = weight.profile.tons or 0
    whole = divided_up(tons, per_point * parts)
    points = damage.charger_points
    terms = [Term(say("tons"), tons, "t")]
    text = say("{tons} tons / {per_point}", tons=tons, per_point=per_point)
    if parts > 1:
        text = say("{sum} / 2 (submerged)", sum=text)
        terms.append(
            Term(say("divided by, submerged"), 2, operator=f"{DIVIDED} {per_point} {DIVIDED}")
        )
    terms.append(
        Term(
            say("damage"),
            whole,
            "points",
            EQUALS if parts > 1 else f"{DIVIDED} {per_point} {EQUALS}",
        )
    )
    sentence = say(
        "Damage to {charger}, rounded up: {sum} = {whole} points.",
        charger=charger.name,
        sum=text,
        whole=whole,
    )
    if has_bulldozer(charger):
        terms.append(
            Term(
                say("halved by the bulldozer, rounded down"),
                points,
                "points",
                f"{DIVIDED} 2 {EQUALS}",
            )
        )
        sentence = say(
            "Damage to {charger}, rounded up: {sum} = {whole} points; the bulldozer halves it, rounded "
            "down, to {points}.",
            charger=charger.name,
            sum=text,
            whole=whole,
            points=points,
        )
    rule = f"{PREFIX}unusual.damage" if is_own_weight else f"{PREFIX}damage.charger"
    heading = say("Damage to {charger}, rounded up", charger=charger.name)
    yield _sum(rule, sentence, heading, points, terms)


def _building(
    table: Table, charger: CombatUnit, end: ChargeState, place: Hex
) -> Iterator[Contrast]:
    """Yield the sum of the CF that the building in the target's hex loses: to the hit, and to the charger that enters
    it.
    """
    before = table.at(place).cf
    if not table.at(place).is_building:
        return
    is_shield = end.declared.target is not None
    first, *entered = (points for worn, points in end.wear if worn == place)
    hit = min(first, before)
    terms = [
        Term(say("CF before"), before, "CF"),
        Term(say("absorbed") if is_shield else say("damage"), -hit, "CF"),
    ]
    text = say("{cf} - {points} (damage)", cf=before, points=hit)
    if is_shield:
        text = say("{cf} - {points} (absorbed)", cf=before, points=hit)
    entering = 0
    if entered:
        tons = charger.profile.tons or 0
        per_point = table.book.tons_per_point
        entering = min(entered[0], before - hit)
        text = say(
            "{sum} - {points} (entering: {tons} tons / {per_point}, rounded up)",
            sum=text,
            points=entering,
            tons=tons,
            per_point=per_point,
        )
        terms.append(Term(say("entering"), -entering, "CF"))
    left = before - hit - entering
    terms.append(Term(say("CF left"), left, "CF"))
    rule = f"{PREFIX}building.absorbs" if is_shield else f"{PREFIX}unusual.building"
    sentence = say("CF: {sum} = {left}.", sum=text, left=left)
    heading = say("What is left of the building's CF of {cf}", cf=before)
    yield _sum(rule, sentence, heading, left, terms)


def _sum(rule: str, sentence: str, heading: str, total: int, terms: Sequence[Term]) -> Contrast:
    """Return the contrast of a sum as it is worked out, with its total."""
    found = Finding(rule, ok=True, text=sentence, measured=float(total))
    return Contrast("mechanism", found, heading, terms=tuple(terms))


# Misses and skids.


def _declared_side(
    aim: Aim, table: Table, options: tuple[Hex, ...], charger: CombatUnit
) -> Iterator[Contrast]:
    """Yield the hex on the declared side into which a charger that missed may not go, if level or terrain bar it or
    another unit does.
    """
    turn = MISS_TURNS[table.choices.miss_hexes] * (1 if aim.keys.miss == "right" else -1)
    place = neighbour(charger.hex, charger.facing + turn)
    if place in options or not table.board.holds(place):
        return
    rise = table.rise(charger.hex, place, charger)
    most = table.climb(charger)
    here = number(place)
    crowd = table.crowding(place, charger)
    measured = None
    limit = None
    words = ""
    if table.is_prohibited(place, charger):
        reason = say("hex {place} is prohibited to {charger}", place=here, charger=charger.name)
        words = say("prohibited to {charger}", charger=charger.name)
    elif abs(rise) > most:
        levels = counted(abs(rise), "levels")
        measured = abs(rise)
        limit = most
        reason = say(
            "hex {place} is {levels} higher or lower than hex {start}",
            place=here,
            levels=levels,
            start=number(charger.hex),
        )
        words = _steep(rise, most)
    elif crowd is not None:
        reason = say("{unit} leaves no room in hex {place}", unit=crowd.name, place=here)
        words = say("no room beside {unit}", unit=crowd.name)
    else:
        return
    text = say(
        "The side declared for a miss is not open to {charger}: {reason}.",
        charger=charger.name,
        reason=reason,
    )
    margin = None if measured is None or limit is None else limit - measured
    heading = say("To the right") if aim.keys.miss == "right" else say("To the left")
    rule = f"{PREFIX}miss.placement"
    start = table.pose(charger)
    end = table.pose(charger.at(place))
    mark = table.mark(words, place, (table.hexside(charger.hex, place),))
    found = Finding(
        rule, ok=False, text=text, measured=measured, limit=limit, margin=margin, mark=mark
    )
    step = Step("miss", charger.name, start, end, rules=(rule,))
    yield Contrast("barred", found, heading, {charger.name: end}, steps=(step,))


def _hill(table: Table, charger: CombatUnit, skid: Skid, place: Hex) -> Iterator[Contrast]:
    """Yield the hex, higher than the one before it, into which a skid would go on."""
    rise = table.rise(skid.hexes[-1], place, charger)
    told = {
        "limit": in_hexes(skid.limit),
        "place": number(place),
        "levels": counted(rise, "levels"),
    }
    text = say(
        "The skid of up to {limit} would go on into hex {place}, but that is {levels} higher, and a skid goes up none.",
        **told,
    )
    found = Finding(
        f"{PREFIX}unusual.hill", ok=False, text=text, measured=rise, limit=0, margin=-rise
    )
    yield Contrast("barred", found)

"""The course of a declared charge: path, weapon fire, to-hit roll, and consequences."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from systems.battletech.collision import TO_HIT, after_weapons, charge_target, weapon_roll
from systems.battletech.effects import path_tasks
from systems.battletech.play import ChargeState, Task, begin, in_hexes, shown_fall, shown_roll
from systems.battletech.roll import ChargeReport, Faces, Roller
from systems.battletech.rules import PREFIX
from systems.battletech.scene import Declared, Table
from tabletop.messages import counted, listed, say
from tabletop.ruling.charge import Metric, Outcome, Step
from tabletop.ruling.evidence import Dice, Mark
from tabletop.ruling.finding import Finding
from tabletop.table.dice import DiceStream
from tabletop.table.hexes import distance, neighbour
from tabletop.table.hexes import number as hex_number


@dataclass(frozen=True)
class Resolved:
    """The result of a declared charge, as returned by `resolve_declared`.

    `end` is the state in which it ended. `findings` are those after the declaration, from building.path-rolls on.
    """

    outcome: Outcome
    rule: str | None
    summary: str
    end: ChargeState
    findings: tuple[Finding, ...]
    steps: tuple[Step, ...]
    metrics: Mapping[str, Metric]
    dice: Dice | None


def course(declared: Declared, table: Table, *, keep: frozenset[str] = frozenset()) -> ChargeState:
    """Return the state of a charge before anything is rolled, with its tasks; `keep` names units whose details later
    charges need.
    """
    state = begin(declared, table, keep=keep)
    weapons: tuple[Task, ...] = (
        (weapon_roll, (True,)),
        (weapon_roll, (False,)),
        (after_weapons, ((resolve_in_front, ()),)),
    )
    return state.then(*path_tasks(state), *weapons)


def resolve_declared(declared: Declared, table: Table, hand: DiceStream) -> Resolved:
    """Return the result of a charge on a table, with dice from a stream of faces.

    Raises
    ------
    ScenarioError
        If there are too few faces.
    """
    state = course(declared, table)
    roller = Faces(hand)
    while state.agenda:
        state = state.stepped(roller)
    return _resolved(state, roller.report)


def after(state: ChargeState) -> Table:
    """Return the table after a charge, with the construction factors that damaged buildings have left."""
    table = state.table
    for place in dict.fromkeys(place for place, _ in state.wear):
        table = table.with_cf(place, state.cf(place))
    return table


def resolve_in_front(state: ChargeState, roller: Roller) -> ChargeState:
    """Return the state after the charge at its target, if that is still in the hex in front of the charger; else after
    no charge.
    """
    target = state.target
    place = state.declared.target_hex
    charger = state.charger
    in_front = neighbour(charger.hex, charger.facing)
    table = state.table
    off = distance(in_front, place if target is None else target.hex)
    is_there = off == 0 and (target is not None or state.cf(place) > 0)
    if roller.report:
        parts = {"what": state.declared.target or say("The building"), "name": charger.name}
        mark = None
        text = say(
            "{what} is in hex {place}, straight ahead of {name}.",
            place=hex_number(in_front),
            **parts,
        )
        measured = None
        if off:
            text = say(
                "{what} is no longer straight ahead of {name}, as it must be: it is {hexes} away.",
                hexes=in_hexes(off),
                **parts,
            )
            measured = off
        elif not is_there:
            text = say("{what} is no longer straight ahead of {name}, as it must be.", **parts)
        if not is_there:
            name = say("the building") if target is None else target.name
            words = say("{name} is gone", name=name)
            if target is not None and target.hex == place:
                words = say(
                    "{charger} is no longer in front of {name}", charger=charger.name, name=name
                )
            mark = table.mark(words, place, table.outline(place), stage="after")
        limit = None if measured is None else 0
        roller.report.finding(
            "resolve.front-hex",
            text,
            ok=is_there,
            measured=measured,
            limit=limit,
            has_margin=True,
            mark=mark,
        )
    return (
        charge_target(state, roller)
        if is_there
        else _gone(state.but(rule="resolve.front-hex"), roller)
    )


def _gone(state: ChargeState, roller: Roller) -> ChargeState:
    """Return the state for a charger whose target is gone: it stays or, if so chosen and there is room, enters the
    target's old hex.
    """
    unit = state.charger
    place = state.declared.target_hex
    if (
        state.table.choices.target_gone == "stay"
        or state.front != place
        or state.table.crowding(place, unit) is not None
    ):
        return state
    moved = unit.at(place)
    if roller.report:
        text = say("{name} moves on to the hex where its target was.", name=unit.name)
        roller.report.step(
            "advance",
            unit.name,
            "resolve.front-hex",
            poses=(state.table.pose(unit), state.table.pose(moved)),
            text=text,
        )
    return state.with_unit(moved)


def _resolved(state: ChargeState, report: ChargeReport) -> Resolved:
    success = state.is_success
    rule = None if success or state.rule is None else PREFIX + state.rule
    is_fallen = state.is_down and not success
    where, mark = (
        (rule, _fallen_mark(state)) if is_fallen else (f"{PREFIX}damage.target", _hit_mark(state))
    )
    findings = tuple(
        replace(one, mark=mark) if one.rule == where else one for one in report.findings
    )
    findings = tuple(
        replace(one, ok=False, margin=_missing(one)) if one.rule == rule and one.ok else one
        for one in findings
    )
    metrics = {
        "displacement": "none",
        "fell": list(dict.fromkeys(state.fell)),
        **report.metrics,
        **_ends(state),
    }
    return Resolved(
        "success" if success else "failed",
        rule,
        _summary(state),
        state,
        findings,
        tuple(report.steps),
        metrics,
        _dice(state, report),
    )


def _dice(state: ChargeState, report: ChargeReport) -> Dice | None:
    """Return the dice of the last roll to hit; None if the last collision needed none."""
    roll = state.strikes[-1].roll if state.strikes else None
    if roll is None or roll.total is None:
        return None
    faces = report.faces[TO_HIT]
    text = say("= {total}; needs {number} or more", total=roll.total, number=roll.number)
    return Dice(faces, text, told=f"{' + '.join(map(str, faces))} = {roll.total}.")


def _hit_mark(state: ChargeState) -> Mark | None:
    """Return the mark for figures of a hit: the points of damage, at the target's hex in the end; None without a hit,
    or of a building.
    """
    damage = state.dealt
    if state.target is None or damage is None:
        return None
    words = say(
        "{points} to {target}", points=counted(damage.reaching, "points"), target=state.target.name
    )
    return state.table.mark(words, state.target.hex, stage="after")


def _fallen_mark(state: ChargeState) -> Mark:
    """Return the mark for figures of a charger that fell to weapon fire: where it lies, or where its skid was
    stopped.
    """
    table = state.table
    charger = state.charger
    last = state.strikes[-1] if state.strikes else None
    missed = next((strike for strike in state.strikes if state.is_meant(strike)), None)
    place = charger.hex
    if state.skid is None:
        words = shown_fall(dict(state.failed)[charger.name])
    elif missed is not None and missed.roll is not None:
        words = shown_roll(missed.roll)
        place = missed.place
    elif last is not None and last.kind == "hill":
        skid = state.skid
        levels = counted(table.rise(place, last.place, charger), "levels")
        words = say(
            "skids {entered} of {hexes}: {levels} up",
            entered=skid.entered,
            hexes=in_hexes(skid.limit),
            levels=levels,
        )
        return table.mark(words, last.place, (table.hexside(place, last.place),), stage="after")
    elif last is not None and last.is_hit:
        words = say("skids into {what}", what=last.target or say("the building"))
        place = last.place
    else:
        words = say("skids {hexes}", hexes=in_hexes(state.skid.entered))
    return table.mark(words, place, table.outline(place), stage="after")


def _missing(finding: Finding) -> float | None:
    """Return the negative amount by which a failed roll missed its number; None if it was no failed roll."""
    if finding.measured is None or finding.limit is None or finding.measured >= finding.limit:
        return None
    return finding.measured - finding.limit


def _ends(state: ChargeState) -> dict[str, Metric]:
    """Return metrics with the ends, x and y in inches, of charger and target (or of the unit hit last), and the
    building's CF left.
    """
    board = state.table.board
    place = state.strikes[-1].place if state.strikes else state.declared.target_hex
    target = place if state.struck is None else state.table.units[state.struck].hex
    charger_at = board.centre(state.charger.hex)
    target_at = board.centre(target)
    ends: dict[str, Metric] = dict(
        zip(
            ("charger_x", "charger_y", "target_x", "target_y"),
            (*charger_at, *target_at),
            strict=True,
        )
    )
    return {**ends, "building_cf": state.cf(place)} if state.table.at(place).is_building else ends


MISSED_BY: Mapping[str, str] = {
    "weapon.charger-fell": say("it fell because of weapon fire"),
    "weapon.target-fell": say("its target fell because of weapon fire"),
    "weapon.mp-loss": say("it lost all its MP"),
    "resolve.front-hex": say("its target is no longer in front of it"),
    "tohit.roll": say("the roll to hit failed"),
}


def _summary(state: ChargeState) -> str:
    """Return one or two sentences on how the charge ended: the damage to both units, and who fell."""
    name = state.declared.charger
    met = state.declared.target or say(
        "the building in hex {place}", place=hex_number(state.declared.target_hex)
    )
    fell = (
        say(" {names} fell.", names=listed(dict.fromkeys(state.fell), " and "))
        if state.fell
        else ""
    )
    damage = state.dealt
    if damage is None:
        return say(
            "{name} does not hit {met}: {why}.{fell}",
            name=name,
            met=met,
            why=MISSED_BY[state.rule or "tohit.roll"],
            fell=fell,
        )
    ends = {
        "moved": say(" {met} is pushed away.", met=met),
        "blocked": say(" {met} cannot be pushed away.", met=met),
    }.get(state.push, "")
    own = damage.charger_points
    masonry = state.points(name) - own
    parts = {"name": name, "met": met, "own": own, "ends": ends, "fell": fell}
    parts["points"] = damage.reaching
    text = say(
        "{name} hits {met}, which takes {points} points of damage; {name} itself takes {own}.{ends}{fell}",
        **parts,
    )
    if masonry:
        parts |= {"masonry": masonry, "total": own + masonry}
        text = say(
            "{name} hits {met}, which takes {points} points of damage; {name} itself takes {own}, and {masonry} more "
            "from the building: {total} in all.{ends}{fell}",
            **parts,
        )
    return text + _worn_words(state)


def _worn_words(state: ChargeState) -> str:
    """Return the sentence on what remains of the building in the target's hex, with each loss of CF; empty if it lost
    none.
    """
    place = state.declared.target_hex
    left = state.table.at(place).cf
    terms = [str(state.table.at(place).cf)]
    for points in (points for worn, points in state.wear if worn == place and points):
        terms.append(str(min(points, left)))
        left = max(left - points, 0)
    return (
        say(" Building: CF {sum} = {left}.", sum=" \N{MINUS SIGN} ".join(terms), left=left)
        if len(terms) > 1
        else ""
    )

"""Declarations of a file, in order: each allowed charger moves to its last hex before the next charge is declared."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from systems.battletech.conditions import (
    ELIGIBILITY_LIMITS,
    PATH_LIMITS,
    PROCEDURES,
    DeclaredAttack,
    Measure,
    available_mp,
    charger_type,
    enough_mp,
    level_difference,
)
from systems.battletech.move import Aim, HexPath, found, given, straight_way
from systems.battletech.rules import PREFIX
from systems.battletech.scene import CombatUnit, Declared, Table
from tabletop.messages import say
from tabletop.ruling.charge import Charge, Metric, Step
from tabletop.ruling.evidence import Note
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.scenario.fields import hex_of
from tabletop.table.hexes import distance, number
from tabletop.table.state import Hex

PATH_RULES = (f"{PREFIX}path.connected", f"{PREFIX}path.enterable")


@dataclass(frozen=True)
class DeclaredCharge:
    """A declared charge with its findings; `declared` is the charge to resolve, None if it is not allowed because of
    the limit `refused_by`.
    """

    charge: Charge
    asked: DeclaredAttack
    findings: tuple[Finding, ...]
    declared: Declared | None
    refused_by: Measure | None

    @property
    def refusals(self) -> tuple[Finding, ...]:
        """The broken findings, in the order of the rules."""
        return tuple(one for one in self.findings if not one.ok)


def declare_all(case: Case) -> tuple[tuple[DeclaredCharge, ...], Table]:
    """Return the declared charges of a case, and the table with every allowed charger in its last hex."""
    table = Table.of(case)
    claims: list[DeclaredCharge] = []
    for index, charge in enumerate(case.charges):
        claim = _claim(case, table, claims, index)
        claims.append(claim)
        if claim.declared is not None and claim.asked.plan is not None:
            way = claim.asked.plan.way
            charger = table.units[charge.charger]
            table = table.with_unit(
                charger.at(way.last, way.end_facing).with_status(without=("prone",))
            )
    return tuple(claims), table


def _claim(case: Case, table: Table, claims: list[DeclaredCharge], index: int) -> DeclaredCharge:
    aim = aim_of(case, table, index)
    earlier = tuple(claim.declared for claim in claims if claim.declared is not None)
    asked = DeclaredAttack(
        aim, earlier, frozenset(charge.charger for charge in case.charges[index + 1 :])
    )
    measured = list(_measured(ELIGIBILITY_LIMITS, asked))
    broken = {limit for limit, one in measured if not one.ok}
    asked = _with_way(asked, broken, is_listed=case.detail)
    measured += _measured(PATH_LIMITS, asked)
    refused_by = next((limit for limit, one in measured if not one.ok), None)
    declared = _declared(case.charges[index], asked) if refused_by is None else None
    if declared is not None:
        measured += _measured(PROCEDURES, asked)
    findings = tuple(one for _, one in measured)
    return DeclaredCharge(case.charges[index], asked, findings, declared, refused_by)


def aim_of(case: Case, table: Table, index: int) -> Aim:
    """Return the charger of a charge, by its number in the file, and what it charges, on the table at its
    declaration.
    """
    charge = case.charges[index]
    keys = charge.declarations
    target = table.units.get(charge.targets[0])
    if target is not None:
        return Aim(index, keys, table, table.units[charge.charger], target, target.hex)
    hexes = next(piece.hexes for piece in case.state.hex_terrain if piece.name == charge.targets[0])
    place = hex_of(keys.target_hex) if keys.target_hex is not None else hexes[0]
    return Aim(index, keys, table, table.units[charge.charger], None, place)


def _measured(
    limits: tuple[Measure, ...], asked: DeclaredAttack
) -> Iterator[tuple[Measure, Finding]]:
    return ((measure, one) for measure in limits if (one := measure(asked)) is not None)


def _with_way(
    asked: DeclaredAttack, broken: Collection[Measure], *, is_listed: bool
) -> DeclaredAttack:
    """Return the charge with its path, given or found; no path is looked for if what is broken makes that pointless."""
    if not asked.aim.is_search:
        return replace(asked, plan=given(asked.aim))
    if not asked.aim.is_on_foot or not {charger_type, level_difference}.isdisjoint(broken):
        return asked
    search = found(asked.aim, is_listed=is_listed)
    return replace(asked, search=search, plan=search.plan)


def _declared(charge: Charge, asked: DeclaredAttack) -> Declared | None:
    aim = asked.aim
    plan = asked.plan
    if plan is None:
        return None
    target = aim.target.name if aim.target is not None else None
    return Declared(
        aim.number,
        charge,
        aim.charger.name,
        target,
        aim.target_hex,
        plan.hexes_entered,
        plan.gait,
        plan.way.hexes,
    )


def metrics_of(claim: DeclaredCharge) -> dict[str, Metric]:
    """Return the metrics of a declaration: distance, path, search results and, if it is not allowed, the rules that
    refuse it.
    """
    aim = claim.asked.aim
    board = aim.table.board
    start = aim.charger.hex
    found_metrics: dict[str, Metric] = {
        "distance_hexes": distance(start, aim.target_hex),
        "distance_inches": math.dist(board.centre(start), board.centre(aim.target_hex)),
        **_path_metrics(claim.asked),
        **_search_metrics(claim.asked),
    }
    if claim.declared is None:
        found_metrics["refusals"] = [one.rule for one in claim.refusals]
    return found_metrics


def _path_metrics(asked: DeclaredAttack) -> dict[str, Metric]:
    plan = asked.plan
    if plan is None or not asked.aim.is_on_foot:
        return {}
    is_path = asked.aim.keys.hexes_moved is None
    metrics: dict[str, Metric | None] = {
        "hexes_entered": plan.hexes_entered,
        "mp_spent": plan.way.mp if is_path else None,
        "mp_available": available_mp(asked.aim),
        "movement": plan.gait,
        "path_hexes": [number(place) for place in plan.way.hexes] if is_path else None,
    }
    return {key: value for key, value in metrics.items() if value is not None}


def _search_metrics(asked: DeclaredAttack) -> dict[str, Metric]:
    search = asked.search
    if search is None:
        return {}
    if not search.options:
        return {"paths_legal": 0}
    by_hexes = {
        hexes: [one for one in search.options if one.hexes == hexes]
        for hexes in sorted({one.hexes for one in search.options})
    }
    return {
        "paths_legal": search.count,
        "best_paths": search.options[0].count,
        "option_hexes": list(by_hexes),
        "option_mp": [min(one.mp for one in options) for options in by_hexes.values()],
        "option_paths": [sum(one.count for one in options) for options in by_hexes.values()],
        **(
            {"all_paths": [list(map(number, path)) for path in search.listed]}
            if search.listed
            else {}
        ),
    }


def steps_of(claim: DeclaredCharge) -> tuple[Step, ...]:
    """Return the steps of the charger from its start to its last hex; empty for a charge that may not be declared."""
    if claim.declared is None or claim.asked.plan is None:
        return ()
    return tuple(path_steps(claim.asked.aim, claim.asked.plan.way))


def path_steps(aim: Aim, way: HexPath) -> Iterator[Step]:
    """Yield the steps of a charger along a path: standing up, turns, and hexes entered."""
    unit = aim.charger
    table = aim.table
    if way.rise_mp:
        pose = table.pose(unit)
        yield Step(
            "stand_up",
            unit.name,
            pose,
            pose,
            rules=(f"{PREFIX}declare.enough-mp",),
            text=say("{mp} MP", mp=way.rise_mp),
        )
    for leg in way.legs:
        yield from _turned(table, unit, leg.facing, leg.turn_mp)
        start = unit.at(unit.hex, leg.facing)
        end = unit.at(leg.hex, leg.facing)
        mp = leg.enter_mp
        backwards = say("{mp} MP, backwards", mp=mp)
        sideways = say("{mp} MP, sideways", mp=mp)
        text = (
            say("{mp} MP", mp=mp)
            if leg.sense == "forward"
            else backwards
            if leg.sense == "back"
            else sideways
        )
        yield Step(
            "enter",
            end.name,
            table.pose(start),
            table.pose(end),
            table.board.hex_inches,
            rules=PATH_RULES,
            text=text,
        )
        unit = end
    yield from _turned(table, unit, way.end_facing, way.end_turn_mp)


def _turned(table: Table, unit: CombatUnit, facing: int, mp: int) -> Iterator[Step]:
    """Yield the step of a turn on the spot to a facing, costing `mp`, if the unit does not face there already."""
    sides = (unit.facing - facing + 2) % 6 - 2
    if sides:
        start = table.pose(unit)
        end = table.pose(unit.at(unit.hex, facing))
        rules = (f"{PREFIX}declare.enough-mp",)
        yield Step(
            "turn",
            unit.name,
            start,
            end,
            angle=math.radians(60.0 * sides),
            rules=rules,
            text=say("{mp} MP", mp=mp),
        )


def notes_of(claim: DeclaredCharge) -> tuple[Note, ...]:
    """Return notes for figures: the MP (movement points) spent up to each hex of the path shown, turns included, and
    the target's hex.
    """
    aim = claim.asked.aim
    way = _shown_way(claim)
    if way is None:
        return ()
    costs: list[tuple[Hex, int]] = [(leg.hex, leg.mp) for leg in way.legs]
    if way.target_mp is not None:
        costs.append((aim.target_hex, way.end_turn_mp + way.target_mp))
    mp = list(accumulate((mp for _, mp in costs), initial=way.rise_mp))[1:]
    # of a hex entered twice the last
    spent = dict(zip((place for place, _ in costs), mp, strict=True))
    return tuple(
        Note(aim.table.board.centre(place), say("{mp} MP", mp=mp)) for place, mp in spent.items()
    )


def _shown_way(claim: DeclaredCharge) -> HexPath | None:
    """Return the path that figures show of a declaration; None if they show none.

    Of a charge that may not be declared it is the one that the file gives, or where MP are missing the straight one
    that costs least.
    """
    asked = claim.asked
    if asked.aim.keys.hexes_moved is not None:
        return None
    if claim.declared is not None or asked.search is None:
        return None if asked.plan is None else asked.plan.way
    straight = straight_way(asked.aim) if claim.refused_by is enough_mp else None
    return None if straight is None or straight.mp != asked.search.fewest else straight

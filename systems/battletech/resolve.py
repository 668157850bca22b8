"""All charges of a file are declared first, then resolved in the order of the file."""

from collections.abc import Sequence

from systems.battletech.course import resolve_declared
from systems.battletech.declare import DeclaredCharge, declare_all, steps_of
from systems.battletech.explain import refused, ruled
from systems.battletech.odds import odds_of
from systems.battletech.scene import Table, combat_units
from systems.battletech.setup import stacks
from tabletop.errors import ScenarioError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.state import HexUnit, State


def resolve_all(case: Case, throws: DiceSource) -> tuple[Sequence[Ruling], State[HexUnit]]:
    """Declare all charges in file order, then resolve them one by one; give their rulings and the table afterwards.

    Raises
    ------
    ScenarioError
        If there are too few or too many faces, or units stand closer than the stacking chosen allows.
    """
    claims, table = declared(case)
    rulings: list[Ruling] = []
    untold = list(claims)
    for claim in claims:
        ruling, table = _resolved(claim, table, throws, untold)
        rulings.append(ruling)
    throws.close()
    return rulings, table.state(case.state)


def declared(case: Case) -> tuple[tuple[DeclaredCharge, ...], Table]:
    """Declare all charges, once the units stand as the stacking chosen allows."""
    crowded = tuple(stacks(combat_units(case.state), most=1)) if case.choices.stacking == "single" else ()
    if crowded:
        raise ScenarioError(crowded)
    return declare_all(case)


def _resolved(claim: DeclaredCharge, table: Table, throws: DiceSource, untold: list[DeclaredCharge]) -> tuple[Ruling, Table]:
    """Resolve one charge; `untold` are the charges whose way to their last hex no ruling has told yet, and loses those told."""
    asked = claim.declared
    if asked is None:
        return refused(claim), table
    hand = throws.stream(asked.number, claim.charge.dice)
    resolved = resolve_declared(asked, table, hand)
    hand.close()
    moved = {step.unit for step in resolved.steps} | {claim.charge.charger}
    due = [other for other in untold if other is claim or (other.declared is not None and other.declared.charger in moved)]
    untold[:] = [other for other in untold if other not in due]
    told = tuple(step for other in due for step in steps_of(other))
    return ruled(claim, resolved, odds_of(asked, table, last_met=resolved.last_met), told), resolved.table

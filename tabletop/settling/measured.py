"""A case as it was measured, and the same with its table settled."""

import math
from collections.abc import Sequence
from dataclasses import replace

from tabletop.errors import Fault
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.settling.settle import Settled, settled
from tabletop.table.accuracy import MOST
from tabletop.words import key_path, shown


def settled_case(case: Case, charges: Sequence[tuple[int, Charge]]) -> tuple[Case, list[Fault]]:
    """Settle the table of a case that was measured; where none can be found, give it as it is, and what is wrong."""
    words = case.system.vocabulary
    if case.measured is None or words.room is None:
        raise AssertionError("only what was measured, and not on hexes, is settled")
    found = settled(case.state, case.measured, words.room(case.state, charges, case.choices))
    if not found.broken:
        return replace(case, state=found.state, settled=found), []
    return case, [_unsettled(case, found)]


def _unsettled(case: Case, found: Settled) -> Fault:
    """Say which bodies leave each other no room within what they were measured to, and what accuracy would do."""
    name, *others = found.broken[0]
    more = f", and {len(found.broken) - 1} more such places" if len(found.broken) > 1 else ""
    least = math.inf if found.needed is None else math.ceil(found.needed * 1000) / 1000
    would = f"; an accuracy of {least:g} in would do" if least <= MOST else f", nor an accuracy up to {MOST:g} in that would do"
    known = {*case.state.units, *(piece.name for piece in case.state.terrain)}
    kept = f"{shown(name)} {found.what} {' and '.join(shown(one) for one in others if one)}".rstrip()
    homes = dict.fromkeys(one if one in known else one.rpartition(".")[0] for one in found.broken[0])
    message = f"no table within the accuracy was found on which {kept}{more}{would}"
    unit, _, number = (name, "", "") if name in known else name.rpartition(".")
    key = key_path(["units", unit, "at", *([int(number)] if number else [])])
    return Fault(key, message, between=tuple(one for one in homes if one in known))

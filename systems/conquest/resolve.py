"""From a declared charge to its ruling on the table as it is when its turn comes."""

from systems.conquest.attempts import Attempt
from systems.conquest.declare import Declaration
from systems.conquest.explain import refused, ruled
from systems.conquest.roll import Roll, rolled
from systems.conquest.scene import Scene
from tabletop.budget import Budget
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import Hand
from tabletop.table.state import State


def attempt_of(case: Case, charge: Charge, *, state: State, budget: Budget) -> Attempt:
    """Put a charge on a table."""
    return Attempt(Declaration(charge, Scene.of(state, charge, choices=case.choices, book=case.book, budget=budget)))


def settled(attempt: Attempt, hand: Hand) -> tuple[Ruling, State]:
    """Roll for a charge if it may be declared, and rule on it; give the table afterwards."""
    if attempt.declaration.broken is not None:
        return _left(attempt, refused(attempt), attempt.scene.state)
    return _left(attempt, *ruled(attempt, rolled(attempt.declaration.measured, hand)))


def settled_with(attempt: Attempt, face: int) -> tuple[Ruling, State]:
    """Rule on a charge as if `face` were rolled and kept; give the table afterwards."""
    if attempt.declaration.broken is not None:
        return _left(attempt, refused(attempt), attempt.scene.state)
    return _left(attempt, *ruled(attempt, Roll(attempt.declaration.measured, (face,))))


def _left(attempt: Attempt, ruling: Ruling, state: State) -> tuple[Ruling, State]:
    """Remember of a charger whose charge came to nothing that it marched before: it may stand in a friend."""
    if ruling.outcome == "success" or attempt.scene.declarations.marched == 0.0:
        return ruling, state
    return ruling, state.with_unit(state.units[attempt.scene.charger.name].with_status("marched"))

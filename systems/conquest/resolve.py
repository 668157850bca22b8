"""The charges of a file one after the other, each from its declaration to its ruling on the table as it is when its turn comes."""

from collections.abc import Sequence

from systems.conquest.attempts import Attempt
from systems.conquest.declare import Declaration
from systems.conquest.explain import refused, ruled
from systems.conquest.roll import Roll, rolled
from systems.conquest.scene import Scene
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import Cup, Hand
from tabletop.table.state import State


def resolve_all(case: Case, cup: Cup, *, budget: Budget) -> tuple[Sequence[Ruling], State]:
    """Resolve all charges in file order; give their rulings and the table afterwards.

    Raises
    ------
    NoVerdictError
        If the time is used up.
    ScenarioError
        If the dice given are not as many as are rolled.
    """
    state, rulings = case.state, list[Ruling]()
    for number, charge in enumerate(case.charges):
        if budget.is_spent(len(rulings)):
            raise NoVerdictError(f"the time was used up before charge {number + 1} was resolved")
        ruling, state = settled(attempt_of(case, charge, state=state, budget=budget), cup.hand(number, charge.dice))
        rulings.append(ruling)
    cup.close()
    return rulings, state


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

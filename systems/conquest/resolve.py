"""The charges of a file one after the other, each from its declaration to its ruling on the table as it is when its turn comes.

For exact chances every face that may be kept is resolved in full, charge by charge, on every table that the earlier ones may leave.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from systems.conquest.attempt import ChargeSearch
from systems.conquest.declare import Declaration
from systems.conquest.explain import refused, ruled
from systems.conquest.roll import Roll, rolled
from systems.conquest.scene import Scene
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.charge import Charge
from tabletop.ruling.odds import ChargeOdds, Ending, Odds, by_total, charge_odds
from tabletop.ruling.phase import Branching, ChargeTurn, World
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import SIDES, DiceSource, DiceStream
from tabletop.table.state import State

MOST_TABLES = 1500
"""Tables on which a charge is resolved for every face, over all charges of a file."""

PLAIN_FACES = dict.fromkeys(range(1, SIDES + 1), Fraction(1, SIDES))


def resolve_all(case: Case, throws: DiceSource, *, budget: Budget) -> tuple[Sequence[Ruling], State]:
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
            raise NoVerdictError("the time was used up before charge {number} was resolved", number=number + 1)
        ruling, state = settled(attempt_of(case, charge, state=state, budget=budget), throws.stream(number, charge.dice))
        rulings.append(ruling)
    throws.close()
    return rulings, state


def attempt_of(case: Case, charge: Charge, *, state: State, budget: Budget) -> ChargeSearch:
    """Put a charge on a table."""
    return ChargeSearch(Declaration(charge, Scene.of(state, charge, choices=case.choices, book=case.book, budget=budget)))


def settled(attempt: ChargeSearch, hand: DiceStream) -> tuple[Ruling, State]:
    """Roll for a charge if it may be declared, and rule on it; give the table afterwards."""
    if attempt.declaration.broken is not None:
        return _left(attempt, refused(attempt), attempt.scene.state)
    return _left(attempt, *ruled(attempt, rolled(attempt.declaration.measured, hand)))


def settled_with(attempt: ChargeSearch, face: int) -> tuple[Ruling, State]:
    """Rule on a charge as if `face` were rolled and kept; give the table afterwards."""
    if attempt.declaration.broken is not None:
        return _left(attempt, refused(attempt), attempt.scene.state)
    return _left(attempt, *ruled(attempt, Roll(attempt.declaration.measured, (face,))))


def _left(attempt: ChargeSearch, ruling: Ruling, state: State) -> tuple[Ruling, State]:
    """Remember of a charger whose charge came to nothing that it marched before: it may stand in a friend."""
    if ruling.outcome == "success" or attempt.scene.declarations.marched == 0.0:
        return ruling, state
    return ruling, state.with_unit(state.units[attempt.scene.charger.name].with_status("marched"))


# Exact chances.


def case_odds(case: Case, *, budget: Budget) -> Odds:
    """Give the exact chances of all charges of a case.

    Raises
    ------
    NoVerdictError
        If the time is used up, or the earlier charges may leave too many different tables.
    """
    turns, joint = Joint(case, budget).turns(case.state)
    return Odds(tuple(map(_charge_odds, turns)), joint)


@dataclass(frozen=True)
class FaceEnding:
    """One way in which a charge may go: what is ruled with the face kept, if any is rolled, and the table afterwards."""

    verdict: Ending
    after: State


class Joint(Branching[State, tuple[FaceEnding, ...]]):
    """The charges of a case, each wholly resolved on the table that those before it left."""

    def __init__(self, case: Case, budget: Budget) -> None:
        self.case, self.charges, self.budget = case, case.charges, budget
        self.most_tables = MOST_TABLES

    def ways(self, number: int, table: State) -> tuple[FaceEnding, ...]:
        """Resolve a charge with every face."""
        return tuple(_ways(attempt_of(self.case, self.charges[number], state=table, budget=self.budget)))

    def left(self, number: int, ways: tuple[FaceEnding, ...], world: World[State]) -> Iterator[World[State]]:
        """Return the tables as the charge left them."""
        for way in ways:
            yield world.left(way.verdict.outcome, way.verdict.chance, way.after, seen=self.seen(number + 1, way.after))

    def seen(self, number: int, table: State) -> Hashable:
        """Tell tables apart by all units; after the last charge nothing is asked any more."""
        if number == len(self.charges):
            return None
        return tuple((unit.name, unit.pose, unit.status) for unit in table.units.values())


def _ways(attempt: ChargeSearch) -> Iterator[FaceEnding]:
    """Give every way in which a charge may go on one table."""
    if attempt.declaration.broken is not None:
        ruling, after = settled_with(attempt, 1)
        yield FaceEnding(Ending(ruling.outcome, ruling.rule, Fraction(1)), after)
        return
    for face in range(1, SIDES + 1):
        chance = attempt.declaration.measured.chance_of((face,))
        if chance:
            ruling, after = settled_with(attempt, face)
            yield FaceEnding(Ending(ruling.outcome, ruling.rule, chance, face), after)


def _charge_odds(turn: ChargeTurn[tuple[FaceEnding, ...]]) -> ChargeOdds:
    verdicts = [way.verdict.times(chance) for ways, chance in turn.on_tables for way in ways]
    return charge_odds(turn.charge, verdicts, by_total(verdicts, PLAIN_FACES))

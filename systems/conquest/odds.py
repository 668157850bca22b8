"""Exact chances: every face that may be kept is resolved in full, charge by charge, on every table that the earlier ones may leave."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from systems.conquest.attempts import Attempt
from systems.conquest.resolve import attempt_of, settled_with
from tabletop.budget import Budget
from tabletop.ruling.branching import Branching, ChargeTurn, World
from tabletop.ruling.chance import Ending, by_total, charge_odds
from tabletop.ruling.odds import ChargeOdds, Odds
from tabletop.ruling.system import Case
from tabletop.table.dice import SIDES
from tabletop.table.state import State

MOST_TABLES = 1500
"""Tables on which a charge is resolved for every face, over all charges of a file."""
PLAIN_FACES = dict.fromkeys(range(1, SIDES + 1), Fraction(1, SIDES))


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


def case_odds(case: Case, *, budget: Budget) -> Odds:
    """Give the exact chances of all charges of a case.

    Raises
    ------
    NoVerdictError
        If the time is used up, or the earlier charges may leave too many different tables.
    """
    turns, joint = Joint(case, budget).turns(case.state)
    return Odds(tuple(map(_charge_odds, turns)), joint)


def _ways(attempt: Attempt) -> Iterator[FaceEnding]:
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

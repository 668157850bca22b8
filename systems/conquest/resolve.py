"""Resolution of the charges of a file one after the other, each on the table as it is when its turn comes.

For exact chances every face is resolved in full, charge by charge, on every table that earlier charges may leave.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from systems.conquest.attempt import Attempt, ChargeSearch, search_of
from systems.conquest.explain import (
    Reason,
    completed,
    ended_in_friends,
    failed,
    no_side_reached,
    no_wheel_completes,
    of_short_wheel,
    refused,
    worse,
)
from systems.conquest.roll import rolled
from tabletop.budget import explains
from tabletop.errors import NoVerdictError
from tabletop.ruling.charge import Charge
from tabletop.ruling.odds import Ending
from tabletop.ruling.phase import BranchingPhase, Ways
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import SIDES, DiceSource
from tabletop.table.state import State

PLAIN_FACES = dict.fromkeys(range(1, SIDES + 1), Fraction(1, SIDES))


def ruled(attempt: Attempt) -> Ruling:
    """Return the ruling of a charge."""
    search = attempt.search
    if search.declaration.broken is not None:
        ruling = refused(search)
    else:
        ruling = _rolled(attempt)
        evidence = replace(ruling.evidence, dice=attempt.roll.dice)
        ruling = replace(ruling, evidence=evidence)
    return replace(ruling, attempt=attempt) if explains() else ruling


def _rolled(attempt: Attempt) -> Ruling:
    """Return the ruling of a charge that may be declared, without the dice in its evidence."""
    search = attempt.search
    if not attempt.roll.reaches:
        return failed(attempt, Reason("conquest.range", of_short_wheel(search), "exact"))
    result = attempt.result
    if result is None:
        return failed(attempt, no_side_reached(search))
    if result.is_own_worse:
        return worse(attempt, result)
    if attempt.done is None:
        return failed(attempt, no_wheel_completes(result))
    if attempt.mired is not None:
        return ended_in_friends(attempt, attempt.done, attempt.mired)
    return completed(attempt, attempt.done)


class Phase(BranchingPhase[State, Ways[State]]):
    """Charge phase: the charges of a case in the order of the file, each resolved in full before the next is
    declared.
    """

    case: Case
    most_tables = 1500

    def rule(
        self, turn: Sequence[int], table: State, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], State]:
        """Resolve one charge from its declaration to its end; return its ruling by number, and the table after it."""
        (number,) = turn
        if self.budget.is_spent(len(earlier)):
            raise NoVerdictError(
                "the time was used up before charge {number} was resolved", number=number + 1
            )
        charge = self.charges[number]
        hand = dice.stream(number, charge.dice)
        with self.budget.running():
            search = self._search(number, table)
            is_declared = search.declaration.broken is None
            faces = rolled(search.declaration.measured, hand) if is_declared else ()
            attempt = Attempt(search, faces)
            return {number: ruled(attempt)}, attempt.after

    def _search(self, number: int, table: State) -> ChargeSearch:
        """Return the search for the wheel of the charge with this number on a table."""
        case = self.case
        return search_of(self.charges[number], table, choices=case.choices, book=case.book)

    def ways(self, number: int, table: State) -> Ways[State]:
        """Return the possible endings of a charge with their chances, one per face that may be kept, and the tables
        after them.

        A charge that may not be declared has one ending.
        """
        with self.budget.running():
            search = self._search(number, table)
            if search.declaration.broken is not None:
                refusal = Ending("not_allowed", search.declaration.broken.rule, Fraction(1))
                return Ways([refusal], [table])
            endings = []
            tables = []
            for face in PLAIN_FACES:
                chance = search.declaration.measured.chance_of((face,))
                if chance:
                    attempt = Attempt(search, (face,))
                    ruling = ruled(attempt)
                    endings.append(Ending(ruling.outcome, ruling.rule, chance, face))
                    tables.append(attempt.after)
            return Ways(endings, tables)

    def totals(self, charge: Charge) -> Mapping[int, Fraction]:
        """Return the chance of each face of one die, by face."""
        del charge
        return PLAIN_FACES

"""Resolution of the charges of a file one after the other, each on the table as it is when its turn comes.

For exact chances every face is resolved in full, charge by charge, on every table that earlier charges may leave.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from systems.conquest.attempt import ChargeSearch
from systems.conquest.declare import Declaration
from systems.conquest.explain import refused, ruled
from systems.conquest.roll import Roll, rolled
from systems.conquest.scene import Scene
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.charge import Charge
from tabletop.ruling.odds import Ending
from tabletop.ruling.phase import BranchingPhase, Ways
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import SIDES, DiceSource, DiceStream
from tabletop.table.state import State

PLAIN_FACES = dict.fromkeys(range(1, SIDES + 1), Fraction(1, SIDES))


def attempt_of(case: Case, charge: Charge, *, state: State, budget: Budget) -> ChargeSearch:
    """Return the search for the wheel of a charge on a given table."""
    return ChargeSearch(
        Declaration(
            charge, Scene.of(state, charge, choices=case.choices, book=case.book, budget=budget)
        )
    )


def settled(attempt: ChargeSearch, hand: DiceStream) -> tuple[Ruling, State]:
    """Return the ruling of a charge, rolled from the dice `hand` if it may be declared, and the table after it."""
    if attempt.declaration.broken is not None:
        return _left(attempt, refused(attempt), attempt.scene.state)
    return _left(attempt, *ruled(attempt, rolled(attempt.declaration.measured, hand)))


def settled_with(attempt: ChargeSearch, face: int) -> tuple[Ruling, State]:
    """Return the ruling of a charge as if `face` were the face of the die kept, and the table after it."""
    if attempt.declaration.broken is not None:
        return _left(attempt, refused(attempt), attempt.scene.state)
    return _left(attempt, *ruled(attempt, Roll(attempt.declaration.measured, (face,))))


def _left(attempt: ChargeSearch, ruling: Ruling, state: State) -> tuple[Ruling, State]:
    """Return the ruling and the table; a charger that marched and then did not charge is marked as "marched".

    Such a regiment may overlap a friend.
    """
    if ruling.outcome == "success" or attempt.scene.declarations.marched == 0.0:
        return ruling, state
    return ruling, state.with_unit(state.units[attempt.scene.charger.name].with_status("marched"))


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
        ruling, after = settled(
            attempt_of(self.case, charge, state=table, budget=self.budget),
            dice.stream(number, charge.dice),
        )
        return {number: ruling}, after

    def ways(self, number: int, table: State) -> Ways[State]:
        """Return the possible endings of a charge with their chances, one per face that may be kept, and the tables
        after them.

        A charge that may not be declared has one ending.
        """
        attempt = attempt_of(self.case, self.charges[number], state=table, budget=self.budget)
        if attempt.declaration.broken is not None:
            ruling, after = settled_with(attempt, 1)
            return Ways([Ending(ruling.outcome, ruling.rule, Fraction(1))], [after])
        chances = {face: attempt.declaration.measured.chance_of((face,)) for face in PLAIN_FACES}
        found = [
            (face, chance, *settled_with(attempt, face))
            for face, chance in chances.items()
            if chance
        ]
        return Ways(
            [
                Ending(ruling.outcome, ruling.rule, chance, face)
                for face, chance, ruling, _ in found
            ],
            [after for *_, after in found],
        )

    def totals(self, charge: Charge) -> Mapping[int, Fraction]:
        """Return the chance of each face of one die, by face."""
        del charge
        return PLAIN_FACES

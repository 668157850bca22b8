"""The charge phase: all charges are declared, then all roll, then the chargers of each target move, alone or
together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from systems.t9a.aligned import AlignedPlace
from systems.t9a.attempt import Attempt
from systems.t9a.declare import Declaration, declare
from systems.t9a.explain import (
    complete_aligned,
    complete_unaligned,
    completed,
    failed,
    refused,
    short_of_range,
    without_a_move,
)
from systems.t9a.scene import declared_scene, profile_of
from tabletop.budget import Budget
from tabletop.ruling.odds import Odds
from tabletop.ruling.phase import ChargePhase
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.dice import SIDES, DiceSource
from tabletop.table.state import State

if TYPE_CHECKING:
    from systems.t9a.combined.group import SearchEffort


class Phase(ChargePhase[State]):
    """Charge phase of a case; all chargers of one target form one turn."""

    case: Case

    def __init__(self, case: Case, budget: Budget) -> None:
        """Declare all charges of a case, within a budget, before any of them rolls."""
        super().__init__(case, budget, case.state)
        self.declarations = declare_all(case, budget)
        self.faces: Mapping[int, tuple[int, ...]] = {}
        self.looks: SearchEffort | None = None

    @property
    def turns(self) -> Sequence[Sequence[int]]:
        """Turns as lists of charge indices: refused charges alone first, then the others grouped by target, in file
        order.
        """
        by_target: dict[str, list[int]] = {}
        for number in self._allowed:
            by_target.setdefault(self.charges[number].targets[0], []).append(number)
        return [
            *([number] for number in range(len(self.charges)) if number not in self._allowed),
            *by_target.values(),
        ]

    @property
    def _allowed(self) -> list[int]:
        """Indices of the charges that may be declared."""
        return [
            number
            for number, declaration in enumerate(self.declarations)
            if declaration.refusal is None
        ]

    def resolve(self, throws: DiceSource) -> Resolution:
        """Return the resolution of the phase: all declared charges roll, then the turns are taken; raises as
        `ChargePhase.resolve` does.
        """
        wanted = [
            (number, self.declarations[number].measured.dice, self.charges[number].dice)
            for number in self._allowed
        ]
        self.faces = dict(zip(self._allowed, throws.deal(wanted), strict=True))
        return super().resolve(throws)

    def rule(
        self, turn: Sequence[int], table: State, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], State]:
        """Return the rulings of one turn by charge index, and the table after it: a refused charge, or all chargers of
        a target.
        """
        del dice, earlier
        attempts = tuple(
            Attempt(
                self.charges[number],
                self.declarations[number],
                self.faces.get(number, ()),
                self.declarations[number].scene.on(table),
            )
            for number in turn
        )
        if refusal := attempts[0].declaration.refusal:
            return {turn[0]: refused(attempts[0], refusal)}, table
        found, after = move_all(
            attempts, budget=self.budget, looks=self.looks, known=self.case.known
        )
        numbers = {self.charges[number].charger: number for number in turn}
        return {numbers[name]: ruling for name, ruling in found.items()}, after

    def odds(self) -> Odds:
        """Return the exact chances of all charges; which may be declared does not depend on the dice.

        Raises
        ------
        NoVerdictError
            If a pattern is not modelled or not proved, too many charges are undecided, or a limit is reached.
        """
        from systems.t9a.combined.group import SearchEffort
        from systems.t9a.odds import Patterns, RangeRoll

        rolls = tuple(
            RangeRoll(
                one.measured.needed_roll,
                profile_of(one.scene.charger).extra_dice,
                one.refusal is None,
            )
            for one in self.declarations
        )
        self.looks = SearchEffort()
        return Patterns(self.charges, rolls, self.budget, self.looks, self._settled).odds()

    def _settled(self, pattern: Sequence[bool]) -> Sequence[Ruling]:
        """Return the rulings of all charges if those marked in `pattern` are in range and the others are not.

        The phase is resolved with sixes for charges in range and ones for the others.
        """
        self.faces = {
            number: (SIDES if pattern[number] else 1,) * self.declarations[number].measured.dice
            for number in self._allowed
        }
        return super().resolve(DiceSource()).rulings


def declare_all(case: Case, budget: Budget) -> list[Declaration]:
    """Return the declarations of all charges in file order, each made after the earlier ones."""
    declarations: list[Declaration] = []
    for charge in case.charges:
        earlier = {other.scene.charger.name for other in declarations if other.refusal is None}
        is_shared = any(
            other.scene.target.name == charge.targets[0]
            for other in declarations
            if other.refusal is None
        )
        declaration = declare(
            declared_scene(case, charge, earlier),
            has_declared=charge.charger in earlier,
            may_take_blocked_path=case.choices.combined_blocked_path or not is_shared,
            budget=budget,
        )
        declarations.append(declaration)
    return declarations


def move_all(
    attempts: tuple[Attempt, ...],
    *,
    budget: Budget,
    looks: "SearchEffort | None" = None,
    known: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[dict[str, Ruling], State]:
    """Return the rulings by name of all chargers of one target, in the order of their moves, and the table after them.

    Parameters
    ----------
    attempts
        Charges with their faces, on the table before these moves.
    budget
        Limit of the searches.
    looks
        Count of search effort, for chances; if given, rulings omit chances and blocking obstacles.
    known
        Poses, by name, in which chargers may end together.
    """
    if len(attempts) == 1:
        ruling, state = _alone(attempts[0], budget)
        return {ruling.charge.charger: ruling}, state
    from systems.t9a.combined.group import ChargerGroup, SearchEffort
    from systems.t9a.combined.search import move_together

    group = ChargerGroup(attempts[0].table, attempts, budget, looks or SearchEffort(), known)
    return move_together(group, is_told=looks is None)


def _alone(attempt: Attempt, budget: Budget) -> tuple[Ruling, State]:
    """Return the ruling of a charger that has the target to itself, and the table after it."""
    declaration = attempt.declaration
    # What was found at declaration holds while nothing has changed.
    attempt = (
        replace(attempt, solution=declaration.solution)
        if attempt.scene is declaration.scene
        else attempt.on(attempt.table, budget)
    )
    solution = attempt.solution
    place = None if solution is None else solution.place
    if not attempt.is_in_range:
        return failed(attempt, "t9a.range", short_of_range(attempt), has_room=place is not None)
    if solution is None or place is None:
        return without_a_move(attempt)
    done = (
        complete_aligned(place, budget=budget)
        if isinstance(place, AlignedPlace)
        else complete_unaligned(place, budget=budget)
    )
    return completed(attempt, replace(done, findings=(*solution.findings, *done.findings)))

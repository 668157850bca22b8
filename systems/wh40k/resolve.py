"""The charge phase: one charge after another, each resolved from its declaration to its end."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from systems.wh40k.declare import Declaration, declare
from systems.wh40k.explain import completed, failed, failed_after_overwatch, refused
from systems.wh40k.feasibility import ChargeFeasibility, RolledCharge, unrolled
from systems.wh40k.move import ChargeMove, better_plan, charge_move
from systems.wh40k.roll import (
    declarations_of,
    first_roll,
    plain_chances,
    refuse_wrong_count,
    roll_that_gives,
    second_roll,
)
from systems.wh40k.scene import Scene, profile_of, with_living
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.messages import for_judge, say
from tabletop.placement.problem import Answer, End
from tabletop.ruling.charge import Charge
from tabletop.ruling.odds import ChargeOdds, Ending
from tabletop.ruling.phase import BranchingPhase, ChargeTurn, JointState
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.models import Formation, Squad
from tabletop.table.state import State
from tabletop.units import CONTACT

if TYPE_CHECKING:
    from systems.wh40k.odds import Endings, RelevantTable


class Phase(BranchingPhase[State[Squad], "Endings"]):
    """The charge phase of a case: each charge is wholly resolved before the next, and changes only its charger."""

    case: Case
    most_tables = 500

    @cached_property
    def relevant(self) -> "RelevantTable":
        """Keys of the part of a table that can affect each charge, to tell tables apart."""
        from systems.wh40k.odds import RelevantTable

        return RelevantTable(self.case)

    def rule(
        self,
        turn: Sequence[int],
        table: State[Squad],
        dice: DiceSource,
        earlier: Mapping[int, Ruling],
    ) -> tuple[Mapping[int, Ruling], State[Squad]]:
        """Resolve one charge from its declaration to its end; return its ruling by number, and the table afterwards."""
        del earlier
        (number,) = turn
        charge = self._unrolled(self.declared(number, table), self.budget)
        if (broken := charge.declaration.refused_by) is not None:
            return {number: refused(charge, broken)}, table
        ruling, after = ruled(self._rolled(number, charge, dice), table)
        return {number: ruling}, after

    def declared(self, number: int, table: State[Squad]) -> Declaration:
        """Return charge `number` as declared on a table.

        A charger that lost its last model earlier is put back, marked as selected, so that the charge is refused for
        having been selected before.

        Raises
        ------
        NoVerdictError
            If a target has lost its last model.
        """
        charge = self.charges[number]
        if lost := [name for name in charge.targets if name not in table.units]:
            message = (
                "charges[{number}]: {target} lost its last model in an earlier charge; a charge against a destroyed "
                "unit is not supported"
            )
            raise NoVerdictError(message, number=number, target=lost[0])
        if charge.charger not in table.units:
            table = table.with_unit(self.case.state.units[charge.charger].with_status("selected"))
        return declare(self.case, charge, table)

    def _rolled(self, number: int, before: RolledCharge, dice: DiceSource) -> RolledCharge:
        """Return a declared charge with its rolls, including a reroll if the charge declares one and needs it."""
        charge = self.charges[number]
        bonus = before.declaration.scene.distance_bonus
        refuse_wrong_count(number, charge)
        hand = dice.stream(number, charge.dice)
        rolled = replace(
            before,
            rolls=first_roll(hand, charge, bonus),
            known=self.case.known.get(charge.charger),
        )
        if declarations_of(charge).reroll != "if_failed" or rolled.is_possible:
            return rolled
        return replace(rolled, rolls=(*rolled.rolls, second_roll(hand, bonus)))

    def _unrolled(self, declaration: Declaration, budget: Budget) -> RolledCharge:
        """Return a declared charge before its dice are rolled, searched within a budget."""
        return unrolled(declaration, budget, self._feasibility)

    def _feasibility(self, scene: Scene, budget: Budget) -> ChargeFeasibility:
        """Return the feasibility of a scene's charge; its search starts from the ends that a proposal claims, if it has
        one per model.
        """
        claim: Formation | None = (self.case.proposal or {}).get(scene.charger.name)
        if claim is None or len(claim.poses) != len(scene.charger.models):
            return ChargeFeasibility(scene, budget)
        from systems.wh40k.judge import claimed_ends

        ends = claimed_ends(scene, replace(claim, order=None)).models
        return ChargeFeasibility(
            scene, budget, {model.number: End(model.pose, model.z) for model in ends}
        )

    def ways(self, number: int, table: State[Squad]) -> "Endings":
        """Return the endings of a charge on a table, one for each charge distance; the charger's ends only if another
        charge follows.
        """
        from systems.wh40k.odds import Endings

        declaration = self.declared(number, table)
        if (broken := declaration.refused_by) is not None:
            return Endings([Ending("not_allowed", broken.rule, Fraction(1))], chargers=[None])
        # the exact distance needed is told by rulings; where a charge ends may hang on plans found on the way to it
        is_last = number + 1 == len(self.charges)
        charge = self._unrolled(declaration, replace(self.budget, explains=not is_last))
        verdicts = tuple(charge.endings())
        if all(verdict.outcome == "undecided" for verdict in verdicts):
            # which has no verdict, and says so
            charge.moving.is_possible(verdicts[-1].total or 0)
        chargers = [
            None
            if is_last or verdict.outcome == "undecided"
            else self._charger(charge, table, verdict.total or 0)
            for verdict in verdicts
        ]
        return Endings(verdicts, chargers=chargers, charge=charge)

    def _charger(self, charge: RolledCharge, table: State[Squad], distance: int) -> Squad:
        """Return the charger after a charge with a charge distance in inches; without models if it lost its last
        one.
        """
        charger = charge.declaration.scene.charger
        bonus = charge.declaration.scene.distance_bonus
        if self.budget.is_spent(0):
            message = "the time was used up before it was known where {charger} ends with every throw of the dice"
            raise NoVerdictError(message, charger=charger.name)
        _, after = ruled(replace(charge, rolls=(roll_that_gives(distance, bonus),)), table)
        return after.units.get(
            charger.name, charger.without([model.number for model in charger.models])
        )

    def left(
        self, number: int, ways: "Endings", world: JointState[State[Squad]]
    ) -> Iterator[JointState[State[Squad]]]:
        """Yield the joint states after a charge: the tables with the charger where each ending leaves it."""
        for ending, charger in zip(ways.endings, ways.chargers, strict=True):
            table = world.table if charger is None else with_living(world.table, charger)
            yield world.left(ending.outcome, ending.chance, table, key=self.key(number + 1, table))

    def key(self, number: int, table: State[Squad]) -> Hashable:
        """Return as a key the part of a table that affects charge `number` and all later ones."""
        return tuple(self.relevant.key(later, table) for later in range(number, len(self.charges)))

    def key_now(self, number: int, world: JointState[State[Squad]]) -> Hashable:
        """Return as a key the part of a table that affects charge `number` alone."""
        return self.relevant.key(number, world.table)

    def totals(self, charge: Charge) -> Mapping[int, Fraction]:
        """Return the probability of each charge distance for one roll of the charge."""
        return plain_chances(profile_of(self.case.state.units[charge.charger]).charge_bonus)

    def chances(self, number: int, turn: "ChargeTurn[Endings]") -> ChargeOdds:
        """Return the chances of a charge over all tables, with metrics on the distances that it needs."""
        from systems.wh40k.odds import joint_metrics

        found = super().chances(number, turn)
        return replace(found, metrics=joint_metrics(self.case, turn, found))


def ruled(rolled: RolledCharge, table: State[Squad]) -> tuple[Ruling, State[Squad]]:
    """Return the ruling on a rolled charge, and the table after it.

    Raises
    ------
    NoVerdictError
        If the budget ends the search before it is known whether the charge is possible, or where its models end.
    """
    state = table.with_unit(rolled.declaration.scene.charger.with_status("selected"))
    if not rolled.is_possible:
        return failed(rolled), state
    declaration = rolled.declaration
    survivors = rolled.survivors
    lost = declarations_of(declaration.charge).overwatch
    left = state.units[rolled.name].without(lost.before)
    answer = rolled.moving.best(rolled.distance) if left.models else Answer(None, "exact")
    if survivors is not None and not (answer.plan or survivors.is_possible(rolled.distance)):
        return failed_after_overwatch(rolled), with_living(state, left)
    if answer.plan is None:
        message = "{charger} can complete its charge, but no plan for it was found within the limits of the search"
        raise NoVerdictError(message, charger=rolled.name)
    move, ruling = checked(rolled, answer)
    after = left.at(move.ends.formation()).without(lost.after).with_status("fights_first")
    return ruling, with_living(state, after)


def checked(rolled: RolledCharge, answer: Answer) -> tuple[ChargeMove, Ruling]:
    """Return the moves of an answer's plan, or of better known ends, with their ruling, checked against every rule.

    Raises
    ------
    NoVerdictError
        If every plan breaks a rule, which is a bug.
    """
    scene = rolled.moving.scene
    plans = [] if answer.plan is None else [answer.plan]
    if answer.plan is not None and rolled.known is not None:
        plans.insert(0, better_plan(scene, rolled.distance, answer.plan, rolled.known))
    broken = say("there is none")
    for plan in plans:
        move = charge_move(scene, float(rolled.distance), plan)
        note = answer.text and " " + answer.text
        if rolled.moving.claimed <= rolled.distance + CONTACT:
            note += for_judge(
                " "
                + say("The search started from the proposed positions, which complete the charge.")
            )
        ruling = completed(rolled, move, note=note)
        faults = [finding for finding in ruling.findings if not finding.ok]
        if not faults:
            return move, ruling
        broken = say("{rule}: {text}", rule=faults[0].rule, text=faults[0].text)
    raise NoVerdictError(
        "the only plan found for {charger} breaks {broken}", charger=rolled.name, broken=broken
    )

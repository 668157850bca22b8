"""One charge from its declaration to its end: refused, failed or completed, and the table afterwards."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from systems.wh40k.declare import Declaration, declare
from systems.wh40k.explain import completed, failed, failed_after_overwatch, refused
from systems.wh40k.feasibility import Attempt, Prospects
from systems.wh40k.judge import claim_of
from systems.wh40k.move import ChargeMove, better_plan, charge_move
from systems.wh40k.roll import first_roll, refuse_wrong_count, second_roll, told
from systems.wh40k.scene import Scene, with_living
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.messages import for_judge, say
from tabletop.placement.problem import Answer, End
from tabletop.ruling.charge import Charge
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.models import Formation, Squad
from tabletop.table.state import State
from tabletop.units import CONTACT


@dataclass(frozen=True)
class PendingCharge:
    """A charge of a case whose turn has come: its number in the file, and the table as it stands."""

    case: Case
    number: int
    state: State[Squad]

    @property
    def charge(self) -> Charge:
        """The charge."""
        return self.case.charges[self.number]


def resolve_charge(turn: PendingCharge, throws: DiceSource, *, budget: Budget) -> tuple[Ruling, State[Squad]]:
    """Resolve one charge and give the table afterwards.

    Raises
    ------
    NoVerdictError
        If the budget ends the search before it is known whether the charge is possible.
    ScenarioError
        If the dice given are not as many as are rolled.
    """
    declaration = declared(turn)
    if declaration.refused_by is not None:
        return refused(declaration), turn.state
    return ruled(_rolled(turn, declaration, throws, budget), turn.state)


def ruled(attempt: Attempt, table: State[Squad]) -> tuple[Ruling, State[Squad]]:
    """Rule on a charge that is rolled for, and give the table afterwards; raises as `resolve_charge` does."""
    state = table.with_unit(attempt.declaration.scene.charger.with_status("selected"))
    if not attempt.is_possible:
        return failed(attempt), state
    declaration, survivors = attempt.declaration, attempt.survivors
    lost = told(declaration.charge).overwatch
    left = state.units[attempt.name].without(lost.before)
    prospects = survivors or attempt.prospects
    answer = prospects.best(attempt.distance) if left.models else Answer(None, "exact")
    if survivors is not None and not (answer.plan or survivors.is_possible(attempt.distance)):
        return failed_after_overwatch(attempt), with_living(state, left)
    if answer.plan is None:
        message = "{charger} can complete its charge, but no plan for it was found within the limits of the search"
        raise NoVerdictError(message, charger=attempt.name)
    move, ruling = _told(attempt, prospects.scene, answer)
    after = left.at(move.formation).without(lost.after).with_status("fights_first")
    return ruling, with_living(state, after)


def declared(turn: PendingCharge) -> Declaration:
    """Put a charge on the table as it stands; raises NoVerdictError where it names a target that is gone."""
    return declare(turn.case, turn.charge, _table(turn))


def _table(turn: PendingCharge) -> State[Squad]:
    """Give the table as it stands; a charger that lost its last model is put back for its refusal: it was selected before."""
    if lost := [name for name in turn.charge.targets if name not in turn.state.units]:
        message = "charges[{number}]: {target} lost its last model in an earlier charge; to charge it is not modelled"
        raise NoVerdictError(message, number=turn.number, target=lost[0])
    if turn.charge.charger in turn.state.units:
        return turn.state
    return turn.state.with_unit(turn.case.state.units[turn.charge.charger].with_status("selected"))


def _rolled(turn: PendingCharge, declaration: Declaration, throws: DiceSource, budget: Budget) -> Attempt:
    """Roll, and roll again where the charge says so; the prospects come with it."""
    refuse_wrong_count(turn.number, turn.charge)
    hand = throws.stream(turn.number, turn.charge.dice)
    prospects = Prospects(declaration.scene, budget, claimed_ends(turn.case, declaration.scene))
    bonus = declaration.scene.distance_bonus
    known = turn.case.known.get(turn.charge.charger)
    attempt = Attempt(declaration, first_roll(hand, turn.charge, bonus), prospects, survivors_of(turn.case, declaration, budget), known)
    if told(turn.charge).reroll != "if_failed" or attempt.is_possible:
        return attempt
    return replace(attempt, rolls=(*attempt.rolls, second_roll(hand, bonus)))


def claimed_ends(case: Case, scene: Scene) -> Mapping[int, End] | None:
    """Give where a case claims that the models of a scene's charger end, by number; None if it claims nothing that fits them."""
    claim: Formation | None = (case.proposal or {}).get(scene.charger.name)
    if claim is None or len(claim.poses) != len(scene.charger.models):
        return None
    return {model.number: End(model.pose, model.z) for model in claim_of(scene, replace(claim, order=None), distance=math.inf).ends}


def survivors_of(case: Case, declaration: Declaration, budget: Budget) -> Prospects | None:
    """Give the prospects of those left when the move begins, where Overwatch cost models."""
    lost = told(declaration.charge).overwatch.before
    if not lost:
        return None
    scene = declaration.scene
    left = scene.with_charger(scene.charger.without(lost))
    return Prospects(left, budget, claimed_ends(case, left))


def _told(attempt: Attempt, scene: Scene, answer: Answer) -> tuple[ChargeMove, Ruling]:
    """Make the moves of an answer's plan, or of a better one that somebody knows, and tell them; what is told must keep all rules."""
    plans = [] if answer.plan is None else [answer.plan]
    if answer.plan is not None and attempt.known is not None:
        plans.insert(0, better_plan(scene, attempt.distance, answer.plan, attempt.known))
    broken = say("there is none")
    for plan in plans:
        move = charge_move(scene, plan)
        note = answer.text and " " + answer.text
        if (attempt.survivors or attempt.prospects).claimed <= attempt.distance + CONTACT:
            note += for_judge(" " + say("The search began with the claimed places, which complete the charge."))
        ruling = completed(attempt, move, plan, note=note)
        faults = [finding for finding in ruling.findings if not finding.ok]
        if not faults:
            return move, ruling
        broken = say("{rule}: {text}", rule=faults[0].rule, text=faults[0].text)
    raise NoVerdictError("the only plan found for {charger} breaks {broken}", charger=attempt.name, broken=broken)


def resolve_all(case: Case, throws: DiceSource, *, budget: Budget) -> tuple[Sequence[Ruling], State[Squad]]:
    """Resolve all charges of a case in the order of the file; raises as `resolve_charge` does."""
    rulings: list[Ruling] = []
    state: State[Squad] = case.state
    for number in range(len(case.charges)):
        ruling, state = resolve_charge(PendingCharge(case, number, state), throws, budget=budget)
        rulings.append(ruling)
    throws.close()
    return rulings, state

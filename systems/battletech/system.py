"""BattleTech as a system: all charges are declared first, then resolved in the order of the file."""

from typing import ClassVar

from systems.battletech.book import Book
from systems.battletech.declared import DeclaredCharge, declare_all, steps_of
from systems.battletech.explain import refused, ruled
from systems.battletech.judge import judge_proposal
from systems.battletech.odds import odds_of, odds_of_all
from systems.battletech.resolve import resolve_declared
from systems.battletech.rules import RULES
from systems.battletech.scene import Attempt, Resolved, Table, combatants
from systems.battletech.setup import VOCABULARY, stacks
from tabletop.budget import Budget
from tabletop.errors import ScenarioError
from tabletop.ruling.charge import Step
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.dice import Cup, Throws


class BattleTech:
    """Charging attacks of BattleTech, Total Warfare."""

    name: ClassVar[str] = "battletech"
    title: ClassVar[str] = "BattleTech"
    editions: ClassVar[tuple[str, ...]] = ("total_warfare",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()

    def resolve(self, case: Case, *, throws: Throws, budget: Budget) -> Resolution:  # noqa: ARG002 - nothing here takes long
        """Declare all charges in file order, then resolve them one by one.

        Raises
        ------
        ScenarioError
            If there are too few or too many faces, or units stand closer than the stacking chosen allows.
        """
        claims, table = _declared(case)
        rulings: list[Ruling] = []
        untold, cup = list(claims), throws.cup()
        for claim in claims:
            ruling, table = _resolved(claim, table, cup, untold)
            rulings.append(ruling)
        cup.close()
        return Resolution(case.state, tuple(rulings), table.state(case.state))

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:  # noqa: ARG002
        """Rule on the proposed end position."""
        return judge_proposal(case, resolution)

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Give the exact chances over all dice. Raises as `resolve` does for what does not depend on dice."""
        claims, table = _declared(case)
        attempts = [Attempt(claim.charge, claim.declared, claim.refusals[0].rule if claim.refusals else None) for claim in claims]
        return odds_of_all(attempts, table, budget=budget)


def _declared(case: Case) -> tuple[tuple[DeclaredCharge, ...], Table]:
    """Declare all charges, once the units stand as the stacking chosen allows."""
    crowded = tuple(stacks(combatants(case.state), most=1)) if case.choices.stacking == "single" else ()
    if crowded:
        raise ScenarioError(crowded)
    return declare_all(case)


def _resolved(claim: DeclaredCharge, table: Table, cup: Cup, untold: list[DeclaredCharge]) -> tuple[Ruling, Table]:
    """Resolve one charge; `untold` are the charges whose way to their last hex no ruling has told yet, and loses those told."""
    declared = claim.declared
    if declared is None:
        return refused(claim), table
    hand = cup.hand(declared.number, claim.charge.dice)
    resolved = resolve_declared(declared, table, hand)
    hand.close()
    told = _told(claim, resolved, untold)
    return ruled(claim, resolved, odds_of(declared, table, last_met=resolved.last_met), told), resolved.table


def _told(claim: DeclaredCharge, resolved: Resolved, untold: list[DeclaredCharge]) -> tuple[Step, ...]:
    """Tell of the charger's way, and of those of later chargers that this charge pushes about: they have declared as well."""
    moved = {step.unit for step in resolved.steps} | {claim.charge.charger}
    due = [other for other in untold if other is claim or (other.declared is not None and other.declared.charger in moved)]
    untold[:] = [other for other in untold if other not in due]
    return tuple(step for other in due for step in steps_of(other))


SYSTEM = BattleTech()

"""BattleTech as a system: all charges are declared first, then resolved in the order of the file.

What solves comes late: the words of a file and the list of rules need none of it.
"""

from typing import ClassVar

from systems.battletech.book import Book
from systems.battletech.rules import RULES
from systems.battletech.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.dice import DiceSource


class BattleTech:
    """Charging attacks of BattleTech, Total Warfare."""

    name: ClassVar[str] = "battletech"
    title: ClassVar[str] = "BattleTech"
    editions: ClassVar[tuple[str, ...]] = ("total_warfare",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()
    solver: ClassVar[str] = "systems.battletech.resolve"

    def resolve(self, case: Case, *, throws: DiceSource, budget: Budget) -> Resolution:  # noqa: ARG002 - nothing here takes long
        """Declare all charges in file order, then resolve them one by one.

        Raises
        ------
        ScenarioError
            If there are too few or too many faces, or units stand closer than the stacking chosen allows.
        """
        from systems.battletech.resolve import resolve_all

        rulings, after = resolve_all(case, throws)
        return Resolution(case.state, tuple(rulings), after)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Rule on the proposed end position."""
        from systems.battletech.judge import Judge
        from tabletop.ruling.judge import judged

        return judged(Judge(case, resolution, budget))

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Give the exact chances over all dice. Raises as `resolve` does for what does not depend on dice."""
        from systems.battletech.odds import odds_of_all
        from systems.battletech.resolve import declared
        from systems.battletech.scene import Attempt

        claims, table = declared(case)
        attempts = [Attempt(claim.charge, claim.declared, claim.refusals[0].rule if claim.refusals else None) for claim in claims]
        return odds_of_all(attempts, table, budget=budget)


SYSTEM = BattleTech()

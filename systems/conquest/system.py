"""Conquest as a system: the charges of a file one after the other, each wholly, on the table that the earlier ones left.

What solves comes late: the words of a file and the list of rules need none of it.
"""

from typing import TYPE_CHECKING, Any, ClassVar

from systems.conquest.book import Book
from systems.conquest.rules import RULES
from systems.conquest.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.dice import DiceSource

if TYPE_CHECKING:
    from tabletop.optimise.problem import Statement


class Conquest:
    """The Charge Action of Conquest: The Last Argument of Kings."""

    name: ClassVar[str] = "conquest"
    title: ClassVar[str] = "Conquest: The Last Argument of Kings"
    editions: ClassVar[tuple[str, ...]] = ("1.5",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()
    solver: ClassVar[str] = "systems.conquest.resolve"

    def resolve(self, case: Case, *, throws: DiceSource, budget: Budget) -> Resolution:
        """Resolve all charges in file order.

        Raises
        ------
        NoVerdictError
            If the time is used up.
        ScenarioError
            If the dice given are not as many as are rolled.
        """
        from systems.conquest.resolve import resolve_all

        rulings, after = resolve_all(case, throws, budget=budget)
        return Resolution(case.state, tuple(rulings), after)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Rule on the proposed end position."""
        from systems.conquest.judge import Judge
        from tabletop.ruling.judge import judged

        return judged(Judge(case, resolution, budget))

    def statement(self, case: Case, resolution: Resolution, ruling: Ruling) -> "Statement[Any] | None":
        """State the placement that a ruling tells of; None where it is not stated."""
        from systems.conquest.statement import statement_of

        return statement_of(case, resolution, ruling)

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Give the exact chances over all dice."""
        from systems.conquest.resolve import case_odds

        return case_odds(case, budget=budget)


SYSTEM = Conquest()

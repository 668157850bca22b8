"""Conquest as a system: the charges of a file one after the other, each wholly, on the table that the earlier ones left."""

from typing import ClassVar

from systems.conquest.book import Book
from systems.conquest.judge import judge_proposal
from systems.conquest.odds import case_odds
from systems.conquest.resolve import attempt_of, settled
from systems.conquest.rules import RULES
from systems.conquest.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.dice import Throws


class Conquest:
    """The Charge Action of Conquest: The Last Argument of Kings."""

    name: ClassVar[str] = "conquest"
    title: ClassVar[str] = "Conquest: The Last Argument of Kings"
    editions: ClassVar[tuple[str, ...]] = ("1.5",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()

    def resolve(self, case: Case, *, throws: Throws, budget: Budget) -> Resolution:
        """Resolve all charges in file order.

        Raises
        ------
        NoVerdictError
            If the time is used up.
        ScenarioError
            If the dice given are not as many as are rolled.
        """
        state, cup = case.state, throws.cup()
        rulings: list[Ruling] = []
        for number, charge in enumerate(case.charges):
            if budget.is_spent(len(rulings)):
                raise NoVerdictError(f"the time was used up before charge {number + 1} was resolved")
            ruling, state = settled(attempt_of(case, charge, state=state, budget=budget), cup.hand(number, charge.dice))
            rulings.append(ruling)
        cup.close()
        return Resolution(case.state, tuple(rulings), state)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Rule on the proposed end position."""
        return judge_proposal(case, resolution, budget=budget)

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Give the exact chances over all dice."""
        return case_odds(case, budget=budget)


SYSTEM = Conquest()

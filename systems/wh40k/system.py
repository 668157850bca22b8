"""Warhammer 40,000, 10th edition, as a system: one charge after another.

What solves comes late: the words of a file and the list of rules need none of it.
"""

from typing import TYPE_CHECKING, Any, ClassVar

from systems.wh40k.book import Book
from systems.wh40k.rules import RULES
from systems.wh40k.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import ChanceMap, Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.dice import DiceSource

if TYPE_CHECKING:
    from tabletop.optimise.problem import Statement


class Warhammer40k:
    """The charge phase of Warhammer 40,000."""

    name: ClassVar[str] = "wh40k"
    title: ClassVar[str] = "Warhammer 40,000"
    editions: ClassVar[tuple[str, ...]] = ("10e",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()
    solver: ClassVar[str] = "systems.wh40k.resolve"

    def resolve(self, case: Case, *, throws: DiceSource, budget: Budget) -> Resolution:
        """Resolve all charges in the order of the file.

        Raises
        ------
        NoVerdictError
            If the budget ends a search before anything is known, or a charge is not modelled.
        ScenarioError
            If the dice given are not as many as are rolled.
        """
        from systems.wh40k.resolve import resolve_all

        rulings, after = resolve_all(case, throws, budget=budget)
        return Resolution(case.state, tuple(rulings), after)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Rule on the proposed end places."""
        from systems.wh40k.judge import judge_proposal

        return judge_proposal(case, resolution, budget=budget)

    def chances(self, case: Case, poses: FloatArray) -> ChanceMap:
        """Give the chances of the only charge with its target at poses (n, 3): x, y in inches, heading in radians."""
        from systems.wh40k.threat import chance_map

        return chance_map(case, poses)

    def statement(self, case: Case, resolution: Resolution, ruling: Ruling) -> "Statement[Any] | None":
        """State the placement that a ruling tells of; None where it is not stated."""
        from systems.wh40k.statement import statement_of

        return statement_of(case, resolution, ruling)

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Give the exact chances over all dice."""
        from systems.wh40k.odds import case_odds

        return case_odds(case, budget=budget)


SYSTEM = Warhammer40k()

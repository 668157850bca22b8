"""The Ninth Age as a game system: charge phase, judge, chances and problem statements.

The solver is imported on use: reading files and listing rules does not need it.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from systems.t9a.book import Book
from systems.t9a.rules import RULES
from systems.t9a.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import ChanceMap
from tabletop.ruling.system import Case, Stating
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary

if TYPE_CHECKING:
    from systems.t9a.resolve import Phase
    from tabletop.optimise.problem import SolvedProblem


class NinthAge(Stating):
    """The charge phase of The Ninth Age: Fantasy Battles."""

    name: ClassVar[str] = "t9a"
    title: ClassVar[str] = "The Ninth Age: Fantasy Battles"
    editions: ClassVar[tuple[str, ...]] = ("3rd",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()
    keeps_attempts: ClassVar[bool] = True
    solver: ClassVar[str] = "systems.t9a.resolve"

    def phase(self, case: Case, budget: Budget) -> "Phase":
        """Return the charge phase of a case, with all charges declared, ready to resolve."""
        from systems.t9a.resolve import Phase

        return Phase(case, budget)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Return the judgement on the end positions that a case proposes."""
        from systems.t9a.judge import Judge
        from tabletop.ruling.judge import judged

        return judged(Judge(case, resolution, budget))

    def chances(self, case: Case, poses: FloatArray) -> ChanceMap:
        """Return the chances of a case's only charge with its target at poses (n, 3): x, y in inches, heading in
        radians.
        """
        from systems.t9a.threat import chance_map

        return chance_map(case, poses)

    def contrasts(
        self, case: Case, resolution: Resolution, ruling: Ruling, *, budget: Budget
    ) -> Iterable[Contrast]:
        """Return the contrasts of a ruling: the straight move, the next best place, the other facing or order."""
        del case  # the attempts of the rulings have it
        from systems.t9a.contrast import contrasts

        return contrasts(resolution, ruling, budget=budget)

    def statement(
        self, case: Case, resolution: Resolution, ruling: Ruling
    ) -> "SolvedProblem[Any] | None":
        """Return the optimisation problem of the placement behind a ruling, with its solution; None if it has none."""
        del case
        from systems.t9a.statement import statement_of

        return statement_of(resolution, ruling)


SYSTEM = NinthAge()

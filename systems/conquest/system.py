"""Conquest as a game system: each charge is declared and resolved in full before the next.

The solver is imported on use: reading files and listing rules does not need it.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from systems.conquest.book import Book
from systems.conquest.rules import RULES
from systems.conquest.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.finding import Rule
from tabletop.ruling.system import Case, Stating
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary

if TYPE_CHECKING:
    from systems.conquest.resolve import Phase
    from tabletop.optimise.problem import SolvedProblem


class Conquest(Stating):
    """The Charge Action of Conquest: The Last Argument of Kings."""

    name: ClassVar[str] = "conquest"
    title: ClassVar[str] = "Conquest: The Last Argument of Kings"
    editions: ClassVar[tuple[str, ...]] = ("1.5",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()
    solver: ClassVar[str] = "systems.conquest.resolve"
    keeps_attempts: ClassVar[bool] = True

    def phase(self, case: Case, budget: Budget) -> "Phase":
        """Return the charge phase of a case, ready to resolve its charges."""
        from systems.conquest.resolve import Phase

        return Phase(case, budget, case.state)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Return the judgement on the end positions that a case proposes."""
        from systems.conquest.judge import Judge
        from tabletop.ruling.judge import judged

        with budget.running():
            return judged(Judge(case, resolution, budget))

    def contrasts(
        self,
        case: Case,  # noqa: ARG002
        resolution: Resolution,  # noqa: ARG002
        ruling: Ruling,
        *,
        budget: Budget,
    ) -> Iterable[Contrast]:
        """Return the contrasts of a ruling: the charge straight ahead, the other side, equal wheels, or the failed move
        in full.
        """
        from systems.conquest.contrast import contrasts

        with budget.running():
            return tuple(contrasts(ruling))

    def statement(
        self,
        case: Case,  # noqa: ARG002
        resolution: Resolution,  # noqa: ARG002
        ruling: Ruling,
    ) -> "SolvedProblem[Any] | None":
        """Return the optimisation problem of the wheel behind a ruling with its solution, None if no wheel was
        chosen.
        """
        from systems.conquest.statement import statement_of

        return statement_of(ruling)


SYSTEM = Conquest()

"""Warhammer 40,000, 10th edition, as a game system: charges are resolved one after another.

Solvers are imported on first use, since reading files and listing rules needs none of them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar

from systems.wh40k.book import Book
from systems.wh40k.rules import RULES
from systems.wh40k.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.geometry.arrays import FloatArray
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import ChanceMap
from tabletop.ruling.system import Case, Stating
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary

if TYPE_CHECKING:
    from systems.wh40k.resolve import Phase
    from tabletop.optimise.problem import SolvedProblem


class Warhammer40k(Stating):
    """The charge phase of Warhammer 40,000."""

    name: ClassVar[str] = "wh40k"
    title: ClassVar[str] = "Warhammer 40,000"
    editions: ClassVar[tuple[str, ...]] = ("10e",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()
    keeps_attempts: ClassVar[bool] = True
    solver: ClassVar[str] = "systems.wh40k.resolve"

    def phase(self, case: Case, budget: Budget) -> "Phase":
        """Return the charge phase of a case, which resolves charges one after another."""
        from systems.wh40k.resolve import Phase

        return Phase(case, budget, case.state)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Return the judgement on the end places that the case proposes."""
        from systems.wh40k.judge import judge_proposal

        return judge_proposal(case, resolution, budget=budget)

    def contrasts(
        self,
        case: Case,
        resolution: Resolution,  # noqa: ARG002
        ruling: Ruling,
        *,
        budget: Budget,
    ) -> Iterable[Contrast]:
        """Return the contrasts of a ruling: a contact or a move that a limit bars, and shorter moves with fewer base
        contacts.
        """
        from systems.wh40k.contrast import contrasts

        return contrasts(case, ruling, budget=budget)

    def chances(self, case: Case, poses: FloatArray) -> ChanceMap:
        """Return the chances of the case's only charge with its target at poses (n, 3): x, y in inches, heading in
        radians.
        """
        from systems.wh40k.threat import chance_map

        return chance_map(case, poses)

    def statement(
        self,
        case: Case,  # noqa: ARG002
        resolution: Resolution,  # noqa: ARG002
        ruling: Ruling,
    ) -> "SolvedProblem[Any] | None":
        """Return the placement problem of a ruling, with the values that it achieved, for a second opinion."""
        from systems.wh40k.statement import statement_of

        return statement_of(ruling)


SYSTEM = Warhammer40k()

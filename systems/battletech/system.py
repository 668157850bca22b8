"""BattleTech as a game system: all charges are declared first, then resolved in the order of the file.

Solvers are imported on first use, since reading files and listing rules needs none of them.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from systems.battletech.book import Book
from systems.battletech.rules import RULES
from systems.battletech.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.finding import Rule
from tabletop.ruling.system import Case, System
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary

if TYPE_CHECKING:
    from systems.battletech.resolve import Phase


class BattleTech(System):
    """Charging attacks of BattleTech, Total Warfare."""

    name: ClassVar[str] = "battletech"
    title: ClassVar[str] = "BattleTech"
    editions: ClassVar[tuple[str, ...]] = ("total_warfare",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()
    solver: ClassVar[str] = "systems.battletech.resolve"
    keeps_attempts: ClassVar[bool] = True

    def phase(self, case: Case, budget: Budget) -> "Phase":
        """Return the charge phase of a case, with all its charges declared."""
        from systems.battletech.resolve import Phase

        return Phase(case, budget)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Return the judgement on the end places that the case proposes."""
        from systems.battletech.judge import Judge
        from tabletop.ruling.judge import judged

        return judged(Judge(case, resolution, budget))

    def contrasts(
        self,
        case: Case,  # noqa: ARG002
        resolution: Resolution,  # noqa: ARG002
        ruling: Ruling,
        *,
        budget: Budget,  # noqa: ARG002
    ) -> Iterable[Contrast]:
        """Return the contrasts of a ruling: sums as they are worked out, the straight run, the next best path."""
        from systems.battletech.contrast import contrasts

        return contrasts(ruling)

    def missing(self, ruling: Ruling) -> Iterable[Contrast]:
        """Return the contrast of a failed roll to hit; rolls not to fall come before it, and another roll to hit would
        change nothing.
        """
        end = ruling.attempt.end
        return super().missing(ruling) if end is not None and end.is_missed else ()


SYSTEM = BattleTech()

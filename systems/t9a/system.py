"""The Ninth Age as a system: all declarations first, then the chargers one by one."""

from collections.abc import Sequence
from typing import ClassVar

from systems.t9a.book import Book
from systems.t9a.combined.group import Looks
from systems.t9a.declare import Declaration, declare
from systems.t9a.explain import refused
from systems.t9a.judge import judge_proposal
from systems.t9a.odds import case_odds
from systems.t9a.resolve import move_all
from systems.t9a.rules import RULES
from systems.t9a.scene import declared_scene
from systems.t9a.setup import VOCABULARY
from tabletop.budget import Budget
from tabletop.geometry.pose import FloatArray
from tabletop.ruling.chance_map import ChanceMap
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import Odds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.dice import Throws


class NinthAge:
    """The charge phase of The Ninth Age: Fantasy Battles."""

    name: ClassVar[str] = "t9a"
    title: ClassVar[str] = "The Ninth Age: Fantasy Battles"
    editions: ClassVar[tuple[str, ...]] = ("3rd",)
    rules: ClassVar[tuple[Rule, ...]] = RULES
    vocabulary: ClassVar[Vocabulary] = VOCABULARY
    book: ClassVar[Book] = Book()

    def resolve(self, case: Case, *, throws: Throws, budget: Budget) -> Resolution:
        """Resolve all charges: declarations in file order, then rolls, then each charger moves.

        Raises
        ------
        NoVerdictError
            If the budget ends a search before anything is known.
        ScenarioError
            If the dice given are not as many as are rolled.
        """
        return _resolved(case, _declare_all(case, budget), throws=throws, budget=budget)

    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Rule on the proposed end position."""
        return judge_proposal(case, resolution, budget=budget)

    def chances(self, case: Case, poses: FloatArray) -> ChanceMap:
        """Give the chances of the only charge with its target at poses (n, 3): x, y in inches, heading in radians."""
        from systems.t9a.threat import chance_map

        return chance_map(case, poses)

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Give the exact chances over all dice."""
        declarations = _declare_all(case, budget)

        def settle(thrown: Case, looks: Looks) -> Resolution:
            return _resolved(thrown, declarations, throws=Throws(), budget=budget, looks=looks)

        return case_odds(case, declarations, settle, budget=budget)


def _by_target(case: Case, allowed: list[int]) -> list[list[int]]:
    """Group charges by their target, in the order in which the targets are first named."""
    targets = dict.fromkeys(case.charges[number].targets[0] for number in allowed)
    return [[number for number in allowed if case.charges[number].targets[0] == target] for target in targets]


def _resolved(case: Case, declarations: Sequence[Declaration], *, throws: Throws, budget: Budget, looks: Looks | None = None) -> Resolution:
    """Resolve what is declared: rolls, then moves."""
    allowed = [number for number, declaration in enumerate(declarations) if declaration.refused_by is None]
    wanted = [(number, declarations[number].measured.dice, case.charges[number].dice) for number in allowed]
    faces = dict(zip(allowed, throws.deal(wanted), strict=True))
    rulings: dict[int, Ruling] = {
        number: refused(case.charges[number], declaration)
        for number, declaration in enumerate(declarations)
        if declaration.refused_by is not None
    }
    state = case.state
    for numbers in _by_target(case, allowed):
        rolls = [(case.charges[number], declarations[number], faces[number]) for number in numbers]
        found, state = move_all(rolls, state, budget=budget, looks=looks)
        rulings |= {next(number for number in numbers if case.charges[number].charger == name): found[name] for name in found}
    return Resolution(case.state, tuple(rulings[number] for number in range(len(case.charges))), state, tuple(rulings))


def _declare_all(case: Case, budget: Budget) -> list[Declaration]:
    declarations: list[Declaration] = []
    for charge in case.charges:
        earlier = {other.scene.charger.name for other in declarations if other.refused_by is None}
        is_shared = any(other.scene.target.name == charge.targets[0] for other in declarations if other.refused_by is None)
        declaration = declare(
            declared_scene(case, charge, earlier),
            has_declared=charge.charger in earlier,
            may_take_blocked_path=case.choices.combined_blocked_path or not is_shared,
            budget=budget,
        )
        declarations.append(declaration)
    return declarations


SYSTEM = NinthAge()

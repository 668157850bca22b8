"""Cases, and game systems that answer them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tabletop.budget import Budget
from tabletop.errors import KeyLines
from tabletop.ruling.charge import Charge, Expectation
from tabletop.ruling.contrast import Contrast, missing
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import Odds
from tabletop.ruling.phase import ChargePhase
from tabletop.ruling.presented import ImageRepr
from tabletop.ruling.verdict import Judgement, Resolution, Ruling, in_line
from tabletop.table.accuracy import Measured, Settled
from tabletop.table.dice import DiceSource
from tabletop.table.state import State

if TYPE_CHECKING:
    from tabletop.scenario.vocabulary import Vocabulary


@dataclass(frozen=True)
class Filed:
    """The tables of a scenario file, and the values of the case made from them, by which a changed case is
    recognised.
    """

    tables: Mapping[str, Any]
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Case(ImageRepr):
    """A scenario, read and checked: the table, the charges, and how the rules are read.

    Attributes
    ----------
    system, edition
        The game system and the edition of its rules.
    state
        The table before the first charge.
    charges
        The declared charges, in file order.
    choices
        How rules are read whose text leaves something open: a model of the system.
    book
        The numbers of the rule book: a dataclass of the system.
    title, note, source
        Texts of the file.
    point
        The rule that figures are about; "" if the file names none.
    proposal
        Claimed end places by unit name; None if there are none, empty until `claims_of` gives them.
    expect
        Results that the file expects of each charge.
    detail
        Whether long lists are asked for in metrics.
    known
        Places by the charger's name that a search takes if they are better than an answer that it cannot prove.
    measured
        Accuracy with which the table was measured; None if it is exactly as written.
    settled
        How far bodies of a measured table were moved so that it is possible.
    claims_of
        Function that returns the claimed places once the charges are resolved, where they are given relative to other
        units.
    lines
        The line of the file on which each key stands.
    filed
        The tables of the file.
    """

    system: "System"
    edition: str
    state: State[Any]
    charges: tuple[Charge, ...]
    choices: Any
    book: Any
    title: str = ""
    note: str = ""
    source: str = ""
    point: str = ""
    proposal: Mapping[str, Any] | None = None
    expect: tuple[Expectation, ...] = ()
    detail: bool = False
    known: Mapping[str, Any] = field(default_factory=dict)
    measured: Measured | None = None
    settled: Settled | None = None
    claims_of: Callable[[Resolution], Mapping[str, Any]] | None = None
    lines: KeyLines | None = field(default=None, compare=False)
    filed: Filed | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        name = f"{self.system.name} {self.edition}{f', {self.title}' if self.title else ''}"
        return in_line(self, [name, *(charge.label for charge in self.charges)])

    @property
    def tables(self) -> Mapping[str, Any] | None:
        """The tables of the file from which this case was read; None if there was none or the case was changed
        since.
        """
        is_filed = self.filed is not None and all(
            one is other for one, other in zip(self._values, self.filed.values, strict=True)
        )
        return (
            self.filed.tables
            if self.filed is not None and is_filed and self.book == self.system.book
            else None
        )

    @property
    def _values(self) -> tuple[Any, ...]:
        words = (self.title, self.note, self.source, self.point)
        return (
            self.system,
            self.edition,
            self.state,
            self.charges,
            self.choices,
            self.proposal,
            self.claims_of,
            self.expect,
            self.measured,
            *words,
        )

    def as_filed(self, tables: Mapping[str, Any]) -> "Case":
        """Return the same case, marked as read from these tables."""
        return replace(self, filed=Filed(tables, self._values))

    def claimed(self, resolution: Resolution) -> Mapping[str, Any] | None:
        """Return the claimed end places by unit name on the table that a resolution leaves; None if there are no
        claims.

        Raises
        ------
        ScenarioError
            If a unit is placed relative to others in a way that leads to no place.
        """
        if self.proposal is None or self.proposal or self.claims_of is None:
            return self.proposal
        return self.claims_of(resolution)


class System(ABC):
    """Base of a game system: its rules as data, and a few functions that use the engine.

    Attributes
    ----------
    name, title
        Name in files, and title for people.
    editions
        Editions of the rules that it knows; the first is the default.
    rules
        All its rules.
    vocabulary
        Its part of the scenario file.
    book
        Its numbers: an instance of a frozen dataclass whose fields have their source and unit as metadata.
    solver
        Optional: name of a module that takes long to load; limits of time count from when it is loaded.
    keeps_attempts
        Whether its rulings hold what they were made from (`Ruling.attempt`) and its judge reads that.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    editions: ClassVar[tuple[str, ...]]
    rules: ClassVar[tuple[Rule, ...]]
    vocabulary: ClassVar["Vocabulary"]
    book: ClassVar[Any]
    keeps_attempts: ClassVar[bool] = False

    @abstractmethod
    def phase(self, case: Case, budget: Budget) -> ChargePhase[Any]:
        """Return the charge phase of a case under the game's rules, which resolves its charges and computes their
        odds.
        """

    @abstractmethod
    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Return the judgement on the claimed places of a case, given its resolution."""

    def resolve(self, case: Case, *, throws: DiceSource, budget: Budget) -> Resolution:
        """Resolve every charge of a case with the dice of `throws`; raises as `ChargePhase.resolve` does."""
        return self.phase(case, budget).resolve(throws)

    def contrasts(
        self,
        case: Case,  # noqa: ARG002
        resolution: Resolution,  # noqa: ARG002
        ruling: Ruling,  # noqa: ARG002
        *,
        budget: Budget,  # noqa: ARG002
    ) -> Iterable[Contrast]:
        """Return the contrasts of a ruling, besides what a failed roll lacks: the nearest alternatives that are not
        taken.

        The case has the claimed places only if they were judged right: alternatives may then be to these.

        Raises
        ------
        NoVerdictError
            If a limit ends their search.
        """
        return ()

    def missing(self, ruling: Ruling) -> Iterable[Contrast]:
        """Return the contrast of a failed roll in a tuple: what it lacks of the smallest that would do; empty if that
        is not known.
        """
        return tuple(missing(ruling))

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Return the exact chances of all charges of a case over all dice; faces that the case gives are ignored.

        Raises
        ------
        NoVerdictError
            If a limit strikes before they are known.
        """
        return self.phase(case, budget).odds()


class Stating(System):
    """Base of a system that states its placements as optimisation problems, so that a general solver can solve them as
    well.
    """

    @abstractmethod
    def statement(self, case: Case, resolution: Resolution, ruling: Ruling) -> Any:
        """Return the placement problem of a successful ruling, a `tabletop.optimise.problem.SolvedProblem`; None if
        there is none.
        """

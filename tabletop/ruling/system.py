"""Cases, and game systems that answer them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tabletop.budget import Budget
from tabletop.errors import KeyLines
from tabletop.ruling.charge import Charge, Expectation
from tabletop.ruling.finding import Rule
from tabletop.ruling.odds import Odds
from tabletop.ruling.phase import ChargePhase
from tabletop.ruling.verdict import ImageRepr, Judgement, Resolution, Ruling, in_line
from tabletop.table.accuracy import Measured, Settled
from tabletop.table.dice import DiceSource
from tabletop.table.state import State

if TYPE_CHECKING:
    from tabletop.scenario.vocabulary import Vocabulary


@dataclass(frozen=True)
class Filed:
    """The tables of a scenario file, and the values of the case made from them."""

    tables: Mapping[str, Any]
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Case(ImageRepr):
    """One question: the values of a checked scenario file.

    `choices` are the system's readings of open rules, `book` its numbers, `proposal` claimed end places by unit name,
    `expect` what the file expects of each charge, `detail` whether lists are asked for that are long, `lines` on which line
    of its file each key stands, `filed` the tables of the file. `measured` says how well the table was measured, None if it stands as it
    is written, and `settled` how far what was measured was moved so that it can be. `known` are places that chargers may take, by name:
    a search whose best is not proved takes one that is better. `claims` gives the claimed places once the charges are resolved, where
    they are told by how units stand to each other; the proposal is empty until then.
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
    proposal: Mapping[str, Any] | None = None
    expect: tuple[Expectation, ...] = ()
    detail: bool = False
    known: Mapping[str, Any] = field(default_factory=dict)
    measured: Measured | None = None
    settled: Settled | None = None
    claims: Callable[[Resolution], Mapping[str, Any]] | None = None
    lines: KeyLines | None = field(default=None, compare=False)
    filed: Filed | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        name = f"{self.system.name} {self.edition}{f', {self.title}' if self.title else ''}"
        return in_line(self, [name, *(charge.label for charge in self.charges)])

    @property
    def tables(self) -> Mapping[str, Any] | None:
        """The tables of the file that this case came from; None if it has none or was changed since."""
        is_filed = self.filed is not None and all(one is other for one, other in zip(self._values, self.filed.values, strict=True))
        return self.filed.tables if self.filed is not None and is_filed and self.book == self.system.book else None

    @property
    def _values(self) -> tuple[Any, ...]:
        words = (self.title, self.note, self.source)
        return (
            self.system,
            self.edition,
            self.state,
            self.charges,
            self.choices,
            self.proposal,
            self.claims,
            self.expect,
            self.measured,
            *words,
        )

    def as_filed(self, tables: Mapping[str, Any]) -> "Case":
        """Return the same case, marked as coming from these tables."""
        return replace(self, filed=Filed(tables, self._values))

    def claimed(self, resolution: Resolution) -> Mapping[str, Any] | None:
        """Return the claimed end places by unit name, on the table as a resolution leaves it; None if nobody claims any.

        Raises
        ------
        ScenarioError
            If units are claimed to stand by others in a way that leads to no place.
        """
        if self.proposal is None or self.proposal or self.claims is None:
            return self.proposal
        return self.claims(resolution)


class System(ABC):
    """A game: rules as data and a few functions over the engine.

    The first of the `editions` is the default. `vocabulary` is its part of the scenario file; `book` holds its numbers as
    fields of a frozen dataclass, each with its source and unit as metadata. Where it has a `solver`, that is the name of a module that
    takes long to load: limits of time count from when it is.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    editions: ClassVar[tuple[str, ...]]
    rules: ClassVar[tuple[Rule, ...]]
    vocabulary: ClassVar["Vocabulary"]
    book: ClassVar[Any]

    @abstractmethod
    def phase(self, case: Case, budget: Budget) -> ChargePhase[Any]:
        """Return the charge phase of a case under the game's rules."""

    @abstractmethod
    def judge(self, case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
        """Judge the case's proposal, given its resolution."""

    def resolve(self, case: Case, *, throws: DiceSource, budget: Budget) -> Resolution:
        """Resolve every charge of the case; raises as `ChargePhase.resolve` does."""
        return self.phase(case, budget).resolve(throws)

    def odds(self, case: Case, *, budget: Budget) -> Odds:
        """Return the exact chances over all dice; faces that the case gives are set aside. Raises NoVerdictError if they are not found."""
        return self.phase(case, budget).odds()


class Stating(System):
    """A system that states its placements as problems, so that a general solver can look for them as well."""

    @abstractmethod
    def statement(self, case: Case, resolution: Resolution, ruling: Ruling) -> Any:
        """Return the stated placement (a `tabletop.optimise.problem.SolvedProblem`) of a successful ruling, or None."""

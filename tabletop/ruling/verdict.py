"""Answers: the ruling on one charge, the resolution of all charges of a file, the judgement on a claimed end position.

Answers show themselves in notebooks and hand themselves over as tables by `tabletop.show`, which is loaded when one is looked at.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from tabletop.budget import Proof
from tabletop.messages import clipped
from tabletop.ruling.charge import AskedCase, Charge, Judged, Metric, Outcome, Step
from tabletop.ruling.evidence import Evidence, Mark
from tabletop.ruling.finding import Finding
from tabletop.table.dice import DiceSource
from tabletop.table.state import State

if TYPE_CHECKING:
    import pandas as pd


Agreement = Literal["equal", "exact_better", "scipy_better", "not_found"]


@dataclass(frozen=True)
class SecondOpinion:
    """A placement solved a second time, by a general search that does not use its structure.

    Attributes
    ----------
    verdict
        Whether its best place serves the goals as well as the answer, less well, better, or no place was found.
    goal
        The rule of the first goal in which the two differ.
    goals
        What answer and second search are worth, by the rule of each goal; the second is None where nothing was found.
    units
        Where the units stand that its place moves, by name.
    is_fault
        Whether it is better where the answer is proved to be best: one of the two is wrong.
    seconds
        How long it took.
    """

    verdict: Agreement
    goal: str | None
    goals: Mapping[str, tuple[float, float | None]]
    units: Mapping[str, Any]
    is_fault: bool = False
    seconds: float = field(default=0.0, compare=False)


def _front() -> Any:
    """Return the module that shows answers, imported by name since it is above this one and needed only for display."""
    return import_module("tabletop.show")


def in_line(value: object, parts: Iterable[str], *, most: int = 4) -> str:
    """Return a value as one line for programmers: its kind and its first few parts."""
    first = list(islice(parts, most + 1))
    told = [clipped(repr(part)[1:-1], 100) for part in first[:most]] + (["..."] if len(first) > most else [])
    return f"<{type(value).__name__}: {'; '.join(told)}>"


class TableRepr:
    """Mixin for answers that convert to tables."""

    def to_dict(self) -> dict[str, Any]:
        """Return what `--json` prints, as plain tables: inches, degrees, chances as fractions and as numbers.

        Raises
        ------
        UsageError
            If it does not know the case that was asked: it was not made by `tabletop`'s own functions.
        """
        tables: dict[str, Any] = _front().dict_of(self)
        return tables

    def to_pandas(self) -> "pd.DataFrame":
        """Return a data frame, a row for each finding, total of a roll, or case; it needs pandas.

        Raises
        ------
        UsageError
            If pandas is not installed.
        """
        return _front().frame_of(self)


class ImageRepr:
    """Mixin that shows an answer as a figure in notebooks, if it has one; else as text."""

    def _repr_svg_(self) -> str | None:
        data = _front().picture_of(self, "svg")
        return None if data is None else str(data, "utf-8")

    def _repr_png_(self) -> tuple[bytes, dict[str, int]] | None:
        data = _front().picture_of(self, "png")
        return None if data is None else (data, _front().screen_size(data))


class HtmlRepr:
    """Mixin that shows an answer as text and a table in notebooks."""

    def _repr_html_(self) -> str:
        return str(_front().html_of(self))


@dataclass(frozen=True)
class Ruling(HtmlRepr):
    """The answer to one charge. `summary` says it in one or two sentences; `rule` is the one that decided a refusal.

    `chance_success` is None where a search ended before it was proved: `shortest_roll_range` then gives the least and the greatest
    shortest roll that may be (None: no roll succeeds), and `chance_success_range` the chances. Where the table was measured, `open`
    names the rules on which the outcome hangs within the accuracy, and both ranges are those on the tables that were searched,
    and `decides` what to measure where a rule is open.
    """

    charge: Charge
    outcome: Outcome
    summary: str
    rule: str | None = None
    shortest_roll: int | None = None
    chance_success: Fraction | None = Fraction(0)
    findings: tuple[Finding, ...] = ()
    metrics: Mapping[str, Metric] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()
    choices: int | None = None
    proof: Proof = "exact"
    evidence: Evidence = field(default_factory=Evidence)
    second_opinion: SecondOpinion | None = None
    open: tuple[str, ...] | None = None
    shortest_roll_range: tuple[int | None, int | None] | None = None
    chance_success_range: tuple[Fraction, Fraction] | None = None
    decides: "Decides | None" = None

    @property
    def decided(self) -> dict[str, Mark]:
        """Marks with words by rule: of what is broken, or of what a success served, those at the end first."""
        found: dict[str, Mark] = {}
        for one in self.findings:
            if one.ok is (self.outcome == "success") and one.mark is not None and one.mark.at is not None:
                found.setdefault(one.rule, one.mark)
        return dict(sorted(found.items(), key=lambda told: told[1].stage != "after"))

    @property
    def line(self) -> str:
        """Who charges whom, the outcome, and the rule that decides against success."""
        return f"{self.charge.label}, {self.outcome}{f' by {self.rule}' if self.rule else ''}"

    def __repr__(self) -> str:
        return in_line(self, [self.line, f"chance {' to '.join(map(str, sorted({*self.chances})))}", self.proof])

    @property
    def is_proved(self) -> bool:
        """Whether the chance of success is proved."""
        return self.chance_success is not None

    @property
    def shortest_rolls(self) -> tuple[int | None, int | None]:
        """The smallest total with which it may succeed, and with which it is known to; None: no total."""
        return self.shortest_roll_range if self.shortest_roll_range and not self.is_proved else (self.shortest_roll, self.shortest_roll)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """Lower and upper bound of the chance of success; equal where it is proved."""
        if self.chance_success is None:
            return self.chance_success_range or (Fraction(0), Fraction(1))
        return self.chance_success, self.chance_success


@dataclass(frozen=True)
class Resolution(ImageRepr, TableRepr):
    """All charges of a file, resolved: the table before, a ruling per charge in file order, the table after.

    `order` gives the numbers of the rulings in the order in which the chargers had their turns, where that is known; `case`
    is what was asked, and `throws` where its faces came from, known where `tabletop.resolve` has answered. `elsewhere` are the answers on
    other tables that a measured one may be; `elsewhere_limit` names what ended the search for them, if anything did. `tables` are those
    before and after the turn of each ruling, in file order, where a `ChargePhase` resolved them.
    """

    before: State[Any]
    rulings: tuple[Ruling, ...]
    after: State[Any]
    order: tuple[int, ...] = ()
    case: AskedCase | None = field(default=None, compare=False)
    throws: DiceSource | None = field(default=None, compare=False)
    elsewhere: tuple["Resolution", ...] = field(default=(), compare=False)
    elsewhere_limit: str = field(default="", compare=False)
    tables: tuple[tuple[State[Any], State[Any]], ...] = field(default=(), compare=False, repr=False)

    def __repr__(self) -> str:
        return in_line(self, (ruling.line for ruling in self.rulings))

    def tables_of(self, ruling: Ruling) -> tuple[State[Any], State[Any]]:
        """Return the table at the turn of a ruling, and the one it left."""
        return next(tables for one, tables in zip(self.rulings, self.tables, strict=True) if one is ruling)

    @property
    def turns(self) -> tuple[Ruling, ...]:
        """The rulings in the order of the turns."""
        return tuple(self.rulings[number] for number in self.order) or self.rulings


@dataclass(frozen=True)
class Judgement(HtmlRepr, TableRepr):
    """The verdict on a proposed end position; `better` gives the place of each unit that would be right.

    "legal" is one that keeps every limit where nothing better is known and nothing better is disproved.

    `meant` gives the exact place of each unit that was taken for it where that is not the claim itself. Of a measured one `moved` says how
    far that is from the measured one in inches, and `decides` what to measure where the outcome is "undecided"; `open` names the rules
    that are open, the first is `rule`.

    `proof` says how sure it is that nothing serves the rules better, and `is_best` whether that was asked at all. `evidence` is what a
    figure may show of where each charger is claimed to end, and `steps` are the claimed moves by unit, where they are known; `mark` of
    the finding that decides says where it is broken. `case` is what was asked, known where `tabletop.judge` has answered.
    """

    outcome: Judged
    rule: str | None
    findings: tuple[Finding, ...]
    summary: str
    better: Mapping[str, Any] = field(default_factory=dict)
    open: tuple[str, ...] | None = None
    meant: Mapping[str, Any] = field(default_factory=dict)
    moved: Mapping[str, float] = field(default_factory=dict)
    decides: "Decides | None" = None
    proof: Proof = "exact"
    is_best: bool = True
    evidence: Mapping[str, Evidence] = field(default_factory=dict)
    steps: Mapping[str, tuple[Step, ...]] = field(default_factory=dict)
    case: AskedCase | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return in_line(self, [f"{self.outcome}{f' by {self.rule}' if self.rule else ''}", self.proof])

    @property
    def is_right(self) -> bool:
        """Whether it keeps every limit, and nothing better is known."""
        return self.outcome in ("success", "legal")

    @property
    def broken(self) -> Finding | None:
        """The finding that decides against the proposal."""
        return next((finding for finding in self.findings if not finding.ok and finding.rule == self.rule), None)


@dataclass(frozen=True)
class Decides:
    """What to measure: the rule, between whom, what was measured and where it turns, in inches or what it counts; and a sentence."""

    rule: str
    text: str
    between: tuple[str, ...] = ()
    measured: float | None = None
    border: float | None = None

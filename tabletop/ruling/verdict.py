"""Answers: the ruling on one charge, the resolution of all charges of a file, the judgement on a claimed
end position.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any, Literal

from tabletop.budget import Proof
from tabletop.messages import clipped
from tabletop.ruling.charge import AskedCase, Charge, Judged, Metric, Outcome, Step
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.evidence import Evidence, Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.presented import HtmlRepr, ImageRepr, TableRepr
from tabletop.table.dice import DiceSource
from tabletop.table.state import State

Agreement = Literal["equal", "exact_better", "scipy_better", "not_found"]


@dataclass(frozen=True)
class SecondOpinion:
    """The solution of a ruling's placement problem by a general search that does not use its structure.

    Attributes
    ----------
    verdict
        How its best place compares with the answer: "equal", "exact_better" (the answer is), "scipy_better", or
        "not_found".
    goal
        Name of the first goal in which the two differ; None if they are equal.
    goals
        Amounts of the answer and of the second solution, by the rule of each goal; the second is None where no place
        was found.
    units
        Places of the units that it moves, by name.
    is_fault
        Whether it is better in a goal in which the answer is proved to be best: one of the two must be wrong.
    seconds
        Time that it took.
    """

    verdict: Agreement
    goal: str | None
    goals: Mapping[str, tuple[float, float | None]]
    units: Mapping[str, Any]
    is_fault: bool = False
    seconds: float = field(default=0.0, compare=False)


def in_line(value: object, parts: Iterable[str], *, most: int = 4) -> str:
    """Return a one-line `repr` of a value: the name of its class and its first few parts, with "..." if there are more
    than `most`.
    """
    first = list(islice(parts, most + 1))
    told = [clipped(repr(part)[1:-1], 100) for part in first[:most]] + (
        ["..."] if len(first) > most else []
    )
    return f"<{type(value).__name__}: {'; '.join(told)}>"


@dataclass(frozen=True)
class Ruling(HtmlRepr, TableRepr):
    """The answer to one charge: its outcome, why, with what chance, and how the units move.

    Attributes
    ----------
    charge, outcome
        The charge, and how it ends.
    summary, rule
        One or two sentences, and the name of the rule that decides against success; None for a success.
    result
        What the charge comes to, for where it is said already who charges whom; "": what decided says it.
    shortest_roll, chance_success
        Smallest total with which it can succeed (None: none, or not proved), and its chance of success (None: not
        proved).
    findings, metrics, steps
        What each rule says, further results of the game system by name, and the moves in order.
    choices
        Number of equally good outcomes that the rules leave to the player; None if not counted.
    proof
        How sure it is that the place is the best: "exact", "tolerance" or "best_found".
    evidence
        What figures show beside units and steps.
    second_opinion
        The same placement solved by a general search, if that was asked for.
    open, decides
        On a measured table: the rules on which the outcome depends within the accuracy, and what to measure again to
        decide the first.
    shortest_roll_range, chance_success_range
        Bounds of both where they are not proved (None: no roll succeeds); on a measured table over the tables searched
        within its accuracy.
    contrast
        The nearest alternatives that may not, or need not, be taken, and what tells against them; None where they were
        not asked for, or where a limit ended their search.
    point
        The rule that figures are about; "" if the scenario names none.
    case
        The case that was asked, if `tabletop.resolve` answered.
    attempt
        What the ruling was made from, in the game's own type: the charge as it was tried on the table of its turn,
        with the searches made for it. Judge, contrasts and second opinions of the game read it, so that none works out
        again from the ruling's words and numbers what was known when it was made. None where nothing had to be
        explained, and in copies that were pickled.
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
    contrast: tuple[Contrast, ...] | None = field(default=None, compare=False)
    point: str = field(default="", compare=False)
    result: str = field(default="", compare=False)
    case: AskedCase | None = field(default=None, compare=False)
    attempt: Any = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: all but the attempt, which holds searches and caches."""
        return {**vars(self), "attempt": None}

    def finding(self, rule: str, *, ok: bool | None = None) -> Finding | None:
        """Return the first finding of a rule, kept or broken if `ok` asks for one of them; None if there is none."""
        asked = (True, False) if ok is None else (ok,)
        named = (one for one in self.findings if one.rule == rule and one.ok in asked)
        return next(named, None)

    @property
    def pointed(self) -> Finding | None:
        """The finding of the rule that figures are about, if it has a mark with words; else None."""
        found = (
            one
            for one in self.findings
            if one.rule == self.point and one.mark is not None and one.mark.at is not None
        )
        return next(found, None)

    @property
    def decided(self) -> dict[str, Mark]:
        """Marks with words of the findings that decided, by rule: broken ones, or those of a success; those after the
        charge first.
        """
        found: dict[str, Mark] = {}
        for one in self.findings:
            if (
                one.ok is (self.outcome == "success")
                and one.mark is not None
                and one.mark.at is not None
                and not one.mark.is_for_point
            ):
                found.setdefault(one.rule, one.mark)
        return dict(sorted(found.items(), key=lambda told: told[1].stage != "after"))

    @property
    def drawn_contrast(self) -> Contrast | None:
        """The contrast that figures draw: the first that has a place; None if there is none.

        Where some contrasts are about the rule that the figure is about, only these count.
        """
        found = self.contrast or ()
        near = [one for one in found if one.finding.rule == self.point]
        return next(
            (one for one in near or found if one.units and one.finding.mark is not None), None
        )

    @property
    def line(self) -> str:
        """Text for `repr`: who charges whom, the outcome, and the rule that decides against success."""
        return f"{self.charge.label}, {self.outcome}{f' by {self.rule}' if self.rule else ''}"

    def __repr__(self) -> str:
        return in_line(
            self,
            [self.line, f"chance {' to '.join(map(str, sorted({*self.chances})))}", self.proof],
        )

    @property
    def is_proved(self) -> bool:
        """Whether the chance of success is proved."""
        return self.chance_success is not None

    @property
    def shortest_rolls(self) -> tuple[int | None, int | None]:
        """The smallest total with which the charge may succeed, and the smallest with which it is known to; None: no
        total.
        """
        return (
            self.shortest_roll_range
            if self.shortest_roll_range and not self.is_proved
            else (self.shortest_roll, self.shortest_roll)
        )

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """Lower and upper bound of the chance of success, from 0 to 1; equal if it is proved."""
        if self.chance_success is None:
            return self.chance_success_range or (Fraction(0), Fraction(1))
        return self.chance_success, self.chance_success


@dataclass(frozen=True)
class Alternative:
    """An alternative to a ruling as figures show it: what tells against it, and the moves that lead there."""

    charge: Charge
    findings: tuple[Finding, ...]
    steps: tuple[Step, ...]
    evidence: Evidence
    outcome: None = None


Shown = Ruling | Alternative
"""What a figure shows of a charge."""


@dataclass(frozen=True)
class Resolution(ImageRepr, TableRepr):
    """All charges of a file, resolved: the table before, a ruling for each charge in file order, and the table after.

    Attributes
    ----------
    before, after
        The tables before the first and after the last charge.
    rulings
        A ruling for each charge, in file order.
    order
        Numbers of the rulings in the order in which the chargers had their turns; empty: file order.
    case, throws
        The case that was asked and the source of its dice, if `tabletop.resolve` answered.
    elsewhere, elsewhere_limit
        The resolutions on other tables within the accuracy of a measured one, and what ended the search for them, if
        anything.
    tables
        The tables before and after the turn of each ruling, in file order, if a `ChargePhase` resolved them.
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

    @property
    def turns(self) -> tuple[Ruling, ...]:
        """The rulings in the order in which the chargers had their turns."""
        return tuple(self.rulings[number] for number in self.order) or self.rulings


@dataclass(frozen=True)
class Judgement(HtmlRepr, TableRepr):
    """The verdict on claimed end places.

    Attributes
    ----------
    outcome
        "success": right; "legal": it keeps every limit and nothing better is known, but that is not proved;
        "not_allowed": some rule is broken; "undecided": the accuracy of the measurements does not decide it.
    rule
        Name of the rule that decides against the claims; None if they are right.
    findings, summary
        What each rule says of the claims, and a sentence or two.
    better
        Places of the claimed units that would be right, by name, if the claims are wrong.
    open
        On a measured table: the rules that are open, the first of which is `rule`.
    meant
        The exact places that the claims were taken for, by name of the unit, where they differ from the claims.
    moved
        How far, in inches, these lie from claims that were measured.
    decides
        What to measure again if the outcome is "undecided".
    proof, is_best
        How sure it is that nothing serves the rules better, and whether that was examined at all.
    evidence, steps
        What figures show of each claimed unit, and the claimed moves by unit if they are known.
    case
        The case that was asked, if `tabletop.judge` answered.
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
        return in_line(
            self, [f"{self.outcome}{f' by {self.rule}' if self.rule else ''}", self.proof]
        )

    @property
    def is_right(self) -> bool:
        """Whether the claims keep every limit, and nothing better is known."""
        return self.outcome in ("success", "legal")

    @property
    def broken(self) -> Finding | None:
        """The broken finding of the rule that decides against the claims; None if there is none."""
        return next(
            (finding for finding in self.findings if not finding.ok and finding.rule == self.rule),
            None,
        )


@dataclass(frozen=True)
class Decides:
    """What to measure again to decide an open rule.

    Attributes
    ----------
    rule, text
        Name of the rule, and a sentence that says what to measure.
    between
        Names of the two units between which to measure.
    measured, border
        The length measured, and the one at which the verdict changes, in inches or in what the rule counts.
    spread
        How far from `border` the verdict may change, if only a range is known.
    """

    rule: str
    text: str
    between: tuple[str, ...] = ()
    measured: float | None = None
    border: float | None = None
    spread: float = 0.0

"""Findings of rules with their margins, the limits and goals of a placement, and values that a profile leaves out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from tabletop.budget import PROOFS, Proof
from tabletop.geometry.arrays import FloatArray
from tabletop.messages import for_judge, listed, say, word
from tabletop.ruling.evidence import Dimension, Mark
from tabletop.units import MARGINAL

P = TypeVar("P")

Q = TypeVar("Q")

IMMEASURABLE = 100.0
"""Inches by which a rule counts as broken if it is broken without a measure."""


@dataclass(frozen=True)
class Rule:
    """A rule of a game system: name, demand in one line, nature and source.

    `choices` are the keys of a file's `[rules]` that decide how the rule is read where its text leaves that open.
    """

    name: str
    demand: str
    nature: str
    source: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assumed:
    """A default value used because a unit's profile does not give it: the unit's name, the key of the profile, and the
    value.
    """

    unit: str
    key: str
    value: float


@dataclass(frozen=True)
class Taken:
    """What a procedure of the rules selected on one table, such as which facing is charged.

    Attributes
    ----------
    what
        The selection in words.
    between
        The bodies between which the distance that decides was measured, in words.
    off
        Inches by which that distance would have to change for another selection; None if unknown.
    number
        Identifies the selection on tables that call the same thing by other words.
    """

    what: str
    between: str = ""
    off: float | None = None
    number: int | None = None

    def is_other(self, one: "Taken") -> bool:
        """Return whether this selection differs from that on another table: by number if there is one, else by
        words.
        """
        return self.what != one.what if self.number is None else self.number != one.number


@dataclass(frozen=True)
class Finding:
    """What one rule says of a charge: whether it holds, the measured value, its limit, the signed margin, and one
    sentence.

    Attributes
    ----------
    rule, ok, text
        Name of the rule, whether it holds, and a sentence that says so.
    measured, limit, margin
        Measured value, its limit, and their difference, negative if the rule is broken: floats in inches or radians, or
        integers of what is counted, such as dice and hexes; None where there is nothing to measure.
    assumed
        Default values that it used because a profile leaves them out.
    between
        Names of the unit from whose body a gap is measured and of the unit to which, then of others that could have
        been nearer.
    uncertainty
        On a measured table the most, in inches, by which the margin may differ; None on an exact one.
    allowance
        Inches by which the limit may be missed, such as 0.001 for models placed by hand: the rule holds down to a
        margin of -allowance. Negative if the limit must be exceeded.
    is_open
        Whether it holds on one table within the accuracy of the measurements and not on another.
    line
        The measured line, one of those of the ruling's evidence; None if it measures none.
    mark
        What figures show of it on the table; None if nothing.
    taken
        What a procedure selected.
    """

    rule: str
    ok: bool
    text: str
    measured: float | None = None
    limit: float | None = None
    margin: float | None = None
    assumed: tuple[Assumed, ...] = ()
    between: tuple[str, ...] = ()
    uncertainty: float | None = None
    allowance: float = 0.0
    is_open: bool = False
    line: Dimension | None = field(default=None, compare=False, repr=False)
    mark: Mark | None = field(default=None, compare=False, repr=False)
    taken: Taken | None = field(default=None, compare=False, repr=False)

    def using(self, *assumed: Assumed) -> "Finding":
        """Return the finding with default values added that it used; its sentence names them."""
        if not assumed:
            return self
        text = say("{text} {assumed}", text=self.text, assumed=sentence(assumed))
        return replace(self, text=text, assumed=(*self.assumed, *assumed))

    @property
    def slack(self) -> float:
        """The margin with the allowance; without one, 0 if the rule holds and -`IMMEASURABLE` (-100) if it is
        broken.
        """
        return (
            self.margin + self.allowance
            if self.margin is not None
            else 0.0
            if self.ok
            else -IMMEASURABLE
        )

    @property
    def is_marginal(self) -> bool:
        """Whether at most 0.001 in decides, finer than models are placed by hand; counted values are never marginal."""
        return isinstance(self.margin, float) and abs(self.slack) <= MARGINAL


@dataclass(frozen=True)
class Limit(Generic[P]):
    """A constraint of a placement: a rule that must hold.

    `measure` returns the finding of the rule for a place, such as a table.
    """

    rule: str
    measure: Callable[[P], Finding]

    def slack(self, place: P) -> float:
        """Return the margin of the rule at a place, negative where it is broken."""
        return self.measure(place).slack

    def of(self, part: Callable[[Q], P]) -> "Limit[Q]":
        """Return the same limit for larger objects, measured on the part that `part` returns of each."""
        return Limit(self.rule, lambda whole: self.measure(part(whole)))


@dataclass(frozen=True)
class Goal(Generic[P]):
    """An objective of a placement: a rule to be satisfied as far as possible, by maximising `value`.

    Attributes
    ----------
    rule
        Name of the rule.
    unit
        Words for what is counted or measured, such as "models".
    value
        Function that returns the values (n,) of n places; the greater, the better.
    is_counted
        Whether values are integers; others are measured in inches or radians.
    is_least
        Whether the amount is to be minimised; its value is then the negative of the amount.
    """

    rule: str
    unit: str
    value: Callable[[P], FloatArray]
    is_counted: bool = True
    is_least: bool = False

    def of(self, part: Callable[[Q], P]) -> "Goal[Q]":
        """Return the same goal for larger objects, valued by the part that `part` returns of each."""
        return Goal(
            self.rule,
            self.unit,
            lambda whole: self.value(part(whole)),
            self.is_counted,
            self.is_least,
        )

    def amount(self, value: float) -> float:
        """Return the amount that a value means: the value, or its negative if the amount is to be minimised."""
        return (-value if self.is_least else value) + 0.0


def room_needed(length: float) -> str:
    """Return the clause "; at least ... in is needed" of a sentence; shown to judges only if the length is at most
    0.001 in.
    """
    if length <= 0.0:
        return ""
    words = say("; at least {needed:g} in is needed", needed=length)
    return words if length > MARGINAL else for_judge(words)


def weakest_proof(*proofs: Proof) -> Proof:
    """Return the weakest of several proofs of an answer, in the order "exact", "tolerance", "best_found"; "exact" if
    there are none.
    """
    return max(proofs, key=PROOFS.index, default="exact")


def in_order(findings: Iterable[Finding], rules: Sequence[Rule]) -> tuple[Finding, ...]:
    """Return findings sorted by the order of their rules among `rules`; those of one rule keep their order."""
    places = {rule.name: place for place, rule in enumerate(rules)}
    return tuple(sorted(findings, key=lambda finding: places[finding.rule]))


def of_each(value: Callable[[P], float]) -> Callable[[Sequence[P]], FloatArray]:
    """Return a function that maps n places to an array (n,) of values, from a function that maps one place to its
    value.
    """
    return lambda many: np.array([value(one) for one in many], dtype=float)


# Numbers that a profile leaves out: a rule that uses one names it, and the value that it counts as.


class Profiled(Protocol):
    """Protocol of a unit with a profile: its statistics, as a table of the file."""

    @property
    def name(self) -> str:
        """Name of the unit."""
        ...

    @property
    def profile(self) -> Any:
        """Statistics of the unit: a pydantic model of the game system."""
        ...


def assumed(unit: Profiled, *keys: str) -> tuple[Assumed, ...]:
    """Return the default values of those among the given keys that a unit's profile leaves out.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from systems.t9a.words import Profile
    >>> assumed(SimpleNamespace(name="A", profile=Profile(height=2)), "charge_speed", "height")
    (Assumed(unit='A', key='charge_speed', value=0.0),)
    """
    given = unit.profile.model_fields_set
    return tuple(
        Assumed(unit.name, key, getattr(unit.profile, key)) for key in keys if key not in given
    )


def by_unit(numbers: Iterable[Assumed]) -> dict[str, str]:
    """Return, for each unit's name, a text that lists the default values used for it, each once.

    Examples
    --------
    >>> given = [("A", "piloting", 5), ("B", "piloting", 5), ("B", "hexes_moved", 0), ("B", "piloting", 5)]
    >>> by_unit([Assumed(*one) for one in given])
    {'A': 'piloting not given: 5', 'B': 'piloting not given: 5, hexes_moved not given: 0'}
    """
    words: dict[str, list[str]] = {}
    for number in dict.fromkeys(numbers):
        words.setdefault(number.unit, []).append(
            say("{key} not given: {value:g}", key=word(number.key), value=number.value)
        )
    return {unit: listed(parts, ", ") for unit, parts in words.items()}


def sentence(numbers: Iterable[Assumed]) -> str:
    """Return a sentence that lists default values by unit; an empty text if there are none.

    Examples
    --------
    >>> sentence([Assumed("A", "size", 1), Assumed("B", "size", 1)])
    'A: size not given: 1; B: size not given: 1.'
    """
    text = listed(
        (
            say("{unit}: {numbers}", unit=unit, numbers=told)
            for unit, told in by_unit(numbers).items()
        ),
        "; ",
    )
    return say("{text}.", text=text) if text else ""

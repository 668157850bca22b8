"""Findings of rules with their margins, the limits and goals of a placement, and values that a profile leaves out."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from tabletop.budget import PROOFS, Proof
from tabletop.geometry.arrays import FloatArray
from tabletop.messages import for_judge, listed, say, word
from tabletop.ruling.evidence import Mark
from tabletop.units import MARGINAL

P = TypeVar("P")

Q = TypeVar("Q")

IMMEASURABLE = 100.0
"""Inches by which a rule counts as broken if it is broken without a measure."""


@dataclass(frozen=True)
class Rule:
    """A rule of a game system: name, demand in one line, nature and source.

    `choices` names the keys of `[rules]` that read it one way or the other, where its text leaves that open.
    """

    name: str
    demand: str
    nature: str
    source: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Assumed:
    """A value that a unit's profile leaves out, by its key, and the default used."""

    unit: str
    key: str
    value: float


@dataclass(frozen=True)
class Taken:
    """What a procedure selects, in words; if known, how many inches from selecting something else, and between which bodies.

    `number` tells apart things that are called otherwise on each table.
    """

    what: str
    between: str = ""
    off: float | None = None
    number: int | None = None

    def is_other(self, one: "Taken") -> bool:
        """Return whether another table's selection is a different one."""
        return self.what != one.what if self.number is None else self.number != one.number


@dataclass(frozen=True)
class Finding:
    """What one rule says of a charge: measured value against limit, the signed margin, and one sentence.

    Of what is counted, such as dice and hexes, the numbers are integers. `assumed` are the numbers it used that a profile
    leaves out; the sentence names them. `between` names the unit from whose body a gap is
    measured and the one to which, and after it those that could have been nearer. Where the table was measured,
    `uncertainty` is the most by which its margin may differ in inches, and `is_open` whether it was seen to turn. `mark` says
    where on the table it is seen, None where nothing shows it. `taken` is what a procedure takes.
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
    is_open: bool = False
    mark: Mark | None = field(default=None, compare=False, repr=False)
    taken: Taken | None = field(default=None, compare=False, repr=False)

    def using(self, *assumed: Assumed) -> "Finding":
        """Return the finding with the default values that it used; its sentence names them."""
        if not assumed:
            return self
        text = say("{text} {assumed}", text=self.text, assumed=sentence(assumed))
        return replace(self, text=text, assumed=(*self.assumed, *assumed))

    @property
    def slack(self) -> float:
        """The margin; without one, 0 if the rule is kept, and as large as a table if it is broken."""
        return self.margin if self.margin is not None else 0.0 if self.ok else -IMMEASURABLE

    @property
    def is_marginal(self) -> bool:
        """Whether the margin is too small to place a model by hand; counted values are never marginal."""
        return isinstance(self.margin, float) and abs(self.margin) <= MARGINAL


@dataclass(frozen=True)
class Limit(Generic[P]):
    """A rule that must hold: `measure` returns for a placement whether it does, and by how much."""

    rule: str
    measure: Callable[[P], Finding]

    def slack(self, place: P) -> float:
        """Return the margin at a place, negative where the rule is broken."""
        return self.measure(place).slack

    def of(self, part: Callable[[Q], P]) -> "Limit[Q]":
        """Return the same test of a part of something."""
        return Limit(self.rule, lambda whole: self.measure(part(whole)))


@dataclass(frozen=True)
class Goal(Generic[P]):
    """A rule to be served as far as possible: `value` of many placements, larger is better; `unit` names what is counted.

    What is not counted is measured, in inches or radians; of what is to be least the value is the negative.
    """

    rule: str
    unit: str
    value: Callable[[P], FloatArray]
    is_counted: bool = True
    is_least: bool = False

    def of(self, part: Callable[[Q], P]) -> "Goal[Q]":
        """Return the same measure of a part of something."""
        return Goal(self.rule, self.unit, lambda whole: self.value(part(whole)), self.is_counted, self.is_least)

    def amount(self, value: float) -> float:
        """Return the amount counted or measured."""
        return (-value if self.is_least else value) + 0.0


def room_needed(length: float) -> str:
    """Return the clause that a rule needs so much room, in inches; empty for readers if it is zero or a mere tolerance."""
    words = say("; at least {needed:g} in is needed", needed=length)
    return words if length > MARGINAL else for_judge(words)


def weakest_proof(*proofs: Proof) -> Proof:
    """Return the weakest of several proofs."""
    return max(proofs, key=PROOFS.index, default="exact")


def in_order(findings: Iterable[Finding], rules: Sequence[Rule]) -> tuple[Finding, ...]:
    """Return findings in the order of the rules; the order within a rule is kept."""
    places = {rule.name: place for place, rule in enumerate(rules)}
    return tuple(sorted(findings, key=lambda finding: places[finding.rule]))


def of_each(value: Callable[[P], float]) -> Callable[[Sequence[P]], FloatArray]:
    """Return a function of many placements from a function of one."""
    return lambda many: np.array([value(one) for one in many], dtype=float)


# Numbers that a profile leaves out: a rule that uses one names it, and the value that it counts as.


class Profiled(Protocol):
    """A unit with statistics, a table of the file."""

    @property
    def name(self) -> str:
        """Name of the unit."""
        ...

    @property
    def profile(self) -> Any:
        """Statistics of the unit."""
        ...


def assumed(unit: Profiled, *keys: str) -> tuple[Assumed, ...]:
    """Return those of the given values that a unit's profile leaves out.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from systems.t9a.words import Profile
    >>> assumed(SimpleNamespace(name="A", profile=Profile(height=2)), "charge_speed", "height")
    (Assumed(unit='A', key='charge_speed', value=0.0),)
    """
    given = unit.profile.model_fields_set
    return tuple(Assumed(unit.name, key, getattr(unit.profile, key)) for key in keys if key not in given)


def by_unit(numbers: Iterable[Assumed]) -> dict[str, str]:
    """Return for each unit the values that its profile leaves out, each once.

    Examples
    --------
    >>> by_unit([Assumed("A", "piloting", 5), Assumed("B", "piloting", 5), Assumed("B", "hexes_moved", 0), Assumed("B", "piloting", 5)])
    {'A': 'piloting not given: 5', 'B': 'piloting not given: 5, hexes_moved not given: 0'}
    """
    words: dict[str, list[str]] = {}
    for number in dict.fromkeys(numbers):
        words.setdefault(number.unit, []).append(say("{key} not given: {value:g}", key=word(number.key), value=number.value))
    return {unit: listed(parts, ", ") for unit, parts in words.items()}


def sentence(numbers: Iterable[Assumed]) -> str:
    """Return a sentence about values that profiles leave out; empty if there are none.

    Examples
    --------
    >>> sentence([Assumed("A", "size", 1), Assumed("B", "size", 1)])
    'A: size not given: 1; B: size not given: 1.'
    """
    text = listed((say("{unit}: {numbers}", unit=unit, numbers=told) for unit, told in by_unit(numbers).items()), "; ")
    return say("{text}.", text=text) if text else ""

"""A scenario to vary: its cases, the rows kept of each answer, and the identities of its cases.

A case's identity is a hash of exactly what affects its answer. A case has one row of plain values per charge; with
jitter a row also holds the displaced places.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any

from tabletop.api import decide
from tabletop.distribution import version
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.exploring.jitter import JITTER_KEY, Columns, Jitter, displaced
from tabletop.exploring.key_paths import book_numbers, has_relations, with_values
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario.reading import case_from_tables
from tabletop.scenario.writing import tidy

Row = dict[str, Any]

ANSWER = (
    "charge",
    "charger",
    "outcome",
    "rule",
    "shortest_roll",
    "chance",
    "chance_fraction",
    "proof",
    "tightest",
    "margin",
)
"""Columns between the varied keys and the metrics; `tightest` names the finding with the least margin, and `margin`
gives it."""

UNANSWERED_OUTCOMES = ("invalid", "no_verdict")
"""Outcomes of a case without an answer: its one row stands for all charges."""

METRIC = "metrics."
"""How the names of columns of metrics begin."""

_WORDS_ONLY = ("title", "note", "source", "expect", "format")
"""Keys of a file that change no answer."""


@dataclass(frozen=True)
class VariedScenario:
    """A scenario file's tables, the keys that are varied, and the changes and dice that all its cases share.

    Attributes
    ----------
    tables
        Tables of the file.
    keys
        Varied keys, in the order of a case's values.
    overrides
        Changes as `--set` takes them.
    dice
        Natural faces of all cases; None for those of the file or of the seed.
    seed
        Seed of dice that the file leaves out.
    jitter
        Limits of random displacements, applied by the number that the key `jitter` takes; None for no displacement.
    has_metrics
        Whether rows contain the metrics of each ruling.
    """

    tables: Mapping[str, Any]
    keys: tuple[str, ...]
    overrides: tuple[str, ...] = ()
    dice: tuple[int, ...] | None = None
    seed: int = 0
    jitter: Jitter | None = None
    has_metrics: bool = True

    def case(self, values: Sequence[Any]) -> Case:
        """Return the case in which the varied keys have these values, in the order of `keys`.

        Raises
        ------
        ScenarioError
            If the scenario is impossible with these values.
        """
        told = dict(zip(self.keys, values, strict=True))
        tables = (
            self.tables
            if self.jitter is None
            else displaced(self.tables, self.jitter, told.pop(JITTER_KEY, 0))[0]
        )
        tables = with_values(tables, tuple(told), tuple(told.values()))
        return case_from_tables(
            tables, overrides=self.overrides, numbers=book_numbers(self.keys, values)
        )

    @property
    def has_relations(self) -> bool:
        """Whether some unit is placed relative to others, and so moves with them."""
        units = self.tables.get("units", {})
        return any(has_relations(unit) for unit in units.values() if isinstance(unit, Mapping))

    def places(self, values: Sequence[Any]) -> Columns:
        """Return the displaced places and facings by key for a case's values, in inches and degrees; empty without
        jitter.
        """
        if self.jitter is None:
            return {}
        return displaced(
            self.tables, self.jitter, dict(zip(self.keys, values, strict=True)).get(JITTER_KEY, 0)
        )[1]

    @cached_property
    def identity(self) -> bytes:
        """Hash, 16 bytes, of everything that affects the answers except the values of the varied keys."""
        kept = {key: value for key, value in self.tables.items() if key not in _WORDS_ONLY}
        jitter = None if self.jitter is None else self.jitter.told
        told = [
            version(),
            kept,
            self.keys,
            self.overrides,
            self.dice,
            self.seed,
            jitter,
            *([] if self.has_metrics else ["no metrics"]),
        ]
        return blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=16).digest()

    def key(self, values: Sequence[Any]) -> str:
        """Return the identity of one case: 32 hexadecimal digits."""
        told = json.dumps(list(values)).encode()
        return blake2b(told, digest_size=16, key=self.identity).hexdigest()


def rows_of(base: VariedScenario, values: Sequence[Any]) -> list[Row]:
    """Resolve one case and return its rows, one per charge; a case without answer has one row, `invalid` or
    `no_verdict`.
    """
    places = base.places(values)
    where: Row = {"places": places} if places else {}
    try:
        # of a measured table the settled one: how sure each answer is, `resolve` says
        case = replace(base.case(values), measured=None)
        resolution = _resolved(case, base)
    except ScenarioError as error:
        return [{**where, "charge": 0, "outcome": "invalid", "rule": str(error.problems[0])}]
    except NoVerdictError as error:
        return [{**where, "charge": 0, "outcome": "no_verdict", "rule": str(error)}]
    return [
        {**where, **_answer(number, ruling, has_metrics=base.has_metrics)}
        for number, ruling in enumerate(resolution.rulings)
    ]


def _resolved(case: Case, base: VariedScenario) -> Resolution:
    """Return the resolution of a case; given dice may be too many if a charge that may not be declared rolls none."""
    try:
        return decide(case, dice=base.dice, seed=base.seed)
    except ScenarioError:
        if base.dice is None:
            raise
        resolution = decide(case, dice=base.dice, seed=base.seed, fill=True)
        if all(ruling.outcome != "not_allowed" for ruling in resolution.rulings):
            raise
        return resolution


def _answer(number: int, ruling: Ruling, *, has_metrics: bool) -> Row:
    # else a reason
    counted = [finding for finding in ruling.findings if finding.ok or finding.rule == ruling.rule]
    margins = [finding for finding in counted if finding.margin is not None]
    tightest = min(margins, key=lambda finding: abs(finding.margin or 0.0), default=None)
    return {
        "charge": number,
        "charger": ruling.charge.charger,
        "outcome": ruling.outcome,
        "rule": ruling.rule,
        "shortest_roll": ruling.shortest_roll,
        "chance": None if ruling.chance_success is None else float(ruling.chance_success),
        "chance_fraction": None if ruling.chance_success is None else str(ruling.chance_success),
        "proof": ruling.proof,
        "tightest": None if tightest is None else tightest.rule,
        "margin": None if tightest is None else tightest.margin,
        **({"metrics": tidy(ruling.metrics)} if has_metrics else {}),
    }


def places_of(row: Row) -> Mapping[str, float]:
    """Return the displaced places and facings in a row by key; empty if nothing is displaced."""
    places: Mapping[str, float] = row.get("places", {})
    return places


def metrics_of(row: Row) -> Iterator[tuple[str, Any]]:
    """Yield (column, value) for the metrics of a row, except lists and tables, which do not fit into a column."""
    metrics: Mapping[str, Any] = row.get("metrics", {})
    return (
        (METRIC + name, value)
        for name, value in metrics.items()
        if not isinstance(value, (list, dict))
    )

"""Named questions about a scenario: what each varies, and how its results are reduced to an answer."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, Literal, cast

from tabletop.errors import ScenarioError, UsageError
from tabletop.exploring.grid import MOST_VALUES, Axis, Grid, board_axes, expect, expect_whole
from tabletop.exploring.jitter import JITTER_KEY, Jitter, accuracy_of, with_sides
from tabletop.exploring.key_paths import unit_key
from tabletop.exploring.survey import Survey
from tabletop.exploring.varied import VariedScenario
from tabletop.messages import nearest, quoted, say, word
from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables

Name = Literal["threat", "safe", "start", "jitter"]

QUESTIONS: tuple[Name, ...] = ("threat", "safe", "start", "jitter")

DEFAULT_JITTER = Jitter(0.1, 1.0)
"""Displacement of units where none is given."""

MOST_FACINGS = 360
"""Largest number of facings tried at a place."""

CHARGER = "charges.0.charger"
"""Key of the axis of enemies that may charge."""


@dataclass(frozen=True)
class Question:
    """A named question: what it moves, and how finely.

    Attributes
    ----------
    name
        `threat`, `safe`, `start` or `jitter`.
    unit
        Name of the unit that is moved over the board. Left out: the first charge's charger for `start`, else its first
        target.
    step
        Spacing in inches of the places tried.
    facings
        Number of facings tried at each place, evenly spaced from the unit's own.
    jitter
        Limits of the displacements for `jitter`.
    samples
        Number of displaced tables for `jitter`.

    Raises
    ------
    UsageError
        If no question has that name, or a number is out of range.
    TypeError
        If an argument has the wrong type.
    """

    name: Name
    unit: str | None = None
    step: float = 1.0
    facings: int = 1
    jitter: Jitter | None = None
    samples: int = 200

    def __post_init__(self) -> None:
        if self.name not in QUESTIONS:
            name = str(self.name)
            message = "--question {name}: no question is called so{hint} (there are: {known})"
            raise UsageError(
                message, name=name, hint=nearest(name, QUESTIONS), known=quoted(QUESTIONS)
            )
        expect("unit", self.unit, str, "the name of a unit", or_none=True)
        expect("step", self.step, Real, "inches")
        expect(
            "jitter",
            self.jitter,
            Jitter,
            "tabletop.exploring.jitter.Jitter(inches, degrees)",
            or_none=True,
        )
        expect_whole("facings", self.facings, 1, MOST_FACINGS)
        expect_whole("samples", self.samples, 1, MOST_VALUES)


def asked(question: Question, base: VariedScenario) -> tuple[VariedScenario, Grid]:
    """Return the scenario varied as a question asks, and the grid of its cases.

    `jitter` varies the number of the displaced table; the others vary the place of a unit on the board, perhaps its
    facing, and `safe` also the enemy that charges.

    Raises
    ------
    UsageError
        If the scenario has no charge, no unit of the given name, or for `safe` no enemy.
    ScenarioError
        If the file cannot be used wherever its units are placed.
    """
    case = case_as_it_stands(base.tables, base.overrides)
    if question.name == "jitter":
        measured = base.tables.get("accuracy")
        jitter = question.jitter or (DEFAULT_JITTER if measured is None else accuracy_of(measured))
        axes: tuple[Axis, ...] = (Axis(JITTER_KEY, range(question.samples + 1)),)
        return replace(base, keys=(JITTER_KEY,), jitter=with_sides(jitter, case.state)), Grid(axes)
    charges = base.tables.get("charges") or []
    if not charges or not isinstance(charges[0], dict):
        raise UsageError("the question is about a charge, but the file has no [[charges]]")
    charge = dict(charges[0])
    unit = _moved(question, charge, base.tables)
    axes = (
        *board_axes(unit, base.tables, step=question.step),
        *_facing_axes(unit, question.facings, base.tables),
    )
    tables = dict(base.tables)
    tables["charges"] = [charge if question.name != "safe" else {"charger": "", "targets": [unit]}]
    for key in ("proposal", "expect"):  # of other charges than the file's
        tables.pop(key, None)
    if question.name == "safe":
        units = base.tables["units"]
        found = tuple(
            name for name, other in units.items() if other.get("side") != units[unit].get("side")
        )
        if not found:
            raise UsageError("no unit on the table is an enemy of {unit}", unit=unit)
        axes = (*axes, Axis(CHARGER, found))
    grid = Grid(axes)
    return replace(base, tables=tables, keys=grid.keys), grid


def case_as_it_stands(tables: Mapping[str, Any], overrides: Sequence[str]) -> Case:
    """Return the case of a file's tables, even if its placement is impossible, since varied values may correct that.

    Raises
    ------
    ScenarioError
        If the file cannot be used wherever its units are placed.
    """
    try:
        return case_from_tables(tables, overrides=overrides)
    except ScenarioError as error:
        if error.case is None:
            raise
        return cast("Case", error.case)


def _moved(question: Question, charge: Mapping[str, Any], tables: Mapping[str, Any]) -> str:
    units = tables.get("units", {})
    unit = question.unit or (
        charge["charger"] if question.name == "start" else charge["targets"][0]
    )
    if unit not in units:
        message = "--unit {unit}: no unit is called so{hint} (units: {units})"
        raise UsageError(message, unit=unit, hint=nearest(unit, units), units=quoted(units))
    return str(unit)


def _facing_axes(unit: str, count: int, tables: Mapping[str, Any]) -> tuple[Axis, ...]:
    if count <= 1:
        return ()
    entry = tables["units"][unit]
    if "hex" in entry:
        return (Axis(unit_key(unit, "facing"), ("N", "NE", "SE", "S", "SW", "NW")),)
    first = entry.get("facing_deg", 0.0)
    if isinstance(first, list):
        raise UsageError(
            "--facings: the models of this unit face different ways, so it cannot be turned as one; leave --facings out"
        )
    return (
        Axis(
            unit_key(unit, "facing_deg"),
            tuple((first + 360.0 * number / count) % 360.0 for number in range(count)),
        ),
    )


def answered(question: Question, survey: Survey) -> Survey:
    """Return a survey reduced to one answer per place: the charger with the greatest chance, and the moved unit's best
    facing.

    The best facing has the greatest chance, or for `safe` the least. A survey of `jitter` is returned unchanged.
    """
    if question.name == "jitter":
        return survey
    if CHARGER in survey.axes:
        survey = survey.best(CHARGER, "chance")
    facing = next(
        (key for key in survey.axes if key.rpartition(".")[2] in ("facing_deg", "facing")), None
    )
    return (
        survey
        if facing is None
        else survey.best(facing, "chance", is_least=question.name == "safe")
    )


@dataclass(frozen=True)
class Steadiness:
    """How stable an answer is under small displacements.

    Attributes
    ----------
    verdict
        Outcome of the undisplaced table, with the deciding rule in parentheses if the charge fails or is not allowed.
    share
        Share, from 0 to 1, of the possible displaced tables with the same verdict; nan if no displaced table is
        possible.
    tried, invalid
        Number of displaced tables, and how many of them are impossible (models that overlap).
    changes
        Other verdicts with the share of tables that gave them, most frequent first.
    first_to_break
        The rule that changes the verdict most often; empty where nothing changes it.
    tightest
        Rule that decides on the undisplaced table, or else has the least margin there; empty if nothing was measured.
    """

    verdict: str
    share: float
    tried: int
    invalid: int
    changes: Mapping[str, float]
    first_to_break: str
    tightest: str


def steadiness(survey: Survey) -> Steadiness:
    """Return how stable an answer is, from the survey of a `jitter` question, whose first case is the undisplaced
    table.
    """
    rules = _words(survey, "rule")
    verdicts = [
        _verdict(outcome, rule)
        for outcome, rule in zip(_words(survey, "outcome"), rules, strict=True)
    ]
    tried = verdicts[1:]
    valid = [verdict for verdict in tried if verdict != "invalid"]
    counts = Counter(verdict for verdict in valid if verdict != verdicts[0])
    changes = {verdict: count / len(valid) for verdict, count in counts.most_common()}
    return Steadiness(
        verdicts[0],
        1.0 - sum(changes.values()) if valid else math.nan,
        len(tried),
        len(tried) - len(valid),
        changes,
        _first_to_break(rules, verdicts),
        rules[0] or _words(survey, "tightest")[0],
    )


def _words(survey: Survey, column: str) -> list[str]:
    """Return a text column of a survey as a list of strings; a numeric column, which means no texts at all, gives empty
    strings.
    """
    values = survey.column(column)
    return [""] * len(values) if values.dtype.kind == "f" else [str(value) for value in values]


def _verdict(outcome: str, rule: str) -> str:
    told = word(outcome)
    return (
        say("{outcome} ({rule})", outcome=told, rule=rule)
        if rule and outcome in ("failed", "not_allowed")
        else told
    )


def _first_to_break(rules: Sequence[str], verdicts: Sequence[str]) -> str:
    """Return the most frequent rule among the tables whose verdict differs from that of the undisplaced table, which is
    first.

    If none of them names a rule, return the rule of the undisplaced table; if no verdict differs, "". Tables that are
    invalid or without a verdict are ignored: for them the column holds the reason.
    """
    changed = [
        rule
        for rule, verdict in zip(rules, verdicts, strict=True)
        if verdict not in (verdicts[0], "invalid", "no_verdict")
    ]
    named = Counter(filter(None, changed))
    return named.most_common(1)[0][0] if named else rules[0] if changed else ""

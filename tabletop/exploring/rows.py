"""What is kept of each case: a row for each of its charges, plain values only; where everything stands a little off, where that is."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tabletop.asking import decided
from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.exploring.base import BaseScenario
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.scenario.writing import tidy

Row = dict[str, Any]
ANSWER = ("charge", "charger", "outcome", "rule", "shortest_roll", "chance", "chance_fraction", "proof", "tightest", "margin")
"""Columns between the varied keys and the metrics; `tightest` names the finding with the least margin, and `margin` gives it."""


def rows_of(base: BaseScenario, values: Sequence[Any]) -> list[Row]:
    """Resolve one case and give its rows; a scenario that cannot be is a row with the outcome `invalid`."""
    places = base.places(values)
    key: Row = {"key": base.key(values), **({"places": places} if places else {})}
    try:
        case = replace(base.case(values), measured=None)  # of a measured table the settled one: how sure each answer is, `resolve` says
        resolution = _resolved(case, base)
    except ScenarioError as error:
        return [{**key, "charge": 0, "outcome": "invalid", "rule": str(error.problems[0])}]
    except NoVerdictError as error:
        return [{**key, "charge": 0, "outcome": "no_verdict", "rule": str(error)}]
    return [{**key, **_answer(number, ruling)} for number, ruling in enumerate(resolution.rulings)]


def _resolved(case: Case, base: BaseScenario) -> Resolution:
    """Resolve a case; faces given for all cases may be left over where a charge may not be declared, which then rolls none."""
    try:
        return decided(case, dice=base.dice, seed=base.seed)
    except ScenarioError:
        if base.dice is None:
            raise
        resolution = decided(case, dice=base.dice, seed=base.seed, fill=True)
        if all(ruling.outcome != "not_allowed" for ruling in resolution.rulings):
            raise
        return resolution


def _answer(number: int, ruling: Ruling) -> Row:
    margins = [finding for finding in ruling.findings if finding.margin is not None]
    tightest = min(margins, key=lambda finding: abs(finding.margin or 0.0), default=None)
    return {
        "charge": number,
        "charger": ruling.charge.charger,
        "outcome": ruling.outcome,
        "rule": ruling.rule,
        "shortest_roll": ruling.shortest_roll,
        "chance": float(ruling.chance_success),
        "chance_fraction": str(ruling.chance_success),
        "proof": ruling.proof,
        "tightest": None if tightest is None else tightest.rule,
        "margin": None if tightest is None else tightest.margin,
        "metrics": tidy(ruling.metrics),
    }


def places_of(row: Row) -> Mapping[str, float]:
    """Give the columns of a row that tell where everything stands a little off."""
    places: Mapping[str, float] = row.get("places", {})
    return places


def metrics_of(row: Row) -> Iterator[tuple[str, Any]]:
    """Give the metrics of a row by column name; lists and tables are left to the single case."""
    metrics: Mapping[str, Any] = row.get("metrics", {})
    return ((f"metrics.{name}", value) for name, value in metrics.items() if not isinstance(value, (list, dict)))

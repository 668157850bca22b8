"""The output of `--json`: rulings, judgement, final table and odds as dicts."""

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tabletop.ruling.charge import Spot, Step
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.finding import Finding
from tabletop.ruling.odds import ChargeOdds, Odds, TotalOdds
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Decides, Judgement, Resolution, Ruling, SecondOpinion
from tabletop.scenario.cases import place_entry, scenario_of
from tabletop.scenario.writing import content, present, tidy


def result(case: Case, resolution: Resolution, judged: Judgement | None = None) -> dict[str, Any]:
    """Return the answer to a case as dicts and lists of plain values, as `--json` prints it: inches, degrees, keys in a
    fixed order.

    It holds the rulings, the judgement if there is one, and the table after all charges as the tables of a scenario
    file.
    """
    answer = {
        "format": 1,
        "system": case.system.name,
        "edition": case.edition,
        "title": case.title,
        "rulings": [ruling_entry(ruling, case) for ruling in resolution.rulings],
        **({} if judged is None else {"judged": judged_entry(judged, case)}),
        "after": content(scenario_of(case, state=resolution.after)),
    }
    entry: dict[str, Any] = tidy(answer)
    return entry


def ruling_entry(ruling: Ruling, case: Case) -> dict[str, Any]:
    """Return a ruling as a dict of plain values."""
    chance = ruling.chance_success
    return {
        "charger": ruling.charge.charger,
        "targets": list(ruling.charge.targets),
        "outcome": ruling.outcome,
        "rule": ruling.rule,
        **present(open=ruling.open),
        "shortest_roll": ruling.shortest_roll,
        **present(shortest_roll_range=ruling.shortest_roll_range),
        "chance_success": None if chance is None else float(chance),
        "chance_success_fraction": None if chance is None else str(chance),
        **_chance_range(ruling),
        "findings": [finding_entry(finding) for finding in ruling.findings],
        "metrics": dict(ruling.metrics),
        "steps": [step_entry(step, case) for step in ruling.steps],
        **present(choices=ruling.choices),
        "proof": ruling.proof,
        **(
            {}
            if ruling.second_opinion is None
            else {"second_opinion": opinion_entry(ruling.second_opinion, case)}
        ),
        **(
            {}
            if ruling.contrast is None
            else {"contrast": [contrast_entry(one, case) for one in ruling.contrast]}
        ),
    }


def _chance_range(told: Ruling | ChargeOdds) -> dict[str, Any]:
    """Return the entries for the range of the chance of success, as numbers and fractions; empty if it is proved and
    the table exact.
    """
    span = told.chance_success_range
    return (
        {}
        if span is None
        else {
            "chance_success_range": [*map(float, span)],
            "chance_success_range_fraction": [*map(str, span)],
        }
    )


def opinion_entry(opinion: SecondOpinion, case: Case) -> dict[str, Any]:
    """Return a second opinion as a dict of plain values."""
    return {
        "verdict": opinion.verdict,
        "goal": opinion.goal,
        "goals": {rule: list(values) for rule, values in opinion.goals.items()},
        "units": _places(opinion.units, case),
    }


def _places(units: Mapping[str, Any], case: Case) -> dict[str, Any]:
    """Return places of units, by name, as dicts."""
    return {name: place_entry(place, case) for name, place in units.items()}


def contrast_entry(contrast: Contrast, case: Case) -> dict[str, Any]:
    """Return a contrast as a dict, without the keys that do not apply."""
    finding = contrast.finding
    found = contrast.range
    parts = {
        "kind": contrast.kind,
        "rule": finding.rule,
        "text": finding.text,
        "units": _places(contrast.units, case),
        "measured": finding.measured,
        "limit": finding.limit,
        "margin": finding.margin,
        "goals": {rule: list(values) for rule, values in contrast.goals.items()},
        "range": None
        if found is None
        else {"unit": found.unit, "least": found.least, "greatest": found.greatest},
        "sum": [
            {"label": term.label, "value": term.value, "unit": term.unit} for term in contrast.terms
        ],
    }
    return {key: part for key, part in parts.items() if part is not None and part not in ({}, [])}


def finding_entry(finding: Finding) -> dict[str, Any]:
    """Return a finding as a dict of plain values, without those numbers that it does not have."""
    return present(
        rule=finding.rule,
        ok=finding.ok,
        measured=finding.measured,
        limit=finding.limit,
        margin=finding.margin,
        uncertainty=finding.uncertainty,
        open=True if finding.is_open else None,
        text=finding.text,
    )


def step_entry(step: Step, case: Case) -> dict[str, Any]:
    """Return a step of a move as a dict of plain values, lengths in inches and angles in degrees, without what it does
    not have.
    """
    parts = {
        "kind": step.kind,
        "unit": step.unit,
        "model": step.model,
        "from": None if step.start is None else _spot_entry(step.start, step.path[:1], case),
        "to": None if step.end is None else _spot_entry(step.end, step.path[-1:], case),
        "path": [list(spot) for spot in step.path] or None,
        "length": step.length,
        "angle_deg": None if step.angle is None else round(math.degrees(step.angle), 9),
        "pivot": step.pivot,
        "rules": step.rules,
        "text": step.text or None,
    }
    return present(**parts)


def _spot_entry(pose: Any, spot: tuple[Spot, ...], case: Case) -> dict[str, Any]:
    """Return the pose at the start or end of a step as a dict, with the height of a loose model that is above the
    table.

    `spot` is the point of the model's way there, if it has a way.
    """
    entry = place_entry(pose, case)
    return {**entry, "at": [*entry["at"], spot[0][2]]} if spot and spot[0][2] else entry


def judged_entry(judged: Judgement, case: Case) -> dict[str, Any]:
    """Return a judgement on claimed places as a dict of plain values."""
    return {
        "outcome": judged.outcome,
        "rule": judged.rule,
        **present(open=judged.open),
        "findings": [finding_entry(finding) for finding in judged.findings],
        **({"meant": _places(judged.meant, case)} if judged.meant else {}),
        **({"moved": dict(judged.moved)} if judged.moved else {}),
        **({} if judged.decides is None else {"decides": decides_entry(judged.decides)}),
        **({"better": _places(judged.better, case)} if judged.better else {}),
    }


def decides_entry(decides: Decides) -> dict[str, Any]:
    """Return what to measure again as a dict of plain values."""
    return present(
        rule=decides.rule,
        between=decides.between or None,
        measured=decides.measured,
        border=decides.border,
        text=decides.text,
    )


def odds_result(odds: Odds) -> dict[str, Any]:
    """Return the chances of all charges, as `tabletop odds --json` prints them: a list of odds, and the chances of
    joint outcomes.

    Chances are texts of fractions. A joint outcome has one outcome per charge in file order as its key, such as
    "success,failed".
    """
    joint = {",".join(row): str(chance) for row, chance in odds.joint.items() if row}
    return {"odds": [charge_odds_entry(one) for one in odds.charges], "joint": joint}


def charge_odds_entry(one: ChargeOdds) -> dict[str, Any]:
    """Return the odds of one charge as a dict of plain values; chances are texts of fractions."""
    return {
        "charger": one.charge.charger,
        "targets": list(one.charge.targets),
        "outcomes": _fractions(one.outcomes),
        "rules": _fractions(one.rules),
        "shortest_roll": one.shortest_roll,
        **present(shortest_roll_range=one.shortest_roll_range),
        **_chance_range(one),
        "by_total": [total_odds_entry(total) for total in one.by_total],
        **({"metrics": dict(one.metrics)} if one.metrics else {}),
    }


def total_odds_entry(one: TotalOdds) -> dict[str, Any]:
    """Return the odds of one total of a charge's dice as a dict: its chance, likeliest outcome, and the chance of each
    outcome with it.
    """
    possible = {outcome: chance for outcome, chance in one.outcomes.items() if chance}
    chance = {"chance": float(one.chance), "chance_fraction": str(one.chance)}
    return {"total": one.total, **chance, "outcome": one.outcome, "outcomes": _fractions(possible)}


def _fractions(chances: Mapping[Any, Fraction]) -> dict[str, str]:
    return {key: str(chance) for key, chance in chances.items()}

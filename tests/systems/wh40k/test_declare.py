"""Who may charge whom: eligibility, targets, and all reasons of a refusal."""

from fractions import Fraction
from typing import Any

import pytest

from systems.wh40k.roll import chance_at_least
from tabletop.api import resolve
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.scenario.reading import case_from_tables
from tests.systems.wh40k.tables import chances, ruling, table, unit, verdict

T6 = {"T": unit([(6, 0)])}


def found(one: Ruling, rule: str) -> Finding:
    """Return what a rule says."""
    return next(finding for finding in one.findings if finding.rule == f"wh40k.{rule}")


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ({"status": ["selected"]}, "phase.once"),
        ({"status": ["advanced"]}, "eligible.not-advanced"),
        ({"status": ["fell_back"]}, "eligible.not-fell-back"),
        ({"status": ["action"]}, "eligible.no-action"),
        ({"keywords": ["vehicle", "aircraft"]}, "eligible.not-aircraft"),
        ({"movement": "-"}, "eligible.can-move"),
    ],
)
def test_units_that_are_not_eligible(more: dict[str, Any], rule: str) -> None:
    """Each state alone forbids the charge by its own rule: nothing is rolled and nothing moves."""
    refused = ruling(unit([(0, 0)], **more), T6, dice=[6, 6])
    assert (refused.outcome, refused.rule) == ("not_allowed", f"wh40k.{rule}")
    assert not found(refused, rule).ok
    assert [step.kind for step in refused.steps] == ["declare"]
    assert refused.metrics["chance"] == 0
    assert refused.metrics["distance"] == pytest.approx(5.0)


def test_all_reasons_are_told() -> None:
    """A refusal lists every broken rule, and names the first of the page's order."""
    a = unit([(0, 0)], status=["advanced", "fell_back", "action"], movement="-")
    refused = ruling(a, {"T": unit([(20, 0)])}, dice=[6, 6])
    broken = [finding.rule.removeprefix("wh40k.") for finding in refused.findings if not finding.ok]
    assert broken == [
        "eligible.near",
        "eligible.not-advanced",
        "eligible.not-fell-back",
        "eligible.can-move",
        "eligible.no-action",
        "targets.range",
    ]
    assert refused.rule == "wh40k.eligible.near"


def test_targets_range_of_each_target() -> None:
    """Another enemy near by makes the unit eligible, but every target itself must be within 12."""
    others = {"N": unit([(5, 5)]), "T": unit([(14, 0)])}
    refused = ruling(unit([(0, 0)]), others, dice=[6, 6])
    assert refused.rule == "wh40k.targets.range"
    assert found(refused, "eligible.near").ok


@pytest.mark.parametrize(("beyond", "told"), [(0.003, "12.0030 in"), (0.006, "12.01 in")])
def test_a_distance_that_is_refused_never_reads_like_the_limit(beyond: float, told: str) -> None:
    """12.003 in is not written as 12.00, of which at most 12 are allowed."""
    refused = ruling(unit([(0, 0)]), {"T": unit([(13 + beyond, 0)])}, dice=[6, 6])
    for rule in ("eligible.near", "targets.range"):
        assert told in found(refused, rule).text


AIRCRAFT = {"T": unit([(6, 0)], keywords=["vehicle", "aircraft", "fly"])}


@pytest.mark.parametrize(
    ("keywords", "rules", "outcome"),
    [
        (["infantry"], {}, "not_allowed"),
        (["infantry"], {"aircraft_targets": "fly-only"}, "not_allowed"),
        (["infantry", "fly"], {}, "success"),
        (["infantry"], {"aircraft_targets": "any"}, "success"),
    ],
)
def test_targets_aircraft(keywords: list[str], rules: dict[str, Any], outcome: str) -> None:
    """Only what flies charges an Aircraft, unless the choice lets all; a claim and the chances go by the same limit."""
    a: dict[str, Any] = unit([(0, 0)], keywords=keywords)
    one = ruling(a, AIRCRAFT, total=5, rules=rules)
    assert (one.outcome, one.rule) == (
        outcome,
        "wh40k.targets.aircraft" if outcome == "not_allowed" else None,
    )
    asked = [finding.ok for finding in one.findings if finding.rule == "wh40k.targets.aircraft"]
    assert asked == ([] if rules.get("aircraft_targets") == "any" else [outcome == "success"])
    judged = verdict([(5, 0)], a, AIRCRAFT, total=5, rules=rules)
    assert (judged.outcome, judged.rule) == (one.outcome, one.rule)
    assert (chances(a, AIRCRAFT, rules=rules).outcomes.get("success", 0) > 0) is (
        outcome == "success"
    )
    if outcome == "not_allowed":
        ((rule, shown),) = one.decided.items()
        assert (rule, shown.at) == ("wh40k.targets.aircraft", (26.0, 20.0))


def test_targets_aircraft_of_several_targets() -> None:
    """One Aircraft among the targets is enough to refuse the charge; one that is not charged refuses nothing."""
    others = {**AIRCRAFT, "U": unit([(6, 2)])}
    assert (
        ruling(unit([(0, 0)]), others, targets=("U", "T"), dice=[6, 6]).rule
        == "wh40k.targets.aircraft"
    )
    assert (
        ruling(
            unit([(0, 0)]),
            {**others, "T": unit([(20, 0)], keywords=["aircraft"])},
            targets=("U",),
            dice=[6, 6],
        ).outcome
        == "success"
    )


def test_phase_once_in_one_file() -> None:
    """A unit that has charged, also without success, is not chosen again; one that was refused is."""
    tables = table(unit([(0, 0)]), T6, total=3)
    tables["charges"] = [tables["charges"][0], {"charger": "A", "targets": ["T"], "dice": [6, 6]}]
    first, second = resolve(case_from_tables(tables)).rulings
    assert (first.outcome, second.outcome, second.rule) == (
        "failed",
        "not_allowed",
        "wh40k.phase.once",
    )
    far = table(unit([(0, 0)]), {**T6, "U": unit([(15, 0)])}, targets=("U",), dice=[6, 6])
    far["charges"].append({"charger": "A", "targets": ["T"], "dice": [6, 6]})
    first, second = resolve(case_from_tables(far)).rulings
    assert (first.rule, second.outcome) == ("wh40k.targets.range", "success")


def test_phase_sequence() -> None:
    """One unit after another: the second finds the table as the first left it, but eligibility looks at how the phase
    began.
    """
    tables = table(unit([(0, 0)]), {**T6, "B": unit([(0, 4)], side="blue")}, total=5)
    tables["charges"].append({"charger": "B", "targets": ["T"], "dice": [6, 6]})
    first, second = resolve(case_from_tables(tables)).rulings
    assert [first.outcome, second.outcome] == ["success", "success"]
    assert found(first, "phase.sequence").ok
    after = resolve(case_from_tables(tables)).after
    assert set(after.units["A"].status) == {"selected", "fights_first"}
    assert found(second, "bonus.fights-first").ok


def test_targets_declared_and_sight() -> None:
    """Any number of enemy units may be named, seen or not."""
    walls = (
        {
            "name": "W",
            "kind": "impassable",
            "polygon": [[22, 10], [22.5, 10], [22.5, 30], [22, 30]],
        },
    )
    one = ruling(
        unit([(0, 0)]),
        {"T": unit([(6, 0)]), "U": unit([(6, 2)])},
        targets=("T", "U"),
        terrain=walls,
        dice=[1, 1],
    )
    assert one.outcome == "failed"
    assert found(one, "targets.declared").ok
    assert found(one, "targets.sight").ok


def test_measure_base_or_hull() -> None:
    """A hull is measured where there is no base."""
    hull = {
        "side": "red",
        "at": [[26.0, 20.0]],
        "hull": [[3, 0], [-3, 1], [-3, -1]],
        "facing_deg": 180,
    }
    one = ruling(unit([(0, 0)]), {"T": hull}, dice=[6, 6])
    assert one.metrics["distance"] == pytest.approx(2.5)
    assert found(one, "measure.base-or-hull").ok


def test_roll_2d6_and_charge_bonus() -> None:
    """Both dice count, and the bonus; the distance is never less than nothing."""
    assert ruling(unit([(0, 0)], charge_bonus=2), T6, dice=[1, 1]).metrics["charge_distance"] == 4
    assert ruling(unit([(0, 0)], charge_bonus=-12), T6, dice=[6, 5]).metrics["charge_distance"] == 0
    assert ruling(unit([(0, 0)], charge_bonus=2), T6, dice=[1, 1]).outcome == "success"


@pytest.mark.parametrize(
    ("reroll", "dice", "distance", "outcome"),
    [
        ("always", [6, 6, 1, 1], 2, "failed"),
        ("if_failed", [1, 1, 6, 6], 12, "success"),
        ("if_failed", [3, 3], 6, "success"),
        ("if_failed", [3, 3, 1, 1], 6, "success"),
    ],
)
def test_roll_reroll(reroll: str, dice: list[int], distance: int, outcome: str) -> None:
    """A re-roll takes both dice: always, or only where the first total is not enough; faces not needed are ignored."""
    one = ruling(unit([(0, 0)]), T6, reroll=reroll, dice=dice)
    assert (one.metrics["charge_distance"], one.outcome) == (distance, outcome)
    is_used = reroll == "always" or distance == 12
    assert ("reroll" in [step.kind for step in one.steps]) is is_used
    assert any(finding.rule == "wh40k.roll.reroll" for finding in one.findings) is is_used


@pytest.mark.parametrize(
    ("total", "ways"), list(enumerate((36, 36, 36, 35, 33, 30, 26, 21, 15, 10, 6, 3, 1, 0)))
)
def test_roll_2d6_chances(total: int, ways: int) -> None:
    """Of 36 throws so many reach a total, from what is reached always to what none reaches."""
    assert chance_at_least(total) == Fraction(ways, 36)

"""The metrics of rulings: their names, their kinds, and what they say of each other."""

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tabletop.api import resolve
from tabletop.ruling.verdict import Ruling
from tabletop.scenario import case_from_text
from tests.oracles.battletech.scenes import random_scene

ITEMS = (
    "piloting",
    "difference",
    "movement",
    "target_movement",
    "terrain",
    "prone",
    "immobile",
    "spotting",
    "unintentional",
    "other",
)
NUMBERS = {
    *(
        "distance_hexes",
        "hexes_entered",
        "mp_spent",
        "mp_available",
        "paths_legal",
        "best_paths",
        "tn",
        "roll",
        "damage_target",
    ),
    *(
        "damage_charger",
        "absorbed",
        "damage_through",
        "criticals_target",
        "criticals_charger",
        "building_cf",
        "entry_psr",
        "skid_limit",
    ),
    *(
        "fall_damage_charger",
        "fall_damage_target",
        "pilot_hits_charger",
        "pilot_hits_target",
        "skid_hexes",
        "skid_damage",
    ),
    *(f"to_hit_{item}" for item in ITEMS),
}
LENGTHS = {"distance_inches", "charger_x", "charger_y", "target_x", "target_y"}
WORDS = {
    "movement": {"walk", "run"},
    "side_target": {"front", "right", "rear", "left"},
    "table_target": {"mech", "kick", "vehicle"},
    "displacement": {"moved", "blocked", "none"},
    "blocked_reason": {"off_board", "prohibited", "too_high", "not_displaceable"},
}
NAMES = {"blocked_by"}
TRUTHS = {"entry_failed", "unintentional"}
LISTS = {
    *(
        "path_hexes",
        "option_hexes",
        "option_mp",
        "option_paths",
        "refusals",
        "groups_target",
        "groups_charger",
        "locations_target",
    ),
    *(
        "locations_charger",
        "motive_target",
        "motive_charger",
        "chain",
        "domino_psr",
        "miss_options",
        "psr_charger",
        "psr_target",
        "fell",
    ),
}
STEPS = {
    *(
        "stand_up",
        "turn",
        "enter",
        "building_roll",
        "weapon_roll",
        "fall",
        "skid",
        "to_hit",
        "damage",
        "motive",
        "displace",
        "step_out",
    ),
    *("advance", "miss", "psr", "pilot"),
}
SEEDS = range(300, 340)


@cache
def ruled(number: int) -> Ruling:
    """Resolve a random table, once."""
    return resolve(case_from_text(json.dumps(random_scene(number))), seed=number).rulings[0]


@pytest.mark.parametrize("number", SEEDS)
def test_metrics_are_those_of_the_page(number: int) -> None:
    """Every metric has a known name and is of its kind; chances come twice."""
    for key, value in ruled(number).metrics.items():
        if key.startswith(("p_", "expected_")):
            continue
        assert _is_of_its_kind(key, value), (key, value)


def _is_of_its_kind(key: str, value: Any) -> bool:
    kinds: list[tuple[bool, bool]] = [
        (key in NUMBERS, type(value) is int),
        (key in LENGTHS, type(value) is float),
        (key in WORDS, value in WORDS.get(key, ())),
        (key in NAMES, isinstance(value, str)),
        (key in TRUTHS, type(value) is bool),
        (key in LISTS, isinstance(value, list)),
    ]
    return any(is_known and is_right for is_known, is_right in kinds)


@pytest.mark.parametrize("number", SEEDS)
def test_chances_come_twice(number: int) -> None:
    """Every chance and every expectation is there as a number and as a reduced fraction of the same value."""
    metrics = ruled(number).metrics
    plain = {
        key
        for key in metrics
        if key.startswith(("p_", "expected_")) and not key.endswith("_fraction")
    }
    assert {f"{key}_fraction" for key in plain} == {
        key for key in metrics if key.endswith("_fraction")
    }
    for key in plain:
        text = metrics[f"{key}_fraction"]
        exact = Fraction(text)
        assert text == f"{exact.numerator}/{exact.denominator}"
        assert metrics[key] == pytest.approx(float(exact), abs=1e-12)
        assert exact >= 0
        assert exact <= 1 or key.startswith("expected_")


@pytest.mark.parametrize("number", SEEDS)
def test_metrics_agree_with_each_other(number: int) -> None:
    """Sums are sums, lists are as long as what they list, and moves are told where there were some."""
    found = ruled(number)
    metrics = found.metrics
    if "tn" in metrics:
        assert metrics["tn"] == sum(metrics[f"to_hit_{item}"] for item in ITEMS)
    if "groups_target" in metrics:
        assert sum(metrics["groups_target"]) == metrics.get(
            "damage_through", metrics["damage_target"]
        )
        assert len(metrics["locations_target"]) == len(metrics["groups_target"])
        assert sum(metrics["groups_charger"]) == metrics["damage_charger"]
    assert (
        ("blocked_reason" in metrics)
        is ("blocked_by" in metrics)
        is (metrics.get("displacement") == "blocked")
    )
    assert ("refusals" in metrics) is (found.outcome == "not_allowed")
    assert (found.outcome == "not_allowed") is ("displacement" not in metrics)


@pytest.mark.parametrize("number", SEEDS)
def test_steps_are_those_of_the_page(number: int) -> None:
    """Steps have known kinds and name rules."""
    steps = ruled(number).steps
    assert {step.kind for step in steps} <= STEPS
    assert all(step.rules for step in steps)


@pytest.mark.parametrize("number", SEEDS)
def test_findings_stand_in_the_order_of_the_rules(number: int) -> None:
    """The list of rules is the order of the findings, and the deciding rule is the first that is broken."""
    found = ruled(number)
    order = [rule.name for rule in case_from_text(json.dumps(random_scene(number))).system.rules]
    places = [order.index(finding.rule) for finding in found.findings]
    assert places == sorted(places)
    broken = [finding.rule for finding in found.findings if not finding.ok]
    assert broken[:1] == ([] if found.rule is None else [found.rule])

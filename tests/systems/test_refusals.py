"""Refusals say what the rule asks, beside the fact that breaks it; numbers that were compared stand beside the
sentence.
"""

import re
from pathlib import Path

import pytest

KEPT = Path(__file__).resolve().parents[1] / "golden"
BROKEN = re.compile(r"^ +NO  ([a-z0-9.-]+): (.*)$", re.MULTILINE)
ASKED = re.compile(r"\b(must|may|only|cannot)\b")
MEASURED = re.compile(r"\((measured|margin) ")
NUMBERS = re.compile(r"\(measured ([-.e\d]+), limit ([-.e\d]+), margin ([-.e\d]+)")
NOT_MADE = {"battletech.weapon.charger-fell", "battletech.weapon.target-fell"}
"""Rules whose breach is a procedure, so that the sentence says what follows from it."""


@pytest.mark.parametrize("system", ["battletech", "conquest", "t9a", "wh40k"])
def test_every_refusal_without_a_number_says_what_the_rule_asks(system: str) -> None:
    """Of all bundled scenarios: "A is done" alone does not tell a player why that matters."""
    found = [
        one
        for file in sorted(KEPT.glob(f"{system}/*.txt"))
        for one in BROKEN.findall(file.read_text("utf-8"))
    ]
    assert found
    assert [
        text
        for rule, text in found
        if not MEASURED.search(text) and rule not in NOT_MADE and not ASKED.search(text)
    ] == []


@pytest.mark.parametrize(
    "rule",
    [
        "conquest.wheel.free",
        "t9a.align.initial-contact",
        "t9a.unaligned.contact",
        "wh40k.path.vehicles",
        "wh40k.path.enemies",
        "wh40k.move.contact",
    ],
)
def test_what_was_measured_has_its_margin(rule: str) -> None:
    """Of all bundled scenarios: the measured value, its limit, and their difference, which is negative."""
    system = rule.partition(".")[0]
    found = [
        one
        for file in sorted(KEPT.glob(f"{system}/*.txt"))
        for one in BROKEN.findall(file.read_text("utf-8"))
    ]
    numbers = [NUMBERS.search(text) for name, text in found if name == rule]
    assert numbers
    for one in numbers:
        assert one is not None
        measured, limit, margin = map(float, one.groups())
        assert margin < 0.0
        assert abs(measured - limit) == pytest.approx(-margin, rel=1e-3)

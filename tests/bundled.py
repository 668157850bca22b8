"""The bundled scenarios of the four systems of this project, whatever else is installed, and which of them every run
asks.
"""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from tabletop.registry import BUILT_IN, scenarios

NAMES = tuple(name for system in BUILT_IN for name, _ in scenarios(system))

FOUR_A_GAME = (
    "t9a/wheel-and-align",
    "t9a/front-and-flank-at-a-corner",
    "t9a/judged-one-short",
    "t9a/three-reasons",
    "conquest/one-after-the-other",
    "conquest/judged-pushed-too-far",
    "conquest/mired-in-a-friend",
    "conquest/the-least-turn",
    "wh40k/onto-the-crate",
    "wh40k/judged-a-bystander-nudged",
    "wh40k/three-reasons-against",
    "wh40k/two-zones-that-never-meet",
    "battletech/straight-run",
    "battletech/judged-the-other-side",
    "battletech/stopped-by-a-hill",
    "battletech/second-in-the-queue",
)
"""Scenarios that differ much: several charges, a judged claim, a refusal, a failure, each of every game."""
FOUR = (
    "t9a/front-and-flank-at-a-corner",
    "conquest/judged-pushed-too-far",
    "wh40k/onto-the-crate",
    "battletech/second-in-the-queue",
)
"""One scenario a game: `make test` asks these what is asked of all."""

KEPT = Path(__file__).with_name("golden")
"""The printed ruling of every bundled scenario, in a file of its name."""
TOLD = re.compile(
    rf"\b(?:{'|'.join(BUILT_IN)})\.[a-z.-]*[a-z]|: (?:success|failed|not allowed|undecided)\b"
)
"""What a ruling tells: its outcomes and its rules."""


def _sample() -> frozenset[str]:
    """Return four scenarios and each whose kept ruling tells what that of none before it tells."""
    seen: set[str] = set()
    chosen = set(FOUR)
    for name in NAMES:
        file = KEPT / f"{name}.txt"
        text = file.read_text("utf-8") if file.exists() else name
        told = {f"{name.split('/')[0]} {words}" for words in TOLD.findall(text)}
        if not file.exists() or told - seen:
            chosen.add(name)
        seen |= told
    return frozenset(chosen)


SAMPLE = _sample()
"""Scenarios that together have every outcome and every rule of each game: `make rest` asks these what is asked of all,
`make test-all` the others.
"""


def marks_of(name: str, *, quick: Collection[str] = FOUR) -> list[pytest.MarkDecorator]:
    """Return the marks of what is asked of every scenario, where it is asked of this one.

    All that is asked of one scenario runs in the same process, which keeps the answers.
    """
    marks = [pytest.mark.xdist_group(name)]
    if name not in quick:
        marks.append(pytest.mark.slow)
        if name not in SAMPLE:
            marks.append(pytest.mark.long)
    return marks


def each_of(some: Sequence[str], *, quick: Collection[str] = FOUR) -> pytest.MarkDecorator:
    """Ask a test of some scenarios, of more than a few by `make test` only of the `quick` ones."""
    few = some if len(some) <= len(FOUR) else quick
    return pytest.mark.parametrize(
        "name", [pytest.param(name, marks=marks_of(name, quick=few)) for name in some]
    )


EACH = each_of(NAMES)
EACH_ALWAYS = each_of(NAMES, quick=NAMES)
"""All scenarios, by `make test` too: for the rulings themselves alone."""


def scenario_of(item: pytest.Item) -> str | None:
    """Return the bundled scenario that a case of a test is about, None where it is about none."""
    given = getattr(item, "callspec", None)
    for value in () if given is None else given.params.values():
        name = getattr(value, "scenario", value)
        if isinstance(name, str) and name in NAMES:
            return name
    return None

"""The bundled scenarios of the four systems of this project, whatever else is installed, and which of them every run
asks.
"""

from collections.abc import Collection, Sequence

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
"""One scenario a game: what is asked of all scenarios is asked of these by `make test`, of the others by
`make test-all`."""


def each_of(some: Sequence[str], *, quick: Collection[str] = FOUR) -> pytest.MarkDecorator:
    """Ask a test of some scenarios, of more than a few by `make test` only of the `quick` ones.

    All that is asked of one scenario runs in the same process, which keeps the answers.
    """
    few = some if len(some) <= len(FOUR) else quick
    slow = {name: () if name in few else (pytest.mark.slow,) for name in some}
    return pytest.mark.parametrize(
        "name",
        [pytest.param(name, marks=[pytest.mark.xdist_group(name), *slow[name]]) for name in some],
    )


EACH = each_of(NAMES)
EACH_ALWAYS = each_of(NAMES, quick=NAMES)
"""All scenarios, by `make test` too: for what is quick and holds the rulings themselves."""

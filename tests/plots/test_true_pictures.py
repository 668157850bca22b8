"""What the pictures of all bundled scenarios show is so, asked of their marks by geometry."""

from collections import defaultdict

import pytest

from plots.layout.page import PlacedPanel
from plots.marks.mark import Printed
from plots.marks.panels import View
from tests.bundled import EACH
from tests.plots.pages import page_of

NUMBERS = ("number", "number_light", "count")
VIEWS = pytest.mark.parametrize("view", ["charge", "steps"])

CLEAR = 0.12
"""Inches from a panel's edge from which a number beside it has room."""


def unprinted(shown: PlacedPanel) -> dict[str, tuple[int, int]]:
    """Return of each unit how many bodies within a panel have numbers to show, and how many show them."""
    printed = {one.mark.id: {word for word, _ in one.words} for one in shown.printed}
    found: dict[str, list[bool]] = defaultdict(list)
    for mark in shown.panel.marks:
        if isinstance(mark, Printed) and mark.role in NUMBERS:
            for at, word, _ in mark.words:
                x, y = shown.frame.to_panel(at)
                if CLEAR < x < shown.frame.width - CLEAR and CLEAR < y < shown.frame.height - CLEAR:
                    found[mark.owner].append(word in printed.get(mark.id, ()))
    return {owner: (len(seen), sum(seen)) for owner, seen in found.items()}


@VIEWS
@EACH
def test_bodies_of_a_unit_are_numbered_all_or_none(name: str, view: View) -> None:
    """No disc is blank beside numbered ones, whatever the scale; what lies beyond the panel's edge does not count."""
    for shown in page_of(name, view).shown:
        for owner, (bodies, numbers) in unprinted(shown).items():
            assert numbers in (0, bodies), (shown.panel.name, owner)


@pytest.mark.parametrize(("name", "view", "counts"), [("t9a/out-of-the-corridor", "charge", 14), ("wh40k/ten-against-ten", "steps", 10)])
def test_two_digits_have_room_where_a_base_has(name: str, view: View, counts: int) -> None:
    """Fourteen models in contact, seven with each charger, are all counted; ten loose models all have their numbers."""
    told = [unprinted(shown) for shown in page_of(name, view).shown]
    assert any(pair == (counts, counts) for one in told for pair in one.values())


def test_each_goal_counts_its_own_models() -> None:
    """What stands with a tick is what the numbers count: seven models of the one charger, seven of the other."""
    after = page_of("t9a/out-of-the-corridor").shown[-1]
    words = [word for one in after.printed if one.mark.role == "count" for word, _ in one.words]
    assert sorted(words) == sorted([*map(str, range(1, 8)), *map(str, range(1, 8))])

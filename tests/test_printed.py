"""Places copied from what is printed, to four decimals: the judge accepts whatever the program itself did, however the
table lies.
"""

import pytest

from tabletop.testing.answers import resolved
from tests.bundled import EACH
from tests.oracles.printed import complaints, refused

IN_EVERY_RUN = {
    "t9a": (6, 13, 14, 36, 93, 123, 148, 189),
    "t9a-combined": (3, 7),
    "conquest": (1, 2, 5, 8),
    "wh40k": (9, 12, 13, 16, 23),
    "battletech": tuple(range(20)),
}
"""Random tables, most of which end where something only just fits."""


@pytest.mark.parametrize(
    ("game", "number"),
    [(game, number) for game, numbers in IN_EVERY_RUN.items() for number in numbers],
)
def test_printed_places_are_right(game: str, number: int) -> None:
    """All units together, and each charger alone, may stand where they are said to."""
    assert refused(game, number) == []


@EACH
def test_printed_places_of_bundled_scenarios_are_right(name: str) -> None:
    """The same of every bundled scenario."""
    assert list(complaints(*resolved(name))) == []

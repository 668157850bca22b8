"""What a figure says of a charge's range: the shortest line between the two units."""

import pytest

from tests.systems.wh40k.tables import SHIFT, ruling, unit


def test_the_range_is_drawn_between_the_nearest_bases() -> None:
    """From base to base along the line between the middles of the nearest two models, here 3 to 4 to 5."""
    charge = ruling(unit([(0, 0), (-2, 0)]), {"T": unit([(6, 8), (9, 8)])}, total=12)
    line = charge.evidence.dimensions[0]
    assert [value - SHIFT for value in (*line.start, *line.end)] == pytest.approx([0.3, 0.4, 5.7, 7.6])


def test_the_range_is_drawn_from_the_wider_base_where_that_is_nearer() -> None:
    """Of a base of 4 in with its middle farther off and one of 1 in the wider is 4.5 in from its target, the other 5 in."""
    models = [{"at": [SHIFT, SHIFT], "base": "25.4mm round"}, {"at": [SHIFT + 6.0, SHIFT + 7.0], "base": "101.6mm round"}]
    charge = ruling({"models": models}, {"T": unit([(6, 0)])}, total=12)
    line = charge.evidence.dimensions[0]
    assert [value - SHIFT for value in (*line.start, *line.end)] == pytest.approx([6.0, 5.0, 6.0, 0.5])

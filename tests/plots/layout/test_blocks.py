"""Dice are drawn as they lie: as many pips as the face says, those that do not count pale, and what they make behind
them.
"""

import pytest

from plots.layout.blocks import DIE_GAP, DIE_SIDE, dice_row, dice_width
from plots.marks.mark import Rings
from tabletop.ruling.evidence import Dice


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_has_as_many_pips_as_its_face(face: int) -> None:
    """They lie within the die, and mirrored through its middle."""
    row = dice_row(Dice((face,), "= 7 in"), "dice").at(1.0, 2.0)
    die, pips = row.marks
    (words,) = row.words
    assert isinstance(die, Rings)
    assert isinstance(pips, Rings)
    assert len(pips.rings) == face
    middles = sorted(
        (sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring))
        for ring in pips.rings
    )
    assert all(1.0 < x < 1.0 + DIE_SIDE and 2.0 < y < 2.0 + DIE_SIDE for x, y in middles)
    mirrored = sorted((2.0 + DIE_SIDE - x, 4.0 + DIE_SIDE - y) for x, y in middles)
    assert [part for place in middles for part in place] == pytest.approx(
        [part for place in mirrored for part in place]
    )
    assert words.text == "= 7 in"


def test_dice_that_do_not_count_come_first_and_are_pale() -> None:
    """Of two dice of which the higher counts the lower one is pale; the width holds dice and words."""
    dice = Dice((6,), "+ 4 = 10 in", ignored=(2,))
    row = dice_row(dice, "dice")
    marks = row.marks
    (words,) = row.words
    assert [mark.role for mark in marks] == ["die_ignored", "pip_ignored", "die", "pip"]
    assert words.at[0] == pytest.approx(2 * (DIE_SIDE + DIE_GAP))
    assert dice_width(dice) > words.at[0]


def test_a_die_of_other_than_six_sides_has_its_number() -> None:
    """It stands on a corner, with the face written in its middle, one or two digits."""
    row = dice_row(Dice((4, 20), "24", sides=20), "dice").at(1.0, 2.0)
    marks = row.marks
    first, second, words = row.words
    assert all(isinstance(mark, Rings) and len(mark.rings[0]) == 6 for mark in marks)
    assert [first.text, second.text, words.text] == ["4", "20", "24"]
    assert [first.at[0], second.at[0]] == pytest.approx(
        [1.0 + DIE_SIDE / 2, 1.0 + DIE_SIDE / 2 + DIE_SIDE + DIE_GAP]
    )

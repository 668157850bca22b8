"""What decided is in the picture: every bundled scenario has a mark with words for the rule that its verdict names."""

import shapely

from plots.marks.captions import headline
from plots.marks.deciding import deciding_marks
from plots.marks.mark import Label, LinesMark
from tabletop.testing.answers import resolved
from tests.bundled import EACH


@EACH
def test_the_deciding_rule_has_a_mark(name: str) -> None:
    """Each charge that is refused or fails is shown why, before it moves or after; each that completes what it reached."""
    for ruling in resolved(name)[1].rulings:
        shown = [*deciding_marks(ruling, "before", "before"), *deciding_marks(ruling, "after", "after")]
        words = [mark.text for mark in shown if isinstance(mark, Label)]
        assert words, ruling.rule


def test_the_line_that_an_unaligned_front_must_not_pass_is_drawn() -> None:
    """It runs on past both ends of the facing charged, in the look of what decides; the models in contact stay the headline."""
    (ruling,) = resolved("t9a/slot-too-narrow")[1].rulings
    (line,) = [mark for mark in deciding_marks(ruling, "before", "before") if mark.role == "deciding"]
    assert isinstance(line, LinesMark)
    assert ruling.evidence.facing is not None
    (drawn,) = map(shapely.LineString, line.lines)
    assert max(drawn.distance(shapely.Point(end)) for end in ruling.evidence.facing) < 1e-9
    assert drawn.length > 2 * shapely.LineString(ruling.evidence.facing).length
    assert headline(ruling) == "1 model of B in contact"

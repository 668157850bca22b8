"""What decided is in the picture: every bundled scenario has a mark with words for the rule that its verdict names."""

from plots.marks.limits import deciding_marks
from plots.marks.mark import Label
from tests.bundled import EACH, resolved

GOALS = {"conquest", "t9a"}
"""Games whose successes show the goal that was served."""


@EACH
def test_the_deciding_rule_has_a_mark(name: str) -> None:
    """Each charge that is refused or fails is shown why, before it moves or after; each that completes what it reached."""
    for ruling in resolved(name)[1].rulings:
        shown = [*deciding_marks(ruling, "before", "before"), *deciding_marks(ruling, "after", "after")]
        words = [mark.text for mark in shown if isinstance(mark, Label)]
        if ruling.outcome != "success" or name.partition("/")[0] in GOALS:
            assert words, ruling.rule

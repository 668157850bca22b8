"""What decided is in the picture: a mark with words for the rule that the verdict names, limits at their distance, and
nothing else.
"""

import math
import re
from dataclasses import replace

import pytest
import shapely

from plots.marks.captions import headline
from plots.marks.deciding import TICK, deciding_marks, open_marks
from plots.marks.mark import Label, Lines
from tabletop.ruling.charge import Charge
from tabletop.ruling.evidence import Dimension, Evidence, Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.testing.answers import resolved
from tests.bundled import EACH


@EACH
def test_the_deciding_rule_has_a_mark(name: str) -> None:
    """Each charge that is refused or fails is shown why, before it moves or after; each that completes what it reached.

    One that cannot be told at its accuracy is shown where it turns, and nothing that would tell it all the same.
    """
    for ruling in resolved(name)[1].rulings:
        shown = [*deciding_marks(ruling, "before"), *deciding_marks(ruling, "after")]
        turning = [mark.text for mark in open_marks(ruling) if isinstance(mark, Label)]
        words = [mark.text for mark in shown if isinstance(mark, Label)]
        assert turning if ruling.open else words, ruling.rule
        assert not (turning and words)


def test_two_rules_that_ask_for_the_same_length_are_drawn_once() -> None:
    """wh40k.eligible.near and wh40k.targets.range: D is 0.74 in short of its only enemy and target."""
    last = resolved("wh40k/three-that-never-charge")[1].rulings[-1]
    assert len([finding for finding in last.findings if not finding.ok]) == 2
    assert len([mark for mark in deciding_marks(last, "before") if isinstance(mark, Label)]) == 1


def test_the_line_that_an_unaligned_front_must_not_pass_is_drawn() -> None:
    """It runs on past both ends of the facing charged, in the look of a limit; the models in contact stay the
    headline.
    """
    (ruling,) = resolved("t9a/slot-too-narrow")[1].rulings
    (line,) = [mark for mark in deciding_marks(ruling, "before") if mark.role == "limit"]
    assert isinstance(line, Lines)
    assert ruling.evidence.facing is not None
    (drawn,) = map(shapely.LineString, line.lines)
    assert max(drawn.distance(shapely.Point(end)) for end in ruling.evidence.facing) < 1e-9
    assert drawn.length > 2 * shapely.LineString(ruling.evidence.facing).length
    assert re.match(r"1 model of B\b.*\b26\.58°", headline(ruling))


AHEAD = Dimension((10.0, 5.0), (10.0, 15.0), "10.00 in")


def ruling(*findings: Finding, dimension: Dimension = AHEAD) -> Ruling:
    """Make a failed charge with findings and a length."""
    evidence = Evidence(dimensions=(dimension,))
    return Ruling(
        Charge("A", ("B",)),
        "failed",
        "",
        rule=findings[0].rule,
        findings=findings,
        evidence=evidence,
    )


@pytest.mark.parametrize(("measured", "limit"), [(6.0, 10.0), (10.0, 6.0)])
def test_a_limit_lies_where_the_length_might_end(measured: float, limit: float) -> None:
    """Whichever of the two is the length drawn, the arc is where the other ends; the rest of the line is missing."""
    found = ruling(
        Finding("game.range", ok=False, text="", measured=measured, limit=limit, line=AHEAD)
    )
    arc, missing, label = deciding_marks(found, "before")
    assert isinstance(arc, Lines)
    assert isinstance(missing, Lines)
    assert isinstance(label, Label)
    assert [math.dist(point, AHEAD.start) for point in arc.lines[0]] == pytest.approx(
        [6.0] * len(arc.lines[0])
    )
    assert arc.lines[0][len(arc.lines[0]) // 2] == pytest.approx((10.0, 11.0))
    assert missing.lines[0][0] == pytest.approx((10.0, 11.0))
    assert missing.lines[0][1] == AHEAD.end
    assert label.text.startswith("4\N{NO-BREAK SPACE}in ")


@pytest.mark.parametrize(
    "finding",
    [
        Finding("game.range", ok=True, text="", measured=6.0, limit=10.0, line=AHEAD),
        Finding("game.range", ok=False, text="", measured=6.0, limit=9.5, margin=-3.5),
        Finding("game.range", ok=False, text=""),
        Finding("game.range", ok=False, text="", measured=10.0, limit=10.0, line=AHEAD),
        Finding("game.dice", ok=False, text="", measured=0.0, limit=10.0, line=AHEAD),
    ],
)
def test_no_limit_where_none_is_broken_along_a_length(finding: Finding) -> None:
    """Rules that are kept, that measure something else or nothing, leave no arc."""
    assert deciding_marks(ruling(finding), "before") == ()


def test_no_limit_on_a_length_of_the_end() -> None:
    """A length measured after the charge has no limit before it."""
    after = replace(AHEAD, stage="after")
    finding = Finding("game.range", ok=False, text="", measured=6.0, limit=10.0, line=after)
    assert deciding_marks(ruling(finding, dimension=after), "before") == ()


def test_several_reasons_are_numbered_the_one_that_decides_first() -> None:
    """What a system shows at a place stands beside a length that is too short; a success shows its goal without a
    number.
    """
    shaken = Finding("game.shaken", ok=False, text="", mark=Mark("shaken", (10.0, 5.0)))
    refused = replace(
        ruling(
            Finding("game.range", ok=False, text="", measured=6.0, limit=10.0, line=AHEAD), shaken
        ),
        rule="game.shaken",
    )
    first, second = (mark for mark in deciding_marks(refused, "before") if isinstance(mark, Label))
    assert (first.key, first.text, second.key) == (1, "shaken", 2)
    assert second.text.startswith("4\N{NO-BREAK SPACE}in ")
    served = replace(shaken, ok=True, mark=Mark("shaken", (10.0, 5.0), stage="after"))
    done = replace(refused, outcome="success", rule=None, findings=(served,))
    assert [mark.text for mark in deciding_marks(done, "after") if isinstance(mark, Label)] == [
        f"{TICK}shaken"
    ]

"""What forbids is shown where it does: limits at their distance, and nothing else."""

import math
from dataclasses import replace

import pytest

from plots.marks.limits import limit_marks
from plots.marks.mark import Label, LineMark
from tabletop.ruling.charge import Charge
from tabletop.ruling.evidence import Dimension, Evidence
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling

AHEAD = Dimension((10.0, 5.0), (10.0, 15.0), "10.00 in")


def ruling(*findings: Finding, dimension: Dimension = AHEAD) -> Ruling:
    """Make a failed charge with findings and a length."""
    return Ruling(Charge("A", ("B",)), "failed", "", findings=findings, evidence=Evidence(dimensions=(dimension,)))


@pytest.mark.parametrize(("measured", "limit"), [(6.0, 10.0), (10.0, 6.0)])
def test_a_limit_lies_where_the_length_might_end(measured: float, limit: float) -> None:
    """Whichever of the two is the length drawn, all of the arc is the other from where the length begins, and its margin is told."""
    arc, label = limit_marks(ruling(Finding("game.range", ok=False, text="", measured=measured, limit=limit, margin=-4.0)), "before")
    assert isinstance(arc, LineMark)
    assert isinstance(label, Label)
    assert [math.dist(point, AHEAD.start) for point in arc.points] == pytest.approx([6.0] * len(arc.points))
    assert arc.points[len(arc.points) // 2] == pytest.approx((10.0, 11.0))
    assert label.text == "6\N{NO-BREAK SPACE}in: \N{MINUS SIGN}4"


@pytest.mark.parametrize(
    "finding",
    [
        Finding("game.range", ok=True, text="", measured=6.0, limit=10.0, margin=4.0),
        Finding("game.range", ok=False, text="", measured=6.0, limit=9.5, margin=-3.5),
        Finding("game.range", ok=False, text=""),
        Finding("game.range", ok=False, text="", measured=10.0, limit=10.0, margin=0.0),
        Finding("game.dice", ok=False, text="", measured=0.0, limit=10.0, margin=-10.0),
    ],
)
def test_no_limit_where_none_is_broken_along_a_length(finding: Finding) -> None:
    """Rules that are kept, that measure something else or nothing, leave no arc."""
    assert limit_marks(ruling(finding), "before") == ()


def test_no_limit_on_a_length_of_the_end() -> None:
    """A length measured after the charge has no limit before it."""
    finding = Finding("game.range", ok=False, text="", measured=6.0, limit=10.0)
    assert limit_marks(ruling(finding, dimension=replace(AHEAD, stage="after")), "before") == ()

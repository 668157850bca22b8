"""What forbids is shown where it does: limits at their distance, overlaps as deep as the rule measures, and nothing else."""

import math
from dataclasses import replace

import pytest
import shapely

from plots.marks.limits import deciding_marks, overlap_marks
from plots.marks.mark import Area, Label, LineMark, LinesMark
from tabletop.ruling.charge import Charge
from tabletop.ruling.evidence import Deciding, Dimension, Evidence
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Judgement, Ruling
from tabletop.table.state import Terrain
from tests.plots import loose
from tests.plots.scenes import charge_resolution

AHEAD = Dimension((10.0, 5.0), (10.0, 15.0), "10.00 in")


def ruling(*findings: Finding, dimension: Dimension = AHEAD) -> Ruling:
    """Make a failed charge with findings and a length."""
    evidence = Evidence(dimensions=(dimension,))
    return Ruling(Charge("A", ("B",)), "failed", "", rule=findings[0].rule, findings=findings, evidence=evidence)


@pytest.mark.parametrize(("measured", "limit"), [(6.0, 10.0), (10.0, 6.0)])
def test_a_limit_lies_where_the_length_might_end(measured: float, limit: float) -> None:
    """Whichever of the two is the length drawn, the arc is where the other ends; the rest of the line is missing."""
    found = ruling(Finding("game.range", ok=False, text="", measured=measured, limit=limit, margin=-4.0))
    arc, missing, label = deciding_marks(found, "before", "before")
    assert isinstance(arc, LineMark)
    assert isinstance(missing, LinesMark)
    assert isinstance(label, Label)
    assert [math.dist(point, AHEAD.start) for point in arc.points] == pytest.approx([6.0] * len(arc.points))
    assert arc.points[len(arc.points) // 2] == pytest.approx((10.0, 11.0))
    assert missing.lines[0][0] == pytest.approx((10.0, 11.0))
    assert missing.lines[0][1] == AHEAD.end
    assert label.text == "4\N{NO-BREAK SPACE}in short"


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
    assert deciding_marks(ruling(finding), "before", "before") == ()


def test_no_limit_on_a_length_of_the_end() -> None:
    """A length measured after the charge has no limit before it."""
    finding = Finding("game.range", ok=False, text="", measured=6.0, limit=10.0)
    assert deciding_marks(ruling(finding, dimension=replace(AHEAD, stage="after")), "before", "before") == ()


def test_several_reasons_are_numbered_the_one_that_decides_first() -> None:
    """What a system shows at a place stands beside a length that is too short; a success shows its goal without a number."""
    shaken = Deciding("game.shaken", "shaken", (10.0, 5.0))
    findings = (Finding("game.range", ok=False, text="", measured=6.0, limit=10.0), Finding("game.shaken", ok=False, text=""))
    refused = replace(ruling(*findings), rule="game.shaken")
    refused = replace(refused, evidence=replace(refused.evidence, deciding=(shaken,)))
    words = [mark.text for mark in deciding_marks(refused, "before", "before") if isinstance(mark, Label)]
    assert words == ["\N{CIRCLED DIGIT ONE} shaken", "\N{CIRCLED DIGIT TWO} 4\N{NO-BREAK SPACE}in short"]
    done = replace(refused, outcome="success", rule=None, evidence=replace(refused.evidence, deciding=(replace(shaken, stage="after"),)))
    assert [mark.text for mark in deciding_marks(done, "after", "after") if isinstance(mark, Label)] == ["shaken"]


def judgement(depth: float | None, rule: str = "game.space") -> Judgement:
    """Make a verdict that a rule is broken by a depth."""
    finding = Finding(rule, ok=False, text="", measured=None if depth is None else -depth, limit=0.0)
    return Judgement("not_allowed", "game.space", (finding,), "")


def test_an_overlap_that_decides_is_hatched_and_crossed() -> None:
    """The area is what both cover, and a cross stands in it."""
    after = charge_resolution().after
    pose = after.units["A"].pose
    pushed = after.with_unit(after.units["A"].at(pose.advanced(0.4)))
    area, cross = overlap_marks(pushed, ("A",), judgement(0.4), "proposed")
    assert isinstance(area, Area)
    shared = shapely.intersection(pushed.units["A"].boundary.core, pushed.units["B"].boundary.core)
    assert sum(shapely.Polygon(ring).area for ring in area.rings) == pytest.approx(shared.area)
    assert cross.role == "forbidden"


def test_an_overlap_of_loose_models_and_of_terrain_is_found() -> None:
    """Bases lie over bases, and over pieces of terrain, by the depth that is measured."""
    first = loose.squad("A", "blue", ((10.0, 10.0),))
    state = replace(loose.charge_resolution().before, units={}, terrain=())
    second = loose.squad("B", "red", ((11.0, 10.0),))
    both = state.with_unit(first).with_unit(second)
    radius = (first.models[0].footprint.bounds[2] - first.models[0].footprint.bounds[0]) / 2
    assert len(overlap_marks(both, ("A",), judgement(2 * radius - 1.0), "proposed")) == 2
    rock = Terrain("Rock", "impassable", second.models[0].footprint)
    assert len(overlap_marks(replace(state.with_unit(first), terrain=(rock,)), ("A",), judgement(2 * radius - 1.0), "proposed")) == 2


@pytest.mark.parametrize("depth", [None, 0.1, -0.4])
def test_other_overlaps_are_not_forbidden(depth: float | None) -> None:
    """What no broken rule measures, such as a unit in a wood, is not hatched."""
    after = charge_resolution().after
    pose = after.units["A"].pose
    pushed = after.with_unit(after.units["A"].at(pose.advanced(0.4)))
    assert overlap_marks(pushed, ("A",), judgement(depth), "proposed") == ()
    assert overlap_marks(pushed, ("A",), judgement(0.4, rule="game.other"), "proposed") == ()

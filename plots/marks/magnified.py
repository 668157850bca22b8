"""What is too small to be seen: a gap of less than a tenth of an inch that decides is shown magnified."""

import math

import shapely

from plots.marks.evidence import region
from plots.marks.language import Language
from plots.marks.limits import Shortfall, deciding
from plots.marks.mark import Magnifier
from plots.marks.measures import small
from tabletop.geometry.pose import Point
from tabletop.ruling.evidence import Deciding, Stage
from tabletop.ruling.verdict import Ruling

SMALL, AROUND, SHOWN = 0.1, 2.5, 0.5
"""Inches up to which a gap is magnified, how many gaps there are from the middle of the magnified piece to its edge, and the inches of
the table's scale that the gap then takes."""
LEAST = 1e-9


def magnifiers(ruling: Ruling, prefix: str, stage: Stage, language: Language) -> tuple[Magnifier, ...]:
    """Magnify where what decided is smaller than can be seen, with its length in inches."""
    reasons, goals = deciding(ruling)
    made = []
    for place, one in enumerate((*reasons, *goals)):
        found = _gap(one, ruling) if stage == (one.stage if isinstance(one, Deciding) else "before") else None
        if found is not None and LEAST < found[1] < SMALL:
            at, gap = found
            name = f"{prefix}.deciding.{place + 1}.magnifier"
            made.append(Magnifier(name, "magnifier", at, AROUND * gap, SHOWN / gap, language.written(small(gap))))
    return tuple(made)


def _gap(one: Deciding | Shortfall, ruling: Ruling) -> tuple[Point, float] | None:
    """Give the middle and the length of what is missing, of the shortest line, or of the gap that was measured where a place is marked."""
    if isinstance(one, Shortfall):
        start, end, share = one.dimension.start, one.dimension.end, one.missing / math.dist(one.dimension.start, one.dimension.end) / 2
        return (end[0] + share * (start[0] - end[0]), end[1] + share * (start[1] - end[1])), one.missing
    if one.lines:
        start, end = min(one.lines, key=lambda line: math.dist(*line))
        return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), math.dist(start, end)
    measured = next((finding.measured for finding in ruling.findings if finding.rule == one.rule and not finding.ok), None)
    is_marked = any(shapely.distance(shapely.centroid(region(area)), shapely.Point(one.at)) < SMALL for area in one.areas)
    return (one.at, abs(measured)) if is_marked and measured is not None else None

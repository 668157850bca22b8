"""What a measured table shows of its measuring: where things were measured to lie, and the band within which a rule may turn."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from plots.marks.language import ENGLISH, Language
from plots.marks.limits import SAME, arc
from plots.marks.mark import Area, Label, LineMark, LinesMark, Mark, Points, points
from plots.marks.measures import number
from tabletop.geometry.shape import Shape
from tabletop.ruling.evidence import Dimension
from tabletop.ruling.finding import Finding
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Ruling
from tabletop.settling.bodies import bodies_of
from tabletop.table.accuracy import Measured
from tabletop.table.state import State

SEEN = 0.02
"""Inches: what was moved by less is not seen."""


def measured_marks(case: Case | None, prefix: str) -> tuple[Mark, ...]:
    """Draw thinly where the bodies were measured that were moved to settle the table."""
    if case is None or case.settled is None:
        return ()
    moved = {
        (shift.name, shift.number) for shift in case.settled.shifts if math.hypot(shift.x, shift.y) >= SEEN or abs(shift.turn) * 5 >= SEEN
    }
    rings = tuple(_ring(body.shape) for body in bodies_of(case.settled.measured, Measured()) if (body.name, body.number) in moved)
    return (LinesMark(f"{prefix}.measured", "measured", rings),) if rings else ()


def claim_marks(claimed: State[Any], judgement: Judgement, prefix: str) -> tuple[Mark, ...]:
    """Draw thinly where units were measured to end whose exact places are taken to lie elsewhere; `claimed` has them as measured."""
    moved = {name for name, off in judgement.moved.items() if off >= SEEN}
    rings = tuple(_ring(body.shape) for body in bodies_of(claimed, Measured()) if body.name in moved)
    return (LinesMark(f"{prefix}.measured", "measured", rings),) if rings else ()


def _ring(shape: Shape) -> Points:
    return points(np.vstack([shape.outline(), shape.outline()[:1]]))


def open_marks(ruling: Ruling, prefix: str, language: Language = ENGLISH) -> tuple[Mark, ...]:
    """Draw the band about a limit within which the measurement may turn the rule, along the length that it is measured by."""
    for finding in ruling.findings:
        for dimension in ruling.evidence.dimensions if finding.is_open and finding.uncertainty else ():
            border = _border(finding, dimension)
            if border is not None:
                return _band(dimension, border, finding.uncertainty or 0.0, prefix, language)
    return ()


def _border(finding: Finding, dimension: Dimension) -> float | None:
    """Give at which length a rule turns that is measured by a dimension line."""
    pair: Sequence[float | None] = (finding.measured, finding.limit)
    length = math.dist(dimension.start, dimension.end)
    if dimension.stage != "before" or None in pair:
        return None
    for own, other in (pair, pair[::-1]):
        if own is not None and other is not None and abs(own - length) <= SAME:
            return float(other)
    return None


def _band(dimension: Dimension, border: float, uncertainty: float, prefix: str, language: Language) -> tuple[Mark, ...]:
    near, middle, far = (arc(dimension, max(reach, 0.0)) for reach in (border - uncertainty, border, border + uncertainty))
    words = language.say("badge.open", border=number(border, "in"), uncertainty=number(uncertainty, "in"))
    name = f"{prefix}.open"
    return (
        Area(name, "uncertain", ((*near, *reversed(far)),)),
        LineMark(f"{name}.border", "limit", middle),
        Label(f"{name}.label", "text", words, (middle[0], middle[-1], far[len(far) // 2]), rank=4),
    )

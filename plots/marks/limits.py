"""What forbids, shown where it does: the limit that a measured length breaks, and bodies that lie over each other."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import shapely

from plots.marks.breach import hatched
from plots.marks.captions import signed
from plots.marks.evidence import region
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Label, LineMark, Mark, Points
from plots.marks.measures import number
from tabletop.errors import Fault
from tabletop.geometry.shape import Shape
from tabletop.ruling.evidence import Dimension
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.table.squad import Squad
from tabletop.table.state import Regiment, State

SAME, SPREAD, PARTS, LEAST = 0.006, math.radians(16.0), 12, 0.05
"""Inches by which the length of a dimension line and that of a finding may differ, half the angle of a limit's arc, its parts, and
the least distance of a limit from where it is measured."""


def limit_marks(ruling: Ruling, prefix: str, language: Language = ENGLISH) -> tuple[Mark, ...]:
    """Dash the arc up to which a length that is measured before the charge might go, with by how much it goes too far."""
    for finding in ruling.findings:
        for dimension in ruling.evidence.dimensions:
            reach = _reach(finding, dimension)
            if reach is not None:
                line = arc(dimension, reach)
                margin = "" if finding.margin is None else signed(finding.margin)
                words = language.say("badge.reach", reach=number(reach, "in"), margin=margin)
                spots = (line[0], line[-1], line[len(line) // 2])
                name = f"{prefix}.limit"
                return (LineMark(name, "limit", line), Label(f"{name}.label", "text", words, spots, rank=4))
    return ()


def _reach(finding: Finding, dimension: Dimension) -> float | None:
    """Give the shorter of what is measured and allowed, where the longer is the length that the line shows."""
    if finding.ok or finding.measured is None or finding.limit is None or dimension.stage != "before":
        return None
    low, high = sorted((float(finding.measured), float(finding.limit)))
    fits = abs(high - math.dist(dimension.start, dimension.end)) <= SAME
    return low if fits and LEAST <= low < high - SAME else None


def arc(dimension: Dimension, reach: float) -> Points:
    """Give the arc about where a length is measured from, so many inches away, around the direction in which it is measured."""
    (x, y), (to_x, to_y) = dimension.start, dimension.end
    bearing = math.atan2(to_y - y, to_x - x)
    angles = [bearing + SPREAD * (2 * part / PARTS - 1) for part in range(PARTS + 1)]
    return tuple((x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles)


def fault_marks(state: State[Any], faults: Sequence[Fault], prefix: str) -> tuple[Mark, ...]:
    """Hatch what makes a table impossible: where two things overlap, or one reaches beyond the board."""
    bodies, found = _bodies(state), list[shapely.Geometry]()
    for names in dict.fromkeys(fault.between for fault in faults if fault.between):
        shapes = [bodies.get(name, ()) for name in names]
        if len(names) == 1:
            board = shapely.box(0.0, 0.0, state.board.width, state.board.depth)
            found += [shapely.difference(region(shape), board) for shape in shapes[0]]
        else:
            found += [shapely.intersection(region(one), region(other)) for one in shapes[0] for other in shapes[1] if one is not other]
    return hatched(found, prefix)


def _bodies(state: State[Any]) -> Mapping[str, tuple[Shape, ...]]:
    """Give what stands and lies on the table, by name."""
    units = {
        name: tuple(model.footprint for model in unit.models) if isinstance(unit, Squad) else (unit.boundary,)
        for name, unit in state.units.items()
        if isinstance(unit, Squad | Regiment)
    }
    return {**units, **{piece.name: (piece.shape,) for piece in state.terrain}}

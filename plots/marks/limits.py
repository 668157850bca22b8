"""What forbids, shown where it does: the limit that a measured length breaks, and bodies that lie over each other."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import shapely

from plots.marks.evidence import hatched, region
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Area, Label, LineMark, LinesMark, Mark, Points, points
from plots.marks.measures import along, number
from plots.marks.signs import UNBREAKING
from tabletop.errors import Fault
from tabletop.geometry.shape import Shape
from tabletop.ruling.evidence import Deciding, Dimension, Stage
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.hexes import HexBoard
from tabletop.table.squad import Squad
from tabletop.table.state import HexUnit, Regiment, State

SAME, SPREAD, PARTS, LEAST = 0.006, math.radians(16.0), 12, 0.05
"""Inches by which the length of a dimension line and that of a finding may differ, half the angle of a limit's arc, its parts, and
the least distance of a limit from where it is measured."""
GOAL_RANK = 6
"""When the words of a goal are placed: after all names."""
CIRCLED = "".join(chr(0x2460 + number) for number in range(20))


@dataclass(frozen=True)
class Shortfall:
    """A measured length that a rule forbids, and how far along its dimension line it may go, in inches."""

    rule: str
    dimension: Dimension
    reach: float

    @property
    def missing(self) -> float:
        """By how many inches the length and what is allowed differ."""
        return math.dist(self.dimension.start, self.dimension.end) - self.reach


def deciding_marks(
    ruling: Ruling,
    prefix: str,
    stage: Stage,
    language: Language = ENGLISH,
    *,
    is_one_of_several: bool = False,
    is_numbered: bool = True,
) -> tuple[Mark, ...]:
    """Draw what decided: one accent and a few words for each rule that is broken, numbered where there are several; else for the goal.

    The piece that a measured length falls short by is drawn over its dimension line, beyond the arc up to which it may go. The words
    of one of several charges begin with who charges; those of a goal leave the better places to the names. Callouts number what is
    not numbered here.
    """
    reasons, goals = deciding(ruling)
    marks: list[Mark] = []
    for place, one in enumerate((*reasons, *goals)):
        name = f"{prefix}.deciding.{place + 1}"
        if isinstance(one, Deciding):
            found = told_marks(one, name) if one.stage == stage else ()
        else:
            found = _short_marks(one, name, language) if stage == "before" else ()
        key = place + 1 if len(reasons) > 1 and is_numbered else 0
        owner = owned(ruling, language) if is_one_of_several else ""
        marks += (_labelled(mark, owner, key, rank=1 if reasons else GOAL_RANK) for mark in found)
    return tuple(marks)


def owned(ruling: Ruling, language: Language) -> str:
    """Say whose what follows is, on the same line."""
    return language.say("badge.owner", name=ruling.charge.charger, words="").rstrip() + UNBREAKING


def deciding(ruling: Ruling) -> tuple[tuple[Deciding | Shortfall, ...], tuple[Deciding, ...]]:
    """Give what is shown of the rules that are broken, the one that decided first, and of a success the goals that it served."""
    broken = [] if ruling.rule is None else [ruling.rule, *(finding.rule for finding in ruling.findings if not finding.ok)]
    told = {one.rule: one for one in reversed(ruling.evidence.deciding)}
    short = {one.rule: one for one in reversed(_shortfalls(ruling))}
    if ruling.outcome == "success":
        return (), tuple(told[rule] for rule in dict.fromkeys(one.rule for one in ruling.evidence.deciding))
    found = (short.get(rule, told.get(rule)) for rule in dict.fromkeys(broken))
    return tuple(one for one in found if one is not None), ()


def words_of(one: Deciding | Shortfall, language: Language = ENGLISH) -> str:
    """Give the few words of what decided."""
    return one.words if isinstance(one, Deciding) else language.say("badge.short", length=number(one.missing, "in"))


def circled(place: int) -> str:
    """Give the number of a callout by its place, from 0."""
    return CIRCLED[place % len(CIRCLED)]


def _labelled(mark: Mark, owner: str, key: int, *, rank: int) -> Mark:
    """Put the number of a reason and its owner before its words."""
    return replace(mark, text=f"{owner}{mark.text}", key=key, rank=rank) if isinstance(mark, Label) else mark


def _shortfalls(ruling: Ruling) -> tuple[Shortfall, ...]:
    """List the rules that a measured length is too short or too long for."""
    pairs = ((finding, dimension) for finding in ruling.findings for dimension in ruling.evidence.dimensions)
    reaches = ((finding.rule, dimension, _reach(finding, dimension)) for finding, dimension in pairs)
    return tuple(Shortfall(rule, dimension, reach) for rule, dimension, reach in reaches if reach is not None)


def _short_marks(short: Shortfall, name: str, language: Language) -> tuple[Mark, ...]:
    line = arc(short.dimension, short.reach)
    piece = (line[len(line) // 2], short.dimension.end)
    return (
        LineMark(f"{name}.limit", "reach", line),
        LinesMark(name, "deciding", (piece,)),
        Label(f"{name}.label", "decided", words_of(short, language), along(*piece), rank=1),
    )


def told_marks(told: Deciding, name: str) -> tuple[Mark, ...]:
    """Draw what decided in the accent, with its words."""
    lines = (LinesMark(name, "deciding", told.lines),) if told.lines else ()
    limits = (LinesMark(f"{name}.limit", "limit", told.limits),) if told.limits else ()
    fronts = (LinesMark(f"{name}.front", "would_stand", told.fronts),) if told.fronts else ()
    parts = [part for part in shapely.get_parts(shapely.union_all([region(one) for one in told.areas])) if part.area > 0.0]
    rings = tuple(points(shapely.get_coordinates(part.exterior)[:-1]) for part in parts)
    areas = (Area(f"{name}.area", "deciding_area", rings),) if rings else ()
    spots = (told.at, *(spot for line in told.lines for spot in along(*line)))
    return (*areas, *limits, *fronts, *lines, Label(f"{name}.label", "decided", told.words, spots, rank=1))


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
    """Hatch what makes a table impossible: where two things overlap, or stand in one hex, and what lies beyond the board."""
    bodies, found, beyond = _bodies(state), list[shapely.Geometry](), list[shapely.Geometry]()
    for names in dict.fromkeys(fault.between for fault in faults if fault.between):
        shapes = [bodies.get(name, ()) for name in names]
        if len(names) == 1:
            board = shapely.box(0.0, 0.0, state.board.width, state.board.depth)
            beyond += [shapely.difference(region(shape), board) for shape in shapes[0]]
        else:
            found += [shapely.intersection(region(one), region(other)) for one in shapes[0] for other in shapes[1] if one is not other]
    return (*hatched(found, prefix), *hatched(beyond, prefix, "beyond"))


def _bodies(state: State[Any]) -> Mapping[str, tuple[Shape, ...]]:
    """Give what stands and lies on the table, by name."""
    units = {
        name: tuple(model.footprint for model in unit.models) if isinstance(unit, Squad) else (unit.boundary,)
        for name, unit in state.units.items()
        if isinstance(unit, Squad | Regiment)
    }
    board = state.board
    if isinstance(board, HexBoard):
        hexed = [(unit.name, board.hex_at(unit.pose.at)) for unit in state.units.values() if isinstance(unit, HexUnit)]
        units |= {name: (Shape(shapely.Polygon(board.outline(place))),) for name, place in hexed}
    return {**units, **{piece.name: (piece.shape,) for piece in state.terrain}}


def told_together(resolution: Resolution, language: Language = ENGLISH) -> list[list[Ruling]]:
    """Give the rulings by the pictures that show them, in the order in which charges are made: those of the same targets in one.

    A charge that fails because of one of these has its own picture, in which that one has been made.
    """
    groups: list[list[Ruling]] = []
    for ruling in resolution.turns:
        alike = next((group for group in reversed(groups) if group[0].charge.targets == ruling.charge.targets), None)
        if alike is None or _is_due_to(ruling, alike, language):
            groups.append([ruling])
        else:
            alike.append(ruling)
    return groups


def _is_due_to(ruling: Ruling, others: Sequence[Ruling], language: Language) -> bool:
    """Tell whether what decides against a charge names who charged before."""
    told = " ".join(words_of(one, language) for one in deciding(ruling)[0])
    return any(re.search(rf"(?<!\w){re.escape(other.charge.charger)}(?!\w)", told) for other in others)

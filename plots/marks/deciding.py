"""Marks of what decided a charge: a broken limit or goals reached, the uncertainty of a measurement, and magnifiers.

A goal is what the rules want of a successful charge, such as more models in contact. Lengths are in inches on the
table.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import shapely

from plots.marks.evidence import region
from plots.marks.mark import (
    DrawnMark,
    Label,
    Lines,
    Magnifier,
    Points,
    Rings,
    arc_points,
    filled,
    part_of,
    points_along,
)
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language
from tabletop.messages import UNBREAKING
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.evidence import Angle, Dimension, Stage
from tabletop.ruling.evidence import Mark as FindingMark
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Alternative, Ruling, Shown

SAME, SPREAD, PARTS, LEAST = 0.006, math.radians(16.0), 12, 0.05
"""Greatest difference in inches between a dimension line and the length of its finding; half angle and segments of a
limit's arc; least radius in inches at which a limit is drawn."""

GOAL_RANK = 6
"""Label rank of a goal's words: after all names."""

CIRCLED = "".join(chr(0x2460 + number) for number in range(20))

TICK, CROSS = f"\N{CHECK MARK}{UNBREAKING}", f"\N{BALLOT X}{UNBREAKING}"
"""Signs before the words of what is reached, and of an alternative that is not taken."""

SMALL, AROUND, SHOWN = 0.1, 2.5, 0.5
"""Largest gap in inches that is magnified; number of gap widths from the magnifier's centre to its edge; size of the
gap in the magnifier, in table inches."""

LEAST_GAP = 1e-9

WHOLE = 0.5
"""Degrees by which a wheel may lie outside of a range of equally good ones that is drawn with it."""

ANGLE_RADIUS = 2.5
"""Radius in inches of the arc of an angle."""


class DecisionMark(NamedTuple):
    """A rule, and the mark of its finding: words, and the lines and areas they refer to."""

    rule: str
    mark: FindingMark


@dataclass(frozen=True)
class Shortfall:
    """A measured length that breaks a rule; `reach` is the limit in inches, measured from the start of its dimension
    line.
    """

    rule: str = field(compare=False)
    dimension: Dimension
    reach: float

    @property
    def missing(self) -> float:
        """Difference between the measured length and its limit, in inches."""
        return math.dist(self.dimension.start, self.dimension.end) - self.reach


def deciding_marks(
    shown: Shown, stage: Stage, *, is_one_of_several: bool = False, is_numbered: bool = True
) -> tuple[DrawnMark, ...]:
    """Return the marks of what decided: an accent and a few words per broken rule, or for a success per goal reached.

    A length that falls short is marked on its dimension line beyond the arc of the limit. If the charge
    `is_one_of_several`, the words begin with its charger's name; several reasons are numbered if `is_numbered`. Words
    of goals are placed after names.
    """
    reasons, goals = deciding(shown)
    marks: list[DrawnMark] = []
    for place, one in enumerate((*reasons, *goals)):
        if isinstance(one, DecisionMark):
            is_good = one in goals and isinstance(shown, Ruling)
            found = decision_marks(one.mark, is_good=is_good) if one.mark.stage == stage else ()
        else:
            found = _short_marks(one) if stage == "before" else ()
        key = place + 1 if len(reasons) > 1 and is_numbered else 0
        owner = owner_prefix(shown) if is_one_of_several else ""
        own = (_labelled(mark, owner, key, rank=1 if reasons else GOAL_RANK) for mark in found)
        marks += part_of(f"deciding.{place + 1}", own)
    return tuple(marks)


def crossed(contrast: Contrast) -> FindingMark:
    """Return the mark of an alternative as figures show it: after the charge, with a cross before its words."""
    mark = contrast.finding.mark or FindingMark()
    return replace(mark, words=f"{CROSS}{mark.words}", stage="after")


def range_marks(ruling: Ruling) -> tuple[DrawnMark, ...]:
    """Return the sector of the wheels that are as good as the one made, with both angles; empty if there is no such
    range.
    """
    found = (
        one.range
        for one in ruling.contrast or ()
        if one.kind == "equal" and one.range is not None and one.range.unit == "deg"
    )
    wheels = (
        step
        for step in ruling.steps
        if step.kind == "wheel" and step.pivot is not None and step.start is not None and step.angle
    )
    span = next(found, None)
    step = next(wheels, None)
    if span is None or step is None or step.start is None or step.pivot is None or not step.angle:
        return ()
    if not span.least - WHOLE <= abs(math.degrees(step.angle)) <= span.greatest + WHOLE:
        return ()
    x, y = step.pivot
    at_x, at_y = step.start.at
    # the front corner opposite the pivot
    corner = (2.0 * at_x - x, 2.0 * at_y - y)
    sign = math.copysign(1.0, step.angle)
    line = arc_points(step.pivot, corner, sign * math.radians(span.greatest))
    low = arc_points(step.pivot, corner, sign * math.radians(span.least))[-1]
    band = arc_points(step.pivot, low, sign * math.radians(span.greatest - span.least))
    marks = (
        Rings("", "equal_area", ((step.pivot, *band),)),
        *(
            Label(
                f"{place}.label",
                "equal",
                f"{current_language().number(round(angle, 2), 'g')}\N{DEGREE SIGN}",
                (end,),
                rank=3,
            )
            for place, (angle, end) in enumerate(
                ((span.least, low), (span.greatest, line[-1])), start=1
            )
        ),
    )
    return part_of("equal", marks)


def charge_id(number: int) -> str:
    """Return the prefix of the ids of a charge's marks, by its number in the file from 0; "" for the first charge."""
    return f"charge{number + 1}" if number else ""


def owner_prefix(shown: Shown) -> str:
    """Return the charger's name as a prefix of a label, ending in a no-break space."""
    return (
        current_language().say("badge.owner", name=shown.charge.charger, words="").rstrip()
        + UNBREAKING
    )


def _labelled(mark: DrawnMark, owner: str, key: int, *, rank: int) -> DrawnMark:
    """Return a mark with the charger's name before its words, a number `key` and a rank if it is a label; else
    unchanged.
    """
    return (
        replace(mark, text=f"{owner}{mark.text}", key=key, rank=rank)
        if isinstance(mark, Label)
        else mark
    )


def _short_marks(short: Shortfall) -> tuple[DrawnMark, ...]:
    line = arc(short.dimension, short.reach)
    piece = (line[len(line) // 2], short.dimension.end)
    return (
        Lines("limit", "reach", (line,)),
        Lines("", "deciding", (piece,)),
        Label("label", "decided", words_of(short), points_along(*piece), rank=1),
    )


def arc(dimension: Dimension, reach: float) -> Points:
    """Return points of the arc of a limit: its centre is the dimension's start, its radius `reach`, its middle on the
    dimension line.
    """
    x, y = dimension.start
    to_x, to_y = dimension.end
    bearing = math.atan2(to_y - y, to_x - x)
    angles = [bearing + SPREAD * (2 * part / PARTS - 1) for part in range(PARTS + 1)]
    return tuple((x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in angles)


def decision_marks(told: FindingMark, *, is_good: bool = False) -> tuple[DrawnMark, ...]:
    """Return the words of a finding with the lines and areas they refer to; empty if it has no place.

    What tells against something has the accent colour; what is reached (`is_good`) has the colour of a success, and a
    tick, unless it is a limit or an obstacle, which is black.
    """
    if told.at is None:
        return ()
    line = "deciding"
    area = "deciding_area"
    text = "decided"
    sign = ""
    if is_good:
        line, area, text, sign = (
            ("goal_deciding", "goal_area", "goal_decided", TICK)
            if told.is_met
            else ("noted", "overlap", "strong", "")
        )
    lines = (Lines("", line, told.lines),) if told.lines else ()
    limits = (Lines("limit", "limit", told.limits),) if told.limits else ()
    fronts = (Lines("front", "would_stand", told.fronts),) if told.fronts else ()
    areas = filled("area", area, shapely.union_all([region(one) for one in told.areas]))
    turns = (
        [arc_points(one.at, _along(one, one.start), one.sweep) for one in told.angles]
        if is_good
        else []
    )
    arcs = (Lines("angle", line, tuple(turns)),) if turns else ()
    spots = (
        *(turn[len(turn) // 2] for turn in turns),
        told.at,
        *(spot for line in told.lines for spot in points_along(*line)),
    )
    return (
        *areas,
        *limits,
        *fronts,
        *lines,
        *arcs,
        Label("label", text, f"{sign}{told.words}" if told.words else "", spots, rank=1),
    )


def _along(angle: Angle, bearing: float) -> Point:
    """Return the point of an angle's arc in a direction, in radians, from its vertex."""
    return (
        angle.at[0] + ANGLE_RADIUS * math.cos(bearing),
        angle.at[1] + ANGLE_RADIUS * math.sin(bearing),
    )


def deciding(
    shown: Shown,
) -> tuple[tuple[DecisionMark | Shortfall, ...], tuple[DecisionMark, ...]]:
    """Return two tuples: evidence of the broken rules, the deciding one first, and for a success the evidence of goals
    reached.

    The rule that figures are about, if the scenario names one, is the first of its tuple; it may hold although the
    charge fails. Both are empty if the verdict is undecided at the table's accuracy, since one reason would suggest a
    verdict.
    """
    if isinstance(shown, Alternative):
        marks = ((one.rule, one.mark) for one in shown.findings)
        return (), tuple(DecisionMark(rule, mark) for rule, mark in marks if mark is not None)
    reasons, goals = decided_by(shown)
    told = shown.pointed
    if told is None or told.mark is None or shown.open:
        return reasons, goals
    first = (DecisionMark(told.rule, told.mark),)
    reasons = tuple(one for one in reasons if one.rule != told.rule)
    goals = tuple(one for one in goals if one.rule != told.rule)
    return (reasons, (*first, *goals)) if told.ok else ((*first, *reasons), goals)


def decided_by(
    ruling: Ruling,
) -> tuple[tuple[DecisionMark | Shortfall, ...], tuple[DecisionMark, ...]]:
    """Return what `deciding` returns, whichever rule figures are about."""
    if ruling.open:
        return (), ()
    broken = (
        []
        if ruling.rule is None
        else [ruling.rule, *(finding.rule for finding in ruling.findings if not finding.ok)]
    )
    told = {rule: DecisionMark(rule, mark) for rule, mark in ruling.decided.items()}
    if ruling.outcome == "success":
        return (), tuple(told.values())
    short = _shortfalls(ruling)
    reasons: list[DecisionMark | Shortfall] = []
    for rule in dict.fromkeys(broken):
        one = short.get(rule, told.get(rule))
        if one is not None and one not in reasons:  # two rules may ask for the same length
            reasons.append(one)
    return tuple(reasons), ()


def _shortfalls(ruling: Ruling) -> dict[str, Shortfall]:
    """Return the measured lines of a ruling that break rules, as too short or too long, by rule."""
    # a finding with words of its own is not drawn as a length, unless it lies between two units
    own = ruling.decided
    found: dict[str, Shortfall] = {}
    for one, line, numbers in _measures(ruling):
        is_drawn = one.between or one.rule not in own
        if not one.ok and is_drawn and LEAST <= min(numbers) < max(numbers) - SAME:
            found.setdefault(one.rule, Shortfall(one.rule, line, min(numbers)))
    return found


def _measures(ruling: Ruling) -> Iterator[tuple[Finding, Dimension, tuple[float, float]]]:
    """Yield the findings with a level line before the charges and a limit: finding, line, measured value and limit."""
    for one in ruling.findings:
        line = one.line
        if line is None or one.measured is None or one.limit is None:
            continue
        if line.stage == "before" and not line.rise:
            yield one, line, (float(one.measured), float(one.limit))


def words_of(one: DecisionMark | Shortfall) -> str:
    """Return the words of a deciding finding, or for a shortfall how many inches are missing."""
    language = current_language()
    return (
        one.mark.words
        if isinstance(one, DecisionMark)
        else language.say("badge.short", length=language.measure(one.missing, "in"))
    )


def circled(place: int) -> str:
    """Return the circled number of a callout, from 1, for its index from 0."""
    return CIRCLED[place % len(CIRCLED)]


def open_marks(ruling: Ruling) -> tuple[DrawnMark, ...]:
    """Return the band about a limit, along the measured length, within which the measurement may change the outcome;
    may be empty.

    Where the rule measures something else, the band lies about the length that is to be measured again.
    """
    for finding, line, numbers in _measures(ruling):
        if finding.is_open and finding.uncertainty:
            border = max(numbers, key=lambda number: abs(number - math.dist(line.start, line.end)))
            return _band(line, border, finding.uncertainty, "badge.open")
    told = ruling.decides
    if told is None or told.border is None or told.measured is None:
        return ()
    for line in ruling.evidence.dimensions:
        is_shown = abs(math.dist(line.start, line.end) - told.measured) <= SAME
        if line.stage == "before" and is_shown:
            key = "badge.between" if told.spread else "badge.turns"
            return _band(line, told.border, told.spread, key)
    return ()


def _band(dimension: Dimension, border: float, half: float, key: str) -> tuple[DrawnMark, ...]:
    """Return a band that reaches `half` inches to both sides of a length along a dimension line, with the words of a
    key.
    """
    language = current_language()
    low = max(border - half, 0.0)
    high = border + half
    near, middle, far = (arc(dimension, reach) for reach in (low, border, high))
    lengths = {"border": border, "uncertainty": half, "low": low, "high": high}
    words = language.say(
        key, **{name: language.measure(length, "in") for name, length in lengths.items()}
    )
    marks = (
        Rings("", "uncertain", ((*near, *reversed(far)),)),
        Lines("border", "limit", (middle,)),
        Label("label", "text", words, (middle[0], middle[-1], far[len(far) // 2]), rank=4),
    )
    return part_of("open", marks)


def magnifiers(shown: Shown, stage: Stage) -> tuple[DrawnMark, ...]:
    """Return a magnifier for each deciding gap at a stage that is too small to see, with its length as text."""
    reasons, goals = deciding(shown)
    made: list[DrawnMark] = []
    for place, one in enumerate((*reasons, *goals)):
        found = (
            _gap(one, shown)
            if stage == (one.mark.stage if isinstance(one, DecisionMark) else "before")
            else None
        )
        if found is not None and LEAST_GAP < found[1] < SMALL:
            at, gap = found
            magnifier = Magnifier(
                "magnifier",
                "magnifier",
                at,
                AROUND * gap,
                SHOWN / gap,
                current_language().small(gap),
            )
            made += part_of(f"deciding.{place + 1}", [magnifier])
    return tuple(made)


def _gap(one: DecisionMark | Shortfall, shown: Shown) -> tuple[Point, float] | None:
    """Return midpoint and length in inches of the missing distance, the shortest line or the measured gap; None if
    there is none.
    """
    if isinstance(one, Shortfall):
        start = one.dimension.start
        end = one.dimension.end
        share = one.missing / math.dist(one.dimension.start, one.dimension.end) / 2
        return (
            end[0] + share * (start[0] - end[0]),
            end[1] + share * (start[1] - end[1]),
        ), one.missing
    at = one.mark.at
    lines = one.mark.lines
    if lines:
        start, end = min(lines, key=lambda line: math.dist(*line))
        return ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), math.dist(start, end)
    measured = next(
        (
            finding.measured
            for finding in shown.findings
            if finding.rule == one.rule and not finding.ok
        ),
        None,
    )
    if at is None or measured is None:
        return None
    is_marked = any(
        shapely.distance(shapely.centroid(region(area)), shapely.Point(at)) < SMALL
        for area in one.mark.areas
    )
    return (at, abs(measured)) if is_marked else None

"""Marks of rules that hold, for figures that are about them: a few words with the number, where it is seen on the
table.

Such a mark is shown only where a scenario names its rule as its point.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import shapely

from systems.wh40k.conditions import Ends, engagement_of
from systems.wh40k.declare import shown_inches
from systems.wh40k.move import Moved
from tabletop.budget import explains
from tabletop.geometry.distance import gap, shortest_segment
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.messages import listed, say
from tabletop.ruling.evidence import Mark, Segment
from tabletop.ruling.finding import Finding
from tabletop.table.models import Model
from tabletop.units import CONTACT

DASHES = 72
"""Number of dashes and gaps of a ring."""

MOST_NAMED = 4
"""Number of models up to which every gap of a chain is named."""


def with_points(
    findings: Iterable[Finding], ends: Ends, moves: Sequence[Moved] = ()
) -> list[Finding]:
    """Return the findings of a completed charge, those of rules that hold and that a figure may be about with a mark.

    `moves` are the moves to the `ends`, if they are known. Without explanations the findings are returned as they are.
    """
    found = list(findings)
    if not explains():
        return found
    marks = {
        rule: mark
        for rule in {one.rule for one in found}
        if rule in MARKS and (mark := MARKS[rule](ends, moves)) is not None
    }
    told = [one.ok and one.mark is None and one.rule in marks for one in found]
    return [
        replace(one, mark=marks[one.rule]) if is_told else one
        for one, is_told in zip(found, told, strict=True)
    ]


def ring(shape: Shape, reach: float) -> tuple[Segment, ...]:
    """Return as dashes the outline of the area within `reach` inches of a shape."""
    body = shapely.Polygon(shape.outline(64)).buffer(reach, quad_segs=24)
    spots = [
        body.exterior.interpolate(part / DASHES, normalized=True) for part in range(DASHES + 1)
    ]
    return tuple(
        ((one.x, one.y), (other.x, other.y)) for one, other in islice(pairwise(spots), 0, None, 2)
    )


def _mark(words: str, at: Point, lines: tuple[Segment, ...] = ()) -> Mark:
    return Mark(words, at, lines=lines, stage="after", is_for_point=True)


def _between(first: Shape, second: Shape) -> Segment | None:
    return shortest_segment(first, second)


def middle(line: Segment) -> Point:
    """Return the middle of a segment."""
    (x, y), (to_x, to_y) = line
    return (x + to_x) / 2.0, (y + to_y) / 2.0


def links(models: Sequence[Model]) -> list[tuple[Model, Model]]:
    """Return the pairs of models along a chain through the unit, each with the model nearest to those before it (a
    spanning tree).
    """
    rest = list(models[1:])
    pairs = list[tuple[Model, Model]]()
    inside = list(models[:1])
    while rest:
        near, far = min(
            ((one, other) for one in inside for other in rest),
            key=lambda pair: round(gap(pair[0].footprint, pair[1].footprint), 6),
        )
        rest.remove(far)
        inside.append(far)
        pairs.append((near, far))
    return pairs


def span_between(ends: Ends) -> Segment | None:
    """Return the segment from the engagement range of one of two targets to that of the other; None if they overlap."""
    if len(ends.scene.targets) != 2:  # noqa: PLR2004
        return None
    first, second = ends.scene.targets
    pairs = (
        _between(one.footprint, other.footprint) for one in first.models for other in second.models
    )
    apart = min(
        (pair for pair in pairs if pair is not None),
        key=lambda pair: math.dist(*pair),
        default=None,
    )
    reach = engagement_of(ends.scene).horizontal
    if apart is None or math.dist(*apart) <= 2.0 * reach:
        return None
    (x, y), (to_x, to_y) = apart
    share = reach / math.dist(*apart)
    return (x + share * (to_x - x), y + share * (to_y - y)), (
        to_x - share * (to_x - x),
        to_y - share * (to_y - y),
    )


def _coherency(ends: Ends, moves: Sequence[Moved]) -> Mark | None:
    """Return the mark of coherency: all gaps of a short chain, else the gap between the model that moves last and its
    nearest mate.
    """
    del moves
    if not ends.coherency.neighbours:
        return None
    pairs = links(ends.models)
    limit = ends.coherency.horizontal
    numbers = [model.number for pair in pairs for model in pair]
    is_chain = max(map(numbers.count, numbers)) <= 2 and len(ends.models) > 2  # noqa: PLR2004
    if not (is_chain and len(ends.models) <= MOST_NAMED):
        last = ends.models[-1]
        near = min(
            (one for one in ends.models if one is not last),
            key=lambda one: gap(one.footprint, last.footprint),
        )
        pairs = [(near, last)]
    lines = [
        line for near, far in pairs if (line := _between(near.footprint, far.footprint)) is not None
    ]
    gaps = [shown_inches(math.dist(*line)) for line in lines]
    if not lines:
        return None
    words = say("{apart} apart, at most {limit:g} in", apart=gaps[0], limit=limit)
    if len(lines) > 1:
        each = gaps[0] if len(set(gaps)) == 1 else listed(gaps, ", ")
        told = {"models": len(ends.models), "count": len(lines), "gaps": each}
        words = say("{models} bases with {count} gaps of {gaps}", **told)
        span = span_between(ends)
        if span is not None:
            words = say(
                "{models} bases with {count} gaps of {gaps} bridge {span}",
                span=shown_inches(math.dist(*span)),
                **told,
            )
            return _mark(words, middle(lines[len(lines) // 2]), (*lines, span))
    return _mark(words, middle(lines[len(lines) // 2]), tuple(lines))


def _apart(ends: Ends, moves: Sequence[Moved]) -> Mark | None:
    """Return the mark of the enemy unit, no target, to which a model comes nearest: the gap, and the engagement range
    about it.
    """
    del moves
    unit = max(ends.scene.non_targets, key=lambda one: float(ends.to(one).margins.max()))
    (own, enemy), *_ = ends.to(unit).nearest
    line = _between(own.footprint, enemy.footprint)
    if line is None:
        return None
    words = say(
        "{apart} from {unit}, outside its range",
        apart=shown_inches(round(math.dist(*line), 2)),
        unit=unit.name,
    )
    return _mark(words, middle(line), (line,))


def _across(ends: Ends, moves: Sequence[Moved]) -> Mark | None:
    """Return the mark of a pair that is engaged across a barricade and would not be without it."""
    del moves
    horizontal = engagement_of(ends.scene).horizontal
    farthest = engagement_of(ends.scene).ranges[-1]
    for target in ends.scene.targets:
        there = ends.to(target)
        for row, column in np.argwhere(
            (there.margins >= -CONTACT) & (there.across > horizontal + CONTACT)
        ).tolist():
            own = ends.models[row]
            enemy = target.models[column]
            line = _between(own.footprint, enemy.footprint)
            if line is not None:
                words = say(
                    "{apart} across the barricade, at most {limit:g} in",
                    apart=shown_inches(math.dist(*line)),
                    limit=farthest,
                )
                return _mark(words, middle(line), (line,))
    return None


def _length(ends: Ends, moves: Sequence[Moved]) -> Mark | None:
    """Return the mark of the longest move: its length, and what was rolled."""
    longest = max(moves, key=lambda one: round(one.way.length, 6), default=None)
    if longest is None:
        return None
    told = {"moved": shown_inches(longest.way.length), "distance": ends.distance}
    return _mark(
        say("{moved} needed, {distance:g} in rolled", **told), _rim(longest.end, longest.start)
    )


def _low(ends: Ends, moves: Sequence[Moved]) -> Mark | None:
    """Return the mark of a step up that costs nothing, where the path goes up."""
    low = ends.scene.lowest_climb
    rises = [
        (abs(second[2] - first[2]), second[:2])
        for one in moves
        for first, second in pairwise(one.way.path)
        if 0.0 < abs(second[2] - first[2]) <= low
    ]
    if not rises:
        return None
    rise, at = rises[0]
    return _mark(say("{rise:g} in up, +0 in", rise=rise), at)


def _pivot(ends: Ends, moves: Sequence[Moved]) -> Mark | None:
    """Return the mark of a model that turned, with the cost of the turn."""
    turned = [one for one in moves if not one.start.pose.faces_like(one.end.pose)]
    if not turned:
        return None
    cost = ends.scene.pivot_value(turned[0].start)
    told = {"cost": cost, "moved": shown_inches(turned[0].way.length)}
    return _mark(
        say("{moved} moved, {cost:g} in of it for the turn", **told), turned[0].end.pose.at
    )


def _rim(model: Model, away: Model) -> Point:
    """Return the point on the rim of a model's base that is nearest to another place of it."""
    x, y = min(model.footprint.outline(64).tolist(), key=lambda spot: math.dist(spot, away.pose.at))
    return x, y


MARKS: Mapping[str, Callable[[Ends, Sequence[Moved]], Mark | None]] = {
    "wh40k.possible.coherency": _coherency,
    "wh40k.possible.avoid-others": _apart,
    "wh40k.terrain.barricade": _across,
    "wh40k.roll.limit": _length,
    "wh40k.terrain.low": _low,
    "wh40k.move.pivot": _pivot,
}
"""The marks by rule, from the ends and the moves."""

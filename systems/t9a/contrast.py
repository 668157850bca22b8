"""Contrasts of The Ninth Age: the straight move that would bring fewer models into contact, or that something bars.

Where the ruling itself moves straight ahead, the contrast is the best place of those that bring fewer models into
contact. Others are the facing that is not charged, an order of moves that leaves no room, and by how much a target is
out of sight.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import shapely

from systems.t9a.aligned import AlignedPlace, aligned_place, criteria, special_slides, unfound
from systems.t9a.attempt import Attempt
from systems.t9a.barring import Bar
from systems.t9a.combined.group import CombinedAttempt
from systems.t9a.declare import least_aside, off_axis
from systems.t9a.move import ChargeMove, failed_move
from systems.t9a.scene import Front, Scene, numbers_in_contact
from systems.t9a.solution import facings_allowed
from systems.t9a.statement import BOARD_RULE, Way
from tabletop.budget import Budget
from tabletop.fronts.flush import BestSlides, CriticalSlides, preferred
from tabletop.fronts.reach import reach
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gap
from tabletop.geometry.shape import Shape
from tabletop.messages import counted, say
from tabletop.optimise.interval import Intervals
from tabletop.ruling.charge import Step
from tabletop.ruling.contrast import Contrast, barred_ahead
from tabletop.ruling.evidence import Mark, Segment
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.facing import nearest_facings, off_dividing_line
from tabletop.units import CONTACT

NEAR_THE_LINE = 2.0
"""Distance in inches from the line between two arcs within which the other facing is a contrast."""

NEARLY = 1.0
"""Difference in degrees from the edge of what a charger sees at which how much is left is a contrast."""

LEAST = 0.1
"""Least length in inches of a first contact along a line that figures mark."""

SAME_PLACE = 1e-5
"""Greatest difference in inches of places along a facing that are the same."""

ON_THE_WAY = ("t9a.space.enemy", "t9a.space.friend", "t9a.space.impassable", BOARD_RULE)
"""Rules of obstacles that may bar the straight move."""


def contrasts(resolution: Resolution, ruling: Ruling, *, budget: Budget) -> Iterator[Contrast]:
    """Yield the contrasts of a ruling; of combined charges only that of a failed one which moves last, of unaligned
    charges none.

    Raises
    ------
    NoVerdictError
        If the budget ends a search.
    """
    if ruling.open:
        return
    attempt: Attempt = ruling.attempt
    refusal = attempt.declaration.refusal
    if refusal is not None:
        yield from _out_of_sight(attempt, refusal)
    elif not attempt.is_in_range:
        yield from _made_first(resolution, ruling, budget)
    done = attempt.done
    if done is None or isinstance(attempt, CombinedAttempt):
        return
    place = done.place
    if isinstance(place, AlignedPlace):
        yield from _of_a_place(attempt, place, done.move, budget)


def _of_a_place(
    attempt: Attempt, place: AlignedPlace, move: ChargeMove, budget: Budget
) -> Iterator[Contrast]:
    """Yield the contrasts of a charger that has its target to itself and ends aligned."""
    front = place.front
    scene = front.scene
    served = place.values
    met = front.facing.coordinates(move.contact)[0]
    if place.choices > 1:
        yield _equally_good(place)
    if attempt.solution is not None and attempt.solution.is_by_blocked_path:
        yield from _barred_facing(attempt.solution.bar)
    else:
        yield from _other_facing(front, served, budget)
    if place.leeway == 0.0:
        yield from _beside(front, place.slide, met, served)
    straight = Way(front, 0.0, 0.0)
    found = tuple(_straight(straight, served)) if move.path.wheel > 0.0 else ()
    yield from _nearly_out_of_sight(scene)
    yield from found or _next_lower(front, served, budget)
    yield from _overlapping(front, place.slide, met, served)


def _other_facing(front: Front, served: tuple[float, ...], budget: Budget) -> Iterator[Contrast]:
    """Yield the facing that would be charged from the other side of the line between two arcs, if that is near.

    On the line itself it is the best place at the other facing, if that is worse.
    """
    scene = front.scene
    middle = front.scene.charger.pose.at
    names = nearest_facings(scene.target, middle)
    other = Front(scene, next(name for name in names if name != front.name))
    off = abs(off_dividing_line(middle, front.facing, other.facing))
    if off <= CONTACT and other.name in facings_allowed(scene):
        place = aligned_place(other, budget=budget)
        if place is not None and place.values < served:
            worse = _worse(
                other,
                place.slide,
                place.values,
                served,
                heading=say("Against the {facing}", facing=other.label),
            )
            yield replace(worse, facing=other.facing.ends)
    if CONTACT < off <= NEAR_THE_LINE:
        told = {
            "charger": scene.charger.name,
            "off": off,
            "facing": other.label,
            "target": scene.target.name,
        }
        text = say(
            "The middle of {charger}'s front is {off:.2f} in from the line between two arcs of {target}; beyond it the "
            "{facing} would be charged.",
            **told,
        )
        found = Finding("t9a.arc.target-facing", ok=False, text=text, measured=off)
        yield Contrast("other", found)


def _barred_facing(bar: Bar | None) -> Iterator[Contrast]:
    """Yield what bars the facing that Blocked Path gives up, if one obstacle does."""
    if bar is not None:
        found = Finding(bar.obstacle.rule, False, bar.text, *bar.measures)  # noqa: FBT003
        is_placed = bar.gap < -CONTACT and not bar.together
        yield _in_the_way(found, bar) if is_placed else Contrast("barred", found)


def _in_the_way(found: Finding, bar: Bar) -> Contrast:
    """Return the contrast of a facing where an obstacle overlaps every place, with the place where it does so least."""
    charger = bar.front.scene.charger
    facing = bar.front.facing.ends
    heading = say("Against the {facing}", facing=bar.front.label)
    words = _depth(-bar.gap, bar.obstacle.name)
    areas = _common(charger.at(bar.pose).boundary, bar.obstacle.shape.outline())
    mark = Mark(words, bar.pose.advanced(-charger.depth).at, areas=areas, stage="after")
    found = replace(found, mark=mark)
    return Contrast("barred", found, heading, {charger.name: bar.pose}, facing=facing)


def _depth(depth: float, obstacle: str) -> str:
    """Return the words for how far, in inches, a place is in an obstacle."""
    return say("{depth:.2f} in into {obstacle}", depth=depth, obstacle=obstacle)


def _common(body: Shape, ring: FloatArray, *, is_outside: bool = False) -> tuple[Shape, ...]:
    """Return the parts of a charger that lie within a ring (n, 2), or outside it, for figures."""
    cut = shapely.difference if is_outside else shapely.intersection
    return tuple(
        Shape(part)
        for part in shapely.get_parts(cut(body.core, shapely.Polygon(ring)))
        if part.area > 0.0
    )


def _equally_good(place: AlignedPlace) -> Contrast:
    """Return the contrast of several stretches of equally good places."""
    scene = place.front.scene
    told = {
        "count": str(place.choices),
        "charger": scene.charger.name,
        "target": scene.target.name,
    }
    text = say(
        "{charger} may end in any of {count} separate ranges of positions; all bring as many models of "
        "{target} into contact.",
        **told,
    )
    return Contrast("equal", Finding("t9a.align.free-choice", ok=True, text=text))


def _beside(
    front: Front, slide: float, met: float, served: tuple[float, ...]
) -> Iterator[Contrast]:
    """Yield a place next to the only best one, if there is room on either side of it and fewer models in contact.

    `met` is a point of first contact, in inches along the facing. The place is half-way to where a number may change
    again.
    """
    above = front.breakpoints[front.breakpoints > slide + SAME_PLACE]
    below = front.breakpoints[front.breakpoints < slide - SAME_PLACE]
    near = [(slide + float(other)) / 2 for other in (*above[:1], *below[-1:])]
    free = [other for other in near if any(low <= other <= high for low, high in front.free)]
    values = [tuple(float(value[0]) for value in front.values(np.array([other]))) for other in free]
    kept = [
        (other, fewer)
        for other, fewer in zip(free, values, strict=True)
        if other <= met <= other + front.width
    ]
    if len(free) > 1 and kept and max(values) < served:
        (there, fewer), *_ = kept
        yield _worse(
            front,
            there,
            fewer,
            served,
            heading=say("{aside:.2f} in aside", aside=abs(there - slide)),
        )


def _overlapping(
    front: Front, slide: float, met: float, served: tuple[float, ...]
) -> Iterator[Contrast]:
    """Yield the place that would be better, or preferred, if it did not overlap an obstacle or reach beyond the board's
    edge.

    `met` is a point of first contact, in inches along the facing, that the place keeps in contact.
    """
    scene = front.scene
    charger = front.scene.charger
    best = CriticalSlides.of([(met - front.width, met)], front.breakpoints, front.values).best()
    there = preferred(best.stretches, special_slides(front), criteria(front))
    if best.values < served or abs(there - slide) <= SAME_PLACE:
        return
    pose = front.pose(there)
    board = scene.state.board
    body = charger.at(pose).boundary
    edges = np.array(
        [(0.0, 0.0), (board.width, 0.0), (board.width, board.depth), (0.0, board.depth)]
    )
    rooms = [
        (gap(body, one.shape), one.rule, one.name, one.shape.outline()) for one in scene.obstacles
    ]
    measured, rule, name, ring = min(
        [*rooms, (board.room(body), BOARD_RULE, "", edges)], key=lambda room: room[0]
    )
    if measured >= -CONTACT:
        return
    numbers = numbers_in_contact(front, there)
    pairs = zip((scene.target.name, charger.name), best.values, served, strict=True)
    more = next((unit for unit, would, was in pairs if would > was), None)
    heading = (
        say("Centred")
        if abs(there + front.width / 2 - front.facing.length / 2) <= SAME_PLACE
        else say("Farther along")
    )
    heading = (
        heading
        if more is None
        else say("{count} of {unit}", count=str(len(numbers[more])), unit=more)
    )
    told = {"heading": heading, "charger": charger.name, "depth": -measured, "obstacle": name}
    text = say("{heading}: {charger} would overlap {obstacle} by {depth:.2f} in.", **told)
    words = _depth(-measured, name)
    if rule == BOARD_RULE:
        text = say(
            "{heading}: {charger} would reach {depth:.2f} in beyond the board's edge.", **told
        )
        words = say("{depth:.2f} in beyond the edge", depth=-measured)
    areas = _common(body, ring, is_outside=rule == BOARD_RULE)
    models = {} if more is None else {more: numbers[more]}
    mark = Mark(words, pose.advanced(-charger.depth).at, areas=areas, stage="after", models=models)
    found = Finding(
        rule, ok=False, text=text, measured=measured, limit=0.0, margin=measured, mark=mark
    )
    units = {charger.name: pose}
    yield Contrast("barred", found, heading, units, models_in_contact=numbers)


def _out_of_sight(attempt: Attempt, broken: Finding) -> Iterator[Contrast]:
    """Yield how far a target ahead, but beside all that the charger sees, would have to be shifted sideways to be
    seen.
    """
    if (
        attempt.declaration.sight is not None
        or broken.mark is None
        or not broken.mark.lines
        or not broken.mark.limits
        or broken.measured is None
        or broken.limit is None
    ):
        return
    start, corner = broken.mark.lines[0]
    length = math.dist(start, corner)
    off = math.radians(broken.measured)
    most = math.radians(broken.limit)
    if off < math.pi / 2:
        aside = length * math.sin(off)
        seen = length * math.cos(off) * math.tan(most)
        told = {
            "charger": attempt.charge.charger,
            "target": attempt.charge.targets[0],
            "aside": aside - seen,
        }
        text = say(
            "{target} would be in sight of {charger} if it stood {aside:.2f} in less far aside.",
            **told,
        )
        found = Finding(
            broken.rule, ok=False, text=text, measured=aside, limit=seen, margin=seen - aside
        )
        yield Contrast("missing", found)


def _nearly_out_of_sight(scene: Scene) -> Iterator[Contrast]:
    """Yield how far a target near the edge of what the charger sees could stand farther aside, if that is little."""
    start, corner = least_aside(scene)
    off = off_axis(scene, (start, corner))
    limit = scene.book.sight_arc_deg
    if limit - NEARLY <= off <= limit + CONTACT:
        length = math.dist(start, corner)
        most = math.radians(limit)
        spare = max(
            0.0,
            length * math.cos(math.radians(off)) * math.tan(most)
            - length * math.sin(math.radians(off)),
        )
        told = {"charger": scene.charger.name, "target": scene.target.name, "spare": spare}
        text = say(
            "{target} would be out of sight of {charger} if it stood more than {spare:.2f} in farther aside.",
            **told,
        )
        found = Finding(
            "t9a.declare.line-of-sight",
            ok=False,
            text=text,
            measured=off,
            limit=limit,
            margin=limit - off,
        )
        yield Contrast("barred", found)


def _made_first(resolution: Resolution, ruling: Ruling, budget: Budget) -> Iterator[Contrast]:
    """Yield what the failed charge move would do before the others of the same target: leave the one that moves first
    no legal move.
    """
    attempt: Attempt = ruling.attempt
    target = ruling.charge.targets[0]
    first, *_ = (
        one
        for one in resolution.turns
        if one.charge.targets[0] == target and one.outcome != "not_allowed"
    )
    other: Attempt = first.attempt
    if other.done is None:
        return
    state = attempt.table
    move = failed_move(attempt.scene.on(state), attempt.facing)
    after = state.with_unit(move.start.at(move.end))
    front = Front(other.scene.on(after), other.facing)
    if aligned_place(front, budget=budget) is None:
        told = {
            "charger": ruling.charge.charger,
            "other": first.charge.charger,
            "facing": front.label,
            "target": target,
        }
        text = say(
            "Made first, the failed charge move of {charger} would leave {other} no legal charge move to the "
            "{facing} of {target}.",
            **told,
        )
        unit = state.units[first.charge.charger]
        heading = say("With {charger} first", charger=ruling.charge.charger)
        ways = [
            (unit.at(one.start), unit.at(one.end))
            for one in first.steps
            if one.kind == "forward" and one.start and one.end
        ]
        lane = tuple(
            line
            for start, end in ways
            for line in ((start.front_left, end.front_left), (start.front_right, end.front_right))
        )
        order = ruling.finding("t9a.combined.order")
        mark = None if order is None or order.mark is None else replace(order.mark, limits=lane)
        found = Finding("t9a.combined.order", ok=False, text=text, mark=mark)
        units = {ruling.charge.charger: move.end, unit.name: unit.pose}
        yield Contrast("barred", found, heading, units, steps=move.steps())


def _straight(way: Way, served: tuple[float, ...]) -> Iterator[Contrast]:
    """Yield the contrast of moving straight ahead: barred by an obstacle, or worse in contact; nothing if it is
    neither.
    """
    front = way.front
    scene = way.scene
    for rule in ON_THE_WAY:
        near = way.nearest(rule)
        if near is not None and near[0] < -CONTACT:
            margin = near[0]
            obstacle = near[1].name
            free = way.move.free_until(
                [hazard for of, hazard in way.hazards if (of, hazard.name) == (rule, obstacle)]
            )
            yield barred_ahead(
                scene.charger,
                obstacle,
                free=free,
                margin=margin,
                rules=(rule, "t9a.move.initial-forward"),
            )
            return
    best = front.best(way.reached) if way.missed <= CONTACT else None
    if best is not None and best.values < served:
        slide = preferred(best.stretches, special_slides(front), criteria(front))
        path = way.move.path
        rules = ("t9a.move.concluding-forward",)
        step = Step(
            "forward",
            scene.charger.name,
            scene.charger.pose,
            way.move.poses[3],
            path.second,
            rules=rules,
        )
        touched = tuple(
            (front.facing.point(low), front.facing.point(high))
            for low, high in way.reached
            if high - low > LEAST
        )
        heading = say("Straight ahead")
        worse = _worse(front, slide, best.values, served, heading=heading, touched=touched)
        yield replace(worse, steps=(step,))


def _next_lower(front: Front, served: tuple[float, ...], budget: Budget) -> Iterator[Contrast]:
    """Yield the best of the legal places that have fewer models in contact than the ruling; nothing if there is none.

    Raises
    ------
    NoVerdictError
        If the budget ends the search: an unknown place may be better.
    """

    def interest(reached: Intervals) -> Intervals:
        """Return the parts of the facing where reached points could add a place as good as the best of these known so
        far.
        """
        known = _lower(front, reached, served)
        return front.wanted(None if known is None else known.values, reached)

    found = _lower(
        front,
        reach(front.way, interest=interest, budget=budget).whole(unfound(front)).proven,
        served,
    )
    if found is not None:
        slide = preferred(found.stretches, special_slides(front), criteria(front))
        yield _worse(front, slide, found.values, served, heading=say("Next best position"))


def _lower(front: Front, reached: Intervals, served: tuple[float, ...]) -> BestSlides | None:
    """Return the best slides with fewer models in contact than `served` among those that reached points allow, None if
    there is none.
    """
    slides = CriticalSlides.of(front.places(reached), front.breakpoints, front.values)
    pairs = [
        (float(of_target), float(of_charger))
        for of_target, of_charger in zip(*slides.values, strict=True)
    ]
    lower = max((pair for pair in pairs if pair < served), default=None)
    if lower is None:
        return None
    good = [
        float(slide)
        for slide, pair in zip(np.concatenate(slides.runs), pairs, strict=True)
        if pair == lower
    ]
    return BestSlides(lower, tuple((slide, slide) for slide in good))


def _worse(
    front: Front,
    slide: float,
    values: tuple[float, ...],
    served: tuple[float, ...],
    *,
    heading: str,
    touched: tuple[Segment, ...] = (),
) -> Contrast:
    """Return the contrast of an aligned place with fewer models in contact; `touched` are lines of first contact."""
    charger = front.scene.charger.name
    target = front.scene.target.name
    numbers = numbers_in_contact(front, slide)
    goal = 0 if values[0] < served[0] else 1
    of = target if goal == 0 else charger
    told = {
        "heading": heading,
        "there": counted(values[goal], "models of {unit}", unit=of),
        "most": f"{served[goal]:.0f}",
    }
    text = say("{heading}: {there} would be in contact, but {most} are possible.", **told)
    words = say("only {count} of {unit}", count=f"{values[goal]:.0f}", unit=of)
    pose = front.pose(slide)
    at = pose.advanced(-front.scene.charger.depth).at
    mark = Mark(words, at, touched, stage="after", models={of: numbers[of]})
    rules = [one.rule for one in front.goals]
    goals = {rule: (was, would) for rule, was, would in zip(rules, served, values, strict=True)}
    found = Finding(rules[goal], ok=False, text=text, mark=mark)
    units = {charger: pose}
    return Contrast("worse", found, heading, units, goals=goals, models_in_contact=numbers)

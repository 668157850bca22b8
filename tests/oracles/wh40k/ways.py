"""The way that a ruling shows for a model: as long as told, and clear of everything that hinders.

Arcs are shown by chords whose corners lie on them. A short chord may therefore cut as deep into what it leads round as
a circle bulges over it, and the way told is longer than the chords by no more than their turns allow.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from tabletop.ruling.charge import Spot
from tests.oracles.wh40k.bodies import Bodies, Floats, Turned, parted
from tests.oracles.wh40k.limits import (
    ENGAGED,
    ENGAGED_ACROSS,
    ENGAGED_UP,
    engagement,
    outside,
    room,
)
from tests.oracles.wh40k.table import FREE_HEIGHT, LEVEL, Piece, Table, walked

TOUCH = 2e-6
"""Inches by which a way may seem to enter what it leads along."""
OVAL = 1e-5
"""Inches by which an oval may be off where it climbs: its curve is made of arcs, and said to be good to that."""
WIDEST = 0.15
"""Radians of an arc that one chord may stand for."""
STEP = 0.05
"""Inches between the places on a way at which it is looked what holds it up, and what engages it past a barricade."""
Leg = tuple[Spot, Spot]


def complaints(
    table: Table, row: int, path: Sequence[Spot], length: float, *, facing: float | None = None
) -> list[str]:
    """Hold one model's way against all that hinders it, and its length against the way; it ends looking `facing`
    radians from +x.

    A model that turns may do so before or after its move: it is enough that one of the two is as it should be.
    """
    begun = float(table.charger.headings[row])
    is_turned = facing is not None and facing != begun
    told = length - (table.readings.pivots[row] if is_turned else 0.0)
    headings = (begun, facing) if facing is not None and is_turned else (begun,)
    return min(
        (list(_complaints(table, row, path, told, heading)) for heading in headings), key=len
    )


def _complaints(
    table: Table, row: int, path: Sequence[Spot], length: float, heading: float
) -> Iterator[str]:
    legs = list(pairwise(path))
    form = table.charger.forms[row]
    turned = (form, 0.0 if form.is_disc else heading)
    may_fly = _may_fly(table, path, turned)
    if any(_is_slanted(leg) for leg in legs) and not may_fly:
        yield "its way rises while it goes ahead"
    is_flown = table.readings.flies_only and _is_high(table, path)
    paid = [number for number, leg in enumerate(legs) if is_flown or not _is_step(leg)]
    shortest = sum(math.dist(*legs[number]) for number in paid)
    longest = sum(_arc(path, number) for number in paid)
    if not shortest - TOUCH <= length <= longest + TOUCH:
        yield f"its way is {shortest:.5f} to {longest:.5f} long, told {length:.5f}"
    for leg in legs:
        yield from _met(table, leg, turned, may_fly=may_fly)


def _is_step(leg: Leg) -> bool:
    """Return whether a leg leads up to what costs nothing, or down from it."""
    (x, y, z), (other_x, other_y, other_z) = leg
    return (x, y) == (other_x, other_y) and max(z, other_z) <= FREE_HEIGHT


def _is_slanted(leg: Leg) -> bool:
    (x, y, z), (other_x, other_y, other_z) = leg
    return abs(z - other_z) > LEVEL and math.hypot(x - other_x, y - other_y) > LEVEL


def _may_fly(table: Table, path: Sequence[Spot], turned: Turned) -> bool:
    """Return whether a way may lead through the air: from or to terrain, and straight, seen from above, or round what
    stands higher.
    """
    run = np.array(path)[:, :2] - path[0][:2]
    aside = run[:, 0] * run[-1, 1] - run[:, 1] * run[-1, 0]
    is_straight = float(np.abs(aside).max()) <= TOUCH * max(1.0, float(np.hypot(*run[-1])))
    return (
        table.readings.flies
        and _is_high(table, path)
        and (is_straight or (table.readings.flies_only and _is_barred(table, path, turned)))
    )


def _is_barred(table: Table, path: Sequence[Spot], turned: Turned) -> bool:
    """Return whether something stands in the straight way that is higher than where it starts and ends, or a range to
    keep out of.
    """
    start, end = _seen_from(np.zeros((1, 2)), (path[0], path[-1]))
    high = max(path[0][2], path[-1][2])
    higher = [
        piece for piece in table.blocking if piece.height > high + LEVEL or not piece.is_climbed
    ]
    return table.readings.keeps_out or any(
        float(parted(turned, (piece.form, 0.0), start, end)[0]) < 0.0 for piece in higher
    )


def _is_high(table: Table, path: Sequence[Spot]) -> bool:
    """Return whether a way of a flyer is one that is measured through the air."""
    return max(path[0][2], path[-1][2]) > LEVEL or table.readings.flies_level


def _arc(path: Sequence[Spot], number: int) -> float:
    """Return the greatest length of the arc for which a leg may stand, by how much the way turns at its ends.

    Where two chords of an arc meet it turns by half of what they span together, and where an arc ends by half of what
    its last one does.
    """
    chord = math.dist(path[number], path[number + 1])
    turns = [turn for turn in (_turn(path, number), _turn(path, number + 1)) if turn > 0.0]
    turn = min(turns, default=0.0)
    return chord * turn / math.sin(turn) if 0.0 < turn <= WIDEST else chord


def _turn(path: Sequence[Spot], corner: int) -> float:
    if not 0 < corner < len(path) - 1:
        return 0.0
    before, here, after = (np.array(path[at][:2]) for at in (corner - 1, corner, corner + 1))
    first = here - before
    second = after - here
    return abs(math.atan2(first[0] * second[1] - first[1] * second[0], float(first @ second)))


def _met(table: Table, leg: Leg, turned: Turned, *, may_fly: bool) -> Iterator[str]:
    ends = _standing(table, turned, leg)
    if (beyond := -float(room(table, ends).min())) > TOUCH:
        yield f"its way leaves the board by {beyond:.5f}"
    if _is_slanted(leg):
        yield from _flown(table, leg, turned)
    elif abs(leg[0][2] - leg[1][2]) <= LEVEL:
        yield from _walked(table, leg, turned)
        if (
            leg[0][2] > LEVEL
            and not may_fly
            and not all(
                _is_held(table, _standing(table, turned, [spot]), leg[0][2]) for spot in _along(leg)
            )
        ):
            yield f"its way leads {leg[0][2]:g} up where nothing is as high"


def _standing(table: Table, turned: Turned, candidates: Sequence[Spot]) -> Bodies:
    """Return a model's footprints at several positions at once."""
    at = np.array(candidates)
    return Bodies(
        at[:, :2], at[:, 2], np.full(len(at), turned[1]), (turned[0],) * len(at), table.charger.tall
    )


def _walked(table: Table, leg: Leg, turned: Turned) -> Iterator[str]:
    """Look at what a level leg meets."""
    here = _standing(table, turned, [leg[0]])
    level = np.abs(walked(table.bodies.heights) - leg[0][2]) <= LEVEL
    yield from _bodies_met(
        table.bodies.of(np.flatnonzero(level).tolist()),
        leg,
        turned,
        reach=0.0,
        name="somebody's body",
    )
    for piece in table.blocking:
        if not piece.is_climbed or piece.height > leg[0][2] + LEVEL:
            yield from _pieces_met(piece, leg, turned)
    if table.readings.keeps_out:
        near = here.rises(table.others)[0] <= ENGAGED_UP
        yield from _bodies_met(
            table.others.of(np.flatnonzero(near).tolist()),
            leg,
            turned,
            reach=ENGAGED,
            name="the range of no target",
        )
        yield from _met_past_barricades(table, leg, turned)


def _flown(table: Table, leg: Leg, turned: Turned) -> Iterator[str]:
    """Look at what a leg through the air meets."""
    for piece in table.blocking:
        if not piece.is_climbed:
            yield from _pieces_met(piece, leg, turned)
    for spot in _along(leg):
        here = _standing(table, turned, [spot])
        inner = [
            piece
            for piece in table.blocking
            if piece.is_climbed and outside(piece, here, 0) < -STEP
        ]
        if (
            any(piece.height > spot[2] + STEP for piece in inner)
            and not table.readings.flies_through
        ):
            yield f"its way leads through terrain {spot[2]:.3f} up"
            return
        if (
            table.readings.keeps_out
            and float(engagement(table, here, table.others).max(initial=-np.inf)) > TOUCH
        ):
            yield "its way leads through the range of no target"
            return


def _bodies_met(
    unit: Bodies, leg: Leg, turned: Turned, *, reach: float, name: str
) -> Iterator[str]:
    start, end = _seen_from(unit.centres, leg)
    for number in range(len(unit)):
        depth = reach - float(
            parted(turned, unit.turned(number), start[[number]], end[[number]])[0]
        )
        if depth > bulge(leg, turned[0].bends + unit.forms[number].bends + reach) + TOUCH:
            yield f"its way enters {name} by {depth:.5f}"


def _pieces_met(piece: Piece, leg: Leg, turned: Turned) -> Iterator[str]:
    start, end = _seen_from(np.zeros((1, 2)), leg)
    depth = -float(parted(turned, (piece.form, 0.0), start, end)[0])
    if depth > bulge(leg, turned[0].bends) + TOUCH:
        yield f"its way enters terrain by {depth:.5f}"


def _seen_from(centres: Floats, leg: Leg) -> tuple[Floats, Floats]:
    """Return how far aside (n, 2) of the ends of a leg places are."""
    return centres - np.array(leg[0][:2]), centres - np.array(leg[1][:2])


def _met_past_barricades(table: Table, leg: Leg, turned: Turned) -> Iterator[str]:
    """Look past barricades at places along the leg, at those of no target that are too far away to be within range
    without one.
    """
    if not table.barricades:
        return
    for spot in _along(leg):
        here = _standing(table, turned, [spot])
        for number in np.flatnonzero(here.gaps(table.others)[0] >= ENGAGED).tolist():
            depth = float(engagement(table, here, table.others.of([number])).max())
            if (
                depth
                > bulge(leg, turned[0].bends + table.others.forms[number].bends + ENGAGED_ACROSS)
                + 2 * TOUCH
            ):
                yield f"its way enters the range of no target past a barricade by {depth:.5f}"
                return


def _along(leg: Leg) -> list[Spot]:
    """Return places along a leg, its ends included."""
    count = max(2, math.ceil(math.dist(*leg) / STEP) + 1)
    points: list[Spot] = [(x, y, z) for x, y, z in np.linspace(leg[0], leg[1], count).tolist()]
    return points


def _is_held(table: Table, here: Bodies, height: float) -> bool:
    """Return whether something just so high is under a model, or beside it where it climbs."""
    pieces = [
        piece
        for piece in (*table.blocking, *table.solids, *table.floors)
        if abs(piece.height - height) <= LEVEL
    ]
    return any(
        outside(piece, here, 0) <= (OVAL if max(here.forms[0].axes) > 0.0 else TOUCH)
        for piece in pieces
    )


def bulge(leg: Leg, bends: Floats) -> float:
    """Return how far an arc bulges over a leg, of a radius between two (2,); 0 if the leg is too long to stand for such
    an arc.
    """
    chord = math.dist(leg[0][:2], leg[1][:2])
    if chord > WIDEST * bends[1] or chord == 0.0:
        return 0.0
    radius = max(float(bends[0]), chord / WIDEST)
    return radius - math.sqrt(radius**2 - chord**2 / 4)

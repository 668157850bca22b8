"""Numbers of declaring: how near an enemy unit must be, and what is engaged when the phase begins.

A stands in (0, 0).
"""

import math
from functools import partial
from typing import Any

from tabletop.ruling.system import Case
from tests.systems.wh40k.tables import case, piece, unit
from tests.systems.wh40k.thresholds.asking import ONE, declared, inches
from tests.thresholds import Threshold, broken, unmeasured

engaged = broken(unmeasured(declared))
"""Reads whether the rule against engaged units refuses: its finding counts models."""

OVAL = "75x42mm oval"
LONG = 75 / 25.4 / 2
"""Inches from the middle of such an oval to its end."""
SQUARE = "50.8mm square"
CORNERED = [[1, 1], [-1, 1], [-1, -1], [1, -1]]


def apart(gap: float, *, rules: dict[str, Any] | None = None) -> Case:
    """Put T so far from A."""
    return case(ONE, {"T": unit([(1 + gap, 0)])}, rules=rules)


def apart_by_corner(gap: float) -> Case:
    """Put T, a round base, so far from a corner of the hull of A."""
    off = (gap + 0.5) / math.sqrt(2)
    hull = {"side": "blue", "at": [[20.0, 20.0]], "hull": CORNERED}
    return case(hull, {"T": unit([(1 + off, 1 + off)])})


def apart_by_ovals(gap: float) -> Case:
    """Put two ovals end to end, so far apart."""
    a = unit([(0, 0)], base=OVAL, facing_deg=0)
    return case(a, {"T": unit([(2 * LONG + gap, 0)], base=OVAL, facing_deg=0)})


def apart_by_squares(gap: float) -> Case:
    """Put two square bases front to front, so far apart."""
    return case(
        unit([(0, 0)], base=SQUARE, facing_deg=0),
        {"T": unit([(2 + gap, 0)], base=SQUARE, facing_deg=180)},
    )


def apart_as_units(gap: float) -> Case:
    """Put units of several models so far apart, between the nearest."""
    return case(unit([(0, 0), (-1.5, 0)]), {"T": unit([(1 + gap + 4, 0), (1 + gap, 0)])})


def up(z: float, across: float, *, height: float = 0, rules: dict[str, Any] | None = None) -> Case:
    """Put T so high on a tower, with its base so far from that of A, which is so tall."""
    x = 1 + across
    tower = piece("block", x - 0.5, -2, x + 4, 2, height=z)
    return case(
        unit([(0, 0)], height=height), {"T": unit([(x, 0, z)])}, terrain=(tower,), rules=rules
    )


def up_within(distance: float) -> Case:
    """Put T 5 up, so far away through the air."""
    return up(5, math.sqrt(distance**2 - 25))


def up_within_of_bodies(distance: float) -> Case:
    """Put T 8 up, so far through the air from the top of A, which is 3 tall."""
    return up(8, math.sqrt(distance**2 - 25), height=3, rules={"vertical": "body"})


def barred(
    gap: float, *, low: float = -2.0, height: float = 1, rules: dict[str, Any] | None = None
) -> Case:
    """Put T so far from A, with a barricade from so low on between them."""
    rail = piece("barricade", 0.7, low, 0.9, 4, height=height)
    return case(ONE, {"T": unit([(1 + gap, 0)])}, terrain=(rail,), rules=rules)


def barred_beside(low: float) -> Case:
    """Let the barricade begin so far beside the line between the middles of A and T, which are 1.5 apart."""
    return barred(1.5, low=low)


def barred_squares(beside: float) -> Case:
    """Put two square bases front to front, 1.5 apart, with a barricade that begins so far beside all their shortest
    lines.
    """
    a = unit([(0, 0)], base=SQUARE, facing_deg=0)
    t = unit([(3.5, 0)], base=SQUARE, facing_deg=180)
    return case(a, {"T": t}, terrain=(piece("barricade", 1.6, 1 + beside, 1.8, 4, height=1),))


def barred_oval(beside: float) -> Case:
    """Put T 1.5 from an oval, off its axes, with a barricade whose edge is so far beside their shortest line and along
    it.
    """
    share = 0.9
    half = LONG
    wide = 42 / 25.4 / 2
    foot = (half * math.cos(share), wide * math.sin(share))
    out = math.atan2(half * math.sin(share), wide * math.cos(share))
    ahead = (math.cos(out), math.sin(out))
    left = (-math.sin(out), math.cos(out))

    def spot(along: float, across: float) -> list[float]:
        return [
            20 + foot[0] + along * ahead[0] + across * left[0],
            20 + foot[1] + along * ahead[1] + across * left[1],
        ]

    corners = [spot(0.7, beside), spot(0.9, beside), spot(0.9, beside + 2), spot(0.7, beside + 2)]
    rail = {"name": "Rail", "kind": "barricade", "polygon": corners, "height": 1}
    x, y = spot(2.0, 0.0)
    return case(
        unit([(0, 0)], base=OVAL, facing_deg=0), {"T": unit([(x - 20, y - 20)])}, terrain=(rail,)
    )


def barred_underneath(inside: float) -> Case:
    """Put T 1.5 from A, with a barricade under its base that begins so far inside it."""
    return case(
        ONE,
        {"T": unit([(2.5, 0)])},
        terrain=(piece("barricade", 2 + inside, -0.1, 2.6, 0.1, height=1),),
    )


TWELVE = ("eligible.near", "targets.range")
RANGES: tuple[Threshold, ...] = (
    *(inches(rule, "gap of round bases", 12, apart, "at most", reads=declared) for rule in TWELVE),
    *(
        inches(rule, "gap of ovals end to end", 12, apart_by_ovals, "at most", reads=declared)
        for rule in TWELVE
    ),
    *(
        inches(
            rule,
            "gap of square bases front to front",
            12,
            apart_by_squares,
            "at most",
            reads=declared,
        )
        for rule in TWELVE
    ),
    *(
        inches(
            rule, "gap from the corner of a hull", 12, apart_by_corner, "at most", reads=declared
        )
        for rule in TWELVE
    ),
    *(
        inches(
            rule,
            "gap of the nearest of several models",
            12,
            apart_as_units,
            "at most",
            reads=declared,
        )
        for rule in TWELVE
    ),
    *(
        inches(rule, "distance through the air, 5 up", 12, up_within, "at most", reads=declared)
        for rule in TWELVE
    ),
    *(
        inches(
            rule,
            "distance in the air between bodies, by choice",
            12,
            up_within_of_bodies,
            "at most",
            reads=declared,
        )
        for rule in TWELVE
    ),
    *(
        inches(
            rule,
            "gap, declare_range replaced",
            9,
            partial(apart, rules={"declare_range": 9}),
            "at most",
            reads=declared,
        )
        for rule in TWELVE
    ),
)
BESIDE = "how far beside the shortest line a barricade begins that still counts"
ENGAGED = (
    inches(
        "eligible.not-engaged",
        "gap of round bases that are engaged",
        1,
        apart,
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "gap of ovals that are engaged",
        1,
        apart_by_ovals,
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "gap of square bases that are engaged",
        1,
        apart_by_squares,
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "gap from the corner of a hull that is engaged",
        1,
        apart_by_corner,
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "height between models that are engaged",
        5,
        lambda z: up(z, 0.5),
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "gap of models 5 up that are engaged",
        1,
        lambda gap: up(5, gap),
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "height between bodies of which one is 2 tall, by choice",
        7,
        lambda z: up(z, 0.5, height=2, rules={"vertical": "body"}),
        "at most",
        reads=engaged,
    ),
    inches("eligible.not-engaged", "gap across a barricade", 2, barred, "at most", reads=engaged),
    inches(
        "eligible.not-engaged",
        "gap across a tall barricade",
        2,
        partial(barred, height=4),
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged", f"{BESIDE} of discs", 0, barred_beside, "at most", reads=engaged
    ),
    inches(
        "eligible.not-engaged",
        f"{BESIDE} of an oval and a disc",
        0,
        barred_oval,
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        f"{BESIDE}, one of many, of square bases",
        0,
        barred_squares,
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "how far under a base a barricade begins that still counts",
        0,
        barred_underneath,
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "gap, engagement_horizontal replaced",
        2.5,
        partial(apart, rules={"engagement_horizontal": 2.5}),
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "height, engagement_vertical replaced",
        3,
        lambda z: up(z, 0.5, rules={"engagement_vertical": 3}),
        "at most",
        reads=engaged,
    ),
    inches(
        "eligible.not-engaged",
        "gap across a barricade, barricade_engagement replaced",
        3,
        partial(barred, rules={"barricade_engagement": 3}),
        "at most",
        reads=engaged,
    ),
)

ROWS = (*RANGES, *ENGAGED)

"""Units and tolerances: inches and radians inside, millimetres and degrees at the edge."""

import math

MM_PER_INCH = 25.4
"""Exactly, by definition of the inch."""

CONTACT = 1e-6
"""Inches. Two bodies whose signed gap is within this touch; every comparison of lengths allows it."""

STRICTLY_BEYOND = 2 * CONTACT
"""Inches added to a limit that must be exceeded by more than the tolerance, so that its margin is compared like any other."""

FLUSH = 1e-7
"""Radians. Two edges whose directions differ by no more than this are parallel."""

MARGINAL = 1e-3
"""Inches. A verdict whose margin is within this is called marginal: no hand places a model so exactly."""

HAND = 1e-3
"""Inches by which a unit or a model put down by hand may miss its place."""

MEANT = HAND + CONTACT
"""Inches within which a place counts as the one that is meant: what a hand may miss by, and what every comparison allows."""

UNTOLD = 5e-3
"""Inches. Two lengths that are nearer to each other may be told alike to hundredths."""

FAR_OFF = 1e6
"""Inches. Farther than any board: of lengths that are none."""

FULL_TURN = 360.0
"""Degrees."""

RIGHT_ANGLE = math.pi / 2
"""Radians."""


def inches(millimetres: float) -> float:
    """Convert millimetres to inches."""
    return millimetres / MM_PER_INCH


def wrapped(angle: float) -> float:
    """Bring an angle in radians into (-pi, pi]."""
    turned = math.remainder(angle, math.tau)
    return math.pi if turned <= -math.pi else turned


def facing_degrees(heading: float) -> float:
    """Return a heading in radians as degrees in [0, 360), free of rounding dust below 1e-9 degrees; of what it gives it gives the same."""
    degrees = round(round(math.degrees(heading), 9) % FULL_TURN, 9)
    return 0.0 if degrees >= FULL_TURN else degrees + 0.0

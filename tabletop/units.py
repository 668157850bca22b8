"""Units and tolerances: inches and radians inside the program, millimetres and degrees in files and output."""

import math

MM_PER_INCH = 25.4
"""Millimetres per inch, exact by definition."""

CONTACT = 1e-6
"""Tolerance of lengths in inches: shapes whose signed gap is within it touch."""

STRICTLY_BEYOND = 2 * CONTACT
"""Inches added to a limit that must be strictly exceeded, so that its margin compares like any other."""

FLUSH = 1e-7
"""Tolerance of directions in radians: edges within it are parallel."""

MARGINAL = 1e-3
"""Inches. A margin smaller than this is called marginal: finer than models are placed by hand."""

HAND = 1e-3
"""Inches by which a unit or model placed by hand may miss its place."""

MEANT = HAND + CONTACT
"""Inches within which a place counts as the intended one: hand accuracy plus the tolerance of lengths."""

SAME_HUNDREDTH = 5e-3
"""Inches. Lengths closer than this may look equal when printed to hundredths."""

FAR_OFF = 1e6
"""Stand-in in inches for a length that does not exist; larger than any board."""

FULL_TURN = 360.0
"""Full turn in degrees."""

RIGHT_ANGLE = math.pi / 2
"""Right angle in radians."""


def inches(millimetres: float) -> float:
    """Return a length in millimetres as inches."""
    return millimetres / MM_PER_INCH


def wrapped(angle: float) -> float:
    """Return an angle in radians, changed by whole turns so that it lies in (-pi, pi]."""
    turned = math.remainder(angle, math.tau)
    return math.pi if turned <= -math.pi else turned


def facing_degrees(heading: float) -> float:
    """Return a heading in radians as degrees in [0, 360), rounded to 1e-9; converting back and again gives the same
    value.
    """
    degrees = round(round(math.degrees(heading), 9) % FULL_TURN, 9)
    return 0.0 if degrees >= FULL_TURN else degrees + 0.0

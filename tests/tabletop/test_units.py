"""Inches, radians and how they are printed."""

import math

import pytest

from tabletop.units import facing_degrees, inches, wrapped


def test_an_inch_is_exactly_25_4_mm() -> None:
    """Base sizes in millimetres become inches by the definition of the inch."""
    assert inches(25.4) == 1.0
    assert inches(20.0) == 20.0 / 25.4


@pytest.mark.parametrize(
    ("angle", "expected"),
    [
        (0.0, 0.0),
        (math.pi, math.pi),
        (-math.pi, math.pi),
        (3 * math.pi / 2, -math.pi / 2),
        (-7.0, math.tau - 7.0),
    ],
)
def test_wrapped_angles_lie_in_one_turn(angle: float, expected: float) -> None:
    """The half turn is +pi, whichever way it was made."""
    assert wrapped(angle) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(90.0, 90.0), (-90.0, 270.0), (720.0, 0.0), (-1e-12, 0.0), (359.9999999999, 0.0)],
)
def test_facings_are_printed_without_rounding_dust(degrees: float, expected: float) -> None:
    """A hair below a whole turn is 0, and no facing is -0."""
    printed = facing_degrees(math.radians(degrees))
    assert printed == pytest.approx(expected, abs=1e-9)
    assert math.copysign(1.0, printed) == 1.0

"""Figures for everybody: sides and outcomes told apart by simulated eyes and in grey, in every theme."""

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from plots.marks.styles import styles_of
from plots.marks.theme import OUTCOME_NAMES, PRINT, SIDE_PATTERNS, THEMES, Theme
from plots.render.paths import DOTS
from tests.plots.contrast import contrast

Colour = NDArray[np.float64]

DEFICIENCIES = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""Matrices on linear RGB for the whole loss of one kind of cone: Machado, Oliveira and Fernandes (2009), severity
1.0."""
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)
WHITE = TO_XYZ @ np.ones(3)
COLOURED = pytest.mark.parametrize(
    "theme",
    [theme for theme in THEMES.values() if theme is not PRINT],
    ids=lambda theme: theme.name,
)
EVERY = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
CLEAR = 10.0
"""Least difference of two colours in CIELAB: about four times what is just seen side by side."""


def linear(colour: str) -> Colour:
    """Return a colour as light."""
    signal = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(signal <= 0.04045, signal / 12.92, ((signal + 0.055) / 1.055) ** 2.4)


def lab(light: Colour) -> Colour:
    """Return light in CIELAB."""
    ratio = TO_XYZ @ np.clip(light, 0.0, 1.0) / WHITE
    x, y, z = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def seen(kind: str) -> Callable[[str], Colour]:
    """Return how eyes of a kind see a colour."""
    matrix = np.array(DEFICIENCIES[kind])
    return lambda colour: lab(matrix @ linear(colour))


def difference(first: Colour, second: Colour) -> float:
    """Measure how far two colours are apart."""
    return float(np.linalg.norm(first - second))


def test_the_simulation_agrees_with_what_is_known() -> None:
    """Greys stay as they are for all eyes, and red and green of one lightness nearly fall together for deuteranopes
    only.
    """
    for kind in DEFICIENCIES:
        assert difference(seen(kind)("#808080"), lab(linear("#808080"))) < 1.0
    red = "#b8860b"
    green = "#6b9a2c"
    assert difference(seen("deuteranopia")(red), seen("deuteranopia")(green)) < 0.5 * difference(
        lab(linear(red)), lab(linear(green))
    )


@COLOURED
@pytest.mark.parametrize("kind", DEFICIENCIES)
def test_the_first_two_sides_differ_in_colour_for_all_eyes(theme: Theme, kind: str) -> None:
    """Blue and red, which most figures show, differ clearly however colours are seen."""
    first, second = theme.sides[:2]
    assert difference(seen(kind)(first), seen(kind)(second)) >= 4 * CLEAR


@COLOURED
@pytest.mark.parametrize("kind", DEFICIENCIES)
def test_all_sides_differ_in_colour_or_pattern_for_all_eyes(theme: Theme, kind: str) -> None:
    """Any two sides differ in the colour of their outlines, or else by a pattern that can be seen on their bases."""
    looks = styles_of(theme)
    for one, other in combinations(range(len(theme.sides)), 2):
        apart = difference(seen(kind)(theme.sides[one]), seen(kind)(theme.sides[other]))
        patterns = {looks[f"models.{tone}"].pattern for tone in (one, other)}
        assert apart >= CLEAR or len(patterns) == 2


@EVERY
@pytest.mark.parametrize("kind", ["grey", *DEFICIENCIES])
def test_patterns_of_sides_are_seen(theme: Theme, kind: str) -> None:
    """Lines and dots on bases stand out from the base in grey and for all eyes, and every side has its own pattern."""
    looks = [styles_of(theme)[f"models.{tone}"] for tone in range(len(SIDE_PATTERNS))]
    assert len({look.pattern for look in looks}) == len(looks)
    for look in looks:
        if look.pattern and kind == "grey":
            assert contrast(look.pattern_colour, look.fill or theme.table) >= (
                1.8 if look.pattern in DOTS else 1.6
            )
        elif look.pattern:
            assert (
                difference(seen(kind)(look.pattern_colour), seen(kind)(look.fill or theme.table))
                >= CLEAR
            )


@EVERY
def test_in_grey_models_in_contact_are_darker_or_lighter_than_all_others(theme: Theme) -> None:
    """Whatever the side, contact is told by light alone: 3:1 against every base that is not in contact."""
    looks = styles_of(theme)
    touching = [looks[f"contact.{tone}"].fill or "" for tone in range(len(SIDE_PATTERNS))]
    others = [looks[f"models.{tone}"].fill or "" for tone in range(len(SIDE_PATTERNS))]
    assert min(contrast(one, other) for one in touching for other in others) >= 3.0


@EVERY
def test_outcomes_are_told_by_words_and_patterns(theme: Theme) -> None:
    """Bars of outcomes differ by pattern or by fill that differs in grey."""
    looks = [styles_of(theme)[f"odds.{outcome}"] for outcome in OUTCOME_NAMES]
    for one, other in combinations(looks, 2):
        assert one.pattern != other.pattern or contrast(one.fill or "", other.fill or "") >= 1.5

"""Places that were tried one by one: a symbol at each, its shape and colour by the outcome, or its shade by a number."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plots.marks.heat import Band, shade
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Mark, PointMark, points
from plots.marks.theme import OUTCOME_NAMES, SPOT_NAMES
from tabletop.geometry.pose import FloatArray

NOTHING = "nothing"
"""The name of places with no number, or with 0."""


def outcome_spots(prefix: str, places: FloatArray, outcomes: NDArray[Any]) -> tuple[Mark, ...]:
    """Mark places (n, 2) on the table by the words (n) of their outcomes, the better above the worse."""
    return tuple(_spots(prefix, name, places[outcomes == name]) for name in SPOT_NAMES if (outcomes == name).any())


def number_spots(prefix: str, places: FloatArray, numbers: NDArray[Any], bands: Sequence[Band]) -> tuple[Mark, ...]:
    """Mark places (n, 2) on the table by the numbers (n) of their bands, -1 where they are in none."""
    names = [NOTHING, *(shade(number, len(bands)).removeprefix("heat.") for number in range(len(bands)))]
    shown = [(name, places[numbers == number]) for number, name in enumerate(names, start=-1)]
    return tuple(_spots(prefix, name, some) for name, some in shown if len(some))


def _spots(prefix: str, name: str, places: FloatArray) -> Mark:
    return PointMark(f"{prefix}.spots.{name}", f"spot.{name}", points(places))


def spot_meanings(outcomes: NDArray[Any] | None, bands: Sequence[Band], language: Language = ENGLISH) -> dict[str, str]:
    """Give the words of the key for each role: outcomes with how many places have them, or bands, and what is in none of them."""
    if outcomes is None:
        told = {f"spot.{shade(number, len(bands)).removeprefix('heat.')}": band.words for number, band in enumerate(bands)}
        return {**told, f"spot.{NOTHING}": language.words["map.nothing"]}
    return {f"spot.{name}": f"{spot_words(name, language)}: {np.count_nonzero(outcomes == name):,}" for name in SPOT_NAMES[::-1]}


def spot_words(name: str, language: Language = ENGLISH) -> str:
    """Name an outcome, of a table that could not be resolved too."""
    return language.words[f"outcome.{name}" if name in OUTCOME_NAMES else f"map.{name}"]

"""A figure in words: the ruling before the places, and who stands where to whom."""

import math
import re
from typing import Any

import pytest

from plots.marks.alt_text import description, relation
from tabletop.geometry.pose import Pose
from tabletop.language.language import bundled, speaking
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board, HexUnit, State
from tests.plots import loose
from tests.plots.scenes import case_of, charge_resolution, regiment

MM20 = 20 / 25.4
NORTH = math.pi / 2
SOUTH = -math.pi / 2
DEPTH = 2 * MM20
"""Depth of a regiment of two ranks."""


def told(pose: Pose, language: str = "english") -> str:
    """Return A's position relative to B, which faces north at (36, 24), ten files wide and two ranks deep."""
    units = (
        regiment("A", "blue", pose, files=2, models=4),
        regiment("B", "red", Pose(36.0, 24.0, NORTH), files=10, models=20),
    )
    state = State(Board(72.0, 48.0), {unit.name: unit for unit in units})
    with speaking(bundled(language)):
        return relation(state, "A", "B")


@pytest.mark.parametrize(
    ("pose", "place"),
    [
        (Pose(38.5, 28.0, SOUTH), r"4 in\b.*\bfront of B\b.*\bright\b"),
        (Pose(33.5, 28.0, SOUTH), r"4 in\b.*\bfront of B\b.*\bleft\b"),
        (Pose(36.2, 24.5, SOUTH), r"0\.5 in\b.*\bfront of B\b.*\bmiddle\b"),
        (Pose(36.0, 24.0, SOUTH), r"touching\b.*\bfront of B\b.*\bmiddle\b"),
        (Pose(38.5, 24.0 - DEPTH - 2.25, NORTH), r"2\.25 in\b.*\bbehind B\b.*\bright\b"),
        (Pose(36.0 + 5 * MM20 + 3.0, 24.0 - MM20, math.pi), r"3 in\b.*\bright of B\b.*\bmiddle\b"),
        (Pose(36.0 - 5 * MM20 - 3.0, 24.0 - 0.1, 0.0), r"3 in\b.*\bleft of B\b.*\bfront\b"),
    ],
)
def test_how_one_regiment_stands_to_another(pose: Pose, place: str) -> None:
    """Distances are between the two, sides and halves are those of the one that is charged."""
    assert re.match(rf"A\W+{place}", told(pose))


def test_it_is_said_in_other_languages() -> None:
    """German has words of its own."""
    assert told(Pose(38.5, 28.0, SOUTH), "german") == "A, 4 Zoll vor der rechten Hälfte von B"


def test_how_hexes_lie() -> None:
    """The distance in hexes and the side of the hex."""
    board = HexBoard.of(15, 17)
    places: dict[str, Any] = {"A": (5, 8), "B": (5, 3), "C": (5, 9), "D": (5, 8)}
    state: State[Any] = State(
        board, {name: HexUnit(name, "blue", board.pose(place, 0)) for name, place in places.items()}
    )
    assert re.fullmatch(r"A\b.*\b5 hexes S\b.*\bB", relation(state, "A", "B"))
    assert re.fullmatch(r"A\b.*\bhex\b.*\bC\b.*\bN", relation(state, "A", "C"))
    assert re.fullmatch(r"A\b.*\bhex\b.*\bD", relation(state, "A", "D"))


def test_the_ruling_comes_first_and_places_last() -> None:
    """Who listens hears the outcome, then how they stand before and after, and the coordinates at the end."""
    for resolution in (charge_resolution(), loose.charge_resolution()):
        spoken = description(case_of(resolution.before, resolution.rulings[0].charge), resolution)
        parts = [
            spoken.index(words)
            for words in ("Success: A", "Before: A", "After: A", " board ", "A (blue")
        ]
        assert parts == sorted(parts)
        assert parts[0] == 0

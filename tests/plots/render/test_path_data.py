"""Paths of an SVG: short, and where they were."""

import math
import random

import pytest
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path import parse_path

from plots.render.path_data import relative


def drawn(data: str) -> list[tuple[str, list[tuple[float, float]]]]:
    """Give what a pen draws of a path, as somebody else reads it."""
    pen = RecordingPen()
    parse_path(data, pen)
    return [(word, list(places)) for word, places in pen.value]


def at_random(seed: int) -> str:
    """Write a path of absolute commands with all kinds of steps, in hundredths as a document has them."""
    chance = random.Random(seed)  # noqa: S311 - a test

    def places(count: int) -> str:
        return " ".join(f"{chance.choice((-3, 0, 0, 2.5, -0.01, 117.93, 400)) + chance.choice((0, 0, 0.25)):g}" for _ in range(2 * count))

    commands = [("L", 1), ("L", 1), ("L", 1), ("C", 3), ("Q", 2)]
    parts = []
    for _ in range(chance.randint(1, 3)):
        steps = [f"{word} {places(count)}" for word, count in (chance.choice(commands) for _ in range(chance.randint(1, 9)))]
        parts.append(" ".join([f"M {places(1)}", *steps, *(["z"] if chance.random() < 0.5 else [])]))
    return " ".join(parts)


@pytest.mark.parametrize("seed", range(60))
def test_a_path_draws_the_same(seed: int) -> None:
    """Whatever its steps are, a pen comes to the same places, however long the path is."""
    before, after = drawn(at_random(seed)), drawn(relative(at_random(seed)))
    assert [word for word, _ in after] == [word for word, _ in before]
    for (_, old), (_, new) in zip(before, after, strict=True):
        assert all(math.dist(one, other) < 1e-6 for one, other in zip(old, new, strict=True))


@pytest.mark.parametrize(
    ("data", "short"),
    [
        ("M 0 0 L 0 0 z", "M0 0h0z"),
        ("M 1 1 L 1 3 L 1 2 L 5 2", "M1 1v2-1h4"),
        ("M 1 1 L 2 3 z M 4 4 L 3 3 z", "M1 1l1 2zM4 4l-1-1z"),
        ("M 1 1 L 2 3 z L 4 4", "M1 1l1 2zl3 3"),
        ("M 9 9 M 1 1 L 0.5 0.75", "M9 9M1 1l-.5-.25"),
        ("M 1 1 C 2 1 3 2 3 3 C 3 4 2 5 1 5", "M1 1c1 0 2 1 2 2 0 1-1 2-2 2"),
        ("", ""),
    ],
)
def test_a_command_that_goes_on_is_left_out(data: str, short: str) -> None:
    """Level and upright lines have one number; behind its end a path goes on where it began; two moves are never one."""
    assert relative(data) == short

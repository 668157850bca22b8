"""Paths of an SVG in few letters: each point is told from the one before it."""

import re
from collections.abc import Iterator
from functools import lru_cache

HUNDREDTHS = 100
"""Coordinates are whole numbers of these parts of a point, so that no error adds up along a path."""
PAIRS = {"M": 1, "L": 1, "Q": 2, "C": 3}
"""Points behind each command."""

_PART = re.compile(r"([MLQCz])([^MLQCz]*)")

Place = tuple[int, int]


def relative(data: str) -> str:
    """Write the data of a path, whose commands are absolute, with relative ones; only where a line begins is told from the page's corner.

    Examples
    --------
    >>> relative("M 10 20 L 12.5 20 L 12.5 19.25 L 13 19.5 z")
    'M10 20h2.5v-.75l.5.25z'
    """
    return "".join(_written(data))


def _written(data: str) -> Iterator[str]:
    here = begun = (0, 0)
    last = ""
    for command, inside in _PART.findall(data):
        if command == "z":
            here, last = begun, "z"
            yield "z"
            continue
        hundredths = [round(float(number) * HUNDREDTHS) for number in inside.split()]
        places = list(zip(hundredths[::2], hundredths[1::2], strict=True))
        for start in range(0, len(places), PAIRS[command]):
            ends = places[start : start + PAIRS[command]]
            word, numbers = _step(command, here, ends)
            is_new = word != last or word == "M"
            yield f"{word if is_new else ''}{_numbers(numbers, is_first=is_new)}"
            here, last = ends[-1], word
            begun = here if command == "M" else begun


def _step(command: str, here: Place, ends: list[Place]) -> tuple[str, list[int]]:
    """Give the command of a step and its numbers, seen from `here`; a move stays as it is."""
    if command == "M":
        return "M", list(ends[0])
    steps = [(x - here[0], y - here[1]) for x, y in ends]
    if command == "L" and steps[0][1] == 0:
        return "h", [steps[0][0]]
    if command == "L" and steps[0][0] == 0:
        return "v", [steps[0][1]]
    return command.lower(), [number for step in steps for number in step]


def _numbers(hundredths: list[int], *, is_first: bool) -> str:
    """Write numbers, parted where neither a sign, nor a second point, nor a command does."""
    told, last = "", ""
    for place, number in enumerate(map(_number, hundredths)):
        is_parted = number.startswith("-") or (place == 0 and is_first) or (number.startswith(".") and "." in last)
        told, last = told + (number if is_parted else f" {number}"), number
    return told


@lru_cache(maxsize=8192)
def _number(hundredths: int) -> str:
    sign, (whole, rest) = "-" if hundredths < 0 else "", divmod(abs(hundredths), HUNDREDTHS)
    decimals = f".{rest:02d}".rstrip("0").rstrip(".")
    return f"{sign}{whole or ''}{decimals}" if whole or decimals else "0"

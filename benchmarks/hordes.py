"""Units of loose models against each other for the benchmarks, the same for the same seed: ranks, bystanders, ruined
walls.
"""

import math
import random
from typing import Any

from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables

RADIUS = 16 / 25.4
"""Inches: bases of 32 mm."""
PITCH = 1.4
WIDTH = 60.0
DEPTH = 44.0
TOTALS = (8, 9, 9, 10)
Spot = tuple[float, float]
Box = tuple[float, float, float, float]


def horde(seed: int, *, size: int, sizes: tuple[int, ...] = (10,), walls: int = 1) -> Case:
    """Make a table: a unit of `size` models in ranks charges units of `sizes` 6 in away; a bystander stands beside
    them.
    """
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    spots = {"A": _block(dice, size, 15.0, 22.0, ranks=max(2, size // 5))}
    gap = 0.5
    far = spots["A"][0][0] + 7.0 + dice.uniform(-0.5, 0.7)
    wide = sum(math.ceil(count / 2) * PITCH + gap for count in sizes) - gap
    south = 22.0 - wide / 2 + dice.uniform(-1.0, 1.0)
    for number, count in enumerate(sizes):
        spots[f"T{number}"] = _column(dice, count, far, south)
        south += math.ceil(count / 2) * PITCH + gap
    spots["N"] = _column(dice, 4, far + dice.uniform(-0.5, 0.5), south + dice.uniform(1.2, 2.5))
    placed = [spot for unit in spots.values() for spot in unit]
    boxes = _walls(dice, walls, placed, far)
    total = dice.choice(TOTALS)
    return case_from_tables(
        {
            "system": "wh40k",
            "board": {"width": WIDTH, "depth": DEPTH},
            "terrain": [_piece(number, box) for number, box in enumerate(boxes)],
            "units": {name: _unit(name, unit) for name, unit in spots.items()},
            "charges": [
                {
                    "charger": "A",
                    "targets": [f"T{number}" for number in range(len(sizes))],
                    "dice": [total // 2, total - total // 2],
                }
            ],
        }
    )


def _block(
    dice: random.Random, count: int, front: float, middle: float, *, ranks: int
) -> list[Spot]:
    """Put models in ranks that look east, the first rank at x = `front`."""
    files = math.ceil(count / ranks)
    places = [
        (front - PITCH * (number // files), middle + PITCH * (number % files - (files - 1) / 2))
        for number in range(count)
    ]
    return [_jittered(dice, place) for place in places]


def _column(dice: random.Random, count: int, west: float, south: float) -> list[Spot]:
    """Put models two deep, northwards from y = `south`."""
    return [
        _jittered(dice, (west + PITCH * (number % 2), south + PITCH * (number // 2)))
        for number in range(count)
    ]


def _jittered(dice: random.Random, place: Spot) -> Spot:
    return (place[0] + dice.uniform(-0.06, 0.06), place[1] + dice.uniform(-0.06, 0.06))


def _walls(dice: random.Random, count: int, placed: list[Spot], far: float) -> list[Box]:
    """Pick walls half an inch thick between the two sides and around them, where nobody stands."""
    boxes: list[Box] = []
    while len(boxes) < count:
        west = dice.uniform(14.0, far + 2.0)
        south = dice.uniform(12.0, 30.0)
        length = dice.uniform(1.5, 4.0)
        east, north = (
            (west + 0.5, south + length) if dice.random() < 0.5 else (west + length, south + 0.5)
        )
        if all(_away((west, south, east, north), spot) >= RADIUS + 0.05 for spot in placed):
            boxes.append((west, south, east, north))
    return boxes


def _away(box: Box, spot: Spot) -> float:
    across = max(box[0] - spot[0], spot[0] - box[2], 0.0)
    along = max(box[1] - spot[1], spot[1] - box[3], 0.0)
    return math.hypot(across, along)


def _unit(name: str, spots: list[Spot]) -> dict[str, Any]:
    return {
        "side": "blue" if name == "A" else "red",
        "base": "32mm round",
        "at": [list(spot) for spot in spots],
    }


def _piece(number: int, box: Box) -> dict[str, Any]:
    west, south, east, north = box
    corners = [[west, south], [east, south], [east, north], [west, north]]
    return {"name": f"Wall {number}", "kind": "wall", "polygon": corners, "height": 5}

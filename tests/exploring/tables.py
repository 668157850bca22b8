"""Tables of results, read; and random tables of The Ninth Age for maps of threat: a charger, a target, and many bodies
around them.
"""

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tabletop.exploring.export import numbered_rows

Entry = dict[str, Any]
BASES = ("20x20mm", "25x25mm", "25x50mm", "40x40mm", "30x60mm")
APART = 0.3
"""Inches between bodies, at least, by the circles about them."""


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Read the rows of a table of results."""
    return (row for _, row in numbered_rows(path))


def random_table(
    number: int, *, bodies: int = 12, board: tuple[float, float] = (72.0, 48.0)
) -> Entry:
    """Write the scenario of a number: A charges T among `bodies` others, on a board of so many inches."""
    dice = random.Random(number)  # noqa: S311 - scenes, not secrets
    width, depth = board
    table: Entry = {
        "system": "t9a",
        "board": {"width": width, "depth": depth},
        "units": {},
        "terrain": [],
        "rules": _readings(dice),
    }
    taken: list[tuple[float, float, float]] = []
    table["units"]["A"] = _unit(
        dice, "blue", _free_spot(dice, taken, board, reach=5.0, middle=True)
    )
    table["units"]["T"] = _unit(dice, "red", _free_spot(dice, taken, board, reach=5.0))
    for index in range(bodies):
        if dice.random() < 0.5:
            side = dice.choice(("red", "blue"))
            table["units"][f"N{index}"] = _unit(
                dice, side, _free_spot(dice, taken, board, reach=3.5), most_files=5
            )
        else:
            table["terrain"].append(
                _piece(dice, f"t{index}", _free_spot(dice, taken, board, reach=2.5))
            )
    table["charges"] = [{"charger": "A", "targets": ["T"]}]
    return table


def _readings(dice: random.Random) -> Entry:
    words: dict[str, tuple[Any, ...]] = {
        "friend_touch": (True, False),
        "impassable_touch": (False, True),
        "corners": ("both", "neither"),
        "arc_tie": ("best", "flank"),
        "distance_from": ("boundary", "front"),
        "blocked_facing": ("best", "adjacent"),
        "blocked_by_friends": (True, False),
        "clearance": (0.001, 0.05),
    }
    return {key: values[0] if dice.random() < 0.8 else values[1] for key, values in words.items()}


def _free_spot(
    dice: random.Random,
    taken: list[tuple[float, float, float]],
    board: tuple[float, float],
    *,
    reach: float,
    middle: bool = False,
) -> tuple[float, float]:
    """Find a place whose circle of `reach` inches holds no other body; after many attempts one far off the others."""
    width, depth = board
    edge = min(width, depth) / 3 if middle else reach
    for _ in range(2000):
        x = dice.uniform(edge, width - edge)
        y = dice.uniform(edge, depth - edge)
        if all(
            math.hypot(x - other_x, y - other_y) >= reach + other + APART
            for other_x, other_y, other in taken
        ):
            taken.append((x, y, reach))
            return x, y
        reach *= 0.999
    raise AssertionError("the board is too full")


def _unit(dice: random.Random, side: str, at: tuple[float, float], *, most_files: int = 8) -> Entry:
    files = dice.randint(1, most_files)
    base = dice.choice(BASES)
    wide, deep = (int(part) for part in base[:-2].split("x"))
    files = min(files, 200 // wide if most_files > 5 else 100 // wide)
    ranks = dice.randint(1, max(1, (150 if most_files > 5 else 90) // deep))
    profile: Entry = {"charge_speed": dice.choice((3, 5, 7, 12)), "height": dice.randint(0, 3)}
    profile |= {
        "maximised": dice.choice((0, 0, 0, 1, 2)),
        "minimised": dice.choice((0, 0, 0, 1)),
        "swiftstride": dice.random() < 0.2,
    }
    profile |= {"fly": dice.random() < 0.1, "skirmish": files <= 3 and dice.random() < 0.3}
    heading = (
        dice.choice((0.0, 90.0, 180.0, 270.0)) if dice.random() < 0.3 else dice.uniform(0.0, 360.0)
    )
    turn = math.radians(heading)
    half = ranks * deep / 25.4 / 2
    middle = [at[0] + half * math.cos(turn), at[1] + half * math.sin(turn)]
    models = files * (ranks - 1) + dice.randint(1, files)
    return {
        "side": side,
        "at": middle,
        "facing_deg": heading,
        "files": files,
        "models": max(models, files),
        "base": base,
        "profile": profile,
    }


def _piece(dice: random.Random, name: str, at: tuple[float, float]) -> Entry:
    """Make a disc, a triangle, a box or an L within two inches and a half of a point."""
    kind = dice.choice(("impassable", "impassable", "impassable", "opaque", "open"))
    if dice.random() < 0.25:
        return {
            "name": name,
            "kind": kind,
            "circle": {"centre": list(at), "radius": dice.uniform(0.3, 2.0)},
        }
    forms: tuple[list[tuple[float, float]], ...] = (
        [(-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)],
        [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)],
        [(-1.0, -1.0), (1.0, -1.0), (1.0, -0.5), (-0.5, -0.5), (-0.5, 1.0), (-1.0, 1.0)],
    )
    flat = dice.choice(forms)
    angle = dice.uniform(0.0, math.tau)
    size = dice.uniform(0.4, 1.7)
    cos = size * math.cos(angle)
    sin = size * math.sin(angle)
    return {
        "name": name,
        "kind": kind,
        "polygon": [[at[0] + cos * p - sin * q, at[1] + sin * p + cos * q] for p, q in flat],
    }

"""Extreme tables of hexes, for BattleTech."""

import random
from typing import Any

Tables = dict[str, Any]
FACINGS = ("N", "NE", "SE", "S", "SW", "NW")
COVERS = ("light_woods", "heavy_woods", "rough", "rubble", "pavement", "water", "building")
THEMES = ("far", "crowd", "ground", "many", "maze", "plain")


def hexed(number: int) -> Tables:
    """Return a board of up to 99 by 99 hexes, with movement that reaches far, crowds to be pushed aside, and ground of
    every kind.
    """
    source = random.Random(f"battletech {number}")  # noqa: S311 - scenes, not secrets
    theme = THEMES[number % len(THEMES)]
    lines = source.choice((1, 2, 5, 15, 40, 99))
    columns = lines
    rows = source.choice((lines, lines, 3, 99))
    places = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    source.shuffle(places)
    count = {"crowd": 450, "many": 40}.get(theme, source.choice((2, 6, 20)))
    if theme == "crowd":
        middle = (columns + 1) // 2, (rows + 1) // 2
        places.sort(key=lambda place: abs(place[0] - middle[0]) + abs(place[1] - middle[1]))
    standing = places[:count]
    units = {
        f"U{place}": _unit(source, *standing[place], "blue" if place % 2 else "red", theme)
        for place in range(len(standing))
    }
    names = list(units)
    pairs = [(names[n], names[n - 1]) for n in range(1, len(names), 2)]
    charges = [_charge(source, *pair) for pair in pairs[: 20 if theme == "many" else 1]]
    return {
        "system": "battletech",
        "board": {"columns": columns, "rows": rows},
        "units": units,
        "terrain": _ground(source, places, theme),
        "charges": charges,
    }


def _unit(source: random.Random, column: int, row: int, side: str, theme: str) -> Tables:
    kind = source.choice(("mech", "vehicle"))
    walk = source.choice((20, 40)) if theme in ("far", "maze") else source.randint(1, 8)
    profile: Tables = {
        "type": kind,
        "tons": source.randint(20, 100),
        "piloting": source.randint(0, 8),
        "walk": walk,
    }
    if kind == "vehicle":
        profile["motion"] = source.choice(("tracked", "wheeled", "hover"))
    if kind == "vehicle" or source.random() < 0.5:
        profile["hexes_moved"] = source.randint(0, 12)
    return {
        "side": side,
        "hex": f"{column:02d}{row:02d}",
        "facing": source.choice(FACINGS),
        "profile": profile,
    }


def _charge(source: random.Random, charger: str, target: str) -> Tables:
    charge: Tables = {"charger": charger, "targets": [target]}
    told = {"hexes_moved": source.randint(0, 9), "movement": source.choice(("walk", "run"))}
    return charge | (told if source.random() < 0.3 else {})


def _ground(source: random.Random, places: list[tuple[int, int]], theme: str) -> list[Tables]:
    """Lay pieces of very many hexes each; every hex is covered by one of them at most."""
    if theme == "plain":
        return []
    free = [f"{column:02d}{row:02d}" for column, row in places]
    source.shuffle(free)
    count = min(200 if theme in ("ground", "maze") else 12, len(free))
    share = max(len(free) // (2 * count), 1)
    return [
        _piece(source, number, free[number * share : (number + 1) * share])
        for number in range(count)
    ]


def _piece(source: random.Random, number: int, hexes: list[str]) -> Tables:
    kind = source.choice((*COVERS, "level", "light_smoke", "heavy_smoke", "prohibited"))
    keys = {
        "water": {"depth": source.randint(0, 3)},
        "building": {"cf": source.randint(1, 150)},
        "level": {"level": source.randint(-2, 3)},
    }
    return {"name": f"piece {number}", "kind": kind, "hexes": hexes, **keys.get(kind, {})}

"""Charges of all kinds on small boards, every one of them counted by how it ends; and all ways of so many MP."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product

from tabletop.api import resolve as program
from tabletop.ruling.verdict import Ruling
from tabletop.scenario import case_from_text
from tests.oracles.battletech.board import FACINGS, Hex, Tables, printed, step
from tests.oracles.battletech.referee import answer, thrown

CENTRE: Hex = (3, 3)
KINDS = (
    "clear",
    "light_woods",
    "heavy_woods",
    "rough",
    "water",
    "building",
    "pavement",
    "prohibited",
)
BEHIND = ("nobody", "mech", "vehicle")
THROWS = {"hit": (6, 6), "miss": (1, 1)}
Label = tuple[str, ...]


def states() -> Iterator[Tables]:
    """Yield every charge on the middle of a board of five by five hexes.

    They differ in the charger's direction (6), the target's facing (6), the levels of the hex behind the target and of
    that to the right (0 to 3 each), what lies behind (8 kinds), who stands behind (3) and whether the roll to hit hits
    or misses.
    """
    for direction, facing, behind, beside, kind, who, throw in product(
        range(6), range(6), range(4), range(4), KINDS, BEHIND, THROWS
    ):
        if throw == "miss" and (who != "nobody" or facing):
            # whoever stands behind does not matter to a miss, nor does the target's facing
            continue
        yield _state(direction, facing, (behind, beside), kind, who, throw)


def _state(
    direction: int, facing: int, levels: tuple[int, int], kind: str, who: str, throw: str
) -> Tables:
    start = step(CENTRE, direction + 3)
    behind = step(CENTRE, direction)
    units = {"A": _unit(start, direction, "blue"), "B": _unit(CENTRE, facing, "red")}
    if who != "nobody":
        units["C"] = _unit(behind, 0, "red", who)
    terrain = [
        _piece("level", behind, level=levels[0]),
        _piece("level", step(start, direction + 1), level=levels[1]),
    ]
    if kind != "clear":
        keys = {"water": {"depth": 1}, "building": {"cf": 30}}
        terrain.append(_piece(kind, behind, **keys.get(kind, {})))
    charge = {"charger": "A", "targets": ["B"], "hexes_moved": 2, "movement": "run", "throw": throw}
    return {
        "system": "battletech",
        "board": {"columns": 5, "rows": 5},
        "units": units,
        "terrain": terrain,
        "charges": [charge],
    }


def _unit(place: Hex, facing: int, side: str, kind: str = "mech") -> Tables:
    return {
        "side": side,
        "hex": printed(place),
        "facing": FACINGS[facing],
        "profile": {"type": kind, "tons": 50},
    }


def _piece(kind: str, place: Hex, **keys: int) -> Tables:
    return {"name": f"{kind} {printed(place)}", "kind": kind, "hexes": [printed(place)], **keys}


def played(tables: Tables, seed: int) -> tuple[Label, Tables]:
    """Play one state; give how it ends, and the file with the faces thrown."""
    (charge,) = tables["charges"]
    asked = {key: value for key, value in charge.items() if key != "throw"}
    plain = {**tables, "charges": [asked]}
    found = answer(plain, _led(THROWS[charge["throw"]], seed))
    return _label(found.outcome, found.rule, found.metrics), {
        **plain,
        "charges": [{**asked, "dice": list(found.faces)}],
    }


def _led(first: Iterable[int], seed: int) -> Iterator[int]:
    yield from first
    yield from thrown(seed)


def _label(outcome: str, rule: str | None, metrics: Tables) -> Label:
    options = f"{len(metrics['miss_options'])} ways past" if "miss_options" in metrics else ""
    falls = f"{len(metrics['fell'])} fell" if "fell" in metrics else ""
    words = (
        outcome,
        rule,
        metrics.get("displacement"),
        metrics.get("blocked_reason"),
        metrics.get("blocked_by"),
        options,
        falls,
    )
    return tuple(str(word) for word in words if word)


def by_program(tables: Tables) -> Label:
    """Resolve a file with the program; return its result."""
    (ruling,) = program(case_from_text(json.dumps(tables))).rulings
    return _of(ruling)


def _of(ruling: Ruling) -> Label:
    return _label(
        ruling.outcome,
        (ruling.rule or "").removeprefix("battletech.") or None,
        dict(ruling.metrics),
    )


def counted(every: int = 1) -> Counter[Label]:
    """Count how the states end, by the second implementation; all, or every so many."""
    return Counter(
        played(tables, number)[0] for number, tables in enumerate(states()) if number % every == 0
    )

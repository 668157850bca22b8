"""BattleTech: time to resolve bundled scenarios and their odds, and to find the best of all paths of 12 MP on a large
board.

The large board has 32 by 34 hexes with woods, hills, water and buildings. Enumeration is too slow there, so the search
is checked on smaller boards, where all paths are listed.
"""

import json
import random
import sys
from collections.abc import Callable
from functools import partial

from benchmarks.protocol import Promise, interleaved, report
from tabletop.api import odds, resolve
from tabletop.registry import scenarios
from tabletop.ruling.system import Case
from tabletop.scenario import case_from_text, read_case
from tests.oracles.battletech.board import Hex, Table, Tables, printed
from tests.oracles.battletech.chances import simulate
from tests.oracles.battletech.ways import all_ways, search_metrics

COLUMNS = 32
ROWS = 34
MP = 12
SMALL = 7
"""Width in hexes of the boards on which all paths are listed."""
BOARDS = 24
PLAYS = 2000
PLAYED = ("kicked-by-a-hovercraft", "sliding-into-it", "struck-from-the-side")
GROUND: tuple[tuple[str, str, int], ...] = (
    ("light_woods", "", 0),
    ("heavy_woods", "", 0),
    ("rough", "", 0),
    ("water", "depth", 1),
    ("building", "cf", 40),
    ("level", "level", 1),
    ("level", "level", 2),
    ("prohibited", "", 0),
)


def measure() -> tuple[Promise, ...]:
    """Time the slowest bundled scenario and the search on a large board."""
    cases = {name: read_case(name) for name, _ in scenarios("battletech")}
    belied = [complaint for name in PLAYED for complaint in _belied(f"battletech/{name}")]
    gate = f"{len(belied)} chances belied by {PLAYS} plays of {len(PLAYED)} scenarios"
    return (
        _slowest(
            "charge resolved, slowest scenario", cases, resolve, gate, is_gate_passed=not belied
        ),
        _slowest("odds, slowest scenario", cases, odds, gate, is_gate_passed=not belied),
        _searched(),
    )


def _slowest(
    name: str,
    cases: dict[str, Case],
    run: Callable[[Case], object],
    gate: str,
    *,
    is_gate_passed: bool,
) -> Promise:
    times = dict(
        zip(cases, interleaved(*(partial(run, case) for case in cases.values())), strict=True)
    )
    slowest = max(times, key=lambda key: times[key])
    return Promise(
        name=f"BattleTech {name}",
        value=times[slowest] * 1e3,
        sense="at most",
        limit=50.0,
        unit=" ms",
        gate=gate,
        is_gate_passed=is_gate_passed,
        detail=f"{slowest}, of {len(cases)}",
    )


def _belied(name: str) -> list[str]:
    files = dict(scenarios("battletech"))
    tables = _tables(str(files[name]))
    return list(
        simulate(tables, PLAYS, 1).complaints(dict(odds(read_case(name)).charges[-1].metrics))
    )


def _tables(path: str) -> Tables:
    import tomllib
    from pathlib import Path

    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def _searched() -> Promise:
    case = _case(board(COLUMNS, ROWS, MP, seed=0))
    (took,) = interleaved(partial(resolve, case))
    wrong = sum(is_wrong(board(SMALL, SMALL, 4 + seed % 5, seed=seed)) for seed in range(BOARDS))
    return Promise(
        name=f"BattleTech best way of {MP} MP on {COLUMNS} x {ROWS} hexes",
        value=took * 1e3,
        sense="at most",
        limit=100.0,
        unit=" ms",
        gate=f"{wrong} of {BOARDS} boards of {SMALL} x {SMALL} hexes differ from plain enumeration",
        is_gate_passed=wrong == 0,
        detail=f"the whole charge; {resolve(case).rulings[0].metrics['paths_legal']} legal ways counted",
    )


def board(columns: int, rows: int, walk: int, *, seed: int) -> Tables:
    """Return a charge at a distance of two hexes in the middle of a board with terrain in every other hex."""
    source = random.Random(seed)  # noqa: S311 - boards to be timed, not secrets
    start: Hex = (columns // 2 + 1, rows // 2 + 1)
    target: Hex = (start[0], start[1] - 2)
    profile = {"type": "mech", "tons": 50, "walk": walk, "run": walk}
    places = [(column, row) for column in range(1, columns + 1) for row in range(1, rows + 1)]
    by_kind: dict[tuple[str, str, int], list[str]] = {}
    for place in places:
        if place not in {start, target} and source.random() < 0.5:
            by_kind.setdefault(source.choice(GROUND), []).append(printed(place))
    return {
        "system": "battletech",
        "board": {"columns": columns, "rows": rows},
        "units": {
            "A": {"side": "blue", "hex": printed(start), "facing": "N", "profile": profile},
            "B": {
                "side": "red",
                "hex": printed(target),
                "facing": "S",
                "profile": {"type": "mech", "tons": 50},
            },
        },
        "terrain": [_piece(*ground, hexes) for ground, hexes in by_kind.items()],
        "charges": [{"charger": "A", "targets": ["B"], "movement": "walk"}],
    }


def _piece(kind: str, key: str, value: int, hexes: list[str]) -> Tables:
    return {
        "name": f"{kind} {value}",
        "kind": kind,
        "hexes": hexes,
        **({key: value} if key else {}),
    }


def _case(tables: Tables) -> Case:
    return case_from_text(json.dumps(tables))


def is_wrong(tables: Tables) -> bool:
    """Return whether the paths found differ from those of the enumeration."""
    table = Table(tables)
    expected = search_metrics(
        list(all_ways(table, table.units["A"], table.units["B"].hex, tables["charges"][0]))
    )
    found = resolve(_case(tables)).rulings[0].metrics
    return any(found.get(key) != value for key, value in expected.items())


if __name__ == "__main__":
    sys.exit(report([measure]))

"""How long the page's server takes: `python -m benchmarks.page [ROUNDS]`.

Each game on a table of its bundled scenario with the most units up to six, two more placed beside what is there, and
40k ten against ten: every question moves a unit a little, so that no answer is known. Median and 95th percentile in
milliseconds, from sending to the last byte, and the median of what of it is work of the processor in a process that is
warm; before that the seconds from the command to the address, and to the first answer. Among all benchmarks: an answer
of the page / its ruling alone, which holds on any machine.
"""

import copy
import gc
import itertools
import json
import statistics
import subprocess
import sys
import time
from typing import Any

import httpx

from benchmarks.protocol import Promise, interleaved
from tabletop import api
from tabletop.page.workers import answered
from tabletop.scenario.parsing import parsed
from tabletop.scenario.reading import case_from_tables
from tabletop.scenario.results import result
from tabletop.scenario.sources import bundled_text

TABLES = {
    "t9a": "t9a/wheel-and-align",
    "conquest": "conquest/a-friend-that-is-held",
    "battletech": "battletech/a-dropship-does-not-budge",
    "wh40k": "wh40k/ten-against-ten",
}
FULL = {"t9a": (6, 4), "conquest": (6, 4)}
"""Units and pieces of terrain to which a table is filled."""
MOST_ADDED = {"t9a": 2.0, "conquest": 2.0, "wh40k": 1.5}
"""Times of a ruling that its answer may take; on hexes a ruling is done sooner than its board is told."""
AT_ONCE = 4
"""Answers that are timed together, each of a table of its own."""


def tables_of(game: str) -> dict[str, Any]:
    """Return the tables of a game's scenario, filled with units and terrain in the corner of the board farthest from
    the action.
    """
    tables = parsed(bundled_text(TABLES[game]).encode())
    units, pieces = FULL.get(game, (0, 0))
    model: dict[str, Any] = next(iter(tables["units"].values()), {})
    for number in range(max(0, units - len(tables["units"]))):
        extra = {
            key: value
            for key, value in model.items()
            if key not in ("at", "facing_deg", "status", "flush_on", "beside", "ahead_of")
        }
        tables["units"][f"Reserve {number + 1}"] = {
            **extra,
            "at": [8.0 + 11.0 * number, 4.5],
            "facing_deg": 90,
        }
    ground = tables.setdefault("terrain", [])
    for number in range(max(0, pieces - len(ground))):
        box = {"centre": [8.0 + 11.0 * number, 45.0], "width": 4.0, "depth": 3.0}
        ground.append(
            {
                "kind": "impassable",
                "rectangle": box,
                **({"height": 1.0} if game == "conquest" else {}),
            }
        )
    return tables


def moved(tables: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the tables with the first charge's charger a hair aside, or on hexes under another title."""
    told = copy.deepcopy(tables)
    told["title"] = f"Question {number}"
    unit = told["units"][told["charges"][0]["charger"]]
    by = 0.01 * (number + 1)
    if "hex" in unit or "at" not in unit:
        return told
    places = unit["at"] if isinstance(unit["at"][0], list) else [unit["at"]]
    for place in places:
        place[1] -= by
    return told


def question(kind: str, tables: dict[str, Any]) -> bytes:
    """Return what the page posts while the charger is dragged."""
    near = tables["charges"][0]["charger"]
    return json.dumps(
        {
            "scenario": tables,
            "options": {"near": [near], **({"fill": True} if kind == "resolve" else {})},
        }
    ).encode()


def measure() -> tuple[Promise, ...]:
    """Time answers of the page, and the rulings in them alone."""
    return tuple(_promise(game, most) for game, most in MOST_ADDED.items())


def _promise(game: str, most: float) -> Promise:
    tables = tables_of(game)
    numbers = itertools.count()

    def answers() -> None:
        for _ in range(AT_ONCE):
            answered("resolve", question("resolve", moved(tables, next(numbers))))

    def rulings() -> None:
        for _ in range(AT_ONCE):
            api.resolve(case_from_tables(moved(tables, next(numbers))), fill=True)

    told = json.loads(answered("resolve", question("resolve", tables)).body)
    case = case_from_tables(tables)
    alone = json.loads(json.dumps(result(case, api.resolve(case, fill=True), None)))
    whole, part = (seconds / AT_ONCE for seconds in interleaved(answers, rulings))
    return Promise(
        name=f"the page's answer / its ruling, {game}",
        value=whole / part,
        sense="at most",
        limit=most,
        unit=" x",
        gate="the rulings are those of the command line, and there is a figure",
        is_gate_passed=told["rulings"] == alone["rulings"] and bool(told["figure"]["marks"]),
        detail=f"{whole * 1e3:.0f} ms / {part * 1e3:.0f} ms, no table twice",
    )


def worked(kind: str, tables: dict[str, Any], rounds: int) -> list[float]:
    """Return the milliseconds of the processor that each answer takes, as in a process beside the server that is
    warm.
    """
    told = []
    for number in range(-3, rounds):
        data = question(kind, moved(tables, number))
        gc.freeze()
        since = time.process_time()
        answered(kind, data)
        told += [1000.0 * (time.process_time() - since)] if number >= 0 else []
    return told


def asked(client: httpx.Client, kind: str, tables: dict[str, Any], rounds: int) -> list[float]:
    """Return the milliseconds of each answer."""
    told = []
    for number in range(-3, rounds):
        body = question(kind, moved(tables, number))
        since = time.perf_counter()
        answer = client.post(f"/api/{kind}", content=body)
        spent = 1000.0 * (time.perf_counter() - since)
        assert answer.status_code == 200, answer.text
        told += [spent] if number >= 0 else []
    return told


def main() -> None:
    """Print the table."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    since = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "tabletop", "page", "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        spoken = time.perf_counter() - since
        with httpx.Client(base_url=address, timeout=300.0) as client:
            first = client.get("/api/start").json()
            client.post("/api/resolve", json={"scenario": first["scenario"]})
            print(
                f"start: address {spoken:.2f} s, first answer {time.perf_counter() - since:.2f} s"
            )
            time.sleep(5.0)  # the processes are loaded in the background
            for game in TABLES:
                tables = tables_of(game)
                for kind in ("table", "resolve"):
                    told = sorted(asked(client, kind, tables, rounds))
                    most = told[min(len(told) - 1, int(0.95 * len(told)))]
                    cpu = statistics.median(worked(kind, tables, rounds))
                    print(
                        f"{game:<11} {kind:<8} p50 {statistics.median(told):8.1f} ms   p95 {most:8.1f} ms   of the "
                        f"processor {cpu:8.1f} ms"
                    )
        process.terminate()


if __name__ == "__main__":
    main()

"""Maps of threat: distances against a transform, a regiment's whole map against resolving it place by place."""

import itertools
import math
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from scipy.ndimage import distance_transform_edt

from benchmarks.protocol import Promise, interleaved, report
from systems.wh40k.roll import chance_at_least
from tabletop.exploring.grid import Grid
from tabletop.exploring.questions import Question, asked
from tabletop.exploring.running import Execution
from tabletop.exploring.survey import Survey
from tabletop.exploring.threats import threat_map
from tabletop.exploring.varied import VariedScenario, rows_of
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gaps_on_grid
from tests.exploring.tables import random_table

FINE = 0.25
"""Inches between places of a map of distances, and of a fine map of a regiment."""

STEP, TABLES, CELLS = 1.0, 8, 100
"""Inches between places; tables, and random places of each, that are resolved to compare with."""

FIRST_TABLE = 0


def measure() -> tuple[Promise, ...]:
    """Time maps, and check them."""
    return (_nearest(), *_maps())


def _nearest() -> Promise:
    centres = 20.0 + np.random.default_rng(4).uniform(0.0, 12.0, (10, 2))
    radius = 0.63
    reach = 1.0
    x = np.arange(FINE / 2, 72.0, FINE)
    y = np.arange(FINE / 2, 48.0, FINE)
    chances = np.array([float(chance_at_least(total)) for total in range(14)])
    is_free = np.ones((x.size, y.size), dtype=bool)
    is_free[tuple((centres / FINE).astype(int).T)] = False

    def ours() -> FloatArray:
        needed = gaps_on_grid(x, y, centres, 2 * radius + reach, beyond=12.5)
        for start in range(0, len(needed), 48):  # pieces that stay in the processor's cache
            some = needed[start : start + 48]
            chances.take(np.ceil(some, out=some).astype(int), out=some, mode="clip")
        return needed

    theirs_time, ours_time = interleaved(lambda: distance_transform_edt(is_free), ours, rounds=15)
    places = list(itertools.product(x.tolist(), y.tolist()))
    exact = [
        min(math.dist(place, centre) for centre in centres.tolist()) - 2 * radius - reach
        for place in places
    ]
    expected = np.array([chances[min(max(math.ceil(needed), 0), 13)] for needed in exact])
    wrong = int((ours().ravel() != expected).sum())
    return Promise(
        name="chance map of 10 models: ours / distance transform",
        value=ours_time / theirs_time,
        sense="at most",
        limit=0.5,
        unit="",
        gate=f"{wrong} of {len(places):,} places have another chance than by their exact gap",
        is_gate_passed=wrong == 0,
        detail=f"{ours_time * 1e3:.2f} / {theirs_time * 1e3:.2f} ms",
    )


def _maps() -> tuple[Promise, ...]:
    times = []
    fine = list[float]()
    compared = 0
    wrong = 0
    for number in range(FIRST_TABLE, FIRST_TABLE + TABLES):
        base, grid = question(number)
        seconds, survey = timed_map(base, grid)
        cells = random.Random(number).sample(range(len(grid)), CELLS)  # noqa: S311 - samples, not secrets
        each, differing = audited(base, grid, survey, cells)
        times.append((seconds, each * len(grid), number))
        fine.append(timed_map(*question(number, step=FINE), rounds=1)[0])
        compared = compared + len(cells)
        wrong = wrong + differing
    (worst, _, _), (seconds, resolving, _) = max(times), sorted(times)[len(times) // 2]
    gate = f"{wrong} of {compared:,} random places of {TABLES} random tables differ from `resolve`"
    every = ", ".join(f"{taken:.1f}" for taken, _, _ in times)
    detail = f"3,456 places, 12 other bodies, one core; the slowest of {TABLES} tables, in seconds: {every}"
    finer = f"55,296 places of the same tables, in seconds: {', '.join(f'{taken:.1f}' for taken in fine)}"
    faster = (
        f"{resolving:,.0f} s place by place in one process, from {CELLS} of them, / {seconds:.2f} s"
    )
    return (
        Promise("threat map of a regiment", worst, "at most", 2.5, " s", gate, wrong == 0, detail),
        Promise(
            "fine threat map of a regiment",
            max(fine),
            "at most",
            20.0,
            " s",
            gate,
            wrong == 0,
            finer,
        ),
        Promise(
            "threat map: resolving place by place / ours",
            resolving / seconds,
            "at least",
            100.0,
            " x",
            gate,
            wrong == 0,
            faster,
        ),
    )


def question(number: int, step: float = STEP) -> tuple[VariedScenario, Grid]:
    """Ask where the charger of a random table threatens."""
    return asked(Question("threat", step=step), VariedScenario(random_table(number), ()))


def timed_map(base: VariedScenario, grid: Grid, rounds: int = 2) -> tuple[float, Survey]:
    """Draw up a map, and give the best time of some rounds; the first one also loads what is needed."""
    best = math.inf
    survey = None
    for _ in range(rounds):
        started = time.perf_counter()
        survey = threat_map(base, grid, Execution(1))
        best = min(best, time.perf_counter() - started)
    assert survey is not None
    return best, survey


def audited(
    base: VariedScenario, grid: Grid, survey: Survey, cells: list[int]
) -> tuple[float, int]:
    """Resolve some cells on both cores; give the seconds that one takes, and how many differ."""
    with ProcessPoolExecutor(2) as pool:
        told = list(
            itertools.chain(*pool.map(_resolved, [base] * 2, [grid] * 2, [cells[::2], cells[1::2]]))
        )
    names = ("chance", "shortest_roll")
    ours = np.array([[survey.column(name).ravel()[cell] for name in names] for cell, _, _ in told])
    theirs = np.array([answer for _, answer, _ in told])
    differ = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs))).all(axis=1)
    return sum(seconds for _, _, seconds in told) / len(told), int(differ.sum())


def _resolved(
    base: VariedScenario, grid: Grid, cells: list[int]
) -> list[tuple[int, tuple[float, float], float]]:
    found = []
    for cell in cells:
        started = time.process_time()
        row = rows_of(base, grid[cell])[0]
        answer = [
            math.nan if row.get(name) is None else float(row[name])
            for name in ("chance", "shortest_roll")
        ]
        found.append((cell, (answer[0], answer[1]), time.process_time() - started))
    return found


if __name__ == "__main__":
    sys.exit(report([measure]))

"""Maps of threat: free moves among obstacles against Shapely, a regiment's whole map against resolving it place by place."""

import itertools
import math
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from benchmarks.protocol import Promise, interleaved, report
from systems.wh40k.roll import chance_at_least
from tabletop.exploring.grid import Grid
from tabletop.exploring.questions import Question, asked
from tabletop.exploring.survey import Survey
from tabletop.exploring.threats import threat_map
from tabletop.exploring.varied import BaseScenario, rows_of
from tabletop.fronts.approach import PIVOTS, Approach
from tabletop.fronts.manoeuvre import FrontAmongHazards, Wheels
from tabletop.fronts.obstacle import Hazard
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gaps_on_grid
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import rectangle
from tabletop.table.facing import facing_of
from tabletop.table.state import Base as Footing
from tabletop.table.state import Board, Regiment
from tests.exploring.tables import random_table

Flags = NDArray[np.bool_]

WHEELS, FIRSTS, SECOND = 60, 50, 8.0
"""Wheels about each corner, first parts, and inches of the second part: 6,000 moves."""

ARC = 16
"""Chords of the sector that the timed peer sweeps; the one that checks verdicts takes sixty times as many."""

STEP, TABLES, CELLS = 0.25, 8, 250
"""Inches between places; tables, and random places of each, that are resolved to compare with."""

FIRST_TABLE = 0


def measure() -> tuple[Promise, ...]:
    """Time moves and maps, and check them."""
    return (_moves(), _nearest(), *_maps())


def _moves() -> Promise:
    scene = moves_scene(5)
    wheels = Wheels(np.repeat([0, 1], WHEELS), np.tile(np.linspace(0.0, math.pi / 2, WHEELS), 2))
    first = np.broadcast_to(np.linspace(0.0, 10.0, FIRSTS), (2 * WHEELS, FIRSTS))

    def ours() -> Flags:
        free: Flags = FrontAmongHazards(scene, np.zeros(len(scene.hazards))).moves(wheels, first).longest >= SECOND
        return free

    theirs_time, ours_time = interleaved(lambda: swept_free(scene, wheels, first, chords=ARC), ours)
    verdicts, expected = ours(), swept_free(scene, wheels, first, chords=60 * ARC)
    wrong = int((verdicts != expected).sum())
    return Promise(
        name="moves among 12 obstacles: Shapely / ours",
        value=theirs_time / ours_time,
        sense="at least",
        limit=80.0,
        unit=" x",
        gate=f"{wrong} of {first.size:,} moves judged otherwise than by what they sweep",
        is_gate_passed=wrong == 0,
        detail=f"{theirs_time / first.size * 1e6:.1f} / {ours_time / first.size * 1e6:.2f} us a move; {expected.mean():.0%} are free",
    )


def moves_scene(seed: int) -> Approach:
    """Put a front of 4 inches on an open board, among twelve rectangles ahead of it."""
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    pose, hazards = Pose(60.0, 40.0, math.pi / 2), list[Hazard]()
    front = shapely.LineString([pose.point(-2.0, 0.0), pose.point(2.0, 0.0)])
    while len(hazards) < 12:
        place = Pose(dice.uniform(44.0, 76.0), dice.uniform(40.0, 62.0), dice.uniform(0.0, math.tau))
        shape = rectangle(place, dice.uniform(1.0, 4.0), dice.uniform(1.0, 3.0))
        if shape.core.distance(front) > 1.0:
            hazards.append(Hazard(shape.pieces[0], 0.0))
    target = Regiment("T", "red", Pose(10.0, 10.0, 0.0), files=1, models=1, base=Footing(2.0, 2.0))
    facing = facing_of(target, "front")
    return Approach(pose, 4.0, target.boundary.pieces[0], facing, tuple(hazards), Board(120.0, 120.0), wheel_limit=math.pi / 2)


def swept_free(scene: Approach, wheels: Wheels, first: FloatArray, *, chords: int) -> Flags:
    """Tell of each move whether some part of what it sweeps, drawn as a polygon, meets an obstacle: a tree is asked."""
    tree = shapely.STRtree([shapely.Polygon(hazard.ring) for hazard in scene.hazards])
    free = np.ones(first.shape, dtype=bool)
    for number, (side, angle) in enumerate(zip(wheels.side.tolist(), wheels.angle.tolist(), strict=True)):
        outline = parts_of(scene, side, angle, chords=chords)
        for line, length in enumerate(first[number].tolist()):
            free[number, line] = not any(len(tree.query(part, predicate="intersects")) for part in moved(scene, side, outline, length))
    return free


def parts_of(scene: Approach, side: int, angle: float, *, chords: int) -> tuple[list[Point], list[Point]]:
    """Give what the wheel and the second part sweep on a table whose origin is the pivot: a sector and a rectangle."""
    width, heading, sense = scene.width, scene.pose.heading, (-1.0, 1.0)[side]
    outer = heading - sense * math.pi / 2
    turns = [outer + sense * angle * share / chords for share in range(chords + 1)]
    arc = [(width * math.cos(turn), width * math.sin(turn)) for turn in turns]
    on_x, on_y = SECOND * math.cos(heading + sense * angle), SECOND * math.sin(heading + sense * angle)
    (far_x, far_y) = arc[-1]
    return [(0.0, 0.0), *arc], [(0.0, 0.0), (far_x, far_y), (far_x + on_x, far_y + on_y), (on_x, on_y)]


def moved(scene: Approach, side: int, outline: tuple[list[Point], list[Point]], first: float) -> Iterator[Any]:
    """Give the polygons of a move, one after another: the rectangle of its first part, then what follows from where that leads."""
    forward_x, forward_y = first * math.cos(scene.pose.heading), first * math.sin(scene.pose.heading)
    start_x, start_y = scene.corner(PIVOTS[side])
    (_, (far_x, far_y), *_), _ = outline
    if first > 0.0:
        yield shapely.Polygon(
            [
                (start_x, start_y),
                (start_x + far_x, start_y + far_y),
                (start_x + far_x + forward_x, start_y + far_y + forward_y),
                (start_x + forward_x, start_y + forward_y),
            ]
        )
    for part in outline:
        yield shapely.Polygon([(start_x + forward_x + x, start_y + forward_y + y) for x, y in part])


def _nearest() -> Promise:
    centres, radius, reach = 20.0 + np.random.default_rng(4).uniform(0.0, 12.0, (10, 2)), 0.63, 1.0
    x, y = np.arange(STEP / 2, 72.0, STEP), np.arange(STEP / 2, 48.0, STEP)
    chances = np.array([float(chance_at_least(total)) for total in range(14)])
    is_free = np.ones((x.size, y.size), dtype=bool)
    is_free[tuple((centres / STEP).astype(int).T)] = False

    def ours() -> FloatArray:
        needed = gaps_on_grid(x, y, centres, 2 * radius + reach, beyond=12.5)
        for start in range(0, len(needed), 48):  # pieces that stay in the processor's cache
            some = needed[start : start + 48]
            chances.take(np.ceil(some, out=some).astype(int), out=some, mode="clip")
        return needed

    theirs_time, ours_time = interleaved(lambda: distance_transform_edt(is_free), ours, rounds=15)
    places = list(itertools.product(x.tolist(), y.tolist()))
    exact = [min(math.dist(place, centre) for centre in centres.tolist()) - 2 * radius - reach for place in places]
    expected = np.array([chances[min(max(math.ceil(needed), 0), 13)] for needed in exact])
    wrong = int((ours().ravel() != expected).sum())
    return Promise(
        name="chance map of 10 models: ours / distance transform",
        value=ours_time / theirs_time,
        sense="at most",
        limit=0.6,
        unit="",
        gate=f"{wrong} of {len(places):,} places have another chance than by their exact gap",
        is_gate_passed=wrong == 0,
        detail=f"{ours_time * 1e3:.2f} / {theirs_time * 1e3:.2f} ms",
    )


def _maps() -> tuple[Promise, ...]:
    times, compared, wrong = [], 0, 0
    for number in range(FIRST_TABLE, FIRST_TABLE + TABLES):
        base, grid = question(number)
        seconds, survey = timed_map(base, grid)
        cells = random.Random(number).sample(range(len(grid)), CELLS)  # noqa: S311 - samples, not secrets
        each, differing = audited(base, grid, survey, cells)
        times.append((seconds, each * len(grid), number))
        compared, wrong = compared + len(cells), wrong + differing
    seconds, resolving, _ = sorted(times)[len(times) // 2]
    gate = f"{wrong} of {compared:,} random places of {TABLES} random tables differ from `resolve`"
    every = ", ".join(f"{taken:.1f}" for taken, _, _ in times)
    detail = f"55,296 places, 12 other bodies, 2 workers; median of {TABLES} tables, in seconds: {every}"
    faster = f"{resolving:,.0f} s place by place in one process, from {CELLS} of them, / {seconds:.2f} s"
    return (
        Promise("threat map of a regiment", seconds, "at most", 3.0, " s", gate, wrong == 0, detail),
        Promise("threat map: resolving place by place / ours", resolving / seconds, "at least", 100.0, " x", gate, wrong == 0, faster),
    )


def question(number: int) -> tuple[BaseScenario, Grid]:
    """Ask where the charger of a random table threatens."""
    return asked(Question("threat", step=STEP), BaseScenario(random_table(number), ()))


def timed_map(base: BaseScenario, grid: Grid, rounds: int = 2) -> tuple[float, Survey]:
    """Draw up a map, and give the best time of some rounds; the first one also loads what is needed."""
    best, survey = math.inf, None
    for _ in range(rounds):
        started = time.perf_counter()
        survey = threat_map(base, grid, workers=2)
        best = min(best, time.perf_counter() - started)
    assert survey is not None
    return best, survey


def audited(base: BaseScenario, grid: Grid, survey: Survey, cells: list[int]) -> tuple[float, int]:
    """Resolve some cells on both cores; give the seconds that one takes, and how many differ."""
    with ProcessPoolExecutor(2) as pool:
        told = list(itertools.chain(*pool.map(_resolved, [base] * 2, [grid] * 2, [cells[::2], cells[1::2]])))
    names = ("chance", "shortest_roll")
    ours = np.array([[survey.column(name).ravel()[cell] for name in names] for cell, _, _ in told])
    theirs = np.array([answer for _, answer, _ in told])
    differ = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs))).all(axis=1)
    return sum(seconds for _, _, seconds in told) / len(told), int(differ.sum())


def _resolved(base: BaseScenario, grid: Grid, cells: list[int]) -> list[tuple[int, tuple[float, float], float]]:
    found = []
    for cell in cells:
        started = time.process_time()
        row = rows_of(base, grid[cell])[0]
        answer = [math.nan if row.get(name) is None else float(row[name]) for name in ("chance", "shortest_roll")]
        found.append((cell, (answer[0], answer[1]), time.process_time() - started))
    return found


if __name__ == "__main__":
    sys.exit(report([measure]))

"""Exact fits in The Ninth Age and Conquest: chargers exactly as wide as the gap between two walls, at the target or on
the path to it.

The slowest of these tables is compared with the median of the same tables with a quarter of an inch of slack, among
those with the same kind of answer. If a charge is refused, the obstacle must be found; if no front fits flush, all
angles are searched.
"""

import math
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from benchmarks.protocol import Promise, interleaved, report
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import polygon
from tabletop.ruling.system import Case
from tabletop.table.dice import DiceSource
from tabletop.table.state import State, Terrain
from tabletop.units import inches
from tests.oracles.conquest import scenes as conquest_scenes
from tests.oracles.conquest.referee import referee as conquest_referee
from tests.oracles.referee import referee as t9a_referee
from tests.oracles.scenes import BASES, with_random_body
from tests.scenes import case, charge, regiment, table
from tests.tables import read, scenario, unit

TABLES, CHECKED, AGAIN = 500, 12, 20
"""Number of tables per game; of those checked by brute force; and of the slowest, which are timed again."""

TO_SPARE, LOOSE = (0.0, 1e-6), 0.25
"""Slack in inches on either side, in turn; and where nothing fits exactly."""

CLEARANCE = 0.001
"""Distance in inches that a charger of either game keeps from walls."""


class Layout(NamedTuple):
    """Front midpoint of the charger and two walls, in (u, v) inches to the right and ahead of the target's; `tilt` in
    radians.
    """

    spot: Point
    tilt: float
    walls: tuple[tuple[Point, ...], ...]


def layout(dice: random.Random, width: float, own: float, spare: float) -> Layout:
    """Return the layout of a target and a charger of given widths in inches.

    The walls stand in front of the target, or form a corridor of exactly the charger's width on its path; or they are
    level with the target, at the distance that the charger must keep.
    """
    kind = dice.choice(("before", "before", "corridor", "corridor", "in line"))
    middle = dice.choice((0.0, (width - own) / 2, dice.uniform(-0.5, 0.5) * width))
    tilt = dice.choice((0.0, math.radians(dice.gauss(0.0, 12.0))))
    away = 4.5 + own / 2 * abs(math.sin(tilt)) + dice.uniform(0.0, 3.0)
    aside = 0.0 if kind == "corridor" and tilt == 0.0 else dice.gauss(0.0, 1.0)
    near, far = (
        (dice.uniform(1.0, 2.0), dice.uniform(2.5, 3.5))
        if kind == "corridor"
        else (0.05, dice.uniform(0.2, 1.5))
    )
    half = own / 2 + CLEARANCE + spare
    if kind == "in line":
        middle = 0.0
        half = width / 2 + spare
        near = -1.0
        far = -CLEARANCE - spare
    spans = (
        (middle - half - dice.uniform(0.5, 4.0), middle - half),
        (middle + half, middle + half + dice.uniform(0.5, 4.0)),
    )
    walls = tuple(((left, near), (right, near), (right, far), (left, far)) for left, right in spans)
    return Layout((middle + aside, away), tilt, walls)


def t9a(seed: int, spare: float) -> Case:
    """Return a table on which A charges T, with up to five other units."""
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    heading = dice.choice((90.0, dice.uniform(0.0, 360.0)))
    base = dice.choice(BASES)
    files = dice.randint(1, 6)
    side = dice.choice((20.0, 25.0, 40.0))
    target = regiment("T", (0.0, 0.0), heading=heading, files=dice.randint(2, 8), base=base)
    spot, tilt, walls = layout(dice, target.width, inches(files * side), spare)
    pose = Pose(*target.pose.point(*spot), target.pose.heading + math.pi + tilt)
    state = table(
        target,
        regiment("A", (0.0, 0.0), side="blue", files=files, base=(side, side), charge_speed=10).at(
            pose
        ),
    )
    pieces = [
        Terrain(f"wall {number}", "impassable", polygon([target.pose.point(*at) for at in wall]))
        for number, wall in enumerate(walls)
    ]
    state = State(state.board, state.units, tuple(pieces))
    for number in range(dice.randint(0, 5)):
        state = with_random_body(dice, state, f"N{number}", is_square=False)
    return case(state, charge(dice=(6,)))


def conquest(seed: int, spare: float) -> Case:
    """Return a table on which A charges B, with up to five other units."""
    scene = conquest_scenes.Scene(4 * seed + 1)
    dice = scene.dice
    files = scene.dice.randint(1, 4)
    target = unit(scene.middle, scene.angle(), dice.randint(1, 4), stands=8, base="54x54mm")
    spot, tilt, walls = layout(dice, inches(target["files"] * 54.0), inches(files * 54.0), spare)
    facing = target["facing_deg"] + 180.0 + math.degrees(tilt)
    (at,) = conquest_scenes.local(target, [spot])
    scene.add_unit("B", target)
    scene.add_unit(
        "A", unit(at, facing, files, side="blue", stands=files, base="54x54mm", march=7, size=5)
    )
    for number, wall in enumerate(walls):
        corners = [list(point) for point in conquest_scenes.local(target, wall)]
        scene.add_terrain(
            {"name": f"wall {number}", "kind": "impassable", "polygon": corners}, apart=0.0
        )
    for number in range(dice.randint(0, 5)):
        dice.choice(conquest_scenes.MAKERS)(scene, f"N{number}")
    return read(scenario(scene.units, scene.terrain, dice=(6,), board=scene.board))


def measure() -> tuple[Promise, ...]:
    """Time the tables of both games, and check some by brute force."""
    return _slowest("The Ninth Age", t9a, t9a_referee), _slowest(
        "Conquest", conquest, conquest_referee
    )


def _slowest(
    game: str, made: Callable[[int, float], Case], referee: Callable[[Case], Any]
) -> Promise:
    """Return the ratio of the slowest exact fit of each kind of answer to the median loose table with that answer."""
    exact = list[tuple[float, str, Case]]()
    loose = defaultdict[str, list[float]](list)
    for seed in range(TABLES):
        seconds, kind = _answered(made(seed, LOOSE))
        loose[kind].append(seconds)
        item = made(seed, TO_SPARE[seed % len(TO_SPARE)])
        exact.append((*_answered(item), item))
    medians = {kind: statistics.median(times) for kind, times in loose.items()}
    whole = statistics.median(seconds for times in loose.values() for seconds in times)
    ratios = [(seconds / medians.get(kind, whole), kind, item) for seconds, kind, item in exact]
    slowest = sorted(ratios, key=lambda ratio: -ratio[0])[:AGAIN]
    again = interleaved(*(partial(_answered, item) for _, _, item in slowest))
    worst, seconds, kind = max(
        (seconds / medians.get(kind, whole), seconds, kind)
        for seconds, (_, kind, _) in zip(again, slowest, strict=True)
    )
    beaten = sum(bool(referee(item).complaints) for _, _, item in exact[:CHECKED])
    return Promise(
        name=f"{game}, exact fits: the slowest / median without",
        value=worst,
        sense="at most",
        limit=3.0,
        unit=" x",
        gate=f"{beaten} of {CHECKED} bettered by brute force, or ended elsewhere",
        is_gate_passed=beaten == 0,
        detail=(
            f"{seconds * 1e3:.0f} ms ({kind}); {TABLES} tables, each against those answered so; median of all "
            f"{whole * 1e3:.0f} ms"
        ),
    )


def _answered(item: Case) -> tuple[float, str]:
    """Return the seconds of processor time to resolve a table, and the kind of answer."""
    started = time.process_time()
    kind = "no verdict"
    with suppress(NoVerdictError):
        ruling = item.system.resolve(item, throws=DiceSource(), budget=Budget()).rulings[0]
        kind = "unaligned" if "unaligned_angle_deg" in ruling.metrics else ruling.outcome
    return time.process_time() - started, kind


if __name__ == "__main__":
    sys.exit(report([measure]))

"""Align moves between two walls: testing all slides on a 0.01 in grid with Shapely arrays, against our exact slides.

Scenes have integer coordinates in micrometres, so that the best counts are known exactly. In half of them the gap
between the walls equals the charger's width. Each scene is then moved and rotated as a whole before either side gets
it.
"""

import math
import random
import sys
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely

from benchmarks.protocol import Promise, interleaved, report
from tabletop.fronts.flush import BestSlides, ContactIntervals, CriticalSlides
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.motion import blocked_slide
from tabletop.geometry.pose import Pose
from tabletop.optimise.interval import intersection, without
from tabletop.units import CONTACT

SCENES = 800
TIMED = 80
PER_INCH = 25_400
STEP = 0.01
DEEP, LONG = 40_000, 1_000_000
"""Micrometres: depth of the charger and of the walls along the facing's normal; length of the walls, so no front fits
beyond them."""

Spans = tuple[tuple[int, int], ...]
Counts = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Corridor:
    """Scene in micrometres: a facing with models `shown`, a front with models (from 0 on), walls that end at `left` and
    begin at `right`.

    A slide counts only if the front covers a point of `reached`. `frame` is the pose of the facing on the table; u is
    the coordinate along it, to its right, in inches.
    """

    shown: Spans
    front: Spans
    left: int
    right: int
    reached: tuple[int, int]
    frame: Pose

    @property
    def width(self) -> int:
        """Width of the front."""
        return self.front[-1][1]

    @property
    def room(self) -> tuple[int, int]:
        """Least and greatest slide allowed by walls, facing and points reached."""
        low = max(self.left, self.reached[0] - self.width, -self.width)
        return low, min(self.right - self.width, self.reached[1], self.shown[-1][1])

    def box(self, low: int, high: int, *, ahead: int = 0) -> FloatArray:
        """Return the table corners of a rectangle over [low, high] and of depth DEEP that begins `ahead` of the
        facing.
        """
        flat = np.array([[low, ahead], [high, ahead], [high, ahead + DEEP], [low, ahead + DEEP]])
        return self.frame.to_table(flat / PER_INCH)

    @cached_property
    def walls(self) -> tuple[FloatArray, FloatArray]:
        """Both walls on the table."""
        return self.box(self.left - LONG, self.left), self.box(self.right, self.right + LONG)

    @cached_property
    def body(self) -> FloatArray:
        """The charger on the table at u = 0."""
        return self.box(0, self.width)

    @cached_property
    def lineup(self) -> ContactIntervals:
        """The two lines of models, in inches."""
        return ContactIntervals(
            np.array(self.shown) / PER_INCH,
            np.array(self.front) / PER_INCH,
            np.zeros(len(self.shown)),
        )


def measure() -> tuple[Promise, ...]:
    """Time both on the first scenes, and check our answers in all."""
    corridors = [corridor(seed, is_exact_fit=seed % 2 == 0) for seed in range(SCENES)]
    timed = corridors[:TIMED]
    theirs, ours = interleaved(
        lambda: [grid_counts(item) for item in timed],
        lambda: [exact_slides(item) for item in timed],
    )
    wrong = sum(is_wrong(item, exact_slides(item)) for item in corridors)
    grid_wrong = sum(grid_counts(item) != best_counts(item) for item in timed)
    return (
        Promise(
            name="align: Shapely over a 0.01 in grid / ours",
            value=theirs / ours,
            sense="at least",
            limit=150.0,
            unit=" x",
            gate=f"{wrong} of {SCENES} scenes wrong, half of them exact fits",
            is_gate_passed=wrong == 0,
            detail=(
                f"{theirs / TIMED * 1e3:.1f} ms / {ours / TIMED * 1e6:.0f} us a scene; the grid is wrong in "
                f"{grid_wrong} of {TIMED}"
            ),
        ),
    )


def corridor(seed: int, *, is_exact_fit: bool) -> Corridor:
    """Return a random scene with at least one slide between its walls."""
    dice = random.Random(seed)  # noqa: S311 - scenes, not secrets
    shown = _line(dice, dice.randint(3, 12))
    front = _line(dice, dice.randint(2, 8))
    length = shown[-1][1]
    width = front[-1][1]
    slide = dice.choice(
        [low - dice.choice(front)[1] for low, _ in shown]
        + [dice.randint(-width, length) for _ in range(3)]
    )
    slack = (0, 0) if is_exact_fit else (dice.randint(0, 60_000), dice.randint(0, 60_000))
    touched = dice.randint(max(0, slide), min(length, slide + width))
    spread = dice.choice((0, 30_000, length))
    reached = (max(0, touched - spread), min(length, touched + spread))
    frame = Pose(
        dice.uniform(15.0, 57.0), dice.uniform(15.0, 33.0), dice.uniform(-math.pi, math.pi)
    )
    return Corridor(shown, front, slide - slack[0], slide + width + slack[1], reached, frame)


def _line(dice: random.Random, count: int) -> Spans:
    size = dice.choice((20_000, 25_000, 30_000, 40_000))
    space = dice.choice((0, 0, 12_500))
    return tuple(
        (number * (size + space), number * (size + space) + size) for number in range(count)
    )


def exact_slides(item: Corridor) -> BestSlides:
    """Return the engine's answer: free slides, critical slides, and goals in order."""
    width = item.width / PER_INCH
    lineup = item.lineup
    along = item.frame.right
    blocked = [blocked_slide(item.body, wall, direction=along, needed=0.0) for wall in item.walls]
    free = without(((-width, float(lineup.shown[-1, 1])),), filter(None, blocked))
    places = intersection(free, ((item.reached[0] / PER_INCH - width, item.reached[1] / PER_INCH),))
    return CriticalSlides.of(
        places,
        lineup.breakpoints(),
        lambda slides: (lineup.shown_in_contact(slides), lineup.front_in_contact(slides)),
    ).best()


def grid_counts(item: Corridor) -> Counts | None:
    """Return the best counts over all slides on the grid, by Shapely arrays."""
    width = item.width / PER_INCH
    length = item.shown[-1][1] / PER_INCH
    slides = np.arange(-width, length + STEP, STEP)
    is_reached = (slides + width >= item.reached[0] / PER_INCH - CONTACT) & (
        slides <= item.reached[1] / PER_INCH + CONTACT
    )
    walls = shapely.buffer(shapely.polygons(np.stack(item.walls)), -CONTACT, join_style="mitre")
    is_free = is_reached & ~shapely.intersects(_moved(item, item.body, slides)[:, None], walls).any(
        axis=1
    )
    models = np.stack(
        [_moved(item, item.box(low, high), slides) for low, high in item.front], axis=1
    )
    facing = shapely.polygons(
        np.stack([item.box(low, high, ahead=-DEEP) for low, high in item.shown])
    )
    meets = shapely.dwithin(models[:, :, None], facing, CONTACT)
    counts = np.column_stack([meets.any(axis=1).sum(axis=1), meets.any(axis=2).sum(axis=1)])[
        is_free
    ]
    return max(map(tuple, counts.tolist()), default=None)


def _moved(item: Corridor, box: FloatArray, slides: FloatArray) -> np.ndarray:
    moved: np.ndarray = shapely.polygons(box + slides[:, None, None] * np.array(item.frame.right))
    return moved


def best_counts(item: Corridor) -> Counts | None:
    """Return the best counts in integers, tried where edges coincide, at both ends, and midway between these (half
    micrometres).
    """
    low, high = item.room
    if low > high:
        return None
    edges = {
        a - b
        for shown in item.shown
        for front in item.front
        for a in shown
        for b in front
        if low <= a - b <= high
    }
    critical = sorted({low, high} | edges)
    halves = [2 * slide for slide in critical] + [
        first + second for first, second in pairwise(critical)
    ]
    return max(_counts(item, half) for half in halves)


def _counts(item: Corridor, half: int) -> Counts:
    meets = [
        [2 * a <= half + 2 * d and half + 2 * c <= 2 * b for c, d in item.front]
        for a, b in item.shown
    ]
    return sum(map(any, meets)), sum(map(any, zip(*meets, strict=True)))


def is_wrong(item: Corridor, found: BestSlides) -> bool:
    """Return whether an answer has the exact counts and interval ends, within the tolerance of contact."""
    best = best_counts(item)
    low, high = item.room
    ends = [end * PER_INCH for stretch in found.stretches for end in stretch]
    whole = [round(2 * end) for end in ends]
    is_exact = all(
        abs(2 * end - half) <= 2 * PER_INCH * CONTACT for end, half in zip(ends, whole, strict=True)
    )
    is_inside = all(2 * low <= half <= 2 * high for half in whole)
    return (
        tuple(map(int, found.values)) != best
        or not is_exact
        or not is_inside
        or any(_counts(item, half) != best for half in whole)
    )


if __name__ == "__main__":
    sys.exit(report([measure]))

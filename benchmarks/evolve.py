"""Comparison of other solvers with ours: results and times; also SciPy's differential evolution with penalties for
violated gaps.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.optimize import differential_evolution

from tests.oracles.plane import TOUCH, Floats, Obstacle

WEIGHT = 1e3
"""Penalty per inch of a violated gap, in units of the objective; large enough that no gain outweighs it."""
GENERATIONS = 100
BREAK = "\n       "
"""Separator of further lines below a promise."""
SEED = 0
Objective = Callable[[Floats], Floats]
Shapes = NDArray[np.object_]
T = TypeVar("T")


@dataclass(frozen=True)
class Race(Generic[T]):
    """Results of another solver on each table, and its seconds."""

    name: str
    found: tuple[T, ...]
    seconds: tuple[float, ...]

    def told(self, ours: Sequence[float], *, shares: str) -> str:
        """Return its time relative to ours, from seconds per table, and its results, in words."""
        ratio = statistics.median(
            theirs / mine for theirs, mine in zip(self.seconds, ours, strict=True)
        )
        return (
            f"{self.name}: median {ratio:.2g} x our time (in all {sum(self.seconds):.1f} s / "
            f"{sum(ours):.1f} s), {shares}"
        )


def raced(name: str, runs: Iterable[Callable[[], T]]) -> Race[T]:
    """Run a rival once on each table."""
    found, seconds = zip(*map(_clocked, runs), strict=True)
    return Race(name, found, seconds)


def _clocked(run: Callable[[], T]) -> tuple[T, float]:
    start = time.perf_counter()
    found = run()
    return found, time.perf_counter() - start


def evolved(objective: Objective, bounds: Sequence[tuple[float, float]]) -> Floats:
    """Minimise an objective, called with an array (variables, candidates), with SciPy's defaults, a fixed seed and
    limited generations.
    """
    found = differential_evolution(
        objective,
        bounds,
        rng=SEED,
        maxiter=GENERATIONS,
        vectorized=True,
        updating="deferred",
        polish=True,
    )
    result: Floats = np.asarray(found.x, dtype=np.float64)
    return result


def shortfall(obstacles: Iterable[Obstacle], bodies: Shapes) -> Floats:
    """Return for each body the sum of violated gaps in inches, and its overlap with others in square inches."""
    missing = np.zeros(len(bodies))
    for obstacle in obstacles:
        needed = obstacle.gap + obstacle.radius
        missing += (
            np.maximum(0.0, needed - TOUCH - shapely.distance(bodies, obstacle.core))
            if needed > 0.0
            else 0.0
        )
        missing += shapely.area(shapely.intersection(bodies, obstacle.core))
    return missing

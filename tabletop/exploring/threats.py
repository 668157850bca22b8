"""Fast threat maps: chances at many places from systems that compute them at once; only undecided places are
resolved.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.errors import NoVerdictError, ScenarioError
from tabletop.exploring.grid import Grid
from tabletop.exploring.key_paths import path_of
from tabletop.exploring.running import Execution, Progress, pool_of, run
from tabletop.exploring.survey import Survey
from tabletop.exploring.varied import Row, VariedScenario
from tabletop.geometry.arrays import FloatArray
from tabletop.ruling.odds import ChanceMap
from tabletop.ruling.system import Case
from tabletop.scenario.reading import case_from_tables

PLACES_WORTH_WORKERS = 4_000
"""Number of places above which starting workers pays."""

MOST_IN_BLOCK = 14_000
"""Number of places per block, so that progress can be shown and memory stays bounded."""

MOST_TRIED = 100
"""Number of places tried to find a possible set-up."""

CHANCE_COLUMNS = ("chance", "shortest_roll")


def threat_map(base: VariedScenario, grid: Grid, how: Execution) -> Survey | None:
    """Return a survey of chance and shortest roll over a grid that moves the first charge's target, or None.

    It is None if the grid varies anything else, or the system cannot compute chances at many places at once. Places
    that the system leaves undecided are resolved one by one.
    """
    case = _case(base, grid)
    if case is None:
        return None
    values = (np.array(axis.values, dtype=float) for axis in grid.axes)
    columns = dict(
        zip(
            (path_of(key)[2] for key in grid.keys), np.meshgrid(*values, indexing="ij"), strict=True
        )
    )
    unit: Any = case.state.units[case.charges[0].targets[0]]
    own = unit.pose if hasattr(unit, "pose") else unit.models[0].pose
    heading = (
        np.radians(columns["facing_deg"])
        if "facing_deg" in columns
        else np.full(grid.shape, own.heading)
    )
    poses = np.stack([columns["x"].ravel(), columns["y"].ravel(), heading.ravel()], axis=1)
    kept = Answers(grid, _asked(case, poses, how))
    run(base, grid, kept, how)
    return kept.survey()


def safety_map(base: VariedScenario, grid: Grid, how: Execution) -> Survey | None:
    """Return a survey of chance and shortest roll over a grid whose last axis names the charger; None where
    `threat_map` is None.

    It is a threat map for each charger, stacked along the last axis.
    """
    *places, chargers = grid.axes
    maps = []
    for charger in chargers.values:
        tables = {**base.tables, "charges": [{**base.tables["charges"][0], "charger": charger}]}
        one = replace(base, tables=tables, keys=base.keys[:-1])
        found = threat_map(one, Grid(tuple(places)), how)
        if found is None:
            return None
        maps.append(found)
    values = {
        column: np.stack([found.column(column) for found in maps], axis=-1)
        for column in (*CHANCE_COLUMNS, "outcome")
    }
    return Survey({axis.key: np.array(axis.values) for axis in grid.axes}, values)


class Answers:
    """Chances and shortest rolls of a grid in memory, a `ResultSink`; undecided cases are missing until their rows
    arrive.
    """

    def __init__(self, grid: Grid, found: ChanceMap) -> None:
        self._grid = grid
        self._found = found
        self._outcomes = np.full(len(found.chance), "", dtype=object)
        self.missing: NDArray[np.int64] = np.flatnonzero(~found.is_decided).astype(np.int64)

    def add(self, numbers: Sequence[int], cases: Iterable[list[Row]]) -> None:
        """Store chance, shortest roll and outcome of the first row of each case, by case number."""
        for number, (first, *_) in zip(numbers, cases, strict=True):
            self._outcomes[number] = first["outcome"]
            for column in CHANCE_COLUMNS:
                value = first.get(column)
                getattr(self._found, column)[number] = np.nan if value is None else value

    def survey(self) -> Survey:
        """Return the survey of chances, shortest rolls and outcomes; the outcome is "" for places that were not
        resolved.
        """
        told = {
            **{column: getattr(self._found, column) for column in CHANCE_COLUMNS},
            "outcome": self._outcomes,
        }
        values = {column: found.reshape(self._grid.shape) for column, found in told.items()}
        return Survey({axis.key: np.array(axis.values) for axis in self._grid.axes}, values)


def _case(base: VariedScenario, grid: Grid) -> Case | None:
    """Return a possible case of the grid, or None if its chances cannot be computed at many places at once.

    They can if only the first target's place and facing vary, no dice or jitter are given, and the system computes
    chances.
    """
    if base.dice is not None or base.jitter is not None or not _moves_the_target(base, grid):
        return None
    for set_up in _set_ups(base, grid):
        try:
            case = set_up()
        except ScenarioError:
            continue
        return case if hasattr(case.system, "chances") else None
    return None


def _set_ups(base: VariedScenario, grid: Grid) -> list[Callable[[], Case]]:
    """Return functions that make the case: as in the file, then with the values of up to `MOST_TRIED` cases all over
    the grid.
    """
    some = np.linspace(0, len(grid) - 1, min(MOST_TRIED, len(grid))).astype(int).tolist()
    return [
        partial(case_from_tables, base.tables, overrides=base.overrides),
        *(partial(base.case, grid[number]) for number in some),
    ]


def _moves_the_target(base: VariedScenario, grid: Grid) -> bool:
    """Return whether the grid varies x and y of the first charge's first target, perhaps its facing, and nothing
    else.
    """
    if base.has_relations:  # others may follow the target
        return False
    charges = base.tables.get("charges")
    target = charges[0]["targets"][0] if charges and charges[0].get("targets") else None
    parts = [path_of(key) for key in grid.keys]
    named = {path[2] for path in parts if path[:2] == ("units", target) and len(path) == 3}  # noqa: PLR2004 - units, its name, its key
    return len(named) == len(parts) and {"x", "y"} <= named <= {"x", "y", "facing_deg"}


def _asked(case: Case, poses: FloatArray, how: Execution) -> ChanceMap:
    """Return the chances at all poses, shape (n, 3), computed in one call or in blocks by a pool of processes.

    Each block takes every b-th pose, so that blocks take about equal time. As part of the work is done once per block,
    there are no more blocks than workers or memory require.
    """
    workers = min(how.workers, max(1, len(poses) // PLACES_WORTH_WORKERS) * 2)
    is_shared = workers > 1 and len(poses) >= PLACES_WORTH_WORKERS
    blocks = max(workers if is_shared else 1, math.ceil(len(poses) / MOST_IN_BLOCK))
    parts = (poses[first::blocks] for first in range(blocks))
    if not is_shared and how.limit.seconds is None:
        return _joined((_chances(case, part) for part in parts), len(poses), blocks, how.progress)
    with pool_of(workers if is_shared else 1, how.limit) as pool:
        try:
            return _joined(
                pool.map(partial(_chances, case), parts), len(poses), blocks, how.progress
            )
        except BrokenProcessPool:
            if how.limit.seconds_left > 0.0:
                raise
            message = "stopped at the limit of {seconds:g} s before the chances at all places were computed"
            raise NoVerdictError(message, seconds=how.limit.seconds) from None


def _chances(case: Case, poses: FloatArray) -> ChanceMap:
    system: Any = case.system
    found: ChanceMap = system.chances(case, poses)
    return found


def _joined(parts: Iterable[ChanceMap], count: int, blocks: int, progress: Progress) -> ChanceMap:
    whole = ChanceMap.unknown(count)
    for first, part in enumerate(parts):
        for name in (*CHANCE_COLUMNS, "is_decided"):
            getattr(whole, name)[first::blocks] = getattr(part, name)
        progress(int(part.is_decided.sum()))
    return whole

"""Other solvers for placing loose models: HiGHS and OR-Tools CP-SAT on the same candidates, and a unit that moves as
one block.

Candidates are our solver's positions in contact, and some on the way to them. Both solvers get the same set packing
model: each model takes one position, no two overlap, coherency holds, every target is engaged; the number of contacts
is maximised.
"""

import math
import time
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from ortools.sat.python import cp_model
from scipy.optimize import Bounds, milp

from systems.wh40k.feasibility import problem_of
from systems.wh40k.scene import scene_of
from tabletop.optimise.problem import Selection
from tabletop.optimise.selection import cliques, limits_of
from tabletop.placement.candidates import Solver
from tabletop.placement.loci import unique_places
from tabletop.placement.problem import joined_candidates
from tabletop.ruling.system import Case
from tests.oracles.wh40k.bodies import Bodies, Floats, joined
from tests.oracles.wh40k.limits import ENGAGED, margins
from tests.oracles.wh40k.table import Table

NEAREST = 24
"""Number of contact positions per model, nearest first."""
SHARES = (0.25, 0.5, 0.7, 0.85)
"""Positions short of contact, as shares of the way there."""
SECONDS = 20.0
"""Time limit in seconds, after which a solver returns its incumbent."""
ANGLES = 120
"""Number of angles at which a block is moved into contact with each enemy."""
TOUCH = 1e-6
"""Tolerance of contact in inches."""
Flags = NDArray[np.bool_]
Numbers = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Candidates:
    """Positions (c): which model may take them (n, c), which touch (c,), engage which target (c, t), overlap or are
    adjacent (c, c).
    """

    usable: Flags
    touching: Flags
    engaged: Flags
    overlap: Flags
    near: Flags
    asked: int

    @property
    def pairs(self) -> tuple[Numbers, Numbers]:
        """Index pairs of models and positions that they may take."""
        who, place = np.nonzero(self.usable)
        return who, place


@dataclass(frozen=True)
class Found:
    """Result of another solver: models in contact (None without a plan), whether the maximum is proved, and the seconds
    taken.
    """

    contacts: int | None
    is_proven: bool
    seconds: float


def offered(case: Case, distance: float) -> Candidates:
    """Return the candidate positions of a case's only charge."""
    charge = case.charges[0]
    scene = scene_of(
        case.state, charge.charger, charge.targets, choices=case.choices, book=case.book
    )
    solver = Solver(problem_of(scene), distance)
    problem = solver.problem
    legality = solver.legality
    movers = range(len(problem.models.models))
    at = unique_places(np.concatenate([_places(solver, mover) for mover in movers]))
    candidates = joined_candidates(
        [
            legality.candidates(kind, at, np.zeros(len(at)))
            for kind in dict.fromkeys(legality.kind_numbers.tolist())
        ]
    )
    usable = np.array(
        [
            np.isfinite(solver.move_costs(mover, candidates))
            & (candidates.kind == legality.kind_numbers[mover])
            for mover in movers
        ]
    )
    gaps = legality.pair_gaps(candidates, candidates)
    np.fill_diagonal(gaps, np.inf)
    linked = gaps <= problem.coherency.horizontal
    return Candidates(
        usable,
        candidates.touching,
        candidates.engaged,
        gaps < -TOUCH,
        linked,
        problem.coherency.neighbours,
    )


def _places(solver: Solver, mover: int) -> Floats:
    """Return a model's candidates, shape (k, 2): its nearest contact positions, and some on the way to the nearest
    ones.
    """
    found = solver.contacts(mover)
    near = found.candidates.at[np.argsort(found.lengths, kind="stable")[:NEAREST]]
    start = solver.problem.models.centres[mover]
    aims = near[:1] if len(near) else solver.problem.target_models.models.centres[:1]
    short: Floats = np.concatenate([start + share * (aims - start) for share in (0.0, *SHARES)])
    return np.concatenate([near, short])


def with_highs(given: Candidates) -> Found:
    """Place the models with HiGHS."""
    who, place = given.pairs
    selection = Selection(
        given.usable,
        (),
        given.overlap,
        given.near,
        given.engaged.T,
        given.asked,
        is_one_group=False,
    )
    limits = list(limits_of(selection, who, place))
    started = time.perf_counter()
    cost = -given.touching[place].astype(float)
    found = milp(
        cost,
        integrality=np.ones(len(who)),
        bounds=Bounds(0.0, 1.0),
        constraints=limits,
        options={"time_limit": SECONDS},
    )
    took = time.perf_counter() - started
    return Found(None if found.x is None else round(-found.fun), found.status == 0, took)


def with_cp_sat(given: Candidates) -> Found:
    """Place the models with OR-Tools CP-SAT."""
    model = cp_model.CpModel()
    taken = {
        pair: model.new_bool_var("")
        for pair in zip(*(rows.tolist() for rows in given.pairs), strict=True)
    }
    at = [
        [taken[who, place] for who in range(len(given.usable)) if (who, place) in taken]
        for place in range(len(given.touching))
    ]
    for who in range(len(given.usable)):
        model.add_exactly_one(variable for (mover, _), variable in taken.items() if mover == who)
    for clique in cliques(given.overlap):
        model.add_at_most_one(variable for place in clique for variable in at[place])
    for place, own in enumerate(at):
        if own:
            model.add(
                sum(
                    variable
                    for other in np.flatnonzero(given.near[place])
                    for variable in at[other]
                )
                >= given.asked * sum(own)
            )
    for target in given.engaged.T:
        model.add(sum(variable for place in np.flatnonzero(target) for variable in at[place]) >= 1)
    model.maximize(
        sum(variable for place in np.flatnonzero(given.touching) for variable in at[place])
    )
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = SECONDS
    started = time.perf_counter()
    status = solver.solve(model)
    took = time.perf_counter() - started
    is_found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return Found(
        round(solver.objective_value) if is_found else None, status == cp_model.OPTIMAL, took
    )


def as_block(scene: Table) -> Found:
    """Return the best translation of the whole unit, as simpler programs use, that brings a model into contact at one
    of many angles.
    """
    started = time.perf_counter()
    shifts = _shifts(scene)
    counts = _near(scene, shifts, joined(scene.targets), TOUCH).any(axis=2).sum(axis=1)
    best: int | None = None
    for row in np.argsort(-counts, kind="stable").tolist():
        ends = scene.charger.at(scene.charger.centres + shifts[row], scene.charger.heights)
        if min(margins(scene, ends).values()) >= -TOUCH:
            best = int(counts[row])
            break
    return Found(best, is_proven=False, seconds=time.perf_counter() - started)


def _shifts(scene: Table) -> Floats:
    """Return translations, shape (k, 2), short enough, with a contact, all targets engaged and no overlap."""
    turns = np.linspace(0.0, math.tau, ANGLES, endpoint=False)
    ring = np.column_stack([np.cos(turns), np.sin(turns)])
    found = []
    for target in scene.targets:
        sums = scene.charger.radii[:, None] + target.radii[None]
        apart = target.centres[None] - scene.charger.centres[:, None]
        found.append((apart[:, :, None] + sums[:, :, None, None] * ring).reshape(-1, 2))
    shifts = np.concatenate(found)
    shifts = shifts[np.hypot(*shifts.T) <= scene.distance]
    shifts = shifts[~_near(scene, shifts, scene.enemies, -TOUCH).any(axis=(1, 2))]
    shifts = shifts[~_near(scene, shifts, scene.others, ENGAGED).any(axis=(1, 2))]
    for target in scene.targets:
        shifts = shifts[_near(scene, shifts, target, ENGAGED).any(axis=(1, 2))]
    places = shapely.points(scene.charger.centres + shifts[:, None])
    for piece in scene.solids:
        inside = shapely.distance(places, piece.area) < scene.charger.radii - TOUCH
        shifts = shifts[~inside.any(axis=1)]
        places = places[~inside.any(axis=1)]
    clear: Floats = shifts
    return clear


def _near(scene: Table, shifts: Floats, others: Bodies, gap: float) -> Flags:
    """Return a mask (k, n, m) of pairs of models within a gap."""
    places = scene.charger.centres + shifts[:, None]
    apart = np.linalg.norm(places[:, :, None] - others.centres, axis=-1)
    return np.asarray(apart - scene.charger.radii[:, None] - others.radii <= gap)

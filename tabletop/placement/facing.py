"""The best facing of a single model that may turn, besides those in which every model is examined.

The nearest box of `TurningSearch` tells about which facing the shortest move ends in; about that one the best is sought
by parabolas (Brent), and in each all places are examined as in any other.
"""

import math

import numpy as np
from scipy.optimize import minimize_scalar

from tabletop.placement.branch_and_bound import TurningSearch
from tabletop.placement.candidates import Solver
from tabletop.placement.legality import OrientedBase
from tabletop.placement.objective import GAIN

HALVINGS = 5
"""Times that boxes are halved before the facing of the nearest is taken: at 2 it is that of a longer way round on
oval tables, at 8 it takes a second."""

ASIDE = 0.2
"""Radians to either side of that facing within which the best is sought."""

LEAST_TURN = 2e-4
"""Radians to which the best facing is sought: the tip of an oval moves 3e-4 in by that."""


def turn_best(solver: Solver) -> float:
    """Return the shortest move in inches of a single model within the limit of a solver, in whatever facing; infinite
    for none.

    If it ends in a facing that was not examined, that is examined from now on, and the plan is kept.
    """
    search = TurningSearch(solver)
    if not search.applies:
        return math.inf
    boxes = search.boxes(solver.limit, halvings=HALVINGS)
    if not len(boxes):
        return math.inf
    middle = float(boxes.headings[np.argmin(boxes.ways(solver.problem.models.centres[0]))])

    def least(heading: float) -> float:
        """Return the least move in inches with which the model engages all targets in a facing; long for none."""
        turned = solver.in_kind(OrientedBase(search.kind.base, heading))
        return min(turned.alone, 2.0 * solver.problem.farthest)

    found = minimize_scalar(
        least,
        bounds=(middle - ASIDE, middle + ASIDE),
        method="bounded",
        options={"xatol": LEAST_TURN},
    )
    if found.fun >= min(solver.alone, solver.limit) - GAIN:
        return math.inf
    solver.root.kinds_found.append(OrientedBase(search.kind.base, float(found.x)))
    solver.root.solvers.clear()
    turned = solver.root.at(solver.limit, solver.conditions)
    options = turned.options[0]
    plan = turned.place(
        turned.start, 0, options, np.asarray(options.candidates.engaged.all(axis=1))
    )
    if plan is not None:
        turned.keep(plan)
    return turned.known_distance

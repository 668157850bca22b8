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
from tabletop.units import MARGINAL

ASIDE = 0.2
"""Radians to either side of that facing within which the best is sought."""

LEAST_TURN = 5e-4
"""Radians to which the best facing is sought: the tip of an oval moves 8e-4 in by that."""


def turned(solver: Solver) -> tuple[float, float]:
    """Return a lower bound on the move of a single model within the limit of a solver, in whatever facing, and the
    shortest move found in inches; infinite for none.

    If this ends in a facing that was not examined, that is examined from now on, and the plan is kept.
    """
    search = TurningSearch(solver)
    if not search.applies:
        return 0.0, math.inf
    boxes = search.boxes(solver.limit)
    ways = boxes.ways(solver.problem.models.centres[0]) + solver.problem.pivots[0]
    bound = min(solver.limit, float(ways.min(initial=math.inf)))
    if bound > solver.limit - MARGINAL:
        return bound, math.inf
    middle = float(boxes.headings[np.argmin(ways)])

    def least(heading: float) -> float:
        """Return the least move in inches with which the model engages all targets in a facing; long for none."""
        one = solver.in_kind(OrientedBase(search.kind.base, heading))
        return min(one.alone, 2.0 * solver.problem.farthest)

    found = minimize_scalar(
        least,
        bounds=(middle - ASIDE, middle + ASIDE),
        method="bounded",
        options={"xatol": LEAST_TURN},
    )
    if found.fun >= min(solver.alone, solver.limit) - GAIN:
        return bound, math.inf
    examined = solver.examining(OrientedBase(search.kind.base, float(found.x)))
    options = examined.options[0]
    plan = examined.place(
        examined.start, 0, options, np.asarray(options.candidates.engaged.all(axis=1))
    )
    if plan is not None:
        examined.keep(plan)
    return bound, examined.known_distance

"""Who takes which place: a cheapest assignment, and the most that can be served where places shut each other out."""

import math
from collections.abc import Sequence

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linear_sum_assignment, milp
from scipy.sparse import csr_array

from tabletop.pose import FloatArray
from tabletop.solve.tracks import BoolArray, IntArray

ROUNDING = 1e-6
"""What a bound in floating point may be off."""


def cheapest(costs: FloatArray) -> IntArray | None:
    """Give the column that each row takes so that the costs (n, n) add up to least; infinite costs are forbidden. None: impossible."""
    usable = np.isfinite(costs)
    if not usable.any(axis=1).all():
        return None
    far = float(costs[usable].max(initial=0.0)) * (len(costs) + 1) + 1.0
    rows, columns = linear_sum_assignment(np.where(usable, costs, far))
    return np.asarray(columns) if usable[rows, columns].all() else None


def most_served(usable: BoolArray, cliques: Sequence[IntArray], *, nodes: int = 0) -> int:
    """Bound from above how many of n can be served by places that each may use (n, c), no two places of a clique together.

    Shares of places may be taken; with `nodes` whole ones only, as far as that many branches tell.
    """
    who, place = np.nonzero(usable)
    if not len(who):
        return 0
    column = np.arange(len(who))
    inside = csr_array(
        (np.ones(sum(map(len, cliques))), np.concatenate(cliques), np.cumsum([0, *map(len, cliques)])), (len(cliques), usable.shape[1])
    )
    taken = csr_array((np.ones(len(who)), (place, column)), (usable.shape[1], len(who)))
    served = csr_array((np.ones(len(who)), (who, column)), (usable.shape[0], len(who)))
    found = milp(
        -np.ones(len(who)),
        integrality=np.full(len(who), 1 if nodes else 0),
        bounds=Bounds(0.0, 1.0),
        constraints=[LinearConstraint(inside @ taken, -np.inf, 1.0), LinearConstraint(served, -np.inf, 1.0)],
        options={"node_limit": nodes} if nodes else {},
    )
    bound = found.mip_dual_bound if nodes else found.fun
    return len(usable) if bound is None or not math.isfinite(bound) else math.floor(-bound + ROUNDING)

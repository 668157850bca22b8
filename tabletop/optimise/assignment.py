"""Who takes which place: a cheapest assignment."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from tabletop.geometry.arrangement import IntArray
from tabletop.geometry.pose import FloatArray


def cheapest(costs: FloatArray) -> IntArray | None:
    """Give the column that each row takes so that the costs (n, n) add up to least; infinite costs are forbidden. None: impossible."""
    usable = np.isfinite(costs)
    if not usable.any(axis=1).all():
        return None
    far = float(costs[usable].max(initial=0.0)) * (len(costs) + 1) + 1.0
    rows, columns = linear_sum_assignment(np.where(usable, costs, far))
    return np.asarray(columns) if usable[rows, columns].all() else None

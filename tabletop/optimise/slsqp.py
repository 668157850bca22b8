"""Local minima by SciPy's SLSQP, with linear algebra on one thread, so that the same input gives the same bytes
everywhere.
"""

import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import ThreadpoolController

from tabletop.geometry.arrays import FloatArray

_TURN = threading.RLock()
"""Held during a search, since the number of threads is that of the whole process."""


def local_minimum(
    cost: Callable[[FloatArray], Any], start: FloatArray, **options: Any
) -> FloatArray:
    """Return the point (k,) to which SLSQP moves from `start` (k,); it may violate constraints.

    `cost` is the objective in inches, with its gradient if `jac` is true; `options` are those of
    `scipy.optimize.minimize`.

    Notes
    -----
    LAPACK, which SLSQP uses, rounds otherwise if it may use several threads, however small the matrices are; where
    constraints contradict each other, the steps make 1e-9 in of it. Products of NumPy along points (n, 2) do not depend
    on threads.
    """
    with _TURN, _linear_algebra().limit(limits=1):
        return np.asarray(minimize(cost, start, method="SLSQP", **options).x)


@cache
def _linear_algebra() -> ThreadpoolController:
    """Return the loaded libraries of linear algebra, that of SciPy among them; finding them takes milliseconds."""
    return ThreadpoolController().select(user_api="blas")

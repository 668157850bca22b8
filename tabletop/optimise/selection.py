"""Assignments and selections: which item takes which place.

Solved by mixed-integer programming with HiGHS, goal after goal.
"""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from tabletop.budget import Budget
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.units import CONTACT

if TYPE_CHECKING:
    from tabletop.optimise.problem import Selection

NODES = 400
"""Node limit of the branch and bound in HiGHS, for each goal: the same on every machine."""

GOAL_TOLERANCE = 0.005
"""Relative tolerance of a goal: less than one of what is counted; measured goals are refined afterwards."""

SECONDS = 2.0
"""Time limit of HiGHS in seconds, whatever the limit of the whole search."""

MAX_CUT_ROUNDS = 8
"""Number of solves in all: selections that form several groups are cut off, and the program is solved again."""


def solve_selection(selection: "Selection", *, budget: Budget) -> IntArray | None:
    """Return the index (n,) of the place that each item takes in the best selection found; None if none was found."""
    if not selection.usable.any(axis=1).all():
        return None
    who, place = np.nonzero(selection.usable)
    limits = list(limits_of(selection, who, place))
    picks = None
    rounds = MAX_CUT_ROUNDS
    for worth in selection.values:
        found, rounds = _best(
            selection, place, worth[who, place], limits, rounds=rounds, budget=budget
        )
        if found is None:
            break
        picks = place[np.flatnonzero(found)]
        limits.append(_reaching(worth[who, place], float(worth[who, place] @ found)))
    return picks


def _reaching(worth: FloatArray, low: float) -> LinearConstraint:
    """Return the constraint that a selection's worth, the sum of `worth` (k,) over the pairs taken, is at least
    `low`.
    """
    return LinearConstraint(worth, low - CONTACT, np.inf)


def _best(
    selection: "Selection",
    place: IntArray,
    worth: FloatArray,
    limits: list[LinearConstraint],
    *,
    rounds: int,
    budget: Budget,
) -> tuple[FloatArray | None, int]:
    """Return the selection found that is worth most, as 1 or 0 for each usable pair (k,), and how many rounds are left.

    `place` and `worth` (k,) are those of the pairs. The selection is None if none was found. Where one group is
    required, but what is taken forms several, each of them is required to be linked to the rest, and the program is
    solved again.
    """
    while rounds and not budget.is_spent(0):
        rounds -= 1
        allowed = {
            "node_limit": NODES,
            "mip_rel_gap": GOAL_TOLERANCE,
            "time_limit": max(min(budget.seconds_left, SECONDS), 0.0),
        }
        with _silence_stdout():
            found = milp(
                -worth,
                integrality=np.ones(len(worth)),
                bounds=Bounds(0.0, 1.0),
                constraints=limits,
                options=allowed,
            )
        if found.x is None:
            break
        taken: FloatArray = np.round(found.x)
        chosen = place[np.flatnonzero(taken)]
        count, group = connected_components(
            csr_array(selection.supports[np.ix_(chosen, chosen)]), directed=False
        )
        if count == 1 or not selection.is_one_group:
            return taken, rounds
        limits.extend(
            _linked(selection, chosen[group == one], chosen[group != one], place)
            for one in range(count)
        )
    return None, rounds


@contextmanager
def _silence_stdout() -> Iterator[None]:
    """Redirect standard output to nowhere while HiGHS runs, since other programs read JSON from it."""
    try:
        aside = os.dup(1)
    except OSError:  # it is closed, and nobody hears anything
        yield
        return
    _flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    try:
        yield
    finally:
        _flush()
        os.dup2(aside, 1)
        os.close(aside)


def _flush() -> None:
    """Flush the standard output that the C library has buffered."""
    with suppress(AttributeError, OSError, TypeError):  # where it cannot be reached by this name
        (ctypes.CDLL(None) if os.name == "posix" else ctypes.CDLL("ucrtbase")).fflush(None)


def _linked(
    selection: "Selection", group: IntArray, others: IntArray, place: IntArray
) -> LinearConstraint:
    """Return the constraint (cut) that a group and its complement, if both are selected, are joined by a selected
    separator place.
    """
    beside = np.array(selection.supports[group].any(axis=0))
    beside[group] = False
    # Of the places beside the group only those part it from the others that the others reach without it.
    outside = np.flatnonzero(~beside & ~np.isin(np.arange(len(beside)), group))
    _, label = connected_components(
        csr_array(selection.supports[np.ix_(outside, outside)]), directed=False
    )
    reached = outside[np.isin(label, label[np.isin(outside, others)])]
    beside &= selection.supports[reached].any(axis=0)
    rows = [
        (place == one).astype(float) + (place == other) - beside[place]
        for one in group
        for other in others
    ]
    return LinearConstraint(csr_array(np.array(rows)), -np.inf, 1.0)


def limits_of(selection: "Selection", who: IntArray, place: IntArray) -> Iterator[LinearConstraint]:
    """Yield the constraints on the usable pairs (k,) of an item `who` and a `place`, variables that are 1 if taken,
    else 0.
    """
    count = len(who)
    places = selection.usable.shape[1]
    column = np.arange(count)
    takes = csr_array((np.ones(count), (place, column)), (places, count))
    yield LinearConstraint(
        csr_array((np.ones(count), (who, column)), (len(selection.usable), count)), 1.0, 1.0
    )
    sets = cliques(selection.excludes)
    rows = np.repeat(np.arange(len(sets)), [len(some) for some in sets])
    inside = csr_array((np.ones(len(rows)), (rows, np.concatenate(sets))), (len(sets), places))
    yield LinearConstraint(inside @ takes, -np.inf, 1.0)
    if selection.asked:
        beside = selection.supports & ~np.eye(places, dtype=bool)
        yield LinearConstraint(
            csr_array(selection.asked * np.eye(places) - beside) @ takes, -np.inf, 0.0
        )
    yield LinearConstraint(csr_array(selection.covers.astype(float)) @ takes, 1.0, np.inf)


def cliques(excludes: BoolArray) -> list[IntArray]:
    """Return cliques of mutually exclusive places, as index arrays, that cover each pair in `excludes` (p, p); single
    places too.
    """
    left = excludes & ~np.eye(len(excludes), dtype=bool)
    found = [np.array([one]) for one in range(len(excludes))]
    pairs = left.copy()
    for first in range(len(left)):
        while left[first].any():
            clique = [first]
            open_places = pairs[first].copy()
            following = int(np.argmax(left[first]))
            while True:
                clique.append(following)
                open_places &= pairs[following]
                if not open_places.any():
                    break
                following = int(np.argmax(open_places))
            left[np.ix_(clique, clique)] = False
            found.append(np.array(clique))
    return found

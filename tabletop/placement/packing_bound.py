"""Plans with as many models in contact as can be, and a number that no plan exceeds: packings by chance, and lines of ever finer cells."""

from collections.abc import Iterator

import numpy as np

from tabletop.budget import Budget
from tabletop.placement.assignment import Assignment
from tabletop.placement.bounds import most_contacts
from tabletop.placement.construction import completed, grown, manners
from tabletop.placement.contact_bound import cells_of
from tabletop.placement.contact_packing import ContactPacking
from tabletop.placement.line_bound import LineBound
from tabletop.placement.reachable import ReachablePlaces

CELL_LENGTHS = (0.05, 0.016, 0.005, 0.0017)
"""Inches of a cell, tried in turn until the bound is as low as a plan that is known."""

QUICK = 0.03
"""Inches of a cell for a first plan."""

PACKINGS = 12
"""Most packings by chance."""

BETWEEN = 3
"""Packings by chance before each lines of cells."""

FINER = 4.0
"""How much longer finer cells take: where so many seconds are not left they are not begun."""

MOST_FAILURES = 5
"""Packings that could not be completed to plans before no more are tried."""


def filled(reachable: ReachablePlaces, budget: Budget) -> tuple[list[Assignment], int]:
    """Give plans, each with more contacts than those before it, and a number of contacts that no plan exceeds."""
    found, most, failures = list[Assignment](), most_contacts(reachable), 0
    for work, (packing, bound) in enumerate(_packings(reachable, budget)):
        most = min(most, bound)
        if packing and failures < MOST_FAILURES and all(packing.counts[0] > assignment.counts[0] for assignment in found):
            plan = (grown if work == 0 else completed)(reachable, packing, manners(1)[0])
            failures += plan is None
            found += [] if plan is None else [plan]
        if budget.is_spent(work) or any(assignment.counts[0] >= most for assignment in found):
            break
    return found, most


def _packings(reachable: ReachablePlaces, budget: Budget) -> Iterator[tuple[Assignment | None, int]]:
    """Give assignments with many models in contact, and with each a bound on them: by chance, and by lines of cells in turn."""
    packing, chance, count = ContactPacking(reachable), np.random.default_rng(1), len(reachable.options)
    rounds = iter(range(PACKINGS if packing.can_be_asked else 0))
    for number, length in enumerate(CELL_LENGTHS if reachable.problem.is_round else ()):
        if number == 0:
            yield LineBound(cells_of(reachable, QUICK)).fullest(is_quick=True), count
        lineup = LineBound(cells_of(reachable, length))
        for turn, _ in zip(rounds, range(BETWEEN), strict=False):
            yield packing.packed(chance, turn), count
        left = budget.seconds_left
        yield None, lineup.most
        yield lineup.fullest(), count
        if budget.seconds_left < FINER * (left - budget.seconds_left):
            return
    for turn in rounds:
        yield packing.packed(chance, turn), count

"""Fronts side by side along one side of a body: who stands where so that the most models are in contact.

The value of a front adds to that of its neighbours except for models that both meet, which count once; so the best places of an
order follow by dynamic programming over slides, front by front. Of few fronts every order is tried. Of more, what can be had at
most is known without orders (`tabletop.fronts.row_of_many`); orders only decide between places that are equally good.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations, product

import numpy as np

from tabletop.fronts.contender import NEIGHBOUR_OVERLAP, Contender, Packing, Weights
from tabletop.fronts.flush import SAME_SLIDE
from tabletop.fronts.row_of_many import RowLevels
from tabletop.geometry.pose import FloatArray
from tabletop.units import CONTACT

FULLY_ORDERED = 3
"""Fronts of which every order is tried with all slides at which they touch each other, however many others are between them."""

MOST_ORDERED = 4
"""Fronts of which every order is tried."""

LONGEST_CHAIN = 3
"""Fronts that touch in a row and are moved as one; all that fit on one side, but for rows of very narrow ones."""

MOST_SLIDES = 240
"""Slides of one of many fronts that are compared: those nearest to where it would stand by its last aim."""


def best_row(row: Sequence[Contender], weights: Weights) -> Packing | None:
    """Find the best places of fronts along one side; None if they do not fit, no slides if none were found."""
    if len(row) <= FULLY_ORDERED:
        return _best_of(permutations(row), None, weights)
    crowd = RowLevels.of(row, weights)
    found = next(crowd.sets(len(row)), None)
    if found is None:
        return None if crowd.is_complete else Packing({}, (0, 0), (), is_proven=False, is_settled=False)
    _, value, which = found
    numbers, slides = crowd.trace(len(row), which)
    order = [row[number] for number in numbers]
    pushed = _measured(order, slides, weights.totals(value))
    is_settled = len(row) <= MOST_ORDERED
    orders = permutations(row) if is_settled else (order, sorted(row, key=_aim))
    best = _best_of((_closed(one) for one in orders), pushed, weights) or pushed
    is_proven = crowd.is_complete or weights.value(*best.totals) >= _at_most(row, weights)
    return Packing(best.slides, best.totals, best.preferences, is_proven=is_proven, is_settled=is_settled)


def _best_of(orders: Iterable[Sequence[Contender]], known: Packing | None, weights: Weights) -> Packing | None:
    """Find the best places over several orders, if better than those known."""
    best = known
    for order in orders:
        packing = _best_in_order(order, weights)
        if packing is not None and packing.is_better(best, weights):
            best = packing
    return best


def _measured(order: Sequence[Contender], slides: Sequence[float], totals: tuple[int, int]) -> Packing:
    """Say what slides are worth, of which the totals are known."""
    placed = [one.elsewhere(np.array([slide])) for one, slide in zip(order, slides, strict=True)]
    preferences = np.sum([one.preferences[0] for one in placed], axis=0)
    return Packing({one.name: slide for one, slide in zip(order, slides, strict=True)}, totals, tuple(preferences.tolist()))


def _at_most(row: Sequence[Contender], weights: Weights) -> float:
    """Give what a row is worth at most: all models met that any front can meet, and each front's most."""
    met = np.any([one.meets.any(axis=0) for one in row], axis=0).sum()
    return weights.value(float(met), float(sum(one.own.max() for one in row)))


def _aim(one: Contender) -> float:
    """Give where a front would stand by its last aim, else in the middle of what it may take."""
    return one.aims[-1] if one.aims else float(one.slides.mean())


def _closed(order: Sequence[Contender]) -> list[Contender]:
    """Close slides under touching in this order: those at which it stands in a row with neighbours, one of them at its own.

    With those at which such a row is nearest to all its aims; of too many the nearest to the aim of each.
    """
    widths = [one.width for one in order]
    starts = np.concatenate([[0.0], np.cumsum(widths)[:-1]])
    slides = [[one.slides] for one in order]
    for (number, near), (other, far) in product(enumerate(order), enumerate(order)):
        if near is not far and abs(number - other) < LONGEST_CHAIN:
            slides[number].append(far.slides + (starts[number] - starts[other]))
    for first, last in combinations(range(len(order)), 2):
        for aims in zip(*(one.aims for one in order[first : last + 1]), strict=True):
            for number, slide in enumerate(balanced(widths[first : last + 1], aims), first):
                slides[number].append(np.array([slide]))
    return [one.elsewhere(_nearest(np.concatenate(some), _aim(one))) for one, some in zip(order, slides, strict=True)]


def _nearest(slides: FloatArray, aim: float) -> FloatArray:
    """Keep the slides nearest to an aim, sorted, each once."""
    ordered = np.unique(slides)
    ordered = ordered[np.diff(ordered, prepend=-np.inf) > SAME_SLIDE]
    first = np.argsort(np.abs(ordered - aim), kind="stable")[:MOST_SLIDES]
    return np.sort(ordered[first])


def balanced(widths: Sequence[float], aims: Sequence[float]) -> list[float]:
    """Give the slides of fronts that touch in a row and together lie nearest, in squares, to the slides each would take alone."""
    starts = np.concatenate([[0.0], np.cumsum(widths)[:-1]])
    balanced_slides: list[float] = (starts + np.mean(np.array(aims) - starts)).tolist()
    return balanced_slides


def _best_in_order(order: Sequence[Contender], weights: Weights) -> Packing | None:
    """Dynamic programming: the best of all that stand before, for each slide of the next."""
    if any(not len(one.slides) for one in order):
        return None
    first = order[0]
    value, preferences = weights.gain(first.meets.sum(axis=1).astype(float), first.own), first.preferences
    came_from: list[np.ndarray] = []
    for before, after in pairwise(order):
        shared = before.meets.astype(float) @ after.meets.T.astype(float)
        gain = weights.gain(after.meets.sum(axis=1)[None, :] - shared, after.own[None, :])
        fits = after.slides[None, :] >= before.slides[:, None] + before.width - NEIGHBOUR_OVERLAP
        chosen = _chosen(np.where(fits, value[:, None] + gain, -np.inf), preferences)
        came_from.append(chosen)
        column = np.arange(len(after.slides))
        value = np.where(fits[chosen, column], value[chosen] + gain[chosen, column], -np.inf)
        preferences = preferences[chosen] + after.preferences
    if not np.isfinite(value).any():
        return None
    last = int(_chosen(value[:, None], preferences)[0])
    return _traced(order, came_from, last, tuple(preferences[last].tolist()))


def _chosen(values: FloatArray, preferences: FloatArray) -> np.ndarray:
    """For each column the row with the greatest value, then preferences to 1e-6, then the first."""
    usable = values >= values.max(axis=0)
    for criterion in preferences.T:
        masked = np.where(usable, criterion[:, None], -np.inf)
        usable &= masked >= masked.max(axis=0) - CONTACT
    result: np.ndarray = usable.argmax(axis=0)
    return result


def _traced(order: Sequence[Contender], came_from: Sequence[np.ndarray], last: int, preferences: tuple[float, ...]) -> Packing:
    picks = [last]
    for chosen in reversed(came_from):
        picks.append(int(chosen[picks[-1]]))
    picks.reverse()
    met = np.any([one.meets[pick] for one, pick in zip(order, picks, strict=True)], axis=0)
    own = sum(int(one.own[pick]) for one, pick in zip(order, picks, strict=True))
    return Packing({one.name: float(one.slides[pick]) for one, pick in zip(order, picks, strict=True)}, (int(met.sum()), own), preferences)

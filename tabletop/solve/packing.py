"""Several fronts side by side along the sides of one body: who stands where so that the most models are in contact.

On one side the fronts stand in some order along it without overlapping. The value of a front adds to that of its neighbours
except for models that both meet, which count once; so the best places of an order follow by dynamic programming over slides,
front by front, and every order is tried. Slides are the critical ones of each front, and those at which it touches a chain of
others that stand at theirs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, permutations, product
from operator import neg

import numpy as np

from tabletop.pose import FloatArray
from tabletop.units import CONTACT

FIT = CONTACT / 2
"""Inches by which neighbours may overlap: less than their places are checked to, so that rounding never decides between the two."""

MOST_SHARED = 8
"""Models shown on two sides that are told apart exactly; with more, each is counted on the first side that shows it."""


LONGEST_CHAIN = 3
"""Fronts that touch in a row and are moved as one; all that fit on one side, but for rows of very narrow ones."""


@dataclass(frozen=True, eq=False)
class Contender:
    """One front with the slides it may take.

    Attributes
    ----------
    name
        Who it is; the order of names given to `pack` decides last ties.
    side
        Which side of the body it stands against; side n + 1 begins where side n ends.
    width
        Of the front and the gap that it keeps to the next one, in inches.
    slides
        Critical slides, sorted, (c,), in inches.
    meets
        Which models of the body each slide meets, (c, models).
    own
        How many of its own models are in contact, (c,).
    preferences
        Criteria among equally good places, greater is better, (c, criteria).
    """

    name: str
    side: int
    width: float
    slides: FloatArray
    meets: np.ndarray
    own: FloatArray
    preferences: FloatArray

    def take(self, which: np.ndarray) -> "Contender":
        """Keep some of the slides."""
        return replace(self, slides=self.slides[which], meets=self.meets[which], own=self.own[which], preferences=self.preferences[which])


@dataclass(frozen=True)
class Packing:
    """Slides by name, with the goals' values (models of the body, own models) and the sums of the preferences."""

    slides: Mapping[str, float]
    totals: tuple[int, int]
    preferences: tuple[float, ...]

    def is_better(self, other: "Packing | None", weights: "Weights") -> bool:
        """Compare goals, then preferences to 1e-6, then slides in the order of the names."""
        if other is None:
            return True
        if weights.value(*self.totals) != weights.value(*other.totals):
            return weights.value(*self.totals) > weights.value(*other.totals)
        for own, theirs in zip(self.preferences, other.preferences, strict=True):
            if abs(own - theirs) > CONTACT:
                return own > theirs
        return tuple(self.slides.values()) < tuple(other.slides.values())

    def rank(self, weights: "Weights") -> tuple[float, ...]:
        """Give a key that sorts better packings first; preferences and slides to 1e-6."""
        return (-weights.value(*self.totals), *(round(value, 6) for value in (*map(neg, self.preferences), *self.slides.values())))


@dataclass(frozen=True)
class Weights:
    """How the two goals compare: models of the body first, or their sum first."""

    is_sum: bool = False

    def value(self, body: float, own: float) -> float:
        """Give one number that orders the pairs of counts."""
        return (body + own) * SCALE + body if self.is_sum else body * SCALE + own

    def gain(self, body: FloatArray, own: FloatArray) -> FloatArray:
        """Give the same for arrays."""
        return (body + own) * SCALE + body if self.is_sum else body * SCALE + own


SCALE = 4096.0


def chained(own: Mapping[str, Sequence[float]], widths: Mapping[str, float]) -> dict[str, FloatArray]:
    """Close slides under touching: add to each front those at which it touches a chain of others that stands at one of theirs.

    Chains are at most LONGEST_CHAIN fronts long.
    """
    closed: dict[str, FloatArray] = {}
    for name in own:
        slides = list(own[name])
        others = [other for other in own if other != name]
        for between in (chain for size in range(min(len(others), LONGEST_CHAIN - 1)) for chain in permutations(others, size + 1)):
            *middle, anchor = between
            gap = sum(widths[other] for other in middle)
            slides += [slide + widths[anchor] + gap for slide in own[anchor]]
            slides += [slide - gap - widths[name] for slide in own[anchor]]
        ordered = np.unique(slides)
        closed[name] = ordered[np.diff(ordered, prepend=-np.inf) > CONTACT / 1000]
    return closed


def pack(contenders: Sequence[Contender], lengths: Sequence[float], *, weights: Weights, apart: float = 0.0) -> Packing | None:
    """Find the best places of all contenders together, or None if they do not fit.

    `lengths` are those of the body's sides in inches, in the order in which they follow each other around it; `apart` is the gap
    that fronts keep, which their widths include.
    """
    best: Packing | None = None
    for variant in _variants(contenders, lengths, apart):
        rows = [_best_row([one for one in variant if one.side == side], weights) for side in sorted({one.side for one in variant})]
        if any(row is None for row in rows):
            continue
        packing = _joined([row for row in rows if row is not None], [one.name for one in contenders])
        if packing.is_better(best, weights):
            best = packing
    return best


def _joined(rows: Sequence[Packing], names: Sequence[str]) -> Packing:
    slides = {name: slide for row in rows for name, slide in row.slides.items()}
    totals = tuple(int(sum(values)) for values in zip(*(row.totals for row in rows), strict=True))
    preferences = tuple(sum(values) for values in zip(*(row.preferences for row in rows), strict=True))
    return Packing({name: slides[name] for name in names}, (totals[0], totals[1]), preferences)


def _variants(contenders: Sequence[Contender], lengths: Sequence[float], apart: float) -> Iterator[list[Contender]]:
    """Settle what couples the sides: on which a shared model counts, and at each corner who may stand beyond it."""
    sides = sorted({one.side for one in contenders})
    corners = [(side, following) for side in sides if (following := (side + 1) % len(lengths)) in sides]
    shared = _shared(contenders, sides)
    for keepers in product(*(holders for _, holders in shared)):
        counted = [_counting(one, [(model, keeper) for (model, _), keeper in zip(shared, keepers, strict=True)]) for one in contenders]
        for held in product((0, 1), repeat=len(corners)):
            yield [_held_back(one, corners, held, lengths, apart) for one in counted]


def _shared(contenders: Sequence[Contender], sides: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """List the models that fronts on several sides can meet, with those sides."""
    met = {side: np.any([one.meets.any(axis=0) for one in contenders if one.side == side], axis=0) for side in sides}
    holders = [(model, tuple(side for side in sides if met[side][model])) for model in range(contenders[0].meets.shape[1])]
    shared = [(model, owners) for model, owners in holders if len(owners) > 1]
    return [(model, owners if number < MOST_SHARED else owners[:1]) for number, (model, owners) in enumerate(shared)]


def _counting(contender: Contender, keepers: Sequence[tuple[int, int]]) -> Contender:
    """Count shared models only on the side that keeps them."""
    meets = contender.meets.copy()
    for model, keeper in keepers:
        if keeper != contender.side:
            meets[:, model] = False
    return replace(contender, meets=meets)


def _held_back(
    contender: Contender, corners: Sequence[tuple[int, int]], held: Sequence[int], lengths: Sequence[float], apart: float
) -> Contender:
    """At a corner between two charged sides only one of them may have fronts that stand beyond it."""
    keep = np.ones(len(contender.slides), dtype=bool)
    for (side, following), who in zip(corners, held, strict=True):
        if who == 0 and contender.side == side:
            keep &= contender.slides + contender.width <= lengths[side] + FIT
        if who == 1 and contender.side == following:
            keep &= contender.slides >= apart - FIT
    return contender.take(keep)


def _best_row(row: Sequence[Contender], weights: Weights) -> Packing | None:
    """Find the best places of fronts along one side, over all their orders."""
    best: Packing | None = None
    for order in permutations(row):
        packing = _best_in_order(order, weights)
        if packing is not None and packing.is_better(best, weights):
            best = packing
    return best


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
        fits = after.slides[None, :] >= before.slides[:, None] + before.width - FIT
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


def balanced(widths: Sequence[float], aims: Sequence[float]) -> list[float]:
    """Give the slides of fronts that touch in a row and together lie nearest, in squares, to the slides each would take alone."""
    starts = np.concatenate([[0.0], np.cumsum(widths)[:-1]])
    balanced_slides: list[float] = (starts + np.mean(np.array(aims) - starts)).tolist()
    return balanced_slides

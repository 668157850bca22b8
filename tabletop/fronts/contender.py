"""Fronts that contend for places along the sides of one body, what their places are worth, and how that compares."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from operator import neg

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.units import CONTACT

NEIGHBOUR_OVERLAP = CONTACT / 2
"""Inches by which neighbours may overlap: less than their places are checked to, so that rounding never decides between the two."""

SCALE = 4096.0


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
    at
        Measures the front at any slides, those that it may not take left out; None if it may take no others than `slides`.
    aims
        Slides at which each of the criteria that are squares is served best.
    """

    name: str
    side: int
    width: float
    slides: FloatArray
    meets: np.ndarray
    own: FloatArray
    preferences: FloatArray
    at: "Callable[[FloatArray], Contender] | None" = None
    aims: tuple[float, ...] = ()

    def take(self, which: np.ndarray) -> "Contender":
        """Keep some of the slides."""
        return replace(self, slides=self.slides[which], meets=self.meets[which], own=self.own[which], preferences=self.preferences[which])

    def elsewhere(self, slides: FloatArray) -> "Contender":
        """Measure the front at other slides, those that it may not take left out."""
        return self.at(slides) if self.at is not None else self.take(np.flatnonzero(np.isin(self.slides, slides)))

    def limited(self, limit: "Callable[[Contender], Contender]") -> "Contender":
        """Limit the front in some way at the critical slides and at any others."""
        at = self.at
        limited = limit(self)
        return limited if at is None else replace(limited, at=lambda slides: limit(at(slides)))


@dataclass(frozen=True)
class Packing:
    """Slides by name, with the goals' values (models of the body, own models) and the sums of the preferences.

    With `is_proven` no other slides serve the goals better; with `is_settled` too, none that serve them as well are preferred.
    """

    slides: Mapping[str, float]
    totals: tuple[int, int]
    preferences: tuple[float, ...]
    is_proven: bool = True
    is_settled: bool = True

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

    def totals(self, value: float) -> tuple[int, int]:
        """Give the pair of counts back."""
        high, low = divmod(int(value), int(SCALE))
        return (low, high - low) if self.is_sum else (high, low)

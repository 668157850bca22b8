"""Places of several chargers side by side on one target: packing of fronts over their critical slides."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations

import numpy as np

from systems.t9a.aligned import criteria, special_slides
from systems.t9a.scene import Front, Scene
from tabletop.fronts.packing import (
    FULLY_ORDERED,
    Packing,
    PackingItem,
    SubsetProgramme,
    Weights,
    balanced,
    close_under_contact,
    pack,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.optimise.interval import Intervals
from tabletop.table.facing import FacingName, facing_of
from tabletop.units import CONTACT

FACINGS_AROUND: tuple[FacingName, ...] = ("front", "right", "rear", "left")
"""The facings in the order in which one begins where the other ends."""

MOST_SETS = 300
"""Limit of feasible sets kept for each number of chargers."""


def packed(
    fronts: Mapping[str, Front], places: Mapping[str, Intervals], weights: Weights
) -> Packing | None:
    """Return jointly best slides for all chargers in `places`, each within its intervals; None if they do not fit.

    `fronts` are the chargers by name, `weights` order the totals of models in contact. The slides are empty if none was
    found.
    """
    slides: dict[str, FloatArray] = {}
    for name in FACINGS_AROUND:
        slides |= _closed(
            {charger: fronts[charger] for charger in places if fronts[charger].name == name}, places
        )
    contenders = [
        _contender(charger, fronts[charger], places[charger], slides[charger]) for charger in places
    ]
    if not all(len(contender.slides) for contender in contenders):
        return None
    scene = next(iter(fronts.values())).scene
    lengths = [facing_of(scene.target, name).length for name in FACINGS_AROUND]
    return pack(contenders, lengths, weights=weights, apart=_apart(scene))


def _apart(scene: Scene) -> float:
    """Return the gap, in inches, that two chargers must keep from each other."""
    return 0.0 if scene.choices.friend_touch else scene.choices.clearance


def _closed(fronts: Mapping[str, Front], places: Mapping[str, Intervals]) -> dict[str, FloatArray]:
    """Return the critical slides (n,) of all chargers on one facing, in inches, with those at which they touch each
    other.

    Of more than FULLY_ORDERED chargers only each one's own critical slides are returned.
    """
    own = {charger: _critical(front, places[charger]) for charger, front in fronts.items()}
    if len(fronts) > FULLY_ORDERED:
        return {
            charger: _inside(np.unique(slides), places[charger]) for charger, slides in own.items()
        }
    widths = {charger: front.width + _apart(front.scene) for charger, front in fronts.items()}
    for chain in (
        chain for size in range(2, len(fronts) + 1) for chain in permutations(fronts, size)
    ):
        for aims in zip(*(special_slides(fronts[charger])[2:] for charger in chain), strict=True):
            for charger, slide in zip(
                chain, balanced([widths[charger] for charger in chain], aims), strict=True
            ):
                own[charger].append(slide)
    closed = close_under_contact(own, widths)
    return {charger: _inside(slides, places[charger]) for charger, slides in closed.items()}


def _critical(front: Front, places: Intervals) -> list[float]:
    """Return the critical slides of one charger within its places: a count changes, an interval ends, or a `tie`
    criterion is best.
    """
    ends = [end for place in places for end in place]
    apart = _apart(front.scene)
    at_corners = [apart, front.facing.length - front.width - apart]
    return [
        float(slide)
        for slide in _inside(
            np.array([*front.breakpoints, *ends, *special_slides(front), *at_corners]), places
        )
    ]


def _inside(slides: FloatArray, places: Intervals) -> FloatArray:
    """Return the slides (n,) that lie in one of the intervals, within the tolerance of contact."""
    keep = np.zeros(len(slides), dtype=bool)
    for low, high in places:
        keep |= (slides >= low - CONTACT) & (slides <= high + CONTACT)
    return slides[keep]


def _contender(charger: str, front: Front, places: Intervals, slides: FloatArray) -> PackingItem:
    """Return a charger as an item to pack: its slides within its places, and the models in contact and preferences at
    each.
    """
    slides = _inside(slides, places)
    target = front.scene.target
    meets = np.zeros((len(slides), target.models), dtype=bool)
    meets[:, [model.number for model in front.shown]] = front.lineup.shown_met(slides)
    preferences = np.stack([criterion(slides) for criterion in criteria(front, power=2)], axis=1)
    return PackingItem(
        charger,
        FACINGS_AROUND.index(front.name),
        front.width + _apart(front.scene),
        slides,
        meets,
        front.lineup.front_in_contact(slides),
        preferences,
        partial(_contender, charger, front, places),
        special_slides(front)[2:],
    )


@dataclass(frozen=True)
class Fitting:
    """Sets of chargers that fit side by side, each with an upper bound of its worth; `is_complete` if none were left
    out.
    """

    worth: Mapping[frozenset[str], float]
    is_complete: bool

    def ordered(self, names: Sequence[str]) -> list[tuple[tuple[str, ...], float]]:
        """Return the sets with their bounds as a list: the larger sets first, then those worth more, then by the order
        of `names`.
        """
        numbers = {name: number for number, name in enumerate(names)}
        listed = [
            (tuple(sorted(some, key=numbers.__getitem__)), worth)
            for some, worth in self.worth.items()
        ]
        return sorted(
            listed, key=lambda pair: (-len(pair[0]), -pair[1], [numbers[name] for name in pair[0]])
        )


def feasible_sets(fronts: Mapping[str, Front], weights: Weights) -> Fitting:
    """Return the sets of chargers that fit side by side if other chargers are ignored on the way and facings do not
    interact.

    The worth of each is an upper bound.
    """
    joined: dict[frozenset[str], float] = {frozenset(): 0.0}
    is_complete = True
    for name in FACINGS_AROUND:
        row = [
            _contender(charger, front, front.free, np.unique(_critical(front, front.free)))
            for charger, front in fronts.items()
            if front.name == name
        ]
        if not row:
            continue
        crowd = SubsetProgramme.of(row, weights)
        sets = [
            (frozenset(some), worth)
            for size in range(len(row) + 1)
            for some, worth, _ in crowd.sets(size)
        ]
        both = {had | some: worth + more for had, worth in joined.items() for some, more in sets}
        joined = _best_of_each_size(both)
        is_complete = is_complete and crowd.is_complete and len(joined) == len(both)
    del joined[frozenset()]
    return Fitting(joined, is_complete)


def _best_of_each_size(worth: Mapping[frozenset[str], float]) -> dict[frozenset[str], float]:
    """Return at most MOST_SETS sets of each size, those of greatest worth."""
    ordered = sorted(worth, key=lambda some: (-worth[some], sorted(some)))
    counts = Counter[int]()
    kept = dict[frozenset[str], float]()
    for some in ordered:
        counts[len(some)] += 1
        if counts[len(some)] <= MOST_SETS:
            kept[some] = worth[some]
    return kept

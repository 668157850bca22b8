"""The exact ends that claimed ones stand for: all models of a unit settled together, so that every limit is kept with nothing forgiven."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, compress

import numpy as np

from systems.wh40k.conditions import Ends, beyond_board, support_depth
from systems.wh40k.paths import Paths
from systems.wh40k.scene import top_of
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape
from tabletop.optimise.nudge import Measure, nudged
from tabletop.table.models import Model, Squad
from tabletop.units import CONTACT, MEANT, STRICTLY_BEYOND

NEAR = 2.5 * MEANT
"""Inches from a limit within which a hand for each of two models may decide whether it is kept."""

OfModels = Callable[[Sequence[Model]], float]


def exact_ends(ends: Ends) -> tuple[Model, ...] | None:
    """Return ends within a hand of claimed ones at which whoever touches a foe as far as a hand can tell does so, None if none were found.

    All limits that a hand may decide are asked at once; whoever takes what comes back measures it again.
    """
    moves = nudged(len(ends.models), list(_HandLimits(ends).measures()))
    if moves is None or float(np.hypot(*moves.T).max(initial=0.0)) > MEANT:
        return None
    return tuple(_moved(model, move) for model, move in zip(ends.models, moves, strict=True))


def _moved(model: Model, move: FloatArray) -> Model:
    if not move.any():
        return model
    return model.at(Pose(model.pose.x + float(move[0]), model.pose.y + float(move[1]), model.pose.heading), model.z)


@dataclass(frozen=True, eq=False)
class _HandLimits:
    """Models where they are claimed to end."""

    ends: Ends

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """Those that move, by place."""
        pairs = zip(self.ends.models, self.ends.starts.models, strict=True)
        return tuple(number for number, (model, start) in enumerate(pairs) if not model.stands_like(start))

    @cached_property
    def ways(self) -> Paths:
        """The ways that are judged."""
        return Paths(self.ends.scene, reach=self.ends.distance + NEAR, clearance=STRICTLY_BEYOND)

    def measures(self) -> Iterator[Measure]:
        """Yield what a hand may decide: of each model by itself, of each two, and of the unit."""
        for number in self.moving:
            yield from self._of_one(number, self.ends.models[number])
        for (number, model), (other, beside) in combinations(enumerate(self.ends.models), 2):
            if abs(model.z - beside.z) <= CONTACT:
                yield from self._watched((number, other), lambda some: gap(some[0].footprint, some[1].footprint), low=0.0)
        yield from self._coherency()
        for target in self.ends.scene.targets:
            best = int(self.ends.to(target).margins.max(axis=1).argmax())
            yield from self._watched((best,), partial(self._range, target), low=0.0)

    def _watched(self, who: tuple[int, ...], value: OfModels, *, low: float = -math.inf, high: float = math.inf) -> Iterator[Measure]:
        """Yield the limits of a value of models where a hand for each of them may decide about it."""
        some = [self.ends.models[number] for number in who]
        now = value(some)
        if min(abs(now - low), abs(now - high)) <= NEAR or not low <= now <= high:
            free = [place for place, number in enumerate(who) if number in self.moving]

            def moved(moves: FloatArray) -> float:
                at = {place: _moved(some[place], move) for place, move in zip(free, moves, strict=True)}
                return value([at.get(place, model) for place, model in enumerate(some)])

            yield Measure(tuple(who[place] for place in free), moved, low, high)

    def _of_one(self, number: int, model: Model) -> Iterator[Measure]:
        scene, one = self.ends.scene, (number,)
        yield from self._watched(one, lambda some: beyond_board(scene.state.board, some[0]), high=0.0)
        for piece in scene.solids:
            if top_of(piece) > model.z + CONTACT and not are_boxes_apart(model.footprint, piece.shape):
                yield from self._watched(one, partial(_gap_to, piece.shape), low=0.0)
        held = [piece for piece in (*scene.blocks, *scene.upper_floors) if model.z > CONTACT and abs(piece.height - model.z) <= CONTACT]
        if held:
            best = max(held, key=lambda piece: support_depth(scene, model, piece))
            yield from self._watched(one, lambda some: support_depth(scene, some[0], best), low=0.0)
        touched = {id(foe) for unit in scene.targets for foe in compress(unit.models, self.ends.to(unit).contacts[number])}
        for other in (other for unit in scene.others for other in unit.models if abs(other.z - model.z) <= CONTACT):
            yield from self._watched(one, partial(_gap_to, other.footprint), low=0.0, high=0.0 if id(other) in touched else math.inf)
        for unit in scene.non_targets:
            yield from self._watched(one, partial(self._range, unit), high=-STRICTLY_BEYOND)
        start = self.ends.starts.models[number]
        yield from self._watched(one, lambda some: self.ways.length(start, some[0]), high=self.ends.distance)
        if not touched:
            yield from self._watched(one, lambda some: float(self._at(some).gains[0]), low=STRICTLY_BEYOND)

    def _at(self, some: Sequence[Model]) -> Ends:
        return Ends(self.ends.scene, tuple(some))

    def _range(self, unit: Squad, some: Sequence[Model]) -> float:
        """Return by how much models are within engagement range of a unit at most, negative outside."""
        return float(self._at(some).to(unit).margins.max())

    def _coherency(self) -> Iterator[Measure]:
        """Keep links that hold the unit together as far as a hand can tell, where both models need them."""
        asked, margins = self.ends.coherency.neighbours, self.ends.neighbour_margins
        sure = (margins >= NEAR).sum(axis=1)
        for pair in zip(*(rows.tolist() for rows in np.nonzero(np.triu(np.abs(margins) <= NEAR))), strict=True):
            if min(sure[list(pair)]) < asked or self.ends.coherency.single_group:
                yield from self._watched(pair, lambda some: float(self._at(some).neighbour_margins[0, 1]), low=0.0)


def _gap_to(shape: Shape, some: Sequence[Model]) -> float:
    return gap(some[0].footprint, shape)

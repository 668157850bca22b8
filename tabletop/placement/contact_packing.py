"""As many models as possible in base contact: places taken one after the other, those of the farthest models first.

Each place taken bars those that overlap it and offers new ones: those that touch it and a foe. Only straight ways are looked at
here; whoever takes the result measures the true ones. Chance decides among places of nearly the same worth.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.arrangement import BoolArray, IntArray, circles, crossings
from tabletop.geometry.pose import FloatArray
from tabletop.placement.assignment import Assignment
from tabletop.placement.candidates import Candidates
from tabletop.placement.reachable import ReachablePlaces
from tabletop.units import CONTACT

NEW_PLACES = 8
"""Places kept of those that one model placed offers to the next, for each kind."""

MANNERS = ((1.0, 0.05, 0.0), (2.0, 0.3, 0.3), (4.0, 0.3, 1.0), (1.0, 1.0, 0.3), (2.0, 0.05, 1.0), (4.0, 1.0, 0.0))
"""How places are weighed, in turn: what each inch of a model's nearest contact counts, inches of chance, worth of touching a model."""


COHERENCY_WORTH = (0.0, 4.0, 100.0)
"""Inches that a place within coherency of models placed before is worth, in turn."""


@dataclass(frozen=True, eq=False)
class Places:
    """Centres (k, 2), heights (k,) and kinds (k,) of places in contact."""

    at: FloatArray
    z: FloatArray
    kind: IntArray


@dataclass(frozen=True, eq=False)
class ContactPacking:
    """Reachable places of discs whose models press towards contact."""

    reachable: ReachablePlaces

    @property
    def can_be_asked(self) -> bool:
        """Whether all bodies are discs."""
        return self.reachable.problem.is_round and self.reachable.problem.foes.models.is_round

    @cached_property
    def places(self) -> Places:
        """The places in contact that do not depend on the other models, of all kinds."""
        pools = [pool.of(pool.touching) for pool in self.reachable.pools]
        at, z, kind = (np.concatenate([getattr(pool, name) for pool in pools]) for name in ("at", "z", "kind"))
        return Places(at, z, kind)

    @cached_property
    def able(self) -> BoolArray:
        """Which models (n,) may take a place: those that reach contact and stand nowhere yet."""
        return np.isfinite(self.reachable.nearest_contact) & ~self.reachable.start.placed

    @cached_property
    def lengths(self) -> FloatArray:
        """Straight ways (n, k) in inches to the places, infinite where a model cannot take one."""
        return self.straight(self.places.at, self.places.kind)

    def straight(self, at: FloatArray, kinds: IntArray) -> FloatArray:
        """Give straight ways (n, k) in inches, infinite where the kind is not the model's or the limit is too short."""
        starts, problem = self.reachable.problem.movers.centres, self.reachable.problem
        x, y = starts[:, :1] - at[:, 0], starts[:, 1:] - at[:, 1]
        lengths = np.sqrt(x * x + y * y)
        lengths[(lengths > problem.task.limit + CONTACT) | (problem.kind_numbers[:, None] != kinds) | ~self.able[:, None]] = np.inf
        return lengths

    def packed(self, chance: np.random.Generator, number: int) -> Assignment:
        """Give an assignment with as many models in contact as one round of taking places brings there."""
        crowd, assignment = _Crowd(self, chance, number), self.reachable.start
        while (best := crowd.cheapest()) is not None:
            mover, place = best
            candidates = self.reachable.problem.measured(int(crowd.kind[place]), crowd.at[[place]], crowd.z[[place]])
            length = self._length(mover, place, candidates)
            if np.isfinite(length):
                crowd.take(mover, place)
                assignment = assignment.put(mover, candidates, 0, length)
            else:
                crowd.costs[mover, place] = np.inf
        return assignment

    def _length(self, mover: int, place: int, candidates: Candidates) -> float:
        """Measure a model's way to a place; what is blocked is kept in mind for the next round."""
        length = float(self.reachable.costs(mover, candidates)[0])
        if not np.isfinite(length) and place < len(self.places.kind):
            self.lengths[mover, place] = np.inf
        return length


class _Crowd:
    """One round of taking places, in arrays with room for all places that may be offered."""

    def __init__(self, packing: ContactPacking, chance: np.random.Generator, number: int) -> None:
        hard, noise, tight = MANNERS[number % len(MANNERS)]
        self.packing, self.problem, self.chance, self.noise, self.tight = packing, packing.reachable.problem, chance, noise, tight
        nearest = packing.reachable.nearest_contact
        self.merit = np.where(np.isfinite(nearest), nearest, 0.0)[:, None] * (1.0 + hard)
        movers, self.count = packing.lengths.shape
        room = self.count + NEW_PLACES * len(self.problem.kinds) * movers
        self.costs = np.full((movers, room), np.inf)
        self.at, self.z, self.kind = np.full((room, 2), np.inf), np.zeros(room), np.zeros(room, dtype=np.intp)
        self.at[: self.count], self.z[: self.count], self.kind[: self.count] = packing.places.at, packing.places.z, packing.places.kind
        by_chance = noise * (chance.random((1, self.count)) + chance.random((movers, self.count)))
        self.costs[:, : self.count] = packing.lengths - self.merit + by_chance
        self.is_far = np.ones(room, dtype=bool)
        self.reward = COHERENCY_WORTH[number % len(COHERENCY_WORTH)]
        self.taken: list[int] = []
        start = packing.reachable.start
        self.stood = [(start.candidates.at[row], float(self.problem.radii[start.candidates.kind[row]])) for row in start.who]
        for at, radius in self.stood:
            self._bar(at, radius)
            self._near(at, radius)

    def cheapest(self) -> tuple[int, int] | None:
        """Give the model and the place that come next."""
        if not self.count:
            return None
        mover, place = divmod(int(np.argmin(self.costs[:, : self.count])), self.count)
        return (mover, place) if np.isfinite(self.costs[mover, place]) else None

    def take(self, mover: int, place: int) -> None:
        """Put a model into a place."""
        at, radius = self.at[place], float(self.problem.radii[self.kind[place]])
        self.taken.append(mover)
        self.stood.append((at, radius))
        self.costs[mover] = np.inf
        self._bar(at, radius)
        self._near(at, radius)
        if len(self.taken) < int(self.packing.able.sum()):
            self._offer(at, radius, float(self.z[place]))

    def _bar(self, at: FloatArray, radius: float) -> None:
        """Bar the places that overlap a disc."""
        x, y = self.at[: self.count, 0] - at[0], self.at[: self.count, 1] - at[1]
        near = x * x + y * y < (self.problem.radii[self.kind[: self.count]] + radius - CONTACT) ** 2
        self.costs[:, : self.count][:, near] = np.inf

    def _near(self, at: FloatArray, radius: float) -> None:
        """Make the places within coherency of a disc worth more, once."""
        x, y = self.at[: self.count, 0] - at[0], self.at[: self.count, 1] - at[1]
        reach = self.problem.radii[self.kind[: self.count]] + radius + self.problem.situation.coherency.horizontal
        near = (x * x + y * y <= reach * reach) & self.is_far[: self.count]
        self.costs[:, : self.count][:, near] -= self.reward
        self.is_far[: self.count][near] = False

    def _offer(self, at: FloatArray, radius: float, z: float) -> None:
        """Offer the places that touch a disc, and a foe."""
        for number, fields in enumerate(self.packing.reachable.fields):
            level = next(field for field in fields if abs(field.surface.z - z) <= CONTACT)
            points = crossings(circles(at[None], np.array([radius + self.problem.radii[number]])), level.contact)[0]
            points = points[self._is_free(points, float(self.problem.radii[number]))]
            points = points[self.problem.stands(self.problem.kinds[number], points, np.full(len(points), z))][:NEW_PLACES]
            if len(points):
                self._add(points, z, number)

    def _is_free(self, points: FloatArray, radius: float) -> BoolArray:
        """Tell which points (k, 2) leave a disc clear of those that have been placed."""
        at, radii = np.array([at for at, _ in self.stood]), np.array([radius for _, radius in self.stood])
        x, y = points[:, :1] - at[:, 0], points[:, 1:] - at[:, 1]
        return np.asarray((x * x + y * y >= (radii + radius - CONTACT) ** 2).all(axis=1))

    def _add(self, points: FloatArray, z: float, kind: int) -> None:
        first, last = self.count, self.count + len(points)
        self.at[first:last], self.z[first:last], self.kind[first:last] = points, z, kind
        lengths = self.packing.straight(points, self.kind[first:last])
        lengths[self.taken] = np.inf
        self.costs[:, first:last] = lengths - self.merit - self.tight - self.reward + self.noise * self.chance.random(lengths.shape)
        self.is_far[first:last] = False
        self.count = last

"""How many models can be in base contact at once, bounded from above: the curves of contact cut into cells.

A model that ends in contact ends in a cell. Two models cannot end in cells all of whose places overlap; every rounding of
a cell to its middle is given away. What can stand in line under these weaker limits is a bound that no plan exceeds.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tabletop.geometry.arrangement import BoolArray, IntArray
from tabletop.geometry.pose import FloatArray
from tabletop.placement.clearance import OVAL_CURVES_OFF, obstacles, rooms_of
from tabletop.placement.locus_cells import LocusCells, cut, joined_rims
from tabletop.placement.reachable import ReachablePlaces
from tabletop.units import CONTACT


@dataclass(frozen=True, eq=False)
class ContactCells:
    """Cells of contact of discs, with their heights (c,) and kinds (c,).

    `lines` holds their rows in the order in which one meets them around the foes, and whether they close to a ring.
    """

    reachable: ReachablePlaces
    rim: LocusCells
    heights: FloatArray
    kinds: IntArray
    lines: tuple[tuple[IntArray, bool], ...]

    @cached_property
    def room(self) -> FloatArray:
        """How far (c,) the middles are clear of all that forbids an end, in inches; negative inside. Foes touched do not count."""
        return np.asarray(self._rooms(self.rim.middles).min(axis=1, initial=np.inf))

    @cached_property
    def room_at_ends(self) -> FloatArray:
        """The same of the places where cells begin, from each single obstacle: (c, obstacles)."""
        return self._rooms(self.rim.ends)

    def _rooms(self, at: FloatArray) -> FloatArray:
        """Measure the room (c, obstacles) of a place of each cell."""
        rooms = np.full((len(at), len(obstacles(self.reachable.problem))), np.inf)
        for number in range(len(self.reachable.problem.kinds)):
            own = np.flatnonzero(self.kinds == number)
            rooms[own] = rooms_of(self.reachable.problem, number, at[own], self.heights[own])
        return rooms

    @cached_property
    def dips(self) -> FloatArray:
        """How deep (c,) in inches something convex may dip into a cell between two of its places that are clear."""
        return np.asarray(self.rim.along**2 / self.reachable.problem.radii[self.kinds] + CONTACT)

    @cached_property
    def _shut(self) -> BoolArray:
        """Which cells (c,) a single convex obstacle covers from end to end."""
        inside = self.room_at_ends < -self.dips[:, None]
        inside &= np.array([len(shape.pieces) == 1 for shape in obstacles(self.reachable.problem)], dtype=bool)
        return np.asarray((inside & inside[self.rim.following]).any(axis=1))

    def _taken(self) -> BoolArray:
        """Tell which cells (c,) overlap models that have been placed."""
        start = self.reachable.start
        if not start.placed.any():
            return np.zeros(len(self.kinds), dtype=bool)
        who = start.who
        gaps_to_placed = self.reachable.problem.separations.pair_gaps(
            self.kinds, self.rim.middles, start.candidates.kind[who], start.candidates.at[who]
        )
        level = np.abs(self.heights[:, None] - start.candidates.z[who][None, :]) <= CONTACT
        return np.asarray(((gaps_to_placed < -self.rim.halves[:, None] - CONTACT) & level).any(axis=1))

    @cached_property
    def usable(self) -> BoolArray:
        """Which models (n) may end in which cells (c), as far as straight ways tell."""
        problem = self.reachable.problem
        aside = problem.movers.centres[:, None, :] - self.rim.middles[None, :, :]
        across, low = np.hypot(aside[..., 0], aside[..., 1]), problem.situation.free_height
        begun, ended = (np.where(z > low, z, 0.0) for z in (problem.movers.heights, self.heights))
        straight = across + np.abs(begun[:, None] - ended[None, :])
        if problem.situation.flies:
            straight = np.minimum(straight, np.hypot(across, np.abs(problem.movers.heights[:, None] - self.heights[None, :])))
        able = np.isfinite(self.reachable.nearest_contact) & ~self.reachable.start.placed
        near = straight <= problem.task.limit + self.rim.halves + CONTACT
        legal = (self.room >= -self.rim.halves - CONTACT) & ~self._shut & ~self._taken()
        return np.asarray(near & (problem.kind_numbers[:, None] == self.kinds) & legal & able[:, None])

    def ordered(self, usable: BoolArray) -> list[tuple[IntArray, bool]]:
        """Give the cells of each line that some model (n, c) may use, in order, a ring from behind its widest gap on."""
        found = []
        for cells, is_ring in self.lines:
            kept = cells[usable[:, cells].any(axis=0)]
            if is_ring and len(kept):
                aside = self.rim.middles[kept] - self.rim.middles[np.roll(kept, 1)]
                kept = np.roll(kept, -int(np.argmax(np.hypot(aside[:, 0], aside[:, 1]))))
            found.append((kept, is_ring))
        return found


def cells_of(reachable: ReachablePlaces, length: float) -> ContactCells:
    """Cut the curves of contact into cells of at most so many inches."""
    rims, heights, kinds = list[LocusCells](), list[FloatArray](), list[IntArray]()
    lines: list[tuple[IntArray, bool]] = []
    slack = 0.0 if reachable.problem.foes.models.is_round else OVAL_CURVES_OFF
    for number, field in [(number, field) for number, fields in enumerate(reachable.fields) for field in fields]:
        rim = cut(field.contact, length).spared(slack)
        level = np.abs(reachable.problem.foes.models.heights - field.surface.z) <= CONTACT
        between = reachable.problem.separations.gaps_to(field.kind, rim.middles, reachable.problem.foes.models)[:, level]
        is_open = np.asarray((between >= -rim.halves[:, None] - CONTACT).all(axis=1))
        first = sum(map(len, rims))
        lines += [(cells + first, is_ring) for cells, is_ring in rim.lines(is_open)]
        rims.append(rim)
        heights.append(np.full(len(rim), field.surface.z))
        kinds.append(np.full(len(rim), number))
    return ContactCells(reachable, joined_rims(rims), np.concatenate(heights), np.concatenate(kinds), tuple(lines))

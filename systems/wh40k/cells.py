"""How many models can be in base contact at once, bounded from above: the curves of contact cut into cells.

A model that ends in contact ends in a cell. Two models cannot end in cells all of whose places overlap; every rounding of
a cell to its middle is given away. What can be served under these weaker limits is a bound that no plan exceeds.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.wh40k.scene import top_of
from systems.wh40k.spots import BoolArray, IntArray
from systems.wh40k.yard import Yard
from tabletop.pose import FloatArray
from tabletop.shapes import gaps
from tabletop.solve.assignment import most_served
from tabletop.solve.tracks import Tracks
from tabletop.units import CONTACT

LENGTHS = (0.16, 0.06)
"""Inches of a cell, tried in turn until the bound is as low as a plan that is known."""

FEW_CELLS, NODES = 250, 30
"""Cells up to which it is worth asking for whole models in whole cells, and branches that are looked at then."""

MOST_CELLS = 900
"""Cells beyond which a finer cut takes too long."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of contact of discs: middles (c, 2), heights (c,), kinds (c,), and the most that a place lies from the middle (c,)."""

    yard: Yard
    middles: FloatArray
    heights: FloatArray
    kinds: IntArray
    halves: FloatArray

    @cached_property
    def room(self) -> FloatArray:
        """How far (c,) the middles are clear of all that forbids an end, in inches; negative inside. Foes touched do not count."""
        parts = [self._room(number, np.flatnonzero(self.kinds == number)) for number in range(len(self.yard.arena.kinds))]
        return np.concatenate(parts)

    def _room(self, number: int, own: IntArray) -> FloatArray:
        """Measure the room (k,) of cells of one kind."""
        arena, kind, at, z = self.yard.arena, self.yard.arena.kinds[number], self.middles[own], self.heights[own]
        scene = arena.task.scene
        level = np.abs(z[:, None] - scene.bodies.heights[None, :]) <= CONTACT
        between = arena.gaps_to(kind, at, scene.bodies)
        room = np.where(level & (np.abs(between) > CONTACT), between, np.inf).min(axis=1, initial=np.inf)
        for piece in scene.solids:
            room = np.minimum(room, np.where(z < top_of(piece) - CONTACT, gaps(kind.shape, at, piece.shape), np.inf))
        if arena.shunned.models.models:
            needed = scene.book.engagement_horizontal + scene.choices.clearance
            near = arena.rises(z, arena.shunned) <= scene.book.engagement_vertical + CONTACT
            room = np.minimum(room, np.where(near, arena.gaps_to(kind, at, arena.shunned.models) - needed, np.inf).min(axis=1))
        return np.asarray(room)

    def _taken(self, own: IntArray) -> BoolArray:
        """Tell which cells overlap models that have been placed."""
        start = self.yard.start
        if not start.placed.any():
            return np.zeros(len(own), dtype=bool)
        who = start.who
        gaps_to_placed = self.yard.arena.pair_gaps(self.kinds[own], self.middles[own], start.spots.kind[who], start.spots.at[who])
        level = np.abs(self.heights[own, None] - start.spots.z[who][None, :]) <= CONTACT
        return np.asarray(((gaps_to_placed < -self.halves[own, None] - CONTACT) & level).any(axis=1))

    @cached_property
    def usable(self) -> BoolArray:
        """Which models (n) may end in which cells (c), as far as straight ways tell."""
        arena = self.yard.arena
        aside = arena.movers.centres[:, None, :] - self.middles[None, :, :]
        straight = np.hypot(aside[..., 0], aside[..., 1]) + np.abs(arena.movers.heights[:, None] - self.heights[None, :])
        able = np.isfinite(self.yard.nearest_contact) & ~self.yard.start.placed
        near = straight <= arena.task.limit + self.halves + CONTACT
        legal = self.room >= -self.halves - CONTACT
        legal &= ~self._taken(np.arange(len(self.kinds)))
        return np.asarray(near & (arena.kind_numbers[:, None] == self.kinds) & legal & able[:, None])

    def reached(self) -> BoolArray:
        """Tell which models (n) may end in which cells (c) by their true ways; where something juts into a cell, by straight ones.

        Along a cell that is clear a model goes on to its middle.
        """
        arena, usable = self.yard.arena, self.usable.copy()
        clear = self.room >= self.halves
        for mover in np.flatnonzero(usable.any(axis=1)).tolist():
            asked = np.flatnonzero(usable[mover] & clear)
            ends = np.column_stack([self.middles[asked], self.heights[asked]])
            lengths = arena.ways.lengths(arena.movers.models[mover], ends)
            usable[mover, asked] = lengths <= arena.task.limit + self.halves[asked] * ARC + CONTACT
        return usable

    def cliques(self, kept: IntArray) -> list[IntArray]:
        """Give sets of cells, by their rows in `kept`, of which any two surely overlap; each two that do are in one."""
        arena, at, halves = self.yard.arena, self.middles[kept], self.halves[kept]
        aside = at[:, None, :] - at[None, :, :]
        apart = np.hypot(aside[..., 0], aside[..., 1])
        reach = arena.radii[self.kinds[kept]]
        overlap = apart + halves[:, None] + halves[None, :] < reach[:, None] + reach[None, :] - CONTACT
        overlap &= np.abs(self.heights[kept][:, None] - self.heights[kept][None, :]) <= CONTACT
        np.fill_diagonal(overlap, val=False)
        found = {tuple(sorted(_clique(row, overlap, apart))) for row in range(len(kept))}
        return [np.array(clique) for clique in sorted(found)]

    def most(self, known: int) -> int:
        """Bound the models in contact that are not placed yet; `known` of them are in contact in some plan."""
        usable = self.usable
        kept = np.flatnonzero(usable.any(axis=0))
        if not len(kept):
            return 0
        cliques = self.cliques(kept)
        bound = most_served(usable[:, kept], cliques)
        if bound <= known:
            return bound
        reached = self.reached()[:, kept]
        bound = most_served(reached, cliques)
        return bound if bound <= known or len(kept) > FEW_CELLS else most_served(reached, cliques, nodes=NODES)


ARC = math.pi / 2.0
"""Greatest ratio of half a circle's arc to its chord."""


def _clique(first: int, overlap: BoolArray, apart: FloatArray) -> list[int]:
    """Gather cells that all overlap each other, from one on, the farthest of those beyond it first."""
    clique, open_cells = [first], overlap[first].copy()
    open_cells[:first] = False
    while open_cells.any():
        following = int(np.argmin(np.where(open_cells, apart[first], np.inf)))
        clique.append(following)
        open_cells &= overlap[following]
    return clique


def cut(yard: Yard, length: float) -> Cells:
    """Cut the curves of contact into cells of at most so many inches."""
    rows = []
    for number, fields in enumerate(yard.fields):
        for field in fields:
            middles, halves = _middles(field.contact, length)
            rows.append((middles, np.full(len(middles), field.surface.z), np.full(len(middles), number), halves))
    middles, heights, kinds, halves = (np.concatenate(column) for column in zip(*rows, strict=True))
    return Cells(yard, middles, heights, kinds, halves)


def _middles(track: Tracks, length: float) -> tuple[FloatArray, FloatArray]:
    """Give the middles (c, 2) of cells of circles and how far at most (c,) their places lie from them, in inches."""
    middles, halves = [np.empty((0, 2))], [np.empty(0)]
    for centre, radius, start, span in zip(track.centres, track.radii, track.starts, track.spans, strict=True):
        count = max(1, math.ceil(radius * span / length))
        angles = start + (np.arange(count) + 0.5) * span / count
        middles.append(centre + radius * np.column_stack([np.cos(angles), np.sin(angles)]))
        halves.append(np.full(count, 2.0 * radius * math.sin(span / count / 4.0)))
    return np.concatenate(middles), np.concatenate(halves)


def crowd_bound(yard: Yard, known: int) -> int:
    """Bound the models in contact by cells as fine as it takes to come down to `known`, of which a plan is known."""
    arena = yard.arena
    placed = int((yard.start.spots.touching & yard.start.placed).sum())
    best = len(arena.movers.models)
    for length in LENGTHS if arena.is_round and arena.foes.models.is_round else ():
        cells = cut(yard, length)
        if int(cells.usable.any(axis=0).sum()) > MOST_CELLS:
            break
        best = min(best, placed + cells.most(known - placed))
        if best <= known:
            break
    return best

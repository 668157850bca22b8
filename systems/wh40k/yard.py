"""Where each model of a task might end, looked at alone: its special places, how far they are, and which of them it may take."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.wh40k.arena import Arena, BoolArray, Spots, joined_spots
from systems.wh40k.fields import Field, unique_places
from systems.wh40k.layout import Layout
from tabletop.pose import FloatArray
from tabletop.solve.tracks import Tracks, circles, crossings, feet, joined, tracks
from tabletop.squads import Model
from tabletop.units import CONTACT

REACHES = 6
"""Inches around a place within which other models may matter to where its neighbours stand."""


@dataclass(frozen=True, eq=False)
class Options:
    """Places that one model may take, with the length of its move to each in inches."""

    spots: Spots
    lengths: FloatArray

    def of(self, chosen: BoolArray) -> "Options":
        """Keep some of them."""
        return Options(self.spots.of(chosen), self.lengths[chosen])


@dataclass(frozen=True, eq=False)
class Yard:
    """A task's arena with the curves and special places of all its models."""

    arena: Arena

    @cached_property
    def fields(self) -> tuple[tuple[Field, ...], ...]:
        """The surfaces as each kind sees them."""
        return tuple(tuple(Field(self.arena, kind, surface) for surface in self.arena.surfaces) for kind in self.arena.kinds)

    @cached_property
    def pools(self) -> tuple[Spots, ...]:
        """The special places of each kind that do not depend on where the unit's other models end."""
        return tuple(self._pool(kind) for kind in range(len(self.arena.kinds)))

    def _pool(self, kind: int) -> Spots:
        starts = self.arena.movers.centres[self.arena.kind_numbers == kind]
        parts = []
        for field in self.fields[kind]:
            limits = circles(starts, np.full(len(starts), self.arena.task.limit))
            brims = [crossings(field.contact, limits)[0], crossings(field.engagement, limits)[0]]
            at = unique_places(np.concatenate([field.special(starts), *brims]))
            parts.append(self.arena.spots(kind, at, np.full(len(at), field.surface.z)))
        return joined_spots(parts)

    @cached_property
    def options(self) -> tuple[Options, ...]:
        """The special places that each model may take, its own place first if it may stay."""
        return tuple(self._own(mover) for mover in range(len(self.arena.movers.models)))

    def _own(self, mover: int) -> Options:
        kind = int(self.arena.kind_numbers[mover])
        stay = self.stay(mover)
        others = self.allowed(mover, self.pools[kind])
        if stay is None:
            return others
        return Options(joined_spots([stay, others.spots]), np.concatenate([[0.0], others.lengths]))

    @cached_property
    def contacts(self) -> tuple[Options, ...]:
        """The special places at which each model is in base contact with a foe."""
        return tuple(options.of(options.spots.touching) for options in self.options)

    @cached_property
    def nearest_contact(self) -> FloatArray:
        """The least length (n,) in inches of each model's moves into base contact, infinite if there is none."""
        return np.array([options.lengths.min(initial=np.inf) for options in self.contacts])

    def stay(self, mover: int) -> Spots | None:
        """Give the place of a model that stays, if it may."""
        arena, task = self.arena, self.arena.task
        if task.asks("closer") and task.scene.choices.closer_scope == "all":
            return None
        centre, z = arena.movers.centres[mover][None], arena.movers.heights[mover][None]
        kind = int(arena.kind_numbers[mover])
        here = arena.measured(kind, centre, z)
        return here if arena.shuns(arena.kinds[kind], centre, z)[0] else None

    def allowed(self, mover: int, spots: Spots) -> Options:
        """Keep the spots that a model reaches and that are closer to a target, where that is asked."""
        arena = self.arena
        lengths = arena.lengths(mover, spots)
        usable = lengths <= arena.task.limit + CONTACT
        if arena.task.asks("closer") and usable.any():
            kind = arena.kinds[int(arena.kind_numbers[mover])]
            usable[usable] = arena.gained(mover, kind, spots.at[usable], spots.z[usable])
        return Options(spots.of(usable), lengths[usable])

    def around(self, layout: Layout, mover: int, *, touching: bool = False) -> Options:
        """Give places of a model that depend on where others are placed: touching them, or just within coherency of them.

        With `touching` only those at which it is in base contact with a foe as well.
        """
        kind = int(self.arena.kind_numbers[mover])
        parts = [self._around(layout, field, mover, touching=touching) for field in self.fields[kind]]
        return self.allowed(mover, joined_spots(parts))

    def _around(self, layout: Layout, field: Field, mover: int, *, touching: bool) -> Spots:
        kind = int(self.arena.kind_numbers[mover])
        flush, within = self.rings(layout, field, kind)
        if touching:
            at = np.concatenate([crossings(field.contact, flush)[0], crossings(field.contact, within)[0]])
        else:
            start = self.arena.movers.centres[mover][None]
            lines = joined([field.contact, field.engagement, field.bounds, flush, within])
            rings = joined([flush, within])
            at = np.concatenate([feet(within, start)[0], feet(flush, start)[0], crossings(rings, lines)[0]])
        at = unique_places(at)
        at = at[self._near_enough(mover, at)]
        return self.arena.spots(kind, at, np.full(len(at), field.surface.z))

    def _near_enough(self, mover: int, at: FloatArray) -> BoolArray:
        """Tell which places lie within reach in a straight line."""
        aside = at - self.arena.movers.centres[mover]
        return np.asarray(np.hypot(aside[:, 0], aside[:, 1]) <= self.arena.task.limit + CONTACT)

    def rings(self, layout: Layout, field: Field, kind: int) -> tuple[Tracks, Tracks]:
        """Give the curves on which a kind touches models that are placed, and those on which it is just within coherency of them."""
        arena, who = self.arena, layout.who
        apart = arena.task.scene.book.coherency_horizontal
        level = who[np.abs(layout.spots.z[who] - field.surface.z) <= CONTACT]
        if arena.is_round:
            radii = arena.radii[layout.spots.kind] + arena.radii[kind]
            return circles(layout.spots.at[level], radii[level]), circles(layout.spots.at[who], radii[who] + apart)
        flush = arena.curves_about(arena.kinds[kind], self._models(layout, level), 0.0)
        return tracks(flush), tracks(arena.curves_about(arena.kinds[kind], self._models(layout, who), apart))

    def _models(self, layout: Layout, who: np.ndarray) -> list[Model]:
        return [self.arena.model_at(int(row), layout.spots, int(row)) for row in who]

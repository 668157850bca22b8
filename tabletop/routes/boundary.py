"""Ways along the boundaries of bodies: where they are open, at which levels, and how far it is between points on them."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from tabletop.geometry.pose import FloatArray
from tabletop.routes.bodies import CROSSING_ROUNDING, Indices
from tabletop.routes.columns import taken
from tabletop.routes.crossing import EDGE, Box, Crossings, crossings
from tabletop.routes.heights import Booleans, Land
from tabletop.units import CONTACT

SIDE_STEP = 1e-7
"""Inches to either side of a point on a boundary where it is asked what the boundary is like there."""


@dataclass(frozen=True, eq=False)
class Rims:
    """The boundaries of the bodies of a land inside a box, cut where they cross each other or the box."""

    land: Land
    box: Box

    @cached_property
    def cuts(self) -> Crossings:
        """Where the boundaries cross."""
        return crossings(self.land.bodies, self.box)

    @cached_property
    def _stretches(self) -> tuple[FloatArray, Indices, Indices, Booleans]:
        """Stretches between cuts: their starts as sorted keys, the last one of each body and the first, their open levels."""
        bodies, cuts, number = self.land.bodies, self.cuts, self.land.bodies.number
        on_body = cuts.second != EDGE
        owner = np.concatenate([cuts.first, cuts.second[on_body]])
        position = np.concatenate([cuts.first_positions, cuts.second_positions[on_body]])
        uncut = np.setdiff1d(np.arange(number), owner)
        owner, position = np.concatenate([owner, uncut]), np.concatenate([position, np.zeros(len(uncut))])
        order = np.lexsort((position, owner))
        owner, position = owner[order], position[order]
        first, last = np.searchsorted(owner, np.arange(number)), np.searchsorted(owner, np.arange(number), side="right") - 1
        following = np.arange(len(owner)) + 1
        following[last] = first
        span = position[following] - position
        span[last] += bodies.perimeters
        points = bodies.points(owner, position + span / 2.0)
        is_open = self.land.open_levels(points, owner) & self.is_within(points)[:, None]
        return bodies.keys(owner, position), first, last, is_open

    def open_levels(self, body: Indices, position: FloatArray) -> Booleans:
        """Tell at which levels a boundary is open at positions (n,), not at its cuts: (n, levels)."""
        keys, first, last, is_open = self._stretches
        wrapped = position % self.land.bodies.perimeters[body]
        place = np.searchsorted(keys, self.land.bodies.keys(body, wrapped), side="right") - 1
        opened: Booleans = is_open[np.where(place < first[body], last[body], place)]
        return opened

    def is_useful(self, body: Indices, position: FloatArray) -> Booleans:
        """Tell where (n,) a taut way may follow a boundary: at a level below its top, or that the barrier closes."""
        levels = np.arange(len(self.land.heights))
        binds = np.asarray((levels < self.land.tops[:, None]) | self.land.closed)
        beside = self.open_levels(body, position - SIDE_STEP) | self.open_levels(body, position + SIDE_STEP)
        return np.asarray(np.any(beside & binds[body], axis=1))

    def is_within(self, points: FloatArray) -> Booleans:
        """Tell which points (n, 2) lie in the box, to `CONTACT`."""
        west, south, east, north = self.box
        x, y = points[:, 0], points[:, 1]
        within: Booleans = (x >= west - CONTACT) & (x <= east + CONTACT) & (y >= south - CONTACT) & (y <= north + CONTACT)
        return within


class Members(NamedTuple):
    """Points on boundaries: their bodies, positions in inches, and the numbers of their nodes."""

    body: Indices
    position: FloatArray
    node: Indices


@dataclass(frozen=True, eq=False)
class Chains:
    """Members sorted round each boundary; piece k leads from member k to member `following[k]`, `lengths[k]` inches on."""

    rims: Rims
    members: Members

    @cached_property
    def sorted(self) -> Members:
        """The members body by body, counter-clockwise."""
        order = np.lexsort((self.members.position, self.members.body))
        return Members(*taken(self.members, order))

    @cached_property
    def _ends(self) -> tuple[Indices, Indices]:
        """First and last member of each body; the last is before the first where there is none."""
        every = np.arange(self.rims.land.bodies.number)
        body = self.sorted.body
        return np.searchsorted(body, every), np.searchsorted(body, every, side="right") - 1

    @cached_property
    def following(self) -> Indices:
        """The next member round the same boundary."""
        first, last = self._ends
        following = np.arange(len(self.sorted.body)) + 1
        has_any = last >= first
        following[last[has_any]] = first[has_any]
        return following

    @cached_property
    def lengths(self) -> FloatArray:
        """Inches from each member to the following one."""
        position = self.sorted.position
        way = position[self.following] - position
        round_again = np.where(self.following <= np.arange(len(way)), self.rims.land.bodies.perimeters[self.sorted.body], 0.0)
        return np.maximum(way + round_again, 0.0)

    @cached_property
    def open_levels(self) -> Booleans:
        """At which levels each piece is open: (members, levels)."""
        middles = self.sorted.position + self.lengths / 2.0
        return self.rims.open_levels(self.sorted.body, middles) | (self.lengths <= CROSSING_ROUNDING)[:, None]

    def costs(self, body: Indices, position: FloatArray, costs: FloatArray) -> FloatArray:
        """Give the least costs (n, levels) at positions on boundaries, from the `costs` (nodes, levels) of the members beside them."""
        if not len(self.sorted.body):
            return np.full((len(body), costs.shape[1]), np.inf)
        first, last = self._ends
        bodies = self.rims.land.bodies
        keys = bodies.keys(self.sorted.body, self.sorted.position)
        before = np.searchsorted(keys, bodies.keys(body, position), side="right") - 1
        before = np.where(before < first[body], last[body], before)
        has_any = last[body] >= first[body]
        before = np.where(has_any, before, 0)
        after = self.following[before]
        beyond = (position - self.sorted.position[before]) % bodies.perimeters[body]
        beyond = np.where(beyond > self.lengths[before] + CROSSING_ROUNDING, 0.0, beyond)  # rounding put it just before the member
        ahead = self.lengths[before] - beyond
        is_open = self.open_levels[before] & has_any[:, None]
        back = np.where(
            is_open | (has_any & (beyond <= CROSSING_ROUNDING))[:, None], costs[self.sorted.node[before]] + beyond[:, None], np.inf
        )
        onward = np.where(
            is_open | (has_any & (ahead <= CROSSING_ROUNDING))[:, None], costs[self.sorted.node[after]] + ahead[:, None], np.inf
        )
        return np.minimum(back, onward)

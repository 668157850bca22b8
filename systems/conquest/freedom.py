"""How far the charger can wheel about each of its front corners."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.bodies import Numbers, SeenBodies
from systems.conquest.scene import Scene
from tabletop.fronts.corner import CornerView
from tabletop.fronts.obstacle import Hazard
from tabletop.fronts.turn import Stretches, blocked_turns_of
from tabletop.geometry.pose import Side
from tabletop.geometry.ring import mirrored, padded, ring_gap
from tabletop.units import CONTACT

CORNER_SIDES: tuple[Side, ...] = ("left", "right")


@dataclass(frozen=True, eq=False)
class WheelLimit:
    """The greatest wheel (radians) that keeps every needed gap, and one that does as far as lengths can be told apart.

    Both are negative where not even the place before any wheel keeps them.

    Attributes
    ----------
    hazard
        What ends it, None if the book does.
    """

    exact: float
    farthest: float
    hazard: Hazard | None = None


@dataclass(frozen=True, eq=False)
class Freedom:
    """The room that a charger has to wheel, target, hazards and board as they are."""

    scene: Scene

    @cached_property
    def views(self) -> Mapping[Side, CornerView]:
        """The coordinates of the corners."""
        charger = self.scene.charger
        return {side: CornerView.of(charger.pose, side, width=charger.width) for side in CORNER_SIDES}

    @cached_property
    def hazards(self) -> tuple[Hazard, ...]:
        """Whatever a wheel may come too near to."""
        scene = self.scene
        target = [Hazard(part, scene.choices.clearance, scene.target.name) for part in scene.target.shape.parts]
        return (*target, *scene.hazards)

    @cached_property
    def limits(self) -> Mapping[Side, WheelLimit]:
        """How far the whole frame can wheel about each corner before it comes too near to something."""
        if (breached := self._breached) is not None:
            return dict.fromkeys(CORNER_SIDES, WheelLimit(-1.0, -1.0, breached))
        return {side: self._limit_about(side) for side in CORNER_SIDES}

    def _limit_about(self, side: Side) -> WheelLimit:
        """How far it can wheel about one corner."""
        charger, view = self.scene.charger, self.views[side]
        near = SeenBodies.of(self.hazards, view).near(np.zeros((1, 2)), reach=math.hypot(charger.width, charger.depth))
        needed = np.concatenate([near.needed, near.needed - CONTACT])
        frame = np.repeat(view.ring(charger.boundary.pieces[0])[None], len(needed), axis=0)
        rings = np.concatenate([near.rings, near.rings])
        found = blocked_turns_of(mirrored(frame), mirrored(rings), needed=needed, until=self.scene.book.wheel_limit)
        return self._limit(found, near.numbers)

    @property
    def _breached(self) -> Hazard | None:
        """What the charger is too near to before it moves, though it may stand beside it; the first of them."""
        if not self.scene.hazards:
            return None
        gaps = ring_gap(self.scene.charger.boundary.pieces[0], padded([hazard.ring for hazard in self.scene.hazards]))
        short = np.flatnonzero(gaps < np.array([hazard.needed for hazard in self.scene.hazards]) - CONTACT)
        return self.scene.hazards[short[0]] if len(short) else None

    def _limit(self, found: Stretches, numbers: Numbers) -> WheelLimit:
        """Read the limit from where turns are blocked by hazards, given by their numbers: with all of the gap, then with less."""
        book, count = self.scene.book.wheel_limit, len(numbers)
        exact = np.flatnonzero(found.pair < count)
        if not len(exact):
            return WheelLimit(book, book)
        stop = exact[found.low[exact].argmin()]
        low, number = float(found.low[stop]), int(numbers[found.pair[stop]])
        looser = found.low[found.pair == found.pair[stop] + count]
        return WheelLimit(low, max(low, float(looser.min(initial=book))), self.hazards[number])

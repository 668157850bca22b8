"""Room for a charge at very many places of the target: where a legal move and an aligned place surely exist, where no move can be."""

import math
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from systems.t9a.scene import Front, Scene, profile_of
from systems.t9a.solution import way_ahead
from tabletop.fronts.branch_and_bound import Narrowed, ShiftedTargets, Targets, narrowed, within
from tabletop.fronts.leaning import LAST_PARTS, Leaning
from tabletop.fronts.manoeuvre import FrontAmongHazards, Manoeuvres, Wheels
from tabletop.fronts.meeting import Mask, Numbers, met
from tabletop.fronts.obstacle import Hazard
from tabletop.fronts.reach_of_many import Reached, reached
from tabletop.fronts.slot import Slider, Slots
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.shape import rectangle
from tabletop.table.dice import SIDES
from tabletop.table.facing import FacingName
from tabletop.units import CONTACT, RIGHT_ANGLE

WITNESS_SPARE = 0.01
"""Inches that a witness has to spare everywhere, ten times what the search for moves leaves undecided."""

ANGLES, FIRSTS = 46, 24
"""Wheels about each front corner, and first parts, of the moves that are tried before any search."""

SLIDES, FINE_SLIDES = 65, 513
"""Slides along a facing from which on a free one is looked for, before a search and in it."""


@dataclass(frozen=True, eq=False)
class Room:
    """A charger among its obstacles; places are shifts (n, 2) of the target, in inches, from where it stands in the scene."""

    scene: Scene

    @cached_property
    def moves(self) -> Manoeuvres:
        """Some moves of the charger; the target is left out of account. Short first parts lie denser."""
        approach = Front(self.scene, "front").approach
        angles = np.linspace(0.0, min(approach.wheel_limit, RIGHT_ANGLE), ANGLES)
        farthest = SIDES + self.scene.book.range_bonus + profile_of(self.scene.charger).charge_speed
        first = np.broadcast_to(farthest * np.linspace(0.0, 1.0, FIRSTS) ** 1.5, (2 * ANGLES, FIRSTS))
        return FrontAmongHazards.careful(approach, slack=WITNESS_SPARE).moves(Wheels(np.repeat([0, 1], ANGLES), np.tile(angles, 2)), first)

    def search(self, name: FacingName, shifts: FloatArray) -> tuple[Mask, Mask]:
        """Tell where a charge on this facing surely has room, aligned, and where no move can meet it."""
        yes, none = self.has_witness(name, shifts), np.zeros(len(shifts), dtype=bool)
        left = np.flatnonzero(~yes)
        if len(left) and self.scene.book.wheel_limit_deg <= math.degrees(RIGHT_ANGLE):
            yes[left], none[left] = self.narrow(name, shifts[left])
        return yes, none

    def has_witness(self, name: FacingName, shifts: FloatArray) -> Mask:
        """Tell where one of a few moves meets this facing and an aligned place keeps the contact."""
        front = Front(self.scene, name)
        return met(front.approach, self.moves, shifts, partial(_is_kept, front, _slots(front, shifts, SLIDES)), slack=WITNESS_SPARE)

    def narrow(self, name: FacingName, shifts: FloatArray) -> tuple[Mask, Mask]:
        """Tell the same as `search` by branch and bound: on boxes of moves, on exact slices of them, on where the charger could stand."""
        front = Front(self.scene, name)
        slots = _slots(front, shifts, FINE_SLIDES)
        found = narrowed(ShiftedTargets(front.approach, shifts, partial(_is_kept, front, slots), WITNESS_SPARE))
        left, place = np.unique(found.place, return_inverse=True)
        slices = reached(front.approach, shifts[left], place, found.cells, counting=front.counting)
        found.none[left] = ~slices.is_met
        place = left[slices.place]
        found.yes[place[_keeps(front, slots, place, slices)]] = True
        left = np.flatnonzero(~found.yes & ~found.none)
        rooms = _rooms(front, shifts[left])
        slices = _reached_in(front, shifts[left], rooms, found.take(left))
        found.none[left] = ~np.isin(np.arange(len(left)), rooms.place[slices.is_met])
        place = left[rooms.place[slices.place]]
        found.yes[place[_keeps(front, slots, place, slices)]] = True
        which = np.flatnonzero(~found.yes[place])
        leans = _can_lean(front, shifts[place[which]], (slices.low + slices.high)[which] / 2)
        found.yes[place[which[leans]]] = True
        return found.yes, found.none

    def is_first_ahead(self, shifts: FloatArray) -> tuple[Mask, Mask]:
        """Tell where the target surely is the first thing straight ahead of the charger, and where it surely is not."""
        charger, approach = self.scene.charger, Front(self.scene, "front").approach
        across = charger.pose.to_body(self.scene.target.boundary.pieces[0] + shifts[:, None])[..., 0]
        overlap = np.minimum(across.max(axis=1), charger.width / 2) - np.maximum(across.min(axis=1), -charger.width / 2)
        others = min((way_ahead(self.scene, obstacle.shape) for obstacle in self.scene.obstacles), default=math.inf)
        way = Targets.of(approach, shifts, slack=0.0).straight[0]
        return (overlap > WITNESS_SPARE) & (way < others - WITNESS_SPARE), (overlap < 0.0) | (way > others + WITNESS_SPARE)


def _slots(front: Front, shifts: FloatArray, count: int, *, is_lenient: bool = False) -> Slots:
    """Look for free aligned places, with something to spare, or for whatever could be one."""
    body, hazards = rectangle(front.pose(0.0), front.width, front.scene.charger.depth).pieces[0], front.approach.hazards
    if is_lenient:
        hazards = tuple(Hazard(within(hazard), 0.0) for hazard in hazards)
    slack = -2 * CONTACT if is_lenient else WITNESS_SPARE
    slider = Slider(body, np.array(front.facing.along), hazards, front.scene.state.board, slack)
    return slider.slots(shifts, np.linspace(-front.width, front.facing.length, count))


def _leaning(front: Front, shifts: FloatArray) -> Leaning:
    approach, depth = front.approach, front.scene.charger.depth
    return Leaning(front.facing, front.width, depth, approach.hazards, approach.board, shifts)


def _can_lean(front: Front, shifts: FloatArray, u: FloatArray) -> Mask:
    """Tell where the charger surely can stand at u (m,) turned away; an aligned place would be as good."""
    return _leaning(front, shifts).somewhere(np.arange(len(u)), u, slack=WITNESS_SPARE)


@dataclass(frozen=True, eq=False)
class Rooms:
    """Parts of a facing, [low, high] in inches (m,), at places by number: only at points in one of them may anybody stand in contact."""

    place: Numbers
    low: FloatArray
    high: FloatArray


def _rooms(front: Front, shifts: FloatArray) -> Rooms:
    """Find where the charger may stand, aligned over a point or turned away with a corner on it; a little more than that."""
    edges = np.linspace(0.0, front.facing.length, LAST_PARTS + 1)
    may = _slots(front, shifts, FINE_SLIDES, is_lenient=True).may_have_between(edges[:-1] - front.width, edges[1:])
    left = np.flatnonzero(~may.all(axis=1))
    may[left] |= _leaning(front, shifts[left]).may_stand()
    padded = np.pad(may, ((0, 0), (1, 1)))
    (place, start), (_, end) = np.nonzero(padded[:, 1:] & ~padded[:, :-1]), np.nonzero(padded[:, :-1] & ~padded[:, 1:])
    first, last = front.counting
    low, high = np.maximum(edges[start] - WITNESS_SPARE, first), np.minimum(edges[end] + WITNESS_SPARE, last)
    which = np.flatnonzero(low <= high)
    return Rooms(place[which], low[which], high[which])


def _reached_in(front: Front, shifts: FloatArray, rooms: Rooms, found: Narrowed) -> Reached:
    """Ask which rooms (m,) some move that is left meets."""
    cells = [np.flatnonzero(found.place == place) for place in rooms.place]
    room = np.repeat(np.arange(len(cells)), [len(some) for some in cells])
    which = np.concatenate([*cells, np.empty(0, dtype=int)])
    return reached(front.approach, shifts[rooms.place], room, found.cells.take(which), counting=(rooms.low, rooms.high))


def _keeps(front: Front, slots: Slots, place: Numbers, slices: Reached) -> Mask:
    """Tell which slices, at places by number, meet a point that some free aligned place keeps, with something to spare."""
    kept: Mask = slots.has_between(place, slices.low[:, None] - front.width + WITNESS_SPARE, slices.high[:, None] - WITNESS_SPARE)[:, 0]
    return kept


def _is_kept(front: Front, slots: Slots, places: Numbers, u: FloatArray) -> Mask:
    """Tell whether contacts at u count, and some free aligned place keeps them, with something to spare."""
    first, last = front.counting
    inset = WITNESS_SPARE if first > 0.0 else 0.0
    kept = slots.has_between(places, u - front.width + WITNESS_SPARE, u - WITNESS_SPARE)
    counts: Mask = kept & (u >= first + inset) & (u <= last - inset)
    return counts

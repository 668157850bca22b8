"""Whether a front can meet a facing at very many places, by branch and bound on its moves for all places at once.

A box is a range of wheels and of first parts. Hazards know nothing of places: what they leave of a box is worked out once for
all places that still look at it. At each place the middle of a box may be a witness, or a bound on all of the box rules it out.
Coordinates are those of `tabletop.fronts.approach`; lengths in inches, angles in radians.
"""

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from tabletop.fronts.approach import Approach
from tabletop.fronts.manoeuvre import FrontAmongHazards, Wheels, stopped_at
from tabletop.fronts.meeting import UNSURE_SINE, Mask, Meeting, Numbers, Usable, is_between, local_shifts, meeting
from tabletop.fronts.obstacle import Hazard
from tabletop.fronts.reach import WheelRanges
from tabletop.fronts.sweep import Bounds, Rings, sector_support, wheel_blocks
from tabletop.geometry.arrays import FloatArray
from tabletop.units import CONTACT, RIGHT_ANGLE

COLUMNS, LINES = 22, 10
"""Ranges of wheels, for each pivot, and of first parts at the beginning."""

BOX_ROUNDS = 3
"""Times that boxes are looked at, and quartered in between; exact slices tell more of what is left then."""


BOXES_AT_ONCE = 100_000
"""Boxes of places whose arrays are in memory at once."""

INNER_POLYGON = 12
"""Corners of the polygon within a disc."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Ranges of moves of one size, (m,) each: the pivot, the numbers of wheel and first part; `turn` and `step` are half a range."""

    side: Numbers
    column: Numbers
    line: Numbers
    turn: float
    step: float

    @property
    def angle(self) -> FloatArray:
        """Wheels of the middles."""
        return np.asarray((2 * self.column + 1) * self.turn, dtype=float)

    @property
    def first(self) -> FloatArray:
        """First parts of the middles."""
        return np.asarray((2 * self.line + 1) * self.step, dtype=float)

    def take(self, which: Numbers) -> "Boxes":
        """Give some of the boxes."""
        return replace(self, side=self.side[which], column=self.column[which], line=self.line[which])

    def quarters(self) -> "Boxes":
        """Give the four quarters of each box, one after another."""
        columns, lines = (2 * self.column[:, None] + np.array([0, 0, 1, 1]), 2 * self.line[:, None] + np.array([0, 1, 0, 1]))
        return Boxes(np.repeat(self.side, 4), columns.ravel(), lines.ravel(), self.turn / 2, self.step / 2)

    @classmethod
    def covering(cls, *, wheel_limit: float, farthest: float) -> "Boxes":
        """Cover all wheels up to a limit and all first parts up to `farthest` inches."""
        number = np.arange(2 * COLUMNS * LINES)
        column, line = number // LINES % COLUMNS, number % LINES
        return cls(number // (COLUMNS * LINES), column, line, wheel_limit / COLUMNS / 2, farthest / LINES / 2)


@dataclass(frozen=True, eq=False)
class BoxBounds:
    """What hazards and the board leave of boxes, (m,) or (m, hazards).

    `longest` is more than any move of a box can go on, `middle` less than its middle can; `enter` and `leave` are the second
    parts between which all moves would end too near to a hazard, `middle_enter` and `middle_leave` those at which the middle may.
    """

    longest: FloatArray
    enter: FloatArray
    leave: FloatArray
    middle: FloatArray
    middle_enter: FloatArray
    middle_leave: FloatArray


@dataclass(frozen=True, eq=False)
class Items:
    """Boxes that places still look at: numbers of both, (q,) each."""

    place: Numbers
    box: Numbers

    def take(self, which: Numbers) -> "Items":
        """Give some of them."""
        return Items(self.place[which], self.box[which])

    def __len__(self) -> int:
        return len(self.place)


@dataclass(frozen=True, eq=False)
class Targets:
    """The target at n places as seen from both front corners: its body, the facing's ends (2, n, 2, 2), how far it lies straight ahead."""

    bodies: Rings
    ends: FloatArray
    straight: FloatArray

    @classmethod
    def of(cls, approach: Approach, shifts: FloatArray, *, slack: float) -> "Targets":
        """Shift the target by shifts (n, 2); it is to be kept `slack` inches away from until it is met."""
        halves, local = approach.halves, local_shifts(approach, shifts)
        ring, after, before = (part[:, None, 0] + local[:, :, None] for part in (halves.vertices, halves.after, halves.before))
        normals = np.broadcast_to(halves.normals[:, None, 0], ring.shape)
        supports = halves.supports[:, None, 0] + np.einsum("skj,snj->snk", halves.normals[:, 0], local)
        bodies = Rings(ring, after, before, normals, supports, np.full(local.shape[:2], slack))
        low, high = wheel_blocks(bodies, np.zeros(local.shape[:2]), width=approach.width)
        straight = np.maximum(np.where((low < high) & (high > CONTACT), low, np.inf), 0.0)
        return cls(bodies, halves.ends[:, None] + local[:, :, None], straight)

    def in_wheel(self, side: Numbers, place: Numbers, angle: FloatArray, *, width: float) -> Bounds:
        """Give first parts between which wheels by angles (q,) meet the target at places (q,)."""
        parts = (getattr(self.bodies, part.name)[side, place] for part in fields(Rings))
        return wheel_blocks(Rings(*parts), angle, width=width)


@dataclass(frozen=True, eq=False)
class ShiftedTargets:
    """The search for one front and one facing at shifts (n, 2) of the target; `slack` inches are what a witness has to spare."""

    approach: Approach
    shifts: FloatArray
    usable: Usable
    slack: float

    @cached_property
    def careful(self) -> FrontAmongHazards:
        """The hazards a little too large."""
        return FrontAmongHazards.careful(self.approach, slack=self.slack)

    @cached_property
    def lenient(self) -> FrontAmongHazards:
        """The hazards without the gaps they need, discs as polygons within."""
        hazards = tuple(Hazard(within(hazard), 0.0) for hazard in self.approach.hazards)
        return FrontAmongHazards(replace(self.approach, hazards=hazards), np.zeros(len(hazards)), -CONTACT)

    @cached_property
    def targets(self) -> Targets:
        """The target at all places."""
        return Targets.of(self.approach, self.shifts, slack=0.0)

    @cached_property
    def wide_targets(self) -> Targets:
        """The target at all places, a little too large."""
        return Targets.of(self.approach, self.shifts, slack=self.slack)

    @cached_property
    def farthest(self) -> float:
        """Inches between a front corner and the farthest end of the facing, at any place: no part of a move is longer."""
        return float(np.linalg.norm(self.targets.ends, axis=-1).max()) + self.approach.width

    @cached_property
    def extent(self) -> FloatArray:
        """How far the hazards reach from both pivots, (2, hazards)."""
        extent: FloatArray = np.linalg.norm(self.lenient.bodies.vertices, axis=3).max(axis=2)
        return extent

    def outlook(self, boxes: Boxes) -> BoxBounds:
        """Ask the hazards and the board.

        No point of a front lies farther from its place in the middle of the box than half the range of first parts and half
        the range of wheels times its distance from the pivot. A front in the middle that cuts a hazard deeper than its points
        can stray so stands for all: a line that parts another one from the hazard would part this one but for so much.
        """
        wheels, first = Wheels(boxes.side, boxes.angle), boxes.first[:, None]
        middle = self.careful.moves(wheels, first)
        spread = first + boxes.step
        stray = boxes.step + boxes.turn * np.hypot(self.approach.width, self.extent[boxes.side] + spread)
        enter, leave = self.lenient.stretches(wheels, first, -stray)
        at_edge = boxes.step + boxes.turn * (np.hypot(self.approach.width, self.farthest) + spread)
        longest = self.lenient.to_the_edge(wheels, first, -CONTACT - at_edge)[:, 0]
        if not self.approach.ignores_way:
            longest = np.minimum(longest, stopped_at(enter, leave)[:, 0])
        longest = np.where(self._is_shut(boxes), -np.inf, longest)
        return BoxBounds(longest, enter[:, 0], leave[:, 0], middle.longest[:, 0], middle.enter[:, 0], middle.leave[:, 0])

    def _is_shut(self, boxes: Boxes) -> Mask:
        """Tell which boxes have no move that is free until its wheel is done: the least sector of a box is part of all of them."""
        fan, low, high = self.lenient, boxes.first - boxes.step, boxes.first + boxes.step
        least = Wheels(boxes.side, np.maximum(boxes.angle - boxes.turn, 0.0))
        halves = fan.approach.halves
        normals, room = halves.board_normals[boxes.side], halves.board_limits[boxes.side] - fan.margin
        drift = np.minimum(low[:, None] * normals[..., 1], high[:, None] * normals[..., 1])
        shut: Mask = np.any(sector_support(normals, least.angle[:, None], fan.approach.width) + drift > room, axis=1)
        if not fan.approach.ignores_way:
            start, end = fan.in_wheel(least)
            shut |= (low > fan.straight[boxes.side]) | ((low[:, None] > start) & (high[:, None] < end)).any(axis=1)
        return shut


def within(hazard: Hazard) -> FloatArray:
    """Give a polygon that holds nothing but the hazard: the body itself, or one with its corners on a disc."""
    if len(hazard.ring) > 1:
        return hazard.ring
    turns = np.arange(INNER_POLYGON) * (math.tau / INNER_POLYGON)
    ring: FloatArray = hazard.ring + hazard.needed * np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return ring


@dataclass(frozen=True, eq=False)
class Glance:
    """Items of one level looked at together: arrays (q,)."""

    search: ShiftedTargets
    boxes: Boxes
    outlook: BoxBounds
    items: Items

    @cached_property
    def side(self) -> Numbers:
        """The pivots."""
        return self.boxes.side[self.items.box]

    @cached_property
    def angle(self) -> FloatArray:
        """Wheels of the middles."""
        return self.boxes.angle[self.items.box]

    @cached_property
    def first(self) -> FloatArray:
        """First parts of the middles."""
        return self.boxes.first[self.items.box]

    @cached_property
    def _ends(self) -> tuple[Bounds, Bounds, Mask]:
        """The facing's nearer end along and ahead of the middle's front, the way to the other end, whether the nearer one is u = 0."""
        x, y = np.moveaxis(self.search.targets.ends[self.side, self.items.place], 2, 0)
        sin, cos = np.sin(self.angle), np.cos(self.angle)
        s, r = y * sin[:, None] - x * cos[:, None], x * sin[:, None] + y * cos[:, None]
        is_first = r[:, 0] <= r[:, 1]
        near = np.where(is_first, s[:, 0], s[:, 1]), np.where(is_first, r[:, 0], r[:, 1])
        beyond = np.where(is_first, s[:, 1] - s[:, 0], s[:, 0] - s[:, 1]), np.abs(r[:, 1] - r[:, 0])
        return near, beyond, is_first

    @cached_property
    def _towards(self) -> FloatArray:
        """Sine of the angle between heading and facing, negative where the front looks at it."""
        normal = self.search.approach.halves.normal[self.side]
        towards: FloatArray = normal[:, 0] * np.sin(self.angle) + normal[:, 1] * np.cos(self.angle)
        return towards

    def witnesses(self) -> Mask:
        """Tell which middles surely are moves that meet the facing at a point of use."""
        near, beyond, is_first = self._ends
        approach = self.search.approach
        start = self.first * np.sin(self.angle), self.first * np.cos(self.angle)
        found = meeting(near, (np.where(beyond[0] == 0.0, 1.0, beyond[0]), beyond[1]), start, width=approach.width)
        hits = np.flatnonzero(self._is_met(found))
        u = np.where(is_first, found.share, 1.0 - found.share)[hits, None] * approach.facing.length
        hits = hits[self.search.usable(self.items.place[hits], u)[:, 0]]
        low, high = self.search.wide_targets.in_wheel(self.side[hits], self.items.place[hits], self.angle[hits], width=approach.width)
        straight = self.search.wide_targets.straight[self.side[hits], self.items.place[hits]]
        first = self.first[hits]
        hits = hits[((first < low) | (first > high)) & (first < straight)]
        return np.isin(np.arange(len(self.items)), hits)

    def _is_met(self, found: Meeting) -> Mask:
        """Tell where the way to the facing surely is free."""
        slack, outlook, box = self.search.slack, self.outlook, self.items.box
        is_met: Mask = (
            (self._towards < -UNSURE_SINE) & (found.beside > slack) & (found.way > slack) & (found.way < outlook.middle[box] - slack)
        )
        if self.search.approach.ignores_way:
            is_met &= ~is_between(found.way, outlook.middle_enter[box] - slack, outlook.middle_leave[box] + slack)
        return is_met

    def may_meet(self) -> Mask:
        """Tell which boxes no bound rules out."""
        (least_way, most_way), box, place = self._ways(), self.items.box, self.items.place
        may = self._is_beside() & (self._towards < self.boxes.turn) & (most_way >= 0.0)
        may &= self.first - self.boxes.step <= self.search.targets.straight[self.side, place]
        if self.search.approach.ignores_way:
            may &= ~((least_way[:, None] > self.outlook.enter[box]) & (most_way[:, None] < self.outlook.leave[box])).any(axis=1)
        may &= least_way <= self.outlook.longest[box]
        left = np.flatnonzero(may)
        may[left] = ~self._meets_in_wheel(left)
        return may

    def _meets_in_wheel(self, which: Numbers) -> Mask:
        """Tell of some items whether every move meets the target while it wheels."""
        low, high = self.search.targets.in_wheel(
            self.side[which], self.items.place[which], self._shallow[which], width=self.search.approach.width
        )
        meets: Mask = (self.first[which] - self.boxes.step > low) & (self.first[which] + self.boxes.step < high)
        return meets

    @cached_property
    def _shallow(self) -> FloatArray:
        """The least wheels."""
        return np.maximum(self.angle - self.boxes.turn, 0.0)

    @cached_property
    def _steep(self) -> FloatArray:
        """The greatest wheels."""
        return np.minimum(self.angle + self.boxes.turn, RIGHT_ANGLE)

    @cached_property
    def _stray(self) -> FloatArray:
        """How far the facing's ends may lie from where the middle's front sees them."""
        stray: FloatArray = self.boxes.turn * np.linalg.norm(self.search.targets.ends, axis=-1).max(axis=-1)[self.side, self.items.place]
        return stray

    @cached_property
    def _starts(self) -> Bounds:
        """The least and the greatest place along the front at which a front begins."""
        return (self.first - self.boxes.step) * np.sin(self._shallow), (self.first + self.boxes.step) * np.sin(self._steep)

    def _is_beside(self) -> Mask:
        """Tell where some front of the box may have the facing ahead of it."""
        (s, _), (run, _), _ = self._ends
        low, high = self._starts
        least, most = s + np.minimum(run, 0.0) - self._stray, s + np.maximum(run, 0.0) + self._stray
        beside: Mask = (high + self.search.approach.width >= least) & (low <= most)
        return beside

    def _ways(self) -> Bounds:
        """Bound the second parts with which a front of the box could meet the facing: less than none, more than all."""
        (s, r), (run, rise), _ = self._ends
        low, high = self._starts
        offset = np.where(run > 0.0, low - s, s - high - self.search.approach.width) - self._stray
        share = np.where(self._towards < -self.boxes.turn, np.clip(offset / (np.abs(run) + 2 * self._stray + CONTACT), 0.0, 1.0), 0.0)
        least = r - self._stray + share * np.maximum(rise - 2 * self._stray, 0.0)
        least_done = (self.first - self.boxes.step) * np.cos(self._steep)
        most_done = (self.first + self.boxes.step) * np.cos(self._shallow)
        return least - most_done, r + rise + self._stray - least_done


@dataclass(frozen=True, eq=False)
class Narrowed:
    """What the search settles: places (n,) where a move surely meets the facing at a point of use, and where surely none meets it.

    The others could be met with the wheels of `cells`, each of the place in `place`.
    """

    yes: Mask
    none: Mask
    place: Numbers
    cells: WheelRanges

    def take(self, places: Numbers) -> "Narrowed":
        """Give what is known of some places, which are counted anew."""
        which = np.flatnonzero(np.isin(self.place, places))
        return Narrowed(self.yes[places], self.none[places], np.searchsorted(places, self.place[which]), self.cells.take(which))


def narrowed(search: ShiftedTargets) -> Narrowed:
    """Look at all places."""
    yes = np.zeros(len(search.shifts), dtype=bool)
    boxes = Boxes.covering(wheel_limit=search.approach.wheel_limit, farthest=search.farthest)
    items = Items(*(part.ravel() for part in np.indices((len(yes), len(boxes.side)))))
    for level in range(BOX_ROUNDS):
        if level:
            used, rank = np.unique(items.box, return_inverse=True)
            boxes = boxes.take(used).quarters()
            items = Items(np.repeat(items.place, 4), (4 * rank[:, None] + np.arange(4)).ravel())
        items = _left(search, boxes, items, yes)
    place, side, column = np.unique(np.stack([items.place, boxes.side[items.box], boxes.column[items.box]]), axis=1)
    none = ~yes & ~np.isin(np.arange(len(yes)), place)
    return Narrowed(yes, none, place, WheelRanges(side, 2 * boxes.turn * column, 2 * boxes.turn * (column + 1)))


def _left(search: ShiftedTargets, boxes: Boxes, items: Items, yes: Mask) -> Items:
    """Look at items once: note in `yes` the places that have a witness, and give what must be looked at more closely."""
    outlook = search.outlook(boxes)
    items = items.take(np.flatnonzero(outlook.longest[items.box] >= 0.0))
    kept = [items.take(np.empty(0, dtype=int))]
    for start in range(0, len(items), BOXES_AT_ONCE):
        some = items.take(np.arange(start, min(start + BOXES_AT_ONCE, len(items))))
        glance = Glance(search, boxes, outlook, some.take(np.flatnonzero(~yes[some.place])))
        yes[glance.items.place[glance.witnesses()]] = True
        kept.append(glance.items.take(np.flatnonzero(glance.may_meet())))
    found = Items(np.concatenate([part.place for part in kept]), np.concatenate([part.box for part in kept]))
    return found.take(np.flatnonzero(~yes[found.place]))

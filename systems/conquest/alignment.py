"""How wheels end whose advance is free: the charger turns flush, the target turns, enemies are pushed, or none of
these.

Enemies in the way of a charger's turn are pushed away from the frame (rectangle) where it ends, each by the least
displacement that makes room. Turns go about points of contact. Coordinates are those of `WheelCandidates` with the
point of contact as origin; turns use the frame of a front flush on the charged facing. Arrays have one row per wheel
(k); lengths are in inches, angles in radians.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from systems.conquest.candidates import WheelCandidates, some
from systems.conquest.corner import BodyArray
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.convex import reflected, ring_gap, rotated, separation
from tabletop.geometry.motion import GAP_ROUNDING, are_blocked, gaps_on_turns
from tabletop.units import CONTACT, FLUSH

MOST_ALONE, CELL = 128, 16
"""Number of (wheel, body) pairs up to which each is tested alone, and size of the cells of neighbouring wheels tested
first beyond it."""

CLEARANCE_ERROR = 2.0 * CONTACT
"""Error of a clearance, in inches, from tolerated overlaps and rounding."""

WAYS = 8
"""Number of push directions: normals of the charger's sides and of the enemy's own."""

Kind = Literal["own", "turned", "push", "touch", "mired"]


@dataclass(frozen=True, eq=False)
class Turning:
    """Turns of one body about the points of contact of k wheels.

    Attributes
    ----------
    body
        Corners of the body relative to the point of contact, before the turn (k, n, 2).
    turns
        Angles (k,), in radians, counter-clockwise when positive.
    contacts
        Points of contact (k, 2) in the frame of a flush front (`Corner.front`).
    slack
        Tolerance on every gap, in inches.
    is_whole
        Whether the whole turn is tested, or only its end.
    """

    body: FloatArray
    turns: FloatArray
    contacts: FloatArray
    slack: float
    is_whole: bool

    def part(self, which: BoolArray | IntArray) -> "Turning":
        """Return the turns selected by a mask or by indices."""
        return Turning(
            self.body[which], self.turns[which], self.contacts[which], self.slack, self.is_whole
        )

    @property
    def at_end(self) -> "Turning":
        """The same turns with only their ends tested for obstacles, not the way there."""
        return replace(self, is_whole=False)

    @property
    def at_start(self) -> "Turning":
        """The same bodies at the points of contact before they turn: turns by 0."""
        return replace(self, turns=np.zeros_like(self.turns), is_whole=False)

    def meets(self, bodies: BodyArray) -> BoolArray:
        """Return a mask (k, m) of the bodies to which each turning body comes nearer than the gap needed."""
        met = np.zeros((len(self.turns), len(bodies.numbers)), dtype=bool)
        wheels, numbers = self._near(bodies)
        if len(wheels) > MOST_ALONE:
            cells = TurnCells(self)
            is_met, is_open = cells.met(bodies, wheels, numbers)
            met[wheels, numbers] = is_met
            wheels = wheels[is_open]
            numbers = numbers[is_open]
        if len(wheels):
            met[wheels, numbers] = self.part(wheels).are_met(bodies.part(numbers))
        return met

    def room(self, bodies: BodyArray) -> FloatArray:
        """Return the clearance (k, m) of each turn to each body, in inches: the least gap less the smallest one
        tolerated.

        It is inf for distant bodies.
        """
        room = np.full((len(self.turns), len(bodies.numbers)), np.inf)
        wheels, numbers = self._near(bodies)
        if len(wheels):
            room[wheels, numbers] = self.part(wheels).rooms(bodies.part(numbers))
        return room

    def rooms(self, bodies: BodyArray) -> FloatArray:
        """Return the clearance (k,) of turn i to body i, in inches: the least gap less the smallest one tolerated.

        There must be as many bodies as turns. Where bodies overlap it is a lower bound.
        """
        rings = bodies.rings - self.contacts[:, None]
        gaps = (
            gaps_on_turns(self.body, rings, self.turns)
            if self.is_whole
            else ring_gap(rotated(self.body, self.turns), rings)
        )
        return gaps - (bodies.needed - self.slack - GAP_ROUNDING)

    def are_clear(self, batches: Iterable[BodyArray], wheels: BoolArray) -> BoolArray:
        """Return a mask (k,) of the turns selected by `wheels` that come too near to none of the bodies."""
        clear = wheels.copy()
        for batch in batches:
            left = np.flatnonzero(clear)
            clear[left] = ~np.logical_or.reduce(self.part(left).meets(batch), axis=1)
        return clear

    @cached_property
    def radii(self) -> FloatArray:
        """Greatest distance (k,) of a corner of each body from its point of contact, in inches."""
        radii: FloatArray = np.hypot(self.body[..., 0], self.body[..., 1]).max(axis=1)
        return radii

    def _near(self, bodies: BodyArray) -> tuple[IntArray, IntArray]:
        """Return the pairs of a turn and a body that may come too near, by bounding boxes and swept circles: two arrays
        of indices (p,).
        """
        low, high = (corner - self.contacts[:, None] for corner in bodies.boxes)
        nearest = np.maximum(low, 0.0) + np.minimum(high, 0.0)
        reach = self.radii[:, None] + np.maximum(bodies.needed, 0.0)
        wheels, numbers = np.nonzero(nearest[..., 0] ** 2 + nearest[..., 1] ** 2 <= reach * reach)
        return wheels, numbers

    def are_met(self, bodies: BodyArray) -> BoolArray:
        """Return a mask (k,) that says whether turn i comes too near to body i; there must be as many bodies as
        turns.
        """
        rings = bodies.rings - self.contacts[:, None]
        clockwise = (self.turns < 0.0)[:, None, None]
        body, rings = (np.where(clockwise, reflected(ring), ring) for ring in (self.body, rings))
        until = np.abs(self.turns)
        needed = bodies.needed - self.slack
        met: BoolArray = are_blocked(
            body, rings, needed=needed, until=until, at_end_only=not self.is_whole
        )
        return met


@dataclass(frozen=True, eq=False)
class TurnCells:
    """Cells of CELL neighbouring turns, each tested by its middle turn.

    If the middle turn clears or overlaps a body by more than the cell's turns can differ, that decides the whole cell.
    """

    turning: Turning

    @cached_property
    def middles(self) -> IntArray:
        """Index of the turn in the middle of each cell (c,)."""
        count = len(self.turning.turns)
        return np.minimum(np.arange(0, count, CELL) + CELL // 2, count - 1)

    @cached_property
    def spreads(self) -> FloatArray:
        """Upper bound (c,) of the Hausdorff distance, in inches, between the areas swept by any turn of a cell and by
        its middle one.

        Of two turns that end alike, the longer one sweeps an additional area only at its beginning.
        """
        turning = self.turning
        count = len(self.turning.turns)
        of = np.repeat(self.middles, CELL)[:count]
        ends = rotated(turning.body, turning.turns)
        apart = np.hypot(*np.moveaxis(ends - ends[of], -1, 0)).max(axis=1) + np.hypot(
            *(turning.contacts - turning.contacts[of]).T
        )
        longer = turning.radii * np.abs(turning.turns - turning.turns[of])
        spreads: FloatArray = (
            np.maximum.reduceat(apart + longer, np.arange(0, count, CELL)) + CLEARANCE_ERROR
        )
        return spreads

    def met(
        self, bodies: BodyArray, wheels: IntArray, numbers: IntArray
    ) -> tuple[BoolArray, BoolArray]:
        """Return masks (p,) of the pairs that certainly come too near to each other, and of those that the cells leave
        undecided.

        Pair i consists of the turn with index wheels[i] and the body with index numbers[i].
        """
        pair = wheels // CELL * len(bodies.numbers) + numbers
        asked, which = np.unique(pair, return_inverse=True)
        cells, some = np.divmod(asked, len(bodies.numbers))
        left = self.turning.part(self.middles[cells]).rooms(bodies.part(some))[which]
        spreads = self.spreads[wheels // CELL]
        return left < -spreads, np.abs(left) <= spreads


@dataclass(frozen=True, eq=False)
class PushObstacles:
    """Bodies around the points of contact, as seen by pushed enemies; coordinates in inches with the point of contact
    as origin.

    Attributes
    ----------
    charger
        Corners of the charger's frame at the end of its charge (k, 4, 2).
    enemies
        Corners of the enemies other than the target (k, e, 4, 2).
    fixed, needed
        Corners of other bodies that must not be overlapped, the target included (k, w, n, 2), and the gaps needed (w,).
    ignored
        Mask (k, w) of the fixed bodies to ignore.
    """

    charger: FloatArray
    enemies: FloatArray
    fixed: FloatArray
    needed: FloatArray
    ignored: BoolArray


@dataclass(frozen=True, eq=False)
class Pushes:
    """Pushes, for each of k wheels, of the enemies marked in the mask `offenders` (k, e), one after another in the
    order of the file.
    """

    fan: WheelCandidates
    around: PushObstacles
    offenders: BoolArray

    @property
    def have_room(self) -> BoolArray:
        """Mask (k,) of the wheels for which every pushed enemy finds a free place."""
        return self._found[1]

    @property
    def without_room(self) -> IntArray:
        """Index (k,) of the first pushed enemy that finds no free place, -1 if all find one."""
        return self._found[2]

    @property
    def shifts(self) -> FloatArray:
        """Displacement of each enemy (k, e, 2), in inches in the frame of the candidates; 0 for those not pushed."""
        return self._found[0]

    @cached_property
    def _found(self) -> tuple[FloatArray, BoolArray, IntArray]:
        """Displacements (k, e, 2) of the enemies, mask `have_room` (k,) and indices `without_room` (k,)."""
        enemies = self.around.enemies
        shifts = np.zeros((*enemies.shape[:2], 2))
        has_room = np.ones(len(enemies), dtype=bool)
        without_room = np.full(len(enemies), -1, dtype=np.intp)
        for number in range(enemies.shape[1]):
            rows = np.flatnonzero(self.offenders[:, number] & has_room)
            if len(rows):
                shift, is_free = self._pushed(number, rows, shifts)
                shifts[rows, number] = shift
                has_room[rows] = is_free
                without_room[rows[~is_free]] = number
        return shifts, has_room, without_room

    def _pushed(
        self, number: int, rows: np.ndarray, shifts: FloatArray
    ) -> tuple[FloatArray, BoolArray]:
        """Return the displacement (r, 2) of enemy `number` for the wheels `rows`, in inches, and whether a free place
        exists (r,).
        """
        axes, lengths, places = self._places(number, rows)
        rooms = self._rooms(places, number, rows, shifts)
        chosen = self._shortest(np.where((rooms >= 0.0).all(axis=2), lengths, np.inf), axes, rows)
        each = np.arange(len(rows))
        return lengths[each, chosen][:, None] * axes[each, chosen], (
            rooms[each, chosen] >= 0.0
        ).all(axis=1)

    def _places(self, number: int, rows: np.ndarray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return where enemy `number` may be pushed to for the wheels `rows`: directions, lengths and places.

        Unit directions (r, 8, 2), lengths of the push along each in inches (r, 8), and the corners of the enemy there
        (r, 8, 4, 2). A length is 0 if the enemy is already as far away as the rules demand.
        """
        around = self.around
        enemy = self.around.enemies[rows, number]
        axes = self._axes(enemy, rows)
        beyond = np.einsum("raj,rvj->rav", axes, enemy).min(axis=2) - np.einsum(
            "raj,rvj->rav", axes, around.charger[rows]
        ).max(axis=2)
        # an enemy already that far behind is not pulled closer
        lengths = np.maximum(self.fan.corner.scene.book.push_gap - beyond, 0.0)
        return axes, lengths, enemy[:, None] + (lengths[..., None] * axes)[:, :, None]

    @property
    def nearest_to_free(self) -> tuple[str, float, float]:
        """Best failed push of the first wheel: name of the blocking body, gap to it in inches, and length of the push
        in inches.

        It is the direction in which the enemy overlaps others least; of equal ones the shortest push.
        """
        rows = np.array([0])
        number = int(self.without_room[0])
        corner = self.fan.corner
        axes, lengths, places = self._places(number, rows)
        rooms = self._rooms(places, number, rows, self.shifts)
        least = rooms.min(axis=2)
        chosen = int(
            self._shortest(np.where(least >= least.max() - CONTACT, lengths, np.inf), axes, rows)[0]
        )
        names = [unit.name for unit in (corner.scene.charger, *corner.scene.enemies)]
        names += [corner.fixed_hazards[fixed].name for fixed in corner.fixed.numbers.tolist()]
        return (
            names[int(rooms[0, chosen].argmin())],
            float(least[0, chosen]) - self.fan.slack,
            float(lengths[0, chosen]),
        )

    def _axes(self, enemy: FloatArray, rows: np.ndarray) -> FloatArray:
        """Return the eight push directions (r, 8, 2): outward normals of the charger's frame at its end, then of the
        enemy's sides.
        """
        edge = enemy[:, 1] - enemy[:, 0]
        along = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None]
        ahead = self._heading(rows)
        quarters = np.linspace(0.0, 1.5 * np.pi, 4)
        return np.concatenate(
            [
                rotated(np.repeat(one[:, None, None], 4, axis=1), quarters)[:, :, 0]
                for one in (ahead, along)
            ],
            axis=1,
        )

    def _heading(self, rows: np.ndarray) -> FloatArray:
        """Return the unit vector (r, 2) in which the charger looks at the end of its charge, for the wheels `rows`."""
        turns = self.fan.turns[rows]
        return np.column_stack([-np.sin(turns), np.cos(turns)])

    def _shortest(self, lengths: FloatArray, axes: FloatArray, rows: np.ndarray) -> np.ndarray:
        """Return for each row the index (r,) of the shortest push of lengths (r, 8).

        Of equally long ones, the direction nearest to the charger's heading is taken, then the one to its left.
        """
        ahead_x, ahead_y = self._heading(rows).T[:, :, None]
        sideways = (ahead_x * axes[..., 1] - ahead_y * axes[..., 0]) * self.fan.corner.view.sense
        off = np.arctan2(np.abs(sideways), ahead_x * axes[..., 0] + ahead_y * axes[..., 1])
        least = lengths.min(axis=1, keepdims=True)
        nearest = np.where(lengths <= least + CONTACT, off, np.inf)
        tied = nearest <= nearest.min(axis=1, keepdims=True) + FLUSH
        chosen: np.ndarray = np.where(tied, -sideways, np.inf).argmin(axis=1)
        return chosen

    def _rooms(
        self, places: FloatArray, number: int, rows: np.ndarray, shifts: FloatArray
    ) -> FloatArray:
        """Return the clearance (r, a, m), in inches, of possible places (r, a, 4, 2) of enemy `number` to every other
        body.

        Bodies are the charger, then all enemies, then the fixed bodies; negative means blocked. Enemies that are still
        to be pushed, and ignored bodies, have inf.
        """
        around = self.around
        slack = self.fan.slack
        later = self.offenders[rows] & (np.arange(self.offenders.shape[1]) > number)
        later[:, number] = True
        others = around.enemies[rows] + shifts[rows][:, :, None]
        measure = ring_gap if (around.needed > 0.0).any() else separation
        rooms = [
            _gaps(separation, places, around.charger[rows][:, None]) + slack,
            np.where(later[:, None], np.inf, _gaps(separation, places, others) + slack),
            np.where(
                around.ignored[rows][:, None],
                np.inf,
                _gaps(measure, places, around.fixed[rows]) - around.needed,
            ),
        ]
        return np.concatenate(rooms, axis=2)


def _gaps(
    measure: Callable[[FloatArray, FloatArray], FloatArray], places: FloatArray, others: FloatArray
) -> FloatArray:
    """Return the gaps (r, a, m), in inches, between places (r, a, 4, 2) and rings (r, m, n, 2), as measured by
    `measure`.
    """
    if not others.shape[1]:
        return np.empty((*places.shape[:2], 0))
    return measure(places[:, :, None], others[:, None])


@dataclass(frozen=True, eq=False)
class Alignment:
    """How each of k wheels ends whose advance to the charged facing is free.

    Attributes
    ----------
    fan
        The wheels with their advances.
    ignores_overlapped
        Whether friends that the charger overlaps at the point of contact are ignored.
    """

    fan: WheelCandidates
    ignores_overlapped: bool = False

    @cached_property
    def contacts(self) -> FloatArray:
        """Points of contact (k, 2), in inches in the frame of the candidates."""
        return np.column_stack([self.fan.places, self.fan.ways])

    @cached_property
    def charger(self) -> FloatArray:
        """Corners (k, 4, 2) of the charger's frame at contact, in inches, with the point of contact as origin."""
        left = -self.fan.places
        right = self.fan.width - self.fan.places
        back = np.full_like(left, -self.fan.corner.scene.charger.depth)
        front = np.zeros_like(left)
        corners = ((left, back), (right, back), (right, front), (left, front))
        return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)

    def seen(self, bodies: BodyArray) -> FloatArray:
        """Return the corners (k, m, n, 2) of bodies after each wheel, in inches, with the point of contact as
        origin.
        """
        seen: FloatArray = rotated(bodies.rings, self.fan.angles[:, None]) + np.array(
            [self.fan.width, 0.0]
        )
        return seen - self.contacts[:, None, None]

    def levels(self, bodies: BodyArray) -> FloatArray:
        """Return the smallest gaps to bodies (m,) that are tolerated, in inches: the gaps needed less the slack."""
        return bodies.needed - self.fan.slack

    @cached_property
    def turning(self) -> Turning:
        """The charger's turns about the points of contact until its front is flush with the charged facing."""
        return self._turning(rotated(self.charger, -self.fan.leans), self.fan.turns)

    @cached_property
    def target_turning(self) -> Turning:
        """The target's turns in the opposite sense until the charged facing is flush, while the charger does not
        move.
        """
        corner = self.fan.corner
        return self._turning(
            corner.front.points(corner.target) - self._flush_contacts[:, None], -self.fan.turns
        )

    def _turning(self, body: FloatArray, turns: FloatArray) -> Turning:
        """Return turns of a body by angles (k,) about the points of contact, tested as the choice `align_sweep`
        says.
        """
        is_whole = self.fan.corner.scene.choices.align_sweep == "whole"
        return Turning(body, turns, self._flush_contacts, self.fan.slack, is_whole)

    @property
    def _flush_contacts(self) -> FloatArray:
        """Points of contact (k, 2), in inches in the coordinates of a flush front (`Corner.front`)."""
        along, behind = self.fan.on_facing
        return np.column_stack([-along, behind])

    @cached_property
    def is_overlapped(self) -> BoolArray:
        """Mask (k, f) of the friends that the charger overlaps at the point of contact, before it turns."""
        return self.turning.at_start.meets(self.fan.corner.friends)

    @cached_property
    def _units_met(self) -> BoolArray:
        """Mask (k, e + f) of the enemies, then friends, that the charger's turn comes too near to."""
        return self.turning.meets(self.fan.corner.units_around)

    @cached_property
    def _is_free_of_solid(self) -> BoolArray:
        """Mask (k,) of the wheels after which the charger's turn keeps all gaps except those to enemies, and overlaps
        no friend.
        """
        return self.turning.are_clear(
            self._batches(self.fan.corner.solid_around), ~some(self._friends_met)
        )

    def _batches(self, bodies: BodyArray) -> Iterator[BodyArray]:
        """Yield bodies in batches that fit into memory, checking the deadline before each."""
        for some_bodies in bodies.batches(len(self.contacts)):
            self.fan.corner.scene.check_deadline()
            yield some_bodies

    @property
    def _friends_met(self) -> BoolArray:
        """Mask (k, f) of friends that the charger's turn overlaps; a friend overlapped at contact is tested only at the
        end.
        """
        met = self._units_met[:, len(self.fan.corner.enemies_around.numbers) :]
        over = some(self.is_overlapped)
        if not over.any():
            return met
        met = met.copy()
        is_overlapped = self.is_overlapped[over]
        at_end = self.turning.part(over).at_end
        met[over] = np.where(
            is_overlapped,
            at_end.meets(self.fan.corner.friends) & (not self.ignores_overlapped),
            met[over],
        )
        return met

    @property
    def meets_enemies(self) -> BoolArray:
        """Mask (k, e) of the nearby enemies that come into contact during the charger's turn."""
        return self._units_met[:, : len(self.fan.corner.enemies_around.numbers)]

    def of_kind(self, kind: Kind) -> BoolArray:
        """Return a mask (k,) of the wheels whose charge may end in the given way.

        "own": the charger turns flush itself; "turned": the target turns; "push": enemies are pushed; "touch": the
        charger stays as it touches; "mired": it would complete but for friends that it overlaps.
        """
        self.fan.corner.scene.check_deadline()
        flags: BoolArray = getattr(self, kind)
        return flags

    @cached_property
    def own(self) -> BoolArray:
        """Mask (k,) of the wheels after which the charger turns flush itself, with nobody in the way."""
        return self._is_free_of_solid & ~self.fan.offends & ~some(self.meets_enemies)

    def part(self, which: BoolArray | IntArray) -> "Alignment":
        """Return the ends of the wheels selected by a mask or by indices."""
        return Alignment(self.fan.of(which), self.ignores_overlapped)

    @cached_property
    def turned(self) -> BoolArray:
        """Mask (k,) of the wheels after which the target can turn until it is flush with the charger."""
        if self.fan.corner.scene.target.unit is None:
            return np.zeros(len(self.contacts), dtype=bool)
        overlapped = some(self.is_overlapped) & (not self.ignores_overlapped)
        free = ~self.fan.offends & ~overlapped
        free[free] = ~self.part(free).target_meets
        return free

    @cached_property
    def target_meets(self) -> BoolArray:
        """Mask (k,) of the wheels after which the target's turn overlaps another regiment, solid terrain or the board's
        edge.

        The charger is not counted among the other regiments.
        """
        corner = self.fan.corner
        turning = self.target_turning
        into = turning.meets(corner.friends) & ~(self.is_overlapped & self.ignores_overlapped)
        return ~turning.are_clear(self._batches(corner.walls), ~some(into))

    @cached_property
    def offenders(self) -> BoolArray:
        """Mask (k, e) of the enemies in the way of the charger's turn: at the point of contact, on the turn, or at its
        end.
        """
        corner = self.fan.corner
        enemies = self.fan.corner.enemies_around
        at_contact = self.turning.at_start.meets(enemies)
        offenders = np.zeros((len(self.contacts), len(corner.enemies.numbers)), dtype=bool)
        offenders[:, enemies.numbers] = self.meets_enemies | at_contact
        return offenders

    @cached_property
    def pushes(self) -> Pushes:
        """Pushes of the enemies in the way of the charger's turn, away from the charger's frame at its end."""
        corner = self.fan.corner
        enemies = self.seen(corner.enemies)
        fixed = self.seen(corner.fixed)
        around = PushObstacles(
            rotated(self.charger, self.fan.turns),
            enemies,
            fixed,
            self.levels(corner.fixed),
            self._ignored,
        )
        return Pushes(self.fan, around, self.offenders)

    @property
    def _ignored(self) -> BoolArray:
        """Mask (k, w) of the fixed bodies that pushed enemies ignore: friends overlapped at contact, if these are
        ignored.
        """
        corner = self.fan.corner
        scene = self.fan.corner.scene
        names = [unit.name for unit in scene.friends]
        ignored = np.zeros((len(self.contacts), len(names)), dtype=bool)
        columns = [
            names.index(scene.crossable[number].name) for number in corner.friends.numbers.tolist()
        ]
        ignored[:, columns] = self.is_overlapped & self.ignores_overlapped
        numbers = corner.fixed.numbers
        listed = (
            ignored[:, np.minimum(numbers, max(len(names) - 1, 0))]
            if names
            else np.zeros((len(ignored), len(numbers)), dtype=bool)
        )
        return listed & (numbers < len(names))

    @cached_property
    def needs_push(self) -> BoolArray:
        """Mask (k,) of the wheels that would complete if only other enemies were out of the way."""
        free = self._is_free_of_solid.copy()
        free[free] = some(self.part(free).offenders) if free.any() else False
        return free

    @cached_property
    def push(self) -> BoolArray:
        """Mask (k,) of the wheels that complete once the enemies in the way are pushed, each to a free place."""
        wanted = self.needs_push.copy()
        corner = self.fan.corner
        at_once = corner.fixed.at_once(
            WAYS * (len(corner.fixed.numbers) + len(corner.enemies.numbers) + 1)
        )
        rows = np.flatnonzero(wanted)
        for start in range(0, len(rows), at_once):
            corner.scene.check_deadline()
            some_rows = rows[start : start + at_once]
            wanted[some_rows] = self.part(some_rows).pushes.have_room
        return wanted

    @cached_property
    def mired(self) -> BoolArray:
        """Mask (k,) of the wheels that would complete but for friends overlapped at the point of contact."""
        over = some(self.is_overlapped)
        if over.any():
            apart = Alignment(self.fan.of(over), ignores_overlapped=True)
            over[over] = apart.own | apart.turned | apart.push
        return over

    @cached_property
    def touch(self) -> BoolArray:
        """Mask (k,) of the wheels after which the charger touches the target, meets no other enemy and overlaps no
        friend.
        """
        result: BoolArray = ~self.fan.offends & ~some(self.is_overlapped)
        return result

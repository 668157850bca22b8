"""Chances of one charge for many places of its target at once, vectorised; places that stay uncertain are left to
`resolve`.
"""

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from systems.t9a.aligned import flush_room
from systems.t9a.declare import sight_blockers, sight_view
from systems.t9a.scene import Front, Scene, declared_scene, profile_of
from systems.t9a.solution import is_first_ahead, solve
from systems.t9a.unaligned import has_place
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray, IntArray
from tabletop.geometry.convex import ring_gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape
from tabletop.ruling.odds import ChanceMap
from tabletop.ruling.system import Case
from tabletop.table.dice import SIDES, chance_at_least
from tabletop.table.facing import FACINGS, FacingName, is_engaged
from tabletop.table.sight import certainly_visible, clear_sight, surely_unseen
from tabletop.units import CONTACT

Verdicts = NDArray[np.int8]

MEASURES_DIFFER = 1e-9
"""Rounding difference, in inches, between two ways to measure a gap; values nearer to a limit stay undecided."""

WHEELS_AT_ONCE = 2_000
"""Number of places whose wheels are searched in one batch, to limit memory."""


@dataclass(frozen=True, eq=False)
class TargetGrid:
    """The first charge of a case with its target at many places, all with one heading.

    Attributes
    ----------
    case
        The case.
    heading
        Heading of the target in radians.
    places
        Places of the target (n, 2), in inches.
    """

    case: Case
    heading: float
    places: FloatArray

    @cached_property
    def scene(self) -> Scene:
        """The charge with the middle of the target's front at the corner (0, 0) of the board."""
        return self.scene_at(np.zeros(2))

    def scene_at(self, place: FloatArray) -> Scene:
        """Return the charge with the target at a place (2,), in inches."""
        charge = self.case.charges[0]
        state = self.case.state
        target = state.units[charge.targets[0]].at(
            Pose(float(place[0]), float(place[1]), self.heading)
        )
        return declared_scene(replace(self.case, state=state.with_unit(target)), charge)

    @cached_property
    def ring(self) -> FloatArray:
        """Corners (4, 2) of the target's boundary, in inches, with the middle of its front at (0, 0)."""
        return self.scene.target.boundary.pieces[0]

    def gaps(self, shape: Shape, which: IntArray, *, within: float = np.inf) -> FloatArray:
        """Return the gaps (m,) between a shape and the target at places with indices `which` (m,), in inches.

        Gaps that are surely greater than `within` are inf.
        """
        west, south, east, north = shape.bounds
        x, y = self.places[which].T
        beside = np.maximum(west - x - self.ring[:, 0].max(), x + self.ring[:, 0].min() - east)
        ahead = np.maximum(south - y - self.ring[:, 1].max(), y + self.ring[:, 1].min() - north)
        gaps = np.full(len(which), np.inf)
        near = np.flatnonzero(np.maximum(beside, ahead) <= within)
        rings = self.ring + self.places[which[near], None]
        gaps[near] = (
            np.min([ring_gap(rings, piece) for piece in shape.parts], axis=0) - shape.radius
        )
        return gaps


class PlaceVerdict(IntEnum):
    """What is known about a place of the target: nothing yet, that only `resolve` can decide it, or the result."""

    OPEN = 0
    UNSURE = 1
    CANNOT_BE = 2
    REFUSED = 3
    ALLOWED = 4


def chance_map(case: Case, poses: FloatArray) -> ChanceMap:
    """Return the chances of a case's only charge with its target at poses (n, 3): x and y in inches, heading in
    radians.

    Poses that cannot be decided here, or a case with several charges, are marked as undecided.
    """
    found = ChanceMap.unknown(len(poses))
    if len(case.charges) != 1 or not _has_its_dice(case):
        return found
    for heading in np.unique(poses[:, 2]):
        which = np.flatnonzero(poses[:, 2] == heading)
        part = _decided(TargetGrid(case, float(heading), poses[which, :2]))
        found.chance[which], found.shortest_roll[which], found.is_decided[which] = (
            part.chance,
            part.shortest_roll,
            part.is_decided,
        )
    return found


def _has_its_dice(case: Case) -> bool:
    """Return whether the charge gives no dice, or as many as it needs."""
    charge = case.charges[0]
    extra = profile_of(case.state.units[charge.charger]).extra_dice
    return charge.dice is None or len(charge.dice) == 1 + abs(extra)


def _decided(stand: TargetGrid) -> ChanceMap:
    """Return the chances of the charge for all places of a grid, those marked that could be decided."""
    verdicts = np.full(len(stand.places), PlaceVerdict.OPEN, dtype=np.int8)
    for layer in LAYERS:
        left = np.flatnonzero(verdicts == PlaceVerdict.OPEN)
        verdicts[left] = layer(stand, left)
    found = ChanceMap.unknown(len(verdicts))
    found.is_decided[:] = verdicts > PlaceVerdict.UNSURE
    found.chance[verdicts == PlaceVerdict.REFUSED] = 0.0
    allowed = np.flatnonzero(verdicts == PlaceVerdict.ALLOWED)
    found.shortest_roll[allowed] = needed = np.maximum(
        1.0, np.ceil(_short(stand, allowed) - CONTACT)
    )
    extra = profile_of(stand.scene.charger).extra_dice
    found.chance[allowed] = np.array(
        [float(chance_at_least(face, extra)) for face in range(SIDES + 1)]
    )[needed.astype(int)]
    return found


def _set_up(stand: TargetGrid, which: IntArray) -> Verdicts:
    """Return verdicts (m,) that exclude impossible set-ups: target off the board, or overlapping a unit or impassable
    terrain.
    """
    board = stand.scene.state.board
    x, y = stand.places[which].T
    west, south = stand.ring.min(axis=0)
    east, north = stand.ring.max(axis=0)
    beyond = np.max(
        [-west - x, -south - y, east + x - board.width, north + y - board.depth], axis=0
    )
    others = [
        unit.boundary
        for unit in stand.scene.state.units.values()
        if unit.name != stand.scene.target.name
    ]
    walls = [piece.shape for piece in stand.scene.state.terrain if piece.kind == "impassable"]
    depth = np.max(
        [beyond, *(-stand.gaps(shape, which, within=CONTACT) for shape in (*others, *walls))],
        axis=0,
    )
    return _sorted_by(depth, CONTACT, below=PlaceVerdict.OPEN, above=PlaceVerdict.CANNOT_BE)


def _sorted_by(
    sizes: FloatArray, limit: float, *, below: PlaceVerdict, above: PlaceVerdict
) -> Verdicts:
    """Return verdicts (m,) by size: `below` or `above` a limit in inches, UNSURE where too near to it for rounding."""
    verdicts = np.where(sizes > limit, above, below).astype(np.int8)
    verdicts[np.abs(sizes - limit) <= MEASURES_DIFFER] = PlaceVerdict.UNSURE
    return verdicts


def _may_charge(stand: TargetGrid, which: IntArray) -> Verdicts:
    """Return verdicts (m,) that refuse all places if the charger may not charge: it has declared, is shaken or engaged
    elsewhere.
    """
    scene = stand.scene
    others = scene.state.without_unit(scene.target.name)
    is_barred = {"charging", "shaken", "engaged"} & set(scene.charger.status) or is_engaged(
        others, scene.charger
    )
    return np.full(
        len(which), PlaceVerdict.REFUSED if is_barred else PlaceVerdict.OPEN, dtype=np.int8
    )


def _not_engaged(stand: TargetGrid, which: IntArray) -> Verdicts:
    """Return verdicts (m,) that refuse places where the target touches the charger."""
    return _sorted_by(
        stand.gaps(stand.scene.charger.boundary, which, within=1.0),
        CONTACT,
        below=PlaceVerdict.REFUSED,
        above=PlaceVerdict.OPEN,
    )


def _in_range(stand: TargetGrid, which: IntArray) -> Verdicts:
    """Return verdicts (m,): refused where no roll is enough, unsure where rounding may change the roll needed."""
    short = _short(stand, which)
    nearest = np.round(short - CONTACT)
    verdicts = _sorted_by(
        short, SIDES + CONTACT, below=PlaceVerdict.OPEN, above=PlaceVerdict.REFUSED
    )
    verdicts[(nearest >= 1.0) & (np.abs(short - CONTACT - nearest) <= MEASURES_DIFFER)] = (
        PlaceVerdict.UNSURE
    )
    return verdicts


def _short(stand: TargetGrid, which: IntArray) -> FloatArray:
    """Return the distance (m,), in inches, that the natural roll must cover: from charger to target, less what is added
    to it.
    """
    scene = stand.scene
    charger = scene.charger
    fixed = scene.book.range_bonus + profile_of(charger).charge_speed
    if scene.choices.distance_from == "front":
        front = np.array([charger.front_left, charger.front_right])
        return np.maximum(0.0, ring_gap(stand.ring + stand.places[which, None], front)) - fixed
    return np.maximum(0.0, stand.gaps(charger.boundary, which)) - fixed


def _sees(stand: TargetGrid, which: IntArray) -> Verdicts:
    """Return verdicts (m,) that refuse places where the charger does not see the target.

    Places that the vectorised tests leave unclear are tested one at a time, as `resolve` does.
    """
    view = sight_view(stand.scene)
    blockers = sight_blockers(stand.scene)
    places = stand.places[which]
    verdicts = np.full(len(which), PlaceVerdict.UNSURE, dtype=np.int8)
    verdicts[surely_unseen(view, blockers, places)] = PlaceVerdict.REFUSED
    left = np.flatnonzero(verdicts == PlaceVerdict.UNSURE)
    verdicts[left[certainly_visible(view, blockers, places[left])]] = PlaceVerdict.OPEN
    for place in np.flatnonzero(verdicts == PlaceVerdict.UNSURE):
        seen = clear_sight(replace(view, target=view.target + places[place]), blockers)
        verdicts[place] = PlaceVerdict.REFUSED if seen is None else PlaceVerdict.OPEN
    return verdicts


def _has_room(stand: TargetGrid, which: IntArray) -> Verdicts:
    """Return verdicts (m,): allowed where a legal charge move exists, else refused or unsure."""
    verdicts = np.full(len(which), PlaceVerdict.UNSURE, dtype=np.int8)
    if stand.scene.absent:
        return verdicts
    arcs = _arcs(stand, which)
    for number, name in enumerate(FACINGS):
        faced = np.flatnonzero(arcs == number)
        verdicts[faced] = _room_at(stand, name, stand.places[which[faced]])
        shut = faced[verdicts[faced] == PlaceVerdict.REFUSED]
        verdicts[shut] = _by_blocked_path(stand, name, stand.places[which[shut]])
    left = np.flatnonzero(verdicts == PlaceVerdict.UNSURE)
    verdicts[left] = [_searched(stand, place) for place in stand.places[which[left]]]
    return verdicts


def _room_at(stand: TargetGrid, name: FacingName, places: FloatArray) -> Verdicts:
    """Return verdicts (m,) on places (m, 2), in inches: allowed where the charger has room at one facing, aligned or
    unaligned.
    """
    verdicts = np.full(len(places), PlaceVerdict.REFUSED, dtype=np.int8)
    budget = Budget()
    for start in range(0, len(places), WHEELS_AT_ONCE):
        some = places[start : start + WHEELS_AT_ONCE]
        is_aligned, is_met = flush_room(Front(stand.scene, name), some, budget=budget)
        verdicts[start + np.flatnonzero(is_aligned)] = PlaceVerdict.ALLOWED
        for number in np.flatnonzero(is_met & ~is_aligned).tolist():
            try:
                has_room = has_place(Front(stand.scene_at(some[number]), name), budget=budget)
            except NoVerdictError:
                verdicts[start + number] = PlaceVerdict.UNSURE
            else:
                verdicts[start + number] = (
                    PlaceVerdict.ALLOWED if has_room else PlaceVerdict.REFUSED
                )
    return verdicts


def _by_blocked_path(stand: TargetGrid, denied: FacingName, places: FloatArray) -> Verdicts:
    """Return verdicts (m,) on places (m, 2) without room at the proper facing: another may be charged if straight
    ahead.
    """
    is_first = np.array([is_first_ahead(stand.scene_at(place)) for place in places], dtype=bool)
    verdicts = np.where(is_first, PlaceVerdict.UNSURE, PlaceVerdict.REFUSED).astype(np.int8)
    choices = stand.scene.choices
    if choices.blocked_facing == "best" and choices.blocked_by_friends and is_first.any():
        found = np.array(
            [_room_at(stand, name, places[is_first]) for name in FACINGS if name != denied]
        )
        is_allowed = (found == PlaceVerdict.ALLOWED).any(axis=0)
        verdicts[is_first] = np.where(is_allowed, PlaceVerdict.ALLOWED, found.min(axis=0))
    return verdicts


def _searched(stand: TargetGrid, place: FloatArray) -> PlaceVerdict:
    """Return the verdict on one place (2,), in inches, by a full search for room, as `resolve` does it."""
    try:
        solution = solve(stand.scene_at(place), budget=Budget())
    except NoVerdictError:
        return PlaceVerdict.UNSURE
    return PlaceVerdict.REFUSED if solution.place is None else PlaceVerdict.ALLOWED


def _arcs(stand: TargetGrid, which: IntArray) -> np.ndarray:
    """Return the index (m,) in FACINGS of the facing whose arc contains the charger; -1 too near to the line between
    two arcs.
    """
    target = stand.scene.target
    charger = stand.scene.charger.pose
    seen = (charger.at - stand.places[which]) @ np.array([target.pose.right, target.pose.forward]).T
    across = seen[:, 0]
    ahead = seen[:, 1] + target.depth / 2
    beside = np.abs(across) - target.width / 2
    beyond = np.abs(ahead) - target.depth / 2
    number = np.where(beyond > beside, np.where(ahead > 0, 0, 3), np.where(across > 0, 2, 1))
    return np.where(np.abs(beside - beyond) <= 2 * CONTACT, -1, number)


LAYERS = (_set_up, _may_charge, _not_engaged, _in_range, _sees, _has_room)
"""Tests in order; each returns verdicts (m,) for places by number."""

"""A charge with all units and terrain around it, and the charger placed flush against one facing of its target.

A place on a facing is a slide: the coordinate u, in inches along the facing, of the charger's right front corner. Sets
of slides and of points of contact are sorted intervals of u.
"""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from systems.t9a.book import Book
from systems.t9a.words import Choices, Profile
from tabletop.fronts.approach import Approach
from tabletop.fronts.flush import BestSlides, ContactIntervals, CriticalSlides
from tabletop.fronts.obstacle import Obstacle, convex_parts_of, free_slides
from tabletop.fronts.reach import TOLERANCE
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, rectangle
from tabletop.messages import counted
from tabletop.optimise.interval import Interval, Intervals, intersection, union, without
from tabletop.ruling.charge import Charge
from tabletop.ruling.finding import Goal
from tabletop.ruling.system import Case
from tabletop.table.facing import (
    FACING_WORDS,
    Facing,
    FacingName,
    ShownModel,
    facing_of,
    shown_models,
)
from tabletop.table.state import Regiment, State
from tabletop.units import CONTACT


@dataclass(frozen=True)
class Scene:
    """A charge with all units and terrain around it.

    Attributes
    ----------
    state
        The table.
    charger, target
        Who charges whom.
    choices
        How the rules are read.
    book
        Numbers of the rulebook.
    absent
        Names of units that are ignored.
    """

    state: State
    charger: Regiment
    target: Regiment
    choices: Choices
    book: Book
    absent: frozenset[str] = frozenset()

    @cached_property
    def bystanders(self) -> tuple[Regiment, ...]:
        """All units on the table except charger, target and absent ones."""
        away = self.absent | {self.charger.name, self.target.name}
        return tuple(unit for unit in self.state.units.values() if unit.name not in away)

    @cached_property
    def obstacles(self) -> tuple[Obstacle, ...]:
        """Obstacles of the charge move (other units and impassable terrain), each with the gap to keep."""
        return tuple(self._charge_obstacles())

    def on(self, table: State) -> "Scene":
        """Return the charge on another table, with nothing absent; the scene itself if it is that already."""
        if self.state == table and not self.absent:
            return self
        charger, target = (table.units[unit.name] for unit in (self.charger, self.target))
        return replace(self, state=table, charger=charger, target=target, absent=frozenset())

    def without(self, name: str) -> "Scene":
        """Return a copy of the scene without the unit or the piece of terrain called `name`."""
        terrain = tuple(piece for piece in self.state.terrain if piece.name != name)
        return replace(
            self, state=replace(self.state, terrain=terrain), absent=self.absent | {name}
        )

    def _charge_obstacles(self) -> Iterator[Obstacle]:
        """Yield friends, other enemies and impassable terrain as obstacles of the charge move, each with the gap to
        keep.
        """
        for unit in self.bystanders:
            if unit.side == self.charger.side:
                yield self._obstacle(
                    unit.name,
                    "t9a.space.friend",
                    unit.boundary,
                    is_touchable=self.choices.friend_touch,
                )
            else:
                yield self._obstacle(
                    unit.name, "t9a.space.enemy", unit.boundary, is_touchable=False
                )
        for name, shape in self._impassable:
            yield self._obstacle(
                name, "t9a.space.impassable", shape, is_touchable=self.choices.impassable_touch
            )

    @cached_property
    def failed_obstacles(self) -> tuple[Obstacle, ...]:
        """Obstacles of a failed charge move (target, other units and impassable terrain), each with the gap to keep."""
        units = [
            (unit.name, "t9a.failed.forward", unit.boundary)
            for unit in (self.target, *self.bystanders)
        ]
        walls = [(name, "t9a.failed.forward", shape) for name, shape in self._impassable]
        return tuple(self._obstacle(*body, is_touchable=False) for body in (*units, *walls))

    @property
    def _impassable(self) -> list[tuple[str, Shape]]:
        """Names and shapes of the pieces of impassable terrain."""
        return [
            (piece.name, piece.shape) for piece in self.state.terrain if piece.kind == "impassable"
        ]

    def _obstacle(self, name: str, rule: str, shape: Shape, *, is_touchable: bool) -> Obstacle:
        """Return an obstacle with the gap that it needs, in inches: 0 if it may be touched, never more than the gap at
        the start.
        """
        needed = (
            0.0
            if is_touchable
            else max(0.0, min(self.choices.clearance, gap(self.charger.boundary, shape)))
        )
        return Obstacle(name, rule, shape, needed)


def declared_scene(case: Case, charge: Charge, earlier: AbstractSet[str] = frozenset()) -> Scene:
    """Return a charge as it is declared; friends in `earlier`, who declared before, are absent unless `declare_room`
    says otherwise.
    """
    units = case.state.units
    gone = earlier | {name for name, unit in units.items() if "charging" in unit.status}
    side = units[charge.charger].side
    absent = (
        frozenset(name for name in gone if units[name].side == side)
        if case.choices.declare_room == "earlier-gone"
        else frozenset()
    )
    return Scene(
        case.state, units[charge.charger], units[charge.targets[0]], case.choices, case.book, absent
    )


def profile_of(unit: Regiment) -> Profile:
    """Return the Ninth Age statistics of a unit."""
    profile: Profile = unit.profile
    return profile


@dataclass(frozen=True)
class Front:
    """A charger against one facing of its target, in the coordinate u (inches) along that facing.

    A slide is the u at which the charger's flush front begins, that of its right corner.
    """

    scene: Scene
    name: FacingName

    @cached_property
    def facing(self) -> Facing:
        """The charged side of the target as a line on the table."""
        return facing_of(self.scene.target, self.name)

    @property
    def width(self) -> float:
        """Width of the charger's front in inches."""
        return self.scene.charger.width

    @property
    def label(self) -> str:
        """Name of the facing in sentences."""
        return FACING_WORDS[self.name]

    @cached_property
    def shown(self) -> tuple[ShownModel, ...]:
        """Models of the target that are visible from the facing, in order along it."""
        return shown_models(self.scene.target, self.name)

    @cached_property
    def lineup(self) -> ContactIntervals:
        """Models that could be in contact: the target's along the facing, and the charger's front rank from its right
        corner.
        """
        choices = self.scene.choices
        charger = self.scene.charger
        slack = -choices.contact_slack
        overlap = [
            choices.clearance if model.is_set_back and not choices.gap_graze else slack
            for model in self.shown
        ]
        starts = np.arange(charger.files) * (charger.base.width + charger.spacing)
        front = np.column_stack([starts, starts + charger.base.width])
        return ContactIntervals(
            np.array([(model.low, model.high) for model in self.shown]), front, np.array(overlap)
        )

    @cached_property
    def breakpoints(self) -> FloatArray:
        """Slides (k,), in inches and sorted, at which the number of models in contact may change."""
        return self.lineup.breakpoints()

    @cached_property
    def goals(self) -> tuple[Goal[FloatArray], ...]:
        """Goals of a place, highest priority first; their values are arrays (n,) over slides (n,)."""
        return (
            Goal("t9a.align.target-models", "models of the target", self.lineup.shown_in_contact),
            Goal("t9a.align.charger-models", "models of the charger", self.lineup.front_in_contact),
        )

    def values(self, slides: FloatArray) -> list[FloatArray]:
        """Return the goals' values (n,) at slides (n,), one array per goal in order of priority."""
        return [goal.value(slides) for goal in self.goals]

    @cached_property
    def free(self) -> Intervals:
        """Slides at which the charger touches the facing, is on the board and keeps every needed gap, as intervals in
        inches.
        """
        return self.free_at(np.zeros((1, 2)))[0]

    def free_at(self, shifts: FloatArray) -> list[Intervals]:
        """Return the free slides, as intervals in inches, with the target displaced by each row of `shifts` (n, 2), in
        inches.
        """
        body = rectangle(self.pose(0.0), self.width, self.scene.charger.depth).pieces[0]
        within = (-self.width, self.facing.length)
        free = free_slides(
            body, self.approach.hazards, direction=self.facing.along, within=within, shifts=shifts
        )
        return [
            without(some, self._off_board(body + shift))
            for some, shift in zip(free, shifts, strict=True)
        ]

    def _off_board(self, corners: FloatArray) -> list[Interval]:
        """Return the slides, as intervals in inches, at which a corner of the charger is beyond an edge of the board.

        `corners` (4, 2) are its corners at slide 0.
        """
        board = self.scene.state.board
        blocked = []
        for axis, limit in ((0, board.width), (1, board.depth)):
            rate = self.facing.along[axis]
            low = float(corners[:, axis].min())
            high = float(corners[:, axis].max())
            if abs(rate) <= CONTACT:
                if low < -CONTACT or high > limit + CONTACT:
                    blocked.append((-np.inf, np.inf))
                continue
            bounds = sorted((-low / rate, (limit - high) / rate))
            blocked += [(-np.inf, bounds[0]), (bounds[1], np.inf)]
        return blocked

    @cached_property
    def candidates(self) -> CriticalSlides:
        """Critical slides of the free places, reachable or not, with the goals' values there."""
        return CriticalSlides.of(self.free, self.breakpoints, self.values)

    def pose(self, slide: float) -> Pose:
        """Return the pose of the charger flush on the facing at a slide, in inches."""
        return self.facing.flush_pose(slide, self.width)

    @cached_property
    def approach(self) -> Approach:
        """The charge move towards this facing: front, target, obstacles with their gaps, board and greatest wheel."""
        scene = self.scene
        return Approach(
            scene.charger.pose,
            self.width,
            scene.target.boundary.pieces[0],
            self.facing,
            convex_parts_of(scene.obstacles),
            scene.state.board,
            wheel_limit=np.radians(scene.book.wheel_limit_deg),
            ignores_way=profile_of(scene.charger).fly,
        )

    @cached_property
    def way(self) -> Approach:
        """The charge move towards this facing without the obstacles that no such move comes near."""
        return self.approach.to_nearby()

    @cached_property
    def counting(self) -> Interval:
        """Interval of u, in inches, on which a first contact counts; by the choice `corners` without the facing's
        ends.
        """
        inset = self.scene.choices.clearance if self.scene.choices.corners == "neither" else 0.0
        return inset, self.facing.length - inset

    def usable(self, reached: Intervals) -> Intervals:
        """Return the parts of the reached intervals of u, in inches, that count as first contacts."""
        return intersection(reached, [self.counting])

    def places(self, reached: Intervals) -> Intervals:
        """Return the free slides, as intervals in inches, that keep one of the points `reached` (intervals of u) in
        contact.
        """
        return intersection(
            self.free, union((low - self.width, high) for low, high in self.usable(reached))
        )

    def best(self, reached: Intervals) -> BestSlides | None:
        """Return the best slides among those that the reached points allow, None if they allow none."""
        places = self.places(reached)
        return CriticalSlides.of(places, self.breakpoints, self.values).best() if places else None

    def interest(self, reached: Intervals, *, slack: float = TOLERANCE) -> Intervals:
        """Return the parts of the facing, as intervals of u, where reached points could improve the answer or add
        equally good places.

        `reached` are the intervals known so far; parts within `slack` inches of them are left out.
        """
        best = self.best(reached)
        return self.wanted(best.values if best else None, reached, slack=slack)

    def wanted(
        self, floor: tuple[float, ...] | None, reached: Intervals, *, slack: float = TOLERANCE
    ) -> Intervals:
        """Return the parts of the facing, as intervals of u, where reached points could add places worth at least
        `floor`; None: any.

        `reached` are the intervals known so far; parts within `slack` inches of them are left out.
        """
        rivals = self.candidates.at_least(floor)
        known = [(low - slack, high + slack) for low, high in self.places(reached)]
        wanted = union((low, high + self.width) for low, high in without(rivals, known))
        first, last = self.counting
        return tuple(
            (max(low, first), min(high, last))
            for low, high in wanted
            if low <= last and high >= first
        )


def numbers_in_contact(
    front: Front, slide: float, *, slack: float = 0.0
) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the models in contact at a slide, in inches, by unit; models up to `slack` inches apart
    count.
    """
    scene = front.scene
    pairs = replace(front.lineup, overlap=front.lineup.overlap - slack).pairs(slide)
    from_right = range(scene.charger.files - 1, -1, -1)
    return {
        scene.charger.name: tuple(
            sorted(file for file, met in zip(from_right, np.any(pairs, axis=0), strict=True) if met)
        ),
        scene.target.name: tuple(
            sorted(
                model.number
                for model, met in zip(front.shown, np.any(pairs, axis=1), strict=True)
                if met
            )
        ),
    }


def totals_of(placed: Sequence[tuple[Front, float]], *, slack: float = 0.0) -> tuple[int, int]:
    """Return the totals of models in contact of several chargers at slides: of the target, each counted once, and of
    the chargers.
    """
    numbers = [(front, numbers_in_contact(front, slide, slack=slack)) for front, slide in placed]
    target = {number for front, met in numbers for number in met[front.scene.target.name]}
    return len(target), sum(len(met[front.scene.charger.name]) for front, met in numbers)


def counts_told(target: float, charger: float) -> tuple[str, str]:
    """Return the numbers of models of the target and of the charger, in words."""
    return counted(target, "models of the target"), counted(charger, "models of the charger")

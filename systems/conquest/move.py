"""Paths of a unit, leg by leg: the friends it crosses, the first one it meets, and its gaps to hazards.

Failed moves are such paths. A charger whose path ends in friends is mired: it stops where it met the first of them.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely

from systems.conquest.scene import Scene, overlap_hazards
from systems.conquest.shown import RING, SMALL_GAP, body_of, few_digits, front, middle, shared
from tabletop.budget import explains
from tabletop.fronts.obstacle import (
    ConvexObstacle,
    FreeMotion,
    Obstacle,
    convex_parts_of,
    free_slide,
    free_turn,
    gaps_on_slide,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import reflected, ring_gap, stack_padded
from tabletop.geometry.distance import closest, farthest, gap
from tabletop.geometry.motion import GAP_ROUNDING, blocked_turns, gaps_on_turns
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, disc, rectangle, rectangle_ring
from tabletop.messages import listed, say
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Dimension, Mark, closest_line
from tabletop.ruling.finding import Finding
from tabletop.table.state import Regiment, State
from tabletop.units import CONTACT

TURNED_BY = math.radians(5.0)
"""Angle between the frames that approximate a turn in figures, in radians."""


@dataclass(frozen=True, eq=False)
class Leg:
    """One leg of a unit's path: a slide or a turn of its frame.

    Attributes
    ----------
    unit
        The unit that moves.
    start
        Its pose at the beginning.
    amount
        Length of the slide in inches, or angle of the turn in radians, counter-clockwise when positive.
    direction
        Unit vector of a slide; None for a turn.
    pivot
        Table point, in inches, about which it turns; None for a slide.
    """

    unit: Regiment
    start: Pose
    amount: float
    direction: Point | None = None
    pivot: Point | None = None

    @cached_property
    def body(self) -> FloatArray:
        """Corners (4, 2) of the unit's frame at the start of the leg, in inches."""
        return rectangle_ring(self.start, self.unit.width, self.unit.depth)

    @property
    def extent(self) -> float:
        """Upper bound of the length of the path of any point of the frame, in inches."""
        if self.pivot is None:
            return self.amount
        return abs(self.amount) * farthest(self.body, self.pivot)

    def at(self, amount: float) -> Pose:
        """Return the unit's pose after `amount` inches or radians (at least 0) of the leg."""
        if self.pivot is not None:
            return self.start.turned_about(self.pivot, math.copysign(amount, self.amount))
        x, y = self.direction or (0.0, 0.0)
        return Pose(self.start.x + amount * x, self.start.y + amount * y, self.start.heading)

    def frame(self, amount: float) -> shapely.Polygon:
        """Return the unit's frame, as a polygon, after `amount` inches or radians (at least 0) of the leg."""
        return rectangle(self.at(amount), self.unit.width, self.unit.depth).core

    def meets(self, hazard: ConvexObstacle) -> float | None:
        """Return after how many inches or radians the leg first comes too near to a hazard, None if it never does."""
        size = abs(self.amount)
        if self.pivot is not None:
            free = free_turn(
                self.body,
                [hazard],
                pivot=self.pivot,
                sense=1 if self.amount > 0.0 else -1,
                until=size,
            ).free
        else:
            free = free_slide(self.body, [hazard], direction=self.direction or (0.0, 0.0)).free
        return free if free < size - GAP_ROUNDING else None

    def crosses(self, hazards: Sequence[ConvexObstacle]) -> list[int]:
        """Return the indices of the hazards that the leg comes too near to."""
        if self.pivot is None or not hazards:
            return [
                number for number, hazard in enumerate(hazards) if self.meets(hazard) is not None
            ]
        centre = np.array(self.pivot)
        sense = reflected if self.amount < 0.0 else np.array
        body = sense(self.body - centre)
        rings = sense(stack_padded([hazard.ring for hazard in hazards]) - centre)
        needed = np.array([hazard.needed for hazard in hazards])
        found: list[int] = blocked_turns(
            body, rings, needed=needed, until=abs(self.amount)
        ).pair.tolist()
        return found


Legs = tuple[Leg, ...]


def march_legs(scene: Scene) -> Legs:
    """Return the March before the charge as a path of one leg, empty if there was none."""
    marched = scene.declarations.marched
    pose = scene.charger.pose
    return (
        (Leg(scene.charger, pose.advanced(-marched), marched, direction=pose.forward),)
        if marched > 0.0
        else ()
    )


def least_gaps(legs: Legs, hazards: Sequence[ConvexObstacle]) -> FloatArray:
    """Return the least gap (l, m), in inches, on each of l legs to each of m hazards; negative if they overlap."""
    gaps = np.empty((len(legs), len(hazards)))
    turns = [number for number, leg in enumerate(legs) if leg.pivot is not None]
    if turns and hazards:
        gaps[turns] = _gaps_on_turns(
            [legs[number] for number in turns], stack_padded([hazard.ring for hazard in hazards])
        )
    for number, leg in enumerate(legs):
        if leg.pivot is None:
            gaps[number] = gaps_on_slide(
                leg.body, hazards, direction=leg.direction or (0.0, 0.0), length=leg.amount
            )
    return gaps


def _gaps_on_turns(legs: Sequence[Leg], rings: FloatArray) -> FloatArray:
    """Return the least gap (l, m), in inches, on each of l turning legs to each ring (m, n, 2); negative if they
    overlap.
    """
    pivots = np.array([leg.pivot for leg in legs])[:, None, None]
    bodies = np.repeat(np.stack([leg.body for leg in legs]) - pivots[:, 0], len(rings), axis=0)
    about = (rings - pivots).reshape(-1, *rings.shape[1:])
    return gaps_on_turns(
        bodies, about, np.repeat([leg.amount for leg in legs], len(rings)), is_deepest=True
    ).reshape(len(legs), -1)


@dataclass(frozen=True, eq=False)
class FriendMet:
    """First meeting with a friend on a path: the friend, and the unit's last pose before it overlaps the friend."""

    friend: Regiment
    pose: Pose


def first_meeting(legs: Legs, friends: Sequence[Regiment]) -> FriendMet | None:
    """Return the first of some friends that a path overlaps, and the pose before that; None if it overlaps none."""
    found = [
        (number, met, friend)
        for friend, hazard in zip(friends, overlap_hazards(friends), strict=True)
        for number, leg in enumerate(legs)
        if (met := leg.meets(hazard)) is not None
    ]
    if not found:
        return None
    number, met, friend = min(found, key=lambda one: one[:2])
    return FriendMet(friend, legs[number].at(met))


def crossed(legs: Legs, friends: Sequence[Regiment]) -> tuple[str, ...]:
    """Return the names of the friends that a path overlaps somewhere."""
    hazards = overlap_hazards(friends)
    met = {number for leg in legs for number in leg.crosses(hazards)}
    return tuple(friend.name for number, friend in enumerate(friends) if number in met)


@dataclass(frozen=True, eq=False)
class Mired:
    """A charger whose path ends in friends and who stops where it met the first of them.

    Attributes
    ----------
    scene
        The charge with everything around it.
    meeting
        The friend met first, and the pose there.
    body
        Boundary of the charger where its path would end.
    """

    scene: Scene
    meeting: FriendMet
    body: Shape

    @cached_property
    def depth(self) -> float:
        """Gap in inches between the charger's boundary where its path would end and the friend; negative."""
        return gap(self.body, self.meeting.friend.boundary)

    @property
    def broken(self) -> tuple[Regiment, ...]:
        """Regiments that become Broken: the charger, and by the choice `mired_broken` the friend."""
        both = self.scene.choices.mired_broken == "both"
        return (self.scene.charger, *((self.meeting.friend,) if both else ()))

    @property
    def after(self) -> State:
        """The table after the charger is mired: it is at the meeting, has no actions left, and regiments are marked as
        Broken.
        """
        scene = self.scene
        state = scene.state.with_unit(
            scene.charger.at(self.meeting.pose).with_status("done", "broken")
        )
        friend = self.meeting.friend
        return state.with_unit(friend.with_status("broken")) if friend in self.broken else state

    @property
    def step(self) -> Step:
        """Step that moves the charger to where it is mired."""
        charger = self.scene.charger
        friend = self.meeting.friend
        text = say(
            "{charger} is mired and stays where it met {friend}.",
            charger=charger.name,
            friend=friend.name,
        )
        rules = ("conquest.through.clear", "conquest.mired.halt")
        return Step("mired", charger.name, charger.pose, self.meeting.pose, rules=rules, text=text)

    def findings(self) -> Iterator[Finding]:
        """Yield the findings on a mired charger: how deep it would end in the friend, where it stops, and who becomes
        Broken.
        """
        charger = self.scene.charger.name
        friend = self.meeting.friend.name
        text = say(
            "{charger} would end overlapping {friend}, which it crosses, by {depth:.4f} in; it must end clear.",
            charger=charger,
            depth=-self.depth,
            friend=friend,
        )
        told = {"charger": charger, "depth": few_digits(abs(self.depth)), "friend": friend}
        words = say("{charger} would end {depth} in into {friend}", **told)
        other = self.meeting.friend.boundary
        areas = shared(self.body.core, [other.core]) or (
            disc(closest(self.body, other).near, RING),
        )
        mark = Mark(words, middle(areas), areas=areas)
        yield Finding(
            "conquest.through.clear",
            ok=False,
            text=text,
            measured=self.depth,
            limit=0.0,
            margin=self.depth,
            mark=mark,
        )
        yield Finding(
            "conquest.mired.halt",
            ok=True,
            text=say(
                "{charger} stays where it met its friend {friend}.", charger=charger, friend=friend
            ),
        )
        names = listed((unit.name for unit in self.broken), " and ")
        text = (
            say("{names} become Broken.", names=names)
            if len(self.broken) > 1
            else say("{name} becomes Broken.", name=charger)
        )
        yield Finding("conquest.mired.broken", ok=True, text=text, measured=len(self.broken))
        yield Finding(
            "conquest.failed.actions",
            ok=True,
            text=say("{charger} loses all actions it has left.", charger=charger),
        )


def stopped_in_friends(
    scene: Scene, legs: Legs, body: Shape, friends: tuple[Regiment, ...]
) -> Mired:
    """Return the charger stopped at the first of the friends in which its path ends.

    `body` is its boundary where the path ends. If it overlaps none on the way, because it only just does at the end,
    the friend that it overlaps most is met at the end.
    """
    deepest = min(friends, key=lambda friend: gap(body, friend.boundary))
    meeting = first_meeting(legs, friends) or FriendMet(deepest, legs[-1].at(legs[-1].amount))
    return Mired(scene, meeting, body)


def swept(legs: Iterable[Leg]) -> shapely.Polygon:
    """Return the area that frames sweep on their path, for drawing: turns are approximated by small steps."""
    parts = []
    for leg in legs:
        count = 1 if leg.pivot is None else max(1, math.ceil(abs(leg.amount) / TURNED_BY))
        frames = [
            leg.frame(float(amount)) for amount in np.linspace(0.0, abs(leg.amount), count + 1)
        ]
        parts += [shapely.union(*pair).convex_hull for pair in pairwise(frames)]
    return shapely.union_all(parts)


@dataclass(frozen=True, eq=False)
class FailedMove:
    """The move of a charger whose charge fails: straight, without a turn, at most `face` inches."""

    scene: Scene
    face: int

    @cached_property
    def direction(self) -> Point:
        """Unit vector of the move: along the shortest line to the target, or the charger's heading.

        The heading is used if the choice says "ahead", and if charger and target touch.
        """
        charger = self.scene.charger
        if self.scene.choices.failed_direction == "ahead":
            return charger.pose.forward
        way = closest(charger.boundary, self.scene.target.shape)
        length = math.dist(way.near, way.far)
        if length <= CONTACT:
            return charger.pose.forward
        return ((way.far[0] - way.near[0]) / length, (way.far[1] - way.near[1]) / length)

    @cached_property
    def hazards(self) -> tuple[ConvexObstacle, ...]:
        """Convex bodies that halt the move, with the gaps to keep."""
        return (*convex_parts_of(self._obstacles()), *self.scene.edges)

    def _obstacles(self) -> Iterator[Obstacle]:
        """Yield the target, enemies, terrain and friends that halt the move, each with the gap to keep, at most the gap
        there is.
        """
        scene = self.scene
        rule = "conquest.failed.halt"
        pieces = [
            *scene.terrain("garrison"),
            *(scene.terrain("impassable") if scene.choices.failed_impassable == "inch" else ()),
        ]
        bodies = [(scene.target.name, scene.target.shape)]
        bodies += [(unit.name, unit.boundary) for unit in scene.enemies] + [
            (piece.name, piece.shape) for piece in pieces
        ]
        for name, shape in bodies:
            yield Obstacle(
                name, rule, shape, min(scene.book.halt_gap, gap(scene.charger.boundary, shape))
            )
        touched = (
            scene.terrain("impassable") if scene.choices.failed_impassable == "contact" else ()
        )
        closed = [(piece.name, piece.shape) for piece in touched] + [
            (unit.name, unit.boundary) for unit in scene.uncrossable
        ]
        for name, shape in closed:
            yield Obstacle(name, rule, shape, min(0.0, gap(scene.charger.boundary, shape)))

    @cached_property
    def stop(self) -> FreeMotion:
        """How far the charger could move in this direction, in inches, and the hazard that ends it; inf and None if
        nothing does.
        """
        return free_slide(
            self.scene.charger.boundary.pieces[0], self.hazards, direction=self.direction
        )

    @property
    def length(self) -> float:
        """Length of the move in inches: the face of the die, or less if a hazard halts it."""
        return min(float(self.face), self.stop.free)

    @property
    def halts_before(self) -> ConvexObstacle | None:
        """Hazard that halts the move before its full length, None if there is none."""
        return self.stop.hazard if self.stop.free <= self.face else None

    @cached_property
    def line(self) -> Dimension | None:
        """The line between the end and what halts the move, as figures show it; None if nothing does or it is too short
        to be seen.
        """
        hazard = self.halts_before
        if hazard is None or self.mired is not None or not explains():
            return None
        way = closest(self.scene.charger.at(self.end).boundary, Shape(body_of(hazard)))
        return closest_line(way, "after") if way.distance >= SMALL_GAP else None

    @property
    def leg(self) -> Leg:
        """The move as a leg of a path."""
        return Leg(
            self.scene.charger, self.scene.charger.pose, self.length, direction=self.direction
        )

    @property
    def end(self) -> Pose:
        """Pose of the charger at the end of the move."""
        return self.leg.at(self.length)

    @property
    def after(self) -> State:
        """The table after the move: the charger is at its end and has no actions left."""
        return self.scene.state.with_unit(self.scene.charger.at(self.end).with_status("done"))

    @cached_property
    def mired(self) -> Mired | None:
        """The charger stopped at a friend, if the move ends overlapping friends; else None."""
        body = self.scene.charger.at(self.end).boundary
        friends = tuple(
            unit for unit in self.scene.crossable if gap(body, unit.boundary) < -CONTACT
        )
        return (
            stopped_in_friends(self.scene, (*march_legs(self.scene), self.leg), body, friends)
            if friends
            else None
        )

    @property
    def step(self) -> Step:
        """The move as a step of the ruling."""
        charger = self.scene.charger
        told = {"charger": charger.name, "length": self.length, "target": self.scene.target.name}
        text = say(
            "Failed charge: {charger} moves {length:.2f} in towards {target} without turning.",
            **told,
        )
        if self.length <= CONTACT:
            text = say("Failed charge: {charger} stays where it is.", **told)
        rules = ("conquest.failed.move", "conquest.failed.halt")
        return Step(
            "failed_move", charger.name, charger.pose, self.end, self.length, rules=rules, text=text
        )

    def findings(self) -> Iterator[Finding]:
        """Yield the findings on the move: its length, what halts it, its gap to enemies, and lost actions."""
        charger = self.scene.charger.name
        hazard = self.halts_before
        text = say(
            "{charger} moves {length:.4f} in of the {face} in rolled, without turning.",
            charger=charger,
            length=self.length,
            face=self.face,
        )
        if self.length <= CONTACT:
            text = say(
                "{charger} cannot move and stays where it is; the roll is {face}.",
                charger=charger,
                face=self.face,
            )
        yield Finding("conquest.failed.move", ok=True, text=text, measured=self.length)
        if hazard is not None:
            body = self.scene.charger.at(self.end).boundary.pieces[0]
            apart = float(ring_gap(body, hazard.ring))
            least = hazard.needed
            told = {"charger": charger, "apart": apart, "hazard": hazard.name, "least": least}
            text = say(
                "{charger} halts {apart:.4f} in before {hazard}; it may come no nearer than {least:.4g} in.",
                **told,
            )
            mark = self._halted(hazard) if explains() else None
            yield Finding(
                "conquest.failed.halt",
                apart - least >= -CONTACT,
                text,
                apart,
                least,
                apart - least,
                line=self.line,
                mark=mark,
            )
        else:
            yield Finding(
                "conquest.failed.halt",
                ok=True,
                text=say(
                    "Nothing makes {charger} halt before the end of its move.", charger=charger
                ),
            )
        yield self._contact()
        if self.mired is None:
            yield Finding(
                "conquest.failed.actions",
                ok=True,
                text=say("{charger} loses all actions it has left.", charger=charger),
            )

    def _halted(self, hazard: ConvexObstacle) -> Mark | None:
        """Return a mark of the gap at which the move halts, and of what is left of it; None if the whole move is
        made.
        """
        rest = self.face - self.length
        if rest <= CONTACT:
            return None
        charger = self.scene.charger
        whole = Leg(charger, charger.pose, float(self.face), direction=self.direction)
        way = closest(charger.at(self.end).boundary, Shape(body_of(hazard)))
        words = say("{apart} in from {hazard}", apart=few_digits(way.distance), hazard=hazard.name)
        last = whole.at(whole.amount)
        left = (self.end.at, last.at)
        middle_of = ((way.near[0] + way.far[0]) / 2, (way.near[1] + way.far[1]) / 2)
        return Mark(
            words,
            middle_of,
            ((way.near, way.far),),
            (left,),
            (front(charger, last),),
            is_for_point=True,
        )

    def _contact(self) -> Finding:
        """Return the finding on the least gap, in inches, between the charger at the end of the move and an enemy
        regiment.
        """
        scene = self.scene
        rule = "conquest.contact.only-by-charge"
        body = scene.charger.at(self.end).boundary
        limit = scene.choices.clearance
        units = [unit for unit in scene.state.units.values() if unit.side != scene.charger.side]
        least = min(((gap(body, unit.boundary), unit.name) for unit in units), default=None)
        if least is None:
            return Finding(
                rule,
                ok=True,
                text=say(
                    "There is no enemy regiment with which {charger} could end in contact.",
                    charger=scene.charger.name,
                ),
            )
        text = say(
            "A failed charge does not end in contact with an enemy; the nearest, {name}, is {length:.4f} in away.",
            name=least[1],
            length=least[0],
        )
        return Finding(rule, least[0] - limit >= -CONTACT, text, least[0], limit, least[0] - limit)

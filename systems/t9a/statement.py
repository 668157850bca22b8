"""Placements of chargers as optimisation problems, for SciPy and others: one charger, or several of one target.

Variables are the legs of each charge move, the place taken after it and, for several chargers, the order of moves.
Constraints and objectives are the same limits and goals as in solver and judge, and the gaps of the moving front to its
obstacles. They are measured one point at a time here, where the solver uses closed forms.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from systems.t9a.aligned import AlignedPlace
from systems.t9a.attempt import Attempt
from systems.t9a.combined.group import (
    MOST_COMPLETED,
    ChargerGroup,
    Combination,
    CombinedAttempt,
    Totals,
    goals_of,
    values_of,
)
from systems.t9a.conditions import PLACE_LIMITS, SPACE_LIMITS, UNALIGNED_LIMITS, FlushPlacement
from systems.t9a.move import ChargeMove
from systems.t9a.scene import Front, Scene, totals_of
from systems.t9a.unaligned import GOALS, UnalignedPlace, tilting
from tabletop.fronts.obstacle import ConvexObstacle, gaps_on_slide, outside_board
from tabletop.fronts.reach import Advance, Reach
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import ring_gap, stack_padded
from tabletop.geometry.motion import blocked_slide, gaps_on_turns
from tabletop.geometry.pose import Pose, Side
from tabletop.messages import say
from tabletop.optimise.interval import Intervals
from tabletop.optimise.problem import Problem, SolvedProblem, Variable
from tabletop.ruling.finding import Finding, Limit, room_needed
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.units import CONTACT

BOARD_RULE = "t9a.space.board"

# One charger.


@dataclass(frozen=True, eq=False)
class Way:
    """A charge move given by two numbers: forward, wheel, and on until the front meets the target.

    Attributes
    ----------
    front
        Charger and facing.
    first
        Length of the first leg in inches.
    wheel
        Wheel in radians: about the left front corner if positive, about the right one if negative.
    """

    front: Front
    first: float
    wheel: float

    @property
    def scene(self) -> Scene:
        """The charge with all units and terrain around it."""
        return self.front.scene

    @cached_property
    def move(self) -> ChargeMove:
        """The move with its last leg, as completed charges have it."""
        side: Side = "right" if self.wheel < 0.0 else "left"
        whole = ChargeMove(
            self.front,
            (0.0, self.front.facing.length),
            Advance(self.first, side, abs(self.wheel), 0.0),
        )
        return ChargeMove(
            self.front,
            whole.kept,
            Advance(self.first, side, abs(self.wheel), self._second(whole.poses[2])),
        )

    def _second(self, wheeled: Pose) -> float:
        """Return the length of the last leg, in inches, until the front meets the target; 0 if it never does."""
        stretch = blocked_slide(
            self._edge(wheeled), self._target.ring, direction=wheeled.forward, needed=0.0
        )
        return max(stretch[0], 0.0) if stretch is not None and stretch[1] > 0.0 else 0.0

    def _edge(self, pose: Pose) -> FloatArray:
        """Return the right and left end (2, 2) of the front in a pose, in inches."""
        half = self.front.width / 2
        return np.array([pose.point(half, 0.0), pose.point(-half, 0.0)])

    @property
    def _target(self) -> ConvexObstacle:
        """The target as a convex body that may be touched."""
        return ConvexObstacle(self.scene.target.boundary.pieces[0], 0.0, self.scene.target.name)

    @cached_property
    def hazards(self) -> tuple[tuple[str, ConvexObstacle], ...]:
        """Convex bodies that the front must keep away from, each with the name of its rule; the target last."""
        bodies = [
            (obstacle.rule, hazard)
            for obstacle in self.scene.obstacles
            for hazard in obstacle.hazards
        ]
        board = self.scene.state.board
        return (
            *bodies,
            *(
                (BOARD_RULE, edge)
                for edge in outside_board(board, margin=self.first + self.front.width)
            ),
            ("target", self._target),
        )

    @cached_property
    def gaps(self) -> FloatArray:
        """Least gaps of the front to the hazards on its three legs, shape (3, hazards), in inches."""
        start, ahead, wheeled, _ = self.move.poses
        bodies = [hazard for _, hazard in self.hazards]
        rings = stack_padded([body.ring for body in bodies])
        pivot = np.array(ahead.point(math.copysign(self.front.width / 2, -self.wheel), 0.0))
        turning = np.repeat((self._edge(ahead) - pivot)[None], len(rings), axis=0)
        return np.stack(
            [
                gaps_on_slide(
                    self._edge(start), bodies, direction=start.forward, length=self.first
                ),
                gaps_on_turns(turning, rings - pivot, np.full(len(rings), self.wheel)),
                gaps_on_slide(
                    self._edge(wheeled),
                    bodies,
                    direction=wheeled.forward,
                    length=self.move.path.second,
                ),
            ]
        )

    def nearest(self, rule: str) -> tuple[float, ConvexObstacle] | None:
        """Return the least excess over the gap needed, in inches, among the hazards of a rule, and that hazard; None
        without any.

        Of a charger that flies only the end of the move counts, except at the board's edge.
        """
        rows = [(number, hazard) for number, (of, hazard) in enumerate(self.hazards) if of == rule]
        if rule != BOARD_RULE and self.front.approach.ignores_way:
            edge = self._edge(self.move.poses[3])
            return min(
                (
                    (float(ring_gap(edge, hazard.ring)) - hazard.needed, hazard)
                    for _, hazard in rows
                ),
                key=_room,
                default=None,
            )
        return min(
            (
                (float(self.gaps[:, number].min()) - hazard.needed, hazard)
                for number, hazard in rows
            ),
            key=_room,
            default=None,
        )

    @cached_property
    def missed(self) -> float:
        """Distance, in inches, by which the move misses the facing: depth in the target on an early leg, or gap at the
        end.
        """
        depth = max(0.0, -float(self.gaps[:2, -1].min()))
        return max(
            depth, float(ring_gap(self._edge(self.move.poses[3]), np.array(self.front.facing.ends)))
        )

    @cached_property
    def reached(self) -> Intervals:
        """Part of the facing that the front meets first, as one interval of u in inches; mostly a point."""
        (right, right_height), (left, left_height) = self.move.landing
        length = self.front.facing.length
        if self.move.is_along_a_line:
            return ((max(right, 0.0), min(left, length)),)
        if min(right_height, left_height) < -CONTACT:
            u = 0.0 if right_height < left_height else length
        else:
            u = min(max(right if right_height < left_height else left, 0.0), length)
        return ((u, u),)


def _room(one: tuple[float, ConvexObstacle]) -> float:
    """Return the first value of a pair: the excess of a gap over the gap needed."""
    return one[0]


def _first_contact(way: Way) -> Finding:
    """Return the finding whether the move first touches the facing, by the distance in inches by which it misses it."""
    charger = way.scene.charger.name
    target = way.scene.target.name
    facing = way.front.label
    is_met = way.missed <= CONTACT
    text = say(
        "{charger}'s front does not touch the {facing} of {target} first.",
        charger=charger,
        target=target,
        facing=facing,
    )
    if is_met:
        text = say(
            "{charger}'s front first touches the {facing} of {target}.",
            charger=charger,
            target=target,
            facing=facing,
        )
    return Finding("t9a.move.first-contact", is_met, text, way.missed, 0.0, 0.0 - way.missed)


def _kept_away(rule: str) -> Limit[Way]:
    """Return the limit that the moving front keeps the gaps that the obstacles of a rule need."""

    def measure(way: Way) -> Finding:
        """Return the finding on the move's gap, in inches, to the obstacle of the rule that leaves least room."""
        nearest = way.nearest(rule)
        if nearest is None:
            return Finding(
                rule,
                ok=True,
                text=say(
                    "No obstacle of this kind is near {charger}'s path.",
                    charger=way.scene.charger.name,
                ),
            )
        margin, hazard = nearest
        told = {
            "charger": way.scene.charger.name,
            "gap": margin + hazard.needed,
            "hazard": hazard.name,
            "needed": room_needed(hazard.needed),
        }
        text = say("{charger}'s path passes {gap:.4f} in from {hazard}{needed}.", **told)
        return Finding(
            rule, margin >= -CONTACT, text, margin + hazard.needed, hazard.needed, margin
        )

    return Limit(rule, measure)


WAY_LIMITS: tuple[Limit[Way], ...] = (
    Limit("t9a.move.first-contact", _first_contact),
    *(
        _kept_away(rule)
        for rule in ("t9a.space.enemy", "t9a.space.friend", "t9a.space.impassable", BOARD_RULE)
    ),
)


@dataclass(frozen=True, eq=False)
class AlignedEnd:
    """A charger after its move, placed flush on the facing with its right corner at `slide` inches along it."""

    way: Way
    slide: float

    @cached_property
    def placement(self) -> FlushPlacement:
        """The charger's placement at the end, with the points of the facing that its move meets first."""
        return FlushPlacement(
            self.way.front, self.way.front.pose(self.slide), Reach(self.way.reached)
        )


PUT_LIMITS: tuple[Limit[AlignedEnd], ...] = (
    *(limit.of(lambda put: put.way) for limit in WAY_LIMITS),
    *(limit.of(lambda put: put.placement) for limit in PLACE_LIMITS),
)


@dataclass(frozen=True, eq=False)
class UnalignedEnd:
    """A charger after its move, with one front corner in contact and its front turned away.

    Attributes
    ----------
    way
        The move.
    lean
        Angle in radians: about the right front corner if positive, about the left one if negative.
    """

    way: Way
    lean: float

    @cached_property
    def tilted(self) -> FlushPlacement:
        """The charger's placement at the end, with the points of the facing that its move meets first."""
        (low, high), *_ = self.way.reached
        corner: Side = "right" if self.lean > 0.0 else "left"
        pose = tilting(self.way.front, corner).pose((low + high) / 2, abs(self.lean))
        return FlushPlacement(self.way.front, pose, Reach(self.way.reached))


def statement_of(resolution: Resolution, ruling: Ruling) -> SolvedProblem[Any] | None:
    """Return the placement problem behind a ruling with its solution, on the table at its turn; None if it has none."""
    attempt: Attempt = ruling.attempt
    if isinstance(attempt, CombinedAttempt):
        return combined_statement(attempt.group, attempt.combination, resolution)
    if attempt.done is None:
        return None
    name = ruling.charge.charger
    place = attempt.done.place
    front = place.front
    is_proved = place.proof != "best_found"
    if isinstance(place, AlignedPlace):
        proved = len(place.values) if is_proved else 0
        return SolvedProblem(
            aligned_problem(front), place.values, proved, lambda put: {name: put.placement.pose}
        )
    # Models are counted at the point of contact, before the target turns.
    answer = tuple(float(goal.value([place])[0]) for goal in GOALS)
    excluded = {"t9a.unaligned.when": aligned_problem(front)} if is_proved else {}
    proved = len(answer) if is_proved else 0
    has_turned = place.target_pose != front.scene.target.pose
    return SolvedProblem(
        unaligned_problem(front),
        answer,
        proved,
        lambda put: _turned(put.tilted.unaligned, has_turned=has_turned),
        excluded,
    )


def _turned(place: UnalignedPlace, *, has_turned: bool) -> dict[str, Pose]:
    """Return the poses of the charger and, if it turns, the target, by name."""
    scene = place.front.scene
    turned = {scene.target.name: place.target_pose} if has_turned else {}
    return {scene.charger.name: place.pose, **turned}


def aligned_problem(front: Front) -> Problem[AlignedEnd]:
    """Return the problem of placing a charger flush on a facing: variables first leg, wheel and slide."""

    def place(point: FloatArray) -> AlignedEnd:
        """Return the charger's end for a point (first leg in inches, wheel in radians, slide in inches)."""
        first, wheel, slide = point.tolist()
        return AlignedEnd(Way(front, first, wheel), slide)

    def slides(places: Sequence[AlignedEnd]) -> FloatArray:
        """Return the slides (n,) of some ends, in inches."""
        return np.array([one.slide for one in places])

    return Problem(
        flush_variables(front), place, PUT_LIMITS, tuple(goal.of(slides) for goal in front.goals)
    )


def unaligned_problem(front: Front) -> Problem[UnalignedEnd]:
    """Return the problem of placing a charger unaligned: variables first leg, wheel, and angle of the front turned
    away.
    """

    def place(point: FloatArray) -> UnalignedEnd:
        """Return the charger's end for a point (first leg in inches, wheel in radians, lean in radians)."""
        first, wheel, lean = point.tolist()
        return UnalignedEnd(Way(front, first, wheel), lean)

    lean = Variable("lean", -math.pi / 2, math.pi / 2, "rad")
    limits: tuple[Limit[UnalignedEnd], ...] = (
        *(limit.of(lambda put: put.way) for limit in WAY_LIMITS),
        *(limit.of(lambda put: put.tilted) for limit in (*SPACE_LIMITS, *UNALIGNED_LIMITS)),
    )

    def unaligned(places: Sequence[UnalignedEnd]) -> list[UnalignedPlace]:
        """Return the unaligned places of some ends."""
        return [one.tilted.unaligned for one in places]

    return Problem(
        (*_way_variables(front), lean), place, limits, tuple(goal.of(unaligned) for goal in GOALS)
    )


def flush_variables(front: Front) -> tuple[Variable, ...]:
    """Return the variables of a charge that ends flush: first leg, wheel, and slide along the facing, with their
    bounds.
    """
    slide = Variable(
        "slide", -front.width, front.facing.length, "in", marks=tuple(front.breakpoints.tolist())
    )
    return (*_way_variables(front), slide)


def _way_variables(front: Front) -> tuple[Variable, Variable]:
    """Return the variables of a charge move: first leg in inches and wheel in radians, with their bounds."""
    charger = front.scene.charger
    turn = math.radians(front.scene.book.wheel_limit_deg)
    corners = front.scene.target.boundary.pieces[0]
    ahead = float(((corners - charger.pose.at) @ charger.pose.forward).max())
    board = front.scene.state.board
    most = max(ahead, 0.0) if turn <= math.pi / 2 else math.hypot(board.width, board.depth)
    return Variable("first", 0.0, most, "in"), Variable("wheel", -turn, turn, "rad")


# Several chargers of one target.


@dataclass(frozen=True, eq=False)
class PutDownTogether:
    """Several chargers placed one after another, each on the table as it is at its turn.

    Attributes
    ----------
    group
        The chargers.
    order
        Names in the order of moves.
    puts
        Ends of those that complete.
    """

    group: ChargerGroup
    order: tuple[str, ...]
    puts: tuple[AlignedEnd, ...]

    @cached_property
    def totals(self) -> Totals:
        """Totals of models in contact: of the target, and of its chargers."""
        return totals_of([(put.way.front, put.slide) for put in self.puts])

    @property
    def poses(self) -> dict[str, Pose]:
        """Poses of the chargers that complete, by name, in the order of their moves."""
        return {put.way.scene.charger.name: put.placement.pose for put in self.puts}


def combined_statement(
    group: ChargerGroup, found: Combination, resolution: Resolution
) -> SolvedProblem[PutDownTogether] | None:
    """Return the joint placement problem of a combined charge with its solution.

    None with the choice `combined_lookahead` = "one-by-one", where each charger takes its own best place in turn.
    """
    if group.choices.combined_lookahead == "one-by-one":
        return None
    count = len(found.places)
    answer = values_of(found.totals, group.choices)
    more = (
        {MOST_COMPLETED: combined_problem(group, count + 1)}
        if not found.is_open and count < len(group.in_range)
        else {}
    )
    return SolvedProblem(
        combined_problem(group, count),
        answer,
        0 if found.is_open else len(answer),
        lambda together: together.poses,
        more,
        together=tuple(name for name in group.names if name in found.places),
        resolved=lambda together: _resolved_as(resolution, together),
    )


def _resolved_as(resolution: Resolution, together: PutDownTogether) -> Resolution:
    """Return the resolution as if another order of moves, with other chargers completing, had been chosen for equal
    totals.
    """
    rulings = {
        one.charge.charger: one
        for one in resolution.rulings
        if one.charge.charger in together.order
    }
    poses = together.poses
    after = together.group.state
    for name in together.order:
        after = (
            after.with_unit(after.units[name].at(poses[name]))
            if name in poses
            else together.group.failed_state(name, after)
        )
        if name in poses and rulings[name].outcome != "success":
            rulings[name] = replace(rulings[name], outcome="success", rule=None)
        elif name not in poses and rulings[name].outcome == "success":
            rulings[name] = replace(rulings[name], outcome="failed", rule="t9a.combined.room")
    numbers = {
        one.charge.charger: number
        for number, one in enumerate(resolution.rulings)
        if one.outcome != "not_allowed"
    }
    turns = resolution.order or tuple(range(len(resolution.rulings)))
    queue = iter(together.order)
    order = tuple(
        numbers[next(queue)]
        if resolution.rulings[number].charge.charger in together.order
        else number
        for number in turns
    )
    units = {**resolution.after.units, **{name: after.units[name] for name in together.order}}
    return replace(
        resolution,
        rulings=tuple(rulings.get(one.charge.charger, one) for one in resolution.rulings),
        order=order,
        after=replace(resolution.after, units=units),
    )


def combined_problem(group: ChargerGroup, count: int) -> Problem[PutDownTogether]:
    """Return the problem of choosing `count` chargers that complete, their slides, and the order of moves."""
    fronts = [group.front(name, group.state) for name in group.in_range]
    turns = [Variable(f"turn of {name}", 0.0, 1.0, "share") for name in group.names]
    ways = [
        replace(one, name=f"{one.name} of {front.scene.charger.name}")
        for front in fronts
        for one in flush_variables(front)
    ]

    def place(point: FloatArray) -> PutDownTogether:
        """Return the placements for a point: keys of the order, then first leg, wheel and slide of each charger in
        range.
        """
        keys = dict(zip(group.names, point.tolist(), strict=False))
        values = dict(
            zip(group.in_range, point[len(turns) :].reshape(len(fronts), -1).tolist(), strict=True)
        )
        return _put_down(group, *_order_of(group, keys, count), values)

    limits = [limit for number in range(count) for limit in _limits_of(number)]

    def totals(places: Sequence[PutDownTogether]) -> list[Totals]:
        """Return the totals of models in contact of some placements."""
        return [one.totals for one in places]

    return Problem(
        (*turns, *ways),
        place,
        tuple(limits),
        tuple(goal.of(totals) for goal in goals_of(group.choices)),
    )


def _order_of(
    group: ChargerGroup, keys: Mapping[str, float], count: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the order of all moves, and the chargers that complete: the first `count` in range, both sorted by
    `keys`.

    Others in range move last.
    """
    order = sorted(group.names, key=keys.__getitem__)
    completing = [name for name in order if name in group.in_range][:count]
    last = group.last(completing)
    return (*(name for name in order if name not in last), *last), tuple(completing)


def _limits_of(number: int) -> tuple[Limit[PutDownTogether], ...]:
    """Return the limits on the charger that completes at position `number` of the order."""
    return tuple(limit.of(lambda together: together.puts[number]) for limit in PUT_LIMITS)


def _put_down(
    group: ChargerGroup,
    order: tuple[str, ...],
    completing: Sequence[str],
    values: Mapping[str, Sequence[float]],
) -> PutDownTogether:
    """Return the placements after moving chargers in an order, with failed charge moves of those that do not complete.

    `values` are first leg, wheel and slide of each charger by name, in inches and radians.
    """
    state = group.state
    puts = list[AlignedEnd]()
    for name in order:
        if len(puts) == len(completing):
            break
        if name not in completing:
            state = group.failed_state(name, state)
            continue
        front = group.front(name, state)
        first, wheel, slide = values[name]
        puts.append(AlignedEnd(Way(front, first, wheel), slide))
        state = state.with_unit(front.scene.charger.at(puts[-1].placement.pose))
    return PutDownTogether(group, order, tuple(puts))

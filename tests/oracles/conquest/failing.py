"""Where a regiment ends that does not complete its charge: the failed move, and mired in a friend."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tests.oracles.conquest.bodies import Body, Edge, Floats, Frames, body_of
from tests.oracles.conquest.sweeps import slide_breach, wheel_breach
from tests.oracles.conquest.table import Table

HALT = 1.0
"""Inches at which a failed move halts before others."""
ROUNDING = 1e-9
"""Inches: a halt is where the gap is reached, and does not use up what comparisons allow, which friends could tell."""


@dataclass(frozen=True)
class Stop:
    """Where the charger ends, the length of its failed move (None if mired), and the friend it is mired in."""

    end: Frames
    length: float | None = None
    friend: str | None = None


@dataclass(frozen=True)
class Leg:
    """One part of a path: a slide along `along` by `length`, or a turn about `pivot` by `angle` in the sense of
    `sign`.
    """

    start: Frames
    along: Floats
    length: float
    pivot: Floats | None = None
    sign: float = 1.0

    def breach(self, friend: Body, level: float) -> float:
        """Return how far along this leg a friend is first overlapped; infinity if never."""
        if self.pivot is None:
            return slide_breach(self.start, self.along, friend, level=level, end=self.length)
        return wheel_breach(
            self.start, self.pivot, friend, level=level, sign=self.sign, end=self.length
        )

    def at(self, part: float) -> Frames:
        """Return the frame after a part of this leg."""
        if self.pivot is None:
            return self.start.shifted(part * self.along[None, :])
        return self.start.turned(self.pivot[None, :], np.array([self.sign * part]))


def marched(table: Table) -> Leg:
    """Return the leg of the earlier March."""
    length = float(table.charge.declarations.marched)
    start = table.frame.moved(np.array([-length]))
    return Leg(start, start.ahead[0], length)


def move_legs(table: Table, side: float, angle: float, advance: float) -> tuple[Leg, ...]:
    """Return the legs of a charge move: wheel and advance."""
    frame = table.frame
    pivot = (frame.left if side > 0 else frame.left + frame.width * frame.right)[0]
    wheel = Leg(frame, frame.ahead[0], angle, pivot, side)
    end = wheel.at(angle)
    return (wheel, Leg(end, end.ahead[0], advance))


def mired(table: Table, legs: Sequence[Leg]) -> Stop | None:
    """Stop before the first-met of the friends that the end of a path overlaps; None if it overlaps none."""
    end = legs[-1].at(legs[-1].length)
    under = [friend for friend in table.crossable if friend.gaps(end.corners)[0] < -table.touch]
    if not under:
        return None
    for leg in (marched(table), *legs):
        met = [(leg.breach(friend, -table.touch), friend.name) for friend in under]
        part, name = min(met)
        if math.isfinite(part):
            return Stop(leg.at(part), friend=name)
    return Stop(end, friend=under[0].name)


def failed_move(table: Table) -> Stop:
    """Slide the rolled inches at the target, halting as the rules say."""
    frame = table.frame
    along = frame.ahead[0] if table.choices.failed_direction == "ahead" else shortest(table)
    length = min(
        [
            float(table.roll),
            *(_halt(table, frame, along, body, gap) for body, gap in _halting(table)),
        ]
    )
    leg = Leg(frame, along, length)
    return mired(table, (leg,)) or Stop(leg.at(length), length=length)


def shortest(table: Table) -> Floats:
    """Return the unit vector of the shortest way from the charger's frame to the target, by corners against edges."""
    ours = table.frame.corners[0]
    theirs = table.ring
    vectors = [
        *(-_to_edges(corner, ours) for corner in theirs),
        *(_to_edges(corner, theirs) for corner in ours),
    ]
    best = min(vectors, key=lambda vector: math.hypot(*vector))
    return np.asarray(best / math.hypot(*best))


def _to_edges(point: Floats, ring: Floats) -> Floats:
    """Return the vector from a point to the nearest point of a ring."""
    following = np.roll(ring, -1, axis=0)
    sides = following - ring
    shares = np.clip(((point - ring) * sides).sum(axis=1) / (sides**2).sum(axis=1), 0.0, 1.0)
    nearest = ring + shares[:, None] * sides - point
    return np.asarray(nearest[np.argmin(np.hypot(*nearest.T))])


def _halting(table: Table) -> list[tuple[Body | Edge, float]]:
    """Return everything that halts a failed move, with the gap at which it does."""
    at_contact = table.choices.failed_impassable == "contact"
    found: list[tuple[Body | Edge, float]] = [
        (table.goal, HALT),
        (Edge(table.board.width, table.board.depth), 0.0),
    ]
    for body in table.obstacles:
        if isinstance(body, Body):
            near = (
                0.0 if body.role == "friend" or (body.role == "impassable" and at_contact) else HALT
            )
            found.append((body, near))
    return found


def _halt(table: Table, frame: Frames, along: Floats, body: Body | Edge, near: float) -> float:
    """Return how far a frame slides before its gap to a body is less than it may be."""
    kept = min(near, float(body.gaps(frame.corners)[0]))
    return slide_breach(frame, along, body, level=kept - ROUNDING, end=float(table.roll))


def is_march_free(table: Table) -> bool:
    """Return whether the earlier March crossed no friend that may not be crossed."""
    leg = marched(table)
    fixed = [body for body in table.obstacles if body.role == "friend"]
    return not any(
        math.isfinite(leg.breach(body, -table.touch)) for body in fixed if isinstance(body, Body)
    )


def distance(table: Table) -> float:
    """Return the gap of charger and target."""
    return float(table.goal.gaps(table.frame.corners)[0])


def in_contact(table: Table) -> bool:
    """Return whether the charger is in contact with an enemy regiment."""
    foes = [unit for unit in table.state.units.values() if unit.side != table.charger.side]
    bodies = [body_of(unit, "enemy", 0.0) for unit in foes]
    return any(
        body.gaps(table.frame.corners)[0] < table.choices.clearance - table.touch for body in bodies
    )

"""Numbers of the places where bases end: clear of others, on the board, on tops and floors, in nothing solid.

A moves up to 12.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from tabletop.api import judge
from tabletop.ruling.system import Case
from tabletop.table.models import Formation
from tests.systems.wh40k.tables import SHIFT, piece, unit
from tests.systems.wh40k.thresholds.asking import (
    HAND,
    ONE,
    claimed,
    inches,
    legal,
    put_down,
    verdict,
)
from tests.systems.wh40k.thresholds.ending import T6, Entry, next_to, pair
from tests.systems.wh40k.thresholds.moving import SHORT, straight
from tests.thresholds import (
    BOUND,
    Reading,
    Reads,
    Sense,
    Threshold,
    broken,
    by_judgement,
    unmeasured,
)

MISSED = unmeasured(put_down)
"""Reads the verdict alone on places that a hand may have missed."""


def by_hand(
    rule: str,
    what: str,
    value: float,
    table: Callable[[float], Case],
    holds: Sense,
    *,
    reads: Reads = MISSED,
    **more: Any,
) -> Threshold:
    """Make the row of a length for which the judge allows what a hand may miss."""
    return inches(rule, what, value, table, holds, reads=reads, tolerance=HAND, **more)


overlaps = broken(verdict)
"""Reads whether the rule that this breaks is broken."""


def touching(gap: float) -> Case:
    """Claim that A ends just before T, with all its models."""
    return claimed([(5 - gap, 0)], ONE, T6, total=12)


def standing_in_another(height: float) -> Case:
    """Claim that A ends where T stands on a floor, but for so much in height."""
    floor = piece("floor", 2, -3, 9, 3, height=3)
    return claimed(
        [(5.5, 0, 3 + height)], ONE, {"T": unit([(6, 0, 3)])}, total=12, terrain=(floor,)
    )


def staying(away: float) -> Case:
    """Claim that one model touches T, and that the other, which stays, is so much farther from it than it was."""
    a = unit([(2, 0), (1, 1.6)])
    rules = {"coherency_horizontal": 8, "closer_scope": "moved"}
    return claimed([(5, 0), (1 - away, 1.6)], a, T6, total=12, rules=rules)


def in_contact(asked: Case, _: str) -> Reading:
    """Judge, and read whether A is in contact, which it owes, and clear of T."""
    return Reading(judge(asked).outcome == "success")


def crowded(gap: float, *, side: str = "blue", **more: Any) -> Case:
    """Claim that A ends so far from a model that is not charged."""
    return claimed(
        [(4.5, 0)], unit([(0, 0)], **more), {**T6, "F": unit([(4.5, 1 + gap)], side=side)}, total=12
    )


def double(gap: float) -> Case:
    """Claim that two models of A end so far from each other."""
    return claimed([(4.5, 0), (4.5, 1 + gap)], unit([(0, 0), (0, 2)]), T6, total=12)


def two_floors(height: float) -> Case:
    """Claim that A ends on a floor so much higher than that of T, overlapping it in plan."""
    low = piece("floor", 2, -3, 9, 3, height=3, name="Low")
    high = piece("floor", 2, -3, 9, 3, height=3 + height, name="High")
    return claimed(
        [(5.2, 0, 3 + height)], ONE, {"T": unit([(6, 0, 3)])}, total=12, terrain=(low, high)
    )


CLEAR = (
    by_hand(
        "move.contact",
        "gap at which a model is in contact",
        0,
        touching,
        "exactly",
        reads=in_contact,
    ),
    by_hand(
        "move.closer",
        "how far a model that stays may be claimed from its place",
        0,
        staying,
        "at most",
    ),
    by_hand("move.end-clear", "gap to a friend", 0, crowded, "at least"),
    by_hand("move.end-clear", "gap to an enemy", 0, partial(crowded, side="red"), "at least"),
    by_hand("move.end-clear", "gap to another model of the unit", 0, double, "at least"),
    inches(
        "move.end-clear",
        "height between floors at which models overlap",
        0,
        two_floors,
        "exactly",
        reads=overlaps,
    ),
    by_hand(
        "move.end-clear",
        "height by which an end in another model misses its floor",
        0,
        standing_in_another,
        "exactly",
        reads=overlaps,
    ),
    by_hand(
        "fly.not-on-models",
        "gap of a flyer to a friend",
        0,
        partial(crowded, keywords=["fly"]),
        "at least",
    ),
)


def unreachable(off: float) -> Case:
    """Claim that A, which is too far away to complete its charge, stands so far from where it is left."""
    return claimed([(off, 0)], ONE, {"T": unit([(9, 0)])}, total=3)


def bystander(off: float) -> Case:
    """Let A reach T, and claim that N stands so far from where it did."""
    one = claimed([(5, 0)], ONE, {**T6, "N": unit([(0, 8)])}, total=12)
    pose = one.state.units["N"].place.poses[0]
    return replace(one, proposal={"N": Formation((replace(pose, x=pose.x + off),), (0.0,))})


JUDGED = unmeasured(by_judgement)
"""Reads the verdict alone: a model a hair off where it was resolved to end is measured there."""

BY_A_HAND = (
    inches(
        "possible.engage-all",
        "how far a model is put out of range",
        HAND,
        lambda off: next_to(1 + off),
        "at most",
        reads=by_judgement,
    ),
    inches(
        "possible.coherency",
        "how far a model is put from its mate",
        HAND,
        lambda off: pair(2 + off),
        "at most",
        reads=JUDGED,
    ),
    inches(
        "roll.limit",
        "how much farther a model is put",
        HAND,
        lambda off: straight(SHORT + off),
        "at most",
        reads=by_judgement,
    ),
    inches(
        "stand",
        "how far a model that no charge moves is put from its place",
        HAND,
        bystander,
        "at most",
        reads=by_judgement,
    ),
    inches(
        "move.contact",
        "gap at which a model is put in contact",
        HAND,
        touching,
        "at most",
        reads=in_contact,
    ),
    inches(
        "move.closer",
        "how far a model that stays is put from its place",
        HAND,
        staying,
        "at most",
        reads=verdict,
    ),
    inches(
        "move.end-clear",
        "how far a model is put into a friend",
        HAND,
        lambda depth: crowded(-depth),
        "at most",
        reads=MISSED,
    ),
    inches(
        "possible.engage-all",
        "how far a model that is left is put from its place",
        HAND,
        unreachable,
        "at most",
        reads=by_judgement,
    ),
)
"""What a hand may miss, to the tolerance of every comparison."""


def at_the_edge(inside: float) -> Case:
    """Claim that A ends so far inside the board's edge."""
    return claimed(
        [(0.5 + inside - SHIFT, 0)],
        unit([(5 - SHIFT, 0)]),
        {"T": unit([(1.2 - SHIFT, 1.2)])},
        total=12,
    )


def on_top(inside: float, *, kind: str = "block", rules: Entry | None = None, **more: Any) -> Case:
    """Claim that A ends on a top or floor 3 up, its base so far inside the edge."""
    radius = 0.0 if rules else 0.5
    held = piece(kind, 4, -2, 9, 2, height=3)
    return claimed(
        [(4 + radius + inside, 0, 3)],
        unit([(0, 0)], **more),
        {"T": unit([(6, 0, 3)])},
        total=12,
        terrain=(held,),
        rules=rules,
    )


def at_height(z: float, *, kind: str = "block") -> Case:
    """Claim that A ends so high, on a top or floor that is 3 up."""
    held = piece(kind, 4, -2, 9, 2, height=3)
    return claimed([(5, 0, z)], ONE, {"T": unit([(6, 0, 3)])}, total=12, terrain=(held,))


def on_a_crate(z: float) -> Case:
    """Claim that A ends so high on a block 1.5 up, on which T stands."""
    held = piece("block", 4, -2, 9, 2, height=1.5)
    return claimed([(5, 0, z)], ONE, {"T": unit([(6, 0, 1.5)])}, total=12, terrain=(held,))


def half_way_up(gap: float) -> Case:
    """Claim that A ends 1.5 up beside a block, so far from it."""
    block = piece("block", 4, -2, 9, 2, height=3)
    return claimed(
        [(3.5 - gap, 0, 1.5)], ONE, {"T": unit([(4.6, 0, 3)])}, total=12, terrain=(block,)
    )


def against(gap: float, *, kind: str, height: float = 3, **more: Any) -> Case:
    """Claim that A ends so far from a piece between it and T."""
    solid = piece(kind, 4.8, -2, 5, 2, height=height)
    return claimed([(4.3 - gap, 0)], unit([(0, 0)], **more), T6, total=12, terrain=(solid,))


def upon(height: float, *, kind: str = "block", rules: Entry | None = None) -> Case:
    """Claim that A ends on the ground in the middle of a piece so high."""
    low = piece(kind, 3.5, -2, 5.4, 2, height=height)
    return claimed([(4.5, 0)], ONE, T6, total=12, terrain=(low,), rules=rules)


def upstairs(height: float, *, rules: Entry | None = None) -> Case:
    """Claim that A ends on a floor so high, with T beside it on the ground."""
    return claimed(
        [(4.5, 0, height)],
        ONE,
        T6,
        total=12,
        terrain=(piece("floor", 3, -2, 5.4, 2, height=height),),
        rules=rules,
    )


LOW = "height of terrain that is as if absent"
STANDING = (
    inches(
        "path.board",
        "how far a base is put over the edge",
        HAND,
        lambda off: at_the_edge(-off),
        "at most",
        reads=put_down,
        orientations=BOUND,
    ),
    inches(
        "terrain.through",
        "how far a base is put into a block",
        HAND,
        lambda depth: against(-depth, kind="block"),
        "at most",
        reads=put_down,
    ),
    inches(
        "terrain.support",
        "how far a base is put over the edge of a top",
        HAND,
        lambda off: on_top(-off),
        "at most",
        reads=put_down,
    ),
    inches(
        "terrain.support",
        "how far a model is put above a top",
        HAND,
        lambda off: at_height(3 + off),
        "at most",
        reads=legal,
    ),
    by_hand(
        "path.board",
        "how far inside the board's edge the base ends",
        0,
        at_the_edge,
        "at least",
        orientations=BOUND,
    ),
    by_hand(
        "terrain.support", "how far inside the edge of a top the base ends", 0, on_top, "at least"
    ),
    by_hand(
        "terrain.support",
        "how far inside the edge of a top the base's centre ends, by choice",
        0,
        partial(on_top, rules={"support": "centre"}),
        "at least",
    ),
    by_hand(
        "terrain.floors",
        "how far inside the edge of a floor the base ends",
        0,
        partial(on_top, kind="floor"),
        "at least",
    ),
    by_hand(
        "terrain.support",
        "height of a top on which a model ends",
        3,
        at_height,
        "exactly",
        reads=legal,
    ),
    by_hand(
        "terrain.support",
        "height of a low top on which a model ends",
        1.5,
        on_a_crate,
        "exactly",
        reads=legal,
    ),
    by_hand(
        "terrain.floors",
        "height of a floor on which a model ends",
        3,
        partial(at_height, kind="floor"),
        "exactly",
        reads=legal,
    ),
    by_hand(
        "terrain.mid-climb",
        "gap to a block of a model part-way up it",
        0,
        half_way_up,
        "exactly",
        reads=broken(MISSED),
    ),
    by_hand(
        "terrain.through", "gap to a tall block", 0, partial(against, kind="block"), "at least"
    ),
    by_hand(
        "terrain.through",
        "gap to impassable terrain",
        0,
        partial(against, kind="impassable", height=0),
        "at least",
    ),
    by_hand("terrain.walls", "gap to a wall", 0, partial(against, kind="wall"), "at least"),
    by_hand(
        "terrain.barricade",
        "gap to a low barricade",
        0,
        partial(against, kind="barricade", height=1),
        "at least",
    ),
    by_hand(
        "terrain.barricade",
        "gap to a barricade of no height",
        0,
        partial(against, kind="barricade", height=0),
        "at least",
    ),
    inches("terrain.low", f"{LOW}, a block", 2, upon, "at most", reads=legal),
    inches("terrain.low", f"{LOW}, a wall", 2, partial(upon, kind="wall"), "at most", reads=legal),
    inches(
        "terrain.low",
        f"{LOW}, free_height replaced",
        1,
        partial(upon, rules={"free_height": 1}),
        "at most",
        reads=legal,
    ),
    inches(
        "terrain.low",
        f"{LOW}, a floor on which nobody stands",
        2,
        upstairs,
        "at most",
        reads=broken(legal),
    ),
)

ROWS = (*CLEAR, *BY_A_HAND, *STANDING)

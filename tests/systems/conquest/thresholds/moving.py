"""The charge move, what is in its way, the push, and failed charges."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from systems.conquest.book import Book
from tabletop.api import resolve
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.units import CONTACT
from tests.systems.conquest.thresholds.declaring import AHEAD, CLEARANCE, LEAST, OVERLAP
from tests.tables import Entry, box, case, charger, unit
from tests.thresholds import (
    BOUND,
    Reading,
    Threshold,
    by_judgement,
    by_metrics,
    by_outcome,
    by_reader,
    by_ruling,
    unmeasured,
)

WALLS = (box((15, 17), (4, 14), name="west"), box((23, 25), (4, 14), name="east"))
"""They bar any wheel."""

ASIDE = {"B": unit((28, 18), 270)}
FIRST = math.degrees(math.atan2(2, 8) + math.asin(4.001 / math.sqrt(68)))
"""Degrees of a right wheel from which on three stands look at B, who stands aside."""

WAY = (8 - 6 * math.sin(math.radians(80))) / math.cos(math.radians(80))
"""Inches ahead to a long line, after a right wheel of 80 degrees."""

COS = math.cos(math.pi / 6)
SLANTED = {"A": charger(stands=6), "B": unit((17 + 3 * COS, 19.5), 300)}
"""B's near corner stands at (17, 18), straight ahead of the charger's left end; its front rises by 30 degrees."""

TURNING = (*WALLS, box((23.3, 24), (17.5, 18.5), name="end"))
"""A rock more, where A would turn to: B turns instead."""

HAND = 0.001
"""Inches by which a hand may misplace a regiment."""

WEDGED: dict[str, Entry] = {
    "B": unit((21, 18), 270, 1),
    "L": unit((17, 18), 270),
    "R": unit((25, 18), 270),
}
"""B's front fills the two inches between L and R, all on one line."""


def straight(
    units: dict[str, Entry] | None = None, terrain: Sequence[Entry] = (), **rest: Any
) -> Case:
    """Make A charge straight ahead, the edges of its lane at x = 17 and x = 23."""
    return case({**AHEAD, **(units or {})}, terrain, **LEAST, **rest)


def enemy_beside(**rules: Any) -> Any:
    """Place another enemy a gap beside the lane."""
    return lambda gap: straight({"X": unit((24 + gap, 14), 270, 1)}, **rules)


def terrain_beside(kind: str, y: tuple[float, float] = (12, 14)) -> Any:
    """Place terrain a gap beside the lane."""
    return lambda gap: straight(terrain=[box((23 + gap, 25), y, kind=kind)])


def pillar_beside(gap: float) -> Case:
    """Place a round rock a gap beside the lane."""
    return straight(
        terrain=[
            {
                "name": "pillar",
                "kind": "impassable",
                "circle": {"centre": [24.5 + gap, 13], "radius": 1.5},
            }
        ]
    )


def friend_beside(gap: float) -> Case:
    """Place a friend that an enemy is in contact with a gap beside the lane."""
    return straight(
        {"F": unit((24 + gap, 14), 270, 1, side="blue"), "X": unit((26 + gap, 14), 270, 1)}
    )


def edge_beside(gap: float) -> Case:
    """Make A need a right wheel, which swings its left rear corner out by sqrt(40) - 6 in, so far from the board's
    edge.
    """
    x = math.sqrt(40) - 3 + gap
    return case({"A": charger((x, 10)), "B": unit((x + 8, 18), 270)}, dice=(4,), **LEAST)


def target_ahead(gap: float) -> Case:
    """Make the player's own wheel bring A's far end so near to a target two inches ahead."""
    angle = math.degrees(math.asin((2 - gap) / 6))
    return case({"B": unit((20, 12), 270)}, charge={"wheel": {"pivot": "left", "angle_deg": angle}})


def wheel_limited(degrees: float) -> Case:
    """Make the book allow a wheel that great towards a target aside."""
    return replace(case(ASIDE, dice=(4,), **LEAST), book=Book(wheel_limit_deg=degrees))


def overlapping(width: float) -> Case:
    """Make so much of the third stand's width look at B; walls bar any wheel."""
    return case({"B": unit((18 + width, 18), 270)}, WALLS)


def post_aside(off: float) -> Case:
    """Place a post so far off straight ahead: on either side a wheel passes it."""
    post = box((19.9 + off, 20.1 + off), (14, 15), name="post")
    return case({"A": charger(files=1), "B": unit((20, 18), 270, 6)}, [post], dice=(6,), **LEAST)


def far_enough(distance: float) -> Case:
    """Return this Charge Distance to a charger whose own wheel of 80 degrees leads just as far ahead."""
    units = {"A": charger(march=distance - 1), "B": unit((40, 18), 270, 23)}
    return case(units, dice=(1,), charge={"wheel": {"pivot": "right", "angle_deg": 80}})


def behind_the_friend(depth: float) -> Case:
    """Leave so much room behind a friend for a charger 2 in deep that crosses it."""
    units = {
        "A": charger(march=8, size=2),
        "F": unit((20, 15), 90, side="blue"),
        "B": unit((20, 15 + depth), 270),
    }
    return case(units, dice=(4,), **LEAST)


def rock_at_the_turn(gap: float) -> Case:
    """Place a rock so far beside where A's right rear corner comes to rest after its turn of 30 degrees."""
    x = 17 + 6 * COS + 2
    y = 18 + 3 - 4 * COS
    corners = [[x + gap, y - 3], [x + gap + 1, y - 3], [x + gap + 1, y + 3], [x + gap, y + 3]]
    return case(
        SLANTED, [*WALLS, {"name": "rock", "kind": "impassable", "polygon": corners}], **LEAST
    )


def rock_beside_the_target(gap: float) -> Case:
    """Bar A's turn, and put a rock so far beside where B ends if it turns instead."""
    return case(SLANTED, [*TURNING, box((23 + gap, 23.25), (18.6, 19.5))], **LEAST)


def room_behind(inches: float) -> Case:
    """Leave so much room behind L, who is pushed straight back if there is an inch, before a rock."""
    return case(WEDGED, [box((14, 15), (20 + inches, 22))], **LEAST)


def room_before_another(inches: float) -> Case:
    """Leave so much room behind L, before another regiment."""
    other = unit((15, 20 + inches), 270, 1, side="blue", base="50.8x12.7mm")
    return case({**WEDGED, "Y": other}, **LEAST)


def third_farther_back(gap: float) -> Case:
    """Make R stand so much farther back than B and L."""
    return case({**WEDGED, "R": unit((25, 18 + gap), 270)}, WALLS, **LEAST)


def others_before(gap: float) -> Case:
    """Make L and R be met by a clearance when B is still so far away."""
    ahead = 18 - (gap - CLEARANCE)
    return case(
        {**WEDGED, "L": unit((17, ahead), 270), "R": unit((25, ahead), 270)}, WALLS, **LEAST
    )


def enemy_ahead(gap: float) -> Case:
    """Make A fail its charge by a five, an enemy so far ahead."""
    return case(
        {"A": charger(size=2), "B": unit((20, 30), 270), "X": unit((20, 10 + gap), 270)}, dice=(5,)
    )


def terrain_ahead(kind: str, choice: str = "inch") -> Any:
    """Make A fail its charge by a two, terrain so far ahead."""

    def at(gap: float) -> Case:
        piece = box((10, 30), (10 + gap, 18), kind=kind)
        return case(
            {"A": charger(size=5), "B": unit((20, 30), 270)},
            [piece],
            dice=(2,),
            failed_impassable=choice,
        )

    return at


def friend_ahead(gap: float) -> Case:
    """Make A fail its charge by a two, a friend that an enemy is in contact with so far ahead."""
    units = {
        "A": charger(size=2),
        "B": unit((20, 30), 270),
        "F": unit((22, 12 + gap), 90, 3, side="blue"),
    }
    return case({**units, "X": unit((26, 12 + gap), 90, 1)}, dice=(2,))


def claimed(question: Case, **poses: tuple[float, float, float]) -> Case:
    """Claim places: x, y and heading in degrees."""
    return replace(
        question,
        proposal={name: Pose(x, y, math.radians(way)) for name, (x, y, way) in poses.items()},
    )


def ending_off(off: float) -> Case:
    """Claim that A ends so far before B's front."""
    return claimed(straight(terrain=WALLS), A=(20, 18 - off, 90))


def ending_beyond(off: float) -> Case:
    """Claim that A ends so far beyond the line of B's front."""
    return ending_off(-off)


def failing_off(off: float) -> Case:
    """Claim that A ends so far beside where its failed charge by a two leaves it."""
    return claimed(straight(dice=(2,)), A=(20 + off, 12, 90))


def turned_off(off: float) -> Case:
    """Claim that B ends so far beside where it turns to."""
    return claimed(case(SLANTED, TURNING, **LEAST), B=(20 + off, 18, 270))


def standing_off(off: float) -> Case:
    """Claim that B ends so far beside where it stands."""
    return claimed(straight(), B=(20 + off, 18, 270))


def pushed_off(off: float) -> Case:
    """Claim that L ends so far beyond where it is pushed to."""
    return claimed(case(WEDGED, **LEAST), L=(17, 19 + off, 270))


def shifted(question: Case, name: str, x: float, y: float) -> Case:
    """Move a regiment of a file by inches."""
    unit = question.state.units[name]
    return replace(
        question,
        state=question.state.with_unit(
            unit.at(replace(unit.pose, x=unit.pose.x + x, y=unit.pose.y + y))
        ),
    )


def beyond_the_edge(beyond: float) -> Case:
    """Make a regiment of the file reach so far beyond the board's edge."""
    return shifted(case({"A": charger((3, 10)), "B": unit((20, 18), 270)}), "A", -beyond, 0)


def deep_in_another(depth: float) -> Case:
    """Make regiments of the file overlap so deep."""
    return shifted(straight({"F": unit((20, 6), 270, side="blue")}), "F", 0, depth)


def deep_in_a_rock(depth: float) -> Case:
    """Make a regiment of the file stand so deep in impassable terrain."""
    return shifted(straight(terrain=[box((17, 23), (6, 8))]), "A", 0, -depth)


def is_straight(question: Case, _: str) -> Reading:
    """Return whether A goes straight ahead, without a wheel."""
    ruling = resolve(question).rulings[0]
    return Reading(ruling.outcome == "success" and ruling.metrics["wheel_deg"] == 0)


def are_two_choices(question: Case, _: str) -> Reading:
    """Return whether two wheels are equally good."""
    return Reading(resolve(question).rulings[0].choices == 2)


def goes(face: int) -> Any:
    """Return whether a failed move goes the whole of its face."""
    return by_metrics(lambda told: told["failed_move"] >= face - CONTACT)


STRAIGHT_BACK = by_metrics(lambda told: told["push_distance"] < 2.5)
THREE = by_metrics(lambda told: told["stands_reaching"] == 3)
OWN = by_metrics(lambda told: "align_deg" in told)
TURNED = by_metrics(lambda told: "target_wheel_deg" in told)
ONE_PUSHED = by_metrics(lambda told: told["pushed"] == 1)

ROWS = (
    Threshold(
        "conquest.wheel.free",
        "greatest wheel: the first with three stands",
        FIRST,
        "deg",
        wheel_limited,
        "at least",
        THREE,
    ),
    Threshold(
        "conquest.wheel.most-stands",
        "overlap of the third stand",
        OVERLAP,
        "in",
        overlapping,
        "at least",
        THREE,
    ),
    Threshold(
        "conquest.wheel.policy",
        "post off straight ahead",
        0.0,
        "in",
        post_aside,
        "exactly",
        are_two_choices,
    ),
    Threshold(
        "conquest.path.enemy",
        "gap beside the lane",
        CLEARANCE,
        "in",
        enemy_beside(),
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.path.enemy",
        "gap, chosen",
        0.05,
        "in",
        enemy_beside(clearance=0.05),
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.path.garrison",
        "gap beside the lane",
        CLEARANCE,
        "in",
        terrain_beside("garrison"),
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.path.garrison",
        "gap where it stands",
        CLEARANCE,
        "in",
        terrain_beside("garrison", (8.5, 9.5)),
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.path.impassable",
        "gap beside the lane",
        0.0,
        "in",
        terrain_beside("impassable"),
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.path.impassable",
        "gap of a round rock",
        0.0,
        "in",
        pillar_beside,
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.path.friend",
        "gap of one that holds",
        0.0,
        "in",
        friend_beside,
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.path.board",
        "gap of the swinging corner",
        0.0,
        "in",
        edge_beside,
        "at least",
        THREE,
        BOUND,
    ),
    Threshold(
        "conquest.path.board",
        "beyond the edge in a file",
        CLEARANCE,
        "in",
        beyond_the_edge,
        "at most",
        by_reader,
        BOUND,
    ),
    Threshold(
        "conquest.path.friend",
        "overlap in a file",
        CLEARANCE,
        "in",
        deep_in_another,
        "at most",
        by_reader,
    ),
    Threshold(
        "conquest.path.impassable",
        "overlap in a file",
        CLEARANCE,
        "in",
        deep_in_a_rock,
        "at most",
        by_reader,
    ),
    Threshold(
        "conquest.path.target",
        "gap while wheeling",
        CLEARANCE,
        "in",
        target_ahead,
        "at least",
        unmeasured(by_ruling),
    ),
    Threshold(
        "conquest.move.charge-distance", "Charge Distance", WAY, "in", far_enough, "at least"
    ),
    Threshold(
        "conquest.near.no-contact",
        "gap at the end",
        CLEARANCE,
        "in",
        terrain_beside("garrison", (16.5, 20)),
        "at least",
        is_straight,
    ),
    Threshold(
        "conquest.through.clear",
        "room behind the friend, 2 deep",
        2.0,
        "in",
        behind_the_friend,
        "at least",
    ),
    Threshold(
        "conquest.align.flush",
        "gap at the end of the turn",
        0.0,
        "in",
        rock_at_the_turn,
        "at least",
        OWN,
    ),
    Threshold(
        "conquest.align.target-wheels",
        "gap beside the turned target",
        0.0,
        "in",
        rock_beside_the_target,
        "at least",
        TURNED,
    ),
    Threshold(
        "conquest.push", "an inch of room behind", 1.0, "in", room_behind, "at least", STRAIGHT_BACK
    ),
    Threshold(
        "conquest.push.room",
        "an inch of room before another",
        1.0,
        "in",
        room_before_another,
        "at least",
        STRAIGHT_BACK,
    ),
    Threshold(
        "conquest.push",
        "gap of who is not in contact",
        CLEARANCE,
        "in",
        third_farther_back,
        "at least",
        ONE_PUSHED,
    ),
    Threshold(
        "conquest.push",
        "met together: ten clearances",
        10 * CLEARANCE,
        "in",
        others_before,
        "at most",
        by_outcome,
    ),
    Threshold(
        "conquest.failed.move",
        "room for a five and an inch",
        6.0,
        "in",
        enemy_ahead,
        "at least",
        goes(5),
    ),
    Threshold(
        "conquest.failed.halt",
        "room before a garrison",
        3.0,
        "in",
        terrain_ahead("garrison"),
        "at least",
        goes(2),
    ),
    Threshold(
        "conquest.failed.halt",
        "room before a rock",
        3.0,
        "in",
        terrain_ahead("impassable"),
        "at least",
        goes(2),
    ),
    Threshold(
        "conquest.failed.halt",
        "room at contact",
        2.0,
        "in",
        terrain_ahead("impassable", "contact"),
        "at least",
        goes(2),
    ),
    Threshold(
        "conquest.failed.halt",
        "room before a friend that holds",
        2.0,
        "in",
        friend_ahead,
        "at least",
        goes(2),
    ),
    Threshold(
        "conquest.align.flush",
        "off the facing's line, judged",
        HAND,
        "in",
        ending_off,
        "at most",
        by_judgement,
    ),
    Threshold(
        "conquest.align.flush",
        "beyond the line, judged",
        HAND,
        "in",
        ending_beyond,
        "at most",
        by_judgement,
    ),
    Threshold(
        "conquest.range",
        "off where a failed charge ends, judged",
        HAND,
        "in",
        failing_off,
        "at most",
        by_judgement,
    ),
    Threshold(
        "conquest.align.target-wheels",
        "off where B turns to, judged",
        HAND,
        "in",
        turned_off,
        "at most",
        by_judgement,
    ),
    Threshold(
        "conquest.stand",
        "off where B stands, judged",
        HAND,
        "in",
        standing_off,
        "at most",
        by_judgement,
    ),
    Threshold(
        "conquest.push",
        "off where L is pushed to, judged",
        HAND,
        "in",
        pushed_off,
        "at most",
        by_judgement,
    ),
)

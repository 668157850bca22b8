"""Declaring and range: who is engaged, what is seen, what can be reached, which facing is charged."""

import math
from collections.abc import Mapping
from typing import Any

from tabletop.api import resolve
from tabletop.errors import ScenarioError
from tabletop.ruling.system import Case
from tests.scenes import box, charger, regiment, target
from tests.systems.t9a.thresholds.tables import mm, on
from tests.thresholds import (
    Reading,
    Threshold,
    broken,
    by_metrics,
    by_presence,
    by_reader,
    by_ruling,
    unmeasured,
)


def behind(gap: float) -> Case:
    """Place an enemy a gap behind A."""
    return on(target(), charger((50, 150)), regiment("X", (50, 190 + mm(gap)), heading=270))


def corner_aside(aside: float) -> Case:
    """Place T's nearest corner so far to the right of A's front corner, and 100 mm ahead of it."""
    goal = regiment("T", (50 + mm(aside) + 50, 75), heading=270, files=4, models=4, base=(25, 25))
    return on(goal, charger((0, 0), heading=90, files=4, base=(25, 25)))


def overlapping_the_last_line(overlap: float) -> Case:
    """Make a wood cover all of the way but the straight line from corner to corner, and a little of that."""
    return on(target(), charger((50, 200)), box((-600, 100 + mm(overlap)), (60, 70), kind="opaque"))


def in_a_wood_by_the_front(depth: float) -> Case:
    """Make a wood right across the way hold A's front, that deep."""
    return on(target(), charger((50, 200)), box((-600, 700), (150, 200 + mm(depth)), kind="opaque"))


def in_a_wood_by_the_facing(depth: float) -> Case:
    """Make a wood right across the way hold T's front, that deep."""
    return on(target(), charger((50, 200)), box((-600, 700), (-mm(depth), 60), kind="opaque"))


def screen_of(height: int) -> Case:
    """Place a line of enemies between A and T, who are both 2 high."""
    return on(
        target(height=2),
        charger((50, 200), height=2),
        regiment("E", (50, 120), files=60, models=60, height=height),
    )


def distant(speed: float, face: int = 6) -> Any:
    """Place A straight before T at a distance, with a charge speed and the face it rolls."""
    return lambda distance: on(
        target(), charger((50, mm(distance)), charge_speed=speed), dice=(face,)
    )


def from_the_front(distance: float) -> Case:
    """Place a column past T's corner so that its front's near end is a distance away, 25.4 mm aside; its flank is
    nearer.
    """
    away = mm(math.sqrt(distance**2 - 1.0))
    return on(
        target(),
        charger((-mm(1.0), away + 10), heading=180, files=1, models=4, charge_speed=0),
        distance_from="front",
    )


def faces(**profile: Any) -> Any:
    """Return a charge so many faces."""
    return lambda count: on(target(), charger((50, 150), **profile), dice=(4,) * count)


def are_right_dice(question: Case, _: str) -> Reading:
    """Return whether the faces given are as many as are thrown."""
    try:
        resolve(question)
    except ScenarioError:
        return Reading(holds=False)
    return Reading(holds=True)


def most_dice(count: int) -> Case:
    """Return a unit sources for so many range dice, two of which are swiftstride's."""
    return on(target(), charger((50, 150), swiftstride=True, maximised=count - 2))


def behind_skirmishers(distance: float) -> Case:
    """Place A so far behind two ranks that stand 12.5 mm apart, and let it roll a two."""
    return on(
        target(skirmish=True),
        charger((62.5, -52.5 - mm(distance)), heading=90, charge_speed=0),
        dice=(2,),
    )


def in_range(question: Case, _: str) -> Reading:
    """Read whether the range is enough, and by how much."""
    return by_ruling(question, "t9a.range")


def needing(face: int) -> Case:
    """Place A where it needs a face."""
    return on(target(), charger((50, mm(3.5 + face)), charge_speed=0))


def off_the_line(inches: float) -> Case:
    """Place A's front so far beyond the line that divides front and right arc, on the side of the right arc; T is
    shallow and broad.
    """
    step = mm(inches) * math.sqrt(0.5)
    return on(
        regiment("T", (0, 0), files=7, models=7), charger((130 + step, 60 - step), heading=225)
    )


def behind_the_line(inches: float) -> Case:
    """Place A's front so far beyond the line that divides rear and right arc, on the side of the right arc."""
    step = mm(inches) * math.sqrt(0.5)
    return on(
        regiment("T", (0, 0), files=7, models=7), charger((130 + step, -80 + step), heading=135)
    )


def is_front(metrics: Mapping[str, Any]) -> bool:
    """Return whether the front is charged."""
    return bool(metrics["target_facing"] == "front")


SEEN = unmeasured(by_ruling)
"""The finding measures the angle of the line of sight that was found."""
IS_ENOUGH = by_metrics(lambda told: told["needed_roll"] <= 3)
UNSEEN = broken(SEEN)

ROWS = (
    Threshold(
        "t9a.declare.not-engaged",
        "gap to an enemy behind: touching",
        0.0,
        "in",
        behind,
        "at most",
        unmeasured(broken(by_ruling)),
    ),
    Threshold(
        "t9a.declare.line-of-sight",
        "45 degrees: aside of 100 mm ahead",
        100 / 25.4,
        "in",
        corner_aside,
        "at most",
        SEEN,
    ),
    Threshold(
        "t9a.declare.line-of-sight",
        "overlap of a wood that may be grazed",
        0.0,
        "in",
        overlapping_the_last_line,
        "at most",
        SEEN,
    ),
    Threshold(
        "t9a.declare.line-of-sight",
        "depth in a wood that stops A's sight",
        0.0,
        "in",
        in_a_wood_by_the_front,
        "at most",
        UNSEEN,
    ),
    Threshold(
        "t9a.declare.line-of-sight",
        "depth in a wood that hides T",
        0.0,
        "in",
        in_a_wood_by_the_facing,
        "at most",
        UNSEEN,
    ),
    Threshold(
        "t9a.declare.line-of-sight",
        "height of a third unit, below both",
        1,
        "count",
        screen_of,
        "at most",
        SEEN,
    ),
    Threshold("t9a.declare.max-range", "6 + 4 + 0", 10.0, "in", distant(0), "at most"),
    Threshold("t9a.declare.max-range", "6 + 4 + 7.5", 17.5, "in", distant(7.5), "at most"),
    Threshold(
        "t9a.declare.max-range", "6 + 4 + 0, from the front", 10.0, "in", from_the_front, "at most"
    ),
    Threshold(
        "t9a.range.roll", "needed roll 3, speed 2.5", 9.5, "in", distant(2.5), "at most", IS_ENOUGH
    ),
    Threshold(
        "t9a.range.maximised",
        "faces of a swift charger",
        2,
        "count",
        faces(swiftstride=True),
        "exactly",
        are_right_dice,
    ),
    Threshold(
        "t9a.range.maximised",
        "faces, thrice minimised",
        4,
        "count",
        faces(minimised=3),
        "exactly",
        are_right_dice,
    ),
    Threshold(
        "t9a.range.maximised", "range dice at all", 5, "count", most_dice, "at most", by_reader
    ),
    Threshold("t9a.range", "a two reaches 6", 6.0, "in", distant(0, 2), "at most"),
    Threshold(
        "t9a.range.distance",
        "a two reaches 6 from the last rank spaced",
        6.0,
        "in",
        behind_skirmishers,
        "at most",
        in_range,
    ),
    Threshold(
        "t9a.failed.when",
        "a two falls short beyond 6",
        6.0,
        "in",
        distant(0, 2),
        "at most",
        broken(by_presence),
    ),
    Threshold(
        "t9a.odds",
        "needed face with a chance",
        6,
        "count",
        needing,
        "at most",
        by_metrics(lambda told: told["success_chance"] > 0),
    ),
    Threshold(
        "t9a.arc.tie", "from the dividing line", 0.0, "in", off_the_line, "exactly", by_presence
    ),
    Threshold(
        "t9a.arc.tie", "from the line behind", 0.0, "in", behind_the_line, "exactly", by_presence
    ),
    Threshold(
        "t9a.arc.target-facing",
        "from the front's arc",
        0.0,
        "in",
        off_the_line,
        "at most",
        by_metrics(is_front),
    ),
)

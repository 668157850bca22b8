"""The charge move, what it keeps away from, Blocked Path, and failed charge moves."""

import math
from collections.abc import Mapping
from typing import Any, Literal

from systems.t9a.book import Book
from systems.t9a.scene import declared_scene
from systems.t9a.solution import is_first_ahead
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.units import CONTACT, FLUSH
from tests.scenes import box, case, charger, regiment, table, target
from tests.systems.t9a.thresholds.tables import CLEARANCE, EDGE, HAND, SEVEN, ending, mm, on
from tests.thresholds import (
    BOUND,
    Reading,
    Threshold,
    by_judgement,
    by_metrics,
    by_reader,
    by_ruling,
    unmeasured,
)

Side = Literal["red", "blue"]
WHEEL = 30.0
"""Degrees that the book allows where a wheel is at stake."""


def corridor(width: float) -> Case:
    """Leave T's front only to a corridor of a width, and A stands square before it, 100 mm broad."""
    spare = mm(width) / 2
    left = box((-900, 50 - spare), (50, 100), name="left")
    right = box((50 + spare, 900), (50, 100), name="right")
    return on(target(), charger((50, 150)), left, right)


def narrows(width: float) -> Case:
    """Leave a corridor between two friends, who are gone when A declares but there when it moves."""
    spare = mm(width) / 2
    friend: dict[str, Any] = {
        "side": "blue",
        "files": 40,
        "base": (20, 60),
        "status": ("charging",),
    }
    friends = (
        regiment(name, (50 + sign * (spare + 400), 149), **friend)
        for name, sign in (("L", -1), ("R", 1))
    )
    return on(target(), charger((50, 150)), *friends)


def past_the_end(
    degrees: float = WHEEL,
    *,
    back: float = 0.0,
    inside: float = 0.0,
    files: tuple[int, int] = (5, 1),
    **choices: Any,
) -> Case:
    """Make A's near corner land on the far end of T's front after a wheel at once of so many degrees and no less;
    `files` are T's and A's.

    It stands `back` inches farther on: so much it would have to go back before it wheels. It lands `inside` inches
    before that end. The book allows a wheel of 30 degrees: past 45 T is out of sight, so that the 90 of the page bind
    nowhere.
    """
    after = math.radians(-40)
    heading = after + math.radians(degrees)
    corner = (files[0] * 20 - mm(inside) - 300 * math.cos(after), -300 * math.sin(after))
    ahead = Pose(corner[0], corner[1], heading).advanced(mm(back)).point(-10.0 * files[1], 0.0)
    attacker = charger(ahead, heading=math.degrees(heading), files=files[1])
    return case(
        table(target(files=files[0]), attacker), book=Book(wheel_limit_deg=WHEEL), **choices
    )


def farther_on(back: float) -> Case:
    """Make it stand so far on that it would have to go back as far before it wheels."""
    return past_the_end(back=back)


def before_the_end(inside: float) -> Case:
    """Make it land so far inside of the facing's end, and the ends do not belong to the facing."""
    return past_the_end(inside=inside, corners="neither")


def beside(side: Side, **choices: Any) -> Any:
    """Place a unit of a side so far beside the one place where A touches all seven."""

    def at(gap: float) -> Case:
        return on(
            *SEVEN, regiment("N", (120 + mm(gap) + 20, 62), side=side, files=2, models=6), **choices
        )

    return at


def wall_beside(**choices: Any) -> Any:
    """Place impassable terrain so far beside that place."""
    return lambda gap: on(*SEVEN, box((120 + mm(gap), 170), (2, 60)), **choices)


def claimed(question: Any) -> Any:
    """Claim that A ends at that place."""
    return lambda gap: ending(question(gap), 20 / 25.4)


def at_the_edge(inside: float) -> Case:
    """Make A touch with its last model only if it ends so far inside of the board's edge."""
    return on(regiment("T", (EDGE - 50 - mm(inside), 0), files=3), charger((EDGE - 80, 150)))


def ending_at_the_edge(inside: float) -> Case:
    """Claim that A ends so far inside of the board's edge."""
    return ending(
        on(regiment("T", (EDGE - 50, 0), files=3), charger((EDGE - 80, 150))), -20 / 25.4 - inside
    )


def corridor_at_the_edge(width: float) -> Case:
    """Leave T's front only to a corridor of a width along the board's edge, and A stands square before it."""
    wall = box((EDGE - 900, EDGE - mm(width)), (50, 100))
    return on(regiment("T", (EDGE - 50, 0)), charger((EDGE - 50, 150)), wall)


def beyond_the_edge(beyond: float) -> Case:
    """Make a unit of the file reach so far beyond the board's edge."""
    return on(target(), charger((EDGE - 50 + mm(beyond), 150)))


def deep_in_another(depth: float) -> Case:
    """Make units of the file overlap so deep."""
    return on(
        target(), charger((50, 150)), regiment("F", (50, 190 - mm(depth)), heading=270, side="blue")
    )


def deep_in_a_wall(depth: float) -> Case:
    """Make a unit of the file stand so deep in impassable terrain."""
    return on(target(), charger((50, 150)), box((0, 100), (190 - mm(depth), 200)))


def are_all_seven(told: Mapping[str, Any]) -> bool:
    """Return whether the place where all seven models are touched is taken."""
    return bool(told["target_models_in_contact"] == 7)


def are_all_five(told: Mapping[str, Any]) -> bool:
    """Return whether all five models of the charger touch."""
    return bool(told["charger_models_in_contact"] == 5)


def obstacle_ahead(nearer: float) -> Case:
    """Place a wall before A, nearer than T by so much."""
    return on(target(files=3), charger((50, 150)), box((80, 200), (-30, mm(nearer))))


def is_first(question: Case, _: str) -> Reading:
    """Return whether the target is first straight ahead."""
    return Reading(is_first_ahead(declared_scene(question, question.charges[0])))


def wall_before(gap: float) -> Case:
    """Make A fail its charge with a low enemy so far before its front."""
    post = regiment("N", (50, 180 - mm(gap)), files=1, models=1, height=0)
    return on(
        target(files=25, at=(50, 0)), charger((50, 180), charge_speed=0, files=3), post, dice=(1,)
    )


def aside(offset: float) -> Case:
    """Make A fail its charge with the middle of T so far from straight ahead."""
    return on(target(), charger((50 + mm(offset), 180), charge_speed=0), dice=(1,))


def aimed_aside(degrees: float) -> Case:
    """Make A, 40 mm broad, fail its charge at a long line aside of it, and need such a wheel to look at its middle."""
    bearing = math.radians(degrees) - math.asin(20 / 180)
    middle = (20 + 180 * math.sin(bearing), 180 * math.cos(bearing))
    goal = regiment("T", middle, heading=180, files=25)
    return on(goal, charger((0, 0), heading=90, files=2, charge_speed=0), dice=(1,))


def aimed_ahead(degrees: float) -> Case:
    """Make A, 8 in broad, fail its charge and need such a wheel to look at T's middle: at 30 degrees the wheel uses up
    4 in.
    """
    bearing = math.radians(degrees) - math.asin(mm(4) / 240)
    middle = (mm(4) + 240 * math.sin(bearing), 240 * math.cos(bearing))
    goal = regiment("T", middle, heading=270)
    return on(
        goal, charger((0, 0), heading=90, files=8, base=(25.4, 25.4), charge_speed=0), dice=(1,)
    )


def wheels(degrees: float) -> Any:
    """Return whether a failed charge move wheels by an angle."""
    return by_metrics(lambda told: told["wheel_angle_deg"] >= degrees - math.degrees(FLUSH))


ROOM = unmeasured(by_ruling)
MADE = by_metrics(lambda told: "target_models_in_contact" in told)
SPACE = by_metrics(are_all_seven)
ALL_FIVE = by_metrics(are_all_five)
UNSTOPPED = by_metrics(lambda told: told["moved"] >= 4 - CONTACT)
AHEAD = by_metrics(lambda told: told["wheel_angle_deg"] == 0)

ROWS = (
    Threshold(
        "t9a.declare.room",
        "corridor: width and two clearances",
        100 / 25.4 + 2 * CLEARANCE,
        "in",
        corridor,
        "at least",
        ROOM,
    ),
    Threshold(
        "t9a.move.room",
        "corridor between friends: the width",
        100 / 25.4,
        "in",
        narrows,
        "at least",
        MADE,
    ),
    Threshold(
        "t9a.move.initial-forward", "inches to go back", 0.0, "in", farther_on, "at most", MADE
    ),
    Threshold(
        "t9a.move.wheel",
        "greatest wheel, 30 in the book",
        WHEEL,
        "deg",
        past_the_end,
        "at most",
        MADE,
    ),
    Threshold(
        "t9a.move.first-contact",
        "clearance inside the ends",
        CLEARANCE,
        "in",
        before_the_end,
        "at least",
        MADE,
    ),
    Threshold(
        "t9a.space.enemy", "gap beside the place", CLEARANCE, "in", beside("red"), "at least", SPACE
    ),
    Threshold(
        "t9a.space.enemy",
        "gap beside the place, chosen",
        0.05,
        "in",
        beside("red", clearance=0.05),
        "at least",
        SPACE,
    ),
    Threshold(
        "t9a.space.enemy",
        "gap beside the place, judged",
        CLEARANCE - HAND,
        "in",
        claimed(beside("red")),
        "at least",
        by_judgement,
    ),
    Threshold(
        "t9a.space.friend", "gap beside the place", 0.0, "in", beside("blue"), "at least", SPACE
    ),
    Threshold(
        "t9a.space.friend",
        "gap, touching left out",
        CLEARANCE,
        "in",
        beside("blue", friend_touch=False),
        "at least",
        SPACE,
    ),
    Threshold(
        "t9a.space.friend",
        "gap beside the place, judged",
        -HAND,
        "in",
        claimed(beside("blue")),
        "at least",
        by_judgement,
    ),
    Threshold(
        "t9a.space.impassable",
        "gap beside the place",
        CLEARANCE,
        "in",
        wall_beside(),
        "at least",
        SPACE,
    ),
    Threshold(
        "t9a.space.impassable",
        "gap, touching allowed",
        0.0,
        "in",
        wall_beside(impassable_touch=True),
        "at least",
        SPACE,
    ),
    Threshold(
        "t9a.space.impassable",
        "gap, judged",
        CLEARANCE - HAND,
        "in",
        claimed(wall_beside()),
        "at least",
        by_judgement,
    ),
    Threshold(
        "t9a.space.board",
        "inside of the edge at the end",
        0.0,
        "in",
        at_the_edge,
        "at least",
        ALL_FIVE,
        BOUND,
    ),
    Threshold(
        "t9a.space.board",
        "corridor along the edge",
        100 / 25.4 + CLEARANCE,
        "in",
        corridor_at_the_edge,
        "at least",
        MADE,
        BOUND,
    ),
    Threshold(
        "t9a.space.board",
        "inside of the edge, judged",
        -HAND,
        "in",
        ending_at_the_edge,
        "at least",
        by_judgement,
        BOUND,
    ),
    Threshold(
        "t9a.space.board",
        "beyond the edge in a file",
        0.0,
        "in",
        beyond_the_edge,
        "at most",
        by_reader,
        BOUND,
    ),
    Threshold(
        "t9a.space.friend", "overlap in a file", 0.0, "in", deep_in_another, "at most", by_reader
    ),
    Threshold(
        "t9a.space.impassable", "overlap in a file", 0.0, "in", deep_in_a_wall, "at most", by_reader
    ),
    Threshold(
        "t9a.blocked.first-obstacle",
        "nearer than the target",
        0.0,
        "in",
        obstacle_ahead,
        "at most",
        is_first,
    ),
    Threshold(
        "t9a.failed.forward",
        "room for 4 and the clearance",
        4 + CLEARANCE,
        "in",
        wall_before,
        "at least",
        UNSTOPPED,
    ),
    Threshold("t9a.failed.wheel", "middle aside", 0.0, "in", aside, "exactly", AHEAD),
    Threshold(
        "t9a.failed.wheel", "greatest wheel", 90.0, "deg", aimed_aside, "at least", wheels(90)
    ),
    Threshold(
        "t9a.failed.wheel",
        "wheel that uses up 4 in, of 8",
        30.0,
        "deg",
        aimed_ahead,
        "at least",
        wheels(30),
    ),
)

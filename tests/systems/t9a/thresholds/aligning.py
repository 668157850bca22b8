"""Where a charger is put down: aligned, beside others, or unaligned; and what a judge lets a hand do."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from systems.t9a.conditions import FlushPlacement
from systems.t9a.scene import Front, declared_scene
from tabletop.api import resolve
from tabletop.fronts.reach import Reach
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tabletop.table.state import Regiment, Terrain
from tests.scenes import box, case, charge, charger, place, regiment, table, target
from tests.systems.t9a.thresholds.moving import are_all_five, are_all_seven, past_the_end
from tests.systems.t9a.thresholds.tables import CLEARANCE, HAND, SEVEN, ending, mm, on, standing
from tests.thresholds import (
    FREE,
    Reading,
    Threshold,
    broken,
    by_judgement,
    by_metrics,
    by_presence,
    unmeasured,
)

ANGLE = math.atan2(35, 70) + math.asin(0.0254 / math.hypot(35, 70))
"""Radians of the worked example of an unaligned charge."""


def short_of_a_file(width: float) -> Case:
    """Make A, of a width, charge seven models of 20 mm: it touches all of them if it spans the five between the outer
    two.
    """
    return on(target(files=7), charger((70, 150), base=(mm(width) / 5, 20)))


def short_of_a_model(width: float) -> Case:
    """Make five models of 20 mm charge a narrow T: all of them touch it if it spans the three between the outer two."""
    return on(target(files=1, base=(mm(width), 20)), charger((30, 150)))


def apart(gap: float) -> Case:
    """Make A fall short of spanning those five by such a gap on either side; the file says that 0.02 in count as
    nothing.
    """
    return on(
        target(files=7), charger((70, 150), base=(20 - mm(gap) * 2 / 5, 20)), contact_slack=0.02
    )


def seven(**claim: Any) -> Case:
    """Claim an end of A against seven models."""
    return ending(on(*SEVEN), **{"u0": 20 / 25.4, **claim})


def tilted_up(height: float) -> Case:
    """Claim that A's left front corner ends so far off the facing."""
    return seven(turn=-math.asin(height / (100 / 25.4)))


def narrow_claim(off: float) -> Case:
    """Claim that A ends so far beside the one place where all five of its models touch a T of 60 mm."""
    return ending(on(target(files=3), charger((30, 150))), -20 / 25.4 - off)


def missing_the_end(off: float) -> Case:
    """Claim that A ends so far beside the end of T's front."""
    return ending(on(*SEVEN), 140 / 25.4 + off)


def common_over_a_gap(width: float) -> Case:
    """Make A, of a width, charge a rear of which only the last file has a model: it touches that, two in the gap, and
    grazes a third.
    """
    attacker = charger((50, -140), heading=90, files=2, base=(mm(width) / 2, 25))
    return on(target(models=6), attacker, gap_graze=False)


def other_end_off(off: float) -> Case:
    """Claim an unaligned end that is turned by more than the least angle: the other end of the front is so much farther
    off.
    """
    return unaligned(more=25.4 * off / 200)


def landing_before_the_end(inside: float) -> Case:
    """Make A land on the last part of T's front only; all seven are touched where A ends 20 mm before the end of it."""
    return past_the_end(inside=inside, files=(7, 5))


def nearer(by: float) -> Case:
    """Make A start a little nearer to the second of two equally good places, by so many square inches; they are 5 mm
    apart.
    """
    aside = by * 25.4**2 / 10
    return on(target(files=6), charger((60 + aside, 13), files=3, base=(25, 25)))


def is_at_the_first(told: Mapping[str, Any]) -> bool:
    """Return whether the place with the least u0 is taken."""
    return bool(told["offset"] < 0)


def failing(off: float) -> Case:
    """Claim that A ends so far beside where its failed charge move leaves it."""
    question = on(target(), charger((50, 180), charge_speed=0), dice=(1,))
    return standing(question, "A", 50 + mm(off), 180 - mm(4), 270)


def unmoved(off: float) -> Case:
    """Claim that T, who does not turn, ends so far beside its place."""
    return standing(on(*SEVEN), "T", 70 + mm(off), 0, 90)


def behind_the_line(depth: float) -> Case:
    """Make a wall that bars the place beside T begin so far behind the line of its front, and another bar the other
    side.
    """
    return walled(-mm(depth))


def walled(height: float, *others: Regiment | Terrain, **goal: Any) -> Case:
    """Return the worked example of an unaligned charge: a front of 200 mm between walls 170 mm apart, the right one so
    high.
    """
    attacker = charger((-7.697448, 223.600355), heading=297, files=8, base=(25, 25))
    walls = box((70, 270), (-60, height), name="right"), box((-300, -100), (-60, 100), name="left")
    return on(
        target(**{"files": 1, "models": 1, "base": (40, 40), **goal}), attacker, *walls, *others
    )


def unaligned(*, u: float = 0.0, v: float = 0.0, more: float = 0.0) -> Case:
    """Claim its right front corner u and v inches off the point kept, along the facing and away from it, turned by more
    radians.
    """
    return ending(walled(35), u, away=v, turn=ANGLE + more)


def post_beside(gap: float) -> Case:
    """Place a post beside T's turn: at its end T is so far from it."""
    corner = (
        40 * math.cos(ANGLE) + 40 * math.sin(ANGLE),
        40 * math.sin(ANGLE) - 40 * math.cos(ANGLE),
    )
    out = (math.cos(ANGLE) * mm(gap), math.sin(ANGLE) * mm(gap))
    x = corner[0] + out[0]
    y = corner[1] + out[1]
    return walled(35, box((x, x + 5), (y, y + 2), name="post"))


def target_turned(off: float) -> Case:
    """Claim A where it must end, and T so far beside where its special align move leaves it, along its front."""
    question = unaligned()
    turned = question.state.units["T"].pose.turned_about(place(0, 0), ANGLE)
    x, y = turned.point(off, 0.0)
    return replace(
        question, proposal={**(question.proposal or {}), "T": Pose(x, y, turned.heading)}
    )


def at_a_seam(off: float) -> Case:
    """Claim A's right front corner so far beside where two models of T meet."""
    question = on(
        target(files=2, models=2, base=(40, 40), at=(40, 0)),
        charger((40, 200), files=8, base=(25, 25)),
    )
    return ending(question, 40 / 25.4 + off, turn=0.3)


def are_two(question: Case, _: str) -> Reading:
    """Return whether both models of T touch A's corner where it is claimed."""
    front = Front(declared_scene(question, question.charges[0]), "front")
    assert question.proposal is not None
    tilted = FlushPlacement(front, question.proposal["A"], Reach())
    return Reading(tilted.unaligned.values[0] == 2)


def all_complete(question: Case, _: str) -> Reading:
    """Return whether all chargers complete."""
    return Reading(all(ruling.outcome == "success" for ruling in resolve(question).rulings))


def three_on_a_front(width: float) -> Case:
    """Make three of a width charge five models of 20 mm together: the one in the middle must fit on their front."""
    spots = {"A": ((-180, 200), 300), "B": ((50, 150), 270), "D": ((280, 200), 240)}
    attackers = (
        regiment(name, at, side="blue", heading=way, base=(mm(width) / 5, 20))
        for name, (at, way) in spots.items()
    )
    return case(table(target(), *attackers), *(charge(name) for name in spots))


ALL_SEVEN = by_metrics(are_all_seven)
ALL_FIVE = by_metrics(are_all_five)
FIRST = by_metrics(is_at_the_first)
FOUR = by_metrics(lambda told: told["target_models_in_contact"] == 4)
ALIGNED = by_metrics(lambda told: "unaligned_angle_deg" not in told)
TURNED = by_metrics(lambda told: told["remaining_angle_deg"] == 0)
JUDGED = unmeasured(by_judgement)
UNMIRRORED = {name: way for name, way in FREE.items() if name != "mirrored"}
"""Orientations of a table on which the last criterion of the tie is handed: the least u0."""

ROWS = (
    Threshold(
        "t9a.align.target-models",
        "width that spans five files",
        100 / 25.4,
        "in",
        short_of_a_file,
        "at least",
        ALL_SEVEN,
    ),
    Threshold(
        "t9a.align.charger-models",
        "width that spans three models",
        60 / 25.4,
        "in",
        short_of_a_model,
        "at least",
        ALL_FIVE,
    ),
    Threshold(
        "t9a.align.target-models",
        "gaps that count as nothing, chosen",
        0.02,
        "in",
        apart,
        "at most",
        ALL_SEVEN,
    ),
    Threshold(
        "t9a.align.target-models",
        "off the one place, judged",
        HAND,
        "in",
        lambda off: seven(u0=20 / 25.4 + off),
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.align.charger-models",
        "off the one place, judged",
        HAND,
        "in",
        narrow_claim,
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.align.initial-contact",
        "beside the facing, judged",
        HAND,
        "in",
        missing_the_end,
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.align.flush",
        "off the facing's line, judged",
        HAND,
        "in",
        lambda off: seven(away=off),
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.align.flush",
        "beyond the facing's line, judged",
        HAND,
        "in",
        lambda off: seven(away=-off),
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.align.flush", "one end off the line, judged", HAND, "in", tilted_up, "at most", JUDGED
    ),
    Threshold(
        "t9a.align.serve",
        "end where the one place ends",
        20 / 25.4,
        "in",
        landing_before_the_end,
        "at least",
        ALL_SEVEN,
    ),
    Threshold(
        "t9a.align.gaps",
        "width over two files and a clearance",
        40 / 25.4 + CLEARANCE,
        "in",
        common_over_a_gap,
        "at least",
        FOUR,
    ),
    Threshold(
        "t9a.align.free-choice",
        "nearer to the second place",
        0.0,
        "sq in",
        nearer,
        "at most",
        FIRST,
        UNMIRRORED,
    ),
    Threshold(
        "t9a.stand", "off where T stays, judged", HAND, "in", unmoved, "at most", by_judgement
    ),
    Threshold(
        "t9a.range",
        "off where a failed charge ends, judged",
        HAND,
        "in",
        failing,
        "at most",
        by_judgement,
    ),
    Threshold(
        "t9a.unaligned.when",
        "wall behind the line",
        CLEARANCE,
        "in",
        behind_the_line,
        "at least",
        ALIGNED,
    ),
    Threshold(
        "t9a.unaligned.contact",
        "corner off the facing, judged",
        HAND,
        "in",
        lambda off: unaligned(v=off),
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.unaligned.contact",
        "corner beside the facing, judged",
        HAND,
        "in",
        lambda off: unaligned(u=-off),
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.unaligned.line",
        "corner beyond the line, judged",
        HAND,
        "in",
        lambda off: unaligned(v=-off),
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.unaligned.angle",
        "other end farther off, judged",
        HAND,
        "in",
        other_end_off,
        "at most",
        JUDGED,
    ),
    Threshold(
        "t9a.unaligned.target-models", "beside a seam", 0.0, "in", at_a_seam, "exactly", are_two
    ),
    Threshold(
        "t9a.unaligned.special-align",
        "gap at the end of the turn",
        CLEARANCE,
        "in",
        post_beside,
        "at least",
        TURNED,
    ),
    Threshold(
        "t9a.unaligned.special-align",
        "off where T ends, judged",
        HAND,
        "in",
        target_turned,
        "at most",
        by_judgement,
    ),
    Threshold(
        "t9a.unaligned.reform",
        "gap at the end of the turn",
        CLEARANCE,
        "in",
        post_beside,
        "at least",
        broken(by_presence),
    ),
    Threshold(
        "t9a.combined.room",
        "width between two others",
        100 / 25.4,
        "in",
        three_on_a_front,
        "at most",
        all_complete,
    ),
)

"""Declaring, the roll and the charged facing: who is free, what is seen, what is near enough, which side is charged."""

import math
from dataclasses import replace
from typing import Any

from tabletop.api import resolve
from tabletop.ruling.system import Case
from tests.tables import box, case, charger, unit
from tests.thresholds import Reading, Threshold, broken, by_metrics, by_ruling, unmeasured

AHEAD = {"B": unit((20, 18), 270)}
FAR = {"A": charger(march=20)}
LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}
CLEARANCE = 0.001
"""Inches: a gap smaller than this is contact."""

OVERLAP = 0.001
"""Inches of a stand's width that must look at the facing for it to reach."""


def behind(**rules: Any) -> Any:
    """Place an enemy a gap behind A."""
    return lambda gap: case({**AHEAD, "X": unit((20, 8 - gap), 90)}, **rules)


def targets(count: int) -> Case:
    """Charge so many at once."""
    question = case({**AHEAD, "C": unit((28, 18), 270)})
    return replace(question, charges=(replace(question.charges[0], targets=("B", "C")[:count]),))


def corner_aside(aside: float) -> Case:
    """Place B's far left corner so far to the right of A's front, which ends at x = 23, and 6 in ahead of it."""
    return case({**FAR, "B": unit((24 + aside, 14), 270, 1)})


def beyond_the_arc(more: float) -> Case:
    """Place B, 2 by 2 in, half into A's front arc and so many square inches more; more than half must be."""
    return case({**FAR, "B": unit((26 + math.sqrt(4 - 2 * more), 14), 270, 1)}, front_arc="most")


def third_of_size(size: int) -> Case:
    """Place a line of enemies of a Size between A and B, who both have 2."""
    units = {
        "A": charger(size=2),
        "B": unit((20, 18), 270, size=2),
        "E": unit((20, 14), 90, 20, size=size),
    }
    return case(units)


def wood_of_height(height: int) -> Case:
    """Place a wood of a height between A and B, who both have 2."""
    wood = box((0, 40), (13, 14), kind="forest", name="wood", height=height)
    return case({"A": charger(size=2), "B": unit((20, 18), 270, size=2)}, [wood])


def from_a_hill_of_height(height: int) -> Case:
    """Place A, of Size 1, on a hill, and a wood of 3 before it."""
    terrain = [
        box((16, 24), (7, 9), kind="hill", name="hill", height=height),
        box((0, 40), (13, 14), kind="forest", name="wood"),
    ]
    return case(AHEAD, terrain)


def on_a_hill_by(overlap: float) -> Case:
    """Make A, of Size 1, overlap a hill of 2 by so much, and look over a wood of 2."""
    terrain = [
        box((16, 24), (7, 8 + overlap), kind="hill", name="hill"),
        box((0, 40), (13, 14), kind="forest", name="wood", height=2),
    ]
    return case(AHEAD, terrain)


def out_of_a_wood(overlap: float) -> Case:
    """Make A overlap by so much the wood right across the way before it."""
    return case(AHEAD, [box((0, 40), (10 - overlap, 12), kind="forest", name="wood")])


def beside_the_last_line(overlap: float) -> Case:
    """Make woods cover all lines from middle to middle but one straight ahead, and a little of that."""
    woods = [
        box((0, 22 + overlap), (13, 14), kind="forest", name="one"),
        box((22.01, 40), (13, 14), kind="forest", name="two"),
    ]
    return case({"B": unit((22, 18), 270, 1)}, woods)


def marched_past(gap: float) -> Case:
    """Make a single file have marched past a friend that an enemy is in contact with, so far beside it."""
    units = {
        "A": charger(files=1),
        **AHEAD,
        "F": unit((22 + gap, 7), 90, 1, side="blue"),
        "X": unit((24 + gap, 7), 90, 1),
    }
    return case(units, charge={"marched": 6})


def distant(*faces: int, **profile: Any) -> Any:
    """Place B straight ahead at a distance, and roll faces."""
    return lambda inches: case(
        {"A": charger(**profile), "B": unit((20, 10 + inches), 270)}, dice=faces
    )


def half_and_half(more: float) -> Case:
    """Make A come at a corner of B at 45 degrees, with so many square inches more of it before B's left side than
    before its front.
    """
    root = more / 4 * math.sqrt(0.5)
    return case(
        {"A": charger((44 + root, 19 + root), 135), "B": unit((36, 24), 270)}, dice=(6,), **LEAST
    )


def reaching(overlap: float) -> Case:
    """Make one stand wheel by the player's own choice so that just so much of its width looks at B's front."""
    angle = math.degrees(math.atan2(4, 8) + math.asin(overlap / math.sqrt(80)))
    units = {"A": charger(files=1, march=20), "B": unit((28, 18), 270)}
    return case(units, charge={"wheel": {"pivot": "right", "angle_deg": angle}})


def actions_left(count: int) -> Case:
    """Leave actions after the charge."""
    return case(AHEAD, charge={"actions_left": count})


def is_allowed(question: Case, rule: str) -> Reading:
    """Return whether a charge of as many targets could be declared; a file without one is refused."""
    return Reading(len(question.charges[0].targets) > 0 and by_ruling(question, rule).holds)


def keeps_three(question: Case, _: str) -> Reading:
    """Return whether the first face, a three, stands."""
    return Reading(resolve(question).rulings[0].metrics["roll"] == 3)


SEEN = unmeasured(by_ruling)
NEEDS_THREE = by_metrics(lambda told: told["roll_needed"] <= 3)
FRONT = by_metrics(lambda told: told["charged_facing"] == "front")
USED = by_metrics(lambda told: told["inspire_wasted"] == 0)
SIGHT = "conquest.declare.line-of-sight"

ROWS = (
    Threshold(
        "conquest.declare.not-in-contact",
        "gap to an enemy behind",
        CLEARANCE,
        "in",
        behind(),
        "at least",
    ),
    Threshold(
        "conquest.declare.not-in-contact",
        "gap, chosen",
        0.05,
        "in",
        behind(clearance=0.05),
        "at least",
    ),
    Threshold("conquest.declare.one-target", "targets", 1, "count", targets, "exactly", is_allowed),
    Threshold(SIGHT, "45 degrees: aside of 6 in ahead", 6.0, "in", corner_aside, "at most", SEEN),
    Threshold(
        SIGHT, "half of it not enough", 0.0, "sq in", beyond_the_arc, "at most", broken(SEEN)
    ),
    Threshold(
        SIGHT, "Size of a third regiment, below both", 1, "count", third_of_size, "at most", SEEN
    ),
    Threshold(SIGHT, "height of terrain, below both", 1, "count", wood_of_height, "at most", SEEN),
    Threshold(
        SIGHT,
        "hill below a Size of 1 that looks over 3",
        3,
        "count",
        from_a_hill_of_height,
        "at least",
        SEEN,
    ),
    Threshold(
        SIGHT,
        "overlap with a hill that does not raise",
        0.0,
        "in",
        on_a_hill_by,
        "at most",
        broken(SEEN),
    ),
    Threshold(
        SIGHT,
        "overlap with a wood that still hides",
        0.0,
        "in",
        out_of_a_wood,
        "at most",
        broken(SEEN),
    ),
    Threshold(
        SIGHT,
        "overlap of a wood that may be grazed",
        0.0,
        "in",
        beside_the_last_line,
        "at most",
        SEEN,
    ),
    Threshold(
        "conquest.through.march", "gap to a friend that holds", 0.0, "in", marched_past, "at least"
    ),
    Threshold(
        "conquest.roll",
        "5 + 3 stand, not rolled again",
        8.0,
        "in",
        distant(3, 6, reroll=True),
        "at most",
        keeps_three,
    ),
    Threshold(
        "conquest.charge-distance",
        "March 5 and a three",
        8.0,
        "in",
        distant(6),
        "at most",
        NEEDS_THREE,
    ),
    Threshold(
        "conquest.charge-distance",
        "March 7.5 and a three",
        10.5,
        "in",
        distant(6, march=7.5),
        "at most",
        NEEDS_THREE,
    ),
    Threshold("conquest.range", "5 + 3", 8.0, "in", distant(3), "at most"),
    Threshold(
        "conquest.facing.charged",
        "area of the left more than of the front",
        0.0,
        "sq in",
        half_and_half,
        "at most",
        FRONT,
    ),
    Threshold(
        "conquest.facing.reach",
        "overlap of one stand",
        OVERLAP,
        "in",
        reaching,
        "at least",
        unmeasured(by_ruling),
    ),
    Threshold(
        "conquest.inspire.wasted",
        "actions left that use it",
        1,
        "count",
        actions_left,
        "at least",
        USED,
    ),
)

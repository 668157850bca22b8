"""The worked examples of the rules page: millimetres, the target's front on y = 0, exact numbers."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tabletop.fronts.flush import ContactIntervals, CriticalSlides
from tabletop.geometry.pose import Point, Pose
from tabletop.ruling.verdict import Ruling
from tabletop.table.facing import FacingName, arcs_of, facing_of
from tabletop.table.state import Regiment, Terrain
from tabletop.units import inches
from tests.scenes import (
    box,
    case,
    charge,
    charger,
    metric,
    parts,
    place,
    regiment,
    resolve,
    table,
    target,
)

EXACT = 1e-6


def end_of_a(
    *bodies: Regiment | Terrain, dice: tuple[int, ...] = (6,), **choices: Any
) -> tuple[Ruling, Pose]:
    """Resolve A's charge of T and give the ruling and A's pose afterwards."""
    resolution = resolve(case(table(*bodies), charge(dice=dice), **choices))
    return resolution.rulings[0], resolution.after.units["A"].pose


def slide(bodies: Sequence[Regiment | Terrain], pose: Pose, facing: FacingName) -> float:
    """Return u0 in millimetres of A standing flush on a facing of T."""
    units = {body.name: body for body in bodies if isinstance(body, Regiment)}
    edge = facing_of(units["T"], facing)
    attacker = units["A"]
    return edge.coordinates(attacker.at(pose).front_right)[0] * 25.4


def test_example_1_distance_and_right_flank() -> None:
    """A gap of 3 in by 4 in is 5 in exactly, and equal is enough; four models deep, the flank shows four."""
    bodies = (
        target(files=5, models=20),
        charger((226.2, 101.6), files=5, models=5, charge_speed=0),
    )
    ruling, pose = end_of_a(*bodies, dice=(1,))
    assert ruling.outcome == "success"
    assert ruling.metrics["distance"] == pytest.approx(5.0, abs=1e-12)
    assert ruling.metrics["needed_roll"] == 1
    assert ruling.metrics["target_facing"] == "right"
    assert (
        ruling.metrics["target_models_in_contact"],
        ruling.metrics["charger_models_in_contact"],
    ) == (4, 5)
    assert slide(bodies, pose, "right") == pytest.approx(-10.0, abs=EXACT)
    assert ruling.metrics["offset"] == pytest.approx(0.0, abs=EXACT)
    assert ruling.metrics["leeway"] == pytest.approx(0.787402, abs=EXACT)


def test_example_1_a_millimetre_farther() -> None:
    """One millimetre more needs a two."""
    ruling, _ = end_of_a(
        target(files=5, models=20),
        charger((226.2, 102.6), files=5, models=5, charge_speed=0),
        dice=(1,),
    )
    assert (ruling.outcome, ruling.rule) == ("failed", "t9a.range")
    assert ruling.metrics["distance"] == pytest.approx(5.031552, abs=EXACT)
    assert ruling.metrics["needed_roll"] == 2
    assert ruling.chance_success == Fraction(5, 6)
    assert ruling.metrics["success_chance"] == pytest.approx(5 / 6, abs=1e-12)


def test_example_2_a_corner_is_contact() -> None:
    """Five against five keep all in contact over 40 mm; the longest contact centres the charger."""
    bodies = (target(), charger((80, 150)))
    ruling, pose = end_of_a(*bodies)
    assert (
        ruling.metrics["target_models_in_contact"],
        ruling.metrics["charger_models_in_contact"],
    ) == (5, 5)
    assert ruling.choices == 1
    assert ruling.metrics["leeway"] == pytest.approx(1.574803, abs=EXACT)
    assert pose.at == pytest.approx(place(50, 0), abs=1e-9)


@pytest.mark.parametrize(("files", "choices", "offset"), [(7, 1, 0.0), (8, 2, -0.393701)])
def test_example_3_isolated_best_slides(files: int, choices: int, offset: float) -> None:
    """Five models touch seven only where their corners meet, at single points."""
    bodies = (target(files=files), charger((70, 150)))
    ruling, pose = end_of_a(*bodies)
    assert (
        ruling.metrics["target_models_in_contact"],
        ruling.metrics["charger_models_in_contact"],
    ) == (7, 5)
    assert slide(bodies, pose, "front") == pytest.approx(20.0, abs=EXACT)
    assert ruling.choices == choices
    assert ruling.metrics["leeway"] == 0
    assert ruling.metrics["offset"] == pytest.approx(offset, abs=EXACT)


def test_example_4_two_stretches() -> None:
    """Two stretches are equally good; the one nearer to the start is taken."""
    bodies = (target(files=6), charger((95, 150), files=3, base=(25, 25)))
    ruling, pose = end_of_a(*bodies)
    assert (
        ruling.metrics["target_models_in_contact"],
        ruling.metrics["charger_models_in_contact"],
    ) == (5, 3)
    assert ruling.choices == 2
    assert slide(bodies, pose, "front") == pytest.approx(25.0, abs=EXACT)
    assert ruling.metrics["offset"] == pytest.approx(0.098425, abs=EXACT)
    assert ruling.metrics["leeway"] == pytest.approx(0.590551, abs=EXACT)


def test_example_5_cut_off() -> None:
    """A wall beside the place leaves only slides that clear it."""
    bodies = (target(), charger((20, 150), base=(25, 25)), box((105, 130), (5, 120)))
    ruling, pose = end_of_a(*bodies)
    assert (
        ruling.metrics["target_models_in_contact"],
        ruling.metrics["charger_models_in_contact"],
    ) == (5, 5)
    assert slide(bodies, pose, "front") == pytest.approx(-20.0254, abs=2e-5)
    assert ruling.metrics["offset"] == pytest.approx(-0.296276, abs=EXACT)
    assert ruling.metrics["leeway"] == pytest.approx(0.195850, abs=EXACT)


@pytest.mark.parametrize(
    ("contact", "models", "stretch"),
    [(0.0, (6, 5), (0.0, 0.0)), (19.0, (6, 5), (0.0, 19.0)), (20.0, (7, 5), (20.0, 20.0))],
)
def test_example_6_align_alone(contact: float, models: tuple[int, int], stretch: Point) -> None:
    """From one point of contact, five 20 mm models slide along twenty: the best stretch depends on the point."""
    line = np.array([[20.0 * number, 20.0 * (number + 1)] for number in range(20)]) / 25.4
    lineup = ContactIntervals(line, line[:5], np.zeros(20))
    best = CriticalSlides.of(
        [(inches(contact - 100), inches(contact))],
        lineup.breakpoints(),
        lambda slides: (lineup.shown_in_contact(slides), lineup.front_in_contact(slides)),
    ).best()
    assert list(best.values) == list(models)
    assert best.stretches[0] == pytest.approx([inches(end) for end in stretch], abs=1e-9)
    assert len(best.stretches) == 1


def test_example_6_the_better_contact_is_compulsory() -> None:
    """Where contacts at 0 and at 20 mm can be made, only the one at 20 mm gives seven."""
    line = np.array([[20.0 * number, 20.0 * (number + 1)] for number in range(20)]) / 25.4
    lineup = ContactIntervals(line, line[:5], np.zeros(20))
    places = [(inches(-100), inches(0)), (inches(-80), inches(20))]
    best = CriticalSlides.of(
        places,
        lineup.breakpoints(),
        lambda slides: (lineup.shown_in_contact(slides), lineup.front_in_contact(slides)),
    ).best()
    assert list(best.values) == [7, 5]
    assert [value for end in best.stretches for value in end] == pytest.approx(
        [inches(20)] * 2, abs=1e-9
    )


def test_example_7_snaking_move() -> None:
    """One inch, a right wheel of 30 degrees, two inches: both corners to six digits."""
    block = regiment("A", (0, 0), files=4, base=(25.4, 25.4)).at(Pose(-2.0, 0.0, math.radians(90)))
    moved = block.at(
        block.pose.advanced(1.0).wheeled("right", math.radians(30), width=4.0).advanced(2.0)
    )
    assert moved.front_right == pytest.approx((1.0, 2.732051), abs=EXACT)
    assert moved.front_left == pytest.approx((-2.464102, 4.732051), abs=EXACT)


@pytest.mark.parametrize(
    ("files", "aim", "defender", "expected"),
    [
        (
            4,
            (6, 8),
            {"files": 1, "models": 1, "heading": 270},
            (48.406857, 4 * (0.6 * math.sqrt(0.96) + 0.16), 4 - 4 * (0.6 * math.sqrt(0.96) + 0.16)),
        ),
        (
            4,
            (10, 0),
            {"files": 21, "models": 21, "heading": 180, "base": (25.4, 25.4)},
            (90.0, 4.0, 0.0),
        ),
        (
            8,
            (6, 8),
            {"files": 5, "models": 5, "heading": 270, "base": (25.4, 25.4)},
            (30.0, 4.0, 0.0),
        ),
    ],
)
def test_example_7_failed_charges(
    files: int, aim: Point, defender: dict[str, Any], expected: tuple[float, float, float]
) -> None:
    """A failed charge wheels towards the middle of the facing and spends what is left of its 4 inches ahead."""
    attacker = regiment(
        "A", (-12.7 * files, 0), side="blue", files=files, base=(25.4, 25.4), charge_speed=0
    )
    goal = regiment("T", (25.4 * aim[0], 25.4 * aim[1]), **defender)
    ruling, pose = end_of_a(goal, attacker, dice=(1,))
    wheel, used, forward = expected
    assert (ruling.outcome, ruling.rule) == ("failed", "t9a.range")
    assert ruling.metrics["target_facing"] == "front"
    assert ruling.metrics["wheel_angle_deg"] == pytest.approx(wheel, abs=EXACT)
    assert ruling.metrics["moved"] == pytest.approx(4.0, abs=EXACT)
    lengths = {step.kind: step.length for step in parts(ruling)}
    assert lengths["wheel"] == pytest.approx(used, abs=EXACT)
    assert lengths.get("forward", 0.0) == pytest.approx(forward, abs=EXACT)
    ended = attacker.pose.wheeled("right", math.radians(wheel), width=attacker.width).advanced(
        forward
    )
    assert (*pose.at, pose.heading) == pytest.approx((*ended.at, ended.heading), abs=EXACT)


def test_example_8_over_gaps() -> None:
    """Five files with one model in the rear rank: four models in contact, three of them over empty places."""
    bodies = (target(models=6), charger((50, -140), heading=90, files=2, base=(25, 25)))
    ruling, pose = end_of_a(*bodies)
    assert ruling.metrics["target_facing"] == "rear"
    assert (
        ruling.metrics["target_models_in_contact"],
        ruling.metrics["charger_models_in_contact"],
    ) == (4, 2)
    assert slide(bodies, pose, "rear") == pytest.approx(20.0, abs=EXACT)
    assert ruling.choices == 2
    assert ruling.metrics["offset"] == pytest.approx(-0.196850, abs=EXACT)
    assert ruling.metrics["leeway"] == pytest.approx(0.393701, abs=EXACT)


def test_example_10_combined_charge() -> None:
    """Three chargers of one target stand side by side, the outer two by a corner each."""
    state = table(
        target(),
        regiment("A", (-120, 200), side="blue", heading=300, files=3, base=(25, 25)),
        regiment("B", (50, 150), side="blue", heading=270),
        regiment("D", (220, 200), side="blue", heading=240, files=3, base=(25, 25)),
    )
    resolution = resolve(case(state, *(charge(name) for name in "ABD")))
    edge = facing_of(state.units["T"], "front")
    assert [ruling.outcome for ruling in resolution.rulings] == ["success"] * 3
    assert [
        edge.coordinates(resolution.after.units[name].front_right)[0] * 25.4 for name in "ABD"
    ] == pytest.approx([-75, 0, 100], abs=EXACT)
    totals = {
        (
            metric(ruling, "total_target_models_in_contact"),
            metric(ruling, "total_charger_models_in_contact"),
        )
        for ruling in resolution.rulings
    }
    assert totals == {(5, 7)}


@pytest.mark.parametrize(("x", "is_seen"), [(200.0, True), (200.1, False)])
def test_example_11_sight_at_45_degrees(x: float, is_seen: bool) -> None:
    """The nearest corner is seen at 45 degrees exactly, and not a tenth of a millimetre farther aside."""
    ruling, _ = end_of_a(
        regiment("T", (x, 75), heading=270, files=4, models=4, base=(25, 25)),
        charger((0, 0), heading=90, files=4, base=(25, 25)),
    )
    assert (ruling.rule == "t9a.declare.line-of-sight") is not is_seen
    assert (ruling.outcome == "not_allowed") is not is_seen


@pytest.mark.parametrize(
    ("point", "arcs"),
    [
        ((60, 60), ("front",)),
        ((70, 60), ("front", "right")),
        ((71, 60), ("right",)),
        ((0, -41), ("rear",)),
        ((-120, -50), ("left",)),
    ],
)
def test_example_12_arcs(point: Point, arcs: tuple[str, ...]) -> None:
    """Arcs leave the corners at 135 degrees to both facings, whatever the shape of the block."""
    defender = target(files=5, models=20, at=(0, 40))
    assert arcs_of(defender, place(*point)) == arcs

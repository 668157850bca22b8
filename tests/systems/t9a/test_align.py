"""The align move: what must hold, what is served in which order, what is left to the owner."""

import math
from typing import Any

import pytest

from tabletop.ruling.verdict import Ruling
from tabletop.table.facing import facing_of
from tabletop.table.state import Regiment, Terrain
from tests.scenes import (
    box,
    case,
    charger,
    finding,
    metric,
    place,
    regiment,
    resolve,
    table,
    target,
)


def outcome(*bodies: Regiment | Terrain, **choices: Any) -> tuple[Ruling, float]:
    """Resolve A's charge of T; give the ruling and u0 in millimetres on the facing taken."""
    resolution = resolve(case(table(*bodies), **choices))
    ruling = resolution.rulings[0]
    after = resolution.after.units
    return ruling, facing_of(after["T"], metric(ruling, "target_facing")).coordinates(
        after["A"].front_right
    )[0] * 25.4


def models(ruling: Ruling) -> Any:
    """Return (target models, charger models) in contact."""
    return ruling.metrics["target_models_in_contact"], ruling.metrics["charger_models_in_contact"]


def through_a_gap(x: float) -> tuple[Regiment | Terrain, ...]:
    """Make five files charge twenty through a gap in a wall at x to x + 102 mm."""
    walls = box((-900, x), (60, 80), name="left"), box((x + 102, 900), (60, 80), name="right")
    return (target(files=20), charger((x + 51, 150)), *walls)


def test_align_place() -> None:
    """The unit is picked up: the align step goes from the first contact to the final place, free of what lies
    between.
    """
    ruling, _ = outcome(target(), charger((120, 150), heading=255))
    step = ruling.steps[-1]
    assert step.kind == "align"
    assert step.start == ruling.steps[-2].end
    assert finding(ruling, "t9a.align.place").ok


def test_align_initial_contact() -> None:
    """The final front keeps a point of initial contact: who can land only at one end of a line slides no farther than
    that.
    """
    ruling, u0 = outcome(*through_a_gap(300))
    low = min(point[0] for point in ruling.evidence.contacts)
    high = max(point[0] for point in ruling.evidence.contacts)
    left = (place(u0, 0)[0], place(u0 + 100, 0)[0])
    assert left[0] <= high + 1e-6
    assert left[1] >= low - 1e-6
    assert finding(ruling, "t9a.align.initial-contact").ok


def test_align_line_contact() -> None:
    """Square to the facing, a whole line is met, and any point of it may be kept."""
    ruling, u0 = outcome(target(files=7), charger((70, 150)))
    assert finding(ruling, "t9a.align.line-contact").ok
    assert u0 == pytest.approx(20, abs=1e-6)


def test_align_flush() -> None:
    """The front ends flush against the facing, whatever the headings were."""
    resolution = resolve(case(table(target(heading=67.0), charger((120, 150), heading=255))))
    ruling = resolution.rulings[0]
    units = resolution.after.units
    assert math.remainder(
        units["A"].pose.heading - units["T"].pose.heading - math.pi, math.tau
    ) == pytest.approx(0.0, abs=1e-7)
    assert ruling.metrics["remaining_angle_deg"] == 0
    assert finding(ruling, "t9a.align.flush").ok


def test_align_target_models() -> None:
    """Most target models count first: seven touched by corners are worth more than a long front."""
    ruling, _ = outcome(target(files=7), charger((70, 150)))
    assert models(ruling) == (7, 5)
    assert finding(ruling, "t9a.align.target-models").measured == 7


def test_align_charger_models() -> None:
    """Then most of the charger's own: eight files against five fight with as many as can stand there."""
    ruling, u0 = outcome(target(), charger((50, 150), files=8))
    assert models(ruling) == (5, 7)
    assert u0 == pytest.approx(-20, abs=1e-6) or u0 == pytest.approx(-40, abs=1e-6)
    assert finding(ruling, "t9a.align.charger-models").measured == 7


def test_align_gaps() -> None:
    """Models behind empty places count as if they stood on the boundary."""
    ruling, _ = outcome(target(models=6), charger((50, -140), heading=90, files=2, base=(25, 25)))
    assert models(ruling) == (4, 2)
    assert finding(ruling, "t9a.align.gaps").ok


def test_align_gaps_by_a_common_length() -> None:
    """With the other reading a set-back model needs more than a corner."""
    bodies = (target(models=6), charger((50, -140), heading=90, files=2, base=(20, 20)))
    grazing, sharing = (outcome(*bodies, gap_graze=choice)[0] for choice in (True, False))
    assert models(grazing) == (4, 2)
    assert models(sharing) == (3, 2)


def test_align_priority() -> None:
    """No number of own models is worth one target model: the only place with seven leaves a file of the charger out."""
    ruling, _ = outcome(target(files=3, base=(40, 40)), charger((60, 150), files=5))
    assert models(ruling)[0] == 3
    assert finding(ruling, "t9a.align.priority").ok


def test_align_serve() -> None:
    """Among all moves one must be made whose contact serves the goals best, though straight ahead would give fewer."""
    ruling, u0 = outcome(target(files=20), charger((60, 150)))
    assert models(ruling) == (7, 5)
    assert u0 == pytest.approx(140, abs=1e-6)
    assert ruling.choices == 14
    assert finding(ruling, "t9a.align.serve").ok


@pytest.mark.parametrize(
    ("tie", "u0"), [("longest-contact", 140.0), ("centre", 140.0), ("least-slide", 20.0)]
)
def test_align_free_choice(tie: str, u0: float) -> None:
    """Among equally good places the named choice decides."""
    ruling, taken = outcome(target(files=20), charger((60, 150)), tie=tie)
    assert taken == pytest.approx(u0, abs=1e-6)
    assert finding(ruling, "t9a.align.free-choice").ok


def test_align_free_choice_of_the_middle() -> None:
    """Centred may be shorter than longest: three files against a row of two deep ranks end differently by choice."""
    bodies = (target(files=3, base=(25, 25)), charger((80, 150), files=2, base=(60, 60)))
    longest, centred = (outcome(*bodies, tie=choice) for choice in ("longest-contact", "centre"))
    assert metric(longest[0], "contact_length") >= metric(centred[0], "contact_length")
    assert abs(metric(centred[0], "offset")) <= abs(metric(longest[0], "offset"))


def test_align_leeway_of_a_stretch() -> None:
    """The leeway is the length of the stretch of equally good slides around the one taken."""
    ruling, _ = outcome(target(), charger((80, 150)))
    assert ruling.metrics["leeway"] == pytest.approx(40 / 25.4, abs=1e-6)


@pytest.mark.parametrize(("slack", "counted"), [(0.0, 6), (0.02, 7)])
def test_align_contact_slack(slack: float, counted: int) -> None:
    """With slack, models a hair apart still count as meeting: a wall takes the exact place, not the one by hand."""
    wall = box((119.7, 170), (2, 60))
    assert (
        models(outcome(target(files=7), charger((70, 150)), wall, contact_slack=slack)[0])[0]
        == counted
    )


@pytest.mark.parametrize("corners", ["both", "neither"])
def test_align_corners_of_the_facing(corners: str) -> None:
    """Whether an end point of a facing belongs to it: only where it is the sole contact does the reading matter."""
    ruling, u0 = outcome(*through_a_gap(300), corners=corners)
    assert models(ruling) == (7, 5)
    assert u0 % 20 == pytest.approx(0.0, abs=1e-5) or u0 % 20 == pytest.approx(20.0, abs=1e-5)


def test_align_skirmishers_stand_apart() -> None:
    """Skirmishers have 12.5 mm between models: five of 20 mm are 150 mm wide, and the spaces are no contact."""
    loose = regiment("A", (75, 150), side="blue", heading=270, skirmish=True)
    ruling, _ = outcome(target(files=3), loose)
    assert loose.width * 25.4 == pytest.approx(150)
    assert models(ruling) == (3, 3)

"""What is in the way: enemies, garrisons, impassable terrain, friends that hold their ground, the board's edge, the
distance.
"""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from tabletop.ruling.verdict import Ruling
from tests.tables import Entry, box, charger, finding, has_finding, rule_on, unit

LEAST: dict[str, Any] = {"wheel_policy": "least-turn"}
AHEAD = {"B": unit((20, 18), 270)}
ACROSS = (box((10, 30), (13, 14)),)
"""A wall across every way to the target."""


def straight(
    units: dict[str, Entry] | None = None, terrain: Sequence[Entry] = (), **rest: Any
) -> Ruling:
    """Rule on A's charge of B straight ahead with something beside the lane, whose edges are x = 17 and x = 23."""
    return rule_on({**AHEAD, **(units or {})}, terrain, **LEAST, **rest)


def is_straight(ruling: Ruling) -> bool:
    """Return whether the charge goes straight ahead, without a wheel."""
    return ruling.outcome == "success" and ruling.metrics["wheel_deg"] == 0


def test_path_enemy_fails() -> None:
    """Where every way meets another enemy the charge fails by it."""
    ruling = straight({"A": charger(size=2), "X": unit((20, 13), 90, 12)})
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.enemy")
    assert not finding(ruling, "conquest.path.enemy").ok


def test_path_garrison_fails() -> None:
    """Where every way meets another garrison the charge fails by it."""
    ruling = straight(
        {"A": charger(size=3)}, [box((10, 30), (13, 14), kind="garrison", name="hut")]
    )
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.garrison")


@pytest.mark.parametrize(
    "hut", [((23, 25), (9, 10)), ((23, 25), (8.5, 9.5)), ((19, 21), (6, 8)), ((14, 17), (5, 8))]
)
def test_path_garrison_fails_beside_one(
    hut: tuple[tuple[float, float], tuple[float, float]],
) -> None:
    """A charger that touches another garrison does not keep its gap to it, wherever it goes: beside its flank, rear or
    corner.
    """
    ruling = straight(terrain=[box(*hut, kind="garrison", name="hut")])
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.garrison")
    broken = finding(ruling, "conquest.path.garrison")
    assert (broken.ok, broken.measured) == (False, pytest.approx(0.0, abs=1e-12))


def test_path_impassable_beside() -> None:
    """Impassable terrain may be touched, also where the charger stands already."""
    assert is_straight(straight(terrain=[box((23, 25), (8, 10), kind="impassable")]))


def test_path_impassable_fails() -> None:
    """Where every way meets impassable terrain the charge fails by it."""
    ruling = straight(terrain=ACROSS)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.impassable")


@pytest.mark.parametrize("kind", ["forest", "hill", "open"])
def test_path_through_other_terrain(kind: str) -> None:
    """Nothing else stands in the way."""
    assert is_straight(straight({"A": charger(size=9)}, [box((10, 30), (13, 14), kind=kind)]))


def test_path_friend_fails() -> None:
    """Where every way meets such a friend the charge fails by it."""
    held = {
        "A": charger(size=2),
        "F": unit((20, 14), 90, 10, side="blue"),
        "X": unit((31, 14), 90, 1),
    }
    ruling = straight(held)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.friend")


def test_path_board_fails() -> None:
    """A charger whose flank lies along the edge of the board cannot wheel towards the other side at all."""
    ruling = rule_on({"A": charger((3, 10)), "B": unit((11, 18), 270)}, dice=(4,), **LEAST)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.board")


def test_move_straight() -> None:
    """After the wheel the charger keeps its heading until it meets the target."""
    ruling = rule_on({"B": unit((28, 18), 270)}, dice=(4,), **LEAST)
    (step,) = [step for step in ruling.steps if step.kind == "advance"]
    assert step.start is not None
    assert step.end is not None
    assert step.end.heading == step.start.heading
    assert step.length == pytest.approx(math.dist(step.start.at, step.end.at))
    assert has_finding(ruling, "conquest.move.straight")


WALLS = (box((15, 17), (4, 13), name="west"), box((23, 25), (4, 13), name="east"))
SLANTED = {"B": unit((23, 18), 225, 8)}
"""Between walls only straight ahead is left: eight inches, though the slanted target is sqrt(32) in away."""


def test_move_charge_distance_fails() -> None:
    """In range, but farther along the only way there is."""
    ruling = rule_on(SLANTED, WALLS, dice=(1,), **LEAST)
    assert ruling.metrics["distance"] == pytest.approx(math.sqrt(32), abs=1e-9)
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.move.charge-distance")
    said = finding(ruling, "conquest.move.charge-distance")
    assert (said.measured, said.limit, said.margin) == pytest.approx((8, 6, -2), abs=1e-6)


def test_move_charge_distance_if_the_roll_decides() -> None:
    """With the other reading a roll that reaches is enough, however long the way."""
    ruling = rule_on(SLANTED, WALLS, dice=(1,), reach="roll-decides", **LEAST)
    assert ruling.outcome == "success"
    assert ruling.metrics["advance"] == pytest.approx(8.0, abs=1e-6)


def test_near_inch() -> None:
    """Coming within an inch of others is no fault; the least gap is told."""
    ruling = straight({"X": unit((24.4, 14), 270, 1)})
    assert ruling.outcome == "success"
    said = finding(ruling, "conquest.near.inch")
    assert said.ok
    assert said.measured == pytest.approx(0.4, abs=1e-6)
    assert ruling.metrics["nearest_other"] == pytest.approx(0.4, abs=1e-6)


@pytest.mark.parametrize(("gap", "is_free"), [(1e-3, True), (0.0, False)])
def test_near_no_contact(gap: float, is_free: bool) -> None:
    """The charger ends in contact with nobody else: a garrison beside its place is kept away from."""
    ruling = straight(terrain=[box((23 + gap, 25), (16.5, 20), kind="garrison", name="hut")])
    assert is_straight(ruling) is is_free
    if ruling.outcome == "success":
        assert finding(ruling, "conquest.near.no-contact").ok
        assert ruling.metrics["nearest_other"] >= 0.001 - 1e-6


def test_terrain_of_as_many_corners_as_there_may_be() -> None:
    """Beside the contact, a polygon of 2,000 corners stops a charger where the circle does that it follows."""
    angles = [2.0 * math.pi * number / 2000 for number in range(2000)]
    corners = [[25.6 + 2.0 * math.cos(angle), 16.0 + 2.0 * math.sin(angle)] for angle in angles]
    pieces = ({"polygon": corners}, {"circle": {"centre": [25.6, 16.0], "radius": 2.0}})
    found = [
        rule_on(
            {"B": unit((21, 18), 262)}, [{"name": "rock", "kind": "impassable", **piece}], dice=(6,)
        )
        for piece in pieces
    ]
    assert [ruling.outcome for ruling in found] == ["success", "success"]
    assert found[0].metrics["wheel_deg"] == pytest.approx(found[1].metrics["wheel_deg"], abs=0.01)
    assert found[0].metrics["contact_length"] == pytest.approx(
        found[1].metrics["contact_length"], abs=1e-3
    )

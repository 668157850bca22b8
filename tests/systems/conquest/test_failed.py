"""The failed charge: how far it goes, where to, where it halts, and what it loses."""

import math
from collections.abc import Sequence
from typing import Any

import pytest

from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tests.tables import Entry, box, case, charger, end, finding, resolve, unit

FAR = {"B": unit((20, 30), 270)}


def failed(
    units: dict[str, Entry] | None = None,
    terrain: Sequence[Entry] = (),
    *,
    dice: tuple[int, ...] = (5,),
    **rest: Any,
) -> Case:
    """Return a charge that falls short of a target straight ahead."""
    return case({**FAR, **(units or {})}, terrain, dice=dice, **rest)


def moved(question: Case) -> float:
    """Return the length of the failed move."""
    ruling: Ruling = resolve(question).rulings[0]
    assert ruling.outcome == "failed"
    length: float = ruling.metrics["failed_move"]
    return length


@pytest.mark.parametrize("face", [1, 3, 6])
def test_failed_move(face: int) -> None:
    """The charger slides the face kept straight at the target."""
    question = failed(dice=(face,))
    assert moved(question) == pytest.approx(face)
    assert end(question).at == pytest.approx((20, 10 + face), abs=2e-6)
    ruling = resolve(question).rulings[0]
    assert finding(ruling, "conquest.failed.move").measured == pytest.approx(face)
    assert [step.kind for step in ruling.steps][-1] == "failed_move"


@pytest.mark.parametrize(
    ("direction", "heading"), [("nearest", math.atan2(16, 12)), ("ahead", math.pi / 2)]
)
def test_failed_move_direction(direction: str, heading: float) -> None:
    """Along the shortest line to the target, without turning; or straight ahead, by choice."""
    question = case({"B": unit((38, 26), 270)}, dice=(5,), failed_direction=direction)
    pose = end(question)
    assert pose.at == pytest.approx(
        (20 + 5 * math.cos(heading), 10 + 5 * math.sin(heading)), abs=2e-6
    )
    assert math.degrees(pose.heading) == pytest.approx(90)


@pytest.mark.parametrize(
    ("front", "length"),
    [(16.5, 5.0), (16.0, 5.0), (15.5, 4.5), (13.0, 2.0), (11.0, 0.0), (10.5, 0.0)],
)
def test_failed_halt(front: float, length: float) -> None:
    """It halts an inch before enemies; nearer ones than that at the start are not come nearer to."""
    assert moved(failed({"A": charger(size=2), "X": unit((20, front), 270)})) == pytest.approx(
        length, abs=2e-6
    )


def test_failed_halt_before_its_target() -> None:
    """The target itself halts it too: a wall leaves no way, and the roll would carry it into contact."""
    question = case(
        {"B": unit((20, 14), 270)},
        [box((17, 18), (13, 13.5))],
        dice=(6,),
        failed_impassable="contact",
    )
    ruling = resolve(question).rulings[0]
    assert (ruling.outcome, ruling.rule) == ("failed", "conquest.path.impassable")
    assert moved(question) == pytest.approx(3.0, abs=2e-6)


@pytest.mark.parametrize(
    ("kind", "choice", "length"),
    [("impassable", "inch", 2.0), ("impassable", "contact", 3.0), ("garrison", "contact", 2.0)],
)
def test_failed_halt_before_terrain(kind: str, choice: str, length: float) -> None:
    """It halts an inch before garrisons, and before impassable terrain an inch or at contact, by choice."""
    question = failed(
        {"A": charger(size=5)}, [box((10, 30), (13, 14), kind=kind)], failed_impassable=choice
    )
    assert moved(question) == pytest.approx(length, abs=2e-6)


@pytest.mark.parametrize("held", [True, False])
def test_failed_halt_at_a_friend_that_holds(held: bool) -> None:
    """A friend in contact with an enemy is not overlapped: it slides until they touch; any other may be crossed."""
    units = {
        "A": charger(size=2),
        "F": unit((22, 13), 90, 3, side="blue"),
        "X": unit((26 if held else 30, 13), 90, 1),
    }
    assert moved(failed(units, dice=(6,))) == pytest.approx(1.0 if held else 6.0, abs=2e-6)


def test_failed_halt_at_the_edge_of_the_board() -> None:
    """It stays on the board: half-right ahead, its right end meets the edge first."""
    units = {"A": charger((66, 20), 45), "B": unit((66, 40), 270)}
    question = case(units, dice=(6,), failed_direction="ahead")
    assert moved(question) == pytest.approx((72 - 66) * math.sqrt(2) - 3, abs=2e-6)


def test_failed_halt_says_how_near() -> None:
    """The finding gives the least gap that was kept, an inch."""
    said = finding(
        resolve(failed({"A": charger(size=2), "X": unit((20, 14), 270)})).rulings[0],
        "conquest.failed.halt",
    )
    assert said.ok
    assert said.limit == pytest.approx(1.0)
    assert said.measured == pytest.approx(1.0, abs=2e-6)


def test_failed_actions() -> None:
    """All remaining actions are lost: the regiment is done."""
    resolution = resolve(failed())
    assert resolution.after.units["A"].status == ("done",)
    assert finding(resolution.rulings[0], "conquest.failed.actions").ok


def test_failed_ruling_tells_what_it_must() -> None:
    """A failed ruling has the roll, the areas, the facing, the move and the Broken; no metric of a completed charge."""
    ruling = resolve(failed()).rulings[0]
    assert set(ruling.metrics) == {
        "distance",
        "roll",
        "charge_distance",
        "chance_roll",
        "chance_roll_fraction",
        "area_front",
        "area_right",
        "area_rear",
        "area_left",
        "charged_facing",
        "charged_normal_deg",
        "failed_move",
        "broken",
    }
    assert ruling.choices == 0

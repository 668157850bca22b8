"""Declaring a charge: every refusal, every reason of a refusal, and what hides a target."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.tables import Entry, box, case, charger, finding, has_finding, resolve, rule_on, unit

AHEAD = {"B": unit((20, 18), 270)}


def refusal(units: dict[str, Entry], terrain: Sequence[Entry] = (), **rest: Any) -> str | None:
    """Return the rule by which A's charge may not be declared; None if it may."""
    ruling = rule_on(units, terrain, **rest)
    return ruling.rule if ruling.outcome == "not_allowed" else None


def test_declare_actions_after_a_failed_charge() -> None:
    """A regiment that has lost its actions declares no charge."""
    assert refusal({"A": charger(status=["done"]), **AHEAD}) == "conquest.declare.actions"


@pytest.mark.parametrize(
    ("choice", "rule"), [("allowed", None), ("barred", "conquest.declare.actions")]
)
def test_declare_actions_of_a_broken_regiment(choice: str, rule: str | None) -> None:
    """Whether a Broken regiment may declare a charge is a choice."""
    assert refusal({"A": charger(status=["broken"]), **AHEAD}, broken=choice) == rule


def test_declare_actions_by_an_earlier_entry() -> None:
    """Who failed its charge earlier in the file is done."""
    question = case({"B": unit((20, 30), 270)}, dice=(1,))
    twice = resolve(replace(question, charges=question.charges * 2))
    assert [ruling.rule for ruling in twice.rulings] == [
        "conquest.range",
        "conquest.declare.actions",
    ]


def test_declare_reinforcement() -> None:
    """A regiment does not charge on the turn of its arrival."""
    assert (
        refusal({"A": charger(status=["reinforcement"]), **AHEAD})
        == "conquest.declare.reinforcement"
    )


def test_declare_not_in_contact_means_enemies() -> None:
    """Touching a friend holds nobody."""
    assert refusal({**AHEAD, "X": unit((20, 8), 90, side="blue")}) is None


def test_declare_one_target() -> None:
    """A charge of two targets is refused, and says by how many they are too many."""
    units = {**AHEAD, "C": unit((28, 18), 270)}
    assert refusal(units, target=["B", "C"]) == "conquest.declare.one-target"
    found = finding(rule_on(units, target=["B", "C"]), "conquest.declare.one-target")
    assert (found.measured, found.limit, found.margin) == (2, 1, -1)


def test_declare_enemy() -> None:
    """Nobody charges friends."""
    assert refusal({"B": unit((20, 18), 270, side="blue")}) == "conquest.declare.enemy"


def test_declare_enemy_in_a_garrison() -> None:
    """A garrison may be charged: an enemy is held to be inside."""
    assert refusal({}, [box((17, 23), (18, 21), kind="garrison", name="B")]) is None


@pytest.mark.parametrize(
    ("x", "choice", "is_seen"), [(29, "any", True), (29, "most", False), (26, "most", True)]
)
def test_declare_line_of_sight_by_part_of_the_target(x: float, choice: str, is_seen: bool) -> None:
    """Any part of the target in the front arc, or more than half of it."""
    decided = refusal({"A": charger(march=20), "B": unit((x, 14), 270, 1)}, front_arc=choice)
    assert (decided != "conquest.declare.line-of-sight") is is_seen


def screened(mine: int, theirs: int, third: int, **rest: Any) -> str | None:
    """Rule on a charge at a target behind a line of enemies, with three Sizes."""
    units = {
        "A": charger(size=mine),
        "B": unit((20, 18), 270, size=theirs),
        "E": unit((20, 14), 90, 20, size=third),
    }
    return refusal(units, **rest)


@pytest.mark.parametrize(
    ("sizes", "is_seen"),
    [
        ((1, 1, 1), False),
        ((1, 1, 0), True),
        ((2, 1, 1), True),
        ((1, 2, 1), True),
        ((2, 1, 2), False),
        ((0, 0, 0), False),
    ],
)
def test_declare_line_of_sight_past_regiments(sizes: tuple[int, int, int], is_seen: bool) -> None:
    """A third regiment hides the target if it is as big as both; Sizes are the charger's, the target's, its own."""
    assert (screened(*sizes) != "conquest.declare.line-of-sight") is is_seen


@pytest.mark.parametrize(("choice", "is_seen"), [("both", True), ("charger", False)])
def test_declare_line_of_sight_with_the_charger_s_size_alone(choice: str, is_seen: bool) -> None:
    """With the other reading it is enough to be as big as the charger."""
    assert (screened(1, 2, 1, sight_size=choice) != "conquest.declare.line-of-sight") is is_seen


@pytest.mark.parametrize(
    ("kind", "height", "is_seen"),
    [
        ("forest", None, False),
        ("forest", 0, True),
        ("hill", None, False),
        ("garrison", None, False),
        ("garrison", 1, True),
        ("impassable", None, True),
        ("impassable", 2, False),
        ("open", None, True),
    ],
)
def test_declare_line_of_sight_past_terrain(kind: str, height: int | None, is_seen: bool) -> None:
    """Terrain hides by its height, which each kind has by default: forest 3, hill and garrison 2, impassable none."""
    wood = box(
        (0, 40), (13, 14), kind=kind, name="wood", **({} if height is None else {"height": height})
    )
    decided = refusal({"A": charger(size=2), "B": unit((20, 18), 270, size=2)}, [wood])
    assert (decided != "conquest.declare.line-of-sight") is is_seen


def test_declare_line_of_sight_past_terrain_tells_how_far_it_is_clear() -> None:
    """The shortest line is 8 in long, and a wood begins after 3 in of it."""
    wood = box((0, 40), (13, 14), kind="forest", name="wood")
    found = finding(
        rule_on({"A": charger(), "B": unit((20, 18), 270)}, [wood]),
        "conquest.declare.line-of-sight",
    )
    assert (found.measured, found.limit, found.margin) == pytest.approx((3.0, 8.0, -5.0))


@pytest.mark.parametrize("y", [(9.5, 13), (14, 18.5)])
def test_declare_line_of_sight_from_within_terrain(y: tuple[float, float]) -> None:
    """Terrain that charger or target overlaps does not hide."""
    assert refusal(AHEAD, [box((0, 40), y, kind="forest", name="wood")]) is None


@pytest.mark.parametrize(("height", "is_seen"), [(2, True), (3, False)])
def test_declare_line_of_sight_from_a_hill(height: int, is_seen: bool) -> None:
    """A regiment on a hill adds its height: Size 1 on a hill of 2 looks over what is less than 3."""
    hill = box((16, 24), (7, 9), kind="hill", name="hill")
    wood = box((0, 40), (13, 14), kind="forest", name="wood", height=height)
    assert (refusal(AHEAD, [hill, wood]) != "conquest.declare.line-of-sight") is is_seen


@pytest.mark.parametrize(("slit", "is_seen"), [((19.9, 20.1), True), ((20.45, 20.55), False)])
def test_declare_line_of_sight_between_middles(slit: tuple[float, float], is_seen: bool) -> None:
    """Lines run from middles of front edges to middles of edges; a slit none of them passes hides the target."""
    woods = [
        box((0, slit[0]), (13, 14), kind="forest", name="one"),
        box((slit[1], 40), (13, 14), kind="forest", name="two"),
    ]
    assert (refusal(AHEAD, woods) != "conquest.declare.line-of-sight") is is_seen


@pytest.mark.parametrize(("stands", "is_seen"), [(5, True), (6, False)])
def test_declare_line_of_sight_to_a_centred_rear_rank(stands: int, is_seen: bool) -> None:
    """Two stands behind three stand half a file off them: the middle of their rear edges shows where no other middle
    does.
    """
    woods = [
        box((0, 19.45), (13, 14), kind="forest", name="one"),
        box((19.64, 40), (13, 14), kind="forest", name="two"),
    ]
    decided = refusal({"B": unit((20, 22), 90, 3, stands=stands)}, woods)
    assert (decided != "conquest.declare.line-of-sight") is is_seen


def test_declare_line_of_sight_to_a_garrison() -> None:
    """A garrison's own height counts as the target's Size: what is lower does not hide it."""
    units = {"E": unit((20, 14), 90, 20, size=1)}
    assert refusal(units, [box((17, 23), (18, 21), kind="garrison", name="B")]) is None


def test_through_march_of_a_free_friend() -> None:
    """A friend that no enemy touches may be crossed by the March before the charge."""
    units = {"A": charger(files=1), **AHEAD, "F": unit((21, 7), 90, 1, side="blue")}
    ruling = rule_on(units, charge={"marched": 6})
    assert finding(ruling, "conquest.through.march").ok


def test_declare_gives_every_reason() -> None:
    """A refusal collects all broken rules; the first in the rules' order decides."""
    ruling = rule_on(
        {"A": charger(status=["done", "reinforcement"]), "B": unit((20, 2), 270)}, dice=(6,)
    )
    broken = [item.rule for item in ruling.findings if not item.ok]
    assert broken == [
        "conquest.declare.actions",
        "conquest.declare.reinforcement",
        "conquest.declare.line-of-sight",
    ]
    assert ruling.rule == "conquest.declare.actions"


def test_declare_lists_rules_that_did_not_bind() -> None:
    """An allowed charge shows every rule of declaring as kept."""
    ruling = rule_on(AHEAD)
    names = ("actions", "reinforcement", "not-in-contact", "one-target", "enemy", "line-of-sight")
    assert all(finding(ruling, f"conquest.declare.{name}").ok for name in names)


def test_a_refused_charge_moves_nothing_and_rolls_nothing() -> None:
    """What is refused stays where it is, whatever faces stand in the file, and only the distance and chance are
    told.
    """
    question = case({"A": charger(status=["done"]), **AHEAD}, dice=None)
    resolution = resolve(question, flat=())
    ruling = resolution.rulings[0]
    assert resolution.after == resolution.before
    assert set(ruling.metrics) == {"distance", "roll_needed", "chance_roll", "chance_roll_fraction"}
    assert ruling.chance_success == 0
    assert ruling.shortest_roll is None
    assert not has_finding(ruling, "conquest.range")


def test_contact_only_by_charge() -> None:
    """Whatever comes of a charge, contact with an enemy comes only of completing one."""
    for dice in ((3,), (2,)):
        ruling = rule_on(AHEAD, dice=dice)
        assert finding(ruling, "conquest.contact.only-by-charge").ok

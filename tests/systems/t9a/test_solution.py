"""Blocked Path: when other facings are opened, and which."""

import pytest

from systems.t9a.book import Book
from systems.t9a.scene import Scene
from systems.t9a.solution import is_first_ahead, is_unreachable, other_facings
from systems.t9a.words import Choices
from tabletop.geometry.pose import Point
from tabletop.table.facing import FacingName
from tabletop.table.state import Regiment, Terrain
from tests.scenes import box, charger, regiment, table, target


def scene(
    *bodies: Regiment | Terrain, blocked_facing: str = "best", blocked_by_friends: bool = True
) -> Scene:
    """Return A's charge of T on a table."""
    state = table(*bodies)
    choices = Choices.model_validate(
        {"blocked_facing": blocked_facing, "blocked_by_friends": blocked_by_friends}
    )
    return Scene(state, state.units["A"], state.units["T"], choices, Book())


def friend(name: str, at: Point) -> Regiment:
    """Place a friend of the charger somewhere: one model that looks down the table."""
    return regiment(name, at, side="blue", heading=270, files=1, models=1)


@pytest.mark.parametrize(("x", "is_first"), [((200, 220), True), ((40, 60), False)])
def test_blocked_first_obstacle(x: Point, is_first: bool) -> None:
    """The target is first straight ahead unless something stands in between."""
    assert is_first_ahead(scene(target(), charger((50, 150)), box(x, (60, 70)))) is is_first


def test_blocked_any_facing() -> None:
    """All facings but those that were denied are opened."""
    assert other_facings(scene(target(), charger((50, 150))), ["front"]) == (
        "left",
        "right",
        "rear",
    )
    assert other_facings(scene(target(), charger((50, 150))), ["front", "right"]) == (
        "left",
        "rear",
    )


@pytest.mark.parametrize(
    ("at", "denied", "expected"),
    [
        ((180, 120), ["front"], ("right",)),
        ((-80, 120), ["front"], ("left",)),
        ((50, 150), ["front"], ("left", "right")),
        ((260, 30), ["right"], ("front",)),
        ((260, -90), ["right"], ("rear",)),
    ],
)
def test_blocked_any_facing_adjacent(
    at: Point, denied: list[FacingName], expected: tuple[FacingName, ...]
) -> None:
    """By the other reading only the nearer of the two facings beside the denied one is opened; both if none is
    nearer.
    """
    assert (
        other_facings(scene(target(), charger(at), blocked_facing="adjacent"), denied) == expected
    )


@pytest.mark.parametrize(
    ("by_friends", "friends", "is_freed", "expected"),
    [
        (True, [friend("F", (50, 0))], True, True),
        (False, [friend("F", (50, 0))], True, False),
        (False, [friend("F", (50, 0))], False, True),
        (False, [friend("F", (50, 60))], True, True),
        (False, [], True, True),
    ],
)
def test_blocked_unreachable_by_friends(
    by_friends: bool, friends: list[Regiment], is_freed: bool, expected: bool
) -> None:
    """By the other reading friends that touch the target do not block, if taking them away frees the facing."""
    asked: list[frozenset[str]] = []

    def is_reached(without: Scene) -> bool:
        asked.append(without.absent)
        return is_freed

    question = scene(target(), charger((50, 150)), *friends, blocked_by_friends=by_friends)
    assert is_unreachable(question, is_reached) is expected
    assert all(absent == {"F"} for absent in asked)

"""What a file must not say: each refusal names the key, the value and the remedy."""

from collections.abc import Callable
from typing import Any

import pytest

from systems.wh40k.words import Profile
from tabletop.api import judge, resolve
from tabletop.errors import ScenarioError
from tabletop.scenario.reading import case_from_tables
from tests.systems.wh40k.tables import piece, table, unit

T6 = {"T": unit([(6, 0)])}
ONE = unit([(0, 0)])


def refused(tables: dict[str, Any]) -> str:
    """Return what is told of a file that is refused, on reading, resolving or judging."""
    with pytest.raises(ScenarioError) as error:
        _judged(tables)
    return str(error.value)


def _judged(tables: dict[str, Any]) -> None:
    case = case_from_tables(tables)
    judge(case, resolve(case))


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        (
            table(unit([(0, 0)], keywords=["infantrie"]), T6),
            ("units.A.profile.keywords[0]:", "'infantry'", "'beasts'", "'infantrie'"),
        ),
        (
            table(unit([(0, 0)], status=["advancd"]), T6),
            ("units.A.status[0]:", "'advancd'", "'advanced'"),
        ),
        (
            table(ONE, T6, terrain=(piece("wal", 10, 10, 11, 11, height=3),)),
            ("terrain[0].kind:", "'wal'", "'wall'"),
        ),
        (table(ONE, T6, rules={"suport": "full"}), ("rules.suport:", "'support'")),
        (
            table(ONE, T6, overwatch={"before": [1]}),
            ("charges[0].overwatch.before:", "'1'", "'A'", " 0"),
        ),
        (table(ONE, T6, overwatch={"before": [0], "after": [0]}), ("charges[0].overwatch:", " 0 ")),
        (table(ONE, T6, overwatch={"before": [0, 0]}), ("charges[0].overwatch:", " 0 ")),
        (table(ONE, T6, targets=()), ("charges[0].targets:", " 1 ", " 0")),
        (table(ONE, T6, targets=("T", "T")), ("charges[0].targets[1]:", "'T'")),
        (
            table(ONE, {**T6, "B": unit([(0, 5)], side="blue")}, targets=("B",)),
            ("charges[0].targets[0]:", "'B'", "'blue'"),
        ),
        (table({**ONE, "hull": [[1, 0], [0, 1], [0, 0]]}, T6), ("units.A:", "base", "hull")),
        (table(unit([(0, 0), (0.5, 0)]), T6), ("units.A.at[0]:", "'A'[1]", "overlap", " 0.5 in")),
        (table(unit([(-19.8, 0)]), T6), ("units.A.at[0]:", "60 x 60", " 0.3 in")),
        (
            table(ONE, T6, terrain=(piece("block", -1, -1, 1, 1, height=3),)),
            ("units.A.at[0]:", " 1.5 in", "'Block'", "(block)"),
        ),
        (
            table(ONE, T6, terrain=(piece("impassable", -1, -1, 1, 1),)),
            ("units.A.at[0]:", " 1.5 in", "'Impassable'", "(impassable)"),
        ),
        (table(unit([(0, 0, 2.5)]), T6), ("units.A.at[0]:", "z = 2.5", ": 0")),
        (
            table(unit([(0, 0, 2.5)]), T6, terrain=(piece("floor", -3, -3, 3, 3, height=4),)),
            ("units.A.at[0]:", "z = 2.5", ": 0, 4"),
        ),
        (table(ONE, T6, dice=[3]), ("charges[0].dice:", " 2 ", " 1", "[3]")),
        (table(ONE, T6, dice=[3, 3, 3]), ("charges[0].dice:", " 2 ", " 3", "[3, 3, 3]")),
        (
            table(ONE, T6, dice=[1, 1], reroll="always"),
            ("charges[0].dice:", " 4 ", 'reroll = "always"', " 2", "[1, 1]"),
        ),
        (
            table(ONE, T6, proposal={"at": [[25, 20], [30, 20]]}),
            ("proposal.units.A.at:", " 1 ", " 2"),
        ),
        (
            table(ONE, T6, proposal={"at": [[24, 20]], "order": [1]}),
            ("proposal.units.A.order:", "(0)", "[1]"),
        ),
        (table(ONE, T6, terrain=(piece("wall", 10, 10, 11, 11),)), ("terrain[0].height:", "wall")),
        (
            table(
                unit([(n % 11 * 1.1, n // 11 * 1.1) for n in range(101)]), {"T": unit([(14, 0)])}
            ),
            ("charges[0].charger:", " 100 ", "'A'", " 101"),
        ),
    ],
)
def test_refusals(tables: dict[str, Any], expected: tuple[str, ...]) -> None:
    """Each mistake is told where it is, and nothing is resolved."""
    told = refused(tables)
    for words in expected:
        assert words in told


def _of_profile(key: str, value: float) -> dict[str, Any]:
    profile: dict[str, Any] = {key: value}
    return table(unit([(0, 0)], **profile), T6)


def _of_rules(key: str, value: float) -> dict[str, Any]:
    return table(ONE, T6, rules={key: value})


def _of_dice(index: str, value: float) -> dict[str, Any]:
    return table(ONE, T6, dice=[int(value) if number == int(index) else 1 for number in range(2)])


BOUNDS: list[tuple[str, Callable[[str, float], dict[str, Any]], str, float, float, float]] = [
    ("units.A.profile", _of_profile, "movement", 0, 40, 1e-6),
    ("units.A.profile", _of_profile, "charge_bonus", -12, 12, 1),
    ("units.A.profile", _of_profile, "pivot", 0, 12, 1e-6),
    ("units.A.profile", _of_profile, "height", 0, 40, 1e-6),
    *(
        ("rules", _of_rules, key, 0, 12, 1e-6)
        for key in ("pivot_round", "pivot_large", "pivot_other")
    ),
    *(
        ("rules", _of_rules, key, 0, 40, 1e-6)
        for key in ("engagement_horizontal", "coherency_vertical", "free_height")
    ),
    ("rules", _of_rules, "declare_range", 0, 1000, 1e-6),
    ("rules", _of_rules, "coherency_large", 3, 500, 1),
    ("rules", _of_rules, "clearance", 2e-6, 0.1, 1e-6),
    ("charges[0]", _of_dice, "1", 1, 6, 1),
]
"""Numbers of a file by their keys, the least and the greatest, and what is one step beyond."""


@pytest.mark.parametrize(
    ("room", "write", "key", "least", "most", "step"),
    BOUNDS,
    ids=[f"{room}.{key}" for room, _, key, *_ in BOUNDS],
)
def test_files_may_go_to_the_limits(
    room: str,
    write: Callable[[str, float], dict[str, Any]],
    key: str,
    least: float,
    most: float,
    step: float,
) -> None:
    """The least and the greatest value are read, a step beyond is refused by its key."""
    for value in (least, most):
        case_from_tables(write(key, value))
    for value in (least - step, most + step):
        with pytest.raises(ScenarioError) as error:
            case_from_tables(write(key, value))
        assert f"{room}.{key}" in str(error.value) or f"{room}.dice[{key}]" in str(error.value)


@pytest.mark.parametrize("dice", [[1, 1, 2], [1]])
def test_reroll_needs_its_faces(dice: list[int]) -> None:
    """A re-roll that may be needed takes two more faces or none."""
    assert "face" in refused(table(ONE, T6, dice=dice, reroll="if_failed"))


def test_impassable_and_areas_need_no_height() -> None:
    """Kinds without a top may leave their height out."""
    case_from_tables(
        table(ONE, T6, terrain=(piece("impassable", 10, 10, 11, 11), piece("area", -3, -3, 3, 3)))
    )


def test_a_proposal_is_told_of_facings_as_a_unit_is() -> None:
    """No name that pydantic gives to alternatives gets into the key."""
    proposal = {"at": [[20.0, 20.0]], "facing_deg": 3870}
    told = refused(table(ONE, T6, proposal=proposal))
    assert told.startswith("proposal.units.A.facing_deg: ")
    assert " 3870" in told


@pytest.mark.parametrize(
    ("keywords", "seen"),
    [
        ((), None),
        (("infantry", "fly"), "foot"),
        (("vehicle",), "tracked"),
        (("walker", "vehicle"), "walker"),
        (("vehicle", "fly"), "hover"),
        (("aircraft", "vehicle", "fly"), "aeroplane"),
        (("monster", "fly"), "monster"),
        (("cavalry",), "mounted"),
        (("mounted", "fly"), "mounted"),
        (("beasts",), "beast"),
        (("fly",), None),
    ],
)
def test_keywords_say_what_models_look_like(keywords: tuple[str, ...], seen: str | None) -> None:
    """Figures show models by those of their keywords that say most."""
    assert Profile(keywords=keywords).silhouette == seen  # type: ignore[arg-type]

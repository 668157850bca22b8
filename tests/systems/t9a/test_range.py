"""Charge range: distance, the roll, maximised and minimised rolls, the odds table."""

from fractions import Fraction
from typing import Any

import pytest

from tabletop.errors import ScenarioError
from tabletop.ruling.verdict import Ruling
from tabletop.scenario import read_case
from tests.scenes import case, charge, charger, finding, has_finding, resolve, table, target


def straight(inches_away: float, *, dice: tuple[int, ...], **profile: Any) -> Ruling:
    """Rule on a charge straight ahead over a distance in inches."""
    state = table(target(), charger((50, 25.4 * inches_away), **{"charge_speed": 0, **profile}))
    return resolve(case(state, charge(dice=dice))).rulings[0]


def test_range_distance() -> None:
    """The distance is that of the closest points of the boundaries, here straight ahead."""
    ruling = straight(7.25, dice=(6,))
    assert ruling.metrics["distance"] == pytest.approx(7.25, abs=1e-12)
    assert finding(ruling, "t9a.range.distance").measured == pytest.approx(7.25, abs=1e-12)


@pytest.mark.parametrize(
    ("distance", "told"), [(10.003, " 10.0030 in "), (10.006, " 10.01 in "), (10, " 10.00 in ")]
)
def test_a_distance_that_is_refused_never_reads_like_the_limit(distance: float, told: str) -> None:
    """At most 10 in can be rolled: 10.003 in is not written as 10.00."""
    assert told in finding(straight(distance, dice=(6,)), "t9a.declare.max-range").text


def test_range_roll() -> None:
    """The range is the die, four, and the charge speed."""
    ruling = straight(7, dice=(3,), charge_speed=2.5)
    assert ruling.metrics["charge_range"] == pytest.approx(9.5)
    assert finding(ruling, "t9a.range.roll").measured == pytest.approx(9.5)


@pytest.mark.parametrize(
    ("profile", "dice", "kept"),
    [
        ({}, (4,), 4),
        ({"swiftstride": True}, (2, 5), 5),
        ({"maximised": 2}, (2, 5, 1), 5),
        ({"maximised": 1, "swiftstride": True}, (3, 1, 2), 3),
        ({"minimised": 1}, (2, 5), 2),
        ({"minimised": 3}, (6, 5, 4, 3), 3),
        ({"swiftstride": True, "minimised": 1}, (4,), 4),
        ({"maximised": 4, "minimised": 4}, (6,), 6),
    ],
)
def test_range_maximised(profile: dict[str, Any], dice: tuple[int, ...], kept: int) -> None:
    """Each source more adds a die of which the highest is kept, each fewer one of which the lowest; they cancel."""
    ruling = straight(5, dice=dice, **profile)
    assert ruling.metrics["charge_range"] == pytest.approx(4 + kept)
    assert has_finding(ruling, "t9a.range.maximised") is (len(dice) > 1)


@pytest.mark.parametrize(
    ("profile", "dice", "wanted"),
    [({}, (), 1), ({}, (1, 2), 1), ({"swiftstride": True}, (3,), 2), ({"minimised": 2}, (1, 1), 3)],
)
def test_range_wants_exactly_its_dice(
    profile: dict[str, Any], dice: tuple[int, ...], wanted: int
) -> None:
    """Too few and too many faces are errors that say how many are wanted."""
    with pytest.raises(ScenarioError, match=rf"charges\[0\]\.dice: .*\b{wanted} .*\b{len(dice)}\b"):
        straight(5, dice=dice, **profile)


@pytest.mark.parametrize(
    ("distance", "needed"), [(2.0, 1), (5.0, 1), (5.0000005, 1), (5.00001, 2), (5.5, 2), (9.2, 6)]
)
def test_range_needed_roll(distance: float, needed: int) -> None:
    """The needed roll is the least face that reaches, one at least."""
    ruling = straight(distance, dice=(6,))
    assert ruling.metrics["needed_roll"] == needed
    assert ruling.shortest_roll == needed


ODDS = {0: [36, 30, 24, 18, 12, 6], 1: [36, 35, 32, 27, 20, 11], -1: [36, 25, 16, 9, 4, 1]}


@pytest.mark.parametrize(
    ("sources", "needed"), [(sources, needed) for sources in ODDS for needed in range(1, 7)]
)
def test_odds(sources: int, needed: int) -> None:
    """The chances of the common charges, in 36ths: plain, maximised, minimised."""
    profiles: dict[int, dict[str, Any]] = {0: {}, 1: {"swiftstride": True}, -1: {"minimised": 1}}
    ruling = straight(3.5 + needed, dice=(6,) * (1 + abs(sources)), **profiles[sources])
    assert ruling.metrics["needed_roll"] == needed
    assert ruling.chance_success == Fraction(ODDS[sources][needed - 1], 36)
    assert ruling.metrics["success_chance"] == pytest.approx(
        ODDS[sources][needed - 1] / 36, abs=1e-12
    )
    assert has_finding(ruling, "t9a.odds")


def test_odds_beyond_six() -> None:
    """A charge that no roll completes has no chance, and no shortest roll."""
    ruling = straight(10.5, dice=(6,))
    assert ruling.metrics["needed_roll"] == 7
    assert ruling.metrics["success_chance"] == 0
    assert ruling.chance_success == 0
    assert ruling.shortest_roll is None


@pytest.mark.parametrize(
    ("name", "number", "range_chance"),
    [
        ("out-of-sight", 0, "1"),
        ("room-taken", 1, "1"),
        ("one-has-no-room", 2, "1"),
        ("odds-in-the-way", 1, "2/3"),
    ],
)
def test_the_range_has_a_chance_of_its_own(name: str, number: int, range_chance: str) -> None:
    """A charge that is refused or has no room has no chance, though its roll may reach the range."""
    ruling = resolve(read_case(f"t9a/{name}")).rulings[number]
    assert ruling.outcome != "success"
    assert ruling.chance_success == ruling.metrics["success_chance"] == 0
    assert ruling.metrics["success_chance_fraction"] == "0"
    assert (ruling.metrics["range_chance"], ruling.metrics["range_chance_fraction"]) == (
        float(Fraction(range_chance)),
        range_chance,
    )
    assert ("natural" not in finding(ruling, "t9a.odds").text) is (range_chance == "1")

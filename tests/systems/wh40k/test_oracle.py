"""Plans and judgements against a second measurement, which itself is held against plans that are wrong on purpose."""

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tabletop.api import resolve
from tabletop.ruling.charge import Spot
from tests.oracles.wh40k import ways
from tests.oracles.wh40k.around import least_moved
from tests.oracles.wh40k.bodies import Bodies, Form
from tests.oracles.wh40k.limits import margins
from tests.oracles.wh40k.plans import Planned, planned
from tests.oracles.wh40k.referee import bettered, plan_complaints, referee
from tests.oracles.wh40k.relaxed import Goal, Search
from tests.oracles.wh40k.scenes import flying_case, random_case, small_case
from tests.oracles.wh40k.search import better_plan
from tests.oracles.wh40k.spoiling import spoilt_plans
from tests.oracles.wh40k.table import table_of, within
from tests.systems.wh40k.tables import case, piece, unit

MODELS = 2
IN_EVERY_RUN = (
    5,
    9,
    10,
    11,
    12,
    14,
    16,
    17,
    18,
    19,
    20,
    22,
    23,
    24,
    25,
    27,
    28,
    30,
    31,
    32,
    33,
    34,
    6018,
)
"""Scenes of all themes that take little time."""


@pytest.mark.parametrize("number", IN_EVERY_RUN)
def test_plans_and_judgements_against_a_second_measurement(number: int) -> None:
    """A plan keeps every limit measured again, the judge takes it, and refuses what breaks a limit by a hundredth of an
    inch.
    """
    assert referee(random_case(number, most=MODELS)).complaints == ()


@pytest.mark.parametrize("number", [3, 5, 13, 15, 37, 75])
def test_flights_against_a_second_measurement(number: int) -> None:
    """Flyers that begin on a block, high or low, are measured as the choices ask: the second measurement reads these by
    itself.
    """
    assert referee(flying_case(number)).complaints == ()


@pytest.mark.parametrize("number", [pytest.param(2, marks=pytest.mark.slow), 3])
def test_small_units_among_walls_against_a_second_measurement(number: int) -> None:
    """Two to four models, two targets, walls with a gap: a plain search finds no more, nor anything where nothing
    should be.
    """
    assert referee(small_case(number)).complaints == ()


def test_a_longer_charge_has_no_fewer_models_in_contact() -> None:
    """With 9 in more places are within reach than with 8, and yet all three of the flyers are found a place in
    contact.
    """
    found = [
        resolve(random_case(8158), dice=dice).rulings[0].metrics["models_in_base_contact"]
        for dice in ((6, 2), (6, 3))
    ]
    assert found == [3, 3]


def plain_plan(*, total: int = 8) -> Planned:
    """Resolve two models that charge past a bystander."""
    one = case(
        unit([(0, 0), (0, 1.4)]), {"T": unit([(6, 0)]), "N": unit([(5.2, 2.6)])}, total=total
    )
    return planned(one, resolve(one))


def test_second_measurement_confirms_a_plain_plan() -> None:
    """A plan that is right has nothing against it."""
    assert list(plan_complaints(plain_plan())) == []


@pytest.mark.parametrize(
    ("shift", "limit", "margin"),
    [
        ((-9.0, 0.0), "engaged", 2.0 - math.hypot(6.0, 1.4)),
        ((0.0, -3.0), "coherent", -1.4),
        ((1.0, 0.0), "clear", -1.0),
        ((-26.0, 0.0), "board", -1.5),
        ((-0.5, 0.0), "closer", 4.5),
    ],
)
def test_second_measurement_of_a_moved_model(
    shift: tuple[float, float], limit: str, margin: float
) -> None:
    """Margins are what a ruler gives: the model in contact is pulled from (5, 0) and its mate stands at (0, 1.4)."""
    one = case(
        unit([(0, 0), (0, 1.4)]), {"T": unit([(6, 0)])}, total=8, rules={"closer_scope": "moved"}
    )
    table = table_of(one, 8.0)
    mate = (20.0, 21.4) if limit in {"engaged", "closer", "board"} else (25.0, 22.0 - 0.6)
    ends = table.charger.at(np.array([[25.0 + shift[0], 20.0 + shift[1]], mate]), np.zeros(2))
    assert margins(table, ends)[limit] == pytest.approx(margin)


@pytest.mark.parametrize(
    ("path", "told", "words"),
    [
        (((20, 20, 0), (25, 20, 0)), 5.0, None),
        (((20, 20, 0), (25, 20, 0)), 4.9, "told"),
        (((20, 20, 0), (25, 21.5, 0)), math.hypot(5, 1.5), "range of no target"),
        (((20, 20, 0), (27, 20, 0)), 7.0, "somebody's body"),
        (((20, 20, 0), (20, 0.2, 0)), 19.8, "board"),
        (((20, 20, 0), (20, 16, 0)), 4.0, "terrain"),
        (
            ((20, 20, 0), (20, 19.5, 0), (20, 19.5, 3), (20, 16.5, 3), (20, 16.5, 0), (20, 16, 0)),
            10.0,
            None,
        ),
        (((20, 20, 0), (20, 16, 3)), 5.0, "rises"),
    ],
)
def test_second_measurement_of_a_way(
    path: tuple[Spot, ...], told: float, words: str | None
) -> None:
    """A way that is too short as told, or meets an enemy, a range to keep out of, the edge or a block, is seen."""
    others = {"T": unit([(6, 0)]), "N": unit([(5.2, 3.4)])}
    one = case(unit([(0, 0)]), others, terrain=(piece("block", -2, -3, 2, -1, height=3),))
    found = list(ways.complaints(table_of(one, 8.0), 0, path, told))
    assert found == [] if words is None else any(words in text for text in found)


@pytest.mark.parametrize(
    ("keywords", "path", "told", "words"),
    [
        (["fly"], ((20, 20, 0), (21.5, 20, 3), (25, 20, 3)), math.hypot(1.5, 3) + 3.5, None),
        (["fly"], ((20, 20, 0), (25, 20, 3)), math.hypot(5, 3), "through terrain"),
        (
            ["fly"],
            ((20, 20, 0), (20, 21, 3), (25, 20, 3)),
            math.hypot(1, 3) + math.hypot(5, 1),
            "rises",
        ),
        (
            ["infantry"],
            ((20, 20, 0), (21.5, 20, 3), (25, 20, 3)),
            math.hypot(1.5, 3) + 3.5,
            "rises",
        ),
        (["infantry"], ((20, 20, 0), (21.5, 20, 0), (21.5, 20, 3), (25, 20, 3)), 8.0, None),
        (["infantry"], ((20, 20, 0), (20, 20, 3), (25, 20, 3)), 8.0, "nothing is as high"),
    ],
)
def test_second_measurement_of_a_way_up(
    keywords: list[str], path: tuple[Spot, ...], told: float, words: str | None
) -> None:
    """Up onto a block: through the air only who flies, straight and over its edge; on foot along its side, and not
    before it.
    """
    one = case(
        unit([(0, 0)], keywords=keywords),
        {"T": unit([(6.5, 0, 3)])},
        terrain=(piece("block", 2, -3, 9, 3, height=3),),
    )
    found = ways.complaints(table_of(one, 8.0), 0, path, told)
    assert found == [] if words is None else any(words in text for text in found), found


@pytest.mark.parametrize(
    ("west", "half", "below", "words"),
    [
        (12.0, 2.0 * math.sin(0.06), 2.0 * math.cos(0.06), None),
        (12.0, 2.0 * math.sin(0.06), 2.0 * math.cos(0.06) - 0.01, "range of no target by 0.01"),
        (3.0, 1.5, 2.5, "past a barricade"),
        (3.0, 1.5, 3.01, None),
    ],
)
def test_second_measurement_of_a_way_and_a_barricade(
    west: float, half: float, below: float, words: str | None
) -> None:
    """A chord of the arc about who is no target may cut it, as without a barricade; the range is longer only past
    one.
    """
    wall = piece("barricade", west, 1.1, west + 2.0, 1.4, height=1)
    one = case(unit([(0, 0)]), {"T": unit([(9, 0)]), "N": unit([(4, 3)])}, terrain=(wall,))
    path = ((24.0 - half, 23.0 - below, 0.0), (24.0 + half, 23.0 - below, 0.0))
    found = ways.complaints(table_of(one, 8.0), 0, path, 2.0 * half)
    assert found == [] if words is None else any(words in text for text in found), found


@pytest.mark.parametrize(
    ("others", "terrain", "least"),
    [
        ({}, (), 5.0),
        ({}, (piece("wall", 3, -3, 3.5, 3, height=5),), 9.110),
        ({}, (piece("wall", 3, -3, 3.5, 3, height=2.5),), 9.110),
        ({}, (piece("wall", 3, -4, 3.5, 4, height=2.5),), 10.0),
        ({}, (piece("impassable", 3, -3, 3.5, 3),), 9.110),
        (
            {"N": unit([(2.5, 0)])},
            (),
            2 * math.sqrt(2.5**2 - 4.0) + 2 * (math.pi - 2 * math.acos(2.0 / 2.5)),
        ),
    ],
)
def test_second_measurement_of_the_least_way(
    others: dict[str, Any], terrain: tuple[dict[str, Any], ...], least: float
) -> None:
    """Five inches ahead it is farther round a wall or over it, whichever is less, and round the range of who is no
    target.
    """
    one = case(
        unit([(0, 0)], keywords=["cavalry"]), {"T": unit([(6, 0)]), **others}, terrain=terrain
    )
    table = table_of(one, 12.0)
    ends = table.charger.at(np.array([[25.0, 20.0]]), np.zeros(1))
    assert least_moved(table, ends)[0] == pytest.approx(least, abs=2e-3)


@pytest.mark.parametrize(
    ("turned", "pivot", "told"), [(False, 2.0, 3.0), (True, 2.0, 5.0), (True, 0.0, 3.0)]
)
def test_second_measurement_of_a_turn(turned: bool, pivot: float, told: float) -> None:
    """A model that looks elsewhere in the end has paid its pivot value."""
    one = case(unit([(0, 0)], base="75x42mm oval", pivot=pivot), {"T": unit([(6.5, 0)])})
    facing = 1.0 if turned else 0.0
    path = ((20.0, 20.0, 0.0), (23.0, 20.0, 0.0))
    assert ways.complaints(table_of(one, 8.0), 0, path, told, facing=facing) == []
    assert ways.complaints(table_of(one, 8.0), 0, path, told + 0.1, facing=facing) != []


def test_plans_are_spoilt_in_every_way() -> None:
    """Each limit is broken once or twice by moving one model, and one change is harmless."""
    others = {"T": unit([(6, 0)]), "N": unit([(5.2, 3.4)])}
    one = case(
        unit([(0, 0), (-1.4, 0.5), (-1.4, -0.8)]),
        others,
        total=8,
        terrain=(piece("impassable", 4, -4, 5, -1.2, height=3),),
    )
    plan = planned(one, resolve(one))
    found = Counter(spoilt.broken for spoilt in spoilt_plans(plan))
    assert {"roll", "coherent", "apart", "clear", "support", "closer", "contact"} <= set(found)
    assert max(found.values()) <= 2


def test_search_finds_what_can_be_done() -> None:
    """The search ends within an inch of the target where the roll is enough, in contact where that is, and nowhere
    where it is not.
    """
    one = case(unit([(0, 0)]), {"T": unit([(6, 0)])})
    table = table_of(one, 4.2)
    found = better_plan(table)
    assert found is not None
    assert math.dist(found[0].centres[0], (26.0, 20.0)) <= 2.0
    assert (found[1], better_plan(table, most=0)) == (0, None)
    assert better_plan(within(table, 3.99)) is None
    touching = better_plan(within(table, 5.1), most=0)
    assert touching is not None
    assert touching[1] == 1


def test_search_keeps_models_together() -> None:
    """The second model comes along as far as it can: one in contact, and two once both reach it."""
    one = case(unit([(0, 0), (-2, 0)]), {"T": unit([(6, 0)])})
    for distance, most in ((5.1, 1), (7.3, 2)):
        found = better_plan(table_of(one, distance))
        assert found is not None
        assert found[1] == most


@pytest.mark.parametrize(
    ("form", "heading", "gap"),
    [
        (Form(radius=0.5), 0.0, 5.5),
        (Form(axes=(1.5, 0.8)), 0.0, 4.5),
        (Form(axes=(1.5, 0.8)), math.pi / 2, 5.2),
        (Form(corners=((1, 2), (-1, 2), (-1, -2), (1, -2))), 0.0, 5.0),
        (Form(corners=((1, 1), (-1, 1), (-1, -1), (1, -1)), radius=0.5), math.pi / 2, 4.5),
    ],
)
def test_second_measurement_of_gaps(form: Form, heading: float, gap: float) -> None:
    """Gaps to a point 6 in ahead are what a ruler gives, before and beyond the edge."""
    here = Bodies(np.zeros((1, 2)), np.zeros(1), np.array([heading]), (form,))
    for away in (6.0, 6.0 - gap - 0.1):
        point = Bodies(np.array([[away, 0.0]]), np.zeros(1), np.zeros(1), (Form(),))
        assert here.gaps(point)[0, 0] == pytest.approx(away - 6.0 + gap, abs=1e-9)
        assert point.gaps(here)[0, 0] == pytest.approx(away - 6.0 + gap, abs=1e-9)


def test_relaxation_finds_what_can_be_done() -> None:
    """Two models, each within an inch of one of two targets, are 2 in apart at most: they end 1.5 in aside of the line
    between these.
    """
    others = {"T": unit([(6, 3.3)]), "U": unit([(6, -3.3)])}
    table = table_of(case(unit([(0, 1), (0, -1)]), others, targets=("T", "U")), 7.0)
    needed = math.hypot(6.0 - math.sqrt(4.0 - 1.8**2), 0.5)
    enough, too_short = (
        Search.of(within(table, needed + off)).plan(needed + off, Goal()) for off in (0.01, -0.001)
    )
    assert too_short is None
    assert enough is not None
    assert enough.longest == pytest.approx(needed, abs=0.01)


def test_relaxation_counts_models() -> None:
    """Three models reach the target, the third only just; no more can be in contact, and a shorter move leaves it
    engaged.
    """
    one = case(unit([(0, 0), (0, 1.5), (-3, 0)]), {"T": unit([(6, 0)])})
    search = Search.of(table_of(one, 9.0))
    found = search.plan(9.0, Goal(contacts=3, engaged=3))
    assert found is not None
    assert (found.contacts, found.engaged) == (3, 3)
    assert search.plan(7.9, Goal(contacts=3, engaged=3)) is None
    assert search.plan(7.9, Goal(contacts=2, engaged=3)) is not None


@pytest.mark.parametrize(
    ("metric", "told", "words"),
    [
        ("needed_distance", 4.02, "enough is"),
        ("models_in_base_contact", 1, "there is 2 in contact"),
        ("models_engaged", 1, "2 engaged"),
    ],
)
def test_a_plan_that_is_not_the_best_is_seen(metric: str, told: float, words: str) -> None:
    """Whoever tells fewer models in contact or engaged, or a longer distance, is told a plan that does better."""
    rules = {"spare_models": "engage"}
    one = case(
        unit([(0, 0), (0, 1.4)]),
        {"T": unit([(5.9, 0)])},
        total=5 if metric == "models_engaged" else 8,
        rules=rules,
    )
    ruling = resolve(one).rulings[0]
    assert list(bettered(one, ruling)) == []
    found = list(bettered(one, replace(ruling, metrics={**ruling.metrics, metric: told})))
    assert any(words in text for text in found), found


@pytest.mark.parametrize("number", [2, 5, 8, 10])
def test_relaxation_finds_nothing_better_than_is_resolved(number: int) -> None:
    """Two to four models, two targets, walls with a gap: no shorter move is enough, no more are in contact, nor
    engaged.
    """
    one = small_case(number)
    assert list(bettered(one, resolve(one).rulings[0])) == []

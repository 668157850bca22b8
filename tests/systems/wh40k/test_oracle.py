"""Plans and judgements against a second measurement, which itself is held against plans that are wrong on purpose."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tabletop.asking import resolve
from tabletop.ruling import Spot
from tests.oracles.wh40k import ways
from tests.oracles.wh40k.limits import margins
from tests.oracles.wh40k.referee import Planned, plan_complaints, planned, referee
from tests.oracles.wh40k.scenes import random_case
from tests.oracles.wh40k.single import single_way
from tests.oracles.wh40k.table import table_of
from tests.systems.wh40k.tables import case, piece, unit

MODELS = 2
IN_EVERY_RUN = 12
REMEMBERED: tuple[int, ...] = ()
"""Scenes of longer runs that once found a fault."""


@pytest.mark.parametrize("number", [*range(IN_EVERY_RUN), *REMEMBERED])
def test_plans_and_judgements_against_a_second_measurement(number: int) -> None:
    """A plan keeps every limit measured again, the judge takes it, and refuses what breaks a limit by a hundredth of an inch."""
    assert referee(random_case(number, most=MODELS)).complaints == ()


def plain_plan(*, total: int = 8) -> Planned:
    """Resolve two models that charge past a bystander."""
    one = case(unit([(0, 0), (0, 1.4)]), {"T": unit([(6, 0)]), "N": unit([(5.2, 2.6)])}, total=total)
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
def test_second_measurement_of_a_moved_model(shift: tuple[float, float], limit: str, margin: float) -> None:
    """Margins are what a ruler gives: the model in contact is pulled from (5, 0) and its mate stands at (0, 1.4)."""
    one = case(unit([(0, 0), (0, 1.4)]), {"T": unit([(6, 0)])}, total=8)
    table = table_of(one.state, one.charges[0], 8.0)
    mate = (20.0, 21.4) if limit in {"engaged", "closer", "board"} else (25.0, 22.0 - 0.6)
    ends = table.charger.at(np.array([[25.0 + shift[0], 20.0 + shift[1]], mate]), np.zeros(2))
    assert margins(table, ends)[limit] == pytest.approx(margin)


@pytest.mark.parametrize(
    ("path", "told", "words"),
    [
        (((20, 20, 0), (25, 20, 0)), 5.0, None),
        (((20, 20, 0), (25, 20, 0)), 4.9, "told"),
        (((20, 20, 0), (25, 21.5, 0)), math.hypot(5, 1.5), "range of no target"),
        (((20, 20, 0), (27, 20, 0)), 7.0, "enemy's body"),
        (((20, 20, 0), (20, 0.2, 0)), 19.8, "board"),
        (((20, 20, 0), (20, 16, 0)), 4.0, "terrain"),
        (((20, 20, 0), (20, 20, 3), (20, 16, 3), (20, 16, 0)), 10.0, None),
        (((20, 20, 0), (20, 16, 3)), 5.0, "rises"),
    ],
)
def test_second_measurement_of_a_way(path: tuple[Spot, ...], told: float, words: str | None) -> None:
    """A way that is too short as told, or meets an enemy, a range to keep out of, the edge or a block, is seen."""
    others = {"T": unit([(6, 0)]), "N": unit([(5.2, 3.4)])}
    one = case(unit([(0, 0)]), others, terrain=(piece("block", -2, -3, 2, -1, height=3),))
    found = list(ways.complaints(table_of(one.state, one.charges[0], 8.0), 0, path, told))
    assert found == [] if words is None else any(words in text for text in found)


def test_straight_moves_find_what_can_be_done() -> None:
    """The search of straight moves ends within an inch of the target where the roll is enough, and nowhere where it is not."""
    one = case(unit([(0, 0)]), {"T": unit([(6, 0)])})
    table = table_of(one.state, one.charges[0], 4.2)
    way = single_way(table)
    assert way is not None
    assert math.dist(way, (26.0, 20.0)) <= 2.0
    assert single_way(replace(table, distance=3.99)) is None

"""How far links lead at most: tables whose targets they can or cannot join."""

import math
from typing import Any

import pytest

from systems.wh40k.conditions import coherency_of
from tests.systems.wh40k.tables import Spots, case, ruling, unit
from tests.systems.wh40k.test_regions import scene_of_case

COLUMN: Spots = [(0.0, 4.0 + 1.5 * number) for number in range(7)]


def test_seven_ask_for_two_neighbours() -> None:
    """Nobody asks a single model, six ask for one neighbour each, seven for two; with `single_group = false` for no
    more.
    """
    scenes = [
        scene_of_case(case(unit(COLUMN), {"T": unit([(6, 0)])}, rules={"single_group": one}))
        for one in (True, False)
    ]
    assert [coherency_of(scenes[0], count).neighbours for count in (1, 2, 6, 7)] == [0, 1, 1, 2]
    assert [coherency_of(scene, 7).is_one_group for scene in scenes] == [True, False]


@pytest.mark.parametrize("apart", [12.001, 13, 14, 17, 18])
@pytest.mark.parametrize("total", [2, 6, 7, 12, 24])
def test_seven_cannot_join_what_five_in_a_chain_cannot(apart: float, total: int) -> None:
    """Zones farther apart than four links of 3 in are too far at every total, and that is proved."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 4 + apart)])}
    bonus: dict[str, Any] = {"charge_bonus": 12} if total > 12 else {}
    dice = [min(6, total - 1), total - min(6, total - 1)] if total <= 12 else [6, total - 18]
    found = ruling(unit(COLUMN, **bonus), others, targets=("T", "U"), dice=dice)
    assert (found.outcome, found.metrics.get("needed"), found.proof) == ("failed", None, "exact")
    reach = max(math.dist(COLUMN[0], (6, 0)), math.dist(COLUMN[-1], (6, 4 + apart))) - 2.0
    assert found.rule == (
        "wh40k.possible.engage-all" if total < reach else "wh40k.possible.coherency"
    )


def test_links_as_long_as_the_zones_are_apart_are_enough() -> None:
    """A zone apart a little less than 12 in: the charge is possible, the ends stand four links from each other."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 15.5)])}
    assert ruling(unit(COLUMN), others, total=8, targets=("T", "U")).outcome == "success"


def test_two_groups_may_serve_two_targets() -> None:
    """Seven without a single group: three at one target, four at the other, 17 in away."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 17)])}
    far: Spots = [(0, 0), (0, 1.5), (0, 3), (0, 12.5), (0, 14), (0, 15.5), (0, 17)]
    found = ruling(unit(far), others, total=8, targets=("T", "U"), rules={"single_group": False})
    assert found.outcome == "success"


def test_the_living_are_counted() -> None:
    """Seven of whom one is lost: six need one neighbour each, and five links of 3 in join zones 13 in apart."""
    others = {"T": unit([(6, 0)]), "U": unit([(6, 17)])}
    found = ruling(unit(COLUMN), others, total=12, targets=("T", "U"), overwatch={"before": [3]})
    assert (found.outcome, found.rule) == ("failed", "wh40k.possible.coherency")
    six = ruling(unit([*COLUMN[:3], *COLUMN[4:]]), others, total=12, targets=("T", "U"))
    assert six.outcome == "success"


@pytest.mark.parametrize(
    ("base", "width"),
    [("60x35mm oval", 60 / 25.4), ("25x50mm rectangle", math.hypot(25, 50) / 25.4)],
)
def test_bases_that_are_not_round_span_what_discs_about_them_do(base: str, width: float) -> None:
    """However ovals and rectangles turn: of two with the targets' discs farther apart than both, and 2 in, no proof is
    missing.
    """
    one = unit([(0, 0), (0, 2.5)], base=base, facing_deg=90)
    apart = 2.0 * width + 2.0 + 2.0 * 1.5
    found = ruling(
        one, {"T": unit([(6, 0)]), "U": unit([(6, apart + 0.01)])}, total=12, targets=("T", "U")
    )
    assert (found.outcome, found.rule, found.proof) == (
        "failed",
        "wh40k.possible.coherency",
        "tolerance",
    )

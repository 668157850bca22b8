"""What no plan can do better than, where turning and barricades change how far a model must go."""

from typing import Any

import pytest

from systems.wh40k.feasibility import ChargeFeasibility
from systems.wh40k.paths import Paths
from tabletop.api import resolve
from tabletop.budget import Budget
from tabletop.geometry.pose import Pose
from tabletop.ruling.system import Case
from tests.systems.wh40k.laws import changed, unchanged_held
from tests.systems.wh40k.tables import INCH, case, piece, ruling, unit
from tests.systems.wh40k.test_regions import scene_of_case

OVAL = {"base": "60x35mm oval", "facing_deg": 0}


@pytest.mark.parametrize(
    ("barricade", "outcome", "needed"),
    [
        ((8.0, -1.0, 8.3, 1.0), "failed", 5),
        ((3.0, 2.0, 3.3, 4.0), "failed", 5),
        ((5.2, -1.0, 5.5, 1.0), "success", 4),
    ],
    ids=["behind the target", "beside the way", "between"],
)
def test_only_a_barricade_between_lengthens_the_reach_of_an_oval(
    barricade: tuple[float, float, float, float], outcome: str, needed: int
) -> None:
    """The tip of A is 5.189 in from T: 4 in do across a barricade, which engages at 2 in; else 5 are needed, and that
    is proved.
    """
    charger = {**unit([(0.0, 0.0)]), **OVAL}
    target = unit([(7.0, 0.0)], side="red")
    (found,) = resolve(
        case(charger, {"T": target}, total=4, terrain=(piece("barricade", *barricade, height=1.0),))
    ).rulings
    assert (found.outcome, found.metrics["needed"]) == (outcome, needed)
    assert found.proof in {"exact", "tolerance"}


def test_a_barricade_lengthens_only_the_ranges_that_it_lies_within() -> None:
    """Two targets 7.3 in apart, each farther than 2 in from the barricade, are too far for two models, and that is
    proved.
    """
    others = {"T": unit([(6.6, 0.79)], base="32mm round"), "U": unit([(3.28, -5.8)])}
    barricade = piece("barricade", 2.8, -2.7, 3.3, 2.2, height=1.0)
    (found,) = resolve(
        case(
            unit([(-0.75, -0.59), (0.31, -0.22)]),
            others,
            total=8,
            targets=("T", "U"),
            terrain=(barricade,),
        )
    ).rulings
    assert (found.outcome, found.rule, found.proof) == (
        "failed",
        "wh40k.possible.coherency",
        "exact",
    )


def test_a_flyer_may_end_beside_all_special_places() -> None:
    """From one block past another its least way through the air ends where no straight line would: what was found is no
    least distance.
    """
    blocks = (
        piece("block", -1.5, -1.5, 1.5, 1.5, height=4.5, name="own"),
        piece("block", 4.477, -0.928, 4.981, 0.922, height=3.2),
    )
    flyer = unit([(0, 0, 4.5)], keywords=["fly", "infantry"])
    others = {"T": unit([(7.932, -1.351)])}
    least = ruling(flyer, others, total=12, terrain=blocks).metrics.get("needed_distance")
    scene = scene_of_case(case(flyer, others, terrain=blocks))
    model = scene.charger.models[0]
    length = Paths(scene, reach=12.0).length(model, model.at(Pose(26.0266, 18.0420, 0.0), 0.0))
    assert length < 8.3
    assert least is None or least <= length


@pytest.mark.parametrize("gap", [14.0, 16.0])
def test_what_no_tree_joins_within_a_detour_may_be_joined_farther_on(gap: float) -> None:
    """Two models far apart, each half an inch from engaging: who comes to the other, who stays within 1 in of its foe,
    goes 6.5 or 8.5 in.
    """
    two = unit([(0.0, 0.0), (gap, 0.0)])
    foes = unit([(2.5, 0.0), (gap - 2.5, 0.0)])
    feasibility = ChargeFeasibility(scene_of_case(case(two, {"T": foes}, total=12)), Budget())
    least = feasibility.least()
    assert least.bound == pytest.approx(gap - 7.5, abs=1e-3)
    assert least.bound < least.distance < gap - 4.0
    assert least.proof == "best_found"


def over_a_ridge(base: str = INCH) -> Case:
    """Set up a flyer before a long block, 4 in high, and a target 8 in away: the best place found is 11.5 to 12 in
    off.
    """
    facing: dict[str, Any] = {} if base == INCH else {"facing_deg": 0}
    return case(
        unit([(0, 0)], base=base, keywords=["fly", "infantry"], **facing),
        {"T": unit([(8, 0)])},
        total=11,
        terrain=(piece("block", 3, -15, 5, 15, height=4),),
        rules={"fly_ground_to_ground": "air"},
    )


@pytest.mark.parametrize("base", ["60x35mm oval", "40x20mm rectangle"])
def test_a_flight_longer_than_a_detour_is_the_least_that_is_found(base: str) -> None:
    """Over the ridge it is 6 in more than straight on: enough is known, and not that less is too short."""
    least = ChargeFeasibility(scene_of_case(over_a_ridge(base)), Budget()).least()
    assert 11.5 < least.distance < 12.0
    assert 5.0 < least.bound < 6.0
    assert least.proof == "best_found"


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4])
def test_no_bound_of_a_random_table_reads_what_a_search_changed(number: int) -> None:
    """All bounds, of walkers, of flyers over blocks, of units among walls, and of an oval."""
    assert unchanged_held(number).complaints == []


@pytest.mark.parametrize("limit", [8.0, 11.0, 12.0])
def test_a_search_changes_no_bound(limit: float) -> None:
    """What bounds say before a search they say after it: measured flights are no straight lines."""
    assert changed(over_a_ridge(), limit) == []

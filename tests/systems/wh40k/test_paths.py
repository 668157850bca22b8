"""The ways of models: what hinders them, held against closed forms and plain samples."""

import math
from typing import Any

import numpy as np
import pytest
import shapely

from systems.wh40k.paths import ANY_HINDRANCE, Paths
from systems.wh40k.scene import Scene, scene_of
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.table.models import Model
from tabletop.units import STRICTLY_BEYOND
from tests.systems.wh40k.tables import Spots, case, piece, unit

A = unit([(0, 0)])
T = unit([(9, 0)])


def scene(a: dict[str, Any], others: dict[str, dict[str, Any]], **more: Any) -> Scene:
    """Put A's charge on the table."""
    asked = case(a, others, **more)
    return scene_of(asked.state, "A", ("T",), choices=asked.choices, book=asked.book)


def length(to: tuple[float, float], on: Scene, **ways: Any) -> float:
    """Measure the way of A's model to a place relative to (20, 20)."""
    model = on.charger.models[0]
    return Paths(on, **ways).length(
        model, model.at(Pose(to[0] + 20, to[1] + 20, model.pose.heading))
    )


def round_disc(distance: float, radius: float, *, aside: float = 0.0) -> float:
    """Length of the way to a place `distance` away past a disc half-way, whose centre lies `aside` the line."""
    half = math.hypot(distance / 2, aside)
    turn = 2 * math.atan2(distance / 2, aside)
    return 2 * math.sqrt(half**2 - radius**2) + radius * (turn - 2 * math.acos(radius / half))


def test_open_ground_is_straight() -> None:
    """With nothing in between the way is the straight line, and staying is no way at all."""
    on = scene(A, {"T": T})
    assert length((3, 4), on) == pytest.approx(5.0)
    assert length((0, 0), on) == 0.0


def test_an_enemy_is_gone_round() -> None:
    """An enemy model is gone round, base along base; without it the way is straight."""
    on = scene(A, {"T": unit([(9, 0), (4, 0.2)])})
    assert length((8, 0), on) == pytest.approx(round_disc(8.0, 1.0, aside=0.2), abs=1e-6)
    assert length((8, 0), on, hindrances=ANY_HINDRANCE - {"enemies"}) == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("rules", "radius"),
    [({}, 2.0001), ({"engagement_path": "end"}, 1.0), ({"clearance": 0.01}, 2.01)],
)
def test_a_non_target_is_kept_clear_of(rules: dict[str, Any], radius: float) -> None:
    """The engagement range of a non-target is gone round too, unless only ends count."""
    on = scene(A, {"T": T, "N": unit([(4, 0.2)])}, rules=rules)
    assert length((8, 0), on) == pytest.approx(round_disc(8.0, radius, aside=0.2), abs=1e-6)


def test_behind_a_barricade_the_longer_range_counts() -> None:
    """A way past a non-target behind a barricade keeps two inches from it instead of one."""
    behind = {"T": T, "N": unit([(4, 2.5)])}
    barricade = piece("barricade", 2, 1.2, 6, 1.6, height=1)
    assert length((8, 0), scene(A, behind)) == pytest.approx(8.0)
    assert length((8, 0), scene(A, behind, terrain=(barricade,))) == pytest.approx(
        round_disc(8.0, 3.0001, aside=2.5), abs=1e-6
    )


def past_the_tip(
    start: tuple[float, float], end: tuple[float, float], *, clearance: float
) -> float:
    """Measure a taut way past the places across a barricade from (0, 0.8) up that an inch-wide disc at (4, 0) engages:
    by many rays.

    The way goes along the hull of both its ends and the left half of those places.
    """
    front = 0.8 - clearance
    outer = 2.5 + clearance
    tip = math.pi - math.asin(front / outer)
    angles = np.append(np.linspace(tip - 0.8, tip, 4_000), tip)
    reaches = np.append(np.minimum(front / np.sin(angles[:-1]), outer) + 0.5, outer + 0.5)
    near = np.array([4.0, 0.0]) + reaches[:, None] * np.column_stack(
        [np.cos(angles), np.sin(angles)]
    )
    far = np.array([4.0, 0.0]) + (outer + 0.5) * np.column_stack([np.cos(angles), np.sin(angles)])
    rim = shapely.get_coordinates(
        shapely.MultiPoint([*near.tolist(), *far.tolist(), start, end]).convex_hull.exterior
    )[:-1]
    first, last = sorted(int(np.hypot(*(rim - place).T).argmin()) for place in (start, end))
    steps = np.hypot(*(np.roll(rim, -1, axis=0) - rim).T)
    return float(min(steps[first:last].sum(), steps.sum() - steps[first:last].sum()))


@pytest.mark.parametrize("end", [(2.0, 0.3), (1.9, 0.0), (1.6, 0.2)])
@pytest.mark.parametrize("clearance", [1e-4, 2e-6])
def test_a_way_past_a_barricade_is_exact(end: tuple[float, float], clearance: float) -> None:
    """Round the tip of the places across the barricade, and along where they bulge, a way is as long as the tautest
    line past them.
    """
    others = {"T": unit([(9, 9)]), "N": unit([(4, 0)])}
    on = scene(
        unit([(0.8, 2.6)]), others, terrain=(piece("barricade", 1.5, 0.8, 6.5, 1.1, height=1),)
    )
    taut = past_the_tip((0.8, 2.6), end, clearance=clearance)
    assert taut > math.dist((0.8, 2.6), end) + 0.02
    assert length(end, on, clearance=clearance) == pytest.approx(taut, abs=1e-7)


@pytest.mark.parametrize(
    "others",
    [[(8.0, 0.0)], [(8.0, 0.0), (8.0, 1.0)], [(8.0, 0.0), (4.0, 0.3)]],
    ids=["alone", "beside", "before"],
)
@pytest.mark.parametrize("base", ["40mm round", "75x42mm oval"])
def test_an_end_that_overlaps_by_less_than_the_tolerance_is_as_far_as_one_that_touches(
    others: Spots, base: str
) -> None:
    """Whatever an end overlaps an enemy by, up to what still counts as contact and beyond it, its way is as long as to
    where it touches.
    """
    on = scene(unit([(0, 0)], base=base), {"T": unit(others)})
    model = on.charger.models[0]
    enemy = on.targets[0].models[0]
    for angle in np.linspace(0.0, math.tau, 17):
        towards = np.array([math.cos(angle), math.sin(angle)])

        def place(depth: float, towards: FloatArray = towards) -> Model:
            """Put the model where it overlaps the enemy by a depth."""
            least = 0.0
            most = 4.0
            while most - least > 1e-12:
                out = (least + most) / 2.0
                x, y = np.array(enemy.pose.at) + towards * out
                at = model.at(Pose(float(x), float(y), 0.0))
                least, most = (
                    (least, out) if gap(at.footprint, enemy.footprint) > -depth else (out, most)
                )
            return at

        touching = Paths(on, clearance=STRICTLY_BEYOND).length(model, place(0.0))
        for depth in (1e-9, 2e-8, 1e-7, 9.14e-7, 1.2e-6, 1e-5, 5e-4):
            assert Paths(on, clearance=STRICTLY_BEYOND).length(
                model, place(depth)
            ) == pytest.approx(touching, abs=1.5 * depth + 3e-6)


def test_pivots_cost_what_the_profile_says() -> None:
    """A Vehicle on an oval base pays two inches to turn, others nothing; a profile's own value counts first."""
    end = Pose(25, 20, math.radians(30))
    for keywords, pivot, cost in (
        (["vehicle"], None, 2.0),
        (["infantry"], None, 0.0),
        (["vehicle"], 1.5, 1.5),
        (["vehicle", "aircraft"], None, 0.0),
    ):
        own: dict[str, Any] = {"keywords": keywords, **({} if pivot is None else {"pivot": pivot})}
        on = scene(unit([(0, 0)], base="75x42mm oval", **own), {"T": T})
        model = on.charger.models[0]
        assert Paths(on).length(model, model.at(end)) == pytest.approx(5.0 + cost)

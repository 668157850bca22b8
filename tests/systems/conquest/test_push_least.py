"""The displacement of a pushed regiment against a constrained minimisation that knows no candidates."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import edge_normals
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import rectangle
from tests.systems.conquest.test_push import WALLS, WEDGED
from tests.tables import case, resolve, unit

GAP = 1.0


def separations(
    axes: FloatArray, charger: FloatArray, enemy: FloatArray, shift: FloatArray
) -> FloatArray:
    """Return by how much each axis parts the charger from the enemy, moved by a shift."""
    result: FloatArray = ((enemy + shift) @ axes.T).min(axis=0) - (charger @ axes.T).max(axis=0)
    return result


def least_shift(charger: FloatArray, enemy: FloatArray) -> float:
    """Minimise the shift that parts two rectangles by an inch along a normal of one of them, from many starts."""
    axes = np.vstack([edge_normals(charger), -edge_normals(enemy)])
    found = []
    for bearing in np.linspace(0.0, math.tau, 24, endpoint=False):
        start = 12.0 * np.array([math.cos(bearing), math.sin(bearing)])
        parted = axes[int(separations(axes, charger, enemy, start).argmax())]
        keeps = {
            "type": "ineq",
            "fun": lambda shift, axis=parted: (
                separations(axis[None], charger, enemy, shift)[0] - GAP
            ),
        }
        answer = minimize(
            lambda shift: float(shift @ shift),
            start,
            method="SLSQP",
            constraints=[keeps],
            options={"ftol": 1e-14},
        )
        if answer.success and separations(axes, charger, enemy, answer.x).max() >= GAP - 1e-7:
            found.append(math.hypot(*answer.x))
    return min(found)


@pytest.mark.parametrize("facing", [270.0, 272.0, 275.0])
def test_push_is_the_least_there_is(facing: float) -> None:
    """No shift that parts two by an inch on an axis is shorter, also where the one that is pushed stands askew."""
    look = Pose(22.2, 18.0, math.radians(facing))
    units = {**WEDGED, "R": unit(look.point(-3.0, 0.0), facing)}
    resolution = resolve(case(units, WALLS, wheel_policy="least-turn"))
    before = resolution.before.units
    after = resolution.after.units
    assert resolution.rulings[0].metrics["pushed"] == 2
    for name in ("L", "R"):
        moved = math.dist(before[name].pose.at, after[name].pose.at)
        assert moved == pytest.approx(
            least_shift(after["A"].boundary.pieces[0], before[name].boundary.pieces[0]), abs=1e-6
        )


@pytest.mark.parametrize("turn", [0.0, 0.3, -0.6, 1.2])
def test_the_candidates_hold_the_least_shift(turn: float) -> None:
    """The least of the page's candidates is what the minimisation finds, for rectangles at any angle."""
    charger = rectangle(Pose(0.0, 0.0, math.pi / 2), 6.0, 2.0).pieces[0]
    enemy = rectangle(Pose(2.0, 0.5, math.pi / 2 + turn), 4.0, 2.0).pieces[0]
    axes = np.vstack([edge_normals(charger), -edge_normals(enemy)])
    lengths = GAP - separations(axes, charger, enemy, np.zeros(2))
    assert least_shift(charger, enemy) == pytest.approx(float(lengths.min()), abs=1e-6)

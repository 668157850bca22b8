"""Units strung out between their targets: each table is built around a plan, so a move that completes the charge is
known.
"""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from systems.wh40k.declare import declare
from systems.wh40k.feasibility import problem_of
from tabletop.budget import Budget
from tabletop.placement.candidates import Solver
from tabletop.placement.problem import Plan
from tabletop.placement.search import find
from tabletop.ruling.system import Case
from tests.systems.wh40k.tables import Spots, case, ruling, unit

LINK, NEAR = 3.0, 2.0
"""Inches from middle to middle of linked models an inch wide, and of a model and a foe that it engages."""
SHAPES = {
    "pairs at both ends": lambda count: [2, *[1] * (count - 4), 2],
    "a pair at one end": lambda count: [2, *[1] * (count - 5), 2, 1],
    "a ring": lambda count: [1, *[2] * ((count - 1) // 2), *[1] * ((count - 1) % 2)],
}
SHARES = (0.7, 0.85, 0.95, 0.99, 0.9999)
TURNS = 8
SEVEN: Spots = [(10, 10), (10, 11.5), (10, 13), (10, 14.5), (10, 16), (10, 17.5), (11.5, 13.75)]


def strung_out(layers: list[int], share: float, turn: int) -> tuple[Case, float]:
    """Build a column of models beside two targets that their layers join, and a distance that is enough.

    All links, and the ranges of engagement, are used up to a share.
    """
    steps = [
        LINK if first == second == 1 else math.sqrt(LINK**2 - 0.25)
        for first, second in pairwise(layers)
    ]
    along = share * (np.cumsum([0.0, *steps]) - sum(steps) / 2.0)
    plan = np.array(
        [
            (x, y)
            for x, some in zip(along, layers, strict=True)
            for y in ((0.0,) if some == 1 else (0.505, -0.505))
        ]
    )
    foes = [
        (end, 0.0)
        for end in (along[0] - _beyond(layers[0], share), along[-1] + _beyond(layers[-1], share))
    ]
    starts = np.array(
        [(1.2 * (number - (len(plan) - 1) / 2.0), 5.0) for number in range(len(plan))]
    )
    lengths = np.hypot(*(starts[:, None, :] - plan[None, :, :]).transpose(2, 0, 1))
    rows, columns = linear_sum_assignment(lengths**16)
    angle = math.tau * turn / TURNS + 0.1
    ahead = (math.cos(angle), math.sin(angle))
    left = (-math.sin(angle), math.cos(angle))
    turned: list[Spots] = [
        [(10.0 + x * ahead[0] + y * left[0], 10.0 + x * ahead[1] + y * left[1]) for x, y in some]
        for some in (starts, foes)
    ]
    one = case(
        unit(turned[0]),
        {"T": unit(turned[1][:1]), "U": unit(turned[1][1:])},
        targets=("T", "U"),
        total=12,
    )
    return one, float(lengths[rows, columns].max())


def _beyond(abreast: int, share: float) -> float:
    """Return how far a foe may stand beyond a layer whose models engage it."""
    return (
        1.0 + share * (NEAR - 1.0)
        if abreast == 1
        else math.sqrt((1.0 + share * (NEAR - 1.0)) ** 2 - 0.505**2)
    )


def found_within(one: Case, limit: float) -> Plan | None:
    """Look for a plan within a limit."""
    scene = declare(one, one.charges[0], one.state).scene
    return find(Solver(problem_of(scene)).at(limit), budget=Budget()).plan


QUICK = {
    ("pairs at both ends", 7),
    ("a pair at one end", 7),
    ("a ring", 7),
    ("pairs at both ends", 9),
}


@pytest.mark.parametrize(
    ("name", "count"),
    [
        pytest.param(name, count, marks=() if (name, count) in QUICK else pytest.mark.slow)
        for name, count in product(SHAPES, range(5, 10))
    ],
)
def test_a_plan_is_found_wherever_one_is_known(name: str, count: int) -> None:
    """Five to nine models, in every direction, links slack to nearly taut: of the distance that is enough nothing is
    spare but 0.02 in.
    """
    for share, turn in product(
        SHARES[::2] if (name, count) in QUICK else SHARES,
        range(0, TURNS, 3 if (name, count) in QUICK else 1),
    ):
        one, enough = strung_out(SHAPES[name](count), share, turn)
        plan = found_within(one, enough + 0.02)
        assert plan is not None, (share, turn)
        assert max(plan.lengths.values()) <= enough + 0.02


@pytest.mark.parametrize("total", [6, 8, 12])
def test_seven_with_a_pair_at_each_of_two_targets(total: int) -> None:
    """A plan with a longest move of 7.653 in is known; straight to the targets the ends go 5.5 in, and that is enough
    for all.
    """
    others = {"T": unit([(16, 8)]), "U": unit([(16, 22)])}
    found = ruling(unit(SEVEN), others, total=total, targets=("T", "U"))
    assert found.outcome == "success"
    assert found.metrics["needed"] == 6
    assert found.metrics["needed_distance"] == pytest.approx(5.5, abs=1e-3)


def test_seven_fail_at_less_than_the_ends_must_go() -> None:
    """Five inches are too few."""
    others = {"T": unit([(16, 8)]), "U": unit([(16, 22)])}
    assert ruling(unit(SEVEN), others, total=5, targets=("T", "U")).outcome == "failed"


UNEVEN: Spots = [
    (2.856876, 2.793421), (1.623806, 1.94852), (0.216702, 0.98437), (-1.262869, -0.029434),
    (1.97519, 4.080176), (0.78564, 3.265095), (-0.787923, 2.186887),
]  # fmt: skip
"""Seven models of which ends are known that move 8.4594 in at most, the inner one of the pair at U within range of
it."""


@pytest.mark.parametrize("side", [1, -1])
def test_either_of_two_abreast_may_engage(side: int) -> None:
    """Which one of a pair has to engage its foe depends on where the unit comes from; in the mirror it is the other."""
    models: Spots = [(x, side * y) for x, y in UNEVEN]
    foes: Spots = [(-3.216734, side * -7.532022), (12.933399, side * -0.527247)]
    targets = {name: unit([foe], base="40mm round") for name, foe in zip("TU", foes, strict=True)}
    plan = found_within(
        case(unit(models, base="32mm round"), targets, targets=("T", "U"), total=9), 8.46
    )
    assert plan is not None
    assert max(plan.lengths.values()) <= 8.46

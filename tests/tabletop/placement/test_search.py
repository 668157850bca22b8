"""The search for places of loose models, asked of no game at all: discs of an inch on an empty table, whose ways are
straight lines.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tabletop.budget import Budget
from tabletop.geometry.arrays import BoolArray, FloatArray
from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import polygon
from tabletop.placement.candidates import Solver
from tabletop.placement.objective import PlacementObjective
from tabletop.placement.problem import (
    ALL,
    Coherency,
    Engagement,
    ModelGroup,
    Piece,
    PlacementProblem,
    Plan,
    Surface,
)
from tabletop.placement.search import best, find, least_distance
from tabletop.table.models import Model, ModelArray, RoundBase, crowd, gap_matrix
from tabletop.table.state import Board

BUDGET = Budget()
ROUNDING = 1e-6
RANGE = 1.0
LINK = 2.0


@dataclass(frozen=True)
class StraightPaths:
    """Paths of models that nothing hinders."""

    reach: float

    def lengths(
        self, model: Model, ends: FloatArray, heading: float | None = None, *, lost: float = 0.0
    ) -> FloatArray:
        """Measure straight lines; turning is free."""
        assert heading is None or math.isfinite(heading)
        assert lost >= 0.0
        lengths = np.hypot(*(ends[:, :2] - np.array(model.pose.at)).T)
        return np.where(lengths <= self.reach, lengths, np.inf)

    def flights(self, model: Model, ends: FloatArray, *, lost: float) -> FloatArray:
        """Let nobody fly."""
        assert lost >= 0.0
        return np.full(len(ends), math.inf if isinstance(model.base, RoundBase) else math.nan)

    def is_unobstructed(self, model: Model, ends: FloatArray) -> BoolArray:
        """Say of all that they are."""
        return np.full(len(ends), fill_value=isinstance(model.base, RoundBase))


def discs(places: Sequence[Point]) -> ModelArray:
    """Stand discs an inch wide at places relative to (20, 20)."""
    return crowd(
        [
            Model(number, Pose(20.0 + x, 20.0 + y, 0.0), RoundBase(1.0))
            for number, (x, y) in enumerate(places)
        ]
    )


def flat(models: ModelArray) -> ModelGroup:
    """Count models for nothing in height."""
    return ModelGroup(models, np.zeros(len(models.models)))


def problem(
    movers: Sequence[Point],
    *targets: Sequence[Point],
    keep_out: Sequence[Point] = (),
    neighbours: int = 1,
) -> PlacementProblem:
    """Put models and their targets on an empty table."""
    units = [discs(target) for target in targets]
    others = discs(keep_out)
    return PlacementProblem(
        models=discs(movers),
        own_height=0.0,
        pivots=(0.0,) * len(movers),
        targets=tuple(flat(unit) for unit in units),
        keep_out=flat(others),
        bodies=crowd([model for unit in (*units, others) for model in unit.models]),
        board=Board(40.0, 40.0),
        solids=(),
        climbed=(),
        surfaces=(Surface(0.0),),
        free_height=0.0,
        air="nowhere",
        engagement=Engagement(RANGE, 1.0),
        coherency=Coherency(
            len(movers), min(neighbours, len(movers) - 1), LINK, 1.0, single_group=True
        ),
        clearance=1e-3,
        paths=lambda reach, _: StraightPaths(reach),
        farthest=20.0,
        all_closer=False,
        objective=PlacementObjective(("contact",)),
    )


def plan_of(asked: PlacementProblem, limit: float) -> Plan:
    """Return the best plan, which there must be."""
    plan = best(Solver(asked, limit), budget=BUDGET).plan
    assert plan is not None
    return plan


def ends_of(asked: PlacementProblem, plan: Plan) -> ModelArray:
    """Stand the models where a plan has them end."""
    return crowd([model.at(plan.ends[model.number].pose) for model in asked.models.models])


@pytest.mark.parametrize("away", [2.0, 5.5])
def test_one_model_goes_straight_into_contact(away: float) -> None:
    """Its move is what lies between the discs, and to be engaged it needs an inch less: both are proved."""
    asked = problem([(0, 0)], [(away, 0)])
    plan = plan_of(asked, 6.0)
    assert (plan.contacts, plan.engaged, plan.proof) == ((0,), (0,), "exact")
    assert plan.lengths[0] == pytest.approx(away - 1.0, abs=ROUNDING)
    least = least_distance(Solver(asked, math.inf), budget=BUDGET)
    assert least.proof == "exact"
    assert least.distance == pytest.approx(max(away - 1.0 - RANGE, 0.0), abs=ROUNDING)


def test_a_whole_unit_crowds_about_one_foe() -> None:
    """Six discs find room about a seventh, exactly: all touch it, none overlap, and none moves farther than it may."""
    asked = problem([(0.0, 1.2 * number) for number in range(-3, 3)], [(6, 0)])
    plan = plan_of(asked, 9.0)
    ends = ends_of(asked, plan)
    own = gap_matrix(ends, ends)
    np.fill_diagonal(own, np.inf)
    assert (len(plan.contacts), plan.most_contacts) == (6, 6)
    assert np.abs(gap_matrix(ends, asked.target_models.models)).max() <= ROUNDING
    assert own.min() >= -ROUNDING
    assert max(plan.lengths.values()) <= 9.0 + ROUNDING


def test_what_links_cannot_join_is_refused_for_sure() -> None:
    """Two models, two targets: their middles are 3 in apart at most, and each is engaged with what is 2 in away."""
    near, far = (problem([(0, 0), (0, 2)], [(4, -3)], [(4, apart - 3)]) for apart in (6.9, 7.1))
    assert find(Solver(near, 9.0), budget=BUDGET).plan is not None
    answer = find(Solver(far, 9.0), budget=BUDGET)
    assert (answer.plan, answer.proof) == (None, "exact")
    assert find(Solver(far, 9.0, conditions=ALL - {"coherent"}), budget=BUDGET).plan is not None


def test_ranges_are_shunned_where_that_is_asked() -> None:
    """A bystander just beyond the foe leaves the side towards the model; six about the foe leave no place from which to
    engage it.
    """
    asked = problem([(0, 0)], [(6, 0)], keep_out=[(7.1, 0)])
    assert plan_of(asked, 6.0).lengths[0] == pytest.approx(5.0, abs=ROUNDING)
    ring = [
        (6 + 1.2 * math.cos(turn), 1.2 * math.sin(turn)) for turn in np.arange(6) * math.tau / 6
    ]
    shut = problem([(0, 0)], [(6, 0)], keep_out=ring)
    assert find(Solver(shut, 12.0), budget=BUDGET).plan is None
    assert find(Solver(shut, 12.0, conditions=ALL - {"apart"}), budget=BUDGET).plan is not None


def test_a_piece_stands_in_nobodys_place() -> None:
    """Where the nearest place in contact lies in a wall, the model ends in contact flush with that."""
    wall = Piece(polygon([(24.3, 19.3), (25.4, 19.3), (25.4, 20.7), (24.3, 20.7)]), 3.0)
    asked = replace(problem([(0, 0)], [(6, 0)]), solids=(wall,))
    plan = plan_of(asked, 9.0)
    (end,) = ends_of(asked, plan).models
    assert (plan.contacts, plan.proof) == ((0,), "exact")
    assert gap(end.footprint, wall.shape) == pytest.approx(0.0, abs=ROUNDING)


def test_who_may_not_stay_comes_closer() -> None:
    """A second model that is linked where it stands stays, unless all must come closer."""
    asked = problem([(0, 0), (-1, 0)], [(2, 0)])
    stays = plan_of(asked, 1.0)
    comes = plan_of(replace(asked, all_closer=True), 1.0)
    assert stays.lengths == {0: pytest.approx(1.0, abs=ROUNDING), 1: 0.0}
    assert comes.lengths[1] > 0.0

"""Where a base may stand, as far as simple tests tell: nothing that a base can do is excluded."""

import numpy as np
import pytest

from systems.wh40k.feasibility import problem_of
from tabletop.placement.candidates import Solver
from tabletop.placement.legality import may_stand
from tests.systems.wh40k.tables import case, piece, placed, unit
from tests.systems.wh40k.test_regions import scene_of_case

TURNED = {
    "name": "Turned",
    "kind": "block",
    "polygon": placed([(8.0, 0.0), (10.0, 2.0), (8.0, 4.0), (6.0, 2.0)]),
    "height": 3.0,
}


@pytest.mark.parametrize("support", ["full", "centre"])
def test_tops_of_one_height_hold_each_what_is_over_it(support: str) -> None:
    """Of two blocks 3 in high each holds what is on it, to its turned edges and not beyond; nothing holds what is
    between.
    """
    terrain = (piece("block", 2, 0, 5, 4, height=3), TURNED)
    one = case(
        unit([(0.0, -2.0)]), {"T": unit([(3, 8)])}, terrain=terrain, rules={"support": support}
    )
    legality = Solver(problem_of(scene_of_case(one))).at(12.0).legality
    (kind,) = legality.kinds
    dice = np.random.default_rng(2)
    at = np.array([20.0, 20.0]) + dice.uniform((1.0, -1.0), (11.0, 5.0), (400, 2))
    z = np.full(len(at), 3.0)
    legal = legality.are_legal(kind, at, z)
    assert 0 < legal.sum() < len(at)
    assert (may_stand(legality, kind, at, z, off=0.0) == legal).all()
    aside = at + dice.uniform(-0.2, 0.2, at.shape)
    assert may_stand(legality, kind, aside, z, off=0.3)[legal].all()

"""Turns about points of contact: asked in cells of neighbours as each on its own, and ended where guesses say as
without them.
"""

import pytest

from systems.conquest import alignment, search
from systems.conquest.alignment import Alignment
from systems.conquest.attempt import search_of
from systems.conquest.search import SampledWheels
from tests.oracles.conquest.scenes import random_case
from tests.tables import resolve

SCENES = (1, 4, 11, 14, 19, 25, 31, 38, 44, 57, 316, 705)


def tried_in(number: int) -> SampledWheels | None:
    """Return the wheels tried in a random scene, if one reaches a facing."""
    item = random_case(number)
    return search_of(item.charges[0], item.state, choices=item.choices, book=item.book).tried


@pytest.mark.parametrize("number", SCENES)
def test_cells_answer_as_each_wheel_on_its_own(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whom the charger or the target meets on its turn is the same however many wheels are asked together."""
    tried = tried_in(number)
    free = (
        [some.fan for stands in tried.levels for some in tried.free(stands) if len(some.numbers)]
        if tried
        else []
    )
    for fan in free:
        settling = Alignment(fan)
        corner = fan.corner
        turns = [settling.turning] + (
            [settling.target_turning] if fan.corner.scene.target.unit else []
        )
        for one in turns:
            for bodies in (corner.units_around, corner.around, corner.walls):
                monkeypatch.setattr(alignment, "MOST_ALONE", 0)
                together = one.meets(bodies)
                monkeypatch.setattr(alignment, "MOST_ALONE", 10**9)
                assert (together == one.meets(bodies)).all()


@pytest.mark.parametrize("number", [7, 15, 19, 27, 38, 44, 46, 62, 80])
def test_borders_are_where_they_are_without_guesses(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guess spares questions and nothing else."""
    with_guesses = resolve(random_case(number)).rulings[0]
    monkeypatch.setattr(search, "stopping_angles", lambda *_: ())
    without = resolve(random_case(number)).rulings[0]
    assert with_guesses.outcome == without.outcome
    assert with_guesses.metrics == pytest.approx(without.metrics, abs=1e-9)

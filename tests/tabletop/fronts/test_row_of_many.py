"""Many fronts side by side: what fits and what it is worth without trying every order, against every combination of their slides."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from tabletop.fronts import packing as fronts_packing
from tabletop.fronts.packing import Contender, RowLevels, Weights, pack
from tests.tabletop.fronts.test_packing import LENGTHS, Best, brute_force, checked, contender


def random_crowd(seed: int, *, count: int) -> list[Contender]:
    """Make contenders for one side with a few slides each, every half of an inch, and preferences in whole numbers."""
    rng = np.random.default_rng([seed, count])
    made = []
    for name in "ABCDEF"[:count]:
        slides = np.sort(rng.choice(np.arange(-1, LENGTHS[0] + 0.5, 0.5), int(rng.integers(2, 6)), replace=False))
        likes = rng.integers(0, 3, (len(slides), 2)).astype(float)
        made.append(contender(name, 0, 1, slides, likes))
    return made


@pytest.mark.parametrize("is_sum", [False, True], ids=["body first", "sum first"])
@pytest.mark.parametrize("count", [4, 5, 6])
def test_no_combination_of_slides_of_many_serves_the_goals_better(count: int, is_sum: bool) -> None:
    """The goals are those of brute force; where every order was compared the preferences are too."""
    weights, fits = Weights(is_sum=is_sum), 0
    for seed in range(8):
        contenders = random_crowd(seed, count=count)
        packing, expected = pack(contenders, LENGTHS, weights=weights), brute_force(contenders, weights)
        assert (packing is None) is (expected is None)
        if packing is not None and expected is not None:
            fits += 1
            assert packing.is_proven
            assert checked(contenders, packing).totals == packing.totals == expected.totals
            if packing.is_settled:
                assert Best(packing.totals, packing.preferences) == expected
    assert fits > 0


@pytest.mark.parametrize("seed", range(6))
def test_the_sets_that_fit_are_all_found_with_what_they_are_worth(seed: int) -> None:
    """Of five fronts every subset that fits by brute force is listed with its best goals, and no other."""
    contenders, weights = random_crowd(seed, count=5), Weights()
    crowd = RowLevels.of(contenders, weights)
    listed = {frozenset(names): worth for size in range(1, 6) for names, worth, _ in crowd.sets(size)}
    assert crowd.is_complete
    for some in (some for size in range(1, 6) for some in combinations(contenders, size)):
        best = brute_force(list(some), weights)
        assert listed.get(frozenset(one.name for one in some)) == (None if best is None else weights.value(*best.totals))


def test_fronts_without_critical_slides_of_their_own_touch_their_neighbours() -> None:
    """Four fronts of an inch fill a side of four: only the first stands at a slide of its own, the others behind it."""

    def at(name: str, slides: np.ndarray) -> Contender:
        inside = slides[(slides >= 0.0) & (slides <= 3.0)]
        return replace(contender(name, 0, 1, inside), at=lambda other: at(name, other))

    packing = pack([at(name, np.array([0.0])) for name in "ABCD"], LENGTHS, weights=Weights())
    assert packing is not None
    assert sorted(packing.slides.values()) == [0.0, 1.0, 2.0, 3.0]
    assert packing.totals == (4, 4)


@pytest.mark.parametrize("most", [1, 3])
def test_rows_left_out_for_their_number_prove_nothing(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """With few rows kept it is not proven that a set does not fit, nor that nothing is better, unless all possible is had."""
    monkeypatch.setattr(fronts_packing, "MOST_ROWS", most)
    monkeypatch.setattr(fronts_packing, "FEWEST_ROWS", most)
    for seed in range(6):
        contenders = random_crowd(seed, count=5)
        packing, expected = pack(contenders, LENGTHS, weights=Weights()), brute_force(contenders, Weights())
        if packing is None or packing.is_proven:
            assert (packing and packing.totals) == (expected and expected.totals)
        elif packing.slides:
            assert expected is not None
            assert Weights().value(*packing.totals) <= Weights().value(*expected.totals)


@pytest.mark.parametrize("is_sum", [False, True])
def test_weights_give_the_pair_of_counts_back(is_sum: bool) -> None:
    """What orders the pairs tells them apart."""
    weights = Weights(is_sum=is_sum)
    assert [weights.totals(weights.value(*pair)) for pair in ((0, 0), (3, 7), (500, 0))] == [(0, 0), (3, 7), (500, 0)]

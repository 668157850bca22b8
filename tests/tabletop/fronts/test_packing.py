"""Fronts side by side along a body, few or many, against every combination of their slides."""

import math
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
import pytest

from tabletop.fronts import packing as fronts_packing
from tabletop.fronts.packing import (
    Packing,
    PackingItem,
    SubsetProgramme,
    Weights,
    balanced,
    close_under_contact,
    pack,
)
from tabletop.geometry.arrays import FloatArray
from tabletop.units import CONTACT

LENGTHS = (4.0, 3.0, 4.0, 3.0)
"""Of the sides of a body of four files and three ranks, each base an inch square."""
MODELS = 12


def numbers_of(side: int) -> list[int]:
    """List the models that a side shows by number, from where the side begins; each corner's model shows on two
    sides.
    """
    return [[0, 1, 2, 3], [3, 7, 11], [11, 10, 9, 8], [8, 4, 0]][side]


def contender(
    name: str, side: int, files: int, slides: FloatArray, preferences: FloatArray | None = None
) -> PackingItem:
    """Make a front of bases an inch wide; a model is met where the closed intervals of the two meet."""
    meets = np.zeros((len(slides), MODELS), dtype=bool)
    own = np.zeros(len(slides))
    for row, slide in enumerate(slides):
        for place, number in enumerate(numbers_of(side)):
            meets[row, number] = slide <= place + 1 + CONTACT and slide + files >= place - CONTACT
        own[row] = sum(
            slide + file <= LENGTHS[side] + CONTACT and slide + file + 1 >= -CONTACT
            for file in range(files)
        )
    likes = np.zeros((len(slides), 1)) if preferences is None else preferences
    return PackingItem(name, side, float(files), slides, meets, own, likes)


@dataclass(frozen=True)
class Best:
    """What the best combination is worth: the goals' totals and the sums of the preferences."""

    totals: tuple[int, int]
    preferences: tuple[float, ...]


def brute_force(contenders: list[PackingItem], weights: Weights) -> Best | None:
    """Try every combination of slides that does not overlap."""
    found = []
    for picks in product(*(range(len(one.slides)) for one in contenders)):
        places = [
            (one.side, float(one.slides[pick]), one.width)
            for one, pick in zip(contenders, picks, strict=True)
        ]
        if any(overlap(first, second) for first, second in combinations(places, 2)):
            continue
        met = np.any([one.meets[pick] for one, pick in zip(contenders, picks, strict=True)], axis=0)
        own = sum(int(one.own[pick]) for one, pick in zip(contenders, picks, strict=True))
        likes = sum(one.preferences[pick] for one, pick in zip(contenders, picks, strict=True))
        found.append(Best((int(met.sum()), own), tuple(np.asarray(likes).tolist())))
    return max(
        found, key=lambda best: (weights.value(*best.totals), best.preferences), default=None
    )


def overlap(first: tuple[int, float, float], second: tuple[int, float, float]) -> bool:
    """Return whether two fronts overlap: on one side, or both beyond the corner between two sides."""
    (side, slide, width), (other_side, other_slide, other_width) = sorted([first, second])
    if side == other_side:
        return slide < other_slide + other_width - CONTACT and other_slide < slide + width - CONTACT
    if (other_side + 1) % 4 == side:
        (side, slide, width), (other_side, other_slide, other_width) = (
            (other_side, other_slide, other_width),
            (side, slide, width),
        )
    if (side + 1) % 4 != other_side:
        return False
    return slide + width > LENGTHS[side] + CONTACT and other_slide < -CONTACT


def random_contenders(seed: int, *, count: int, sides: tuple[int, ...]) -> list[PackingItem]:
    """Make contenders with slides every quarter of an inch, some of them left out, and preferences in whole numbers."""
    rng = np.random.default_rng([seed, count, *sides])
    made = []
    for number in range(count):
        side = sides[number % len(sides)]
        files = int(rng.integers(1, 5))
        slides = np.sort(
            rng.choice(
                np.arange(-files, LENGTHS[side] + 0.25, 0.25),
                int(rng.integers(3, 12)),
                replace=False,
            )
        )
        made.append(
            contender(
                "ABC"[number],
                side,
                files,
                slides,
                rng.integers(0, 3, (len(slides), 2)).astype(float),
            )
        )
    return made


def checked(contenders: list[PackingItem], packing: Packing) -> Best:
    """Recount a packing from its slides; it must be one of the combinations and overlap nowhere."""
    picks = [int(np.argmin(np.abs(one.slides - packing.slides[one.name]))) for one in contenders]
    assert [float(one.slides[pick]) for one, pick in zip(contenders, picks, strict=True)] == list(
        packing.slides.values()
    )
    places = [
        (one.side, float(one.slides[pick]), one.width)
        for one, pick in zip(contenders, picks, strict=True)
    ]
    assert not any(overlap(first, second) for first, second in combinations(places, 2))
    met = np.any([one.meets[pick] for one, pick in zip(contenders, picks, strict=True)], axis=0)
    own = sum(int(one.own[pick]) for one, pick in zip(contenders, picks, strict=True))
    likes = np.sum(
        [one.preferences[pick] for one, pick in zip(contenders, picks, strict=True)], axis=0
    )
    return Best((int(met.sum()), own), tuple(likes.tolist()))


@pytest.mark.parametrize("is_sum", [False, True], ids=["body first", "sum first"])
@pytest.mark.parametrize(
    "sides", [(0,), (0, 1), (1, 0), (0, 2), (3, 0), (0, 1, 2), (0, 0, 1)], ids=str
)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_combination_of_slides_is_better(
    count: int, sides: tuple[int, ...], is_sum: bool
) -> None:
    """Counts with models met by several once, on one side and around corners, then preferences; none where none
    fits.
    """
    weights = Weights(is_sum=is_sum)
    for seed in range(6):
        contenders = random_contenders(seed, count=count, sides=sides)
        packing = pack(contenders, LENGTHS, weights=weights)
        expected = brute_force(contenders, weights)
        if expected is None:
            assert packing is None
            continue
        assert packing is not None
        assert checked(contenders, packing) == expected
        assert Best(packing.totals, packing.preferences) == expected


@pytest.mark.parametrize(
    ("gap", "fits"),
    [
        pytest.param(0.0, True, id="touching"),
        pytest.param(-1e-7, True, id="a tenth of the tolerance too near"),
        pytest.param(-1e-5, False, id="ten tolerances too near"),
    ],
)
def test_fronts_fit_side_by_side_to_the_tolerance(gap: float, fits: bool) -> None:
    """Two fronts of two files, one at 0, the other just behind its end."""
    pair = [contender("A", 0, 2, np.array([0.0])), contender("B", 0, 2, np.array([2.0 + gap]))]
    assert (pack(pair, LENGTHS, weights=Weights()) is not None) is fits


@pytest.mark.parametrize(
    ("slide", "following", "fits"),
    [
        pytest.param(3.0, -1.0, False, id="both beyond the corner"),
        pytest.param(2.0, -1.0, True, id="one up to the corner"),
        pytest.param(3.0, 0.0, True, id="the other from the corner on"),
        pytest.param(2.0 + 1e-7, -1.0, True, id="beyond it by less than the tolerance"),
        pytest.param(2.0 + 1e-5, -1e-5, False, id="both beyond it by ten tolerances"),
    ],
)
def test_only_one_front_stands_beyond_a_corner(slide: float, following: float, fits: bool) -> None:
    """A front of two files on the first side, another on the side that follows."""
    pair = [contender("A", 0, 2, np.array([slide])), contender("B", 1, 2, np.array([following]))]
    assert (pack(pair, LENGTHS, weights=Weights()) is not None) is fits


@pytest.mark.parametrize(
    ("slide", "following", "fits"),
    [
        pytest.param(1.5, -1.0, True, id="one ends its gap before the corner"),
        pytest.param(2.0, 0.5, True, id="the other begins a gap behind it"),
        pytest.param(2.0, -1.0, False, id="one ends at the corner, the other stands beyond it"),
        pytest.param(3.0, 0.5 - 1e-5, False, id="the gap is ten tolerances too small"),
    ],
)
def test_fronts_around_a_corner_keep_their_gap(slide: float, following: float, fits: bool) -> None:
    """Fronts of two inches that keep half an inch, which their widths include."""
    pair = [
        replace(contender(name, side, 2, np.array([at])), width=2.5)
        for name, side, at in (("A", 0, slide), ("B", 1, following))
    ]
    assert (pack(pair, LENGTHS, weights=Weights(), apart=0.5) is not None) is fits


def test_the_corner_between_the_last_side_and_the_first_counts_too() -> None:
    """Sides go around: what follows the last is the first."""
    pair = [contender("A", 0, 2, np.array([-1.0])), contender("B", 3, 2, np.array([2.0]))]
    assert pack(pair, LENGTHS, weights=Weights()) is None


def test_weights_order_pairs_of_counts() -> None:
    """Models of the body before any number of own ones; or their sum, then the body's."""
    assert Weights().value(3, 0) > Weights().value(2, 100)
    assert Weights(is_sum=True).value(3, 0) < Weights(is_sum=True).value(2, 100)
    assert Weights(is_sum=True).value(3, 1) > Weights(is_sum=True).value(2, 2)
    assert Weights().value(np.array([3.0]), np.array([1.0])).tolist() == [Weights().value(3, 1)]


@pytest.mark.parametrize(
    ("totals", "preferences", "slides", "expected"),
    [
        pytest.param((4, 2), (0.0,), (5.0, 5.0), True, id="more of the body"),
        pytest.param((3, 3), (0.0,), (5.0, 5.0), True, id="more of its own"),
        pytest.param((2, 9), (9.0,), (0.0, 0.0), False, id="less of the body"),
        pytest.param((3, 2), (1.0 + 1e-5,), (5.0, 5.0), True, id="preferred by ten tolerances"),
        pytest.param(
            (3, 2), (1.0 + 1e-7,), (5.0, 5.0), False, id="preferred by less than the tolerance"
        ),
        pytest.param((3, 2), (1.0,), (1.0, 1.0), True, id="the first one's slide is less"),
        pytest.param((3, 2), (1.0,), (1.0, 2.0), False, id="the same"),
    ],
)
def test_packings_are_compared_by_goals_then_preferences_then_slides(
    totals: tuple[int, int],
    preferences: tuple[float, ...],
    slides: tuple[float, float],
    expected: bool,
) -> None:
    """Against one that holds 3 models with 2 at slides 1 and 2; anything is better than nothing."""
    other = Packing({"A": 1.0, "B": 2.0}, (3, 2), (1.0,))
    packing = Packing(dict(zip("AB", slides, strict=True)), totals, preferences)
    assert packing.is_better(other, Weights()) is expected
    assert packing.is_better(None, Weights())


def test_chained_slides_touch_a_chain_that_stands_at_a_critical_slide() -> None:
    """Left and right of each other, directly or with a third between; its own slides stay."""
    closed = close_under_contact({"A": [0.0], "B": [10.0], "C": []}, {"A": 1.0, "B": 2.0, "C": 4.0})
    assert closed["A"].tolist() == [0.0, 10.0 - 4.0 - 1.0, 10.0 - 1.0, 10.0 + 2.0, 10.0 + 2.0 + 4.0]
    assert closed["B"].tolist() == [-4.0 - 2.0, -2.0, 1.0, 1.0 + 4.0, 10.0]
    assert closed["C"].tolist() == [
        -2.0 - 4.0,
        -4.0,
        1.0,
        1.0 + 2.0,
        10.0 - 1.0 - 4.0,
        10.0 - 4.0,
        10.0 + 2.0,
        10.0 + 2.0 + 1.0,
    ]


def test_chains_are_three_fronts_long() -> None:
    """Of four fronts at most two others stand between the one that slides and the end of the chain: the anchor and one
    more.
    """
    closed = close_under_contact(
        {"A": [0.0], "B": [], "C": [], "D": []}, {"A": 1.0, "B": 2.0, "C": 4.0, "D": 8.0}
    )
    assert closed["D"].tolist() == [-8.0 - 4.0, -8.0 - 2.0, -8.0, 1.0, 1.0 + 2.0, 1.0 + 4.0]


@pytest.mark.parametrize("seed", range(5))
def test_balanced_fronts_lie_nearest_to_their_aims(seed: int) -> None:
    """They touch in a row, and shifting the row to either side makes the sum of squares greater."""
    rng = np.random.default_rng(seed)
    widths = rng.uniform(1.0, 5.0, 3)
    aims = rng.uniform(-5.0, 5.0, 3)
    slides = np.array(balanced(widths.tolist(), aims.tolist()))
    assert np.diff(slides) == pytest.approx(widths[:-1])
    least = ((slides - aims) ** 2).sum()
    assert all(((slides + shift - aims) ** 2).sum() > least for shift in (-1e-3, 1e-3))
    assert math.isclose((slides - aims).sum(), 0.0, abs_tol=1e-9)


def random_crowd(seed: int, *, count: int) -> list[PackingItem]:
    """Make contenders for one side with a few slides each, every half of an inch, and preferences in whole numbers."""
    rng = np.random.default_rng([seed, count])
    made = []
    for name in "ABCDEF"[:count]:
        slides = np.sort(
            rng.choice(np.arange(-1, LENGTHS[0] + 0.5, 0.5), int(rng.integers(2, 6)), replace=False)
        )
        likes = rng.integers(0, 3, (len(slides), 2)).astype(float)
        made.append(contender(name, 0, 1, slides, likes))
    return made


@pytest.mark.parametrize("is_sum", [False, True], ids=["body first", "sum first"])
@pytest.mark.parametrize("count", [4, 5, 6])
def test_no_combination_of_slides_of_many_serves_the_goals_better(count: int, is_sum: bool) -> None:
    """The goals are those of brute force; where every order was compared the preferences are too."""
    weights = Weights(is_sum=is_sum)
    fits = 0
    for seed in range(8):
        contenders = random_crowd(seed, count=count)
        packing = pack(contenders, LENGTHS, weights=weights)
        expected = brute_force(contenders, weights)
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
    contenders = random_crowd(seed, count=5)
    weights = Weights()
    crowd = SubsetProgramme.of(contenders, weights)
    listed = {
        frozenset(names): worth for size in range(1, 6) for names, worth, _ in crowd.sets(size)
    }
    assert crowd.is_complete
    for some in (some for size in range(1, 6) for some in combinations(contenders, size)):
        best = brute_force(list(some), weights)
        assert listed.get(frozenset(one.name for one in some)) == (
            None if best is None else weights.value(*best.totals)
        )


def test_fronts_without_critical_slides_of_their_own_touch_their_neighbours() -> None:
    """Four fronts of an inch fill a side of four: only the first stands at a slide of its own, the others behind it."""

    def at(name: str, slides: np.ndarray) -> PackingItem:
        inside = slides[(slides >= 0.0) & (slides <= 3.0)]
        return replace(contender(name, 0, 1, inside), at=lambda other: at(name, other))

    packing = pack([at(name, np.array([0.0])) for name in "ABCD"], LENGTHS, weights=Weights())
    assert packing is not None
    assert sorted(packing.slides.values()) == [0.0, 1.0, 2.0, 3.0]
    assert packing.totals == (4, 4)


@pytest.mark.parametrize("most", [1, 3])
def test_rows_left_out_for_their_number_prove_nothing(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """With few rows kept it is not proven that a set does not fit, nor that nothing is better, unless all possible is
    had.
    """
    monkeypatch.setattr(fronts_packing, "MOST_ROWS", most)
    monkeypatch.setattr(fronts_packing, "FEWEST_ROWS", most)
    for seed in range(6):
        contenders = random_crowd(seed, count=5)
        packing = pack(contenders, LENGTHS, weights=Weights())
        expected = brute_force(contenders, Weights())
        if packing is None or packing.is_proven:
            assert (packing and packing.totals) == (expected and expected.totals)
        elif packing.slides:
            assert expected is not None
            assert Weights().value(*packing.totals) <= Weights().value(*expected.totals)


@pytest.mark.parametrize("is_sum", [False, True])
def test_weights_give_the_pair_of_counts_back(is_sum: bool) -> None:
    """What orders the pairs tells them apart."""
    weights = Weights(is_sum=is_sum)
    assert [weights.totals(weights.value(*pair)) for pair in ((0, 0), (3, 7), (500, 0))] == [
        (0, 0),
        (3, 7),
        (500, 0),
    ]

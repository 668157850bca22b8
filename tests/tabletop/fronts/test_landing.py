"""Slices at one wheel against moves sampled with plain Shapely, and relaxed slices against exact ones."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from tabletop.fronts.approach import PIVOTS, Approach, Halves
from tabletop.fronts.landing import Landing, Slices, landings
from tabletop.fronts.reach import special_angles
from tests.tabletop.fronts.sampling import Landed, Moves, landed, random_scene

FIRSTS = np.arange(0.0, 14.0, 0.0625)
SEEDS = [*range(1, 19), 101, 104]
WHEELS = [0.0, 0.1, 0.4, math.pi / 4, 1.2, math.pi / 2]


def slices(scene: Approach, side: int, wheels: Sequence[float], slack: float = 0.0) -> list[Landing]:
    """Ask for slices of some wheels about one corner."""
    return landings(scene, Slices(np.full(len(wheels), side), np.array(wheels), np.full(len(wheels), slack)))


def holds(found: list[Landing], first: float, low: float, high: float, *, loose: float) -> bool:
    """Tell whether some landing has a first part and meets a span of the facing with it, to `loose` inches."""
    return any(
        one.least - loose <= first <= one.most + loose
        and one.start + one.rate * first - one.blur - loose <= low
        and high <= one.start + one.rate * first + one.extent + one.blur + loose
        for one in found
    )


def sampled(scene: Approach, side: int, wheel: float) -> Landed:
    """Judge moves of one wheel, a sixteenth of an inch apart."""
    return landed(Moves(scene, PIVOTS[side], FIRSTS, np.full(len(FIRSTS), wheel)))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_move_sampled_is_part_of_a_landing(seed: int) -> None:
    """Its first part is in the range, and where it meets the facing is said; without a wheel there is no first part."""
    scene = random_scene(seed)
    for side in (0, 1):
        for wheel in WHEELS:
            found, moves = slices(scene, side, [wheel]), sampled(scene, side, wheel)
            for first, low, high in zip(moves.first.tolist(), moves.low.tolist(), moves.high.tolist(), strict=True):
                assert holds(found, first if wheel > 0.0 else 0.0, low, high, loose=1e-6), (side, wheel, first)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_landing_is_a_legal_move(seed: int) -> None:
    """The middle of its range is legal with a little slack, goes as far as it says and meets the facing there."""
    scene = random_scene(seed)
    for side in (0, 1):
        for landing in slices(scene, side, WHEELS):
            wheel, first = WHEELS[landing.row], (landing.least + landing.most) / 2
            moves = landed(Moves(scene, PIVOTS[side], np.array([first]), np.array([wheel])), slack=2e-6, is_strict=False)
            if landing.most - landing.least > 1e-5:
                assert moves.second == pytest.approx([max(landing.travel + landing.travel_rate * first, 0.0)], abs=1e-6)
                start = min(max(landing.start + landing.rate * first, 0.0), scene.facing.length)
                assert moves.low == pytest.approx([start], abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_a_relaxed_slice_holds_every_wheel_within_its_slack(seed: int) -> None:
    """Between wheels that bring the front flush or square to the facing, each end of each landing is found in the relaxed slice too."""
    scene = random_scene(seed)
    length = scene.facing.length
    for side in (0, 1):
        edges = np.unique([np.linspace(low, high, 4) for low, high in pairwise(special_angles(scene, side))])
        for middle, slack in zip((edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2, strict=True):
            relaxed = [landing.span(length) for landing in slices(scene, side, [middle], slack)]
            for landing in slices(scene, side, np.linspace(middle - slack, middle + slack, 23)[1:-1].tolist()):
                for end in landing.span(length):
                    assert any(low - 1e-6 <= end <= high + 1e-6 for low, high in relaxed), (side, middle, landing)


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_asking_for_a_span_leaves_what_meets_it(seed: int) -> None:
    """Landings cut to a span meet it and lie within those found without."""
    scene = random_scene(seed)
    length = scene.facing.length
    span = (length / 3, length / 2)
    rows = Slices(np.zeros(len(WHEELS), dtype=int), np.array(WHEELS), np.zeros(len(WHEELS)))
    whole, cut = landings(scene, rows), landings(scene, rows, span)
    for landing in cut:
        low, high = landing.span(length)
        assert low <= span[1] + 1e-6
        assert high >= span[0] - 1e-6
        assert any(one.row == landing.row and one.least <= landing.least and landing.most <= one.most for one in whole)
    met = {one.row for one in whole if one.span(length)[0] < span[1] - 1e-6 and one.span(length)[1] > span[0] + 1e-6}
    assert met <= {one.row for one in cut}


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_leaving_out_what_is_far_changes_nothing(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The landings are the same to the last bit when every body is looked at for every slice, exact or relaxed."""
    scene, wheels, slacks = random_scene(seed), np.tile(WHEELS, 4), np.repeat([0.0, 0.05], 2 * len(WHEELS))
    rows = Slices(np.tile(np.repeat([0, 1], len(WHEELS)), 2), wheels, slacks)
    found = landings(scene, rows)
    centres, radii = scene.halves.discs
    monkeypatch.setattr(Halves, "discs", (centres, radii + 1000.0))
    assert landings(random_scene(seed), rows) == found

"""Slices at one wheel against moves sampled with plain Shapely, and relaxed cells against exact slices."""

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from tabletop.fronts.approach import PIVOTS, Approach, PivotFrames
from tabletop.fronts.landing import Landings, WheelCells, landings
from tabletop.geometry.arrays import FloatArray, IntArray, take
from tests.tabletop.fronts.sampling import Landed, Moves, landed, random_scene

FIRSTS = np.arange(0.0, 14.0, 0.0625)
SEEDS = [*range(1, 19), 101, 104]
WHEELS = [0.0, 0.1, 0.4, math.pi / 4, 1.2, math.pi / 2]


def slices(scene: Approach, side: int, wheels: Sequence[float], slack: float = 0.0) -> Landings:
    """Ask for slices of some wheels about one corner."""
    return landings(scene, relaxed(np.full(len(wheels), side), np.array(wheels), slack))


def relaxed(side: IntArray, wheels: FloatArray, slack: FloatArray | float) -> WheelCells:
    """Return cells of wheels that differ by `slack` at most from those asked for."""
    return WheelCells.exact(side, wheels)._replace(low=wheels - slack, high=wheels + slack)


def spans(scene: Approach, found: Landings) -> list[tuple[float, float]]:
    """Return the part of the facing that each landing meets."""
    return list(zip(*(end.tolist() for end in found.spans(scene.facing.length)), strict=True))


def holds(found: Landings, first: float, low: float, high: float, *, loose: float) -> bool:
    """Return whether some landing has a first part and meets a span of the facing with it, to `loose` inches."""
    start = found.start + found.rate * first - found.blur - loose
    end = found.start + found.rate * first + found.extent + found.blur + loose
    return bool(
        (
            (found.least - loose <= first)
            & (first <= found.most + loose)
            & (start <= low)
            & (high <= end)
        ).any()
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
            found = slices(scene, side, [wheel])
            moves = sampled(scene, side, wheel)
            for first, low, high in zip(
                moves.first.tolist(), moves.low.tolist(), moves.high.tolist(), strict=True
            ):
                assert holds(found, first if wheel > 0.0 else 0.0, low, high, loose=1e-6), (
                    side,
                    wheel,
                    first,
                )


@pytest.mark.parametrize("seed", SEEDS)
def test_every_landing_is_a_legal_move(seed: int) -> None:
    """The middle of its range is legal with a little slack, goes as far as it says and meets the facing there."""
    scene = random_scene(seed)
    for side in (0, 1):
        found = slices(scene, side, WHEELS)
        for number, row in enumerate(found.row.tolist()):
            landing = Landings(*take(found, number))
            wheel = WHEELS[row]
            first = (landing.least + landing.most) / 2
            moves = landed(
                Moves(scene, PIVOTS[side], np.array([first]), np.array([wheel])),
                slack=2e-6,
                is_strict=False,
            )
            if landing.most - landing.least > 1e-5:
                assert moves.second == pytest.approx(
                    [max(landing.travel + landing.travel_rate * first, 0.0)], abs=1e-6
                )
                start = min(max(landing.start + landing.rate * first, 0.0), scene.facing.length)
                assert moves.low == pytest.approx([start], abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_a_relaxed_slice_holds_every_wheel_within_its_slack(seed: int) -> None:
    """Between wheels that bring the front flush or square to the facing, each end of each landing is found in the
    relaxed slice too.
    """
    scene = random_scene(seed)
    for side in (0, 1):
        edges = np.unique(
            [np.linspace(low, high, 4) for low, high in pairwise(scene.special_angles[side])]
        )
        for middle, slack in zip(
            (edges[1:] + edges[:-1]) / 2, (edges[1:] - edges[:-1]) / 2, strict=True
        ):
            wide = spans(scene, slices(scene, side, [middle], slack))
            for span in spans(
                scene,
                slices(scene, side, np.linspace(middle - slack, middle + slack, 23)[1:-1].tolist()),
            ):
                for end in span:
                    assert any(low - 1e-6 <= end <= high + 1e-6 for low, high in wide), (
                        side,
                        middle,
                        span,
                    )


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_asking_for_a_span_leaves_what_meets_it(seed: int) -> None:
    """Landings cut to a span meet it and lie within those found without."""
    scene = random_scene(seed)
    length = scene.facing.length
    span = (length / 3, length / 2)
    cells = WheelCells.exact(np.zeros(len(WHEELS), dtype=int), np.array(WHEELS))
    whole = landings(scene, cells)
    cut = landings(scene, cells, span)
    for number, (low, high) in enumerate(spans(scene, cut)):
        assert low <= span[1] + 1e-6
        assert high >= span[0] - 1e-6
        is_around = (whole.least <= cut.least[number]) & (cut.most[number] <= whole.most)
        assert (is_around & (whole.row == cut.row[number])).any()
    first, last = whole.spans(length)
    assert set(whole.row[(first < span[1] - 1e-6) & (last > span[0] + 1e-6)].tolist()) <= set(
        cut.row.tolist()
    )


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_leaving_out_what_is_far_changes_nothing(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The landings are the same to the last bit when every body is looked at for every slice, exact or relaxed."""
    scene = random_scene(seed)
    wheels = np.tile(WHEELS, 4)
    slacks = np.repeat([0.0, 0.05], 2 * len(WHEELS))
    cells = relaxed(np.tile(np.repeat([0, 1], len(WHEELS)), 2), wheels, slacks)
    found = landings(scene, cells)
    centres, radii = scene.frames.discs
    monkeypatch.setattr(PivotFrames, "discs", (centres, radii + 1000.0))
    np.testing.assert_array_equal(landings(random_scene(seed), cells), found)

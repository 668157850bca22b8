"""Places in contact are exact, whatever the bases: held against the signed gap, and against discs by hand."""

import math
import random

import pytest

from tabletop.geometry.distance import gap
from tabletop.geometry.pose import Pose
from tabletop.table.models import BaseShape, Hull, Model, OvalBase, RoundBase
from tabletop.table.state import Base
from tabletop.table.touching import are_simple, place_against_both, place_on_ray

EXACT = 1e-9
BASES: tuple[BaseShape, ...] = (
    RoundBase(1.26),
    RoundBase(3.0),
    OvalBase(2.95, 1.65),
    OvalBase(6.7, 4.13),
    OvalBase(4.0, 0.2),
    Base(1.0, 2.0),
    Base(4.0, 2.5),
    Hull(((1.0, -1.0), (2.0, 0.0), (1.0, 1.0), (-2.0, 1.0), (-2.0, -1.0))),
    Hull(
        (
            (2.0, -2.0),
            (2.0, 2.0),
            (1.5, 2.0),
            (1.5, -1.5),
            (-1.5, -1.5),
            (-1.5, 2.0),
            (-2.0, 2.0),
            (-2.0, -2.0),
        )
    ),
)


def stood(
    number: int, base: BaseShape, x: float = 0.0, y: float = 0.0, degrees: float = 0.0
) -> Model:
    """Stand a model somewhere."""
    return Model(number, Pose(x, y, math.radians(degrees)), base)


def moved(model: Model, at: tuple[float, float] | None) -> Model:
    """Put a model at a place that must be one."""
    assert at is not None
    return model.at(Pose(*at, model.pose.heading))


@pytest.mark.parametrize("needed", [0.0, 0.5])
def test_places_on_rays_are_exact(needed: float) -> None:
    """Of bases of all forms, on the ray, just so far apart, and farther out nowhere nearer."""
    rng = random.Random(5)  # noqa: S311 - sampling, not secrets
    for base in BASES:
        for other in BASES:
            there = stood(0, other, rng.uniform(5, 60), rng.uniform(5, 40), rng.uniform(0, 360))
            model = stood(1, base, degrees=rng.uniform(0, 360))
            bearing = rng.uniform(-math.pi, math.pi)
            at = place_on_ray(model, there, bearing, needed=needed)
            if at is None and other is BASES[-1]:
                continue  # out of the mouth of the U
            here = moved(model, at)
            assert gap(here.footprint, there.footprint) == pytest.approx(needed, abs=EXACT)
            x = here.pose.x - there.pose.x
            y = here.pose.y - there.pose.y
            assert abs(x * math.sin(bearing) - y * math.cos(bearing)) < EXACT
            assert x * math.cos(bearing) + y * math.sin(bearing) > 0
            for step in (1e-3, 0.1, 1.0):
                out = here.at(
                    Pose(
                        here.pose.x + step * math.cos(bearing),
                        here.pose.y + step * math.sin(bearing),
                        here.pose.heading,
                    )
                )
                assert gap(out.footprint, there.footprint) > needed


def test_places_against_two_are_exact() -> None:
    """Of bases of all forms, on the side asked for, touching both."""
    rng = random.Random(7)  # noqa: S311 - sampling, not secrets
    found = 0
    for base in BASES:
        for other in rng.sample(BASES, 4):
            first = stood(0, other, 20.0, 20.0, rng.uniform(0, 360))
            turn = rng.uniform(-math.pi, math.pi)
            second = stood(1, BASES[rng.randrange(len(BASES))], degrees=rng.uniform(0, 360))
            second = moved(second, place_on_ray(second, first, turn, needed=0.1) or (30.0, 20.0))
            model = stood(2, base, degrees=rng.uniform(0, 360))
            for side, sign in (("left", 1.0), ("right", -1.0)):
                at = place_against_both(model, first, second, side)  # type: ignore[arg-type]
                if at is None:
                    continue
                found += 1
                here = moved(model, at)
                assert gap(here.footprint, first.footprint) == pytest.approx(0.0, abs=EXACT)
                assert gap(here.footprint, second.footprint) == pytest.approx(0.0, abs=EXACT)
                x = second.pose.x - first.pose.x
                y = second.pose.y - first.pose.y
                assert sign * (x * (at[1] - first.pose.y) - y * (at[0] - first.pose.x)) >= -EXACT
    assert found > 0.9 * 2 * 4 * len(BASES)


def test_three_discs() -> None:
    """Equal discs that touch stand in a triangle of equal sides; one that just fits between two stands on the line."""
    disc = RoundBase(1.0)
    first = stood(0, disc, 10.0, 10.0)
    second = stood(1, disc, 11.0, 10.0)
    assert place_against_both(stood(2, disc), first, second, "left") == pytest.approx(
        (10.5, 10.0 + math.sqrt(0.75)), abs=1e-12
    )
    assert place_against_both(stood(2, disc), first, second, "right") == pytest.approx(
        (10.5, 10.0 - math.sqrt(0.75)), abs=1e-12
    )
    apart = stood(1, disc, 12.0, 10.0)
    flat = stood(2, OvalBase(1.0, 0.5))
    assert place_against_both(flat, first, stood(1, OvalBase(1.0, 0.5), 19.0, 10.0), "left") is None
    for side in ("left", "right"):
        assert place_against_both(stood(2, disc), first, apart, side) == pytest.approx(
            (11.0, 10.0), abs=1e-9
        )
    assert (
        place_against_both(stood(2, disc), first, stood(1, disc, 12.0 + 1e-6, 10.0), "left") is None
    )
    assert place_against_both(stood(2, disc), first, stood(1, disc, 10.1, 10.0), "left") is not None
    assert (
        place_against_both(stood(2, disc), stood(0, RoundBase(9.0), 10, 10), second, "left") is None
    )


def test_a_ray_passes_a_hull_by() -> None:
    """A hull whose position lies far from it is passed by; one in the way is met from afar."""
    away = stood(0, Hull(((5.0, 1.0), (6.0, 1.0), (6.0, 2.0))), 20.0, 20.0)
    disc = stood(1, RoundBase(1.0))
    assert place_on_ray(disc, away, math.pi) is None
    at = place_on_ray(disc, away, 0.25)
    here = moved(disc, at)
    assert gap(here.footprint, away.footprint) == pytest.approx(0.0, abs=EXACT)
    assert math.dist(here.pose.at, away.pose.at) > 6.0
    aside = stood(1, OvalBase(1.0, 0.5), degrees=30)
    assert place_on_ray(aside, away, -0.1) is None
    assert place_on_ray(aside, away, math.pi) is None


def test_needles_are_met() -> None:
    """Nothing passes a base by whose position lies inside it, however flat the base and aslant the ray."""
    needle = stood(0, OvalBase(39.0, 0.0001), 20.0, 20.0, 33.0)
    disc = stood(1, RoundBase(1.26))
    for degrees in (33.0, 33.001, 34.0, 90.0, 212.9999, 303.0):
        here = moved(disc, place_on_ray(disc, needle, math.radians(degrees)))
        assert gap(here.footprint, needle.footprint) == pytest.approx(0.0, abs=EXACT)


def test_a_ray_that_grazes() -> None:
    """Along the edge of a corner, and where an oval is met ever more aslant: a place in contact, or none."""
    hull = stood(0, Hull(((4.0, 1.0), (8.0, 1.0), (8.0, 2.0), (4.0, 2.0))), 20.0, 20.0)
    disc = stood(1, RoundBase(2.0))
    assert place_on_ray(disc, hull, 0.0) is not None
    assert place_on_ray(stood(1, RoundBase(1.99)), hull, 0.0) is None
    for diameter in (1.9, 1.999, 1.9999999, 2.0, 2.0000001, 2.1):
        oval = stood(1, OvalBase(2.5, diameter))
        at = place_on_ray(oval, hull, 0.0)
        if at is None:
            assert diameter <= 2.0
        else:
            assert gap(moved(oval, at).footprint, hull.footprint) == pytest.approx(0.0, abs=EXACT)


def test_very_rough_outlines_are_not_simple() -> None:
    """Combs of hundreds of teeth are refused before their curves are added."""
    teeth = [(x / 10.0, 1.0 + x % 2) for x in range(300)]
    comb = Hull((*teeth, (29.9, 0.0), (0.0, 0.0)))
    assert not are_simple(stood(0, comb), stood(1, comb))
    assert are_simple(stood(0, BASES[-1]), stood(1, BASES[-1]))

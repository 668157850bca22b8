"""Silhouettes of units from above, as polygons in a unit square about (0, 0), x to the right and y ahead.

Each is recognisable by its outline alone. `bodies` are filled with the side's colour and pattern, `parts` are dark and
drawn over them.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import shapely

from plots.marks.mark import Points
from tabletop.geometry.pose import Point
from tabletop.table.state import Silhouette


@dataclass(frozen=True)
class Drawn:
    """Rings of a silhouette: those of its body, and dark parts over them."""

    bodies: tuple[Points, ...]
    parts: tuple[Points, ...] = ()


def mirrored(*right: tuple[float, float]) -> Points:
    """Return a ring symmetric about x = 0 from the vertices of its right half, given from front to rear."""
    return (*right, *((-x, y) for x, y in reversed(right) if x))


def both(ring: Points) -> tuple[Points, Points]:
    """Return a ring, given for the right side, and its mirror image about x = 0."""
    return (ring, tuple((-x, y) for x, y in reversed(ring)))


def box(west: float, south: float, east: float, north: float) -> Points:
    """Return the corners of a rectangle, clockwise from the upper left."""
    return ((west, north), (east, north), (east, south), (west, south))


def oval(at: tuple[float, float], across: float, along: float, corners: int = 12) -> Points:
    """Return a polygon on an ellipse about the point `at`, with half axes `across` along x and `along` along y."""
    turns = [math.tau * (number + 0.5) / corners for number in range(corners)]
    return tuple(
        (round(at[0] + across * math.sin(turn), 4), round(at[1] + along * math.cos(turn), 4))
        for turn in turns
    )


def blade(at: tuple[float, float], reach: float, half: float, turn: float) -> Points:
    """Return a rectangle about the point `at` with half length `reach` and half width `half`, turned by `turn`
    radians.
    """
    cos = math.cos(turn)
    sin = math.sin(turn)
    corners = ((-reach, half), (reach, half), (reach, -half), (-reach, -half))
    return tuple(
        (round(at[0] + x * cos - y * sin, 4), round(at[1] + x * sin + y * cos, 4))
        for x, y in corners
    )


SOLDIERS = ((0.0, 0.33), (0.31, 0.14), (-0.31, 0.14), (0.31, -0.22), (-0.31, -0.22), (0.0, -0.37))
"""Positions of the six soldiers of a squad; the centre is left free for the name."""

WALKER = Drawn(
    (
        mirrored(
            *(
                (0.08, 0.36),
                (0.12, 0.19),
                (0.27, 0.16),
                (0.30, 0.42),
                (0.44, 0.42),
                (0.47, -0.06),
                (0.36, -0.19),
                (0.26, -0.22),
            ),
            *((0.29, -0.47), (0.07, -0.47), (0.06, -0.27)),
        ),
    ),
    (
        mirrored((0.045, 0.32), (0.07, 0.22)),
        *both(box(0.325, 0.32, 0.415, 0.42)),
        *both(box(0.085, -0.45, 0.265, -0.385)),
    ),
)

FOUR_LEGS = Drawn(
    (
        mirrored(
            *(
                (0.08, 0.47),
                (0.12, 0.30),
                (0.20, 0.25),
                (0.28, 0.42),
                (0.42, 0.42),
                (0.44, 0.26),
                (0.30, 0.10),
                (0.25, -0.12),
            ),
            *((0.42, -0.24), (0.42, -0.43), (0.28, -0.43), (0.19, -0.30), (0.08, -0.34)),
        ),
    ),
    (
        mirrored((0.045, 0.43), (0.07, 0.33)),
        *both(box(0.30, 0.35, 0.41, 0.42)),
        *both(box(0.29, -0.42, 0.41, -0.35)),
    ),
)

LIGHT_WALKER = Drawn(
    (
        mirrored(
            *(
                (0.07, 0.24),
                (0.17, 0.20),
                (0.25, 0.10),
                (0.34, 0.13),
                (0.36, -0.08),
                (0.24, -0.14),
                (0.25, -0.38),
                (0.09, -0.38),
            ),
            (0.07, -0.20),
        ),
    ),
    (box(-0.045, 0.20, 0.045, 0.46), *both(box(0.105, -0.37, 0.235, -0.30))),
)

TRACKED = Drawn(
    (
        mirrored((0.22, 0.37), (0.38, 0.37), (0.38, -0.40), (0.22, -0.40)),
        mirrored((0.11, 0.17), (0.19, 0.08), (0.19, -0.20), (0.14, -0.26)),
    ),
    (*both(box(0.25, -0.40, 0.38, 0.37)), box(-0.03, 0.17, 0.03, 0.49)),
)

WHEELED = Drawn(
    (
        mirrored((0.12, 0.42), (0.24, 0.30), (0.24, -0.40)),
        mirrored((0.09, 0.15), (0.16, 0.07), (0.16, -0.20), (0.11, -0.26)),
    ),
    (
        *(
            wheel
            for low in (0.12, -0.12, -0.36)
            for wheel in both(box(0.24, low, 0.36, low + 0.18))
        ),
        box(-0.03, 0.15, 0.03, 0.46),
    ),
)

HOVER = Drawn(
    (
        mirrored((0.14, 0.45), (0.28, 0.36), (0.36, 0.20), (0.36, -0.34), (0.28, -0.42)),
        mirrored((0.10, 0.36), (0.20, 0.29), (0.26, 0.17), (0.26, -0.12)),
    ),
    (*both(oval((0.17, -0.27), 0.115, 0.115)),),
)

FOOT = Drawn(
    tuple(oval((x, y), 0.125, 0.075) for x, y in SOLDIERS),
    tuple(part for x, y in SOLDIERS for part in (oval((x, y), 0.045, 0.045, 8),)),
)

ROTOR_TURNS = (math.radians(30.0), math.radians(150.0), math.radians(270.0))
"""Three blades about a hub; two crossed ones would look like the mark of a lost model."""

ROTOR = Drawn(
    (
        mirrored(
            (0.06, 0.44),
            (0.14, 0.34),
            (0.16, 0.06),
            (0.09, -0.14),
            (0.045, -0.33),
            (0.16, -0.38),
            (0.16, -0.46),
        ),
    ),
    (
        oval((0.0, 0.07), 0.06, 0.06, 8),
        *(
            blade((0.23 * math.cos(turn), 0.07 + 0.23 * math.sin(turn)), 0.19, 0.028, turn)
            for turn in ROTOR_TURNS
        ),
        mirrored((0.04, 0.42), (0.08, 0.33)),
    ),
)

GROUND_EFFECT = Drawn(
    (
        mirrored(
            *(
                (0.08, 0.46),
                (0.15, 0.36),
                (0.15, 0.18),
                (0.44, 0.14),
                (0.44, -0.12),
                (0.15, -0.16),
                (0.11, -0.34),
                (0.26, -0.36),
            ),
            (0.26, -0.45),
        ),
    ),
    (mirrored((0.05, 0.42), (0.10, 0.34)), *both(box(0.19, 0.16, 0.27, 0.27))),
)

AIRSHIP = Drawn(
    (
        mirrored(
            *(
                (0.07, 0.48),
                (0.17, 0.38),
                (0.23, 0.18),
                (0.23, -0.08),
                (0.17, -0.26),
                (0.30, -0.36),
                (0.30, -0.46),
                (0.12, -0.42),
            ),
            (0.05, -0.48),
        ),
    ),
    (box(-0.022, -0.48, 0.022, -0.30), mirrored((0.05, 0.40), (0.06, 0.29))),
)

AEROPLANE = Drawn(
    (
        mirrored(
            *(
                (0.035, 0.49),
                (0.09, 0.30),
                (0.11, 0.16),
                (0.45, -0.13),
                (0.45, -0.23),
                (0.12, -0.14),
                (0.09, -0.32),
                (0.20, -0.40),
            ),
            *((0.20, -0.46), (0.04, -0.44)),
        ),
    ),
    (mirrored((0.03, 0.36), (0.05, 0.24)), *both(box(0.26, -0.17, 0.30, 0.06))),
)

SHIP = Drawn(
    (
        oval((0.0, -0.06), 0.40, 0.40, 24),
        mirrored((0.10, 0.20), (0.26, 0.04), (0.26, -0.16), (0.10, -0.32)),
    ),
    (
        mirrored((0.0, 0.49), (0.17, 0.31)),
        *(foot for y in (0.23, -0.35) for foot in both(box(0.27, y - 0.06, 0.37, y + 0.06))),
    ),
)

MOUNTED = Drawn(
    (
        mirrored(
            (0.06, 0.49),
            (0.09, 0.34),
            (0.07, 0.24),
            (0.17, 0.12),
            (0.18, -0.30),
            (0.11, -0.42),
            (0.03, -0.49),
        ),
    ),
    (oval((0.0, -0.04), 0.20, 0.10), oval((0.0, -0.04), 0.075, 0.075, 8)),
)

BEAST = Drawn(
    (
        mirrored(
            (0.05, 0.49),
            (0.12, 0.34),
            (0.16, 0.20),
            (0.22, 0.30),
            (0.27, 0.18),
            (0.17, -0.02),
            (0.15, -0.18),
            (0.24, -0.32),
            (0.12, -0.36),
            (0.03, -0.49),
        ),
    )
)

MONSTER = Drawn(
    (
        mirrored(
            *(
                (0.07, 0.47),
                (0.14, 0.34),
                (0.12, 0.24),
                (0.27, 0.26),
                (0.41, 0.38),
                (0.46, 0.28),
                (0.34, 0.06),
                (0.31, -0.14),
            ),
            *((0.38, -0.34), (0.20, -0.34), (0.09, -0.28), (0.02, -0.49)),
        ),
    ),
    both(oval((0.055, 0.36), 0.028, 0.028, 8)),
)

DRAWN: Mapping[Silhouette, Drawn] = {
    "walker": WALKER,
    "four_legs": FOUR_LEGS,
    "light_walker": LIGHT_WALKER,
    "tracked": TRACKED,
    "wheeled": WHEELED,
    "hover": HOVER,
    "foot": FOOT,
    "mounted": MOUNTED,
    "beast": BEAST,
    "monster": MONSTER,
    "rotor": ROTOR,
    "ground_effect": GROUND_EFFECT,
    "airship": AIRSHIP,
    "aeroplane": AEROPLANE,
    "ship": SHIP,
}

UNKNOWN_SILHOUETTE = Drawn((mirrored((0.0, 0.42), (0.36, 0.10), (0.36, -0.32)),))
"""House whose roof points ahead, for a unit without a silhouette of its own."""

SOLDIER = (oval((0.0, -0.02), 0.34, 0.21, 10), oval((0.0, 0.05), 0.14, 0.14, 6))
"""Person on foot: shoulders and head, on a base of size one."""

DISC, LONG, SNUG, SMALL = 16, 1.3, 0.86, 1.4
"""Vertices of a disc; ratio of length to width above which a base, and so its figure, is long; share of the base that a
figure fills; base size in inches up to which a figure is a person on foot."""

TRIED_SIZES = 24
"""Sizes tried on a base that narrows towards its ends."""

RANKS: Mapping[Silhouette, tuple[Points, ...]] = {
    "foot": tuple(
        tuple((x + 0.58 * right, y + 0.58 * ahead) for right, ahead in ring)
        for x, y in ((-0.25, 0.25), (0.25, 0.25), (-0.25, -0.25), (0.25, -0.25))
        for ring in SOLDIER
    )
}
"""Silhouette of each figure where several share a base: they are on foot."""


def figures(silhouette: Silhouette | None, width: float, depth: float) -> tuple[Points, ...]:
    """Return the rings of the figure on a base, in inches about its centre: the silhouette's, or by default what such a
    base holds.

    The default is a rider on a deep base, a person on foot on a small one, else a disc, elongated on a long base.
    """
    least = min(width, depth)
    if silhouette is not None:
        return _sized(RANKS.get(silhouette) or DRAWN[silhouette].bodies, 0.9 * least)
    if depth > LONG * width:
        return _sized(
            (*MOUNTED.bodies, oval((0.0, -0.04), 0.20, 0.10, DISC)), min(0.9 * depth, 2.0 * width)
        )
    if width <= LONG * depth and least <= SMALL:
        return _sized(SOLDIER, least)
    across, along = (width, depth) if width > LONG * depth else (least, least)
    return (oval((0.0, 0.0), 0.33 * across, 0.33 * along, DISC),)


def _sized(rings: Iterable[Points], size: float) -> tuple[Points, ...]:
    return tuple(tuple((size * x, size * y) for x, y in ring) for ring in rings)


def fitted(silhouette: Silhouette, base: Points) -> tuple[Points, ...]:
    """Return a silhouette's rings scaled to the largest tried size that fits inside a base; empty if none fits."""
    rings = (*DRAWN[silhouette].bodies, *DRAWN[silhouette].parts)
    room = shapely.Polygon(base)
    west, south, east, north = room.bounds
    across, along = (
        2 * max(abs(point[axis]) for ring in rings for point in ring) for axis in (0, 1)
    )
    whole = SNUG * min((east - west) / across, (north - south) / along)
    made = (
        (_about((west + east) / 2, (south + north) / 2, whole * share / TRIED_SIZES), rings)
        for share in range(TRIED_SIZES, 0, -1)
    )
    tried = (
        tuple(tuple(place(point) for point in ring) for ring in drawn) for place, drawn in made
    )
    return next(
        (
            one
            for one in tried
            if all(shapely.covers(room, shapely.LineString(ring)) for ring in one)
        ),
        (),
    )


def _about(x: float, y: float, size: float) -> Callable[[Point], Point]:
    return lambda point: (x + size * point[0], y + size * point[1])


def drawn_as(silhouette: Silhouette | None) -> Drawn:
    """Return the rings of a silhouette; for None those of a house whose roof points ahead."""
    return UNKNOWN_SILHOUETTE if silhouette is None else DRAWN[silhouette]

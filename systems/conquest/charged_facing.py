"""The charged facing: which side's arc held how much of the charger, and in which order the sides are tried."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from systems.conquest.scene import Scene
from tabletop.geometry.shape import edge_normals
from tabletop.table.arc import area, between_rays, bisectors, clipped
from tabletop.table.facing import Facing, FacingName
from tabletop.units import FLUSH, wrapped

AREA = 1e-6
"""Square inches within which two areas are equal."""

SIDES_BY_CORNER: tuple[FacingName, ...] = ("rear", "right", "front", "left")
"""Names of a regiment's sides in the order of its corners: from the rear left one, counter-clockwise."""

ORDERS: dict[str, tuple[FacingName, ...]] = {
    "front-first": ("front", "right", "left", "rear"),
    "flank-first": ("right", "left", "front", "rear"),
}


@dataclass(frozen=True, eq=False)
class Charged:
    """A side of the target: its line, the area of the charger's frame in its arc (square inches), and its name if it has one."""

    facing: Facing
    area: float
    name: FacingName | None

    @cached_property
    def bearing(self) -> float:
        """Direction of the outward normal in radians, from 0 up to a whole turn."""
        x, y = self.facing.normal
        bearing = math.atan2(y, x) % math.tau
        return bearing if math.tau - bearing > FLUSH else 0.0

    @property
    def heading(self) -> float:
        """The heading of a front that lies flush on it, in radians."""
        return wrapped(self.bearing + math.pi)

    @property
    def label(self) -> str:
        """What to call it in a sentence."""
        return self.name or f"side at {math.degrees(self.bearing):.0f} degrees"


def facings(scene: Scene) -> tuple[Charged, ...]:
    """List the target's sides in the order in which they are tried: the greatest area first."""
    sides = sorted(_sides(scene), key=lambda side: _rank(scene, side))
    areas = np.array([side.area for side in sides])
    ordered: list[Charged] = []
    for _ in sides:
        tied = int((areas >= areas.max() - AREA).argmax())
        ordered.append(sides[tied])
        areas[tied] = -np.inf
    return tuple(ordered)


def _sides(scene: Scene) -> list[Charged]:
    ring, body = scene.target.ring, scene.charger.boundary.pieces[0]
    normals, rays = edge_normals(ring), bisectors(ring)
    found = []
    for number, (x, y) in enumerate(normals.tolist()):
        scene.keep_time()
        name = SIDES_BY_CORNER[number] if scene.target.unit else None
        start, end = ring[(number + 1) % len(ring)], ring[number]
        facing = Facing(name or "front", (float(start[0]), float(start[1])), (y, -x), (x, y), math.dist(start, end))
        found.append(Charged(facing, area(clipped(body, between_rays(ring, number, normals=normals, rays=rays))), name))
    return found


def _rank(scene: Scene, side: Charged) -> float:
    """Rank equal areas: a regiment's by the choice, a garrison's by the direction they look in."""
    return ORDERS[scene.choices.facing_tie].index(side.name) if side.name else side.bearing

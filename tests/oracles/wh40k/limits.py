"""What must hold where models end, each limit as a signed margin in inches: negative where it is broken."""

from collections.abc import Mapping

import numpy as np
import shapely

from tests.oracles.wh40k.table import LEVEL, Discs, Floats, Solid, Table

ENGAGED, ENGAGED_UP = 1.0, 5.0
COHERENT, COHERENT_UP = 2.0, 5.0
LARGE = 7
CONTACT = 1e-6


def margins(table: Table, ends: Discs) -> Mapping[str, float]:
    """Measure every limit on where the models end."""
    return {
        "engaged": min(float(_engagement(ends, target).max()) for target in table.targets),
        "apart": -float(_engagement(ends, table.others).max(initial=-np.inf)),
        "coherent": _coherency(ends),
        "clear": _clearance(table, ends),
        "board": _room(table, ends),
        "support": min((_support(table, ends, number) for number in range(len(ends))), default=np.inf),
        "roll": table.distance - float(straight(table, ends).max()),
        "closer": float(_approach(table, ends).min()),
    }


def contacts(table: Table, ends: Discs, *, slack: float = CONTACT) -> tuple[int, ...]:
    """Give the rows of the models in base contact with a target."""
    touching = [(np.abs(ends.gaps(target)) <= slack) & (ends.rises(target) <= slack) for target in table.targets]
    return tuple(int(row) for row in np.flatnonzero(np.hstack(touching).any(axis=1)))


def engaged(table: Table, ends: Discs) -> int:
    """Count the models that are engaged with a target."""
    within = np.hstack([_engagement(ends, target) for target in table.targets])
    return int((within.max(axis=1) >= -CONTACT).sum())


def straight(table: Table, ends: Discs) -> Floats:
    """Give the least that each model (n,) must have moved: straight in plan, and up or down."""
    across: Floats = np.hypot(*(ends.centres - table.charger.centres).T)
    return across + np.abs(ends.heights - table.charger.heights)


def _engagement(ends: Discs, unit: Discs) -> Floats:
    return np.minimum(ENGAGED - ends.gaps(unit), ENGAGED_UP - ends.rises(unit))


def _coherency(ends: Discs) -> float:
    """Measure the worst of the neighbours asked for, and the weakest link of the strongest tree that joins all."""
    if len(ends) == 1:
        return np.inf
    near = np.minimum(COHERENT - ends.gaps(ends), COHERENT_UP - ends.rises(ends))
    np.fill_diagonal(near, -np.inf)
    asked = 2 if len(ends) >= LARGE else 1
    neighbours = float(np.sort(near, axis=1)[:, -asked].min())
    joined, weakest = {0}, np.inf
    while len(joined) < len(ends):
        rest = [row for row in range(len(ends)) if row not in joined]
        block = near[np.ix_(sorted(joined), rest)].max(axis=0)
        weakest = min(weakest, float(block.max()))
        joined.add(rest[int(block.argmax())])
    return min(neighbours, weakest)


def _clearance(table: Table, ends: Discs) -> float:
    own = np.where(ends.rises(ends) <= LEVEL, ends.gaps(ends), np.inf)
    np.fill_diagonal(own, np.inf)
    least = float(own.min())
    for unit in (table.enemies, table.friends):
        least = min(least, float(np.where(ends.rises(unit) <= LEVEL, ends.gaps(unit), np.inf).min(initial=np.inf)))
    return least


def _room(table: Table, ends: Discs) -> float:
    edges = np.minimum(ends.centres, np.array(table.size) - ends.centres).min(axis=1)
    return float((edges - ends.radii).min())


def _support(table: Table, ends: Discs, row: int) -> float:
    centre, radius, height = shapely.Point(ends.centres[row]), float(ends.radii[row]), float(ends.heights[row])
    if height <= LEVEL:
        return min((outside(solid, centre) - radius for solid in table.solids), default=np.inf)
    tops = [solid for solid in table.solids if solid.holds and abs(solid.height - height) <= LEVEL]
    return max((-outside(solid, centre) - radius for solid in tops), default=-np.inf)


def outside(solid: Solid, shape: shapely.Geometry) -> float:
    """Measure how far a point is outside a piece, negative inside."""
    away = float(solid.area.distance(shape))
    return away if away > 0.0 else -float(solid.area.exterior.distance(shape))


def _approach(table: Table, ends: Discs) -> Floats:
    """Measure how much closer each model (n,) is to one of the targets; infinite for those that stayed."""
    gained = np.max([table.charger.distances(target) - ends.distances(target) for target in table.targets], axis=0)
    has_stayed = np.all(ends.centres == table.charger.centres, axis=1) & (ends.heights == table.charger.heights)
    approach: Floats = np.where(has_stayed, np.inf, gained)
    return approach

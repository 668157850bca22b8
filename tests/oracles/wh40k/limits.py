"""What must hold where models end, each limit as a signed margin in inches: negative where it is broken."""

from collections.abc import Iterator, Mapping

import numpy as np

from tests.oracles.wh40k.around import least_moved
from tests.oracles.wh40k.bodies import Bodies, Floats, Form, parted, shortest
from tests.oracles.wh40k.table import LEVEL, Piece, Table

ENGAGED = 1.0
ENGAGED_UP = 5.0
ENGAGED_ACROSS = 2.0
COHERENT = 2.0
COHERENT_UP = 5.0
LARGE = 7
CONTACT = 1e-6


def margins(table: Table, ends: Bodies) -> Mapping[str, float]:
    """Measure every limit on where the models end."""
    return {
        "engaged": min(float(engagement(table, ends, target).max()) for target in table.targets),
        "apart": -float(engagement(table, ends, table.others).max(initial=-np.inf)),
        "coherent": coherency(table, ends),
        "clear": _clearance(table, ends),
        "board": float(room(table, ends).min()),
        "support": min((support(table, ends, row) for row in range(len(ends))), default=np.inf),
        "roll": table.distance - float(least_moved(table, ends).max()),
        "closer": float(_approach(table, ends).min()),
    }


def contacts(table: Table, ends: Bodies, *, slack: float = CONTACT) -> tuple[int, ...]:
    """Return the rows of the models in base contact with a target."""
    touching = [
        (np.abs(ends.gaps(target)) <= slack) & (_steps(ends, target) <= slack)
        for target in table.targets
    ]
    return tuple(int(row) for row in np.flatnonzero(np.hstack(touching).any(axis=1)))


def engaged(table: Table, ends: Bodies) -> int:
    """Count the models that are engaged with a target."""
    within = np.hstack([engagement(table, ends, target) for target in table.targets])
    return int((within.max(axis=1) >= -CONTACT).sum())


def engagement(table: Table, ends: Bodies, unit: Bodies) -> Floats:
    """Measure how far (n, m) models are within engagement range of others, the longer one where a barricade lies
    between.
    """
    gaps = ends.gaps(unit)
    across: Floats = ENGAGED - gaps
    for row, column in (
        np.argwhere((across < 0.0) & (gaps <= ENGAGED_ACROSS + 1.0)) if table.barricades else ()
    ):
        line = shortest(ends, int(row), unit, int(column))
        if any(line.distance(area) <= CONTACT for area in table.barricades):
            across[row, column] = ENGAGED_ACROSS - gaps[row, column]
    return np.minimum(across, ENGAGED_UP - ends.rises(unit))


def _steps(ends: Bodies, unit: Bodies) -> Floats:
    """Measure how much higher or lower (n, m) models stand than others."""
    return np.asarray(np.abs(ends.heights[:, None] - unit.heights[None]))


def coherency(table: Table, ends: Bodies) -> float:
    """Measure the worst of the neighbours asked for, and the weakest link of the strongest tree that joins all."""
    if len(ends) == 1:
        return np.inf
    near = np.minimum(COHERENT - ends.gaps(ends), COHERENT_UP - ends.rises(ends))
    np.fill_diagonal(near, -np.inf)
    asked = 2 if len(ends) >= LARGE else 1
    neighbours = float(np.sort(near, axis=1)[:, -asked].min())
    if not table.readings.is_grouped:
        return neighbours
    joined = {0}
    weakest = np.inf
    while len(joined) < len(ends):
        rest = [row for row in range(len(ends)) if row not in joined]
        block = near[np.ix_(sorted(joined), rest)].max(axis=0)
        weakest = min(weakest, float(block.max()))
        joined.add(rest[int(block.argmax())])
    return min(neighbours, weakest)


def _clearance(table: Table, ends: Bodies) -> float:
    own = np.where(_steps(ends, ends) <= LEVEL, ends.gaps(ends), np.inf)
    np.fill_diagonal(own, np.inf)
    least = float(own.min())
    for unit in (table.enemies, table.friends):
        least = min(
            least,
            float(
                np.where(_steps(ends, unit) <= LEVEL, ends.gaps(unit), np.inf).min(initial=np.inf)
            ),
        )
    return least


def room(table: Table, ends: Bodies) -> Floats:
    """Measure how far (n,) models are inside the board."""
    ways = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    reach = {
        turned: turned[0].reach(turned[1], ways) for turned in map(ends.turned, range(len(ends)))
    }
    east, north, west, south = (
        np.array([reach[ends.turned(row)] for row in range(len(ends))]).reshape(-1, 4).T
    )
    x, y = ends.centres.T
    return np.asarray(
        np.min([table.size[0] - x - east, table.size[1] - y - north, x - west, y - south], axis=0)
    )


def support(table: Table, ends: Bodies, row: int) -> float:
    """Measure how well a model's end is held: in nothing solid, and on the table, a top or a floor."""
    height = float(ends.heights[row])
    clear = min(
        (outside(piece, ends, row) for piece in table.solids if piece.height > height + LEVEL),
        default=np.inf,
    )
    if height <= LEVEL:
        return clear
    return min(clear, max((depth for depth in _held(table, ends, row)), default=-np.inf))


def _held(table: Table, ends: Bodies, row: int) -> Iterator[float]:
    for piece in (*table.solids, *table.crates, *table.floors):
        if piece.holds and abs(piece.height - float(ends.heights[row])) <= LEVEL:
            by_centre = table.readings.holds_centre and piece not in table.floors
            yield inside(piece, ends, row, by_centre=by_centre)


def outside(piece: Piece, ends: Bodies, row: int) -> float:
    """Measure how far a model is outside a piece, negative: how deep it is in it."""
    return float(parted(ends.turned(row), (piece.form, 0.0), -ends.centres[row][None])[0])


def inside(piece: Piece, ends: Bodies, row: int, *, by_centre: bool = False) -> float:
    """Measure how far a model, or its centre, is inside a piece all of whose edges face out."""
    corners = np.array(piece.form.corners)
    edges = np.roll(corners, -1, axis=0) - corners
    out = np.column_stack([edges[:, 1], -edges[:, 0]]) / np.hypot(edges[:, 0], edges[:, 1])[:, None]
    form, heading = (Form(), 0.0) if by_centre else ends.turned(row)
    left = ((corners - ends.centres[row]) * out).sum(axis=1) - form.reach(heading, out)
    return float(left.min())


def _approach(table: Table, ends: Bodies) -> Floats:
    """Measure how much closer each model (n,) is to one of the targets; infinite for those that stayed and may."""
    gained = np.max(
        [table.charger.distances(target) - ends.distances(target) for target in table.targets],
        axis=0,
    )
    if table.readings.all_closer:
        return np.asarray(gained)
    has_stayed = np.all(ends.centres == table.charger.centres, axis=1) & (
        ends.heights == table.charger.heights
    )
    has_stayed &= ends.headings == table.charger.headings
    approach: Floats = np.where(has_stayed, np.inf, gained)
    return approach

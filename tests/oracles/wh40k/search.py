"""A search that shares nothing with the solver: up to three models on a dense set of places, each reached straight or
round one corner.

It may miss what needs a cleverer way or a tighter fit, but whatever it finds can be done: the solver must find as much.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import shapely
from numpy.typing import NDArray

from tests.oracles.wh40k.bodies import Bodies, Floats, Form, Turned, joined, parted
from tests.oracles.wh40k.limits import (
    COHERENT,
    COHERENT_UP,
    ENGAGED,
    contacts,
    engagement,
    room,
    support,
)
from tests.oracles.wh40k.table import LEVEL, Piece, Table, walked

Flags = NDArray[np.bool_]
SURE = 1e-3
"""Inches by which a place must keep every limit to count."""
ANGLES = 90
GAPS = (0.0, 0.5, ENGAGED - SURE, 1.6, 2.4)
"""Gaps to enemies at which places are tried."""
GRID = 0.5
MOST = 3
"""Models of a unit that is searched."""
MOST_PLACES = {1: 6000, 2: 900, 3: 300}
"""Places of each model that are looked at together, by how many models there are."""
TURNS, ROUNDS = 12, (1.0, 2.5)
"""Directions in which a way may first lead aside, and by how many inches."""


@dataclass(frozen=True, eq=False)
class Places:
    """Ends of one model that keep all limits that it can keep alone: bodies (k), whether they touch (k,), and engage
    targets (k, t).
    """

    ends: Bodies
    touching: Flags
    engaged: Flags

    def of(self, rows: NDArray[np.intp]) -> "Places":
        """Keep some of them."""
        return Places(self.ends.of(rows.tolist()), self.touching[rows], self.engaged[rows])


def better_plan(table: Table, *, most: int = -1) -> tuple[Bodies, int] | None:
    """Find a complete plan with more than `most` models in contact; give its ends and how many are, None if none was
    found.
    """
    count = len(table.charger)
    if not 0 < count <= MOST:
        return None
    own = [places(table, row) for row in range(count)]
    for wanted in range(count, max(most, -1), -1):
        for touching in combinations(range(count), wanted):
            chosen = [
                _thinned(one.of(np.flatnonzero(one.touching)) if row in touching else one, count)
                for row, one in enumerate(own)
            ]
            found = _together(chosen) if all(len(one.ends) for one in chosen) else None
            if found is not None:
                return joined(
                    [one.ends.of([place]) for one, place in zip(chosen, found, strict=True)]
                ), wanted
    return None


def places(table: Table, row: int) -> Places:
    """Gather where one model may end."""
    at = np.concatenate([about(table, row), grid(table, row)])
    parts = [_level(table, row, at, height) for height in heights_of(table)]
    start = table.charger.of([row])
    if not table.readings.all_closer and stands(table, start)[0]:
        parts.insert(0, start)
    ends = joined([part for part in parts if len(part)] or [start.of([])])
    engaging = [(engagement(table, ends, target) >= 0.0).any(axis=1) for target in table.targets]
    touching = (
        np.isin(np.arange(len(ends)), contacts(table, ends))
        if len(ends)
        else np.zeros(0, dtype=bool)
    )
    return Places(ends, touching, np.column_stack(engaging).reshape(len(ends), len(table.targets)))


def heights_of(table: Table) -> list[float]:
    """Return the heights in inches at which models may stand."""
    return sorted(
        {
            0.0,
            *(
                piece.height
                for piece in (*table.solids, *table.crates, *table.floors)
                if piece.holds
            ),
        }
    )


def about(table: Table, row: int) -> Floats:
    """Return places (k, 2) at some gaps about every enemy, on its far side too."""
    form, heading = table.charger.turned(row)
    turns = np.linspace(-np.pi, np.pi, ANGLES, endpoint=False)
    ways = np.column_stack([np.cos(turns), np.sin(turns)])
    found = [np.empty((0, 2))]
    for foe in range(len(table.enemies)):
        its, facing = table.enemies.turned(foe)
        near = np.array([_tip(its, facing, way) - _tip(form, heading, -way) for way in ways])
        between = (near + np.roll(near, -1, axis=0)) / 2
        found += [table.enemies.centres[foe] + near + gap * ways for gap in GAPS]
        found.append(table.enemies.centres[foe] + between)
    return np.concatenate(found)


def _tip(form: Form, heading: float, way: Floats) -> Floats:
    """Return the point (2,) of an outline that reaches farthest towards a direction."""
    ahead = np.array([np.cos(heading), np.sin(heading)])
    aside = np.array([-np.sin(heading), np.cos(heading)])
    along = float(way @ ahead)
    across = float(way @ aside)
    corner = max(form.corners, key=lambda one: one[0] * along + one[1] * across)
    a, b = form.axes
    far = np.hypot(a * along, b * across)
    oval = np.array([a * a * along, b * b * across]) / far if far else np.zeros(2)
    tip: Floats = (corner[0] + oval[0]) * ahead + (corner[1] + oval[1]) * aside + form.radius * way
    return tip


def grid(table: Table, row: int) -> Floats:
    """Return places (k, 2) of a square lattice all over the reach of a model."""
    reach = np.arange(-table.distance, table.distance + GRID, GRID)
    x, y = np.meshgrid(reach, reach)
    grid: Floats = table.charger.centres[row] + np.column_stack([x.ravel(), y.ravel()])
    return grid


def _level(table: Table, row: int, at: Floats, height: float) -> Bodies:
    """Return the model at those places of one height that it reaches and that keep all limits that it can keep
    alone.
    """
    start = table.charger.of([row])
    at = at[np.hypot(*(at - start.centres[0]).T) <= table.distance - SURE]
    ends = moved(start, at, height)
    ends = kept(ends, stands(table, ends))
    ends = kept(ends, closer(table, ends, start))
    return kept(ends, _reached(table, ends, start))


def kept(ends: Bodies, keeps: Flags) -> Bodies:
    """Keep some ends."""
    return ends.of(np.flatnonzero(keeps).tolist())


def moved(start: Bodies, at: Floats, height: float) -> Bodies:
    """Return a model's footprints at positions (k, 2) of one height."""
    count = len(at)
    return Bodies(
        at,
        np.full(count, height),
        np.repeat(start.headings, count),
        start.forms * count,
        start.tall,
    )


def stands(table: Table, ends: Bodies) -> Flags:
    """Return a mask (k,) of ends on the board, supported, clear of all others and in range of all targets."""
    keeps = room(table, ends) >= SURE
    for others in (table.enemies, table.friends):
        level = np.abs(ends.heights[:, None] - others.heights[None]) <= LEVEL
        keeps &= ~((ends.gaps(others) < -1e-9) & level).any(axis=1)
    keeps &= (engagement(table, ends, table.others) < -SURE).all(axis=1)
    for piece in table.solids if len(ends) else ():
        keeps &= (ends.heights >= piece.height - LEVEL) | ~met(
            ends.turned(0), piece, ends.centres, ends.centres
        )
    high = np.flatnonzero(keeps & (ends.heights > LEVEL))
    keeps[high] = np.array([support(table, ends, row) >= SURE for row in high.tolist()], dtype=bool)
    return np.asarray(keeps)


def closer(table: Table, ends: Bodies, start: Bodies) -> Flags:
    """Return a mask (k,) of ends closer to a target than the start."""
    gained = np.max(
        [start.distances(target) - ends.distances(target) for target in table.targets], axis=0
    )
    return np.asarray(gained > SURE)


def _reached(table: Table, ends: Bodies, start: Bodies) -> Flags:
    """Return a mask (k,) of ends reached straight, or around one corner where all is level."""
    begin = np.broadcast_to(start.centres[0], ends.centres.shape)
    lengths = leg_lengths(table, start, begin, ends.centres, ends.heights) + np.abs(
        walked(ends.heights) - walked(start.heights)[0]
    )
    free = ends.heights - walked(ends.heights) - (start.heights - walked(start.heights))[0]
    free = np.where(table.readings.flies_only, free, 0.0)
    reached = np.hypot(lengths, free) <= table.distance - SURE
    for corner in _corners(table, start) if table.charger.forms[0].is_disc else ():
        rest = np.flatnonzero(~reached)
        first = leg_lengths(table, start, start.centres, corner[None], start.heights)
        if len(rest) and np.isfinite(first[0]):
            second = leg_lengths(
                table,
                start,
                np.broadcast_to(corner, (len(rest), 2)),
                ends.centres[rest],
                ends.heights[rest],
            )
            climb = np.abs(walked(ends.heights[rest]) - walked(start.heights)[0])
            reached[rest] = np.hypot(first[0] + second + climb, free[rest]) <= table.distance - SURE
    return np.asarray(reached)


def _corners(table: Table, start: Bodies) -> Iterator[Floats]:
    """Yield places (2,) by which a way may lead."""
    for turn in np.linspace(-np.pi, np.pi, TURNS, endpoint=False):
        for far in ROUNDS:
            corner = start.centres[0] + far * np.array([np.cos(turn), np.sin(turn)])
            if room(table, start.at(corner[None], start.heights))[0] >= SURE:
                yield corner


def leg_lengths(table: Table, start: Bodies, begin: Floats, end: Floats, heights: Floats) -> Floats:
    """Measure straight legs (k,) to ends at heights (k,) over all that may be climbed, each from the ground; inf where
    something bars them.

    What begins or ends on a piece's top climbs it once: that is left to whoever asks.
    """
    turned = start.turned(0)
    lengths = np.hypot(*(end - begin).T)
    for piece in table.blocking:
        own = (np.abs(start.heights[0] - piece.height) <= LEVEL) & met(
            turned, piece, begin, begin, least=0.0
        )
        own |= (np.abs(heights - piece.height) <= LEVEL) & met(turned, piece, end, end, least=0.0)
        cost = np.where(own, 0.0, 2.0 * piece.height) if piece.is_climbed else np.inf
        lengths = lengths + np.where(met(turned, piece, begin, end), cost, 0.0)
    for number in range(len(table.bodies)):
        centre = table.bodies.centres[number]
        lengths[
            parted(turned, table.bodies.turned(number), centre - begin, centre - end) < -1e-9
        ] = np.inf
    for number in range(len(table.others)) if table.readings.keeps_out else ():
        centre = table.others.centres[number]
        needed = 2.0 * ENGAGED if table.barricades else ENGAGED
        lengths[
            parted(turned, table.others.turned(number), centre - begin, centre - end)
            < needed + SURE
        ] = np.inf
    return np.asarray(lengths)


def met(turned: Turned, piece: Piece, begin: Floats, end: Floats, *, least: float = SURE) -> Flags:
    """Return a mask (k,) of straight paths that come nearer to a piece than `least` inches."""
    if not turned[0].is_disc:
        return np.asarray(parted(turned, (piece.form, 0.0), -begin, -end) < least)
    lines = shapely.linestrings(np.stack([begin, end], axis=1))
    return np.asarray(shapely.dwithin(lines, piece.area, turned[0].radius + least))


def _thinned(one: Places, count: int) -> Places:
    """Keep a spread of places."""
    most = MOST_PLACES[count]
    if len(one.ends) <= most:
        return one
    return one.of(np.unique(np.linspace(0, len(one.ends) - 1, most).astype(np.intp)))


def _together(chosen: list[Places]) -> list[int] | None:
    """Find places, one of each model, that go together: apart, coherent, all targets engaged."""
    if len(chosen) == 1:
        rows = np.flatnonzero(chosen[0].engaged.all(axis=1))
        return [int(rows[0])] if len(rows) else None
    pairs = {
        (one, other): _pair(chosen[one], chosen[other])
        for one, other in combinations(range(len(chosen)), 2)
    }
    if len(chosen) == 2:
        apart, near = pairs[0, 1]
        good = apart & near & (chosen[0].engaged[:, None] | chosen[1].engaged[None]).all(axis=2)
        found = np.argwhere(good)
        return [int(row) for row in found[0]] if len(found) else None
    return _three(chosen, pairs)


def _pair(one: Places, other: Places) -> tuple[Flags, Flags]:
    """Return masks (k, m) of positions of two models that are apart, and that are near enough to each other."""
    gaps = one.ends.gaps(other.ends)
    level = np.abs(one.ends.heights[:, None] - other.ends.heights[None]) <= LEVEL
    near = (gaps <= COHERENT - SURE) & (one.ends.rises(other.ends) <= COHERENT_UP)
    return np.asarray(~level | (gaps >= SURE)), np.asarray(near)


def _three(
    chosen: list[Places], pairs: dict[tuple[int, int], tuple[Flags, Flags]]
) -> list[int] | None:
    apart01, near01 = pairs[0, 1]
    apart02, near02 = pairs[0, 2]
    apart12, near12 = pairs[1, 2]
    for first in range(len(chosen[0].ends)):
        good = apart01[first][:, None] & apart02[first][None] & apart12
        links = near01[first][:, None].astype(np.int8) + near02[first][None] + near12
        engaged = (
            chosen[0].engaged[first] | chosen[1].engaged[:, None] | chosen[2].engaged[None]
        ).all(axis=2)
        found = np.argwhere(good & (links >= 2) & engaged)
        if len(found):
            return [first, int(found[0][0]), int(found[0][1])]
    return None

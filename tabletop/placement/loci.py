"""Curves that decide where a model may end: of contact, of engagement range and of clearance, the special places on
them, and cells.

`ContactLoci` holds the curves for one kind of model (a base with a heading) on one surface, and gives the places where
they meet or come nearest to the models. `cut` cuts closed curves into cells (`LocusCells`), ordered along each curve.
Lengths are in inches.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache

import numpy as np
import shapely

from tabletop.budget import check_deadline
from tabletop.geometry.arrangement import (
    ArcPieces,
    circles,
    crossings,
    join_tracks,
    perpendicular_feet,
    polyline,
    tangent_normals,
    tracks,
)
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.curve import ArcCurve, configuration_obstacle
from tabletop.geometry.distance import point_distances
from tabletop.geometry.shape import Shape, reflex_corners
from tabletop.placement.legality import Legality, OrientedBase
from tabletop.placement.problem import CROSSED_BY, ModelGroup, Surface
from tabletop.table.models import Model
from tabletop.units import CONTACT

SHIFTED_AT_MOST = 4e-5
"""Inches by which a place beside an oval may be shifted until it touches."""

MOST_AT_ONCE = 2**19
"""Places that are compared before the time is asked again."""

FEW_PIECES = 80
"""Arcs and edges up to which it is asked of each how a way past another ends on it."""

LOCI_KEPT = 64
"""Sets of curves that are not made again: of many cases of one table most units stand where they stood."""

CURVES_JOIN = 6.0
"""Half lengths of cells within which the end of one curve goes on as the beginning of another."""


@dataclass(frozen=True, eq=False)
class ContactLoci:
    """The curves on which a kind of model, a base with a heading, is just in contact, just engaged or just clear on one
    surface.
    """

    legality: Legality
    kind: OrientedBase
    surface: Surface

    @cached_property
    def contact(self) -> ArcPieces:
        """Curves on which the oriented base is in base contact with a foe: one or more for each foe at the height of
        the surface.
        """
        level = [
            foe
            for foe in self.legality.problem.target_models.models.models
            if abs(foe.z - self.surface.z) <= CONTACT
        ]
        return tracks(self.legality.curves_about(self.kind, level, 0.0))

    @cached_property
    def engagement(self) -> ArcPieces:
        """Curves on which the oriented base is just engaged with a foe, and those at which a longer range begins to
        apply.
        """
        near = self._within_reach(self.legality.problem.target_models)
        engagement = self.legality.problem.engagement
        curves = [
            inward(curve)
            for needed in engagement.ranges
            for curve in self.legality.curves_about(self.kind, near, needed)
        ]
        clearance = self.legality.problem.clearance
        outer = self.kind.outer
        to_foes = engagement.borders(
            self.legality.problem.target_models.models, outer, aside=(-CROSSED_BY, 0.0, CROSSED_BY)
        )
        return join_tracks(
            [
                tracks(curves),
                *to_foes,
                *engagement.borders(
                    self.legality.keep_out.models, outer, aside=(-clearance, clearance)
                ),
            ]
        )

    @cached_property
    def bounds(self) -> ArcPieces:
        """Curves on which the oriented base is just clear of bodies, ranges to keep out of, terrain, edges of board and
        surface.
        """
        return join_tracks([tracks(self._obstacles()), *self._edges()])

    @cached_property
    def _loose(self) -> ArcPieces:
        """Curves on which the oriented base is clear of all but edges even if it is then shifted until it touches a
        foe.
        """
        return tracks([curve.grown(SHIFTED_AT_MOST) for curve in self._obstacles()])

    def _obstacles(self) -> list[ArcCurve]:
        """Return the curves about ranges and bodies, drawn outside by what they may be off, and those about terrain."""
        problem = self.legality.problem
        kind = self.kind
        about = self.legality.curves_about
        keep_out = self._within_reach(self.legality.keep_out)
        ranges = problem.engagement.ranges
        level = [
            model for model in problem.bodies.models if abs(model.z - self.surface.z) <= CONTACT
        ]
        zones = [
            curve
            for needed in ranges
            for curve in about(kind, keep_out, needed + problem.clearance)
        ]
        return [
            *(inward(curve, by=-1.0) for curve in (*zones, *about(kind, level, 0.0))),
            *self._pieces,
        ]

    @cached_property
    def _pieces(self) -> list[ArcCurve]:
        pieces = [
            piece for piece in self.legality.problem.solids if piece.top > self.surface.z + CONTACT
        ]
        return [
            inward(curve, by=-1.0)
            for piece in pieces
            for curve in configuration_obstacle(piece.shape, self.kind.shape)
        ]

    @cached_property
    def walls(self) -> ArcPieces:
        """Curves on which the oriented base is just clear of terrain."""
        return tracks(self._pieces)

    def _edges(self) -> list[ArcPieces]:
        """Return the lines on which the oriented base is flush with the board's edges, and with those of its
        surface.
        """
        board = self.legality.problem.board
        west, south, east, north = self.kind.shape.bounds
        low = np.array([-west, -south])
        high = np.array([board.width - east, board.depth - north])
        edges = [polyline(np.array([low, [high[0], low[1]], high, [low[0], high[1]]]))]
        shape = self.surface.shape
        inset = self._inset
        if shape is not None and isinstance(shape.core, shapely.Point):
            edges.append(
                circles(
                    shapely.get_coordinates(shape.core), np.array([max(shape.radius - inset, 0.0)])
                )
            )
        elif shape is not None and inset > 0.0:
            bends = reflex_corners(shape)
            edges.append(circles(bends, np.full(len(bends), inset)))
        return [*edges, *(polyline(ring) for ring in self._rims)]

    @cached_property
    def _rims(self) -> list[FloatArray]:
        """Rings (n, 2) inside which the surface supports the oriented base: exact for discs on polygons but at reflex
        corners.
        """
        shape = self.surface.shape
        if shape is None or not isinstance(shape.core, shapely.Polygon):
            return []
        inner = _inside(shape, self._inset)
        return [
            shapely.get_coordinates(part.exterior)[:-1]
            for part in shapely.get_parts(inner)
            if not part.is_empty
        ]

    @property
    def _inset(self) -> float:
        """Distance in inches that a disc's centre must keep from the surface's rim."""
        return 0.0 if self.surface.by_centre else self.kind.shape.radius

    def _within_reach(self, group: ModelGroup) -> list[Model]:
        """Return the models of a group that are not too high or too low to be engaged from this surface."""
        rises = self.legality.problem.rises(np.array([self.surface.z]), group)[0]
        limit = self.legality.problem.engagement.vertical + CONTACT
        return [
            model for model, rise in zip(group.models.models, rises, strict=True) if rise <= limit
        ]

    def half_way(self, starts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return places (k, 2), with heights (k,) in inches, part-way up climbable pieces: just high enough to engage a
        foe above.
        """
        problem = self.legality.problem
        legality = self.legality
        engagement = self.legality.problem.engagement
        found: list[tuple[FloatArray, FloatArray]] = [(np.empty((0, 2)), np.empty(0))]
        for piece in problem.climbed:
            outline = tracks(configuration_obstacle(piece.shape, self.kind.shape))
            for foe, rise in zip(
                problem.target_models.models.models,
                problem.rises(np.zeros(1), problem.target_models)[0].tolist(),
                strict=True,
            ):
                up = rise - engagement.vertical
                if CONTACT < up <= piece.top + CONTACT:
                    near = tracks(
                        [
                            inward(curve)
                            for curve in legality.curves_about(
                                self.kind, [foe], engagement.horizontal
                            )
                        ]
                    )
                    met = [crossings(outline, curves)[0] for curves in (near, self.bounds)]
                    at = np.concatenate(
                        [
                            perpendicular_feet(outline, starts)[0],
                            tangent_normals(outline, self.bounds),
                            *met,
                        ]
                    )
                    found.append((at, np.full(len(at), up)))
        return np.concatenate([at for at, _ in found]), np.concatenate([z for _, z in found])

    def special(self, starts: FloatArray) -> FloatArray:
        """Return the places (k, 2) on the curves nearest to `starts` (n, 2), where paths past obstacles end, or where
        curves meet.
        """
        nearest = [
            perpendicular_feet(track, starts)[0]
            for track in (self.contact, self.engagement, self.bounds)
        ]
        return unique_places(
            np.concatenate([*nearest[:2], self._tangents, nearest[2], self._meetings])
        )

    @cached_property
    def _tangents(self) -> FloatArray:
        """Places (k, 2) in contact or just engaged at which shortest paths past obstacles end."""
        return np.concatenate(
            [
                tangent_normals(self.contact, self.bounds),
                tangent_normals(self.engagement, self.bounds),
            ]
        )

    @cached_property
    def _meetings(self) -> FloatArray:
        """Places (k, 2) just clear at which shortest paths past other obstacles end, and where two curves meet."""
        found = (
            [tangent_normals(self.bounds, self.bounds)] if self.bounds.count <= FEW_PIECES else []
        )
        found += [
            crossings(self.contact, self.contact)[0],
            crossings(self.contact, self.engagement)[0],
            crossings(self.contact, self.bounds)[0],
            crossings(self.engagement, self.engagement)[0],
            crossings(self.engagement, self.bounds)[0],
            *self._corners(),
        ]
        if self.legality.must_snap(self.kind):
            found.append(crossings(self.contact, self._loose)[0])
        return np.concatenate([*found, *self._rims])

    def _corners(self) -> Iterator[FloatArray]:
        """Yield, for each foe, the places (k, 2) within range just clear of two obstacles, or at which shortest paths
        past others end.
        """
        foes = self.legality.problem.target_models.models
        ranges = self.legality.problem.longest_ranges
        for centre, reach in zip(foes.centres, foes.radii + ranges + self.kind.outer, strict=True):
            near = self.bounds.near(centre, float(reach) + CONTACT)
            yield crossings(near, near)[0]
            if self.bounds.count > FEW_PIECES:
                yield tangent_normals(near, self.bounds)


def loci_of(legality: Legality, kind: OrientedBase, surface: Surface) -> ContactLoci:
    """Return the curves of a kind on a surface, cached: the same for all problems that differ only in the models that
    move.
    """
    problem = legality.problem
    keep_out = legality.keep_out
    engagement = problem.engagement
    stands = tuple(
        (group.models.models, group.tall.tobytes()) for group in (problem.target_models, keep_out)
    )
    ranges = (
        (engagement.horizontal, engagement.vertical)
        if engagement.lengthening is None
        else engagement
    )
    table = (
        problem.bodies.models,
        problem.solids,
        problem.climbed,
        problem.board,
        problem.own_height,
        problem.clearance,
    )
    return _loci(
        _Asked(
            (kind, surface.z, surface.shape, surface.by_centre, stands, ranges, table),
            ContactLoci(legality, kind, surface),
        )
    )


@dataclass(frozen=True)
class _Asked:
    """All that the curves depend on (`key`), and the curves to be used if there are none for it yet (`made`)."""

    key: Hashable
    made: ContactLoci = field(compare=False)


@lru_cache(maxsize=LOCI_KEPT)
def _loci(asked: _Asked) -> ContactLoci:
    return asked.made


def inward(curve: ArcCurve, *, by: float = 1.0) -> ArcCurve:
    """Return a curve moved inward by what it may be off, so that a body on it is certainly no farther away than asked.

    With `by` -1 it is moved outward, so that a body on it is certainly no nearer.
    """
    return curve.grown(-2.0 * by * curve.error) if curve.error else curve


def _inside(shape: Shape, depth: float) -> shapely.Geometry:
    """Return the region of a polygon that is at least `depth` inches inside it.

    For many reflex corners Shapely's own negative buffer takes seconds, and its mitres cut off part of the inside.
    """
    check_deadline()
    if len(shape.pieces) == 1 or depth == 0.0:
        return shape.core.buffer(-depth, join_style="mitre")
    ring = shapely.get_coordinates(shape.core.exterior)
    sides = shapely.linestrings(np.stack([ring[:-1], ring[1:]], axis=1))
    return shape.core.difference(shapely.union_all(shapely.buffer(sides, depth)))


def unique_places(at: FloatArray) -> FloatArray:
    """Return the places (k, 2) without those that occur earlier in the list, to 1e-7 in, checking the deadline."""
    if len(at) <= MOST_AT_ONCE:
        return _unique(at)
    return _unique(
        np.concatenate(
            [_unique(at[start : start + MOST_AT_ONCE]) for start in range(0, len(at), MOST_AT_ONCE)]
        )
    )


def _unique(at: FloatArray) -> FloatArray:
    check_deadline()
    rounded = np.round(at, 7)
    order = np.lexsort(rounded.T)  # several times as fast as what NumPy has for rows
    is_new = np.ones(len(at), dtype=bool)
    is_new[1:] = (np.diff(rounded[order], axis=0) != 0.0).any(axis=1)
    return at[np.sort(order[is_new])]


@dataclass(frozen=True, eq=False)
class LocusCells:
    """Curves cut into cells, those of a curve one after the other, in the order along the curve.

    Attributes
    ----------
    middles, ends
        The middles (c, 2) of the cells, and the places (c, 2) where they begin.
    halves, along
        Largest distance (c,) in inches of a place in a cell from its middle: straight, and along the curve.
    owners
        The number (c,) of the curve.
    heights, kinds
        The height (c,) in inches of the cells, and the number (c,) of the kind of model that they are for.
    """

    middles: FloatArray
    ends: FloatArray
    halves: FloatArray
    along: FloatArray
    owners: IntArray
    heights: FloatArray
    kinds: IntArray

    def __len__(self) -> int:
        return len(self.owners)

    @cached_property
    def following(self) -> IntArray:
        """Index (c,) of the cell that follows each on its closed curve."""
        begins = np.flatnonzero(np.diff(self.owners, prepend=-1))
        following = np.arange(1, len(self) + 1)
        following[np.append(begins[1:], len(self))[: len(begins)] - 1] = begins
        return following

    def spared(self, inches: float) -> "LocusCells":
        """Return the same cells of curves that may be off by so many inches: their half lengths increase by as much."""
        return replace(self, halves=self.halves + inches, along=self.along + inches)

    def lines(self, is_open: BoolArray) -> list[tuple[IntArray, bool]]:
        """Return the cells that the mask `is_open` (c,) selects as lines: indices in order, and whether the line is a
        ring.

        A line goes on from curve to curve where one meets the next.
        """
        runs = []
        rings = []
        for owner in np.unique(self.owners):
            own = np.flatnonzero(self.owners == owner)
            if is_open[own].all():
                rings.append((own, True))
            else:
                runs += _runs(own, is_open[own])
        return [*rings, *self._linked(runs)]

    def _linked(self, runs: list[IntArray]) -> list[tuple[IntArray, bool]]:
        """Return runs of cells joined to lines where one ends and another begins, and whether each line is a ring."""
        following = self._following_runs(runs)
        begun = [run for run in range(len(runs)) if run not in following.values()]
        found = []
        seen = set[int]()
        for first in [*begun, *range(len(runs))]:
            if first in seen:
                continue
            chain = [first]
            while (
                following_run := following.get(chain[-1])
            ) is not None and following_run != first:
                chain.append(following_run)
            seen.update(chain)
            found.append(
                (np.concatenate([runs[run] for run in chain]), following.get(chain[-1]) == first)
            )
        return found

    def _following_runs(self, runs: list[IntArray]) -> dict[int, int]:
        """Return, by index, the run that goes on where each run ends, the nearest pairs first; each run follows one
        other only.
        """
        if not runs:
            return {}
        ends = [run[-1] for run in runs]
        starts = [run[0] for run in runs]
        apart = point_distances(self.middles[ends], self.middles[starts])
        near = CURVES_JOIN * (self.halves[ends][:, None] + self.halves[starts][None, :]) / 2.0
        found: dict[int, int] = {}
        for pair in np.argsort(apart, axis=None, kind="stable").tolist():
            one, other = divmod(pair, len(runs))
            if (
                apart[one, other] <= near[one, other]
                and one not in found
                and other not in found.values()
            ):
                found[one] = other
        return found


def _runs(own: IntArray, is_open: BoolArray) -> list[IntArray]:
    """Return the runs of open cells of one curve, not all of whose cells are open."""
    first = int(np.flatnonzero(~is_open)[0])
    own = np.roll(own, -first)
    is_open = np.roll(is_open, -first)
    changes = np.flatnonzero(np.diff(is_open.astype(int))) + 1
    return [
        run
        for run, opened in zip(np.split(own, changes), np.split(is_open, changes), strict=True)
        if opened[0]
    ]


def cut(track: ArcPieces, length: float, *, height: float = 0.0, kind: int = 0) -> LocusCells:
    """Return closed curves, at a height in inches and for a kind of model, cut into cells of at most `length`
    inches.
    """
    arcs = zip(track.centres, track.radii, track.starts, track.spans, track.arc_owner, strict=True)
    edges = zip(track.tails, track.heads, track.edge_owner, strict=True)
    parts = [_cut_arc(*arc, length) for arc in arcs] + [_cut_edge(*edge, length) for edge in edges]
    rows = np.concatenate([np.empty((0, 8)), *parts])
    rows = rows[np.lexsort((rows[:, 7], rows[:, 6]))]
    same = np.full(len(rows), height), np.full(len(rows), kind)
    return LocusCells(
        rows[:, :2], rows[:, 2:4], rows[:, 4], rows[:, 5], rows[:, 6].astype(np.intp), *same
    )


def _cut_arc(
    centre: FloatArray, radius: float, start: float, span: float, owner: int, length: float
) -> FloatArray:
    """Return an arc cut into cells as rows (c, 8): middle, beginning, the two half lengths, owner, and the normal at
    the middle.
    """
    count = max(1, math.ceil(radius * span / length))
    angles = start + (np.arange(count) + 0.5) * span / count
    middles, ends = (
        centre + radius * np.column_stack([np.cos(turn), np.sin(turn)])
        for turn in (angles, angles - span / count / 2.0)
    )
    same = np.tile(
        [2.0 * radius * math.sin(span / count / 4.0), radius * span / count / 2.0, owner],
        (count, 1),
    )
    return np.column_stack([middles, ends, same, angles % math.tau])


def _cut_edge(tail: FloatArray, head: FloatArray, owner: int, length: float) -> FloatArray:
    """Return an edge cut into cells, in rows (c, 8) as those of an arc."""
    run = head - tail
    count = max(1, math.ceil(math.hypot(*run) / length))
    middles, ends = (
        tail + (np.arange(count) + share)[:, None] / count * run for share in (0.5, 0.0)
    )
    half = math.hypot(*run) / count / 2.0
    return np.column_stack(
        [
            middles,
            ends,
            np.tile([half, half, owner, math.atan2(-run[0], run[1]) % math.tau], (count, 1)),
        ]
    )


def joined_cells(parts: Sequence[LocusCells]) -> LocusCells:
    """Return several sets of cells as one; the curves of each set are numbered on from those of the sets before it."""
    firsts = np.cumsum([0, *(1 + int(part.owners.max(initial=-1)) for part in parts)])
    numbered = [
        replace(part, owners=part.owners + first)
        for part, first in zip(parts, firsts, strict=False)
    ]
    return LocusCells(
        *(
            np.concatenate([getattr(part, name.name) for part in numbered])
            for name in fields(LocusCells)
        )
    )

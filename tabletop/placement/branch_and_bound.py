"""Branch and bound over places: distances below which no plan is possible.

Boxes of places and headings that contain no feasible place are discarded, and the rest are halved. Tests at the centre
of a box are relaxed by its size, so that a box is discarded only if no place in it is feasible.

- `PlaneSearch`: a few discs that must end in one group and engage all targets; squares of the plane, joined by links;
- `TurningSearch`: a single model whose base is not round; boxes of places and headings;
- `Following`: a disc in contact and those that move after it; squares joined by links to where others stand already;
- `FlightSearch`: a single disc that flies; squares of the plane;
- `come_closer`: discs with hardly any room that must end closer to a target; squares of the room that each has.

A link is a pair of models within coherency range of each other. Lengths are in inches, headings in radians.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

import numpy as np
from scipy.spatial import cKDTree

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.distance import point_distances
from tabletop.placement.candidates import Solver, lattice
from tabletop.placement.legality import Legality, OrientedBase, clearances, may_stand
from tabletop.placement.partial_plan import PartialPlan, groups
from tabletop.placement.problem import Candidates
from tabletop.table.models import Hull
from tabletop.units import CONTACT, STRICTLY_BEYOND

SQUARE_SIDE = 0.5
"""Side of the first squares, in inches."""

SQUARE_HALVINGS = 5
"""Number of times that feasible squares are divided into four."""

MOST_SQUARES = 2000
"""Total number of squares for all models and two targets above which they are not divided further."""

MOST_MODELS = 5
"""Number of models above which pairs of models are not compared, nor the flights of each searched for."""

MOST_FLOWN_TO = 12000
"""Number of squares above which they are not divided further in search of the shortest flight: at half, flights over a
ridge that lies straight across are not told to `FLIGHT_TOLD_TO`; at double, no more are, in twice the time."""

FLIGHT_TOLD_TO = 1e-3
"""Tolerance of the shortest flight, in inches: that of least distances, which at double are not told to it; at half one
more division is needed."""

BOX_SIDE, TURN_PARTS = 0.4, 8
"""Side of the first boxes in inches, and number of parts of half a turn."""

BOX_HALVINGS, MOST_BOXES = 7, 3000
"""Number of times that feasible boxes are divided into eight, and number of boxes above which they are not."""

FOLLOWING_PARTS = 50
"""Squares in which a model that moves later may end, from where it begins to the limit of its reach. Links are taken to
be longer by 1.4 times their side: at half as many the crowded tables 86 and 298 are not decided, at twice as many a
question takes four times as long.
"""

CAGE_PARTS, CAGE_HALVINGS, MOST_IN_CAGE = 4, 15, 4000
"""Number of squares from the centre of a cage to its rim, number of divisions into four, and number of squares that
ends the division."""

QUARTERS = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
"""Offsets of the four quarters of a square from its centre."""


@dataclass(frozen=True, eq=False)
class Boxes:
    """Boxes of one size, `side` inches and `turn` radians, with centres (k, 2), heights (k,) and headings (k,).

    Their sides are parallel to `axes` (2, 2). `lows` (k,) are lower bounds on the move to any place inside.
    """

    at: FloatArray
    z: FloatArray
    headings: FloatArray
    lows: FloatArray
    side: float
    axes: FloatArray
    turn: float = 0.0

    def __len__(self) -> int:
        return len(self.lows)

    @property
    def corner(self) -> float:
        """Largest distance in inches of a place in a box from its centre."""
        return self.side / math.sqrt(2.0)

    def of(self, kept: BoolArray | IntArray) -> "Boxes":
        """Return the boxes selected by a mask or by indices."""
        return replace(
            self,
            at=self.at[kept],
            z=self.z[kept],
            headings=self.headings[kept],
            lows=self.lows[kept],
        )

    def halved(self) -> "Boxes":
        """Return the boxes with all sides halved: four in place of each, or eight if they extend over headings."""
        turns = self.turn / 4.0 * np.array([-1.0, 1.0] if self.turn else [0.0])
        at = (self.at[:, None, :] + self.side / 4.0 * QUARTERS @ self.axes).reshape(-1, 2)
        parts = 4 * len(turns)
        headings = np.repeat(self.headings, parts) + np.tile(turns, 4 * len(self))
        z = np.repeat(self.z, parts)
        lows = np.repeat(self.lows, parts)
        return Boxes(
            np.repeat(at, len(turns), axis=0),
            z,
            headings,
            lows,
            self.side / 2.0,
            self.axes,
            self.turn / 2.0,
        )

    def ways(self, start: FloatArray) -> FloatArray:
        """Return lower bounds (k,) in inches on the distances of a point (2,) from the boxes."""
        return np.asarray(np.maximum(np.hypot(*(self.at - start).T) - self.corner, 0.0))


def boxes_about(
    at: FloatArray,
    side: float,
    axes: FloatArray,
    heights: Sequence[float],
    headings: Sequence[float] = (0.0,),
    turn: float = 0.0,
) -> Boxes:
    """Return boxes with centres `at` (k, 2), repeated at each combination of `heights` and `headings`, with lower
    bounds 0.
    """
    more = np.repeat(np.array(list(product(heights, headings))), len(at), axis=0)
    return Boxes(
        np.tile(at, (len(heights) * len(headings), 1)),
        more[:, 0],
        more[:, 1],
        np.zeros(len(more)),
        side,
        axes,
        turn,
    )


def search_boxes(
    boxes: Boxes, able: Callable[[Boxes], Boxes], *, halvings: int, most: int
) -> Boxes:
    """Discard boxes that are not feasible and halve the rest, `halvings` times or until none or more than `most` are
    left.

    `able` returns those of some boxes that may be feasible. Returns the boxes left.
    """
    for _ in range(halvings + 1):
        boxes = able(boxes)
        if not 0 < len(boxes) <= most:
            break
        boxes = boxes.halved()
    return boxes


def squares_within(point: FloatArray, reach: float, side: float, axes: FloatArray) -> FloatArray:
    """Return the centres (k, 2) of squares along `axes` (2, 2) that cover all points within `reach` inches of a
    point.
    """
    steps = side * np.arange(
        -math.ceil(max(reach, 0.0) / side), math.ceil(max(reach, 0.0) / side) + 1
    )
    return np.asarray(point + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) @ axes)


def may_engage(
    solver: Solver, kind: OrientedBase, target: int, boxes: Boxes, *, off: float
) -> BoolArray:
    """Return (k,) whether a base at each box's centre may be engaged with a target once its points move by at most
    `off` inches.
    """
    problem = solver.problem
    near = np.zeros(len(boxes), dtype=bool)
    is_level = (
        problem.rises(boxes.z, problem.target_models) <= problem.engagement.vertical + CONTACT
    )
    for foe in np.flatnonzero(problem.target_index == target):
        rows = np.flatnonzero(is_level[:, foe] & ~near)
        shape = problem.target_models.models.models[foe].footprint
        near[rows] = problem.engagement.may_hold(
            kind.shape, boxes.at[rows], shape, off=off, is_flat=is_flat(solver)
        )
    return near


def open_squares(
    solver: Solver, mover: int, targets: Sequence[int], boxes: Boxes, longest: float
) -> Boxes:
    """Return the squares within `longest` inches of a model's start in which it may end and engage all `targets`, as
    far as simple tests tell.
    """
    kind = solver.legality.own_kind(mover)
    off = boxes.corner
    boxes = boxes.of(boxes.ways(solver.problem.models.centres[mover]) <= longest + CONTACT)
    for target in targets:
        boxes = boxes.of(may_engage(solver, kind, target, boxes, off=off))
    # part-way up a wall it may hang where it could not stand; the way there is no shorter than to the foot
    is_open = may_stand(solver.legality, kind, boxes.at, boxes.z, off=off)
    return boxes.of(is_open | ((boxes.z == 0.0) & _may_hang(solver)))


def _may_hang(solver: Solver) -> bool:
    """Return whether a model may end part-way up a piece of terrain."""
    return bool(solver.problem.climbed) and not solver.asks("grounded")


def is_flat(solver: Solver) -> bool:
    """Return whether every place at which a model may end is on the table itself, at height 0."""
    return len(solver.problem.surfaces) == 1 and not _may_hang(solver)


Key = tuple[int, int | None]
"""A model and the target that it engages; None for a model that may end anywhere."""

Found = dict[Key, Boxes]


@dataclass(frozen=True, eq=False)
class PlaneSearch:
    """Branch and bound over squares of the plane, for a few discs that must form one group and engage all targets.

    It is the only bound that shows that links cannot join two models around units that must be avoided; the tables 64,
    204, 233 and 326 of the region tests need it.
    """

    solver: Solver

    @property
    def applies(self) -> bool:
        """Whether the bound applies: a unit of few discs that must form one group, none of them placed yet."""
        solver = self.solver
        count = len(self.solver.options)
        is_linked = (
            solver.asks("coherent")
            and solver.problem.coherency.is_one_group
            and not self.solver.start.placed.any()
        )
        return is_linked and self.solver.legality.is_round and 1 < count <= MOST_MODELS

    def least_distance(self, longest: float) -> float:
        """Return a distance in inches, at most `longest`, below which no plan is possible."""
        least = 0.0
        targets = self.solver.problem.target_numbers
        pairs = list(combinations(targets, 2))
        for asked, is_followed in (
            *((pair, False) for pair in pairs),
            *(((target,), True) for target in targets),
            *((pair, True) for pair in pairs),
        ):
            least = max(least, self._least_of(asked, longest, is_followed=is_followed))
            if least >= longest:
                return longest
        return least

    def _least_of(self, targets: tuple[int, ...], longest: float, *, is_followed: bool) -> float:
        """Return a distance in inches below which no model, or pair of models, engages one or two targets such that
        links can join them.

        With `is_followed`, links must also join them with each of the other models, wherever those end.
        """
        keys: list[Key] = [
            (mover, target)
            for mover in range(self._count)
            for target in (*targets, *([None] if is_followed else []))
        ]
        found = {key: self._begun(*key, longest) for key in keys}
        least = 0.0
        for _ in range(SQUARE_HALVINGS + 1):
            found = {key: self._able(*key, boxes, longest) for key, boxes in found.items()}
            least, found = self._joined(found, targets, longest)
            if least >= longest or sum(map(len, found.values())) > MOST_SQUARES:
                break
            found = {key: boxes.halved() for key, boxes in found.items()}
        return least

    def _begun(self, mover: int, target: int | None, longest: float) -> Boxes:
        """Return squares that cover all places where a model may engage `target`, or, if it is None, all within
        `longest` inches.
        """
        problem = self.solver.problem
        start = self.solver.problem.models.centres[mover]
        axes = problem.axes
        side = SQUARE_SIDE
        at = (
            squares_within(start, longest, side, axes)
            if target is None
            else lattice(self.solver, mover, target, side)
        )
        return boxes_about(at, side, axes, [surface.z for surface in problem.surfaces])

    def _able(self, mover: int, target: int | None, boxes: Boxes, longest: float) -> Boxes:
        """Return the squares in which a model may end, engage its target and arrive within `longest` inches, with their
        lower bounds.
        """
        kind = self.solver.legality.own_kind(mover)
        off = boxes.corner
        targets = () if target is None else (target,)
        boxes = open_squares(self.solver, mover, targets, boxes, longest)
        lows = boxes.lows.copy()
        is_whole = self._are_whole(kind, boxes)
        is_shrunk = ~is_whole & (off <= 0.9 * kind.outer)  # no smaller disc has ways
        for rows, by in ((is_whole, 0.0), (is_shrunk, off)):
            lengths = self.solver.shrunk_lengths(
                mover, boxes.at[rows], boxes.z[rows], by=by, limit=longest + off, are_shut=True
            )
            lows[rows] = np.maximum(lows[rows], lengths - off)
        return replace(boxes, lows=lows).of(lows <= longest + CONTACT)

    def _are_whole(self, kind: OrientedBase, boxes: Boxes) -> BoolArray:
        """Return (k,) in which boxes every place is legal, so that a model can move straight from the centre to any
        place inside.
        """
        problem = self.solver.problem
        legality = self.solver.legality
        if not problem.is_level or problem.engagement.lengthening is not None:
            return np.zeros(len(boxes), dtype=bool)
        edges = (
            np.hstack([boxes.at, [problem.board.width, problem.board.depth] - boxes.at])
            - kind.outer
        )
        bodies = legality.gaps_to(kind, boxes.at, problem.bodies)
        return np.asarray(
            (
                np.hstack([clearances(legality, kind, boxes.at, boxes.z), edges, bodies])
                >= boxes.corner
            ).all(axis=1)
        )

    def _joined(
        self, found: Found, targets: tuple[int, ...], longest: float
    ) -> tuple[float, Found]:
        """Return the least longest move to a pair of squares that links can join, and the squares that belong to such
        pairs.

        The move is in inches, at most `longest`; the pairs are of squares in which models engage `targets`.
        """
        kept = {key: np.zeros(len(boxes), dtype=bool) for key, boxes in found.items()}
        least = longest
        company = {key: self._company(found, key) for key in found if key[1] is not None}
        for mover, mate in product(range(self._count), repeat=2):
            if mover != mate and len(targets) == 1:
                continue
            one = (mover, targets[0])
            other = (mate, targets[-1])
            is_joined = self._may_link(mover, mate, found[one], found[other])
            if mover == mate:
                is_joined &= found[one].z[:, None] == found[other].z[None, :]
            others = [row for row in range(self._count) if row not in (mover, mate)]
            first, second = (
                np.maximum(found[key].lows, company[key][others].max(axis=0, initial=0.0))
                for key in (one, other)
            )
            longer = np.where(is_joined, np.maximum(first[:, None], second[None, :]), np.inf)
            least = min(least, float(longer.min(initial=np.inf)))
            kept[one] |= np.isfinite(longer).any(axis=1)
            kept[other] |= np.isfinite(longer).any(axis=0)
        for mate, target in found:
            for key in company if target is None else ():
                if key[0] != mate:
                    is_near = self._may_link(
                        key[0], mate, found[key].of(kept[key]), found[mate, None]
                    )
                    kept[mate, None] |= is_near.any(axis=0)
        return least, {key: boxes.of(kept[key]) for key, boxes in found.items()}

    def _company(self, found: Found, key: Key) -> FloatArray:
        """Return the least moves (n, k) in inches with which each model can be linked to the model of `key` in each of
        its squares.
        """
        lows = np.zeros((self._count, len(found[key])))
        for mate in range(self._count):
            if mate != key[0] and (mate, None) in found:
                is_near = self._may_link(key[0], mate, found[key], found[mate, None])
                lows[mate] = np.where(is_near, found[mate, None].lows, np.inf).min(
                    axis=1, initial=np.inf
                )
        return lows

    def _may_link(self, mover: int, mate: int, first: Boxes, second: Boxes) -> BoolArray:
        """Return (k, m) whether coherency links can join some place in a box of one model to some place in a box of
        another.
        """
        link = (
            self.solver.problem.spans[mover, mate] + 2.0 * first.corner if mover != mate else 0.0
        ) + CONTACT
        return np.asarray(point_distances(first.at, second.at) <= link)

    @property
    def _count(self) -> int:
        return len(self.solver.options)


@dataclass(frozen=True, eq=False)
class TurningSearch:
    """Branch and bound over places and headings, for a single model that may end in any facing.

    It is the only bound that shows that an oval cannot engage in any facing, beside a barricade or between two targets.

    Attributes
    ----------
    solver
        The search whose single model may turn.
    is_touching
        Whether the model must also touch a foe.
    """

    solver: Solver
    is_touching: bool = False

    @property
    def applies(self) -> bool:
        """Whether the bound applies: a single model, not placed yet, with a base that is not round.

        Where turning costs, the shortest flight without a turn may end at no candidate place.
        """
        problem = self.solver.problem
        return (
            len(self.solver.options) == 1
            and not (problem.flies and problem.pivots[0])
            and not self.solver.start.placed.any()
            and not self.kind.is_round
        )

    @property
    def kind(self) -> OrientedBase:
        """The kind in which the model begins."""
        return self.solver.legality.own_kind(0)

    def least_distance(self, longest: float) -> float:
        """Return a distance in inches, at most `longest`, below which no plan is possible."""
        problem = self.solver.problem
        longest = min(longest, self.solver.alone)
        nearest = self.boxes(longest).ways(problem.models.centres[0]).min(initial=math.inf)
        return min(longest, problem.pivots[0] + float(nearest))

    def boxes(self, longest: float) -> Boxes:
        """Return boxes that contain all ends of moves of at most `longest` inches, after a turn."""
        problem = self.solver.problem
        axes = problem.axes
        pivot = problem.pivots[0]
        start = problem.models.centres[0]
        # all bases but hulls look the same turned about
        headings = (
            (np.arange(TURN_PARTS * (2 if isinstance(self.kind.base, Hull) else 1)) + 0.5)
            * math.pi
            / TURN_PARTS
        )
        headings += math.atan2(axes[0, 1], axes[0, 0])
        at = squares_within(start, longest - pivot, BOX_SIDE, axes)
        begun = boxes_about(at, BOX_SIDE, axes, [0.0], headings.tolist(), math.pi / TURN_PARTS)
        return search_boxes(
            begun,
            lambda boxes: self._able(boxes, longest - pivot),
            halvings=BOX_HALVINGS,
            most=MOST_BOXES,
        )

    def _able(self, boxes: Boxes, reach: float) -> Boxes:
        """Return the boxes within `reach` inches in which the model may engage every target and stand."""
        boxes = boxes.of(boxes.ways(self.solver.problem.models.centres[0]) <= reach + CONTACT)
        off = boxes.corner + self.kind.outer * boxes.turn / 2.0
        able = np.zeros(len(boxes), dtype=bool)
        for heading in np.unique(boxes.headings):
            rows = np.flatnonzero(boxes.headings == heading)
            kind = OrientedBase(self.kind.base, float(heading))
            if is_flat(self.solver):
                rows = rows[
                    may_stand(self.solver.legality, kind, boxes.at[rows], boxes.z[rows], off=off)
                ]
            for target in self.solver.problem.target_numbers:
                rows = rows[may_engage(self.solver, kind, target, boxes.of(rows), off=off)]
            if self.is_touching:
                foes = self.solver.problem.target_models.models
                rows = rows[
                    self.solver.legality.gaps_to(kind, boxes.at[rows], foes).min(axis=1)
                    <= off + CONTACT
                ]
            able[rows] = True
        return boxes.of(able)


@dataclass(frozen=True, eq=False)
class Following:
    """Whether discs that move later can hold a unit together with disc `row` in contact and the placed models where
    they are.

    They may end in any square within their reach in which they may stand; paths and heights are ignored. A chain of no
    more models than there are must lead to each group of placed models from the one in contact, and to either from
    where somebody may engage a target that nobody engages yet.
    """

    solver: Solver
    row: int

    @property
    def applies(self) -> bool:
        """Whether the bound applies: some discs that must form one group move later, and foes are discs too."""
        problem = self.solver.problem
        is_round = self.solver.legality.is_round and problem.target_models.models.is_round
        return is_round and problem.coherency.is_one_group and len(self._later) > 0

    @property
    def may_complete(self) -> bool:
        """Whether some place in contact is not excluded."""
        start = self.solver.start
        coherency = self.solver.problem.coherency
        placed = start.placed_candidates.at
        pieces = self._touching
        squares, able = self._squares
        near = (point_distances(pieces.at, placed) <= self._link(1)).sum(axis=1)
        for own in able:
            near = near + self._are_near(pieces.at, squares.at[own], 2)
        kept = near >= coherency.neighbours
        number = groups(start.linked)
        parts = [placed[number == group] for group in range(number.max(initial=-1) + 1)]
        none = np.zeros(len(squares), dtype=bool)
        for part in parts:
            ends, met = self._chained(none, [part], parts, len(able))
            kept &= self._are_near(pieces.at, ends, 2) | self._are_near(pieces.at, met, 1)
            if len(parts) == 1:  # no chain is longer than all its links in a line
                apart = point_distances(pieces.at, part).min(axis=1) - pieces.corner
                kept &= apart <= (len(able) + 1) * self._link(0)
        # the neighbours of the first model of a chain are on no further link of it
        most = max(len(able) - coherency.neighbours + 1, 1)
        for target in np.flatnonzero(~start.placed_candidates.engaged.any(axis=0)).tolist():
            begun = none.copy()
            for mover, own in zip(self._later.tolist(), able, strict=True):
                begun |= own & self._may_engage(mover, target, squares)
            ends, _ = self._chained(begun, [], [], most - 1)
            if not self._are_near(placed, ends, 1).any():
                is_engaged = self._may_engage(self.row, target, pieces)
                kept &= is_engaged | self._are_near(pieces.at, ends, 2)
        return bool(kept.any())

    @property
    def _side(self) -> float:
        return self.solver.limit / FOLLOWING_PARTS

    def _link(self, count: int) -> float:
        """Return the greatest distance in inches between places of linked models, `count` of which are centres of
        squares.
        """
        problem = self.solver.problem
        widest = 2.0 * float(problem.models.radii.max()) + problem.coherency.horizontal
        return widest + count * self._side / math.sqrt(2.0) + CONTACT

    def _are_near(self, at: FloatArray, others: FloatArray, count: int) -> BoolArray:
        """Return (k,) which places (k, 2) are within a link of some of others (m, 2)."""
        if not (len(at) and len(others)):
            return np.zeros(len(at), dtype=bool)
        apart, _ = cKDTree(others).query(at, distance_upper_bound=self._link(count))
        return np.asarray(np.isfinite(apart))

    def _may_engage(self, mover: int, target: int, boxes: Boxes) -> BoolArray:
        kind = self.solver.legality.own_kind(mover)
        return may_engage(self.solver, kind, target, boxes, off=boxes.corner)

    @cached_property
    def _later(self) -> IntArray:
        is_later = ~self.solver.start.placed
        is_later[self.row] = False
        return np.flatnonzero(is_later)

    @cached_property
    def _squares(self) -> tuple[Boxes, BoolArray]:
        """Squares in which some model that moves later may stand, and in which of them each may (later, k)."""
        problem = self.solver.problem
        starts = problem.models.centres[self._later]
        middle = starts.mean(axis=0)
        reach = self.solver.limit + float(np.hypot(*(starts - middle).T).max()) + self._side
        at = squares_within(middle, reach, self._side, problem.axes)
        squares = boxes_about(at, self._side, problem.axes, problem.surface_heights.tolist())
        able = np.array([self._may_end(mover, squares) for mover in self._later.tolist()])
        kept = np.flatnonzero(able.any(axis=0))
        return squares.of(kept), able[:, kept]

    @cached_property
    def _touching(self) -> Boxes:
        """Squares about places in contact, together about all that are within reach."""
        foes = self.solver.problem.target_models.models
        radii = foes.radii + self.solver.problem.models.radii[self.row]
        steps = math.ceil(math.tau * float(radii.max()) / self._side)
        turns = math.tau / steps * np.arange(steps)
        spokes = np.column_stack([np.cos(turns), np.sin(turns)])
        at = (foes.centres[:, None] + radii[:, None, None] * spokes).reshape(-1, 2)
        pieces = boxes_about(at, self._side, self.solver.problem.axes, [0.0])
        pieces = replace(pieces, z=np.repeat(foes.heights, steps))
        return pieces.of(self._may_end(self.row, pieces))

    def _may_end(self, mover: int, boxes: Boxes) -> BoolArray:
        """Return (k,) in which boxes a disc within its reach may stand clear of the placed models."""
        legality = self.solver.legality
        kind = legality.own_kind(mover)
        placed = self.solver.start.placed_candidates
        start = self.solver.problem.models.centres[mover]
        able = np.asarray(boxes.ways(start) <= self.solver.limit + CONTACT)
        rows = np.flatnonzero(able)
        at = boxes.at[rows]
        apart = point_distances(at, placed.at) - kind.outer - legality.radii[placed.kind]
        is_level = np.abs(boxes.z[rows, None] - placed.z) <= CONTACT
        is_clear = ((apart >= -boxes.corner - CONTACT) | ~is_level).all(axis=1)
        able[rows] = is_clear & may_stand(legality, kind, at, boxes.z[rows], off=boxes.corner)
        return able | (boxes.ways(start) <= 0.0)

    def _chained(
        self, begun: BoolArray, met: list[FloatArray], parts: Sequence[FloatArray], most: int
    ) -> tuple[FloatArray, FloatArray]:
        """Return the squares (k, 2) and the placed models (m, 2) to which chains of `most` models more lead.

        They begin in some squares (k,) or at groups of placed models, `met`, and may lead by way of other `parts`.
        """
        squares = self._squares[0].at
        found = begun.copy()
        for hop in range(most + 1):
            met = met + [part for part in parts if self._are_near(part, squares[found], 1).any()]
            rest = np.flatnonzero(~found & (hop < most))
            found[rest] = self._are_near(squares[rest], squares[found], 2) | self._are_near(
                squares[rest], np.concatenate([np.empty((0, 2)), *met]), 1
            )
        return squares[found], np.concatenate([np.empty((0, 2)), *met])


@dataclass(frozen=True, eq=False)
class FlightSearch:
    """Branch and bound over squares of the plane, for one disc that flies to where it engages all `targets`.

    If it `is_touching` it must also touch a foe there. Its shortest flight over what lies aslant ends at none of the
    candidate places, so that no limit shows whether it is possible; on the tables of `test_flights` a roll of 12
    completes a charge for which the best of these needs 13.
    """

    solver: Solver
    mover: int
    targets: tuple[int, ...]
    is_touching: bool = False

    @property
    def applies(self) -> bool:
        """Whether the bound applies: a disc of a small unit, not placed yet, that may move through the air.

        Where it may end part-way up a piece of terrain, all foes must be low enough for one who stands below, and none
        need be touched.
        """
        solver = self.solver
        problem = solver.problem
        is_asked = len(solver.options) <= MOST_MODELS and not solver.start.placed[self.mover]
        rises = problem.rises(np.zeros(1), problem.target_models)
        is_low = bool((rises <= problem.engagement.vertical).all())
        is_told = (is_low and not self.is_touching) or not _may_hang(solver)
        return is_asked and is_told and solver.legality.is_round and problem.flies

    @property
    def least(self) -> float:
        """Lower bound in inches, for all limits, on the disc's moves to where it engages the targets; more than the
        farthest limit if none is within it.
        """
        return self._known[0]

    @property
    def plan(self) -> PartialPlan | None:
        """The shortest flight found, with no other model placed; None where none found is shorter than all moves to
        candidates.
        """
        return self._known[1]

    @property
    def _known(self) -> tuple[float, PartialPlan | None]:
        known = self.solver.root.known_flights
        key = (self.solver.conditions, self.mover, self.targets, self.is_touching)
        if key not in known:
            known[key] = self._searched(self.solver.at(self.solver.problem.farthest))
        return known[key]

    def _searched(self, far: Solver) -> tuple[float, PartialPlan | None]:
        """Return the lower bound, and the shortest flight found, given the solver at the farthest limit."""
        mover = self.mover
        usable = self._serving(far.options[mover].candidates)
        longest = min(far.shortest(mover, usable), far.limit + 2.0 * FLIGHT_TOLD_TO)
        least = far.straight_flight(mover, usable)
        kind = int(far.legality.kind_numbers[mover])
        side = min(SQUARE_SIDE, far.legality.kinds[kind].outer)
        heights = far.problem.surface_heights.tolist()
        at = lattice(far, mover, self.targets[0], side)
        boxes = boxes_about(at, side, far.problem.axes, heights)
        plan: PartialPlan | None = None
        while (
            longest - least > FLIGHT_TOLD_TO
            and len(boxes) <= MOST_FLOWN_TO
            and boxes.corner > CONTACT
        ):
            boxes = self._able(far, boxes, longest)
            least = max(least, min(longest, float(boxes.lows.min(initial=math.inf))))
            ends = far.legality.candidates(kind, self._snapped(far, boxes), boxes.z)
            ends = ends.of(self._serving(ends))
            # ways on foot take longer to measure, and end at candidates
            flights = far.shrunk_flights(mover, ends.at, ends.z, by=0.0, limit=longest)
            nearest = ends.of(np.argsort(flights, kind="stable")[:1])
            length = float(far.move_costs(mover, nearest).min(initial=math.inf))
            if length < longest:
                longest = length
                plan = far.start.with_model_at(mover, nearest, 0, longest)
            boxes = boxes.halved()
        return min(least, longest), plan

    def _serving(self, places: Candidates) -> BoolArray:
        is_engaged = places.engaged[:, self.targets].all(axis=1)
        return np.asarray(is_engaged & (places.touching | (not self.is_touching)))

    def _snapped(self, far: Solver, boxes: Boxes) -> FloatArray:
        """Return the centres (k, 2) of squares, shifted into contact if the disc must touch a foe."""
        if not self.is_touching:
            return boxes.at
        kind = far.legality.own_kind(self.mover)
        return far.legality.snapped(kind, boxes.at, boxes.z, within=boxes.corner)

    def _may_touch(self, far: Solver, boxes: Boxes) -> BoolArray:
        """Return (k,) in which squares the disc may touch a foe."""
        kind = far.legality.own_kind(self.mover)
        foes = far.problem.target_models.models
        gaps = np.abs(far.legality.gaps_to(kind, boxes.at, foes))
        is_level = np.abs(boxes.z[:, None] - foes.heights) <= CONTACT
        return np.asarray((is_level & (gaps <= boxes.corner + CONTACT)).any(axis=1))

    def _able(self, far: Solver, boxes: Boxes, longest: float) -> Boxes:
        """Return the squares in which the disc may engage the targets and to which it may fly within `longest` inches,
        with their lower bounds.
        """
        off = boxes.corner
        boxes = open_squares(far, self.mover, self.targets, boxes, longest)
        boxes = boxes.of(self._may_touch(far, boxes)) if self.is_touching else boxes
        flights = far.shrunk_flights(self.mover, boxes.at, boxes.z, by=off, limit=longest + off)
        boxes = replace(boxes, lows=np.maximum(boxes.lows, flights - off))
        return boxes.of(boxes.lows < longest)


def come_closer(solver: Solver) -> bool:
    """Return whether each confined model that must end closer to a target may be able to; True for models not confined.

    The other models of the unit are ignored.
    """
    free = [] if solver.may_stay else np.flatnonzero(~solver.start.placed).tolist()
    return all(
        may_come_closer(solver.legality, mover, float(solver.confinement_radii[mover]))
        for mover in free
    )


def may_come_closer(legality: Legality, mover: int, room: float) -> bool:
    """Return whether a disc that can move at most `room` inches may end closer to a target by more than tolerances
    allow.
    """
    problem = legality.problem
    kind = legality.own_kind(mover)
    if math.isinf(room) or len(problem.surfaces) > 1:
        return True
    start = problem.models.centres[mover]
    z = float(problem.models.heights[mover])

    def able(boxes: Boxes) -> Boxes:
        """Return the boxes within `room` in which the disc may stand closer to a target."""
        boxes = boxes.of(boxes.ways(start) <= room + CONTACT)
        gains = legality.start_distances[mover] - legality.distances(kind, boxes.at, boxes.z)
        boxes = boxes.of(gains.max(axis=1) > STRICTLY_BEYOND - boxes.corner)
        return boxes.of(may_stand(legality, kind, boxes.at, boxes.z, off=boxes.corner))

    side = room / CAGE_PARTS
    begun = boxes_about(squares_within(start, room, side, problem.axes), side, problem.axes, [z])
    return len(search_boxes(begun, able, halvings=CAGE_HALVINGS, most=MOST_IN_CAGE)) > 0

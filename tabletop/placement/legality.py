"""Which places of the moving models are legal, and what each is: in contact, engaged with whom, closer to a target.

`Legality` holds a problem's models in arrays and measures many places at once. A model may stand in one of several
kinds (`OrientedBase`): its base with one heading. Places are centres (k, 2) with heights (k,), in inches; headings in
radians.

`clearances` measures the clearance of places: their gaps to each obstacle that forbids an end there, not counting
edges.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from types import MappingProxyType

import numpy as np

from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.curve import ArcCurve, configuration_obstacle
from tabletop.geometry.distance import (
    depths_at_shifts,
    gaps_at_shifts,
    point_distances,
    shortest_segment,
)
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc
from tabletop.placement.problem import (
    ALL,
    Candidates,
    Condition,
    End,
    ModelGroup,
    PlacementProblem,
    Surface,
)
from tabletop.table.models import (
    BaseShape,
    Hull,
    Model,
    ModelArray,
    OvalBase,
    RoundBase,
    crowd,
    footprint,
    outer_radius,
)
from tabletop.units import CONTACT, wrapped

MEASURED_WITHIN = 1e-4
"""Inches from a gap at which something changes within which the gap is measured exactly."""

SETTLING = 2
"""Shifts that bring a place into contact that all but touches a foe: each squares what is missing."""

FOES_FACED = 2
"""Foes, the nearest, that a model alone may turn to; of several all may turn as the first does to its nearest."""

OVAL_CURVES_OFF = 1e-4
"""Inches that curves about ovals may be off, and within which a foe counts as touched."""

GAP_ROUNDING = 1e-9
"""Inches that rounding may take from a gap that was asked for exactly."""


@dataclass(frozen=True)
class OrientedBase:
    """A base with a heading in radians, called a kind; the heading of a round base is always 0."""

    base: BaseShape
    heading: float

    @cached_property
    def shape(self) -> Shape:
        """Footprint of the base with its place at the origin."""
        return footprint(self.base, Pose(0.0, 0.0, self.heading))

    @cached_property
    def outer(self) -> float:
        """Radius in inches of the smallest disc about the place that contains the footprint."""
        return outer_radius(self.base)

    @cached_property
    def inner(self) -> float:
        """Radius in inches of a disc about the place that the footprint contains; 0 if its place is not inside."""
        if self.is_round:
            return self.shape.radius
        point = np.zeros((1, 2))
        return max(0.0, -float(gaps_at_shifts(disc((0.0, 0.0), 0.0), point, self.shape)[0]))

    @property
    def is_round(self) -> bool:
        """Whether the base is round, so that its footprint is a disc."""
        return isinstance(self.base, RoundBase)

    def is_like(self, model: Model) -> bool:
        """Return whether a model has this base and heading, within rounding."""
        return self.base == model.base and (
            self.is_round or abs(wrapped(self.heading - model.pose.heading)) <= CONTACT
        )


def oriented_base(model: Model) -> OrientedBase:
    """Return the kind, base and heading, in which a model stands."""
    return OrientedBase(
        model.base, 0.0 if isinstance(model.base, RoundBase) else model.pose.heading
    )


def corner_turns(base: BaseShape) -> list[float]:
    """Return the angles in radians by which a base must turn so that a corner farthest from its place points where it
    looks now.

    Empty for ovals. For bases that look the same after half a turn, only angles of less than a quarter turn.
    """
    if isinstance(base, OvalBase):
        return []
    kind = OrientedBase(base, 0.0)
    turns = [
        -math.atan2(y, x)
        for x, y in kind.shape.outline().tolist()
        if math.hypot(x, y) >= kind.outer - CONTACT
    ]
    # it looks the same turned about
    return (
        turns if isinstance(base, Hull) else [turn for turn in turns if abs(turn) < math.pi / 2.0]
    )


def _bearings(model: Model, foe: Model) -> tuple[float, float]:
    """Return the bearings in radians from a model's place to the nearest point of a foe's base, and to its place."""
    place = np.array(foe.pose.at)
    line = (
        None
        if isinstance(foe.base, RoundBase)
        else shortest_segment(disc(model.pose.at, 0.0), foe.footprint)
    )
    points = place if line is None else np.array(line[1]), place
    nearest, middle = (math.atan2(*(point - model.pose.at)[::-1]) for point in points)
    return nearest, middle


def _doubtful(low: FloatArray, high: FloatArray, marks: Sequence[float]) -> BoolArray:
    """Return (k, m) which numbers, known to lie between `low` and `high` (k, m), may lie on either side of one of
    `marks`.
    """
    return np.asarray(
        np.any(
            [(low <= mark + MEASURED_WITHIN) & (high >= mark - MEASURED_WITHIN) for mark in marks],
            axis=0,
        )
    )


@dataclass(frozen=True, eq=False)
class Legality:
    """Which places the models of a problem may take under some conditions, the models in arrays in the order of the
    problem.

    Attributes
    ----------
    problem
        What is to be placed, and where it may end.
    conditions
        What is required of ends besides that every target is engaged.
    fixed
        Ends that are given, by model number.
    turns_all
        Whether all models that can be turned are.
    facings
        Further kinds in which models that are not round may end.
    """

    problem: PlacementProblem
    conditions: frozenset[Condition] = ALL
    fixed: Mapping[int, End] = field(default_factory=lambda: MappingProxyType({}))
    turns_all: bool = False
    facings: tuple[OrientedBase, ...] = ()
    _between: dict[tuple[int, int, float], list[ArcCurve]] = field(
        default_factory=dict, init=False, repr=False
    )
    _inner: dict[ModelArray, FloatArray] = field(default_factory=dict, init=False, repr=False)

    def asks(self, condition: Condition) -> bool:
        """Return whether a condition is required of the ends."""
        return condition in self.conditions

    @cached_property
    def keep_out(self) -> ModelGroup:
        """The models whose engagement range is to be kept out of, under the condition `apart`; else none."""
        return self.problem.keep_out if self.asks("apart") else ModelGroup(crowd([]), np.empty(0))

    def candidates(self, kind: int, at: FloatArray, z: FloatArray) -> Candidates:
        """Return those of places (k, 2), heights (k,), of a kind at which a model may end, as measured candidates."""
        return self.usable(kind, at, z)[1]

    def usable(self, kind: int, at: FloatArray, z: FloatArray) -> tuple[BoolArray, Candidates]:
        """Return (k,) at which places (k, 2), heights (k,), of a kind a model may end, and those places as measured
        candidates.
        """
        if len(at) and self.must_snap(self.kinds[kind]):  # curves about ovals are off by a hair
            at = self.snapped(self.kinds[kind], at, z, within=MEASURED_WITHIN)
        usable = self.are_legal(self.kinds[kind], at, z)
        return usable, self.measured(kind, at[usable], z[usable])

    def must_snap(self, kind: OrientedBase) -> bool:
        """Return whether places in contact must be shifted until they are exactly: where the base or a foe is an
        oval.
        """
        return any(
            isinstance(base, OvalBase)
            for base in (kind.base, *(foe.base for foe in self.problem.target_models.models.models))
        )

    def snapped(
        self, kind: OrientedBase, at: FloatArray, z: FloatArray, *, within: float
    ) -> FloatArray:
        """Return places (k, 2) at heights (k,), those that touch a foe on their level to `within` inches shifted until
        they do exactly.
        """
        foes = self.problem.target_models.models
        between = np.abs(self.gaps_to(kind, at, foes, marks=(-within, 0.0, within)))
        between[np.abs(z[:, None] - foes.heights) > CONTACT] = np.inf
        foe = np.argmin(between, axis=1)
        at = at.copy()
        for number in np.unique(foe):
            rows = np.flatnonzero((foe == number) & (between.min(axis=1) <= within))
            for _ in range(SETTLING if len(rows) else 0):
                steps = at[rows] + np.array(
                    [[[0.0, 0.0]], [[MEASURED_WITHIN, 0.0]], [[0.0, MEASURED_WITHIN]]]
                )
                miss, *others = gaps_at_shifts(kind.shape, steps, foes.models[number].footprint)
                ahead = np.stack([other - miss for other in others], axis=1) / MEASURED_WITHIN
                shift = (
                    miss[:, None] * ahead / np.maximum((ahead * ahead).sum(axis=1), 0.5)[:, None]
                )
                at[rows] -= np.where(np.abs(shift) <= 2.0 * within, shift, 0.0)
        return at

    def measured(self, kind: int, at: FloatArray, z: FloatArray) -> Candidates:
        """Return places (k, 2) at heights (k,) of a kind as candidates, measuring whether they are in contact and what
        they engage.
        """
        what = self.kinds[kind]
        between = self.gaps_to(what, at, self.problem.target_models.models, marks=self.marks)
        level = np.abs(z[:, None] - self.problem.target_models.models.heights[None, :]) <= CONTACT
        touching = np.asarray(((np.abs(between) <= CONTACT) & level).any(axis=1))
        within = self._engaging(what, at, z, self.problem.target_models, between)
        engaged = np.stack(
            [
                within[:, self.problem.target_index == number].any(axis=1)
                for number in self.problem.target_numbers
            ],
            axis=1,
        )
        return Candidates(at, z, np.full(len(at), kind), touching, engaged)

    @cached_property
    def kinds(self) -> tuple[OrientedBase, ...]:
        """All kinds, that is bases with a heading, in which some model may begin or end."""
        placed = [
            replace(model, pose=end.pose)
            for model in self.problem.models.models
            if (end := self.fixed.get(model.number))
        ]
        begun = [oriented_base(model) for model in (*self.problem.models.models, *placed)]
        return tuple(dict.fromkeys((*begun, *self._turned)))

    @cached_property
    def _turned(self) -> tuple[OrientedBase, ...]:
        """Kinds in which a model that is not round turns to where a foe is nearest its front, its side, or a corner:
        that may bring it nearer; with `turns_all` only the `facings`, if there are any.
        """
        if self.turns_all and self.facings:
            return self.facings
        models = [
            model for model in self.problem.models.models if not isinstance(model.base, RoundBase)
        ]
        foes, sides = (FOES_FACED, (0.0, math.pi / 2.0)) if len(models) == 1 else (1, (0.0,))
        kinds = []
        for model in models[:1]:
            others = self.problem.target_models.models
            apart = np.hypot(*(others.centres - model.pose.at).T)
            for foe in np.argsort(apart, kind="stable")[:foes].tolist():
                # a model alone may turn to the best facing; several need one that suits all
                bearings = _bearings(model, others.models[foe])[: 1 if len(models) == 1 else None]
                turns = (*sides, *corner_turns(model.base))
                kinds += [
                    OrientedBase(model.base, ahead + turn)
                    for ahead, turn in product(bearings, turns)
                ]
        return (*kinds, *self.facings)

    def own_kind(self, mover: int) -> OrientedBase:
        """Return the kind in which a model begins."""
        return self.kinds[int(self.kind_numbers[mover])]

    @cached_property
    def kind_numbers(self) -> IntArray:
        """Index (n,) in `kinds` of the base and heading with which each model begins."""
        return np.array(
            [self.kinds.index(oriented_base(model)) for model in self.problem.models.models]
        )

    @cached_property
    def kinds_of(self) -> tuple[tuple[int, ...], ...]:
        """Indices in `kinds` of the bases with headings with which each model may end, the one at its start first."""
        turned = [
            (number, kind.base) for number, kind in enumerate(self.kinds) if kind in self._turned
        ]
        found = []
        for own, model in zip(self.kind_numbers.tolist(), self.problem.models.models, strict=True):
            others = [number for number, base in turned if base == model.base]
            found.append(
                tuple(dict.fromkeys(others if others and self.turns_all else (own, *others)))
            )
        return tuple(found)

    @cached_property
    def is_round(self) -> bool:
        """Whether the bases of all models that move are round."""
        return all(kind.is_round for kind in self.kinds)

    @cached_property
    def radii(self) -> FloatArray:
        """Radii (kinds,) in inches of the discs in `kinds`; 0 for bases that are not round."""
        return np.array([kind.shape.radius for kind in self.kinds])

    @cached_property
    def exact_within(self) -> float:
        """Gap in inches up to which gaps to other units are measured exactly; greater ones may be reported too small.

        It is at least as large as all ranges and starting distances.
        """
        apart = point_distances(
            self.problem.models.centres, self.problem.target_models.models.centres
        )
        ranges = max(*self.problem.engagement.ranges, self.problem.coherency.horizontal) + 1.0
        return max(ranges, float(apart.min(axis=1).max()))

    @cached_property
    def marks(self) -> tuple[float, ...]:
        """Gaps in inches to other units at which something changes: contact, and the ranges, with and without the
        clearance.
        """
        ranges = self.problem.engagement.ranges
        return (0.0, *ranges, *(needed + self.problem.clearance for needed in ranges))

    def gaps_to(
        self, kind: OrientedBase, at: FloatArray, group: ModelArray, *, marks: Sequence[float] = ()
    ) -> FloatArray:
        """Return the gaps (k, m) in inches between places (k, 2) of a kind and the models of a group.

        If `marks` are given, gaps that certainly lie to one side of each of them may be reported as any number there.
        """
        apart = point_distances(at, group.centres)
        between: FloatArray = apart - group.radii - kind.outer
        if (kind.is_round and group.is_round) or not group.models:
            return between
        asked = between <= self.exact_within
        if marks:
            asked &= _doubtful(between, apart - self._inner_radii(group) - kind.inner, marks)
        for column in np.flatnonzero(asked.any(axis=0)).tolist():
            rows = np.flatnonzero(asked[:, column])
            between[rows, column] = gaps_at_shifts(
                kind.shape, at[rows], group.models[column].footprint
            )
        return between

    def _inner_radii(self, group: ModelArray) -> FloatArray:
        """Return the radii (m,) in inches of discs about the places of a group's models that their footprints
        contain.
        """
        if group not in self._inner:
            self._inner[group] = np.array([oriented_base(model).inner for model in group.models])
        return self._inner[group]

    def pair_gaps(self, first: Candidates, second: Candidates) -> FloatArray:
        """Return the gaps (k, m) in inches between candidates and other candidates.

        Those that certainly lie to one side of contact and of coherency may be reported as any number there.
        """
        apart = point_distances(first.at, second.at)
        if self.is_round:
            return np.asarray(apart - self.radii[first.kind][:, None] - self.radii[second.kind])
        between = np.empty(apart.shape)
        for one, other in product(np.unique(first.kind), np.unique(second.kind)):
            kind = self.kinds[one]
            its = self.kinds[other]
            rows, columns = np.ix_(first.kind == one, second.kind == other)
            far = apart[rows, columns]
            found: FloatArray = far - kind.outer - its.outer
            asked = _doubtful(
                found, far - kind.inner - its.inner, (0.0, self.problem.coherency.horizontal)
            )
            aside = first.at[rows[:, 0]][:, None, :] - second.at[columns[0]][None, :, :]
            found[asked] = gaps_at_shifts(kind.shape, aside[asked], its.shape)
            between[rows, columns] = found
        return between

    def _engaging(
        self,
        kind: OrientedBase,
        at: FloatArray,
        z: FloatArray,
        group: ModelGroup,
        between: FloatArray,
        *,
        spare: float = CONTACT,
    ) -> BoolArray:
        """Return (k, m) which places are engaged with which models of a group, at ranges longer by `spare` inches."""

        def bodies(place: int, model: int) -> tuple[Shape, Shape]:
            """Return the footprints of a base at a place and of a model."""
            body = footprint(
                kind.base, Pose(float(at[place, 0]), float(at[place, 1]), kind.heading)
            )
            return body, group.models.models[model].footprint

        across, up = self.problem.engagement.margins(
            between, self.problem.rises(z, group), bodies, spare=spare, beyond=spare
        )
        engaging: BoolArray = (across >= -spare) & (up >= -CONTACT)
        return engaging

    def keep_clear(self, kind: OrientedBase, at: FloatArray, z: FloatArray) -> BoolArray:
        """Return (k,) which places are outside the engagement ranges to be kept out of."""
        if not self.keep_out.models.models:
            return np.ones(len(at), dtype=np.bool_)
        between = self.gaps_to(kind, at, self.keep_out.models, marks=self.marks)
        spare = self.problem.clearance - GAP_ROUNDING
        return np.asarray(
            ~self._engaging(kind, at, z, self.keep_out, between, spare=spare).any(axis=1)
        )

    def are_legal(self, kind: OrientedBase, at: FloatArray, z: FloatArray) -> BoolArray:
        """Return (k,) at which places a model may end, ignoring the other models of its unit."""
        usable = self.on_board(kind, at) & self._supported(kind, at, z)
        usable[usable] &= self._clear_of_bodies(kind, at[usable], z[usable])
        usable[usable] &= self.keep_clear(kind, at[usable], z[usable])
        return usable

    def are_clear_mid_climb(self, kind: OrientedBase, at: FloatArray, z: FloatArray) -> BoolArray:
        """Return (k,) which places part-way up a piece of terrain are on the board and clear of everything."""
        usable = self.on_board(kind, at) & self._clear_of_bodies(kind, at, z)
        for piece in self.problem.solids:
            usable &= (gaps_at_shifts(kind.shape, at, piece.shape) >= -CONTACT) | (
                z >= piece.top - CONTACT
            )
        return usable

    def on_board(self, kind: OrientedBase, at: FloatArray, *, off: float = 0.0) -> BoolArray:
        """Return (k,) which places are on the board, or at most `off` inches outside."""
        board = self.problem.board
        west, south, east, north = kind.shape.bounds
        low = np.array([west, south])
        high = np.array([east - board.width, north - board.depth])
        return np.asarray(((at + low >= -off - CONTACT) & (at + high <= off + CONTACT)).all(axis=1))

    def _clear_of_bodies(self, kind: OrientedBase, at: FloatArray, z: FloatArray) -> BoolArray:
        bodies = self.problem.bodies
        level = np.abs(z[:, None] - bodies.heights[None, :]) <= CONTACT
        return np.asarray(
            ~((self.gaps_to(kind, at, bodies, marks=(0.0,)) < -CONTACT) & level).any(axis=1)
        )

    def _supported(self, kind: OrientedBase, at: FloatArray, z: FloatArray) -> BoolArray:
        usable: BoolArray = z <= CONTACT
        for surface in self.problem.surfaces:
            if surface.shape is not None:
                usable = usable | _held_up(kind, at, z, surface, surface.shape)
        for piece in self.problem.solids:
            low, high = np.reshape(piece.shape.bounds, (2, 2))
            near = ((at >= low - kind.outer) & (at <= high + kind.outer)).all(axis=1)
            asked = np.flatnonzero(usable & (z < piece.top - CONTACT) & near)
            if len(asked):
                usable[asked] &= gaps_at_shifts(kind.shape, at[asked], piece.shape) >= -CONTACT
        return usable

    def end_closer(self, mover: int, candidates: Candidates) -> BoolArray:
        """Return (k,) which candidates are closer to a target than the model's start."""
        closer = np.zeros(len(candidates), dtype=bool)
        for kind in np.unique(candidates.kind):
            own = np.flatnonzero(candidates.kind == kind)
            for is_rough in (True, False):
                rest = own[~closer[own]]
                if not len(rest):
                    break
                distances = self.distances(
                    self.kinds[kind], candidates.at[rest], candidates.z[rest], is_rough=is_rough
                )
                closer[rest] = (distances < self.start_distances[mover] - CONTACT).any(axis=1)
        return closer

    @cached_property
    def start_distances(self) -> FloatArray:
        """Distances (n, targets) in inches of the models' starts from the targets."""
        models = self.problem.models
        rows = [
            self.distances(self.kinds[kind], centre[None], height[None])
            for kind, centre, height in zip(
                self.kind_numbers, models.centres, models.heights, strict=True
            )
        ]
        return np.concatenate(rows)

    def distances(
        self, kind: OrientedBase, at: FloatArray, z: FloatArray, *, is_rough: bool = False
    ) -> FloatArray:
        """Return the distances (k, targets) in inches of places from the targets; if `is_rough`, upper bounds of them,
        which is quick.
        """
        foes = self.problem.target_models
        if is_rough:
            between = (
                point_distances(at, foes.models.centres)
                - self._inner_radii(foes.models)
                - kind.inner
            )
        else:
            between = self.gaps_to(kind, at, foes.models)
        apart = np.hypot(np.maximum(between, 0.0), self.problem.rises(z, foes))
        return np.stack(
            [
                apart[:, self.problem.target_index == number].min(axis=1)
                for number in self.problem.target_numbers
            ],
            axis=1,
        )

    def spot_of(self, mover: int, end: End) -> Candidates:
        """Return the end of a model's move as one candidate, with its contact and engagement measured."""
        kind = self.kinds.index(
            oriented_base(replace(self.problem.models.models[mover], pose=end.pose))
        )
        return self.measured(kind, np.array([end.pose.at]), np.array([end.z]))

    def model_at(self, mover: int, candidates: Candidates, place: int) -> Model:
        """Return model `mover` of the problem placed at row `place` of some candidates."""
        model = self.problem.models.models[mover]
        kind = self.kinds[candidates.kind[place]]
        x, y = candidates.at[place].tolist()
        heading = model.pose.heading if kind.is_round else kind.heading
        return model.at(Pose(x, y, heading), float(candidates.z[place]))

    def curves_between(self, kind: int, other: int, needed: float) -> list[ArcCurve]:
        """Return the curves of the place of oriented base number `kind` at which it is `needed` inches from base
        `other` at the origin.
        """
        key = (kind, other, needed)
        if key not in self._between:
            self._between[key] = list(
                configuration_obstacle(
                    self.kinds[other].shape, self.kinds[kind].shape, needed=needed
                )
            )
        return self._between[key]

    def curves_about(
        self, kind: OrientedBase, models: Sequence[Model], needed: float
    ) -> list[ArcCurve]:
        """Return the curves of the place of an oriented base at which it is `needed` inches from one of some models."""
        if kind.is_round and all(isinstance(model.base, RoundBase) for model in models):
            radii = [model.footprint.radius + kind.shape.radius + needed for model in models]
            return [
                ArcCurve(np.array([model.pose.at]), np.array([radius]), np.zeros(1))
                for model, radius in zip(models, radii, strict=True)
            ]
        return [
            curve
            for model in models
            for curve in configuration_obstacle(model.footprint, kind.shape, needed=needed)
        ]


def _held_up(
    kind: OrientedBase, at: FloatArray, z: FloatArray, surface: Surface, shape: Shape
) -> BoolArray:
    """Return (k,) which places of an oriented base are supported by a surface."""
    west, south, east, north = shape.bounds
    held: BoolArray = (
        (np.abs(z - surface.z) <= CONTACT)
        & (at[:, 0] >= west)
        & (at[:, 0] <= east)
        & (at[:, 1] >= south)
        & (at[:, 1] <= north)
    )
    body = disc((0.0, 0.0), 0.0) if surface.by_centre else kind.shape
    held[held] = depths_at_shifts(body, at[held], shape) >= -CONTACT
    return held


def obstacles(legality: Legality) -> list[Shape]:
    """Return the footprints and shapes that forbid ends: bodies, solid terrain, models whose range is to be kept out
    of.
    """
    solids = (piece.shape for piece in legality.problem.solids)
    return [
        *(body.footprint for body in legality.problem.bodies.models),
        *solids,
        *(one.footprint for one in legality.keep_out.models.models),
    ]


def clearances(legality: Legality, kind: OrientedBase, at: FloatArray, z: FloatArray) -> FloatArray:
    """Return the clearance (k, obstacles) in inches of places (k, 2) of one kind at heights (k,) from each of
    `obstacles`.

    It is negative inside, and infinite for foes touched and obstacles at another height.
    """
    problem = legality.problem
    level = np.abs(z[:, None] - problem.bodies.heights[None, :]) <= CONTACT
    between = legality.gaps_to(kind, at, problem.bodies)
    bodies = np.where(level & (np.abs(between) > OVAL_CURVES_OFF), between, np.inf)
    solids = [
        np.where(z < piece.top - CONTACT, gaps_at_shifts(kind.shape, at, piece.shape), np.inf)
        for piece in problem.solids
    ]
    needed = problem.engagement.horizontal + problem.clearance
    near = problem.rises(z, legality.keep_out) <= problem.engagement.vertical + CONTACT
    zones = np.where(near, legality.gaps_to(kind, at, legality.keep_out.models) - needed, np.inf)
    return np.column_stack([bodies, *solids, zones])


def may_stand(
    legality: Legality, kind: OrientedBase, at: FloatArray, z: FloatArray, *, off: float
) -> BoolArray:
    """Return (k,) whether a base within `off` inches of places (k, 2), at heights (k,), may be legal as far as simple
    tests tell.

    They are: on the board, clear of what forbids ends, and over something that may support it.
    """
    is_open = legality.on_board(kind, at, off=off) & (
        clearances(legality, kind, at, z) >= -off - CONTACT
    ).all(axis=1)
    held = ~np.isin(z, legality.problem.surface_heights[1:])
    for surface in legality.problem.surfaces:
        if surface.shape is not None:
            own = np.flatnonzero(~held & is_open & (z == surface.z))
            held[own] = _may_hold(kind, at[own], surface, surface.shape, off=off)
    return is_open & held


def _may_hold(
    kind: OrientedBase, at: FloatArray, surface: Surface, shape: Shape, *, off: float
) -> BoolArray:
    """Return (k,) whether a surface may support an oriented base within `off` inches of places (k, 2).

    Wherever there a disc inside the base lies on it, a smaller one at the place does, or its centre is near enough.
    """
    room = 0.0 if surface.by_centre else kind.inner
    if room > off:
        smaller = disc((0.0, 0.0), room - off)
        return np.asarray(depths_at_shifts(smaller, at, shape) >= -CONTACT)
    return np.asarray(gaps_at_shifts(disc((0.0, 0.0), off - room), at, shape) <= CONTACT)

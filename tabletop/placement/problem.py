"""Placement problems as values: a unit of loose models that moves, what its ends must keep, and the answers.

A game states a `PlacementProblem` once: models, targets, terrain, and who is engaged (`Engagement`) and in coherency
(`Coherency`). `tabletop.placement.candidates.Solver` holds it with what is worked out about it;
`tabletop.placement.search` answers, each for a `Solver` at a limit of movement and under some conditions:

- `find(solver, budget=...) -> Answer`: some plan that keeps the conditions, or that there is none;
- `best(solver, budget=...) -> Answer`: the best one by its `PlacementObjective`;
- `least_distance(solver, budget=...) -> Least`: the infimum of the distances at which there is one (the limit is not
  read).

That there is none is proved only where the proof is `exact` or `tolerance`. Lengths and heights are in inches, headings
in radians; many places are centres (k, 2) with heights (k,) (`Candidates`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.budget import Proof
from tabletop.geometry.arrangement import ArcPieces
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray, concatenate
from tabletop.geometry.distance import gap, gaps_at_shifts
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape
from tabletop.placement.objective import Counted, PlacementObjective, Values
from tabletop.table.models import Model, ModelArray, crowd
from tabletop.table.state import Board
from tabletop.units import CONTACT

Condition = Literal["grounded", "apart", "coherent", "closer"]
"""What may be asked of ends beside that every target is engaged."""

ALL: frozenset[Condition] = frozenset(("grounded", "apart", "coherent", "closer"))
"""All conditions on ends.

`grounded`: none part-way up a piece of terrain; `apart`: none in an engagement range to be kept out of; `coherent`: the
unit in coherency; `closer`: each model closer to a target than it began.
"""

Air = Literal["nowhere", "terrain", "anywhere"]
"""Where moves may be measured through the air: nowhere, from and to terrain, or from and to the table itself too."""

CROSSED_BY = 4e-6
"""Inches to either side of a line at which it is surely crossed or missed."""


class Lengthening(Protocol):
    """Something on the table, such as a barricade, that lengthens the range of engagement between some bodies."""

    @property
    def range(self) -> float:
        """The longer range in inches, measured horizontally, that applies there."""
        ...

    def may_count(self, foe: Shape) -> bool:
        """Return whether the longer range may apply anywhere about a foe."""
        ...

    def counts(self, body: Shape, foe: Shape, *, spare: float) -> bool:
        """Return whether the longer range applies between two bodies, or would if they were `spare` inches nearer to
        what lengthens it.
        """
        ...

    def borders(
        self, seers: ModelArray, outer: float, *, aside: Sequence[float]
    ) -> list[ArcPieces]:
        """Return lines at which the longer range begins to apply between `seers` and a body within `outer` inches of
        its place.

        Each line is repeated for each number of inches to its right in `aside`.
        """
        ...

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a lower bound, in inches, on the move of a body from within `around` to where the longer range applies
        to a foe.

        Infinite if it applies nowhere.
        """
        ...

    def may_count_near(
        self,
        body: Shape,
        at: FloatArray,
        foe: Shape,
        between: FloatArray,
        *,
        off: float,
        is_flat: bool,
    ) -> BoolArray:
        """Return near which places (k, 2) of a base, at gaps (k,) in inches from a foe, the longer range may apply,
        within `off` inches.

        With `is_flat` all bodies stand on the table itself.
        """
        ...


@dataclass(frozen=True, eq=False)
class Engagement:
    """Two models are engaged within `horizontal` inches of each other in plan, and `vertical` inches in height.

    `lengthening` may make the horizontal range longer for some of them.
    """

    horizontal: float
    vertical: float
    lengthening: Lengthening | None = None

    @property
    def ranges(self) -> tuple[float, ...]:
        """All horizontal ranges in inches, the shortest first."""
        return (
            (self.horizontal,)
            if self.lengthening is None
            else tuple(sorted({self.horizontal, self.lengthening.range}))
        )

    def margins(
        self,
        between: FloatArray,
        up: FloatArray,
        bodies: Callable[[int, int], tuple[Shape, Shape]],
        *,
        spare: float = CONTACT,
        beyond: float,
    ) -> tuple[FloatArray, FloatArray]:
        """Return the margins (n, m) in inches by which models are within horizontal and vertical range of others;
        negative: outside.

        Parameters
        ----------
        between, up
            Horizontal and vertical gaps (n, m) in inches.
        bodies
            Function that returns the footprints of a pair, given its row and column.
        spare
            A longer range applies where it would if a pair were so many inches nearer to what lengthens it.
        beyond
            For pairs farther apart than the longer range plus so many inches it is not tested whether it applies: they
            are outside anyway.
        """
        across: FloatArray = self.horizontal - between
        if self.lengthening is not None:
            longer = self.lengthening.range - between
            for one, other in np.argwhere((across < 0.0) & (longer >= -beyond)):
                if self.lengthening.counts(*bodies(one, other), spare=spare):
                    across[one, other] = longer[one, other]
        return across, self.vertical - up

    def longest_to(self, foe: Shape) -> float:
        """Return the longest horizontal range in inches from which a foe may be engaged."""
        return (
            self.ranges[-1]
            if self.lengthening is not None and self.lengthening.may_count(foe)
            else self.horizontal
        )

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a lower bound, in inches, on the move of a body from within `around` to where it engages a foe."""
        longer = math.inf if self.lengthening is None else self.lengthening.least_way(around, foe)
        return min(gap(around, foe) - self.horizontal, longer)

    def borders(
        self, seers: ModelArray, outer: float, *, aside: Sequence[float]
    ) -> list[ArcPieces]:
        """Return the lines at which the longer range begins to apply; none without `lengthening`.

        See `Lengthening.borders`.
        """
        return (
            [] if self.lengthening is None else self.lengthening.borders(seers, outer, aside=aside)
        )

    def may_hold(
        self, body: Shape, at: FloatArray, foe: Shape, *, off: float, is_flat: bool
    ) -> BoolArray:
        """Return near which places (k, 2) of a base, within `off` inches, it may be engaged with a foe, perhaps at the
        longer range.
        """
        between = gaps_at_shifts(body, at, foe)
        near = np.asarray(between <= self.horizontal + off + CONTACT)
        if self.lengthening is not None:
            rows = np.flatnonzero(~near & (between <= self.lengthening.range + off + CONTACT))
            near[rows] = self.lengthening.may_count_near(
                body, at[rows], foe, between[rows], off=off, is_flat=is_flat
            )
        return near


def rises(
    heights: FloatArray, tall: float, others: FloatArray, others_tall: float | FloatArray
) -> FloatArray:
    """Return the vertical gaps (n, m) in inches between bodies at `heights` (n,), `tall` high, and others at `others`
    (m,).
    """
    rise: FloatArray = heights[:, None] - others[None, :]
    return np.maximum(np.maximum(rise - others_tall, -rise - tall), 0.0)


@dataclass(frozen=True)
class Coherency:
    """Coherency of a unit of `count` models: each needs `neighbours` others within `horizontal` and `vertical` inches.

    With `single_group` all models must be joined, directly or by way of others, into one group as well.
    """

    count: int
    neighbours: int
    horizontal: float
    vertical: float
    single_group: bool

    def margins(self, between: FloatArray, up: FloatArray) -> FloatArray:
        """Return by how many inches models are within both ranges of others, given gaps in plan and in height;
        negative: outside.
        """
        return np.minimum(self.horizontal - between, self.vertical - up)

    @property
    def is_one_group(self) -> bool:
        """Whether the unit always forms one group: because that is required, or because it is too small for two
        groups.
        """
        return self.single_group or self.count < 2 * (self.neighbours + 1)

    @property
    def most_links(self) -> float:
        """Largest number of links on the shortest chain between any two models; infinite if there may be several
        groups.

        Where each has one neighbour this is a chain of all. Where each has two, a chain of three links or more has
        beside it a second neighbour of its first model and another of its last, so at least two models are not on it; a
        chain of two takes four models.
        """
        if not self.is_one_group:
            return np.inf
        return self.count - 1 if self.neighbours < 2 else max(self.count - 3, self.count // 2)  # noqa: PLR2004

    def span(self, widths: FloatArray) -> float:
        """Return the greatest overall extent in inches of two models at the ends of a chain of links; infinite in
        several groups.

        `widths` (n,) are those of all models, in inches. A chain has one model more than links; the widest models are
        taken.
        """
        if np.isinf(self.most_links):
            return np.inf
        return (
            float(np.sort(widths)[::-1][: int(self.most_links) + 1].sum())
            + self.most_links * self.horizontal
        )


@dataclass(frozen=True, eq=False)
class Surface:
    """A height in inches at which models may stand: the table itself (no shape), or the top of something.

    It supports a model whose base lies inside its shape, or whose centre does, if that is enough (`by_centre`).
    """

    z: float
    shape: Shape | None = None
    by_centre: bool = False


@dataclass(frozen=True)
class Piece:
    """A solid piece of terrain, up to `top` inches high; infinite: nobody stands on it."""

    shape: Shape
    top: float


@dataclass(frozen=True, eq=False)
class ModelGroup:
    """Models with the height (m,) in inches that counts for each in vertical gaps (`tall`)."""

    models: ModelArray
    tall: FloatArray


Spot = tuple[int, float, float, float]
"""Where a model stands: the number of its kind (its base with a heading), and x, y and z in inches."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Places at which models may end: centres (k, 2) and heights (k,) in inches, and the numbers (k,) of their kinds of
    base.

    `touching` (k,) tells whether a model there is in base contact with a target, `engaged` (k, targets) which targets
    it engages.
    """

    at: FloatArray
    z: FloatArray
    kind: IntArray
    touching: BoolArray
    engaged: BoolArray

    def __len__(self) -> int:
        return len(self.at)

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """The arrays `at`, `z`, `kind`, `touching` and `engaged`, in this order."""
        return (self.at, self.z, self.kind, self.touching, self.engaged)

    @property
    def spots(self) -> list[Spot]:
        """The places as tuples: number of the kind of base, and x, y and z in inches."""
        return [
            (kind, x, y, z)
            for kind, (x, y), z in zip(
                self.kind.tolist(), self.at.tolist(), self.z.tolist(), strict=True
            )
        ]

    @property
    def is_engaged(self) -> BoolArray:
        """Whether (k,) a model at each place is engaged with some target."""
        return np.asarray(self.engaged.any(axis=1))

    def serving(self, goal: Counted) -> BoolArray:
        """Return (k,) whether a model at each place counts as in contact, or as engaged."""
        return self.touching if goal == "contact" else self.is_engaged

    def of(self, chosen: BoolArray | IntArray | list[int]) -> "Candidates":
        """Return the places selected by a mask or by indices."""
        return Candidates(
            self.at[chosen],
            self.z[chosen],
            self.kind[chosen],
            self.touching[chosen],
            self.engaged[chosen],
        )

    def replaced(self, row: int, other: "Candidates", choice: int) -> "Candidates":
        """Return a copy of these places in which place `row` is replaced by place `choice` of another set."""
        copy = Candidates(
            self.at.copy(),
            self.z.copy(),
            self.kind.copy(),
            self.touching.copy(),
            self.engaged.copy(),
        )
        copy.at[row], copy.z[row], copy.kind[row] = (
            other.at[choice],
            other.z[choice],
            other.kind[choice],
        )
        copy.touching[row], copy.engaged[row] = other.touching[choice], other.engaged[choice]
        return copy


def joined_candidates(parts: Sequence[Candidates]) -> Candidates:
    """Return several sets of places as one, in their order."""
    return Candidates(*concatenate([part.columns for part in parts]))


class PathLengths(Protocol):
    """Lengths of the shortest paths of the models that move, with all models where they stand before the move."""

    @property
    def reach(self) -> float:
        """Length in inches beyond which no path need be found."""
        ...

    def lengths(
        self, model: Model, ends: FloatArray, heading: float | None = None, *, lost: float = 0.0
    ) -> FloatArray:
        """Return the lengths (n,) in inches of a model's paths to places (n, 3); infinite where none is within reach.

        `heading` in radians is that of the ends, if not the model's own. A disc whose radius was reduced by `lost`
        inches may be kept from gaps that are too narrow for the whole one.
        """
        ...

    def flights(self, model: Model, ends: FloatArray, *, lost: float) -> FloatArray:
        """Return the lengths (n,) in inches of a disc's paths through the air to places (n, 3); infinite where none may
        lead.

        A disc whose radius was reduced by `lost` inches is stopped only by what stops it at any height.
        """
        ...

    def is_unobstructed(self, model: Model, ends: FloatArray) -> BoolArray:
        """Return (n,) to which places (n, 3) the straight path of a model that keeps its facing is clear of
        everything.
        """
        ...


@dataclass(frozen=True, eq=False)
class PlacementProblem:
    """A unit of loose models that moves, with all that determines where they may end. Measures are in inches.

    Attributes
    ----------
    models
        The models that move, where they begin.
    own_height
        The height that counts for each of them in vertical gaps.
    pivots
        What it costs each of them (n,) to turn.
    targets
        The units to engage.
    keep_out
        Other models, whose engagement range is to be kept out of under the condition `apart`.
    bodies
        All models but those that move.
    board
        The table.
    solids
        Pieces that no end may overlap below their tops.
    climbed
        Pieces that paths may lead over.
    surfaces
        Where models may stand: the table itself first.
    free_height
        Height up to which a step up or down costs nothing.
    air
        Where moves may be measured through the air.
    engagement, coherency
        When models are engaged, and what keeps the unit together.
    clearance
        The gap kept beyond the ranges of `keep_out` models.
    paths
        Function that returns the shortest paths up to a length in inches, given whether they keep out of the ranges of
        `keep_out` models.
    farthest
        The greatest limit of movement that is of any use.
    all_closer
        Whether under the condition `closer` models that stay must be closer to a target too: then none may stay.
    objective
        Which plans are better.
    """

    models: ModelArray
    own_height: float
    pivots: tuple[float, ...]
    targets: tuple[ModelGroup, ...]
    keep_out: ModelGroup
    bodies: ModelArray
    board: Board
    solids: tuple[Piece, ...]
    climbed: tuple[Piece, ...]
    surfaces: tuple[Surface, ...]
    free_height: float
    air: Air
    engagement: Engagement
    coherency: Coherency
    clearance: float
    paths: Callable[[float, bool], PathLengths]
    farthest: float
    all_closer: bool
    objective: PlacementObjective

    @cached_property
    def target_models(self) -> ModelGroup:
        """The models of all targets, target after target: the foes."""
        models = [model for target in self.targets for model in target.models.models]
        return ModelGroup(crowd(models), np.concatenate([target.tall for target in self.targets]))

    @cached_property
    def target_index(self) -> IntArray:
        """The number (m,) of the target to which each foe belongs."""
        return np.repeat(
            np.arange(len(self.targets)), [len(target.models.models) for target in self.targets]
        )

    @cached_property
    def middle(self) -> FloatArray:
        """Mean (2,) of the positions in inches at which the models begin."""
        return np.asarray(self.models.centres.mean(axis=0))

    @cached_property
    def axes(self) -> FloatArray:
        """Orthogonal unit vectors (2, 2), as rows: from the middle of the unit to that of its targets, and to the left
        of it.

        Grids of places are laid along them, so that the same places are examined however the table is turned.
        """
        ahead = self.target_models.models.centres.mean(axis=0) - self.middle
        angle = math.atan2(ahead[1], ahead[0])
        return np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])

    @property
    def target_numbers(self) -> range:
        """Indices of the targets: range(number of targets)."""
        return range(len(self.targets))

    def rises(self, z: FloatArray, group: ModelGroup) -> FloatArray:
        """Return the vertical gaps (k, m) in inches between moving models at heights `z` (k,) and the models of a
        group.
        """
        return rises(z, self.own_height, group.models.heights, group.tall)

    @cached_property
    def surface_heights(self) -> FloatArray:
        """Heights (k,) in inches of the surfaces on which models may stand."""
        return np.array([surface.z for surface in self.surfaces])

    @cached_property
    def longest_ranges(self) -> FloatArray:
        """Longest horizontal gap (m,) in inches at which each foe may be engaged."""
        return np.array(
            [self.engagement.longest_to(foe.footprint) for foe in self.target_models.models.models]
        )

    @cached_property
    def spans(self) -> FloatArray:
        """Greatest distances (n, n) in inches between the centres of two models that chains of links allow; 0 on the
        diagonal.
        """
        radii = self.models.radii
        spans = self.coherency.span(2.0 * radii) - radii[:, None] - radii
        np.fill_diagonal(spans, 0.0)
        return spans

    @property
    def flies(self) -> bool:
        """Whether moves may lead through the air."""
        return self.air != "nowhere"

    @property
    def is_level(self) -> bool:
        """Whether no move leads up, over terrain or through the air: models only go round what is in their way."""
        return not (
            self.flies
            or self.climbed
            or any(surface.z > self.free_height for surface in self.surfaces)
        )


@dataclass(frozen=True)
class End:
    """Where a model ends: its pose, and its height `z` in inches."""

    pose: Pose
    z: float = 0.0


@dataclass(frozen=True)
class Plan:
    """Ends of all living models that answer a question, by model number, with what the goals count.

    Attributes
    ----------
    ends
        Where each model ends, a model that stays included.
    lengths
        Length of each model's move in inches.
    contacts
        Numbers of the models in base contact with a target.
    engaged
        Numbers of the models engaged with a target.
    most_contacts
        Upper bound on the number of models in contact in any plan.
    most_engaged
        Upper bound on the number of models engaged in any plan with as many contacts.
    prove, count
        Functions that prove that no plan with these counts has a smaller total move (`shortest`), and that count the
        plans that are as good (`choices`). Both take long, and few plans are asked.
    """

    ends: Mapping[int, End]
    lengths: Mapping[int, float]
    contacts: tuple[int, ...]
    engaged: tuple[int, ...]
    most_contacts: int
    most_engaged: int
    prove: Callable[[], Proof] = field(default=lambda: "best_found", repr=False, compare=False)
    count: Callable[[], int | None] = field(default=lambda: None, repr=False, compare=False)

    @cached_property
    def shortest(self) -> Proof:
        """Proof that no plan with these counts has a smaller total move."""
        return self.prove()

    @cached_property
    def choices(self) -> int | None:
        """Number of plans that are as good; None if not known."""
        return self.count()

    @property
    def proof(self) -> Proof:
        """Proof that no plan is better: that of movement if both counts reach their upper bounds, else `best_found`."""
        is_best = (
            len(self.contacts) >= self.most_contacts and len(self.engaged) >= self.most_engaged
        )
        return self.shortest if is_best else "best_found"

    @property
    def total(self) -> float:
        """Sum of the lengths of all models' moves, in inches."""
        return sum(self.lengths.values())

    @property
    def values(self) -> Values:
        """What a `PlacementObjective` compares."""
        return Values(len(self.contacts), len(self.engaged), self.total)


@dataclass(frozen=True)
class Answer:
    """A plan, or None if there is none; `proof` tells how certain that is, `text` why there is none, if known."""

    plan: Plan | None
    proof: Proof
    text: str = ""


@dataclass(frozen=True)
class Least:
    """The least distance in inches for which there is a plan: the infimum, `inf` if there is none.

    No distance less than `bound` suffices; `proof` tells whether that meets `distance`, to 0.001 in.
    """

    distance: float
    bound: float
    proof: Proof

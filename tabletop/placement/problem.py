"""Placement problems as values: a unit of loose models that moves, what its ends must keep, and the answers.

A game states a `PlacementProblem` once: models, targets, terrain, and who is engaged (`Engagement`) and in coherency (`Coherency`).
`tabletop.placement.candidates.Solver` holds it with what is worked out about it; `tabletop.placement.search` answers, each for a
`Solver` at a limit of movement and under some conditions:

- `find(solver, budget=...) -> Answer`: some plan that keeps the conditions, or that there is none;
- `best(solver, budget=...) -> Answer`: the best one: most contacts, then most models engaged, then least movement;
- `least_distance(solver, budget=...) -> Least`: the infimum of the distances at which there is one (the limit is not read).

That there is none is proved only where the proof is `exact` or `tolerance`. Lengths and heights are in inches, headings in radians;
many places are centres (k, 2) with heights (k,) (`Candidates`).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
from tabletop.table.models import Model, ModelArray, crowd
from tabletop.table.state import Board
from tabletop.units import CONTACT

Condition = Literal["grounded", "apart", "coherent", "closer"]
"""What may be asked of ends beside that every target is engaged."""

ALL: frozenset[Condition] = frozenset(("grounded", "apart", "coherent", "closer"))
"""No end part-way up a piece; none in a range to keep out of; the unit coherent; each model closer to a target than it began."""

Air = Literal["nowhere", "terrain", "anywhere"]
"""Where moves may be measured through the air: from and to terrain, or from and to the table itself too."""

CROSSED_BY = 4e-6
"""Inches to either side of a line at which it is surely crossed or missed."""


class Lengthening(Protocol):
    """Something on the table that lengthens the range of engagement between some bodies."""

    @property
    def range(self) -> float:
        """The range across in inches that counts there."""
        ...

    def may_count(self, foe: Shape) -> bool:
        """Return whether that range may count anywhere about a foe."""
        ...

    def counts(self, body: Shape, foe: Shape, *, spare: float) -> bool:
        """Return whether it counts between two bodies, or would if it were `spare` inches nearer to what joins them."""
        ...

    def borders(self, seers: ModelArray, outer: float, *, aside: Sequence[float]) -> list[ArcPieces]:
        """Return lines at which it begins to count between some models and a body within `outer` inches of its place.

        Of each line there is one for each number of inches to its right in `aside`.
        """
        ...

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a number of inches that a body within a disc must go at least for it to count; infinite if it nowhere does."""
        ...

    def may_count_near(self, body: Shape, at: FloatArray, foe: Shape, between: FloatArray, *, off: float, is_flat: bool) -> BoolArray:
        """Return near which places (k, 2) of a base, at gaps (k,) from a foe, it may count, within `off` inches.

        Where it `is_flat` all bodies stand on the table itself.
        """
        ...


@dataclass(frozen=True, eq=False)
class Engagement:
    """Two models are engaged within `horizontal` inches of each other across, and `vertical` inches up and down."""

    horizontal: float
    vertical: float
    lengthening: Lengthening | None = None

    @property
    def ranges(self) -> tuple[float, ...]:
        """All ranges across in inches, the shortest first."""
        return (self.horizontal,) if self.lengthening is None else tuple(sorted({self.horizontal, self.lengthening.range}))

    def margins(
        self,
        between: FloatArray,
        up: FloatArray,
        bodies: Callable[[int, int], tuple[Shape, Shape]],
        *,
        spare: float = CONTACT,
        beyond: float,
    ) -> tuple[FloatArray, FloatArray]:
        """Measure how far (n, m) models are within range of others, across, and up and down; negative: outside.

        Parameters
        ----------
        between, up
            Gaps (n, m) in inches across, and up and down.
        bodies
            Returns the footprints of a pair.
        spare
            A longer range counts where it would if a pair were so many inches nearer to what lengthens it.
        beyond
            Of pairs farther apart than the longer range and so many inches it is not asked whether it counts: they are outside anyway.
        """
        across: FloatArray = self.horizontal - between
        if self.lengthening is not None:
            longer = self.lengthening.range - between
            for one, other in np.argwhere((across < 0.0) & (longer >= -beyond)):
                if self.lengthening.counts(*bodies(one, other), spare=spare):
                    across[one, other] = longer[one, other]
        return across, self.vertical - up

    def longest_to(self, foe: Shape) -> float:
        """Return the longest range across in inches from which a foe may be engaged."""
        return self.ranges[-1] if self.lengthening is not None and self.lengthening.may_count(foe) else self.horizontal

    def least_way(self, around: Shape, foe: Shape) -> float:
        """Return a number of inches that a body within a disc must go at least to engage a foe."""
        longer = math.inf if self.lengthening is None else self.lengthening.least_way(around, foe)
        return min(gap(around, foe) - self.horizontal, longer)

    def borders(self, seers: ModelArray, outer: float, *, aside: Sequence[float]) -> list[ArcPieces]:
        """Return lines at which another range begins to count: those of what lengthens it."""
        return [] if self.lengthening is None else self.lengthening.borders(seers, outer, aside=aside)

    def may_hold(self, body: Shape, at: FloatArray, foe: Shape, *, off: float, is_flat: bool) -> BoolArray:
        """Return near which places (k, 2) of a base, within `off` inches, it may be engaged with a foe across a barricade."""
        between = gaps_at_shifts(body, at, foe)
        near = np.asarray(between <= self.horizontal + off + CONTACT)
        if self.lengthening is not None:
            rows = np.flatnonzero(~near & (between <= self.lengthening.range + off + CONTACT))
            near[rows] = self.lengthening.may_count_near(body, at[rows], foe, between[rows], off=off, is_flat=is_flat)
        return near


def rises(heights: FloatArray, tall: float, others: FloatArray, others_tall: float | FloatArray) -> FloatArray:
    """Measure the vertical gaps (n, m) in inches between bodies, so `tall`, that stand at `heights` (n,) and `others` (m,)."""
    rise: FloatArray = heights[:, None] - others[None, :]
    return np.maximum(np.maximum(rise - others_tall, -rise - tall), 0.0)


@dataclass(frozen=True)
class Coherency:
    """Each of `count` models has so many `neighbours`: others within ranges in inches across and up and down.

    A unit that must be a `single_group` hangs together as well.
    """

    count: int
    neighbours: int
    horizontal: float
    vertical: float
    single_group: bool

    def margins(self, between: FloatArray, up: FloatArray) -> FloatArray:
        """Measure how far models are within both ranges of others at gaps in inches across, and up and down; negative: outside."""
        return np.minimum(self.horizontal - between, self.vertical - up)

    @property
    def is_one_group(self) -> bool:
        """Whether the unit always hangs together: it is asked of it, or it is too small for two groups."""
        return self.single_group or self.count < 2 * (self.neighbours + 1)

    @property
    def most_links(self) -> float:
        """How many links at most lead from any model to any other; infinite if there may be several groups.

        Where each has a neighbour this is a chain of all. Where each has two, a way of three links or more has beside it a second
        neighbour of its first model and another of its last, so two models at least are not on it; a way of two takes four models.
        """
        if not self.is_one_group:
            return np.inf
        return self.count - 1 if self.neighbours < 2 else max(self.count - 3, self.count // 2)  # noqa: PLR2004

    def span(self, widths: FloatArray) -> float:
        """Return how far apart in inches two models may reach, their own widths (n,) included; infinite in several groups.

        A chain of links takes one model more than it has links, at most the widest.
        """
        if np.isinf(self.most_links):
            return np.inf
        return float(np.sort(widths)[::-1][: int(self.most_links) + 1].sum()) + self.most_links * self.horizontal


@dataclass(frozen=True, eq=False)
class Surface:
    """A height in inches at which models may stand: the table itself (no shape), or the top of something.

    That holds a model if its base lies inside its shape, or its centre, where this is enough.
    """

    z: float
    shape: Shape | None = None
    by_centre: bool = False


@dataclass(frozen=True)
class Piece:
    """Something solid, up to so many inches high; infinite: nobody stands on it."""

    shape: Shape
    top: float


@dataclass(frozen=True, eq=False)
class ModelGroup:
    """Models with the height (m,) in inches that each counts for in vertical gaps."""

    models: ModelArray
    tall: FloatArray


Spot = tuple[int, float, float, float]
"""Where a model stands: the number of its kind, and x, y and z in inches."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Places that models may end at: centres (k, 2), heights (k,), kinds (k,); contact (k,) and engagement (k, targets)."""

    at: FloatArray
    z: FloatArray
    kind: IntArray
    touching: BoolArray
    engaged: BoolArray

    def __len__(self) -> int:
        return len(self.at)

    @property
    def columns(self) -> tuple[NDArray[Any], ...]:
        """All arrays, in the order of the fields."""
        return (self.at, self.z, self.kind, self.touching, self.engaged)

    @property
    def spots(self) -> list[Spot]:
        """The same as tuples."""
        return [(kind, x, y, z) for kind, (x, y), z in zip(self.kind.tolist(), self.at.tolist(), self.z.tolist(), strict=True)]

    @property
    def is_engaged(self) -> BoolArray:
        """Return which places (k,) are engaged with some target."""
        return np.asarray(self.engaged.any(axis=1))

    def of(self, chosen: BoolArray | IntArray | list[int]) -> "Candidates":
        """Keep some of them."""
        return Candidates(self.at[chosen], self.z[chosen], self.kind[chosen], self.touching[chosen], self.engaged[chosen])

    def replaced(self, row: int, other: "Candidates", choice: int) -> "Candidates":
        """Return the row with one place replaced by another."""
        copy = Candidates(self.at.copy(), self.z.copy(), self.kind.copy(), self.touching.copy(), self.engaged.copy())
        copy.at[row], copy.z[row], copy.kind[row] = other.at[choice], other.z[choice], other.kind[choice]
        copy.touching[row], copy.engaged[row] = other.touching[choice], other.engaged[choice]
        return copy


def joined_candidates(parts: Sequence[Candidates]) -> Candidates:
    """Concatenate sets of places."""
    return Candidates(*concatenate([part.columns for part in parts]))


class PathLengths(Protocol):
    """Lengths of the shortest paths of the models that move, among all models as they stand before the move."""

    @property
    def reach(self) -> float:
        """Inches beyond which no way need be found."""
        ...

    def lengths(self, model: Model, ends: FloatArray, heading: float | None = None, *, lost: float = 0.0) -> FloatArray:
        """Measure the lengths (n,) in inches of a model's ways to places (n, 3); infinite where there is none within reach.

        `heading` in radians is that of the ends, if not the model's own. A disc that has `lost` so many inches all around may be
        kept from gaps that are too narrow for the whole one.
        """
        ...

    def is_unobstructed(self, model: Model, ends: FloatArray) -> BoolArray:
        """Return to which places (n, 3) the straight path of a model that keeps its facing is clear of everything."""
        ...


@dataclass(frozen=True, eq=False)
class PlacementProblem:
    """A unit of loose models that moves, and all that says where they may end: the same for every question. Measures are in inches.

    Attributes
    ----------
    models
        The models that move, where they begin.
    own_height
        The height that they count for in vertical gaps.
    pivots
        What it costs each of them (n,) to turn.
    targets
        The units to engage.
    keep_out
        Other models, out of whose range to engage they stay where that is asked.
    bodies
        All models but those that move.
    board
        The table.
    solids
        What no end may overlap below its top.
    climbed
        Pieces that ways lead over.
    surfaces
        Where models may stand: the table itself first.
    free_height
        Up to which height a step costs nothing.
    air
        Where moves may be measured through the air.
    engagement, coherency
        Who is engaged with whom, and what keeps the unit together.
    clearance
        The gap kept beyond ranges that are keep_out.
    paths
        Return the shortest paths within a reach in inches; whether they keep out of the ranges of `keep_out` models.
    farthest
        The greatest limit that is of any use.
    all_closer
        Whether models that stay must end closer to a target too, where that is asked: then none may stay.
    wants_engaged
        Whether models that are not in contact should end engaged.
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
    wants_engaged: bool

    @cached_property
    def target_models(self) -> ModelGroup:
        """The models of all targets."""
        models = [model for target in self.targets for model in target.models.models]
        return ModelGroup(crowd(models), np.concatenate([target.tall for target in self.targets]))

    @cached_property
    def target_index(self) -> IntArray:
        """The number of the target of each foe."""
        return np.repeat(np.arange(len(self.targets)), [len(target.models.models) for target in self.targets])

    @cached_property
    def middle(self) -> FloatArray:
        """The middle (2,) of where the models begin."""
        return np.asarray(self.models.centres.mean(axis=0))

    @cached_property
    def axes(self) -> FloatArray:
        """Unit vectors (2, 2), rows, ahead from the middle of the unit to that of its targets, and to the left.

        Grids of places are laid along them, so that the same places are looked at however the table lies.
        """
        ahead = self.target_models.models.centres.mean(axis=0) - self.middle
        angle = math.atan2(ahead[1], ahead[0])
        return np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])

    @property
    def target_numbers(self) -> range:
        """The numbers of the targets."""
        return range(len(self.targets))

    def rises(self, z: FloatArray, group: ModelGroup) -> FloatArray:
        """Return the vertical gaps (k, m) in inches of moving models at heights `z` (k,) to the models of a group."""
        return rises(z, self.own_height, group.models.heights, group.tall)

    @cached_property
    def surface_heights(self) -> FloatArray:
        """The heights (k,) in inches at which models may stand."""
        return np.array([surface.z for surface in self.surfaces])

    @cached_property
    def longest_ranges(self) -> FloatArray:
        """Inches (m,) up to which a gap to each foe can mean engagement."""
        return np.array([self.engagement.longest_to(foe.footprint) for foe in self.target_models.models.models])

    @cached_property
    def spans(self) -> FloatArray:
        """How far apart (n, n) from middle to middle two models may be that all others between them link, in inches; 0 from itself."""
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
        """Whether no way leads up, over or through the air: models only go round what is in their way."""
        return not (self.flies or self.climbed or any(surface.z > self.free_height for surface in self.surfaces))


@dataclass(frozen=True)
class End:
    """Where a model ends: its pose, and its height in inches."""

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
        No plan has more models in contact than this.
    most_engaged
        No plan with as many contacts has more models engaged than this.
    shortest
        How sure it is that no such plan moves less in total.
    choices
        How many plans are as good; None if not known.
    """

    ends: Mapping[int, End]
    lengths: Mapping[int, float]
    contacts: tuple[int, ...]
    engaged: tuple[int, ...]
    most_contacts: int
    most_engaged: int
    shortest: Proof = "best_found"
    choices: int | None = None

    @property
    def proof(self) -> Proof:
        """How sure it is that no plan serves the goals better: that of movement, and only where each count reaches what none exceeds."""
        is_best = len(self.contacts) >= self.most_contacts and len(self.engaged) >= self.most_engaged
        return self.shortest if is_best else "best_found"

    @property
    def total(self) -> float:
        """Summed length of all moves in inches."""
        return sum(self.lengths.values())


@dataclass(frozen=True)
class Answer:
    """A plan, or None if there is none; `proof` says how sure that is, `text` why there is none, where it is known."""

    plan: Plan | None
    proof: Proof
    text: str = ""


@dataclass(frozen=True)
class Least:
    """The least distance in inches at which a question has the answer yes: the infimum, `inf` if there is none.

    No distance less than `bound` suffices; `proof` says whether that meets `distance`, to 0.001 in.
    """

    distance: float
    bound: float
    proof: Proof

"""Questions about where the models of a unit may end, and their answers, in values: all that a search knows of a game.

`tabletop.placement.search` answers them:

- `find(task, budget=...) -> Answer`: some plan that keeps the task's conditions, or that there is none;
- `best(task, budget=...) -> Answer`: the best one: most contacts, then most models engaged, then least movement;
- `least_distance(task, budget=...) -> Least`: the infimum of the distances at which there is one (`task.limit` is not read).

That there is none is said with its proof: only `exact` and `tolerance` mean that there is none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from tabletop.budget import Proof
from tabletop.geometry.arrangement import BoolArray, IntArray
from tabletop.geometry.pose import FloatArray, Pose
from tabletop.geometry.shape import Shape
from tabletop.placement.candidates import Candidates, RaisedModels, Surface
from tabletop.placement.coherency import Coherency
from tabletop.placement.engagement import Engagement
from tabletop.table.crowd import Crowd, crowd
from tabletop.table.squad import Model
from tabletop.table.state import Board

if TYPE_CHECKING:
    from tabletop.placement.assignment import Assignment
    from tabletop.placement.reachable import ReachablePlaces

Condition = Literal["grounded", "apart", "coherent", "closer"]
"""What may be asked of ends beside that every target is engaged."""

ALL: frozenset[Condition] = frozenset(("grounded", "apart", "coherent", "closer"))
"""No end part-way up a piece; none in a range that is shunned; the unit coherent; each model closer to a target than it began."""

Air = Literal["nowhere", "terrain", "anywhere"]
"""Where moves may be measured through the air: from and to terrain, or from and to the table itself too."""


class Ways(Protocol):
    """The shortest ways of the models that move, for models as they stand before it."""

    @property
    def reach(self) -> float:
        """Inches beyond which no way need be found."""
        ...

    def lengths(self, model: Model, ends: FloatArray, heading: float | None = None) -> FloatArray:
        """Measure the lengths (n,) in inches of a model's ways to places (n, 3); infinite where there is none within reach.

        `heading` in radians is that of the ends, if not the model's own.
        """
        ...

    def are_straight(self, model: Model, ends: FloatArray) -> BoolArray:
        """Tell to which places (n, 3) nothing is near the straight way of a model that keeps its facing."""
        ...


@dataclass(frozen=True)
class Piece:
    """Something solid, up to so many inches high; infinite: nobody stands on it."""

    shape: Shape
    top: float


@dataclass(frozen=True, eq=False)
class Memory:
    """What has been worked out about a situation and is worth keeping for the next question.

    Attributes
    ----------
    ways
        The shortest ways within some reach: those that keep out of ranges that are shunned, and others.
    special
        Special places on a surface, by the kind, the surface, whether ranges are shunned, and where models begin.
    plans
        Complete plans that were found on the way.
    reachable
        The reachable places for some conditions and a limit.
    """

    ways: dict[bool, list[Ways]] = field(default_factory=dict)
    special: "dict[tuple[object, Surface, bool, bytes], Candidates]" = field(default_factory=dict)
    plans: "list[Assignment]" = field(default_factory=list)
    reachable: "dict[tuple[frozenset[Condition], float], ReachablePlaces]" = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Situation:
    """A unit of loose models that moves, and all that says where they may end: the same for every question. Measures are in inches.

    Attributes
    ----------
    movers
        The models that move, where they begin.
    own_height
        The height that they count for in vertical gaps.
    pivots
        What it costs each of them (n,) to turn.
    targets
        The units to engage.
    shunned
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
        The gap kept beyond ranges that are shunned.
    ways
        What gives the shortest ways within a reach; whether ranges are shunned on them.
    farthest
        The greatest limit that is of any use.
    all_closer
        Whether models that stay must end closer to a target too, where that is asked: then none may stay.
    wants_engaged
        Whether models that are not in contact should end engaged.
    """

    movers: Crowd
    own_height: float
    pivots: tuple[float, ...]
    targets: tuple[RaisedModels, ...]
    shunned: RaisedModels
    bodies: Crowd
    board: Board
    solids: tuple[Piece, ...]
    climbed: tuple[Piece, ...]
    surfaces: tuple[Surface, ...]
    free_height: float
    air: Air
    engagement: Engagement
    coherency: Coherency
    clearance: float
    ways: Callable[[float, bool], Ways]
    farthest: float
    all_closer: bool
    wants_engaged: bool
    memory: Memory = field(default_factory=Memory, init=False, repr=False)

    @cached_property
    def foes(self) -> RaisedModels:
        """The models of all targets."""
        models = [model for target in self.targets for model in target.models.models]
        return RaisedModels(crowd(models), np.concatenate([target.tall for target in self.targets]))

    @cached_property
    def target_of(self) -> IntArray:
        """The number of the target of each foe."""
        return np.repeat(np.arange(len(self.targets)), [len(target.models.models) for target in self.targets])

    @cached_property
    def longest_ranges(self) -> FloatArray:
        """Inches (m,) up to which a gap to each foe can mean engagement."""
        return np.array([self.engagement.longest_to(foe.footprint) for foe in self.foes.models.models])

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
class Task:
    """Where may the models of a situation end as the conditions ask, every target engaged, none moving farther than `limit` inches.

    `placed` holds ends already taken, by model number.
    """

    situation: Situation
    limit: float
    asked: frozenset[Condition] = ALL
    placed: Mapping[int, End] = field(default_factory=lambda: MappingProxyType({}))

    def asks(self, condition: Condition) -> bool:
        """Tell whether a condition is asked."""
        return condition in self.asked

    @property
    def may_stay(self) -> bool:
        """Whether a model may end where it begins, as far as it need not come closer to a target."""
        return not (self.asks("closer") and self.situation.all_closer)

    def within(self, limit: float) -> "Task":
        """Ask the same of a move of another distance in inches."""
        return replace(self, limit=limit)


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
    proof
        How sure it is that no plan has more contacts. That none with as many has more models engaged is sure where `most_engaged`
        are.
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
    proof: Proof
    shortest: Proof = "best_found"
    choices: int | None = None

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

"""Questions about where the models of a charging unit may end, and their answers, in values: what rules and solver agree on.

`systems.wh40k.placement.search` answers them:

- `find(task, budget=...) -> Answer`: some plan that keeps the task's conditions, or that there is none;
- `best(task, budget=...) -> Answer`: the best one: most contacts, then most models engaged, then least movement;
- `least_distance(task, budget=...) -> Least`: the infimum of the distances at which there is one (`task.limit` is not read).

That there is none is said with its proof: only `exact` and `tolerance` mean that there is none.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from systems.wh40k.scene import Scene
from tabletop.budget import Proof
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Spot

Level = Literal["engaged", "grounded", "apart", "coherent", "closer"]
"""How much is asked of the ends: each level asks all that the ones before it ask, and one thing more."""

LEVELS: tuple[Level, ...] = ("engaged", "grounded", "apart", "coherent", "closer")
"""Every target engaged, ends part-way up allowed; no end part-way up; apart from other enemies; coherent; closer to a target."""


@dataclass(frozen=True)
class End:
    """Where a model ends: its pose, and its height in inches."""

    pose: Pose
    z: float = 0.0


@dataclass(frozen=True)
class ModelWay:
    """How a model gets to its end: the points of its path (x, y, z in inches) and the length as the rules measure it."""

    path: tuple[Spot, ...]
    length: float


@dataclass(frozen=True)
class Task:
    """Where may the living models of the scene's charger end as `level` asks, none moving farther than `limit` inches.

    `placed` holds ends already taken, by model number.
    """

    scene: Scene
    limit: float
    level: Level = "closer"
    placed: Mapping[int, End] = field(default_factory=lambda: MappingProxyType({}))

    def asks(self, level: Level) -> bool:
        """Tell whether what a level adds is asked."""
        return LEVELS.index(level) <= LEVELS.index(self.level)

    def within(self, limit: float) -> "Task":
        """Ask the same of a charge of another distance in inches."""
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
    """The least charge distance in inches at which a question has the answer yes: the infimum, `inf` if there is none.

    No distance less than `bound` suffices; `proof` says whether that meets `distance`, to 0.001 in.
    """

    distance: float
    bound: float
    proof: Proof

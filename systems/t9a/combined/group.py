"""The chargers of one target, the joint goals of their places, and the result of a combined charge."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import permutations

import numpy as np

from systems.t9a.aligned import AlignedPlace
from systems.t9a.attempt import Attempt
from systems.t9a.move import failed_move
from systems.t9a.scene import Front, Scene
from systems.t9a.words import Choices
from tabletop.budget import Budget, Proof
from tabletop.fronts.packing import Packing, Weights
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Pose
from tabletop.ruling.finding import Goal
from tabletop.table.state import State

Totals = tuple[int, int]
"""Models in contact: of the target, each once, and of all its chargers."""

MOST_COMPLETED = "t9a.combined.order"
"""Rule that demands most completed charges; it comes before the totals."""

TOTALS_RULE = "t9a.combined.totals"

Placed = Mapping[str, AlignedPlace]


def goals_of(choices: Choices) -> tuple[Goal[Sequence[Totals]], ...]:
    """Return the goals of the totals (models in contact of the target, of all chargers), the highest priority first."""
    target = partial(_column, 0)
    chargers = partial(_column, 1)
    if choices.combined_goal == "sum":
        return Goal(TOTALS_RULE, "models of both sides", _both), Goal(
            "t9a.align.target-models", "models of the target", target
        )
    return Goal(TOTALS_RULE, "models of the target", target), Goal(
        "t9a.align.charger-models", "models of the chargers", chargers
    )


def _column(side: int, many: Sequence[Totals]) -> FloatArray:
    """Return the number of models in contact of the target (`side` 0) or of the chargers (1) for many totals, as an
    array (n,).
    """
    return np.array([totals[side] for totals in many], dtype=float)


def _both(many: Sequence[Totals]) -> FloatArray:
    """Return the sums of models in contact of both sides for many totals, as an array (n,)."""
    return np.array([sum(totals) for totals in many], dtype=float)


def values_of(totals: Totals, choices: Choices) -> tuple[float, ...]:
    """Return the values of the goals for totals (models in contact of the target, of all chargers), in order of
    priority.
    """
    return tuple(float(goal.value([totals])[0]) for goal in goals_of(choices))


def weights_of(choices: Choices) -> Weights:
    """Return the weights by which totals are compared: they turn a pair of totals into one number with the order of the
    goals.
    """
    return Weights(is_sum=choices.combined_goal == "sum")


@dataclass
class SearchEffort:
    """Count of the work done in search of places for several chargers: reach queries times the number of chargers."""

    taken: int = 0


@dataclass(frozen=True)
class ChargerGroup:
    """The chargers of one target, in file order, on the table before any of them moves.

    Attributes
    ----------
    state
        The table.
    attempts
        Their declared charges, with dice.
    budget
        Limit of each search.
    looks
        Count of the work done.
    known
        Poses, by name, in which some of them may end together: an incumbent to begin the search with.
    """

    state: State
    attempts: tuple[Attempt, ...]
    budget: Budget
    looks: SearchEffort = field(default_factory=SearchEffort)
    known: Mapping[str, Pose] = field(default_factory=dict)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the chargers in file order."""
        return tuple(attempt.charge.charger for attempt in self.attempts)

    @cached_property
    def in_range(self) -> tuple[str, ...]:
        """Names of the chargers whose roll is enough for the distance, in file order."""
        return tuple(attempt.charge.charger for attempt in self.attempts if attempt.is_in_range)

    @property
    def choices(self) -> Choices:
        """How the rules are read."""
        return self.attempts[0].scene.choices

    @property
    def weights(self) -> Weights:
        """Weights by which totals of models in contact are compared."""
        return weights_of(self.choices)

    def attempt(self, name: str) -> Attempt:
        """Return the declared charge of the charger called `name`."""
        return self.attempts[self.names.index(name)]

    def scene(self, name: str, state: State, *, others: AbstractSet[str] | None = None) -> Scene:
        """Return a charger's charge on a given table; of the other chargers only `others` are left on it (None:
        all).
        """
        scene = self.attempt(name).scene.on(state)
        if others is None:
            return scene
        return replace(scene, absent=frozenset(self.names) - others - {name})

    def front(self, name: str, state: State, *, others: AbstractSet[str] | None = None) -> Front:
        """Return a charger against the facing that it charges, on a given table; of the other chargers only `others`
        are left on it.
        """
        return Front(self.scene(name, state, others=others), self.attempt(name).facing)

    @cached_property
    def alone(self) -> Mapping[str, Front]:
        """Each charger in range, by name, against the facing that it charges, with the other chargers removed from the
        table.
        """
        return {name: self.front(name, self.state, others=frozenset()) for name in self.in_range}

    def last(self, completing: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the chargers in range that are not among those completing: they move last."""
        return tuple(name for name in self.in_range if name not in completing)

    def orders(self, completing: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield the possible orders of all moves, as names.

        Chargers in range that do not complete come last, all others may come at any turn.
        """
        last = self.last(completing)
        for order in permutations(name for name in self.names if name not in last):
            yield (*order, *last)

    def worth(self, found: "Combination") -> tuple[int, float]:
        """Return the sort key of a combined charge, greater is better: number of completed charges, then its totals as
        one number.
        """
        return len(found.places), self.weights.value(*found.totals)

    def failed_state(self, name: str, state: State) -> State:
        """Return the table after the failed charge move of the charger called `name`."""
        move = failed_move(self.scene(name, state), self.attempt(name).facing)
        return state.with_unit(move.start.at(move.end))


@dataclass(frozen=True)
class Combination:
    """Result of a combined charge.

    Attributes
    ----------
    order
        Names of all chargers in the order of their moves.
    places
        Places of the chargers that complete, by name.
    totals
        Models in contact: of the target, and of all chargers.
    proof
        Strength of the proof that nothing is better.
    limit
        Words for the limit that ended an incomplete search.
    is_settled
        Whether the tie-break compared all equally good places.
    """

    order: tuple[str, ...]
    places: Placed
    totals: tuple[int, int]
    proof: Proof
    limit: str = ""
    is_settled: bool = True

    @property
    def is_open(self) -> bool:
        """Whether the search was incomplete, so that a better result may exist."""
        return self.proof == "best_found"


@dataclass(frozen=True, kw_only=True)
class CombinedAttempt(Attempt):
    """A charge that several chargers of one target make together, on the table when this one moves.

    Attributes
    ----------
    group
        The chargers of the target.
    combination
        What all of them come to.
    """

    group: ChargerGroup
    combination: Combination

    @property
    def table(self) -> State:
        """The table before the first of the chargers moves."""
        return self.group.state


Found = tuple[Packing, Combination]

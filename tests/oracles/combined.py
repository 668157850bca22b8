"""Brute force for combined charges: slides of all chargers on a grid and where edges coincide, in every order of moves.

Whatever totals beat the solver's on paper are played out: each move among the others as they stand, found by snaking
moves tried one by one. It may miss the best places, since it samples, but whatever it finds is legal: a solver must
never do worse.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations

import numpy as np
import shapely
from numpy.typing import NDArray

from systems.t9a.move import failed_move
from systems.t9a.scene import Scene as FailedScene
from tabletop.ruling.system import Case
from tabletop.table.state import Regiment, State
from tests.oracles.moves import reachable
from tests.oracles.plane import (
    TOUCH,
    Facing,
    Flags,
    Floats,
    Line,
    Readings,
    Scene,
    body,
    counts,
    line,
    outlines,
    shown,
)
from tests.oracles.t9a import coincidences, keeps, limits, stands

GRID = 0.1
MOST_TRIED = 8
"""Sets of places played out for each set of chargers, of all those that look better on paper."""
HUNDREDFOLD = 100
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Contestant:
    """A charger with the slides that it could take if the other chargers were gone.

    `met` holds the target's models in contact as bits, `own` the charger's in contact, `lengths` the contact lengths in
    inches.
    """

    unit: Regiment
    facing: Facing
    edge: Line
    slides: Floats
    met: Numbers
    own: Numbers
    lengths: Floats

    @cached_property
    def outlines(self) -> NDArray[np.object_]:
        """The boundary at each slide."""
        poses = [self.edge.landing(float(slide), self.unit.width) for slide in self.slides]
        return np.asarray(outlines(np.array([body(self.unit, pose) for pose in poses])))

    def apart(self, other: "Contestant") -> Flags:
        """Return a mask of the pairs of slides that do not overlap, shape (own slides, the other's)."""
        if self.facing == other.facing:
            before = self.slides[:, None] + self.unit.width <= other.slides[None, :] + TOUCH
            return np.asarray(
                before | (other.slides[None, :] + other.unit.width <= self.slides[:, None] + TOUCH)
            )
        inner = shapely.buffer(self.outlines, -2 * TOUCH, join_style="mitre")
        return ~np.asarray(shapely.intersects(inner[:, None], other.outlines[None, :]))


@dataclass(frozen=True)
class Plan:
    """Slides by charger, and what they are worth."""

    slides: Mapping[str, float]
    totals: tuple[int, int]
    length: float


@dataclass(frozen=True)
class Group:
    """The chargers of one target before any of them moves; `facings` says which one each charges."""

    case: Case
    readings: Readings
    facings: Mapping[str, Facing]
    in_range: tuple[str, ...]
    known: dict[tuple[object, ...], Floats] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The chargers in file order."""
        return tuple(self.facings)

    @property
    def target(self) -> Regiment:
        """The unit that all of them charge."""
        name = next(
            charge.targets[0] for charge in self.case.charges if charge.charger in self.facings
        )
        target: Regiment = self.case.state.units[name]
        return target

    def worth(self, totals: tuple[int, int]) -> tuple[int, int]:
        """Return totals as they compare."""
        return (sum(totals), totals[0]) if self.case.choices.combined_goal == "sum" else totals

    def scene(self, name: str, state: State) -> Scene:
        """See one charger among everything that stands on a table."""
        return Scene(state, state.units[name], self.target, self.readings)

    def contacts(self, scene: Scene) -> Floats:
        """Find the initial contacts of a charger; the same table is searched once."""
        key = (scene.charger.name, *((name, unit.pose) for name, unit in scene.state.units.items()))
        if key not in self.known:
            self.known[key] = reachable(scene, line(self.target, self.facings[scene.charger.name]))
        return self.known[key]

    @cached_property
    def contestants(self) -> Mapping[str, Contestant]:
        """Every charger in range with its slides, each as if the others were gone."""
        return {name: self._contestant(name) for name in self.in_range}

    def _contestant(self, name: str) -> Contestant:
        state = self.case.state
        alone = {
            other: unit
            for other, unit in state.units.items()
            if other == name or other not in self.names
        }
        scene = self.scene(name, State(state.board, alone, state.terrain))
        facing = self.facings[name]
        width = scene.charger.width
        contacts = self.contacts(scene)
        edge = line(self.target, facing)
        tried = self._tried(name, edge, limits(scene, edge, np.arange(-width, edge.length, GRID)))
        tried = tried[keeps(tried, width, contacts)] if len(contacts) else np.empty(0)
        slides = tried[stands(scene, edge, tried)]
        lengths = np.minimum(slides + width, edge.length) - np.maximum(slides, 0.0)
        own = counts(scene, facing, slides)[:, 1] if len(slides) else np.empty(0, dtype=np.int64)
        return Contestant(
            scene.charger,
            facing,
            edge,
            slides,
            self._met(scene, facing, slides),
            own,
            np.maximum(lengths, 0.0),
        )

    def _tried(self, name: str, edge: Line, ends: Floats) -> Floats:
        """Return a grid, the slides where edges coincide, and those beside others, or rows of others, that stand so."""
        width = self.case.state.units[name].width
        aligned = self._aligned(name)
        room = edge.length - width
        slides = [
            np.arange(-width, edge.length, GRID),
            aligned,
            ends,
            np.array([0.0, room, room / 2]),
        ]
        beside = [
            other
            for other in self.in_range
            if other != name and self.facings[other] == self.facings[name]
        ]
        for row in (row for size in range(len(beside)) for row in permutations(beside, size + 1)):
            gap = sum(self.case.state.units[other].width for other in row[1:])
            slides += [
                self._aligned(row[0]) + self.case.state.units[row[0]].width + gap,
                self._aligned(row[0]) - gap - width,
            ]
        return np.unique(np.concatenate(slides))

    def _aligned(self, name: str) -> Floats:
        return coincidences(self.scene(name, self.case.state), self.facings[name])

    def _met(self, scene: Scene, facing: Facing, slides: Floats) -> Numbers:
        """Return the target's models in contact at each slide as bits, one for each place in the block."""
        numbers = {place: number for number, place in enumerate(self.target.places())}
        met = np.zeros(len(slides), dtype=np.int64)
        left = slides[:, None] + np.arange(scene.charger.files) * (
            scene.charger.base.width + scene.charger.spacing
        )
        for (low, high, is_near), place in zip(
            shown(self.target, facing), first_seen(self.target, facing), strict=True
        ):
            needed = (
                self.readings.clearance
                if not (is_near or self.readings.gap_graze)
                else -self.readings.contact_slack
            )
            common = np.minimum(left + scene.charger.base.width, high) - np.maximum(left, low)
            met |= np.where((common >= needed - TOUCH).any(axis=1), 1 << numbers[place], 0)
        return met

    def is_legal(self, plan: Plan, order: Sequence[str]) -> bool:
        """Play a plan in an order: every completed charge must be possible among the others as they stand at its
        turn.
        """
        state = self.case.state
        for name in order:
            if name not in plan.slides:
                state = self.after_failing(name, state)
                continue
            scene = self.scene(name, state)
            slide = np.array([plan.slides[name]])
            edge = line(self.target, self.facings[name])
            if not stands(scene, edge, slide)[0] or not self._keeps(scene, slide):
                return False
            state = state.with_unit(
                scene.charger.at(edge.landing(float(slide[0]), scene.charger.width))
            )
        return True

    def _keeps(self, scene: Scene, slide: Floats) -> bool:
        contacts = self.contacts(scene)
        return len(contacts) > 0 and bool(keeps(slide, scene.charger.width, contacts)[0])

    def after_failing(self, name: str, state: State) -> State:
        """Return the table after a failed charge move."""
        scene = FailedScene(
            state, state.units[name], self.target, self.case.choices, self.case.book
        )
        return state.with_unit(scene.charger.at(failed_move(scene, self.facings[name]).end))

    def orders(self, completing: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield all orders; who reaches but does not complete moves last."""
        last = [name for name in self.in_range if name not in completing]
        for order in permutations(name for name in self.names if name not in last):
            yield (*order, *last)


def first_seen(target: Regiment, facing: Facing) -> list[tuple[int, int]]:
    """Return (rank, file) of the model that each file or rank shows to a facing, in the order of files or ranks."""
    axis = 1 if facing in ("front", "rear") else 0
    nearest = min if facing in ("front", "left") else max
    columns = sorted({place[axis] for place in target.places()})
    return [
        nearest(place for place in target.places() if place[axis] == column) for column in columns
    ]


def beating(
    group: Group, completed: int, totals: tuple[int, int], length: float
) -> Iterator[tuple[Plan, tuple[str, ...]]]:
    """Find plans with an order in which they are legal that are worth more: completed charges, totals, then contact
    length.
    """
    for size in range(len(group.in_range), completed - 1, -1):
        for names in combinations(group.in_range, size):
            floor = (totals, length) if size == completed else ((-1, -1), 0.0)
            for plan in on_paper(group, [group.contestants[name] for name in names], *floor):
                order = next(
                    (order for order in group.orders(names) if group.is_legal(plan, order)), None
                )
                if order is not None:
                    yield plan, order
                    break


def on_paper(
    group: Group, members: Sequence[Contestant], totals: tuple[int, int], length: float
) -> list[Plan]:
    """Return plans worth more than these totals, or as much with a greater contact length: a spread of them, the best
    first.
    """
    plans: list[Plan] = []
    if not all(len(one.slides) for one in members):
        return plans
    for picks in _better(group, members, totals, length):
        target = int(
            np.bitwise_or.reduce([one.met[pick] for one, pick in zip(members, picks, strict=True)])
        ).bit_count()
        own = sum(int(one.own[pick]) for one, pick in zip(members, picks, strict=True))
        slides = {
            one.unit.name: float(one.slides[pick]) for one, pick in zip(members, picks, strict=True)
        }
        plans.append(
            Plan(
                slides,
                (target, own),
                sum(float(one.lengths[pick]) for one, pick in zip(members, picks, strict=True)),
            )
        )
    plans.sort(key=lambda plan: (group.worth(plan.totals), plan.length), reverse=True)
    return (
        [
            plans[number]
            for number in sorted({int(n) for n in np.linspace(0, len(plans) - 1, MOST_TRIED)})
        ]
        if plans
        else []
    )


def _better(
    group: Group, members: Sequence[Contestant], totals: tuple[int, int], length: float
) -> Iterator[tuple[int, ...]]:
    """Yield the picks of slides, one for each member, that stand side by side and are worth more; at most a hundred for
    a first pick.
    """
    first, *others = members
    apart = [first.apart(other) for other in others]
    between = others[0].apart(others[1]) if len(others) > 1 else None
    for pick in range(len(first.slides)):
        free = [np.flatnonzero(flags[pick]) for flags in apart]
        met = first.met[pick]
        own = first.own[pick]
        lengths = first.lengths[pick]
        for index, (other, which) in enumerate(zip(others, free, strict=True)):
            shape = [-1 if number == index else 1 for number in range(len(others))]
            met = met | other.met[which].reshape(shape)
            own = own + other.own[which].reshape(shape)
            lengths = lengths + other.lengths[which].reshape(shape)
        good = _is_better(
            group,
            np.bitwise_count(met).astype(np.int64),
            own,
            lengths,
            totals=totals,
            length=length,
        )
        good = np.atleast_1d(good) if not others else good
        if between is not None:
            good &= between[np.ix_(*free)]
        for rest in np.argwhere(good)[:HUNDREDFOLD]:
            yield (pick, *(int(which[number]) for which, number in zip(free, rest, strict=False)))


def _is_better(
    group: Group,
    target: Numbers,
    own: Numbers,
    lengths: Floats,
    *,
    totals: tuple[int, int],
    length: float,
) -> Flags:
    first, second = (
        (target + own, target) if group.case.choices.combined_goal == "sum" else (target, own)
    )
    high, low = group.worth(totals)
    longer = lengths > length + len(group.names) * 1e-5
    return np.asarray(
        (first > high) | ((first == high) & ((second > low) | ((second == low) & longer)))
    )

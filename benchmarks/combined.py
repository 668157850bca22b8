"""Three chargers of one target: warm time, and brute force and differential evolution on the same tables.

The time is the median over the first tables on which all three declare and roll far enough, whether or not all
complete. The rivals answer less than ours: they place the chargers, each as if the others were gone until they stand,
and ask for no order in which the moves are possible. What they find beyond ours counts against us only if some order of
moves allows it; the tests' search, which also tries all edges against each other, says so. The evolution is told who
completes and where fronts can make contact.
"""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from itertools import combinations, count, islice
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from benchmarks.evolve import BREAK, WEIGHT, Race, Shapes, evolved, raced, shortfall
from benchmarks.hard import many, three
from benchmarks.protocol import Promise, interleaved, report
from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.state import State
from tests.oracles.combined import GRID, Contestant, Group, Numbers, beating, first_seen
from tests.oracles.plane import TOUCH, Facing, Floats, Line, Scene, counts, line, outlines, shown
from tests.oracles.referee import readings_of
from tests.oracles.t9a import keeps, stands
from tests.scenes import resolve

SCENES = 12
ROUNDS = 2
FEW, COUNTS = 4, (2, 4, 6, 8)
"""Chargers of one target whose time is that of others' measure, and all numbers of chargers that are timed."""

HUNDRED = 100
"""What one more of the target's models counts for in the rivals' sums, in models of the chargers."""
Worth = tuple[int, int, int]
"""Completed charges, models of the target in contact, models of the chargers in contact."""


@dataclass(frozen=True)
class Entrant:
    """One charger as if the other chargers were gone; `contacts` are stretches (n, 2) of the facing that moves on a
    grid touch.
    """

    scene: Scene
    facing: Facing
    contacts: Floats

    @cached_property
    def edge(self) -> Line:
        """The facing that is charged."""
        return line(self.scene.target, self.facing)

    @property
    def width(self) -> float:
        """The width of the front in inches."""
        return self.scene.charger.width

    def bodies(self, slides: Floats) -> Shapes:
        """Return the boundary at each slide."""
        front = self.edge.start + slides[:, None] * self.edge.along
        across = self.width * self.edge.along
        back = self.scene.charger.depth * self.edge.outward
        return outlines(
            np.stack([front, front + across, front + across + back, front + back], axis=1)
        )

    def met(self, slides: Floats) -> Numbers:
        """Return the target's models in contact at each slide as bits, one for each place in the block."""
        unit = self.scene.charger
        places = self.scene.target.places()
        left = slides[:, None] + np.arange(unit.files) * (unit.base.width + unit.spacing)
        met = np.zeros(len(slides), dtype=np.int64)
        for (low, high, _), place in zip(
            shown(self.scene.target, self.facing),
            first_seen(self.scene.target, self.facing),
            strict=True,
        ):
            meets = (
                np.minimum(left + unit.base.width, high) - np.maximum(left, low) >= -TOUCH
            ).any(axis=1)
            met |= np.where(meets, 1 << places.index(place), 0)
        return met

    def own(self, slides: Floats) -> Numbers:
        """Count the charger's models in contact at each slide."""
        return counts(self.scene, self.facing, slides)[:, 1]

    def missing(self, slides: Floats) -> Floats:
        """Return how far each slide is from keeping a contact and its gaps; 0 where it does."""
        low, high = self.contacts.T
        apart = np.maximum(low - slides[:, None] - self.width, slides[:, None] - high).min(axis=1)
        return np.asarray(
            np.maximum(0.0, apart - TOUCH) + shortfall(self.scene.obstacles, self.bodies(slides))
        )

    def on_grid(self) -> Contestant:
        """Return all slides on the grid that keep a contact and stand free."""
        slides = np.arange(-self.width, self.edge.length, GRID)
        slides = slides[keeps(slides, self.width, self.contacts)]
        slides = slides[stands(self.scene, self.edge, slides)]
        lengths = np.minimum(slides + self.width, self.edge.length) - np.maximum(slides, 0.0)
        return Contestant(
            self.scene.charger,
            self.facing,
            self.edge,
            slides,
            self.met(slides),
            self.own(slides),
            lengths,
        )

    def overlap(self, other: "Entrant", *, slides: Floats, others: Floats) -> Floats:
        """Return how much the two overlap at a slide of each: in inches on one facing, in square inches around a
        corner.
        """
        if self.facing == other.facing:
            shared = np.minimum(slides + self.width, others + other.width) - np.maximum(
                slides, others
            )
            return np.asarray(np.maximum(0.0, shared - TOUCH))
        return np.asarray(
            shapely.area(shapely.intersection(self.bodies(slides), other.bodies(others)))
        )


@dataclass(frozen=True)
class Meeting:
    """One table with our rulings on it."""

    case: Case
    rulings: tuple[Ruling, ...]

    @cached_property
    def group(self) -> Group:
        """The chargers and their facings."""
        facings = {
            ruling.charge.charger: ruling.metrics["target_facing"] for ruling in self.rulings
        }
        return Group(self.case, readings_of(self.case), facings, tuple(facings))

    @property
    def completed(self) -> tuple[Ruling, ...]:
        """Our rulings on the charges that succeed."""
        return tuple(ruling for ruling in self.rulings if ruling.outcome == "success")

    @property
    def ours(self) -> Worth:
        """What our places are worth."""
        metrics = self.completed[0].metrics
        single = metrics["target_models_in_contact"], metrics["charger_models_in_contact"]
        totals = (
            metrics.get("total_target_models_in_contact", single[0]),
            metrics.get("total_charger_models_in_contact", single[1]),
        )
        return len(self.completed), *totals

    def entrant(self, name: str) -> Entrant:
        """Return one charger as if the others were gone."""
        state = self.case.state
        group = self.group
        left = {
            other: unit
            for other, unit in state.units.items()
            if other == name or other not in group.names
        }
        scene = group.scene(name, State(state.board, left, state.terrain))
        return Entrant(
            scene, group.facings[name], np.unique(np.round(group.contacts(scene)[:, :2], 9), axis=0)
        )

    def by_brute_force(self) -> Worth:
        """Return the best that slides on a grid are worth, for as many chargers as stand side by side."""
        members = [self.entrant(name).on_grid() for name in self.group.names]
        for size in range(len(members), 0, -1):
            best = max(_packed(chosen) for chosen in combinations(members, size))
            if best >= 0:
                return size, *divmod(best, HUNDRED)
        return 0, 0, 0

    def by_evolution(self) -> Worth:
        """Return what differential evolution makes of the chargers that complete, nothing if it finds no legal
        places.
        """
        members = [self.entrant(ruling.charge.charger) for ruling in self.completed]
        bounds = [(-member.width, member.edge.length) for member in members]
        value = -float(_cost(members, evolved(partial(_cost, members), bounds)[:, None])[0])
        return (len(members), *divmod(round(value), HUNDRED)) if value >= 0.0 else (0, 0, 0)

    def is_beaten(self) -> bool:
        """Return whether the tests' search finds more, in an order of moves that it confirms."""
        size, *totals = self.ours
        return any(True for _ in beating(self.group, size, (totals[0], totals[1]), np.inf))


def _packed(members: Sequence[Contestant]) -> int:
    """Return the best sum of models for slides that stand side by side; -1 if none do."""
    axes = range(len(members))
    if not all(len(member.slides) for member in members):
        return -1
    met = reduce(
        np.bitwise_or,
        (_along(member.met, axis, axes=axes) for axis, member in zip(axes, members, strict=True)),
    )
    own = sum(
        _along(member.own, axis, axes=axes) for axis, member in zip(axes, members, strict=True)
    )
    worth = np.bitwise_count(met).astype(np.int64) * HUNDRED + own
    for first, second in combinations(axes, 2):
        flags = members[first].apart(members[second])
        worth = np.where(_along(flags, first, second, axes=axes), worth, -1)
    return int(worth.max())


def _along(values: NDArray[Any], *own: int, axes: Sequence[int]) -> NDArray[Any]:
    """Lay values along their own of all axes, so that they combine with those along the others."""
    return np.expand_dims(values, tuple(axis for axis in axes if axis not in own))


def _cost(members: Sequence[Entrant], places: Floats) -> Floats:
    """Return minus the sum of models where slides, shape (members, n), are legal; elsewhere what is missing, as a
    positive cost.
    """
    lanes = list(zip(members, places, strict=True))
    missing = np.sum([member.missing(slides) for member, slides in lanes], axis=0)
    for (member, slides), (other, others) in combinations(lanes, 2):
        missing = missing + member.overlap(other, slides=slides, others=others)
    met = reduce(np.bitwise_or, (member.met(slides) for member, slides in lanes))
    own = np.sum([member.own(slides) for member, slides in lanes], axis=0)
    worth = np.bitwise_count(met).astype(np.int64) * HUNDRED + own
    return np.asarray(np.where(missing > 0.0, 1.0 + WEIGHT * missing, -worth.astype(np.float64)))


def measure() -> tuple[Promise, ...]:
    """Time our resolution of all tables, and both rivals once on each."""
    meetings = list(islice(filter(None, map(meeting, count())), SCENES))
    times = interleaved(*(partial(resolve, item.case) for item in meetings), rounds=ROUNDS)
    brute = raced("brute force", [item.by_brute_force for item in meetings])
    # The contacts that the brute force found are kept: the evolution is told them, and not timed for them.
    evolution = raced("differential evolution", [item.by_evolution for item in meetings])
    ours = [item.ours for item in meetings]
    beaten = sum(item.is_beaten() for item in meetings)
    beside = [race.told(times, shares=_shares(ours, race)) for race in (brute, evolution)]
    complete = sum(
        size == len(item.rulings) for (size, *_), item in zip(ours, meetings, strict=True)
    )
    spread = f"{SCENES} scenes, {min(times) * 1e3:.0f} to {max(times) * 1e3:.0f} ms; all three complete in {complete}"
    return (
        Promise(
            name="three chargers of one target, median",
            value=statistics.median(times) * 1e3,
            sense="at most",
            limit=300.0,
            unit=" ms",
            gate=f"{beaten} of {SCENES} scenes bettered by a search that plays out its orders",
            is_gate_passed=beaten == 0,
            detail=BREAK.join((spread, *beside)),
        ),
    )


def measure_many() -> tuple[Promise, ...]:
    """Time the resolution of more and more chargers of one target in one run; the promise is a ratio, so that machines
    matter less.
    """
    cases = {count: many(count) for count in COUNTS}
    times = dict(
        zip(
            COUNTS,
            interleaved(*(partial(resolve, item) for item in cases.values()), rounds=ROUNDS),
            strict=True,
        )
    )
    complete = {
        count: sum(ruling.outcome == "success" for ruling in resolve(item).rulings)
        for count, item in cases.items()
    }
    spread = ", ".join(f"{count}: {times[count] / times[FEW]:.1f}" for count in COUNTS)
    return (
        Promise(
            name="eight chargers of one target, in times of four",
            value=times[8] / times[FEW],
            sense="at most",
            limit=8.0,
            unit=" x",
            gate=f"all complete on {sum(complete[count] == count for count in COUNTS)} of {len(COUNTS)} tables",
            is_gate_passed=all(complete[count] == count for count in COUNTS),
            detail=f"by chargers {spread}; four take {times[FEW] * 1e3:.0f} ms",
        ),
    )


def meeting(seed: int) -> Meeting | None:
    """Make the table of a seed; None unless all three declare and roll far enough, and one completes its charge."""
    case = three(seed)
    try:
        rulings = resolve(case).rulings
    except NoVerdictError:
        return None
    is_asked = all(
        ruling.outcome == "success" or ruling.rule == "t9a.combined.room" for ruling in rulings
    )
    return (
        Meeting(case, rulings)
        if is_asked and any(ruling.outcome == "success" for ruling in rulings)
        else None
    )


def _shares(ours: Sequence[Worth], race: Race[Worth]) -> str:
    """Say in how many scenes a rival finds our totals, or more than any order of moves allows."""
    equal = sum(theirs == mine for mine, theirs in zip(ours, race.found, strict=True))
    more = sum(theirs > mine for mine, theirs in zip(ours, race.found, strict=True))
    return f"our totals in {equal / len(ours):.0%}" + (
        f", more than moves allow in {more / len(ours):.0%}" if more else ""
    )


if __name__ == "__main__":
    sys.exit(report([measure, measure_many]))

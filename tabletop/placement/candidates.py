"""The places where each model of a task may end, looked at alone, and the lengths of its moves to them.

`ReachablePlaces` gathers the special places of all models from the loci, and those that depend on models placed before (`around`); of
the moves it measures only as many as it takes to be sure of the shortest (`pick`). `pocket` adds places near where a model begins.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from tabletop.budget import keep_time
from tabletop.geometry.arrangement import ArcPieces, circles, crossings, join_tracks, perpendicular_feet, tangent_normals, tracks
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.placement.clearance import may_come_closer, room_about
from tabletop.placement.legality import PlacementProblem
from tabletop.placement.loci import SHIFTED_AT_MOST, ContactLoci, inward, unique_places
from tabletop.placement.partial_plan import Assignment, empty
from tabletop.placement.problem import Candidates, Condition, Task, joined_candidates
from tabletop.units import CONTACT

PLACES_AT_ONCE = 50_000
"""Places measured at once."""

WAYS_AT_ONCE = 6
"""Ways measured at once when the shortest is looked for."""

POCKET_STEPS = (0.002, 0.01, 0.05, 0.25, 1.0)
"""Inches of steps from where a model begins: the least is more than a hand's slack, by which a model would be taken to have stayed."""

POCKET_DIRECTIONS = 16
"""Directions of such steps, from that to the nearest foe of each target on."""

POCKET_WIDTH = 2.0
"""Inches around a model in which the corners of the room that it has are looked for."""

Kinship = Literal["any", "contact", "engagement"]
"""What dependent places have to do with a foe."""


@dataclass(frozen=True, eq=False)
class Options:
    """Places of one model, with the length of its move to each in inches: measured where `known`, else in a straight line.

    `rows` are their rows in the model's own list, whose measures are kept for all who ask; -1 for other places.
    """

    candidates: Candidates
    lengths: FloatArray
    known: BoolArray
    rows: IntArray

    def of(self, chosen: BoolArray) -> "Options":
        """Keep some of them."""
        return Options(self.candidates.of(chosen), self.lengths[chosen], self.known[chosen], self.rows[chosen])

    def plus(self, other: "Options") -> "Options":
        """Put other places after these."""
        lengths, known = np.concatenate([self.lengths, other.lengths]), np.concatenate([self.known, other.known])
        return Options(joined_candidates([self.candidates, other.candidates]), lengths, known, np.concatenate([self.rows, other.rows]))


@dataclass(frozen=True, eq=False)
class ReachablePlaces:
    """A task's problem with the curves and special places of all its models."""

    problem: PlacementProblem

    @cached_property
    def fields(self) -> tuple[tuple[ContactLoci, ...], ...]:
        """The surfaces as each kind sees them."""
        return tuple(
            tuple(ContactLoci(self.problem, kind, surface) for surface in self.problem.situation.surfaces) for kind in self.problem.kinds
        )

    @cached_property
    def pools(self) -> tuple[Candidates, ...]:
        """The special places of each kind that do not depend on where the unit's other models end."""
        return tuple(self._pool(kind) for kind in range(len(self.problem.kinds)))

    def _pool(self, kind: int) -> Candidates:
        starts = self.problem.movers.centres[[kind in kinds for kinds in self.problem.kinds_of]]
        parts = []
        for field in self.fields[kind]:
            limits = circles(starts, np.full(len(starts), self.problem.task.limit))
            brims = unique_places(np.concatenate([crossings(field.contact, limits)[0], crossings(field.engagement, limits)[0]]))
            # special places are the same for all limits: they are kept with the situation
            known = self.problem.situation.memory.special
            key = (self.problem.kinds[kind], field.surface, self.problem.task.asks("apart"), starts.tobytes())
            if key not in known:
                known[key] = self._engaging(kind, field, field.special(starts))
            parts += [replace(known[key], kind=np.full(len(known[key]), kind)), self._engaging(kind, field, brims)]
        if not self.problem.task.asks("grounded"):
            at, z = self.fields[kind][0].half_way(starts)
            usable = self.problem.hangs(self.problem.kinds[kind], at, z)
            parts.append(self.problem.measured(kind, at[usable], z[usable]))
        return joined_candidates(parts)

    def _engaging(self, kind: int, field: ContactLoci, at: FloatArray) -> Candidates:
        """Measure places (k, 2) of a kind on a surface, those left out that engage nobody."""
        parts = []
        for start in range(0, max(len(at), 1), PLACES_AT_ONCE):
            keep_time()
            some = at[start : start + PLACES_AT_ONCE]
            found = self.problem.candidates(kind, some, np.full(len(some), field.surface.z))
            parts.append(found.of(found.is_engaged))
        return joined_candidates(parts)

    @cached_property
    def start(self) -> Assignment:
        """The assignment in which only the models that the task has placed stand."""
        assignment = empty(self.problem)
        for row, model in enumerate(self.problem.movers.models):
            end = self.problem.task.placed.get(model.number)
            if end is not None:
                assignment = assignment.put(row, self.problem.spot_of(row, end), 0, 0.0)
        return assignment

    @cached_property
    def turned(self) -> "ReachablePlaces | None":
        """The same, but all models that can be turned are: looked at one by one they would not pay for it; None if turning is free."""
        problem = self.problem
        costs = any(problem.situation.pivots)
        is_asked = costs and len(problem.movers.models) > 1 and not (problem.turns_all or problem.is_round)
        return ReachablePlaces(PlacementProblem(problem.task, turns_all=True)) if is_asked else None

    @cached_property
    def options(self) -> tuple[Options, ...]:
        """The special places that each model may take, its own place first if it may stay."""
        return tuple(self._own(mover) for mover in range(len(self.problem.movers.models)))

    def _own(self, mover: int) -> Options:
        pool = joined_candidates([self.pools[kind] for kind in self.problem.kinds_of[mover]])
        found = self.unmeasured(mover, pool, self.problem.task.limit + CONTACT)
        stay = self.stay(mover)
        if stay is not None:
            found = Options(stay, np.zeros(1), np.ones(1, dtype=bool), np.zeros(1, dtype=np.intp)).plus(found)
        return replace(found, rows=np.arange(len(found.candidates)))

    def unmeasured(self, mover: int, candidates: Candidates, near: float) -> Options:
        """Give the places within `near` inches of where a model begins, their ways not measured."""
        aside = candidates.at - self.problem.movers.centres[mover]
        straight = np.sqrt(aside[:, 0] ** 2 + aside[:, 1] ** 2)
        within = straight <= near
        count = int(within.sum())
        return Options(candidates.of(within), straight[within], np.zeros(count, dtype=bool), np.full(count, -1))

    def contacts(self, mover: int) -> Options:
        """Give the special places at which a model is in base contact with a foe."""
        options = self.options[mover]
        return options.of(options.candidates.touching)

    @cached_property
    def nearest_contact(self) -> FloatArray:
        """The least length (n,) in inches of each model's moves into base contact, infinite if there is none."""
        return np.array([self.shortest(mover, options.candidates.touching) for mover, options in enumerate(self.options)])

    def shortest(self, mover: int, usable: BoolArray) -> float:
        """Give the least length in inches of a model's moves to those of its options that are usable, infinite if there is none."""
        picked = self.pick(mover, self.options[mover], usable)
        return math.inf if picked is None else picked[1]

    @cached_property
    def rooms(self) -> FloatArray:
        """How far (n,) in inches the models get at most from where they begin, however far they move; infinite but for those in a cage."""
        limit = max(self.problem.task.limit, self.problem.situation.farthest)
        return np.array([room_about(self.problem, mover, limit) for mover in range(len(self.problem.movers.models))])

    @property
    def comes_closer(self) -> bool:
        """Whether each model that must end closer to a target may, looked at alone: not sure of those that are not caged."""
        if self.problem.task.may_stay:
            return True
        free = np.flatnonzero(~self.start.placed).tolist()
        return all(may_come_closer(self.problem, mover, float(self.rooms[mover])) for mover in free)

    def stay(self, mover: int) -> Candidates | None:
        """Give the place of a model that stays, if it may."""
        problem = self.problem
        if not problem.task.may_stay:
            return None
        centre, z = problem.movers.centres[mover][None], problem.movers.heights[mover][None]
        kind = int(problem.kind_numbers[mover])
        here = problem.measured(kind, centre, z)
        return here if problem.shuns(problem.kinds[kind], centre, z)[0] else None

    def costs(self, mover: int, candidates: Candidates) -> FloatArray:
        """Measure the lengths (k,) in inches of a model's moves to candidates, infinite where it does not reach or must not end."""
        problem = self.problem
        lengths = problem.lengths(mover, candidates)
        usable = lengths <= problem.task.limit + CONTACT
        if problem.task.asks("closer") and usable.any():
            usable[usable] = problem.gained(mover, candidates.of(usable))
        return np.where(usable, lengths, np.inf)

    def pick(self, mover: int, found: Options, usable: BoolArray, *, extra: FloatArray | None = None) -> tuple[int, float] | None:
        """Choose the usable place with the least length, plus `extra` inches of each; give its row and length, None if there is none.

        Only as many ways are measured as it takes to be sure.
        """
        more = np.zeros(len(found.lengths)) if extra is None else extra
        lengths, known = np.where(usable, found.lengths, np.inf), found.known | ~usable
        while True:
            costs = lengths + more
            choice = int(np.argmin(costs)) if len(costs) else 0
            if not len(costs) or not np.isfinite(costs[choice]):
                return None
            if known[choice]:
                return choice, float(lengths[choice])
            doubtful = np.flatnonzero(~known & (costs <= np.where(known, costs, np.inf).min(initial=np.inf)))
            first = doubtful[np.argsort(costs[doubtful], kind="stable")[:WAYS_AT_ONCE]]
            lengths[first], known[first] = self.costs(mover, found.candidates.of(first)), True
            rows = found.rows[first]
            own = self.options[mover]
            kept = rows >= 0
            own.lengths[rows[kept]], own.known[rows[kept]] = lengths[first][kept], True

    def around(self, assignment: Assignment, mover: int, *, what: Kinship = "any", near: float = np.inf) -> Options:
        """Give places of a model that depend on where others are placed: touching them, or just within coherency of them.

        `what` asks for those in contact with a foe, or just engaged, only; `near` for those within so many inches of where it begins.
        """
        start = self.problem.movers.centres[mover]
        near = min(near, self.problem.task.limit + CONTACT)
        parts = []
        for kind, field in [(number, field) for number in self.problem.kinds_of[mover] for field in self.fields[number]]:
            at = self._around(assignment, field, kind, start=start[None], what=what, near=near)
            at = at[np.hypot(at[:, 0] - start[0], at[:, 1] - start[1]) <= near]
            parts.append(self.problem.candidates(kind, at, np.full(len(at), field.surface.z)))
        return self.unmeasured(mover, joined_candidates(parts), near)

    def _around(
        self, assignment: Assignment, field: ContactLoci, kind: int, *, start: FloatArray, what: Kinship, near: float
    ) -> FloatArray:
        flush, within = (ring.near(start[0], near) for ring in self.rings(assignment, field, kind))
        rings = join_tracks([flush, within])
        if what == "engagement":
            return crossings(field.engagement.near(start[0], near), rings)[0]
        contact, settled = field.contact.near(start[0], near), np.empty((0, 2))
        if self.problem.settles(self.problem.kinds[kind]):
            loose = join_tracks([ring.near(start[0], near) for ring in self.rings(assignment, field, kind, spare=SHIFTED_AT_MOST)])
            settled = crossings(contact, loose)[0]
        if what == "contact":
            return np.concatenate([crossings(contact, rings)[0], settled])
        lines = join_tracks([contact, *(track.near(start[0], near) for track in (field.engagement, field.bounds)), rings])
        return np.concatenate(
            [perpendicular_feet(within, start)[0], perpendicular_feet(flush, start)[0], crossings(rings, lines)[0], settled]
        )

    def rings(self, assignment: Assignment, field: ContactLoci, kind: int, *, spare: float = 0.0) -> tuple[ArcPieces, ArcPieces]:
        """Give the curves on which a kind touches models that are placed, and those on which it is just within coherency of them.

        Or, with some inches to spare, those on which it all but touches them, and on which it is surely within coherency.
        """
        problem, who = self.problem, assignment.who
        apart = problem.situation.coherency.horizontal - spare
        level = who[np.abs(assignment.candidates.z[who] - field.surface.z) <= CONTACT]
        if problem.is_round:
            radii = problem.radii[assignment.candidates.kind] + problem.radii[kind]
            return circles(assignment.candidates.at[level], radii[level] + spare), circles(
                assignment.candidates.at[who], radii[who] + apart
            )
        return self._shifted(assignment, level, kind, spare), self._shifted(assignment, who, kind, apart, is_within=True)

    def _shifted(self, assignment: Assignment, who: IntArray, kind: int, apart: float, *, is_within: bool = False) -> ArcPieces:
        """Give the curves on which a kind is `apart` inches from models that are placed: not nearer, or not farther if it is within."""
        curves, shifts = [], [np.empty((0, 2))]
        for row in who:
            between = self.problem.curves_between(kind, int(assignment.candidates.kind[row]), apart)
            curves += [inward(curve) for curve in between] if is_within else between
            shifts.append(np.tile(assignment.candidates.at[row], (len(between), 1)))
        return tracks(curves, np.concatenate(shifts))


def reachable_of(task: Task) -> ReachablePlaces:
    """Give the reachable places of a task; those of whole units are kept with the situation for the next question."""
    if task.placed:
        return ReachablePlaces(PlacementProblem(task))
    kept: dict[tuple[frozenset[Condition], float], ReachablePlaces] = task.situation.memory.reachable
    return kept.setdefault((task.asked, task.limit), ReachablePlaces(PlacementProblem(task)))


def pocket(reachable: ReachablePlaces, mover: int) -> Options:
    """Return places near where a model begins: small steps in all directions, and the corners and edges of the room that it has."""
    problem, task = reachable.problem, reachable.problem.task
    start, z, kind = problem.movers.centres[mover], float(problem.movers.heights[mover]), int(problem.kind_numbers[mover])
    fields = [field for field in reachable.fields[kind] if abs(field.surface.z - z) <= CONTACT]
    at = np.concatenate(
        [
            np.empty((0, 2)),
            *(_pocket_places(field, start, _nearest_foes(reachable, start), min(POCKET_WIDTH, task.limit)) for field in fields),
        ]
    )
    found = reachable.unmeasured(mover, problem.candidates(kind, at, np.full(len(at), z)), task.limit + CONTACT)
    stay = reachable.stay(mover)
    return found if stay is None else Options(stay, np.zeros(1), np.ones(1, dtype=bool), np.full(1, -1)).plus(found)


def _pocket_places(field: ContactLoci, start: FloatArray, foes: FloatArray, wide: float) -> FloatArray:
    """Give places (k, 2) around a start on a surface, no matter whether a model may stand there."""
    bounds, rings = field.bounds.near(start, wide), circles(np.tile(start, (len(POCKET_STEPS), 1)), np.array(POCKET_STEPS))
    towards = np.arctan2(foes[:, 1] - start[1], foes[:, 0] - start[0])
    turns = (towards[:, None] + math.tau / POCKET_DIRECTIONS * np.arange(POCKET_DIRECTIONS)).ravel()
    steps = np.array(POCKET_STEPS)[:, None, None] * np.column_stack([np.cos(turns), np.sin(turns)])[None, :, :]
    seen_from = np.concatenate([start[None], foes])
    corners = [
        crossings(bounds, bounds)[0],
        crossings(rings, bounds)[0],
        perpendicular_feet(bounds, seen_from)[0],
        tangent_normals(bounds, bounds),
    ]
    found = np.concatenate([start + steps.reshape(-1, 2), *corners])
    return unique_places(found[np.hypot(*(found - start).T) <= wide])


def _nearest_foes(reachable: ReachablePlaces, start: FloatArray) -> FloatArray:
    """Give the places (targets, 2) of the foes of each target that are nearest to a start."""
    problem = reachable.problem
    apart = np.hypot(*(problem.foes.models.centres - start).T)
    nearest = [int(np.argmin(np.where(problem.target_of == target, apart, np.inf))) for target in problem.targets]
    return problem.foes.models.centres[nearest]

"""The state of a search for the ends of loose models: candidate places of each model, and the lengths of its moves
there.

`Solver` gathers the candidate places of all models from curves of contact, engagement and clearance (loci), and those
that depend on models placed before (`dependent_candidates`). It measures only as many moves as are needed to be sure of
the shortest (`cheapest_legal`). `nearby_candidates` adds places near where a model begins.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, takewhile
from types import MappingProxyType
from typing import Literal

import numpy as np

from tabletop.budget import Budget, check_deadline
from tabletop.geometry.arrangement import (
    ArcPieces,
    circles,
    crossings,
    numbered,
    perpendicular_feet,
    tangent_normals,
    tracks,
)
from tabletop.geometry.arrays import BoolArray, FloatArray, IntArray
from tabletop.geometry.distance import point_distances
from tabletop.placement.legality import Legality, OrientedBase
from tabletop.placement.loci import SHIFTED_AT_MOST, ContactLoci, inward, loci_of, unique_places
from tabletop.placement.partial_plan import PartialPlan, empty
from tabletop.placement.problem import (
    ALL,
    Candidates,
    Condition,
    End,
    PathLengths,
    PlacementProblem,
    Spot,
    Surface,
    joined_candidates,
)
from tabletop.table.models import Model, RoundBase
from tabletop.units import CONTACT

PLACES_AT_ONCE = 50_000
"""Number of places measured at once."""

WAYS_AT_ONCE = 6
"""Number of paths measured first when the shortest is wanted; doubled until the shortest is among them."""

POCKET_STEPS = (0.002, 0.01, 0.05, 0.25, 1.0)
"""Lengths of small steps from a model's start, in inches; the smallest exceeds a hand's slack, which counts as no
move."""

POCKET_DIRECTIONS = 16
"""Number of directions of such steps, counted from the direction of the nearest foe of each target."""

POCKET_WIDTH = 2.0
"""Distance around a model, in inches, within which corners of its free space are candidates."""

SPARE = 0.1
"""Inches beyond the limit up to which paths are computed, since nearby places are often asked for next."""

MORE_REACH = 1.5
"""Factor and inches up to which paths computed for a longer limit are reused; beyond, new ones are faster."""

RING_RADII = (2.0, 1.0, 0.5, 0.2, 0.1, 0.05)
"""Radii of the test rings, in inches; a model that reaches the first is not confined."""

RING_PLACES = 64
"""Number of places tested on a ring; each represents the arc up to half-way to the next."""

WORK_OF_LENGTHS, WORK_OF_LENGTH, WORK_OF_BENDS, WORK_OF_DEPENDENT = 200, 8, 1500, 1000
"""Work units for computing paths, for each path, for detours, and for candidates that depend on placed models."""

Kinship = Literal["any", "contact", "engagement"]
"""Which dependent candidates are asked for: all, those in contact with a foe, or those just engaged with one."""

LINES = ("contact", "engagement", "bounds")
"""Loci that do not depend on the unit's other models."""

Partner = int | str | Spot
"""The other curve through a candidate beside a spot: a model's number (nearest to its start), a fixed curve's name, or
another spot."""


@dataclass(frozen=True, eq=False)
class Options:
    """Candidate places of one model, with the lengths (k,) of its moves there in inches: exact where `known`, else
    straight-line bounds.

    `rows` (k,) are their rows in `Solver.options` of the model, where measured lengths are cached; -1 for other places.
    """

    candidates: Candidates
    lengths: FloatArray
    known: BoolArray
    rows: IntArray

    def of(self, chosen: BoolArray) -> "Options":
        """Return the options selected by a mask (k,)."""
        return Options(
            self.candidates.of(chosen), self.lengths[chosen], self.known[chosen], self.rows[chosen]
        )

    def plus(self, other: "Options") -> "Options":
        """Return these options followed by others."""
        lengths = np.concatenate([self.lengths, other.lengths])
        known = np.concatenate([self.known, other.known])
        return Options(
            joined_candidates([self.candidates, other.candidates]),
            lengths,
            known,
            np.concatenate([self.rows, other.rows]),
        )


@dataclass(eq=False)
class WorkCounter:
    """Work done by a search, in units of about a microsecond; counted rather than timed, so that results do not depend
    on the machine.
    """

    units: int = 0


@dataclass(frozen=True, eq=False)
class Solver:
    """The state of a search: where the models of a problem may end at a limit of movement, and the lengths of their
    moves there.

    Solvers of one problem at other limits and under other conditions (`at`) share what does not depend on them.

    Attributes
    ----------
    problem
        What is to be placed, and where it may end.
    limit
        Length in inches that no model's move exceeds.
    conditions
        What is required of ends besides that every target is engaged.
    fixed
        Ends that are given, by model number.
    turns_all
        Whether all models that can be turned are.
    begun
        A partial plan to begin with, in place of `fixed`.
    shared
        The solver first created for the problem, which holds all caches; None for that solver itself.
    """

    problem: PlacementProblem
    limit: float = math.inf
    conditions: frozenset[Condition] = ALL
    fixed: Mapping[int, End] = field(default_factory=lambda: MappingProxyType({}))
    turns_all: bool = False
    begun: PartialPlan | None = None
    shared: "Solver | None" = None
    incumbents: list[PartialPlan] = field(default_factory=list, init=False, repr=False)
    """Complete plans found so far (incumbents); each is valid for every question whose limit and conditions it
    keeps."""
    claims: set[PartialPlan] = field(default_factory=set, init=False, repr=False)
    """Those of the incumbents that are claimed plans, given from outside."""
    tried: "set[Solver]" = field(default_factory=set, init=False, repr=False)
    """Solvers whose constructions found no plan with their share of work; they are not tried again, and prove
    nothing."""
    kinds_found: list[OrientedBase] = field(default_factory=list, init=False, repr=False)
    """Kinds in which a single model may end besides those of its problem."""
    strung_out: "set[Solver]" = field(default_factory=set, init=False, repr=False)
    """Solvers at the farthest limit for which plans along chains (`chained`) were made."""
    work: WorkCounter = field(default_factory=WorkCounter, init=False, repr=False)
    known_paths: dict[bool, list[PathLengths]] = field(default_factory=dict, init=False, repr=False)
    known_places: dict[tuple[object, Surface, bool, bytes], Candidates] = field(
        default_factory=dict, init=False, repr=False
    )
    known_costs: dict[tuple[object, ...], dict[tuple[int, Spot], tuple[float, float]]] = field(
        default_factory=dict, init=False, repr=False
    )
    """Lengths of a model's moves to spots, and the limit up to which they are known."""
    known_flights: dict[
        tuple[frozenset[Condition], int, tuple[int, ...], bool], tuple[float, PartialPlan | None]
    ] = field(default_factory=dict, init=False, repr=False)
    """Lower bounds in inches on the flights of a model to where it engages targets, perhaps in contact, and the
    shortest ones found.
    """
    beside: "dict[tuple[object, ...], BesideOthers]" = field(
        default_factory=dict, init=False, repr=False
    )
    beside_sets: dict[tuple[object, ...], Candidates] = field(
        default_factory=dict, init=False, repr=False
    )
    """Places that depend on where others are placed, by all of these."""
    solvers: "dict[tuple[frozenset[Condition], float], Solver]" = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def root(self) -> "Solver":
        """The solver first created for the problem, which holds what all its solvers share."""
        return self.shared or self

    def at(self, limit: float, conditions: frozenset[Condition] | None = None) -> "Solver":
        """Return the solver of the same problem at another limit in inches, and perhaps under other conditions."""
        key = (self.conditions if conditions is None else conditions, limit)
        if key not in self.root.solvers:
            self.root.solvers[key] = Solver(self.problem, limit, key[0], shared=self.root)
        return self.root.solvers[key]

    def fresh(self, limit: float) -> "Solver":
        """Return a solver of the same problem at a limit in inches, without anything found; it shares what is known of
        the ground.
        """
        other = Solver(self.problem, limit)
        shared = ("known_paths", "known_places", "known_costs")
        vars(other).update({name: getattr(self.root, name) for name in shared})
        return other

    def in_kind(self, kind: OrientedBase) -> "Solver":
        """Return a solver of the same problem, limit and conditions, with its own caches, whose single model ends in
        one kind.
        """
        other = Solver(self.problem, self.limit, self.conditions, turns_all=True)
        other.kinds_found.append(kind)
        vars(other)["known_paths"] = self.root.known_paths
        return other

    def examining(self, kind: OrientedBase) -> "Solver":
        """Return a solver of the same limit and conditions that examines one kind more, as all made from now on do.

        The solvers of the problem made so far do not know it, and are forgotten.
        """
        self.root.kinds_found.append(kind)
        self.root.solvers.clear()
        return self.root.at(self.limit, self.conditions)

    def with_fixed(self, fixed: Mapping[int, End]) -> "Solver":
        """Return a solver of the same problem, limit and conditions in which some ends are given, by model number."""
        return Solver(self.problem, self.limit, self.conditions, fixed, shared=self.root)

    def beginning(self, begun: PartialPlan) -> "Solver":
        """Return a solver of the same problem, limit and conditions that begins with a partial plan and shares these
        candidates.
        """
        turn = Solver(
            self.problem, self.limit, self.conditions, self.fixed, begun=begun, shared=self.root
        )
        vars(turn).update(
            {name: getattr(self, name) for name in ("legality", "loci", "pools", "options")}
        )
        return turn

    def spend(self, units: int) -> None:
        """Add `units` to the work counted for the problem."""
        self.root.work.units += units

    def part_of(self, budget: Budget, share: float) -> Budget:
        """Return a budget for the next step: the work done so far plus a `share` of the work of `budget`."""
        return replace(budget, work=self.root.work.units + int(share * budget.work))

    def is_spent(self, budget: Budget) -> bool:
        """Return whether the work or the time of a budget is used up."""
        return budget.is_spent(self.root.work.units)

    def keep(self, plan: PartialPlan, *, is_claim: bool = False) -> None:
        """Record a complete plan as known for every question whose limit and conditions it keeps; `is_claim` marks a
        claimed one.
        """
        self.root.incumbents.append(plan)
        if is_claim:
            self.root.claims.add(plan)

    def known_plans(self, *, claims_only: bool = False) -> list[PartialPlan]:
        """Return the known complete plans that keep the limit and the conditions, the one with the shortest longest
        move first.

        With `claims_only`, return the claimed ones; where ends are given by `fixed`, none.
        """
        if self.fixed:
            return []
        asked = [plan for plan in self._plans_kept if plan in self.root.claims or not claims_only]
        known = [
            plan
            for plan in asked
            if plan.longest <= self.limit + CONTACT
            and plan.candidates.kind.max(initial=0) < len(self.legality.kinds)
        ]
        known.sort(key=lambda plan: round(plan.longest / CONTACT))  # no rounding decides
        return [replace(plan, legality=self.legality) for plan in known]

    @property
    def _plans_kept(self) -> list[PartialPlan]:
        """Known complete plans that keep the conditions, whatever their longest move."""
        return [
            plan for plan in self.root.incumbents if plan.legality.conditions >= self.conditions
        ]

    @property
    def known_distance(self) -> float:
        """Smallest longest move, in inches, of the known plans that keep the conditions; infinite without any."""
        return min((plan.longest for plan in self._plans_kept), default=math.inf)

    def asks(self, condition: Condition) -> bool:
        """Return whether a condition is required of the ends."""
        return condition in self.conditions

    @property
    def may_stay(self) -> bool:
        """Whether a model may stay where it begins: not if every model must end closer to a target."""
        return not (self.asks("closer") and self.problem.all_closer)

    @cached_property
    def legality(self) -> Legality:
        """Legality of places under the conditions."""
        kinds = tuple(self.root.kinds_found)
        return Legality(self.problem, self.conditions, self.fixed, self.turns_all, kinds)

    @cached_property
    def paths(self) -> PathLengths:
        """Shortest paths of all models up to the limit; they keep out of engagement ranges only under the condition
        `apart`.
        """
        return self._paths_within(self.limit + SPARE)

    def _paths_within(self, limit: float) -> PathLengths:
        is_apart = self.asks("apart")
        reach = limit + 2.0 * CONTACT
        known = self.root.known_paths.setdefault(is_apart, [])
        usable = [
            paths for paths in known if reach <= paths.reach <= reach * MORE_REACH + MORE_REACH
        ]
        if not usable:
            usable = [self.problem.paths(reach, is_apart)]
            known += usable
        return min(usable, key=lambda paths: paths.reach)

    def lengths(self, mover: int, candidates: Candidates) -> FloatArray:
        """Return the lengths (k,) in inches of a model's moves to candidate places; infinite beyond the limit."""
        model = self.problem.models.models[mover]
        level = (np.abs(candidates.z[:, None] - self.problem.surface_heights) <= CONTACT).any(
            axis=1
        )
        ends = np.column_stack([candidates.at, np.where(level, candidates.z, 0.0)])
        lengths = np.full(len(ends), np.inf)
        aside = candidates.at - self.problem.models.centres[mover]
        straight = np.hypot(aside[:, 0], aside[:, 1])
        near = straight <= self.limit + CONTACT
        for kind in sorted(set(candidates.kind[near].tolist())):
            which = near & (candidates.kind == kind)
            heading = (
                None if self.legality.kinds[kind].is_round else self.legality.kinds[kind].heading
            )
            lengths[which] = self.paths.lengths(model, ends[which], heading)
        is_bent = bool((lengths[near] > straight[near] + CONTACT).any())
        self.spend(WORK_OF_LENGTHS + WORK_OF_LENGTH * int(near.sum()) + WORK_OF_BENDS * is_bent)
        return lengths + np.where(level, 0.0, candidates.z)

    def shrunk_lengths(
        self,
        mover: int,
        at: FloatArray,
        z: FloatArray,
        *,
        by: float,
        limit: float,
        are_shut: bool = False,
    ) -> FloatArray:
        """Return the lengths (k,) in inches of a disc's paths to places (k, 2) at heights (k,) as if its radius were
        `by` inches smaller.

        They are infinite beyond `limit`. No path of the whole disc to a place at most `by` inches from one of these is
        shorter than the length here by more than that: on the way, and from its end to here, the whole disc covers the
        smaller one. With `are_shut`, gaps that only the smaller disc passes are closed, which takes longer.
        """
        own = self._shrunk(mover, by)
        self.spend(WORK_OF_LENGTHS + WORK_OF_LENGTH * len(at) + WORK_OF_BENDS)
        return self._paths_within(limit).lengths(
            own, np.column_stack([at, z]), lost=by if are_shut else 0.0
        )

    def shrunk_flights(
        self, mover: int, at: FloatArray, z: FloatArray, *, by: float, limit: float
    ) -> FloatArray:
        """Return the lengths (k,) in inches of a disc's flights to places (k, 2) at heights (k,) as if its radius were
        `by` inches smaller.

        No flight of the whole disc to a place at most `by` inches from one of these is shorter than the length here by
        more than that: at each share of the way the whole disc covers the smaller one. Other than on foot this holds
        whatever the whole one stands on.
        """
        self.spend(WORK_OF_LENGTHS + WORK_OF_LENGTH * len(at))
        places = np.column_stack([at, z])
        return self._paths_within(limit).flights(self._shrunk(mover, by), places, lost=by)

    def _shrunk(self, mover: int, by: float) -> Model:
        """Return a model whose base, a disc, has a radius `by` inches smaller."""
        model = self.problem.models.models[mover]
        radius = float(self.legality.radii[self.legality.kind_numbers[mover]])
        return replace(model, base=RoundBase(2.0 * (radius - by))) if by else model

    @cached_property
    def loci(self) -> tuple[tuple[ContactLoci, ...], ...]:
        """Curves of contact, engagement and clearance (loci) for each kind of base, and for each surface."""
        return tuple(
            tuple(loci_of(self.legality, kind, surface) for surface in self.problem.surfaces)
            for kind in self.legality.kinds
        )

    @cached_property
    def pools(self) -> tuple[Candidates, ...]:
        """Candidate places of each kind of base that do not depend on where the unit's other models end."""
        nowhere = self.legality.measured(0, np.empty((0, 2)), np.empty(0))
        used = set(chain.from_iterable(self.legality.kinds_of))
        return tuple(
            self._pool(kind) if kind in used else nowhere
            for kind in range(len(self.legality.kinds))
        )

    def _pool(self, kind: int) -> Candidates:
        starts = self.problem.models.centres[[kind in kinds for kinds in self.legality.kinds_of]]
        is_alone = (
            len(self.legality.kinds_of) == 1 and self.legality.is_round and self.problem.is_level
        )
        parts = []
        # of a disc alone the shortest way to a curve ends at a special place, not at its limit
        for locus in self.loci[kind]:
            known = self.root.known_places  # the same for all limits
            key = (self.legality.kinds[kind], locus.surface, self.asks("apart"), starts.tobytes())
            if key not in known:
                known[key] = self._engaging(kind, locus, locus.special(starts))
            parts.append(replace(known[key], kind=np.full(len(known[key]), kind)))
            if not is_alone:
                limits = circles(starts, np.full(len(starts), self.limit))
                brims = unique_places(
                    np.concatenate(
                        [
                            crossings(locus.contact, limits)[0],
                            crossings(locus.engagement, limits)[0],
                        ]
                    )
                )
                parts.append(self._engaging(kind, locus, brims))
        if not self.asks("grounded"):
            at, z = self.loci[kind][0].half_way(starts)
            usable = self.legality.are_clear_mid_climb(self.legality.kinds[kind], at, z)
            parts.append(self.legality.measured(kind, at[usable], z[usable]))
        return joined_candidates(parts)

    def _engaging(self, kind: int, locus: ContactLoci, at: FloatArray) -> Candidates:
        """Return the candidates at places (k, 2) of a kind on a surface that are legal and engage some target."""
        parts = []
        for start in range(0, max(len(at), 1), PLACES_AT_ONCE):
            check_deadline()
            some = at[start : start + PLACES_AT_ONCE]
            found = self.legality.candidates(kind, some, np.full(len(some), locus.surface.z))
            parts.append(found.of(found.is_engaged))
        return joined_candidates(parts)

    @cached_property
    def start(self) -> PartialPlan:
        """Partial plan to begin with: only models with given ends are placed."""
        if self.begun is not None:
            return self.begun
        assignment = empty(self.legality)
        for row, model in enumerate(self.problem.models.models):
            if end := self.fixed.get(model.number):
                assignment = assignment.with_model_at(row, self.legality.spot_of(row, end), 0, 0.0)
        return assignment

    @cached_property
    def turned(self) -> "Solver | None":
        """Solver in which all models that can turn have turned; None for a single model, for discs, and where turning
        is free.

        Turning one model alone costs too much.
        """
        legality = self.legality
        costs = any(self.problem.pivots)
        is_asked = (
            costs
            and len(self.problem.models.models) > 1
            and not (self.turns_all or legality.is_round)
        )
        return (
            Solver(
                self.problem,
                self.limit,
                self.conditions,
                self.fixed,
                turns_all=True,
                shared=self.root,
            )
            if is_asked
            else None
        )

    @cached_property
    def options(self) -> tuple[Options, ...]:
        """Candidate places of each model that do not depend on the others, the place where it stays first if it may
        stay.
        """
        return tuple(self._own(mover) for mover in range(len(self.problem.models.models)))

    def _own(self, mover: int) -> Options:
        pool = joined_candidates([self.pools[kind] for kind in self.legality.kinds_of[mover]])
        found = self.or_stay(mover, self.unmeasured(mover, pool, self.limit + CONTACT))
        return replace(found, rows=np.arange(len(found.candidates)))

    def unmeasured(self, mover: int, candidates: Candidates, near: float) -> Options:
        """Return the candidates within `near` inches of a model's start as options, with straight-line lengths instead
        of measured ones.
        """
        straight = point_distances(candidates.at, self.problem.models.centres[[mover]])[:, 0]
        within = straight <= near
        count = int(within.sum())
        return Options(
            candidates.of(within), straight[within], np.zeros(count, dtype=bool), np.full(count, -1)
        )

    def contacts(self, mover: int) -> Options:
        """Return those options of a model at which it is in base contact with a foe."""
        options = self.options[mover]
        return options.of(options.candidates.touching)

    @cached_property
    def nearest_contact(self) -> FloatArray:
        """Least lengths (n,) in inches of each model's moves into base contact; infinite where there is none."""
        return np.array(
            [
                self.shortest(mover, options.candidates.touching)
                for mover, options in enumerate(self.options)
            ]
        )

    def shortest(self, mover: int, usable: BoolArray) -> float:
        """Return the least length in inches of a model's moves to those of its options that `usable` selects; infinite
        for none.
        """
        picked = self.cheapest_legal(mover, self.options[mover], usable)
        return math.inf if picked is None else picked[1]

    def straight_flight(self, mover: int, usable: BoolArray) -> float:
        """Return the least length in inches of straight lines through the air to those of a model's options that
        `usable` selects; infinite where no move may lead through the air.
        """
        problem = self.problem
        begun = float(problem.models.heights[mover])
        candidates = self.options[mover].candidates
        is_air = problem.air == "anywhere" or begun > CONTACT
        ends = candidates.of(usable & (is_air | (candidates.z > CONTACT)))
        aside = ends.at - problem.models.centres[mover]
        return float(np.sqrt((aside**2).sum(axis=1) + (ends.z - begun) ** 2).min(initial=np.inf))

    @property
    def alone(self) -> float:
        """Least length in inches of the first model's moves to where it engages all targets; infinite for none."""
        return self.shortest(0, np.asarray(self.options[0].candidates.engaged.all(axis=1)))

    @cached_property
    def confinement_radii(self) -> FloatArray:
        """Largest distances (n,) in inches that models can get from their starts by any move; infinite for models not
        confined.
        """
        limit = max(self.limit, self.problem.farthest)
        return np.array(
            [
                confinement_radius(self, mover, limit)
                for mover in range(len(self.problem.models.models))
            ]
        )

    def or_stay(self, mover: int, found: Options) -> Options:
        """Return the place where a model stays, if it may, followed by other options."""
        stay = self.stay(mover)
        return (
            found
            if stay is None
            else Options(
                stay, np.zeros(1), np.ones(1, dtype=bool), np.zeros(1, dtype=np.intp)
            ).plus(found)
        )

    def stay(self, mover: int) -> Candidates | None:
        """Return the place of a model that stays, as one candidate; None if it may not stay."""
        problem = self.problem
        legality = self.legality
        if not self.may_stay:
            return None
        centre = problem.models.centres[mover][None]
        z = problem.models.heights[mover][None]
        kind = int(legality.kind_numbers[mover])
        here = legality.measured(kind, centre, z)
        return here if legality.keep_clear(legality.kinds[kind], centre, z)[0] else None

    def move_costs(self, mover: int, candidates: Candidates) -> FloatArray:
        """Return the lengths (k,) in inches of a model's moves to candidates; infinite where it cannot arrive or must
        not end.

        A model must not end where it is not closer to a target, under the condition `closer`.
        """
        lengths = self.lengths(mover, candidates)
        usable = lengths <= self.limit + CONTACT
        if self.asks("closer") and usable.any():
            usable[usable] = self.legality.end_closer(mover, candidates.of(usable))
        return np.where(usable, lengths, np.inf)

    def _kept_costs(self, mover: int, candidates: Candidates) -> FloatArray:
        """Return the same lengths (k,) as `move_costs`, cached for all limits, since the same places are asked about
        repeatedly.
        """
        known = self.root.known_costs.setdefault(
            (self.legality.kinds, self.asks("apart"), self.asks("closer")), {}
        )
        asked = [(mover, spot) for spot in candidates.spots]
        new = [
            row for row, one in enumerate(asked) if one not in known or known[one][1] < self.limit
        ]
        if new:
            lengths = self.move_costs(mover, candidates.of(np.array(new)))
            known.update(
                (asked[row], (length, math.inf if math.isfinite(length) else self.limit))
                for row, length in zip(new, lengths.tolist(), strict=True)
            )
        lengths = np.array([known[one][0] for one in asked])
        return np.where(lengths <= self.limit + CONTACT, lengths, np.inf)

    def cheapest_legal(
        self, mover: int, found: Options, usable: BoolArray, *, extra: FloatArray | None = None
    ) -> tuple[int, float] | None:
        """Return row and length of the usable option with the least length plus `extra` (k,) inches; None if there is
        none.

        `usable` (k,) is a mask. Paths are measured only until the shortest is certain.
        """
        more = np.zeros(len(found.lengths)) if extra is None else extra
        lengths = np.where(usable, found.lengths, np.inf)
        known = found.known | ~usable
        asked = WAYS_AT_ONCE
        while True:
            costs = lengths + more
            choice = int(np.argmin(costs)) if len(costs) else 0
            if not len(costs) or not np.isfinite(costs[choice]):
                return None
            if known[choice]:
                return choice, float(lengths[choice])
            doubtful = np.flatnonzero(
                ~known & (costs <= np.where(known, costs, np.inf).min(initial=np.inf))
            )
            first = doubtful[np.argsort(costs[doubtful], kind="stable")[:asked]]
            asked *= 2
            lengths[first] = self._kept_costs(mover, found.candidates.of(first))
            known[first] = True
            rows = found.rows[first]
            own = self.options[mover]
            kept = rows >= 0
            own.lengths[rows[kept]] = lengths[first][kept]
            own.known[rows[kept]] = True

    def place(
        self,
        plan: PartialPlan,
        mover: int,
        found: Options,
        usable: BoolArray,
        *,
        extra: FloatArray | None = None,
    ) -> PartialPlan | None:
        """Return a plan with a model at the usable option of least length plus `extra` (k,) inches; None if there is
        none.
        """
        picked = self.cheapest_legal(mover, found, usable, extra=extra)
        return None if picked is None else plan.with_model_at(mover, found.candidates, *picked)

    def place_at_few(
        self,
        plan: PartialPlan,
        mover: int,
        found: Options,
        usable: BoolArray,
        count: int,
        *,
        towards: FloatArray | None = None,
    ) -> Iterator[PartialPlan]:
        """Yield plans with a model at up to `count` usable options: the shortest move, then always the farthest from
        those before.

        If points `towards` (m, 2) are given, the second is the one nearest to any of them.
        """
        lengths = np.where(usable, found.lengths, np.inf)
        asked = usable & ~found.known
        lengths[asked] = self.move_costs(mover, found.candidates.of(asked))
        rows = np.flatnonzero(np.isfinite(lengths))
        if not len(rows):
            return
        at = found.candidates.at[rows]
        first = [int(np.argmin(lengths[rows]))]
        if towards is not None:
            first.append(int(np.argmin(point_distances(at, towards).min(axis=1))))
        for row in rows[_spread(at, first, count)].tolist():
            yield plan.with_model_at(mover, found.candidates, row, float(lengths[row]))

    def places_beside(self, plan: PartialPlan, mover: int, *, what: Kinship = "any") -> Options:
        """Return the options of a model, and those that depend on the models placed in `plan`."""
        options = self.options[mover]
        return (
            options.plus(self.dependent_candidates(plan, mover, what=what))
            if plan.placed.any()
            else options
        )

    def dependent_candidates(
        self, assignment: PartialPlan, mover: int, *, what: Kinship = "any", near: float = np.inf
    ) -> Options:
        """Return places of a model that depend on where others are placed: touching them, or just within coherency of
        them.

        `what` selects all of them, those in contact with a foe, or those just engaged; `near` those within so many
        inches of its start.
        """
        spots = tuple(assignment.candidates.of(assignment.placed).spots)
        asked = mover if what == "any" else what
        ground = (self.legality.kinds, self.asks("apart"))
        key = (*ground, self.legality.kinds_of[mover], asked, spots)
        known = self.root.beside_sets
        if key not in known:
            parts = [self.legality.measured(0, np.empty((0, 2)), np.empty(0))]
            for kind in self.legality.kinds_of[mover]:
                for locus in self.loci[kind]:
                    beside = self.root.beside.setdefault(
                        (*ground, kind, locus.surface), BesideOthers(self, kind, locus)
                    )
                    parts += beside.places(spots, asked)
            known[key] = joined_candidates(parts)
        return self.unmeasured(mover, known[key], min(near, self.limit + CONTACT))


@dataclass(frozen=True, eq=False)
class BesideOthers:
    """Places of one kind of base on a surface that depend on placed models; those beside each placed model are
    cached.
    """

    solver: Solver
    kind: int
    locus: ContactLoci
    known: dict[tuple[Spot, Partner], Candidates] = field(
        default_factory=dict, init=False, repr=False
    )

    def places(self, spots: Sequence[Spot], asked: int | Kinship) -> list[Candidates]:
        """Return candidates beside models at `spots`: for the model of a given number, or those in contact with a foe
        or just engaged.
        """
        found = []
        for number, spot in enumerate(spots):
            others = spots[:number] if isinstance(asked, int) else []
            is_new = (spot, asked) not in self.known
            new = [other for other in others if (spot, other) not in self.known]
            if is_new or new:
                self.solver.spend(WORK_OF_DEPENDENT)
                self.known.update(self._measured(spot, new, is_new=is_new))
            partners: tuple[Partner, ...] = (
                (asked, *LINES, *others) if isinstance(asked, int) else (asked,)
            )
            found += [self.known[spot, partner] for partner in partners]
        return [one for one in found if len(one)]

    def _measured(
        self, spot: Spot, others: Sequence[Spot], *, is_new: bool
    ) -> Iterator[tuple[tuple[Spot, Partner], Candidates]]:
        """Yield candidates beside a model at a spot that lie on the curves of others too, by (spot, the other).

        For a new spot these are also the candidates on fixed curves and those nearest to the models' starts.
        """
        legality = self.solver.legality
        locus = self.locus
        starts = self.solver.problem.models.centres
        lines = [locus.contact, locus.engagement, locus.bounds] if is_new else []
        partners = [*range(len(starts)), *LINES, *others] if is_new else list(others)
        rings = self._rings(spot)
        at, _, partner = crossings(
            rings, numbered([*lines, *(self._rings(other) for other in others)])
        )
        if is_new:
            feet, viewer, _ = perpendicular_feet(rings, starts)
            at = np.concatenate([feet, at])
            partner = np.concatenate([viewer, partner + len(starts)])
        if is_new and legality.must_snap(legality.kinds[self.kind]):
            settled = crossings(locus.contact, self._rings(spot, spare=SHIFTED_AT_MOST))[0]
            at = np.concatenate([at, settled])
            partner = np.append(partner, np.full(len(settled), len(starts)))
        usable, found = legality.usable(self.kind, at, np.full(len(at), locus.surface.z))
        return (
            ((spot, one), found.of(partner[usable] == number))
            for number, one in enumerate(partners)
        )

    def _rings(self, spot: Spot, *, spare: float = 0.0) -> ArcPieces:
        """Return the curves on which the base is just within coherency of a model at a spot, and on which it touches
        it.

        With `spare` inches, they are the curves on which it is surely within coherency, and on which it almost touches
        it.
        """
        legality = self.solver.legality
        other, x, y, z = spot
        apart = [
            self.solver.problem.coherency.horizontal - spare,
            *([spare] if abs(z - self.locus.surface.z) <= CONTACT else []),
        ]
        if legality.is_round:
            return circles(
                np.full((len(apart), 2), (x, y)),
                legality.radii[other] + legality.radii[self.kind] + np.array(apart),
            )
        within, *flush = (legality.curves_between(self.kind, other, needed) for needed in apart)
        curves = [*map(inward, within), *chain.from_iterable(flush)]
        return tracks(curves, np.full((len(curves), 2), (x, y)))


def _spread(at: FloatArray, first: Sequence[int], count: int) -> list[int]:
    """Return indices of up to `count` of the places (k, 2): the given ones, then always the one farthest from all
    chosen.
    """
    chosen = list(dict.fromkeys(first))
    while len(chosen) < min(count, len(at)):
        apart = point_distances(at, at[chosen]).min(axis=1)
        apart[chosen] = -1.0
        chosen.append(int(np.argmax(apart)))
    return chosen


def confinement_radius(solver: Solver, mover: int, limit: float) -> float:
    """Return how far in inches a disc can get from its start, moving up to `limit` inches; infinite if it is not
    confined.

    Where moves may lead up, over terrain or through the air no model counts as confined.
    """
    if not (solver.legality.own_kind(mover).is_round and solver.problem.is_level):
        return math.inf
    shut = takewhile(lambda radius: not _is_reached(solver, mover, radius, limit), RING_RADII)
    return min(shut, default=math.inf)


def _is_reached(solver: Solver, mover: int, radius: float, limit: float) -> bool:
    """Return whether a model might reach some place of the ring of `radius` inches about its start, moving up to
    `limit` inches.

    It is tested with a smaller disc at a few places.
    """
    turns = math.tau / RING_PLACES * np.arange(RING_PLACES)
    start = solver.problem.models.centres[mover]
    z = float(solver.problem.models.heights[mover])
    ring: FloatArray = start + radius * np.column_stack([np.cos(turns), np.sin(turns)])
    heights = np.full(RING_PLACES, z)
    off = math.pi * radius / RING_PLACES
    is_straight = solver.paths.is_unobstructed(
        solver.problem.models.models[mover], np.column_stack([ring, heights])
    ).any()
    if is_straight or off >= solver.legality.radii[solver.legality.kind_numbers[mover]]:
        return True
    return bool(np.isfinite(solver.shrunk_lengths(mover, ring, heights, by=off, limit=limit)).any())


def nearby_candidates(solver: Solver, mover: int) -> Options:
    """Return options near a model's start: small steps in all directions, and corners and edges of its free space."""
    problem = solver.problem
    legality = solver.legality
    start = problem.models.centres[mover]
    z = float(problem.models.heights[mover])
    kind = int(legality.kind_numbers[mover])
    loci = [locus for locus in solver.loci[kind] if abs(locus.surface.z - z) <= CONTACT]
    apart = point_distances(start[None], problem.target_models.models.centres)[0]
    nearest = [
        int(np.argmin(np.where(problem.target_index == target, apart, np.inf)))
        for target in problem.target_numbers
    ]
    foes = problem.target_models.models.centres[nearest]
    wide = min(POCKET_WIDTH, solver.limit)
    at = np.concatenate(
        [np.empty((0, 2)), *(_pocket_places(locus, start, foes, wide) for locus in loci)]
    )
    return solver.or_stay(
        mover,
        solver.unmeasured(
            mover, legality.candidates(kind, at, np.full(len(at), z)), solver.limit + CONTACT
        ),
    )


def _pocket_places(
    locus: ContactLoci, start: FloatArray, foes: FloatArray, wide: float
) -> FloatArray:
    """Return places (k, 2) within `wide` inches of a start on a surface, legal or not."""
    bounds = locus.bounds.near(start, wide)
    rings = circles(np.tile(start, (len(POCKET_STEPS), 1)), np.array(POCKET_STEPS))
    towards = np.arctan2(foes[:, 1] - start[1], foes[:, 0] - start[0])
    turns = (towards[:, None] + math.tau / POCKET_DIRECTIONS * np.arange(POCKET_DIRECTIONS)).ravel()
    steps = (
        np.array(POCKET_STEPS)[:, None, None]
        * np.column_stack([np.cos(turns), np.sin(turns)])[None, :, :]
    )
    seen_from = np.concatenate([start[None], foes])
    corners = [
        crossings(bounds, bounds)[0],
        crossings(rings, bounds)[0],
        perpendicular_feet(bounds, seen_from)[0],
        tangent_normals(bounds, bounds),
    ]
    found = np.concatenate([start + steps.reshape(-1, 2), *corners])
    return unique_places(found[np.hypot(*(found - start).T) <= wide])


def lattice(solver: Solver, mover: int, target: int, step: float) -> FloatArray:
    """Return grid points (k, 2), `step` inches apart, that cover the places where a model may engage a target."""
    problem = solver.problem
    middle = solver.problem.middle
    own = problem.target_index == target
    foes = problem.target_models.models
    reach = (
        foes.radii[own] + float(problem.models.radii[mover]) + problem.longest_ranges[own] + step
    )[:, None]
    at = (foes.centres[own] - middle) @ problem.axes.T
    low = (at - reach).min(axis=0)
    high = (at + reach).max(axis=0)
    xs, ys = (
        step * np.arange(math.floor(start / step), math.ceil(end / step) + 1)
        for start, end in zip(low, high, strict=True)
    )
    return np.asarray(middle + np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) @ problem.axes)

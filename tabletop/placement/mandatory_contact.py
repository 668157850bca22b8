"""Which base contacts a claimed move owes: those of models that can touch a foe at their turn while those after them complete the move.

`MandatoryContact` holds the claim and asks each model in turn. The claim is then mended around the model put into contact: models
moved before it stand where they are claimed to end, those after it find other ends (`ModelTurn`, `mended`).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice

import numpy as np

from tabletop.budget import Budget, Proof
from tabletop.geometry.arrays import IntArray
from tabletop.geometry.distance import point_distances
from tabletop.placement.bounds import Role, SpanningTrees, Tree
from tabletop.placement.candidates import Options, Solver
from tabletop.placement.construct import completed, orderings
from tabletop.placement.improve import staying
from tabletop.placement.partial_plan import PartialPlan, completing
from tabletop.placement.polish import ActiveConstraints, active_constraints, polished
from tabletop.placement.problem import End
from tabletop.table.models import Model
from tabletop.units import CONTACT

OPEN_DEBTS = 2
"""Models of which it stays open whether they owe contact, before it is asked of the rest less thoroughly."""

ENTRIES = 6
"""Places in contact around which those after a model are placed anew, where none goes with where they are claimed to end."""

PULLS = 12
"""Ways to join a few models that are pulled tight for each place in contact."""

DUTY = 0.5
"""The share of the work allowed for what one model owes."""

FEW_ENTRIES = 2
"""Places in contact towards which larger units are pulled, and all that are tried where the search is to be quick."""


@dataclass(frozen=True, eq=False)
class ModelTurn:
    """The turn of model `row` in a claim: those moved before it (`fixed`) stand where they are claimed to end.

    Attributes
    ----------
    claim
        The solver whose start has all models where they are claimed to end.
    """

    claim: Solver
    fixed: IntArray
    row: int

    @cached_property
    def solver(self) -> Solver:
        """The solver that begins with the models moved before."""
        return self.claim.beginning(replace(self.claim.start, placed=np.isin(np.arange(len(self.claim.options)), self.fixed)))

    @cached_property
    def entries(self) -> Options:
        """The places in contact for the model that are clear of the models moved before it."""
        found = self.claim.contacts(self.row)
        if len(self.fixed):
            found = found.plus(self.claim.dependent_candidates(self.solver.start, self.row, what="contact"))
        clear, _ = self.solver.start.meets(found.candidates)
        return found.of(np.asarray(clear & found.candidates.touching))


@dataclass(frozen=True)
class ContactDuty:
    """Where a model could be in base contact at its turn, None if nowhere; `proof` says how sure that is.

    A model `would_leave` its unit if it stood out of coherency wherever it touched a foe.
    """

    end: End | None
    proof: Proof
    would_leave: bool = False


@dataclass(frozen=True, eq=False)
class MandatoryContact:
    """A claimed move: the solver of its problem at its limit, and the models where they are claimed to end, in order of moving."""

    whole: Solver
    ends: tuple[Model, ...]

    @cached_property
    def solver(self) -> Solver:
        """The solver of all turns; its start is the whole claim."""
        return self.whole.with_fixed({model.number: End(model.pose, model.z) for model in self.ends})

    @cached_property
    def order(self) -> IntArray:
        """The rows of the models in the order of moving."""
        numbers = [model.number for model in self.whole.problem.models.models]
        return np.array([numbers.index(model.number) for model in self.ends], dtype=np.intp)

    @cached_property
    def fair(self) -> IntArray:
        """The rows of the models that end closer to a target, or need not."""
        solver, begun = self.solver, self.solver.problem.models.models
        ends = zip(self.order.tolist(), self.ends, strict=True)
        stay = [row for row, model in ends if solver.may_stay and model.stands_like(begun[row])]
        closer = [row for row in self.order.tolist() if solver.legality.end_closer(row, solver.start.candidates.of([row]))[0]]
        return np.union1d(stay, closer).astype(np.intp)

    def contact(self, turn: int, *, budget: Budget, is_quick: bool = False) -> ContactDuty:
        """Find where the model that moves after `turn` others could be in base contact, so that the unit still completes its move.

        If it is to be quick, few places are tried, and all models after it are not pulled along.
        """
        turn_of = ModelTurn(self.solver, self.order[:turn], int(self.order[turn]))
        claimed = self._as_claimed(turn_of)
        if claimed is not None:
            return self._owed(turn_of, claimed)
        solver, entries = turn_of.solver, turn_of.entries
        starts = list(solver.place_at_few(solver.start, turn_of.row, entries, entries.candidates.touching, ENTRIES))
        if not starts or len(self.ends) == 1:
            return ContactDuty(None, "exact" if self._is_sure(turn_of.row) else "best_found")
        if turn == len(self.ends) - 1 and self._would_leave(turn_of.row):
            return ContactDuty(None, "exact", would_leave=True)
        plans = repaired(turn_of, starts, later=np.setdiff1d(self.fair, turn_of.fixed), is_quick=is_quick)
        return self._first(turn_of, plans, budget)

    def nearest(self, turn: int, owed: ContactDuty, *, budget: Budget) -> ContactDuty:
        """Look for a place in contact nearer to where a model is claimed to end than the one that is known: what it owes there is meant."""
        turn_of = ModelTurn(self.solver, self.order[:turn], int(self.order[turn]))
        candidates, claimed = turn_of.entries.candidates, np.array(self.ends[turn].pose.at)
        if owed.end is None:
            return owed
        known, aside = math.dist(owed.end.pose.at, claimed), np.hypot(*(candidates.at - claimed).T)
        lengths = turn_of.solver.move_costs(turn_of.row, candidates)
        nearer = np.flatnonzero(np.isfinite(lengths) & (aside < known - CONTACT))
        later = np.setdiff1d(self.fair, turn_of.fixed)
        for entry in nearer[np.argsort(aside[nearer], kind="stable")][:ENTRIES].tolist():
            starts = [turn_of.solver.start.with_model_at(turn_of.row, candidates, entry, float(lengths[entry]))]
            found = self._first(turn_of, repaired(turn_of, starts, later=later, is_quick=False), budget)
            if found.end is not None and math.dist(found.end.pose.at, claimed) < known:
                return found
        return owed

    def _is_sure(self, row: int) -> bool:
        """Return whether a model that finds no place in contact has none.

        Bases that are not round may turn farther than is looked at, and the shortest way over a top may end where nobody looks,
        unless all foes are out of reach anyway.
        """
        problem, legality = self.solver.problem, self.solver.legality
        is_searched = legality.is_round and not (problem.flies and problem.climbed)
        foes, reach = problem.target_models.models, float(problem.models.radii[row]) + self.solver.limit
        apart = np.hypot(*(foes.centres - problem.models.centres[row]).T) - foes.radii
        return is_searched or bool((apart > reach + CONTACT).all())

    def _would_leave(self, row: int) -> bool:
        """Return whether a model that moves last, all others at their claimed ends, is too far from each of them wherever it touches a foe.

        Between bodies it is no nearer than between the circles about them, and a model beside a foe lies within its own width of it.
        """
        problem, claimed = self.solver.problem, self.solver.start.candidates
        radii, foes = problem.models.radii, problem.target_models.models
        within = np.hypot(*(foes.centres - problem.models.centres[row]).T) - foes.radii <= radii[row] + self.solver.limit + CONTACT
        others = np.setdiff1d(self.order, [row])
        apart = point_distances(claimed.at[others], foes.centres[within]) - radii[others][:, None] - foes.radii[within][None, :]
        return bool((apart - 2 * radii[row] > problem.coherency.horizontal + CONTACT).all())

    def _as_claimed(self, turn: ModelTurn) -> PartialPlan | None:
        """Find a place in contact that goes with where all others are claimed to end."""
        if len(self.fair) < len(self.ends):
            return None
        candidates = turn.entries.candidates
        return turn.solver.place(self.solver.start, turn.row, turn.entries, completing(self.solver.start, turn.row, candidates))

    def _first(self, turn: ModelTurn, plans: Iterable[PartialPlan | None], budget: Budget) -> ContactDuty:
        """Return where the first plan there is has the model in contact."""
        budget = turn.solver.part_of(budget, DUTY)
        for assignment in plans:
            if assignment is not None and assignment.candidates.touching[turn.row]:
                return self._owed(turn, assignment)
            if turn.solver.is_spent(budget):
                break
        # where no links might join the unit with the model in contact, that is sure
        trees = SpanningTrees(turn.solver)
        return ContactDuty(None, "best_found" if (not trees.applies or next(joining(turn, trees), None) is not None) else "exact")

    def _owed(self, turn: ModelTurn, plan: PartialPlan) -> ContactDuty:
        model = self.solver.legality.model_at(turn.row, plan.candidates, turn.row)
        return ContactDuty(End(model.pose, model.z), "exact")


def repaired(turn: ModelTurn, starts: Sequence[PartialPlan], *, later: IntArray, is_quick: bool) -> Iterator[PartialPlan | None]:
    """Make plans around places in contact, the likeliest first; None where that fails.

    Models move on to where they are claimed to end, as far as they (`later`) may be there and are clear of others, and the rest
    is placed anew; then all after it are; then, unless it is to be quick, all are pulled along from where they are claimed to end.
    """
    ordering = orderings(1)[0]
    rest, starts = np.setdiff1d(later, [turn.row]), starts[:FEW_ENTRIES] if is_quick else starts
    for start in starts:
        yield completed(turn.solver, staying(start, turn.claim.start, rest.tolist()), ordering)
    for start in starts:
        yield completed(turn.solver, start, ordering)
    few = len(starts) if SpanningTrees(turn.solver).applies else FEW_ENTRIES
    for start in () if is_quick else starts[:few]:
        moved = turn.claim.start.with_model_at(turn.row, start.candidates, turn.row, float(start.lengths[turn.row]))
        yield from (polished(turn.solver, moved, ties, furthest=True, again=0) for ties in ways_to_join(turn, moved))


def ways_to_join(turn: ModelTurn, assignment: PartialPlan) -> Iterator[ActiveConstraints]:
    """Yield what may join a unit: of more than a few models the links that they have, or had, of a few each tree of links that may do.

    The model touches what it touches, the others share the targets that are to be engaged.
    """
    ties, trees, problem = active_constraints(turn.solver, assignment, held=(turn.row,)), SpanningTrees(turn.solver), turn.solver.problem
    if not trees.applies:
        yield from (replace(ties, linked=linked) for linked in (ties.linked, active_constraints(turn.solver, turn.claim.start).linked))
        return
    apart = point_distances(assignment.candidates.at, problem.target_models.models.centres) - problem.target_models.models.radii
    touched = ties.touched & (np.arange(len(apart)) == turn.row)[:, None]
    met = set(problem.target_index[ties.touched[turn.row]].tolist())
    for share, tree in islice(((share, tree) for share, tree in joining(turn, trees) if share[turn.row].touched in met), PULLS):
        engaged, linked = np.zeros_like(touched), np.zeros_like(ties.linked)
        for row, part in enumerate(share):
            for target in set(part.targets) - {part.touched}:
                engaged[row, int(np.argmin(np.where(problem.target_index == target, apart[row], np.inf)))] = True
        for one, other in tree:
            linked[one, other] = linked[other, one] = True
        yield ActiveConstraints(touched, engaged, linked)


def joining(turn: ModelTurn, trees: SpanningTrees) -> Iterator[tuple[tuple[Role, ...], Tree]]:
    """Return the ways to share the targets, the model in contact with one, and the trees of links that are long enough for them."""
    return trees.fitting(share for share in trees.roles(1) if share[turn.row].touched is not None)

"""Which base contacts a claimed move owes: those of models that can touch a foe at their turn while those after them
complete the move.

A claimed move is one whose ends are given from outside, to be judged; it must make every base contact that it can.
`MandatoryContact` holds the claim and tests each model in turn. The claim is then repaired around the model put into
contact: models moved before it stay where they are claimed to end, those after it find other ends (`ModelTurn`,
`repaired`).
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
from tabletop.placement.bounds import LeastMoves, Role, SpanningTrees, Tree
from tabletop.placement.candidates import Options, Solver
from tabletop.placement.construct import completed
from tabletop.placement.improve import staying
from tabletop.placement.partial_plan import PartialPlan, completing
from tabletop.placement.polish import ActiveConstraints, active_constraints, polished
from tabletop.placement.problem import End
from tabletop.table.models import Model
from tabletop.units import CONTACT

OPEN_DEBTS = 2
"""Number of models for which it remains open whether they must be in contact, after which the rest are tested less
thoroughly."""

ENTRIES = 6
"""Places in contact around which those after a model are placed anew, where none goes with where they are claimed to
end."""

PULLS = 12
"""Ways to join a few models that are pulled tight for each place in contact."""

DUTY = 0.5
"""Share of the work allowed for the question whether one model must be in contact."""

FEW_ENTRIES = 2
"""Places in contact towards which larger units are pulled, and all that are tried where the search is to be quick."""


@dataclass(frozen=True, eq=False)
class ModelTurn:
    """The turn of model `row` in a claimed move: the models moved before it (`fixed`, their rows) are where they are
    claimed to end.

    Attributes
    ----------
    claim
        The solver whose start has all models where they are claimed to end.
    fixed
        The rows of the models moved before.
    row
        The row of the model whose turn it is.
    """

    claim: Solver
    fixed: IntArray
    row: int

    @cached_property
    def solver(self) -> Solver:
        """The solver that begins with only the models moved before placed."""
        return self.claim.beginning(
            replace(
                self.claim.start, placed=np.isin(np.arange(len(self.claim.options)), self.fixed)
            )
        )

    @cached_property
    def entries(self) -> Options:
        """Options of the model in base contact that are clear of the models moved before it."""
        found = self.claim.contacts(self.row)
        if len(self.fixed):
            found = found.plus(
                self.claim.dependent_candidates(self.solver.start, self.row, what="contact")
            )
        clear, _ = self.solver.start.meets(found.candidates)
        return found.of(np.asarray(clear & found.candidates.touching))


@dataclass(frozen=True)
class ContactDuty:
    """Where a model could be in base contact at its turn, None if nowhere; `proof` tells how certain that is.

    `would_leave` tells that the model would be out of coherency wherever it touched a foe, `has_place` whether it could
    touch one at all.
    """

    end: End | None
    proof: Proof
    would_leave: bool = False
    has_place: bool = True


@dataclass(frozen=True, eq=False)
class MandatoryContact:
    """A claimed move: the solver of its problem at its limit (`whole`), and the models at their claimed ends, in order
    of moving.
    """

    whole: Solver
    ends: tuple[Model, ...]

    @cached_property
    def solver(self) -> Solver:
        """The solver of all turns; its start has all models at their claimed ends."""
        return self.whole.with_fixed(
            {model.number: End(model.pose, model.z) for model in self.ends}
        )

    @cached_property
    def order(self) -> IntArray:
        """The rows (n,) of the models in the order of moving."""
        numbers = [model.number for model in self.whole.problem.models.models]
        return np.array([numbers.index(model.number) for model in self.ends], dtype=np.intp)

    @cached_property
    def fair(self) -> IntArray:
        """The rows of the models that end closer to a target, or that may stay where they begin and do."""
        solver = self.solver
        begun = self.solver.problem.models.models
        ends = zip(self.order.tolist(), self.ends, strict=True)
        stay = [row for row, model in ends if solver.may_stay and model.stands_like(begun[row])]
        closer = [
            row
            for row in self.order.tolist()
            if solver.legality.end_closer(row, solver.start.candidates.of([row]))[0]
        ]
        return np.union1d(stay, closer).astype(np.intp)

    def contact(self, turn: int, *, budget: Budget, is_quick: bool = False) -> ContactDuty:
        """Return where the model that moves after `turn` others could be in base contact such that the unit still
        completes its move.

        If `is_quick`, few places are tried, and the models after it are not shifted along.
        """
        turn_of = ModelTurn(self.solver, self.order[:turn], int(self.order[turn]))
        claimed = self._as_claimed(turn_of)
        if claimed is not None:
            return self._owed(turn_of, claimed)
        solver = turn_of.solver
        entries = turn_of.entries
        starts = list(
            solver.place_at_few(
                solver.start, turn_of.row, entries, entries.candidates.touching, ENTRIES
            )
        )
        if not starts or len(self.ends) == 1:
            proof: Proof = "tolerance" if self._turns_in_vain() else "best_found"
            return ContactDuty(
                None, "exact" if self._is_sure(turn_of.row) else proof, has_place=bool(starts)
            )
        if turn == len(self.ends) - 1:
            # of the places that keep all, whatever paths allow, the ends are entries of a disc
            keeps_all = completing(self.solver.start, turn_of.row, entries.candidates)
            is_shut = self.solver.legality.is_round and not keeps_all.any()
            would_leave = self._would_leave(turn_of.row)
            if is_shut or would_leave or self._is_sure(turn_of.row):
                return ContactDuty(None, "exact", would_leave=would_leave)
        from tabletop.placement.branch_and_bound import Following

        following = Following(turn_of.solver, turn_of.row)
        if following.applies and not following.may_complete:
            return ContactDuty(None, "exact")
        plans = repaired(
            turn_of, starts, later=np.setdiff1d(self.fair, turn_of.fixed), is_quick=is_quick
        )
        return self._first(turn_of, plans, budget)

    def nearest(self, turn: int, owed: ContactDuty, *, budget: Budget) -> ContactDuty:
        """Return a place in contact nearer to the model's claimed end than that of `owed`, or `owed` itself if none is
        found.
        """
        turn_of = ModelTurn(self.solver, self.order[:turn], int(self.order[turn]))
        candidates = turn_of.entries.candidates
        claimed = np.array(self.ends[turn].pose.at)
        if owed.end is None:
            return owed
        known = math.dist(owed.end.pose.at, claimed)
        aside = np.hypot(*(candidates.at - claimed).T)
        lengths = turn_of.solver.move_costs(turn_of.row, candidates)
        nearer = np.flatnonzero(np.isfinite(lengths) & (aside < known - CONTACT))
        later = np.setdiff1d(self.fair, turn_of.fixed)
        for entry in nearer[np.argsort(aside[nearer], kind="stable")][:ENTRIES].tolist():
            starts = [
                turn_of.solver.start.with_model_at(
                    turn_of.row, candidates, entry, float(lengths[entry])
                )
            ]
            found = self._first(
                turn_of, repaired(turn_of, starts, later=later, is_quick=False), budget
            )
            if found.end is not None and math.dist(found.end.pose.at, claimed) < known:
                return found
        return owed

    def _turns_in_vain(self) -> bool:
        """Return whether it is certain that a single model that is not round touches no foe however it turns."""
        from tabletop.placement.branch_and_bound import TurningSearch

        search = TurningSearch(self.whole, is_touching=True)
        return search.applies and not len(search.boxes(self.whole.limit))

    def _is_sure(self, row: int) -> bool:
        """Return whether it is certain that a model for which no place in contact is found has none.

        Bases that are not round may turn farther than is examined, unless all foes are out of reach anyway, and the
        shortest flight over terrain may end where no place is examined, unless bounds exclude it.
        """
        problem = self.solver.problem
        legality = self.solver.legality
        foes = problem.target_models.models
        reach = float(problem.models.radii[row]) + self.solver.limit
        apart = np.hypot(*(foes.centres - problem.models.centres[row]).T) - foes.radii
        if not legality.is_round or not (problem.flies and problem.climbed):
            return legality.is_round or bool((apart > reach + CONTACT).all())
        targets = list(problem.target_numbers) if len(self.ends) == 1 else []
        flown = LeastMoves(self.whole).in_air(row, targets, is_touching=True)
        return flown > self.whole.limit + CONTACT

    def _would_leave(self, row: int) -> bool:
        """Return whether the model that moves last would be out of coherency wherever it touches a foe.

        The others are at their claimed ends. The gap between two bodies is at least that between the circles about
        them, and a model that touches a foe lies within its own width of it.
        """
        problem = self.solver.problem
        claimed = self.solver.start.candidates
        radii = problem.models.radii
        foes = problem.target_models.models
        within = (
            np.hypot(*(foes.centres - problem.models.centres[row]).T) - foes.radii
            <= radii[row] + self.solver.limit + CONTACT
        )
        others = np.setdiff1d(self.order, [row])
        apart = (
            point_distances(claimed.at[others], foes.centres[within])
            - radii[others][:, None]
            - foes.radii[within][None, :]
        )
        return bool((apart - 2 * radii[row] > problem.coherency.horizontal + CONTACT).all())

    def _as_claimed(self, turn: ModelTurn) -> PartialPlan | None:
        """Return the claimed plan with the model moved into contact, by the shortest move that keeps it complete; None
        if there is none.
        """
        if len(np.union1d(self.fair, [turn.row])) < len(self.ends):
            return None
        candidates = turn.entries.candidates
        return turn.solver.place(
            self.solver.start,
            turn.row,
            turn.entries,
            completing(self.solver.start, turn.row, candidates),
        )

    def _first(
        self, turn: ModelTurn, plans: Iterable[PartialPlan | None], budget: Budget
    ) -> ContactDuty:
        """Return the duty of the first plan that has the model in contact; one without an end if there is none."""
        budget = turn.solver.part_of(budget, DUTY)
        for assignment in plans:
            if assignment is not None and assignment.candidates.touching[turn.row]:
                return self._owed(turn, assignment)
            if turn.solver.is_spent(budget):
                break
        # where no links might join the unit with the model in contact, that is sure
        trees = SpanningTrees(turn.solver)
        is_open = not trees.applies or next(joining(turn, trees), None) is not None
        return ContactDuty(None, "best_found" if is_open else "exact")

    def _owed(self, turn: ModelTurn, plan: PartialPlan) -> ContactDuty:
        model = self.solver.legality.model_at(turn.row, plan.candidates, turn.row)
        return ContactDuty(End(model.pose, model.z), "exact")


def repaired(
    turn: ModelTurn, starts: Sequence[PartialPlan], *, later: IntArray, is_quick: bool
) -> Iterator[PartialPlan | None]:
    """Yield plans around places in contact, the likeliest first; None where one fails.

    `starts` have the model in contact. First the models of rows `later` move to their claimed ends, as far as these are
    clear, and the rest is placed anew; then all after it are placed anew; then, unless `is_quick`, all are shifted from
    their claimed ends.
    """
    rest = np.setdiff1d(later, [turn.row])
    starts = starts[:FEW_ENTRIES] if is_quick else starts
    for start in starts:
        yield completed(turn.solver, staying(start, turn.claim.start, rest.tolist()))
    for start in starts:
        yield completed(turn.solver, start)
    few = len(starts) if SpanningTrees(turn.solver).applies else FEW_ENTRIES
    for start in () if is_quick else starts[:few]:
        moved = turn.claim.start.with_model_at(
            turn.row, start.candidates, turn.row, float(start.lengths[turn.row])
        )
        yield from (
            polished(turn.solver, moved, ties, furthest=True, again=0)
            for ties in ways_to_join(turn, moved)
        )


def ways_to_join(turn: ModelTurn, assignment: PartialPlan) -> Iterator[ActiveConstraints]:
    """Yield constraints that may hold the unit together: the links of the plan or the claim, or for few models each
    tree of links.

    The model touches what it touches; the others share the targets that are to be engaged.
    """
    ties = active_constraints(turn.solver, assignment, held=(turn.row,))
    trees = SpanningTrees(turn.solver)
    problem = turn.solver.problem
    if not trees.applies:
        yield from (
            replace(ties, linked=linked)
            for linked in (ties.linked, active_constraints(turn.solver, turn.claim.start).linked)
        )
        return
    apart = (
        point_distances(assignment.candidates.at, problem.target_models.models.centres)
        - problem.target_models.models.radii
    )
    touched = ties.touched & (np.arange(len(apart)) == turn.row)[:, None]
    met = set(problem.target_index[ties.touched[turn.row]].tolist())
    for share, tree in islice(
        ((share, tree) for share, tree in joining(turn, trees) if share[turn.row].touched in met),
        PULLS,
    ):
        engaged = np.zeros_like(touched)
        linked = np.zeros_like(ties.linked)
        for row, part in enumerate(share):
            for target in set(part.targets) - {part.touched}:
                engaged[
                    row,
                    int(np.argmin(np.where(problem.target_index == target, apart[row], np.inf))),
                ] = True
        for one, other in tree:
            linked[one, other] = linked[other, one] = True
        yield ActiveConstraints(touched, engaged, linked)


def joining(turn: ModelTurn, trees: SpanningTrees) -> Iterator[tuple[tuple[Role, ...], Tree]]:
    """Return pairs of roles of the models, of which this one alone touches a foe, and a tree of links long enough for
    them.
    """
    return trees.fitting(share for share in trees.roles(1) if share[turn.row].touched is not None)

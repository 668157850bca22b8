"""A claimed plan mended around one model that goes into contact: those moved before it stand, those after it find other ends."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import numpy as np

from tabletop.geometry.arrangement import IntArray
from tabletop.geometry.pose import FloatArray
from tabletop.optimise.assignment import cheapest
from tabletop.placement.assignment import Assignment, empty
from tabletop.placement.candidates import Candidates
from tabletop.placement.construction import completed, manners
from tabletop.placement.contact_loci import ContactLoci
from tabletop.placement.polish import Ties, stretched, ties_of
from tabletop.placement.reachable import Options, ReachablePlaces
from tabletop.placement.spanning_tree_bound import Share, SpanningTrees, Tree
from tabletop.units import CONTACT

PULLS = 12
"""Ways to join a few models that are pulled tight for each place in contact."""

FEW_ENTRIES = 2
"""Places in contact towards which larger units are pulled, and all that are tried where the search is to be quick."""


@dataclass(frozen=True, eq=False)
class ModelTurn(ReachablePlaces):
    """A claim's reachable places when the turn of model `row` comes: those moved before it (`fixed`) stand where they are claimed to end.

    Attributes
    ----------
    claim
        The reachable places of the whole claim, whose start has all models where they are claimed to end.
    """

    claim: ReachablePlaces
    fixed: IntArray
    row: int

    @cached_property
    def fields(self) -> tuple[tuple[ContactLoci, ...], ...]:
        """The surfaces as each kind sees them, the same at every turn."""
        return self.claim.fields

    @cached_property
    def pools(self) -> tuple[Candidates, ...]:
        """The special places of each kind, the same at every turn."""
        return self.claim.pools

    @cached_property
    def options(self) -> tuple[Options, ...]:
        """The special places of each model, the same at every turn."""
        return self.claim.options

    @cached_property
    def start(self) -> Assignment:
        """The assignment in which only the models moved before stand."""
        return self.as_claimed(empty(self.problem), self.fixed)

    def as_claimed(self, assignment: Assignment, rows: IntArray) -> Assignment:
        """Put models where they are claimed to end."""
        for row in rows.tolist():
            assignment = assignment.put(row, self.claim.start.candidates, row, 0.0)
        return assignment

    @cached_property
    def entries(self) -> Options:
        """The places in contact for the model that are clear of the models moved before it."""
        found = self.contacts(self.row)
        if len(self.fixed):
            found = found.plus(self.around(self.start, self.row, what="contact"))
        clear, _ = self.start.meets(found.candidates)
        return found.of(np.asarray(clear & found.candidates.touching))

    def entered(self, entry: int, length: float) -> Assignment:
        """Put the model into contact at one of its entries, `length` inches away."""
        return self.start.put(self.row, self.entries.candidates, entry, length)


def mended(reachable: ModelTurn, starts: Sequence[Assignment], *, later: IntArray, is_quick: bool) -> Iterator[Assignment | None]:
    """Make plans around places in contact, the likeliest first; None where that fails.

    Models move on to where they are claimed to end, as far as they (`later`) may be there and are clear of others, and the rest
    is placed anew; then all after it are; then, unless it is to be quick, they exchange places and are pulled along.
    """
    manner = manners(1)[0]
    rest, starts = np.setdiff1d(later, [reachable.row]), starts[:FEW_ENTRIES] if is_quick else starts
    for start in starts:
        yield completed(reachable, staying(reachable, start, rest), manner)
    for start in starts:
        yield completed(reachable, start, manner)
    few = len(starts) if SpanningTrees(reachable).can_be_asked else FEW_ENTRIES
    for start in () if is_quick else starts[:few]:
        yield from pulled(reachable, exchanged(reachable, start))


def staying(reachable: ModelTurn, assignment: Assignment, rows: IntArray) -> Assignment:
    """Put models where they are claimed to end, as far as they are clear of those placed."""
    for row in rows.tolist():
        clear, _ = assignment.meets(reachable.claim.start.candidates.of(np.array([row])))
        if clear[0]:
            assignment = reachable.as_claimed(assignment, np.array([row]))
    return assignment


def exchanged(reachable: ModelTurn, assignment: Assignment) -> Assignment:
    """Let those not placed take the places claimed for them and the model, but for the one nearest to it, moving least in total."""
    rest, slots, claimed = np.flatnonzero(~assignment.placed), np.flatnonzero(~reachable.start.placed), reachable.claim.start.candidates
    nearest = int(np.argmin(_apart(claimed.at[slots], assignment.candidates.at[[reachable.row]])[:, 0]))
    places = claimed.of(np.delete(slots, nearest))
    fits = claimed.kind[rest][:, None] == places.kind[None, :]
    taken = cheapest(np.where(fits, _apart(reachable.problem.movers.centres[rest], places.at), np.inf))
    if taken is None:
        return reachable.as_claimed(assignment, rest)
    for row, place in zip(rest.tolist(), taken.tolist(), strict=True):
        assignment = assignment.put(row, places, place, 0.0)
    return assignment


def pulled(reachable: ModelTurn, assignment: Assignment) -> Iterator[Assignment | None]:
    """Pull models along so that the unit is joined: a few by each tree of links that may do, more by the links that they have."""
    ties, trees = ties_of(reachable, assignment, held=(reachable.row,)), SpanningTrees(reachable)
    if not trees.can_be_asked:
        yield stretched(reachable, assignment, ties, furthest=True)
        return
    touched = {int(target) for target in reachable.problem.target_of[ties.touched[reachable.row]]}
    fitting = ((share, tree) for share, tree in joining(reachable, trees) if share[reachable.row].touched in touched)
    for share, tree in islice(fitting, PULLS):
        yield stretched(reachable, assignment, shared_ties(assignment, ties, share, tree), furthest=True)


def shared_ties(assignment: Assignment, ties: Ties, share: Sequence[Share], tree: Tree) -> Ties:
    """Give what holds a few models together that share the targets and are linked by a tree; the model touches what it touches."""
    problem, count = assignment.problem, len(share)
    touched, engaged, linked = np.zeros_like(ties.touched), np.zeros_like(ties.engaged), np.zeros((count, count), dtype=bool)
    apart = _apart(assignment.candidates.at, problem.foes.models.centres) - problem.foes.models.radii
    for row, part in enumerate(share):
        if part.touched is not None:
            touched[row] = ties.touched[row]
        for target in part.targets:
            if target != part.touched:
                engaged[row, int(np.argmin(np.where(problem.target_of == target, apart[row], np.inf)))] = True
    for one, other in tree:
        linked[one, other] = linked[other, one] = True
    return Ties(touched, engaged, linked)


def joining(reachable: ModelTurn, trees: SpanningTrees) -> Iterator[tuple[tuple[Share, ...], Tree]]:
    """Give the ways to share the targets, the model in contact with one, and the trees of links that are long enough for them."""
    for share in trees.shares(1):
        if share[reachable.row].touched is not None:
            needs = trees.needs(share)
            yield from ((share, tree) for tree, hops in trees.all if (needs <= hops * trees.link + CONTACT).all())


def can_be_joined(reachable: ModelTurn) -> bool:
    """Tell whether links might join the unit with the model in contact; if not, that is sure."""
    trees = SpanningTrees(reachable)
    return not trees.can_be_asked or next(joining(reachable, trees), None) is not None


def _apart(first: FloatArray, second: FloatArray) -> FloatArray:
    """Measure how far (n, m) places are from others, in inches."""
    aside = first[:, None, :] - second[None, :, :]
    return np.asarray(np.hypot(aside[..., 0], aside[..., 1]))

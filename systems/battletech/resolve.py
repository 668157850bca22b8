"""The charge phase: all charges are declared first, then each is resolved in file order, for odds on every table that
may result.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from systems.battletech.attempt import Attempt
from systems.battletech.course import after, course, resolve_declared
from systems.battletech.declare import declare_all, steps_of
from systems.battletech.explain import refused, ruled
from systems.battletech.odds import (
    Ends,
    added,
    asked_by,
    chances_of,
    ends_of,
    odds_of,
    seen_by,
    tally_of,
)
from systems.battletech.scene import CombatUnit, Declared, Table, combat_units
from systems.battletech.setup import stacks
from tabletop.budget import Budget, explains
from tabletop.errors import ScenarioError
from tabletop.ruling.charge import Outcome
from tabletop.ruling.odds import ChargeOdds, Ending
from tabletop.ruling.phase import BranchingPhase, ChargeTurn, JointState, Ways
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import DiceSource
from tabletop.table.state import Hex, HexUnit, State


@dataclass(frozen=True)
class Change:
    """What some endings of a charge leave: changed units, CF of building hexes, the outcome, and their probability.

    `seen` is the key of everything on which later charges depend.
    """

    units: tuple[CombatUnit, ...]
    cf: tuple[tuple[Hex, int], ...]
    seen: Hashable
    outcome: Outcome
    chance: Fraction


@dataclass(frozen=True, eq=False)
class ChargeEndings(Ways[Table]):
    """All endings of a charge on one table: its end states with probabilities, and the changes that they leave."""

    ends: Ends = ()
    changes: tuple[Change, ...] = ()


class Phase(BranchingPhase[Table, ChargeEndings]):
    """The charge phase of a case: all charges are declared before the first is resolved.

    Raises
    ------
    ScenarioError
        If units stand closer than the stacking chosen allows.
    """

    case: Case

    def __init__(self, case: Case, budget: Budget) -> None:
        crowded = (
            tuple(stacks(combat_units(case.state), most=1))
            if case.choices.stacking == "single"
            else ()
        )
        if crowded:
            raise ScenarioError(crowded)
        self.claims, table = declare_all(case)
        super().__init__(case, budget, table)

    def state_of(self, table: Table) -> State[HexUnit]:
        """Return the table as a state of the file's kind, with the units where they are now."""
        return table.state(self.case.state)

    def rule(
        self, turn: Sequence[int], table: Table, dice: DiceSource, earlier: Mapping[int, Ruling]
    ) -> tuple[Mapping[int, Ruling], Table]:
        """Resolve one charge; return its ruling by number, and the table afterwards.

        The ruling's steps begin with those of chargers to their last hexes that no earlier ruling has reported.
        """
        (number,) = turn
        claim = self.claims[number]
        asked = claim.declared
        if asked is None:
            return {number: _kept(refused(claim), Attempt(claim, table, None))}, table
        hand = dice.stream(number, claim.charge.dice)
        resolved = resolve_declared(asked, table, hand)
        hand.close()
        moved = {step.unit for step in resolved.steps} | {asked.charger}
        told = [one for one in earlier.values() if one.outcome != "not_allowed"]
        before = {one.charge.charger for one in told} | {
            step.unit for one in told for step in one.steps
        }
        ways = tuple(
            step
            for one in self.claims
            if one.charge.charger in moved - before
            for step in steps_of(one)
        )
        end = resolved.end
        last_met = end.strikes[-1].met if end.strikes else None
        chances = odds_of(asked, table, last_met=last_met)
        ruling = ruled(claim, resolved, chances, ways)
        return {number: _kept(ruling, Attempt(claim, table, end))}, after(end)

    def ways(self, number: int, table: Table) -> ChargeEndings:
        """Return all endings of a charge on a table; one refused ending if it may not be declared."""
        claim = self.claims[number]
        later = self._ahead(number + 1)
        if claim.declared is None:
            return ChargeEndings([Ending("not_allowed", claim.refusals[0].rule, Fraction(1))])
        ends = ends_of(
            course(claim.declared, table, keep=asked_by(later, table, running=claim.declared))
        )
        return ChargeEndings((), (), ends, _changes(table, ends, later))

    def left(
        self, number: int, ways: ChargeEndings, world: JointState[Table]
    ) -> Iterator[JointState[Table]]:
        """Yield the joint states after a charge: the tables with what its endings changed."""
        del number
        for refusal in ways.endings:
            yield world.left(refusal.outcome, refusal.chance, world.table, key=world.key)
        for change in ways.changes:
            table = replace(
                world.table,
                units={**world.table.units, **{unit.name: unit for unit in change.units}},
            )
            for place, cf in change.cf:
                table = table.with_cf(place, cf)
            yield world.left(change.outcome, change.chance, table, key=change.seen)

    def key(self, number: int, table: Table) -> Hashable:
        """Return as a key everything on a table that may affect charge `number` and all later ones."""
        return seen_by(self._ahead(number), table)

    def _ahead(self, number: int) -> list[Declared]:
        return [claim.declared for claim in self.claims[number:] if claim.declared is not None]

    def chances(self, number: int, turn: ChargeTurn[ChargeEndings]) -> ChargeOdds:
        """Return the chances of a charge over all tables, with metrics of expected damage."""
        if self.claims[number].declared is None:
            return super().chances(number, turn)
        tally = added(
            (name, chance * amount)
            for ways, chance in turn.on_tables
            for name, amount in tally_of(ways.ends).items()
        )
        found = chances_of(tally)
        return ChargeOdds(turn.charge, found.outcomes, found.rules, found.by_total, found.metrics)


def _kept(ruling: Ruling, attempt: Attempt) -> Ruling:
    """Return a ruling that keeps what it was made from, unless nothing is to be explained."""
    return replace(ruling, attempt=attempt) if explains() else ruling


def _changes(start: Table, ends: Ends, later: Sequence[Declared]) -> tuple[Change, ...]:
    """Return what the endings of a charge leave, merging those with equal outcome that later charges cannot
    distinguish.
    """
    found: dict[Hashable, Change] = {}
    for state, chance in ends:
        table = after(state)
        seen = seen_by(later, table)
        outcome: Outcome = "success" if state.is_success else "failed"
        before = found[outcome, seen].chance if (outcome, seen) in found else Fraction(0)
        units = tuple(unit for name, unit in table.units.items() if unit is not start.units[name])
        worn = tuple((place, table.at(place).cf) for place, _ in state.wear)
        found[outcome, seen] = Change(units, worn, seen, outcome, before + chance)
    return tuple(found.values())

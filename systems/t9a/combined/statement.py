"""The places of several chargers of one target, stated as a problem: whose turn comes when, and the way and the place of each.

Of each is asked what is asked of one alone, among the others as they stand at its turn; the goals are those of all together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from systems.t9a.aligned import Front, totals_of
from systems.t9a.combined.goals import MOST_COMPLETED, Totals, goals_of, values_of
from systems.t9a.conditions import LIMITS
from systems.t9a.failed_move import failed_move
from systems.t9a.scene import Scene
from systems.t9a.statement import WAY_LIMITS, PutDown, Way, flush_variables, placement_of, state_before, way_of
from tabletop.geometry.pose import FloatArray, Pose
from tabletop.optimise.problem import Problem, Statement, Variable
from tabletop.ruling.finding import Goal, Limit
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.facing import FacingName
from tabletop.table.state import State


@dataclass(frozen=True)
class Party:
    """The chargers of one target that move, in file order, with the facing that each charges, on the table before any of them moves.

    It holds what is resolved, not how: no part of the search.
    """

    case: Case
    state: State
    facings: Mapping[str, FacingName]
    target: str
    in_range: tuple[str, ...]

    def front(self, name: str, state: State) -> Front:
        """Put a charger against its Target Facing on a table as it is."""
        return Front(Scene(state, state.units[name], state.units[self.target], self.case.choices, self.case.book), self.facings[name])

    def order(self, keys: Mapping[str, float], count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the order of all moves by keys, and who completes: the first `count` in range; those in range that do not come last."""
        order = sorted(self.facings, key=keys.__getitem__)
        completing = [name for name in order if name in self.in_range][:count]
        last = [name for name in self.in_range if name not in completing]
        return (*(name for name in order if name not in last), *last), tuple(completing)

    def after_failing(self, name: str, state: State) -> State:
        """Return the table after a charger's failed charge move."""
        front = self.front(name, state)
        return state.with_unit(front.scene.charger.at(failed_move(front.scene, front.name).end))


@dataclass(frozen=True, eq=False)
class PutDownTogether:
    """Several chargers that are put down one after another: each is put down among the others as they stand at its turn."""

    party: Party
    order: tuple[str, ...]
    puts: tuple[PutDown, ...]

    @cached_property
    def totals(self) -> Totals:
        """The models in contact, of the target and of its chargers."""
        return totals_of([(put.way.front, put.slide) for put in self.puts])

    @property
    def poses(self) -> dict[str, Pose]:
        """Where those that complete stand, in the order of their moves."""
        return {put.way.scene.charger.name: put.placement.pose for put in self.puts}


def combined_problem(party: Party, count: int) -> Problem[PutDownTogether]:
    """State who of those in range completes, `count` in all, where each is put down flush, and in what order all move."""
    fronts = [party.front(name, party.state) for name in party.in_range]
    turns = [Variable(f"turn of {name}", 0.0, 1.0, "share") for name in party.facings]
    ways = [replace(one, name=f"{one.name} of {front.scene.charger.name}") for front in fronts for one in flush_variables(front)]

    def place(point: FloatArray) -> PutDownTogether:
        keys = dict(zip(party.facings, point.tolist(), strict=False))
        values = dict(zip(party.in_range, point[len(turns) :].reshape(len(fronts), -1).tolist(), strict=True))
        return _put_down(party, *party.order(keys, count), values)

    limits = [limit for number in range(count) for limit in _limits_of(number)]
    goals: tuple[Goal[Sequence[PutDownTogether]], ...] = tuple(goal.of(_totals) for goal in goals_of(party.case.choices))
    return Problem((*turns, *ways), place, tuple(limits), goals)


def _limits_of(number: int) -> tuple[Limit[PutDownTogether], ...]:
    """Give what is asked of the charger that is put down as the one of a number."""
    limits = (*(limit.of(way_of) for limit in WAY_LIMITS), *(limit.of(placement_of) for limit in LIMITS))
    return tuple(limit.of(partial(_put, number)) for limit in limits)


def _put(number: int, together: PutDownTogether) -> PutDown:
    return together.puts[number]


def _totals(places: Sequence[PutDownTogether]) -> list[Totals]:
    return [one.totals for one in places]


def _put_down(party: Party, order: tuple[str, ...], completing: Sequence[str], values: Mapping[str, Sequence[float]]) -> PutDownTogether:
    """Let all move in an order until the last that completes is put down; before it whoever falls short makes a failed charge move."""
    state, puts = party.state, list[PutDown]()
    for name in order:
        if len(puts) == len(completing):
            break
        if name not in completing:
            state = party.after_failing(name, state)
            continue
        front, (first, wheel, slide) = party.front(name, state), values[name]
        puts.append(PutDown(Way(front, first, wheel), slide))
        state = state.with_unit(front.scene.charger.at(puts[-1].placement.pose))
    return PutDownTogether(party, order, tuple(puts))


def combined_statement(case: Case, resolution: Resolution, ruling: Ruling) -> Statement[PutDownTogether] | None:
    """State the places of all chargers of a target together, of which a ruling tells one; None where each takes its own best in turn."""
    if case.choices.combined_lookahead == "one-by-one":
        return None
    target = ruling.charge.targets[0]
    moved = [one for one in resolution.turns if one.charge.targets[0] == target and one.outcome != "not_allowed"]
    in_file = [one for one in resolution.rulings if one in moved]
    facings: dict[str, FacingName] = {one.charge.charger: one.metrics["target_facing"] for one in in_file}
    in_range = tuple(one.charge.charger for one in in_file if one.rule != "t9a.range")
    party = Party(case, state_before(resolution, moved[0]), facings, target, in_range)
    completed = tuple(one.charge.charger for one in in_file if one.outcome == "success")
    totals = ruling.metrics["total_target_models_in_contact"], ruling.metrics["total_charger_models_in_contact"]
    answer, is_proved = values_of(totals, case.choices), ruling.proof != "best_found"
    more = {MOST_COMPLETED: combined_problem(party, len(completed) + 1)} if is_proved and len(completed) < len(in_range) else {}
    return Statement(
        combined_problem(party, len(completed)), answer, len(answer) if is_proved else 0, lambda together: together.poses, more,
        together=completed, resolved=lambda together: _resolved_as(resolution, ruling, together),
    )  # fmt: skip


def _resolved_as(resolution: Resolution, best: Ruling, together: PutDownTogether) -> Resolution:
    """Give what is resolved as if the chargers had moved in another order and others of them had completed, for as great totals."""
    rulings = {one.charge.charger: one for one in resolution.rulings if one.charge.charger in together.order}
    totals = {key: value for key, value in best.metrics.items() if key.startswith("total_")}
    poses, after = together.poses, together.party.state
    for name in together.order:
        after = after.with_unit(after.units[name].at(poses[name])) if name in poses else together.party.after_failing(name, after)
        is_new = name in poses and rulings[name].outcome != "success"
        if is_new:
            rulings[name] = replace(rulings[name], outcome="success", rule=None, metrics={**rulings[name].metrics, **totals})
        elif name not in poses and rulings[name].outcome == "success":
            rulings[name] = replace(rulings[name], outcome="failed", rule="t9a.combined.room")
    numbers = {one.charge.charger: number for number, one in enumerate(resolution.rulings) if one.outcome != "not_allowed"}
    turns = resolution.order or tuple(range(len(resolution.rulings)))
    queue = iter(together.order)
    order = tuple(numbers[next(queue)] if resolution.rulings[number].charge.charger in together.order else number for number in turns)
    units = {**resolution.after.units, **{name: after.units[name] for name in together.order}}
    return replace(
        resolution, rulings=tuple(rulings.get(one.charge.charger, one) for one in resolution.rulings), order=order,
        after=replace(resolution.after, units=units),
    )  # fmt: skip

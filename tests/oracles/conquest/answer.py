"""The whole charge by brute force: declared, rolled, chosen among thousands of wheels, and what follows."""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracles.conquest.bodies import Frames, Obstacle, frames_of
from tests.oracles.conquest.choosing import ROUNDING, SAME_LENGTH, STEP, Choice, choose, samples
from tests.oracles.conquest.failing import (
    Stop,
    distance,
    failed_move,
    in_contact,
    is_march_free,
    mired,
    move_legs,
)
from tests.oracles.conquest.reach import Reached
from tests.oracles.conquest.seeing import sees
from tests.oracles.conquest.table import Table, TargetSide
from tests.oracles.conquest.trial import Trials, Trier

PATH_RULES = {
    "enemy": "conquest.path.enemy",
    "garrison": "conquest.path.garrison",
    "impassable": "conquest.path.impassable",
    "friend": "conquest.path.friend",
    "board": "conquest.path.board",
}
TOGETHER = 1e-5
"""Radians or inches within which two obstacles count as broken first together."""


@dataclass(frozen=True)
class Answer:
    """What the brute force says: the outcome, the rules that may be named, where units end (left front corner and
    heading).
    """

    outcome: str
    rules: tuple[str, ...] = ()
    goal: TargetSide | None = None
    choice: Choice | None = None
    ends: tuple[tuple[str, Frames], ...] = ()
    stop: Stop | None = None


def answer(table: Table, *, step: float = STEP) -> Answer:
    """Settle a charge with wheels every `step` radians."""
    refused = tuple(refusals(table))
    if refused:
        return Answer("not_allowed", refused[:1])
    goal = charged(table)
    if table.distance_limit < distance(table) - table.touch:
        return _failed(table, ("conquest.range",), goal)
    if goal is None:
        return _failed(table, ("conquest.facing.reach",), goal)
    trier = Trier(table, goal)
    choice = choose(trier, step=step)
    if choice is None:
        return _failed(table, free_wheel_rules(trier), goal)
    return _done(table, goal, choice)


def refusals(table: Table) -> Iterator[str]:
    """Name the rules that forbid the declaration, in their order."""
    status = table.charger.status
    if "done" in status or ("broken" in status and table.choices.broken == "barred"):
        yield "conquest.declare.actions"
    if "reinforcement" in status:
        yield "conquest.declare.reinforcement"
    if in_contact(table):
        yield "conquest.declare.not-in-contact"
    if not sees(table):
        yield "conquest.declare.line-of-sight"
    if not is_march_free(table):
        yield "conquest.through.march"


def charged(table: Table) -> TargetSide | None:
    """Return the charged side: the first, by area, that some wheel reaches."""
    tried = (
        table.sides_by_area
        if table.choices.facing_out_of_reach == "next"
        else table.sides_by_area[:1]
    )
    return next(
        (side for side in tried if Reached(table.alone(), side, samples()).is_on_side.any()), None
    )


def free_wheel_rules(trier: Trier) -> tuple[str, ...]:
    """Name the rules that the free wheel may be said to break first: the least of those as good within the tolerance,
    or the very best.
    """
    found = [
        choose(Trier(trier.table.alone(), trier.goal), same=same)
        for same in (SAME_LENGTH, ROUNDING)
    ]
    return tuple(dict.fromkeys(rule for free in found for rule in _broken_by(trier, free)))


def _broken_by(trier: Trier, free: Choice | None) -> tuple[str, ...]:
    if free is None:
        return ("conquest.path.target",)
    trials = trier.tried(free.trials.reached.wheels)
    kind = str(trials.kinds[0])
    if kind == "blocked":
        return _blocking(trier, trials)
    named = {"too-far": "conquest.move.charge-distance", "misses": "conquest.facing.reach"}
    return (named.get(kind) or trials.stuck_rule,)


def _blocking(trier: Trier, trials: Trials) -> tuple[str, ...]:
    breaches = [
        item
        for item in trials.first_breaches(0)
        if item[0] == 0 or not _is_offending(trials, item[2])
    ]
    stage, first, _ = breaches[0]
    return tuple(
        _path_rule(trier, item)
        for at, when, item in breaches
        if at == stage and when <= first + TOGETHER
    )


def _is_offending(trials: Trials, obstacle: Obstacle) -> bool:
    """Return whether an enemy is met together with the target, and so blocks nothing."""
    named = [enemy.name for enemy in trials.trier.enemies]
    if obstacle.name not in named:
        return False
    before = trials.reached.frames.strips(trials.before)
    return bool(obstacle.gaps(before)[0] >= obstacle.needed - trials.table.touch)


def _path_rule(trier: Trier, obstacle: Obstacle) -> str:
    return "conquest.path.target" if obstacle is trier.table.goal else PATH_RULES[obstacle.role]


def _failed(table: Table, rules: tuple[str, ...], goal: TargetSide | None) -> Answer:
    stop = failed_move(table)
    return Answer("failed", rules, goal, None, ((table.charger.name, stop.end),), stop)


def _done(table: Table, goal: TargetSide, choice: Choice) -> Answer:
    trials = choice.trials
    reached = trials.reached
    name = table.charger.name
    if choice.kind == "mired":
        stop = mired(table, move_legs(table, choice.side, choice.angle, float(reached.advance[0])))
        assert stop is not None
        return Answer(
            "failed", ("conquest.through.clear",), goal, choice, ((name, stop.end),), stop
        )
    if choice.kind == "turned":
        target = frames_of(table.state.units[table.charge.targets[0]]).turned(
            reached.point, -reached.turn
        )
        return Answer(
            "success",
            (),
            goal,
            choice,
            ((name, reached.arrived), (table.charge.targets[0], target)),
        )
    end = reached.arrived if choice.kind == "touch" else trials.ends
    pushed = trials.pushes.moves if choice.kind == "push" else {}
    moved = [
        (other, frames_of(table.state.units[other]).shifted(move))
        for other, move in pushed.items()
        if trials.offends[other][0]
    ]
    return Answer("success", (), goal, choice, ((name, end), *moved))

"""The free wheel of a charge as an optimisation problem in one variable, the signed angle of the wheel."""

import math
from collections.abc import Iterator, Sequence

from systems.conquest.attempt import Attempt, WheelOutcome
from systems.conquest.conditions import PATH_RULES, broken_path
from systems.conquest.search import POLICIES, SampledWheels, WheelSearch
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Pose
from tabletop.messages import say
from tabletop.optimise.problem import Problem, SolvedProblem, Variable
from tabletop.ruling.finding import Finding, Goal, Limit, of_each
from tabletop.ruling.verdict import Ruling
from tabletop.units import CONTACT

SENSES = {"left": 1.0, "right": -1.0}
"""The sign of a wheel about each front corner."""

JUST_BROKEN = 2.0 * CONTACT
"""Least violation, in inches, reported for a blocked way, so that rounding cannot make it feasible."""


def _blocked(rule: str) -> Limit[WheelOutcome]:
    """Return the limit that nothing to which a rule applies is in the way of a wheel."""

    def measure(trial: WheelOutcome) -> Finding:
        """Return the finding whether a hazard of the rule is in the way, with the gap lacking in inches."""
        if trial.kind != "blocked" or trial.stopped_by is None or trial.rule != rule:
            return Finding(rule, ok=True, text=say("Nothing of this kind is in the way."))
        found = broken_path(trial, trial.stopped_by)
        return Finding(
            rule, ok=False, text=found.text, margin=min(found.margin or 0.0, -JUST_BROKEN)
        )

    return Limit(rule, measure)


def _reach(trial: WheelOutcome) -> Finding:
    """Return the finding whether the wheel brings stands of the charger to the charged side."""
    is_met = trial.kind != "misses"
    return Finding(
        "conquest.facing.reach",
        is_met,
        say(
            "The wheel brings {stands} stands of the charger to the side charged.",
            stands=trial.stands,
        ),
    )


def _distance(trial: WheelOutcome) -> Finding:
    """Return the finding whether the straight move is at most as long as allowed, in inches."""
    rule = "conquest.move.charge-distance"
    way = trial.way
    if trial.kind != "too-far":
        return Finding(rule, ok=True, text=say("The straight move is within the Charge Distance."))
    text = say("The straight move is {way:.4f} in long.", way=way)
    return Finding(
        rule, ok=False, text=text, measured=way, limit=trial.most, margin=trial.most - way
    )


def _completes(trial: WheelOutcome) -> Finding:
    """Return the finding whether the charge ends flush or touching."""
    is_flush = trial.kind not in ("stuck", "mired")
    text = (
        say("The charger ends mired.")
        if trial.kind == "mired"
        else say("The charger has no room to turn flush.")
    )
    return Finding(
        "conquest.align.flush",
        is_flush,
        say("The charger ends flush or touching.") if is_flush else text,
    )


WHEEL_LIMITS: tuple[Limit[WheelOutcome], ...] = (
    Limit("conquest.facing.reach", _reach),
    *(_blocked(rule) for rule in (*PATH_RULES, "conquest.path.target")),
    Limit("conquest.move.charge-distance", _distance),
    Limit("conquest.align.flush", _completes),
)


def goals_of(search: WheelSearch) -> tuple[Goal[Sequence[WheelOutcome]], ...]:
    """Return the goals of a wheel, highest priority first: no push, most stands, no turn of the target, and the
    policy.
    """
    field, sign, _ = POLICIES[search.scene.choices.wheel_policy][0]
    unit = "in" if field == "length" else "rad"

    def rank(trial: WheelOutcome, part: int) -> float:
        """Return one part of the sort key of a wheel's worth, inf if it has none."""
        return math.inf if trial.worth is None else float(search.rank(trial.worth)[part])

    return (
        Goal("conquest.push", "pushes", of_each(lambda trial: -rank(trial, 0)), is_least=True),
        Goal("conquest.wheel.most-stands", "front stands", of_each(lambda trial: trial.stands)),
        Goal(
            "conquest.align.target-wheels",
            "turns of the target",
            of_each(lambda trial: -rank(trial, 2)),
            is_least=True,
        ),
        Goal(
            "conquest.wheel.policy",
            unit,
            of_each(lambda trial: -sign * getattr(trial, field)),
            is_counted=False,
            is_least=sign > 0.0,
        ),
    )


def wheel_problem(tried: SampledWheels, search: WheelSearch) -> Problem[WheelOutcome]:
    """Return the problem of choosing a free wheel: one variable, in radians, positive for wheels about the left front
    corner.
    """

    def place(point: FloatArray) -> WheelOutcome:
        """Return the outcome of the wheel whose signed angle, in radians, is the first coordinate of a point."""
        angle = float(point[0])
        return WheelOutcome(
            tried.corner("left" if angle >= 0.0 else "right"), abs(angle), search.most
        )

    limit = tried.scene.book.wheel_limit
    wheel = Variable("wheel", -limit, limit, "rad", marks=tuple(_marks(tried)))
    return Problem((wheel,), place, WHEEL_LIMITS, goals_of(search))


def _marks(tried: SampledWheels) -> Iterator[float]:
    """Yield the signed angles, in radians, at which the worth of a wheel may jump.

    They are 0, front parallel to the facing, and changes of the number of stands that reach it.
    """
    yield 0.0
    for corner in tried.corners:
        yield from (
            SENSES[corner.side] * angle for angle in (abs(corner.lean), *corner.count_changes)
        )


def statement_of(ruling: Ruling) -> SolvedProblem[WheelOutcome] | None:
    """Return the wheel problem behind a ruling with its solution, on the table at its turn; None if no wheel was
    chosen.
    """
    attempt: Attempt = ruling.attempt
    result = attempt.result
    if result is None or result.search.choice is None:
        return None
    problem = wheel_problem(result.tried, result.search)
    answer = problem.values(result.chosen(result.search.choice))
    return SolvedProblem(problem, answer, len(problem.goals), _units)


def _units(trial: WheelOutcome) -> dict[str, Pose]:
    """Return the poses, by name, of all units that a charge with this wheel moves."""
    target = trial.scene.target
    turned = (
        {target.name: trial.target_end}
        if trial.kind == "turned" and trial.target_end is not None
        else {}
    )
    return {trial.scene.charger.name: trial.end, **turned, **trial.pushed}

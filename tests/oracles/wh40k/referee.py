"""Holds what is resolved against a second measurement, and the judge against plans that were spoilt on purpose."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from tabletop.api import judge, resolve
from tabletop.errors import NoVerdictError
from tabletop.ruling.charge import Spot
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Ruling
from tests.oracles.wh40k import ways
from tests.oracles.wh40k.around import least_moved
from tests.oracles.wh40k.limits import contacts, engaged, margins
from tests.oracles.wh40k.plans import Planned, lost_before, planned
from tests.oracles.wh40k.relaxed import Goal, Plan, Search, is_searched
from tests.oracles.wh40k.search import MOST, better_plan
from tests.oracles.wh40k.spoiling import Spoilt, spoilt_plans
from tests.oracles.wh40k.table import table_of, within

ROUNDING = 2e-6
"""Inches of rounding that an answer may have: a limit kept to the tolerance of the rules page may come out at the
tolerance."""
TOLD = ("models_in_base_contact", "models_engaged", "needed_distance", "needed_distance_range")
"""What of a ruling is told where a better plan is found."""
SHORTER = 0.01
"""Inches by which a plan must be shorter than what is told to be needed."""
FAR = 12.0
"""Inches at which a plan is looked for where none is needed, since nothing is told to be enough."""
LEAST_ROLL = 2
"""What two dice show at least: no roll is too short for a plan that needs less."""


@dataclass(frozen=True)
class Report:
    """What came of a scene in a word, what the second measurement has against it, and how many spoilt plans were
    judged.
    """

    outcome: str
    complaints: tuple[str, ...]
    spoilt: int = 0


def referee(case: Case) -> Report:
    """Resolve a case of one charge, measure its plan, look for a better one, and judge that plan and what is made of
    it.
    """
    try:
        resolution = resolve(case)
    except NoVerdictError:
        return Report("no verdict", ())
    ruling = resolution.rulings[0]
    wrong = [
        *_thresholds(ruling),
        *_with_more(case, ruling),
        *_searched(case, ruling),
        *bettered(case, ruling),
    ]
    if ruling.outcome != "success":
        return Report(ruling.rule or ruling.outcome, tuple(wrong))
    plan = planned(case, resolution)
    wrong += [*plan_complaints(plan), *_miscounted(plan), *refused(plan)]
    spoilt = list(spoilt_plans(plan))
    return Report("success", (*wrong, *_misjudged(plan, spoilt)), len(spoilt))


def plans_only(case: Case) -> Report:
    """Resolve a case of one charge, measure its plan, and have it judged: the quick part of the whole."""
    try:
        resolution = resolve(case)
    except NoVerdictError:
        return Report("no verdict", ())
    ruling = resolution.rulings[0]
    if ruling.outcome != "success":
        return Report(ruling.rule or ruling.outcome, tuple(_thresholds(ruling)))
    plan = planned(case, resolution)
    return Report(
        "success",
        (*_thresholds(ruling), *plan_complaints(plan), *_miscounted(plan), *refused(plan)),
    )


def refused(plan: Planned) -> Iterator[str]:
    """Have the plan judged; of one that is not proved to be the best the judge may know no more."""
    try:
        verdict = judge(replace(plan.case, proposal={"A": plan.place}), plan.resolution)
    except NoVerdictError:
        if plan.resolution.rulings[0].proof != "best_found":
            yield "no verdict of the judge on a plan that is proved"
        return
    if verdict.outcome not in ("success", "legal"):
        yield f"the judge refuses the plan: {verdict.rule}"


def _searched(case: Case, ruling: Ruling) -> Iterator[str]:
    """Look for a plan where there should be none: at this roll if it fails, else with more contacts, and where the roll
    is too short.
    """
    if ruling.outcome == "not_allowed" or len(case.state.units["A"].models) > MOST:
        return
    is_retest = ruling.outcome == "success" or ruling.rule == "wh40k.overwatch.retest"
    table = table_of(
        case, float(ruling.metrics["charge_distance"]), lost=lost_before(case) if is_retest else ()
    )
    most = int(ruling.metrics["most_in_base_contact"]) if ruling.outcome == "success" else -1
    found = better_plan(table, most=most)
    if found is not None:
        yield (
            f"{ruling.rule or f'at most {most} in contact'}, but {found[1]} in contact at "
            f"{found[0].centres.round(4).tolist()}"
        )
    needed = int(ruling.metrics.get("needed", LEAST_ROLL))
    short = within(table_of(case, table.distance), min(needed - 1.0, 1.5 * table.distance))
    if ruling.outcome == "success" and needed > LEAST_ROLL and better_plan(short) is not None:
        yield f"needed {needed}, but {short.distance} is enough"


def bettered(case: Case, ruling: Ruling) -> Iterator[str]:
    """Look by relaxation for a plan that moves less far than is needed, has more models in contact, or as many and more
    engaged.
    """
    table = table_of(case, float(ruling.metrics.get("charge_distance", 0.0)))
    if ruling.outcome == "not_allowed" or not is_searched(table):
        return
    told = ", ".join(f"{name} {ruling.metrics[name]}" for name in TOLD if name in ruling.metrics)
    told = f"{ruling.rule or ruling.outcome} at {table.distance:g} ({ruling.proof}; {told})"
    least = ruling.metrics.get(
        "needed_distance", ruling.metrics.get("needed_distance_range", [FAR + SHORTER])[0]
    )
    found = Search.of(within(table, least - SHORTER)).plan(least - SHORTER, Goal())
    if found is not None:
        yield f"{told}, but enough is {found}"
    if ruling.outcome == "success":
        more = _served_better(
            case, ruling, Search.of(table_of(case, table.distance, lost=lost_before(case)))
        )
        yield from [] if more is None else [f"{told}, but there is {more}"]


def _served_better(case: Case, ruling: Ruling, search: Search) -> Plan | None:
    """Look for a plan that serves the goals better, the most contacts first."""
    contacts = int(ruling.metrics["models_in_base_contact"])
    count = len(search.own)
    goals = [Goal(more, more) for more in range(count, contacts, -1)]
    if case.choices.spare_models == "engage":
        goals += [
            Goal(contacts, more) for more in range(count, int(ruling.metrics["models_engaged"]), -1)
        ]
    plans = (search.plan(search.distance, goal) for goal in goals)
    return next((plan for plan in plans if plan is not None), None)


def _thresholds(ruling: Ruling) -> Iterator[str]:
    """Hold the outcome against the smallest total that does, before and after losses, where it is proved which that
    is.
    """
    if ruling.outcome == "success" and ruling.shortest_roll is None:
        return
    distance = ruling.metrics.get("charge_distance")
    needed = float(ruling.metrics.get("needed", math.inf))
    if ruling.charge.declarations.overwatch.before:
        needed = max(needed, float(ruling.metrics.get("needed_after_overwatch", math.inf)))
    if distance is not None and (distance >= needed) != (ruling.outcome == "success"):
        yield f"{ruling.outcome} at {distance}, but needed {needed}"


def _with_more(case: Case, ruling: Ruling) -> Iterator[str]:
    """Roll one more: a charge that succeeds still does, with no fewer models in contact where both numbers are
    proven.
    """
    dice = case.charges[0].dice or ()
    total = sum(dice) + 1
    if ruling.outcome == "not_allowed":
        return
    try:
        more = resolve(case, dice=[min(6, total - 1), total - min(6, total - 1)]).rulings[0]
    except NoVerdictError:
        if ruling.outcome == "success":
            yield "success, but with one more no verdict"
        return
    if ruling.outcome == "success" and more.outcome != "success":
        yield f"success, but with one more {more.outcome} by {more.rule}"
    elif ruling.outcome == "success" and "most_in_base_contact_at_most" not in more.metrics:
        first, second = (one.metrics["models_in_base_contact"] for one in (ruling, more))
        if second < first:
            yield f"{first} models in contact, with one more {second}"


def plan_complaints(plan: Planned) -> Iterator[str]:
    """Hold the ends against every limit, and each way against all that hinders it."""
    found = margins(plan.table, plan.ends)
    yield from (
        f"{name} is broken by {-margin:.7f}" for name, margin in found.items() if margin < -ROUNDING
    )
    if found["apart"] < ROUNDING / 2:
        yield f"only {found['apart']:.7f} out of the range of no target"
    least = least_moved(plan.table, plan.ends)
    rows = {number: row for row, number in enumerate(sorted(plan.place.order or ()))}
    for step in plan.moves:
        row = rows[step.model or 0]
        length = step.length or 0.0
        if not least[row] - ROUNDING <= length <= plan.table.distance + ROUNDING:
            yield f"model {step.model} moves {length:.6f}: at least {least[row]:.6f}, allowed {plan.table.distance}"
        yield from (f"model {step.model}: {text}" for text in _of_way(plan, row, step.path, length))


def _of_way(plan: Planned, row: int, path: tuple[Spot, ...], length: float) -> Iterator[str]:
    ends = [
        np.array([*one.centres[row], one.heights[row]]) for one in (plan.table.charger, plan.ends)
    ]
    if any(
        np.abs(end - spot).max() > ROUNDING
        for end, spot in zip(ends, (path[0], path[-1]), strict=True)
    ):
        yield "its way begins or ends elsewhere"
    yield from ways.complaints(plan.table, row, path, length, facing=float(plan.ends.headings[row]))


def _miscounted(plan: Planned) -> Iterator[str]:
    metrics = plan.ruling.metrics
    touching = contacts(plan.table, plan.ends, slack=ROUNDING)
    numbers = sorted(plan.place.order or ())
    told = sorted(step.model or 0 for step in plan.moves if "wh40k.move.contact" in step.rules)
    if (
        told != [numbers[row] for row in touching]
        or len(touching) != metrics["models_in_base_contact"]
    ):
        yield f"models {touching} in contact, told {told} and {metrics['models_in_base_contact']}"
    if engaged(plan.table, plan.ends) != metrics["models_engaged"]:
        yield f"{engaged(plan.table, plan.ends)} models engaged, told {metrics['models_engaged']}"


def _misjudged(plan: Planned, spoilt: list[Spoilt]) -> Iterator[str]:
    for one in spoilt:
        try:
            verdict = judge(replace(plan.case, proposal={"A": one.place}), plan.resolution)
        except NoVerdictError:
            if (
                one.broken not in (None, "contact")
                or plan.resolution.rulings[0].proof != "best_found"
            ):
                yield f"no verdict of the judge on {one.broken or 'a harmless change'} of a plan"
            continue
        if (verdict.outcome == "success") != (one.broken is None):
            where = [(round(pose.x, 4), round(pose.y, 4)) for pose in one.place.poses]
            yield f"the judge says {verdict.outcome} ({verdict.rule}) of {one.broken or 'a harmless change'}: {where}"

"""Compares a resolved combined charge with the brute force and says what is wrong, if anything."""

import math
from collections.abc import Iterator

import numpy as np

from tabletop.errors import NoVerdictError
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.state import State
from tests.oracles.combined import Group, beating, first_seen
from tests.oracles.confirm import confirm
from tests.oracles.failed import failed_move
from tests.oracles.plane import TOUCH, line, shown
from tests.oracles.referee import NEAR, Report, readings_of
from tests.scenes import resolve


def referee_combined(case: Case) -> Report:
    """Resolve a case whose charges all have one target and check every ruling, the totals, and that nothing better is
    found.
    """
    try:
        resolution = resolve(case)
    except NoVerdictError:
        return Report("no verdict", ())
    standing = [ruling for ruling in resolution.rulings if ruling.outcome != "not_allowed"]
    if len(standing) <= 1:
        return Report("not two declared", ())
    facings = {ruling.charge.charger: ruling.metrics["target_facing"] for ruling in standing}
    reaching = tuple(ruling.charge.charger for ruling in standing if ruling.rule != "t9a.range")
    group = Group(case, readings_of(case), facings, reaching)
    completed = [ruling for ruling in standing if ruling.outcome == "success"]
    outcome = f"{len(completed)} of {len(reaching)} in range of {len(standing)}"
    return Report(
        outcome,
        (
            *_turns(group, resolution),
            *_totals(group, resolution, completed),
            *_beaten(group, completed),
        ),
    )


def _turns(group: Group, resolution: Resolution) -> Iterator[str]:
    """Follow the moves in their order, each among the others as they then stand."""
    state = resolution.before
    for ruling in (turn for turn in resolution.turns if turn.charge.charger in group.names):
        name = ruling.charge.charger
        scene = group.scene(name, state)
        if (float(ruling.metrics["charge_range"]) >= float(ruling.metrics["distance"]) - TOUCH) is (
            ruling.rule == "t9a.range"
        ):
            yield (
                f"{name}: {ruling.rule} with a range of {ruling.metrics['charge_range']} over "
                f"{ruling.metrics['distance']}"
            )
        if ruling.outcome == "success":
            yield from (
                f"{name}: {complaint}" for complaint in confirm(scene, ruling, resolution.after)
            )
        else:
            yield from _failing(group, ruling, resolution, state)
        state = state.with_unit(state.units[name].at(resolution.after.units[name].pose))


def _failing(group: Group, ruling: Ruling, resolution: Resolution, state: State) -> Iterator[str]:
    name = ruling.charge.charger
    expected = failed_move(group.scene(name, state), group.facings[name])
    pose = resolution.after.units[name].pose
    if (
        max(
            math.dist(pose.at, expected.pose.at),
            abs(math.remainder(pose.heading - expected.pose.heading, math.tau)),
        )
        > NEAR
    ):
        yield f"{name}: failed charge ends at {pose}, in small steps at {expected.pose}"
    later = resolution.turns[resolution.turns.index(ruling) :]
    if ruling.rule == "t9a.combined.room" and any(other.rule != ruling.rule for other in later):
        yield f"{name}: has no room and does not move last"


def _totals(group: Group, resolution: Resolution, completed: list[Ruling]) -> Iterator[str]:
    """Recount the models of the target in contact with any charger, and those of the chargers."""
    met: set[tuple[int, int]] = set()
    for ruling in completed:
        unit = resolution.after.units[ruling.charge.charger]
        facing = group.facings[ruling.charge.charger]
        u0 = float(line(group.target, facing).coordinates(np.array(unit.front_right))[0])
        files = [u0 + file * (unit.base.width + unit.spacing) for file in range(unit.files)]
        for (low, high, _), model in zip(
            shown(group.target, facing), first_seen(group.target, facing), strict=True
        ):
            if any(
                left <= high + TOUCH and left + unit.base.width >= low - TOUCH for left in files
            ):
                met.add(model)
    counted = (
        len(met),
        sum(int(ruling.metrics["charger_models_in_contact"]) for ruling in completed),
    )
    for ruling in completed:
        said = (
            ruling.metrics["total_target_models_in_contact"],
            ruling.metrics["total_charger_models_in_contact"],
        )
        if said != counted:
            yield f"{ruling.charge.charger}: totals {said}, counted {counted}"


def _beaten(group: Group, completed: list[Ruling]) -> Iterator[str]:
    totals = (-1, -1)
    if completed:
        metrics = completed[0].metrics
        totals = (
            int(metrics["total_target_models_in_contact"]),
            int(metrics["total_charger_models_in_contact"]),
        )
    length = sum(float(ruling.metrics["contact_length"]) for ruling in completed)
    for plan, order in beating(group, max(len(completed), 1), totals, length):
        said = f"solver {len(completed)} {totals} {length:.4f}"
        yield (
            f"{said}, brute force {len(plan.slides)} {plan.totals} {plan.length:.4f}: {dict(plan.slides)} in "
            f"the order {order}"
        )

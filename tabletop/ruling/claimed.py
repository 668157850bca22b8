"""Charges as a proposal claims them: resolved charges with the claimed moves, evidence and ends instead.

Lengths are in inches.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step, is_moving
from tabletop.ruling.evidence import Stage
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.models import Formation, Squad
from tabletop.table.state import Regiment, State
from tabletop.units import wrapped

PUT_DOWN = "placed"
"""Kind of the step to a claimed position when its path is unknown."""

AS_RESOLVED = 2e-3
"""Distance in inches within which a claimed position equals the resolved one."""


def as_claimed(
    resolution: Resolution, proposal: Mapping[str, Any], judgement: Judgement
) -> Resolution:
    """Return the resolution as a proposal claims it: units at its positions, or at the exact ones meant if it is
    measured.

    A unit claimed to end at its resolved position gets there by its resolved moves. For others the judgement may know
    the moves; if not, they are placed without a path. The resolved initial contact is left out if the move to it is not
    claimed.
    """
    places = judgement.meant if judgement.moved else proposal
    after = with_units_at(resolution, places)
    elsewhere = {
        name for name, place in places.items() if not _is_as_resolved(resolution, name, place)
    }
    told = [
        _told(ruling, resolution.before, after, judgement, elsewhere)
        for ruling in resolution.rulings
    ]
    known = {step.unit for ruling in told for step in ruling.steps if is_moving(step)}
    rest = [
        step
        for name in sorted(elsewhere - known)
        for step in _put_down(resolution.before.units[name], after.units[name], judgement)
    ]
    if told and rest:
        last = resolution.order[-1] if resolution.order else len(told) - 1
        told[last] = replace(told[last], steps=(*told[last].steps, *rest))
    return replace(resolution, rulings=tuple(told), after=after)


def _told(
    ruling: Ruling, before: State[Any], after: State[Any], judgement: Judgement, elsewhere: set[str]
) -> Ruling:
    """Return a ruling with the claim's moves and evidence; marks of goals are dropped where the claim does not reach
    them.
    """
    steps: list[Step] = []
    done: set[str] = set()
    for step in ruling.steps:
        name = step.unit or ""
        if is_moving(step) and (name in judgement.steps or name in elsewhere):
            steps += (
                ()
                if name in done
                else judgement.steps.get(name)
                or _put_down(before.units[name], after.units[name], judgement)
            )
            done.add(name)
        elif (
            is_moving(step)
            or judgement.outcome != "not_allowed"
            or ruling.charge.charger not in done
        ):
            steps.append(step)
    if ruling.outcome != "success":
        return replace(ruling, steps=tuple(steps))
    evidence = ruling.evidence
    name = ruling.charge.charger
    claimed = judgement.evidence.get(name)
    is_turned = not elsewhere.isdisjoint(ruling.charge.targets)
    stages: tuple[Stage, ...] = ("before", "after")
    if claimed is not None:
        evidence = replace(evidence, models_in_contact=claimed.models_in_contact)
    if judgement.outcome == "not_allowed":  # the error decides
        stages = ()
    elif is_turned or name in elsewhere:  # the goals met no longer hold
        stages = ("before",)
    findings = tuple(
        one if one.mark is None or one.mark.stage in stages else replace(one, mark=None)
        for one in ruling.findings
    )
    if judgement.is_right and name in elsewhere:  # what the claim keeps has its own marks
        own = {
            one.rule: one
            for one in judgement.findings
            if one.mark is not None and one.mark.is_for_point
        }
        findings = tuple(own.get(one.rule, one) for one in findings)
    if name in elsewhere:
        ahead = tuple(one for one in evidence.dimensions if one.stage == "before")
        links = () if claimed is None else claimed.links
        evidence = replace(evidence, contacts=(), links=links, dimensions=ahead)
    return replace(
        ruling,
        findings=findings,
        steps=tuple(steps),
        evidence=replace(evidence, facing_after=None) if is_turned else evidence,
    )


def _put_down(unit: Any, then: Any, judgement: Judgement) -> list[Step]:
    """Return the steps that place a unit at its claimed end without a path; loose models get a step each."""
    if not isinstance(unit, Squad):
        broken = judgement.broken
        is_wrong = (
            broken is not None
            and broken.mark is not None
            and broken.mark.models.get(unit.name) == ()
        )
        return [
            Step(
                PUT_DOWN,
                unit.name,
                unit.pose,
                then.pose,
                text=broken.text if broken is not None and is_wrong else "",
            )
        ]
    starts = {model.number: model for model in unit.models}
    moved = [
        (starts[model.number], model)
        for model in then.models
        if not model.stands_like(starts[model.number])
    ]
    return [
        Step(
            PUT_DOWN,
            unit.name,
            start.pose,
            end.pose,
            model=end.number,
            path=((*start.pose.at, start.z), (*end.pose.at, end.z)),
        )
        for start, end in moved
    ]


def with_units_at(resolution: Resolution, places: Mapping[str, Any]) -> State[Any]:
    """Return the final table with the units in `places`, by name, at the places given."""
    state = resolution.after
    for name, place in places.items():
        state = state.with_unit(_mover(resolution, name, place).at(place))
    return state


def _mover(resolution: Resolution, name: str, place: Any) -> Any:
    """Return a unit with as many models as a place has poses: those that moved, those left at the end, or all."""
    unit = resolution.before.units[name]
    if not isinstance(unit, Squad):
        return resolution.after.units[name]
    steps = (step for ruling in resolution.rulings for step in ruling.steps if step.unit == name)
    moved = {step.model for step in steps if step.model is not None}
    stayed = unit.without({model.number for model in unit.models} - moved)
    known = [stayed, resolution.after.units.get(name, stayed), unit]
    return next((one for one in known if len(one.models) == len(place.poses)), unit)


def _is_as_resolved(resolution: Resolution, name: str, place: Any) -> bool:
    """Return whether a claimed place equals the resolved one of a unit, within `AS_RESOLVED` inches."""
    unit = resolution.after.units.get(name)
    if unit is None:
        return False
    if isinstance(place, Formation):
        known = unit.place
        pairs = zip(place.poses, place.heights, known.poses, known.heights, strict=False)
        is_near = all(
            _is_near(pose, right) and abs(z - top) <= AS_RESOLVED for pose, z, right, top in pairs
        )
        return len(place.poses) == len(known.poses) and is_near
    reach = math.hypot(unit.width, unit.depth) if isinstance(unit, Regiment) else 1.0
    return _is_near(place, unit.pose, reach)


def _is_near(pose: Pose, other: Pose, reach: float = 1.0) -> bool:
    return (
        math.dist(pose.at, other.at) + reach * abs(wrapped(pose.heading - other.heading))
        <= AS_RESOLVED
    )


def shown_resolution(case: Case, resolution: Resolution, judgement: Judgement | None) -> Resolution:
    """Return the resolution that a figure shows: for a judged proposal the charges as claimed, else the resolution
    itself.
    """
    claimed = None if judgement is None else case.claimed(resolution)
    return (
        resolution
        if judgement is None or claimed is None
        else as_claimed(resolution, claimed, judgement)
    )

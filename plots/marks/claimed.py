"""A proposal as it is told: the charges with the moves, the evidence and the end that somebody claims in place of the resolved ones."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plots.marks.moments import Episode, has_moved
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Step
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.squad import Formation, Squad
from tabletop.table.state import Regiment, State
from tabletop.units import wrapped

PUT_DOWN = "placed"
"""The kind of a step by which a unit comes to a claimed place of which no way is known."""
AS_RESOLVED = 2e-3
"""Inches within which a claimed place is the one that was resolved."""


def as_claimed(resolution: Resolution, proposal: Mapping[str, Any], judgement: Judgement) -> Resolution:
    """Give the charges as they are claimed to end: units that the proposal names by its places, those that were meant if it is measured.

    Whoever is claimed to end where it was resolved to comes there as it did; of others the judgement may know the moves, else they are
    put down. The resolved initial contact is left out where the move to it is not claimed.
    """
    places = judgement.meant or proposal
    after = placed(resolution, places)
    elsewhere = {name for name, place in places.items() if not _is_as_resolved(resolution, name, place)}
    told = [_told(ruling, resolution.before, after, judgement, elsewhere) for ruling in resolution.rulings]
    known = {step.unit for ruling in told for step in ruling.steps if has_moved(step)}
    rest = [step for name in sorted(elsewhere - known) for step in _put_down(resolution.before.units[name], after.units[name], judgement)]
    if told and rest:
        last = resolution.order[-1] if resolution.order else len(told) - 1
        told[last] = replace(told[last], steps=(*told[last].steps, *rest))
    return replace(resolution, rulings=tuple(told), after=after)


def shown_resolution(case: Case, resolution: Resolution, judgement: Judgement | None) -> Resolution:
    """Give what a figure of a case tells: of a judged one the charges as they are claimed."""
    claimed = None if judgement is None else case.claimed(resolution)
    return resolution if judgement is None or claimed is None else as_claimed(resolution, claimed, judgement)


def _told(ruling: Ruling, before: State[Any], after: State[Any], judgement: Judgement, elsewhere: set[str]) -> Ruling:
    """Give a ruling with the moves and the evidence of the claim; nothing is gained by a charge that is not right."""
    steps: list[Step] = []
    done: set[str] = set()
    for step in ruling.steps:
        name = step.unit or ""
        if has_moved(step) and (name in judgement.steps or name in elsewhere):
            steps += () if name in done else judgement.steps.get(name) or _put_down(before.units[name], after.units[name], judgement)
            done.add(name)
        elif has_moved(step) or judgement.outcome != "not_allowed" or ruling.charge.charger not in done:
            steps.append(step)
    if ruling.outcome != "success":
        return replace(ruling, steps=tuple(steps))
    evidence, name = ruling.evidence, ruling.charge.charger
    claimed = judgement.evidence.get(name)
    is_turned = not elsewhere.isdisjoint(ruling.charge.targets)
    if claimed is not None:
        evidence = replace(evidence, models_in_contact=claimed.models_in_contact)
    if is_turned or name in elsewhere or judgement.outcome == "not_allowed":  # what was reached is no longer there, or reached wrongly
        evidence = replace(evidence, deciding=tuple(one for one in evidence.deciding if one.stage == "before"))
    if name in elsewhere:
        ahead = tuple(one for one in evidence.dimensions if one.stage == "before")
        links = () if claimed is None else claimed.links
        evidence = replace(evidence, contacts=(), links=links, dimensions=ahead)
    return replace(ruling, steps=tuple(steps), evidence=replace(evidence, facing_after=None) if is_turned else evidence)


def _put_down(unit: Any, then: Any, judgement: Judgement) -> list[Step]:
    """Put a unit down where it is claimed to end, loose models one by one."""
    if not isinstance(unit, Squad):
        broken = judgement.broken
        is_wrong = broken is not None and broken.breach is not None and broken.breach.models.get(unit.name) == ()
        return [Step(PUT_DOWN, unit.name, unit.pose, then.pose, text=broken.text if broken is not None and is_wrong else "")]
    starts = {model.number: model for model in unit.models}
    moved = [(starts[model.number], model) for model in then.models if not model.stands_like(starts[model.number])]
    return [
        Step(PUT_DOWN, unit.name, start.pose, end.pose, model=end.number, path=((*start.pose.at, start.z), (*end.pose.at, end.z)))
        for start, end in moved
    ]


def placed(resolution: Resolution, places: Mapping[str, Any]) -> State[Any]:
    """Give the table after with units elsewhere."""
    state = resolution.after
    for name, place in places.items():
        state = state.with_unit(_mover(resolution, name, place).at(place))
    return state


def _mover(resolution: Resolution, name: str, place: Any) -> Any:
    """Give a unit as it was when it moved: of loose models those for which there are places, some may be lost before or after."""
    unit = resolution.before.units[name]
    if not isinstance(unit, Squad):
        return resolution.after.units[name]
    steps = (step for ruling in resolution.rulings for step in ruling.steps if step.unit == name)
    moved = {step.model for step in steps if step.model is not None}
    stayed = unit.without({model.number for model in unit.models} - moved)
    known = [stayed, resolution.after.units.get(name, stayed), unit]
    return next((one for one in known if len(one.models) == len(place.poses)), unit)


def _is_as_resolved(resolution: Resolution, name: str, place: Any) -> bool:
    """Tell whether a claimed place is the one that was resolved, as far as a hand can tell."""
    unit = resolution.after.units.get(name)
    if unit is None:
        return False
    if isinstance(place, Formation):
        known = unit.place
        pairs = zip(place.poses, place.heights, known.poses, known.heights, strict=False)
        is_near = all(_is_near(pose, right) and abs(z - top) <= AS_RESOLVED for pose, z, right, top in pairs)
        return len(place.poses) == len(known.poses) and is_near
    reach = math.hypot(unit.width, unit.depth) if isinstance(unit, Regiment) else 1.0
    return _is_near(place, unit.pose, reach)


def _is_near(pose: Pose, other: Pose, reach: float = 1.0) -> bool:
    return math.dist(pose.at, other.at) + reach * abs(wrapped(pose.heading - other.heading)) <= AS_RESOLVED


def faulty(told: Sequence[Episode], judgement: Judgement) -> int:
    """Return the place of the picture on which a rule is seen to be broken."""
    breach = judgement.broken.breach if judgement.broken is not None else None
    at_fault = breach.models if breach is not None else {}

    def is_told(step: Step) -> bool:
        numbers = at_fault.get(step.unit or "")
        return has_moved(step) and numbers is not None and (not numbers or step.model in numbers)

    places = [place for place, episode in enumerate(told) if any(is_told(step) for step in episode.steps)]
    return places[-1] if places else len(told) - 1

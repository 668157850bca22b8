"""Contrasts of The Ninth Age: the straight move that would bring fewer models into contact, or that something bars.

Where the ruling itself moves straight ahead, the contrast is the best place of those that bring fewer models into contact.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from systems.t9a.aligned import criteria, reached_on, special_slides
from systems.t9a.scene import Front, Scene, counts_told, numbers_in_contact
from systems.t9a.statement import BOARD_RULE, Way
from tabletop.budget import Budget
from tabletop.fronts.flush import BestSlides, CriticalSlides, preferred
from tabletop.messages import say
from tabletop.ruling.charge import Step
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.evidence import Mark
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.facing import nearest_facings, off_dividing_line
from tabletop.units import CONTACT

NEAR_THE_LINE = 2.0
"""Distance in inches from the line between two arcs within which the other facing is a contrast."""

ON_THE_WAY = ("t9a.space.enemy", "t9a.space.friend", "t9a.space.impassable", BOARD_RULE)
"""Rules of obstacles that may bar the straight move."""


def contrasts(case: Case, resolution: Resolution, ruling: Ruling, *, budget: Budget) -> Iterator[Contrast]:
    """Yield the contrasts of a ruling; none for combined and unaligned charges, and none that a search left open."""
    metrics, state = ruling.metrics, resolution.tables_of(ruling)[0]
    if ruling.outcome != "success" or ruling.open or "unaligned_angle_deg" in metrics or "total_target_models_in_contact" in metrics:
        return
    scene = Scene(state, state.units[ruling.charge.charger], state.units[ruling.charge.targets[0]], case.choices, case.book)
    front = Front(scene, metrics["target_facing"])
    if not any(finding.rule == "t9a.blocked.any-facing" for finding in ruling.findings):
        yield from _other_facing(front)
    served = float(metrics["target_models_in_contact"]), float(metrics["charger_models_in_contact"])
    straight = Way(front, 0.0, 0.0)
    if any(step.kind == "wheel" for step in ruling.steps):
        found = _straight(straight, served)
        if found is not None:
            yield found
            return
    lower = _next_lower(front, served, budget)
    if lower is not None:
        slide = preferred(lower.stretches, special_slides(front), criteria(front))
        yield _worse(front, slide, lower.values, served, heading=say("Next best position"))


def _other_facing(front: Front) -> Iterator[Contrast]:
    """Yield the facing that would be charged from the other side of the line between two arcs, if that is near."""
    scene, middle = front.scene, front.scene.charger.pose.at
    names = nearest_facings(scene.target, middle)
    other = Front(scene, next(name for name in names if name != front.name))
    off = abs(off_dividing_line(middle, front.facing, other.facing))
    if CONTACT < off <= NEAR_THE_LINE:
        told = {"charger": scene.charger.name, "off": off, "facing": other.label, "target": scene.target.name}
        text = say(
            "The middle of {charger}'s front is {off:.2f} in from the line between two arcs of {target}; beyond it the "
            "{facing} would be charged.",
            **told,
        )
        yield Contrast("other", "t9a.arc.target-facing", text, measured=off)


def _straight(way: Way, served: tuple[float, float]) -> Contrast | None:
    """Return the contrast of moving straight ahead: barred by an obstacle, or worse in contact; None if it is neither."""
    front, scene = way.front, way.scene
    for rule in ON_THE_WAY:
        near = way.nearest(rule)
        if near is not None and near[0] < -CONTACT:
            return _barred(way, rule, near[1].name, near[0])
    best = front.best(way.reached) if way.missed <= CONTACT else None
    if best is None or best.values >= served:
        return None
    slide = preferred(best.stretches, special_slides(front), criteria(front))
    path = way.move.path
    step = Step("forward", scene.charger.name, scene.charger.pose, way.move.poses[3], path.second, rules=("t9a.move.concluding-forward",))
    return replace(_worse(front, slide, best.values, served, heading=say("Straight ahead")), steps=(step,))


def _barred(way: Way, rule: str, name: str, margin: float) -> Contrast:
    """Return the contrast of a straight move that an obstacle bars, by a negative margin in inches."""
    scene = way.scene
    free = way.move.free_until([hazard for of, hazard in way.hazards if (of, hazard.name) == (rule, name)])
    text = say(
        "Straight ahead {charger} would be too near to {obstacle} after {free:.2f} in.",
        charger=scene.charger.name,
        obstacle=name,
        free=free,
    )
    end = scene.charger.pose.advanced(free)
    step = Step("forward", scene.charger.name, scene.charger.pose, end, free, rules=("t9a.move.initial-forward",))
    words = say("{obstacle} bars the way", obstacle=name)
    unit = scene.charger.at(end)
    mark = Mark(words, end.at, fronts=((unit.front_left, unit.front_right),))
    return Contrast(
        "barred", rule, text, say("Straight ahead"), words, {scene.charger.name: end},
        margin=margin, steps=(step,), mark=mark,
    )  # fmt: skip


def _next_lower(front: Front, served: tuple[float, float], budget: Budget) -> BestSlides | None:
    """Return the best slides with fewer models in contact than the ruling has, among the legal ones; None if a search ended early."""
    found = reached_on(front, budget=budget)
    places = front.places(found.proven)
    if not found.is_complete or not places:
        return None
    slides = CriticalSlides.of(places, front.breakpoints, front.values)
    pairs = np.column_stack(slides.values)
    lower = sorted({(float(row[0]), float(row[1])) for row in pairs if (float(row[0]), float(row[1])) < served}, reverse=True)
    if not lower:
        return None
    target = lower[0]
    good = [float(slide) for slide, row in zip(np.concatenate(slides.runs), pairs, strict=True) if (float(row[0]), float(row[1])) == target]
    return BestSlides(target, tuple((slide, slide) for slide in good))


def _worse(front: Front, slide: float, values: tuple[float, ...], served: tuple[float, float], *, heading: str) -> Contrast:
    """Return the contrast of an aligned place with fewer models in contact."""
    charger, target = front.scene.charger.name, front.scene.target.name
    numbers = numbers_in_contact(front, slide)
    goal = 0 if values[0] < served[0] else 1
    there, counted = counts_told(*values)[goal], (target, charger)[goal]
    text = say("{heading}: {there} would be in contact, but {most} are possible.", heading=heading, there=there, most=f"{served[goal]:.0f}")
    words = say("only {count} of {unit}", count=f"{values[goal]:.0f}", unit=counted)
    pose = front.pose(slide)
    mark = Mark(words, pose.advanced(-front.scene.charger.depth).at, stage="after", models={counted: numbers[counted]})
    rules = [one.rule for one in front.goals]
    goals = {rule: (was, would) for rule, was, would in zip(rules, served, values, strict=True)}
    return Contrast("worse", rules[goal], text, heading, words, {charger: pose}, goals=goals, models_in_contact=numbers, mark=mark)

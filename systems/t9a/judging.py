"""Judging a proposed end position: the first limit it breaks, or the goal that another place serves better."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from systems.t9a.aligned import AlignedPlace, Front
from systems.t9a.placing import HAND, Placement, placement_findings
from systems.t9a.scene import Scene
from systems.t9a.solution import solve
from tabletop.errors import NoVerdictError
from tabletop.pose import Pose
from tabletop.ruling import Case, Finding, Judgement, Resolution, Ruling
from tabletop.solve.budget import Budget
from tabletop.state import State
from tabletop.units import wrapped


def judge_proposal(case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
    """Rule on the units that the case's proposal names; all others stand as resolved."""
    proposal = dict(case.proposal or {})
    findings: list[Finding] = []
    better: dict[str, Pose] = {}
    for scene, ruling in _in_turn(case, resolution):
        pose = proposal.pop(scene.charger.name, None)
        if pose is None:
            continue
        judged = _judged_charger(scene, ruling, pose, resolution, budget)
        findings += judged
        if not all(finding.ok for finding in judged):
            better[scene.charger.name] = resolution.after.units[scene.charger.name].pose
    for name, pose in proposal.items():
        found = _unmoved(resolution, name, pose)
        findings.append(found)
        if not found.ok:
            better[name] = resolution.after.units[name].pose
    return _judgement(findings, better)


def _judgement(findings: list[Finding], better: Mapping[str, Pose]) -> Judgement:
    broken = next((finding for finding in findings if not finding.ok), None)
    if broken is None:
        return Judgement("success", None, tuple(findings), "The proposal is legal, and no legal place serves the rules better.")
    return Judgement("not_allowed", broken.rule, tuple(findings), f"The proposal is not what the rules demand. {broken.text}", better)


def _in_turn(case: Case, resolution: Resolution) -> Iterator[tuple[Scene, Ruling]]:
    """Give every charge with the table on which its charger moves."""
    state: State = resolution.before
    for ruling in resolution.rulings:
        name, target = ruling.charge.charger, ruling.charge.targets[0]
        yield Scene(state, state.units[name], state.units[target], case.choices, case.book), ruling
        if ruling.outcome != "not_allowed":
            state = state.with_unit(resolution.after.units[name]).with_unit(resolution.after.units[target])


def _judged_charger(scene: Scene, ruling: Ruling, pose: Pose, resolution: Resolution, budget: Budget) -> list[Finding]:
    if ruling.outcome == "success":
        return _judged_place(scene, pose, budget)
    right = resolution.after.units[scene.charger.name].pose
    off = _distance(scene, pose, right)
    rule = ruling.rule or "t9a.failed.when"
    where = "where it stood" if ruling.outcome == "not_allowed" else "where its failed charge move ends"
    text = f"{scene.charger.name} must stand {where}; a corner of the proposal is {off:.4f} in off."
    return [Finding(rule, off <= HAND, text, off, HAND, HAND - off)]


def _distance(scene: Scene, pose: Pose, other: Pose) -> float:
    """Greatest distance between the same corners of the charger in two poses, in inches."""
    width, depth = scene.charger.width, scene.charger.depth
    corners = np.array([[-width / 2, 0.0], [width / 2, 0.0], [width / 2, -depth], [-width / 2, -depth]])
    return float(np.hypot(*(pose.to_table(corners) - other.to_table(corners)).T).max())


def _judged_place(scene: Scene, pose: Pose, budget: Budget) -> list[Finding]:
    solution = solve(scene, budget=budget)
    if solution.place is None:
        message = f"{scene.charger.name} completes its charge, but no aligned place is found to judge the proposal by"
        raise NoVerdictError(message)
    front = min(solution.fronts, key=lambda one: max(map(abs, Placement(one, pose, ()).heights)))
    best = solution.place
    reached = best.reached if front.name == best.front.name else ()
    proposed = _snapped(Placement(front, pose, reached))
    found = placement_findings(proposed)
    return found if not all(finding.ok for finding in found) else [*found, *_judged_goals(proposed, best)]


def _snapped(placement: Placement) -> Placement:
    """Put a front that is flush as far as a hand can tell exactly flush, and allow as much along the facing."""
    if max(map(abs, placement.heights)) > HAND or abs(wrapped(placement.pose.heading - placement.front.pose(0.0).heading)) > math.pi / 2:
        return placement
    return replace(placement, pose=placement.front.pose(placement.slide), contact_slack=HAND)


def _judged_goals(proposed: Placement, best: AlignedPlace) -> list[Finding]:
    front: Front = proposed.front
    lineup = replace(front.lineup, overlap=front.lineup.overlap - HAND)
    slide = np.array([proposed.slide])
    counted = float(lineup.shown_in_contact(slide)[0]), float(lineup.front_in_contact(slide)[0])
    found = []
    for goal, value, most in zip(front.goals, counted, best.values, strict=True):
        text = f"{value:.0f} {goal.unit} in contact; " + (f"a legal place has {most:.0f}." if value < most else "no legal place has more.")
        found.append(Finding(goal.rule, value >= most, text, value, most, value - most))
        if value != most:
            return found
    is_free = best.stretches[0][0] < best.stretches[-1][1]
    text = (
        "Equally good places exist; the owner was free to choose this one."
        if is_free
        else "It is the only place that serves the goals best."
    )
    return [*found, Finding("t9a.align.free-choice", ok=True, text=text, measured=float(len(best.stretches)))]


def _unmoved(resolution: Resolution, name: str, pose: Pose) -> Finding:
    unit = resolution.after.units[name]
    off = max(math.dist(unit.pose.at, pose.at), unit.width * abs(wrapped(pose.heading - unit.pose.heading)))
    text = f"{name} is not moved by these charges; the proposal has it {off:.4f} in off."
    return Finding("t9a.align.place", off <= HAND, text, off, HAND, HAND - off)

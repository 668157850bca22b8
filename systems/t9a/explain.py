"""Rulings of single charges: refused, failed or completed."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from systems.t9a.completion import Completion
from systems.t9a.deciding import in_contact, no_room, outer_line, refusing
from systems.t9a.declare import Declaration
from systems.t9a.failed_move import failed_move
from systems.t9a.roll import dice_of, range_findings, roll_findings
from systems.t9a.scene import Scene
from systems.t9a.solution import Solution
from tabletop.budget import is_explained
from tabletop.ruling.charge import Charge, Metric, Step
from tabletop.ruling.evidence import Dimension, Evidence
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.table.arc import arc_names, arc_rays
from tabletop.table.dice import SIDES
from tabletop.table.facing import FacingName, arcs_of, facing_of
from tabletop.table.state import State
from tabletop.words import counted

DECLARE_RULES = tuple(f"t9a.declare.{name}" for name in ("once", "not-engaged", "not-shaken", "line-of-sight", "max-range", "room"))
NO_ROOM = {"t9a.move.room": "no legal charge move ends here", "t9a.combined.room": "no room beside the others"}
"""What a figure says at the facing where there is no place."""


@dataclass(frozen=True)
class Attempt:
    """A charge that may be declared, with the faces thrown for it, on the table as it is when the charger moves."""

    charge: Charge
    declaration: Declaration
    faces: tuple[int, ...]
    scene: Scene

    @property
    def facing(self) -> FacingName:
        """The facing found at declaration."""
        solution = self.declaration.solution
        if solution is None or solution.place is None:
            return solution.fronts[0].name if solution is not None else "front"
        return solution.place.front.name


def refused(charge: Charge, declaration: Declaration) -> Ruling:
    """Rule that a charge may not be declared."""
    scene = declaration.scene
    broken = next(finding for finding in declaration.findings if not finding.ok)
    return Ruling(
        charge,
        "not_allowed",
        f"{scene.charger.name} may not declare a charge against {scene.target.name}: {_lower(broken.text)}",
        rule=broken.rule,
        findings=_declared_findings(declaration),
        metrics=_range_metrics(declaration),
        steps=(_declare_step(declaration),),
        evidence=replace(_evidence_before(declaration), deciding=refusing(declaration)),
    )


def failed(attempt: Attempt, rule: str, reason: str, solution: Solution | None = None, *, has_room: bool = True) -> tuple[Ruling, State]:
    """Rule that a charge was declared and not completed; the charger makes its failed charge move.

    `has_room` says that a longer roll would have completed it.
    """
    declaration, scene = attempt.declaration, attempt.scene
    move = failed_move(scene, attempt.facing)
    when = Finding(
        "t9a.failed.when", ok=True, text=f"{reason} So the charger makes a failed charge move, {scene.book.failed_move:g} in in all."
    )
    room = Finding("t9a.move.room", ok=False, text="No legal charge move exists when the charger moves.")
    measured = declaration.measured
    shown = (no_room(declaration, rule, NO_ROOM[rule]),) if rule in NO_ROOM else ()
    could = has_room and measured.needed_roll <= SIDES
    ruling = Ruling(
        attempt.charge,
        "failed",
        f"{reason} {scene.charger.name} makes a failed charge move of {move.moved:.2f} in.",
        rule=rule,
        shortest_roll=measured.needed_roll if could else None,
        chance_success=measured.chance if could else Fraction(0),
        findings=(
            *_declared_findings(declaration),
            *roll_findings(scene, measured, attempt.faces),
            *((room, *(solution.findings if solution else ())) if rule == "t9a.move.room" else ()),
            when,
            *move.findings(),
        ),
        metrics={
            **_rolled_metrics(attempt),
            "wheel_angle_deg": math.degrees(move.wheel),
            "moved": move.moved,
        },
        steps=(_declare_step(declaration), *move.steps()),
        evidence=replace(_evidence_before(declaration), deciding=shown, dice=dice_of(measured, attempt.faces)),
    )
    after = scene.charger.at(move.end).with_status("failed_charge", without=("charging",))
    return ruling, scene.state.with_unit(after)


def completed(attempt: Attempt, done: Completion) -> tuple[Ruling, State]:
    """Rule that a charge is completed, and give the table afterwards."""
    declaration, scene = attempt.declaration, attempt.scene
    measured = declaration.measured
    charger, target = (counted(len(done.in_contact[unit.name]), "models") for unit in (scene.charger, scene.target))
    ruling = Ruling(
        attempt.charge,
        "success",
        f"{scene.charger.name} charges the {done.front.name} of {scene.target.name}: {target} of {scene.target.name} and {charger} of "
        f"{scene.charger.name} in contact.",
        shortest_roll=measured.needed_roll,
        chance_success=measured.chance,
        findings=(*_declared_findings(declaration), *roll_findings(scene, measured, attempt.faces), *done.findings),
        metrics={**_rolled_metrics(attempt), **done.metrics},
        steps=(_declare_step(declaration), *done.steps),
        choices=done.choices,
        proof=done.proof,
        evidence=replace(_evidence_after(declaration, done), dice=dice_of(measured, attempt.faces)),
    )
    state = scene.state.with_unit(scene.charger.at(done.charger_pose).with_status("engaged", without=("charging",)))
    return ruling, state.with_unit(scene.target.at(done.target_pose).with_status("engaged", without=("charging",)))


def _lower(text: str) -> str:
    """Let a sentence go on after a colon."""
    return text[0].lower() + text[1:] if text[1:2].islower() else text


def _declared_findings(declaration: Declaration) -> tuple[Finding, ...]:
    scene, measured = declaration.scene, declaration.measured
    order = Finding("t9a.phase.order", ok=True, text="All charges are declared first; then each charger rolls and moves.")
    found = [order, *declaration.findings, *range_findings(scene, measured)]
    if declaration.solution is None:
        return tuple(found)
    names = [front.name for front in declaration.solution.fronts]
    text = f"The middle of {scene.charger.name}'s front stands in the {' and the '.join(names)} arc of {scene.target.name}."
    found.append(Finding("t9a.arc.target-facing", ok=True, text=text))
    if len(names) > 1:
        taken = declaration.solution.place.front.name if declaration.solution.place else names[0]
        found.append(Finding("t9a.arc.tie", ok=True, text=f"It stands on the line between two arcs; the {taken} is charged."))
    elif _is_flank_by_choice(scene):
        found.append(Finding("t9a.arc.tie", ok=True, text=f"It stands on the line between two arcs; the flank is taken: the {names[0]}."))
    return tuple(found)


def _is_flank_by_choice(scene: Scene) -> bool:
    return len(arcs_of(scene.target, scene.charger.pose.at)) > 1


def _declare_step(declaration: Declaration) -> Step:
    scene = declaration.scene
    pose = scene.charger.pose
    text = f"{scene.charger.name} declares a charge against {scene.target.name}, {declaration.measured.distance:.2f} in away."
    return Step("declare", scene.charger.name, pose, pose, rules=DECLARE_RULES, text=text)


def _range_metrics(declaration: Declaration) -> dict[str, Metric]:
    measured = declaration.measured
    chance = measured.chance
    return {
        "distance": measured.distance,
        "needed_roll": measured.needed_roll,
        "success_chance": float(chance),
        "success_chance_fraction": str(chance),
    }


def _rolled_metrics(attempt: Attempt) -> dict[str, Metric]:
    measured = attempt.declaration.measured
    return {**_range_metrics(attempt.declaration), "charge_range": measured.reached(attempt.faces), "target_facing": attempt.facing}


def _evidence_before(declaration: Declaration) -> Evidence:
    if not is_explained():
        return Evidence()
    scene, solution = declaration.scene, declaration.solution
    names = [front.name for front in solution.fronts] if solution else []
    if solution is not None and solution.place is not None:
        names = [solution.place.front.name]
    sight, stop = declaration.shown_sight
    way, corners = declaration.measured.closest, np.roll(scene.target.boundary.pieces[0], -2, axis=0)
    return Evidence(
        facing=facing_of(scene.target, names[0]).ends if names else None,
        arc_rays=arc_rays(corners),
        arc_centre=scene.target.centre,
        arc_names=arc_names(scene.target),
        sight=sight,
        sight_stop=stop,
        dimensions=(Dimension(way.near, way.far, f"{declaration.measured.distance:.2f} in"),),
    )


def _evidence_after(declaration: Declaration, done: Completion) -> Evidence:
    front = done.front
    return replace(
        _evidence_before(declaration),
        facing=front.facing.ends,
        facing_after=facing_of(front.scene.target.at(done.target_pose), front.name).ends,
        contacts=(done.move.contact,),
        models_in_contact=done.in_contact,
        deciding=(in_contact(done), *outer_line(done)),
    )

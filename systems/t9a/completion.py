"""Charges that complete: where charger and target end, how they get there, and what is said of it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from systems.t9a.aligned import AlignedPlace, Front, contact_length, numbers_in_contact
from systems.t9a.conditions import Placement, placement_findings
from systems.t9a.move import ChargeMove, charge_move, path_findings, path_steps
from tabletop.budget import Budget, Proof
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Pose
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.finding import Finding
from tabletop.units import CONTACT
from tabletop.words import counted

ALIGN_RULES = ("t9a.align.place", "t9a.align.initial-contact", "t9a.align.flush", "t9a.align.target-models", "t9a.align.charger-models")


@dataclass(frozen=True)
class Completion:
    """A completed charge: the way, where charger and target end, the models in contact by unit, and what is said of it all.

    `choices` is the number of equally good places; None where it is not asked.
    """

    move: ChargeMove
    charger_pose: Pose
    target_pose: Pose
    in_contact: Mapping[str, tuple[int, ...]]
    steps: tuple[Step, ...]
    findings: tuple[Finding, ...]
    metrics: Mapping[str, Metric]
    choices: int | None
    proof: Proof

    @property
    def front(self) -> Front:
        """The charger against the facing it charges."""
        return self.move.front


def complete_aligned(place: AlignedPlace, *, budget: Budget) -> Completion:
    """Bring a charger to its aligned place.

    Raises
    ------
    NoVerdictError
        If the place does not hold against the limits when they are measured again.
    """
    front = place.front
    measured = placement_findings(Placement(front, place.pose, place.reached))
    broken = next((finding for finding in measured if not finding.ok), None)
    if broken is not None:
        raise NoVerdictError(f"the placement found does not pass its own check: {broken.rule}: {broken.text}")
    move = charge_move(front, place.covered, hints=place.reach.witnesses, budget=budget)
    return Completion(
        move, place.pose, front.scene.target.pose, numbers_in_contact(front, place.slide),
        (*path_steps(move), _align_step(move, place)), (*path_findings(move), *measured, *_goal_findings(place)),
        place_metrics(place), len(place.stretches), place.proof,
    )  # fmt: skip


def _align_step(move: ChargeMove, place: AlignedPlace) -> Step:
    contact = move.poses[3]
    away = math.dist(contact.at, place.pose.at)
    name = place.front.scene.charger.name
    text = f"{name} is put down flush against the {place.front.name}, {away:.2f} in from there."
    if away <= CONTACT:
        text = f"{name} already stands flush against the {place.front.name}, in the best place."
    return Step("align", name, contact, place.pose, away, rules=ALIGN_RULES, text=text)


def _goal_findings(place: AlignedPlace) -> list[Finding]:
    front = place.front
    scene, values = front.scene, place.values
    counts = [
        Finding(goal.rule, ok=True, text=f"{counted(value, goal.unit)} in contact; no legal place has more{suffix}.", measured=value)
        for goal, value, suffix in zip(front.goals, values, ("", " with as many of the target"), strict=True)
    ]
    meets = numbers_in_contact(front, place.slide)[scene.target.name]
    over_gaps = sum(model.is_set_back and model.number in meets for model in front.shown)
    gaps = (
        f"{over_gaps} of the models counted stand behind empty places." if over_gaps else "No model counted stands behind an empty place."
    )
    free = len(place.stretches)
    choice = f"{free} separate stretches of places are equally good" if free > 1 else "One stretch of places is best"
    return [
        Finding(
            "t9a.align.place", ok=True, text=f"{scene.charger.name} is put down with its front at {place.slide:z.4f} in along the facing."
        ),
        *counts,
        Finding("t9a.align.gaps", ok=True, text=gaps, measured=float(over_gaps)),
        Finding("t9a.align.priority", ok=True, text="More models of the target come before more of the charger."),
        Finding("t9a.align.serve", ok=True, text=served(place.proof, f"{len(front.breakpoints)} slides at which a count changes")),
        Finding("t9a.align.free-choice", ok=True, text=f"{choice}; taken by '{scene.choices.tie}'.", measured=float(free)),
    ]


def served(proof: Proof, compared: str) -> str:
    """Say how sure it is that no legal move serves the goals better."""
    if proof == "best_found":
        return "The search for legal moves ended at its limit of work or time: a better contact may exist."
    unsure = "; where legal moves can reach is known to 0.001 in" if proof == "tolerance" else ""
    return f"{compared}, and all between, were compared{unsure}."


def place_metrics(place: AlignedPlace) -> dict[str, Metric]:
    """Give what is counted and measured of a completed charge."""
    return {
        "target_models_in_contact": int(place.values[0]),
        "charger_models_in_contact": int(place.values[1]),
        "contact_length": contact_length(place),
        "offset": place.offset,
        "leeway": place.leeway,
        "remaining_angle_deg": 0.0,
    }

"""Rulings of single charges: refused, failed or completed, with findings, metrics, steps and evidence for figures."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from systems.t9a.aligned import AlignedPlace, contact_length
from systems.t9a.attempt import Attempt, CompletedCharge
from systems.t9a.conditions import FlushPlacement, placement_findings, tilted_findings
from systems.t9a.declare import Declaration
from systems.t9a.move import ChargeMove, charge_move, failed_move, path_findings, path_steps
from systems.t9a.roll import dice_of, range_findings, roll_findings
from systems.t9a.scene import Front, Scene, counts_told
from systems.t9a.solution import Solution
from tabletop.budget import Budget, explains
from tabletop.errors import NoVerdictError
from tabletop.geometry.pose import Point
from tabletop.messages import because, counted, listed, say, word
from tabletop.ruling.charge import Metric, Step
from tabletop.ruling.evidence import Evidence, Mark
from tabletop.ruling.finding import Finding, Taken
from tabletop.ruling.odds import told_of_roll
from tabletop.ruling.verdict import Ruling
from tabletop.table.dice import SIDES
from tabletop.table.facing import (
    arc_names,
    arc_rays,
    arcs_of,
    facing_of,
    nearest_facings,
    off_dividing_line,
)
from tabletop.table.state import State
from tabletop.units import CONTACT, FLUSH

if TYPE_CHECKING:
    from systems.t9a.unaligned import UnalignedPlace

DECLARED_WITH = tuple(
    f"t9a.declare.{name}"
    for name in ("once", "not-engaged", "not-shaken", "line-of-sight", "max-range", "room")
)

BEYOND = 2.0
"""Length in inches of the line between two arcs beyond the middle of a front, in figures."""

ALIGN_RULES = (
    "t9a.align.place",
    "t9a.align.initial-contact",
    "t9a.align.flush",
    "t9a.align.target-models",
    "t9a.align.charger-models",
)

UNALIGNED_RULES = (
    "t9a.align.place",
    "t9a.unaligned.contact",
    "t9a.unaligned.line",
    "t9a.unaligned.angle",
)


def refused(attempt: Attempt, broken: Finding) -> Ruling:
    """Return the ruling of a charge that may not be declared, with the finding that forbids it."""
    declaration = attempt.declaration
    scene = declaration.scene
    charger = scene.charger.name
    target = scene.target.name
    return Ruling(
        attempt.charge,
        "not_allowed",
        say(
            "{charger} may not declare a charge against {target}: {why:within}",
            charger=charger,
            target=target,
            why=broken.text,
        ),
        rule=broken.rule,
        findings=_declared_findings(declaration),
        metrics=_range_metrics(declaration, Fraction(0)),
        steps=(_declare_step(declaration),),
        evidence=_evidence_before(declaration),
        attempt=_kept(attempt),
    )


def short_of_range(attempt: Attempt) -> str:
    """Return the sentence that the charge range rolled is less than the distance to the target."""
    reached = attempt.declaration.measured.reached(attempt.faces)
    distance = attempt.declaration.measured.distance
    return say(
        "The charge range of {reached:g} in is less than the distance of {distance:.2f} in.",
        reached=reached,
        distance=distance,
    )


def failed(
    attempt: Attempt,
    rule: str,
    reason: str,
    findings: Sequence[Finding] = (),
    *,
    has_room: bool | None = True,
) -> tuple[Ruling, State]:
    """Return the ruling of a failed charge, with its failed charge move, and the table after it.

    Parameters
    ----------
    attempt
        The declared charge with its dice.
    rule
        Name of the rule that it breaks.
    reason
        Sentence that says why it fails.
    findings
        Findings on why it has no place, if that is the reason.
    has_room
        Whether a sufficient roll would complete the charge, None if unknown.
    """
    declaration = attempt.declaration
    scene = attempt.scene
    move = failed_move(scene, attempt.facing)
    name = scene.charger.name
    why = say(
        "{reason} So {charger} makes a failed charge move of at most {moved:g} in.",
        reason=reason,
        charger=name,
        moved=scene.book.failed_move,
    )
    measured = declaration.measured
    needed = measured.needed_roll if measured.needed_roll <= SIDES else None
    least, most = (None, Fraction(0)) if has_room is False else (needed, measured.chance)
    known = told_of_roll(
        (least, needed if has_room else None), (most if has_room else Fraction(0), most)
    )
    ruling = Ruling(
        attempt.charge,
        "failed",
        say(
            "{reason} {charger} makes a failed charge move of {moved:.2f} in.",
            reason=reason,
            charger=name,
            moved=move.moved,
        ),
        rule=rule,
        **known,
        findings=(
            *_declared_findings(declaration),
            *roll_findings(scene, measured, attempt.faces),
            *findings,
            Finding("t9a.failed.when", ok=True, text=why),
            *move.findings(),
        ),
        metrics={
            **_rolled_metrics(attempt, known["chance_success"]),
            "wheel_angle_deg": math.degrees(move.wheel),
            "moved": move.moved,
        },
        steps=(_declare_step(declaration), *move.steps()),
        evidence=replace(
            _evidence_before(declaration), dice=dice_of(scene, measured, attempt.faces)
        ),
        attempt=_kept(attempt),
    )
    after = scene.charger.at(move.end).with_status("failed_charge", without=("charging",))
    return ruling, scene.state.with_unit(after)


def without_a_move(attempt: Attempt) -> tuple[Ruling, State]:
    """Return the ruling of a charge that is in range and has no place any more, and the table after it."""
    from systems.t9a.barring import without_room

    solution = attempt.solution

    reason = say("The range is enough, but no legal charge move exists any more.")
    text = say(
        "No legal charge move against {target} exists when {charger} moves",
        target=attempt.scene.target.name,
        charger=attempt.scene.charger.name,
    )
    bar = None if solution is None else solution.bar
    room = without_room("t9a.move.room", text, bar, attempt.declared_front)
    more = () if solution is None else solution.findings
    return failed(attempt, "t9a.move.room", reason, (room, *more), has_room=False)


def _kept(attempt: Attempt) -> Attempt | None:
    """Return the attempt as a ruling keeps it: None where nothing is to be explained."""
    return attempt if explains() else None


def completed(attempt: Attempt, done: CompletedCharge) -> tuple[Ruling, State]:
    """Return the ruling of a completed charge, and the table after it, with charger and target marked as engaged."""
    attempt = replace(attempt, done=done)
    declaration = attempt.declaration
    scene = attempt.scene
    measured = declaration.measured
    charger = scene.charger.name
    target = scene.target.name
    place = done.place
    own, theirs = (counted(len(place.in_contact[name]), "models") for name in (charger, target))
    told = {
        "charger": charger,
        "facing": done.front.label,
        "target": target,
        "theirs": theirs,
        "own": own,
    }
    summary = say(
        "{charger} charges the {facing} of {target}: {theirs} of {target} and {own} of {charger} in contact.",
        **told,
    )
    result = say(
        "{theirs} of {target} and {own} of {charger} in contact.",
        target=target,
        charger=charger,
        theirs=theirs,
        own=own,
    )
    if not isinstance(place, AlignedPlace):
        left = math.degrees(place.remaining)
        angle = math.degrees(place.angle)
        turn = angle - left
        if left > 0.0:
            more = say(
                " It is unaligned by {angle:.2f} degrees; the special align of {target} is {turn:.2f}.",
                **told,
                angle=angle,
                turn=turn,
            )
            more += say(" {left:.2f} degrees are left: combat reforms are due.", left=left)
        else:
            more = say(
                " It ends at an angle of {angle:.2f} degrees; {target} turns flush with it.",
                **told,
                angle=angle,
            )
        summary += more
        result += more
    ruling = Ruling(
        attempt.charge,
        "success",
        summary,
        shortest_roll=measured.needed_roll,
        chance_success=measured.chance,
        findings=(
            *_declared_findings(declaration),
            *roll_findings(scene, measured, attempt.faces),
            *done.findings,
        ),
        metrics={**_rolled_metrics(attempt, measured.chance), **done.metrics},
        steps=(_declare_step(declaration), *done.steps),
        choices=place.choices,
        proof=place.proof,
        result=result,
        evidence=replace(
            _evidence_after(declaration, done), dice=dice_of(scene, measured, attempt.faces)
        ),
        attempt=_kept(attempt),
    )
    state = scene.state.with_unit(
        scene.charger.at(place.pose).with_status("engaged", without=("charging",))
    )
    return ruling, state.with_unit(
        scene.target.at(place.target_pose).with_status("engaged", without=("charging",))
    )


def _declared_findings(declaration: Declaration) -> tuple[Finding, ...]:
    """Return the findings on declaring: order of the phase, limits, range, and the facing charged."""
    scene = declaration.scene
    measured = declaration.measured
    order = Finding(
        "t9a.phase.order",
        ok=True,
        text=say("All charges are declared first; then each charger rolls and moves."),
    )
    found = [order, *declaration.findings, *range_findings(scene, measured)]
    if declaration.solution is None:
        return tuple(found)
    names = [front.label for front in declaration.solution.fronts]
    charger = scene.charger.name
    target = scene.target.name
    arcs = listed(names, " and the ")
    text = say(
        "The middle of {charger}'s front is in the {arcs} arc of {target}.",
        charger=charger,
        arcs=arcs,
        target=target,
    )
    mark = _off_the_line(scene)
    taken_by = _taken(declaration, declaration.solution)
    found.append(Finding("t9a.arc.target-facing", ok=True, text=text, mark=mark, taken=taken_by))
    ends = {"charger": charger, "target": target}
    if len(names) > 1:
        taken = declaration.solution.place.front.label if declaration.solution.place else names[0]
        text = say(
            "The middle of {charger}'s front is on the line between two arcs of {target}; the {facing} is charged.",
            facing=taken,
            **ends,
        )
        found.append(Finding("t9a.arc.tie", ok=True, text=text, mark=mark))
    elif len(arcs_of(scene.target, scene.charger.pose.at)) > 1:
        text = say(
            "The middle of {charger}'s front is on the line between two arcs of {target}, so a flank is "
            "charged: the {facing}.",
            facing=names[0],
            **ends,
        )
        found.append(Finding("t9a.arc.tie", ok=True, text=text, mark=mark))
    return tuple(found)


def _off_the_line(scene: Scene) -> Mark:
    """Return a mark of the distance of the middle of the charger's front from the nearest line between two arcs of the
    target.
    """
    middle = scene.charger.pose.at
    first, second = (Front(scene, name) for name in nearest_facings(scene.target, middle))
    off = off_dividing_line(middle, first.facing, second.facing)
    across = [
        one - other for one, other in zip(first.facing.normal, second.facing.normal, strict=True)
    ]
    size = math.hypot(*across)
    corner = min(
        first.facing.ends,
        key=lambda end: min(math.dist(end, other) for other in second.facing.ends),
    )
    foot = (middle[0] - off * across[0] / size, middle[1] - off * across[1] / size)
    arc = (first if off > 0.0 else second).label
    words = say(
        "middle of the front {off:.2f} in inside the {facing} arc", off=abs(off), facing=arc
    )
    lines: tuple[tuple[Point, Point], ...] = ((foot, middle),)
    if abs(off) <= CONTACT:
        words = say("middle of the front {off:.2f} in from the line", off=abs(off))
        lines = ()
    length = math.dist(corner, foot)
    beyond = (
        [at + BEYOND * (at - start) / length for start, at in zip(corner, foot, strict=True)]
        if length > 0.0
        else foot
    )
    return Mark(
        words, middle, lines=lines, limits=((corner, (beyond[0], beyond[1])),), is_for_point=True
    )


def _taken(declaration: Declaration, solution: Solution) -> Taken:
    """Return the facing charged, and the distance in inches of the front's middle from the nearest line between arcs.

    The distance is None if the facing was chosen by Blocked Path.
    """
    scene = declaration.scene
    middle = declaration.scene.charger.pose.at
    first, second = (Front(scene, name) for name in nearest_facings(scene.target, middle))
    told = {
        "charger": scene.charger.name,
        "target": scene.target.name,
        "first": first.label,
        "second": second.label,
    }
    between = say(
        "the middle of {charger}'s front and the line between the {first} and the {second} arc of {target}",
        **told,
    )
    charged = solution.place.front if solution.place is not None else solution.fronts[0]
    off = abs(off_dividing_line(middle, first.facing, second.facing))
    return Taken(
        say("the {facing} of {target}", facing=charged.label, target=scene.target.name),
        between,
        None if solution.is_by_blocked_path else off,
    )


def _declare_step(declaration: Declaration) -> Step:
    """Return the step in which the charge is declared; nothing moves."""
    scene = declaration.scene
    distance = declaration.measured.distance
    pose = scene.charger.pose
    name = scene.charger.name
    target = scene.target.name
    text = say(
        "{charger} declares a charge against {target}, {distance:.2f} in away.",
        charger=name,
        target=target,
        distance=distance,
    )
    return Step("declare", name, pose, pose, rules=DECLARED_WITH, text=text)


def _range_metrics(declaration: Declaration, chance: Fraction | None) -> dict[str, Metric]:
    """Return the metrics of the range by name: distance, roll needed, chance of the roll and, if proved, of the
    charge.
    """
    measured = declaration.measured
    return {
        "distance": measured.distance,
        "needed_roll": measured.needed_roll,
        **(
            {}
            if chance is None
            else {"success_chance": float(chance), "success_chance_fraction": str(chance)}
        ),
        "range_chance": float(measured.chance),
        "range_chance_fraction": str(measured.chance),
    }


def _rolled_metrics(attempt: Attempt, chance: Fraction | None) -> dict[str, Metric]:
    """Return the metrics of the range with the charge range rolled, in inches, and the facing charged."""
    declaration = attempt.declaration
    rolled = {
        "charge_range": declaration.measured.reached(attempt.faces),
        "target_facing": attempt.facing,
    }
    return {**_range_metrics(declaration, chance), **rolled}


def _evidence_before(declaration: Declaration) -> Evidence:
    """Return what figures show of a declared charge: arcs, line of sight, and distance; empty if nothing is to be
    explained.
    """
    if not explains():
        return Evidence()
    scene = declaration.scene
    solution = declaration.solution
    names = [front.name for front in solution.fronts] if solution else []
    if solution is not None and solution.place is not None:
        names = [solution.place.front.name]
    sight, stop = declaration.shown_sight
    corners = np.roll(scene.target.boundary.pieces[0], -2, axis=0)
    return Evidence(
        facing=facing_of(scene.target, names[0]).ends if names else None,
        arc_rays=arc_rays(corners),
        arc_centre=scene.target.centre,
        arc_names=arc_names(scene.target),
        sight=sight,
        sight_stop=stop,
        dimensions=(declaration.measured.line,),
    )


def _evidence_after(declaration: Declaration, done: CompletedCharge) -> Evidence:
    """Return what figures show of a completed charge: also the facing before and after, and points and models in
    contact.
    """
    front = done.front
    return replace(
        _evidence_before(declaration),
        facing=front.facing.ends,
        facing_after=facing_of(front.scene.target.at(done.place.target_pose), front.name).ends,
        contacts=(done.move.contact,),
        models_in_contact=done.place.in_contact,
    )


# Final poses and findings of a completed charge.


def complete_aligned(
    place: AlignedPlace, *, budget: Budget, is_alone: bool = True
) -> CompletedCharge:
    """Return the completed charge to an aligned place, chosen for this charger alone or for all chargers of the target.

    Raises
    ------
    NoVerdictError
        If the place breaks a limit when it is measured again.
    """
    front = place.front
    measured = _checked(placement_findings(FlushPlacement(front, place.pose, place.reach)))
    move = charge_move(
        front,
        place.covered,
        hints=place.reach.witnesses,
        enough=_wheel_enough(front, measured),
        budget=budget,
    )
    return CompletedCharge(
        place,
        move,
        (*path_steps(move), _align_step(move, place)),
        (*path_findings(move), *measured, *_aligned_findings(place, is_alone=is_alone)),
        _aligned_metrics(place),
    )


def _checked(measured: list[Finding]) -> list[Finding]:
    """Return the findings of a place found, measured again; raise NoVerdictError if they break a limit."""
    broken = next((finding for finding in measured if not finding.ok), None)
    if broken is not None:
        raise NoVerdictError(
            "this is a bug in tabletop, please report it: the placement found breaks a rule when it is checked again "
            "({rule}: {text})",
            rule=broken.rule,
            text=broken.text,
        )
    return measured


def _wheel_enough(front: Front, measured: Sequence[Finding]) -> float:
    """Return the wheel, in radians, below which the move shown need not be minimised further; 0 if everything is to be
    explained.

    Up to this wheel, another margin of the ruling is smaller than the margin to the greatest wheel.
    """
    if explains():
        return 0.0
    least = min(
        (abs(finding.margin) for finding in measured if finding.margin is not None),
        default=math.inf,
    )
    return math.radians(front.scene.book.wheel_limit_deg - least) - FLUSH


def _align_step(move: ChargeMove, place: AlignedPlace) -> Step:
    """Return the step from first contact to the aligned place."""
    contact = move.poses[3]
    away = math.dist(contact.at, place.pose.at)
    name = place.front.scene.charger.name
    facing = place.front.label
    text = say(
        "{name} ends flush with the {facing}, {away:.2f} in from where it first touched.",
        name=name,
        facing=facing,
        away=away,
    )
    if away <= CONTACT:
        text = say(
            "{name} is already flush with the {facing}, in the best position.",
            name=name,
            facing=facing,
        )
    return Step("align", name, contact, place.pose, away, rules=ALIGN_RULES, text=text)


def _aligned_findings(place: AlignedPlace, *, is_alone: bool) -> list[Finding]:
    """Return the findings on an aligned place: models in contact, priorities, and the choice among equally good
    places.
    """
    front = place.front
    charger = front.scene.charger.name
    values = place.values
    choices = front.scene.choices
    put = say(
        "{charger} ends aligned with the {facing} of {target}.",
        charger=charger,
        facing=front.label,
        target=front.scene.target.name,
    )
    theirs, own = counts_told(*values)
    most = say("no legal position has more.")
    more = say("no legal position with the same number of models of the target has more.")
    if not is_alone:
        most = more = say("the total over all chargers decides.")
    counts = (
        because(say("{models} in contact", models=theirs), most),
        because(say("{models} in contact", models=own), more),
    )
    target = front.scene.target.name
    meets = place.in_contact[target]
    marks = (replace(_behind(place, _met_words(front, meets)), models={target: meets}), None)
    over_gaps = sum(model.is_set_back and model.number in meets for model in front.shown)
    gaps = say("None of the models counted as in contact has an empty place in front of it.")
    if over_gaps:
        gaps = say(
            "{count} of the models counted as in contact have an empty place in front of them.",
            count=over_gaps,
        )
    free = len(place.stretches)
    choice = say(
        "The best positions form one continuous range; the option '{tie}' chooses among them.",
        tie=choices.tie,
    )
    if free == 1 and place.leeway == 0.0 and is_alone and place.proof != "best_found":
        choice = say("No other legal position at the {facing} is as good.", facing=front.label)
    if free > 1:
        choice = say(
            "{count} separate ranges of positions are equally good; the option '{tie}' chooses among them.",
            count=free,
            tie=choices.tie,
        )
    return [
        Finding("t9a.align.place", ok=True, text=put),
        *(
            Finding(goal.rule, ok=True, text=text, measured=value, mark=mark)
            for goal, value, text, mark in zip(front.goals, values, counts, marks, strict=True)
        ),
        Finding("t9a.align.gaps", ok=True, text=gaps, measured=float(over_gaps)),
        Finding(
            "t9a.align.priority",
            ok=True,
            text=say(
                "Having more models of {target} in contact is more important than having more models of "
                "{charger} in contact.",
                charger=charger,
                target=front.scene.target.name,
            ),
        ),
        Finding("t9a.align.serve", ok=True, text=served(place)),
        Finding(
            "t9a.align.free-choice",
            ok=True,
            text=choice,
            measured=float(free),
            mark=_choice(place, meets),
        ),
    ]


def _choice(place: AlignedPlace, meets: tuple[int, ...]) -> Mark:
    """Return a mark of the equally good places: stretches of the facing for the middle of the front, or that there is
    but one place.
    """
    front = place.front
    target = front.scene.target.name
    if len(place.stretches) == 1:
        return replace(
            _behind(place, say("only here: {spare:.2f} in to spare", spare=place.leeway)),
            models={target: meets},
            is_for_point=True,
        )
    facing = front.facing
    middle = front.width / 2
    told = {"count": str(len(meets)), "unit": target}
    lengths = listed(
        (say("{length:.2f} in", length=high - low) for low, high in place.stretches), " or "
    )
    lines = tuple(
        (facing.point(low + middle), facing.point(high + middle))
        for low, high in place.stretches
        if high > low
    )
    words = say("{count} of {unit}: middle of the front on {lengths}", lengths=lengths, **told)
    return Mark(words, facing.point(facing.length / 2), lines=lines, is_for_point=True)


def _met_words(front: Front, numbers: tuple[int, ...]) -> str:
    """Return the number of models of the target in contact, in words."""
    return say(
        "{count} of {target} in contact",
        count=counted(len(numbers), "models"),
        target=front.scene.target.name,
    )


def _behind(place: "AlignedPlace | UnalignedPlace", words: str) -> Mark:
    """Return a mark with words on the goal reached, placed behind the charger at its end."""
    return Mark(words, place.pose.advanced(-place.front.scene.charger.depth).at, stage="after")


def served(place: AlignedPlace) -> str:
    """Return the sentence on how certain it is that no legal move gives better contact."""
    if place.proof == "best_found":
        return say(
            "The search for legal moves ended at its limit of work or time: a better contact may exist."
        )
    unsure = (
        say("; the range that legal moves can reach is known to 0.001 in")
        if place.proof == "tolerance"
        else ""
    )
    count = len(place.front.breakpoints)
    return say(
        "All legal positions were compared: {count} at which a model comes into or out of contact, and those "
        "between them{unsure}.",
        count=count,
        unsure=unsure,
    )


def _aligned_metrics(place: AlignedPlace) -> dict[str, Metric]:
    """Return the metrics of a charge completed at an aligned place: models in contact, lengths in inches, and
    angle 0.
    """
    return {
        "target_models_in_contact": int(place.values[0]),
        "charger_models_in_contact": int(place.values[1]),
        "contact_length": contact_length(place),
        "offset": place.offset,
        "leeway": place.leeway,
        "remaining_angle_deg": 0.0,
    }


def complete_unaligned(place: "UnalignedPlace", *, budget: Budget) -> CompletedCharge:
    """Return the completed charge to an unaligned place, with the target's special align move.

    Raises
    ------
    NoVerdictError
        If the place breaks a limit when it is measured again.
    """
    from systems.t9a.barring import aligned_bar

    front = place.front
    bar = aligned_bar(front, budget=budget)
    measured = _checked(tilted_findings(FlushPlacement(front, place.pose, place.reach, bar=bar)))
    enough = _wheel_enough(front, measured)
    move = charge_move(
        front, (place.u, place.u), hints=place.reach.witnesses, enough=enough, budget=budget
    )
    return CompletedCharge(
        place,
        move,
        (*path_steps(move), *_unaligned_steps(move, place)),
        (*path_findings(move), *measured, *_unaligned_findings(place)),
        _unaligned_metrics(place),
    )


def _unaligned_steps(move: ChargeMove, place: "UnalignedPlace") -> tuple[Step, ...]:
    """Return the step of the charger's align move and, if the target turns, that of its special align move."""
    scene = place.front.scene
    contact = move.poses[3]
    away = math.dist(contact.at, place.pose.at)
    degrees = math.degrees(place.angle)
    told = {
        "charger": scene.charger.name,
        "corner": word(place.corner),
        "angle": degrees,
        "facing": place.front.label,
    }
    text = say(
        "{charger} ends with its {corner} front corner in contact, at {angle:.2f} degrees to the {facing}.",
        **told,
    )
    align = Step(
        "align", scene.charger.name, contact, place.pose, away, rules=UNALIGNED_RULES, text=text
    )
    if place.turn <= 0.0:
        return (align,)
    target = scene.target.name
    turn = math.degrees(place.turn)
    turned = say(
        "{target} turns {angle:.2f} degrees about the point of contact, towards the charger.",
        target=target,
        angle=turn,
    )
    special = Step(
        "special_align",
        scene.target.name,
        scene.target.pose,
        place.target_pose,
        angle=place.sense * place.turn,
        pivot=place.contact,
        rules=("t9a.unaligned.special-align",),
        text=turned,
    )
    return align, special


def _unaligned_findings(place: "UnalignedPlace") -> list[Finding]:
    """Return the findings of an unaligned charge: goals, the target's special align move, and combat reforms that must
    follow.
    """
    front = place.front
    target, charger = place.values
    theirs, own = counts_told(target, charger)
    name = front.scene.charger.name
    degrees = math.degrees(place.angle)
    told = {
        "charger": name,
        "corner": word(place.corner),
        "facing": front.label,
        "target": front.scene.target.name,
    }
    put = say(
        "{charger} ends at an angle, with its {corner} front corner in contact with the {facing} of {target}.",
        **told,
    )
    least = say(
        "{charger}'s front is at {angle:.4f} degrees to the facing charged; no other point of contact or corner "
        "allows a smaller angle.",
        charger=name,
        angle=degrees,
    )
    if place.proof == "best_found":
        least = say(
            "{charger}'s front is at {angle:.4f} degrees to the facing charged; the search ended at its limit, so a "
            "smaller angle may be possible.",
            charger=name,
            angle=degrees,
        )
    theirs = say(
        "{models} at the point of contact; no legal position with the same angle has more.",
        models=theirs,
    )
    own = say(
        "{models} at the point of contact; no legal position with the same angle and the same number of models of the "
        "target has more.",
        models=own,
    )
    left = math.degrees(place.remaining)
    meets = {front.scene.target.name: place.in_contact[front.scene.target.name]}
    words = _met_words(front, *meets.values())
    parts = {
        "contact": words,
        "target": front.scene.target.name,
        "turn": degrees - left,
        "left": left,
    }
    words = say("{contact}, {target} turns {turn:.2f}\N{DEGREE SIGN} and is flush", **parts)
    if left > 0.0:
        words = say(
            "{contact}, unaligned: special align of {turn:.2f}\N{DEGREE SIGN}, "
            "{left:.2f}\N{DEGREE SIGN} left to reform",
            **parts,
        )
    return [
        Finding("t9a.align.place", ok=True, text=put),
        Finding("t9a.unaligned.angle", ok=True, text=least, measured=degrees),
        Finding(
            "t9a.unaligned.target-models",
            ok=True,
            text=theirs,
            measured=float(target),
            mark=replace(_behind(place, words), models=meets),
        ),
        Finding("t9a.unaligned.charger-models", ok=True, text=own, measured=float(charger)),
        _special_align(place),
        *_reform(place),
    ]


def _special_align(place: "UnalignedPlace") -> Finding:
    """Return the finding on how far the target turns towards the charger, in degrees, and why no farther."""
    from systems.t9a.unaligned import is_held

    scene = place.front.scene
    degrees = math.degrees(place.turn)
    name = scene.target.name
    if is_held(scene):
        text = say("{name} is engaged with another unit and does not turn.", name=name)
    elif place.remaining > 0.0:
        text = say(
            "{name} turns {angle:.4f} degrees about the point of contact; turning farther it would overlap something.",
            name=name,
            angle=degrees,
        )
    else:
        text = say(
            "{name} turns {angle:.4f} degrees about the point of contact and is then flush with the charger's front.",
            name=name,
            angle=degrees,
        )
    return Finding("t9a.unaligned.special-align", ok=True, text=text, measured=degrees)


def _reform(place: "UnalignedPlace") -> list[Finding]:
    """Return the finding that the fronts are still at an angle and must reform, in a list; empty if no angle
    remains.
    """
    if place.remaining <= 0.0:
        return []
    left = math.degrees(place.remaining)
    text = say(
        "The fronts are still {left:.4f} degrees apart: {charger} and {target} must combat reform as soon as they can, "
        "in the order that the Active Player chooses.",
        left=left,
        charger=place.front.scene.charger.name,
        target=place.front.scene.target.name,
    )
    return [Finding("t9a.unaligned.reform", ok=True, text=text, measured=left)]


def _unaligned_metrics(place: "UnalignedPlace") -> Mapping[str, Metric]:
    """Return the metrics of a charge completed unaligned: models in contact, length in inches, angles in degrees."""
    met = place.in_contact
    scene = place.front.scene
    return {
        "target_models_in_contact": len(met[scene.target.name]),
        "charger_models_in_contact": len(met[scene.charger.name]),
        "contact_length": place.contact_length,
        "unaligned_angle_deg": math.degrees(place.angle),
        "remaining_angle_deg": math.degrees(place.remaining),
    }

"""Contrasts of Conquest: the charge straight ahead, the side that is not charged, equal wheels, and the failed move in
full.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

from systems.conquest.attempt import (
    Attempt,
    CompletedWheel,
    FaceResult,
    WheelOutcome,
    evidence_contacts,
)
from systems.conquest.conditions import broken_path
from systems.conquest.declare import Declaration
from systems.conquest.explain import COMPLETED_BY
from systems.conquest.move import FailedMove, Leg, least_gaps
from systems.conquest.scene import AREA, ChargedFacing, Scene
from systems.conquest.search import Choice, Wheel
from systems.conquest.shown import few_digits
from tabletop.fronts.obstacle import BOARD_EDGE
from tabletop.messages import counted, say, word
from tabletop.ruling.charge import Step
from tabletop.ruling.contrast import Contrast, ValueRange, barred_ahead
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Ruling
from tabletop.units import CONTACT

STANDS_RULE = "conquest.wheel.most-stands"

TAKEN = {
    "most-contact": say("the longest contact is taken"),
    "least-turn": say("the least turn is taken"),
    "widest-turn": say("the widest wheel is taken"),
}
"""Which of equally good wheels each `wheel_policy` takes, as a clause."""

EQUAL = 0.5
"""Degrees from which a range of equally good wheels is reported."""


def contrasts(ruling: Ruling) -> Iterator[Contrast]:
    """Yield the contrasts of a ruling after a roll.

    For a success: the side that is not charged, the charge straight ahead if it wheels, and wheels that are as good.
    For a failure: the whole length of the failed move, if something halts it.

    Raises
    ------
    NoVerdictError
        If the time ends the search for the wheel.
    """
    attempt: Attempt = ruling.attempt
    if ruling.open or not attempt.is_allowed or attempt.mired is not None:
        return
    result = attempt.result
    done = attempt.done
    if result is None or done is None:
        yield from _halted(attempt.failed_move)
        return
    yield from _other_side(attempt.search.declaration, done.trial.charged)
    # else the charge straight ahead is as good by a hair
    if min(math.degrees(window.low) for window in result.search.windows) >= EQUAL:
        straight = result.trial(Wheel("left", 0.0, 0.0, 0.0))
        yield from (
            _barred(straight) if straight.worth is None else _worse(straight, result, done.choice)
        )
    yield from _equal(result, done.trial)


def _halted(move: FailedMove) -> Iterator[Contrast]:
    """Yield the contrast of a failed move of the whole length rolled, if an obstacle other than target and edge halts
    it.
    """
    scene = move.scene
    hazard = move.halts_before
    if (
        hazard is None
        or hazard.name in (BOARD_EDGE, scene.target.name)
        or move.length >= move.face - CONTACT
    ):
        return
    charger = scene.charger
    least = hazard.needed
    leg = Leg(charger, charger.pose, float(move.face), direction=move.direction)
    apart = float(least_gaps((leg,), [hazard])[0, 0])
    told = {
        "face": move.face,
        "charger": charger.name,
        "apart": apart,
        "obstacle": hazard.name,
        "least": least,
    }
    text = say(
        "Moved in full, the {face} in of the roll would take {charger} into {obstacle}.", **told
    )
    if apart >= 0.0:
        text = say(
            "Moved in full, the {face} in of the roll would take {charger} to {apart:.2f} in from {obstacle}; "
            "{least:.4g} in must be left.",
            **told,
        )
    end = leg.at(leg.amount)
    found = Finding(
        "conquest.failed.halt",
        ok=False,
        text=text,
        measured=apart,
        limit=least,
        margin=apart - least,
    )
    step = Step(
        "failed_move", charger.name, charger.pose, end, leg.amount, rules=("conquest.failed.move",)
    )
    yield Contrast("barred", found, units={charger.name: end}, steps=(step,))


def _other_side(declaration: Declaration, charged: ChargedFacing) -> Iterator[Contrast]:
    """Yield the side that is not charged although a part of the charger is in its arc: the next in area, or the first
    if out of reach.
    """
    scene, (first, second, *_) = declaration.scene, declaration.facings
    told = {
        "charger": scene.charger.name,
        "target": scene.target.name,
        "side": first.label,
        "charged": charged.label,
    }
    areas = {"area": first.area, "most": charged.area}
    if charged is not first:
        text = say(
            "{area:.2f} square inches of {charger} are in the arc of {target}'s {side}, but no wheel brings a stand "
            "to it; so the {charged} is charged, with {most:.2f}.",
            **told,
            **areas,
        )
        yield _passed(scene, first, text)
    elif second.area > AREA:
        margin = second.area - first.area
        told |= {"side": second.label}
        text = say(
            "{area:.2f} square inches of {charger} are in the arc of {target}'s {side}, {most:.2f} in that of the "
            "{charged}, which is charged.",
            **told,
            **areas | {"area": second.area},
        )
        found = Finding(
            "conquest.facing.charged",
            ok=False,
            text=text,
            measured=second.area,
            limit=first.area,
            margin=margin,
        )
        yield Contrast("other", found)


def _passed(scene: Scene, first: ChargedFacing, text: str) -> Contrast:
    """Return the contrast of the side that no wheel reaches, with how far the charger's front is past its line if it
    is.
    """
    charger = scene.charger
    facing = first.facing
    ends = {facing.coordinates(end): end for end in (charger.front_left, charger.front_right)}
    (along, height), end = max(ends.items(), key=lambda one: one[0][1])
    mark = Mark(say("no wheel reaches it"), end, lines=(facing.ends,), stage="after")
    if height < -CONTACT:
        foot = facing.point(along)
        line = (min(facing.ends, key=lambda corner: math.dist(corner, foot)), foot)
        words = say(
            "{charger}'s front is {past} in past it", charger=charger.name, past=few_digits(-height)
        )
        mark = replace(mark, words=words, lines=(facing.ends, (foot, end)), limits=(line,))
    found = Finding(
        "conquest.facing.reach",
        ok=False,
        text=text,
        measured=0.0,
        limit=1.0,
        margin=-1.0,
        mark=mark,
    )
    heading = say("The {side}", side=first.label)
    return Contrast("barred", found, heading, {charger.name: charger.pose})


def _equal(result: FaceResult, trial: WheelOutcome) -> Iterator[Contrast]:
    """Yield the range of wheels that are as good as the one made and contains it, if it is wider than half a degree."""
    angle = math.degrees(trial.angle)
    windows = result.search.windows
    for window in (one for one in windows if one.corner.side == trial.side and angle > 0.0):
        low = math.degrees(window.low)
        high = math.degrees(window.high)
        if low - EQUAL <= angle <= high + EQUAL and high - low >= EQUAL:
            lengths = sorted(
                result.trial(Wheel(trial.side, end, 0.0, 0.0)).length
                for end in (window.low, window.high)
            )
            told = {
                "low": low,
                "high": high,
                "corner": word(trial.side),
                "least": lengths[0],
                "most": lengths[1],
                "taken": _taken(trial),
            }
            text = say(
                "Wheels of {low:.2f} to {high:.2f} degrees about the {corner} front corner bring as many stands and "
                "complete the charge as well, with {least:.2f} to {most:.2f} in of contact; {taken}.",
                **told,
            )
            found = Finding("conquest.wheel.policy", ok=True, text=text)
            yield Contrast("equal", found, range=ValueRange(low, high, "deg"))


def _taken(trial: WheelOutcome) -> str:
    """Return the clause that says which of equally good wheels was made."""
    if trial.scene.declarations.wheel is not None:
        return say("the player chose {angle:.2f} degrees", angle=math.degrees(trial.angle))
    return TAKEN[trial.scene.choices.wheel_policy]


def _barred(trial: WheelOutcome) -> Iterator[Contrast]:
    """Yield the contrast of a straight move that something bars; nothing if it misses the side, or nobody can turn
    flush.
    """
    hazard = trial.stopped_by
    if trial.kind == "blocked" and hazard is not None:
        found = broken_path(trial, hazard)
        free = trial.charge_legs[-1].meets(hazard) or 0.0
        rules = found.rule, "conquest.move.straight"
        yield barred_ahead(
            trial.scene.charger,
            hazard.name,
            free=free,
            margin=found.margin or 0.0,
            rules=rules,
            kind="advance",
        )


def _worse(trial: WheelOutcome, result: FaceResult, choice: Choice) -> Iterator[Contrast]:
    """Yield the contrast of a straight move that completes the charge, but not as well; nothing if it is as good."""
    scene = trial.scene
    most = choice.worth.stands
    if (
        trial.worth is None
        or trial.kind not in COMPLETED_BY
        or result.search.rank(trial.worth) <= result.search.rank(choice.worth)
    ):
        return
    told = {
        "reached": counted(trial.stands, "stands"),
        "side": trial.charged.label,
        "target": scene.target.name,
        "most": most,
    }
    text = say(
        "Straight ahead {reached} would be brought to the {side} of {target}; the best wheel brings {most}.",
        **told,
    )
    words = say("only {count}", count=counted(trial.stands, "stands"))
    if trial.stands >= most:
        how = {"fate": COMPLETED_BY[trial.kind], "better": COMPLETED_BY[choice.worth.kind]}
        text = say(
            "Straight ahead the charge would be completed by {fate}; the best wheel completes it by {better}.",
            **how,
        )
        words = say("only by {fate}", **how)
    done = CompletedWheel(trial, choice)
    units = {scene.charger.name: trial.end, **trial.pushed}
    if scene.target.unit is not None and trial.target_end is not None:
        units[scene.target.name] = trial.target_end
    charger = scene.charger
    step = Step(
        "advance",
        charger.name,
        charger.pose,
        charger.pose.advanced(trial.way),
        trial.way,
        rules=("conquest.move.straight",),
    )
    mark = Mark(words, trial.end.advanced(-scene.charger.depth).at, stage="after")
    yield Contrast(
        "worse",
        Finding(STANDS_RULE, ok=False, text=text, mark=mark),
        say("Straight ahead"),
        units,
        goals={STANDS_RULE: (float(most), float(trial.stands))},
        steps=(step,),
        models_in_contact=evidence_contacts(done),
    )

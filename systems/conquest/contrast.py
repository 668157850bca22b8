"""Contrasts of Conquest: the charge straight ahead, which would bring fewer stands, miss the side charged, or which something bars."""

import math
from collections.abc import Iterator, Sequence

from systems.conquest.attempt import CompletedWheel, FaceResult, WheelOutcome, evidence_contacts
from systems.conquest.conditions import broken_path
from systems.conquest.explain import COMPLETED_BY
from systems.conquest.resolve import attempt_of
from systems.conquest.search import Choice, Wheel, WheelInterval
from tabletop.budget import Budget
from tabletop.messages import counted, say, word
from tabletop.ruling.charge import Step
from tabletop.ruling.contrast import Contrast, ValueRange, barred_ahead
from tabletop.ruling.evidence import Mark
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Resolution, Ruling

STANDS_RULE = "conquest.wheel.most-stands"

EQUAL = 0.5
"""Degrees from which a range of equally good wheels is reported."""


def contrasts(case: Case, resolution: Resolution, ruling: Ruling, *, budget: Budget) -> Iterator[Contrast]:
    """Yield the contrasts of a successful charge: the one straight ahead if it wheels, and wheels that are as good."""
    if ruling.outcome != "success" or ruling.open:
        return
    attempt = attempt_of(case, ruling.charge, state=resolution.tables_of(ruling)[0], budget=budget)
    settled = attempt.settled(int(ruling.metrics["roll"]))
    if settled is None or (choice := settled.search.choice) is None:
        return
    windows = [settled.search.window(number, run) for number, run in settled.search.best_runs]
    if min(math.degrees(window.low) for window in windows) >= EQUAL:  # else the charge straight ahead is as good by a hair
        straight = settled.trial(Wheel("left", 0.0, 0.0, 0.0))
        yield from _barred(straight) if straight.worth is None else _worse(straight, settled, choice)
    yield from _equal(windows, choice, settled.attempt.scene.choices.wheel_policy)


def _equal(windows: Sequence[WheelInterval], choice: Choice, policy: str) -> Iterator[Contrast]:
    """Yield the range of wheels that are as good as the chosen one and contains it, if it is wider than half a degree."""
    angle = math.degrees(choice.wheel.angle)
    for window in (one for one in windows if one.corner.side == choice.wheel.side):
        low, high = math.degrees(window.low), math.degrees(window.high)
        if low - EQUAL <= angle <= high + EQUAL and high - low >= EQUAL:
            text = say(
                "Wheels of {low:.2f} to {high:.2f} degrees about the {corner} front corner bring as many stands and complete the charge "
                "as well; the option '{policy}' chooses among them.",
                low=low, high=high, corner=word(choice.wheel.side), policy=policy,
            )  # fmt: skip
            yield Contrast("equal", "conquest.wheel.policy", text, range=ValueRange(low, high, "deg"))


def _barred(trial: WheelOutcome) -> Iterator[Contrast]:
    """Yield the contrast of a straight move that something bars; nothing if it misses the side, or nobody can turn flush."""
    hazard = trial.stopped_by
    if trial.kind == "blocked" and hazard is not None:
        found = broken_path(trial, hazard)
        free = trial.charge_legs[-1].meets(hazard) or 0.0
        rules = found.rule, "conquest.move.straight"
        yield barred_ahead(trial.scene.charger, hazard.name, free=free, margin=found.margin or 0.0, rules=rules, kind="advance")


def _worse(trial: WheelOutcome, settled: FaceResult, choice: Choice) -> Iterator[Contrast]:
    """Yield the contrast of a straight move that completes the charge, but not as well; nothing if it is as good."""
    scene, most = trial.scene, choice.worth.stands
    if trial.worth is None or trial.kind not in COMPLETED_BY or settled.search.rank(trial.worth) <= settled.search.rank(choice.worth):
        return
    told = {"reached": counted(trial.stands, "stands"), "side": trial.charged.label, "target": scene.target.name, "most": most}
    text = say("Straight ahead {reached} would be brought to the {side} of {target}; the best wheel brings {most}.", **told)
    words = say("only {count}", count=counted(trial.stands, "stands"))
    if trial.stands >= most:
        how = {"fate": COMPLETED_BY[trial.kind], "better": COMPLETED_BY[choice.worth.kind]}
        text = say("Straight ahead the charge would be completed by {fate}; the best wheel completes it by {better}.", **how)
        words = say("only by {fate}", **how)
    done = CompletedWheel(trial, choice)
    units = {scene.charger.name: trial.end, **trial.pushed}
    if scene.target.unit is not None and trial.target_end is not None:
        units[scene.target.name] = trial.target_end
    charger = scene.charger
    step = Step("advance", charger.name, charger.pose, charger.pose.advanced(trial.way), trial.way, rules=("conquest.move.straight",))
    yield Contrast(
        "worse", STANDS_RULE, text, say("Straight ahead"), words, units, goals={STANDS_RULE: (float(most), float(trial.stands))},
        steps=(step,), models_in_contact=evidence_contacts(done),
        mark=Mark(words, trial.end.advanced(-scene.charger.depth).at, stage="after"),
    )  # fmt: skip

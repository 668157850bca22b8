"""Judge of a proposed end position: it is right if a wheel as good as the best ends there."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from systems.conquest.alignment import Alignment
from systems.conquest.attempt import (
    Attempt,
    CompletedWheel,
    FaceResult,
    WheelOutcome,
    evidence_contacts,
)
from systems.conquest.candidates import WheelCandidates
from systems.conquest.conditions import blocking_findings
from systems.conquest.corner import Corner
from systems.conquest.explain import (
    COMPLETED_BY,
    NOT_COMPLETED,
    completed_steps,
    stands_reach,
    wheel_findings,
)
from systems.conquest.resolve import ruled
from systems.conquest.scene import Scene
from systems.conquest.search import WHEEL_STEP, Choice, Wheel, WheelInterval
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import rotated
from tabletop.geometry.motion import GAP_ROUNDING
from tabletop.geometry.pose import Pose
from tabletop.messages import counted, say
from tabletop.optimise.univariate import maximise_unimodal, sample_grid
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Mark, length_between
from tabletop.ruling.finding import Finding
from tabletop.ruling.judge import JudgedUnit, Referee, Turn, distance_off, looks_away, must_stand
from tabletop.ruling.verdict import Ruling
from tabletop.table.state import State
from tabletop.units import CONTACT, HAND, MEANT, wrapped


@dataclass(frozen=True)
class Judge(Referee):
    """Judge of proposed end poses of chargers: right if a wheel as good as the best leads there."""

    right = say("The proposal is legal, and no wheel serves the rules better.")
    perhaps_right = say(
        "The proposal is legal, and no wheel was found that serves the rules better."
    )

    def ends(self, ruling: Ruling) -> Mapping[str, Pose]:
        """Return the pose of the charger at the end of its completed charge, by name."""
        own = [
            step.end
            for step in ruling.steps
            if step.unit == ruling.charge.charger and step.end is not None
        ]
        return {ruling.charge.charger: own[-1]}

    def held(self, turn: Turn) -> tuple[JudgedUnit, State]:
        """Return the judgement on the charger's proposed end and the table after it, compared with all wheels as good
        as the best.
        """
        if not turn.places:
            return super().held(turn)
        attempt: Attempt = turn.ruling.attempt.on(turn.table, self.budget)
        result = attempt.result
        if result is None or attempt.done is None:
            return _undone(attempt), attempt.after
        is_measured = bool(turn.claim) and self.case.measured is not None
        claim = Claim(result, attempt.done, turn.places[turn.name], is_measured)
        unit, state = _judged(claim)
        return replace(unit, proof=turn.ruling.proof), state

    def left(self, turn: Turn) -> State:
        """Return the table after a charge is resolved with the face that was kept."""
        attempt: Attempt = turn.ruling.attempt.on(turn.table, self.budget)
        return attempt.after

    def moved_by(self, name: str, mover: Ruling) -> str:
        """Return the name of the rule by which the charge `mover` moves a unit other than its charger."""
        return "conquest.align.target-wheels" if name in mover.charge.targets else "conquest.push"


@dataclass(frozen=True, eq=False)
class Claim:
    """A charge that a wheel completes, and the end pose that is claimed for its charger.

    Attributes
    ----------
    result
        The result of the face of the die that is kept.
    best
        The wheel that the rules choose, or the player's own.
    pose
        Claimed pose of the charger at the end.
    is_measured
        Whether the claim was measured on a table: then its stands are counted even if it breaks a limit.
    """

    result: FaceResult
    best: CompletedWheel
    pose: Pose
    is_measured: bool

    @property
    def scene(self) -> Scene:
        """The charge with all regiments and terrain around it."""
        return self.best.trial.scene

    @property
    def choice(self) -> Choice:
        """The choice of the rules."""
        return self.best.choice

    def nearest(self) -> WheelOutcome | None:
        """Return a wheel as good as the best after which the charger ends as claimed, within MEANT inches; None if
        there is none.

        Tried are the choice itself, and the wheels of the best worth that end nearest to the claim.
        """
        wheels = (
            wheel for window in self.result.search.windows for wheel in self._in_window(window)
        )
        trials = chain(
            [self.result.chosen(self.choice)],
            (
                self.result.trial(wheel, slack=slack)
                for wheel in wheels
                for slack in (CONTACT, GAP_ROUNDING)
            ),
        )
        worth = self.choice.worth
        as_good = (trial for trial in trials if trial.worth == worth)
        return next((trial for trial in as_good if self.off(trial) <= MEANT), None)

    def _in_window(self, window: WheelInterval) -> Iterator[Wheel]:
        """Yield the wheels to try in one interval of best wheels: the ones whose end is nearest to the claim."""
        corner = window.corner
        tried = window.angles[window.run.first : window.run.last + 1]
        angles = np.unique(
            np.concatenate(
                [[window.low], tried[(tried > window.low) & (tried < window.high)], [window.high]]
            )
        )
        yield from (
            Wheel(corner.side, angle, 0.0, 0.0)
            for angle in self._closest(corner, angles, window.worth.kind)
        )

    def _closest(self, corner: Corner, angles: FloatArray, kind: str) -> Iterator[float]:
        """Yield two of the angles, in radians, whose ends are nearest to the claim: one refined between samples, and
        the best sample.
        """
        off = _ends_off(WheelCandidates(corner, angles), self.pose, kind)
        best = int(off.argmin())
        low = float(angles[max(best - 1, 0)])
        high = float(angles[min(best + 1, len(angles) - 1)])
        yield maximise_unimodal(
            lambda some: -_ends_off(WheelCandidates(corner, some), self.pose, kind), low, high
        )
        yield float(angles[best])

    def any_wheel(self) -> tuple[WheelOutcome | None, float]:
        """Return some wheel, good or not, after which the charger is where claimed, flush or at first contact; None if
        there is none.

        The other value is how far, in inches, the charger ends from there after that wheel or, if there is none, after
        the nearest one found; inf if no wheel reaches the target.
        """
        limit = self.scene.book.wheel_limit
        least = math.inf
        for corner in self.result.tried.corners:
            angles = sample_grid(0.0, limit, step=WHEEL_STEP)
            angles = angles[WheelCandidates(corner, angles).reaches]
            for kind in ("own", "turned"):
                for angle in self._closest(corner, angles, kind) if len(angles) else ():
                    trial = self.result.trial(Wheel(corner.side, angle, 0.0, 0.0))
                    off = float(_ends_off(trial.fan, self.pose, kind)[0])
                    if off <= MEANT:
                        return trial, off
                    least = min(least, off)
        return None, least

    def off(self, trial: WheelOutcome) -> float:
        """Return the greatest distance, in inches, between a corner of the claimed frame and its place at the end of a
        wheel.
        """
        return distance_off(self.scene.charger, self.pose, trial.end)


def _ends_off(fan: WheelCandidates, pose: Pose, kind: str) -> FloatArray:
    """Return the greatest distance (k,), in inches, between corners of a charger in a pose and at the end of k wheels;
    inf if none.

    `kind` is the way in which the charge ends: "turned" and "touch" leave the charger as it touches, others turn it
    flush.
    """
    alignment = Alignment(fan)
    view = fan.corner.view
    body = (
        alignment.charger if kind in ("turned", "touch") else rotated(alignment.charger, fan.turns)
    )
    ring = body + alignment.contacts[:, None] - np.array([fan.width, 0.0])
    claimed = view.ring(fan.corner.scene.charger.at(pose).boundary.pieces[0])
    here = rotated(ring, -fan.angles) - (
        np.roll(claimed, 2, axis=0) if view.is_mirrored else claimed
    )
    off: FloatArray = np.hypot(here[..., 0], here[..., 1]).max(axis=1)
    return np.where(np.isfinite(off), off, np.inf)


def _undone(attempt: Attempt) -> JudgedUnit:
    """Return the judgement on the claimed end of a charger that cannot complete its charge."""
    ruling = ruled(attempt)
    why = ruling.finding(ruling.rule or "", ok=False)
    assert why is not None  # noqa: S101
    text = say(
        "If the earlier charges end as proposed, {name} cannot complete its own. {text}",
        name=ruling.charge.charger,
        text=why.text,
    )
    return JudgedUnit((replace(why, text=text),))


def _judged(claim: Claim) -> tuple[JudgedUnit, State]:
    """Return the judgement on the claimed end of a charger whose charge completes, and the table after it."""
    choice = claim.choice
    trial = claim.nearest()
    if trial is not None:
        done = CompletedWheel(trial, choice)
        charger = claim.scene.charger
        where = say(
            "where its charge ends after a wheel of {angle:.2f} degrees",
            angle=math.degrees(trial.angle),
        )
        findings = (
            *wheel_findings(trial, choice),
            must_stand(charger, claim.pose, trial.end, rule="conquest.align.flush", where=where),
        )
        return JudgedUnit(
            findings, evidence_contacts(done), steps=_own_steps(claim, done), meant=trial.end
        ), done.after
    unit = _broken(claim)
    looks_at_it = (
        abs(wrapped(claim.pose.heading - claim.result.tried.charged.heading)) < math.pi / 2
    )
    if (
        claim.is_measured
        and looks_at_it
        and "conquest.wheel.most-stands" not in {finding.rule for finding in unit.findings}
    ):
        unit = replace(unit, findings=(*unit.findings, _stands_all_the_same(claim)))
    return unit, claim.best.after


def _own_steps(claim: Claim, done: CompletedWheel) -> tuple[Step, ...]:
    """Return the steps of a completed charge that move the charger itself."""
    return tuple(step for step in completed_steps(done) if step.unit == claim.scene.charger.name)


def _broken(claim: Claim) -> JudgedUnit:
    """Return the judgement on a claim to which no wheel as good as the best leads: the rules that it breaks."""
    trial, off = claim.any_wheel()
    if trial is None:
        return JudgedUnit(tuple(_unreached(claim, off)))
    if trial.worth is None or claim.off(trial) > MEANT:
        return JudgedUnit(_worse_wheel(trial, claim.choice))
    done = CompletedWheel(trial, claim.choice)
    met = evidence_contacts(done)
    could = evidence_contacts(claim.best)
    lacking = {
        name: tuple(one for one in numbers if one not in met[name])
        for name, numbers in could.items()
    }
    mark = Mark(
        say("could be in contact"),
        models={name: numbers for name, numbers in lacking.items() if numbers},
    )
    findings = _worse_wheel(trial, claim.choice, mark)
    return JudgedUnit(findings, met, steps=_own_steps(claim, done))


def _unreached(claim: Claim, off: float) -> list[Finding]:
    """Return the findings on a claim to which no wheel leads: a front that is not flush or looks away, or no such
    wheel.

    `off` is how far, in inches, the claim is from where the nearest wheel leads; inf if none leads to the target.
    """
    scene = claim.scene
    charged = claim.result.tried.charged
    facing = charged.facing
    unit = scene.charger.at(claim.pose)
    height = max(
        abs(facing.coordinates(corner)[1]) for corner in (unit.front_left, unit.front_right)
    )
    side = say("the {side} of {target}", side=charged.label, target=scene.target.name)
    is_flush = claim.choice.worth.kind in ("own", "push")
    if height > MEANT and is_flush:
        text = say(
            "A front corner of {unit} is {height:.4f} in off the line of {side}; the front must be flush with it.",
            unit=unit.name,
            height=height,
            side=side,
        )
        end = max(
            (unit.front_left, unit.front_right),
            key=lambda corner: abs(facing.coordinates(corner)[1]),
        )
        line = length_between(facing.point(facing.coordinates(end)[0]), end)
        mark = Mark(dimensions=(line,))
        return [
            Finding(
                "conquest.align.flush",
                False,  # noqa: FBT003
                text,
                height,
                0.0,
                0.0 - height,
                allowance=HAND,
                mark=mark,
            )
        ]
    away = looks_away(
        claim.pose,
        facing.flush_pose(0.0, unit.width).heading,
        rule="conquest.align.flush",
        facing=side,
    )
    if away is not None and is_flush:
        return [away]
    mark = Mark(say("no wheel leads here"), models={unit.name: ()})
    if math.isinf(off):
        text = say(
            "No wheel about a front corner followed by a straight move brings {unit} there.",
            unit=unit.name,
        )
        return [Finding("conquest.wheel.free", ok=False, text=text, mark=mark)]
    text = say(
        "No wheel about a front corner followed by a straight move brings {unit} there; the nearest found ends "
        "{off:.4f} in away.",
        unit=unit.name,
        off=off,
    )
    return [
        Finding(
            "conquest.wheel.free",
            ok=False,
            text=text,
            measured=off,
            limit=HAND,
            margin=HAND - off,
            mark=mark,
        )
    ]


def _stands_all_the_same(claim: Claim) -> Finding:
    """Return the finding on how many front stands of a claim are in front of the charged side, though it breaks other
    rules.
    """
    charged = claim.result.tried.charged
    facing = charged.facing
    scene = claim.scene
    most = claim.choice.worth.stands
    unit = scene.charger.at(claim.pose)
    is_point_enough = scene.choices.corner_contact == "counts"
    first = facing.coordinates(unit.front_right)[0]
    wide = [
        (first + number * unit.base.width, first + (number + 1) * unit.base.width)
        for number in range(unit.files)
    ]
    shared = [min(high, facing.length) - max(low, 0.0) for low, high in wide]
    stands = sum(length >= -CONTACT if is_point_enough else length > CONTACT for length in shared)
    told = {"stands": counted(stands, "stands"), "side": charged.label, "most": most}
    text = say(
        "Also measured: {stands} in front of the {side}; the best wheel brings {most}.", **told
    )
    return Finding("conquest.wheel.most-stands", stands >= most, text, stands, most, stands - most)


def _worse_wheel(
    trial: WheelOutcome, choice: Choice, mark: Mark | None = None
) -> tuple[Finding, ...]:
    """Return the findings that say why a wheel is not as good as the best one; `mark` is drawn for fewer stands."""
    if trial.rule is not None:
        return blocking_findings(trial)
    if (
        trial.worth is not None
        and trial.worth.stands == choice.worth.stands
        and trial.kind == "turned"
    ):
        text = say(
            "After another wheel {charger} can turn flush itself, so that the target need not turn.",
            charger=trial.scene.charger.name,
        )
        return (Finding("conquest.align.target-wheels", ok=False, text=text),)
    if trial.worth == choice.worth:
        told = {
            "name": trial.scene.charger.name,
            "side": trial.charged.label,
            "target": trial.scene.target.name,
        }
        text = say(
            "{name} must turn flush with the {side} of {target} where it touches it.", **told
        )
        return (Finding("conquest.align.flush", ok=False, text=text),)
    most = choice.worth.stands
    reach = stands_reach(trial.stands)
    side = trial.charged.label
    text = say(
        "{reach} the {side}; a better wheel brings {most}.", reach=reach, side=side, most=most
    )
    if trial.stands == most:
        told = {"reach": reach, "side": side, "charger": trial.scene.charger.name}
        told |= {
            "ends": COMPLETED_BY.get(trial.kind, NOT_COMPLETED),
            "better": COMPLETED_BY.get(choice.worth.kind, NOT_COMPLETED),
        }
        both = (
            "{reach} the {side}, and {charger} completes the charge by {ends}; a better wheel brings as many stands "
            "and completes it by {better}."
        )
        text = say(both, **told)
    return (
        Finding(
            "conquest.wheel.most-stands",
            ok=False,
            text=text,
            measured=trial.stands,
            limit=most,
            margin=trial.stands - most,
            mark=mark,
        ),
    )

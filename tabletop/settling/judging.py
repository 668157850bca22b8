"""Judging measured places: right or wrong wherever they lie within their accuracy, or undecided at this accuracy.

`Claimed` gives the exact places that a measured one may stand for: what must be equal is equal there, and they lie within its accuracy.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely

from tabletop.budget import deadline_passed, limit_struck
from tabletop.errors import NoVerdictError, message_of
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.geometry.pose import Pose
from tabletop.messages import counted, for_judge, say
from tabletop.ruling.finding import Finding
from tabletop.ruling.judge import place_moved
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.settling.bodies import Body, longer_side
from tabletop.settling.constraints import SetUpConstraints
from tabletop.settling.settle import SettleProblem
from tabletop.settling.uncertainty import decides, play_of, searched
from tabletop.table.accuracy import Accuracy, Measured
from tabletop.table.models import Formation, Model, Squad
from tabletop.table.state import Regiment, State, Terrain
from tabletop.units import MEANT, wrapped

SLIDES = 9
"""Number of places along a facing, from one end of the accuracy to the other."""

SAME_PLACE_TOLERANCE = 1e-9
"""Places closer than this, in inches and radians, are equal."""

ELSEWHERE = 2
"""Number of places examined on each table other than the settled one."""

Judged = Callable[[Case, Resolution], Judgement]

Places = Mapping[str, Any]


@dataclass(frozen=True)
class JudgedPlace:
    """Exact places that a claim may stand for on one table, and the judgement on them."""

    places: Places
    judgement: Judgement
    table: State

    @property
    def is_right(self) -> bool:
        """Whether they are what the rules demand."""
        return self.judgement.is_right

    @property
    def claimed(self) -> State:
        """The table with the units at these places."""
        state = self.table
        for name, place in self.places.items():
            state = state.with_unit(state.units[name].at(place))
        return state


def judged_measured(case: Case, resolution: Resolution, judge: Judged) -> Judgement:
    """Judge a claim by exact places within its accuracy, on the settled table and on the alternatives.

    `judge` judges exact places. Of the exact places the nearest to the measured ones is told as the one that was meant.

    Raises
    ------
    NoVerdictError
        If not all places could be judged that were meant to be, and those that were have one answer: the others may have another.
    """
    proposal = case.proposal or {}
    tried, ended = _tried(case, resolution, judge)
    if not tried:  # what must be equal cannot be within the accuracy: the claim as it is says by how much
        exact = _beyond(case, judge(case, resolution))
        return replace(exact, open=(), **_meant(case, proposal))
    right = [one for one in tried if one.is_right]
    wrong = [one for one in tried if not one.is_right]
    told = searched(counted(len(tried), "places"), is_whole=not ended)
    hangs = tuple(dict.fromkeys(rule for ruling in resolution.rulings if ruling.charge.charger in proposal for rule in ruling.open or ()))
    if ended and not (right and (wrong or hangs)):
        raise NoVerdictError("the places that were left out might change the verdict ({told}): {ended}", told=told, ended=ended)
    if not wrong and not hangs:
        first = next((one for one in right if one.judgement.outcome == "legal"), right[0])
        text = say("The proposal is what the rules demand wherever it lies within its accuracy ({told}).", told=told)
        if first.judgement.outcome == "legal":
            message = (
                "The proposal is legal wherever it lies within its accuracy ({told}); that nothing serves the goals better is not proved."
            )
            text = say(message, told=told)
        return replace(first.judgement, summary=text, open=(), proof="best_found", **_meant(case, first.places))
    if not right:
        first = _surely(wrong)
        text = say("{summary} Nor is any other place within the accuracy right ({told}).", summary=first.judgement.summary, told=told)
        return replace(first.judgement, summary=text, open=(), **_meant(case, first.places))
    return _undecided(case, resolution, tried, hangs, told)


def _surely(wrong: Sequence[JudgedPlace]) -> JudgedPlace:
    """Return the first of several wrong places that a rule decides which every place breaks, if any.

    What one place breaks and another keeps is open: within the accuracy it decides nothing by itself.
    """
    broken = [{finding.rule for finding in one.judgement.findings if not finding.ok} for one in wrong]
    sure = set.intersection(*broken)
    first = next((one for one in wrong if one.judgement.rule in sure), wrong[0])
    findings = tuple(replace(one, is_open=not one.ok and one.rule not in sure) for one in first.judgement.findings)
    judgement = _decided(replace(first.judgement, findings=findings), [one for one in findings if not one.ok and one.rule in sure])
    return replace(first, judgement=judgement)


def _beyond(case: Case, exact: Judgement) -> Judgement:
    """Return a judgement decided by what no accuracy explains, rather than by a length within it."""
    claimed = 0.0 if case.measured is None else case.measured.proposal.at
    most = claimed + max(play_of(case).values(), default=0.0)
    return _decided(exact, [one for one in exact.findings if not one.ok and not -most <= one.slack <= 0.0])


def _decided(judgement: Judgement, sure: Sequence[Finding]) -> Judgement:
    """Return a judgement decided by one of some findings: by the present one if it is among them, else by the first."""
    if not sure or judgement.rule in {finding.rule for finding in sure}:
        return judgement
    text = say("The proposal is not what the rules demand. {text}", text=sure[0].text)
    return replace(judgement, rule=sure[0].rule, summary=text)


def _tried(case: Case, resolution: Resolution, judge: Judged) -> tuple[list[JudgedPlace], str]:
    """Judge exact places on the settled table, then on the others; also return what ended this early, if anything."""
    found: list[JudgedPlace] = []
    try:
        for number, on_table in enumerate((resolution, *resolution.elsewhere)):
            asked = replace(case, state=on_table.before)
            for count, places in enumerate(_meanings(case, on_table)):
                if number and count >= ELSEWHERE:
                    break
                if found and deadline_passed():
                    return found, say("the search ended at {limit}", limit=limit_struck())
                found.append(JudgedPlace(places, judge(replace(asked, proposal=places), on_table), on_table.after))
    except NoVerdictError as error:
        if not found:
            raise
        return found, message_of(error)
    limit = resolution.elsewhere_limit
    return found, say("the search ended at {limit}", limit=limit) if limit else ""


def _meanings(case: Case, resolution: Resolution) -> Iterator[Places]:
    """Yield exact places of all claimed units: all nearest first, then each unit's others; none if one unit has none."""
    accuracy = case.measured.proposal if case.measured is not None else None
    if accuracy is None or case.proposal is None:
        return
    lists = {name: MeasuredClaim(case, resolution, name, accuracy).places(place) for name, place in case.proposal.items()}
    if not all(lists.values()):
        return
    nearest = {name: places[0] for name, places in lists.items()}
    yield nearest
    for name, places in lists.items():
        yield from ({**nearest, name: place} for place in places[1:])


def _undecided(case: Case, resolution: Resolution, tried: list[JudgedPlace], hangs: tuple[str, ...], told: str) -> Judgement:
    """Return what is undecided, and what to measure."""
    right, wrong = next(one for one in tried if one.is_right), [one for one in tried if not one.is_right]
    failing = [finding for one in wrong for finding in one.judgement.findings if not finding.ok]
    broken = [one.judgement.rule for one in wrong if one.judgement.rule is not None]
    rules = tuple(dict.fromkeys((*hangs, *broken)))
    first = next((finding for finding in failing if finding.rule == rules[0]), None)
    charge = next((ruling.decides for ruling in resolution.rulings if rules[0] in (ruling.open or ())), None)
    findings = tuple(replace(finding, is_open=finding.rule in rules) for finding in right.judgement.findings)
    findings += () if first is None else (replace(first, is_open=True),)
    what = charge
    if first is not None:
        what = decides(case, first, [(one.claimed, one.judgement.findings) for one in tried], list(right.places))
    rule = for_judge(say(": {rule} is open", rule=rules[0]))
    text = say("At this accuracy it is undecided whether the proposal is what the rules demand{rule} ({told}).", rule=rule, told=told)
    if what is not None:
        text = say("{text} {decides}", text=text, decides=what.text)
    shown = right.judgement
    return Judgement(
        "undecided", rules[0], findings, text, open=rules, decides=what, **_meant(case, right.places),
        proof="best_found", evidence=shown.evidence, steps=shown.steps,
    )  # fmt: skip


def _meant(case: Case, places: Places) -> dict[str, Any]:
    return {"meant": places, "moved": {name: place_moved(place, places[name]) for name, place in (case.proposal or {}).items()}}


@dataclass(frozen=True)
class MeasuredClaim:
    """A unit's measured place on one table on which the charges were resolved."""

    case: Case
    resolution: Resolution
    name: str
    accuracy: Accuracy

    @property
    def is_charger(self) -> bool:
        """Whether its charge succeeded here, so that it has a choice of places."""
        return any(one.outcome == "success" and one.charge.charger == self.name for one in self.resolution.rulings)

    @property
    def targets(self) -> set[str]:
        """The targets of its charge."""
        return {target for one in self.resolution.rulings if one.charge.charger == self.name for target in one.charge.targets}

    def places(self, place: Pose | Formation) -> list[Pose | Formation]:
        """Return exact places within the accuracy, nearest first; empty if the required equalities hold in none of them."""
        unit = self.resolution.after.units[self.name]
        if isinstance(place, Pose) and isinstance(unit, Regiment):
            turn = self.accuracy.turning(longer_side(unit.boundary))
            fronts = [unit.pose, *(self._flush(place, turn) if self.is_charger else ())]
            near = [one for one in fronts if self._is_near(place, one, turn)]
            return list(_distinct(sorted(near, key=lambda one: math.dist(one.at, place.at))))
        if isinstance(place, Formation) and isinstance(unit, Squad) and len(unit.models) == len(place.poses):
            return self._formations(place, unit)
        return [place]

    def _is_near(self, measured: Pose, exact: Pose, turn: float) -> bool:
        """Return whether a measured pose may stand for an exact pose."""
        off, turned = math.dist(measured.at, exact.at), abs(wrapped(measured.heading - exact.heading))
        return off <= max(self.accuracy.at, MEANT) + SAME_PLACE_TOLERANCE and (
            turned <= turn + SAME_PLACE_TOLERANCE or turned * off <= MEANT * MEANT
        )

    def _flush(self, measured: Pose, turn: float) -> Iterator[Pose]:
        """Yield poses flush with the target's edges, as far to either side as the accuracy allows."""
        reach = max(self.accuracy.at, MEANT)
        for start, end in _edges(self.resolution.after, self.targets):
            along = (end - start) / np.hypot(*(end - start))
            outward = np.array([along[1], -along[0]])
            heading = math.atan2(-outward[1], -outward[0])
            off = float((np.array(measured.at) - start) @ outward)
            if abs(off) > reach or abs(wrapped(heading - measured.heading)) > turn + SAME_PLACE_TOLERANCE:
                continue
            middle, half = float((np.array(measured.at) - start) @ along), math.sqrt(reach**2 - off**2)
            for slide in middle + half * np.linspace(-1.0, 1.0, SLIDES):
                x, y = start + slide * along
                yield Pose(float(x), float(y), heading)

    def _formations(self, place: Formation, unit: Squad) -> list[Pose | Formation]:
        """Return formations that keep all contacts which the accuracy allows: the resolved one, the nearest, and some displaced."""
        found: list[Pose | Formation] = []
        turns = [self.accuracy.turning(longer_side(model.footprint)) for model in unit.models]
        near = [
            self._is_near(pose, model.pose, turn) and abs(z - model.z) <= MEANT
            for pose, z, model, turn in zip(place.poses, place.heights, unit.models, turns, strict=True)
        ]
        if all(near):
            found.append(replace(unit.place, order=place.order))
        if self.is_charger:
            found += [one for one in self._snapped(place, unit) if one not in found]
        return found

    def _snapped(self, place: Formation, unit: Squad) -> Iterator[Formation]:
        room = self.case.system.vocabulary.room
        if room is None:
            return
        state = self.resolution.after.with_unit(unit.at(replace(place, order=None)))
        measured = Measured(own={self.name: self.accuracy})
        charges = list(enumerate(self.case.charges))
        settling = SettleProblem.of(state, measured, room(state, charges, self.case.choices))
        contacts = self._contacts(settling)
        for aim in (np.zeros(3), *np.vstack([np.eye(3)[:2], -np.eye(3)[:2]])):
            units = np.array([aim if body.is_free else np.zeros(3) for body in settling.bodies])
            kept = _touching(settling, contacts, units)
            if kept is not None:
                squad: Squad = settling.table(kept).units[self.name]
                yield replace(squad.place, order=place.order)

    def _contacts(self, settling: SettleProblem) -> list[tuple[float, int, int]]:
        """Return pairs of own models and target models that may touch, nearest first: gap and numbers."""
        targets = self.targets
        own = [number for number, body in enumerate(settling.bodies) if body.name == self.name]
        foes = [number for number, body in enumerate(settling.bodies) if body.name in targets]
        pairs: list[tuple[float, int, int]] = []
        for one in own:
            for two in foes:
                body, foe = settling.bodies[one], settling.bodies[two]
                if _level(body, foe) and not are_boxes_apart(body.shape, foe.shape, by=body.play + MEANT):
                    apart = gap(body.shape, foe.shape)
                    if abs(apart) <= body.play + MEANT:
                        pairs.append((apart, min(one, two), max(one, two)))
        return sorted(pairs)


def _level(body: Body, foe: Body) -> bool:
    return isinstance(body.thing, Model) and isinstance(foe.thing, Model) and abs(body.thing.z - foe.thing.z) <= MEANT


def _touching(settling: SettleProblem, contacts: Sequence[tuple[float, int, int]], aim: FloatArray) -> FloatArray | None:
    """Return the variables of the nearest table that keeps as many contacts as possible, nearest first."""
    demands = SetUpConstraints(settling.state.board, settling.bodies, settling.room)
    kept: list[tuple[int, int]] = [(one, two) for _, one, two in contacts]
    while True:
        pairs = set(kept)
        others = tuple(demand for demand in settling.demands if tuple(demand.bodies) not in pairs)
        found = replace(settling, demands=(*others, *(demands.touching(one, two) for one, two in kept))).nearest(aim)
        if found is not None or not kept:
            return found
        kept.pop()


def _edges(state: State, names: set[str]) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the edges of regiments and terrain, each with the body on its left."""
    shapes = [unit.boundary for name, unit in state.units.items() if name in names]
    shapes += [piece.shape for piece in state.terrain if isinstance(piece, Terrain) and piece.name in names]
    for shape in shapes:
        if isinstance(shape.core, shapely.Polygon):
            ring = shape.outline()
            yield from zip(ring, np.roll(ring, -1, axis=0), strict=True)


def _distinct(poses: Sequence[Pose]) -> Iterator[Pose]:
    last: Pose | None = None
    for pose in poses:
        if last is None or math.dist(last.at, pose.at) > SAME_PLACE_TOLERANCE:
            yield pose
        last = pose

"""Judging measured places: right or wrong wherever they lie within their accuracy, or undecided at this accuracy.

`MeasuredClaim` gives the exact places that a measured one may stand for: those within its accuracy at which whatever
must be equal (contact, flush fronts) is equal.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
import shapely

from tabletop.budget import deadline_passed, limit_struck
from tabletop.errors import NoVerdictError, ScenarioError, message_of
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.geometry.pose import Pose
from tabletop.messages import counted, for_judge, say
from tabletop.ruling.claimed import with_units_at
from tabletop.ruling.finding import Finding
from tabletop.ruling.judge import place_moved
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.settling.bodies import Body, longer_side
from tabletop.settling.constraints import SetUpConstraints
from tabletop.settling.settle import SettleProblem
from tabletop.settling.uncertainty import Play, compared, decides, gap_of, searched
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

ASIDE = np.vstack([np.eye(3)[:2], -np.eye(3)[:2]])
"""Displacements (4, 3), in units of accuracy, near which tables are looked for besides the nearest: along both axes."""

Judged = Callable[[Case, Resolution], Judgement]

Places = Mapping[str, Any]


@dataclass(frozen=True)
class JudgedPlace:
    """Exact places, by unit name, that a measured claim may stand for on one table, and the judgement on them.

    Attributes
    ----------
    measured, places
        The places as claimed on this table, and the exact ones.
    judgement
        The judgement on these.
    resolution
        The resolution of the charges on this table.
    """

    measured: Places
    places: Places
    judgement: Judgement
    resolution: Resolution

    @property
    def is_right(self) -> bool:
        """Whether the places keep every limit, and nothing better is known."""
        return self.judgement.is_right

    @property
    def claimed(self) -> State:
        """The table after the charges with the units at the exact places."""
        return with_units_at(self.resolution, self.places)

    @property
    def written(self) -> State:
        """The table after the charges with the units where they were measured."""
        return with_units_at(self.resolution, self.measured)

    @property
    def is_taken_to_touch(self) -> bool:
        """Whether a charger touches a target at the exact place and not where it was measured."""
        pairs = (
            (ruling.charge.charger, target)
            for ruling in self.resolution.rulings
            for target in ruling.charge.targets
        )
        asked = [pair for pair in pairs if pair[0] in self.places]
        return any(
            abs(gap_of(self.claimed, *pair)) <= MEANT < abs(gap_of(self.written, *pair))
            for pair in asked
        )

    @property
    def meant(self) -> dict[str, Any]:
        """The attributes of a judgement that say for which exact places the claims were taken, and how far these lie
        from them.
        """
        moved = {
            name: place_moved(place, self.places[name]) for name, place in self.measured.items()
        }
        return {"meant": self.places, "moved": moved}


def judged_measured(case: Case, resolution: Resolution, judge: Judged) -> Judgement:
    """Return the judgement on measured claims, from judgements on exact places within their accuracy and on other
    possible tables.

    Right if all are right, wrong if all are wrong, else "undecided" with what to measure again. `meant` of the result
    are the exact places that decided, the nearest to the measured ones first.

    Parameters
    ----------
    case
        The case with its claimed places and the accuracy.
    resolution
        Its resolution on the settled table, with those on other tables within the accuracy.
    judge
        Function that judges exact places.

    Raises
    ------
    NoVerdictError
        If a limit ended the search before all places were judged, and those that were agree: the others may differ.
    """
    tried, ended = _tried(case, resolution, judge)
    if tried:
        judgement = _judged_by(case, resolution, tried, ended)
        others = [one.judgement for one in tried]
    else:  # what must be equal cannot be within the accuracy: the claim as it is says by how much
        proposal = case.proposal or {}
        exact = JudgedPlace(proposal, proposal, judge(case, resolution), resolution)
        judgement = replace(_beyond(case, exact.judgement), open=(), **exact.meant)
        others = list(_nearby(case, resolution, judge))
    findings = (
        compared(judgement.findings, [one.findings for one in others], Play({}))
        if others
        else judgement.findings
    )
    return replace(judgement, findings=tuple(findings))


def _nearby(case: Case, resolution: Resolution, judge: Judged) -> Iterator[Judgement]:
    """Yield judgements on claims as they were measured on other tables, and displaced by their accuracy, while there is
    time.
    """
    off = case.measured.proposal.at if case.measured is not None else 0.0
    asked = [(_claimed(case, one), one) for one in resolution.elsewhere[:ELSEWHERE]]
    for x, y in ((off, 0.0), (-off, 0.0), (0.0, off), (0.0, -off)):
        asked.append(
            (
                {name: _displaced(place, x, y) for name, place in (case.proposal or {}).items()},
                resolution,
            )
        )
    with suppress(NoVerdictError, ScenarioError):
        for places, on_table in asked:
            if not deadline_passed():
                yield judge(replace(case, state=on_table.before, proposal=places), on_table)


def _displaced(place: Any, x: float, y: float) -> Any:
    """Return a place, or a formation, displaced by inches."""
    if isinstance(place, Pose):
        return replace(place, x=place.x + x, y=place.y + y)
    return replace(place, poses=tuple(_displaced(pose, x, y) for pose in place.poses))


def _judged_by(
    case: Case, resolution: Resolution, tried: list[JudgedPlace], ended: str
) -> Judgement:
    """Return the judgement that follows from those on exact places; `ended` says what ended the search for them early,
    in words or empty.

    Raises
    ------
    NoVerdictError
        If the search was ended early and those that were left out may differ.
    """
    proposal = case.proposal or {}
    right = [one for one in tried if one.is_right]
    wrong = [one for one in tried if not one.is_right]
    told = searched(counted(len(tried), "places"), is_whole=not ended)
    hangs = tuple(
        dict.fromkeys(
            rule
            for ruling in resolution.rulings
            if ruling.charge.charger in proposal
            for rule in ruling.open or ()
        )
    )
    if ended and not (right and (wrong or hangs)):
        raise NoVerdictError(
            "the places that were left out might change the verdict ({told}): {ended}",
            told=told,
            ended=ended,
        )
    if not wrong and not hangs:
        first = next((one for one in right if one.judgement.outcome == "legal"), right[0])
        text = say(
            "The proposal is what the rules demand wherever it lies within its accuracy ({told}).",
            told=told,
        )
        if first.is_taken_to_touch:
            text = say(
                "Taken to be in contact, which is within its accuracy, the claim is what the rules demand ({told}).",
                told=told,
            )
        if first.judgement.outcome == "legal":
            message = (
                "The proposal is legal wherever it lies within its accuracy ({told}); that nothing serves the goals "
                "better is not proved."
            )
            text = say(message, told=told)
        return replace(first.judgement, summary=text, open=(), **first.meant)
    if not right:
        first = _surely(wrong)
        text = say(
            "{summary} Nor is any other place within the accuracy right ({told}).",
            summary=first.judgement.summary,
            told=told,
        )
        return replace(first.judgement, summary=text, open=(), **first.meant)
    return _undecided(case, resolution, tried, hangs, told)


def _surely(wrong: Sequence[JudgedPlace]) -> JudgedPlace:
    """Return the first of several wrong claims that breaks a rule which all of them break, with that rule as the
    reason; else the first.

    A rule that one place breaks and another keeps is marked open: within the accuracy it decides nothing by itself.
    """
    broken = [
        {finding.rule for finding in one.judgement.findings if not finding.ok} for one in wrong
    ]
    sure = set.intersection(*broken)
    first = next((one for one in wrong if one.judgement.rule in sure), wrong[0])
    findings = tuple(
        replace(one, is_open=not one.ok and one.rule not in sure)
        for one in first.judgement.findings
    )
    judgement = _decided(
        replace(first.judgement, findings=findings),
        [one for one in findings if not one.ok and one.rule in sure],
    )
    return replace(first, judgement=judgement)


def _beyond(case: Case, exact: Judgement) -> Judgement:
    """Return a judgement, with a rule broken by more than the accuracy as the reason if there is one."""
    claimed = 0.0 if case.measured is None else case.measured.proposal.at
    play = Play.of(case)
    most = claimed + play.most(play.bodies)
    return _decided(
        exact, [one for one in exact.findings if not one.ok and not -most <= one.slack <= 0.0]
    )


def _decided(judgement: Judgement, sure: Sequence[Finding]) -> Judgement:
    """Return a judgement whose reason is one of the findings `sure`: unchanged if it is or there are none, else by the
    first of them.
    """
    if not sure or judgement.rule in {finding.rule for finding in sure}:
        return judgement
    text = say("The proposal is not what the rules demand. {text}", text=sure[0].text)
    return replace(judgement, rule=sure[0].rule, summary=text)


def _tried(case: Case, resolution: Resolution, judge: Judged) -> tuple[list[JudgedPlace], str]:
    """Return judgements on exact places, on the settled table and then on the others, and what ended this early, in
    words or empty.
    """
    found: list[JudgedPlace] = []
    try:
        for number, on_table in enumerate((resolution, *resolution.elsewhere)):
            asked = replace(case, state=on_table.before, proposal=_claimed(case, on_table))
            for count, places in enumerate(_meanings(asked, on_table, found)):
                if number and count >= ELSEWHERE:
                    break
                if found and deadline_passed():
                    return found, say("the search ended at {limit}", limit=limit_struck())
                # elsewhere a charge may fail before it loses those whom the claim leaves out
                with suppress(*([ScenarioError] if number else [])):
                    judgement = judge(replace(asked, proposal=places), on_table)
                    found.append(JudgedPlace(asked.proposal or {}, places, judgement, on_table))
    except NoVerdictError as error:
        if not found:
            raise
        return found, message_of(error)
    limit = resolution.elsewhere_limit
    return found, say("the search ended at {limit}", limit=limit) if limit else ""


def _claimed(case: Case, resolution: Resolution) -> Places | None:
    """Return the claimed places on the table that a resolution leaves, to which relations refer; None if they lead to
    no place there.
    """
    try:
        return case.proposal if case.claims_of is None else case.claims_of(resolution)
    except ScenarioError:
        return None


def _meanings(case: Case, resolution: Resolution, tried: Sequence[JudgedPlace]) -> Iterator[Places]:
    """Yield exact places, by name, of all claimed units: the nearest of each first, then each other place of one unit
    at a time.

    Nothing is yielded if one unit has no exact place within its accuracy. Where not all models can touch that might,
    others touch in the last places, which are asked only if none of those `tried` so far is right.
    """
    if case.measured is None or case.proposal is None:
        return
    of = dict.fromkeys(case.proposal, case.measured.proposal)
    of |= dict.fromkeys(case.measured.parallel, replace(case.measured.proposal, turn=0.0))
    claims = {name: MeasuredClaim(case, resolution, name, of[name]) for name in case.proposal}
    lists = {name: claims[name].places(place) for name, place in case.proposal.items()}
    if not all(lists.values()):
        return
    nearest = {name: places[0] for name, places in lists.items()}
    yield nearest
    for name, places in lists.items():
        yield from ({**nearest, name: place} for place in places[1:])
    for name, place in case.proposal.items():
        if not any(one.is_right for one in tried) and isinstance(place, Formation):
            yield from ({**nearest, name: other} for other in claims[name].with_others(place))


def _undecided(
    case: Case, resolution: Resolution, tried: list[JudgedPlace], hangs: tuple[str, ...], told: str
) -> Judgement:
    """Return the judgement "undecided", with the rules that are open and what to measure again to decide the first.

    Parameters
    ----------
    case, resolution
        The case, and its resolution on the settled table.
    tried
        The judgements on exact places: some right, some wrong or with an open ruling.
    hangs
        The rules on which the rulings themselves depend within the accuracy.
    told
        Words for how many places were searched.
    """
    right = next(one for one in tried if one.is_right)
    wrong = [one for one in tried if not one.is_right]
    broken = [one.judgement.rule for one in wrong if one.judgement.rule is not None]
    rules = tuple(dict.fromkeys((*hangs, *broken)))
    failing = (
        finding
        for one in wrong
        for finding in one.judgement.findings
        if not finding.ok and finding.rule == rules[0]
    )
    first = next(failing, None)
    what = next(
        (ruling.decides for ruling in resolution.rulings if rules[0] in (ruling.open or ())), None
    )
    findings = tuple(
        replace(finding, is_open=finding.rule in rules) for finding in right.judgement.findings
    )
    if first is not None:
        findings += (replace(first, is_open=True),)
        tables = [(one.claimed, one.judgement.findings) for one in tried]
        what = decides(case, first, tables, list(right.places), tried[0].written)
    rule = for_judge(say(": {rule} is open", rule=rules[0]))
    text = say(
        "At this accuracy it is undecided whether the proposal is what the rules demand{rule} ({told}).",
        rule=rule,
        told=told,
    )
    if what is not None:
        text = say("{text} {decides}", text=text, decides=what.text)
    shown = right.judgement
    return Judgement(
        "undecided", rules[0], findings, text, open=rules, decides=what, **right.meant,
        proof="best_found", evidence=shown.evidence, steps=shown.steps,
    )  # fmt: skip


@dataclass(frozen=True)
class MeasuredClaim:
    """The measured claim of one unit, named `name`, on one table on which the charges were resolved."""

    case: Case
    resolution: Resolution
    name: str
    accuracy: Accuracy

    @property
    def is_charger(self) -> bool:
        """Whether the unit's charge succeeds on this table, so that other places than the resolved one may be right."""
        return any(
            one.outcome == "success" and one.charge.charger == self.name
            for one in self.resolution.rulings
        )

    @property
    def targets(self) -> set[str]:
        """Names of the targets of the unit's charges."""
        return {
            target
            for one in self.resolution.rulings
            if one.charge.charger == self.name
            for target in one.charge.targets
        }

    @property
    def unit(self) -> Any:
        """The unit where the charges leave it; of loose models that move, all that do, even if they are lost
        afterwards.
        """
        ends = {
            step.model: (step.end, step.path[-1][2])
            for ruling in self.resolution.rulings
            for step in ruling.steps
            if step.unit == self.name and step.model is not None and step.end and step.path
        }
        unit = self.resolution.before.units[self.name]
        if not ends or not isinstance(unit, Squad):
            return self.resolution.after.units[self.name]
        moved = [model for model in unit.models if model.number in ends]
        return replace(unit, models=tuple(model.at(*ends[model.number]) for model in moved))

    def places(self, place: Pose | Formation) -> list[Pose | Formation]:
        """Return the exact places within the accuracy of a measured one, the nearest first.

        Empty if on none of them everything is equal that must be, such as a front flush with its target.
        """
        unit = self.unit
        if isinstance(place, Pose) and isinstance(unit, Regiment):
            turn = self.accuracy.turning(longer_side(unit.boundary))
            fronts = [unit.pose, *(self._flush(place, turn) if self.is_charger else ())]
            near = [one for one in fronts if self._is_near(place, one, turn)]
            return list(_distinct(sorted(near, key=lambda one: math.dist(one.at, place.at))))
        if (
            isinstance(place, Formation)
            and isinstance(unit, Squad)
            and len(unit.models) == len(place.poses)
        ):
            return self._formations(place, unit)
        return [place]

    def _is_near(self, measured: Pose, exact: Pose, turn: float) -> bool:
        """Return whether a measured pose may stand for an exact one: within the accuracy in inches, and `turn` radians
        in heading.
        """
        off = math.dist(measured.at, exact.at)
        turned = abs(wrapped(measured.heading - exact.heading))
        return off <= max(self.accuracy.at, MEANT) + SAME_PLACE_TOLERANCE and (
            turned <= turn + SAME_PLACE_TOLERANCE or turned * off <= MEANT * MEANT
        )

    def _flush(self, measured: Pose, turn: float) -> Iterator[Pose]:
        """Yield poses flush with edges of the targets, within the accuracy of a measured pose: at `SLIDES` places along
        each edge.
        """
        reach = max(self.accuracy.at, MEANT)
        for start, end in _edges(self.resolution.after, self.targets):
            along = (end - start) / np.hypot(*(end - start))
            outward = np.array([along[1], -along[0]])
            heading = math.atan2(-outward[1], -outward[0])
            off = float((measured.at - start) @ outward)
            if (
                abs(off) > reach
                or abs(wrapped(heading - measured.heading)) > turn + SAME_PLACE_TOLERANCE
            ):
                continue
            middle = float((measured.at - start) @ along)
            half = math.sqrt(reach**2 - off**2)
            for slide in middle + half * np.linspace(-1.0, 1.0, SLIDES):
                x, y = start + slide * along
                yield Pose(float(x), float(y), heading)

    def _formations(self, place: Formation, unit: Squad) -> list[Pose | Formation]:
        """Return formations that keep all contacts which the accuracy allows: the resolved one, the nearest, and some
        displaced ones.

        `place` is the measured formation, `unit` the unit as resolved.
        """
        found: list[Pose | Formation] = []
        turns = [self.accuracy.turning(longer_side(model.footprint)) for model in unit.models]
        near = [
            self._is_near(pose, model.pose, turn) and abs(z - model.z) <= MEANT
            for pose, z, model, turn in zip(
                place.poses, place.heights, unit.models, turns, strict=True
            )
        ]
        if all(near):
            found.append(replace(unit.place, order=place.order))
        if self.is_charger:
            found += [one for one in self._snapped(place) if one not in found]
        return found

    def with_others(self, place: Formation) -> Iterator[Formation]:
        """Yield the formations nearest to a measured one in which as many models touch, but not the same ones."""
        if self.is_charger:
            yield from self._snapped(place, are_others=True)

    def _snapped(self, place: Formation, *, are_others: bool = False) -> Iterator[Formation]:
        charges = list(enumerate(self.case.charges))
        state = self.resolution.after.with_unit(self.unit.at(replace(place, order=None)))
        measured = Measured(own={self.name: self.accuracy})
        room = self.case.system.vocabulary.set_up_rules(state, charges, self.case.choices)
        if room is None:
            return
        settling = SettleProblem.of(state, measured, room)
        sets = _contact_sets(settling, self._contacts(settling))
        first = list(islice(sets, 1))
        aims = [np.array([body.is_free * aim for body in settling.bodies]) for aim in ASIDE]
        tables: list[FloatArray | None] = [
            nearest for _, nearest in (sets if are_others else first)
        ]
        if not are_others:
            tables += [_touching(settling, pairs, aim) for pairs, _ in first for aim in aims]
        for kept in tables:
            if kept is not None:
                squad: Squad = settling.table(kept).units[self.name]
                yield replace(squad.place, order=place.order)

    def _contacts(self, settling: SettleProblem) -> list[tuple[float, int, int]]:
        """Return pairs of own and target models that may touch, as (gap in inches, index, index), the smallest gap
        first.

        The indices are those of the bodies of the settling problem.
        """
        targets = self.targets
        own = [number for number, body in enumerate(settling.bodies) if body.name == self.name]
        foes = [number for number, body in enumerate(settling.bodies) if body.name in targets]
        pairs: list[tuple[float, int, int]] = []
        for one in own:
            for two in foes:
                body = settling.bodies[one]
                foe = settling.bodies[two]
                if _level(body, foe) and not are_boxes_apart(
                    body.shape, foe.shape, by=body.play + MEANT
                ):
                    apart = gap(body.shape, foe.shape)
                    if abs(apart) <= body.play + MEANT:
                        pairs.append((apart, min(one, two), max(one, two)))
        return sorted(pairs)


def _level(body: Body, foe: Body) -> bool:
    return (
        isinstance(body.thing, Model)
        and isinstance(foe.thing, Model)
        and abs(body.thing.z - foe.thing.z) <= MEANT
    )


Pairs = Sequence[tuple[int, int]]
"""Bodies that touch, by index."""


def _touching(settling: SettleProblem, pairs: Pairs, aim: FloatArray) -> FloatArray | None:
    """Return the variables (n, 3) of the table nearest to `aim` on which all the pairs touch; None if none is found."""
    demands = SetUpConstraints(settling.state.board, settling.bodies, settling.room)
    others = tuple(demand for demand in settling.demands if tuple(demand.bodies) not in pairs)
    touching = (demands.touching(one, two) for one, two in pairs)
    return replace(settling, demands=(*others, *touching)).nearest(aim)


def _contact_sets(
    settling: SettleProblem, contacts: Sequence[tuple[float, int, int]]
) -> Iterator[tuple[Pairs, FloatArray]]:
    """Yield sets of pairs that may touch on one table, with the nearest such table: all of them, else those without
    any one of them, else fewer, nearest pairs first.

    `contacts` are (gap, index, index) in increasing order.
    """
    aim = np.zeros((len(settling.bodies), 3))
    kept = [(one, two) for _, one, two in contacts]
    nearest = _touching(settling, kept, aim)
    if nearest is not None:
        yield kept, nearest
        return
    is_any = False
    while kept and not is_any:
        # where not all can touch, each may be the one that does not
        for out in reversed(kept):
            fewer = [pair for pair in kept if pair != out]
            nearest = _touching(settling, fewer, aim)
            if nearest is not None:
                is_any = True
                yield fewer, nearest
        kept.pop()


def _edges(state: State, names: set[str]) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the edges of the named regiments and polygons of terrain as (start, end) points (2,), counter-clockwise
    around each.
    """
    shapes = [unit.boundary for name, unit in state.units.items() if name in names]
    shapes += [
        piece.shape for piece in state.terrain if isinstance(piece, Terrain) and piece.name in names
    ]
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

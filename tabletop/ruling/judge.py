"""The judge of claimed end places for all games: one walk over charges and claims.

Claims may be off by 0.001 in, the tolerance for models placed by hand (`HAND`, with the tolerance of lengths `MEANT`).
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from tabletop.budget import Budget, Proof
from tabletop.errors import NoVerdictError
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point, Pose
from tabletop.messages import listed, say
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Angle, Evidence, Mark, length_between
from tabletop.ruling.finding import Finding, weakest_proof
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.models import RoundBase, Squad, crowd
from tabletop.table.state import Regiment, State
from tabletop.units import CONTACT, FLUSH, HAND, MEANT, wrapped

HALFWAY = 90.0
"""Degrees off the flush heading above which a front faces away from a facing."""


@dataclass(frozen=True)
class JudgedUnit:
    """The judgement on one unit's claimed place.

    Attributes
    ----------
    findings
        Findings of the rules on the place.
    in_contact
        Numbers of the models in contact, by unit name.
    links
        Pairs of points of models that hold the unit together, for figures.
    steps
        Moves that lead to the place, if known.
    proof
        How sure it is that no place serves the rules better.
    is_elsewhere
        Whether a unit that completes no charge is claimed where the charges do not leave it.
    meant
        The exact place, within 0.001 in of the claim, that is right; None if none is known.
    """

    findings: tuple[Finding, ...]
    in_contact: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    links: tuple[tuple[Point, Point], ...] = ()
    steps: tuple[Step, ...] = ()
    proof: Proof = "exact"
    is_elsewhere: bool = False
    meant: Any = None


def no_exact_place(names: Iterable[str]) -> NoVerdictError:
    """Return the error for claims without a verdict: limits hold within 0.001 in, but no exact place that keeps all was
    found.
    """
    message = (
        "no place within {hand:g} in of where {names} are claimed was found that keeps all limits "
        "and serves as well"
    )
    return NoVerdictError(message, hand=HAND, names=listed(names, " and "))


@dataclass(frozen=True)
class Turn:
    """The turn of a charge that was allowed, on the table that the earlier claimed places leave.

    Attributes
    ----------
    ruling
        The ruling on the charge.
    table
        The table before it.
    places
        End places by name of the units whose ends the charge decides, the charger first: as claimed, else as resolved;
        empty if it failed.
    claim
        Those of them that are claimed.
    are_resolved
        Whether all earlier claims are the resolved places, to `MEANT` inches.
    is_broken
        Whether an earlier claim breaks a rule.
    """

    ruling: Ruling
    table: State[Any]
    places: Mapping[str, Any]
    claim: Mapping[str, Any]
    are_resolved: bool
    is_broken: bool

    @property
    def name(self) -> str:
        """Name of the unit that charges."""
        return self.ruling.charge.charger


@dataclass(frozen=True)
class Referee:
    """Base of what a game demands of claimed places; the function `judged` calls it charge by charge.

    Attributes
    ----------
    case, resolution, budget
        The case with its claims, how its charges were resolved, and limits of searches.
    right, perhaps_right
        Sentences about a claim than which nothing better is known, where that is proved and where it is not.
    """

    case: Case
    resolution: Resolution
    budget: Budget
    right: ClassVar[str]
    perhaps_right: ClassVar[str]

    def held(self, turn: Turn) -> tuple[JudgedUnit, State[Any]]:
        """Check the places of a turn against the rules, and return the judgement on them and the table afterwards.

        Called for claims and, once one of them is not as resolved, for all charges after it. By default there are no
        findings.
        """
        return JudgedUnit((), turn.ruling.evidence.models_in_contact), self.left(turn)

    def left(self, turn: Turn) -> State[Any]:
        """Return the table after a charge that ends as resolved; by default the table before it."""
        return turn.table

    def ends(self, ruling: Ruling) -> Mapping[str, Any]:
        """Return the end places, by name, of the units whose ends a successful charge decides, the charger first.

        By default that is the charger alone, where the resolution leaves it.
        """
        name = ruling.charge.charger
        return {name: self.resolution.after.units[name].place}

    def as_moving(self, unit: Any, ruling: Ruling) -> Any:  # noqa: ARG002 - most games lose nobody
        """Return a unit as it is when a charge moves it, such as without models lost before; by default unchanged."""
        return unit

    def standing(
        self, name: str, place: Any, table: State[Any], mover: Ruling | None
    ) -> tuple[Finding, Any]:
        """Judge the claimed place of a unit that completes no charge: it must be where the charges leave it.

        Returns the finding, and the place where the charges leave the unit. `mover` is the ruling of the last other
        charge that moved it.
        """
        unit = table.units[name]
        moved_by = None if mover is None else self.moved_by(name, mover)
        return must_stand_as_left(
            place, unit, self.resolution, system=self.case.system.name, moved_by=moved_by
        ), unit.place

    def moved_by(self, name: str, mover: Ruling) -> str | None:  # noqa: ARG002 - most games know none
        """Return the name of the rule by which another unit's charge moved a unit; by default None."""
        return None


def judged(referee: Referee) -> Judgement:
    """Return the judgement on the claimed places of a case, each on the table that the earlier claims leave.

    Units without a claim are placed as resolved.

    Raises
    ------
    NoVerdictError
        If the time is used up.
    """
    proposal = referee.case.proposal or {}
    resolution = referee.resolution
    better = {name: unit.place for name, unit in resolution.after.units.items()}
    units = dict[str, JudgedUnit]()
    movers = dict[str, Ruling]()
    charged = dict[str, JudgedUnit]()
    table = resolution.before
    are_resolved = True
    is_broken = False
    for number, ruling in enumerate(resolution.turns):
        if referee.budget.is_spent(number):
            raise NoVerdictError(
                "the time was used up before charge {number} was judged", number=number + 1
            )
        if ruling.outcome == "not_allowed":
            continue
        before = table.units
        name = ruling.charge.charger
        later = {
            step.unit
            for other in resolution.turns[number + 1 :]
            for step in other.steps
            if step.end != step.start
        }
        ends = referee.ends(ruling) if ruling.outcome == "success" else {}
        last = {one: place for one, place in ends.items() if one not in later}
        claim = {one: proposal[one] for one in last if one in proposal}
        turn = Turn(ruling, table, {**ends, **claim}, claim, are_resolved, is_broken)
        charged[name], better = JudgedUnit((), ruling.evidence.models_in_contact), better | last
        if claim or not are_resolved:
            found, table = referee.held(turn)
            findings = with_default_mark(
                name, found.findings if claim else as_resolved(name, found.findings)
            )
            is_broken = is_broken or not all(finding.ok for finding in findings)
            units |= {name: replace(found, findings=findings)} if claim or findings else {}
            meant = {
                one: None if found.meant is None else table.units[one].place
                for one in claim
                if one != name
            }
            units |= {one: replace(found, findings=(), meant=place) for one, place in meant.items()}
            moving = {one: referee.as_moving(before[one], ruling) for one in claim}
            off = (distance_off(unit, claim[one], ends[one]) for one, unit in moving.items())
            are_resolved = are_resolved and max(off, default=0.0) <= MEANT
        else:
            table = referee.left(turn)
        others = (
            one
            for one in table.units
            if one != name and table.units[one].place != before[one].place
        )
        movers |= dict.fromkeys(others, ruling)
    for name in (name for name in proposal if name not in units):
        finding, meant = referee.standing(name, proposal[name], table, movers.get(name))
        units[name] = JudgedUnit(
            with_default_mark(name, [finding]), is_elsewhere=not finding.ok, meant=meant
        )
    failed = dict.fromkeys(
        ruling.charge.charger for ruling in resolution.rulings if ruling.outcome == "failed"
    )
    for name in (
        name for name in failed if name not in proposal and name in table.units and not are_resolved
    ):
        finding, _ = referee.standing(
            name, resolution.after.units[name].place, table, movers.get(name)
        )
        units |= (
            {}
            if finding.ok
            else {
                name: JudgedUnit(
                    with_default_mark(name, as_resolved(name, [finding])), is_elsewhere=True
                )
            }
        )
    units |= {name: unit for name, unit in charged.items() if name not in units}
    right = (
        referee.right
        if all(unit.proof != "best_found" for unit in units.values())
        else referee.perhaps_right
    )
    return judgement_of(
        units,
        proposal,
        right=right,
        better={name: better[name] for name in proposal if name in better},
    )


def with_default_mark(name: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return a unit's findings, with a mark at the whole unit added to each broken one that has none.

    A mark is what figures show of a finding.
    """
    whole = Mark(models={name: ()})
    return tuple(
        one if one.ok or one.mark is not None else replace(one, mark=whole) for one in findings
    )


def as_resolved(name: str, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the broken findings on a unit without a claim, reworded to say that it is where the rules leave it."""
    return tuple(
        replace(
            one,
            text=say("{name} stands where the rules leave it. {text}", name=name, text=one.text),
        )
        for one in findings
        if not one.ok
    )


def judgement_of(
    units: Mapping[str, JudgedUnit],
    proposal: Mapping[str, Any],
    *,
    right: str,
    better: Mapping[str, Any],
) -> Judgement:
    """Return the judgement on a proposal from the judgements on its units.

    The outcome is "success", "legal" if nothing is broken but it is not proved that nothing is better, or
    "not_allowed". No contact is reported with a unit that is claimed where the charges do not leave it.

    Parameters
    ----------
    units
        Judgements by unit name.
    proposal
        The claimed places by unit name.
    right
        The summary if nothing is broken.
    better
        Places that are right, by unit name, reported if a finding is broken.
    """
    findings = tuple(finding for unit in units.values() for finding in unit.findings)
    broken = next((finding for finding in findings if not finding.ok), None)
    steps = {name: unit.steps for name, unit in units.items() if unit.steps}
    proof = weakest_proof(*(unit.proof for unit in units.values()))
    elsewhere = {name for name, unit in units.items() if unit.is_elsewhere}
    met = {
        name: unit.in_contact if elsewhere.isdisjoint(unit.in_contact) else {}
        for name, unit in units.items()
    }
    contact = {
        name: {other: numbers for other, numbers in all_met.items() if numbers}
        for name, all_met in met.items()
    }
    evidence = {
        name: Evidence(models_in_contact=contact[name], links=unit.links)
        for name, unit in units.items()
    }
    judgement = Judgement(
        "success", None, findings, right, proof=proof, evidence=evidence, steps=steps
    )
    if broken is None:
        meant = {
            name: units[name].meant
            for name in proposal
            if name in units and units[name].meant is not None
        }
        judgement = replace(
            judgement,
            meant={
                name: place
                for name, place in meant.items()
                if not _is_itself(proposal[name], place)
            },
        )
    if broken is None and proof != "best_found":
        return judgement
    if broken is None:
        text = say(
            "{right} Every limit is kept; that nothing serves the goals better is not proved.",
            right=right,
        )
        return replace(judgement, outcome="legal", summary=text)
    text = say("The proposal is not what the rules demand. {text}", text=broken.text)
    return replace(judgement, outcome="not_allowed", rule=broken.rule, summary=text, better=better)


def _is_itself(claimed: Any, meant: Any) -> bool:
    """Return whether an exact place equals the claimed one, to 1e-6 in and 1e-7 radians."""
    pairs = list(zip(poses_in(claimed), poses_in(meant), strict=True))
    return place_moved(claimed, meant) <= CONTACT and all(
        abs(wrapped(one.heading - other.heading)) <= FLUSH for one, other in pairs
    )


def poses_in(place: Any) -> tuple[Pose, ...]:
    """Return the poses that make up a place: the one of a regiment, or one for each loose model."""
    return (place,) if isinstance(place, Pose) else place.poses


def place_moved(place: Any, other: Any) -> float:
    """Return the largest distance in inches between two places of a unit, or between their models; headings are
    ignored.
    """
    return max(
        (
            math.dist(one.at, two.at)
            for one, two in zip(poses_in(place), poses_in(other), strict=True)
        ),
        default=0.0,
    )


def distance_off(unit: Any, place: Any, other: Any) -> float:
    """Return the largest distance in inches between points of a unit at one place and the same points at another.

    The points show its position and heading: the corners of a regiment, or the centre and the ends of two axes of each
    base.
    """
    return float(
        np.hypot.reduce(_points(unit.at(place)) - _points(unit.at(other)), axis=1).max(initial=0.0)
    )


def _points(unit: Any) -> FloatArray:
    """Return points (n, 2), or (n, 3) for loose models, that determine the position and heading of a unit.

    They are the corners of a regiment; the centre, and points to the right and ahead of it, of each loose model and of
    a unit on a hex.
    """
    if isinstance(unit, Regiment):
        half = unit.width / 2
        depth = unit.depth
        return unit.pose.to_table(
            np.array([[-half, 0.0], [half, 0.0], [half, -depth], [-half, -depth]])
        )
    if isinstance(unit, Squad):
        sizes = np.where(
            [isinstance(model.base, RoundBase) for model in unit.models],
            0.0,
            crowd(unit.models).radii,
        ).tolist()
        return np.array(
            [
                (*at, one.z)
                for one, size in zip(unit.models, sizes, strict=True)
                for at in _frame(one.pose, size)
            ]
        ).reshape(-1, 3)
    return np.array(_frame(unit.pose, 1.0))


def _frame(pose: Pose, size: float) -> list[Point]:
    return [pose.at, pose.point(size, 0.0), pose.point(0.0, size)]


def standing_rule(
    resolution: Resolution, name: str, *, system: str, moved_by: str | None = None
) -> str:
    """Return the name of the rule by which a unit that completes no charge must be where the charges leave it.

    That is the deciding rule of the last charge that names the unit and did not succeed; if none does and no charge
    succeeded, that of the first charge; else `moved_by`, the rule that moved the unit, or `stand` of the system if none
    did.
    """
    undone = [
        (ruling.charge, ruling.rule) for ruling in resolution.rulings if ruling.rule is not None
    ]
    for charge, rule in reversed(undone):
        if name in (charge.charger, *charge.targets):
            return rule
    if undone and len(undone) == len(resolution.rulings):
        return undone[0][1]
    return moved_by or f"{system}.stand"


def must_stand_as_left(
    pose: Pose, unit: Regiment, resolution: Resolution, *, system: str, moved_by: str | None = None
) -> Finding:
    """Return the finding that a regiment must be where the charges leave it, broken if it is claimed more than 0.001 in
    off.

    Parameters
    ----------
    pose
        The claimed pose.
    unit
        The regiment at the pose where the charges leave it.
    resolution
        The resolution of the charges.
    system
        Name of the game system, for the rule.
    moved_by
        Name of the rule by which another unit's charge moved the regiment, if one did.
    """
    own = {ruling.outcome for ruling in resolution.rulings if ruling.charge.charger == unit.name}
    where = say("where it stood") if own == {"not_allowed"} else say("where these charges leave it")
    where = say("where its failed charge ends") if "failed" in own else where
    return must_stand(
        unit,
        pose,
        unit.pose,
        rule=standing_rule(resolution, unit.name, system=system, moved_by=moved_by),
        where=where,
    )


def looks_away(pose: Pose, flush: float, *, rule: str, facing: str) -> Finding | None:
    """Return the broken finding of a front that faces away from a facing, by more than 90 degrees; None if it faces it.

    Parameters
    ----------
    pose
        The claimed pose of the front.
    flush
        Heading in radians of a front that lies flush on the facing.
    rule, facing
        Name of the rule that is broken, and of the facing in the sentence.
    """
    turned = math.degrees(abs(wrapped(pose.heading - flush)))
    if turned < HALFWAY:
        return None
    parts = {"facing": facing, "turned": turned}
    text = say(
        "The front faces away from {facing}: it is turned {turned:.4f} degrees from the flush direction.",
        **parts,
    )
    mark = Mark(
        angles=(
            Angle(
                pose.at,
                flush,
                wrapped(pose.heading - flush),
                say("{turned:.4g}\N{DEGREE SIGN}", turned=turned),
            ),
        )
    )
    return Finding(
        rule,
        ok=False,
        text=text,
        measured=turned,
        limit=HALFWAY,
        margin=HALFWAY - turned,
        mark=mark,
    )


def must_stand(unit: Regiment, pose: Pose, demanded: Pose, *, rule: str, where: str) -> Finding:
    """Return the finding that a regiment must be at a pose, broken if a corner is claimed more than 0.001 in away from
    there.

    Parameters
    ----------
    unit
        The regiment.
    pose, demanded
        Its claimed pose, and the pose that the rule demands.
    rule, where
        Name of the rule, and the words that follow "must stand" in the sentence.
    """
    off = distance_off(unit, pose, demanded)
    text = say(
        "{unit} must stand {where}; in the proposal one of its corners is {off:.4f} in away from there.",
        unit=unit.name,
        where=where,
        off=off,
    )
    is_there = off <= MEANT
    mark = None if is_there else corner_mark(unit, pose, demanded)
    return Finding(rule, is_there, text, off, 0.0, 0.0 - off, allowance=HAND, mark=mark)


def corner_mark(unit: Regiment, pose: Pose, demanded: Pose) -> Mark:
    """Return what figures show of a misplaced regiment: the line from where its corner that is farthest off belongs to
    where it is.
    """
    first = _points(unit.at(pose))
    second = _points(unit.at(demanded))
    row = int(np.hypot(*(first - second).T).argmax())
    x, y = second[row].tolist()
    to_x, to_y = first[row].tolist()
    return Mark(dimensions=(length_between((x, y), (to_x, to_y)),))

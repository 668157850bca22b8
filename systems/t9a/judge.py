"""Judge of a proposed end position: the first limit that it breaks, or the goal that another place achieves better."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from systems.t9a.aligned import AlignedPlace, reached_at
from systems.t9a.attempt import Attempt
from systems.t9a.barring import aligned_bar
from systems.t9a.combined.group import (
    TOTALS_RULE,
    Combination,
    CombinedAttempt,
    Totals,
    values_of,
    weights_of,
)
from systems.t9a.combined.packing import packed
from systems.t9a.conditions import (
    PLACE_LIMITS,
    SPACE_LIMITS,
    FlushPlacement,
    looking_away,
    placement_findings,
    tilted_findings,
)
from systems.t9a.scene import Front, Scene, counts_told, numbers_in_contact, totals_of
from systems.t9a.unaligned import GOALS, UnalignedPlace, reached_point, special_points, tilting
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts.flush import CriticalSlides
from tabletop.geometry.pose import Pose
from tabletop.messages import refilled, say
from tabletop.optimise.interval import Interval, Intervals, intersection, without
from tabletop.ruling.evidence import Angle, Mark
from tabletop.ruling.finding import Finding, weakest_proof
from tabletop.ruling.judge import (
    JudgedUnit,
    Referee,
    Turn,
    corner_mark,
    distance_off,
    no_exact_place,
)
from tabletop.ruling.verdict import Ruling
from tabletop.table.state import State
from tabletop.units import CONTACT, HAND, MEANT, wrapped


@dataclass(frozen=True)
class JudgedTurn:
    """A charger's turn as the judge sees it.

    Attributes
    ----------
    ruling
        Its ruling.
    scene
        The charge on the table before the charger moves.
    proposed
        Pose claimed for its end, or None.
    resolved
        Pose at its end as resolved.
    is_measured
        Whether the claim was measured on a table: then models in contact are reported even if a limit is broken.
    """

    ruling: Ruling
    scene: Scene
    proposed: Pose | None
    resolved: Pose
    is_measured: bool

    @property
    def attempt(self) -> Attempt:
        """The charge as it was resolved."""
        attempt: Attempt = self.ruling.attempt
        return attempt

    @property
    def front(self) -> Front:
        """The charger against the facing that it charges."""
        return Front(self.scene, self.attempt.facing)


@dataclass(frozen=True)
class Judge(Referee):
    """Judge of proposed end poses of chargers.

    Attributes
    ----------
    begun
        The table before the first charger of each target moves, by target.
    known
        Judgements on chargers of combined charges, by name.
    """

    begun: dict[str, State] = field(default_factory=dict)
    known: dict[str, JudgedUnit] = field(default_factory=dict)
    right = say("The proposal is legal, and no legal position serves the rules better.")
    perhaps_right = say(
        "The proposal is legal, and no legal position was found that serves the rules better."
    )

    def held(self, turn: Turn) -> tuple[JudgedUnit, State]:
        """Return the judgement on a charger's end pose and the table after it: limits first, then goals.

        A charger for which no pose is claimed is compared by goals only while nothing else is broken.
        """
        own = self._turn(turn.ruling, turn.table)
        state = self.left(turn)
        if turn.claim:
            unit = self._judged(own, turn.claim[turn.name])
            return unit, self._moved(turn.ruling, turn.table, unit.meant)
        found: tuple[Finding, ...] = ()
        if (
            turn.places
            or own.proposed is None
            or distance_off(own.scene.charger, own.proposed, own.resolved) <= MEANT
        ):
            placement = FlushPlacement(own.front, own.resolved)
            found = tuple(finding for finding in _room(placement) if not finding.ok)
        if turn.places and not found and not turn.is_broken:
            found = self._judged(own, own.resolved).findings
        return JudgedUnit(found, turn.ruling.evidence.models_in_contact), state

    def left(self, turn: Turn) -> State:
        """Return the table with the charger at its resolved end, and the target as that charge leaves it."""
        self.begun.setdefault(turn.ruling.charge.targets[0], turn.table)
        return self._moved(turn.ruling, turn.table, self.resolution.after.units[turn.name].pose)

    def _moved(self, ruling: Ruling, table: State, meant: Pose | None) -> State:
        """Return the table after a charge: the charger as resolved or, if its claim is more than 0.001 in off, at the
        place meant.

        That is the tolerance for models placed by hand; so a claim just beside the resolved place blocks no later move.
        """
        unit = self.resolution.after.units[ruling.charge.charger]
        claim = (self.case.proposal or {}).get(ruling.charge.charger)
        if (
            ruling.outcome == "success"
            and claim is not None
            and distance_off(unit, claim, unit.pose) > MEANT
        ):
            unit = unit.at(meant or claim)
        return table.with_unit(unit).with_unit(
            self.resolution.after.units[ruling.charge.targets[0]]
        )

    def _turn(self, ruling: Ruling, table: State) -> JudgedTurn:
        """Return the turn of a ruling on a given table."""
        name = ruling.charge.charger
        return JudgedTurn(
            ruling,
            ruling.attempt.scene.on(table),
            (self.case.proposal or {}).get(name),
            self.resolution.after.units[name].pose,
            self.case.measured is not None,
        )

    def _judged(self, turn: JudgedTurn, pose: Pose) -> JudgedUnit:
        """Return the judgement on a charger: alone, or jointly with all chargers of its target (computed once)."""
        if not isinstance(turn.attempt, CombinedAttempt):
            return _judged_alone(turn, pose, self.budget)
        if turn.scene.charger.name not in self.known:
            partners = list(self._partners(turn.scene.target.name))
            self.known.update(
                zip(
                    (one.scene.charger.name for one in partners),
                    _judged_together(partners, self.budget),
                    strict=True,
                )
            )
        return self.known[turn.scene.charger.name]

    def _partners(self, target: str) -> Iterator[JudgedTurn]:
        """Yield the turns of a target's chargers that complete, each with the earlier chargers as claimed."""
        table = self.begun[target]
        for ruling in (
            one
            for one in self.resolution.turns
            if one.charge.targets[0] == target and one.outcome != "not_allowed"
        ):
            if ruling.outcome == "success":
                yield self._turn(ruling, table)
            table = self._moved(ruling, table, None)

    def moved_by(self, name: str, mover: Ruling) -> str:  # noqa: ARG002 - nothing else moves others
        """Return the name of the rule by which a charge moves another unit: the target's special align move."""
        return "t9a.unaligned.special-align"

    def standing(
        self, name: str, place: Pose, table: State, mover: Ruling | None
    ) -> tuple[Finding, Pose]:
        """Return the finding on a unit that completes no charge, and its right pose: turned by a special align move,
        else unmoved.

        Raises
        ------
        NoVerdictError
            If it is elsewhere, and an incomplete search could have left it there.
        """
        finding, right = super().standing(name, place, table, mover)
        failed = [
            one.proof
            for one in self.resolution.rulings
            if one.charge.charger == name and one.outcome == "failed"
        ]
        proof = weakest_proof(*failed, *(() if mover is None else (mover.proof,)))
        claim = None if mover is None else (self.case.proposal or {}).get(mover.charge.charger)
        if mover is not None and claim is not None:
            best = mover.attempt.on(self.begun[name], self.budget).solution.place
            # It was unaligned; only others that are claimed in its way could change that.
            if isinstance(best, UnalignedPlace):  # pragma: no branch
                tilted = _tilted(best, claim, self.budget)
                beside = list(meant_tilted(best.front, claim, best)) or [
                    replace(tilted.unaligned, angle=best.angle)
                ]
                nearest = min(
                    beside, key=lambda one: distance_off(table.units[name], place, one.target_pose)
                )
                finding = replace(judged_target(nearest, place), rule=finding.rule)
                right = nearest.target_pose
                proof = best.proof
        if finding.ok or proof != "best_found":
            return finding, right
        raise NoVerdictError(
            "where the charges leave {name} could not be proved: the search for the best positions ended at its "
            "limit of work or time",
            name=name,
        )


def _judged_alone(turn: JudgedTurn, pose: Pose, budget: Budget) -> JudgedUnit:
    """Return the judgement on the claimed end of a charger that has its target to itself."""
    solution = turn.attempt.on(turn.scene.state, budget).solution
    best = None if solution is None else solution.place
    if solution is None or best is None:
        text = say(
            "If the earlier charges end as proposed, {charger} has no legal charge move.",
            charger=turn.scene.charger.name,
        )
        return JudgedUnit((Finding("t9a.move.room", ok=False, text=text),))
    if isinstance(best, UnalignedPlace):
        return _judged_unaligned(best, pose, budget)
    fronts = [best.front] if solution.is_by_blocked_path else solution.fronts
    typed = _placement(fronts, pose, budget)
    met = _met(typed)
    stand = next(_near(typed, pose, best), None)
    found = [] if stand else [*map(_by_hand, placement_findings(typed))]
    # what is known to be met first may lie just beyond the front
    if stand is None and all(finding.ok for finding in found):
        typed = replace(
            typed, reach=reached_at(typed.front, typed.slide, slack=CONTACT, budget=budget)
        )
        stand = next(_near(typed, pose, best), None)
        found = _at_odds(placement_findings(replace(typed, pose=pose)))
    if stand is None:
        return JudgedUnit(
            (*found, *_counts_all_the_same(turn, found, _aligned_goals(typed, best))), met
        )
    found = [
        *_room(typed),
        *placement_findings(stand)[len(SPACE_LIMITS) :],
        *_aligned_goals(stand, best),
    ]
    meant = stand.pose if all(finding.ok for finding in found) else None
    if (
        meant is None
        and (beside := next(_near(typed, typed.pose, best), None))
        and all(one.ok for one in _aligned_goals(beside, best))
    ):
        if best.proof == "best_found":
            raise no_exact_place([turn.scene.charger.name])
        found = _at_odds(found)
    if all(finding.ok for finding in found):
        is_free = best.stretches[0][0] < best.stretches[-1][1]
        text = (
            say("Other positions are equally good; the charger's owner may choose any of them.")
            if is_free
            else say("No other legal position is as good.")
        )
        found.append(
            Finding(
                "t9a.align.free-choice", ok=True, text=text, measured=float(len(best.stretches))
            )
        )
    lacking = _lacking(met, numbers_in_contact(best.front, best.slide))
    found = [one if one.ok else replace(one, mark=lacking) for one in found]
    return JudgedUnit(tuple(found), met, proof=best.proof, meant=meant)


def _judged_unaligned(best: UnalignedPlace, pose: Pose, budget: Budget) -> JudgedUnit:
    """Return the judgement on the claimed end of a charger for which the best place is unaligned."""
    typed = _tilted(best, pose, budget)
    meant = next(meant_tilted(best.front, pose, best), None)
    met = _met_at_a_corner(typed)
    if meant is not None:
        exact = judged_tilted(replace(typed, pose=meant.pose, reach=best.reach), best)
        return JudgedUnit(
            (*_room(typed), *exact[len(SPACE_LIMITS) :]), met, proof=best.proof, meant=meant.pose
        )
    found = [*map(_by_hand, judged_tilted(typed, best))]
    if all(finding.ok for finding in found) and best.proof != "best_found":
        found = _at_odds(judged_tilted(replace(typed, pose=pose), best))
    return JudgedUnit(tuple(found), met, proof=best.proof)


def _room(typed: FlushPlacement) -> Iterator[Finding]:
    """Yield the findings on the room at a place, with the tolerance of 0.001 in for models placed by hand."""
    return (_by_hand(limit.measure(typed)) for limit in SPACE_LIMITS)


def _by_hand(found: Finding) -> Finding:
    """Return a finding with the tolerance of 0.001 in for models placed by hand, if it is one on room; others
    unchanged.
    """
    if found.margin is None or found.rule not in {limit.rule for limit in SPACE_LIMITS}:
        return found
    found = replace(found, allowance=HAND)
    if found.ok or found.slack < -CONTACT:
        return found
    return replace(
        found,
        ok=True,
        text=refilled(
            found.text, excuse=say("; up to {hand:g} in is allowed for placing by hand", hand=HAND)
        ),
        mark=None,
    )


def _within_a_hand(front: Front, pose: Pose, there: Pose) -> Intervals:
    """Return the slides, as at most one interval in inches, that bring both front corners within hand tolerance (0.001
    in) of a pose.

    Slides move the charger along the facing from the pose `there`, its pose at slide 0.
    """
    claimed = front.scene.charger.at(pose)
    begun = front.scene.charger.at(there)
    low = -math.inf
    high = math.inf
    for corner, start in (
        (claimed.front_right, begun.front_right),
        (claimed.front_left, begun.front_left),
    ):
        u, height = front.facing.coordinates(corner)
        from_u, from_height = front.facing.coordinates(start)
        if abs(height - from_height) > MEANT:
            return ()
        room = math.sqrt(MEANT**2 - (height - from_height) ** 2)
        low = max(low, u - from_u - room)
        high = min(high, u - from_u + room)
    return ((low, high),) if low <= high else ()


def _near(typed: FlushPlacement, pose: Pose, best: AlignedPlace) -> Iterator[FlushPlacement]:
    """Yield legal places within hand tolerance (0.001 in) of a pose: one of the best places first, then the best of the
    others.

    Of equally good ones each is the nearest to the pose.
    """
    front = typed.front
    u = replace(typed, pose=pose).slide
    within = _within_a_hand(front, pose, front.pose(0.0))
    if front == best.front and (places := intersection(within, best.stretches)):
        yield FlushPlacement(front, front.pose(_nearest(u, places)), best.reach)
    if places := intersection(within, front.places(typed.reach.proven)):
        stretches = CriticalSlides.of(places, front.breakpoints, front.values).best().stretches
        yield replace(typed, pose=front.pose(_nearest(u, stretches)))


def _onto(u: float, places: Sequence[Interval]) -> float:
    """Return the nearest point of some intervals if it is within hand tolerance (0.001 in) of u, else u itself, in
    inches.
    """
    found = _nearest(u, places) if places else u
    return found if abs(found - u) <= MEANT else u


def _nearest(u: float, places: Sequence[Interval]) -> float:
    """Return the point of some intervals that is nearest to u, in inches."""
    return min((min(max(u, low), high) for low, high in places), key=lambda one: abs(one - u))


def meant_tilted(front: Front, pose: Pose, best: UnalignedPlace) -> Iterator[UnalignedPlace]:
    """Yield best places of the least angle that have both front corners within hand tolerance (0.001 in) of a pose."""
    for corner, tilt in best.tilts.items():
        standing = tilting(front, corner)
        unit = front.scene.charger.at(pose)
        within = intersection(
            _within_a_hand(front, pose, standing.pose(0.0, tilt.angle)), tilt.ties
        )
        u, _ = front.facing.coordinates(unit.front_right if corner == "right" else unit.front_left)
        for part in within:
            for point in (
                *(_nearest(one, (part,)) for one in (best.u, u)),
                *special_points(front, corner, tilt.angle, part),
            ):
                place = replace(best, corner=corner, u=point, angle=tilt.angle)
                if place.values == best.values:
                    yield place


def _at_odds(found: Sequence[Finding]) -> list[Finding]:
    """Return the findings, broken ones with the remark that no single place within hand tolerance (0.001 in) fulfils
    all limits.
    """
    told = [
        say(
            "{text} Even with the {hand:g} in allowed for placing by hand no position keeps every rule and is as good.",
            text=one.text,
            hand=HAND,
        )
        for one in found
    ]
    return [
        one if one.ok else replace(one, text=text) for one, text in zip(found, told, strict=True)
    ]


def _placement(fronts: Sequence[Front], pose: Pose, budget: Budget) -> FlushPlacement:
    """Return a claimed pose as a placement on the nearest facing, with points of first contact that it covers.

    Within hand tolerance (0.001 in) it is made exactly flush, and moved onto a point that is reached.
    """
    front = min(fronts, key=lambda one: max(map(abs, FlushPlacement(one, pose).heights)))
    typed = FlushPlacement(front, pose)
    reach = reached_at(front, typed.slide, slack=MEANT, budget=budget)
    turned = abs(wrapped(pose.heading - front.pose(0.0).heading))
    if max(map(abs, typed.heights)) <= MEANT and turned < math.pi / 2:
        typed = replace(
            typed,
            pose=front.pose(
                _onto(
                    typed.slide,
                    [(low - front.width, high) for low, high in front.usable(reach.proven)],
                )
            ),
        )
    return replace(typed, reach=reach)


def _met(placement: FlushPlacement) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the models in contact within hand tolerance (0.001 in), by unit; none unless the front is
    flush.
    """
    is_flush = (
        max(map(abs, placement.heights)) <= MEANT
        and looking_away(placement, "t9a.align.flush") is None
    )
    return numbers_in_contact(placement.front, placement.slide, slack=HAND) if is_flush else {}


def _counts_all_the_same(
    turn: JudgedTurn, broken: Sequence[Finding], goals: Sequence[Finding]
) -> list[Finding]:
    """Return the findings on models in contact of a measured front that breaks a limit; none if not measured or facing
    away.
    """
    if not turn.is_measured or len(broken) < len(PLACE_LIMITS):
        return []
    return [replace(goal, text=say("Also measured: {text}", text=goal.text)) for goal in goals]


def _aligned_goals(placement: FlushPlacement, best: AlignedPlace) -> list[Finding]:
    """Return the findings on the goals of an aligned placement in order, up to the first that the best place achieves
    better.
    """
    found: list[Finding] = []
    counts = (*(float(value[0]) for value in placement.front.values(np.array([placement.slide]))),)
    for goal, value, models, most in zip(
        placement.front.goals, counts, counts_told(*counts), best.values, strict=True
    ):
        text = say("{models} in contact; no legal position has more.", models=models)
        if value < most:
            text = say(
                "{models} in contact; a legal position has {most:.0f}.", models=models, most=most
            )
        found.append(
            Finding(goal.rule, value >= most, text, int(value), int(most), int(value - most))
        )
        if value != most:
            break
    return found


def _lacking(met: Mapping[str, tuple[int, ...]], could: Mapping[str, tuple[int, ...]]) -> Mark:
    """Return a mark of the models, by unit, that are in contact in `could` but not in `met`."""
    words = say("could be in contact")
    lacking = {
        name: tuple(number for number in numbers if number not in met.get(name, ()))
        for name, numbers in could.items()
    }
    return Mark(words, models={name: numbers for name, numbers in lacking.items() if numbers})


def _tilted(best: UnalignedPlace, pose: Pose, budget: Budget) -> FlushPlacement:
    """Return a claimed pose as a tilted placement on a facing without aligned places, made exact within hand tolerance
    (0.001 in).
    """
    tilted = snapped(
        FlushPlacement(best.front, pose, bar=aligned_bar(best.front, budget=budget)), best
    )
    tilted = replace(tilted, reach=reached_point(best.front, tilted.u, slack=MEANT, budget=budget))
    return snapped(tilted, best)


def snapped(tilted: FlushPlacement, best: UnalignedPlace) -> FlushPlacement:
    """Return a placement with its front corner moved onto a reachable point of first contact, if within hand tolerance
    (0.001 in).

    The best point and the least angle are preferred where they lie within the tolerance; otherwise it is returned
    unchanged.
    """
    if abs(min(tilted.heights)) > MEANT or tilted.angle < 0.0:
        return tilted
    u = _onto(tilted.u, tilted.front.usable(tilted.reach.proven))
    angle = tilted.angle
    if abs(angle - best.angle) * tilted.front.width <= MEANT:
        angle = best.angle
        u = best.u if tilted.corner == best.corner and abs(tilted.u - best.u) <= MEANT else u
    elif max(abs(min(tilted.heights)), abs(u - tilted.u)) <= CONTACT:
        return tilted
    return replace(tilted, pose=tilting(tilted.front, tilted.corner).pose(u, angle))


def judged_tilted(tilted: FlushPlacement, best: UnalignedPlace) -> list[Finding]:
    """Return the findings on a tilted placement: the limits and, if none is broken, the goals compared with the best
    place.
    """
    found = tilted_findings(tilted)
    return (
        found
        if not all(finding.ok for finding in found)
        else [*found, *_unaligned_goals(tilted, best)]
    )


def _unaligned_goals(tilted: FlushPlacement, best: UnalignedPlace) -> list[Finding]:
    """Return the findings on the goals of a tilted placement in order, up to the first that the best place achieves
    better.
    """
    place = tilted.unaligned
    is_least = place.angle - best.angle <= CONTACT
    degrees = math.degrees(place.angle), math.degrees(best.angle)
    text = say(
        "{charger}'s front is at {angle:.4f} degrees to the facing charged; the smallest possible "
        "angle is {least:.4f}.",
        charger=tilted.front.scene.charger.name,
        angle=degrees[0],
        least=degrees[1],
    )
    wide = None if is_least else Mark(angles=(_opened(tilted),))
    found = [
        Finding(
            "t9a.unaligned.angle",
            is_least,
            text,
            degrees[0],
            degrees[1],
            degrees[1] - degrees[0],
            mark=wide,
        )
    ]
    for goal, value, models, most in zip(
        GOALS[1:], place.values, counts_told(*place.values), best.values, strict=True
    ):
        if not found[-1].ok:
            break
        fewer = say(
            "{models} at the point of contact; a legal position has {most}.",
            models=models,
            most=most,
        )
        text = (
            fewer
            if value < most
            else say("{models} at the point of contact; no legal position has more.", models=models)
        )
        found.append(
            Finding(goal.rule, value >= most, text, int(value), int(most), int(value - most))
        )
    return found


def _opened(tilted: FlushPlacement) -> Angle:
    """Return the angle between front and facing at the corner in contact, in radians, for figures."""
    unit = tilted.front.scene.charger.at(tilted.pose)
    sense = 1.0 if tilted.corner == "right" else -1.0
    (x, y), (to_x, to_y) = (unit.front_right, unit.front_left)[:: int(sense)]
    along = math.atan2(to_y - y, to_x - x)
    return Angle(
        (x, y),
        along - sense * tilted.angle,
        sense * tilted.angle,
        say("{turned:.2f}\N{DEGREE SIGN}", turned=math.degrees(tilted.angle)),
    )


def _met_at_a_corner(tilted: FlushPlacement) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the models in contact, by unit, if a front corner is on the facing within hand tolerance;
    else none.
    """
    is_there = abs(min(tilted.heights)) <= MEANT and tilted.angle >= 0.0
    return tilted.unaligned.numbers_at_contact(slack=MEANT) if is_there else {}


def _judged_together(partners: Sequence[JudgedTurn], budget: Budget) -> Iterator[JudgedUnit]:
    """Yield the judgements on the chargers of a combined charge: limits for each, and the totals compared with the best
    ones.
    """
    placed = [_placement([turn.front], turn.proposed or turn.resolved, budget) for turn in partners]
    told = _held_together(partners, placed, is_typed=True)
    meant = _meant_together(partners, placed)
    is_right = all(finding.ok for found in told for finding in found)
    if meant and not is_right:
        exact = _held_together(partners, list(_exactly(partners, placed, meant)))
        told = exact if all(finding.ok for found in exact for finding in found) else told
    elif meant is None and is_right:
        exact = _held_together(partners, placed)
        told = [
            found if all(one.ok for one in own) else _at_odds(own)
            for found, own in zip(told, exact, strict=True)
        ]
    for turn, placement, found in zip(partners, placed, told, strict=True):
        proof = (
            turn.ruling.proof
            if all(finding.ok or finding.rule == TOTALS_RULE for finding in found)
            else "exact"
        )
        yield JudgedUnit(
            tuple(found),
            _met(placement),
            proof=proof,
            meant=(meant or {}).get(turn.scene.charger.name),
        )


def _held_together(
    partners: Sequence[JudgedTurn], placed: Sequence[FlushPlacement], *, is_typed: bool = False
) -> list[list[Finding]]:
    """Return the findings on each charger of a combined charge: the limits, and the totals if all keep them.

    With `is_typed` the placements are claims, which have the tolerance of 0.001 in for models placed by hand.
    """
    told = [
        [_by_hand(one) if is_typed else one for one in placement_findings(placement)]
        for placement in placed
    ]
    reached = _reached_together(partners, placed, slack=HAND if is_typed else 0.0)
    is_legal = [all(finding.ok for finding in found) for found in told]
    for turn, found, keeps in zip(partners, told, is_legal, strict=True):
        if not keeps:
            found.extend(_counts_all_the_same(turn, found, [reached]))
        elif all(is_legal):  # otherwise the totals are lower because another charger breaks a limit
            found.append(reached)
    return told


def _reached_together(
    partners: Sequence[JudgedTurn], placed: Sequence[FlushPlacement], *, slack: float
) -> Finding:
    """Return the finding on the totals of models in contact of some placements, models up to `slack` inches apart
    included.
    """
    scene = partners[0].scene
    best = _most_together(partners)
    totals = totals_of([(placement.front, placement.slide) for placement in placed], slack=slack)
    compared = list(zip(*(values_of(pair, scene.choices) for pair in (totals, best)), strict=True))
    value, most = next((pair for pair in compared if pair[0] != pair[1]), compared[-1])
    told = {
        "theirs": totals[0],
        "own": totals[1],
        "most_theirs": best[0],
        "most_own": best[1],
        "target": scene.target.name,
    }
    text = say(
        "In total {theirs} models of {target} and {own} models of its chargers are in contact; {most_theirs} and "
        "{most_own} are possible.",
        **told,
    )
    lacking = None if value >= most else _lacking_together(placed, partners)
    return Finding(TOTALS_RULE, value >= most, text, value, most, value - most, mark=lacking)


def _most_together(partners: Sequence[JudgedTurn]) -> Totals:
    """Return the best totals of a combined charge: models in contact of the target, and of all chargers."""
    combination: Combination = partners[0].ruling.attempt.combination
    return combination.totals


def _meant_together(
    partners: Sequence[JudgedTurn], placed: Sequence[FlushPlacement]
) -> Mapping[str, Pose] | None:
    """Return joint best poses of all chargers of a target, by name, each within hand tolerance (0.001 in) of its claim.

    None if there are certainly none, empty if the search was incomplete.
    """
    fronts = dict[str, Front]()
    places = dict[str, Intervals]()
    is_whole = True
    weights = weights_of(partners[0].scene.choices)
    for turn, placement in zip(partners, placed, strict=True):
        front = Front(replace(turn.scene, absent=frozenset(fronts)), placement.front.name)
        within = (
            _within_a_hand(front, turn.proposed, front.pose(0.0))
            if turn.proposed
            else ((placement.slide, placement.slide),)
        )
        free = intersection(within, front.free)
        fronts[turn.scene.charger.name], places[turn.scene.charger.name] = (
            front,
            intersection(free, front.places(placement.reach.proven)),
        )
        is_whole = (
            is_whole
            and sum(high - low for low, high in without(free, places[turn.scene.charger.name]))
            <= CONTACT
        )
    found = packed(fronts, places, weights)
    if found is not None and weights.value(*found.totals) >= weights.value(
        *_most_together(partners)
    ):
        return {name: fronts[name].pose(slide) for name, slide in found.slides.items()}
    return None if is_whole and (found is None or found.is_proven) else {}


def _exactly(
    partners: Sequence[JudgedTurn], placed: Sequence[FlushPlacement], meant: Mapping[str, Pose]
) -> Iterator[FlushPlacement]:
    """Yield the placements of several chargers at the poses meant, each on the table with the earlier ones there."""
    before = dict[str, Pose]()
    for turn, placement in zip(partners, placed, strict=True):
        state = turn.scene.state
        name = turn.scene.charger.name
        for other, pose in before.items():
            state = state.with_unit(state.units[other].at(pose))
        front = Front(replace(turn.scene, state=state), placement.front.name)
        yield replace(placement, front=front, pose=meant[name])
        before[name] = meant[name]


def _lacking_together(placed: Iterable[FlushPlacement], turns: Sequence[JudgedTurn]) -> Mark:
    """Return a mark of the models in contact at the best joint places, but not at the claimed ones."""
    met = _together(_met(placement) for placement in placed)
    return _lacking(met, _together(turn.ruling.evidence.models_in_contact for turn in turns))


def _together(contacts: Iterable[Mapping[str, tuple[int, ...]]]) -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the models in contact in any of several places, by unit, sorted."""
    joined: dict[str, set[int]] = {}
    for met in contacts:
        for name, numbers in met.items():
            joined.setdefault(name, set()).update(numbers)
    return {name: tuple(sorted(numbers)) for name, numbers in joined.items()}


def judged_target(place: UnalignedPlace, pose: Pose) -> Finding:
    """Return the finding on the target's pose after its special align move: the distance of a corner from its place, in
    inches.
    """
    target = place.front.scene.target
    right = place.target_pose
    off = distance_off(target, pose, right)
    told = {"target": target.name, "turn": math.degrees(place.turn), "off": off}
    text = say(
        "{target} must turn {turn:.4f} degrees about the point of contact; in the proposal one of its corners is "
        "{off:.4f} in away from there.",
        **told,
    )
    is_there = off <= MEANT
    mark = None if is_there else corner_mark(target, pose, right)
    return Finding(
        "t9a.unaligned.special-align",
        is_there,
        text,
        off,
        0.0,
        0.0 - off,
        allowance=HAND,
        mark=mark,
    )

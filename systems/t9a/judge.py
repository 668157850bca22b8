"""Judging a proposed end position: the first limit it breaks, or the goal that another place serves better."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from systems.t9a.aligned import AlignedPlace, reached_at
from systems.t9a.barring import aligned_bar
from systems.t9a.combined.group import TOTALS, values_of, weights_of
from systems.t9a.combined.packing import packed
from systems.t9a.conditions import LIMITS, SPACE_LIMITS, Placement, Tilted, looking_away, placement_findings, tilted_findings
from systems.t9a.scene import Front, Scene, counts_told, numbers_in_contact, totals_of
from systems.t9a.solution import facings_allowed, solve
from systems.t9a.unaligned import GOALS, UnalignedPlace, reached_point, special_points, tilting
from tabletop.budget import Budget
from tabletop.errors import NoVerdictError
from tabletop.fronts.reach import Reach
from tabletop.geometry.pose import Pose
from tabletop.messages import say
from tabletop.optimise.interval import Intervals, intersection, without
from tabletop.ruling.evidence import Angle, Mark
from tabletop.ruling.finding import Finding, weakest
from tabletop.ruling.judge import HAND, MEANT, JudgedUnit, Referee, Turn, corner_mark, distance_off
from tabletop.ruling.verdict import Ruling
from tabletop.table.facing import FacingName
from tabletop.table.state import State
from tabletop.units import CONTACT, wrapped


@dataclass(frozen=True)
class JudgedTurn:
    """One charger's turn to move, with the table as it then is, where it is claimed to end, if it is, and where it was resolved to.

    Of a claim that was measured the counts are told where a limit is broken, too.
    """

    scene: Scene
    ruling: Ruling
    proposed: Pose | None
    resolved: Pose
    is_measured: bool


@dataclass(frozen=True)
class Judge(Referee):
    """Claims of where regiments end; `begun` are the tables before the first charger of each target moves, `known` whom was judged."""

    begun: dict[str, State] = field(default_factory=dict)
    known: dict[str, JudgedUnit] = field(default_factory=dict)
    right = say("The proposal is legal, and no legal place serves the rules better.")
    perhaps_right = say("The proposal is legal, and no legal place was found that serves the rules better.")

    def held(self, turn: Turn) -> tuple[JudgedUnit, State]:
        """Hold an end against limits and goals; of one that no claim names the goals are asked while nothing is broken."""
        own, state = self._turn(turn.ruling, turn.table), self.left(turn)
        if turn.claim:
            unit = self._judged(own, turn.claim[turn.name])
            return unit, self._moved(turn.ruling, turn.table, unit.meant)
        found: tuple[Finding, ...] = ()
        if turn.places or own.proposed is None or distance_off(own.scene.charger, own.proposed, own.resolved) <= MEANT:
            placement = Placement(Front(own.scene, turn.ruling.metrics["target_facing"]), own.resolved, hand=HAND)
            found = tuple(finding for limit in SPACE_LIMITS if not (finding := limit.measure(placement)).ok)
        if turn.places and not found and not turn.is_broken:
            found = self._judged(own, own.resolved).findings
        return JudgedUnit(found, turn.ruling.evidence.models_in_contact), state

    def left(self, turn: Turn) -> State:
        """Return the table with the charger where it was resolved to end, and the target as it is left."""
        self.begun.setdefault(turn.ruling.charge.targets[0], turn.table)
        return self._moved(turn.ruling, turn.table, self.resolution.after.units[turn.name].pose)

    def _moved(self, ruling: Ruling, table: State, meant: Pose | None) -> State:
        """Return the table after a charge: the charger as resolved, if it is claimed there as far as a hand can tell, else as it is meant.

        A place that is no more than a hair off the resolved one bars no way.
        """
        unit, claim = self.resolution.after.units[ruling.charge.charger], (self.case.proposal or {}).get(ruling.charge.charger)
        if ruling.outcome == "success" and claim is not None and distance_off(unit, claim, unit.pose) > MEANT:
            unit = unit.at(meant or claim)
        return table.with_unit(unit).with_unit(self.resolution.after.units[ruling.charge.targets[0]])

    def _turn(self, ruling: Ruling, table: State) -> JudgedTurn:
        name, resolved = ruling.charge.charger, self.resolution.after.units[ruling.charge.charger].pose
        scene = Scene(table, table.units[name], table.units[ruling.charge.targets[0]], self.case.choices, self.case.book)
        return JudgedTurn(scene, ruling, (self.case.proposal or {}).get(name), resolved, self.case.measured is not None)

    def _judged(self, turn: JudgedTurn, pose: Pose) -> JudgedUnit:
        """Judge a charger that has its target to itself, or several chargers of one target together and once."""
        if "total_target_models_in_contact" not in turn.ruling.metrics:
            return _judged_alone(turn, pose, self.budget)
        if turn.scene.charger.name not in self.known:
            partners = list(self._partners(turn.scene.target.name))
            self.known.update(zip((one.scene.charger.name for one in partners), _judged_together(partners, self.budget), strict=True))
        return self.known[turn.scene.charger.name]

    def _partners(self, target: str) -> Iterator[JudgedTurn]:
        """Give the turns of the chargers of a target that complete, each with those before it as claimed."""
        table = self.begun[target]
        for ruling in (one for one in self.resolution.turns if one.charge.targets[0] == target and one.outcome != "not_allowed"):
            if ruling.outcome == "success":
                yield self._turn(ruling, table)
            table = self._moved(ruling, table, None)

    def moved_by(self, name: str, mover: Ruling) -> str:  # noqa: ARG002 - nothing else moves others
        """Name the special align move of a target."""
        return "t9a.unaligned.special-align"

    def standing(self, name: str, place: Pose, table: State, mover: Ruling | None) -> tuple[Finding, Pose]:
        """Ask a unit that completes no charge to stand where it is left: turned, if it makes a special align move, else unmoved.

        Raises
        ------
        NoVerdictError
            If it does not, and a search that did not end could have left it elsewhere.
        """
        finding, right = super().standing(name, place, table, mover)
        failed = [one.proof for one in self.resolution.rulings if one.charge.charger == name and one.outcome == "failed"]
        proof = weakest(*failed, *(() if mover is None else (mover.proof,)))
        claim = None if mover is None else (self.case.proposal or {}).get(mover.charge.charger)
        if mover is not None and claim is not None:
            turn = self._turn(mover, self.begun[name])
            best = solve(turn.scene, budget=self.budget, facings=_facings(turn)).place
            if isinstance(best, UnalignedPlace):  # pragma: no branch - it was; only others that are claimed in its way could change that
                tilted = _tilted(best, claim, self.budget)
                beside = list(meant_tilted(best.front, claim, best)) or [replace(tilted.place, angle=best.angle)]
                nearest = min(beside, key=lambda one: distance_off(table.units[name], place, one.target_pose))
                finding, right, proof = replace(judged_target(nearest, place), rule=finding.rule), nearest.target_pose, best.proof
        if finding.ok or proof != "best_found":
            return finding, right
        raise NoVerdictError("where the charges leave {name} was not proved: the search for the best places ended at its limit", name=name)


def _judged_alone(turn: JudgedTurn, pose: Pose, budget: Budget) -> JudgedUnit:
    solution = solve(turn.scene, budget=budget, facings=_facings(turn))
    best = solution.place
    if best is None:
        text = say("No legal charge move of {charger} exists where those before it are claimed to end.", charger=turn.scene.charger.name)
        return JudgedUnit((Finding("t9a.move.room", ok=False, text=text),))
    if isinstance(best, UnalignedPlace):
        return _judged_unaligned(best, pose, budget)
    proposed = _placement(solution.fronts if best.front in solution.fronts else [best.front], pose, budget)
    meant = _meant_aligned(proposed.front, pose, best)
    found = placement_findings(proposed)
    if meant is not None and not all(finding.ok for finding in found):
        proposed = replace(proposed, pose=meant, hand=0.0)
        found = placement_findings(proposed)
    met = _met(proposed)
    if not all(finding.ok for finding in found):
        return JudgedUnit((*found, *_counts_all_the_same(turn, found, _aligned_goals(proposed, best))), met)
    found += _aligned_goals(proposed, best)
    # it is taken to mean one where that is not known: on another facing, and where a limit ended the search for all best slides
    if all(finding.ok for finding in found) and meant is None and proposed.front == best.front and best.proof != "best_found":
        found = _at_odds(found, _kept_and_served(replace(proposed, hand=0.0), best))
    if all(finding.ok for finding in found):
        is_free = best.stretches[0][0] < best.stretches[-1][1]
        text = (
            say("Equally good places exist; the owner was free to choose this one.")
            if is_free
            else say("No other place serves the goals as well.")
        )
        found.append(Finding("t9a.align.free-choice", ok=True, text=text, measured=float(len(best.stretches))))
    lacking = _lacking(met, numbers_in_contact(best.front, best.slide))
    found = [one if one.ok else replace(one, mark=lacking) for one in found]
    return JudgedUnit(tuple(found), met, proof=best.proof, meant=meant)


def _judged_unaligned(best: UnalignedPlace, pose: Pose, budget: Budget) -> JudgedUnit:
    tilted, meant = _tilted(best, pose, budget), next(meant_tilted(best.front, pose, best), None)
    found = judged_tilted(tilted, best)
    if meant is not None and not all(finding.ok for finding in found):
        found = judged_tilted(replace(tilted, pose=meant.pose, hand=0.0), best)
    elif meant is None and all(finding.ok for finding in found) and best.proof != "best_found":
        found = _at_odds(found, judged_tilted(replace(tilted, pose=pose, hand=0.0), best))
    return JudgedUnit(tuple(found), _met_at_a_corner(tilted), proof=best.proof, meant=None if meant is None else meant.pose)


def _within_a_hand(front: Front, pose: Pose, there: Pose) -> Intervals:
    """Give how far along the facing a front may be slid from a pose so that both its corners lie within a hand of another."""
    claimed, begun, low, high = front.scene.charger.at(pose), front.scene.charger.at(there), -math.inf, math.inf
    for corner, start in ((claimed.front_right, begun.front_right), (claimed.front_left, begun.front_left)):
        (u, height), (from_u, from_height) = front.facing.coordinates(corner), front.facing.coordinates(start)
        if abs(height - from_height) > MEANT:
            return ()
        room = math.sqrt(MEANT**2 - (height - from_height) ** 2)
        low, high = max(low, u - from_u - room), min(high, u - from_u + room)
    return ((low, high),) if low <= high else ()


def _meant_aligned(front: Front, pose: Pose, best: AlignedPlace) -> Pose | None:
    """Give the place nearest to a pose that is among the best and lies within a hand of it, both front corners."""
    places = intersection(_within_a_hand(front, pose, front.pose(0.0)), best.stretches) if front == best.front else ()
    u, _ = front.facing.coordinates(front.scene.charger.at(pose).front_right)
    return front.pose(_nearest(u, places)) if places else None


def _nearest(u: float, places: Intervals) -> float:
    return min((min(max(u, low), high) for low, high in places), key=lambda one: abs(one - u))


def meant_tilted(front: Front, pose: Pose, best: UnalignedPlace) -> Iterator[UnalignedPlace]:
    """Give places of the least angle that serve as well as the best and lie within a hand of a pose, both front corners."""
    for corner, tilt in best.tilts.items():
        standing, unit = tilting(front, corner), front.scene.charger.at(pose)
        within = intersection(_within_a_hand(front, pose, standing.pose(0.0, tilt.angle)), tilt.ties)
        u, _ = front.facing.coordinates(unit.front_right if corner == "right" else unit.front_left)
        for part in within:
            for point in (*(_nearest(one, (part,)) for one in (best.u, u)), *special_points(front, corner, tilt.angle, part)):
                place = replace(best, corner=corner, u=point, angle=tilt.angle)
                if place.values == best.values:
                    yield place


def _at_odds(found: list[Finding], exact: Sequence[Finding]) -> list[Finding]:
    """Give what a place breaks with nothing forgiven, as no single place within a hand keeps all; what was found if it breaks nothing."""
    if all(finding.ok for finding in exact):
        return found
    told = [
        say("{text} Within {hand:g} in of it no single place keeps every limit and serves as well.", text=one.text, hand=HAND)
        for one in exact
    ]
    return [one if one.ok else replace(one, text=text) for one, text in zip(exact, told, strict=True)]


def _kept_and_served(proposed: Placement, best: AlignedPlace) -> list[Finding]:
    """Hold a place against the limits and, where they are kept, against the goals."""
    found = placement_findings(proposed)
    return found + _aligned_goals(proposed, best) if all(finding.ok for finding in found) else found


def _facings(turn: JudgedTurn) -> Sequence[FacingName] | None:
    """On a dividing line both facings may be taken; else the one that was charged."""
    return None if len(facings_allowed(turn.scene)) > 1 else [turn.ruling.metrics["target_facing"]]


def _placement(fronts: Sequence[Front], pose: Pose, budget: Budget) -> Placement:
    """Hold a pose against the facing it is nearest to, put exactly flush if it is flush as far as a hand can tell."""
    front = min(fronts, key=lambda one: max(map(abs, Placement(one, pose).heights)))
    placement = Placement(front, pose, hand=HAND)
    turned = abs(wrapped(pose.heading - front.pose(0.0).heading))
    if max(map(abs, placement.heights)) <= MEANT and turned < math.pi / 2:
        placement = replace(placement, pose=front.pose(placement.slide))
    return replace(placement, reach=reached_at(front, placement.slide, slack=placement.hand + CONTACT, budget=budget))


def _met(placement: Placement) -> Mapping[str, tuple[int, ...]]:
    """Give the models in contact as far as a hand can place them: none unless the front is flush."""
    is_flush = max(map(abs, placement.heights)) <= MEANT and looking_away(placement, "t9a.align.flush") is None
    return numbers_in_contact(placement.front, placement.slide, slack=HAND) if is_flush else {}


def _counts_all_the_same(turn: JudgedTurn, broken: Sequence[Finding], goals: Sequence[Finding]) -> list[Finding]:
    """Give how many models a measured front that breaks a limit would have in contact; nothing of one that looks away, or is exact."""
    if not turn.is_measured or len(broken) < len(LIMITS):
        return []
    return [replace(goal, text=say("Told all the same: {text}", text=goal.text)) for goal in goals]


def _aligned_goals(proposed: Placement, best: AlignedPlace) -> list[Finding]:
    """Compare the goals in their order; a goal missed makes those after it idle."""
    found: list[Finding] = []
    lineup = replace(proposed.front.lineup, overlap=proposed.front.lineup.overlap - proposed.hand)
    slide = np.array([proposed.slide])
    counts = float(lineup.shown_in_contact(slide)[0]), float(lineup.front_in_contact(slide)[0])
    for goal, value, models, most in zip(proposed.front.goals, counts, counts_told(*counts), best.values, strict=True):
        text = say("{models} in contact; no legal place has more.", models=models)
        if value < most:
            text = say("{models} in contact; a legal place has {most:.0f}.", models=models, most=most)
        found.append(Finding(goal.rule, value >= most, text, value, most, value - most))
        if value != most:
            break
    return found


def _lacking(met: Mapping[str, tuple[int, ...]], could: Mapping[str, tuple[int, ...]]) -> Mark:
    """Show the models that are in contact in a better place and are not in this one."""
    lacking = {name: tuple(number for number in numbers if number not in met.get(name, ())) for name, numbers in could.items()}
    return Mark(models={name: numbers for name, numbers in lacking.items() if numbers})


def _tilted(best: UnalignedPlace, pose: Pose, budget: Budget) -> Tilted:
    """Hold a pose against the facing on which no aligned place exists, put exactly where it is meant as far as a hand can tell."""
    tilted = snapped(Tilted(best.front, pose, Reach(), is_alignable=False, bar=aligned_bar(best.front, budget=budget)), best)
    return replace(tilted, reach=reached_point(best.front, tilted.u, slack=MEANT, budget=budget))


def snapped(tilted: Tilted, best: UnalignedPlace) -> Tilted:
    """Put a placement whose angle is the least one as far as a hand can tell exactly there, and where it may be on a best point."""
    is_least = abs(tilted.angle - best.angle) * tilted.front.width <= tilted.slack
    if not is_least or abs(min(tilted.placement.heights)) > tilted.slack:
        return tilted
    u = best.u if tilted.corner == best.corner and abs(tilted.u - best.u) <= tilted.slack else tilted.u
    return replace(tilted, pose=tilting(tilted.front, tilted.corner).pose(u, best.angle))


def judged_tilted(tilted: Tilted, best: UnalignedPlace) -> list[Finding]:
    """Hold a tilted placement against the limits, then against the goals that the best place serves."""
    found = tilted_findings(tilted)
    return found if not all(finding.ok for finding in found) else [*found, *_unaligned_goals(tilted, best)]


def _unaligned_goals(tilted: Tilted, best: UnalignedPlace) -> list[Finding]:
    """Compare the goals in their order; a goal missed makes those after it idle. As much is allowed as a hand may miss by."""
    place = tilted.place
    off = place.angle - best.angle
    allowed = tilted.slack / tilted.front.width
    degrees = math.degrees(place.angle), math.degrees(best.angle)
    text = say("{angle:.4f} degrees between the facings; the least is {least:.4f}.", angle=degrees[0], least=degrees[1])
    wide = None if off <= allowed else Mark(angles=(_opened(tilted),))
    found = [Finding("t9a.unaligned.angle", off <= allowed, text, degrees[0], degrees[1], degrees[1] - degrees[0], mark=wide)]
    met = place.numbers_at_contact(slack=tilted.slack)
    target, charger = tilted.front.scene.target, tilted.front.scene.charger
    counts = len(met[target.name]), len(met[charger.name])
    for goal, value, models, most in zip(GOALS[1:], counts, counts_told(*counts), best.values, strict=True):
        if not found[-1].ok:
            break
        fewer = say("{models} at the point of contact; a place has {most}.", models=models, most=most)
        text = fewer if value < most else say("{models} at the point of contact; no place has more.", models=models)
        found.append(Finding(goal.rule, value >= most, text, float(value), float(most), float(value - most)))
    return found


def _opened(tilted: Tilted) -> Angle:
    """Give the angle between front and facing at the corner that is in contact."""
    unit, sense = tilted.front.scene.charger.at(tilted.pose), 1.0 if tilted.corner == "right" else -1.0
    (x, y), (to_x, to_y) = (unit.front_right, unit.front_left)[:: int(sense)]
    along = math.atan2(to_y - y, to_x - x)
    return Angle(
        (x, y), along - sense * tilted.angle, sense * tilted.angle, say("{turned:.2f}\N{DEGREE SIGN}", turned=math.degrees(tilted.angle))
    )


def _met_at_a_corner(tilted: Tilted) -> Mapping[str, tuple[int, ...]]:
    """Give the models in contact where a front stands with a corner on a facing; none where it does not."""
    is_there = abs(min(tilted.placement.heights)) <= tilted.slack and tilted.angle >= 0.0
    return tilted.place.numbers_at_contact(slack=tilted.slack) if is_there else {}


def _judged_together(partners: Sequence[JudgedTurn], budget: Budget) -> Iterator[JudgedUnit]:
    """Hold the units of a combined charge against the limits, and the totals of all of them against the best."""
    fronts = [Front(turn.scene, turn.ruling.metrics["target_facing"]) for turn in partners]
    placed = [_placement([front], turn.proposed or turn.resolved, budget) for front, turn in zip(fronts, partners, strict=True)]
    told, meant = _held_together(partners, placed), _meant_together(partners, placed)
    is_right = all(finding.ok for found in told for finding in found)
    if not is_right and meant:
        exact = _held_together(partners, list(_exactly(partners, placed, meant)))
        told = exact if all(finding.ok for found in exact for finding in found) else told
    elif is_right and meant is None:
        exact = _held_together(partners, [replace(placement, hand=0.0) for placement in placed])
        told = [_at_odds(*pair) for pair in zip(told, exact, strict=True)]
    for turn, placement, found in zip(partners, placed, told, strict=True):
        proof = turn.ruling.proof if all(finding.ok or finding.rule == TOTALS for finding in found) else "exact"
        yield JudgedUnit(tuple(found), _met(placement), proof=proof, meant=(meant or {}).get(turn.scene.charger.name))


def _held_together(partners: Sequence[JudgedTurn], placed: Sequence[Placement]) -> list[list[Finding]]:
    """Give what is found of each of several chargers of a target: the limits, and the totals that it may lower."""
    told = [placement_findings(placement) for placement in placed]
    reached, is_legal = _reached_together(partners, placed), [all(finding.ok for finding in found) for found in told]
    for turn, found, keeps in zip(partners, told, is_legal, strict=True):
        if not keeps:
            found.extend(_counts_all_the_same(turn, found, [reached]))
        elif all(is_legal):  # else the limit that another breaks is what lowers the totals
            found.append(reached)
    return told


def _reached_together(partners: Sequence[JudgedTurn], placed: Sequence[Placement]) -> Finding:
    scene, best = partners[0].scene, _most_together(partners)
    totals = totals_of([(placement.front, placement.slide) for placement in placed], slack=placed[0].hand)
    compared = list(zip(*(values_of(pair, scene.choices) for pair in (totals, best)), strict=True))
    value, most = next((pair for pair in compared if pair[0] != pair[1]), compared[-1])
    told = {"theirs": totals[0], "own": totals[1], "most_theirs": best[0], "most_own": best[1], "target": scene.target.name}
    text = say("{theirs} of {target}'s models and {own} of its chargers' in contact in all; {most_theirs} and {most_own} can be.", **told)
    lacking = None if value >= most else _lacking_together(placed, partners)
    return Finding(TOTALS, value >= most, text, value, most, value - most, mark=lacking)


def _most_together(partners: Sequence[JudgedTurn]) -> tuple[int, int]:
    metrics = partners[0].ruling.metrics
    return int(metrics["total_target_models_in_contact"]), int(metrics["total_charger_models_in_contact"])


def _meant_together(partners: Sequence[JudgedTurn], placed: Sequence[Placement]) -> Mapping[str, Pose] | None:
    """Give places of all chargers of a target, each within a hand of its claim, that fit beside each other and serve as well as the best.

    None if there are none; nothing is told where that is not known, as fewer contacts were found than may be.
    """
    fronts, places, is_whole, weights = dict[str, Front](), dict[str, Intervals](), True, weights_of(partners[0].scene.choices)
    for turn, placement in zip(partners, placed, strict=True):
        front = Front(replace(turn.scene, absent=frozenset(fronts)), placement.front.name)
        within = _within_a_hand(front, turn.proposed, front.pose(0.0)) if turn.proposed else ((placement.slide, placement.slide),)
        free = intersection(within, front.free)
        fronts[turn.scene.charger.name], places[turn.scene.charger.name] = front, intersection(free, front.places(placement.reach.proven))
        is_whole = is_whole and sum(high - low for low, high in without(free, places[turn.scene.charger.name])) <= CONTACT
    found = packed(fronts, places, weights)
    if found is not None and weights.value(*found.totals) >= weights.value(*_most_together(partners)):
        return {name: fronts[name].pose(slide) for name, slide in found.slides.items()}
    return None if is_whole and (found is None or found.is_proven) else {}


def _exactly(partners: Sequence[JudgedTurn], placed: Sequence[Placement], meant: Mapping[str, Pose]) -> Iterator[Placement]:
    """Put several chargers of a target down at exact places, each beside those before it."""
    before = dict[str, Pose]()
    for turn, placement in zip(partners, placed, strict=True):
        state, name = turn.scene.state, turn.scene.charger.name
        for other, pose in before.items():
            state = state.with_unit(state.units[other].at(pose))
        front = Front(replace(turn.scene, state=state), placement.front.name)
        yield replace(placement, front=front, pose=meant[name], hand=0.0)
        before[name] = meant[name]


def _lacking_together(placed: Iterable[Placement], turns: Sequence[JudgedTurn]) -> Mark:
    """Show the models that are in contact where all chargers of a target are best and are not where they are claimed to be."""
    met = _together(_met(placement) for placement in placed)
    return _lacking(met, _together(turn.ruling.evidence.models_in_contact for turn in turns))


def _together(contacts: Iterable[Mapping[str, tuple[int, ...]]]) -> Mapping[str, tuple[int, ...]]:
    """Join models in contact by unit."""
    joined: dict[str, set[int]] = {}
    for met in contacts:
        for name, numbers in met.items():
            joined.setdefault(name, set()).update(numbers)
    return {name: tuple(sorted(numbers)) for name, numbers in joined.items()}


def judged_target(place: UnalignedPlace, pose: Pose) -> Finding:
    """Ask the target to end its special align move where it must beside the charger."""
    target, right = place.front.scene.target, place.target_pose
    off = distance_off(target, pose, right)
    told = {"target": target.name, "turn": math.degrees(place.turn), "off": off}
    text = say("{target} turns by {turn:.4f} degrees about the point of contact; the proposal is {off:.4f} in off.", **told)
    is_there = off <= MEANT
    mark = None if is_there else corner_mark(target, pose, right)
    return Finding("t9a.unaligned.special-align", is_there, text, off, HAND, HAND - off, mark=mark)

"""Judge of proposed charge moves: each model's path and end, the unit's conditions, and mandatory base contact.

The models of each charge are judged in their order of moving (`Ends`). `MoveCheck` finds whether a model reaches its
place and, if not, which single rule prevents it; whether models must end in base contact is asked only where no rule is
broken.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations, compress

import numpy as np

from systems.wh40k.conditions import (
    Ends,
    apart_findings,
    body_gaps,
    clear_findings,
    closer_findings,
    condition_findings,
    standing_faults,
    support_depth,
    tightest,
)
from systems.wh40k.explain import move_step, where_to
from systems.wh40k.feasibility import RolledCharge
from systems.wh40k.move import Moved
from systems.wh40k.paths import ANY_HINDRANCE, MeasuredPath, Paths, paths_of
from systems.wh40k.points import with_points
from systems.wh40k.roll import declarations_of
from systems.wh40k.scene import Scene, top_of, with_living
from tabletop.budget import Budget
from tabletop.errors import Fault, NoVerdictError, ScenarioError
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.distance import are_boxes_apart, gap
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape
from tabletop.messages import because, counted, for_judge, key_path, listed, say, shown
from tabletop.optimise.nudge import Measure, nudged
from tabletop.placement.candidates import Solver
from tabletop.placement.legality import oriented_base
from tabletop.placement.mandatory_contact import OPEN_DEBTS, MandatoryContact
from tabletop.placement.problem import End
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Finding
from tabletop.ruling.judge import (
    JudgedUnit,
    Referee,
    Turn,
    distance_off,
    judged,
    no_exact_place,
    standing_rule,
)
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.models import Formation, Model, Squad, crowd, from_one
from tabletop.table.state import State
from tabletop.units import CONTACT, HAND, MEANT, STRICTLY_BEYOND, wrapped

MOST_OFF = 3 * MEANT
"""Inches by which a claim may break a limit and still stand for a place that keeps it: two hands and their
tolerances."""

WITHIN_TWO_HANDS = 2.5 * MEANT
"""Inches from a limit within which two hands' inaccuracies may decide."""

HINDRANCES = {
    "zones": (
        "wh40k.possible.avoid-others",
        say("the engagement range of units that are not targets"),
    ),
    "enemies": ("wh40k.path.enemies", say("enemy models")),
    "vehicles": ("wh40k.path.vehicles", say("friendly Monsters or Vehicles")),
    "impassable": ("wh40k.terrain.through", say("impassable terrain")),
}
"""The rule of each kind of hindrance, and what is in the way."""

CAN_AND_MUST = say("Into base contact, since it can and so must.")
"""Text about a model in base contact in a legal proposal."""

OUT_OF_REACH = say("base contact is out of its reach.")
NONE_IN_REACH = say("no place in base contact is left within its reach.")
OWES_NOTHING = say(
    "if it were in base contact, wherever it could be, the unit could not complete its charge."
)
WOULD_LEAVE = say("in base contact it would be out of the unit's coherency.")
OWES_PERHAPS = say(
    "no place in base contact was found with which the unit could complete its charge."
)
"""Reasons why a model without base contact need not be in it, or is not known to have to."""

CONTACT_RULE = "wh40k.move.contact"


def judge_proposal(case: Case, resolution: Resolution, *, budget: Budget) -> Judgement:
    """Return the judgement on the units that the case's proposal names; all others are taken to end as resolved.

    Raises
    ------
    NoVerdictError
        If no rule is broken, but it is not known of some model whether it must end in base contact.
    ScenarioError
        If a proposal does not have one place for each living model, or its order does not name each of them once.
    """
    referee = Judge(case, resolution, budget)
    problems = [
        problem
        for name, place in (case.proposal or {}).items()
        for problem in referee.misfits(name, place)
    ]
    if problems:
        raise ScenarioError(problems)
    judgement = judged(referee)
    if judgement.outcome == "legal":
        doubts = [
            one.mark.models
            for one in judgement.findings
            if one.rule == CONTACT_RULE and one.mark is not None
        ]
        name, numbers = next(iter(doubts[0].items()))
        models = listed((str(from_one(number)) for number in numbers), ", ")
        raise NoVerdictError(
            "wh40k.move.contact was not verified for these models of {name}: {models}. The search ended at its limit "
            "before it found a place in base contact for them, or proved that there is none. All other rules were "
            "verified, so the charge is possible",
            name=name,
            models=models,
        )
    return replace(judgement, is_best=False)


@dataclass(frozen=True)
class Judge(Referee):
    """Judge of claims about where loose models end."""

    right = perhaps_right = say("The proposal is legal.")

    def misfits(self, name: str, place: Formation) -> Iterator[Fault]:
        """Yield the fault of a claim that does not have one place, and one position in the order, for each model alive
        at its move.
        """
        moves = [
            one
            for one in self.resolution.rulings
            if one.charge.charger == name and one.outcome == "success"
        ]
        unit = (
            self.as_moving(self.case.state.units[name], moves[0])
            if moves
            else self.resolution.after.units.get(name)
        )
        alive = [] if unit is None else [model.number for model in unit.models]
        key = ["proposal", "units", name]
        if not alive:
            message = (
                "no model of {name} is left after the charges; leave the unit out of the proposal"
            )
            yield Fault.of(key_path(key), message, name=shown(name))
            return
        if len(place.poses) != len(alive):
            message = "expected {places}, one per model alive when the move begins, given {count}"
            yield Fault.of(
                key_path([*key, "at"]),
                message,
                places=counted(len(alive), "places"),
                count=len(place.poses),
            )
        if place.order is not None and sorted(place.order) != alive:
            message = "expected each of the living models' numbers once ({alive}), given {order}"
            yield Fault.of(
                key_path([*key, "order"]),
                message,
                alive=", ".join(map(str, alive)),
                order=str(list(place.order)),
            )

    def ends(self, ruling: Ruling) -> Mapping[str, Formation]:
        """Return the formation in which the charge was resolved to end, by the charger's name."""
        return {ruling.charge.charger: ruling.attempt.move.formation}

    def as_moving(self, unit: Squad, ruling: Ruling) -> Squad:
        """Return the charger with those of its models that are alive when it moves."""
        return unit.without(declarations_of(ruling.charge).overwatch.before)

    def held(self, turn: Turn) -> tuple[JudgedUnit, State[Squad]]:
        """Judge the charge move of a turn; return the judged unit and the table after the move.

        A move that nobody claims is first checked, as resolved, for overlaps with claimed units; it is judged fully
        only if it has none and no earlier claim breaks a rule.
        """
        if not turn.places:
            return super().held(turn)
        attempt: RolledCharge = turn.ruling.attempt.on(turn.table, self.budget)
        ends = _claimed(turn, attempt)
        overlaps = () if turn.claim else tuple(one for one in clear_findings(ends) if not one.ok)
        found = JudgedUnit(overlaps, {turn.name: ends.in_contact} if overlaps else {})
        if turn.claim or not (overlaps or turn.is_broken):
            found = self._judged(turn, attempt, ends)
        return found, _after(turn, ends.scene, found.meant or ends.formation())

    def left(self, turn: Turn) -> State[Squad]:
        """Return the table after a charge that ends as in `turn.places`, or as resolved if it fails."""
        attempt: RolledCharge = turn.ruling.attempt
        if turn.places:
            ends = _claimed(turn, attempt.on(turn.table, self.budget))
            return _after(turn, ends.scene, ends.formation())
        if attempt.unmet is not None:
            return turn.table
        # the whole unit could do it, but not those whom Overwatch leaves
        return with_living(turn.table, self.as_moving(turn.table.units[turn.name], turn.ruling))

    def _judged(self, turn: Turn, attempt: RolledCharge, ends: Ends) -> JudgedUnit:
        """Judge each model's move, then the three conditions, then each model's duty to end in contact; the first
        broken rule ends it.

        Raises NoVerdictError if nothing is broken within hand tolerance (0.001 in), but no exact ends near the claim
        were found.
        """
        most = turn.ruling.attempt.move.most_contacts if turn.are_resolved else math.inf
        check = MoveCheck(ends)
        findings = check.findings()
        owed = list[Finding]()
        notes = dict[int, str]()
        is_near = all(one.ok for one in apart_findings(ends)) and all(
            one.slack >= -MOST_OFF for one in findings if not one.ok
        )
        exact = _exact(ends) if is_near else None
        if exact is not None and not all(one.ok for one in findings):
            ends = exact
            check = MoveCheck(exact)
            findings = check.findings()
        if all(one.ok for one in findings):
            solver = attempt.moving.solver.fresh(ends.distance)
            owed, notes = _duties(ends, most, self.budget, solver)
        elif turn.claim and self.case.measured is not None:
            owed = [_contacts_all_the_same(ends, most)]
        found = tuple(with_points((*findings, *owed), ends))
        broken = next((one for one in found if not one.ok), None)
        if broken is None and exact is None:
            raise no_exact_place([turn.name])
        return JudgedUnit(
            found,
            {
                turn.name: ends.in_contact,
                **{target.name: ends.to(target).touched for target in ends.scene.targets},
            },
            ends.link_lines,
            tuple(_steps(check, notes, broken)),
            "best_found" if OWES_PERHAPS in notes.values() else "exact",
            meant=None if exact is None else exact.formation(),
        )

    def standing(
        self,
        name: str,
        place: Formation,
        table: State[Squad],  # noqa: ARG002
        mover: Ruling | None,  # noqa: ARG002
    ) -> tuple[Finding, Formation]:
        """Return the finding on a unit that makes no charge move, which must stay where it is, and its right
        formation.
        """
        unit = self.resolution.after.units[name]
        single = (replace(unit, models=(model,)) for model in unit.models)
        claimed = zip(single, unit.at(place).models, strict=True)
        off, number = max(
            (distance_off(one, one.place, replace(one, models=(model,)).place), model.number)
            for one, model in claimed
        )
        text = say(
            "{name} makes no charge move, so it must stay where it is; in the proposal one of its models is {off:.4f} "
            "in away from there.",
            name=name,
            off=off,
        )
        mark = Mark(say("moved {off:.2f} in", off=off), models={name: (number,)})
        rule = standing_rule(self.resolution, name, system="wh40k")
        return Finding(
            rule, off <= MEANT, text, off, 0.0, 0.0 - off, allowance=HAND, mark=mark
        ), unit.place


def claimed_ends(
    scene: Scene, formation: Formation, *, distance: float = math.inf, hand: float = HAND
) -> Ends:
    """Return the claimed ends of a charger for a charge distance of `distance` inches, its models in the order of
    moving.

    Models within 0.001 in of a surface are put onto it and, unless every model must end closer, those as near to their
    starts exactly there.
    """
    pairs = zip(scene.charger.models, scene.charger.at(formation).models, strict=True)
    ends = {start.number: _snapped(scene, start, model) for start, model in pairs}
    return Ends(
        scene, tuple(ends[number] for number in formation.order or ends), distance, hand=hand
    )


def _snapped(scene: Scene, start: Model, model: Model) -> Model:
    """Return a model moved to its start, or onto a surface, if it is within hand tolerance (0.001 in) of it; else
    unchanged.

    It keeps its facing at the start if that moves no point of its base by more than this tolerance. It is moved to its
    start only if models that stay need not end closer.
    """
    # else a hair closer is legal where there is no more room
    may_stay = scene.choices.closer_scope == "moved"
    if abs(wrapped(model.pose.heading - start.pose.heading)) * oriented_base(model).outer <= MEANT:
        if may_stay and math.dist((*start.pose.at, start.z), (*model.pose.at, model.z)) <= MEANT:
            return start
        model = model.at(replace(model.pose, heading=start.pose.heading), model.z)
    there = [
        piece.height
        for piece in (*scene.blocks, *scene.floors)
        if gap(model.footprint, piece.shape) <= MEANT
    ]
    height = min((0.0, *there), key=lambda one: abs(model.z - one))
    return model.at(model.pose, height) if abs(model.z - height) <= MEANT else model


def _as_meant(place: Formation, resolved: Formation) -> Formation:
    """Return a claimed formation with models that are within 0.001 in of their resolved ends put exactly at those ends.

    Otherwise a difference too small to see could block their paths. Distances to enemy units that are no targets are
    judged by the claimed places themselves.
    """
    pairs = zip(place.poses, place.heights, resolved.poses, resolved.heights, strict=True)
    candidates = [
        (replace(pose, x=right.x, y=right.y), top)
        if math.dist((*pose.at, z), (*right.at, top)) <= MEANT
        else (pose, z)
        for pose, z, right, top in pairs
    ]
    return replace(
        place, poses=tuple(pose for pose, _ in candidates), heights=tuple(z for _, z in candidates)
    )


def _claimed(turn: Turn, attempt: RolledCharge) -> Ends:
    """Return the ends of a turn's places, of which `attempt` is the charge on its table."""
    scene = attempt.moving.scene
    place = turn.places[turn.name]
    distance = float(attempt.distance)
    ends = claimed_ends(scene, place, distance=distance)
    if turn.claim and all(one.ok for one in apart_findings(ends)):
        meant = _as_meant(place, turn.ruling.attempt.move.formation)
        return claimed_ends(scene, meant, distance=distance)
    return ends


def _after(turn: Turn, scene: Scene, place: Formation) -> State[Squad]:
    """Return the table after a charge move to a formation, without models lost afterwards."""
    return with_living(
        turn.table,
        scene.charger.at(place).without(declarations_of(turn.ruling.charge).overwatch.after),
    )


@dataclass(frozen=True)
class MoveCheck:
    """Check of whether models, in the order of moving, reach their ends within the charge distance and may end
    there.
    """

    ends: Ends

    @property
    def most(self) -> float:
        """Largest allowed length of a model's move in inches, hand tolerance included."""
        return self.ends.distance + self.ends.hand

    @property
    def moves(self) -> Iterator[tuple[Model, Model]]:
        """The start and the end of each model, in the order of moving."""
        return zip(self.ends.starts.models, self.ends.models, strict=True)

    def findings(self) -> list[Finding]:
        """Return the findings on each model's path and end, on overlaps, and on the unit's three conditions."""
        found = [
            finding
            for start, end in self.moves
            if not end.stands_like(start)
            for finding in self._of(start, end)
        ]
        broken = [finding for finding in found if not finding.ok]
        limits = tightest(finding for finding in found if finding.rule == "wh40k.roll.limit")
        return [*(broken or limits), *clear_findings(self.ends), *condition_findings(self.ends)]

    def _of(self, start: Model, end: Model) -> list[Finding]:
        scene = self.ends.scene
        slack = self.ends.slack
        found = list(standing_faults(scene, end, slack=slack))
        if not found and float(body_gaps(crowd([end]), scene.bodies).min(initial=np.inf)) >= -slack:
            found = [self._limit(start, end)]
        own = {scene.charger.name: (end.number,)}
        return [
            one if one.ok else replace(one, mark=replace(one.mark or Mark(), models=own))
            for one in found
        ]

    def _limit(self, start: Model, end: Model) -> Finding:
        """Return the finding on the length of a model's move.

        Its rule is wh40k.roll.limit or, if the path is too long only because of one kind of hindrance, the rule of that
        kind.
        """
        length = self._ways.length(start, end)
        parts = {
            "charger": self.ends.scene.charger.name,
            "number": from_one(end.number),
            "distance": self.ends.distance,
        }
        if length <= self.most + CONTACT:
            text = say(
                "{charger}'s model {number} moves {length:.4f} in; the charge distance is {distance:g} in.",
                length=length,
                **parts,
            )
            return self._limited("wh40k.roll.limit", text, length)
        length = self._long_ways.length(start, end)
        has_path = math.isfinite(length)
        for hindrance, (rule, what) in HINDRANCES.items():
            ways = paths_of(
                self.ends.scene,
                self.most,
                clearance=STRICTLY_BEYOND,
                hindrances=ANY_HINDRANCE - {hindrance},
            )
            if ways.length(start, end) <= self.most + CONTACT:
                text = say(
                    "{charger}'s model {number} has no path of at most {distance:g} in that keeps clear of {what}.",
                    what=what,
                    **parts,
                )
                if has_path:
                    text = say(
                        "{charger}'s model {number} has no path of at most {distance:g} in that keeps clear of "
                        "{what}; the shortest that does is {length:.4f} in long.",
                        what=what,
                        length=length,
                        **parts,
                    )
                words = say("no path of at most {distance:g} in", distance=self.ends.distance)
                return self._limited(rule, text, length, words)
        text = say(
            "{charger}'s model {number} would have to move farther than the charge distance of {distance:g} in.",
            **parts,
        )
        words = say("out of reach")
        if has_path:
            text = say(
                "{charger}'s model {number} would have to move {length:.4f} in, farther than the charge distance of "
                "{distance:g} in.",
                length=length,
                **parts,
            )
            words = say(
                "{length:.2f} in to move, {distance:g} in rolled",
                length=length,
                distance=self.ends.distance,
            )
        return self._limited("wh40k.roll.limit", text, length, words)

    def _limited(self, rule: str, text: str, length: float, words: str = "") -> Finding:
        """Return the finding on a model's move, measured against the charge distance unless `length` is infinite: there
        is no path.
        """
        is_ok = length <= self.most + CONTACT
        mark = None if is_ok else Mark(words)
        if math.isinf(length):
            return Finding(rule, is_ok, text, mark=mark)
        distance = self.ends.distance
        return Finding(
            rule,
            is_ok,
            text,
            length,
            distance,
            distance - length,
            allowance=self.ends.hand,
            mark=mark,
        )

    def way(self, start: Model, end: Model) -> MeasuredPath:
        """Return the shortest path of a model to its end, even if longer than allowed; a straight line of length inf if
        there is none.
        """
        for ways in (self._ways, self._long_ways):
            if math.isfinite(ways.length(start, end)):
                return ways.way(start, end)
        return MeasuredPath(((*start.pose.at, start.z), (*end.pose.at, end.z)), math.inf)

    @cached_property
    def _ways(self) -> Paths:
        return paths_of(self.ends.scene, self.most, clearance=STRICTLY_BEYOND)

    @cached_property
    def _long_ways(self) -> Paths:
        return paths_of(self.ends.scene, clearance=STRICTLY_BEYOND)


def _exact(claimed: Ends) -> Ends | None:
    """Return exact ends within hand tolerance (0.001 in) of claimed ones that satisfy every limit; None if none were
    found.

    Models in base contact to that tolerance are put in exact contact. If the claimed ends themselves do not do, all
    limits near which they are (`_HandLimits`) are solved for at once, and the result is checked again.
    """
    for is_itself in (True, False):
        count = len(claimed.models)
        moves = (
            np.zeros((count, 2))
            if is_itself
            else nudged(count, list(_HandLimits(claimed).measures()))
        )
        if moves is None or float(np.hypot(*moves.T).max(initial=0.0)) > MEANT:
            return None
        models = tuple(
            _moved(model, move) for model, move in zip(claimed.models, moves, strict=True)
        )
        ends = replace(claimed, models=models, hand=0.0)
        if all(finding.ok for finding in MoveCheck(ends).findings()) and set(
            claimed.in_contact
        ) <= set(ends.in_contact):
            return ends
    return None


def _moved(model: Model, move: FloatArray) -> Model:
    if not move.any():
        return model
    return model.at(
        Pose(model.pose.x + float(move[0]), model.pose.y + float(move[1]), model.pose.heading),
        model.z,
    )


@dataclass(frozen=True, eq=False)
class _HandLimits:
    """The limits that the tolerance of models placed by hand (0.001 in) may decide, for models at their claimed
    ends.
    """

    ends: Ends

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """Indices of the models that move."""
        pairs = zip(self.ends.models, self.ends.starts.models, strict=True)
        return tuple(
            number for number, (model, start) in enumerate(pairs) if not model.stands_like(start)
        )

    @cached_property
    def ways(self) -> Paths:
        """The shortest paths by which the lengths of claimed moves are judged."""
        reach = self.ends.distance + WITHIN_TWO_HANDS
        return paths_of(self.ends.scene, reach, clearance=STRICTLY_BEYOND)

    def measures(self) -> Iterator[Measure]:
        """Yield as measures the limits that the tolerance may decide: of each model, of each pair, and of the unit."""
        for number in self.moving:
            yield from self._of_one(number, self.ends.models[number])
        for (number, model), (other, beside) in combinations(enumerate(self.ends.models), 2):
            if abs(model.z - beside.z) <= CONTACT:
                yield from self._watched(
                    (number, other), lambda some: gap(some[0].footprint, some[1].footprint), low=0.0
                )
        yield from self._coherency()
        for target in self.ends.scene.targets:
            best = int(self.ends.to(target).margins.max(axis=1).argmax())
            yield from self._watched((best,), partial(self._range, target), low=0.0)

    def _watched(
        self,
        who: tuple[int, ...],
        value: Callable[[Sequence[Model]], float],
        *,
        low: float = -math.inf,
        high: float = math.inf,
    ) -> Iterator[Measure]:
        """Yield the measure `value` of the models with indices `who`, limited to [`low`, `high`], if the tolerance may
        decide about it.
        """
        some = [self.ends.models[number] for number in who]
        now = value(some)
        if min(abs(now - low), abs(now - high)) <= WITHIN_TWO_HANDS or not low <= now <= high:
            free = [place for place, number in enumerate(who) if number in self.moving]

            def moved(moves: FloatArray) -> float:
                """Return the measure with the models that move displaced by `moves` (k, 2), in inches."""
                at = {
                    place: _moved(some[place], move)
                    for place, move in zip(free, moves, strict=True)
                }
                return value([at.get(place, model) for place, model in enumerate(some)])

            yield Measure(tuple(who[place] for place in free), moved, low, high)

    def _of_one(self, number: int, model: Model) -> Iterator[Measure]:
        scene = self.ends.scene
        one = (number,)
        yield from self._watched(
            one, lambda some: scene.state.board.room(some[0].footprint), low=0.0
        )
        for piece in scene.solids:
            if top_of(piece) > model.z + CONTACT and not are_boxes_apart(
                model.footprint, piece.shape
            ):
                yield from self._watched(one, partial(_gap_to, piece.shape), low=0.0)
        held = [
            piece
            for piece in (*scene.blocks, *scene.upper_floors)
            if model.z > CONTACT and abs(piece.height - model.z) <= CONTACT
        ]
        if held:
            best = max(held, key=lambda piece: support_depth(scene, model, piece))
            yield from self._watched(one, lambda some: support_depth(scene, some[0], best), low=0.0)
        touched = {
            id(foe)
            for unit in scene.targets
            for foe in compress(unit.models, self.ends.to(unit).contacts[number])
        }
        for other in (
            other
            for unit in scene.others
            for other in unit.models
            if abs(other.z - model.z) <= CONTACT
        ):
            yield from self._watched(
                one,
                partial(_gap_to, other.footprint),
                low=0.0,
                high=0.0 if id(other) in touched else math.inf,
            )
        for unit in scene.non_targets:
            yield from self._watched(one, partial(self._range, unit), high=-STRICTLY_BEYOND)
        start = self.ends.starts.models[number]
        yield from self._watched(
            one, lambda some: self.ways.length(start, some[0]), high=self.ends.distance
        )
        if not touched:
            yield from self._watched(
                one, lambda some: float(self._at(some).gains[0]), low=STRICTLY_BEYOND
            )

    def _at(self, some: Sequence[Model]) -> Ends:
        return Ends(self.ends.scene, tuple(some))

    def _range(self, unit: Squad, some: Sequence[Model]) -> float:
        """Return the largest margin in inches by which one of the models is within engagement range of a unit; negative
        outside.
        """
        return float(self._at(some).to(unit).margins.max())

    def _coherency(self) -> Iterator[Measure]:
        """Yield the measures of coherency links within tolerance of breaking, if the unit may need them."""
        asked = self.ends.coherency.neighbours
        margins = self.ends.neighbour_margins
        sure = (margins >= WITHIN_TWO_HANDS).sum(axis=1)
        for pair in zip(
            *(rows.tolist() for rows in np.nonzero(np.triu(np.abs(margins) <= WITHIN_TWO_HANDS))),
            strict=True,
        ):
            if min(sure[list(pair)]) < asked or self.ends.coherency.single_group:
                yield from self._watched(
                    pair, lambda some: float(self._at(some).neighbour_margins[0, 1]), low=0.0
                )


def _gap_to(shape: Shape, some: Sequence[Model]) -> float:
    return gap(some[0].footprint, shape)


def _duties(
    ends: Ends, most: float, budget: Budget, solver: Solver
) -> tuple[list[Finding], dict[int, str]]:
    """Check for each model in turn that it ends in base contact if it must, else closer to a target; stop at the first
    that does not.

    `solver` is of the problem of the ends, `most` the largest number of models that a complete plan has in base
    contact, inf if not known. Return the findings, and by number the reason why a model need not be in contact; the
    finding on contact marks the models of which it is not known whether they must.
    """
    owes_closer = closer_findings(ends)
    owing = MandatoryContact(solver, ends.models)
    closer = list[Finding]()
    notes = dict[int, str]()
    doubts = list[int]()
    for turn, model in enumerate(ends.models):
        if ends.touching[turn]:
            continue
        if ends.touching[:turn].sum() < most:
            owed = owing.contact(turn, budget=budget, is_quick=len(doubts) >= OPEN_DEBTS)
            if owed.end is not None:
                near = owing.nearest(turn, owed, budget=budget).end or owed.end
                return [*tightest(closer), _owes(ends, turn, near, most)], notes
            why = (
                WOULD_LEAVE
                if owed.would_leave
                else OWES_NOTHING
                if owed.has_place
                else NONE_IN_REACH
            )
            if all(
                ends.starts.to(target).across[turn].min() > ends.distance + MEANT
                for target in ends.scene.targets
            ):
                why = OUT_OF_REACH
            elif owed.proof == "best_found":
                why = OWES_PERHAPS
                doubts.append(model.number)
            notes[model.number] = why
        if (found := owes_closer.get(model.number)) is not None:
            if not found.ok:
                return [*tightest(closer), found], notes
            closer.append(found)
    rest = say(
        "within the limits of the search no way was found for another model to reach it"
        if doubts
        else "no other could be in its turn, with the charge completed"
    )
    touching = int(ends.touching.sum())
    text = say(
        "{touching} of the {count} models of {charger} are in base contact; {others}.",
        charger=ends.scene.charger.name,
        touching=touching,
        count=len(ends.models),
        others=rest,
    )
    mark = Mark(models={ends.scene.charger.name: tuple(doubts)}) if doubts else None
    kept = Finding(CONTACT_RULE, ok=True, text=text, measured=float(touching), mark=mark)
    return [kept, *tightest(closer)], notes


def _owes(ends: Ends, row: int, end: End, most: float) -> Finding:
    """Return the finding on a model that is not in contact although it could be at `end`, with how many are, and how
    many can be.

    That is `most`; inf if it is not known.
    """
    scene = ends.scene
    model = ends.models[row]
    height = say(", {z:g} in up", z=end.z) if end.z else ""
    where = for_judge(say(" at ({x:.4f}, {y:.4f})", x=end.pose.x, y=end.pose.y))
    parts = {
        "charger": scene.charger.name,
        "number": from_one(model.number),
        "where": where,
        "height": height,
    }
    text = say(
        "{charger}'s model {number} does not end in base contact, but it could{where}{height}, and the unit could "
        "still complete its charge.",
        **parts,
    )
    place = model.at(end.pose, end.z).footprint
    mark = Mark(
        say("base contact is possible"),
        models={scene.charger.name: (model.number,)},
        places=(place,),
    )
    touching = len(ends.in_contact)
    limit = int(most) if touching < most < math.inf else None
    margin = None if limit is None else touching - limit
    return Finding(
        CONTACT_RULE, ok=False, text=text, measured=touching, limit=limit, margin=margin, mark=mark
    )


def _contacts_all_the_same(ends: Ends, most: float) -> Finding:
    """Return the finding on how many models are in base contact, regardless of which must be; `most` is the most
    possible, or inf.
    """
    touching = len(ends.in_contact)
    parts = {"touching": touching, "count": len(ends.models)}
    if math.isinf(most):
        return Finding(
            CONTACT_RULE,
            True,  # noqa: FBT003
            say("Also measured: {touching} of {count} models in base contact.", **parts),
            touching,
        )
    text = say(
        "Also measured: {touching} of {count} models in base contact; {most:.0f} can be.",
        most=most,
        **parts,
    )
    return Finding(CONTACT_RULE, touching >= most, text, touching, int(most), touching - int(most))


def _steps(check: MoveCheck, notes: Mapping[int, str], broken: Finding | None) -> Iterator[Step]:
    """Yield the steps of the claimed moves in order, each with a sentence on why its model may end there."""
    name = check.ends.scene.charger.name
    at_fault = () if broken is None or broken.mark is None else broken.mark.models.get(name, ())
    for row, (start, end) in enumerate(check.moves):
        step = move_step(Moved(start, end, check.way(start, end)), check.ends)
        if check.ends.touching[row] and broken is None:
            step = replace(step, text=CAN_AND_MUST)
        elif end.number in notes:
            step = replace(step, text=because(where_to(check.ends, row), notes[end.number]))
        if broken is not None and end.number in at_fault:
            step = replace(step, text=broken.text, rules=(broken.rule,))
        yield (
            step
            if step.length is None or math.isfinite(step.length)
            else replace(step, length=None)
        )

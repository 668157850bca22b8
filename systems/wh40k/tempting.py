"""Moves of single models that a player would try and that a limit bars while the others end where they do.

They are the nearest base contact of a model that ends without one, a straight move, a turn that costs too much, and
staying behind.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
import shapely

from systems.wh40k.conditions import Ends, body_gaps, can_stand, engagement_of
from systems.wh40k.explain import move_step
from systems.wh40k.judge import MoveCheck
from systems.wh40k.move import Moved
from systems.wh40k.paths import ANY_HINDRANCE, MeasuredPath, Paths, paths_of
from systems.wh40k.points import links, middle
from systems.wh40k.roll import MOST_NEEDED
from systems.wh40k.scene import Scene
from systems.wh40k.statement import BEARINGS, beside
from tabletop.geometry.distance import gap, shortest_segment
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.messages import say
from tabletop.ruling.charge import Step
from tabletop.ruling.contrast import Contrast, Term
from tabletop.ruling.evidence import TWO_DECIMALS_FROM, Mark
from tabletop.ruling.finding import Finding
from tabletop.table.models import Model, RoundBase, crowd, from_one
from tabletop.units import CONTACT, MARGINAL

ENGAGE = "wh40k.possible.engage-all"
AVOID = "wh40k.possible.avoid-others"
COHERENCY = "wh40k.possible.coherency"
LIMIT = "wh40k.roll.limit"
SUPPORT = "wh40k.terrain.support"

CONDITION_RULES = (ENGAGE, AVOID, COHERENCY)

TERMS = {
    "across": say("across"),
    "up": say("climbing up"),
    "down": say("climbing down"),
    "in all": say("in all"),
}
"""Names of the terms of a climb."""

MOST_PLACES = 400
"""Places in contact of one model up to which they are examined."""


def broken_by(ends: Ends) -> Finding | None:
    """Return the first broken finding of claimed ends, as the judge finds it; None if they keep all limits.

    If no way leads to ends that break a condition, the finding that measures the condition at the ends is returned.
    """
    broken = [finding for finding in MoveCheck(ends).findings() if not finding.ok]
    same = (finding for finding in broken if finding.rule == broken[0].rule)
    return min(
        same, key=lambda finding: (finding.margin is None, broken.index(finding)), default=None
    )


@dataclass(frozen=True, eq=False)
class TemptingEnds:
    """The ends of a charge move (`ends`, in the order of moving), in which one model tries another place; `is_claimed`:
    as proposed.
    """

    ends: Ends
    is_claimed: bool = False

    @property
    def scene(self) -> Scene:
        """The charge."""
        return self.ends.scene

    @cached_property
    def starts(self) -> dict[int, Model]:
        """The models where they begin, by number."""
        return {model.number: model for model in self.scene.charger.models}

    @cached_property
    def ways(self) -> Paths:
        """The shortest paths up to the charge distance, not hindered by the ranges of units that are no targets."""
        reach = self.ends.distance + MARGINAL
        return paths_of(self.scene, reach, hindrances=ANY_HINDRANCE - {"zones"})

    def having(self, model: Model) -> Ends:
        """Return the ends with one model at another place."""
        return replace(
            self.ends,
            models=tuple(model if one.number == model.number else one for one in self.ends.models),
        )

    def barred(self) -> Iterator[Contrast]:
        """Yield the barred place of a model that tells most: a contact, else a straight move, a turn, or staying; none
        if there is none.
        """
        models = sorted(self.ends.models, key=lambda model: model.number)
        tried = chain(
            (self._contact(models),),
            (self._straight(model) for model in models),
            (self._turned(model) for model in models if len(models) == 1),
            (self._behind(model) for model in models if model.number not in self.ends.engaged),
        )
        found = next((one for one in tried if one is not None), None)
        if found is not None:
            yield found

    def _contact(self, models: Sequence[Model]) -> Contrast | None:
        """Return the contact of a model without one that comes nearest to keeping all conditions; None if there is
        none.
        """
        found = [
            self._nearest_contact(model)
            for model in models
            if model.number not in self.ends.in_contact
        ]
        best = max((one for one in found if one is not None), key=lambda one: one[0], default=None)
        if best is None:
            return None
        ends = self.having(best[1])
        place = best[1]
        touched = next(
            unit.name
            for unit in self.scene.targets
            if ends.to(unit).contacts[ends.models.index(place)].any()
        )
        return self._told(
            place,
            say(
                "Model {number} into contact with {target}",
                number=from_one(place.number),
                target=touched,
            ),
            CONDITION_RULES,
        )

    def _nearest_contact(self, model: Model) -> tuple[float, Model] | None:
        """Return the place in contact within reach that comes nearest to keeping all conditions, with its margin in
        inches.

        None if a model has no such place that is clear of all others, or if one keeps the conditions.
        """
        start = self.starts[model.number]
        places = [one for one in self._touching(start) if can_stand(self.scene, one)]
        if not 0 < len(places) <= MOST_PLACES:
            return None
        others = [one for one in self.ends.models if one.number != model.number]
        clear = (
            body_gaps(crowd(places), crowd([*others, *self.scene.bodies.models])).min(
                axis=1, initial=np.inf
            )
            >= -CONTACT
        )
        lengths = self._lengths(start, places)
        margins = [
            self._margin(place)
            if is_clear and length <= self.ends.distance + CONTACT
            else -math.inf
            for place, is_clear, length in zip(places, clear.tolist(), lengths, strict=True)
        ]
        best = round(max(margins) / MARGINAL) if max(margins) > -math.inf else None
        if best is None or max(margins) > -TWO_DECIMALS_FROM:
            return None
        among = [
            row
            for row, margin in enumerate(margins)
            if margin > -math.inf and round(margin / MARGINAL) == best
        ]
        row = min(among, key=lambda one: (round(lengths[one] / MARGINAL), one))
        return best * MARGINAL, places[row]

    def _lengths(self, start: Model, places: list[Model]) -> list[float]:
        spots = np.array([[*place.pose.at, place.z] for place in places])
        lengths: list[float] = self.ways.lengths(start, spots).tolist()
        return lengths

    def _margin(self, place: Model) -> float:
        """Return the margin in inches of the first condition broken with a model at a place; 0 or more if none is."""
        ends = self.having(place)
        engaged = [float(ends.to(target).margins.max()) for target in self.scene.targets]
        apart = [
            -float(ends.to(unit).margins.max()) - ends.clearance for unit in self.scene.non_targets
        ]
        return next(
            (one for one in (*engaged, *apart, ends.coherency_margin) if one < -CONTACT), 0.0
        )

    def _touching(self, start: Model) -> Iterator[Model]:
        """Yield places of a model in base contact with each foe within reach: evenly spaced, nearest to others, and at
        their limits.
        """
        mates = [one for one in self.ends.models if one.number != start.number]
        rivals = [model for unit in self.scene.others for model in unit.models]
        zone = engagement_of(self.scene).horizontal
        link = self.ends.coherency.horizontal
        for foe in (foe for target in self.scene.targets for foe in target.models):
            apart = math.dist(start.pose.at, foe.pose.at)
            if apart - _outer(foe) - _outer(start) > self.ends.distance + CONTACT:
                continue
            ahead = _bearing(foe, start)
            is_round = isinstance(start.base, RoundBase) and isinstance(foe.base, RoundBase)
            turns = [
                ahead + turn
                for turn in np.linspace(
                    0.0, math.tau, BEARINGS if is_round else BEARINGS // 3, endpoint=False
                ).tolist()
            ]
            turns += [
                _bearing(foe, one) + off
                for one in (*mates, *rivals)
                if one is not foe
                for off in (0.0, math.pi)
            ]
            if is_round:
                away = _outer(start) + _outer(foe)
                wide = _outer(start)
                rings = [(start.pose.at, self.ends.distance)]
                rings += [
                    (one.pose.at, wide + _outer(one) + more)
                    for one in mates
                    for more in (0.0, link)
                ]
                rings += [
                    (one.pose.at, wide + _outer(one) + more)
                    for one in rivals
                    for more in (0.0, zone)
                ]
                turns += [
                    turn for at, radius in rings for turn in _crossed(foe.pose.at, away, at, radius)
                ]
            for turn in turns:
                yield start.at(beside(start, foe, turn, 0.0), foe.z)

    def _straight(self, model: Model) -> Contrast | None:
        """Return the straight move to the nearest foe without a turn, for a model that touches, turns or is alone; None
        if not barred.
        """
        start = self.starts[model.number]
        is_alone = len(self.ends.models) == 1
        has_turned = not start.pose.faces_like(model.pose)
        if not (model.number in self.ends.in_contact or has_turned or is_alone):
            return None
        foe = self._nearest_foe(start)
        pose = beside(start, foe, _bearing(foe, start), 0.0)
        far = math.dist(pose.at, start.pose.at)
        z = foe.z
        if far > self.ends.distance:
            share = self.ends.distance / far
            pose = replace(
                pose,
                x=start.pose.x + share * (pose.x - start.pose.x),
                y=start.pose.y + share * (pose.y - start.pose.y),
            )
            z = start.z
        if math.dist(pose.at, model.pose.at) <= TWO_DECIMALS_FROM and not has_turned:
            return None
        return self._told(
            start.at(pose, z),
            say("Without turning") if has_turned else say("Straight ahead"),
            (
                *CONDITION_RULES,
                SUPPORT,
                "wh40k.terrain.barricade",
                "wh40k.terrain.walls",
                "wh40k.terrain.through",
            ),
        )

    def _turned(self, model: Model) -> Contrast | None:
        """Return the straight move to the nearest foe after a quarter turn that makes it too long; None if it does
        not.
        """
        start = self.starts[model.number]
        cost = self.scene.pivot_value(start)
        if not cost or isinstance(start.base, RoundBase) or not start.pose.faces_like(model.pose):
            return None
        foe = self._nearest_foe(start)
        turned = start.at(replace(start.pose, heading=start.pose.heading + math.pi / 2.0), start.z)
        end = turned.at(beside(turned, foe, _bearing(foe, start), 0.0), foe.z)
        found = self._told(end, say("With a quarter turn"), (LIMIT,))
        if found is None or found.finding.measured is None or found.finding.mark is None:
            return None
        length = found.finding.measured
        told = {
            "straight": length - cost,
            "cost": cost,
            "length": length,
            "distance": self.ends.distance,
        }
        terms = (
            Term(say("straight ahead"), length - cost, "in"),
            Term(say("the turn"), cost, "in"),
            Term(say("in all"), length, "in"),
        )
        words = say(
            "{straight:.2f} + {cost:g} for the turn = {length:.2f} in, {distance:g} in rolled",
            **told,
        )
        finding = replace(found.finding, mark=replace(found.finding.mark, words=words))
        steps = tuple(replace(step, length=length - cost) for step in found.steps)
        return replace(found, finding=finding, terms=terms, steps=steps)

    def over_the_wall(self) -> Iterator[Contrast]:
        """Yield the straight way over the terrain round which a lone model goes, if climbing up and down makes it too
        long.
        """
        (end, *others), scene = self.ends.models, self.scene
        start = self.starts[end.number]
        distance = self.ends.distance
        if others or scene.is_flyer or not isinstance(start.base, RoundBase) or start.z != end.z:
            return
        foe = self._nearest_foe(start)
        place = start.at(beside(start, foe, _bearing(foe, start), 0.0), foe.z)
        line = shapely.LineString([start.pose.at, place.pose.at])
        swept = (
            (piece, line.intersection(shapely.Polygon(piece.shape.outline()).buffer(_outer(start))))
            for piece in scene.climbed
        )
        crossed = [(piece, part) for piece, part in swept if part.length > CONTACT]
        made = paths_of(scene, distance + MARGINAL).way(start, end)
        if (
            len(crossed) != 1
            or foe.z != start.z
            or not can_stand(scene, place)
            or {z for *_, z in made.path} != {start.z}
        ):
            return
        (piece, part), across = crossed[0], float(line.length)
        up = piece.height - start.z
        length = across + 2.0 * (piece.height - start.z)
        if (
            length <= distance + TWO_DECIMALS_FROM
            or shapely.LineString([spot[:2] for spot in made.path]).length <= across + CONTACT
        ):
            return
        told = {
            "piece": piece.name,
            "length": length,
            "across": across,
            "up": up,
            "charger": scene.charger.name,
            "distance": distance,
        }
        message = (
            "Over {piece} it is {across:.2f} in across, {up:g} in up and {up:g} in down, {length:.2f} in; {charger} "
            "has {distance:g} in."
        )
        words = say(
            "{across:.2f} across, {up:g} up, {up:g} down = {length:.2f} in, {distance:g} in rolled",
            **told,
        )
        near, far = shapely.get_coordinates(part).tolist()
        top = piece.height
        path = (
            (*start.pose.at, start.z),
            (*near, start.z),
            (*near, top),
            (*far, top),
            (*far, start.z),
            (*place.pose.at, place.z),
        )
        ends = self.having(place)
        terms = (("across", across), ("up", up), ("down", up), ("in all", length))
        found = Finding(
            LIMIT,
            ok=False,
            text=say(message, **told),
            measured=length,
            limit=distance,
            margin=distance - length,
            mark=Mark(words, middle((near, far)), stage="after"),
        )
        yield Contrast(
            "other",
            found,
            say("Over {piece}", piece=piece.name),
            {scene.charger.name: ends.formation()},
            terms=tuple(Term(TERMS[label], value, "in") for label, value in terms),
            steps=(
                replace(
                    move_step(Moved(start, place, MeasuredPath(path, length)), ends), length=None
                ),
            ),
            models_in_contact=touching_of(ends),
        )

    def _behind(self, model: Model) -> Contrast | None:
        """Return a model where it begins, if models move as little as they may and it goes just far enough for
        coherency; None else.
        """
        start = self.starts[model.number]
        asked = self.ends.coherency.neighbours
        if not asked or model.stands_like(start) or self.scene.choices.spare_models != "stay":
            return None
        links = np.sort(self.ends.neighbour_margins[self.ends.models.index(model)])[::-1]
        if float(links[asked - 1]) > MARGINAL:
            return None
        return self._told(
            start, say("Model {number} stays behind", number=from_one(model.number)), (COHERENCY,)
        )

    def _nearest_foe(self, start: Model) -> Model:
        foes = [foe for target in self.scene.targets for foe in target.models]
        apart = Ends(self.scene, (start,))
        gaps = np.concatenate([apart.to(target).apart[0] for target in self.scene.targets])
        return foes[int(np.argmin(gaps))]

    def _told(self, place: Model, heading: str, rules: tuple[str, ...]) -> Contrast | None:
        """Return the contrast of a model at a place, if one of the rules is the first that the judge finds broken."""
        ends = self.having(place)
        finding = broken_by(ends)
        if finding is None or finding.rule not in rules:
            return None
        if finding.margin is None or finding.margin > -TWO_DECIMALS_FROM:
            return None
        return self.contrast(ends, finding, heading, moved=place)

    def contrast(
        self, ends: Ends, finding: Finding, heading: str, *, moved: Model | None = None
    ) -> Contrast:
        """Return the contrast of ends that a broken finding bars; `moved` is the model that tries another place, None
        for all.
        """
        name = self.scene.charger.name
        reason = REASONS.get(finding.rule, _overlapping)(ends, finding)
        told = {"heading": heading, "why": reason.text}
        text = (
            say("{heading}, the others as proposed: {why:within}", **told)
            if self.is_claimed
            else say("{heading}: {why:within}", **told)
        )
        own = (
            [moved]
            if moved is not None
            else [
                model for model in ends.models if not model.stands_like(self.starts[model.number])
            ]
        )
        found = (shortest_segment(one.footprint, other.footprint) for one, other in reason.pairs)
        lines = tuple(line for line in found if line is not None)
        at = reason.at or (own[0] if own else ends.models[0]).pose.at
        mark = replace(
            finding.mark or Mark(),
            words=reason.words,
            at=middle(lines[0]) if lines else at,
            lines=lines,
            areas=reason.areas,
            dimensions=(),
            stage="after",
        )
        return Contrast(
            "barred",
            replace(finding, text=text, mark=mark),
            heading,
            {name: ends.formation()},
            steps=tuple(self._steps(own, reason)),
            models_in_contact=touching_of(ends),
        )

    def _steps(self, moved: list[Model], reason: "Reason") -> Iterator[Step]:
        """Yield the moves of models to their places, where a path within the charge distance leads there.

        The range of a unit that is no target does not hinder a move that it bars, and a move that is too long is
        yielded.
        """
        most = math.inf if reason.is_too_long else self.ends.distance + CONTACT
        ways = self.ways if reason.is_in_range else paths_of(self.scene, most + MARGINAL)
        ends = Ends(self.scene, tuple(moved))
        for end in moved:
            start = self.starts[end.number]
            if not end.stands_like(start) and ways.length(start, end) <= min(most, MOST_NEEDED):
                yield move_step(Moved(start, end, ways.way(start, end)), ends)


def touching_of(ends: Ends) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the models in base contact, by unit: the charger and its targets."""
    touching = {
        ends.scene.charger.name: tuple(sorted(ends.in_contact)),
        **{one.name: ends.to(one).touched for one in ends.scene.targets},
    }
    return {name: numbers for name, numbers in touching.items() if numbers}


class Reason(NamedTuple):
    """What tells against ends: a sentence, a few words, and what figures show of it.

    Attributes
    ----------
    text, words
        The sentence and the few words.
    pairs
        Pairs of models that are too near or too far apart.
    areas
        Shapes that had to stay empty.
    at
        The point at which it is so; None: where the models that moved end.
    is_too_long, is_in_range
        Whether the move is too long, and whether it ends in the range of a unit that is no target.
    """

    text: str
    words: str
    pairs: tuple[tuple[Model, Model], ...] = ()
    areas: tuple[Shape, ...] = ()
    at: Point | None = None
    is_too_long: bool = False
    is_in_range: bool = False


def _incoherent(ends: Ends, finding: Finding) -> Reason:
    """Return what a break of coherency is, with all pairs of models that are as far apart as the weakest link."""
    first, second = (ends.models[row] for row in ends.weakest_link)
    apart = gap(first.footprint, second.footprint)
    alike = [
        (one, other)
        for one, other in links(ends.models)
        if {one, other} != {first, second}
        and gap(one.footprint, other.footprint) >= apart - CONTACT
    ]
    told = {"apart": finding.measured, "limit": finding.limit}
    text = say(
        "Models {number} and {second} of {charger} would be {apart:.2f} in apart; {limit:g} in at most.",
        charger=ends.scene.charger.name,
        number=from_one(first.number),
        second=from_one(second.number),
        **told,
    )
    words = say("{apart:.2f} in apart, at most {limit:g} in", **told)
    return Reason(text, words, ((first, second), *alike))


def _unengaged(ends: Ends, finding: Finding) -> Reason:
    """Return what it is that no model is within range of a target: of the one that is farthest from being engaged."""
    unit = min(ends.scene.targets, key=lambda one: ends.to(one).nearest[3])
    (own, foe), *_ = ends.to(unit).nearest
    told = {"apart": finding.measured, "limit": finding.limit, "unit": unit.name}
    text = say(
        "Model {number} of {charger} would be {apart:.2f} in from {unit}; within range is {limit:g} in at most.",
        charger=ends.scene.charger.name,
        number=from_one(own.number),
        **told,
    )
    words = say("{apart:.2f} in from {unit}, at most {limit:g} in", **told)
    return Reason(text, words, ((own, foe),))


def _unwanted(ends: Ends, finding: Finding) -> Reason:
    """Return what it is that a model is within range of a unit that is no target, with the area of that range."""
    unit = max(ends.scene.non_targets, key=lambda one: ends.to(one).nearest[3])
    (own, foe), *_ = ends.to(unit).nearest
    told = {"apart": finding.measured, "limit": finding.limit, "unit": unit.name}
    text = say(
        "Model {number} of {charger} would be {apart:.2f} in from {unit}, which is no target; more than {limit:g} in "
        "is needed.",
        charger=ends.scene.charger.name,
        number=from_one(own.number),
        **told,
    )
    words = say("{apart:.2f} in from {unit}, more than {limit:g} in needed", **told)
    body = foe.footprint
    area = replace(body, radius=body.radius + engagement_of(ends.scene).horizontal)
    return Reason(text, words, ((own, foe),), (area,), is_in_range=True)


def _too_long(_: Ends, finding: Finding) -> Reason:
    words = say(
        "{length:.2f} in, but {distance:g} in rolled",
        length=finding.measured,
        distance=finding.limit,
    )
    return Reason(finding.text, words, is_too_long=True)


def _unsupported(ends: Ends, finding: Finding) -> Reason:
    """Return what it is that nothing supports a model: half-way up a climb, or over an edge."""
    marked = {} if finding.mark is None else finding.mark.models
    numbers = marked.get(ends.scene.charger.name, ())
    at_fault = [model for model in ends.models if model.number in numbers]
    highest = max(at_fault or ends.models, key=lambda model: model.z)
    words = (
        say("no place to stand, {z:g} in up", z=highest.z)
        if finding.measured is None
        else say("{depth:.2f} in over the edge", depth=finding.measured)
    )
    return Reason(finding.text, words, at=highest.pose.at)


def _overlapping(_: Ends, finding: Finding) -> Reason:
    return Reason(finding.text, say("overlaps by {depth:.2f} in", depth=finding.measured))


REASONS: Mapping[str, Callable[[Ends, Finding], Reason]] = {
    ENGAGE: _unengaged,
    AVOID: _unwanted,
    COHERENCY: _incoherent,
    LIMIT: _too_long,
    SUPPORT: _unsupported,
    "wh40k.terrain.mid-climb": _unsupported,
}
"""How a broken rule is told of ends; others are overlaps with terrain."""


def _outer(model: Model) -> float:
    return float(crowd([model]).radii[0])


def _bearing(foe: Model, other: Model) -> float:
    """Return the direction in radians from a foe's centre to another model."""
    return math.atan2(other.pose.y - foe.pose.y, other.pose.x - foe.pose.x)


def _crossed(centre: Point, radius: float, other: Point, reach: float) -> tuple[float, ...]:
    """Return the directions in radians from a circle's centre to where it crosses another circle; empty if it does
    not.
    """
    apart = math.dist(centre, other)
    if not abs(radius - reach) < apart < radius + reach:
        return ()
    ahead = math.atan2(other[1] - centre[1], other[0] - centre[0])
    off = math.acos(max(-1.0, min(1.0, (radius**2 + apart**2 - reach**2) / (2.0 * radius * apart))))
    return ahead - off, ahead + off

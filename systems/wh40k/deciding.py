"""What decided a charge, where it is seen: for figures."""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import shapely

from systems.wh40k.attempt import Attempt
from systems.wh40k.declare import Declaration
from systems.wh40k.move import ChargeMove
from systems.wh40k.roll import Roll, told
from systems.wh40k.scene import Scene
from tabletop.geometry.pose import FloatArray, Point
from tabletop.ruling.evidence import Deciding, Dice
from tabletop.ruling.finding import Finding
from tabletop.table.squad import Model, Squad
from tabletop.units import CONTACT
from tabletop.words import counted

STATUS = {
    "wh40k.phase.once": "has charged already",
    "wh40k.eligible.near": "no enemy near enough",
    "wh40k.eligible.not-advanced": "has advanced",
    "wh40k.eligible.not-fell-back": "has fallen back",
    "wh40k.eligible.not-engaged": "engaged already",
    "wh40k.eligible.not-aircraft": "an aircraft",
    "wh40k.eligible.can-move": "cannot move",
    "wh40k.eligible.no-action": "performs an action",
}
"""What stands at a unit that may not charge."""
HOPELESS = {
    "wh40k.possible.engage-all": "no room within range of every target",
    "wh40k.terrain.mid-climb": "no place to stand within range",
    "wh40k.possible.avoid-others": "no place clear of the others",
    "wh40k.possible.coherency": "the targets are too far apart for one unit",
    "wh40k.move.closer": "no model could end closer",
}
"""What is said where no length of move would do."""


def dice_of(rolls: Sequence[Roll]) -> Dice:
    """Give the faces that count, what they make, and those that were rolled again."""
    last = rolls[-1]
    bonus = f"{'+' if last.bonus > 0 else '-'} {abs(last.bonus)} " if last.bonus else ""
    return Dice(last.faces, f"{bonus}= {last.distance} in", tuple(face for roll in rolls[:-1] for face in roll.faces))


def refusing(declaration: Declaration) -> tuple[Deciding, ...]:
    """Show every rule by which a charge may not be declared; of a target that is too far the missing inches, if no length shows them."""
    at, shown = _middle(declaration.scene.charger.models), list[Deciding]()
    for finding in (one for one in declaration.findings if not one.ok):
        if finding.rule in STATUS:
            shown.append(Deciding(finding.rule, STATUS[finding.rule], at))
        elif finding.margin is not None and finding.between:
            far = next(unit for unit in declaration.scene.targets if unit.name == finding.between[1])
            shown.append(Deciding(finding.rule, f"{_inches(-finding.margin)} short", _middle(far.models)))
    return tuple(shown)


def failing(attempt: Attempt, broken: Finding) -> Deciding:
    """Show what is missing of a charge that was declared: inches of its move, or any place at all."""
    declaration, rule = attempt.declaration, broken.rule
    scene = declaration.scene
    if rule == "wh40k.overwatch.retest":
        return _lost(attempt)
    if broken.margin is None:
        return _never(scene, rule)
    needed = f"{_inches(broken.limit or 0.0)} needed, {attempt.distance} rolled"
    start, end = declaration.closest()
    reach, short = math.dist(start, end) - scene.book.engagement_horizontal, -broken.margin
    if rule == "wh40k.possible.avoid-others":
        areas = tuple(model.footprint for unit in scene.non_targets for model in unit.models)
        return Deciding(rule, needed, end, areas=areas)
    if abs(reach - (broken.limit or 0.0)) > CONTACT or not reach - short >= 0.0:
        return Deciding(rule, needed, end)
    way = (np.array(end) - start) / math.dist(start, end)
    piece = (_point(start + (reach - short) * way), _point(start + reach * way))
    return Deciding(rule, f"{_inches(short)} short", piece[0], lines=(piece,))


def reached(move: ChargeMove) -> Deciding:
    """Show the goal that was served: how many models are in base contact, and how many engaged, at one of them, at its far side."""
    served = move.contacts or move.engaged
    models = [model for model in move.ends.models if model.number in served]
    words = _count(len(move.moves), len(move.contacts), len(move.engaged))
    return Deciding("wh40k.move.contact", words, _far_side(models, move.scene.targets), stage="after")


def _far_side(models: Sequence[Model], targets: Sequence[Squad]) -> Point:
    """Give where the base of the most central of some models is farthest from the target model that is nearest to it."""
    middle = _middle(models)
    model = min(models, key=lambda one: math.dist(one.pose.at, middle))
    near = min((other.pose.at for unit in targets for other in unit.models), key=lambda spot: math.dist(spot, model.pose.at))
    return _point(max(model.footprint.outline(64), key=lambda spot: math.dist(spot, near)))


def _count(count: int, contacts: int, engaged: int) -> str:
    """Say how many of so many models are in base contact or engaged; of a single model no number is told."""
    if count == 1:
        return "in base contact" if contacts else "engaged, no base contact"
    if not contacts:
        return f"{engaged} of {counted(count, 'models')} engaged, none in base contact"
    return f"{contacts} of {counted(count, 'models')} in base contact, {engaged} engaged"


def _lost(attempt: Attempt) -> Deciding:
    """Ring the models that Overwatch took, and say what the others need."""
    lost = told(attempt.declaration.charge).overwatch.before
    gone = [model for model in attempt.declaration.scene.charger.models if model.number in lost]
    needed = None if attempt.survivors is None else attempt.survivors.needed
    words = f"lost; the others need {needed} in, {attempt.distance} rolled" if needed is not None else "lost; the others cannot do it"
    return Deciding("wh40k.overwatch.retest", words, _middle(gone), areas=tuple(model.footprint for model in gone))


def _never(scene: Scene, rule: str) -> Deciding:
    """Show between which targets no unit, or no model, can span, else where there is no place."""
    words = HOPELESS[rule]
    pairs = [_between(first, second) for first, second in combinations(scene.targets, 2)]
    if rule in ("wh40k.possible.engage-all", "wh40k.possible.coherency") and pairs:
        start, end = max(pairs, key=lambda pair: math.dist(*pair))
        apart, zone = math.dist(start, end), scene.book.engagement_horizontal
        if apart > 2 * zone:
            way = (np.array(end) - start) / apart
            piece = (_point(start + zone * way), _point(end - zone * way))
            span = f"{_inches(apart - 2 * zone)} between the two ranges"
            return Deciding(rule, span, _point((np.array(start) + end) / 2), lines=(piece,))
    if rule == "wh40k.possible.avoid-others":
        return Deciding(
            rule, words, _middle(scene.targets[0].models), areas=tuple(one.footprint for unit in scene.non_targets for one in unit.models)
        )
    return Deciding(rule, words, _middle(scene.targets[0].models))


def _between(first: Squad, second: Squad) -> tuple[Point, Point]:
    """Give the end points of a shortest line between two units, seen from above."""
    bodies = [shapely.MultiPolygon([shapely.Polygon(model.footprint.outline(64)) for model in unit.models]) for unit in (first, second)]
    start, end = shapely.get_coordinates(shapely.shortest_line(*bodies))
    return _point(start), _point(end)


def _middle(models: Sequence[Model]) -> Point:
    """Give the middle of models."""
    return _point(np.mean([model.pose.at for model in models], axis=0))


def _point(place: FloatArray) -> Point:
    return float(place[0]), float(place[1])


def _inches(length: float) -> str:
    """Write a length with two decimals at most, more where it would show nothing, or a whole number that it is not."""
    seems_whole = abs(length - round(length)) > CONTACT and round(length, 2) == round(length)
    return f"{length:.{4 if seems_whole else 2}f}".rstrip("0").rstrip(".") + " in"

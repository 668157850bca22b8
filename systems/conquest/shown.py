"""What decided a charge, where it is seen: for figures.

Rules are shown by a few words at a spot, with lines, fronts and areas: what a move sweeps and what lies in that. Nothing is measured
here that decides.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import shapely

from systems.conquest.attempt import Completion, Trial, mired_charge
from systems.conquest.conditions import RULES, broken_path
from systems.conquest.declare import Declaration, Line, beside, in_front_arc, is_in_front_arc
from systems.conquest.move import FailedMove, Leg, Mired, march_legs
from systems.conquest.roll import Roll
from systems.conquest.scene import ChargedFacing, Scene, target_of
from systems.conquest.search import Choice
from tabletop.budget import is_explained
from tabletop.fronts.obstacle import Hazard
from tabletop.geometry.distance import closest, gap
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, disc, rectangle
from tabletop.messages import Digits, counted, listed, say
from tabletop.ruling.evidence import Deciding, Dimension, Stage
from tabletop.table.state import Regiment
from tabletop.units import CONTACT

TURNED_BY, RING, SEEN = math.radians(5.0), 0.4, 0.02
"""Radians between the frames by which a turn is drawn, radius of a ring (inches) where what is missing is too little to be seen, and
square inches below which an area is none."""

NEAR = 0.1
"""Inches below which a gap or an overlap is told as it was measured, not by how far the way is free."""

DEGREE = "\N{DEGREE SIGN}"


def refusing(declaration: Declaration) -> tuple[Deciding, ...]:
    """Show every rule by which a charge may not be declared."""
    if not is_explained():
        return ()
    return tuple(DECLARED[finding.rule](declaration) for finding in declaration.findings if not finding.ok)


def short(scene: Scene, roll: Roll) -> Deciding:
    """Show the piece of the distance that the Charge Distance lacks, however small."""
    way, reach = roll.ranging.closest, roll.charge_distance
    share = reach / way.distance
    stop = (way.near[0] + share * (way.far[0] - way.near[0]), way.near[1] + share * (way.far[1] - way.near[1]))
    words = say("{length} in short of {target}", length=_told(way.distance - reach), target=scene.target.name)
    return Deciding("conquest.range", words, way.far, lines=((stop, way.far),), areas=ring(stop, way.far))


def halting(move: FailedMove) -> tuple[Dimension, ...]:
    """Measure how far before something a failed move halts, where that can be seen."""
    if move.halts_before is None or move.mired is not None or not is_explained():
        return ()
    way = closest(move.scene.charger.at(move.end).boundary, Shape(_body(move.halts_before)))
    return (Dimension(way.near, way.far, say("{length:.2f} in", length=way.distance), "after"),) if way.distance >= NEAR else ()


def unreached(scene: Scene, charged: ChargedFacing) -> Deciding:
    """Show the side that no wheel brings a stand to."""
    words = say("no wheel up to {limit:g}\N{DEGREE SIGN} brings a stand to this side", limit=scene.book.wheel_limit_deg)
    return Deciding("conquest.facing.reach", words, charged.facing.point(charged.facing.length / 2), lines=(charged.facing.ends,))


def barring(trial: Trial) -> tuple[Deciding, ...]:
    """Show the rule that stops a wheel."""
    return () if trial.rule is None else (STOPPED[trial.rule](trial),)


def worse(own: Trial, choice: Choice, best: Trial) -> tuple[Deciding, ...]:
    """Show the rule that stops the player's own wheel; if none does, its front and that of the better wheel."""
    if own.rule is not None:
        return barring(own)
    lacks = say("this wheel brings {stands}, {most} can reach", stands=counted(own.stands, "stands"), most=choice.merit.stands)
    if own.stands >= choice.merit.stands:
        lacks = say("a wheel of {angle:.2f}\N{DEGREE SIGN} completes in a better way", angle=math.degrees(choice.wheel.angle))
    front, better = _front(own.scene.charger, own.at_contact), _front(best.scene.charger, best.at_contact)
    return (Deciding("conquest.wheel.most-stands", lacks, own.contact, lines=(front,), fronts=(better,)),)


def mired_in(found: Mired, pose: Pose) -> Deciding:
    """Show how deep a charger that would end at `pose` lies over a friend."""
    body, friend = found.scene.charger.at(pose).boundary, found.meeting.friend
    charger, depth = found.scene.charger.name, _told(abs(found.depth))
    words = say("{charger} would end {depth} in into {friend}", charger=charger, depth=depth, friend=friend.name)
    areas = shared(body.core, [friend.boundary.core]) or (disc(closest(body, friend.boundary).near, RING),)
    return Deciding("conquest.through.clear", words, middle(areas), areas=areas)


def served(done: Completion) -> tuple[Deciding, ...]:
    """Show the goals that were served: the stands that reach, along the contact, and the pushes; else why the charger does not turn."""
    trial = done.trial
    shown = [_reaching(done)] if trial.fate != "touch" else []
    if trial.fate in ("turned", "touch"):
        shown.append(_no_turn(trial, "after"))
    if trial.fate == "push":
        ways = {name: (trial.scene.state.units[name].pose.at, pose.at) for name, pose in trial.pushed.items()}
        pushes = (say("{name} {length} in", name=name, length=_told(math.dist(*way))) for name, way in ways.items())
        words = say("pushed {pushes}: the least", pushes=listed(pushes, ", "))
        lines = tuple(ways.values())
        shown.append(Deciding("conquest.push", words, lines[0][1], lines=lines, stage="after"))
    return tuple(shown)


def _reaching(done: Completion) -> Deciding:
    """Show along the contact how many stands reach, with what the policy looks at; the words stand behind the target."""
    trial, scene, facing = done.trial, done.trial.scene, done.facing
    label, target, charger = trial.charged.label, scene.target.name, scene.charger.name
    side, stands = (
        say("the {side} of {target}", side=label, target=target) if trial.charged.name else target,
        counted(trial.stands, "stands"),
    )
    words = say("{stands} of {charger} reach {side}", stands=stands, charger=charger, side=side)
    if trial.stands == 1:
        words = say("{stands} of {charger} reaches {side}", stands=stands, charger=charger, side=side)
    wheel = say("wheel {angle}\N{DEGREE SIGN}", angle=_told(math.degrees(trial.angle)))
    if scene.declarations.wheel is not None:
        words += say(", own {wheel}", wheel=wheel)
    elif scene.choices.wheel_policy == "most-contact" and trial.length > CONTACT:
        words += say(", {length} in of contact", length=_told(trial.length))
    elif scene.choices.wheel_policy != "most-contact" and trial.angle > 0.0:
        words += say(", least {wheel}", wheel=wheel) if scene.choices.wheel_policy == "least-turn" else say(", widest {wheel}", wheel=wheel)
    ends = [facing.coordinates(end)[0] for end in _front(scene.charger, trial.end)]
    low, high = max(min(ends), 0.0), min(max(ends), facing.length)
    behind = min(facing.coordinates(corner)[1] for corner in corners(done.target_body))
    lines = ((facing.point(low), facing.point(high)),) if trial.length > CONTACT else ()
    return Deciding("conquest.wheel.most-stands", words, facing.point((low + high) / 2, behind), lines=lines, stage="after")


# Rules of declaring.


def _badge(rule: str, words: str) -> Callable[[Declaration], Deciding]:
    return lambda declaration: Deciding(rule, words, declaration.scene.charger.centre)


def _inactive(declaration: Declaration) -> Deciding:
    charger = declaration.scene.charger
    words = say("no actions left") if "done" in charger.status else say("Broken")
    return Deciding("conquest.declare.actions", words, charger.centre)


def _in_contact(declaration: Declaration) -> Deciding:
    """Show the spots where the charger is in contact with enemies."""
    scene = declaration.scene
    body = scene.charger.boundary
    units = [unit for unit in scene.state.units.values() if unit.side != scene.charger.side]
    met = [unit for unit in units if scene.is_in_contact(gap(body, unit.boundary))]
    near = [shapely.intersection(body.core, unit.boundary.core.buffer(scene.choices.clearance)).centroid for unit in met]
    spots = [(spot.x, spot.y) for spot in near]
    words = say("in contact with {enemies}", enemies=listed((unit.name for unit in met), " and "))
    return Deciding("conquest.declare.not-in-contact", words, spots[0], areas=tuple(disc(spot, RING) for spot in spots))


def _targets(declaration: Declaration) -> Deciding:
    """Show all who are named as targets."""
    scene, names = declaration.scene, declaration.charge.targets
    ways = [closest(scene.charger.boundary, target_of(scene.state, name).shape) for name in names]
    words = say("{count} targets named, 1 allowed", count=len(names))
    lines = tuple((way.near, way.far) for way in ways)
    return Deciding("conquest.declare.one-target", words, scene.charger.centre, lines=lines)


def _friend(declaration: Declaration) -> Deciding:
    target = declaration.scene.target
    return Deciding("conquest.declare.enemy", say("a friend, no enemy"), middle((target.shape,)))


def _unseen(declaration: Declaration) -> Deciding:
    """Show where the line of sight is stopped, or how much of the target lies outside of the front arc."""
    rule, scene = "conquest.declare.line-of-sight", declaration.scene
    if is_in_front_arc(scene):
        _, stop = declaration.shown_sight
        return Deciding(rule, say("sight stops here"), stop or middle((scene.target.shape,)))
    whole = scene.target.shape.core
    inside = in_front_arc(scene)
    part = shapely.Polygon(inside) if len(inside) > 2 else shapely.Polygon()  # noqa: PLR2004
    corner, ray, off = beside(scene)
    length = math.dist(ray[0], corner)
    (x, y), (to_x, to_y) = ray
    limit = (ray[0], (x + length * to_x, y + length * to_y))
    if part.area > SEEN:
        words = say("{share} % in the front arc, more than half is needed", share=_told(100.0 * part.area / whole.area))
        outside = shared(shapely.difference(whole, part), [whole])
        return Deciding(rule, words, middle(outside), limits=(limit,), areas=outside)
    words = say("{angle}\N{DEGREE SIGN} outside of the front arc", angle=_told(off))
    return Deciding(rule, words, corner, lines=((ray[0], corner),), limits=(limit,))


def _marched(declaration: Declaration) -> Deciding:
    """Show where the March before the charge led through friends that may not be crossed."""
    scene = declaration.scene
    region = swept(march_legs(scene))
    _, deepest = min((gap(Shape(region), unit.boundary), unit.name) for unit in scene.uncrossable)
    friend = scene.state.units[deepest].boundary
    areas = shared(region, [friend.core]) or (disc(closest(Shape(region), friend).near, RING),)
    words = say("marched {depth} in into {friend}, which is held", depth=_told(-gap(Shape(region), friend)), friend=deepest)
    return Deciding("conquest.through.march", words, middle(areas), areas=areas)


DECLARED: Mapping[str, Callable[[Declaration], Deciding]] = {
    "conquest.declare.actions": _inactive,
    "conquest.declare.reinforcement": _badge("conquest.declare.reinforcement", say("arrived from Reinforcements this turn")),
    "conquest.declare.not-in-contact": _in_contact,
    "conquest.declare.one-target": _targets,
    "conquest.declare.enemy": _friend,
    "conquest.declare.line-of-sight": _unseen,
    "conquest.through.march": _marched,
}
"""What shows a rule of declaring."""

# Rules that stop a wheel.


def _missed(trial: Trial) -> Deciding:
    """Show the side that the front does not meet, and between which lines it goes straight ahead."""
    facing, charger = trial.charged.facing, trial.scene.charger
    middle, pose = facing.point(facing.length / 2), trial.wheeled
    ahead, half = max(math.dist(pose.at, middle), charger.depth), charger.width / 2
    sides = tuple((pose.point(side, 0.0), pose.point(side, ahead)) for side in (-half, half))
    words = say("after this wheel the front goes past this side of {target}", target=trial.scene.target.name)
    return Deciding("conquest.facing.reach", words, middle, lines=(facing.ends,), limits=sides)


def _too_far(trial: Trial) -> Deciding:
    """Show the piece of the straight move beyond the Charge Distance, and the front where that ends."""
    contact, stop = trial.contact, trial.wheeled.advanced(trial.most)
    back = trial.at_contact.local(contact)[0]
    length, way, most = _told(trial.way - trial.most), _told(trial.way), _told(trial.most)
    words = say("{length} in short: {way} in to go, {most} in allowed", length=length, way=way, most=most)
    lines, start = ((stop.point(back, 0.0), contact),), trial.wheeled.point(back, 0.0)
    limits, fronts = ((start, stop.point(back, 0.0)),), (_front(trial.scene.charger, stop),)
    return Deciding("conquest.move.charge-distance", words, lines[0][0], lines, limits, fronts, ring(*lines[0]))


def _in_the_way(rule: str, name: str) -> str:
    """Say in a few words what stops a wheel."""
    if rule == "conquest.path.board":
        return say("off the board")
    if rule == "conquest.path.target":
        return say("the wheel runs into {name}", name=name)
    return say("{name}, held, in the way", name=name) if rule == "conquest.path.friend" else say("{name} in the way", name=name)


def _blocked(rule: str) -> Callable[[Trial], Deciding]:
    def show(trial: Trial) -> Deciding:
        """Show what of it lies in the way, the front where it may go no farther, and how far the way is free before."""
        hazard = trial.stopped_by
        if hazard is None:
            raise AssertionError("a way that is blocked is blocked by something")
        legs = trial.charge_legs[:1] if trial.angle > trial.corner.limit.farthest else trial.charge_legs
        told, region = _in_the_way(rule, hazard.name), swept(legs)
        areas = trespassed(region, [hazard]) or (disc(nearest(region, hazard), RING),)
        leg, met = next(((leg, met) for leg in legs if (met := leg.meets(hazard)) is not None), (legs[-1], None))
        margin = broken_path(trial, hazard).margin or 0.0
        if met is None or abs(margin) < NEAR:
            return Deciding(rule, say("{what} by {length} in", what=told, length=_told(abs(margin))), middle(areas), areas=areas)
        far, whole = (met, leg.amount) if leg.pivot is None else (math.degrees(met), math.degrees(abs(leg.amount)))
        free = (
            say("{free} of {whole} in free", free=_told(far), whole=_told(whole))
            if leg.pivot is None
            else say("{free}\N{DEGREE SIGN} of {whole}\N{DEGREE SIGN} free", free=_told(far), whole=_told(whole))
        )
        front = _front(trial.scene.charger, leg.at(met))
        return Deciding(rule, say("{what}: {free}", what=told, free=free), middle(areas), fronts=(front,), areas=areas)

    return show


def _no_turn(trial: Trial, stage: Stage) -> Deciding:
    """Show what lies in the charger's turn until it is flush, and if the target cannot turn either in the target's; and both fronts."""
    charger, contact, turns = trial.scene.charger, trial.contact, list(turns_until_flush(trial))
    areas = [area for leg, hazards in turns for area in trespassed(turning(trial.scene, leg), hazards)]
    angle, names = _told(math.degrees(abs(trial.turn))), [leg.unit.name for leg, _ in turns]
    words = say("no room for {names} to turn {angle}\N{DEGREE SIGN}", names=listed(names, " or "), angle=angle)
    fronts = (_front(charger, trial.at_contact), _front(charger, trial.at_contact.turned_about(contact, trial.turn)))
    return Deciding("conquest.align.flush", words, middle(areas) if areas else contact, fronts=fronts, areas=tuple(areas), stage=stage)


def turns_until_flush(trial: Trial) -> Iterator[tuple[Leg, list[Hazard]]]:
    """Give the charger's turn until it is flush, and if the target cannot turn either the target's, with what is in the way of each."""
    scene, target = trial.scene, trial.scene.target.unit
    friends = [_hazard(unit) for unit in scene.crossable]
    yield Leg(scene.charger, trial.at_contact, trial.turn, pivot=trial.contact), [*scene.hazards, *friends]
    if target is not None and trial.fate != "turned":
        around = [*map(_hazard, (*scene.enemies, *scene.uncrossable)), *friends, *scene.solid]
        yield Leg(target, target.pose, -trial.turn, pivot=trial.contact), around


def _hazard(unit: Regiment) -> Hazard:
    return Hazard(unit.boundary.pieces[0], 0.0, unit.name)


def _no_push(trial: Trial) -> Deciding:
    """Show what of the enemy who has no free place lies too near to the charger's end, its front there, and how near he may stay."""
    scene, away = trial.scene, trial.scene.book.push_gap
    enemy = scene.enemies[int(trial.alignment.pushes.without_room[0])]
    end = trial.at_contact.turned_about(trial.contact, trial.turn)
    band = shapely.buffer(scene.charger.at(end).boundary.core, away, join_style="mitre")
    areas = shared(enemy.boundary.core, [band]) or (enemy.boundary,)
    edges = [clipped(edge, enemy.boundary.core) for edge in pairwise(band.exterior.coords)]
    words = say("{enemy} must be {length} in away: no free place", enemy=enemy.name, length=_told(away))
    limits, fronts = tuple(filter(None, edges)), (_front(scene.charger, end),)
    return Deciding("conquest.push.room", words, middle(areas), limits=limits, fronts=fronts, areas=areas)


STOPPED: Mapping[str, Callable[[Trial], Deciding]] = {
    "conquest.facing.reach": _missed,
    **{rule: _blocked(rule) for rule in (*RULES, "conquest.path.target")},
    "conquest.move.charge-distance": _too_far,
    "conquest.align.flush": lambda trial: _no_turn(trial, "before"),
    "conquest.push.room": _no_push,
    "conquest.through.clear": lambda trial: mired_in(mired_charge(trial), trial.at_contact),
}
"""What shows a rule that stops a wheel."""


def _front(unit: Regiment, pose: Pose) -> Line:
    return pose.point(-unit.width / 2, 0.0), pose.point(unit.width / 2, 0.0)


def _told(value: float) -> str:
    """Write a measure with two decimals at most, and with as many more as it takes to show anything."""
    digits = max(2, math.ceil(-math.log10(max(value, CONTACT))))
    return Digits(f"{value:.{digits}f}".rstrip("0").rstrip("."))


# Areas swept,  overlaps and outlines.


def turning(scene: Scene, leg: Leg) -> shapely.Polygon:
    """Give what a turn sweeps, by the choice only where it ends."""
    return swept((leg,)) if scene.choices.align_sweep == "whole" else _frame(leg, abs(leg.amount))


def swept(legs: Iterable[Leg]) -> shapely.Polygon:
    """Give what frames sweep on their way, turns by many small ones: for drawing only."""
    parts = []
    for leg in legs:
        count = 1 if leg.pivot is None else max(1, math.ceil(abs(leg.amount) / TURNED_BY))
        frames = [_frame(leg, float(amount)) for amount in np.linspace(0.0, abs(leg.amount), count + 1)]
        parts += [shapely.union(*pair).convex_hull for pair in pairwise(frames)]
    return shapely.union_all(parts)


def _frame(leg: Leg, amount: float) -> shapely.Polygon:
    return rectangle(leg.at(amount), leg.unit.width, leg.unit.depth).core


def trespassed(region: shapely.Polygon, hazards: Sequence[Hazard]) -> tuple[Shape, ...]:
    """Give what of hazards lies in a region, or a ring where one is too near to it by too little to be seen."""
    found: list[Shape] = []
    for hazard in hazards:
        body = _body(hazard)
        if seen := shared(region, [body]):
            found += seen
        elif shapely.intersection(region, body).area > CONTACT or shapely.distance(region, body) < _kept(hazard) - CONTACT:
            found.append(disc(nearest(region, hazard), RING))
    return tuple(found)


def _body(hazard: Hazard) -> shapely.Polygon:
    """Give what a hazard fills; the radius of a disc is in what it needs."""
    hull = shapely.MultiPoint(hazard.ring).convex_hull
    return hull.buffer(hazard.needed) if len(hazard.ring) == 1 else hull


def _kept(hazard: Hazard) -> float:
    """Give the inches that must stay free about what a hazard fills."""
    return 0.0 if len(hazard.ring) == 1 else hazard.needed


def nearest(region: shapely.Polygon, hazard: Hazard) -> Point:
    """Give a spot where a hazard is nearest to a region."""
    body = _body(hazard)
    part = shapely.intersection(region, body)
    spot = shapely.centroid(shapely.shortest_line(region, body) if part.is_empty else part)
    return spot.x, spot.y


def ring(start: Point, end: Point) -> tuple[Shape, ...]:
    """Give a ring about a line that is too short to be seen."""
    return (disc(end, RING),) if math.dist(start, end) < NEAR else ()


def shared(region: shapely.Geometry, others: Sequence[shapely.Geometry]) -> tuple[Shape, ...]:
    """Give the areas, large enough to be seen, that a region shares with others."""
    parts = [part for other in others for part in shapely.get_parts(shapely.intersection(region, other))]
    return tuple(Shape(part) for part in parts if isinstance(part, shapely.Polygon) and part.area > SEEN)


def middle(areas: Sequence[Shape]) -> Point:
    """Give a point inside the largest of some areas."""
    x, y = shapely.get_coordinates(max((area.core for area in areas), key=lambda core: core.area).representative_point())[0].tolist()
    return x, y


def clipped(line: Sequence[tuple[float, ...]], body: shapely.Polygon) -> tuple[Point, Point] | None:
    """Give what of a line lies in a convex body."""
    part = shapely.intersection(shapely.LineString(line), body)
    if part.length <= CONTACT:
        return None
    (x, y), (to_x, to_y) = shapely.get_coordinates(part).tolist()
    return (x, y), (to_x, to_y)


def corners(shape: Shape) -> list[Point]:
    """Give the corners of an outline."""
    return [(x, y) for x, y in shape.outline().tolist()]

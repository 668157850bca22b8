"""Limits on declaring a charge, in the order of the rules; all are reported, the first broken one forbids it.

A line of sight runs from the middle of a front stand's edge to the middle of an edge of a stand of the target; bodies
that are large enough stop it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely

from systems.conquest.move import march_legs, swept
from systems.conquest.roll import Ranging, ranging
from systems.conquest.scene import (
    AREA,
    SIDES_BY_CORNER,
    ChargedFacing,
    Scene,
    facings,
    profile_of,
    target_of,
)
from systems.conquest.shown import RING, SEEN, few_digits, middle, shared
from tabletop.budget import explains
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.convex import area, clipped
from tabletop.geometry.distance import are_boxes_apart, closest, gap
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape, convex_hull_of, disc, rectangle
from tabletop.messages import listed, say, word
from tabletop.ruling.charge import Charge, Step
from tabletop.ruling.evidence import Mark
from tabletop.ruling.finding import Assumed, Finding, Limit, assumed
from tabletop.table.facing import arc, arc_rays
from tabletop.table.sight import Blocker, Segment, first_blocked_point, shortest_clear
from tabletop.table.state import Regiment
from tabletop.units import CONTACT

FRONT = SIDES_BY_CORNER.index("front")

Line = tuple[Point, Point]


class SizedBody(NamedTuple):
    """A regiment or a piece of terrain, with its Size for line of sight."""

    name: str
    shape: Shape
    size: float


@dataclass(frozen=True, eq=False)
class Declaration:
    """A declared charge, with what can be known before the roll."""

    charge: Charge
    scene: Scene

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings on all limits of declaring a charge, in the order of the rules."""
        limits = (
            DECLARATION_LIMITS if self.scene.declarations.marched > 0.0 else DECLARATION_LIMITS[:-1]
        )
        return tuple(limit.measure(self) for limit in limits)

    @property
    def broken(self) -> Finding | None:
        """Finding on the first limit that forbids the charge, None if it may be declared."""
        return next((finding for finding in self.findings if not finding.ok), None)

    @cached_property
    def measured(self) -> Ranging:
        """Distance to the target, and the roll needed for it."""
        return ranging(self.scene)

    @property
    def step(self) -> Step:
        """The step in which the charge is declared; nothing moves."""
        told = {
            "charger": self.scene.charger.name,
            "targets": listed(self.charge.targets, ", "),
            "distance": self.measured.distance,
        }
        text = say("{charger} declares a charge against {targets}, {distance:.2f} in away.", **told)
        return Step(
            "declare", self.scene.charger.name, rules=("conquest.declare.one-target",), text=text
        )

    @cached_property
    def facings(self) -> tuple[ChargedFacing, ...]:
        """Sides of the target in the order in which they are tried: the one whose arc contains most of the charger
        first.
        """
        return facings(self.scene)

    @cached_property
    def sight(self) -> Segment | None:
        """Shortest clear line of sight to the target, None if every line is blocked."""
        return shortest_clear(_lines(self.scene), list(_blockers(self.scene)))

    @property
    def shown_sight(self) -> tuple[Segment | None, Point | None]:
        """Line of sight to draw, and the point where it is blocked, in inches on the table.

        It is the shortest clear line, with None for the point; without one the shortest of all lines.
        """
        return (self.sight, None) if self.sight is not None else stopped_line(self.scene)


def _actions(declaration: Declaration) -> Finding:
    """Return the finding whether the charger has actions left and, if the choice says so, is not Broken."""
    scene = declaration.scene
    charger = declaration.scene.charger
    bars = ("done", "broken") if scene.choices.broken == "barred" else ("done",)
    broken = [word(status) for status in bars if status in charger.status]
    text = say("{charger} has an action left.", charger=charger.name)
    if broken:
        text = say(
            "{charger} is {states}; a regiment that is may not charge.",
            charger=charger.name,
            states=listed(broken, " and "),
        )
    words = say("no actions left") if "done" in charger.status else say("Broken")
    return Finding(
        "conquest.declare.actions",
        not broken,
        text,
        mark=Mark(words, charger.centre) if broken else None,
    )


def _reinforcement(declaration: Declaration) -> Finding:
    """Return the finding whether the charger did not arrive from Reinforcements this turn."""
    charger = declaration.scene.charger
    arrived = "reinforcement" in charger.status
    text = say("{charger} did not arrive from Reinforcements this turn.", charger=charger.name)
    if arrived:
        text = say(
            "{charger} arrived from Reinforcements this turn; it may not charge in that turn.",
            charger=charger.name,
        )
    mark = Mark(say("arrived from Reinforcements this turn"), charger.centre) if arrived else None
    return Finding("conquest.declare.reinforcement", not arrived, text, mark=mark)


def _not_in_contact(declaration: Declaration) -> Finding:
    """Return the finding on the least gap, in inches, between the charger and an enemy regiment: they must not be in
    contact.
    """
    scene = declaration.scene
    limit = declaration.scene.choices.clearance
    units = [unit for unit in scene.state.units.values() if unit.side != scene.charger.side]
    gaps = [(gap(scene.charger.boundary, unit.boundary), unit.name) for unit in units]
    if not gaps:
        return Finding(
            "conquest.declare.not-in-contact", ok=True, text=say("There is no enemy regiment.")
        )
    least, name = min(gaps)
    text = say(
        "The nearest enemy regiment, {name}, is {least:.4f} in away.", name=name, least=least
    )
    between = (scene.charger.name, name, *(other for _, other in gaps))
    mark = None
    met = [
        unit for unit, (length, _) in zip(units, gaps, strict=True) if scene.is_in_contact(length)
    ]
    if met:
        told = {
            "charger": scene.charger.name,
            "enemies": listed((unit.name for unit in met), " and "),
        }
        text = say(
            "{charger} is in contact with {enemies}; a regiment in contact with an enemy may not charge.",
            **told,
        )
    if met and explains():
        near = [
            shapely.intersection(
                scene.charger.boundary.core, unit.boundary.core.buffer(limit)
            ).centroid
            for unit in met
        ]
        spots = [(spot.x, spot.y) for spot in near]
        words = say(
            "in contact with {enemies}", enemies=listed((unit.name for unit in met), " and ")
        )
        mark = Mark(words, spots[0], areas=tuple(disc(spot, RING) for spot in spots))
    return Finding(
        "conquest.declare.not-in-contact",
        not met,
        text,
        least,
        limit,
        least - limit,
        between=between,
        line=declaration.measured.line if name == scene.target.name else None,
        mark=mark,
    )


def _one_target(declaration: Declaration) -> Finding:
    """Return the finding whether the charge names exactly one target."""
    count = len(declaration.charge.targets)
    if count == 1:
        return Finding("conquest.declare.one-target", ok=True, text=say("One target is named."))
    text = say(
        "{count} targets are named: {names}; a charge must have one.",
        count=count,
        names=listed(declaration.charge.targets, ", "),
    )
    scene = declaration.scene
    words = say("{count} targets named, 1 allowed", count=count)
    ways = [
        closest(scene.charger.boundary, target_of(scene.state, name).shape)
        for name in declaration.charge.targets
    ]
    mark = Mark(words, scene.charger.centre, lines=tuple((way.near, way.far) for way in ways))
    return Finding(
        "conquest.declare.one-target",
        ok=False,
        text=text,
        measured=count,
        limit=1,
        margin=1 - count,
        mark=mark,
    )


def _enemy(declaration: Declaration) -> Finding:
    """Return the finding whether the target is an enemy or a garrison."""
    scene = declaration.scene
    charger = scene.charger.name
    target = scene.target.name
    unit = scene.target.unit
    if unit is None:
        text = say("{target} is a garrison; enemies are assumed to be inside it.", target=target)
        return Finding("conquest.declare.enemy", ok=True, text=text)
    is_enemy = unit.side != scene.charger.side
    text = say(
        "{target} is a friend of {charger}; only enemies and garrisons may be charged.",
        target=target,
        charger=charger,
    )
    if is_enemy:
        text = say("{target} is an enemy of {charger}.", target=target, charger=charger)
    mark = None if is_enemy else Mark(say("a friend, no enemy"), middle((scene.target.shape,)))
    return Finding("conquest.declare.enemy", is_enemy, text, mark=mark)


def _line_of_sight(declaration: Declaration) -> Finding:
    """Return the finding whether the target is in the front arc and some line of sight to it is clear."""
    scene = declaration.scene
    rule = "conquest.declare.line-of-sight"
    charger = scene.charger.name
    target = scene.target.name
    if not is_in_front_arc(scene):
        return _beside(scene)
    text = say(
        "{charger} sees {target}, which is in its front arc.", charger=charger, target=target
    )
    line, stop = declaration.shown_sight
    mark = _stopped(scene, stop) if declaration.sight is None else _over(scene, declaration.sight)
    if line is None or stop is None:
        return Finding(rule, declaration.sight is not None, text, mark=mark).using(
            *sizes_assumed(scene)
        )
    length = math.dist(*line)
    clear = math.dist(line[0], stop)
    told = {"charger": charger, "target": target, "length": length, "clear": clear}
    text = say(
        "No line from a front stand of {charger} to {target} is clear, as one must be: things as large block them; "
        "the shortest, of {length:.2f} in, is stopped after {clear:.2f} in.",
        **told,
    )
    found = Finding(
        rule, ok=False, text=text, measured=clear, limit=length, margin=clear - length, mark=mark
    )
    return found.using(*sizes_assumed(scene))


def _stopped(scene: Scene, stop: Point | None) -> Mark:
    """Return a mark of where sight is blocked, with the Size that looks and that of what is at least as large."""
    words = say("sight stops here")
    size = _size(scene, scene.charger)
    near = (
        []
        if stop is None
        else [
            one
            for one in _sized(scene)
            if shapely.distance(one.shape.core, shapely.Point(stop)) <= CONTACT
        ]
    )
    if near and stop is not None:
        told = {"size": f"{size:g}", "name": near[0].name, "other": f"{near[0].size:g}"}
        words = say("sight stops here: Size {size} against {name}, {other}", **told)
    return Mark(words, stop or middle((scene.target.shape,)))


def _over(scene: Scene, sight: Segment) -> Mark | None:
    """Return a mark of the largest thing over which a clear line of sight goes, with its Size and the Size that looks;
    None if none.
    """
    if not explains():
        return None
    line = shapely.LineString(sight)
    least = _least_size(scene)
    lower = [
        one
        for one in _sized(scene)
        if 0.0 < one.size < least and shapely.intersection(line, one.shape.core).length > CONTACT
    ]
    if not lower:
        return None
    top = max(lower, key=lambda one: one.size)
    own = profile_of(scene.charger).size
    size = _size(scene, scene.charger)
    told = {
        "own": f"{own:g}",
        "hill": f"{size - own:g}",
        "size": f"{size:g}",
        "name": top.name,
        "other": f"{top.size:g}",
    }
    words = say("Size {size} sees over {name}, {other}", **told)
    if size > own:
        words = say("Size {own} + {hill} = {size} sees over {name}, {other}", **told)
    part = shapely.get_coordinates(shapely.intersection(line, top.shape.core)).tolist()
    x, y = part[0]
    to_x, to_y = part[-1]
    return Mark(
        words, ((x + to_x) / 2, (y + to_y) / 2), lines=(((x, y), (to_x, to_y)),), is_for_point=True
    )


def _march(declaration: Declaration) -> Finding:
    """Return the finding whether the March before the charge kept clear of friends in contact with an enemy."""
    scene = declaration.scene
    rule = "conquest.through.march"
    marched = scene.declarations.marched
    charger = scene.charger
    if not scene.uncrossable:
        text = say(
            "No friend in contact with an enemy stood in the way of the {length:g} in marched.",
            length=marched,
        )
        return Finding(rule, ok=True, text=text)
    way = rectangle(charger.pose, charger.width, charger.depth + marched)
    least, name = min((gap(way, unit.boundary), unit.name) for unit in scene.uncrossable)
    text = say(
        "The {length:g} in marched crossed {name}, which is in contact with an enemy; such a friend "
        "may not be crossed.",
        length=marched,
        name=name,
    )
    if least >= -CONTACT:
        text = say(
            "The {length:g} in marched kept clear of {name}, which is in contact with an enemy.",
            length=marched,
            name=name,
        )
    mark = _marched(scene) if least < -CONTACT and explains() else None
    return Finding(rule, least >= -CONTACT, text, least, 0.0, least, mark=mark)


def _marched(scene: Scene) -> Mark:
    """Return a mark of where the March before the charge crossed the friend, not to be crossed, that it overlaps
    most.
    """
    region = swept(march_legs(scene))
    depth, deepest = min(
        (gap(Shape(region), unit.boundary), unit.name) for unit in scene.uncrossable
    )
    friend = scene.state.units[deepest].boundary
    areas = shared(region, [friend.core]) or (disc(closest(Shape(region), friend).near, RING),)
    words = say(
        "marched {depth} in into {friend}, which is held", depth=few_digits(-depth), friend=deepest
    )
    return Mark(words, middle(areas), areas=areas)


DECLARATION_LIMITS: tuple[Limit[Declaration], ...] = (
    Limit("conquest.declare.actions", _actions),
    Limit("conquest.declare.reinforcement", _reinforcement),
    Limit("conquest.declare.not-in-contact", _not_in_contact),
    Limit("conquest.declare.one-target", _one_target),
    Limit("conquest.declare.enemy", _enemy),
    Limit("conquest.declare.line-of-sight", _line_of_sight),
    Limit("conquest.through.march", _march),
)

# Line of sight.


def _beside(scene: Scene) -> Finding:
    """Return the finding that the target is not enough in the front arc: the angle outside in degrees, or its share of
    area inside.
    """
    rule = "conquest.declare.line-of-sight"
    charger = scene.charger.name
    target = scene.target.name
    mark = _outside(scene) if explains() else None
    if scene.choices.front_arc == "most":
        share = 100.0 * area(in_front_arc(scene)) / area(scene.target.ring)
        told = {"target": target, "charger": charger, "share": share}
        text = say(
            "No more than half of {target} is in the front arc of {charger}: {share:.2f} %; more must be.",
            **told,
        )
        return Finding(
            rule, ok=False, text=text, measured=share, limit=50.0, margin=share - 50.0, mark=mark
        )
    *_, off = beside(scene)
    text = say(
        "No part of {target} is in the front arc of {charger}, as it must be: it lies {off:.4f} degrees outside.",
        target=target,
        charger=charger,
        off=off,
    )
    return Finding(rule, ok=False, text=text, measured=off, limit=0.0, margin=-off, mark=mark)


def _outside(scene: Scene) -> Mark:
    """Return a mark of the part of the target outside the front arc; if all of it is outside, of the angle by which it
    is.
    """
    whole = scene.target.shape.core
    inside = in_front_arc(scene)
    part = shapely.Polygon(inside) if len(inside) > 2 else shapely.Polygon()  # noqa: PLR2004
    corner, ray, off = beside(scene)
    length = math.dist(ray[0], corner)
    (x, y), (to_x, to_y) = ray
    limit = (ray[0], (x + length * to_x, y + length * to_y))
    if part.area > SEEN:
        words = say(
            "{share} % in the front arc, more than half is needed",
            share=few_digits(100.0 * part.area / whole.area),
        )
        outside = shared(shapely.difference(whole, part), [whole])
        return Mark(words, middle(outside), limits=(limit,), areas=outside)
    words = say("{angle}\N{DEGREE SIGN} outside of the front arc", angle=few_digits(off))
    return Mark(words, corner, lines=((ray[0], corner),), limits=(limit,))


def beside(scene: Scene) -> tuple[Point, Line, float]:
    """Return the corner of the target that is least outside the front arc, the ray of the arc beside it, and the angle
    in degrees.
    """
    rays = arc_rays(scene.charger.boundary.pieces[0])[2:]
    corners: list[Point] = [(x, y) for x, y in scene.target.ring.tolist()]
    off = [(_degrees_between(ray, corner), corner, ray) for ray in rays for corner in corners]
    degrees, corner, ray = min(off)
    return corner, ray, degrees


def _degrees_between(ray: Line, point: Point) -> float:
    """Return the angle in degrees, at least 0, between a ray and the line from its origin to a point."""
    x, y = ray[1]
    to_x = point[0] - ray[0][0]
    to_y = point[1] - ray[0][1]
    return abs(math.degrees(math.atan2(x * to_y - y * to_x, x * to_x + y * to_y)))


def is_in_front_arc(scene: Scene) -> bool:
    """Return whether enough of the target is in the charger's front arc.

    By the choice `front_arc` any part of its frame suffices, or more than half of its area is needed.
    """
    if scene.choices.front_arc == "most":
        return area(in_front_arc(scene)) > area(scene.target.ring) / 2 + AREA
    return len(in_front_arc(scene, slack=CONTACT)) > 0


def in_front_arc(scene: Scene, *, slack: float = 0.0) -> FloatArray:
    """Return the corners (n, 2), in inches, of the target's part in the charger's front arc, widened by `slack` inches;
    empty if none.
    """
    return clipped(scene.target.ring, arc(scene.charger.boundary.pieces[0], FRONT, slack=slack))


def stopped_line(scene: Scene) -> tuple[Segment | None, Point | None]:
    """Return the shortest line of sight to the target, clear or not, and the first point where it is blocked.

    Both are None if there is no line; the point is None if nothing blocks it.
    """
    line = shortest_clear(_lines(scene), ())
    return line, first_blocked_point(line, list(_blockers(scene))) if line is not None else None


def _lines(scene: Scene) -> FloatArray:
    """Return the lines of sight (n, 2, 2), start and end in inches, from each front stand to each edge of each stand of
    the target.
    """
    starts = np.array(
        [
            pose.at
            for pose in (scene.charger.model_pose(0, file) for file in range(scene.charger.files))
        ]
    )
    unit = scene.target.unit
    rings = [scene.target.ring]
    if unit is not None:
        rings = [
            rectangle(unit.model_pose(*place), unit.base.width, unit.base.depth).pieces[0]
            for place in unit.places()
        ]
    ends = np.vstack([(ring + np.roll(ring, -1, axis=0)) / 2.0 for ring in rings])
    return np.stack([np.repeat(starts, len(ends), axis=0), np.tile(ends, (len(starts), 1))], axis=1)


def _blockers(scene: Scene) -> Iterator[Blocker]:
    """Return an iterator over the regiments and terrain that are large enough to block lines of sight to the target."""
    least = _least_size(scene)
    return (
        Blocker(one.shape, is_ignored_inside=False) for one in _sized(scene) if one.size >= least
    )


def _least_size(scene: Scene) -> float:
    """Return the Size from which things block line of sight to the target."""
    least = _size(scene, scene.charger)
    return max(least, _target_size(scene)) if scene.choices.sight_size == "both" else least


def _sized(scene: Scene) -> Iterator[SizedBody]:
    """Yield the regiments and terrain that may block lines of sight to the target if they are large enough."""
    for unit in (*scene.enemies, *scene.friends):
        yield SizedBody(unit.name, unit.boundary, _size(scene, unit))
    for piece in scene.state.terrain:
        is_theirs = piece.name == scene.target.name or _overlap(scene.charger.boundary, piece.shape)
        if piece.kind != "open" and not is_theirs and not _overlap(scene.target.shape, piece.shape):
            yield SizedBody(piece.name, piece.shape, piece.height)


def _target_size(scene: Scene) -> float:
    """Return the Size of the target for line of sight: of a regiment, or the height of a garrison."""
    if scene.target.unit is not None:
        return _size(scene, scene.target.unit)
    return next(piece.height for piece in scene.state.terrain if piece.name == scene.target.name)


def _size(scene: Scene, unit: Regiment) -> float:
    """Return a regiment's Size for line of sight, raised by the heights of the hills that it overlaps."""
    hills = (
        piece.height
        for piece in scene.state.terrain
        if piece.kind == "hill" and _overlap(unit.boundary, piece.shape)
    )
    return profile_of(unit).size + sum(hills)


def _overlap(body: Shape, other: Shape) -> bool:
    """Return whether two shapes overlap by more than the tolerance of contact."""
    return not are_boxes_apart(body, other) and gap(body, other) < -CONTACT


def sizes_assumed(scene: Scene) -> tuple[Assumed, ...]:
    """Return the Sizes that profiles leave out although sight depends on them, as values assumed.

    Looked at are the charger, the target if its Size counts, and regiments between the two.
    """
    way = convex_hull_of(scene.charger.boundary, scene.target.shape)
    target = scene.target.unit if scene.choices.sight_size == "both" else None
    third = [
        unit for unit in (*scene.enemies, *scene.friends) if gap(way, unit.boundary) <= CONTACT
    ]
    return tuple(
        one
        for unit in (scene.charger, target, *third)
        if unit is not None
        for one in assumed(unit, "size")
    )

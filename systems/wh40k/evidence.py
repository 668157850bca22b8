"""What figures show of a charge: ranges, distances, links and contacts, and marks of what decided it.

`evidence_before` and `evidence_after` return what surrounds a charge. `too_short`, `no_place`, `lost_mark` and
`reached` return marks of what decided it, a few words at a place: the inches or the room that are missing, or the
models in contact.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

import numpy as np
import shapely

from systems.wh40k.conditions import Ends, coherency_of, engagement_of
from systems.wh40k.declare import Declaration, middle_of, shown_inches
from systems.wh40k.feasibility import Requirement, RolledCharge
from systems.wh40k.move import ChargeMove
from systems.wh40k.roll import Roll, declarations_of
from systems.wh40k.scene import Scene
from tabletop.budget import deadline_passed
from tabletop.geometry.arrays import FloatArray
from tabletop.geometry.pose import Point
from tabletop.geometry.shape import Shape
from tabletop.messages import counted, say
from tabletop.ruling.evidence import TWO_DECIMALS_FROM, Dice, Evidence, Mark, Stage, Zone
from tabletop.table.models import Model, Squad, crowd
from tabletop.units import CONTACT

NO_PLACE: dict[Requirement, str] = {
    "engaged": say("no room within range of every target"),
    "grounded": say("no place to stand within range"),
    "apart": say("no place clear of the others"),
    "coherent": say("the targets are too far apart for one unit"),
    "closer": say("no model could end closer"),
}
"""Text for a charge that no distance makes possible."""

RAY_STEP = 0.02
"""Inches between rays at the end of the range."""

MOST_SHADED = 200_000
"""Number of rays times barricade corners up to which the zone is shaded, since more take seconds."""

FOOTPRINTS = 128
"""Number of footprints whose rays are cached."""

LEAST_PIECE = 1e-4
"""Square inches below which a piece of such a zone is left out."""


def evidence_before(
    declaration: Declaration, *, reach: float = 0.0, stage: Stage = "before"
) -> Evidence:
    """Return the evidence before a charge: the distance to the nearest target, and the engagement ranges as zones.

    Zones are those of the targets, and those of other enemy units within a move of `reach` inches.
    """
    return Evidence(
        dimensions=(declaration.line,), zones=tuple(_zones(declaration.standing, reach, stage))
    )


def _zones(standing: Ends, reach: float, stage: Stage) -> Iterator[Zone]:
    scene = standing.scene
    farthest = reach + engagement_of(scene).ranges[-1]
    near = [unit for unit in scene.non_targets if float(standing.to(unit).apart.min()) <= farthest]
    yield from (Zone(part, "target", stage) for part in _ranges(scene, scene.targets))
    yield from (Zone(part, "forbidden", stage) for part in _ranges(scene, near))


def _footprints(units: Iterable[Squad]) -> Iterator[Shape]:
    return (model.footprint for unit in units for model in unit.models)


def _ranges(scene: Scene, units: Iterable[Squad]) -> Iterator[Shape]:
    """Yield the engagement ranges about units' models as shapes, and their extensions across barricades while time is
    left.
    """
    across = engagement_of(scene).horizontal
    farthest = engagement_of(scene).ranges[-1]
    for shape in _footprints(units):
        yield replace(shape, radius=shape.radius + across)
        for piece in scene.barricades if farthest > across else ():
            yield from () if deadline_passed() else barricade_zone(shape, piece.shape, farthest)


def barricade_zone(footprint: Shape, barricade: Shape, reach: float) -> tuple[Shape, ...]:
    """Return, as shapes, the area within `reach` inches of a footprint whose shortest segment to the footprint crosses
    a barricade.

    Empty if the barricade is out of reach, or if the area would take too long to compute.
    """
    body = shapely.Polygon(barricade.outline())
    if body.distance(shapely.Polygon(footprint.outline())) >= reach:
        return ()
    starts, ends = _rays(footprint, reach)
    if len(starts) * shapely.get_num_coordinates(body) > MOST_SHADED:
        return ()
    met = shapely.intersection(shapely.linestrings(np.stack([starts, ends], axis=1)), body)
    first = shapely.distance(shapely.points(starts), met)
    tails = starts + np.where(np.isfinite(first), first / reach, 0.0)[:, None] * (ends - starts)
    strips = np.stack([tails, np.roll(tails, -1, axis=0), np.roll(ends, -1, axis=0), ends], axis=1)
    is_met = np.isfinite(first) & np.isfinite(np.roll(first, -1))
    joined = shapely.union_all(shapely.make_valid(shapely.polygons(strips[is_met])))
    parts = (
        part
        for part in shapely.get_parts(joined)
        if isinstance(part, shapely.Polygon) and part.area > LEAST_PIECE
    )
    return tuple(Shape(part) for part in parts)


@lru_cache(maxsize=FOOTPRINTS)
def _rays(footprint: Shape, reach: float) -> tuple[FloatArray, FloatArray]:
    """Return the start and the end points, each (k, 2), of shortest segments of length `reach` inches outward from a
    footprint.

    The result is cached, since every barricade needs it.
    """
    body = shapely.Polygon(footprint.outline(360))
    rim = shapely.segmentize(body.buffer(reach, quad_segs=90).exterior, RAY_STEP)
    lines = shapely.shortest_line(body, shapely.points(shapely.get_coordinates(rim)[:-1]))
    starts, ends = np.moveaxis(shapely.get_coordinates(lines).reshape(-1, 2, 2), 1, 0)
    return starts, ends


def evidence_after(declaration: Declaration, move: ChargeMove) -> Evidence:
    """Return the evidence of a completed charge: that before it, base contacts and coherency links, without models lost
    after the move.
    """
    lost = declarations_of(declaration.charge).overwatch.after
    left = tuple(model for model in move.ends.models if model.number not in lost)
    ends = Ends(move.scene, left) if lost else move.ends
    touching = {
        move.scene.charger.name: ends.in_contact,
        **{target.name: ends.to(target).touched for target in move.scene.targets},
    }
    reach = float(move.ends.lengths.max())
    there = evidence_before(declaration, reach=reach, stage="after")
    begun = tuple(replace(zone, stage="before") for zone in there.zones if zone.role == "forbidden")
    return replace(
        there,
        zones=(*begun, *there.zones),
        models_in_contact={name: numbers for name, numbers in touching.items() if numbers},
        links=ends.link_lines,
    )


def dice_of(rolls: Sequence[Roll]) -> Dice:
    """Return the faces that count, with their sum in words, and the faces that were rerolled."""
    last = rolls[-1]
    return Dice(last.faces, last.result, tuple(face for roll in rolls[:-1] for face in roll.faces))


def too_short(
    declaration: Declaration,
    requirement: Requirement,
    distance: int,
    *,
    needed: float,
    far: Sequence[Squad],
) -> Mark:
    """Return a mark of how many inches a move of `distance` falls short of the `needed` inches that meet a requirement.

    It lies at the farthest of the targets `far` that are out of reach, if there are any, else near the nearest target.
    """
    scene = declaration.scene
    short = needed - distance
    words = say(
        "{inches} needed, {distance} rolled", inches=shown_inches(needed), distance=distance
    )
    if short < TWO_DECIMALS_FROM:
        words = say("more than {distance} in needed, {distance} rolled", distance=distance)
    start, end = declaration.closest()
    if far:
        return Mark(
            words,
            _between(scene.charger, max(far, key=lambda target: declaration.ranges[target.name]))[
                1
            ],
        )
    reach = math.dist(start, end) - engagement_of(scene).horizontal
    if requirement == "apart":
        return Mark(words, end, areas=tuple(_footprints(scene.non_targets)))
    if abs(reach - needed) > CONTACT or not reach - short >= 0.0:
        return Mark(words, end)
    way = (np.array(end) - start) / math.dist(start, end)
    piece = (_point(start + (reach - short) * way), _point(start + reach * way))
    return Mark(say("{inches} short", inches=shown_inches(short)), piece[0], lines=(piece,))


def lost_mark(rolled: RolledCharge) -> Mark:
    """Return a mark around the models lost to Overwatch, with the charge distance that the survivors need."""
    lost = declarations_of(rolled.declaration.charge).overwatch.before
    gone = [model for model in rolled.declaration.scene.charger.models if model.number in lost]
    needed, enough = (
        (None, None)
        if rolled.survivors is None
        else (rolled.survivors.needed, rolled.survivors.needed_between[1])
    )
    words = say("lost; the others cannot do it")
    if needed is not None:
        words = say(
            "lost; the others need {needed} in, {distance} rolled",
            needed=needed,
            distance=rolled.distance,
        )
    elif enough is not None:
        words = say("lost; the others need more than {distance} in", distance=rolled.distance)
    return Mark(words, middle_of(gone), areas=tuple(model.footprint for model in gone))


def no_place(scene: Scene, requirement: Requirement) -> Mark:
    """Return a mark for a requirement that no distance meets: the span between two targets that is too wide, or the
    lack of room.
    """
    pairs = [_between(first, second) for first, second in combinations(scene.targets, 2)]
    if requirement in ("engaged", "coherent") and pairs:
        start, end = max(pairs, key=lambda pair: math.dist(*pair))
        apart = math.dist(start, end)
        zone = engagement_of(scene).horizontal
        if apart > 2 * zone:
            way = (np.array(end) - start) / apart
            piece = (_point(start + zone * way), _point(end - zone * way))
            left, bridged = bridging(scene, apart)
            span = say("{inches} between the two ranges", inches=shown_inches(left))
            count = len(scene.charger.models)
            if requirement == "coherent" and count > 1 and bridged < left:
                told = {
                    "inches": shown_inches(left),
                    "count": count,
                    "bridged": shown_inches(bridged),
                }
                span = say(
                    "{inches} between the two ranges, {count} bases bridge {bridged}", **told
                )
            return Mark(span, _point((np.array(start) + end) / 2), lines=(piece,))
    areas = tuple(_footprints(scene.non_targets)) if requirement == "apart" else ()
    return Mark(NO_PLACE[requirement], middle_of(scene.targets[0].models), areas=areas)


def bridging(scene: Scene, apart: float) -> tuple[float, float]:
    """Return the inches between the engagement ranges of two targets `apart` inches apart, and the most that the unit
    bridges.
    """
    models = crowd(scene.charger.models)
    return apart - 2.0 * engagement_of(scene).horizontal, coherency_of(
        scene, len(models.models)
    ).span(2.0 * models.radii)


def _between(first: Squad, second: Squad) -> tuple[Point, Point]:
    """Return the two ends, in table coordinates, of a shortest segment between two units, seen from above."""
    bodies = [
        shapely.MultiPolygon(
            [shapely.Polygon(model.footprint.outline(64)) for model in unit.models]
        )
        for unit in (first, second)
    ]
    start, end = shapely.get_coordinates(shapely.shortest_line(*bodies))
    return _point(start), _point(end)


def reached(move: ChargeMove, lost: Collection[int] = ()) -> Mark:
    """Return a mark of what a completed charge reached: how many models are in base contact, and how many engaged.

    If models were `lost` after the move, the words say that the numbers are those before losses. The mark is at a model
    that remains in contact (or engaged), or where they stood if none remains.
    """
    foes = [model for unit in move.scene.targets for model in unit.models]
    served = [
        model
        for model in move.ends.models
        if model.number in (move.ends.in_contact or move.ends.engaged)
    ]
    left = [model for model in served if model.number not in lost]
    at = _far_side(left or served, foes)
    gone = () if left else tuple(model.footprint for model in served)
    contacts = len(move.ends.in_contact)
    engaged = len(move.ends.engaged)
    models = counted(len(move.moves), "models")
    words = say(
        "{contacts} of {models} in base contact, {engaged} engaged",
        contacts=contacts,
        models=models,
        engaged=engaged,
    )
    if len(move.moves) == 1:  # of a single model no number is told
        words = say("in base contact") if contacts else say("engaged, no base contact")
    elif not contacts:
        words = say(
            "{engaged} of {models} engaged, none in base contact", engaged=engaged, models=models
        )
    if lost:
        words = say("{reached}, before losses", reached=words)
    return Mark(words, at, areas=gone, stage="after")


def _far_side(models: Sequence[Model], others: Sequence[Model]) -> Point:
    """Return the point on the rim of the most central model's base that is farthest from the nearest of the other
    models.
    """
    middle = middle_of(models)
    model = min(models, key=lambda one: math.dist(one.pose.at, middle))
    near = min((other.pose.at for other in others), key=lambda at: math.dist(at, model.pose.at))
    return _point(max(model.footprint.outline(64), key=lambda spot: math.dist(spot, near)))


def _point(place: FloatArray) -> Point:
    return float(place[0]), float(place[1])

"""Units of loose models as marks: bases with their numbers, heights and facings, and the dashed bases of where they stood."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import shapely

from plots.marks.mark import GridMark, Label, LinesMark, Mark, Points, Printed, identifier, points
from plots.marks.signs import HEIGHT_SIGN
from plots.marks.silhouettes import fitted
from tabletop.geometry.pose import Point
from tabletop.table.silhouette import Silhouette, silhouette_of
from tabletop.table.squad import Model, RoundBase, Squad

ALWAYS_NUMBERED = 12
"""Models up to which a unit's are numbered wherever there is room."""
RAISED = ("raised", "raised_contact")
SEGMENTS = 40
"""Sides of the polygon that a round base is drawn as."""
INNER, TICK, FREE, BESIDE_TICK = 0.8, 0.2, 0.94, 0.7
"""Shares of a base: its inner ring where it is raised, its facing mark, the room for its number, and that beside a facing mark."""


def squad_marks(squad: Squad, prefix: str, *, tone: int, contact: Collection[int] = (), is_numbered: bool = False) -> tuple[Mark, ...]:
    """Draw a unit of loose models: bases, those in contact filled, numbers, facings where a base is not round, heights and name."""
    name = identifier(prefix, "unit", squad.name)
    if not squad.models:
        return ()
    touching = [model for model in squad.models if model.number in contact]
    bases = rings(squad.models)
    marks: list[Mark] = [GridMark(f"{name}.models", f"loose.{tone}", bases, tuple(model.number for model in squad.models))]
    marks += (
        [GridMark(f"{name}.contact", f"contact.{tone}", rings(touching), tuple(model.number for model in touching))] if touching else []
    )
    marks += [*_seen(squad, name, tone, contact), *_facings(squad, name, tone), *_heights(squad, name, tone, contact)]
    if is_numbered or len(squad.models) <= ALWAYS_NUMBERED:
        marks += _numbers(squad, name, tone, contact)
    names = [Label(f"{name}.{model.number}.name", "text", model.name, around(model), rank=8) for model in squad.models if model.name]
    return (*marks, _name(squad, name, tone, contact), *names)


def _name(squad: Squad, name: str, tone: int, contact: Collection[int]) -> Mark:
    """Name a unit beside its outermost models, a single model in its base if there is room."""
    label = Label(f"{name}.label", f"name.{tone}", squad.name, _name_spots(squad), rank=2)
    if len(squad.models) > 1:
        return label
    (only,) = squad.models
    plate = f"contact.{tone}" if only.number in contact else f"loose.{tone}"
    return Printed(f"{name}.letter", "letter", ((_middle(only), squad.name, _room(only)),), label, plate=plate)


def rings(models: Sequence[Model]) -> tuple[Points, ...]:
    """Outline the bases of models."""
    return tuple(points(model.footprint.outline(SEGMENTS)) for model in models)


def _numbers(squad: Squad, name: str, tone: int, contact: Collection[int]) -> list[Mark]:
    """Print the models' numbers into their bases, light on the dark ones of models in contact."""
    if len(squad.models) == 1:
        return []
    words = {model.number: (_middle(model), str(model.number), _room(model)) for model in squad.models}
    dark = tuple(word for number, word in words.items() if number in contact)
    light = tuple(word for number, word in words.items() if number not in contact)
    marks = (
        Printed(f"{name}.numbers", "number", light, plate=f"loose.{tone}"),
        Printed(f"{name}.numbers.contact", "number_light", dark, plate=f"contact.{tone}"),
    )
    return [mark for mark in marks if mark.words]


def _middle(model: Model) -> Point:
    """Give the middle of what a model covers: a hull's origin may lie anywhere."""
    west, south, east, north = model.footprint.bounds
    return ((west + east) / 2, (south + north) / 2)


def _room(model: Model) -> float:
    """Give the inches across that a number has inside a base."""
    return (FREE if isinstance(model.base, RoundBase) else BESIDE_TICK) * across(model)


def across(model: Model) -> float:
    """Give the lesser extent of what a model covers, in inches."""
    west, south, east, north = model.footprint.bounds
    return min(east - west, north - south)


def _facings(squad: Squad, name: str, tone: int) -> list[Mark]:
    """Point to where bases look that are not round."""
    ticks = tuple(_tick(model) for model in squad.models if not isinstance(model.base, RoundBase))
    return [GridMark(f"{name}.facing", f"front.{tone}", ticks)] if ticks else []


def _seen(squad: Squad, name: str, tone: int, contact: Collection[int]) -> list[Mark]:
    """Stand on the bases what the unit looks like; who is on foot is told by the base alone."""
    silhouette = silhouette_of(squad)
    if silhouette is None or silhouette == "foot":
        return []
    shown = {"seen": [one for one in squad.models if one.number not in contact]}
    shown["seen_contact"] = [one for one in squad.models if one.number in contact]
    grids = {role: tuple(ring for model in models for ring in _standing(model, silhouette)) for role, models in shown.items()}
    return [GridMark(f"{name}.{role}", f"{role}.{tone}", found) for role, found in grids.items() if found]


def _standing(model: Model, silhouette: Silhouette) -> tuple[Points, ...]:
    """Fit a silhouette into a base; on a round one, which looks nowhere, it looks up."""
    pose = replace(model.pose, heading=math.pi / 2) if isinstance(model.base, RoundBase) else model.pose
    base = tuple(pose.local(point) for point in points(model.footprint.outline(SEGMENTS)))
    return tuple(tuple(pose.point(*point) for point in ring) for ring in fitted(silhouette, base))


def _tick(model: Model) -> Points:
    """Give a triangle whose tip is where a model's heading leaves its base."""
    ring = model.footprint.outline(SEGMENTS)
    reach = float(((ring - [model.pose.at]) @ model.pose.forward).max())
    end = model.pose.advanced(2 * reach)
    inside = shapely.intersection(shapely.Polygon(ring), shapely.LineString([model.pose.at, end.at]))
    front = max((model.pose.local(point)[1] for point in shapely.get_coordinates(inside).tolist()), default=reach)
    length = TICK * reach
    return (model.pose.point(0.0, front), model.pose.point(-0.6 * length, front - length), model.pose.point(0.6 * length, front - length))


def _heights(squad: Squad, name: str, tone: int, contact: Collection[int]) -> list[Mark]:
    """Mark raised models with an inner ring, and say once how high each level is."""
    raised = [model for model in squad.models if model.z > 0.0]
    if not raised:
        return []
    inner = {role: tuple(_shrunk(model) for model in raised if (model.number in contact) is (role == "raised_contact")) for role in RAISED}
    levels = {model.z: [other for other in raised if other.z == model.z] for model in raised}
    labels = [
        Label(
            f"{name}.height.{place + 1}", "text", f"{HEIGHT_SIGN}{z:g}", tuple(spot for model in models for spot in around(model)), rank=4
        )
        for place, (z, models) in enumerate(levels.items())
    ]
    return [*(GridMark(f"{name}.{role}", f"{role}.{tone}", shown) for role, shown in inner.items() if shown), *labels]


def _shrunk(model: Model) -> Points:
    ring, middle = model.footprint.outline(SEGMENTS), _middle(model)
    return points(middle + INNER * (ring - middle))


def around(model: Model) -> Points:
    """Give places at the edges of what a model covers: right, left, above, below."""
    west, south, east, north = model.footprint.bounds
    x, y = _middle(model)
    return ((east, y), (west, y), (x, north), (x, south))


def _name_spots(squad: Squad) -> Points:
    """Give places for a unit's name: at the outermost models, then at any of the first few."""
    by_x = sorted(squad.models, key=lambda model: model.footprint.bounds[0])
    by_y = sorted(squad.models, key=lambda model: model.footprint.bounds[1])
    outer = (around(by_y[-1])[2], around(by_x[0])[1], around(by_x[-1])[0], around(by_y[0])[3])
    return (*outer, *(spot for model in squad.models[:ALWAYS_NUMBERED] for spot in around(model)))


def squad_start(squad: Squad, now: Squad | None, name: str, *, tone: int, lost_from: Squad | None = None) -> tuple[Mark, ...]:
    """Dash the bases of models that stand elsewhere now, and cross those that are gone: where they are in `lost_from`, or were."""
    left = {model.number for model in now.models} if now is not None else set()
    gone = [model for model in (lost_from or squad).models if model.number not in left]
    places = {model.number: (model.pose, model.z) for model in (*(now.models if now is not None else ()), *gone)}
    moved = [model for model in squad.models if places[model.number] != (model.pose, model.z)]
    marks: list[Mark] = [GridMark(name, f"start.{tone}", rings(moved))] if moved else []
    if gone:
        crosses = tuple(line for model in gone for line in _cross(model))
        marks += [GridMark(f"{name}.lost", f"start.{tone}", rings(gone)), LinesMark(f"{name}.cross", f"lost.{tone}", crosses)]
    return tuple(marks)


def _cross(model: Model) -> tuple[Points, Points]:
    west, south, east, north = model.footprint.bounds
    return (((west, south), (east, north)), ((west, north), (east, south)))


def squad_stop(squad: Squad, then: Squad, name: str, *, tone: int) -> tuple[Mark, ...]:
    """Dash the bases of models where they end, over everything that stands there."""
    places = {model.number: (model.pose, model.z) for model in squad.models}
    moved = [model for model in then.models if places.get(model.number) != (model.pose, model.z)]
    return (GridMark(name, f"ghost.{tone}", rings(moved)),) if moved else ()

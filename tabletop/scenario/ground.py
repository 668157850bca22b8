"""Pieces of terrain: from the file to values and back."""

import math
from typing import Any, cast

from tabletop.hexes import number
from tabletop.pose import Pose
from tabletop.scenario.document import TerrainEntry
from tabletop.scenario.entries import RectangleEntry
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.shapes import Shape, disc, polygon, rectangle
from tabletop.state import HexTerrain, Terrain


def terrain_of(entry: TerrainEntry, words: Vocabulary) -> Terrain:
    """Read a piece of terrain; a height that is not given is that of its kind."""
    height = dict(words.heights).get(entry.kind, 0.0) if entry.height is None else float(entry.height)
    data = words.terrain_keys(**{key: getattr(entry, key) for key in words.terrain_keys.model_fields})
    return Terrain(entry.name, entry.kind, _shape(entry), height, data)


def _shape(entry: TerrainEntry) -> Shape:
    if entry.polygon is not None:
        return polygon(entry.polygon)
    if entry.circle is not None:
        return disc(entry.circle.centre, entry.circle.radius)
    form = cast("RectangleEntry", entry.rectangle)  # exactly one of the three is given
    middle = Pose(*form.centre, math.radians(form.angle_deg) + math.pi / 2)
    return rectangle(middle.advanced(form.depth / 2), form.width, form.depth)


def terrain_entry(piece: Terrain, words: Vocabulary) -> dict[str, Any]:
    """Write a piece of terrain as the file does; a height that its kind implies is left out."""
    implied = piece.height == dict(words.heights).get(piece.kind, 0.0) and piece.kind not in words.tall
    height = {} if implied else {"height": piece.height}
    return {"name": piece.name, "kind": piece.kind, **_form(piece.shape), **height, **_data(piece.data)}


def _form(shape: Shape) -> dict[str, Any]:
    if shape.radius:
        west, south, east, north = shape.bounds
        return {"circle": {"centre": [(west + east) / 2, (south + north) / 2], "radius": shape.radius}}
    return {"polygon": shape.outline().tolist()}


def hex_terrain_entry(piece: HexTerrain) -> dict[str, Any]:
    """Write terrain that fills hexes as the file does."""
    return {"name": piece.name, "kind": piece.kind, "hexes": [number(place) for place in piece.hexes], **_data(piece.data)}


def _data(data: Any) -> dict[str, Any]:
    """Give the keys that differ from what is meant where they are left out."""
    keys: dict[str, Any] = {} if data is None else data.model_dump(mode="json", exclude_defaults=True)
    return keys

"""Pieces of terrain: from the file to values and back."""

import math
from typing import Any, cast

from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, polygon, rectangle
from tabletop.scenario.document import TerrainEntry
from tabletop.scenario.entries import RectangleEntry, implied_names
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.hexes import number
from tabletop.table.state import HexTerrain, State, Terrain


def terrain_of(name: str, entry: TerrainEntry, words: Vocabulary) -> Terrain:
    """Read a piece of terrain, of its name or the one implied; a height that is not given is that of its kind."""
    height = dict(words.heights).get(entry.kind, 0.0) if entry.height is None else float(entry.height)
    data = words.terrain_keys(**{key: getattr(entry, key) for key in words.terrain_keys.model_fields})
    return Terrain(name, entry.kind, _shape(entry), height, data, entry.name is not None)


def _shape(entry: TerrainEntry) -> Shape:
    if entry.polygon is not None:
        return polygon(entry.polygon)
    if entry.circle is not None:
        return disc(entry.circle.centre, entry.circle.radius)
    form = cast("RectangleEntry", entry.rectangle)  # exactly one of the three is given
    middle = Pose(*form.centre, math.radians(form.angle_deg) + math.pi / 2)
    return rectangle(middle.advanced(form.depth / 2), form.width, form.depth)


def terrain_entries(state: State[Any], words: Vocabulary) -> list[dict[str, Any]]:
    """Write the terrain of a table as the file does: without names where none were given and the same are implied again."""
    pieces: list[Terrain | HexTerrain] = [*state.terrain, *state.hex_terrain]
    implied = implied_names(piece.kind for piece in pieces)
    return [
        {**({"name": piece.name} if piece.is_named or piece.name != name else {}), "kind": piece.kind, **_extent(piece, words)}
        for piece, name in zip(pieces, implied, strict=True)
    ]


def _extent(piece: Terrain | HexTerrain, words: Vocabulary) -> dict[str, Any]:
    """Write where a piece lies and the keys of its kind; a height that its kind implies is left out."""
    if isinstance(piece, HexTerrain):
        return {"hexes": [number(place) for place in piece.hexes], **_data(piece.data)}
    implied = piece.height == dict(words.heights).get(piece.kind, 0.0) and piece.kind not in words.tall
    height = {} if implied else {"height": piece.height}
    return {**_form(piece.shape), **height, **_data(piece.data)}


def _form(shape: Shape) -> dict[str, Any]:
    if shape.radius:
        west, south, east, north = shape.bounds
        return {"circle": {"centre": [(west + east) / 2, (south + north) / 2], "radius": shape.radius}}
    return {"polygon": shape.outline().tolist()}


def _data(data: Any) -> dict[str, Any]:
    """Give the keys that differ from what is meant where they are left out."""
    keys: dict[str, Any] = {} if data is None else data.model_dump(mode="json", exclude_defaults=True)
    return keys

"""Random small displacements (jitter) of units and terrain, reproducible by the number of the table.

Bodies whose `accuracy` in the file is 0 are not displaced.
"""

import copy
import math
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import shapely

from tabletop.exploring.key_paths import coordinates_of, unit_key
from tabletop.geometry.shape import Shape
from tabletop.messages import shown
from tabletop.scenario.bases import is_number
from tabletop.settling.bodies import longer_side
from tabletop.table.models import Squad
from tabletop.table.state import State

JITTER_KEY = "jitter"
"""Key of the axis that numbers the displaced tables; number 0 is the undisplaced one."""

Columns = dict[str, float]
"""Places by name; the names are keys of the file where there is one."""


@dataclass(frozen=True)
class Jitter:
    """Limits of random displacements: `inches` in any direction and `degrees` to either side, for units and perhaps
    terrain.

    If `degrees` is None, a body turns by at most the angle that moves the end of its longer side by `inches`; a disc
    does not turn. `sides` holds the longer sides in inches of the models of each unit, by its name, and of each piece
    of terrain, by its number. A body with its own `accuracy` in the file is displaced by that instead.
    """

    inches: float
    degrees: float | None = None
    with_terrain: bool = False
    sides: Mapping[str | int, tuple[float, ...]] = field(default_factory=dict, compare=False)

    @property
    def told(self) -> tuple[Any, ...]:
        """Inches, degrees and terrain flag, which identify this jitter; `sides` follow from the file."""
        return self.inches, self.degrees, self.with_terrain

    def of(self, entry: Mapping[str, Any]) -> "Jitter":
        """Return the jitter that applies to an entry of the file for a unit or piece of terrain: from its `accuracy`,
        or this one.
        """
        own = entry.get("accuracy")
        return self if own is None else replace(accuracy_of(own), sides=self.sides)

    def turning(self, body: str | int, model: int) -> float:
        """Return the largest turn in degrees of model number `model` of a unit, or of a piece of terrain; `body` is its
        name or number.
        """
        if self.degrees is not None:
            return self.degrees
        sides = self.sides.get(body, ())
        side = sides[min(model, len(sides) - 1)] if sides else 0.0
        return math.degrees(math.atan2(self.inches, side)) if side else 0.0


def accuracy_of(value: Any) -> Jitter:
    """Return the jitter for an `accuracy` as written in a file: inches as 0.1 or "1/16", or a table with `at` and
    `facing_deg`.

    Raises
    ------
    ValueError
        If the value is not an accuracy.
    """
    if isinstance(value, Mapping):
        facing = value.get("facing_deg")
        return replace(
            accuracy_of(value.get("at")), degrees=None if facing is None else _inches(facing)
        )
    return Jitter(_inches(value), None, with_terrain=True)


def _inches(value: Any) -> float:
    parts = re.fullmatch(r"(\d{1,9})/(\d{1,9})", value) if isinstance(value, str) else None
    if parts is not None and int(parts[2]):
        return int(parts[1]) / int(parts[2])
    if not is_number(value) or not 0 <= value < math.inf:
        raise ValueError(f'expected inches such as 0.1 or "1/16", given {shown(value)}')
    return float(value)


def with_sides(how: Jitter, state: State[Any]) -> Jitter:
    """Return the same jitter with `sides` set to the longer sides, in inches, of all bodies on a table."""
    sides: dict[str | int, tuple[float, ...]] = {
        number: (longer_side(piece.shape),) for number, piece in enumerate(state.terrain)
    }
    for name, unit in state.units.items():
        bodies = (
            [model.footprint for model in unit.models]
            if isinstance(unit, Squad)
            else [getattr(unit, "boundary", None)]
        )
        sides[name] = tuple(longer_side(body) for body in bodies if isinstance(body, Shape))
    return replace(how, sides=sides)


def displaced(
    tables: Mapping[str, Any], how: Jitter, number: int
) -> tuple[dict[str, Any], Columns]:
    """Return a copy of the tables with every unit, or loose model, displaced, and the resulting places by key.

    Displacements are uniformly distributed within the limits of `how` and depend only on `number` and the body; number
    0 displaces nothing.
    """
    changed = copy.deepcopy(dict(tables))
    where = Columns()
    for name, unit in changed.get("units", {}).items():
        dice = random.Random(f"{number}/{name}")  # noqa: S311 - sampling, not secrets
        models = unit.get("models")
        own = how.of(unit)
        for first, place in enumerate(models if isinstance(models, list) else [unit]):
            if number:
                _displace(place, own, dice, (name, first))
        where.update((unit_key(name, key), value) for key, value in _places(unit))
    if how.with_terrain:
        for index, piece in enumerate(changed.get("terrain", [])):
            dice = random.Random(f"{number}//{index}")  # noqa: S311 - sampling, not secrets
            told = _displace_piece(piece, how.of(piece), dice, index if number else None)
            where.update((f"terrain.{index}.{key}", value) for key, value in told)
    return changed, where


def _displace(
    place: dict[str, Any], how: Jitter, dice: random.Random, body: tuple[str, int]
) -> None:
    """Displace the entry of a unit or of one model in place; `body` is the unit's name and the number of its first
    model here.
    """
    name, first = body
    for spot in coordinates_of(place) if how.inches else ():
        along, up = _aside(how.inches, dice)
        spot[0] += along
        spot[1] += up
    facing = place.get("facing_deg")
    if isinstance(facing, list):
        place["facing_deg"] = [
            angle + how.turning(name, first + model) * dice.uniform(-1.0, 1.0)
            for model, angle in enumerate(facing)
        ]
    elif facing is not None and how.turning(name, first):
        place["facing_deg"] = facing + how.turning(name, first) * dice.uniform(-1.0, 1.0)


def _aside(inches: float, dice: random.Random) -> tuple[float, float]:
    reach = inches * math.sqrt(dice.random())
    bearing = math.tau * dice.random()
    return reach * math.cos(bearing), reach * math.sin(bearing)


def _places(unit: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield (key, value) pairs for the place of a unit: x and y of its front, or of each loose model, in inches;
    facings in degrees.
    """
    models = unit.get("models")
    at = unit.get("at")
    if isinstance(models, list):
        for number, model in enumerate(models):
            if isinstance(model, Mapping):
                yield from (
                    (f"models.{number}.{key}", value)
                    for key, value in (*_spots(model), *_facings(model))
                )
    elif isinstance(at, list) and at and not isinstance(at[0], list) and coordinates_of(unit):
        yield from zip("xy", at, strict=False)
    else:
        yield from _spots(unit)
    yield from _facings(unit)


def _spots(place: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    spots = coordinates_of(place)
    for number, spot in enumerate(spots):
        before = f"at.{number}" if spot is not place.get("at") else "at"
        yield from ((f"{before}.{axis}", spot[axis]) for axis in (0, 1))


def _facings(place: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    facing = place.get("facing_deg")
    if isinstance(facing, list):
        yield from ((f"facing_deg.{number}", angle) for number, angle in enumerate(facing))
    elif facing is not None:
        yield "facing_deg", facing


def _displace_piece(
    piece: dict[str, Any], how: Jitter, dice: random.Random, index: int | None
) -> Iterator[tuple[str, float]]:
    """Displace a piece of terrain in place as a whole, and yield its resulting place as (key, value) pairs.

    Places are in inches, turns in degrees; a polygon yields its centroid and turn. If `index`, the piece's number, is
    None, nothing moves.
    """
    along, up = _aside(how.inches, dice)
    turn = 0.0 if index is None else how.turning(index, 0) * dice.uniform(-1.0, 1.0)
    if index is None:
        along = up = 0.0
    for form in ("circle", "rectangle"):
        if form in piece:
            centre = piece[form]["centre"]
            centre[0], centre[1] = centre[0] + along, centre[1] + up
            yield from ((f"{form}.centre.{axis}", centre[axis]) for axis in (0, 1))
    if "rectangle" in piece:
        piece["rectangle"]["angle_deg"] = piece["rectangle"].get("angle_deg", 0.0) + turn
        yield "rectangle.angle_deg", piece["rectangle"]["angle_deg"]
    if "polygon" in piece:
        corners = np.array(piece["polygon"], dtype=float)
        middle = shapely.get_coordinates(shapely.Polygon(corners).centroid)[0]
        if along or up or turn:
            cos = math.cos(math.radians(turn))
            sin = math.sin(math.radians(turn))
            piece["polygon"] = (
                (corners - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle + (along, up)
            ).tolist()
        yield from (
            ("x", float(middle[0]) + along),
            ("y", float(middle[1]) + up),
            ("turned_deg", turn),
        )

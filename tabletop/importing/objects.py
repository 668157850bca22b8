"""The objects of a Tabletop Simulator save, as far as they stand on a table: name, words, place, turn and bounds.

One unit of its space is an inch; x goes to the right, y up from the table, and z up the table. An object turned by `rotY` is turned
clockwise seen from above, and looks along its own z axis.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tabletop.errors import Fault, ScenarioError
from tabletop.importing.imported import FOREIGN_BYTES, Remarks
from tabletop.importing.notes import name_in, plain
from tabletop.scenario.limits import LENGTH, NAME_LENGTH
from tabletop.scenario.text import decoded
from tabletop.words import counted, shown

TILT = 5.0
"""Degrees by which an object may lean and still stand."""
SQUARE = 0.5
"""Degrees off a right angle at which the bounds along the table's axes are still those of the object."""
HUGE = 1e9
"""No coordinate or angle of a table is as large."""
Bounds = tuple[float, float, float]


@dataclass(frozen=True)
class Thing:
    """One object: its name and all of its words, `x`, `y` up the table and `rise` above it in inches, and where it looks.

    `bounds` are width, height and depth in inches of the box around it in its own frame, where the save tells them.
    """

    name: str
    words: str
    x: float
    y: float
    rise: float
    facing_deg: float
    tilt_deg: float
    bounds: Bounds | None
    number: int

    @property
    def called(self) -> str:
        """What remarks call it: its name, else its number in the save."""
        return shown(self.name, NAME_LENGTH) if self.name else f"object {self.number}"


def things_of(data: bytes, remarks: Remarks) -> list[Thing]:
    """Return the objects of a save; remarks are made of those that cannot be read, and of what lies in bags.

    Raises
    ------
    ScenarioError
        If it is no save.
    """
    text = decoded(data, most=FOREIGN_BYTES)
    try:
        save = json.loads(text)
    except (ValueError, RecursionError) as error:
        is_syntax = isinstance(error, json.JSONDecodeError)
        why = "nested too deep" if isinstance(error, RecursionError) else str(error) if is_syntax else "a number has thousands of digits"
        raise ScenarioError(Fault("", f"expected a save of Tabletop Simulator in JSON: {why}")) from None
    objects = save.get("ObjectStates") if isinstance(save, dict) else None
    if not isinstance(objects, list):
        raise ScenarioError(Fault("", 'expected a save of Tabletop Simulator: a JSON object with the list "ObjectStates"'))
    return list(_things(objects, remarks))


def _things(objects: list[Any], remarks: Remarks) -> Iterator[Thing]:
    inside = 0
    for number, raw in enumerate(objects, 1):
        thing = _thing(raw, number) if isinstance(raw, dict) else None
        if thing is None:
            remarks.add("objects without a place that can be read", f"object {number}")
            continue
        held = raw.get("ContainedObjects")
        inside += len(held) if isinstance(held, list) else 0
        yield thing
    if inside:
        remarks.add(f"{counted(inside, 'objects in bags and decks')} {'is' if inside == 1 else 'are'} left out")


def _thing(raw: Mapping[str, Any], number: int) -> Thing | None:
    """Read one object; None if it has no place."""
    placed = raw.get("Transform")
    values = [_number(placed, key) for key in ("posX", "posY", "posZ", "rotX", "rotY", "rotZ")] if isinstance(placed, dict) else [None]
    x, rise, y, lean, turn, roll = values if None not in values else [None] * 6
    if x is None or y is None or rise is None or lean is None or turn is None or roll is None or max(map(abs, (x, y, rise))) > LENGTH:
        return None
    words = [plain(raw[key]) for key in ("Nickname", "Description", "GMNotes") if isinstance(raw.get(key), str)]
    name = name_in(words[0]) if isinstance(raw.get("Nickname"), str) else ""
    tilt = max(abs(_turned(lean)), abs(_turned(roll)))
    return Thing(
        name, "\n".join(filter(None, words)), x, y, rise, round((90.0 - turn) % 360.0, 2) % 360.0, tilt, _bounds(raw, turn), number
    )


def _number(table: Mapping[str, Any], key: str) -> float | None:
    """Give a number that is finite and not huge; angles that are left out are 0."""
    value = table.get(key, 0.0 if key.startswith("rot") else None)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < HUGE:
        return None
    return float(value)


def _turned(degrees: float) -> float:
    """Give the same turn between -180 and 180 degrees."""
    return (degrees + 180.0) % 360.0 - 180.0


def _bounds(raw: Mapping[str, Any], turn: float) -> Bounds | None:
    """Give the box around an object in its own frame: as it is told, or from that along the table's axes where it stands square to them."""
    own, along = _size(raw.get("BoundsNormalized")), _size(raw.get("Bounds"))
    quarters = round(turn / 90.0)
    if own is not None or along is None or abs(turn - 90.0 * quarters) > SQUARE:
        return own
    return along if quarters % 2 == 0 else (along[2], along[1], along[0])


def _size(bounds: Any) -> Bounds | None:
    size = bounds.get("size", bounds.get("Size")) if isinstance(bounds, dict) else None
    if not isinstance(size, dict):
        return None
    sides = [_number(size, key) for key in ("x", "y", "z")]
    width, height, depth = sides
    if width is None or height is None or depth is None or not (0 < width < LENGTH and 0 <= height < LENGTH and 0 < depth < LENGTH):
        return None
    return width, height, depth


def about(thing: Thing, middle: tuple[float, float]) -> tuple[float, float]:
    """Return where an object is as seen from a point, in inches."""
    return thing.x - middle[0], thing.y - middle[1]


def mean_facing(things: list[Thing]) -> float:
    """Return the mean direction in degrees in which objects look, from 0 to 360."""
    across = math.fsum(math.cos(math.radians(thing.facing_deg)) for thing in things)
    up = math.fsum(math.sin(math.radians(thing.facing_deg)) for thing in things)
    return round(math.degrees(math.atan2(up, across)) % 360.0, 2) % 360.0

"""The kinds of value a scenario file is made of, with their limits and how they are refused."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, Strict, WithJsonSchema

from tabletop.messages import say
from tabletop.scenario.limits import LENGTH, NAME_LENGTH, TEXT, TITLE, VERTICES
from tabletop.scenario.validation import Wanted, refusal
from tabletop.scenario.vocabulary import Entry
from tabletop.table.accuracy import MOST, MOST_TURN

_MM = r"(\d+(?:\.\d+)?)"

_RECTANGLE = re.compile(rf"{_MM}x{_MM}mm")

_ANY_BASE = re.compile(rf"{_MM}(?:x{_MM})?mm( round| oval)?")

_HEX = re.compile(r"\d{4}")

_FRACTION = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")

_ACCURACY = say('expected inches from 0 to {most:g}, such as 0.1 or "1/16", or a table such as {{ at = 0.1, facing_deg = 2 }}', most=MOST)

_LARGEST_BASE = 1000.0

_LEAST_AREA = 1e-9

Corner = tuple[float, float]


def rectangle_mm(base: str) -> tuple[float, float]:
    """Read a rectangular base such as "25x50mm": width along the front and depth, in millimetres."""
    match = _RECTANGLE.fullmatch(base)
    sizes = [float(number) for number in match.groups()] if match and len(base) <= NAME_LENGTH else [0.0, 0.0]
    if not all(0.0 < size <= _LARGEST_BASE for size in sizes):
        expected = say('expected a rectangular base in mm such as "25x50mm" (width along the front x depth, each up to 1000)')
        raise refusal("base", expected)
    return sizes[0], sizes[1]


def base_mm(base: str) -> tuple[Literal["round", "oval", "rectangle"], tuple[float, ...]]:
    """Read a base of any kind: "32mm round" (diameter), "75x42mm oval" (long axis x short axis) or "25x50mm", in millimetres."""
    match = _ANY_BASE.fullmatch(base) if len(base) <= NAME_LENGTH else None
    sizes = tuple(float(size) for size in match.groups()[:2] if size is not None) if match else ()
    kind = (match.group(3) or "").strip() if match else ""
    if len(sizes) != (1 if kind == "round" else 2) or not all(0.0 < size <= _LARGEST_BASE for size in sizes):
        expected = say('expected a base in mm such as "32mm round", "75x42mm oval" or "25x50mm", each size up to 1000')
        raise refusal("base", expected)
    if kind == "oval" and sizes[0] < sizes[1]:
        raise refusal("base", say("expected the long axis of an oval first, as in 75x42mm oval"))
    return ("round" if kind == "round" else "oval" if kind == "oval" else "rectangle"), sizes


def _any_base(base: str) -> str:
    base_mm(base)
    return base


def hex_of(number: str) -> tuple[int, int]:
    """Read a printed hex number such as "0507": column 5, row 7."""
    if not _HEX.fullmatch(number) or "00" in (number[:2], number[2:]) or not number.isascii():
        raise refusal("hex", say('expected a hex number of four digits such as "0507": column and row, from 01'))
    return int(number[:2]), int(number[2:])


def _hex_number(number: str) -> str:
    hex_of(number)
    return number


def _rectangular(base: str) -> str:
    rectangle_mm(base)
    return base


def _name(text: str) -> str:
    if not 1 <= len(text) <= NAME_LENGTH or not text.isprintable() or text != text.strip():
        raise refusal("name", say("expected a name of 1 to 60 printable characters without spaces around it"))
    return text


def _plain(text: str) -> str:
    if not all(char.isprintable() or char in "\n\t" for char in text):
        raise refusal("text", say("expected printable text"))
    return text


def _line(text: str) -> str:
    if not text.isprintable():
        raise refusal("text", say("expected printable text on one line"))
    return text


def _simple(ring: tuple[Corner, ...]) -> tuple[Corner, ...]:
    import shapely

    shape = shapely.Polygon(ring)
    if not shape.is_valid:
        reason = (
            shapely.is_valid_reason(shape)
            .replace("[", " at [")
            .replace("Ring Self", "Self")
            .replace("Self-intersection", "it crosses itself")
        )
        raise refusal("polygon", say("expected a polygon that does not cross or touch itself: {reason}", reason=reason))
    if shape.area <= _LEAST_AREA:
        raise refusal("polygon", say("expected a polygon with an area; its corners lie on one line"))
    return ring


Coordinate = Annotated[float, Field(ge=-LENGTH, le=LENGTH)]

Size = Annotated[float, Field(gt=0, le=LENGTH)]

Gap = Annotated[float, Field(ge=0, le=LENGTH)]

Degrees = Annotated[float, Field(ge=-3600, le=3600)]

Place = Annotated[tuple[Coordinate, Coordinate], Strict(strict=False), Wanted(say("a place such as [20, 10.5]"))]

Height = Annotated[float, Field(ge=0, le=LENGTH)]

Spot = Annotated[
    Place | Annotated[tuple[Coordinate, Coordinate, Height], Strict(strict=False)],
    Wanted(say("a place such as [20, 10.5], or [20, 10.5, 3] where it is not on the table")),
]

HexNumber = Annotated[
    str,
    AfterValidator(_hex_number),
    WithJsonSchema({"type": "string", "pattern": "^[0-9]{4}$", "examples": ["0507"]}),
    Wanted(say('a hex number such as "0507"')),
]

Name = Annotated[
    str,
    AfterValidator(_name),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LENGTH}),
    Wanted(say("a name in quotes")),
]

Title = Annotated[str, Field(max_length=TITLE), AfterValidator(_line)]

Text = Annotated[str, Field(max_length=TEXT), AfterValidator(_plain)]

RectangularBase = Annotated[
    str,
    AfterValidator(_rectangular),
    WithJsonSchema({"type": "string", "pattern": f"^{_RECTANGLE.pattern}$", "examples": ["25x50mm"]}),
    Wanted(say('a base such as "25x50mm"')),
]

AnyBase = Annotated[
    str,
    AfterValidator(_any_base),
    WithJsonSchema({"type": "string", "pattern": f"^{_ANY_BASE.pattern}$", "examples": ["32mm round", "75x42mm oval", "25x50mm"]}),
    Wanted(say('a base such as "32mm round", "75x42mm oval" or "25x50mm"')),
]

Ring = Annotated[
    tuple[Place, ...],
    Strict(strict=False),
    Field(min_length=3, max_length=VERTICES),
    AfterValidator(_simple),
    Wanted(say("a list of corners such as [[10, 10], [14, 10], [14, 13]]")),
]


def _of_fraction(value: Any) -> Any:
    """Read a fraction of an inch such as "1/16"; whatever else is given is left as it is."""
    if not isinstance(value, str):
        return value
    match = _FRACTION.fullmatch(value)
    if match is None or not int(match[2]):
        raise refusal("accuracy", _ACCURACY)
    return int(match[1]) / int(match[2])


class AccuracyEntry(Entry):
    """How well places were measured, and how well facings."""

    at: Annotated[float, Field(ge=0, le=MOST), BeforeValidator(_of_fraction)]
    """Inches by which a place may be off what is written: a number, or a fraction such as "1/16"."""
    facing_deg: Annotated[float, Field(ge=0, le=MOST_TURN)] | None = None
    """Degrees by which a facing may be off to either side. Left out: the angle by which the longer side of the body ends `at` inches
    off; 0 for discs.
    """


def _accuracy(value: Any) -> Any:
    """Take inches alone as an accuracy, too."""
    told = _of_fraction(value)
    if isinstance(told, (int, float)) and not isinstance(told, bool):
        if not 0 <= told <= MOST:
            raise refusal("accuracy", _ACCURACY)
        return {"at": told}
    if not isinstance(told, (Mapping, AccuracyEntry)):
        raise refusal("accuracy", _ACCURACY)
    return told


def _briefly(told: AccuracyEntry) -> Any:
    """Write an accuracy as it is mostly given: inches alone."""
    return told.at if told.facing_deg is None else {"at": told.at, "facing_deg": told.facing_deg}


_INCHES: list[dict[str, Any]] = [
    {"type": "number", "minimum": 0, "maximum": MOST},
    {"type": "string", "pattern": f"^{_FRACTION.pattern}$", "examples": ["1/16"]},
]

_ACCURACY_TABLE = {
    "type": "object",
    "properties": {"at": {"anyOf": _INCHES}, "facing_deg": {"type": "number", "minimum": 0, "maximum": MOST_TURN}},
    "required": ["at"],
    "additionalProperties": False,
}

Measure = Annotated[
    AccuracyEntry,
    BeforeValidator(_accuracy),
    PlainSerializer(_briefly),
    WithJsonSchema({"anyOf": [*_INCHES, _ACCURACY_TABLE], "examples": [0.1]}),
]

"""The kinds of value a scenario file is made of, with their limits and how they are refused."""

import re
from typing import Annotated

from pydantic import AfterValidator, Field, Strict, WithJsonSchema
from pydantic_core import PydanticCustomError

from tabletop.scenario.limits import LENGTH, NAME, TEXT, TITLE, VERTICES

_RECTANGLE = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)mm")
_LARGEST_BASE = 1000.0
_LEAST_AREA = 1e-9
Corner = tuple[float, float]


def rectangle_mm(base: str) -> tuple[float, float]:
    """Read a rectangular base such as "25x50mm": width along the front and depth, in millimetres."""
    match = _RECTANGLE.fullmatch(base)
    sizes = [float(number) for number in match.groups()] if match and len(base) <= NAME else [0.0, 0.0]
    if not all(0.0 < size <= _LARGEST_BASE for size in sizes):
        expected = 'expected a rectangular base in mm such as "25x50mm" (width along the front x depth, each up to 1000)'
        raise PydanticCustomError("base", expected)
    return sizes[0], sizes[1]


def _rectangular(base: str) -> str:
    rectangle_mm(base)
    return base


def _name(text: str) -> str:
    if not 1 <= len(text) <= NAME or not text.isprintable() or text != text.strip():
        raise PydanticCustomError("name", "expected a name of 1 to 60 printable characters without spaces around it")
    return text


def _plain(text: str) -> str:
    if not all(char.isprintable() or char in "\n\t" for char in text):
        raise PydanticCustomError("text", "expected printable text")
    return text


def _line(text: str) -> str:
    if not text.isprintable():
        raise PydanticCustomError("text", "expected printable text on one line")
    return text


def _simple(ring: tuple[Corner, ...]) -> tuple[Corner, ...]:
    import shapely

    shape = shapely.Polygon(ring)
    if not shape.is_valid:
        reason = shapely.is_valid_reason(shape).replace("[", " at [").replace("Self-intersection", "it crosses itself")
        raise PydanticCustomError("polygon", "expected a polygon that does not cross or touch itself: {reason}", {"reason": reason})
    if shape.area <= _LEAST_AREA:
        raise PydanticCustomError("polygon", "expected a polygon with an area; its corners lie on one line")
    return ring


Coordinate = Annotated[float, Field(ge=-LENGTH, le=LENGTH)]
Size = Annotated[float, Field(gt=0, le=LENGTH)]
Degrees = Annotated[float, Field(ge=-3600, le=3600)]
Place = Annotated[tuple[Coordinate, Coordinate], Strict(strict=False)]
Name = Annotated[str, AfterValidator(_name), WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME})]
Title = Annotated[str, Field(max_length=TITLE), AfterValidator(_line)]
Text = Annotated[str, Field(max_length=TEXT), AfterValidator(_plain)]
RectangularBase = Annotated[
    str, AfterValidator(_rectangular), WithJsonSchema({"type": "string", "pattern": f"^{_RECTANGLE.pattern}$", "examples": ["25x50mm"]})
]
Ring = Annotated[tuple[Place, ...], Strict(strict=False), Field(min_length=3, max_length=VERTICES), AfterValidator(_simple)]

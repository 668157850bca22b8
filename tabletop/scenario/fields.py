"""Types of values in scenario files, with their limits and error messages, and tables shared by all kinds of units."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    Strict,
    Tag,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic_core import PydanticKnownError

from tabletop.messages import say
from tabletop.scenario.bases import LARGEST, PATTERN, base_text, is_number
from tabletop.scenario.limits import LENGTH, MAX_MODELS, MAX_TEXT, NAME_LENGTH, TITLE, VERTICES
from tabletop.scenario.validation import Expected, refusal
from tabletop.scenario.vocabulary import Entry, ListOf, Member
from tabletop.table.accuracy import MOST, MOST_TURN

_HEX = re.compile(r"\d{4}")

_FRACTION = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")

_ACCURACY = say(
    'expected inches from 0 to {most:g}, such as 0.1 or "1/16", or a table such as {{ at = 0.1, facing_deg = 2 }}',
    most=MOST,
)

_LEAST_AREA = 1e-9

Corner = tuple[float, float]


def hex_of(number: str) -> tuple[int, int]:
    """Return (column, row) of a printed hex number such as "0507".

    Raises
    ------
    PydanticCustomError
        If the text is no such number.
    """
    if not _HEX.fullmatch(number) or "00" in (number[:2], number[2:]) or not number.isascii():
        raise refusal(
            "hex",
            say('expected a hex number of four digits such as "0507": column and row, from 01'),
        )
    return int(number[:2]), int(number[2:])


def _hex_number(number: str) -> str:
    hex_of(number)
    return number


def _name(text: str) -> str:
    if not 1 <= len(text) <= NAME_LENGTH or not text.isprintable() or text != text.strip():
        raise refusal(
            "name", say("expected a name of 1 to 60 printable characters without spaces around it")
        )
    return text


def _plain(text: str) -> str:
    if not text.replace("\n", "").replace("\t", "").isprintable():
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
        raise refusal(
            "polygon",
            say("expected a polygon that does not cross or touch itself: {reason}", reason=reason),
        )
    if shape.area <= _LEAST_AREA:
        raise refusal(
            "polygon", say("expected a polygon with an area; its corners lie on one line")
        )
    return ring


Coordinate = Annotated[float, Field(ge=-LENGTH, le=LENGTH)]

Size = Annotated[float, Field(gt=0, le=LENGTH)]

Gap = Annotated[float, Field(ge=0, le=LENGTH)]

Degrees = Annotated[float, Field(ge=-3600, le=3600)]

Place = Annotated[
    tuple[Coordinate, Coordinate], Strict(strict=False), Expected(say("a place such as [20, 10.5]"))
]

Height = Annotated[float, Field(ge=0, le=LENGTH)]

Spot = Annotated[
    Annotated[Place, Tag("two")]
    | Annotated[tuple[Coordinate, Coordinate, Height], Strict(strict=False), Tag("three")],
    Discriminator(
        lambda value: (
            "three" if isinstance(value, (list, tuple)) and len(value) > len("xy") else "two"
        )
    ),
    Expected(say("a place such as [20, 10.5], or [20, 10.5, 3] where it is not on the table")),
]

HexNumber = Annotated[
    str,
    AfterValidator(_hex_number),
    WithJsonSchema({"type": "string", "pattern": "^[0-9]{4}$", "examples": ["0507"]}),
    Expected(say('a hex number such as "0507"')),
]

Name = Annotated[
    str,
    AfterValidator(_name),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": NAME_LENGTH}),
    Expected(say("a name in quotes")),
]

Title = Annotated[str, Field(max_length=TITLE), AfterValidator(_line)]

Text = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_plain)]


def _base_schema(*examples: str) -> WithJsonSchema:
    number = {"type": "number", "exclusiveMinimum": 0, "maximum": LARGEST}
    return WithJsonSchema(
        {
            "anyOf": [{"type": "string", "pattern": f"^{PATTERN}$"}, number],
            "examples": list(examples),
        }
    )


RectangularBase = Annotated[
    str,
    BeforeValidator(partial(base_text, is_loose=False)),
    _base_schema("25x50mm"),
    Expected(say('a base such as "25x50mm"')),
]

AnyBase = Annotated[
    str,
    BeforeValidator(partial(base_text, is_loose=True)),
    _base_schema("32mm round", "75x42mm oval", "25x50mm rectangle"),
    Expected(say('a base such as "32mm round", "75x42mm oval" or "25x50mm rectangle"')),
]

NonEmptyList = Annotated[ListOf[Member], Field(min_length=1, max_length=MAX_MODELS)]
"""Type of a key that holds a list of one entry or more."""

Ring = Annotated[
    ListOf[Place],
    Field(min_length=3, max_length=VERTICES),
    AfterValidator(_simple),
    Expected(say("a list of corners such as [[10, 10], [14, 10], [14, 13]]")),
]


def _of_fraction(value: Any) -> Any:
    """Return the number of inches that a text such as "1/16" stands for; other values unchanged.

    Raises
    ------
    PydanticCustomError
        If it is a text of another form.
    """
    if not isinstance(value, str):
        return value
    match = _FRACTION.fullmatch(value)
    if match is None or not int(match[2]):
        raise refusal("accuracy", _ACCURACY)
    return int(match[1]) / int(match[2])


class AccuracyEntry(Entry):
    """The table of the accuracy of measured places and facings in a scenario file."""

    at: Annotated[float, Field(ge=0, le=MOST), BeforeValidator(_of_fraction)]
    """Inches by which a place may be off what is written: a number, or a fraction such as "1/16"."""
    facing_deg: Annotated[float, Field(ge=0, le=MOST_TURN)] | None = None
    """Degrees by which a facing may be off to either side. Left out: the angle by which the longer side of the body
    ends `at` inches off; 0 for discs.
    """


def _accuracy(value: Any) -> Any:
    """Return an accuracy as a table: one given in inches only becomes {"at": inches}.

    Raises
    ------
    PydanticCustomError
        If it is neither a table nor inches from 0 to `MOST`.
    """
    told = _of_fraction(value)
    if is_number(told):
        if not 0 <= told <= MOST:
            raise refusal("accuracy", _ACCURACY)
        return {"at": told}
    if not isinstance(told, (Mapping, AccuracyEntry)):
        raise refusal("accuracy", _ACCURACY)
    return told


def _briefly(told: AccuracyEntry) -> Any:
    """Return an accuracy in the form that files use: a number of inches, or a table if it has an accuracy of
    facings.
    """
    return told.at if told.facing_deg is None else {"at": told.at, "facing_deg": told.facing_deg}


_INCHES: list[dict[str, Any]] = [
    {"type": "number", "minimum": 0, "maximum": MOST},
    {"type": "string", "pattern": f"^{_FRACTION.pattern}$", "examples": ["1/16"]},
]

_ACCURACY_TABLE = {
    "type": "object",
    "properties": {
        "at": {"anyOf": _INCHES},
        "facing_deg": {"type": "number", "minimum": 0, "maximum": MOST_TURN},
    },
    "required": ["at"],
    "additionalProperties": False,
}

Measure = Annotated[
    AccuracyEntry,
    BeforeValidator(_accuracy),
    PlainSerializer(_briefly),
    WithJsonSchema({"anyOf": [*_INCHES, _ACCURACY_TABLE], "examples": [0.1]}),
]

# Tables that units of every kind share.


class BoardEntry(Entry):
    """A board in inches, with its lower left corner at the origin."""

    width: Size
    """Inches from the left edge of the board to the right."""
    depth: Size
    """Inches from the lower edge of the board to the upper."""


class FlushOn(Entry):
    """A front that lies flush on a facing of another unit."""

    unit: Annotated[Name, Field(examples=["B"])]
    """Name of the other unit."""
    facing: Literal["front", "left", "right", "rear"] = "front"
    """The facing of the other unit on which the front lies."""
    offset: Coordinate = 0.0
    """Inches from the middle of the facing to the middle of the front, positive towards the other unit's right as that
    facing looks."""


class Beside(Entry):
    """A unit beside another one, with the same facing and fronts level."""

    unit: Annotated[Name, Field(examples=["B"])]
    """Name of the other unit."""
    side: Literal["left", "right"]
    """The side of the other unit, as it looks."""
    gap: Gap = 0.0
    """Inches between the two units."""
    shift: Coordinate = 0.0
    """Inches by which the front stands ahead of the other's; negative: behind it."""


class AheadOf(Entry):
    """A unit in front of another one."""

    unit: Annotated[Name, Field(examples=["B"])]
    """Name of the other unit."""
    gap: Gap
    """Inches from the other's front to the unit's front, or to its rear where it looks the same way."""
    shift: Coordinate = 0.0
    """Inches from the middle of the other's front to the middle of the unit's, positive towards the other unit's
    right."""
    facing: Literal["towards", "same"] = "towards"
    """Where the unit looks: "towards": at the other's front; "same": as the other does."""


FRONTS = ("flush_on", "beside", "ahead_of")
"""Keys that place a front relative to another unit."""


class PlaceEntry(Entry):
    """A regiment's place: middle of the front edge and facing, or its relation to another unit."""

    flush_on: FlushOn | None = None
    """In place of `at` and `facing_deg`: the unit's front lies flush on a facing of another unit."""
    beside: Beside | None = None
    """In place of `at` and `facing_deg`: the unit stands beside another, and looks as it does."""
    ahead_of: AheadOf | None = None
    """In place of `at` and `facing_deg`: the unit stands before the front of another."""
    at: Place | None = Field(default=None, validate_default=True)
    """Middle of the unit's front edge: [x, y] in inches from the lower left corner of the board. Needed, unless the
    unit is placed relative to another: `flush_on`, `beside` or `ahead_of`.
    """
    facing_deg: Degrees | None = Field(default=None, validate_default=True)
    """Direction in which the unit looks, in degrees counter-clockwise from +x; 90 looks up the board. Needed beside
    `at`."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the JSON Schema, which requires a place or one relation."""
        schema = super().__get_pydantic_json_schema__(core_schema, handler)
        handler.resolve_ref_schema(schema)["oneOf"] = [
            {"required": keys} for keys in (["at", "facing_deg"], *([key] for key in FRONTS))
        ]
        return schema

    @field_validator("beside", "ahead_of")
    @classmethod
    def _is_the_only_one(cls, relation: Entry | None, info: ValidationInfo) -> Entry | None:
        others = [key for key in FRONTS if info.data.get(key) is not None]
        return relation if relation is None else refuse_second(others, relation)

    @field_validator("at", "facing_deg")
    @classmethod
    def _is_needed(cls, value: Any, info: ValidationInfo) -> Any:
        given = [key for key in FRONTS if info.data.get(key) is not None]
        if value is not None:
            return refuse_second(given, value)
        if not given and all(key in info.data for key in FRONTS):
            raise PydanticKnownError("missing")
        return value


def refuse_second(relations: Sequence[str], value: Any) -> Any:
    """Return `value`, the value of a key that gives a place, unless a key in `relations` gives the place already.

    Raises
    ------
    PydanticCustomError
        If there is such a relation.
    """
    if relations:
        raise refusal(
            "relation", say("{key} already gives this; leave out one of the two", key=relations[0])
        )
    return value


class UnitEntry(Entry):
    """Keys of every unit; systems narrow `profile` and `status`."""

    side: Name
    """Whose unit it is: units of one side are friends, all others are enemies."""
    status: tuple[str, ...] = ()
    """What has happened to the unit this turn, in words of the system."""
    accuracy: Measure | None = None
    """Accuracy of the unit's place, instead of the file's `accuracy`; 0: exactly as written. Of a unit placed relative
    to another it is the accuracy of the numbers of that relation: the unit moves with the other, and what `gap = 0`,
    `touching` and `flush_on` say is exact.
    """
    profile: Any = None
    """The unit's statistics that matter to a charge."""


class ExpectedUnit(Entry):
    """The values that a scenario file expects of a unit after the charges: its status, and any part of its place."""

    status: ListOf[str] | None = None
    """All status words that the unit should have after the charges, in any order."""


class CircleEntry(Entry):
    """A round piece of terrain."""

    centre: Place
    """Middle of the circle: [x, y] in inches from the lower left corner of the board."""
    radius: Size
    """Inches from the middle of the circle to its edge."""


class RectangleEntry(Entry):
    """A rectangular piece of terrain: `width` along `angle_deg`, `depth` perpendicular to it."""

    centre: Place
    """Middle of the rectangle: [x, y] in inches from the lower left corner of the board."""
    width: Size
    """Inches along the direction `angle_deg`."""
    depth: Size
    """Inches square to the direction `angle_deg`."""
    angle_deg: Degrees = 0.0
    """Direction in which `width` is measured, in degrees counter-clockwise from +x."""


class PieceEntry(Entry):
    """Keys of every piece of terrain; systems narrow `kind`."""

    name: Name | None = None
    """Name of the piece, which no unit and no other piece has. Left out: its kind and its number among the pieces of
    that kind, such as "hill 2".
    """
    kind: str = Field(min_length=1)
    """What the piece is, in a word of the system: it decides whom the piece hinders, and how."""
    accuracy: Measure | None = None
    """How well the place of the piece was measured, in place of the file's `accuracy`; 0: it lies just as written."""


def implied_names(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the names of pieces of terrain that have none in the file: the kind and its number among the pieces of
    that kind.

    Examples
    --------
    >>> implied_names(["hill", "light_woods", "hill"])
    ('hill 1', 'light woods 1', 'hill 2')
    """
    counts: Counter[str] = Counter()
    names: list[str] = []
    for kind in kinds:
        counts[kind] += 1
        names.append(f"{kind.replace('_', ' ')} {counts[kind]}")
    return tuple(names)


def names_of(pieces: Sequence[PieceEntry]) -> tuple[str, ...]:
    """Return the name of each piece of terrain, in file order: the given one, or the one implied by its kind and
    number.
    """
    return tuple(
        piece.name or name
        for piece, name in zip(pieces, implied_names(piece.kind for piece in pieces), strict=True)
    )

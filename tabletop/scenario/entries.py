"""Tables of the file that units of every kind share."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler, Strict, ValidationInfo, field_validator
from pydantic_core import PydanticKnownError

from tabletop.messages import say
from tabletop.scenario.fields import Coordinate, Degrees, Gap, Measure, Name, Place, Size
from tabletop.scenario.validation import refusal
from tabletop.scenario.vocabulary import Entry


class BoardEntry(Entry):
    """A board in inches, its lower-left corner at the origin."""

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
    """Inches from the middle of the facing to the middle of the front, positive towards the other unit's right as that facing looks."""


class Beside(Entry):
    """A unit that stands beside another, looks as it does, and has its front level with the other's."""

    unit: Annotated[Name, Field(examples=["B"])]
    """Name of the other unit."""
    side: Literal["left", "right"]
    """The side of the other unit, as it looks."""
    gap: Gap = 0.0
    """Inches between the two units."""
    shift: Coordinate = 0.0
    """Inches by which the front stands ahead of the other's; negative: behind it."""


class AheadOf(Entry):
    """A unit that stands before the front of another."""

    unit: Annotated[Name, Field(examples=["B"])]
    """Name of the other unit."""
    gap: Gap
    """Inches from the other's front to the unit's front, or to its rear where it looks the same way."""
    shift: Coordinate = 0.0
    """Inches from the middle of the other's front to the middle of the unit's, positive towards the other unit's right."""
    facing: Literal["towards", "same"] = "towards"
    """Where the unit looks: "towards": at the other's front; "same": as the other does."""


FRONTS = ("flush_on", "beside", "ahead_of")
"""Keys that say where a front stands by another unit."""


class PlaceEntry(Entry):
    """Where a regiment stands: the middle of its front edge, and its facing; or how it stands to another."""

    flush_on: FlushOn | None = None
    """In place of `at` and `facing_deg`: the unit's front lies flush on a facing of another unit."""
    beside: Beside | None = None
    """In place of `at` and `facing_deg`: the unit stands beside another, and looks as it does."""
    ahead_of: AheadOf | None = None
    """In place of `at` and `facing_deg`: the unit stands before the front of another."""
    at: Place | None = Field(default=None, validate_default=True)
    """Middle of the unit's front edge: [x, y] in inches from the lower left corner of the board. Needed, unless the unit stands by
    another: `flush_on`, `beside` or `ahead_of`.
    """
    facing_deg: Degrees | None = Field(default=None, validate_default=True)
    """Direction in which the unit looks, in degrees counter-clockwise from +x; 90 looks up the board. Needed beside `at`."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Give the JSON Schema, in which a place or one relation is needed."""
        schema = super().__get_pydantic_json_schema__(core_schema, handler)
        handler.resolve_ref_schema(schema)["oneOf"] = [{"required": keys} for keys in (["at", "facing_deg"], *([key] for key in FRONTS))]
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
    """Return a value that says where something stands, if no relation that says so already is among the keys given.

    Raises
    ------
    PydanticCustomError
        If there is one.
    """
    if relations:
        raise refusal("relation", say("{key} says this already; leave out one of the two", key=relations[0]))
    return value


class UnitEntry(Entry):
    """What every unit has; `profile` and `status` are narrowed to the system's."""

    side: Name
    """Whose unit it is: units of one side are friends, all others are enemies."""
    status: tuple[str, ...] = ()
    """What has happened to the unit this turn, in words of the system."""
    accuracy: Measure | None = None
    """How well the unit's place was measured, in place of the file's `accuracy`; 0: it stands just as written. One that stands by others
    has none: it goes with them.
    """
    profile: Any = None
    """The unit's statistics that matter to a charge."""


class ExpectedUnit(Entry):
    """What is expected of a unit at the end: its status, and any part of its place."""

    status: Annotated[tuple[str, ...], Strict(strict=False)] | None = None
    """All status words that the unit should have after the charges, in any order."""


class CircleEntry(Entry):
    """A round piece of terrain."""

    centre: Place
    """Middle of the circle: [x, y] in inches from the lower left corner of the board."""
    radius: Size
    """Inches from the middle of the circle to its edge."""


class RectangleEntry(Entry):
    """A rectangular piece of terrain: `width` along the direction `angle_deg`, `depth` square to it."""

    centre: Place
    """Middle of the rectangle: [x, y] in inches from the lower left corner of the board."""
    width: Size
    """Inches along the direction `angle_deg`."""
    depth: Size
    """Inches square to the direction `angle_deg`."""
    angle_deg: Degrees = 0.0
    """Direction in which `width` is measured, in degrees counter-clockwise from +x."""


class PieceEntry(Entry):
    """What every piece of terrain has; `kind` is narrowed to the system's words."""

    name: Name | None = None
    """Name of the piece, which no unit and no other piece has. Left out: its kind and its number among the pieces of that kind, such as
    "hill 2".
    """
    kind: str = Field(min_length=1)
    """What the piece is, in a word of the system: it decides whom the piece hinders, and how."""
    accuracy: Measure | None = None
    """How well the place of the piece was measured, in place of the file's `accuracy`; 0: it lies just as written."""


def implied_names(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return what pieces of terrain are called where they have no names: kind, and number among all pieces of that kind.

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
    """Return what pieces of terrain are called, by their own names or by those implied."""
    return tuple(piece.name or name for piece, name in zip(pieces, implied_names(piece.kind for piece in pieces), strict=True))

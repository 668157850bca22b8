"""Placements of units in scenario files: their pydantic models, and conversion to values and back.

There are four formats: `REGIMENT`, `STANDS`, `LOOSE` and `HEX`; `placement_format` returns that of a system.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Strict,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticKnownError

from tabletop.errors import Fault, ScenarioError
from tabletop.geometry.pose import Pose
from tabletop.messages import key_path, listed, say
from tabletop.scenario.bases import base_of, text_of_inches
from tabletop.scenario.fields import (
    FRONTS,
    AnyBase,
    BoardEntry,
    Corner,
    Degrees,
    ExpectedUnit,
    Gap,
    Height,
    HexNumber,
    Name,
    NonEmptyList,
    Place,
    PlaceEntry,
    RectangularBase,
    Ring,
    Spot,
    UnitEntry,
    hex_of,
    refuse_second,
)
from tabletop.scenario.limits import MAX_MODELS
from tabletop.scenario.validation import Expected, refusal
from tabletop.scenario.vocabulary import Entry, ListOf, Vocabulary
from tabletop.table.hexes import HEX_FACINGS, HexFacing, hex_board, number, side_at
from tabletop.table.models import BaseShape, Formation, Hull, Model, OvalBase, RoundBase, Squad
from tabletop.table.state import Base, Board, HexUnit, Regiment, Unit
from tabletop.units import facing_degrees


@dataclass(frozen=True)
class PlacementFormat:
    """A way in which a file gives the places of units: the pydantic models of its tables, and conversions to values and
    back.

    Attributes
    ----------
    board, unit, place, expected
        Models of `[board]`, of a unit, of a unit in `[proposal]` and in `[[expect]]`.
    is_mine, place_types
        Predicate for units of this format, and the types of their places and of their models' places.
    read, read_place
        Functions that return a unit from (name, entry, board), and a place from (entry, unit, board).
    written, written_place
        Functions that return, as keys of a file, the placement of a unit, and a place or a single pose; both also get
        the board.
    models
        Function that returns the number of models in a unit's entry.
    """

    board: type[Entry]
    unit: type[UnitEntry]
    place: type[Entry]
    expected: type[ExpectedUnit]
    is_mine: Callable[[Any], bool]
    place_types: tuple[type[Any], ...]
    read: Callable[[str, Any, Board], Unit]
    read_place: Callable[[Any, Any, Board], Any]
    written: Callable[[Any, Board], dict[str, Any]]
    written_place: Callable[[Any, Board], dict[str, Any]]
    models: Callable[[Any], int]


def placement_formats(words: Vocabulary) -> tuple[PlacementFormat, ...]:
    """Return the placement formats of a system's units, in the order of its vocabulary."""
    return tuple(PLACEMENT_FORMATS[way] for way in words.placements)


def placement_format(words: Vocabulary) -> PlacementFormat:
    """Return the placement format of a system; if it has several, one that delegates to the format of each unit."""
    first, *more = placement_formats(words)
    return _combined_format((first, *more)) if more else first


def intended_placement(entry: Any, ways: Sequence[str]) -> str:
    """Return the name of the format in `ways` that the keys of a unit's or place's table suggest; by default the
    first.
    """
    told: Mapping[str, Any] = entry if isinstance(entry, Mapping) else {}
    at = told.get("at")
    base = told.get("base")
    has_places = isinstance(at, list) and bool(at) and isinstance(at[0], list)
    has_round_base = isinstance(base, str) and not {"round", "oval"}.isdisjoint(
        base.casefold().split()
    )
    is_loose = (
        has_places
        or has_round_base
        or isinstance(told.get("models"), list)
        or not told.keys().isdisjoint(("hull", "order"))
    )
    is_in_ranks = not told.keys().isdisjoint(("files", "stands", *FRONTS))
    way = "loose" if is_loose and not is_in_ranks else "stands" if "stands" in told else "regiment"
    return way if way in ways else ways[0]


def _combined_format(ways: Sequence[PlacementFormat]) -> PlacementFormat:
    """Return a format that delegates to one of several, chosen by the type of the unit, entry or place."""

    def read(name: str, entry: Any, board: Board) -> Unit:
        """Return the unit of an entry, read by the format whose entry it is."""
        return _first(ways, lambda way: isinstance(entry, way.unit)).read(name, entry, board)

    def read_place(entry: Any, unit: Any, board: Board) -> Any:
        """Return the place of an entry, read by the format whose entry it is."""
        return _first(ways, lambda way: isinstance(entry, way.place)).read_place(entry, unit, board)

    def written(unit: Any, board: Board) -> dict[str, Any]:
        """Return the placement of a unit as keys of a file, by the format of the unit."""
        return _first(ways, lambda way: way.is_mine(unit)).written(unit, board)

    def written_place(place: Any, board: Board) -> dict[str, Any]:
        """Return a place as keys of a file, by the format of the place."""
        return _first(ways, lambda way: isinstance(place, way.place_types)).written_place(
            place, board
        )

    return PlacementFormat(
        board=ways[0].board,
        unit=UnitEntry,
        place=Entry,
        expected=ExpectedUnit,
        is_mine=lambda unit: any(way.is_mine(unit) for way in ways),
        place_types=tuple(kind for way in ways for kind in way.place_types),
        read=read,
        read_place=read_place,
        written=written,
        written_place=written_place,
        models=lambda entry: _first(ways, lambda way: isinstance(entry, way.unit)).models(entry),
    )


def _first(
    ways: Sequence[PlacementFormat], is_it: Callable[[PlacementFormat], bool]
) -> PlacementFormat:
    return next(way for way in ways if is_it(way))


def pose_of(entry: PlaceEntry) -> Pose:
    """Return the pose, in inches and radians, of a place given by coordinates and degrees."""
    return Pose(
        *cast("tuple[float, float]", entry.at), math.radians(cast("float", entry.facing_deg))
    )


def pose_entry(pose: Pose) -> dict[str, Any]:
    """Return a pose as keys of a file: `at` in inches, `facing_deg` in degrees."""
    return {"at": [pose.x + 0.0, pose.y + 0.0], "facing_deg": facing_degrees(pose.heading)}


# Regiments: units in ranks and files, of models or of stands.

Count = Annotated[int, Field(ge=1, le=MAX_MODELS)]


class RegimentEntry(UnitEntry, PlaceEntry):
    """The table of a unit of models in ranks and files, in a scenario file."""

    files: Count
    """Number of models side by side in a full rank."""
    models: Count
    """Number of models in all; the last rank may be incomplete."""
    base: RectangularBase
    """Base of each model in millimetres: width along the front, then depth, such as "25x50mm"; of a square one length,
    such as 20."""

    @field_validator("models")
    @classmethod
    def _fills_a_rank(cls, models: int, info: ValidationInfo) -> int:
        return _filled(models, info)


class StandsEntry(UnitEntry, PlaceEntry):
    """The table of a unit of stands (bases of several models) in ranks and files, in a scenario file."""

    files: Count
    """Number of stands side by side in a full rank."""
    stands: Count
    """Number of stands in all; the last rank may be incomplete."""
    base: RectangularBase
    """Base of each stand in millimetres: width along the front, then depth, such as "50.8x50.8mm"; of a square one
    length, such as 54."""

    @field_validator("stands")
    @classmethod
    def _fills_a_rank(cls, stands: int, info: ValidationInfo) -> int:
        return _filled(stands, info)


def _filled(count: int, info: ValidationInfo) -> int:
    files = info.data.get("files", 1)
    if count < files:
        raise refusal(
            "files",
            say(
                "{key} must be at least as large as files ({files})",
                key=str(info.field_name),
                files=files,
            ),
        )
    return count


class ExpectedRegiment(ExpectedUnit):
    """Expected values of a regiment, each optional."""

    at: Place | None = None
    """Where the middle of the front edge should be: [x, y] in inches from the lower left corner of the board."""
    facing_deg: Degrees | None = None
    """Direction in which the unit should look, in degrees counter-clockwise from +x."""
    files: int | None = None
    """Number of models that should stand side by side in a full rank."""
    models: int | None = None
    """Number of models that the unit should have."""
    base: RectangularBase | None = None
    """Base that each model should have, in millimetres."""


class ExpectedStands(ExpectedUnit):
    """Expected values of a regiment of stands, each optional."""

    at: Place | None = None
    """Where the middle of the front edge should be: [x, y] in inches from the lower left corner of the board."""
    facing_deg: Degrees | None = None
    """Direction in which the regiment should look, in degrees counter-clockwise from +x."""
    files: int | None = None
    """Number of stands that should stand side by side in a full rank."""
    stands: int | None = None
    """Number of stands that the regiment should have."""
    base: RectangularBase | None = None
    """Base that each stand should have, in millimetres."""


def _in_ranks(unit: type[UnitEntry], expected: type[ExpectedUnit], counted: str) -> PlacementFormat:
    """Return the placement format of units in ranks and files, whose key `counted` ("models" or "stands") holds their
    number.
    """

    def read(name: str, entry: Any, board: Board) -> Regiment:
        """Return the regiment of an entry."""
        del board
        return Regiment(
            name=name,
            side=entry.side,
            pose=pose_of(entry),
            files=entry.files,
            models=getattr(entry, counted),
            base=Base(*base_of(entry.base).inches),
            rear_rank="left" if counted == "models" else "centre",
            halves_files=counted == "stands",
            profile=entry.profile,
            status=entry.status,
        )

    def written(regiment: Any, board: Board) -> dict[str, Any]:
        """Return the placement of a regiment as keys of a file."""
        del board
        unit: Regiment = regiment
        base = text_of_inches(unit.base.width, unit.base.depth)
        return {**pose_entry(unit.pose), "files": unit.files, counted: unit.models, "base": base}

    return PlacementFormat(
        board=BoardEntry,
        unit=unit,
        place=PlaceEntry,
        expected=expected,
        is_mine=lambda unit: (
            isinstance(unit, Regiment) and unit.halves_files == (counted == "stands")
        ),
        place_types=(Pose,),
        read=read,
        read_place=lambda entry, *_: pose_of(entry),
        written=written,
        written_place=lambda pose, _: pose_entry(cast("Pose", pose)),
        models=lambda entry: int(getattr(entry, counted)),
    )


REGIMENT = _in_ranks(RegimentEntry, ExpectedRegiment, "models")

STANDS = _in_ranks(StandsEntry, ExpectedStands, "stands")

# Hex boards: one model in a hex.

HexCount = Annotated[int, Field(ge=1, le=99)]


class HexBoardEntry(Entry):
    """A board of flat-top hexes."""

    columns: HexCount
    """Number of columns of hexes, counted from the left."""
    rows: HexCount
    """Number of hexes in each column, counted from the top; even columns lie half a hex lower."""
    hex_inches: Annotated[float, Field(gt=0, le=100)] = 1.25
    """Size of a hex in inches, from one of its flat sides to the opposite one."""


class HexPlaceEntry(Entry):
    """A hex and the side of it that the unit faces."""

    hex: HexNumber
    """Hex in which the unit stands, by its printed number: two digits for the column and two for the row, such as
    "0507"."""
    facing: HexFacing
    """Side of the hex that the unit's feet look at: "N" is up the board, then clockwise "NE", "SE", "S", "SW" and
    "NW"."""


class HexUnitEntry(UnitEntry, HexPlaceEntry):
    """The table of a unit of one model on a hex, in a scenario file."""


class ExpectedHexUnit(ExpectedUnit):
    """Expected values of a model in a hex, each optional."""

    hex: HexNumber | None = None
    """Number of the hex in which the unit should stand."""
    facing: HexFacing | None = None
    """Side of the hex that the unit should look at."""


def _read_hex(name: str, entry: Any, board: Board) -> HexUnit:
    return HexUnit(name, entry.side, _hex_pose(entry, board), entry.profile, entry.status)


def _hex_pose(entry: Any, board: Board) -> Pose:
    return hex_board(board).pose(hex_of(entry.hex), HEX_FACINGS.index(entry.facing))


def _written_hex(unit: Any, board: Board) -> dict[str, Any]:
    return _written_hex_place(unit.pose, board)


def _written_hex_place(pose: Any, board: Board) -> dict[str, Any]:
    return {
        "hex": number(hex_board(board).hex_at(pose.at)),
        "facing": HEX_FACINGS[side_at(pose.heading)],
    }


HEX = PlacementFormat(
    board=HexBoardEntry,
    unit=HexUnitEntry,
    place=HexPlaceEntry,
    expected=ExpectedHexUnit,
    is_mine=lambda unit: isinstance(unit, HexUnit),
    place_types=(Pose,),
    read=_read_hex,
    read_place=lambda entry, _, board: _hex_pose(entry, board),
    written=_written_hex,
    written_place=_written_hex_place,
    models=lambda _: 1,
)

# Loose models: one place for each, all on one kind of base or each on its own.

ONE_OR_LIST = Discriminator(lambda value: "list" if isinstance(value, (list, tuple)) else "one")
"""Discriminator between a single value and a list."""

Facings = Annotated[
    Annotated[Degrees, Tag("one")] | Annotated[NonEmptyList[Degrees], Tag("list")],
    ONE_OR_LIST,
    Expected(say("degrees, one number or one per model")),
]


def _flat_spots(spots: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
    """Return places with heights of 0 left out, so that equal places are written alike."""
    return tuple(spot[:2] if spot[2:] == (0.0,) else spot for spot in spots)


Spots = Annotated[
    NonEmptyList[Spot],
    AfterValidator(_flat_spots),
    Expected(say("a list of places, one per model, such as [[20, 10.5], [21.5, 10.5]]")),
]

Touched = Annotated[
    Annotated[str, Tag("one")] | Annotated[tuple[str, str], Strict(strict=False), Tag("list")],
    ONE_OR_LIST,
    Field(examples=["B.0"]),
    Expected(say('a model, such as "B.0", or two, such as ["B.0", "B.1"]')),
]

BY = {
    "touching": frozenset({"bearing_deg"}),
    "touching two": frozenset({"side"}),
    "near": frozenset({"gap", "bearing_deg"}),
    "at": frozenset[str](),
}
"""Keys that each way of placing a model requires; no other way accepts them."""

_RELATIONS = {
    "touching": say("touching of one model"),
    "touching two": say("touching of two models"),
    "near": "near",
}


class StandingEntry(Entry):
    """The keys of a model's place in a scenario file: coordinates, or its relation to other models."""

    touching: Touched | None = None
    """In place of `at`: the model touches another, called by its unit and its number, counted from 0, as in "B.0"; or
    two, as in ["B.0", "B.1"].
    """
    near: Annotated[str, Field(examples=["B.0"])] | None = None
    """In place of `at`: the model stands `gap` inches from another, called by its unit and its number, counted from 0,
    as in "B.0"."""
    at: Spot | None = Field(default=None, validate_default=True)
    """Middle of the model's base: [x, y] in inches from the lower left corner of the board, with the height above the
    table as a third number where it does not stand on the table. Needed, unless the model is placed relative to others:
    `touching` or `near`.
    """
    gap: Gap | None = Field(default=None, validate_default=True)
    """Inches between the edges of the two bases. Needed with `near`."""
    bearing_deg: Degrees | None = Field(default=None, validate_default=True)
    """Direction from the other model's position to this one's, in degrees counter-clockwise from +x. Needed with
    `near`, and with `touching` of one model.
    """
    side: Literal["left", "right"] | None = Field(default=None, validate_default=True)
    """Side of the line from the first to the second model on which this model stands. Needed with `touching` of two
    models."""
    z: Height | None = None
    """Inches above the table, for a model placed relative to others. Left out: the height of the others."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: Any, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the JSON Schema, which requires a place or one relation."""
        schema = super().__get_pydantic_json_schema__(core_schema, handler)
        handler.resolve_ref_schema(schema)["oneOf"] = [
            {"required": [key]} for key in ("at", "touching", "near")
        ]
        return schema

    @field_validator("near", "at", "gap", "bearing_deg", "side", "z")
    @classmethod
    def _is_told_once(cls, value: Any, info: ValidationInfo) -> Any:
        if not all(key in info.data for key in ("touching", "near") if key != info.field_name):
            return value  # a fault in the relation is reported first
        key = cast("str", info.field_name)
        given = _way(info.data)
        if key in ("near", "at"):
            if value is not None:
                return refuse_second([given.partition(" ")[0]] if given != "at" else [], value)
            if key == "at" and given == "at":
                raise PydanticKnownError("missing")
        elif key == "z":
            if value is not None and given == "at":
                raise refusal(
                    "relation",
                    say("belongs beside touching or near; a height is the third number of at"),
                )
        elif (key in BY[given]) != (value is not None):
            if value is None:
                raise PydanticKnownError("missing")
            owners = listed((_RELATIONS[way] for way, keys in BY.items() if key in keys), " or ")
            raise refusal("relation", say("belongs beside {owners}", owners=owners))
        return value


def _way(data: Mapping[str, Any]) -> str:
    """Return the way in which a model is placed, a key of `BY`, judging by the keys validated so far."""
    if data.get("touching") is not None:
        return "touching two" if isinstance(data["touching"], tuple) else "touching"
    return "near" if data.get("near") is not None else "at"


class ModelEntry(StandingEntry):
    """A model of a unit whose models differ or are placed relative to others."""

    facing_deg: Degrees = 0.0
    """Direction in which the model looks, in degrees counter-clockwise from +x; matters for ovals, rectangles and
    hulls."""
    base: AnyBase | None = None
    """The model's base in millimetres, such as "32mm", "75x42mm oval" or "25x50mm rectangle". Left out: the `base` or
    `hull` of the unit.
    """
    hull: Ring | None = None
    """Outline of a model without a base, in place of `base`: corners [x, y] in inches from its position, +x straight
    ahead."""
    name: Name | None = None
    """What the model is called, such as "Sergeant"."""


class SquadEntry(UnitEntry):
    """The table of a unit of loose models in a scenario file: `at` with one base or hull for all, or `models` one by
    one.
    """

    at: Spots | None = None
    """Places of the models, each the middle of a base: [x, y] in inches from the lower left corner of the board, with
    the height above the table as a third number where it is not on the table.
    """
    facing_deg: Facings = 0.0
    """Direction in which the models look, in degrees counter-clockwise from +x: one number for all, or one per model.
    Matters for ovals, rectangles and hulls.
    """
    base: AnyBase | None = None
    """Base of each model that gives none itself, in millimetres. One length, such as "32mm" or 32, is a diameter. Two,
    such as "75x42mm", are the axes of an oval, the one along the facing first; of "25x50mm rectangle" width and depth.
    "25mm square" has equal sides.
    """
    hull: Ring | None = None
    """Outline of models without bases, in place of `base`: corners [x, y] in inches from a model's position, +x
    straight ahead."""
    models: NonEmptyList[ModelEntry] | None = None
    """The models one by one, in place of `at`: for units whose models differ."""

    @model_validator(mode="after")
    def _is_told_once(self) -> Self:
        _has_one_list(self, has_facings="facing_deg" in self.model_fields_set)
        for index, model in enumerate(self.models or ()):
            _has_one_footing(
                model.base or self.base,
                model.hull or self.hull,
                say(" of models[{index}]", index=index),
            )
        if self.at is not None:
            _has_one_footing(self.base, self.hull, "")
            _fits(self.facing_deg, len(self.at))
        return self


def _has_one_list(entry: "SquadEntry | FormationEntry", *, has_facings: bool) -> None:
    if (entry.at is None) == (entry.models is None):
        raise refusal(
            "models",
            say(
                "expected exactly one of at (one place per model) and models (one table per model)"
            ),
        )
    if entry.models is not None and has_facings:
        raise refusal("facing_deg", say("facing_deg belongs to each of the models"))


def _has_one_footing(base: Any, hull: Any, whose: str) -> None:
    if (base is None) == (hull is None):
        given = say("neither is given") if base is None else say("both are given")
        raise refusal(
            "base", say("expected either base or hull{whose}; {given}", whose=whose, given=given)
        )


def _fits(facings: Any, count: int) -> None:
    if isinstance(facings, tuple) and len(facings) != count:
        message = say(
            "expected one facing_deg, or one per model ({count}); given {given}",
            count=count,
            given=len(facings),
        )
        raise refusal("facing_deg", message)


class ClaimedEntry(StandingEntry):
    """The claimed end position of a model, or its relation to others."""

    facing_deg: Degrees | None = None
    """Direction in which the model looks at the end, in degrees counter-clockwise from +x. Left out: as it looked
    before."""


class FormationEntry(Entry):
    """The claimed end positions of a unit's models, with the `order` in which they moved."""

    at: Spots | None = None
    """Where the models end, one place for each that is alive when the move begins, in the order of the file: [x, y] in
    inches, with the height above the table where it is not on the table.
    """
    models: NonEmptyList[ClaimedEntry] | None = None
    """The models one by one, in place of `at`, some of which may be placed relative to others; all of them, in the same
    order."""
    facing_deg: Facings | None = None
    """Direction in which the models look at the end, in degrees counter-clockwise from +x: one number, or one per
    model. Left out: as they looked before.
    """
    order: ListOf[Annotated[int, Field(ge=0)]] | None = None
    """Numbers of the models in the order in which they moved, counted from 0. Left out: the order of the file."""

    @model_validator(mode="after")
    def _is_told_once(self) -> Self:
        _has_one_list(self, has_facings=self.facing_deg is not None)
        _fits(self.facing_deg, len(self.at or ()))
        return self


class ExpectedSquad(ExpectedUnit):
    """Expected values of loose models, each optional."""

    at: Spots | None = None
    """Where the models should be, one place for each that is left, in the order of the file: [x, y] in inches, with the
    height above the table where it is not on the table.
    """
    facing_deg: Facings | None = None
    """Direction in which the models should look, in degrees counter-clockwise from +x: one number if all look the same
    way, else one per model.
    """


def _read_squad(name: str, entry: Any, board: Board) -> Squad:
    del board
    told: SquadEntry = entry
    if told.models is None:
        footing = _footing(told.base, told.hull)
        spots = told.at or ()
        facings = _spread(told.facing_deg, len(told.at or ()))
        rows = [(spot, facing, footing, "") for spot, facing in zip(spots, facings, strict=True)]
    else:
        rows = [
            (
                cast("tuple[float, float]", model.at),
                model.facing_deg,
                _footing(model.base or told.base, model.hull or told.hull),
                model.name or "",
            )
            for model in told.models
        ]
    models = tuple(
        Model(
            number, Pose(spot[0], spot[1], math.radians(facing)), footing, (*spot, 0.0)[2], called
        )
        for number, (spot, facing, footing, called) in enumerate(rows)
    )
    return Squad(name, told.side, models, told.profile, told.status)


def _spread(facings: Any, count: int) -> tuple[float, ...]:
    return facings if isinstance(facings, tuple) else (facings,) * count


def _footing(base: str | None, hull: tuple[Corner, ...] | None) -> BaseShape:
    if base is None:
        return Hull(hull or ())
    told = base_of(base)
    shapes: dict[Any, Callable[..., BaseShape]] = {
        "round": RoundBase,
        "oval": OvalBase,
        "rectangle": Base,
    }
    return shapes[told.form](*told.inches)


def _read_formation(entry: Any, unit: Any, board: Board) -> Formation:
    del board
    told: FormationEntry = entry
    spots = told.at or ()
    headings = _headings(told, len(spots), unit)
    poses = tuple(
        Pose(spot[0], spot[1], heading) for spot, heading in zip(spots, headings, strict=True)
    )
    return Formation(poses, tuple((*spot, 0.0)[2] for spot in spots), told.order)


def _headings(told: FormationEntry, count: int, squad: Squad) -> tuple[float, ...]:
    """Return a heading in radians for each of `count` claimed places: those given, else those of the models before the
    charges.

    Raises
    ------
    ScenarioError
        If none is given and the models face different ways, but are not as many as the places.
    """
    if told.facing_deg is not None:
        return tuple(map(math.radians, _spread(told.facing_deg, count)))
    own = tuple(model.pose.heading for model in squad.models)
    if len(set(own)) == 1:
        return own[:1] * count
    if len(own) != count:
        key = key_path(["proposal", "units", squad.name, "facing_deg"])
        raise ScenarioError(
            Fault.of(
                key,
                "is missing: the models face different ways, so the file must give facing_deg for each model that "
                "the proposal places",
            )
        )
    return own


def _written_squad(unit: Any, board: Board) -> dict[str, Any]:
    squad: Squad = unit
    if len({model.base for model in squad.models}) == 1 and not any(
        model.name for model in squad.models
    ):
        return {**_written_formation(squad.place, board), **_written_footing(squad.models[0].base)}
    return {"models": [_written_model(model) for model in squad.models]}


def _written_model(model: Model) -> dict[str, Any]:
    called = {"name": model.name} if model.name else {}
    return {
        "at": _spot(model.pose, model.z),
        "facing_deg": facing_degrees(model.pose.heading),
        **_written_footing(model.base),
        **called,
    }


def _spot(pose: Pose, z: float) -> list[float]:
    return [pose.x + 0.0, pose.y + 0.0, *([z] if z else [])]


def _written_footing(base: BaseShape) -> dict[str, Any]:
    if isinstance(base, Hull):
        return {"hull": [list(point) for point in base.points]}
    if isinstance(base, RoundBase):
        return {"base": text_of_inches(base.diameter, form="round")}
    if isinstance(base, OvalBase):
        return {"base": text_of_inches(base.length, base.width, form="oval")}
    return {"base": text_of_inches(base.width, base.depth, form="rectangle")}


def _written_formation(place: Any, board: Board) -> dict[str, Any]:
    del board
    if isinstance(place, Pose):
        return pose_entry(place)
    formation: Formation = place
    facings = [facing_degrees(pose.heading) for pose in formation.poses]
    return {
        "at": [_spot(pose, z) for pose, z in zip(formation.poses, formation.heights, strict=True)],
        "facing_deg": facings[0] if len(set(facings)) == 1 else facings,
        **({} if formation.order is None else {"order": list(formation.order)}),
    }


LOOSE = PlacementFormat(
    board=BoardEntry,
    unit=SquadEntry,
    place=FormationEntry,
    expected=ExpectedSquad,
    is_mine=lambda unit: isinstance(unit, Squad),
    place_types=(Formation, Pose),
    read=_read_squad,
    read_place=_read_formation,
    written=_written_squad,
    written_place=_written_formation,
    models=lambda entry: len(entry.models or entry.at),
)

PLACEMENT_FORMATS = {"regiment": REGIMENT, "stands": STANDS, "loose": LOOSE, "hex": HEX}
"""Placement formats by their names in vocabularies."""

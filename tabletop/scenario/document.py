"""Pydantic models of the scenario file: the part all systems share, completed by a system's vocabulary."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Literal, Self, Union, cast

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic_core import PydanticKnownError

from tabletop.messages import listed, quoted, say
from tabletop.ruling.system import System
from tabletop.scenario.fields import (
    CircleEntry,
    ExpectedUnit,
    HexNumber,
    Measure,
    Name,
    NonEmptyList,
    PieceEntry,
    RectangleEntry,
    Ring,
    Text,
    Title,
    UnitEntry,
)
from tabletop.scenario.limits import CHARGES, MAX_MODELS, TERRAIN_PIECES
from tabletop.scenario.placements import intended_placement, placement_formats
from tabletop.scenario.validation import Expected, refusal
from tabletop.scenario.vocabulary import Entry, ListOf, Member, Vocabulary
from tabletop.table.dice import MOST_FACES, SIDES

_FORMS = ("polygon", "circle", "rectangle")

PerCharge = Annotated[ListOf[Member], Field(max_length=CHARGES)]
"""Type of a key that holds a list with an entry for each charge."""


def _faces(sides: int) -> Any:
    """Return the type of an optional list of dice faces from 1 to `sides`."""
    face: Any = Annotated[
        int, Field(ge=1, le=sides), Expected(say("a face from 1 to {sides}", sides=sides))
    ]
    return Annotated[cast("Any", ListOf)[face], Field(max_length=MOST_FACES)] | None


Face = Annotated[int, Field(ge=1, le=SIDES), Expected(say("a face from 1 to {sides}", sides=SIDES))]


class TerrainEntry(PieceEntry):
    """The table of a piece of terrain in a scenario file: exactly one of polygon, circle and rectangle, and a
    height.
    """

    polygon: Ring | None = None
    """Corners of the piece in order, either way round: [x, y] in inches from the lower left corner of the board. Each
    piece has exactly one of `polygon`, `circle` and `rectangle`.
    """
    circle: CircleEntry | None = None
    """The piece as a circle, in place of `polygon`."""
    rectangle: RectangleEntry | None = None
    """The piece as a rectangle, in place of `polygon`."""
    height: Annotated[float, Field(ge=0, le=1000)] | None = None
    """Inches from the table to the top of the piece; in Conquest its Size for sight. Left out: the height of its kind;
    some kinds must give one.
    """

    @model_validator(mode="after")
    def _has_one_form(self) -> Self:
        given = [form for form in _FORMS if getattr(self, form) is not None]
        if len(given) != 1:
            forms = listed(given, " and ") or say("none")
            raise refusal(
                "form",
                say(
                    "expected exactly one of polygon, circle, rectangle; given {forms}", forms=forms
                ),
            )
        return self


class HexTerrainEntry(PieceEntry):
    """The table of a piece of terrain that fills hexes of a hex board, in a scenario file."""

    hexes: Annotated[ListOf[HexNumber], Field(min_length=1, max_length=99 * 99)]
    """Hexes that the terrain fills, by their printed numbers: two digits for the column and two for the row, such as
    "0507"."""


class ChargeEntry(Entry):
    """The table of a declared charge in a scenario file; systems add their own keys."""

    charger: str
    """Name of the unit that charges."""
    targets: NonEmptyList[str]
    """Names of the units that are charged, or of terrain where the system lets it be charged."""
    dice: Annotated[ListOf[Face], Field(max_length=MOST_FACES)] | None = None
    """Faces of the dice as they fell, before anything is added, in the order in which the rules roll them. Left out:
    rolled by the program, from its `--seed`.
    """


class ProposalEntry(Entry):
    """The table of the claimed end positions in a scenario file, by unit."""

    units: Mapping[str, Any]
    """The end positions, each under the name of its unit; units that are not named stand as the charges leave them."""
    accuracy: Measure | None = None
    """Accuracy of the claimed places, in place of the file's `accuracy`; fronts that are placed relative to others are
    exact."""


class JudgedEntry(Entry):
    """The expected verdict on the proposal."""

    outcome: Literal["success", "legal", "failed", "not_allowed", "undecided"]
    """The verdict: "success": legal, and the rules ask for nothing better; "legal": it is open whether something better
    is possible; "not_allowed": some rule is broken; "undecided": the accuracy of the measurements does not decide it.
    No proposal is judged "failed".
    """
    rule: str | None = None
    """Name of the rule that the proposal breaks first."""


class ExpectEntry(Entry):
    """The table of the ruling that a scenario file expects of one charge, for `tabletop check`."""

    outcome: Literal["success", "failed", "not_allowed"] | None = None
    """What becomes of the charge: "success": completed; "failed": declared and not completed; "not_allowed": it may not
    be declared, or not be made as declared.
    """
    rule: str | None = None
    """Name of the rule by which the charge failed or was not allowed."""
    metrics: dict[str, Any] = Field(default_factory=dict)
    """Metrics of the charge by their names, each with the value that it should have."""
    choices: Annotated[int, Field(ge=0)] | None = None
    """Number of equally good outcomes that the rules leave to the player."""
    judged: JudgedEntry | None = None
    """The verdict on the proposal; stands in the last [[expect]] of the file."""
    units: Mapping[str, ExpectedUnit] = Field(default_factory=dict)
    """Units by name, each with any of its place and its status after all charges."""
    tolerance: Annotated[float, Field(ge=0, le=1000)] = 0.001
    """How far a number may be off: inches, degrees, or whatever it counts."""


class Scenario(Entry):
    """A scenario file; each system's own model narrows these types to its vocabulary."""

    format: Literal[1] = 1
    """Number of the file format."""
    system: str
    """The game whose rules decide."""
    edition: str
    """Edition of the game's rules."""
    title: Title = ""
    """What the scenario is called, on one line."""
    note: Text = ""
    """Free text for the caption of a figure."""
    source: Text = ""
    """The passage of the rules that the scenario illustrates."""
    point: Title = ""
    """The rule that a figure of the scenario is about, such as "t9a.arc.target-facing". Left out: the rule that
    decides."""
    accuracy: Measure | None = None
    """Accuracy with which the places on the table were measured: inches such as 0.1 or "1/16" by which each may be off,
    or a table such as { at = 0.1, facing_deg = 2 }. The nearest possible table is then used, and every verdict says
    whether the inaccuracy can change it. Left out: everything is exactly where it is written.
    """
    rules: Any = None
    """How the rules are read where their text leaves something open."""
    board: Any
    """Size of the board."""
    terrain: ListOf[PieceEntry] = ()
    """The pieces of terrain."""
    units: Mapping[str, UnitEntry] = Field(default_factory=dict)
    """The units, each under its name, which no other unit or piece of terrain has."""
    charges: PerCharge[ChargeEntry] = ()
    """The charges, in the order in which they are declared and, unless the rules group them by target, resolved."""
    proposal: ProposalEntry | None = None
    """Proposed end positions, for `judge` to rule on."""
    expect: PerCharge[ExpectEntry] = ()
    """What `check` compares the answer with: one [[expect]] for each charge, in the same order."""


def scenario_model(system: System) -> type[Scenario]:
    """Return the pydantic model of a game system's scenario files, built from its vocabulary."""
    return _model(system.name, system.editions, system.vocabulary)


@cache
def _model(name: str, editions: tuple[str, ...], words: Vocabulary) -> type[Scenario]:
    stem = name.capitalize()
    forms = placement_formats(words)
    # filled with types at run time
    one_of = cast("Any", Literal)
    list_of = cast("Any", ListOf)
    per_charge = cast("Any", PerCharge)
    named = cast("Any", dict)
    status: Any = (list_of[_one_of(words.status, say("status"))], ())
    ways = dict(zip(words.placements, forms, strict=True))
    names = {way: f"{stem}{way.capitalize() if len(ways) > 1 else ''}Unit" for way in ways}
    unit = _any_of(
        {
            way: create_model(
                names[way], __base__=form.unit, status=status, profile=_table(words.profile)
            )
            for way, form in ways.items()
        }
    )
    units: Any = (Annotated[named[Name, unit], Field(max_length=MAX_MODELS)], {})
    ground: Any = HexTerrainEntry if "hex" in words.placements else TerrainEntry
    piece = create_model(
        f"{stem}Terrain",
        __base__=(ground, words.terrain_keys),
        kind=(_one_of(words.terrain_kinds, say("terrain")), ...),
    )
    faces: Any = {} if words.sides == SIDES else {"dice": (_faces(words.sides), None)}
    charge = create_model(f"{stem}Charge", __base__=(ChargeEntry, words.declarations), **faces)
    places: Any = (
        Annotated[
            named[Name, _any_of({way: form.place for way, form in ways.items()})],
            Field(min_length=1),
        ],
        ...,
    )
    proposal = create_model(f"{stem}Proposal", __base__=ProposalEntry, units=places)
    expected: Any = (
        named[Name, _any_of({way: form.expected for way, form in ways.items()})],
        Field(default_factory=dict),
    )
    expect = create_model(f"{stem}Expect", __base__=ExpectEntry, units=expected)
    whole = create_model(
        f"{stem}Scenario",
        __base__=Scenario,
        system=(one_of[name], ...),
        edition=(
            Annotated[one_of[editions], BeforeValidator(_refuse(words.reserved, editions))],
            editions[0],
        ),
        rules=_table(words.choices),
        board=(forms[0].board, ...),
        terrain=(Annotated[list_of[piece], _most_pieces(words)], ()),
        units=units,
        charges=(per_charge[charge], ()),
        proposal=(proposal | None, None),
        expect=(per_charge[expect], ()),
    )
    # builds the nested entries too, in half the time; invalid models fail here
    whole.model_rebuild()
    return whole


def _any_of(kinds: Mapping[Any, type[Entry]]) -> Any:
    """Return the type of a table that has one of several forms, by placement format; the form meant is told by its
    keys.
    """
    first, *others = kinds.values()
    if not others:
        return first

    def tag(entry: Any) -> str:
        """Return the placement format of a model by its type, or of a table by its keys."""
        return next(
            (way for way, kind in kinds.items() if isinstance(entry, kind)), None
        ) or intended_placement(entry, tuple(kinds))

    tagged = (Annotated[cast("Any", kind), Tag(way)] for way, kind in kinds.items())
    return Annotated[cast("Any", Union)[tuple(tagged)], Discriminator(tag)]


def _most_pieces(words: Vocabulary) -> Any:
    """Return the validator that limits the number of pieces of terrain in a file to `TERRAIN_PIECES`.

    On hex boards single hexes that may be charged do not count, since charges split them off larger pieces.
    """
    if "hex" not in words.placements:
        return Field(max_length=TERRAIN_PIECES)

    def checked(pieces: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the pieces unchanged, or raise if there are too many."""
        counted = sum(
            piece.kind not in words.chargeable or len(set(piece.hexes)) > 1 for piece in pieces
        )
        if counted > TERRAIN_PIECES:
            raise PydanticKnownError(
                "too_long",
                {"field_type": "Tuple", "max_length": TERRAIN_PIECES, "actual_length": counted},
            )
        return pieces

    return AfterValidator(checked)


def _one_of(words: tuple[str, ...], things: str) -> Any:
    """Return the type of one of a system's words; if there are none, a type that rejects every value and names the
    `things` unknown.
    """
    if words:
        return cast("Any", Literal)[words]

    def refused(_: str) -> str:
        """Raise an error for any value."""
        raise refusal("word", say("this game knows no {things}", things=things))

    return Annotated[str, AfterValidator(refused), WithJsonSchema({"not": {}})]


def _refuse(reserved: tuple[str, ...], editions: tuple[str, ...]) -> Callable[[Any], Any]:
    """Return a validator that rejects the `reserved` editions, which are known but not implemented."""

    def checked(edition: Any) -> Any:
        """Return the edition unchanged, or raise if it is reserved."""
        if edition in reserved:
            raise refusal("edition", say("not built yet; expected {known}", known=quoted(editions)))
        return edition

    return checked


def _table(model: type[Entry]) -> Any:
    """Return the field (type, default) of a table, which may be left out if all of its keys may."""
    needed = any(field.is_required() for field in model.model_fields.values())
    return (model, ...) if needed else (model, Field(default_factory=model))

"""The scenario file as models: what every system shares, and how a system's vocabulary completes it."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Field, Strict, ValidationInfo, create_model, field_validator, model_validator
from pydantic_core import PydanticCustomError

from tabletop.ruling import System
from tabletop.scenario.fields import Degrees, Name, Place, RectangularBase, Ring, Size, Text, Title
from tabletop.scenario.limits import CHARGES, MODELS, TERRAIN
from tabletop.scenario.vocabulary import Entry, Placement, Vocabulary

_FORMS = ("polygon", "circle", "rectangle")


class BoardEntry(Entry):
    """A board in inches, its lower-left corner at the origin."""

    width: Size
    depth: Size


class CircleEntry(Entry):
    """A round piece of terrain."""

    centre: Place
    radius: Size


class RectangleEntry(Entry):
    """A rectangular piece of terrain: `width` along the direction `angle_deg`, `depth` square to it."""

    centre: Place
    width: Size
    depth: Size
    angle_deg: Degrees = 0.0


class TerrainEntry(Entry):
    """A piece of terrain in one of its forms; `kind` is narrowed to the system's words."""

    name: Name
    kind: str
    polygon: Ring | None = None
    circle: CircleEntry | None = None
    rectangle: RectangleEntry | None = None
    height: Annotated[float, Field(ge=0, le=1000)] = 0.0

    @model_validator(mode="after")
    def _has_one_form(self) -> Self:
        given = [form for form in _FORMS if getattr(self, form) is not None]
        if len(given) != 1:
            what = " and ".join(given) or "none"
            raise PydanticCustomError("form", "expected exactly one of polygon, circle, rectangle; given {what}", {"what": what})
        return self


class PlaceEntry(Entry):
    """Where a regiment stands: the middle of its front edge, and its facing."""

    at: Place
    facing_deg: Degrees


class RegimentEntry(PlaceEntry):
    """A unit in ranks and files; `profile` and `status` are narrowed to the system's."""

    side: Name
    status: tuple[str, ...] = ()
    files: Annotated[int, Field(ge=1, le=MODELS)]
    models: Annotated[int, Field(ge=1, le=MODELS)]
    base: RectangularBase
    profile: Any = None

    @field_validator("models")
    @classmethod
    def _fills_a_rank(cls, models: int, info: ValidationInfo) -> int:
        files = info.data.get("files", 1)
        if models < files:
            raise PydanticCustomError("models", "models must be at least files ({files})", {"files": files})
        return models


class ChargeEntry(Entry):
    """A declared charge; the system's own declarations stand beside these keys."""

    charger: str
    targets: Annotated[tuple[str, ...], Strict(strict=False), Field(min_length=1, max_length=MODELS)]
    dice: Annotated[tuple[Annotated[int, Field(ge=1, le=6)], ...], Strict(strict=False), Field(max_length=100)] | None = None


class ProposalEntry(Entry):
    """End positions that somebody claims, by unit."""

    units: Annotated[dict[Name, PlaceEntry], Field(min_length=1)]


class JudgedEntry(Entry):
    """The expected verdict on the proposal."""

    outcome: Literal["success", "failed", "not_allowed"]
    rule: str | None = None


class ExpectedUnit(Entry):
    """What is expected of a unit at the end: any part of its place, and its status."""

    at: Place | None = None
    facing_deg: Degrees | None = None
    files: int | None = None
    models: int | None = None
    base: RectangularBase | None = None
    status: Annotated[tuple[str, ...], Strict(strict=False)] | None = None


class ExpectEntry(Entry):
    """What `check` compares the ruling of one charge with."""

    outcome: Literal["success", "failed", "not_allowed"] | None = None
    rule: str | None = None
    metrics: dict[str, Any] = Field(default_factory=dict)
    choices: Annotated[int, Field(ge=0)] | None = None
    judged: JudgedEntry | None = None
    units: dict[Name, ExpectedUnit] = Field(default_factory=dict)
    tolerance: Annotated[float, Field(ge=0, le=1000)] = 0.001


class Scenario(Entry):
    """A scenario file; a system's own model narrows what its vocabulary names."""

    format: Literal[1] = 1
    system: str
    edition: str
    title: Title = ""
    note: Text = ""
    source: Text = ""
    rules: Any = None
    board: BoardEntry
    terrain: Annotated[tuple[TerrainEntry, ...], Strict(strict=False), Field(max_length=TERRAIN)] = ()
    units: Mapping[str, RegimentEntry] = Field(default_factory=dict)
    charges: Annotated[tuple[ChargeEntry, ...], Strict(strict=False), Field(max_length=CHARGES)] = ()
    proposal: ProposalEntry | None = None
    expect: Annotated[tuple[ExpectEntry, ...], Strict(strict=False), Field(max_length=CHARGES)] = ()


PLACEMENTS: dict[Placement, type[RegimentEntry]] = {"regiment": RegimentEntry}


def scenario_model(system: System) -> type[Scenario]:
    """Build the model of one system's scenario files from its vocabulary."""
    return _model(system.name, system.editions, system.vocabulary)


@cache
def _model(name: str, editions: tuple[str, ...], words: Vocabulary) -> type[Scenario]:
    stem = name.capitalize()
    one_of, listed, named = cast("Any", Literal), cast("Any", tuple), cast("Any", dict)  # filled with types at run time
    status: Any = (Annotated[listed[one_of[words.status], ...], Strict(strict=False)], ())
    unit = create_model(f"{stem}Unit", __base__=PLACEMENTS[words.placement], status=status, profile=_table(words.profile))
    piece = create_model(f"{stem}Terrain", __base__=TerrainEntry, kind=(one_of[words.terrain_kinds], ...))
    charge = create_model(f"{stem}Charge", __base__=(ChargeEntry, words.declarations))
    return create_model(
        f"{stem}Scenario",
        __base__=Scenario,
        system=(one_of[name], ...),
        edition=(one_of[editions], editions[0]),
        rules=_table(words.choices),
        terrain=(Annotated[listed[piece, ...], Strict(strict=False), Field(max_length=TERRAIN)], ()),
        units=(Annotated[named[Name, unit], Field(max_length=MODELS)], {}),
        charges=(Annotated[listed[charge, ...], Strict(strict=False), Field(max_length=CHARGES)], ()),
    )


def _table(model: type[Entry]) -> Any:
    """Give a field that may be left out where every key of its table may."""
    needed = any(field.is_required() for field in model.model_fields.values())
    return (model, ...) if needed else (model, Field(default_factory=model))

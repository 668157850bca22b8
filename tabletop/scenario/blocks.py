"""Regiments in files: units in ranks and files, of models or of stands."""

from typing import Annotated, Any, cast

from pydantic import Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from tabletop.geometry.pose import Pose
from tabletop.scenario.entries import BoardEntry, ExpectedUnit, PlaceEntry, UnitEntry
from tabletop.scenario.fields import Degrees, Place, RectangularBase, rectangle_mm
from tabletop.scenario.limits import MODELS
from tabletop.scenario.placing import Placing, pose_entry, pose_of
from tabletop.table.state import Base, Board, Regiment
from tabletop.units import MM_PER_INCH, inches

Count = Annotated[int, Field(ge=1, le=MODELS)]


class RegimentEntry(UnitEntry, PlaceEntry):
    """A unit of models in ranks and files."""

    files: Count
    """Number of models side by side in a full rank."""
    models: Count
    """Number of models in all; the last rank may be incomplete."""
    base: RectangularBase
    """Base of each model in millimetres: width along the front, then depth, such as "25x50mm"."""

    @field_validator("models")
    @classmethod
    def _fills_a_rank(cls, models: int, info: ValidationInfo) -> int:
        return _filled(models, info)


class StandsEntry(UnitEntry, PlaceEntry):
    """A unit of stands in ranks and files."""

    files: Count
    """Number of stands side by side in a full rank."""
    stands: Count
    """Number of stands in all; the last rank may be incomplete."""
    base: RectangularBase
    """Base of each stand in millimetres: width along the front, then depth, such as "50.8x50.8mm"."""

    @field_validator("stands")
    @classmethod
    def _fills_a_rank(cls, stands: int, info: ValidationInfo) -> int:
        return _filled(stands, info)


def _filled(count: int, info: ValidationInfo) -> int:
    files = info.data.get("files", 1)
    if count < files:
        raise PydanticCustomError("files", "{key} must be at least files ({files})", {"key": info.field_name, "files": files})
    return count


class ExpectedRegiment(ExpectedUnit):
    """Any part of a regiment's place."""

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
    """Any part of the place of a regiment of stands."""

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


def _placing(unit: type[UnitEntry], expected: type[ExpectedUnit], counted: str) -> Placing:
    def read(name: str, entry: Any, board: Board) -> Regiment:
        del board
        width, depth = rectangle_mm(entry.base)
        return Regiment(
            name=name,
            side=entry.side,
            pose=pose_of(entry),
            files=entry.files,
            models=getattr(entry, counted),
            base=Base(inches(width), inches(depth)),
            rear_rank="left" if counted == "models" else "centre",
            halves_files=counted == "stands",
            profile=entry.profile,
            status=entry.status,
        )

    def written(regiment: Any, board: Board) -> dict[str, Any]:
        del board
        unit: Regiment = regiment
        base = f"{millimetres(unit.base.width)}x{millimetres(unit.base.depth)}mm"
        return {**pose_entry(unit.pose), "files": unit.files, counted: unit.models, "base": base}

    return Placing(
        board=BoardEntry,
        unit=unit,
        place=PlaceEntry,
        expected=expected,
        stands=lambda unit: isinstance(unit, Regiment) and unit.halves_files == (counted == "stands"),
        placed=(Pose,),
        read=read,
        read_place=lambda entry, *_: pose_of(entry),
        written=written,
        written_place=lambda pose, _: pose_entry(cast("Pose", pose)),
        models=lambda entry: int(getattr(entry, counted)),
    )


def millimetres(length: float) -> str:
    """Write inches as millimetres, as the names of bases do."""
    return f"{length * MM_PER_INCH:.9f}".rstrip("0").rstrip(".")


REGIMENT = _placing(RegimentEntry, ExpectedRegiment, "models")
STANDS = _placing(StandsEntry, ExpectedStands, "stands")

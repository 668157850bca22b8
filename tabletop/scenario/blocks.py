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
    models: Count
    base: RectangularBase

    @field_validator("models")
    @classmethod
    def _fills_a_rank(cls, models: int, info: ValidationInfo) -> int:
        return _filled(models, info)


class StandsEntry(UnitEntry, PlaceEntry):
    """A unit of stands in ranks and files."""

    files: Count
    stands: Count
    base: RectangularBase

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
    facing_deg: Degrees | None = None
    files: int | None = None
    models: int | None = None
    base: RectangularBase | None = None


class ExpectedStands(ExpectedUnit):
    """Any part of the place of a regiment of stands."""

    at: Place | None = None
    facing_deg: Degrees | None = None
    files: int | None = None
    stands: int | None = None
    base: RectangularBase | None = None


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

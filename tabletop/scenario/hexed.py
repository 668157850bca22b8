"""Units on hex boards in files: one model in a hex."""

from typing import Annotated, Any

from pydantic import Field

from tabletop.geometry.pose import Pose
from tabletop.scenario.entries import ExpectedUnit, UnitEntry
from tabletop.scenario.fields import HexNumber, hex_of
from tabletop.scenario.placing import Placing
from tabletop.scenario.vocabulary import Entry
from tabletop.table.hexes import FACINGS, HexFacing, facing_of, hex_board, number
from tabletop.table.state import Board, HexUnit

Lines = Annotated[int, Field(ge=1, le=99)]


class HexBoardEntry(Entry):
    """A board of flat-top hexes, `hex_inches` across the flats."""

    columns: Lines
    """Number of columns of hexes, counted from the left."""
    rows: Lines
    """Number of hexes in each column, counted from the top; even columns lie half a hex lower."""
    hex_inches: Annotated[float, Field(gt=0, le=100)] = 1.25
    """Size of a hex in inches, from one of its flat sides to the opposite one."""


class HexPlaceEntry(Entry):
    """A hex, and the side of it that the unit looks at."""

    hex: HexNumber
    """Hex in which the unit stands, by its printed number: two digits for the column and two for the row, such as "0507"."""
    facing: HexFacing
    """Side of the hex that the unit's feet look at: "N" is up the board, then clockwise "NE", "SE", "S", "SW" and "NW"."""


class HexUnitEntry(UnitEntry, HexPlaceEntry):
    """One model in a hex."""


class ExpectedHexUnit(ExpectedUnit):
    """Any part of the place of a model in a hex."""

    hex: HexNumber | None = None
    """Number of the hex in which the unit should stand."""
    facing: HexFacing | None = None
    """Side of the hex that the unit should look at."""


def _read(name: str, entry: Any, board: Board) -> HexUnit:
    return HexUnit(name, entry.side, _pose(entry, board), entry.profile, entry.status)


def _pose(entry: Any, board: Board) -> Pose:
    return hex_board(board).pose(hex_of(entry.hex), FACINGS.index(entry.facing))


def _written(unit: Any, board: Board) -> dict[str, Any]:
    return _written_place(unit.pose, board)


def _written_place(pose: Any, board: Board) -> dict[str, Any]:
    return {"hex": number(hex_board(board).hex_at(pose.at)), "facing": FACINGS[facing_of(pose.heading)]}


HEXED = Placing(
    board=HexBoardEntry,
    unit=HexUnitEntry,
    place=HexPlaceEntry,
    expected=ExpectedHexUnit,
    stands=lambda unit: isinstance(unit, HexUnit),
    placed=(Pose,),
    read=_read,
    read_place=lambda entry, _, board: _pose(entry, board),
    written=_written,
    written_place=_written_place,
    models=lambda _: 1,
)

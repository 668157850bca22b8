"""Models in hexes as marks: a house whose roof points ahead, fallen ones crossed."""

from collections.abc import Sequence
from typing import Any

from plots.marks.kinds import LYING
from plots.marks.mark import Label, LinesMark, Mark, Outline, Points, Printed, identifier, points
from tabletop.geometry.pose import Pose
from tabletop.table.hexes import HexBoard, hex_board
from tabletop.table.state import Board, HexUnit

HOUSE = ((-0.24, -0.21), (0.24, -0.21), (0.24, 0.07), (0.0, 0.28), (-0.24, 0.07))
"""The outline of a model in its own frame, in flats of its hex: to the right, ahead."""
CROSS = (((-0.24, -0.21), (0.24, 0.07)), ((0.24, -0.21), (-0.24, 0.07)))
LETTER_AT, LETTER_ROOM, BESIDE = -0.035, 0.46, ((0.3, 0.0), (-0.3, 0.0), (0.0, -0.3))
"""Where a model's name stands in its outline, how wide it may be, and where it stands otherwise."""
CROWDED, ASIDE = 0.62, 0.25
"""Size of models that share a hex, and how far from its middle they stand, in flats."""


def hex_unit_marks(unit: HexUnit, prefix: str, *, tone: int, board: Board, others: Sequence[Any] = ()) -> tuple[Mark, ...]:
    """Draw a model in a hex, beside any other that stands in the same; crossed where it lies."""
    name = identifier(prefix, "unit", unit.name)
    pose, size = _spot(unit, board, others)
    marks: list[Mark] = [Outline(name, f"standing.{tone}", _drawn(HOUSE, pose, size))]
    if LYING in unit.status:
        marks.append(LinesMark(f"{name}.{LYING}", f"fallen.{tone}", tuple(_drawn(line, pose, size) for line in CROSS)))
    beside = tuple(pose.point(right * size, ahead * size) for right, ahead in BESIDE)
    label = Label(f"{name}.label", f"name.{tone}", unit.name, beside, rank=2)
    marks.append(Printed(f"{name}.letter", "letter", ((pose.point(0.0, LETTER_AT * size), unit.name, LETTER_ROOM * size),), label))
    return tuple(marks)


def hex_unit_start(unit: HexUnit, name: str, *, tone: int, board: Board) -> tuple[Mark, ...]:
    """Dash a model where it stood."""
    return (Outline(name, f"start.{tone}", _drawn(HOUSE, unit.pose, hex_board(board).hex_inches)),)


def hex_unit_ring(unit: HexUnit, board: HexBoard) -> Points:
    """Give the corners of the hex that a model stands in."""
    return points(board.outline(board.hex_at(unit.pose.at)))


def _spot(unit: HexUnit, board: Board, others: Sequence[Any]) -> tuple[Pose, float]:
    """Give where a model is drawn and how large: smaller and aside where several share the hex."""
    flats = hex_board(board).hex_inches
    sharing = [other.name for other in others if other.pose.at == unit.pose.at]
    if len(sharing) < 2 or unit.name not in sharing:  # noqa: PLR2004 - alone
        return unit.pose, flats
    side = -1.0 + 2.0 * sharing.index(unit.name) / (len(sharing) - 1)
    return Pose(unit.pose.x + side * ASIDE * flats, unit.pose.y, unit.pose.heading), CROWDED * flats


def _drawn(shape: Points, pose: Pose, size: float) -> Points:
    return tuple(pose.point(right * size, ahead * size) for right, ahead in shape)

"""Units in hexes as marks: their silhouettes from above, which look ahead; those that lie over a double line."""

from collections.abc import Sequence
from typing import Any

from plots.marks.language import ENGLISH, Language
from plots.marks.mark import GridMark, Label, LinesMark, Mark, Points, Printed, identifier, points
from plots.marks.silhouettes import drawn_as
from tabletop.geometry.pose import Pose
from tabletop.table.hexes import HexBoard, hex_board
from tabletop.table.silhouette import silhouette_of
from tabletop.table.state import Board, HexUnit

FILLS = 0.7
"""The share of a hex, from flat to flat, that a silhouette fills."""
GROUND = (((-0.28, -0.39), (0.28, -0.39)), ((-0.18, -0.44), (0.18, -0.44)))
"""The lines behind a unit that lies, in flats of its hex: to the right, ahead."""
LETTER_AT, LETTER_ROOM, BESIDE = -0.025, 0.52, ((0.36, 0.0), (-0.36, 0.0), (0.0, -0.36))
"""Where a unit's name stands on it, how wide it may be, and where it stands otherwise: in flats of its hex, to the right, ahead."""
CROWDED, ASIDE = 0.62, 0.25
"""Size of models that share a hex, and how far from its middle they stand, in flats."""


def hex_unit_marks(
    unit: HexUnit, prefix: str, *, tone: int, board: Board, others: Sequence[Any] = (), language: Language = ENGLISH
) -> tuple[Mark, ...]:
    """Draw a unit in a hex, beside any other that stands in the same; over a double line where it lies."""
    name = identifier(prefix, "unit", unit.name)
    pose, size = _spot(unit, board, others)
    looks = drawn_as(silhouette_of(unit))
    marks: list[Mark] = [GridMark(name, f"standing.{tone}", _turned(looks.bodies, pose, size))]
    if looks.parts:
        marks.append(GridMark(f"{name}.parts", f"parts.{tone}", _turned(looks.parts, pose, size)))
    if language.lying(unit.status):
        marks.append(LinesMark(f"{name}.lying", f"fallen.{tone}", tuple(_drawn(line, pose, size) for line in GROUND)))
    beside = tuple(pose.point(right * size, ahead * size) for right, ahead in BESIDE)
    label = Label(f"{name}.label", f"name.{tone}", unit.name, beside, rank=2)
    marks.append(Printed(f"{name}.letter", "letter", ((pose.point(0.0, LETTER_AT * size), unit.name, LETTER_ROOM * size),), label))
    return tuple(marks)


def hex_unit_start(unit: HexUnit, name: str, *, tone: int, board: Board) -> tuple[Mark, ...]:
    """Dash a model where it stood."""
    return (GridMark(name, f"start.{tone}", hex_unit_bodies(unit, hex_board(board))),)


def hex_unit_bodies(unit: HexUnit, board: HexBoard) -> tuple[Points, ...]:
    """Give the rings of a unit that stands alone in its hex."""
    return _turned(drawn_as(silhouette_of(unit)).bodies, unit.pose, board.hex_inches)


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


def _turned(rings: Sequence[Points], pose: Pose, size: float) -> tuple[Points, ...]:
    """Stand rings of a silhouette at a pose, in a hex of so many inches."""
    return tuple(_drawn(ring, pose, FILLS * size) for ring in rings)


def _drawn(shape: Points, pose: Pose, size: float) -> Points:
    return tuple(pose.point(right * size, ahead * size) for right, ahead in shape)

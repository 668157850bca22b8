"""How units of one kind stand in a file: their tables, and the way from them to values and back."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from tabletop.geometry.pose import Pose
from tabletop.scenario.entries import ExpectedUnit, PlaceEntry, UnitEntry
from tabletop.scenario.vocabulary import Entry
from tabletop.table.state import Board, Unit
from tabletop.units import facing_degrees


@dataclass(frozen=True)
class Placing:
    """One way to stand on a table.

    Attributes
    ----------
    board, unit, place, expected
        Models of `[board]`, of a unit, of a unit in `[proposal]` and in `[[expect]]`.
    stands, placed
        Tells whether a unit stands so, and the types of what may be its place, or that of one of its models.
    read, read_place
        Give a unit (of its name, its entry and the board), and a place (of its entry, the unit and the board).
    written, written_place
        Give the placement keys of a unit, and the keys of a place or of a single pose.
    models
        Counts the models of a unit's entry.
    """

    board: type[Entry]
    unit: type[UnitEntry]
    place: type[Entry]
    expected: type[ExpectedUnit]
    stands: Callable[[Any], bool]
    placed: tuple[type[Any], ...]
    read: Callable[[str, Any, Board], Unit]
    read_place: Callable[[Any, Any, Board], Any]
    written: Callable[[Any, Board], dict[str, Any]]
    written_place: Callable[[Any, Board], dict[str, Any]]
    models: Callable[[Any], int]


def pose_of(entry: PlaceEntry) -> Pose:
    """Read a place, not a relation: inches and degrees to inches and radians."""
    return Pose(*cast("tuple[float, float]", entry.at), math.radians(cast("float", entry.facing_deg)))


def pose_entry(pose: Pose) -> dict[str, Any]:
    """Write a pose as the file does: `at` in inches, `facing_deg` in degrees."""
    return {"at": [pose.x + 0.0, pose.y + 0.0], "facing_deg": facing_degrees(pose.heading)}

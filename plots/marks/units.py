"""Units as marks, however they stand: which module draws which kind of unit."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plots.marks.hexes import hex_unit_marks, hex_unit_ring, hex_unit_start
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import Label, Mark, Points, identifier
from plots.marks.regiments import regiment_marks, regiment_start, regiment_stop
from plots.marks.squads import squad_marks, squad_start, squad_stop
from tabletop.table.hexes import HexBoard
from tabletop.table.squad import Squad
from tabletop.table.state import Board, HexUnit

Unit = Any
"""A regiment, a squad of loose models or a model in a hex."""

IN_HEX = 0.8
"""Where the status of a unit in a hex begins, as a share of the way to the hex's edge."""


@dataclass(frozen=True)
class Look:
    """How a unit is shown: its place in the palette, on which board, which models are in contact, whether they are numbered.

    `language` is that of its status words.
    """

    tone: int
    board: Board
    contact: frozenset[int] = frozenset()
    is_numbered: bool = False
    language: Language = ENGLISH


def unit_marks(unit: Unit, prefix: str, look: Look, *, others: Sequence[Unit] = ()) -> tuple[Mark, ...]:
    """Draw a unit, with the words for what has become of it; units that share its hex stand among the `others`."""
    return (*_body_marks(unit, prefix, look, others), *_status_marks(unit, prefix, look))


def _status_marks(unit: Unit, prefix: str, look: Look) -> tuple[Mark, ...]:
    """Write the status words that a figure shows at the edges of a unit."""
    words = ", ".join(look.language.known("status", word) for word in look.language.told(unit.status))
    corners = extremes(unit, look.board)
    if not words or not corners:
        return ()
    (west, south), (east, north) = corners
    x, y = (west + east) / 2, (south + north) / 2
    edges = ((east, y), (west, y), (x, south), (x, north))
    inner = tuple((x + IN_HEX * (right - x), y + IN_HEX * (up - y)) for right, up in edges)
    spots = inner if isinstance(unit, HexUnit) else edges
    return (Label(identifier(prefix, "unit", unit.name, "status"), "text", words, spots, rank=6),)


def _body_marks(unit: Unit, prefix: str, look: Look, others: Sequence[Unit]) -> tuple[Mark, ...]:
    if isinstance(unit, Squad):
        return squad_marks(unit, prefix, tone=look.tone, contact=look.contact, is_numbered=look.is_numbered)
    if isinstance(unit, HexUnit):
        return hex_unit_marks(unit, prefix, tone=look.tone, board=look.board, others=others, language=look.language)
    return regiment_marks(unit, prefix, tone=look.tone, contact=look.contact)


def start_marks(unit: Unit, now: Unit | None, name: str, look: Look, *, lost_from: Unit | None = None) -> tuple[Mark, ...]:
    """Dash what has moved of a unit where it stood; `now` is the unit where it stands, None where it is gone.

    Models that are gone are crossed where they stand in `lost_from`, the unit with all of them, or where they stood.
    """
    if isinstance(unit, Squad):
        return squad_start(unit, now, name, tone=look.tone, lost_from=lost_from)
    if now is None or unit.place == now.place:
        return ()
    if isinstance(unit, HexUnit):
        return hex_unit_start(unit, name, tone=look.tone, board=look.board)
    return regiment_start(unit, unit.pose, name, tone=look.tone)


def stop_marks(unit: Unit, then: Unit, name: str, look: Look) -> tuple[Mark, ...]:
    """Dash what has moved of a unit where a part of its move ends, over everything that stands there."""
    if isinstance(unit, Squad):
        return squad_stop(unit, then, name, tone=look.tone)
    if isinstance(unit, HexUnit):
        return ()
    return (regiment_stop(unit, then.pose, name, tone=look.tone),)


def extremes(unit: Unit, board: Board) -> Points:
    """Give the lower left and upper right of all that a unit covers; nothing of one that has no models left."""
    if isinstance(unit, Squad):
        boxes = [model.footprint.bounds for model in unit.models]
    elif isinstance(unit, HexUnit) and isinstance(board, HexBoard):
        xs, ys = zip(*hex_unit_ring(unit, board), strict=True)
        boxes = [(min(xs), min(ys), max(xs), max(ys))]
    else:
        boxes = [unit.boundary.bounds]
    if not boxes:
        return ()
    wests, souths, easts, norths = zip(*boxes, strict=True)
    return ((min(wests), min(souths)), (max(easts), max(norths)))

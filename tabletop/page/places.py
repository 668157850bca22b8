"""Where everything is, for who drags it: places in the keys of files, outlines, gaps, and what overlaps. Inches and degrees, y up."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tabletop.errors import Fault
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape, are_boxes_apart, gap
from tabletop.geometry.shortest_segment import shortest_segment
from tabletop.table.hexes import FACINGS, HexBoard, distance, facing_of, number
from tabletop.table.squad import Formation, Model, Squad
from tabletop.table.state import Board, HexTerrain, HexUnit, Regiment, State, Terrain
from tabletop.units import facing_degrees

Entry = dict[str, Any]
WITHIN, MOST_NEAR = 3.0, 20
"""Inches within which gaps are told where nothing else is asked, and units of which they are told at once."""


def table_entries(state: State[Any]) -> Entry:
    """Return the board, the terrain in the order of the file, and the places of all units."""
    pieces: Sequence[Terrain | HexTerrain] = [*state.terrain, *state.hex_terrain]
    return {"board": _board(state.board), "terrain": [_piece(piece, state.board) for piece in pieces], "places": places(state)}


def places(state: State[Any]) -> dict[str, Entry]:
    """Return where each unit stands, by name."""
    return {name: place_of(unit, state.board) for name, unit in state.units.items()}


def moved_places(before: State[Any], after: State[Any]) -> dict[str, Entry]:
    """Return where the units stand that stood elsewhere before."""
    units = before.units
    return {name: place_of(unit, after.board) for name, unit in after.units.items() if name in units and units[name].place != unit.place}


def place_of(unit: Any, board: Board) -> Entry:
    """Return where a unit stands: as its file would say it, and its outlines."""
    if isinstance(unit, Squad):
        return {"kind": "squad", "models": [_model(model) for model in unit.models], "rings": [_ring(one.footprint) for one in unit.models]}
    pose: Pose = unit.pose
    looks = {"at": list(pose.at), "facing_deg": facing_degrees(pose.heading)}
    if isinstance(unit, Regiment):
        front = [list(unit.front_left), list(unit.front_right)]
        return {"kind": "regiment", **looks, "front": front, "rings": [_ring(unit.boundary)]}
    if not isinstance(board, HexBoard):
        raise TypeError(f"expected a board of hexes for {unit}")
    place = board.hex_at(pose.at)
    hexed = {"hex": number(place), "facing": FACINGS[facing_of(pose.heading)]}
    return {"kind": "hex", **looks, **hexed, "rings": [board.outline(place).tolist()]}


def _model(model: Model) -> Entry:
    more = {key: value for key, value in (("z", model.z), ("name", model.name)) if value}
    return {"at": list(model.pose.at), "facing_deg": facing_degrees(model.pose.heading), **more}


def _ring(shape: Shape) -> list[list[float]]:
    outline: list[list[float]] = shape.outline().tolist()
    return outline


def _piece(piece: Terrain | HexTerrain, board: Any) -> Entry:
    told: Entry = {"name": piece.name, "kind": piece.kind}
    if isinstance(piece, HexTerrain):
        rings = [board.outline(place).tolist() for place in piece.hexes]
        return {**told, "hexes": [number(place) for place in piece.hexes], "rings": rings}
    return {**told, "ring": _ring(piece.shape)}


def _board(board: Board) -> Entry:
    size = {"width": board.width, "depth": board.depth}
    if not isinstance(board, HexBoard):
        return size
    cells = ((column, row) for column in range(1, board.columns + 1) for row in range(1, board.rows + 1))
    centres = {number(place): list(board.centre(place)) for place in cells}
    return {**size, "columns": board.columns, "rows": board.rows, "hex_inches": board.hex_inches, "centres": centres}


def gaps(state: State[Any], near: Sequence[str], within: float = WITHIN) -> list[Entry]:
    """Return the gaps in inches from the units of `near` to all else that is no farther off; on hexes the hexes between the middles.

    Each pair once, the nearest first, with the ends of a shortest segment; who touches or overlaps has none.
    """
    found: list[Entry] = []
    for place, name in enumerate(near):
        others = [other for other in state.units if other != name and other not in near[:place]]
        found += _hex_gaps(state, name, others, within) if isinstance(state.board, HexBoard) else _gaps(state, name, others, within)
    return sorted(found, key=lambda one: float(one["gap"]))


def _gaps(state: State[Any], name: str, others: Sequence[str], within: float) -> Iterator[Entry]:
    own = _bodies(state.units[name])
    bodies = {other: _bodies(state.units[other]) for other in others} | {piece.name: [piece.shape] for piece in state.terrain}
    for other, theirs in bodies.items():
        pairs = [(one, two) for one in own for two in theirs if not are_boxes_apart(one, two, by=within)]
        least = min(((gap(one, two), number) for number, (one, two) in enumerate(pairs)), default=(math.inf, 0))
        if least[0] <= within:
            yield {"between": [name, other], "gap": least[0], **_ends(shortest_segment(*pairs[least[1]]) if least[0] > 0.0 else None)}


def _ends(segment: tuple[Point, Point] | None) -> Entry:
    return {} if segment is None else {"from": list(segment[0]), "to": list(segment[1])}


def _bodies(unit: Any) -> list[Shape]:
    return [model.footprint for model in unit.models] if isinstance(unit, Squad) else [unit.boundary]


def _hex_gaps(state: State[HexUnit], name: str, others: Sequence[str], within: float) -> Iterator[Entry]:
    board: Any = state.board
    start = state.units[name].pose.at
    for other in others:
        end = state.units[other].pose.at
        far = distance(board.hex_at(start), board.hex_at(end))
        if math.dist(start, end) <= within * board.hex_inches:
            yield {"between": [name, other], "gap": far, "unit": "hexes", "from": list(start), "to": list(end)}


def fault_entries(faults: Sequence[Fault], state: State[Any] | None = None) -> list[Entry]:
    """Return what is wrong: where in the scenario, in which words, between whom, and the rings of what they share."""
    return [_fault(fault, state) for fault in faults]


def _fault(fault: Fault, state: State[Any] | None) -> Entry:
    told: Entry = {"key": fault.key, "message": fault.message}
    if fault.line is not None:
        told["line"] = fault.line
    if fault.between:
        told["between"] = list(fault.between)
        told |= {} if state is None else _shared(fault, state)
    return told


def _shared(fault: Fault, state: State[Any]) -> Entry:
    from plots.marks.limits import fault_marks

    return {"overlap": [list(map(list, ring)) for mark in fault_marks(state, [fault], "fault") for ring in vars(mark)["rings"]]}


def claimed_places(claimed: Mapping[str, Any], state: State[Any]) -> dict[str, Entry]:
    """Return where units are claimed to end, by name."""
    return {name: _claimed(state.units[name], place, state.board) for name, place in claimed.items() if name in state.units}


def _claimed(unit: Any, place: Any, board: Board) -> Entry:
    if isinstance(place, Formation) and len(place.poses) != len(unit.models):
        return {"kind": "squad", "models": [{"at": list(pose.at), "facing_deg": facing_degrees(pose.heading)} for pose in place.poses]}
    return place_of(unit.at(place), board)

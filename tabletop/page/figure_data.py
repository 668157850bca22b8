"""Figures for the page as plain data: marks on the whole board with their owners; places, gaps and faults.

`plots.marks` decides what is drawn; this module only converts. Lengths are in inches and angles in degrees, with y up
the board; places have the keys of scenario files.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tabletop.errors import Fault
from tabletop.geometry.distance import are_boxes_apart, gap, shortest_segment
from tabletop.geometry.pose import Point, Pose
from tabletop.geometry.shape import Shape
from tabletop.language.speech import in_its_terms
from tabletop.language.speech import translated as said
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.hexes import HEX_FACINGS, HexBoard, distance, number, side_at
from tabletop.table.models import Formation, Model, RoundBase, Squad
from tabletop.table.state import Board, HexTerrain, HexUnit, Regiment, State, Terrain
from tabletop.units import facing_degrees

if TYPE_CHECKING:
    from plots.marks.mark import DrawnMark
    from plots.marks.units import UnitStyle
    from tabletop.language.language import Language


STAGES = ("before", "after")

SET_UP, END = "before", "end"
"""Id prefixes of the set-up's marks, and of the ghosts at end positions."""

MOST_DRAWN = 128
"""Units whose marks are cached: enough for one or two tables."""

WITHIN, MOST_NEAR = 3.0, 20
"""Default radius for gaps in inches, and greatest number of units for which gaps are reported."""

Owner = tuple[str, str | int] | None
"""Owner of a mark: ("unit", name), ("terrain", number in the file), ("ghost", name), or None."""

Marks = list[tuple["DrawnMark", Owner]]

Entry = dict[str, Any]


@in_its_terms
def table_figure(
    case: Case, faults: Sequence[Fault] = (), *, has_bodies: bool = True
) -> dict[str, Any]:
    """Return the figure of an unresolved case's table with its faults hatched; without `has_bodies` only the faults."""
    from plots.marks.faults import fault_marks
    from plots.marks.mark import under

    scene = _scene(case) if has_bodies else ()
    marks: Marks = [
        *scene,
        *((mark, None) for mark in under(SET_UP, fault_marks(case.state, faults))),
    ]
    return _figure(marks, case.state)


@in_its_terms
def answer_figure(
    case: Case,
    resolution: Resolution,
    judgement: Judgement | None = None,
    *,
    has_bodies: bool = True,
) -> dict[str, Any]:
    """Return the figure of a resolved case: set-up, moves, evidence, deciding marks, and outlines at the end positions.

    For a judged proposal, moves, end positions and faults are the proposal's. Without `has_bodies` the set-up is
    omitted. `focus` holds the sides in inches of the part of the board that is worth showing.
    """
    from plots.marks import panels
    from plots.marks.alt_text import description
    from plots.marks.mark import under
    from plots.marks.steps import named_models
    from tabletop.language.language import current_language
    from tabletop.language.spoken import in_language
    from tabletop.ruling.claimed import shown_resolution

    told = shown_resolution(case, resolution, judgement)
    claimed = None if judgement is None else case.claimed(resolution)
    untold = (resolution, judgement)
    resolution, judgement = in_language(current_language(), case, resolution, judgement)
    resolution = replace(
        resolution, rulings=tuple(replace(ruling, contrast=()) for ruling in resolution.rulings)
    )
    moments = panels.charge_story(resolution, claimed, judgement)
    shown = [panels.marks_of(moment) for moment in moments]
    first, *others = (under(one.name, marks) for one, marks in zip(moments, shown, strict=True))
    targets = frozenset(target for ruling in resolution.rulings for target in ruling.charge.targets)
    ends = [*_ghosts(resolution.before, told.after)]
    drawn = {_shape(mark) for mark, _ in ends}
    action = [mark for mark in first if _shape(mark) not in drawn]
    known = {_shape(mark) for mark in action}
    later = others if judgement is None else others[:1]
    action += [
        mark
        for marks in later
        for mark in marks
        if not mark.role.startswith("start.") and _shape(mark) not in known
    ]
    scene = (
        _scene(replace(case, state=resolution.before), named_models(told.rulings), targets)
        if has_bodies
        else ()
    )
    marks: Marks = [*scene, *((mark, None) for mark in action), *ends]
    return {
        **_figure(marks, resolution.before, description(case, *untold)),
        "focus": panels.window_of(moments, shown).section.sides,
    }


def demanded_figure(resolution: Resolution, judgement: Judgement) -> dict[str, Any] | None:
    """Return the figure of units' outlines at the places that the rules demand instead of a proposal; None if they
    demand none.
    """
    from tabletop.ruling.claimed import with_units_at

    if judgement.is_right or not judgement.better:
        return None
    return _figure(
        [*_ghosts(resolution.before, with_units_at(resolution, judgement.better), "demanded")],
        resolution.before,
    )


def contrast_figure(resolution: Resolution, ruling: Ruling) -> dict[str, Any] | None:
    """Return the figure of the alternative that figures draw of a ruling; None if there is none.

    It holds the outlines of the units at the places that are not taken, their models in contact, the way there, and
    what tells against it.
    """
    from plots.marks import panels
    from plots.marks.board import body_marks
    from plots.marks.mark import under

    shown = ruling.drawn_contrast
    moment = panels.contrast_moment(resolution, ruling)
    if shown is None or moment is None:
        return None
    bodies = body_marks(moment.state, shown.models_in_contact, contact=shown.models_in_contact)
    touching = [mark for mark in bodies if mark.role.startswith(("contact.", "touching."))]
    action = [mark for mark in panels.marks_of(moment) if not mark.owner.startswith("start.")]
    free = under(moment.name, [*touching, *action])
    ghosts = (
        (mark, owner)
        for mark, owner in _ghosts(resolution.before, moment.state, moment.name)
        if owner[1] in shown.units
    )
    return _figure([*((mark, None) for mark in free), *ghosts], resolution.before)


def marks_of(resolution: Resolution, figure: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the ids of the figure's marks that show each rule: deciding marks, and the line that it measures.

    Rules without marks are left out.
    """
    from plots.marks.deciding import charge_id, deciding

    stems: dict[str, list[str]] = {}
    for earlier, ruling in enumerate(resolution.rulings):
        charge = f".{charge_id(earlier)}" if earlier else ""
        reasons, goals = deciding(ruling)
        for place, one in enumerate((*reasons, *goals)):
            rule = one.rule
            stems.setdefault(rule, []).extend(
                f"{stage}{charge}.deciding.{place + 1}" for stage in STAGES
            )
        for stage in STAGES:
            lines = [line for line in ruling.evidence.dimensions if line.stage == stage]
            for finding in ruling.findings:
                stems.setdefault(finding.rule, []).extend(
                    f"{stage}{charge}.dimension.{place}"
                    for place, line in enumerate(lines, start=1)
                    if line == finding.line
                )
    owners = {
        mark["id"]: re.sub(r"^before\d+", "before", mark["owner"]) for mark in figure["marks"]
    }
    found = {
        rule: [one for one, owner in owners.items() if owner in of] for rule, of in stems.items()
    }
    return {rule: shown for rule, shown in found.items() if shown}


def figure_of(marks: Iterable["DrawnMark"], state: State[Any]) -> dict[str, Any]:
    """Return the figure, as plain data, of marks without owners."""
    return _figure([(mark, None) for mark in marks], state)


def _figure(marks: Marks, state: State[Any], alt: str = "") -> dict[str, Any]:
    from plots.marks.entries import entry, own_roles
    from plots.marks.mark import with_distinct_ids
    from plots.marks.section import whole_board

    distinct = with_distinct_ids(mark for mark, _ in marks)
    entries = [entry(mark, owner) for mark, (_, owner) in zip(distinct, marks, strict=True)]
    return {
        "section": whole_board(state.board).sides,
        "marks": entries,
        "roles": own_roles(distinct),
        "alt": alt,
    }


def _scene(
    case: Case, numbered: frozenset[str] = frozenset(), targets: frozenset[str] = frozenset()
) -> Iterator[Any]:
    """Yield (mark, owner) for board, terrain and units; units in `numbered` show the numbers of their models."""
    from plots.marks.board import ground_marks, tone_of
    from plots.marks.mark import identifier, under
    from plots.marks.section import whole_board
    from plots.marks.units import UnitStyle
    from tabletop.language.language import current_language

    state = case.state
    pieces = {
        identifier(SET_UP, "terrain", piece.name): number
        for number, piece in enumerate(state.terrain)
    }
    for mark in under(SET_UP, ground_marks(state, whole_board(state.board), named=targets)):
        number = pieces.get(mark.owner)
        yield mark, None if number is None else ("terrain", number)
    tone = tone_of(state)
    language = current_language()
    beside = tuple(state.units.values()) if isinstance(state.board, HexBoard) else ()
    for name, unit in state.units.items():
        look = UnitStyle(tone[name], state.board, is_numbered=name in numbered)
        for mark in _standing(unit, look, beside, language):
            yield mark, ("unit", name)


@lru_cache(maxsize=MOST_DRAWN)
def _standing(
    unit: Any, look: "UnitStyle", beside: tuple[Any, ...], language: "Language"
) -> tuple["DrawnMark", ...]:
    """Return the marks of a unit at its place; cached, since only one unit moves while it is dragged."""
    from plots.marks.mark import under
    from plots.marks.units import unit_marks
    from tabletop.language.language import speaking

    with speaking(language):
        return under(SET_UP, unit_marks(unit, look, others=beside))


def _ghosts(before: State[Any], after: State[Any], start: str = END) -> Iterator[Any]:
    """Yield (mark, owner) for the dashed outlines of units at their end positions; units that have not moved are left
    out.
    """
    from plots.marks.board import looks_of
    from plots.marks.mark import FacingMark, identifier, part_of
    from plots.marks.units import start_marks, stop_marks

    looks = looks_of(before)
    for name, unit in before.units.items():
        then = after.units.get(name)
        if then is None or then.place == unit.place:
            continue
        dashed = stop_marks(unit, then, looks[name])
        looking = (
            mark
            for mark in start_marks(then, unit, looks[name])
            if not dashed or isinstance(mark, FacingMark)
        )
        for mark in part_of(identifier(start, "unit", name), (*dashed, *looking)):
            yield mark, ("ghost", name)


def _shape(mark: "DrawnMark") -> Any:
    """Return a mark without id and owner, so that marks that draw the same are equal."""
    return replace(mark, id="", owner="")


# Where everything stands.


def table_entries(state: State[Any]) -> Entry:
    """Return the entries of the board, the terrain in file order, and the places of all units."""
    pieces: Sequence[Terrain | HexTerrain] = [*state.terrain, *state.hex_terrain]
    return {
        "board": _board(state.board),
        "terrain": [_piece(piece, state.board) for piece in pieces],
        "places": places(state),
    }


def places(state: State[Any]) -> dict[str, Entry]:
    """Return the place and outlines of each unit by name, as `place_of` does."""
    return {name: place_of(unit, state.board) for name, unit in state.units.items()}


def moved_places(before: State[Any], after: State[Any]) -> dict[str, Entry]:
    """Return the places after the moves of the units whose place differs from that before, by name."""
    units = before.units
    return {
        name: place_of(unit, after.board)
        for name, unit in after.units.items()
        if name in units and units[name].place != unit.place
    }


def claimed_places(claimed: Mapping[str, Any], state: State[Any]) -> dict[str, Entry]:
    """Return the end positions that a proposal claims, by unit name, as entries."""
    return {
        name: _claimed(state.units[name], place, state.board)
        for name, place in claimed.items()
        if name in state.units
    }


def _claimed(unit: Any, place: Any, board: Board) -> Entry:
    if isinstance(place, Formation) and len(place.poses) != len(unit.models):
        return {
            "kind": "squad",
            "models": [_pose(pose) for pose in place.poses],
        }
    return place_of(unit.at(place), board)


def place_of(unit: Any, board: Board) -> Entry:
    """Return a unit's place under the keys of a scenario file, and its outlines as `rings` of points (x, y) in inches.

    Models on round bases have their `radius`.
    """
    if isinstance(unit, Squad):
        return {
            "kind": "squad",
            "models": [_model(model) for model in unit.models],
            "rings": [_ring(one.footprint) for one in unit.models],
        }
    pose: Pose = unit.pose
    looks = _pose(pose)
    if isinstance(unit, Regiment):
        front = [list(unit.front_left), list(unit.front_right)]
        return {"kind": "regiment", **looks, "front": front, "rings": [_ring(unit.boundary)]}
    if not isinstance(board, HexBoard):
        raise TypeError(f"expected a board of hexes for {unit}")
    place = board.hex_at(pose.at)
    hexed = {"hex": number(place), "facing": HEX_FACINGS[side_at(pose.heading)]}
    return {"kind": "hex", **looks, **hexed, "rings": [board.outline(place).tolist()]}


def _pose(pose: Pose) -> Entry:
    return {"at": list(pose.at), "facing_deg": facing_degrees(pose.heading)}


def _model(model: Model) -> Entry:
    more: Entry = {key: value for key, value in (("z", model.z), ("name", model.name)) if value}
    more |= {"radius": model.base.diameter / 2} if isinstance(model.base, RoundBase) else {}
    return {**_pose(model.pose), **more}


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
    cells = (
        (column, row) for column in range(1, board.columns + 1) for row in range(1, board.rows + 1)
    )
    centres = {number(place): list(board.centre(place)) for place in cells}
    return {
        **size,
        "columns": board.columns,
        "rows": board.rows,
        "hex_inches": board.hex_inches,
        "centres": centres,
    }


def gaps(state: State[Any], near: Sequence[str], within: float = WITHIN) -> list[Entry]:
    """Return the gaps in inches from units in `near` to every body within a radius of `within` inches; on hexes,
    distances in hexes.

    Each pair is listed once, nearest first, with the ends of a shortest segment unless the shapes touch or overlap.
    """
    found: list[Entry] = []
    for place, name in enumerate(near):
        others = [other for other in state.units if other != name and other not in near[:place]]
        found += (
            _hex_gaps(state, name, others, within)
            if isinstance(state.board, HexBoard)
            else _gaps(state, name, others, within)
        )
    return sorted(found, key=lambda one: float(one["gap"]))


def _gaps(state: State[Any], name: str, others: Sequence[str], within: float) -> Iterator[Entry]:
    own = _bodies(state.units[name])
    bodies = {other: _bodies(state.units[other]) for other in others} | {
        piece.name: [piece.shape] for piece in state.terrain
    }
    for other, theirs in bodies.items():
        pairs = [
            (one, two) for one in own for two in theirs if not are_boxes_apart(one, two, by=within)
        ]
        least = min(
            ((gap(one, two), number) for number, (one, two) in enumerate(pairs)),
            default=(math.inf, 0),
        )
        if least[0] <= within:
            yield {
                "between": [name, other],
                "gap": least[0],
                **_ends(shortest_segment(*pairs[least[1]]) if least[0] > 0.0 else None),
            }


def _ends(segment: tuple[Point, Point] | None) -> Entry:
    return {} if segment is None else {"from": list(segment[0]), "to": list(segment[1])}


def _bodies(unit: Any) -> list[Shape]:
    return (
        [model.footprint for model in unit.models] if isinstance(unit, Squad) else [unit.boundary]
    )


def _hex_gaps(
    state: State[HexUnit], name: str, others: Sequence[str], within: float
) -> Iterator[Entry]:
    board: Any = state.board
    start = state.units[name].pose.at
    for other in others:
        end = state.units[other].pose.at
        far = distance(board.hex_at(start), board.hex_at(end))
        if math.dist(start, end) <= within * board.hex_inches:
            yield {
                "between": [name, other],
                "gap": far,
                "unit": "hexes",
                "from": list(start),
                "to": list(end),
            }


def fault_entries(faults: Sequence[Fault], state: State[Any] | None = None) -> list[Entry]:
    """Return the entry of each fault: key, message, line if known, the bodies involved, and with a `state` outlines of
    overlaps.
    """
    return [_fault(fault, state) for fault in faults]


def _fault(fault: Fault, state: State[Any] | None) -> Entry:
    told: Entry = {"key": fault.key, "message": said(fault.message)}
    if fault.line is not None:
        told["line"] = fault.line
    if fault.between:
        told["between"] = list(fault.between)
        told |= {} if state is None else _shared(fault, state)
    return told


def _shared(fault: Fault, state: State[Any]) -> Entry:
    from plots.marks.faults import fault_marks

    return {
        "overlap": [
            list(map(list, ring))
            for mark in fault_marks(state, [fault])
            for ring in vars(mark)["rings"]
        ]
    }

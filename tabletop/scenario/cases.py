"""Conversion between scenario files and values: `case_of` from a file's model, `scenario_of` and `with_entries` back.

Files give inches, degrees and millimetres of bases; values have inches and radians.
"""

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from pydantic import ValidationError

from tabletop.errors import Fault, ScenarioError
from tabletop.geometry.pose import Pose
from tabletop.geometry.shape import Shape, disc, polygon, rectangle
from tabletop.messages import nearest, shown
from tabletop.ruling.charge import Charge, Expectation
from tabletop.ruling.system import Case, System
from tabletop.scenario.document import ExpectEntry, Scenario, TerrainEntry, scenario_model
from tabletop.scenario.fields import (
    AccuracyEntry,
    PlaceEntry,
    RectangleEntry,
    hex_of,
    implied_names,
    names_of,
)
from tabletop.scenario.placements import placement_format
from tabletop.scenario.relations import claims, parallel_claims, relations_of, resolve_relations
from tabletop.scenario.vocabulary import Vocabulary
from tabletop.table.accuracy import Accuracy, Measured
from tabletop.table.hexes import HexBoard, number
from tabletop.table.models import Squad
from tabletop.table.state import Board, HexTerrain, HexUnit, Regiment, State, Terrain, Unit


def case_of(scenario: Scenario, system: System, *, book: Any = None) -> Case:
    """Return the case of a scenario file, relative placements resolved; `book` replaces the rule book of the system.

    Raises
    ------
    ScenarioError
        If a relative placement leads to no place.
    """
    written = scenario
    scenario = resolve_relations(scenario, system)
    state = _state(scenario, system)
    related = claims(scenario, system)
    measured = measured_of(scenario)
    declarations = system.vocabulary.declarations
    return Case(
        system=system,
        edition=scenario.edition,
        state=state,
        charges=tuple(
            Charge(entry.charger, entry.targets, entry.dice, _keys(entry, declarations))
            for entry in scenario.charges
        ),
        choices=scenario.rules,
        book=system.book if book is None else book,
        title=scenario.title,
        note=scenario.note,
        source=scenario.source,
        point=_point(scenario.point, system),
        proposal=_proposal(scenario, system, state) if related is None else {},
        claims_of=related,
        expect=tuple(_expectation(entry) for entry in scenario.expect),
        measured=measured and replace(measured, **_related(written, state)),
    )


def _related(scenario: Scenario, state: State[Any]) -> dict[str, Any]:
    """Return the attributes of `Measured` that come from relations; `state` is the table as written."""
    carried, relations = relations_of(scenario, state)
    return {"carried": carried, "relations": relations, "parallel": parallel_claims(scenario)}


def _point(rule: str, system: System) -> str:
    """Return the name of the rule that a figure is about, "" if none is given.

    Raises
    ------
    ScenarioError
        If the system has no such rule.
    """
    names = [one.name for one in system.rules]
    if rule and rule not in names:
        message = "no rule of {name} is called {rule}{hint}"
        raise ScenarioError(
            Fault.of(
                "point", message, name=system.name, rule=shown(rule), hint=nearest(rule, names)
            )
        )
    return rule


def _state(scenario: Scenario, system: System) -> State[Any]:
    words = system.vocabulary
    board = _board(scenario.board)
    read = placement_format(words).read
    units = {
        name: words.complete(read(name, entry, board)) for name, entry in scenario.units.items()
    }
    pieces: list[tuple[str, Any]] = list(
        zip(names_of(scenario.terrain), scenario.terrain, strict=True)
    )
    return State(
        board,
        units,
        tuple(
            terrain_of(name, entry, words)
            for name, entry in pieces
            if isinstance(entry, TerrainEntry)
        ),
        tuple(
            HexTerrain(
                name,
                entry.kind,
                tuple(map(hex_of, entry.hexes)),
                _keys(entry, words.terrain_keys),
                entry.name is not None,
            )
            for name, entry in pieces
            if not isinstance(entry, TerrainEntry)
        ),
    )


def _board(entry: Any) -> Board:
    return (
        HexBoard.of(entry.columns, entry.rows, entry.hex_inches)
        if hasattr(entry, "columns")
        else Board(entry.width, entry.depth)
    )


def terrain_of(name: str, entry: TerrainEntry, words: Vocabulary) -> Terrain:
    """Return the piece of terrain of a file's entry; without a height it has the height of its kind."""
    height = (
        dict(words.heights).get(entry.kind, 0.0) if entry.height is None else float(entry.height)
    )
    data = _keys(entry, words.terrain_keys)
    return Terrain(name, entry.kind, _shape(entry), height, data, entry.name is not None)


def _shape(entry: TerrainEntry) -> Shape:
    if entry.polygon is not None:
        return polygon(entry.polygon)
    if entry.circle is not None:
        return disc(entry.circle.centre, entry.circle.radius)
    form = cast("RectangleEntry", entry.rectangle)  # exactly one of the three is given
    middle = Pose(*form.centre, math.radians(form.angle_deg) + math.pi / 2)
    return rectangle(middle.advanced(form.depth / 2), form.width, form.depth)


def _keys(entry: Any, model: type[Any]) -> Any:
    return model(**{key: getattr(entry, key) for key in model.model_fields})


def _proposal(scenario: Scenario, system: System, state: State[Any]) -> Mapping[str, Any] | None:
    if scenario.proposal is None:
        return None
    read = placement_format(system.vocabulary).read_place
    entries = dict[str, Any](scenario.units)
    # unknown units are reported elsewhere
    claimed = [(name, entry) for name, entry in scenario.proposal.units.items() if name in entries]
    alike = [
        (name, entry)
        for name, entry in claimed
        if isinstance(entry, PlaceEntry) == isinstance(entries[name], PlaceEntry)
    ]
    return {name: read(entry, state.units[name], state.board) for name, entry in alike}


def _expectation(entry: ExpectEntry) -> Expectation:
    return Expectation(
        outcome=entry.outcome,
        rule=entry.rule,
        metrics=entry.metrics,
        choices=entry.choices,
        judged=None if entry.judged is None else (entry.judged.outcome, entry.judged.rule),
        units={
            name: unit.model_dump(mode="json", exclude_none=True)
            for name, unit in entry.units.items()
        },
        tolerance=entry.tolerance,
    )


def measured_of(scenario: Scenario) -> Measured | None:
    """Return the accuracies of the places in a file, without its relations; None if everything is exact."""
    things: list[tuple[str, Any]] = [
        *scenario.units.items(),
        *zip(names_of(scenario.terrain), scenario.terrain, strict=True),
    ]
    told = {name: entry.accuracy for name, entry in things if entry.accuracy is not None}
    claimed = None if scenario.proposal is None else scenario.proposal.accuracy
    table = _accuracy(scenario.accuracy)
    own = {name: _accuracy(entry) for name, entry in told.items()}
    proposal = table if claimed is None else _accuracy(claimed)
    if table.is_exact and proposal.is_exact and all(accuracy.is_exact for accuracy in own.values()):
        return None
    return Measured(table, own, proposal)


def _accuracy(entry: AccuracyEntry | None) -> Accuracy:
    if entry is None:
        return Accuracy()
    return Accuracy(entry.at, None if entry.facing_deg is None else math.radians(entry.facing_deg))


def scenario_of(case: Case, *, state: State[Any] | None = None) -> Scenario:
    """Return a scenario file of the table of a case, or of `state` if given, without charges, proposal and
    expectations.
    """
    table = case.state if state is None else state
    content = {
        "system": case.system.name,
        "edition": case.edition,
        **{
            key: text
            for key in ("title", "note", "source", "point")
            if (text := getattr(case, key))
        },
        "rules": case.choices.model_dump(exclude_unset=True),
        "board": _board_entry(table.board),
        "terrain": _terrain_entries([*table.terrain, *table.hex_terrain], case.system.vocabulary),
        "units": {unit.name: unit_entry(unit, case) for unit in table.units.values()},
    }
    return scenario_model(case.system).model_validate(
        {key: value for key, value in content.items() if value}
    )


def _board_entry(board: Board) -> dict[str, Any]:
    if isinstance(board, HexBoard):
        return {"columns": board.columns, "rows": board.rows, "hex_inches": board.hex_inches}
    return {"width": board.width, "depth": board.depth}


def _terrain_entries(
    pieces: Sequence[Terrain | HexTerrain], words: Vocabulary
) -> list[dict[str, Any]]:
    """Return the entries of pieces of terrain as tables of a file, without names that are implied by kind and
    number.
    """
    implied = implied_names(piece.kind for piece in pieces)
    return [
        {
            **({"name": piece.name} if piece.is_named or piece.name != name else {}),
            "kind": piece.kind,
            **_extent(piece, words),
        }
        for piece, name in zip(pieces, implied, strict=True)
    ]


def _extent(piece: Terrain | HexTerrain, words: Vocabulary) -> dict[str, Any]:
    """Return the keys of a file for the area, the height and the data of a piece of terrain, without a height that its
    kind implies.
    """
    if isinstance(piece, HexTerrain):
        return {"hexes": [number(place) for place in piece.hexes], **_data(piece.data)}
    implied = (
        piece.height == dict(words.heights).get(piece.kind, 0.0) and piece.kind not in words.tall
    )
    height = {} if implied else {"height": piece.height}
    return {**_form(piece.shape), **height, **_data(piece.data)}


def _form(shape: Shape) -> dict[str, Any]:
    if shape.radius:
        west, south, east, north = shape.bounds
        return {
            "circle": {"centre": [(west + east) / 2, (south + north) / 2], "radius": shape.radius}
        }
    return {"polygon": shape.outline().tolist()}


def _data(data: Any) -> dict[str, Any]:
    """Return the keys of a system's data whose values differ from the defaults; empty for None."""
    keys: dict[str, Any] = (
        {} if data is None else data.model_dump(mode="json", exclude_defaults=True)
    )
    return keys


def unit_entry(unit: Unit, case: Case) -> dict[str, Any]:
    """Return a unit as a table of a scenario file: inches, degrees, bases in millimetres."""
    return _unit_entry(unit, case.system.vocabulary, case.state.board)


def _unit_entry(unit: Unit, words: Vocabulary, board: Board) -> dict[str, Any]:
    profile = _given(unit.profile)
    return {
        "side": unit.side,
        **({"status": list(unit.status)} if unit.status else {}),
        **({"profile": profile} if profile else {}),
        **placement_format(words).written(unit, board),
    }


def _given(keys: Any) -> Mapping[str, Any]:
    """Return the keys that were set, with their values, of a pydantic model or a mapping; empty for None."""
    set_keys: Mapping[str, Any] = (
        keys.model_dump(exclude_unset=True) if hasattr(keys, "model_dump") else keys or {}
    )
    return set_keys


def with_entries(tables: Mapping[str, Any], words: Vocabulary) -> dict[str, Any]:
    """Return the tables of a scenario in which boards, units, terrain and charges given as Python values are replaced
    by tables.

    Anything else is unchanged.
    """
    told = dict(tables)
    given = tables.get("board")
    board: Board = HexBoard.of(99, 99)  # a stand-in: the invalid board is reported later
    if isinstance(given, Board):
        told["board"] = _board_entry(given)
        board = given
    else:
        with suppress(ValidationError):
            board = _board(placement_format(words).board.model_validate(given))
    units, terrain, charges = (told.get(key) for key in ("units", "terrain", "charges"))
    if isinstance(units, Mapping):
        told["units"] = {name: _entry_of(unit, words, board) for name, unit in units.items()}
    if isinstance(terrain, (list, tuple)) and all(
        isinstance(piece, (Terrain, HexTerrain)) for piece in terrain
    ):
        told["terrain"] = _terrain_entries(terrain, words)
    if isinstance(charges, (list, tuple)):
        told["charges"] = [
            _charge_entry(charge) if isinstance(charge, Charge) else charge for charge in charges
        ]
    return told


def _entry_of(unit: Any, words: Vocabulary, board: Board) -> Any:
    """Return the table of a unit given as a Python value; any other value unchanged."""
    way = placement_format(words)
    if isinstance(unit, Regiment) and not way.is_mine(unit):
        unit = replace(unit, halves_files=not unit.halves_files)
    return (
        _unit_entry(unit, words, board)
        if isinstance(unit, (Regiment, HexUnit, Squad)) and way.is_mine(unit)
        else unit
    )


def _charge_entry(charge: Charge) -> dict[str, Any]:
    dice = {} if charge.dice is None else {"dice": charge.dice}
    return {
        "charger": charge.charger,
        "targets": charge.targets,
        **dice,
        **_given(charge.declarations),
    }


def place_entry(place: Any, case: Case) -> dict[str, Any]:
    """Return a place, or a single pose, as a table of a scenario file."""
    return placement_format(case.system.vocabulary).written_place(place, case.state.board)

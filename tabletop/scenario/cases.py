"""From a validated scenario file to values, and from values back to a scenario file."""

import math
from collections.abc import Callable, Mapping
from typing import Any, cast

from tabletop.pose import Pose
from tabletop.ruling import Case, Charge, Expectation, System
from tabletop.scenario.document import ExpectEntry, PlaceEntry, RectangleEntry, RegimentEntry, Scenario, TerrainEntry, scenario_model
from tabletop.scenario.fields import rectangle_mm
from tabletop.shapes import Shape, disc, polygon, rectangle
from tabletop.state import Base, Board, Regiment, State, Terrain
from tabletop.units import MM_PER_INCH, facing_degrees, inches


def case_of(scenario: Scenario, system: System, *, book: Any = None) -> Case:
    """Turn a scenario file into a case; `book` replaces the system's own numbers."""
    return Case(
        system=system,
        edition=scenario.edition,
        state=_state(scenario, system.vocabulary.complete),
        charges=tuple(_charge(entry, system.vocabulary.declarations) for entry in scenario.charges),
        choices=scenario.rules,
        book=system.book if book is None else book,
        title=scenario.title,
        note=scenario.note,
        source=scenario.source,
        proposal=None if scenario.proposal is None else {name: pose_of(entry) for name, entry in scenario.proposal.units.items()},
        expect=tuple(_expectation(entry) for entry in scenario.expect),
    )


def pose_of(entry: PlaceEntry) -> Pose:
    """Read a place: inches and degrees to inches and radians."""
    return Pose(*entry.at, math.radians(entry.facing_deg))


def _state(scenario: Scenario, complete: Callable[[Regiment], Regiment]) -> State:
    units = {name: complete(_regiment(name, entry)) for name, entry in scenario.units.items()}
    terrain = tuple(Terrain(entry.name, entry.kind, _shape(entry), float(entry.height)) for entry in scenario.terrain)
    return State(Board(scenario.board.width, scenario.board.depth), units, terrain)


def _regiment(name: str, entry: RegimentEntry) -> Regiment:
    width, depth = rectangle_mm(entry.base)
    return Regiment(
        name=name,
        side=entry.side,
        pose=pose_of(entry),
        files=entry.files,
        models=entry.models,
        base=Base(inches(width), inches(depth)),
        profile=entry.profile,
        status=entry.status,
    )


def _shape(entry: TerrainEntry) -> Shape:
    if entry.polygon is not None:
        return polygon(entry.polygon)
    if entry.circle is not None:
        return disc(entry.circle.centre, entry.circle.radius)
    form = cast("RectangleEntry", entry.rectangle)  # exactly one of the three is given
    middle = Pose(*form.centre, math.radians(form.angle_deg) + math.pi / 2)
    return rectangle(middle.advanced(form.depth / 2), form.width, form.depth)


def _charge(entry: Any, declarations: type[Any]) -> Charge:
    own = declarations(**{key: getattr(entry, key) for key in declarations.model_fields})
    return Charge(entry.charger, entry.targets, entry.dice, own)


def _expectation(entry: ExpectEntry) -> Expectation:
    return Expectation(
        outcome=entry.outcome,
        rule=entry.rule,
        metrics=entry.metrics,
        choices=entry.choices,
        judged=None if entry.judged is None else (entry.judged.outcome, entry.judged.rule),
        units={name: unit.model_dump(mode="json", exclude_none=True) for name, unit in entry.units.items()},
        tolerance=entry.tolerance,
    )


def scenario_of(case: Case, *, state: State | None = None) -> Scenario:
    """Write the table of a case as a scenario file, without charges, proposal and expectations; `state` replaces the table."""
    table = case.state if state is None else state
    content = {
        "system": case.system.name,
        "edition": case.edition,
        **{key: text for key in ("title", "note", "source") if (text := getattr(case, key))},
        "rules": case.choices.model_dump(exclude_unset=True),
        "board": {"width": table.board.width, "depth": table.board.depth},
        "terrain": [_terrain_entry(piece) for piece in table.terrain],
        "units": {unit.name: unit_entry(unit) for unit in table.units.values()},
    }
    return scenario_model(case.system).model_validate({key: value for key, value in content.items() if value})


def unit_entry(unit: Regiment) -> dict[str, Any]:
    """Write a regiment as a table of the file: inches, degrees, base in millimetres."""
    profile: Mapping[str, Any] = unit.profile.model_dump(exclude_unset=True)
    return {
        "side": unit.side,
        **({"status": list(unit.status)} if unit.status else {}),
        **({"profile": profile} if profile else {}),
        **place_entry(unit.pose),
        "files": unit.files,
        "models": unit.models,
        "base": f"{_millimetres(unit.base.width)}x{_millimetres(unit.base.depth)}mm",
    }


def place_entry(pose: Pose) -> dict[str, Any]:
    """Write a pose as the file does: `at` in inches, `facing_deg` in degrees."""
    return {"at": [pose.x + 0.0, pose.y + 0.0], "facing_deg": facing_degrees(pose.heading)}


def _terrain_entry(piece: Terrain) -> dict[str, Any]:
    return {"name": piece.name, "kind": piece.kind, **_form(piece.shape), **({"height": piece.height} if piece.height else {})}


def _form(shape: Shape) -> dict[str, Any]:
    if shape.radius:
        west, south, east, north = shape.bounds
        return {"circle": {"centre": [(west + east) / 2, (south + north) / 2], "radius": shape.radius}}
    return {"polygon": shape.outline().tolist()}


def _millimetres(length: float) -> str:
    return f"{length * MM_PER_INCH:.9f}".rstrip("0").rstrip(".")

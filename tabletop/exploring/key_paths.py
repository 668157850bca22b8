"""Key paths into the tables of a scenario file, and setting the values there.

Besides the keys of the file, `units.NAME.x` and `units.NAME.y` move a whole unit: the front of a regiment, or all loose
models together, by the first of them that has a place; units placed relative to it follow. `rules.KEY`, `edition` and
`system.FIELD`, a number of the rule book, are keys too.
"""

import copy
import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, cast

from tabletop.errors import Fault, ScenarioError, UsageError
from tabletop.messages import nearest, quoted, say, shown
from tabletop.scenario.bases import is_number
from tabletop.scenario.fields import FRONTS
from tabletop.scenario.relations import MODEL_RELATIONS
from tabletop.table.hexes import HexBoard
from tabletop.table.state import Board

_PLACE = 3


@cache
def path_of(key: str) -> tuple[str, ...]:
    """Return the parts of a key path, split as TOML splits dotted keys: `units.'The Guard'.at.0` has four."""
    try:
        table: Any = tomllib.loads(f"{key} = 0")
    except tomllib.TOMLDecodeError:
        raise UsageError(
            "--vary {key}: not a key path such as units.B.facing_deg or units.'The Guard'.at.0",
            key=key,
        ) from None
    parts = []
    while isinstance(table, dict):
        ((part, table),) = table.items() if len(table) == 1 else ((key, 0),)
        parts.append(part)
    return tuple(parts)


def unit_named(key: str, tables: Mapping[str, Any], *, as_in: str = "board") -> str:
    """Return the name of the unit in a key `units.NAME`; raise UsageError if it is another key or no such unit exists.

    `as_in` is the value that the error message shows as an example.
    """
    parts = path_of(key)
    known = _units(tables)
    if len(parts) != 2 or parts[0] != "units":  # noqa: PLR2004
        raise UsageError(
            "--vary {key}={as_in}: only a unit can be moved over the board, as in units.B={as_in}",
            key=key,
            as_in=as_in,
        )
    if parts[1] not in known:
        message = "--vary {key}: no unit is called {name}{hint} (units: {known})"
        raise UsageError(
            message,
            key=key,
            name=repr(parts[1]),
            hint=nearest(parts[1], known),
            known=quoted(known),
        )
    return parts[1]


def unit_key(unit: str, key: str) -> str:
    """Return the key path `units.NAME.KEY` of a unit's key, with the name quoted if TOML requires it."""
    return f"units.{unit if re.fullmatch(r'[A-Za-z0-9_-]+', unit) else json.dumps(unit, ensure_ascii=False)}.{key}"


def board_of(tables: Mapping[str, Any]) -> Board:
    """Return the board of a file's tables: one of hexes if it gives columns, else one of width and depth in inches.

    Raises
    ------
    ScenarioError
        If the file has no valid board.
    """
    board = tables.get("board")
    given: Mapping[str, Any] = board if isinstance(board, Mapping) else {}
    sides = [
        given.get(side)
        for side in (("columns", "rows") if "columns" in given else ("width", "depth"))
    ]
    if any(not is_number(side) or not 0 < side < math.inf for side in sides):
        raise ScenarioError(
            Fault.of(
                "board",
                "expected width and depth in inches, or columns and rows, given {board}",
                board=shown(board),
            )
        )
    first, second = cast("list[float]", sides)
    return (
        HexBoard.of(int(first), int(second))
        if "columns" in given
        else Board(float(first), float(second))
    )


def _units(tables: Mapping[str, Any]) -> Mapping[str, Any]:
    units = tables.get("units", {})
    return units if isinstance(units, Mapping) else {}


def with_values(
    tables: Mapping[str, Any], keys: Sequence[str], values: Sequence[Any]
) -> dict[str, Any]:
    """Return a copy of a file's tables with each of `keys` set to its value; numbers of the rule book (`system.FIELD`)
    are skipped.

    Raises
    ------
    UsageError
        If a key does not exist, or a unit has no place to move.
    """
    changed = dict(tables)
    for key, value in zip(keys, values, strict=True):
        parts = path_of(key)
        if parts[0] != "system" or len(parts) == 1:
            _copy(changed, parts)
            _set(changed, parts, value, key)
    return changed


def paths_set_by(key: str, tables: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    """Return the paths of all values that a key sets: one, or for `units.NAME.x` a coordinate of its front or of each
    loose model.
    """
    room, *rest = path_of(key)
    if room != "units":
        return ((room, *map(_plain, rest)),)
    name, *parts = rest or ("",)
    unit = _units(tables).get(name)
    if parts not in (["x"], ["y"]) or not isinstance(unit, Mapping):
        return ((room, name, *map(_plain, parts)),)
    axis = str("xy".index(parts[0]))
    return tuple((room, name, *path, axis) for path in _coordinate_paths(unit))


def _plain(part: str) -> str:
    """Return a part of a key path, without leading zeros if it is a number."""
    return str(int(part)) if part.isdecimal() else part


def _copy(tables: dict[str, Any], parts: tuple[str, ...]) -> None:
    """Replace the table that a key changes by a deep copy, in place; of the units only that unit.

    Everything else stays shared.
    """
    whole = tables.get(parts[0])
    if isinstance(whole, dict) and len(parts) > 2 and parts[1] in whole:  # noqa: PLR2004 - a key of a table of the table
        tables[parts[0]] = {**whole, parts[1]: copy.deepcopy(whole[parts[1]])}
    elif parts[0] in tables:
        tables[parts[0]] = copy.deepcopy(whole)


def book_numbers(keys: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    """Return the numbers of the rule book among the varied values: the value of each key `system.FIELD`, by field."""
    paths = [path_of(key) for key in keys]
    return {
        path[1]: value
        for path, value in zip(paths, values, strict=True)
        if path[0] == "system" and len(path) > 1
    }


def _set(tables: dict[str, Any], parts: tuple[str, ...], value: Any, key: str) -> None:
    if parts[0] == "rules":
        tables.setdefault("rules", {})
    if len(parts) == _PLACE and parts[0] == "units" and parts[2] in ("x", "y"):
        _move(_entered(tables, parts[:2], key), "xy".index(parts[2]), value, key)
        return
    inner = _entered(tables, parts[:-1], key)
    if isinstance(inner, list):
        inner[_index(inner, parts[-1], key)] = value
    elif isinstance(inner, dict):
        inner[parts[-1]] = value
    else:
        raise UsageError("--vary {key}: {name} holds no keys", key=key, name=parts[-2])


def _entered(tables: Any, parts: Sequence[str], key: str) -> Any:
    inner = tables
    for part in parts:
        if isinstance(inner, list):
            inner = inner[_index(inner, part, key)]
        elif isinstance(inner, dict) and part in inner:
            inner = inner[part]
        else:
            known = list(inner) if isinstance(inner, dict) else []
            message = "--vary {key}: there is no {name}{hint} (there: {known})"
            raise UsageError(
                message,
                key=key,
                name=repr(part),
                hint=nearest(part, known),
                known=quoted(known) or say("nothing"),
            )
    return inner


def _index(entries: Sequence[Any], part: str, key: str) -> int:
    if not part.isdecimal() or int(part) >= len(entries):
        raise UsageError(
            "--vary {key}: {name} is not the number of an entry (0 to {last})",
            key=key,
            name=repr(part),
            last=len(entries) - 1,
        )
    return int(part)


def _move(unit: Any, axis: int, value: Any, key: str) -> None:
    """Move a unit's entry in place along an axis (0 is x, 1 is y) so that its front, or first model, is at `value`
    inches.
    """
    if not isinstance(unit, dict) or isinstance(value, (str, bool)):
        message = "--vary {key}: expected inches as START:STOP:STEP, or with commas between, given {value}"
        raise UsageError(message, key=key, value=shown(value))
    relation = next((part for part in FRONTS if part in unit), None)
    spots = coordinates_of(unit)
    if relation is not None or (not spots and "models" in unit):
        kept = f"{key.rpartition('.')[0]}.{relation or 'models.0'}"
        raise UsageError(
            "--vary {key}: this unit is placed relative to others; vary those, or a number in {kept}",
            key=key,
            kept=kept,
        )
    if not spots:
        remedy = (
            say("; vary its hex instead")
            if "hex" in unit
            else say(" that can be moved: expected [x, y] in its `at`, or in that of each model")
        )
        raise UsageError(
            "--vary {key}: this unit has no place in inches{remedy}", key=key, remedy=remedy
        )
    shift = value - spots[0][axis]
    for spot in spots:
        spot[axis] += shift


def coordinates_of(unit: Mapping[str, Any]) -> list[list[float]]:
    """Return the places of a unit's front, or of its loose models, as the mutable [x, y] lists in its table, in inches.

    Models placed relative to others are not listed; the result is empty if any place is not a list of numbers.
    """
    found = [_entered(unit, path, "") for path in _coordinate_paths(unit)]
    return found if all(map(_is_spot, found)) else []


def _coordinate_paths(unit: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return the key paths, within a unit's table, of the place of its front or of each of its loose models."""
    at = unit.get("at")
    models = unit.get("models")
    if at is not None:
        return (
            [("at", str(number)) for number in range(len(at))]
            if isinstance(at, list) and at and isinstance(at[0], list)
            else [("at",)]
        )
    rows = enumerate(models) if isinstance(models, list) else ()
    return [
        ("models", str(number), "at")
        for number, model in rows
        if isinstance(model, dict) and "at" in model
    ]


def _is_spot(place: Any) -> bool:
    """Return whether a value is a place: a list of two or more numbers."""
    return (
        isinstance(place, list)
        and len(place) >= 2  # noqa: PLR2004 - x and y
        and all(isinstance(one, (int, float)) for one in place)
    )


def has_relations(unit: Mapping[str, Any]) -> bool:
    """Return whether a unit, or some of its models, are placed relative to others."""
    models = unit.get("models")
    rows = (
        [model for model in models if isinstance(model, Mapping)]
        if isinstance(models, list)
        else []
    )
    return any(key in row for row in (unit, *rows) for key in (*FRONTS, *MODEL_RELATIONS))

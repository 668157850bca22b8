"""Whether varied values mean anything to their keys: a word that is misread would make every one of its cases invalid in silence."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails
from pydantic_core.core_schema import ErrorType

from tabletop import registry
from tabletop.errors import ScenarioError, UsageError
from tabletop.exploring.axes import Axis, Steps
from tabletop.exploring.keys import path_of, with_values
from tabletop.ruling.system import System
from tabletop.scenario.document import scenario_model
from tabletop.scenario.overrides import with_numbers
from tabletop.scenario.reading import case_from_tables
from tabletop.words import key_path, nearest, shown

TOLERATED = re.compile(r"greater_than|less_than|multiple_of|too_(short|long)|string_too|edition$|text$|name$|extra_forbidden|missing")
"""Kinds of problems with values that are understood: beyond a limit, too long, not built yet. They make invalid cases among others."""
WHOLE = ("int_type", "int_from_float")
"""Kinds of problems of a number with a fraction where whole ones stand."""
KINDS = frozenset(get_args(ErrorType))
"""Kinds of problems that a value has by itself; all others come of what else the file says."""
TABLES = ("model_type", "dict_type", "tuple_type", "list_type", "model_attributes_type")


def refuse_misread(axes: Sequence[Axis], tables: Mapping[str, Any]) -> None:
    """Refuse values that are of another kind than their key wants, or words that it does not know.

    Raises
    ------
    UsageError
        Naming key, value, what was expected, and the nearest word.
    """
    name = tables.get("system")
    if not isinstance(name, str) or not registry.knows(name):
        return
    system = registry.find(name)
    before = frozenset(_place(detail) for detail in _details(tables, system))
    for key, value in _looked_at(axes):
        _refuse_value(key, value, tables, system, before)


def _looked_at(axes: Sequence[Axis]) -> Iterator[tuple[str, Any]]:
    """Give keys with those of their values that are looked at; of what is drawn the first, for all are of its kind."""
    for axis in axes:
        if axis.together:
            yield from zip(axis.keys, axis.values[0], strict=True)
        elif not axis.are_sure:
            yield from ((axis.key, value) for value in _different(axis.values))


def takes_whole_numbers(key: str, low: float, tables: Mapping[str, Any]) -> bool:
    """Tell whether a key takes `low` only as a whole number: another beside it is refused, and not for what it is."""
    name = tables.get("system")
    path = path_of(key)
    if not isinstance(name, str) or not registry.knows(name):
        return False
    system = registry.find(name)
    part = math.floor(low) + 0.5
    if path[0] == "system" and len(path) > 1:
        return get_type_hints(type(system.book)).get(path[1]) is int
    changed = with_values(tables, (key,), (part,))
    return any(detail["type"] in WHOLE and _is_misread(path, detail) for detail in _details(changed, system))


def _different(values: Sequence[Any]) -> Sequence[Any]:
    """Give the values that are looked at: of evenly spaced numbers the first, for all are of its kind."""
    return values[:1] if isinstance(values, (Steps, range)) else tuple({repr(value): value for value in values}.values())


def _refuse_value(key: str, value: Any, tables: Mapping[str, Any], system: System, before: frozenset[tuple[Any, ...]]) -> None:
    """Refuse a value at which the file's model finds something that it did not find `before`."""
    path = path_of(key)
    if path[0] == "system" and len(path) > 1:
        try:
            with_numbers(system.book, {path[1]: value})
        except UsageError as error:
            raise UsageError(str(error).replace("--set ", "--vary ", 1)) from None
        return
    changed = with_values(tables, (key,), (value,))
    wrong = (detail for detail in _details(changed, system) if _place(detail) not in before and _is_misread(path, detail))
    why = next(map(_sentence, wrong), None) or _unknown_name(path, value, changed)
    if why is not None:
        spans = "; spans are START:STOP:STEP" if isinstance(value, str) and ":" in value else ""
        raise UsageError(f"--vary {key}: {why}{spans}")


def _details(tables: Mapping[str, Any], system: System) -> list[ErrorDetails]:
    try:
        scenario_model(system).model_validate(tables)
    except ValidationError as error:
        return error.errors(include_url=False)
    return []


def _place(detail: ErrorDetails) -> tuple[Any, ...]:
    return (*detail["loc"], detail["type"])


def _is_misread(path: tuple[str, ...], detail: ErrorDetails) -> bool:
    """Tell whether a problem is at a key or below it, and of the kind of its value; its place names the forms that were tried too.

    A number of which the key's kind has nothing to say, but which does not go with other keys, is understood.
    """
    parts = iter(map(str, detail["loc"]))
    is_number = isinstance(detail["input"], (int, float)) and not isinstance(detail["input"], bool)
    goes_not_with_others = is_number and detail["type"] not in KINDS
    return all(part in parts for part in path) and not TOLERATED.match(detail["type"]) and not goes_not_with_others


def _sentence(detail: ErrorDetails) -> str:
    given = detail["input"]
    if detail["type"] in TABLES:
        return f"{shown(given)} is no table or list, which stands here; vary what is in it, as in units.B.at.0, or units.B=board"
    words = re.findall(r"'([^']*)'", str(detail.get("ctx", {}).get("expected", "")))
    near = nearest(given, words) if isinstance(given, str) else ""
    return f"{detail['msg'].replace('Input should be', 'expected')}, given {shown(given)}{near}"


def _unknown_name(path: tuple[str, ...], value: Any, changed: Mapping[str, Any]) -> str | None:
    """Say that nobody is called so, of a charger or target that is named."""
    if path[0] != "charges" or not isinstance(value, str):
        return None
    key = key_path([int(part) if part.isdecimal() else part for part in path])
    try:
        case_from_tables(changed)
    except ScenarioError as error:
        return next((problem.message for problem in error.problems if problem.key == key and "is called" in problem.message), None)
    return None

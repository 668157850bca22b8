"""`--set`: replaces a choice of `[rules]` or a number of the system's book for one run."""

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tabletop.errors import UsageError
from tabletop.ruling.system import System
from tabletop.scenario.complaints import validated
from tabletop.words import listed, nearest

_FORM = "expected rules.KEY=VALUE or system.FIELD=VALUE"


def split(overrides: Sequence[str], *, form: str = _FORM) -> tuple[dict[str, Any], dict[str, Any]]:
    """Part `--set` arguments into choices and book numbers; values are read as TOML, else as a bare word. `form` says what is expected."""
    parts: dict[str, dict[str, Any]] = {"rules": {}, "system": {}}
    for text in overrides:
        path, equals, value = text.partition("=")
        room, dot, key = path.strip().partition(".")
        if not equals or not dot or not key or room not in parts:
            raise UsageError(f"--set {text}: {form}")
        parts[room][key] = value_of(value.strip())
    return parts["rules"], parts["system"]


def with_choices(raw: Mapping[str, Any], choices: Mapping[str, Any], system: System) -> dict[str, Any]:
    """Give a file's tables with some choices replaced."""
    _, problems = validated(system.vocabulary.choices, choices)
    if problems:
        raise UsageError("\n".join(f"--set rules.{problem}" for problem in problems))
    given = raw.get("rules", {})
    return {**raw, "rules": {**given, **choices}} if choices and isinstance(given, dict) else dict(raw)


def with_numbers(book: Any, numbers: Mapping[str, Any]) -> Any:
    """Give the book with some of its numbers replaced."""
    kinds = get_type_hints(type(book))
    fields = [field.name for field in dataclasses.fields(book)]
    for key, value in numbers.items():
        if key not in fields:
            raise UsageError(f"--set system.{key}: the book has no such number{nearest(key, fields)} (it has: {listed(fields)})")
        _refuse_other_kind(key, value, kinds[key])
    return dataclasses.replace(book, **numbers)


def _refuse_other_kind(key: str, value: Any, kind: Any) -> None:
    try:
        TypeAdapter(kind, config=ConfigDict(strict=True, allow_inf_nan=False)).validate_python(value)
    except ValidationError as error:
        expected = error.errors()[0]["msg"].replace("Input should be", "expected")
        raise UsageError(f"--set system.{key}: {expected}, given {value!r}") from None


def value_of(text: str) -> Any:
    """Read a value as TOML does: a number, a boolean, a quoted text; anything else is a bare word."""
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text

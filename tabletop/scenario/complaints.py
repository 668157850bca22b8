"""What pydantic found wrong, said in the words of the file: key path, what was expected, the nearest valid name."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tabletop.errors import Problem
from tabletop.scenario.limits import PROBLEMS
from tabletop.words import key_path, listed, nearest, shown

Model = TypeVar("Model", bound=BaseModel)
Location = tuple[str | int, ...]
_TABLES = {"model_type", "dict_type", "model_attributes_type"}
_LENGTHS = {"too_short": ("min_length", "at least"), "too_long": ("max_length", "at most")}


def validated(model: type[Model], raw: Mapping[str, Any]) -> tuple[Model | None, list[Problem]]:
    """Validate a table, and give the model with the problems found; unknown keys alone still leave a model to check further."""
    try:
        return model.model_validate(raw), []
    except ValidationError as error:
        found = [detail for detail in error.errors(include_url=False) if not _is_echo(detail)]
    problems = [_problem(model, detail) for detail in found[: PROBLEMS + 1]]
    unknown = [detail["loc"] for detail in found if detail["type"] == "extra_forbidden"]
    if len(unknown) < len(found):
        return None, problems
    known, more = validated(model, _without(raw, unknown))
    return known, [*problems, *more]


def _is_echo(detail: ErrorDetails) -> bool:
    """Tell whether a list is called too short only because some of its entries are refused themselves."""
    return detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]


def _problem(model: type[BaseModel], detail: ErrorDetails) -> Problem:
    location: Location = tuple(part for part in detail["loc"] if part != "[key]")
    return Problem(key_path(location), _sentence(model, location, detail))


def _sentence(model: type[BaseModel], location: Location, detail: ErrorDetails) -> str:
    kind, context, given = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind == "extra_forbidden":
        known = keys_at(model, location[:-1])
        return f"unknown key{nearest(str(location[-1]), known)} (known here: {listed(known)})"
    if kind == "missing":
        return "is missing"
    if kind == "literal_error":
        words = keys_of_literal(model, location)
        return f"expected {context['expected']}, given {shown(given)}{nearest(given, words) if isinstance(given, str) else ''}"
    if kind in _TABLES:
        return f"expected a table, given {shown(given)}"
    if kind in _LENGTHS:
        bound, phrase = _LENGTHS[kind]
        return f"expected {phrase} {context[bound]} {'entry' if context[bound] == 1 else 'entries'}, given {len(given)}"
    message = detail["msg"].replace("Input should be a valid tuple", "expected a list").replace("Input should be", "expected")
    return f"{message}, given {shown(given)}"


def keys_at(model: type[BaseModel], location: Sequence[str | int]) -> tuple[str, ...]:
    """Give the valid keys of the table at a location inside a model's data."""
    inner = _annotation(model, location)
    return tuple(inner.model_fields) if isinstance(inner, type) and issubclass(inner, BaseModel) else ()


def keys_of_literal(model: type[BaseModel], location: Sequence[str | int]) -> tuple[str, ...]:
    """Give the valid words at a location inside a model's data."""
    return tuple(str(word) for word in get_args(_annotation(model, location)))


def _annotation(model: type[BaseModel], location: Iterable[str | int]) -> Any:
    inner: Any = model
    for part in location:
        inner = _bare(_entered(inner, part))
    return inner


def _entered(annotation: Any, part: str | int) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = annotation.model_fields.get(str(part))
        return field.annotation if field else None
    inside = get_args(annotation)
    return (inside[-1] if get_origin(annotation) is dict else inside[0]) if inside else None


def _bare(annotation: Any) -> Any:
    """Take `Annotated` and `| None` away."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return _bare(next(choice for choice in get_args(annotation) if choice is not type(None)))
    return annotation


def _without(raw: Mapping[str, Any], locations: Iterable[Location]) -> dict[str, Any]:
    pruned = copy.deepcopy(dict(raw))
    for *path, last in locations:
        inner: Any = pruned
        for part in path:
            inner = inner[part]
        inner.pop(last, None)
    return pruned

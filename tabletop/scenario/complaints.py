"""What pydantic found wrong, said in the words of the file: key path, what was expected, the nearest valid name."""

import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from tabletop.errors import Fault
from tabletop.scenario.expected import Location, annotation_at, holds_tables, is_fixed, keys_at, located, wanted, wording, words_of
from tabletop.scenario.limits import PROBLEMS
from tabletop.words import key_path, listed, nearest, shown

Model = TypeVar("Model", bound=BaseModel)
_TABLES = {"model_type", "dict_type", "model_attributes_type"}
_LENGTHS: dict[str, tuple[str, str]] = {"too_short": ("min_length", "at least"), "too_long": ("max_length", "at most")}
_KINDS = {"bool_type": "true or false", "string_type": "text", "string_unicode": "text that UTF-8 can hold", "tuple_type": "a list"}
_OF_VALUES = {*_LENGTHS, "greater_than", "greater_than_equal", "less_than", "less_than_equal", "union_length"}
"""Kinds of complaint about a value of the right kind."""
_NUMBERS, _DECIMALS = {"float_type", "int_type", "union_type", "base", "accuracy"}, re.compile(r"\d,\d")
"""Kinds of complaint about text where numbers are expected, and numbers with a comma."""
_POINT = "; decimals have a point, not a comma: 10.5"


class _Complaint(NamedTuple):
    """What pydantic found wrong at a key path."""

    location: Location
    detail: ErrorDetails

    @property
    def is_of_kind(self) -> bool:
        """Whether the value as a whole is of another kind."""
        return self.detail["type"].endswith("_type")


def validated(model: type[Model], raw: Mapping[str, Any]) -> tuple[Model | None, list[Fault]]:
    """Validate a table, and give the model with the problems found; unknown keys alone still leave a model to check further."""
    try:
        return model.model_validate(raw), []
    except ValidationError as error:
        found = [detail for detail in error.errors(include_url=False) if not _is_echo(detail)]
    told = _of_lists(model, raw, _of_alternatives(model, raw, found))
    problems = [Fault(key_path(one.location), _sentence(model, one)) for one in told[: PROBLEMS + 1]]
    unknown = [detail["loc"] for detail in found if detail["type"] == "extra_forbidden"]
    if len(unknown) < len(found):
        return None, problems
    known, more = validated(model, _without(raw, unknown))
    return known, [*problems, *more]


def _is_echo(detail: ErrorDetails) -> bool:
    """Tell whether a list is called too short only because some of its entries are refused themselves."""
    return detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]


def _of_alternatives(model: type[BaseModel], raw: Mapping[str, Any], found: Iterable[ErrorDetails], depth: int = 0) -> Iterator[_Complaint]:
    """Where a value may be one of several kinds, keep what is wrong with the kind that it is nearest to, or that it is of none.

    At `depth` the kinds of a value within as many others are told apart.
    """
    places = [
        (location, dict(enumerate(lengths)).get(depth), detail) for detail in found for location, lengths in [located(model, detail["loc"])]
    ]
    for (length, start), group in groupby(places, key=lambda one: (one[1], one[0][: one[1]])):
        if length is None:
            yield from (_Complaint(location, detail) for location, _, detail in group)
            continue
        kinds: dict[str | int, list[_Complaint]] = {}
        for location, _, detail in group:
            kinds.setdefault(detail["loc"][length + depth], []).append(_Complaint(location, detail))
        deeper = [kind for kind in kinds.values() if all(len(one.location) > length for one in kind)]
        if deeper:
            yield from _of_alternatives(model, raw, [one.detail for one in min(deeper, key=len)], depth + 1)
        else:
            given, first = _value(raw, start), next(iter(kinds.values()))[0]
            kind = "union_length" if isinstance(given, list) else "union_type"
            yield _Complaint(start, {**first.detail, "type": kind, "input": given})


def _of_lists(model: type[BaseModel], raw: Mapping[str, Any], found: Iterable[_Complaint]) -> list[_Complaint]:
    """Where all entries of a list with words of its own are of another kind, complain of the list."""
    told: list[_Complaint] = []
    for start, group in groupby(found, key=lambda one: one.location[:-1]):
        some = list(group)
        entries = _value(raw, start) if all(one.is_of_kind for one in some) else None
        if isinstance(entries, Sequence) and len(entries) == len(some) and wording(annotation_at(model, start)):
            told.append(_Complaint(start, {**some[0].detail, "type": "list_type", "input": entries}))
        else:
            told += some
    return told


def _value(raw: Any, location: Location) -> Any:
    for part in location:
        raw = raw[part]
    return raw


def _sentence(model: type[BaseModel], complaint: _Complaint) -> str:
    location, detail = complaint
    kind, given, annotation = detail["type"], detail["input"], annotation_at(model, location, detail["loc"])
    if kind == "extra_forbidden":
        table, unknown = detail["loc"][:-1], str(location[-1])
        known = keys_at(model, location[:-1], table)
        inside = [key for key in known if unknown in keys_at(model, (*location[:-1], key), (*table, key))]
        places = " or in ".join(f"{key} = {{ {unknown} = ... }}" for key in inside)
        hint = f"; it stands in {places}" if inside else nearest(unknown, known)
        return f"unknown key{hint} (known here: {listed(known)})"
    if kind == "missing":
        expected = wanted(annotation)
        return f"is missing; expected {expected}" if expected else "is missing"
    if kind in _LENGTHS and not is_fixed(annotation):
        bound, phrase = _LENGTHS[kind]
        least = detail["ctx"][bound]
        return f"expected {phrase} {least} {'entry' if least == 1 else 'entries'}, given {len(given)}"
    if (complaint.is_of_kind or kind in _OF_VALUES) and wording(annotation):
        return f"expected {wording(annotation)}, given {shown(given)}{_POINT if _has_commas(given, kind) else ''}"
    return f"{_expected(detail, annotation, location)}{_POINT if _has_commas(given, kind) else ''}"


def _has_commas(given: Any, kind: str) -> bool:
    """Tell whether decimals were meant: in text that is no number or size, or in a list that is too long for whole numbers."""
    if isinstance(given, str):
        return kind in _NUMBERS and _DECIMALS.search(given) is not None
    return kind in ("too_long", "union_length") and isinstance(given, list) and all(isinstance(part, int) for part in given)


def _expected(detail: ErrorDetails, annotation: Any, location: Location) -> str:
    """Say what pydantic expected, in words of the file."""
    kind, given, context = detail["type"], detail["input"], detail.get("ctx", {})
    if kind == "literal_error":
        near = nearest(given, words_of(annotation)) if isinstance(given, str) else ""
        return f"expected {context['expected']}, given {shown(given)}{near}"
    if kind == "string_too_long":
        return f"expected at most {context['max_length']} characters, given {len(given)}"
    if kind == "tuple_type" and isinstance(given, Mapping) and holds_tables(annotation):
        return f"expected a list of tables, given one table; in TOML each begins with [[{location[-1]}]], in double brackets"
    if kind in _TABLES:
        is_doubled = isinstance(given, list) and given and all(isinstance(entry, Mapping) for entry in given)
        brackets = f"; in TOML it begins with [{key_path(location)}], in single brackets" if is_doubled else ""
        return f"expected {wanted(annotation) or 'a table'}, given {shown(given)}{brackets}"
    message = f"expected {_KINDS[kind]}" if kind in _KINDS else detail["msg"].replace("Input should be", "expected")
    return message if isinstance(given, Mapping) and not kind.endswith("_type") else f"{message}, given {shown(given)}"


def _without(raw: Mapping[str, Any], locations: Iterable[Location]) -> dict[str, Any]:
    pruned = copy.deepcopy(dict(raw))
    for *path, last in locations:
        inner: Any = pruned
        for part in path:
            inner = inner[part]
        inner.pop(last, None)
    return pruned

"""Validation of tables by pydantic models, with messages in the terms of the file: key path, expected value,
suggestion.

What is expected is told by `Expected` beside a type in `Annotated`, or else derived from the type.
"""

import copy
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, Tag, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from tabletop.errors import UNKNOWN_KEY, Fault
from tabletop.messages import key_path, listed, nearest, quoted, say, shown
from tabletop.scenario.limits import PROBLEMS

Location = tuple[str | int, ...]

Model = TypeVar("Model", bound=BaseModel)

KEY_MARK = "[key]"
"""Part that pydantic appends to the location of an invalid key."""

_WORDS = {
    float: say("a number"),
    int: say("a whole number"),
    bool: say("true or false"),
    str: say("text"),
}

_TABLES = {"model_type", "dict_type", "model_attributes_type"}

_LENGTHS: dict[str, tuple[str, Callable[..., str]]] = {
    "too_short": ("min_length", partial(say, "expected at least {entries}, given {count}")),
    "too_long": ("max_length", partial(say, "expected at most {entries}, given {count}")),
}

_KINDS = {
    "bool_type": say("expected true or false"),
    "string_type": say("expected text"),
    "string_unicode": say("expected text that UTF-8 can hold"),
    "tuple_type": say("expected a list"),
}
"""Expected values in a file, by pydantic's error type."""

_VALID = {
    "bool_type": say("expected a valid boolean"),
    "string_type": say("expected a valid string"),
    "tuple_type": say("expected a valid tuple"),
    "float_type": say("expected a valid number"),
    "int_type": say("expected a valid integer"),
    "int_from_float": say("expected a valid integer, got a number with a fractional part"),
    "finite_number": say("expected a finite number"),
}
"""Pydantic's own texts for the same and further error types."""

_BOUNDS: dict[str, Callable[..., str]] = {
    "greater_than": partial(say, "expected greater than {gt:.10g}"),
    "greater_than_equal": partial(say, "expected greater than or equal to {ge:.10g}"),
    "less_than": partial(say, "expected less than {lt:.10g}"),
    "less_than_equal": partial(say, "expected less than or equal to {le:.10g}"),
}

_OWN = "message"
"""Context key of errors with their own message."""

_OF_VALUES = {
    *_LENGTHS,
    "finite_number",
    "greater_than",
    "greater_than_equal",
    "less_than",
    "less_than_equal",
}
"""Error types about the value, not the type."""

_NUMBERS, _DECIMALS = {"float_type", "int_type", "accuracy"}, re.compile(r"\d,\d")
"""Error types of texts in place of numbers, and a number with a decimal comma."""

_NUMBER = re.compile(r"([-+]?\d+(?:\.\d+)?)\s*([a-zA-Z°\"']*)")
"""Text that is a number, perhaps with a unit."""

_LONGEST = 40
"""Characters of a value repeated in corrected form."""

_CHOICES = re.compile("'[^']*'")
"""Quoted words in pydantic's list of alternatives."""

_POINT = say("; decimals have a point, not a comma: 10.5")


@dataclass(frozen=True)
class Expected:
    """The expected value of a type in words, for use in `Annotated`."""

    words: str


class _FileProblem(NamedTuple):
    """An error of pydantic, and where in the file it is.

    Attributes
    ----------
    location
        Parts of the key path.
    types
        For each table on the way to the key and the key itself, its type and, if that has alternatives, the one meant.
    detail
        The error as pydantic reports it.
    """

    location: Location
    types: tuple[tuple[Any, Any], ...]
    detail: ErrorDetails

    @property
    def annotation(self) -> Any:
        """The type that the value at the key path should have."""
        return self.types[-1][0]

    @property
    def is_of_kind(self) -> bool:
        """Whether the value as a whole has the wrong type."""
        return self.detail["type"].endswith("_type")


def validated(model: type[Model], raw: Mapping[str, Any]) -> tuple[Model | None, list[Fault]]:
    """Return the pydantic model of a table, or None if it is invalid, and the faults found.

    If unknown keys are the only faults, the model of the table without them is returned too, so that it can be checked
    further.
    """
    try:
        return model.model_validate(raw), []
    except ValidationError as error:
        details = [detail for detail in error.errors(include_url=False) if not _is_echo(detail)]
    found = [_FileProblem(*_walked(model, detail["loc"]), detail) for detail in details]
    told = _of_lists(raw, found)
    problems = [
        Fault(key_path(one.location), _sentence(one), kind=one.detail["type"])
        for one in told[: PROBLEMS + 1]
    ]
    unknown = [one.location for one in found if one.detail["type"] == "extra_forbidden"]
    if len(unknown) < len(found):
        return None, problems
    pruned = copy.deepcopy(dict(raw))
    for *path, last in unknown:
        _value(pruned, path).pop(last, None)
    known, more = validated(model, pruned)
    return known, [*problems, *more]


def _is_echo(detail: ErrorDetails) -> bool:
    """Return whether pydantic reports a list as too short only because some of its entries are invalid."""
    return detail["type"] == "too_short" and len(detail["input"]) >= detail["ctx"]["min_length"]


def _of_lists(raw: Mapping[str, Any], found: Iterable[_FileProblem]) -> list[_FileProblem]:
    """Return the errors, with those of a list whose entries all have the wrong type merged into one about the whole
    list.
    """
    told: list[_FileProblem] = []
    for start, group in groupby(found, key=lambda one: one.location[:-1]):
        some = list(group)
        entries = _value(raw, start) if all(one.is_of_kind for one in some) else None
        if (
            isinstance(entries, Sequence)
            and len(entries) == len(some)
            and own_words(some[0].types[-2][0])
        ):
            told.append(
                _FileProblem(
                    start,
                    some[0].types[:-1],
                    {**some[0].detail, "type": "list_type", "input": entries},
                )
            )
        else:
            told += some
    return told


def _value(raw: Any, location: Sequence[str | int]) -> Any:
    for part in location:
        raw = raw[part]
    return raw


def _sentence(complaint: _FileProblem) -> str:
    location, types, detail = complaint
    kind = detail["type"]
    given = detail["input"]
    annotation = complaint.annotation
    if kind == "extra_forbidden":
        table = types[-2][1]
        unknown = str(location[-1])
        known = _keys(table)
        inside = [key for key in known if unknown in _keys(_entered(table, key))]
        places = listed((f"{key} = {{ {unknown} = ... }}" for key in inside), " or in ")
        # facing for facing_deg
        longer = next((key for key in known if key.startswith(f"{unknown}_")), unknown)
        hint = (
            say("; it belongs in {places}", places=places)
            if inside and longer == unknown
            else nearest(longer, known)
        )
        return say(UNKNOWN_KEY, hint=hint, known=quoted(known))
    if kind == "missing":
        expected = expected_words(annotation)
        return (
            say("is missing; expected {expected}", expected=expected)
            if expected
            else say("is missing")
        )
    if kind in _LENGTHS and not is_fixed(annotation):
        bound, phrase = _LENGTHS[kind]
        least = detail["ctx"][bound]
        entries = say("1 entry") if least == 1 else say("{count} entries", count=least)
        return phrase(entries=entries, count=len(given))
    if (complaint.is_of_kind or kind in _OF_VALUES) and own_words(annotation):
        message = "expected {wording}, given {given}{hint}"
        return say(
            message,
            wording=own_words(annotation),
            given=shown(given),
            hint=_remedy(detail, annotation, location),
        )
    return say(
        "{expected}{hint}",
        expected=_expected(detail, annotation, location),
        hint=_remedy(detail, annotation, location),
    )


def _remedy(detail: ErrorDetails, annotation: Any, location: Location) -> str:
    """Return a hint about a common mistake in a value, such as quotes around a number; empty if none is known."""
    kind = detail["type"]
    given = detail["input"]
    bare = _bare(annotation)
    if _has_commas(given, kind):
        return _POINT
    if isinstance(given, str) and (told := _unquoted(given, bare, kind, str(location[-1]))):
        return told
    if (
        isinstance(given, float)
        and bare is int
        and given.is_integer()
        and (value := _written(int(given)))
    ):
        return say("; a whole number has no point: {value}", value=value)
    if (
        bare is str
        and type(given) in (int, float)
        and not own_words(annotation)
        and (value := _written(given))
    ):
        return say("; write text in quotes: {word}", word=f'"{value}"')
    return _bracketed(detail, annotation, location)


def _unquoted(given: str, bare: Any, kind: str, key: str) -> str:
    """Return the hint for a text given in place of a number, boolean or facing; empty if none is known.

    `bare` is the expected type, `kind` pydantic's error type, `key` the key in the file.
    """
    if key.endswith("facing_deg"):
        return say("; 0 looks to the right, 90 up the board, 180 to the left, 270 down")
    number = _NUMBER.fullmatch(given.strip()) if _is_number(bare) or kind == "accuracy" else None
    if number is not None and number[2]:
        return say(
            "; write numbers without quotes and units: lengths are in inches, angles in degrees"
        )
    value = (
        number[1]
        if number is not None
        else given.casefold()
        if bare is bool and given.casefold() in ("true", "false")
        else ""
    )
    return (
        say("; write it without quotes: {value}", value=value) if 0 < len(value) <= _LONGEST else ""
    )


def _bracketed(detail: ErrorDetails, annotation: Any, location: Location) -> str:
    """Return the hint for a value in place of a table or list, or a list in place of a value; empty if neither is the
    case.
    """
    kind = detail["type"]
    given = detail["input"]
    bare = _bare(annotation)
    if kind in _TABLES and not isinstance(given, Mapping) and not _holds_mappings(given):
        fields = bare.model_fields if _is_table(bare) else {}
        keys = [name for name, field in fields.items() if field.is_required()] or [*fields][:1]
        return (
            say(
                "; in TOML: {table}",
                table=f"{location[-1]} = {{ {', '.join(f'{key} = ...' for key in keys)} }}",
            )
            if keys
            else ""
        )
    if kind == "tuple_type" and isinstance(given, (str, int, float)) and not own_words(annotation):
        of_numbers = isinstance(given, str) and _is_number(_bare(_entered(annotation, 0)))
        number = _NUMBER.fullmatch(str(given)) if of_numbers else None
        value = number[1] if number is not None else "4, 2" if of_numbers else _written(given)
        return (
            say("; write a list in brackets: {value}", value=f"[{value}]")
            if 0 < len(value) <= _LONGEST
            else ""
        )
    return (
        alone(given) if bare in _WORDS or get_origin(bare) is Literal or kind == "accuracy" else ""
    )


def alone(given: Any) -> str:
    """Return the hint for a list of one entry in place of a single value; empty for any other value."""
    value = _written(given[0]) if isinstance(given, list) and len(given) == 1 else ""
    return say("; write it without brackets: {value}", value=value) if value else ""


def _written(value: Any) -> str:
    """Return a value as a file has it, as text; empty if that is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:  # an integer of thousands of digits
        return ""
    return text if len(text) <= _LONGEST else ""


def _is_number(bare: Any) -> bool:
    """Return whether a type is int, float, or a choice of whole numbers."""
    return bare in (int, float) or (
        get_origin(bare) is Literal and all(type(word) is int for word in get_args(bare))
    )


def _holds_mappings(given: Any) -> bool:
    """Return whether a value is a list of tables that is not empty."""
    return (
        isinstance(given, list)
        and bool(given)
        and all(isinstance(entry, Mapping) for entry in given)
    )


def _has_commas(given: Any, kind: str) -> bool:
    """Return whether a decimal comma was probably meant: in a text, or in a list with too many whole numbers."""
    if isinstance(given, str):
        return kind in _NUMBERS and _DECIMALS.search(given) is not None
    return (
        kind == "too_long"
        and isinstance(given, list)
        and all(isinstance(part, int) for part in given)
    )


def _expected(detail: ErrorDetails, annotation: Any, location: Location) -> str:
    """Return the sentence that says what was expected and what was given, in the terms of a file."""
    kind = detail["type"]
    given = detail["input"]
    context = detail.get("ctx", {})
    if kind == "literal_error":
        near = (
            nearest(given, words_of(annotation))
            if isinstance(given, str) and not _is_number(_bare(annotation))
            else ""
        )
        known = (
            _choice(annotation) if get_origin(_bare(annotation)) is Literal else context["expected"]
        )
        return say(
            "expected {known}, given {given}{hint}", known=known, given=shown(given), hint=near
        )
    if kind == "string_too_long":
        return say(
            "expected at most {most} characters, given {count}",
            most=context["max_length"],
            count=len(given),
        )
    if kind == "tuple_type" and isinstance(given, Mapping) and holds_tables(annotation):
        return say(
            "expected a list of tables, given one table; in TOML each begins with [[{key}]], in double brackets",
            key=location[-1],
        )
    if kind in _TABLES:
        name = key_path(location if kind != "dict_type" else (*location, "NAME"))
        brackets = (
            say("; in TOML it begins with [{key}], in single brackets", key=name)
            if _holds_mappings(given)
            else ""
        )
        table = expected_words(annotation) or say("a table")
        return say(
            "expected {wanted}, given {given}{brackets}",
            wanted=table,
            given=shown(given),
            brackets=brackets,
        )
    message = _KINDS.get(kind) or told_by(detail)
    is_table = isinstance(given, Mapping) and not kind.endswith("_type")
    return (
        message
        if is_table
        else say("{message}, given {given}", message=message, given=shown(given))
    )


def told_by(detail: ErrorDetails) -> str:
    """Return the text of a pydantic error in this program's words; a custom message is returned as it is."""
    kind = detail["type"]
    context = detail.get("ctx", {})
    if kind in _BOUNDS:
        return _BOUNDS[kind](**context)
    if kind == "literal_error" and (words := _CHOICES.findall(context["expected"])):
        return say("expected {known}", known=_one_of(words))
    own: str = (
        context.get(_OWN)
        or _VALID.get(kind)
        or detail["msg"].replace("Input should be", "expected")
    )
    return own


def refusal(kind: str, message: str) -> PydanticCustomError:
    """Return a pydantic error with a message of this program; `kind` is its error type."""
    return PydanticCustomError(kind, "{message}", {_OWN: message})


def _walked(model: type[BaseModel], told: Location) -> tuple[Location, tuple[tuple[Any, Any], ...]]:
    """Return a location of pydantic's without union tags, and for each step along it, from the model on, (type,
    alternative meant).
    """
    location: Location = ()
    types: list[tuple[Any, Any]] = [(model, model)]
    for part in told:
        whole, meant = types[-1]
        if (kind := _tagged(meant).get(part)) is not None:
            types[-1] = (whole, kind)
        elif part != KEY_MARK:
            inner = _entered(meant, part)
            location = (*location, part)
            types = [*types, (inner, inner)]
    return location, tuple(types)


def _tagged(annotation: Any) -> dict[str | int, Any]:
    """Return the alternatives of a type by their tags; empty if they have none."""
    told = (
        (choice, extra)
        for choice in _choices(annotation)
        for extra in getattr(choice, "__metadata__", ())
    )
    return {extra.tag: choice for choice, extra in told if isinstance(extra, Tag)}


def _keys(annotation: Any) -> tuple[str, ...]:
    """Return the keys of a type that is a table; empty for any other type."""
    inner = _bare(annotation)
    return tuple(inner.model_fields) if _is_table(inner) else ()


def words_of(annotation: Any) -> tuple[str, ...]:
    """Return the valid values of a `Literal` type as texts."""
    return tuple(str(word) for word in get_args(_bare(annotation)))


def own_words(annotation: Any) -> str:
    """Return the words of the `Expected` beside a type, or an empty text."""
    inner = _optional(annotation)
    if get_origin(inner) is not Annotated:
        return ""
    own = [extra.words for extra in inner.__metadata__ if isinstance(extra, Expected)]
    return own[-1] if own else own_words(inner.__origin__)


def expected_words(annotation: Any) -> str:
    """Return words for what a type expects; empty if any value is valid."""
    told = own_words(annotation)
    bare = _bare(annotation)
    if told or bare in _WORDS:
        return told or _WORDS[bare]
    if _is_table(bare):
        needed = [name for name, field in bare.model_fields.items() if field.is_required()]
        return (
            say("a table with {needed}", needed=listed(needed, " and "))
            if needed
            else say("a table")
        )
    if get_origin(bare) is Literal:
        return _choice(bare)
    return {dict: say("a table"), Mapping: say("a table"), tuple: say("a list")}.get(
        get_origin(bare), ""
    )


def _choice(annotation: Any) -> str:
    """Return the valid values of a `Literal` type as a text, such as "'left', 'right' or 'rear'"."""
    return _one_of([repr(word) for word in get_args(_bare(annotation))])


def _one_of(words: Sequence[str]) -> str:
    """Return words joined by commas, the last by "or"."""
    *most, last = words
    return say("{most} or {last}", most=", ".join(most), last=last) if most else last


def is_fixed(annotation: Any) -> bool:
    """Return whether a type that has `Expected` words is a tuple of fixed length, or has only such alternatives."""
    kinds = [_bare(choice) for choice in _choices(annotation)]
    return (
        all(get_origin(kind) is not tuple or Ellipsis not in get_args(kind) for kind in kinds)
        and own_words(annotation) != ""
    )


def holds_tables(annotation: Any) -> bool:
    """Return whether a type is a list of tables."""
    inside = get_args(_bare(annotation))
    return bool(inside) and _is_table(_bare(inside[0]))


def _is_table(bare: Any) -> bool:
    return isinstance(bare, type) and issubclass(bare, BaseModel)


def _entered(annotation: Any, part: str | int) -> Any:
    inner = _bare(annotation)
    if _is_table(inner):
        field = inner.model_fields.get(str(part))
        return None if field is None else Annotated[(field.annotation, *field.metadata, None)]
    inside = get_args(inner)
    return (inside[-1] if get_origin(inner) in (dict, Mapping) else inside[0]) if inside else None


def _choices(annotation: Any) -> tuple[Any, ...]:
    """Return the alternatives of a type, without `Annotated` around them and without None."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        left = tuple(choice for choice in get_args(annotation) if choice is not type(None))
        return _choices(left[0]) if len(left) == 1 else left
    return (annotation,)


def _optional(annotation: Any) -> Any:
    """Return a type without None as an alternative."""
    choices = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()
    left = [choice for choice in choices if choice is not type(None)]
    return _optional(left[0]) if len(left) == 1 else annotation


def _bare(annotation: Any) -> Any:
    """Return a type without `Annotated` around it and None; of several alternatives the first."""
    first = _choices(annotation)[0]
    return first if first is annotation else _bare(first)

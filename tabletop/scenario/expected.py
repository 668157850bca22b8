"""What is expected at a key path: found in the models, and said in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

Location = tuple[str | int, ...]
KEY_MARK = "[key]"
"""What pydantic adds to the location of a key that is itself refused."""
_WORDS = {float: "a number", int: "a whole number", bool: "true or false", str: "text"}


@dataclass(frozen=True)
class Wanted:
    """What a value should be, in words: stands in `Annotated` beside what pydantic checks."""

    words: str


def located(model: type[BaseModel], location: Location) -> tuple[Location, tuple[int, ...]]:
    """Return a location without pydantic's names of alternatives, and how long it is at each of these."""
    steps = list(_walked(model, location))
    return steps[-1][0], tuple(len(one) for (one, _), (other, _) in pairwise(steps) if one == other)


def _walked(model: type[BaseModel], location: Location) -> Iterator[tuple[Location, Any]]:
    """Yield places and types on the way to a location that pydantic gives; of one with alternatives the type as a whole, then the one."""
    annotation: Any = model
    place: Location = ()
    yield place, annotation
    for part in location:
        choices = _choices(annotation)
        if part == KEY_MARK:
            continue
        if len(choices) > 1:
            annotation = next((choice for choice in choices if _is_named(choice, str(part))), choices[0])
        else:
            annotation, place = _entered(annotation, part), (*place, part)
        yield place, annotation


def _is_named(choice: Any, name: str) -> bool:
    """Tell whether pydantic calls an alternative so: tables by their models, last among what checks them; lists by all their entries."""
    if _is_table(_bare(choice)):
        return bool(name.rstrip("]").rpartition(" ")[-1] == _bare(choice).__name__)
    kind = get_args(_bare(choice))
    return name.startswith("tuple") == bool(kind) and (not kind or name.count(",") == len(kind) - 1)


def keys_at(model: type[BaseModel], location: Location, told: Location) -> tuple[str, ...]:
    """Return the valid keys of the table at a location inside a model's data; `told` is where pydantic found it."""
    inner = _bare(_types_at(model, location, told)[-1])
    return tuple(inner.model_fields) if _is_table(inner) else ()


def words_of(annotation: Any) -> tuple[str, ...]:
    """Return the valid words of a type."""
    return tuple(str(word) for word in get_args(_bare(annotation)))


def annotation_at(model: type[BaseModel], location: Location, told: Location = ()) -> Any:
    """Return the type that a value at a location has, with what is annotated; `told` is where pydantic found it, alternatives named."""
    return _types_at(model, location, told)[0]


def _types_at(model: type[BaseModel], location: Location, told: Location) -> list[Any]:
    """Return the type at a location, and behind it the alternative of it that is meant, as far as that is told."""
    found = [annotation for place, annotation in _walked(model, told) if place == location]
    if found:
        return found
    inner: Any = model
    for part in location:
        inner = _entered(inner, part)
    return [inner]


def wording(annotation: Any) -> str:
    """Return what is said of a type in so many words, or nothing."""
    inner = _optional(annotation)
    if get_origin(inner) is not Annotated:
        return ""
    own = [extra.words for extra in inner.__metadata__ if isinstance(extra, Wanted)]
    return own[-1] if own else wording(inner.__origin__)


def wanted(annotation: Any) -> str:
    """Say what a value should be, or nothing where anything may stand."""
    told, bare = wording(annotation), _bare(annotation)
    if told or bare in _WORDS:
        return told or _WORDS[bare]
    if _is_table(bare):
        needed = [name for name, field in bare.model_fields.items() if field.is_required()]
        return f"a table with {' and '.join(needed)}" if needed else "a table"
    if get_origin(bare) is Literal:
        *most, last = [repr(word) for word in get_args(bare)]
        return f"{', '.join(most)} or {last}" if most else last
    return {dict: "a table", Mapping: "a table", tuple: "a list"}.get(get_origin(bare), "")


def is_fixed(annotation: Any) -> bool:
    """Tell whether a value with words of its own is a list of so and so many entries, or one of several such."""
    kinds = [_bare(choice) for choice in _choices(annotation)]
    return all(get_origin(kind) is not tuple or Ellipsis not in get_args(kind) for kind in kinds) and wording(annotation) != ""


def holds_tables(annotation: Any) -> bool:
    """Tell whether a list is one of tables."""
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
    """Return the alternatives of a type, None left out."""
    while get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) in (Union, UnionType):
        left = tuple(choice for choice in get_args(annotation) if choice is not type(None))
        return _choices(left[0]) if len(left) == 1 else left
    return (annotation,)


def _optional(annotation: Any) -> Any:
    """Take `| None` away, and annotations that say nothing."""
    choices = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else ()
    left = [choice for choice in choices if choice is not type(None)]
    return _optional(left[0]) if len(left) == 1 else annotation


def _bare(annotation: Any) -> Any:
    """Take annotations and `| None` away, and of several alternatives all but the first."""
    first = _choices(annotation)[0]
    return first if first is annotation else _bare(first)

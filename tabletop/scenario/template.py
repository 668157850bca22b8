"""Templates for `tabletop new`: a small example of the system, alone or with every other key as a comment with meaning
and limits.
"""

import re
import textwrap
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tabletop import registry
from tabletop.messages import key_path, say
from tabletop.ruling.system import System
from tabletop.scenario.schema import Node, bare, limits, meaning, tables_in, written

COMMENT_WIDTH = 100
"""Width of comments, in characters."""

TRIANGLE = [[30.0, 10.0], [34.0, 10.0], [30.0, 14.0]]
"""Sample value for lists of points."""

USED_TABLES = ("rules",)
"""Path of the table whose header is active in every template, since all its keys are optional."""

LINE_WIDTH = 80
"""Width of lines of the small example with the comments behind them, in characters: that of a terminal."""

_CLAUSE = re.compile(r"(?<=[,;:.]) (?![^\[]*\])")
"""Pattern of the space between two clauses; none is in brackets."""

Translate = Callable[[str], str]


def template_of(system: System, schema: Node, *, translate: Translate = str) -> str:
    """Return the text of a TOML file that runs, with every key of the system's files explained in comments.

    `schema` is that of the system's files, with meanings in the language into which `translate` brings everything else.
    """
    see = say(
        "Every key of {title}. Lines that begin with # are inactive. To use one, remove its #, and the one of the "
        "line in brackets above it, such as [terrain.circle], which names the table of the key.",
        title=system.title,
    )
    return "\n".join(
        (*_commented(translate(see)), *_Template(system, schema, translate).lines(), "")
    )


def example_of(system: System, schema: Node, *, translate: Translate = str) -> str:
    """Return the text of a small TOML file that runs, with the meanings of its keys behind them; parameters as of
    `template_of`.
    """
    head = (
        translate(say("{title}: a charge to begin with. Change it, then:", title=system.title)),
        "  tabletop resolve FILE",
        "  tabletop draw FILE -o charge.svg",
        translate(say("For all other keys: tabletop new {system} --explain", system=system.name)),
    )
    lines = _Template(system, schema, translate, is_brief=True).example_lines()
    return "\n".join((*(f"# {line}" for line in head), "", *lines)).rstrip() + "\n"


def _bundled(system: System) -> Mapping[str, Any]:
    """Return the tables of the first scenario bundled with a system; empty if there is none."""
    files = [file for _, file in registry.scenarios(system.name)]
    return tomllib.loads(files[0].read_text("utf-8")) if files else {}


class _Template:
    """Writer of a template: the keys of an example are active, all others of the schema are comments, or left out if it
    `is_brief`.
    """

    def __init__(
        self, system: System, schema: Node, translate: Translate, *, is_brief: bool = False
    ) -> None:
        self.schema = schema
        self.is_brief = is_brief
        self.translate = translate
        self.example: Node = {
            "system": system.name,
            "edition": system.editions[0],
            **(system.vocabulary.example or _bundled(system)),
        }

    def example_lines(self) -> Iterator[str]:
        """Yield the lines of the example alone, without tables that have no keys in it."""
        before = ""
        for line in self.lines():
            if not line.startswith("#") and (line or before):
                yield line
                before = line

    def lines(self) -> Iterator[str]:
        """Yield the lines of the template, without line ends."""
        yield from self._table((), self.schema, self.example)

    def _table(self, path: tuple[str, ...], node: Node, used: Node | None) -> Iterator[str]:
        """Yield the lines of a table at a key path, plain values before nested tables; keys that `used` lacks are
        comments.

        `node` is the schema of the table, `used` its table in the example, None if the example has none.
        """
        required = node.get("required", ())
        given = used or {}
        parts = [
            (key, part, tables_in(self.schema, part))
            for key, part in node.get("properties", {}).items()
        ]
        for key, part, inner in parts:
            if inner is None:
                yield from self._key(key, part, given.get(key), is_required=key in required)
        for key, part, inner in parts:
            if inner is not None:
                yield from self._nested((*path, key), part, *inner, given.get(key))

    def _nested(
        self, path: tuple[str, ...], part: Node, kind: str, node: Node, value: Any
    ) -> Iterator[str]:
        """Yield the lines of the tables of a key: the first in full, of others only the active keys."""
        tables = [(path, value)]
        if kind == "named":
            tables = [((*path, name), inner) for name, inner in (value or {"A": None}).items()]
        elif kind == "list":
            tables = [(path, inner) for inner in value or [None]]
        for number, (place, used) in enumerate(tables):
            header = f"[{key_path(place)}]"
            lines = ["", f"[{header}]" if kind == "list" else header]
            if number:
                lines += [f"{key} = {written(inner)}" for key, inner in used.items()]
            else:
                lines[1:1] = _commented(meaning(part)) if part.get("description") else []
                lines += self._table(place, node, used)
            is_used = used is not None or (place == USED_TABLES and not self.is_brief)
            yield from (_off(line, is_used) for line in lines)

    def _key(self, key: str, part: Node, value: Any, *, is_required: bool) -> Iterator[str]:
        if self.is_brief:
            yield "#" if value is None else _explained(key, value, part)
            return
        default = part.get("default")
        notes = list(limits(self.schema, part))
        if is_required:
            notes.append(say("needed"))
        elif default not in (None, [], {}, ""):
            notes.append(say("default {value}", value=written(default)))
        text = " ".join(
            [meaning(part), f"({', '.join(map(self.translate, notes))})" if notes else ""]
        ).strip()
        yield from _commented(text)
        yield _off(
            f"{key} = {written(self._sample(part, default) if value is None else value)}",
            value is not None,
        )

    def _sample(self, part: Node, default: Any) -> Any:
        """Return a possible value for a key that the example does not use, by its schema `part` and its default."""
        whole = bare(self.schema, part)
        given = [
            default,
            whole.get("const"),
            whole.get("default"),
            *whole.get("enum", whole.get("examples", ()))[:1],
        ]
        for value in given:
            if value not in (None, ""):
                return value
        kinds = {
            "number": _least(whole) + 0.0,
            "integer": _least(whole),
            "boolean": True,
            "string": "...",
            "array": self._samples(whole),
        }
        return (
            self._sample(whole["anyOf"][0], None)
            if whole.get("anyOf")
            else kinds.get(whole.get("type", ""), {})
        )

    def _samples(self, whole: Node) -> list[Any]:
        items = whole.get("items")
        if not isinstance(items, Mapping):
            return [self._sample(one, None) for one in whole.get("prefixItems", ())]
        return (
            TRIANGLE
            if bare(self.schema, items).get("prefixItems")
            else [self._sample(items, None)] * max(1, whole.get("minItems", 1))
        )


def _least(whole: Node) -> Any:
    """Return a number within the limits of a schema: 1 if possible, else the nearest limit."""
    low = whole.get("minimum", whole.get("exclusiveMinimum", 0))
    high = whole.get("maximum", whole.get("exclusiveMaximum", 1))
    return (
        1
        if low <= 1 <= high and "exclusiveMaximum" not in whole
        else low
        if "minimum" in whole
        else high
    )


def _explained(key: str, value: Any, part: Node) -> str:
    """Return a key with its value and, as far as the line has room for its clauses, its meaning behind it."""
    line = f"{key} = {written(value)}"
    told = ""
    for clause in _CLAUSE.split(meaning(part)):
        longer = f"{told} {clause}".strip()
        if len(f"{line}  # {longer}") > LINE_WIDTH:
            break
        told = longer
    return f"{line}  # {told.rstrip(',;:.')}" if told else line


def _commented(text: str) -> list[str]:
    return [
        f"# {line}"
        for line in textwrap.wrap(
            text, COMMENT_WIDTH - 2, break_long_words=False, break_on_hyphens=False
        )
    ]


def _off(line: str, is_used: bool) -> str:  # noqa: FBT001 - clear at the call
    return line if is_used or not line or line.startswith("#") else f"# {line}"

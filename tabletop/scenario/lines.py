"""On which line of a file each of its keys stands: asked only of files that were parsed, once something else is wrong with them."""

import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Container, Generator, Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

from tabletop.errors import Fault, ScenarioError
from tabletop.words import key_path

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_PART = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')[ \t]*(\.?)""")
_QUOTED = r'"{3}(?:\\.|[^\\])*?"{3,5}|' + r"'{3}.*?'{3,5}|" + r'"(?:\\.|[^"\\])*"|' + r"'[^']*'"
_TEXT = re.compile(_QUOTED, re.DOTALL)
_MARK = re.compile(_QUOTED + r"|#[^\n]*|[\[\]{}]", re.DOTALL)
_HEADER = re.compile(r"[ \t]*(#?)[ \t]*(\[{1,2}[\w.\"' -]{1,200}\]{1,2})[ \t]*(?:#.*)?\r?$")
_WORD = re.compile(r"[^,\]}#\n]+")
Spot = tuple[str, int]
"""A key path, and where in the text the key, or the entry of a list, begins."""


@dataclass(frozen=True)
class Lines:
    """The text of a file that is valid TOML, or JSON."""

    text: str
    is_json: bool

    def told(self, error: ScenarioError) -> ScenarioError:
        """Return an error whose problems have the lines of their keys, or of the nearest table or list around them in the file.

        A file of a single line needs none.
        """
        asked = {problem.key: _around(problem.key) for problem in error.problems if problem.key}
        if not asked or "\n" not in self.text.strip():
            return error
        known = self._lines({key for keys in asked.values() for key in keys})
        lines = {key: next((known[one] for one in keys if one in known), None) for key, keys in asked.items()}
        told = [self._with_header(replace(problem, line=lines.get(problem.key))) for problem in error.problems]
        return ScenarioError(told, error.file, error.case)

    def _with_header(self, problem: Fault) -> Fault:
        """Say of an unknown key that the header nearest above it is a comment, if it is: the key was meant for that table."""
        if self.is_json or problem.line is None or not problem.message.startswith("unknown key"):
            return problem
        *above, own = self.text.split("\n")[: problem.line]
        if own.lstrip().startswith("["):
            return problem
        header = next((one for number in range(len(above), 0, -1) if (one := _HEADER.match(above[number - 1])) is not None), None)
        if header is None or not header.group(1):
            return problem
        return replace(problem, message=f"{problem.message}; {header.group(2)} above it is a comment: take its # away")

    def _lines(self, wanted: Container[str]) -> dict[str, int]:
        newlines = [match.start() for match in re.finditer("\n", self.text)]
        lines: dict[str, int] = {}
        for key, start in spots(self.text, is_json=self.is_json, wanted=wanted):
            lines.setdefault(key, bisect_right(newlines, start) + 1)
        return lines


def _around(key: str) -> tuple[str, ...]:
    """List a key path and those of the tables and lists around it, the nearest first."""
    return (key, *(key[:place] for place in range(len(key) - 1, 0, -1) if key[place] in ".["))


def spots(text: str, *, is_json: bool, wanted: Container[str]) -> Iterator[Spot]:
    """Find those key paths of a file that are `wanted`, which holds with every path those of all tables and lists around it."""
    place, here = _after_space(text, 0), ""
    if is_json:
        yield from _inside(text, place, here, wanted)
        return
    counts: dict[str, int] = {}
    while place < len(text):
        if text[place] == "[":
            is_entry = text.startswith("[[", place)
            parts, end = _key(text, place + 1 + is_entry)
            *around, here = _header(parts, counts, is_entry=is_entry)
            yield from ((key, place) for key in (*around, here) if key in wanted)
            place = end + 1 + is_entry
        else:
            place = yield from _pair(text, place, here, wanted)
        place = _after_space(text, place)


def _header(parts: list[str], counts: dict[str, int], *, is_entry: bool) -> list[str]:
    """Return the paths of a header and of all around it: a table inside a list of tables is in the last of these."""
    here, paths = "", []
    for number, part in enumerate(parts, start=1):
        here = _joined(here, part)
        paths.append(here)
        if is_entry and number == len(parts):
            counts[here] = counts.get(here, 0) + 1
        if here in counts:
            here = f"{here}[{counts[here] - 1}]"
            paths.append(here)
    return paths


def _pair(text: str, place: int, here: str, wanted: Container[str]) -> Generator[Spot, None, int]:
    """Read a key with its value, and return where they end."""
    parts, end = _key(text, place)
    for part in parts:
        here = _joined(here, part)
        if here in wanted:
            yield here, place
    return (yield from _value(text, _after_space(text, end + 1), here, wanted))


def _value(text: str, place: int, here: str, wanted: Container[str]) -> Generator[Spot, None, int]:
    """Read a value, with what is in it where that is wanted, and return where it ends."""
    if here in wanted and text[place] in "[{":
        return (yield from _inside(text, place, here, wanted))
    return _end(text, place)


def _inside(text: str, place: int, here: str, wanted: Container[str]) -> Generator[Spot, None, int]:
    """Read a list, or a table in braces, and return where it ends."""
    is_list, count, place = text[place] == "[", 0, _after_space(text, place + 1)
    while text[place] not in "]}":
        if is_list:
            entry = f"{here}[{count}]"
            if entry in wanted:
                yield entry, place
            place, count = (yield from _value(text, place, entry, wanted)), count + 1
        else:
            place = yield from _pair(text, place, here, wanted)
        place = _after_space(text, place)
        if text[place] == ",":
            place = _after_space(text, place + 1)
    return place + 1


def _end(text: str, place: int) -> int:
    """Return where a value ends, without a look at what is in it."""
    if text[place] not in "[{":
        value = _TEXT.match(text, place) or _WORD.match(text, place)
        return value.end() if value else place + 1
    marks = (((mark in "[{") - (mark in "]}"), match.end()) for match in _MARK.finditer(text, place) for mark in [match.group()])
    depths = accumulate(marks, lambda before, after: (before[0] + after[0], after[1]))
    return next((end for depth, end in depths if depth == 0), len(text))


def _key(text: str, place: int) -> tuple[list[str], int]:
    """Read a dotted key, and return its parts as paths have them, and where it ends."""
    parts: list[str] = []
    dot = "."
    while dot and (match := _PART.match(text, place)):
        part, dot, place = match.group(1), match.group(2), match.end()
        parts.append(key_path([_unquoted(part)]) if part[0] in "\"'" else part)
    return parts, _after_space(text, place)


def _unquoted(part: str) -> str:
    if part[0] == "'" or "\\" not in part:
        return part[1:-1]
    try:
        return str(json.loads(part))
    except ValueError:  # TOML has escapes that JSON has not
        return str(tomllib.loads(f"key = {part}")["key"])


def _joined(here: str, part: str) -> str:
    return f"{here}.{part}" if here else part


def _after_space(text: str, place: int) -> int:
    """Return where spaces, line ends and comments from a place on end."""
    match = _SPACE.match(text, place)
    return match.end() if match else place

"""Parser of untrusted TOML and JSON files to plain tables, and to the lines of their keys.

`parsed` reports syntax errors with a remedy; `SourceLines` finds the lines of keys, only when a fault has to be
reported.
"""

import codecs
import json
import math
import re
import tomllib
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, islice
from typing import Any

from tabletop.errors import UNKNOWN_KEY, Fault, ScenarioError, message_of
from tabletop.messages import escaped, key_path, say, says, shown, word
from tabletop.scenario.limits import FILE_BYTES, NESTING, PROBLEMS

_TOKENS = re.compile(
    r'"""(?:\\.|[^\\])*?(?:"""|\Z)|'
    r"'''.*?(?:'''|\Z)|"
    r'"(?:\\.|[^"\\\n])*"?|'
    r"'[^'\n]*'?|"
    r"#[^\n]*|[\[\]{}.,=\n]",
    re.DOTALL,
)

_PLACE = re.compile(r"\s*\(at (.*)\)$")

_TWICE = re.compile(r"Cannot (overwrite|declare|mutate)")

_NAMES = re.compile(r"""\(('[^)]*)\)|('[^']*'|"[^"]*")$""")

_LISTED = re.compile(r"[ \t]*\[[ \t]*(terrain|charges|expect)[ \t]*\]")

_COMMA = re.compile(r".*[=:][ \t]*[-+]?\d+,\d+[ \t]*(?:#.*|[,}].*)?$")

_BARE_TEXT = re.compile(r"""(?:[^"'#]|"[^"]*"|'[^']*')*[=:,\[][ \t]*([A-Za-z][^"',\]}#]*)""")

_DIGITS = re.compile(r".*[=:,\[][ \t]*(0\d+)")

_SLASHES = re.compile(r"""(?:[^"'#]|"[^"]*"|'[^']*')*//""")

_SPACED = re.compile(r"""[ \t]*\[{1,2}[ \t]*([A-Za-z_]+)\.([^"'\].]*[^"'\].\s])[ \t]*\]""")

_SET_QUOTES = re.compile(
    "[\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}\N{DOUBLE LOW-9 QUOTATION MARK}]"
)

_ENDLESS = re.compile(r"\d(?:_?\d){4300}")

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)

_LONGEST = 1_000

_NUMBER = re.compile(r"line (\d+), column (\d+)")


def parsed(data: bytes, *, is_json: bool | None = None) -> dict[str, Any]:
    """Return the tables of a TOML or JSON file from its content; if `is_json` is None, a file that starts with a brace
    is JSON.

    Raises
    ------
    ScenarioError
        If the file is too large, not UTF-8, too deeply nested or syntactically invalid, repeats a key, or has a number
        that is not finite.
    """
    return parsed_with_lines(data, is_json=is_json)[0]


def parsed_with_lines(
    data: bytes, *, is_json: bool | None = None
) -> "tuple[dict[str, Any], SourceLines]":
    """Return the tables of a file, as `parsed` does, and the object that finds the lines of its keys."""
    text = decoded(data)
    if is_json is None:
        is_json = text.lstrip().startswith("{")
    _refuse_nesting(text, is_json=is_json)
    content = _from_json(text) if is_json else _from_toml(text)
    lines = SourceLines(text, is_json)
    problems = list(islice(_invalid_values(content, ()), PROBLEMS))
    if problems:
        raise lines.with_lines(ScenarioError(problems))
    return content, lines


def plain_tables(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Return tables built in Python with the types of a file: tuples and arrays become lists, NumPy numbers plain
    numbers.

    Raises
    ------
    ScenarioError
        If they have values that no file can hold, or are too large or too deeply nested.
    """
    try:
        text = json.dumps(tables, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        message = "expected tables of plain words, numbers, lists and tables: {error}"
        raise ScenarioError(Fault.of("", message, error=message_of(error))) from None
    data = text.encode()
    _refuse_nesting(decoded(data), is_json=True)
    content = _from_json(text)
    problems = list(islice(_invalid_values(content, ()), PROBLEMS))
    if problems:
        raise ScenarioError(problems)
    return content


def _plain(value: object) -> object:
    """Return the plain equivalent of a value that JSON cannot write: a dict of a mapping, or the `tolist` of an array
    or NumPy number.

    Raises
    ------
    TypeError
        If it is neither.
    """
    if isinstance(value, Mapping):
        return dict(value)
    listed = getattr(value, "tolist", None)
    if listed is None:
        raise TypeError(f"given {shown(value)}")
    plain: object = listed()
    return plain


def decoded(data: bytes, *, most: int = FILE_BYTES) -> str:
    """Return the text of a UTF-8 file from its content of at most `most` bytes.

    Raises
    ------
    ScenarioError
        If the file is larger, or not UTF-8.
    """
    if len(data) > most:
        raise ScenarioError(
            Fault.of("", "the file is larger than {most:,} bytes, the limit", most=most)
        )
    if data.startswith(_WIDE) or b"\0" in data[:2]:
        raise ScenarioError(
            Fault.of("", "expected UTF-8 text, this is UTF-16 or UTF-32: save the file as UTF-8")
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong = data[error.start]
        sentence = "expected UTF-8 text; byte {byte} is not (0x{wrong:02x}, on line {line}): save the file as UTF-8"
        raise ScenarioError(
            Fault.of("", sentence, byte=error.start, wrong=wrong, line=line)
        ) from None


def _refuse_nesting(text: str, *, is_json: bool) -> None:
    """Raise if brackets or dotted keys outside of texts are nested deeper than `NESTING`, too deep for a recursive
    parser.

    Raises
    ------
    ScenarioError
        With the line and column where that happens.
    """
    depth = dots = 0
    for token in _TOKENS.finditer(text):
        mark = token.group()
        depth += (mark in "[{") - (mark in "]}")
        dots = dots + 1 if mark == "." else 0 if mark in "\n,=[]{}" else dots
        if max(depth, 0 if is_json else dots) > NESTING:
            start = text.rfind("\n", 0, token.start()) + 1
            place = say(
                "line {line}, column {column}",
                line=text.count(chr(10), 0, token.start()) + 1,
                column=token.start() - start + 1,
            )
            raise ScenarioError(
                Fault.of("", "{place}: nested more than {most} deep", place=place, most=NESTING)
            )


def _from_toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        what = _reason(_PLACE.sub("", str(error)))
        where = place.group(1) if place else ""
        number = _NUMBER.match(where)
        remedy = _remedy(text, int(number.group(1)), what) if number else ""
        message = say("not valid TOML: {reason}{remedy}", reason=what, remedy=remedy)
        raise ScenarioError(
            Fault(
                "",
                say("{place}: {fault}", place=_where(number, where), fault=message)
                if where
                else message,
            )
        ) from None
    except ValueError:
        raise ScenarioError(_endless(text, "TOML")) from None


def _where(number: re.Match[str] | None, where: str) -> str:
    """Return the words for the place of a TOML syntax error: line and column if they were matched, else the parser's
    words `where`.
    """
    return (
        word(where)
        if number is None
        else say("line {line}, column {column}", line=int(number[1]), column=int(number[2]))
    )


def _endless(text: str, form: str) -> Fault:
    """Return the fault of a whole number with too many digits, the only ValueError of the parsers that is no syntax
    error.

    `form` is "TOML" or "JSON".
    """
    number = _ENDLESS.search(text)
    message = say("not valid {form}: a whole number has thousands of digits; shorten it", form=form)
    line = 0 if number is None else text.count("\n", 0, number.start()) + 1
    return (
        Fault.of("", "{place}: {fault}", place=say("line {line}", line=line), fault=message)
        if line
        else Fault("", message)
    )


def _reason(what: str) -> str:
    """Return the TOML parser's message as a translatable message, the key or character that it names written as in a
    file.
    """
    named = _NAMES.search(what)
    if named is None:
        return word(what)
    parts, character = named.groups()
    name = character or key_path([part.strip(" '\"") for part in parts.split(",") if part.strip()])
    return say(f"{escaped(what[: named.start()])}{{name}}{escaped(what[named.end() :])}", name=name)


def _remedy(text: str, number: int, what: str) -> str:
    """Return a hint about a common mistake on the line `number` that cannot be parsed; empty if none is known or the
    line is very long.

    `what` is the parser's message.
    """
    line = text.split("\n")[number - 1].rstrip("\r")
    if len(line) > _LONGEST:
        return ""
    if _TWICE.match(what):
        listed = _LISTED.match(line)
        return (
            say("; each begins with [[{key}]], in double brackets", key=listed.group(1))
            if listed
            else say("; is a key or table given twice?")
        )
    if _SLASHES.match(line) or _SPACED.match(line):
        return _unlike_toml(line)
    if any(line.count(quote) % 2 and quote * 3 not in line for quote in "\"'"):
        return say("; is a quote missing on this line?")
    if _SET_QUOTES.search(line):
        return say('; use plain quotes: "')
    slips = (
        (_COMMA, say("; decimals have a point, not a comma: 10.5")),
        (_DIGITS, say('; write hex numbers in quotes: "0507"')),
    )
    slip = next((remedy for pattern, remedy in slips if pattern.match(line)), "")
    return slip or (_bare(line) if what.startswith(("Invalid value", "Expecting value")) else "")


def _unlike_toml(line: str) -> str:
    """Return the hint for a line that has a comment in another language's style, or a table name that needs quotes."""
    spaced = _SPACED.match(line)
    if spaced is None:
        return say("; a comment begins with #")
    name = f'{spaced[1]}."{spaced[2].strip()}"'
    return say(
        "; a name with characters other than letters, digits, _ and - needs quotes: {name}",
        name=name,
    )


def _bare(line: str) -> str:
    """Return the hint for a line with text that lacks quotes, or with a capitalised boolean; empty if it has
    neither.
    """
    match = _BARE_TEXT.match(line)
    word = match.group(1).strip() if match else ""
    if word.casefold() in ("true", "false"):
        return say("; write {word}, in small letters", word=word.casefold())
    return say("; write text in quotes: {word}", word=shown(word)) if word else ""


class _DuplicateKeys(dict[str, Any]):
    """The table of a JSON object that repeats keys, which `twice` lists."""

    twice: tuple[str, ...] = ()


def _from_json(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text, object_pairs_hook=_table)
    except json.JSONDecodeError as error:
        place = say("line {line}, column {column}", line=error.lineno, column=error.colno)
        message = say(
            "not valid JSON: {reason}{remedy}",
            reason=word(error.msg),
            remedy=_remedy(text, error.lineno, error.msg),
        )
        raise ScenarioError(Fault.of("", "{place}: {fault}", place=place, fault=message)) from None
    except ValueError:
        raise ScenarioError(_endless(text, "JSON")) from None
    if not isinstance(content, dict):
        raise ScenarioError(
            Fault.of("", "expected a JSON object, given {content}", content=shown(content))
        )
    return content


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) == len(pairs):
        return table
    counts = Counter(name for name, _ in pairs)
    repeating = _DuplicateKeys(table)
    repeating.twice = tuple(name for name, count in counts.items() if count > 1)
    return repeating


def _invalid_values(value: object, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if isinstance(value, (dict, list)) and len(path) >= NESTING:
        yield Fault.of(key_path(path[:3]), "nested more than {most} deep", most=NESTING)
        return
    if isinstance(value, _DuplicateKeys):
        yield from (
            Fault.of(key_path([*path, name]), "given twice in one table") for name in value.twice
        )
    if isinstance(value, float) and not math.isfinite(value):
        yield Fault.of(key_path(path), "expected a finite number, given {value}", value=value)
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for part, item in inside:
        yield from _invalid_values(item, (*path, part))


# The line on which a key stands.

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")

_PART = re.compile(r"""[ \t]*([A-Za-z0-9_-]+|"(?:\\.|[^"\\])*"|'[^']*')[ \t]*(\.?)""")

_QUOTED = r'"{3}(?:\\.|[^\\])*?"{3,5}|' + r"'{3}.*?'{3,5}|" + r'"(?:\\.|[^"\\])*"|' + r"'[^']*'"

_TEXT = re.compile(_QUOTED, re.DOTALL)

_MARK = re.compile(_QUOTED + r"|#[^\n]*|[\[\]{}]", re.DOTALL)

_HEADER = re.compile(r"[ \t]*(#?)[ \t]*(\[{1,2}[\w.\"' -]{1,200}\]{1,2})[ \t]*(?:#.*)?\r?$")

_WORD = re.compile(r"[^,\]}#\n]+")

KeyStart = tuple[str, int]
"""A key path, and the offset in the text at which the key or list entry begins."""


@dataclass(frozen=True)
class SourceLines:
    """The text of a syntactically valid TOML or JSON file, in which the lines of keys can be found."""

    text: str
    is_json: bool

    def with_lines(self, error: ScenarioError) -> ScenarioError:
        """Return a scenario error with the line of each fault's key, or of the nearest table or list around it, added.

        Faults in a file of a single line get no line number.
        """
        asked = {problem.key: _around(problem.key) for problem in error.problems if problem.key}
        if not asked or "\n" not in self.text.strip():
            return error
        known = self._lines({key for keys in asked.values() for key in keys})
        lines = {
            key: next((known[one] for one in keys if one in known), None)
            for key, keys in asked.items()
        }
        told = [
            self._with_header(replace(problem, line=lines.get(problem.key)))
            for problem in error.problems
        ]
        return ScenarioError(told, error.file, error.case)

    def _with_header(self, problem: Fault) -> Fault:
        """Return a fault; if its key is unknown and the nearest table header above it is commented out, with that as a
        hint.
        """
        if self.is_json or problem.line is None or not says(problem.message, UNKNOWN_KEY):
            return problem
        *above, own = self.text.split("\n")[: problem.line]
        if own.lstrip().startswith("["):
            return problem
        header = next(
            (
                one
                for number in range(len(above), 0, -1)
                if (one := _HEADER.match(above[number - 1])) is not None
            ),
            None,
        )
        if header is None or not header.group(1):
            return problem
        return replace(
            problem,
            message=say(
                "{message}; {header} above it is commented out: remove its #",
                message=problem.message,
                header=header.group(2),
            ),
        )

    def _lines(self, wanted: Container[str]) -> dict[str, int]:
        newlines = [match.start() for match in re.finditer("\n", self.text)]
        lines: dict[str, int] = {}
        for key, start in key_starts(self.text, is_json=self.is_json, wanted=wanted):
            lines.setdefault(key, bisect_right(newlines, start) + 1)
        return lines


def _around(key: str) -> tuple[str, ...]:
    """Return a key path and the paths of all tables and lists that contain it, innermost first."""
    return (key, *(key[:place] for place in range(len(key) - 1, 0, -1) if key[place] in ".["))


def key_starts(text: str, *, is_json: bool, wanted: Container[str]) -> Iterator[KeyStart]:
    """Yield (key path, offset in the text) for each of the `wanted` key paths that occurs.

    `wanted` must include the paths of all tables and lists that contain them. The text must be valid TOML or JSON.
    """
    place = _after_space(text, 0)
    here = ""
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
    """Return the key paths that a TOML table header opens: its parents', then its own; entries of lists of tables have
    an index.

    Parameters
    ----------
    parts
        Parts of the dotted key in the header.
    counts
        Number of entries of each list of tables so far, which is updated.
    is_entry
        Whether the header has double brackets.
    """
    here = ""
    paths = []
    for number, part in enumerate(parts, start=1):
        here = _joined(here, part)
        paths.append(here)
        if is_entry and number == len(parts):
            counts[here] = counts.get(here, 0) + 1
        if here in counts:
            here = f"{here}[{counts[here] - 1}]"
            paths.append(here)
    return paths


def _pair(
    text: str, place: int, here: str, wanted: Container[str]
) -> Generator[KeyStart, None, int]:
    """Yield the wanted key paths at a key and in its value, with their offsets, and return the offset after the value.

    `place` is the offset of the key, `here` the path of the table around it.
    """
    parts, end = _key(text, place)
    for part in parts:
        here = _joined(here, part)
        if here in wanted:
            yield here, place
    return (yield from _value(text, _after_space(text, end + 1), here, wanted))


def _value(
    text: str, place: int, here: str, wanted: Container[str]
) -> Generator[KeyStart, None, int]:
    """Yield the wanted key paths in the value at the offset `place`, with their offsets, and return the offset after
    it.

    `here` is the key path of the value.
    """
    if here in wanted and text[place] in "[{":
        return (yield from _inside(text, place, here, wanted))
    # skip over the value
    if text[place] not in "[{":
        value = _TEXT.match(text, place) or _WORD.match(text, place)
        return value.end() if value else place + 1
    marks = (
        ((mark in "[{") - (mark in "]}"), match.end())
        for match in _MARK.finditer(text, place)
        for mark in [match.group()]
    )
    depths = accumulate(marks, lambda before, after: (before[0] + after[0], after[1]))
    return next((end for depth, end in depths if depth == 0), len(text))


def _inside(
    text: str, place: int, here: str, wanted: Container[str]
) -> Generator[KeyStart, None, int]:
    """Yield the wanted key paths in the list or inline table at the offset `place`, with their offsets, and return the
    offset after it.
    """
    is_list = text[place] == "["
    count = 0
    place = _after_space(text, place + 1)
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


def _key(text: str, place: int) -> tuple[list[str], int]:
    """Return the parts of the dotted key at the offset `place`, quoted as in key paths, and the offset after it."""
    parts: list[str] = []
    dot = "."
    while dot and (match := _PART.match(text, place)):
        part = match.group(1)
        dot = match.group(2)
        place = match.end()
        parts.append(key_path([_unquoted(part)]) if part[0] in "\"'" else part)
    return parts, _after_space(text, place)


def _unquoted(part: str) -> str:
    if part[0] == "'" or "\\" not in part:
        return part[1:-1]
    try:
        return str(json.loads(part))
    except ValueError:  # an escape that only TOML has
        return str(tomllib.loads(f"key = {part}")["key"])


def _joined(here: str, part: str) -> str:
    return f"{here}.{part}" if here else part


def _after_space(text: str, place: int) -> int:
    """Return the first offset from `place` on that is after spaces, line ends and comments."""
    match = _SPACE.match(text, place)
    return match.end() if match else place

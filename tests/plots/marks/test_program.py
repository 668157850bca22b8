"""What the program itself says, errors and the frame of the command line: the templates in the sources are the keys of
the catalogue.
"""

import ast
import dataclasses
import pickle
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

from tabletop.budget import PROOFS
from tabletop.catalogue import is_glue, translates
from tabletop.errors import Fault, NoVerdictError, ScenarioError, UsageError
from tabletop.language.language import GAMES, PROGRAM, RULES, bundled
from tabletop.messages import Message, counted, holes, key_of, listed, say, word
from tabletop.registry import find
from tests.languages import LANGUAGE, said_by_part, tables_of
from tests.plots.marks.test_sentences import ROOMS, said_by, shared

ROOT = Path(__file__).resolve().parents[3]
ERRORS = ("UsageError", "TableError", "NoVerdictError")
"""Errors that are raised with a template and what is filled in, as `Fault.of` is made."""
HEADINGS = (
    "scenario",
    "title",
    "rule",
    "nature",
    "demand",
    "from",
    "tested in",
    "field",
    "value",
    "unit",
)
TERMS = (
    *(proof.replace("_", " ") for proof in PROOFS),
    "invalid",
    "no chance",
    "some chance",
    "success",
    "failed",
    "not_allowed",
    "no_verdict",
    "no verdict",
    *HEADINGS,
)
"""What is said of words that are data."""

FOREIGN = (
    "end of document",
    "Invalid value",
    "Invalid statement",
    "Invalid initial character for a key part",
    "Expected '=' after a key in a key/value pair",
    "Expected newline or end of document after a statement",
    "Cannot overwrite a value",
    "Unterminated string",
    "Unclosed array",
    "Unclosed inline table",
    "Expected ']' at the end of a table declaration",
    "Expected ']]' at the end of an array declaration",
    "Cannot declare {name} twice",
    "Cannot redefine namespace {name}",
    "Cannot mutate immutable namespace {name}",
    "Duplicate inline table key {name}",
    "Found invalid character {name}",
    "Illegal character {name}",
    "Expected {name}",
    "Unescaped '\\' in a string",
    "Invalid hex value",
    "Escaped character is not a Unicode scalar value",
    "Invalid date or datetime",
    "Invalid control character at",
    "Invalid \\escape",
    "Invalid \\uXXXX escape",
    "Expecting value",
    "Expecting ',' delimiter",
    "Expecting ':' delimiter",
    "Expecting property name enclosed in double quotes",
    "Extra data",
    "Unterminated string starting at",
    "No such file or directory",
    "Permission denied",
    "Is a directory",
    "Not a directory",
    "File exists",
    "No space left on device",
    "Read-only file system",
    "File name too long",
    "Cannot assign requested address",
    "Address already in use",
)
"""What the readers of TOML and JSON say, and the operating system."""


@dataclass(frozen=True)
class Said:
    """What a call says: a template, what is filled in, None where that is not told, and where it stands."""

    template: str
    given: frozenset[str | None]
    where: str


def _text(tree: ast.Module, call: ast.Call, place: int) -> str | None:
    """Return the constant that a call is given, or that its name stands for: what was assigned to it last above the
    call.
    """
    node = call.args[place] if len(call.args) > place else None
    if isinstance(node, ast.Name):
        given = [
            one
            for one in ast.walk(tree)
            if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == node.id
        ]
        above = sorted(
            (one for one in given if one.lineno < call.lineno), key=lambda one: one.lineno
        )
        node = above[-1].value if above else _imported(tree, node.id)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _imported(tree: ast.Module, name: str) -> ast.Constant | None:
    """Return the constant that a module imports by a name."""
    found = [
        one
        for one in ast.walk(tree)
        if isinstance(one, ast.ImportFrom) and any(name == alias.name for alias in one.names)
    ]
    return ast.Constant(getattr(import_module(str(found[0].module)), name)) if found else None


def _templates(tree: ast.Module, call: ast.Call) -> Iterator[str]:
    """Yield the templates of what a call of a constant says."""
    name = (
        "of"
        if ast.unparse(call.func) == "Fault.of"
        else call.func.id
        if isinstance(call.func, ast.Name)
        else ""
    )
    if name == "partial":
        name, place = ("say", 1) if ast.unparse(call.args[0]) == "say" else ("", 0)
    else:
        place = 1 if name in {"of", "counted", "listed"} else 0
    text = _text(tree, call, place) if name in {*ERRORS, "of", "say", "counted", "listed"} else None
    if text is None:
        return
    if name == "listed":
        yield from (one.template for one in [listed(["", ""], text)] if isinstance(one, Message))
    elif name == "counted":
        values = dict.fromkeys((str(one.arg) for one in call.keywords), "")
        yield from (
            one.template
            for one in (counted(number, text, **values) for number in (1, 2))
            if isinstance(one, Message)
        )
    else:
        yield text if call.keywords or name not in ERRORS else getattr(word(text), "template", text)


def said(*rooms: str) -> tuple[Said, ...]:
    """Return what is said in rooms; texts without words are not."""
    return tuple(one for room in rooms for one in said_in(room))


@cache
def said_in(room: str) -> tuple[Said, ...]:
    """Return what is said in one room."""
    found = []
    for path in sorted((ROOT / room).rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            is_filled = ast.unparse(call.func) in {*ERRORS, "Fault.of", "say"}
            given = frozenset(one.arg for one in call.keywords) if is_filled else frozenset({None})
            where = f"{path.relative_to(ROOT)}:{call.lineno}"
            found += [
                Said(text, given, where)
                for text in _templates(tree, call)
                if not is_glue(key_of(text))
            ]
    return tuple(found)


def keys(*rooms: str) -> dict[str, str]:
    """Return the keys of what is said in rooms, and where."""
    return {key_of(one.template): one.where for one in said(*rooms)}


@LANGUAGE
def test_every_error_and_every_line_of_the_frame_has_a_translation(language: str) -> None:
    """Whatever the program may say, whether a test provokes it or not."""
    found = keys("tabletop", "plots")
    known = bundled(language).sentences(PROGRAM)[0]
    assert len(found) > 400
    assert {key: where for key, where in found.items() if key not in known} == {}
    assert [term for term in (*TERMS, *FOREIGN) if term not in known] == []


@LANGUAGE
def test_every_translation_is_of_something_that_is_said(language: str) -> None:
    """No key is left whose text neither the program nor a game says any more."""
    tables = tables_of(language)
    texts = {**tables["said"], **tables["part"].get(PROGRAM, {}).get("said", {})}
    found = {*keys("tabletop", "plots", "systems"), *TERMS, *FOREIGN, *shared()}
    found.update(*(said_by(room, game=game) for game, room in ROOMS.items()))
    assert [key for key in texts if key not in found and not is_glue(key)] == []


@LANGUAGE
def test_what_rules_demand_and_books_count_has_a_translation(language: str) -> None:
    """Each text of the rules and books of the games, and no other."""
    systems = [find(name) for name in GAMES]
    texts = {
        text
        for system in systems
        for rule in system.rules
        for text in (rule.nature, rule.demand, rule.source)
    }
    texts |= {
        str(text)
        for system in systems
        for field in dataclasses.fields(system.book)
        for text in field.metadata.values()
    }
    assert set(said_by_part(language, RULES)) == {
        key_of(getattr(word(text), "template", "")) for text in texts
    }


@LANGUAGE
def test_translations_fill_in_what_their_templates_do(language: str) -> None:
    """Each has the braces of its key, no more and no less."""
    said, forms = bundled(language).sentences(PROGRAM)
    names = {key: {name for name, _, _ in holes(key)} for key in said}
    assert [
        key
        for key, text in said.items()
        if not translates(text, key, forms) or names[key] != {name for name, _, _ in holes(text)}
    ] == []


def test_errors_fill_in_what_they_are_given() -> None:
    """An error whose template asks for something else than it is given would be a bug when it is raised."""
    calls = [one for one in said("tabletop", "plots", "systems") if None not in one.given]
    assert [
        one
        for one in calls
        if {name for name, _, _ in holes(one.template)} != one.given - {"between"}
    ] == []


def test_errors_say_messages() -> None:
    """No error is an f-string, which would stay English."""
    calls = [
        (path, node)
        for room in ("tabletop", "plots", "systems")
        for path in sorted((ROOT / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and re.fullmatch(r"(\w+\.)*(\w+Error|Fault|Fault\.of)", ast.unparse(node.func))
    ]
    known = [
        (path, call)
        for path, call in calls
        if ast.unparse(call.func) in {*ERRORS, "MisfitError", "Fault", "Fault.of"}
    ]
    words = [
        (path, call, call.args["Fault" in ast.unparse(call.func) :][:1]) for path, call in known
    ]
    assert len(known) > 300
    assert [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, call, told in words
        if any(isinstance(one, ast.JoinedStr) for one in told)
    ] == []


def test_the_template_of_an_error_is_kept() -> None:
    """So is a text without values, whose braces are its own."""
    errors = (UsageError("a {b}", b=1), UsageError("a {b}"), NoVerdictError(say("a {b}", b=1)))
    assert [(str(error), getattr(error.args[0], "template", "")) for error in errors] == [
        ("a 1", "a {b}"),
        ("a {b}", "a {{b}}"),
        ("a 1", "a {b}"),
    ]
    fault = ScenarioError(Fault.of("units.A", "{what} is missing", what="at"), "charge.toml")
    again = pickle.loads(pickle.dumps(fault))  # noqa: S301 - made above
    assert (str(again), again.problems, again.file) == (str(fault), fault.problems, "charge.toml")
    assert str(fault) == "charge.toml: units.A: at is missing"

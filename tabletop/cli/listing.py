"""Commands that list (`scenarios`, `rules`, `schema`) and that write a scenario (`new`, `link`, `import`)."""

import dataclasses
import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tabletop import registry
from tabletop.cli.errors import ExitCode
from tabletop.cli.output import note, print_error, print_text, say_json, say_table, warn, write_text
from tabletop.language.speech import explained, rule_words, translated
from tabletop.messages import nearest, quoted, say
from tabletop.ruling.finding import Rule

if TYPE_CHECKING:
    from tabletop.importing.imported import Imported

CHECKOUT = Path(__file__).resolve().parents[2]

TESTS = ("test_*.py", "thresholds/*.py")
"""Patterns of the files in a checkout that name the rules they test."""

_WORD = re.compile(r"\w+")

Listed = TypeVar("Listed")


def scenarios(words: Sequence[str], *, as_json: bool) -> ExitCode:
    """Print names and titles of the bundled scenarios whose name, title or note holds all words, and return the exit
    code.
    """
    every = []
    for name, file in (
        (name, file)
        for system in registry.usable_names(warn)
        for name, file in registry.scenarios(system)
    ):
        tables = _tables_of(file)
        title = str(tables.get("title", ""))
        every.append(({"name": name, "title": title}, f"{name} {title} {tables.get('note', '')}"))
    entries = _with_words(every, words)
    return _print_entries(
        entries,
        ("scenario", "title"),
        [[*entry.values()] for entry in entries],
        words,
        as_json=as_json,
    )


def _print_entries(
    entries: Sequence[object],
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    words: Sequence[str],
    *,
    as_json: bool,
) -> ExitCode:
    """Print the entries that hold all words, as JSON or as a table of `rows`, and return the exit code."""
    if as_json:
        say_json(entries)
    elif entries:
        say_table(headings, rows)
    return ExitCode.DONE if entries or not words else ExitCode.ANSWER_IS_NO


def _tables_of(file: Path) -> dict[str, Any]:
    """Return the tables of a bundled scenario; empty, with a warning, if the file cannot be read."""
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        warn(f"{file}: {error}")
        return {}


def _with_words(every: Sequence[tuple[Listed, str]], words: Sequence[str]) -> list[Listed]:
    """Return the entries whose texts hold all words, in capitals or not; if there is none, the nearest word is printed
    as an error.
    """
    found = [
        entry for entry, text in every if all(word.casefold() in text.casefold() for word in words)
    ]
    if words and not found:
        known = _WORD.findall(" ".join(text.split()[0] for _, text in every))
        message = (
            "nothing listed here has {words} in it{hint} (without a word everything is listed)"
        )
        print_error(say(message, words=quoted(words), hint=nearest(words[0], known)))
    return found


def show(name: str) -> ExitCode:
    """Print the file of a bundled scenario, and return the exit code."""
    from tabletop.scenario.sources import bundled_text

    print_text(bundled_text(name).rstrip("\n"))
    return ExitCode.DONE


def link(file: str) -> ExitCode:
    """Print a scenario as a link of one line, and return the exit code."""
    from tabletop.scenario.embedded import link_to
    from tabletop.scenario.reading import read_scenario

    print_text(link_to(read_scenario(file)))
    return ExitCode.DONE


def new(name: str, out: Path | None, *, force: bool, is_explained: bool) -> ExitCode:
    """Write or print a small scenario of a system, with all keys explained if asked for, and return the exit code."""
    from tabletop.scenario.schema import schema_of
    from tabletop.scenario.template import example_of, template_of

    system = registry.find(name)
    make = template_of if is_explained else example_of
    write_text(make(system, explained(schema_of(system)), translate=translated), out, force=force)
    return ExitCode.DONE


def write_imported(
    source: str, read: Callable[[bytes, str], "Imported"], out: Path | None, *, force: bool
) -> ExitCode:
    """Write or print the scenario that `read` makes of a foreign file, print remarks on it, and return the exit
    code.
    """
    from tabletop.importing.imported import FOREIGN_BYTES, scenario_text
    from tabletop.scenario.sources import read_bytes

    label, data = read_bytes(source, most=FOREIGN_BYTES)
    text, remarks = scenario_text(read(data, label))
    write_text(text, out, force=force)
    for one in remarks:
        note(one)
    return ExitCode.DONE


def rules(name: str, words: Sequence[str], *, as_json: bool) -> ExitCode:
    """Print the rules of a system whose name or demand holds all words, in a checkout also their tests, and return the
    exit code.
    """
    system = registry.find(name)
    said = rule_words(system)
    tests = _test_texts()
    found = _with_words(
        [(rule, f"{rule.name} {said(rule.demand)}") for rule in system.rules], words
    )
    entries = [_rule_entry(rule, tests) for rule in found]
    headings = ("rule", "nature", "demand", "from", *(["tested in"] if tests else []))
    rows = [[rule.name, *map(said, (rule.nature, rule.demand, rule.source))] for rule in found]
    for row, entry in zip(rows, entries, strict=True) if tests else ():
        row.append(", ".join(entry["tested"]))
    return _print_entries(entries, headings, rows, words, as_json=as_json)


def fields(name: str, words: Sequence[str], *, as_json: bool) -> ExitCode:
    """Print the numbers of a system's rule book whose name or source holds all words, and return the exit code."""
    system = registry.find(name)
    book = system.book
    said = rule_words(system)
    every: list[dict[str, Any]] = [
        {"field": field.name, "value": getattr(book, field.name), **field.metadata}
        for field in dataclasses.fields(book)
    ]
    entries = _with_words(
        [(one, f"{one['field']} {said(one.get('source', ''))}") for one in every], words
    )
    rows = [
        (one["field"], str(one["value"]), said(one.get("unit", "")), said(one.get("source", "")))
        for one in entries
    ]
    return _print_entries(entries, ("field", "value", "unit", "from"), rows, words, as_json=as_json)


def schema(name: str | None) -> ExitCode:
    """Print the JSON Schema of a system's scenario files, or of all systems' if `name` is None, and return the exit
    code.
    """
    from tabletop.scenario.schema import json_schema, schema_of

    every = (
        json_schema([registry.find(one) for one in registry.usable_names(warn)])
        if name is None
        else schema_of(registry.find(name))
    )
    say_json(explained(every))
    return ExitCode.DONE


def _test_texts() -> dict[str, str]:
    """Return the texts of the tests in a checkout by path; empty in an installed package."""
    if not (CHECKOUT / "pyproject.toml").is_file():
        return {}
    files = sorted(file for pattern in TESTS for file in (CHECKOUT / "tests").rglob(pattern))
    return {file.relative_to(CHECKOUT).as_posix(): file.read_text("utf-8") for file in files}


def _rule_entry(rule: Rule, tests: dict[str, str]) -> dict[str, str | list[str]]:
    entry = {key: getattr(rule, key) for key in ("name", "nature", "demand", "source")}
    tested = [file for file, text in tests.items() if _is_named(rule.name, file, text)]
    return {**entry, "choices": list(rule.choices), **({"tested": tested} if tests else {})}


def _is_named(rule: str, file: str, text: str) -> bool:
    """Return whether the text of a test file names a rule; tests of the same system may omit the system's name."""
    system, _, name = rule.partition(".")
    is_whole = re.search(rf"{re.escape(rule)}(?![\w.-])", text)
    return bool(is_whole) or (f'"{name}"' in text and system in file.split("/"))

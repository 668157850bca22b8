"""Commands that list (`scenarios`, `rules`, `schema`) and that write a scenario (`new`, `link`, `import`)."""

import dataclasses
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabletop import registry
from tabletop.cli.errors import ExitCode
from tabletop.cli.output import note, print_text, say_json, say_table, warn, write_text
from tabletop.cli.speech import rule_words
from tabletop.ruling.finding import Rule

if TYPE_CHECKING:
    from tabletop.importing.imported import Imported

CHECKOUT = Path(__file__).resolve().parents[2]

TESTS = ("test_*.py", "thresholds/*.py")
"""Patterns of the files in a checkout that name the rules they test."""


def scenarios(*, as_json: bool) -> ExitCode:
    """Print names and titles of the bundled scenarios, as a table or as JSON, and return the exit code."""
    bundled = [(name, file) for system in registry.usable_names(warn) for name, file in registry.scenarios(system)]
    entries = [{"name": name, "title": _title(file)} for name, file in bundled]
    if as_json:
        say_json(entries)
    else:
        say_table(("scenario", "title"), [(entry["name"], entry["title"]) for entry in entries])
    return ExitCode.DONE


def _title(file: Path) -> str:
    """Return the title of a bundled scenario; empty, with a warning, if the file cannot be read."""
    try:
        return str(tomllib.loads(file.read_text("utf-8")).get("title", ""))
    except (OSError, ValueError) as error:
        warn(f"{file}: {error}")
        return ""


def show(name: str) -> ExitCode:
    """Print the file of a bundled scenario, and return the exit code."""
    from tabletop.scenario.sources import bundled_text

    print_text(bundled_text(name).rstrip("\n"))
    return ExitCode.DONE


def link(file: str) -> ExitCode:
    """Print a scenario as a link of one line, and return the exit code."""
    from tabletop.scenario.embedded import link_of
    from tabletop.scenario.reading import read_scenario
    from tabletop.scenario.writing import content

    print_text(link_of(json.dumps(content(read_scenario(file)), separators=(",", ":"))))
    return ExitCode.DONE


def new(name: str, out: Path | None, *, force: bool) -> ExitCode:
    """Write or print the commented template of a system's scenario files, and return the exit code."""
    from tabletop.scenario.template import template_of

    text = template_of(registry.find(name))
    write_text(text, out, force=force)
    return ExitCode.DONE


def write_imported(source: str, read: Callable[[bytes, str], "Imported"], out: Path | None, *, force: bool) -> ExitCode:
    """Write or print the scenario that `read` makes of a foreign file, print remarks on it, and return the exit code."""
    from tabletop.importing.imported import FOREIGN_BYTES, scenario_text
    from tabletop.scenario.sources import read_bytes

    label, data = read_bytes(source, most=FOREIGN_BYTES)
    text, remarks = scenario_text(read(data, label))
    write_text(text, out, force=force)
    for one in remarks:
        note(one)
    return ExitCode.DONE


def rules(name: str, *, as_json: bool) -> ExitCode:
    """Print the rules of a system, in a checkout also the tests that name each, and return the exit code."""
    system = registry.find(name)
    tests = _test_texts()
    entries = [_rule_entry(rule, tests) for rule in system.rules]
    if as_json:
        say_json(entries)
        return ExitCode.DONE
    headings = ("rule", "nature", "demand", "from", *(["tested in"] if tests else []))
    said = rule_words(system)
    shown = [[rule.name, *map(said, (rule.nature, rule.demand, rule.source))] for rule in system.rules]
    found = [[", ".join(entry["tested"])] for entry in entries] if tests else [[]] * len(shown)
    say_table(headings, [[*row, *files] for row, files in zip(shown, found, strict=True)])
    return ExitCode.DONE


def fields(name: str, *, as_json: bool) -> ExitCode:
    """Print the numbers of a system's rule book with unit and source, and return the exit code."""
    system = registry.find(name)
    book, said = system.book, rule_words(system)
    entries: list[dict[str, Any]] = [
        {"field": field.name, "value": getattr(book, field.name), **field.metadata} for field in dataclasses.fields(book)
    ]
    if as_json:
        say_json(entries)
    else:
        rows = [(one["field"], str(one["value"]), said(one.get("unit", "")), said(one.get("source", ""))) for one in entries]
        say_table(("field", "value", "unit", "from"), rows)
    return ExitCode.DONE


def schema(name: str | None) -> ExitCode:
    """Print the JSON Schema of a system's scenario files, or of all systems' if `name` is None, and return the exit code."""
    from tabletop.scenario.schema import json_schema, schema_of

    if name is not None:
        say_json(schema_of(registry.find(name)))
        return ExitCode.DONE
    say_json(json_schema([registry.find(name) for name in registry.usable_names(warn)]))
    return ExitCode.DONE


def _test_texts() -> dict[str, str]:
    """Return the texts of the tests in a checkout by path; empty in an installed package."""
    if not (CHECKOUT / "pyproject.toml").is_file():
        return {}
    files = sorted(file for pattern in TESTS for file in (CHECKOUT / "tests").rglob(pattern))
    return {file.relative_to(CHECKOUT).as_posix(): file.read_text("utf-8") for file in files}


def _rule_entry(rule: Rule, tests: dict[str, str]) -> dict[str, str | list[str]]:
    entry: dict[str, str | list[str]] = {
        "name": rule.name,
        "nature": rule.nature,
        "demand": rule.demand,
        "source": rule.source,
        "choices": list(rule.choices),
    }
    return {**entry, "tested": [file for file, text in tests.items() if _is_named(rule.name, file, text)]} if tests else entry


def _is_named(rule: str, file: str, text: str) -> bool:
    """Return whether the text of a test file names a rule; tests of the same system may omit the system's name."""
    system, _, name = rule.partition(".")
    is_whole = re.search(rf"{re.escape(rule)}(?![\w.-])", text)
    return bool(is_whole) or (f'"{name}"' in text and system in file.split("/"))

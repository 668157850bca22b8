"""Reading of scenario files, with the changes of `--set`, into cases; all faults of a file are collected before an
error is raised.
"""

import dataclasses
import os
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from pydantic import ConfigDict, TypeAdapter, ValidationError

from tabletop import registry
from tabletop.errors import Fault, ScenarioError, UsageError, naming
from tabletop.messages import listed, nearest, quoted, say, shown
from tabletop.ruling.system import Case, System
from tabletop.scenario.cases import case_of, measured_of, with_entries
from tabletop.scenario.checks import known_charges, problems_of
from tabletop.scenario.document import Scenario, scenario_model
from tabletop.scenario.limits import PROBLEMS
from tabletop.scenario.parsing import SourceLines, parsed, parsed_with_lines, plain_tables
from tabletop.scenario.relations import resolve_relations, with_written_keys
from tabletop.scenario.sources import fetch
from tabletop.scenario.validation import alone, told_by, validated

Checked = TypeVar("Checked")

Source = str | os.PathLike[str] | Mapping[str, Any]
"""Ways to give a scenario: a path, "-" for standard input, a bundled name, a link, the text of a file, or its
tables."""

_FORM = say("expected rules.KEY=VALUE or system.FIELD=VALUE")


def case(source: Source | None = None, /, *, overrides: Sequence[str] = (), **tables: Any) -> Case:
    """Return the case of a scenario: read from a source, or made from the tables of a file given as keywords.

    Parameters
    ----------
    source
        A path, a bundled scenario's name, a link, the text of a file, or its tables as a dictionary.
    overrides
        Changes as `rules.KEY=VALUE` and `system.FIELD=VALUE`.
    tables
        The tables of a file, if there is no source: `system`, `board`, `units`, `charges` and so on, in inches and
        degrees. Units, terrain, the board and charges may also be values such as those in a case's `state`.

    Raises
    ------
    ScenarioError
        If the scenario is invalid; it holds every fault found.
    UsageError
        If an override is invalid.
    TypeError
        If both or neither of source and tables are given.

    Examples
    --------
    >>> case("t9a/wheel-and-align").title
    'Past the tower, a wheel, and shoulder to shoulder'
    """
    if (source is None) == (not tables):
        raise TypeError(
            "case: expected either a file (its path, text or tables) or the tables of a scenario as keywords, not both"
        )
    return read_case(tables if source is None else source, overrides=overrides)


def read_case(source: Source, *, overrides: Sequence[str] = ()) -> Case:
    """Return the case of a scenario given as a path, "-" for standard input, or a bundled name such as
    `t9a/align-corner`.

    The source may also be a link, the text of a file, or its tables. `overrides` are changes such as `rules.KEY=VALUE`,
    which chooses how a rule is read, and `system.FIELD=VALUE`, which replaces a number of the rule book.

    Raises
    ------
    ScenarioError
        If the file is invalid; it holds every fault found.
    UsageError
        If an override is invalid.
    """
    if isinstance(source, Mapping):
        return case_from_tables(read_tables(source), overrides=overrides)
    label, data = fetch(source)
    is_json = True if label.endswith(".json") else None
    return _case(data, is_json=is_json, file=label, overrides=overrides)


def read_scenario(source: str | Path) -> Scenario:
    """Return the checked pydantic model of a scenario, with coordinates in place of relative placements.

    Raises as `read_case` does.

    If the file gives an `accuracy`, relative placements stay, since such places were not measured.
    """
    label, data = fetch(source)

    def scenario(raw: dict[str, Any]) -> Scenario:
        """Return the checked model of the tables of a file, with coordinates in place of relative placements if nothing
        was measured.
        """
        system = _system(raw)
        told = _sound(*validated(scenario_model(system), raw))
        with_places = resolve_relations(told, system)
        return with_places if measured_of(told) is None else told

    return _read(data, scenario, file=label, is_json=True if label.endswith(".json") else None)[0]


def read_tables(source: Source) -> dict[str, Any]:
    """Return a scenario as plain tables, of which only the syntax is checked. Raises as `read_case` does."""
    if isinstance(source, Mapping):
        system = registry.named(source)
        return plain_tables(source if system is None else with_entries(source, system.vocabulary))
    label, data = fetch(source)
    with naming(label):
        return parsed(data, is_json=True if label.endswith(".json") else None)


def case_from_text(text: str, *, file: str = "", overrides: Sequence[str] = ()) -> Case:
    """Return the case of a TOML or JSON text; `file` is the name that messages call it by.

    Raises as `read_case` does.
    """
    return _case(text.encode("utf-8", "surrogatepass"), file=file, overrides=overrides)


def case_from_tables(
    tables: Mapping[str, Any],
    *,
    overrides: Sequence[str] = (),
    numbers: Mapping[str, Any] | None = None,
) -> Case:
    """Return the case of plain tables; `numbers` replace those of the rule book, by their fields.

    Raises as `read_case` does.
    """
    choices, given = split(overrides)
    system = _system(tables)
    book = with_numbers(system.book, {**given, **(numbers or {})})
    raw = with_choices(tables, choices, system)
    case = _checked(raw, system, book)
    if not choices:
        return case
    # expectations hold for the file's own choices
    return case.as_filed({key: value for key, value in raw.items() if key != "expect"})


def _case(data: bytes, *, file: str, overrides: Sequence[str], is_json: bool | None = None) -> Case:
    case, lines = _read(
        data, partial(case_from_tables, overrides=overrides), file=file, is_json=is_json
    )
    return replace(case, lines=lines)


def _read(
    data: bytes, make: Callable[[dict[str, Any]], Checked], *, file: str, is_json: bool | None
) -> tuple[Checked, SourceLines]:
    """Return what `make` builds from the tables of a file with the content `data`, and the object that finds the lines
    of its keys.

    Scenario errors get the name of the file and the lines of their keys.
    """
    with naming(file):
        raw, lines = parsed_with_lines(data, is_json=is_json)
        try:
            return make(raw), lines
        except ScenarioError as error:
            raise lines.with_lines(error) from None


def _system(raw: Mapping[str, Any]) -> System:
    if (system := registry.named(raw)) is not None:
        return system
    name = raw.get("system")
    known = registry.names()
    if name is None:
        raise ScenarioError(
            Fault.of("system", "is missing (known systems: {known})", known=quoted(known))
        )
    hint = nearest(name, known) if isinstance(name, str) else alone(name)
    message = "no system is called {name}{hint} (known systems: {known})"
    raise ScenarioError(
        Fault.of("system", message, name=shown(name), hint=hint, known=quoted(known))
    )


def _checked(raw: Mapping[str, Any], system: System, book: Any) -> Case:
    scenario, problems = validated(scenario_model(system), raw)
    if scenario is None:
        raise _refusal(problems)
    problems += problems_of(scenario, system)
    try:
        case = case_of(scenario, system, book=book).as_filed(raw)
    except ScenarioError as error:
        raise _refusal([*problems, *error.problems]) from None
    charges = [(number, case.charges[number]) for number in known_charges(scenario, system)]
    words = system.vocabulary
    if case.measured is not None and "hex" not in words.placements and not problems:
        from tabletop.settling.settle import settled_case

        case, problems = settled_case(case, charges)
        case = case.as_filed(raw)
    found = [
        *words.problems(case.state, charges),
        *words.tolerated(case.state, charges, case.choices),
    ]
    return _sound(case, with_written_keys([*problems, *found], scenario))


def _sound(value: Checked | None, problems: Sequence[Fault]) -> Checked:
    """Return a value that was built from a file.

    Raises
    ------
    ScenarioError
        If there are faults, or no value.
    """
    if value is None or problems:
        raise _refusal(problems, value)
    return value


def _refusal(problems: Sequence[Fault], value: Any = None) -> ScenarioError:
    more = [Fault.of("", "... and more problems")] if len(problems) > PROBLEMS else []
    return ScenarioError(
        [*problems[:PROBLEMS], *more], case=value if isinstance(value, Case) else None
    )


def split(overrides: Sequence[str], *, form: str = _FORM) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the choices of rules and the numbers of the book that the arguments of `--set` give, each by key.

    `form` is the expected form of an argument, for the error.

    Raises
    ------
    UsageError
        If an argument has another form.
    """
    parts: dict[str, dict[str, Any]] = {"rules": {}, "system": {}}
    for text in overrides:
        path, equals, value = text.partition("=")
        room, dot, key = path.strip().partition(".")
        if not equals or not dot or not key or room not in parts:
            raise UsageError("--set {text}: {form}", text=text, form=form)
        parts[room][key] = value_of(value.strip())
    return parts["rules"], parts["system"]


def value_of(text: str) -> Any:
    """Return the value of a TOML text (number, boolean, quoted text and so on), or the text itself if it is no TOML
    value.
    """
    try:
        table = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return text
    return table["value"] if len(table) == 1 else text


def with_choices(
    raw: Mapping[str, Any], choices: Mapping[str, Any], system: System
) -> dict[str, Any]:
    """Return the tables of a file with some keys of `rules` replaced.

    Raises
    ------
    UsageError
        If the system has no such key, or does not accept a value.
    """
    _, problems = validated(system.vocabulary.choices, choices)
    if problems:
        raise UsageError(
            listed(
                (say("--set rules.{problem}", problem=problem.sentence) for problem in problems),
                "\n",
            )
        )
    given = raw.get("rules", {})
    return (
        {**raw, "rules": {**given, **choices}} if choices and isinstance(given, dict) else dict(raw)
    )


def with_numbers(book: Any, numbers: Mapping[str, Any], *, option: str = "--set") -> Any:
    """Return the rule book with some of its numbers replaced, by field; `option` is the option that gave them, for the
    error.

    Raises
    ------
    UsageError
        If the book has no such field, or a value has another type.
    """
    kinds = get_type_hints(type(book)) if numbers else {}
    fields = [field.name for field in dataclasses.fields(book)]
    for key, value in numbers.items():
        if key not in fields:
            message = "{option} system.{key}: the book has no such number{hint} (it has: {known})"
            raise UsageError(
                message, option=option, key=key, hint=nearest(key, fields), known=quoted(fields)
            )
        _refuse_other_kind(f"{option} system.{key}", value, kinds[key])
    return dataclasses.replace(book, **numbers)


def _refuse_other_kind(given_as: str, value: Any, kind: Any) -> None:
    try:
        TypeAdapter(kind, config=ConfigDict(strict=True, allow_inf_nan=False)).validate_python(
            value
        )
    except ValidationError as error:
        message = say(
            "{option}: {expected}, given {value}",
            option=given_as,
            expected=told_by(error.errors()[0]),
            value=repr(value),
        )
        raise UsageError(message) from None

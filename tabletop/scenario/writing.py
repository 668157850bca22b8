"""Writers of scenario files: JSON and TOML."""

import json
from collections.abc import Mapping
from typing import Any

from tabletop.scenario.document import Scenario
from tabletop.scenario.fields import FRONTS

_INLINE = {"profile", "circle", "rectangle", "metrics", "judged", *FRONTS}


def content(scenario: Scenario) -> dict[str, Any]:
    """Return a scenario as the tables of its file: only the keys that were set, in the order of the file format."""
    tables: dict[str, Any] = tidy(
        scenario.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    )
    return {
        "format": scenario.format,
        **tables,
        "system": scenario.system,
        "edition": scenario.edition,
    }


def to_json(scenario: Scenario) -> str:
    """Return a scenario as JSON text."""
    return json.dumps(content(scenario), indent=2) + "\n"


def to_toml(scenario: Scenario) -> str:
    """Return a scenario as TOML text."""
    import tomlkit

    document = tomlkit.document()
    for key, value in content(scenario).items():
        document.add(key, _item(value))
    return tomlkit.dumps(document)


def _item(value: Any) -> Any:
    """Return a value as a tomlkit item, with the tables of a few keys, such as `profile`, written inline."""
    import tomlkit

    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        tables = tomlkit.aot()
        for entry in value:
            tables.append(_item(entry))
        return tables
    if not isinstance(value, dict):
        return tomlkit.item(value)
    table = tomlkit.table()
    for key, inner in value.items():
        table.add(
            key, _inline(inner) if key in _INLINE and isinstance(inner, dict) else _item(inner)
        )
    return table


def _inline(value: Mapping[str, Any]) -> Any:
    import tomlkit

    table = tomlkit.inline_table()
    table.update(value)
    return table


def present(**parts: Any) -> dict[str, Any]:
    """Return the parts that are not None, tuples as lists."""
    return {
        key: list(part) if isinstance(part, tuple) else part
        for key, part in parts.items()
        if part is not None
    }


def tidy(value: Any) -> Any:
    """Return a value with negative zeros as 0.0, tuples as lists and keys as text, at any depth of mappings and
    lists.
    """
    if isinstance(value, Mapping):
        return {str(key): tidy(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [tidy(inner) for inner in value]
    return value + 0.0 if isinstance(value, float) else value

"""Scenario files of the drill, each the same march with a few keys changed."""

import copy
import json
import tomllib
from importlib.resources import files
from typing import Any

REMOVED = object()
MARCH: dict[str, Any] = tomllib.loads(
    files("tests.drill").joinpath("scenarios/march.toml").read_text("utf-8")
)


def march(changes: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the march's tables with values replaced, added or REMOVED at paths such as `units/A/files`."""
    tables = copy.deepcopy(MARCH)
    for path, value in (changes or {}).items():
        *rooms, last = [int(part) if part.isdecimal() else part for part in path.split("/")]
        room: Any = tables
        for part in rooms:
            room = room[part] if isinstance(part, int) else room.setdefault(part, {})
        if value is REMOVED:
            del room[last]
        else:
            room[last] = value
    return tables


def march_json(changes: dict[str, Any] | None = None) -> str:
    """Return the march as JSON text with some values changed."""
    return json.dumps(march(changes))

"""All keys of the scenario files on one page, in Markdown, from the schema: `python -m tabletop.scenario.reference > docs/keys.md`."""

import sys
from collections.abc import Iterable, Iterator

from tabletop import registry
from tabletop.ruling.system import System
from tabletop.scenario.keys import Node, limits, meaning, tables_in, written
from tabletop.scenario.schema import schema_of

HEADING = """# The keys of a scenario file

Every key of the files of each game: what it means, what it may be, and what it is where it is left out. This page is written by
`python -m tabletop.scenario.reference`. `tabletop new SYSTEM` writes the same as a file to begin with, `tabletop schema SYSTEM` for
editors.
"""


def reference(systems: Iterable[System]) -> str:
    """Return the page."""
    return HEADING + "".join(f"\n{part}" for system in systems for part in _of_system(system))


def _of_system(system: System) -> Iterator[str]:
    schema = schema_of(system)
    yield f"## {system.title} (`{system.name}`)\n"
    rows = "\n".join(
        f"| `{key}` | {_cell(text)} | {_cell(allowed)} | {_cell(default)} |" for key, text, allowed, default in _keys(schema, schema, "")
    )
    yield f"| key | meaning | may be | left out |\n|---|---|---|---|\n{rows}\n"


def _keys(schema: Node, node: Node, path: str) -> Iterator[tuple[str, str, str, str]]:
    for key, part in node.get("properties", {}).items():
        inner = tables_in(schema, part)
        name = f"{path}{key}"
        default = (
            "an error" if key in node.get("required", ()) else "" if part.get("default") in (None, "", [], {}) else written(part["default"])
        )
        if inner is None:
            yield name, meaning(part), ", ".join(limits(schema, part)), default
            continue
        kind, below = inner
        whole = {"table": name, "named": f"{name}.NAME", "list": f"{name}[]"}[kind]
        yield whole, meaning(part), "", default
        yield from _keys(schema, below, f"{whole}.")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.stdout.write(reference(map(registry.find, registry.BUILT_IN)))

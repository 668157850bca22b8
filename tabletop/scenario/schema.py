"""JSON Schema of scenario files, and docs/keys.md, written by `python -m tabletop.scenario.schema > docs/keys.md`.

`tables_in`, `meaning`, `limits` and `written` read a schema: nesting of tables, meanings of keys, limits and values. A
`Node` is the schema of a file or of a part of it.
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema
from pydantic_core.core_schema import TaggedUnionSchema

from tabletop import registry
from tabletop.messages import say
from tabletop.ruling.system import System
from tabletop.scenario.document import scenario_model

DRAFT = "https://json-schema.org/draft/2020-12/schema"

Node = Mapping[str, Any]

HEADING = """# The keys of a scenario file

Every key in the files of each game: its meaning, its values, and its default. This page is written by
`python -m tabletop.scenario.schema`. `tabletop new SYSTEM` writes a small file to begin with, `tabletop new SYSTEM --explain` one with all
of these keys, `tabletop schema SYSTEM` a JSON Schema for editors.
"""  # noqa: E501


class _Generator(GenerateJsonSchema):
    """A pydantic schema generator that writes tagged unions as plain `anyOf`, which editors explain better."""

    def tagged_union_schema(self, schema: TaggedUnionSchema) -> dict[str, Any]:
        """Return the JSON Schema of a tagged union with its alternatives as `anyOf`."""
        return {"anyOf": super().tagged_union_schema(schema)["oneOf"]}


def schema_of(system: System) -> dict[str, Any]:
    """Return the JSON Schema of the scenario files of one game system, by which an editor marks the key that is
    wrong.
    """
    schema = scenario_model(system).model_json_schema(
        ref_template="#/$defs/{model}", schema_generator=_Generator
    )
    return {"$schema": DRAFT, **schema, "title": f"tabletop scenario, format 1: {system.title}"}


def json_schema(systems: Iterable[System]) -> dict[str, Any]:
    """Return one JSON Schema for the scenario files of several game systems, distinguished by the key `system`."""
    models = {system.name: scenario_model(system) for system in systems}
    references, definitions = models_json_schema(
        [(model, "validation") for model in models.values()],
        ref_template="#/$defs/{model}",
        schema_generator=_Generator,
    )
    by_name = {name: references[model, "validation"]["$ref"] for name, model in models.items()}
    # pydantic also defines models that `WithJsonSchema` replaces
    named = json.dumps([definitions["$defs"], by_name])
    return {
        "$schema": DRAFT,
        "title": "tabletop scenario, format 1",
        "oneOf": [{"$ref": reference} for reference in by_name.values()],
        "discriminator": {"propertyName": "system", "mapping": by_name},
        "$defs": {
            name: one for name, one in definitions["$defs"].items() if f'"#/$defs/{name}"' in named
        },
    }


def reference(systems: Iterable[System]) -> str:
    """Return the text of docs/keys.md: a table of all keys in the files of each system, with meaning, values and
    default.
    """
    return HEADING + "".join(f"\n{part}" for system in systems for part in _of_system(system))


def _of_system(system: System) -> Iterator[str]:
    schema = schema_of(system)
    yield f"## {system.title} (`{system.name}`)\n"
    rows = "\n".join(
        f"| `{key}` | {_cell(text)} | {_cell(allowed)} | {_cell(default)} |"
        for key, text, allowed, default in _keys(schema, schema, "")
    )
    yield f"| key | meaning | values | default |\n|---|---|---|---|\n{rows}\n"


def _keys(schema: Node, node: Node, path: str) -> Iterator[tuple[str, str, str, str]]:
    for key, part in node.get("properties", {}).items():
        inner = tables_in(schema, part)
        name = f"{path}{key}"
        default = (
            "required"
            if key in node.get("required", ())
            else ""
            if part.get("default") in (None, "", [], {})
            else written(part["default"])
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


def tables_in(schema: Node, part: Node) -> tuple[str, Node] | None:
    """Return the kind of tables that a key holds and their schema; None for a plain value.

    The kind is "table", "named" for tables by name, or "list" for a list of tables. `schema` is that of the whole file,
    `part` that of the key.
    """
    whole = bare(schema, part)
    if whole.get("properties"):
        return "table", whole
    for kind, key in (("named", "additionalProperties"), ("list", "items")):
        inner = whole.get(key)
        if isinstance(inner, Mapping) and (table := _table(schema, inner)).get("properties"):
            return kind, table
    return None


def bare(schema: Node, part: Node) -> Node:
    """Return the schema of a part with references to definitions of the whole `schema` resolved and `null` alternatives
    removed.
    """
    while True:
        choices = [one for one in part.get("anyOf", ()) if one.get("type") != "null"]
        if len(choices) == 1:
            part = choices[0]
        elif "$ref" in part:
            part = schema["$defs"][part["$ref"].rpartition("/")[2]]
        else:
            return part


def _table(schema: Node, part: Node) -> Node:
    """Return the schema of a table; alternatives are merged into one, in which a key is required if all alternatives
    require it.
    """
    whole = bare(schema, part)
    kinds = [bare(schema, one) for one in whole.get("anyOf", ())]
    if not kinds or not all(kind.get("properties") for kind in kinds):
        return whole
    keys: dict[str, Node] = {}
    for kind in kinds:
        for key, own in kind["properties"].items():
            keys[key] = own if keys.get(key, own) == own else _either(keys[key], own)
    needed = [key for key in keys if all(key in kind.get("required", ()) for kind in kinds)]
    return {"type": "object", "properties": keys, "required": needed}


def _either(one: Node, other: Node) -> Node:
    """Return the schema of a key whose meaning differs between alternative tables: both descriptions, and both schemas
    as `anyOf`.
    """
    return {"description": f"{meaning(one)} Or: {meaning(other)}", "anyOf": [one, other]}


def meaning(part: Node) -> str:
    """Return the description of a key in its schema, or an empty text."""
    return str(part.get("description", ""))


def limits(schema: Node, part: Node) -> Iterator[str]:
    """Yield texts for the words and the range of numbers that a key accepts, such as "0 to 1000"; not words that its
    description names.
    """
    whole = bare(schema, part)
    words = (
        whole.get("enum")
        or (
            bare(schema, whole["items"]).get("enum")
            if isinstance(whole.get("items"), Mapping)
            else None
        )
        or ()
    )
    if any(f'"{word}"' not in meaning(part) for word in words):
        listed = ", ".join(map(written, words))
        yield (
            say("any of {words}", words=listed)
            if "items" in whole
            else say("one of {words}", words=listed)
        )
    if whole.get("type") in ("number", "integer"):
        low, high = (
            whole.get(f"{word}imum", whole.get(f"exclusive{word.title()}imum"))
            for word in ("min", "max")
        )
        is_above = "exclusiveMinimum" in whole
        if low is not None:
            least = (
                say("more than {low}", low=written(low))
                if is_above
                else say("at least {low}", low=written(low))
            )
            yield (
                least
                if high is None
                else say(
                    "{least} to {most}",
                    least=least if is_above else written(low),
                    most=written(high),
                )
            )


def written(value: Any) -> str:
    """Return a value as TOML text, with tables inline."""
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{key} = {written(inner)}" for key, inner in value.items()) + " }"
            if value
            else "{}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, float) and value.is_integer():
        return f"{value:.1f}"
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    sys.stdout.write(reference(map(registry.find, registry.BUILT_IN)))

"""The keys of a system's files as its schema tells them: how tables lie in each other, what a key means and what it may be."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

Node = Mapping[str, Any]


def bare(schema: Node, part: Node) -> Node:
    """Follow references, and leave out that a key may be left out."""
    while True:
        choices = [one for one in part.get("anyOf", ()) if one.get("type") != "null"]
        if len(choices) == 1:
            part = choices[0]
        elif "$ref" in part:
            part = schema["$defs"][part["$ref"].rpartition("/")[2]]
        else:
            return part


def tables_in(schema: Node, part: Node) -> tuple[str, Node] | None:
    """Tell whether a key holds a table, named tables or a list of tables, and what they hold; None of what is written on one line."""
    whole = bare(schema, part)
    if whole.get("properties"):
        return "table", whole
    for kind, key in (("named", "additionalProperties"), ("list", "items")):
        inner = whole.get(key)
        if isinstance(inner, Mapping) and (table := _table(schema, inner)).get("properties"):
            return kind, table
    return None


def _table(schema: Node, part: Node) -> Node:
    """Return a table; of several kinds one with all their keys, of which those are needed that all of them need."""
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
    """Return a key that means one thing in tables of one kind, and another in those of another."""
    return {"description": f"{meaning(one)} Or: {meaning(other)}", "anyOf": [one, other]}


def meaning(part: Node) -> str:
    """Give what a key means."""
    return str(part.get("description", ""))


def limits(schema: Node, part: Node) -> Iterator[str]:
    """Say which numbers a key may have, and which words, if what it means does not name them all."""
    whole = bare(schema, part)
    words = whole.get("enum") or (bare(schema, whole["items"]).get("enum") if isinstance(whole.get("items"), Mapping) else None) or ()
    if any(f'"{word}"' not in meaning(part) for word in words):
        yield f"{'any' if 'items' in whole else 'one'} of {', '.join(map(written, words))}"
    if whole.get("type") in ("number", "integer"):
        low, high = (whole.get(f"{word}imum", whole.get(f"exclusive{word.title()}imum")) for word in ("min", "max"))
        above = "more than " if "exclusiveMinimum" in whole else ""
        if low is not None and high is not None:
            yield f"{above}{written(low)} to {written(high)}"
        elif low is not None:
            yield f"{above or 'at least '}{written(low)}"


def written(value: Any) -> str:
    """Write a value as TOML; a table on one line."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {written(inner)}" for key, inner in value.items()) + " }" if value else "{}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(written, value)) + "]"
    if isinstance(value, float) and value.is_integer():
        return f"{value:.1f}"
    return json.dumps(value, ensure_ascii=False)

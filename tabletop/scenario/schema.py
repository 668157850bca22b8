"""The JSON Schema of the scenario files of all systems."""

from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import models_json_schema

from tabletop.ruling.system import System
from tabletop.scenario.document import scenario_model

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema_of(system: System) -> dict[str, Any]:
    """Give the schema of one system's files: an editor marks the key that is wrong, not the whole file."""
    schema = scenario_model(system).model_json_schema(ref_template="#/$defs/{model}")
    return {"$schema": DRAFT, **schema, "title": f"tabletop scenario, format 1: {system.title}"}


def json_schema(systems: Iterable[System]) -> dict[str, Any]:
    """Give one schema for the files of some systems, told apart by their `system` key."""
    models = {system.name: scenario_model(system) for system in systems}
    references, definitions = models_json_schema([(model, "validation") for model in models.values()], ref_template="#/$defs/{model}")
    by_name = {name: references[model, "validation"]["$ref"] for name, model in models.items()}
    return {
        "$schema": DRAFT,
        "title": "tabletop scenario, format 1",
        "oneOf": [{"$ref": reference} for reference in by_name.values()],
        "discriminator": {"propertyName": "system", "mapping": by_name},
        "$defs": definitions["$defs"],
    }

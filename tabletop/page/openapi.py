"""OpenAPI description of the page's endpoints."""

from collections.abc import Mapping
from typing import Any

from pydantic.json_schema import models_json_schema

from tabletop.distribution import version
from tabletop.page.protocol import ENDPOINTS, JSON, Endpoint
from tabletop.scenario.vocabulary import Entry

SCHEMAS = "#/components/schemas/"

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "string",
            "description": "What is wrong, in the words of the command line.",
        },
        "key": {
            "type": ["string", "null"],
            "description": "The key of the scenario where it is wrong.",
        },
        "faults": {
            "type": "array",
            "items": {"type": "object"},
            "description": "All that is wrong: key, message, between.",
        },
    },
}

STATUSES = {
    "400": "The scenario or an option cannot be used.",
    "403": "Asked by another page, under another name, or without the token.",
    "408": "There is no verdict within the limits of time, memory or search.",
    "409": "A newer question of the same page (X-Page) and name (X-Question) took its place.",
    "413": "The body is too large.",
    "429": "Too many questions at once.",
}

FILE = {
    "type": "object",
    "properties": {key: {"type": "string"} for key in ("text", "data", "name")},
}

REQUEST_HEADERS = ("X-Page", "X-Question", "X-Token")


def described(options: Mapping[str, type[Entry]]) -> dict[str, Any]:
    """Return the OpenAPI description of the endpoints; `options` are the models of their options by endpoint name."""
    models = dict.fromkeys(options.values())
    references, found = models_json_schema(
        [(model, "validation") for model in models], ref_template=f"{SCHEMAS}{{model}}"
    )
    bodies = {name: _question(references[model, "validation"]) for name, model in options.items()}
    told = {name: one for name, one in ENDPOINTS.items() if one.address}
    return {
        "openapi": "3.1.0",
        "info": {"title": "tabletop page", "version": version()},
        "paths": {
            one.address: {one.method.lower(): _operation(one, bodies.get(name, FILE))}
            for name, one in told.items()
        },
        "components": {"schemas": {"Error": ERROR, **found["$defs"]}},
    }


def _question(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON Schema of a request with a scenario and options; `/api/schema` describes scenarios."""
    tables = {"scenario": {"type": "object"}, "options": options}
    return {
        "type": "object",
        "required": ["scenario"],
        "properties": tables,
        "additionalProperties": False,
    }


def _operation(endpoint: Endpoint, body: Mapping[str, Any]) -> dict[str, Any]:
    refused = {JSON: {"schema": {"$ref": f"{SCHEMAS}Error"}}}
    wrong = {
        status: {"description": words, "content": refused} for status, words in STATUSES.items()
    }
    responses = {"200": {"description": "The answer."}, **wrong}
    if endpoint.method == "POST":
        headers = [
            {"name": name, "in": "header", "schema": {"type": "string"}} for name in REQUEST_HEADERS
        ]
        content = {"required": True, "content": {JSON: {"schema": body}}}
        return {
            "summary": endpoint.words,
            "parameters": headers,
            "requestBody": content,
            "responses": responses,
        }
    names = [part.partition("}")[0] for part in endpoint.address.split("{")[1:]]
    parts = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in names
    ]
    return {"summary": endpoint.words, "parameters": parts, "responses": responses}

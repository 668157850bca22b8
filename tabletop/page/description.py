"""The description of the server's addresses, as OpenAPI has it."""

from typing import Any

from tabletop.distribution import version

ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {"type": "string", "description": "What is wrong, in the words of the command line."},
        "key": {"type": ["string", "null"], "description": "The key of the scenario where it is wrong."},
        "faults": {"type": "array", "items": {"type": "object"}, "description": "All that is wrong: key, message, between."},
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
ASKED = {
    "table": "The table as it stands: figure, places, gaps about `near` within `within` inches, faults; unless `bodies` is true nothing of "
    "what stands where.",
    "resolve": "What `tabletop resolve --json` prints, and unless `figure` is false the figure, its words, places and gaps.",
    "judge": "What `tabletop judge --json` prints, likewise.",
    "odds": "What `tabletop odds --json` prints.",
    "write": "The scenario as TOML and as a link.",
    "plain": "The scenario with one `unit` placed by coordinates.",
    "draw": "The file that `tabletop draw` writes; `format` and the words of its options.",
    "explore": "Lines of progress, and last the map of `question`: threat, safe or start.",
}
TOLD = {
    "/api/health": "The version and the systems.",
    "/api/schema": "The JSON Schema of scenarios.",
    "/api/theme": "The looks of all roles of marks, light and dark.",
    "/api/words": "The choices of figures.",
    "/api/start": "The scenario that lies on the table first.",
    "/api/scenarios": "The bundled scenarios.",
    "/api/scenarios/{system}/{name}": "A bundled scenario.",
    "/api/scenarios/{system}/{name}.svg": "Its figure.",
    "/api/readings/{system}": "The named choices of a system.",
}


def openapi() -> dict[str, Any]:
    """Return the description."""
    read = {"type": "object", "properties": {"text": {"type": "string"}, "data": {"type": "string"}, "name": {"type": "string"}}}
    posted = {f"/api/{kind}": {"post": _posted(words, _about())} for kind, words in ASKED.items()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "tabletop page", "version": version()},
        "paths": {
            **{path: {"get": _told(path, words)} for path, words in TOLD.items()},
            "/api/read": {"post": _posted("The scenario of a text, a link, or a file's bytes in base64.", read)},
            **posted,
        },
        "components": {"schemas": {"Error": ERROR}},
    }


def _about() -> dict[str, Any]:
    """Return the schema of a question about a scenario; `/api/schema` says what a scenario is."""
    tables = {key: {"type": "object"} for key in ("scenario", "options")}
    return {"type": "object", "required": ["scenario"], "properties": tables, "additionalProperties": False}


def _posted(words: str, body: dict[str, Any]) -> dict[str, Any]:
    names = ("X-Page", "X-Question", "X-Token")
    headers = [{"name": name, "in": "header", "schema": {"type": "string"}} for name in names]
    content = {"application/json": {"schema": body}}
    return {"summary": words, "parameters": headers, "requestBody": {"required": True, "content": content}, "responses": _responses()}


def _told(path: str, words: str) -> dict[str, Any]:
    names = [part.partition("}")[0] for part in path.split("{")[1:]]
    parameters = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
    return {"summary": words, "parameters": parameters, "responses": _responses()}


def _responses() -> dict[str, Any]:
    refused = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    wrong = {status: {"description": words, "content": refused} for status, words in STATUSES.items()}
    return {"200": {"description": "The answer."}, **wrong}

"""Protocol between page, server and workers: endpoints and replies."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from tabletop.language import speech


@dataclass(frozen=True)
class Endpoint:
    """An endpoint; the function of the same name in `tabletop.page.answers` handles it.

    Attributes
    ----------
    address
        Path; empty for internal requests.
    words
        Description of the answer, in English.
    method
        POST takes a scenario with options, or a file; the data of GET are the parts of the path.
    seconds
        Time limit for a worker's answer, in seconds.
    is_slow
        Whether it runs in the pool of slow requests, which leaves a worker free for quick ones.
    """

    address: str
    words: str
    method: Literal["GET", "POST"] = "GET"
    seconds: float = 30.0
    is_slow: bool = False


EXPLORE, START, WARM = "explore", "start", "warm"
"""Names of special requests: the streamed map, the initial scenario, and preloading."""

ENDPOINTS = {
    "health": Endpoint(
        "/api/health", "The version and the systems, with the boards of their empty tables."
    ),
    "openapi": Endpoint("/api/openapi.json", "This description."),
    "schema": Endpoint("/api/schema", "The JSON Schema of scenarios."),
    "theme": Endpoint("/api/theme", "The styles of all roles of marks, light and dark."),
    "words": Endpoint("/api/words", "The possible values of the options of figures."),
    START: Endpoint("/api/start", "The initial scenario."),
    "scenarios": Endpoint("/api/scenarios", "The bundled scenarios."),
    "picture": Endpoint(
        "/api/scenarios/{system}/{name}.svg",
        "The figure of a bundled scenario.",
        seconds=150.0,
        is_slow=True,
    ),
    "scenario": Endpoint("/api/scenarios/{system}/{name}", "A bundled scenario."),
    "readings": Endpoint("/api/readings/{system}", "The named choices of a system."),
    "read": Endpoint(
        "/api/read",
        "The scenario of a text, a link, or a file's bytes in base64.",
        "POST",
        seconds=60.0,
    ),
    "table": Endpoint(
        "/api/table",
        "The table as it stands: figure, places, gaps around the units in `near` within `within` inches, faults. "
        "Units and terrain are included only if `bodies` is true.",
        "POST",
    ),
    "resolve": Endpoint(
        "/api/resolve",
        "The output of `tabletop resolve --json` and, unless `figure` is false, the figure, texts, places, gaps "
        "and alternatives.",
        "POST",
        seconds=75.0,
    ),
    "judge": Endpoint(
        "/api/judge",
        "The output of `tabletop judge --json`, otherwise as /api/resolve.",
        "POST",
        seconds=75.0,
    ),
    "odds": Endpoint(
        "/api/odds", "The output of `tabletop odds --json`.", "POST", seconds=75.0, is_slow=True
    ),
    "write": Endpoint("/api/write", "The scenario as TOML and as a link.", "POST"),
    "plain": Endpoint("/api/plain", "The scenario with one `unit` placed by coordinates.", "POST"),
    "draw": Endpoint(
        "/api/draw", "The file that `tabletop draw` writes.", "POST", seconds=150.0, is_slow=True
    ),
    EXPLORE: Endpoint(
        "/api/explore",
        "Lines of progress and, as the last line, the map of `question`.",
        "POST",
        seconds=1200.0,
        is_slow=True,
    ),
    WARM: Endpoint("", "Nothing; imports what rulings of a system and their figures need."),
}
"""All endpoints by name."""

JSON = "application/json"
NDJSON = "application/x-ndjson"

LASTING = (200, 400, 404)
"""Statuses of answers that can be cached."""


@dataclass(frozen=True)
class Reply:
    """An answer to send: body, HTTP status, media type and headers; `is_last` if its worker process ends after it."""

    body: bytes
    status: int = 200
    media: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    is_last: bool = False

    @property
    def is_lasting(self) -> bool:
        """Whether the answer may be cached, as the same request gives it again."""
        return self.status in LASTING and not self.is_last


Tell = Callable[[bytes], None]
"""Callback that receives the partial answers."""


def success(answer: Any, status: int = 200) -> Reply:
    """Return a reply with an answer as JSON."""
    return Reply(as_json(answer), status)


def refusal(status: int, sentence: str) -> Reply:
    """Return an error reply with a sentence, translated into the current language."""
    return success({"error": speech.translated(sentence), "key": None}, status)


def as_json(answer: Any) -> bytes:
    """Return plain values as bytes of compact JSON."""
    try:
        return orjson.dumps(answer)
    # the request may hold integers beyond 64 bits or lone surrogates
    except orjson.JSONEncodeError:
        return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()

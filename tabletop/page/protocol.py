"""What the page, its server and its processes say to each other: the endpoints, and replies."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import orjson

from tabletop.cli import speech


@dataclass(frozen=True)
class Endpoint:
    """A kind of question; the function of `tabletop.page.answers` that has its name answers it.

    Attributes
    ----------
    address
        Where it is asked; nowhere if it is empty.
    words
        What it answers.
    method
        How it is asked: what is posted is a scenario with options, or a file; else its data are the parts of the address.
    seconds
        After which it is ended.
    is_slow
        Whether it leaves room for others.
    """

    address: str
    words: str
    method: Literal["GET", "POST"] = "GET"
    seconds: float = 30.0
    is_slow: bool = False


EXPLORE, START, WARM = "explore", "start", "warm"
"""That whose answer comes in parts, that which tells what was there before any question, and that which loads what rulings need."""

ENDPOINTS = {
    "health": Endpoint("/api/health", "The version and the systems, with the boards of their empty tables."),
    "openapi": Endpoint("/api/openapi.json", "This description."),
    "schema": Endpoint("/api/schema", "The JSON Schema of scenarios."),
    "theme": Endpoint("/api/theme", "The looks of all roles of marks, light and dark."),
    "words": Endpoint("/api/words", "The choices of figures."),
    START: Endpoint("/api/start", "The scenario that lies on the table first."),
    "scenarios": Endpoint("/api/scenarios", "The bundled scenarios."),
    "picture": Endpoint("/api/scenarios/{system}/{name}.svg", "The figure of a bundled scenario.", seconds=150.0, is_slow=True),
    "scenario": Endpoint("/api/scenarios/{system}/{name}", "A bundled scenario."),
    "readings": Endpoint("/api/readings/{system}", "The named choices of a system."),
    "read": Endpoint("/api/read", "The scenario of a text, a link, or a file's bytes in base64.", "POST", seconds=60.0),
    "table": Endpoint(
        "/api/table",
        "The table as it stands: figure, places, gaps about `near` within `within` inches, faults; unless `bodies` is true nothing of "
        "what stands where.",
        "POST",
    ),
    "resolve": Endpoint(
        "/api/resolve",
        "What `tabletop resolve --json` prints, and unless `figure` is false the figure, its words, places and gaps.",
        "POST",
        seconds=75.0,
    ),
    "judge": Endpoint("/api/judge", "What `tabletop judge --json` prints, likewise.", "POST", seconds=75.0),
    "odds": Endpoint("/api/odds", "What `tabletop odds --json` prints.", "POST", seconds=75.0, is_slow=True),
    "write": Endpoint("/api/write", "The scenario as TOML and as a link.", "POST"),
    "plain": Endpoint("/api/plain", "The scenario with one `unit` placed by coordinates.", "POST"),
    "draw": Endpoint("/api/draw", "The file that `tabletop draw` writes.", "POST", seconds=150.0, is_slow=True),
    EXPLORE: Endpoint("/api/explore", "Lines of progress, and last the map of `question`.", "POST", seconds=1200.0, is_slow=True),
    WARM: Endpoint("", "Nothing: what rulings of a system and their figures need is loaded."),
}
"""All kinds of questions by name."""

JSON, NDJSON = "application/json", "application/x-ndjson"

LASTING = (200, 400, 404)
"""Statuses of answers that are the same whenever the same is asked."""


@dataclass(frozen=True)
class Reply:
    """An answer as it is sent; `is_last` of a process that ends with it."""

    body: bytes
    status: int = 200
    media: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    is_last: bool = False

    @property
    def is_lasting(self) -> bool:
        """Whether the same question has the same answer later."""
        return self.status in LASTING and not self.is_last


Tell = Callable[[bytes], None]
"""Takes the parts of an answer that come before it."""


def success(answer: Any, status: int = 200) -> Reply:
    """Return an answer as JSON."""
    return Reply(as_json(answer), status)


def refusal(status: int, sentence: str) -> Reply:
    """Return what is wrong, in a sentence of the language that is spoken."""
    return success({"error": speech.told(sentence), "key": None}, status)


def as_json(answer: Any) -> bytes:
    """Return plain values as JSON, as short as it can be."""
    try:
        return orjson.dumps(answer)
    except orjson.JSONEncodeError:  # whole numbers beyond 64 bits, halves of characters: what was asked may hold them
        return json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()

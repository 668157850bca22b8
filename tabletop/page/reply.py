"""What goes back to whoever asked: a status, bytes, and what they are."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json"
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


def told(answer: Any, status: int = 200) -> Reply:
    """Return an answer as JSON."""
    return Reply(as_json(answer).encode(), status)


def as_json(answer: Any) -> str:
    """Return plain values as JSON, as short as it can be."""
    return json.dumps(answer, allow_nan=False, separators=(",", ":"))


def refused(status: int, sentence: str, key: str | None = None) -> Reply:
    """Return what is wrong, in a sentence."""
    return told({"error": sentence, "key": key}, status)

"""What the page, its server and its processes say to each other: kinds of questions, their options, and replies."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.cli import speech
from tabletop.errors import UsageError
from tabletop.messages import nearest, quoted, say, shown


@dataclass(frozen=True)
class Kind:
    """Seconds after which a question of the kind is ended, and whether it leaves room for others."""

    seconds: float = 75.0
    is_slow: bool = False


ABOUT_A_SCENARIO = {
    "table": Kind(30.0),
    "resolve": Kind(),
    "judge": Kind(),
    "odds": Kind(is_slow=True),
    "write": Kind(30.0),
    "plain": Kind(30.0),
    "draw": Kind(150.0, is_slow=True),
}
"""Those that are posted with a scenario and answered at once."""

TOLD = {
    "health": Kind(30.0),
    "schema": Kind(30.0),
    "theme": Kind(30.0),
    "scenarios": Kind(30.0),
    "scenario": Kind(30.0),
    "start": Kind(30.0),
    "picture": Kind(150.0, is_slow=True),
    "readings": Kind(30.0),
    "words": Kind(30.0),
    "read": Kind(60.0),
}
"""Those that are about what there is, or about a file."""

EXPLORE, WARM = "explore", "warm"
"""That whose answer comes in parts, and that which loads what rulings of a system need."""

KINDS: dict[str, Kind] = {**ABOUT_A_SCENARIO, **TOLD, EXPLORE: Kind(1200.0, is_slow=True), WARM: Kind(30.0)}
"""All kinds of questions."""

MOST_SECONDS = 60.0
"""Seconds of search that a question may ask for, and that are taken where it asks for none."""

MOST_TEXTS = 50
"""Texts in a list of them."""

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

Job = Callable[[bytes, Tell], Reply]
"""Answers a question from the bytes that came with it."""


def told(answer: Any, status: int = 200) -> Reply:
    """Return an answer as JSON."""
    return Reply(as_json(answer).encode(), status)


def refused(status: int, sentence: str, key: str | None = None) -> Reply:
    """Return what is wrong, in a sentence of the language that is spoken."""
    return told({"error": speech.told(sentence), "key": key}, status)


def as_json(answer: Any) -> str:
    """Return plain values as JSON, as short as it can be."""
    return json.dumps(answer, allow_nan=False, separators=(",", ":"))


class Options:
    """Options by name; those that were never asked for are unknown when it is closed."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._given = given
        self._known: list[str] = []

    def close(self) -> None:
        """Refuse what was not asked for.

        Raises
        ------
        UsageError
            If something is left.
        """
        unknown = [key for key in self._given if key not in self._known]
        if unknown:
            message = "options: unknown {unknown}{hint} (known here: {known})"
            raise UsageError(message, unknown=shown(unknown[0]), hint=nearest(unknown[0], self._known), known=quoted(self._known))

    def _take(self, name: str) -> Any:
        self._known.append(name)
        return self._given.get(name)

    def text(self, name: str) -> str | None:
        """Return an option that is text, None where it is left out. Raises `UsageError` if it is none, as all others do."""
        value = self._take(name)
        if value is not None and not isinstance(value, str):
            raise UsageError("options: {name}: expected text, given {value}", name=name, value=shown(value))
        return value

    def truth(self, name: str, *, default: bool) -> bool:
        """Return an option that is true or false."""
        value = self._take(name)
        if value is not None and not isinstance(value, bool):
            raise UsageError("options: {name}: expected true or false, given {value}", name=name, value=shown(value))
        return default if value is None else value

    def number(self, name: str, default: float, *, least: float = -math.inf, most: float = math.inf) -> float:
        """Return an option that is a number within limits."""
        value = self._take(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            message = "options: {name}: expected a number from {least:g} to {most:g}, given {value}"
            raise UsageError(message, name=name, least=least, most=most, value=shown(value))
        return float(value)

    def whole(self, name: str, default: int | None, *, least: int | None = None, most: int | None = None) -> int | None:
        """Return an option that is a whole number within limits."""
        value = self._take(name)
        if value is None:
            return default
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or (least is not None and value < least) or (most is not None and value > most):
            bounds = say(
                "{least}{most}",
                least="" if least is None else say(" from {least}", least=least),
                most="" if most is None else say(" to {most}", most=most),
            )
            raise UsageError(
                "options: {name}: expected a whole number{bounds}, given {value}", name=name, bounds=bounds, value=shown(value)
            )
        return int(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return an option that is a list of texts."""
        value = self._take(name)
        if value is None:
            return ()
        if not isinstance(value, list) or len(value) > MOST_TEXTS or not all(isinstance(one, str) for one in value):
            raise UsageError(
                "options: {name}: expected a list of at most {most} texts, given {value}", name=name, most=MOST_TEXTS, value=shown(value)
            )
        return tuple(value)

    def names(self, name: str, *, most: int) -> tuple[str, ...]:
        """Return an option that is a list of names, each once; no more of them than `most`."""
        return tuple(dict.fromkeys(self.texts(name)))[:most]

    def faces(self, name: str) -> tuple[int, ...] | None:
        """Return natural faces: a list of numbers, or a text with commas; what they may be is asked where they are dealt."""
        value = self._take(name)
        if isinstance(value, str):
            value = [int(part) if part.strip().isdecimal() and part.isascii() else part for part in value[:500].split(",")]
        if value is not None and not isinstance(value, list):
            raise UsageError("options: {name}: expected a list of natural faces, given {value}", name=name, value=shown(value))
        return None if value is None else tuple(value)

    def seconds(self) -> float:
        """Return the seconds that a search may take."""
        value = self._take("max_seconds")
        if value is None:
            return MOST_SECONDS
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < math.inf:
            raise UsageError("options: max_seconds: expected a number greater than 0, given {value}", value=shown(value))
        return min(float(value), MOST_SECONDS)

"""The words that figures say of themselves, from one catalogue for each language.

What a ruling says (sentences, notes, measured lengths, names of rules and units) stays as the game system gives it.
"""

import string
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tabletop.errors import UsageError
from tabletop.words import edition_words, listed, nearest, shown

BUNDLED = ("english", "german")
SHORT = {"en": "english", "de": "german"}
MOST_BYTES = 2**20
"""Bytes of the largest catalogue that is read."""


@dataclass(frozen=True, eq=False)
class Language:
    """A catalogue: `words` under keys such as "badge.about", with names of what is filled in between braces."""

    words: Mapping[str, str]

    @property
    def code(self) -> str:
        """The language's code, as documents have it: en, de."""
        return self.words["code"]

    def say(self, key: str, **parts: object) -> str:
        """Give the words of a key with its parts filled in."""
        return self.words[key].format(**parts)

    def within(self, words: str) -> str:
        """Write words as they stand within a sentence: with small letters, where the language has no other rule."""
        return words.lower() if self.words["capitals"] == "first" else words

    def known(self, group: str, word: str) -> str:
        """Give the words for a term of a game in a group of the catalogue, the term itself where it is not listed."""
        return self.words.get(f"{group}.{word}", word.replace("_", " "))

    def edition(self, edition: str) -> str:
        """Name an edition of rules."""
        words = edition_words(edition)
        plain = words.removesuffix(" edition").removeprefix("edition ").rstrip("stndrh") if "edition" in words else words
        return self.say("caption.edition", words=words, plain=plain)

    def listed(self, names: tuple[str, ...]) -> str:
        """Join names in a sentence."""
        return self.words["caption.and"].join(names)


@lru_cache(maxsize=4)
def bundled(name: str) -> Language:
    """Give a language that comes with the program."""
    return Language(dict(_flat(tomllib.loads(files("plots").joinpath("languages", f"{name}.toml").read_text(encoding="utf-8")))))


def language(name: str) -> Language:
    """Give a bundled language by its name or code, or read one from a TOML file.

    Raises
    ------
    UsageError
        If there is no such language or file, or words are missing in it, unknown, or filled with unknown parts.
    """
    known = SHORT.get(name.lower(), name.lower())
    if known in BUNDLED:
        return bundled(known)
    path = Path(name)
    if path.suffix != ".toml" and not path.is_file():
        raise UsageError(f"--language {shown(name)}: expected {listed(BUNDLED)} or a TOML file{nearest(name, BUNDLED)}")
    return Language(_checked(_read(path), name))


def _read(path: Path) -> Mapping[str, Any]:
    try:
        data = path.read_bytes()
        if len(data) > MOST_BYTES:
            raise UsageError(f"--language {path}: larger than {MOST_BYTES} bytes")
        return dict(_flat(tomllib.loads(data.decode("utf-8"))))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"--language {path}: cannot be read: {reason}") from error


def _flat(table: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    """Give the keys of nested tables with dots between."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{start}{key}.")
        else:
            yield f"{start}{key}", value


def _checked(words: Mapping[str, Any], name: str) -> Mapping[str, str]:
    """Refuse a catalogue with all that is wrong with it."""
    english = bundled("english").words
    missing, unknown = [key for key in english if key not in words], [key for key in words if key not in english]
    wrong = [key for key in english if key in words and not _fits(words[key], english[key])]
    problems = [
        f"words are missing: {listed(missing)}" if missing else "",
        f"unknown keys: {listed(unknown)}{nearest(unknown[0], english)}" if unknown else "",
        f"not text with the braces of the English words: {listed(wrong)}" if wrong else "",
    ]
    if any(problems):
        raise UsageError(f"--language {name}: {'; '.join(filter(None, problems))}")
    return words


def _fits(text: Any, english: str) -> bool:
    """Tell whether a text fills in nothing but what the English one does, and is not empty."""
    try:
        return isinstance(text, str) and bool(text.strip()) and _parts(text) <= _parts(english)
    except ValueError:
        return False


def _parts(text: str) -> set[tuple[str, str | None, str | None]]:
    """Give what is filled in between braces, with conversions and formats, which no English word has."""
    return {(field, form, conversion) for _, field, form, conversion in string.Formatter().parse(text) if field is not None}


ENGLISH = bundled("english")

"""Sentences of rulings in another language: phrases from the files of a language, and the interpreter that reads and writes by them.

Games write sentences by patterns. A phrase is such a pattern with its translation; a phrasebook holds those for a game: from the
files of the language, one for each game and one for all, from a catalogue of one's own, and from other games.
"""

import re
import string
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from tabletop.errors import UsageError
from tabletop.ruling.looks import Looks, translates
from tabletop.words import listed

NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?\d+(?:\.\d+)?(?:/\d+)?(?:e-?\d+)?(?:%|°)?|\d*[dD]\d+|(?:\d{4} )+\d{4}")
"""What is the same in every language but for its decimal mark: numbers, fractions, hexes, dice."""

RULE = re.compile(r"[a-z][a-z0-9]*(?:\.[a-z][a-z0-9-]*)+")
"""The name of a rule."""

PAIR = 3
"""Parts of a pattern that joins two things: the one between, and nothing before and after."""

MANY = 2
"""Items of a list beyond which they are read one by one, not as pairs of pairs."""

GAMES = ("battletech", "conquest", "t9a", "wh40k")
"""Whose sentences bundled languages have."""

SPEAKING = ("german",)
"""Bundled languages that have them; English is what they are written in."""

KIT = "kit"
"""What the games of others say that are built on the kit."""

Filled = Mapping[str, tuple[str, str]]
"""What is filled in by its name: as it was read, and as it is written."""


@dataclass(frozen=True)
class Pattern:
    """A sentence with `names` filled in between its `parts`, of which there is one more, and how it is written in another language."""

    parts: tuple[str, ...]
    names: tuple[str, ...]
    translation: str

    @property
    def weight(self) -> int:
        """How many letters of a sentence are the pattern's own: what has more of them is tried first."""
        return sum(map(len, self.parts))

    @property
    def joins(self) -> bool:
        """Whether it does nothing but join two things, as in a list."""
        return len(self.parts) == PAIR and not self.parts[0] and not self.parts[-1]


def parsed(pattern: str, translation: str) -> Pattern:
    """Return a pattern.

    Examples
    --------
    >>> parsed("{unit} is engaged.", "{unit} ist im Nahkampf.").parts
    ('', ' is engaged.')
    """
    parts, names = [""], list[str]()
    for literal, name, _, _ in string.Formatter().parse(pattern):
        parts[-1] += literal
        if name is not None:
            names.append(name)
            parts.append("")
    return Pattern(tuple(parts), tuple(names), translation)


@dataclass(frozen=True, eq=False)
class Phrases:
    """What is known by heart, and patterns with something filled in, each behind its longest part, those with most letters first."""

    whole: Mapping[str, str]
    patterns: tuple[tuple[str, Pattern], ...]


def phrases(said: Mapping[str, str]) -> Phrases:
    """Return the phrases of patterns with their translations."""
    found = [parsed(pattern, translation) for pattern, translation in said.items()]
    whole = {one.parts[0]: one.translation.format() for one in found if not one.names}
    patterns = sorted((one for one in found if one.names), key=lambda one: -one.weight)
    return Phrases(whole, tuple((max(one.parts, key=len), one) for one in patterns))


def joined(first: Phrases, second: Phrases) -> Phrases:
    """Return the phrases of both; where both read as much of a sentence, the first ones are tried before."""
    patterns = sorted((*first.patterns, *second.patterns), key=lambda pair: -pair[1].weight)
    return Phrases({**second.whole, **first.whole}, tuple(patterns))


@dataclass(frozen=True, eq=False)
class Phrasebook:
    """What a language has for the sentences of a game, and for words in the `forms` that its grammar asks for.

    A translation asks for a form with "{side:dative}": what the phrases of that name have for what is filled in, where they have it.
    """

    said: Phrases
    forms: Mapping[str, Phrases]


NONE = phrases({})

EMPTY = Phrasebook(NONE, {})


@dataclass(frozen=True, eq=False)
class Interpreter:
    """Reads sentences of rulings about units and terrain of known `names`, which stay as they are."""

    book: Phrasebook
    names: frozenset[str]
    decimal: str = "."
    _known: dict[str, str | None] = field(default_factory=dict)

    def said(self, text: str) -> str:
        """Return a text in the other language; sentences that no pattern reads, or that are too long to read, stay as they are."""
        try:
            found = self.read(text)
            if found is not None:
                return found
            return next((f"{self.read(one)} {self.said(rest)}" for one, rest in _first(text) if self.read(one) is not None), text)
        except RecursionError:
            return text

    def read(self, text: str) -> str | None:
        """Return a text in the other language, None where no pattern reads it."""
        if text not in self._known:
            self._known[text] = None  # what is asked for within itself is not read so
            self._known[text] = self._read(text)
        return self._known[text]

    def _read(self, text: str) -> str | None:
        if not text or text in self.names or RULE.fullmatch(text):
            return text
        if NUMBER.fullmatch(text):
            return text.replace(".", self.decimal)
        items = text.split(", ")
        if len(items) > MANY and all(self.read(item) is not None for item in items):
            return ", ".join(self.read(item) or "" for item in items)
        pairs = ((self.read(one), rest) for one, rest in _first(text))
        parted = (f"{one} {told}" for one, rest in pairs if one is not None and (told := self.read(rest)) is not None)
        return next(parted, None) or self._as_one(text)

    def _as_one(self, text: str) -> str | None:
        """Read what is one sentence or less; it may begin with another kind of letter than its pattern.

        A full stop belongs to the sentence, not to what is filled in at its end, unless that is a sentence itself.
        """
        said = self.book.said
        found = self._begun(text, lambda one: self._by(said, one, is_closed=True))
        if found is None and text.endswith("."):
            stem = self.read(text[:-1])
            found = None if stem is None else f"{stem}."
        return self._begun(text, lambda one: self._by(said, one, is_closed=False)) if found is None else found

    def _begun(self, text: str, read: Callable[[str], str | None]) -> str | None:
        own = read(text)
        if own is not None or not text[0].isalpha():
            return own
        other = read(text[0].swapcase() + text[1:])
        return other[:1].upper() + other[1:] if other is not None and text[0].isupper() else other

    def _by(self, known: Phrases, text: str, *, is_closed: bool) -> str | None:
        """Read by what is known by heart, or by the patterns that end with something of their own, or else by the others."""
        if text in known.whole:
            return known.whole[text]
        fitting = (one for key, one in known.patterns if key in text and text.startswith(one.parts[0]) and text.endswith(one.parts[-1]))
        return next((told for one in fitting if bool(one.parts[-1]) == is_closed for told in self._filled(one, text)), None)

    def _filled(self, pattern: Pattern, text: str) -> Iterator[str]:
        """Go through the ways in which a pattern reads a text."""
        start, end = len(pattern.parts[0]), len(text) - len(pattern.parts[-1])
        if start <= end and not (start == 0 and text.startswith(" ")):
            between, inner = pattern.parts[1:-1], text[start:end]
            for values in self._joined(between[0], inner) if pattern.joins else self._values(between, inner):
                pairs = zip(pattern.names, values, strict=True)
                yield self._written(pattern.translation, {name: (value, self.read(value) or "") for name, value in pairs})

    def _joined(self, glue: str, text: str) -> Iterator[tuple[str, ...]]:
        """Go through the two sides of what joins them, the shortest first: a long list is not read from its end."""
        pairs = ((text[:place], text[place + len(glue) :]) for place in _places(glue, text))
        yield from (pair for pair in pairs if self.read(pair[0]) is not None and self.read(pair[1]) is not None)

    def _values(self, between: tuple[str, ...], text: str) -> Iterator[tuple[str, ...]]:
        """Go through what may be filled in before, between and after parts that stand in a text, the longest first."""
        if not between:
            if self.read(text) is not None:
                yield (text,)
            return
        places = _places(between[0], text)
        for place in reversed(places):
            if self.read(text[:place]) is not None:
                rest = text[place + len(between[0]) :]
                yield from ((text[:place], *values) for values in self._values(between[1:], rest))

    def _formed(self, form: str, value: str) -> str | None:
        known = self.book.forms[form]
        return self._by(known, value, is_closed=True) or self._by(known, value, is_closed=False)

    def _written(self, translation: str, filled: Filled) -> str:
        written = ""
        for literal, name, form, _ in string.Formatter().parse(translation):
            written += literal
            if name is not None:
                value, told = filled[name]
                written += (self._formed(form, value) if form else None) or told
        return written


def _places(part: str, text: str) -> list[int]:
    return [place for place in range(len(text) - len(part) + 1) if text.startswith(part, place)]


def _first(text: str) -> Iterator[tuple[str, str]]:
    """Go through the ways to part a text after a sentence, the shortest first."""
    return ((text[: found.start() + 1], text[found.end() :]) for found in re.finditer(r"[.!?] ", text))


# Where phrases come from.


@lru_cache(maxsize=16)
def book_of(name: str, game: str) -> Phrasebook:
    """Return the phrases of a bundled language for a game; for one that is not bundled those of the kit."""
    if name not in SPEAKING:
        return EMPTY
    said, forms = tables_of(name, game if game in GAMES else KIT)
    return Phrasebook(phrases(said), {form: phrases(words) for form, words in forms.items()})


def shipped(name: str) -> dict[str, Any]:
    """Return the tables of a file that comes with the program."""
    return tomllib.loads(files("plots").joinpath("languages", f"{name}.toml").read_text(encoding="utf-8"))


def tables_of(name: str, game: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return patterns with their translations, and the words in each form: what a game has of its own goes before what all have."""
    own, common = shipped(f"{name}.{game}"), shipped(f"{name}.common")
    forms = {form: (own.get("form", {}).get(form, {}), common["form"].get(form, {})) for form in {**own.get("form", {}), **common["form"]}}
    return _own_first(own["said"], common["said"]), {form: _own_first(*words) for form, words in forms.items()}


def _own_first(own: Mapping[str, str], common: Mapping[str, str]) -> dict[str, str]:
    return {**own, **common, **own}


def with_own(book: Phrasebook, looks: Looks, code: str) -> Phrasebook:
    """Return the phrases of a language with those that a game brings, which go before."""
    own = looks.phrases.get(code)
    if own is None:
        return book
    forms: Mapping[str, Mapping[str, str]] = own.get("form", {})
    mine = {form: phrases(words) for form, words in forms.items()}
    both = {form: joined(mine.get(form, NONE), book.forms.get(form, NONE)) for form in {**book.forms, **mine}}
    return Phrasebook(joined(phrases(own.get("said", {})), book.said), both)


def own_book(tables: dict[str, Any], name: str) -> Phrasebook:
    """Return the phrases of a catalogue of one's own, for all games, and take them from its tables.

    Sentences that it does not have stay as they are.

    Raises
    ------
    UsageError
        If there are patterns that no game has, or translations that fill in what is not given.
    """
    said, forms = tables.pop("said", {}), tables.pop("form", {})
    named = {"said": said, **({f"form.{form}": words for form, words in forms.items()} if isinstance(forms, dict) else {"form": forms})}
    strange = [table for table, words in named.items() if not isinstance(words, dict)]
    if strange:
        raise UsageError(f"--language {name}: {listed(strange)}: expected a table of texts")
    known = {pattern for game in (*GAMES, KIT) for pattern in tables_of(SPEAKING[0], game)[0]}
    if unknown := [pattern for pattern in said if pattern not in known]:
        raise UsageError(
            f"--language {name}: said: unknown patterns: {listed(unknown)}; those there are stand in plots/languages/german.*.toml"
        )
    pairs = [(pattern, told) for words in named.values() for pattern, told in words.items()]
    if wrong := [pattern for pattern, told in pairs if not translates(told, pattern, forms)]:
        raise UsageError(f"--language {name}: not text that fills in what the pattern does, in forms of this file: {listed(wrong)}")
    return Phrasebook(phrases(said), {form: phrases(words) for form, words in forms.items()})

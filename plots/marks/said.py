"""Sentences of rulings in another language: read by the patterns that games write them with, and written by their translations.

A pattern is a sentence as the source of a game has it, what is filled in between braces: "{charger} is engaged.". What is filled in is a
name of the file, a number, or words that another pattern reads, so that parts of sentences need no more than patterns of their own.
Rulings stay as they are; who writes a sentence need not know who reads it.
"""

import re
import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?\d+(?:\.\d+)?(?:/\d+)?(?:e-?\d+)?(?:%|°)?|\d*[dD]\d+|(?:\d{4} )+\d{4}")
"""What is the same in every language but for its decimal mark: numbers, fractions, hexes, dice."""
RULE = re.compile(r"[a-z][a-z0-9]*(?:\.[a-z][a-z0-9-]*)+")
"""The name of a rule."""
PAIR = 3
"""Parts of a pattern that joins two things: the one between, and nothing before and after."""
MANY = 2
"""Items of a list beyond which they are read one by one, not as pairs of pairs."""
POINT, INCHES = re.compile(r"(?<=\d)\.(?=\d)"), re.compile(r"(?<=\d)\N{NO-BREAK SPACE}in\b")
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


def with_marks(text: str, decimal: str, inches: str) -> str:
    r"""Write the numbers of a text with a decimal mark, and a unit of length for "in" that is held to a number.

    Examples
    --------
    >>> with_marks("3.25\xa0in, t9a.range", ",", "Zoll")
    '3,25\xa0Zoll, t9a.range'
    """
    return INCHES.sub(f"\N{NO-BREAK SPACE}{inches}", POINT.sub(decimal, text))

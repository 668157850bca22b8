"""Translatable messages: English texts that keep their template and values, and helpers that format keys and user
text.
"""

import difflib
import re
import string
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Self

BECAUSE = "{told}; {reason}"

UNBREAKING = "\N{NO-BREAK SPACE}"

_BARE = re.compile(r"[A-Za-z0-9_-]+")

WITHIN, CAPITAL = "within", "capital"
"""Formats of text values: with a small first letter, as after a colon; and with a capital one, as at the beginning of a
sentence."""


@lru_cache(maxsize=4096)
def pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return the pieces of a template as (literal text, name of the placeholder after it or None, its format or "")."""
    return tuple(
        (literal, name, form or "") for literal, name, form, _ in string.Formatter().parse(template)
    )


@lru_cache(maxsize=4096)
def key_of(template: str) -> str:
    """Return the key under which catalogues translate a template: the template without formats, so that these can
    change.

    Examples
    --------
    >>> key_of("{distance:.2f} in to {target}")
    '{distance} in to {target}'
    """
    return "".join(
        escaped(literal) + ("" if name is None else f"{{{name}}}")
        for literal, name, _ in pieces(template)
    )


def holes(text: str) -> set[tuple[str, str | None, str | None]]:
    """Return the placeholders of a template as (name, format, conversion).

    Raises
    ------
    ValueError
        If its braces do not match.
    """
    return {
        (field, form, conversion)
        for _, field, form, conversion in string.Formatter().parse(text)
        if field is not None
    }


def escaped(text: str) -> str:
    """Return a text with its braces doubled, so that a template that contains it shows it unchanged."""
    return text.replace("{", "{{").replace("}", "}}")


def filled(value: Any, form: str) -> str:
    """Return a value as it is filled into a template: numbers by their format, texts with the first letter that the
    format asks for.

    Formats of texts are "within" (small first letter, unless the second is a capital) and "capital".
    """
    if not isinstance(value, str):
        return format(value, form)
    if form == WITHIN:
        return value[:1].lower() + value[1:] if value[1:2].islower() else str(value)
    return value[:1].upper() + value[1:] if form == CAPITAL else str(value)


class Digits(str):
    """A number given as text because no format code writes it."""

    __slots__ = ()


class Message(str):
    """An English text that remembers the `template` and the `values` (names, numbers, other messages) that it was made
    from.

    It compares, hashes and serialises as its text, and can be translated by its template. The sum of two messages is a
    message.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Self:
        """Return the message whose text is the template with its placeholders filled with the values."""
        text = ""
        for literal, name, form in pieces(template):
            if literal.startswith("'s") and text.endswith(("s", "S")):
                literal = "'" + literal.removeprefix("'s")  # noqa: PLW2901 - "Orks' model 3"
            text += literal
            if name is not None:
                text += filled(values[name], form)
        made = super().__new__(cls, text)
        made.template = template
        made.values = values
        return made

    def __reduce__(self) -> tuple[type["Message"], tuple[str, Mapping[str, Any]]]:
        return type(self), (self.template, dict(self.values))

    def __add__(self, other: str) -> "Message":
        return Message("{first}{second}", {"first": self, "second": other}) if other else self

    def __radd__(self, other: str) -> "Message":
        return Message("{first}{second}", {"first": other, "second": self}) if other else self


class ForJudge(Message):
    """A part of a message that readers do not see, only judges do, such as the name of a rule or a coordinate."""

    __slots__ = ()


def for_judge(part: str) -> str:
    """Return a part of a message marked as shown to judges only.

    Examples
    --------
    >>> say("It is failed{by}.", by=for_judge(say(" by {rule}", rule="t9a.range")))
    'It is failed by t9a.range.'
    """
    return (
        ForJudge(part.template, part.values)
        if isinstance(part, Message)
        else ForJudge("{part}", {"part": part})
    )


def because(told: str, reason: str) -> str:
    """Return a message that joins a statement and its reason with a semicolon.

    Examples
    --------
    >>> because("5 models in contact", "no place has more.")
    '5 models in contact; no place has more.'
    """
    return Message(BECAUSE, {"told": told, "reason": reason})


def refilled(text: str, **values: Any) -> str:
    """Return a message with some of its values replaced; a plain text stays as it is.

    Examples
    --------
    >>> refilled(say("It ends {length:g} in away{excuse}.", length=2.0, excuse=""), excuse=say(", or so"))
    'It ends 2 in away, or so.'
    """
    return Message(text.template, {**text.values, **values}) if isinstance(text, Message) else text


def says(text: str, *templates: str) -> bool:
    """Return whether a text is a message that was made from one of the given templates.

    Examples
    --------
    >>> says(say("{name} is missing", name="at"), "{name} is missing"), says("at is missing", "{name} is missing")
    (True, False)
    """
    return isinstance(text, Message) and text.template in templates


def names_in(text: str) -> frozenset[str]:
    """Return the plain texts and numbers, as text, that a message was filled with, including those of nested messages.

    Examples
    --------
    >>> told = say("{met} is in the way.", met=say("model {number} of {unit}", number=3, unit="A"))
    >>> sorted(names_in(told))
    ['3', 'A']
    """
    if not isinstance(text, Message):
        return frozenset((str(text),))
    return frozenset().union(*(names_in(one) for one in text.values.values()))


def say(template: str, /, **values: Any) -> str:
    """Return the message made from a template and its values.

    It is a `Message`, but typed as str, so that lists of texts stay lists of str.

    Examples
    --------
    >>> say("{charger} is {words}engaged.", charger="A", words=say("not "))
    'A is not engaged.'
    """
    return Message(template, values)


def word(text: str) -> str:
    """Return a plain text, such as a term of a game or another program's text, as a message without values."""
    return text if isinstance(text, Message) else Message(escaped(text), {})


def listed(items: Iterable[str], glue: str) -> str:
    """Return names or messages joined by `glue`, as `glue.join(items)` does, but as one message.

    Examples
    --------
    >>> listed(["A", "B", "C"], " and ")
    'A and B and C'
    """
    left = list(items)
    if len(left) <= 1:
        return left[0] if left else ""
    half = len(left) // 2
    return Message(
        f"{{one}}{escaped(glue)}{{other}}",
        {"one": listed(left[:half], glue), "other": listed(left[half:], glue)},
    )


def clipped(text: str, longest: int = 60) -> str:
    """Return a text, cut to at most `longest` characters with "..." at its end if it is longer."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def quoted(names: Iterable[str], most: int = 30) -> str:
    """Return names in quotation marks, joined by commas; of a long list only the first `most`, followed by "..."."""
    written = ((name, clipped(repr(name))) for name in names)
    found = [say("'{name}'", name=name) if text == f"'{name}'" else text for name, text in written]
    return listed([*found[:most], *(["..."] if len(found) > most else [])], ", ")


def nearest(word: str, words: Iterable[str]) -> str:
    """Return the suggestion "; did you mean ...?" with the valid word most similar to `word`, or an empty text if none
    is similar.

    Examples
    --------
    >>> nearest("facng_deg", ["at", "facing_deg", "files"])
    "; did you mean 'facing_deg'?"
    """
    by_folded = {candidate.casefold(): candidate for candidate in words}
    near = difflib.get_close_matches(word.casefold()[:100], by_folded, n=1, cutoff=0.6)
    return say("; did you mean {word}?", word=repr(by_folded[near[0]])) if near else ""


def counted(number: float, things: str, **values: Any) -> str:
    """Return a number with its noun in plural, or in singular for 1: then the first word of `things` loses its final s.

    `things` may be a template with placeholders for `values`.

    Examples
    --------
    >>> counted(2, "models of the target"), counted(1, "models of {unit}", unit="A")
    ('2 models of the target', '1 model of A')
    """
    noun, space, rest = (things if values else escaped(things)).partition(" ")
    if number == 1:
        return Message(f"1 {noun.removesuffix('s')}{space}{rest}", values)
    return Message(f"{{count:.0f}} {noun}{space}{rest}", {"count": number, **values})


def capital(text: str) -> str:
    """Return a message with the text's first letter as a capital."""
    return Message("{text:capital}", {"text": text})


# Key paths and other people's text.


def key_path(parts: Sequence[str | int]) -> str:
    """Return the path of a key as text, such as `units.A.files` or `charges[0].targets[0]`, with quotes where TOML
    needs them.

    Examples
    --------
    >>> key_path(["charges", 0, "targets", 1])
    'charges[0].targets[1]'
    >>> key_path(["units", "The Guard", "files"])
    "units.'The Guard'.files"
    """
    path = ""
    for part in parts:
        path += (
            f"[{part}]"
            if isinstance(part, int)
            else f".{part if _BARE.fullmatch(part) else shown(part)}"
        )
    return path.removeprefix(".")


def shown(value: object, longest: int = 60) -> str:
    """Return a value from a file as printable text on one line, cut to `longest` characters, with None as "null"."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return say("a number too long to print")
    return clipped(text, longest)


def printable(text: str) -> str:
    """Return a text with its unprintable characters replaced by backslash codes; line ends stay."""
    return "".join(
        char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text
    )


def edition_words(edition: str) -> str:
    """Return the name of an edition of a game's rules in words, from its code in a file.

    Examples
    --------
    >>> [edition_words(edition) for edition in ("3rd", "10e", "1.5", "total_warfare")]
    ['3rd edition', '10th edition', 'edition 1.5', 'Total Warfare']
    """
    if re.fullmatch(r"\d+e", edition):
        return f"{edition.removesuffix('e')}th edition"
    if "_" in edition:
        return edition.replace("_", " ").title()
    return f"edition {edition}" if edition[-1:].isdigit() else f"{edition} edition"


def edition_number(edition: str) -> str:
    """Return the number of an edition of a game's rules, from its code in a file, or its name if it has no number.

    Examples
    --------
    >>> [edition_number(edition) for edition in ("3rd", "10e", "1.5", "total_warfare")]
    ['3', '10', '1.5', 'Total Warfare']
    """
    if edition[:1].isdigit():
        return edition.rstrip("dehnrst")
    return edition.replace("_", " ").title() if "_" in edition else edition

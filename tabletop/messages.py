"""Messages: English text that remembers its template and what is filled in, so that other languages can write it again.

To them belong key paths and other people's text, as messages show them.
"""

import difflib
import re
import string
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Self

BECAUSE = "{told}; {reason}"

_BARE = re.compile(r"[A-Za-z0-9_-]+")

WITHIN, CAPITAL = "within", "capital"
"""Formats of what is filled in as text: as it stands within a sentence, behind a colon; and as it begins one."""


@lru_cache(maxsize=4096)
def pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """Return what stands in a template: each literal, and the name and the format of what is filled in behind it."""
    return tuple((literal, name, form or "") for literal, name, form, _ in string.Formatter().parse(template))


@lru_cache(maxsize=4096)
def key_of(template: str) -> str:
    """Return the key under which catalogues have a template: without formats, so that they may change.

    Examples
    --------
    >>> key_of("{distance:.2f} in to {target}")
    '{distance} in to {target}'
    """
    return "".join(escaped(literal) + ("" if name is None else f"{{{name}}}") for literal, name, _ in pieces(template))


def holes(text: str) -> set[tuple[str, str | None, str | None]]:
    """Return what a text fills in between braces: names, formats and conversions. Raises ValueError if its braces do not match."""
    return {(field, form, conversion) for _, field, form, conversion in string.Formatter().parse(text) if field is not None}


def escaped(text: str) -> str:
    """Return a text as templates have it."""
    return text.replace("{", "{{").replace("}", "}}")


def filled(value: Any, form: str) -> str:
    """Write in English what is filled in: numbers by their format, text as it stands in the sentence."""
    if not isinstance(value, str):
        return format(value, form)
    if form == WITHIN:
        return value[:1].lower() + value[1:] if value[1:2].islower() else str(value)
    return value[:1].upper() + value[1:] if form == CAPITAL else str(value)


class Digits(str):
    """A number that is filled in as text, since no format writes it so."""

    __slots__ = ()


class Message(str):
    """An English sentence, or a part of one, with its `template` and the `values` that are filled in: names, numbers, other messages.

    It is equal to its text, has its hash, and is written to JSON as it is. A sum of two is a message of both.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, Any]

    def __new__(cls, template: str, values: Mapping[str, Any]) -> Self:
        """Return the English text of a template with values filled in."""
        text = [literal if name is None else literal + filled(values[name], form) for literal, name, form in pieces(template)]
        made = super().__new__(cls, "".join(text))
        made.template, made.values = template, values
        return made

    def __reduce__(self) -> tuple[type["Message"], tuple[str, Mapping[str, Any]]]:
        return type(self), (self.template, dict(self.values))

    def __add__(self, other: str) -> "Message":
        return Message("{first}{second}", {"first": self, "second": other}) if other else self

    def __radd__(self, other: str) -> "Message":
        return Message("{first}{second}", {"first": other, "second": self}) if other else self


class ForJudge(Message):
    """A part of a message that only judges are shown: the name of a rule, a coordinate, room of nothing."""

    __slots__ = ()


def for_judge(part: str) -> str:
    """Mark a part of a message as one that readers are not shown.

    Examples
    --------
    >>> say("It is failed{by}.", by=for_judge(say(" by {rule}", rule="t9a.range")))
    'It is failed by t9a.range.'
    """
    return ForJudge(part.template, part.values) if isinstance(part, Message) else ForJudge("{part}", {"part": part})


def because(told: str, reason: str) -> str:
    """Return a text followed by a semicolon and the reason, up to the full stop.

    Examples
    --------
    >>> because("5 models in contact", "no place has more.")
    '5 models in contact; no place has more.'
    """
    return Message(BECAUSE, {"told": told, "reason": reason})


def refilled(text: str, **values: Any) -> str:
    """Return a message with other values for some that are filled in.

    Examples
    --------
    >>> refilled(say("It ends {length:g} in away{excuse}.", length=2.0, excuse=""), excuse=say(", or so"))
    'It ends 2 in away, or so.'
    """
    return Message(text.template, {**text.values, **values}) if isinstance(text, Message) else text


def says(text: str, *templates: str) -> bool:
    """Return whether a text is a message of one of some templates.

    Examples
    --------
    >>> says(say("{name} is missing", name="at"), "{name} is missing"), says("at is missing", "{name} is missing")
    (True, False)
    """
    return isinstance(text, Message) and text.template in templates


def reason_of(text: str) -> str:
    """Return the reason that a message gives, nothing if it gives none."""
    return text.values["reason"] if isinstance(text, Message) and text.template == BECAUSE else ""


def names_in(text: str) -> frozenset[str]:
    """Return the names and numbers that are filled into a message, however deep.

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
    """Return the sentence of a template with values filled in: a message, typed as the text that it is, so that lists of texts stay so.

    Examples
    --------
    >>> say("{charger} is {words}engaged.", charger="A", words=say("not "))
    'A is not engaged.'
    """
    return Message(template, values)


def word(text: str) -> str:
    """Return a term of a game, such as a facing, or a text that another program says, as a message."""
    return text if isinstance(text, Message) else Message(escaped(text), {})


def listed(items: Iterable[str], glue: str) -> str:
    """Join names or messages, as `glue.join(items)` does; nothing of nothing, and one as it is.

    Examples
    --------
    >>> listed(["A", "B", "C"], " and ")
    'A and B and C'
    """
    left = list(items)
    if len(left) <= 1:
        return left[0] if left else ""
    half = len(left) // 2
    return Message(f"{{one}}{escaped(glue)}{{other}}", {"one": listed(left[:half], glue), "other": listed(left[half:], glue)})


def clipped(text: str, longest: int = 60) -> str:
    """Return a text, without its end if it is longer."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def quoted(names: Iterable[str], most: int = 30) -> str:
    """Join names in quotation marks, leaving out the rest of a very long list: as a value from a file is shown."""
    written = ((name, clipped(repr(name))) for name in names)
    found = [say("'{name}'", name=name) if text == f"'{name}'" else text for name, text in written]
    return listed([*found[:most], *(["..."] if len(found) > most else [])], ", ")


def nearest(word: str, words: Iterable[str]) -> str:
    """Suggest the valid word nearest to `word`, as the end of a sentence; nothing if none is near.

    Examples
    --------
    >>> nearest("facng_deg", ["at", "facing_deg", "files"])
    "; did you mean 'facing_deg'?"
    """
    by_folded = {candidate.casefold(): candidate for candidate in words}
    near = difflib.get_close_matches(word.casefold()[:100], by_folded, n=1, cutoff=0.6)
    return say("; did you mean {word}?", word=repr(by_folded[near[0]])) if near else ""


def counted(number: float, things: str, **values: Any) -> str:
    """Return a number with its noun; `things` may be a template. A leading plural in s becomes singular for one.

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
    """Return a text with a capital first letter, to begin a sentence."""
    return Message("{text:capital}", {"text": text})


# Key paths and other people's text.


def key_path(parts: Sequence[str | int]) -> str:
    """Write a key path as in `units.A.files` or `charges[0].targets[0]`; keys that TOML would quote are quoted.

    Examples
    --------
    >>> key_path(["charges", 0, "targets", 1])
    'charges[0].targets[1]'
    >>> key_path(["units", "The Guard", "files"])
    "units.'The Guard'.files"
    """
    path = ""
    for part in parts:
        path += f"[{part}]" if isinstance(part, int) else f".{part if _BARE.fullmatch(part) else shown(part)}"
    return path.removeprefix(".")


def shown(value: object, longest: int = 60) -> str:
    """Write a value from a file for a message: on one line, printable, and cut when it is long."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    try:
        text = repr(value)
    except ValueError:  # an integer of thousands of digits
        return say("a number too long to print")
    return clipped(text, longest)


def printable(text: str) -> str:
    """Escape whatever a terminal would not print as it is; line ends stay."""
    return "".join(char if char.isprintable() or char == "\n" else ascii(char)[1:-1] for char in text)


def edition_words(edition: str) -> str:
    """Name an edition of rules as people say it.

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
    """Return the number of an edition of rules, or the name of one that has none.

    Examples
    --------
    >>> [edition_number(edition) for edition in ("3rd", "10e", "1.5", "total_warfare")]
    ['3', '10', '1.5', 'Total Warfare']
    """
    if edition[:1].isdigit():
        return edition.rstrip("dehnrst")
    return edition.replace("_", " ").title() if "_" in edition else edition

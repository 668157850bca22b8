"""Translation of messages: catalogues map English templates to those of another language, for readers or for judges."""

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from numbers import Number
from pathlib import Path
from typing import Any, Literal

from tabletop.messages import (
    CAPITAL,
    WITHIN,
    Digits,
    ForJudge,
    Message,
    escaped,
    holes,
    key_of,
    pieces,
    say,
)
from tabletop.units import CONTACT

Audience = Literal["reader", "judge"]
"""Audience of a text: readers get plain sentences; judges also get rules, coordinates and all digits."""

LANGUAGE_FOLDER = Path(__file__).parent / "language"
"""Folder of the bundled languages, one file each."""

CODE = re.compile(r'^code = "([a-z]{2,3})"', re.MULTILINE)
"""Pattern of the line in a language's file that holds its code."""

HEAD = 1000
"""Characters at the beginning of a language's file within which that line must stand."""

AUDIENCES: tuple[Audience, ...] = ("reader", "judge")

READ, SEEN, LEAST = 2, 5e-5, 0.01
"""Decimals shown to readers, the difference from a whole number below which a number is written as whole, and the least
length shown."""

LESS = say("less than {least:.2f}", least=LEAST)
"""What readers are told instead of a measured number that rounds to 0."""


@cache
def languages() -> dict[str, str]:
    """Return the names of the bundled languages by language code, such as {"de": "german"}."""
    found = {}
    for path in sorted(LANGUAGE_FOLDER.glob("*.toml")):
        with path.open(encoding="utf-8") as file:
            code = CODE.search(file.read(HEAD))
        if code:
            found[code[1]] = path.stem
    return found


@lru_cache(maxsize=4096)
def is_glue(template: str) -> bool:
    """Return whether a template has no letters outside its placeholders, so that it needs no translation."""
    return not any(char.isalpha() for literal, _, _ in pieces(template) for char in literal)


@lru_cache(maxsize=4096)
def to_fill(
    template: str, told: str, kept: tuple[str, ...]
) -> tuple[str, tuple[tuple[str, str, str, str], ...]]:
    """Return a translated template with one placeholder for each inflected form, and how to fill each of these
    placeholders.

    Parameters
    ----------
    template
        The English template, which has the formats of numbers.
    told
        Its translation, in which a placeholder may name a grammatical form, as in "{unit:dative}".
    kept
        Formats of the English template that the result keeps.

    Returns
    -------
    tuple[str, tuple[tuple[str, str, str, str], ...]]
        The template to fill, and for each of its placeholders (placeholder, name of the value, format, grammatical
        form).

    Examples
    --------
    >>> to_fill("{length:.2f} in to {unit}", "{length} Zoll zu {unit:dative}", ())
    ('{length} Zoll zu {unit_dative}', (('length', 'length', '.2f', ''), ('unit_dative', 'unit', '', 'dative')))
    """
    formats = {name: form for _, name, form in pieces(template) if name is not None}
    text = ""
    asked = {}
    for literal, name, form in pieces(told):
        text += escaped(literal)
        if name is not None:
            how = "" if form == formats[name] else form
            own = f"{name}_{how}" if how else name
            asked[own] = (own, name, formats[name], how)
            text += f"{{{own}:{formats[name]}}}" if formats[name] in kept else f"{{{own}}}"
    return text, tuple(asked.values())


def shortened(digits: str) -> str:
    """Return a decimal number, given as text, with at most two decimals, or with four if rounding to two would make it
    look whole.

    Examples
    --------
    >>> shortened("7.0000"), shortened("12.3456"), shortened("4.0039"), shortened("8.0")
    ('7', '12.35', '4.0039', '8.0')
    """
    decimals = digits.partition(".")[2]
    if not decimals.isdigit() or len(decimals) < READ:
        return digits
    value = float(digits)
    seems_whole = abs(value - round(value)) > SEEN and round(value, READ) == round(value)
    return f"{value:.{4 if seems_whole else READ}f}".rstrip("0").rstrip(".")


def localised(digits: str, decimal: str) -> str:
    """Return an English number, given as text, with the decimal mark of a language, and the other mark between
    thousands.

    Examples
    --------
    >>> localised("1,234.5", ","), localised("1,234.5", ".")
    ('1.234,5', '1,234.5')
    """
    return digits.translate({ord("."): decimal, ord(","): "." if decimal == "," else ","})


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Translations of one language: texts by English template, and inflected forms of words by grammatical form.

    Attributes
    ----------
    said
        Translated templates by English template without formats (`key_of`); empty: English.
    forms
        For each grammatical form, translated templates in that form by English template.
    decimal
        Decimal mark of the language.
    audience
        For "reader", parts marked for judges are left out and numbers are shortened; for "judge" everything is kept.
    missing
        English templates for which no translation was found, collected while texts are rendered.
    """

    said: Mapping[str, str]
    forms: Mapping[str, Mapping[str, str]]
    decimal: str = "."
    audience: Audience = "judge"
    missing: set[str] = field(default_factory=set)

    def render(self, value: str, form: str = "") -> str:
        """Return a text in the language of the catalogue, in a grammatical form if the catalogue has it.

        The result of a message is a message of its template and its translated values. A message without a translation
        stays English; a text that is no message is a name and stays as it is.
        """
        if not isinstance(value, Message):
            if isinstance(value, Digits):
                is_minute = not value.endswith("%") and self._is_minute(float(value))
                return self.render(LESS) if is_minute else self._number(value)
            return str(value)
        if isinstance(value, ForJudge) and self.audience == "reader":
            return ""
        told = self._translation(value, form)
        if told is None:
            return Catalogue({}, {}, audience=self.audience).render(value)
        template, asked = to_fill(
            value.template, told, (CAPITAL,) if self.said else (CAPITAL, WITHIN)
        )
        return Message(
            template,
            {
                own: self._filled(value.values[name], written, how)
                for own, name, written, how in asked
            },
        )

    def _translation(self, message: Message, form: str) -> str | None:
        """Return the translated template of a message, in a grammatical form if the catalogue has it; None if it has no
        translation.
        """
        key = key_of(message.template)
        if self.said:
            told = self.forms.get(form, {}).get(key) or self.said.get(key)
            if told is not None:
                return told
        if is_glue(key):
            return message.template
        self.missing.add(key)
        return None if self.said else message.template

    def _filled(self, value: Any, written: str, form: str) -> str:
        if isinstance(value, str):
            return self.render(value, form)
        is_number = isinstance(value, Number)
        if is_number and written.endswith("f") and self._is_minute(value):
            return self.render(LESS)
        return self._number(format(value, written)) if is_number else str(value)

    def _is_minute(self, value: Any) -> bool:
        """Return whether readers are told of a measured number only that it is less than the least they are shown."""
        return self.audience == "reader" and CONTACT < value < LEAST / 2

    def _number(self, digits: str) -> str:
        told = shortened(digits) if self.audience == "reader" else digits
        return localised(told, self.decimal)


def translates(told: Any, key: str, forms: Container[str]) -> bool:
    """Return whether `told` is a valid translation of the English template `key`.

    It must be a text whose placeholders all occur in the template, with no format but the name of a known grammatical
    form.
    """
    try:
        given, asked = (
            {name for name, _, _ in holes(key)},
            holes(told) if isinstance(told, str) else None,
        )
    except ValueError:
        return False
    return asked is not None and all(
        name in given and (not form or form in forms) and how is None for name, form, how in asked
    )

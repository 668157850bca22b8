"""Sentences of rulings in another language: found by their templates, of which a catalogue has translations."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any

from tabletop.messages import CAPITAL, Message, holes, key_of, pieces

NUMBER = re.compile(r"[-+\N{MINUS SIGN}]?\d+(?:\.\d+)?(?:/\d+)?(?:e-?\d+)?(?:%|°)?")
"""A number that was written as text."""


MOST_WORDS = 4
"""Words that are filled in among which is sought for a translation of their own."""


@lru_cache(maxsize=4096)
def is_glue(template: str) -> bool:
    """Tell whether a template has no words: it is the same in every language that has no other one for it."""
    return not any(char.isalpha() for literal, _, _ in pieces(template) for char in literal)


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Translations by key: of sentences and words, and of words in the `forms` that a grammar asks for; `names` stay as they are."""

    said: Mapping[str, str]
    forms: Mapping[str, Mapping[str, str]]
    decimal: str = "."
    names: frozenset[str] = frozenset()
    missing: set[str] = field(default_factory=set)

    def render(self, value: str, form: str = "") -> str:
        """Return a text in the language, in a form where it has one; what the catalogue does not have stays English."""
        if not isinstance(value, Message):
            return self._word(value, form)
        key = key_of(value.template)
        told = self._special(key, value.values, form) or self.forms.get(form, {}).get(key) or self.said.get(key)
        if told is None:
            if not is_glue(key):
                self.missing.add(key)
                return str(value)
            told = value.template
        formats = {name: how for _, name, how in pieces(value.template) if name is not None}
        parts = []
        for literal, name, asked in pieces(told):
            parts.append(literal)
            if name is not None:
                parts.append(self._filled(value.values[name], formats[name], "" if asked == formats[name] else asked))
        return "".join(parts)

    def _special(self, key: str, values: Mapping[str, Any], form: str) -> str | None:
        """Return the translation of a sentence with words of its own in place of what is filled in, if the catalogue has one."""
        words = [name for name, one in values.items() if isinstance(one, str) and one and one not in self.names][:MOST_WORDS]
        for count in range(len(words), 0, -1):
            for some in combinations(words, count):
                special = key
                for name in some:
                    special = special.replace(f"{{{name}}}", str(values[name]))
                if told := self.forms.get(form, {}).get(special) or self.said.get(special):
                    return told
        return None

    def _filled(self, value: Any, written: str, form: str) -> str:
        if not isinstance(value, str):
            return format(value, written).replace(".", self.decimal)
        text = self.render(value, form)
        return text[:1].upper() + text[1:] if written == CAPITAL else text

    def _word(self, text: str, form: str) -> str:
        if text in self.names:
            return str(text)
        if NUMBER.fullmatch(text):
            return text.replace(".", self.decimal)
        return self.forms.get(form, {}).get(text) or self.said.get(text) or str(text)


def translates(told: Any, key: str, forms: Mapping[str, Any]) -> bool:
    """Tell whether a text may be the translation of a key: it fills in nothing else, in no other forms."""
    try:
        given, asked = {name for name, _, _ in holes(key)}, holes(told) if isinstance(told, str) else None
    except ValueError:
        return False
    return asked is not None and all(name in given and (not form or form in forms) and how is None for name, form, how in asked)

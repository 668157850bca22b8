"""Sentences of a game in other languages: patterns with something filled in between braces, and their translations."""

import string
from collections.abc import Iterator, Mapping
from typing import Any

TABLES = ("said", "form")


def parts(text: str) -> set[tuple[str, str | None, str | None]]:
    """Return what a text fills in between braces, with formats and conversions."""
    return {(field, form, conversion) for _, field, form, conversion in string.Formatter().parse(text) if field is not None}


def translates(told: Any, pattern: str, forms: Mapping[str, Any]) -> bool:
    """Tell whether a text may be the translation of a pattern: it fills in nothing else, in no other forms."""
    try:
        given, asked = {name for name, _, _ in parts(pattern)}, parts(told) if isinstance(told, str) else None
    except ValueError:
        return False
    return asked is not None and all(name in given and (not form or form in forms) and how is None for name, form, how in asked)


def wrong_phrases(tables: Mapping[str, Any]) -> Iterator[str]:
    """List what is wrong with the phrases of a language: tables that are none, and patterns whose translation fills in something else."""
    yield from (name for name in tables if name not in TABLES)
    forms = tables.get("form", {})
    if not isinstance(forms, Mapping) or not all(isinstance(words, Mapping) for words in (tables.get("said", {}), *forms.values())):
        yield "said and form are tables of texts"
        return
    for words in (tables.get("said", {}), *forms.values()):
        yield from (pattern for pattern, told in words.items() if not translates(told, pattern, forms))

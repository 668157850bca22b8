"""The bundled languages that sentences are translated to, and what stands in their files."""

import tomllib
from functools import cache
from typing import Any

import pytest

from tabletop.catalogue import LANGUAGE_FOLDER
from tabletop.language.language import BUNDLED

TRANSLATED = tuple(name for name in BUNDLED if name != "english")
LANGUAGE = pytest.mark.parametrize("language", TRANSLATED)


@cache
def tables_of(language: str) -> dict[str, Any]:
    """Return the tables of a language's file."""
    return tomllib.loads((LANGUAGE_FOLDER / f"{language}.toml").read_text("utf-8"))


def said_by_part(language: str, part: str) -> dict[str, str]:
    """Return the translations that one part of the program has for itself."""
    return dict(tables_of(language)["part"][part]["said"])

"""In which language a command speaks to people: what `--language` names, else what the environment does, else English.

A catalogue is loaded only where another language is asked for.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING

from tabletop.errors import UsageError, message_of
from tabletop.messages import word
from tabletop.words import edition_words

if TYPE_CHECKING:
    from plots.marks.language import Language
    from tabletop.catalogue import Catalogue
    from tabletop.ruling.system import Case
    from tabletop.ruling.verdict import Judgement, Resolution

VARIABLE = "TABLETOP_LANGUAGE"
"""The variable of the environment that names the language of commands without `--language`."""

_NAME: ContextVar[str | None] = ContextVar("language", default=None)


def asked(option: str | None) -> str | None:
    """Return the language that an option names, else that of the environment, if any does."""
    return option or os.environ.get(VARIABLE) or None


@contextmanager
def silent() -> Iterator[None]:
    """Forget at the end in which language was spoken."""
    before = _NAME.set(None)
    try:
        yield
    finally:
        _NAME.reset(before)


def speak(option: str | None) -> None:
    """Speak the language that is asked for from here on.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    name = asked(option)
    if name is None:
        return
    try:
        _catalogue(name)
    except UsageError as error:
        raise (error if option else UsageError("TABLETOP_LANGUAGE: {error}", error=message_of(error))) from None
    _NAME.set(name)


def told(text: str) -> str:
    """Return a message in the language that is spoken."""
    name = _NAME.get()
    return str(text) if name is None else _catalogue(name).render(text)


def step_words(kind: str, case: "Case") -> str:
    """Return what a kind of step is called."""
    other = _other()
    return kind.replace("_", " ") if other is None else other.of(case.system.vocabulary.looks).known("step", kind)


def edition(case: "Case") -> str:
    """Return what the edition of a case's rules is called."""
    other = _other()
    return edition_words(case.edition) if other is None else other.edition(case.edition)


def spoken(case: "Case", resolution: "Resolution", judgement: "Judgement | None") -> "tuple[Resolution, Judgement | None]":
    """Return a resolution and a judgement with their sentences in the language that is spoken."""
    name = _NAME.get()
    if name is None:
        return resolution, judgement
    from plots.marks.spoken import in_language

    return in_language(_language(name), case, resolution, judgement)


def _other() -> "Language | None":
    """Return the language that is spoken, if it is another than English."""
    name = _NAME.get()
    found = None if name is None else _language(name)
    return None if found is None or found.code == "en" else found


def _language(name: str) -> "Language":
    from plots.marks.language import language

    return language(name)


@lru_cache(maxsize=2)
def _catalogue(name: str) -> "Catalogue":
    from plots.marks.language import PLAIN, PROGRAM

    return _language(name).catalogue(PROGRAM, PLAIN)


def words(term: str) -> str:
    """Return a term whose words have underscores between them, in the language that is spoken."""
    return told(word(term.replace("_", " ")))

"""Language of the program's output: from `--language`, the environment or the browser; English by default.

Catalogues of translations are loaded only for other languages.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from tabletop.catalogue import languages
from tabletop.messages import edition_words, say, word

if TYPE_CHECKING:
    from tabletop.catalogue import Catalogue
    from tabletop.language.language import Language
    from tabletop.ruling.system import Case, System
    from tabletop.ruling.verdict import Judgement, Resolution

Asked = ParamSpec("Asked")
Result = TypeVar("Result")

DEFAULT_LANGUAGE = "english"

VARIABLE = "TABLETOP_LANGUAGE"
"""Environment variable with the default of `--language`."""

MEANING = "description"
"""Key of a JSON Schema that holds the meaning of a key."""

CONTRAST_WORDS = {
    "worse": say("not enough"),
    "barred": say("not possible"),
    "equal": say("as good"),
    "other": say("not taken"),
    "missing": say("missing"),
    "mechanism": say("worked out"),
}
"""Words for the kinds of contrasts."""

_NAME: ContextVar[str | None] = ContextVar("language", default=None)

_WISH = re.compile(r"([a-z]+)[a-z0-9-]*(?:\s*;\s*q=([01](?:\.\d{1,3})?))?")
"""Pattern of a language and its weight in an Accept-Language header."""


def asked(option: str | None) -> str | None:
    """Return the language named by an option, else by the environment variable `TABLETOP_LANGUAGE`; None if neither is
    set.
    """
    return option or os.environ.get(VARIABLE) or None


def completions(incomplete: str) -> list[str]:
    """Return the bundled languages whose names begin with an incomplete `--language`."""
    return [name for name in languages().values() if name.startswith(incomplete)]


@contextmanager
def silent() -> Iterator[None]:
    """Context manager that starts in English and restores the language current before at the end."""
    before = _NAME.set(None)
    try:
        yield
    finally:
        _NAME.reset(before)


def speak(option: str | None) -> None:
    """Make a language the current one: that of the option, else of the environment; otherwise leave it unchanged.

    Raises
    ------
    UsageError
        If the language is unknown.
    """
    name = asked(option)
    if name is None:
        return
    _language(name, "--language" if option else VARIABLE)
    _NAME.set(name)


def asked_by(header: str) -> str | None:
    """Return the bundled language that an Accept-Language header prefers; None for English.

    Examples
    --------
    >>> asked_by("nl-NL,nl;q=0.9,de-AT;q=0.8,en;q=0.7"), asked_by("en-GB,de;q=0.5"), asked_by("")
    ('german', None, None)
    """
    wishes = sorted(_WISH.findall(header.lower()), key=lambda wish: -float(wish[1] or 1))
    known = [
        languages()[code] for code, share in wishes if code in languages() and float(share or 1) > 0
    ]
    return known[0] if known and known[0] != DEFAULT_LANGUAGE else None


def spoken_name() -> str | None:
    """Return the name of the current language, None for English."""
    return _NAME.get()


def translated(text: str) -> str:
    """Return a message as text in the current language."""
    name = _NAME.get()
    return str(text) if name is None else _catalogue(name).render(text)


def step_words(kind: str, case: "Case") -> str:
    """Return the name of a kind of step, such as a wheel, in the current language."""
    other = _other()
    return (
        kind.replace("_", " ")
        if other is None
        else other.of(case.system.vocabulary.looks).known("step", kind)
    )


def edition(case: "Case") -> str:
    """Return the name of the edition of a case's rules in the current language."""
    other = _other()
    return edition_words(case.edition) if other is None else other.edition(case.edition)


def spoken(
    case: "Case", resolution: "Resolution", judgement: "Judgement | None"
) -> "tuple[Resolution, Judgement | None]":
    """Return a resolution and a judgement with their texts in the current language."""
    name = _NAME.get()
    if name is None:
        return resolution, judgement
    from tabletop.language.spoken import in_language

    return in_language(_language(name), case, resolution, judgement)


def language_of(case: "Case") -> "Language":
    """Return the current language with the terms of a case's game; cached, since drawings are cached by it."""
    return _of_game(spoken_name() or DEFAULT_LANGUAGE, case.system)


def in_its_terms(shows: Callable[Asked, Result]) -> Callable[Asked, Result]:
    """Return a function that shows a case, its first argument, so that it runs in the current language with the terms
    of the case's game.
    """

    @wraps(shows)
    def shown(*args: Asked.args, **options: Asked.kwargs) -> Result:
        from tabletop.language.language import speaking

        case: Any = args[0]
        with speaking(language_of(case)):
            return shows(*args, **options)

    return shown


@lru_cache(maxsize=16)
def _of_game(name: str, system: Any) -> "Language":
    return _language(name).of(system.vocabulary.looks)


def status_words(status: Sequence[str]) -> str:
    """Return the status of a unit in the current language, as the page names it; "none" if it has none."""
    named = status or ("none",)
    other = _other()
    if other is None:
        return ", ".join(named).replace("_", " ")
    from tabletop.language.language import NO_LOOKS, PAGE

    catalogue = other.catalogue(PAGE, NO_LOOKS)
    return ", ".join(catalogue.render(word(one)) for one in named)


def explained(schema: Any) -> Any:
    """Return a JSON Schema with its descriptions in the current language."""
    name = _NAME.get()
    if name is None:
        return schema
    from tabletop.language.language import KEYS, NO_LOOKS

    catalogue = _language(name).catalogue(KEYS, NO_LOOKS)

    def told(node: Any) -> Any:
        """Return a node of the schema with its descriptions translated, recursively."""
        if isinstance(node, list):
            return [told(one) for one in node]
        if not isinstance(node, dict):
            return node
        return {
            key: catalogue.render(word(one))
            if key == MEANING and isinstance(one, str)
            else told(one)
            for key, one in node.items()
        }

    return told(schema)


def rule_words(system: "System") -> Callable[[str], str]:
    """Return a function that translates texts of a system's rules and rule book into the current language."""
    other = _other()
    if other is None:
        return str
    from tabletop.language.language import RULES

    catalogue = other.catalogue(RULES, system.vocabulary.looks)
    return lambda text: catalogue.render(word(text))


def is_foreign() -> bool:
    """Return whether the current language is not English."""
    return _other() is not None


def _other() -> "Language | None":
    """Return the current language object; None if it is English."""
    name = _NAME.get()
    found = None if name is None else _language(name)
    return None if found is None or found.code == "en" else found


@lru_cache(maxsize=4)
def _language(name: str, option: str = "--language") -> "Language":
    from tabletop.language.language import language

    return language(name, option)


@lru_cache(maxsize=2)
def _catalogue(name: str) -> "Catalogue":
    from tabletop.language.language import NO_LOOKS, PROGRAM

    return _language(name).catalogue(PROGRAM, NO_LOOKS)


def words(term: str) -> str:
    """Return a term in the current language, with spaces for underscores."""
    return translated(word(term.replace("_", " ")))

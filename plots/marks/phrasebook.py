"""Where the phrases of a language come from: its files, one for each game and one for all, a catalogue of one's own, and other games."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from plots.marks.said import EMPTY, NONE, Phrasebook, joined, phrases
from tabletop.errors import UsageError
from tabletop.ruling.looks import Looks
from tabletop.ruling.phrases import translates
from tabletop.words import listed

GAMES = ("battletech", "conquest", "t9a", "wh40k")
"""Whose sentences bundled languages have."""
SPEAKING = ("german",)
"""Bundled languages that have them; English is what they are written in."""
KIT = "kit"
"""What the games of others say that are built on the kit."""


def shipped(name: str) -> dict[str, Any]:
    """Return the tables of a file that comes with the program."""
    return tomllib.loads(files("plots").joinpath("languages", f"{name}.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def book_of(name: str, game: str) -> Phrasebook:
    """Return the phrases of a bundled language for a game; for one that is not bundled those of the kit."""
    if name not in SPEAKING:
        return EMPTY
    said, forms = tables_of(name, game if game in GAMES else KIT)
    return Phrasebook(phrases(said), {form: phrases(words) for form, words in forms.items()})


def tables_of(name: str, game: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    """Return patterns with their translations, and the words in each form: what a game has of its own goes before what all have."""
    own, common = shipped(f"{name}.{game}"), shipped(f"{name}.common")
    forms = {form: (own.get("form", {}).get(form, {}), common["form"].get(form, {})) for form in {**own.get("form", {}), **common["form"]}}
    return _joined(own["said"], common["said"]), {form: _joined(*words) for form, words in forms.items()}


def _joined(own: Mapping[str, str], common: Mapping[str, str]) -> dict[str, str]:
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

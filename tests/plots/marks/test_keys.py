"""What the keys and choices of scenario files mean: the descriptions of the schema are the keys of the catalogue."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from tabletop import registry
from tabletop.catalogue import translates
from tabletop.language.language import KEYS
from tabletop.language.speech import MEANING
from tabletop.messages import escaped, holes
from tabletop.scenario.schema import json_schema
from tests.languages import LANGUAGE, said_by_part


def meanings(node: Any) -> Iterator[str]:
    """Yield what the keys of a schema mean."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == MEANING and isinstance(value, str):
                yield value
            else:
                yield from meanings(value)
    elif isinstance(node, list):
        for value in node:
            yield from meanings(value)


@cache
def found() -> frozenset[str]:
    """Return what the keys and choices of the built-in games mean, as templates."""
    systems = [registry.find(name) for name in registry.BUILT_IN]
    schemas = [
        json_schema(systems),
        *(system.vocabulary.choices.model_json_schema() for system in systems),
    ]
    return frozenset(escaped(meaning) for meaning in meanings(schemas))


@LANGUAGE
def test_every_meaning_has_a_translation_and_every_translation_a_meaning(language: str) -> None:
    """What keys no longer mean goes."""
    told = said_by_part(language, KEYS)
    assert len(found()) > 250
    assert sorted(found() - told.keys()) == []
    assert sorted(told.keys() - found()) == []


@LANGUAGE
def test_translations_of_meanings_fill_in_nothing(language: str) -> None:
    """Their braces are those of files."""
    told = said_by_part(language, KEYS)
    assert [key for key, text in told.items() if not translates(text, key, {}) or holes(text)] == []


@LANGUAGE
def test_what_files_hold_stays_as_it_is_written(language: str) -> None:
    """Values in quotes, keys and commands are what is typed, in every language."""
    told = said_by_part(language, KEYS)
    assert [key for key, text in told.items() if typed(key) != typed(text)] == []


def typed(text: str) -> set[str]:
    """Return what stands between quotes or backticks in a text."""
    return {*text.split('"')[1::2], *text.split("`")[1::2]}

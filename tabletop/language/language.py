"""Languages: a catalogue of words for each, translated sentences, and numbers as the language writes them.

Names of rules, units and terrain are not translated, nor are texts by the author of a file.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache, partial, wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

from tabletop.catalogue import (
    LANGUAGE_FOLDER,
    Audience,
    Catalogue,
    languages,
    localised,
    translates,
)
from tabletop.errors import ScenarioError, UsageError, cause_of, message_of
from tabletop.messages import (
    UNBREAKING,
    Message,
    edition_number,
    edition_words,
    holes,
    listed,
    nearest,
    quoted,
    say,
    shown,
)
from tabletop.ruling.charge import Step
from tabletop.ruling.looks import GROUPS, Looks, StepStyle, step_kind
from tabletop.scenario.parsing import decoded

GAMES = ("battletech", "conquest", "t9a", "wh40k")
"""The games whose sentences bundled languages have."""

KIT = "kit"
"""Games that are built on the kit, as a part of the program that `[part]` may name."""

PROGRAM = "program"
"""The program itself, its errors and its command line, as such a part."""

PAGE, KEYS, RULES = "page", "keys", "rules"
"""The page in the browser, the meanings of keys and choices, and the demands of rules with the numbers of books, as
such parts."""

PARTS = (*GAMES, KIT, PROGRAM, PAGE, KEYS, RULES)

SENTENCES = ("said", "form", "part")
"""Tables of a catalogue that hold translated sentences; all others hold the words of figures."""

TEXT_TABLE = re.compile(rf"(part\.({'|'.join(PARTS)})\.)?(said|form(\.\w+)?)")
"""Names of the tables that hold texts."""

BUNDLED = tuple(languages().values())

Unit = Literal["in", "°"]

Asked = ParamSpec("Asked")
Result = TypeVar("Result")

Sentences = tuple[Mapping[str, str], Mapping[str, Mapping[str, str]]]
"""Translations by the key of a template, and translations of words by form."""

NO_LOOKS = Looks()

TERRAIN_GROUP = "key.terrain"

GAMES_OWN = (f"{TERRAIN_GROUP}.", *(f"{group}." for group in GROUPS if group != "terrain"))
"""How keys begin of which a catalogue may have any: words of games."""

MOST_BYTES = 2**20
"""Bytes of the largest catalogue that is read."""

LEAST_SHOWN = 0.01
"""Inches from which two decimals show a length."""


@dataclass(frozen=True, eq=False, repr=False)
class Language:
    """A language: `words` of figures by keys such as "badge.about", with names in braces for what is filled in.

    `sentences` returns the translations of what the rulings of a system say, and of words by grammatical form; without
    translations rulings stay English. `looks` holds what a system's own words are drawn as, and called.
    """

    words: Mapping[str, str]
    sentences: Callable[[str], Sentences] = lambda _: ({}, {})
    looks: Looks = NO_LOOKS

    def __repr__(self) -> str:
        return f"Language({self.words['language']!r})"

    def of(self, looks: Looks) -> "Language":
        """Return the same language with the words and looks of a system."""
        return self if looks is self.looks else replace(self, looks=looks)

    @property
    def code(self) -> str:
        """Code of the language, such as "en" or "de"."""
        return self.words["code"]

    def catalogue(self, game: str, looks: Looks, audience: Audience = "judge") -> Catalogue:
        """Return the translations of a part of the program, or of a system's rulings; the system's own come first."""
        own = looks.phrases.get(self.code, {})
        said, forms = _own_first((own.get("said", {}), own.get("form", {})), self.sentences(game))
        return Catalogue(said, forms, self.words["number.decimal"], audience)

    def say(self, key: str, **parts: object) -> str:
        """Return the words of a key with its parts filled in; parts with decimals must be written by `number` or
        `measure`.
        """
        return str(Message(self.words[key], parts))

    def number(self, value: float, form: str) -> str:
        """Return a number as text in a format, with the decimal mark and thousands separator of the language."""
        return localised(format(value, form), self.words["number.decimal"])

    def measure(self, value: float, unit: Unit) -> str:
        r"""Return a measure as text with at most two decimals and its unit, with a no-break space before inches.

        Examples
        --------
        >>> ENGLISH.measure(3.0, "in"), language("de").measure(7.456, "in"), ENGLISH.measure(-30.0, "°")
        ('3\xa0in', '7,46\xa0Zoll', '-30°')
        """
        return (
            f"{self.plain(value)}{unit}"
            if unit == "°"
            else f"{self.plain(value)}{UNBREAKING}{self.words['number.inches']}"
        )

    def plain(self, value: float) -> str:
        """Return a number as text with at most two decimals."""
        digits = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if digits == "-0" else digits.replace(".", self.words["number.decimal"])

    def small(self, value: float) -> str:
        r"""Return a length in inches as text with two decimals; one that these would show as 0 is said to be less.

        Examples
        --------
        >>> ENGLISH.small(0.0005), ENGLISH.small(0.031551), language("de").small(0.00123)
        ('under 0.01\xa0in', '0.03\xa0in', 'unter 0,01\xa0Zoll')
        """
        written = self.measure(max(value, LEAST_SHOWN), "in")
        return written if value >= LEAST_SHOWN / 2 else self.say("measure.under", length=written)

    def within(self, words: str) -> str:
        """Return words as they are written within a sentence: beginning in lower case, unless the language capitalises
        otherwise.
        """
        return words[:1].lower() + words[1:] if self.words["capitals"] == "first" else words

    def known(self, group: str, word: str) -> str:
        """Return the words for a term of a system in a group of the catalogue: the system's own, the catalogue's, or
        the term itself.
        """
        own = self.looks.words.get(self.code, {}).get(
            f"{'terrain' if group == TERRAIN_GROUP else group}.{word}"
        )
        return own or self.words.get(f"{group}.{word}", word.replace("_", " "))

    def tag(self, key: str, value: object) -> str:
        """Return the text that is printed in a hex for a number of its terrain, in the system's or the catalogue's
        form.
        """
        own = self.looks.words.get(self.code, {}).get(f"tag.{key}") or self.words.get(f"tag.{key}")
        return (own or f"{key.replace('_', ' ')} {{}}").format(value)

    def ground(self, kind: str) -> str:
        """Return the name of the style in which terrain of a kind is drawn."""
        return self.looks.terrain.get(kind, kind)

    def step(self, step: Step) -> StepStyle:
        """Return the style in which a step is drawn."""
        return step_kind(self.step_look(step))

    def step_look(self, step: Step) -> str:
        """Return the name of the style in which a step is drawn."""
        return self.looks.steps.get(step.kind, step.kind)

    @property
    def lies(self) -> str:
        """Status word of units that are prone."""
        return next((word for word, look in self.looks.status.items() if look == "lying"), "lying")

    def lying(self, status: Iterable[str]) -> tuple[str, ...]:
        """Return the status words among `status` that mean that a unit is prone."""
        return tuple(word for word in status if self.looks.status.get(word, word) == "lying")

    def told(self, status: Iterable[str]) -> tuple[str, ...]:
        """Return the status words among `status` that a figure shows, in their order."""
        return tuple(word for word in status if self.looks.status.get(word) != "hidden")

    def edition(self, edition: str) -> str:
        """Return the name of an edition of rules."""
        return self.words["caption.edition"].format(
            words=edition_words(edition), plain=edition_number(edition)
        )

    def listed(self, names: tuple[str, ...]) -> str:
        """Return names joined for a sentence, such as "A and B"."""
        return self.words["caption.and"].join(names)


def language(name: str, option: str = "--language") -> Language:
    """Return a bundled language by its name or code, or one read from a TOML file; `option` names its origin in errors.

    Raises
    ------
    UsageError
        If there is no such language or file, or its words are missing, unknown, or have unknown names in braces.
    """
    known = languages().get(name.lower(), name.lower())
    if known in BUNDLED:
        return bundled(known)
    path = Path(name)
    if path.suffix != ".toml" and not path.is_file():
        message = "{option} {word}: expected {known} or a TOML file{hint}"
        raise UsageError(
            message,
            option=option,
            word=shown(name),
            known=quoted(BUNDLED),
            hint=nearest(name, BUNDLED),
        )
    tables = _read(path, f"{option} {path}")
    where = f"{option} {name}"
    sentences = _checked_sentences(tables, where)
    return Language(_checked_words(tables, where), sentences)


@lru_cache(maxsize=8)
def bundled(name: str) -> Language:
    """Return a bundled language by its name."""
    tables = tomllib.loads((LANGUAGE_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    sentences = _take_sentences(tables)
    return Language(dict(_flat(tables)), partial(sentences_of, sentences))


def _take_sentences(tables: dict[str, Any]) -> dict[str, Any]:
    """Remove the tables of translated sentences from those of a catalogue, in place, and return them by name."""
    return {name: tables.pop(name) for name in SENTENCES if name in tables}


def sentences_of(tables: Mapping[str, Any], part: str) -> Sentences:
    """Return the translations that a part of the program uses: those in `[part.NAME]` override those shared by all
    parts.
    """
    own = tables.get("part", {}).get(part, {})
    common = (tables.get("said", {}), tables.get("form", {}))
    return _own_first((own.get("said", {}), own.get("form", {})), common) if own else common


def _own_first(own: Sentences, common: Sentences) -> Sentences:
    forms = {
        form: {**common[1].get(form, {}), **own[1].get(form, {})}
        for form in {**common[1], **own[1]}
    }
    return {**common[0], **own[0]}, forms


def _checked_sentences(tables: dict[str, Any], where: str) -> Callable[[str], Sentences]:
    """Remove the tables of sentences from a user's catalogue, and return the function that gives them by part of the
    program.

    Sentences without a translation stay English.

    Raises
    ------
    UsageError
        If there are unknown tables or templates, or translations with other braces than their templates.
    """
    sentences = _take_sentences(tables)
    named = dict(_tables_of_texts(sentences))
    if unknown := [name for name in named if not TEXT_TABLE.fullmatch(name)]:
        message = (
            "{where}: unknown tables: {unknown}; expected said, form.NAME, part.PART.said or part.PART.form.NAME, "
            "PART one of {parts}"
        )
        raise UsageError(message, where=where, unknown=quoted(unknown), parts=quoted(PARTS))
    if strange := [name for name, words in named.items() if not isinstance(words, dict)]:
        raise UsageError(
            "{where}: {strange}: expected a table in which every value is a text in quotes",
            where=where,
            strange=quoted(strange),
        )
    known = set().union(
        *(said for name in BUNDLED for part in PARTS for said, _ in [bundled(name).sentences(part)])
    )
    if unknown := [
        key
        for name, words in named.items()
        if name.endswith("said")
        for key in words
        if key not in known
    ]:
        message = (
            "{where}: [said] has sentences that the program does not use: {unknown}; copy those on the left in "
            "tabletop/language/german.toml"
        )
        raise UsageError(message, where=where, unknown=quoted(unknown))
    forms = {name.rpartition("form.")[2] for name in named if "form." in name}
    pairs = [(key, told) for words in named.values() for key, told in words.items()]
    if wrong := [key for key, told in pairs if not translates(told, key, forms)]:
        message = (
            "{where}: translations whose words in braces differ from those of the English sentence, or use a form that "
            "this file does not have: {wrong}"
        )
        raise UsageError(message, where=where, wrong=quoted(wrong))
    return partial(sentences_of, sentences)


def _tables_of_texts(tables: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted name, table) for the tables of texts: said, form.NAME, and the same below part.NAME."""
    for name, table in tables.items():
        if name == "part" and not start and isinstance(table, dict):
            for part, own in table.items():
                yield from (
                    _tables_of_texts(own, f"part.{part}.")
                    if isinstance(own, dict)
                    else [(f"part.{part}", own)]
                )
        elif name == "form" and isinstance(table, dict):
            yield from ((f"{start}form.{form}", words) for form, words in table.items())
        else:
            yield f"{start}{name}", table


def _read(path: Path, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(decoded(path.read_bytes(), most=MOST_BYTES))
    except ScenarioError as error:
        raise UsageError("{where}: {error}", where=where, error=message_of(error)) from None
    except (OSError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(
            "{where}: cannot be read: {reason}", where=where, reason=cause_of(error)
        ) from error


def _flat(table: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (key, value) for the values of nested tables, with dots between the parts of a key."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{start}{key}.")
        else:
            yield f"{start}{key}", value


def _checked_words(tables: Mapping[str, Any], where: str) -> Mapping[str, str]:
    """Return the words of a catalogue by dotted key; raise UsageError that lists all missing, unknown or wrong keys."""
    words = dict(_flat(tables))
    english = bundled("english").words
    is_known = {key: key in english or key.startswith(GAMES_OWN) for key in words}
    missing = [key for key in english if key not in words]
    unknown = [key for key, is_one in is_known.items() if not is_one]
    wrong = [key for key, text in words.items() if is_known[key] and not _fits(key, text)]
    problems = [
        say("keys are missing: {missing}", missing=quoted(missing)) if missing else "",
        say(
            "unknown keys: {unknown}{hint}",
            unknown=quoted(unknown),
            hint=nearest(unknown[0], english),
        )
        if unknown
        else "",
        say("words in braces differ from those of the English text: {wrong}", wrong=quoted(wrong))
        if wrong
        else "",
    ]
    if any(problems):
        raise UsageError(
            "{where}: {problems}", where=where, problems=listed(filter(None, problems), "; ")
        )
    return words


def _fits(key: str, text: Any) -> bool:
    """Return whether a text is not empty and has no names in braces but those of the key's text in a bundled
    language.
    """
    try:
        given = set().union(*(holes(bundled(name).words.get(key, "")) for name in BUNDLED))
        return isinstance(text, str) and bool(text.strip()) and holes(text) <= given
    except ValueError:
        return False


ENGLISH = bundled("english")

_CURRENT: ContextVar[Language] = ContextVar("current_language", default=ENGLISH)


def current_language() -> Language:
    """Return the language in which words are written now; English outside of a `speaking` block."""
    return _CURRENT.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Make a language the current one in a `with` block.

    Whatever draws a figure enters it once; the words of marks, captions and keys are written within.
    """
    before = _CURRENT.set(language)
    try:
        yield
    finally:
        _CURRENT.reset(before)


def with_terms(shows: Callable[Asked, Result]) -> Callable[Asked, Result]:
    """Return a function that shows a case, its first argument, so that it runs in the current language with the terms
    of the case's game.
    """

    @wraps(shows)
    def shown(*args: Asked.args, **options: Asked.kwargs) -> Result:
        case: Any = args[0]
        with speaking(current_language().of(case.system.vocabulary.looks)):
            return shows(*args, **options)

    return shown


def climb_words(across: float, up: float) -> str:
    r"""Return a climbed length in words: inches across and inches up, since a view from above shows only the former.

    Examples
    --------
    >>> climb_words(3.6, 6.0)
    '3.6\xa0in across, 6 up'
    """
    language = current_language()
    return language.say(
        "measure.climb", across=language.measure(across, "in"), up=language.plain(up)
    )

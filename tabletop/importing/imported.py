"""What another program's file came to: the tables of a scenario, remarks on what is not in them, and both as a commented file."""

import re
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tabletop.errors import Fault, ScenarioError
from tabletop.messages import listed, printable, say
from tabletop.ruling.system import System
from tabletop.scenario.document import scenario_model
from tabletop.scenario.limits import FILE_BYTES, PROBLEMS
from tabletop.scenario.reading import case_from_text
from tabletop.scenario.validation import validated
from tabletop.scenario.writing import to_toml

FOREIGN_BYTES = 32 * 2**20
"""Bytes of another program's file: far more than of a scenario, as they hold scripts as well."""

NAMED, KINDS = 8, 100
"""Places that a remark names, and remarks on one file; of the rest the number is told."""

FILE_WIDTH = 120
"""Letters in a line of the file."""

_ASIDE = "Left out, with their places: each is a unit when the # before it is taken away and it is completed, its base above all."

_HEXES = re.compile(r"^hexes = \[.*\]$", re.MULTILINE)

_UNIT = re.compile(r"^(?:# )?(\[units\.[^\n]*\])$", re.MULTILINE)


HINDRANCE, GROUND, OTHER, LOOKS = range(4)
"""What a remark is about, first what changes most: hexes that hinder otherwise, hexes that are otherwise, all else, what is to look at."""


@dataclass
class Remarks:
    """What is not understood, or taken in another's stead, as it is met: how often each kind, and the first places where it is."""

    counts: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[str]] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, where: str = "", rank: int = OTHER) -> None:
        """Remark on something, once more if it has been remarked on elsewhere."""
        self.counts[what] += 1
        self.ranks[what] = rank
        places = self.places.setdefault(what, [])
        if where and len(places) < NAMED:
            places.append(where)

    def lines(self) -> tuple[str, ...]:
        """Return a sentence for each kind, in the order of their ranks, else in that in which they were met."""
        told = [self._sentence(what) for what in sorted(self.places, key=lambda what: self.ranks[what])]
        more = (say("... and {count} more kinds of remark", count=len(told) - KINDS),) if len(told) > KINDS else ()
        return (*told[:KINDS], *more)

    def _sentence(self, what: str) -> str:
        count, places = self.counts[what], listed(self.places[what], ", ")
        if self.ranks[what] < OTHER:
            hexes = say("1 hex") if count == 1 else say("{count} hexes", count=count)
            return say("{hexes}: {what}: {places}{more}", hexes=hexes, what=what, places=places, more=", ..." if count > NAMED else "")
        more = say(", ... ({count} in all)", count=count) if count > NAMED else ""
        return say("{what}: {places}{more}", what=what, places=places, more=more) if places else what


@dataclass(frozen=True)
class Imported:
    """The tables of a scenario without charges, how they were read, and what of the source they do not hold."""

    system: System
    tables: Mapping[str, Any]
    read: tuple[str, ...]
    remarks: tuple[str, ...]
    aside: Mapping[str, Any] = field(default_factory=dict)
    """Units that are not whole, as comments for somebody to complete."""
    guessed: Mapping[str, str] = field(default_factory=dict)
    """What of a unit is a guess, by its name."""
    guessed_aside: Mapping[str, str] = field(default_factory=dict)
    """The same of units that are not whole."""


def scenario_text(imported: Imported) -> tuple[str, tuple[str, ...]]:
    """Return a TOML file, its remarks as comments, and the remarks; a table that is refused as it stands is one more of them.

    Raises
    ------
    ScenarioError
        If it is more than a scenario file may hold.
    """
    scenario, problems = validated(scenario_model(imported.system), imported.tables)
    if scenario is None or problems:
        raise ScenarioError([Fault.of(fault.key, "{message}, in what was read", message=fault.message) for fault in problems[:PROBLEMS]])
    body = _UNIT.sub(partial(_with_guess, imported.guessed), _HEXES.sub(_wrapped, to_toml(scenario)))
    remarks = (*imported.remarks, *_refusals(body))
    head = [*imported.read, *(["Not understood, or taken in another's stead:", *(f"- {one}" for one in remarks)] if remarks else [])]
    comments = [line for text in head for line in _commented(text)]
    aside = (_UNIT.sub(partial(_with_guess, imported.guessed_aside), line) for line in _unfinished(imported.aside))
    text = "\n".join([*comments, "", body, *aside])
    if len(text.encode()) > FILE_BYTES:
        raise ScenarioError(Fault.of("", "comes to a scenario of more than {most:,} bytes, the most that a file may have", most=FILE_BYTES))
    return text, remarks


def _unfinished(units: Mapping[str, Any]) -> list[str]:
    """Write units as lines of a comment that are units when the marks of a comment are taken away."""
    import tomlkit

    if not units:
        return []
    return [f"# {line}".rstrip() for line in (_ASIDE, *tomlkit.dumps({"units": units}).splitlines())] + [""]


def _with_guess(guessed: Mapping[str, str], header: re.Match[str]) -> str:
    """Write the head of a unit's table with what of it is a guess, as a comment."""
    (name,) = tomllib.loads(header[1])["units"]
    return f"{header[0]}  # {guessed[name]}" if name in guessed else header[0]


def _wrapped(hexes: re.Match[str]) -> str:
    return textwrap.fill(hexes.group(), FILE_WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _refusals(text: str) -> Iterator[str]:
    """Yield why the imported table is refused, if it is: measured pieces may overlap or extend over the edge."""
    try:
        case_from_text(text)
    except ScenarioError as error:
        message = "as it stands the table is refused: {key}: {fault}"
        yield from (say(message, key=fault.key, fault=fault.message) for fault in error.problems[:NAMED])


def _commented(text: str) -> list[str]:
    """Write a text as lines of a comment, with nothing in them that a file or a terminal would obey."""
    lines = textwrap.wrap(printable(text).replace("\n", " "), FILE_WIDTH - 2, subsequent_indent="  " if text.startswith("- ") else "")
    return [f"# {line}" for line in lines]

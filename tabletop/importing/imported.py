"""Imported scenarios: their tables, remarks on what was left out, and the commented file made of both."""

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
"""Bytes per foreign file; far more than of a scenario, since these files also hold scripts."""

NAMED, KINDS = 8, 100
"""Places listed per remark, and remarks per file; the rest is only counted."""

FILE_WIDTH = 120
"""Width of the file in characters."""

_ASIDE = "Left out, with their places. To use one, remove the # before its lines and complete it, above all its base."

_HEXES = re.compile(r"^hexes = \[.*\]$", re.MULTILINE)

_UNIT = re.compile(r"^(?:# )?(\[units\.[^\n]*\])$", re.MULTILINE)


HINDRANCE, GROUND, OTHER, LOOKS = range(4)
"""Ranks of remarks, most important first: changed obstacles, other changed hexes, everything else, decoration."""


@dataclass
class Remarks:
    """Remarks on things left out or replaced: number of occurrences, first places and rank of each."""

    counts: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[str]] = field(default_factory=dict)
    ranks: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, where: str = "", rank: int = OTHER) -> None:
        """Count an occurrence of a remark at a place; the first `NAMED` places are kept.

        Ranks sort remarks, lowest first.
        """
        self.counts[what] += 1
        self.ranks[what] = rank
        places = self.places.setdefault(what, [])
        if where and len(places) < NAMED:
            places.append(where)

    def lines(self) -> tuple[str, ...]:
        """Return a sentence for each remark, by rank and then in the order of first occurrence; at most `KINDS`, then a
        count.
        """
        told = [
            self._sentence(what) for what in sorted(self.places, key=lambda what: self.ranks[what])
        ]
        more = (
            (say("... and {count} more kinds of remark", count=len(told) - KINDS),)
            if len(told) > KINDS
            else ()
        )
        return (*told[:KINDS], *more)

    def _sentence(self, what: str) -> str:
        count = self.counts[what]
        places = listed(self.places[what], ", ")
        if self.ranks[what] < OTHER:
            hexes = say("1 hex") if count == 1 else say("{count} hexes", count=count)
            return say(
                "{hexes}: {what}: {places}{more}",
                hexes=hexes,
                what=what,
                places=places,
                more=", ..." if count > NAMED else "",
            )
        more = say(", ... ({count} in all)", count=count) if count > NAMED else ""
        return (
            say("{what}: {places}{more}", what=what, places=places, more=more) if places else what
        )


@dataclass(frozen=True)
class Imported:
    """An imported scenario without charges: its tables, sentences on what was read, and remarks on what is missing."""

    system: System
    tables: Mapping[str, Any]
    read: tuple[str, ...]
    remarks: tuple[str, ...]
    aside: Mapping[str, Any] = field(default_factory=dict)
    """Incomplete units, written as comments for completion."""
    guessed: Mapping[str, str] = field(default_factory=dict)
    """Remarks on guessed values, by unit."""
    guessed_aside: Mapping[str, str] = field(default_factory=dict)
    """Remarks on guessed values of incomplete units."""


def scenario_text(imported: Imported) -> tuple[str, tuple[str, ...]]:
    """Return an imported scenario as TOML text with its remarks as comments, and the remarks, faults of the table
    included.

    Raises
    ------
    ScenarioError
        If the result exceeds the limits of a scenario file.
    """
    scenario, problems = validated(scenario_model(imported.system), imported.tables)
    if scenario is None or problems:
        raise ScenarioError(
            [
                Fault.of(fault.key, "{message} (in the imported file)", message=fault.message)
                for fault in problems[:PROBLEMS]
            ]
        )
    body = _UNIT.sub(
        partial(_with_guess, imported.guessed), _HEXES.sub(_wrapped, to_toml(scenario))
    )
    remarks = (*imported.remarks, *_refusals(body))
    head = [
        *imported.read,
        *(["Not understood, or replaced:", *(f"- {one}" for one in remarks)] if remarks else []),
    ]
    comments = [line for text in head for line in _commented(text)]
    aside = (
        _UNIT.sub(partial(_with_guess, imported.guessed_aside), line)
        for line in _unfinished(imported.aside)
    )
    text = "\n".join([*comments, "", body, *aside])
    if len(text.encode()) > FILE_BYTES:
        raise ScenarioError(
            Fault.of(
                "",
                "gives a scenario larger than {most:,} bytes, the limit of scenario files",
                most=FILE_BYTES,
            )
        )
    return text, remarks


def _unfinished(units: Mapping[str, Any]) -> list[str]:
    """Return incomplete units as lines of TOML, each commented out."""
    import tomlkit

    if not units:
        return []
    return [
        f"# {line}".rstrip() for line in (_ASIDE, *tomlkit.dumps({"units": units}).splitlines())
    ] + [""]


def _with_guess(guessed: Mapping[str, str], header: re.Match[str]) -> str:
    """Return the header line of a unit's table, followed by the remark on its guessed values, if any, as a comment."""
    (name,) = tomllib.loads(header[1])["units"]
    return f"{header[0]}  # {guessed[name]}" if name in guessed else header[0]


def _wrapped(hexes: re.Match[str]) -> str:
    return textwrap.fill(
        hexes.group(),
        FILE_WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _refusals(text: str) -> Iterator[str]:
    """Yield a remark for each fault of the imported table: measured pieces may overlap or extend over the edge."""
    try:
        case_from_text(text)
    except ScenarioError as error:
        message = "the table is invalid as it stands: {key}: {fault}"
        yield from (
            say(message, key=fault.key, fault=fault.message) for fault in error.problems[:NAMED]
        )


def _commented(text: str) -> list[str]:
    """Return a text as lines of comment, free of control characters."""
    lines = textwrap.wrap(
        printable(text).replace("\n", " "),
        FILE_WIDTH - 2,
        subsequent_indent="  " if text.startswith("- ") else "",
    )
    return [f"# {line}" for line in lines]

"""Parsing of players' notes on objects of a virtual table: base sizes, kinds of terrain, table sizes, keys with
values.
"""

import re
from collections.abc import Iterable
from contextlib import suppress

from pydantic_core import PydanticCustomError

from tabletop.scenario.bases import IN_TEXT, WrittenBase, base_of
from tabletop.units import MM_PER_INCH

Size = tuple[float, float]

_M = r"(\d{1,4}(?:\.\d{1,4})?)"

_N = rf"(?<![\d.,]){_M}"

_BY = r"\s*(?:in|inch|inches|\"|\u2033|''|'|ft|feet)?\s*[x\u00d7]\s*"

_INCH = r"(?:\"|\u2033|''|in\b|inch\b|inches\b)"

_AREA = re.compile(rf"{_N}{_BY}{_M}\s*({_INCH}|'|ft\b|feet\b)", re.IGNORECASE)

_ACROSS = re.compile(rf"{_N}\s*{_INCH}\s*(?:round|across|diameter)\b", re.IGNORECASE)

_HEIGHT = re.compile(rf"\bheight\s*[:=]?\s*{_M}\s*(mm|cm|ft|feet|'(?!'))?", re.IGNORECASE)

_INCHES = {"mm": 1.0 / MM_PER_INCH, "cm": 10.0 / MM_PER_INCH, "ft": 12.0, "feet": 12.0, "'": 12.0}
"""Inches per unit of a height."""

_TABLE = re.compile(r"\b(?:table|board|mat|battlefield)\b", re.IGNORECASE)

_MARKUP = re.compile(r"\[/?(?:b|i|u|s|sub|sup|-|[0-9a-fA-F]{6})\]")

_WOUNDS = re.compile(r"\d+/\d+\s+")

FEET = 12.0
"""Inches per foot."""

LONGEST = 10_000
"""Characters of a text that are read; several times the longest notes in use."""


def plain(text: str) -> str:
    """Return a text without colour and type markup, unprintable characters and repeated spaces; very long texts are
    cut.

    Examples
    --------
    >>> plain("[b][ff0000]Orcs[-][/b]   of the  west ")
    'Orcs of the west'
    """
    lines = _MARKUP.sub("", text[:LONGEST]).splitlines()
    clean = (
        " ".join("".join(char if char.isprintable() else " " for char in line).split())
        for line in lines
    )
    return "\n".join(filter(None, clean))


def bases_in(text: str) -> tuple[WrittenBase, ...]:
    """Return the distinct bases in a text; a single length is one only with a word such as "round" or "base", or on a
    line of its own.

    Examples
    --------
    >>> bases_in("Boss (40 mm base)"), bases_in("25 x 50 mm"), bases_in("120mm gun")
    ((WrittenBase(lengths=(40.0,), form=None),), (WrittenBase(lengths=(25.0, 50.0), form=None),), ())
    """
    found = []
    for match in IN_TEXT.finditer(text):
        with suppress(PydanticCustomError):  # of no possible size
            found.append(base_of(match.group(1) or match.group()))
    return tuple(dict.fromkeys(found))


def name_in(nickname: str) -> str:
    r"""Return an object's name on one line, without the count of wounds that players write before it.

    Examples
    --------
    >>> name_in("2/3 Old \n Guard")
    'Old Guard'
    """
    return (
        _WOUNDS.sub("", " ".join(nickname.split()), count=1)
        if _WOUNDS.match(nickname)
        else " ".join(nickname.split())
    )


def kind_in(name: str, text: str, kinds: Iterable[str]) -> str | None:
    """Return the kind of terrain that begins an object's name or follows `terrain` on a line of its text, or None.

    Examples
    --------
    >>> kinds = ("wall", "light_woods")
    >>> kind_in("Light woods 6x4in", "", kinds), kind_in("Wallace", "", kinds), kind_in("Ruin", "terrain: wall", kinds)
    ('light_woods', None, 'wall')
    """
    spelt = {kind.replace("_", " "): kind for kind in kinds}
    given = [
        name,
        *(
            match.group(1)
            for match in re.finditer(
                r"^terrain\b\s*[:=]?\s*(.*)$", text, re.IGNORECASE | re.MULTILINE
            )
        ),
    ]
    for words in given:
        folded = re.sub(r"[\s_]+", " ", words.casefold())
        for kind in sorted(spelt, key=len, reverse=True):
            if re.match(rf"{re.escape(kind)}\b", folded):
                return spelt[kind]
    return None


def areas_in(text: str) -> tuple[Size, ...]:
    """Return the distinct sizes of rectangles in a text, in inches.

    Examples
    --------
    >>> areas_in('6x4in'), areas_in('6" x 4"'), areas_in("table 6x4 ft"), areas_in("2 x 4")
    (((6.0, 4.0),), ((6.0, 4.0),), ((72.0, 48.0),), ())
    """
    found = []
    for match in _AREA.finditer(text):
        unit = FEET if match.group(3).lower() in ("'", "ft", "feet") else 1.0
        found.append((float(match.group(1)) * unit, float(match.group(2)) * unit))
    return tuple(dict.fromkeys(found))


def diameters_in(text: str) -> tuple[float, ...]:
    """Return the distinct diameters of circles in a text, in inches.

    Examples
    --------
    >>> diameters_in("hill, 6in round"), diameters_in("6in")
    ((6.0,), ())
    """
    return tuple(dict.fromkeys(float(match.group(1)) for match in _ACROSS.finditer(text)))


def height_in(text: str) -> float | None:
    """Return the height in inches in a text, which may give it in another unit, or None.

    Examples
    --------
    >>> height_in("ruin, height: 4.5"), height_in("height 127mm"), height_in("tall")
    (4.5, 5.0, None)
    """
    match = _HEIGHT.search(text)
    return (
        float(match.group(1)) * _INCHES.get((match.group(2) or "").lower(), 1.0) if match else None
    )


def is_table(text: str) -> bool:
    """Return whether a text mentions a table, a board, a mat or a battlefield."""
    return _TABLE.search(text) is not None


def value_of(key: str, text: str) -> str | None:
    r"""Return the value after a key and a colon or equals sign on a line of a text, or None.

    Examples
    --------
    >>> value_of("side", "Orcs\nside: red")
    'red'
    """
    match = re.search(
        rf"^{re.escape(key)}[ \t]*[:=][ \t]*(\S.*)$", text, re.IGNORECASE | re.MULTILINE
    )
    return match.group(1).strip() if match else None

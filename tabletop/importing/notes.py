"""Parsing of players' notes on objects of a virtual table: base sizes, kinds of terrain, table sizes, keys with values."""

import re
from collections.abc import Iterable

from tabletop.units import MM_PER_INCH

Size = tuple[float, float]

_M = r"(\d{1,4}(?:\.\d{1,4})?)"

_N = rf"(?<![\d.,]){_M}"

_BY = r"\s*(?:mm|cm|in|inch|inches|\"|\u2033|''|'|ft|feet)?\s*[x\u00d7]\s*"

_INCH = r"(?:\"|\u2033|''|in\b|inch\b|inches\b)"

_BASE = re.compile(rf"{_N}{_BY}{_M}\s*mm\b\s*(oval)?", re.IGNORECASE)

_ROUND = re.compile(rf"{_N}\s*mm\s*(round|base)\b", re.IGNORECASE)

_AREA = re.compile(rf"{_N}{_BY}{_M}\s*({_INCH}|'|ft\b|feet\b)", re.IGNORECASE)

_ACROSS = re.compile(rf"{_N}\s*{_INCH}\s*(?:round|across|diameter)\b", re.IGNORECASE)

_HEIGHT = re.compile(r"\bheight\s*[:=]?\s*(\d{1,4}(?:\.\d{1,4})?)", re.IGNORECASE)

_TABLE = re.compile(r"\b(?:table|board|mat|battlefield)\b", re.IGNORECASE)

_MARKUP = re.compile(r"\[/?(?:b|i|u|s|sub|sup|-|[0-9a-fA-F]{6})\]")

_WOUNDS = re.compile(r"\d+/\d+\s+")

FEET = 12.0
"""Inches per foot."""

LONGEST = 10_000
"""Characters of a text that are read; several times the longest notes in use."""

MOST_MM = 1000.0
"""Largest size of a base in millimetres."""


def plain(text: str) -> str:
    """Return a text without colour and type markup, unprintable characters and repeated spaces; very long texts are cut.

    Examples
    --------
    >>> plain("[b][ff0000]Orcs[-][/b]   of the  west ")
    'Orcs of the west'
    """
    lines = _MARKUP.sub("", text[:LONGEST]).splitlines()
    clean = (" ".join("".join(char if char.isprintable() else " " for char in line).split()) for line in lines)
    return "\n".join(filter(None, clean))


def bases_in(text: str) -> tuple[str, ...]:
    """Return the distinct bases in a text, as scenario files write them.

    A single length called round or base is a diameter. The longer axis of an oval comes first.

    Examples
    --------
    >>> bases_in("32mm round"), bases_in("Boss (40 mm base)"), bases_in("25 x 50 mm"), bases_in("35x60mm oval"), bases_in("120mm gun")
    (('32mm round',), ('40mm round',), ('25x50mm',), ('60x35mm oval',), ())
    """
    pairs = [(float(match.group(1)), float(match.group(2)), bool(match.group(3))) for match in _BASE.finditer(text)]
    singles = [float(match.group(1)) for match in _ROUND.finditer(_BASE.sub(" ", text))]
    found = [_base(*pair) for pair in pairs if all(0.0 < side <= MOST_MM for side in pair[:2])]
    found += [f"{_written(size)}mm round" for size in singles if 0.0 < size <= MOST_MM]
    return tuple(dict.fromkeys(found))


def _base(first: float, second: float, is_oval: bool) -> str:  # noqa: FBT001 - a pair and its word
    if is_oval:
        return f"{_written(max(first, second))}x{_written(min(first, second))}mm oval"
    return f"{_written(first)}x{_written(second)}mm"


def _written(size: float) -> str:
    return f"{size:.4f}".rstrip("0").rstrip(".")


def inches_of(base: str) -> tuple[float, ...]:
    """Return the sizes in inches of a base: width and depth of a rectangle, diameter of a disc; empty for an oval.

    Examples
    --------
    >>> inches_of("25.4x50.8mm"), inches_of("25.4mm round"), inches_of("75x42mm oval")
    ((1.0, 2.0), (1.0,), ())
    """
    sizes = base.removesuffix(" round").removesuffix("mm").split("x")
    return () if base.endswith("oval") else tuple(float(size) / MM_PER_INCH for size in sizes)


def name_in(nickname: str) -> str:
    r"""Return an object's name on one line, without the count of wounds that players write before it.

    Examples
    --------
    >>> name_in("2/3 Old \n Guard")
    'Old Guard'
    """
    return _WOUNDS.sub("", " ".join(nickname.split()), count=1) if _WOUNDS.match(nickname) else " ".join(nickname.split())


def kind_in(name: str, text: str, kinds: Iterable[str]) -> str | None:
    """Return the kind of terrain that begins an object's name or follows `terrain` on a line of its text, or None.

    Examples
    --------
    >>> kinds = ("wall", "light_woods")
    >>> kind_in("Light woods 6x4in", "", kinds), kind_in("Wallace", "", kinds), kind_in("Ruin", "terrain: wall", kinds)
    ('light_woods', None, 'wall')
    """
    spelt = {kind.replace("_", " "): kind for kind in kinds}
    given = [name, *(match.group(1) for match in re.finditer(r"^terrain\b\s*[:=]?\s*(.*)$", text, re.IGNORECASE | re.MULTILINE))]
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
    """Return the height in inches in a text, or None.

    Examples
    --------
    >>> height_in("ruin, height: 4.5"), height_in("tall")
    (4.5, None)
    """
    match = _HEIGHT.search(text)
    return float(match.group(1)) if match else None


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
    match = re.search(rf"^{re.escape(key)}[ \t]*[:=][ \t]*(\S.*)$", text, re.IGNORECASE | re.MULTILINE)
    return match.group(1).strip() if match else None

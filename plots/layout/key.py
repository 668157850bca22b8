"""The ruler and the key below the panels: marks in page inches, y downwards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from plots.layout import text
from plots.layout.frame import Frame
from plots.layout.setting import Sheet
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import (
    HEIGHT_SIGN,
    Arrows,
    DimensionLine,
    Label,
    Lines,
    Mark,
    PointMark,
    Points,
    Rings,
    cross,
)
from plots.marks.styles import RISING, hex_kind, look_of, style, styles_of
from plots.marks.theme import SMALL
from tabletop.geometry.pose import Point
from tabletop.units import MM_PER_INCH

Note = tuple[str, str, Point, str]
"""Id, text, baseline on the page, alignment."""

ARM = 0.05
"""Inches on the page: half the side of a cross in the key."""

RULER_LENGTHS = (1, 2, 3, 4, 6, 12, 24, 36)

BAR, LONGEST, ICON, ROW, BETWEEN = 0.05, 1.7, 0.2, 0.17, 0.18
"""Inches: height of the ruler, its greatest length, width of a key's sample, distance of the key's rows and between its columns."""

HEIGHT_ROLE = "height"

SIGNS = {HEIGHT_ROLE: HEIGHT_SIGN, "cost": "1"}
"""Words that stand for themselves in the key."""

TONED = ("front", "hollow", "path", "pivot", "raised", "climb", "lost", "fallen", "pushed", "stepped", "slid")
"""What a side's colour does not change."""

PAPER, SHORTER, MOST_OF_WIDTH = 100, 50, 0.6
"""Millimetres of the bar by which a print at a given scale is checked, those where a page is narrow, the share of it that is not."""


def ruler_marks(frame: Frame, at: Point, language: Language = ENGLISH) -> tuple[tuple[Mark, ...], tuple[Note, ...], float]:
    """Draw a ruler of the table's inches from an upper-left corner; give also its width on the page."""
    length = max((one for one in RULER_LENGTHS if one * frame.scale <= LONGEST), default=1)
    step = 1 if frame.scale >= 0.07 or length <= 4 else length // 4 if length < 12 else length // 6  # noqa: PLR2004
    x, y = at
    marks = [_bar(number, x + start * frame.scale, y, step * frame.scale) for number, start in enumerate(range(0, length, step))]
    base = y + BAR + 0.02 + text.ASCENT * SMALL * text.POINT_SIZE
    shown = [0, length // 2, length] if length >= 4 and length % 2 == 0 else [0, length]  # noqa: PLR2004
    texts = [(value, f"{value} {language.words['number.inches']}" if value == length else str(value)) for value in shown]
    notes = [(f"ruler.{value}", written, (x + value * frame.scale, base), "center") for value, written in texts]
    return tuple(marks), tuple(notes), length * frame.scale + 0.1


def _bar(number: int, x: float, y: float, length: float) -> Mark:
    ring = ((x, y), (x + length, y), (x + length, y + BAR), (x, y + BAR))
    return Rings(f"ruler.bar.{number + 1}", "bar" if number % 2 == 0 else "bar_light", (ring,))


def key_marks(
    marks: Sequence[Mark], at: Point, right: float, meanings: Mapping[str, str] | None = None, *, language: Language = ENGLISH
) -> tuple[tuple[Mark, ...], tuple[Note, ...], float]:
    """Explain the roles that occur and that the picture itself does not name, in columns; give also where the key ends."""
    entries = key_entries(marks, meanings, language)
    places = _places([ICON + 0.06 + text.width(meaning, SMALL) for _, meaning in entries], right - at[0])
    y = at[1]
    samples: list[Mark] = []
    notes: list[Note] = []
    for (role, meaning), (aside, row) in zip(entries, places, strict=True):
        x, y = at[0] + aside, at[1] + row * ROW
        base = y + text.ASCENT * SMALL * text.POINT_SIZE
        samples += sample(role, x, y + 0.045)
        notes += [(f"key.{role}", SIGNS[role], (x + ICON / 2, base), "center")] if role in SIGNS else []
        notes.append((f"key.{role}.text", meaning, (x + ICON + 0.06, base), "left"))
    return tuple(samples), tuple(notes), y + ROW if notes else at[1]


def _places(wide: Sequence[float], room: float) -> list[tuple[float, int]]:
    """Give how far aside and in which row entries of such widths stand: in columns, or one after the other where that saves many rows."""
    flowing: list[tuple[float, int]] = []
    x, row = 0.0, 0
    for width in wide:
        x, row = (0.0, row + 1) if x > 0.0 and x + width > room else (x, row)
        flowing.append((x, row))
        x += width + BETWEEN
    for count in range(len(wide), 0, -1):
        columns = [max(wide[column::count]) + BETWEEN for column in range(count)]
        if sum(columns) - BETWEEN <= room and -(-len(wide) // count) <= row + 2:
            return [(sum(columns[: place % count]), place // count) for place in range(len(wide))]
    return flowing


def key_entries(marks: Sequence[Mark], meanings: Mapping[str, str] | None = None, language: Language = ENGLISH) -> list[tuple[str, str]]:
    """List role and meaning of what needs a key: what has one meaning in the order of the looks, then what has a side's colour."""
    used = {mark.role for mark in marks if not isinstance(mark, Label)}
    used -= {role for role in used if role.startswith("level.")} - _levels(used)
    told_of = {_meaning(role, language): role for role in sorted(used, key=_order, reverse=True)}
    entries = [(role, meaning) for meaning, role in reversed(told_of.items())]  # what means the same is told once
    heights = any(isinstance(mark, Label) and HEIGHT_SIGN in mark.text for mark in marks)
    told = [(role, words) for role, words in (meanings or {}).items() if role in used]
    toned = _toned_entries(used, language)
    height = [(HEIGHT_ROLE, language.words["key.height"])] if heights else []
    return [*told, *((role, meaning) for role, meaning in entries if meaning), *toned, *height]


def _order(role: str) -> tuple[int, str]:
    """Tell where a role stands in the key: as the looks do, and those that no table lists behind."""
    roles = list(styles_of())
    own = ".".join(look_of(role)) if role.startswith(("terrain.", "hexes.")) else role
    return (roles.index(own) if own in roles else len(roles), role)


def _levels(used: set[str]) -> set[str]:
    """Give the roles of one level above the ground and of one below, if there are any."""
    levels = sorted(int(role.partition(".")[2]) for role in used if role.startswith("level."))
    shown = [*[level for level in levels if level > 0][:1], *[level for level in levels if level < 0][-1:]]
    return {f"level.{level}" for level in shown}


def _meaning(role: str, language: Language) -> str:
    """Give the meaning of a role that has one; of terrain that the catalogue does not list, its kind."""
    group, _, kind = role.partition(".")
    if group in ("terrain", "hexes"):
        return language.known("key.terrain", kind.partition(".")[2] or kind)
    if group == "level":
        return language.words["key.level.low" if int(kind) < 0 else "key.level.high"]
    return language.words.get(f"key.{role}", "")


def _toned_entries(used: set[str], language: Language) -> list[tuple[str, str]]:
    """Give what a side's colour does not change, each once and in the colour of the first side that has it."""
    first = {role.partition(".")[0]: role for role in sorted(used, reverse=True)}
    dashed = "start_or_stop" if {"start", "ghost"} <= first.keys() else "start" if "start" in first else "stop"
    if "front" in first:
        first.pop("hollow", None)
    outlines = [(first.get("start", first.get("ghost", "")), dashed)]
    entries = [(first.get("contact", ""), "contact"), *outlines, *((first.get(word, ""), word) for word in TONED)]
    return [(role, language.words[f"key.{key}"]) for role, key in entries if role]


def paper_ruler(at: Point, sheet: Sheet, language: Language = ENGLISH) -> tuple[tuple[Mark, ...], tuple[Note, ...]]:
    """Draw a bar whose length on the paper its words say, to check a print with a tape; farther left where the sheet ends before."""
    length = SHORTER if MOST_OF_WIDTH * sheet.width * sheet.zoom < PAPER / MM_PER_INCH else PAPER
    words, bars = language.say("caption.paper", length=length), 10
    tenth = length / bars / MM_PER_INCH / sheet.zoom
    said = bars * tenth + 0.08
    x, y = min(at[0], sheet.right - said - text.width(words, SMALL)), at[1]
    marks = tuple(replace(_bar(number, x + number * tenth, y, tenth), id=f"paper.bar.{number + 1}") for number in range(bars))
    base = y + BAR / 2 + text.DIGIT / 2 * SMALL * text.POINT_SIZE
    return marks, (("paper.length", words, (x + said, base), "left"),)


def sample(role: str, x: float, middle: float) -> tuple[Mark, ...]:
    """Show a role in a box of the page."""
    name, ends = f"key.{role}", ((x, middle), (x + ICON, middle))
    centre, word = x + ICON / 2, role.partition(".")[0]
    made: Mark | None = None
    match word:
        case _ if role in SIGNS:
            return ()
        case "contact_point" | "climb" | "spot" | "pivot":
            made = PointMark(name, role, ((centre, middle),))
        case "pushed" | "stepped" | "slid" | "aim" | "path" | "align" | "best_facing":
            made = Arrows(name, role, (ends,))
        case "lost":
            made = Lines(name, role, cross((centre, middle), ARM))
        case "fallen":
            made = Lines(name, role, tuple(((x + inset, y), (x + ICON - inset, y)) for inset, y in ((0.0, middle), (0.04, middle + 0.03))))
        case "sight_stop":
            made = Lines(name, role, (((centre, middle - ARM), (centre, middle + ARM)),))
        case "dimension":
            made = DimensionLine(name, role, *ends)
        case "front" | "hollow":
            made = Rings(name, role, (((centre, middle - ARM), (centre + ARM, middle + ARM), (centre - ARM, middle + ARM)),))
        case _ if not _is_filled(role, word):
            made = Lines(name, role, (ends,))
    return _swatch(role, name, x, middle) if made is None else (made,)


def _is_filled(role: str, word: str) -> bool:
    look = style(role)
    return bool(look.fill or look.pattern) or word in ("terrain", "hexes", "ghost", "start", "raised")


def _swatch(role: str, name: str, x: float, middle: float) -> tuple[Mark, ...]:
    """Fill a box as the role is filled; a raised base, and what rises, has a ring inside, terrain of hexes its symbols."""
    word, _, kind = role.partition(".")
    look = kind.partition(".")[0]
    within = role if word == "raised" else "contour" if word == "terrain" and look in RISING else ""
    inner = (Rings(f"{name}.inner", within, (_box(x, middle, 0.022),)),) if within else ()
    return (Rings(name, role, (_box(x, middle),)), *inner, *(_symbols(look, name, x, middle) if word == "hexes" else ()))


def _box(x: float, middle: float, inset: float = 0.0) -> Points:
    """Give the ring of a sample from its left end, `inset` inches smaller on every side."""
    west, east, high = x + inset, x + ICON - inset, 0.05 - inset
    return ((west, middle - high), (east, middle - high), (east, middle + high), (west, middle + high))


def _symbols(drawn_as: str, name: str, x: float, middle: float) -> tuple[Mark, ...]:
    look = hex_kind(drawn_as)
    places = (0.5,) if len(look.places) == 1 else (0.25, 0.75)
    size = min(0.42, 0.04 / max((max(abs(up), 0.5 * abs(right)) for right, up in look.shape), default=1.0))
    drawn = tuple(tuple((x + share * ICON + size * right, middle - size * up) for right, up in look.shape) for share in places)
    return ((Lines if look.is_open else Rings)(f"{name}.symbols", f"symbol.{drawn_as}", drawn),) if look.shape else ()

"""Ruler and key (legend) below the panels, in inches on the page, y downwards."""

from collections.abc import Iterable, Mapping, Sequence

from plots.layout import text
from plots.layout.blocks import Block, TextLine, rectangle, together
from plots.layout.setting import Sheet
from plots.marks.mark import (
    HEIGHT_SIGN,
    Arrows,
    DimensionLine,
    DrawnMark,
    Label,
    Lines,
    PointMark,
    Rings,
    cross,
)
from plots.marks.styles import RISING, hex_kind, look_of, style, styles_of
from plots.marks.theme import SMALL
from tabletop.geometry.pose import Point
from tabletop.language.language import current_language
from tabletop.units import MM_PER_INCH

ARM = 0.05
"""Half side of a cross in the key, in page inches."""

RULER_LENGTHS = (1, 2, 3, 4, 6, 12, 24, 36)

BAR, LONGEST, ICON, ROW, BETWEEN = 0.05, 1.7, 0.2, 0.17, 0.18
"""Inches: height of the ruler, its greatest length, width of a sample, row height of the key, gap between its
columns."""

SAMPLE_CENTRE = 0.045
"""Offset of a sample's centre from the top of its row, in inches."""

LINE = ((0.0, 0.0), (ICON, 0.0))
"""Line across a sample."""

HEIGHT_ROLE = "height"

KEY_SIGNS = {HEIGHT_ROLE: HEIGHT_SIGN, "cost": "1"}
"""Signs that stand for roles of text in the key."""

TONED = (
    "front",
    "hollow",
    "path",
    "pivot",
    "raised",
    "climb",
    "lost",
    "fallen",
    "pushed",
    "stepped",
    "slid",
)
"""Roles whose meaning does not depend on the side."""

PAPER, SHORTER, MOST_OF_WIDTH = 100, 50, 0.6
"""Lengths in millimetres of the bar for checking the scale of a print, on wide and narrow pages, and the share of the
page's width it may take."""


def ruler_of(scale: float) -> tuple[Block, float]:
    """Return a ruler in inches on the table at a scale (page inches per table inch) as a block, and its width on the
    page.
    """
    length = max((one for one in RULER_LENGTHS if one * scale <= LONGEST), default=1)
    step = 1 if scale >= 0.07 or length <= 4 else length // 4 if length < 12 else length // 6  # noqa: PLR2004
    base = BAR + 0.02 + text.ascent(SMALL)
    shown = [0, length // 2, length] if length >= 4 and length % 2 == 0 else [0, length]  # noqa: PLR2004
    texts = [
        (
            value,
            f"{value} {current_language().words['number.inches']}"
            if value == length
            else str(value),
        )
        for value in shown
    ]
    words = tuple(
        _word(f"ruler.{value}", written, (value * scale, base), "center")
        for value, written in texts
    )
    return Block(
        base, words, _bars("ruler", range(0, length, step), step, scale)
    ), length * scale + 0.1


def _bars(name: str, starts: Iterable[int], length: int, unit: float) -> tuple[DrawnMark, ...]:
    """Return bars of a length at given starts, both in multiples of `unit` inches, alternately dark and light."""
    corners = [((start * unit, 0.0), ((start + length) * unit, BAR)) for start in starts]
    return tuple(
        rectangle(f"{name}.bar.{number}", "bar" if number % 2 else "bar_light", *both)
        for number, both in enumerate(corners, start=1)
    )


def _word(name: str, line: str, at: Point, align: str = "left") -> TextLine:
    return TextLine(name, line, at, SMALL, colour="grey", align=align)


def key_of(
    marks: Sequence[DrawnMark], width: float, meanings: Mapping[str, str] | None = None
) -> Block:
    """Return the key as a block in columns of a width in inches: the roles of the marks that need explaining."""
    entries = key_entries(marks, meanings)
    places = _places([ICON + 0.06 + text.width(meaning, SMALL) for _, meaning in entries], width)
    return together(
        *(
            _entry(*entry).at(aside, row * ROW)
            for entry, (aside, row) in zip(entries, places, strict=True)
        )
    )


def _entry(role: str, meaning: str) -> Block:
    """Return a key entry as a block: a sample of the role or its sign, then the meaning."""
    base = text.ascent(SMALL)
    sign = (
        [_word(f"key.{role}", KEY_SIGNS[role], (ICON / 2, base), "center")]
        if role in KEY_SIGNS
        else []
    )
    drawn = Block(0.0, (), sample(role)).at(0.0, SAMPLE_CENTRE)
    return together(
        drawn, Block(ROW, (*sign, _word(f"key.{role}.text", meaning, (ICON + 0.06, base))))
    )


def _places(wide: Sequence[float], room: float) -> list[tuple[float, int]]:
    """Return the offset in inches and the row of each entry, given the entries' widths: in columns, or packed where
    that saves rows.
    """
    flowing: list[tuple[float, int]] = []
    x = 0.0
    row = 0
    for width in wide:
        x, row = (0.0, row + 1) if x > 0.0 and x + width > room else (x, row)
        flowing.append((x, row))
        x += width + BETWEEN
    for count in range(len(wide), 0, -1):
        columns = [max(wide[column::count]) + BETWEEN for column in range(count)]
        if sum(columns) - BETWEEN <= room and -(-len(wide) // count) <= row + 2:
            return [(sum(columns[: place % count]), place // count) for place in range(len(wide))]
    return flowing


def key_entries(
    marks: Sequence[DrawnMark], meanings: Mapping[str, str] | None = None
) -> list[tuple[str, str]]:
    """Return (role, meaning) of each key entry: given meanings, roles with one meaning in the order of styles, then
    those of sides.
    """
    used = {mark.role for mark in marks if not isinstance(mark, Label)}
    used -= {role for role in used if role.startswith("level.")} - _levels(used)
    told_of = {_meaning(role): role for role in sorted(used, key=_order, reverse=True)}
    # equal meanings are listed once
    entries = [(role, meaning) for meaning, role in reversed(told_of.items())]
    heights = any(isinstance(mark, Label) and HEIGHT_SIGN in mark.text for mark in marks)
    told = [(role, words) for role, words in (meanings or {}).items() if role in used]
    toned = _toned_entries(used)
    height = [(HEIGHT_ROLE, current_language().words["key.height"])] if heights else []
    return [*told, *((role, meaning) for role, meaning in entries if meaning), *toned, *height]


def _order(role: str) -> tuple[int, str]:
    """Return the sort key of a role: its position among the styles, unlisted ones last."""
    roles = list(styles_of())
    own = ".".join(look_of(role)) if role.startswith(("terrain.", "hexes.")) else role
    return (roles.index(own) if own in roles else len(roles), role)


def _levels(used: set[str]) -> set[str]:
    """Return one role for levels above the ground and one for levels below, of those in use."""
    levels = sorted(int(role.partition(".")[2]) for role in used if role.startswith("level."))
    shown = [
        *[level for level in levels if level > 0][:1],
        *[level for level in levels if level < 0][-1:],
    ]
    return {f"level.{level}" for level in shown}


def _meaning(role: str) -> str:
    """Return the meaning of a role in a language; for terrain without words in the catalogue its kind, and "" if it
    needs none.
    """
    language = current_language()
    group, _, kind = role.partition(".")
    if group in ("terrain", "hexes"):
        return language.known("key.terrain", kind.partition(".")[2] or kind)
    if group == "level":
        return language.words["key.level.low" if int(kind) < 0 else "key.level.high"]
    return language.words.get(f"key.{role}", "")


def _toned_entries(used: set[str]) -> list[tuple[str, str]]:
    """Return (role, meaning) of the roles whose meaning does not depend on the side, each once, in the first side's
    colour.
    """
    first = {role.partition(".")[0]: role for role in sorted(used, reverse=True)}
    dashed = (
        "start_or_stop"
        if {"start", "ghost"} <= first.keys()
        else "start"
        if "start" in first
        else "stop"
    )
    if "front" in first:
        first.pop("hollow", None)
    outlines = [(first.get("start", first.get("ghost", "")), dashed)]
    entries = [
        (first.get("contact", ""), "contact"),
        *outlines,
        *((first.get(word, ""), word) for word in TONED),
    ]
    return [(role, current_language().words[f"key.{key}"]) for role, key in entries if role]


def paper_ruler(sheet: Sheet, left: float) -> Block:
    """Return a bar labelled with its length on paper as a block, to check a print; shifted left to end within the
    sheet.
    """
    length = SHORTER if MOST_OF_WIDTH * sheet.width * sheet.zoom < PAPER / MM_PER_INCH else PAPER
    words = current_language().say("caption.paper", length=length)
    bars = 10
    tenth = length / bars / MM_PER_INCH / sheet.zoom
    said = bars * tenth + 0.08
    base = BAR / 2 + text.half_digit(SMALL)
    bar = Block(
        BAR, (_word("paper.length", words, (said, base)),), _bars("paper", range(bars), 1, tenth)
    )
    return bar.at(min(left, sheet.right - said - text.width(words, SMALL)), 0.0)


# Samples: the look of a role in a row of the key.


def sample(role: str) -> tuple[DrawnMark, ...]:
    """Return a sample of a role as drawn on the table, starting at x = 0 and centred on y = 0; empty for roles with a
    text sign.
    """
    name = f"key.{role}"
    word = role.partition(".")[0]
    x = ICON / 2
    made: tuple[DrawnMark, ...] = (Lines(name, role, (LINE,)),)
    match word:
        case _ if role in KEY_SIGNS:
            made = ()
        case "contact_point" | "climb" | "spot" | "pivot":
            made = (PointMark(name, role, ((x, 0.0),)),)
        case "pushed" | "stepped" | "slid" | "aim" | "path" | "align" | "best_facing":
            made = (Arrows(name, role, (LINE,)),)
        case "dimension":
            made = (DimensionLine(name, role, *LINE),)
        case "front" | "hollow":
            made = (Rings(name, role, (((x, -ARM), (x + ARM, ARM), (x - ARM, ARM)),)),)
        case "lost":
            made = (Lines(name, role, cross((x, 0.0), ARM)),)
        case "fallen":
            made = (Lines(name, role, (LINE, ((0.04, 0.03), (ICON - 0.04, 0.03)))),)
        case "sight_stop":
            made = (Lines(name, role, (((x, -ARM), (x, ARM)),)),)
        case _ if (
            style(role).fill
            or style(role).pattern
            or word in ("terrain", "hexes", "ghost", "start", "raised")
        ):
            made = _swatch(role, name)
    return made


def _swatch(role: str, name: str) -> tuple[DrawnMark, ...]:
    """Return the sample of a filled role: a box, with an inner ring for raised things and symbols for hex terrain."""
    word, _, kind = role.partition(".")
    look = kind.partition(".")[0]
    within = role if word == "raised" else "contour" if word == "terrain" and look in RISING else ""
    inner = (_box(f"{name}.inner", within, 0.022),) if within else ()
    return (_box(name, role), *inner, *(_symbols(look, name) if word == "hexes" else ()))


def _box(name: str, role: str, inset: float = 0.0) -> DrawnMark:
    """Return the outline of a sample's box, inset on every side by a number of inches."""
    return rectangle(name, role, (inset, inset - 0.05), (ICON - inset, 0.05 - inset))


def _symbols(drawn_as: str, name: str) -> tuple[DrawnMark, ...]:
    look = hex_kind(drawn_as)
    places = (0.5,) if len(look.places) == 1 else (0.25, 0.75)
    size = min(
        0.42, 0.04 / max((max(abs(up), 0.5 * abs(right)) for right, up in look.shape), default=1.0)
    )
    drawn = tuple(
        tuple((share * ICON + size * right, -size * up) for right, up in look.shape)
        for share in places
    )
    return (
        ((Lines if look.is_open else Rings)(f"{name}.symbols", f"symbol.{drawn_as}", drawn),)
        if look.shape
        else ()
    )

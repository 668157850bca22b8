"""The ruler and the key below the panels: marks in page inches, y downwards."""

from collections.abc import Mapping, Sequence

from plots import text
from plots.frame import Frame
from plots.kinds import hex_kind
from plots.looks import STYLES, style
from plots.marks import Arrow, Grid, Label, Line, Lines, Mark, Outline, PointMark, Points
from plots.theme import SMALL
from tabletop.pose import Point

Note = tuple[str, str, Point, str]
"""Id, text, baseline on the page, alignment."""
LENGTHS = (1, 2, 3, 4, 6, 12, 24, 36)
BAR, LONGEST, ICON, ROW = 0.05, 1.7, 0.2, 0.17
"""Inches: height of the ruler, its greatest length, width of a key's sample, distance of the key's rows."""

HEIGHT_ROLE = "height"
TONED = (
    ("raised.", "stands raised"),
    ("climb.", "climbs"),
    ("lost.", "lost"),
    ("fallen.", "prone"),
    ("pushed.", "is pushed"),
    ("slid.", "skids"),
)
"""What a side's colour does not change, and its meaning."""


def ruler_marks(frame: Frame, at: Point) -> tuple[tuple[Mark, ...], tuple[Note, ...], float]:
    """Draw a ruler of the table's inches from an upper-left corner; give also its width on the page."""
    length = max((one for one in LENGTHS if one * frame.scale <= LONGEST), default=1)
    step = 1 if frame.scale >= 0.07 or length <= 4 else length // 4 if length < 12 else length // 6  # noqa: PLR2004
    x, y = at
    marks = [_bar(number, x + start * frame.scale, y, step * frame.scale) for number, start in enumerate(range(0, length, step))]
    base = y + BAR + 0.02 + text.ASCENT * SMALL * text.POINT
    shown = [0, length // 2, length] if length >= 4 and length % 2 == 0 else [0, length]  # noqa: PLR2004
    texts = [(value, f"{value} in" if value == length else str(value)) for value in shown]
    notes = [(f"ruler.{value}", written, (x + value * frame.scale, base), "center") for value, written in texts]
    return tuple(marks), tuple(notes), length * frame.scale + 0.1


def _bar(number: int, x: float, y: float, length: float) -> Mark:
    ring = ((x, y), (x + length, y), (x + length, y + BAR), (x, y + BAR))
    return Outline(f"ruler.bar.{number + 1}", "bar" if number % 2 == 0 else "bar_light", ring)


def key_marks(
    marks: Sequence[Mark], at: Point, right: float, meanings: Mapping[str, str] | None = None
) -> tuple[tuple[Mark, ...], tuple[Note, ...], float]:
    """Explain the roles that occur and that the picture itself does not name; give also where the key ends."""
    x, y = at
    samples: list[Mark] = []
    notes: list[Note] = []
    for role, meaning in key_entries(marks, meanings):
        wide = ICON + 0.06 + text.width(meaning, SMALL) + 0.2
        if x > at[0] and x + wide - 0.2 > right:
            x, y = at[0], y + ROW
        base = y + text.ASCENT * SMALL * text.POINT
        samples += _sample(role, x, y + 0.045)
        notes += [("key.height", text.HEIGHT, (x + ICON / 2, base), "center")] if role == HEIGHT_ROLE else []
        notes.append((f"key.{role}.text", meaning, (x + ICON + 0.06, base), "left"))
        x += wide
    return tuple(samples), tuple(notes), y + ROW if notes else at[1]


def key_entries(marks: Sequence[Mark], meanings: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """List role and meaning of what needs a key: what has one meaning in the order of the looks, then what has a side's colour."""
    used = {mark.role: style(mark.role) for mark in marks if not isinstance(mark, Label)}
    order = {role: place for place, role in enumerate(STYLES)}
    entries = [(role, used[role].key) for role in sorted(used, key=lambda role: (order.get(role, len(order)), role)) if used[role].key]
    heights = any(isinstance(mark, Label) and text.HEIGHT in mark.text for mark in marks)
    starts, stops = (any(role.startswith(word) for role in used) for word in ("start.", "ghost."))
    dashed = " or ".join(word for word, is_used in (("where it stood", starts), ("where it stops on the way", stops)) if is_used)
    toned = (("contact.", "model in contact"), ("start.", dashed), ("ghost.", "" if starts else dashed), *TONED)
    samples = [(next((role for role in sorted(used) if role.startswith(word)), ""), meaning) for word, meaning in toned if meaning]
    told = [(role, words) for role, words in (meanings or {}).items() if role in used]
    return [*told, *entries, *((role, meaning) for role, meaning in samples if role), *([(HEIGHT_ROLE, "height")] if heights else [])]


def _sample(role: str, x: float, middle: float) -> tuple[Mark, ...]:
    """Show a role in a box of the page."""
    name, ends = f"key.{role}", ((x, middle), (x + ICON, middle))
    match role.split(".", maxsplit=1)[0]:
        case "height":
            return ()
        case "contact_point" | "climb":
            return (PointMark(name, role, ((x + ICON / 2, middle),)),)
        case "pushed" | "slid":
            return (Arrow(name, role, *ends),)
        case "lost" | "fallen":
            return (Lines(name, role, _cross(x + ICON / 2, middle)),)
        case word:
            return _swatch(role, name, x, middle) if _is_filled(role, word) else (Line(name, role, ends),)


def _is_filled(role: str, word: str) -> bool:
    look = style(role)
    return bool(look.fill or look.pattern) or word in ("terrain", "hexes", "ghost", "start", "raised")


def _swatch(role: str, name: str, x: float, middle: float) -> tuple[Mark, ...]:
    """Fill a box as the role is filled; a raised base has a ring inside, terrain of hexes its symbols."""
    word, _, kind = role.partition(".")
    inner = (Outline(f"{name}.inner", role, _box(x, middle, 0.022)),) if word == "raised" else ()
    return (Outline(name, role, _box(x, middle)), *inner, *(_symbols(kind, name, x, middle) if word == "hexes" else ()))


def _cross(x: float, y: float) -> tuple[Points, Points]:
    half = 0.05
    return (((x - half, y - half), (x + half, y + half)), ((x - half, y + half), (x + half, y - half)))


def _box(x: float, middle: float, inset: float = 0.0) -> Points:
    """Give the ring of a sample from its left end, `inset` inches smaller on every side."""
    west, east, high = x + inset, x + ICON - inset, 0.05 - inset
    return ((west, middle - high), (east, middle - high), (east, middle + high), (west, middle + high))


def _symbols(kind: str, name: str, x: float, middle: float) -> tuple[Mark, ...]:
    look = hex_kind(kind)
    places = (0.5,) if len(look.places) == 1 else (0.25, 0.75)
    size = min(0.42, 0.04 / max((max(abs(up), 0.5 * abs(right)) for right, up in look.shape), default=1.0))
    drawn = tuple(tuple((x + share * ICON + size * right, middle - size * up) for right, up in look.shape) for share in places)
    return ((Lines if look.is_open else Grid)(f"{name}.symbols", f"symbol.{kind}", drawn),) if look.shape else ()

"""The ruler and the key below the panels: marks in page inches, y downwards."""

from collections.abc import Sequence

from plots import text
from plots.frame import Frame
from plots.marks import Line, Mark, Outline, PointMark
from plots.theme import SMALL, STYLES
from tabletop.pose import Point

Note = tuple[str, str, Point, str]
"""Id, text, baseline on the page, alignment."""
LENGTHS = (1, 2, 3, 4, 6, 12, 24, 36)
BAR, LONGEST, ICON, ROW = 0.05, 1.7, 0.2, 0.17
"""Inches: height of the ruler, its greatest length, width of a key's sample, distance of the key's rows."""


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


def key_marks(marks: Sequence[Mark], at: Point, right: float) -> tuple[tuple[Mark, ...], tuple[Note, ...], float]:
    """Explain the roles that occur and that the picture itself does not name; give also where the key ends."""
    x, y = at
    samples: list[Mark] = []
    notes: list[Note] = []
    for role, meaning in key_entries(marks):
        wide = ICON + 0.06 + text.width(meaning, SMALL) + 0.2
        if x > at[0] and x + wide - 0.2 > right:
            x, y = at[0], y + ROW
        base = y + text.ASCENT * SMALL * text.POINT
        samples.append(_sample(role, x, y + 0.045))
        notes.append((f"key.{role}.text", meaning, (x + ICON + 0.06, base), "left"))
        x += wide
    return tuple(samples), tuple(notes), y + ROW if samples else at[1]


def key_entries(marks: Sequence[Mark]) -> list[tuple[str, str]]:
    """List role and meaning of what needs a key, in the order of the theme."""
    used = {mark.role for mark in marks}
    entries = [(role, look.key) for role, look in STYLES.items() if look.key and role in used]
    starts, stops = (any(role.startswith(word) for role in used) for word in ("start.", "ghost."))
    dashed = " or ".join(word for word, is_used in (("where it stood", starts), ("where it stops on the way", stops)) if is_used)
    toned = (("contact.", "model in contact"), ("start.", dashed), ("ghost.", "" if starts else dashed))
    samples = [(next((role for role in sorted(used) if role.startswith(word)), ""), meaning) for word, meaning in toned if meaning]
    return [*entries, *((role, meaning) for role, meaning in samples if role)]


def _sample(role: str, x: float, middle: float) -> Mark:
    name = f"key.{role}"
    look = STYLES[role]
    if role == "contact_point":
        return PointMark(name, role, ((x + ICON / 2, middle),))
    if look.fill or look.pattern or role.startswith(("terrain.", "ghost.", "start.")):
        ring = ((x, middle - 0.05), (x + ICON, middle - 0.05), (x + ICON, middle + 0.05), (x, middle + 0.05))
        return Outline(name, role, ring)
    return Line(name, role, ((x, middle), (x + ICON, middle)))

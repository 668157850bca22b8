"""Room that panels leave on a page for words: beside them, or below one that is lower than another."""

from collections.abc import Sequence
from dataclasses import dataclass

from plots.layout.cells import LEAST_NOOK
from plots.layout.columns import GAP
from plots.layout.frame import Frame
from plots.layout.sheet import Sheet


@dataclass(frozen=True)
class Nook:
    """Room for words beside panels, in inches of the page."""

    left: float
    top: float
    width: float


def nook_beside(frames: Sequence[Frame], count: int, sheet: Sheet) -> Nook | None:
    """Give the room beside all panels, the last of them or the inset that is wide enough for words, if there is any."""
    last = frames[-1]
    row = [frame for frame in frames if abs(frame.y - last.y) < last.height and (len(frames) == count or frame is last)]
    for shown in (frames, row):
        left = max(frame.x + frame.width for frame in shown) + GAP
        if sheet.right - left >= LEAST_NOOK:
            return Nook(left, min(frame.y for frame in shown), sheet.right - left)
    return None


def nook_below(frames: Sequence[Frame], end: float, bottom: float) -> Nook | None:
    """Give the room below the first panel, which ends there with its text, beside a higher one, if it is wide enough for words."""
    first, *others = frames
    is_lower = len(others) == 1 and others[0].x > first.x + first.width and end < bottom
    return Nook(first.x, end + 0.1, first.width) if is_lower and first.width >= LEAST_NOOK else None

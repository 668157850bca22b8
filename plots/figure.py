"""Figures of a case: before and after, step by step, or the table alone."""

from pathlib import Path

from plots import captions, text
from plots.files import format_of, save
from plots.page import Picture, lay_out
from plots.paint import paint
from plots.panels import Panel, View, board_panels, charge_panels, step_panels
from tabletop.ruling import Case, Judgement, Resolution

__all__ = ["View", "draw", "picture"]
TALLEST = {"charge": 5.6, "single": 4.2, "board": 6.5, "steps": 7.6}
"""Inches of the page for the panels of each view."""


def draw(case: Case, resolution: Resolution, path: str | Path, *, view: View = "charge", judgement: Judgement | None = None) -> None:
    """Draw a case to scale and write it as SVG, PDF or PNG, by the ending of the file's name.

    Parameters
    ----------
    case
        The question; title, note and source go into the caption.
    resolution
        Its answer, of which everything drawn is taken.
    path
        File to write; it is complete or not there.
    view
        "charge": before and after; "steps": a numbered panel for each step; "board": the set-up on the whole board.
    judgement
        The verdict on the case's proposal; the panel after then shows that proposal, and what would be right.

    Raises
    ------
    UsageError
        If the ending is none of the three, or the file cannot be written.
    """
    format_of(Path(path))
    shown = picture(case, resolution, view=view, judgement=judgement)
    description = text.clean(captions.description(case, resolution, judgement))
    save(paint(lay_out(shown)), Path(path), title=text.clean(shown.title), description=description)


def picture(case: Case, resolution: Resolution, *, view: View = "charge", judgement: Judgement | None = None) -> Picture:
    """Choose what a figure of a case shows and says."""
    board = view == "board"
    badges = () if board else tuple(captions.ruling_badge(ruling, number) for number, ruling in enumerate(resolution.rulings))
    judged = () if board or judgement is None else (captions.judgement_badge(judgement),)
    note = " ".join(filter(None, [case.note, f"Illustrates: {case.source}." if case.source else ""]))
    caption = ((note,) if note else ()) if board else captions.caption(case, resolution, judgement)
    panels = _panels(case, resolution, view, judgement)
    height = TALLEST["single" if view == "charge" and len(panels) == 1 else view]
    return Picture(resolution.before.board, captions.title(case), (*badges, *judged), panels, caption, captions.footer(case), height)


def _panels(case: Case, resolution: Resolution, view: View, judgement: Judgement | None) -> tuple[Panel, ...]:
    if view == "board":
        return board_panels(resolution.before)
    if view == "steps":
        return step_panels(resolution)
    return charge_panels(resolution, proposal=case.proposal, judgement=judgement)

"""Figures of a case: before and after, step by step, or the table alone."""

from collections.abc import Sequence
from pathlib import Path

from plots.layout.page import Picture, lay_out
from plots.layout.setting import DEFAULT, Setting
from plots.marks import captions, text
from plots.marks.claimed import shown_resolution
from plots.marks.language import Language
from plots.marks.panels import Panel, View, board_panels, charge_panels, step_panels
from plots.marks.side import side_panel
from plots.render.defaults import as_shipped
from plots.render.files import format_of, save
from plots.render.ids import names_of
from plots.render.paint import paint
from tabletop.errors import Fault
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.figures import carried

__all__ = ["View", "draw", "picture"]
MOST_FAULTS = 4
"""Faults of a table that a caption tells."""

TALLEST = {"charge": 5.6, "single": 4.2, "board": 6.5, "steps": 7.6}
"""Inches of the page for the panels of each view."""


@as_shipped()
def draw(
    case: Case,
    resolution: Resolution,
    path: str | Path,
    *,
    view: View = "charge",
    judgement: Judgement | None = None,
    faults: Sequence[Fault] = (),
    setting: Setting = DEFAULT,
) -> None:
    """Draw a case to scale and write it as SVG, PDF, PNG or PGF, by the ending of the file's name.

    SVG and PNG carry the scenario, which may be read from them.

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
        The verdict on the case's proposal; the panels then show that proposal as it is claimed to be made, what is wrong with it, and in
        the view "charge" what would be right.
    faults
        Why the table is refused, if it is: the view of the board marks where, and its caption says so.
    setting
        Theme, size, scale and language.

    Raises
    ------
    UsageError
        If the ending is none of the four, the figure does not fit into the size, or the file cannot be written.
    """
    format_of(Path(path))
    shown, language = picture(case, resolution, view=view, judgement=judgement, faults=faults, setting=setting), setting.language
    told = " ".join([*_told(faults), captions.description(case, resolution, judgement, language=language)])
    description, page = text.clean(told), lay_out(shown)
    save(
        paint(page),
        Path(path),
        title=text.clean(shown.title),
        description=description,
        language=language.code,
        names=names_of(page),
        scenario=carried(case, resolution),
    )


def picture(
    case: Case,
    resolution: Resolution,
    *,
    view: View = "charge",
    judgement: Judgement | None = None,
    faults: Sequence[Fault] = (),
    setting: Setting = DEFAULT,
) -> Picture:
    """Choose what a figure of a case shows and says."""
    language = setting.language
    if view == "board":
        panels = board_panels(resolution.before, faults=faults, language=language)
    else:
        panels = _panels(case, resolution, view, judgement, language)
    return Picture(
        board=resolution.before.board,
        title=captions.title(case, language),
        badges=() if view == "board" else captions.badges(resolution, judgement, language),
        panels=panels,
        caption=(*_told(faults), *_caption(case, resolution, view, judgement, language)),
        footer=captions.footer(case, language),
        most_height=TALLEST["single" if view == "charge" and len(panels) == 1 else view],
        setting=setting,
        inset=None if view == "board" else side_panel(shown_resolution(case, resolution, judgement), language),
        is_abreast=view == "charge" and judgement is not None,
    )


def _told(faults: Sequence[Fault]) -> tuple[str, ...]:
    """Say what makes a table impossible, the first few faults."""
    more = ("...",) if len(faults) > MOST_FAULTS else ()
    return (*(f"{fault.key}: {fault.message}" for fault in faults[:MOST_FAULTS]), *more)


def _caption(case: Case, resolution: Resolution, view: View, judgement: Judgement | None, language: Language) -> tuple[str, ...]:
    if view != "board":
        return captions.caption(case, resolution, judgement, language=language)
    note = captions.note(case, language)
    return (note,) if note else ()


def _panels(case: Case, resolution: Resolution, view: View, judgement: Judgement | None, language: Language) -> tuple[Panel, ...]:
    if view == "steps":
        return step_panels(shown_resolution(case, resolution, judgement), judgement=judgement, language=language)
    claimed = None if judgement is None else case.claimed(resolution)
    return charge_panels(resolution, proposal=claimed, judgement=judgement, language=language)

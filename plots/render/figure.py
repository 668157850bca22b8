"""Figures of a case: before and after, step by step, or the set-up only."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from matplotlib.axes import Axes

from plots.layout import text
from plots.layout.backend import as_shipped
from plots.layout.page import FigureContent, lay_out
from plots.layout.setting import DEFAULT, Setting, refuse_other_views, speaks
from plots.marks import captions
from plots.marks.alt_text import description
from plots.marks.captions import Badge
from plots.marks.deciding import deciding
from plots.marks.mark import Label
from plots.marks.panels import Panel, View, board_panels, charge_panels, step_panels
from plots.marks.side_view import side_panel
from plots.render.artists import paint, paint_on
from plots.render.files import format_of, save, save_sheets
from plots.render.svg import names_of
from tabletop.errors import Fault, UsageError
from tabletop.language.language import current_language
from tabletop.language.spoken import in_language
from tabletop.messages import quoted, shown
from tabletop.ruling.claimed import shown_resolution
from tabletop.ruling.system import Case
from tabletop.ruling.verdict import Judgement, Resolution
from tabletop.scenario.embedded import embedded_link

MOST_FAULTS = 4
"""Greatest number of a table's faults listed in a caption."""

MAX_PANEL_HEIGHT = {"charge": 5.6, "single": 4.2, "board": 6.5, "steps": 7.6}
"""Space for the panels of each view, in page inches."""


@as_shipped()
@speaks
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
    """Draw a case to scale and write it as SVG, PDF, PNG, WebP or PGF, by the file's suffix.

    SVG, PNG and WebP contain the scenario, which `read_case` reads from them.

    Parameters
    ----------
    case
        Case whose charges were resolved; its title, note and source appear in the figure.
    resolution
        Resolution of the case, from which everything is drawn.
    path
        File to write, completely or not at all.
    view
        "charge" for before and after; "steps" for a numbered panel per step; "board" for the set-up on the whole board,
        which is always drawn if there are no charges.
    judgement
        Judgement of the case's proposal; the panels then show the proposal as claimed, what is wrong with it, and in
        the view "charge" what the rules demand instead.
    faults
        Faults that make the table impossible; the view "board" marks them, and the caption lists them.
    setting
        Theme, size, scale, language, and perhaps the one panel to draw.

    Raises
    ------
    UsageError
        If the suffix is none of the five, no such panel exists, the figure does not fit the size, or the file cannot be
        written.
    """
    kind = format_of(Path(path))
    if setting.paper is not None and kind != "pdf":
        raise UsageError("{path}: --sheet can only be written as .pdf", path=path)
    made = picture(case, resolution, view=view, judgement=judgement, faults=faults, setting=setting)
    told = text.clean(
        " ".join(
            [
                *_told(faults, case),
                description(case, resolution, judgement, theme=setting.theme),
            ]
        )
    )
    title = text.clean(made.title)
    if setting.paper is not None:
        save_sheets(made, Path(path), title=title, description=told)
        return
    page = lay_out(made)
    save(
        paint(page),
        Path(path),
        title=title,
        description=told,
        setting=setting,
        names=names_of(page) if kind == "svg" else None,
        scenario=embedded_link(case, resolution),
    )


def draw_on(
    axes: Axes,
    case: Case,
    resolution: Resolution,
    *,
    panel: str | None = None,
    view: View = "charge",
    judgement: Judgement | None = None,
    setting: Setting = DEFAULT,
) -> None:
    """Draw a panel of a case onto the caller's axes, in inches on the table, with text placed for the current size of
    the axes.

    Limits, aspect and frame of the axes are set; their position in the figure is kept. Set the figure's size and layout
    first.

    Parameters
    ----------
    axes
        Axes of a Matplotlib figure to draw on.
    case, resolution, judgement, view
        As for `draw`.
    panel
        "before", "after", "proposed", "demanded", or the number of a step; by default the first.
    setting
        Theme and language; settings of the page have no effect.

    Raises
    ------
    UsageError
        If there is no such panel.
    """
    with as_shipped():
        bare = replace(setting, panel=panel or setting.panel, is_bare=True)
        made = picture(case, resolution, view=view, judgement=judgement, setting=bare)
        paint_on(axes, made.panels[0], setting.theme)


@speaks
def picture(
    case: Case,
    resolution: Resolution,
    *,
    view: View = "charge",
    judgement: Judgement | None = None,
    faults: Sequence[Fault] = (),
    setting: Setting = DEFAULT,
) -> FigureContent:
    """Return the content of a case's figure; the number of a step as `setting.panel` selects the view "steps"."""
    refuse_other_views(view)
    setting = replace(setting, language=current_language())
    resolution, judgement = in_language(
        current_language(), case, resolution, judgement, setting.audience
    )
    if not resolution.rulings:
        view = "board"
    elif view == "charge" and is_step(setting.panel):
        view = "steps"
    if view == "board":
        panels = board_panels(resolution.before, faults=faults)
    else:
        panels = _panels(case, resolution, view, judgement, setting)
    side = (
        None
        if view == "board"
        else side_panel(shown_resolution(case, resolution, judgement), judgement)
    )
    panels = chosen(panels if side is None else (*panels, side), setting.panel)
    badges = () if view == "board" else captions.badges(resolution, judgement, setting.audience)
    if setting.panel == "contrast":
        badges, panels = _contrast_alone(panels[0])
    said = {number: sentence for panel in panels for number, sentence in panel.callouts.items()}
    is_told = setting.panel == "contrast" or (
        bool(said) and all(any(deciding(ruling)) for ruling in resolution.rulings)
    )
    if judgement is not None:
        verdicts = [panel for panel in panels if panel.name in ("proposed", "demanded")]
        is_told = (
            judgement.outcome == "not_allowed"
            and bool(verdicts)
            and all(panel.callouts for panel in verdicts)
        )
    return FigureContent(
        board=resolution.before.board,
        title=captions.title(case),
        badges=badges,
        panels=panels,
        callouts=dict(sorted(said.items())),
        sums=captions.sums(resolution) if view == "charge" and judgement is None else (),
        caption=(
            *_told(faults, case),
            *_caption(case, resolution, view, judgement, setting, is_told=is_told),
        ),
        footer=captions.footer(case),
        kicker=case.source,
        most_height=MAX_PANEL_HEIGHT["single" if view == "charge" and len(panels) == 1 else view],
        setting=setting,
    )


def _contrast_alone(panel: Panel) -> tuple[tuple[Badge, ...], tuple[Panel, ...]]:
    """Return badge and panel of a figure that shows only an alternative: headed by what it is, not by the outcome of
    the charge.
    """
    sentences = " ".join(panel.callouts.values())
    marks = tuple(replace(mark, key=0) if isinstance(mark, Label) else mark for mark in panel.marks)
    badge = Badge("outcome.contrast", "not_allowed", panel.heading, sentences, who=sentences)
    return (badge,), (replace(panel, heading="", callouts={}, marks=marks),)


def is_step(panel: str | None) -> bool:
    """Return whether a panel's name is the number of a step."""
    return panel is not None and panel.isdecimal()


def chosen(panels: Sequence[Panel], name: str | None) -> tuple[Panel, ...]:
    """Return the panel with a name or step number in a tuple; all panels if `name` is None.

    Raises
    ------
    UsageError
        If there is no such panel; the message lists those that exist.
    """
    known = {panel.name.removeprefix("step"): panel for panel in panels}
    if name is not None and name not in known:
        raise UsageError(
            "--panel {name}: this figure has no such panel; it has {known}",
            name=shown(name),
            known=quoted(known),
        )
    return tuple(panels) if name is None else (known[name],)


def _told(faults: Sequence[Fault], case: Case) -> tuple[str, ...]:
    """Return the first few faults that make a table impossible as texts, with their keys."""
    speaker = current_language().catalogue(case.system.name, case.system.vocabulary.looks)
    more = ("...",) if len(faults) > MOST_FAULTS else ()
    return (
        *(f"{fault.key}: {speaker.render(fault.message)}" for fault in faults[:MOST_FAULTS]),
        *more,
    )


def _caption(
    case: Case,
    resolution: Resolution,
    view: View,
    judgement: Judgement | None,
    setting: Setting,
    *,
    is_told: bool,
) -> tuple[str, ...]:
    """Return the paragraphs of the caption: what happened, unless callouts say it to readers, and the author's note."""
    if view == "board" or (is_told and setting.audience == "reader"):
        return (case.note,) if case.note else ()
    return captions.caption(case, resolution, judgement, audience=setting.audience)


def _panels(
    case: Case, resolution: Resolution, view: View, judgement: Judgement | None, setting: Setting
) -> tuple[Panel, ...]:
    is_keyed = not setting.is_bare
    if view == "steps":
        told = shown_resolution(case, resolution, judgement)
        return step_panels(told, judgement=judgement, ruled=resolution, is_keyed=is_keyed)
    claimed = None if judgement is None else case.claimed(resolution)
    return charge_panels(resolution, proposal=claimed, judgement=judgement, is_keyed=is_keyed)

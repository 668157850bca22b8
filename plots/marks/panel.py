"""One picture of the table: a panel, and what it is made of before the section that all panels share is chosen."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from plots.marks.ground import over_hexes
from plots.marks.language import Language
from plots.marks.mark import Mark, Outline, outlines, with_distinct_ids
from plots.marks.section import Section, Window, around, broadened, whole_board, window_of_action
from plots.marks.table import Scene, scene_marks
from plots.marks.units import extremes
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.state import Regiment, State

SLIVER = 0.85
"""The share of where somebody stood up to which nothing is shown of it, rather than a piece."""


@dataclass(frozen=True)
class Panel:
    """One picture of the table: `name` starts the ids of its marks, `text` stands below it.

    `action` is the part of the section that matters; nothing more of the table is shown than leaves it large. Without one all matters.
    `evidence` are those of the marks that do not show how the table stands.
    What a picture of some charges, or of the table after all, shows but for where somebody stood lies in its `own` part of the section;
    of regiments that all failed those that `moved`, and where they stood, may be enough.
    `callouts` are the sentences of what is numbered in the picture, by number; a `key` is that which the text itself stands for.
    """

    name: str
    heading: str
    text: str
    marks: tuple[Mark, ...]
    section: Section
    action: Section | None = None
    evidence: tuple[Mark, ...] = ()
    callouts: Mapping[int, str] = field(default_factory=dict)
    key: int = 0
    own: Section | None = None
    moved: Section | None = None


@dataclass(frozen=True)
class PanelDraft:
    """A panel before its section is chosen: the scene, and the marks of the action over it.

    If it shows only these rulings, or only their end, less of the table may be enough for it than what all panels have in common.
    """

    name: str
    heading: str
    scene: Scene
    action: tuple[Mark, ...]
    text: str = ""
    callouts: Mapping[int, str] = field(default_factory=dict)
    key: int = 0
    shown: tuple[Ruling, ...] = ()


def with_section(drafts: Sequence[PanelDraft], resolution: Resolution) -> tuple[Panel, ...]:
    """Give the panels of drafts, all of the section that shows the action of all of them."""
    window = window_of(drafts, resolution)
    owns = [_own(draft, window) if draft.shown else None for draft in drafts]
    alike = [[own for own, other in zip(owns, drafts, strict=True) if own and other.shown == draft.shown] for draft in drafts]
    return tuple(
        replace(_panel(draft, window, reduce(Section.joined, some) if some else None), moved=_moved(draft, window))
        for draft, some in zip(drafts, alike, strict=True)
    )


def window_of(drafts: Sequence[PanelDraft], resolution: Resolution) -> Window:
    """Give the section that shows the action of all drafts."""
    states = [resolution.before, *(draft.scene.state for draft in drafts)]
    return window_of_action(states, resolution.rulings, (mark for draft in drafts for mark in draft.action))


def _own(draft: PanelDraft, window: Window) -> Section:
    """Give what of the section the rulings of a draft need as the table then stands: not where somebody stood who has got away."""
    state, has_gone = draft.scene.state, any(ruling.outcome == "success" for ruling in draft.shown)
    marks = (mark for mark in draft.action if not (has_gone and mark.id.startswith(f"{draft.name}.start.")))
    section = window_of_action([state], draft.shown, marks).section
    moved = {step.unit for ruling in draft.shown for step in ruling.steps} & state.units.keys()
    corners = [point for name in moved if name is not None for point in extremes(state.units[name], state.board)]
    return (section.joined(around(corners)) if corners else section).within(window.section)


def _moved(draft: PanelDraft, window: Window) -> Section | None:
    """Give what of the section shows the moves of charges of which none succeeded, if they are those of regiments."""
    state = draft.scene.state
    moved = {step.unit for ruling in draft.shown for step in ruling.steps if step.start != step.end} & state.units.keys()
    units = [state.units[name] for name in sorted(filter(None, moved))]
    if draft.name != "after" or not units or any(ruling.outcome == "success" for ruling in draft.shown):
        return None
    ends = around(point for unit in units for point in extremes(unit, state.board))
    is_ranked = all(isinstance(unit, Regiment) for unit in units)
    return window_of_action([state], (), draft.action).section.joined(ends).within(window.section) if is_ranked else None


def _panel(draft: PanelDraft, window: Window, own: Section | None) -> Panel:
    section = window.section
    scene = scene_marks(draft.scene, broadened(section, draft.scene.state.board, math.inf))
    marks = with_distinct_ids(over_hexes((*scene, *draft.action), draft.scene.state.board))
    off = unseen(draft.scene.state, section, draft.scene.language)
    text = " ".join(filter(None, (draft.text, off)))
    return Panel(draft.name, draft.heading, text, marks, section, window.action, marks[len(scene) :], draft.callouts, draft.key, own)


def seen_in(panel: Panel, section: Section) -> Panel:
    """Give what a panel shows in a section: where a regiment stood only if that is more than a sliver, which would say nothing."""
    cut = [mark.id for mark in outlines(panel.marks, "start") if _is_sliver(mark, section)]
    return replace(panel, marks=tuple(mark for mark in panel.marks if mark.id not in cut and mark.id.rpartition(".")[0] not in cut))


def _is_sliver(mark: Outline, section: Section) -> bool:
    """Tell whether much of an outline lies beyond a section."""
    whole = around(mark.ring)
    seen = whole.within(section)
    return seen.width * seen.height < SLIVER * whole.width * whole.height


def unseen(state: State[Any], section: Section, language: Language) -> str:
    """Name the units that stand off the board, where no picture reaches."""
    boxes = {name: around(points) for name, unit in state.units.items() if (points := extremes(unit, state.board))}
    off = [name for name, box in boxes.items() if not (box.overlaps(whole_board(state.board)) or box.overlaps(section))]
    return language.say("panel.unseen", units=", ".join(off)) if off else ""

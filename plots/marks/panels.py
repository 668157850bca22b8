"""Stories: which moments of a charge a figure shows, as panels of marks that all show one section of the table.

A panel is first a moment, the scene and the marks of the action over it; the section is chosen from the moments of all panels.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal

from plots.marks.board import Scene, looks_of, over_hexes, scene_marks
from plots.marks.captions import Callout, callouts, judged_callouts, judged_words, main_labels
from plots.marks.deciding import Shortfall, charge_id, deciding, deciding_marks, magnifiers, open_marks, owned, words_of
from plots.marks.evidence import arc_marks, contact_marks, evidence_marks, facing_mark, notes_on, zone_marks
from plots.marks.faults import claim_marks, fault_marks, judged_marks, measured_marks
from plots.marks.language import ENGLISH, Language
from plots.marks.mark import FacingMark, Label, Mark, Rings, outlines, part_of, under, with_distinct_ids
from plots.marks.moves import aim_marks, path_marks, step_marks, ways_marks
from plots.marks.section import OFF_BOARD, Rect, Window, around, broadened, whole_board, window_of_action
from plots.marks.steps import (
    JUDGED_PICTURES,
    MOST_PICTURES,
    Episode,
    after_steps,
    as_claimed,
    episodes,
    faulty,
    has_moved,
    named_models,
    placed,
    steps_text,
    title,
    with_model_moved,
)
from plots.marks.styles import APPROACH
from plots.marks.units import extremes, start_marks
from tabletop.errors import Fault
from tabletop.messages import names_in
from tabletop.ruling.charge import Step
from tabletop.ruling.evidence import Note, Stage
from tabletop.ruling.verdict import Judgement, Resolution, Ruling
from tabletop.table.hexes import HexBoard
from tabletop.table.models import Squad
from tabletop.table.state import Regiment, State

View = Literal["charge", "steps", "board"]

SLIVER = 0.85
"""The share of where somebody stood up to which nothing is shown of it, rather than a piece."""

MOST_MEASURED = 2
"""Charges of one picture beyond which distances are left out that were far enough: the ways have their lengths."""

NOTE_WITHIN = 0.6
"""Inches within which a note belongs to a step."""


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
    section: Rect
    action: Rect | None = None
    evidence: tuple[Mark, ...] = ()
    callouts: Mapping[int, str] = field(default_factory=dict)
    key: int = 0
    own: Rect | None = None
    moved: Rect | None = None


@dataclass(frozen=True)
class Moment:
    """A moment of a charge that a panel shows, before its section is chosen: the scene, and the marks of the action over it.

    If it shows only these rulings, or only their end, less of the table may be enough for it than what all panels have in common.
    Of one in which steps happen `start` is the table before them, and the `group` is theirs.
    """

    name: str
    heading: str
    scene: Scene
    action: tuple[Mark, ...]
    text: str = ""
    callouts: Mapping[int, str] = field(default_factory=dict)
    key: int = 0
    shown: tuple[Ruling, ...] = ()
    start: State[Any] | None = None
    group: Episode | None = None


def board_panels(state: State[Any], *, faults: Sequence[Fault] = (), language: Language = ENGLISH) -> tuple[Panel, ...]:
    """Show the whole table as it stands, and what makes it impossible if it is refused."""
    section = whole_board(state.board)
    off = {name for fault in faults if len(fault.between) == 1 for name in fault.between}
    if off:
        beyond = around(point for name in off for point in extremes(state.units[name], state.board))
        section = section.joined(beyond.grown(OFF_BOARD).within(section.grown(max(section.width, section.height) / 2)))
    marks = (*scene_marks(Scene(state, language=language), section), *fault_marks(state, faults))
    return (Panel("board", "", unseen(state, section, language), with_distinct_ids(over_hexes(marks, state.board), "board"), section),)


def charge_panels(
    resolution: Resolution,
    *,
    proposal: Mapping[str, Any] | None = None,
    judgement: Judgement | None = None,
    language: Language = ENGLISH,
    is_keyed: bool = False,
) -> tuple[Panel, ...]:
    """Show the table before and after, charges of several targets in a picture each; what changes nothing leaves only the set-up.

    If `is_keyed` things are numbered that the panels' callouts speak of.

    Of a judged proposal the claimed moves and the claimed end are shown, and beside them what is right if that is another.
    """
    return panels(charge_story(resolution, proposal, judgement, language, is_keyed=is_keyed), resolution)


def charge_story(
    resolution: Resolution,
    proposal: Mapping[str, Any] | None,
    judgement: Judgement | None,
    language: Language,
    *,
    is_keyed: bool = False,
) -> list[Moment]:
    """Give what `charge_panels` shows, panel by panel, before anything of the table itself is drawn."""
    if judgement is not None and proposal is not None:
        claimed = as_claimed(resolution, proposal, judgement)
        heading = language.say("panel.proposed", outcome=language.within(judged_words(judgement, language)))
        proposed = _after("proposed", heading, claimed, claimed.after, language)
        wrong = (*judged_marks(claimed.after, judgement), *claim_marks(placed(resolution, proposal), judgement))
        proposed = replace(proposed, action=(*proposed.action, *wrong))
        demanded = (replace(moment, shown=claimed.rulings) for moment in _demanded(resolution, judgement, language))
        moments = [_before(claimed, language, is_all=False), proposed, *demanded]
        told = judged_callouts(claimed, resolution, judgement, _labels(moments), language) if is_keyed else ()
        return [_keyed(moment, told) for moment in moments]
    moments = _befores(resolution, language)
    if _has_changed(resolution, language):
        moments.append(_after("after", language.words["panel.after"], resolution, resolution.after, language))
    told = callouts(resolution, _labels(moments), language) if is_keyed else ()
    return [_keyed(moment, told) for moment in moments]


def _labels(moments: Sequence[Moment]) -> list[tuple[str, str]]:
    """Return the labels of all panels, each as the panel's name and the label's id."""
    return [(moment.name, mark.id) for moment in moments for mark in moment.action if isinstance(mark, Label)]


def _keyed(moment: Moment, told: Sequence[Callout]) -> Moment:
    """Put the numbers of sentences on the labels of a panel that they are of, and the sentences below it."""
    numbers = {label: number for label in _labels([moment]) for number, one in enumerate(told, start=1) if one.is_of(label)}
    action = (
        replace(mark, key=numbers.get((moment.name, mark.id), mark.key)) if isinstance(mark, Label) else mark for mark in moment.action
    )
    return replace(moment, action=tuple(action), callouts={number: told[number - 1].sentence for number in sorted(set(numbers.values()))})


def _befores(resolution: Resolution, language: Language) -> list[Moment]:
    """Show charges that are told together on a picture of their own, in the order in which they are made, as the table then stands."""
    is_all, groups = not _has_changed(resolution, language), told_together(resolution, language)
    if len(groups) <= 1:
        return [_before(resolution, language, is_all=is_all)]
    moments, state = list[Moment](), resolution.before
    for place, rulings in enumerate(groups):
        about = "; ".join(
            language.say("badge.about", charger=ruling.charge.charger, targets=language.listed(ruling.charge.targets)) for ruling in rulings
        )
        name = f"before{place + 1 if place else ''}"
        moment = _before(resolution, language, is_all=is_all, name=name, shown=rulings, state=state)
        moments.append(replace(moment, heading=f"{place + 1}. {about}", shown=tuple(rulings)))
        for ruling in rulings:
            whole = Episode(ruling, tuple(range(len(ruling.steps))))
            state = after_steps(state, whole, resolution.after, language=language) if whole.places else state
    return moments


def told_together(resolution: Resolution, language: Language = ENGLISH) -> list[list[Ruling]]:
    """Give the rulings by the pictures that show them, in the order in which charges are made: those of the same targets in one.

    A charge that fails because of one of these has its own picture, in which that one has been made.
    """
    groups: list[list[Ruling]] = []
    for ruling in resolution.turns:
        alike = next((group for group in reversed(groups) if group[0].charge.targets == ruling.charge.targets), None)
        if alike is None or _is_due_to(ruling, alike, language):
            groups.append([ruling])
        else:
            alike.append(ruling)
    return groups


def _is_due_to(ruling: Ruling, others: Sequence[Ruling], language: Language) -> bool:
    """Tell whether what decides against a charge names who charged before."""
    told = [words_of(one, language) for one in deciding(ruling)[0]]
    return any(other.charge.charger in names_in(words) for words in told for other in others)


def _has_changed(resolution: Resolution, language: Language) -> bool:
    """Tell whether a picture of the table after would show anything that the one before does not."""
    before, after = resolution.before.units, resolution.after.units
    shown = [name for name in before if name not in after or _seen(before[name], language) != _seen(after[name], language)]
    return bool(shown) or any(
        evidence_marks(ruling.evidence, "after", language=language) for ruling in resolution.rulings if ruling.outcome != "not_allowed"
    )


def _seen(unit: Any, language: Language) -> tuple[Any, ...]:
    """Give all of a unit that a figure shows."""
    return (unit.place, *language.told(unit.status))


def step_panels(
    resolution: Resolution,
    *,
    judgement: Judgement | None = None,
    ruled: Resolution | None = None,
    language: Language = ENGLISH,
    is_keyed: bool = False,
) -> tuple[Panel, ...]:
    """Show a numbered panel for each step, or for steps that belong together, in the order in which they happen.

    `judgement` is that of the proposal whose moves these are, as `as_claimed` gives them: what is wrong is marked on the picture of the
    models that are at fault, else on the last one; with the charges as they are `ruled`, the place that the rules demand comes last.

    If `is_keyed` the number of a step stands in the picture at what its text speaks of.
    """
    told = step_story(resolution, judgement, language, is_keyed=is_keyed)
    demanded = [] if ruled is None or judgement is None else _demanded(ruled, judgement, language)
    told += [replace(moment, shown=()) for moment in demanded] if told else []
    return panels(told, resolution) if told else charge_panels(resolution, language=language, is_keyed=is_keyed)


def step_story(resolution: Resolution, judgement: Judgement | None, language: Language, *, is_keyed: bool = False) -> list[Moment]:
    """Return what `step_panels` shows of the steps, panel by panel, before anything of the table itself is drawn."""
    state = resolution.before
    moments: list[Moment] = []
    wrong = "" if judgement is None or judgement.broken is None else judgement.broken.text
    told = episodes(resolution, most=MOST_PICTURES if judgement is None else JUDGED_PICTURES, language=language)
    for episode in told:
        shown = after_steps(state, episode, resolution.after, is_last=episode is told[-1], language=language)
        moment = _episode(len(moments) + 1, episode, resolution, (state, shown), language)
        moments.append(replace(moment, text=steps_text(episode, language, wrong=wrong)))
        state = shown
    if judgement is not None and moments:
        place = faulty(told, judgement)
        moment = moments[place]
        marks = judged_marks(moment.scene.state, judgement)
        moments[place] = replace(
            moment, action=(*moment.action, *marks), text=_with_fault(moment.text, wrong, told[place]) if wrong and marks else moment.text
        )
    return [_numbered(moment, number) for number, moment in enumerate(moments, start=1)] if is_keyed else moments


def _with_fault(told: str, fault: str, episode: Episode) -> str:
    """Say what is wrong behind what is told of an episode, unless one of its steps says it."""
    return told if any(step.text == fault for step in episode.steps) else f"{told} {fault}".strip()


def _numbered(moment: Moment, number: int) -> Moment:
    """Key the text of a step to what it speaks of, unless reasons are numbered there; in hexes it speaks of rolls and damage."""
    is_hexed = isinstance(moment.scene.state.board, HexBoard)
    spoken_of = (
        main_labels([mark for mark in moment.action if not (is_hexed and mark.owner.startswith("deciding."))]) if moment.text else ()
    )
    marks = tuple(replace(mark, key=number) if mark in spoken_of and isinstance(mark, Label) else mark for mark in moment.action)
    return replace(moment, action=marks, key=number if spoken_of else 0)


# One moment.


def _before(
    resolution: Resolution,
    language: Language,
    *,
    is_all: bool,
    name: str = "before",
    shown: Sequence[Ruling] = (),
    state: State[Any] | None = None,
) -> Moment:
    """Show the table before all charges, or as it stands by then before those that are `shown`."""
    state, shown = state or resolution.before, shown or resolution.rulings
    looks, units = looks_of(resolution.before, language), {**resolution.before.units, **state.units}
    stages: tuple[Stage, ...] = ("before", "after") if is_all else ("before",)
    marks: list[Mark] = []
    for number, ruling in enumerate(resolution.rulings):
        if ruling not in shown:
            continue
        owner = "" if len(shown) == 1 else owned(ruling, language)
        deciding = [mark for stage in stages for mark in _deciding(shown, ruling, stage, language)]
        ways = path_marks(ruling.steps, units, looks=looks)
        is_measured, gone = ruling.outcome != "success" or len(shown) <= MOST_MEASURED, _leg_told(ruling, ways)
        evidence = ruling.evidence if is_measured else replace(ruling.evidence, dimensions=())
        own = [
            *evidence_marks(evidence, "before", steps=ruling.steps, gone=gone, owner=owner, language=language),
            *(open_marks(ruling, language) or deciding),
            *(replace(mark, text=f"{owner}{mark.text}") if isinstance(mark, Label) else mark for mark in ways),
            *aim_marks(ruling, resolution.before, language),
        ]
        own += notes_on(resolution.before, ruling.evidence.notes, [*marks, *own])
        own += [*_arcs_unless_drawn(resolution, number, language), *contact_marks(ruling.evidence.contacts, state)]
        marks += under(charge_id(number), own)
    marks += measured_marks(resolution.case)
    heading = language.words["panel.setup" if is_all else "panel.before"]
    return Moment(name, heading, scene_of(resolution, state, language), tuple(marks))


def scene_of(resolution: Resolution, state: State[Any], language: Language, contact: Mapping[str, tuple[int, ...]] | None = None) -> Scene:
    """Return the table as it is drawn in pictures of charges, with the models that are in contact by unit."""
    targets = {target for ruling in resolution.rulings for target in ruling.charge.targets}
    return Scene(state, contact or {}, named_models(resolution), frozenset(targets), language)


def _leg_told(ruling: Ruling, ways: Sequence[Mark]) -> Step | None:
    """Give the first move of a charge that succeeds, if the picture tells its length."""
    place, step = next(((place, step) for place, step in enumerate(ruling.steps, start=1) if has_moved(step)), (0, None))
    is_told = any(mark.id == f"path.{place}.label" for mark in ways)
    return step if is_told and ruling.outcome == "success" and not ruling.open else None


def _arcs_unless_drawn(resolution: Resolution, number: int, language: Language) -> tuple[Mark, ...]:
    """Draw the arcs of a target once, however many charge it."""
    evidence = resolution.rulings[number].evidence
    drawn = [ruling.evidence.arc_rays for ruling in resolution.rulings[:number]]
    return () if evidence.arc_rays in drawn else arc_marks(evidence, resolution.before, language)


def _deciding(shown: Sequence[Ruling], ruling: Ruling, stage: Stage, language: Language) -> tuple[Mark, ...]:
    marks = deciding_marks(ruling, stage, language, is_one_of_several=len(shown) > 1, is_numbered=False)
    return (*marks, *magnifiers(ruling, stage, language))


def _after(name: str, heading: str, resolution: Resolution, state: State[Any], language: Language) -> Moment:
    marks: list[Mark] = [*_ghosts(resolution, state)]
    contact: dict[str, tuple[int, ...]] = {}
    for number, ruling in enumerate(resolution.rulings):
        evidence = ruling.evidence
        contact |= {unit: (*contact.get(unit, ()), *models) for unit, models in evidence.models_in_contact.items()}
        own = [*evidence_marks(ruling.evidence, "after", language=language), *_deciding(resolution.rulings, ruling, "after", language)]
        own += contact_marks(evidence.contacts, state) if _stood(ruling, resolution.before, state) else ()
        marks += under(charge_id(number), own)
    return Moment(name, heading, scene_of(resolution, state, language, contact), tuple(marks), shown=resolution.rulings)


def _stood(ruling: Ruling, before: State[Any], after: State[Any]) -> bool:
    """Tell whether the points of contact are still the targets': they stand where they stood, or have turned about such a point."""
    turned = {step.unit for step in ruling.steps if step.pivot in ruling.evidence.contacts}
    targets = [name for name in ruling.charge.targets if name in after.units and name not in turned]
    return ruling.outcome == "success" and all(after.units[name].place == before.units[name].place for name in targets)


def _ghosts(resolution: Resolution, after: State[Any]) -> tuple[Mark, ...]:
    """Dash every moved unit where it stood, and cross models that are lost where their last move brought them."""
    moved = dict(resolution.before.units)
    for step in (step for ruling in resolution.turns for step in ruling.steps):
        if step.unit in moved and isinstance(unit := moved[step.unit], Squad):
            moved[step.unit] = with_model_moved(unit, step)
    return _starts(resolution.before, after, moved, lost_from=moved)


def _starts(before: State[Any], after: State[Any], names: Iterable[str], *, lost_from: Mapping[str, Any] | None = None) -> tuple[Mark, ...]:
    """Dash units where they stood, and cross the models that are lost where they stand in `lost_from`, or stood."""
    looks, lost = looks_of(before), lost_from or {}
    found = (start_marks(before.units[name], after.units.get(name), looks[name], lost_from=lost.get(name)) for name in names)
    return tuple(mark for marks in found for mark in marks)


def _demanded(resolution: Resolution, judgement: Judgement, language: Language) -> list[Moment]:
    """Show the right end position, if that is another than the claimed one."""
    if judgement.is_right or not judgement.better:
        return []
    return [_after("demanded", language.words["panel.demanded"], resolution, placed(resolution, judgement.better), language)]


def _episode(number: int, episode: Episode, resolution: Resolution, states: tuple[State[Any], State[Any]], language: Language) -> Moment:
    """Show the table after an episode, with what moved in it and the evidence that belongs to it."""
    ruling, places = episode.ruling, episode.places
    state, shown = states
    losers = {step.unit or "" for step in episode.steps if language.step_look(step) == "loss" and step.unit in state.units}
    marks = [*_starts(state, shown, sorted(losers))]
    turned = any(done.unit in ruling.charge.targets for done in ruling.steps[: places[-1] + 1])
    marks += facing_mark(ruling.evidence.facing_after if turned else ruling.evidence.facing)
    if any(has_moved(step) for step in episode.steps):
        marks += [*_moves(episode, states, language), *zone_marks(ruling.evidence.zones, "before")]
        marks += notes_on(state, _notes_near(episode, language), marks)
        is_run = any(language.step(step).family == APPROACH for step in episode.steps)
        marks += aim_marks(ruling, resolution.before, language) if is_run else ()
        own = (step for step in episode.steps if step.unit == ruling.charge.charger)
        is_put_down = ruling.outcome == "success" and any(language.step(step).role == "align" for step in own)
        marks += deciding_marks(ruling, "before", language) if is_put_down else ()
    elif places[0] == 0:
        marks += [
            *arc_marks(ruling.evidence, state, language),
            *evidence_marks(ruling.evidence, "before", steps=ruling.steps, language=language),
        ]
        marks += aim_marks(ruling, resolution.before, language)
        is_known = ruling.outcome != "failed" or _is_short(ruling) or episode.is_last
        marks += open_marks(ruling, language) or (deciding_marks(ruling, "before", language) if is_known else ())
    if episode.is_last and ruling.outcome == "failed" and (has_moved(ruling.steps[0]) or not _is_short(ruling)):
        marks += deciding_marks(ruling, "before", language)
    marks += (
        [*evidence_marks(ruling.evidence, "after", language=language), *deciding_marks(ruling, "after", language)]
        if episode.is_last
        else ()
    )
    contact = ruling.evidence.models_in_contact if episode.is_last else {}
    marks += contact_marks(ruling.evidence.contacts, shown) if _shows_contact(ruling, places[-1], language) else ()
    heading, scene = f"{number}. {title(episode, language)}", scene_of(resolution, shown, language, contact)
    return Moment(f"step{number}", heading, scene, tuple(dict.fromkeys(marks)), start=state, group=episode)


def _is_short(ruling: Ruling) -> bool:
    """Tell whether a charge failed by a length, which its declaration measures; anything else is not known before it moves."""
    return any(isinstance(one, Shortfall) for one in deciding(ruling)[0][:1])


def _moves(episode: Episode, states: tuple[State[Any], State[Any]], language: Language) -> list[Mark]:
    """Draw where the units of an episode stood and the ways they took."""
    state, shown = states
    looks = looks_of(state, language)
    steps = [step for step in episode.steps if has_moved(step) and step.unit in state.units]
    marks = [*_starts(state, shown, dict.fromkeys(step.unit or "" for step in steps))]
    for step in steps:
        unit = state.units[step.unit or ""]
        if isinstance(unit, Regiment):
            marks += part_of("path", step_marks(step, unit, tone=looks[unit.name].tone, language=language))
    return [*marks, *ways_marks(steps, state.units, looks=looks)]


def _notes_near(episode: Episode, language: Language) -> tuple[Note, ...]:
    """Choose the notes that stand where the steps of a way begin or end."""
    own = [step for step in episode.steps if language.step(step).family == APPROACH]
    ends = [pose.at for step in own for pose in (step.start, step.end) if pose is not None]
    return tuple(note for note in episode.ruling.evidence.notes if any(math.dist(note.at, end) <= NOTE_WITHIN for end in ends))


def _shows_contact(ruling: Ruling, place: int, language: Language) -> bool:
    """Tell whether the unit has made contact by this step: at the last move before the align, and after it."""
    moves = [number for number, step in enumerate(ruling.steps) if step.end is not None and language.step(step).role != "align"]
    return bool(moves) and place >= moves[-1] and ruling.outcome == "success"


# The section that the panels share.


def panels(moments: Sequence[Moment], resolution: Resolution) -> tuple[Panel, ...]:
    """Return the panels of moments, all of the section that shows the action of all of them."""
    window = window_of(moments, resolution)
    owns = [_own(moment, window) if moment.shown else None for moment in moments]
    alike = [[own for own, other in zip(owns, moments, strict=True) if own and other.shown == moment.shown] for moment in moments]
    return tuple(
        replace(_panel(moment, window, reduce(Rect.joined, some) if some else None), moved=_moved(moment, window))
        for moment, some in zip(moments, alike, strict=True)
    )


def window_of(moments: Sequence[Moment], resolution: Resolution) -> Window:
    """Give the section that shows the action of all moments."""
    states = [resolution.before, *(moment.scene.state for moment in moments)]
    return window_of_action(states, resolution.rulings, (mark for moment in moments for mark in moment.action))


def _own(moment: Moment, window: Window) -> Rect:
    """Give what of the section the rulings of a moment need as the table then stands: not where somebody stood who has got away."""
    state, has_gone = moment.scene.state, any(ruling.outcome == "success" for ruling in moment.shown)
    marks = (mark for mark in moment.action if not (has_gone and mark.owner.startswith("start.")))
    section = window_of_action([state], moment.shown, marks).section
    moved = {step.unit for ruling in moment.shown for step in ruling.steps} & state.units.keys()
    corners = [point for name in moved if name is not None for point in extremes(state.units[name], state.board)]
    return (section.joined(around(corners)) if corners else section).within(window.section)


def _moved(moment: Moment, window: Window) -> Rect | None:
    """Give what of the section shows the moves of charges of which none succeeded, if they are those of regiments."""
    state = moment.scene.state
    moved = {step.unit for ruling in moment.shown for step in ruling.steps if step.start != step.end} & state.units.keys()
    units = [state.units[name] for name in sorted(filter(None, moved))]
    if moment.name != "after" or not units or any(ruling.outcome == "success" for ruling in moment.shown):
        return None
    ends = around(point for unit in units for point in extremes(unit, state.board))
    is_ranked = all(isinstance(unit, Regiment) for unit in units)
    return window_of_action([state], (), moment.action).section.joined(ends).within(window.section) if is_ranked else None


def _panel(moment: Moment, window: Window, own: Rect | None) -> Panel:
    section = window.section
    scene = scene_marks(moment.scene, broadened(section, moment.scene.state.board, math.inf))
    marks = with_distinct_ids(over_hexes((*scene, *moment.action), moment.scene.state.board), moment.name)
    off = unseen(moment.scene.state, section, moment.scene.language)
    text = " ".join(filter(None, (moment.text, off)))
    return Panel(moment.name, moment.heading, text, marks, section, window.action, marks[len(scene) :], moment.callouts, moment.key, own)


def seen_in(panel: Panel, section: Rect) -> Panel:
    """Give what a panel shows in a section: where a regiment stood only if that is more than a sliver, which would say nothing."""
    ranked = {mark.owner for mark in panel.marks if isinstance(mark, FacingMark)}
    cut = [mark.owner for mark in outlines(panel.marks, "start") if mark.owner in ranked and _is_sliver(mark, section)]
    return replace(panel, marks=tuple(mark for mark in panel.marks if mark.owner not in cut))


def _is_sliver(mark: Rings, section: Rect) -> bool:
    """Tell whether much of an outline lies beyond a section."""
    whole = around(mark.rings[0])
    seen = whole.within(section)
    return seen.width * seen.height < SLIVER * whole.width * whole.height


def unseen(state: State[Any], section: Rect, language: Language) -> str:
    """Name the units that stand off the board, where no picture reaches."""
    boxes = {name: around(points) for name, unit in state.units.items() if (points := extremes(unit, state.board))}
    off = [name for name, box in boxes.items() if not (box.overlaps(whole_board(state.board)) or box.overlaps(section))]
    return language.say("panel.unseen", units=", ".join(off)) if off else ""

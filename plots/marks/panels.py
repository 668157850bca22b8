"""Panels of a figure: the moments of a charge that it shows, all on one section of the table.

Each panel starts as a moment: the table, and the marks of the action on it. The section is then chosen to fit all
panels.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Literal

import shapely

from plots.marks.board import body_marks, ground_marks, looks_of, scene_marks
from plots.marks.captions import Callout, callouts, judged_callouts, judged_words, main_labels
from plots.marks.deciding import (
    Shortfall,
    charge_id,
    crossed,
    deciding,
    deciding_marks,
    decision_marks,
    magnifiers,
    open_marks,
    owner_prefix,
    range_marks,
    words_of,
)
from plots.marks.evidence import (
    arc_marks,
    contact_marks,
    evidence_marks,
    facing_mark,
    notes_on,
    zone_marks,
)
from plots.marks.faults import (
    broken_findings,
    broken_marks,
    claim_marks,
    fault_id,
    fault_marks,
    judged_marks,
    measured_marks,
)
from plots.marks.mark import DrawnMark, FacingMark, Label, Rings, outlines, under, with_distinct_ids
from plots.marks.moves import aim_marks, path_marks
from plots.marks.section import (
    OFF_BOARD,
    Rect,
    Window,
    around,
    broadened,
    whole_board,
    window_of_action,
)
from plots.marks.steps import (
    JUDGED_PICTURES,
    MOST_PICTURES,
    StepGroup,
    after_steps,
    faulty,
    named_models,
    step_groups,
    steps_text,
    title,
    with_model_moved,
)
from plots.marks.units import base_rings, extremes, start_marks, stop_marks
from tabletop.errors import Fault
from tabletop.language.language import current_language
from tabletop.messages import names_in
from tabletop.ruling.charge import Step, is_moving
from tabletop.ruling.claimed import as_claimed, with_units_at
from tabletop.ruling.contrast import Contrast
from tabletop.ruling.evidence import Evidence, Note, Stage
from tabletop.ruling.looks import APPROACH
from tabletop.ruling.verdict import Alternative, Judgement, Resolution, Ruling, Shown
from tabletop.table.hexes import HexBoard
from tabletop.table.models import Squad
from tabletop.table.state import Regiment, State

View = Literal["charge", "steps", "board"]

SLIVER = 0.85
"""Greatest visible share of a starting position that is too small to show."""

MOST_MEASURED = 2
"""Number of charges in one picture above which sufficient distances are left out, since paths carry their lengths."""

TOUCHING = 0.02
"""Distance in inches within which models that will be in contact are drawn as touching; that they will be is in the
ruling."""

NOTE_WITHIN = 0.6
"""Distance in inches within which a note belongs to a step."""


@dataclass(frozen=True)
class Panel:
    """A picture of the table; `name` is the prefix of its marks' ids, `text` the words below it.

    Attributes
    ----------
    section
        Part of the table shown, in inches.
    action
        Part of the section that matters: the section is enlarged only while this stays large. None means all of it.
    callouts
        Sentences by their numbers.
    key
        Number of the text itself; 0 for none.
    own
        Smaller part that is enough for a panel about some of the charges.
    is_table
        Whether it shows the table from above.
    """

    name: str
    heading: str
    text: str
    marks: tuple[DrawnMark, ...]
    section: Rect
    action: Rect | None = None
    callouts: Mapping[int, str] = field(default_factory=dict)
    key: int = 0
    own: Rect | None = None
    is_table: bool = True


@dataclass(frozen=True)
class Moment:
    """A moment of a charge that a panel shows: the table, and what to draw of each charge.

    Attributes
    ----------
    state
        The table at this moment.
    start
        Earlier table, at which units that have moved since are dashed; None before anything has happened.
    told
        Charges with the steps whose paths are drawn.
    stages, decided
        Stages whose evidence is drawn, and stages for which what decided is drawn.
    number
        Number of the step, from 1; 0 for a whole charge.
    wrong
        Marks of a proposal's errors.
    alternative
        The alternative, which is not taken, that it shows; None for the charges themselves.
    done
        For a step, the groups of steps so far, its own last.
    shown
        Rulings to which the moment is limited, which may need less of the table; empty for all.
    """

    name: str
    heading: str
    resolution: Resolution
    state: State[Any]
    start: State[Any] | None = None
    told: tuple[StepGroup, ...] = ()
    stages: tuple[Stage, ...] = ("before",)
    decided: tuple[Stage, ...] = ("before",)
    number: int = 0
    text: str = ""
    wrong: tuple[DrawnMark, ...] = ()
    shown: tuple[Ruling, ...] = ()
    alternative: Alternative | None = None
    done: tuple[StepGroup, ...] = ()

    @property
    def charges(self) -> tuple[Shown, ...]:
        """The charges that it is about, in file order, or the alternative alone."""
        return (self.alternative,) if self.alternative is not None else self.resolution.rulings


def board_panels(state: State[Any], *, faults: Sequence[Fault] = ()) -> tuple[Panel, ...]:
    """Return the panel of the whole table in a tuple, with the faults that make it impossible if there are any."""
    section = whole_board(state.board)
    off = {name for fault in faults if len(fault.between) == 1 for name in fault.between}
    if off:
        beyond = around(point for name in off for point in extremes(state.units[name], state.board))
        section = section.joined(
            beyond.grown(OFF_BOARD).within(section.grown(max(section.width, section.height) / 2))
        )
    marks = (*scene_marks(state, section), *fault_marks(state, faults))
    return (
        Panel(
            "board",
            "",
            unseen(state, section),
            with_distinct_ids(marks, "board"),
            section,
        ),
    )


# Stories: the moments that figures show.


def charge_panels(
    resolution: Resolution,
    *,
    proposal: Mapping[str, Any] | None = None,
    judgement: Judgement | None = None,
    is_keyed: bool = False,
) -> tuple[Panel, ...]:
    """Return the panels of `charge_story`; if `is_keyed`, what its callouts refer to is numbered."""
    moments = charge_story(resolution, proposal, judgement)
    drawn = [marks_of(moment) for moment in moments]
    labels = [
        (moment.name, mark.id)
        for moment, marks in zip(moments, drawn, strict=True)
        for mark in marks
        if isinstance(mark, Label)
    ]
    told: tuple[Callout, ...] = ()
    if is_keyed and (judgement is None or proposal is None):
        told = callouts(resolution, labels)
    elif is_keyed and judgement is not None:
        told = judged_callouts(moments[0].resolution, resolution, judgement, labels)
    numbers = {
        label: number
        for number, one in enumerate(told, start=1)
        for label in filter(one.is_of, labels)
    }
    keys = [
        {label: number for (name, label), number in numbers.items() if name == moment.name}
        for moment in moments
    ]
    made = zip(panels(moments, list(map(_with_keys, drawn, keys))), keys, strict=True)
    return tuple(
        replace(
            panel,
            callouts={number: told[number - 1].sentence for number in sorted({*own.values()})},
        )
        for panel, own in made
    )


def charge_story(
    resolution: Resolution, proposal: Mapping[str, Any] | None, judgement: Judgement | None
) -> list[Moment]:
    """Return the moments before and after the charges; charges on several targets get a moment each before.

    If nothing changes, only the set-up is shown. For a judged proposal the moments are before, the claimed moves and
    end position, and the end position that the rules demand if it differs.
    """
    language = current_language()
    if judgement is not None and proposal is not None:
        claimed = as_claimed(resolution, proposal, judgement)
        heading = language.say("panel.proposed", outcome=language.within(judged_words(judgement)))
        wrong = (
            *judged_marks(claimed.after, judgement),
            *claim_marks(with_units_at(resolution, proposal), judgement),
        )
        proposed = replace(_after("proposed", heading, claimed, claimed.after), wrong=wrong)
        demanded = [
            replace(moment, shown=claimed.rulings) for moment in _demanded(resolution, judgement)
        ]
        tempting = contrast_story(claimed) if judgement.is_right else []
        return [_before(claimed), *tempting, proposed, *demanded]
    tempting = contrast_story(resolution)
    if not _has_changed(resolution):
        return [
            *(
                replace(moment, decided=("before", "after"))
                for moment in _befores(resolution, "panel.setup")
            ),
            *tempting,
        ]
    after = _after("after", language.words["panel.after"], resolution, resolution.after)
    if tempting and len(resolution.rulings) > 1:  # the alternative shows the point
        resolution = replace(
            resolution, rulings=tuple(replace(ruling, point="") for ruling in resolution.rulings)
        )
    return [*_befores(resolution, "panel.before"), *tempting, after]


def contrast_story(resolution: Resolution) -> list[Moment]:
    """Return the moment of the alternative of a single charge, or of one that the figure is about, in a list; empty if
    there is none.
    """
    pairs = [(ruling, ruling.drawn_contrast) for ruling in resolution.rulings]
    told = [
        ruling
        for ruling, shown in pairs
        if len(pairs) == 1 or (shown is not None and shown.finding.rule == ruling.point)
    ]
    return [
        moment for ruling in told[:1] if (moment := contrast_moment(resolution, ruling)) is not None
    ]


def contrast_moment(resolution: Resolution, ruling: Ruling) -> Moment | None:
    """Return the moment of the first alternative of a charge that has a place; None if it has none.

    It shows the way there, where the charger would end, and what tells against it.
    """
    contrast = ruling.drawn_contrast
    if contrast is None:
        return None
    finding = replace(contrast.finding, mark=crossed(contrast))
    evidence = Evidence(
        facing_after=contrast.facing or ruling.evidence.facing,
        models_in_contact=contrast.models_in_contact,
    )
    alternative = Alternative(ruling.charge, (finding,), contrast.steps, evidence)
    state = with_units_at(resolution, contrast.units)
    terrain = tuple(piece for piece in state.terrain if piece.name not in contrast.without)
    return Moment(
        "contrast",
        contrast_heading(contrast),
        resolution,
        replace(state, terrain=terrain),
        resolution.before,
        (_whole(alternative),),
        ("after",),
        ("after",),
        alternative=alternative,
    )


def contrast_heading(contrast: Contrast) -> str:
    """Return what an alternative is, and that it is not enough or not possible."""
    language = current_language()
    return language.say(f"panel.{contrast.kind}", words=language.within(contrast.heading))


def _before(resolution: Resolution, heading: str = "panel.before") -> Moment:
    """Return the moment before all charges, with a heading by its key in the catalogue."""
    told = tuple(_whole(ruling) for ruling in resolution.rulings)
    return Moment(
        "before", current_language().words[heading], resolution, resolution.before, told=told
    )


def _befores(resolution: Resolution, heading: str) -> list[Moment]:
    """Return a moment before each group of charges that share a picture, in order, on the table as earlier charges
    leave it.

    Where all charges are declared before the first is made, one that may not be declared is shown on the table before
    all.
    """
    language = current_language()
    before = _before(resolution, heading)
    groups = charges_by_picture(resolution)
    if len(groups) <= 1:
        return [before]
    moments = list[Moment]()
    state = resolution.before
    for place, rulings in enumerate(groups, start=1):
        about = "; ".join(
            language.say(
                "badge.about",
                charger=ruling.charge.charger,
                targets=language.listed(ruling.charge.targets),
            )
            for ruling in rulings
        )
        name = f"before{place}" if place > 1 else "before"
        told = tuple(one for one in before.told if one.shown in rulings)
        is_refused = language.looks.is_declared_first and all(
            ruling.outcome == "not_allowed" for ruling in rulings
        )
        then = resolution.before if is_refused else state
        moments.append(
            replace(
                before,
                name=name,
                heading=f"{place}. {about}",
                state=then,
                told=told,
                shown=tuple(rulings),
            )
        )
        for ruling in rulings:
            state = after_steps(state, _whole(ruling), resolution.after)
    return moments


def _whole(shown: Shown) -> StepGroup:
    return StepGroup(shown, tuple(range(len(shown.steps))))


def _after(name: str, heading: str, resolution: Resolution, state: State[Any]) -> Moment:
    """Return the moment after all charges, on the table `state`, without paths."""
    told = tuple(StepGroup(ruling, ()) for ruling in resolution.rulings)
    start = resolution.before
    shown = resolution.rulings
    return Moment(
        name, heading, resolution, state, start, told, ("after",), ("after",), shown=shown
    )


def _demanded(resolution: Resolution, judgement: Judgement) -> list[Moment]:
    """Return the moment of the end position that the rules demand, in a list; empty if the proposal is right or none is
    known.
    """
    if judgement.is_right or not judgement.better:
        return []
    return [
        _after(
            "demanded",
            current_language().words["panel.demanded"],
            resolution,
            with_units_at(resolution, judgement.better),
        )
    ]


def charges_by_picture(resolution: Resolution) -> list[list[Ruling]]:
    """Return the rulings grouped by picture, in order of play: charges on the same targets share one.

    A charge that fails because of an earlier one gets its own picture, in which the earlier one has been made.
    """
    groups: list[list[Ruling]] = []
    for ruling in resolution.turns:
        alike = next(
            (
                group
                for group in reversed(groups)
                if group[0].charge.targets == ruling.charge.targets
            ),
            None,
        )
        if alike is None or _is_due_to(ruling, alike):
            groups.append([ruling])
        else:
            alike.append(ruling)
    return groups


def _is_due_to(ruling: Ruling, others: Sequence[Ruling]) -> bool:
    """Return whether the reason against a charge names an earlier charger."""
    told = [words_of(one) for one in deciding(ruling)[0]]
    return any(other.charge.charger in names_in(words) for words in told for other in others)


def _has_changed(resolution: Resolution) -> bool:
    """Return whether a picture of the table after the charges would show anything new."""
    before = resolution.before.units
    after = resolution.after.units
    shown = [
        name for name in before if name not in after or _seen(before[name]) != _seen(after[name])
    ]
    return bool(shown) or any(
        evidence_marks(ruling.evidence, "after")
        for ruling in resolution.rulings
        if ruling.outcome != "not_allowed"
    )


def _seen(unit: Any) -> tuple[Any, ...]:
    """Return everything about a unit that a figure can show, its place and shown status words, for comparison."""
    return (unit.place, *current_language().told(unit.status))


def step_panels(
    resolution: Resolution,
    *,
    judgement: Judgement | None = None,
    ruled: Resolution | None = None,
    is_keyed: bool = False,
) -> tuple[Panel, ...]:
    """Return the panels of `step_story`; for a judged proposal, the last one shows what the rules demand, from `ruled`.

    If `is_keyed`, a step's number is drawn in the picture at what its text refers to. Without steps, the charges are
    shown.
    """
    moments = step_story(resolution, judgement)
    if not moments:
        return charge_panels(resolution, is_keyed=is_keyed)
    if ruled is not None and judgement is not None:
        moments += [replace(moment, shown=()) for moment in _demanded(ruled, judgement)]
    drawn = [marks_of(moment) for moment in moments]
    keys = [
        dict.fromkeys(_spoken_of(*one) if is_keyed else (), one[0].number)
        for one in zip(moments, drawn, strict=True)
    ]
    made = zip(panels(moments, list(map(_with_keys, drawn, keys))), keys, strict=True)
    return tuple(replace(panel, key=max(own.values(), default=0)) for panel, own in made)


def step_story(resolution: Resolution, judgement: Judgement | None) -> list[Moment]:
    """Return a numbered moment for each step or group of steps that share a picture, in order.

    `judgement` belongs to the proposal whose moves these are (see `as_claimed`). Errors are marked at the models at
    fault, else in the last picture.
    """
    state = resolution.before
    moments = list[Moment]()
    broken = broken_findings(judgement)
    groups = step_groups(resolution, most=MOST_PICTURES if judgement is None else JUDGED_PICTURES)
    for number, group in enumerate(groups, start=1):
        then = after_steps(state, group, resolution.after, is_last=group is groups[-1])
        moments.append(
            Moment(
                f"step{number}",
                f"{number}. {title(group)}",
                resolution,
                then,
                state,
                (group,),
                stages=(
                    *(("before",) if group.is_declaration else ()),
                    *(("after",) if group.is_last else ()),
                ),
                decided=_decided_at(group),
                number=number,
                text=steps_text(group, wrong=[one.text for one in broken]),
                done=groups[:number],
            )
        )
        state = then
    if moments and len(resolution.rulings) == 1:
        moments[-1] = replace(moments[-1], wrong=_tempting(moments[-1], resolution.rulings[0]))
    for number, finding in enumerate(broken if moments else ()):
        place = faulty(groups, finding)
        own = moments[place]
        wrong = broken_marks(own.state, finding, fault_id(number))
        is_said = not wrong or any(step.text == finding.text for step in groups[place].steps)
        text = own.text if is_said else f"{own.text} {finding.text}".strip()
        moments[place] = replace(own, wrong=(*own.wrong, *wrong), text=text)
    return moments


def _tempting(moment: Moment, ruling: Ruling) -> tuple[DrawnMark, ...]:
    """Return the marks of an alternative that a limit bars, for the last step: outlines where units would stand, and
    what bars it.
    """
    shown = ruling.drawn_contrast
    looks = looks_of(moment.state)
    if shown is None or shown.kind != "barred" or ruling.outcome != "success":
        return ()
    units = [
        (moment.state.units[name], place)
        for name, place in shown.units.items()
        if name in moment.state.units
    ]
    ends = (
        mark for unit, place in units for mark in stop_marks(unit, unit.at(place), looks[unit.name])
    )
    return under("contrast", [*ends, *decision_marks(crossed(shown))])


def _decided_at(group: StepGroup) -> tuple[Stage, ...]:
    """Return the stages whose deciding evidence a group shows: measurements with the declaration, the rest once it is
    known.
    """
    shown = group.shown
    is_short = any(isinstance(one, Shortfall) for one in deciding(shown)[0][:1])
    if group.is_declaration:
        is_known = shown.outcome != "failed" or is_short or group.is_last
    else:
        own = (
            step for step in group.steps if step.unit == shown.charge.charger and group.is_moving
        )
        is_known = shown.outcome == "success" and any(
            current_language().step(step).role == "align" for step in own
        )
    is_known |= (
        group.is_last and shown.outcome == "failed" and (is_moving(shown.steps[0]) or not is_short)
    )
    return (*(("before",) if is_known else ()), *(("after",) if group.is_last else ()))


def _spoken_of(moment: Moment, marks: Sequence[DrawnMark]) -> Sequence[str]:
    """Return the ids of the labels that a step's text refers to; on hexes not those of numbered reasons."""
    is_hexed = isinstance(moment.state.board, HexBoard)
    return (
        main_labels(
            [mark for mark in marks if not (is_hexed and mark.owner.startswith("deciding."))]
        )
        if moment.text
        else ()
    )


def _with_keys(marks: Sequence[DrawnMark], keys: Mapping[str, int]) -> tuple[DrawnMark, ...]:
    """Return the marks with numbers on their labels, looked up by label id."""
    return tuple(
        replace(mark, key=keys.get(mark.id, mark.key)) if isinstance(mark, Label) else mark
        for mark in marks
    )


# The marks of a moment.


def marks_of(moment: Moment) -> tuple[DrawnMark, ...]:
    """Return the marks of a moment except those of the table: starting positions, evidence, paths and errors."""
    marks = [*_start_marks(moment)]
    for group in moment.told:
        own = _told_marks(moment, group, marks)
        prefix = (
            "contrast"
            if moment.alternative is not None
            else charge_id(moment.charges.index(group.shown))
        )
        marks += own if moment.number else under(prefix, own)
    marks += measured_marks(moment.resolution.case) if moment.start is None else ()
    return tuple(dict.fromkeys((*marks, *moment.wrong)))


def _start_marks(moment: Moment) -> Iterator[DrawnMark]:
    """Yield the dashed outlines of moved units at their starting positions; lost models are crossed where their last
    move ended.
    """
    if moment.start is None:
        return
    moved = dict(moment.start.units)
    for step in (step for shown in moment.charges for step in shown.steps):
        if step.unit in moved and isinstance(unit := moved[step.unit], Squad):
            moved[step.unit] = with_model_moved(unit, step)
    looks = looks_of(moment.start)
    for name, unit in moment.start.units.items():
        yield from start_marks(
            unit, moment.state.units.get(name), looks[name], lost_from=moved[name]
        )


def _told_marks(moment: Moment, group: StepGroup, earlier: Sequence[DrawnMark]) -> list[DrawnMark]:
    """Return the marks of a charge: evidence, what decided, paths, notes clear of the paths in `earlier`, arcs and
    contacts.
    """
    shown = group.shown
    charges = moment.charges
    language = current_language()
    before = moment.resolution.before
    owner = owner_prefix(shown) if len(moment.told) > 1 else ""
    units = {**before.units, **(moment.start or moment.state).units}
    ways = path_marks(group.steps, units, looks=looks_of(before), is_gone=moment.number > 0)
    marks = [*_evidence(moment, group, ways, owner), *_decided(moment, shown)]
    marks += [
        replace(mark, text=f"{owner}{mark.text}") if isinstance(mark, Label) else mark
        for mark in ways
    ]
    is_run = group.is_moving and any(language.step(step).family == APPROACH for step in group.steps)
    if isinstance(shown, Ruling) and "before" in moment.stages and not moment.number:
        marks += range_marks(shown)
    marks += aim_marks(shown, before) if is_run or "before" in moment.stages else ()
    notes = shown.evidence.notes if moment.start is None else _notes_near(group)
    marks += notes_on(moment.start or before, notes, [*earlier, *marks])
    # once for all its chargers
    known = (
        []
        if moment.number
        else [other.evidence.arc_rays for other in charges[: charges.index(shown)]]
    )
    if "before" in moment.stages and shown.evidence.arc_rays not in known:
        marks += arc_marks(shown.evidence, before)
    marks += (
        contact_marks(shown.evidence.contacts, moment.state) if _has_contact(moment, group) else ()
    )
    return marks


def _evidence(
    moment: Moment, group: StepGroup, ways: Sequence[DrawnMark], owner: str
) -> Iterator[DrawnMark]:
    """Yield the marks of the evidence of the moment's stages; for a step, the current facing and the zones its path
    avoids.
    """
    shown = group.shown
    evidence = shown.evidence
    if moment.number:
        has_turned = any(
            done.unit in shown.charge.targets for done in shown.steps[: group.places[-1] + 1]
        )
        yield from facing_mark(evidence.facing_after if has_turned else evidence.facing)
        yield from zone_marks(evidence.zones, "before") if group.is_moving else ()
        yield from (
            zone_marks([zone for zone in evidence.zones if zone.role == "target"], "after")
            if "after" not in moment.stages
            else ()
        )
    if "before" in moment.stages:
        is_measured = shown.outcome != "success" or len(moment.told) <= MOST_MEASURED
        measured = evidence if is_measured else replace(evidence, dimensions=())
        gone = _leg_told(shown, ways)
        yield from evidence_marks(measured, "before", steps=shown.steps, gone=gone, owner=owner)
    if "after" in moment.stages:
        yield from evidence_marks(evidence, "after")


def _leg_told(shown: Shown, ways: Sequence[DrawnMark]) -> Step | None:
    """Return the first moving step of a successful charge if the picture labels its length; else None."""
    place, step = next(
        ((place, step) for place, step in enumerate(shown.steps, start=1) if is_moving(step)),
        (0, None),
    )
    is_told = any(mark.id == f"path.{place}.label" for mark in ways)
    return step if is_told and shown.outcome == "success" and not shown.open else None


def _decided(moment: Moment, shown: Shown) -> Sequence[DrawnMark]:
    """Return the marks of what decided in the moment's stages, or the uncertainty band of an open measurement."""
    band: Sequence[DrawnMark] = ()
    if isinstance(shown, Ruling) and "before" in moment.stages:
        band = open_marks(shown)
    is_step = moment.number > 0
    is_one_of_several = len(moment.told) > 1
    marks: list[DrawnMark] = []
    for stage in moment.decided:
        marks += deciding_marks(
            shown, stage, is_one_of_several=is_one_of_several, is_numbered=is_step
        )
        marks += () if is_step else magnifiers(shown, stage)
    return band or marks


def _notes_near(group: StepGroup) -> tuple[Note, ...]:
    """Return the notes at the start or end of the steps by which a group approaches its target."""
    own = [step for step in group.steps if current_language().step(step).family == APPROACH]
    ends = [pose.at for step in own for pose in (step.start, step.end) if pose is not None]
    return tuple(
        note
        for note in group.shown.evidence.notes
        if any(math.dist(note.at, end) <= NOTE_WITHIN for end in ends)
    )


def _has_contact(moment: Moment, group: StepGroup) -> bool:
    """Return whether contact points are shown: before a charge, and in its steps from the last move before the align
    on.

    At the end they are shown only if they still lie on the targets, because these have not moved, or have turned about
    such a point.
    """
    shown = group.shown
    before = moment.resolution.before.units
    after = moment.state.units
    if moment.start is None:
        return True
    if moment.number:
        moves = [
            place
            for place, step in enumerate(shown.steps)
            if step.end is not None and current_language().step(step).role != "align"
        ]
        return bool(moves) and group.places[-1] >= moves[-1] and shown.outcome == "success"
    turned = {step.unit for step in shown.steps if step.pivot in shown.evidence.contacts}
    targets = [name for name in shown.charge.targets if name in after and name not in turned]
    return shown.outcome == "success" and all(
        after[name].place == before[name].place for name in targets
    )


def table_marks(moment: Moment, section: Rect) -> tuple[DrawnMark, ...]:
    """Return the marks of a moment's table on a section: board, terrain and units, with models in contact
    highlighted.
    """
    contact = _contact(moment)
    named = charged(moment.charges)
    numbered = named_models(moment.charges)
    counts = _counts(
        [goal.mark.models for group in moment.told for goal in deciding(group.shown)[1]]
    )
    bodies = body_marks(moment.state, contact=contact, numbered=numbered, counts=counts)
    return (*ground_marks(moment.state, section, named=named), *bodies)


def _counts(goals: Sequence[Mapping[str, tuple[int, ...]]]) -> dict[str, dict[int, int]]:
    """Return the numbers shown on models that goals count, by unit: each goal counts from 1, goals that share models
    count together.
    """
    counts: dict[str, dict[int, int]] = {}
    for name in dict.fromkeys(name for models in goals for name in models):
        runs = [models[name] for models in goals if name in models]
        every = {number for run in runs for number in run}
        apart = runs if len(every) == sum(map(len, runs)) else [sorted(every)]
        counts[name] = {number: count for run in apart for count, number in enumerate(run, start=1)}
    return counts


def _contact(moment: Moment) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the models in contact by unit: those at the end or, in a step, those that touch by then."""
    contact: dict[str, tuple[int, ...]] = {}
    ended = (
        [group.shown for group in moment.told]
        if moment.start is not None and "after" in moment.stages
        else []
    )
    charges = {id(shown): shown for shown in (*ended, *(group.shown for group in moment.done))}
    for shown in charges.values():
        found = shown.evidence.models_in_contact
        made = (
            found
            if any(one is shown for one in ended)
            else _made(moment.state, shown.charge.charger, found)
        )
        contact |= {name: (*contact.get(name, ()), *models) for name, models in made.items()}
    return contact


def _made(
    state: State[Any], charger: str, contact: Mapping[str, Sequence[int]]
) -> dict[str, tuple[int, ...]]:
    """Return the models in contact that touch on the table `state`: those of the charger its foes, those of the foes
    the charger.
    """
    bases = {name: _bases(state, name, numbers) for name, numbers in contact.items()}
    foes = [base for name, own in bases.items() if name != charger for base in own.values()]
    sides = {
        True: shapely.union_all([*bases.get(charger, {}).values()]),
        False: shapely.union_all(foes),
    }
    return {
        name: tuple(
            number
            for number, base in own.items()
            if shapely.distance(base, sides[name != charger]) <= TOUCHING
        )
        for name, own in bases.items()
    }


def _bases(state: State[Any], name: str, numbers: Sequence[int]) -> dict[int, shapely.Geometry]:
    """Return the bases of a unit's models with these numbers, as far as they are on the table."""
    unit = state.units.get(name)
    if isinstance(unit, Squad):
        return {
            model.number: shapely.Polygon(model.footprint.outline())
            for model in unit.models
            if model.number in numbers
        }
    rings = base_rings(unit) if isinstance(unit, Regiment) else ()
    return {number: shapely.Polygon(rings[number]) for number in numbers if number < len(rings)}


def charged(charges: Iterable[Shown]) -> frozenset[str]:
    """Return the names of the targets of charges."""
    return frozenset(target for shown in charges for target in shown.charge.targets)


# The section shared by the panels.


def panels(moments: Sequence[Moment], drawn: Sequence[tuple[DrawnMark, ...]]) -> tuple[Panel, ...]:
    """Return the panels of moments, given the marks `drawn` for each, all on one section that shows every moment's
    action.
    """
    window = window_of(moments, drawn)
    owns = [
        _own(moment, marks, window) if moment.shown else None
        for moment, marks in zip(moments, drawn, strict=True)
    ]
    made = []
    for moment, marks in zip(moments, drawn, strict=True):
        alike = [
            own
            for own, other in zip(owns, moments, strict=True)
            if own and other.shown == moment.shown
        ]
        panel = _panel(moment, marks, window)
        made.append(replace(panel, own=reduce(Rect.joined, alike) if alike else None))
    return tuple(made)


def window_of(moments: Sequence[Moment], drawn: Iterable[Iterable[DrawnMark]]) -> Window:
    """Return the section that shows the action of all moments, and that action, given the marks `drawn` for each."""
    resolution = moments[0].resolution
    states = [resolution.before, *(moment.state for moment in moments)]
    return window_of_action(states, resolution.rulings, (mark for marks in drawn for mark in marks))


def _own(moment: Moment, marks: Sequence[DrawnMark], window: Window) -> Rect:
    """Return the part of the section that a moment's rulings need, without starting positions of units that have left
    it.
    """
    state = moment.state
    has_gone = any(ruling.outcome == "success" for ruling in moment.shown)
    kept = (mark for mark in marks if not (has_gone and mark.owner.startswith("start.")))
    section = window_of_action([state], moment.shown, kept).section
    moved = {step.unit for ruling in moment.shown for step in ruling.steps} & state.units.keys()
    corners = [
        point
        for name in moved
        if name is not None
        for point in extremes(state.units[name], state.board)
    ]
    return (section.joined(around(corners)) if corners else section).within(window.section)


def _panel(moment: Moment, drawn: Sequence[DrawnMark], window: Window) -> Panel:
    section = window.section
    state = moment.state
    table = table_marks(moment, broadened(section, state.board, math.inf))
    marks = with_distinct_ids((*table, *drawn), moment.name)
    text = " ".join(filter(None, (moment.text, unseen(state, section))))
    return Panel(moment.name, moment.heading, text, marks, section, window.action)


def seen_in(panel: Panel, section: Rect) -> Panel:
    """Return a panel for a section, without starting positions of regiments of which only a sliver is visible there."""
    ranked = {mark.owner for mark in panel.marks if isinstance(mark, FacingMark)}
    cut = [
        mark.owner
        for mark in outlines(panel.marks, "start")
        if mark.owner in ranked and _is_sliver(mark, section)
    ]
    return replace(panel, marks=tuple(mark for mark in panel.marks if mark.owner not in cut))


def _is_sliver(mark: Rings, section: Rect) -> bool:
    """Return whether less than the share `SLIVER` of an outline's bounding box lies in a section."""
    whole = around(mark.rings[0])
    seen = whole.within(section)
    return seen.width * seen.height < SLIVER * whole.width * whole.height


def unseen(state: State[Any], section: Rect) -> str:
    """Return a sentence that names the units off the board, which no picture shows; "" if there are none."""
    boxes = {
        name: around(points)
        for name, unit in state.units.items()
        if (points := extremes(unit, state.board))
    }
    off = [
        name
        for name, box in boxes.items()
        if not (box.overlaps(whole_board(state.board)) or box.overlaps(section))
    ]
    return current_language().say("panel.unseen", units=", ".join(off)) if off else ""

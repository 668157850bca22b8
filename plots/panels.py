"""What to show: a resolution becomes panels of marks, all of one section of the table."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from plots.captions import OUTCOME_WORDS
from plots.marks import Mark, identifier, with_distinct_ids
from plots.path import arc_marks, contact_marks, dimension_marks, facing_mark, has_moved, path_marks, sight_mark, step_marks
from plots.scene import Scene, scene_marks, start, tone_of
from plots.section import Section, section_of_action, whole_board
from tabletop.pose import Pose
from tabletop.ruling import Judgement, Resolution, Ruling, Step
from tabletop.state import State

View = Literal["charge", "steps", "board"]


@dataclass(frozen=True)
class Panel:
    """One picture of the table: `name` starts the ids of its marks, `text` stands below it."""

    name: str
    heading: str
    text: str
    marks: tuple[Mark, ...]
    section: Section


@dataclass(frozen=True)
class _Draft:
    """A panel before its section is chosen: the scene, and the marks of the action over it."""

    name: str
    heading: str
    scene: Scene
    action: tuple[Mark, ...]
    text: str = ""


def board_panels(state: State) -> tuple[Panel, ...]:
    """Show the whole table as it stands."""
    marks = scene_marks(Scene("board", state, {}))
    return (Panel("board", "", "", with_distinct_ids(marks), whole_board(state.board)),)


def charge_panels(
    resolution: Resolution, *, proposal: Mapping[str, Pose] | None = None, judgement: Judgement | None = None
) -> tuple[Panel, ...]:
    """Show the table before and after; a charge that may not be declared leaves only the set-up."""
    drafts = [_before(resolution)]
    if judgement is not None and proposal is not None:
        drafts += _judged(resolution, proposal, judgement)
    elif any(ruling.outcome != "not_allowed" for ruling in resolution.rulings):
        drafts.append(_after("after", "After", resolution, resolution.after))
    return _with_section(drafts, resolution)


def step_panels(resolution: Resolution) -> tuple[Panel, ...]:
    """Show one numbered panel for each step in the order in which they happen: declarations as in the file, then the moves."""
    state = resolution.before
    drafts: list[_Draft] = []
    declared = [one for one in _numbered_steps(resolution.rulings) if one[2].kind == "declare"]
    moved = [one for one in _numbered_steps(resolution.turns) if one[2].kind != "declare"]
    for ruling, place, step in (*declared, *moved):
        drafts.append(_step(len(drafts) + 1, place, ruling, state))
        state = _stepped(state, step)
    return _with_section(drafts, resolution) if drafts else charge_panels(resolution)


def _numbered_steps(rulings: Sequence[Ruling]) -> list[tuple[Ruling, int, Step]]:
    return [(ruling, place, step) for ruling in rulings for place, step in enumerate(ruling.steps)]


def _with_section(drafts: Sequence[_Draft], resolution: Resolution) -> tuple[Panel, ...]:
    states = [resolution.before, *(draft.scene.state for draft in drafts)]
    section = section_of_action(states, resolution.rulings, (mark for draft in drafts for mark in draft.action))
    return tuple(_panel(draft, section) for draft in drafts)


def _panel(draft: _Draft, section: Section) -> Panel:
    marks = with_distinct_ids((*scene_marks(draft.scene), *draft.action))
    return Panel(draft.name, draft.heading, draft.text, marks, section)


def _before(resolution: Resolution) -> _Draft:
    tone, units = tone_of(resolution.before), dict(resolution.before.units)
    marks: list[Mark] = []
    for number, ruling in enumerate(resolution.rulings):
        prefix = _prefix("before", number)
        marks += [*_evidence_before(ruling, prefix), *path_marks(ruling.steps, units, prefix, tone=tone)]
        marks += _arcs_unless_drawn(resolution, number, prefix)
        marks += contact_marks(ruling.evidence.contacts, prefix)
    is_refused = all(ruling.outcome == "not_allowed" for ruling in resolution.rulings)
    return _Draft("before", "The set-up" if is_refused else "Before", Scene("before", resolution.before, {}), tuple(marks))


def _arcs_unless_drawn(resolution: Resolution, number: int, prefix: str) -> tuple[Mark, ...]:
    """Draw the arcs of a target once, however many charge it."""
    evidence = resolution.rulings[number].evidence
    drawn = [ruling.evidence.arc_rays for ruling in resolution.rulings[:number]]
    return () if evidence.arc_rays in drawn else arc_marks(evidence, resolution.before.board, prefix)


def _evidence_before(ruling: Ruling, prefix: str) -> tuple[Mark, ...]:
    evidence = ruling.evidence
    return (
        *facing_mark(evidence.facing, prefix),
        *sight_mark(evidence.sight, prefix),
        *dimension_marks(evidence, prefix, "before", steps=ruling.steps),
    )


def _after(name: str, heading: str, resolution: Resolution, state: State) -> _Draft:
    marks: list[Mark] = [*_ghosts(name, resolution.before, state)]
    contact: dict[str, tuple[int, ...]] = {}
    for number, ruling in enumerate(resolution.rulings):
        prefix, evidence = _prefix(name, number), ruling.evidence
        contact |= {unit: (*contact.get(unit, ()), *models) for unit, models in evidence.models_in_contact.items()}
        marks += [*facing_mark(evidence.facing_after, prefix), *dimension_marks(evidence, prefix, "after")]
        marks += contact_marks(evidence.contacts, prefix) if _stood(ruling, resolution.before, state) else ()
    return _Draft(name, heading, Scene(name, state, contact), tuple(marks))


def _stood(ruling: Ruling, before: State, after: State) -> bool:
    """Tell whether the points of contact are still the targets': they stand where they stood, or have turned about such a point."""
    turned = {step.unit for step in ruling.steps if step.pivot in ruling.evidence.contacts}
    targets = [name for name in ruling.charge.targets if name in after.units and name not in turned]
    return ruling.outcome == "success" and all(after.units[name].pose == before.units[name].pose for name in targets)


def _ghosts(prefix: str, before: State, after: State) -> tuple[Mark, ...]:
    """Dash every moved unit where it stood."""
    tone = tone_of(before)
    moved = [unit for name, unit in before.units.items() if name in after.units and after.units[name].pose != unit.pose]
    return tuple(mark for unit in moved for mark in start(unit, unit.pose, identifier(prefix, "start", unit.name), tone=tone[unit.name]))


def _judged(resolution: Resolution, proposal: Mapping[str, Pose], judgement: Judgement) -> list[_Draft]:
    """Show the claimed end position, and the right one if that is another."""
    claimed = _placed(resolution.after, proposal)
    heading = f"Proposed: {OUTCOME_WORDS[judgement.outcome].lower() if judgement.outcome != 'success' else 'legal and best'}"
    drafts = [_Draft("proposed", heading, Scene("proposed", claimed, {}), _ghosts("proposed", resolution.before, claimed))]
    if judgement.outcome != "success" and judgement.better:
        drafts.append(_after("demanded", "What the rules demand", resolution, _placed(resolution.after, judgement.better)))
    return drafts


def _placed(state: State, poses: Mapping[str, Pose]) -> State:
    for name, pose in poses.items():
        state = state.with_unit(state.units[name].at(pose))
    return state


def _step(number: int, place: int, ruling: Ruling, state: State) -> _Draft:
    step, name = ruling.steps[place], f"step{number}"
    shown = _stepped(state, step)
    turned = any(done.unit in ruling.charge.targets for done in ruling.steps[: place + 1])
    marks = list(facing_mark(ruling.evidence.facing_after if turned else ruling.evidence.facing, name))
    if not has_moved(step):
        marks += [*arc_marks(ruling.evidence, state.board, name), *_evidence_before(ruling, name)] if place == 0 else []
    elif step.unit is not None and step.start is not None:
        unit, tone = state.units[step.unit], tone_of(state)[step.unit]
        marks += [*start(unit, step.start, f"{name}.start", tone=tone), *step_marks(step, unit, f"{name}.path", tone=tone)]
    is_last = place == len(ruling.steps) - 1
    contact = ruling.evidence.models_in_contact if is_last else {}
    marks += contact_marks(ruling.evidence.contacts, name) if _shows_contact(ruling, place) else ()
    return _Draft(name, f"{number}. {step_title(step)}", Scene(name, shown, contact), _once(marks), step.text)


def _shows_contact(ruling: Ruling, place: int) -> bool:
    """Tell whether the unit has made contact by this step: at the last move before the align, and after it."""
    moves = [number for number, step in enumerate(ruling.steps) if step.end is not None and "align" not in step.kind]
    return bool(moves) and place >= moves[-1] and ruling.outcome == "success"


def _once(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(dict.fromkeys(marks))


def _stepped(state: State, step: Step) -> State:
    if step.unit is None or step.end is None:
        return state
    return state.with_unit(state.units[step.unit].at(step.end))


def step_title(step: Step) -> str:
    """Name a step by the rule it follows where that says more than its kind.

    Examples
    --------
    >>> step_title(Step("forward", rules=("t9a.move.snaking", "t9a.move.initial-forward")))
    'Initial forward'
    """
    kind = step.kind.replace("_", " ")
    rules = [rule.rpartition(".")[2].replace("-", " ") for rule in step.rules]
    words = next((rule for rule in rules if rule.endswith(kind)), kind)
    return words[:1].upper() + words[1:]


def _prefix(stage: str, number: int) -> str:
    return stage if number == 0 else f"{stage}.charge{number + 1}"

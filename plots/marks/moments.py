"""The moments of a charge: the table after each step, and which steps share a picture."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from plots.marks.kinds import APPROACH, NAMED_FAMILIES
from plots.marks.language import ENGLISH, Language
from plots.marks.measures import number
from tabletop.ruling.charge import Step
from tabletop.ruling.verdict import Resolution, Ruling
from tabletop.table.squad import Squad
from tabletop.table.state import State

MOST_PICTURES = 9
"""Pictures up to which runs of equal steps are told one by one."""
JUDGED_PICTURES = 24
"""The same of a proposal, whose moves are judged one by one."""


@dataclass(frozen=True)
class Episode:
    """Steps of a ruling that share a picture, by their places among its steps."""

    ruling: Ruling
    places: tuple[int, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps themselves."""
        return tuple(self.ruling.steps[place] for place in self.places)

    @property
    def is_last(self) -> bool:
        """Whether the ruling has no later steps."""
        return self.places[-1] == len(self.ruling.steps) - 1


def has_moved(step: Step) -> bool:
    """Tell whether a unit stands elsewhere, or looks elsewhere, after a step."""
    return step.start is not None and step.end is not None and (step.start != step.end or len(step.path) > 1)


def episodes(resolution: Resolution, *, most: int = MOST_PICTURES, language: Language = ENGLISH) -> tuple[Episode, ...]:
    """Give the steps in the order in which they happen, declarations as in the file, then the moves, by picture; at most so many."""
    declared = [one for ruling in resolution.rulings for one in _places(ruling) if one.steps[0].kind == "declare"]
    moved = [one for ruling in resolution.turns for one in _places(ruling) if one.steps[0].kind != "declare"]
    joined: list[Episode] = []
    for one in (*declared, *moved):
        if joined and _shares(joined[-1], one, language):
            joined[-1] = Episode(one.ruling, (*joined[-1].places, *one.places))
        else:
            joined.append(one)
    return _parted(joined, most)


def _places(ruling: Ruling) -> list[Episode]:
    return [Episode(ruling, (place,)) for place in range(len(ruling.steps))]


def _shares(last: Episode, one: Episode, language: Language) -> bool:
    """Tell whether a step goes on the picture before it: as its consequence, as one of its family, or where both move nothing."""
    kind, family = language.step(one.steps[0]), language.step(last.steps[0]).family
    if last.ruling is not one.ruling:
        return False
    if kind.is_consequence or kind.family:
        return kind.family == family if kind.family else family != APPROACH
    return not family and not has_moved(one.steps[0]) and not any(has_moved(step) for step in last.steps)


def _parted(joined: Sequence[Episode], most: int) -> tuple[Episode, ...]:
    """Part long runs of loose models' moves as evenly as the number of pictures allows."""
    runs = [one for one in joined if one.steps[0].model is not None]
    room = max(1, (most - len(joined) + len(runs)) // max(1, len(runs)))
    return tuple(part for one in joined for part in (_parts(one, room) if one in runs else (one,)))


def _parts(run: Episode, room: int) -> tuple[Episode, ...]:
    """Part a run into at most `room` parts of equal length; what follows from all of it is told with the last."""
    moves = [place for place in run.places if run.ruling.steps[place].model is not None]
    size = -(-len(moves) // room)
    starts = range(0, len(moves), size)
    return tuple(Episode(run.ruling, run.places[start : None if start == starts[-1] else start + size]) for start in starts)


def after_steps(
    state: State[Any], episode: Episode, last: State[Any], *, is_last: bool = False, language: Language = ENGLISH
) -> State[Any]:
    """Give the table after an episode; `last` is the table after all, which tells who is lost, and what all have become in the end."""
    for place in episode.places:
        later = episode.ruling.steps[place + 1 :]
        state = _after_step(state, episode.ruling.steps[place], later, last, language)
    return _ended(state, last) if is_last else state


def _ended(state: State[Any], last: State[Any]) -> State[Any]:
    """Give units the status and the ground the state that they have after all."""
    for name, unit in last.units.items():
        state = state.with_unit(state.units[name].with_status(*unit.status)) if name in state.units else state
    return replace(state, terrain=last.terrain, hex_terrain=last.hex_terrain)


def _after_step(state: State[Any], step: Step, later: Sequence[Step], last: State[Any], language: Language) -> State[Any]:
    unit = state.units.get(step.unit or "")
    if unit is None:
        return state
    look = language.step_look(step)
    if look == "fall":
        unit = unit.with_status(language.lies)
    elif look == "rise":
        unit = unit.with_status(without=language.lying(unit.status))
    if isinstance(unit, Squad):
        moved = with_model_moved(unit, step)
        return state.with_unit(_without_losses(moved, later, last) if look == "loss" else moved)
    return state.with_unit(unit if step.end is None else unit.at(step.end))


def with_model_moved(squad: Squad, step: Step) -> Squad:
    """Give a squad with the model of a step where the step ends."""
    if step.end is None:
        return squad
    end, heights = step.end, {model.number: model.z for model in squad.models}
    z = step.path[-1][2] if step.path else heights.get(-1 if step.model is None else step.model, 0.0)
    models = (model.at(end, z) if model.number == step.model else model for model in squad.models)
    return Squad(squad.name, squad.side, tuple(models), squad.profile, squad.status)


def _without_losses(squad: Squad, later: Sequence[Step], last: State[Any]) -> Squad:
    """Take away, in a step of losses, the models that neither move later nor stand at the end."""
    stay = {model.number for model in last.units[squad.name].models} if squad.name in last.units else set()
    stay |= {other.model for other in later if other.unit == squad.name and other.model is not None}
    return squad.without({model.number for model in squad.models} - stay)


def named_models(resolution: Resolution) -> frozenset[str]:
    """Give the units of which steps name single models."""
    steps = (step for ruling in resolution.rulings for step in ruling.steps)
    return frozenset(step.unit for step in steps if step.unit is not None and step.model is not None)


def title(episode: Episode, language: Language = ENGLISH) -> str:
    """Name an episode: a single step by the rule it follows where that says more, several by all they are, with their models."""
    steps = episode.steps
    family = language.step(steps[0]).family
    if family in NAMED_FAMILIES:
        return language.known("step", family)
    moved = [step for step in steps if step.model is not None]
    titles = dict.fromkeys(step_title(step, language) for step in moved or steps)
    words, models = ", ".join(titles), [str(step.model) for step in moved]
    joined = words if len(titles) == 1 else words[:1] + language.within(words[1:])
    if not models:
        return joined
    return language.say("panel.models" if len(models) > 1 else "panel.model", title=joined, numbers=", ".join(models))


def step_title(step: Step, language: Language = ENGLISH) -> str:
    """Name a step by the rule it follows where that says more than its kind.

    Examples
    --------
    >>> step_title(Step("forward", rules=("t9a.move.snaking", "t9a.move.initial-forward")))
    'Initial forward'
    """
    rules = [rule.rpartition(".")[2].replace("-", "_") for rule in step.rules]
    words = language.known("step", next((rule for rule in rules if rule.endswith(step.kind)), step.kind))
    return words[:1].upper() + words[1:]


def words_of(episode: Episode, language: Language = ENGLISH, *, wrong: str = "") -> str:
    """Give the words of an episode, each said once; what a note says in the picture is not said again, a mere measure is named.

    Of loose models it is said which of them move so, but for what is `wrong` with a move.
    """
    untold = {note.text for note in episode.ruling.evidence.notes}
    is_alone = len({step.model for step in episode.ruling.steps if step.model is not None}) == 1
    said = []
    for (words, is_move), group in groupby(
        (step for step in episode.steps if step.text and step.text not in untold),
        key=lambda step: (step.text, step.model is not None and has_moved(step) and step.text != wrong),
    ):
        steps = list(group)
        if is_move:
            said.append(moved_words(steps, words, language, is_alone=is_alone))
        else:
            said.append(words if words[-1] in ".!?" else f"{step_title(steps[0], language)}: {words}.")
    return " ".join(dict.fromkeys(said))


def moved_words(steps: Sequence[Step], words: str, language: Language = ENGLISH, *, is_alone: bool = False) -> str:
    """Say which loose models of a unit move, of a single one how far, before the words of their steps, unless these name the model.

    Examples
    --------
    >>> step = Step("move", "A", model=3, length=4.0)
    >>> moved_words([step], "Closer.").replace("\N{NO-BREAK SPACE}", " ")
    'A 3 moves 4 in, closer.'
    >>> moved_words([step, Step("move", "A", model=5, length=2.0)], "Closer.")
    'A 3 and 5 move closer.'
    """
    if any(str(step.model) in re.findall(r"\w+", words) for step in steps):
        return words
    within, name = words[:1].lower() + words[1:], str(steps[0].unit)
    if len(steps) > 1:
        *numbers, last = (str(step.model) for step in steps)
        return language.say("callout.models", name=name, numbers=language.listed((", ".join(numbers), last)), words=within)
    name, length = name if is_alone else f"{name} {steps[0].model}", steps[0].length
    if length is None:
        return language.say("badge.owner", name=name, words=within)
    return language.say("callout.model", name=name, length=number(length, "in"), words=within)

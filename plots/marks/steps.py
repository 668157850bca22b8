"""Steps of a charge in pictures: their grouping, the table after each group, and the poses within a step.

Lengths are in inches on the table, angles in radians; a share of a step runs from 0 to 1.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from typing import Any

from plots.marks.styles import NAMED_FAMILIES
from tabletop.geometry.pose import Pose
from tabletop.language.language import current_language
from tabletop.messages import names_in
from tabletop.ruling.charge import Spot, Step, is_moving
from tabletop.ruling.finding import Finding
from tabletop.ruling.verdict import Resolution, Ruling, Shown
from tabletop.table.models import Squad, from_one
from tabletop.table.state import State

MOST_PICTURES = 9
"""Number of pictures up to which runs of similar steps are shown one by one."""

JUDGED_PICTURES = 24
"""The same limit for a proposal, whose moves are judged one by one."""

SIXTH = math.pi / 3
"""Angle between adjacent facings of a hex, in radians."""


@dataclass(frozen=True)
class StepGroup:
    """Steps of a charge that share a picture, given by their indices among all of it as `shown`."""

    shown: Shown
    places: tuple[int, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """Steps of the group, in order."""
        return tuple(self.shown.steps[place] for place in self.places)

    def with_places(self, other: "StepGroup") -> "StepGroup":
        """Return the group with the steps of another group of its charge after its own."""
        return StepGroup(self.shown, (*self.places, *other.places))

    @property
    def is_last(self) -> bool:
        """Whether the group holds the last step of its charge."""
        return self.places[-1] == len(self.shown.steps) - 1

    @property
    def is_moving(self) -> bool:
        """Whether any step of the group moves a unit."""
        return any(is_moving(step) for step in self.steps)

    @property
    def is_declaration(self) -> bool:
        """Whether the group starts its charge and nothing moves in it."""
        return self.places[0] == 0 and not self.is_moving


def step_groups(resolution: Resolution, *, most: int = MOST_PICTURES) -> tuple[StepGroup, ...]:
    """Return the groups of steps that share a picture: declarations in file order, if all are made first, then the
    moves in order of play.

    Runs of loose models' moves are grouped so that there are about `most` pictures.
    """
    declared = [one for ruling in resolution.rulings for one in _places(ruling) if _is_first(one)]
    moved = [one for ruling in resolution.turns for one in _places(ruling) if not _is_first(one)]
    joined: list[StepGroup] = []
    for one in (*declared, *moved):
        if joined and _shares(joined[-1], one):
            joined[-1] = joined[-1].with_places(one)
        else:
            joined.append(one)
    return _parted(_changing(joined, resolution), most)


def _is_first(group: StepGroup) -> bool:
    """Return whether a step is a declaration of a game in which all charges are declared before the first is made."""
    return current_language().looks.is_declared_first and group.steps[0].kind == "declare"


def _changing(groups: Sequence[StepGroup], resolution: Resolution) -> Sequence[StepGroup]:
    """Return the groups with those that leave the table as it was joined to the one before."""
    joined = list[StepGroup]()
    state = resolution.before
    for group in groups:
        then = after_steps(state, group, resolution.after)
        has_family = bool(joined) and any(
            current_language().step(one.steps[0]).family for one in (joined[-1], group)
        )
        is_alike = not group.is_moving and (
            then.units == state.units
            or not (has_family or joined[-1:] == [] or joined[-1].is_moving)
        )
        if joined and joined[-1].shown is group.shown and is_alike:
            joined[-1] = joined[-1].with_places(group)
        else:
            joined.append(group)
        state = then
    return joined


def _places(ruling: Ruling) -> list[StepGroup]:
    return [StepGroup(ruling, (place,)) for place in range(len(ruling.steps))]


def _shares(last: StepGroup, one: StepGroup) -> bool:
    """Return whether a step shares the previous group's picture: as its consequence or by its family."""
    language = current_language()
    kind = language.step(one.steps[0])
    family = language.step(last.steps[0]).family
    if last.shown is not one.shown:
        return False
    return kind.family == family if kind.family else kind.is_consequence


def _parted(joined: Sequence[StepGroup], most: int) -> tuple[StepGroup, ...]:
    """Return the groups with runs of loose models' moves split as evenly as `most` pictures allow."""
    runs = [one for one in joined if one.steps[0].model is not None]
    room = max(1, (most - len(joined) + len(runs)) // max(1, len(runs)))
    return tuple(part for one in joined for part in (_parts(one, room) if one in runs else (one,)))


def _parts(run: StepGroup, room: int) -> tuple[StepGroup, ...]:
    """Return a run of moves split into at most `room` parts of equal length; consequences of the whole run go with the
    last.
    """
    moves = [place for place in run.places if run.shown.steps[place].model is not None]
    size = -(-len(moves) // room)
    starts = range(0, len(moves), size)
    return tuple(
        StepGroup(run.shown, run.places[start : None if start == starts[-1] else start + size])
        for start in starts
    )


def after_steps(
    state: State[Any], episode: StepGroup, last: State[Any], *, is_last: bool = False
) -> State[Any]:
    """Return the table after a group of steps from the table `state`; losses are those missing from the final table
    `last`.

    If `is_last`, units' status and the terrain are taken from the final table.
    """
    for place in episode.places:
        later = episode.shown.steps[place + 1 :]
        state = _after_step(state, episode.shown.steps[place], later, last)
    return _ended(state, last) if is_last else state


def _after_step(
    state: State[Any], step: Step, later: Sequence[Step], last: State[Any]
) -> State[Any]:
    language = current_language()
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
    """Return a squad with the model of a step moved to the step's end; unchanged if the step has none."""
    if step.end is None:
        return squad
    end = step.end
    heights = {model.number: model.z for model in squad.models}
    z = (
        step.path[-1][2]
        if step.path
        else heights.get(-1 if step.model is None else step.model, 0.0)
    )
    models = (model.at(end, z) if model.number == step.model else model for model in squad.models)
    return Squad(squad.name, squad.side, tuple(models), squad.profile, squad.status)


def _without_losses(squad: Squad, later: Sequence[Step], last: State[Any]) -> Squad:
    """Return a squad without the models that neither move in `later` steps nor exist on the final table `last`."""
    stay = (
        {model.number for model in last.units[squad.name].models}
        if squad.name in last.units
        else set()
    )
    stay |= {other.model for other in later if other.unit == squad.name and other.model is not None}
    return squad.without({model.number for model in squad.models} - stay)


def _ended(state: State[Any], last: State[Any]) -> State[Any]:
    """Return the table with the units' status and the terrain of the final table `last`."""
    for name, unit in last.units.items():
        state = (
            state.with_unit(state.units[name].with_status(*unit.status))
            if name in state.units
            else state
        )
    return replace(state, terrain=last.terrain, hex_terrain=last.hex_terrain)


def named_models(charges: Iterable[Shown]) -> frozenset[str]:
    """Return the names of the units of which some step moves a single model."""
    steps = (step for shown in charges for step in shown.steps)
    return frozenset(
        step.unit for step in steps if step.unit is not None and step.model is not None
    )


def title(episode: StepGroup) -> str:
    """Return the title of a group of steps: the names of those that move something, or else of all, and the numbers of
    models.
    """
    language = current_language()
    steps = tuple(filter(is_moving, episode.steps)) or episode.steps
    family = language.step(steps[0]).family
    if family in NAMED_FAMILIES:
        return language.known("step", family)
    moved = [step for step in steps if step.model is not None]
    titles = dict.fromkeys(step_title(step) for step in moved or steps)
    first, *others = titles
    joined = ", ".join((first, *map(language.within, others)))
    models = [str(from_one(step.model)) for step in moved if step.model is not None]
    if not models:
        return joined
    return language.say(
        "panel.models" if len(models) > 1 else "panel.model",
        title=joined,
        numbers=", ".join(models),
    )


def step_title(step: Step) -> str:
    """Return the title of a step: its rule's name if that ends with the kind of step, else the kind's.

    Examples
    --------
    >>> step_title(Step("forward", rules=("t9a.move.snaking", "t9a.move.initial-forward")))
    'Initial forward'
    """
    rules = [rule.rpartition(".")[2].replace("-", "_") for rule in step.rules]
    words = current_language().known(
        "step", next((rule for rule in rules if rule.endswith(step.kind)), step.kind)
    )
    return words[:1].upper() + words[1:]


def steps_text(episode: StepGroup, *, wrong: Collection[str] = ()) -> str:
    """Return the text of a group: each sentence once, without those shown as notes; a bare measure is preceded by its
    name.

    Sentences on loose models name those that move so; the sentences `wrong`, on errors, are kept as they are.
    """
    untold = {note.text for note in episode.shown.evidence.notes}
    is_alone = len({step.model for step in episode.shown.steps if step.model is not None}) == 1
    said = []
    for (words, is_move), group in groupby(
        (step for step in episode.steps if step.text and step.text not in untold),
        key=lambda step: (
            step.text,
            step.model is not None and is_moving(step) and step.text not in wrong,
        ),
    ):
        steps = list(group)
        if is_move:
            said.append(moved_words(steps, words, is_alone=is_alone))
        else:
            said.append(words if words[-1] in ".!?" else f"{step_title(steps[0])}: {words}.")
    return " ".join(dict.fromkeys(said))


def moved_words(steps: Sequence[Step], words: str, *, is_alone: bool = False) -> str:
    """Return the text of steps preceded by the loose models that move so; for a single model also its distance in
    inches.

    Examples
    --------
    >>> step = Step("move", "A", model=3, length=4.0)
    >>> moved_words([step], "Closer.").replace("\N{NO-BREAK SPACE}", " ")
    'A 4 moves 4 in, closer.'
    >>> moved_words([step, Step("move", "A", model=5, length=2.0)], "Closer.")
    'A 4 and 6 move closer.'
    """
    language = current_language()
    told = [str(from_one(step.model)) for step in steps if step.model is not None]
    if any(number in names_in(words) for number in told):
        return words
    within = words[:1].lower() + words[1:]
    name = str(steps[0].unit)
    if len(steps) > 1:
        *numbers, last = told
        return language.say(
            "callout.models",
            name=name,
            numbers=language.listed((", ".join(numbers), last)),
            words=within,
        )
    name = name if is_alone else " ".join((name, *told))
    length = steps[0].length
    if length is None:
        return language.say("badge.owner", name=name, words=within)
    return language.say(
        "callout.model", name=name, length=language.measure(length, "in"), words=within
    )


# Poses within a step, by the engine's motions, not by interpolation between its ends.


def pose_underway(step: Step, share: float) -> Pose:
    """Return the pose at a share of a step.

    A step with a pivot turns about it, one with a path follows it, and one without a turn runs straight. A step that
    turns and shifts without a pivot, such as an align, turns about its fixed point (the centre of the rigid motion).

    Raises
    ------
    ValueError
        If the step has no start or no end.
    """
    start = step.start
    end = step.end
    if start is None or end is None:
        raise ValueError(f"a step of kind {step.kind} moves nothing")
    if share <= 0.0:
        return start
    if share >= 1.0:
        return end
    if step.pivot is not None and step.angle:
        return start.turned_about(step.pivot, share * step.angle)
    angle = _turn(step, start, end)
    if len(step.path) > 1:
        x, y, _ = path_underway(step.path, share)[-1]
        return Pose(x, y, start.heading + share * angle)
    return _on_arc(start, end, angle, share)


def _turn(step: Step, start: Pose, end: Pose) -> float:
    """Return the signed angle of a step in radians: its own, else the smaller of the two turns from start to end."""
    return (
        step.angle
        if step.angle is not None
        else math.remainder(end.heading - start.heading, math.tau)
    )


def _on_arc(start: Pose, end: Pose, angle: float, share: float) -> Pose:
    """Return the pose at a share of the arc from one pose to another while the heading turns by `angle` radians;
    straight if it is 0.

    The chord's bearing and length relative to the whole chord are used, which stays accurate if the centre is far away.
    """
    half = angle / 2
    length = math.sin(share * half) / math.sin(half) if abs(math.sin(half)) > 1e-9 else share  # noqa: PLR2004 - the limit is the share
    bearing = (share - 1.0) * half
    dx = end.x - start.x
    dy = end.y - start.y
    cos = length * math.cos(bearing)
    sin = length * math.sin(bearing)
    return Pose(
        start.x + dx * cos - dy * sin, start.y + dx * sin + dy * cos, start.heading + share * angle
    )


def path_underway(path: tuple[Spot, ...], share: float) -> tuple[Spot, ...]:
    """Return a path of (x, y, z) cut at a share of its length; its last point is the model's position then."""
    ways = [0.0, *accumulate(math.dist(*leg) for leg in pairwise(path))]
    done = min(max(share, 0.0), 1.0) * ways[-1]
    legs = [number for number, (near, far) in enumerate(pairwise(ways)) if near < done <= far]
    if not legs:
        return path[:1]
    leg = legs[0]
    part = (done - ways[leg]) / (ways[leg + 1] - ways[leg])
    x, y, z = (
        before + part * (after - before)
        for before, after in zip(path[leg], path[leg + 1], strict=True)
    )
    return (*path[: leg + 1], (x, y, z))


def step_underway(step: Step, share: float) -> Step:
    """Return a step cut at a share: it ends at the pose reached by then."""
    path = path_underway(step.path, share) if step.path else ()
    return replace(step, end=pose_underway(step, share), path=path)


def beats(step: Step) -> int:
    """Return the number of separate moves in a step: the hex facings that a turn on the spot passes, else 1.

    A turn about a pivot, such as a wheel, is one move.
    """
    if (
        step.start is None
        or step.end is None
        or step.pivot is not None
        or step.start.at != step.end.at
    ):
        return 1
    turns = abs(_turn(step, step.start, step.end)) / SIXTH
    return max(1, round(turns)) if abs(turns - round(turns)) < 1e-6 else 1  # noqa: PLR2004 - rounding of degrees


def eased(share: float, count: int = 1) -> float:
    """Return the progress, from 0 to 1, of a motion of `count` beats at a share of its time; each beat starts and ends
    slowly.

    Examples
    --------
    >>> eased(0.0), eased(0.5), eased(1.0), eased(0.25, 2), eased(0.5, 2)
    (0.0, 0.5, 1.0, 0.25, 0.5)
    """
    beat, part = divmod(min(max(share, 0.0), 1.0) * count, 1.0)
    return (beat + part * part * (3.0 - 2.0 * part)) / count


def faulty(told: Sequence[StepGroup], broken: Finding) -> int:
    """Return the index of the group of steps whose picture shows a broken rule: the last that moves a model at fault,
    else the last.
    """
    at_fault = broken.mark.models if broken.mark is not None else {}

    def is_told(step: Step) -> bool:
        """Return whether a step moves a model at fault."""
        numbers = at_fault.get(step.unit or "")
        return is_moving(step) and numbers is not None and (not numbers or step.model in numbers)

    places = [
        place for place, episode in enumerate(told) if any(is_told(step) for step in episode.steps)
    ]
    return places[-1] if places else len(told) - 1
